//! What hands promise after what was said, and how the quick bidder chooses: from auctions that
//! the program holds with itself, again and again, so that a bid is understood as it is meant.

use super::super::super::action::Deal;
use super::super::super::auction::Call;
use super::super::super::card::Trump;
use super::super::super::options::House;
use super::super::auction::deals::{self, LOST, QUANTILES, SWEPT};
use super::super::auction::hands::{self, FEATURES, from_outputs};
use super::super::auction::listen::Listener;
use super::super::auction::model::Model;
use super::super::auction::net::Teacher;
use super::super::auction::policy::{self, WEIGHTS, Weights};
use super::super::auction::rollout::{Asked, Effort, think};
use super::super::auction::talk::{Talk, at};
use super::Settings;
use crate::rules::Entropy;
use crate::search::{Budget, Numbers};

/// Every round of learning: hands first, then choices.
pub fn learn(model: &mut Model, settings: &Settings, numbers: &mut Numbers, say: &mut dyn FnMut(&str)) {
    let mut teacher = Teacher::new(model.hands.clone(), 0.03);
    for round in 0..settings.rounds {
        let auctions = settings.auctions / if round == 0 { 1 } else { 2 };
        teach_hands(model, &mut teacher, auctions, numbers, say);
        let lessons = teach_choices(model, settings.lessons, numbers);
        say(&format!("round {}: {lessons}", round + 1));
    }
    teacher.set_rate(0.01);
    teach_hands(model, &mut teacher, settings.auctions, numbers, say);
}

type HandTeacher = Teacher<{ hands::HIDDEN }, { hands::OUTPUTS }>;

/// Auctions of the quick bidder; before every call what the hand then takes is taught.
fn teach_hands(
    model: &mut Model,
    teacher: &mut HandTeacher,
    auctions: usize,
    numbers: &mut Numbers,
    say: &mut dyn FnMut(&str),
) {
    let house = House::default();
    let (mut off, mut count) = (0.0f64, 0u32);
    for n in 0..auctions {
        let hands = Deal::draw(numbers, false).hands;
        let dealer = numbers.below(4) as u8;
        let takes = takes(model, &hands, (dealer + 1) & 3, &house, numbers);
        let mut talk = Talk::new(dealer);
        while let Some(turn) = talk.auction.turn() {
            for trump in Trump::ALL {
                let mut bag: Vec<u16> = Vec::with_capacity(32);
                let hand = hands[usize::from(turn)];
                hands::features(hand, trump, &house, |feature| bag.push(feature as u16));
                hands::talk_features(&talk, turn, trump, |feature| bag.push(feature as u16));
                let side = usize::from(turn & 1);
                let truth = [takes[at(trump)][side], takes[at(trump)][1 - side]];
                teacher.teach(&[&bag], |outputs| {
                    let guesses = from_outputs(outputs);
                    off += f64::from((guesses[0].mean - truth[0]).powi(2));
                    count += 1;
                    slope(outputs, truth)
                });
            }
            let call = quick_call(model, &talk, turn, hands[usize::from(turn)], &house, numbers);
            talk.call(turn, call, &house);
        }
        if n % 500 == 499 {
            model.hands = teacher.net.clone();
        }
        if (n + 1) % (auctions / 4).max(1) == 0 {
            let error = (off / f64::from(count.max(1))).sqrt();
            say(&format!("hands, {} auctions: off by {error:.3}", n + 1));
            (off, count) = (0.0, 0);
        }
    }
    model.hands = teacher.net.clone();
}

/// The slope of the logarithm of a normal density, bounded.
fn slope(outputs: &[f32; hands::OUTPUTS], truth: [f32; 2]) -> [f32; hands::OUTPUTS] {
    let guesses = from_outputs(outputs);
    let mut slopes = [0.0; hands::OUTPUTS];
    for (side, (guess, truth)) in guesses.iter().zip(truth).enumerate() {
        let z = ((guess.mean - truth) / guess.spread).clamp(-4.0, 4.0);
        slopes[2 * side] = z / guess.spread;
        slopes[2 * side + 1] = (1.0 - z * z).clamp(-4.0, 4.0);
    }
    slopes
}

/// What both sides take with each trump in this deal, once, in tens of points.
fn takes(model: &Model, hands: &[u32; 4], leader: u8, house: &House, numbers: &mut Numbers) -> [[f32; 2]; 5] {
    let prospects = deals::prospects((&model.deals, &model.spread), hands, leader, house);
    prospects.map(|prospect| {
        let cards = match prospect.cards[numbers.below(QUANTILES as u32) as usize] {
            SWEPT => [25.0, 0.0],
            LOST => [0.0, 25.0],
            points => [f32::from(points) / 10.0, (162.0 - f32::from(points)) / 10.0],
        };
        let outside = |side: usize| f32::from(prospect.melds[side] + prospect.blot[side]);
        [0, 1].map(|side| (cards[side] + outside(side)).min(36.0))
    })
}

/// A call of the quick bidder by its odds.
fn quick_call(model: &Model, talk: &Talk, turn: u8, hand: u32, house: &House, numbers: &mut Numbers) -> Call {
    let mut all = Vec::new();
    model.weigh(talk, turn, &model.sight(hand, house), house, &mut all);
    policy::odds(&mut all);
    let mut left = numbers.below(1 << 20) as f32 / (1u32 << 20) as f32;
    for it in &all {
        left -= it.merit;
        if left < 0.0 {
            return it.call;
        }
    }
    all.last().map_or(Call::Pass, |it| it.call)
}

/// One choice of the thinking bidder: features and share of every call.
struct Lesson {
    calls: Vec<(Vec<(usize, f32)>, f32)>,
}

/// Auctions of the thinking bidder; the quick one learns to choose as it does.
fn teach_choices(model: &mut Model, auctions: usize, numbers: &mut Numbers) -> String {
    let mut lessons = Vec::new();
    for _ in 0..auctions {
        hold(model, numbers, &mut lessons);
    }
    let mut weights = model.weights;
    let mut seen = [1.0f32; WEIGHTS];
    let mut loss = [0.0f32; 2];
    for epoch in 0..40 {
        let mut sum = 0.0;
        for lesson in &lessons {
            sum += study(lesson, &mut weights, &mut seen);
        }
        loss[usize::from(epoch > 0)] = sum / lessons.len().max(1) as f32;
    }
    model.weights = weights;
    format!("{} choices, loss {:.3} then {:.3}", lessons.len(), loss[0], loss[1])
}

/// One auction of the thinking bidder with itself.
fn hold(model: &Model, numbers: &mut Numbers, lessons: &mut Vec<Lesson>) {
    let house = House::default();
    let hands = Deal::draw(numbers, false).hands;
    let mut listener = Listener::new(model, numbers.below(4) as u8, [], &house);
    while let Some(seat) = listener.talk.auction.turn() {
        let hand = hands[usize::from(seat)];
        let utility = |score: &super::super::super::score::Score, _| {
            f32::from(score.points[0]) - f32::from(score.points[1])
        };
        let asked = Asked { seat, hand, listener: &listener, house: &house, utility: &utility, thrown_in: 0.0 };
        let effort = Effort { drawn: 500, kept: 48, calls: 6 };
        let values = think(&asked, model, effort, &Budget::OF_LEVEL, numbers);
        let top = values.iter().fold(f32::MIN, |top, it| top.max(it.value));
        let share = |call: Call| {
            let valued = values.iter().find(|it| it.call == call);
            valued.map_or(0.0, |it| ((it.value - top) / 0.7).exp())
        };
        let mut lesson = Lesson { calls: Vec::new() };
        let sight = model.sight(hand, &house);
        let guesses = model.guesses(&sight, &model.hearing(&listener.talk, seat));
        policy::choices(&listener.talk, seat, &guesses, &house, |call, features| {
            lesson.calls.push((features.to_vec(), share(call)));
        });
        let sum: f32 = lesson.calls.iter().map(|(_, share)| share).sum();
        lesson.calls.iter_mut().for_each(|(_, share)| *share /= sum);
        lessons.push(lesson);
        let best = values.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        listener.hear(seat, best.map_or(Call::Pass, |it| it.call));
    }
}

/// One step towards a choice; gives the loss before it.
fn study(lesson: &Lesson, weights: &mut Weights, seen: &mut Weights) -> f32 {
    let merit = |features: &[(usize, f32)]| features.iter().map(|(at, v)| weights[*at] * v).sum();
    let merits: Vec<f32> = lesson.calls.iter().map(|(features, _)| merit(features)).collect();
    let top = merits.iter().copied().fold(f32::MIN, f32::max);
    let sum: f32 = merits.iter().map(|merit| (merit - top).exp()).sum();
    let mut slope = [0.0f32; WEIGHTS];
    let mut loss = 0.0;
    for ((features, share), merit) in lesson.calls.iter().zip(&merits) {
        let odds = (merit - top).exp() / sum;
        if *share > 0.0 {
            loss -= share * odds.max(1e-9).ln();
        }
        for (at, value) in features {
            slope[*at] += (odds - share) * value;
        }
    }
    for n in 0..WEIGHTS {
        seen[n] += slope[n] * slope[n];
        weights[n] -= 0.2 * slope[n] / seen[n].sqrt();
    }
    loss
}

/// How many features a hand has, for those who write networks down.
pub const HAND_FEATURES: usize = FEATURES;
