//! What a game is written down as, and looked at by, when nobody waits for a move: records,
//! positions in writing, replays, charts.

use std::error::Error;
use std::fmt;

use super::computer::{EngineQuestion, question_from_view};
use super::definition::{GameDefinition, GameStep, RecordedMatch, StepSound};
use super::game_id::Match;
use super::table_match::TypedMatch;
use super::{ChartSample, FramePace, GameReplay};
use crate::rules::{RecordError, Rules, Seat, Token, Viewer};
use crate::scene::Scene;
use crate::text::Text;

/// What is wrong with something in writing: the value of whichever game it is, which says so in
/// plain English.
pub type GameError = Box<dyn Error + Send + Sync>;

/// Why something in writing cannot be read by a game.
#[derive(Debug)]
pub enum NotationError {
    /// There are no such house rules in this game.
    HouseRules(String),
    /// The record is wrong.
    Record(RecordError<GameError>),
    /// The position is wrong, or what a seat is said to know.
    Position(GameError),
    /// A position was given where a seat knows only its part of it.
    HandsAreHidden,
    /// What a seat knows was given where everybody knows everything.
    NothingIsHidden,
    /// Nobody has to decide anything there.
    NothingToDecide,
    /// Moves cannot be counted where chance has a say.
    NothingToCount,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotationError::HouseRules(token) => {
                return write!(f, "there are no house rules {token} in this game");
            }
            NotationError::Record(wrong) => return wrong.fmt(f),
            NotationError::Position(wrong) => return wrong.fmt(f),
            NotationError::HandsAreHidden => "hands are hidden in this game: say position seen",
            NotationError::NothingIsHidden => "nothing is hidden in this game: say position",
            NotationError::NothingToDecide => "nothing to decide",
            NotationError::NothingToCount => {
                "chance has a say in this game: there is nothing to count"
            }
        })
    }
}

impl Error for NotationError {}

impl<K: Error + Send + Sync + 'static> RecordError<K> {
    /// The same, for those who do not know which game it is.
    pub fn into_game_error(self) -> RecordError<GameError> {
        RecordError { line: self.line, kind: self.kind.into() }
    }
}

/// What is asked of a game by those who read what was written down of it.
pub trait RecordGame {
    /// Reads a record of this game; `options` overrules what it says of its own.
    ///
    /// # Errors
    /// What is wrong, with the line if one is to blame.
    fn read_record(
        &'static self,
        text: &str,
        options: Option<&str>,
    ) -> Result<GameReplay, NotationError>;
    /// A record with the position after every move, for people; `options` overrules what it says
    /// of its own.
    ///
    /// # Errors
    /// What is wrong, with the line if one is to blame.
    fn print_record(&self, text: &str, options: Option<&str>) -> Result<String, NotationError>;
    /// A game that begins with a position in writing, where nothing is hidden.
    ///
    /// # Errors
    /// What is wrong.
    fn match_from_position(
        &'static self,
        options: &str,
        seats: u8,
        text: &str,
    ) -> Result<Box<dyn Match>, NotationError>;
    /// What a seat knows, in writing, where hands are hidden; `moves` are the tokens of what was
    /// said and done.
    ///
    /// # Errors
    /// What is wrong.
    fn seat_knowledge(
        &self,
        options: &str,
        text: &str,
        moves: &[&str],
    ) -> Result<SeatKnowledge, NotationError>;
    /// In how many ways exactly so many moves can be made from a position in writing, or from the
    /// start.
    ///
    /// # Errors
    /// What is wrong, or that there is nothing to count.
    fn count_moves(
        &self,
        options: Option<&str>,
        position: Option<&str>,
        depth: u32,
    ) -> Result<u64, NotationError>;
}

/// What is asked of a game that is looked at afterwards.
pub trait RecordMatch {
    /// The pictures of a replay that belong to the last step: none, one, or several after each
    /// other, with the side of a seat below. A copy has forgotten its last step.
    fn replay_frames(
        &self,
        viewer: Viewer,
        below: Seat,
        names: &[String],
    ) -> Vec<(Scene, FramePace)>;
    /// How the last step sounds, if it does.
    fn sound(&self) -> Option<StepSound>;
    /// What the chart counts, as it stands now.
    fn chart_sample(&self) -> ChartSample;
    /// Whether the last step ended what the chart goes by: a move, a turn, a round.
    fn ends_chart_step(&self) -> bool;
    /// Whether the last step ended what hands were dealt for: everybody may see now what was held
    /// before.
    fn ends_deal(&self) -> bool;
    /// Where the game stands in writing, as far as this viewer knows it; `None` where it cannot be
    /// written.
    fn position_text(&self, viewer: Viewer) -> Option<String>;
    /// What should never change, whatever is played, and has: stones, cards or pieces that are
    /// missing or too many.
    fn check_invariants(&self) -> Option<String>;
    /// The game as a text that people and other programs can read.
    fn write_record(
        &self,
        heading: &RecordHeading,
        options: &str,
        steps: &[LoggedStep<'_>],
    ) -> String;
}

/// What a record of a finished game says besides its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHeading {
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
pub type LoggedStep<'a> = (Option<Seat>, &'a str);

/// Reads a position: house rules, seats, text.
pub type ReadPositionFn<R> = fn(&<R as Rules>::Options, u8, &str) -> Result<R, GameError>;

/// Reads what a seat knows: house rules, text, the tokens of what was said and done. Gives the
/// view, what the seat may do, and which seat it is.
pub type ReadSeatViewFn<R> =
    fn(
        &<R as Rules>::Options,
        &str,
        &[&str],
    ) -> Result<(<R as Rules>::View, Vec<<R as Rules>::Action>, Seat), GameError>;

/// How positions of a game are given besides by all steps from its beginning.
pub enum PositionFormat<R: Rules> {
    /// Nothing is hidden: the position itself.
    Position(ReadPositionFn<R>),
    /// Hands are hidden: what the seat on turn knows.
    View(ReadSeatViewFn<R>),
}

/// What a seat knows, given in writing.
pub struct SeatKnowledge {
    /// What it is asked.
    pub question: EngineQuestion,
    /// The table in words.
    pub board: Vec<Text>,
}

fn parse_options<R: Rules>(token: &str) -> Result<R::Options, NotationError> {
    R::Options::read(token).ok_or_else(|| NotationError::HouseRules(token.to_owned()))
}

impl<R: Rules> RecordGame for GameDefinition<R> {
    fn read_record(
        &'static self,
        text: &str,
        options: Option<&str>,
    ) -> Result<GameReplay, NotationError> {
        let options = options.map(parse_options::<R>).transpose()?;
        let RecordedMatch { start, names, steps, result } =
            (self.record.read_record)(text, options.as_ref()).map_err(NotationError::Record)?;
        let seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        let start = Box::new(TypedMatch::new(start, self, seats));
        let step = |step: &GameStep<R>| match step {
            GameStep::Act(seat, action) => (Some(*seat), action.write()),
            GameStep::Chance(outcome) => (None, outcome.write()),
        };
        Ok(GameReplay { start, names, result, steps: steps.iter().map(step).collect() })
    }

    fn print_record(&self, text: &str, options: Option<&str>) -> Result<String, NotationError> {
        let options = options.map(parse_options::<R>).transpose()?;
        (self.record.print_record)(text, options.as_ref()).map_err(NotationError::Record)
    }

    fn match_from_position(
        &'static self,
        options: &str,
        seats: u8,
        text: &str,
    ) -> Result<Box<dyn Match>, NotationError> {
        match self.record.position_format {
            PositionFormat::Position(place) => {
                let rules = place(&parse_options::<R>(options)?, seats, text);
                let rules = rules.map_err(NotationError::Position)?;
                Ok(Box::new(TypedMatch::new(rules, self, seats)))
            }
            PositionFormat::View(_) => Err(NotationError::HandsAreHidden),
        }
    }

    fn seat_knowledge(
        &self,
        options: &str,
        text: &str,
        moves: &[&str],
    ) -> Result<SeatKnowledge, NotationError> {
        match self.record.position_format {
            PositionFormat::Position(_) => Err(NotationError::NothingIsHidden),
            PositionFormat::View(see) => {
                let seen = see(&parse_options::<R>(options)?, text, moves);
                let (view, actions, seat) = seen.map_err(NotationError::Position)?;
                let board = (self.table.board_text)(&view);
                let asked = question_from_view::<R>(view, actions, seat)
                    .ok_or(NotationError::NothingToDecide)?;
                Ok(SeatKnowledge { question: asked, board })
            }
        }
    }

    fn count_moves(
        &self,
        options: Option<&str>,
        position: Option<&str>,
        depth: u32,
    ) -> Result<u64, NotationError> {
        let count = self.record.count_moves.ok_or(NotationError::NothingToCount)?;
        let options = options.map(parse_options::<R>).transpose()?.unwrap_or_default();
        count(&options, position, depth).map_err(NotationError::Position)
    }
}

impl<R: Rules> RecordMatch for TypedMatch<R> {
    fn replay_frames(
        &self,
        viewer: Viewer,
        below: Seat,
        names: &[String],
    ) -> Vec<(Scene, FramePace)> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let frames = (self.pack.record.replay_frames)(&self.rules.view(viewer), &self.facts);
        let drawn = |(view, pace): (R::View, FramePace)| {
            ((self.pack.table.scene)(&view, names, None, below), pace)
        };
        frames.into_iter().map(drawn).collect()
    }

    fn sound(&self) -> Option<StepSound> {
        self.facts.iter().filter_map(self.pack.record.sound).max()
    }

    fn chart_sample(&self) -> ChartSample {
        (self.pack.record.chart_sample)(&self.rules.view(Viewer::Public))
    }

    fn ends_chart_step(&self) -> bool {
        self.facts.iter().any(self.pack.record.ends_chart_step)
    }

    fn ends_deal(&self) -> bool {
        self.facts.iter().any(self.pack.record.ends_deal)
    }

    fn position_text(&self, viewer: Viewer) -> Option<String> {
        (self.pack.record.position)(&self.rules.view(viewer))
    }

    fn check_invariants(&self) -> Option<String> {
        (self.pack.record.check_invariants)(&self.rules)
    }

    fn write_record(
        &self,
        heading: &RecordHeading,
        options: &str,
        steps: &[LoggedStep<'_>],
    ) -> String {
        let options = R::Options::read(options).unwrap_or_default();
        let step = |(seat, token): &LoggedStep<'_>| match seat {
            Some(seat) => Some(GameStep::Act(*seat, R::Action::read(token)?)),
            None => Some(GameStep::Chance(R::Chance::read(token)?)),
        };
        // A log holds only tokens that could be read; should one not, the record ends before it.
        let steps: Vec<GameStep<R>> = steps.iter().map_while(step).collect();
        (self.pack.record.write_record)(heading, &options, self.seats, &steps)
    }
}
