//! The ladder of the levels with two seats; the figures are those of the module's documentation.
//!
//! Measured in 400 games each, share of the first player with its 95 % interval: easy against
//! beginner 64.3 % (60.4 to 68.1), medium against easy 57.8 % (54.1 to 61.4), strong against medium
//! 63.3 % (59.5 to 67.0). With a random action in four: medium against easy 52.5 % (49.1 to 55.9),
//! strong against medium 48.5 % (44.7 to 52.3).
//! `cargo test -p caravanserai-games --lib ladder_tests` plays them again.

use crate::Computer;
use crate::ladder::{Blundering, LadderStep, LadderStepResult, named};
use crate::thaayam::ID;

/// Dice make games uncertain, so that many are needed.
const UNITS: u64 = 200;

fn against(first: &dyn Fn() -> Box<dyn Computer>, second: &'static str) -> LadderStepResult {
    LadderStep { game: ID, first, second: &named(ID, second), units: UNITS }.play()
}

/// The figures of 2,000 games.
const BEGINNER: f64 = 0.616;
const EASY: f64 = 0.606;
const MEDIUM: f64 = 0.607;

#[test]
fn each_level_beats_the_one_below_it() {
    for (level, below, figure) in
        [("easy", "beginner", BEGINNER), ("medium", "easy", EASY), ("strong", "medium", MEDIUM)]
    {
        let result = against(&named(ID, level), below);
        assert!(result.is_above(0.53), "{level}: {result:?}");
        assert!(result.agrees_with(figure), "{level}: {result:?}");
    }
}

#[test]
fn an_engine_with_a_random_action_in_four_is_rejected() {
    for (level, below, figure) in [("medium", "easy", EASY), ("strong", "medium", MEDIUM)] {
        let first = || -> Box<dyn Computer> {
            Box::new(Blundering { player: named(ID, level)(), one_in: 4 })
        };
        let result = against(&first, below);
        assert!(!result.is_above(0.53) || !result.agrees_with(figure), "{level}: {result:?}");
    }
}
