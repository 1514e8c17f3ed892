//! A lesson on the page is seen as a whole: its question and its buttons beside or below the
//! picture, without scrolling.

use serde_json::json;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::webdriver::Browser;
use crate::whole_game_browser::Program;

/// The newest card of this person.
const CARD: &str = "[...document.querySelectorAll('.message.only')].at(-1)";
/// A desk and a phone.
const SCREENS: [(u32, u32); 2] = [(1280, 800), (400, 800)];
/// More pages than any course has.
const PAGES_MAX: usize = 40;

async fn is_seen(browser: &Browser, name: &str) {
    for (width, height) in SCREENS {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width}")).await;
        browser.run("const log = document.querySelector('#log'); log.scrollTop = 1e6;").await;
        let outside = format!(
            "const log = document.querySelector('#log').getBoundingClientRect();
             const parts = [...({CARD}).querySelectorAll('.text, .key')];
             return parts.map(it => it.getBoundingClientRect())
                 .filter(it => it.bottom > log.bottom + 1 || it.top < log.top - 1).length"
        );
        assert_eq!(browser.run(&outside).await, json!(0), "{name} at {width}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_and_buttons_of_every_lesson_are_seen_without_scrolling() {
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
                "(card => card.querySelector('.text').innerText !== {text}
                    && card.querySelector('.frame').dataset.shown
                        === card.querySelector('.frame').dataset.src)({CARD})"
            );
            browser.wait(&come).await;
            is_seen(&browser, &format!("{game} {page}")).await;
            browser.screen(1280, 800).await;
            text = browser.run(&format!("return ({CARD}).querySelector('.text').innerText")).await;
            let next = format!(
                "const all = [...({CARD}).querySelectorAll('.key')];
                 const next = all.find(it => it.dataset.label.includes('▸'));
                 next?.click(); return next !== undefined"
            );
            if browser.run(&next).await == json!(false) {
                break;
            }
        }
    }
}
