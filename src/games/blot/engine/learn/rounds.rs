//! Computes the table of chances to win the match from scored auctions of the quick bidder.

use std::collections::BTreeMap;

use super::super::super::action::Deal;
use super::super::super::auction::AuctionCall;
use super::super::super::options::House;
use super::super::super::score::score;
use super::super::auction::auction_features::{AuctionFeatures, trump_index};
use super::super::auction::deals::{self, QUANTILES};
use super::super::auction::model::Model;
use super::super::match_equity::{Equity, RoundPoints};
use crate::search::SeededRng;

/// Fills the table of chances of a model.
pub fn learn(model: &mut Model, rounds: usize, rng: &mut SeededRng, report: &mut dyn FnMut(&str)) {
    let mut results: BTreeMap<RoundPoints, f32> = BTreeMap::new();
    let share = 1.0 / (rounds * QUANTILES) as f32;
    for _ in 0..rounds {
        for result in round(model, rng) {
            *results.entry(result).or_default() += share;
        }
    }
    let results: Vec<(RoundPoints, f32)> = results.into_iter().collect();
    let mean = |side: usize| -> f32 {
        results.iter().map(|(result, share)| f32::from(result[side]) * share).sum()
    };
    report(&format!(
        "rounds: {} results, {:.2} points for the side that calls first, {:.2} for the other",
        results.len(),
        mean(0),
        mean(1)
    ));
    model.equity = Equity::new(&results);
}

/// The possible results of a round of the quick bidder, all equally likely.
fn round(model: &Model, rng: &mut SeededRng) -> [RoundPoints; QUANTILES] {
    let house = House::default();
    let hands = Deal::draw(rng, false).hands;
    let sights = hands.map(|hand| model.sight(hand, &house));
    // Dealer 3: side 0 calls first.
    let mut talk = AuctionFeatures::new(3);
    let mut all = Vec::new();
    while let Some(turn) = talk.auction.turn() {
        model.weigh(&talk, turn, &sights[usize::from(turn)], &house, &mut all);
        let best = all.iter().max_by(|a, b| a.merit.total_cmp(&b.merit));
        talk.call(turn, best.map_or(AuctionCall::Pass, |it| it.call), &house);
    }
    let Some(contract) = talk.standing() else { return [[0, 0]; QUANTILES] };
    let prospects = deals::prospects((&model.deals, &model.spread), &hands, 0, &house);
    let mut results = [[0, 0]; QUANTILES];
    let rounds = prospects[trump_index(contract.bid.trump)].rounds(contract);
    for (result, played) in results.iter_mut().zip(rounds) {
        *result = score(&played, &house).map_or([0, 0], |score| score.points);
    }
    results
}
