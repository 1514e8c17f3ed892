//! Chooses the calls of the lowest level: counts jacks, aces and length, and ignores the calls of
//! the others.

use super::super::super::action::BlotAction;
use super::super::super::auction::{AuctionCall, Bid};
use super::super::super::card::{Card, Suit, Trump, each, rank};
use super::super::super::view::{BlotView, OwnHand};
use crate::rules::Entropy;
use crate::search::SeededRng;

/// The call of a player in a first game: a long suit with the jack is a trump, every ace counts,
/// the calls of the others are ignored. Some hands are bid too high; with some hands the player
/// passes although a bid would be right.
pub fn first_game(
    view: &BlotView,
    own: &OwnHand,
    actions: &[BlotAction],
    rng: &mut SeededRng,
) -> AuctionCall {
    let Some(bounds) = view.bounds else { return AuctionCall::Pass };
    let (suit, jack, length) = longest(own.cards);
    let aces = of_rank(own.cards & !suit.cards(), rank::ACE);
    let strength = 2 * u8::from(jack) + length + aces;
    let roll = rng.below(8);
    let overbid = match roll {
        0 => 3,
        1..=2 => 1,
        3..=5 => 0,
        _ => return AuctionCall::Pass,
    };
    let ours = view.contract.is_some_and(|it| it.seat & 1 == own.seat.0 & 1);
    let number = strength + overbid + 2;
    let bid = AuctionCall::Bid(Bid { x: bounds.lowest, trump: Trump::Suit(suit), kaput: false });
    let wants = strength >= 5 && number >= bounds.lowest && !ours;
    if wants && actions.contains(&BlotAction::Call(bid)) { bid } else { AuctionCall::Pass }
}

/// The longest suit; of equally long suits, the one with the jack.
fn longest(hand: u32) -> (Suit, bool, u8) {
    let of = |suit: Suit| {
        let jack = hand & Card::new(suit, rank::JACK).bit() != 0;
        ((hand & suit.cards()).count_ones() as u8, jack)
    };
    let suit = Suit::ALL.into_iter().max_by_key(|suit| of(*suit)).unwrap_or(Suit::Clubs);
    let (length, jack) = of(suit);
    (suit, jack, length)
}

fn of_rank(cards: u32, rank: u8) -> u8 {
    each(cards).filter(|card| card.rank() == rank).count() as u8
}
