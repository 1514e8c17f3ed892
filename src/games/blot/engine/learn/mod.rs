//! Trains all learned numbers of the players on the program's own play: results of deals, estimates
//! from hands, values of calls, odds of cards. The same settings give the same bytes.
//!
//! 1. Random deals are played out, each with one trump, by a fast form of the program's own play
//!    with hidden cards ([`play`]). Solving with open cards would be wrong in both directions: it
//!    finds leads and discards that no player finds. The network of deals learns what the leader's
//!    side takes; the quantiles around its mean are those of the played deals.
//! 2. Several rounds of the following: the quick bidder plays auctions, and the network of hands
//!    learns before every call what both sides then take with each trump, so that the meaning of a
//!    bid is the set of hands with which the bidder makes it. The thinking bidder plays fewer
//!    auctions, and the values that it finds for calls become the weights of the quick bidder
//!    (least squares over differences between calls).
//! 3. Deals are played with the card play of the highest level, and the card policy learns which
//!    card is played ([`cards`]).
//! 4. The results of rounds give the table of chances to win the match.
//!
//! `caravanserai-tools learn blot --seed 1 --out FILE` reproduces the shipped file exactly: 128
//! KiB, in twelve minutes of one core of a busy machine (two minutes each for the deals of the
//! deal network and of the card policy). Measured there:
//!
//! | Measured | Result |
//! |---|---|
//! | difference of a deal played twice by the same players | 17.7 points (8 worlds), 16.3 (30) |
//! | error of the network of deals | 21.4 points (deals differ by 41) |
//! | what bidders take in 2,000 rounds: predicted, played | 14.97, 15.01 tens |
//! | the same with 30 worlds a card | 15.08, 15.31 tens |
//! | contracts made: predicted, played | 74 % and 75 % |
//! | cards of other deals that the card policy finds, of 3,724 choices | 62.6 %; 0.837 nats |
//! | error of the network of hands for what a side takes | 3.5 tens, its noise included |

mod bids;
pub mod cards;
mod deals;
pub mod play;
mod rounds;

use self::play::LearnPlayer;
use super::auction::model::Model;
use crate::search::SeededRng;

/// The amounts of training data.
#[derive(Clone, Copy, Debug)]
pub struct BlotLearnSettings {
    /// The seed of all random numbers.
    pub seed: u64,
    /// Number of deals that are played out, each with one trump.
    pub deals: usize,
    /// Number of worlds for each card in those deals.
    pub worlds: usize,
    /// Number of auctions of the quick bidder in each round of training.
    pub auctions: usize,
    /// Number of auctions of the thinking bidder in each round of training.
    pub lessons: usize,
    /// Number of rounds of training.
    pub rounds: usize,
    /// Number of deals from which the card policy learns.
    pub card_deals: usize,
}

impl BlotLearnSettings {
    /// The settings that made the shipped file.
    pub fn shipped(seed: u64) -> Self {
        Self {
            seed,
            deals: 60_000,
            worlds: 6,
            auctions: 60_000,
            lessons: 200,
            rounds: 4,
            card_deals: 1_800,
        }
    }
}

/// Trains everything and returns the bytes of the model; `report` receives progress lines.
pub fn learn(settings: &BlotLearnSettings, report: &mut dyn FnMut(&str)) -> Vec<u8> {
    let mut model = Model::untaught();
    learn_deals(settings, &mut model, report);
    // The second part uses the deal tables as they are stored, with rounded weights.
    let mut model = Model::read(&model.write()).expect("a model reads what it wrote");
    learn_bids(settings, &mut model, report);
    learn_cards(settings, &mut model, report);
    model.write()
}

/// The first part: trains the tables of deals.
pub fn learn_deals(settings: &BlotLearnSettings, model: &mut Model, report: &mut dyn FnMut(&str)) {
    let mut rng = SeededRng::new(settings.seed);
    let table = LearnPlayer::new(settings.worlds);
    deals::learn(model, settings.deals, &table, &mut rng, report);
}

/// The second part: trains bidding with finished tables of deals.
pub fn learn_bids(settings: &BlotLearnSettings, model: &mut Model, report: &mut dyn FnMut(&str)) {
    let mut rng = SeededRng::new(settings.seed.wrapping_add(1));
    bids::learn(model, settings, &mut rng, report);
    rounds::learn(model, (settings.auctions / 4).max(1), &mut rng, report);
}

/// The third part: trains the card policy, which does not depend on the others.
pub fn learn_cards(settings: &BlotLearnSettings, model: &mut Model, report: &mut dyn FnMut(&str)) {
    model.cards = cards::learn(settings.card_deals, settings.seed, report);
}
