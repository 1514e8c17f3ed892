//! Four people in four tabs of a real browser, the program itself: a game of Thaayam and a match
//! of Blot to the end. `RUN_SLOW_TESTS` plays the long forms.

use serde_json::json;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::webdriver::Browser;
use crate::whole_game_browser::{Program, look_and_click, press_where};
use crate::whole_games::Dice;

const NAMES: [&str; 4] = ["Ann", "Bek", "Cyd", "Dan"];

/// The newest board in the room.
const BOARD: &str =
    "[...document.querySelectorAll('.message.bot.picture-message:not(.only)')].at(-1)";

/// What this person may press now: cards of the own hand that are marked, else what else plays.
/// Gives [label, index among all buttons of the page].
const CHOICES: &str = "const keys = [...document.querySelectorAll('.message.bot .key')];
    const of = it => it.closest('.message');
    const text = it => of(it).querySelector('.text').innerText;
    const board = (BOARD);
    const hand = [...document.querySelectorAll('.message.only')]
        .findLast(it => it.querySelector('.key[data-press^=\"p.\"]'));
    const all = keys.map((it, n) => [it.innerText, n, it])
        .filter(([, , it]) => /^p\\./.test(it.dataset.press)
            && !it.dataset.press.endsWith('.undo') && [board, hand].includes(of(it)));
    const cards = all.filter(([label, , it]) => text(it).includes(label + '✓'));
    return (cards.length ? cards : all.filter(([, , it]) => of(it) === board))
        .map(([label, n]) => [label, n]);";

struct Four {
    browser: Browser,
    tabs: Vec<String>,
    dice: Dice,
}

impl Four {
    async fn begin(base: &str, seed: u64) -> Option<Self> {
        let browser = Browser::start().await?;
        let mut tabs = Vec::new();
        for (n, name) in NAMES.into_iter().enumerate() {
            let tab = if n == 0 { browser.tab().await } else { browser.new_tab().await };
            come_in(&browser, base, name).await;
            tabs.push(tab);
        }
        Some(Self { browser, tabs, dice: Dice(seed) })
    }

    async fn at(&self, n: usize) -> &Browser {
        self.browser.switch(&self.tabs[n]).await;
        &self.browser
    }

    /// From the command to the first turn.
    async fn sit_down(&self, command: &str) {
        say(self.at(0).await, command).await;
        for (n, name) in NAMES.into_iter().enumerate().skip(1) {
            press_where(self.at(n).await, "it.dataset.press.startsWith('j.')").await;
            let seated = json!(format!("Seat {}: {name}", n + 1));
            let text = "document.querySelector('#log').innerText";
            self.browser.wait(&format!("{text}.includes({seated}) || {BOARD}")).await;
        }
        let ann = self.at(0).await;
        let start = "[...document.querySelectorAll('.key')]
            .find(it => it.dataset.press.startsWith('G.'))";
        ann.wait(&format!("{BOARD} || {start}")).await;
        if ann.run(&format!("return ({BOARD}) === undefined")).await == json!(true) {
            look_and_click(ann, start).await;
        }
        ann.wait(BOARD).await;
    }

    async fn text(&self) -> String {
        let text = format!("return ({BOARD}).querySelector('.text').innerText");
        self.browser.run(&text).await.as_str().unwrap_or_default().to_owned()
    }

    /// Plays to the end and gives how many presses that took.
    async fn play(&mut self) -> usize {
        let mut here = 0;
        for presses in 0..5_000 {
            let text = self.text().await;
            let over = format!("({BOARD}).querySelector('.key[data-press^=\"c.\"]') !== null");
            if self.browser.run(&format!("return {over}")).await == json!(true) {
                return presses;
            }
            let last = text.lines().last().unwrap_or_default();
            let turn = NAMES.iter().position(|it| last.contains(it)).expect("somebody is on turn");
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

    /// One press of whoever is on turn in this tab.
    async fn act(&mut self, text: &str) {
        let script = CHOICES.replace("(BOARD)", BOARD);
        let ready = format!("(() => {{ {script} }})().length > 0");
        self.browser.wait(&ready).await;
        let choices = self.browser.run(&script).await;
        let choices = choices.as_array().expect("a list");
        // Most of what is said in an auction is a pass, or it would never end.
        let pass = choices.iter().find(|it| it[0] == "pass").filter(|_| !self.dice.one_in(4));
        let choice = pass.unwrap_or(&choices[self.dice.below(choices.len())]);
        let key = format!("[...document.querySelectorAll('.message.bot .key')][{}]", choice[1]);
        look_and_click(&self.browser, &key).await;
        let changed = format!("({BOARD}).querySelector('.text').innerText !== {}", json!(text));
        self.browser.wait(&changed).await;
    }

    /// Everybody sees the end; each picture of a hand came to one person only.
    async fn ends(&self) {
        for (n, name) in NAMES.into_iter().enumerate() {
            let tab = self.at(n).await;
            tab.wait(&format!("({BOARD}).querySelector('.text').innerText.includes('🏆')")).await;
            tab.screenshot(&format!("four-{name}")).await;
        }
        assert_eq!(self.browser.complaints().await, Vec::<String>::new());
    }
}

fn long() -> bool {
    std::env::var_os("RUN_SLOW_TESTS").is_some()
}

async fn whole(command: &str, seed: u64) {
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let Some(mut four) = Four::begin(&program.base, seed).await else { return };
    four.sit_down(command).await;
    let presses = four.play().await;
    eprintln!("{command}: {presses} presses");
    four.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_thaayam() {
    whole(if long() { "/thaayam players=4" } else { "/thaayam players=4 pieces=1" }, 31).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_a_match_of_blot() {
    whole(if long() { "/blot" } else { "/blot target=101" }, 32).await;
}
