//! Accessibility of the page: axe-core checks each view, light and dark, on a phone and on a
//! desktop.

use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::own_games::after_a_game;
use crate::page_program::Program;
use crate::viewer_browser::Others;
use crate::webdriver::{Browser, keys};

/// What counts: what keeps some people out. All rules of axe-core are asked.
const LOOK: &str = "const done = arguments[0];
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        done(violations.filter(it => ['serious', 'critical'].includes(it.impact))
            .flatMap(it => it.nodes.map(node =>
                `${it.id}: ${node.target.join(' ')}: ${node.failureSummary}`))));";

const SCREENS: [(u32, u32); 2] = [(390, 844), (1280, 800)];

struct Looker {
    browser: Browser,
    axe: String,
    found: Vec<String>,
}

impl Looker {
    /// With a browser, if there is one here.
    async fn start() -> Option<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/axe/axe.min.js");
        let axe = std::fs::read_to_string(path).unwrap();
        Some(Self { browser: Browser::start().await?, axe, found: Vec::new() })
    }

    async fn nothing_found(&self) {
        assert_eq!(self.found, Vec::<String>::new(), "{}", self.found.join("\n"));
        assert_eq!(self.browser.complaints().await, Vec::<String>::new());
    }

    /// Looks at what is there now.
    async fn look(&mut self, name: &str) {
        for (width, height) in SCREENS {
            self.browser.screen(width, height).await;
            for scheme in ["light", "dark"] {
                self.browser.colours(scheme).await;
                self.browser
                    .wait(&format!("matchMedia('(prefers-color-scheme: {scheme})').matches"))
                    .await;
                let at_rest = "document.getAnimations().every(it => it.playState !== 'running' \
                               || it.effect.getTiming().iterations === Infinity)";
                self.browser.wait(at_rest).await;
                if self.browser.run("return typeof axe").await == json!("undefined") {
                    self.browser.run(&self.axe).await;
                }
                let found = self.browser.ask(LOOK).await;
                let found = found.as_array().expect("a list").iter();
                self.found.extend(found.map(|it| format!("{name} {width} {scheme}: {it}")));
                self.browser.screenshot(&format!("axe-{name}-{width}-{scheme}")).await;
            }
        }
        self.browser.screen(1280, 900).await;
    }

    /// A dialog, opened by its button, and closed.
    async fn look_at(&mut self, button: &str, dialog: &str) {
        self.browser.run(&format!("document.querySelector('{button}').click()")).await;
        self.browser.wait(&format!("document.querySelector('{dialog}').open")).await;
        self.look(dialog.trim_start_matches('#')).await;
        self.browser.keys(keys::ESCAPE).await;
        self.browser.wait(&format!("!document.querySelector('{dialog}').open")).await;
    }

    /// Another room, so that one view is not part of the other.
    async fn room(&self, name: &str) {
        self.browser.run(&format!("location.hash = '#/{name}'")).await;
        self.browser
            .wait(&format!("document.querySelector('#room-name').textContent === '{name}'"))
            .await;
    }
}

/// A board on which this person is to do something.
const MINE: &str = "document.querySelector('#table:not([hidden]):not(.moving)') \
    && [...document.querySelectorAll('#table .spot, #table .key')] \
        .some(it => it.matches('.spot') || it.dataset.press.startsWith('p.'))";

#[tokio::test(flavor = "multi_thread")]
async fn every_view_is_open_to_everybody() {
    let Some(mut looker) = Looker::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());

    looker.browser.open(&program.base).await;
    looker.browser.wait("document.querySelector('#welcome').open").await;
    looker.look("welcome").await;
    come_in(&looker.browser, &program.base, "Ann").await;
    looker.look("empty").await;
    looker.look_at("#room-new-open", "#room-new").await;
    looker.look_at("#people-open", "#people").await;
    looker.look_at("#me-open", "#mine").await;
    looker.look_at("#shortcuts-open", "#shortcuts").await;
    for command in ["settings", "rules", "help"] {
        looker.room(command).await;
        say(&looker.browser, &format!("/{command}")).await;
        looker.browser.wait("document.querySelector('.message.only')").await;
        looker.look(command).await;
    }
    looker.room("lobby-of-a-table").await;
    say(&looker.browser, "/blot").await;
    let join = "document.querySelector('#table-keys .key')";
    looker.browser.wait(join).await;
    looker.look("lobby").await;
    for game in ["togyz", "thaayam", "blot"] {
        looker.room(game).await;
        say(&looker.browser, &format!("/{game} computer beginner")).await;
        looker.browser.wait(MINE).await;
        looker.look(game).await;
    }
    looker.browser.screen(390, 844).await;
    looker.browser.run("document.querySelector('#chat-open').click()").await;
    looker.browser.wait("document.querySelector('#chat').offsetParent !== null").await;
    looker.look("drawer").await;
    review(&mut looker).await;
    for document in ["manual", "privacy"] {
        looker.browser.open(&format!("{}/{document}", program.base)).await;
        looker.browser.wait("document.querySelector('main h2')").await;
        looker.look(document).await;
    }
    looker.nothing_found().await;
}

/// What is looked at on the board itself: a game step by step, its review with the better line, a
/// page of a course.
#[tokio::test(flavor = "multi_thread")]
async fn looking_back_and_learning_on_the_board_are_open_to_everybody() {
    let Some(mut looker) = Looker::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&looker.browser, &program.base, "Ann").await;
    let mut all = Others::new(&looker.browser, &program.base, &["Bek"]).await;
    all.says(0, "/togyz me").await;
    all.says(1, "/join").await;
    all.play(5, 50).await;
    all.says(1, "/resign").await;
    all.says(1, "/resign").await;
    looker.browser.wait("document.querySelector('#table .key[data-press^=\"c.\"]')").await;
    let pressed = |label: &str| {
        format!(
            "[...document.querySelectorAll('#table .key')]
                .find(it => it.dataset.label.includes('{label}')).click()"
        )
    };
    looker.browser.run(&pressed("Replay")).await;
    looker.browser.wait("document.querySelector('#viewer:not([hidden])')").await;
    looker.look("replay-on-board").await;
    looker.browser.run("document.querySelector('#viewer-close').click()").await;
    looker.browser.wait("document.querySelector('#viewer').hidden").await;
    looker.browser.run(&pressed("Analysis")).await;
    looker.browser.wait("document.querySelectorAll('#viewer-board .mark').length === 2").await;
    looker.look("review-on-board").await;
    let better = "[...document.querySelectorAll('#viewer .key')]
        .find(it => it.dataset.label.startsWith('✓')).click()";
    looker.browser.run(better).await;
    looker.browser.wait("document.querySelectorAll('#viewer-board .mark').length === 0").await;
    looker.look("better-on-board").await;
    looker.browser.run("document.querySelector('#viewer-close').click()").await;
    say(&looker.browser, "/learn togyzkumalak").await;
    let page = "document.querySelector('#viewer:not([hidden]):not(.with-bar) .key')";
    looker.browser.wait(page).await;
    looker.look("lesson-on-board").await;
    looker.nothing_found().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_finished_games_is_open_to_everybody() {
    let Some(mut looker) = Looker::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    after_a_game(&looker.browser, &program.base).await;
    let verify = "document.querySelector('[data-word=history_verify]')";
    looker.browser.wait(verify).await;
    looker.browser.run(&format!("{verify}.click()")).await;
    looker.browser.wait("document.querySelectorAll('#history .checks p').length >= 2").await;
    looker.look("finished-games").await;
    looker.nothing_found().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rating_lists_and_statistics_are_open_to_everybody() {
    let Some(mut looker) = Looker::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    after_a_game(&looker.browser, &program.base).await;
    looker.browser.find("#history-close").await.click().await;
    looker.browser.find("#ratings-open").await.click().await;
    looker.browser.wait("document.querySelector('#ratings-when .pill')").await;
    looker.look("ratings").await;
    looker.browser.find("#ratings-me").await.click().await;
    looker.browser.wait("document.querySelectorAll('#profile .finished').length === 1").await;
    looker.look("profile").await;
    looker.nothing_found().await;
}

/// A game that is over, its review, its record.
async fn review(looker: &mut Looker) {
    looker.room("togyz").await;
    looker.browser.wait(MINE).await;
    let first = "document.querySelector('#table .spot')";
    for _ in 0..2 {
        looker.browser.run(&format!("{first}.focus()")).await;
        let before = looker.browser.run(&format!("return {first}.dataset.press")).await;
        looker.browser.keys(keys::ENTER).await;
        looker.browser.wait(&format!("{MINE} && {first}.dataset.press !== {before}")).await;
    }
    for words in ["/resign", "/resign"] {
        say(&looker.browser, words).await;
        looker.browser.wait("document.querySelectorAll('.sending').length === 0").await;
    }
    looker.browser.wait("document.querySelector('#table .key[data-press^=\"c.\"]')").await;
    looker.look("over").await;
    say(&looker.browser, "/review").await;
    looker.browser.wait("document.querySelector('.message.only')").await;
    looker.look("review").await;
}
