//! Links of the page in a real browser, also those to the address that is open already, and where
//! the focus goes after them.

use serde_json::json;

use crate::browser::say;
use crate::page_games::{Page, begin};
use crate::whole_game_browser::board_says;

/// The first table in the list of own tables.
const OWN: &str = "document.querySelector('#own-tables a')";

/// The code of the table on the board.
const CODE: &str = "([...document.querySelectorAll('#table-keys .key')]
    .map(it => it.dataset.press.split('.')[1]).find(it => it) ?? '')";

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_the_own_table_shows_its_board_again() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    browser.wait(OWN).await;
    browser.run("window.stays = true").await;
    let follow = format!("{OWN}.click()");
    browser.run(&follow).await;
    browser.wait("location.hash.startsWith('#/lobby/t/')").await;
    // From the games.
    browser.find("#games-open").await.click().await;
    browser.wait("document.querySelector('#games:not([hidden])')").await;
    browser.run(&follow).await;
    browser.wait("document.querySelector('#games').hidden").await;
    // From the settings over the viewer.
    browser.find("#viewer-open").await.click().await;
    browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    browser.run("document.querySelector('#me-open').click()").await;
    browser.wait("document.querySelector('#mine').open && history.state?.isOverlay").await;
    browser.run(&follow).await;
    browser.wait("document.querySelector('#viewer').hidden").await;
    browser.wait("!document.querySelector('#mine').open").await;
    browser.wait("document.querySelector('#table').offsetHeight").await;
    // Back leads to the address before, past the entry of what is closed.
    browser.run("history.back()").await;
    browser.wait("!location.hash.includes('/t/')").await;
    let kept = browser.run("return [window.stays, location.search]").await;
    assert_eq!(kept, json!([true, "?new"]), "the page was not loaded again");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_the_own_table_leaves_the_viewer() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    browser.wait(OWN).await;
    browser.run("location.hash = '#/lobby'").await;
    browser.find("#viewer-open").await.click().await;
    browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    browser.wait("history.state?.isOverlay").await;
    browser.run(&format!("{OWN}.click()")).await;
    browser.wait("document.querySelector('#viewer').hidden").await;
    browser.wait("document.querySelector('#table').offsetHeight").await;
    browser.run("history.back()").await;
    browser.wait("location.hash === '#/lobby'").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_message_finds_it_twice() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    say(browser, "good evening").await;
    browser.wait("document.querySelector('.message.mine:not(.sending)')").await;
    let id = browser.run("return document.querySelector('.message.mine').dataset.id").await;
    let id = id.as_str().unwrap();
    say(browser, &format!("see /#/lobby?m={id}")).await;
    let link = "document.querySelector('.message.mine .text a')";
    browser.wait(link).await;
    for _ in 0..2 {
        browser.run("document.querySelector('#text').focus()").await;
        browser.run(&format!("{link}.click()")).await;
        browser.wait(&format!("document.activeElement.id === 'm{id}'")).await;
    }
    assert_eq!(browser.run("return location.search").await, json!("?new"));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_rooms_gives_the_focus_back() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    browser.wait(OWN).await;
    let open = "document.querySelector('#side-open').click()";
    browser.run(open).await;
    browser.wait("document.activeElement.id === 'side-close'").await;
    browser.run("document.querySelector('#side-close').click()").await;
    browser.wait("document.activeElement.id === 'side-open'").await;
    browser.run(open).await;
    browser.run(&format!("{OWN}.click()")).await;
    browser.wait("document.activeElement.id === 'table'").await;
    browser.wait("!document.body.classList.contains('side-open')").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_own_table_that_waits_is_one_press_away() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    board_says(browser, "Ann is to move").await;
    let first = browser.run(&format!("return {CODE}")).await;
    let open = "document.querySelector('#turn-open:not([hidden])')";
    // The table on the board needs no link.
    browser.wait("document.querySelector('#own-tables .yours')").await;
    assert_eq!(browser.run(&format!("return {open}")).await, json!(null));
    say(browser, "/togyz computer beginner").await;
    browser.wait(&format!("{CODE} && {CODE} !== {first}")).await;
    board_says(browser, "Ann is to move").await;
    let second = browser.run(&format!("return {CODE}")).await;
    browser.wait(&format!("{open}?.hash === '#/lobby/t/' + {first}")).await;
    browser.wait("document.title.startsWith('▶')").await;
    browser.find("#turn-open").await.click().await;
    browser.wait(&format!("{CODE} === {first}")).await;
    browser.wait(&format!("{open}?.hash === '#/lobby/t/' + {second}")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
