//! The page of a room's admin in a real browser.

use caravanserai_protocol::{Person, PersonKind};

use super::*;
use crate::browser::{come_in, say};
use crate::webdriver::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_closes_a_room_and_mutes_a_person_on_the_page() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    let ann = browser.tab().await;
    come_in(&browser, &served.base, "Ann").await;
    let bob = browser.new_tab().await;
    come_in(&browser, &served.base, "Bob").await;

    browser.switch(&ann).await;
    browser.wait("document.querySelectorAll('#people-open .face').length === 2").await;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelectorAll('#people-list button').length === 2").await;
    browser.screenshot("people-admin").await;
    browser.find("#people-list button[aria-label='Mute: Bob']").await.click().await;
    browser.wait("!document.querySelector('#people').open").await;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelector('#door')?.checkVisibility()").await;
    browser.find("#door").await.click().await;
    browser.wait("!document.querySelector('#people').open").await;

    browser.switch(&bob).await;
    say(&browser, "may I?").await;
    browser
        .wait("document.querySelector('.toast')?.textContent.includes('You can still play')")
        .await;
    // People in a closed room see that it is closed; people with its link can enter.
    browser.find("#people-open").await.click().await;
    browser.wait("!document.querySelector('#room-closed').hidden").await;
    browser.wait("document.querySelector('#door').hidden").await;
    let cem = Someone::arrive(&served, "Cem").await;
    let closed = cem.try_post("rooms", json!({ "name": "lobby" })).await;
    assert_eq!(closed.1["error"], "by_invitation");
    let mine = browser.run("return sessionStorage.getItem('me')").await;
    assert!(mine.as_str().unwrap().contains("token"));

    // Signing out elsewhere keeps this tab in.
    browser.find("#people [data-close]").await.click().await;
    browser.find("#me-open").await.click().await;
    browser.wait("document.querySelector('#sign-out')?.checkVisibility()").await;
    browser.find("#sign-out").await.click().await;
    let before = mine.as_str().unwrap();
    browser.wait_over_reload(&format!("sessionStorage.getItem('me') !== {before:?}")).await;
    browser.wait_over_reload("document.querySelector('#room-name').textContent === 'lobby'").await;
    browser.wait_over_reload("document.querySelector('#offline').hidden").await;
}

/// Holds the answer to leaving a room.
const HOLD_LEAVE: &str = "const real = window.fetch;
    window.fetch = async (...asked) => {
        const answer = await real(...asked);
        if (!String(asked[0]).endsWith('/leave')) return answer;
        await new Promise(done => {
            window.release = done;
            window.isHeld = true;
        });
        return answer;
    };";

#[tokio::test(flavor = "multi_thread")]
async fn the_last_member_of_a_closed_room_is_asked_before_leaving_deletes_it() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    browser.tab().await;
    come_in(&browser, &served.base, "Ann").await;
    browser.run("location.hash = '#/tea'").await;
    browser.wait("document.querySelector('#room-name').textContent === 'tea'").await;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelector('#door')?.checkVisibility()").await;
    browser.find("#door").await.click().await;
    browser.wait("!document.querySelector('#people').open").await;
    browser.find("#people-open").await.click().await;
    browser.wait("!document.querySelector('#room-closed').hidden").await;
    browser.find("#leave").await.click().await;
    browser.wait("document.querySelector('#leave').textContent.includes('deletes the room')").await;
    browser.screenshot("leave-last").await;
    browser.find("#people [data-close]").await.click().await;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelector('#leave').textContent === 'Leave the room'").await;
    browser.find("#leave").await.click().await;
    // Her event is faster than the answer.
    browser.run(HOLD_LEAVE).await;
    browser.find("#leave").await.click().await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    browser.wait("window.isHeld && !document.querySelector('#people').open").await;
    browser.run("window.release()").await;
    say(&browser, "still here").await;
    browser.wait("document.querySelector('#messages').innerText.includes('still here')").await;
    browser.wait("document.querySelector('.message.mine:not(.sending)')").await;
    let left = "return [...document.querySelectorAll('.toast')]
        .filter(it => it.textContent.includes('tea')).length";
    assert!(browser.run(left).await.as_u64().unwrap() <= 1, "the page says it once");
}

/// Replaces the token of the person in the storage of the page, and adds spare ones.
fn with_token(token: &str, spare: &str) -> String {
    format!(
        "for (const it of [sessionStorage, localStorage]) {{
           const me = JSON.parse(it.getItem('me') ?? 'null');
           if (me) it.setItem('me', JSON.stringify({{ ...me, token: {token:?}, spare: {spare} }}));
         }}
         location.reload()"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_is_tried_again_and_its_name_stays() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    browser.tab().await;
    come_in(&browser, &served.base, "Ann").await;
    let me = browser.run("return JSON.parse(sessionStorage.getItem('me')).token").await;
    let token = me.as_str().unwrap().to_owned();
    let unknown = "f".repeat(64);

    // The answer to a request for a new token was lost: the page has both.
    browser.run(&with_token(&unknown, &format!("[{token:?}]"))).await;
    let is_valid = format!("JSON.parse(sessionStorage.getItem('me')).token === {token:?}");
    browser.wait_over_reload(&is_valid).await;
    browser.wait_over_reload("document.querySelector('#room-name').textContent === 'lobby'").await;

    // A server that knows none of them: the name is still offered.
    browser.run(&with_token(&unknown, "[]")).await;
    let offered = "document.querySelector('#welcome').open \
                   && document.querySelector('#continue button')?.textContent.includes('Ann') \
                   && document.querySelector('#welcome-error').textContent.includes('Ann')";
    browser.wait_over_reload(offered).await;
    browser.screenshot("welcome-refused").await;
    // The server knows them again.
    let mended = format!(
        "const left = JSON.parse(localStorage.getItem('left'));
         left[0].token = {token:?};
         localStorage.setItem('left', JSON.stringify(left));
         location.reload()"
    );
    browser.run(&mended).await;
    browser.wait_over_reload("document.querySelector('#continue button')").await;
    browser.find("#continue button").await.click().await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    browser.wait(&is_valid).await;
    browser.wait("JSON.parse(localStorage.getItem('me')).name === 'Ann'").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_person_reads_that_they_are_no_longer_in_the_room() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    let is_in =
        |room: &str| format!("document.querySelector('#room-name').textContent === '{room}'");
    let ann = browser.tab().await;
    come_in(&browser, &served.base, "Ann").await;
    browser.run("location.hash = '#/garden'").await;
    browser.wait(&is_in("garden")).await;
    let bob = browser.new_tab().await;
    come_in(&browser, &served.base, "Bob").await;
    browser.run("location.hash = '#/garden'").await;
    browser.wait(&is_in("garden")).await;
    browser.switch(&ann).await;
    browser.wait("document.querySelectorAll('#people-open .face').length === 2").await;
    browser.find("#people-open").await.click().await;
    browser.find("#people-list button[aria-label='Remove: Bob']").await.click().await;
    browser.switch(&bob).await;
    browser.wait("document.querySelector('.toast')?.textContent.includes('in garden')").await;
    browser.wait(&is_in("lobby")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_of_the_lobby_leads_to_the_private_chat_or_to_another_name() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    browser.tab().await;
    come_in(&browser, &served.base, "Bob").await;
    let me = browser.run("return JSON.parse(sessionStorage.getItem('me')).id").await;
    ann.post("rooms/lobby/people", json!({ "person": me, "act": "remove" })).await;
    let is_private = "document.querySelector('#room-name').textContent === 'Private chat'";
    browser.wait(is_private).await;
    browser.run("location.hash = '#/lobby'").await;
    browser.wait("document.querySelector('#toasts').textContent.includes('removed you')").await;
    browser.wait(is_private).await;

    // A name that looks like another one.
    browser.new_tab().await;
    browser.open(&format!("{}/?new", served.base)).await;
    browser.wait("document.querySelector('#welcome[open] #welcome-name')").await;
    browser.find("#welcome[open] #welcome-name").await.type_in("ann").await;
    browser.keys(crate::webdriver::keys::ENTER).await;
    browser.wait("document.querySelector('#mine').open").await;
    browser.wait("document.querySelector('#mine-error').textContent.includes('same')").await;
    browser.screenshot("name-alike").await;
    browser.run("document.querySelector('#mine-name').value = 'Cem'").await;
    browser.run("document.querySelector('#mine-form [type=submit]').click()").await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_question_for_a_name_stays_until_it_is_answered() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    browser.tab().await;
    browser.open(&format!("{}/?new", served.base)).await;
    let asks = "document.querySelector('#welcome[open] #welcome-name')";
    browser.wait(asks).await;
    for _ in 0..3 {
        browser.keys(crate::webdriver::keys::ESCAPE).await;
        browser.wait(asks).await;
    }
    // So does Back on a phone.
    let closed = "const it = document.querySelector('#welcome'), done = arguments[0];
        it.addEventListener('close', () => setTimeout(() => done(it.open)), { once: true });
        it.close();";
    assert_eq!(browser.ask(closed).await, json!(true));
    browser.find("#welcome[open] #welcome-name").await.type_in("Ann").await;
    browser.keys(crate::webdriver::keys::ENTER).await;
    browser.wait("document.querySelector('#room-name').textContent === 'lobby'").await;
    assert_eq!(browser.run("return document.querySelector('#welcome').open").await, json!(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_survives_a_reload_and_other_rooms_show_your_turn() {
    let Some(browser) = Browser::start().await else { return };
    let (_folder, served) = chat().await;
    browser.tab().await;
    come_in(&browser, &served.base, "Ann").await;
    let typed = "const t = document.querySelector('#text'); t.value = 'half a thought'; \
                 t.dispatchEvent(new Event('input'))";
    browser.run(typed).await;
    browser.run("location.reload()").await;
    browser.wait_over_reload("document.querySelector('#text').value === 'half a thought'").await;

    browser.run("location.hash = '#/other'").await;
    browser.wait("document.querySelector('#room-name').textContent === 'other'").await;
    browser.wait("document.querySelector('#text').value === ''").await;
    let me = browser.run("return JSON.parse(sessionStorage.getItem('me')).id").await;
    let id = PersonId(me.as_str().unwrap().to_owned());
    let ann = Person {
        id: id.clone(),
        name: "Ann".into(),
        username: None,
        locale: None,
        kind: PersonKind::Human,
        admin: false,
    };
    let lobby = served.chat("lobby");
    let said =
        OutgoingMessage { nonce: "b".into(), awaited_person: Some(id), ..board(0, &ann, &[]) };
    let message = served.web.post(&lobby, &said).await.unwrap();
    let marked = "document.querySelector('#room-list .calls')?.textContent === '▶'";
    browser.wait(marked).await;
    browser.wait("document.title.startsWith('▶')").await;
    browser.wait("document.querySelector('#turn-open:not([hidden])').hash === '#/lobby'").await;
    browser.screenshot("your-turn-elsewhere").await;
    let moved = OutgoingMessage { awaited_person: None, ..said };
    served.web.edit(&lobby, &message, &moved).await.unwrap();
    browser.wait("!document.title.startsWith('▶')").await;
    browser.wait("!document.querySelector('#text').hasAttribute('role')").await;
}
