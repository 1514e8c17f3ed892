//! Positions that other programs give us in writing.

use super::computer::asked;
use super::live::Live;
use super::{Asked, Match, Pack};
use crate::rules::{Rules, Seat, Token};
use crate::words::Text;

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

fn options<R: Rules>(token: &str) -> Result<R::Options, String> {
    R::Options::read(token).ok_or_else(|| format!("there are no house rules {token}"))
}

/// A game that begins with a position.
///
/// # Errors
/// A sentence that says what is wrong.
pub(super) fn position<R: Rules>(
    pack: &'static Pack<R>,
    token: &str,
    seats: u8,
    text: &str,
) -> Result<Box<dyn Match>, String> {
    match pack.given {
        Given::Position(place) => {
            let rules = place(&options::<R>(token)?, seats, text)?;
            Ok(Box::new(Live::new(rules, pack, seats)))
        }
        Given::View(_) => Err("hands are hidden in this game: say position seen".to_owned()),
    }
}

/// What a seat knows.
///
/// # Errors
/// A sentence that says what is wrong.
pub(super) fn seen<R: Rules>(
    pack: &'static Pack<R>,
    token: &str,
    text: &str,
    moves: &[&str],
) -> Result<Seen, String> {
    match pack.given {
        Given::Position(_) => Err("nothing is hidden in this game: say position".to_owned()),
        Given::View(see) => {
            let (view, actions, seat) = see(&options::<R>(token)?, text, moves)?;
            let board = (pack.board_text)(&view);
            Ok(Seen { asked: asked::<R>(view, actions, seat).ok_or("nothing to decide")?, board })
        }
    }
}
