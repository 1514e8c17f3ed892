//! The Mini App: the identity of people who open a board inside Telegram.

use std::time::{SystemTime, UNIX_EPOCH};

use hmac::{Hmac, Mac};
use serde_json::json;
use sha2::Sha256;

use super::*;
use crate::fake_telegram::TOKEN;

/// What Telegram's client hands a Mini App, signed for this bot so many seconds ago.
fn init_data(id: i64, name: &str, table: &str, token: &str, age_s: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let user = json!({ "id": id, "first_name": name, "language_code": "en" }).to_string();
    let at = (now - age_s).to_string();
    let fields = [("auth_date", &*at), ("start_param", table), ("user", &*user)];
    let lines: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let keyed = |key: &[u8], text: &str| {
        let mac = Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(text);
        mac.finalize().into_bytes()
    };
    let hash = hex::encode(keyed(&keyed(b"WebAppData", token), &lines.join("\n")));
    let mut url = reqwest::Url::parse("data:").unwrap();
    url.query_pairs_mut().extend_pairs(fields).append_pair("hash", &hash);
    url.query().unwrap().to_owned()
}

fn proof(data: &str) -> Value {
    json!({ "platform": "tg", "data": data })
}

#[tokio::test]
async fn a_mini_app_board_is_opened_as_the_telegram_user() {
    let mut world = World::new("Ann Bek Cyd").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let ids: Vec<i64> = ["Ann", "Cyd"].map(|it| world.tg.people[it].id).to_vec();
    let mut ann = world.visitor();
    let told = ann.open(proof(&init_data(ids[0], "Ann", &id, TOKEN, 5))).await;
    assert_eq!((&told["name"], &told["table"]), (&json!("Ann"), &json!(id)));
    let (_, state) = ann.state(&id).await;
    let press = state["actions"][0]["press"].as_str().unwrap();
    assert_eq!(ann.press(&id, press, "k1").await.0, StatusCode::OK);
    world.on_telegram("Bek sees Bek is to move").await;
    // Cyd came by the button of the group, in which Telegram says that he is.
    let mut cyd = world.visitor();
    cyd.open(proof(&init_data(ids[1], "Cyd", &id, TOKEN, 5))).await;
    let (status, state) = cyd.state(&id).await;
    assert_eq!((status, &state["you"]), (StatusCode::OK, &Value::Null));
    // Another person has only the address of the table.
    let eve = world.tg.tg.user("Eve").id;
    let mut stranger = world.visitor();
    stranger.open(proof(&init_data(eve, "Eve", &id, TOKEN, 5))).await;
    assert_eq!(stranger.state(&id).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn old_forged_and_missing_data_open_nothing() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let ann = world.tg.people["Ann"].id;
    let good = init_data(ann, "Ann", "", TOKEN, 5);
    let other = init_data(ann, "Ann", "", "1:other-bot", 5);
    let eve = world.visitor();
    let cases = [
        (init_data(ann, "Ann", "", TOKEN, 3_700), "old"),
        (other, "unknown"),
        (good.replace("Ann", "Eve"), "unknown"),
        (good.split("&hash").next().unwrap().to_owned(), "unknown"),
        ("nonsense".to_owned(), "unknown"),
    ];
    for (data, why) in cases {
        let (status, told) = eve.post("/api/guest", proof(&data)).await;
        assert_eq!((status, &told["error"]), (StatusCode::FORBIDDEN, &json!(why)), "{data}");
    }
    let nowhere = json!({ "platform": "xx", "data": good });
    assert_eq!(eve.post("/api/guest", nowhere).await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(eve.get("/api/guest").await.0, StatusCode::UNAUTHORIZED);
}

/// Telegram's client hands over the same data for an hour, so a copy of it must not be enough.
#[tokio::test]
async fn a_copy_of_data_of_telegram_lets_nobody_else_in() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let data = init_data(world.tg.people["Ann"].id, "Ann", &id, TOKEN, 5);
    let by = |data: &str, window: &str| json!({ "platform": "tg", "data": data, "window": window });
    let mut ann = world.visitor();
    ann.open(by(&data, "the key of her window")).await;
    // A person who saw the address has the data, but not the key; the fields may come in any order.
    let (eve, start) = (world.visitor(), data.find("&hash").unwrap());
    let turned = format!("{}&{}", &data[start + 1..], &data[..start]);
    for copy in [
        proof(&data),
        by(&data, ""),
        by(&data, "another key"),
        proof(&turned),
        proof(&data.replace("hash=", "%68ash=")),
    ] {
        let (status, told) = eve.post("/api/guest", copy).await;
        assert_eq!((status, &told["error"]), (StatusCode::FORBIDDEN, &json!("unknown")));
    }
    // She reloads the page, and the window from before is still signed in.
    let mut reloaded = world.visitor();
    reloaded.open(by(&data, "the key of her window")).await;
    assert_eq!(reloaded.state(&id).await.0, StatusCode::OK);
    assert_eq!(ann.state(&id).await.0, StatusCode::OK);
    // She opens the board again from the chat: Telegram signs again.
    let later = init_data(world.tg.people["Ann"].id, "Ann", &id, TOKEN, 4);
    world.visitor().open(by(&later, "the key of another window")).await;
    // Without a key, as an older page asks, data works once.
    let last = init_data(world.tg.people["Ann"].id, "Ann", &id, TOKEN, 3);
    world.visitor().open(proof(&last)).await;
    assert_eq!(eve.post("/api/guest", proof(&last)).await.0, StatusCode::FORBIDDEN);
}

/// Of two who present the same data in the same moment, on any replica, one is let in.
#[tokio::test]
async fn the_same_sign_in_data_is_accepted_once_when_used_concurrently() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let data = init_data(world.tg.people["Ann"].id, "Ann", "", TOKEN, 5);
    let body = |window: &str| json!({ "platform": "tg", "data": data, "window": window });
    let (ann, eve) = (world.visitor(), world.visitor());
    let (first, second) =
        tokio::join!(ann.post("/api/guest", body("one")), eve.post("/api/guest", body("two")));
    let mut all = [first.0, second.0];
    all.sort();
    assert_eq!(all, [StatusCode::OK, StatusCode::FORBIDDEN]);
}

/// Data is valid for an hour, in which its window may present it as often as it likes.
#[tokio::test]
async fn data_that_is_presented_again_costs_no_questions_and_no_rows() {
    let mut world = World::new("Ann Bek Cyd").await;
    world.on_telegram(GAME).await;
    let id = table(&world.store).await.id.0;
    let data = init_data(world.tg.people["Cyd"].id, "Cyd", &id, TOKEN, 5);
    let body = json!({ "platform": "tg", "data": data, "window": "his window" });
    let asked = |world: &World| world.tg.tg.calls_of("getChatMember").len();
    let mut cyd = world.visitor();
    cyd.open(body.clone()).await;
    let before = asked(&world);
    assert!(before > 0, "he is asked about once");
    for _ in 0..5 {
        cyd.open(body.clone()).await;
    }
    assert_eq!(asked(&world), before);
    assert_eq!(cyd.state(&id).await.0, StatusCode::OK);
    let sessions = world.store.scan(Space::Meta, "guest ", None, 100).await.unwrap();
    assert!(sessions.len() <= 2, "{} sessions", sessions.len());
}
