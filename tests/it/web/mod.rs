//! The JSON interface of the built-in chat: what two people and the bot can rely on.

mod documents;
mod hands;
mod manage;
mod page;
mod public;
mod replicas;
mod slow_clients;

use std::sync::Arc;

use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_protocol::{
    EphemeralMessages, Mention, MessageLookup, OutgoingMessage, Platform, PrivateChats,
    PublicGroups, SendError, SpectatorLookup, UpdateKind,
};
use caravanserai_webchat::WebchatLimits;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::web_bot::{Bot, Served, board, say};

/// A person with a script.
struct Someone {
    client: Client,
    base: String,
    token: String,
    id: String,
}

impl Someone {
    async fn arrive(served: &Served, name: &str) -> Someone {
        Self::arrive_at(&served.base, name).await
    }

    async fn arrive_at(base: &str, name: &str) -> Someone {
        let client = Client::builder().no_proxy().build().unwrap();
        let body = json!({ "name": name, "locale": "en" });
        let url = format!("{base}/api/people");
        let made = client.post(url).json(&body).send().await.unwrap();
        let made: Value = made.json().await.unwrap();
        let text = |key: &str| made[key].as_str().unwrap().to_owned();
        let (token, id) = (text("token"), text("id"));
        Someone { client, base: base.to_owned(), token, id }
    }

    /// Arrives and enters the lobby.
    async fn enter(served: &Served, name: &str) -> Someone {
        let it = Self::arrive(served, name).await;
        it.post("rooms", json!({ "name": "lobby" })).await;
        it
    }

    /// The same person at a chat that was started again.
    fn at(mut self, served: &Served) -> Someone {
        self.base.clone_from(&served.base);
        self
    }

    fn with_token(&self, request: RequestBuilder) -> RequestBuilder {
        request.bearer_auth(&self.token)
    }

    async fn try_get(&self, path: &str) -> Response {
        let url = format!("{}/api/{path}", self.base);
        self.with_token(self.client.get(url)).send().await.unwrap()
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.try_get(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.json().await.unwrap()
    }

    async fn try_post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        let url = format!("{}/api/{path}", self.base);
        let answer = self.with_token(self.client.post(url).json(&body)).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap_or_default())
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.try_post(path, body).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    async fn say(&self, text: &str, key: &str) -> Value {
        self.post("rooms/lobby/messages", json!({ "text": text, "key": key })).await
    }

    async fn press(&self, message: u64, press: &str, key: &str) -> Value {
        let body = json!({ "message": message, "press": press, "key": key });
        self.post("rooms/lobby/press", body).await
    }

    async fn messages(&self, room: &str) -> Vec<Value> {
        self.get(&format!("rooms/{room}")).await["messages"].as_array().unwrap().clone()
    }

    async fn texts(&self) -> Vec<String> {
        let messages = self.messages("lobby").await;
        messages.iter().map(|it| it["text"].as_str().unwrap().to_owned()).collect()
    }

    /// Everything since a change, as (event id, name, data).
    async fn events(&self, after: u64) -> Vec<(Option<u64>, String, Value)> {
        let answer = self.try_get(&format!("events?after={after}&once=1")).await;
        parse(&answer.text().await.unwrap())
    }
}

fn parse(stream: &str) -> Vec<(Option<u64>, String, Value)> {
    let event = |block: &str| {
        let field = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.trim_start_matches(':').trim().to_owned())
        };
        let data = serde_json::from_str(&field("data")?).unwrap();
        Some((field("id").map(|it| it.parse().unwrap()), field("event").unwrap(), data))
    };
    stream.split("\n\n").filter_map(event).collect()
}

async fn chat() -> (TempDir, Served) {
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    (folder, served)
}

fn lobby(served: &Served) -> ChatId {
    served.chat("lobby")
}

#[tokio::test]
async fn a_message_said_twice_with_one_key_is_one_message() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let first = ann.say("/say hello", "k1").await;
    let again = ann.say("/say hello", "k1").await;
    assert_eq!(first["id"], again["id"]);
    assert_eq!(ann.texts().await, ["/say hello", "hello"]);
    let heard = served.bot.heard();
    assert_eq!(heard[1], heard[2], "the repetition is the same update: {heard:?}");
    // Also when the same request arrives many times at once.
    let crowd = (0..8).map(|_| ann.say("/say together", "k2"));
    futures::future::join_all(crowd).await;
    assert_eq!(ann.texts().await[2..], ["/say together", "together"]);
    let other = json!({ "text": "something else", "key": "k1" });
    let (status, answer) = ann.try_post("rooms/lobby/messages", other).await;
    assert_eq!((status, &answer["error"]), (StatusCode::CONFLICT, &json!("key_reused")));
}

#[tokio::test]
async fn a_press_repeated_with_one_key_acts_once_and_answers_the_same() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    ann.say("/togyz", "k1").await;
    let first = ann.press(2, "5", "p1").await;
    assert_eq!(first["whispers"][0]["text"], "you sowed from pit 5");
    assert_eq!(first["whispers"][0]["brief"], true);
    assert_eq!(ann.press(2, "5", "p1").await, first);
    let messages = ann.messages("lobby").await;
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[1]["image"]["alt"], "Board after move 1");
    assert_eq!(messages[1]["edited"], true);
    let missing = json!({ "message": 77, "press": "5", "key": "p2" });
    assert_eq!(ann.try_post("rooms/lobby/press", missing).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn temporary_replies_share_one_slot_and_disappear_later() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let cards = |messages: &[Value]| {
        messages.iter().filter(|it| it["only"] == true && it["gone"] == false).count()
    };
    for n in 1..=10 {
        ann.say("/oops", &format!("k{n}")).await;
        assert_eq!(cards(&ann.messages("lobby").await), 1, "mistake {n}");
    }
    let messages = ann.messages("lobby").await;
    let card = messages.iter().find(|it| it["only"] == true && it["gone"] == false).unwrap();
    let asked = messages.iter().rfind(|it| it["text"] == "/oops").unwrap();
    assert_eq!(card["reply_to"], asked["id"], "it answers the newest of them");
    ann.say("/say right", "k11").await;
    ann.say("/say more", "k12").await;
    assert_eq!(cards(&ann.messages("lobby").await), 0);
}

#[tokio::test]
async fn a_call_is_shown_after_many_games_and_its_removal_removes_nothing_else() {
    let folder = TempDir::new().unwrap();
    let limits = WebchatLimits { bot_messages: 2, ..WebchatLimits::default() };
    let served = Served::start(folder.path(), limits).await;
    let ann = Someone::enter(&served, "Ann").await;
    let (web, lobby) = (&served.web, lobby(&served));
    for n in 0..3 {
        let finished = OutgoingMessage { nonce: format!("b{n}"), ..board(n, &person(&ann), &[]) };
        web.post(&lobby, &finished).await.unwrap();
    }
    let call = web.post(&lobby, &say("your turn, Bek")).await.unwrap();
    assert_eq!(ann.texts().await.last().unwrap(), "your turn, Bek");
    let own = ann.say("anyone for a game?", "k1").await["id"].clone();
    assert_ne!(own, json!(call.0.parse::<u64>().unwrap()), "no id is given twice");
    web.delete(&lobby, &call).await.unwrap();
    assert_eq!(ann.texts().await.last().unwrap(), "anyone for a game?");
    // An id that an earlier version gave twice.
    web.delete(&lobby, &MessageId(own.to_string())).await.unwrap();
    assert_eq!(ann.texts().await.last().unwrap(), "anyone for a game?");
}

#[tokio::test]
async fn a_board_says_whom_it_waits_for() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let post = |awaited_person| {
        let said = OutgoingMessage { awaited_person, nonce: "board".into(), ..say("a board") };
        let (web, lobby) = (Arc::clone(&served.web), lobby(&served));
        async move { web.post(&lobby, &said).await.unwrap() }
    };
    post(Some(PersonId("web:ann".into()))).await;
    assert_eq!(ann.messages("lobby").await[0]["waits_for"], "web:ann");
}

#[tokio::test]
async fn a_resumed_stream_loses_and_repeats_nothing() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::enter(&served, "Bob").await;
    let start = bob.get("me").await["seq"].as_u64().unwrap();
    ann.say("one", "k1").await;
    ann.say("/togyz", "k2").await;
    let seen = bob.events(start).await;
    let names: Vec<&str> = seen.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["message", "message", "message", "ready"]);
    let last = seen.iter().filter_map(|(id, _, _)| *id).max().unwrap();
    assert_eq!(bob.events(last).await.len(), 1, "only that it is ready");
    // While away: three moves on the board and a word. The board comes once, as it stands now.
    for n in 1..=3 {
        ann.press(3, &n.to_string(), &format!("p{n}")).await;
    }
    ann.say("two", "k3").await;
    let missed = bob.events(last).await;
    let ids: Vec<u64> = missed.iter().filter_map(|(id, _, _)| *id).collect();
    assert!(ids.is_sorted() && ids.iter().all(|id| *id > last));
    let missed: Vec<&Value> = missed.iter().map(|(_, _, data)| data).collect();
    assert_eq!(missed[0]["image"]["alt"], "Board after move 3");
    assert_eq!(missed[1]["text"], "two");
    assert_eq!(missed.len(), 3);
    // A client that knows more than the chat (its folder was emptied) has to start again.
    assert_eq!(bob.events(last + 1_000).await[0].1, "reset");
}

#[tokio::test]
async fn an_open_stream_tells_what_happens() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::enter(&served, "Bob").await;
    let mut stream = bob.try_get("events").await;
    let mut text = String::new();
    let mut until = async |wanted: &str| {
        while !text.contains(wanted) {
            let piece = stream.chunk().await.unwrap().expect("the stream goes on");
            text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    };
    until("event: ready").await;
    ann.say("hello Bob", "k1").await;
    until("hello Bob").await;
    ann.post("rooms/lobby/typing", json!({})).await;
    until("event: busy").await;
    let people = ann.get("rooms/lobby").await["people"].clone();
    assert_eq!(people[1]["online"], true);
    assert_eq!(people[0]["online"], false);
    // A chat that is closed ends its streams, so that the process can end.
    served.stop().await;
    assert!(stream.chunk().await.is_ok_and(|it| it.is_none()));
}

/// Reads an open stream up to these words.
async fn read(stream: &mut Response, wanted: &str) -> String {
    let mut text = String::new();
    while !text.contains(wanted) {
        let piece = stream.chunk().await.unwrap().expect("the stream goes on");
        text.push_str(std::str::from_utf8(&piece).unwrap());
    }
    text
}

#[tokio::test]
async fn a_new_stream_beyond_the_limit_ends_the_oldest_one() {
    let folder = TempDir::new().unwrap();
    let limits = WebchatLimits { streams: 2, ..WebchatLimits::default() };
    let served = Served::start(folder.path(), limits).await;
    let ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::enter(&served, "Bob").await;
    // Connections that were lost, as far as the server knows still open.
    let mut streams = Vec::new();
    for _ in 0..3 {
        let mut stream = ann.try_get("events").await;
        assert_eq!(stream.status(), StatusCode::OK);
        read(&mut stream, "event: ready").await;
        streams.push(stream);
    }
    let mut oldest = streams.remove(0);
    read(&mut oldest, "event: crowded").await;
    assert!(oldest.chunk().await.is_ok_and(|it| it.is_none()));
    bob.say("hello Ann", "k1").await;
    for stream in &mut streams {
        let told = read(stream, "hello Ann").await;
        assert!(!told.contains("crowded"), "{told}");
    }
    drop(oldest);
    let people = bob.get("rooms/lobby").await["people"].clone();
    assert_eq!(people[0]["online"], true);
    // The page asks like this from then on, and ends no other stream.
    let polled = ann.events(0).await;
    assert_eq!(polled.last().unwrap().1, "ready");
    bob.say("and again", "k2").await;
    for stream in &mut streams {
        read(stream, "and again").await;
    }
}

#[tokio::test]
async fn a_restart_keeps_rooms_people_messages_and_pictures() {
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let ann = Someone::enter(&served, "Ann").await;
    ann.say("/togyz", "k1").await;
    ann.press(2, "4", "p1").await;
    ann.say("/hand", "k2").await;
    let before = ann.get("rooms/lobby").await;
    let event = ann.get("me").await["seq"].as_u64().unwrap();
    let lobby = lobby(&served);
    served.stop().await;

    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let ann = ann.at(&served);
    assert_eq!(ann.get("rooms/lobby").await, before);
    let source = before["messages"][1]["image"]["src"].as_str().unwrap().to_owned();
    let picture = ann.try_get(source.trim_start_matches("/api/")).await;
    assert_eq!(picture.headers()["content-type"], "image/png");
    assert_eq!(picture.bytes().await.unwrap().as_ref(), crate::web_bot::picture(1).as_slice());
    assert_eq!(ann.events(event).await.len(), 1, "nothing is sent twice");
    // The bot still knows its own message, and what it said once it does not say twice.
    let again = Message::of(&before["messages"][1]);
    let person = person(&ann);
    served.web.edit(&lobby, &again.id, &board(9, &person, &[])).await.unwrap();
    assert_eq!(ann.messages("lobby").await[1]["image"]["alt"], "Board after move 9");
    // The old picture is gone with the last message that showed it.
    let picture = ann.try_get(source.trim_start_matches("/api/")).await;
    assert_eq!(picture.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_message_kept_before_the_bot_died_is_heard_after_the_restart() {
    let folder = TempDir::new().unwrap();
    let served = Served::start(folder.path(), WebchatLimits::default()).await;
    let ann = Someone::enter(&served, "Ann").await;
    *served.bot.dead.lock() = true;
    let body = json!({ "text": "/say alive", "key": "k1" });
    let (status, _) = ann.try_post("rooms/lobby/messages", body).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    served.stop().await;

    // Once by itself, once because the client asks again: one update, one answer.
    let bot = Arc::new(Bot::default());
    let served =
        Served::start_with(folder.path(), WebchatLimits::default(), bot, "127.0.0.1:0").await;
    let ann = ann.at(&served);
    ann.say("/say alive", "k1").await;
    assert_eq!(ann.texts().await, ["/say alive", "alive"]);
    let heard = served.bot.heard();
    assert!(heard.iter().all(|id| *id == heard[0]), "{heard:?}");
}

#[tokio::test]
async fn a_confidential_command_is_read_by_the_bot_alone() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::enter(&served, "Bob").await;
    let start = bob.get("me").await["seq"].as_u64().unwrap();
    let heard = served.bot.heard().len();
    for (n, text) in ["/whisper @Bob", "/whisper"].into_iter().enumerate() {
        let told = ann.say(text, &format!("k{n}")).await;
        assert_eq!(
            (&told["id"], &told["whispers"][0]["text"]),
            (&Value::Null, &json!("for you alone"))
        );
        // A request that is repeated because its answer was lost.
        assert_eq!(ann.say(text, &format!("k{n}")).await["id"], Value::Null);
    }
    assert_eq!(served.bot.heard().len() - heard, 4, "each command twice, with the same id");
    assert_eq!(ann.texts().await, ["for you alone"; 2]);
    assert!(bob.texts().await.is_empty());
    let streamed = bob.events(start).await;
    assert!(streamed.iter().all(|(_, _, it)| !it.to_string().contains("hisper")), "{streamed:?}");
    // Alone with the bot, one sees what one has written.
    ann.post("rooms", json!({ "name": "@" })).await;
    let written = json!({ "text": "/whisper", "key": "k9" });
    assert!(ann.post("rooms/@/messages", written).await["id"].is_u64());
}

#[tokio::test]
async fn private_replies_reach_one_person_only() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::enter(&served, "Bob").await;
    let start = bob.get("me").await["seq"].as_u64().unwrap();
    let told = ann.say("/hand", "k1").await;
    let number = told["whispers"][0]["id"].as_u64().unwrap();
    let mine = ann.messages("lobby").await.pop().unwrap();
    assert_eq!((&mine["only"], &mine["text"]), (&json!(true), &json!("your hand")));
    let source = mine["image"]["src"].as_str().unwrap().trim_start_matches("/api/").to_owned();
    assert_eq!(ann.try_get(&source).await.status(), StatusCode::OK);

    assert_eq!(bob.texts().await, ["/hand"]);
    let streamed = bob.events(start).await;
    assert!(streamed.iter().all(|(_, _, it)| !it.to_string().contains("your hand")));
    assert_eq!(bob.try_get(&source).await.status(), StatusCode::NOT_FOUND);
    let press = json!({ "message": number, "press": "jack", "key": "p1" });
    assert_eq!(bob.try_post("rooms/lobby/press", press).await.0, StatusCode::NOT_FOUND);
    let dismiss = json!({ "message": number });
    let refused = bob.try_post("rooms/lobby/dismiss", dismiss.clone()).await;
    assert_eq!(refused.0, StatusCode::NOT_FOUND);

    ann.post("rooms/lobby/dismiss", dismiss).await;
    assert_eq!(ann.texts().await, ["/hand"]);
    assert_eq!(ann.try_get(&source).await.status(), StatusCode::NOT_FOUND);
    // Outside an answer too, and never to a person who is not there.
    let note = say("your turn in private");
    served
        .web
        .show_ephemeral(&lobby(&served), &PersonId(bob.id.clone()), "hand", &note.clone().into())
        .await
        .unwrap();
    assert_eq!(bob.texts().await.last().unwrap(), "your turn in private");
    assert_eq!(ann.texts().await, ["/hand"]);
    let nobody = PersonId("web:nobody".into());
    let refused =
        served.web.show_ephemeral(&lobby(&served), &nobody, "hand", &note.clone().into()).await;
    assert_eq!(refused, Err(SendError::NotAllowed));
}

#[tokio::test]
async fn private_chats_and_rooms_one_is_not_in_are_closed() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let eve = Someone::arrive(&served, "Eve").await;
    ann.post("rooms", json!({ "name": "@" })).await;
    let body = json!({ "text": "/say just us", "key": "k1" });
    ann.post("rooms/@/messages", body).await;
    assert_eq!(ann.messages("@").await.len(), 2);
    let chat_id = served.bot.calls.lock().last().unwrap().chat.clone();
    assert_eq!(chat_id.id.0, format!("web:@{}", ann.id.trim_start_matches("web:")));
    for path in ["rooms/lobby", "rooms/@", &format!("rooms/@{}", &ann.id[4..])] {
        assert_eq!(eve.try_get(path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let stranger = eve.client.get(format!("{}/api/rooms/lobby", eve.base)).send().await.unwrap();
    assert_eq!(stranger.status(), StatusCode::UNAUTHORIZED);
    let rooms = eve.get("rooms").await["rooms"].clone();
    assert_eq!(rooms.as_array().unwrap().len(), 1, "private chats are not listed: {rooms}");
}

#[tokio::test]
async fn too_much_is_answered_kindly() {
    let folder = TempDir::new().unwrap();
    let hour = 3_600_000;
    let limits = WebchatLimits {
        say_rate: (3, hour),
        bot_messages: 4,
        people: 3,
        ..WebchatLimits::default()
    };
    let served = Served::start(folder.path(), limits).await;
    let ann = Someone::enter(&served, "Ann").await;
    ann.say("one", "k1").await;
    ann.say("two", "k2").await;
    ann.say("three", "k3").await;
    let fourth = json!({ "text": "four", "key": "k4" });
    let (status, answer) = ann.try_post("rooms/lobby/messages", fourth).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer["wait_ms"].as_u64().unwrap() > 0 && answer["error"] == "too_fast");
    let bob = Someone::enter(&served, "Bob").await;
    for (text, key) in [("", "k"), ("x", "no spaces"), (&"x".repeat(2_001), "k")] {
        let body = json!({ "text": text, "key": key });
        let (status, answer) = bob.try_post("rooms/lobby/messages", body).await;
        assert_eq!((status, &answer["error"]), (StatusCode::BAD_REQUEST, &json!("bad_request")));
    }
    let (status, answer) = ann.try_post("rooms", json!({ "name": "a/b" })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
    for n in 0..5 {
        served.web.post(&lobby(&served), &say(&format!("said {n}"))).await.unwrap();
    }
    assert_eq!(
        ann.texts().await,
        ["one", "two", "three", "said 1", "said 2", "said 3", "said 4"],
        "only the newest are kept"
    );
    Someone::arrive(&served, "Cem").await;
    let url = format!("{}/api/people", served.base);
    let full = ann.client.post(url).json(&json!({ "name": "Dan" })).send().await.unwrap();
    assert_eq!(full.status(), StatusCode::SERVICE_UNAVAILABLE);
}

/// Another room is refused with another reason than a full one.
#[tokio::test]
async fn a_person_in_many_rooms_learns_that_they_have_to_leave_one() {
    let folder = TempDir::new().unwrap();
    let limits =
        WebchatLimits { rooms_of_person: 1, people_in_room: 1, ..WebchatLimits::default() };
    let served = Served::start(folder.path(), limits).await;
    let ann = Someone::enter(&served, "Ann").await;
    let (status, answer) = ann.try_post("rooms", json!({ "name": "tea" })).await;
    assert_eq!((status, &answer["error"]), (StatusCode::CONFLICT, &json!("many_rooms")));
    let bob = Someone::arrive(&served, "Bob").await;
    let (status, answer) = bob.try_post("rooms", json!({ "name": "lobby" })).await;
    assert_eq!((status, &answer["error"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("full")));
}

#[tokio::test]
async fn suggestions_know_commands_arguments_and_people() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    Someone::enter(&served, "Бек Али").await;
    let offers = async |text: &str| {
        let query = [("room", "lobby"), ("text", text)];
        let url = format!("{}/api/suggest", ann.base);
        let asked = ann.with_token(ann.client.get(url).query(&query)).send().await.unwrap();
        let found: Value = asked.json().await.unwrap();
        found["suggestions"].as_array().unwrap().clone()
    };
    assert_eq!(offers("/").await.len(), 3);
    let found = offers("/TO").await;
    assert_eq!(found[0]["text"], "/togyz ");
    assert_eq!(found[0]["about"], "Open a table of Togyzkumalak");
    assert_eq!(offers("/то").await[0]["label"], "/тоғыз", "an alias, as it was begun");
    let found = offers("/move 3").await;
    assert_eq!(found.iter().map(|it| &it["text"]).collect::<Vec<_>>(), ["/move 3", "/move 35"]);
    assert_eq!(offers("/togyz @бе").await[0]["text"], "/togyz @Бек Али ");
    assert!(offers("hello").await.is_empty());
    ann.post("me", json!({ "locale": "ru-RU" })).await;
    assert_eq!(offers("/mo").await[0]["about"], "Сделать ход");
}

#[tokio::test]
async fn mentions_reach_the_bot_as_people() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let first = Someone::enter(&served, "Бек Али").await;
    let second = Someone::enter(&served, "Бек Али").await;
    ann.say("/togyz @Бек Али and @stranger", "k1").await;
    let body = json!({ "text": "/togyz @Бек Али", "key": "k2", "mentions": [second.id],
        "reply_to": 1 });
    ann.post("rooms/lobby/messages", body).await;
    let calls = served.bot.calls.lock();
    let heard: Vec<_> = calls
        .iter()
        .filter_map(|it| match &it.kind {
            UpdateKind::Text { text, mentions, reply_to, .. } => Some((text, mentions, reply_to)),
            _ => None,
        })
        .collect();
    let named = |mention: &Mention| match mention {
        Mention::Known(person) => person.id.0.clone(),
        Mention::Username(name) => name.clone(),
    };
    assert_eq!(heard[0].0, "/togyz and");
    let ids: Vec<String> = heard[0].1.iter().map(named).collect();
    assert_eq!(ids, [first.id.clone(), "stranger".into()]);
    let ids: Vec<String> = heard[1].1.iter().map(named).collect();
    assert_eq!(ids, [second.id]);
    assert_eq!(*heard[1].2, Some(MessageId("1".into())));
    assert!(calls[0].person.admin && matches!(calls[0].kind, UpdateKind::BotAdded));
}

#[tokio::test]
async fn a_removed_bot_hears_and_says_nothing_until_it_is_back() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let bob = Someone::enter(&served, "Bob").await;
    ann.say("/togyz", "k1").await;
    let away = json!({ "present": false });
    let (status, answer) = bob.try_post("rooms/lobby/bot", away.clone()).await;
    assert_eq!((status, &answer["error"]), (StatusCode::FORBIDDEN, &json!("not_admin")));
    ann.post("rooms/lobby/bot", away).await;
    assert!(matches!(served.bot.calls.lock().last().unwrap().kind, UpdateKind::BotRemoved));
    let heard = served.bot.heard().len();
    ann.say("/say anything", "k2").await;
    assert_eq!(served.bot.heard().len(), heard);
    assert_eq!(served.web.post(&lobby(&served), &say("hm")).await, Err(SendError::NotAllowed));
    let press = json!({ "message": 2, "press": "1", "key": "p1" });
    assert_eq!(bob.try_post("rooms/lobby/press", press).await.1["error"], "no_bot");
    ann.post("rooms/lobby/bot", json!({ "present": true })).await;
    assert!(matches!(served.bot.calls.lock().last().unwrap().kind, UpdateKind::BotAdded));
    bob.press(2, "1", "p2").await;
    // The person who has been here longest inherits the room.
    ann.post("rooms/lobby/leave", json!({})).await;
    assert_eq!(bob.get("rooms/lobby").await["admin"], true);
    assert_eq!(ann.try_get("rooms/lobby").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn foreign_names_and_pages_are_refused() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    let ask = async |name: &'static str, value: &str| {
        let url = format!("{}/api/me", served.base);
        let request = ann.with_token(ann.client.get(url)).header(name, value);
        request.send().await.unwrap().status()
    };
    let own = served.base.trim_start_matches("http://");
    assert_eq!(ask("host", "evil.example").await, StatusCode::FORBIDDEN);
    assert_eq!(ask("host", "localhost:8787").await, StatusCode::OK);
    assert_eq!(ask("origin", "http://evil.example").await, StatusCode::FORBIDDEN);
    assert_eq!(ask("origin", "null").await, StatusCode::FORBIDDEN);
    assert_eq!(ask("origin", &format!("http://{own}")).await, StatusCode::OK);
    let page = ann.client.get(&served.base).send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
    let page = page.text().await.unwrap();
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("style="));
}

#[tokio::test]
async fn the_bot_posts_once_edits_deletes_and_counts() {
    let (_folder, served) = chat().await;
    let web = &served.web;
    let ann = Someone::enter(&served, "Ann").await;
    let mut hello = say("hello");
    hello.nonce = "n1".into();
    let id = web.post(&lobby(&served), &hello).await.unwrap();
    assert_eq!(web.post(&lobby(&served), &hello).await.unwrap(), id);
    assert_eq!(web.messages_below(&lobby(&served), &id), 0);
    ann.say("one", "k1").await;
    ann.say("/say two", "k2").await;
    assert_eq!(
        web.messages_below(&lobby(&served), &id),
        2,
        "only what people wrote buries a board"
    );
    assert_eq!(web.message_link(&lobby(&served), &id).unwrap(), format!("/#/lobby?m={}", id.0));
    let seq = ann.get("me").await["seq"].clone();
    web.edit(&lobby(&served), &id, &hello).await.unwrap();
    assert_eq!(ann.get("me").await["seq"], seq, "the same again changes nothing");
    web.edit(&lobby(&served), &id, &say("bye")).await.unwrap();
    assert_eq!(ann.texts().await[0], "bye");
    let gone = Err(SendError::MessageGone);
    let theirs = MessageId("2".into());
    assert_eq!(web.edit(&lobby(&served), &theirs, &hello).await, gone, "not the bot's");
    web.delete(&lobby(&served), &id).await.unwrap();
    web.delete(&lobby(&served), &id).await.unwrap();
    assert_eq!(web.edit(&lobby(&served), &id, &hello).await, gone);
    assert_eq!(ann.texts().await.len(), 3);
    let nowhere = ChatId("web:nowhere".into());
    assert_eq!(web.post(&nowhere, &hello).await, Err(SendError::NotAllowed));
    let refused = web.post(&lobby(&served), &say(&"x".repeat(20_000))).await;
    assert!(matches!(refused, Err(SendError::Refused(_))));
    ann.say("/file", "k3").await;
    let file = ann.messages("lobby").await.pop().unwrap()["file"].clone();
    assert_eq!(file["name"], "game.txt");
    let path = file["src"].as_str().unwrap().trim_start_matches("/api/").to_owned();
    let answer = ann.try_get(&path).await;
    assert_eq!(answer.headers()["content-type"], "application/octet-stream");
    assert_eq!(answer.text().await.unwrap(), "record");
    ann.say("/replay", "k4").await;
    let file = ann.messages("lobby").await.pop().unwrap()["file"].clone();
    assert_eq!((&file["width"], &file["height"]), (&5.into(), &4.into()));
    let path = file["src"].as_str().unwrap().trim_start_matches("/api/").to_owned();
    assert_eq!(ann.try_get(&path).await.headers()["content-type"], "image/gif");
}

struct Message {
    id: MessageId,
}

impl Message {
    fn of(value: &Value) -> Message {
        Message { id: MessageId(value["id"].to_string()) }
    }
}

fn person(of: &Someone) -> caravanserai_protocol::Person {
    caravanserai_protocol::Person {
        id: PersonId(of.id.clone()),
        name: "Ann".into(),
        username: None,
        locale: None,
        kind: caravanserai_protocol::PersonKind::Human,
        admin: false,
    }
}
