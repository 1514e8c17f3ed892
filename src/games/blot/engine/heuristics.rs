//! Chooses cards by rules of thumb, for the test opponent `greedy` and for players who do not count
//! cards.

use super::super::auction::Contract;
use super::super::card::Card;
use super::super::view::{BlotView, OwnHand};
use super::packed::Packing;
use super::playouts::ThumbRules;
use super::trick::PackedTrick;
use crate::rules::{Entropy, Seat};
use crate::search::SeededRng;

/// The cards that a player remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerMemory {
    /// Every card that was played.
    All,
    /// The cards on the table and those of the trick before.
    Trick,
    /// Only the cards on the table; sometimes the player even overlooks whose trick it is.
    Table,
}

/// The legal card that the rules of thumb choose.
pub fn card(
    view: &BlotView,
    own: &OwnHand,
    memory: PlayerMemory,
    rng: &mut SeededRng,
) -> Option<Card> {
    let Contract { bid, seat, .. } = view.contract?;
    let packing = Packing::new(bid.trump);
    let table = view.table.iter().fold(0, |all, (_, card)| all | card.bit());
    let before = view.last.iter().flat_map(|trick| trick.cards);
    let before = before.fold(0, |all, card| all | card.bit());
    let remembered = match memory {
        PlayerMemory::All => view.gone,
        PlayerMemory::Trick => table | before,
        PlayerMemory::Table => table,
    };
    let rules = ThumbRules {
        hand: packing.pack(own.cards),
        others: packing.pack(!(remembered | own.cards)),
        bidder: memory != PlayerMemory::Table
            && BlotView::team(Seat(seat)) == BlotView::team(own.seat),
    };
    let mut trick = PackedTrick::default();
    for (at, (_, card)) in view.table.iter().enumerate() {
        trick = trick.with(at, u32::from(packing.card(*card)), &packing);
    }
    let at = view.table.len();
    let legal = packing.pack(own.legal);
    if memory == PlayerMemory::Table && rng.below(3) == 0 {
        trick.best_at = 3;
    }
    let chosen = match at {
        0 => rules.lead(&packing),
        _ if legal & legal.wrapping_sub(1) == 0 => legal.trailing_zeros(),
        _ => rules.follow(&trick, at, legal, &packing),
    };
    let card = packing.unpack((chosen & 31) as u8);
    (own.legal & card.bit() != 0).then_some(card)
}
