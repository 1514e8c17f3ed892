//! Updates that need an engine or a network delay no others and are not lost.

use caravanserai_platform_shared::memory_kv::MemoryKeyValueStore;
use caravanserai_protocol::{KeyValueStore, Platform};

use super::*;
use crate::fake_telegram::Fault;

/// What is parked in a notebook.
async fn parked(book: &MemoryKeyValueStore) -> usize {
    book.scan("tg parked ", 1_000).await.unwrap().len()
}

/// An adapter with this notebook.
async fn with_book(tg: &FakeTelegram, book: &Arc<MemoryKeyValueStore>) -> Arc<TelegramPlatform> {
    let shared =
        PlatformServices { store: book.clone(), ..PlatformServices::for_single_process("tg") };
    TelegramPlatform::connect(TelegramSettings { shared, ..settings(tg) }).await.unwrap()
}

#[tokio::test]
async fn a_slow_answer_is_confirmed_at_once_and_holds_up_no_press() {
    let tg = FakeTelegram::start().await;
    let (ann, bob, cyd) = (tg.user("Ann"), tg.user("Bob"), tg.user("Cyd"));
    let (chat, other) = (tg.supergroup("Family", &[&ann, &bob]), tg.supergroup("Club", &[&cyd]));
    let script = Script::new(|update| {
        let message = words(&line(update));
        vec![EphemeralReply {
            message: message.into(),
            form: ReplyForm::Toast,
            ..EphemeralReply::default()
        }]
    });
    script.thought.send_replace(false);
    let book = Arc::new(MemoryKeyValueStore::default());
    let bot = Bot::over(with_book(&tg, &book).await, script);
    ann.say(ann.id, "/hint");
    ann.say(chat, "/hint");
    tg.wait_until("both are confirmed", |tg| tg.waiting().is_empty()).await;
    assert_eq!(parked(&book).await, 2);
    // In the same chat and elsewhere.
    for (who, chat) in [(&bob, chat), (&cyd, other)] {
        let chat_id = ChatId(format!("tg:{chat}"));
        let id = bot.telegram.post(&chat_id, &board(30, "to move")).await.unwrap();
        let pressed = who.press(chat, id.0.parse().unwrap(), "7").await;
        assert!(pressed.text.contains("presses p.x.1.7"), "{pressed:?}");
    }
    ann.say(ann.id, "/help");
    let heard = bot.script.lines(3).await;
    assert!(heard.iter().all(|it| !it.contains("/hint")), "{heard:?}");
    bot.script.thought.send_replace(true);
    bot.script.lines(5).await;
    bot.stop().await;
    assert!(ann.sees(ann.id).iter().any(|it| it.text.contains("/hint")), "the answer came");
    assert_eq!(parked(&book).await, 0);
}

#[tokio::test]
async fn a_confirmed_update_without_a_reply_is_answered_after_a_kill() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let book = Arc::new(MemoryKeyValueStore::default());
    let script = silent();
    script.thought.send_replace(false);
    let bot = Bot::over(with_book(&tg, &book).await, script);
    ann.say(ann.id, "/hint");
    tg.wait_until("it is confirmed", |tg| tg.waiting().is_empty()).await;
    bot.task.abort();
    drop(bot.task.await);
    let next = Bot::over(with_book(&tg, &book).await, silent());
    assert_eq!(next.script.lines(1).await, [format!("tg:{0} Ann says \"/hint\"", ann.id)]);
    next.stop().await;
    assert_eq!(parked(&book).await, 0);
}

#[tokio::test]
async fn an_update_that_is_never_stored_holds_up_nobody_for_long() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let people: Vec<_> = (0..150).map(|n| tg.user(&format!("P{n}"))).collect();
    let script = silent();
    *script.refused.lock() = Some("/damaged");
    for text in ["/damaged", "/games"] {
        ann.say(ann.id, text);
    }
    for person in &people {
        person.say(person.id, "/start");
    }
    let book = Arc::new(MemoryKeyValueStore::default());
    let bot = Bot::over(with_book(&tg, &book).await, script);
    tg.wait_until("all are confirmed", |tg| tg.waiting().is_empty()).await;
    assert_eq!(parked(&book).await, 1, "it is not lost");
    let said = |text: &str| format!("tg:{} Ann says {text:?}", ann.id);
    let lines = bot.script.lines(151).await;
    assert!(lines.contains(&said("/games")), "the rest of its chat goes on");
    bot.task.abort();
    drop(bot.task.await);
    // The row is readable again.
    let next = Bot::over(with_book(&tg, &book).await, silent());
    assert_eq!(next.script.lines(1).await, [said("/damaged")]);
    next.stop().await;
    assert_eq!(parked(&book).await, 0);
}

#[tokio::test]
async fn a_pushed_update_that_is_never_stored_is_deferred() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let book = Arc::new(MemoryKeyValueStore::default());
    let (telegram, script) = (with_book(&tg, &book).await, silent());
    *script.refused.lock() = Some("/damaged");
    let url = incoming_updates::serve(&telegram, &script).await;
    telegram.set_webhook(&url, "right-secret").await.unwrap();
    for text in ["/damaged", "/games"] {
        ann.say(ann.id, text);
    }
    tg.wait_until("all were taken", |tg| tg.waiting().is_empty()).await;
    assert_eq!(tg.webhook_answers().iter().filter(|it| **it == 503).count(), 3);
    assert_eq!(parked(&book).await, 1, "it is not lost");
    assert!(script.lines(5).await.contains(&format!("tg:{} Ann says \"/games\"", ann.id)));
}

#[tokio::test]
async fn a_failed_question_for_admins_makes_nobody_lose_their_rights() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    tg.promote(chat, &ann);
    let book = Arc::new(MemoryKeyValueStore::default());
    let bot = Bot::over(with_book(&tg, &book).await, silent());
    let asked = || tg.calls_of("getChatAdministrators").len();
    ann.say(chat, "/language chat ru");
    bot.script.heard(1).await;
    // The list no longer proves that Bob is no admin.
    book.advance(Duration::from_secs(31));
    tg.fail_next(1, Some("getChatAdministrators"), Fault::Server(502));
    bob.say(chat, "/language chat kk");
    bot.script.heard(2).await;
    assert_eq!(asked(), 2);
    ann.say(chat, "/theme chat night");
    let heard = bot.script.heard(3).await;
    let admins: Vec<bool> = heard.iter().map(|it| it.person.admin).collect();
    assert_eq!((admins, asked()), (vec![true, false, true], 2));
    // Bob has become one, and Telegram answers again.
    tg.promote(chat, &bob);
    book.advance(Duration::from_secs(4));
    bob.say(chat, "/language chat kk");
    assert!(bot.script.heard(4).await[3].person.admin);
    bot.stop().await;
}

#[tokio::test]
async fn a_lookup_of_admins_holds_up_no_other_person() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    tg.promote(chat, &ann);
    let bot = Bot::start(&tg, silent()).await;
    tg.hold(Some("getChatAdministrators"));
    ann.say(chat, "/language chat ru");
    ann.say(chat, "/help");
    bob.say(chat, "/togyz");
    bob.say(bob.id, "/help");
    let mut others = bot.script.lines(2).await;
    others.sort();
    let said = |chat, who: &str, text: &str| format!("tg:{chat} {who} says {text:?}");
    assert_eq!(others, [said(chat, "Bob", "/togyz"), said(bob.id, "Bob", "/help")]);
    tg.wait_until("all are confirmed", |tg| tg.waiting().is_empty()).await;
    tg.hold(None);
    let heard = bot.script.heard(4).await;
    let own: Vec<String> = heard[2..].iter().map(line).collect();
    assert_eq!(own, [said(chat, "Ann", "/language chat ru"), said(chat, "Ann", "/help")]);
    assert!(heard[2].person.admin);
    bot.stop().await;
}

#[tokio::test]
async fn slow_answers_do_not_use_up_the_connections_of_a_webhook() {
    let tg = FakeTelegram::start().await;
    let people: Vec<_> = (0..50).map(|n| tg.user(&format!("P{n}"))).collect();
    let (telegram, script) = (connect(&tg).await, silent());
    script.thought.send_replace(false);
    let url = incoming_updates::serve(&telegram, &script).await;
    telegram.set_webhook(&url, "right-secret").await.unwrap();
    for person in &people {
        person.say(person.id, "/hint");
    }
    people[0].say(people[0].id, "/help");
    assert!(script.lines(1).await[0].ends_with("says \"/help\""));
    tg.wait_until("all were taken", |tg| tg.waiting().is_empty()).await;
    assert_eq!(tg.webhook_answers(), [200; 51]);
    script.thought.send_replace(true);
    script.heard(51).await;
    telegram.drain().await;
}

#[tokio::test]
async fn a_server_that_repeats_an_update_is_asked_with_growing_pauses() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    ann.say(ann.id, "/start");
    let bot = Bot::start(&tg, silent()).await;
    tg.wait_until("it is confirmed", |tg| tg.waiting().is_empty()).await;
    tg.fail_next(4, Some("getUpdates"), Fault::Repeats);
    let start = std::time::Instant::now();
    // The poll that waits ends with this.
    ann.say(ann.id, "/help");
    tg.wait_until("four answers", |tg| tg.calls_of("getUpdates").len() >= 4).await;
    // Of 50, 100 and 200 ms at least two lie between them.
    assert!(start.elapsed() >= Duration::from_millis(150), "{:?}", start.elapsed());
    bot.script.heard(2).await;
    bot.stop().await;
    assert!(tg.waiting().is_empty());
}

#[tokio::test]
async fn the_arrival_of_an_update_is_its_fetch() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    for text in ["/one", "/two"] {
        ann.say(ann.id, text);
    }
    let script = silent();
    script.set_open(false);
    let bot = Bot::start(&tg, script).await;
    bot.script.heard(1).await;
    bot.script.set_open(true);
    let heard = bot.script.heard(2).await;
    assert!(heard[0].arrival.at_ms().is_some());
    assert_eq!(heard[0].arrival.at_ms(), heard[1].arrival.at_ms(), "they came together");
    ann.say(ann.id, "/three");
    let heard = bot.script.heard(3).await;
    assert!(heard[2].arrival.at_ms() > heard[1].arrival.at_ms());
    bot.stop().await;
}
