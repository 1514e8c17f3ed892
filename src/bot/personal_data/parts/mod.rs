//! Lists the parts of the store that hold personal data, and the rows that hold none.

mod account_rows;
mod answers;
mod deletion_rows;
mod games;
mod hidden_names;
mod operator_rows;
mod platform_accounts;
mod play_quality;
mod ratings;
mod results;

pub(super) use games::retry_tables;

use super::part::{KeyFamily, PersonalDataPart};
use crate::repository::keys;
use crate::results::row_formats;
use caravanserai_store::Space;

/// All parts, in the order in which they are deleted: games first, because they may be running;
/// profiles after the results, which need to know which accounts are one person.
pub static PARTS: &[&dyn PersonalDataPart] = &[
    &games::Games,
    &results::Results,
    &ratings::Ratings,
    &play_quality::JudgedGames,
    &account_rows::Marks,
    &account_rows::Blocks,
    &account_rows::Messages,
    &account_rows::Profiles,
    &platform_accounts::BuiltInChat,
    &answers::Answers,
    &hidden_names::HiddenNameRows,
    &operator_rows::OperatorRows,
    &deletion_rows::DeletionRows,
];

/// The rows without personal data, and why they have none.
pub const WITHOUT_PERSONAL_DATA: &[(KeyFamily, &str)] = &[
    (KeyFamily::all(Space::Due), "the codes of tables, and what is due there"),
    (KeyFamily::exact(Space::Meta, keys::LOG_SEPARATION), "the progress of the program"),
    (KeyFamily::exact(Space::Meta, keys::LAST_ALIVE), "a time"),
    (KeyFamily::exact(Space::Meta, keys::STORE_ID), "the random id of the store"),
    (KeyFamily::exact(Space::Meta, keys::EVENT_FORMAT), "the format of the logs"),
    (KeyFamily::exact(Space::Meta, keys::WRITE_PROBE), "an empty value"),
    (KeyFamily::prefix(Space::Meta, keys::LAST_BACKUP_PREFIX), "a time"),
    (KeyFamily::exact(Space::Meta, row_formats::PROJECTION_STATE), "the progress of the program"),
    (KeyFamily::exact(Space::Meta, row_formats::COLLECTION_STATE), "the progress of the program"),
    (KeyFamily::prefix(Space::Meta, row_formats::PENDING_PREFIX), "times and the codes of tables"),
    (KeyFamily::prefix(Space::Meta, keys::QUICK_CLOCK_PREFIX), "the codes of tables"),
    (KeyFamily::prefix(Space::Meta, keys::WAITING_PREFIX), "ids of processes, and times"),
    (KeyFamily::prefix(Space::Meta, keys::REVIEW_PREFIX), "the evaluation of moves, by table"),
    (KeyFamily::prefix(Space::Meta, keys::UNJUDGED_PREFIX), "the codes of tables"),
    (KeyFamily::prefix(Space::Meta, keys::CHAT_SUCCESSOR_PREFIX), "ids of groups"),
    (KeyFamily::prefix(Space::Meta, keys::ACTIVE_CHAT_PREFIX), "ids of groups, and days"),
    (KeyFamily::prefix(Space::Meta, keys::DIGEST_MARK_PREFIX), "ids of groups, and times"),
    (
        KeyFamily::prefix(Space::Meta, keys::UNRATED_GAME_PREFIX),
        "ids of groups, times, tables, and why a game is not rated, for a month",
    ),
    (
        KeyFamily::prefix(Space::Meta, keys::PAIR_GAMES_PREFIX),
        "hashes of pairs of players, ids of groups, and the codes of tables, for two days",
    ),
    (
        KeyFamily::prefix(Space::Meta, keys::PRESENTED_PROOF_PREFIX),
        "hashes of proofs of identity, windows and sessions, ids of groups, the codes of tables, \
         for an hour",
    ),
    (
        KeyFamily::prefix(Space::Meta, keys::RESERVED_TABLE_PREFIX),
        "a code and a seed for the next table",
    ),
    (
        KeyFamily::prefix(Space::Meta, keys::CHAT_DELETION_PREFIX),
        "ids of groups, until they are deleted",
    ),
    (KeyFamily::prefix(Space::Meta, keys::RETENTION_CHOICE_PREFIX), "ids of groups, and times"),
    (KeyFamily::prefix(Space::Meta, keys::KEPT_GAME_PREFIX), "ids of groups, times, tables"),
    (KeyFamily::exact(Space::Meta, keys::KEPT_GAMES_BACKFILL), "the progress of the program"),
    (KeyFamily::prefix(Space::Meta, keys::REMOVED_GAME_PREFIX), "the codes of tables"),
    (KeyFamily::prefix(Space::Meta, keys::RESTORED_LOG_PREFIX), "the codes of tables, for a week"),
    (KeyFamily::exact(Space::Meta, keys::HIDDEN_NAMES), "a random value"),
    (KeyFamily::exact(Space::Meta, keys::PERSONAL_DATA_KEY), "a random key"),
    (
        KeyFamily::exact(Space::Meta, keys::OPERATOR_SWITCHES),
        "switches of the whole bot, and a time",
    ),
    (
        KeyFamily::exact(Space::Meta, keys::OPERATOR_MESSAGE),
        "a text for all chats, for some seconds",
    ),
];

/// The part that covers a row, or the reason why it has no personal data; `None` if nothing is
/// declared.
pub fn declaration_of(space: Space, key: &str) -> Option<&'static str> {
    let covers = |it: &&&dyn PersonalDataPart| {
        it.families().iter().any(|family| family.contains(space, key))
    };
    let part = PARTS.iter().find(covers).map(|it| it.about());
    let other = WITHOUT_PERSONAL_DATA.iter().find(|(family, _)| family.contains(space, key));
    part.or(other.map(|(_, reason)| *reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_space_is_declared_and_no_part_is_listed_twice() {
        let families = || {
            let of_parts = PARTS.iter().flat_map(|it| it.families()).copied();
            of_parts.chain(WITHOUT_PERSONAL_DATA.iter().map(|(family, _)| *family))
        };
        for space in Space::ALL {
            assert!(families().any(|it| it.space() == *space), "{space:?} is not declared");
        }
        for (at, part) in PARTS.iter().enumerate() {
            assert!(PARTS[..at].iter().all(|it| it.about() != part.about()));
        }
    }

    #[test]
    fn a_new_kind_of_row_is_not_declared() {
        assert_eq!(declaration_of(Space::Meta, "birthday tg:7"), None);
        assert_eq!(declaration_of(Space::Rating, "birthday tg:7"), None);
        assert!(declaration_of(Space::Meta, "armed 7k3fx tg:7").is_some());
        assert!(declaration_of(Space::Person, "tg:7").is_some());
        assert_eq!(declaration_of(Space::Person, "birthday tg:7"), None);
    }
}
