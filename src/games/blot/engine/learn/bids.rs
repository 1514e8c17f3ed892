//! Trains the hand network and the weights of the quick bidder on auctions of the program with
//! itself, repeatedly, so that the bidder and its inference from bids stay consistent.

use super::super::super::action::Deal;
use super::super::super::auction::AuctionCall;
use super::super::super::card::Trump;
use super::super::super::options::House;
use super::super::super::score::RoundScore;
use super::super::auction::auction_features::{AuctionFeatures, trump_index};
use super::super::auction::call_inference::CallListener;
use super::super::auction::deals::{self, LOST, QUANTILES, SWEPT};
use super::super::auction::hand_net::{self, FEATURES, HandNet, from_outputs};
use super::super::auction::model::Model;
use super::super::auction::net::Teacher;
use super::super::auction::policy::{self, BidWeights, WEIGHTS};
use super::super::auction::rollout::{BidEffort, BidQuestion, TRUST, Tally, best, candidates};
use super::BlotLearnSettings;
use crate::rules::Entropy;
use crate::search::{SeededRng, ThinkBudget};

/// Runs every round of training: hands first, then choices.
pub fn learn(
    model: &mut Model,
    settings: &BlotLearnSettings,
    rng: &mut SeededRng,
    report: &mut dyn FnMut(&str),
) {
    model.hands = HandNet::random(FEATURES, rng);
    model.weights = policy::untaught();
    let mut teacher = Teacher::new(model.hands.clone(), 0.03);
    for round in 0..settings.rounds {
        let auctions = settings.auctions / if round == 0 { 1 } else { 2 };
        teach_hands(model, &mut teacher, auctions, rng, report);
        let lessons = teach_choices(model, settings.lessons, rng);
        report(&format!("round {}: {lessons}", round + 1));
    }
    teacher.set_rate(0.01);
    teach_hands(model, &mut teacher, settings.auctions, rng, report);
}

type HandTeacher = Teacher<{ hand_net::HIDDEN }, { hand_net::OUTPUTS }>;

/// Plays auctions of the quick bidder and trains the hand network before every call with what the
/// hand then takes.
fn teach_hands(
    model: &mut Model,
    teacher: &mut HandTeacher,
    auctions: usize,
    rng: &mut SeededRng,
    report: &mut dyn FnMut(&str),
) {
    let house = House::default();
    let mut squares = 0.0f64;
    let mut count = 0u32;
    for n in 0..auctions {
        let hands = Deal::draw(rng, false).hands;
        let dealer = rng.below(4) as u8;
        let takes = takes(model, &hands, (dealer + 1) & 3, &house, rng);
        let mut talk = AuctionFeatures::new(dealer);
        while let Some(turn) = talk.auction.turn() {
            for trump in Trump::ALL {
                let mut bag: Vec<u16> = Vec::with_capacity(32);
                let hand = hands[usize::from(turn)];
                hand_net::features(hand, trump, &house, |feature| bag.push(feature as u16));
                hand_net::talk_features(&talk, turn, trump, |feature| bag.push(feature as u16));
                let side = usize::from(turn & 1);
                let target = [takes[trump_index(trump)][side], takes[trump_index(trump)][1 - side]];
                teacher.teach(&[&bag], |outputs| {
                    let estimates = from_outputs(outputs);
                    squares += f64::from((estimates[0].mean - target[0]).powi(2));
                    count += 1;
                    slope(outputs, target)
                });
            }
            let call = quick_call(model, &talk, turn, hands[usize::from(turn)], &house, rng);
            talk.call(turn, call, &house);
        }
        if n % 500 == 499 {
            model.hands = teacher.net.clone();
        }
        if (n + 1) % (auctions / 4).max(1) == 0 {
            let error = (squares / f64::from(count.max(1))).sqrt();
            report(&format!("hands, {} auctions: off by {error:.3}", n + 1));
            (squares, count) = (0.0, 0);
        }
    }
    model.hands = teacher.net.clone();
}

/// The slope of the logarithm of a normal density, bounded.
fn slope(outputs: &[f32; hand_net::OUTPUTS], target: [f32; 2]) -> [f32; hand_net::OUTPUTS] {
    let estimates = from_outputs(outputs);
    let mut slopes = [0.0; hand_net::OUTPUTS];
    for (side, (estimate, target)) in estimates.iter().zip(target).enumerate() {
        let z = ((estimate.mean - target) / estimate.spread).clamp(-4.0, 4.0);
        slopes[2 * side] = z / estimate.spread;
        slopes[2 * side + 1] = (1.0 - z * z).clamp(-4.0, 4.0);
    }
    slopes
}

/// One random result of this deal with each trump: what both sides take, in tens of points.
fn takes(
    model: &Model,
    hands: &[u32; 4],
    leader: u8,
    house: &House,
    rng: &mut SeededRng,
) -> [[f32; 2]; 5] {
    let prospects = deals::prospects((&model.deals, &model.spread), hands, leader, house);
    prospects.map(|prospect| {
        let cards = match prospect.cards[rng.below(QUANTILES as u32) as usize] {
            SWEPT => [25.0, 0.0],
            LOST => [0.0, 25.0],
            points => [f32::from(points) / 10.0, (162.0 - f32::from(points)) / 10.0],
        };
        let outside = |side: usize| f32::from(prospect.melds[side] + prospect.blot[side]);
        [0, 1].map(|side| (cards[side] + outside(side)).min(36.0))
    })
}

/// A random call of the quick bidder according to its odds.
fn quick_call(
    model: &Model,
    talk: &AuctionFeatures,
    turn: u8,
    hand: u32,
    house: &House,
    rng: &mut SeededRng,
) -> AuctionCall {
    let mut all = Vec::new();
    model.weigh(talk, turn, &model.sight(hand, house), house, &mut all);
    policy::odds(&mut all);
    let mut remaining = rng.below(1 << 20) as f32 / (1u32 << 20) as f32;
    for it in &all {
        remaining -= it.merit;
        if remaining < 0.0 {
            return it.call;
        }
    }
    all.last().map_or(AuctionCall::Pass, |it| it.call)
}

/// Training data from the thinking bidder: a least-squares problem over differences between the
/// calls of one choice.
struct Lessons {
    /// Normal equations: products of features, and of features with values.
    square: Vec<[f64; WEIGHTS]>,
    right: [f64; WEIGHTS],
    count: usize,
    /// Weighted squares of the errors of the merits, and the sum of the weights.
    missed: (f64, f64),
}

/// Plays auctions of the thinking bidder and fits the quick bidder to the values that it finds.
fn teach_choices(model: &mut Model, auctions: usize, rng: &mut SeededRng) -> String {
    let mut lessons = Lessons {
        square: vec![[0.0; WEIGHTS]; WEIGHTS],
        right: [0.0; WEIGHTS],
        count: 0,
        missed: (0.0, 0.0),
    };
    for _ in 0..auctions {
        play_auction(model, rng, &mut lessons);
    }
    let text = format!(
        "{} choices, merits off by {:.2} match points",
        lessons.count,
        (lessons.missed.0 / lessons.missed.1.max(1e-9)).sqrt()
    );
    model.weights = lessons.solve(&model.weights);
    text
}

/// Plays one auction of the thinking bidder with itself.
fn play_auction(model: &Model, rng: &mut SeededRng, lessons: &mut Lessons) {
    let house = House::default();
    let hands = Deal::draw(rng, false).hands;
    let mut listener = CallListener::new(model, rng.below(4) as u8, [], &house);
    let utility = |score: &RoundScore, _| f32::from(score.points[0]) - f32::from(score.points[1]);
    while let Some(seat) = listener.talk.auction.turn() {
        let hand = hands[usize::from(seat)];
        let question = BidQuestion {
            seat,
            hand,
            listener: &listener,
            house: &house,
            utility: &utility,
            thrown_in: 0.0,
        };
        let effort = BidEffort { drawn: 600, kept: 64, calls: 6 };
        let mut tally = Tally::new(candidates(&question, model, effort.calls));
        tally.explore(&question, model, effort, &ThinkBudget::OF_LEVEL, rng);
        // Simulated values alone: merits must not be trained on themselves.
        let simulated = tally.values(1e3, 0.0);
        let sight = model.sight(hand, &house);
        let estimates = model.guesses(&sight, &model.hearing(&listener.talk, seat));
        let mut choice = Vec::new();
        policy::choices(&listener.talk, seat, &estimates, &house, |call, _, features| {
            if let Some(it) = simulated.iter().find(|it| it.call == call) {
                choice.push((features.to_vec(), it.value));
            }
        });
        lessons.add(&model.weights, &choice);
        let best = best(&tally.values(TRUST, 0.0));
        listener.hear(seat, best.map_or(AuctionCall::Pass, |it| it.call));
    }
}

impl Lessons {
    /// Adds one choice: features and value of each call. Calls that are far behind have less
    /// weight.
    fn add(&mut self, weights: &BidWeights, choice: &[(Vec<(usize, f32)>, f32)]) {
        let merit = |features: &[(usize, f32)]| -> f32 {
            features.iter().map(|(at, value)| weights[*at] * value).sum()
        };
        let merits: Vec<f32> = choice.iter().map(|(features, _)| merit(features)).collect();
        let top = merits.iter().copied().fold(f32::MIN, f32::max);
        let share = |n: usize| f64::from(0.1 + ((merits[n] - top) / 5.0).exp());
        let total: f64 = (0..choice.len()).map(share).sum();
        let mut mean = [0.0f64; WEIGHTS];
        let mut mean_value = 0.0f64;
        let mut mean_merit = 0.0f64;
        for (n, (features, value)) in choice.iter().enumerate() {
            let part = share(n) / total;
            features.iter().for_each(|(at, it)| mean[*at] += part * f64::from(*it));
            mean_value += part * f64::from(*value);
            mean_merit += part * f64::from(merits[n]);
        }
        for (n, (features, value)) in choice.iter().enumerate() {
            let mut difference = mean.map(|it| -it);
            features.iter().for_each(|(at, it)| difference[*at] += f64::from(*it));
            let value = f64::from(*value) - mean_value;
            let merit = f64::from(merits[n]) - mean_merit;
            self.missed.0 += share(n) * (value - merit).powi(2);
            self.missed.1 += share(n);
            for a in 0..WEIGHTS {
                if difference[a] == 0.0 {
                    continue;
                }
                self.right[a] += share(n) * difference[a] * value;
                for b in 0..WEIGHTS {
                    self.square[a][b] += share(n) * difference[a] * difference[b];
                }
            }
        }
        self.count += 1;
    }

    /// Solves for the best weights, with a small ridge towards the previous ones (Gauss-Jordan).
    fn solve(mut self, before: &BidWeights) -> BidWeights {
        let ridge = 2.0 + self.count as f64 / 500.0;
        for (n, before) in before.iter().enumerate() {
            self.square[n][n] += ridge;
            self.right[n] += ridge * f64::from(*before);
        }
        for n in 0..WEIGHTS {
            // Positive definite: the diagonal never vanishes.
            let by = 1.0 / self.square[n][n];
            self.square[n].iter_mut().for_each(|it| *it *= by);
            self.right[n] *= by;
            let row = self.square[n];
            for other in (0..WEIGHTS).filter(|other| *other != n) {
                let by = self.square[other][n];
                for (it, own) in self.square[other].iter_mut().zip(&row) {
                    *it -= by * own;
                }
                self.right[other] -= by * self.right[n];
            }
        }
        self.right.map(|it| it as f32)
    }
}
