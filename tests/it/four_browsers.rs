//! People in tabs of a real browser and the real program: each game to the end by touch alone, on
//! screens of different sizes. `RUN_SLOW_TESTS` plays the long forms; without it a match of cards
//! is resigned after its first deal.

use serde_json::json;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_program::Program;
use crate::webdriver::Browser;
use crate::whole_game_browser::{look, look_and_click, look_at_board, press_where};
use crate::whole_games::Dice;

const NAMES: [&str; 4] = ["Ann", "Bek", "Cyd", "Dan"];

/// The newest board in the room.
const BOARD: &str =
    "[...document.querySelectorAll('.message.bot.picture-message:not(.only)')].at(-1)";

/// What this person may touch now: what glows on the board or the hand, and buttons that play.
/// Gives [label, index among all of them].
const CHOICES: &str = "return [...document.querySelectorAll('#table .key, #table .spot')]
    .map((it, n) => [it.dataset.label, n, it])
    .filter(([, , it]) => !it.dataset.press.endsWith('.undo')
        && (it.matches('.spot') || /^p\\./.test(it.dataset.press)))
    .map(([label, n]) => [label, n]);";

/// What can be pressed at the table names the moment it is for; goals come and go within one.
const PRESSES: &str = "[...document.querySelectorAll('#table [data-press]:not(.goal)')]
    .map(it => it.dataset.press).join()";

/// The screens of the four: a phone upright and across, a desk, and that with everything twice as
/// large.
const SCREENS: [(u32, u32); 4] = [(390, 844), (844, 390), (1280, 800), (640, 400)];

/// The board is there and nothing moves on it.
const STILL: &str = "document.querySelector('#table:not([hidden]):not(.moving) #table-text p')";

struct Four {
    browser: Browser,
    tabs: Vec<String>,
    dice: Dice,
    /// The first of [`SCREENS`] that a person has.
    screen: usize,
}

impl Four {
    /// So many people at the table of a command, on the screens from this one on.
    async fn begin(
        base: &str,
        command: &str,
        (count, screen): (usize, usize),
        seed: u64,
    ) -> Option<Self> {
        let browser = Browser::start().await?;
        let mut tabs = Vec::new();
        for (n, name) in NAMES.into_iter().take(count).enumerate() {
            let tab = if n == 0 { browser.tab().await } else { browser.new_tab().await };
            come_in(&browser, base, name).await;
            browser.calm().await;
            tabs.push(tab);
        }
        let four = Self { browser, tabs, dice: Dice(seed), screen };
        four.sit_down(command).await;
        Some(four)
    }

    async fn at(&self, n: usize) -> &Browser {
        self.browser.switch(&self.tabs[n]).await;
        &self.browser
    }

    /// From the command to the first turn.
    async fn sit_down(&self, command: &str) {
        say(self.at(0).await, command).await;
        for (n, name) in NAMES.into_iter().enumerate().take(self.tabs.len()).skip(1) {
            press_where(self.at(n).await, "it.dataset.press.startsWith('j.')").await;
            let seated = json!(format!("Seat {}: {name}", n + 1));
            let text = "document.querySelector('#log').innerText";
            self.browser.wait(&format!("{text}.includes({seated}) || {BOARD}")).await;
        }
        let ann = self.at(0).await;
        let start = "[...document.querySelectorAll('.key')]
            .find(it => it.dataset.press.startsWith('G.'))";
        // Her chat may be behind the others: the game begins by itself when all seats are taken.
        let all = self.tabs.len();
        let seated = json!(format!("Seat {all}: {}", NAMES[all - 1]));
        let text = "document.querySelector('#log').innerText";
        ann.wait(&format!("{BOARD} || ({text}.includes({seated}) && {start})")).await;
        if ann.run(&format!("return ({BOARD}) === undefined")).await == json!(true) {
            look_and_click(ann, start).await;
        }
        ann.wait(BOARD).await;
        let screens = SCREENS.into_iter().skip(self.screen).take(self.tabs.len());
        for (n, (width, height)) in screens.enumerate() {
            self.at(n).await.screen(width, height).await;
            self.browser.wait(STILL).await;
        }
        self.at(0).await;
    }

    async fn text(&self) -> String {
        let text = format!("return ({BOARD}).querySelector('.text').innerText");
        self.browser.run(&text).await.as_str().unwrap_or_default().to_owned()
    }

    /// Plays to the end, or until the board says something of these, and gives how many presses
    /// that took.
    async fn play(&mut self, until: &[&str]) -> usize {
        let mut here = 0;
        for presses in 0..5_000 {
            let text = self.text().await;
            let over = "document.querySelector('#table .key[data-press^=\"c.\"]') !== null";
            if self.browser.run(&format!("return {over}")).await == json!(true)
                || until.iter().any(|it| text.contains(it))
            {
                return presses;
            }
            let last = text.lines().last().unwrap_or_default();
            let turn = NAMES.iter().position(|it| last.contains(it)).expect("a player is on turn");
            if turn != here {
                here = turn;
                self.at(here).await;
                let same =
                    format!("({BOARD}).querySelector('.text').innerText === {}", json!(text));
                self.browser.wait(&same).await;
            }
            self.act(&text).await;
        }
        panic!("the game does not end");
    }

    /// One touch of the player on turn in this tab, or two: a piece, and where it goes. All that
    /// is touched is seen without scrolling, and so is the whole board.
    async fn act(&mut self, text: &str) {
        let ready = format!("(() => {{ {CHOICES} }})().length > 0 && {STILL}");
        self.browser.wait(&ready).await;
        self.is_whole().await;
        let choices = self.browser.run(CHOICES).await;
        let choices = choices.as_array().expect("a list");
        // Most of what is said in an auction is a pass, or it would never end.
        let pass = choices.iter().find(|it| it[0] == "pass").filter(|_| !self.dice.one_in(4));
        let choice = pass.unwrap_or(&choices[self.dice.below(choices.len())]);
        let key = "[...document.querySelectorAll('#table .key, #table .spot')]";
        let key = format!("{key}[{}]", choice[1]);
        look_at_board(&self.browser, &key).await;
        let before = self.browser.run(&format!("return {PRESSES}")).await;
        self.browser.tap(&key).await;
        let goal = "document.querySelector('#table .goal')";
        // Words come to the chat before the board is there or after it: both are waited for.
        let changed = format!(
            "({BOARD}).querySelector('.text').innerText !== {} && {PRESSES} !== {before}",
            json!(text)
        );
        self.browser.wait(&format!("{goal} || ({changed})")).await;
        if self.browser.run(&format!("return {goal} !== null")).await == json!(true) {
            self.browser.tap(goal).await;
        }
        self.browser.wait(&changed).await;
    }

    /// Board, hand and buttons lie within the window.
    async fn is_whole(&self) {
        let outside = "return [...document.querySelectorAll(
            '#table .picture:not([hidden]), #table .key, #table .spot rect')]
            .map(it => it.getBoundingClientRect())
            .filter(it => it.left < -1 || it.top < -1 || it.width < 20 || it.height < 20
                || it.right > innerWidth + 1 || it.bottom > innerHeight + 1)
            .map(it => JSON.stringify(it)).join()";
        assert_eq!(self.browser.run(outside).await, json!(""), "something is not seen");
    }

    /// Everybody sees the end; each picture of a hand came to one person only.
    async fn ends(&self, sign: &str) {
        for (n, name) in NAMES.into_iter().enumerate().take(self.tabs.len()) {
            let tab = self.at(n).await;
            tab.wait(&format!("({BOARD}).querySelector('.text').innerText.includes('{sign}')"))
                .await;
            tab.screenshot(&format!("four-{name}")).await;
        }
        assert_eq!(self.browser.complaints().await, Vec::<String>::new());
    }
}

fn long() -> bool {
    std::env::var_os("RUN_SLOW_TESTS").is_some()
}

/// A game to its end. Of games of stones the seeds are those of short ones.
async fn whole(command: &str, people: (usize, usize), seed: u64) {
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let Some(mut four) = Four::begin(&program.base, command, people, seed).await else { return };
    let presses = four.play(&[]).await;
    eprintln!("{command}: {presses} presses");
    four.ends("🏆").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_togyzkumalak_on_phones_by_touch_alone() {
    whole("/togyz me", (2, 0), 106).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_togyzkumalak_on_desks_by_touch_alone() {
    whole("/togyz me", (2, 2), 76).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finger_that_rests_asks_and_two_presses_are_two() {
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let Some(two) = Four::begin(&program.base, "/togyz me", (2, 0), 33).await else { return };
    let ann = two.at(0).await;
    let spot = "[...document.querySelectorAll('#table .spot')]
        .find(it => it.dataset.label.startsWith('3 '))";
    look(ann, spot).await;
    let before = two.text().await;
    ann.lay_finger(spot).await;
    ann.wait(&format!("{spot}.dataset.held === 'yes'")).await;
    let would = "document.querySelector('#move-preview:not([hidden])').innerText";
    ann.wait(&format!("{would} === '3 → pit 2, +10'")).await;
    ann.wait("document.querySelector('#table .lead.takes')").await;
    ann.lift_finger().await;
    ann.wait("document.querySelector('#move-preview').hidden").await;
    assert_eq!(two.text().await, before, "it was a question");

    ann.run("document.querySelector('#chat-open').click()").await;
    say(ann, "/confirm on").await;
    ann.wait("document.querySelector('.message.only')").await;
    ann.run("document.querySelector('#chat-open').click()").await;
    ann.tap(spot).await;
    ann.wait(&format!("{spot}.matches('.armed')")).await;
    assert_eq!(two.text().await, before, "the first press asks");
    ann.tap(spot).await;
    ann.wait(&format!("({BOARD}).querySelector('.text').innerText.includes('captures 10')")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_thaayam() {
    let game = if long() { "/thaayam players=4" } else { "/thaayam players=4 pieces=1" };
    whole(game, (4, 0), 31).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_a_match_of_blot() {
    if long() {
        return whole("/blot", (4, 0), 32).await;
    }
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let Some(mut four) = Four::begin(&program.base, "/blot", (4, 0), 32).await else { return };
    // Made or not: the first deal is over.
    let presses = four.play(&["✅", "❌"]).await;
    eprintln!("a deal: {presses} presses");
    for n in 0..4 {
        let tab = four.at(n).await;
        tab.wait(&format!("/[✅❌]/.test(({BOARD}).querySelector('.text').innerText)")).await;
        tab.wait(STILL).await;
    }
    let cyd = four.at(2).await;
    say(cyd, "/resign").await;
    say(cyd, "/resign").await;
    let ann = four.at(0).await;
    let agree = "[...document.querySelectorAll('#table .key')]
        .find(it => it.textContent.includes('Accept'))";
    look(ann, agree).await;
    ann.tap(agree).await;
    four.ends("Cyd resigned").await;
}

/// Windows of laptops, of tablets and of phones.
const WINDOWS: [(u32, u32); 9] = [
    (1000, 660),
    (1024, 600),
    (1024, 768),
    (1280, 720),
    (1366, 768),
    (1920, 1080),
    (820, 1180),
    (390, 844),
    (844, 390),
];

/// How wide table and hand are drawn, in CSS pixels: the narrower of the two.
const DRAWN: &str = "return Math.min(...[...document.querySelectorAll('#table .sheet')].map(it => {
    const { width, height } = it.getBoundingClientRect(), seen = it.viewBox.baseVal;
    return seen.width * Math.min(width / seen.width, height / seen.height);
}))";

#[tokio::test(flavor = "multi_thread")]
async fn cards_stay_large_beside_all_that_can_be_bid() {
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let begun = Four::begin(&program.base, "/blot computer easy", (1, 2), 40).await;
    let Some(mut four) = begun else { return };
    say(four.at(0).await, "/language hy").await;
    loop {
        let some = format!("(() => {{ {CHOICES} }})().length > 0 && {STILL}");
        four.browser.wait(&some).await;
        let choices = four.browser.run(CHOICES).await;
        if choices.as_array().is_some_and(|it| it.len() > 8) {
            break;
        }
        let text = four.text().await;
        four.act(&text).await;
    }
    for (width, height) in WINDOWS {
        four.browser.screen(width, height).await;
        four.browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
        if four.browser.run("return document.body.matches('.chat-open')").await == json!(true) {
            four.browser.run("document.querySelector('#chat-open').click()").await;
        }
        four.is_whole().await;
        let drawn = four.browser.run(DRAWN).await.as_f64().unwrap();
        let wide = if width < 1000 { 240.0 } else { 350.0 };
        assert!(drawn > wide, "{width} by {height}: cards {drawn} wide");
        four.browser.screenshot(&format!("bids-{width}-{height}")).await;
    }
}
