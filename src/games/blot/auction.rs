//! The auction: which calls are legal, and when it is over (rules R28 to R32, R50 to R54).

use super::card::Trump;
use super::options::House;

/// A named bid: "x of a suit", perhaps with kaput.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bid {
    /// The number; the promise is ten times as many points.
    pub x: u8,
    /// The trump, or boy.
    pub trump: Trump,
    /// Whether the bid also promises every trick.
    pub kaput: bool,
}

/// A call in the auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuctionCall {
    /// A bid.
    Bid(Bid),
    /// Doubts the bid of the other side.
    Kuansh,
    /// Passes without a bid or a double.
    Pass,
    /// Doubles a kuansh against the own side's bid.
    Sur,
}

/// The doubling of a bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContractLevel {
    /// Not doubled.
    Plain,
    /// Doubled by a kuansh.
    Kuansh,
    /// Doubled again by a sur.
    Sur,
}

/// The highest bid so far, or the final contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contract {
    /// The bid.
    pub bid: Bid,
    /// The bidder, 0 to 3.
    pub seat: u8,
    /// The doubling.
    pub level: ContractLevel,
}

impl Contract {
    /// The side of the bidder: 0 for seats 0 and 2.
    pub fn team(&self) -> usize {
        usize::from(self.seat & 1)
    }
}

/// The range of bids that the player to call may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BidRange {
    /// The lowest number in a suit that does not outrank the standing one.
    pub lowest: u8,
    /// A suit that may be bid at one less (house rule `suit_rank`): those above this one.
    pub equal_above: Option<Trump>,
    /// The highest number.
    pub highest: u8,
    /// The lowest number of a kaput bid.
    pub kaput_from: u8,
    /// Whether only kaput may be bid.
    pub kaput_only: bool,
}

impl BidRange {
    /// The lowest number in this suit.
    pub fn lowest_in(&self, trump: Trump) -> u8 {
        match self.equal_above {
            Some(standing) if trump > standing => self.lowest.saturating_sub(1),
            Some(_) | None => self.lowest,
        }
    }

    /// Whether this bid is in the range.
    pub fn hold(&self, bid: Bid) -> bool {
        let low = self.lowest_in(bid.trump);
        let kaput = if bid.kaput { bid.x >= self.kaput_from } else { !self.kaput_only };
        (low..=self.highest).contains(&bid.x) && kaput
    }

    /// The bids at one less than the lowest number: in the suits above the standing one.
    pub fn equal_bids(self) -> impl Iterator<Item = Bid> {
        self.bids().filter(move |bid| bid.x < self.lowest && bid.kaput == self.kaput_only)
    }

    /// Every bid in the range, lowest first.
    pub fn bids(self) -> impl Iterator<Item = Bid> {
        let numbers = self.lowest.saturating_sub(1)..=self.highest;
        numbers
            .flat_map(|x| Trump::ALL.map(|trump| (x, trump)))
            .flat_map(|(x, trump)| [false, true].map(|kaput| Bid { x, trump, kaput }))
            .filter(move |bid| self.hold(*bid))
    }
}

/// The state of the auction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auction {
    calls: Vec<(u8, AuctionCall)>,
    turn: Option<u8>,
    standing: Option<Contract>,
    /// Passes in a row at the end.
    passes: u8,
    /// Seats that passed and may not call again, as bits (`pass_final`).
    out: u8,
    /// The side that bid kaput last.
    kaput_by: Option<u8>,
}

impl Auction {
    /// An auction before the first call; the player after the dealer begins.
    pub fn new(dealer: u8) -> Self {
        Self {
            calls: Vec::with_capacity(8),
            turn: Some((dealer + 1) & 3),
            standing: None,
            passes: 0,
            out: 0,
            kaput_by: None,
        }
    }

    /// The player to call; `None` when the auction is over.
    pub fn turn(&self) -> Option<u8> {
        self.turn
    }

    /// The calls so far, with their seats.
    pub fn calls(&self) -> &[(u8, AuctionCall)] {
        &self.calls
    }

    /// The highest bid so far; the contract when the auction is over.
    pub fn standing(&self) -> Option<Contract> {
        self.standing
    }

    /// Whether this call is legal now, in turn or out of it.
    pub fn allows(&self, seat: u8, call: AuctionCall, house: &House) -> bool {
        let Some(turn) = self.turn else { return false };
        if seat != turn {
            return call == AuctionCall::Kuansh && house.kuansh_any_time && self.may_kuansh(seat);
        }
        match call {
            AuctionCall::Pass => true,
            AuctionCall::Bid(bid) => self.bounds(house).is_some_and(|bounds| bounds.hold(bid)),
            AuctionCall::Kuansh => self.may_kuansh(seat),
            AuctionCall::Sur => self.may_sur(seat, house),
        }
    }

    /// The bids that the player to call may make; `None` when there are none.
    pub fn bounds(&self, house: &House) -> Option<BidRange> {
        let turn = self.turn?;
        let Some(standing) = self.standing else {
            return Some(BidRange {
                lowest: house.min_bid,
                equal_above: None,
                highest: house.max_bid,
                kaput_from: house.kaput_min.max(house.min_bid),
                kaput_only: false,
            });
        };
        if standing.level != ContractLevel::Plain && !house.bid_after_kuansh {
            return None;
        }
        let lowest = standing.bid.x + 1;
        let bounds = BidRange {
            lowest,
            equal_above: house.suit_rank.then_some(standing.bid.trump),
            highest: house.max_bid,
            kaput_from: house.kaput_min.max(lowest - u8::from(house.suit_rank)),
            kaput_only: self.kaput_by.is_some_and(|side| house.kaput_binds_own || side != turn & 1),
        };
        bounds.bids().next().map(|_| bounds)
    }

    fn may_kuansh(&self, seat: u8) -> bool {
        let of_other_side =
            |it: &Contract| it.level == ContractLevel::Plain && it.team() as u8 != seat & 1;
        self.standing.as_ref().is_some_and(of_other_side) && self.out >> seat & 1 == 0
    }

    /// Whether the player to call may answer a kuansh with a sur.
    pub fn may_answer(&self, house: &House) -> bool {
        self.turn.is_some_and(|seat| self.may_sur(seat, house))
    }

    fn may_sur(&self, seat: u8, house: &House) -> bool {
        self.standing.is_some_and(|it| {
            let entitled = it.seat == seat || (!house.sur_by_bidder && it.seat ^ 2 == seat);
            it.level == ContractLevel::Kuansh && entitled
        })
    }

    /// Makes a call that [`Auction::allows`] accepts.
    pub fn call(&mut self, seat: u8, call: AuctionCall, house: &House) {
        self.calls.push((seat, call));
        match call {
            AuctionCall::Pass => {
                self.passes += 1;
                self.out |= if house.pass_final { 1 << seat } else { 0 };
            }
            AuctionCall::Bid(bid) => {
                self.passes = 0;
                self.standing = Some(Contract { bid, seat, level: ContractLevel::Plain });
                self.kaput_by = if bid.kaput { Some(seat & 1) } else { self.kaput_by };
            }
            AuctionCall::Kuansh => self.double_bid(ContractLevel::Kuansh),
            AuctionCall::Sur => self.double_bid(ContractLevel::Sur),
        }
        self.turn = self.next(seat, house);
    }

    fn double_bid(&mut self, level: ContractLevel) {
        self.passes = 0;
        if let Some(standing) = &mut self.standing {
            standing.level = level;
        }
    }

    /// The player to call after this seat.
    fn next(&self, seat: u8, house: &House) -> Option<u8> {
        let Some(standing) = self.standing else {
            // All players pass once; then the cards are thrown in.
            return (self.passes < 4).then_some((seat + 1) & 3);
        };
        if standing.level != ContractLevel::Plain && !house.bid_after_kuansh {
            return self.next_answer(standing, seat, house);
        }
        let bidder = standing.seat;
        let last_word = house.last_word && standing.level == ContractLevel::Plain;
        if self.passes >= if last_word { 4 } else { 3 } {
            return None;
        }
        if self.out | 1 << bidder == 0b1111 {
            let speaks = last_word && seat != bidder && self.out >> bidder & 1 == 0;
            return speaks.then_some(bidder);
        }
        (1..4).map(|n| (seat + n) & 3).find(|it| self.out >> it & 1 == 0)
    }

    /// Only the bidding side answers a kuansh: sur or pass, each once.
    fn next_answer(&self, standing: Contract, seat: u8, house: &House) -> Option<u8> {
        if standing.level == ContractLevel::Sur {
            return None;
        }
        let answers = if house.sur_by_bidder { 1 } else { 2 };
        if self.passes >= answers {
            return None;
        }
        if house.sur_by_bidder {
            return Some(standing.seat);
        }
        if self.passes > 0 {
            return Some(seat ^ 2);
        }
        Some((seat + 1) & 3)
    }
}
