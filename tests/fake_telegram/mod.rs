//! Runs a strict Telegram Bot API server for tests, with real HTTP on a loopback port and simulated
//! people.
//!
//! It has the state of chats, members, topics, messages, files, ephemeral messages and callback
//! queries, checks every request against the specification in `tests/data/specs` and answers with
//! the codes and texts of the Bot API. Tests act through [`Person`]s and check what each of them
//! sees and has ever seen (`reach`); `violations()` lists requests that a correct bot never sends.
//! Time changes only by `advance`.
//!
//! Start reading at [`FakeTelegram`]; `world` is the state, `server` the HTTP side, `send`,
//! `edit` and `misc` the methods, `feed` the updates, `actors` the people.
#![allow(dead_code, reason = "each test uses a part of the interface")]

mod actors;
mod edit;
mod faults;
mod feed;
mod limits;
mod misc;
mod people;
mod reach;
mod send;
mod server;
mod show;
pub mod spec;
mod via;
mod world;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

use self::world::{Kind, World};
#[allow(unused_imports, reason = "the public interface of this module")]
pub use self::{
    actors::{Person, Pressed, Spot, VisibleMessage},
    faults::Fault,
    reach::ReceivedContent,
    world::{ANONYMOUS_ADMIN, BOT_ID, BOT_NAME, Call, Standing, TOKEN, Version},
};

/// How long a test waits for an event before it fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// The server.
#[derive(Clone)]
pub struct FakeTelegram {
    shared: Arc<Shared>,
    address: String,
    _tasks: Arc<Tasks>,
}

/// The state, and the signal of a change.
pub struct Shared {
    world: Mutex<World>,
    changed: watch::Sender<u64>,
}

impl Shared {
    /// Reads or changes the state, then wakes all waiting tasks.
    pub fn change<R>(&self, act: impl FnOnce(&mut World) -> R) -> R {
        let result = self.quiet(act);
        self.changed.send_modify(|it| *it += 1);
        result
    }

    /// Reads or changes the state without waking tasks.
    pub fn quiet<R>(&self, act: impl FnOnce(&mut World) -> R) -> R {
        act(&mut self.world.lock())
    }
}

struct Tasks(Vec<tokio::task::JoinHandle<()>>);

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

impl FakeTelegram {
    /// Starts a server on a free port of the loopback address.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the listener is bound").to_string();
        let shared =
            Arc::new(Shared { world: Mutex::new(World::new()), changed: watch::Sender::new(0) });
        let router = server::router(shared.clone());
        let http = tokio::spawn(async move {
            axum::serve(listener, router).await.expect("the server runs until it is aborted");
        });
        let delivery = tokio::spawn(feed::deliver(shared.clone()));
        Self { shared, address, _tasks: Arc::new(Tasks(vec![http, delivery])) }
    }

    /// The address for `TELEGRAM_API_URL`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Calls a method directly, as a bot does; returns status and body.
    pub async fn call(&self, method: &str, params: Value) -> (u16, Value) {
        let url = format!("{}/bot{TOKEN}/{method}", self.url());
        let answer = reqwest::Client::new()
            .post(url)
            .json(&params)
            .send()
            .await
            .expect("the server answers");
        let status = answer.status().as_u16();
        (status, answer.json().await.expect("the answer is JSON"))
    }

    /// Waits until `look` returns a value, calling it after each change; fails after half a minute
    /// and prints all calls.
    pub async fn wait_for<T>(&self, what: &str, mut look: impl FnMut(&Self) -> Option<T>) -> T {
        let mut changed = self.shared.changed.subscribe();
        let wait = async {
            loop {
                if let Some(found) = look(self) {
                    return found;
                }
                changed.changed().await.expect("the sender lives as long as the server");
            }
        };
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(found) => found,
            Err(_) => panic!("timed out waiting for {what}; calls: {:#?}", self.calls()),
        }
    }

    /// Waits until the condition is true.
    pub async fn wait_until(&self, what: &str, mut so: impl FnMut(&Self) -> bool) {
        self.wait_for(what, |it| so(it).then_some(())).await;
    }

    /// Signals changes: subscribe, check, then wait.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changed.subscribe()
    }

    /// Every call but `getUpdates`, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.quiet(|world| world.calls.clone())
    }

    /// The calls of one method.
    pub fn calls_of(&self, method: &str) -> Vec<Call> {
        self.calls().into_iter().filter(|it| it.method == method).collect()
    }

    /// The requests that a correct bot would not have sent.
    pub fn violations(&self) -> Vec<String> {
        self.shared.quiet(|world| world.violations.clone())
    }

    /// Updates that the bot has not confirmed.
    pub fn waiting(&self) -> Vec<Value> {
        self.shared.quiet(|world| world.feed.waiting())
    }

    /// Number of calls of `getUpdates`.
    pub fn polls(&self) -> u64 {
        self.shared.quiet(|world| world.feed.polls)
    }

    /// The webhook URL.
    pub fn webhook_url(&self) -> Option<String> {
        self.shared.quiet(|world| world.feed.webhook.as_ref().map(|it| it.url.clone()))
    }

    /// The status codes of the webhook; 599 means no answer.
    pub fn webhook_answers(&self) -> Vec<u16> {
        self.shared.quiet(|world| world.feed.webhook_answers.clone())
    }

    /// The menu of commands of a scope (`{"type":"default"}` as text) and language.
    pub fn menu(&self, scope: &str, lang: &str) -> Option<Value> {
        let key = (scope.to_owned(), lang.to_owned());
        self.shared.quiet(|world| world.menus.get(&key).cloned())
    }

    /// The descriptions of the bot in a language: before the start, and on its profile.
    pub fn descriptions(&self, lang: &str) -> [Option<String>; 2] {
        ["description", "short_description"].map(|field| {
            let key = (field.to_owned(), lang.to_owned());
            self.shared.quiet(|world| world.descriptions.get(&key).cloned())
        })
    }

    /// Advances the time.
    pub fn advance(&self, by_ms: u64) {
        self.shared.change(|world| world.now_ms += by_ms);
    }

    /// Limits this server to Bot API 10.1, without ephemeral messages, with the behaviour of old
    /// self-hosted servers: a text message cannot become a picture.
    pub fn old(&self) {
        self.set_version(Version::V10_1);
    }

    /// Limits this server to this version.
    pub fn set_version(&self, version: Version) {
        self.shared.change(|world| world.version = version);
    }

    /// Switches privacy mode, which is on by default.
    pub fn privacy(&self, on: bool) {
        self.shared.change(|world| world.privacy = on);
    }

    /// Limits the rate of calls: answers 429 when there are too many.
    pub fn limit_rates(&self) {
        self.shared.change(|world| world.rates.on = true);
    }

    /// Delivers each update twice from now on.
    pub fn deliver_twice(&self) {
        self.shared.change(|world| world.feed.twice = true);
    }

    /// Delivers waiting updates in random order.
    pub fn shuffle(&self, seed: u64) {
        self.shared.change(|world| world.feed.shuffle = Some(seed));
    }

    /// Lets the next calls fail; of one method, or of any but `getUpdates`.
    pub fn fail_next(&self, count: usize, method: Option<&str>, fault: Fault) {
        self.shared.change(|world| world.faults.plan(count, method, fault));
    }

    /// Blocks calls of a method from now on, as on a slow server; `None` releases them.
    pub fn hold(&self, method: Option<&str>) {
        self.shared.change(|world| world.held = method.map(str::to_owned));
    }

    /// Number of blocked calls.
    pub fn at_door(&self) -> usize {
        self.shared.quiet(|world| world.at_door)
    }

    /// Forgets every file, as Telegram may; messages keep their pictures.
    pub fn forget_files(&self) {
        self.shared.change(|world| world.forgotten = world.files.keys().cloned().collect());
    }

    /// Lets random calls fail from now on; 0 per mille ends it.
    pub fn chaos(&self, seed: u64, per_mille: u64, faults: &[Fault]) {
        self.shared.change(|world| world.faults.chaos(seed, per_mille, faults));
    }

    /// A new person.
    pub fn user(&self, name: &str) -> Person {
        Person::new(self, name, false)
    }

    /// Another bot.
    pub fn other_bot(&self, name: &str) -> Person {
        Person::new(self, name, true)
    }

    /// A basic group with the bot in it.
    pub fn group(&self, title: &str, members: &[&Person]) -> i64 {
        self.open(Kind::Group, title, members)
    }

    /// A supergroup with the bot in it.
    pub fn supergroup(&self, title: &str, members: &[&Person]) -> i64 {
        self.open(Kind::Supergroup, title, members)
    }

    /// A channel with the bot as admin.
    pub fn channel(&self, title: &str, members: &[&Person]) -> i64 {
        let id = self.open(Kind::Channel, title, members);
        self.set_standing(id, Standing::Admin);
        id
    }

    fn open(&self, kind: Kind, title: &str, members: &[&Person]) -> i64 {
        self.shared.change(|world| {
            let number = world.fresh();
            let id = match kind {
                Kind::Group => -4_000_000 - number,
                _ => -1_002_000_000_000 - number,
            };
            world.open(id, kind, title, Standing::Member);
            world.chat_mut(id).members = members.iter().map(|it| (it.id, false)).collect();
            id
        })
    }
}
