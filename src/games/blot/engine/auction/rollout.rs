//! Bidding by thinking the auction to its end: deals in agreement with what was said, the others
//! bid on as the quick bidder does, and the contract that comes of it is scored.

use super::super::super::action::Deal;
use super::super::super::auction::{Bid, Call, Contract, Level};
use super::super::super::card::{Trump, each};
use super::super::super::options::House;
use super::super::super::score::{Score, score};
use super::deals::{self, Prospect};
use super::hands::Sight;
use super::listen::Listener;
use super::model::Model;
use super::policy::{self, Weighed};
use super::talk::{Talk, at};
use crate::rules::Entropy;
use crate::search::{Budget, Numbers};

/// What a round is worth for a side: match points more than the others, or better.
pub type Utility<'a> = &'a dyn Fn(&Score, Contract) -> f32;

/// How much is thought.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Deals that are drawn.
    pub drawn: usize,
    /// Deals that are kept of them, by how well they agree with the calls.
    pub kept: usize,
    /// Calls that are compared.
    pub calls: usize,
}

/// A deal that may be, with what each trump brings in it.
struct World {
    sights: [Sight; 4],
    prospects: [Prospect; 5],
}

/// What is known when a call is to be chosen.
pub struct Asked<'a> {
    /// Who is asked.
    pub seat: u8,
    /// The hand.
    pub hand: u32,
    /// What was said.
    pub listener: &'a Listener<'a>,
    /// The house rules.
    pub house: &'a House,
    /// What a scored round is worth for side 0.
    pub utility: Utility<'a>,
    /// What it is worth for side 0 when nobody bids.
    pub thrown_in: f32,
}

/// A call and what it came to.
#[derive(Clone, Copy, Debug)]
pub struct Valued {
    /// What is said.
    pub call: Call,
    /// What it is worth on the average for the side that was asked.
    pub value: f32,
}

/// Draws hands for the other three, all equally likely.
pub fn draw(seat: u8, hand: u32, numbers: &mut Numbers) -> [u32; 4] {
    let mut cards: Vec<u32> = each(!hand).map(|card| card.bit()).collect();
    let mut hands = [0; 4];
    hands[usize::from(seat)] = hand;
    for other in 1..4u8 {
        let at = usize::from((seat + other) & 3);
        for _ in 0..8 {
            let n = numbers.below(u32::try_from(cards.len()).unwrap_or(1)) as usize;
            hands[at] |= cards.swap_remove(n);
        }
    }
    hands
}

/// Hands in agreement with what was said: many are drawn, some kept.
pub fn agreeing(asked: &Asked<'_>, model: &Model, effort: Effort, numbers: &mut Numbers) -> Vec<[u32; 4]> {
    let spoken = !asked.listener.talk.auction.calls().is_empty();
    let drawn = if spoken { effort.drawn } else { effort.kept };
    let mut all = Vec::with_capacity(drawn);
    let mut sum = 0.0;
    let mut buffer = Vec::new();
    for _ in 0..drawn {
        let hands = draw(asked.seat, asked.hand, numbers);
        let mut weight = 1.0;
        for other in (0..4u8).filter(|it| *it != asked.seat && spoken) {
            if !asked.listener.has_spoken(other) {
                continue;
            }
            let sight = model.sight(hands[usize::from(other)], asked.house);
            weight *= asked.listener.weight_of(other, &sight, &mut buffer);
        }
        sum += weight;
        all.push((sum, hands));
    }
    let step = sum / effort.kept as f32;
    let first = step * (numbers.below(1 << 20) as f32 + 0.5) / (1u32 << 20) as f32;
    let mut at = 0;
    (0..effort.kept)
        .map(|n| {
            let place = first + step * n as f32;
            while at + 1 < all.len() && all[at].0 < place {
                at += 1;
            }
            all[at].1
        })
        .collect()
}

impl World {
    fn new(hands: &[u32; 4], model: &Model, leader: u8, house: &House) -> Self {
        Self {
            sights: hands.map(|hand| model.sight(hand, house)),
            prospects: deals::prospects((&model.deals, &model.spread), hands, leader, house),
        }
    }

    /// What it is worth for side 0 that the auction has ended so.
    fn value(&self, standing: Option<Contract>, asked: &Asked<'_>) -> f32 {
        let Some(contract) = standing else { return asked.thrown_in };
        let rounds = self.prospects[at(contract.bid.trump)].rounds(contract);
        let scores = rounds.filter_map(|played| score(&played, asked.house));
        let sum: f32 = scores.map(|score| (asked.utility)(&score, contract)).sum();
        sum / deals::QUANTILES as f32
    }

    /// The auction as the quick bidder would end it after this call.
    fn finish(&self, call: Call, asked: &Asked<'_>, model: &Model, all: &mut Vec<Weighed>) -> Option<Contract> {
        let mut talk: Talk = asked.listener.talk.clone();
        talk.call(asked.seat, call, asked.house);
        while let Some(turn) = talk.auction.turn() {
            model.weigh(&talk, turn, &self.sights[usize::from(turn)], asked.house, all);
            let best = all.iter().max_by(|a, b| a.merit.total_cmp(&b.merit));
            talk.call(turn, best.map_or(Call::Pass, |it| it.call), asked.house);
        }
        talk.standing()
    }
}

/// The calls that are worth a thought: the best of the quick bidder, every one that only needs a
/// word, and kaput in the best trumps.
pub fn candidates(asked: &Asked<'_>, model: &Model, calls: usize) -> Vec<Call> {
    let talk = &asked.listener.talk;
    let sight = model.sight(asked.hand, asked.house);
    let mut all = Vec::new();
    model.weigh(talk, asked.seat, &sight, asked.house, &mut all);
    all.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    let is_word = |call: Call| !matches!(call, Call::Bid(_));
    let mut chosen: Vec<Call> = all.iter().map(|it| it.call).filter(|it| is_word(*it)).collect();
    let bids = all.iter().map(|it| it.call).filter(|call| !is_word(*call));
    chosen.extend(bids.take(calls));
    chosen
}

/// Every candidate with its value, in the order of [`candidates`].
pub fn think(
    asked: &Asked<'_>,
    model: &Model,
    effort: Effort,
    budget: &Budget<'_>,
    numbers: &mut Numbers,
) -> Vec<Valued> {
    let calls = candidates(asked, model, effort.calls);
    let mut values: Vec<Valued> = calls.iter().map(|call| Valued { call: *call, value: 0.0 }).collect();
    let leader = (asked.listener.talk.dealer() + 1) & 3;
    let sign = if asked.seat & 1 == 0 { 1.0 } else { -1.0 };
    let mut seen = 0;
    let mut buffer = Vec::new();
    for hands in agreeing(asked, model, effort, numbers) {
        let world = World::new(&hands, model, leader, asked.house);
        for valued in &mut values {
            let end = world.finish(valued.call, asked, model, &mut buffer);
            valued.value += sign * world.value(end, asked);
        }
        seen += 1;
        if budget.is_over() {
            break;
        }
    }
    values.iter_mut().for_each(|it| it.value /= seen.max(1) as f32);
    values
}
