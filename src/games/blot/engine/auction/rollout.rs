//! Values calls by simulating the auction to its end: deals are drawn that agree with the calls,
//! the quick bidder bids on for all seats, and the resulting contract is scored.

use super::super::super::auction::{AuctionCall, Bid, Contract};
use super::super::super::card::each;
use super::super::super::options::House;
use super::super::super::score::{RoundScore, score};
use super::auction_features::{AuctionFeatures, trump_index};
use super::call_inference::CallListener;
use super::deals::{self, DealOutcomes};
use super::hand_net::HandSums;
use super::model::Model;
use super::policy::CallEstimate;
use crate::rules::Entropy;
use crate::search::{SeededRng, ThinkBudget};

/// The probability that all others pass where the quick bidder would bid. Without it, bidders
/// trained only on self-play would open on anything, expecting to be overbid.
const SURPRISE: f32 = 0.2;

/// The value of a round for a side: the difference in match points, or a better measure.
pub type Utility<'a> = &'a dyn Fn(&RoundScore, Contract) -> f32;

/// The effort of the thinking bidder.
#[derive(Clone, Copy, Debug)]
pub struct BidEffort {
    /// Number of deals that are drawn.
    pub drawn: usize,
    /// Number of deals that are kept, by how well they agree with the calls.
    pub kept: usize,
    /// Number of calls that are compared.
    pub calls: usize,
}

/// The cost of one deal, in positions of card play.
const DEAL: u64 = 120;

/// The fewest deals that give a usable result.
const DEALS_MIN: usize = 8;

impl BidEffort {
    /// The effort reduced to the limit of positions.
    pub fn within(self, budget: &ThinkBudget<'_>) -> BidEffort {
        let most = usize::try_from(budget.nodes_max() / DEAL).unwrap_or(usize::MAX);
        let kept = self.kept.min(most).max(DEALS_MIN.min(self.kept));
        BidEffort { kept, drawn: (self.drawn * kept).div_ceil(self.kept.max(1)), ..self }
    }
}

/// A possible deal with its possible results for each trump.
struct BidWorld {
    sights: [HandSums; 4],
    prospects: [DealOutcomes; 5],
}

/// Everything that is known when a call is chosen.
pub struct BidQuestion<'a> {
    /// The seat to call.
    pub seat: u8,
    /// Its hand.
    pub hand: u32,
    /// The calls so far.
    pub listener: &'a CallListener<'a>,
    /// The house rules.
    pub house: &'a House,
    /// The value of a scored round for side 0.
    pub utility: Utility<'a>,
    /// The value for side 0 if nobody bids.
    pub thrown_in: f32,
}

/// A call and its simulated value.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedCall {
    /// The call.
    pub call: AuctionCall,
    /// Its mean value for the side of the seat to call.
    pub value: f32,
}

/// Draws hands for the other three seats, all equally likely.
pub fn draw(seat: u8, hand: u32, rng: &mut SeededRng) -> [u32; 4] {
    let mut cards: Vec<u32> = each(!hand).map(|card| card.bit()).collect();
    let mut hands = [0; 4];
    hands[usize::from(seat)] = hand;
    for other in 1..4u8 {
        let at = usize::from((seat + other) & 3);
        for _ in 0..8 {
            let n = rng.below(u32::try_from(cards.len()).unwrap_or(1)) as usize;
            hands[at] |= cards.swap_remove(n);
        }
    }
    hands
}

/// Draws many deals and keeps some of them, in proportion to how well they agree with the calls.
pub fn agreeing(
    question: &BidQuestion<'_>,
    model: &Model,
    effort: BidEffort,
    budget: &ThinkBudget<'_>,
    rng: &mut SeededRng,
) -> Vec<[u32; 4]> {
    let has_calls = !question.listener.talk.auction.calls().is_empty();
    let drawn = if has_calls { effort.drawn } else { effort.kept };
    let mut all = Vec::with_capacity(drawn);
    let mut sum = 0.0;
    let mut buffer = Vec::new();
    for n in 0..drawn {
        if n % 32 == 31 && budget.is_over() {
            break;
        }
        let hands = draw(question.seat, question.hand, rng);
        let mut weight = 1.0;
        for other in (0..4u8).filter(|it| *it != question.seat && has_calls) {
            if !question.listener.has_spoken(other) {
                continue;
            }
            let sight = model.sight(hands[usize::from(other)], question.house);
            weight *= question.listener.weight_of(other, &sight, &mut buffer);
            // Almost impossible: the other hands need not be checked.
            if weight * (all.len() as f32) < 1e-3 * sum {
                weight = 0.0;
                break;
            }
        }
        sum += weight;
        all.push((sum, hands));
    }
    let step = sum / effort.kept as f32;
    let first = step * (rng.below(1 << 20) as f32 + 0.5) / (1u32 << 20) as f32;
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

    /// The value for side 0 if the auction ends with this contract.
    fn value(&self, standing: Option<Contract>, question: &BidQuestion<'_>) -> f32 {
        let Some(contract) = standing else { return question.thrown_in };
        let rounds = self.prospects[trump_index(contract.bid.trump)].rounds(contract);
        let scores = rounds.filter_map(|played| score(&played, question.house));
        let sum: f32 = scores.map(|score| (question.utility)(&score, contract)).sum();
        sum / deals::QUANTILES as f32
    }

    /// The value of a call for side 0.
    fn value_of(
        &self,
        call: AuctionCall,
        question: &BidQuestion<'_>,
        model: &Model,
        all: &mut Vec<CallEstimate>,
    ) -> f32 {
        let mut talk: AuctionFeatures = question.listener.talk.clone();
        talk.call(question.seat, call, question.house);
        let stopped = self.value(talk.standing(), question);
        let ended = self.value(self.finish(talk, question, model, all), question);
        SURPRISE * stopped + (1.0 - SURPRISE) * ended
    }

    /// The contract in which the quick bidder ends the auction.
    fn finish(
        &self,
        mut talk: AuctionFeatures,
        question: &BidQuestion<'_>,
        model: &Model,
        all: &mut Vec<CallEstimate>,
    ) -> Option<Contract> {
        while let Some(turn) = talk.auction.turn() {
            model.weigh(&talk, turn, &self.sights[usize::from(turn)], question.house, all);
            let best = all.iter().max_by(|a, b| a.merit.total_cmp(&b.merit));
            talk.call(turn, best.map_or(AuctionCall::Pass, |it| it.call), question.house);
        }
        talk.standing()
    }
}

/// The calls to simulate, each with the merit that the quick bidder gives it: the best bids, every
/// pass, kuansh and sur, and the same bids with kaput. The first is the choice of the quick bidder.
pub fn candidates(question: &BidQuestion<'_>, model: &Model, calls: usize) -> Vec<CallEstimate> {
    let talk = &question.listener.talk;
    let sight = model.sight(question.hand, question.house);
    let mut all = Vec::new();
    model.weigh(talk, question.seat, &sight, question.house, &mut all);
    all.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    let highest = |all: &[CallEstimate]| -> Option<(Bid, f32)> {
        let bids = all.iter().filter_map(|it| match it.call {
            AuctionCall::Bid(bid) => Some((bid, it.worth)),
            AuctionCall::Kuansh | AuctionCall::Pass | AuctionCall::Sur => None,
        });
        bids.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    // Also the best bid if all others pass after it, and bids on the way to it.
    let peak = highest(&all).map(|(bid, _)| bid);
    let lowest = talk.auction.bounds(question.house).map_or(0, |bounds| bounds.lowest);
    let is_on_the_way = |bid: Bid| {
        peak.is_some_and(|peak| {
            let middle = (peak.x + lowest) / 2;
            bid.trump == peak.trump && (bid.x == peak.x || bid.x == middle || bid.x + 1 == peak.x)
        })
    };
    let mut bids = 0;
    let mut chosen: Vec<CallEstimate> = Vec::with_capacity(calls + 8);
    for it in all {
        if let AuctionCall::Bid(bid) = it.call {
            bids += 1;
            if bids > calls && !is_on_the_way(bid) {
                continue;
            }
        }
        chosen.push(it);
    }
    let kaput = |it: &CallEstimate| match it.call {
        AuctionCall::Bid(bid) if !bid.kaput => {
            let call = AuctionCall::Bid(Bid { kaput: true, ..bid });
            Some(CallEstimate { call, merit: it.merit - 1.0, worth: it.worth })
        }
        AuctionCall::Bid(_) | AuctionCall::Kuansh | AuctionCall::Pass | AuctionCall::Sur => None,
    };
    let allowed = |it: &CallEstimate| talk.auction.allows(question.seat, it.call, question.house);
    let kaputs: Vec<CallEstimate> = chosen.iter().filter_map(kaput).filter(allowed).collect();
    chosen.extend(kaputs);
    chosen
}

/// The legal bids among these calls, for questions about bids that [`candidates`] leaves out. Each
/// has the merit that the quick bidder gives it, the best is first, and there are at most `calls`.
pub fn bids_asked_for(
    question: &BidQuestion<'_>,
    model: &Model,
    asked: impl Iterator<Item = AuctionCall>,
    calls: usize,
) -> Vec<CallEstimate> {
    let talk = &question.listener.talk;
    let allowed = |it: &AuctionCall| talk.auction.allows(question.seat, *it, question.house);
    let bids = asked.filter(allowed).filter_map(|it| match it {
        AuctionCall::Bid(bid) => Some(bid),
        AuctionCall::Kuansh | AuctionCall::Pass | AuctionCall::Sur => None,
    });
    let sight = model.sight(question.hand, question.house);
    let mut all = model.weigh_bids(talk, question.seat, &sight, question.house, bids);
    all.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    all.truncate(calls);
    all
}

/// The simulated values of some calls so far.
pub struct Tally {
    /// The calls; the others are compared with the first.
    calls: Vec<CallEstimate>,
    /// The differences to the first call: sum and sum of squares.
    better: Vec<(f64, f64)>,
    /// The sum of the values of the first call.
    first: f64,
    /// Number of simulated deals.
    pub seen: usize,
}

/// The standard deviation of the quick bidder's merits, in match points.
pub const TRUST: f32 = 2.5;

/// The standard deviation of the thinking bidder for any number of deals, in match points: others
/// do not always bid as the quick bidder does.
pub const ERROR: f32 = 2.0;

impl Tally {
    /// Before any simulation: only the merits are known.
    pub fn new(calls: Vec<CallEstimate>) -> Self {
        let better = vec![(0.0, 0.0); calls.len()];
        Self { calls, better, first: 0.0, seen: 0 }
    }

    /// Every call with its value: the simulated value combined with its merit. `trust` is the
    /// standard error of merits, `error` that of the simulation, which takes all others for quick
    /// bidders; both in match points.
    pub fn values(&self, trust: f32, error: f32) -> Vec<SimulatedCall> {
        let n = self.seen.max(1) as f64;
        let prior = 1.0 / f64::from(trust * trust);
        let value = |(it, (sum, squares)): (&CallEstimate, &(f64, f64))| {
            let before = f64::from(it.merit - self.calls[0].merit);
            let mean = sum / n;
            // Kept deals repeat, so the noise is larger than their number suggests.
            let noise = (2.0 * (squares / n - mean * mean) / n).max(0.01);
            let noise = noise + f64::from(error * error);
            let better = (before * prior + mean / noise) / (prior + 1.0 / noise);
            SimulatedCall { call: it.call, value: (self.first / n + better) as f32 }
        };
        self.calls.iter().zip(&self.better).map(value).collect()
    }

    /// The effort so far, in positions.
    pub fn nodes(&self) -> u64 {
        self.seen as u64 * DEAL
    }

    /// Simulates a batch of deals.
    pub fn explore(
        &mut self,
        question: &BidQuestion<'_>,
        model: &Model,
        effort: BidEffort,
        budget: &ThinkBudget<'_>,
        rng: &mut SeededRng,
    ) {
        let leader = (question.listener.talk.dealer() + 1) & 3;
        let sign = if question.seat & 1 == 0 { 1.0 } else { -1.0 };
        let mut buffer = Vec::new();
        for hands in agreeing(question, model, effort, budget, rng) {
            let world = BidWorld::new(&hands, model, leader, question.house);
            let mut first = 0.0;
            for (n, it) in self.calls.iter().enumerate() {
                let value = f64::from(sign * world.value_of(it.call, question, model, &mut buffer));
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

/// The call with the highest value.
pub fn best(values: &[SimulatedCall]) -> Option<SimulatedCall> {
    values.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value))
}
