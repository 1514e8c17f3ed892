//! Discord: slash commands, buttons, private answers and boards that are edited in place.
//!
//! Start reading at [`Discord`]. `hear` answers interactions in time, `translate` makes updates of
//! them, `say` spells messages, `rest` makes the calls, `menu` registers the
//! commands, `memory` holds what makes things nicer but is never needed. No privileged intent is
//! asked for: words that people write are read only in direct messages and where the bot is
//! mentioned or answered, which Discord shows to every bot.

mod hear;
mod memory;
mod menu;
mod rest;
mod say;
mod translate;

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use reqwest::Method;
use serde_json::{Value, json};
use serenity::all::{ApplicationId, Client, ClientBuilder, GatewayIntents, HttpBuilder};

pub use menu::{Localized, MenuCommand, MenuOption, OptionKind};

use crate::chat::{Listener, MessageId, Outgoing, PersonId, PlaceId, Platform, SendError};
use memory::{Home, Memory};
use rest::{CallError, Rest};

/// What a log filter must hold beside its own rules: at lower levels the client library writes
/// whole events, with tokens of interactions and words of people, into its spans.
pub const LOG_FILTER: &str = "serenity=warn,tungstenite=warn,tokio_tungstenite=warn";

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
}

impl Inner {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().expect("nothing panics under this lock")
    }

    fn now_ms(&self) -> u64 {
        (self.settings.clock)()
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

    /// Listens to the gateway until `stop` is ready, reconnecting and resuming as needed.
    ///
    /// # Errors
    /// When no connection can be made at all, or Discord refuses the token or the intents.
    pub async fn run(
        &self,
        listener: Arc<dyn Listener>,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), StartError> {
        let mut client = self.client(listener).await?;
        let shards = Arc::clone(&client.shard_manager);
        tokio::select! {
            ended = client.start_autosharded() => ended.map_err(|it| gateway_error(&it)),
            () = stop => {
                // The goodbye of a connection that is down already never comes.
                let goodbye = shards.shutdown_all();
                let _ = tokio::time::timeout(Duration::from_secs(2), goodbye).await;
                Ok(())
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
        let ear = hear::Ear { inner: Arc::clone(inner), listener };
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

fn gateway_error(error: &serenity::Error) -> StartError {
    use serenity::gateway::GatewayError;
    match error {
        serenity::Error::Gateway(GatewayError::InvalidAuthentication) => StartError::BadToken,
        serenity::Error::Gateway(refusal) => StartError::Refused(refusal.to_string()),
        other => StartError::Unreachable(other.to_string()),
    }
}

/// The channel of a place of ours.
fn channel_of(place: &PlaceId) -> Result<u64, SendError> {
    let digits = place.0.strip_prefix("dc:").and_then(|it| it.parse().ok());
    let channel = digits.filter(|it| *it > 0);
    channel.ok_or_else(|| SendError::Refused(format!("no Discord channel: {}", place.0)))
}

#[async_trait]
impl Platform for Discord {
    fn name(&self) -> &'static str {
        "dc"
    }

    fn calls_per_minute(&self, _place: &PlaceId) -> u32 {
        // Buckets of five in five seconds are usual; the answers tell when one is used up.
        60
    }

    async fn post(&self, place: &PlaceId, message: &Outgoing) -> Result<MessageId, SendError> {
        let channel = channel_of(place)?;
        let path = format!("/channels/{channel}/messages");
        let (body, files) = say::posting(message);
        let answer = self.inner.rest.call(Method::POST, &path, Some(&body), &files).await;
        let answer = answer.map_err(CallError::into_send_error)?;
        let id = answer["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let id = id.ok_or_else(|| SendError::Temporary("an answer without an id".to_owned()))?;
        let mut memory = self.inner.memory();
        memory.posted(channel, id);
        memory.active_in(channel);
        Ok(MessageId(id.to_string()))
    }

    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        let channel = channel_of(place)?;
        let number = say::number(id).ok_or(SendError::MessageGone)?;
        let (body, files) = say::edit(message);
        let (inner, now) = (&self.inner, self.inner.now_ms());
        // A press that was just acknowledged allows to edit its message without using up the
        // bucket of the channel.
        let token = inner.memory().board_token(number, now);
        if let Some(token) = token {
            let path = format!("/webhooks/{}/{token}/messages/@original", inner.app);
            match inner.rest.call(Method::PATCH, &path, Some(&body), &files).await {
                Ok(_) => return Ok(()),
                Err(error) if error.token_is_dead() => inner.memory().forget_board(number),
                Err(error @ (CallError::Network(_) | CallError::Refused { status: 500.., .. })) => {
                    return Err(error.into_send_error());
                }
                Err(error) => tracing::debug!(%error, "an edit over a token failed"),
            }
        }
        let path = format!("/channels/{channel}/messages/{number}");
        let done = inner.rest.call(Method::PATCH, &path, Some(&body), &files).await;
        done.map(|_| ()).map_err(CallError::into_send_error)
    }

    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError> {
        let channel = channel_of(place)?;
        let Some(number) = say::number(id) else { return Ok(()) };
        let path = format!("/channels/{channel}/messages/{number}");
        let done = self.inner.rest.call(Method::DELETE, &path, None, &[]).await;
        match done.map_err(CallError::into_send_error) {
            Ok(_) | Err(SendError::MessageGone) => {
                self.inner.memory().deleted(channel, number);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    async fn whisper(
        &self,
        place: &PlaceId,
        person: &PersonId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        let channel = channel_of(place)?;
        let user = say::user(person).ok_or(SendError::NotAllowed)?;
        let token = self.inner.memory().token_of(user, channel, self.inner.now_ms());
        let token = token.ok_or(SendError::NotAllowed)?;
        match self.inner.follow_up(&token, message).await {
            Ok(()) => Ok(()),
            Err(error) if error.token_is_dead() => {
                self.inner.memory().forget_person(user, channel);
                Err(SendError::NotAllowed)
            }
            Err(error) => Err(error.into_send_error()),
        }
    }

    fn buried(&self, place: &PlaceId, id: &MessageId) -> u32 {
        match (channel_of(place), say::number(id)) {
            (Ok(channel), Some(message)) => self.inner.memory().below(channel, message),
            _ => 0,
        }
    }

    fn link(&self, place: &PlaceId, id: &MessageId) -> Option<String> {
        let channel = channel_of(place).ok()?;
        let message = say::number(id)?;
        let home = match self.inner.memory().home_of(channel)? {
            Home::Guild(guild) => guild.to_string(),
            Home::Direct => "@me".to_owned(),
        };
        Some(format!("https://discord.com/channels/{home}/{channel}/{message}"))
    }
}

impl Inner {
    /// Says something only to the one whose interaction this token is from.
    async fn follow_up(&self, token: &str, message: &Outgoing) -> Result<(), CallError> {
        let (body, files) = say::whisper(message);
        let path = format!("/webhooks/{}/{token}", self.app);
        self.rest.call(Method::POST, &path, Some(&body), &files).await.map(|_| ())
    }

    /// Gives the first answer to an interaction.
    async fn first_answer(
        &self,
        interaction: u64,
        token: &str,
        kind: u8,
        data: Value,
        files: &[rest::File],
    ) -> Result<(), CallError> {
        let mut body = json!({"type": kind});
        if !data.is_null() {
            body["data"] = data;
        }
        let path = format!("/interactions/{interaction}/{token}/callback");
        self.rest.call(Method::POST, &path, Some(&body), files).await.map(|_| ())
    }
}
