//! The finished games of a person, for clients that list them on a page of their own.

use serde::Serialize;

use caravanserai_games::ids::{ChatId, PersonId, TableId};

/// Chooses the finished games of a person that are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FinishedGamesQuery {
    /// The code of the only game that is listed; `None` for all games.
    pub game: Option<String>,
    /// An account of the only opponent whose games are listed; `None` for all opponents.
    pub opponent: Option<PersonId>,
    /// The only chat whose games are listed, without its topics; `None` for all chats.
    pub chat: Option<ChatId>,
    /// [`FinishedGames::next`] of the page before; `None` for the latest games.
    pub after: Option<String>,
}

/// A page of the finished games of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGames {
    /// The games, the latest first.
    pub games: Vec<FinishedGame>,
    /// Where the next page begins; `None` if there are no older games.
    pub next: Option<String>,
}

/// A finished game, as one of its players sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FinishedGame {
    /// The code of the table.
    pub table: TableId,
    /// The code of the game.
    pub game: String,
    /// The names of the opponents, in the person's language.
    pub opponents: Vec<String>,
    /// The result for the person.
    pub outcome: FinishedOutcome,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: u64,
    /// How the person's rating changed; `None` if the game was not rated.
    pub rating: Option<FinishedRating>,
    /// Why it was not rated, in the person's language.
    pub casual: Option<String>,
    /// The press that requests its review.
    pub review: String,
    /// Why it can no longer be watched or saved, in the person's language; `None` if it can.
    pub removed: Option<String>,
    /// The chat where it was played; `None` for a private game. Clients translate it to a name.
    #[serde(skip)]
    pub chat: Option<ChatId>,
}

/// How a game ended for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FinishedOutcome {
    /// The player won.
    Won,
    /// The players share the result.
    Drawn,
    /// The player lost.
    Lost,
}

/// A rating before and after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FinishedRating {
    /// The rating before.
    pub before: i32,
    /// The rating after.
    pub after: i32,
    /// Whether the rating after is still uncertain.
    pub provisional: bool,
}
