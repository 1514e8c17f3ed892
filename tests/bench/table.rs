//! Measures the speed of reading a table from its stored lines.
//!
//! Floor: a table with 300 moves in less than 50 microseconds, text to table.

use std::hint::black_box;

use caravanserai_games::ids::TableId;
use caravanserai_games::togyzkumalak::{TogyzkumalakPosition, Variant};
use caravanserai_table::{LogLine, Table};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn fold(c: &mut Criterion) {
    let lines = lines_of_300_moves();
    let id = TableId("7k3fx".into());
    let mut group = c.benchmark_group("table with 300 moves (floor 50 us)");
    group.throughput(Throughput::Elements(lines.len() as u64));
    group.bench_function("fold from stored lines", |b| {
        b.iter(|| Table::from_log(black_box(&id), black_box(&lines)).expect("a good log"));
    });
    group.bench_function("read the lines only", |b| {
        b.iter(|| {
            for line in &lines {
                black_box(LogLine::parse(black_box(line)).expect("a good line"));
            }
        });
    });
    let table = Table::from_log(&id, &lines).expect("a good log");
    assert_eq!(table.history.steps.len(), 300);
    group.bench_function("copy", |b| b.iter(|| black_box(&table).duplicate()));
    group.finish();
}

/// The log of a random game, cut after 300 moves, as the service writes it.
fn lines_of_300_moves() -> Vec<String> {
    let seed = "5a".repeat(32);
    let mut lines = vec![
        format!(
            "0 1795262400000 tg/918273 open v1 togyzkumalak r1 seed 2 lot tg:-1001 group {seed} \
             tg:1"
        ),
        "1 1795262400000 tg/918273 sit tg:1 Ann%20Lee".to_owned(),
        "2 1795262402500 tg/918277 sit tg:2 Айгүл%20Ә.".to_owned(),
        "3 1795262402500 tg/918277 start 0,1".to_owned(),
    ];
    for (n, (seat, pit)) in moves().into_iter().enumerate() {
        let at_ms = 1_795_262_403_000 + 7_000 * n as u64;
        lines.push(format!("{} {at_ms} tg/{} step {seat} {pit}", n + 4, 918_300 + 3 * n));
    }
    lines
}

/// Seats and pits of the first random game that is long enough.
fn moves() -> Vec<(u8, u8)> {
    for seed in 0..100_000_u64 {
        let mut random = seed;
        let mut position = TogyzkumalakPosition::start(Variant::Seed);
        let mut moves = Vec::new();
        while !position.is_over() && moves.len() < 300 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let n = ((random >> 32) * u64::from(position.moves_len())) >> 32;
            let pit = position.nth_move(n as u8);
            moves.push((position.side(), pit + 1));
            position.play(pit);
        }
        if moves.len() == 300 && !position.is_over() {
            return moves;
        }
    }
    unreachable!("one random game in some hundreds is that long")
}

criterion_group!(benches, fold);
criterion_main!(benches);
