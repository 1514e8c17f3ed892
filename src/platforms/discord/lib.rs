//! Connects Discord to the service: slash commands, buttons, private replies, and boards that are
//! edited in place.
//!
//! Start reading at [`DiscordPlatform`].
//!
//! Receiving: `gateway_client` connects to the gateway, `interaction_endpoint` receives
//! interactions by HTTP, `gateway_events` handles both, `server_events` reports what moderators do,
//! `audit_log` reads what they did while no events arrived, `event_order` keeps the events in
//! order, `convert` makes updates of them. Replying: `interaction_responses` answers interactions
//! in time, `pending_interactions` lets the board itself be the answer, `reveal_button` hides
//! replies to typed text behind a button. Sending: `platform` is the interface for the service,
//! `private_readers` lists the ways to one person, `replaceable_messages` replaces older private
//! messages, `payloads` builds messages, `rest_client` makes the calls. State: `storage` keeps rows
//! for all processes, `discord_cache` keeps what may be lost. `activity` verifies who opens the
//! Activity, `command_menu` registers the commands.
//!
//! The bot asks for one privileged intent, if its operator wants to know who leaves a server. It
//! reads typed text only in direct messages and where the bot is mentioned or replied to, which
//! Discord shows to every bot.

mod activity;
mod audit_log;
mod command_mentions;
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
mod server_events;
mod storage;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use reqwest::Method;
use serde_json::Value;
use serenity::all::{Permissions, Timestamp};
use tokio::sync::{Semaphore, watch};

pub use command_menu::{
    DiscordMenuCommand, DiscordMenuEntry, DiscordMenuGroup, DiscordMenuOption, LocalizedText,
    OptionKind,
};
pub use interaction_endpoint::PublicKey;

use caravanserai_platform_shared::PlatformServices;
use caravanserai_platform_shared::health_reporter::HealthReporter;
use caravanserai_platform_shared::message_tracker::MessageTracker;
use caravanserai_platform_shared::platform_rows::PlatformRows;
use command_mentions::CommandMentions;
use discord_cache::DiscordCache;
use event_order::EventOrder;
use pending_interactions::{DeferredAnswers, PendingInteractions};
use rest_client::{DiscordCallError, DiscordRest};

/// The permissions that the bot asks for in a server. The audit log tells who was kicked or banned
/// by others; all others are needed in its channels.
const PERMISSIONS: Permissions = Permissions::VIEW_CHANNEL
    .union(Permissions::SEND_MESSAGES)
    .union(Permissions::SEND_MESSAGES_IN_THREADS)
    .union(Permissions::ATTACH_FILES)
    .union(Permissions::EMBED_LINKS)
    .union(Permissions::READ_MESSAGE_HISTORY)
    .union(Permissions::VIEW_AUDIT_LOG);

/// The flags of an application that may see the members of servers, of many or of few (Discord's
/// `GATEWAY_GUILD_MEMBERS` and `GATEWAY_GUILD_MEMBERS_LIMITED`).
const MEMBERS_FLAGS: u64 = 1 << 14 | 1 << 15;

/// Discord's number of the way to add an application to one's own account.
const USER_INSTALL: &str = "1";

/// How long the shutdown waits for the last presses to be answered.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(2_500);

/// Returns milliseconds since any fixed moment, never decreasing: the clock of the machine may
/// jump.
pub type DiscordClock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The settings of the adapter.
#[derive(Clone)]
pub struct DiscordSettings {
    /// The bot's token, without a prefix such as `Bot`.
    pub token: String,
    /// The server to use instead of `https://discord.com`, if any.
    pub api_url: Option<String>,
    /// How long a decision may take before Discord gets a deferred answer; Discord gives up after 3
    /// s.
    pub watchdog: Duration,
    /// The clock.
    pub clock: DiscordClock,
    /// The texts that the adapter sends by itself.
    pub texts: DiscordTexts,
    /// Rows that all processes share, and the health report.
    pub shared: PlatformServices,
    /// The health report of the gateway, if interactions come by HTTP.
    pub gateway: Option<HealthReporter>,
    /// The OAuth secret that identifies people who open the Activity, if there is one.
    pub client_secret: Option<String>,
    /// Whether to ask Discord for events about who joins and leaves a server.
    pub members: bool,
}

/// The placeholder for permission names in [`DiscordTexts::missing_permissions`].
pub const PERMISSIONS_PLACEHOLDER: &str = "{rights}";

/// The texts that the adapter sends by itself, in the language of the person who acted.
#[derive(Clone, Debug, Default)]
pub struct DiscordTexts {
    /// The bot lacks permissions in this channel; their names replace [`PERMISSIONS_PLACEHOLDER`].
    pub missing_permissions: LocalizedText,
    /// Others would not see what the command posts: the server does not let its sender use apps
    /// that it has not installed.
    pub external_apps: LocalizedText,
    /// Only moderators can act in this thread, because it is locked.
    pub thread_locked: LocalizedText,
    /// Discord hides the text of a reply that does not mention the bot.
    pub unreadable_reply: LocalizedText,
    /// The text above the button that reveals a private reply.
    pub envelope: LocalizedText,
    /// The label of the button.
    pub open: LocalizedText,
    /// Shown to another person who presses the button.
    pub not_yours: LocalizedText,
    /// Shown when the reply is no longer stored.
    pub expired: LocalizedText,
    /// A reply could not be shown; another press may show it.
    pub trouble: LocalizedText,
    /// The first message of a private board; it shows whether messages reach the person.
    pub private: LocalizedText,
}

impl DiscordSettings {
    /// Creates the usual settings for a token: Discord itself, and a clock that starts now.
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

/// Why Discord cannot be used. No text contains the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscordStartError {
    /// Discord does not accept the token.
    #[error("Discord does not accept the token (401): copy it again from the developer portal")]
    BadToken,
    /// Discord refuses something else, such as a wrong command.
    #[error("Discord refuses: {0}")]
    Refused(String),
    /// The connection failed; another try may help.
    #[error("failed to reach Discord: {0}")]
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

/// Discord's description of the application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiscordApplication {
    /// The key with which Discord signs interactions that it posts, as hexadecimal digits.
    pub public_key: Option<String>,
    /// The URL to which Discord posts interactions instead of sending them over the gateway.
    pub interactions_url: Option<String>,
    /// Whether the application may ask for events about who leaves a server.
    pub has_members_intent: bool,
    /// Whether people may add the bot to their own accounts.
    pub has_user_install: bool,
}

impl DiscordApplication {
    /// Parses the response of `/applications/@me`.
    pub fn from_json(about: &Value) -> Self {
        let text = |name: &str| about[name].as_str().filter(|it| !it.is_empty());
        DiscordApplication {
            public_key: text("verify_key").map(str::to_owned),
            interactions_url: text("interactions_endpoint_url").map(str::to_owned),
            has_user_install: about["integration_types_config"]
                .as_object()
                .is_none_or(|it| it.contains_key(USER_INSTALL)),
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
    /// The id of the application, which owns the webhooks of interactions.
    app: u64,
    /// Discord's description of the application.
    application: DiscordApplication,
    /// Whether boards can be opened inside Discord.
    activity: bool,
    /// The id of the bot's own user.
    me: u64,
    memory: Mutex<DiscordCache>,
    rows: PlatformRows,
    /// The messages that people post, counted for all processes.
    message_tracker: MessageTracker,
    state: HealthReporter,
    /// The health of the gateway; the same as `state` if interactions come over it.
    gateway: HealthReporter,
    turns: Arc<EventOrder>,
    waiting: Arc<PendingInteractions>,
    deferred: DeferredAnswers,
    numbers: RandomState,
    next_number: AtomicU64,
    menu: Mutex<Arc<Vec<DiscordMenuEntry>>>,
    command_mentions: Mutex<Arc<CommandMentions>>,
    /// The number of events being handled.
    events: watch::Sender<usize>,
    /// Whether the gateway has accepted a connection since this was last reset.
    connected: AtomicBool,
    /// Whether to ask for member events: true until Discord refuses.
    members: AtomicBool,
    /// The timeouts whose end a task of this process reports: the server, the member, the end.
    timeouts: Mutex<HashSet<(u64, u64, Timestamp)>>,
    /// Bounds the servers whose missed audit log entries are reported at once.
    audit_reads: Semaphore,
}

/// Counts an event as being handled until it is dropped.
struct EventGuard(watch::Sender<usize>);

impl Drop for EventGuard {
    fn drop(&mut self) {
        self.0.send_modify(|it| *it -= 1);
    }
}

impl DiscordInner {
    fn begin_event(&self) -> EventGuard {
        self.events.send_modify(|it| *it += 1);
        EventGuard(self.events.clone())
    }

    /// Creates a text that no process creates twice.
    fn unique_id(&self) -> String {
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        format!("{:x}", self.numbers.hash_one(number))
    }

    /// The clickable mentions of the registered commands.
    fn command_mentions(&self) -> Arc<CommandMentions> {
        self.command_mentions.lock().clone()
    }

    fn report_connected(&self) {
        self.gateway.report_serving();
        self.connected.store(true, Ordering::Relaxed);
    }

    /// Waits until every event is handled, so that presses just before the end are answered.
    async fn drain_events(&self) {
        let mut events = self.events.subscribe();
        let none = events.wait_for(|it| *it == 0);
        if tokio::time::timeout(DRAIN_TIMEOUT, none).await.is_err() {
            tracing::warn!("shutdown left presses unanswered");
        }
    }
}

impl DiscordPlatform {
    /// Asks Discord who the bot is.
    ///
    /// # Errors
    /// [`DiscordStartError::BadToken`] when the token is wrong; [`DiscordStartError::Unreachable`]
    /// when another try may help.
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
        let rows = PlatformRows::new(notebook);
        let activity = activity::is_enabled(&settings, &about);
        let members = AtomicBool::new(settings.members);
        let inner = DiscordInner {
            activity,
            members,
            rest,
            settings,
            message_tracker: MessageTracker::new(&rows, "dc"),
            rows,
            state,
            gateway,
            turns: Arc::default(),
            waiting: Arc::default(),
            deferred: DeferredAnswers::default(),
            numbers: RandomState::new(),
            next_number: AtomicU64::new(0),
            app,
            application: DiscordApplication::from_json(&about),
            me,
            memory: Mutex::new(DiscordCache::new()),
            menu: Mutex::default(),
            command_mentions: Mutex::default(),
            events: watch::Sender::new(0),
            connected: AtomicBool::new(false),
            timeouts: Mutex::default(),
            audit_reads: Semaphore::new(audit_log::SERVERS_AT_ONCE),
        };
        Ok(DiscordPlatform { inner: Arc::new(inner) })
    }

    /// Registers these slash commands everywhere. Returns whether they had changed: Discord allows
    /// only a limited number of changes a day.
    ///
    /// # Errors
    /// [`DiscordStartError::Refused`] with the place of the mistake when Discord does not accept a
    /// command.
    pub async fn register_commands(
        &self,
        menu: &[DiscordMenuEntry],
    ) -> Result<bool, DiscordStartError> {
        let inner = &self.inner;
        *inner.menu.lock() = Arc::new(menu.to_vec());
        let path = format!("/applications/{}/commands", inner.app);
        let listed = inner.rest.get(&format!("{path}?with_localizations=true")).await?;
        let wanted = command_menu::commands_to_json(menu, inner.activity, &listed);
        let is_changed = !command_menu::is_same_menu(&wanted, &listed);
        let registered = match is_changed {
            true => inner.rest.call(Method::PUT, &path, &wanted, &[]).await?,
            false => listed,
        };
        let mentions = command_menu::command_mentions(menu, &registered);
        *inner.command_mentions.lock() = Arc::new(mentions);
        Ok(is_changed)
    }

    /// Returns Discord's description of the application at the start.
    pub fn application(&self) -> &DiscordApplication {
        &self.inner.application
    }

    /// Returns the URL that adds the bot to a server, with the permissions it needs.
    pub fn server_invite_url(&self) -> String {
        let app = self.inner.app;
        let bits = PERMISSIONS.bits();
        let scope = "bot+applications.commands";
        format!(
            "https://discord.com/oauth2/authorize?client_id={app}&scope={scope}&permissions={bits}"
        )
    }

    /// Returns the URL that adds the bot for one user, who can then use it everywhere.
    pub fn user_install_url(&self) -> String {
        let app = self.inner.app;
        format!(
            "https://discord.com/oauth2/authorize?client_id={app}&integration_type=1&\
             scope=applications.commands"
        )
    }

    /// Waits until every event so far is handled, at most a few seconds.
    pub async fn drain(&self) {
        self.inner.drain_events().await;
    }
}

/// The time of the system, in seconds since 1970.
fn unix_time_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
