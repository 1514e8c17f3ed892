//! Tracks the calls of an auction and turns them into features for the networks.

use super::super::super::auction::{Auction, AuctionCall, Bid, Contract, ContractLevel};
use super::super::super::card::Trump;
use super::super::super::options::House;

/// The calls of one seat, summarised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SeatCalls {
    /// The last bid in each trump: its number and how far it is above the lowest possible one.
    bids: [Option<(u8, u8)>; 5],
    /// The trump of its last bid.
    last: Option<u8>,
    /// The situation of its first pass, as a feature; 0 if it has not passed.
    passed: u8,
}

/// The auction so far, with a summary of the calls of each seat.
#[derive(Clone, Debug)]
pub struct AuctionFeatures {
    /// The auction itself: the seat to call and the legal calls.
    pub auction: Auction,
    dealer: u8,
    seats: [SeatCalls; 4],
}

/// The index of a trump in arrays by trump.
pub fn trump_index(trump: Trump) -> usize {
    trump.suit().map_or(4, |suit| suit as usize)
}

/// Number of features of one other seat.
const SEAT: usize = 8 + 4 + 1 + 8 + 1 + 8;
/// Number of features of the auction for one trump.
const TALK: usize = 4 + 3 * SEAT + 3 + 7;

/// Number of features of the auction; the features of boy follow those of a suit.
pub const FEATURES: usize = 2 * TALK;

/// Groups bid numbers that mean about the same.
fn bucket(x: u8) -> usize {
    match x {
        0..=8 => 0,
        9 => 1,
        10 => 2,
        11 => 3,
        12..=13 => 4,
        14..=15 => 5,
        16..=18 => 6,
        _ => 7,
    }
}

impl AuctionFeatures {
    /// An auction without calls.
    pub fn new(dealer: u8) -> Self {
        Self { auction: Auction::new(dealer), dealer, seats: [SeatCalls::default(); 4] }
    }

    /// The dealer.
    pub fn dealer(&self) -> u8 {
        self.dealer
    }

    /// The standing bid.
    pub fn standing(&self) -> Option<Contract> {
        self.auction.standing()
    }

    /// Adds a call.
    pub fn call(&mut self, seat: u8, call: AuctionCall, house: &House) {
        let standing = self.standing();
        let calls = &mut self.seats[usize::from(seat & 3)];
        match call {
            AuctionCall::Bid(Bid { x, trump, .. }) => {
                let lowest = standing.map_or(house.min_bid, |it| it.bid.x + 1);
                calls.bids[trump_index(trump)] = Some((x, x.saturating_sub(lowest)));
                calls.last = Some(trump_index(trump) as u8);
            }
            AuctionCall::Pass if calls.passed == 0 => calls.passed = passed_over(standing, seat),
            AuctionCall::Pass | AuctionCall::Kuansh | AuctionCall::Sur => {}
        }
        self.auction.call(seat, call, house);
    }

    /// Passes the features of the auction, from the point of view of `seat` and for play with this
    /// trump, to `add_feature`.
    pub fn features(&self, seat: u8, trump: Trump, mut add_feature: impl FnMut(usize)) {
        let base = if trump == Trump::Boy { TALK } else { 0 };
        let place = (seat + 3 - self.dealer) & 3;
        add_feature(base + usize::from(place));
        for other in 1..4u8 {
            let calls = &self.seats[usize::from((seat + other) & 3)];
            let base = base + 4 + usize::from(other - 1) * SEAT;
            calls.features(trump, |feature| add_feature(base + feature));
        }
        let base = base + 4 + 3 * SEAT;
        let own = &self.seats[usize::from(seat & 3)];
        if own.bids[trump_index(trump)].is_some() {
            add_feature(base);
        }
        if own.last.is_some_and(|last| usize::from(last) != trump_index(trump)) {
            add_feature(base + 1);
        }
        if own.passed > 0 {
            add_feature(base + 2);
        }
        let state = self.standing().map_or(0, |it| {
            let ours = usize::from(it.seat & 1 == seat & 1);
            1 + 2 * it.level as usize + ours
        });
        add_feature(base + 3 + state);
    }
}

impl SeatCalls {
    fn features(&self, trump: Trump, mut add_feature: impl FnMut(usize)) {
        match self.bids[trump_index(trump)] {
            Some((x, jump)) => {
                add_feature(bucket(x));
                add_feature(8 + usize::from(jump.min(3)));
            }
            None => add_feature(12),
        }
        if let Some(other) = self.last.map(usize::from).filter(|last| *last != trump_index(trump)) {
            add_feature(13 + bucket(self.bids[other].map_or(0, |(x, _)| x)));
            if other == trump_index(Trump::Boy) {
                add_feature(21);
            }
        }
        add_feature(22 + usize::from(self.passed));
    }
}

/// The feature of a pass: over no bid, over a low or high bid of the partner or of the opponents,
/// or over kuansh or sur.
fn passed_over(standing: Option<Contract>, seat: u8) -> u8 {
    let Some(it) = standing else { return 1 };
    if it.level != ContractLevel::Plain {
        return 7;
    }
    match (it.seat & 1 == seat & 1, it.bid.x) {
        (true, 0..=10) => 2,
        (true, _) => 3,
        (false, 0..=8) => 4,
        (false, 9..=11) => 5,
        (false, _) => 6,
    }
}
