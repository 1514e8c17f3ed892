//! Reads and checks the settings; the only reader of the environment and of the settings file.
//!
//! Every setting has one name, in upper case in the environment and in lower case in the file. The
//! environment wins over the file, the file over the default; an empty value means "not set".
//! [`keys::KEYS`] documents all settings. This module must not know what the settings are used for.
//!
//! figment could replace the lookup by layer, about 50 of 1,220 lines, for 14 more crates. The
//! table of settings, the checks, the sentences for the operator, the hints at misspelt names and
//! the rules for secret files would stay. The secret type of secrecy cannot be compared, and it
//! overwrites memory although other copies of it exist.

pub mod cli;
pub mod keys;
mod layers;
mod values;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keys::{SettingKey, SettingKind};
use layers::SettingLayers;
pub(crate) use values::others_can_read;

use caravanserai_games::ids::PersonId;
use caravanserai_store::backup::BackupRecipients;
use caravanserai_store::encrypted::key_file::{KEY_BYTES, StoreKeys};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_webchat::TrustedProxies;
use zeroize::Zeroize;

/// Environment variable that names the settings file.
pub const FILE_VARIABLE: &str = "CARAVANSERAI_CONFIG";
/// The settings file that is read if none is named and it exists.
pub const FILE_DEFAULT: &str = "caravanserai.toml";

/// Environment variables by name.
pub type Environment = BTreeMap<String, String>;

/// One sentence for the operator: the setting, the value found, the values allowed, the source.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(crate) String);

/// Text that must never be printed. Its memory is overwritten when it is dropped; the environment
/// of the process keeps what it gave.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Secret {
    /// The text itself, for the one chat that sends it.
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

/// Replaces a secret in shown texts.
pub const MASK: &str = "********";

/// Masks secrets in texts. Cheap to clone.
#[derive(Clone)]
pub struct SecretMasker(Arc<[String]>);

impl SecretMasker {
    fn new(mut secrets: Vec<String>) -> Self {
        // The colon of a Telegram token may be escaped in a URL.
        let keys =
            secrets.iter().filter_map(|it| it.split_once(':')).map(|(_, key)| key.to_owned());
        secrets.extend(keys.collect::<Vec<String>>());
        secrets.retain(|it| !it.is_empty());
        // The longest first, so that nothing is left of a secret that begins with another one.
        secrets.sort_by_key(|it| Reverse(it.len()));
        Self(secrets.into())
    }

    /// Replaces every secret in the text by [`MASK`].
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let found = self.0.iter().filter(|secret| text.contains(secret.as_str()));
        found.fold(Cow::Borrowed(text), |text, secret| text.replace(secret, MASK).into())
    }
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// The documented default.
    Default,
    /// The settings file.
    File(PathBuf),
    /// An environment variable.
    Environment,
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingSource::Default => f.write_str("default"),
            SettingSource::File(path) => write!(f, "file {}", path.display()),
            SettingSource::Environment => f.write_str("environment"),
        }
    }
}

/// A checked set of settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// Set when there is a token.
    pub telegram: Option<TelegramConfig>,
    /// Set when there is a token.
    pub discord: Option<DiscordConfig>,
    /// Folder of the store.
    pub data_dir: PathBuf,
    /// Whether to continue when the store has lost data; set on the command line only.
    pub accept_loss: bool,
    /// The address of the store: the data folder or a database.
    pub store: StoreAddress,
    /// The public keys that backups are encrypted to; `None` if they are not encrypted.
    pub backup_recipients: Option<BackupRecipients>,
    /// Days after which only the record of a finished game is kept; 0 for never.
    pub archive_after_days: u64,
    /// Where players reach the person who runs the bot; `None` if it is not set.
    pub contact: Option<String>,
    /// The accounts of the people who may give admin commands.
    pub operators: Vec<PersonId>,
    /// The public URL of the page, without a trailing slash; `None` if it has none.
    pub public_url: Option<String>,
    /// The address of the built-in chat; `None` when it is off.
    pub web: Option<SocketAddr>,
    /// Host names of the built-in chat, in addition to IP addresses and `localhost`.
    pub web_host_names: Vec<String>,
    /// Proxies that are trusted to name the address of a user.
    pub web_proxies: TrustedProxies,
    /// The most bytes of all images and files of the built-in chat.
    pub web_files_bytes: u64,
    /// The secret for the operator's API of the built-in chat.
    pub operator_api_secret: Option<Secret>,
    /// The address for health, metrics and webhooks, if any.
    pub http: Option<SocketAddr>,
    /// Log filter, in the syntax of `tracing`.
    pub log: String,
    /// Format of the log.
    pub log_format: LogFormat,
    /// Warnings about settings that work but should be checked.
    pub warnings: Vec<String>,
    secrets: Vec<Secret>,
    in_use: Vec<EffectiveSetting>,
}

/// Settings of the Telegram adapter.
#[derive(Clone, Debug)]
pub struct TelegramConfig {
    /// Bot token.
    pub token: Secret,
    /// URL of the Bot API server, without a trailing slash.
    pub api_url: String,
    /// How updates arrive.
    pub mode: TelegramMode,
    /// The short name of the Mini App, if there is one.
    pub app: Option<String>,
    /// The chat for pictures of inline messages, by id or public name, if there is one.
    pub picture_chat: Option<String>,
}

/// How updates arrive from Telegram.
#[derive(Clone, Debug)]
pub enum TelegramMode {
    /// The bot polls for them.
    Polling,
    /// Telegram posts them to this address, with the secret in a header.
    Webhook {
        /// Public URL.
        url: String,
        /// The path of that URL, at which updates arrive.
        path: String,
        /// 1 to 256 letters, digits, `_` and `-`.
        secret: Secret,
    },
}

/// Settings of the Discord adapter.
#[derive(Clone, Debug)]
pub struct DiscordConfig {
    /// Bot token.
    pub token: Secret,
    /// URL of the API server, without a trailing slash.
    pub api_url: String,
    /// How commands and presses arrive.
    pub interactions: DiscordInteractions,
    /// Whether to request the events of members who join and leave a server.
    pub members: bool,
    /// The client secret that identifies users of the Activity; `None` when there is no Activity.
    pub client_secret: Option<Secret>,
}

/// How commands and presses arrive from Discord.
#[derive(Clone, Debug)]
pub enum DiscordInteractions {
    /// Over the gateway, with all other events.
    Gateway,
    /// Discord posts them, signed.
    Http {
        /// 64 hexadecimal digits in lower case.
        public_key: String,
    },
}

/// Format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// A setting as it is in use, for `--check-config`.
#[derive(Clone, Debug)]
struct EffectiveSetting {
    key: &'static SettingKey,
    shown: String,
    source: SettingSource,
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

/// Checks that a platform does not push to a port that is not open.
fn check_push_port(
    telegram: Option<&TelegramConfig>,
    discord: Option<&DiscordConfig>,
) -> Result<(), ConfigError> {
    if let Some(TelegramConfig { mode: TelegramMode::Webhook { .. }, .. }) = telegram {
        let why = "TELEGRAM_WEBHOOK_URL is set, but HTTP_LISTEN, where the updates would arrive, \
                   is not";
        return Err(ConfigError(why.into()));
    }
    if let Some(DiscordConfig { interactions: DiscordInteractions::Http { .. }, .. }) = discord {
        let why = "DISCORD_INTERACTIONS is http, but HTTP_LISTEN, where they would arrive, is not \
                   set";
        return Err(ConfigError(why.into()));
    }
    Ok(())
}

/// Checks that boards do not open on a page without a public URL.
fn check_page_url(
    public_url: Option<&str>,
    telegram: Option<&TelegramConfig>,
    discord: Option<&DiscordConfig>,
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

/// Warns of a page that is behind a proxy which is not in the settings. An address with http is
/// opened on this machine only, without a proxy.
fn warn_of_unknown_proxy(
    layers: &mut SettingLayers,
    public_url: Option<&str>,
    web_host_names: &[String],
) {
    let key = match public_url {
        Some(url) if url.starts_with("https://") => "PUBLIC_URL",
        _ if !web_host_names.is_empty() => "WEB_HOSTS",
        _ => return,
    };
    layers.add_warning(format!(
        "{key} is set, but WEB_PROXIES is not: all visitors share the limits and bans of one \
         address, that of the proxy; set WEB_PROXIES to it"
    ));
}

impl Config {
    /// Reads and checks all settings. `file` is named on the command line; without it the
    /// environment may name one, and else `caravanserai.toml` in `folder` is read if it exists.
    ///
    /// # Errors
    /// One sentence about the first invalid setting. Secrets are never part of it.
    pub fn load(
        environment: &Environment,
        file: Option<&Path>,
        folder: &Path,
    ) -> Result<Self, ConfigError> {
        let mut layers = SettingLayers::read(environment, file, folder)?;
        layers.refuse_identities()?;
        let public_url = layers.page_url(&keys::PUBLIC_URL)?;
        let telegram = telegram_config(&mut layers)?;
        let discord = discord_config(&mut layers)?;
        check_page_url(public_url.as_deref(), telegram.as_ref(), discord.as_ref())?;
        let data_dir = PathBuf::from(layers.text(&keys::DATA_DIR)?);
        let store = store_address(&mut layers, &data_dir)?;
        let backup_recipients = backup_recipients(&layers)?;
        let archive_after_days = layers.days(&keys::ARCHIVE_AFTER)?;
        let contact = layers.contact(&keys::CONTACT)?;
        let operators = layers.accounts(&keys::HOSTS)?;
        let http = layers.listen(&keys::HTTP_LISTEN)?;
        let has_token = telegram.is_some() || discord.is_some();
        let web = webchat_listen(&mut layers, has_token, public_url.is_some())?;
        let web_host_names = layers.hosts(&keys::WEB_HOSTS)?;
        let web_proxies = layers.proxies(&keys::WEB_PROXIES)?;
        if web.is_some() && web_proxies.is_empty() {
            warn_of_unknown_proxy(&mut layers, public_url.as_deref(), &web_host_names);
        }
        let web_files_bytes = layers.megabytes(&keys::WEB_FILES_MB)?;
        let operator_api_secret = layers.secret(
            &keys::WEB_HOST_SECRET,
            &keys::WEB_HOST_SECRET_FILE,
            "16 to 256 letters, digits, _ and -",
            values::is_operator_secret,
        )?;
        if http.is_some() && http == web {
            return Err(ConfigError(format!(
                "HTTP_LISTEN and WEB_LISTEN are both {}, but each needs a port of its own",
                layers.raw_value(&keys::HTTP_LISTEN).0
            )));
        }
        if http.is_none() {
            check_push_port(telegram.as_ref(), discord.as_ref())?;
        }
        let log = layers.filter(&keys::LOG)?;
        let log_format = layers
            .choice(&keys::LOG_FORMAT, &[("text", LogFormat::Text), ("json", LogFormat::Json)])?;
        let in_use = keys::KEYS.iter().map(|key| effective_setting(&layers, key)).collect();
        let (warnings, secrets) = layers.into_warnings_and_secrets();
        Ok(Self {
            telegram,
            discord,
            data_dir,
            accept_loss: false,
            store,
            backup_recipients,
            archive_after_days,
            contact,
            operators,
            public_url,
            web,
            web_host_names,
            web_proxies,
            web_files_bytes,
            operator_api_secret,
            http,
            log,
            log_format,
            warnings,
            secrets,
            in_use,
        })
    }

    /// Whether people of a platform are in the store.
    pub fn serves_platform(&self) -> bool {
        self.telegram.is_some() || self.discord.is_some()
    }

    /// All texts that must never be printed, also those of settings that are not used.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// The masker of all secrets.
    pub fn secret_masker(&self) -> SecretMasker {
        // Of the address of a database not the password alone: it may be a common word.
        SecretMasker::new(self.secrets.iter().map(|it| it.reveal().to_owned()).collect())
    }

    /// Every setting with its value, source and documentation, for `--check-config`. Secrets are
    /// masked, even when one was written into another setting.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for EffectiveSetting { key, shown, source } in &self.in_use {
            let name = key.name;
            let shown = if shown.is_empty() { "(not set)" } else { shown };
            text.push_str(&format!("{name} = {shown}  [{source}]\n    {}\n", key.doc));
        }
        for warning in &self.warnings {
            text.push_str(&format!("Warning: {warning}.\n"));
        }
        self.secret_masker().mask(&text).into_owned()
    }
}

fn effective_setting(layers: &SettingLayers, key: &'static SettingKey) -> EffectiveSetting {
    let (value, source) = layers.raw_value(key);
    let shown = match key.kind {
        SettingKind::Secret if !value.is_empty() => MASK.to_owned(),
        SettingKind::Secret | SettingKind::Plain => value,
    };
    EffectiveSetting { key, shown, source }
}

fn store_address(layers: &mut SettingLayers, data_dir: &Path) -> Result<StoreAddress, ConfigError> {
    let url = layers.secret(
        &keys::STORE,
        &keys::STORE_FILE,
        "an address that begins with postgres://",
        StoreAddress::is_database,
    )?;
    let address = match url {
        Some(url) => StoreAddress::Database(url.reveal().to_owned()),
        None => StoreAddress::Folder(data_dir.to_owned()),
    };
    Ok(address.with_keys(store_keys(layers, data_dir)?.map(Arc::new)))
}

/// The keys of the store, if it is to be encrypted.
fn store_keys(
    layers: &mut SettingLayers,
    data_dir: &Path,
) -> Result<Option<StoreKeys>, ConfigError> {
    let (file, _) = layers.raw_value(&keys::STORE_KEY_FILE);
    let file = Path::new(&file);
    let why = if values::is_inside(file, data_dir) {
        Some("lies in DATA_DIR: a copy of the store would contain its keys, too; move it away")
    } else if layers.others_can_read(file) {
        Some("can be read by others on this machine: chmod 600 it")
    } else {
        None
    };
    if let Some(why) = why {
        let file = file.display();
        return Err(ConfigError(format!("the file {file} of STORE_KEY_FILE {why}")));
    }
    let text = layers.secret(&keys::STORE_KEY, &keys::STORE_KEY_FILE, "keys", |_| true)?;
    let Some(text) = text else { return Ok(None) };
    // Each key alone is a secret, too.
    let words = text.reveal().split(|c: char| c == ',' || c.is_whitespace());
    for key in words.filter(|it| it.len() >= KEY_BYTES) {
        layers.add_secret(Secret(key.to_owned()));
    }
    StoreKeys::parse(text.reveal()).map(Some).map_err(|error| {
        ConfigError(format!("STORE_KEY or STORE_KEY_FILE gives no keys of a store: {error}"))
    })
}

/// The public keys of backups, if they are to be encrypted.
fn backup_recipients(layers: &SettingLayers) -> Result<Option<BackupRecipients>, ConfigError> {
    let key = &keys::BACKUP_RECIPIENTS;
    let file_key = &keys::BACKUP_RECIPIENTS_FILE;
    let Some(found) = layers.value_or_file(key, file_key)? else { return Ok(None) };
    BackupRecipients::parse(found.text.reveal()).map(Some).map_err(|error| {
        let from = found.from;
        ConfigError(format!("BACKUP_RECIPIENTS (from {from}) gives no keys of backups: {error}"))
    })
}

fn telegram_config(layers: &mut SettingLayers) -> Result<Option<TelegramConfig>, ConfigError> {
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
        (None, secret) => {
            if secret.is_some() && token.is_some() {
                layers.add_warning(
                    "TELEGRAM_WEBHOOK_SECRET is set, but TELEGRAM_WEBHOOK_URL is not: the bot asks \
                     Telegram for updates and does not use the secret"
                        .into(),
                );
            }
            TelegramMode::Polling
        }
        (Some(url), Some(secret)) => {
            TelegramMode::Webhook { path: webhook_path(&url)?, url, secret }
        }
        (Some(_), None) => {
            return Err(ConfigError(
                "TELEGRAM_WEBHOOK_URL is set, but TELEGRAM_WEBHOOK_SECRET, which proves that \
                 updates come from Telegram, is not"
                    .into(),
            ));
        }
    };
    if token.is_some() && !cfg!(feature = "telegram") {
        return Err(missing_feature_error("TELEGRAM_TOKEN", "telegram"));
    }
    let app = layers.app_name(&keys::TELEGRAM_APP)?;
    let picture_chat = layers.telegram_chat(&keys::TELEGRAM_PICTURE_CHAT)?;
    if token.is_none() {
        warn_of_missing_token(layers, "TELEGRAM_");
    }
    Ok(token.map(|token| TelegramConfig { token, api_url, mode, app, picture_chat }))
}

fn webhook_path(url: &str) -> Result<String, ConfigError> {
    values::parse_webhook_path(url).ok_or_else(|| {
        ConfigError(
            "TELEGRAM_WEBHOOK_URL: the path may have letters, digits, -, _, . and ~ only, and must \
             not be /livez, /healthz, /readyz, /metrics or /discord"
                .into(),
        )
    })
}

fn discord_config(layers: &mut SettingLayers) -> Result<Option<DiscordConfig>, ConfigError> {
    let token = layers.secret(
        &keys::DISCORD_TOKEN,
        &keys::DISCORD_TOKEN_FILE,
        "the bot token from the developer portal, without spaces",
        values::is_discord_token,
    )?;
    let api_url = layers.url(&keys::DISCORD_API_URL)?;
    if token.is_some() && !cfg!(feature = "discord") {
        return Err(missing_feature_error("DISCORD_TOKEN", "discord"));
    }
    let interactions = interactions_config(layers)?;
    let members = layers.choice(&keys::DISCORD_MEMBERS, &[("off", false), ("on", true)])?;
    let client_secret = layers.secret(
        &keys::DISCORD_CLIENT_SECRET,
        &keys::DISCORD_CLIENT_SECRET_FILE,
        "the Client Secret from the developer portal (OAuth2), without spaces",
        values::is_discord_token,
    )?;
    if token.is_none() {
        warn_of_missing_token(layers, "DISCORD_");
    }
    Ok(token.map(|token| DiscordConfig { token, api_url, interactions, members, client_secret }))
}

/// Warns of settings of a platform that is not served.
fn warn_of_missing_token(layers: &mut SettingLayers, prefix: &str) {
    let unused = layers.changed_settings(prefix).join(", ");
    if !unused.is_empty() {
        layers.add_warning(format!(
            "{prefix}TOKEN is not set, so these settings do nothing: {unused}"
        ));
    }
}

fn interactions_config(layers: &mut SettingLayers) -> Result<DiscordInteractions, ConfigError> {
    let choices = [("gateway", false), ("http", true)];
    let posted = layers.choice(&keys::DISCORD_INTERACTIONS, &choices)?;
    match (posted, layers.public_key(&keys::DISCORD_PUBLIC_KEY)?) {
        (false, None) => Ok(DiscordInteractions::Gateway),
        (false, Some(_)) => {
            layers.add_warning(
                "DISCORD_PUBLIC_KEY is set, but only DISCORD_INTERACTIONS=http makes use of it"
                    .into(),
            );
            Ok(DiscordInteractions::Gateway)
        }
        (true, Some(public_key)) => Ok(DiscordInteractions::Http { public_key }),
        (true, None) => Err(ConfigError(
            "DISCORD_INTERACTIONS is http, but DISCORD_PUBLIC_KEY, which proves that they come \
             from Discord, is not set: copy it from the developer portal (General Information)"
                .into(),
        )),
    }
}

fn missing_feature_error(key: &str, feature: &str) -> ConfigError {
    ConfigError(format!("{key} is set, but this program was built without the feature {feature}"))
}

/// Whether the built-in chat runs.
#[derive(Clone, Copy)]
enum WebchatMode {
    Auto,
    On,
    Off,
}

fn webchat_listen(
    layers: &mut SettingLayers,
    has_token: bool,
    public: bool,
) -> Result<Option<SocketAddr>, ConfigError> {
    let listen = layers.listen(&keys::WEB_LISTEN)?;
    let choices = [
        ("auto", WebchatMode::Auto),
        ("on", WebchatMode::On),
        ("off", WebchatMode::Off),
        ("true", WebchatMode::On),
        ("false", WebchatMode::Off),
    ];
    let on = match layers.choice(&keys::WEB, &choices)? {
        WebchatMode::On => true,
        WebchatMode::Off => false,
        WebchatMode::Auto => !has_token || public,
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
        layers.add_warning(
            "WEB_LISTEN lets other machines in, and the built-in chat asks nobody for a password"
                .into(),
        );
    }
    Ok(listen)
}
