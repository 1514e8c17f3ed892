//! Discord: slash commands, buttons, private answers and boards that are edited in place.
//!
//! Start reading at [`Discord`]. `events` listens, `translate` makes updates of what it hears,
//! `answers` answers interactions in time, `envelope` typed words; `requests` is the side the
//! service uses, `slots` holds private messages that replace each other, `spelling` spells
//! messages, `rest` makes the calls, `menu` registers the commands, `memory` holds what makes
//! things nicer but is never needed. No privileged intent is asked for: words that people write are read only in
//! direct messages and where the bot is mentioned or answered, which Discord shows to every bot.

mod answers;
mod envelope;
mod events;
mod memory;
mod menu;
mod requests;
mod rest;
mod slots;
mod spelling;
mod translate;

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::Method;
use serde_json::Value;
use serenity::all::{
    ApplicationId, Client, ClientBuilder, GatewayIntents, HttpBuilder, Permissions,
};
use tokio::sync::watch;

pub use menu::{Localized, MenuCommand, MenuOption, OptionKind};

use crate::chat::Listener;
use memory::Memory;
use rest::{CallError, Rest};

/// What the bot needs where it plays.
const PERMISSIONS: Permissions = Permissions::VIEW_CHANNEL
    .union(Permissions::SEND_MESSAGES)
    .union(Permissions::SEND_MESSAGES_IN_THREADS)
    .union(Permissions::ATTACH_FILES)
    .union(Permissions::EMBED_LINKS)
    .union(Permissions::READ_MESSAGE_HISTORY);

/// How long the goodbye to the gateway may take.
const GOODBYE_MAX: Duration = Duration::from_secs(1);

/// How long after that the last presses may take to be answered.
const SETTLE_MAX: Duration = Duration::from_millis(2_500);

/// The shortest pause between two tries to reach the gateway.
const PAUSE_MIN: Duration = Duration::from_secs(1);

/// The longest pause between two tries to reach the gateway.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// Milliseconds since 1970.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What the adapter must be told.
#[derive(Clone)]
pub struct Settings {
    /// The bot's token, without any word before it.
    pub token: String,
    /// What stands in for `https://discord.com`, if something does.
    pub api_url: Option<String>,
    /// How long a decision may take before Discord is told to wait; it gives up after 3 s.
    pub watchdog: Duration,
    /// Where the time comes from.
    pub clock: Clock,
    /// What the adapter itself has to say.
    pub texts: Texts,
}

/// What the adapter itself has to say, in the language of the one who acted.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The bot lacks a permission in this channel; says which ones it needs.
    pub missing_permissions: Localized,
    /// Stands above the button behind which a private answer waits.
    pub envelope: Localized,
    /// The button that shows it.
    pub open: Localized,
    /// Said to somebody else who presses it.
    pub not_yours: Localized,
    /// Said when the answer is not known any more.
    pub expired: Localized,
}

impl Settings {
    /// The usual settings for a token: Discord itself, the system's clock.
    pub fn new(token: impl Into<String>, texts: Texts) -> Self {
        let since = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Settings {
            token: token.into(),
            api_url: None,
            watchdog: Duration::from_secs(2),
            clock: Arc::new(move || u64::try_from(since().as_millis()).unwrap_or(u64::MAX)),
            texts,
        }
    }
}

/// Why Discord is not served. No text holds the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
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

impl From<CallError> for StartError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Refused { status: 401, .. } => StartError::BadToken,
            CallError::Refused { status: 500.., .. } | CallError::Wait(_) => {
                StartError::Unreachable(error.to_string())
            }
            CallError::Refused { .. } => StartError::Refused(error.to_string()),
            CallError::Network(words) => StartError::Unreachable(words),
        }
    }
}

/// The bot on Discord. Cheap to clone.
#[derive(Clone)]
pub struct Discord {
    inner: Arc<Inner>,
}

struct Inner {
    rest: Rest,
    settings: Settings,
    /// The application, which interactions' webhooks belong to.
    app: u64,
    /// The bot's own user.
    me: u64,
    memory: Mutex<Memory>,
    menu: Mutex<Vec<MenuCommand>>,
    /// Events being dealt with.
    events: watch::Sender<usize>,
    /// Whether the gateway let us in since this was last asked.
    connected: AtomicBool,
}

/// An event being dealt with, until this is dropped.
struct Busy<'a>(&'a watch::Sender<usize>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|it| *it -= 1);
    }
}

impl Inner {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().expect("nothing panics under this lock")
    }

    fn now_ms(&self) -> u64 {
        (self.settings.clock)()
    }

    fn busy(&self) -> Busy<'_> {
        self.events.send_modify(|it| *it += 1);
        Busy(&self.events)
    }

    fn connected_well(&self) {
        self.connected.store(true, Ordering::Relaxed);
    }

    /// Waits until every event was dealt with: what was pressed just before the end is answered.
    async fn settle(&self) {
        let mut events = self.events.subscribe();
        let none = events.wait_for(|it| *it == 0);
        if tokio::time::timeout(SETTLE_MAX, none).await.is_err() {
            tracing::warn!("some presses were not answered before the end");
        }
    }
}

impl Discord {
    /// Asks Discord who the bot is.
    ///
    /// # Errors
    /// [`StartError::BadToken`] at once when the token is wrong; [`StartError::Unreachable`] when
    /// another try may help.
    pub async fn connect(settings: Settings) -> Result<Self, StartError> {
        let clock = Arc::clone(&settings.clock);
        let rest = Rest::new(&settings.token, settings.api_url.as_deref(), clock)?;
        let id = |value: &Value| value["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let lacking = || StartError::Refused("an answer without an id".to_owned());
        let me = id(&rest.get("/users/@me").await?).ok_or_else(lacking)?;
        let app = id(&rest.get("/applications/@me").await?).ok_or_else(lacking)?;
        let inner = Inner {
            rest,
            settings,
            app,
            me,
            memory: Mutex::new(Memory::new()),
            menu: Mutex::default(),
            events: watch::Sender::new(0),
            connected: AtomicBool::new(false),
        };
        Ok(Discord { inner: Arc::new(inner) })
    }

    /// Makes these the slash commands everywhere. Tells whether Discord had to be told: it takes
    /// only so many changes a day.
    ///
    /// # Errors
    /// [`StartError::Refused`] with the place of the mistake when a command is not as Discord
    /// wants it.
    pub async fn register(&self, menu: &[MenuCommand]) -> Result<bool, StartError> {
        let inner = &self.inner;
        *inner.menu.lock().expect("nothing panics under this lock") = menu.to_vec();
        let path = format!("/applications/{}/commands", inner.app);
        let wanted = menu::spelled(menu);
        let listed = inner.rest.get(&format!("{path}?with_localizations=true")).await?;
        if menu::same(&wanted, &listed) {
            return Ok(false);
        }
        inner.rest.call(Method::PUT, &path, Some(&wanted), &[]).await?;
        Ok(true)
    }

    /// The address at which somebody adds the bot to a server, with the permissions it needs.
    pub fn invitation(&self) -> String {
        let (app, bits) = (self.inner.app, PERMISSIONS.bits());
        let scope = "bot+applications.commands";
        format!(
            "https://discord.com/oauth2/authorize?client_id={app}&scope={scope}&permissions={bits}"
        )
    }

    /// Waits until every event that came so far was dealt with, at most a few seconds.
    pub async fn settle(&self) {
        self.inner.settle().await;
    }

    /// Listens to the gateway until `stop` is ready, connecting again and resuming as needed.
    ///
    /// # Errors
    /// When Discord refuses the token or the intents; lost connections are no error.
    pub async fn run(
        &self,
        listener: Arc<dyn Listener>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), StartError> {
        let ended = self.listen_again(listener, stop).await;
        self.inner.settle().await;
        ended
    }

    async fn listen_again(
        &self,
        listener: Arc<dyn Listener>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), StartError> {
        tokio::pin!(stop);
        let mut pause = Duration::ZERO;
        loop {
            let ended = self.listen(Arc::clone(&listener), stop.as_mut()).await;
            pause = pause_after(pause, self.inner.connected.swap(false, Ordering::Relaxed));
            match ended {
                Ok(Ended::Stopped) => return Ok(()),
                Ok(Ended::Lost) => tracing::warn!("the connection to Discord ended"),
                Err(StartError::Unreachable(why)) => tracing::warn!(why, "no gateway"),
                Err(refusal) => return Err(refusal),
            }
            tokio::select! {
                () = stop.as_mut() => return Ok(()),
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// One life of the gateway client; it reconnects by itself as long as it can.
    async fn listen(
        &self,
        listener: Arc<dyn Listener>,
        mut stop: Pin<&mut (impl Future<Output = ()> + Send)>,
    ) -> Result<Ended, StartError> {
        let mut client = tokio::select! {
            client = self.client(listener) => client?,
            () = stop.as_mut() => return Ok(Ended::Stopped),
        };
        let shards = Arc::clone(&client.shard_manager);
        tokio::select! {
            ended = client.start_autosharded() => match ended {
                Ok(()) => Ok(Ended::Lost),
                Err(error) => Err(gateway_error(&error)),
            },
            () = stop => {
                // The goodbye of a connection that is down already never comes.
                let goodbye = shards.shutdown_all();
                let _ = tokio::time::timeout(GOODBYE_MAX, goodbye).await;
                Ok(Ended::Stopped)
            }
        }
    }

    async fn client(&self, listener: Arc<dyn Listener>) -> Result<Client, StartError> {
        let inner = &self.inner;
        let settings = &inner.settings;
        // serenity asks only for the address of the gateway. Its limiter stays off: with it, an
        // address set here is forgotten.
        let mut http = HttpBuilder::new(&settings.token)
            .client(inner.rest.client())
            .application_id(ApplicationId::new(inner.app))
            .ratelimiter_disabled(true);
        if let Some(url) = &settings.api_url {
            http = http.proxy(url);
        }
        let intents = GatewayIntents::GUILDS
            | GatewayIntents::GUILD_MESSAGES
            | GatewayIntents::DIRECT_MESSAGES;
        let ear = events::Ear { inner: Arc::clone(inner), listener };
        let client = ClientBuilder::new_with_http(http.build(), intents)
            .raw_event_handler(ear)
            .await
            .map_err(|it| gateway_error(&it))?;
        // When it is not told where the gateway is, serenity takes Discord's own.
        let gateway = client.ws_url.lock().await.clone();
        if settings.api_url.is_some() && gateway.contains("gateway.discord.gg") {
            return Err(StartError::Unreachable("no address of a gateway was given".to_owned()));
        }
        Ok(client)
    }
}

/// Why a life of the gateway client is over.
enum Ended {
    Stopped,
    Lost,
}

/// The next pause: longer after each try that led nowhere, short after a good connection.
fn pause_after(last: Duration, good: bool) -> Duration {
    if good { PAUSE_MIN } else { (last * 2).clamp(PAUSE_MIN, PAUSE_MAX) }
}

fn gateway_error(error: &serenity::Error) -> StartError {
    use serenity::gateway::GatewayError;
    match error {
        serenity::Error::Gateway(GatewayError::InvalidAuthentication) => StartError::BadToken,
        serenity::Error::Gateway(refusal) => StartError::Refused(refusal.to_string()),
        other => StartError::Unreachable(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use crate::platform::discord::*;

    #[test]
    fn a_good_connection_makes_pauses_short_again() {
        let mut pause = Duration::ZERO;
        let lives = [false, false, false, true, false, true];
        let pauses = lives.map(|good| {
            pause = pause_after(pause, good);
            pause.as_secs()
        });
        assert_eq!(pauses, [1, 2, 4, 1, 2, 1]);
        assert_eq!(pause_after(PAUSE_MAX, false), PAUSE_MAX);
    }
}
