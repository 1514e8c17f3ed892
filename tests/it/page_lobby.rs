//! A table of the page before its game starts, in a real browser: who sits where, and what is
//! offered at each seat.

use serde_json::json;

use crate::browser::{come_in, say};
use crate::page_games::Page;
use crate::webdriver::{Browser, keys};

/// A seat of the shown table, from 1.
fn seat(number: usize) -> String {
    format!("document.querySelectorAll('#seats .seat')[{}]", number - 1)
}

/// A button at a seat.
fn key(number: usize, label: &str) -> String {
    format!(
        "[...{}.querySelectorAll('.key')].find(it => it.dataset.label === {})",
        seat(number),
        json!(label)
    )
}

async fn press(browser: &Browser, key: &str) {
    browser.wait(&format!("{}?.isConnected && ({key})", seat(1))).await;
    browser.run(&format!("({key}).click()")).await;
}

/// The labels of the buttons at each seat.
async fn offers(browser: &Browser) -> Vec<String> {
    let all = "return [...document.querySelectorAll('#seats .seat')].map(seat =>
        [...seat.querySelectorAll('.key')].map(it => it.dataset.label).join(', '))";
    serde_json::from_value(browser.run(all).await).expect("a list")
}

#[tokio::test(flavor = "multi_thread")]
async fn partners_face_each_other_and_free_seats_are_filled_where_they_are() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    say(browser, "/blot").await;
    browser.wait(&key(2, "Invite")).await;
    let wanted = ["", "Invite, Add a computer, Sit here", "Invite, Sit here", "Invite, Sit here"];
    assert_eq!(offers(browser).await, wanted);

    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.find("#tables-waiting-list .open").await.click().await;
    browser.wait(&key(3, "Take a seat")).await;
    assert_eq!(offers(browser).await, ["", "Take a seat", "Take a seat", "Take a seat"]);
    press(browser, &key(3, "Take a seat")).await;
    browser.wait(&format!("{}.matches('.own')", seat(3))).await;
    for (tab, own, partner) in [(&bek, "Bek", "Ann"), (ann, "Ann", "Bek")] {
        browser.switch(tab).await;
        let named = |side: &str, name: &str| {
            format!("document.querySelector('#seats .{side} b')?.textContent === {}", json!(name))
        };
        browser.wait(&named("below", own)).await;
        browser.wait(&named("above", partner)).await;
    }
    let boxes = "const box = side => document.querySelector(`#seats .${side}`)
            .getBoundingClientRect(), middle = it => (it.left + it.right) / 2;
        return box('above').bottom <= box('below').top
            && Math.abs(middle(box('above')) - middle(box('below'))) < 20
            && box('left').right <= box('right').left";
    assert_eq!(browser.run(boxes).await, json!(true));

    // The opener may exchange players; computers take the seats that are left.
    assert_eq!(offers(browser).await[2], "Swap places");
    for number in [2, 4] {
        press(browser, &key(number, "Add a computer")).await;
        browser.wait(&format!("{}.querySelector('img.face')", seat(number))).await;
    }
    browser.wait(&format!("!{}", key(2, "Invite"))).await;
    let start = "document.querySelector('#table-keys .key.good')";
    browser.wait(&format!("{start}?.dataset.label === '▶ Start'")).await;
    press(browser, start).await;
    browser.wait("document.querySelector('#table-board svg use')").await;
    browser.wait("!document.querySelector('#seats')").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The focus never moves to a button that does something else, and never gets lost.
#[tokio::test(flavor = "multi_thread")]
async fn changed_settings_are_agreed_to_at_the_own_seat() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    say(browser, "/thaayam players=3").await;
    browser.wait(&key(2, "Invite")).await;
    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.find("#tables-waiting-list .open").await.click().await;
    press(browser, &key(2, "Take a seat")).await;
    browser.wait(&format!("{}.matches('.own')", seat(2))).await;
    browser.switch(ann).await;
    browser.wait(&format!("{}?.textContent.includes('Bek')", seat(2))).await;
    say(browser, "/clock 10 s").await;
    browser.switch(&bek).await;
    browser.wait(&key(2, "Agree")).await;
    press(browser, &key(2, "Agree")).await;
    browser.wait(&format!("!({})", key(2, "Agree"))).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_are_filled_by_the_enter_key_alone() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    say(browser, "/blot").await;
    browser.run("document.querySelector('#board-open').click()").await;
    browser.wait(&key(2, "Add a computer")).await;
    browser.run(&format!("({}).focus()", key(2, "Add a computer"))).await;
    for number in [2, 3] {
        browser.keys(keys::ENTER).await;
        browser.wait(&format!("{}.querySelector('img.face')", seat(number))).await;
        let next = format!("document.activeElement === {}", key(number + 1, "Add a computer"));
        browser.wait(&next).await;
        assert_eq!(browser.run(&format!("return {}.matches('.own')", seat(1))).await, json!(true));
    }
    // The last one begins the game.
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('#table-board svg use')").await;
    browser.wait("document.activeElement !== document.body").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invited_person_has_a_reserved_seat() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.switch(ann).await;
    browser.wait("document.querySelector('#game-friends .opponent')").await;
    browser.find("#game-friends .opponent").await.click().await;
    browser.find("#game-start").await.click().await;
    browser.wait(&format!("{}?.ariaLabel === 'Seat 2: Bek'", seat(2))).await;
    browser.wait(&format!("{}.matches('.free')", seat(2))).await;
    browser.switch(&bek).await;
    browser.find("#tables-waiting-list .open").await.click().await;
    press(browser, &key(2, "Take a seat")).await;
    browser.wait("document.querySelector('#table-board svg use')").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// A page without TLS has no clipboard.
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_copied_without_a_clipboard() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    say(browser, "/togyz me").await;
    browser.wait(&key(2, "Invite")).await;
    let listen = "Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.addEventListener('copy', e => { window.copied = e.target.value; })";
    browser.run(listen).await;
    // Only after a press of the user may a page copy.
    let invite = browser.find("#seats .free .key[data-label=Invite]").await;
    invite.click().await;
    browser.wait("document.querySelector('.toast')?.textContent === 'Link copied'").await;
    browser.wait("window.copied.includes('/#/lobby/t/')").await;
    let focus = format!("return document.activeElement === {}", key(2, "Invite"));
    assert_eq!(browser.run(&focus).await, json!(true));
    // Where that is forbidden too, the link is shown.
    let forbid = "document.execCommand = () => false;
        window.prompt = (...asked) => { window.asked = asked; }";
    browser.run(forbid).await;
    invite.click().await;
    browser.wait("window.asked[1] === window.copied").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Everything that can be pressed lies within the window, also where four seats are arranged.
#[tokio::test(flavor = "multi_thread")]
async fn all_seats_fit_every_screen() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    for command in ["/togyz me", "/thaayam", "/blot"] {
        browser.run(&format!("location.hash = '#/{}'", &command[1..4])).await;
        let room = "document.querySelector('#room-name').textContent";
        browser.wait(&format!("{room} === '{}'", &command[1..4])).await;
        say(browser, command).await;
        browser.run("document.querySelector('#board-open').click()").await;
        browser.wait(&key(2, "Add a computer")).await;
        for (width, height) in [(390, 844), (844, 390), (1280, 800), (1920, 1080)] {
            browser.screen(width, height).await;
            browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
            let outside = "return [...document.querySelectorAll('#table .key, #table .seat')]
                .map(it => [it.ariaLabel ?? it.dataset.label, it.getBoundingClientRect()])
                .filter(([, it]) => it.left < -1 || it.top < -1 || it.width < 20
                    || it.right > innerWidth + 1 || it.bottom > innerHeight + 1)
                .map(([label]) => label).join()";
            assert_eq!(browser.run(outside).await, json!(""), "{command} {width}x{height}");
            browser.screenshot(&format!("seats-{}-{width}", &command[1..4])).await;
        }
        browser.screen(1280, 900).await;
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
