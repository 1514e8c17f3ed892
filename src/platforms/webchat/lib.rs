//! Provides the built-in group chat: rooms in a browser, and a small JSON interface to them.
//!
//! To the bot it is a platform like the others. It needs no account, no token and no network:
//! everybody who opens the page takes part. Start reading at [`Webchat`]; `state` contains the
//! chat's data, `writer` commits it to the store, `routes` handles the requests, `event_stream`
//! the live updates, `platform` is the interface for the bot, `connections` limits connections,
//! `guest_api` serves users who sign in from another platform.
//!
//! Any number of processes may serve the same rooms from one store.
//!
//! # Driving it from a script
//!
//! Everything is JSON over HTTP. `POST /api/people` creates a person; the response contains a
//! secret token, and every other request carries it as `Authorization: Bearer TOKEN`. No cookies
//! are used, so no other page can act for a person. `/api` on a running bot shows this table.
//!
//! | request | body or query | answer |
//! | --- | --- | --- |
//! | `POST /api/people` | `{name, locale?, token?}` | `{id, token, name}` |
//! | `GET /api/me` | | `{id, name, locale, rooms, seq}` |
//! | `POST /api/me` | `{name?, locale?}` | the same |
//! | `POST /api/me/token` | `{token?}`: signs out everywhere else | `{token}` |
//! | `GET /api/rooms` | | `{rooms: [{name, people, joined}]}` |
//! | `POST /api/rooms` | `{name, invite?}`: joins or opens it | a room as below |
//! | `GET /api/rooms/{room}` | `?before=ID&limit=100` | `{room, people, bot, messages, more, seq}`
//! |
//! | `POST /api/rooms/{room}/messages` | `{text, key, reply_to?, mentions?}` | `{id, whispers}` |
//! | `POST /api/rooms/{room}/press` | `{message?, press, key}` | `{whispers}` |
//! | `POST /api/rooms/{room}/dismiss` | `{message}`: one that only you see | `{}` |
//! | `POST /api/rooms/{room}/typing` | `{}` | `{}` |
//! | `POST /api/rooms/{room}/bot` | `{present}`: the room's admin | `{}` |
//! | `POST /api/rooms/{room}/door` | `{closed}`: the room's admin | `{invite}` |
//! | `POST /api/rooms/{room}/people` | `{person, act}`: the room's admin | `{}` |
//! | `GET /api/rooms/{room}/people/{person}` | | statistics of a person of the room |
//! | `GET /api/rooms/{room}/ratings` | `?of=&month=&list=&from=NEXT` | a rating list |
//! | `POST /api/rooms/{room}/leave` | `{}` | `{}` |
//! | `GET /api/rooms/{room}/tables/{table}` | `?since=&page=&drawn=1&known=` | its state |
//! | `GET /api/rooms/{room}/tables/{table}/replay` | `?from=&seat=&upright=` | a replay |
//! | `GET /api/rooms/{room}/tables/{table}/review` | | its review |
//! | `GET /api/rooms/{room}/lessons/{game}/{page}` | `?tried=&upright=` | a page of a course |
//! | `GET /api/tables` | | `{tables: [{table, game, your_turn, says, link}]}` |
//! | `GET /api/games` | `?game=&against=&room=&after=NEXT` | `{games: [{table, opponents, …}], next}` |
//! | `GET /api/games/{table}/record` | | `{name, text}` of a finished game of one's own |
//! | `GET /api/settings` | | `{settings: [{code, label, value, values}]}` |
//! | `GET /api/suggest` | `?room=&text=` up to the cursor | `{suggestions: [{text, label, …}]}` |
//! | `GET /api/events` | `?after=SEQ` or header `Last-Event-ID`, `?once=1` | server-sent events |
//! | `GET /api/pictures/{hash}.png` | | the picture |
//! | `GET /api/files/{hash}` | | the file |
//!
//! `{room}` is the name of a room, or `@` for the private chat with the bot. `key` is any text of
//! 1 to 64 letters, digits, `-` and `_` that the client chooses for each action: the same key acts
//! once, so a request may be repeated until it is answered. `whispers` are private replies:
//! `{text, spans, brief, passing, id}`; those with an `id` also stay in the room until dismissed;
//! a brief reply to a message stays until its reader goes on. A hint has `hint`: the `table`, the
//! `moment` of its state and the `token` of the action that it recommends. `again` says that the
//! same press is needed once more. A board contains the player to move in `waits_for`, its table in
//! `table`, and in `board` the `game`, the `phase`, the ids of the `players` who are people, the
//! `names` of all players and the number of `open_seats`; the ids of people who are `invited` and
//! the presses that are their `answers`: `accept` and `decline`;
//! a room also lists the `boards` of open tables, and of your last finished game, that are older
//! than its messages. A message with `silent` is a command that nobody else reads; so is each
//! confidential command, such as `/block`, outside the private room. Their `id` is `null`.
//! `src/bot/client_state/state.md` describes the state. Its `actions` carry presses, which need no
//! `message`. A message that shows something else than a board has its path, relative to that of
//! its room, in `look`.
//!
//! A closed room admits users with its `invite`. The `act` of an admin is `mute`, `unmute`,
//! `remove` or `allow` (back in). Under `/api/host` the operator of the bot lists, bans and
//! closes; see `admin_api`.
//!
//! Events are `message` (new or changed; the same `id` replaces the older one), `room`, `me`,
//! `busy` (a person is typing), `presence`, `ready` (all caught up), `reset` (load everything
//! again) and `crowded`, which ends the oldest stream of a person who has opened too many: ask
//! with `once=1` from then on, otherwise two pages would end each other's streams. Durable events
//! carry an event id; a stream resumed after it loses and repeats nothing.
//! Refusals are `{error, say}` with a fitting status; 429 adds `wait_ms`.

mod account_data;
mod actions;
mod admin_api;
mod analysis;
mod answers;
mod assets;
mod auth;
mod blob_folder;
mod bot_updates;
mod cleanup;
pub mod connections;
mod delta;
mod display_names;
mod document_pages;
mod event_stream;
mod finished_games;
mod guest_api;
mod json_body;
mod mentions;
mod model;
mod moderation;
mod platform;
mod rate_limits;
mod rating_pages;
mod read_api;
mod refusal;
mod routes;
mod state;
mod stream_hub;
mod suggestions;
mod trusted_proxies;
mod view;
mod viewers;
mod writer;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::Router;
use parking_lot::{Mutex, RwLock};
use tokio::sync::{mpsc, oneshot, watch};

use caravanserai_protocol::UpdateHandler;
use caravanserai_store::encrypted::key_file::StoreKeys;
use caravanserai_store::{Store, StoreError, StoreHealth};

pub use account_data::{StoredAccounts, is_stored, stored_people};
pub use blob_folder::FileConversion;
pub use model::WebchatLimits;
pub use suggestions::{CommandWording, SuggestedCommand};
pub use trusted_proxies::TrustedProxies;

use self::{
    blob_folder::BlobFolder,
    connections::{ConnectionLimits, ConnectionManager},
    delta::KnownTexts,
    rate_limits::WebchatRateLimits,
    refusal::WebchatRefusal,
    state::WebchatState,
    stream_hub::{LiveEvent, StreamHub},
    viewers::ViewerRow,
    writer::WebchatWriterJob,
};

/// How long a request waits for a chat that is not loaded yet.
const LOAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The settings of the chat.
#[derive(Clone, Debug, Default)]
pub struct WebchatSettings {
    /// The folder of images and files. Processes that share a store share this folder, too.
    pub files: PathBuf,
    /// The keys of the store, which encrypt images and files, too.
    pub keys: Option<Arc<StoreKeys>>,
    /// Names in the `Host` header that are accepted besides IP addresses and `localhost`, such as
    /// `play.example.org`: the names under which users reach the chat through a proxy. Any other
    /// name is refused, so that no foreign page can reach a local bot by a name of its own.
    pub hosts: Vec<String>,
    /// Trusted proxies: the chat reads the client's address from their `X-Forwarded-For`.
    pub proxies: TrustedProxies,
    /// The public page for users of other platforms; without it they cannot sign in.
    pub page: Option<PublicPage>,
    /// The secret for `/api/host`; without it that part is closed.
    pub operator_secret: Option<String>,
    /// The bot's commands, for suggestions.
    pub commands: Vec<SuggestedCommand>,
    /// Upper bounds.
    pub limits: WebchatLimits,
}

/// A page that users reach from the internet.
#[derive(Clone, Debug, Default)]
pub struct PublicPage {
    /// Its public address, without a slash at the end.
    pub url: String,
    /// Origins of platform pages that may show a board in a frame, as sources of a content security
    /// policy (`https://web.telegram.org`).
    pub frames: Vec<&'static str>,
    /// The host name under which a platform shows the page, once it is known: requests from there
    /// name it as their origin.
    pub stand_in: Arc<OnceLock<String>>,
}

/// Stores the images and files in a folder again that are stored otherwise than new ones are with
/// these keys. A chat may use the folder meanwhile. Blocks on the disk until it is done, or until
/// `stops` says it.
///
/// # Errors
/// When the folder cannot be read or written. The next call goes on with the rest.
pub fn reencrypt_files(
    folder: &Path,
    keys: StoreKeys,
    stops: &dyn Fn() -> bool,
) -> std::io::Result<FileConversion> {
    BlobFolder::new(folder.to_owned(), Some(Arc::new(keys))).reencrypt(stops)
}

/// The built-in chat. Implements [`caravanserai_protocol::Platform`] under the name `web`.
pub struct Webchat {
    settings: WebchatSettings,
    store: Arc<dyn Store>,
    files: Arc<BlobFolder>,
    jobs: mpsc::Sender<WebchatWriterJob>,
    state: RwLock<Arc<WebchatState>>,
    health: watch::Sender<WebchatHealth>,
    rates: WebchatRateLimits,
    hub: StreamHub,
    viewer_row: Arc<ViewerRow>,
    /// The table states that were sent last, for differences.
    known: KnownTexts,
    /// The latest address of each person: only in memory, never stored.
    addresses: Mutex<HashMap<String, auth::ClientAddress>>,
    /// The marks of guests who were signed in when they were last looked up.
    guests: Mutex<HashSet<String>>,
    closing: watch::Sender<bool>,
}

/// The health of the chat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebchatHealth {
    /// Whether the stored chat is loaded, so that requests can be answered.
    pub loaded: bool,
    /// The latest failure of the store and its time in Unix ms, unless a later write succeeded.
    pub trouble: Option<(String, u64)>,
}

impl Webchat {
    /// Opens a chat on this store. It loads the stored chat in the background and retries failures;
    /// until then requests wait a short time and are then refused with "try later". Must be called
    /// inside a tokio runtime.
    pub fn open(settings: WebchatSettings, store: Arc<dyn Store>) -> Arc<Self> {
        let web = Self::start_writer(settings, store);
        tokio::spawn(writer::follow_other_processes(Arc::downgrade(&web)));
        tokio::spawn(cleanup::run_cleanup(Arc::downgrade(&web)));
        tokio::spawn(viewers::run_viewer_row(Arc::downgrade(&web)));
        web
    }

    /// Opens a chat that has no page any more: it removes what has expired, and tells the bot about
    /// people who are deleted. Must be called inside a tokio runtime.
    pub fn open_unserved(
        settings: WebchatSettings,
        store: Arc<dyn Store>,
        handler: Arc<dyn UpdateHandler>,
    ) -> Arc<Self> {
        let web = Self::start_writer(settings, store);
        tokio::spawn(cleanup::run_cleanup(Arc::downgrade(&web)));
        tokio::spawn(bot_updates::retry_pending(Arc::downgrade(&web), handler));
        web
    }

    /// Creates a chat that loads and writes its state, and nothing else.
    fn start_writer(mut settings: WebchatSettings, store: Arc<dyn Store>) -> Arc<Self> {
        if store.is_shared() {
            settings.limits = settings.limits.for_shared_store();
        }
        let (jobs, waiting) = mpsc::channel(writer::WAITING_MAX);
        let web = Arc::new(Self {
            files: Arc::new(BlobFolder::new(settings.files.clone(), settings.keys.clone())),
            rates: WebchatRateLimits::new(&settings.limits),
            settings,
            store,
            jobs,
            state: RwLock::default(),
            health: watch::channel(WebchatHealth::default()).0,
            hub: StreamHub::default(),
            viewer_row: Arc::new(ViewerRow::new(&cleanup::process_id())),
            known: KnownTexts::default(),
            addresses: Mutex::default(),
            guests: Mutex::default(),
            closing: watch::channel(false).0,
        });
        tokio::spawn(writer::run_writer(Arc::downgrade(&web), waiting));
        web
    }

    /// Builds the routes of the page and the JSON interface, to be mounted at `/`. Updates that the
    /// bot had not handled when the process ended are delivered once the chat is loaded. Must be
    /// called inside a tokio runtime.
    pub fn router(self: &Arc<Self>, handler: Arc<dyn UpdateHandler>) -> Router {
        tokio::spawn(bot_updates::retry_pending(Arc::downgrade(self), Arc::clone(&handler)));
        routes::router(Arc::clone(self), handler)
    }

    /// Serves [`Webchat::router`] on a bound socket until [`Webchat::close`] is called.
    ///
    /// # Errors
    /// When the socket fails.
    pub async fn serve(
        self: &Arc<Self>,
        socket: tokio::net::TcpListener,
        handler: Arc<dyn UpdateHandler>,
    ) -> std::io::Result<()> {
        let router = self.router(handler);
        self.serve_router(socket, router).await
    }

    /// Serves these routes, which may contain more than [`Webchat::router`].
    ///
    /// # Errors
    /// When the socket fails.
    pub async fn serve_router(
        self: &Arc<Self>,
        socket: tokio::net::TcpListener,
        router: Router,
    ) -> std::io::Result<()> {
        let limits: ConnectionLimits = self.settings.limits.connections.clone();
        let web = Arc::clone(self);
        let manager = ConnectionManager::new(limits, self.settings.proxies.clone());
        manager.serve(socket, router, async move { web.wait_closed().await }).await
    }

    /// Ends all streams and refuses new ones, so that an HTTP server in front can shut down.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits for [`Webchat::close`].
    pub async fn wait_closed(&self) {
        let mut closing = self.closing.subscribe();
        // `self` owns the sender, so the wait ends only by closing.
        let _ = closing.wait_for(|closing| *closing).await;
    }

    /// Returns whether the chat works, and why not.
    pub fn health(&self) -> WebchatHealth {
        self.health.borrow().clone()
    }

    /// Checks whether a store that failed accepts writes again: without a write by a user the chat
    /// would otherwise stay in the failed state.
    pub fn probe_store(&self) {
        if self.store.health() == StoreHealth::Good {
            self.health.send_if_modified(|it| it.loaded && it.trouble.take().is_some());
        }
    }

    /// Subscribes to changes of [`Webchat::health`].
    pub fn subscribe_health(&self) -> watch::Receiver<WebchatHealth> {
        self.health.subscribe()
    }

    /// Waits a few seconds until the stored chat is loaded.
    async fn wait_until_loaded(&self) -> Result<(), WebchatRefusal> {
        let mut health = self.health.subscribe();
        let known = health.wait_for(|it| it.loaded || it.trouble.is_some());
        let known = tokio::time::timeout(LOAD_TIMEOUT, known)
            .await
            .map_err(|_| WebchatRefusal::StoreUnavailable)?;
        let loaded = known.is_ok_and(|it| it.loaded);
        if loaded { Ok(()) } else { Err(WebchatRefusal::StoreUnavailable) }
    }

    /// Returns the current durable state. Cheap, and never waits.
    fn state(&self) -> Arc<WebchatState> {
        Arc::clone(&self.state.read())
    }

    /// Publishes a newer state that the store has committed, and wakes the affected streams.
    fn publish_state(&self, state: WebchatState, woken: &BTreeSet<String>) {
        *self.state.write() = Arc::new(state);
        self.health.send_if_modified(|it| {
            let was = std::mem::replace(it, WebchatHealth { loaded: true, trouble: None });
            if was.trouble.is_some() {
                tracing::info!("the store of the built-in chat works again");
            }
            was != *it
        });
        self.hub.wake(woken);
    }

    /// Records a failure of the store; logs it once until the store works again.
    fn note_store_failure(&self, why: &StoreError) {
        if *self.closing.borrow() {
            // The store is closing, too: the update is delivered again at the next start.
            tracing::debug!(%why, "a write of the chat failed during shutdown");
            return;
        }
        self.health.send_if_modified(|it| {
            let first = it.trouble.is_none();
            if first {
                tracing::error!(%why, "the store of the built-in chat failed; retrying");
                it.trouble = Some((why.to_string(), now_ms()));
            }
            first
        });
    }

    /// Changes the state; when this returns the change is durable and visible.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnMut(&mut WebchatState) -> Result<T, WebchatRefusal> + Send + 'static,
    ) -> Result<T, WebchatRefusal> {
        writer::submit(self, change).await
    }

    /// Changes the state soon, if the queue has room; only for changes that may be lost.
    fn change_in_background(&self, mut change: impl FnMut(&mut WebchatState) + Send + 'static) {
        let change = move |state: &mut WebchatState| {
            change(state);
            Ok(())
        };
        let job = writer::WebchatChangeFn { change, result: None, reply: oneshot::channel().0 };
        // With a full queue this change is dropped.
        let _ = self.jobs.try_send(WebchatWriterJob::Change(Box::new(job)));
    }

    /// Records which board a person looks at.
    fn note_viewed_board(&self, person: &str, room: &str, table: &str) {
        if self.hub.note_viewed_board(person, room, table) {
            self.viewer_row.mark_changed();
        }
    }

    /// Loads the changes of other processes; returns whether that worked.
    async fn refresh(&self) -> bool {
        let (done, taken) = oneshot::channel();
        // A writer that has ended has nothing more to load.
        self.jobs.send(WebchatWriterJob::Refresh(done)).await.is_ok()
            && taken.await.unwrap_or(false)
    }

    /// Loads the changes of other processes if this one does not know something that one of them
    /// may have written a moment ago.
    async fn refresh_unless(&self, is_known: impl Fn(&WebchatState) -> bool) {
        if self.store.is_shared() && !is_known(&self.state()) {
            self.refresh().await;
        }
    }

    /// Records a person's address, in case the operator bans them.
    fn note_client_address(&self, person: &str, from: auth::ClientAddress) {
        let mut addresses = self.addresses.lock();
        if addresses.len() > self.settings.limits.people {
            addresses.clear();
        }
        addresses.insert(person.to_owned(), from);
    }

    /// Returns a person's latest address, if this process knows it.
    fn client_address_of(&self, person: &str) -> Option<auth::ClientAddress> {
        let addresses = self.addresses.lock();
        addresses.get(person).cloned()
    }

    /// Whether a guest with this mark was signed in when they were last looked up.
    fn is_guest_known(&self, mark: &str) -> bool {
        self.guests.lock().contains(mark)
    }

    /// Records whether a guest with this mark is signed in.
    fn note_guest(&self, mark: &str, is_signed_in: bool) {
        let mut guests = self.guests.lock();
        if !is_signed_in {
            guests.remove(mark);
            return;
        }
        if guests.len() > self.settings.limits.people {
            guests.clear();
        }
        if !guests.contains(mark) {
            guests.insert(mark.to_owned());
        }
    }

    fn is_banned(&self, from: &auth::ClientAddress) -> bool {
        self.state().bans.get(&from.0).is_some_and(|until_ms| now_ms() < *until_ms)
    }

    /// Sends a transient event to all members of a room except one.
    fn send_live_event(&self, room: &str, from: &str, live: LiveEvent) {
        let state = self.state();
        let people = state.rooms.get(room).map(|it| it.room.people.as_slice());
        self.hub.send_live_event(people.unwrap_or_default().iter().filter(|it| *it != from), live);
    }
}

/// Returns the Unix time in milliseconds.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod wire_types;
