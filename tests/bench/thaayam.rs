//! Measures the speed of Thaayam: all distinct ends of the turns of recorded games, and random
//! play.
//!
//! Criterion's "elem/s" are enumerated turns and random turns per second.

use std::hint::black_box;

use caravanserai_games::rules::{Entropy, Seat};
use caravanserai_games::search::{ComputerLevel, SeededRng, ThinkBudget};
use caravanserai_games::thaayam::action::draw_throw;
use caravanserai_games::thaayam::engine::choice::{LevelStyle, choose};
use caravanserai_games::thaayam::engine::evaluator::Evaluator;
use caravanserai_games::thaayam::{ThaayamOptions, ThaayamPosition, ThaayamTurn};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

/// The turns of the recorded games after their throws.
fn recorded_turns() -> Vec<(ThaayamPosition, ThaayamTurn)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cases/thaayam_games.jsonl");
    let text = std::fs::read_to_string(path).expect("the recorded games");
    let mut turns = Vec::new();
    for line in text.lines() {
        let game: Value = serde_json::from_str(line).expect("a game");
        let seats = game["seats"].as_array().expect("seats");
        let seats_len = u8::try_from(seats.len()).expect("a few");
        let options = ThaayamOptions::default();
        let mut position = ThaayamPosition::start(options, seats_len).expect("a game for so many");
        for turn in game["turns"].as_array().expect("turns") {
            let mover = seats.iter().position(|it| *it == turn["p"]).expect("a seat");
            let seat = Seat(u8::try_from(mover).expect("a few"));
            let throws = turn["th"].as_array().expect("throws").iter();
            let small = |it: &Value| it.as_u64().and_then(|it| u8::try_from(it).ok());
            let throws: Vec<u8> = throws.map(|it| small(it).expect("small")).collect();
            turns.push((position, ThaayamTurn::new(&position, seat, &throws)));
            let after = turn["st"].as_str().expect("a state");
            position = ThaayamPosition::read(options, after).expect("a state");
        }
    }
    turns
}

/// Floor: 5 microseconds per turn, that is 0.2 million turns per second.
fn all_ends(c: &mut Criterion) {
    let turns = recorded_turns();
    let mut group = c.benchmark_group("all distinct ends (floor 0.2 Melem/s)");
    group.throughput(Throughput::Elements(turns.len() as u64));
    group.bench_function("turns of 200 recorded games", |b| {
        b.iter(|| {
            let ends = turns.iter().map(|(_, turn)| black_box(turn).outcomes(usize::MAX).len());
            ends.sum::<usize>()
        });
    });
    group.finish();
}

/// Floor: 20 ms for the median turn. The turns of recorded games in which there is a choice.
fn turns_of_master(c: &mut Criterion) {
    let choices = |turn: &ThaayamTurn| (2..=8).contains(&turn.outcomes(8).len());
    let turns: Vec<(ThaayamPosition, ThaayamTurn)> =
        recorded_turns().into_iter().filter(|(_, turn)| choices(turn)).step_by(40).collect();
    let style = LevelStyle::for_level(ComputerLevel::Master);
    let evaluator = Evaluator::new(None);
    let mut group = c.benchmark_group("turns of master (floor 50 elem/s)");
    group.throughput(Throughput::Elements(turns.len() as u64));
    group.sample_size(10);
    group.bench_function("with a choice", |b| {
        b.iter(|| {
            let mut rng = SeededRng::new(1);
            let nodes = turns.iter().map(|(position, turn)| {
                let ends = black_box(turn).outcomes(400);
                choose((style, &evaluator), position, turn, &ends, &ThinkBudget::OF_LEVEL, &mut rng)
            });
            nodes.flatten().map(|it| it.nodes).sum::<u64>()
        });
    });
    group.finish();
}

/// Floor: 1 million random turns per second.
fn random_turns(c: &mut Criterion) {
    let mut group = c.benchmark_group("random turns (floor 1 Melem/s)");
    let games = 200;
    group.throughput(Throughput::Elements(play_random_games(games, 7)));
    group.bench_function("whole games of four", |b| {
        b.iter(|| play_random_games(black_box(games), 7));
    });
    group.finish();
}

/// A linear congruential generator is enough here.
struct Fast(u64);

impl Entropy for Fast {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

fn play_random_games(games: u32, seed: u64) -> u64 {
    let mut random = Fast(seed);
    let mut turns = 0;
    let mut throws = Vec::new();
    for _ in 0..games {
        let mut position =
            ThaayamPosition::start(ThaayamOptions::default(), 4).expect("four can play");
        for seat in (0..4).cycle().map(Seat) {
            throws.clear();
            while !matches!(throws.last(), Some(2 | 3)) {
                throws.push(draw_throw(&mut random));
            }
            let mut turn = ThaayamTurn::new(&position, seat, &throws);
            while !turn.is_done() {
                let plays = turn.plays();
                let plays = plays.as_slice();
                if plays.is_empty() {
                    break;
                }
                let play = plays[random.below(plays.len() as u32) as usize];
                turn = turn.after(play).expect("a play of the list");
            }
            position = turn.end(position).0;
            turns += 1;
            if turn.is_done() {
                break;
            }
        }
    }
    turns
}

criterion_group!(benches, all_ends, random_turns, turns_of_master);
criterion_main!(benches);
