//! A person who has no mouse and may not see the board: each game to the end by keys alone, with
//! names for everything that can be done and words for everything that happens.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::come_in;
use crate::page_program::Program;
use crate::webdriver::{Browser, keys};
use crate::whole_games::Dice;

/// What has the focus: its label, or what else it is.
const FOCUS: &str = "return document.activeElement.dataset.label
    ?? (document.activeElement.id || document.activeElement.tagName)";

/// What this person may do now: spots and buttons that play, without taking back.
const CHOICES: &str = "[...document.querySelectorAll('#table .spot, #table .key')]
    .filter(it => it.matches('.spot') || /^p\\./.test(it.dataset.press))
    .filter(it => !it.dataset.press.endsWith('.undo'))";

/// Nothing moves on the board.
const STILL: &str = "document.querySelector('#table:not([hidden]):not(.moving) #table-text p')";

/// The game is over: a rematch is offered.
const OVER: &str = "document.querySelector('#table .key[data-press^=\"c.\"]')";

/// A person at a keyboard.
struct Typist {
    browser: Browser,
    dice: Dice,
    _program: Program,
    _folder: TempDir,
}

impl Typist {
    /// Comes in and opens a table against computers, without touching anything.
    async fn begin(command: &str, seed: u64) -> Option<Self> {
        let browser = Browser::start().await?;
        let folder = TempDir::new().unwrap();
        let program = Program::start(folder.path());
        come_in(&browser, &program.base, "Ann").await;
        browser.calm().await;
        browser.keys("/pace quick").await;
        browser.keys(&[keys::ESCAPE, keys::ENTER].concat()).await;
        browser.wait("document.querySelector('.message.only, .toast')").await;
        browser.keys(command).await;
        browser.keys(&[keys::ESCAPE, keys::ENTER].concat()).await;
        browser.wait(STILL).await;
        // From the empty line to the board.
        browser.keys(keys::ESCAPE).await;
        Some(Self { browser, dice: Dice(seed), _program: program, _folder: folder })
    }

    async fn is(&self, expression: &str) -> bool {
        self.browser.run(&format!("return !!({expression})")).await == json!(true)
    }

    async fn text(&self, script: &str) -> String {
        self.browser.run(script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Plays to the end; gives how many things were done.
    async fn play(&mut self) -> usize {
        for acts in 0..2_000 {
            let ready = format!("{STILL} && ({OVER} || ({CHOICES}).length)");
            self.browser.wait(&ready).await;
            if self.is(OVER).await {
                return acts;
            }
            self.act().await;
        }
        panic!("the game does not end");
    }

    /// Goes to something that can be done and does it.
    async fn act(&mut self) {
        let labels = format!("return ({CHOICES}).map(it => it.dataset.label)");
        let choices = self.browser.run(&labels).await;
        let choices = choices.as_array().expect("a list");
        // Most of what is said in an auction is a pass, or it would never end.
        let pass = choices.iter().position(|it| it == "pass").filter(|_| !self.dice.one_in(4));
        let n = pass.unwrap_or_else(|| self.dice.below(choices.len()));
        let wanted = format!("({CHOICES})[{n}]");
        self.to_the_board().await;
        self.to(&wanted).await;
        let named = format!("{wanted}.getAttribute('aria-label') ?? {wanted}.innerText");
        assert!(!self.text(&format!("return {named}")).await.is_empty(), "it has no name");
        let before = self.moves().await;
        self.browser.keys(keys::ENTER).await;
        let changed = format!("!{before}.some(it => ({}).includes(it))", Self::PRESSES);
        self.browser.wait(&format!("document.querySelector('#table .goal') || {changed}")).await;
        if self.is("document.querySelector('#table .goal')").await {
            // Where to: the focus is there already.
            self.browser.wait("document.activeElement.matches('.goal')").await;
            self.browser.keys(keys::ENTER).await;
        }
        self.browser.wait(&changed).await;
    }

    /// What can be pressed.
    const PRESSES: &str = "[...document.querySelectorAll('#table [data-press]')]
        .map(it => it.dataset.press)";

    /// The moves that can be pressed: they name the moment they are for, so that none of them is
    /// left when it is over.
    async fn moves(&self) -> Value {
        let moves = format!("return ({CHOICES}).map(it => it.dataset.press).filter(it => it)");
        self.browser.run(&moves).await
    }

    /// The focus is where it was in the turn before; at first, and where it was lost, Tab finds
    /// the way.
    async fn to_the_board(&self) {
        for _ in 0..60 {
            if self.is("document.activeElement.closest('#table') !== null").await {
                return;
            }
            self.browser.keys(keys::TAB).await;
        }
        panic!("Tab never comes to the board: {}", self.browser.run(FOCUS).await);
    }

    /// Along spots and buttons with Tab and arrows.
    async fn to(&self, wanted: &str) {
        for _ in 0..80 {
            let way = format!(
                "const here = document.activeElement, wanted = {wanted};
                 const group = it => it.closest('.spots, #table-keys');
                 if (here === wanted) return 'here';
                 if (group(here) === group(wanted)) return 'along';
                 return here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING
                     ? 'on' : 'back';"
            );
            let key = match self.text(&way).await.as_str() {
                "here" => return,
                "along" => keys::RIGHT.to_owned(),
                "on" => keys::TAB.to_owned(),
                _ => [keys::SHIFT, keys::TAB].concat(),
            };
            self.browser.keys(&key).await;
            // At the end of the buttons there is a way back.
            let last = "document.activeElement === [...document.querySelectorAll('#table .key')]
                .at(-1)";
            if key == keys::RIGHT && self.is(last).await {
                let there = format!("document.activeElement === {wanted}");
                if !self.is(&there).await {
                    self.browser.keys(keys::HOME).await;
                }
            }
        }
        panic!("no key leads to it from {}", self.browser.run(FOCUS).await);
    }

    /// What happened was said, and how it ended.
    async fn ends(&self) {
        self.browser.wait("document.querySelector('#said').textContent.includes('🏆')").await;
        let board = "document.querySelector('#table-board svg[role=img]').ariaLabel";
        assert!(self.text(&format!("return {board}")).await.len() > 40, "the board has no words");
        assert_eq!(self.browser.complaints().await, Vec::<String>::new());
    }
}

async fn whole(command: &str, seed: u64) {
    let Some(mut typist) = Typist::begin(command, seed).await else { return };
    let acts = typist.play().await;
    eprintln!("{command}: {acts} acts by keys");
    typist.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn togyzkumalak_is_played_by_keyboard_alone() {
    whole("/togyz computer beginner", 41).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thaayam_is_played_by_keyboard_alone() {
    whole("/thaayam computer beginner players=2 pieces=2", 42).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_of_blot_is_played_by_keyboard_alone() {
    whole("/blot computer beginner target=101", 43).await;
}

/// Where the focus goes: to the line and back to the board, into the list of keys, and to the same
/// place in the next turn.
#[tokio::test(flavor = "multi_thread")]
async fn the_focus_is_never_lost() {
    let Some(mut typist) = Typist::begin("/togyz computer beginner", 44).await else { return };
    typist.browser.wait("document.activeElement.matches('.spot')").await;
    typist.browser.keys(&[keys::RIGHT, keys::RIGHT].concat()).await;
    let third = "document.activeElement === document.querySelectorAll('#table .spot')[2]";
    typist.browser.wait(third).await;
    let would = "document.activeElement.ariaLabel.includes('→') \
                 && !document.querySelector('#move-preview').hidden";
    typist.browser.wait(would).await;
    typist.browser.keys(keys::ESCAPE).await;
    typist.browser.wait("document.activeElement.id === 'text'").await;
    typist.browser.keys(keys::ESCAPE).await;
    typist.browser.wait(third).await;
    typist.browser.keys("?").await;
    typist.browser.wait("document.querySelector('#shortcuts').open").await;
    typist.browser.keys(keys::ESCAPE).await;
    typist.browser.wait("!document.querySelector('#shortcuts').open").await;
    typist.browser.wait(third).await;
    typist.act().await;
    let again = format!("({CHOICES}).length && document.activeElement.matches('.spot')");
    typist.browser.wait(&again).await;
    // What is typed on the board, and is no key of it, is written in the line.
    typist.browser.keys(keys::ESCAPE).await;
    typist.browser.keys("a word").await;
    typist.browser.wait("document.querySelector('#text').value === 'a word'").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_letter_of_a_shortcut_is_found_on_keyboards_of_other_alphabets() {
    let Some(typist) = Typist::begin("/togyz computer beginner", 45).await else { return };
    let browser = &typist.browser;
    let press = |place: &str, key: &str| {
        format!(
            "document.querySelector('{place}').dispatchEvent(new KeyboardEvent('keydown',
                {{ key: '{key}', code: 'KeyR', bubbles: true, cancelable: true }}))"
        )
    };
    let is_closed = "(document.querySelector('#viewer')?.hidden ?? true)";
    for key in ["к", "ր", "ர", "r"] {
        browser.run(&press("#table", key)).await;
        browser.wait(&format!("!{is_closed}")).await;
        browser.run("document.querySelector('#viewer-close').click()").await;
        browser.wait(is_closed).await;
    }
    browser.run(&press(".message.bot:not(.only)", "p")).await;
    let is_free = "document.querySelector('#reply').hidden";
    assert_eq!(browser.run(&format!("return {is_free}")).await, json!(true), "another letter");
    browser.run(&press(".message.bot:not(.only)", "к")).await;
    browser.wait(&format!("!{is_free}")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
