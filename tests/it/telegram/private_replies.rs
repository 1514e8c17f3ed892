//! Private replies: every way to send them, and that nobody else ever sees them.

use caravanserai_games::ids::PersonId;
use caravanserai_protocol::{EphemeralMessages, Platform, SendError};

use super::*;
use crate::fake_telegram::{Fault, Standing, Version, VisibleMessage};

#[tokio::test]
async fn only_a_cover_of_the_bot_is_opened_or_deleted() {
    let it = scene(|_| {}).await;
    it.ann.say(it.chat, "/secret");
    let letter = it.bob.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    let genuine = letter.buttons[0][0].1.clone();
    for (who, forged) in [
        (&it.bob, "w.0000000000000000"),
        (&it.bob, "w."),
        (&it.ann, "w.1"),
        // The answer is hers, but the message is not its cover.
        (&it.ann, genuine.as_str()),
    ] {
        let told = who.press_stale(it.chat, it.board, forged).await;
        assert!(told.text.ends_with("expired"), "{forged}: {}", told.text);
    }
    // What is made up does not delete the cover either.
    it.bob.press_stale(it.chat, letter.id, "w.1").await;
    let stands = |id: i64| it.tg.messages(it.chat).iter().any(|it| it.id == id);
    assert!(stands(it.board) && stands(letter.id));
    it.ann.press(it.chat, letter.id, "ru:open").await;
    let gone = |tg: &FakeTelegram| !tg.messages(it.chat).iter().any(|it| it.id == letter.id);
    it.tg.wait_until("the envelope to go", gone).await;
    assert!(stands(it.board));
    it.end().await;
}

/// What the listener says to a press or a command of this name.
fn script() -> Arc<Script> {
    Script::new(|update| {
        let said = match &update.kind {
            UpdateKind::Text { text, .. } => text.trim_start_matches('/').to_owned(),
            UpdateKind::Press { callback_data: press, .. } => press.clone(),
            _ => return Vec::new(),
        };
        let whisper = |message: OutgoingMessage| EphemeralReply {
            message: message.into(),
            ..EphemeralReply::default()
        };
        let toast = |message| EphemeralReply { form: ReplyForm::Toast, ..whisper(message) };
        match said.as_str() {
            "toast" => vec![toast(words("pit 3 is empty"))],
            "alert" => vec![toast(words(&"pit 3 is empty; ".repeat(6)))],
            "two" => vec![toast(words("one")), toast(words("two"))],
            "long" => vec![toast(words(&"long words; ".repeat(30)))],
            "hand" => vec![whisper(board(30, "your hand"))],
            "secret" => vec![whisper(words("your secret"))],
            _ => Vec::new(),
        }
    })
}

/// A group with a board that has a button for each of these words.
struct Scene {
    tg: FakeTelegram,
    ann: crate::fake_telegram::Person,
    bob: crate::fake_telegram::Person,
    chat: i64,
    board: i64,
    bot: Bot,
}

async fn scene(prepare: impl FnOnce(&FakeTelegram)) -> Scene {
    let tg = FakeTelegram::start().await;
    prepare(&tg);
    let (ann, bob) = (tg.user("Ann").lang("ru"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let bot = Bot::start(&tg, script()).await;
    let all = ["none", "toast", "alert", "two", "long", "hand", "secret"];
    let row = all.iter().map(|it| button(it, it)).collect();
    let message = OutgoingMessage { buttons: vec![row], ..words("board") };
    let chat_id = ChatId(format!("tg:{chat}"));
    let board = bot.telegram.post(&chat_id, &message).await.unwrap().0.parse().unwrap();
    Scene { tg, ann, bob, chat, board, bot }
}

impl Scene {
    async fn end(self) {
        self.bot.stop().await;
        assert_eq!(self.tg.violations(), Vec::<String>::new());
        let public: Vec<String> = self
            .tg
            .messages(self.chat)
            .into_iter()
            .filter(|it| it.from_bot)
            .map(|it| it.text)
            .collect();
        for text in public {
            assert!(!["secret", "hand", "pit 3"].iter().any(|it| text.contains(it)), "{text}");
        }
    }
}

#[tokio::test]
async fn a_press_is_answered_by_a_note() {
    let it = scene(|_| {}).await;
    let mut notes = Vec::new();
    for press in ["none", "toast", "alert", "two"] {
        let pressed = it.ann.press(it.chat, it.board, press).await;
        notes.push((pressed.text, pressed.alert));
    }
    assert_eq!(
        notes,
        [
            (String::new(), false),
            ("pit 3 is empty".to_owned(), false),
            ("pit 3 is empty; ".repeat(6), true),
            ("one\ntwo".to_owned(), false),
        ]
    );
    it.end().await;
}

#[tokio::test]
async fn more_than_a_note_is_an_ephemeral_message() {
    let it = scene(|_| {}).await;
    assert_eq!(it.ann.press(it.chat, it.board, "hand").await.text, "");
    let hand = it.ann.awaits(it.chat, "the hand", |it| it.ephemeral.is_some()).await;
    assert_eq!((hand.media, hand.text.as_str()), (Some("photo"), "your hand"));
    assert_eq!(it.bob.sees(it.chat).len(), 1);
    it.ann.press(it.chat, it.board, "long").await;
    let long = it.ann.awaits(it.chat, "the words", |it| it.text.contains("long")).await;
    assert_eq!(long.text.len(), 360);
    it.ann.press_ephemeral(it.chat, hand.ephemeral.unwrap(), "7").await;
    let heard = it.bot.script.heard(3).await;
    assert_eq!(line(&heard[2]), format!("tg:{} Ann presses p.x.1.7 on ?", it.chat));
    it.end().await;
}

#[tokio::test]
async fn an_old_server_never_shows_private_words_to_all() {
    let it = scene(FakeTelegram::old).await;
    let pressed = it.ann.press(it.chat, it.board, "secret").await;
    assert_eq!((pressed.text.as_str(), pressed.alert), ("your secret", false));
    let pressed = it.ann.press(it.chat, it.board, "long").await;
    assert_eq!((pressed.text.chars().count(), pressed.alert), (200, true));
    it.ann.say(it.ann.id, "/start");
    it.bot.script.heard(3).await;
    assert_eq!(it.ann.press(it.chat, it.board, "hand").await.text, "");
    let hand = it.ann.awaits(it.ann.id, "the hand", |it| it.text == "your hand").await;
    assert_eq!(hand.media, Some("photo"));
    assert_eq!(it.tg.messages(it.chat).len(), 1, "nothing but the board in the group");
    it.end().await;
}

#[tokio::test]
async fn a_server_of_the_version_between_does_not_either() {
    let it = scene(|tg| tg.set_version(Version::V10_2)).await;
    it.ann.press(it.chat, it.board, "secret").await;
    it.ann.awaits(it.chat, "the secret", |it| it.ephemeral.is_some()).await;
    assert_eq!(it.tg.messages(it.chat).len(), 1);
    assert_eq!(it.tg.calls_of("deleteMessage").len(), 0, "it was never public");
    it.end().await;
}

#[tokio::test]
async fn a_server_that_changes_its_mind_is_cleaned_up_after() {
    let it = scene(|_| {}).await;
    it.tg.old();
    let pressed = it.ann.press(it.chat, it.board, "secret").await;
    assert_eq!(pressed.text, "your secret");
    assert_eq!(it.tg.messages(it.chat).len(), 1, "the public copy was deleted");
    let sent = it.tg.calls_of("sendMessage").len();
    it.ann.press(it.chat, it.board, "secret").await;
    // The board, the misunderstood one and one try at each private chat: no second mistake.
    assert_eq!(it.tg.calls_of("sendMessage").len(), sent, "it is not tried again");
    it.end().await;
}

#[tokio::test]
async fn a_typed_command_is_answered_in_the_best_way_there_is() {
    let it = scene(|_| {}).await;
    // The bot is no admin and the private chat was never opened: an envelope.
    let said = it.ann.say(it.chat, "/secret");
    let letter = it.bob.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    assert_eq!((letter.text.as_str(), letter.reply_to), ("ru:a letter", Some(said)));
    assert!(letter.silent);
    let other = it.bob.press(it.chat, letter.id, "ru:open").await;
    assert_eq!(other.text, "-:not yours");
    let own = it.ann.press(it.chat, letter.id, "ru:open").await;
    assert_eq!(own.text, "", "it comes as an ephemeral message");
    it.ann
        .awaits(it.chat, "the secret", |it| it.text == "your secret" && it.ephemeral.is_some())
        .await;
    let gone = |tg: &FakeTelegram| !tg.messages(it.chat).iter().any(|it| it.id == letter.id);
    it.tg.wait_until("the envelope to go", gone).await;
    let again = it.ann.press_stale(it.chat, letter.id, &letter.buttons[0][0].1).await;
    assert_eq!(again.text, "ru:expired");
    // A short note in an envelope is shown as a note.
    it.ann.say(it.chat, "/toast");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    assert_eq!(it.ann.press(it.chat, letter.id, "ru:open").await.text, "pit 3 is empty");
    it.tg.wait_until("no envelope", |tg| tg.messages(it.chat).len() == 3).await;
    // A command that only the bot saw is answered the same way.
    it.ann.command_privately(it.chat, "/secret");
    it.tg.wait_until("two secrets", |_| secrets(&it) == 2).await;
    // With the private chat open, that is used.
    it.ann.say(it.ann.id, "/start");
    it.ann.say(it.chat, "/secret");
    it.ann.awaits(it.ann.id, "a private message", |it| it.text == "your secret").await;
    // An admin may whisper at any time.
    it.tg.bot_becomes(it.chat, &it.bob, Standing::Admin);
    it.ann.say(it.chat, "/secret");
    it.tg.wait_until("three secrets", |_| secrets(&it) == 3).await;
    it.end().await;
}

fn secrets(it: &Scene) -> usize {
    let seen = it.ann.sees(it.chat);
    seen.iter().filter(|it| it.ephemeral.is_some() && it.text == "your secret").count()
}

#[tokio::test]
async fn on_an_old_server_a_reveal_button_opens_an_alert() {
    let it = scene(FakeTelegram::old).await;
    it.ann.say(it.chat, "/secret");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    assert_eq!(it.ann.press(it.chat, letter.id, "ru:open").await.text, "your secret");
    it.tg.wait_until("no envelope", |tg| tg.messages(it.chat).len() == 2).await;
    it.end().await;
}

#[tokio::test]
async fn a_hidden_reply_that_did_not_arrive_whole_can_be_opened_again() {
    let it = scene(|_| {}).await;
    it.ann.say(it.chat, "/long");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    it.tg.fail_next(1, Some("sendMessage"), Fault::Server(502));
    assert_eq!(it.ann.press(it.chat, letter.id, "ru:open").await.text, "ru:try again");
    it.bot.telegram.drain().await;
    it.ann.press(it.chat, letter.id, "ru:open").await;
    let long = it.ann.awaits(it.chat, "the words", |it| it.text.contains("long words")).await;
    assert!(long.ephemeral.is_some());
    let gone = |tg: &FakeTelegram| !tg.messages(it.chat).iter().any(|it| it.id == letter.id);
    it.tg.wait_until("the envelope to go", gone).await;
    it.end().await;
}

#[tokio::test]
async fn a_long_reply_that_only_an_alert_can_show_leaves_no_reveal_button() {
    let it = scene(FakeTelegram::old).await;
    it.ann.say(it.chat, "/long");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    let alert = it.ann.press(it.chat, letter.id, "ru:open").await;
    assert!(alert.text.starts_with("long words"), "{}", alert.text);
    it.tg.wait_until("no envelope", |tg| tg.messages(it.chat).len() == 2).await;
    it.end().await;
}

/// The alert of a press has room for one reply: the others are behind the next button.
#[tokio::test]
async fn each_press_opens_one_of_several_replies_that_only_alerts_can_show() {
    let it = scene(FakeTelegram::old).await;
    for command in ["/toast", "/long"] {
        it.ann.say(it.chat, command);
    }
    let both = |it: &VisibleMessage| it.buttons.iter().flatten().any(|it| it.0.ends_with("(2)"));
    let letter = it.ann.awaits(it.chat, "both", both).await;
    assert_eq!(it.ann.press(it.chat, letter.id, "ru:open (2)").await.text, "pit 3 is empty");
    let next = it
        .ann
        .awaits(it.chat, "the next one", |now| now.id != letter.id && now.text.contains("letter"))
        .await;
    let alert = it.ann.press(it.chat, next.id, "ru:open").await;
    assert!(alert.text.starts_with("long words"), "{}", alert.text);
    it.tg.wait_until("no envelope", |tg| tg.messages(it.chat).len() == 3).await;
    it.end().await;
}

#[tokio::test]
async fn the_service_can_send_private_messages_without_a_request() {
    let it = scene(|_| {}).await;
    let chat = ChatId(format!("tg:{}", it.chat));
    let ann = PersonId(format!("tg:{}", it.ann.id));
    let whisper = |text: &'static str| {
        let (telegram, chat, ann) = (it.bot.telegram.clone(), chat.clone(), ann.clone());
        async move { telegram.show_ephemeral(&chat, &ann, "hand", &words(text).into()).await }
    };
    assert_eq!(whisper("secret one").await, Err(SendError::NotAllowed));
    it.ann.say(it.ann.id, "/start");
    it.bot.script.heard(1).await;
    whisper("secret two").await.unwrap();
    assert_eq!(it.ann.sees(it.ann.id).pop().unwrap().text, "secret two");
    it.ann.blocks(&it.tg);
    it.bot.script.heard(2).await;
    assert_eq!(whisper("secret three").await, Err(SendError::NotAllowed));
    it.tg.bot_becomes(it.chat, &it.bob, Standing::Admin);
    it.ann.say(it.chat, "/none");
    it.bot.script.heard(3).await;
    whisper("secret four").await.unwrap();
    assert_eq!(it.ann.sees(it.chat).pop().unwrap().text, "secret four");
    assert!(it.bob.sees(it.chat).iter().all(|it| !it.text.contains("four")));
    it.end().await;
}

/// After Telegram asked to wait, the hand that is sent again and the answer to a press may meet.
#[tokio::test]
async fn a_private_message_has_one_edit_under_way_at_a_time() {
    let it = scene(|_| {}).await;
    it.tg.bot_becomes(it.chat, &it.bob, Standing::Admin);
    it.ann.say(it.chat, "/none");
    it.bot.script.heard(1).await;
    let chat = ChatId(format!("tg:{}", it.chat));
    let ann = PersonId(format!("tg:{}", it.ann.id));
    let show = |text: &'static str| {
        let (telegram, chat, ann) = (it.bot.telegram.clone(), chat.clone(), ann.clone());
        async move { telegram.show_ephemeral(&chat, &ann, "hand", &board(30, text).into()).await }
    };
    show("hand one").await.unwrap();
    const EDIT: &str = "editEphemeralMessageMedia";
    it.tg.fail_next(1, Some(EDIT), Fault::TooMany(0));
    assert!(show("hand two").await.is_err(), "it is to wait");
    it.tg.hold(Some(EDIT));
    let (again, pressed) = (tokio::spawn(show("hand two")), tokio::spawn(show("hand three")));
    it.tg.wait_until("an edit at the door", |tg| tg.at_door() == 1).await;
    for _ in 0..100 {
        tokio::task::yield_now().await;
        assert_eq!(it.tg.at_door(), 1, "the other one waits");
    }
    it.tg.hold(None);
    again.await.unwrap().unwrap();
    pressed.await.unwrap().unwrap();
    assert_eq!(it.ann.sees(it.chat).iter().filter(|it| it.ephemeral.is_some()).count(), 1);
    it.end().await;
}

#[tokio::test]
async fn a_slow_decision_does_not_keep_the_button_spinning() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let quick = TelegramSettings { press_patience: Duration::from_millis(1), ..settings(&tg) };
    let telegram = TelegramPlatform::connect(quick).await.unwrap();
    let bot = Bot::over(telegram, script());
    let chat_id = ChatId(format!("tg:{chat}"));
    let message =
        OutgoingMessage { buttons: vec![vec![button("toast", "toast")]], ..words("board") };
    let id = bot.telegram.post(&chat_id, &message).await.unwrap().0.parse().unwrap();
    bot.script.set_open(false);
    assert_eq!(ann.press(chat, id, "toast").await.text, "", "answered before the decision");
    bot.script.set_open(true);
    ann.awaits(chat, "the words", |it| it.text == "pit 3 is empty" && it.ephemeral.is_some()).await;
    bot.stop().await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn an_anonymous_admin_gets_a_reveal_button_for_admins() {
    let it = scene(|_| {}).await;
    it.tg.promote(it.chat, &it.ann);
    it.ann.say_anonymously(it.chat, "/toast");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    assert_eq!(it.bob.press(it.chat, letter.id, "-:open").await.text, "-:not yours");
    assert_eq!(it.ann.press(it.chat, letter.id, "-:open").await.text, "pit 3 is empty");
    it.tg.wait_until("no envelope", |tg| tg.messages(it.chat).len() == 2).await;
    it.end().await;
}

#[tokio::test]
async fn repeated_mistakes_share_one_reveal_button() {
    let it = scene(|_| {}).await;
    it.ann.say(it.chat, "/secret");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    it.ann.say(it.chat, "/toast");
    it.bot.script.heard(2).await;
    it.bot.telegram.drain().await;
    assert_eq!(it.tg.messages(it.chat).len(), 4, "the board, two commands, one envelope");
    let newest = it.ann.awaits(it.chat, "both", |it| it.text.contains("letter")).await;
    assert_ne!(newest.id, letter.id, "it stands where was asked last");
    assert!(newest.buttons[0][0].0.ends_with("(2)"), "and says how many answers it holds");
    assert_eq!(it.ann.press(it.chat, newest.id, "ru:open (2)").await.text, "pit 3 is empty");
    it.ann.awaits(it.chat, "the secret", |it| it.text == "your secret").await;
    it.end().await;
}

#[tokio::test]
async fn two_replies_at_the_same_moment_share_one_reveal_button() {
    let it = scene(|_| {}).await;
    for command in ["/secret", "/toast"] {
        it.ann.say(it.chat, command);
    }
    it.bot.script.heard(2).await;
    it.bot.telegram.drain().await;
    assert_eq!(it.tg.messages(it.chat).len(), 4, "the board, two commands, one envelope");
    let both = it.ann.awaits(it.chat, "both", |it| it.text.contains("letter")).await;
    assert!(both.buttons[0][0].0.ends_with("(2)"), "{both:?}");
    it.end().await;
}

#[tokio::test]
async fn the_same_reply_is_behind_the_reveal_button_once() {
    let it = scene(|_| {}).await;
    it.ann.say(it.chat, "/toast");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    it.ann.say(it.chat, "/toast");
    it.bot.script.heard(2).await;
    it.bot.telegram.drain().await;
    let same = it.ann.awaits(it.chat, "one answer", |it| it.text.contains("letter")).await;
    assert_eq!((same.id, &same.buttons), (letter.id, &letter.buttons), "nothing new was sent");
    it.end().await;
}

#[tokio::test]
async fn the_same_reply_has_a_new_reveal_button_after_a_deletion() {
    let it = scene(|_| {}).await;
    it.ann.say(it.chat, "/toast");
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    it.bot.telegram.drain().await;
    it.ann.deletes(it.chat, letter.id);
    it.ann.say(it.chat, "/toast");
    let again = it.ann.awaits(it.chat, "another one", |it| it.text.contains("letter")).await;
    assert_ne!(again.id, letter.id);
    assert_eq!(it.ann.press(it.chat, again.id, "ru:open").await.text, "pit 3 is empty");
    it.end().await;
}

/// While few calls are left, boards come first: an envelope waits, and what is told its reader
/// meanwhile is in it.
#[tokio::test]
async fn a_reveal_button_waits_for_boards_and_collects_replies() {
    let it = scene(|_| {}).await;
    *it.bot.script.behind_boards.lock() = Some(Vec::new());
    for (count, said) in [(1, "/secret"), (2, "/toast"), (3, "/toast")] {
        it.ann.say(it.chat, said);
        it.bot.script.heard(count).await;
        it.bot.telegram.drain().await;
    }
    let posted = |tg: &FakeTelegram| tg.messages(it.chat).iter().filter(|it| it.from_bot).count();
    assert_eq!(posted(&it.tg), 1, "only the board is there");
    let waiting = it.bot.script.behind_boards.lock().take().unwrap();
    assert_eq!(waiting.len(), 1, "one envelope for all of it");
    for post in waiting {
        post.await;
    }
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    assert_eq!(posted(&it.tg), 2);
    assert_eq!(it.ann.press(it.chat, letter.id, "ru:open (2)").await.text, "pit 3 is empty");
    it.ann.awaits(it.chat, "the secret", |it| it.text == "your secret").await;
    // The boards are sent, and there is room again.
    it.ann.say(it.chat, "/toast");
    it.ann.awaits(it.chat, "an envelope at once", |it| it.text.contains("letter")).await;
    it.end().await;
}

/// A reply whose envelope Telegram refuses for now is not lost: it waits with those that follow.
#[tokio::test]
async fn a_rate_limited_reveal_button_is_posted_later() {
    let it = scene(|_| {}).await;
    // The private chat for both, then the button twice.
    it.tg.fail_next(4, Some("sendMessage"), Fault::TooMany(7));
    it.ann.say(it.chat, "/secret");
    it.bot.script.heard(1).await;
    it.bot.telegram.drain().await;
    it.ann.say(it.chat, "/toast");
    it.bot.script.heard(2).await;
    it.bot.telegram.drain().await;
    let posted = |tg: &FakeTelegram| tg.messages(it.chat).iter().filter(|it| it.from_bot).count();
    for _ in 0..2 {
        assert_eq!(posted(&it.tg), 1, "only the board is there");
        let waiting = it.bot.script.behind_boards.lock().take().unwrap();
        assert_eq!(waiting.len(), 1, "one envelope for both");
        for post in waiting {
            post.await;
        }
    }
    let letter = it.ann.awaits(it.chat, "an envelope", |it| it.text.contains("letter")).await;
    assert_eq!(it.ann.press(it.chat, letter.id, "ru:open (2)").await.text, "pit 3 is empty");
    it.ann.awaits(it.chat, "the secret", |it| it.text == "your secret").await;
    it.end().await;
}

#[tokio::test]
async fn an_update_that_comes_twice_is_answered_once() {
    let it = scene(FakeTelegram::deliver_twice).await;
    it.ann.say(it.ann.id, "/secret");
    it.bot.script.heard(2).await;
    it.bot.telegram.drain().await;
    let seen = it.ann.sees(it.ann.id);
    assert_eq!(seen.iter().filter(|it| it.text == "your secret").count(), 1);
    it.end().await;
}

#[tokio::test]
async fn a_slow_private_answer_does_not_keep_the_button_spinning() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let quick = TelegramSettings { press_patience: Duration::from_millis(1), ..settings(&tg) };
    let bot = Bot::over(TelegramPlatform::connect(quick).await.unwrap(), script());
    let chat_id = ChatId(format!("tg:{chat}"));
    let message = OutgoingMessage { buttons: vec![vec![button("hand", "hand")]], ..words("board") };
    let id = bot.telegram.post(&chat_id, &message).await.unwrap().0.parse().unwrap();
    tg.hold(Some("sendPhoto"));
    assert_eq!(ann.press(chat, id, "hand").await.text, "");
    tg.wait_until("the photo at the door", |tg| tg.at_door() == 1).await;
    tg.hold(None);
    ann.awaits(chat, "the hand", |it| it.text == "your hand" && it.ephemeral.is_some()).await;
    bot.stop().await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_lost_answer_is_not_fatal() {
    let it = scene(|_| {}).await;
    it.tg.fail_next(1, Some("answerCallbackQuery"), Fault::Server(500));
    it.ann.press_only(it.chat, it.board, "toast");
    it.bot.script.heard(1).await;
    for fault in [Fault::Server(502), Fault::TooMany(0)] {
        it.tg.fail_next(1, Some("sendMessage"), fault);
        it.ann.say(it.ann.id, "/secret");
        let told =
            |it: &crate::fake_telegram::VisibleMessage| it.from_bot && it.text == "your secret";
        let message = it.ann.awaits(it.ann.id, "the secret", told).await;
        it.ann.deletes(it.ann.id, message.id);
    }
    assert_eq!(it.ann.press(it.chat, it.board, "toast").await.text, "pit 3 is empty");
    it.end().await;
}
