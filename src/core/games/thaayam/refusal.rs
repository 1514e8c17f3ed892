//! Why an action of the seat on turn is not possible: the most helpful reason.

use super::action::{Action, Piece};
use super::board::{FORTRESS, INSIDE};
use super::position::Position;
use super::rules::Stage;
use super::turn::{Play, THROWS, Turn};
use super::turn_history::Told;
use crate::rules::Illegal;

/// The reason, as the key of a text. The action is known not to be legal.
pub(super) fn why(
    position: &Position,
    told: Option<&Told>,
    stage: &Stage,
    action: &Action,
) -> Illegal {
    Illegal(match (stage, action) {
        (Stage::Over, _) => "thaayam-over",
        (Stage::Throwing, _) => "thaayam-not-now",
        (Stage::Cup(_), _) => "thaayam-throw-first",
        (Stage::Sharing { .. }, Action::Throw) => "thaayam-already-thrown",
        (Stage::Sharing { .. }, Action::Undo) => "thaayam-nothing-to-undo",
        (Stage::Sharing { .. }, Action::Done) => "thaayam-still-to-play",
        (Stage::Sharing { .. }, Action::Whole(_)) => "thaayam-no-such-end",
        (Stage::Sharing { turn, .. }, Action::Use { throw, piece }) => {
            let colour = position.colour(turn.seat());
            match piece.step(colour) {
                Some(from) => play(told, turn, Play { throw: *throw, from }, *piece),
                None => "thaayam-no-piece",
            }
        }
    })
}

fn play(told: Option<&Told>, turn: &Turn, play: Play, piece: Piece) -> &'static str {
    if !THROWS.contains(&play.throw) || told.is_none_or(|told| !told.throws.contains(&play.throw)) {
        return "thaayam-no-such-throw";
    }
    if turn.left().of_value(play.throw) == 0 {
        let kept = told.map_or(&[][..], |told| &told.throws[usize::from(told.lost)..]);
        let was_kept = kept.contains(&play.throw);
        return if was_kept { "thaayam-throw-spent" } else { "thaayam-throw-lost" };
    }
    if turn.own().count(play.from) == 0 {
        return if piece == Piece::Hand { "thaayam-none-in-hand" } else { "thaayam-no-piece" };
    }
    if turn.target(play).is_some() {
        return "thaayam-use-most";
    }
    match piece {
        Piece::Hand => "thaayam-enter-needs-one",
        Piece::Home | Piece::On(_) if play.from == FORTRESS => {
            if !turn.own().is_home() {
                "thaayam-not-all-home"
            } else if play.throw == 1 {
                "thaayam-not-this-turn"
            } else {
                "thaayam-off-needs-one"
            }
        }
        Piece::Home | Piece::On(_) => {
            let to = play.from + i8::try_from(play.throw).unwrap_or(i8::MAX);
            if to > FORTRESS {
                "thaayam-exact"
            } else if play.from < INSIDE && to >= INSIDE && turn.is_shut() {
                "thaayam-kill-first"
            } else {
                "thaayam-blocked"
            }
        }
    }
}
