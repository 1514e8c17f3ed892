//! Positions that people set up freely, part by part.
//!
//! A game lists the *parts* of a position (the stones of a pit, the square of a piece, the side to
//! move), each with its value as text. From values it makes a *draft*: a picture also of a position
//! that is not possible yet, and its written form. Only
//! [`match_from_position`](crate::records::RecordGame::match_from_position) decides whether that is
//! a position of the game.

use super::NotationError;
use super::definition::GameDefinition;
use super::records::{GameError, parse_options};
use super::table_match::TypedMatch;
use crate::rules::{Rules, Seat, Viewer};
use crate::scene::{Scene, TouchArea};
use crate::text::{Arg, Text};

/// The key of the refusal of a text that is no position in any known form; its argument `example`
/// is one.
pub(crate) const UNKNOWN_POSITION: &str = "analysis-unknown-position";

/// How positions of a game are set up.
pub struct SetupFunctions<R: Rules> {
    /// The parts of a position in their order, with the values that a view has, and their areas on
    /// the picture that has the side of a seat below.
    pub parts: fn(&R::View, Seat) -> Vec<SetupPart>,
    /// Makes a draft from house rules, number of seats, and the values of all parts in their order.
    pub draft: DraftPositionFn<R>,
    /// Explains to players why a draft, or a written position, is refused.
    pub explain_fault: fn(&GameError) -> Text,
    /// How outcomes of chance are chosen; `None` for games without chance.
    pub outcomes: Option<OutcomeParts>,
}

/// Makes a draft from house rules, number of seats and values.
pub type DraftPositionFn<R> =
    fn(&<R as Rules>::Options, u8, &[&str]) -> Result<SetupDraft<<R as Rules>::View>, GameError>;

/// A position as it is set up, which need not be possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupDraft<V> {
    /// The view for the picture.
    pub view: V,
    /// The written position.
    pub text: String,
}

/// A part of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupPart {
    /// Its name, such as `pit 4 of Ann`.
    pub label: Text,
    /// Its present value.
    pub value: String,
    /// The possible values.
    pub values: SetupValues,
    /// Its area on the picture, if it has one.
    pub at: Option<TouchArea>,
}

/// The possible values of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupValues {
    /// A whole number from 0 up to this one.
    Number(u8),
    /// One of these.
    Choice(Vec<SetupChoice>),
}

/// A possible value of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupChoice {
    /// The value.
    pub value: String,
    /// Its label.
    pub label: Arg,
    /// Its area on the picture, if it has one.
    pub at: Option<TouchArea>,
}

/// Outcomes of chance as words: some of the first parts, then one of the last. Each part is one
/// character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeParts {
    /// The parts after which another one follows.
    pub first: &'static [&'static str],
    /// The parts that end an outcome.
    pub last: &'static [&'static str],
    /// The most parts that can be chosen: longer outcomes are so rare that nobody needs them, and
    /// their actions can take minutes to compute.
    pub most: u8,
    /// The key of the refusal of a longer outcome; its argument `most` is that number.
    pub too_long: &'static str,
}

impl OutcomeParts {
    /// Refuses an outcome of more parts than can be chosen.
    ///
    /// # Errors
    /// The reason for players.
    pub fn check_length(&self, outcome: &str) -> Result<(), Text> {
        if outcome.chars().count() <= usize::from(self.most) {
            return Ok(());
        }
        Err(Text::new(self.too_long).with("most", self.most))
    }
}

/// A draft that is ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnDraft {
    /// The picture.
    pub scene: Scene,
    /// The board in words.
    pub board: Vec<Text>,
    /// All parts with their values.
    pub parts: Vec<SetupPart>,
    /// The written position.
    pub text: String,
}

/// A game whose positions can be set up, or not.
pub trait SetupGame {
    /// Whether positions of this game can be set up.
    fn has_setup(&self) -> bool;
    /// Draws a draft with the side of a seat at the bottom.
    ///
    /// # Errors
    /// When the house rules are unknown, or values are missing or not possible.
    fn draft_position(
        &self,
        options: &str,
        values: &[&str],
        bottom_seat: Seat,
        names: &[String],
    ) -> Result<DrawnDraft, NotationError>;
    /// Explains to players why a position is refused.
    fn explain_position_fault(&self, fault: &NotationError) -> Text;
    /// How outcomes of chance are chosen; `None` for games without chance.
    fn outcome_parts(&self) -> Option<OutcomeParts>;
}

/// A running game whose position can be changed.
pub trait SetupMatch {
    /// The parts of the present position, with their areas on the picture that has the side of a
    /// seat below; empty where positions cannot be set up.
    fn setup_parts(&self, bottom_seat: Seat) -> Vec<SetupPart>;
}

impl<R: Rules> SetupGame for GameDefinition<R> {
    fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    fn draft_position(
        &self,
        options: &str,
        values: &[&str],
        bottom_seat: Seat,
        names: &[String],
    ) -> Result<DrawnDraft, NotationError> {
        let Some(setup) = &self.setup else { return Err(NotationError::HandsAreHidden) };
        let options = parse_options::<R>(self.info, options)?;
        let seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        let SetupDraft { view, text } =
            (setup.draft)(&options, seats, values).map_err(NotationError::Position)?;
        Ok(DrawnDraft {
            scene: (self.table.scene)(&view, names, None, bottom_seat),
            board: (self.table.board_text)(&view),
            parts: (setup.parts)(&view, bottom_seat),
            text,
        })
    }

    fn explain_position_fault(&self, fault: &NotationError) -> Text {
        match (&self.setup, fault) {
            (Some(setup), NotationError::Position(fault)) => (setup.explain_fault)(fault),
            (_, NotationError::HouseRules(_)) => self.info.unknown_house_rule(),
            _ => Text::new("analysis-no-setup"),
        }
    }

    fn outcome_parts(&self) -> Option<OutcomeParts> {
        self.setup.as_ref().and_then(|it| it.outcomes)
    }
}

impl<R: Rules> SetupMatch for TypedMatch<R> {
    fn setup_parts(&self, bottom_seat: Seat) -> Vec<SetupPart> {
        let view = self.rules.view(Viewer::Public);
        let setup = self.definition.setup.as_ref();
        setup.map_or_else(Vec::new, |it| (it.parts)(&view, bottom_seat))
    }
}

/// The part that names the seat to move.
pub(crate) fn turn_part(turn: Option<Seat>, seats: u8) -> SetupPart {
    let choice =
        |seat: u8| SetupChoice { value: (seat + 1).to_string(), label: Arg::Seat(seat), at: None };
    SetupPart {
        label: Text::new("analysis-turn"),
        value: (turn.map_or(0, |it| it.0) + 1).to_string(),
        values: SetupValues::Choice((0..seats).map(choice).collect()),
        at: None,
    }
}

/// Reads the value of [`turn_part`].
pub(crate) fn read_turn(value: &str, seats: u8) -> Option<Seat> {
    let number = value.parse::<u8>().ok().filter(|it| (1..=seats).contains(it))?;
    Some(Seat(number - 1))
}
