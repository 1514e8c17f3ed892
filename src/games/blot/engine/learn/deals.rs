//! Trains the network of deals and its quantiles: what the sides take when the program plays a
//! deal.

use super::super::super::action::Deal;
use super::super::super::card::{Suit, Trump};
use super::super::auction::deals::{
    BINS, DealNet, FEATURES, LOST, QUANTILES, SWEPT, bags, bin, mean,
};
use super::super::auction::model::Model;
use super::super::auction::net::Teacher;
use super::play::LearnPlayer;
use crate::rules::Entropy;
use crate::search::SeededRng;

/// A played deal.
struct PlayedDeal {
    hands: [u32; 4],
    trump: Trump,
    code: u8,
}

fn tens(code: u8) -> f32 {
    match code {
        SWEPT => 20.0,
        LOST => -4.0,
        points => f32::from(points) / 10.0,
    }
}

/// Trains the deal network and the quantiles of a model.
pub fn learn(
    model: &mut Model,
    count: usize,
    table: &LearnPlayer,
    rng: &mut SeededRng,
    report: &mut dyn FnMut(&str),
) {
    let mut all = Vec::with_capacity(count);
    for n in 0..count {
        let hands = Deal::draw(rng, false).hands;
        let (trump, bidders) = trump_of(&hands, rng);
        let code = table.play(&hands, trump, 0, bidders, rng);
        all.push(PlayedDeal { hands, trump, code });
        if (n + 1) % (count / 10).max(1) == 0 {
            report(&format!("{} deals played", n + 1));
        }
    }
    let (test, train) = all.split_at(count / 20);
    let mut teacher = Teacher::new(DealNet::random(FEATURES, rng), 0.03);
    let mut bag = Vec::new();
    for (epoch, rate) in [0.03, 0.02, 0.01, 0.005, 0.002].into_iter().enumerate() {
        teacher.set_rate(rate);
        for played in train {
            bags(&played.hands, played.trump, 0, &mut bag);
            let bags: Vec<&[u16]> = bag.iter().map(Vec::as_slice).collect();
            let target = tens(played.code);
            teacher.teach(&bags, |outputs| [(outputs[0] - target).clamp(-6.0, 6.0)]);
        }
        model.deals = teacher.net.clone();
        let error = |played: &PlayedDeal| {
            let mean = mean(&model.deals, &played.hands, played.trump, 0);
            (mean - 10.0 * tens(played.code)).powi(2)
        };
        let square: f32 = test.iter().map(error).sum::<f32>() / test.len().max(1) as f32;
        report(&format!("deals, epoch {}: off by {:.1} points", epoch + 1, square.sqrt()));
    }
    spread(model, &all);
}

/// A typical trump and the side that names it: mostly the longest suit of a seat, sometimes any.
fn trump_of(hands: &[u32; 4], rng: &mut SeededRng) -> (Trump, usize) {
    let seat = rng.below(4) as usize;
    let trump = match rng.below(10) {
        0..2 => Trump::Boy,
        2..5 => Trump::Suit(Suit::ALL[rng.below(4) as usize]),
        _ => {
            let length = |suit: &Suit| (hands[seat] & suit.cards()).count_ones();
            Trump::Suit(Suit::ALL.into_iter().max_by_key(length).unwrap_or(Suit::Spades))
        }
    };
    (trump, seat & 1)
}

fn spread(model: &mut Model, all: &[PlayedDeal]) {
    for boy in 0..2 {
        let mut bins: [Vec<u8>; BINS] = std::array::from_fn(|_| Vec::new());
        for played in all.iter().filter(|it| usize::from(it.trump == Trump::Boy) == boy) {
            bins[bin(mean(&model.deals, &played.hands, played.trump, 0))].push(played.code);
        }
        for (bin, mut codes) in bins.into_iter().enumerate() {
            if codes.len() < 2 * QUANTILES {
                let middle = (10.0 * bin as f32 - 15.0).clamp(0.0, 162.0) as u8;
                codes = vec![middle; QUANTILES];
            }
            // LOST sorts first, SWEPT last.
            codes.sort_unstable_by_key(|code| match *code {
                LOST => 0,
                points => u16::from(points) + 1,
            });
            let at = |n: usize| codes[codes.len() * (2 * n + 1) / (2 * QUANTILES)];
            model.spread[boy][bin] = std::array::from_fn(at);
        }
    }
}
