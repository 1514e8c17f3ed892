//! Telegram updates become updates for the handler.

use caravanserai::command_menus;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::{Mention, MessageLookup, PersonKind, Platform, UpdateKind};
use caravanserai_telegram::{TelegramError, TelegramMenuCommand, TelegramPlatform};
use serde_json::json;

use super::*;
use crate::fake_telegram::{BOT_NAME, Fault, Standing};

#[tokio::test]
async fn words_and_presses_come_in_order_and_are_confirmed() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann").username("ann").lang("ru"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let bot = Bot::start(&tg, silent()).await;
    let chat_id = caravanserai_games::ids::ChatId(format!("tg:{chat}"));
    ann.say(chat, "/togyz@Caravan_bot  @bobby short");
    ann.say(chat, "not for bots");
    ann.say(chat, "/togyz@somebot");
    bot.script.heard(1).await;
    let id = bot.telegram.post(&chat_id, &board(30, "Ann to move")).await.unwrap();
    let reply = bob.reply(chat, id.0.parse().unwrap(), "7");
    assert_eq!(ann.press(chat, id.0.parse().unwrap(), "7").await, Default::default());
    let lines = bot.script.lines(3).await;
    assert_eq!(
        lines,
        [
            format!("tg:{chat} Ann says \"/togyz  short\" [Username(\"bobby\")]"),
            format!("tg:{chat} Bob says \"7\" re {}", id.0),
            format!("tg:{chat} Ann presses p.x.1.7 on {}", id.0),
        ]
    );
    let heard = bot.script.heard(3).await;
    assert_eq!(heard[0].person.id, PersonId(format!("tg:{}", ann.id)));
    assert_eq!(heard[0].person.username.as_deref(), Some("ann"));
    assert_eq!(heard[0].person.locale.as_deref(), Some("ru"));
    assert_eq!(heard[0].chat.title, "Family");
    assert_eq!((heard[0].chat.kind, heard[0].person.kind), (ChatKind::Group, PersonKind::Human));
    assert!(heard[0].id.starts_with("tg/700000001/"));
    assert_eq!(
        bot.telegram.messages_below(&chat_id, &id),
        u32::try_from(reply).unwrap() - id.0.parse::<u32>().unwrap()
    );
    bot.stop().await;
    assert_eq!(tg.waiting().len(), 0, "everything was confirmed");
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn commands_are_found_inside_formatting() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let bot = Bot::start(&tg, silent()).await;
    ann.say_formatted(chat, &format!("/togyz@{BOT_NAME} @bobby 5 min"), &["blockquote", "bold"]);
    ann.say_formatted(chat, "/start@other_bot", &["blockquote"]);
    bot.script.heard(1).await;
    // Telegram formats dates since a newer version than the one that the library knows.
    ann.say_formatted(ann.id, "/about", &["date_time"]);
    assert_eq!(
        bot.script.lines(2).await,
        [
            format!("tg:{chat} Ann says \"/togyz 5 min\" [Username(\"bobby\")]"),
            format!("tg:{0} Ann says \"/about\"", ann.id),
        ]
    );
    bot.stop().await;
}

#[tokio::test]
async fn texts_that_nobody_typed_are_left_alone() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let bot = Bot::start(&tg, silent()).await;
    let result = |text: &str| json!({ "input_message_content": { "message_text": text } });
    for spot in [ann.id, chat] {
        ann.choose(spot, &result("Who plays for 5 min?"));
        ann.forward(spot, &bob, "7");
        ann.forward(spot, &bob, "/resign");
    }
    ann.choose(ann.id, &result("/move k7 7"));
    bot.script.heard(1).await;
    tg.wait_until("all are confirmed", |tg| tg.waiting().is_empty()).await;
    let said = format!("tg:{} Ann says \"/move k7 7\"", ann.id);
    assert_eq!(bot.script.lines(1).await, [said]);
    bot.stop().await;
}

#[tokio::test]
async fn undecided_updates_are_redelivered_after_a_restart() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    ann.say(ann.id, "/start j_7");
    let script = silent();
    script.set_open(false);
    let bot = Bot::start(&tg, script).await;
    let before = bot.script.lines(1).await;
    bot.task.abort();
    drop(bot.task.await);
    assert_eq!(tg.waiting().len(), 1, "not confirmed before it was decided");
    let bot = Bot::start(&tg, silent()).await;
    assert_eq!(bot.script.lines(1).await, before);
    assert_eq!(before, [format!("tg:{0} Ann says \"/start j_7\"", ann.id)]);
    assert_eq!(bot.script.heard(1).await[0].chat.kind, ChatKind::Private);
    bot.stop().await;
}

#[tokio::test]
async fn a_slow_chat_does_not_hold_up_another_in_the_same_batch() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    ann.say(ann.id, "/one");
    ann.say(ann.id, "/two");
    bob.say(bob.id, "/one");
    let script = silent();
    script.set_open(false);
    let bot = Bot::start(&tg, script).await;
    let mut both = bot.script.lines(2).await;
    both.sort();
    assert_eq!(
        both,
        [format!("tg:{} Ann says \"/one\"", ann.id), format!("tg:{} Bob says \"/one\"", bob.id),]
    );
    bot.script.set_open(true);
    assert_eq!(bot.script.lines(3).await[2], format!("tg:{} Ann says \"/two\"", ann.id));
    bot.stop().await;
}

#[tokio::test]
async fn the_same_update_keeps_its_id() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    tg.deliver_twice();
    let bot = Bot::start(&tg, silent()).await;
    ann.say(ann.id, "/games");
    let heard = bot.script.heard(2).await;
    assert_eq!(heard[0].id, heard[1].id);
    bot.stop().await;
}

#[tokio::test]
async fn topics_groups_and_people_without_names() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bób 🎲"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    tg.promote(chat, &ann);
    let topic = tg.topic(chat, &ann, "Games");
    let bot = Bot::start(&tg, silent()).await;
    ann.say(topic, "/language");
    ann.say_naming(chat, "/togyz 🎲 ", &bob, " ok");
    bot.script.heard(2).await;
    ann.say_anonymously(chat, "/language");
    bot.script.heard(3).await;
    bob.say(chat, "/language");
    let heard = bot.script.heard(4).await;
    let thread = topic.thread.unwrap();
    assert_eq!(line(&heard[0]), format!("tg:{chat}/{thread} Ann says \"/language\""));
    let UpdateKind::Text { text, mentions, .. } = &heard[1].kind else { panic!() };
    assert_eq!(text, "/togyz 🎲 ok");
    let Mention::Known(named) = &mentions[0] else { panic!() };
    assert_eq!((named.name.as_str(), &named.username), ("Bób 🎲", &None));
    assert_eq!(named.id, PersonId(format!("tg:{}", bob.id)));
    let hidden = &heard[2].person;
    assert_eq!((hidden.kind, hidden.name.as_str()), (PersonKind::Anonymous, "Family"));
    let admins: Vec<bool> = heard.iter().map(|it| it.person.admin).collect();
    assert_eq!(admins, [true, false, true, false]);
    assert_eq!(tg.calls_of("getChatAdministrators").len(), 1, "asked once, then known");
    let link = bot
        .telegram
        .message_link(&heard[0].chat.id, &caravanserai_games::ids::MessageId("44".into()));
    let inner = -1_000_000_000_000 - chat;
    assert_eq!(link, Some(format!("https://t.me/c/{inner}/{thread}/44")));
    bot.stop().await;
}

#[tokio::test]
async fn the_bot_comes_goes_and_moves_with_its_group() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.group("Family", &[&ann]);
    let bot = Bot::start(&tg, silent()).await;
    tg.kick_bot(chat, &ann);
    tg.add_bot(chat, &ann);
    tg.bot_becomes(chat, &ann, Standing::Admin);
    bot.script.heard(2).await;
    let new = tg.migrate(chat, &ann);
    bot.script.heard(4).await;
    ann.say(ann.id, "/start");
    ann.blocks(&tg);
    let mut lines = bot.script.lines(6).await;
    lines[2..4].sort();
    assert_eq!(
        lines,
        [
            format!("tg:{chat} Ann removed"),
            format!("tg:{chat} Ann added"),
            format!("tg:{chat} Ann moved to tg:{new}"),
            format!("tg:{chat} Ann moved to tg:{new}"),
            format!("tg:{0} Ann says \"/start\"", ann.id),
            format!("tg:{0} Ann removed", ann.id),
        ]
    );
    bot.stop().await;
}

#[tokio::test]
async fn failing_polls_are_repeated() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    for fault in [Fault::Server(502), Fault::CutBefore, Fault::CutAfter] {
        tg.fail_next(1, Some("getUpdates"), fault);
    }
    ann.say(ann.id, "/start");
    let bot = Bot::start(&tg, silent()).await;
    bot.script.heard(1).await;
    bot.stop().await;
}

#[tokio::test]
async fn an_unstored_update_is_reported_once_and_retried_in_order() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let script = Script::new(|_| {
        vec![EphemeralReply { message: words("for you").into(), ..EphemeralReply::default() }]
    });
    script.unkept.store(3, Ordering::SeqCst);
    for text in ["/start", "/games"] {
        ann.say(ann.id, text);
    }
    let bot = Bot::start(&tg, script).await;
    let said = |text: &str| format!("tg:{} Ann says {text:?}", ann.id);
    let again = said("/start");
    let expected = [again.clone(), again.clone(), again.clone(), again, said("/games")];
    assert_eq!(bot.script.lines(5).await, expected);
    tg.wait_until("both are confirmed", |tg| tg.waiting().is_empty()).await;
    bot.stop().await;
    // That it cannot be kept, then the answers to both.
    assert_eq!(tg.calls_of("sendMessage").len(), 3);
}

#[tokio::test]
async fn a_pushed_update_that_cannot_be_kept_is_pushed_again() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let (telegram, script) = (connect(&tg).await, silent());
    script.unkept.store(1, Ordering::SeqCst);
    let url = serve(&telegram, &script).await;
    telegram.set_webhook(&url, "right-secret").await.unwrap();
    ann.say(ann.id, "/start");
    tg.wait_until("the second answer", |tg| tg.webhook_answers() == [503, 200]).await;
    assert_eq!(script.lines(2).await.len(), 2);
    assert!(tg.waiting().is_empty());
}

#[tokio::test]
async fn a_wrong_token_is_one_clear_sentence_without_the_token() {
    let tg = FakeTelegram::start().await;
    for token in ["700000001:wrong", "", "no spaces", "7/../x"] {
        let wrong = TelegramSettings { token: token.to_owned(), ..settings(&tg) };
        let Err(error) = TelegramPlatform::connect(wrong).await else {
            panic!("{token} was accepted")
        };
        assert!(matches!(error, TelegramError::InvalidToken));
        assert!(error.to_string().contains("TELEGRAM_TOKEN"));
    }
    let nowhere = TelegramSettings { api_url: "http://127.0.0.1:1".to_owned(), ..settings(&tg) };
    let Err(error) = TelegramPlatform::connect(nowhere).await else { panic!("nobody is there") };
    assert!(matches!(error, TelegramError::Unreachable(_)));
    assert!(!format!("{error} {error:?}").contains("fake-token"), "{error:?}");
}

/// Serves the webhook on a loopback port and gives its address.
pub(super) async fn serve(telegram: &Arc<TelegramPlatform>, script: &Arc<Script>) -> String {
    let router = telegram.clone().webhook_routes(script.clone(), "/telegram", "right-secret");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/telegram", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

#[tokio::test]
async fn the_webhook_wants_its_secret_and_answers_after_the_decision() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let (telegram, script) = (connect(&tg).await, silent());
    let url = serve(&telegram, &script).await;
    let client = reqwest::Client::new();
    let header = "X-Telegram-Bot-Api-Secret-Token";
    for secret in ["", "wrong-secret", "right-secret-and-more"] {
        let post = client.post(&url).header(header, secret).json(&json!({ "update_id": 1 }));
        assert_eq!(post.send().await.unwrap().status(), 401);
    }
    let unsigned = client.post(&url).json(&json!({ "update_id": 1 })).send().await.unwrap();
    assert_eq!(unsigned.status(), 401);
    let broken = client.post(&url).header(header, "right-secret").body("{").send().await.unwrap();
    assert_eq!(broken.status(), 400);
    let strange = json!({ "update_id": 1, "brand_new_kind": { "x": 1 } });
    let strange = client.post(&url).header(header, "right-secret").json(&strange);
    assert_eq!(strange.send().await.unwrap().status(), 200, "unknown kinds are not repeated");

    script.set_open(false);
    telegram.set_webhook(&url, "right-secret").await.unwrap();
    ann.say(ann.id, "/start");
    ann.say(ann.id, "/games");
    script.heard(1).await;
    assert_eq!(tg.webhook_answers(), Vec::<u16>::new(), "not before it is decided");
    script.set_open(true);
    tg.wait_until("both answers", |tg| tg.webhook_answers() == [200, 200]).await;
    script.heard(2).await;
    assert_eq!(tg.waiting().len(), 0);
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_webhook_that_fails_is_tried_again_and_polling_removes_it() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let (telegram, script) = (connect(&tg).await, silent());
    let url = serve(&telegram, &script).await;
    telegram.set_webhook(&url, "other-secret").await.unwrap();
    ann.say(ann.id, "/start");
    tg.wait_until("a refusal", |tg| tg.webhook_answers().contains(&401)).await;
    telegram.set_webhook(&url, "right-secret").await.unwrap();
    script.heard(1).await;
    let bot = Bot::over(telegram, script);
    ann.say(ann.id, "/games");
    bot.script.heard(2).await;
    assert_eq!(tg.webhook_url(), None);
    bot.stop().await;
}

#[tokio::test]
async fn menus_are_set_once() {
    let tg = FakeTelegram::start().await;
    let telegram = connect(&tg).await;
    let command = |name: &str, in_private| TelegramMenuCommand {
        is_ephemeral: false,
        name: name.to_owned(),
        descriptions: vec![
            (String::new(), format!("{name} in English")),
            ("ru".to_owned(), format!("{name} по-русски")),
        ],
        in_groups: true,
        in_private,
    };
    let commands = [command("togyz", false), command("help", true)];
    telegram.set_menus(&commands).await.unwrap();
    assert_eq!(tg.calls_of("setMyCommands").len(), 4);
    telegram.set_menus(&commands).await.unwrap();
    assert_eq!(tg.calls_of("setMyCommands").len(), 4, "nothing changed");
    let russian = tg.menu(r#"{"type":"all_private_chats"}"#, "ru").unwrap();
    assert_eq!(russian, json!([{ "command": "help", "description": "help по-русски" }]));
    let groups = tg.menu(r#"{"type":"all_group_chats"}"#, "").unwrap();
    assert_eq!(groups.as_array().unwrap().len(), 2);
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn descriptions_are_set_once_in_every_language() {
    let tg = FakeTelegram::start().await;
    let telegram = connect(&tg).await;
    let texts = command_menus::telegram_profile_texts(&I18n::new());
    assert_eq!(texts.len(), Lang::all().len());
    telegram.set_profile_texts(&texts).await.unwrap();
    for it in &texts {
        let sent = [it.description.clone(), it.short_description.clone()].map(Some);
        assert_eq!(tg.descriptions(&it.language), sent, "a text was cut off or not sent");
    }
    let english = tg.descriptions("")[0].clone().unwrap();
    assert!(english.contains("Togyzkumalak") && english.contains("/play"), "{english}");
    let set = |tg: &FakeTelegram| {
        ["setMyDescription", "setMyShortDescription"].map(|it| tg.calls_of(it).len())
    };
    assert_eq!(set(&tg), [texts.len(); 2]);
    telegram.set_profile_texts(&texts).await.unwrap();
    assert_eq!(set(&tg), [texts.len(); 2], "nothing changed");
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn refused_descriptions_are_reported() {
    let tg = FakeTelegram::start().await;
    let telegram = connect(&tg).await;
    tg.fail_next(1, Some("setMyDescription"), Fault::Server(400));
    let texts = command_menus::telegram_profile_texts(&I18n::new());
    let error = telegram.set_profile_texts(&texts).await.unwrap_err();
    assert!(error.to_string().contains("setMyDescription"), "{error}");
    telegram.set_profile_texts(&texts).await.unwrap();
}

#[tokio::test]
async fn a_refused_poll_is_repeated_too() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    tg.fail_next(1, Some("deleteWebhook"), Fault::Server(404));
    tg.fail_next(1, Some("getUpdates"), Fault::Server(401));
    ann.say(ann.id, "/start");
    let bot = Bot::start(&tg, silent()).await;
    bot.script.heard(1).await;
    bot.stop().await;
}

#[tokio::test]
async fn telegram_is_asked_for_admins_only_where_they_matter() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let other = tg.supergroup("Others", &[&bob]);
    tg.promote(chat, &ann);
    let bot = Bot::start(&tg, silent()).await;
    let chat_id = caravanserai_games::ids::ChatId(format!("tg:{chat}"));
    let id = bot.telegram.post(&chat_id, &board(30, "Ann to move")).await.unwrap();
    ann.press(chat, id.0.parse().unwrap(), "7").await;
    for command in ["/togyz", "/help", "/board", "/theme night"] {
        ann.say(chat, command);
    }
    bot.script.heard(5).await;
    assert_eq!(tg.calls_of("getChatAdministrators").len(), 0);
    for command in ["/language chat ru", "/тіл", "/leave", "/уйти", "/theme chat night"] {
        ann.say(chat, command);
    }
    let heard = bot.script.heard(10).await;
    assert!(heard[5..].iter().all(|it| it.person.admin), "{heard:#?}");
    assert_eq!(tg.calls_of("getChatAdministrators").len(), 1);
    let invitation =
        OutgoingMessage { buttons: vec![vec![button("End", "x.t1")]], ..words("Who?") };
    let id = bot.telegram.post(&chat_id, &invitation).await.unwrap();
    let before = bot.script.heard(0).await.len();
    bob.press(chat, id.0.parse().unwrap(), "End").await;
    ann.press(chat, id.0.parse().unwrap(), "End").await;
    let heard = bot.script.heard(before + 2).await;
    let admins: Vec<bool> = heard[before..].iter().map(|it| it.person.admin).collect();
    assert_eq!(admins, [false, true]);
    tg.fail_next(1, Some("getChatAdministrators"), Fault::Server(502));
    let before = heard.len();
    bob.say(other, "/language chat ru");
    bob.say(other, "/language chat kk");
    bot.script.heard(before + 2).await;
    assert_eq!(tg.calls_of("getChatAdministrators").len(), 2, "a failure is not repeated at once");
    bot.stop().await;
}

#[tokio::test]
async fn stuck_private_answers_do_not_stop_hearing() {
    let tg = FakeTelegram::start().await;
    let people: Vec<_> = (0..300).map(|n| tg.user(&format!("P{n}"))).collect();
    let script = Script::new(|_| {
        vec![EphemeralReply { message: words("for you").into(), ..EphemeralReply::default() }]
    });
    let telegram = connect(&tg).await;
    tg.hold(Some("sendMessage"));
    for person in &people {
        person.say(person.id, "/start");
    }
    let bot = Bot::over(telegram, script);
    bot.script.heard(300).await;
    bot.task.abort();
}

#[tokio::test]
async fn membership_changes_without_a_service_message_are_reported() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let bot = Bot::start(&tg, silent()).await;
    ann.say(chat, "/help");
    bot.script.heard(1).await;
    tg.member_changes(chat, &bob, (Standing::Member, Standing::Kicked));
    tg.member_changes(chat, &bob, (Standing::Kicked, Standing::Outside));
    tg.member_changes(chat, &bob, (Standing::Outside, Standing::Member));
    tg.member_changes(chat, &bob, (Standing::Member, Standing::Admin));
    tg.leaves(chat, &bob);
    let lines = bot.script.lines(4).await;
    let who = bob.id;
    assert_eq!(
        lines[1..],
        [
            format!("tg:{chat} Bob sees tg:{who} leave"),
            format!("tg:{chat} Bob sees tg:{who} come"),
            format!("tg:{chat} Bob sees tg:{who} leave"),
        ]
    );
    bot.stop().await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}
