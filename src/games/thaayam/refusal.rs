//! Why an action of the seat on turn is not possible: the most helpful reason.

use super::action::{Action, Piece};
use super::board::{FORTRESS, INSIDE};
use super::illegal::Illegal;
use super::position::Position;
use super::rules::Stage;
use super::turn::{Play, THROWS, Turn};
use super::turn_history::Told;

/// The reason. The action is known not to be legal.
pub(super) fn why(
    position: &Position,
    told: Option<&Told>,
    stage: &Stage,
    action: &Action,
) -> Illegal {
    match (stage, action) {
        (Stage::Over, _) => Illegal::GameIsOver,
        (Stage::Throwing, _) => Illegal::DiceAreRolling,
        (Stage::Cup(_), _) => Illegal::ThrowFirst,
        (Stage::Sharing { .. }, Action::Throw) => Illegal::AlreadyThrown,
        (Stage::Sharing { .. }, Action::Undo) => Illegal::NothingToUndo,
        (Stage::Sharing { .. }, Action::Done) => Illegal::StillToPlay,
        (Stage::Sharing { .. }, Action::Whole(_)) => Illegal::NoSuchEnd,
        (Stage::Sharing { turn, .. }, Action::Use { throw, piece }) => {
            let colour = position.colour(turn.seat());
            match piece.step(colour) {
                Some(from) => play(told, turn, Play { throw: *throw, from }, *piece),
                None => Illegal::NoPieceThere,
            }
        }
    }
}

fn play(told: Option<&Told>, turn: &Turn, play: Play, piece: Piece) -> Illegal {
    if !THROWS.contains(&play.throw) || told.is_none_or(|told| !told.throws.contains(&play.throw)) {
        return Illegal::NoSuchThrow;
    }
    if turn.left().of_value(play.throw) == 0 {
        let kept = told.map_or(&[][..], |told| &told.throws[usize::from(told.lost)..]);
        let was_kept = kept.contains(&play.throw);
        return if was_kept { Illegal::ThrowIsSpent } else { Illegal::ThrowIsLost };
    }
    if turn.own().count(play.from) == 0 {
        return if piece == Piece::Hand { Illegal::NoneInHand } else { Illegal::NoPieceThere };
    }
    if turn.target(play).is_some() {
        return Illegal::MoreCouldBeUsed;
    }
    match piece {
        Piece::Hand => Illegal::EnteringNeedsOne,
        Piece::Home | Piece::On(_) if play.from == FORTRESS => {
            if !turn.own().is_home() {
                Illegal::NotAllAreHome
            } else if play.throw == 1 {
                Illegal::NotInThisTurn
            } else {
                Illegal::BearingOffNeedsOne
            }
        }
        Piece::Home | Piece::On(_) => {
            let to = play.from + i8::try_from(play.throw).unwrap_or(i8::MAX);
            if to > FORTRESS {
                Illegal::TooFar
            } else if play.from < INSIDE && to >= INSIDE && turn.is_shut() {
                Illegal::NoKillYet
            } else {
                Illegal::WayIsBlocked
            }
        }
    }
}
