//! The Telegram server for tests is itself checked: limits, errors, privacy, failures.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::fake_telegram::{
    ANONYMOUS_ADMIN, BOT_ID, FakeTelegram, Fault, Standing, Version, spec::SPEC,
};

/// A call that must fail, with the whole description.
async fn fails(tg: &FakeTelegram, method: &str, params: Value, code: u16, text: &str) -> Value {
    let (status, body) = tg.call(method, params).await;
    assert_eq!((status, body["description"].as_str()), (code, Some(text)), "{method}");
    body
}

/// A call that must succeed.
async fn works(tg: &FakeTelegram, method: &str, params: Value) -> Value {
    let (status, body) = tg.call(method, params).await;
    assert_eq!(status, 200, "{method}: {body}");
    body["result"].clone()
}

/// Everything that waits, confirmed at once.
async fn updates(tg: &FakeTelegram) -> Vec<Value> {
    let found = works(tg, "getUpdates", json!({})).await;
    let found = found.as_array().unwrap().clone();
    if let Some(last) = found.iter().filter_map(|it| it["update_id"].as_i64()).max() {
        works(tg, "getUpdates", json!({ "offset": last + 1 })).await;
    }
    found
}

fn texts(updates: &[Value]) -> Vec<&str> {
    updates.iter().filter_map(|it| it["message"]["text"].as_str()).collect()
}

/// A PNG of this size.
fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(width, height).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

async fn send_photo(tg: &FakeTelegram, chat: i64, bytes: Vec<u8>, caption: &str) -> (u16, Value) {
    let part = reqwest::multipart::Part::bytes(bytes).file_name("board.png");
    let form = reqwest::multipart::Form::new()
        .text("chat_id", chat.to_string())
        .text("caption", caption.to_owned())
        .text("reply_markup", r#"{"inline_keyboard":[[{"text":"1","callback_data":"m1"}]]}"#)
        .part("photo", part);
    let url = format!("{}/bot{}/SendPhoto", tg.url(), crate::fake_telegram::TOKEN);
    let answer = reqwest::Client::new().post(url).multipart(form).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

#[tokio::test]
async fn requests_outside_the_specification_are_refused_and_recorded() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    fails(&tg, "sendMesage", json!({}), 404, "Not Found: method not found").await;
    for (params, error) in [
        (json!({ "chat_id": chat }), "sendMessage lacks the field text"),
        (json!({ "chat_id": chat, "text": "a", "txt": 1 }), "sendMessage has an unknown field txt"),
        (json!({ "chat_id": chat, "text": 5 }), "sendMessage.text is not of type str: 5"),
        (
            json!({ "chat_id": chat, "text": "a", "reply_markup": { "inline_keyboard": [[5]] } }),
            "sendMessage.reply_markup is no ReplyMarkupUnion: {\"inline_keyboard\":[[5]]}",
        ),
    ] {
        let text = format!("Bad Request: violates the specification: {error}");
        fails(&tg, "SENDMESSAGE", params, 400, &text).await;
    }
    assert_eq!(tg.violations().len(), 5);
}

#[tokio::test]
async fn a_wrong_token_is_unauthorized() {
    let tg = FakeTelegram::start().await;
    let answer = reqwest::get(format!("{}/bot1:wrong/getMe", tg.url())).await.unwrap();
    assert_eq!(answer.status(), 401);
    let answer = reqwest::get(format!("{}/botnonsense/getMe", tg.url())).await.unwrap();
    assert_eq!(answer.status(), 404);
}

#[tokio::test]
async fn a_button_that_opens_an_app_is_for_private_chats() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    ann.say(ann.id, "/start");
    let app = json!({ "text": "Open", "web_app": { "url": "https://play.example.org/board" } });
    let keys = json!({ "inline_keyboard": [[app]] });
    let to = |chat: i64| json!({ "chat_id": chat, "text": "t", "reply_markup": keys });
    let id = works(&tg, "sendMessage", to(ann.id)).await["message_id"].clone();
    works(&tg, "deleteMessage", json!({ "chat_id": ann.id, "message_id": id })).await;
    assert_eq!(tg.violations(), [""; 0]);
    let refused = "Bad Request: BUTTON_TYPE_INVALID";
    fails(&tg, "sendMessage", to(chat), 400, refused).await;
    let mut alone = to(chat);
    alone["receiver_user_id"] = json!(ann.id);
    fails(&tg, "sendMessage", alone, 400, refused).await;
    let plain = json!({ "chat_id": chat, "text": "t" });
    let id = works(&tg, "sendMessage", plain).await["message_id"].clone();
    let edit = json!({ "chat_id": chat, "message_id": id, "reply_markup": keys });
    fails(&tg, "editMessageReplyMarkup", edit, 400, refused).await;
    let posed = json!({ "inline_message_id": "i1", "reply_markup": keys });
    fails(&tg, "editMessageReplyMarkup", posed, 400, refused).await;
    assert_eq!(tg.violations().len(), 4);
}

#[tokio::test]
async fn texts_buttons_and_notes_have_their_limits() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let text = |text: String| json!({ "chat_id": chat, "text": text });
    works(&tg, "sendMessage", text("я".repeat(4096))).await;
    fails(&tg, "sendMessage", text("a".repeat(4097)), 400, "Bad Request: message is too long")
        .await;
    fails(&tg, "sendMessage", text(" ".into()), 400, "Bad Request: message text is empty").await;
    let keys = |data: String, count: usize| {
        let row: Vec<_> =
            (0..count).map(|_| json!({ "text": "x", "callback_data": data })).collect();
        json!({ "chat_id": chat, "text": "t", "reply_markup": { "inline_keyboard": [row] } })
    };
    works(&tg, "sendMessage", keys("d".repeat(64), 1)).await;
    for data in [String::new(), "d".repeat(65), "ж".repeat(33)] {
        fails(&tg, "sendMessage", keys(data, 1), 400, "Bad Request: BUTTON_DATA_INVALID").await;
    }
    let much = keys("d".into(), 101);
    fails(&tg, "sendMessage", much, 400, "Bad Request: reply markup is too long").await;
    let cut = json!({
        "chat_id": chat,
        "text": "🎲",
        "entities": [{ "type": "bold", "offset": 0, "length": 1 }],
    });
    fails(&tg, "sendMessage", cut, 400, "Bad Request: ENTITY_BOUNDS_INVALID").await;

    let id = works(&tg, "sendMessage", keys("go".into(), 1)).await["message_id"].as_i64().unwrap();
    let query = ann.press_only(chat, id, "go");
    let long = json!({ "callback_query_id": query, "text": "a".repeat(201) });
    fails(&tg, "answerCallbackQuery", long, 400, "Bad Request: MESSAGE_TOO_LONG").await;
    let fine = json!({ "callback_query_id": query, "text": "a".repeat(200), "show_alert": true });
    works(&tg, "answerCallbackQuery", fine.clone()).await;
    let pressed = ann.answer_to(&query).await;
    assert_eq!((pressed.text.len(), pressed.alert), (200, true));
    let old = "Bad Request: query is too old and response timeout expired or query ID is invalid";
    fails(&tg, "answerCallbackQuery", fine, 400, old).await;
    let query = ann.press_only(chat, id, "go");
    tg.advance(60_000);
    fails(&tg, "answerCallbackQuery", json!({ "callback_query_id": query }), 400, old).await;
}

#[tokio::test]
async fn photos_are_decoded_and_captions_measured() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let (status, body) = send_photo(&tg, chat, picture(40, 30), &"a".repeat(1024)).await;
    assert_eq!(status, 200, "{body}");
    let seen = ann.sees(chat).pop().unwrap();
    assert_eq!((seen.media, seen.bytes), (Some("photo"), picture(40, 30)));
    let error = |body: &Value| body["description"].as_str().unwrap().to_owned();
    let (_, body) = send_photo(&tg, chat, picture(40, 30), &"a".repeat(1025)).await;
    assert_eq!(error(&body), "Bad Request: message caption is too long");
    let (_, body) = send_photo(&tg, chat, picture(50, 1001), "").await;
    assert_eq!(error(&body), "Bad Request: PHOTO_INVALID_DIMENSIONS");
    let (_, body) = send_photo(&tg, chat, b"text".to_vec(), "").await;
    assert_eq!(error(&body), "Bad Request: IMAGE_PROCESS_FAILED");
    let photo = &works(&tg, "sendMessage", json!({ "chat_id": chat, "text": "x" })).await;
    assert_eq!(photo["photo"], Value::Null);
    let unknown = json!({ "chat_id": chat, "photo": "AgACnone" });
    let text = "Bad Request: wrong file identifier/HTTP URL specified";
    fails(&tg, "sendPhoto", unknown, 400, text).await;
}

#[tokio::test]
async fn edits_are_checked_against_the_current_message() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let id = works(&tg, "sendMessage", json!({ "chat_id": chat, "text": "a" })).await;
    let id = id["message_id"].as_i64().unwrap();
    let edit = |id: i64, text: &str| json!({ "chat_id": chat, "message_id": id, "text": text });
    works(&tg, "editMessageText", edit(id, "b")).await;
    let same = "Bad Request: message is not modified: specified new message content and reply \
                markup are exactly the same as a current content and reply markup of the message";
    fails(&tg, "editMessageText", edit(id, "b"), 400, same).await;
    let caption = json!({ "chat_id": chat, "message_id": id, "caption": "c" });
    let none = "Bad Request: there is no caption in the message to edit";
    fails(&tg, "editMessageCaption", caption, 400, none).await;
    let hers = ann.say(chat, "/help");
    let cannot = "Bad Request: message can't be edited";
    fails(&tg, "editMessageText", edit(hers, "b"), 400, cannot).await;
    ann.deletes(chat, id);
    let gone = "Bad Request: message to edit not found";
    fails(&tg, "editMessageText", edit(id, "c"), 400, gone).await;
    let delete = json!({ "chat_id": chat, "message_id": id });
    fails(&tg, "deleteMessage", delete, 400, "Bad Request: message to delete not found").await;
    let delete = json!({ "chat_id": chat, "message_id": hers });
    fails(&tg, "deleteMessage", delete, 400, "Bad Request: message can't be deleted").await;
}

#[tokio::test]
async fn the_bot_may_not_write_everywhere() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let say = |chat: i64| json!({ "chat_id": chat, "text": "a" });
    let first = "Forbidden: bot can't initiate conversation with a user";
    fails(&tg, "sendMessage", say(ann.id), 403, first).await;
    ann.say(ann.id, "/start");
    works(&tg, "sendMessage", say(ann.id)).await;
    ann.blocks(&tg);
    let blocked = "Forbidden: bot was blocked by the user";
    fails(&tg, "sendMessage", say(ann.id), 403, blocked).await;
    let chat = tg.supergroup("Family", &[&ann]);
    tg.kick_bot(chat, &ann);
    let kicked = "Forbidden: bot was kicked from the supergroup chat";
    fails(&tg, "sendMessage", say(chat), 403, kicked).await;
    tg.set_standing(chat, Standing::Muted);
    let muted = "Bad Request: not enough rights to send text messages to the chat";
    fails(&tg, "sendMessage", say(chat), 400, muted).await;
    fails(&tg, "sendMessage", say(-5), 400, "Bad Request: chat not found").await;
    let group = tg.group("Old", &[&ann]);
    let new = tg.migrate(group, &ann);
    let moved = "Bad Request: group chat was upgraded to a supergroup chat";
    let body = fails(&tg, "sendMessage", say(group), 400, moved).await;
    assert_eq!(body["parameters"]["migrate_to_chat_id"], json!(new));
    works(&tg, "sendMessage", say(new)).await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn privacy_mode_hides_what_is_not_for_the_bot() {
    let tg = FakeTelegram::start().await;
    let (ann, other) = (tg.user("Ann"), tg.other_bot("Other"));
    let chat = tg.supergroup("Family", &[&ann, &other]);
    let sent = works(&tg, "sendMessage", json!({ "chat_id": chat, "text": "board" })).await;
    let board = sent["message_id"].as_i64().unwrap();
    ann.say(chat, "hello");
    ann.say(chat, "/togyz");
    ann.say(chat, "/togyz@caravan_bot now");
    ann.say(chat, "/togyz@another_bot");
    ann.reply(chat, board, "7");
    other.say(chat, "beep");
    ann.say(chat, "/general");
    ann.say(chat, "/mine@caravan_bot");
    let seen = updates(&tg).await;
    assert_eq!(texts(&seen), ["/togyz", "/togyz@caravan_bot now", "7", "/mine@caravan_bot"]);
    tg.set_standing(chat, Standing::Admin);
    ann.say(chat, "hello");
    assert_eq!(texts(&updates(&tg).await), ["hello"]);
    tg.set_standing(chat, Standing::Member);
    tg.privacy(false);
    ann.say(chat, "open");
    assert_eq!(texts(&updates(&tg).await), ["open"]);
}

#[tokio::test]
async fn its_own_words_are_of_the_specification() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann").username("ann").lang("ru"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let group = tg.group("Old", &[&ann]);
    let topic = tg.topic(chat, &ann, "Games");
    ann.say(topic, "/togyz @bobby");
    ann.say_naming(chat, "/togyz ", &bob, " please");
    ann.say_anonymously(chat, "/togyz");
    ann.say(ann.id, "/start j_1");
    ann.command_privately(chat, "/hand");
    let (_, body) = send_photo(&tg, chat, picture(4, 3), "x").await;
    let id = body["result"]["message_id"].as_i64().unwrap();
    ann.press_only(chat, id, "1");
    for standing in [Standing::Admin, Standing::Muted, Standing::Kicked] {
        tg.bot_becomes(chat, &ann, standing);
    }
    tg.add_bot(chat, &ann);
    tg.migrate(group, &ann);
    ann.blocks(&tg);
    let updates = updates(&tg).await;
    assert_eq!(updates.len(), 16);
    for update in &updates {
        SPEC.check("Update", update, "update", &BTreeSet::new()).unwrap();
    }
    SPEC.check("Message", &body["result"], "message", &BTreeSet::new()).unwrap();
    let me = works(&tg, "getMe", json!({})).await;
    SPEC.check("User", &me, "me", &BTreeSet::new()).unwrap();
    assert_eq!(me["id"], json!(BOT_ID));
    let hidden = updates.iter().find(|it| it["message"]["from"]["id"] == json!(ANONYMOUS_ADMIN));
    assert_eq!(hidden.unwrap()["message"]["sender_chat"]["id"], json!(chat));
    let named = &updates[2]["message"]["entities"][0];
    assert_eq!(named["type"], "text_mention");
    assert_eq!(named["offset"], 7);
}

#[tokio::test]
async fn ephemeral_messages_need_a_reason_and_reach_one_person() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let hand = |extra: Value| {
        let mut it = json!({ "chat_id": chat, "text": "J 9 A" });
        it["ephemeral_message_parameters"] = extra;
        it
    };
    let bare = hand(json!({ "receiver_user_id": ann.id }));
    fails(&tg, "sendMessage", bare.clone(), 400, "Bad Request: CHAT_ADMIN_REQUIRED").await;
    let keys = json!({ "inline_keyboard": [[{ "text": "My hand", "callback_data": "h" }]] });
    let board = json!({ "chat_id": chat, "text": "board", "reply_markup": keys });
    let board = works(&tg, "sendMessage", board).await["message_id"].as_i64().unwrap();
    let query = ann.press_only(chat, board, "h");
    let pressed = hand(json!({ "receiver_user_id": ann.id, "callback_query_id": query }));
    let sent = works(&tg, "sendMessage", pressed.clone()).await;
    assert_eq!((&sent["message_id"], sent["ephemeral_message_id"].as_i64()), (&json!(0), Some(1)));
    SPEC.check("Message", &sent, "message", &BTreeSet::new()).unwrap();
    assert_eq!(ann.sees(chat).len(), 2);
    assert_eq!(bob.sees(chat).len(), 1);
    tg.advance(15_001);
    fails(&tg, "sendMessage", pressed, 400, "Bad Request: QUERY_ID_INVALID").await;
    tg.set_standing(chat, Standing::Admin);
    works(&tg, "sendMessage", bare).await;
    let mut edit = json!({ "chat_id": chat, "receiver_user_id": ann.id, "text": "J 9" });
    edit["ephemeral_message_id"] = json!(1);
    works(&tg, "editEphemeralMessageText", edit).await;
    let gone = json!({ "chat_id": chat, "receiver_user_id": bob.id, "ephemeral_message_id": 1 });
    let text = "Bad Request: message to delete not found";
    fails(&tg, "deleteEphemeralMessage", gone, 400, text).await;
    assert_eq!(ann.sees(chat)[1].text, "J 9");
}

#[tokio::test]
async fn an_old_server_ignores_new_fields_and_knows_no_new_methods() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    tg.old();
    let hand = json!({
        "chat_id": chat,
        "text": "secret",
        "ephemeral_message_parameters": { "receiver_user_id": ann.id },
    });
    works(&tg, "sendMessage", hand).await;
    assert_eq!(bob.sees(chat).len(), 1, "that is the trap: everybody sees it");
    let gone = json!({ "chat_id": chat, "receiver_user_id": ann.id, "ephemeral_message_id": 1 });
    fails(&tg, "deleteEphemeralMessage", gone, 404, "Not Found: method not found").await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn times_in_texts_are_checked_and_refused_by_older_servers() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let said = |at_s: u64, format: &str| {
        let time = json!({
            "type": "date_time", "offset": 0, "length": 6,
            "unix_time": at_s, "date_time_format": format,
        });
        json!({ "chat_id": chat, "text": "14 min", "entities": [time] })
    };
    for format in ["r", "t", "wDT", "dt", ""] {
        works(&tg, "sendMessage", said(1_700_000_000, format)).await;
    }
    assert_eq!(ann.sees(chat)[0].entities[0]["unix_time"], 1_700_000_000);
    assert_eq!(tg.violations(), Vec::<String>::new());
    let wrong = "Bad Request: can't parse MessageEntity: Invalid date-time format specified";
    fails(&tg, "sendMessage", said(1_700_000_000, "rt"), 400, wrong).await;
    let far = said(4_000_000_000, "r");
    fails(&tg, "sendMessage", far, 400, "Bad Request: ENTITY_DATE_INVALID").await;
    tg.set_version(Version::V9_4);
    let unknown = "Bad Request: can't parse MessageEntity: Unsupported type specified";
    fails(&tg, "sendMessage", said(1_700_000_000, "r"), 400, unknown).await;
}

#[tokio::test]
async fn failures_duplicates_and_rates_come_when_asked_for() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let say = json!({ "chat_id": chat, "text": "a" });
    tg.fail_next(1, None, Fault::TooMany(7));
    let text = "Too Many Requests: retry after 7";
    let body = fails(&tg, "sendMessage", say.clone(), 429, text).await;
    assert_eq!(body["parameters"]["retry_after"], 7);
    tg.fail_next(1, Some("sendMessage"), Fault::Server(502));
    works(&tg, "getMe", json!({})).await;
    assert_eq!(tg.call("sendMessage", say.clone()).await.0, 502);
    tg.fail_next(1, None, Fault::CutAfter);
    let url = format!("{}/bot{}/sendMessage", tg.url(), crate::fake_telegram::TOKEN);
    let lost = reqwest::Client::new().post(url).json(&say).send().await;
    let whole = match lost {
        Ok(answer) => answer.bytes().await.is_ok(),
        Err(_) => false,
    };
    assert!(!whole);
    assert_eq!(ann.sees(chat).len(), 1, "it was sent all the same");

    tg.deliver_twice();
    ann.say(chat, "/one");
    assert_eq!(texts(&updates(&tg).await), ["/one", "/one"]);
    assert_eq!(updates(&tg).await.len(), 0);

    tg.limit_rates();
    for n in 0..20 {
        tg.advance(1000);
        assert_eq!(tg.call("sendMessage", say.clone()).await.0, 200, "{n}");
    }
    tg.advance(1000);
    let text = "Too Many Requests: retry after 40";
    fails(&tg, "sendMessage", say.clone(), 429, text).await;
    tg.advance(40_000);
    works(&tg, "sendMessage", say).await;
}

#[tokio::test]
async fn a_long_poll_ends_when_something_happens() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let poll = tokio::spawn({
        let tg = tg.clone();
        async move { works(&tg, "getUpdates", json!({ "timeout": 50 })).await }
    });
    tg.wait_until("the poll", |tg| tg.polls() == 1).await;
    ann.say(chat, "/togyz");
    assert_eq!(poll.await.unwrap()[0]["message"]["text"], "/togyz");
    works(&tg, "setWebhook", json!({ "url": "https://example.org/tg" })).await;
    let text = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook \
                to delete the webhook first";
    fails(&tg, "getUpdates", json!({}), 409, text).await;
}

#[tokio::test]
async fn chats_files_and_inline_queries_can_be_asked_about() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    tg.promote(chat, &ann);
    tg.publish(chat, "family");
    let here = json!({ "chat_id": "@family" });
    assert_eq!(works(&tg, "getChat", here.clone()).await["id"], json!(chat));
    let admins = works(&tg, "getChatAdministrators", here.clone()).await;
    assert_eq!(admins[0]["user"]["id"], json!(ann.id));
    let member = json!({ "chat_id": chat, "user_id": bob.id });
    assert_eq!(works(&tg, "getChatMember", member).await["status"], "member");
    assert_eq!(works(&tg, "getChatMemberCount", here).await, json!(3));
    let (_, sent) = send_photo(&tg, chat, picture(4, 3), "").await;
    let id = sent["result"]["photo"][1]["file_id"].clone();
    let file = works(&tg, "getFile", json!({ "file_id": id })).await;
    let (path, token) = (file["file_path"].as_str().unwrap(), crate::fake_telegram::TOKEN);
    let url = format!("{}/file/bot{token}/{path}", tg.url());
    let bytes = reqwest::get(url).await.unwrap().bytes().await.unwrap();
    assert_eq!(bytes, picture(4, 3));
    let asked = tokio::spawn(async move { ann.inline("togyz").await });
    tg.wait_until("the query", |tg| tg.waiting().len() == 1).await;
    let query = updates(&tg).await[0]["inline_query"]["id"].clone();
    let result = json!({
        "type": "article",
        "id": "1",
        "title": "Play",
        "input_message_content": { "message_text": "Play!" },
    });
    let answer = json!({
        "inline_query_id": query, "results": [result], "is_personal": true, "cache_time": 0,
    });
    works(&tg, "answerInlineQuery", answer).await;
    assert_eq!(asked.await.unwrap()[0]["title"], "Play");
    works(&tg, "getWebhookInfo", json!({})).await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn waiting_updates_come_shuffled_when_asked_for() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    tg.shuffle(7);
    let said: Vec<String> = (0..10).map(|n| format!("/n{n}")).collect();
    for command in &said {
        ann.say(ann.id, command);
    }
    let updates = updates(&tg).await;
    let mut heard = texts(&updates);
    assert_ne!(heard, said);
    heard.sort_unstable();
    assert_eq!(heard, said);
}

#[tokio::test]
async fn failures_by_chance_repeat_with_their_seed() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let tg = FakeTelegram::start().await;
        tg.chaos(42, 300, &[Fault::TooMany(1), Fault::Server(500)]);
        let mut codes = Vec::new();
        for _ in 0..20 {
            codes.push(tg.call("getMe", json!({})).await.0);
        }
        runs.push(codes);
    }
    assert_eq!(runs[0], runs[1]);
    assert!([200, 429, 500].iter().all(|it| runs[0].contains(it)), "{:?}", runs[0]);
}
