//! Stores all learned numbers of the computer players and reads and writes their file.

use std::sync::LazyLock;

use super::super::super::auction::Bid;
use super::super::super::options::House;
use super::super::card_policy::CardPolicy;
use super::super::match_equity::Equity;
use super::auction_features::AuctionFeatures;
use super::deals::{self, BINS, DealNet, QUANTILES, Spread};
use super::hand_net::{self, HandNet, HandSums, TakeEstimates};
use super::policy::{self, BidWeights, CallEstimate, WEIGHTS};
use crate::search::SeededRng;

/// The learned numbers of the computer players.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Estimates from a hand and the calls.
    pub hands: HandNet,
    /// The mean result of a deal.
    pub deals: DealNet,
    /// The spread of results around that mean.
    pub spread: Spread,
    /// The weights of the quick bidder.
    pub weights: BidWeights,
    /// The chance to win the match from a score.
    pub equity: Equity,
    /// How likely a player plays each card.
    pub cards: CardPolicy,
}

static SHIPPED: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("../blot.model"))
        .expect("the shipped model was written by `Model::write`")
});

impl Model {
    /// The model that is compiled into the program.
    pub fn shipped() -> &'static Model {
        &SHIPPED
    }

    /// A model before any training.
    pub fn untaught() -> Model {
        let rng = &mut SeededRng::new(0);
        let step = |bin: usize| (10 * bin).saturating_sub(15).min(162) as u8;
        let bins = std::array::from_fn(|bin| [step(bin); QUANTILES]);
        Model {
            hands: HandNet::random(hand_net::FEATURES, rng),
            deals: DealNet::random(deals::FEATURES, rng),
            spread: [bins; 2],
            weights: policy::untaught(),
            equity: Equity::new(&[([16, 0], 0.5), ([0, 16], 0.5)]),
            cards: CardPolicy::untaught(),
        }
    }

    /// Writes the model as bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.hands.write(&mut bytes);
        self.deals.write(&mut bytes);
        self.equity.write(&mut bytes);
        bytes.extend(self.spread.iter().flatten().flatten());
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        self.cards.write(&mut bytes);
        bytes
    }

    /// Reads what [`Model::write`] writes and nothing else.
    pub fn read(bytes: &[u8]) -> Option<Model> {
        let mut rest = bytes;
        let hands = HandNet::read_from(hand_net::FEATURES, &mut rest)?;
        let deals = DealNet::read_from(deals::FEATURES, &mut rest)?;
        let equity = Equity::read_from(&mut rest)?;
        let (flat, rest) = rest.split_at_checked(2 * BINS * QUANTILES)?;
        let at = |boy: usize, bin: usize, n: usize| flat[(boy * BINS + bin) * QUANTILES + n];
        let spread = std::array::from_fn(|boy| {
            std::array::from_fn(|bin| std::array::from_fn(|n| at(boy, bin, n)))
        });
        let (bids, rest) = rest.split_at_checked(4 * WEIGHTS)?;
        let weights: Vec<f32> = bids
            .chunks_exact(4)
            .map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        let weights = weights.try_into().ok()?;
        let cards = CardPolicy::read(rest)?;
        Some(Model { hands, deals, spread, weights, equity, cards })
    }

    /// The hidden sums of a hand.
    pub fn sight(&self, hand: u32, house: &House) -> HandSums {
        hand_net::sight(&self.hands, hand, house)
    }

    /// The hidden sums of the auction from this seat's point of view.
    pub fn hearing(&self, talk: &AuctionFeatures, seat: u8) -> HandSums {
        hand_net::hearing(&self.hands, talk, seat)
    }

    /// Estimates of what the sides would take with each trump, the side of the seat first.
    pub fn guesses(&self, sight: &HandSums, hearing: &HandSums) -> [TakeEstimates; 5] {
        hand_net::guesses(&self.hands, sight, hearing)
    }

    /// Fills `all` with the calls that the quick bidder considers and their merits.
    pub fn weigh(
        &self,
        talk: &AuctionFeatures,
        seat: u8,
        sight: &HandSums,
        house: &House,
        all: &mut Vec<CallEstimate>,
    ) {
        let estimates = self.guesses(sight, &self.hearing(talk, seat));
        policy::weigh(&self.weights, talk, seat, &estimates, house, all);
    }

    /// These legal bids and their merits, also of bids that the quick bidder would not consider.
    pub fn weigh_bids(
        &self,
        talk: &AuctionFeatures,
        seat: u8,
        sight: &HandSums,
        house: &House,
        bids: impl Iterator<Item = Bid>,
    ) -> Vec<CallEstimate> {
        let estimates = self.guesses(sight, &self.hearing(talk, seat));
        bids.map(|bid| policy::weigh_bid(&self.weights, talk, seat, &estimates, house, bid))
            .collect()
    }
}
