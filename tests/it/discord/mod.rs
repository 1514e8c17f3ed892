//! The Discord adapter against a simulated Discord: shared helpers.

mod closed_dms;
mod hands;
mod incoming_events;
mod interaction_endpoint;
mod members;
mod menu;
mod outgoing_messages;
mod several_processes;
mod user_install;

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use caravanserai_discord::{
    DiscordMenuCommand, DiscordMenuEntry, DiscordMenuGroup, DiscordMenuOption, DiscordPlatform,
    DiscordSettings, DiscordStartError, DiscordTexts, LocalizedText, OptionKind,
};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_platform_shared::PlatformServices;
use caravanserai_platform_shared::memory_kv::MemoryKeyValueStore;
use caravanserai_protocol::{
    Ack, ArgumentSuggestion, ArgumentSuggestions, Button, ButtonTone, Chat, ChatReports,
    CommandOption, DeferredOutcome, EphemeralMessages, EphemeralReply, HandleOutcome, Image,
    Mention, MessageLookup, Notification, OptionValue, OutgoingMessage, PermissionLookup, Person,
    Platform, PrivateChats, ReplyForm, SendError, Unavailable, Update, UpdateHandler, UpdateKind,
};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinHandle;

use crate::fake_discord::{Actor, Channel, Failure, FakeDiscord, VisibleMessage, may};

/// Answers what the test lays out, in order, and writes down what it heard.
struct Script {
    heard: watch::Sender<Vec<Update>>,
    answers: Mutex<VecDeque<Vec<EphemeralReply>>>,
    /// Each answer takes one permit: a test can hold answers back.
    gate: Semaphore,
    /// The answer to a move called `slow` comes later, and takes one permit.
    thought: Semaphore,
    /// People whom the bot does not know.
    strangers: Mutex<Vec<PersonId>>,
    /// The messages that others have deleted.
    deleted: watch::Sender<Vec<MessageId>>,
    /// How many channels were reported as moved, and how many of the next such reports fail.
    moves: Mutex<(usize, usize)>,
    /// How often the tables of chats cannot be read from now on.
    unreadable: Mutex<usize>,
    me: Weak<Script>,
}

impl Script {
    /// Has heard nothing, answers with nothing, holds nothing back.
    fn new() -> Arc<Self> {
        Arc::new_cyclic(|me| Script {
            heard: watch::channel(Vec::new()).0,
            answers: Mutex::default(),
            gate: Semaphore::new(1000),
            thought: Semaphore::new(0),
            strangers: Mutex::default(),
            deleted: watch::channel(Vec::new()).0,
            moves: Mutex::default(),
            unreadable: Mutex::default(),
            me: me.clone(),
        })
    }
}

#[async_trait::async_trait]
impl UpdateHandler for Script {
    async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
        self.heard.send_modify(|it| it.push(update));
        self.gate.acquire().await.expect("the gate stays").forget();
        self.answers.lock().pop_front().unwrap_or_default()
    }

    async fn handle_deferrable(&self, update: Update) -> HandleOutcome {
        if matches!(update.kind, UpdateKind::ChatMoved { .. }) {
            // It comes before the first request from each channel.
            let mut moves = self.moves.lock();
            let is_stored = moves.1 == 0;
            *moves = (moves.0 + 1, moves.1.saturating_sub(1));
            return HandleOutcome::ready(Vec::new(), Ack::confirm_if(is_stored));
        }
        let is_slow = match &update.kind {
            UpdateKind::Text { text, .. } => text.contains("slow"),
            UpdateKind::Command { options, .. } => {
                options.iter().any(|it| it.value == OptionValue::Text("slow".to_owned()))
            }
            _ => false,
        };
        if is_slow {
            let me = self.me.upgrade().expect("the script lives");
            return HandleOutcome::defer(DeferredOutcome::new(async move {
                me.thought.acquire().await.expect("the gate stays").forget();
                HandleOutcome::ready(me.handle(update).await, Ack::Confirm)
            }));
        }
        HandleOutcome::ready(self.handle(update).await, Ack::Confirm)
    }

    fn argument_suggestions(&self) -> Option<&dyn ArgumentSuggestions> {
        Some(self)
    }

    fn chat_reports(&self) -> Option<&dyn ChatReports> {
        Some(self)
    }
}

#[async_trait::async_trait]
impl ChatReports for Script {
    async fn may_be_known(&self, person: &PersonId) -> bool {
        !self.strangers.lock().contains(person)
    }

    async fn chats_with_tables(&self, chats: Vec<ChatId>) -> Result<Vec<ChatId>, Unavailable> {
        let mut unreadable = self.unreadable.lock();
        if *unreadable > 0 {
            *unreadable -= 1;
            return Err(Unavailable);
        }
        Ok(chats)
    }

    async fn report_deleted_messages(&self, _chat: &ChatId, deleted: &[MessageId]) {
        self.deleted.send_modify(|it| it.extend_from_slice(deleted));
    }

    async fn report_changed_rights(&self, _chat: &ChatId) {}
}

#[async_trait::async_trait]
impl ArgumentSuggestions for Script {
    async fn suggest_arguments(
        &self,
        chat: &Chat,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<ArgumentSuggestion> {
        let label = format!("{command} {typed} {} {}", person.name, chat.kind == ChatKind::Group);
        let value = typed.to_owned();
        let long = ArgumentSuggestion { label: "x".repeat(130), value: "long".to_owned() };
        vec![ArgumentSuggestion { label, value }, long]
    }
}

/// A running bot.
struct Bot {
    dc: FakeDiscord,
    discord: DiscordPlatform,
    script: Arc<Script>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<Result<(), DiscordStartError>>,
}

fn settings(
    dc: &Arc<FakeClock>,
    token: String,
    url: String,
    watchdog: Duration,
) -> DiscordSettings {
    let missing = LocalizedText::same_for_all("I need more rights: {rights}");
    let missing = missing.with_locale("ru", "Мне нужно больше прав: {rights}");
    let clock = Arc::clone(dc);
    DiscordSettings {
        api_url: Some(url),
        watchdog,
        clock: Arc::new(move || clock.now()),
        ..DiscordSettings::new(
            token,
            DiscordTexts {
                missing_permissions: missing,
                external_apps: LocalizedText::same_for_all("others would not see it"),
                thread_locked: LocalizedText::same_for_all("the thread is locked"),
                unreadable_reply: LocalizedText::same_for_all("switch the mention on"),
                envelope: LocalizedText::same_for_all("a letter").with_locale("ru", "письмо"),
                open: LocalizedText::same_for_all("open"),
                not_yours: LocalizedText::same_for_all("not yours").with_locale("ru", "не вам"),
                expired: LocalizedText::same_for_all("expired"),
                trouble: LocalizedText::same_for_all("try again"),
                private: LocalizedText::same_for_all("your board comes here"),
            },
        )
    }
}

/// The time of the fake, set by hand together with it.
#[derive(Default)]
struct FakeClock(std::sync::atomic::AtomicU64);

impl FakeClock {
    fn now(&self) -> u64 {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }

    fn set(&self, ms: u64) {
        self.0.store(ms, std::sync::atomic::Ordering::SeqCst);
    }
}

fn menu_option(name: &str, kind: OptionKind, required: bool) -> DiscordMenuOption {
    DiscordMenuOption {
        name: LocalizedText::same_for_all(name),
        description: LocalizedText::same_for_all("what it is"),
        kind,
        required,
    }
}

/// A command that posts nothing.
fn menu_command(name: &str, options: Vec<DiscordMenuOption>) -> DiscordMenuCommand {
    DiscordMenuCommand {
        command: name.to_owned(),
        name: LocalizedText::same_for_all(name),
        description: LocalizedText::same_for_all("what it does"),
        options,
        needs_post_permission: false,
    }
}

fn togyz() -> DiscordMenuCommand {
    let seed =
        ("seed".to_owned(), LocalizedText::same_for_all("Seed").with_locale("ru", "Из семян"));
    let short = ("short".to_owned(), LocalizedText::same_for_all("Short"));
    let options = vec![
        menu_option("variant", OptionKind::Choice(vec![seed, short]), false),
        menu_option("friend", OptionKind::User, false),
        menu_option("note", OptionKind::Text, false),
    ];
    DiscordMenuCommand {
        name: LocalizedText::same_for_all("togyz")
            .with_locale("ru", "тогуз")
            .with_locale("kk", "тоғыз")
            .with_locale("uk", "Два слова"),
        description: LocalizedText::same_for_all("Opens a table")
            .with_locale("ru", "Открывает стол"),
        needs_post_permission: true,
        ..menu_command("togyz", options)
    }
}

fn menu_group(name: &str, subcommands: Vec<DiscordMenuCommand>) -> DiscordMenuEntry {
    DiscordMenuEntry::Group(DiscordMenuGroup {
        name: LocalizedText::same_for_all(name),
        description: LocalizedText::same_for_all("what it contains"),
        subcommands,
    })
}

fn menu() -> Vec<DiscordMenuEntry> {
    let table = || vec![menu_option("table", OptionKind::Text, false)];
    let board =
        DiscordMenuCommand { needs_post_permission: true, ..menu_command("board", table()) };
    let kick = vec![
        menu_option("friend", OptionKind::User, true),
        menu_option("table", OptionKind::Text, false),
    ];
    let mut draw = menu_command("draw", table());
    draw.name = draw.name.with_locale("ru", "ничья");
    let settings =
        DiscordMenuCommand { command: "settings".to_owned(), ..menu_command("overview", vec![]) };
    vec![
        DiscordMenuEntry::Command(togyz()),
        DiscordMenuEntry::Command(menu_command(
            "move",
            vec![menu_option("pit", OptionKind::Text, true)],
        )),
        menu_group("table", vec![board, menu_command("kick", kick), draw]),
        menu_group("settings", vec![settings, menu_command("theme", vec![])]),
    ]
}

struct Scene {
    bot: Bot,
    clock: Arc<FakeClock>,
    book: Arc<MemoryKeyValueStore>,
}

impl std::ops::Deref for Scene {
    type Target = Bot;

    fn deref(&self) -> &Bot {
        &self.bot
    }
}

impl Scene {
    async fn set() -> Scene {
        Scene::with_watchdog(Duration::from_secs(60)).await
    }

    async fn with_watchdog(watchdog: Duration) -> Scene {
        Scene::of(FakeDiscord::start().await, |it| DiscordSettings { watchdog, ..it }).await
    }

    /// A bot on this Discord, with such settings instead of the usual ones.
    async fn of(dc: FakeDiscord, change: impl FnOnce(DiscordSettings) -> DiscordSettings) -> Scene {
        let clock = Arc::new(FakeClock::default());
        clock.set(dc.now_ms());
        let book = Arc::new(MemoryKeyValueStore::default());
        let shared =
            PlatformServices { store: book.clone(), ..PlatformServices::for_single_process("dc") };
        let usual = settings(&clock, dc.token(), dc.api_url(), Duration::from_secs(60));
        let settings = change(DiscordSettings { shared, ..usual });
        let discord = DiscordPlatform::connect(settings).await.expect("it starts");
        discord.register_commands(&menu()).await.expect("the menu is fine");
        let script = Script::new();
        let (stop, stopped) = oneshot::channel();
        let listener: Arc<dyn UpdateHandler> = script.clone();
        let runner = discord.clone();
        let running = tokio::spawn(async move {
            let stop = async {
                let _ = stopped.await;
            };
            runner.run(listener, stop).await
        });
        dc.connected().await;
        let stop = Some(stop);
        Scene { bot: Bot { dc, discord, script, stop, running }, clock, book }
    }

    fn advance(&self, time: Duration) {
        self.dc.advance(time);
        self.book.advance(time);
        self.clock.set(self.dc.now_ms());
    }

    /// Looks whether the bot kept to the rules.
    fn end(self) {
        let violations = self.dc.violations();
        assert!(violations.is_empty(), "{violations:#?}");
        self.running.abort();
    }

    /// The same after an orderly stop.
    async fn stop(mut self) {
        let stop = self.bot.stop.take().expect("it is stopped once");
        stop.send(()).expect("it still runs");
        let ended = (&mut self.bot.running).await.expect("no panic");
        assert_eq!(ended, Ok(()));
        self.dc.wait_until("the line is closed", |dc| !dc.is_connected()).await;
        self.end();
    }
}

impl Bot {
    /// Waits until so many updates were heard.
    async fn heard(&self, count: usize) -> Vec<Update> {
        let mut heard = self.script.heard.subscribe();
        let enough = heard.wait_for(|it| it.len() >= count);
        let heard = tokio::time::timeout(Duration::from_secs(20), enough).await;
        heard.expect("waited in vain for an update").expect("the script stays").clone()
    }

    fn will_answer(&self, whispers: &[&str]) {
        let message = |text: &&str| EphemeralReply {
            message: saying(text).into(),
            form: ReplyForm::Toast,
            ..EphemeralReply::default()
        };
        let whispers = whispers.iter().map(message).collect();
        self.script.answers.lock().push_back(whispers);
    }

    async fn sees(&self, who: &Actor, where_: &Channel, count: usize) -> Vec<VisibleMessage> {
        let what = format!("{count} messages");
        self.dc.wait_until(&what, |dc| dc.visible_to(who, where_).len() >= count).await;
        self.dc.visible_to(who, where_)
    }
}

fn chat(channel: &Channel) -> ChatId {
    ChatId(format!("dc:{}", channel.id))
}

fn saying(text: &str) -> OutgoingMessage {
    OutgoingMessage { text: RichText::plain(text), ..OutgoingMessage::default() }
}

fn board(text: &str) -> OutgoingMessage {
    let button = |label: &str, callback_data: &str, tone| Button {
        label: label.to_owned(),
        callback_data: callback_data.to_owned(),
        tone,
        ..Button::default()
    };
    let image = Image { png: Arc::new(b"a picture".to_vec()), alt: "Nine stones each".to_owned() };
    OutgoingMessage {
        image: Some(image),
        buttons: vec![
            vec![button("1", "p.1", ButtonTone::Plain), button("2", "p.2", ButtonTone::Good)],
            vec![button("Resign", "r", ButtonTone::Danger)],
        ],
        ..saying(text)
    }
}

fn text_of(update: &Update) -> (&str, Vec<&Person>) {
    let UpdateKind::Text { text, mentions, .. } = &update.kind else {
        panic!("not words: {update:?}");
    };
    let known = mentions.iter().map(|it| match it {
        Mention::Known(person) => person,
        Mention::Username(name) => panic!("only a name: {name}"),
    });
    (text, known.collect())
}

/// A command with the values of its options: `/move 3`. People are called by their names.
fn command_of(update: &Update) -> String {
    let UpdateKind::Command { name, options } = &update.kind else {
        panic!("not a command: {update:?}");
    };
    let value = |it: &CommandOption| match &it.value {
        OptionValue::Text(text) => format!(" {text}"),
        OptionValue::Person(Mention::Known(person)) => format!(" @{}", person.name),
        OptionValue::Person(Mention::Username(name)) => panic!("only a name: {name}"),
    };
    options.iter().map(value).fold(format!("/{name}"), |all, it| all + &it)
}

/// Repeats something until it is true: the adapter notes some things a moment after Discord.
async fn soon(what: &str, mut attempt: impl AsyncFnMut() -> bool) {
    let repeated = async {
        while !attempt().await {
            tokio::task::yield_now().await;
        }
    };
    let done = tokio::time::timeout(Duration::from_secs(20), repeated).await;
    assert!(done.is_ok(), "waited in vain for {what}");
}
