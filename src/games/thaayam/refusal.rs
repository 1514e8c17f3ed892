//! Finds the most helpful reason why an action of the seat to move is not possible.

use super::action::{PiecePlace, ThaayamAction};
use super::board::{FORTRESS, INSIDE};
use super::illegal::ThaayamIllegal;
use super::position::ThaayamPosition;
use super::rules::ThaayamStage;
use super::turn::{THROWS, ThaayamTurn, ThrowUse};
use super::turn_history::TurnRecord;

/// The reason. The caller knows that the action is not legal.
pub(super) fn why(
    position: &ThaayamPosition,
    record: Option<&TurnRecord>,
    stage: &ThaayamStage,
    action: &ThaayamAction,
) -> ThaayamIllegal {
    match (stage, action) {
        (ThaayamStage::Over, _) => ThaayamIllegal::GameIsOver,
        (ThaayamStage::Throwing, _) => ThaayamIllegal::WrongStage,
        (ThaayamStage::Cup(_), _) => ThaayamIllegal::ThrowFirst,
        (ThaayamStage::Sharing { .. }, ThaayamAction::Throw) => ThaayamIllegal::AlreadyThrown,
        (ThaayamStage::Sharing { .. }, ThaayamAction::Undo) => ThaayamIllegal::NothingToUndo,
        (ThaayamStage::Sharing { .. }, ThaayamAction::Done) => ThaayamIllegal::StillToPlay,
        (ThaayamStage::Sharing { .. }, ThaayamAction::Whole(_)) => ThaayamIllegal::NoSuchEnd,
        (ThaayamStage::Sharing { turn, .. }, ThaayamAction::Use { throw, piece }) => {
            let colour = position.colour(turn.seat());
            match piece.step(colour) {
                Some(from) => play(record, turn, ThrowUse { throw: *throw, from }, *piece),
                None => ThaayamIllegal::NoPieceThere,
            }
        }
    }
}

fn play(
    record: Option<&TurnRecord>,
    turn: &ThaayamTurn,
    play: ThrowUse,
    piece: PiecePlace,
) -> ThaayamIllegal {
    if !THROWS.contains(&play.throw)
        || record.is_none_or(|record| !record.throws.contains(&play.throw))
    {
        return ThaayamIllegal::NoSuchThrow;
    }
    if turn.left().of_value(play.throw) == 0 {
        let usable = record.map_or(&[][..], |record| &record.throws[usize::from(record.lost)..]);
        let was_kept = usable.contains(&play.throw);
        return if was_kept { ThaayamIllegal::ThrowIsSpent } else { ThaayamIllegal::ThrowIsLost };
    }
    if turn.own().count(play.from) == 0 {
        return if piece == PiecePlace::Hand {
            ThaayamIllegal::NoneInHand
        } else {
            ThaayamIllegal::NoPieceThere
        };
    }
    if turn.target(play).is_some() {
        return ThaayamIllegal::MoreCouldBeUsed;
    }
    match piece {
        PiecePlace::Hand => ThaayamIllegal::EnteringNeedsOne,
        PiecePlace::Home | PiecePlace::On(_) if play.from == FORTRESS => {
            if !turn.own().is_home() {
                ThaayamIllegal::NotAllAreHome
            } else if play.throw == 1 {
                ThaayamIllegal::NotInThisTurn
            } else {
                ThaayamIllegal::BearingOffNeedsOne
            }
        }
        PiecePlace::Home | PiecePlace::On(_) => {
            let to = play.from + i8::try_from(play.throw).unwrap_or(i8::MAX);
            if to > FORTRESS {
                ThaayamIllegal::TooFar
            } else if play.from < INSIDE && to >= INSIDE && turn.is_shut() {
                ThaayamIllegal::NoKillYet
            } else {
                ThaayamIllegal::WayIsBlocked
            }
        }
    }
}
