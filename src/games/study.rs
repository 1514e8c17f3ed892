//! What a game is written down as, and looked at by, when nobody waits for a move: records,
//! positions in writing, replays, charts.

use std::error::Error;
use std::fmt;

use super::computer::{Asked, asked};
use super::id::Match;
use super::pack::{Pack, Recorded, Sound, Step};
use super::table::Live;
use super::{Pace, Replay, Standing};
use crate::rules::{RecordError, Rules, Seat, Token, Viewer};
use crate::scene::Scene;
use crate::words::Text;

/// What is wrong with something in writing: the value of whichever game it is, which says so in
/// plain English.
pub type Cause = Box<dyn Error + Send + Sync>;

/// Why something in writing cannot be read by a game.
#[derive(Debug)]
pub enum Unreadable {
    /// There are no such house rules in this game.
    HouseRules(String),
    /// The record is wrong.
    Record(RecordError<Cause>),
    /// The position is wrong, or what a seat is said to know.
    Position(Cause),
    /// A position was given where a seat knows only its part of it.
    HandsAreHidden,
    /// What a seat knows was given where everybody knows everything.
    NothingIsHidden,
    /// Nobody has to decide anything there.
    NothingToDecide,
    /// Moves cannot be counted where chance has a say.
    NothingToCount,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::HouseRules(token) => {
                return write!(f, "there are no house rules {token} in this game");
            }
            Unreadable::Record(wrong) => return wrong.fmt(f),
            Unreadable::Position(wrong) => return wrong.fmt(f),
            Unreadable::HandsAreHidden => "hands are hidden in this game: say position seen",
            Unreadable::NothingIsHidden => "nothing is hidden in this game: say position",
            Unreadable::NothingToDecide => "nothing to decide",
            Unreadable::NothingToCount => {
                "chance has a say in this game: there is nothing to count"
            }
        })
    }
}

impl Error for Unreadable {}

impl<K: Error + Send + Sync + 'static> RecordError<K> {
    /// The same, for those who do not know which game it is.
    pub fn of_any_game(self) -> RecordError<Cause> {
        RecordError { line: self.line, kind: self.kind.into() }
    }
}

/// What is asked of a game by those who read what was written down of it.
pub trait StudyGame {
    /// Reads a record of this game; `options` overrules what it says of its own.
    ///
    /// # Errors
    /// What is wrong, with the line if one is to blame.
    fn read_record(&'static self, text: &str, options: Option<&str>) -> Result<Replay, Unreadable>;
    /// A record with the position after every move, for people; `options` overrules what it says
    /// of its own.
    ///
    /// # Errors
    /// What is wrong, with the line if one is to blame.
    fn print_record(&self, text: &str, options: Option<&str>) -> Result<String, Unreadable>;
    /// A game that begins with a position in writing, where nothing is hidden.
    ///
    /// # Errors
    /// What is wrong.
    fn position(
        &'static self,
        options: &str,
        seats: u8,
        text: &str,
    ) -> Result<Box<dyn Match>, Unreadable>;
    /// What a seat knows, in writing, where hands are hidden; `moves` are the tokens of what was
    /// said and done.
    ///
    /// # Errors
    /// What is wrong.
    fn seen(&self, options: &str, text: &str, moves: &[&str]) -> Result<Seen, Unreadable>;
    /// In how many ways exactly so many moves can be made from a position in writing, or from the
    /// start.
    ///
    /// # Errors
    /// What is wrong, or that there is nothing to count.
    fn count_ways(
        &self,
        options: Option<&str>,
        position: Option<&str>,
        depth: u32,
    ) -> Result<u64, Unreadable>;
}

/// What is asked of a game that is looked at afterwards.
pub trait InStudy {
    /// The pictures of a replay that belong to the last step: none, one, or several after each
    /// other, with the side of a seat below. A copy has forgotten its last step.
    fn frames(&self, viewer: Viewer, below: Seat, names: &[String]) -> Vec<(Scene, Pace)>;
    /// How the last step sounds, if it does.
    fn sound(&self) -> Option<Sound>;
    /// What the chart counts, as it stands now.
    fn standing(&self) -> Standing;
    /// Whether the last step ended what the chart goes by: a move, a turn, a round.
    fn counts(&self) -> bool;
    /// Whether the last step ended what hands were dealt for: everybody may see now what was held
    /// before.
    fn lays_open(&self) -> bool;
    /// Where the game stands in writing, as far as this viewer knows it; `None` where it cannot be
    /// written.
    fn position(&self, viewer: Viewer) -> Option<String>;
    /// What should never change, whatever is played, and has: stones, cards or pieces that are
    /// missing or too many.
    fn missing(&self) -> Option<String>;
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
pub type Place<R> = fn(&<R as Rules>::Options, u8, &str) -> Result<R, Cause>;

/// Reads what a seat knows: house rules, text, the tokens of what was said and done. Gives the
/// view, what the seat may do, and which seat it is.
pub type See<R> = fn(
    &<R as Rules>::Options,
    &str,
    &[&str],
) -> Result<(<R as Rules>::View, Vec<<R as Rules>::Action>, Seat), Cause>;

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

fn options_of<R: Rules>(token: &str) -> Result<R::Options, Unreadable> {
    R::Options::read(token).ok_or_else(|| Unreadable::HouseRules(token.to_owned()))
}

impl<R: Rules> StudyGame for Pack<R> {
    fn read_record(&'static self, text: &str, options: Option<&str>) -> Result<Replay, Unreadable> {
        let options = options.map(options_of::<R>).transpose()?;
        let Recorded { start, names, steps, result } =
            (self.study.read)(text, options.as_ref()).map_err(Unreadable::Record)?;
        let seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        let start = Box::new(Live::new(start, self, seats));
        let step = |step: &Step<R>| match step {
            Step::Act(seat, action) => (Some(*seat), action.write()),
            Step::Chance(outcome) => (None, outcome.write()),
        };
        Ok(Replay { start, names, result, steps: steps.iter().map(step).collect() })
    }

    fn print_record(&self, text: &str, options: Option<&str>) -> Result<String, Unreadable> {
        let options = options.map(options_of::<R>).transpose()?;
        (self.study.print)(text, options.as_ref()).map_err(Unreadable::Record)
    }

    fn position(
        &'static self,
        options: &str,
        seats: u8,
        text: &str,
    ) -> Result<Box<dyn Match>, Unreadable> {
        match self.study.given {
            Given::Position(place) => {
                let rules = place(&options_of::<R>(options)?, seats, text);
                let rules = rules.map_err(Unreadable::Position)?;
                Ok(Box::new(Live::new(rules, self, seats)))
            }
            Given::View(_) => Err(Unreadable::HandsAreHidden),
        }
    }

    fn seen(&self, options: &str, text: &str, moves: &[&str]) -> Result<Seen, Unreadable> {
        match self.study.given {
            Given::Position(_) => Err(Unreadable::NothingIsHidden),
            Given::View(see) => {
                let seen = see(&options_of::<R>(options)?, text, moves);
                let (view, actions, seat) = seen.map_err(Unreadable::Position)?;
                let board = (self.table.board_text)(&view);
                let asked = asked::<R>(view, actions, seat).ok_or(Unreadable::NothingToDecide)?;
                Ok(Seen { asked, board })
            }
        }
    }

    fn count_ways(
        &self,
        options: Option<&str>,
        position: Option<&str>,
        depth: u32,
    ) -> Result<u64, Unreadable> {
        let count = self.study.count.ok_or(Unreadable::NothingToCount)?;
        let options = options.map(options_of::<R>).transpose()?.unwrap_or_default();
        count(&options, position, depth).map_err(Unreadable::Position)
    }
}

impl<R: Rules> InStudy for Live<R> {
    fn frames(&self, viewer: Viewer, below: Seat, names: &[String]) -> Vec<(Scene, Pace)> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let frames = (self.pack.study.frames)(&self.rules.view(viewer), &self.facts);
        let drawn = |(view, pace): (R::View, Pace)| {
            ((self.pack.table.scene)(&view, names, None, below), pace)
        };
        frames.into_iter().map(drawn).collect()
    }

    fn sound(&self) -> Option<Sound> {
        self.facts.iter().filter_map(self.pack.study.sound).max()
    }

    fn standing(&self) -> Standing {
        (self.pack.study.standing)(&self.rules.view(Viewer::Public))
    }

    fn counts(&self) -> bool {
        self.facts.iter().any(self.pack.study.counts)
    }

    fn lays_open(&self) -> bool {
        self.facts.iter().any(self.pack.study.lays_open)
    }

    fn position(&self, viewer: Viewer) -> Option<String> {
        (self.pack.study.position)(&self.rules.view(viewer))
    }

    fn missing(&self) -> Option<String> {
        (self.pack.study.missing)(&self.rules)
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
