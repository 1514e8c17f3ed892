//! Simple opponents to measure against, exactly as section 6 of the rule notes describes them.

use super::odds::{CHANCES, ODDS, Reach};
use super::seats::rivals;
use crate::rules::{Entropy, Seat};
use crate::thaayam::board::{FORTRESS, HAND, OFF, SAFE};
use crate::thaayam::outcomes::Outcome;
use crate::thaayam::position::{Position, square_of};
use crate::thaayam::turn::{Play, Turn};

/// A simple way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// Any legal use of any throw.
    Random,
    /// The foremost piece goes on with the largest throw.
    Runner,
    /// The end of the turn that kills most progress, else as the runner.
    Hunter,
    /// The best end of the turn by own progress and that of the rivals.
    Bold,
    /// As bold, minus what is expected to be killed before the next own turn.
    Greedy,
}

impl Plain {
    /// All of them, the weakest first.
    pub const ALL: [(&str, Plain); 5] = [
        ("random", Plain::Random),
        ("runner", Plain::Runner),
        ("hunter", Plain::Hunter),
        ("bold", Plain::Bold),
        ("greedy", Plain::Greedy),
    ];

    /// The next play; `None` when nothing can be played.
    pub fn play(self, position: &Position, turn: &Turn, entropy: &mut dyn Entropy) -> Option<Play> {
        if self != Plain::Random && turn.left().count() > super::THROWS_MAX {
            return run(turn);
        }
        match self {
            Plain::Random => {
                let plays = turn.plays();
                let count = u32::try_from(plays.as_slice().len()).ok().filter(|it| *it > 0)?;
                plays.as_slice().get(entropy.below(count) as usize).copied()
            }
            Plain::Runner => run(turn),
            Plain::Hunter => {
                let ends = turn.outcomes(super::ENDS_MAX);
                let seat = turn.seat();
                let prey = |end: &Outcome| preyed(position, seat, end);
                let own = |end: &Outcome| progress(&end.applied(position, seat), seat);
                let best = ends.into_iter().max_by_key(|end| (prey(end), own(end)))?;
                if prey(&best) == 0 {
                    return run(turn);
                }
                turn.route(&best)?.first().copied()
            }
            Plain::Bold => best_by(position, turn, bold),
            Plain::Greedy => best_by(position, turn, greedy),
        }
    }
}

fn run(turn: &Turn) -> Option<Play> {
    let plays = turn.plays();
    plays.as_slice().iter().max_by_key(|play| (play.from, play.throw)).copied()
}

/// The progress of all enemies that were killed.
fn preyed(position: &Position, seat: Seat, end: &Outcome) -> i32 {
    let after = end.applied(position, seat);
    rivals(position, seat).map(|it| progress(position, it) - progress(&after, it)).sum()
}

/// How far the pieces of a seat have come, as [`value`] counts it.
pub fn progress(position: &Position, seat: Seat) -> i32 {
    position.side(seat).steps().iter().map(|step| value(*step)).sum()
}

/// Progress of one piece: the squares gone, and something for every 1 that had to be thrown for
/// it and for being safe for good. With these figures the players are as strong against each
/// other as the rule notes measured theirs.
fn value(step: i8) -> i32 {
    match step {
        HAND => 0,
        FORTRESS => 36,
        OFF => 44,
        on => 8 + i32::from(on),
    }
}

/// Own progress minus that of the rivals.
pub fn bold(position: &Position, seat: Seat) -> f32 {
    let theirs: i32 = rivals(position, seat).map(|it| progress(position, it)).sum();
    (progress(position, seat) - theirs) as f32
}

/// The same minus what the rivals are expected to kill.
pub fn greedy(position: &Position, seat: Seat) -> f32 {
    bold(position, seat) - risk(position, seat)
}

/// The progress that the rivals are expected to kill before the next own turn.
pub fn risk(position: &Position, seat: Seat) -> f32 {
    let odds = &*ODDS;
    let path = position.colour(seat).path();
    let hunters: Vec<Reach> = rivals(position, seat).map(|it| Reach::of(position, it)).collect();
    let mut risk = 0.0;
    for step in position.side(seat).steps() {
        let Some(square) = square_of(path, *step).filter(|it| SAFE >> it & 1 == 0) else {
            continue;
        };
        let spared: f32 = hunters.iter().map(|it| 1.0 - it.chance(odds, square)).product();
        risk += (1.0 - spared) * value(*step) as f32;
    }
    risk
}

/// The first play towards the end that is worth most.
fn best_by(position: &Position, turn: &Turn, worth: fn(&Position, Seat) -> f32) -> Option<Play> {
    let ends = turn.outcomes(super::ENDS_MAX);
    let seat = turn.seat();
    let mut best: Option<(f32, Outcome)> = None;
    for end in ends {
        let worth = worth(&end.applied(position, seat), seat);
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, end));
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
