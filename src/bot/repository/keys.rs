//! Builds and parses the keys of rows in the store. Parts are separated by a space, which no id
//! contains.

use super::limits::MINUTE_MS;
use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_results::hash_texts;
use caravanserai_store::Space;

/// The progress of the backfill of TTLs for rows of earlier versions.
pub const TTL_BACKFILL: &str = "aged";

/// The progress of the search for logs that contain two tables.
pub const LOG_SEPARATION: &str = "separated";

/// The time at which a process last checked deadlines, in milliseconds since 1970.
pub const LAST_ALIVE: &str = "alive";

/// The prefix of the keys of tables with a quick clock.
pub const QUICK_CLOCK_PREFIX: &str = "quick ";

/// The prefix of the keys of processes in which an update waits.
pub const WAITING_PREFIX: &str = "waiting ";

/// The random id of the store, which the program writes.
pub const STORE_ID: &str = "store id";

/// The number of the newest events in the logs, which the program writes.
pub const EVENT_FORMAT: &str = "event format";

/// The row that the program writes to find out whether a store that failed accepts writes again.
/// Its value is empty.
pub const WRITE_PROBE: &str = "write probe";

/// The prefix of the keys of [`last_table`] and [`last_table_of`].
pub const LAST_TABLE_PREFIX: &str = "last ";

/// The prefix of the key that tells, in milliseconds since 1970, when the store in a database was
/// last backed up. The program writes it. Its value is empty: it is read with and without keys.
pub const LAST_BACKUP_PREFIX: &str = "last backup ";

/// The prefix of the keys of requests to delete an account.
pub const DELETION_PREFIX: &str = "deletion ";

/// The prefix of the keys that block ratings for deleted accounts, each a keyed hash.
pub const RATING_BLOCK_PREFIX: &str = "rating-block ";

/// The prefix of the keys that block ratings for accounts that were unlinked, each a keyed hash.
pub const UNLINKED_BLOCK_PREFIX: &str = "unlinked-block ";

/// The key of the hashes of deleted and of unlinked accounts.
pub const PERSONAL_DATA_KEY: &str = "personal-data-key";

/// The prefix of the keys of [`last_export`].
pub const EXPORT_PREFIX: &str = "exported ";

/// The switches of the operators of the bot.
pub const OPERATOR_SWITCHES: &str = "host-switches";

/// The message of operators that is not written to all chats yet.
pub const OPERATOR_MESSAGE: &str = "host-message";

/// The prefix of the keys of [`audit_entry`].
pub const AUDIT_PREFIX: &str = "audit ";

/// The prefix of the keys of [`seat_mark`].
pub const SEAT_MARK_PREFIX: &str = "seated ";

/// The prefix of the keys of [`guard_notice`].
pub const GUARD_NOTICE_PREFIX: &str = "guard-notice ";

/// The prefix of the keys of banned people, each a keyed hash of an account.
pub const PERSON_BAN_PREFIX: &str = "ban-person ";

/// The prefix of the keys of banned chats, each a keyed hash.
pub const CHAT_BAN_PREFIX: &str = "ban-chat ";

/// The prefix of the keys of quarantined inputs.
pub const QUARANTINE_PREFIX: &str = "aside ";

/// The prefix of the keys of [`quarantined_table`].
pub const QUARANTINED_TABLE_PREFIX: &str = "aside table ";

/// The prefix of the keys of [`active_chat`].
pub const ACTIVE_CHAT_PREFIX: &str = "played ";

/// The prefix of the keys of [`digest_mark`].
pub const DIGEST_MARK_PREFIX: &str = "digest ";

/// The prefix of the keys of all people who wait for a game.
pub const GAME_SUBSCRIBERS_PREFIX: &str = "awaiting ";

/// The prefix of the keys of [`block`].
pub const BLOCK_PREFIX: &str = "block ";

/// The prefix of the keys of [`review`].
pub const REVIEW_PREFIX: &str = "review ";

/// The prefix of the keys of [`chat_successor`].
pub const CHAT_SUCCESSOR_PREFIX: &str = "became ";

/// The prefix of the keys of [`unrated_game`].
pub const UNRATED_GAME_PREFIX: &str = "guarded ";

/// The prefix of the keys of [`pair_games`].
pub const PAIR_GAMES_PREFIX: &str = "pair-games ";

/// The prefix of the keys of [`reserved_table`].
pub const RESERVED_TABLE_PREFIX: &str = "promise ";

/// The prefix of the keys of [`kept_game`].
pub const KEPT_GAME_PREFIX: &str = "kept ";

/// The prefix of the keys of [`removed_game`].
pub const REMOVED_GAME_PREFIX: &str = "removed ";

/// The prefix of the keys of [`restored_log`].
pub const RESTORED_LOG_PREFIX: &str = "restored ";

/// The prefix of the keys of [`retention_choice`].
pub const RETENTION_CHOICE_PREFIX: &str = "retention ";

/// The prefix of the keys of [`hidden_name`].
pub const HIDDEN_NAME_PREFIX: &str = "hidden-name ";

/// A random value that changes with each hidden name.
pub const HIDDEN_NAMES: &str = "hidden-names";

/// The progress of listing the finished games of earlier versions as [`kept_game`].
pub const KEPT_GAMES_BACKFILL: &str = "kept-games";

/// The prefix of the keys of [`chat_deletion`].
pub const CHAT_DELETION_PREFIX: &str = "deletion-chat ";

/// The request to delete the data of a chat.
pub fn chat_deletion(chat: &ChatId) -> String {
    format!("{CHAT_DELETION_PREFIX}{}", chat.0)
}

/// The request to delete a person.
pub fn deletion_request(person: &PersonId) -> String {
    format!("{DELETION_PREFIX}{}", person.0)
}

/// Marks a person whose data was exported recently.
pub fn last_export(person: &PersonId) -> String {
    format!("{EXPORT_PREFIX}{}", person.0)
}

/// A process in which an update waits to be handled.
pub fn waiting_update(replica: &str) -> String {
    format!("{WAITING_PREFIX}{replica}")
}

/// A table with a quick clock.
pub fn quick_clock(table: &TableId) -> String {
    format!("{QUICK_CLOCK_PREFIX}{}", table.0)
}

/// An open table of a chat; the prefix is the chat.
pub fn chat_table(chat: &ChatId, table: &TableId) -> String {
    format!("{} {}", chat.0, table.0)
}

/// An open table of a person.
pub fn person_table(person: &PersonId, table: &TableId) -> String {
    format!("{} {}", person.0, table.0)
}

/// An open table at which a person has no seat but is named, for example as its opener.
pub fn named_table(person: &PersonId, table: &TableId) -> String {
    format!("{} {}", named_prefix(person), table.0)
}

/// The prefix of the keys of [`named_table`] for a person, without the trailing space.
pub fn named_prefix(person: &PersonId) -> String {
    format!("named {}", person.0)
}

/// The board message of a table in a chat.
pub fn board(table: &TableId, chat: &ChatId) -> String {
    format!("{} {}", table.0, chat.0)
}

/// The table of a message.
pub fn message(chat: &ChatId, message: &MessageId) -> String {
    format!("{} {}", chat.0, message.0)
}

/// The upper bound of the keys of due deadlines; keys of this millisecond are included.
pub fn deadline_upto(now_ms: u64) -> String {
    format!("{:016x}", now_ms + 1)
}

/// A first press that waits for its confirmation.
pub fn pending_confirmation(table: &TableId, person: &PersonId) -> String {
    format!("armed {} {}", table.0, person.0)
}

/// The order in which a person was last shown their numbered cards at a table.
pub fn shown_numbers(table: &TableId, person: &PersonId) -> String {
    format!("numbers {} {}", table.0, person.0)
}

/// A quarantined row, kept for inspection.
pub fn quarantined(space: Space, key: &str) -> String {
    format!("{QUARANTINE_PREFIX}{} {key}", space.name())
}

/// A quarantined input that was no row.
pub fn quarantined_input(kind: &str, id: &str) -> String {
    format!("{QUARANTINE_PREFIX}{kind} {id}")
}

/// A table that is frozen because one of its inputs was quarantined.
pub fn quarantined_table(table: &TableId) -> String {
    format!("{QUARANTINED_TABLE_PREFIX}{}", table.0)
}

/// The key of the entry of the audit log at this time; the newest sorts first.
pub fn audit_entry(at_ms: u64, tag: &str) -> String {
    format!("{AUDIT_PREFIX}{:016x} {tag}", u64::MAX - at_ms)
}

/// The row of a person that each commit changes which gives them a seat.
pub fn seat_mark(person: &PersonId) -> String {
    format!("{SEAT_MARK_PREFIX}{}", person.0)
}

/// A warning of the abuse checks that is not sent yet.
pub fn guard_notice(result_key: &str, name: &str) -> String {
    format!("{GUARD_NOTICE_PREFIX}{result_key} {name}")
}

/// The recent calls to a chat.
pub fn call_history(chat: &str) -> String {
    format!("budget {chat}")
}

/// The beginning of the key of a deadline; keys sort by time.
pub fn deadline(at_ms: u64, table: &TableId) -> String {
    format!("{at_ms:016x} {}", table.0)
}

/// The time and table of a deadline key.
pub fn parse_deadline(key: &str) -> Option<(u64, TableId)> {
    let mut parts = key.split(' ');
    let at = parts.next()?;
    let table = parts.next()?;
    Some((u64::from_str_radix(at, 16).ok()?, TableId(table.to_owned())))
}

/// A person by their user name, without `@`.
pub fn username(platform: &str, username: &str) -> String {
    format!("@{platform}:{}", username.to_lowercase())
}

/// The linked accounts of a person.
pub fn linked_accounts(person: &PersonId) -> String {
    format!("links {}", person.0)
}

/// The last table of a chat.
pub fn last_table(chat: &ChatId) -> String {
    format!("{LAST_TABLE_PREFIX}{}", chat.0)
}

/// The table that a person finished last in a chat.
pub fn last_table_of(chat: &ChatId, person: &PersonId) -> String {
    format!("{LAST_TABLE_PREFIX}{} {}", chat.0, person.0)
}

/// The prefix of the keys of finished tables whose rematch a person wants.
pub fn wanted_rematches_prefix(person: &PersonId) -> String {
    format!("rematch {} ", person.0)
}

/// A finished table whose rematch a person has offered or agreed to.
pub fn wanted_rematch(person: &PersonId, table: &TableId) -> String {
    format!("{}{}", wanted_rematches_prefix(person), table.0)
}

/// Whether this is such a key of a table.
pub fn is_wanted_rematch_of(key: &str, table: &str) -> bool {
    key.starts_with("rematch ") && last_part(key) == table
}

/// The time at which a chat was last shown the replay of a table.
pub fn replay_shown(chat: &ChatId, table: &TableId) -> String {
    format!("replay {} {}", chat.0, table.0)
}

/// The prefix of the keys of finished games whose play is to be judged, each followed by its table.
pub const UNJUDGED_PREFIX: &str = "unjudged ";

/// The prefix of the keys of [`play_quality`].
pub const PLAY_QUALITY_PREFIX: &str = "play-quality ";

/// A finished game whose play is to be judged.
pub fn unjudged(table: &TableId) -> String {
    format!("{UNJUDGED_PREFIX}{}", table.0)
}

/// How well a game was played.
pub fn play_quality(table: &TableId) -> String {
    format!("{PLAY_QUALITY_PREFIX}{}", table.0)
}

/// The stored review of a table.
pub fn review(table: &TableId) -> String {
    format!("{REVIEW_PREFIX}{}", table.0)
}

/// The time at which a chat was last shown the review of a table.
pub fn review_shown(chat: &ChatId, table: &TableId) -> String {
    format!("reviewed {} {}", chat.0, table.0)
}

/// The status message in a chat while a review of a table is made.
pub fn review_status_message(chat: &ChatId, table: &TableId) -> String {
    format!("reviewing {} {}", chat.0, table.0)
}

/// The chat that another one became when a Telegram group became a supergroup.
pub fn chat_successor(chat: &str) -> String {
    format!("{CHAT_SUCCESSOR_PREFIX}{chat}")
}

/// A game of a chat that an abuse check kept from being rated. Keys sort by chat, then the
/// latest games come first.
pub fn unrated_game(chat: &str, ended_ms: u64, table: &TableId) -> String {
    format!("{}{:016x} {}", unrated_games_of(chat), u64::MAX - ended_ms, table.0)
}

/// The prefix of the keys of [`unrated_game`] for a chat.
pub fn unrated_games_of(chat: &str) -> String {
    format!("{UNRATED_GAME_PREFIX}{chat} ")
}

/// The rated games that two people began against each other on a day (UTC), which is counted from
/// 1970. Their order does not matter.
pub fn pair_games(day: u64, one: &PersonId, other: &PersonId) -> String {
    let first = one.0.as_str().min(&other.0);
    let second = one.0.as_str().max(&other.0);
    format!("{PAIR_GAMES_PREFIX}{day} {:016x}", hash_texts([first, second]))
}

/// Marks a group in which a game has ended recently.
pub fn active_chat(chat: &str) -> String {
    format!("{ACTIVE_CHAT_PREFIX}{chat}")
}

/// The last week for which it was decided whether a group gets a digest.
pub fn digest_mark(chat: &str) -> String {
    format!("{DIGEST_MARK_PREFIX}{chat}")
}

/// The time before a group is greeted again, in milliseconds.
pub const GREETING_INTERVAL_MS: u64 = 10 * MINUTE_MS;

/// Marks a chat that the bot greeted recently.
pub fn last_greeting(chat: &ChatId) -> String {
    format!("greeted {}", chat.0)
}

/// Marks a chat where the platform did not let the bot write.
pub fn send_forbidden(chat: &ChatId) -> String {
    format!("mute {}", chat.0)
}

/// The pause before the bot tries again to write to such a chat.
pub fn forbidden_chat_pause(chat: &ChatId) -> String {
    format!("send-pause {}", chat.0)
}

/// The newest update that reported on a member of a chat, or on the bot itself there.
pub fn membership(chat: &str, who: Option<&PersonId>) -> String {
    format!("membership {chat} {}", who.map_or("", |it| &it.0))
}

/// A person who wants to be notified in a chat when a game is opened.
pub fn game_subscriber(chat: &str, game: &str, person: &str) -> String {
    format!("{GAME_SUBSCRIBERS_PREFIX}{chat} {game} {person}")
}

/// The prefix of the keys of [`game_subscriber`] for a chat.
pub fn game_subscribers_prefix(chat: &str) -> String {
    format!("{GAME_SUBSCRIBERS_PREFIX}{chat} ")
}

/// The author of a challenge, by the code that represents them.
pub fn challenge_author(code: &str) -> String {
    format!("posed {code}")
}

/// The code that represents a person in their challenges.
pub fn challenge_author_code(person: &PersonId) -> String {
    format!("posing {}", person.0)
}

/// The code and the seed that are reserved for the next table of the same people.
pub fn reserved_table(table: &TableId) -> String {
    format!("{RESERVED_TABLE_PREFIX}{}", table.0)
}

/// The message with the list of a person's tables, while it is kept up to date.
pub fn table_list(person: &PersonId) -> String {
    format!("list-of {}", person.0)
}

/// A code that links two accounts.
pub fn link_code(code: &str) -> String {
    format!("linking {code}")
}

/// The last linking code that a person got.
pub fn last_link_code(person: &PersonId) -> String {
    format!("linking-of {}", person.0)
}

/// A code that signs a person in on the web page.
pub fn sign_in_pass(code: &str) -> String {
    format!("pass {code}")
}

/// The session of a guest of the web page, by the stored mark of their token.
pub fn guest_session(mark: &str) -> String {
    format!("guest {mark}")
}

/// The prefix of the keys of [`presented_proof`].
pub const PRESENTED_PROOF_PREFIX: &str = "presented ";

/// The window that first presented data with this id to sign in, by its mark.
pub fn presented_proof(id: &str) -> String {
    format!("{PRESENTED_PROOF_PREFIX}{id}")
}

/// The number of times an account was signed out everywhere.
pub fn sign_out_count(account: &PersonId) -> String {
    format!("guests-of {}", account.0)
}

/// The content that an account is about to open in a window of its platform.
pub fn window_launch(account: &PersonId) -> String {
    format!("launched {}", account.0)
}

/// A person who has blocked an account.
pub fn block(blocker: &PersonId, blocked: &PersonId) -> String {
    format!("{}{}", blocks_of(blocker), blocked.0)
}

/// The prefix of the keys of [`block`] for a person.
pub fn blocks_of(blocker: &PersonId) -> String {
    format!("{BLOCK_PREFIX}{} ", blocker.0)
}

/// A finished game whose log or record is kept, of a chat. Keys sort by chat, then by the time at
/// which the games ended, in milliseconds since 1970.
pub fn kept_game(chat: &str, ended_ms: u64, table: &TableId) -> String {
    format!("{}{ended_ms:016x} {}", kept_games_of(chat), table.0)
}

/// The prefix of the keys of [`kept_game`] for a chat.
pub fn kept_games_of(chat: &str) -> String {
    format!("{KEPT_GAME_PREFIX}{chat} ")
}

/// The chat, the time of the end and the table in the key of a [`kept_game`].
pub fn parse_kept_game(key: &str) -> Option<(&str, u64, TableId)> {
    let mut parts = key.strip_prefix(KEPT_GAME_PREFIX)?.split(' ');
    let chat = parts.next()?;
    let ended = parts.next()?;
    let table = parts.next()?;
    Some((chat, u64::from_str_radix(ended, 16).ok()?, TableId(table.to_owned())))
}

/// A finished game whose log and record were removed, because its chat keeps games for a limited
/// time. The value is the value of the setting.
pub fn removed_game(table: &TableId) -> String {
    format!("{REMOVED_GAME_PREFIX}{}", table.0)
}

/// A finished game whose record has become a log again, because people act at its table.
pub fn restored_log(table: &TableId) -> String {
    format!("{RESTORED_LOG_PREFIX}{}", table.0)
}

/// Since when a chat keeps its finished games for a limited time.
pub fn retention_choice(chat: &str) -> String {
    format!("{RETENTION_CHOICE_PREFIX}{chat}")
}

/// The hidden name of an account in a chat, or everywhere.
pub fn hidden_name(scope: &str, account: &PersonId) -> String {
    format!("{}{}", hidden_names_of(scope), account.0)
}

/// The prefix of the keys of [`hidden_name`] for a chat, or for everywhere.
pub fn hidden_names_of(scope: &str) -> String {
    format!("{HIDDEN_NAME_PREFIX}{scope} ")
}

/// The scope and the account in the key of a [`hidden_name`].
pub fn parse_hidden_name(key: &str) -> Option<(&str, PersonId)> {
    let (scope, account) = key.strip_prefix(HIDDEN_NAME_PREFIX)?.split_once(' ')?;
    Some((scope, PersonId(account.to_owned())))
}

/// The last part of a key of two parts.
pub fn last_part(key: &str) -> &str {
    key.rsplit(' ').next().unwrap_or_default()
}
