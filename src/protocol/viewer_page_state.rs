//! Describes what one viewer may know of a game step by step, of its review, and of a page of a
//! course, for clients that draw boards themselves.
//!
//! `src/bot/delivery/state.md` describes the JSON beside that of a table; both share the version
//! and fields. Hands are shown to their owner, and to everybody once the deal is over.

use serde::Serialize;

use super::table_state::{PhaseName, SeatState, StatePicture};
use caravanserai_games::FramePace;
use caravanserai_games::vector_scene::VectorScene;

/// A [`ViewerPage`](super::ViewerPage) as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ViewerPageState {
    /// A game, step by step.
    Replay(ReplayState),
    /// The review of a game.
    Review(ReviewState),
    /// A page of a course.
    Lesson(LessonState),
}

/// A part of a game, step by step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReplayState {
    /// [`STATE_VERSION`](super::STATE_VERSION).
    pub version: u8,
    /// The code of the table.
    pub table: String,
    /// The code of the game.
    pub game: &'static str,
    /// Its house rules, in record notation.
    pub options: String,
    /// The phase of the table.
    pub phase: PhaseName,
    /// Increases with each step of the game.
    pub moment: u64,
    /// The player on each seat.
    pub seats: Vec<SeatState>,
    /// The number of steps of the game.
    pub steps: u32,
    /// The first step in this answer.
    pub from: u32,
    /// The seat whose side is at the bottom.
    pub below: u8,
    /// The seat whose hand is shown; `None` if nothing is hidden.
    pub hand: Option<u8>,
    /// The callback data of the button that posts the game as an animation, if that is possible.
    pub film: Option<String>,
    /// The state after each step, and before the first one.
    pub stood: Vec<StepState>,
}

impl ReplayState {
    /// The state for a chat in which nothing can be posted.
    #[must_use]
    pub fn without_replay_post(self) -> Self {
        Self { film: None, ..self }
    }
}

/// The state of a game after a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StepState {
    /// The number of steps before this state.
    pub step: u32,
    /// The seat that acted; `None` for chance, or before the first step.
    pub seat: Option<u8>,
    /// The action, in record notation; never an outcome of chance, which may be a deal.
    pub token: Option<String>,
    /// The number of the move or turn as people see it.
    pub number: Option<u32>,
    /// The position in writing, where it can be analysed.
    pub position: Option<String>,
    /// How long to show it.
    pub pace: FramePace,
    /// The action and the state as text.
    pub says: Vec<String>,
    /// The board as text.
    pub board: Vec<String>,
    /// The picture; `None` if it is the same as before.
    pub picture: Option<StatePicture>,
}

/// The review of a game with the moves that changed it most.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReviewState {
    /// [`STATE_VERSION`](super::STATE_VERSION).
    pub version: u8,
    /// The code of the table.
    pub table: String,
    /// The winning chance of each side; `None` while there is no review.
    pub chart: Option<VectorScene>,
    /// The winning chances as text.
    pub words: Vec<String>,
    /// The moves.
    pub moments: Vec<ReviewMomentState>,
}

/// One of the moves of the review.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReviewMomentState {
    /// The number of steps before the move.
    pub step: u32,
    /// The seat that made it.
    pub seat: u8,
    /// The number of the move as people see it.
    pub number: i64,
    /// The position of its number on the chart.
    pub badge: Option<[i32; 5]>,
    /// The review of the move as text.
    pub says: Vec<String>,
    /// The position as text.
    pub board: Vec<String>,
    /// The position, from the viewer's side, with the hand of the seat.
    pub picture: StatePicture,
    /// The position of the played move on the picture of the hand, or else of the board.
    pub played: Option<PictureMark>,
    /// The position of the better move, in the same way.
    pub better: Option<PictureMark>,
    /// The better move and a possible continuation, step by step.
    pub line: Vec<StepState>,
}

/// The position of an action on a picture, and its target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PictureMark {
    /// The area of the action: middle, width, height, rotation.
    pub at: [i32; 5],
    /// The area of its target.
    pub to: Option<[i32; 5]>,
}

/// A page of a course.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonState {
    /// [`STATE_VERSION`](super::STATE_VERSION).
    pub version: u8,
    /// The code of the game.
    pub game: &'static str,
    /// The name of the page.
    pub page: String,
    /// The picture as text.
    pub board: Vec<String>,
    /// The picture.
    pub picture: StatePicture,
    /// The areas that can be touched, each with the last part of its callback data.
    pub spots: Vec<LessonTarget>,
}

/// An answer, or a move to try, on the picture of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonTarget {
    /// The last part of its callback data.
    pub token: String,
    /// Its area on the picture: middle, width, height, rotation.
    pub at: [i32; 5],
    /// The area of its target.
    pub to: Option<[i32; 5]>,
}
