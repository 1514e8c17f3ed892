//! Telegram: groups, topics and private chats through the Bot API.
//!
//! Must not know games, tables or the store: it turns Bot API updates into [`Update`]s for a
//! [`Listener`] and what the service says into calls. Start reading at [`Telegram`]; `intake`
//! holds polling and webhook, `parking` what waits for engines and networks, `lines` in which
//! order, `updates` reads them, `send` posts and edits, `privately` reaches one person (`readers`
//! by which ways, `slots` in place of what, `envelope` behind a button, `reports` who else is
//! told), `inline` answers what is typed to the bot, `init_data` knows who opens the Mini App,
//! `rights` tells what is not allowed, `menus` sets the lists of commands, `api` is the only code
//! that does HTTP.
//!
//! [`Listener`]: caravanserai_protocol::Listener
//! [`Update`]: caravanserai_protocol::Update

mod api;
mod envelope;
mod init_data;
mod inline;
mod intake;
mod lines;
mod markup;
mod memory;
mod menus;
mod parking;
mod privately;
mod readers;
mod reports;
mod rights;
mod rows;
mod send;
mod slots;
mod updates;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use serde_json::Value;
use teloxide::payloads::GetMe;
use teloxide::types::Me;

pub use self::menus::MenuCommand;

use self::api::{Api, CallError};
use self::init_data::Seal;
use self::lines::Lines;
use self::memory::Memory;
use self::parking::Parking;
use self::readers::PrivateChat;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
use caravanserai_games::words::Arg;
use caravanserai_platform_shared::Shared;
use caravanserai_platform_shared::notes::Notes;
use caravanserai_platform_shared::state::Reporter;
use caravanserai_platform_shared::talk::Talk;
use caravanserai_platform_shared::under_way::UnderWay;
use caravanserai_protocol::guests::{Unproven, Vouched};
use caravanserai_protocol::{
    Commands, Door, Listener, Manners, Outgoing, Platform, PrivateMessage, SendError, Window,
};

/// The server of Telegram itself; `TELEGRAM_API_URL` replaces it.
pub const API_URL: &str = "https://api.telegram.org";

/// What the adapter needs to run.
#[derive(Clone)]
pub struct Settings {
    /// The token that BotFather gave.
    pub token: String,
    /// The Bot API server, without a slash at the end.
    pub api_url: String,
    /// How long a press may wait for a decision before it is answered with nothing; Telegram
    /// shows a spinner until then. Two seconds are good.
    pub press_patience: Duration,
    /// The few words the adapter says by itself.
    pub words: Phrasebook,
    /// Rows for all processes, and where it says how it is.
    pub shared: Shared,
    /// Where boards are opened inside of Telegram, if they are.
    pub app: Option<MiniApp>,
}

/// A page that Telegram shows inside of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniApp {
    /// Its public address, without a slash at the end.
    pub page: String,
    /// The short name by which groups link to it, if it was given one.
    pub short_name: Option<String>,
    /// With which key Telegram signs who opens it, besides the token.
    pub key: [u8; 32],
}

impl MiniApp {
    /// The page at this address, signed for by Telegram itself.
    pub fn at(page: String, short_name: Option<String>) -> Self {
        Self { page, short_name, key: init_data::PUBLIC_KEY }
    }
}

/// The placeholder for a name in [`Words::addressed`].
pub const NAME: &str = "\u{fffc}";

/// Gives the adapter's own words in the language of a locale.
pub type Phrasebook = Arc<dyn Fn(Option<&str>) -> Words + Send + Sync>;

/// What the adapter says by itself: a private text that can only be shown after a press waits
/// behind a button in the group, like a letter in an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The public text above the button.
    pub envelope: String,
    /// The same if the name of the reader is known; the name replaces [`NAME`].
    pub addressed: String,
    /// The button that opens it.
    pub open: String,
    /// Said to somebody else who presses it.
    pub not_yours: String,
    /// Said when the text is not known any more.
    pub expired: String,
    /// Offered to somebody who types to the bot and has nothing to choose: leads to the private
    /// chat.
    pub nothing: String,
}

/// Why the adapter could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum TelegramError {
    /// The server does not know the token.
    #[error("telegram refuses TELEGRAM_TOKEN: copy the token again from @BotFather")]
    Token,
    /// The server cannot be reached or does not answer as a Bot API server does.
    #[error("the Telegram Bot API server does not answer: {0}")]
    Unreachable(String),
    /// The server refuses a call that the start needs.
    #[error("telegram refuses {call}: {text}")]
    Refused {
        /// Which call.
        call: &'static str,
        /// What the server says.
        text: String,
    },
}

impl TelegramError {
    fn from_call(call: &'static str, error: CallError) -> Self {
        match error {
            CallError::Api { code: 401, .. } => TelegramError::Token,
            CallError::Api { code: 404, .. } if call == "getMe" => TelegramError::Token,
            CallError::Api { code: 429 | 500.., text, .. } => TelegramError::Unreachable(text),
            CallError::Api { text, .. } => TelegramError::Refused { call, text },
            CallError::Busy(_) => TelegramError::Unreachable(error.to_string()),
            CallError::Network(text) => TelegramError::Unreachable(text),
        }
    }
}

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The adapter.
pub struct Telegram {
    api: Api,
    me: Me,
    app: Option<MiniApp>,
    token: String,
    /// Whether it hears of people who name it where it is no member.
    hears_summons: bool,
    patience: Duration,
    words: Phrasebook,
    memory: Mutex<Memory>,
    notes: Notes,
    /// What people say, for all processes.
    talk: Talk,
    state: Reporter,
    /// Whether the server knows ephemeral messages: a value of `ephemeral`.
    ephemerals: AtomicU8,
    /// Numbers of envelopes: nobody guesses them, and no other process gives the same.
    numbers: RandomState,
    next_number: AtomicU64,
    /// Updates before this one were heard.
    heard_to: AtomicI32,
    /// One lock for many chats: updates of one chat are heard one after the other.
    turns: Vec<tokio::sync::Mutex<()>>,
    telling: UnderWay,
    parking: Parking,
    lines: Lines,
    /// Updates that could not be kept, and whose people know it.
    unkept: Mutex<HashSet<String>>,
    /// Who hears the updates.
    ears: Mutex<Option<Weak<dyn Listener>>>,
}

impl Telegram {
    /// Asks the server who the bot is.
    ///
    /// # Errors
    /// A wrong token, or no Bot API server at that address.
    pub async fn connect(settings: Settings) -> Result<Arc<Self>, TelegramError> {
        let usable = |c: char| c.is_ascii_alphanumeric() || c == ':' || c == '_' || c == '-';
        if settings.token.is_empty() || !settings.token.chars().all(usable) {
            return Err(TelegramError::Token);
        }
        let api = Api::new(&settings.api_url, &settings.token)
            .map_err(|error| TelegramError::Unreachable(error.without_url().to_string()))?;
        let wrong = |error| TelegramError::from_call("getMe", error);
        let me: Value = api.call(&GetMe::new()).await.map_err(wrong)?;
        // teloxide does not know this field yet.
        let hears_summons = me["supports_guest_queries"] == true;
        let me: Me = serde_json::from_value(me)
            .map_err(|error| wrong(CallError::Network(format!("unexpected answer: {error}"))))?;
        let notes = Notes::new(settings.shared.notebook);
        let telegram = Self {
            api,
            me,
            app: settings.app,
            token: settings.token,
            hears_summons,
            patience: settings.press_patience,
            words: settings.words,
            memory: Mutex::new(Memory::new()),
            ephemerals: AtomicU8::new(privately::ephemeral::UNKNOWN),
            talk: Talk::new(&notes, "tg"),
            notes,
            state: settings.shared.state,
            numbers: RandomState::new(),
            next_number: AtomicU64::new(0),
            heard_to: AtomicI32::new(0),
            turns: (0..256).map(|_| tokio::sync::Mutex::default()).collect(),
            telling: UnderWay::default(),
            parking: Parking::default(),
            lines: Lines::default(),
            unkept: Mutex::default(),
            ears: Mutex::new(None),
        };
        telegram.probe_ephemerals().await;
        Ok(Arc::new(telegram))
    }

    /// The name of the bot after `@`.
    pub fn username(&self) -> &str {
        self.me.user.username.as_deref().unwrap_or_default()
    }

    /// Waits until every private answer under way was given, at most five seconds: the process
    /// is about to end.
    pub async fn settle(&self) {
        self.parking.settle().await;
        self.telling.settle().await;
    }

    fn own_id(&self) -> i64 {
        i64::try_from(self.me.user.id.0).unwrap_or_default()
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().expect("nobody panics while holding the memory")
    }

    fn envelope_number(&self) -> String {
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        format!("{:x}", self.numbers.hash_one(number))
    }
}

#[async_trait]
impl Platform for Telegram {
    fn name(&self) -> &'static str {
        "tg"
    }

    fn calls_per_minute(&self, place: &PlaceId) -> u32 {
        // Telegram stands 20 a minute in a group and about one a second elsewhere.
        match send::target(place) {
            Some(target) if target.chat < 0 => 18,
            _ => 55,
        }
    }

    fn lacking(&self, place: &PlaceId) -> Vec<Arg> {
        send::target(place).map(|it| self.lacked(it.chat)).unwrap_or_default()
    }

    /// The nonce is not used: the Bot API has nothing to refuse a second copy with.
    async fn post(&self, place: &PlaceId, message: &Outgoing) -> Result<MessageId, SendError> {
        self.post_to(place, message).await
    }

    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        self.edit_at(place, id, message).await
    }

    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError> {
        self.delete_at(place, id).await
    }

    fn whispers_buttons(&self, place: &PlaceId) -> bool {
        send::target(place).is_some_and(|it| self.shows_buttons(it.chat))
    }

    async fn whisper(
        &self,
        place: &PlaceId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        self.whisper_to(place, person, slot, message).await
    }

    async fn sole_reader(&self, place: &PlaceId) -> Result<Option<PersonId>, SendError> {
        let chat = PrivateChat::of_place(place);
        Ok(chat.map(|it| PersonId(format!("tg:{}", it.person()))))
    }

    async fn catch_up(&self, place: &PlaceId) {
        if let Some(target) = send::target(place) {
            self.learn(target).await;
        }
    }

    fn buried(&self, place: &PlaceId, id: &MessageId) -> u32 {
        match (send::target(place), id.0.parse()) {
            (Some(target), Ok(id)) => self.memory().buried(target.chat, target.thread, id),
            _ => 0,
        }
    }

    /// Telegram lets bots write to nobody who has not begun the chat: asked without a message.
    async fn private_place(&self, person: &PersonId) -> Result<PlaceId, SendError> {
        let id = person.0.strip_prefix("tg:").and_then(|it| it.parse::<i64>().ok());
        let id = id.filter(|it| *it > 0).ok_or(SendError::NotAllowed)?;
        self.knock(id).await
    }

    fn private_door(&self, code: &str) -> Option<String> {
        let name = self.me.user.username.as_ref()?;
        Some(format!("https://t.me/{name}?start={code}"))
    }

    async fn keeps_order(&self, place: &PlaceId, person: &PersonId) -> bool {
        let id = person.0.strip_prefix("tg:").and_then(|it| it.parse::<i64>().ok());
        match (send::target(place), id) {
            (Some(target), Some(id)) if target.chat < 0 => self.is_admin(target.chat, id).await,
            _ => false,
        }
    }

    fn doors(&self, code: &str) -> Vec<Door> {
        let Some(name) = &self.me.user.username else { return Vec::new() };
        let door =
            |to_group, way| Door { to_group, link: format!("https://t.me/{name}?{way}={code}") };
        vec![door(false, "start"), door(true, "startgroup")]
    }

    fn window(&self, _place: &PlaceId, alone: bool, code: Option<&str>) -> Option<Window> {
        let MiniApp { page, short_name, .. } = self.app.as_ref()?;
        if alone {
            let table = code.map(|it| format!("?table={it}")).unwrap_or_default();
            return Some(Window::App(format!("{page}/board{table}")));
        }
        let start = code.map(|it| format!("?startapp={it}")).unwrap_or_default();
        let link = format!("https://t.me/{}/{}{start}", self.username(), short_name.as_ref()?);
        Some(Window::Link(link))
    }

    async fn vouch(&self, data: &str, _: Option<&str>) -> Result<Vouched, Unproven> {
        let app = self.app.as_ref().ok_or(Unproven::Unreachable)?;
        let seal = Seal { token: &self.token, bot: self.me.user.id.0, key: app.key };
        seal.read(data, now_ms() / 1_000)
    }

    async fn is_member(&self, place: &PlaceId, person: &PersonId) -> bool {
        let id = person.0.strip_prefix("tg:").and_then(|it| it.parse::<i64>().ok());
        match (send::target(place), id) {
            (Some(target), Some(id)) if target.chat < 0 => self.has_member(target.chat, id).await,
            _ => false,
        }
    }

    fn manners(&self) -> Manners {
        let name = self.me.user.username.as_ref();
        Manners {
            invitation: name.map(|name| format!("https://t.me/{name}?startgroup=play")),
            greets: true,
            posing: name.filter(|_| self.me.supports_inline_queries).map(|name| format!("@{name}")),
            commands: Commands::Linked,
            ..Manners::default()
        }
    }

    /// Groups have negative numbers. Nothing is known of a chat in which the bot is no member.
    fn is_open(&self, place: &PlaceId) -> bool {
        inline::only_message(place).is_none() && send::target(place).is_some_and(|it| it.chat < 0)
    }

    fn only_message(&self, place: &PlaceId) -> Option<MessageId> {
        inline::only_message(place)
    }

    fn link(&self, place: &PlaceId, id: &MessageId) -> Option<String> {
        let target = send::target(place)?;
        let message: i32 = id.0.parse().ok()?;
        let thread = target.thread.map(|it| format!("{it}/")).unwrap_or_default();
        if let Some(name) = self.memory().name(target.chat) {
            return Some(format!("https://t.me/{name}/{thread}{message}"));
        }
        let inner = -1_000_000_000_000 - target.chat;
        (inner > 0).then(|| format!("https://t.me/c/{inner}/{thread}{message}"))
    }
}
