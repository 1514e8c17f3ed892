//! The ladder of the levels in match points a deal; the figures are those of the module's
//! documentation.
//!
//! Measured in 200 deals each, with their 95 % intervals: easy against beginner +7.4 (5.9 to 8.8),
//! medium against easy +3.7 (1.5 to 5.8), strong against medium +4.2 (2.2 to 6.3). The last one
//! takes longest, so the test plays a quarter of its deals.
//! `cargo test -p caravanserai-games --lib ladder_tests` plays them again.

use super::super::ID;
use crate::Computer;
use crate::ladder::{Blundering, LadderStep, LadderStepResult, named};

fn against(
    first: &dyn Fn() -> Box<dyn Computer>,
    second: &'static str,
    units: u64,
) -> LadderStepResult {
    LadderStep { game: ID, first, second: &named(ID, second), units }.play()
}

/// The figures of 300 to 400 deals, in match points.
const BEGINNER: f64 = 7.2;
const EASY: f64 = 6.0;
const MEDIUM: f64 = 4.8;

#[test]
fn easy_beats_beginner_and_medium_beats_easy() {
    for (level, below, figure, margin) in
        [("easy", "beginner", BEGINNER, 3.0), ("medium", "easy", EASY, 1.0)]
    {
        let result = against(&named(ID, level), below, 200);
        assert!(result.is_above(margin), "{level}: {result:?}");
        assert!(result.agrees_with(figure), "{level}: {result:?}");
    }
}

#[test]
fn strong_is_not_weaker_than_measured() {
    let result = against(&named(ID, "strong"), "medium", 50);
    assert!(result.agrees_with(MEDIUM), "{result:?}");
}

#[test]
fn an_engine_with_a_random_action_in_thirty_is_rejected() {
    for (level, below, margin) in [("easy", "beginner", 3.0), ("medium", "easy", 1.0)] {
        let first = || -> Box<dyn Computer> {
            Box::new(Blundering { player: named(ID, level)(), one_in: 30 })
        };
        let result = against(&first, below, 200);
        assert!(!result.is_above(margin), "{level}: {result:?}");
    }
}
