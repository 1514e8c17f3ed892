//! Sounds and notifications of the page, and what it does without a connection, in a real browser.

use std::net::TcpListener;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_program::Program;
use crate::webdriver::Browser;
use crate::whole_game_browser::{board_says, press_where, sow};

/// Notes every tone that is played from now on.
const LISTEN: &str = "window.tones = [];
    const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        const tone = make.call(this), start = tone.start;
        tone.start = function (at) { window.tones.push(tone.frequency.value);
            return start.call(this, at); };
        return tone;
    };";

async fn tones(browser: &Browser) -> usize {
    browser.run("return window.tones.length").await.as_u64().unwrap() as usize
}

async fn switch(browser: &Browser, what: &str) {
    browser.run("document.querySelector('#me-open').click()").await;
    browser.wait("document.querySelector('#mine').open").await;
    browser.wait(&format!("document.querySelector('#{what}').onchange")).await;
    browser.run(&format!("document.querySelector('#{what}').click()")).await;
    browser.run("document.querySelector('#mine [data-close]').click()").await;
    browser.wait("!document.querySelector('#mine').open").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_silent_until_sounds_are_switched_on() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.run(LISTEN).await;
    say(&browser, "/togyz computer beginner").await;
    board_says(&browser, "Ann is to move").await;
    let press = "document.querySelector('#table:not(.moving) .spot').dataset.press";
    let before = browser.run(&format!("return {press}")).await;
    sow(&browser, "7").await;
    browser.wait(&format!("{press} !== {before}")).await;
    assert_eq!(tones(&browser).await, 0);
    switch(&browser, "mine-sounds").await;
    browser.wait("window.tones.length > 0").await;
    let before = tones(&browser).await;
    press_where(&browser, "it.matches('.spot')").await;
    browser.wait(&format!("window.tones.length > {before} + 2")).await;
    // It is remembered.
    browser.run("location.reload()").await;
    browser.wait_over_reload("document.querySelector('#table .spot')").await;
    let kept = browser.run("return localStorage.getItem('sounds')").await;
    assert_eq!(kept, json!("on"));
    switch(&browser, "mine-sounds").await;
    assert_eq!(browser.run("return localStorage.getItem('sounds')").await, json!("off"));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// A hidden page: browsers without a screen never hide one.
const HIDDEN: &str =
    "Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));";

/// A page that stays visible while others are in front, until it is `HIDDEN`: some browsers without
/// a screen hide the other tabs.
const VISIBLE: &str =
    "Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    window.addEventListener('visibilitychange',
        e => document.hidden || e.stopImmediatePropagation(), true);";

/// Notes every notification instead of showing it.
const NOTES: &str = "window.notes = [];
    ServiceWorkerRegistration.prototype.showNotification = (title, it) =>
        Promise.resolve(window.notes.push([title, it.body, it.data, it.renotify]));
    ServiceWorkerRegistration.prototype.getNotifications = async () =>
        window.notes.map(([, , data]) => ({ data, close: () => window.isShut = true }));";

/// The page hears that it is the turn of its person; the other ones stay silent until it is closed.
const HEARS: &str = "const later = window.setTimeout;
    window.setTimeout = (done, ms) => ms > 1000 ? 0 : later(done, ms);
    const m = { room: 'lobby', id: 1, seq: 1, table: null, text: 'Your turn' };
    return import('/web/notifications.js').then(it => it.alertTurn(m, true))
        .then(() => window.notes.length)";

/// The hidden page of Ann notifies her of no turn while she sees another page of hers.
async fn looks_at_another_tab(browser: &Browser, base: &str, [ann, bek]: [&str; 2]) {
    browser.run(HIDDEN).await;
    let other = browser.new_tab().await;
    browser.open(base).await;
    board_says(browser, "Ann is to move").await;
    browser.run(VISIBLE).await;
    let holds = "setInterval(async () => {
        const { held } = await navigator.locks.query();
        window.isSeen = held.some(it => it.name.startsWith('visible '));
    }, 20)";
    browser.run(holds).await;
    browser.wait("window.isSeen").await;
    sow(browser, "4").await;
    browser.switch(bek).await;
    board_says(browser, "Bek is to move").await;
    sow(browser, "4").await;
    browser.switch(ann).await;
    browser.wait("document.title.startsWith('▶')").await;
    // Then she looks at neither.
    browser.switch(&other).await;
    board_says(browser, "Ann is to move").await;
    sow(browser, "5").await;
    board_says(browser, "Bek is to move").await;
    browser.run(NOTES).await;
    browser.run(HIDDEN).await;
    browser.switch(bek).await;
    board_says(browser, "Bek is to move").await;
    sow(browser, "5").await;
    // One of her two pages notifies her.
    let notes = async |tab: &str, script: &str| {
        browser.switch(tab).await;
        browser.run(script).await.as_u64().unwrap()
    };
    let (mut first, mut second) = (1, 0);
    while first + second < 2 {
        first = notes(ann, "return window.notes.length").await;
        second = notes(&other, "return window.notes.length").await;
    }
    assert_eq!(notes(&other, HEARS).await, second + 1);
    assert_eq!(notes(ann, HEARS).await, first);
}

/// Also to the address that is open already.
async fn a_notification_leads_to_its_address(browser: &Browser) {
    let follow = "navigator.serviceWorker.dispatchEvent(
        new MessageEvent('message', { data: { address: '#/@' } }))";
    browser.run(follow).await;
    browser.wait("document.querySelector('#room-name').textContent === 'Private chat'").await;
    // Once more, when this is the address already.
    browser.run("document.querySelector('#chat-open').click()").await;
    browser.wait("document.querySelector('#chat-open').ariaPressed === 'true'").await;
    browser.run(follow).await;
    browser.wait("document.querySelector('#chat-open').ariaPressed === 'false'").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_in_another_tab_is_notified_if_they_want() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let ann = browser.tab().await;
    come_in(&browser, &program.base, "Ann").await;
    let rights = json!({ "permission": { "name": "notifications" }, "setting": "granted",
        "origin": program.base });
    browser.devtools("Browser.setPermission", rights).await;
    switch(&browser, "mine-notices").await;
    browser.wait("localStorage.getItem('notices') === 'on'").await;
    let bek = browser.new_tab().await;
    come_in(&browser, &program.base, "Bek").await;
    browser.switch(&ann).await;
    say(&browser, "/togyz me").await;
    browser.switch(&bek).await;
    press_where(&browser, "it.dataset.press.startsWith('j.')").await;
    browser.switch(&ann).await;
    board_says(&browser, "Ann is to move").await;
    sow(&browser, "7").await;
    board_says(&browser, "Bek is to move").await;
    browser.run(NOTES).await;
    browser.run(HIDDEN).await;
    browser.switch(&bek).await;
    board_says(&browser, "Bek is to move").await;
    sow(&browser, "3").await;
    browser.switch(&ann).await;
    browser.wait("window.notes.length === 1").await;
    let note = browser.run("return window.notes[0]").await;
    let person = browser.run("return JSON.parse(sessionStorage.getItem('me')).id").await;
    browser.wait("document.querySelector('#own-tables a')").await;
    let address = browser.run("return document.querySelector('#own-tables a').hash").await;
    let data = json!({ "address": address, "person": person, "isRemembered": true });
    assert_eq!(note, json!(["Your turn", "👉 Ann is to move.", data, true]));
    // Title and icon of the tab say it too, until she looks.
    browser.wait("document.title.startsWith('▶')").await;
    let icon = "document.querySelector('link[rel=icon]').href.endsWith('/icon-turn.svg')";
    browser.wait(icon).await;
    browser
        .run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
        .await;
    browser.wait(&format!("!({icon}) && !document.title.startsWith('▶')")).await;
    browser.wait("window.isShut").await;
    looks_at_another_tab(&browser, &program.base, [&ann, &bek]).await;
    // A press on the notification is for her page, not for that of another person.
    let asked = |person: &Value| {
        format!(
            "const {{ port1, port2 }} = new MessageChannel();
             window.answers = [];
             port1.onmessage = it => window.answers.push(it.data);
             navigator.serviceWorker.dispatchEvent(
                 new MessageEvent('message', {{ data: {{ person: {person} }}, ports: [port2] }}));
             port2.postMessage('end');"
        )
    };
    browser.run(&asked(&person)).await;
    browser.wait("window.answers.join() === 'true,end'").await;
    browser.switch(&bek).await;
    browser.run(&asked(&person)).await;
    browser.wait("window.answers.join() === 'end'").await;
    a_notification_leads_to_its_address(&browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_opens_without_a_connection_and_finds_back_by_itself() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    say(&browser, "/togyz computer beginner").await;
    board_says(&browser, "Ann is to move").await;
    let kept = "return caches.keys().then(all => Promise.all(all.map(it => caches.open(it))))
        .then(all => Promise.all(all.map(it => it.keys())))
        .then(all => all.flat().map(it => new URL(it.url).pathname))";
    let has = |name: &str| format!("window.kept?.some(it => it.endsWith('{name}'))");
    let look = "setInterval(() => caches.keys()
        .then(all => Promise.all(all.map(it => caches.open(it))))
        .then(all => Promise.all(all.map(it => it.keys())))
        .then(all => { window.kept = all.flat().map(it => new URL(it.url).pathname); }), 50)";
    browser.run(look).await;
    for name in ["/", "/app.js", "/words-en.js", ".svg"] {
        browser.wait(&has(name)).await;
    }
    let all: Value = browser.run(kept).await;
    let all: Vec<&str> = all.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let ours = |it: &&str| *it == "/" || it.starts_with("/web/") || it.starts_with("/art/");
    assert!(all.iter().all(ours), "nothing of what people say is kept: {all:?}");

    let port = program.kill();
    // A server that accepts connections and never answers.
    let silent = TcpListener::bind(("127.0.0.1", port)).unwrap();
    browser.run("window.isBefore = true; location.reload()").await;
    browser.wait_over_reload("!window.isBefore && document.querySelector('#parts')").await;
    drop(silent);
    browser.run("location.reload()").await;
    let says = "document.querySelector('#offline').textContent.includes('Connection lost')";
    browser.wait_over_reload(&format!("{says} && !document.querySelector('#app').hidden")).await;
    browser.screenshot("without-a-connection").await;
    browser.run("window.stays = true").await;
    let _program = Program::start_at(folder.path(), port);
    browser.wait("document.querySelector('#offline').hidden").await;
    board_says(&browser, "Ann is to move").await;
    assert_eq!(browser.run("return window.stays").await, json!(true), "it was not reloaded");
}

/// Counts pictures from now on: those in a row while something flies, or all of them.
const COUNT: &str = "window.counted = []; window.idle = IDLE; let last = 0, row = 0;
    const run = {}; window.run = run;
    const see = now => {
        if (window.run !== run) return;
        const flies = IDLE || document.querySelector('#table-board .moving-node') !== null;
        row = flies ? row + 1 : 0;
        // The first two: what flies is built, and has not moved yet.
        if (row > 2) window.counted.push(now - last);
        last = now;
        requestAnimationFrame(see);
    };
    requestAnimationFrame(see);";

/// What was counted, for people to judge.
async fn counted(browser: &Browser, what: &str) {
    let told = browser
        .run(
            "window.run = null;
             const all = window.counted.sort((a, b) => a - b);
             const sum = all.reduce((a, b) => a + b, 0);
             return [all.length, 1000 * all.length / sum, all[Math.floor(all.length * 0.95)],
                 100 * all.filter(it => it < 17.5).length / all.length];",
        )
        .await;
    let number = |n: usize| told[n].as_f64().unwrap_or_default();
    eprintln!(
        "{what}: {} frames, {:.1} a second, {:.0} % of them at 60, 19 of 20 within {:.1} ms",
        number(0),
        number(1),
        number(3),
        number(2)
    );
}

/// The frames per second that a person sees while stones run, on a processor four times as slow as
/// this one, and beside it the same where nothing happens, which is what the machine can do:
/// printed, for people to judge. Nothing here has a graphics processor. `RUN_SLOW_TESTS` runs it.
#[tokio::test(flavor = "multi_thread")]
async fn stones_run_smoothly_on_slow_phones() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.screen(390, 844).await;
    for (game, acts) in [("togyz", 6), ("thaayam players=2", 10)] {
        let room = game.split(' ').next().unwrap();
        browser.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 1 })).await;
        browser.run(&format!("location.hash = '#/{room}'")).await;
        let there = "document.querySelector('#room-name').textContent";
        browser.wait(&format!("{there} === '{room}' && document.querySelector('#hint h2')")).await;
        say(&browser, &format!("/{game} computer beginner")).await;
        browser.wait("document.querySelector('#table:not(.moving) .spot')").await;
        browser.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await;
        browser.run(&COUNT.replace("IDLE", "true")).await;
        browser.wait("window.counted.length > 240").await;
        counted(&browser, &format!("{game}, nothing happens")).await;
        browser.run(&COUNT.replace("IDLE", "false")).await;
        for _ in 0..acts {
            browser.wait("document.querySelector('#table:not(.moving) .spot')").await;
            press_where(&browser, "it.matches('.spot')").await;
            let goal = "document.querySelector('#table .goal')";
            let moves = "document.querySelector('#table.moving')";
            browser.wait(&format!("{goal} || {moves}")).await;
            if browser.run(&format!("return {goal} !== null")).await == json!(true) {
                // It can go to several places.
                browser.tap(goal).await;
            }
            browser.wait(moves).await;
        }
        browser.wait("document.querySelector('#table:not(.moving)')").await;
        counted(&browser, game).await;
    }
}
