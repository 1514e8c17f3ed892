//! Measures the speed of Blot: whole random rounds per second on one core (floor 200,000), then the
//! parts of its computer players: exact solving (floors 8 ms for a whole deal, 0.1 ms with five
//! cards), a playout, a world, and a decision of the highest level (floor 60 ms in the mean).
//!
//! A round is a shuffled deal, a random contract, the combinations of four hands, 32 random legal
//! cards and the score. Criterion's "elem/s" are rounds per second.

use std::hint::black_box;

use caravanserai_games::blot::card::nth;
use caravanserai_games::blot::engine;
use caravanserai_games::blot::engine::playouts::Playouts;
use caravanserai_games::blot::engine::sampled_hands::{KnownCards, Worlds};
use caravanserai_games::blot::engine::solver::Solver;
use caravanserai_games::blot::melds::{Melds, counting_team};
use caravanserai_games::blot::round::blots;
use caravanserai_games::blot::score::{RoundResult, score};
use caravanserai_games::blot::{
    AuctionCall, Bid, Blot, BlotAction, BlotOptions, Contract, ContractLevel, Deal, House,
};
use caravanserai_games::blot::{BlotView, Tricks, Trump};
use caravanserai_games::rules::{Entropy, Node, Rules, Viewer};
use caravanserai_games::search::{PlayerQuestion, SeededRng as Stream, ThinkBudget};
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

/// Only the card play, as in playouts of a search.
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
    let contract = Contract { bid, seat: numbers.below(4) as u8, level: ContractLevel::Plain };
    let melds_by_seat = hands.map(|hand| Melds::best(hand, trump, house));
    let mut melds = [0; 2];
    if let Some(team) = counting_team(melds_by_seat.each_ref(), 1, trump) {
        melds[team] =
            melds_by_seat[team].value(trump, house) + melds_by_seat[team + 2].value(trump, house);
    }
    let tricks = play(Tricks::new(hands, trump, 1, house.undertrump), &mut numbers);
    let played = RoundResult {
        contract,
        cards: tricks.points(),
        tricks: tricks.taken(),
        melds,
        blot: blots(&hands, trump),
    };
    score(&played, house).map_or(0, |it| u64::from(it.points[0]))
}

/// Random positions with `left` cards in each hand.
fn positions(count: u64, left: u32, trumps: &[Trump]) -> Vec<Tricks> {
    let position = |n: u64| {
        let mut numbers = Numbers(n);
        let hands = Deal::draw(&mut numbers, false).hands;
        let trump = trumps[n as usize % trumps.len()];
        let mut tricks = Tricks::new(hands, trump, numbers.below(4) as u8, false);
        while u32::from(tricks.tricks_played()) + left < 8 {
            let legal = tricks.legal();
            let card =
                nth(legal, numbers.below(legal.count_ones())).expect("there is a legal card");
            tricks.play(card);
        }
        tricks
    };
    (0..count).map(position).collect()
}

/// "time" is that of all positions together; "elem/s" are positions solved per second.
fn solving(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve exactly");
    group.sample_size(10);
    for (name, count, left, trumps) in [
        ("whole deals with a trump (floor 125 elem/s)", 100, 8, &Trump::ALL[..4]),
        ("whole deals in boy", 20, 8, &Trump::ALL[4..]),
        ("whole deals, any (floor 125 elem/s)", 100, 8, &Trump::ALL[..]),
        ("six cards left", 500, 6, &Trump::ALL[..]),
        ("five cards left (floor 10 Kelem/s)", 1_000, 5, &Trump::ALL[..]),
    ] {
        let positions = positions(count, left, trumps);
        let mut solver = Solver::default();
        group.throughput(Throughput::Elements(count));
        group.bench_function(name, |b| {
            b.iter(|| {
                solver.forget();
                positions.iter().map(|it| i64::from(solver.value(it, true))).sum::<i64>()
            });
        });
    }
    group.finish();
}

fn greedy_playouts(c: &mut Criterion) {
    let positions = positions(100, 8, &Trump::ALL);
    let playouts = Playouts::default();
    let mut group = c.benchmark_group("play out by rules of thumb");
    group.throughput(Throughput::Elements(100));
    group.bench_function("32 cards", |b| {
        b.iter(|| positions.iter().map(|it| playouts.finish(it, 0).points[0]).sum::<i16>());
    });
    group.finish();
}

/// The views and legal actions at every card of a round with a bid of eight.
fn decisions(seed: u64) -> Vec<(BlotView, Vec<BlotAction>)> {
    let mut numbers = Numbers(seed);
    let mut game = Blot::start(&BlotOptions::default(), 4).expect("four can play");
    let deal = game.draw_chance(&mut numbers);
    game.apply_chance(&deal, &mut Vec::new()).expect("the deal is complete");
    let mut greedy = engine::player("greedy").expect("the player exists");
    let mut all = Vec::new();
    while let Node::Act(seat) = game.node() {
        let view = game.view(Viewer::Seat(seat));
        let actions = game.actions(seat);
        let bid = Bid { x: 8, trump: Trump::ALL[seed as usize % 5], kaput: false };
        let action = match (view.is_play(), view.contract) {
            (false, None) => BlotAction::Call(AuctionCall::Bid(bid)),
            (false, Some(_)) => BlotAction::Call(AuctionCall::Pass),
            (true, _) => {
                all.push((view.clone(), actions.clone()));
                let question = PlayerQuestion {
                    view: &view,
                    actions: &actions,
                    budget: &ThinkBudget::OF_LEVEL,
                };
                greedy.think(&question, &mut numbers, &mut |_| ()).action
            }
        };
        game.apply_action(seat, &action, &mut Vec::new()).expect("players act by the rules");
    }
    all
}

/// "elem/s" are decisions of the highest level per second, forced ones included.
fn deciding(c: &mut Criterion) {
    let all: Vec<_> = (0..5).flat_map(decisions).collect();
    let mut group = c.benchmark_group("decide (floor 17 elem/s)");
    group.sample_size(10);
    group.throughput(Throughput::Elements(all.len() as u64));
    let mut master = engine::player("master").expect("the player exists");
    group.bench_function("a card of the highest level", |b| {
        b.iter(|| {
            let mut sum = 0;
            for (view, actions) in &all {
                let question = PlayerQuestion { view, actions, budget: &ThinkBudget::OF_LEVEL };
                sum += master.think(&question, &mut Numbers(1), &mut |_| ()).score;
            }
            sum
        });
    });
    group.throughput(Throughput::Elements(all.len() as u64 * 100));
    group.bench_function("a world (elem/s are worlds)", |b| {
        let mut numbers = Stream::new(1);
        b.iter(|| {
            let mut sum = 0u64;
            for (view, _) in &all {
                let own = view.own.as_ref().expect("the view is that of a seat");
                let worlds = Worlds::new(KnownCards::new(view, own), &mut numbers);
                sum += (0..100).map(|_| u64::from(worlds.draw(&mut numbers)[0])).sum::<u64>();
            }
            sum
        });
    });
    group.finish();
}

criterion_group!(benches, random_rounds, playouts, solving, greedy_playouts, deciding);
criterion_main!(benches);
