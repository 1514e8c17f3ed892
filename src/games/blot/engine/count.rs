//! Chooses calls by a point count: a fixed value for every good card, and one for an average
//! partner. The bidder of the level "easy" and of the test opponents.

use super::super::action::BlotAction;
use super::super::auction::{AuctionCall, Bid, Contract, ContractLevel};
use super::super::card::{Card, Suit, Trump, each, rank};
use super::super::melds::{Melds, blot};
use super::super::view::{BlotView, OwnHand};
use crate::rules::Seat;

/// The mean contribution of a partner, in tenths of a bid's number.
const PARTNER: u32 = 35;

/// The value of a hand with this trump, in tenths of a bid's number, without the partner.
fn hand_value(hand: u32, trump: Trump, view: &BlotView) -> u32 {
    let house = view.options.house();
    let melds = u32::from(Melds::best(hand, trump, &house).value(trump, &house));
    let outside = 10 * u32::from(blot(hand, trump)) + 7 * melds;
    let trumps = hand & trump.cards();
    let long = trumps.count_ones();
    let in_trumps: u32 = each(trumps)
        .map(|card| match card.rank() {
            rank::JACK => 32,
            rank::NINE if long >= 2 => 22,
            rank::ACE => 16,
            rank::TEN => 12,
            _ => 7,
        })
        .sum();
    let aces: u32 = Suit::ALL
        .into_iter()
        .filter(|suit| trump.suit() != Some(*suit))
        .map(|suit| plain_suit_value(hand & suit.cards(), suit, trump))
        .sum();
    let short = trump != Trump::Boy && (long < 3 || trumps & jack_and_nine(trump) == 0);
    (in_trumps + aces + outside).saturating_sub(if short { 30 } else { 0 })
}

fn jack_and_nine(trump: Trump) -> u32 {
    trump
        .suit()
        .map_or(0, |suit| Card::new(suit, rank::JACK).bit() | Card::new(suit, rank::NINE).bit())
}

fn plain_suit_value(cards: u32, suit: Suit, trump: Trump) -> u32 {
    let has = |rank: u8| cards & Card::new(suit, rank).bit() != 0;
    let ace = if trump == Trump::Boy { 24 } else { 15 };
    match (has(rank::ACE), has(rank::TEN)) {
        (true, true) => ace + 13,
        (true, false) => ace,
        (false, true) if cards.count_ones() >= 2 => 6,
        (false, _) => 0,
    }
}

/// The call of the point count.
pub fn call(view: &BlotView, own: &OwnHand, actions: &[BlotAction]) -> AuctionCall {
    let standing = view.contract;
    let ours = |it: &Contract| BlotView::team(Seat(it.seat)) == BlotView::team(own.seat);
    if let Some(standing) = standing.filter(|it| !ours(it) && it.level == ContractLevel::Plain) {
        let defence = hand_value(own.cards, standing.bid.trump, view) + PARTNER - 10;
        let needs = 10 * u32::from(standing.bid.x);
        if defence + needs > 220 && actions.contains(&BlotAction::Call(AuctionCall::Kuansh)) {
            return AuctionCall::Kuansh;
        }
    }
    let lowest = view.bounds.map_or(u8::MAX, |bounds| bounds.lowest);
    let best = Trump::ALL.into_iter().max_by_key(|trump| hand_value(own.cards, *trump, view));
    let Some(trump) = best else { return AuctionCall::Pass };
    let number = (hand_value(own.cards, trump, view) + PARTNER) / 10;
    // Outbids the partner only with a clearly better hand.
    let over_partner = if standing.is_some_and(|it| ours(&it)) { 3 } else { 0 };
    if number >= u32::from(lowest) + over_partner {
        AuctionCall::Bid(Bid { x: lowest, trump, kaput: false })
    } else {
        AuctionCall::Pass
    }
}
