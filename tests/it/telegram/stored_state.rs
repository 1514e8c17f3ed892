//! State kept in rows: another process, or the same one after a restart, continues with it.

use caravanserai::kv_store::StoreKeyValues;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_platform_shared::memory_kv::MemoryKeyValueStore;
use caravanserai_protocol::{EphemeralMessages, MessageLookup, Platform};
use caravanserai_store::memory::MemoryStore;

use super::*;

/// Answers to `/secret` and `/hand` in a group of a plain member.
fn script() -> Arc<Script> {
    Script::new(|update| match &update.kind {
        UpdateKind::Text { text, .. } if text == "/secret" => {
            let message = OutgoingMessage { image: Some(picture(300)), ..words("your secret") };
            vec![EphemeralReply { message: message.into(), ..EphemeralReply::default() }]
        }
        UpdateKind::Press { callback_data: press, .. } if press == "hand" => {
            let slot = Some("hand t1".to_owned());
            vec![EphemeralReply {
                message: board(30, "your hand").into(),
                slot,
                ..EphemeralReply::default()
            }]
        }
        _ => Vec::new(),
    })
}

struct Two {
    tg: FakeTelegram,
    book: Arc<MemoryKeyValueStore>,
}

impl Two {
    async fn new() -> Self {
        Self { tg: FakeTelegram::start().await, book: Arc::default() }
    }

    /// Another process with the same rows.
    async fn process(&self) -> Arc<TelegramPlatform> {
        let shared = PlatformServices {
            store: self.book.clone(),
            ..PlatformServices::for_single_process("tg")
        };
        TelegramPlatform::connect(TelegramSettings { shared, ..settings(&self.tg) }).await.unwrap()
    }
}

#[tokio::test]
async fn an_unopened_answer_waits_through_a_restart_in_a_small_row() {
    let it = Two::new().await;
    let ann = it.tg.user("Ann");
    let chat = it.tg.supergroup("Family", &[&ann]);
    let bot = Bot::over(it.process().await, script());
    ann.say(chat, "/secret");
    let letter = ann.awaits(chat, "an envelope", |it| it.text.contains("letter")).await;
    bot.stop().await;
    let (rows, bytes) = it.book.size();
    assert!(rows < 10 && bytes < 2_000, "{rows} rows of {bytes} bytes, and no picture");
    let bot = Bot::over(it.process().await, script());
    ann.press(chat, letter.id, "-:open").await;
    let told = ann.awaits(chat, "the answer", |it| it.text.starts_with("your secret")).await;
    assert!(told.ephemeral.is_some(), "{told:?}");
    bot.stop().await;
}

#[tokio::test]
async fn a_reveal_button_opens_once_and_not_after_a_day() {
    let it = Two::new().await;
    let ann = it.tg.user("Ann");
    let chat = it.tg.supergroup("Family", &[&ann]);
    let bot = Bot::over(it.process().await, script());
    ann.say(chat, "/secret");
    let letter = ann.awaits(chat, "an envelope", |it| it.text.contains("letter")).await;
    it.book.advance(Duration::from_secs(25 * 3600));
    assert_eq!(ann.press(chat, letter.id, "-:open").await.text, "-:expired");
    bot.stop().await;
}

#[tokio::test]
async fn a_hand_that_one_process_showed_is_renewed_by_another() {
    let it = Two::new().await;
    let ann = it.tg.user("Ann");
    let chat = it.tg.supergroup("Family", &[&ann]);
    let bot = Bot::over(it.process().await, script());
    let chat_id = ChatId(format!("tg:{chat}"));
    let message =
        OutgoingMessage { buttons: vec![vec![button("My hand", "hand")]], ..words("board") };
    let id = bot.telegram.post(&chat_id, &message).await.unwrap().0.parse().unwrap();
    ann.press(chat, id, "My hand").await;
    let hand = ann.awaits(chat, "the hand", |it| it.text == "your hand").await;
    let other = it.process().await;
    let person = PersonId(format!("tg:{}", ann.id));
    bot.telegram.drain().await;
    let newer = board(31, "a newer hand");
    other.show_ephemeral(&chat_id, &person, "hand t1", &newer.clone().into()).await.unwrap();
    let renewed = ann.awaits(chat, "the newer hand", |it| it.text == "a newer hand").await;
    assert_eq!(renewed.ephemeral, hand.ephemeral, "it stands where the old one stood");
    bot.stop().await;
    assert_eq!(it.tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn an_update_that_two_processes_hear_is_answered_once() {
    let it = Two::new().await;
    let ann = it.tg.user("Ann");
    it.tg.deliver_twice();
    ann.say(ann.id, "/secret");
    let bot = Bot::over(it.process().await, script());
    bot.script.heard(1).await;
    bot.stop().await;
    let bot = Bot::over(it.process().await, script());
    ann.say(ann.id, "/start");
    bot.script.heard(1).await;
    bot.stop().await;
    let told = ann.sees(ann.id).iter().filter(|it| it.text == "your secret").count();
    assert_eq!(told, 1);
}

#[tokio::test]
async fn one_process_polls_and_another_takes_over() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let store = Arc::new(MemoryStore::default());
    let bot = async |owner: &str| {
        let store = Arc::new(StoreKeyValues::new(store.clone(), owner));
        let shared = PlatformServices { store, ..PlatformServices::for_single_process("tg") };
        let telegram =
            TelegramPlatform::connect(TelegramSettings { shared, ..settings(&tg) }).await.unwrap();
        Bot::over(telegram, silent())
    };
    let first = bot("one").await;
    ann.say(ann.id, "/start");
    first.script.heard(1).await;
    let second = bot("other").await;
    ann.say(ann.id, "/help");
    first.script.heard(2).await;
    first.stop().await;
    ann.say(ann.id, "/rules");
    let lines = second.script.lines(1).await;
    assert_eq!(lines, [format!("tg:{} Ann says \"/rules\"", ann.id)]);
    second.stop().await;
}

#[tokio::test]
async fn messages_below_a_board_are_known_to_other_processes() {
    let it = Two::new().await;
    it.tg.privacy(false);
    let (ann, bob) = (it.tg.user("Ann"), it.tg.user("Bob"));
    let chat = it.tg.group("Family", &[&ann, &bob]);
    let chat_id = ChatId(format!("tg:{chat}"));
    let posts = it.process().await;
    let message = OutgoingMessage { buttons: vec![vec![button("7", "p.7")]], ..words("board") };
    let id = posts.post(&chat_id, &message).await.unwrap();
    let bot = Bot::over(it.process().await, silent());
    for n in 0..8 {
        ann.say(chat, &format!("word {n}"));
    }
    bot.script.heard(8).await;
    posts.refresh_chat_state(&chat_id).await;
    assert_eq!(posts.messages_below(&chat_id, &id), 8);
    bot.stop().await;
}
