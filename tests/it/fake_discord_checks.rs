//! The Discord server for tests, tested: it must refuse what the real one refuses.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::fake_discord::{Failure, FakeDiscord, may};

struct Bot {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Bot {
    fn of(dc: &FakeDiscord) -> Self {
        let http = reqwest::Client::builder().user_agent("checks").no_proxy().build();
        let base = format!("{}/api/v10", dc.api_url());
        Bot { http: http.expect("the client builds"), base, token: dc.token() }
    }

    fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = method.parse().expect("a method");
        let request = self.http.request(method, format!("{}{path}", self.base));
        request.header("Authorization", format!("Bot {}", self.token))
    }

    async fn ask(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let request = self.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        read(request).await
    }

    async fn with_file(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let file = Part::bytes(b"png".to_vec()).file_name("board.png");
        let form = Form::new().text("payload_json", body.to_string()).part("files[0]", file);
        read(self.request(method, path).multipart(form)).await
    }
}

async fn read(request: reqwest::RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.expect("the server answers");
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("the answer is whole");
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

const BUTTON: &str = r#"[{"type":1,"components":[
    {"type":2,"style":1,"label":"Join","custom_id":"j.1"}]}]"#;

fn buttons() -> Value {
    serde_json::from_str(BUTTON).expect("it is JSON")
}

/// A server on which `/togyz` is registered and Ann is in a channel, with a bot and a listening
/// gateway session.
async fn prepared() -> (FakeDiscord, Bot) {
    let dc = FakeDiscord::start().await;
    let bot = Bot::of(&dc);
    let path = format!("/applications/{}/commands", app(&bot).await);
    let command = json!([{"name": "togyz", "description": "Plays", "type": 1, "options": []}]);
    let (status, _) = bot.ask("PUT", &path, command).await;
    assert_eq!(status, 200);
    (dc, bot)
}

async fn app(bot: &Bot) -> String {
    let (_, about) = bot.ask("GET", "/applications/@me", Value::Null).await;
    about["id"].as_str().expect("an application has an id").to_owned()
}

type Socket =
    tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

async fn gateway(bot: &Bot) -> Socket {
    let (_, about) = bot.ask("GET", "/gateway", Value::Null).await;
    let url = about["url"].as_str().expect("the gateway has an address");
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("it accepts");
    let hello = next(&mut socket).await;
    assert_eq!(hello["op"], 10);
    socket
}

async fn next(socket: &mut Socket) -> Value {
    match socket.next().await {
        Some(Ok(Message::Text(text))) => serde_json::from_str(&text).expect("it is JSON"),
        Some(Ok(Message::Close(Some(frame)))) => json!({"closed": u16::from(frame.code)}),
        other => json!({"lost": format!("{other:?}")}),
    }
}

async fn tell(socket: &mut Socket, value: Value) {
    socket.send(Message::Text(value.to_string())).await.expect("the socket is open");
}

fn identify(token: &str, intents: u64) -> Value {
    json!({"op": 2, "d": {"token": token, "intents": intents, "properties": {"os": "x"}}})
}

/// The token of the next interaction the session hears of.
async fn interaction(socket: &mut Socket) -> Value {
    loop {
        let event = next(socket).await;
        if event["t"] == "INTERACTION_CREATE" {
            return event["d"].clone();
        }
        assert!(event["lost"].is_null(), "{event}");
    }
}

async fn interaction_token(socket: &mut Socket) -> String {
    interaction(socket).await["token"].as_str().expect("it has a token").to_owned()
}

#[tokio::test]
async fn a_wrong_token_is_unauthorised() {
    let dc = FakeDiscord::start().await;
    let mut bot = Bot::of(&dc);
    bot.token = "wrong".to_owned();
    assert_eq!(bot.ask("GET", "/users/@me", Value::Null).await.0, 401);
}

#[tokio::test]
async fn words_that_are_too_long_are_refused_with_their_place() {
    let (dc, bot) = prepared().await;
    let channel = dc.channel("games", &[]);
    let path = format!("/channels/{}/messages", channel.id);
    let (status, answer) = bot.ask("POST", &path, json!({"content": "x".repeat(2001)})).await;
    assert_eq!((status, &answer["code"]), (400, &json!(50035)));
    assert_eq!(answer["errors"]["content"]["_errors"][0]["code"], "BASE_TYPE_MAX_LENGTH");

    let mut rows = buttons();
    rows[0]["components"][0]["custom_id"] = json!("x".repeat(101));
    let (_, answer) = bot.ask("POST", &path, json!({"content": "x", "components": rows})).await;
    let place = "/errors/components/0/components/0/custom_id/_errors/0/code";
    assert_eq!(answer.pointer(place), Some(&json!("BASE_TYPE_BAD_LENGTH")), "{answer}");

    let rows = json!([{"type": 1, "components": []}]);
    let (status, _) = bot.ask("POST", &path, json!({"content": "x", "components": rows})).await;
    assert_eq!(status, 400);
    assert_eq!(dc.violations().len(), 3);
}

#[tokio::test]
async fn fields_discord_does_not_know_are_violations() {
    let (dc, bot) = prepared().await;
    let channel = dc.channel("games", &[]);
    let path = format!("/channels/{}/messages", channel.id);
    let body = json!({"content": "x", "parse_mode": "HTML", "components": buttons()});
    assert_eq!(bot.ask("POST", &path, body).await.0, 200);
    assert!(dc.violations()[0].ends_with("unknown parse_mode"), "{:?}", dc.violations());
    assert_eq!(bot.ask("GET", "/no/such/thing", Value::Null).await.0, 404);
    assert_eq!(dc.violations().len(), 2);
}

#[tokio::test]
async fn an_edit_keeps_only_the_files_it_names() {
    let (dc, bot) = prepared().await;
    let ann = dc.user("Ann");
    let channel = dc.channel("games", &[&ann]);
    let path = format!("/channels/{}/messages", channel.id);
    let new = json!([{"id": "0", "filename": "board.png", "description": "the first position"}]);
    let (status, posted) =
        bot.with_file("POST", &path, json!({"content": "x", "attachments": new})).await;
    assert_eq!(status, 200, "{posted}");
    let message = format!("{path}/{}", posted["id"].as_str().expect("an id"));
    let old = &posted["attachments"][0]["id"];

    assert_eq!(bot.ask("PATCH", &message, json!({"content": "y"})).await.0, 200);
    assert_eq!(dc.visible_to(&ann, &channel)[0].files.len(), 1, "not named: all stay");

    let both = json!([{"id": old, "description": "old"}, {"id": "0", "description": "new"}]);
    assert_eq!(bot.with_file("PATCH", &message, json!({"attachments": both})).await.0, 200);
    let files = &dc.visible_to(&ann, &channel)[0].files;
    let words: Vec<_> = files.iter().map(|it| it.description.as_deref()).collect();
    assert_eq!(words, [Some("old"), Some("new")]);

    assert_eq!(bot.ask("PATCH", &message, json!({"attachments": []})).await.0, 200);
    assert!(dc.visible_to(&ann, &channel)[0].files.is_empty());
    let lost = json!({"attachments": [{"id": "5"}]});
    assert_eq!(bot.ask("PATCH", &message, lost).await.1["code"], 50035);
}

#[tokio::test]
async fn missing_things_and_rights_have_their_codes() {
    let (dc, bot) = prepared().await;
    let channel = dc.channel("games", &[]);
    let path = format!("/channels/{}/messages", channel.id);
    let hello = || json!({"content": "x"});
    assert_eq!(bot.ask("POST", "/channels/7/messages", hello()).await.1["code"], 10003);
    assert_eq!(bot.ask("PATCH", &format!("{path}/7"), hello()).await.1["code"], 10008);
    assert_eq!(bot.ask("POST", &path, json!({})).await.1["code"], 50006);
    dc.bot_may(&channel, may::VIEW_CHANNEL);
    assert_eq!(bot.ask("POST", &path, hello()).await.1["code"], 50013);
    dc.bot_may(&channel, 0);
    assert_eq!(bot.ask("POST", &path, hello()).await.1["code"], 50001);
    dc.bot_may(&channel, may::USUAL);
    dc.remove_bot(&channel);
    assert_eq!(bot.ask("POST", &path, hello()).await, {
        (403, json!({"message": "Missing Access", "code": 50001}))
    });
}

#[tokio::test]
async fn interactions_expire_after_three_seconds_and_fifteen_minutes() {
    let (dc, bot) = prepared().await;
    let ann = dc.user("Ann");
    let channel = dc.channel("games", &[&ann]);
    let mut socket = gateway(&bot).await;
    tell(&mut socket, identify(&dc.token(), 1)).await;
    dc.connected().await;

    let late = ann.slash(&channel, "togyz", &[]);
    let token = interaction_token(&mut socket).await;
    dc.advance(Duration::from_millis(3001));
    let path = format!("/interactions/{late}/{token}/callback");
    let whisper = json!({"type": 4, "data": {"content": "only you", "flags": 64}});
    assert_eq!(bot.ask("POST", &path, whisper.clone()).await.1["code"], 10062);

    let id = ann.slash(&channel, "togyz", &[]);
    let token = interaction_token(&mut socket).await;
    let path = format!("/interactions/{id}/{token}/callback");
    let webhook = format!("/webhooks/{}/{token}", app(&bot).await);
    assert_eq!(bot.ask("POST", &webhook, json!({"content": "x"})).await.1["code"], 10015);
    assert_eq!(bot.ask("POST", &path, whisper.clone()).await.0, 204);
    assert_eq!(bot.ask("POST", &path, whisper).await.1["code"], 40060);
    assert_eq!(bot.ask("POST", &webhook, json!({"content": "more"})).await.0, 200);
    dc.advance(Duration::from_secs(15 * 60));
    assert_eq!(bot.ask("POST", &webhook, json!({"content": "x"})).await.1["code"], 10015);
}

#[tokio::test]
async fn only_the_one_who_asked_sees_an_ephemeral_message() {
    let (dc, bot) = prepared().await;
    let (ann, bob) = (dc.user("Ann"), dc.user("Bob"));
    let channel = dc.channel("games", &[&ann, &bob]);
    let mut socket = gateway(&bot).await;
    tell(&mut socket, identify(&dc.token(), 1)).await;
    dc.connected().await;
    let id = ann.slash(&channel, "togyz", &[]);
    let token = interaction_token(&mut socket).await;
    let path = format!("/interactions/{id}/{token}/callback");
    let whisper = json!({"type": 4, "data": {"content": "only you", "flags": 64}});
    assert_eq!(bot.ask("POST", &path, whisper).await.0, 204);
    let seen = dc.visible_to(&ann, &channel);
    assert!(seen[0].ephemeral && seen[0].content == "only you");
    assert!(dc.visible_to(&bob, &channel).is_empty());
    let as_bot = format!("/channels/{}/messages/{}", channel.id, seen[0].id);
    assert_eq!(bot.ask("PATCH", &as_bot, json!({"content": "y"})).await.1["code"], 10008);
    let original = format!("/webhooks/{}/{token}/messages/@original", app(&bot).await);
    assert_eq!(bot.ask("PATCH", &original, json!({"content": "y"})).await.0, 200);
    assert_eq!(bot.ask("DELETE", &original, Value::Null).await.0, 204);
    assert!(dc.visible_to(&ann, &channel).is_empty());
}

#[tokio::test]
async fn buckets_fill_and_empty_with_time() {
    let (dc, bot) = prepared().await;
    let channel = dc.channel("games", &[]);
    dc.limit(2, Duration::from_secs(5));
    let path = format!("/channels/{}/messages", channel.id);
    for left in ["1", "0"] {
        let request = bot.request("POST", &path).json(&json!({"content": "x"}));
        let answer = request.send().await.expect("the server answers");
        assert_eq!(answer.headers()["x-ratelimit-remaining"], left);
    }
    dc.advance(Duration::from_secs(1));
    let (status, answer) = bot.ask("POST", &path, json!({"content": "x"})).await;
    assert_eq!((status, &answer["retry_after"]), (429, &json!(4.0)));
    dc.advance(Duration::from_secs(4));
    assert_eq!(bot.ask("POST", &path, json!({"content": "x"})).await.0, 200);
}

#[tokio::test]
async fn a_nonce_is_posted_once() {
    let (dc, bot) = prepared().await;
    let channel = dc.channel("games", &[]);
    let path = format!("/channels/{}/messages", channel.id);
    let body = || json!({"content": "x", "nonce": "n1", "enforce_nonce": true});
    dc.fail(Failure::CutAfter { method: "POST", path: "/messages" });
    let lost = match bot.request("POST", &path).json(&body()).send().await {
        Ok(answer) => answer.text().await,
        Err(lost) => Err(lost),
    };
    assert!(lost.is_err(), "the answer breaks off");
    assert_eq!(bot.ask("POST", &path, body()).await.0, 200);
    let bystander = dc.user("Ann");
    assert!(dc.visible_to(&bystander, &channel).is_empty(), "not in the guild");
    assert_eq!(dc.calls_to("POST", "/messages").len(), 2);
}

#[tokio::test]
async fn the_gateway_wants_its_token_and_no_privileged_intent() {
    let (dc, bot) = prepared().await;
    let mut socket = gateway(&bot).await;
    tell(&mut socket, identify("wrong", 1)).await;
    assert_eq!(next(&mut socket).await, json!({"closed": 4004}));
    let mut socket = gateway(&bot).await;
    tell(&mut socket, identify(&dc.token(), 1 | 1 << 15)).await;
    assert_eq!(next(&mut socket).await, json!({"closed": 4014}));
    assert_eq!(dc.violations().len(), 2);
}

#[tokio::test]
async fn a_cut_session_resumes_with_what_it_missed() {
    let (dc, bot) = prepared().await;
    let ann = dc.user("Ann");
    let channel = dc.channel("games", &[&ann]);
    let mut socket = gateway(&bot).await;
    tell(&mut socket, identify(&dc.token(), 1 | 1 << 9)).await;
    let ready = next(&mut socket).await;
    assert_eq!(ready["t"], "READY");
    assert_eq!(next(&mut socket).await["t"], "GUILD_CREATE");
    tell(&mut socket, json!({"op": 1, "d": 2})).await;
    assert_eq!(next(&mut socket).await["op"], 11);
    dc.cut_gateway();
    assert!(next(&mut socket).await["lost"].is_string());
    ann.say(&channel, "a secret", None);
    let mut socket = gateway(&bot).await;
    let session = &ready["d"]["session_id"];
    let resume = json!({"token": dc.token(), "session_id": session, "seq": 2});
    tell(&mut socket, json!({"op": 6, "d": resume})).await;
    let missed = next(&mut socket).await;
    assert_eq!(missed["t"], "MESSAGE_CREATE");
    assert_eq!(missed["d"]["content"], "", "words are hidden without the intent");
    assert_eq!(next(&mut socket).await["t"], "RESUMED");
}

#[tokio::test]
async fn commands_have_names_and_locales_that_discord_knows() {
    let (dc, bot) = prepared().await;
    let path = format!("/applications/{}/commands", app(&bot).await);
    let command = |name: &str, locale: &str| {
        let words = json!({locale: "x"});
        json!([{"name": name, "description": "Plays", "description_localizations": words}])
    };
    assert_eq!(bot.ask("PUT", &path, command("togyz", "ru")).await.0, 200);
    assert_eq!(bot.ask("PUT", &path, command("togyz", "kk")).await.0, 400);
    assert_eq!(bot.ask("PUT", &path, command("Togyz", "ru")).await.0, 400);
    let (_, listed) = bot.ask("GET", &path, Value::Null).await;
    assert!(listed[0].get("description_localizations").is_none());
    let full = format!("{path}?with_localizations=true");
    let (_, listed) = bot.ask("GET", &full, Value::Null).await;
    assert_eq!(listed[0]["description_localizations"]["ru"], "x");
    assert_eq!(dc.commands().len(), 1);
}

/// A command or option without translations.
fn option(kind: u64, name: &str, options: Value) -> Value {
    let mut option = json!({"type": kind, "name": name, "description": "Does it"});
    if !options.is_null() {
        option["options"] = options;
    }
    option
}

/// `/table draw`.
fn draw() -> Value {
    option(1, "draw", json!([option(3, "table", Value::Null)]))
}

#[tokio::test]
async fn subcommands_are_registered_within_the_limits_of_discord() {
    let (dc, bot) = prepared().await;
    let path = format!("/applications/{}/commands", app(&bot).await);
    let command = |options: Value| json!([option(1, "table", options)]);
    let many = |count: usize| -> Value {
        (0..count).map(|n| option(1, &format!("draw{n}"), json!([]))).collect()
    };
    let long = |n: usize| {
        let choice = |it: u8| json!({"name": "x".repeat(100), "value": it.to_string()});
        let mut choices = option(3, "table", Value::Null);
        choices["choices"] = (0..3).map(choice).collect();
        option(1, &format!("draw{n}"), json!([choices]))
    };
    let in_russian = |name: &str| {
        let mut option = option(1, name, json!([]));
        option["name_localizations"] = json!({"ru": "ничья"});
        option
    };
    for (options, code) in [
        (json!([draw(), option(1, "draw", json!([]))]), "NAME_ALREADY_EXISTS"),
        (json!([in_russian("draw"), in_russian("tie")]), "NAME_ALREADY_EXISTS"),
        (json!([draw(), option(3, "table", Value::Null)]), "OPTIONS_TYPE_INVALID"),
        (json!([option(1, "draw", json!([draw()]))]), "BASE_TYPE_CHOICES"),
        (many(26), "BASE_TYPE_MAX_LENGTH"),
        ((0..25).map(long).collect(), "APPLICATION_COMMAND_TOO_LARGE"),
    ] {
        let (status, answer) = bot.ask("PUT", &path, command(options)).await;
        assert_eq!(status, 400, "{code}: {answer}");
        assert!(answer.to_string().contains(code), "{code}: {answer}");
    }
    assert_eq!(bot.ask("PUT", &path, command(many(25))).await.0, 200);
    assert_eq!(dc.commands().len(), 1);
}

#[tokio::test]
async fn an_interaction_has_the_options_of_a_subcommand_within_it() {
    let (dc, bot) = prepared().await;
    let path = format!("/applications/{}/commands", app(&bot).await);
    let table = json!([option(1, "table", json!([draw()]))]);
    assert_eq!(bot.ask("PUT", &path, table).await.0, 200);
    let ann = dc.user("Ann");
    let channel = dc.channel("games", &[&ann]);
    let mut socket = gateway(&bot).await;
    tell(&mut socket, identify(&dc.token(), 1)).await;
    dc.connected().await;
    ann.slash(&channel, "table draw", &[("table", "abcdefg")]);
    let data = interaction(&mut socket).await["data"].clone();
    let inner = json!([{"name": "table", "type": 3, "value": "abcdefg"}]);
    assert_eq!(data["name"], "table");
    assert_eq!(data["options"], json!([{"name": "draw", "type": 1, "options": inner}]));
}
