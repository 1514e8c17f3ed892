//! Connects Telegram to the service: groups, topics and private chats through the Bot API.
//!
//! Must not know games, tables or the store: it turns Bot API updates into [`Update`]s for an
//! [`UpdateHandler`], and the messages of the service into calls. Start reading at
//! [`TelegramPlatform`].
//!
//! Receiving: `update_source` polls or serves the webhook, `deferred_updates` stores what needs an
//! engine or a network, `author_queues` keeps the order of one person's updates, `parse_update`
//! reads updates, `inline` answers inline queries and mentions, `init_data` verifies who opens the
//! Mini App. Sending: `platform` is what the service sees, `send` posts and edits, `private_delivery` reaches one person
//! (`private_readers` lists the ways, `replaceable_messages` replaces older messages,
//! `reveal_button` hides a reply behind a button, `listener_reports` informs the listener),
//! `rights` finds missing rights, `command_menus` sets the command lists. `bot_api` is the only
//! code that makes HTTP calls.
//!
//! [`UpdateHandler`]: caravanserai_protocol::UpdateHandler
//! [`Update`]: caravanserai_protocol::Update

mod author_queues;
mod bot_api;
mod command_menus;
mod deferred_updates;
mod init_data;
mod inline;
mod listener_reports;
mod markup;
mod parse_update;
mod platform;
mod private_delivery;
mod private_readers;
mod replaceable_messages;
mod reveal_button;
mod rights;
mod send;
mod storage;
mod telegram_cache;
mod update_source;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use teloxide::payloads::GetMe;
use teloxide::types::Me;

pub use self::command_menus::TelegramMenuCommand;

use self::author_queues::AuthorQueues;
use self::bot_api::{BotApi, TelegramCallError};
use self::deferred_updates::DeferredUpdates;
use self::telegram_cache::TelegramMemory;
use caravanserai_platform_shared::PlatformServices;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_platform_shared::message_tracker::MessageTracker;
use caravanserai_platform_shared::platform_rows::PlatformRows;
use caravanserai_platform_shared::task_limit::TaskLimit;
use caravanserai_protocol::UpdateHandler;

/// The server of Telegram itself; `TELEGRAM_API_URL` replaces it.
pub const API_URL: &str = "https://api.telegram.org";

/// The settings of the adapter.
#[derive(Clone)]
pub struct TelegramSettings {
    /// The token from BotFather.
    pub token: String,
    /// The Bot API server, without a slash at the end.
    pub api_url: String,
    /// How long a button press may wait for a decision before it is answered with an empty answer;
    /// Telegram shows a spinner until then. Two seconds are a good value.
    pub press_patience: Duration,
    /// The few texts that the adapter sends by itself.
    pub texts_for: TelegramTextsFor,
    /// Rows that all processes share, and the health report.
    pub shared: PlatformServices,
    /// The Mini App that shows boards inside Telegram, if there is one.
    pub app: Option<MiniApp>,
}

/// A page that Telegram shows inside itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniApp {
    /// Its public address, without a slash at the end.
    pub page: String,
    /// The short name by which groups link to the page, if it has one.
    pub short_name: Option<String>,
    /// The public key with which Telegram signs the data of the person who opens the page; the
    /// token is the other secret in that check.
    pub key: [u8; 32],
}

impl MiniApp {
    /// Describes the page at this address, with Telegram's own signing key.
    pub fn new(page: String, short_name: Option<String>) -> Self {
        Self { page, short_name, key: init_data::PUBLIC_KEY }
    }
}

/// The placeholder for a name in [`TelegramTexts::addressed`].
pub const NAME_PLACEHOLDER: &str = "\u{fffc}";

/// Returns the adapter's own texts in the language of a locale.
pub type TelegramTextsFor = Arc<dyn Fn(Option<&str>) -> TelegramTexts + Send + Sync>;

/// The texts that the adapter sends by itself. A private text that can only be shown after a button
/// press is hidden behind a button in the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramTexts {
    /// The public text above the button.
    pub envelope: String,
    /// The same if the reader's name is known; the name replaces [`NAME_PLACEHOLDER`].
    pub addressed: String,
    /// The label of the button that shows the text.
    pub open: String,
    /// Shown to another person who presses the button.
    pub not_yours: String,
    /// Shown when the text is no longer stored.
    pub expired: String,
    /// Offered to a person who types an inline query and has nothing to choose; leads to the
    /// private chat.
    pub nothing: String,
}

/// Why the adapter could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum TelegramError {
    /// The server does not accept the token.
    #[error("telegram refuses TELEGRAM_TOKEN: copy the token again from @BotFather")]
    InvalidToken,
    /// The server cannot be reached or does not answer as a Bot API server does.
    #[error("the Telegram Bot API server does not answer: {0}")]
    Unreachable(String),
    /// The server refuses a call that the start needs.
    #[error("telegram refuses {call}: {text}")]
    Refused {
        /// The method of the call.
        call: &'static str,
        /// The server's description.
        text: String,
    },
}

impl TelegramError {
    fn from_call(call: &'static str, error: TelegramCallError) -> Self {
        match error {
            TelegramCallError::Api { code: 401, .. } => TelegramError::InvalidToken,
            TelegramCallError::Api { code: 404, .. } if call == "getMe" => {
                TelegramError::InvalidToken
            }
            TelegramCallError::Api { code: 429 | 500.., text, .. } => {
                TelegramError::Unreachable(text)
            }
            TelegramCallError::Api { text, .. } => TelegramError::Refused { call, text },
            TelegramCallError::RateLimited(_) => TelegramError::Unreachable(error.to_string()),
            TelegramCallError::Network(text) => TelegramError::Unreachable(text),
        }
    }
}

/// Returns the time in milliseconds since 1970.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The bot on Telegram: the implementation of [`Platform`](caravanserai_protocol::Platform).
pub struct TelegramPlatform {
    api: BotApi,
    me: Me,
    app: Option<MiniApp>,
    token: String,
    /// Whether the bot receives mentions in chats in which it is no member.
    receives_mentions: bool,
    patience: Duration,
    words: TelegramTextsFor,
    memory: Mutex<TelegramMemory>,
    rows: PlatformRows,
    /// The messages that people post, counted for all processes.
    message_tracker: MessageTracker,
    state: HealthReporter,
    /// Whether the server knows ephemeral messages: a value of `ephemeral`.
    ephemerals: AtomicU8,
    /// Makes the numbers of hidden replies: they cannot be guessed, and no two processes make the
    /// same number.
    numbers: RandomState,
    next_number: AtomicU64,
    /// Updates with a lower id were handled.
    confirmed_to: AtomicI32,
    /// A fixed set of locks that all chats share: updates of one chat are handled one after the
    /// other.
    turns: Vec<tokio::sync::Mutex<()>>,
    reply_tasks: TaskLimit,
    deferred: DeferredUpdates,
    lines: AuthorQueues,
    /// Updates that could not be stored, and whose authors were already informed.
    unsaved: Mutex<HashSet<String>>,
    /// The listener that handles the updates.
    listener_ref: Mutex<Option<Weak<dyn UpdateHandler>>>,
}

impl TelegramPlatform {
    /// Asks the server who the bot is.
    ///
    /// # Errors
    /// A wrong token, or no Bot API server at that address.
    pub async fn connect(settings: TelegramSettings) -> Result<Arc<Self>, TelegramError> {
        let usable = |c: char| c.is_ascii_alphanumeric() || c == ':' || c == '_' || c == '-';
        if settings.token.is_empty() || !settings.token.chars().all(usable) {
            return Err(TelegramError::InvalidToken);
        }
        let api = BotApi::new(&settings.api_url, &settings.token)
            .map_err(|error| TelegramError::Unreachable(error.without_url().to_string()))?;
        let wrong = |error| TelegramError::from_call("getMe", error);
        let me: Value = api.call(&GetMe::new()).await.map_err(wrong)?;
        // teloxide does not know this field yet.
        let receives_mentions = me["supports_guest_queries"] == true;
        let me: Me = serde_json::from_value(me).map_err(|error| {
            wrong(TelegramCallError::Network(format!("unexpected answer: {error}")))
        })?;
        let rows = PlatformRows::new(settings.shared.store);
        let telegram = Self {
            api,
            me,
            app: settings.app,
            token: settings.token,
            receives_mentions,
            patience: settings.press_patience,
            words: settings.texts_for,
            memory: Mutex::new(TelegramMemory::new()),
            ephemerals: AtomicU8::new(private_delivery::ephemeral::UNKNOWN),
            message_tracker: MessageTracker::new(&rows, "tg"),
            rows,
            state: settings.shared.reporter,
            numbers: RandomState::new(),
            next_number: AtomicU64::new(0),
            confirmed_to: AtomicI32::new(0),
            turns: (0..256).map(|_| tokio::sync::Mutex::default()).collect(),
            reply_tasks: TaskLimit::default(),
            deferred: DeferredUpdates::default(),
            lines: AuthorQueues::default(),
            unsaved: Mutex::default(),
            listener_ref: Mutex::new(None),
        };
        telegram.probe_ephemerals().await;
        Ok(Arc::new(telegram))
    }

    /// The name of the bot after `@`.
    pub fn username(&self) -> &str {
        self.me.user.username.as_deref().unwrap_or_default()
    }

    /// Waits until every private reply under way was sent, at most five seconds. Called before the
    /// process ends.
    pub async fn drain(&self) {
        self.deferred.drain().await;
        self.reply_tasks.settle().await;
    }

    fn own_id(&self) -> i64 {
        i64::try_from(self.me.user.id.0).unwrap_or_default()
    }

    fn lock_memory(&self) -> MutexGuard<'_, TelegramMemory> {
        self.memory.lock().expect("nothing panics while holding this lock")
    }

    fn next_reply_number(&self) -> String {
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        format!("{:x}", self.numbers.hash_one(number))
    }
}
