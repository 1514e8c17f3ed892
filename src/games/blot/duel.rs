//! Measures players of Blot: points of the match and of the cards, and card play alone.

use super::action::BlotAction;
use super::auction::{AuctionCall, Bid};
use super::card::{Card, Suit, Trump, each, rank};
use super::view::BlotView;
use super::{Blot, Summary};

/// The match points of each seat's side less those of the other side.
pub fn match_points(view: &BlotView) -> Vec<i32> {
    by_seat(view, |row, side| {
        let [own, others] = [side, 1 - side].map(|it| i32::from(row.score.points[it]));
        own - others
    })
}

/// The card points of each seat's side above half of the 162 points of a round.
pub fn card_points(view: &BlotView) -> Vec<i32> {
    by_seat(view, |row, side| i32::from(row.played.cards[side]) - 81)
}

/// The sum over all rounds of a match.
fn by_seat(view: &BlotView, of: impl Fn(&Summary, usize) -> i32) -> Vec<i32> {
    (0..4).map(|seat| view.sheet.iter().map(|row| of(row, seat & 1)).sum()).collect()
}

/// An auction by a count of the dealt hands, so that different players play the same contract:
/// the best hand bids the lowest number in its best trump, all others pass.
pub fn auction(game: &Blot) -> Option<BlotAction> {
    let round = game.round().filter(|round| round.play().is_none())?;
    let auction = round.auction();
    let turn = auction.turn()?;
    let hands = round.dealt();
    let all = (0..4u8).flat_map(|seat| Trump::ALL.map(|trump| (seat, trump)));
    let (seat, trump) = all.max_by_key(|(seat, trump)| {
        // Of equal hands, that of the first seat to call.
        let late = (seat + 3 - round.dealer()) & 3;
        (strength(hands[usize::from(*seat)], *trump), 3 - late)
    })?;
    let bounds = auction.bounds(game.house()).filter(|_| auction.standing().is_none());
    Some(BlotAction::Call(match bounds {
        Some(bounds) if seat == turn => {
            AuctionCall::Bid(Bid { x: bounds.lowest, trump, kaput: false })
        }
        Some(_) | None => AuctionCall::Pass,
    }))
}

/// Trump points and length with plain aces; aces and tens in boy.
fn strength(hand: u32, trump: Trump) -> u32 {
    let plain = hand & !trump.cards();
    let of = |rank: u8| Suit::ALL.map(|suit| Card::new(suit, rank).bit());
    let count = |rank: u8| (plain & of(rank).iter().fold(0, |all, bit| all | bit)).count_ones();
    match trump {
        Trump::Suit(suit) => {
            let trumps = hand & suit.cards();
            let points: u32 = each(trumps).map(|card| u32::from(card.points(trump))).sum();
            points + 6 * trumps.count_ones() + 11 * count(rank::ACE)
        }
        Trump::Boy => 19 * count(rank::ACE) + 7 * count(rank::TEN),
    }
}
