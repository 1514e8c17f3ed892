//! The built-in group chat: rooms in a browser, and the same as a small JSON interface.
//!
//! To the bot it is a platform like the others. It needs no account, no token and no network:
//! people are whoever opens the page. Start reading at [`Web`]; `state` holds what is
//! remembered, `http` the requests, `stream` the live updates, `bot` what the bot may do.
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
//! | `GET /api/rooms` | | `{rooms: [{name, people, joined}]}` |
//! | `POST /api/rooms` | `{name}`: joins, opens it if need be | a room as below |
//! | `GET /api/rooms/{room}` | `?before=ID&limit=100` | `{room, people, bot, messages, more, seq}` |
//! | `POST /api/rooms/{room}/messages` | `{text, key, reply_to?, mentions?}` | `{id, whispers}` |
//! | `POST /api/rooms/{room}/press` | `{message, press, key}` | `{whispers}` |
//! | `POST /api/rooms/{room}/dismiss` | `{message}`: one that only you see | `{}` |
//! | `POST /api/rooms/{room}/typing` | `{}` | `{}` |
//! | `POST /api/rooms/{room}/bot` | `{present}`: the room's admin | `{}` |
//! | `POST /api/rooms/{room}/leave` | `{}` | `{}` |
//! | `GET /api/suggest` | `?room=&text=` up to the cursor | `{suggestions: [{text, label, …}]}` |
//! | `GET /api/events` | `?after=SEQ` or header `Last-Event-ID`, `?once=1` | server-sent events |
//! | `GET /api/pictures/{hash}.png` | | the picture |
//! | `GET /api/files/{hash}` | | the file |
//!
//! `{room}` is the name of a room, or `@` for the private chat with the bot. `key` is any text of
//! 1 to 64 letters, digits, `-` and `_` that the client makes up for each deed: the same key acts
//! once, so a request may be repeated until it is answered. Whispers are what only you are told:
//! `{text, spans, brief, id}`; those with an `id` also stay in the room until dismissed.
//!
//! Events are `message` (new or changed; the same `id` replaces the older one), `room`, `me`,
//! `busy` (somebody is typing), `presence`, `ready` (all caught up) and `reset` (load everything
//! again). Those that are remembered carry an event id; a stream resumed after it loses and
//! repeats nothing. Refusals are `{error, say}` with a fitting status; 429 adds `wait_ms`.

mod acts;
mod assets;
mod bot;
mod deeds;
mod disk;
mod fetch;
mod guard;
mod http;
mod mentions;
mod model;
mod rates;
mod refusal;
mod state;
mod stream;
mod suggest;
mod view;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use axum::Router;
use tokio::sync::{broadcast, watch};

use crate::chat::Listener;

pub use model::Limits;
pub use suggest::{Command, Wording};

use self::{disk::Disk, rates::Rates, refusal::Refusal, state::State};

/// For so long somebody who only looks in counts as being here.
const LATELY: Duration = Duration::from_secs(10);

/// What the chat is started with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The folder of its own database.
    pub folder: PathBuf,
    /// Names in the `Host` header that are accepted besides IP addresses and `localhost`, such
    /// as `play.example.org`: what people type to reach it through a proxy. Any other name is
    /// refused, so that no foreign page can reach a local bot by a name of its own.
    pub hosts: Vec<String>,
    /// The bot's commands, for suggestions.
    pub commands: Vec<Command>,
    /// Upper bounds.
    pub limits: Limits,
}

/// Why the chat did not start.
#[derive(Debug, thiserror::Error)]
#[error("the chat's folder {folder} cannot be used: {why}")]
pub struct OpenError {
    folder: String,
    why: String,
}

/// The built-in chat. Implements [`crate::chat::Platform`] under the name `web`.
pub struct Web {
    settings: Settings,
    disk: Disk,
    state: Mutex<State>,
    rates: Mutex<Rates>,
    streams: Mutex<HashMap<String, usize>>,
    looks: Mutex<HashMap<String, Instant>>,
    live: broadcast::Sender<Live>,
    durable: watch::Receiver<u64>,
    closing: watch::Sender<bool>,
}

/// Something of the moment, never remembered.
#[derive(Clone, Debug)]
struct Live {
    room: String,
    from: String,
    event: &'static str,
    data: String,
}

impl Web {
    /// Opens or creates the chat's memory.
    ///
    /// # Errors
    /// When the folder cannot be written, is in use by another process, or is damaged.
    pub fn open(settings: Settings) -> Result<Arc<Self>, OpenError> {
        let fail = |why| OpenError { folder: settings.folder.display().to_string(), why };
        let disk = Disk::open(&settings.folder).map_err(fail)?;
        let state = State::load(&disk).map_err(fail)?;
        let durable = disk.durable();
        Ok(Arc::new(Self {
            settings,
            state: Mutex::new(state),
            rates: Mutex::default(),
            streams: Mutex::default(),
            looks: Mutex::default(),
            live: broadcast::channel(256).0,
            durable,
            closing: watch::channel(false).0,
            disk,
        }))
    }

    /// The page and the JSON interface, to be mounted at `/`. What the bot had not heard when the
    /// process ended is told to it now. Must be called inside a tokio runtime.
    pub fn router(self: &Arc<Self>, listener: Arc<dyn Listener>) -> Router {
        tokio::spawn(acts::hear_pending(Arc::clone(self), Arc::clone(&listener)));
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
        let web = Arc::clone(self);
        let closed = async move { web.closed().await };
        axum::serve(socket, self.router(listener)).with_graceful_shutdown(closed).await
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

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and waits until the change is on disk.
    async fn change<T>(
        &self,
        change: impl FnOnce(&mut State) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let (result, kept) = {
            let mut state = self.state();
            let result = change(&mut state);
            let ops = state.take_ops();
            // Queued under the lock, so that changes reach the disk in the order they were made.
            let kept = (!ops.is_empty()).then(|| self.disk.commit(ops, state.seq));
            (result, kept)
        };
        if let Some(kept) = kept {
            kept.await.map_err(|_| Refusal::Disk)?.map_err(|_| Refusal::Disk)?;
        }
        result
    }

    /// Changes the state; the disk may learn it later.
    fn change_lazily(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        let ops = state.take_ops();
        if !ops.is_empty() {
            drop(self.disk.commit(ops, state.seq));
        }
    }

    /// Waits until everything up to this change is on disk, so that nobody is shown what a
    /// crash could take back.
    async fn until_durable(&self, seq: u64) -> Result<(), Refusal> {
        let mut durable = self.durable.clone();
        durable.wait_for(|now| *now >= seq).await.map_err(|_| Refusal::Disk)?;
        Ok(())
    }

    fn take(&self, who: &str, what: &'static str, rate: (u32, u64)) -> Result<(), Refusal> {
        let mut rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        rates.take(who, what, rate, Instant::now()).map_err(Refusal::Wait)
    }

    fn tell(&self, live: Live) {
        // Nobody listening is no failure.
        let _ = self.live.send(live);
    }

    fn streams(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn online(&self, person: &str) -> bool {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        let lately = looks.get(person).is_some_and(|it| it.elapsed() < LATELY);
        lately || self.streams().contains_key(person)
    }

    /// Notes that somebody without a stream looked in. True if they were away before.
    fn looked_in(&self, person: &str) -> bool {
        let was_here = self.online(person);
        let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        looks.retain(|_, at| at.elapsed() < LATELY);
        looks.insert(person.to_owned(), Instant::now());
        !was_here
    }
}

/// Unix time in milliseconds.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
