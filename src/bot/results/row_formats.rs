//! Keys and values of the rows with ratings and histories. Parts of a key are separated by a space.

use serde::{Deserialize, Serialize};

use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::{
    CasualReason, GameOutcome, PlayerRecord, RatingList, RatingScope, RatingSystem, Season,
    SeatAchievement, SeatMilestone,
};

/// The progress of the projection.
pub const PROJECTION_STATE: &str = "results";

/// The prefix of the keys of requests to compute everything from a time on again, because accounts
/// were linked or unlinked, or a chat got another id. The value is that time, in milliseconds since
/// 1970 (JSON).
pub const RECOMPUTE_PREFIX: &str = "result-recompute ";

/// The progress of collecting the results of earlier games.
pub const COLLECTION_STATE: &str = "result-collection";

/// The prefix of the marks of results that are not projected yet.
pub const PENDING_PREFIX: &str = "new-result ";

/// The prefix of the keys of all current records.
pub const RECORDS_PREFIX: &str = "now ";

/// Where a list ends: greater than every rating that is displayed.
const RATING_LIMIT: i32 = 99_999;

/// The mark that the result with this key is not projected yet.
pub fn pending_result(result_key: &str) -> String {
    format!("{PENDING_PREFIX}{result_key}")
}

/// The request of an account that was linked or unlinked, or of a chat that got another id.
pub fn recompute_request(id: &str) -> String {
    format!("{RECOMPUTE_PREFIX}{id}")
}

/// The prefix of the keys of the current records in one scope.
pub fn records_prefix(scope: &RatingScope) -> String {
    format!("{RECORDS_PREFIX}{} ", scope.code())
}

/// Identifies the record of a person in one list and one scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId {
    /// The games that it counts.
    pub scope: RatingScope,
    /// The code of the list.
    pub list: String,
    /// The person.
    pub person: PersonId,
}

impl RecordId {
    fn words(&self) -> String {
        format!("{} {} {}", self.scope.code(), self.list, self.person.0)
    }

    /// The key of the current record.
    pub fn current(&self) -> String {
        format!("{RECORDS_PREFIX}{}", self.words())
    }

    /// Parses the key of a current record.
    pub fn parse_current(key: &str) -> Option<RecordId> {
        let mut words = key.strip_prefix(RECORDS_PREFIX)?.splitn(3, ' ');
        let scope = RatingScope::parse(words.next()?)?;
        let list = words.next()?.to_owned();
        let person = PersonId(words.next()?.to_owned());
        Some(RecordId { scope, list, person })
    }

    /// The prefix of the keys of the records at the ends of earlier months, the latest first.
    pub fn earlier_prefix(&self) -> String {
        format!("old {} ", self.words())
    }

    /// The key of the record at the end of a month.
    pub fn at_end_of(&self, season: Season) -> String {
        format!("{}{:05}", self.earlier_prefix(), 99_999 - season.number())
    }

    /// The key of the place in the list. Keys sort by these points, the highest first; provisional
    /// ratings follow after all others.
    pub fn list_place(&self, points: i32, is_provisional: bool) -> String {
        let value = RATING_LIMIT - points.clamp(0, RATING_LIMIT);
        let prefix = list_prefix(&self.scope, &self.list);
        let group = if is_provisional { 'p' } else { 'f' };
        format!("{prefix}{group}{value:05} {}", self.person.0)
    }
}

/// The prefix of the keys of the lists of all seasons of a scope.
pub fn season_lists_prefix(scope: &RatingScope) -> String {
    format!("top {}", scope.season_code_prefix())
}

/// The prefix of the keys of a list.
pub fn list_prefix(scope: &RatingScope, list: &str) -> String {
    format!("top {} {list} ", scope.code())
}

/// The points in the key of a place of the list with this prefix.
pub fn listed_points(key: &str, prefix: &str) -> Option<i32> {
    let value: i32 = key.strip_prefix(prefix)?.get(1..6)?.parse().ok()?;
    Some(RATING_LIMIT - value)
}

/// The prefix of the keys of a person's games, the latest first.
pub fn history_prefix(person: &PersonId) -> String {
    format!("game {} ", person.0)
}

/// The key of a game in a person's history.
pub fn history(person: &PersonId, ended_ms: u64, table: &TableId) -> String {
    format!("{}{:016x} {}", history_prefix(person), u64::MAX - ended_ms, table.0)
}

/// The key of the changes of ratings by a game.
pub fn rating_changes(table: &TableId) -> String {
    format!("change {}", table.0)
}

/// A stored record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredRecord {
    /// The rebuild that wrote it.
    pub epoch: u32,
    /// The displayed name of the person in their last game.
    pub name: String,
    /// The key of their place in the list; `None` before the first rated game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The table of the last game.
    pub last_table: TableId,
    /// The record.
    pub record: PlayerRecord,
}

/// A place in a list, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaderboardEntry {
    /// The person.
    pub person: PersonId,
    /// Their displayed name in their last game.
    pub name: String,
    /// The displayed rating.
    pub rating: i32,
    /// Whether it is uncertain: in a stored row after the person's last game, else at present.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_provisional: bool,
    /// Games, won, drawn and lost.
    pub games: [u32; 3],
}

/// A game in a person's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The table.
    pub table: TableId,
    /// The code of the game.
    pub game: String,
    /// The code of the list.
    pub list: String,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: u64,
    /// The chat; empty for a private game.
    #[serde(default)]
    pub chat: String,
    /// The person's own seat.
    pub seat: u8,
    /// The result for the person.
    pub outcome: GameOutcome,
    /// The players by seat.
    pub players: Vec<HistoryPlayer>,
    /// The person's overall rating before and after.
    pub rating: RatingChange,
    /// Why it was not rated for this person; empty if it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub casual: Vec<CasualReason>,
    /// The options of the game; empty in rows of earlier programs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// The clock; empty in rows of earlier programs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clock: String,
}

impl HistoryEntry {
    /// Whether two seats play on the same side. A seat is on its own side.
    fn are_allies(&self, one: usize, other: usize) -> bool {
        let is_pairs = || {
            let list = RatingList::parse(&self.list);
            list.is_some_and(|it| it.system() == RatingSystem::WengLin)
        };
        one == other || (one % 2 == other % 2 && is_pairs())
    }

    /// The players against whom the person played, by seat.
    pub fn opponents(&self) -> impl Iterator<Item = &HistoryPlayer> {
        let own = usize::from(self.seat);
        let players = self.players.iter().enumerate();
        players.filter(move |(seat, _)| !self.are_allies(own, *seat)).map(|(_, it)| it)
    }
}

/// A player of a game in a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryPlayer {
    /// The player.
    pub person: PersonId,
    /// The name during the game.
    pub name: String,
    /// The level of a computer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The final score.
    pub score: i32,
}

/// A rating before and after a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingChange {
    /// The displayed rating before.
    pub before: i32,
    /// The displayed rating after.
    pub after: i32,
    /// Whether the rating after is uncertain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_provisional: bool,
}

/// The changes by a game, for the line under its result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRatings {
    /// Why it was not rated for those who played to its end; empty if it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub casual: Vec<CasualReason>,
    /// The overall ratings of the people who played to its end, by seat.
    pub seats: Vec<(u8, RatingChange)>,
    /// The overall ratings of the people who gave up seats and were rated, by seat: of each seat
    /// only the first leaver can be. None in rows of earlier programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leavers: Vec<(u8, RatingChange)>,
    /// The seats of new players who won a very short game that is rated for the others alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_winners: Vec<u8>,
    /// The code of the list; empty in rows of earlier programs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub list: String,
    /// The achievements that its players have reached for the first time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub achieved: Vec<SeatAchievement>,
    /// The milestone that the winner has reached by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestone: Option<SeatMilestone>,
    /// A hash of the rows of the game in the histories of its players, so that a rebuild reads this
    /// row alone to see that none has changed; 0 in rows of earlier programs.
    #[serde(default, skip_serializing_if = "crate::repository::stored_rows::is_zero")]
    pub history_hash: u64,
}

/// The progress of the projection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectionState {
    /// The number of the last rebuild.
    pub epoch: u32,
    /// The number of commits, so that each commit excludes all others that began with the same
    /// state.
    pub commits: u64,
    /// The first moment that the rebuild in progress computes again, in milliseconds since 1970;
    /// after it the end of time, because no record is outdated.
    pub rewound_to_ms: u64,
    /// The end of the last rebuild, in milliseconds since 1970.
    pub rebuilt_ms: u64,
    /// Whether the rebuild in progress compares every row of histories: some were removed because
    /// accounts were linked or unlinked, although the rows of their games are unchanged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub compares_histories: bool,
    /// The work in progress; `None` if all results are projected as they come.
    pub rebuild: Option<RebuildStep>,
}

/// The progress of a rebuild. One process does it, with the records in memory: if that process
/// stops, another one begins again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RebuildStep {
    /// No process has begun.
    #[serde(rename = "Fold")]
    Requested {
        /// The first result has a greater key.
        after: String,
    },
    /// A process folds results, or did when it stopped.
    #[serde(rename = "Sweep")]
    Underway {
        /// The last result that was folded. Nothing is continued from it: it shows the progress.
        after: String,
    },
}
