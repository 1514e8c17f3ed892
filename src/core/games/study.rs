//! What a game is written down as, and looked at by, when nobody waits for a move: records,
//! positions in writing, replays, charts.

use super::computer::{Asked, asked};
use super::id::Match;
use super::pack::{Pack, Recorded, Step};
use super::table::{Live, below};
use super::{Pace, Replay, Standing};
use crate::rules::{Rules, Seat, Token, Viewer};
use crate::scene::Scene;
use crate::words::Text;

/// What is asked of a game by those who read what was written down of it.
pub trait StudyGame {
    /// Reads a record of this game; `options` overrules what it says of its own.
    ///
    /// # Errors
    /// One sentence, with the line if one is to blame.
    fn read_record(&'static self, text: &str, options: Option<&str>) -> Result<Replay, String>;
    /// A record with the position after every move, for people; `options` overrules what it says
    /// of its own.
    ///
    /// # Errors
    /// One sentence, with the line if one is to blame.
    fn print_record(&self, text: &str, options: Option<&str>) -> Result<String, String>;
    /// A game that begins with a position in writing, where nothing is hidden.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    fn position(
        &'static self,
        options: &str,
        seats: u8,
        text: &str,
    ) -> Result<Box<dyn Match>, String>;
    /// What a seat knows, in writing, where hands are hidden; `moves` are the tokens of what was
    /// said and done.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    fn seen(&self, options: &str, text: &str, moves: &[&str]) -> Result<Seen, String>;
    /// In how many ways exactly so many moves can be made from a position in writing, or from the
    /// start.
    ///
    /// # Errors
    /// A sentence that says what is wrong, or that there is nothing to count.
    fn count_ways(
        &self,
        options: Option<&str>,
        position: Option<&str>,
        depth: u32,
    ) -> Result<u64, String>;
}

/// What is asked of a game that is looked at afterwards.
pub trait InStudy {
    /// The pictures of a replay that belong to the last step: none, one, or several after each
    /// other. A copy has forgotten its last step.
    fn frames(&self, viewer: Viewer, names: &[String]) -> Vec<(Scene, Pace)>;
    /// What the chart counts, as it stands now.
    fn standing(&self) -> Standing;
    /// Whether the last step ended what the chart goes by: a move, a turn, a round.
    fn counts(&self) -> bool;
    /// The game as a text that people and other programs can read.
    fn record(&self, heading: &Heading, options: &str, steps: &[Logged<'_>]) -> String;
}

/// What a record of a finished game says besides its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Names by seat.
    pub names: Vec<String>,
    /// Date of the beginning, `2026.11.21`.
    pub date: String,
    /// Where it was played.
    pub site: String,
    /// Whether the game ended without being played out (resignation, agreement).
    pub result: Option<Vec<i32>>,
}

/// One step of a finished or running game as it stands in the log.
pub type Logged<'a> = (Option<Seat>, &'a str);

/// Reads a position: house rules, seats, text.
pub type Place<R> = fn(&<R as Rules>::Options, u8, &str) -> Result<R, String>;

/// Reads what a seat knows: house rules, text, the tokens of what was said and done. Gives the
/// view, what the seat may do, and which seat it is.
pub type See<R> = fn(
    &<R as Rules>::Options,
    &str,
    &[&str],
) -> Result<(<R as Rules>::View, Vec<<R as Rules>::Action>, Seat), String>;

/// How positions of a game are given besides by all steps from its beginning.
pub enum Given<R: Rules> {
    /// Nothing is hidden: the position itself.
    Position(Place<R>),
    /// Hands are hidden: what the seat on turn knows.
    View(See<R>),
}

/// What a seat knows, given in writing.
pub struct Seen {
    /// What it is asked.
    pub asked: Asked,
    /// The table in words.
    pub board: Vec<Text>,
}

fn options_of<R: Rules>(token: &str) -> Result<R::Options, String> {
    R::Options::read(token).ok_or_else(|| format!("there are no house rules {token} in this game"))
}

impl<R: Rules> StudyGame for Pack<R> {
    fn read_record(&'static self, text: &str, options: Option<&str>) -> Result<Replay, String> {
        let options = options.map(options_of::<R>).transpose()?;
        let Recorded { start, names, steps, result } = (self.study.read)(text, options.as_ref())?;
        let seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        let start = Box::new(Live::new(start, self, seats));
        let step = |step: &Step<R>| match step {
            Step::Act(seat, action) => (Some(*seat), action.write()),
            Step::Chance(outcome) => (None, outcome.write()),
        };
        Ok(Replay { start, names, result, steps: steps.iter().map(step).collect() })
    }

    fn print_record(&self, text: &str, options: Option<&str>) -> Result<String, String> {
        let options = options.map(options_of::<R>).transpose()?;
        (self.study.print)(text, options.as_ref())
    }

    fn position(
        &'static self,
        options: &str,
        seats: u8,
        text: &str,
    ) -> Result<Box<dyn Match>, String> {
        match self.study.given {
            Given::Position(place) => {
                let rules = place(&options_of::<R>(options)?, seats, text)?;
                Ok(Box::new(Live::new(rules, self, seats)))
            }
            Given::View(_) => Err("hands are hidden in this game: say position seen".to_owned()),
        }
    }

    fn seen(&self, options: &str, text: &str, moves: &[&str]) -> Result<Seen, String> {
        match self.study.given {
            Given::Position(_) => Err("nothing is hidden in this game: say position".to_owned()),
            Given::View(see) => {
                let (view, actions, seat) = see(&options_of::<R>(options)?, text, moves)?;
                let board = (self.table.board_text)(&view);
                let asked = asked::<R>(view, actions, seat).ok_or("nothing to decide")?;
                Ok(Seen { asked, board })
            }
        }
    }

    fn count_ways(
        &self,
        options: Option<&str>,
        position: Option<&str>,
        depth: u32,
    ) -> Result<u64, String> {
        let nothing = "chance has a say in this game: there is nothing to count";
        let count = self.study.count.ok_or(nothing)?;
        let options = options.map(options_of::<R>).transpose()?.unwrap_or_default();
        count(&options, position, depth)
    }
}

impl<R: Rules> InStudy for Live<R> {
    fn frames(&self, viewer: Viewer, names: &[String]) -> Vec<(Scene, Pace)> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let frames = (self.pack.study.frames)(&self.rules.view(viewer), &self.facts);
        let drawn = |(view, pace): (R::View, Pace)| {
            ((self.pack.table.scene)(&view, names, None, below(viewer)), pace)
        };
        frames.into_iter().map(drawn).collect()
    }

    fn standing(&self) -> Standing {
        (self.pack.study.standing)(&self.rules.view(Viewer::Public))
    }

    fn counts(&self) -> bool {
        self.facts.iter().any(self.pack.study.counts)
    }

    fn record(&self, heading: &Heading, options: &str, steps: &[Logged<'_>]) -> String {
        let options = R::Options::read(options).unwrap_or_default();
        let step = |(seat, token): &Logged<'_>| match seat {
            Some(seat) => Some(Step::Act(*seat, R::Action::read(token)?)),
            None => Some(Step::Chance(R::Chance::read(token)?)),
        };
        // A log holds only tokens that could be read; should one not, the record ends before it.
        let steps: Vec<Step<R>> = steps.iter().map_while(step).collect();
        (self.pack.study.record)(heading, &options, self.seats, &steps)
    }
}
