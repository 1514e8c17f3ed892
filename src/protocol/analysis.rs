//! Positions that a person analyses on a board of their own, for clients that draw boards
//! themselves. Nothing of it is stored.
//!
//! `src/bot/delivery/state.md` describes the JSON.

use serde::Serialize;

use super::table_state::{ActionState, PathState, StatePicture};

/// A position to be shown, or evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysisQuery {
    /// The code of the game.
    pub game: String,
    /// Its house rules in record notation; `None` for the usual ones.
    pub options: Option<String>,
    /// Where the line begins.
    pub start: AnalysisStart,
    /// The actions and outcomes of chance that were chosen since then, in record notation, without
    /// the actions that the game plays automatically.
    pub steps: Vec<String>,
    /// The seat whose side is at the bottom.
    pub below: u8,
    /// The layout of the picture.
    pub layout: PictureLayout,
}

/// The position in which a line begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AnalysisStart {
    /// The beginning of the game.
    #[default]
    Beginning,
    /// A written position.
    Position(String),
    /// A position that is being set up, by the values of its parts; it has no steps.
    Setup(Vec<String>),
}

/// The layout of the pictures of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureLayout {
    /// The usual one.
    #[default]
    Wide,
    /// For an upright screen, if the game has such a layout.
    Upright,
}

/// Why a query has no answer, in the language of the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisRefusal(pub String);

/// An analysed position, for the person who analyses it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnalysisBoard {
    /// [`STATE_VERSION`](super::STATE_VERSION).
    pub version: u8,
    /// The code of the game.
    pub game: &'static str,
    /// Its house rules, in record notation.
    pub options: String,
    /// The position in writing; `None` where the notation cannot express it.
    pub position: Option<String>,
    /// The names of the seats.
    pub names: Vec<String>,
    /// The seat to move; `None` for chance, at the end, and while a position is set up.
    pub turn: Option<u8>,
    /// How to choose the next outcome of chance, if the game waits for one.
    pub outcomes: Option<OutcomeChoice>,
    /// Points by seat when the game is over.
    pub scores: Option<Vec<i32>>,
    /// The actions of the seat to move; `press` is the token.
    pub actions: Vec<ActionState>,
    /// Tokens in rows of buttons.
    pub rows: Vec<Vec<String>>,
    /// The last events and the state as text.
    pub says: Vec<String>,
    /// The board as text.
    pub board: Vec<String>,
    /// The picture.
    pub picture: StatePicture,
    /// The parts of the position, to be set up.
    pub setup: Vec<SetupPartState>,
    /// Why a position that is being set up is not possible yet.
    pub fault: Option<String>,
}

/// Outcomes of chance: some of the first parts, then one of the last, without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutcomeChoice {
    /// The parts after which another one follows.
    pub first: &'static [&'static str],
    /// The parts that end an outcome.
    pub last: &'static [&'static str],
    /// The most parts of an outcome.
    pub most: u8,
}

/// A part of a position, to be set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetupPartState {
    /// What it is.
    pub label: String,
    /// Its present value.
    pub value: String,
    /// The largest number that it can be; `None` if it is no number.
    pub most: Option<u8>,
    /// Its possible values; empty for a number.
    pub values: Vec<SetupChoiceState>,
    /// Its area on the picture: middle, width, height, rotation.
    pub at: Option<[i32; 5]>,
}

/// A possible value of a part of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetupChoiceState {
    /// The value.
    pub value: String,
    /// Its label.
    pub label: String,
    /// Its area on the picture.
    pub at: Option<[i32; 5]>,
}

/// The evaluation of a position by a computer player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PositionEvaluation {
    /// The chance that the first seat wins, in thousandths; `None` if it cannot be told, or `why`
    /// says why it is not told.
    pub chance: Option<u16>,
    /// The best actions of the seat to move, the best first; at most four.
    pub lines: Vec<EvaluatedAction>,
    /// Why there is no evaluation, in the language of the person.
    pub why: Option<String>,
    /// Whether asking again in a moment may help.
    pub busy: bool,
}

/// An action with its evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EvaluatedAction {
    /// The action, in record notation.
    pub token: String,
    /// Its label, in the language of the person.
    pub label: String,
    /// The chance that the first seat wins after it, in thousandths.
    pub chance: u16,
    /// Its area on the picture, if it has one.
    pub at: Option<[i32; 5]>,
    /// The area of its target.
    pub to: Option<[i32; 5]>,
    /// The moves of pieces that it makes, if it is only a button.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathState>,
}
