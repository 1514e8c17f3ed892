//! Learning from the program's own play: what deals bring, what hands promise, how the quick
//! bidder chooses. Same settings, same bytes.

mod bids;
mod deals;
mod rounds;

use super::auction::model::Model;
use crate::search::Numbers;

pub use self::deals::Table;

/// How much is learned from.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Where chance begins.
    pub seed: u64,
    /// Deals that are played out, each with one trump.
    pub deals: usize,
    /// Auctions held by the quick bidder in each round of learning.
    pub auctions: usize,
    /// Auctions held by the thinking bidder in each round of learning.
    pub lessons: usize,
    /// Rounds of learning.
    pub rounds: usize,
}

/// Learns everything; `table` plays a deal with a trump and tells what the leader's side took.
pub fn learn_from(settings: &Settings, table: Table<'_>, say: &mut dyn FnMut(&str)) -> Vec<u8> {
    let mut numbers = Numbers::new(settings.seed);
    let mut model = Model::untaught(&mut numbers);
    deals::learn(&mut model, settings.deals, table, &mut numbers, say);
    bids::learn(&mut model, settings, &mut numbers, say);
    rounds::learn(&mut model, settings.auctions / 4, &mut numbers, say);
    model.write()
}

/// Learns how to bid once more, with the deals of a model as they are.
pub fn learn_bids(settings: &Settings, model: &mut Model, say: &mut dyn FnMut(&str)) {
    let mut numbers = Numbers::new(settings.seed);
    bids::learn(model, settings, &mut numbers, say);
    rounds::learn(model, settings.auctions / 4, &mut numbers, say);
}
