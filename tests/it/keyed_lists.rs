//! Lists of the page that change: what stays in them keeps its element, with its focus, how far it
//! is scrolled and what moves in it. In a real browser.

use serde_json::json;

use crate::browser::say;
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
async fn what_stays_in_a_list_keeps_its_element_and_its_focus() {
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
        window.says = document.querySelector('#table-says .rest');
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
