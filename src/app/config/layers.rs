//! Looks up settings (environment over file over default) and writes the errors about their values.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::keys::{self, SettingKey};
use super::{
    ConfigError, Environment, FILE_DEFAULT, FILE_VARIABLE, Secret, SecretMasker, SettingSource,
    values,
};
use caravanserai_games::ids::PersonId;
use caravanserai_store::backup::holds_identity;
use caravanserai_webchat::TrustedProxies;
use zeroize::Zeroizing;

/// Files that settings name are read up to this many bytes.
const SECRET_BYTES_MAX: usize = 4096;
/// The variable with the folder in which systemd puts the credentials of a service.
const CREDENTIALS_VARIABLE: &str = "CREDENTIALS_DIRECTORY";

/// The raw settings, before parsing.
pub(super) struct SettingLayers {
    environment: Environment,
    file: BTreeMap<String, String>,
    path: PathBuf,
    warnings: Vec<String>,
    secrets: Vec<Secret>,
}

/// A value that is given directly or in a file.
pub(super) struct FoundValue {
    /// The value, which may be a secret.
    pub(super) text: Secret,
    /// Where it was found, for errors.
    pub(super) from: String,
    /// The file that holds it, if one does.
    file: Option<String>,
}

impl SettingLayers {
    pub(super) fn read(
        environment: &Environment,
        file: Option<&Path>,
        folder: &Path,
    ) -> Result<Self, ConfigError> {
        let named = file.map(Path::to_path_buf).or_else(|| {
            environment.get(FILE_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from)
        });
        let default = folder.join(FILE_DEFAULT);
        let path = named.clone().unwrap_or(default);
        let mut layers = Self {
            environment: environment.clone(),
            file: BTreeMap::new(),
            path: path.clone(),
            warnings: Vec::new(),
            secrets: Vec::new(),
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => layers.file = parse_settings_file(&text, &path)?,
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(ConfigError(format!(
                    "the settings file {} cannot be read: {error}",
                    path.display()
                )));
            }
        }
        layers.warn_of_misspelt_variables();
        layers.warn_of_readable_settings_file();
        Ok(layers)
    }

    /// The value in use, empty if there is none, and its source.
    pub(super) fn raw_value(&self, key: &SettingKey) -> (String, SettingSource) {
        let filled = |value: Option<&String>| value.filter(|value| !value.is_empty()).cloned();
        if let Some(value) = filled(self.environment.get(key.name)) {
            (value, SettingSource::Environment)
        } else if let Some(value) = filled(self.file.get(&key.file_name())) {
            (value, SettingSource::File(self.path.clone()))
        } else {
            (key.default.to_owned(), SettingSource::Default)
        }
    }

    /// The settings with this prefix that have another value than the default.
    pub(super) fn changed_settings(&self, prefix: &str) -> Vec<&'static str> {
        let is_changed = |key: &SettingKey| self.raw_value(key).0 != key.default;
        let ours = keys::KEYS.iter().filter(|key| key.name.starts_with(prefix));
        ours.filter(|key| is_changed(key)).map(|key| key.name).collect()
    }

    /// Refuses an identity of backups in any setting, also in one that another value overrides:
    /// the bot must not know it, and the list of settings would show it.
    pub(super) fn refuse_identities(&self) -> Result<(), ConfigError> {
        for key in keys::KEYS {
            let in_file = self.file.get(&key.file_name());
            let values = [
                (self.environment.get(key.name), SettingSource::Environment),
                (in_file, SettingSource::File(self.path.clone())),
            ];
            let found = values.iter().find(|(it, _)| it.is_some_and(|it| holds_identity(it)));
            if let Some((_, source)) = found {
                return Err(ConfigError(format!(
                    "{} (from {source}, not shown) is a secret identity, which the bot must not \
                     know: keep it elsewhere, and set BACKUP_RECIPIENTS to its public key, which \
                     begins with age1",
                    key.name
                )));
            }
        }
        Ok(())
    }

    /// Any text without control characters.
    pub(super) fn text(&self, key: &SettingKey) -> Result<String, ConfigError> {
        self.parse_checked(key, "text without control characters", |value| {
            let fine = !value.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER);
            fine.then(|| value.to_owned())
        })
    }

    /// One of the given words.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &SettingKey,
        choices: &[(&str, T)],
    ) -> Result<T, ConfigError> {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        self.parse_checked(key, &format!("one of {}", words.join(", ")), |value| {
            choices.iter().find(|(word, _)| *word == value.to_lowercase()).map(|(_, value)| *value)
        })
    }

    /// An address and a port; `None` if not set.
    pub(super) fn listen(&self, key: &SettingKey) -> Result<Option<SocketAddr>, ConfigError> {
        if self.raw_value(key).0.is_empty() {
            return Ok(None);
        }
        self.parse_checked(key, "an IP address and a port, such as 127.0.0.1:8787", |value| {
            let value = value.replace("localhost:", "127.0.0.1:");
            value.parse().ok()
        })
        .map(Some)
    }

    /// The URL of a server, without a trailing slash.
    pub(super) fn url(&self, key: &SettingKey) -> Result<String, ConfigError> {
        self.parse_checked(
            key,
            "an address such as https://example.org, without user name and password",
            values::parse_server_url,
        )
    }

    /// A public URL; `None` if not set.
    pub(super) fn optional_url(&self, key: &SettingKey) -> Result<Option<String>, ConfigError> {
        if self.raw_value(key).0.is_empty() {
            return Ok(None);
        }
        let allowed = "an address that starts with https:// (http:// only on this machine)";
        self.parse_checked(key, allowed, values::parse_public_url).map(Some)
    }

    /// The public URL of the page; `None` if not set.
    pub(super) fn page_url(&self, key: &SettingKey) -> Result<Option<String>, ConfigError> {
        if self.raw_value(key).0.is_empty() {
            return Ok(None);
        }
        let allowed = "an address such as https://play.example.org, without a path (http:// only \
                       on this machine)";
        self.parse_checked(key, allowed, values::parse_page_url).map(Some)
    }

    /// The short name of a Mini App; `None` if not set.
    pub(super) fn app_name(&self, key: &SettingKey) -> Result<Option<String>, ConfigError> {
        if self.raw_value(key).0.is_empty() {
            return Ok(None);
        }
        let allowed =
            "the short name of the Mini App from BotFather: 3 to 30 letters, digits and _";
        self.parse_checked(key, allowed, values::parse_app_name).map(Some)
    }

    /// A chat on Telegram; `None` if not set.
    pub(super) fn telegram_chat(&self, key: &SettingKey) -> Result<Option<String>, ConfigError> {
        if self.raw_value(key).0.is_empty() {
            return Ok(None);
        }
        let allowed = "the id of a chat such as -1001234567890, or the public name of a channel \
                       such as @my_boards";
        self.parse_checked(key, allowed, values::parse_telegram_chat).map(Some)
    }

    /// The public key of a Discord application; `None` if not set.
    pub(super) fn public_key(&self, key: &SettingKey) -> Result<Option<String>, ConfigError> {
        if self.raw_value(key).0.is_empty() {
            return Ok(None);
        }
        let allowed = "the Public Key from the developer portal (General Information): 64 digits \
                       and letters from a to f";
        self.parse_checked(key, allowed, values::parse_public_key).map(Some)
    }

    /// Where players reach the operator; `None` if not set.
    pub(super) fn contact(&self, key: &SettingKey) -> Result<Option<String>, ConfigError> {
        if self.raw_value(key).0.is_empty() {
            return Ok(None);
        }
        let allowed = "an address, a link or a name in one line of at most 200 characters";
        self.parse_checked(key, allowed, values::parse_contact).map(Some)
    }

    /// A list of accounts.
    pub(super) fn accounts(&self, key: &SettingKey) -> Result<Vec<PersonId>, ConfigError> {
        let allowed = "accounts such as telegram:123, discord:456 or web:1a2b, separated by commas";
        self.parse_checked(key, allowed, values::parse_accounts)
    }

    /// A list of host names.
    pub(super) fn hosts(&self, key: &SettingKey) -> Result<Vec<String>, ConfigError> {
        self.parse_checked(
            key,
            "names such as play.example.org, separated by commas",
            values::parse_hosts,
        )
    }

    /// A list of proxies.
    pub(super) fn proxies(&self, key: &SettingKey) -> Result<TrustedProxies, ConfigError> {
        let allowed = "IP addresses or networks such as 172.16.0.0/12, separated by commas";
        self.parse_checked(key, allowed, TrustedProxies::parse)
    }

    /// A number of days.
    pub(super) fn days(&self, key: &SettingKey) -> Result<u64, ConfigError> {
        self.parse_checked(key, "a number of days from 0 to 36500", values::parse_days)
    }

    /// A number of megabytes, as bytes.
    pub(super) fn megabytes(&self, key: &SettingKey) -> Result<u64, ConfigError> {
        let allowed = "a number of megabytes from 100 to 10000000";
        self.parse_checked(key, allowed, values::parse_megabytes)
    }

    /// A filter for logs.
    pub(super) fn filter(&self, key: &SettingKey) -> Result<String, ConfigError> {
        let allowed = "a filter: error, warn, info, debug, trace or off, also by module, as in \
                       info,caravanserai_store=debug";
        self.parse_checked(key, allowed, values::parse_log_filter)
    }

    /// A secret, given directly or in a file.
    pub(super) fn secret(
        &mut self,
        key: &'static SettingKey,
        file_key: &'static SettingKey,
        allowed: &str,
        is_valid: fn(&str) -> bool,
    ) -> Result<Option<Secret>, ConfigError> {
        let Some(FoundValue { text, from, file }) = self.value_or_file(key, file_key)? else {
            return Ok(None);
        };
        self.add_secret(text.clone());
        if let Some(path) = file.filter(|path| self.others_can_read(Path::new(path))) {
            self.add_warning(format!(
                "others on this machine can read the file {path} of {}",
                file_key.name
            ));
        }
        if !is_valid(text.reveal()) {
            return Err(ConfigError(format!(
                "{} (from {from}, {} characters, not shown) must be {allowed}",
                key.name,
                text.reveal().chars().count()
            )));
        }
        Ok(Some(text))
    }

    /// A value that is given directly or in a file. The choice between the two is made layer by
    /// layer, so that a file named in the environment wins over a value in the settings file.
    pub(super) fn value_or_file(
        &self,
        key: &'static SettingKey,
        file_key: &'static SettingKey,
    ) -> Result<Option<FoundValue>, ConfigError> {
        let (direct, source) = self.raw_value(key);
        let (file, file_source) = self.raw_value(file_key);
        if direct.is_empty() && file.is_empty() {
            return Ok(None);
        }
        let both = !direct.is_empty() && !file.is_empty();
        if both && source == file_source {
            return Err(ConfigError(format!(
                "{} and {} are both set in the {source}, but only one of them may be",
                key.name, file_key.name
            )));
        }
        let in_file = direct.is_empty() || both && file_source == SettingSource::Environment;
        Ok(Some(if in_file {
            let text = Secret(read_secret(file_key, &file)?);
            FoundValue { text, from: format!("file {file}"), file: Some(file) }
        } else {
            FoundValue { text: Secret(direct), from: source.to_string(), file: None }
        }))
    }

    /// Whether users other than the owner may read a file. A credential of systemd belongs to root
    /// and can be read by the user of the service alone; that permission looks like one of a group.
    pub(super) fn others_can_read(&self, path: &Path) -> bool {
        let folder = self.environment.get(CREDENTIALS_VARIABLE);
        match folder.is_some_and(|it| values::is_inside(path, Path::new(it))) {
            true => values::everybody_can_read(path),
            false => values::others_can_read(path),
        }
    }

    pub(super) fn add_warning(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Adds a text that must never be printed.
    pub(super) fn add_secret(&mut self, secret: Secret) {
        self.secrets.push(secret);
    }

    /// The warnings, and all secrets that were read, also those that are not used.
    pub(super) fn into_warnings_and_secrets(self) -> (Vec<String>, Vec<Secret>) {
        (self.warnings, self.secrets)
    }

    fn parse_checked<T>(
        &self,
        key: &SettingKey,
        allowed: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ConfigError> {
        let (value, source) = self.raw_value(key);
        read(&value).ok_or_else(|| {
            // A secret may have been written into the wrong setting.
            let secrets = keys::KEYS.iter().filter(|key| key.kind == keys::SettingKind::Secret);
            let masking = SecretMasker::new(secrets.map(|key| self.raw_value(key).0).collect());
            let found = masking.mask(&value);
            ConfigError(format!("{} is {found:?} (from {source}), but must be {allowed}", key.name))
        })
    }

    /// Warns of misspelt names: variables of other programs are ignored, but an unknown name that
    /// is like one of ours is probably misspelt.
    fn warn_of_misspelt_variables(&mut self) {
        let ours = |name: &str| keys::KEYS.iter().any(|key| key.name == name);
        let strange: Vec<String> = self
            .environment
            .iter()
            // Empty means not set, also for unknown names.
            .filter(|(name, value)| !value.is_empty() && !ours(name) && keys::is_like_setting(name))
            .map(|(name, _)| name.clone())
            .collect();
        for name in strange {
            let nearest = keys::nearest_setting_name(&name).to_uppercase();
            self.add_warning(format!(
                "{name} in the environment is no setting; the nearest is {nearest}"
            ));
        }
    }

    fn warn_of_readable_settings_file(&mut self) {
        let holds_secret = keys::KEYS.iter().any(|key| {
            let value = self.file.get(&key.file_name());
            key.kind == keys::SettingKind::Secret && value.is_some_and(|value| !value.is_empty())
        });
        if holds_secret && self.others_can_read(&self.path) {
            let path = self.path.display();
            self.add_warning(format!(
                "others on this machine can read {path}, which holds a secret"
            ));
        }
    }
}

/// Reads the file that a setting names.
fn read_secret(key: &SettingKey, path: &str) -> Result<String, ConfigError> {
    // The value may be the secret itself, entered in the wrong place; no secret has a slash in it.
    let shown = if path.contains(['/', '\\']) { path } else { "(not shown)" };
    let to_error = |why: &str| {
        ConfigError(format!("{} names the file {shown}, which cannot be used: {why}", key.name))
    };
    let text = std::fs::read_to_string(path).map_err(|error| to_error(&error.to_string()))?;
    let text = Zeroizing::new(text);
    if text.len() > SECRET_BYTES_MAX {
        return Err(to_error(&format!("it has more than {SECRET_BYTES_MAX} bytes")));
    }
    Ok(text.trim().to_owned())
}

/// Parses a settings file into texts. Errors do not repeat what the parser quotes, because it may
/// be a token.
fn parse_settings_file(text: &str, path: &Path) -> Result<BTreeMap<String, String>, ConfigError> {
    let path = path.display();
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        ConfigError(format!("line {line} of {path} is not TOML: name = \"value\" is expected"))
    })?;
    let mut found = BTreeMap::new();
    for (name, value) in table {
        if !keys::KEYS.iter().any(|key| key.file_name() == name) {
            let nearest = keys::nearest_setting_name(&name);
            return Err(ConfigError(format!(
                "{path} sets {name:?}, which is no setting; the nearest is {nearest}"
            )));
        }
        let value = match value {
            toml::Value::String(value) => value,
            toml::Value::Boolean(value) => value.to_string(),
            toml::Value::Integer(value) => value.to_string(),
            toml::Value::Float(_)
            | toml::Value::Datetime(_)
            | toml::Value::Array(_)
            | toml::Value::Table(_) => {
                return Err(ConfigError(format!("{path} must give {name} as text in quotes")));
            }
        };
        found.insert(name, value);
    }
    Ok(found)
}
