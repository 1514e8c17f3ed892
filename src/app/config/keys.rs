//! The only list of settings: name, default, documentation.

/// Other programs rarely have variables that are like names of settings of at least this length.
const LONG_NAME_MIN: usize = 8;
/// A misspelt name differs in at most one letter of this many.
const NAME_LENGTH_PER_CHANGE: usize = 5;

/// Whether a value may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// May be shown.
    Plain,
    /// Masked everywhere.
    Secret,
}

/// One setting.
#[derive(Debug)]
pub struct SettingKey {
    /// The name in the environment; in the file it is the same in lower case.
    pub name: &'static str,
    /// The value if it is not set; empty for none.
    pub default: &'static str,
    /// One or two sentences for the operator, with the allowed values.
    pub doc: &'static str,
    /// Whether it may be shown.
    pub kind: SettingKind,
}

impl SettingKey {
    /// The name in the settings file.
    pub fn file_name(&self) -> String {
        self.name.to_lowercase()
    }
}

macro_rules! keys {
    ($($kind:ident $name:ident = $default:literal, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            pub static $name: SettingKey = SettingKey {
                name: stringify!($name),
                default: $default,
                doc: $doc,
                kind: SettingKind::$kind,
            };
        )*
        /// All settings, in the order in which they are shown.
        pub static KEYS: &[&SettingKey] = &[$(&$name),*];
    };
}

keys! {
    Secret TELEGRAM_TOKEN = "",
        "Token of the Telegram bot, from BotFather. Telegram is served if it is set.";
    Plain TELEGRAM_TOKEN_FILE = "",
        "File that holds TELEGRAM_TOKEN, instead of the token itself.";
    Plain TELEGRAM_API_URL = "https://api.telegram.org",
        "Bot API server to use, for those who host their own.";
    Plain TELEGRAM_WEBHOOK_URL = "",
        "Public address, starting with https://, to which Telegram sends updates; they arrive at \
         HTTP_LISTEN under the same path. Without it the bot asks Telegram for updates.";
    Secret TELEGRAM_WEBHOOK_SECRET = "",
        "Secret that Telegram sends with each update, by which the bot checks where it comes from: \
         1 to 256 letters, digits, _ and -. Needed with TELEGRAM_WEBHOOK_URL.";
    Plain TELEGRAM_WEBHOOK_SECRET_FILE = "",
        "File that holds TELEGRAM_WEBHOOK_SECRET, instead of the secret itself.";
    Plain TELEGRAM_APP = "",
        "Short name of the Mini App that opens boards, as it was given to BotFather (/newapp): \
         groups then have a button that opens the board in Telegram. Needs PUBLIC_URL.";
    Plain TELEGRAM_PICTURE_CHAT = "",
        "Chat in which the bot posts pictures of boards, so that messages sent via inline mode can \
         show them: the id of a private channel where it may post, or your own id. Without it \
         boards are texts there.";
    Secret DISCORD_TOKEN = "",
        "Token of the Discord bot, from the developer portal. Discord is served if it is set.";
    Plain DISCORD_TOKEN_FILE = "",
        "File that holds DISCORD_TOKEN, instead of the token itself.";
    Plain DISCORD_API_URL = "https://discord.com",
        "Discord server to use.";
    Plain DISCORD_INTERACTIONS = "gateway",
        "How commands and presses come from Discord: gateway, or http: then Discord posts them to \
         /discord at HTTP_LISTEN, which any of several replicas may answer. Its public https \
         address goes into the developer portal as Interactions Endpoint URL.";
    Plain DISCORD_PUBLIC_KEY = "",
        "Public Key of the application, from the developer portal: with it the bot checks that \
         posted commands and presses come from Discord. Needed with DISCORD_INTERACTIONS=http.";
    Plain DISCORD_MEMBERS = "off",
        "Whether the bot receives Discord's member events: on or off. With on, it notices at once \
         when players leave a server or come back. Needs the Server Members Intent in the \
         developer portal (Bot).";
    Secret DISCORD_CLIENT_SECRET = "",
        "Lets people open boards inside Discord, as an Activity: the Client Secret of the \
         application, from the developer portal (OAuth2). Needs PUBLIC_URL.";
    Plain DISCORD_CLIENT_SECRET_FILE = "",
        "File that holds DISCORD_CLIENT_SECRET, instead of the secret itself.";
    Plain DATA_DIR = "data",
        "Folder of the store; made if it is not there. One process at a time may use it.";
    Secret STORE = "",
        "Address of a PostgreSQL database that keeps everything instead of DATA_DIR, for several \
         replicas: postgres://user:password@host/database; several hosts are separated by commas, \
         sslmode=verify-full and sslrootcert=FILE are understood.";
    Plain STORE_FILE = "",
        "File that holds STORE, instead of the address itself.";
    Plain STORE_KEY_FILE = "",
        "File with the keys that the store is encrypted with, which `caravanserai store new-key \
         FILE` makes. It must be outside DATA_DIR, and nobody else may read it. Without it the \
         store is not encrypted.";
    Secret STORE_KEY = "",
        "The contents of STORE_KEY_FILE, with commas instead of line feeds, where keys come in the \
         environment.";
    Plain BACKUP_RECIPIENTS = "",
        "Public keys that backups are encrypted to, separated by commas, such as age1...; \
         `caravanserai store new-backup-key FILE` makes one. The identity of any of them opens the \
         backups; the bot needs none. Without it backups are not encrypted.";
    Plain BACKUP_RECIPIENTS_FILE = "",
        "File with the keys of BACKUP_RECIPIENTS, one a line, instead of the keys themselves.";
    Plain ARCHIVE_AFTER = "7",
        "After how many days the log of a finished game is kept only as a short record, from which \
         it can still be replayed, reviewed and verified. 0 keeps logs as they are.";
    Plain CONTACT = "",
        "Where players reach you: an address, a link or a name such as @ann, of at most 200 \
         characters. /about, /privacy and /feedback show it.";
    Plain HOSTS = "",
        "Accounts of the operators, separated by commas, such as telegram:123, discord:456 or \
         web:1a2b: they can use /admin in a private chat. If it is empty, nobody can.";
    Plain PUBLIC_URL = "",
        "Public https address at which people reach the page of WEB_LISTEN through a proxy, such \
         as `https://play.example.org`, without a path. People of Telegram and Discord can then \
         open their boards in a browser, and challenges have a web link. Off if it is not set.";
    Plain WEB = "auto",
        "Whether the built-in group chat runs: on, off, or auto, which is on as long as no token \
         is set, and with PUBLIC_URL.";
    Plain WEB_LISTEN = "127.0.0.1:8787",
        "Address and port of the built-in group chat. It has no passwords: anyone who reaches it \
         may use it.";
    Plain WEB_HOSTS = "",
        "Names by which people reach the built-in group chat through a proxy, separated by commas, \
         such as play.example.org. IP addresses and localhost always work.";
    Plain WEB_PROXIES = "",
        "IP addresses or networks (172.16.0.0/12) of proxies in front of the built-in group chat, \
         separated by commas. Only what they say in X-Forwarded-For counts as the address of a \
         person.";
    Plain WEB_FILES_MB = "1024",
        "How many megabytes the images and files of the built-in group chat may take; a board has \
         about 40 KB. Beyond them those that no message shows are deleted first, then the oldest.";
    Secret WEB_HOST_SECRET = "",
        "Opens /api/host of the built-in group chat, where the operator lists, bans and closes: 16 \
         to 256 letters, digits, _ and -. Closed if it is not set.";
    Plain WEB_HOST_SECRET_FILE = "",
        "File that holds WEB_HOST_SECRET, instead of the secret itself.";
    Plain HTTP_LISTEN = "",
        "Address and port for /healthz, /readyz, /metrics, the Telegram webhook and what Discord \
         posts, such as 0.0.0.0:8080. Nothing listens if it is not set.";
    Plain LOG = "info",
        "What is logged: error, warn, info, debug or trace, also by module, as in \
         info,caravanserai_store=debug.";
    Plain LOG_FORMAT = "text",
        "How it is logged: text, or json for one object a line.";
}

/// The settings file with every setting at its default; `deploy/settings.sample.toml` is this text.
pub fn sample_settings() -> String {
    let mut text = String::from(
        "# Settings of Caravanserai. All are optional; an empty value means \"not set\".\n\
         # Each can also be given in the environment, in capitals, which wins over this file.\n\
         # Read from ./caravanserai.toml, or from where --config or CARAVANSERAI_CONFIG says.\n",
    );
    for key in KEYS {
        text.push('\n');
        for line in wrap_text(key.doc, 90) {
            text.push_str(&format!("# {line}\n"));
        }
        text.push_str(&format!("{} = {:?}\n", key.file_name(), key.default));
    }
    text
}

/// The known name nearest to a misspelt one, in lower case: one that begins like it, or else the
/// one with the smallest edit distance.
pub(super) fn nearest_setting_name(found: &str) -> String {
    let found = found.to_lowercase().replace('-', "_");
    let names = KEYS.iter().map(|key| key.file_name());
    let far = |name: &String| (!name.starts_with(&found), edit_distance(&found, name));
    names.min_by_key(far).expect("there are settings")
}

/// Whether a variable of the environment is probably one of these settings, misspelt. Each name
/// with the prefix of a platform counts. Of the others only long names count, because other
/// programs on the machine have variables such as `HOST` and `LOG_LEVEL`.
pub(super) fn is_like_setting(found: &str) -> bool {
    let is_near = |name: &str| {
        let changes_max = name.len() / NAME_LENGTH_PER_CHANGE;
        found.starts_with(name) || edit_distance(found, name) <= changes_max
    };
    let mut long = KEYS.iter().map(|key| key.name).filter(|it| it.len() >= LONG_NAME_MIN);
    found.starts_with("TELEGRAM_") || found.starts_with("DISCORD_") || long.any(is_near)
}

/// The Levenshtein distance: letters to add, remove or change.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

fn wrap_text(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
