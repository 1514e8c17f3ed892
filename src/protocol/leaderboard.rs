//! The rating lists, for clients that show them on a page of their own.

use serde::Serialize;

use caravanserai_games::ids::PersonId;

/// Chooses the rating list that is shown, and its first place on the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaderboardQuery {
    /// The games that count.
    pub scope: LeaderboardScope,
    /// The month whose games count; `None` for all time.
    pub month: Option<LeaderboardMonth>,
    /// The code of the list; the first list with a place if it is `None` or has no place.
    pub list: Option<String>,
    /// [`Leaderboard::next`] of the page before; 0 for the first places.
    pub from: usize,
}

/// The chats whose games count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeaderboardScope {
    /// The chat of the reader; all chats if it is private.
    #[default]
    Chat,
    /// All chats.
    Everywhere,
}

/// A month whose games count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaderboardMonth {
    /// The current month.
    Current,
    /// A month, for example `2026-11`. A text that is none is read as the current month.
    Named(String),
}

/// A page of a rating list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Leaderboard {
    /// The lists that have a place, in the order of the games.
    pub lists: Vec<LeaderboardList>,
    /// The code of the shown list; `None` if no list has a place.
    pub list: Option<String>,
    /// The shown month and those beside it; `None` for all time.
    pub months: Option<LeaderboardMonths>,
    /// Why a lower rating may be above a higher one, in the language of the reader; `None` if the
    /// places are in the order of the shown ratings.
    pub order: Option<String>,
    /// The places, the best first. Clients choose which accounts they show.
    #[serde(skip)]
    pub places: Vec<LeaderboardPlace>,
    /// Where the next page begins; `None` if no place follows that can be shown.
    pub next: Option<usize>,
}

/// A rating list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LeaderboardList {
    /// Its code.
    pub code: String,
    /// Its name, in the language of the reader.
    pub name: String,
}

/// The shown month and those that can be turned to, for example `2026-11`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LeaderboardMonths {
    /// The shown month.
    pub shown: String,
    /// The last month with games before it.
    pub earlier: Option<String>,
    /// The next month with games after it; from the last one that is the current month.
    pub later: Option<String>,
}

/// A place in a rating list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LeaderboardPlace {
    /// The rank, from 1.
    pub rank: usize,
    /// The displayed name of the person in their last game.
    pub name: String,
    /// The displayed rating.
    pub rating: i32,
    /// Whether the rating is still uncertain.
    pub provisional: bool,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Whether it is the place of the reader.
    pub own: bool,
    /// The account of the person on the platform of the reader; another one if they have none
    /// there.
    #[serde(skip)]
    pub account: PersonId,
}
