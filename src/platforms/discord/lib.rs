//! Discord: slash commands, buttons, private answers and boards that are edited in place.
//!
//! Start reading at [`DiscordPlatform`]. `gateway` and `interactions` are the two ways of hearing, `events`
//! is what is heard, `turns` in which order, `translate` makes updates of it; `answers` answers
//! interactions in time, `waiting` holds those that the board itself may answer, `envelope` typed
//! words; `requests` is the side the service uses, `readers` the ways to one person alone, `slots`
//! holds private messages that replace each other, `rows` what the next press needs, `spelling`
//! spells messages, `rest` makes the calls, `activity` knows who opens our page inside Discord,
//! `menu` registers the commands, `memory` holds what
//! makes things nicer but is never needed. One privileged intent is asked for, if its host wants
//! to know who leaves a server; words that people write are read only in direct messages and where
//! the bot is mentioned or answered, which Discord shows to every bot.

mod activity;
mod command_menu;
mod convert;
mod discord_cache;
mod event_order;
mod gateway_client;
mod gateway_events;
mod interaction_endpoint;
mod interaction_responses;
mod payloads;
mod pending_interactions;
mod platform;
mod private_readers;
mod replaceable_messages;
mod rest_client;
mod reveal_button;
mod storage;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::Value;
use serenity::all::Permissions;
use tokio::sync::watch;

pub use command_menu::{DiscordMenuCommand, DiscordMenuOption, LocalizedText, OptionKind};
pub use interaction_endpoint::PublicKey;

use caravanserai_platform_shared::PlatformServices;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_platform_shared::message_tracker::MessageTracker;
use caravanserai_platform_shared::platform_rows::PlatformRows;
use discord_cache::DiscordMemory;
use event_order::EventOrder;
use pending_interactions::PendingInteractions;
use rest_client::{DiscordCallError, DiscordRest};

/// What the bot needs where it plays.
const PERMISSIONS: Permissions = Permissions::VIEW_CHANNEL
    .union(Permissions::SEND_MESSAGES)
    .union(Permissions::SEND_MESSAGES_IN_THREADS)
    .union(Permissions::ATTACH_FILES)
    .union(Permissions::READ_MESSAGE_HISTORY);

/// The flags of an application that may see the members of servers: of many, of few (Discord's
/// `GATEWAY_GUILD_MEMBERS` and `GATEWAY_GUILD_MEMBERS_LIMITED`).
const MEMBERS_FLAGS: u64 = 1 << 14 | 1 << 15;

/// How long after that the last presses may take to be answered.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(2_500);

/// Milliseconds that only go forward, since any moment: the clock of the machine may jump.
pub type DiscordClock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What the adapter must be told.
#[derive(Clone)]
pub struct DiscordSettings {
    /// The bot's token, without any word before it.
    pub token: String,
    /// What stands in for `https://discord.com`, if something does.
    pub api_url: Option<String>,
    /// How long a decision may take before Discord is told to wait; it gives up after 3 s.
    pub watchdog: Duration,
    /// Where the time comes from.
    pub clock: DiscordClock,
    /// What the adapter itself has to say.
    pub texts: DiscordTexts,
    /// Rows for all processes, and where it says how it is.
    pub shared: PlatformServices,
    /// Where it says how the gateway is, if commands and presses come another way.
    pub gateway: Option<HealthReporter>,
    /// By which people who open the Activity are known, if there is one.
    pub client_secret: Option<String>,
    /// Whether Discord is asked to tell who leaves a server and who comes.
    pub members: bool,
}

/// Where the names of permissions go in [`DiscordTexts::missing_permissions`].
pub const PERMISSIONS_PLACEHOLDER: &str = "{rights}";

/// What the adapter itself has to say, in the language of the one who acted.
#[derive(Clone, Debug, Default)]
pub struct DiscordTexts {
    /// The bot lacks permissions in this channel; their names stand where [`PERMISSIONS_PLACEHOLDER`] is.
    pub missing_permissions: LocalizedText,
    /// Stands above the button behind which a private answer waits.
    pub envelope: LocalizedText,
    /// The button that shows it.
    pub open: LocalizedText,
    /// Said to somebody else who presses it.
    pub not_yours: LocalizedText,
    /// Said when the answer is not known any more.
    pub expired: LocalizedText,
    /// The first message of a private board, which shows whether messages reach the person.
    pub private: LocalizedText,
}

impl DiscordSettings {
    /// The usual settings for a token: Discord itself, the time since now.
    pub fn new(token: impl Into<String>, texts: DiscordTexts) -> Self {
        let start = Instant::now();
        DiscordSettings {
            token: token.into(),
            api_url: None,
            watchdog: Duration::from_secs(2),
            clock: Arc::new(move || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)),
            texts,
            shared: PlatformServices::for_single_process("dc"),
            gateway: None,
            client_secret: None,
            members: false,
        }
    }
}

/// Why Discord is not served. No text holds the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscordStartError {
    /// Discord does not know the token.
    #[error("Discord does not accept the token (401): copy it again from the developer portal")]
    BadToken,
    /// Discord refuses something else, such as a wrong command.
    #[error("Discord refuses: {0}")]
    Refused(String),
    /// No connection; worth another try.
    #[error("Discord cannot be reached: {0}")]
    Unreachable(String),
}

impl From<DiscordCallError> for DiscordStartError {
    fn from(error: DiscordCallError) -> Self {
        match error {
            DiscordCallError::Refused { status: 401, .. } => DiscordStartError::BadToken,
            DiscordCallError::Refused { status: 500.., .. } | DiscordCallError::RateLimited(_) => {
                DiscordStartError::Unreachable(error.to_string())
            }
            DiscordCallError::Refused { .. } => DiscordStartError::Refused(error.to_string()),
            DiscordCallError::Network(words) => DiscordStartError::Unreachable(words),
        }
    }
}

/// What Discord says of the application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiscordApplication {
    /// The key with which it signs what it posts, as hexadecimal digits.
    pub public_key: Option<String>,
    /// Where it posts commands and presses, instead of telling them at the gateway.
    pub interactions_url: Option<String>,
    /// Whether it may be asked to tell who leaves a server.
    pub has_members_intent: bool,
}

impl DiscordApplication {
    /// Reads the answer to `/applications/@me`.
    pub fn from_json(about: &Value) -> Self {
        let text = |name: &str| about[name].as_str().filter(|it| !it.is_empty());
        DiscordApplication {
            public_key: text("verify_key").map(str::to_owned),
            interactions_url: text("interactions_endpoint_url").map(str::to_owned),
            has_members_intent: about["flags"].as_u64().is_some_and(|it| it & MEMBERS_FLAGS != 0),
        }
    }
}

/// The bot on Discord. Cheap to clone.
#[derive(Clone)]
pub struct DiscordPlatform {
    inner: Arc<DiscordInner>,
}

struct DiscordInner {
    rest: DiscordRest,
    settings: DiscordSettings,
    /// The application, which interactions' webhooks belong to.
    app: u64,
    /// What Discord says of it.
    application: DiscordApplication,
    /// Whether boards are opened inside Discord.
    activity: bool,
    /// The bot's own user.
    me: u64,
    memory: Mutex<DiscordMemory>,
    notes: PlatformRows,
    /// What people say, for all processes.
    talk: MessageTracker,
    state: HealthReporter,
    /// How the gateway is; the same as `state` if everything comes over it.
    gateway: HealthReporter,
    turns: Arc<EventOrder>,
    waiting: Arc<PendingInteractions>,
    numbers: RandomState,
    next_number: AtomicU64,
    menu: Mutex<Vec<DiscordMenuCommand>>,
    /// What the slash commands are called so that people can press on them, by name.
    called: Mutex<Arc<BTreeMap<String, String>>>,
    /// Events being dealt with.
    events: watch::Sender<usize>,
    /// Whether the gateway let us in since this was last asked.
    connected: AtomicBool,
    /// Whether it is still asked to tell who leaves a server: until it refuses.
    members: AtomicBool,
}

/// An event being dealt with, until this is dropped.
struct EventGuard(watch::Sender<usize>);

impl Drop for EventGuard {
    fn drop(&mut self) {
        self.0.send_modify(|it| *it -= 1);
    }
}

impl DiscordInner {
    /// Remembers the numbers of the slash commands: with them people can press on a name.
    fn remember_command_ids(&self, commands: &Value) {
        let known = commands.as_array().into_iter().flatten().filter_map(|it| {
            let (name, id) = (it["name"].as_str()?, it["id"].as_str()?);
            Some((name.to_owned(), format!("</{name}:{id}>")))
        });
        *self.called.lock().expect("nothing panics under this lock") = Arc::new(known.collect());
    }

    fn lock_memory(&self) -> MutexGuard<'_, DiscordMemory> {
        self.memory.lock().expect("nothing panics under this lock")
    }

    fn begin_event(&self) -> EventGuard {
        self.events.send_modify(|it| *it += 1);
        EventGuard(self.events.clone())
    }

    /// A text that no process gives twice.
    fn unique_id(&self) -> String {
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        format!("{:x}", self.numbers.hash_one(number))
    }

    fn report_connected(&self) {
        self.gateway.report_serving();
        self.connected.store(true, Ordering::Relaxed);
    }

    /// Waits until every event was dealt with: what was pressed just before the end is answered.
    async fn drain_events(&self) {
        let mut events = self.events.subscribe();
        let none = events.wait_for(|it| *it == 0);
        if tokio::time::timeout(DRAIN_TIMEOUT, none).await.is_err() {
            tracing::warn!("some presses were not answered before the end");
        }
    }
}

impl DiscordPlatform {
    /// Asks Discord who the bot is.
    ///
    /// # Errors
    /// [`DiscordStartError::BadToken`] at once when the token is wrong; [`DiscordStartError::Unreachable`] when
    /// another try may help.
    pub async fn connect(settings: DiscordSettings) -> Result<Self, DiscordStartError> {
        let clock = Arc::clone(&settings.clock);
        let rest = DiscordRest::new(&settings.token, settings.api_url.as_deref(), clock)?;
        let id = |value: &Value| value["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let lacking = || DiscordStartError::Refused("an answer without an id".to_owned());
        let me = id(&rest.get("/users/@me").await?).ok_or_else(lacking)?;
        let about = rest.get("/applications/@me").await?;
        let app = id(&about).ok_or_else(lacking)?;
        let PlatformServices { store: notebook, reporter: state } = settings.shared.clone();
        let gateway = settings.gateway.clone().unwrap_or_else(|| state.clone());
        let notes = PlatformRows::new(notebook);
        let activity = activity::is_enabled(&settings, &about);
        let members = AtomicBool::new(settings.members);
        let inner = DiscordInner {
            activity,
            members,
            rest,
            settings,
            talk: MessageTracker::new(&notes, "dc"),
            notes,
            state,
            gateway,
            turns: Arc::default(),
            waiting: Arc::default(),
            numbers: RandomState::new(),
            next_number: AtomicU64::new(0),
            app,
            application: DiscordApplication::from_json(&about),
            me,
            memory: Mutex::new(DiscordMemory::new()),
            menu: Mutex::default(),
            called: Mutex::default(),
            events: watch::Sender::new(0),
            connected: AtomicBool::new(false),
        };
        Ok(DiscordPlatform { inner: Arc::new(inner) })
    }

    /// Makes these the slash commands everywhere. Tells whether Discord had to be told: it takes
    /// only so many changes a day.
    ///
    /// # Errors
    /// [`DiscordStartError::Refused`] with the place of the mistake when a command is not as Discord
    /// wants it.
    pub async fn register_commands(
        &self,
        menu: &[DiscordMenuCommand],
    ) -> Result<bool, DiscordStartError> {
        let inner = &self.inner;
        *inner.menu.lock().expect("nothing panics under this lock") = menu.to_vec();
        let path = format!("/applications/{}/commands", inner.app);
        let listed = inner.rest.get(&format!("{path}?with_localizations=true")).await?;
        let wanted = command_menu::commands_to_json(menu, inner.activity, &listed);
        if command_menu::is_same_menu(&wanted, &listed) {
            inner.remember_command_ids(&listed);
            return Ok(false);
        }
        let set = inner.rest.call(Method::PUT, &path, Some(&wanted), &[]).await?;
        inner.remember_command_ids(&set);
        Ok(true)
    }

    /// What Discord said of the application at the start.
    pub fn application(&self) -> &DiscordApplication {
        &self.inner.application
    }

    /// The address at which somebody adds the bot to a server, with the permissions it needs.
    pub fn server_invite_url(&self) -> String {
        let (app, bits) = (self.inner.app, PERMISSIONS.bits());
        let scope = "bot+applications.commands";
        format!(
            "https://discord.com/oauth2/authorize?client_id={app}&scope={scope}&permissions={bits}"
        )
    }

    /// The address at which somebody adds the bot for themselves, to use it wherever they are.
    pub fn user_install_url(&self) -> String {
        let app = self.inner.app;
        format!(
            "https://discord.com/oauth2/authorize?client_id={app}&integration_type=1&\
             scope=applications.commands"
        )
    }

    /// Waits until every event that came so far was dealt with, at most a few seconds.
    pub async fn drain(&self) {
        self.inner.drain_events().await;
    }
}
