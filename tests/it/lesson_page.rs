//! Lessons on the page: board, question and buttons fit without scrolling, and areas of the board
//! that can be touched respond.

use serde_json::json;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_games::{Page, begin};
use crate::page_program::Program;
use crate::webdriver::Browser;

/// A desk, a phone, and the same across.
const SCREENS: [(u32, u32); 3] = [(1280, 800), (390, 844), (844, 390)];
/// More pages than any course has.
const PAGES_MAX: usize = 40;

/// What a page says, once its board is drawn.
const SAID: &str =
    "(document.querySelector('#viewer:not([hidden]) #viewer-text')?.textContent ?? '')";

async fn is_seen(browser: &Browser, name: &str) {
    for (width, height) in SCREENS {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
        let outside = "return [...document.querySelectorAll(
                '#viewer-board, #viewer-text, #viewer-keys .key, #viewer-close')]
            .filter(it => {
                const { left, top, right, bottom, height } = it.getBoundingClientRect();
                return left < -1 || top < -1 || right > innerWidth + 1
                    || bottom > innerHeight + 1 || height < 20;
            }).map(it => `${it.id} ${it.dataset.label}`).join()";
        assert_eq!(browser.run(outside).await, json!(""), "{name} at {width}");
        let board = "return document.querySelector('#viewer-board').getBoundingClientRect().height";
        let high = browser.run(board).await.as_f64().unwrap();
        assert!(high > 120.0, "{name} at {width}: a board {high} high");
    }
}

/// Touches something and waits for what it brings.
async fn touched(browser: &Browser, element: &str) {
    let before = browser.run(&format!("return {SAID}")).await;
    browser.tap(element).await;
    browser.wait(&format!("{SAID} !== {before}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_lesson_is_seen_as_a_whole_on_every_screen() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    for game in ["togyz", "thaayam", "blot"] {
        browser.screen(1280, 800).await;
        say(&browser, &format!("/rules {game}")).await;
        let mut text = json!("");
        for page in 1..PAGES_MAX {
            let come = format!(
                "{SAID} !== {text} && document.querySelectorAll('#viewer-board use').length"
            );
            browser.wait(&come).await;
            is_seen(&browser, &format!("{game} {page}")).await;
            browser.screen(1280, 800).await;
            text = browser.run(&format!("return {SAID}")).await;
            let next = "const all = [...document.querySelectorAll('#viewer-keys .key')];
                 const next = all.find(it => it.dataset.label.includes('▸'));
                 next?.click(); return next !== undefined";
            if browser.run(next).await == json!(false) {
                break;
            }
        }
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_and_moves_tried_by_touching_the_board() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    for (n, (width, height)) in SCREENS.into_iter().enumerate() {
        browser.screen(1280, 800).await;
        say(&browser, "/rules togyz").await;
        browser.wait(&format!("{SAID}.includes('1 of')")).await;
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
        let next = "[...document.querySelectorAll('#viewer-keys .key')]
            .find(it => it.dataset.label.includes('▸'))";
        // Past the numbers of pits to the sowing.
        touched(&browser, next).await;
        touched(&browser, next).await;
        // Where the last stone falls: three pits that can be touched, one of which is right.
        let spots = "document.querySelectorAll('#viewer-board .spot').length";
        browser.wait(&format!("{spots} === 3")).await;
        let mut tries = 0;
        while browser.run(&format!("return {SAID}.includes('✅')")).await == json!(false) {
            assert!(tries < 3, "one of them is right");
            browser.wait(&format!("{spots} === 3")).await;
            let spot = format!("document.querySelectorAll('#viewer-board .spot')[{tries}]");
            touched(&browser, &spot).await;
            tries += 1;
        }
        browser.wait(&format!("{spots} === 0")).await;
        while browser.run(&format!("return {SAID}.includes('👆')")).await == json!(false) {
            touched(&browser, next).await;
        }
        browser.screenshot(&format!("lesson-try-{width}")).await;
        let board =
            browser.run("return document.querySelector('#viewer-board svg').outerHTML").await;
        touched(&browser, "document.querySelectorAll('#viewer-board .spot')[6]").await;
        browser
            .wait(&format!("document.querySelector('#viewer-board svg').outerHTML !== {board}"))
            .await;
        browser.screenshot(&format!("lesson-tried-{width}")).await;
        browser.tap("document.querySelector('#viewer-close')").await;
        browser.wait("document.querySelector('#viewer').hidden").await;
        let cards = "return document.querySelectorAll('.message.only').length";
        assert_eq!(browser.run(cards).await, json!(n + 1), "the card stays in the chat");
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Ann has just pressed a button when another person opens a table.
#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_stays_open_while_others_open_tables() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.switch(ann).await;
    say(browser, "/rules togyz").await;
    browser.wait(&format!("{SAID}.includes('1 of')")).await;
    // However long it takes until the table comes.
    browser.run("const now = performance.now(); performance.now = () => now").await;
    let next = "[...document.querySelectorAll('#viewer-keys .key')]
        .find(it => it.dataset.label.includes('▸'))";
    touched(browser, next).await;
    browser.switch(&bek).await;
    say(browser, "/togyz").await;
    browser.switch(ann).await;
    browser.wait("document.querySelector('.message.bot:not(.only) .key')").await;
    let is_open = "return !document.querySelector('#viewer').hidden";
    assert_eq!(browser.run(is_open).await, json!(true));
    // Her own table closes it.
    say(browser, "/togyz").await;
    browser.wait("document.querySelector('#viewer').hidden").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lessons_and_replays_have_the_upright_board_on_a_phone() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let is_upright = |yes: bool| {
        format!(
            "(() => {{
                const it = document.querySelector('#viewer:not([hidden]) #viewer-board svg');
                const {{ width, height }} = it?.viewBox.baseVal ?? {{}};
                return document.querySelectorAll('#viewer-board use').length > 9
                    && (width < height) === {yes};
            }})()"
        )
    };
    browser.screen(390, 844).await;
    say(browser, "/rules togyz").await;
    browser.wait(&is_upright(true)).await;
    browser.screenshot("lesson-upright").await;
    // Spots are where they are seen: inside the picture.
    let next = "[...document.querySelectorAll('#viewer-keys .key')]
        .find(it => it.dataset.label.includes('▸'))";
    touched(browser, next).await;
    touched(browser, next).await;
    browser.wait("document.querySelectorAll('#viewer-board .spot').length === 3").await;
    let outside = "return [...document.querySelectorAll('#viewer-board .spot rect')].filter(it => {
        const box = it.getBoundingClientRect(),
            ground = document.querySelector('#viewer-board .background-layer rect'),
            board = ground.getBoundingClientRect();
        return box.left < board.left || box.right > board.right
            || box.top < board.top || box.bottom > board.bottom;
    }).length";
    assert_eq!(browser.run(outside).await, json!(0));
    browser.screen(844, 390).await;
    browser.wait(&is_upright(false)).await;
    browser.screen(390, 844).await;
    browser.wait(&is_upright(true)).await;
    browser.tap("document.querySelector('#viewer-close')").await;
    browser.run("document.querySelector('#games-open').click()").await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelector('#table:not(.moving) .spot')").await;
    browser.tap("document.querySelector('#viewer-open')").await;
    browser.wait(&is_upright(true)).await;
    browser.screenshot("replay-upright").await;
    browser.screen(844, 390).await;
    browser.wait(&is_upright(false)).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
