//! The Telegram adapter against a strict simulated server: shared helpers.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod corrections;
mod deferred_updates;
mod end_to_end;
mod hands;
mod hands_fail;
mod incoming_updates;
mod inline;
mod inline_challenges;
mod outgoing_messages;
mod private_replies;
mod server_errors;
mod stored_state;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use async_trait::async_trait;
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_games::text::RichText;
use caravanserai_platform_shared::PlatformServices;
use caravanserai_protocol::{
    Ack, AdapterMessageTask, Arrival, Button, ButtonTone, CommandOption, DeferredOutcome,
    DeliveryReports, EphemeralReply, HandPriority, HandleOutcome, Image, InlineQueries,
    InlineResult, OptionValue, OutgoingMessage, Person, ReplyForm, Update, UpdateHandler,
    UpdateKind,
};
use caravanserai_telegram::{TelegramPlatform, TelegramSettings, TelegramTexts};
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use crate::fake_telegram::{FakeTelegram, TOKEN};

/// What the service would say to an update.
type Answer = dyn Fn(&Update) -> Vec<EphemeralReply> + Send + Sync;

/// A handler that records updates and answers them as the test wants.
pub struct Script {
    heard: Mutex<Vec<Update>>,
    changed: watch::Sender<usize>,
    answer: Box<Answer>,
    /// Decisions wait while this is false.
    open: watch::Sender<bool>,
    /// What is offered to people who type to the bot, by their name.
    pub offered: Mutex<Vec<(String, InlineResult)>>,
    /// Places of calls that the adapter made by itself.
    pub called: Mutex<Vec<String>>,
    /// Places in which hands are shown in another way now.
    pub means: Mutex<Vec<String>>,
    /// So many updates cannot be kept.
    pub unkept: AtomicUsize,
    /// Updates whose line contains this cannot be kept.
    pub refused: Mutex<Option<&'static str>>,
    /// The answer to `/hint` comes later: not before this is true.
    pub thought: watch::Sender<bool>,
    /// How many updates were received.
    pub arrivals: AtomicU64,
    /// Messages that wait for boards, while there are any; the adapter may send at once without.
    pub behind_boards: Mutex<Option<Vec<AdapterMessageTask>>>,
    me: Weak<Script>,
}

impl Script {
    /// Answers with what this function gives.
    pub fn new(
        answer: impl Fn(&Update) -> Vec<EphemeralReply> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            heard: Mutex::default(),
            changed: watch::Sender::new(0),
            answer: Box::new(answer),
            open: watch::Sender::new(true),
            offered: Mutex::default(),
            called: Mutex::default(),
            means: Mutex::default(),
            unkept: AtomicUsize::new(0),
            refused: Mutex::default(),
            thought: watch::Sender::new(true),
            arrivals: AtomicU64::new(0),
            behind_boards: Mutex::default(),
            me: me.clone(),
        })
    }

    /// Lets decisions wait, or go on.
    pub fn set_open(&self, open: bool) {
        self.open.send_replace(open);
    }

    /// Waits until so many updates were heard and gives them all.
    pub async fn heard(&self, count: usize) -> Vec<Update> {
        let mut changed = self.changed.subscribe();
        let enough = changed.wait_for(|it| *it >= count);
        let waited = tokio::time::timeout(Duration::from_secs(30), enough).await;
        let heard = self.heard.lock().clone();
        assert!(waited.is_ok(), "heard only {heard:#?}");
        heard
    }

    /// The same as short lines: where, who, what.
    pub async fn lines(&self, count: usize) -> Vec<String> {
        self.heard(count).await.iter().map(line).collect()
    }
}

/// An update in one line.
pub fn line(update: &Update) -> String {
    let body = match &update.kind {
        UpdateKind::Text { text, mentions, reply_to, .. } => {
            let reply = reply_to.as_ref().map(|it| format!(" re {}", it.0)).unwrap_or_default();
            let named = if mentions.is_empty() { String::new() } else { format!(" {mentions:?}") };
            format!("says {text:?}{named}{reply}")
        }
        UpdateKind::Command { name, options } => {
            let value = |it: &CommandOption| match &it.value {
                OptionValue::Text(text) => format!(" {}={text:?}", it.name),
                OptionValue::Person(person) => format!(" {}={person:?}", it.name),
            };
            let options: String = options.iter().map(value).collect();
            format!("gives /{name}{options}")
        }
        UpdateKind::Press { callback_data: press, message } => {
            format!("presses {press} on {}", message.as_ref().map_or("?", |it| it.0.as_str()))
        }
        UpdateKind::BotAdded => "added".to_owned(),
        UpdateKind::BotRemoved => "removed".to_owned(),
        UpdateKind::MemberLeft { who, .. } => format!("sees {} leave", who.0),
        UpdateKind::MembersJoined { who } => {
            let who: Vec<&str> = who.iter().map(|it| it.0.as_str()).collect();
            format!("sees {} come", who.join(" "))
        }
        UpdateKind::ChatDeleted => "deleted".to_owned(),
        UpdateKind::ChatMoved { to } => format!("moved to {}", to.0),
    };
    format!("{} {} {body}", update.chat.id.0, update.person.name)
}

#[async_trait]
impl UpdateHandler for Script {
    fn needs_admin(&self, kind: &UpdateKind, chat: ChatKind) -> bool {
        caravanserai_bot::parsing::request_parser::needs_admin(kind, chat)
    }

    async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
        let answer = (self.answer)(&update);
        self.heard.lock().push(update);
        self.changed.send_modify(|it| *it += 1);
        let mut open = self.open.subscribe();
        open.wait_for(|it| *it).await.expect("the script lives");
        answer
    }

    async fn handle_deferrable(&self, update: Update) -> HandleOutcome {
        if matches!(&update.kind, UpdateKind::Text { text, .. } if text == "/hint") {
            let me = self.me.upgrade().expect("the script lives");
            return HandleOutcome::defer(DeferredOutcome::new(async move {
                let mut thought = me.thought.subscribe();
                thought.wait_for(|it| *it).await.expect("the script lives");
                HandleOutcome::ready(me.handle(update).await, Ack::Confirm)
            }));
        }
        let refused = *self.refused.lock();
        let is_refused = refused.is_some_and(|it| line(&update).contains(it));
        let told = self.handle(update).await;
        let left = |it: usize| it.checked_sub(1);
        let unkept = self.unkept.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left);
        HandleOutcome::ready(told, Ack::confirm_if(unkept.is_err() && !is_refused))
    }

    fn record_arrival(&self) -> Arrival {
        Arrival::now(self.arrivals.fetch_add(1, Ordering::SeqCst), || {})
    }

    fn inline_queries(&self) -> Option<&dyn InlineQueries> {
        Some(self)
    }

    fn delivery_reports(&self) -> Option<&dyn DeliveryReports> {
        Some(self)
    }
}

#[async_trait]
impl InlineQueries for Script {
    async fn inline_results(&self, person: &Person, typed: &str) -> Vec<InlineResult> {
        let offered = self.offered.lock().clone();
        let own = |(name, it): (String, InlineResult)| (name == person.name).then_some(it);
        let fits = |it: &InlineResult| it.message.contains(typed.trim());
        offered.into_iter().filter_map(own).filter(fits).collect()
    }

    async fn mention_reply(&self, _: &Person, _: &str) -> Option<InlineResult> {
        None
    }
}

#[async_trait]
impl DeliveryReports for Script {
    fn record_call(&self, chat: &ChatId) {
        self.called.lock().push(chat.0.clone());
    }

    fn apply_retry_after(&self, _: &ChatId, _: u64) {}

    fn record_ephemeral_call(&self, chat: &ChatId) {
        self.called.lock().push(chat.0.clone());
    }

    fn has_hand_budget(&self, _: &ChatId, _: HandPriority) -> bool {
        true
    }

    fn has_message_budget(&self, _: &ChatId) -> bool {
        self.behind_boards.lock().is_none()
    }

    fn run_after_boards(&self, _: &ChatId, task: AdapterMessageTask) {
        self.behind_boards.lock().get_or_insert_default().push(task);
    }

    fn are_hands_limited(&self, _: &ChatId) -> bool {
        false
    }

    async fn capabilities_changed(&self, chat: &ChatId) {
        self.means.lock().push(chat.0.clone());
    }
}

/// The adapter polling a server.
pub struct Bot {
    pub telegram: Arc<TelegramPlatform>,
    pub script: Arc<Script>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Bot {
    /// Starts polling.
    pub async fn start(tg: &FakeTelegram, script: Arc<Script>) -> Self {
        Self::over(connect(tg).await, script)
    }

    /// Starts polling with an adapter that is there already.
    pub fn over(telegram: Arc<TelegramPlatform>, script: Arc<Script>) -> Self {
        let (stop, stopped) = oneshot::channel();
        let poll = telegram.clone().poll(script.clone(), async {
            let _dropped = stopped.await;
        });
        let task = tokio::spawn(async move { poll.await.unwrap() });
        Self { telegram, script, stop, task }
    }

    /// Stops and waits until everything under way is done.
    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.task.await.unwrap();
    }
}

/// What the adapter needs to talk to this server.
pub fn settings(tg: &FakeTelegram) -> TelegramSettings {
    TelegramSettings {
        token: TOKEN.to_owned(),
        api_url: tg.url(),
        press_patience: Duration::from_secs(20),
        shared: PlatformServices::for_single_process("tg"),
        app: None,
        picture_chat: None,
        texts_for: Arc::new(|locale| {
            let say = |text: &str| format!("{}:{text}", locale.unwrap_or("-"));
            TelegramTexts {
                envelope: say("a letter"),
                open: say("open"),
                not_yours: say("not yours"),
                expired: say("expired"),
                trouble: say("try again"),
                nothing: say("nothing to play"),
            }
        }),
    }
}

/// An adapter that knows who it is.
pub async fn connect(tg: &FakeTelegram) -> Arc<TelegramPlatform> {
    TelegramPlatform::connect(settings(tg)).await.unwrap()
}

/// Answers nothing.
pub fn silent() -> Arc<Script> {
    Script::new(|_| Vec::new())
}

/// Words without anything else.
pub fn words(text: &str) -> OutgoingMessage {
    OutgoingMessage { text: RichText::plain(text), ..OutgoingMessage::default() }
}

/// A picture of this size with a caption and one button.
pub fn board(width: u32, caption: &str) -> OutgoingMessage {
    OutgoingMessage {
        text: RichText::plain(caption),
        image: Some(picture(width)),
        buttons: vec![vec![button("7", "p.x.1.7")]],
        ..OutgoingMessage::default()
    }
}

/// A PNG that is as wide.
pub fn picture(width: u32) -> Image {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(width, 20).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    Image { png: Arc::new(bytes.into_inner()), alt: "a board".to_owned() }
}

/// A plain button.
pub fn button(label: &str, press: &str) -> Button {
    Button {
        label: label.to_owned(),
        callback_data: press.to_owned(),
        tone: ButtonTone::Plain,
        ..Button::default()
    }
}
