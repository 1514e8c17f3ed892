//! Settings: the only reader of the environment and of the settings file.
//!
//! Every setting has one name, in capitals in the environment and in small letters in the file.
//! The environment wins over the file, the file over the default; an empty value means "not
//! set". [`keys::KEYS`] documents them all. Nothing here knows what the settings are used for.

pub mod cli;
pub mod keys;
mod layers;
mod values;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keys::{Key, KeyKind};
use layers::Layers;

use caravanserai_store::address::Address;

/// Names the settings file, in the environment.
pub const FILE_VARIABLE: &str = "CARAVANSERAI_CONFIG";
/// The settings file that is read when none is named, if it is there.
pub const FILE_DEFAULT: &str = "caravanserai.toml";

/// Environment variables by name.
pub type Environment = BTreeMap<String, String>;

/// One sentence for the operator: which setting, what was found, what is allowed, where it is.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(crate) String);

/// Text that must never be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// What is shown instead of a secret.
pub const MASK: &str = "********";

/// Masks secrets in texts. Cheap to clone.
#[derive(Clone)]
pub struct Masking(Arc<[String]>);

impl Masking {
    fn of(mut secrets: Vec<String>) -> Self {
        // The colon of a Telegram token may be written in another way within an address.
        let keys =
            secrets.iter().filter_map(|it| it.split_once(':')).map(|(_, key)| key.to_owned());
        secrets.extend(keys.collect::<Vec<String>>());
        secrets.retain(|it| !it.is_empty());
        // The longest first: nothing is left of a secret that begins with another.
        secrets.sort_by_key(|it| Reverse(it.len()));
        Self(secrets.into())
    }

    /// The text with [`MASK`] for every secret in it.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let found = self.0.iter().filter(|secret| text.contains(secret.as_str()));
        found.fold(Cow::Borrowed(text), |text, secret| text.replace(secret, MASK).into())
    }
}

/// Where a value in use was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nowhere: the documented default.
    Default,
    /// The settings file.
    File(PathBuf),
    /// An environment variable.
    Environment,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::File(path) => write!(f, "file {}", path.display()),
            Source::Environment => f.write_str("environment"),
        }
    }
}

/// A checked set of settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// Present when a token is.
    pub telegram: Option<Telegram>,
    /// Present when a token is.
    pub discord: Option<Discord>,
    /// Folder of the store.
    pub data_dir: PathBuf,
    /// Whether to go on when the store has lost something; said on the command line only.
    pub accept_loss: bool,
    /// Where the store is: that folder, or a database.
    pub store: Address,
    /// After how many days only the record of a finished game is kept; 0 for never.
    pub archive_after_days: u64,
    /// The public address of the page, without a slash at the end; `None` when it has none.
    pub public_url: Option<String>,
    /// Where the built-in chat listens; `None` when it is off.
    pub web: Option<SocketAddr>,
    /// Names by which the built-in chat is reached besides IP addresses and `localhost`.
    pub web_hosts: Vec<String>,
    /// Proxies whose word about a person's address counts.
    pub web_proxies: Vec<IpAddr>,
    /// What opens the host's part of the built-in chat.
    pub web_host_secret: Option<Secret>,
    /// Where health, metrics and what platforms post are served, if anywhere.
    pub http: Option<SocketAddr>,
    /// What is logged, in the syntax of `tracing` filters.
    pub log: String,
    /// How it is logged.
    pub log_format: LogFormat,
    /// Sentences about settings that work but should be looked at.
    pub warnings: Vec<String>,
    in_use: Vec<InUse>,
}

/// What the Telegram adapter needs.
#[derive(Clone, Debug)]
pub struct Telegram {
    /// Bot token.
    pub token: Secret,
    /// Bot API server, without a slash at the end.
    pub api_url: String,
    /// How updates come in.
    pub mode: TelegramMode,
    /// The short name of the Mini App, if there is one.
    pub app: Option<String>,
}

/// How updates come in from Telegram.
#[derive(Clone, Debug)]
pub enum TelegramMode {
    /// The bot asks for them.
    Polling,
    /// Telegram posts them to this address, with the secret in a header.
    Webhook {
        /// Public address.
        url: String,
        /// 1 to 256 letters, digits, `_` and `-`.
        secret: Secret,
    },
}

/// What the Discord adapter needs.
#[derive(Clone, Debug)]
pub struct Discord {
    /// Bot token.
    pub token: Secret,
    /// API server, without a slash at the end.
    pub api_url: String,
    /// How commands and presses come in.
    pub interactions: Interactions,
    /// Whether Discord is asked to tell who leaves a server and who comes.
    pub members: bool,
    /// By which people who open the Activity are known; `None` when there is none.
    pub client_secret: Option<Secret>,
}

/// How commands and presses come in from Discord.
#[derive(Clone, Debug)]
pub enum Interactions {
    /// Over the gateway, with everything else.
    Gateway,
    /// Discord posts them, signed.
    Http {
        /// 64 hexadecimal digits in small letters.
        public_key: String,
    },
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// A setting as it is used, for `--check-config`.
#[derive(Clone, Debug)]
struct InUse {
    key: &'static Key,
    shown: String,
    source: Source,
}

/// The environment of this process. Bytes that are not UTF-8 become replacement characters,
/// which no setting allows.
pub fn process_environment() -> Environment {
    std::env::vars_os()
        .map(|(name, value)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        })
        .collect()
}

/// Whether a platform would push to a port that is not there.
fn nothing_arrives(
    telegram: Option<&Telegram>,
    discord: Option<&Discord>,
) -> Result<(), ConfigError> {
    if let Some(Telegram { mode: TelegramMode::Webhook { .. }, .. }) = telegram {
        let why = "TELEGRAM_WEBHOOK_URL is set, but HTTP_LISTEN, where the updates would arrive, \
                   is not";
        return Err(ConfigError(why.into()));
    }
    if let Some(Discord { interactions: Interactions::Http { .. }, .. }) = discord {
        let why = "DISCORD_INTERACTIONS is http, but HTTP_LISTEN, where they would arrive, is not \
                   set";
        return Err(ConfigError(why.into()));
    }
    Ok(())
}

/// Whether boards would open on a page that has no public address.
fn wants_a_page(
    public_url: Option<&str>,
    telegram: Option<&Telegram>,
    discord: Option<&Discord>,
) -> Result<(), ConfigError> {
    let app = telegram.and_then(|it| it.app.as_ref()).map(|_| "TELEGRAM_APP");
    let activity =
        discord.and_then(|it| it.client_secret.as_ref()).map(|_| "DISCORD_CLIENT_SECRET");
    match app.or(activity).filter(|_| public_url.is_none()) {
        Some(key) => Err(ConfigError(format!(
            "{key} is set, but PUBLIC_URL, the https address at which the boards would be opened, \
             is not"
        ))),
        None => Ok(()),
    }
}

impl Config {
    /// Reads and checks everything. `file` is what the command line names; without it the
    /// environment may name one, and else `caravanserai.toml` in `folder` is read if it exists.
    ///
    /// # Errors
    /// One sentence about the first setting that is wrong. Secrets are never part of it.
    pub fn load(
        environment: &Environment,
        file: Option<&Path>,
        folder: &Path,
    ) -> Result<Self, ConfigError> {
        let mut layers = Layers::read(environment, file, folder)?;
        let public_url = layers.page_url(&keys::PUBLIC_URL)?;
        let telegram = telegram(&mut layers)?;
        let discord = discord(&mut layers)?;
        wants_a_page(public_url.as_deref(), telegram.as_ref(), discord.as_ref())?;
        let data_dir = PathBuf::from(layers.text(&keys::DATA_DIR)?);
        let store = store(&mut layers, &data_dir)?;
        let archive_after_days = layers.days(&keys::ARCHIVE_AFTER)?;
        let http = layers.listen(&keys::HTTP_LISTEN)?;
        let has_token = telegram.is_some() || discord.is_some();
        let web = web(&mut layers, has_token, public_url.is_some())?;
        let web_hosts = layers.hosts(&keys::WEB_HOSTS)?;
        let web_proxies = layers.addresses(&keys::WEB_PROXIES)?;
        let web_host_secret = layers.secret(
            &keys::WEB_HOST_SECRET,
            &keys::WEB_HOST_SECRET_FILE,
            "16 to 256 letters, digits, _ and -",
            values::is_host_secret,
        )?;
        if http.is_some() && http == web {
            return Err(ConfigError(format!(
                "HTTP_LISTEN and WEB_LISTEN are both {}, but each needs a port of its own",
                layers.raw(&keys::HTTP_LISTEN).0
            )));
        }
        if http.is_none() {
            nothing_arrives(telegram.as_ref(), discord.as_ref())?;
        }
        let log = layers.filter(&keys::LOG)?;
        let log_format = layers
            .choice(&keys::LOG_FORMAT, &[("text", LogFormat::Text), ("json", LogFormat::Json)])?;
        let in_use = keys::KEYS.iter().map(|key| in_use(&layers, key)).collect();
        let warnings = layers.warnings();
        Ok(Self {
            telegram,
            discord,
            data_dir,
            accept_loss: false,
            store,
            archive_after_days,
            public_url,
            web,
            web_hosts,
            web_proxies,
            web_host_secret,
            http,
            log,
            log_format,
            warnings,
            in_use,
        })
    }

    /// Everything that must never be printed.
    pub fn secrets(&self) -> Vec<&Secret> {
        let mut secrets = Vec::new();
        if let Some(telegram) = &self.telegram {
            secrets.push(&telegram.token);
            if let TelegramMode::Webhook { secret, .. } = &telegram.mode {
                secrets.push(secret);
            }
        }
        secrets.extend(&self.web_host_secret);
        secrets.extend(self.discord.as_ref().map(|discord| &discord.token));
        secrets.extend(self.discord.as_ref().and_then(|discord| discord.client_secret.as_ref()));
        secrets
    }

    /// What masks secrets wherever they stand in a text.
    pub fn masking(&self) -> Masking {
        let secrets = self.secrets().into_iter().map(|it| it.reveal().to_owned());
        let mut secrets: Vec<String> = secrets.collect();
        if let Address::Database(url) = &self.store {
            // Not the password alone: it may be a word that everything is full of.
            secrets.push(url.clone());
        }
        Masking::of(secrets)
    }

    /// Every setting with the value in use, where it is from and what it is for; for
    /// `--check-config`. Secrets are masked, also where one was written into another setting.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for InUse { key, shown, source } in &self.in_use {
            let name = key.name;
            let shown = if shown.is_empty() { "(not set)" } else { shown };
            text.push_str(&format!("{name} = {shown}  [{source}]\n    {}\n", key.doc));
        }
        for warning in &self.warnings {
            text.push_str(&format!("Warning: {warning}.\n"));
        }
        self.masking().mask(&text).into_owned()
    }
}

fn in_use(layers: &Layers, key: &'static Key) -> InUse {
    let (value, source) = layers.raw(key);
    let shown = match key.kind {
        KeyKind::Secret if !value.is_empty() => MASK.to_owned(),
        KeyKind::Secret | KeyKind::Plain => value,
    };
    InUse { key, shown, source }
}

fn store(layers: &mut Layers, data_dir: &Path) -> Result<Address, ConfigError> {
    let url = layers.secret(
        &keys::STORE,
        &keys::STORE_FILE,
        "an address that begins with postgres://",
        Address::is_database,
    )?;
    Ok(match url {
        Some(url) => Address::Database(url.reveal().to_owned()),
        None => Address::Folder(data_dir.to_owned()),
    })
}

fn telegram(layers: &mut Layers) -> Result<Option<Telegram>, ConfigError> {
    let token = layers.secret(
        &keys::TELEGRAM_TOKEN,
        &keys::TELEGRAM_TOKEN_FILE,
        "the token that BotFather gives: digits, a colon, then letters, digits, _ and -",
        values::is_telegram_token,
    )?;
    let api_url = layers.url(&keys::TELEGRAM_API_URL)?;
    let secret = layers.secret(
        &keys::TELEGRAM_WEBHOOK_SECRET,
        &keys::TELEGRAM_WEBHOOK_SECRET_FILE,
        "1 to 256 letters, digits, _ and -",
        values::is_webhook_secret,
    )?;
    let mode = match (layers.optional_url(&keys::TELEGRAM_WEBHOOK_URL)?, secret) {
        (None, _) => TelegramMode::Polling,
        (Some(url), Some(secret)) => TelegramMode::Webhook { url, secret },
        (Some(_), None) => {
            return Err(ConfigError(
                "TELEGRAM_WEBHOOK_URL is set, but TELEGRAM_WEBHOOK_SECRET, which proves that \
                 updates come from Telegram, is not"
                    .into(),
            ));
        }
    };
    if token.is_some() && !cfg!(feature = "telegram") {
        return Err(built_without("TELEGRAM_TOKEN", "telegram"));
    }
    let app = layers.app_name(&keys::TELEGRAM_APP)?;
    Ok(token.map(|token| Telegram { token, api_url, mode, app }))
}

fn discord(layers: &mut Layers) -> Result<Option<Discord>, ConfigError> {
    let token = layers.secret(
        &keys::DISCORD_TOKEN,
        &keys::DISCORD_TOKEN_FILE,
        "the bot token from the developer portal, without spaces",
        values::is_discord_token,
    )?;
    let api_url = layers.url(&keys::DISCORD_API_URL)?;
    if token.is_some() && !cfg!(feature = "discord") {
        return Err(built_without("DISCORD_TOKEN", "discord"));
    }
    let interactions = interactions(layers)?;
    let members = layers.choice(&keys::DISCORD_MEMBERS, &[("off", false), ("on", true)])?;
    let client_secret = layers.secret(
        &keys::DISCORD_CLIENT_SECRET,
        &keys::DISCORD_CLIENT_SECRET_FILE,
        "the Client Secret from the developer portal (OAuth2), without spaces",
        values::is_discord_token,
    )?;
    Ok(token.map(|token| Discord { token, api_url, interactions, members, client_secret }))
}

fn interactions(layers: &mut Layers) -> Result<Interactions, ConfigError> {
    let choices = [("gateway", false), ("http", true)];
    let posted = layers.choice(&keys::DISCORD_INTERACTIONS, &choices)?;
    match (posted, layers.public_key(&keys::DISCORD_PUBLIC_KEY)?) {
        (false, None) => Ok(Interactions::Gateway),
        (false, Some(_)) => {
            layers.warn(
                "DISCORD_PUBLIC_KEY is set, but only DISCORD_INTERACTIONS=http makes use of it"
                    .into(),
            );
            Ok(Interactions::Gateway)
        }
        (true, Some(public_key)) => Ok(Interactions::Http { public_key }),
        (true, None) => Err(ConfigError(
            "DISCORD_INTERACTIONS is http, but DISCORD_PUBLIC_KEY, which proves that they come \
             from Discord, is not set: copy it from the developer portal (General Information)"
                .into(),
        )),
    }
}

fn built_without(key: &str, feature: &str) -> ConfigError {
    ConfigError(format!("{key} is set, but this program was built without the feature {feature}"))
}

/// Whether there is a built-in chat.
#[derive(Clone, Copy)]
enum Web {
    Auto,
    On,
    Off,
}

fn web(
    layers: &mut Layers,
    has_token: bool,
    public: bool,
) -> Result<Option<SocketAddr>, ConfigError> {
    let listen = layers.listen(&keys::WEB_LISTEN)?;
    let choices = [
        ("auto", Web::Auto),
        ("on", Web::On),
        ("off", Web::Off),
        ("true", Web::On),
        ("false", Web::Off),
    ];
    let on = match layers.choice(&keys::WEB, &choices)? {
        Web::On => true,
        Web::Off => false,
        Web::Auto => !has_token || public,
    };
    if !on && public {
        return Err(ConfigError(
            "PUBLIC_URL is the address of the built-in page, but WEB is off: leave WEB at auto, \
             or take PUBLIC_URL out"
                .into(),
        ));
    }
    if !on && !has_token {
        return Err(ConfigError(
            "WEB is off and neither TELEGRAM_TOKEN nor DISCORD_TOKEN is set, so nobody could \
             reach the bot: set a token, or leave WEB at auto"
                .into(),
        ));
    }
    let listen = listen.filter(|_| on);
    if listen.is_some_and(|listen| !listen.ip().is_loopback()) {
        layers.warn(
            "WEB_LISTEN lets other machines in, and the built-in chat asks nobody for a password"
                .into(),
        );
    }
    Ok(listen)
}
