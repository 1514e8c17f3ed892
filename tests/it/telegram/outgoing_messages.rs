//! Posting, editing and deleting messages, and handling their errors.

use caravanserai_games::ids::{MessageId, PersonId};
use caravanserai_games::scene::{Scene, SceneFrame};
use caravanserai_games::text::RichSpan;
use caravanserai_protocol::{
    Attachment, EphemeralMessages, MessageLookup, Notification, Platform, SendError,
};
use serde_json::json;

use super::*;
use crate::fake_telegram::{Fault, Standing, Version, VisibleMessage};
use crate::render::renderer;

fn chat_id(chat: i64) -> ChatId {
    ChatId(format!("tg:{chat}"))
}

#[tokio::test]
async fn calls_beyond_the_budget_of_all_chats_are_not_made() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let telegram = connect(&tg).await;
    let chats: Vec<i64> = (0..60).map(|n| tg.supergroup(&format!("{n}"), &[&ann])).collect();
    let message = words("a board");
    let chat_ids: Vec<ChatId> = chats.into_iter().map(chat_id).collect();
    let posts = chat_ids.iter().map(|it| telegram.post(it, &message));
    let posted = futures::future::join_all(posts).await;
    let unmade = posted.iter().filter(|it| matches!(it, Err(SendError::OverBudget(_)))).count();
    let made = posted.iter().filter(|it| it.is_ok()).count();
    assert!(unmade > 0, "{posted:?}");
    assert_eq!((made, made + unmade), (tg.calls_of("sendMessage").len(), posted.len()));
}

#[tokio::test]
async fn words_keep_their_marks_and_buttons_their_tone() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Аня 🎲");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    let text = RichText(vec![
        RichSpan::Plain("🎲 Ход: ".into()),
        RichSpan::Mention { person: format!("tg:{}", ann.id), name: "Аня 🎲".into() },
        RichSpan::Plain(" <b>&_*".into()),
        RichSpan::Bold("7".into()),
        RichSpan::Code("/move 7".into()),
        RichSpan::Mention { person: "dc:5".into(), name: "Zed".into() },
    ]);
    let good = Button { tone: ButtonTone::Good, ..button("Join", "j.1") };
    let danger = Button { tone: ButtonTone::Danger, ..button("Resign", "r.1") };
    let message = OutgoingMessage {
        text: text.clone(),
        buttons: vec![vec![good, danger], vec![button("7", "m.7")]],
        notification: Notification::Audible,
        reply_to: Some(MessageId("999".into())),
        ..OutgoingMessage::default()
    };
    telegram.post(&chat_id(chat), &message).await.unwrap();
    let seen = ann.sees(chat).pop().unwrap();
    assert_eq!(seen.text, text.to_plain());
    let marks: Vec<_> = seen
        .entities
        .iter()
        .map(|it| (it["type"].as_str().unwrap(), it["offset"].as_u64(), it["length"].as_u64()))
        .collect();
    assert_eq!(
        marks,
        [
            ("text_mention", Some(8), Some(6)),
            ("bold", Some(21), Some(1)),
            ("code", Some(22), Some(7)),
        ]
    );
    assert!(!seen.silent);
    let keys = &tg.calls_of("sendMessage")[0].params["reply_markup"]["inline_keyboard"];
    assert_eq!(keys[0][0]["style"], "success");
    assert_eq!(keys[0][1]["style"], "danger");
    assert_eq!(keys[1][0]["style"], json!(null));
    telegram.post(&chat_id(chat), &words("quiet")).await.unwrap();
    assert!(ann.sees(chat).pop().unwrap().silent);
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_board_edit_does_not_upload_known_pictures_again() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    let id = telegram.post(&chat_id(chat), &board(30, "one")).await.unwrap();
    telegram.edit(&chat_id(chat), &id, &board(31, "two")).await.unwrap();
    telegram.edit(&chat_id(chat), &id, &board(30, "three")).await.unwrap();
    telegram.edit(&chat_id(chat), &id, &board(30, "three")).await.unwrap();
    telegram.post(&chat_id(chat), &board(31, "again")).await.unwrap();
    let seen = ann.sees(chat);
    assert_eq!(seen.len(), 2);
    assert_eq!((seen[0].text.as_str(), seen[0].edited), ("three", 2));
    assert_eq!(seen[0].bytes, *picture(30).png);
    assert_eq!(seen[1].bytes, *picture(31).png);
    let uploads = |method: &str| {
        let calls = tg.calls_of(method);
        calls.iter().map(|it| it.files.len()).collect::<Vec<_>>()
    };
    assert_eq!(uploads("sendPhoto"), [1, 0]);
    assert_eq!(uploads("editMessageMedia"), [1, 0, 0]);
    let calm = OutgoingMessage { buttons: Vec::new(), ..board(30, "three") };
    telegram.edit(&chat_id(chat), &id, &calm).await.unwrap();
    assert_eq!(ann.sees(chat)[0].buttons.len(), 0, "an edit without buttons takes them away");
    let fate = telegram.edit(&chat_id(chat), &id, &words("words alone")).await;
    assert_eq!(fate, Err(SendError::MessageGone), "the picture would show an old board");
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_picture_that_telegram_forgot_is_uploaded_again() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    let id = telegram.post(&chat_id(chat), &board(30, "one")).await.unwrap();
    tg.forget_files();
    telegram.post(&chat_id(chat), &board(30, "two")).await.unwrap();
    tg.forget_files();
    telegram.edit(&chat_id(chat), &id, &board(30, "three")).await.unwrap();
    telegram.post(&chat_id(chat), &board(30, "four")).await.unwrap();
    let texts: Vec<String> = ann.sees(chat).into_iter().map(|it| it.text).collect();
    assert_eq!(texts, ["three", "two", "four"]);
    let calls = tg.calls_of("sendPhoto");
    let uploads: Vec<usize> = calls.iter().map(|it| it.files.len()).collect();
    assert_eq!(uploads, [1, 0, 1, 0], "tried by id, uploaded, known again after the edit");
}

/// A moving picture of one frame.
fn replay() -> OutgoingMessage {
    let still = SceneFrame { scene: Scene::new(4, 3), hold_cs: 100 };
    let gif = renderer().animate(&[still], "wood", 40, |_| ());
    let animation = Some("The replay".into());
    let file = Attachment { name: "game.gif".into(), bytes: Arc::new(gif), animation };
    OutgoingMessage { file: Some(file), ..words("The replay") }
}

#[tokio::test]
async fn texts_files_and_deleting() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    let id = telegram.post(&chat_id(chat), &words("one")).await.unwrap();
    telegram.edit(&chat_id(chat), &id, &words("two")).await.unwrap();
    assert_eq!(ann.sees(chat)[0].text, "two");
    telegram.edit(&chat_id(chat), &id, &board(30, "now a picture")).await.unwrap();
    assert_eq!(ann.sees(chat)[0].media, Some("photo"));
    telegram.delete(&chat_id(chat), &id).await.unwrap();
    telegram.delete(&chat_id(chat), &id).await.unwrap();
    assert_eq!(ann.sees(chat).len(), 0);
    let bytes = Arc::new(b"1. 7 7".to_vec());
    let file = Some(Attachment::document("game.txt".into(), bytes));
    let record = OutgoingMessage { file: file.clone(), ..words("The record") };
    telegram.post(&chat_id(chat), &record).await.unwrap();
    telegram.post(&chat_id(chat), &OutgoingMessage { file, ..board(30, "Both") }).await.unwrap();
    let seen = ann.sees(chat);
    let kinds: Vec<_> = seen.iter().map(|it| (it.media.unwrap(), it.text.as_str())).collect();
    assert_eq!(kinds, [("document", "The record"), ("photo", "Both"), ("document", "")]);
    telegram.post(&chat_id(chat), &replay()).await.unwrap();
    let seen = ann.sees(chat).pop().unwrap();
    assert_eq!((seen.media, seen.text.as_str()), (Some("animation"), "The replay"));
    assert_eq!(tg.calls_of("sendAnimation").len(), 1);
    let old = telegram.post(&chat_id(chat), &board(30, "old")).await.unwrap();
    tg.advance(49 * 3600 * 1000);
    tg.fail_next(1, Some("editMessageReplyMarkup"), Fault::Server(502));
    let fate = telegram.delete(&chat_id(chat), &old).await;
    assert!(matches!(fate, Err(SendError::Temporary(_))), "it has its buttons: {fate:?}");
    telegram.delete(&chat_id(chat), &old).await.unwrap();
    assert_eq!(ann.sees(chat).pop().unwrap().buttons.len(), 0, "it stays without buttons");
    let long = words(&"я".repeat(5000));
    telegram.post(&chat_id(chat), &long).await.unwrap();
    let caption = board(30, &"я".repeat(2000));
    telegram.post(&chat_id(chat), &caption).await.unwrap();
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn errors_say_what_to_do_next() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let topic = tg.topic(chat, &ann, "Games");
    let telegram = connect(&tg).await;
    let here = chat_id(chat);
    let id = telegram.post(&here, &board(30, "one")).await.unwrap();
    tg.fail_next(1, None, Fault::TooMany(17));
    let fate = telegram.edit(&here, &id, &board(31, "two")).await;
    assert_eq!(fate, Err(SendError::RateLimited(17_000)));
    for fault in [Fault::Server(500), Fault::Server(502), Fault::CutBefore, Fault::CutAfter] {
        tg.fail_next(1, None, fault);
        let fate = telegram.post(&here, &words("x")).await;
        let Err(SendError::Temporary(text)) = fate else { panic!("{fault:?} became {fate:?}") };
        assert!(!text.contains("fake-token"), "{text}");
    }
    ann.deletes(chat, id.0.parse().unwrap());
    for gone in [board(31, "two"), words("two")] {
        assert_eq!(telegram.edit(&here, &id, &gone).await, Err(SendError::MessageGone));
    }
    let thread = topic.thread.unwrap();
    let there = ChatId(format!("tg:{chat}/{thread}"));
    telegram.post(&there, &words("in the topic")).await.unwrap();
    assert_eq!(ann.sees(chat).pop().unwrap().thread, Some(thread));
    tg.close_topic(topic);
    assert_eq!(telegram.post(&there, &words("x")).await, Err(SendError::NotAllowed));
    for chat in [chat, ann.id] {
        let lost = ChatId(format!("tg:{chat}/4444"));
        tg.set_standing(chat, Standing::Member);
        let fate = telegram.post(&lost, &words("x")).await;
        assert_eq!(
            fate,
            Err(SendError::ChatMoved(chat_id(chat))),
            "the chat of the topic is there"
        );
    }
    for standing in [Standing::Kicked, Standing::Muted, Standing::Outside] {
        tg.set_standing(chat, standing);
        assert_eq!(telegram.post(&here, &words("x")).await, Err(SendError::NotAllowed));
    }
    let group = tg.group("Old", &[&ann]);
    let new = tg.migrate_silently(group);
    let fate = telegram.post(&chat_id(group), &words("x")).await;
    assert_eq!(fate, Err(SendError::ChatMoved(chat_id(new))));
    let long = OutgoingMessage { buttons: vec![vec![button("x", &"d".repeat(65))]], ..words("x") };
    tg.set_standing(chat, Standing::Member);
    let fate = telegram.post(&here, &long).await;
    assert!(matches!(fate, Err(SendError::Refused(_))), "{fate:?}");
    let foreign = ChatId("dc:5".into());
    assert_eq!(telegram.post(&foreign, &words("x")).await, Err(SendError::NotAllowed));
}

#[tokio::test]
async fn budgets_and_places() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    assert_eq!(telegram.call_limit_per_minute(&chat_id(chat)), 18);
    assert_eq!(telegram.call_limit_per_minute(&chat_id(ann.id)), 55);
    let ids: Vec<MessageId> = vec![
        telegram.post(&chat_id(chat), &words("a")).await.unwrap(),
        telegram.post(&chat_id(chat), &words("b")).await.unwrap(),
    ];
    assert_eq!(telegram.messages_below(&chat_id(chat), &ids[0]), 1);
    assert_eq!(telegram.messages_below(&chat_id(chat), &ids[1]), 0);
    let inner = -1_000_000_000_000 - chat;
    let link = telegram.message_link(&chat_id(chat), &ids[0]);
    assert_eq!(link, Some(format!("https://t.me/c/{inner}/{}", ids[0].0)));
    assert_eq!(telegram.message_link(&chat_id(ann.id), &ids[0]), None);
    tg.publish(chat, "family");
    let bot = Bot::over(telegram.clone(), silent());
    ann.say(chat, "/togyz");
    bot.script.heard(1).await;
    let link = telegram.message_link(&chat_id(chat), &ids[0]);
    assert_eq!(link, Some(format!("https://t.me/family/{}", ids[0].0)));
    bot.stop().await;
    let nobody = PersonId("dc:1".into());
    let fate = telegram.show_ephemeral(&chat_id(chat), &nobody, "hand", &words("x").into()).await;
    assert_eq!(fate, Err(SendError::NotAllowed));
}

#[tokio::test]
async fn a_board_is_text_where_pictures_are_forbidden() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    let here = chat_id(chat);
    let pictured = telegram.post(&here, &board(30, "before")).await.unwrap();
    tg.set_standing(chat, Standing::NoMedia);
    let id = telegram.post(&here, &board(30, "Ann to move")).await.unwrap();
    let seen = ann.sees(chat).pop().unwrap();
    assert_eq!((seen.text.as_str(), seen.media), ("Ann to move\n\na board", None));
    assert_eq!(seen.buttons, [[("7".to_owned(), "p.x.1.7".to_owned())]]);
    telegram.edit(&here, &id, &board(31, "Bob to move")).await.unwrap();
    let seen = ann.sees(chat).pop().unwrap();
    assert_eq!((seen.text.as_str(), seen.edited), ("Bob to move\n\na board", 1));
    assert_eq!(seen.buttons.len(), 1);
    assert_eq!(tg.calls_of("sendPhoto").len(), 2, "not tried again at once");
    assert_eq!(tg.calls_of("editMessageMedia").len(), 0);
    let fate = telegram.edit(&here, &pictured, &board(31, "x")).await;
    assert_eq!(fate, Err(SendError::MessageGone), "an old picture would show an old board");
    telegram.post(&here, &board(30, &"я".repeat(5000))).await.unwrap();
    let bytes = Arc::new(b"1. 7 7\n".to_vec());
    let file = Some(Attachment::document("game.txt".into(), bytes));
    telegram.post(&here, &OutgoingMessage { file, ..words("The record") }).await.unwrap();
    assert_eq!(ann.sees(chat).pop().unwrap().text, "The record\n\n1. 7 7");
    telegram.post(&here, &replay()).await.unwrap();
    assert_eq!(ann.sees(chat).pop().unwrap().text, "The replay", "words say what they can");
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn pictures_come_back_with_the_right_to_send_them() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let bot = Bot::start(&tg, silent()).await;
    let here = chat_id(chat);
    let old = bot.telegram.post(&here, &board(30, "seen before")).await.unwrap();
    tg.bot_becomes(chat, &ann, Standing::NoMedia);
    let fate = bot.telegram.edit(&here, &old, &board(31, "x")).await;
    assert_eq!(fate, Err(SendError::MessageGone));
    let id = bot.telegram.post(&here, &board(31, "one")).await.unwrap();
    tg.bot_becomes(chat, &ann, Standing::Member);
    ann.say(chat, "/togyz");
    bot.script.heard(1).await;
    bot.telegram.edit(&here, &id, &board(31, "two")).await.unwrap();
    let seen = ann.sees(chat).into_iter().find(|it| it.id.to_string() == id.0).unwrap();
    assert_eq!((seen.text.as_str(), seen.media), ("two", Some("photo")));
    bot.stop().await;
}

#[tokio::test]
async fn an_older_server_gets_a_new_message_for_a_picture() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    tg.old();
    let telegram = connect(&tg).await;
    let id = telegram.post(&chat_id(chat), &words("Who plays?")).await.unwrap();
    let fate = telegram.edit(&chat_id(chat), &id, &board(30, "Ann to move")).await;
    assert_eq!(fate, Err(SendError::MessageGone));
    assert_eq!(ann.sees(chat).len(), 0, "the words would stand there twice");
}

#[tokio::test]
async fn a_closed_topic_says_nothing_of_the_rest_of_the_chat() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let (closed, open) = (tg.topic(chat, &ann, "Closed"), tg.topic(chat, &ann, "Open"));
    let telegram = connect(&tg).await;
    tg.close_topic(closed);
    for (thread, expected) in [
        (closed.thread.unwrap(), SendError::NotAllowed),
        (4444, SendError::ChatMoved(chat_id(chat))),
    ] {
        let there = ChatId(format!("tg:{chat}/{thread}"));
        let fate = telegram.post(&there, &board(30, "x")).await;
        assert_eq!(fate, Err(expected));
    }
    let other = ChatId(format!("tg:{chat}/{}", open.thread.unwrap()));
    let general = telegram.post(&chat_id(chat), &board(30, "in General")).await.unwrap();
    telegram.post(&other, &board(30, "elsewhere")).await.unwrap();
    telegram.post(&other, &board(30, "and again")).await.unwrap();
    let media: Vec<_> = ann.sees(chat).iter().map(|it| it.media).collect();
    assert_eq!(media, [Some("photo"); 3]);
    assert_eq!(telegram.messages_below(&chat_id(chat), &general), 0, "nobody wrote in General");
}

/// A clock that ran out on 14 November 2023 at 22:13 UTC.
fn clock_line() -> RichText {
    let time = RichSpan::Time { at_ms: 1_700_000_000_000, day: false, away: "14 min".into() };
    RichText(vec![RichSpan::Plain("⏱ Ann: ".into()), time])
}

/// The format and the words of each time in a message.
fn times(seen: &VisibleMessage) -> Vec<(String, String)> {
    let units: Vec<u16> = seen.text.encode_utf16().collect();
    let number = |it: &serde_json::Value| it.as_u64().unwrap() as usize;
    let time = |it: &serde_json::Value| {
        assert_eq!((&it["type"], &it["unix_time"]), (&json!("date_time"), &json!(1_700_000_000)));
        let from = number(&it["offset"]);
        let words = String::from_utf16(&units[from..from + number(&it["length"])]).unwrap();
        (it["date_time_format"].as_str().unwrap().to_owned(), words)
    };
    seen.entities.iter().map(time).collect()
}

/// Apps show times in the time zone of their reader, and count down to them.
#[tokio::test]
async fn times_run_in_texts_and_captions() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    let text = OutgoingMessage { text: clock_line(), ..words("") };
    let picture = OutgoingMessage { text: clock_line(), ..board(30, "") };
    let expected: [(String, String); 2] =
        [("r", "14 min"), ("t", "22:13 UTC")].map(|(a, b)| (a.into(), b.into()));
    let id = telegram.post(&chat_id(chat), &words("before")).await.unwrap();
    for message in [&text, &picture] {
        telegram.edit(&chat_id(chat), &id, message).await.unwrap();
        let seen = ann.sees(chat).pop().unwrap();
        assert_eq!(seen.text, "⏱ Ann: 14 min (22:13 UTC)");
        assert_eq!(times(&seen), expected);
    }
    for message in [&text, &picture] {
        telegram.post(&chat_id(chat), message).await.unwrap();
        assert_eq!(times(&ann.sees(chat).pop().unwrap()), expected);
    }
    assert_eq!(tg.violations(), Vec::<String>::new());
}

/// A server that does not know times refuses one message, and gets words from then on.
#[tokio::test]
async fn an_older_server_gets_times_in_words() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    tg.set_version(Version::V9_4);
    let telegram = connect(&tg).await;
    let picture = OutgoingMessage { text: clock_line(), ..board(30, "") };
    telegram.post(&chat_id(chat), &picture).await.unwrap();
    let seen = ann.sees(chat).pop().unwrap();
    assert_eq!((seen.text.as_str(), seen.media), ("⏱ Ann: 14 min (22:13 UTC)", Some("photo")));
    let text = OutgoingMessage { text: clock_line(), ..words("") };
    telegram.post(&chat_id(chat), &text).await.unwrap();
    let seen = ann.sees(chat).pop().unwrap();
    assert_eq!((seen.text.as_str(), seen.entities.len()), ("⏱ Ann: 14 min", 0));
    assert_eq!((tg.calls_of("sendPhoto").len(), tg.calls_of("sendMessage").len()), (2, 1));
    assert_eq!(tg.violations(), Vec::<String>::new());
}

/// Telegram takes a name such as `example.com` for an address, and shows its page under the words.
#[tokio::test]
async fn addresses_in_names_get_no_preview() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let telegram = connect(&tg).await;
    let id = telegram.post(&chat_id(chat), &words("example.com is waiting")).await.unwrap();
    telegram.edit(&chat_id(chat), &id, &words("example.com is to move")).await.unwrap();
    for method in ["sendMessage", "editMessageText"] {
        let call = tg.calls_of(method).pop().unwrap();
        assert_eq!(call.params["link_preview_options"]["is_disabled"], true, "{method}");
    }
    assert_eq!(tg.violations(), Vec::<String>::new());
}
