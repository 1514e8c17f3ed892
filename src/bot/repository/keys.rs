//! How keys of the store are spelled. Parts are separated by a space, which no id contains.

use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
use caravanserai_store::Space;

/// How far rows of earlier versions were given a lifetime.
pub const TTL_BACKFILL: &str = "aged";

/// How far logs were searched for logs of two tables.
pub const LOG_SEPARATION: &str = "separated";

/// When a process last looked at deadlines, in milliseconds since 1970.
pub const LAST_ALIVE: &str = "alive";

/// The prefix of the keys of tables at which a quick clock runs.
pub const QUICK_CLOCK_PREFIX: &str = "quick ";

/// A table at which a quick clock runs.
pub fn quick_clock(table: &TableId) -> String {
    format!("{QUICK_CLOCK_PREFIX}{}", table.0)
}

/// Open tables of a place, and what all of them start with.
pub fn place_table(place: &PlaceId, table: &TableId) -> String {
    format!("{} {}", place.0, table.0)
}

/// Open tables of a person.
pub fn person_table(person: &PersonId, table: &TableId) -> String {
    format!("{} {}", person.0, table.0)
}

/// Open tables at which a person does not sit, and is somebody all the same.
pub fn named_table(person: &PersonId, table: &TableId) -> String {
    format!("{} {}", named_prefix(person), table.0)
}

/// How all of these begin that name a person, but for a space.
pub fn named_prefix(person: &PersonId) -> String {
    format!("named {}", person.0)
}

/// The standing message of a table in a place.
pub fn board(table: &TableId, place: &PlaceId) -> String {
    format!("{} {}", table.0, place.0)
}

/// Which table a message belongs to.
pub fn message(place: &PlaceId, message: &MessageId) -> String {
    format!("{} {}", place.0, message.0)
}

/// Until when everything is due, keys of this very moment included.
pub fn deadline_upto(now_ms: u64) -> String {
    format!("{:016x}", now_ms + 1)
}

/// A first press that waits for the second.
pub fn pending_confirmation(table: &TableId, person: &PersonId) -> String {
    format!("armed {} {}", table.0, person.0)
}

/// What broke the code: kept for whoever looks into it.
pub fn quarantined(space: Space, key: &str) -> String {
    format!("aside {} {key}", space.name())
}

/// When calls were made to a chat lately.
pub fn call_history(chat: &str) -> String {
    format!("budget {chat}")
}

/// How what is due begins; sorted by time.
pub fn deadline(at_ms: u64, table: &TableId) -> String {
    format!("{at_ms:016x} {}", table.0)
}

/// Time and table of a due key.
pub fn parse_deadline(key: &str) -> Option<(u64, TableId)> {
    let mut parts = key.split(' ');
    let (at, table) = (parts.next()?, parts.next()?);
    Some((u64::from_str_radix(at, 16).ok()?, TableId(table.to_owned())))
}

/// A person by the name after `@`.
pub fn username(platform: &str, username: &str) -> String {
    format!("@{platform}:{}", username.to_lowercase())
}

/// With which accounts somebody is one person.
pub fn linked_accounts(person: &PersonId) -> String {
    format!("links {}", person.0)
}

/// The table a place played last.
pub fn last_table(place: &PlaceId) -> String {
    format!("last {}", place.0)
}

/// The table that a person finished last in a place.
pub fn last_table_of(place: &PlaceId, person: &PersonId) -> String {
    format!("last {} {}", place.0, person.0)
}

/// When a place was last shown the replay of a table.
pub fn replay_shown(place: &PlaceId, table: &TableId) -> String {
    format!("replay {} {}", place.0, table.0)
}

/// The review of a table.
pub fn review(table: &TableId) -> String {
    format!("review {}", table.0)
}

/// When a place was last shown the review of a table.
pub fn review_shown(place: &PlaceId, table: &TableId) -> String {
    format!("reviewed {} {}", place.0, table.0)
}

/// What stands in a place while a review of a table is made.
pub fn review_status_message(place: &PlaceId, table: &TableId) -> String {
    format!("reviewing {} {}", place.0, table.0)
}

/// Marks a place that the bot greeted lately.
pub fn last_greeting(place: &PlaceId) -> String {
    format!("greeted {}", place.0)
}

/// Marks a place where the platform did not let the bot write.
pub fn muted(place: &PlaceId) -> String {
    format!("mute {}", place.0)
}

/// The newest update that reported of a member of a chat, or of the bot itself there.
pub fn membership(chat: &str, who: Option<&PersonId>) -> String {
    format!("membership {chat} {}", who.map_or("", |it| &it.0))
}

/// Who wants to be told in a chat when a game is to be played, and what all of them start with.
pub fn game_subscriber(chat: &str, game: &str, person: &str) -> String {
    format!("awaiting {chat} {game} {person}")
}

/// The prefix of these keys in a chat.
pub fn game_subscribers_prefix(chat: &str) -> String {
    format!("awaiting {chat} ")
}

/// Whom a posed challenge is from, by what stands for them.
pub fn challenge_author(code: &str) -> String {
    format!("posed {code}")
}

/// What stands for somebody in the challenges that they pose.
pub fn challenge_author_code(person: &PersonId) -> String {
    format!("posing {}", person.0)
}

/// The code and the seed that are promised for the next table of the same people.
pub fn promised_table(table: &TableId) -> String {
    format!("promise {}", table.0)
}

/// Where the list of somebody's tables stands, while it is kept true.
pub fn table_list(person: &PersonId) -> String {
    format!("list-of {}", person.0)
}

/// A code by which somebody makes two accounts one person.
pub fn link_code(code: &str) -> String {
    format!("linking {code}")
}

/// The code of this kind that somebody was given last.
pub fn last_link_code(person: &PersonId) -> String {
    format!("linking-of {}", person.0)
}

/// A code by which somebody signs in on the page.
pub fn sign_in_pass(code: &str) -> String {
    format!("pass {code}")
}

/// Somebody who is signed in on the page, by what is kept of their token.
pub fn guest_session(mark: &str) -> String {
    format!("guest {mark}")
}

/// How often an account was signed out everywhere.
pub fn sign_out_count(account: &PersonId) -> String {
    format!("guests-of {}", account.0)
}

/// What an account is about to see in a window of its platform.
pub fn window_launch(account: &PersonId) -> String {
    format!("launched {}", account.0)
}

/// The last part of a key of two parts.
pub fn last_part(key: &str) -> &str {
    key.rsplit(' ').next().unwrap_or_default()
}
