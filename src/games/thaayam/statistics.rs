//! Counts kills and pieces that reach the fortress, for statistics and achievements.

use super::Thaayam;
use super::board::FORTRESS;
use super::fact::ThaayamFact;
use super::turn_history::PlayedThrow;
use crate::rules::Seat;
use crate::statistics::{
    Achievement, GameCounts, PlayChoice, PlayChoiceGroup, StatisticsFunctions,
};
use crate::text::{Arg, Text};

/// Pieces of others that were killed.
const KILLED: &str = "killed";
/// Own pieces that were killed.
const LOST: &str = "lost";
/// Pieces that have reached the fortress.
const FORTRESS_REACHED: &str = "fortress";
/// Pieces that have reached the fortress before any own piece was killed.
const UNHARMED: &str = "unharmed";
/// The most pieces killed in one turn.
const IN_ONE_TURN: &str = "in-one-turn";

/// Whether the first kill of the game was that of the player …
const KILLED_FIRST: &str = "first-kill-own";
/// … or of another one.
const KILLED_LATER: &str = "first-kill-other";
/// All seats of the largest table.
const SEATS: std::ops::Range<u8> = 0..4;

/// Games by the player who was the first to kill.
const FIRST_KILLS: [PlayChoice; 2] = [
    PlayChoice { count: KILLED_FIRST, success: None },
    PlayChoice { count: KILLED_LATER, success: None },
];

fn first_kill_label(it: &PlayChoice) -> Arg {
    Text::new(match it.count {
        KILLED_FIRST => "thaayam-first-kill-own",
        _ => "thaayam-first-kill-other",
    })
    .into()
}

/// The counts and achievements.
pub(super) const STATISTICS: StatisticsFunctions<Thaayam> = StatisticsFunctions {
    count,
    takes_back: |fact| matches!(fact, ThaayamFact::Undone { .. }),
    totals: &[KILLED, LOST, FORTRESS_REACHED],
    achievements: &[
        Achievement { code: "kill", is_reached: |counts, _| counts(KILLED) > 0 },
        Achievement { code: "full-circle", is_reached: |counts, _| counts(UNHARMED) > 0 },
        Achievement { code: "two-kills", is_reached: |counts, _| counts(IN_ONE_TURN) > 1 },
    ],
    play_choices: &[PlayChoiceGroup {
        code: "first-kill",
        choices: &FIRST_KILLS,
        label: first_kill_label,
    }],
};

/// The turn in progress.
#[derive(Default)]
struct OpenTurn {
    /// The throws that were played. They count when the series ends: until then they can be taken
    /// back.
    plays: Vec<PlayedThrow>,
    /// Pieces killed in this turn.
    killed: i32,
    /// Whether a kill gives another series.
    goes_on: bool,
}

fn count(facts: &[ThaayamFact], seats: u8) -> GameCounts {
    let mut counts = GameCounts::new(seats);
    let mut turn = OpenTurn::default();
    for fact in facts {
        match fact {
            ThaayamFact::Thrown { .. } => {
                let killed = if turn.goes_on { turn.killed } else { 0 };
                turn = OpenTurn { killed, ..OpenTurn::default() };
            }
            ThaayamFact::Played { play, .. } => turn.plays.push(*play),
            ThaayamFact::Undone { throws, .. } => {
                let left = turn.plays.len().saturating_sub(usize::from(*throws));
                turn.plays.truncate(left);
            }
            ThaayamFact::KilledAtEnd { seat, killed } => {
                count_plays(&mut counts, *seat, &mut turn);
                count_kills(&mut counts, *seat, *killed, &mut turn);
            }
            ThaayamFact::Passed { seat, .. } | ThaayamFact::Finished { seat, .. } => {
                count_plays(&mut counts, *seat, &mut turn);
            }
            ThaayamFact::Again { .. } => turn.goes_on = true,
            ThaayamFact::Opened | ThaayamFact::Ended { .. } => {}
        }
    }
    counts
}

fn count_plays(counts: &mut GameCounts, seat: Seat, turn: &mut OpenTurn) {
    for play in std::mem::take(&mut turn.plays) {
        if play.from < FORTRESS && play.to >= FORTRESS {
            counts.add(seat, FORTRESS_REACHED, 1);
            if counts.get(seat, LOST) == 0 {
                counts.add(seat, UNHARMED, 1);
            }
        }
        count_kills(counts, seat, play.killed, turn);
    }
}

fn count_kills(counts: &mut GameCounts, seat: Seat, killed: [u8; 4], turn: &mut OpenTurn) {
    let has_killed = killed.iter().any(|it| *it > 0);
    if has_killed && SEATS.map(Seat).all(|it| counts.get(it, KILLED) == 0) {
        counts.add(seat, KILLED_FIRST, 1);
        SEATS.map(Seat).filter(|it| *it != seat).for_each(|it| counts.add(it, KILLED_LATER, 1));
    }
    for (victim, pieces) in (0..).map(Seat).zip(killed) {
        counts.add(victim, LOST, pieces.into());
        turn.killed += i32::from(pieces);
        counts.add(seat, KILLED, pieces.into());
    }
    counts.raise(seat, IN_ONE_TURN, turn.killed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Entropy, Node, Rules, Viewer};
    use crate::search::SeededRng;
    use crate::thaayam::ThaayamOptions;

    fn played(from: i8, to: i8, killed: [u8; 4]) -> ThaayamFact {
        let play = PlayedThrow { throw: 1, from, to, killed };
        ThaayamFact::Played { seat: Seat(0), play }
    }

    fn thrown() -> ThaayamFact {
        ThaayamFact::Thrown { seat: Seat(0), throws: vec![1], lost: 0 }
    }

    const PASSED: ThaayamFact = ThaayamFact::Passed { seat: Seat(0), unused: 0 };

    #[test]
    fn a_kill_that_was_taken_back_does_not_count() {
        let undone = ThaayamFact::Undone { seat: Seat(0), throws: 1 };
        let facts = [thrown(), played(0, 3, [0, 1, 0, 0]), undone, played(0, 2, [0; 4]), PASSED];
        let counts = count(&facts, 2);
        assert_eq!((counts.get(Seat(0), KILLED), counts.get(Seat(1), LOST)), (0, 0));
    }

    #[test]
    fn kills_of_all_series_of_a_turn_belong_together() {
        let again = ThaayamFact::Again { seat: Seat(0) };
        let kill = played(0, 3, [0, 1, 0, 0]);
        let facts = [thrown(), kill.clone(), PASSED, again, thrown(), kill.clone(), PASSED];
        assert_eq!(count(&facts, 2).get(Seat(0), IN_ONE_TURN), 2);
        let facts = [thrown(), kill.clone(), PASSED, thrown(), kill, PASSED];
        let counts = count(&facts, 2);
        assert_eq!((counts.get(Seat(0), IN_ONE_TURN), counts.get(Seat(1), LOST)), (1, 2));
    }

    #[test]
    fn the_first_kill_that_is_not_taken_back_is_that_of_one_player() {
        let undone = ThaayamFact::Undone { seat: Seat(0), throws: 1 };
        let first = [thrown(), played(0, 3, [0, 1, 0, 0]), undone, played(0, 2, [0; 4]), PASSED];
        let kill = ThaayamFact::KilledAtEnd { seat: Seat(1), killed: [1, 0, 0, 0] };
        let passed = ThaayamFact::Passed { seat: Seat(1), unused: 0 };
        let second = [thrown(), kill, passed];
        let third = [thrown(), played(0, 3, [0, 1, 0, 0]), PASSED];
        let counts = count(&[&first[..], &second, &third].concat(), 3);
        let all = |name: &str| [0, 1, 2].map(|it| counts.get(Seat(it), name));
        assert_eq!((all(KILLED_FIRST), all(KILLED_LATER)), ([0, 1, 0], [1, 0, 1]));
        let peaceful = count(&[thrown(), played(0, 2, [0; 4]), PASSED], 2);
        assert_eq!(peaceful.get(Seat(0), KILLED_FIRST) + peaceful.get(Seat(1), KILLED_LATER), 0);
    }

    #[test]
    fn a_full_circle_is_unharmed_only_before_the_first_loss() {
        let home = || [thrown(), played(22, FORTRESS, [0; 4]), PASSED];
        let killed = [0, 0, 0, 1];
        let loss = ThaayamFact::KilledAtEnd { seat: Seat(1), killed: [1, 0, 0, 0] };
        let other = |fact| [thrown(), fact, ThaayamFact::Passed { seat: Seat(1), unused: 0 }];
        let counts = count(&[home(), other(loss.clone())].concat(), 2);
        assert_eq!((counts.get(Seat(0), FORTRESS_REACHED), counts.get(Seat(0), UNHARMED)), (1, 1));
        let counts = count(&[other(loss), home()].concat(), 2);
        assert_eq!((counts.get(Seat(0), FORTRESS_REACHED), counts.get(Seat(0), UNHARMED)), (1, 0));
        let own = ThaayamFact::KilledAtEnd { seat: Seat(0), killed };
        assert_eq!(count(&[thrown(), own, PASSED], 4).get(Seat(3), LOST), 1);
    }

    #[test]
    fn counts_agree_with_the_position_at_the_end() {
        for seed in 0..60 {
            let mut entropy = SeededRng::new(seed);
            let mut game = Thaayam::start(&ThaayamOptions::default(), 4).unwrap();
            let mut facts = Vec::new();
            loop {
                match game.node() {
                    Node::Over(_) => break,
                    Node::Chance => {
                        let outcome = game.draw_chance(&mut entropy);
                        game.apply_chance(&outcome, &mut facts).unwrap();
                    }
                    Node::Act(seat) => {
                        let actions = game.actions(seat);
                        let at = entropy.below(u32::try_from(actions.len()).unwrap()) as usize;
                        game.apply_action(seat, &actions[at], &mut facts).unwrap();
                    }
                }
            }
            let counts = count(&facts, 4);
            let position = game.view(Viewer::Public).position;
            let sum = |name: &str| (0..4).map(|it| counts.get(Seat(it), name)).sum::<i32>();
            assert_eq!(sum(KILLED), sum(LOST), "seed {seed}");
            for seat in (0..4).map(Seat) {
                let steps = position.side(seat).steps();
                let arrived = steps.iter().filter(|step| **step >= FORTRESS).count();
                assert_eq!(counts.get(seat, FORTRESS_REACHED), arrived as i32, "seed {seed}");
            }
        }
    }
}
