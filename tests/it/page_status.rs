//! The text beside a board of the page, in a real browser: it agrees with the board at every
//! moment, and nothing that a player needs has to be scrolled to.

use serde_json::json;

use crate::browser::say;
use crate::page_games::{Page, begin};
use crate::webdriver::Browser;

/// Notes whenever the player whose plate is lit on the board is not the one whom the text names.
/// Looks at every picture that the browser draws.
const COMPARE: &str = "window.wrong = []; window.seen = new Set();
    const look = () => {
        const plate = document.querySelector(
            '#table-board use[href=\"#art-thaayam-seat-turn\"]')?.getBoundingClientRect();
        const inside = ({ left, top, right, bottom }) => plate
            && (left + right) / 2 > plate.left && (left + right) / 2 < plate.right
            && (top + bottom) / 2 > plate.top && (top + bottom) / 2 < plate.bottom;
        const name = [...document.querySelectorAll('#table-board text')]
            .find(it => inside(it.getBoundingClientRect()))?.textContent;
        const says = document.querySelector('#table-text .main')?.textContent;
        if (name) window.seen.add(name);
        if (name && says && !says.includes(name)) window.wrong.push(`${name}: ${says}`);
        requestAnimationFrame(look);
    };
    look();";

/// The first thing that can be done, if there is something: true if it was done.
const ACT: &str = "const it = document.querySelector('#table:not(.moving) .goal')
        ?? [...document.querySelectorAll('#table:not(.moving) .key')]
            .find(it => /^p\\./.test(it.dataset.press) && !it.dataset.press.endsWith('.undo'))
        ?? document.querySelector('#table:not(.moving) .spot:not(.busy)');
    it?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return Boolean(it)";

/// Something can be done.
const READY: &str = "document.querySelector(
    '#table:not(.moving) .spot:not(.busy), #table:not(.moving) .key[data-press^=\"p.\"]')";

#[tokio::test(flavor = "multi_thread")]
async fn text_and_board_name_the_same_player_at_every_moment() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "thaayam", "computer beginner").await;
    browser.wait(READY).await;
    browser.run(COMPARE).await;
    // Until each of the four has had a turn.
    for _ in 0..60 {
        browser.wait(READY).await;
        browser.run(ACT).await;
        if browser.run("return window.seen.size").await == json!(4) {
            break;
        }
    }
    browser.wait(READY).await;
    assert_eq!(browser.run("return window.seen.size").await, json!(4));
    assert_eq!(browser.run("return [...new Set(window.wrong)].join('; ')").await, json!(""));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Texts of the table that scroll, and things to press that are not in sight.
async fn hidden_parts(browser: &Browser) -> String {
    let hidden = "const texts = [...document.querySelectorAll('#table-text, #table-text > div')]
            .filter(it => it.scrollHeight > it.clientHeight + 1)
            .map(it => `${it.className || it.id} scrolls: ${it.innerText}`);
        const outside = [...document.querySelectorAll(
                '#table .picture:not([hidden]), #table .key, #table .spot rect')]
            .map(it => [it.id || it.dataset.label || 'a spot', it.getBoundingClientRect()])
            .filter(([, it]) => it.left < -1 || it.top < -1 || it.right > innerWidth + 1
                || it.bottom > innerHeight + 1)
            .map(([name]) => `${name} is outside`);
        return [...texts, ...outside].join('; ')";
    browser.run(hidden).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_scrolls_on_a_phone_that_lies_on_its_side() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    say(browser, "/pace quick").await;
    browser.screen(844, 390).await;
    for game in ["togyzkumalak", "thaayam", "blot"] {
        browser.run("document.querySelector('#games-open').click()").await;
        begin(browser, game, "computer beginner").await;
        browser.wait("document.querySelector('#table:not([hidden]):not(.waiting)')").await;
        for _ in 0..12 {
            browser.wait(READY).await;
            assert_eq!(hidden_parts(browser).await, "", "{game}");
            browser.run(ACT).await;
        }
        browser.screenshot(&format!("low-{game}")).await;
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// An upright board beside its text in a window that is low as well.
#[tokio::test(flavor = "multi_thread")]
async fn text_and_buttons_are_inside_of_a_small_window() {
    for game in ["togyzkumalak", "thaayam"] {
        let Some(page) = Page::of_ann().await else { return };
        let Page { browser, .. } = &page;
        begin(browser, game, "computer beginner").await;
        browser.wait(READY).await;
        for (width, height) in [(375, 553), (360, 512), (390, 520)] {
            browser.screen(width, height).await;
            browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
            let inside = "[...document.querySelectorAll('#table .key, #table-text')]
                .map(it => it.getBoundingClientRect())
                .every(it => it.width >= 40 && it.left >= -1 && it.right <= innerWidth + 1
                    && it.bottom <= innerHeight + 1)";
            browser.wait(inside).await;
            let wide = "document.querySelector('#table-text').offsetWidth >= 100";
            browser.wait(wide).await;
        }
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cloth_of_thaayam_is_as_wide_as_a_phone() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "thaayam", "computer beginner").await;
    browser.wait(READY).await;
    let width = "document.querySelector('#table-board use[href=\"#art-thaayam-cloth\"]')
        ?.getBoundingClientRect().width";
    browser.wait(&format!("{width} > 360")).await;
    // Its squares are touched where they are drawn.
    let inside = "const cloth = document.querySelector(
            '#table-board use[href=\"#art-thaayam-cloth\"]').getBoundingClientRect();
        return [...document.querySelectorAll('#table .spot rect')].every(it => {
            const { left, right } = it.getBoundingClientRect();
            return left >= cloth.left - 20 && right <= cloth.right + 20;
        })";
    assert_eq!(browser.run(inside).await, json!(true));
    assert_eq!(hidden_parts(browser).await, "");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
