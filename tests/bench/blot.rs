//! Speed of Blot: whole random rounds a second on one core; the floor is 200,000.
//!
//! A round is a shuffled deal, a random contract, the combinations of four hands, 32 random legal
//! cards and the score. Criterion's "elem/s" are rounds a second.

use std::hint::black_box;

use caravanserai::games::blot::card::nth;
use caravanserai::games::blot::melds::{Melds, counting_team};
use caravanserai::games::blot::round::blots;
use caravanserai::games::blot::score::{Played, score};
use caravanserai::games::blot::{Bid, Contract, Deal, House, Level, Tricks, Trump};
use caravanserai::rules::Entropy;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

struct Numbers(u64);

impl Entropy for Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

fn random_rounds(c: &mut Criterion) {
    let mut group = c.benchmark_group("random rounds (floor 200 Kelem/s)");
    let rounds = 2_000;
    let house = House::default();
    group.throughput(Throughput::Elements(rounds));
    group.bench_function("deal, combinations, 32 cards, score", |b| {
        b.iter(|| (0..rounds).map(|n| random_round(black_box(n), &house)).sum::<u64>());
    });
    group.finish();
}

/// Only the cards, as playouts of a search need them.
fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("playouts from a deal");
    let mut numbers = Numbers(7);
    let hands = Deal::draw(&mut numbers, false).hands;
    let start = Tricks::new(hands, Trump::ALL[2], 1, false);
    group.throughput(Throughput::Elements(1));
    group.bench_function("32 cards", |b| b.iter(|| play(black_box(start), &mut numbers)));
    group.finish();
}

fn play(mut tricks: Tricks, numbers: &mut Numbers) -> Tricks {
    while !tricks.is_over() {
        let legal = tricks.legal();
        let card = nth(legal, numbers.below(legal.count_ones())).expect("there is a legal card");
        tricks.play(card);
    }
    tricks
}

fn random_round(seed: u64, house: &House) -> u64 {
    let mut numbers = Numbers(seed);
    let hands = Deal::draw(&mut numbers, false).hands;
    let trump = Trump::ALL[numbers.below(5) as usize];
    let bid = Bid { x: 8 + numbers.below(6) as u8, trump, kaput: false };
    let contract = Contract { bid, seat: numbers.below(4) as u8, level: Level::Plain };
    let held = hands.map(|hand| Melds::best(hand, trump, house));
    let mut melds = [0; 2];
    if let Some(team) = counting_team(held.each_ref(), 1, trump) {
        melds[team] = held[team].value(trump, house) + held[team + 2].value(trump, house);
    }
    let tricks = play(Tricks::new(hands, trump, 1, house.undertrump), &mut numbers);
    let played = Played {
        contract,
        cards: tricks.points(),
        tricks: tricks.taken(),
        melds,
        blot: blots(&hands, trump),
    };
    score(&played, house).map_or(0, |it| u64::from(it.points[0]))
}

criterion_group!(benches, random_rounds, playouts);
criterion_main!(benches);
