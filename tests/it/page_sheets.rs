//! Sheets, dialogs and the chat over the board of the page, in a real browser.

use serde_json::json;

use crate::browser::{come_in, say};
use crate::page_games::{Page, begin};
use crate::webdriver::{Browser, keys};

const SHEET: &str = "document.querySelector('#note:not([hidden]) .key')";
const NO_SHEET_YET: &str = "(document.querySelector('#note')?.hidden ?? true)";
const NO_SHEET: &str = "document.querySelector('#note').hidden";

/// A button of the table by a part of its label.
fn table_key(label: &str) -> String {
    format!(
        "[...document.querySelectorAll('#table-keys .key')] \
             .find(it => it.dataset.label.includes({}))",
        json!(label)
    )
}

/// A button of the sheet over the board.
fn sheet_key(label: &str) -> String {
    table_key(label).replace("#table-keys", "#note")
}

async fn press(browser: &Browser, key: &str) {
    browser.wait(key).await;
    browser.run(&format!("{key}.click()")).await;
}

/// Makes the first move that the page in this tab offers, once it is the turn of its person.
async fn play_in(browser: &Browser, tab: &str) {
    browser.switch(tab).await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    let play = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    browser.run(&format!("document.querySelector('#table .spot').{play}")).await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length === 0").await;
}

async fn board_size(browser: &Browser) -> Vec<f64> {
    let drawn = "const done = arguments[0]; \
                 requestAnimationFrame(() => requestAnimationFrame(() => done(true)))";
    browser.ask(drawn).await;
    let size = "const box = document.querySelector('#table-board').getBoundingClientRect(); \
                return [box.left, box.top, box.width, box.height]";
    serde_json::from_value(browser.run(size).await).expect("four numbers")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_never_changes_the_size_of_the_board() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    for (width, height) in [(390, 844), (844, 390), (1280, 800)] {
        browser.screen(width, height).await;
        browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
        let before = board_size(browser).await;
        let menu = "[...document.querySelectorAll('#table-keys .key')].at(-1)";
        browser.tap(menu).await;
        browser.wait(SHEET).await;
        browser.screenshot(&format!("sheet-{width}")).await;
        let after = board_size(browser).await;
        // Rounded numbers would differ where half a pixel is at their border.
        let is_same = before.iter().zip(&after).all(|(one, other)| (one - other).abs() < 1.0);
        assert!(is_same, "{width}x{height}: {before:?}, then {after:?}");
        browser.keys(keys::ESCAPE).await;
        browser.wait(NO_SHEET).await;
        browser.tap(menu).await;
        browser.wait(SHEET).await;
        browser.tap("document.querySelector('#room-name')").await;
        browser.wait(NO_SHEET).await;
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_reply_over_the_board_is_read_to_people_who_do_not_see_it() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    press(browser, &table_key("⋯")).await;
    browser.wait(SHEET).await;
    let text = |id: &str| format!("document.querySelector('{id}').textContent");
    browser.wait(&format!("{} === {}", text("#said"), text("#note .text"))).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_on_its_side_a_sheet_lies_beside_the_board() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.screen(844, 390).await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    browser.tap("[...document.querySelectorAll('#table-keys .key')].at(-1)").await;
    browser.wait(SHEET).await;
    let is_beside = "(() => {
        const box = id => document.getElementById(id).getBoundingClientRect();
        const [note, board, keys] = ['note', 'table-board', 'table-keys'].map(box);
        return note.left >= board.right && note.right <= innerWidth && note.width > 180
            && note.bottom <= keys.top && note.height > 60;
    })()";
    browser.wait(is_beside).await;
    browser.screenshot("sheet-beside").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_of_the_lobby_closes_when_the_game_begins() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    say(browser, "/togyz me").await;
    press(browser, &table_key("Settings")).await;
    browser.wait(SHEET).await;
    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.find("#tables-waiting-list .open").await.click().await;
    press(browser, &table_key("Join")).await;
    browser.wait("document.querySelector('#table-board svg')").await;
    browser.switch(ann).await;
    browser.wait(NO_SHEET).await;
    // A first press on Resign asks for a second one, and looks like it.
    for tab in [ann, &bek] {
        play_in(browser, tab).await;
    }
    browser.switch(ann).await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    press(browser, &table_key("⋯")).await;
    press(browser, &sheet_key("Resign")).await;
    browser.wait(&format!("{}.textContent.includes('again')", sheet_key("Resign"))).await;
    browser.screenshot("resign-again").await;
    say(browser, "/resign").await;
    browser.wait(&table_key("Rematch")).await;
    browser.wait(NO_SHEET).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_that_is_offered_again_replaces_a_cancelled_game() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.switch(ann).await;
    say(browser, "/togyz @Bek me").await;
    browser.switch(&bek).await;
    press(browser, "document.querySelector('#tables-waiting-list .answers button')").await;
    for tab in [ann, &bek] {
        play_in(browser, tab).await;
    }
    say(browser, "/resign").await;
    say(browser, "/resign").await;
    for (tab, key) in [(&bek, "Rematch"), (ann, "Accept"), (ann, "Abort")] {
        browser.switch(tab).await;
        press(browser, &table_key(key)).await;
    }
    // Nobody has moved, so this one ends without a result.
    browser.wait(&format!("!{}", table_key("Abort"))).await;
    say(browser, "/rematch").await;
    browser.switch(&bek).await;
    press(browser, &table_key("Accept")).await;
    browser.wait(&table_key("Abort")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn presses_in_the_chat_are_answered_there() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    for (width, height) in [(390, 844), (1280, 800)] {
        browser.screen(width, height).await;
        browser.run("location.hash = '#/@'; document.querySelector('#chat-open').click()").await;
        browser.wait("document.querySelector('#room-name').textContent === 'Private chat'").await;
        say(browser, "/account").await;
        let seen = |words: &str| {
            format!(
                "[...document.querySelectorAll('#log .only .text')]
                    .some(it => it.offsetHeight && it.innerText.includes('{words}'))"
            )
        };
        browser.wait(&seen("Link your accounts")).await;
        let delete = "[...document.querySelectorAll('#log .only .key')]
            .find(it => it.dataset.label.includes('Delete my account'))";
        press(browser, delete).await;
        browser.wait(&seen("In a week")).await;
        say(browser, "/theme").await;
        browser.wait(&format!("{NO_SHEET_YET} && {}", seen("How should"))).await;
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_lies_under_the_chat() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    let answer = |words: &str| {
        format!(
            "[...document.querySelectorAll('#log .only .text')]
                .some(it => it.offsetHeight && it.innerText.includes('{words}'))"
        )
    };
    // With an open sheet, and after it is there.
    for (command, words) in [("/account export", "private chat only"), ("/account", "Link your")] {
        press(browser, "[...document.querySelectorAll('#table-keys .key')].at(-1)").await;
        browser.wait(SHEET).await;
        say(browser, command).await;
        browser.wait(&answer(words)).await;
        browser.run("document.querySelector('#board-open').click()").await;
        browser.wait("document.querySelector('#table').offsetHeight").await;
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Holds the answer with the first moment after a press, and all requests for the table after it.
const HOLD_TABLE: &str = "const real = window.fetch, hold = () => new Promise(done => {
        window.release = done;
    });
    window.posted = 0;
    window.fetch = async (...asked) => {
        const path = String(asked[0]);
        if (path.includes('/press')) window.posted += 1;
        if (!path.includes('?drawn')) return real(...asked);
        if (window.isHeld) {
            window.isLaterHeld = true;
            await hold();
        }
        const answer = await real(path.replace(/&known=.*/, ''), asked[1]);
        const { actions } = await answer.clone().json();
        if (window.posted === 1 && !window.isHeld && actions.length) {
            window.isHeld = true;
            await hold();
        }
        return answer;
    };";

#[tokio::test(flavor = "multi_thread")]
async fn a_press_counts_while_the_page_still_reloads_the_board() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(1280, 800).await;
    begin(browser, "thaayam", "computer beginner").await;
    let choice = "document.querySelector('#table:not(.moving) .key.good[data-press^=\"p.\"], \
                  #table:not(.moving) .spot')";
    browser.wait(choice).await;
    browser.run(HOLD_TABLE).await;
    let play = format!("{choice}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))");
    browser.run(&play).await;
    browser.wait("window.isHeld").await;
    // Something else happens, so that the board asks again after this answer.
    browser.screen(390, 844).await;
    browser.wait("matchMedia('(max-aspect-ratio: 3/4)').matches").await;
    browser.run("window.release()").await;
    browser.wait("window.isLaterHeld").await;
    browser.wait(choice).await;
    browser.run(&play).await;
    browser.wait("window.posted === 2 || document.querySelector('#table .goal')").await;
    browser.run("window.isHeld = false; window.release()").await;
    browser.wait("document.querySelectorAll('#table .busy').length === 0").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_game_is_there_after_a_reload_until_it_is_put_away() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    say(browser, "/resign").await;
    say(browser, "/resign").await;
    let is_over = table_key("Rematch");
    browser.wait(&is_over).await;
    browser.run("location.reload()").await;
    browser.wait_over_reload(&is_over).await;
    // The result is among the words that never scroll away.
    let main = "document.querySelector('#table-text .main').innerText.includes('resigned')";
    browser.wait(main).await;
    browser.find("#games-open").await.click().await;
    browser.wait("document.querySelector('#tables-own-list .state').innerText").await;
    browser.run("location.reload()").await;
    browser.wait_over_reload("document.querySelector('#tables-own-list .open')").await;
    assert_eq!(browser.run("return document.querySelector('#table').hidden").await, json!(true));
    browser.find("#tables-own-list .open").await.click().await;
    browser.wait(&is_over).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn friends_are_challenged_by_name_and_answer_on_a_card() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    let mut tabs = Vec::new();
    for name in ["Bek", "Cyd", "Dan"] {
        tabs.push(browser.new_tab().await);
        come_in(browser, &program.base, name).await;
    }
    browser.switch(ann).await;
    browser.find("#game-list [data-key='thaayam']").await.click().await;
    let friend = |name: &str| {
        let name = json!(name);
        format!(
            "[...document.querySelectorAll('#game-friends .opponent')] \
                 .find(it => it.innerText.includes({name}))"
        )
    };
    press(browser, &friend("Bek")).await;
    press(browser, &friend("Cyd")).await;
    browser.find("#game-clocks [data-key='5+5']").await.click().await;
    browser.find("#game-start").await.click().await;
    browser.wait(&table_key("Settings")).await;
    let accept = "document.querySelector('#tables-waiting-list .answers:not([hidden]) .good')";
    browser.switch(&tabs[2]).await;
    browser.wait("document.querySelector('#tables-waiting-list .state').innerText").await;
    assert_eq!(browser.run(&format!("return {accept}")).await, json!(null));
    browser.switch(&tabs[0]).await;
    browser.wait(accept).await;
    let state = "document.querySelector('#tables-waiting-list .state').innerText";
    browser.wait(&format!("{state} === 'Ann challenges you'")).await;
    press(browser, accept).await;
    let seat = "[...document.querySelectorAll('#seats .seat')][1]?.ariaLabel === 'Seat 2: Bek'";
    browser.wait(seat).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_friend_who_reloads_the_page_is_still_challenged() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    let mut tabs = Vec::new();
    for name in ["Bek", "Cyd"] {
        tabs.push(browser.new_tab().await);
        come_in(browser, &program.base, name).await;
    }
    let friend = |name: &str| {
        format!(
            "[...document.querySelectorAll('#game-friends .opponent')]
                .find(it => it.innerText.includes('{name}'))"
        )
    };
    browser.switch(ann).await;
    browser.wait(&friend("Cyd")).await;
    press(browser, &friend("Bek")).await;
    for tab in &tabs {
        browser.switch(tab).await;
        // A page with such a listener is not kept with its connections.
        browser.run("addEventListener('unload', () => {})").await;
        browser.open("about:blank").await;
    }
    browser.switch(ann).await;
    browser.wait(&format!("!{}", friend("Cyd"))).await;
    browser.wait(&format!("{}.ariaChecked === 'true'", friend("Bek"))).await;
    browser.find("#game-start").await.click().await;
    browser.wait(&table_key("Settings")).await;
    browser.switch(&tabs[0]).await;
    browser.open(&program.base).await;
    let state = "document.querySelector('#tables-waiting-list .state')?.innerText";
    browser.wait(&format!("{state} === 'Ann challenges you'")).await;

    // A friend who has left the room is not replaced by anybody.
    browser.switch(ann).await;
    browser.find("#games-open").await.click().await;
    browser.wait(&format!("{}.ariaChecked === 'true'", friend("Bek"))).await;
    browser.switch(&tabs[0]).await;
    browser.find("#people-open").await.click().await;
    browser.find("#people[open] #leave").await.click().await;
    browser.switch(ann).await;
    browser.wait("document.querySelector('#game-start').disabled").await;
    browser.find("#game-opponents [data-key='here']").await.click().await;
    browser.wait("!document.querySelector('#game-start').disabled").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chat_stays_at_its_end_when_the_table_changes() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(1280, 640).await;
    // Few long messages: many short ones would meet the limit of messages, and so would the start.
    for n in 0..10 {
        say(browser, &format!("{n} {}", "and on ".repeat(12))).await;
    }
    browser.wait("document.querySelector('#log').scrollHeight > innerHeight").await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    browser.find("#games-open").await.click().await;
    browser.find("#tables-own-list .open").await.click().await;
    let is_at_end = "(() => { const it = document.querySelector('#log'); \
                     return it.scrollHeight - it.scrollTop - it.clientHeight < 60; })()";
    browser.wait(is_at_end).await;
    say(browser, "the newest").await;
    browser.wait("document.querySelector('#messages').innerText.includes('the newest')").await;
    browser.wait(is_at_end).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_closes_once_one_of_its_actions_was_done() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    press(browser, &table_key("⋯")).await;
    press(browser, &sheet_key("Hint")).await;
    browser.wait("document.querySelector('#table-board .mark.better')").await;
    browser.wait(NO_SHEET).await;
    browser.wait("document.querySelectorAll('.message.only').length === 0").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_menu_that_is_left_leaves_nothing_in_the_chat() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(1280, 800).await;
    begin(browser, "thaayam", "computer beginner").await;
    browser.wait(&table_key("Last turns")).await;
    let none = "document.querySelectorAll('.message.only').length === 0";
    // A page of the menu takes the place of the one before, and a press elsewhere ends it.
    press(browser, &table_key("⋯")).await;
    press(browser, &sheet_key("Quick answers")).await;
    browser.wait(&sheet_key("Turn by turn")).await;
    browser.tap("document.querySelector('#room-name')").await;
    browser.wait(&format!("{NO_SHEET} && {none}")).await;
    press(browser, &table_key("Last turns")).await;
    browser.wait("document.querySelector('#note:not([hidden]) .text')").await;
    press(browser, &table_key("Odds")).await;
    browser.wait("document.querySelector('#note .text')?.innerText.includes('%')").await;
    browser.tap("document.querySelector('#room-name')").await;
    browser.wait(&format!("{NO_SHEET} && {none}")).await;
    // An answer to a written command stays where it was asked for.
    say(browser, "/account").await;
    browser.wait("document.querySelector('#log .message.only .text')?.offsetHeight > 0").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Writes something in the name of the person of the page, as another device of theirs would.
const WRITE_ELSEWHERE: &str = "const { token } = JSON.parse(sessionStorage.getItem('me'));
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    void fetch('/api/rooms/lobby/messages', { method: 'POST', headers,
        body: JSON.stringify({ text: TEXT, key: crypto.randomUUID() }) });";

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_came_while_the_chat_was_hidden_is_found_later() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    browser.run(&WRITE_ELSEWHERE.replace("TEXT", "'/chess'")).await;
    browser
        .wait("document.querySelector('#note:not([hidden])')?.innerText.includes('/chess')")
        .await;
    browser.tap("document.querySelector('#room-name')").await;
    browser.wait(NO_SHEET).await;
    // Many messages follow: with the answer 25 are unread. The board is read where it lies.
    browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    for n in 0..24 {
        say(browser, &format!("line {n}")).await;
    }
    browser.switch(ann).await;
    let badge = "document.querySelector('#chat-badge:not([hidden])')?.innerText";
    browser.wait(&format!("{badge} === '◉ 25'")).await;
    browser.find("#chat-open").await.click().await;
    let seen = "(() => {
        const log = document.querySelector('#log').getBoundingClientRect(),
            it = document.querySelector('#log .only .text').getBoundingClientRect();
        return it.height > 0 && it.top >= log.top && it.bottom <= log.bottom;
    })()";
    browser.wait(seen).await;
    browser.find("#board-open").await.click().await;
    browser.wait("document.querySelector('#table').offsetHeight").await;
    assert_eq!(browser.run(&format!("return {badge} ?? ''")).await, json!(""), "it was read");
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tip_hides_no_number_of_the_board() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    let spots = "document.querySelectorAll('#table:not(.moving) .spot')";
    for (width, height) in [(390, 844), (1280, 800)] {
        browser.screen(width, height).await;
        let is_upright = width < height;
        let size = "document.querySelector('#table-board svg').viewBox.baseVal";
        browser.wait(&format!("({size}.width < {size}.height) === {is_upright}")).await;
        browser.wait(&format!("{spots}.length > 6")).await;
        let count = browser.run(&format!("return {spots}.length")).await.as_u64().unwrap();
        for n in 0..count {
            browser.run(&format!("{spots}[{n}].onpointerenter()")).await;
            let tip = "document.querySelector('#move-preview:not([hidden])')";
            browser.wait(&format!("{tip}?.textContent === {spots}[{n}].dataset.would")).await;
            let hidden = format!(
                "const tip = {tip}.getBoundingClientRect();
                 return [...document.querySelectorAll('#table-board .sheet text')].filter(it => {{
                     const box = it.getBoundingClientRect();
                     return tip.left < box.right && box.left < tip.right
                         && tip.top < box.bottom && box.top < tip.bottom;
                 }}).map(it => it.textContent).join()"
            );
            assert_eq!(browser.run(&hidden).await, json!(""), "{width}: {n}");
            browser.run(&format!("{spots}[{n}].onpointerleave()")).await;
        }
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_message_is_kept_until_it_is_sent_again() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let refuse = "const real = window.fetch;
        const until = new Promise(done => { window.refuse = done; });
        window.allow = () => { window.fetch = real; };
        window.fetch = async (path, asked) => {
            if (asked?.method !== 'POST' || !String(path).endsWith('/messages'))
                return real(path, asked);
            await until;
            return new Response('{\"error\":\"muted\",\"say\":\"\"}', { status: 403 });
        };";
    browser.run(refuse).await;
    say(browser, "the first words").await;
    browser.wait("document.querySelector('.message.sending')").await;
    // She writes on before the answer comes.
    browser.find("#text").await.type_in("the next ones").await;
    browser.run("window.refuse()").await;
    browser.wait("document.querySelectorAll('.message.sending .unsent button').length === 2").await;
    let typed = browser.run("return document.querySelector('#text').value").await;
    assert_eq!(typed, json!("the next ones"));
    browser.run("window.allow()").await;
    browser.run("document.querySelector('.message.sending .unsent button').click()").await;
    let sent = "document.querySelector('.message.mine:not(.sending)')?.innerText";
    browser.wait(&format!("{sent}.includes('the first words')")).await;
    browser.wait("!document.querySelector('.message.sending')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_shown_over_an_open_dialog() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.find("#people-open").await.click().await;
    browser.wait("document.querySelector('#people[open]')").await;
    browser.run("window.fetch = () => Promise.reject(new TypeError('no network'))").await;
    browser.find("#door").await.click().await;
    browser.wait("document.querySelector('#people[open] .toast')?.offsetHeight > 0").await;
    // Nothing sends it again, and nothing says so.
    let said = browser.run("return document.querySelector('.toast').textContent").await;
    assert!(said.as_str().unwrap().contains("try again"), "{said}");
    browser.run("document.querySelector('#people').close()").await;
    browser.wait("document.querySelector('body > #toasts .toast')?.offsetHeight > 0").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_advice_stays_when_its_game_comes_into_view() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    browser.find("#game-learn").await.click().await;
    let rules = "[...document.querySelectorAll('#viewer:not([hidden]) .key')]
        .find(it => it.dataset.label.includes('Rules'))";
    press(browser, rules).await;
    // The page with all rules has no board: it lies on a sheet, and so does the advice.
    let first_game = sheet_key("first game");
    browser.wait(&format!("{SHEET} && {first_game}")).await;
    // Its label is one text with icons in it, not a column for each part.
    let is_one_text = format!(
        "{first_game}.querySelectorAll('svg').length > 1
            && getComputedStyle({first_game}).display === 'block'"
    );
    browser.wait(&is_one_text).await;
    browser.screenshot("sheet-rules").await;
    press(browser, &first_game).await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length === 9").await;
    let advice = "document.querySelector('#note:not([hidden]) .text')";
    browser.wait(&format!("{advice}?.offsetHeight > 0 && {}", sheet_key("Takeback"))).await;
    browser.screenshot("first-advice").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lesson_that_was_looked_at_is_not_unread() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    browser.find("#game-learn").await.click().await;
    browser.wait("document.querySelector('#viewer:not([hidden]) .key')").await;
    browser.find("#games-open").await.click().await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    let is_hidden = "return document.querySelector('#chat-badge').hidden";
    assert_eq!(browser.run(is_hidden).await, json!(true));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
