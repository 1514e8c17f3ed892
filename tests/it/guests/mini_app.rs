//! The Mini App: who opens a board inside of Telegram.

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
async fn whoever_opens_a_board_in_telegram_sees_it_as_themselves() {
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
    // Somebody else has only the address of the table.
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
