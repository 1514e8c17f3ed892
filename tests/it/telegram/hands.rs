//! Hands: every way to show, refresh and lose them, and that nobody else ever sees one.

use std::sync::atomic::{AtomicU32, Ordering};

use caravanserai_games::ids::PersonId;
use caravanserai_protocol::{EphemeralMessages, Platform, SendError};

use super::*;
use crate::fake_telegram::{Fault, Person, Spot, Standing, Version, VisibleMessage};

pub(super) const SLOT: &str = "hand k7";

/// A person's hand as it was shown for the n-th time: another picture each time.
fn hand(name: &str, n: u32) -> OutgoingMessage {
    let rows = vec![vec![button("J♥", "p.k7.1.J")], vec![button("More", "more")]];
    OutgoingMessage { buttons: rows, ..board(30 + n, &format!("{name}: secret {n}")) }
}

/// Answers a press of "hand" and of a card with the hand, of "more" with a page of buttons.
fn script() -> Arc<Script> {
    let shown = AtomicU32::new(0);
    Script::new(move |update| {
        let said = match &update.kind {
            UpdateKind::Press { callback_data: press, .. } => press.as_str(),
            UpdateKind::Text { text, .. } => text.trim_start_matches('/'),
            UpdateKind::Command { .. }
            | UpdateKind::BotAdded
            | UpdateKind::BotRemoved
            | UpdateKind::MemberLeft { .. }
            | UpdateKind::MembersJoined { .. }
            | UpdateKind::ChatDeleted
            | UpdateKind::ChatMoved { .. } => return Vec::new(),
        };
        let name = update.person.name.clone();
        let slot = Some(SLOT.to_owned());
        let note = |text| EphemeralReply {
            message: words(text).into(),
            form: ReplyForm::Toast,
            ..EphemeralReply::default()
        };
        let next = || {
            let n = shown.fetch_add(1, Ordering::Relaxed) + 1;
            EphemeralReply {
                message: hand(&name, n).into(),
                slot: slot.clone(),
                ..EphemeralReply::default()
            }
        };
        let page =
            OutgoingMessage { buttons: vec![vec![button("Next", "more")]], ..words("secret page") };
        match said {
            "hand" => vec![next()],
            "other" => vec![EphemeralReply { slot: Some("hand k8".to_owned()), ..next() }],
            "text" => {
                let message = words(&format!("{name}: secret words"));
                vec![EphemeralReply {
                    message: message.into(),
                    secret: true,
                    ..EphemeralReply::default()
                }]
            }
            "p.k7.1.J" => vec![note("played"), next()],
            "more" => vec![EphemeralReply { message: page.into(), ..EphemeralReply::default() }],
            _ => Vec::new(),
        }
    })
}

pub(super) struct Scene {
    pub(super) tg: FakeTelegram,
    pub(super) ann: Person,
    pub(super) bob: Person,
    pub(super) chat: i64,
    pub(super) board: i64,
    pub(super) bot: Bot,
}

pub(super) async fn scene(prepare: impl FnOnce(&FakeTelegram)) -> Scene {
    patient(Duration::from_secs(20), prepare).await
}

/// A press is answered with nothing when it takes longer than that.
pub(super) async fn patient(patience: Duration, prepare: impl FnOnce(&FakeTelegram)) -> Scene {
    let tg = FakeTelegram::start().await;
    prepare(&tg);
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let settings = TelegramSettings { press_patience: patience, ..settings(&tg) };
    let bot = Bot::over(TelegramPlatform::connect(settings).await.unwrap(), script());
    let row = [button("My hand", "hand"), button("More", "more")];
    let row =
        row.into_iter().chain([button("Other hand", "other"), button("Text", "text")]).collect();
    let message = OutgoingMessage { buttons: vec![row], ..words("board") };
    let chat_id = ChatId(format!("tg:{chat}"));
    let board = bot.telegram.post(&chat_id, &message).await.unwrap().0.parse().unwrap();
    Scene { tg, ann, bob, chat, board, bot }
}

impl Scene {
    /// The group.
    pub(super) fn chat(&self) -> ChatId {
        ChatId(format!("tg:{}", self.chat))
    }

    /// Writes a command, without a trace in the group.
    pub(super) async fn types(&self, person: &Person, command: &str, heard: usize) {
        let id = person.say(self.chat, command);
        self.bot.script.heard(heard).await;
        self.bot.telegram.drain().await;
        person.deletes(self.chat, id);
    }

    /// Presses the button of the board.
    pub(super) async fn asks(&self, person: &Person) -> crate::fake_telegram::Pressed {
        let pressed = person.press(self.chat, self.board, "My hand").await;
        self.bot.telegram.drain().await;
        pressed
    }

    /// Presses a button under the only private message this person has in the group.
    pub(super) async fn press_button(
        &self,
        person: &Person,
        label: &str,
    ) -> crate::fake_telegram::Pressed {
        let id = self.private_message(person).ephemeral.unwrap();
        let pressed = person.press_ephemeral(self.chat, id, label).await;
        self.bot.telegram.drain().await;
        pressed
    }

    /// The only private message this person sees in the group.
    pub(super) fn private_message(&self, person: &Person) -> VisibleMessage {
        let mut seen = person.sees(self.chat);
        seen.retain(|it| it.ephemeral.is_some());
        assert_eq!(seen.len(), 1, "{seen:#?}");
        seen.remove(0)
    }

    pub(super) fn private(&self, person: &Person) -> Vec<VisibleMessage> {
        let mut seen = person.sees(person.id);
        seen.retain(|it| it.from_bot);
        seen
    }

    /// The service shows a person's hand for the n-th time.
    pub(super) async fn send_private_message(
        &self,
        person: &Person,
        name: &str,
        n: u32,
    ) -> Result<(), SendError> {
        let chat = self.chat();
        let id = PersonId(format!("tg:{}", person.id));
        self.bot.telegram.show_ephemeral(&chat, &id, SLOT, &hand(name, n).into()).await
    }

    pub(super) async fn end(self) {
        self.bot.stop().await;
        assert_eq!(self.tg.violations(), Vec::<String>::new());
        for (person, other) in [(&self.ann, "Bob: "), (&self.bob, "Ann: ")] {
            for it in self.tg.reached(person) {
                let words = it.words.join(" ");
                assert!(!words.contains(other), "{} was shown {words}", person.id);
            }
        }
        let public = self.tg.messages(self.chat);
        assert_eq!(public.len(), 1, "nothing but the board: {public:#?}");
    }
}

#[tokio::test]
async fn a_hand_is_refreshed_in_place() {
    let it = scene(|_| {}).await;
    assert!(it.bot.telegram.has_ephemeral_buttons(&it.chat()));
    assert_eq!(it.asks(&it.ann).await.text, "");
    let first = it.private_message(&it.ann);
    assert_eq!((first.media, first.text.as_str()), (Some("photo"), "Ann: secret 1"));
    assert_eq!(it.press_button(&it.ann, "J♥").await.text, "played");
    let second = it.private_message(&it.ann);
    assert_eq!(second.ephemeral, first.ephemeral);
    assert_eq!((second.edited, second.text.as_str()), (1, "Ann: secret 2"));
    assert_ne!(second.bytes, first.bytes);
    // Asked for again it comes below everything, and the old one goes.
    it.asks(&it.ann).await;
    let third = it.private_message(&it.ann);
    assert_ne!(third.ephemeral, first.ephemeral);
    assert_eq!(third.text, "Ann: secret 3");
    it.end().await;
}

#[tokio::test]
async fn a_page_takes_the_place_of_the_hand_and_the_hand_comes_back() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    let first = it.private_message(&it.ann);
    it.press_button(&it.ann, "More").await;
    let page = it.private_message(&it.ann);
    assert_eq!((page.ephemeral, page.text.as_str()), (first.ephemeral, "secret page"));
    assert_eq!(page.media, Some("photo"), "the hand stays above the further choices");
    it.press_button(&it.ann, "Next").await;
    it.send_private_message(&it.ann, "Ann", 9).await.unwrap();
    let back = it.private_message(&it.ann);
    assert_eq!((back.ephemeral, back.text.as_str()), (first.ephemeral, "Ann: secret 9"));
    it.end().await;
}

#[tokio::test]
async fn pages_turn_in_a_message_of_words_and_in_the_private_chat() {
    let it = scene(|_| {}).await;
    it.ann.press(it.chat, it.board, "More").await;
    it.bot.telegram.drain().await;
    it.press_button(&it.ann, "Next").await;
    assert_eq!(it.private_message(&it.ann).text, "secret page");
    it.bob.say(it.bob.id, "/start");
    it.bot.script.heard(3).await;
    let there = ChatId(format!("tg:{}", it.bob.id));
    let message = OutgoingMessage { buttons: vec![vec![button("More", "more")]], ..words("menu") };
    let posted = it.bot.telegram.post(&there, &message).await.unwrap();
    it.bob.press(it.bob.id, posted.0.parse().unwrap(), "More").await;
    it.bot.telegram.drain().await;
    assert_eq!(it.private(&it.bob).len(), 2, "a message of all is not replaced by a private one");
    let page = it.private(&it.bob).pop().unwrap();
    it.bob.press(it.bob.id, page.id, "Next").await;
    it.bot.telegram.drain().await;
    assert_eq!(it.private(&it.bob).len(), 2);
    it.end().await;
}

#[tokio::test]
async fn two_people_hold_hands_at_once() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.asks(&it.bob).await;
    it.press_button(&it.ann, "J♥").await;
    it.send_private_message(&it.bob, "Bob", 8).await.unwrap();
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 3");
    assert_eq!(it.private_message(&it.bob).text, "Bob: secret 8");
    it.end().await;
}

#[tokio::test]
async fn the_service_refreshes_requested_hands_only() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    let asked = it.tg.calls().len();
    it.send_private_message(&it.ann, "Ann", 5).await.unwrap();
    let calls = it.tg.calls();
    assert_eq!(calls.len(), asked + 1, "one edit and nothing else");
    assert_eq!(calls[asked].method, "editEphemeralMessageMedia");
    assert_eq!(calls[asked].files, ["upload"]);
    // Bob never opened the private chat: the server says so once, then nothing is asked.
    assert_eq!(it.send_private_message(&it.bob, "Bob", 1).await, Err(SendError::NotAllowed));
    let calls = it.tg.calls().len();
    assert_eq!(it.send_private_message(&it.bob, "Bob", 2).await, Err(SendError::NotAllowed));
    assert_eq!(it.tg.calls().len(), calls);
    it.end().await;
}

#[tokio::test]
async fn in_a_private_chat_one_message_is_the_hand() {
    let it = scene(|_| {}).await;
    it.ann.say(it.ann.id, "/start");
    it.bot.script.heard(1).await;
    it.send_private_message(&it.ann, "Ann", 1).await.unwrap();
    it.send_private_message(&it.ann, "Ann", 2).await.unwrap();
    let held = it.private(&it.ann);
    assert_eq!((held.len(), held[0].text.as_str(), held[0].edited), (1, "Ann: secret 2", 1));
    it.ann.press(it.ann.id, held[0].id, "J♥").await;
    it.bot.telegram.drain().await;
    let held = it.private(&it.ann);
    assert_eq!((held.len(), held[0].text.as_str()), (1, "Ann: secret 1"));
    // If it is requested in the group, it is there, and only there.
    it.asks(&it.ann).await;
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 2");
    assert_eq!(it.private(&it.ann).len(), 0);
    it.end().await;
}

#[tokio::test]
async fn an_admin_deals_to_everybody_at_once() {
    let it = scene(|_| {}).await;
    it.tg.set_standing(it.chat, Standing::Admin);
    it.send_private_message(&it.ann, "Ann", 1).await.unwrap();
    it.send_private_message(&it.bob, "Bob", 1).await.unwrap();
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 1");
    assert_eq!(it.private_message(&it.bob).text, "Bob: secret 1");
    // What the app has lost is sent again.
    it.tg.lose_ephemerals(it.chat);
    it.send_private_message(&it.ann, "Ann", 2).await.unwrap();
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 2");
    it.end().await;
}

#[tokio::test]
async fn a_lost_hand_comes_with_the_next_press() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.tg.lose_ephemerals(it.chat);
    assert_eq!(it.send_private_message(&it.ann, "Ann", 7).await, Err(SendError::NotAllowed));
    it.asks(&it.ann).await;
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 2");
    it.end().await;
}

#[tokio::test]
async fn a_busy_server_is_asked_again_by_the_service() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.tg.fail_next(1, Some("editEphemeralMessageMedia"), Fault::TooMany(3));
    assert_eq!(it.send_private_message(&it.ann, "Ann", 5).await, Err(SendError::RateLimited(3000)));
    it.send_private_message(&it.ann, "Ann", 5).await.unwrap();
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 5");
    it.end().await;
}

#[tokio::test]
async fn an_old_server_shows_an_alert_and_nothing_else() {
    let it = scene(FakeTelegram::old).await;
    assert!(!it.bot.telegram.has_ephemeral_buttons(&it.chat()));
    it.ann.say(it.ann.id, "/start");
    it.bot.script.heard(1).await;
    let pressed = it.asks(&it.ann).await;
    assert_eq!((pressed.text.as_str(), pressed.alert), ("Ann: secret 1", true));
    assert_eq!(it.private(&it.ann).len(), 0, "in a group they look at the group");
    it.end().await;
}

#[tokio::test]
async fn a_server_between_the_versions_gets_a_new_message() {
    let it = scene(|tg| tg.set_version(Version::V10_2)).await;
    assert!(it.bot.telegram.has_ephemeral_buttons(&it.chat()));
    it.asks(&it.ann).await;
    let first = it.private_message(&it.ann);
    it.press_button(&it.ann, "J♥").await;
    let second = it.private_message(&it.ann);
    assert_ne!(second.ephemeral, first.ephemeral, "no new picture in an old message");
    assert_eq!(second.text, "Ann: secret 2");
    it.end().await;
}

#[tokio::test]
async fn a_downgraded_server_never_shows_a_hand_to_the_group() {
    let it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.tg.old();
    let pressed = it.asks(&it.ann).await;
    assert_eq!((pressed.text.as_str(), pressed.alert), ("Ann: secret 2", true));
    assert_eq!(it.send_private_message(&it.bob, "Bob", 1).await, Err(SendError::NotAllowed));
    assert!(!it.bot.telegram.has_ephemeral_buttons(&it.chat()));
    assert_eq!(it.tg.calls_of("deleteMessage").len(), 0, "it was never public");
    it.end().await;
}

#[tokio::test]
async fn a_refusal_in_the_middle_of_the_game_leads_to_the_alert() {
    let it = scene(|_| {}).await;
    for fault in [Fault::Server(500), Fault::TooMany(5)] {
        it.tg.fail_next(1, Some("sendPhoto"), fault);
        let pressed = it.asks(&it.ann).await;
        assert!(pressed.alert && pressed.text.starts_with("Ann: secret"), "{pressed:?}");
    }
    assert_eq!(it.asks(&it.ann).await.text, "");
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 3");
    // An edit that fails sends the hand again.
    it.tg.fail_next(1, Some("editEphemeralMessageMedia"), Fault::Server(500));
    it.press_button(&it.ann, "J♥").await;
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 4");
    it.end().await;
}

#[tokio::test]
async fn after_a_restart_the_next_press_renews_or_sends() {
    let mut it = scene(|_| {}).await;
    it.asks(&it.ann).await;
    it.asks(&it.bob).await;
    let first = it.private_message(&it.ann);
    it.bot.stop().await;
    it.bot = Bot::start(&it.tg, script()).await;
    // Nothing is remembered, so nothing can be renewed without a press …
    assert_eq!(it.send_private_message(&it.ann, "Ann", 9).await, Err(SendError::NotAllowed));
    // … under the message itself it is known which one it is.
    it.press_button(&it.ann, "J♥").await;
    let second = it.private_message(&it.ann);
    assert_eq!((second.ephemeral, second.text.as_str()), (first.ephemeral, "Ann: secret 1"));
    it.asks(&it.bob).await;
    let seen = it.bob.sees(it.chat);
    let hands: Vec<_> = seen.iter().filter(|it| it.ephemeral.is_some()).collect();
    assert_eq!((hands.len(), hands[1].text.as_str()), (2, "Bob: secret 2"));
    it.end().await;
}

#[tokio::test]
async fn a_hand_is_text_where_pictures_are_forbidden() {
    let it = scene(|_| {}).await;
    it.tg.set_standing(it.chat, Standing::NoMedia);
    it.asks(&it.ann).await;
    let held = it.private_message(&it.ann);
    assert_eq!((held.media, held.text.as_str()), (None, "Ann: secret 1\n\na board"));
    it.press_button(&it.ann, "J♥").await;
    let renewed = it.private_message(&it.ann);
    assert_eq!(renewed.ephemeral, held.ephemeral);
    assert_eq!(renewed.text, "Ann: secret 2\n\na board");
    it.end().await;
}

#[tokio::test]
async fn a_topic_holds_hands_too() {
    let it = scene(|_| {}).await;
    let topic: Spot = it.tg.topic(it.chat, &it.ann, "Cards");
    let chat = ChatId(format!("tg:{}/{}", it.chat, topic.thread.unwrap()));
    let message =
        OutgoingMessage { buttons: vec![vec![button("My hand", "hand")]], ..words("board") };
    let board = it.bot.telegram.post(&chat, &message).await.unwrap().0.parse().unwrap();
    it.ann.press(it.chat, board, "My hand").await;
    it.bot.telegram.drain().await;
    assert_eq!(it.private_message(&it.ann).thread, topic.thread);
    it.press_button(&it.ann, "J♥").await;
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 2");
    it.ann.deletes(it.chat, board);
    it.end().await;
}

#[tokio::test]
async fn a_closed_topic_leaves_the_hands_of_the_rest_of_the_chat_alone() {
    let it = scene(|_| {}).await;
    let topic: Spot = it.tg.topic(it.chat, &it.ann, "Cards");
    let chat = ChatId(format!("tg:{}/{}", it.chat, topic.thread.unwrap()));
    let message =
        OutgoingMessage { buttons: vec![vec![button("My hand", "hand")]], ..words("board") };
    let board = it.bot.telegram.post(&chat, &message).await.unwrap().0.parse().unwrap();
    it.tg.close_topic(topic);
    let pressed = it.ann.press(it.chat, board, "My hand").await;
    assert!(pressed.alert && pressed.text.contains("secret 1"), "{pressed:?}");
    it.tg.fail_next(1, Some("sendPhoto"), Fault::CutBefore);
    assert!(it.asks(&it.ann).await.alert, "a lost connection");
    assert!(it.bot.telegram.has_ephemeral_buttons(&it.chat()));
    assert_eq!(*it.bot.script.means.lock(), Vec::<String>::new());
    it.asks(&it.ann).await;
    assert_eq!(it.private_message(&it.ann).text, "Ann: secret 3");
    it.ann.deletes(it.chat, board);
    it.end().await;
}
