//! What a game brings along besides its rules: who shows it, tells of it and plays it.

use super::arena::DuelDefinition;
use super::course::Course;
use super::records::{GameError, PositionFormat, RecordHeading};
use super::{ChartSample, FramePace, GameInfo};
use crate::rules::{RecordError, Rules, Seat};
use crate::scene::{Scene, TouchSpot};
use crate::search::Player;
use crate::text::{Arg, Text};

/// The rules of a game with those who show it, tell of it and play it, by who asks for them.
pub struct GameDefinition<R: Rules> {
    /// What lobbies and menus need to know.
    pub info: &'static GameInfo,
    /// What a table shows and says.
    pub table: TableFunctions<R>,
    /// Who plays it besides people, and how strength is measured.
    pub arena: ArenaFunctions<R>,
    /// How it is written down, read again and looked at afterwards.
    pub record: RecordFunctions<R>,
    /// How it is learnt.
    pub course: Course<R>,
}

/// Lays out a view: names by seat, points by seat if the table ended the game, and the seat whose
/// side is below. The board that everybody sees has seat 0 below.
pub type DrawSceneFn<V> = fn(&V, &[String], Option<&[i32]>, Seat) -> Scene;

/// Buttons of a page: of this view, from these legal actions, page from 0.
pub type BuildPanelFn<V, A> = fn(&V, &[A], u8) -> ButtonPanel<A>;

/// Where on the picture these legal actions are, seen with the side of a seat below.
pub type FindSpotsFn<V, A> = fn(&V, &[A], Seat) -> Vec<TouchSpot<A>>;

/// What a table shows of a game and says of it. All of them are handed a view.
pub struct TableFunctions<R: Rules> {
    /// The picture. From the view of a seat in a game with hidden hands: that seat's hand.
    pub scene: DrawSceneFn<R::View>,
    /// What happened since the seat on turn decided last (at most some eight lines), score, and
    /// as the last line whose turn it is or how it ended.
    pub caption: fn(&R::View) -> Vec<Text>,
    /// What this seat has just done, in a few words, from the view of everybody: the label of its
    /// action, and what came of it.
    pub describe_action: fn(&R::View, Seat, Arg) -> Vec<Arg>,
    /// The whole board in words.
    pub board_text: fn(&R::View) -> Vec<Text>,
    /// The whole board in rows of signs, for messages that hold no picture; nothing where words
    /// show it as well.
    pub sketch: fn(&R::View) -> Vec<Text>,
    /// Why this is not possible.
    pub explain_refusal: fn(&R::View, Seat, &R::Action, R::Illegal) -> Text,
    /// The key of the text that says why, with what would be possible as its arguments.
    pub refusal_key: fn(R::Illegal) -> &'static str,
    /// What stands on the button of an action.
    pub label: fn(&R::View, &R::Action) -> Arg,
    /// Buttons for everybody's eyes, from the view and the legal actions of the seat on turn.
    /// Nothing there may tell a hidden hand.
    pub panel: BuildPanelFn<R::View, R::Action>,
    /// Where on the picture that the seat on turn sees it can touch what it may do, from its view.
    /// What is nowhere on it is left out.
    pub spots: FindSpotsFn<R::View, R::Action>,
    /// What would come of this legal action of the seat on turn, from its view, as far as its label
    /// does not say it.
    pub preview: fn(&R::View, &R::Action) -> Vec<Text>,
    /// What a seat holds, each as the play of it, legal or not, sorted as people sort.
    pub hand: fn(&R::View) -> Vec<R::Action>,
    /// Whether those who sit opposite each other play together, by these house rules.
    pub has_partners: fn(&R) -> bool,
    /// How the caption counts where the game stands, if it does: the number of a turn.
    pub turn_number: fn(&R) -> Option<u32>,
    /// What else can be read of this game.
    pub sheets: &'static [InfoSheet<R::View>],
    /// Lays open all hands of a deal that is over.
    pub reveal_deal: RevealDealFn<R>,
}

/// Lays open the hands of a deal: what everybody sees now, what the last step did (`None` when the
/// game has ended otherwise than by a step), the deal, names by seat. `None` while the deal is
/// being played.
pub type RevealDealFn<R> = fn(
    &<R as Rules>::View,
    Option<&[<R as Rules>::Fact]>,
    &<R as Rules>::Chance,
    &[String],
) -> Option<RevealedDeal>;

/// All hands of a deal as they were dealt. Made only when the deal is over.
#[derive(Clone, Debug, PartialEq)]
pub struct RevealedDeal {
    /// The hands by seat, a line each.
    pub hands: Vec<Text>,
    /// What the deal brought, in a line or two.
    pub result: Vec<Text>,
    /// All hands as something to draw.
    pub scene: Scene,
}

/// Who plays a game besides people, and how that is measured.
pub struct ArenaFunctions<R: Rules> {
    /// A computer player by name: the code of a level, or one of the opponents.
    pub player: fn(&str) -> Option<Box<dyn Player<R>>>,
    /// Names of the players that strength is measured by, besides the levels. `N` stands for a
    /// number.
    pub opponents: &'static [&'static str],
    /// So many positions the strongest level looks at in about a second on one ordinary core: the
    /// measure of thinking that must come out the same on every machine.
    pub nodes_per_second: u64,
    /// How its players learn.
    pub learning: Learning,
    /// How its players are measured.
    pub duel: DuelDefinition<R>,
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

/// What a replay shows of a view after a step: nothing, or this and how long.
pub type ReplayFramesFn<V, F> = fn(&V, &[F]) -> Vec<(V, FramePace)>;

/// Counts the ways to play on from a position in writing, or from the start, so many moves deep.
pub type CountMovesFn<R> = fn(&<R as Rules>::Options, Option<&str>, u32) -> Result<u64, GameError>;

/// How a game is written down, read again and looked at afterwards.
pub struct RecordFunctions<R: Rules> {
    /// How positions are given in writing.
    pub position_format: PositionFormat<R>,
    /// Where the game stands, or in a game with hidden hands what a seat knows of it, in the
    /// writing that [`RecordFunctions::position_format`] reads. `None` where that has no word for it.
    pub position: fn(&R::View) -> Option<String>,
    /// A text record of the steps so far, for this many seats.
    pub write_record: WriteRecordFn<R>,
    /// Reads such a record, and others that are known of this game.
    pub read_record: ReadRecordFn<R>,
    /// Such a record with the position after every move, for people.
    pub print_record: PrintRecordFn<R>,
    /// Counts ways to play on; where chance has a say there is nothing to count.
    pub count_moves: Option<CountMovesFn<R>>,
    /// Where the pictures of a replay are: of the view after a step, from what happened in it.
    /// What earlier pictures showed may be left out of the view, what the step itself has already
    /// cleared away may be put back.
    pub replay_frames: ReplayFramesFn<R::View, R::Fact>,
    /// What the chart of a game counts. Public, as a chart is.
    pub chart_sample: fn(&R::View) -> ChartSample,
    /// Whether after this the chart goes on: a move, a turn, a round is over.
    pub ends_chart_step: fn(&R::Fact) -> bool,
    /// Whether after this everybody may see what was hidden before: what hands were dealt for is
    /// over. Where nothing is hidden it is never asked.
    pub ends_deal: fn(&R::Fact) -> bool,
    /// How something that happened sounds, if it does.
    pub sound: fn(&R::Fact) -> Option<StepSound>,
    /// What never changes whatever is played, stones, cards or pieces: says what does not add up.
    pub check_invariants: fn(&R) -> Option<String>,
}

/// Learns: seed, amounts, who hears how it goes.
pub type LearnFn = fn(u64, &[u64], &mut dyn FnMut(&str)) -> Vec<u8>;

/// How what the players of a game have learned is made anew.
#[derive(Clone, Copy)]
pub struct Learning {
    /// How much of what is learned from, by name, as the file in the program was made. The same
    /// numbers and seed give the same file.
    pub amounts: fn() -> Vec<(&'static str, u64)>,
    /// Learns with a seed and these amounts, in the order above, and gives the bytes of the file.
    pub learn: LearnFn,
}

/// A game as a record tells it.
pub struct RecordedMatch<R>
where
    R: Rules,
{
    /// Before the first step.
    pub start: R,
    /// Names by seat.
    pub names: Vec<String>,
    /// Every step.
    pub steps: Vec<GameStep<R>>,
    /// Points by seat when it ended otherwise than by its rules.
    pub result: Option<Vec<i32>>,
}

/// Something to be read on demand. Its button says `sheet-<game>-<name>`.
pub struct InfoSheet<V> {
    /// The name in buttons: a few letters.
    pub name: &'static str,
    /// What stands there.
    pub text: fn(&V) -> Vec<Text>,
}

/// How a step sounds, the loudest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepSound {
    /// Something was laid, moved or said.
    Step,
    /// Chance gave something out: dice, cards.
    Deal,
    /// Something was taken.
    Capture,
}

impl StepSound {
    /// As programs read it.
    pub fn code(self) -> &'static str {
        match self {
            StepSound::Step => "step",
            StepSound::Deal => "deal",
            StepSound::Capture => "capture",
        }
    }
}

/// One step of a game.
pub enum GameStep<R: Rules> {
    /// A seat acted.
    Act(Seat, R::Action),
    /// Chance spoke.
    Chance(R::Chance),
}

/// Rows of buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButtonPanel<A> {
    /// At most four rows of five.
    pub rows: Vec<Vec<A>>,
    /// How many pages there are, this one included.
    pub pages: u8,
}

/// How many buttons stand side by side: five are wide enough for a thumb on a phone.
const BUTTONS_PER_ROW: usize = 5;

/// All actions on one page, five in a row, the rows as even as can be.
pub fn panel_in_rows<V, A: Clone>(_view: &V, actions: &[A], _page: u8) -> ButtonPanel<A> {
    let wide = actions.len().div_ceil(actions.len().div_ceil(BUTTONS_PER_ROW).max(1)).max(1);
    ButtonPanel { rows: actions.chunks(wide).map(<[A]>::to_vec).collect(), pages: 1 }
}

/// The sketch of a game that words show as well.
pub fn no_sketch<V>(_view: &V) -> Vec<Text> {
    Vec::new()
}

/// The deals of a game where nothing is hidden.
pub fn no_revealed_deal<V, F, C>(
    _view: &V,
    _facts: Option<&[F]>,
    _deal: &C,
    _names: &[String],
) -> Option<RevealedDeal> {
    None
}

/// The hand in a game where nothing is hidden.
pub fn no_hand<V, A>(_view: &V) -> Vec<A> {
    Vec::new()
}

/// The places on the picture in a game that is played by buttons alone.
pub fn no_spots<V, A>(_view: &V, _actions: &[A], _below: Seat) -> Vec<TouchSpot<A>> {
    Vec::new()
}
