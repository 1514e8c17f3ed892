//! Moderation of rooms: closed rooms, muted and banned people, the operator, names, invitations.

use super::*;
use crate::stage::web::HOST;
use caravanserai_protocol::Departure;

/// Asks the host's part.
pub async fn host(served: &Served, secret: &str, path: &str, body: Option<Value>) -> (u16, Value) {
    let client = Client::builder().no_proxy().build().unwrap();
    let url = format!("{}/api/host{path}", served.base);
    let request = match body {
        Some(body) => client.post(url).json(&body),
        None => client.get(url),
    };
    let answer = request.bearer_auth(secret).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap_or_default())
}

/// The host closes the lobby: its name is free again.
pub async fn close_lobby(served: &Served) {
    let closed = host(served, HOST, "/close", Some(json!({ "room": "lobby" }))).await;
    assert_eq!(closed.0, 200, "{}", closed.1);
}

async fn arrive(served: &Served, name: &str) -> (StatusCode, Value) {
    let client = Client::builder().no_proxy().build().unwrap();
    let url = format!("{}/api/people", served.base);
    let answer = client.post(url).json(&json!({ "name": name })).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

#[tokio::test]
async fn a_closed_room_lets_in_who_has_its_invitation() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::arrive(&served, "Bob").await;
    let made = ann.post("rooms/lobby/door", json!({ "closed": true })).await;
    let invite = made["invite"].as_str().unwrap().to_owned();
    let (status, why) = bob.try_post("rooms", json!({ "name": "lobby" })).await;
    assert_eq!((status, &why["error"]), (StatusCode::FORBIDDEN, &json!("by_invitation")));
    let wrong = json!({ "name": "lobby", "invite": "0123456789abcdef" });
    assert_eq!(bob.try_post("rooms", wrong).await.0, StatusCode::FORBIDDEN);
    let listed = bob.get("rooms").await["rooms"].as_array().unwrap().len();
    assert_eq!(listed, 0, "who is not in it does not see it");
    let room = bob.post("rooms", json!({ "name": "lobby", "invite": invite })).await;
    assert_eq!((&room["closed"], &room["invite"]), (&json!(true), &Value::Null));
    assert_eq!(ann.get("rooms/lobby").await["invite"], json!(invite));
    // Only the admin may open or close; closing again makes the old link useless.
    let refused = bob.try_post("rooms/lobby/door", json!({ "closed": false })).await;
    assert_eq!(refused.1["error"], "not_admin");
    ann.post("rooms/lobby/door", json!({ "closed": true })).await;
    let cem = Someone::arrive(&served, "Cem").await;
    let old = json!({ "name": "lobby", "invite": invite });
    assert_eq!(cem.try_post("rooms", old).await.0, StatusCode::FORBIDDEN);
    ann.post("rooms/lobby/door", json!({ "closed": false })).await;
    cem.post("rooms", json!({ "name": "lobby" })).await;
}

#[tokio::test]
async fn an_admin_mutes_and_bans() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let eve = Someone::enter(&served, "Eve").await;
    ann.say("/togyz", "k1").await;
    let act = |act: &str| json!({ "person": eve.id, "act": act });
    let refused = eve.try_post("rooms/lobby/people", act("mute")).await;
    assert_eq!(refused.1["error"], "not_admin");
    ann.post("rooms/lobby/people", act("mute")).await;
    let word = json!({ "text": "hello", "key": "k1" });
    assert_eq!(eve.try_post("rooms/lobby/messages", word.clone()).await.1["error"], "muted");
    assert_eq!(ann.get("rooms/lobby").await["people"][1]["muted"], true);
    // Playing goes on.
    eve.press(2, "3", "p1").await;
    ann.post("rooms/lobby/people", act("unmute")).await;
    eve.post("rooms/lobby/messages", word.clone()).await;
    ann.post("rooms/lobby/people", act("remove")).await;
    assert_eq!(eve.try_get("rooms/lobby").await.status(), StatusCode::NOT_FOUND);
    let back = json!({ "name": "lobby" });
    assert_eq!(eve.try_post("rooms", back.clone()).await.1["error"], "removed");
    assert_eq!(ann.get("rooms/lobby").await["removed"][0]["name"], "Eve");
    ann.post("rooms/lobby/people", act("allow")).await;
    eve.post("rooms", back).await;
}

/// A person who was removed takes another name and tries the link that they know.
#[tokio::test]
async fn the_link_of_a_closed_room_changes_when_somebody_is_removed() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let eve = Someone::enter(&served, "Eve").await;
    let made = ann.post("rooms/lobby/door", json!({ "closed": true })).await;
    let act = |act: &str| json!({ "person": eve.id, "act": act });
    ann.post("rooms/lobby/people", act("mute")).await;
    assert_eq!(ann.get("rooms/lobby").await["invite"], made["invite"]);
    ann.post("rooms/lobby/people", act("remove")).await;
    let again = Someone::arrive(&served, "Another").await;
    let link = |invite: &Value| json!({ "name": "lobby", "invite": invite });
    let (_, refused) = again.try_post("rooms", link(&made["invite"])).await;
    assert_eq!(refused["error"], "by_invitation");
    let invite = ann.get("rooms/lobby").await["invite"].clone();
    again.post("rooms", link(&invite)).await;
    // An open room stays open.
    ann.post("rooms/lobby/door", json!({ "closed": false })).await;
    ann.post("rooms/lobby/people", json!({ "person": again.id, "act": "remove" })).await;
    assert_eq!(ann.get("rooms/lobby").await["closed"], false);
}

/// Each joining and leaving is sent to every member.
#[tokio::test]
async fn one_person_cannot_join_and_leave_without_end() {
    let folder = TempDir::new().unwrap();
    let limits = WebchatLimits { join_rate: (4, 3_600_000), ..WebchatLimits::default() };
    let served = Served::start(folder.path(), limits).await;
    let ann = Someone::enter(&served, "Ann").await;
    let eve = Someone::arrive(&served, "Eve").await;
    let body = json!({ "name": "lobby" });
    for _ in 0..2 {
        eve.post("rooms", body.clone()).await;
        eve.post("rooms/lobby/leave", json!({})).await;
    }
    let (status, _) = eve.try_post("rooms", body.clone()).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..9 {
        ann.post("rooms", body.clone()).await;
    }
}

#[tokio::test]
async fn signing_out_elsewhere_ends_the_old_token_and_its_streams() {
    let (_folder, served) = chat().await;
    let mut ann = Someone::enter(&served, "Ann").await;
    let mut old = ann.try_get("events").await;
    let given = ann.post("me/token", json!({})).await["token"].as_str().unwrap().to_owned();
    assert_eq!(ann.try_get("me").await.status(), StatusCode::UNAUTHORIZED);
    while let Some(piece) = old.chunk().await.unwrap() {
        assert!(!String::from_utf8_lossy(&piece).contains("event: me"));
    }
    ann.token = given;
    assert_eq!(ann.get("me").await["name"], "Ann");
}

/// The client stores the token before it asks.
#[tokio::test]
async fn a_token_that_the_client_chose_works_although_the_answer_was_lost() {
    let (_folder, served) = chat().await;
    let mut ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::enter(&served, "Bob").await;
    for wrong in ["", "abc", &"AB".repeat(32), &"ab".repeat(33)] {
        let (status, _) = ann.try_post("me/token", json!({ "token": wrong })).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let chosen = json!({ "token": "ab".repeat(32) });
    ann.post("me/token", chosen.clone()).await;
    // The repetition with the old token is refused, with the new one it changes nothing.
    let (status, _) = ann.try_post("me/token", chosen.clone()).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    ann.token = "ab".repeat(32);
    assert_eq!(ann.post("me/token", chosen.clone()).await, chosen);
    assert_eq!(ann.get("me").await["name"], "Ann");
    // Nobody can choose the token of another person.
    assert_eq!(bob.try_post("me/token", chosen).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(bob.get("me").await["name"], "Bob");
    assert_eq!(ann.get("me").await["name"], "Ann");
}

/// The client repeats the request after a lost answer; another name may have been typed meanwhile.
#[tokio::test]
async fn one_person_arrives_although_the_request_is_repeated() {
    let (_folder, served) = chat().await;
    let ann = Someone::arrive(&served, "Ann").await;
    let body = |name: &str| json!({ "name": name, "token": "cd".repeat(32) });
    let first = ann.post("people", body("Bob")).await;
    assert_eq!(ann.post("people", body("Bob")).await, first);
    let renamed = ann.post("people", body("Rob")).await;
    assert_eq!((&renamed["id"], &renamed["name"]), (&first["id"], &json!("Rob")));
    let bob = Someone { token: "cd".repeat(32), ..ann };
    assert_eq!(bob.get("me").await["name"], "Rob");
    for wrong in ["", "abc", &"CD".repeat(32)] {
        let body = json!({ "name": "Cyd", "token": wrong });
        assert_eq!(bob.try_post("people", body).await.0, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn the_operator_lists_bans_and_closes() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let eve = Someone::enter(&served, "Eve").await;
    for wrong in ["", "guessed", "only-the-host-knowt"] {
        assert_eq!(host(&served, wrong, "", None).await.0, 401);
    }
    let (_, list) = host(&served, HOST, "", None).await;
    assert_eq!(list["people"].as_array().unwrap().len(), 2);
    assert_eq!(list["rooms"][0]["name"], "lobby");
    assert_eq!(list["rooms"][0]["chat"], json!(lobby(&served)));
    let ban = json!({ "person": eve.id });
    let (status, banned) = host(&served, HOST, "/ban", Some(ban.clone())).await;
    assert_eq!((status, &banned["address"]), (200, &Value::Null), "this machine is never banned");
    assert_eq!(host(&served, HOST, "/ban", Some(ban)).await.0, 404);
    assert_eq!(eve.try_get("me").await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(ann.get("rooms/lobby").await["people"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_address_that_is_banned_gets_no_further() {
    let folder = TempDir::new().unwrap();
    let behind = caravanserai_webchat::WebchatSettings {
        proxies: caravanserai_webchat::TrustedProxies::parse("127.0.0.1").unwrap(),
        ..crate::web_bot::settings(folder.path())
    };
    let store = Arc::new(caravanserai_store::memory::MemoryStore::new());
    let served = Served::start_on(store, behind, Arc::default(), "127.0.0.1:0").await;
    let arrive = async |from: &str| {
        let client = Client::builder().no_proxy().build().unwrap();
        let request = client.post(format!("{}/api/people", served.base));
        let request = request.header("x-forwarded-for", from).json(&json!({ "name": "Eve" }));
        let answer = request.send().await.unwrap();
        answer.json::<Value>().await.unwrap()
    };
    let eve = arrive("192.0.2.66").await;
    let (_, banned) = host(&served, HOST, "/ban", Some(json!({ "person": eve["id"] }))).await;
    assert_eq!(banned["address"], "192.0.2.66");
    assert_eq!(arrive("192.0.2.66").await["error"], "banned");
    assert_eq!(arrive("192.0.2.67").await["name"], "Eve");
    for path in ["/api/guest", "/.proxy/api/guest"] {
        let client = Client::builder().no_proxy().build().unwrap();
        let request = client.get(format!("{}{path}", served.base));
        let answer = request.header("x-forwarded-for", "192.0.2.66").send().await.unwrap();
        assert_eq!(answer.json::<Value>().await.unwrap()["error"], "banned", "{path}");
    }
    let address = json!({ "address": "192.0.2.66" });
    assert_eq!(host(&served, HOST, "/unban", Some(address)).await.0, 200);
    assert_eq!(arrive("192.0.2.66").await["name"], "Eve");
}

#[tokio::test]
async fn the_operator_closes_rooms_and_deletes_people() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let away = json!({ "address": "192.0.2.1", "days": 1 });
    assert_eq!(host(&served, HOST, "/ban", Some(away.clone())).await.0, 200);
    let (_, list) = host(&served, HOST, "", None).await;
    assert_eq!(list["bans"][0]["address"], "192.0.2.1");
    assert_eq!(host(&served, HOST, "/unban", Some(away)).await.0, 200);
    assert_eq!(host(&served, HOST, "/close", Some(json!({ "room": "lobby" }))).await.0, 200);
    assert_eq!(host(&served, HOST, "/close", Some(json!({ "room": "lobby" }))).await.0, 404);
    assert_eq!(ann.try_get("rooms/lobby").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(ann.get("me").await["rooms"], json!([]));
}

#[tokio::test]
async fn a_room_opened_under_a_freed_name_is_another_chat() {
    let (_folder, served) = chat().await;
    let web = &served.web;
    let mut earlier = Vec::new();
    for n in 0..3 {
        let ann = Someone::enter(&served, &format!("Ann {n}")).await;
        let chat = lobby(&served);
        assert!(!earlier.iter().any(|(it, _)| *it == chat), "{chat:?} again");
        let id = web.post(&chat, &say("hello")).await.unwrap();
        assert_eq!(ann.texts().await, ["hello"]);
        // Nothing that the bot does in a deleted room shows in the one that has its name now.
        for (deleted, shown) in &earlier {
            let not_allowed = Err(SendError::NotAllowed);
            assert_eq!(web.post(deleted, &say("late")).await, Err(SendError::NotAllowed));
            assert_eq!(web.edit(deleted, shown, &say("late")).await, not_allowed);
            assert_eq!(web.delete(deleted, shown).await, not_allowed);
            let to_ann = PersonId(ann.id.clone());
            let whisper = web.show_ephemeral(deleted, &to_ann, "hand", &say("late").into()).await;
            assert_eq!(whisper, not_allowed);
            assert_eq!(web.message_link(deleted, shown), None);
            assert!(!web.is_public_group(deleted) && web.is_public_group(&chat));
        }
        assert_eq!(ann.texts().await, ["hello"]);
        earlier.push((chat, id));
        close_lobby(&served).await;
    }
}

/// Its games must not go on unseen.
#[tokio::test]
async fn the_bot_hears_at_once_of_a_closed_room_and_of_banned_people() {
    let (_folder, served) = chat().await;
    let (ann, bek) = (Someone::enter(&served, "Ann").await, Someone::enter(&served, "Bek").await);
    let chat = lobby(&served);
    assert_eq!(host(&served, HOST, "/ban", Some(json!({ "person": bek.id }))).await.0, 200);
    let last = served.bot.calls.lock().last().cloned().unwrap();
    let left = UpdateKind::MemberLeft { who: PersonId(bek.id.clone()), how: Departure::Removed };
    assert_eq!((&last.chat.id, format!("{:?}", last.kind)), (&chat, format!("{left:?}")));
    close_lobby(&served).await;
    let last = served.bot.calls.lock().last().cloned().unwrap();
    assert!(last.chat.id == chat && matches!(last.kind, UpdateKind::ChatDeleted), "{last:?}");
    assert_eq!(ann.try_get("rooms/lobby").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn names_that_cannot_be_seen_or_told_apart_are_refused() {
    let (_folder, served) = chat().await;
    for name in
        ["\u{3164}", "\u{2800}", "\u{34f}", "\u{410}nn", "Caravanserai", "Caravansera\u{131}"]
    {
        let (status, why) = arrive(&served, name).await;
        assert_eq!(
            (status, &why["error"]),
            (StatusCode::BAD_REQUEST, &json!("bad_name")),
            "{name}"
        );
    }
    let _ace = Someone::enter(&served, "Ace").await;
    // The same three signs in Cyrillic.
    let other = Someone::arrive(&served, "\u{410}\u{441}\u{435}").await;
    let (status, why) = other.try_post("rooms", json!({ "name": "lobby" })).await;
    assert_eq!((status, &why["error"]), (StatusCode::CONFLICT, &json!("name_alike")));
    let bob = Someone::enter(&served, "Bob").await;
    let renamed = json!({ "name": "\u{410}\u{441}\u{435}" });
    assert_eq!(bob.try_post("me", renamed).await.1["error"], "name_alike");
    assert_eq!(bob.get("me").await["name"], "Bob");
}

#[tokio::test]
async fn people_who_never_took_part_do_not_keep_others_out() {
    let folder = TempDir::new().unwrap();
    let limits = WebchatLimits { arrive_rate: (3, 3_600_000), ..WebchatLimits::default() };
    let served = Served::start(folder.path(), limits).await;
    for n in 0..3 {
        assert_eq!(arrive(&served, &format!("Guest {n}")).await.0, StatusCode::OK);
    }
    let (status, answer) = arrive(&served, "Guest 4").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "one address has its limit: {answer}");
    assert!(answer["wait_ms"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn an_address_has_a_limit_of_sign_ups_a_day() {
    let folder = TempDir::new().unwrap();
    let limits = WebchatLimits { arrive_daily_rate: (2, 86_400_000), ..WebchatLimits::default() };
    let served = Served::start(folder.path(), limits).await;
    for name in ["Ann", "Bob"] {
        assert_eq!(arrive(&served, name).await.0, StatusCode::OK);
    }
    assert_eq!(arrive(&served, "Cem").await.0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_person_takes_part_by_what_the_bot_does_for_them() {
    let (_folder, served) = chat().await;
    let (ann, bob) = (Someone::enter(&served, "Ann").await, Someone::enter(&served, "Bob").await);
    let took_part = async |key: &str| {
        // Changes are made in their order, so those of Ann are made before this one.
        bob.say("hello", key).await;
        let people = host(&served, HOST, "", None).await.1["people"].clone();
        people.as_array().unwrap().iter().any(|it| it["id"] == *ann.id && it["took_part"] == true)
    };
    let press = async |callback_data: &str, key: &str| {
        ann.post("rooms/lobby/press", json!({ "press": callback_data, "key": key })).await;
    };
    press("resign", "k1").await;
    ann.say("/oops", "k2").await;
    assert!(!took_part("b1").await);
    press("hand", "k3").await;
    assert!(took_part("b2").await);
}
