//! Written positions between turns, for other programs that use the engine.
//!
//! `----/aabF 2 killed=1`: the pieces of every seat in playing order, as [`ThaayamPosition::write`]
//! writes them; the seat to move, from 1; and, where the house rules need a kill for the inner
//! track, the seats that have killed.

use super::board::SAFE;
use super::notation_errors::ThaayamPositionFault;
use super::options::ThaayamOptions;
use super::position::{ThaayamPosition, square_of};
use super::rules::Thaayam;
use super::view::{ThaayamView, ThaayamViewStage};
use crate::rules::Seat;

/// Reads a position for this number of seats; chance throws next.
///
/// # Errors
/// The error in the text.
pub fn read(
    options: &ThaayamOptions,
    seats: u8,
    text: &str,
) -> Result<Thaayam, ThaayamPositionFault> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (pieces, turn, killed) = match words[..] {
        [pieces, turn] => (pieces, turn, ""),
        [pieces, turn, killed] => {
            let list = killed.strip_prefix("killed=");
            (pieces, turn, list.ok_or(ThaayamPositionFault::NoKillers)?)
        }
        _ => return Err(ThaayamPositionFault::Unknown(text.to_owned())),
    };
    let seat = |text: &str| {
        let number = text.parse::<u8>().ok().filter(|it| (1..=seats).contains(it));
        let seat = number.map(|it| Seat(it - 1));
        seat.ok_or_else(|| ThaayamPositionFault::NoSeat { text: text.to_owned(), seats })
    };
    let mut position = ThaayamPosition::read(*options, pieces)
        .filter(|it| it.seats() == seats)
        .ok_or_else(|| ThaayamPositionFault::Pieces { text: pieces.to_owned(), seats })?;
    for killer in killed.split(',').filter(|it| !it.is_empty()) {
        position = position.with_killer(seat(killer)?);
    }
    let turn = seat(turn)?;
    if (0..seats).map(Seat).any(|it| position.is_done(it)) {
        return Err(ThaayamPositionFault::PlayerFinished);
    }
    if (0..seats).map(Seat).any(|it| position.is_inside_too_early(it)) {
        return Err(ThaayamPositionFault::InsideWithoutKill);
    }
    for seat in (0..seats).map(Seat) {
        let path = position.colour(seat).path();
        let squares = position.side(seat).steps().iter().filter_map(|it| square_of(path, *it));
        let own = squares.fold(0u32, |all, square| all | 1 << square) & !SAFE;
        if own & position.enemies(seat) != 0 {
            return Err(ThaayamPositionFault::EnemiesTogether);
        }
    }
    Ok(Thaayam::from_position(position, turn))
}

/// Writes the text that [`read`] reads. `None` when the game is over, and from the throws of a turn
/// to its end: the text has no place for throws, so it would be another position.
pub fn write(view: &ThaayamView) -> Option<String> {
    let is_between_turns = view.stage == ThaayamViewStage::Throwing;
    let turn = view.turn.filter(|_| is_between_turns)?.0 + 1;
    let position = &view.position;
    let killers = view.seats().filter(|seat| position.has_killed(*seat));
    let killers: Vec<String> = killers.map(|seat| (seat.0 + 1).to_string()).collect();
    let killed =
        if killers.is_empty() { String::new() } else { format!(" killed={}", killers.join(",")) };
    Some(format!("{} {turn}{killed}", position.write()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, Token, Viewer};
    use crate::thaayam::action::{Series, ThaayamAction};

    #[test]
    fn only_positions_between_turns_are_written() {
        let mut game = read(&ThaayamOptions::default(), 2, "----/aabF 2").unwrap();
        let text = |game: &Thaayam| write(&game.view(Viewer::Public));
        assert_eq!(text(&game).as_deref(), Some("----/aabF 2"));
        let mut facts = Vec::new();
        game.apply_chance(&Series::read("3").unwrap(), &mut facts).unwrap();
        assert_eq!(text(&game), None, "the dice are under the cup");
        game.apply_action(Seat(1), &ThaayamAction::Throw, &mut facts).unwrap();
        assert_eq!(text(&game), None, "a throw is left");
        let play = game.actions(Seat(1))[0];
        game.apply_action(Seat(1), &play, &mut facts).unwrap();
        while let Some(forced) = game.forced_action() {
            game.apply_action(Seat(1), &forced, &mut facts).unwrap();
        }
        let end = game.actions(Seat(1));
        if end.contains(&ThaayamAction::Done) {
            game.apply_action(Seat(1), &ThaayamAction::Done, &mut facts).unwrap();
        }
        assert!(text(&game).is_some_and(|it| it.ends_with(" 1")), "{:?}", text(&game));
    }
}
