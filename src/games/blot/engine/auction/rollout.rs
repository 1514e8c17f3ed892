//! Bidding by thinking the auction to its end: deals in agreement with what was said, the others
//! bid on as the quick bidder does, and the contract that comes of it is scored.

use super::super::super::auction::{AuctionCall, Bid, Contract};
use super::super::super::card::each;
use super::super::super::options::House;
use super::super::super::score::{RoundScore, score};
use super::auction_features::{AuctionFeatures, trump_index};
use super::call_inference::CallListener;
use super::deals::{self, Prospect};
use super::hand_net::HandSums;
use super::model::Model;
use super::policy::Weighed;
use crate::rules::Entropy;
use crate::search::{SeededRng, ThinkBudget};

/// How often nobody says anything more where the quick bidder would. Bidders that only ever met
/// themselves would open on anything, sure of being overbid.
const SURPRISE: f32 = 0.2;

/// What a round is worth for a side: match points more than the others, or better.
pub type Utility<'a> = &'a dyn Fn(&RoundScore, Contract) -> f32;

/// How much is thought.
#[derive(Clone, Copy, Debug)]
pub struct BidEffort {
    /// Deals that are drawn.
    pub drawn: usize,
    /// Deals that are kept of them, by how well they agree with the calls.
    pub kept: usize,
    /// Calls that are compared.
    pub calls: usize,
}

/// To look at a deal takes as long as at so many positions when cards are played.
const DEAL: u64 = 120;

/// Deals below which nothing can be said.
const DEALS_MIN: usize = 8;

impl BidEffort {
    /// No more than may be looked at.
    pub fn within(self, budget: &ThinkBudget<'_>) -> BidEffort {
        let most = usize::try_from(budget.nodes_max() / DEAL).unwrap_or(usize::MAX);
        let kept = self.kept.min(most).max(DEALS_MIN.min(self.kept));
        BidEffort { kept, drawn: (self.drawn * kept).div_ceil(self.kept.max(1)), ..self }
    }
}

/// A deal that may be, with what each trump brings in it.
struct BidWorld {
    sights: [HandSums; 4],
    prospects: [Prospect; 5],
}

/// What is known when a call is to be chosen.
pub struct BidQuestion<'a> {
    /// Who is asked.
    pub seat: u8,
    /// The hand.
    pub hand: u32,
    /// What was said.
    pub listener: &'a CallListener<'a>,
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
    pub call: AuctionCall,
    /// What it is worth on the average for the side that was asked.
    pub value: f32,
}

/// Draws hands for the other three, all equally likely.
pub fn draw(seat: u8, hand: u32, numbers: &mut SeededRng) -> [u32; 4] {
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
pub fn agreeing(
    asked: &BidQuestion<'_>,
    model: &Model,
    effort: BidEffort,
    budget: &ThinkBudget<'_>,
    numbers: &mut SeededRng,
) -> Vec<[u32; 4]> {
    let spoken = !asked.listener.talk.auction.calls().is_empty();
    let drawn = if spoken { effort.drawn } else { effort.kept };
    let mut all = Vec::with_capacity(drawn);
    let mut sum = 0.0;
    let mut buffer = Vec::new();
    for n in 0..drawn {
        if n % 32 == 31 && budget.is_over() {
            break;
        }
        let hands = draw(asked.seat, asked.hand, numbers);
        let mut weight = 1.0;
        for other in (0..4u8).filter(|it| *it != asked.seat && spoken) {
            if !asked.listener.has_spoken(other) {
                continue;
            }
            let sight = model.sight(hands[usize::from(other)], asked.house);
            weight *= asked.listener.weight_of(other, &sight, &mut buffer);
            // Hardly possible: the other hands need no look.
            if weight * (all.len() as f32) < 1e-3 * sum {
                weight = 0.0;
                break;
            }
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

impl BidWorld {
    fn new(hands: &[u32; 4], model: &Model, leader: u8, house: &House) -> Self {
        Self {
            sights: hands.map(|hand| model.sight(hand, house)),
            prospects: deals::prospects((&model.deals, &model.spread), hands, leader, house),
        }
    }

    /// What it is worth for side 0 that the auction has ended so.
    fn value(&self, standing: Option<Contract>, asked: &BidQuestion<'_>) -> f32 {
        let Some(contract) = standing else { return asked.thrown_in };
        let rounds = self.prospects[trump_index(contract.bid.trump)].rounds(contract);
        let scores = rounds.filter_map(|played| score(&played, asked.house));
        let sum: f32 = scores.map(|score| (asked.utility)(&score, contract)).sum();
        sum / deals::QUANTILES as f32
    }

    /// What it is worth for side 0 that this is said.
    fn value_of(
        &self,
        call: AuctionCall,
        asked: &BidQuestion<'_>,
        model: &Model,
        all: &mut Vec<Weighed>,
    ) -> f32 {
        let mut talk: AuctionFeatures = asked.listener.talk.clone();
        talk.call(asked.seat, call, asked.house);
        let stopped = self.value(talk.standing(), asked);
        let ended = self.value(self.finish(talk, asked, model, all), asked);
        SURPRISE * stopped + (1.0 - SURPRISE) * ended
    }

    /// The auction as the quick bidder would end it.
    fn finish(
        &self,
        mut talk: AuctionFeatures,
        asked: &BidQuestion<'_>,
        model: &Model,
        all: &mut Vec<Weighed>,
    ) -> Option<Contract> {
        while let Some(turn) = talk.auction.turn() {
            model.weigh(&talk, turn, &self.sights[usize::from(turn)], asked.house, all);
            let best = all.iter().max_by(|a, b| a.merit.total_cmp(&b.merit));
            talk.call(turn, best.map_or(AuctionCall::Pass, |it| it.call), asked.house);
        }
        talk.standing()
    }
}

/// The calls that are worth a thought, each with the merit that the quick bidder sees in it: its
/// best, every one that only needs a word, and the same with kaput. The first is its choice.
pub fn candidates(asked: &BidQuestion<'_>, model: &Model, calls: usize) -> Vec<Weighed> {
    let talk = &asked.listener.talk;
    let sight = model.sight(asked.hand, asked.house);
    let mut all = Vec::new();
    model.weigh(talk, asked.seat, &sight, asked.house, &mut all);
    all.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    let highest = |all: &[Weighed]| -> Option<(Bid, f32)> {
        let bids = all.iter().filter_map(|it| match it.call {
            AuctionCall::Bid(bid) => Some((bid, it.worth)),
            AuctionCall::Kuansh | AuctionCall::Pass | AuctionCall::Sur => None,
        });
        bids.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    // What would be best if nobody spoke after it, and what lies on the way there.
    let peak = highest(&all).map(|(bid, _)| bid);
    let lowest = talk.auction.bounds(asked.house).map_or(0, |bounds| bounds.lowest);
    let on_the_way = |bid: Bid| {
        peak.is_some_and(|peak| {
            let middle = (peak.x + lowest) / 2;
            bid.trump == peak.trump && (bid.x == peak.x || bid.x == middle || bid.x + 1 == peak.x)
        })
    };
    let mut bids = 0;
    let mut chosen: Vec<Weighed> = Vec::with_capacity(calls + 8);
    for it in all {
        if let AuctionCall::Bid(bid) = it.call {
            bids += 1;
            if bids > calls && !on_the_way(bid) {
                continue;
            }
        }
        chosen.push(it);
    }
    let kaput = |it: &Weighed| match it.call {
        AuctionCall::Bid(bid) if !bid.kaput => {
            let call = AuctionCall::Bid(Bid { kaput: true, ..bid });
            Some(Weighed { call, merit: it.merit - 1.0, worth: it.worth })
        }
        AuctionCall::Bid(_) | AuctionCall::Kuansh | AuctionCall::Pass | AuctionCall::Sur => None,
    };
    let allowed = |it: &Weighed| talk.auction.allows(asked.seat, it.call, asked.house);
    let kaputs: Vec<Weighed> = chosen.iter().filter_map(kaput).filter(allowed).collect();
    chosen.extend(kaputs);
    chosen
}

/// What the deals thought of so far say about some calls.
pub struct Tally {
    /// The calls, the first as a measure of the others.
    calls: Vec<Weighed>,
    /// How much better than the first each was: sum and sum of squares.
    better: Vec<(f64, f64)>,
    /// What the first was worth.
    first: f64,
    /// Deals thought of.
    pub seen: usize,
}

/// How far the quick bidder's merits are to be trusted: a standard deviation in match points.
pub const TRUST: f32 = 2.5;

/// How far the thinking bidder is wrong however many deals it looks at: others do not always
/// believe and answer as the quick bidder does.
pub const ERROR: f32 = 2.0;

impl Tally {
    /// Nothing known but merits.
    pub fn new(calls: Vec<Weighed>) -> Self {
        let better = vec![(0.0, 0.0); calls.len()];
        Self { calls, better, first: 0.0, seen: 0 }
    }

    /// Every call with what it is worth: what was seen, weighed against the merits it had before.
    /// `trust` is the standard error of merits, `error` that of the thinking itself, which takes
    /// the others for quick bidders; both in match points.
    pub fn values(&self, trust: f32, error: f32) -> Vec<Valued> {
        let n = self.seen.max(1) as f64;
        let prior = 1.0 / f64::from(trust * trust);
        let value = |(it, (sum, squares)): (&Weighed, &(f64, f64))| {
            let before = f64::from(it.merit - self.calls[0].merit);
            let mean = sum / n;
            // Kept deals repeat, so there is less in them than their number says.
            let noise = (2.0 * (squares / n - mean * mean) / n).max(0.01);
            let noise = noise + f64::from(error * error);
            let better = (before * prior + mean / noise) / (prior + 1.0 / noise);
            Valued { call: it.call, value: (self.first / n + better) as f32 }
        };
        self.calls.iter().zip(&self.better).map(value).collect()
    }

    /// What was looked at so far, in positions.
    pub fn nodes(&self) -> u64 {
        self.seen as u64 * DEAL
    }

    /// Looks at some more deals.
    pub fn explore(
        &mut self,
        asked: &BidQuestion<'_>,
        model: &Model,
        effort: BidEffort,
        budget: &ThinkBudget<'_>,
        numbers: &mut SeededRng,
    ) {
        let leader = (asked.listener.talk.dealer() + 1) & 3;
        let sign = if asked.seat & 1 == 0 { 1.0 } else { -1.0 };
        let mut buffer = Vec::new();
        for hands in agreeing(asked, model, effort, budget, numbers) {
            let world = BidWorld::new(&hands, model, leader, asked.house);
            let mut first = 0.0;
            for (n, it) in self.calls.iter().enumerate() {
                let value = f64::from(sign * world.value_of(it.call, asked, model, &mut buffer));
                if n == 0 {
                    first = value;
                    self.first += value;
                }
                let better = value - first;
                self.better[n].0 += better;
                self.better[n].1 += better * better;
            }
            self.seen += 1;
            if budget.is_spent(self.nodes()) {
                break;
            }
        }
    }
}

/// The best of them.
pub fn best(values: &[Valued]) -> Option<Valued> {
    values.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value))
}
