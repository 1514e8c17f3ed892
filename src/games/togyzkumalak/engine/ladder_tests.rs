//! The ladder of the levels; the figures are those of the module's documentation.
//!
//! Measured in 60 games each, share of the first player with its 95 % interval: easy against
//! beginner 90.0 % (81.3 to 98.7), medium against easy 88.3 % (80.6 to 96.0), strong against medium
//! 88.3 % (80.6 to 96.0). Planted weaker engines against medium: a search of 50 positions 45.8 %
//! (34.3 to 57.4), a random move in ten 57.5 % (47.5 to 67.5), wrong signs 9.2 % (2.3 to 16.0).
//! `cargo test -p caravanserai-games --lib ladder_tests` plays them again.

use super::super::ID;
use super::super::position::TogyzkumalakPosition;
use super::super::rules::Togyzkumalak;
use super::NetworkEvaluator;
use super::net::EARLIER_WIDTH;
use super::players::{STRONG_NODES, SearchPlayer};
use crate::ladder::{Blundering, LadderStep, LadderStepResult, Restricted, named};
use crate::search::{Board, Evaluator};
use crate::{Computer, computer};

const UNITS: u64 = 30;

fn against(first: &dyn Fn() -> Box<dyn Computer>, second: &'static str) -> LadderStepResult {
    LadderStep { game: ID, first, second: &named(ID, second), units: UNITS }.play()
}

/// The figures of 200 to 400 games.
const BEGINNER: f64 = 0.908;
const EASY: f64 = 0.910;
const MEDIUM: f64 = 0.905;

#[test]
fn each_level_beats_the_one_below_it() {
    for (level, below, figure) in
        [("easy", "beginner", BEGINNER), ("medium", "easy", EASY), ("strong", "medium", MEDIUM)]
    {
        let result = against(&named(ID, level), below);
        assert!(result.is_above(0.75), "{level}: {result:?}");
        assert!(result.agrees_with(figure), "{level}: {result:?}");
    }
}

#[test]
fn a_search_of_a_twentieth_of_the_positions_is_rejected() {
    let first = || -> Box<dyn Computer> {
        Box::new(Restricted { player: named(ID, "strong")(), nodes: 50 })
    };
    let result = against(&first, "medium");
    assert!(!result.agrees_with(MEDIUM), "{result:?}");
}

#[test]
fn an_engine_with_a_random_move_in_ten_is_rejected() {
    let first = || -> Box<dyn Computer> {
        Box::new(Blundering { player: named(ID, "strong")(), one_in: 10 })
    };
    let result = against(&first, "medium");
    assert!(!result.agrees_with(MEDIUM), "{result:?}");
}

/// Gives one position in four the wrong sign.
struct WrongSigns(NetworkEvaluator<EARLIER_WIDTH>);

impl Evaluator<TogyzkumalakPosition> for WrongSigns {
    fn score(&mut self, board: &TogyzkumalakPosition) -> i32 {
        let score = self.0.score(board);
        if board.key().is_multiple_of(4) { -score } else { score }
    }
}

#[test]
fn an_evaluation_with_wrong_signs_is_rejected() {
    let first = || -> Box<dyn Computer> {
        let evaluator = WrongSigns(NetworkEvaluator::earlier());
        computer::into_computer::<Togyzkumalak>(Box::new(SearchPlayer::new(
            evaluator,
            STRONG_NODES,
            false,
        )))
    };
    let result = against(&first, "medium");
    assert!(!result.agrees_with(MEDIUM), "{result:?}");
}
