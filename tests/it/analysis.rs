//! The analysis board: what the page gets for it, when positions are not evaluated, and its use in
//! a real browser.

use std::sync::Arc;
use std::time::Duration;

use caravanserai_store::memory::MemoryStore;
use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::come_in;
use crate::own_games::after_a_game;
use crate::page_program::Program;
use crate::stage::play;
use crate::stage::web::WebStage;
use crate::table_state::people;
use crate::webdriver::{Browser, keys};

const BOARD: &str = "analysis";
const EVALUATION: &str = "analysis/evaluation";

/// The position of Togyzkumalak after the first player has sown from pit 7.
const POSITION: &str = "9,9,9,9,9,9,1,10,10/10,10,10,10,10,0,9,9,9 10 0 s 1";

async fn stage() -> WebStage {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    stage
}

/// The tokens of the actions of a position.
fn tokens(board: &Value) -> Vec<&str> {
    let actions = board["actions"].as_array().unwrap();
    actions.iter().map(|it| it["token"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn moves_are_made_for_both_sides_from_any_position() {
    let stage = stage().await;
    let board = async |body: Value| {
        let (status, board) = stage.asks("Ann", BOARD, &body).await;
        assert_eq!(status, StatusCode::OK, "{body} {board}");
        board
    };
    let start = board(json!({ "game": "togyzkumalak" })).await;
    assert_eq!(tokens(&start), ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!((&start["turn"], &start["options"]), (&json!(0), &json!("seed")));
    assert_eq!(start["names"], json!(["First", "Second"]));
    assert!(start["actions"][6]["at"].is_array() && start["actions"][6]["press"] == "7");
    let after = board(json!({ "game": "togyzkumalak", "steps": ["7"] })).await;
    assert_eq!((&after["turn"], &after["position"]), (&json!(1), &json!(POSITION)));
    assert!(after["says"].to_string().contains("First captures 10 stones"), "{}", after["says"]);
    // The text leads back to the same position; the other side and layout are other pictures.
    let read = board(json!({ "game": "togyzkumalak", "position": POSITION })).await;
    // Only the number of moves that led there is not known.
    assert_eq!(read["position"], json!(POSITION.replace(" s 1", " s 0")));
    assert_eq!(read["board"], after["board"]);
    let turned = board(json!({ "game": "togyzkumalak", "position": POSITION, "below": 1 })).await;
    assert_ne!(turned["picture"], read["picture"]);
    let upright = json!({ "game": "togyzkumalak", "position": POSITION, "upright": true });
    let upright = board(upright).await["picture"]["board"].clone();
    assert!(upright["height"].as_u64() > upright["width"].as_u64());
    // Each house rule is its own game.
    let short = json!({ "game": "togyzkumalak", "options": "short" });
    assert_eq!(board(short).await["options"], "short");
    // To the end of the shortest game.
    let line = ["9", "2", "8", "1", "7", "2", "6", "1", "9", "2", "5"];
    let over = board(json!({ "game": "togyzkumalak", "steps": line })).await;
    assert_eq!((&over["scores"], &over["turn"]), (&json!([88, 10]), &Value::Null));
    assert!(tokens(&over).is_empty());
}

#[tokio::test]
async fn throws_are_chosen_and_shown_at_once() {
    let stage = stage().await;
    let board = async |steps: Value| {
        let body = json!({ "game": "thaayam", "steps": steps });
        let (status, board) = stage.asks("Ann", BOARD, &body).await;
        assert_eq!(status, StatusCode::OK, "{board}");
        board
    };
    let start = board(json!([])).await;
    let throws = json!({ "first": ["1", "4", "8"], "last": ["2", "3"], "most": 12 });
    assert_eq!(start["outcomes"], throws);
    assert_eq!((&start["turn"], tokens(&start).len()), (&Value::Null, 0));
    // Without a 1 nothing enters: the other player throws at once.
    let passed = board(json!(["2"])).await;
    assert_eq!((&passed["position"], &passed["turn"]), (&json!("----/---- 2"), &Value::Null));
    let entered = board(json!(["12", "113"])).await;
    assert!(entered["turn"] == 1 && tokens(&entered).len() > 1, "{entered}");
    // The throws that are left have no place in the text, so only the turn before can be set up.
    let before = board(json!(["12"])).await;
    assert_eq!((&entered["position"], &entered["setup"]), (&Value::Null, &before["setup"]));
    assert!(before["position"].as_str().unwrap().ends_with(" 2"), "{before}");
    let body = json!({ "game": "thaayam", "steps": ["12", "113"] });
    let (_, found) = stage.asks("Ann", EVALUATION, &body).await;
    assert!(found["chance"].is_u64() && found["lines"].as_array().unwrap().len() > 1, "{found}");
    // Before a throw, too, one side has the better chances.
    let ahead = json!({ "game": "thaayam", "position": "wwFF/---- 2" });
    let (_, found) = stage.asks("Ann", EVALUATION, &ahead).await;
    assert!(found["chance"].as_u64().unwrap() > 900 && found["lines"] == json!([]), "{found}");
}

#[tokio::test]
async fn a_series_of_twelve_throws_is_analysed_and_no_longer_one() {
    let stage = stage().await;
    let series = "118888888882";
    let rules = "exact=no,obligation=max";
    let body = json!({ "game": "thaayam", "options": rules, "position": "----/bdfg 1",
        "steps": [series] });
    let (status, board) = stage.asks("Ann", BOARD, &body).await;
    assert_eq!(status, StatusCode::OK, "{board}");
    let longer = json!({ "game": "thaayam", "options": rules, "position": "----/bdfg 1",
        "steps": [format!("1{series}"), "throw", "1:in"] });
    assert_eq!(stage.asks("Ann", BOARD, &longer).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_person_who_asks_for_many_positions_at_once_gets_them_all() {
    let stage = stage().await;
    let bodies: Vec<Value> =
        (1..=9).map(|pit| json!({ "game": "togyzkumalak", "steps": [pit.to_string()] })).collect();
    let boards = join_all(bodies.iter().map(|body| stage.asks("Ann", BOARD, body))).await;
    for (status, board) in boards {
        assert_eq!((status, &board["turn"]), (StatusCode::OK, &json!(1)), "{board}");
    }
}

#[tokio::test]
async fn a_position_is_set_up_part_by_part() {
    let stage = stage().await;
    for game in ["togyzkumalak", "thaayam"] {
        let (_, start) = stage.asks("Ann", BOARD, &json!({ "game": game })).await;
        let parts = start["setup"].as_array().unwrap();
        let values: Vec<Value> = parts.iter().map(|it| it["value"].clone()).collect();
        let (_, draft) = stage.asks("Ann", BOARD, &json!({ "game": game, "setup": values })).await;
        assert_eq!((&draft["fault"], &draft["position"]), (&Value::Null, &start["position"]));
        assert_eq!(draft["setup"], start["setup"]);
        let (status, refused) =
            stage.asks("Ann", BOARD, &json!({ "game": game, "setup": ["x"] })).await;
        assert_eq!(
            (status, &refused["error"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!("impossible"))
        );
    }
    let mut values = vec!["9"; 18];
    values[4] = "0";
    values.extend(["0", "0", "-", "-", "1"]);
    let draft = async |values: &[&str]| {
        stage.asks("Ann", BOARD, &json!({ "game": "togyzkumalak", "setup": values })).await.1
    };
    let missing = draft(&values).await;
    assert_eq!(missing["fault"], "9 of the 162 stones are missing.");
    assert!(missing["picture"]["board"]["items"].as_array().unwrap().len() > 20);
    values[18] = "9";
    let placed = draft(&values).await;
    assert_eq!(placed["fault"], Value::Null);
    let body = json!({ "game": "togyzkumalak", "position": placed["position"] });
    let (status, board) = stage.asks("Ann", BOARD, &body).await;
    assert_eq!((status, tokens(&board).len()), (StatusCode::OK, 8));
}

#[tokio::test]
async fn the_same_position_gets_the_same_evaluation() {
    let stage = stage().await;
    let body = json!({ "game": "togyzkumalak", "position": POSITION });
    let (status, first) = stage.asks("Ann", EVALUATION, &body).await;
    assert_eq!(status, StatusCode::OK);
    assert!(first["chance"].as_u64().unwrap() <= 1_000, "{first}");
    let lines = first["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["chance"], first["chance"]);
    // The second player is to move: the chance of the first one is smallest after the best move.
    let chances: Vec<u64> = lines.iter().map(|it| it["chance"].as_u64().unwrap()).collect();
    assert!(chances.is_sorted(), "{chances:?}");
    assert!(lines.iter().all(|it| it["at"].is_array() && it["to"].is_array()));
    let again = stage.asks("Ann", EVALUATION, &body).await;
    assert_eq!(again, (StatusCode::OK, first.clone()));
    assert_eq!(stage.asks("Bek", EVALUATION, &body).await.1, first);
    // A finished game has its result.
    let over = json!({ "game": "togyzkumalak",
        "position": "0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,80 82 0 - 60" });
    let (_, found) = stage.asks("Ann", EVALUATION, &over).await;
    assert_eq!((&found["chance"], &found["lines"]), (&json!(1_000), &json!([])));
}

#[tokio::test]
async fn impossible_moves_are_refused_with_a_reason() {
    let stage = stage().await;
    let refused = [
        (json!({ "game": "blot" }), "can’t be analysed"),
        (json!({ "game": "chess" }), "can’t be analysed"),
        (json!({ "game": "togyzkumalak", "position": "9,9" }), "one that I can read: 9,9,9"),
        (
            json!({ "game": "togyzkumalak",
                "position": "9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 1 0 f 0" }),
            "1 stone too many",
        ),
        (json!({ "game": "togyzkumalak", "options": "none" }), "rule"),
        (json!({ "game": "togyzkumalak", "steps": ["7", "6"] }), "Pit 6"),
        (json!({ "game": "togyzkumalak", "steps": ["x"] }), ""),
        (json!({ "game": "thaayam", "steps": ["22"] }), ""),
        (json!({ "game": "thaayam", "steps": ["1111111111112"] }), "At most 12 throws"),
        (json!({ "game": "thaayam", "position": "---b/---j 1" }), "one square"),
    ];
    for (body, say) in refused {
        for path in [BOARD, EVALUATION] {
            let (status, answer) = stage.asks("Ann", path, &body).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body} {answer}");
            let said = answer["say"].as_str().unwrap();
            assert!(!said.is_empty() && said.contains(say), "{body}: {said}");
            assert!(!said.contains('{'), "{body}: {said}");
        }
    }
    let long = "1".repeat(401);
    let many = vec!["1"; 401];
    for body in [
        json!({ "game": "togyzkumalak", "position": long }),
        json!({ "game": "togyzkumalak", "steps": many }),
        json!({ "game": "togyzkumalak", "steps": [long] }),
        json!({ "game": "togyzkumalak", "setup": many }),
        json!({ "steps": [] }),
    ] {
        assert_eq!(stage.asks("Ann", BOARD, &body).await.0, StatusCode::BAD_REQUEST);
    }
    let large = json!({ "game": "togyzkumalak", "position": "1".repeat(40_000) });
    assert_eq!(stage.asks("Ann", BOARD, &large).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    // Nobody is answered who has not come in.
    let address = format!("{}/api/{BOARD}", stage.address());
    let stranger = Client::new().post(address).json(&json!({ "game": "togyzkumalak" }));
    assert_eq!(stranger.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

/// Whether a person gets an evaluation of a game; the board itself they always get.
async fn is_evaluated(stage: &WebStage, who: &str, game: &str) -> bool {
    let body = json!({ "game": game });
    assert_eq!(stage.asks(who, BOARD, &body).await.0, StatusCode::OK);
    let (status, found) = stage.asks(who, EVALUATION, &body).await;
    assert_eq!((status, &found["busy"]), (StatusCode::OK, &json!(false)));
    if let Some(why) = found["why"].as_str() {
        assert!(why.contains("until it is over") || why.contains("when it is over"), "{why}");
        assert_eq!((&found["chance"], &found["lines"]), (&Value::Null, &json!([])));
        return false;
    }
    true
}

#[tokio::test]
async fn players_find_their_moves_themselves() {
    let mut stage = stage().await;
    play("opens", "Ann says /togyz @Bek me\nBek presses Accept", &mut stage).await;
    for (who, game, evaluated) in [
        ("Ann", "togyzkumalak", false),
        ("Bek", "togyzkumalak", false),
        ("Ann", "thaayam", true),
        ("Cyd", "togyzkumalak", true),
    ] {
        assert_eq!(is_evaluated(&stage, who, game).await, evaluated, "{who} {game}");
    }
    play("ends", "Bek says /resign\nBek says /resign\n5 seconds pass", &mut stage).await;
    assert!(is_evaluated(&stage, "Ann", "togyzkumalak").await);
    // A game against a computer counts if its level has a rating: by house rules it has none.
    let alone = "Cyd says /togyz me medium\nCyd says /thaayam me medium pieces=1";
    play("alone", alone, &mut stage).await;
    assert!(!is_evaluated(&stage, "Cyd", "togyzkumalak").await);
    assert!(is_evaluated(&stage, "Cyd", "thaayam").await);
    // A person who plays both sides plays for nothing.
    play("both", "Bek says /togyz me me", &mut stage).await;
    assert!(is_evaluated(&stage, "Bek", "togyzkumalak").await);
}

/// Waits until the board is evaluated.
const EVALUATED: &str = "document.querySelectorAll('#analysis-lines .line').length === 4";

/// Notes for each request of the board whether it has a time limit: a connection may be dead
/// without an error.
const LIMITS: &str = "window.limits = [];
    const real = window.fetch;
    window.fetch = (...asked) => {
        if (String(asked[0]).startsWith('/api/analysis'))
            window.limits.push(asked[1].signal instanceof AbortSignal);
        return real(...asked);
    };";

#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_set_up_played_and_evaluated_in_a_browser() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    browser.find("#games-open").await.click().await;
    browser.run(LIMITS).await;
    browser.find("#analysis-open").await.click().await;
    browser.wait(EVALUATED).await;
    browser.wait("window.limits.length > 1 && window.limits.every(it => it)").await;
    for (width, height) in [(390, 844), (1280, 800)] {
        browser.screen(width, height).await;
        browser.wait(EVALUATED).await;
        browser.screenshot(&format!("analysis-{width}")).await;
        let wide = "return document.querySelector('#games').scrollWidth <= innerWidth";
        assert_eq!(browser.run(wide).await, json!(true), "{width}");
    }
    let text = "document.querySelector('#analysis-text').value";
    let spot = |callback_data: &str| {
        format!("document.querySelector('#analysis-board .spot[data-press=\"{callback_data}\"]')")
    };
    // By touch, and by keys.
    browser.tap(&spot("7")).await;
    browser.wait(&format!("{text} === '{POSITION}'")).await;
    browser.wait(EVALUATED).await;
    browser.run("document.querySelector('#analysis-title').focus()").await;
    browser.keys(keys::LEFT).await;
    browser.wait(&format!("{text}.endsWith(' 0 0 f 0')")).await;
    browser.keys(keys::RIGHT).await;
    browser.wait(&format!("{text} === '{POSITION}'")).await;
    // Nine stones are taken from a pit, and put into a kazan.
    browser.find("#analysis-start").await.click().await;
    browser.wait(&format!("{text}.endsWith(' 0 0 f 0')")).await;
    browser.find("#analysis-setup").await.click().await;
    let fault = "document.querySelector('#analysis-fault').textContent";
    browser.wait(&format!("{} && {fault} === ''", spot("18"))).await;
    let set = async |part: &str, value: &str| {
        browser.tap(&spot(part)).await;
        let script = format!(
            "const it = document.querySelector('#analysis-value'); it.value = '{value}';
             it.dispatchEvent(new Event('change'))"
        );
        browser.run(&script).await;
    };
    set("0", "0").await;
    // A press elsewhere leaves the number, whose change is not answered yet.
    browser.run(&format!("{}.dispatchEvent(new MouseEvent('click'))", spot("18"))).await;
    browser.wait(&format!("{fault}.includes('9 of the 162')")).await;
    browser.wait("document.querySelector('#analysis-board .chosen')?.dataset.press === '18'").await;
    browser.screenshot("analysis-setup").await;
    // Presses that follow each other faster than the answers all count.
    let script = "const it = document.querySelector('#analysis-value'); it.value = '4';
        it.dispatchEvent(new Event('change'));
        for (let n = 0; n < 5; n++) document.querySelector('#analysis-more').click();
        document.querySelector('#analysis-done').click()";
    browser.run(script).await;
    browser.wait(&format!("{text} === '0,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 9 0 f 0'")).await;
    browser.wait(EVALUATED).await;
    // A text that is no position leaves everything as it is. It is answered also if the answer to
    // a press is pending.
    let paste = "document.querySelector('#analysis-start').click();
        document.querySelector('#analysis-text').value = 'nonsense';
        document.querySelector('#analysis-form').requestSubmit()";
    browser.run(paste).await;
    let refusal = "document.querySelector('#toasts').textContent.includes('one that I can read')";
    browser.wait(refusal).await;
    browser.wait(EVALUATED).await;
    browser.run("document.querySelector('#analysis-title').focus()").await;
    browser.keys(keys::ESCAPE).await;
    browser.wait("document.activeElement?.id === 'analysis-open'").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_replay_of_a_finished_game_leads_to_the_board() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    after_a_game(&browser, &program.base).await;
    let replay = "document.querySelector('[data-word=history_replay]')";
    browser.wait(replay).await;
    browser.tap(replay).await;
    browser.wait("document.querySelector('#viewer:not([hidden]) #viewer-board svg')").await;
    browser.find("#viewer-next").await.click().await;
    browser.wait("document.querySelector('#viewer-count').textContent.startsWith('1 /')").await;
    let analyse = "[...document.querySelectorAll('#viewer-keys .key')]
        .find(it => it.textContent === 'Analyse from here')";
    browser.wait(analyse).await;
    browser.tap(analyse).await;
    // One move was made: the second player is to move.
    browser.wait(EVALUATED).await;
    browser.wait("document.querySelector('#analysis-text').value.endsWith(' s 0')").await;
    browser.wait("document.querySelector('#viewer').hidden").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The analysis board in the tab of a person on a phone; counts its requests from then on.
async fn on_a_phone() -> Option<(Browser, Program, TempDir)> {
    let browser = Browser::start().await?;
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    come_in(&browser, &program.base, "Ann").await;
    browser.calm().await;
    browser.find("#games-open").await.click().await;
    browser.find("#analysis-open").await.click().await;
    browser.wait(EVALUATED).await;
    browser.screen(390, 844).await;
    browser.wait(EVALUATED).await;
    browser.run(LIMITS).await;
    Some((browser, program, folder))
}

/// The keyboard takes so much of the screen that it is no longer upright.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_keyboard_erases_nothing_on_the_analysis_board() {
    let Some((browser, _program, _folder)) = on_a_phone().await else { return };
    let typing = "const it = document.querySelector('#analysis-text');
        it.focus();
        it.value = 'half a position'";
    browser.run(typing).await;
    for (width, height) in [(390, 400), (390, 844), (844, 390)] {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let kept = "return [document.querySelector('#analysis-text').value, window.limits.length]";
    assert_eq!(browser.run(kept).await, json!(["half a position", 0]));
    // The phone was turned meanwhile: the board follows after the person has typed.
    browser.run("document.activeElement.blur()").await;
    browser.wait("window.limits.length > 0").await;
    browser.wait("document.querySelector('#analysis-text').value.endsWith(' 0 0 f 0')").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_in_the_background_swallows_no_press_on_the_analysis_board() {
    let Some((browser, _program, _folder)) = on_a_phone().await else { return };
    browser.run("document.querySelector('#table').classList.add('moving')").await;
    browser.tap("document.querySelector('#analysis-board .spot[data-press=\"7\"]')").await;
    let text = "document.querySelector('#analysis-text').value";
    browser.wait(&format!("{text} === '{POSITION}'")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
