//! Lists of the page that change: what stays in them keeps its element, with its focus, how far it
//! is scrolled and what moves in it. In a real browser.

use serde_json::json;

use crate::browser::{come_in, say};
use crate::page_games::{Page, begin};
use crate::webdriver::Browser;

/// Updates a list in many ways, and returns what was wrong.
const SHUFFLE: &str = "return import('/web/dom.js').then(({ update }) => {
    const box = document.body.appendChild(document.createElement('div')),
        last = box.appendChild(document.createElement('hr')),
        wrong = [];
    const create = name => Object.assign(document.createElement('button'), { textContent: name });
    const every = () => [...box.querySelectorAll('button')];
    let seed = 7;
    const dice = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    for (let round = 0; round < 400; round++) {
        const before = new Map(every().map(it => [it.dataset.key, it]));
        const active = document.activeElement.dataset.key;
        const names = [...'abcdefgh'].filter(() => dice(3)).sort(() => dice(3) - 1);
        update(box, names, it => it, create);
        const shown = every().map(it => it.dataset.key);
        if (shown.join() !== names.join() || box.lastChild !== last) wrong.push(`order ${shown}`);
        if (every().some(it => before.has(it.dataset.key) && before.get(it.dataset.key) !== it))
            wrong.push(`another element in ${shown}`);
        if (names.includes(active) && document.activeElement.dataset.key !== active)
            wrong.push(`${active} has lost the focus in ${shown}`);
        every()[dice(names.length || 1)]?.focus();
    }
    box.remove();
    return wrong;
});";

/// Changes lists, and returns how many elements were put in another place each time.
const MOVES: &str = "return import('/web/dom.js').then(({ update }) =>
    [['abcd', 'bcda'], ['abcd', 'dabc'], ['abcd', 'acbd'], ['abcd', 'abd'], ['abcd', 'abcd'],
        ['abc', 'xabc']].map(([before, after]) => {
        const box = document.createElement('div'), create = () => document.createElement('i');
        update(box, [...before], it => it, create);
        const seen = new MutationObserver(() => {});
        seen.observe(box, { childList: true });
        update(box, [...after], it => it, create);
        return seen.takeRecords().filter(it => it.addedNodes.length).length;
    }));";

#[tokio::test(flavor = "multi_thread")]
async fn list_items_that_stay_keep_their_element_and_focus() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    assert_eq!(browser.run(SHUFFLE).await, json!([]));
    assert_eq!(browser.run(MOVES).await, json!([1, 1, 1, 0, 0, 1]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_animation_and_a_scroll_position_outlive_an_update() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let outlives = "return import('/web/dom.js').then(({ update }) => {
        const box = document.body.appendChild(document.createElement('div'));
        const create = () => {
            const it = document.createElement('p');
            it.style.cssText = 'height: 20px; overflow: auto';
            it.append(document.createElement('div'));
            it.firstChild.style.height = '200px';
            return it;
        };
        update(box, ['a', 'b', 'c'], it => it, create);
        const b = box.children[1], moves = b.animate([{ opacity: 0 }, { opacity: 1 }], 1e6);
        moves.currentTime = 5000;
        b.scrollTop = 50;
        update(box, ['d', 'b', 'c'], it => it, create);
        return [box.children[1] === b, moves.playState, moves.currentTime >= 5000, b.scrollTop];
    });";
    assert_eq!(browser.run(outlives).await, json!([true, "running", true, 50]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_and_buttons_outlive_what_happens_at_the_table() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(1280, 800).await;
    say(browser, "good evening").await;
    browser.wait("document.querySelector('.message.mine:not(.sending)')").await;
    browser.run("window.said = document.querySelector('.message.mine')").await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    let spot = "document.querySelector('#table:not(.moving) .spot')";
    browser.wait(spot).await;
    let keep = "window.menu = [...document.querySelectorAll('#table-keys .key')].at(-1);
        window.says = document.querySelector('#table-text .rest');
        window.room = document.querySelector('#room-list a.current');
        window.menu.focus()";
    browser.run(keep).await;
    let before = browser.run(&format!("return {spot}.dataset.press")).await;
    let play = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    browser.run(&format!("{spot}.{play}")).await;
    browser.wait(&format!("{spot} && {spot}.dataset.press !== {before}")).await;
    let kept =
        "return [window.said, window.menu, window.says, window.room].map(it => it.isConnected)
        .concat(document.activeElement === window.menu)";
    assert_eq!(browser.run(kept).await, json!([true, true, true, true, true]));
    // An open sheet stays open, at the button that has the focus, when its table goes on.
    browser.run("window.menu.click()").await;
    browser.wait("document.querySelector('#note:not([hidden]) .key')").await;
    let focus = "window.inSheet = document.querySelectorAll('#note .key')[1];
        window.inSheet.focus(); void 0";
    browser.run(focus).await;
    say_elsewhere(browser, "a voice from elsewhere").await;
    browser
        .wait("document.querySelector('#messages').innerText.includes('a voice from elsewhere')")
        .await;
    let kept = "return [document.activeElement === window.inSheet, window.said.isConnected]";
    assert_eq!(browser.run(kept).await, json!([true, true]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn suggestions_stay_while_their_command_is_typed() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(1280, 800).await;
    browser.find("#text").await.type_in("/t").await;
    let offer = "[...document.querySelectorAll('#offers li')]
        .find(it => it.querySelector('b').textContent === '/togyz')";
    browser.wait(offer).await;
    browser.wait("document.querySelectorAll('#offers li').length > 4").await;
    browser.run(&format!("window.offer = {offer}")).await;
    browser.find("#text").await.type_in("o").await;
    browser.wait("document.querySelectorAll('#offers li').length <= 4").await;
    let kept = format!("return {offer} === window.offer && window.offer.ariaSelected === 'true'");
    assert_eq!(browser.run(&kept).await, json!(true));
    let names = "return [...document.querySelectorAll('#offers li')].map(it => it.id).join()
        === [...document.querySelectorAll('#offers li')].map((_, n) => `offer${n}`).join()";
    assert_eq!(browser.run(names).await, json!(true));
    browser.run("window.offer.click()").await;
    browser.wait("document.querySelector('#text').value === '/togyz '").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_own_settings_change_their_language_in_place() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.find("#me-open").await.click().await;
    browser.wait("document.querySelectorAll('#mine-settings select').length > 5").await;
    let keep = "const sheet = document.querySelector('#mine');
        document.querySelector('#mine-name').value = 'half a name';
        window.lines = [...document.querySelectorAll('#mine-settings > label')];
        window.english = window.lines.map(it => it.firstChild.textContent);
        window.switch = sheet.querySelector('[lang=ru]');
        window.switch.focus({ preventScroll: true });
        sheet.scrollTop = 100;
        window.top = sheet.scrollTop;
        window.switch.click()";
    browser.run(keep).await;
    browser
        .wait("window.lines.every((it, n) => it.firstChild.textContent !== window.english[n])")
        .await;
    let kept = "return [window.lines.every(it => it.isConnected),
        document.activeElement === window.switch, window.switch.ariaPressed,
        document.querySelector('#mine-name').value]";
    assert_eq!(browser.run(kept).await, json!([true, true, "true", "half a name"]));
    let scrolled = "return document.querySelector('#mine').scrollTop > 0";
    assert_eq!(browser.run(scrolled).await, json!(true));
    // A setting is chosen on the element that was there before.
    let choose = "const it = window.lines.map(it => it.lastChild).find(it => it.name === 'theme');
        document.querySelector('#mine').addEventListener('saved', () => (window.isSaved = true));
        it.value = 'night'; it.dispatchEvent(new Event('change'))";
    browser.run(choose).await;
    browser.wait("window.isSaved").await;
    let saved = "const { token } = JSON.parse(sessionStorage.getItem('me'));
        void fetch('/api/settings', { headers: { authorization: `Bearer ${token}` } })
            .then(it => it.json())
            .then(it => arguments[0](it.settings.find(it => it.code === 'theme').value))";
    assert_eq!(browser.ask(saved).await, json!("night"));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_open_list_of_people_follows_who_comes() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.switch(ann).await;
    browser.find("#people-open").await.click().await;
    let count = "document.querySelectorAll('#people-list li').length";
    browser.wait(&format!("{count} === 2")).await;
    let keep = "const list = document.querySelector('#people-list');
        list.style.maxHeight = '50px';
        window.lines = [...list.children];
        window.mute = list.querySelector('button[aria-label=\"Mute: Bek\"]');
        window.mute.focus({ preventScroll: true });
        list.scrollTop = 20; void 0";
    browser.run(keep).await;
    browser.new_tab().await;
    come_in(browser, &program.base, "Cyd").await;
    browser.switch(ann).await;
    browser.wait(&format!("{count} === 3")).await;
    let kept = "return [window.lines.every(it => it.isConnected),
        document.activeElement === window.mute, document.querySelector('#people-list').scrollTop]";
    assert_eq!(browser.run(kept).await, json!([true, true, 20]));
    browser.run("window.mute.click()").await;
    browser.wait("!document.querySelector('#people').open").await;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelector('#people-list').innerText.includes('muted')").await;
    assert_eq!(browser.run("return window.mute.ariaLabel").await, json!("Unmute: Bek"));
    // The list of a room that was left is no longer shown.
    browser.run("document.querySelector('#leave').click()").await;
    browser.wait("!document.querySelector('#people').open").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_being_typed_outlives_another_language() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, .. } = &page;
    browser.new_tab().await;
    browser.open(&format!("{}/?new", program.base)).await;
    browser.find("#welcome[open] #welcome-name").await.type_in("Be").await;
    let keep = "window.go = document.querySelector('#continue button');
        window.english = window.go.innerText;
        window.switch = document.querySelector('#welcome [lang=kk]');
        window.switch.focus();
        window.switch.click()";
    browser.run(keep).await;
    browser.wait("window.go.innerText !== window.english").await;
    let kept = "return [window.go.isConnected, document.activeElement === window.switch,
        document.querySelector('#welcome-name').value]";
    assert_eq!(browser.run(kept).await, json!([true, true, "Be"]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Says something as another device of the same person does, without the line of this page.
async fn say_elsewhere(browser: &Browser, text: &str) {
    let text = json!(text);
    let send = format!(
        "const {{ token }} = JSON.parse(sessionStorage.getItem('me'));
         const authorization = `Bearer ${{token}}`;
         const headers = {{ 'content-type': 'application/json', authorization }};
         const body = JSON.stringify({{ text: {text}, key: 'elsewhere' }});
         void fetch('/api/rooms/lobby/messages', {{ method: 'POST', headers, body }});"
    );
    browser.run(&send).await;
}
