//! The statistics of a person, for clients that show them on a page of their own.

use serde::Serialize;

use caravanserai_games::ids::TableId;

/// The statistics of a person, as a reader may see them: one's own of all chats, those of others
/// in the chat of the reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PersonStatistics {
    /// The displayed name.
    pub name: String,
    /// Whether the reader asks about themselves.
    pub own: bool,
    /// The lists in which the person has finished a game, in the order of the games.
    pub lists: Vec<ListStatistics>,
    /// The achievements, also those that were not reached. `None` for other people, and if the
    /// reader has turned them off.
    pub achievements: Option<Vec<AchievementState>>,
    /// The games in this chat against the reader, as the reader ended them; `None` without games.
    pub against: Option<HeadToHead>,
}

/// The statistics of a person in one rating list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ListStatistics {
    /// The code of the list.
    pub code: String,
    /// Its name, in the language of the reader.
    pub name: String,
    /// The displayed rating; `None` before the first rated game.
    pub rating: Option<i32>,
    /// Whether the rating is still uncertain.
    pub provisional: bool,
    /// The best rating that was certain.
    pub best: Option<i32>,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Wins in a row, or minus the losses in a row; 0 after a draw.
    pub streak: i32,
    /// What the person did in all these games together, in the language of the reader.
    pub totals: Vec<String>,
    /// How well the person plays, free of luck, in the language of the reader; empty where play is
    /// not judged, or too little was.
    pub play: Vec<String>,
    /// What the person chooses most often and how often that went well, in the language of the
    /// reader; empty after few games.
    pub favourites: Vec<String>,
    /// The best game that the person has won; `None` before the first.
    pub best_win: Option<BestWinStatistics>,
    /// How much luck the person had in their last games, in the language of the reader; `None` in a
    /// game without luck.
    pub luck: Option<String>,
    /// The rating before the first of the last games, and after each of them that was rated. Empty
    /// for few games, and for other people.
    pub curve: Vec<i32>,
}

/// The best game that a person has won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BestWinStatistics {
    /// The day, the opponents and their rating, in the language of the reader.
    pub says: String,
    /// The code of the table, for its replay; `None` if the game is not kept any longer.
    pub table: Option<TableId>,
}

/// An achievement, and whether a person has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AchievementState {
    /// The code of the game.
    pub game: String,
    /// The name, in the language of the reader.
    pub name: String,
    /// What has to be done for it, in the language of the reader.
    pub rule: String,
    /// When it was first reached, in milliseconds since 1970; `None` if it was not.
    pub at_ms: Option<u64>,
}

/// The games between two people, as the reader ended them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HeadToHead {
    /// Games that the reader won.
    pub won: i64,
    /// Games drawn.
    pub drawn: i64,
    /// Games that the other one won.
    pub lost: i64,
    /// The games won by the reader and by the other one before the first game, and after each.
    /// Empty for few games.
    pub curve: Vec<Vec<i32>>,
    /// Says, in the language of the reader, that older games were not searched.
    pub searched: Option<String>,
}
