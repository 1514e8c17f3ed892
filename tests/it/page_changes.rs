//! What the page does when something changes around it: the version of the server, the name in
//! another tab, the language, a table that is gone, a proxy without a server, a browser that stores
//! nothing. In a real browser.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::say;
use crate::page_games::{Page, begin};
use crate::page_program::Program;
use crate::webdriver::{Browser, keys};
use crate::whole_game_browser::board_says;

/// Opens the settings.
pub async fn open_settings(browser: &Browser) {
    browser.run("document.querySelector('#me-open').click()").await;
    browser.wait("document.querySelector('#mine').open").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_open_during_an_upgrade_still_loads_its_parts() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let load =
        "return Promise.all(['words-rooms-ru', 'words-games-kk', 'viewer-template', 'clocks']
        .map(it => import(`/web/0123456789ab/${it}.js`))).then(it => it.length)";
    assert_eq!(browser.run(load).await, json!(4));
    let style =
        "[...document.styleSheets].some(it => it.href?.endsWith('0123456789ab/clocks.css'))";
    browser.wait(style).await;
    // A part that the new version no longer has.
    let missing = "const { src } = document.querySelector('script[type=module]');
        return import(src.replace('app.js', 'toasts.js')).then(({ showError }) =>
            import('/web/0123456789ab/none.js').catch(showError))";
    browser.run(missing).await;
    browser.wait("document.querySelector('#toasts').textContent.includes('new version')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_name_arrives_in_the_other_tabs() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    let second = browser.new_tab().await;
    browser.open(&program.base).await;
    browser.wait("document.querySelector('#me-name').textContent === 'Ann'").await;
    open_settings(browser).await;
    browser.switch(ann).await;
    open_settings(browser).await;
    browser.run("document.querySelector('#mine-name').value = 'Anna'").await;
    browser.run("document.querySelector('#mine-form [type=submit]').click()").await;
    browser.wait("document.querySelector('#me-name').textContent === 'Anna'").await;
    // The settings that are open there have the old name, which is not changed and not sent.
    browser.switch(&second).await;
    browser.wait("document.querySelector('#me-name').textContent === 'Anna'").await;
    assert_eq!(
        browser.run("return document.querySelector('#mine-name').value").await,
        json!("Ann")
    );
    browser.run("document.querySelector('#mine-form [type=submit]').click()").await;
    browser.wait("!document.querySelector('#mine').open").await;
    open_settings(browser).await;
    let name = "return document.querySelector('#mine-name').value";
    assert_eq!(browser.run(name).await, json!("Anna"));
    let stored =
        "return [sessionStorage, localStorage].map(it => JSON.parse(it.getItem('me')).name)";
    assert_eq!(browser.run(stored).await, json!(["Anna", "Anna"]));
    browser.switch(ann).await;
    assert_eq!(browser.run(stored).await, json!(["Anna", "Anna"]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Holds the requests to a path back until `window.release()`.
fn hold(path: &str) -> String {
    format!(
        "const real = window.fetch;
         const held = new Promise(done => {{ window.release = done; }});
         window.fetch = async (...asked) => {{
             if (String(asked[0]).endsWith('{path}') && asked[1]?.method === 'POST') {{
                 window.holds = true;
                 await held;
             }}
             return real(...asked);
         }};"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn another_language_is_that_of_the_board_too() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    browser.wait("document.querySelector('#own-tables li')").await;
    open_settings(browser).await;
    browser.run(&hold("/api/me")).await;
    browser.find("#mine [lang=ru]").await.click().await;
    browser.wait("window.holds").await;
    assert_eq!(browser.run("return document.documentElement.lang").await, json!("en"));
    browser.run("window.release()").await;
    browser.wait("document.documentElement.lang === 'ru'").await;
    // It is closed without saving.
    browser.run("document.querySelector('#mine [data-close]').click()").await;
    for part in ["#table-text", "#table-keys", "#own-tables"] {
        browser
            .wait(&format!("/[а-я]{{3}}/.test(document.querySelector('{part}').textContent)"))
            .await;
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_language_arrives_in_the_other_tabs() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    browser.new_tab().await;
    browser.open(&program.base).await;
    browser.wait("document.querySelector('#me-name').textContent === 'Ann'").await;
    open_settings(browser).await;
    browser.find("#mine [lang=ru]").await.click().await;
    browser.wait("document.documentElement.lang === 'ru'").await;
    browser.switch(ann).await;
    browser.wait("document.documentElement.lang === 'ru'").await;
    browser.wait("/[а-я]{3}/.test(document.querySelector('#table-text').textContent)").await;
    // Another person chooses another one for themselves.
    browser.new_tab().await;
    browser.open(&format!("{}?new", program.base)).await;
    browser.find("#welcome [lang=hy]").await.click().await;
    browser.wait("document.documentElement.lang === 'hy'").await;
    browser.switch(ann).await;
    assert_eq!(browser.run("return document.documentElement.lang").await, json!("ru"));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// From now on it is the next day.
const NEXT_DAY: &str = "const Today = Date;
    window.Date = class extends Today {
        constructor(...time) {
            super(...(time.length ? time : [Today.now() + 86400000]));
        }
    };
    document.dispatchEvent(new Event('visibilitychange'));";

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_wakes_up_on_the_next_day_says_so() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    say(browser, "good night").await;
    browser.wait("document.querySelector('#messages .day').textContent === 'Today'").await;
    browser.run(NEXT_DAY).await;
    browser.wait("document.querySelector('#messages .day').textContent === 'Yesterday'").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dismissed_reply_opens_no_keyboard_on_a_touch_screen() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let touch = json!({ "enabled": true });
    browser.devtools("Emulation.setTouchEmulationEnabled", touch).await;
    browser.wait("matchMedia('(pointer: coarse)').matches").await;
    say(browser, "/chess").await;
    let dismiss = "document.querySelector('.message.only .tools .icon:last-child')";
    browser.wait(dismiss).await;
    let watch = "const real = window.fetch;
        window.fetch = async (...asked) => {
            const answer = await real(...asked);
            if (String(asked[0]).endsWith('/dismiss')) {
                await answer.clone().text();
                setTimeout(() => (window.isAnswered = true), 50);
            }
            return answer;
        };";
    browser.run(watch).await;
    browser.run(&format!("{dismiss}.focus(); {dismiss}.click()")).await;
    browser.wait("window.isAnswered && !document.querySelector('.message.only')").await;
    let focus = browser.run("return document.activeElement.tagName").await;
    assert_eq!(focus, json!("BODY"));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_offer_of_a_new_version_is_as_wide_as_the_page() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let widths = "const offer = document.createElement('p');
        offer.id = 'renewed';
        document.querySelector('#offline').after(offer);
        return ['renewed', 'top'].map(it => document.getElementById(it).offsetWidth)";
    let widths = browser.run(widths).await;
    assert_eq!(widths[0], widths[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_table_that_is_gone_leaves_the_own_game_open() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    let press = "document.querySelector('#table:not([hidden], .moving) .spot')?.dataset.press";
    let own = browser.run(&format!("return {press}")).await;
    assert!(own.is_string(), "{own}");
    browser.run("location.hash = '#/lobby/t/zzzzzzz'").await;
    browser.wait("document.querySelector('.toast')").await;
    browser.wait(&format!("{press} === {own} && location.hash === '#/lobby'")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drawing_that_does_not_arrive_is_fetched_again() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let hold = "const real = window.fetch;
        window.fetch = (...asked) => {
            if (window.limit || !String(asked[0]).includes('/art/')) return real(...asked);
            window.limit = asked[1]?.signal;
            return new Promise((_, fail) => { window.end = () => fail(new Error('late')); });
        };";
    browser.run(hold).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("window.limit instanceof AbortSignal").await;
    browser.run("window.end()").await;
    board_says(browser, "Ann is to move").await;
}

/// What requests do behind a proxy whose server is away for eight answers.
const BEHIND_A_PROXY: &str = "return import('/web/api.js').then(async api => {
    const { fetch, setTimeout } = window, reachable = [];
    let posts = 0, delays = 0;
    // Pauses pass at once, time limits do not.
    const isLimit = ms => ms === 3000 || ms >= 10000;
    window.setTimeout = (does, ms) => setTimeout(does, isLimit(ms) ? ms : 0);
    window.fetch = async (path, { method } = {}) => {
        if (method === 'POST') posts += 1;
        if (posts <= 8) return new Response('<h1>Bad Gateway</h1>', { status: 502 });
        return new Response(JSON.stringify({ whispers: [] }));
    };
    try {
        api.onConnectionChange(it => reachable.push(it));
        const replies = await api.sendPress('lobby', { press: 'x' }, () => (delays += 1));
        return [replies.length, posts, delays, reachable[0], reachable.at(-1)];
    } finally {
        Object.assign(window, { fetch, setTimeout });
    }
});";

#[tokio::test(flavor = "multi_thread")]
async fn a_press_outlives_a_proxy_that_reaches_no_server() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    assert_eq!(browser.run(BEHIND_A_PROXY).await, json!([0, 9, 1, false, true]));
    // A refusal of the server itself is one.
    let refusal = "return import('/web/api.js').then(async api => {
        const { fetch } = window;
        window.fetch = async () => new Response('{\"error\":\"busy\"}', { status: 503 });
        return api.get('/api/me').catch(e => e.error).finally(() => (window.fetch = fetch));
    });";
    assert_eq!(browser.run(refusal).await, json!("busy"));
}

/// How presses end whose first request fails: one is withdrawn while the second request runs, one
/// is refused. For each: the end, what the page hears of the connection, the number of requests,
/// whether the last one was aborted.
const ENDED_LATE: &str = "return import('/web/api.js').then(async api => {
    const { fetch } = window;
    const attempt = async respond => {
        const reachable = [];
        let posts = 0, last = null, withdraw;
        const isBack = new Promise(done => api.onConnectionChange(it => {
            reachable.push(it);
            if (it) done();
        }));
        window.fetch = async (path, options) => {
            if (!String(path).endsWith('/press')) return fetch(path, options);
            posts += 1;
            if (posts === 1) throw new TypeError('cut');
            last = options.signal;
            return respond(last, withdraw);
        };
        const end = await api.sendPress('lobby', { press: 'x' }, it => (withdraw = it))
            .catch(e => (e instanceof api.WithdrawnError ? 'withdrawn' : e.error));
        await isBack;
        return [end, reachable, posts, last.aborted];
    };
    try {
        const withdrawn = await attempt((signal, withdraw) => new Promise((_, fail) => {
            signal.addEventListener('abort', () => fail(new TypeError('aborted')));
            setTimeout(withdraw);
        }));
        const refused = await attempt(() => new Response('{\"error\":\"gone\"}', { status: 404 }));
        return [withdrawn, refused];
    } finally {
        Object.assign(window, { fetch });
    }
});";

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_is_withdrawn_or_refused_late_leaves_no_offline_banner() {
    let Some(page) = Page::of_ann().await else { return };
    let ends = json!([["withdrawn", [false, true], 2, true], ["gone", [false, true], 2, false]]);
    assert_eq!(page.browser.run(ENDED_LATE).await, ends);
}

/// Lets no press and no message reach the server, until the page is loaded again.
const CUT: &str = "const real = window.fetch;
    window.fetch = (...asked) => /\\/(press|messages)$/.test(asked[0])
        ? Promise.reject(new TypeError('cut'))
        : real(...asked); void 0";

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_waits_can_be_withdrawn_and_outlives_a_reload() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    let press = "document.querySelector('#table:not([hidden], .moving) .spot')?.dataset.press";
    let before = browser.run(&format!("return {press}")).await;
    browser.run(CUT).await;
    let act = "document.querySelector('#table .spot')
        .dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    browser.run(act).await;
    browser.wait("document.querySelector('#offline .unsent button')").await;
    browser.run("document.querySelector('#offline .unsent button').click()").await;
    browser.wait("!document.querySelector('.late, #table .busy, .unsent')").await;
    let unsent = "JSON.parse(sessionStorage.getItem('unsent') ?? '[]').length";
    browser.wait(&format!("{unsent} === 0 && document.querySelector('#offline').hidden")).await;
    // The same press again, and two messages, of which one waits: the reload sends all.
    browser.run(act).await;
    browser.wait("document.querySelector('#offline .unsent button')").await;
    say(browser, "good luck").await;
    say(browser, "good evening").await;
    browser.wait(&format!("{unsent} === 3")).await;
    browser.run("location.reload()").await;
    browser.wait_over_reload(&format!("{press} && {press} !== {before}")).await;
    let said = "[...document.querySelectorAll('.message.mine:not(.sending) .text')]
        .map(it => it.innerText).filter(it => it.startsWith('good'))";
    browser.wait(&format!("{said}.join() === 'good luck,good evening'")).await;
    browser.wait(&format!("{unsent} === 0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_back_button_closes_what_lies_over_the_board() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    browser.run("location.hash = '#/side'").await;
    browser.wait("document.querySelector('#room-name').textContent === 'side'").await;
    browser.run("location.hash = '#/lobby'").await;
    board_says(browser, "Ann is to move").await;
    let entry = "history.state?.isOverlay";
    // The settings over the viewer: one press closes one of them.
    browser.find("#viewer-open").await.click().await;
    browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    open_settings(browser).await;
    browser.wait(entry).await;
    browser.run("history.back()").await;
    browser.wait("!document.querySelector('#mine').open").await;
    browser.wait(&format!("{entry} && document.querySelector('#viewer:not([hidden])')")).await;
    browser.run("history.back()").await;
    browser.wait("document.querySelector('#viewer').hidden").await;
    // After what is closed by its own button, one press leads to the room before.
    browser.find("#viewer-open").await.click().await;
    browser.wait(entry).await;
    browser.find("#viewer-close").await.click().await;
    browser.wait("document.querySelector('#viewer').hidden").await;
    assert_eq!(browser.run("return location.hash").await, json!("#/lobby"));
    browser.run("history.back()").await;
    browser.wait("document.querySelector('#room-name').textContent === 'side'").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_back_button_works_after_a_reload_and_a_change_of_the_room() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    let entry = "history.state?.isOverlay";
    let is_in =
        |room: &str| format!("document.querySelector('#room-name').textContent === '{room}'");
    browser.run("location.hash = '#/side'").await;
    browser.wait(&is_in("side")).await;
    browser.run("location.hash = '#/lobby'").await;
    browser.wait(&is_in("lobby")).await;
    // A reload closes the settings. Their entry is used again for the list of rooms.
    open_settings(browser).await;
    browser.wait(entry).await;
    browser.run("location.reload()").await;
    let lobby = is_in("lobby");
    browser.wait_over_reload(&format!("{lobby} && !document.querySelector('#mine')")).await;
    // A link in the list of rooms replaces the entry of the list.
    let link = "document.querySelector('#side a[href=\"#/side\"]')";
    browser.wait(link).await;
    browser.run("document.querySelector('#side-open').click()").await;
    browser.wait(entry).await;
    browser.run(&format!("{link}.click()")).await;
    let is_closed = "!document.body.classList.contains('side-open')";
    browser.wait(&format!("{} && {is_closed}", is_in("side"))).await;
    browser.run("history.back()").await;
    browser.wait(&lobby).await;
    browser.run("history.forward()").await;
    browser.wait(&is_in("side")).await;
    browser.run("history.back()").await;
    browser.wait(&lobby).await;
    // Forward to the entry of what Back has closed opens nothing, and Back leaves it at once.
    open_settings(browser).await;
    browser.wait(entry).await;
    browser.run("history.back()").await;
    browser.wait(&format!("!document.querySelector('#mine').open && !{entry}")).await;
    browser.run("history.forward()").await;
    browser.wait(&format!("{entry} && !document.querySelector('#mine').open && {lobby}")).await;
    browser.run("history.back()").await;
    browser.wait(&is_in("side")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// A browser that blocks the storage of pages.
const BLOCKED: &str = "for (const kind of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, kind, {
            get() { throw new DOMException('no', 'SecurityError'); },
        });
    if (navigator.locks)
        navigator.locks.request = async () => { throw new DOMException('no', 'SecurityError'); };";

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_stores_nothing_shows_the_page() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let source = json!({ "source": BLOCKED });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source).await;
    browser.open(&program.base).await;
    browser.find("#welcome[open] #welcome-name").await.type_in("Ann").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('#toasts').textContent.includes('stores nothing')").await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    begin(&browser, "togyzkumalak", "computer beginner").await;
    board_says(&browser, "Ann is to move").await;
    browser.wait("document.querySelector('#offline').hidden").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_a_room_that_was_opened_again_are_unread() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let again = "return import('/web/rooms.js').then(rooms => {
        const message = id => ({ id, room: 'again', seq: id, author: { id: 'web:other' } });
        const load = id => {
            rooms.applyMessagePage('again', [message(id)], false);
            rooms.limitReadMark('again');
        };
        load(300);
        rooms.markRead('again');
        const before = rooms.unreadCount('again');
        rooms.forgetRoom('again');
        load(1);
        rooms.applyMessage(message(2));
        return [before, rooms.unreadCount('again')];
    })";
    let counts: Value = browser.run(again).await;
    assert_eq!(counts, json!([0, 1]));
}

/// The answer to the first request is held back, then lost.
#[tokio::test(flavor = "multi_thread")]
async fn pressing_enter_twice_in_the_welcome_creates_one_person() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    browser.open(&program.base).await;
    browser.find("#welcome[open] #welcome-name").await.type_in("Ann").await;
    let hold = "window.people = [];
        const real = window.fetch;
        window.fetch = async (...asked) => {
            if (!String(asked[0]).endsWith('/api/people')) return real(...asked);
            window.people.push('');
            const answer = await real(...asked);
            window.people.splice(-1, 1, (await answer.clone().json()).id);
            if (window.people.length > 1) return answer;
            await new Promise(done => (window.loseAnswer = done));
            throw new TypeError('lost');
        };";
    browser.run(hold).await;
    browser.keys(keys::ENTER).await;
    browser.wait("window.loseAnswer").await;
    browser.keys(keys::ENTER).await;
    browser.run("document.querySelector('#welcome-form').requestSubmit()").await;
    assert_eq!(browser.run("return window.people.length").await, json!(1));
    browser.run("window.loseAnswer()").await;
    browser.wait("document.querySelector('#welcome-error').textContent !== ''").await;
    browser.wait("!document.querySelector('#welcome-enter').disabled").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    let same = "return [window.people.length, new Set(window.people).size]";
    assert_eq!(browser.run(same).await, json!([2, 1]));
    let kept = "return [localStorage, sessionStorage]
        .every(it => JSON.parse(it.getItem('me')).id === window.people[0])";
    assert_eq!(browser.run(kept).await, json!(true));
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_other_devices_twice_asks_for_one_token() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    open_settings(browser).await;
    let hold = "window.renewals = 0;
        const real = window.fetch;
        window.fetch = async (...asked) => {
            if (!String(asked[0]).endsWith('/api/me/token')) return real(...asked);
            window.renewals += 1;
            await new Promise(done => (window.send = done));
            return real(...asked);
        };";
    browser.run(hold).await;
    let twice = "const it = document.querySelector('#sign-out'); it.click(); it.click()";
    browser.run(twice).await;
    browser.wait("window.send").await;
    assert_eq!(browser.run("return window.renewals").await, json!(1));
    browser.run("window.send()").await;
    browser.wait_over_reload("window.renewals === undefined").await;
    browser.wait_over_reload("document.querySelector('#me-name').textContent === 'Ann'").await;
    browser.wait("document.querySelector('#offline').hidden").await;
}

/// The first press is held back, as on a slow connection.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_of_two_quick_changes_of_a_setting_stays() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    open_settings(browser).await;
    let select = "[...document.querySelectorAll('#mine-settings select')]
        .find(it => it.options.length > 2)";
    browser.wait(select).await;
    let hold = "window.presses = 0;
        const real = window.fetch;
        window.ask = () => real('/api').then(it => it.ok);
        window.fetch = async (...asked) => {
            if (!String(asked[0]).endsWith('/press')) return real(...asked);
            window.presses += 1;
            if (window.presses === 1) await new Promise(done => (window.send = done));
            const answer = await real(...asked);
            window.answers = (window.answers ?? 0) + 1;
            return answer;
        };";
    browser.run(hold).await;
    let choose = |n: usize| {
        format!(
            "const it = {select};
             it.selectedIndex = (it.options.length + {n}) % it.options.length;
             window.chosen = it.value;
             it.dispatchEvent(new Event('change'))"
        )
    };
    let first = format!("return {select}.selectedIndex");
    let first = browser.run(&first).await.as_u64().unwrap() as usize;
    browser.run(&choose(first + 1)).await;
    browser.wait("window.send").await;
    browser.run(&choose(first + 2)).await;
    for _ in 0..10 {
        assert_eq!(browser.run("return window.ask()").await, json!(true));
    }
    assert_eq!(browser.run("return window.presses").await, json!(1));
    browser.run("window.send()").await;
    browser.wait("window.answers === 2").await;
    let stored = format!(
        "const token = JSON.parse(sessionStorage.getItem('me')).token;
         return fetch('/api/settings', {{ headers: {{ Authorization: `Bearer ${{token}}` }} }})
             .then(it => it.json())
             .then(it => it.settings.find(it => it.code === {select}.name).value === window.chosen)"
    );
    assert_eq!(browser.run(&stored).await, json!(true));
}

/// The tab was opened before another one has read more, and other rooms.
#[tokio::test(flavor = "multi_thread")]
async fn an_old_tab_keeps_what_was_read_in_another_one() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let read = "return import('/web/rooms.js').then(rooms => {
        const key = 'read' + JSON.parse(sessionStorage.getItem('me')).id;
        const message = id => ({ id, room: 'some', seq: id, author: { id: 'web:other' } });
        const read = id => {
            rooms.applyMessagePage('some', [message(id)], false);
            rooms.markRead('some');
            const { some, other } = JSON.parse(localStorage.getItem(key));
            return [some, other];
        };
        sessionStorage.setItem('read', JSON.stringify({ some: 1 }));
        localStorage.setItem(key, JSON.stringify({ some: 7, other: 9 }));
        return [read(5), read(8)];
    })";
    assert_eq!(browser.run(read).await, json!([[7, 9], [8, 9]]));
}
