//! The definition of a game besides its rules: functions that display, describe, record and teach
//! it.

use serde::Serialize;

use super::arena::DuelDefinition;
use super::benchmark::Benchmark;
use super::course::Course;
use super::records::{GameError, PositionFormat, RecordHeading};
use super::{ChartSample, FramePace, GameInfo};
use crate::rules::{RecordError, Rules, Seat};
use crate::scene::{PiecePath, Scene, TouchArea, TouchSpot};
use crate::search::Player;
use crate::setup::SetupFunctions;
use crate::solving::Solving;
use crate::statistics::StatisticsFunctions;
use crate::text::{Arg, Text};

/// All functions and data of a game besides its rules, grouped by their users.
pub struct GameDefinition<R: Rules> {
    /// Data for lobbies and menus.
    pub info: &'static GameInfo,
    /// Display and texts at a table.
    pub table: TableFunctions<R>,
    /// Computer players and how their strength is measured.
    pub arena: ArenaFunctions<R>,
    /// Records, positions, replays and charts.
    pub record: RecordFunctions<R>,
    /// The counts that are made of finished games.
    pub statistics: StatisticsFunctions<R>,
    /// The lessons.
    pub course: Course<R>,
    /// How positions are set up freely; `None` where hands are hidden.
    pub setup: Option<SetupFunctions<R>>,
}

/// Lays out a view: names by seat, points by seat if the table ended the game, and the seat whose
/// side is at the bottom. The public board has seat 0 there.
pub type DrawSceneFn<V> = fn(&V, &[String], Option<&[i32]>, Seat) -> Scene;

/// Builds a page of buttons from a view and legal actions; pages count from 0.
pub type BuildPanelFn<V, A> = fn(&V, &[A], u8) -> ButtonPanel<A>;

/// Finds the touch areas of these legal actions on the picture that has the side of a seat below.
pub type FindSpotsFn<V, A> = fn(&V, &[A], Seat) -> Vec<TouchSpot<A>>;

/// Display and texts of a game at a table. All functions take a view.
pub struct TableFunctions<R: Rules> {
    /// The picture. From a seat's view in a game with hidden hands: the hand of that seat.
    pub scene: DrawSceneFn<R::View>,
    /// The events since the last decision of the seat to move (at most about eight lines), the
    /// score, and, as the last line, whose turn it is or how the game ended.
    pub caption: fn(&R::View) -> Vec<Text>,
    /// Summarises the last action of this seat from the public view: the label of the action, and
    /// its result.
    pub describe_action: fn(&R::View, Seat, Arg) -> Vec<Arg>,
    /// The whole board in words.
    pub board_text: fn(&R::View) -> Vec<Text>,
    /// The whole board in rows of characters, for messages without pictures; empty where the words
    /// show it as well.
    pub sketch: fn(&R::View) -> Vec<Text>,
    /// Explains why this action is refused.
    pub explain_refusal: fn(&R::View, Seat, &R::Action, R::Illegal) -> Text,
    /// The key of the text for a refusal, with the possible actions as its arguments.
    pub refusal_key: fn(R::Illegal) -> &'static str,
    /// The label of the button of an action.
    pub label: fn(&R::View, &R::Action) -> Arg,
    /// Public buttons, from the view and the legal actions of the seat to move. They must not
    /// reveal a hidden hand.
    pub panel: BuildPanelFn<R::View, R::Action>,
    /// The touch areas of legal actions on the picture that the seat to move sees, from its view.
    /// Actions that are not on the picture are left out.
    pub spots: FindSpotsFn<R::View, R::Action>,
    /// The moves of pieces that this legal action of the seat to move makes, on the picture that
    /// has the side of a seat at the bottom; empty if [`Self::spots`] shows them.
    pub paths: fn(&R::View, &R::Action, Seat) -> Vec<PiecePath>,
    /// The result of this legal action of the seat to move, from its view, as far as the label does
    /// not say it.
    pub preview: fn(&R::View, &R::Action) -> Vec<Text>,
    /// The cards of a seat, each as the action that plays it, legal or not, in the usual order of a
    /// hand.
    pub hand: fn(&R::View) -> Vec<R::Action>,
    /// Whether players who sit opposite each other are partners under these house rules.
    pub has_partners: fn(&R) -> bool,
    /// The number of the turn as the caption counts it, if it does.
    pub turn_number: fn(&R) -> Option<u32>,
    /// The number of moves so far, in a game where a seat may do more in its turn than make its
    /// move; `None` where each position is a turn, or [`Self::turn_number`] counts them.
    pub move_number: fn(&R) -> Option<u32>,
    /// The place that a seat has got, from 1, in a game in which the others then play on.
    pub place: fn(&R, Seat) -> Option<u8>,
    /// The layout of pictures for an upright screen, if it differs from that of [`Self::scene`].
    pub upright: Option<UprightLayout>,
    /// The points that each seat got in every finished round, in order; empty for games without
    /// rounds.
    pub round_points: fn(&R::View) -> Vec<Vec<i32>>,
    /// The last finished round of a game that is played in rounds; `None` before the first ends.
    pub last_round: fn(&R::View) -> Option<FinishedRound>,
    /// Further texts about the game that can be read on demand.
    pub sheets: &'static [InfoSheet<R::View>],
    /// Reveals all hands of a deal that is over.
    pub reveal_deal: RevealDealFn<R>,
}

/// Reveals the hands of a deal from the public view, the facts of the last step (`None` when the
/// game did not end by a step), the deal, and the names by seat. `None` while the deal is in play.
pub type RevealDealFn<R> = fn(
    &<R as Rules>::View,
    Option<&[<R as Rules>::Fact]>,
    &<R as Rules>::Chance,
    &[String],
) -> Option<RevealedDeal>;

/// All hands of a deal as they were dealt. Built only when the deal is over.
#[derive(Clone, Debug, PartialEq)]
pub struct RevealedDeal {
    /// The hands by seat, one line each.
    pub hands: Vec<Text>,
    /// The result of the deal, in a line or two.
    pub result: Vec<Text>,
    /// The picture of all hands.
    pub scene: Scene,
}

/// The computer players of a game and how they are measured.
pub struct ArenaFunctions<R: Rules> {
    /// Makes a computer player by name: the code of a level, or one of the opponents.
    pub player: fn(&str) -> Option<Box<dyn Player<R>>>,
    /// Names of the test opponents that strength is measured by, besides the levels. `N` means
    /// a number.
    pub opponents: &'static [&'static str],
    /// Number of positions that the strongest level searches in about a second on one ordinary
    /// core: the unit of thinking effort, so that results are the same on every machine.
    pub nodes_per_second: u64,
    /// The fixed ratings of the levels in the form of
    /// [`computer_ratings`](crate::computer_ratings); empty if none were measured.
    pub ratings: &'static str,
    /// The cost of the decisions of each level, in the form of
    /// [`play_quality`](crate::play_quality); empty where play is not judged.
    pub play_quality: &'static str,
    /// The procedure by which its players learn.
    pub learning: Learning,
    /// How its positions are solved exactly, for games with few enough.
    pub solving: Option<Solving<R>>,
    /// The measures of its players.
    pub duel: DuelDefinition<R>,
    /// The benchmark for other programs, if there is one.
    pub benchmark: Option<Benchmark>,
}

/// Writes a record: heading, options, number of seats, steps.
pub type WriteRecordFn<R> =
    fn(&RecordHeading, &<R as Rules>::Options, u8, &[GameStep<R>]) -> String;

/// Reads a record that may overrule its options.
pub type ReadRecordFn<R> =
    fn(&str, Option<&<R as Rules>::Options>) -> Result<RecordedMatch<R>, RecordError<GameError>>;

/// Prints every position of a record that may overrule its options.
pub type PrintRecordFn<R> =
    fn(&str, Option<&<R as Rules>::Options>) -> Result<String, RecordError<GameError>>;

/// The frames that a replay shows of a view after a step, each with its pace; may be empty.
pub type ReplayFramesFn<V, F> = fn(&V, &[F]) -> Vec<(V, FramePace)>;

/// Counts the move sequences of this length from a written position, or from the start.
pub type CountMovesFn<R> = fn(&<R as Rules>::Options, Option<&str>, u32) -> Result<u64, GameError>;

/// Records, written positions, replays and charts of a game.
pub struct RecordFunctions<R: Rules> {
    /// The format of written positions.
    pub position_format: PositionFormat<R>,
    /// Writes the position, or in a game with hidden hands the knowledge of a seat, in the format
    /// that [`RecordFunctions::position_format`] reads. `None` where the format cannot express it.
    pub position: fn(&R::View) -> Option<String>,
    /// Writes a text record of the steps so far, for this number of seats.
    pub write_record: WriteRecordFn<R>,
    /// Reads such a record, and records in other known formats of this game.
    pub read_record: ReadRecordFn<R>,
    /// Prints such a record with the position after every move, for people.
    pub print_record: PrintRecordFn<R>,
    /// Counts move sequences; `None` for games with chance.
    pub count_moves: Option<CountMovesFn<R>>,
    /// The frames of a replay: from the view after a step and its facts. The view may omit what
    /// earlier frames showed and restore what the step itself has already removed.
    pub replay_frames: ReplayFramesFn<R::View, R::Fact>,
    /// The values for the chart. Public, because charts are.
    pub chart_sample: fn(&R::View) -> ChartSample,
    /// Whether this fact ends a step of the chart: a move, a turn or a round.
    pub ends_chart_step: fn(&R::Fact) -> bool,
    /// Whether this fact ends a deal, so that hidden hands become public. Never called for games
    /// where nothing is hidden.
    pub ends_deal: fn(&R::Fact) -> bool,
    /// The sound of a fact, if it has one.
    pub sound: fn(&R::Fact) -> Option<StepSound>,
    /// Checks the conservation of stones, cards or pieces; describes a violation.
    pub check_invariants: fn(&R) -> Option<String>,
}

/// Learns from a seed and amounts; the callback receives progress lines.
pub type LearnFn = fn(u64, &[u64], &mut dyn FnMut(&str)) -> Vec<u8>;

/// The procedure that reproduces the learned file of a game's players.
#[derive(Clone, Copy)]
pub struct Learning {
    /// The amounts of training data by name, with the values that made the built-in file. The same
    /// numbers and seed give the same file.
    pub amounts: fn() -> Vec<(&'static str, u64)>,
    /// Learns with a seed and these amounts, in the order above; returns the bytes of the file.
    pub learn: LearnFn,
}

/// A game that was read from a record.
pub struct RecordedMatch<R>
where
    R: Rules,
{
    /// The position before the first step.
    pub start: R,
    /// Names by seat.
    pub names: Vec<String>,
    /// All steps.
    pub steps: Vec<GameStep<R>>,
    /// Points by seat when the game did not end by its rules.
    pub result: Option<Vec<i32>>,
}

/// A text that can be read on demand. The label of its button is `sheet-<game>-<name>`.
pub struct InfoSheet<V> {
    /// The name in button data: a few letters.
    pub name: &'static str,
    /// Builds the text.
    pub text: fn(&V) -> Vec<Text>,
}

/// The sound of a step, from the quietest to the loudest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StepSound {
    /// A card was laid, a piece moved or a bid made.
    Step,
    /// Chance gave an outcome: dice or cards.
    Deal,
    /// Something was captured.
    Capture,
}

/// One step of a game.
pub enum GameStep<R: Rules> {
    /// A seat acted.
    Act(Seat, R::Action),
    /// An outcome of chance.
    Chance(R::Chance),
}

/// Rows of buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButtonPanel<A> {
    /// At most four rows of five.
    pub rows: Vec<Vec<A>>,
    /// Number of pages, this one included.
    pub pages: u8,
}

/// Buttons in a row: with five, each is wide enough for a thumb on a phone.
const BUTTONS_PER_ROW: usize = 5;

/// Puts all actions on one page, at most five in a row, with rows as even as possible.
pub fn panel_in_rows<V, A: Clone>(_view: &V, actions: &[A], _page: u8) -> ButtonPanel<A> {
    let wide = actions.len().div_ceil(actions.len().div_ceil(BUTTONS_PER_ROW).max(1)).max(1);
    ButtonPanel { rows: actions.chunks(wide).map(<[A]>::to_vec).collect(), pages: 1 }
}

/// For games whose words show the board as well as a sketch would.
pub fn no_sketch<V>(_view: &V) -> Vec<Text> {
    Vec::new()
}

/// For games where nothing is hidden.
pub fn no_revealed_deal<V, F, C>(
    _view: &V,
    _facts: Option<&[F]>,
    _deal: &C,
    _names: &[String],
) -> Option<RevealedDeal> {
    None
}

/// For games where nothing is hidden.
pub fn no_hand<V, A>(_view: &V) -> Vec<A> {
    Vec::new()
}

/// How a picture is laid out for an upright screen.
#[derive(Clone, Copy, Debug)]
pub struct UprightLayout {
    /// Lays out a picture.
    pub scene: fn(Scene) -> Scene,
    /// The place of an area of the picture.
    pub area: fn(&TouchArea) -> TouchArea,
}

/// A finished round of a game, as players want to read it before they go on.
#[derive(Clone, Debug)]
pub struct FinishedRound {
    /// Its number, from 1.
    pub number: u32,
    /// Its result, and how it was computed.
    pub texts: Vec<Text>,
}

/// For games without rounds.
pub fn no_rounds<V>(_view: &V) -> Option<FinishedRound> {
    None
}

/// For games without rounds.
pub fn no_round_points<V>(_view: &V) -> Vec<Vec<i32>> {
    Vec::new()
}

/// For games whose actions are on the picture, or move nothing.
pub fn no_paths<V, A>(_view: &V, _action: &A, _bottom_seat: Seat) -> Vec<PiecePath> {
    Vec::new()
}

/// For games that are played by buttons alone.
pub fn no_spots<V, A>(_view: &V, _actions: &[A], _bottom_seat: Seat) -> Vec<TouchSpot<A>> {
    Vec::new()
}
