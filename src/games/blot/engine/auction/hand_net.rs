//! Estimates from one hand and the auction so far what either side would take with each trump: mean
//! and spread, learned from the program's own play and bidding.

use super::super::super::card::{Suit, Trump};
use super::super::super::melds::Melds;
use super::super::super::options::House;
use super::auction_features::{self, AuctionFeatures, trump_index};
use super::net::{AuctionNet, add};

/// Number of hidden units.
pub const HIDDEN: usize = 48;
/// Mean and logarithm of the spread of what we take, then of what they take, in tens of points.
pub const OUTPUTS: usize = 4;
/// The network of hands.
pub type HandNet = AuctionNet<HIDDEN, OUTPUTS>;

/// The 256 contents of the trump suit, of another suit, of a suit in boy.
const TABLES: usize = 3 * 256;
/// Features of single cards and of their number, again for the three kinds of suits, so that rare
/// contents share what they have in common.
const CARDS: usize = 3 * 17;
/// Features of the value of combinations, in a suit and in boy.
const MELDS: usize = 12 + CARDS;
/// Number of features of a hand and an auction.
pub const FEATURES: usize = TABLES + MELDS + auction_features::FEATURES;

/// An estimate of what one side takes with a trump, in tens of points, combinations included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TakeEstimate {
    /// The mean.
    pub mean: f32,
    /// Standard deviation.
    pub spread: f32,
}

/// The estimates for both sides with a trump, the own side first.
pub type TakeEstimates = [TakeEstimate; 2];

/// Hidden sums of one hand for the five trumps, without the auction.
pub type HandSums = [[f32; HIDDEN]; 5];

/// Passes the features of a hand with this trump to `add_feature`.
pub fn features(hand: u32, trump: Trump, house: &House, mut add_feature: impl FnMut(usize)) {
    let boy = trump == Trump::Boy;
    for suit in Suit::ALL {
        let table = if boy { 2 } else { usize::from(trump.suit() != Some(suit)) };
        let cards = (hand >> (8 * suit as u32) & 0xff) as usize;
        add_feature(256 * table + cards);
        let base = TABLES + 12 + 17 * table;
        (0..8).filter(|rank| cards >> rank & 1 == 1).for_each(|rank| add_feature(base + rank));
        add_feature(base + 8 + cards.count_ones() as usize);
    }
    let melds = Melds::best(hand, trump, house).value(trump, house);
    let melds = match melds {
        0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        5..=7 => 3,
        8..=10 => 4,
        _ => 5,
    };
    add_feature(TABLES + if boy { 6 } else { 0 } + melds);
}

/// Passes the features of an auction from this seat's point of view to `add_feature`.
pub fn talk_features(
    talk: &AuctionFeatures,
    seat: u8,
    trump: Trump,
    mut add_feature: impl FnMut(usize),
) {
    talk.features(seat, trump, |feature| add_feature(TABLES + MELDS + feature));
}

/// The hidden sums of a hand.
pub fn sight(net: &HandNet, hand: u32, house: &House) -> HandSums {
    Trump::ALL.map(|trump| {
        let mut sum = net.start();
        features(hand, trump, house, |feature| add(&mut sum, net.row(feature)));
        sum
    })
}

/// The hidden sums of an auction from this seat's point of view.
pub fn hearing(net: &HandNet, talk: &AuctionFeatures, seat: u8) -> HandSums {
    Trump::ALL.map(|trump| {
        let mut sum = [0.0; HIDDEN];
        talk_features(talk, seat, trump, |feature| add(&mut sum, net.row(feature)));
        sum
    })
}

/// Estimates of what both sides would take with each trump, by [`trump_index`].
pub fn guesses(net: &HandNet, sight: &HandSums, hearing: &HandSums) -> [TakeEstimates; 5] {
    Trump::ALL.map(|trump| {
        let mut sum = sight[trump_index(trump)];
        add(&mut sum, &hearing[trump_index(trump)]);
        let mut outputs = net.nothing();
        net.read(&sum, &mut outputs);
        from_outputs(&outputs)
    })
}

/// Converts outputs of the network to estimates.
pub fn from_outputs(outputs: &[f32; OUTPUTS]) -> TakeEstimates {
    let estimate =
        |mean: f32, spread: f32| TakeEstimate { mean, spread: spread.clamp(-0.5, 2.3).exp() };
    [estimate(outputs[0], outputs[1]), estimate(outputs[2], outputs[3])]
}
