//! Text records, written positions, replays and charts of games.

use std::error::Error;
use std::fmt;

use super::computer::{EngineQuestion, question_from_view};
use super::definition::{GameDefinition, GameStep, RecordedMatch, StepSound};
use super::game_id::Match;
use super::table_match::TypedMatch;
use super::{ChartSample, FramePace, GameInfo, GameReplay, switches};
use crate::rules::{RecordError, Rules, Seat, Token, Viewer};
use crate::scene::Scene;
use crate::text::Text;

/// An error of one game about a text that it read; its `Display` is plain English.
pub type GameError = Box<dyn Error + Send + Sync>;

/// The reason why a game cannot read a text.
#[derive(Debug)]
pub enum NotationError {
    /// The game has no such house rules.
    HouseRules(String),
    /// The record is wrong.
    Record(RecordError<GameError>),
    /// The position, or the knowledge of a seat, is wrong.
    Position(GameError),
    /// A full position was given, but in this game a seat knows only its own hand.
    HandsAreHidden,
    /// The knowledge of a seat was given, but in this game nothing is hidden.
    NothingIsHidden,
    /// No seat has a decision to make in this position.
    NothingToDecide,
    /// Moves cannot be counted in a game with chance.
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
            NotationError::HandsAreHidden => "hands are hidden in this game: use position seen",
            NotationError::NothingIsHidden => "nothing is hidden in this game: use position",
            NotationError::NothingToDecide => "nothing to decide",
            NotationError::NothingToCount => "moves cannot be counted in a game with chance",
        })
    }
}

impl Error for NotationError {}

impl<K: Error + Send + Sync + 'static> RecordError<K> {
    /// The same error without the type of the game.
    pub fn into_game_error(self) -> RecordError<GameError> {
        RecordError { line: self.line, kind: self.kind.into() }
    }
}

/// A game whose records and written positions can be read.
pub trait RecordGame {
    /// Reads a record of this game; `options` overrules the options in the record.
    ///
    /// # Errors
    /// The error, with its line if it has one.
    fn read_record(
        &'static self,
        text: &str,
        options: Option<&str>,
    ) -> Result<GameReplay, NotationError>;
    /// A record with the position after every move, for people; `options` overrules the options in
    /// the record.
    ///
    /// # Errors
    /// The error, with its line if it has one.
    fn print_record(&self, text: &str, options: Option<&str>) -> Result<String, NotationError>;
    /// A match that begins with a written position, in a game where nothing is hidden.
    ///
    /// # Errors
    /// The error in the text.
    fn match_from_position(
        &'static self,
        options: &str,
        seats: u8,
        text: &str,
    ) -> Result<Box<dyn Match>, NotationError>;
    /// The written knowledge of a seat, in a game with hidden hands; `moves` are the tokens of the
    /// calls and moves so far.
    ///
    /// # Errors
    /// The error in the text.
    fn seat_knowledge(
        &self,
        options: &str,
        text: &str,
        moves: &[&str],
    ) -> Result<SeatKnowledge, NotationError>;
    /// The number of move sequences of exactly this length from a written position, or from the
    /// start.
    ///
    /// # Errors
    /// The error in the text, or that there is nothing to count.
    fn count_moves(
        &self,
        options: Option<&str>,
        position: Option<&str>,
        depth: u32,
    ) -> Result<u64, NotationError>;
}

/// A match that can be replayed, charted and recorded.
pub trait RecordMatch {
    /// The replay frames of the last step: none, one, or several in order, with the side of a seat
    /// below. A copy of a match has forgotten its last step.
    fn replay_frames(
        &self,
        viewer: Viewer,
        bottom_seat: Seat,
        names: &[String],
    ) -> Vec<(Scene, FramePace)>;
    /// The sound of the last step, if it has one.
    fn sound(&self) -> Option<StepSound>;
    /// The current values for the chart.
    fn chart_sample(&self) -> ChartSample;
    /// Whether the last step ended a step of the chart: a move, a turn or a round.
    fn ends_chart_step(&self) -> bool;
    /// Whether the last step ended a deal, so that hidden hands become public.
    fn ends_deal(&self) -> bool;
    /// The position in writing, as far as this viewer knows it; `None` where the format cannot
    /// express it.
    fn position_text(&self, viewer: Viewer) -> Option<String>;
    /// Describes a violated invariant: stones, cards or pieces that are missing or too many.
    fn check_invariants(&self) -> Option<String>;
    /// The game as a text that people and other programs can read.
    fn write_record(
        &self,
        heading: &RecordHeading,
        options: &str,
        steps: &[LoggedStep<'_>],
    ) -> String;
}

/// The data of a record besides its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHeading {
    /// Names by seat.
    pub names: Vec<String>,
    /// The date on which the game began, `2026.11.21`.
    pub date: String,
    /// The site where it was played.
    pub site: String,
    /// Points by seat if the game ended without being played out (resignation, agreement).
    pub result: Option<Vec<i32>>,
}

/// One step of a finished or running game as the log has it: the seat (`None` for chance) and the
/// token.
pub type LoggedStep<'a> = (Option<Seat>, &'a str);

/// Reads a position from house rules, number of seats and text.
pub type ReadPositionFn<R> = fn(&<R as Rules>::Options, u8, &str) -> Result<R, GameError>;

/// Reads the knowledge of a seat from house rules, text and the tokens of the calls and moves so
/// far. Gives the view, the legal actions and the seat.
pub type ReadSeatViewFn<R> =
    fn(
        &<R as Rules>::Options,
        &str,
        &[&str],
    ) -> Result<(<R as Rules>::View, Vec<<R as Rules>::Action>, Seat), GameError>;

/// The format of a written position. A position can also be given by all steps from the beginning.
pub enum PositionFormat<R: Rules> {
    /// The position itself, where nothing is hidden.
    Position(ReadPositionFn<R>),
    /// The knowledge of the seat to move, where hands are hidden.
    View(ReadSeatViewFn<R>),
}

/// The knowledge of a seat that was given in writing.
pub struct SeatKnowledge {
    /// The question for a computer player on this seat.
    pub question: EngineQuestion,
    /// The table in words.
    pub board: Vec<Text>,
}

/// Reads house rules that people wrote: the switches may be in any order.
pub(super) fn parse_options<R: Rules>(
    info: &GameInfo,
    text: &str,
) -> Result<R::Options, NotationError> {
    let token = switches::canonical(text, info.switches);
    let options = R::Options::read(token.as_deref().unwrap_or(text));
    options.ok_or_else(|| NotationError::HouseRules(text.to_owned()))
}

impl<R: Rules> RecordGame for GameDefinition<R> {
    fn read_record(
        &'static self,
        text: &str,
        options: Option<&str>,
    ) -> Result<GameReplay, NotationError> {
        let options = options.map(|it| parse_options::<R>(self.info, it)).transpose()?;
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
        let options = options.map(|it| parse_options::<R>(self.info, it)).transpose()?;
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
                let rules = place(&parse_options::<R>(self.info, options)?, seats, text);
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
                let seen = see(&parse_options::<R>(self.info, options)?, text, moves);
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
        let options =
            options.map(|it| parse_options::<R>(self.info, it)).transpose()?.unwrap_or_default();
        count(&options, position, depth).map_err(NotationError::Position)
    }
}

impl<R: Rules> RecordMatch for TypedMatch<R> {
    fn replay_frames(
        &self,
        viewer: Viewer,
        bottom_seat: Seat,
        names: &[String],
    ) -> Vec<(Scene, FramePace)> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let frames = (self.definition.record.replay_frames)(&self.rules.view(viewer), &self.facts);
        let drawn = |(view, pace): (R::View, FramePace)| {
            ((self.definition.table.scene)(&view, names, None, bottom_seat), pace)
        };
        frames.into_iter().map(drawn).collect()
    }

    fn sound(&self) -> Option<StepSound> {
        self.facts.iter().filter_map(self.definition.record.sound).max()
    }

    fn chart_sample(&self) -> ChartSample {
        (self.definition.record.chart_sample)(&self.rules.view(Viewer::Public))
    }

    fn ends_chart_step(&self) -> bool {
        self.facts.iter().any(self.definition.record.ends_chart_step)
    }

    fn ends_deal(&self) -> bool {
        self.facts.iter().any(self.definition.record.ends_deal)
    }

    fn position_text(&self, viewer: Viewer) -> Option<String> {
        (self.definition.record.position)(&self.rules.view(viewer))
    }

    fn check_invariants(&self) -> Option<String> {
        (self.definition.record.check_invariants)(&self.rules)
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
        // A log holds only tokens that can be read; at any other token the record ends.
        let steps: Vec<GameStep<R>> = steps.iter().map_while(step).collect();
        (self.definition.record.write_record)(heading, &options, self.seats, &steps)
    }
}
