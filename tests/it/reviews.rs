//! Reviews of games between strong players find where these games turned: five games of the
//! championship of Kazakhstan, Kyzylorda, January 2022, as far as they were written down.
//!
//! The reference says what each move cost when far more positions are looked at, for every move
//! by itself and with nothing remembered from the others; what cost much, once more with fewer
//! positions: a turning point is where both agree. It was made by
//! `cargo test --release --test it -- --ignored the_reference_of_reviews_is_made_anew`, which
//! writes `tests/data/games/falls.txt`: game, move, chances before and after in thousandths, and
//! what the second search says that the move cost.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use caravanserai_bot::workers::game_analysis::{AnalysisEffort, GameAnalysis, judge_decision};
use caravanserai_games::{GameId, togyzkumalak};
use caravanserai_table::review::{GameDecision, decisions, largest_falls};

/// Positions for the best move and for the one that was played, each.
const REFERENCE: u64 = 1_500_000;

/// The same for the second opinion, and from which fall on it is asked for, in thousandths.
const SECOND: u64 = 600_000;
const ASKED_FROM: u16 = 50;

/// A fall that no review may miss, in thousandths.
const TURNED: u16 = 100;

/// So far may a review and the reference be apart in what a move cost, in thousandths.
const APART: u16 = 50;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/games")
}

/// The decisions of a recorded game.
fn turns(name: &str) -> Vec<GameDecision> {
    let text = std::fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    let game: GameId = togyzkumalak::ID;
    let replay = game.read_record(&text, None).unwrap();
    let steps = replay.steps.iter();
    decisions(replay.start.clone_box(), steps.map(|(seat, token)| (seat.map(|it| it.0), &**token)))
}

const GAMES: [&str; 5] = [
    "batyrbek-zkriyayev",
    "kabiyev-bostandykov",
    "kabiyev-kaiyrzhanov",
    "kaidarov-daken",
    "temirbayev-aitbayev",
];

#[test]
#[ignore = "takes minutes: only to make the reference again"]
fn the_reference_of_reviews_is_made_anew() {
    let mut text = String::new();
    for name in GAMES {
        let mut computer = togyzkumalak::ID.computer("master").unwrap();
        let mut judged = |turn: &GameDecision, nodes| {
            computer.forget();
            judge_decision(&mut *computer, turn, nodes, &AtomicBool::new(false))
        };
        for turn in turns(name) {
            let first = judged(&turn, REFERENCE);
            if let Some(it) = first.filter(|it| it.chance_drop() >= ASKED_FROM) {
                let second = judged(&turn, SECOND).unwrap().chance_drop();
                let (number, before, after) = (turn.step + 1, it.before, it.after);
                writeln!(text, "{name} {number} {before} {after} {second}").unwrap();
            }
        }
    }
    std::fs::write(folder().join("falls.txt"), text).unwrap();
}

/// What moves cost by the reference at least, by their numbers.
fn reference(name: &str) -> HashMap<u32, u16> {
    let text = std::fs::read_to_string(folder().join("falls.txt")).unwrap();
    let own = text.lines().map(|it| it.split(' ').collect::<Vec<_>>());
    own.filter(|it| it[0] == name)
        .map(|it| {
            let numbers = [1, 2, 3, 4].map(|n| it[n].parse::<u16>().unwrap());
            let [number, before, after, second] = numbers;
            (u32::from(number), second.min(before - after))
        })
        .collect()
}

/// The moves that a review names with what each cost, the first first.
fn named(name: &str) -> Vec<(u32, u16)> {
    let stop = AtomicBool::new(false);
    let mut study = GameAnalysis::new(togyzkumalak::ID, turns(name)).unwrap();
    while study.analyse_next(&stop) {}
    let (turns, verdicts) = study.verdicts();
    let fall = |n: usize| (turns[n].step + 1, verdicts[n].as_ref().unwrap().chance_drop());
    largest_falls(turns, verdicts).into_iter().map(fall).collect()
}

fn every_turning_point_is_named(name: &str) {
    let (named, reference) = (named(name), reference(name));
    println!("{name}: {named:?}");
    let mut turned: Vec<_> = reference.iter().filter(|(_, fall)| **fall >= TURNED).collect();
    turned.sort_by_key(|(_, fall)| std::cmp::Reverse(**fall));
    println!("{name}: {turned:?}");
    assert!(named.is_sorted_by(|a, b| a.1 >= b.1), "the largest fall first: {named:?}");
    for (number, fall) in &turned {
        let found = named.iter().any(|(it, _)| it == *number);
        assert!(found, "move {number} cost {fall}: {named:?}");
    }
    // Two that cost the same may change places.
    if let Some((_, most)) = turned.first() {
        let first = reference.get(&named[0].0).copied().unwrap_or(0);
        assert!(first + APART >= **most, "{named:?} begins with {first}, not {most}");
    }
}

#[test]
fn a_review_names_where_batyrbek_and_zkriyayev_turned() {
    every_turning_point_is_named("batyrbek-zkriyayev");
}

#[test]
fn a_review_names_where_kabiyev_and_bostandykov_turned() {
    every_turning_point_is_named("kabiyev-bostandykov");
}

#[test]
fn a_review_names_where_kaidarov_and_daken_turned() {
    every_turning_point_is_named("kaidarov-daken");
}

#[test]
fn a_review_names_where_temirbayev_and_aitbayev_turned() {
    every_turning_point_is_named("temirbayev-aitbayev");
}

#[test]
fn the_same_game_always_turned_at_the_same_moves() {
    every_turning_point_is_named("kabiyev-kaiyrzhanov");
    assert_eq!(named("kabiyev-kaiyrzhanov"), named("kabiyev-kaiyrzhanov"));
}

#[test]
fn long_games_take_hardly_longer_than_short_ones() {
    let glance = |turns| AnalysisEffort::for_game(togyzkumalak::ID, turns).glance;
    assert!(glance(20) > glance(100) && glance(100) > glance(400));
    for turns in [4, 50, 100, 200, 400] {
        assert!(
            AnalysisEffort::expected_ms(turns) <= 5_000,
            "{turns} decisions: {} ms",
            AnalysisEffort::expected_ms(turns)
        );
    }
}
