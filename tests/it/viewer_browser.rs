//! The viewer of the page in a real browser, by touch and by keyboard, on phones and desktops: a
//! game step by step, its review with the better line, hands at the time they were played.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::come_in;
use crate::page_program::Program;
use crate::webdriver::{Browser, keys};
use crate::whole_games::Dice;

const SCREENS: [(u32, u32); 3] = [(390, 844), (844, 390), (1280, 800)];

/// Where in the game one is.
const COUNT: &str = "document.querySelector('#viewer-count').textContent";
const BOARD: &str = "document.querySelector('#viewer-board svg').outerHTML";

/// What people do besides the one in the browser, without a browser.
pub struct Others {
    client: reqwest::Client,
    base: String,
    tokens: Vec<String>,
    keys: u32,
}

impl Others {
    /// The one in the browser is the first, then these.
    pub async fn new(browser: &Browser, base: &str, names: &[&str]) -> Self {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let me = browser.run("return sessionStorage.getItem('me')").await;
        let me: Value = serde_json::from_str(me.as_str().unwrap()).unwrap();
        let tokens = vec![me["token"].as_str().unwrap().to_owned()];
        let mut all = Self { client, base: base.to_owned(), tokens, keys: 0 };
        for name in names {
            let body = json!({ "name": name, "locale": "en" });
            let made = all.client.post(format!("{base}/api/people")).json(&body).send().await;
            let made: Value = made.unwrap().json().await.unwrap();
            all.tokens.push(made["token"].as_str().unwrap().to_owned());
            all.post(all.tokens.len() - 1, "rooms", json!({ "name": "lobby" })).await;
        }
        all
    }

    async fn post(&mut self, who: usize, path: &str, mut body: Value) {
        self.keys += 1;
        body["key"] = json!(format!("k{}", self.keys));
        let request = self.client.post(format!("{}/api/{path}", self.base)).json(&body);
        let answer = request.bearer_auth(&self.tokens[who]).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
    }

    pub async fn says(&mut self, who: usize, text: &str) {
        self.post(who, "rooms/lobby/messages", json!({ "text": text })).await;
    }

    pub async fn state(&self, who: usize, path: &str) -> Value {
        let request = self.client.get(format!("{}/api/{path}", self.base));
        request.bearer_auth(&self.tokens[who]).send().await.unwrap().json().await.unwrap()
    }

    /// Plays until this many steps were done, or the end; gives the code of the table.
    pub async fn play(&mut self, seed: u64, steps: u64) -> String {
        let table = self.state(0, "tables").await["tables"][0]["table"].clone();
        let table = table.as_str().unwrap().to_owned();
        let path = format!("rooms/lobby/tables/{table}");
        let (mut dice, mut done) = (Dice(seed), 0);
        while done < steps {
            let state = self.state(0, &path).await;
            let Some(turn) = state["turn"].as_u64() else { break };
            let mut who = 0;
            let own = loop {
                let own = self.state(who, &path).await;
                if own["you"] == turn && !own["actions"].as_array().unwrap().is_empty() {
                    break own;
                }
                who = (who + 1) % self.tokens.len();
            };
            let offered = own["actions"].as_array().unwrap();
            let offered: Vec<&Value> = offered.iter().filter(|it| it["token"] != "undo").collect();
            let pass = offered.iter().find(|it| it["token"] == "pass").filter(|_| !dice.one_in(4));
            let action = pass.unwrap_or(&offered[dice.below(offered.len())]);
            let press = action["press"].clone();
            self.post(who, "rooms/lobby/press", json!({ "press": press })).await;
            done += 1;
        }
        table
    }
}

/// Everything lies within the window, and the board is of some size.
async fn is_whole(browser: &Browser, name: &str) {
    let outside = "return [...document.querySelectorAll(
        '#viewer .picture:not([hidden]), #viewer .key, #viewer-bar button, ' +
        '#viewer-slider, #viewer-text')]
        .filter(it => getComputedStyle(it).display !== 'none')
        .filter(it => {
            const { left, top, right, bottom, width, height } = it.getBoundingClientRect();
            return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1
                || width < 20 || height < 16;
        }).map(it => `${it.id} ${it.dataset.label} ${JSON.stringify(it.getBoundingClientRect())}`)
        .join()";
    assert_eq!(browser.run(outside).await, json!(""), "{name}: something is not seen");
    let board = "return document.querySelector('#viewer-board').getBoundingClientRect().height";
    let high = browser.run(board).await.as_f64().unwrap();
    assert!(high > 110.0, "{name}: a board {high} high");
    browser.screenshot(name).await;
}

async fn at(browser: &Browser, step: u64) {
    browser.wait(&format!("{COUNT}.startsWith('{step} /')")).await;
}

/// By touch: to the beginning, on and back, playing, the end.
async fn by_touch(browser: &Browser) {
    browser.tap("document.querySelector('#viewer-open')").await;
    browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    browser.tap("document.querySelector('#viewer-first')").await;
    at(browser, 0).await;
    let first = browser.run(&format!("return {BOARD}")).await;
    browser.tap("document.querySelector('#viewer-next')").await;
    at(browser, 1).await;
    assert_ne!(first, browser.run(&format!("return {BOARD}")).await);
    browser.tap("document.querySelector('#viewer-back')").await;
    at(browser, 0).await;
    browser.wait(&format!("{BOARD} === {first}")).await;
    browser.tap("document.querySelector('#viewer-speed')").await;
    browser.tap("document.querySelector('#viewer-speed')").await;
    browser.tap("document.querySelector('#viewer-play')").await;
    browser.wait(&format!("Number({COUNT}.split(' ')[0]) >= 3")).await;
    browser.tap("document.querySelector('#viewer-play')").await;
    browser.wait("document.querySelector('#viewer-play').ariaLabel === 'Play'").await;
    browser.tap("document.querySelector('#viewer-last')").await;
    browser.wait(&format!("new Set({COUNT}.split(' / ')).size === 1")).await;
}

/// A press posts the animation; a second press gets the reply that it is there, or nearly.
async fn film(browser: &Browser, width: u32) {
    let toasts = "[...document.querySelectorAll('.toast')].map(it => it.textContent).join()";
    browser.tap("document.querySelector('#viewer-gif')").await;
    let first = format!("{toasts}.includes('Drawing the replay')");
    match width {
        390 => browser.wait(&first).await,
        _ => browser.wait(&format!("/replay/i.test({toasts})")).await,
    }
}

/// The playback goes on from the side of Bek while the phone is turned on its side and back.
async fn turns_the_phone(browser: &Browser, [width, height]: [u32; 2]) {
    let asks = "window.asked = [];
        const real = window.fetch;
        window.fetch = (...asked) => {
            if (String(asked[0]).includes('/replay?')) window.asked.push(asked[0]);
            return real(...asked);
        };";
    browser.run(asks).await;
    browser.tap("document.querySelector('#viewer-play')").await;
    browser.screen(height, width).await;
    browser.wait("window.asked.some(it => !it.includes('upright=1'))").await;
    let seats = "return window.asked.every(it => /seat=\\d/.test(it))";
    assert_eq!(browser.run(seats).await, json!(true));
    browser.screen(width, height).await;
    let bek = "document.querySelector('#viewer .key.good')?.dataset.label === 'Bek'";
    let plays = "document.querySelector('#viewer-play').ariaLabel === 'Stop'";
    let is_back = "window.asked.at(-1).includes('upright=1')";
    browser.wait(&format!("{bek} && {plays} && {is_back}")).await;
    browser.tap("document.querySelector('#viewer-play')").await;
}

/// By keys: the same, and the way out.
async fn by_keys(browser: &Browser) {
    browser.run("document.querySelector('#viewer-play').focus()").await;
    browser.keys(keys::HOME).await;
    at(browser, 0).await;
    browser.keys(keys::RIGHT).await;
    at(browser, 1).await;
    browser.keys(keys::RIGHT).await;
    at(browser, 2).await;
    browser.keys(keys::LEFT).await;
    at(browser, 1).await;
    browser.keys(keys::END).await;
    browser.wait(&format!("new Set({COUNT}.split(' / ')).size === 1")).await;
    browser.keys(keys::ESCAPE).await;
    browser.wait("document.querySelector('#viewer').hidden").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_and_its_review_are_looked_at_by_touch_and_by_keys() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    let mut all = Others::new(&browser, &program.base, &["Bek"]).await;
    all.says(0, "/togyz me").await;
    all.says(1, "/join").await;
    all.play(5, 50).await;
    all.says(1, "/resign").await;
    all.says(1, "/resign").await;
    browser.wait("document.querySelector('#table .key[data-press^=\"c.\"]')").await;
    let review = "[...document.querySelectorAll('#table .key')]
        .find(it => it.dataset.label.includes('Analysis'))";
    for (width, height) in SCREENS {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
        by_touch(&browser).await;
        is_whole(&browser, &format!("replay-{width}")).await;
        film(&browser, width).await;
        by_keys(&browser).await;
        // The review is made when it is first asked for.
        browser.tap(review).await;
        browser.wait("document.querySelector('#viewer.with-chart #viewer-chart .spot')").await;
        browser.wait("document.querySelectorAll('#viewer-board .mark').length === 2").await;
        is_whole(&browser, &format!("review-{width}")).await;
        let spots = "return document.querySelectorAll('#viewer-chart .spot').length";
        let count = browser.run(spots).await.as_u64().unwrap();
        let said = "document.querySelector('#viewer-text').textContent";
        let before = browser.run(&format!("return {said}")).await;
        if count > 1 {
            browser.tap("document.querySelectorAll('#viewer-chart .spot')[1]").await;
            browser.wait(&format!("{said} !== {before}")).await;
        }
        let before = browser.run(&format!("return {BOARD}")).await;
        let better = "[...document.querySelectorAll('#viewer .key')]
            .find(it => it.dataset.label.startsWith('✓'))";
        browser.tap(better).await;
        browser.wait(&format!("{BOARD} !== {before}")).await;
        browser.screenshot(&format!("better-{width}")).await;
        browser.tap("document.querySelector('#viewer-back')").await;
        browser.wait("document.querySelectorAll('#viewer-board .mark').length === 2").await;
        browser.run("document.querySelector('#viewer-play').focus()").await;
        browser.keys(keys::ESCAPE).await;
        browser.wait("document.querySelector('#viewer').hidden").await;
    }
    // From the chat: the record's message leads to the game.
    all.says(0, "/record").await;
    browser.wait("document.querySelector('.message.only .on-board')").await;
    browser.run("document.querySelector('.message.only .on-board').click()").await;
    browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_replay_follows_the_game_when_a_move_is_taken_back() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    let mut all = Others::new(&browser, &program.base, &["Bek"]).await;
    all.says(0, "/togyz me").await;
    all.says(1, "/join").await;
    all.play(5, 6).await;
    browser.wait("document.querySelector('#viewer-open:not([hidden])')").await;
    browser.tap("document.querySelector('#viewer-open')").await;
    browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    browser.tap("document.querySelector('#viewer-last')").await;
    browser.wait(&format!("{COUNT} === '6 / 6'")).await;
    let shown = browser.run(&format!("return {BOARD}")).await;
    all.says(1, "/takeback").await;
    all.says(0, "/accept").await;
    browser.wait(&format!("{COUNT} === '5 / 5' && {BOARD} !== {shown}")).await;
    // Another move follows, which the replay shows, and not the old one.
    all.play(8, 1).await;
    browser.wait(&format!("{COUNT} === '6 / 6'")).await;
    let said = browser.run("return document.querySelector('#viewer-text').textContent").await;
    browser.tap("document.querySelector('#viewer-back')").await;
    browser.wait(&format!("{COUNT} === '5 / 6'")).await;
    browser.tap("document.querySelector('#viewer-next')").await;
    browser.wait(&format!("document.querySelector('#viewer-text').textContent === {said}")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_stays_open_when_a_phone_is_turned_without_a_connection() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    let mut all = Others::new(&browser, &program.base, &["Bek"]).await;
    all.says(0, "/togyz me").await;
    all.says(1, "/join").await;
    all.play(5, 6).await;
    browser.screen(390, 844).await;
    browser.wait("document.querySelector('#viewer-open:not([hidden])')").await;
    browser.tap("document.querySelector('#viewer-open')").await;
    browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    browser.tap("document.querySelector('#viewer-last')").await;
    browser.wait(&format!("{COUNT} === '6 / 6'")).await;
    let offline = "window.real = window.fetch;
        window.fetch = (...asked) => String(asked[0]).includes('/replay')
            ? Promise.reject(new TypeError('offline')) : window.real(...asked)";
    browser.run(offline).await;
    browser.screen(844, 390).await;
    browser.wait("document.querySelector('.toast')").await;
    browser.tap("document.querySelector('#viewer-back')").await;
    browser.wait(&format!("{COUNT} === '5 / 6'")).await;
    browser.run("window.fetch = window.real").await;
    browser.screen(390, 844).await;
    browser.wait(&format!("{COUNT} === '5 / 6'")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn hands_of_a_deal_are_looked_at_when_it_is_over() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    let mut all = Others::new(&browser, &program.base, &["Bek", "Cyd", "Dan"]).await;
    all.says(0, "/blot target=301").await;
    for n in 1..4 {
        all.says(n, "/join").await;
    }
    let table = all.state(0, "tables").await["tables"][0]["table"].clone();
    let start = format!("G.{}", table.as_str().unwrap());
    all.post(0, "rooms/lobby/press", json!({ "press": start })).await;
    all.play(4, 60).await;
    browser.wait("document.querySelector('#table:not([hidden]) #table-board use')").await;
    for (width, height) in SCREENS {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
        by_touch(&browser).await;
        let hand = "!document.querySelector('#viewer-hand').hidden";
        browser.wait(hand).await;
        is_whole(&browser, &format!("hands-{width}")).await;
        // The side of another player: their present cards are hidden.
        let bek = "[...document.querySelectorAll('#viewer .key')]
            .find(it => it.dataset.label === 'Bek')";
        browser.tap(bek).await;
        browser.wait(&format!("!({hand})")).await;
        browser.tap("document.querySelector('#viewer-first')").await;
        at(&browser, 0).await;
        browser.tap("document.querySelector('#viewer-next')").await;
        browser.wait(hand).await;
        is_whole(&browser, &format!("hands-of-another-{width}")).await;
        if width < height {
            turns_the_phone(&browser, [width, height]).await;
        }
        by_keys(&browser).await;
    }
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
