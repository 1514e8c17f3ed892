//! Validates single values.

use std::path::Path;

use crate::components::http::DISCORD_PATH;
use caravanserai_bot::admin::parse_account;
use caravanserai_games::ids::PersonId;
use reqwest::Url;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// The paths at HTTP_LISTEN that no webhook may have.
const RESERVED_PATHS: [&str; 5] = ["/livez", "/healthz", "/readyz", "/metrics", DISCORD_PATH];

/// Telegram tokens: the number of the bot, a colon, and a key (format as issued by BotFather).
pub(super) fn is_telegram_token(text: &str) -> bool {
    text.split_once(':').is_some_and(|(id, key)| {
        !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()) && is_name_like(key)
    })
}

/// Discord tokens: no format is guaranteed beyond printable ASCII.
pub(super) fn is_discord_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic())
}

/// Public keys of Discord applications as shown in the developer portal, in lower case.
pub(super) fn parse_public_key(text: &str) -> Option<String> {
    let fine = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    fine.then(|| text.to_ascii_lowercase())
}

/// The characters and lengths that `setWebhook` allows as `secret_token`.
pub(super) fn is_webhook_secret(text: &str) -> bool {
    text.len() <= 256 && is_name_like(text)
}

/// A comma-separated list of host names, in lower case; `None` if one is invalid.
pub(super) fn parse_hosts(text: &str) -> Option<Vec<String>> {
    let names = text.split(',').map(str::trim).filter(|it| !it.is_empty());
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    names.map(|it| it.chars().all(fine).then(|| it.to_ascii_lowercase())).collect()
}

/// A comma-separated list of accounts; `None` if one is invalid. Telegram and Discord number
/// accounts.
pub(super) fn parse_accounts(text: &str) -> Option<Vec<PersonId>> {
    let names = text.split(',').map(str::trim).filter(|it| !it.is_empty());
    let is_number = |id: &str| id.bytes().all(|it| it.is_ascii_digit());
    let is_known = |account: &PersonId| match account.0.split_once(':') {
        Some(("tg" | "dc", id)) => is_number(id),
        Some(("web", id)) => is_name_like(id),
        _ => false,
    };
    names.map(|it| parse_account(it).filter(is_known)).collect()
}

/// A number of megabytes, as bytes.
pub(super) fn parse_megabytes(text: &str) -> Option<u64> {
    let megabytes: u64 = text.parse().ok().filter(|it| (100..=10_000_000).contains(it))?;
    Some(megabytes << 20)
}

/// A number of days, up to a hundred years.
pub(super) fn parse_days(text: &str) -> Option<u64> {
    text.parse().ok().filter(|days| *days <= 36_500)
}

/// Secrets that are long enough not to be guessed.
pub(super) fn is_operator_secret(text: &str) -> bool {
    (16..=256).contains(&text.len()) && is_name_like(text)
}

fn is_name_like(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
}

/// The URL of a server without a trailing slash; `None` if it is invalid.
pub(super) fn parse_server_url(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    let fine = plain && url.has_host() && matches!(url.scheme(), "http" | "https");
    fine.then(|| text.trim_end_matches('/').to_owned())
}

/// A URL that others can reach without being overheard: https, or http on this machine.
pub(super) fn parse_public_url(text: &str) -> Option<String> {
    let address = parse_server_url(text)?;
    let url = Url::parse(text).ok()?;
    let here = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    (url.scheme() == "https" || here).then_some(address)
}

/// The path of a webhook at HTTP_LISTEN; `None` if it has characters that a route cannot have, or
/// is reserved.
pub(super) fn parse_webhook_path(url: &str) -> Option<String> {
    let path = Url::parse(url).ok()?.path().to_owned();
    let plain = |it: char| it.is_ascii_alphanumeric() || "/-_.~%".contains(it);
    (path.chars().all(plain) && !RESERVED_PATHS.contains(&path.as_str())).then_some(path)
}

/// A public URL without a path, so that the page has the host to itself.
pub(super) fn parse_page_url(text: &str) -> Option<String> {
    let address = parse_public_url(text)?;
    (Url::parse(&address).ok()?.path() == "/").then_some(address)
}

/// The short name of a Telegram Mini App, as BotFather allows it.
pub(super) fn parse_app_name(text: &str) -> Option<String> {
    let fine = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    ((3..=30).contains(&text.len()) && text.bytes().all(fine)).then(|| text.to_owned())
}

/// A chat on Telegram: its id, or its public name with `@`.
pub(super) fn parse_telegram_chat(text: &str) -> Option<String> {
    let fine = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let is_chat = match text.strip_prefix('@') {
        Some(name) => (4..=32).contains(&name.len()) && name.bytes().all(fine),
        None => text.parse::<i64>().is_ok_and(|id| id != 0),
    };
    is_chat.then(|| text.to_owned())
}

/// A contact that fits into a message: one line without control characters.
pub(super) fn parse_contact(text: &str) -> Option<String> {
    let text = text.trim();
    let fine = |c: char| !c.is_control() && c != char::REPLACEMENT_CHARACTER;
    ((1..=200).contains(&text.chars().count()) && text.chars().all(fine)).then(|| text.to_owned())
}

/// A filter for logs. A word that is no level would be the name of a module: a misspelt level would
/// switch off the log of everything else. The filter takes blanks as part of a word.
pub(super) fn parse_log_filter(text: &str) -> Option<String> {
    let is_level = |it: &str| it.parse::<LevelFilter>().is_ok();
    let is_fine = text.split(',').all(|it| it.contains(['=', '[']) || is_level(it));
    (is_fine && EnvFilter::try_new(text).is_ok()).then(|| text.to_owned())
}

/// Whether users other than the owner may read a file.
pub(crate) fn others_can_read(path: &Path) -> bool {
    has_mode_bits(path, 0o044)
}

/// Whether everybody may read a file.
pub(super) fn everybody_can_read(path: &Path) -> bool {
    has_mode_bits(path, 0o004)
}

#[cfg(unix)]
fn has_mode_bits(path: &Path, bits: u32) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & bits != 0)
}

/// Unknown on this system.
#[cfg(not(unix))]
fn has_mode_bits(_: &Path, _: u32) -> bool {
    false
}

/// Whether a file lies in a folder or in a folder of it, however the two are spelled. A file that
/// does not exist lies nowhere.
pub(super) fn is_inside(file: &Path, folder: &Path) -> bool {
    let file = file.canonicalize();
    let folder = folder.canonicalize();
    file.is_ok_and(|file| folder.is_ok_and(|folder| file.starts_with(folder)))
}
