//! Describes what one viewer may know of a table, for programs and for clients that draw the board.
//!
//! `src/bot/delivery/state.md` and the page `/api` describe the JSON that these types serialize to.
//! An existing field keeps its meaning; a field that changes its meaning raises [`STATE_VERSION`].
//! The scripts of the page have the same types in TypeScript: there, `default` makes a field
//! optional that may be left out.

use serde::{Deserialize, Serialize, Serializer};

use super::outgoing_message::ButtonTone;
use caravanserai_games::StepSound;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::vector_scene::VectorScene;

/// The version of the format; raised when a field changes its meaning.
pub const STATE_VERSION: u8 = 1;

/// The state of a table for one viewer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableStateView {
    /// [`STATE_VERSION`].
    pub version: u8,
    /// The code of the table.
    pub table: String,
    /// The code of the game.
    pub game: &'static str,
    /// The house rules, in log notation.
    pub options: String,
    /// The phase of the table.
    pub phase: PhaseName,
    /// Increases with each event at the table, chat messages included.
    pub change: u64,
    /// Increases with each step of the game; a press for an older moment does nothing.
    pub moment: u64,
    /// The position in the game's own notation; if hands are hidden, the part that the viewer
    /// knows.
    pub position: Option<String>,
    /// The player on each seat.
    pub seats: Vec<SeatState>,
    /// The seat to move, from 0.
    pub turn: Option<u8>,
    /// The clocks, if people play each other by a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub clock: Option<ClocksState>,
    /// The seat that the viewer plays now; if they play several, the one to move.
    pub you: Option<u8>,
    /// Whether the viewer wants to confirm actions: an action then counts on its second press.
    pub twice: bool,
    /// The actions that the viewer may make now.
    pub actions: Vec<ActionState>,
    /// The tokens of the actions in rows of buttons; one page of them.
    pub rows: Vec<Vec<String>>,
    /// The page of rows, from 0.
    pub page: u8,
    /// The number of pages.
    pub pages: u8,
    /// The other buttons of the table, in rows.
    pub keys: Vec<Vec<ButtonState>>,
    /// The actions of seats after the requested moment, else the last one.
    pub last: Vec<LastAction>,
    /// The text of the board, in the viewer's language.
    pub says: Vec<String>,
    /// The indices of its lines that matter most: whose turn it is or how the game ended, and
    /// pending offers.
    pub main: Vec<usize>,
    /// The times that it names.
    pub times: Vec<NamedTime>,
    /// The board as text.
    pub board: Vec<String>,
    /// The viewer's hand as text.
    pub hand: Vec<String>,
    /// The number of spectators.
    pub watching: SpectatorCounts,
    /// Points by seat when the game is over.
    pub scores: Option<Vec<i32>>,
    /// Before the start: the seats, and what the viewer may do there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub lobby: Option<LobbyState>,
    /// The last finished round, in games that are played in rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub round: Option<RoundState>,
    /// The pictures, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub picture: Option<StatePicture>,
}

impl TableStateView {
    /// Sets whether the viewer confirms actions.
    #[must_use]
    pub fn with_confirmation(self, twice: bool) -> Self {
        Self { twice, ..self }
    }
}

/// The phase of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PhaseName {
    /// Players may still join.
    #[default]
    Lobby,
    /// The game goes on.
    Playing,
    /// The game has ended.
    Over,
    /// The table was closed before the end of its game.
    Closed,
}

/// The clocks of a table, as they are at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ClocksState {
    /// The moment in milliseconds since 1970, by the clock of the bot.
    pub now: u64,
    /// The milliseconds that each seat has left; `None` if it has no clock of its own now: a
    /// computer, or a seat whose turn has not begun where each turn has its own time.
    pub left: Vec<Option<u64>>,
    /// The seat whose clock runs.
    pub running: Option<u8>,
    /// Whether all clocks are paused by agreement.
    pub paused: bool,
}

/// A time, as it appears in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NamedTime {
    /// The part of the text that names it.
    pub text: String,
    /// The time in milliseconds since 1970.
    pub time: u64,
    /// Whether only its day matters.
    pub day: bool,
}

/// The number of spectators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SpectatorCounts {
    /// The number of known spectators who do not play.
    pub people: u32,
    /// The number of other chats in which it is shown.
    #[serde(rename = "places")]
    pub chats: u32,
    /// The known spectators as text, if there are any.
    pub says: Option<String>,
}

/// A finished round of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RoundState {
    /// Its number, from 1.
    pub number: u32,
    /// Its result in the viewer's language, line by line.
    pub says: Vec<String>,
}

/// The player on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SeatState {
    /// The displayed name.
    pub name: String,
    /// Whether the viewer plays this seat.
    pub you: bool,
    /// The level of a computer.
    #[serde(serialize_with = "level_code")]
    pub computer: Option<ComputerLevel>,
}

/// The seats of a table before its game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LobbyState {
    /// The seats, in the order of `seats` of the table.
    pub seats: Vec<LobbySeatState>,
    /// The indices of the lines of `says` that only name the players of seats.
    pub seat_lines: Vec<usize>,
}

/// A seat before the start. The callback data is that of buttons among the `keys` of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LobbySeatState {
    /// Whether nobody has it yet.
    pub free: bool,
    /// The displayed name of an invited person for whom it is reserved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub invited: Option<String>,
    /// The callback data with which the viewer takes the seat, moves to it, or changes places with
    /// its player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub sit: Option<String>,
    /// The callback data that seats a computer there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub add_computer: Option<String>,
}

/// An action that the viewer may make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ActionState {
    /// The action, in record notation.
    pub token: String,
    /// The label, in the viewer's language.
    pub label: String,
    /// The callback data that makes it.
    #[serde(rename = "press")]
    pub callback_data: String,
    /// Its area on the picture of the hand, or else of the board: middle, width, height, rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub at: Option<[i32; 5]>,
    /// The area of an action that also has a button.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub also: Option<[i32; 5]>,
    /// The area of its target.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub to: Option<[i32; 5]>,
    /// Whether it captures something there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes: bool,
    /// The moves of pieces that it makes, if it is only a button.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathState>,
    /// Its consequences, as far as the label does not name them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub would: String,
}

/// The move of one piece on the picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PathState {
    /// The area of the piece: middle, width, height, rotation.
    pub at: [i32; 5],
    /// The area where it leads.
    pub to: [i32; 5],
    /// Whether it captures something there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes: bool,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ButtonState {
    /// The label, in the viewer's language.
    pub label: String,
    /// The callback data of a press.
    #[serde(rename = "press")]
    pub callback_data: String,
    /// Its appearance.
    #[serde(serialize_with = "tone_name")]
    pub tone: ButtonTone,
    /// The address of the page that shows this instead of a post, see
    /// [`ViewerPage::url_path`](super::ViewerPage::url_path).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub look: Option<String>,
}

/// An action of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LastAction {
    /// The seat that acted.
    pub seat: u8,
    /// The action, in record notation.
    pub token: String,
}

/// The pictures for the viewer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StatePicture {
    /// The board.
    pub board: VectorScene,
    /// The viewer's hand, if hands are hidden.
    pub hand: Option<VectorScene>,
    /// The sound of the step that led to the board, if that step is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub sound: Option<StepSound>,
    /// The boards after the steps in between, the oldest first; the last step leads to `board`.
    pub before: Vec<PictureFrame>,
}

impl StatePicture {
    /// A picture with a board only.
    pub fn from_board(board: VectorScene) -> Self {
        Self { board, hand: None, sound: None, before: Vec::new() }
    }
}

/// A board between an earlier state and the current one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PictureFrame {
    /// The board.
    #[serde(flatten)]
    pub board: VectorScene,
    /// The sound of the step that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub sound: Option<StepSound>,
    /// The text of the board, of which the last line says whose turn it is; empty if it is the same
    /// as before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub says: Vec<String>,
}

impl PictureFrame {
    /// A frame with a board only.
    pub fn from_board(board: VectorScene) -> Self {
        Self { board, sound: None, says: Vec::new() }
    }
}

/// The open tables of a person, those that wait for the person first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OwnTables {
    /// The tables.
    pub tables: Vec<OwnTable>,
}

/// An open table of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OwnTable {
    /// The code of the game.
    pub game: &'static str,
    /// An address that opens its board, if it has one.
    pub link: Option<String>,
    /// The table in a line of text, in the person's language.
    pub says: String,
    /// The code of the table.
    pub table: String,
    /// Whether the person is to move.
    pub your_turn: bool,
}

fn level_code<S: Serializer>(level: &Option<ComputerLevel>, out: S) -> Result<S::Ok, S::Error> {
    level.map(ComputerLevel::code).serialize(out)
}

fn tone_name<S: Serializer>(tone: &ButtonTone, out: S) -> Result<S::Ok, S::Error> {
    tone.name().serialize(out)
}
