//! Learns the card policy from deals that the program plays with itself.
//!
//! The teachers are the card play of the highest level without inference, for card points, with
//! contracts by a count of the hands; the weights are those that make their cards most likely
//! (logistic regression, Adagrad).

use super::super::super::action::BlotAction;
use super::super::super::card::{Card, Trump};
use super::super::super::duel;
use super::super::super::options::BlotOptions;
use super::super::super::rules::Blot;
use super::super::card_policy::{
    CardPolicy, PolicyInput, PublicPlay, WEIGHTS, distinct, first_of_equals, shared_term,
};
use super::super::packed::Packing;
use super::super::player;
use crate::rules::{Node, Rules, Viewer};
use crate::search::{PlayerQuestion, SeededRng, ThinkBudget};

/// A deal with all its cards in the order of play.
#[derive(Clone, Debug)]
pub struct PlayedCards {
    /// The hands as dealt.
    pub hands: [u32; 4],
    /// The trump.
    pub trump: Trump,
    /// The seat that led first.
    pub leader: u8,
    /// The seat that named the trump.
    pub bidder: u8,
    /// The 32 cards.
    pub cards: Vec<Card>,
}

/// Plays one deal with four players of this name and effort; `None` for a deal without a contract.
pub fn play_deal(name: &str, nodes: u64, rng: &mut SeededRng) -> Option<PlayedCards> {
    let mut players: Vec<_> = (0..4).filter_map(|_| player(name)).collect();
    let mut game = Blot::start(&BlotOptions::default(), 4).ok()?;
    let mut cards = Vec::with_capacity(32);
    let mut start = None;
    loop {
        match game.node() {
            Node::Chance if start.is_some() => break,
            Node::Chance => {
                let deal = game.draw_chance(rng);
                game.apply_chance(&deal, &mut Vec::new()).ok()?;
            }
            Node::Over(_) => break,
            Node::Act(seat) => {
                let actions = game.actions(seat);
                let view = game.view(Viewer::Seat(seat));
                if let (None, Some(contract), true) = (&start, view.contract, view.is_play()) {
                    let hands = game.round()?.dealt();
                    start = Some((hands, contract.bid.trump, seat.0, contract.seat));
                }
                let budget = ThinkBudget::OF_LEVEL.nodes(nodes);
                let question = PlayerQuestion { view: &view, actions: &actions, budget: &budget };
                let scripted = game.forced_action().or_else(|| duel::auction(&game));
                let think = || players[seat.index()].think(&question, rng, &mut |_| {}).action;
                let action = scripted.unwrap_or_else(think);
                if let BlotAction::Card(card) = action {
                    cards.push(card);
                }
                game.apply_action(seat, &action, &mut Vec::new()).ok()?;
            }
        }
    }
    let (hands, trump, leader, bidder) = start?;
    Some(PlayedCards { hands, trump, leader, bidder, cards })
}

/// The teacher, and the number of positions that it searches for a card.
const TEACHER: (&str, u64) = ("cards-2026-11", 4_000);

/// Number of times that all choices are learned.
const EPOCHS: usize = 3;

/// Plays deals, each with its own random numbers, and learns from them.
pub fn learn(count: usize, seed: u64, report: &mut dyn FnMut(&str)) -> CardPolicy {
    let mut all = Vec::with_capacity(count);
    for n in 0..count {
        let mut rng = SeededRng::new(seed.wrapping_mul(1_000_000).wrapping_add(n as u64));
        all.extend(play_deal(TEACHER.0, TEACHER.1, &mut rng));
        if (n + 1) % (count / 10).max(1) == 0 {
            report(&format!("{} deals played for the card policy", n + 1));
        }
    }
    fit(&all, EPOCHS, report)
}

/// One choice between cards: the weights of each, and which was played.
struct Lesson {
    cards: Vec<[usize; 6]>,
    chosen: usize,
}

fn lessons(played: &PlayedCards, lessons: &mut Vec<Lesson>) {
    let packing = Packing::new(played.trump);
    let mut public = PublicPlay::new(played.leader, played.bidder);
    let mut hands = played.hands.map(|hand| packing.pack(hand));
    for card in &played.cards {
        let card = u32::from(packing.card(*card));
        let hand = hands[public.seat()];
        let spot = PolicyInput { hand, public: &public, packing: &packing };
        let legal = public.legal(hand, &packing, false);
        let cards = distinct(legal, hand, &public, &packing);
        let chosen = first_of_equals(card, cards);
        if cards & (cards - 1) != 0 {
            let all: Vec<u32> = (0..32).filter(|it| cards >> it & 1 == 1).collect();
            lessons.push(Lesson {
                cards: all.iter().map(|it| spot.terms(*it)).collect(),
                chosen: all.iter().position(|it| *it == chosen).unwrap_or(0),
            });
        }
        hands[public.seat()] &= !(1 << card);
        public.put(card, &packing);
    }
}

fn odds(weights: &[f32], lesson: &Lesson) -> Vec<f32> {
    let value = |terms: &[usize; 6]| terms.iter().map(|it| weights[*it]).sum::<f32>();
    let values: Vec<f32> = lesson.cards.iter().map(value).collect();
    let most = values.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = values.iter().map(|it| (it - most).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|it| it / sum).collect()
}

/// The rate of learning, and the decay of what a context adds to the shared weights.
const RATE: f32 = 0.2;
const DECAY: f32 = 1e-3;

/// Fits the weights; a tenth of the deals is kept for the test that `report` receives.
pub fn fit(all: &[PlayedCards], epochs: usize, report: &mut dyn FnMut(&str)) -> CardPolicy {
    let (test, train) = all.split_at(all.len() / 10);
    let gather = |deals: &[PlayedCards]| {
        let mut all = Vec::new();
        deals.iter().for_each(|it| lessons(it, &mut all));
        all
    };
    let test = gather(test);
    let train = gather(train);
    // A weight is the sum of one that all contexts share and of one of its context.
    let mut own = vec![0.0f32; WEIGHTS];
    let mut shared = vec![0.0f32; WEIGHTS];
    let mut squares = [vec![1.0f32; WEIGHTS], vec![1.0f32; WEIGHTS]];
    let mut weights = own.clone();
    let descend = |weight: &mut f32, square: &mut f32, error: f32, decay: f32| {
        let slope = error + decay * *weight;
        *square += slope * slope;
        *weight -= RATE * slope / square.sqrt();
    };
    for epoch in 0..epochs {
        for lesson in &train {
            for (n, odds) in odds(&weights, lesson).into_iter().enumerate() {
                let error = odds - if n == lesson.chosen { 1.0 } else { 0.0 };
                for term in lesson.cards[n] {
                    let base = shared_term(term);
                    descend(&mut shared[base], &mut squares[0][base], error, 1e-5);
                    descend(&mut own[term], &mut squares[1][term], error, DECAY);
                    weights[term] = own[term] + shared[base];
                }
            }
        }
        for (term, weight) in weights.iter_mut().enumerate() {
            *weight = own[term] + shared[shared_term(term)];
        }
        let mut bits = 0.0;
        let mut hits = 0;
        for lesson in &test {
            let odds = odds(&weights, lesson);
            bits -= odds[lesson.chosen].ln();
            let best = odds.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
            hits += usize::from(best.is_some_and(|it| it.0 == lesson.chosen));
        }
        let count = test.len().max(1) as f32;
        report(&format!(
            "cards, epoch {}: {:.3} nats, {:.1} % right of {count} choices",
            epoch + 1,
            bits / count,
            100.0 * hits as f32 / count
        ));
    }
    CardPolicy { weights }
}
