//! Measures the speed of the Togyzkumalak board and compares it with the best public figures (rule
//! notes, section 8).
//!
//! Criterion's "elem/s" are random moves, perft leaves, folded moves and, for the searches,
//! searched positions: every move that is made on a board counts as one.

use std::hint::black_box;

use caravanserai_games::rules::{Node, Rules, Seat, Token, Viewer};
use caravanserai_games::search::{PlainSearch, PlayerQuestion, SeededRng, ThinkBudget};
use caravanserai_games::togyzkumalak::engine::{counting_evaluator, player};
use caravanserai_games::togyzkumalak::{Sow, Togyzkumalak, TogyzkumalakPosition, Variant};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Best public program: 8.47 million random moves per second. Floor here: 25 million.
fn random_moves(c: &mut Criterion) {
    let mut group = c.benchmark_group("random moves (public 8.47 Melem/s, floor 25)");
    let games = 2_000;
    let moves: u64 = play_random_games(games, 7);
    group.throughput(Throughput::Elements(moves));
    group.bench_function("whole games", |b| b.iter(|| play_random_games(black_box(games), 7)));
    group.finish();
}

/// Best public program with the last ply counted in bulk: 264 million leaves per second. Floor
/// here: 300 million.
fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft (public 264 Melem/s, floor 300)");
    let start = TogyzkumalakPosition::start(Variant::Seed);
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

/// Textbook alpha-beta without table or reductions, every leaf evaluated: a plain C program
/// searches 10 million positions per second. Floor here: 20 million.
fn plain_search(c: &mut Criterion) {
    let positions = openings(20);
    let nodes = plain_nodes(&positions);
    let mut group = c.benchmark_group("plain search (a C program 10 Melem/s, floor 20)");
    group.throughput(Throughput::Elements(nodes)).sample_size(10);
    group.bench_function("depth 10", |b| {
        b.iter(|| assert_eq!(plain_nodes(black_box(&positions)), nodes));
    });
    group.finish();
}

fn plain_nodes(positions: &[TogyzkumalakPosition]) -> u64 {
    let mut search = PlainSearch::new(counting_evaluator::plain);
    for position in positions {
        black_box(search.best(position, position.moves().into(), 10));
    }
    search.nodes()
}

/// One answer of the strongest level with its own effort, after clearing its tables.
fn master(c: &mut Criterion) {
    let mut computer = player("master").expect("a level");
    let mut think = |position: &TogyzkumalakPosition| {
        let game = Togyzkumalak::from_position(*position);
        let (view, actions) = (game.view(Viewer::Public), game.actions(Seat(position.side())));
        let budget = ThinkBudget::OF_LEVEL;
        let question = PlayerQuestion { view: &view, actions: &actions, budget: &budget };
        computer.forget();
        computer.think(&question, &mut SeededRng::new(1), &mut |_| ()).nodes
    };
    let position = openings(1)[0];
    let nodes = think(&position);
    let mut group = c.benchmark_group("master, one move (floor 1 s)");
    group.throughput(Throughput::Elements(nodes)).sample_size(10);
    group.bench_function("effort of the level", |b| {
        b.iter(|| assert_eq!(think(black_box(&position)), nodes));
    });
    group.finish();
}

/// Positions after six and more random moves.
fn openings(count: u8) -> Vec<TogyzkumalakPosition> {
    let mut random = 5_u64;
    let mut moved = |plies: u8| {
        let mut position = TogyzkumalakPosition::start(Variant::Seed);
        for _ in 0..plies {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let n = ((random >> 32) * u64::from(position.moves_len())) >> 32;
            position.play(position.nth_move(n as u8));
        }
        position
    };
    (0..count).map(|more| moved(6 + more)).collect()
}

fn play_random_games(games: u32, seed: u64) -> u64 {
    let mut random = seed;
    let mut moves = 0;
    for _ in 0..games {
        let mut position = TogyzkumalakPosition::start(Variant::Seed);
        while !position.is_over() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let n = ((random >> 32) * u64::from(position.moves_len())) >> 32;
            position.play(position.nth_move(n as u8));
            moves += 1;
        }
    }
    moves
}

/// The first 300 moves of a random game that is long enough.
fn log_of_300_moves() -> Vec<(Seat, String)> {
    for seed in 0.. {
        let mut random = seed;
        let mut log = Vec::new();
        let mut game = Togyzkumalak::start(&Variant::Seed, 2).expect("two seats");
        while let Node::Act(seat) = game.node() {
            let actions = game.actions(seat);
            random = u64::wrapping_mul(random, 6_364_136_223_846_793_005).wrapping_add(1);
            let action = actions[(random >> 33) as usize % actions.len()];
            game.apply_action(seat, &action, &mut Vec::new()).expect("it is legal");
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
        game.apply_action(*seat, &action, &mut facts).expect("a move of the log");
    }
    game
}

criterion_group!(benches, random_moves, perft, fold, plain_search, master);
criterion_main!(benches);
