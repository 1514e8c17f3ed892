//! The finished games of a person on the page: what it shows, to whom, and how it is used in a real
//! browser.

use std::sync::Arc;

use caravanserai_store::memory::MemoryStore;
use caravanserai_table::verify::verify_record;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::come_in;
use crate::page_program::Program;
use crate::stage::play;
use crate::stage::web::WebStage;
use crate::table_state::{acts_once, people};
use crate::viewer_browser::Others;
use crate::webdriver::{Browser, keys};
use crate::whole_games::Dice;

/// Ann and Bek play, and Bek resigns; gives the table.
async fn won_by_ann(stage: &mut WebStage) -> String {
    play("opens", "Ann says /togyz @Bek me\nBek presses Accept", stage).await;
    let tables = stage.own_tables("Ann").await;
    let table = tables["tables"][0]["table"].as_str().unwrap().to_owned();
    let record = format!("games/{table}/record");
    let mut dice = Dice(3);
    for _ in 0..24 {
        acts_once(stage, &table, &mut dice).await;
    }
    assert_eq!(stage.refused("Ann", &record).await, 404, "its seed is a secret while it runs");
    assert_eq!(stage.own("Ann", "games").await["games"], json!([]));
    play("ends", "Bek says /resign\nBek says /resign\n5 seconds pass", stage).await;
    table
}

#[tokio::test]
async fn players_get_their_finished_games_and_nobody_else_does() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    let table = won_by_ann(&mut stage).await;
    let game = |page: &Value| {
        assert_eq!(page["games"].as_array().unwrap().len(), 1, "{page}");
        assert_eq!(page["next"], Value::Null);
        page["games"][0].clone()
    };
    let (won, lost) =
        (game(&stage.own("Ann", "games").await), game(&stage.own("Bek", "games").await));
    for it in [&won, &lost] {
        assert_eq!((&it["table"], &it["game"]), (&json!(table), &json!("togyzkumalak")));
        assert_eq!(it["room"], "family");
        assert!(it["ended_ms"].as_u64().unwrap() > 0);
    }
    assert_eq!((&won["outcome"], &won["opponents"]), (&json!("won"), &json!(["Bek"])));
    assert_eq!((&lost["outcome"], &lost["opponents"]), (&json!("lost"), &json!(["Ann"])));
    match won["casual"].as_str() {
        Some(reason) => assert!(won["rating"].is_null() && !reason.is_empty()),
        None => assert!(won["rating"]["after"].as_i64() > won["rating"]["before"].as_i64()),
    }
    // Of one game only.
    let of =
        async |game: &str| stage.own("Ann", &format!("games?game={game}")).await["games"].clone();
    assert_eq!(of("togyzkumalak").await.as_array().unwrap().len(), 1);
    assert_eq!(of("thaayam").await, json!([]));
    // The record is whole, and a replay is seen from the private chat.
    let path = format!("games/{table}/record");
    let record = stage.own("Ann", &path).await;
    assert_eq!(record["name"], format!("togyzkumalak-{table}.txt"));
    verify_record(record["text"].as_str().unwrap()).unwrap();
    assert_eq!(stage.own("Bek", &path).await, record);
    let replay = format!("rooms/@/tables/{table}/replay");
    assert!(stage.own("Bek", &replay).await["steps"].as_u64().unwrap() > 20);
    // Cyd was in the room, and has played nothing.
    assert_eq!(stage.own("Cyd", "games").await["games"], json!([]));
    for path in [&*path, &*replay, "games/nothing/record"] {
        assert_eq!(stage.refused("Cyd", path).await, 404, "{path}");
    }
    let long = "1".repeat(81);
    assert_eq!(stage.refused("Ann", &format!("games?after={long}")).await, 400);
}

#[tokio::test]
async fn a_player_who_gave_up_the_seat_gets_the_record_after_the_game() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    let opening = "Ann says /thaayam me @Bek @Cyd\nBek presses Accept\nCyd presses Accept";
    play("opens", &format!("{opening}\nAnn says /begin"), &mut stage).await;
    let tables = stage.own_tables("Ann").await;
    let table = tables["tables"][0]["table"].as_str().unwrap().to_owned();
    let path = format!("games/{table}/record");
    let mut dice = Dice(5);
    for _ in 0..12 {
        acts_once(&mut stage, &table, &mut dice).await;
    }
    let leaves = "Cyd says /resign\nCyd says /resign\neveryone sees substitutes for Cyd";
    play("leaves", leaves, &mut stage).await;
    assert_eq!(stage.refused("Cyd", &path).await, 404, "its seed is a secret while it runs");
    let ends = "Bek says /resign\nBek says /resign\neveryone sees substitutes for Bek
        Ann says /resign\nAnn says /resign\n5 seconds pass";
    play("ends", ends, &mut stage).await;
    let record = stage.own("Ann", &path).await;
    assert_eq!(record["name"], format!("thaayam-{table}.txt"));
    for leaver in ["Bek", "Cyd"] {
        assert_eq!(stage.own(leaver, "games").await["games"][0]["table"], json!(table));
        assert_eq!(stage.own(leaver, &path).await, record, "{leaver}");
    }
    // Dan was in the room, and has played nothing.
    assert_eq!(stage.refused("Dan", &path).await, 404);
}

/// Ann has won a game against Bek in a browser, and looks at her finished games.
pub async fn after_a_game(browser: &Browser, base: &str) -> String {
    after_a_game_of(browser, base, 50).await
}

/// Like [`after_a_game`], with this number of steps before Bek resigns.
async fn after_a_game_of(browser: &Browser, base: &str, steps: u64) -> String {
    come_in(browser, base, "Ann").await;
    browser.calm().await;
    let mut all = Others::new(browser, base, &["Bek"]).await;
    all.says(0, "/togyz").await;
    all.says(1, "/join").await;
    let table = all.play(5, steps).await;
    all.says(1, "/resign").await;
    all.says(1, "/resign").await;
    browser.wait("document.querySelector('#table .key[data-press^=\"c.\"]')").await;
    // The result is listed when its ratings are computed.
    let listed = "(window.asked ??= fetch('/api/games', { headers: { Authorization:
        'Bearer ' + JSON.parse(sessionStorage.getItem('me')).token } })
        .then(it => it.json()).then(it => window.listed = it.games?.length)
        .finally(() => setTimeout(() => window.asked = null, 200)), window.listed > 0)";
    browser.wait(listed).await;
    browser.find("#games-open").await.click().await;
    browser.find("#history-open").await.click().await;
    table
}

/// The texts of the check of the only game.
const CHECKS: &str = "[...document.querySelectorAll('#history .checks p')]";

/// The logs of games with throws, in the file of the record that the program gives.
fn stored_record(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/stored/1");
    let read = |end: &str| std::fs::read_to_string(format!("{folder}/{name}.{end}")).unwrap();
    let table = read("txt").lines().next().unwrap().to_owned();
    let log: String = read("log").lines().map(|line| format!("% {line}\n")).collect();
    format!("% {table}\n% commitment -\n% log\n{log}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_throw_does_not_pass_the_check_of_the_page() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    browser.tab().await;
    come_in(&browser, &program.base, "Ann").await;
    let wrong = async |text: &str| {
        let text = json!(text);
        let script = format!(
            "import('/web/verify.js').then(it => it.check({text})) \
             .then(it => arguments[0]([it.chance, it.wrong]))"
        );
        browser.ask(&script).await
    };
    for name in ["hinted-1", "timed"] {
        let record = stored_record(name);
        let count = record.matches(" chance ").count();
        assert_eq!(wrong(&record).await, json!([count, null]), "{name}");
        let line = record.lines().find(|it| it.contains(" chance ")).unwrap();
        let number = line.split(' ').nth(1).unwrap();
        let (before, outcome) = line.rsplit_once(' ').unwrap();
        let changed = record.replacen(line, &format!("{before} 4{outcome}"), 1);
        assert_eq!(wrong(&changed).await, json!([count, number]), "{name}");
        // A linked account from which a player took a seat was deleted: chance followed from it.
        let seated = record.lines().find(|it| it.contains(" sit ")).unwrap();
        let cause = seated.split(' ').nth(3).unwrap();
        let deleted = record.replacen(&format!(" {cause} sit "), " web/deleted:x/k sit ", 1);
        assert_ne!(deleted, record);
        assert_eq!(wrong(&deleted).await, json!([count, "open"]), "{name}");
    }
}

/// A record with another fingerprint, another seed or another lot does not pass the check.
async fn finds_what_was_changed(browser: &Browser, record: &str) {
    let check = async |text: &str| {
        let text = json!(text);
        let script =
            format!("import('/web/verify.js').then(it => it.check({text})).then(arguments[0])");
        browser.ask(&script).await
    };
    let (seed, lot) = (|it: &Value| it["seed"].clone(), |it: &Value| it["lot"].clone());
    let found = check(record).await;
    assert_eq!((seed(&found), lot(&found)), (json!(true), json!(true)), "{found}");
    let (before, after) = record.split_once("% commitment ").unwrap();
    let other = if after.starts_with('0') { "1" } else { "0" };
    let found = check(&format!("{before}% commitment {other}{}", &after[1..])).await;
    assert_eq!((seed(&found), lot(&found)), (json!(false), json!(true)), "{found}");
    let (order, turned) = (" start 0,1", " start 1,0");
    let (from, to) = if record.contains(order) { (order, turned) } else { (turned, order) };
    assert!(record.contains(from), "{record}");
    let found = check(&record.replace(from, to)).await;
    assert_eq!((seed(&found), lot(&found)), (json!(true), json!(false)), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_found_replayed_checked_and_saved() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    let table = after_a_game(&browser, &program.base).await;
    let game = format!("#history-list [data-key='{table}']");
    browser.wait(&format!("document.querySelector(\"{game}\")")).await;
    let text = browser.run(&format!("return document.querySelector(\"{game}\").innerText")).await;
    let text = text.as_str().unwrap();
    assert!(["Won", "against Bek", "#lobby"].iter().all(|it| text.contains(it)), "{text}");
    for (width, height) in [(390, 844), (1280, 800)] {
        browser.screen(width, height).await;
        browser.screenshot(&format!("history-{width}")).await;
        let wide = "return document.querySelector('#games').scrollWidth <= innerWidth";
        assert_eq!(browser.run(wide).await, json!(true), "{width}");
    }
    let action = |word: &str| format!("document.querySelector('[data-word=history_{word}]')");
    // The fingerprint, and the lot that has decided who begins.
    browser.tap(&action("verify")).await;
    browser.wait(&format!("{CHECKS}.length >= 2")).await;
    let kinds = browser.run(&format!("return {CHECKS}.map(it => it.className)")).await;
    assert_eq!(kinds, json!(["yes", "yes", "open"]));
    // The record is saved as the file that the program verifies.
    browser
        .run("window.saved = []; URL.createObjectURL = it => { saved.push(it); return '#saved' }")
        .await;
    browser.tap(&action("record")).await;
    browser.wait("saved.length === 1").await;
    let saved = browser.ask("saved[0].text().then(arguments[0])").await;
    let saved = saved.as_str().unwrap();
    verify_record(saved).unwrap();
    finds_what_was_changed(&browser, saved).await;
    // Back from the replay one is in the list again.
    browser.run(&format!("{}.focus()", action("replay"))).await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.querySelector('#viewer:not([hidden]) #viewer-board svg')").await;
    browser.keys(keys::ESCAPE).await;
    browser.wait("document.querySelector('#viewer').hidden").await;
    browser.wait(&format!("document.activeElement === {}", action("replay"))).await;
    a_list_that_does_not_arrive_is_not_chosen(&browser).await;
    browser.find("#history-filter [data-key='blot']").await.click().await;
    browser.wait("!document.querySelector('#history-none').hidden").await;
    browser.find("#history-close").await.click().await;
    browser.wait("document.activeElement?.id === 'history-open'").await;
    // The Escape key does the same.
    browser.keys(keys::ENTER).await;
    browser.wait("document.activeElement?.id === 'history-title'").await;
    browser.keys(keys::ESCAPE).await;
    browser.wait("document.activeElement?.id === 'history-open'").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The games that are shown stay those of the pressed button, and another press asks again.
async fn a_list_that_does_not_arrive_is_not_chosen(browser: &Browser) {
    let pressed = "[...document.querySelectorAll('#history-filter [aria-pressed=true]')]
        .map(it => it.dataset.key).join()";
    let cut = "window.real = window.fetch;
        window.fetch = (...asked) => {
            if (!String(asked[0]).includes('/api/games?game=')) return real(...asked);
            return new Promise((_, fail) => (window.cut = () => fail(new TypeError('cut'))));
        };";
    browser.run(cut).await;
    browser.find("#history-filter [data-key='blot']").await.click().await;
    browser.wait(&format!("{pressed} === 'blot' && window.cut")).await;
    browser.run("window.cut()").await;
    browser.wait(&format!("{pressed} === 'all'")).await;
    let count = "return document.querySelectorAll('#history-list li').length";
    assert_eq!(browser.run(count).await, json!(1));
    browser.run("window.fetch = real").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_review_of_a_finished_game_is_made_and_shown() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    after_a_game_of(&browser, &program.base, 10).await;
    let review = "document.querySelector('[data-word=history_review]')";
    browser.wait(review).await;
    browser.tap(review).await;
    browser.wait("document.querySelector('#viewer.with-chart #viewer-chart .spot')").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
