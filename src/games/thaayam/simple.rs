//! A simple computer player: the end of the turn that brings most, minus what it risks.

use super::action::{Action, Piece};
use super::board::{Colour, FORTRESS, HAND, OFF, SAFE};
use super::outcomes::Outcome;
use super::position::{Position, square_of};
use super::turn::Turn;
use super::view::View;
use crate::rules::{Entropy, Seat};

/// More ends of a turn than this are not compared.
const ENDS_MAX: usize = 400;

/// Chances in thousandths that some of one turn's throws add up to exactly 1, 2, 3 ... (2.6).
const REACH: [i64; 20] =
    [286, 633, 571, 227, 80, 71, 65, 116, 54, 68, 68, 39, 18, 14, 13, 15, 8, 8, 8, 6];

/// Chooses among legal actions: throws, plays towards the best end, passes on, never undoes.
pub fn choose(view: &View, actions: &[Action], entropy: &mut dyn Entropy) -> Action {
    let towards = view.sharing().and_then(|turn| {
        let best = best(&view.position, turn)?;
        let play = *turn.route(&best)?.first()?;
        let piece = Piece::of(view.colour(turn.seat()), play);
        Some(Action::Use { throw: play.throw, piece })
    });
    if let Some(action) = towards.filter(|action| actions.contains(action)) {
        return action;
    }
    let plain = [Action::Throw, Action::Done];
    if let Some(action) = plain.into_iter().find(|action| actions.contains(action)) {
        return action;
    }
    let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
    actions[entropy.below(count) as usize]
}

fn best(position: &Position, turn: &Turn) -> Option<Outcome> {
    let ends = turn.outcomes(ENDS_MAX);
    ends.into_iter().max_by_key(|end| worth(position, turn.seat(), end))
}

/// Progress of the own pieces, of the killed ones, and what is at risk, in thousandths of steps.
fn worth(position: &Position, seat: Seat, end: &Outcome) -> i64 {
    let before: i64 = others(position, seat).map(|other| progress(position, other)).sum();
    let after = end.applied(position, seat);
    let left: i64 = others(&after, seat).map(|other| progress(&after, other)).sum();
    progress(&after, seat) + (before - left) - risk(&after, seat)
}

fn others(position: &Position, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
    let position = *position;
    (0..position.seats()).map(Seat).filter(move |other| !position.are_together(seat, *other))
}

fn progress(position: &Position, seat: Seat) -> i64 {
    position.side(seat).steps().iter().map(|step| value(*step)).sum()
}

/// What a piece is worth by where it stands: entering counts like some steps.
fn value(step: i8) -> i64 {
    1000 * match step {
        HAND => 0,
        FORTRESS => 36,
        OFF => 44,
        on => 8 + i64::from(on),
    }
}

/// What the others are expected to kill before the next own turn.
fn risk(position: &Position, seat: Seat) -> i64 {
    let path = position.colour(seat).path();
    let mut risk = 0;
    for step in position.side(seat).steps() {
        let Some(square) = square_of(path, *step).filter(|it| SAFE >> it & 1 == 0) else {
            continue;
        };
        let mut spared = 1000;
        for other in others(position, seat) {
            for from in position.side(other).steps() {
                spared = spared * (1000 - chance(position.colour(other), *from, square)) / 1000;
            }
        }
        risk += (1000 - spared) * value(*step) / 1000;
    }
    risk
}

/// The chance in thousandths that a piece on a step reaches a square in one turn.
fn chance(colour: Colour, from: i8, square: u8) -> i64 {
    let Some(to) = colour.step_of(square) else { return 0 };
    let at = |distance: i8| {
        usize::try_from(distance - 1).ok().and_then(|at| REACH.get(at)).copied().unwrap_or(0)
    };
    match from {
        FORTRESS | OFF => 0,
        // Entering takes a 1 first, and some of the others must do the rest.
        HAND => at(to) / 4,
        from => at(to - from),
    }
}
