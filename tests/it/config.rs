//! Settings: what wins, what is refused and with which sentence, and what is never shown.

use std::collections::BTreeSet;
use std::path::Path;

use caravanserai::components::http::DISCORD_PATH;
use caravanserai::config::cli::{BotCli, CliCommand};
use caravanserai::config::{
    Config, DiscordInteractions, Environment, LogFormat, TelegramMode, keys,
};
use caravanserai::health;
use caravanserai_bot::admin::USAGE;
use caravanserai_tools::args::{ToolsCli as Tools, ToolsCommand as Tool};
use clap::{CommandFactory, Parser};

const TOKEN: &str = "123456:HUSH-from_BotFather";

fn environment(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
}

/// With these variables and this `caravanserai.toml`, if any.
fn load(pairs: &[(&str, &str)], file: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    if !file.is_empty() {
        write_private(&folder.path().join("caravanserai.toml"), file);
    }
    Config::load(&environment(pairs), None, folder.path()).map_err(|error| error.to_string())
}

#[cfg(unix)]
fn write_private(path: &Path, text: &str) {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    let file = options.create(true).truncate(true).write(true).mode(0o600).open(path);
    file.unwrap().write_all(text.as_bytes()).unwrap();
}

#[cfg(not(unix))]
fn write_private(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

/// The sentence that stops the start must hold all of these words.
#[track_caller]
fn refused(pairs: &[(&str, &str)], file: &str, words: &[&str]) {
    let error = load(pairs, file).unwrap_err();
    for word in words {
        assert!(error.contains(word), "{word:?} is missing in: {error}");
    }
    assert!(!error.contains("HUSH"), "a secret is shown: {error}");
    assert!(!error.contains('\n'), "more than one line: {error}");
}

#[test]
fn without_settings_only_the_built_in_chat_runs() {
    let config = load(&[], "").unwrap();
    assert!(config.telegram.is_none() && config.discord.is_none() && config.http.is_none());
    assert_eq!(config.web.unwrap().to_string(), "127.0.0.1:8787");
    assert_eq!(config.data_dir, Path::new("data"));
    assert_eq!((config.log.as_str(), config.log_format), ("info", LogFormat::Text));
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
}

#[test]
fn settings_precedence_is_environment_file_default() {
    let file = "data_dir = 'from file'\nweb_listen = '127.0.0.1:1'\nlog = ''";
    let config = load(&[("DATA_DIR", "from environment"), ("LOG_FORMAT", "")], file).unwrap();
    assert_eq!(config.data_dir, Path::new("from environment"));
    assert_eq!(config.web.unwrap().port(), 1);
    // Empty means not set.
    assert_eq!((config.log.as_str(), config.log_format), ("info", LogFormat::Text));
    let shown = config.describe();
    assert!(shown.contains("DATA_DIR = from environment  [environment]"), "{shown}");
    assert!(shown.contains("WEB_LISTEN = 127.0.0.1:1  [file "), "{shown}");
    assert!(shown.contains("LOG = info  [default]"), "{shown}");
}

#[test]
fn interactions_that_are_posted_want_a_key_and_a_port() {
    let (token, http) = (("DISCORD_TOKEN", "HUSH"), ("HTTP_LISTEN", "0.0.0.0:80"));
    let posted = ("DISCORD_INTERACTIONS", "http");
    let digits = "D75A980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    let key = ("DISCORD_PUBLIC_KEY", digits);
    let config = load(&[token, http, posted, key], "").unwrap();
    let DiscordInteractions::Http { public_key } = config.discord.unwrap().interactions else {
        panic!()
    };
    assert_eq!(public_key, digits.to_lowercase());
    refused(&[token, http, posted], "", &["DISCORD_PUBLIC_KEY", "not set", "developer portal"]);
    refused(&[token, posted, key], "", &["DISCORD_INTERACTIONS", "HTTP_LISTEN"]);
    let short = ("DISCORD_PUBLIC_KEY", &digits[1..]);
    refused(&[token, http, posted, short], "", &["DISCORD_PUBLIC_KEY", "64 digits", "portal"]);
    let other = ("DISCORD_INTERACTIONS", "webhook");
    refused(&[token, http, other], "", &["DISCORD_INTERACTIONS", "gateway, http"]);
    let config = load(&[token, key], "").unwrap();
    assert!(matches!(config.discord.unwrap().interactions, DiscordInteractions::Gateway));
    assert!(config.warnings[0].contains("DISCORD_INTERACTIONS=http"), "{:?}", config.warnings);
}

#[test]
fn a_public_address_is_https_alone_and_switches_the_page_on() {
    let page = ("PUBLIC_URL", "https://play.example.org/");
    let config = load(&[("TELEGRAM_TOKEN", TOKEN), page], "").unwrap();
    assert_eq!(config.public_url.as_deref(), Some("https://play.example.org"));
    assert!(config.web.is_some(), "a token alone would switch it off");
    assert!(load(&[("PUBLIC_URL", "http://127.0.0.1:8787")], "").is_ok());
    for wrong in ["http://play.example.org", "https://play.example.org/chat", "play.example.org"] {
        refused(&[("PUBLIC_URL", wrong)], "", &["PUBLIC_URL", "https://play.example.org", "path"]);
    }
    refused(&[("TELEGRAM_TOKEN", TOKEN), page, ("WEB", "off")], "", &["PUBLIC_URL", "WEB is off"]);
    let config = load(&[("TELEGRAM_TOKEN", TOKEN)], "").unwrap();
    assert!(config.public_url.is_none() && config.web.is_none(), "as before");
}

#[test]
fn a_chat_for_pictures_is_an_id_or_a_public_name() {
    let telegram = ("TELEGRAM_TOKEN", TOKEN);
    for chat in ["-1001234567890", "1000007", "@my_boards"] {
        let config = load(&[telegram, ("TELEGRAM_PICTURE_CHAT", chat)], "").unwrap();
        assert_eq!(config.telegram.unwrap().picture_chat.as_deref(), Some(chat));
    }
    for wrong in ["my_boards", "0", "@a b", "https://t.me/my_boards"] {
        let wrong = ("TELEGRAM_PICTURE_CHAT", wrong);
        refused(&[telegram, wrong], "", &["TELEGRAM_PICTURE_CHAT", "-100", "@my_boards"]);
    }
}

#[test]
fn windows_of_platforms_want_a_public_address() {
    let page = ("PUBLIC_URL", "https://play.example.org");
    let (telegram, app) = (("TELEGRAM_TOKEN", TOKEN), ("TELEGRAM_APP", "board"));
    let config = load(&[telegram, app, page], "").unwrap();
    assert_eq!(config.telegram.unwrap().app.as_deref(), Some("board"));
    refused(&[telegram, app], "", &["TELEGRAM_APP", "PUBLIC_URL"]);
    let wrong = ("TELEGRAM_APP", "t.me/my_bot/board");
    refused(&[telegram, wrong, page], "", &["TELEGRAM_APP", "short name", "BotFather"]);
    let (discord, secret) = (("DISCORD_TOKEN", "HUSH.d"), ("DISCORD_CLIENT_SECRET", "HUSH-secret"));
    let config = load(&[discord, secret, page], "").unwrap();
    let secrets: Vec<&str> = config.secrets().iter().map(|it| it.reveal()).collect();
    assert!(secrets.contains(&"HUSH-secret"), "logs are searched for it");
    assert!(config.describe().contains("DISCORD_CLIENT_SECRET = ********"));
    refused(&[discord, secret], "", &["DISCORD_CLIENT_SECRET", "PUBLIC_URL"]);
    let spaced = ("DISCORD_CLIENT_SECRET", "HUSH secret");
    refused(&[discord, spaced, page], "", &["DISCORD_CLIENT_SECRET", "developer portal"]);
}

#[test]
fn a_contact_is_one_line() {
    assert_eq!(load(&[], "").unwrap().contact, None);
    let config = load(&[("CONTACT", " @ann ")], "").unwrap();
    assert_eq!(config.contact.as_deref(), Some("@ann"));
    let long = "a".repeat(201);
    for wrong in ["@ann\n@bek", long.as_str()] {
        refused(&[("CONTACT", wrong)], "", &["CONTACT", "one line", "200 characters"]);
    }
}

#[test]
fn operators_are_accounts() {
    let hosts = |text: &str| {
        let hosts = load(&[("HOSTS", text)], "").unwrap().operators;
        hosts.into_iter().map(|it| it.0).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(hosts(""), "");
    assert_eq!(hosts("telegram:123, dc:456,web:1a2b"), "tg:123 dc:456 web:1a2b");
    for wrong in ["123", "telegram:ann", "discord:", "irc:1", "tg:1 2"] {
        refused(&[("HOSTS", wrong)], "", &["HOSTS", "telegram:123", "separated by commas"]);
    }
}

#[test]
fn a_secret_inside_another_setting_is_masked_too() {
    let shown = |settings: &[(&str, &str)]| load(settings, "").unwrap().describe();
    let folder = format!("x{TOKEN}y");
    let text = shown(&[("TELEGRAM_TOKEN", TOKEN), ("DATA_DIR", &folder)]);
    assert!(text.contains("DATA_DIR = x********y  [environment]"), "{text}");
    let base = "postgres://bot:hush@127.0.0.1/bot";
    let text = shown(&[("STORE", base), ("DATA_DIR", base)]);
    assert!(!text.contains("hush"), "{text}");
    // One secret is the beginning of another.
    let longer = format!("{TOKEN}LONGER");
    let both = [("TELEGRAM_TOKEN", TOKEN), ("DISCORD_TOKEN", &longer), ("DATA_DIR", &longer)];
    let text = shown(&both);
    assert!(!text.contains("LONGER"), "{text}");
    let wrong = [("TELEGRAM_TOKEN", TOKEN), ("LOG_FORMAT", TOKEN)];
    refused(&wrong, "", &["LOG_FORMAT", "********", "json"]);
}

/// What is not used now may be used by another process, or tomorrow.
#[test]
fn secrets_that_are_not_used_are_masked() {
    let key = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    let keys = format!("plain,1 {key}");
    let config = load(
        &[
            ("TELEGRAM_WEBHOOK_SECRET", "HUSH-hook"),
            ("DISCORD_CLIENT_SECRET", "HUSH-client"),
            ("WEB_HOST_SECRET", "HUSH-0123456789abcdef"),
            ("STORE", "postgres://bot:HUSH@127.0.0.1/bot"),
            ("STORE_KEY", &keys),
        ],
        "",
    )
    .unwrap();
    let masker = config.secret_masker();
    let line = format!("HUSH-hook, HUSH-client, postgres://bot:HUSH@127.0.0.1/bot, {keys}");
    assert_eq!(masker.mask(&line), "********, ********, ********, ********");
    let line = format!("a plain line of 1 word, HUSH-0123456789abcdef and {key}");
    assert_eq!(masker.mask(&line), "a plain line of 1 word, ******** and ********");
}

#[test]
fn every_setting_is_shown_with_its_meaning_and_no_secret() {
    let config = load(
        &[("TELEGRAM_TOKEN", TOKEN), ("DISCORD_TOKEN", "HUSH.discord"), ("WEB", "on")],
        "telegram_webhook_secret = 'HUSH'",
    )
    .unwrap();
    let shown = format!("{}{config:?}", config.describe());
    assert!(!shown.contains("HUSH") && !shown.contains("123456"), "{shown}");
    assert!(shown.contains("TELEGRAM_TOKEN = ********  [environment]"), "{shown}");
    for key in keys::KEYS {
        assert!(shown.contains(&format!("{} = ", key.name)), "{} is missing", key.name);
        assert!(shown.contains(key.doc), "{} is not explained", key.name);
    }
}

#[test]
fn tokens_switch_platforms_on_and_the_built_in_chat_off() {
    let config = load(&[("TELEGRAM_TOKEN", TOKEN)], "").unwrap();
    let telegram = config.telegram.unwrap();
    assert_eq!(telegram.token.reveal(), TOKEN);
    assert_eq!(telegram.api_url, "https://api.telegram.org");
    assert!(matches!(telegram.mode, TelegramMode::Polling));
    assert!(config.web.is_none());

    let all = [
        ("TELEGRAM_TOKEN", TOKEN),
        ("TELEGRAM_API_URL", "http://127.0.0.1:8081/"),
        ("DISCORD_TOKEN", "d"),
        ("DISCORD_API_URL", "http://127.0.0.1:9"),
        ("WEB", "on"),
    ];
    let config = load(&all, "").unwrap();
    assert_eq!(config.telegram.unwrap().api_url, "http://127.0.0.1:8081");
    assert_eq!(config.discord.unwrap().api_url, "http://127.0.0.1:9");
    assert!(config.web.is_some());
}

#[test]
fn wrong_values_are_told_in_one_sentence() {
    refused(&[("WEB", "perhaps")], "", &["WEB", "\"perhaps\"", "environment", "auto, on, off"]);
    refused(&[], "web_listen = '8787'", &["WEB_LISTEN", "\"8787\"", "caravanserai.toml", "port"]);
    refused(&[("HTTP_LISTEN", "nowhere:1")], "", &["HTTP_LISTEN", "\"nowhere:1\""]);
    refused(&[("LOG_FORMAT", "xml")], "", &["LOG_FORMAT", "\"xml\"", "text, json"]);
    refused(&[("LOG", "info,=,")], "", &["LOG", "filter"]);
    refused(&[("DATA_DIR", "a\nb")], "", &["DATA_DIR"]);
    refused(&[("TELEGRAM_API_URL", "api.telegram.org")], "", &["TELEGRAM_API_URL", "https://"]);
    refused(&[("DISCORD_API_URL", "ftp://x")], "", &["DISCORD_API_URL", "\"ftp://x\""]);
    refused(&[("WEB", "off")], "", &["WEB", "TELEGRAM_TOKEN", "DISCORD_TOKEN"]);
    refused(&[("HTTP_LISTEN", "127.0.0.1:8787")], "", &["HTTP_LISTEN", "WEB_LISTEN"]);
    refused(&[], "log = 1.5", &["log", "text in quotes"]);
}

/// A filter would take it for the name of a module, and log nothing else.
#[test]
fn a_misspelt_level_of_the_log_is_refused() {
    for wrong in ["warning", "debg", "info, debug", "info,caravanserai_store", "a=loud"] {
        refused(&[("LOG", wrong)], "", &["LOG", wrong, "error, warn, info, debug, trace or off"]);
    }
    for fine in ["off", "INFO", "warn,a=debug", "info,a=", "error,[update]", "info,a[b{c}]=trace"] {
        assert_eq!(load(&[("LOG", fine)], "").unwrap().log, fine);
    }
}

#[test]
fn wrong_secrets_are_told_without_them() {
    refused(&[("TELEGRAM_TOKEN", "HUSH")], "", &["TELEGRAM_TOKEN", "4 characters", "BotFather"]);
    refused(&[("DISCORD_TOKEN", "Bot HUSH")], "", &["DISCORD_TOKEN", "environment", "spaces"]);
    refused(&[], "telegram_token = HUSH", &["line 1 of", "caravanserai.toml", "TOML"]);
    refused(&[], "log='info'\ntelegram_token = '''HUSH", &["line 2", "TOML"]);
    refused(&[], "telegram_token = ['HUSH']", &["telegram_token", "text"]);
    let url = ("TELEGRAM_WEBHOOK_URL", "https://bot.example.org/hook");
    let http = ("HTTP_LISTEN", "0.0.0.0:80");
    let token = ("TELEGRAM_TOKEN", TOKEN);
    refused(&[token, http, url], "", &["TELEGRAM_WEBHOOK_SECRET", "not"]);
    let bad = ("TELEGRAM_WEBHOOK_SECRET", "HUSH!");
    refused(&[token, http, url, bad], "", &["TELEGRAM_WEBHOOK_SECRET", "1 to 256"]);
    let secret = ("TELEGRAM_WEBHOOK_SECRET", "HUSH");
    refused(&[token, url, secret], "", &["TELEGRAM_WEBHOOK_URL", "HTTP_LISTEN"]);
    let plain = ("TELEGRAM_WEBHOOK_URL", "http://bot.example.org/hook");
    refused(&[token, http, plain, secret], "", &["TELEGRAM_WEBHOOK_URL", "https://"]);
    let config = load(&[token, http, url, secret], "").unwrap();
    let TelegramMode::Webhook { url, path, secret } = config.telegram.unwrap().mode else {
        panic!()
    };
    assert_eq!((url.as_str(), secret.reveal()), ("https://bot.example.org/hook", "HUSH"));
    assert_eq!(path, "/hook");
}

/// Otherwise the port of the health checks would not open.
#[test]
fn a_webhook_has_a_path_of_its_own() {
    fn settings(url: &str) -> [(&str, &str); 4] {
        let secret = ("TELEGRAM_WEBHOOK_SECRET", "HUSH");
        let http = ("HTTP_LISTEN", "0.0.0.0:80");
        [("TELEGRAM_TOKEN", TOKEN), http, secret, ("TELEGRAM_WEBHOOK_URL", url)]
    }
    let reserved =
        [health::LIVENESS_PATH, health::HEALTH_PATH, DISCORD_PATH, "/readyz", "/metrics"];
    for path in reserved.into_iter().chain(["/a/../metrics", "/*all", "/a:b"]) {
        let url = format!("https://bot.example.org{path}");
        let words = ["TELEGRAM_WEBHOOK_URL", "must not be /livez, /healthz"];
        refused(&settings(&url), "", &words);
    }
    for path in ["", "/metrics/hook", "/a-b_c.d~e", "/%D0%B0"] {
        let url = format!("https://bot.example.org{path}");
        assert!(load(&settings(&url), "").is_ok(), "{path}");
    }
}

#[test]
fn unknown_names_are_told_with_the_nearest_known_one() {
    refused(&[], "telegram_tokn = 'HUSH'", &["telegram_tokn", "nearest is telegram_token"]);
    refused(&[], "[discord]\ntoken = 'HUSH'", &["\"discord\"", "discord_token"]);
    refused(&[], "DATA-DIR = 'x'", &["DATA-DIR", "data_dir"]);
    let config =
        load(&[("TELEGRAM_TOKKEN", "HUSH"), ("PATH", "/bin"), ("DISCORD_X", "")], "").unwrap();
    let [warning] = &config.warnings[..] else { panic!("{:?}", config.warnings) };
    assert!(warning.contains("TELEGRAM_TOKKEN") && warning.contains("TELEGRAM_TOKEN"));
    assert!(!warning.contains("HUSH"));
}

/// Variables of other programs give no warning: their names are short, or unlike all of ours.
#[test]
fn misspelt_variables_are_warned_of() {
    for (found, nearest) in [
        ("BACKUP_RECIPIENT", "BACKUP_RECIPIENTS"),
        ("STORE_KEYFILE", "STORE_KEY_FILE"),
        ("STORE_KEY_PATH", "STORE_KEY_FILE"),
        ("WEB_HOST", "WEB_HOSTS"),
        ("WEB_PROXYS", "WEB_PROXIES"),
        ("ARCHIVE_AFTER_DAYS", "ARCHIVE_AFTER"),
        ("PUBLIC_ULR", "PUBLIC_URL"),
        ("HTTP_LISTEN_ADDRESS", "HTTP_LISTEN"),
        ("DATADIR", "DATA_DIR"),
    ] {
        let warnings = load(&[(found, "x")], "").unwrap().warnings;
        let [warning] = &warnings[..] else { panic!("{found}: {warnings:?}") };
        let words = format!("{found} in the environment is no setting; the nearest is {nearest}");
        assert_eq!(*warning, words);
    }
    let others = ["HOST", "HOSTNAME", "LOG_LEVEL", "LOGNAME", "WEB_PORT", "WEB_CONCURRENCY"];
    for name in others.into_iter().chain(["STORE_ID", "HTTP_PROXY", "CONTACTS", "XDG_DATA_DIRS"]) {
        let warnings = load(&[(name, "x")], "").unwrap().warnings;
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}

#[test]
fn tokens_are_read_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    write_private(&path, &format!("{TOKEN}\n"));
    let named = ("TELEGRAM_TOKEN_FILE", path.to_str().unwrap());
    // The nearer layer wins, whichever of the two names it uses.
    let config = load(&[named], "telegram_token = '1:other'").unwrap();
    assert_eq!(config.telegram.unwrap().token.reveal(), TOKEN);
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    let file = format!("telegram_token_file = {:?}", named.1);
    let config = load(&[("TELEGRAM_TOKEN", "1:other")], &file).unwrap();
    assert_eq!(config.telegram.unwrap().token.reveal(), "1:other");
    let config = load(&[], &file).unwrap();
    assert_eq!(config.telegram.unwrap().token.reveal(), TOKEN);

    refused(&[named, ("TELEGRAM_TOKEN", TOKEN)], "", &["both", "TELEGRAM_TOKEN_FILE"]);
    refused(&[("DISCORD_TOKEN_FILE", "/no/such")], "", &["DISCORD_TOKEN_FILE", "/no/such"]);
    refused(&[("DISCORD_TOKEN_FILE", "HUSH.itself")], "", &["DISCORD_TOKEN_FILE", "not shown"]);
    write_private(&path, "HUSH");
    refused(&[named], "", &["TELEGRAM_TOKEN", "not shown"]);
}

#[cfg(unix)]
#[test]
fn files_with_secrets_that_others_can_read_are_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.toml");
    let load = |text: &str| {
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        Config::load(&Environment::new(), Some(&path), folder.path()).unwrap().warnings
    };
    assert!(load("log = 'warn'").is_empty());
    let warnings = load("discord_token = 'HUSH'");
    assert!(warnings[0].contains("holds a secret"), "{warnings:?}");
}

/// systemd gives them to the user of a service by a further permission, which the mode of the file
/// shows as one of its group.
#[cfg(unix)]
#[test]
fn key_files_may_be_credentials_of_systemd() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let credentials = folder.path().join("credentials");
    std::fs::create_dir(&credentials).unwrap();
    let file = credentials.join("store-key");
    std::fs::write(&file, "1 MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=").unwrap();
    let load = |mode, credentials: &Path| {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let (file, folder) = (file.to_str().unwrap(), credentials.to_str().unwrap());
        load(&[("STORE_KEY_FILE", file), ("CREDENTIALS_DIRECTORY", folder)], "")
    };
    let config = load(0o440, &credentials).unwrap();
    assert!(config.store.keys().is_some() && config.warnings.is_empty(), "{:?}", config.warnings);
    let elsewhere = folder.path().join("data");
    for (mode, folder) in
        [(0o444, credentials.as_path()), (0o440, Path::new("")), (0o440, elsewhere.as_path())]
    {
        let why = load(mode, folder).unwrap_err();
        assert!(why.contains("STORE_KEY_FILE can be read by others"), "{why}");
    }
}

#[cfg(unix)]
#[test]
fn key_files_in_the_data_folder_or_open_to_others_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("keys"));
    std::fs::create_dir(&data).unwrap();
    let key = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    let load = |file: &Path, text: &str, mode| {
        std::fs::write(file, text).unwrap();
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
        let (data, file) = (data.to_str().unwrap(), file.to_str().unwrap());
        load(&[("DATA_DIR", data), ("STORE_KEY_FILE", file)], "")
    };
    let config = load(&file, &format!("plain\n1 {key}\n"), 0o600).unwrap();
    assert!(config.store.keys().unwrap().current().is_some());
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    assert!(!format!("{config:?} {}", config.describe()).contains(key));
    for (file, text, mode, expected) in [
        (&file, format!("1 {key}"), 0o604, "STORE_KEY_FILE can be read by others"),
        (&data.join("keys"), format!("1 {key}"), 0o600, "STORE_KEY_FILE lies in DATA_DIR"),
        (&file, format!("1 {key}1"), 0o600, "gives no keys of a store: line 1 is neither"),
        (&file, String::new(), 0o600, "it holds no key"),
    ] {
        let why = load(file, &text, mode).unwrap_err();
        assert!(why.contains(expected) && !why.contains(&key[..9]), "{why}");
    }
    refused(&[("STORE_KEY_FILE", "/nowhere/keys")], "", &["STORE_KEY_FILE names the file"]);
}

#[test]
fn keys_of_the_store_may_come_in_the_environment() {
    let key = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    let config = load(&[("STORE_KEY", &format!("plain,1 {key}"))], "").unwrap();
    assert!(config.store.keys().unwrap().accepts_plain());
    assert!(!format!("{config:?} {}", config.describe()).contains(key));
    assert!(load(&[], "").unwrap().store.keys().is_none());
    refused(&[("STORE_KEY", "1 HUSH")], "", &["STORE_KEY", "line 1 is neither `plain` nor"]);
}

#[test]
fn backups_are_encrypted_to_public_keys() {
    let key = "age137xuzwzuwejfsg5ada8vdphqrvp75xj62dam96r66hx29dq9w9ksk2mtcy";
    let keys = |settings: &[(&str, &str)]| {
        let recipients = load(settings, "").unwrap().backup_recipients;
        recipients.map(|it| it.to_string())
    };
    assert_eq!(keys(&[]), None);
    assert_eq!(keys(&[("BACKUP_RECIPIENTS", &format!(" {key},"))]).as_deref(), Some(key));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recipients");
    // Everybody may read public keys.
    std::fs::write(&file, format!("# the host\n{key}\n")).unwrap();
    let named = ("BACKUP_RECIPIENTS_FILE", file.to_str().unwrap());
    let config = load(&[named], "").unwrap();
    assert_eq!(config.backup_recipients.unwrap().to_string(), key);
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);

    let name = "BACKUP_RECIPIENTS";
    refused(&[(name, "age1HUSH")], "", &[name, "from environment", "entry 1 is no public key"]);
    let second = format!("{key},HUSH");
    refused(&[(name, &second)], "", &[name, "entry 2", "new-backup-key"]);
    refused(&[(name, key), named], "", &[name, "BACKUP_RECIPIENTS_FILE", "only one"]);
    refused(&[("BACKUP_RECIPIENTS_FILE", "/nowhere/keys")], "", &["names the file /nowhere/keys"]);
    let secret = "AGE-SECRET-KEY-1HUSH";
    refused(&[(name, secret)], "", &[name, "is a secret identity", "keep it elsewhere"]);
    std::fs::write(&file, format!("# public key: {key}\n{secret}\n")).unwrap();
    refused(&[named], "", &["recipients) gives no keys of backups", "is a secret identity"]);
}

/// The list of settings would show it.
#[test]
fn a_backup_identity_is_refused_in_every_setting() {
    let key = "age137xuzwzuwejfsg5ada8vdphqrvp75xj62dam96r66hx29dq9w9ksk2mtcy";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recipients");
    std::fs::write(&file, key).unwrap();
    let named = ("BACKUP_RECIPIENTS_FILE", file.to_str().unwrap());
    for secret in ["AGE-SECRET-KEY-1HUSH", "age-secret-key-1HUSH"] {
        let direct = format!("backup_recipients = '{key}, {secret}'");
        let as_file = format!("backup_recipients_file = '{secret}'");
        let contact = format!("contact = '{secret}'");
        let words = ["caravanserai.toml", "not shown", "is a secret identity", "keep it elsewhere"];
        let of = |name| [&words[..], &[name]].concat();
        refused(&[named], &direct, &of("BACKUP_RECIPIENTS (from file"));
        refused(&[("BACKUP_RECIPIENTS", key)], &direct, &of("BACKUP_RECIPIENTS (from file"));
        let by_file = of("BACKUP_RECIPIENTS_FILE (from file");
        refused(&[("BACKUP_RECIPIENTS", key)], &as_file, &by_file);
        refused(&[named], &as_file, &by_file);
        refused(&[("CONTACT", "me")], &contact, &of("CONTACT (from file"));
        let variable = [("BACKUP_RECIPIENTS_FILE", secret)];
        refused(&variable, "", &["BACKUP_RECIPIENTS_FILE (from environment", "not shown"]);
    }
}

#[test]
fn names_of_the_built_in_chat_are_a_list() {
    let config = load(&[("WEB_HOSTS", " Play.example.org,, b.example ")], "").unwrap();
    assert_eq!(config.web_host_names, ["play.example.org", "b.example"]);
    assert!(load(&[], "").unwrap().web_host_names.is_empty());
    refused(&[("WEB_HOSTS", "https://x.org/")], "", &["WEB_HOSTS", "play.example.org", "commas"]);
}

#[test]
fn proxies_are_addresses_and_short_operator_secrets_are_refused() {
    assert_eq!(load(&[("ARCHIVE_AFTER", "30")], "").unwrap().archive_after_days, 30);
    refused(&[("ARCHIVE_AFTER", "soon")], "", &["ARCHIVE_AFTER", "number of days"]);
    assert_eq!(load(&[], "").unwrap().web_files_bytes, 1 << 30);
    assert_eq!(load(&[("WEB_FILES_MB", "2048")], "").unwrap().web_files_bytes, 2 << 30);
    for wrong in ["10", "2 GB", "-1"] {
        refused(&[("WEB_FILES_MB", wrong)], "", &["WEB_FILES_MB", "megabytes from 100"]);
    }
    let config = load(&[("WEB_PROXIES", "127.0.0.1, 172.16.0.0/12")], "").unwrap();
    assert!(config.web_proxies.contains("172.18.0.2".parse().unwrap()));
    refused(&[("WEB_PROXIES", "proxy.example")], "", &["WEB_PROXIES", "IP addresses"]);
    let config = load(&[("WEB_HOST_SECRET", "0123456789abcdef")], "").unwrap();
    assert!(!config.describe().contains("0123456789abcdef"));
    assert_eq!(config.secrets().len(), 1);
    refused(&[("WEB_HOST_SECRET", "short")], "", &["WEB_HOST_SECRET", "16 to 256"]);
}

#[test]
fn an_open_built_in_chat_is_warned_of() {
    let config = load(&[("WEB_LISTEN", "0.0.0.0:8787")], "").unwrap();
    assert!(config.warnings[0].contains("WEB_LISTEN"));
}

#[test]
fn settings_without_effect_are_warned_of() {
    let warnings = |settings: &[(&str, &str)], file: &str| load(settings, file).unwrap().warnings;
    let secret = ("TELEGRAM_WEBHOOK_SECRET", "HUSH");
    let found = warnings(&[("TELEGRAM_TOKEN", TOKEN), secret], "");
    let [warning] = &found[..] else { panic!("{found:?}") };
    assert!(warning.contains("TELEGRAM_WEBHOOK_URL is not"), "{warning}");

    let defaults = "telegram_api_url = 'https://api.telegram.org'\ndiscord_members = 'off'";
    assert!(warnings(&[], defaults).is_empty());
    let found = warnings(&[secret, ("DISCORD_MEMBERS", "on")], "telegram_app = 'board'");
    let expected = [
        "TELEGRAM_TOKEN is not set, so these settings do nothing: TELEGRAM_WEBHOOK_SECRET, \
         TELEGRAM_APP",
        "DISCORD_TOKEN is not set, so these settings do nothing: DISCORD_MEMBERS",
    ];
    assert_eq!(found, expected);
}

/// The bot would take the address of the proxy for that of every visitor.
#[test]
fn a_public_page_without_a_proxy_is_warned_of() {
    let warnings = |settings: &[(&str, &str)]| load(settings, "").unwrap().warnings;
    let (page, hosts) = (("PUBLIC_URL", "https://play.example.org"), ("WEB_HOSTS", "a.example"));
    let proxies = ("WEB_PROXIES", "127.0.0.1");
    for (settings, name) in [
        (&[page][..], "PUBLIC_URL"),
        (&[page, hosts], "PUBLIC_URL"),
        (&[hosts], "WEB_HOSTS"),
        (&[hosts, ("PUBLIC_URL", "http://localhost:8787")], "WEB_HOSTS"),
    ] {
        let found = warnings(settings);
        let [warning] = &found[..] else { panic!("{found:?}") };
        assert!(warning.starts_with(name) && warning.contains("set WEB_PROXIES"), "{warning}");
        assert_eq!(warnings(&[settings, &[proxies]].concat()), Vec::<String>::new());
    }
    // Only this machine opens such an address, and no page runs with a token alone.
    assert!(warnings(&[("PUBLIC_URL", "http://127.0.0.1:8787")]).is_empty());
    assert!(warnings(&[hosts, ("TELEGRAM_TOKEN", TOKEN)]).is_empty());
}

#[test]
fn the_settings_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let load = |environment: &Environment, file: Option<&Path>| {
        Config::load(environment, file, folder.path()).map(|config| config.log)
    };
    let (one, two) = (folder.path().join("one.toml"), folder.path().join("two.toml"));
    write_private(&folder.path().join("caravanserai.toml"), "log = 'error'");
    write_private(&one, "log = 'warn'");
    write_private(&two, "log = 'debug'");
    let named = environment(&[("CARAVANSERAI_CONFIG", one.to_str().unwrap())]);
    assert_eq!(load(&Environment::new(), None).unwrap(), "error");
    assert_eq!(load(&named, None).unwrap(), "warn");
    assert_eq!(load(&named, Some(&two)).unwrap(), "debug");
    let missing = load(&named, Some(&folder.path().join("three.toml"))).unwrap_err();
    assert!(missing.to_string().contains("three.toml cannot be read"), "{missing}");
}

#[test]
fn the_sample_is_complete_and_works() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/settings.sample.toml");
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let expected = keys::sample_settings();
    assert!(found == expected, "deploy/settings.sample.toml must be:\n{expected}");
    let config = Config::load(&Environment::new(), Some(&path), Path::new("/nowhere")).unwrap();
    let default = load(&[], "").unwrap();
    assert_eq!((config.web, config.http, config.log), (default.web, default.http, default.log));
    let table: toml::Table = found.parse().unwrap();
    assert_eq!(table.len(), keys::KEYS.len());
    for key in keys::KEYS {
        assert_eq!(table[&key.file_name()].as_str(), Some(key.default), "{}", key.name);
    }
}

/// A setting in `.env` is meant for the bots in the containers.
#[test]
fn the_compose_files_hand_every_setting_through() {
    let own = ["DATA_DIR", "WEB_LISTEN", "HTTP_LISTEN"];
    // Replicas have the database beside them.
    let replicas = [&own[..], &["STORE", "STORE_FILE"]].concat();
    for (file, own) in [("compose.yaml", &own[..]), ("compose.replicas.yaml", &replicas)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file);
        let compose = std::fs::read_to_string(path).unwrap();
        for key in keys::KEYS.iter().filter(|it| !own.contains(&it.name)) {
            let line = format!("    {0}: ${{{0}:-}}\n", key.name);
            assert!(compose.contains(&line), "deploy/{file} lacks the line\n{line}");
        }
    }
}

#[test]
fn the_help_lists_every_command_of_the_operator() {
    let mut expected = BTreeSet::new();
    for line in USAGE.lines() {
        let (first, more) = line.split_once("; ").unwrap_or((line, ""));
        let (first, _) = first.split_once(": ").unwrap_or((first, ""));
        // The explanation of the first command may have this sign, too.
        let second = more.split_once(": ").map(|it| it.0);
        let commands = first.split(", ").chain(second);
        expected.extend(commands.filter_map(|it| it.split(' ').next()));
    }
    let cli = BotCli::command();
    let help = cli.find_subcommand("admin").unwrap().get_about().unwrap().to_string();
    let (_, names) = help.split_once("operator: ").unwrap();
    let names: BTreeSet<&str> = names.split_once(';').unwrap().0.split(", ").collect();
    assert_eq!(names, expected);
}

#[test]
fn the_command_line_is_understood() {
    BotCli::command().debug_assert();
    Tools::command().debug_assert();
    let read = |line: &str| BotCli::try_parse_from(line.split(' '));
    let read_tool = |line: &str| Tools::try_parse_from(line.split(' '));
    let cli = read("caravanserai").unwrap();
    assert!(cli.command.is_none() && !cli.check_config && cli.config.is_none());
    assert!(read("caravanserai --check-config --config x.toml").unwrap().check_config);
    let line = "caravanserai-tools perft togyzkumalak --depth 5 --variant short";
    let perft = read_tool(line).unwrap().command;
    let Tool::Perft { depth, variant, position, .. } = perft else { panic!() };
    assert_eq!((depth, variant.as_deref(), position), (5, Some("short"), None));
    let replay = read_tool("caravanserai-tools replay togyzkumalak game.txt").unwrap().command;
    assert!(matches!(replay, Tool::Replay { variant: None, .. }));
    assert!(matches!(
        read("caravanserai verify x").unwrap().command,
        Some(CliCommand::Verify { .. })
    ));
    let health = read("caravanserai health --config x.toml").unwrap();
    assert!(matches!(health.command, Some(CliCommand::Health { url: None })));
    assert!(read_tool("caravanserai-tools perft togyzkumalak").is_err());
    assert!(read("caravanserai dance").is_err());
}
