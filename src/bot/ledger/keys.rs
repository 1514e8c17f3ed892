//! How keys of the store are spelled. Parts are separated by a space, which no id contains.

use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
use caravanserai_store::Space;

/// How far rows of earlier versions were given a lifetime.
pub const AGED: &str = "aged";

/// How far logs were searched for logs of two tables.
pub const SEPARATED: &str = "separated";

/// When a process last looked at deadlines, in milliseconds since 1970.
pub const ALIVE: &str = "alive";

/// The prefix of the keys of tables at which a quick clock runs.
pub const QUICK: &str = "quick ";

/// A table at which a quick clock runs.
pub fn quick(table: &TableId) -> String {
    format!("{QUICK}{}", table.0)
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
    format!("{} {}", named(person), table.0)
}

/// How all of these begin that name a person, but for a space.
pub fn named(person: &PersonId) -> String {
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
pub fn due_upto(now_ms: u64) -> String {
    format!("{:016x}", now_ms + 1)
}

/// A first press that waits for the second.
pub fn armed(table: &TableId, person: &PersonId) -> String {
    format!("armed {} {}", table.0, person.0)
}

/// What broke the code: kept for whoever looks into it.
pub fn set_aside(space: Space, key: &str) -> String {
    format!("aside {} {key}", space.name())
}

/// When calls were made to a chat lately.
pub fn budget(chat: &str) -> String {
    format!("budget {chat}")
}

/// How what is due begins; sorted by time.
pub fn due(at_ms: u64, table: &TableId) -> String {
    format!("{at_ms:016x} {}", table.0)
}

/// Time and table of a due key.
pub fn read_due(key: &str) -> Option<(u64, TableId)> {
    let mut parts = key.split(' ');
    let (at, table) = (parts.next()?, parts.next()?);
    Some((u64::from_str_radix(at, 16).ok()?, TableId(table.to_owned())))
}

/// A person by the name after `@`.
pub fn username(platform: &str, username: &str) -> String {
    format!("@{platform}:{}", username.to_lowercase())
}

/// With which accounts somebody is one person.
pub fn links(person: &PersonId) -> String {
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
pub fn replay(place: &PlaceId, table: &TableId) -> String {
    format!("replay {} {}", place.0, table.0)
}

/// The review of a table.
pub fn review(table: &TableId) -> String {
    format!("review {}", table.0)
}

/// When a place was last shown the review of a table.
pub fn reviewed(place: &PlaceId, table: &TableId) -> String {
    format!("reviewed {} {}", place.0, table.0)
}

/// What stands in a place while a review of a table is made.
pub fn reviewing(place: &PlaceId, table: &TableId) -> String {
    format!("reviewing {} {}", place.0, table.0)
}

/// Marks a place that the bot greeted lately.
pub fn greeted(place: &PlaceId) -> String {
    format!("greeted {}", place.0)
}

/// Marks a place where the platform did not let the bot write.
pub fn mute(place: &PlaceId) -> String {
    format!("mute {}", place.0)
}

/// The newest update that reported of a member of a chat, or of the bot itself there.
pub fn membership(chat: &str, who: Option<&PersonId>) -> String {
    format!("membership {chat} {}", who.map_or("", |it| &it.0))
}

/// Who wants to be told in a chat when a game is to be played, and what all of them start with.
pub fn awaiting(chat: &str, game: &str, person: &str) -> String {
    format!("awaiting {chat} {game} {person}")
}

/// The prefix of these keys in a chat.
pub fn awaiting_in(chat: &str) -> String {
    format!("awaiting {chat} ")
}

/// Whom a posed challenge is from, by what stands for them.
pub fn posed(code: &str) -> String {
    format!("posed {code}")
}

/// What stands for somebody in the challenges that they pose.
pub fn posing(person: &PersonId) -> String {
    format!("posing {}", person.0)
}

/// The code and the seed that are promised for the next table of the same people.
pub fn promise(table: &TableId) -> String {
    format!("promise {}", table.0)
}

/// Where the list of somebody's tables stands, while it is kept true.
pub fn list_of(person: &PersonId) -> String {
    format!("list-of {}", person.0)
}

/// A code by which somebody makes two accounts one person.
pub fn linking(code: &str) -> String {
    format!("linking {code}")
}

/// The code of this kind that somebody was given last.
pub fn linking_of(person: &PersonId) -> String {
    format!("linking-of {}", person.0)
}

/// A code by which somebody signs in on the page.
pub fn pass(code: &str) -> String {
    format!("pass {code}")
}

/// Somebody who is signed in on the page, by what is kept of their token.
pub fn guest(mark: &str) -> String {
    format!("guest {mark}")
}

/// How often an account was signed out everywhere.
pub fn guests_of(account: &PersonId) -> String {
    format!("guests-of {}", account.0)
}

/// What an account is about to see in a window of its platform.
pub fn launched(account: &PersonId) -> String {
    format!("launched {}", account.0)
}

/// The last part of a key of two parts.
pub fn tail(key: &str) -> &str {
    key.rsplit(' ').next().unwrap_or_default()
}
