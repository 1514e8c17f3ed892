//! Plays the simple opponents that strength is measured by, exactly as section 6 of the rule notes
//! describes them.

use super::odds::{CHANCES, ODDS, Reach};
use super::seats::rivals;
use crate::rules::{Entropy, Seat};
use crate::thaayam::board::{FORTRESS, HAND, OFF, SAFE};
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::{ThaayamPosition, square_of};
use crate::thaayam::turn::{ThaayamTurn, ThrowUse};

/// A simple opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimpleOpponent {
    /// Any legal use of any throw.
    Random,
    /// The foremost piece goes on with the largest throw.
    Runner,
    /// The end of the turn that kills most progress, else as the runner.
    Hunter,
    /// The best end of the turn by own progress and that of the rivals.
    Bold,
    /// As bold, minus the expected losses before the next own turn.
    Greedy,
}

impl SimpleOpponent {
    /// All of them, the weakest first.
    pub const ALL: [(&str, SimpleOpponent); 5] = [
        ("random", SimpleOpponent::Random),
        ("runner", SimpleOpponent::Runner),
        ("hunter", SimpleOpponent::Hunter),
        ("bold", SimpleOpponent::Bold),
        ("greedy", SimpleOpponent::Greedy),
    ];

    /// The next play; `None` when nothing can be played.
    pub fn play(
        self,
        position: &ThaayamPosition,
        turn: &ThaayamTurn,
        entropy: &mut dyn Entropy,
    ) -> Option<ThrowUse> {
        if self != SimpleOpponent::Random && turn.left().count() > super::THROWS_MAX {
            return foremost_with_largest_throw(turn);
        }
        match self {
            SimpleOpponent::Random => {
                let plays = turn.plays();
                let count = u32::try_from(plays.as_slice().len()).ok().filter(|it| *it > 0)?;
                plays.as_slice().get(entropy.below(count) as usize).copied()
            }
            SimpleOpponent::Runner => foremost_with_largest_throw(turn),
            SimpleOpponent::Hunter => {
                let ends = turn.outcomes(super::ENDS_MAX);
                let seat = turn.seat();
                let killed = |end: &TurnOutcome| killed_progress(position, seat, end);
                let own = |end: &TurnOutcome| progress(&end.applied(position, seat), seat);
                let best = ends.into_iter().max_by_key(|end| (killed(end), own(end)))?;
                if killed(&best) == 0 {
                    return foremost_with_largest_throw(turn);
                }
                turn.route(&best)?.first().copied()
            }
            SimpleOpponent::Bold => best_by(position, turn, bold),
            SimpleOpponent::Greedy => best_by(position, turn, greedy),
        }
    }
}

fn foremost_with_largest_throw(turn: &ThaayamTurn) -> Option<ThrowUse> {
    let plays = turn.plays();
    plays.as_slice().iter().max_by_key(|play| (play.from, play.throw)).copied()
}

/// The progress of all enemies that were killed.
fn killed_progress(position: &ThaayamPosition, seat: Seat, end: &TurnOutcome) -> i32 {
    let after = end.applied(position, seat);
    rivals(position, seat).map(|it| progress(position, it) - progress(&after, it)).sum()
}

/// The progress of the pieces of a seat, as `value` counts it.
pub fn progress(position: &ThaayamPosition, seat: Seat) -> i32 {
    position.side(seat).steps().iter().map(|step| value(*step)).sum()
}

/// The progress of one piece: the squares that it has moved, a bonus for every 1 that it needed,
/// and one for being finally safe. With these figures the players are as strong against each other
/// as those of the rule notes.
fn value(step: i8) -> i32 {
    match step {
        HAND => 0,
        FORTRESS => 36,
        OFF => 44,
        on => 8 + i32::from(on),
    }
}

/// Own progress minus that of the rivals.
pub fn bold(position: &ThaayamPosition, seat: Seat) -> f32 {
    let theirs: i32 = rivals(position, seat).map(|it| progress(position, it)).sum();
    (progress(position, seat) - theirs) as f32
}

/// The same minus the expected kills by the rivals.
pub fn greedy(position: &ThaayamPosition, seat: Seat) -> f32 {
    bold(position, seat) - risk(position, seat)
}

/// The progress that the rivals are expected to kill before the next own turn.
pub fn risk(position: &ThaayamPosition, seat: Seat) -> f32 {
    let odds = &*ODDS;
    let path = position.colour(seat).path();
    let hunters: Vec<Reach> =
        rivals(position, seat).map(|it| Reach::from_position(position, it)).collect();
    let mut risk = 0.0;
    for step in position.side(seat).steps() {
        let Some(square) = square_of(path, *step).filter(|it| SAFE >> it & 1 == 0) else {
            continue;
        };
        let not_hit: f32 = hunters.iter().map(|it| 1.0 - it.chance(odds, square)).product();
        risk += (1.0 - not_hit) * value(*step) as f32;
    }
    risk
}

/// The first play towards the end with the highest value.
fn best_by(
    position: &ThaayamPosition,
    turn: &ThaayamTurn,
    value_of: fn(&ThaayamPosition, Seat) -> f32,
) -> Option<ThrowUse> {
    let ends = turn.outcomes(super::ENDS_MAX);
    let seat = turn.seat();
    let mut best: Option<(f32, TurnOutcome)> = None;
    for end in ends {
        let value = value_of(&end.applied(position, seat), seat);
        if best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, end));
        }
    }
    turn.route(&best?.1)?.first().copied()
}

/// A series of throws drawn fairly, as [`crate::thaayam::Series::draw`] does.
pub fn draw(entropy: &mut dyn Entropy, throws: &mut Vec<u8>) {
    throws.clear();
    while !matches!(throws.last(), Some(2 | 3)) {
        let mut at = entropy.below(16) as u8;
        let hit = CHANCES.iter().find(|(_, sixteenths)| {
            let here = at < *sixteenths;
            at = at.saturating_sub(*sixteenths);
            here
        });
        throws.push(hit.map_or(2, |(throw, _)| *throw));
    }
}
