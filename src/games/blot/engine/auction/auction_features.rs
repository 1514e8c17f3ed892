//! What the auction has told so far, and the features that the networks read of it.

use super::super::super::auction::{Auction, AuctionCall, Bid, Contract, ContractLevel};
use super::super::super::card::Trump;
use super::super::super::options::House;

/// What one seat has said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SeatCalls {
    /// The last bid in each trump: its number and how far above the lowest possible.
    bids: [Option<(u8, u8)>; 5],
    /// The trump of its last bid.
    last: Option<u8>,
    /// What it passed first, as a feature; 0 when it has not passed.
    passed: u8,
}

/// The auction so far, as a list of calls and as what they tell.
#[derive(Clone, Debug)]
pub struct AuctionFeatures {
    /// The auction itself: whose turn, what is allowed.
    pub auction: Auction,
    dealer: u8,
    said: [SeatCalls; 4],
}

/// The number of a trump.
pub fn trump_index(trump: Trump) -> usize {
    trump.suit().map_or(4, |suit| suit as usize)
}

/// Features of one other seat.
const SEAT: usize = 8 + 4 + 1 + 8 + 1 + 8;
/// Features of the auction for one trump.
const TALK: usize = 4 + 3 * SEAT + 3 + 7;

/// Features of the auction, those of boy after those of a suit.
pub const FEATURES: usize = 2 * TALK;

/// Numbers that say about the same.
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
    /// Before anybody has spoken.
    pub fn new(dealer: u8) -> Self {
        Self { auction: Auction::new(dealer), dealer, said: [SeatCalls::default(); 4] }
    }

    /// Who dealt.
    pub fn dealer(&self) -> u8 {
        self.dealer
    }

    /// The standing bid.
    pub fn standing(&self) -> Option<Contract> {
        self.auction.standing()
    }

    /// A further call.
    pub fn call(&mut self, seat: u8, call: AuctionCall, house: &House) {
        let standing = self.standing();
        let said = &mut self.said[usize::from(seat & 3)];
        match call {
            AuctionCall::Bid(Bid { x, trump, .. }) => {
                let lowest = standing.map_or(house.min_bid, |it| it.bid.x + 1);
                said.bids[trump_index(trump)] = Some((x, x.saturating_sub(lowest)));
                said.last = Some(trump_index(trump) as u8);
            }
            AuctionCall::Pass if said.passed == 0 => said.passed = over(standing, seat),
            AuctionCall::Pass | AuctionCall::Kuansh | AuctionCall::Sur => {}
        }
        self.auction.call(seat, call, house);
    }

    /// Features of the auction as `seat` hears it, for play with this trump.
    pub fn features(&self, seat: u8, trump: Trump, mut tell: impl FnMut(usize)) {
        let base = if trump == Trump::Boy { TALK } else { 0 };
        let place = (seat + 3 - self.dealer) & 3;
        tell(base + usize::from(place));
        for other in 1..4u8 {
            let said = &self.said[usize::from((seat + other) & 3)];
            let base = base + 4 + usize::from(other - 1) * SEAT;
            said.features(trump, |feature| tell(base + feature));
        }
        let base = base + 4 + 3 * SEAT;
        let own = &self.said[usize::from(seat & 3)];
        if own.bids[trump_index(trump)].is_some() {
            tell(base);
        }
        if own.last.is_some_and(|last| usize::from(last) != trump_index(trump)) {
            tell(base + 1);
        }
        if own.passed > 0 {
            tell(base + 2);
        }
        let state = self.standing().map_or(0, |it| {
            let ours = usize::from(it.seat & 1 == seat & 1);
            1 + 2 * it.level as usize + ours
        });
        tell(base + 3 + state);
    }
}

impl SeatCalls {
    fn features(&self, trump: Trump, mut tell: impl FnMut(usize)) {
        match self.bids[trump_index(trump)] {
            Some((x, jump)) => {
                tell(bucket(x));
                tell(8 + usize::from(jump.min(3)));
            }
            None => tell(12),
        }
        if let Some(other) = self.last.map(usize::from).filter(|last| *last != trump_index(trump)) {
            tell(13 + bucket(self.bids[other].map_or(0, |(x, _)| x)));
            if other == trump_index(Trump::Boy) {
                tell(21);
            }
        }
        tell(22 + usize::from(self.passed));
    }
}

/// What is passed: nobody's bid, a low or high one of the partner or of the others.
fn over(standing: Option<Contract>, seat: u8) -> u8 {
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
