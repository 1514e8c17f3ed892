//! The two lowest levels bid as people do who count on their fingers.

use super::super::super::action::BlotAction;
use super::super::super::auction::{AuctionCall, Bid};
use super::super::super::card::{Card, Suit, Trump, each, rank};
use super::super::super::view::{BlotView, OwnHand};
use crate::rules::Entropy;
use crate::search::SeededRng;

/// A first game: a long suit with the jack is a trump, every ace is worth something, what the
/// others say is not heard. Some hands are bid too high, some are not bid from fear.
pub fn first_game(
    view: &BlotView,
    own: &OwnHand,
    actions: &[BlotAction],
    numbers: &mut SeededRng,
) -> AuctionCall {
    let Some(bounds) = view.bounds else { return AuctionCall::Pass };
    let (suit, jack, long) = longest(own.cards);
    let aces = of_rank(own.cards & !suit.cards(), rank::ACE);
    let counted = 2 * u8::from(jack) + long + aces;
    let mood = numbers.below(8);
    let courage = match mood {
        0 => 3,
        1..=2 => 1,
        3..=5 => 0,
        _ => return AuctionCall::Pass,
    };
    let ours = view.contract.is_some_and(|it| it.seat & 1 == own.seat.0 & 1);
    let promised = counted + courage + 2;
    let bid = AuctionCall::Bid(Bid { x: bounds.lowest, trump: Trump::Suit(suit), kaput: false });
    let wants = counted >= 5 && promised >= bounds.lowest && !ours;
    if wants && actions.contains(&BlotAction::Call(bid)) { bid } else { AuctionCall::Pass }
}

/// The suit with most cards, among equals the one with the jack.
fn longest(hand: u32) -> (Suit, bool, u8) {
    let of = |suit: Suit| {
        let jack = hand & Card::new(suit, rank::JACK).bit() != 0;
        ((hand & suit.cards()).count_ones() as u8, jack)
    };
    let suit = Suit::ALL.into_iter().max_by_key(|suit| of(*suit)).unwrap_or(Suit::Clubs);
    let (long, jack) = of(suit);
    (suit, jack, long)
}

fn of_rank(cards: u32, rank: u8) -> u8 {
    each(cards).filter(|card| card.rank() == rank).count() as u8
}
