//! Learning from the program's own play: what deals bring, what hands promise, what calls are
//! worth. Same settings, same bytes.
//!
//! 1. Random deals are played out, each with one trump, by a quick form of the program's own play
//!    with hidden cards ([`play`]). Solving with open cards would be wrong both ways: it finds
//!    leads and drops that nobody finds. The network of deals learns what the leader's side takes,
//!    and the quantiles around its mean are those of what really happened.
//! 2. Rounds of: the quick bidder holds auctions, and the network of hands learns before every
//!    call what both sides then take with each trump, so a bid means what the bidder's hands for
//!    it are like; the thinking bidder holds fewer auctions, and what it finds calls worth becomes
//!    the weights of the quick bidder (least squares over differences between calls).
//! 3. The results of rounds give the table of match scores.
//!
//! `caravanserai-tools learn blot --seed 1 --out FILE` makes the shipped file, byte for byte: 115
//! KiB, ten minutes of one core of a busy machine (two for the deals). Measured there:
//!
//! | What | Figure |
//! |---|---|
//! | a deal played twice by the same players differs by | 17.7 points (8 worlds), 16.3 (30) |
//! | the network of deals misses what really happened by | 21.4 points (deals differ by 41) |
//! | what bidders take in 2,000 rounds: said, really | 14.97, 15.01 tens |
//! | the same with 30 worlds a card | 15.08, 15.31 tens |
//! | contracts made, said and really | 74 % and 75 % |
//! | a hand misses what a side takes by | 3.5 tens, its noise included |

mod bids;
mod deals;
pub mod play;
mod rounds;

use self::play::LearnPlayer;
use super::auction::model::Model;
use crate::search::SeededRng;

/// How much is learned from.
#[derive(Clone, Copy, Debug)]
pub struct BlotLearnSettings {
    /// Where chance begins.
    pub seed: u64,
    /// Deals that are played out, each with one trump.
    pub deals: usize,
    /// Worlds a card in those.
    pub worlds: usize,
    /// Auctions held by the quick bidder in each round of learning.
    pub auctions: usize,
    /// Auctions held by the thinking bidder in each round of learning.
    pub lessons: usize,
    /// Rounds of learning.
    pub rounds: usize,
}

impl BlotLearnSettings {
    /// What the shipped file was made with.
    pub fn shipped(seed: u64) -> Self {
        Self { seed, deals: 60_000, worlds: 6, auctions: 60_000, lessons: 200, rounds: 4 }
    }
}

/// Learns everything and gives the bytes of the model; `say` hears how it goes.
pub fn learn(settings: &BlotLearnSettings, say: &mut dyn FnMut(&str)) -> Vec<u8> {
    let mut model = Model::untaught();
    learn_deals(settings, &mut model, say);
    // The second part learns with the deals as they are written down.
    let mut model = Model::read(&model.write()).expect("`write` writes what `read` reads");
    learn_bids(settings, &mut model, say);
    model.write()
}

/// The first part: what deals bring.
pub fn learn_deals(settings: &BlotLearnSettings, model: &mut Model, say: &mut dyn FnMut(&str)) {
    let mut numbers = SeededRng::new(settings.seed);
    let table = LearnPlayer::new(settings.worlds);
    deals::learn(model, settings.deals, &table, &mut numbers, say);
}

/// The second part: how to bid, when it is known what deals bring.
pub fn learn_bids(settings: &BlotLearnSettings, model: &mut Model, say: &mut dyn FnMut(&str)) {
    let mut numbers = SeededRng::new(settings.seed.wrapping_add(1));
    bids::learn(model, settings, &mut numbers, say);
    rounds::learn(model, (settings.auctions / 4).max(1), &mut numbers, say);
}
