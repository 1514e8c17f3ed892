//! Speed of the Togyzkumalak board, beside the best public figures (rule notes, section 8).
//!
//! Criterion's "elem/s" are random moves, perft leaves and folded moves a second.

use std::hint::black_box;

use caravanserai::games::togyzkumalak::{Position, Sow, Togyzkumalak, Variant};
use caravanserai::rules::{Node, Rules, Seat, Token};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Best public program: 8.47 million random moves a second. Floor here: 25 million.
fn random_moves(c: &mut Criterion) {
    let mut group = c.benchmark_group("random moves (public 8.47 Melem/s, floor 25)");
    let games = 2_000;
    let moves: u64 = play_random_games(games, 7);
    group.throughput(Throughput::Elements(moves));
    group.bench_function("whole games", |b| b.iter(|| play_random_games(black_box(games), 7)));
    group.finish();
}

/// Best public program with the last ply counted in bulk: 264 million leaves a second. Floor
/// here: 300 million.
fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft (public 264 Melem/s, floor 300)");
    let start = Position::start(Variant::Seed);
    group.throughput(Throughput::Elements(25_166_174));
    group.sample_size(10);
    group.bench_function("depth 8", |b| {
        b.iter(|| assert_eq!(black_box(start).perft(8), 25_166_174));
    });
    group.finish();
}

/// A table is a fold of its log: 300 moves in less than 50 microseconds.
fn fold(c: &mut Criterion) {
    let log = log_of_300_moves();
    let mut group = c.benchmark_group("fold 300 moves (floor 50 us)");
    group.throughput(Throughput::Elements(300));
    group.bench_function("read and act", |b| b.iter(|| fold_log(black_box(&log))));
    group.finish();
}

fn play_random_games(games: u32, seed: u64) -> u64 {
    let mut random = seed;
    let mut moves = 0;
    for _ in 0..games {
        let mut position = Position::start(Variant::Seed);
        while !position.is_over() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let n = ((random >> 32) * u64::from(position.moves_len())) >> 32;
            position.play(position.nth_move(n as u8));
            moves += 1;
        }
    }
    moves
}

/// A random game of 300 moves at least, cut there.
fn log_of_300_moves() -> Vec<(Seat, String)> {
    for seed in 0.. {
        let mut random = seed;
        let mut log = Vec::new();
        let mut game = Togyzkumalak::start(&Variant::Seed, 2).expect("two seats");
        while let Node::Act(seat) = game.node() {
            let actions = game.actions(seat);
            random = u64::wrapping_mul(random, 6_364_136_223_846_793_005).wrapping_add(1);
            let action = actions[(random >> 33) as usize % actions.len()];
            game.act(seat, &action, &mut Vec::new()).expect("it is legal");
            log.push((seat, action.write()));
            if log.len() == 300 {
                return log;
            }
        }
    }
    unreachable!("some random game is long enough")
}

fn fold_log(log: &[(Seat, String)]) -> Togyzkumalak {
    let mut game = Togyzkumalak::start(&Variant::Seed, 2).expect("two seats");
    let mut facts = Vec::new();
    for (seat, token) in log {
        facts.clear();
        let action = Sow::read(token).expect("a token of the log");
        game.act(*seat, &action, &mut facts).expect("a move of the log");
    }
    game
}

criterion_group!(benches, random_moves, perft, fold);
criterion_main!(benches);
