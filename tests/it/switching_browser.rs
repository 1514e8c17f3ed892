//! Switching in a real browser: between rooms, between names, between two people of the same name.

use caravanserai_webchat::WebchatLimits;
use serde_json::json;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_program::Program;
use crate::viewer_browser::Others;
use crate::web_bot::Served;
use crate::webdriver::{Browser, keys};

/// The code of the table that the buttons of the board belong to.
const CODE: &str = "([...document.querySelectorAll('#table-keys .key')]
    .map(it => it.dataset.press.split('.')[1]).find(it => it) ?? '')";

async fn goes_to(browser: &Browser, room: &str) {
    browser.run(&format!("location.hash = '#/{room}'")).await;
    browser.wait(&format!("document.querySelector('#room-name').textContent === '{room}'")).await;
    browser.wait("document.querySelector('#text').value === ''").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_comes_late_is_not_shown_in_another_room() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    say(&browser, "/togyz computer beginner").await;
    browser.wait(&format!("{CODE} !== ''")).await;
    let code = browser.run(&format!("return {CODE}")).await;
    // The drawings of the other game take their time.
    let hold = "const real = window.fetch;
        let free;
        const held = new Promise(done => { free = done; });
        window.release = free;
        window.fetch = async (...asked) => {
            if (String(asked[0]).includes('/art/')) {
                window.holds = true;
                await held;
            }
            return real(...asked);
        };";
    goes_to(&browser, "side").await;
    browser.run(hold).await;
    say(&browser, "/thaayam computer beginner").await;
    browser.wait("window.holds").await;
    goes_to(&browser, "lobby").await;
    browser.run("window.release()").await;
    let shown =
        format!("{CODE} === {code} && document.querySelectorAll('#table-board .sheet').length > 0");
    browser.wait(&shown).await;
    // It is still so when nothing moves any more.
    browser.wait("!document.querySelector('#table').classList.contains('moving')").await;
    assert_eq!(browser.run(&format!("return {CODE}")).await, code);
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_was_left_in_a_tab_is_offered_again() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let base = served.base.clone();
    // Ann is remembered by the browser, Bob only by his tab.
    come_in(&browser, &base, "Ann").await;
    browser.new_tab().await;
    come_in(&browser, &base, "Bob").await;
    say(&browser, "it is me").await;
    browser.wait("document.querySelector('.message.mine:not(.sending)')").await;
    browser.find("#me-open").await.click().await;
    browser.find("#mine[open] #other").await.click().await;
    let offered = "[...document.querySelectorAll('#welcome[open] #continue b')]
        .map(it => it.textContent).join()";
    browser.wait_over_reload(&format!("{offered} === 'Ann,Bob'")).await;
    browser.screenshot("welcome-left").await;
    browser.find("#welcome-name").await.type_in("Cyd").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    browser.wait("document.querySelectorAll('.message').length === 1").await;
    assert_eq!(browser.run("return document.querySelectorAll('.mine').length").await, json!(0));
    browser.find("#me-open").await.click().await;
    browser.find("#mine[open] #other").await.click().await;
    browser.wait_over_reload(&format!("{offered} === 'Ann,Cyd,Bob'")).await;
    browser.run("document.querySelectorAll('#continue button')[2].click()").await;
    browser.wait("document.querySelector('.message.mine .text')?.innerText === 'it is me'").await;
    // The browser still remembers Ann, and nobody else.
    let kept = browser.run("return JSON.parse(localStorage.getItem('me')).name").await;
    assert_eq!(kept, json!("Ann"));
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mention_names_the_chosen_one_of_two_people_with_one_name() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    let mut others = Others::new(&browser, &program.base, &["Bob", "Bob"]).await;
    others.says(1, "I am the older one").await;
    others.says(2, "and I am the younger one").await;
    browser.wait("document.querySelectorAll('.message').length >= 2").await;
    let line = browser.find("#text").await;
    let names = "[...document.querySelectorAll('#offers li')]";
    let choose = async |n: usize| {
        browser.find("#text").await.type_in("@bo").await;
        browser.wait(&format!("{names}.length === 2")).await;
        let told = browser.run(&format!("return {names}.map(it => it.textContent)")).await;
        assert_ne!(told[0], told[1], "they can be told apart");
        assert!(told[1].as_str().unwrap().contains("the younger one"), "{told}");
        browser.run(&format!("{names}[{n}].click()")).await;
        browser.wait("document.querySelector('#text').value.endsWith('@Bob ')").await;
    };
    choose(0).await;
    // In another room and back: the draft keeps who was chosen.
    goes_elsewhere_and_back(&browser).await;
    line.type_in(&keys::BACKSPACE.repeat(5)).await;
    browser.wait("document.querySelector('#text').value === ''").await;
    choose(1).await;
    goes_elsewhere_and_back(&browser).await;
    browser.find("#text").await.type_in("hello").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('.message.mine:not(.sending) .mention')").await;
    let page = others.state(0, "rooms/lobby?limit=60").await;
    let bobs: Vec<&str> = page["people"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["name"] == "Bob")
        .map(|it| it["id"].as_str().unwrap().trim_start_matches("web:"))
        .collect();
    let last = page["messages"].as_array().unwrap().last().unwrap();
    let named: Vec<&str> = last["spans"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["person"].as_str())
        .map(|it| it.trim_start_matches("web:"))
        .collect();
    assert_eq!(named, [bobs[1]], "{last}");
}

async fn goes_elsewhere_and_back(browser: &Browser) {
    goes_to(browser, "side").await;
    browser.run("location.hash = '#/lobby'").await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    browser.wait("document.querySelector('#text').value === '@Bob '").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_was_left_in_another_tab_has_no_old_messages() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let first = browser.tab().await;
    come_in(&browser, &program.base, "Ann").await;
    goes_to(&browser, "garden").await;
    say(&browser, "old words").await;
    browser.wait("document.querySelector('.message.mine:not(.sending)')").await;
    // She is alone there, and only people with the link may enter: it is deleted when she leaves.
    browser.find("#people-open").await.click().await;
    browser.find("#people[open] #door").await.click().await;
    browser.wait("!document.querySelector('#people').open").await;
    goes_to(&browser, "lobby").await;
    browser.new_tab().await;
    browser.open(&format!("{}/#/garden", program.base)).await;
    browser.wait("document.querySelector('#messages')?.innerText.includes('old words')").await;
    browser.find("#people-open").await.click().await;
    browser.wait("!document.querySelector('#room-closed').hidden").await;
    browser.find("#people[open] #leave").await.click().await;
    browser.find("#people[open] #leave").await.click().await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;

    browser.switch(&first).await;
    browser.wait("!document.querySelector('#room-list').textContent.includes('garden')").await;
    goes_to(&browser, "garden").await;
    let words = browser.run("return document.querySelector('#messages').textContent").await;
    assert!(!words.as_str().unwrap().contains("old words"), "{words}");
}
