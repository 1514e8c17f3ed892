//! The built-in group chat: rooms in a browser, and the same as a small JSON interface.
//!
//! To the bot it is a platform like the others. It needs no account, no token and no network:
//! people are whoever opens the page. Start reading at [`Web`]; `state` holds what is
//! remembered, `writer` keeps it in the store, `http` has the requests, `stream` the live updates,
//! `bot` what the bot may do, `doors` the connections, `guests` those who sign in from elsewhere.
//!
//! Any number of processes may serve the same rooms from one store.
//!
//! # Driving it from a script
//!
//! Everything is JSON over HTTP. A person is made by `POST /api/people`; the answer holds a
//! secret token, and every other request carries it as `Authorization: Bearer TOKEN`. No cookies
//! are used, so no other page can act for anybody. `/api` on a running bot shows this table.
//!
//! | request | body or query | answer |
//! | --- | --- | --- |
//! | `POST /api/people` | `{name, locale?}` | `{id, token, name}` |
//! | `GET /api/me` | | `{id, name, locale, rooms, seq}` |
//! | `POST /api/me` | `{name?, locale?}` | the same |
//! | `POST /api/me/token` | `{}`: signs out everywhere else | `{token}` |
//! | `GET /api/rooms` | | `{rooms: [{name, people, joined}]}` |
//! | `POST /api/rooms` | `{name, invite?}`: joins, opens it if need be | a room as below |
//! | `GET /api/rooms/{room}` | `?before=ID&limit=100` | `{room, people, bot, messages, more, seq}` |
//! | `POST /api/rooms/{room}/messages` | `{text, key, reply_to?, mentions?}` | `{id, whispers}` |
//! | `POST /api/rooms/{room}/press` | `{message?, press, key}` | `{whispers}` |
//! | `POST /api/rooms/{room}/dismiss` | `{message}`: one that only you see | `{}` |
//! | `POST /api/rooms/{room}/typing` | `{}` | `{}` |
//! | `POST /api/rooms/{room}/bot` | `{present}`: the room's admin | `{}` |
//! | `POST /api/rooms/{room}/door` | `{closed}`: the room's admin | `{invite}` |
//! | `POST /api/rooms/{room}/people` | `{person, act}`: the room's admin | `{}` |
//! | `POST /api/rooms/{room}/leave` | `{}` | `{}` |
//! | `GET /api/rooms/{room}/tables/{table}` | `?since=&page=&drawn=1&known=` | its state |
//! | `GET /api/rooms/{room}/tables/{table}/replay` | `?from=&seat=` | a game step by step |
//! | `GET /api/rooms/{room}/tables/{table}/review` | | its review |
//! | `GET /api/rooms/{room}/lessons/{game}/{page}` | `?tried=` | a page of a course |
//! | `GET /api/tables` | | `{tables: [{table, game, your_turn, says, link}]}` |
//! | `GET /api/suggest` | `?room=&text=` up to the cursor | `{suggestions: [{text, label, …}]}` |
//! | `GET /api/events` | `?after=SEQ` or header `Last-Event-ID`, `?once=1` | server-sent events |
//! | `GET /api/pictures/{hash}.png` | | the picture |
//! | `GET /api/files/{hash}` | | the file |
//!
//! `{room}` is the name of a room, or `@` for the private chat with the bot. `key` is any text of
//! 1 to 64 letters, digits, `-` and `_` that the client makes up for each deed: the same key acts
//! once, so a request may be repeated until it is answered. Whispers are what only you are told:
//! `{text, spans, brief, passing, id}`; those with an `id` also stay in the room until dismissed;
//! a brief answer to a message stays until its reader goes on. A board names in `waits_for` whose
//! turn it is, and in `table` which table it is of; `src/bot/post/state.md` describes the state.
//! Its `actions` carry presses, which need no `message`. What a message shows besides boards it
//! names in `look`: an address below that of its room.
//!
//! A closed room lets in whoever names its `invite`. The `act` of an admin is `mute`, `unmute`,
//! `remove` or `allow` (back in). Under `/api/host` whoever runs the bot lists, bans and closes,
//! see `host`.
//!
//! Events are `message` (new or changed; the same `id` replaces the older one), `room`, `me`,
//! `busy` (somebody is typing), `presence`, `ready` (all caught up) and `reset` (load everything
//! again). Those that are remembered carry an event id; a stream resumed after it loses and
//! repeats nothing. Refusals are `{error, say}` with a fitting status; 429 adds `wait_ms`.

mod acts;
mod assets;
mod body;
mod bot;
mod deeds;
pub mod doors;
mod eyes;
mod fetch;
mod files;
mod guard;
mod guests;
mod host;
mod http;
mod hub;
mod known;
mod manage;
mod mentions;
mod model;
mod names;
mod rates;
mod refusal;
mod state;
mod stream;
mod suggest;
mod upkeep;
mod view;
mod writer;

use std::{
    collections::{BTreeSet, HashMap},
    net::IpAddr,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError, RwLock},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::Router;
use tokio::sync::{mpsc, oneshot, watch};

use caravanserai_protocol::Listener;
use caravanserai_store::{Store, StoreError, StoreHealth};

pub use model::Limits;
pub use suggest::{Command, Wording};

use self::{
    doors::{Door, Doors},
    eyes::Eyes,
    files::Files,
    hub::{Hub, Live},
    known::Known,
    rates::Rates,
    refusal::Refusal,
    state::State,
    writer::Job,
};

/// How long a request waits for a chat that is not loaded yet.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the chat is started with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The folder of its pictures and files. Processes that share a store share this too.
    pub files: PathBuf,
    /// Names in the `Host` header that are accepted besides IP addresses and `localhost`, such
    /// as `play.example.org`: what people type to reach it through a proxy. Any other name is
    /// refused, so that no foreign page can reach a local bot by a name of its own.
    pub hosts: Vec<String>,
    /// Proxies in front of it: what they say in `X-Forwarded-For` counts as a person's address.
    pub proxies: Vec<IpAddr>,
    /// What it is to people of other platforms; without it they cannot sign in.
    pub page: Option<Page>,
    /// Opens `/api/host`; without it that part is closed.
    pub host_secret: Option<String>,
    /// The bot's commands, for suggestions.
    pub commands: Vec<Command>,
    /// Upper bounds.
    pub limits: Limits,
}

/// A page that is reached from everywhere.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its public address, without a slash at the end.
    pub url: String,
    /// Pages of platforms that may show a board inside of them, as sources of a content policy
    /// (`https://web.telegram.org`).
    pub frames: Vec<&'static str>,
    /// The host by which a platform shows it in its own name, once that is known: its requests
    /// name that as their origin.
    pub stand_in: Arc<OnceLock<String>>,
}

/// The built-in chat. Implements [`caravanserai_protocol::Platform`] under the name `web`.
pub struct Web {
    settings: Settings,
    store: Arc<dyn Store>,
    files: Arc<Files>,
    jobs: mpsc::Sender<Job>,
    state: RwLock<Arc<State>>,
    standing: watch::Sender<Standing>,
    rates: Rates,
    hub: Hub,
    eyes: Arc<Eyes>,
    /// What people were told of tables.
    known: Known,
    /// Where people came from last: only here, never kept.
    addresses: Mutex<HashMap<String, guard::From>>,
    closing: watch::Sender<bool>,
}

/// Whether the chat can be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Everything that is kept was loaded: people can be answered.
    pub loaded: bool,
    /// Why the store refused last, if nothing was kept since; and when, in Unix ms.
    pub trouble: Option<(String, u64)>,
}

impl Web {
    /// A chat on this store. It loads what is kept in the background, again and again if it must;
    /// until then requests wait a little and are then asked to come later. Must be called inside
    /// a tokio runtime.
    pub fn open(settings: Settings, store: Arc<dyn Store>) -> Arc<Self> {
        let (jobs, waiting) = mpsc::channel(writer::WAITING_MAX);
        let web = Arc::new(Self {
            files: Arc::new(Files::new(settings.files.clone())),
            rates: Rates::new(&settings.limits),
            settings,
            store,
            jobs,
            state: RwLock::default(),
            standing: watch::channel(Standing::default()).0,
            hub: Hub::default(),
            eyes: Arc::new(Eyes::new(&upkeep::owner())),
            known: Known::default(),
            addresses: Mutex::default(),
            closing: watch::channel(false).0,
        });
        tokio::spawn(writer::write_all(Arc::downgrade(&web), waiting));
        tokio::spawn(writer::follow(Arc::downgrade(&web)));
        tokio::spawn(upkeep::look_after(Arc::downgrade(&web)));
        tokio::spawn(eyes::keep(Arc::downgrade(&web)));
        web
    }

    /// The page and the JSON interface, to be mounted at `/`. What the bot had not heard when the
    /// process ended is told to it as soon as it is known. Must be called inside a tokio runtime.
    pub fn router(self: &Arc<Self>, listener: Arc<dyn Listener>) -> Router {
        tokio::spawn(acts::hear_pending(Arc::downgrade(self), Arc::clone(&listener)));
        http::router(Arc::clone(self), listener)
    }

    /// Serves [`Web::router`] on a bound socket until [`Web::close`] is called.
    ///
    /// # Errors
    /// When the socket fails.
    pub async fn serve(
        self: &Arc<Self>,
        socket: tokio::net::TcpListener,
        listener: Arc<dyn Listener>,
    ) -> std::io::Result<()> {
        let router = self.router(listener);
        self.serve_router(socket, router).await
    }

    /// The same with more routes than its own.
    ///
    /// # Errors
    /// When the socket fails.
    pub async fn serve_router(
        self: &Arc<Self>,
        socket: tokio::net::TcpListener,
        router: Router,
    ) -> std::io::Result<()> {
        let door: Door = self.settings.limits.door.clone();
        let web = Arc::clone(self);
        let doors = Doors::new(door, self.settings.proxies.clone());
        doors.serve(socket, router, async move { web.closed().await }).await
    }

    /// Ends all streams and refuses new ones, so that a server in front can finish.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits for [`Web::close`].
    pub async fn closed(&self) {
        let mut closing = self.closing.subscribe();
        // The sender lives in `self`, so waiting can only end by closing.
        let _ = closing.wait_for(|closing| *closing).await;
    }

    /// Whether it can be used, and why not.
    pub fn standing(&self) -> Standing {
        self.standing.borrow().clone()
    }

    /// Sees whether the store that refused something takes writes again: nobody else may write
    /// for a while, and then it would stay in trouble.
    pub fn look_again(&self) {
        if self.store.health() == StoreHealth::Good {
            self.standing.send_if_modified(|it| it.loaded && it.trouble.take().is_some());
        }
    }

    /// Tells whenever [`Web::standing`] changes.
    pub fn standings(&self) -> watch::Receiver<Standing> {
        self.standing.subscribe()
    }

    /// Waits until what is kept is loaded, for a few seconds.
    async fn ready(&self) -> Result<(), Refusal> {
        let mut standing = self.standing.subscribe();
        let known = standing.wait_for(|it| it.loaded || it.trouble.is_some());
        let known = tokio::time::timeout(PATIENCE, known).await.map_err(|_| Refusal::Disk)?;
        let loaded = known.is_ok_and(|it| it.loaded);
        if loaded { Ok(()) } else { Err(Refusal::Disk) }
    }

    /// What is known and durable. Costs nothing and waits for nobody.
    fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts a newer state in place, which the store has, and wakes whom it concerns.
    fn publish(&self, state: State, woken: &BTreeSet<String>) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
        self.standing.send_if_modified(|it| {
            let was = std::mem::replace(it, Standing { loaded: true, trouble: None });
            if was.trouble.is_some() {
                tracing::info!("the chat's store works again");
            }
            was != *it
        });
        self.hub.wake(woken);
    }

    /// Notes that the store refuses; told once until it works again.
    fn failed(&self, why: &StoreError) {
        if *self.closing.borrow() {
            // The store closes too: what comes now is heard again at the next start.
            tracing::debug!(%why, "the chat could not keep something while it ended");
            return;
        }
        self.standing.send_if_modified(|it| {
            let first = it.trouble.is_none();
            if first {
                tracing::error!(%why, "the built-in chat cannot use its store; it tries again");
                it.trouble = Some((why.to_string(), now_ms()));
            }
            first
        });
    }

    /// Changes the state; when this returns the change is durable and seen.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnMut(&mut State) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        writer::ask(self, change).await
    }

    /// Changes the state some time soon, if there is room for it: what may be lost.
    fn change_lazily(&self, mut change: impl FnMut(&mut State) + Send + 'static) {
        let change = move |state: &mut State| {
            change(state);
            Ok(())
        };
        let job = writer::Trial { change, came: None, done: oneshot::channel().0 };
        // With so many changes waiting this one may be left out.
        let _ = self.jobs.try_send(Job::Change(Box::new(job)));
    }

    /// Notes which board somebody looks at.
    fn looks(&self, person: &str, room: &str, table: &str) {
        if self.hub.looks(person, room, table) {
            self.eyes.have_moved();
        }
    }

    /// Takes in what other processes of this chat did.
    async fn refresh(&self) {
        let (done, taken) = oneshot::channel();
        if self.jobs.send(Job::Refresh(done)).await.is_ok() {
            // A writer that has ended has nothing more to take in.
            let _ = taken.await;
        }
    }

    /// Notes where somebody asks from, in case the host must keep them out.
    fn note_address(&self, person: &str, from: guard::From) {
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        if addresses.len() > self.settings.limits.people {
            addresses.clear();
        }
        addresses.insert(person.to_owned(), from);
    }

    /// Where somebody asked from last, if this process knows.
    fn address_of(&self, person: &str) -> Option<guard::From> {
        let addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        addresses.get(person).cloned()
    }

    fn is_banned(&self, from: &guard::From) -> bool {
        self.state().bans.get(&from.0).is_some_and(|until_ms| now_ms() < *until_ms)
    }

    /// Tells everybody in a room but one person something of the moment.
    fn tell(&self, room: &str, from: &str, live: Live) {
        let state = self.state();
        let people = state.places.get(room).map(|it| it.room.people.as_slice());
        self.hub.tell(people.unwrap_or_default().iter().filter(|it| *it != from), live);
    }
}

/// Unix time in milliseconds.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
