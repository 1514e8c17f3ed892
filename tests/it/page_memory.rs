//! What the page keeps of a person and a room: tokens, the language, the place where they read, and
//! what it says of a name and an invitation. In a real browser.

use serde_json::json;

use crate::page_changes::open_settings;
use crate::page_games::Page;
use crate::webdriver::Browser;

/// Loads the page again, until this is so.
async fn reload_until(browser: &Browser, wanted: &str) {
    browser.run("window.isOld = true; location.reload()").await;
    browser.wait_over_reload(&format!("!window.isOld && ({wanted})")).await;
}

/// Another person, who uses the API: `window.post` sends their requests.
async fn add_person(browser: &Browser, name: &str) {
    let arrive = format!(
        "window.post = async (path, body, token) => {{
             const headers = {{ 'Content-Type': 'application/json' }};
             if (token) headers.Authorization = `Bearer ${{token}}`;
             const asked = {{ method: 'POST', headers, body: JSON.stringify(body) }};
             const answer = await fetch(path, asked);
             if (!answer.ok) throw new Error(`${{path}}: ${{answer.status}}`);
             return answer.json();
         }};
         return post('/api/people', {{ name: '{name}' }}).then(it => {{
             window.asOther = (path, body) => post(path, body, it.token);
             return asOther('/api/rooms', {{ name: 'side' }});
         }}).then(it => it.room)"
    );
    assert_eq!(browser.run(&arrive).await, json!("side"));
}

async fn is_in(browser: &Browser, room: &str) {
    browser.wait(&format!("document.querySelector('#room-name').textContent === '{room}'")).await;
}

/// The browser remembers Bob, and offers Ann beside him.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_the_browser_offers_stays_valid_after_its_token_was_renewed() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, .. } = &page;
    let keep = "localStorage.setItem('left', `[${sessionStorage.getItem('me')}]`);
        localStorage.setItem('me', JSON.stringify({ id: 'web:bob', name: 'Bob', token: 'x' }))";
    browser.run(keep).await;
    open_settings(browser).await;
    browser.run("window.isOld = true; document.querySelector('#sign-out').click()").await;
    let me = "document.querySelector('#me-name').textContent === 'Ann'";
    browser.wait_over_reload(&format!("!window.isOld && {me}")).await;
    // Nothing else has her token.
    browser.run("sessionStorage.clear()").await;
    browser.open(&format!("{}?new", program.base)).await;
    let offered = "[...document.querySelectorAll('#welcome[open] #continue button')]";
    browser.wait_over_reload(&format!("{offered}.length === 2")).await;
    browser.run(&format!("{offered}[1].click()")).await;
    browser.wait(me).await;
    is_in(browser, "lobby").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Lets no change of a person reach the server, and notes them in `window.changes`.
const NO_CHANGES: &str = "window.changes = [];
    const real = window.fetch;
    window.fetch = (...asked) => {
        if (asked[0] !== '/api/me' || asked[1]?.method !== 'POST') return real(...asked);
        window.changes.push(JSON.parse(asked[1].body));
        return Promise.reject(new TypeError('cut'));
    };";

/// The language that the bot knows.
const KNOWN: &str = "const { token } = JSON.parse(sessionStorage.getItem('me'));
    return fetch('/api/me', { headers: { Authorization: `Bearer ${token}` } })
        .then(it => it.json()).then(it => it.locale)";

#[tokio::test(flavor = "multi_thread")]
async fn the_bot_speaks_the_language_that_its_person_has_chosen() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    // Somebody else has chosen a language in this browser; Ann saves her name.
    browser.run("localStorage.setItem('language', 'hy')").await;
    open_settings(browser).await;
    browser.run("document.querySelector('#mine-form [type=submit]').click()").await;
    browser.wait("!document.querySelector('#mine').open").await;
    assert_eq!(browser.run(KNOWN).await, json!("en"));
    // Her own choice does not arrive, and is sent when the page is loaded again.
    open_settings(browser).await;
    browser.run(NO_CHANGES).await;
    browser.find("#mine [lang=ru]").await.click().await;
    browser.wait("document.documentElement.lang === 'ru'").await;
    assert_eq!(browser.run("return window.changes").await, json!([{ "locale": "ru" }]));
    assert_eq!(browser.run(KNOWN).await, json!("en"));
    reload_until(browser, "localStorage.getItem('unsent-language') === null").await;
    assert_eq!(browser.run(KNOWN).await, json!("ru"));
    // Without a choice in the browser the page speaks as the bot does.
    browser.run("localStorage.removeItem('language')").await;
    reload_until(browser, "document.documentElement.lang === 'ru'").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_board_is_no_answer_to_the_question_for_another_name() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    add_person(browser, "ANN").await;
    browser.run("location.hash = '#/side'").await;
    browser.wait("document.querySelector('#mine[open] #mine-error').textContent !== ''").await;
    let choose = "const it = document.querySelector('#mine-settings select');
        it.selectedIndex = (it.selectedIndex + 1) % it.options.length;
        document.addEventListener('saved', () => (window.isSaved = true), { once: true });
        it.dispatchEvent(new Event('change'))";
    browser.wait("document.querySelector('#mine-settings select')").await;
    browser.run(choose).await;
    browser.wait("window.isSaved").await;
    browser.run("document.querySelector('#mine [data-close]').click()").await;
    browser.wait("location.hash === '#/@' && !document.querySelector('#mine').open").await;
    // Another name is one.
    browser.run("location.hash = '#/side'").await;
    browser.wait("document.querySelector('#mine[open] #mine-error').textContent !== ''").await;
    browser.run("document.querySelector('#mine-name').value = 'Anahit'").await;
    browser.run("document.querySelector('#mine-form [type=submit]').click()").await;
    is_in(browser, "side").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_of_a_closed_room_is_not_offered_a_link_that_opens_nothing() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    add_person(browser, "Bek").await;
    let close = "return asOther('/api/rooms/side/door', { closed: true }).then(it => it.invite)";
    let invite = browser.run(close).await;
    browser.run(&format!("location.hash = '#/side?i=' + {invite}")).await;
    is_in(browser, "side").await;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelector('#people').open").await;
    let offers = "return [document.querySelector('#room-closed').textContent,
        document.querySelector('#copy-link').hidden]";
    let member = "The room is invite-only: only its admin can copy the invitation.";
    assert_eq!(browser.run(offers).await, json!([member, true]));
    browser.run("document.querySelector('#people [data-close]').click()").await;
    // Ann is the admin of the lobby.
    browser.run("location.hash = '#/lobby'").await;
    is_in(browser, "lobby").await;
    browser.find("#people-open").await.click().await;
    browser.find("#people[open] #door").await.click().await;
    browser.wait("!document.querySelector('#people').open").await;
    browser.find("#people-open").await.click().await;
    browser.wait("!document.querySelector('#room-closed').hidden").await;
    let admin = "The room is invite-only: its link is the invitation.";
    assert_eq!(browser.run(offers).await, json!([admin, false]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_is_found_again_where_its_reader_has_left_it() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    add_person(browser, "Bek").await;
    browser.run("return asOther('/api/rooms', { name: 'lobby' })").await;
    let is_noted = "performance.getEntriesByType('resource')
        .some(it => it.name.endsWith('/reading-place.js'))";
    browser.wait(is_noted).await;
    let write = |from: u32, to: u32| {
        format!(
            "const tail = '\\nand more'.repeat(9);
             return (async () => {{
                 for (let n = {from}; n <= {to}; n++)
                     await asOther('/api/rooms/lobby/messages',
                         {{ text: `line ${{n}}${{tail}}`, key: `line${{n}}` }});
             }})()"
        )
    };
    browser.run(&write(1, 8)).await;
    browser.wait("document.querySelector('#messages').innerText.includes('line 8')").await;
    let read = "const line = [...document.querySelectorAll('.message')]
            .find(it => it.innerText.includes('line 4'));
        window.line = line.id;
        document.querySelector('#log').scrollTop += line.getBoundingClientRect().top + 4
            - document.querySelector('#log').getBoundingClientRect().top;";
    browser.run(read).await;
    browser.wait("!document.querySelector('#to-end').hidden").await;
    browser.run("location.hash = '#/side'").await;
    is_in(browser, "side").await;
    browser.wait("document.querySelector('#to-end').hidden").await;
    browser.run(&write(9, 9)).await;
    browser.run("location.hash = '#/lobby'").await;
    is_in(browser, "lobby").await;
    let place = "Math.abs(document.getElementById(window.line).getBoundingClientRect().top
        - document.querySelector('#log').getBoundingClientRect().top) < 20";
    browser.wait(place).await;
    // What was written meanwhile is not read yet.
    browser.wait("document.querySelector('#to-end:not([hidden])').textContent.includes('1')").await;
    browser.find("#to-end").await.click().await;
    browser.wait("document.querySelector('#to-end').hidden").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
