//! What one hand and the auction so far promise with each trump: mean and spread of what either
//! side would take, learned from the program's own play and bidding.

use super::super::super::card::{Suit, Trump};
use super::super::super::melds::Melds;
use super::super::super::options::House;
use super::auction_features::{self, AuctionFeatures, trump_index};
use super::net::{AuctionNet, add};

/// Hidden units.
pub const HIDDEN: usize = 48;
/// Mean and logarithm of the spread of what we take, then of what they take, in tens of points.
pub const OUTPUTS: usize = 4;
/// The network of hands.
pub type HandNet = AuctionNet<HIDDEN, OUTPUTS>;

/// The 256 contents of the trump suit, of another suit, of a suit in boy.
const TABLES: usize = 3 * 256;
/// The cards one by one and how many there are, again for the three kinds of suits: what is
/// alike in rare contents.
const CARDS: usize = 3 * 17;
/// What combinations are worth, in a suit and in boy.
const MELDS: usize = 12 + CARDS;
/// Features of a hand and an auction.
pub const FEATURES: usize = TABLES + MELDS + auction_features::FEATURES;

/// What one side is thought to take with a trump, in tens of points, combinations included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TakeEstimate {
    /// On the average.
    pub mean: f32,
    /// Standard deviation.
    pub spread: f32,
}

/// What both sides are thought to take with a trump, the own first.
pub type TakeEstimates = [TakeEstimate; 2];

/// Hidden sums of one hand for the five trumps, without the auction.
pub type HandSums = [[f32; HIDDEN]; 5];

/// The features of a hand with this trump.
pub fn features(hand: u32, trump: Trump, house: &House, mut tell: impl FnMut(usize)) {
    let boy = trump == Trump::Boy;
    for suit in Suit::ALL {
        let table = if boy { 2 } else { usize::from(trump.suit() != Some(suit)) };
        let cards = (hand >> (8 * suit as u32) & 0xff) as usize;
        tell(256 * table + cards);
        let base = TABLES + 12 + 17 * table;
        (0..8).filter(|rank| cards >> rank & 1 == 1).for_each(|rank| tell(base + rank));
        tell(base + 8 + cards.count_ones() as usize);
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
    tell(TABLES + if boy { 6 } else { 0 } + melds);
}

/// The features of an auction as this seat hears it.
pub fn talk_features(talk: &AuctionFeatures, seat: u8, trump: Trump, mut tell: impl FnMut(usize)) {
    talk.features(seat, trump, |feature| tell(TABLES + MELDS + feature));
}

/// A hand as the network sees it.
pub fn sight(net: &HandNet, hand: u32, house: &House) -> HandSums {
    Trump::ALL.map(|trump| {
        let mut sum = net.start();
        features(hand, trump, house, |feature| add(&mut sum, net.row(feature)));
        sum
    })
}

/// An auction as the network hears it from this seat.
pub fn hearing(net: &HandNet, talk: &AuctionFeatures, seat: u8) -> HandSums {
    Trump::ALL.map(|trump| {
        let mut sum = [0.0; HIDDEN];
        talk_features(talk, seat, trump, |feature| add(&mut sum, net.row(feature)));
        sum
    })
}

/// What both sides would take with each trump, by [`trump_index`].
pub fn guesses(net: &HandNet, sight: &HandSums, hearing: &HandSums) -> [TakeEstimates; 5] {
    Trump::ALL.map(|trump| {
        let mut sum = sight[trump_index(trump)];
        add(&mut sum, &hearing[trump_index(trump)]);
        let mut outputs = net.nothing();
        net.read(&sum, &mut outputs);
        from_outputs(&outputs)
    })
}

/// Outputs as guesses.
pub fn from_outputs(outputs: &[f32; OUTPUTS]) -> TakeEstimates {
    let guess =
        |mean: f32, spread: f32| TakeEstimate { mean, spread: spread.clamp(-0.5, 2.3).exp() };
    [guess(outputs[0], outputs[1]), guess(outputs[2], outputs[3])]
}
