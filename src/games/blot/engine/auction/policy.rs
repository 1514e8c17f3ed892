//! Values every call from the estimates of a hand with a few learned weights: the quick bidder. It
//! plays the other seats when an auction is simulated to its end, and its odds are how well a hand
//! agrees with the calls of its owner.

use super::super::super::auction::{AuctionCall, Bid, BidRange, Contract, ContractLevel};
use super::super::super::card::Trump;
use super::super::super::options::House;
use super::super::super::score::stake;
use super::auction_features::{AuctionFeatures, trump_index};
use super::hand_net::{TakeEstimate, TakeEstimates};

/// Number of weights.
pub const WEIGHTS: usize = 65;
/// The weights of the quick bidder.
pub type BidWeights = [f32; WEIGHTS];
/// The typical difference between quick and thinking bidder, in match points.
pub const DOUBT: f32 = 0.9;
/// How many numbers above the lowest are considered.
const NUMBERS: u8 = 20;

/// A possible call and its values.
#[derive(Clone, Copy, Debug)]
pub struct CallEstimate {
    /// The call.
    pub call: AuctionCall,
    /// Its estimated value, in match points above an unknown level.
    pub merit: f32,
    /// Its value if all others pass after it, according to the estimates.
    pub worth: f32,
}

/// The share of a normal distribution below `z`, and its density there.
fn normal(z: f32) -> (f32, f32) {
    let density = 0.398_942_3 * (-0.5 * z * z).exp();
    // Abramowitz and Stegun 26.2.16, accurate to 1e-5.
    let t = 1.0 / (1.0 + 0.332_67 * z.abs());
    let tail = density * t * (0.436_183_6 + t * (-0.120_167_6 + t * 0.937_298));
    (if z > 0.0 { 1.0 - tail } else { tail }, density)
}

/// The value of a contract for the side that bid it, in match points, and the probability that it
/// is made. `takes` is the estimate for that side, `both` the mean of what both sides take
/// together.
pub fn worth(contract: &Contract, takes: TakeEstimate, both: f32, house: &House) -> (f32, f32) {
    let x = f32::from(contract.bid.x);
    let stake = f32::from(stake(contract, house));
    let (below, density) = normal((x - 0.05 - takes.mean) / takes.spread);
    let made = (1.0 - below).max(0.0);
    let melds_mean = both - 16.2;
    let if_failed = stake + 16.0 + melds_mean;
    let value = match contract.level {
        // If made: x and the own points, less the points of the others.
        ContractLevel::Plain => {
            let taken = made * takes.mean + takes.spread * density;
            made * (stake - both) + 2.0 * taken - (1.0 - made) * if_failed
        }
        ContractLevel::Kuansh | ContractLevel::Sur => (2.0 * made - 1.0) * if_failed,
    };
    (value, made)
}

/// The value of a contract for the side of `seat`, and the probability that it is made.
fn worth_for(
    seat: u8,
    contract: &Contract,
    estimates: &[TakeEstimates; 5],
    house: &House,
) -> (f32, f32) {
    let [ours, theirs] = estimates[trump_index(contract.bid.trump)];
    let both = (ours.mean + theirs.mean).max(16.2);
    if contract.seat & 1 == seat & 1 {
        worth(contract, ours, both, house)
    } else {
        let (value, made) = worth(contract, theirs, both, house);
        (-value, made)
    }
}

/// Passes every call that the quick bidder considers to `add_choice`, with its value if all others
/// pass after it and the features of its choice.
pub fn choices(
    talk: &AuctionFeatures,
    seat: u8,
    estimates: &[TakeEstimates; 5],
    house: &House,
    mut add_choice: impl FnMut(AuctionCall, f32, &[(usize, f32)]),
) {
    let standing = talk.standing();
    let auction = &talk.auction;
    add_pass(talk, seat, estimates, house, &mut add_choice);
    for (call, level, base) in [
        (AuctionCall::Kuansh, ContractLevel::Kuansh, 55),
        (AuctionCall::Sur, ContractLevel::Sur, 59),
    ] {
        if let Some(it) = standing.filter(|_| auction.allows(seat, call, house)) {
            let (value, made) = worth_for(seat, &Contract { level, ..it }, estimates, house);
            add_choice(call, value, &word_features(base, value, made));
        }
    }
    let bounds = if auction.turn() == Some(seat) { auction.bounds(house) } else { None };
    let Some(bounds) = bounds else { return };
    for trump in Trump::ALL {
        let low = lowest_number(&bounds);
        // Numbers beyond the reach of the hand are not considered.
        let [ours, _] = estimates[trump_index(trump)];
        let reach = (ours.mean + 0.8 * ours.spread).clamp(0.0, 84.0) as u8;
        let high = reach.clamp(low, low.saturating_add(NUMBERS)).min(bounds.highest);
        for x in low..=high {
            let bid = Bid { x, trump, kaput: bounds.kaput_only };
            if !bounds.hold(bid) {
                continue;
            }
            let (value, features) = bid_choice(talk, seat, estimates, house, bid, x == low);
            add_choice(AuctionCall::Bid(bid), value, &features);
        }
    }
}

/// The lowest number that may be bid in any trump.
fn lowest_number(bounds: &BidRange) -> u8 {
    bounds.lowest.saturating_sub(u8::from(bounds.equal_above.is_some()))
}

/// The value of a bid if all others pass after it, and the features of its choice.
fn bid_choice(
    talk: &AuctionFeatures,
    seat: u8,
    estimates: &[TakeEstimates; 5],
    house: &House,
    bid: Bid,
    is_lowest: bool,
) -> (f32, [(usize, f32); 9]) {
    let kind = match talk.standing() {
        None => 0,
        Some(it) if it.seat & 1 != seat & 1 => {
            if partner_follows(seat, it) {
                1
            } else {
                2
            }
        }
        Some(it) if it.bid.trump == bid.trump => 3,
        Some(_) => 4,
    };
    let contract = Contract { bid, seat, level: ContractLevel::Plain };
    let (value, made) = worth_for(seat, &contract, estimates, house);
    (value, bid_features(20 + 7 * kind, bid, is_lowest, value, made))
}

/// The features of a bid. Its value lies between that of the auction as a whole and that of playing
/// the contract; the higher the bid, the more likely it is played.
fn bid_features(base: usize, bid: Bid, lowest: bool, value: f32, made: f32) -> [(usize, f32); 9] {
    let high = ((f32::from(bid.x) - 8.0) / 8.0).clamp(0.0, 1.0);
    let (value, loss) = (value / 10.0, value.min(0.0) / 10.0);
    [
        (base, 1.0),
        (base + 1, value),
        (base + 2, loss),
        (base + 3, made),
        (base + 4, high),
        (base + 5, high * value),
        (base + 6, high * loss),
        (63, if lowest { 1.0 } else { 0.0 }),
        (64, if bid.kaput { 1.0 } else { 0.0 }),
    ]
}

/// The features of kuansh and sur.
fn word_features(base: usize, value: f32, made: f32) -> [(usize, f32); 4] {
    [(base, 1.0), (base + 1, value / 10.0), (base + 2, value.min(0.0) / 10.0), (base + 3, made)]
}

/// Whether the partner of `seat` still has a call before this contract of the opponents is played.
fn partner_follows(seat: u8, standing: Contract) -> bool {
    (seat + 4 - standing.seat) & 3 == 1
}

fn add_pass(
    talk: &AuctionFeatures,
    seat: u8,
    estimates: &[TakeEstimates; 5],
    house: &House,
    add_choice: &mut impl FnMut(AuctionCall, f32, &[(usize, f32)]),
) {
    let Some(it) = talk.standing() else {
        let place = usize::from((seat + 3 - talk.dealer()) & 3);
        add_choice(AuctionCall::Pass, 0.0, &[(place, 1.0)]);
        return;
    };
    let (value, _) = worth_for(seat, &it, estimates, house);
    let ours = it.seat & 1 == seat & 1;
    let base = match (ours, it.level) {
        (_, ContractLevel::Kuansh | ContractLevel::Sur) => 16,
        (true, ContractLevel::Plain) => 4,
        (false, ContractLevel::Plain) if partner_follows(seat, it) => 8,
        (false, ContractLevel::Plain) => 12,
    };
    let features = [(base, 1.0), (base + 1, value / 10.0), (base + 2, value.min(0.0) / 10.0)];
    add_choice(AuctionCall::Pass, value, &features);
}

/// Fills `all` with every considered call and its merit.
pub fn weigh(
    weights: &BidWeights,
    talk: &AuctionFeatures,
    seat: u8,
    estimates: &[TakeEstimates; 5],
    house: &House,
    all: &mut Vec<CallEstimate>,
) {
    all.clear();
    choices(talk, seat, estimates, house, |call, worth, features| {
        all.push(CallEstimate { call, merit: merit(weights, features), worth });
    });
}

/// A legal bid and its merit, also if the quick bidder would not consider it.
pub fn weigh_bid(
    weights: &BidWeights,
    talk: &AuctionFeatures,
    seat: u8,
    estimates: &[TakeEstimates; 5],
    house: &House,
    bid: Bid,
) -> CallEstimate {
    let bounds = talk.auction.bounds(house);
    let is_lowest = bounds.is_some_and(|bounds| bid.x == lowest_number(&bounds));
    let (worth, features) = bid_choice(talk, seat, estimates, house, bid, is_lowest);
    CallEstimate { call: AuctionCall::Bid(bid), merit: merit(weights, &features), worth }
}

fn merit(weights: &BidWeights, features: &[(usize, f32)]) -> f32 {
    features.iter().map(|(at, value)| weights[*at] * value).sum()
}

/// Replaces the merits by probabilities.
pub fn odds(all: &mut [CallEstimate]) {
    let top = all.iter().fold(f32::MIN, |top, it| top.max(it.merit));
    let mut sum = 0.0;
    for it in all.iter_mut() {
        it.merit = ((it.merit - top) / DOUBT).exp();
        sum += it.merit;
    }
    all.iter_mut().for_each(|it| it.merit /= sum);
}

/// Weights before any training: the value of a call if all others pass after it.
pub fn untaught() -> BidWeights {
    let mut weights = [0.0; WEIGHTS];
    for value_at in [5, 9, 13, 17, 21, 28, 35, 42, 49, 56, 60] {
        weights[value_at] = 10.0;
    }
    // A kuansh or a bid over the partner needs a clear advantage.
    for constant_at in [41, 48, 55] {
        weights[constant_at] = -1.0;
    }
    weights
}
