//! The Discord adapter against a Discord of our own: what the tests share.

mod abroad;
mod closed;
mod hands;
mod hears;
mod members;
mod posted;
mod says;
mod together;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use caravanserai_discord::{
    Discord, Localized, MenuCommand, MenuOption, OptionKind, Settings, StartError, Texts,
};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, PlaceKind};
use caravanserai_games::words::{Rich, Span};
use caravanserai_platform_shared::Shared;
use caravanserai_platform_shared::memory_book::MemoryNotebook;
use caravanserai_protocol::{
    Body, Button, Heard, Image, Later, Listener, Mention, Outgoing, Person, Place, Platform,
    SendError, Tone, Update, Whisper,
};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinHandle;

use crate::fake_discord::{Actor, Channel, Failure, FakeDiscord, Seen, may};

/// Answers what the test lays out, in order, and writes down what it heard.
struct Script {
    heard: watch::Sender<Vec<Update>>,
    answers: Mutex<VecDeque<Vec<Whisper>>>,
    /// Each answer takes one permit: a test can hold answers back.
    gate: Semaphore,
    /// The answer to a move called `slow` comes later, and takes one permit.
    thought: Semaphore,
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
            me: me.clone(),
        })
    }
}

#[async_trait::async_trait]
impl Listener for Script {
    async fn hear(&self, update: Update) -> Vec<Whisper> {
        self.heard.send_modify(|it| it.push(update));
        self.gate.acquire().await.expect("the gate stays").forget();
        self.answers.lock().expect("no panic").pop_front().unwrap_or_default()
    }

    async fn hear_for_good(&self, update: Update) -> Heard {
        if matches!(&update.body, Body::Text { text, .. } if text.contains("slow")) {
            let me = self.me.upgrade().expect("the script lives");
            return Heard::later(Later::new(async move {
                me.thought.acquire().await.expect("the gate stays").forget();
                Heard::now(me.hear(update).await, true)
            }));
        }
        Heard::now(self.hear(update).await, true)
    }

    async fn suggest(
        &self,
        place: &Place,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<(String, String)> {
        let shown = format!("{command} {typed} {} {}", person.name, place.kind == PlaceKind::Group);
        vec![(shown, typed.to_owned()), ("x".repeat(130), "long".to_owned())]
    }
}

/// A running bot.
struct Bot {
    dc: FakeDiscord,
    discord: Discord,
    script: Arc<Script>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<Result<(), StartError>>,
}

fn settings(dc: &Arc<FakeClock>, token: String, url: String, watchdog: Duration) -> Settings {
    let missing = Localized::plain("I need more rights: {rights}");
    let missing = missing.and("ru", "Мне нужно больше прав: {rights}");
    let clock = Arc::clone(dc);
    Settings {
        api_url: Some(url),
        watchdog,
        clock: Arc::new(move || clock.now()),
        ..Settings::new(
            token,
            Texts {
                missing_permissions: missing,
                envelope: Localized::plain("a letter").and("ru", "письмо"),
                open: Localized::plain("open"),
                not_yours: Localized::plain("not yours").and("ru", "не вам"),
                expired: Localized::plain("expired"),
                private: Localized::plain("your board comes here"),
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

fn menu() -> Vec<MenuCommand> {
    let option = |name: &str, kind, required| MenuOption {
        name: Localized::plain(name),
        description: Localized::plain("what it is"),
        kind,
        required,
        named: false,
    };
    let seed = ("seed".to_owned(), Localized::plain("Seed").and("ru", "Из семян"));
    let short = ("short".to_owned(), Localized::plain("Short"));
    let togyz = MenuCommand {
        name: Localized::plain("togyz")
            .and("ru", "тогуз")
            .and("kk", "тоғыз")
            .and("uk", "Два слова"),
        description: Localized::plain("Opens a table").and("ru", "Открывает стол"),
        options: vec![
            option("variant", OptionKind::Choice(vec![seed, short]), false),
            option("friend", OptionKind::User, false),
            option("note", OptionKind::Text, false),
        ],
        posts: true,
    };
    let play = MenuCommand {
        name: Localized::plain("move"),
        description: Localized::plain("Moves"),
        options: vec![option("pit", OptionKind::Text, true)],
        posts: false,
    };
    vec![togyz, play]
}

struct Scene {
    bot: Bot,
    clock: Arc<FakeClock>,
    book: Arc<MemoryNotebook>,
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
        Scene::of(FakeDiscord::start().await, |it| Settings { watchdog, ..it }).await
    }

    /// A bot on this Discord, with such settings instead of the usual ones.
    async fn of(dc: FakeDiscord, change: impl FnOnce(Settings) -> Settings) -> Scene {
        let clock = Arc::new(FakeClock::default());
        clock.set(dc.now_ms());
        let book = Arc::new(MemoryNotebook::default());
        let shared = Shared { notebook: book.clone(), ..Shared::alone("dc") };
        let usual = settings(&clock, dc.token(), dc.api_url(), Duration::from_secs(60));
        let settings = change(Settings { shared, ..usual });
        let discord = Discord::connect(settings).await.expect("it starts");
        discord.register(&menu()).await.expect("the menu is fine");
        let script = Script::new();
        let (stop, stopped) = oneshot::channel();
        let listener: Arc<dyn Listener> = script.clone();
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
        let message = |text: &&str| Whisper {
            message: saying(text).into(),
            brief: true,
            ..Whisper::default()
        };
        let whispers = whispers.iter().map(message).collect();
        self.script.answers.lock().expect("no panic").push_back(whispers);
    }

    async fn sees(&self, who: &Actor, where_: &Channel, count: usize) -> Vec<Seen> {
        let what = format!("{count} messages");
        self.dc.wait_until(&what, |dc| dc.visible_to(who, where_).len() >= count).await;
        self.dc.visible_to(who, where_)
    }
}

fn place(channel: &Channel) -> PlaceId {
    PlaceId(format!("dc:{}", channel.id))
}

fn saying(text: &str) -> Outgoing {
    Outgoing { text: Rich::plain(text), ..Outgoing::default() }
}

fn board(text: &str) -> Outgoing {
    let button = |label: &str, press: &str, tone| Button {
        label: label.to_owned(),
        press: press.to_owned(),
        tone,
        ..Button::default()
    };
    let image = Image { png: Arc::new(b"a picture".to_vec()), alt: "Nine stones each".to_owned() };
    Outgoing {
        image: Some(image),
        buttons: vec![
            vec![button("1", "p.1", Tone::Plain), button("2", "p.2", Tone::Good)],
            vec![button("Resign", "r", Tone::Danger)],
        ],
        ..saying(text)
    }
}

fn text_of(update: &Update) -> (&str, Vec<&Person>) {
    let Body::Text { text, mentions, .. } = &update.body else {
        panic!("not words: {update:?}");
    };
    let known = mentions.iter().map(|it| match it {
        Mention::Known(person) => person,
        Mention::Username(name) => panic!("only a name: {name}"),
    });
    (text, known.collect())
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
