//! Two people in two tabs of a real browser.

use caravanserai_protocol::Platform;
use caravanserai_webchat::WebchatLimits;
use tempfile::TempDir;

use crate::web_bot::Served;
use crate::webdriver::{Browser, keys};

const BOARD: &str = ".message.bot:not(.only) .frame";

/// Opens the page as a new person, who enters the lobby.
pub async fn come_in(browser: &Browser, base: &str, name: &str) {
    browser.open(&format!("{base}/?new")).await;
    browser.wait("document.querySelector('#welcome[open] #welcome-name')").await;
    browser.screenshot("welcome").await;
    browser.find("#welcome[open] #welcome-name").await.type_in(name).await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    browser.wait("document.querySelector('#offline').hidden").await;
}

/// Writes a message.
pub async fn say(browser: &Browser, text: &str) {
    // On a small screen the chat is behind the board.
    let open = "const text = document.querySelector('#text'); \
                if (!text.offsetParent) document.querySelector('#chat-open')?.click();";
    browser.run(open).await;
    browser.find("#text").await.type_in(text).await;
    browser.keys(keys::ESCAPE).await;
    browser.keys(keys::ENTER).await;
}

fn move_shown(step: u32) -> String {
    format!(
        "document.querySelector('{BOARD}').dataset.shown \
         && document.querySelectorAll('{BOARD} img').length === 1 \
         && document.querySelector('{BOARD} img').alt === 'Board after move {step}' \
         && document.querySelector('{BOARD} img').naturalWidth === 900"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_in_two_tabs_share_a_board() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let (ann, base) = (browser.tab().await, served.base.clone());
    come_in(&browser, &base, "Ann").await;
    browser.wait("!document.querySelector('#hint').hidden").await;
    browser.screenshot("hint-1280").await;

    let bob = browser.new_tab().await;
    come_in(&browser, &base, "Әлібек").await;
    say(&browser, "Good evening! Shall we play?").await;
    browser.wait("document.querySelector('.message.mine:not(.sending)')").await;
    browser.find("#room-new-open").await.click().await;
    browser.find("#room-new[open] #room-new-name").await.type_in("Rose garden").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('#room-name').textContent === 'rose-garden'").await;

    // Ann completes a command and a name from the suggestions, by keyboard alone.
    browser.switch(&ann).await;
    browser.wait("document.querySelectorAll('.message').length === 1").await;
    browser.find("#text").await.type_in("/to").await;
    browser.wait("document.querySelector('#offers [aria-selected=true]')").await;
    browser.screenshot("offers-1280").await;
    browser.keys(keys::ENTER).await;
    browser.keys("@").await;
    browser
        .wait("document.querySelector('#offers [aria-selected=true] b').textContent === 'Әлібек'")
        .await;
    browser.keys(keys::TAB).await;
    browser.keys(keys::ENTER).await;
    browser.wait(&move_shown(0)).await;

    // The other was called by name while in another room.
    browser.switch(&bob).await;
    browser.wait("document.title.startsWith('(2) rose-garden')").await;
    browser.wait("document.querySelector('.badge.calls')").await;
    browser.screenshot("unread-1280").await;
    browser.find("#room-list a[href='#/lobby']").await.click().await;
    browser.wait("document.title.startsWith('lobby')").await;
    browser.wait(&move_shown(0)).await;
    browser.wait("document.querySelector('.mention.me')").await;

    // A press changes the picture in place for both, and is answered by a toast.
    browser.find(".key[data-press='3']").await.click().await;
    browser.wait("document.querySelector('.toast').textContent === 'you sowed from pit 3'").await;
    browser.wait(&move_shown(1)).await;
    browser.switch(&ann).await;
    browser.wait(&move_shown(1)).await;
    browser.wait("document.querySelectorAll('.message.bot').length === 1").await;

    by_keyboard(&browser).await;
    looks(&browser).await;
    survives(&browser, served, folder.path()).await;
}

/// From the line upwards to the board, along its buttons, a press, a reply, and back.
async fn by_keyboard(browser: &Browser) {
    browser.find("#text").await.click().await;
    browser.keys(keys::UP).await;
    browser.wait("document.activeElement.matches('.message.bot')").await;
    browser.keys(keys::ENTER).await;
    browser.keys(&[keys::RIGHT, keys::RIGHT, keys::DOWN, keys::LEFT].concat()).await;
    browser.wait("['6', '7'].includes(document.activeElement.dataset.press)").await;
    browser.keys(keys::ENTER).await;
    browser.wait(&move_shown(2)).await;
    browser.wait("document.activeElement.matches('.key')").await;
    browser.keys(keys::ESCAPE).await;
    browser.wait("document.activeElement.id === 'text'").await;
    browser.keys(keys::UP).await;
    browser.keys("r").await;
    browser.wait("!document.querySelector('#reply').hidden").await;
    browser.keys("7").await;
    browser.keys(keys::ENTER).await;
    browser.wait(&move_shown(3)).await;
    browser.wait("document.querySelector('.message.mine .quote')").await;
}

/// Everything fits on every screen; pictures for people who want to look.
async fn looks(browser: &Browser) {
    say(browser, "/hand").await;
    browser.wait("document.querySelector('.message.only .frame').dataset.shown").await;
    for (width, height) in [(320, 640), (640, 900), (1280, 900)] {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width}")).await;
        let wide = "return Math.max(document.documentElement.scrollWidth, \
                    document.querySelector('#log').scrollWidth)";
        assert!(browser.run(wide).await.as_u64().unwrap() <= u64::from(width), "at {width}");
        for scheme in ["light", "dark"] {
            browser.colours(scheme).await;
            browser.run("document.querySelector('#log').scrollTop = 1e6").await;
            browser.screenshot(&format!("chat-{width}-{scheme}")).await;
            browser.run("document.querySelector('.message.bot').scrollIntoView()").await;
            browser.screenshot(&format!("board-{width}-{scheme}")).await;
        }
    }
    browser.colours("light").await;
    small_screen(browser).await;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelector('#people').open").await;
    browser.screenshot("people-1280").await;
    browser.keys(keys::ESCAPE).await;
    browser.wait("!document.querySelector('#people').open").await;
    let private = browser.run("return document.querySelectorAll('.message.only').length").await;
    assert_eq!(private, 1);
}

/// The list of rooms slides in on a phone; every language has every word and fits.
async fn small_screen(browser: &Browser) {
    browser.screen(320, 640).await;
    let complete = browser
        .run(
            "return import('/web/languages.js').then(async ({ LANGUAGES }) => {
                 const WORDS = {};
                 for (const it of Object.keys(LANGUAGES)) {
                     const path = part => `/web/words-${part}${it}.js`;
                     const parts = ['', 'games-', 'rooms-'].map(path);
                     const found = await Promise.all(parts.map(path => import(path)));
                     WORDS[it] = Object.assign({}, ...found.map(part => part.WORDS));
                 }
                 const keys = Object.keys(WORDS.en);
                 const marked = '[data-t],[data-t-label],[data-t-placeholder]';
                 const used = [...document.querySelectorAll(marked)]
                     .flatMap(it => [it.dataset.t, it.dataset.tLabel, it.dataset.tPlaceholder])
                     .filter(Boolean);
                 const args = text =>
                     [...text.matchAll(/\\{(\\w+)\\}/g)].map(it => it[1]).sort().join();
                 return Object.entries(WORDS).flatMap(([language, words]) => [...keys, ...used]
                     .filter(key => !words[key]
                         || typeof words[key] !== typeof WORDS.en[key]
                         || typeof words[key] === 'string'
                             && args(words[key]) !== args(WORDS.en[key]))
                     .map(key => language + ' ' + key));
             })",
        )
        .await;
    assert_eq!(complete, serde_json::json!([]), "words that are missing");
    browser.find("#side-open").await.click().await;
    browser.wait("document.activeElement.id === 'side-close'").await;
    browser.wait("document.querySelector('#side').getAnimations().length === 0").await;
    browser.screenshot("side-320").await;
    browser.find("#room-list a[href='#/@']").await.click().await;
    browser.wait("document.querySelector('#hint h2')").await;
    for language in ["hy", "kk", "ru", "en"] {
        browser.run("document.querySelector('#me-open').click()").await;
        browser.find(&format!("#mine[open] [lang={language}]")).await.click().await;
        browser.wait(&format!("document.documentElement.lang === '{language}'")).await;
        browser.screenshot(&format!("mine-320-{language}")).await;
        let wide = "return Math.max(document.documentElement.scrollWidth, \
                    document.querySelector('#mine').scrollWidth)";
        assert!(browser.run(wide).await.as_u64().unwrap() <= 320, "{language}");
        browser.keys(keys::ESCAPE).await;
        browser.wait("!document.querySelector('#mine').open").await;
        browser.screenshot(&format!("private-320-{language}")).await;
    }
    say(browser, "/hand").await;
    browser.wait("document.querySelector('.message.only')").await;
    browser.run("location.hash = '#/lobby'").await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    browser.screen(1280, 900).await;
}

/// The page finds the bot again after a restart, and shows what it showed.
async fn survives(browser: &Browser, served: Served, folder: &std::path::Path) {
    let port = served.base.rsplit(':').next().unwrap().to_owned();
    let lobby = served.chat("lobby");
    served.stop().await;
    browser.wait("!document.querySelector('#offline').hidden").await;
    browser.screenshot("offline-1280").await;
    let again = Served::start_at(folder, &format!("127.0.0.1:{port}")).await;
    browser.wait("document.querySelector('#offline').hidden").await;
    browser.wait(&move_shown(3)).await;
    for n in 0..150 {
        again.web.post(&lobby, &crate::web_bot::say(&format!("line {n}"))).await.unwrap();
    }
    browser.wait("document.querySelector('#messages').innerText.includes('line 149')").await;
    // A link to a message of long ago loads what lies between.
    browser.open(&format!("{}/#/lobby?m=1", again.base)).await;
    browser.run("location.reload()").await;
    browser.wait("document.activeElement.id === 'm1'").await;
    browser.find("#to-end").await.click().await;
    browser.wait("document.querySelector('#to-end').hidden").await;
    say(browser, "/say we are back").await;
    browser
        .wait(
            "document.querySelector('#messages .message:last-child .text').innerText \
             === 'we are back'",
        )
        .await;
    again.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_tabs_than_a_browser_has_connections_all_live() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let mut tabs = vec![browser.tab().await];
    for n in 0..7 {
        if n > 0 {
            tabs.push(browser.new_tab().await);
        }
        come_in(&browser, &served.base, &format!("Person {n}")).await;
    }
    say(&browser, "hello everybody").await;
    for tab in &tabs {
        browser.switch(tab).await;
        browser
            .wait("document.querySelector('#messages').innerText.includes('hello everybody')")
            .await;
    }
    // The last one asks every second, and loads no file again.
    browser.run(COUNT_FETCHES).await;
    browser.wait("window.polls > 4").await;
    let most = "return Math.max(0, ...Object.values(window.fetched))";
    assert!(browser.run(most).await.as_u64().unwrap() <= 1);
    served.stop().await;
}

/// Counts requests for events, and those for each file.
const COUNT_FETCHES: &str = "const real = window.fetch;
    [window.polls, window.fetched] = [0, {}];
    window.fetch = (...asked) => {
        const path = String(asked[0]);
        if (path.includes('once=1')) window.polls += 1;
        if (/\\/(web|art)\\//.test(path))
            window.fetched[path] = (window.fetched[path] ?? 0) + 1;
        return real(...asked);
    };";

const LOBBY: &str = "document.querySelector('#room-name').textContent === 'lobby'";

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_tab_loses_nobody() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let base = served.base.clone();
    come_in(&browser, &base, "Ann").await;
    say(&browser, "it is me").await;
    browser.wait("document.querySelector('.message.mine:not(.sending)')").await;

    // A new tab goes on as the same person.
    browser.new_tab().await;
    browser.open(&base).await;
    browser.wait(LOBBY).await;
    browser.wait("document.querySelector('.message.mine .text').innerText === 'it is me'").await;

    // Another tab is another person, also after a reload, and the first stays known.
    browser.new_tab().await;
    come_in(&browser, &base, "Bob").await;
    browser.run("location.reload()").await;
    browser.wait("document.querySelector('#messages')?.innerText.includes('it is me')").await;
    let mine = browser.run("return document.querySelectorAll('.message.mine').length").await;
    assert_eq!(mine, 0);
    browser.new_tab().await;
    browser.open(&base).await;
    browser.wait("document.querySelector('.message.mine .text').innerText === 'it is me'").await;
    served.stop().await;
}

/// Where the hand's buttons and picture lie, for each width of the window.
const HAND: &str = ".message.only.picture-message";

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_of_eight_cards_fits_on_phones_and_desks() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let base = served.base.clone();
    come_in(&browser, &base, "Ann").await;
    say(&browser, "/deal one").await;
    browser.wait(&format!("document.querySelectorAll('{HAND} .key').length === 9")).await;
    browser.wait(&format!("document.querySelector('{HAND} .frame').dataset.shown")).await;
    for (width, height) in [(320, 640), (640, 900), (1280, 900)] {
        browser.screen(width, height).await;
        browser.run("document.querySelector('#chat-open[aria-pressed=false]')?.click()").await;
        let fits = format!(
            "(() => {{ const hand = document.querySelector('{HAND}'); hand.scrollIntoView(); \
             const boxes = [...hand.querySelectorAll('.key, img:not(.face), .only-note')] \
             .map(it => it.getBoundingClientRect()); \
             const keys = [...hand.querySelectorAll('.key')].slice(0, 8) \
             .map(it => it.getBoundingClientRect()); \
             const label = it => it.scrollWidth <= it.clientWidth; \
             return boxes.every(it => it.left >= 0 && it.right <= innerWidth && it.width > 0) \
             && keys.every(it => it.width >= 44 && it.height >= 40) \
             && new Set(keys.map(it => Math.round(it.top))).size === 2 \
             && [...hand.querySelectorAll('.key')].every(label) \
             && document.documentElement.scrollWidth <= innerWidth; }})()"
        );
        browser.wait(&fits).await;
        browser.screenshot(&format!("hand-{width}")).await;
    }
    served.stop().await;
}
