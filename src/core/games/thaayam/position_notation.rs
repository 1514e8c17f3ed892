//! Positions between turns in writing, for other programs that ask ours.
//!
//! `----/aabF 2 killed=1`: the pieces of every seat in playing order as
//! [`Position::write`] puts them, the seat on turn from 1, and where the house rules need a kill
//! for the inner track, who has killed.

use super::board::SAFE;
use super::options::Options;
use super::position::{Position, square_of};
use super::rules::Thaayam;
use crate::rules::Seat;

/// Reads a position for so many seats; chance throws next.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read(options: &Options, seats: u8, text: &str) -> Result<Thaayam, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (pieces, turn, killed) = match words[..] {
        [pieces, turn] => (pieces, turn, ""),
        [pieces, turn, killed] => {
            let list = killed.strip_prefix("killed=");
            (pieces, turn, list.ok_or("who has killed is said by killed=1,3")?)
        }
        _ => return Err(format!("\"{text}\" is not a position such as ----/aabF 2")),
    };
    let seat = |text: &str| {
        let number = text.parse::<u8>().ok().filter(|it| (1..=seats).contains(it));
        number.map(|it| Seat(it - 1)).ok_or(format!("{text} is not a seat from 1 to {seats}"))
    };
    let mut position = Position::read(*options, pieces)
        .filter(|it| it.seats() == seats)
        .ok_or(format!("{pieces} are not the pieces of {seats} seats by these rules"))?;
    for killer in killed.split(',').filter(|it| !it.is_empty()) {
        position = position.with_killer(seat(killer)?);
    }
    let turn = seat(turn)?;
    if (0..seats).map(Seat).any(|it| position.is_done(it)) {
        return Err("somebody has finished already".to_owned());
    }
    for seat in (0..seats).map(Seat) {
        let path = position.colour(seat).path();
        let squares = position.side(seat).steps().iter().filter_map(|it| square_of(path, *it));
        let own = squares.fold(0u32, |all, square| all | 1 << square) & !SAFE;
        if own & position.enemies(seat) != 0 {
            return Err("enemies stand together outside the palaces".to_owned());
        }
    }
    Ok(Thaayam::from_position(position, turn))
}
