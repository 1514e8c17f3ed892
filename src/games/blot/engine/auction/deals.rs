//! Predicts what the sides take from a deal with all hands known, when players like the program
//! play it: a network gives the mean, and quantiles around it come from played deals.

use super::super::super::card::{Suit, Trump, each};
use super::super::super::options::House;
use super::super::super::{auction::Contract, melds, melds::Melds, score::RoundResult};
use super::auction_features::trump_index;
use super::net::{AuctionNet, add};

/// Number of hidden units.
pub const HIDDEN: usize = 48;
/// The network of deals; its output is what the leader's side takes, in tens of points.
pub type DealNet = AuctionNet<HIDDEN, 1>;
/// Number of features: the owner of each card (eight ranks of four seats) for a trump suit, for
/// another suit and for a suit in boy; a plain suit also has the owners of the trumps.
pub const FEATURES: usize = 3 * 32;

/// Number of quantiles of the result.
pub const QUANTILES: usize = 8;
/// Number of steps of the mean, ten points each.
pub const BINS: usize = 20;
/// The quantiles of the results of played deals at each step of the mean, for a suit and for boy:
/// points of the leader's side, [`SWEPT`] if it took all tricks, [`LOST`] if it took none.
pub type Spread = [[[u8; QUANTILES]; BINS]; 2];
/// The code of a deal in which the side took all tricks.
pub const SWEPT: u8 = 250;
/// The code of a deal in which the side took no trick.
pub const LOST: u8 = 251;

/// Fills `bags` with the feature sets of a deal: one for every plain suit together with the trumps,
/// or one for every suit in boy.
pub fn bags(hands: &[u32; 4], trump: Trump, leader: u8, bags: &mut Vec<Vec<u16>>) {
    bags.clear();
    let of_suit = |suit: Suit, table: u16, bag: &mut Vec<u16>| {
        for seat in 0..4u8 {
            let hand = hands[usize::from((leader + seat) & 3)];
            let cards = each(hand & suit.cards());
            bag.extend(cards.map(|card| 32 * table + u16::from(8 * seat + card.rank())));
        }
    };
    for suit in Suit::ALL.into_iter().filter(|suit| trump.suit() != Some(*suit)) {
        let mut bag = Vec::with_capacity(16);
        match trump {
            Trump::Suit(trump) => {
                of_suit(trump, 0, &mut bag);
                of_suit(suit, 1, &mut bag);
            }
            Trump::Boy => of_suit(suit, 2, &mut bag),
        }
        bags.push(bag);
    }
}

/// The mean of what the leader's side takes, in points.
pub fn mean(net: &DealNet, hands: &[u32; 4], trump: Trump, leader: u8) -> f32 {
    let mut shared = net.start();
    let add_suit = |suit: Suit, table: usize, sum: &mut [f32; HIDDEN]| {
        for seat in 0..4u8 {
            let hand = hands[usize::from((leader + seat) & 3)];
            for card in each(hand & suit.cards()) {
                add(sum, net.row(32 * table + usize::from(8 * seat + card.rank())));
            }
        }
    };
    if let Some(suit) = trump.suit() {
        add_suit(suit, 0, &mut shared);
    }
    let table = if trump == Trump::Boy { 2 } else { 1 };
    let mut outputs = net.nothing();
    for suit in Suit::ALL.into_iter().filter(|suit| trump.suit() != Some(*suit)) {
        let mut sum = shared;
        add_suit(suit, table, &mut sum);
        net.read(&sum, &mut outputs);
    }
    10.0 * outputs[0]
}

/// The step of a mean.
pub fn bin(mean: f32) -> usize {
    ((mean + 20.0) / 10.0).clamp(0.0, (BINS - 1) as f32) as usize
}

/// The possible results of one deal with one trump; all sides by seat number.
#[derive(Clone, Copy, Debug)]
pub struct DealOutcomes {
    /// Card points of side 0, or [`SWEPT`] or [`LOST`], all equally likely.
    pub cards: [u8; QUANTILES],
    /// Points of the combinations that count.
    pub melds: [u8; 2],
    /// Blot-reblots.
    pub blot: [u8; 2],
}

impl DealOutcomes {
    /// The possible results of this deal with this trump.
    pub fn new(
        (net, spread): (&DealNet, &Spread),
        hands: &[u32; 4],
        trump: Trump,
        leader: u8,
        house: &House,
    ) -> Self {
        let mean = mean(net, hands, trump, leader);
        let bin = bin(mean);
        let boy = usize::from(trump == Trump::Boy);
        let shift = (mean + 20.0 - 10.0 * bin as f32 - 5.0).clamp(-5.0, 5.0) as i16;
        let cards = spread[boy][bin].map(|code| {
            let code = match code {
                SWEPT | LOST => code,
                points => (i16::from(points) + shift).clamp(0, 162) as u8,
            };
            if leader & 1 == 0 { code } else { other_side(code) }
        });
        let (melds, blot) = outside(hands, trump, leader, house);
        Self { cards, melds, blot }
    }

    /// The possible results of the round under a contract.
    pub fn rounds(&self, contract: Contract) -> impl Iterator<Item = RoundResult> + '_ {
        self.cards.iter().map(move |code| {
            let (cards, tricks) = match *code {
                SWEPT => ([162, 0], [8, 0]),
                LOST => ([0, 162], [0, 8]),
                points => ([u16::from(points), 162 - u16::from(points)], [4, 4]),
            };
            RoundResult { contract, cards, tricks, melds: self.melds, blot: self.blot }
        })
    }

    /// The mean of what both sides take, in tens of points, all included; kaput counts 25.
    pub fn totals(&self) -> [f32; 2] {
        let cards = |side: usize| -> f32 {
            let tens = self.cards.map(|code| match code {
                SWEPT => [25.0, 0.0][side],
                LOST => [0.0, 25.0][side],
                points => [f32::from(points), 162.0 - f32::from(points)][side] / 10.0,
            });
            tens.iter().sum::<f32>() / QUANTILES as f32
        };
        [0, 1].map(|side| cards(side) + f32::from(self.melds[side] + self.blot[side]))
    }
}

/// The same result for the other side.
pub fn other_side(code: u8) -> u8 {
    match code {
        SWEPT => LOST,
        LOST => SWEPT,
        points => 162 - points,
    }
}

/// Counting combinations and blot-reblots by side; of equal combinations, those of the side that
/// comes first after the leader count.
pub fn outside(hands: &[u32; 4], trump: Trump, leader: u8, house: &House) -> ([u8; 2], [u8; 2]) {
    let melds_by_seat = hands.map(|hand| Melds::best(hand, trump, house));
    let mut points = [0; 2];
    if let Some(side) = melds::counting_team(melds_by_seat.each_ref(), leader, trump) {
        points[side] =
            melds_by_seat[side].value(trump, house) + melds_by_seat[side + 2].value(trump, house);
    }
    let blot =
        [0, 1].map(|side| melds::blot(hands[side], trump) + melds::blot(hands[side + 2], trump));
    (points, blot)
}

/// The possible results with each trump.
pub fn prospects(
    tables: (&DealNet, &Spread),
    hands: &[u32; 4],
    leader: u8,
    house: &House,
) -> [DealOutcomes; 5] {
    let mut all = Trump::ALL.map(|trump| (trump_index(trump), trump));
    all.sort_by_key(|(at, _)| *at);
    all.map(|(_, trump)| DealOutcomes::new(tables, hands, trump, leader, house))
}
