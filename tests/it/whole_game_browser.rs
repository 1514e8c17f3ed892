//! A whole game in a real browser: the program itself, its page, two people in two tabs.

use std::path::Path;

use caravanserai_table::verify::verify_record;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_program::Program;
use crate::webdriver::{Browser, keys};

/// The newest board in the room.
const BOARD: &str =
    "[...document.querySelectorAll('.message.bot.picture-message:not(.only)')].at(-1)";

/// Two tabs and whose they are.
struct Two {
    browser: Browser,
    ann: String,
    bek: String,
}

impl Two {
    async fn ann(&self) -> &Browser {
        self.browser.switch(&self.ann).await;
        &self.browser
    }

    async fn bek(&self) -> &Browser {
        self.browser.switch(&self.bek).await;
        &self.browser
    }
}

/// Waits until the living board says this and nothing moves on it.
pub async fn board_says(browser: &Browser, words: &str) {
    let words = json!(words);
    browser
        .wait(&format!(
            "(table => !table.hidden && !table.classList.contains('moving') \
              && table.querySelector('#table-text').textContent.includes({words}) \
              && table.querySelectorAll('#table-board use').length > 9) \
              (document.querySelector('#table'))"
        ))
        .await;
}

/// Presses a button of the living board, or of the newest message that has it, by what it shows.
pub async fn press(browser: &Browser, label: &str) {
    press_where(browser, &format!("it.dataset.label.includes({})", json!(label))).await;
}

/// Sows from a pit by its button.
pub async fn sow(browser: &Browser, pit: &str) {
    press_where(browser, &format!("/^p\\..*\\.{pit}$/.test(it.dataset.press)")).await;
}

pub async fn press_where(browser: &Browser, wanted: &str) {
    let key = format!(
        "[...document.querySelectorAll('.message.bot'), document.querySelector('#table'),
            document.querySelector('#viewer')].filter(Boolean).reverse()
            .flatMap(it => [...it.querySelectorAll('.key, .spot')]).find(it => {wanted})"
    );
    look_and_click(browser, &key).await;
}

/// People look before they press, and a press on something that has just moved under the finger
/// does not count.
pub async fn look(browser: &Browser, key: &str) {
    stands_still(browser, key, 600).await;
}

/// The same at a board, where only the page counts the time: its clock goes ahead instead.
pub async fn look_at_board(browser: &Browser, key: &str) {
    stands_still(browser, key, 60).await;
    let pass = "if (window.ahead === undefined) {
            const now = performance.now.bind(performance);
            window.ahead = 0;
            performance.now = () => now() + window.ahead;
        }
        window.ahead += 600;";
    browser.run(pass).await;
}

async fn stands_still(browser: &Browser, key: &str, ms: u32) {
    let looked = format!(
        "(() => {{ const it = ({key})?.dataset, now = performance.now();
            const press = it && it.press + it.label;
            if (!press || window.looked?.press !== press) window.looked = {{ press, now }};
            return press && now - window.looked.now > {ms}; }})()"
    );
    browser.wait(&looked).await;
}

/// The same, and presses.
pub async fn look_and_click(browser: &Browser, key: &str) {
    look(browser, key).await;
    let click = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    browser.run(&format!("({key}).{click}")).await;
}

/// Replies to the newest board, by keyboard alone.
async fn reply(browser: &Browser, words: &str) {
    browser.run(&format!("{BOARD}.focus()")).await;
    browser.keys("r").await;
    browser.wait("!document.querySelector('#reply').hidden").await;
    browser.keys(words).await;
    browser.keys(keys::ENTER).await;
}

async fn text(browser: &Browser, script: &str) -> String {
    browser.run(script).await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_a_whole_game() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let ann = browser.tab().await;
    come_in(&browser, &program.base, "Ann").await;
    let bek = browser.new_tab().await;
    come_in(&browser, &program.base, "Bek").await;
    let two = Two { browser, ann, bek };
    opens(&two).await;
    let program = plays(&two, program, folder.path()).await;
    ends(&two).await;
    again(&two).await;
    assert_eq!(two.browser.complaints().await, Vec::<String>::new());
    drop(program);
}

/// From the first letter typed to the first board.
async fn opens(two: &Two) {
    let ann = two.ann().await;
    ann.find("#text").await.type_in("/to").await;
    ann.wait("document.querySelector('#offers [aria-selected=true] b').innerText === '/togyz'")
        .await;
    ann.keys(keys::ENTER).await;
    ann.wait("document.querySelector('#text').value === '/togyz '").await;
    ann.keys(keys::ESCAPE).await;
    ann.keys(keys::ENTER).await;
    press(ann, "⚙ Settings").await;
    press(ann, "First: at random").await;
    press(two.bek().await, "Join").await;
    board_says(two.bek().await, "Ann is to move").await;
}

/// The eleven moves of the shortest game, made in every way there is.
async fn plays(two: &Two, program: Program, folder: &Path) -> Program {
    let ann = two.ann().await;
    board_says(ann, "Ann is to move").await;
    let id = text(ann, &format!("return {BOARD}.id")).await;
    let board = "return document.querySelector('#table-board svg').outerHTML";
    let before = text(ann, board).await;
    sow(ann, "9").await;
    board_says(ann, "Bek is to move").await;
    let after = text(ann, board).await;
    assert_ne!(before, after, "the picture has changed");
    assert_eq!(id, text(ann, &format!("return {BOARD}.id")).await, "in the same message");

    // Not Ann's turn: only she gets the reply.
    say(ann, "/move 1").await;
    let told = "[...document.querySelectorAll('.message.only')].map(it => it.innerText).join()";
    ann.wait(&format!("{told}.includes('Bek’s turn')")).await;
    let bek = two.bek().await;
    board_says(bek, "Bek is to move").await;
    assert!(!text(bek, &format!("return {told}")).await.contains("turn"));
    say(bek, "/move 2").await;
    board_says(bek, "Ann is to move").await;

    let ann = two.ann().await;
    board_says(ann, "Ann is to move").await;
    reply(ann, "8").await;
    board_says(ann, "Bek is to move").await;
    by_keys(two.bek().await).await;

    // The program dies and comes back; the tabs find it again.
    let port = program.kill();
    two.bek().await.wait("!document.querySelector('#offline').hidden").await;
    let program = Program::start_at(folder, port);
    for tab in [&two.ann, &two.bek] {
        two.browser.switch(tab).await;
        two.browser.wait("document.querySelector('#offline').hidden").await;
    }

    for (n, pit) in ["7", "2", "6", "1", "9", "2"].into_iter().enumerate() {
        let mover = if n % 2 == 0 { two.ann().await } else { two.bek().await };
        turn(mover, pit).await;
    }
    program
}

/// The first pit, chosen on the board by keys alone.
async fn by_keys(mover: &Browser) {
    board_says(mover, "Bek is to move").await;
    let first = "document.querySelector('#table .spot[tabindex=\"0\"]')";
    look(mover, first).await;
    mover.run(&format!("{first}.focus()")).await;
    mover.keys(&[keys::RIGHT, keys::RIGHT, keys::LEFT, keys::LEFT, keys::ENTER].concat()).await;
    board_says(mover, "Ann is to move").await;
}

/// One's own turn: waits for it and presses.
async fn turn(mover: &Browser, pit: &str) {
    let name = text(mover, "return document.querySelector('#me-open').innerText").await;
    let name = if name.contains("Ann") { "Ann" } else { "Bek" };
    board_says(mover, &format!("{name} is to move")).await;
    sow(mover, pit).await;
    let other = if name == "Ann" { "Bek" } else { "Ann" };
    board_says(mover, &format!("{other} is to move")).await;
}

/// The last move, the result, and the record.
async fn ends(two: &Two) {
    let ann = two.ann().await;
    board_says(ann, "Ann is to move").await;
    sow(ann, "5").await;
    board_says(ann, "Ann wins").await;
    board_says(two.bek().await, "Ann wins, 88 : 10").await;
    let boards = "return document.querySelectorAll('.message.bot.picture-message').length";
    assert_eq!(two.bek().await.run(boards).await, json!(1), "one board for the whole game");

    let ann = two.ann().await;
    // What the page hands to the browser to be saved.
    ann.run(
        "const make = URL.createObjectURL; window.saved = [];
         URL.createObjectURL = blob => { window.saved.push(blob); return make.call(URL, blob); };",
    )
    .await;
    press(ann, "Game record").await;
    ann.find(".message.only .file").await.click().await;
    ann.wait("window.saved.length === 1").await;
    let record = text(ann, "return window.saved[0].text()").await;
    let report = verify_record(&record).unwrap();
    assert!(report.is_complete, "{report:?}");
    let others = two.bek().await.run("return document.querySelectorAll('.file').length").await;
    assert_eq!(others, Value::from(0), "the record went to the one who asked");
}

/// Once more, with sides exchanged.
async fn again(two: &Two) {
    press(two.ann().await, "Rematch").await;
    let bek = two.bek().await;
    board_says(bek, "Ann wants to play again").await;
    press(bek, "Accept").await;
    board_says(bek, "Bek is to move").await;
    board_says(two.ann().await, "Bek is to move").await;
    sow(two.bek().await, "3").await;
    board_says(two.ann().await, "Ann is to move").await;
}

/// What people see on screens of every size, to be looked at by people.
#[tokio::test(flavor = "multi_thread")]
async fn pages_fit_every_screen() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let ann = browser.tab().await;
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    let bek = browser.new_tab().await;
    come_in(&browser, &program.base, "Bek").await;
    browser.calm().await;
    let two = Two { browser, ann, bek };
    let ann = two.ann().await;
    looks(ann, "empty").await;
    say(ann, "/togyz me").await;
    ann.wait("document.querySelector('#table.waiting .key')").await;
    looks(ann, "lobby").await;
    press(two.bek().await, "Join").await;
    let order = ["9", "2", "8", "1", "7", "2", "6", "1", "9", "2"];
    for (n, pit) in order.into_iter().enumerate() {
        turn(if n % 2 == 0 { two.ann().await } else { two.bek().await }, pit).await;
        if n == 4 {
            let ann = two.ann().await;
            say(ann, "/move 1").await;
            ann.wait("document.querySelector('.message.only')").await;
            looks(ann, "play").await;
        }
    }
    let ann = two.ann().await;
    board_says(ann, "Ann is to move").await;
    say(ann, "/draw").await;
    let bek = two.bek().await;
    board_says(bek, "offers a draw").await;
    looks(bek, "offer").await;
    sow(two.ann().await, "5").await;
    board_says(two.ann().await, "Ann wins").await;
    looks(two.ann().await, "over").await;
    private_pages(two.ann().await).await;
    for (n, language) in (2..).zip(["ru", "kk", "hy"]) {
        in_language(&two, language, n).await;
    }
}

/// The same people in another language; `boards` there will be.
async fn in_language(two: &Two, language: &str, boards: usize) {
    let ann = two.ann().await;
    ann.run("document.querySelector('#me-open').click()").await;
    let choice = format!("document.querySelector('#mine[open] [lang={language}]')");
    ann.wait(&choice).await;
    ann.run(&format!("{choice}.click()")).await;
    ann.wait(&format!("document.documentElement.lang === '{language}'")).await;
    ann.run("document.querySelector('#mine .stack [data-close]').click()").await;
    ann.wait("!document.querySelector('#mine').open").await;
    ask(ann, &format!("/language {language}")).await;
    for command in ["help", "rules togyz"] {
        ask(ann, &format!("/{command}")).await;
        let name = command.split(' ').next().unwrap_or_default();
        looks(ann, &format!("{name}-{language}")).await;
    }
    press(ann, "▸").await;
    ann.wait("document.querySelectorAll('#viewer:not([hidden]) #viewer-board use').length > 9")
        .await;
    looks(ann, &format!("lesson-{language}")).await;
    ask(ann, &format!("/language chat {language}")).await;
    say(ann, "/togyz me").await;
    looks(ann, &format!("lobby-{language}")).await;
    press_where(two.bek().await, "it.dataset.press.startsWith('j.')").await;
    let all = ".message.bot.picture-message:not(.only)";
    let ann = two.ann().await;
    ann.wait(&format!("document.querySelectorAll('{all}').length === {boards}")).await;
    sow(ann, "7").await;
    board_says(ann, "→").await;
    looks(ann, &format!("play-{language}")).await;
}

/// How many messages only this person sees.
async fn told(browser: &Browser) -> u64 {
    let count = "return document.querySelectorAll('.message.only').length";
    browser.run(count).await.as_u64().unwrap()
}

/// Writes a command and waits for its private answer. What could not be done has one place: the
/// next such answer takes it.
async fn ask(browser: &Browser, command: &str) {
    let known = "document.querySelectorAll('.message.only').forEach(it => it.dataset.known = 1)";
    browser.run(known).await;
    say(browser, command).await;
    browser.wait("document.querySelector('.message.only:not([data-known])')").await;
}

/// All private replies to one person, and the rules from the first page to the last.
async fn private_pages(browser: &Browser) {
    for command in ["help", "language", "text", "rules togyz"] {
        ask(browser, &format!("/{command}")).await;
        looks(browser, command.split(' ').next().unwrap_or_default()).await;
    }
    let count = told(browser).await;
    for page in 2..=6 {
        press(browser, "▸").await;
        // Pages turn, they do not pile up.
        browser
            .wait(&format!(
                "document.querySelector('#viewer-text').textContent.endsWith('{page} of 14')
                    && document.querySelectorAll('#viewer-board use').length > 9"
            ))
            .await;
        assert_eq!(told(browser).await, count, "page {page}");
        looks(browser, &format!("lesson-{page}")).await;
    }
    press(browser, "◂").await;
    browser.wait("document.querySelectorAll('#viewer-keys .key').length === 6").await;
}

/// Nothing is wider than the screen; saves pictures for people who want to see them.
async fn looks(browser: &Browser, name: &str) {
    let shoots = std::env::var_os("SCREENSHOTS_DIR").is_some();
    for (width, height) in [(320, 640), (640, 900), (1280, 900)] {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width}")).await;
        let wide = "return Math.max(document.documentElement.scrollWidth, \
                    document.querySelector('#log').scrollWidth)";
        assert!(browser.run(wide).await.as_u64().unwrap() <= u64::from(width), "{name} {width}");
        if !shoots {
            continue;
        }
        browser.wait("document.querySelector('#side').getAnimations().length === 0").await;
        for scheme in ["light", "dark"] {
            browser.colours(scheme).await;
            browser.screenshot(&format!("{name}-{width}-{scheme}")).await;
        }
    }
}
