//! Cards by rules of thumb: the test opponent `greedy`, and people who do not count.

use super::super::auction::Contract;
use super::super::card::Card;
use super::super::view::{BlotView, OwnHand};
use super::packed::Packing;
use super::playouts::ThumbRules;
use super::trick::PackedTrick;
use crate::rules::{Entropy, Seat};
use crate::search::SeededRng;

/// What somebody keeps in mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerMemory {
    /// Every card that has gone.
    All,
    /// Those on the table and of the trick before.
    Trick,
    /// Those on the table; now and then even whose trick it is goes unnoticed.
    Table,
}

/// The card that rules of thumb put; one of those that may be put.
pub fn card(
    view: &BlotView,
    own: &OwnHand,
    memory: PlayerMemory,
    numbers: &mut SeededRng,
) -> Option<Card> {
    let Contract { bid, seat, .. } = view.contract?;
    let packing = Packing::new(bid.trump);
    let table = view.table.iter().fold(0, |all, (_, card)| all | card.bit());
    let before = view.last.iter().flat_map(|trick| trick.cards);
    let before = before.fold(0, |all, card| all | card.bit());
    let gone = match memory {
        PlayerMemory::All => view.gone,
        PlayerMemory::Trick => table | before,
        PlayerMemory::Table => table,
    };
    let eyes = ThumbRules {
        hand: packing.pack(own.cards),
        others: packing.pack(!(gone | own.cards)),
        bidder: memory != PlayerMemory::Table
            && BlotView::team(Seat(seat)) == BlotView::team(own.seat),
    };
    let mut trick = PackedTrick::default();
    for (at, (_, card)) in view.table.iter().enumerate() {
        trick = trick.with(at, u32::from(packing.card(*card)), &packing);
    }
    let at = view.table.len();
    let legal = packing.pack(own.legal);
    if memory == PlayerMemory::Table && numbers.below(3) == 0 {
        trick.best_at = 3;
    }
    let chosen = match at {
        0 => eyes.lead(&packing),
        _ if legal & legal.wrapping_sub(1) == 0 => legal.trailing_zeros(),
        _ => eyes.follow(&trick, at, legal, &packing),
    };
    let card = packing.unpack((chosen & 31) as u8);
    (own.legal & card.bit() != 0).then_some(card)
}
