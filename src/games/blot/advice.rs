//! Hints for a first game: whether to bid, which cards are legal and which take the trick. No
//! search: only the hand and the table.

use super::card::{Card, Suit, Trump, each, rank};
use super::view::{BlotStage, BlotView, OwnHand};
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// With this many trumps, the jack among them, a hint suggests a bid.
const ENOUGH: u32 = 3;

/// One sentence for the auction or for the trick.
pub fn advice(view: &BlotView, seat: Seat) -> Vec<Text> {
    let Some(own) = view.own.as_ref().filter(|_| view.turn == Some(seat)) else {
        return Vec::new();
    };
    match view.stage {
        BlotStage::Auction => vec![bid(view, own)],
        BlotStage::Play => card(view, own).into_iter().collect(),
        BlotStage::Deal | BlotStage::Over(_) => Vec::new(),
    }
}

/// The best suit for a trump, and whether it is good enough.
fn bid(view: &BlotView, own: &OwnHand) -> Text {
    let worth = |suit: &Suit| -> u32 {
        let trumps = each(own.cards & suit.cards());
        trumps.map(|card| u32::from(card.points(Trump::Suit(*suit))) + 4).sum()
    };
    let best = Suit::ALL.into_iter().max_by_key(worth).unwrap_or(Suit::Hearts);
    let trumps = own.cards & best.cards();
    let cards: Vec<String> = each(trumps).map(Card::sign).collect();
    let jack = trumps & Card::new(best, rank::JACK).bit() != 0;
    let lowest = view.bounds.filter(|it| !it.kaput_only).map(|it| it.lowest);
    let strong = jack && trumps.count_ones() >= ENOUGH;
    match lowest.filter(|_| strong) {
        Some(lowest) => Text::new("blot-coach-bid")
            .with("cards", cards.join(" "))
            .with("bid", format!("{lowest}{}", best.sign())),
        None => Text::new("blot-coach-pass").with("cards", cards.join(" ")),
    }
}

/// The legal cards, and their effect.
fn card(view: &BlotView, own: &OwnHand) -> Option<Text> {
    let trump = view.contract?.bid.trump;
    let legal: Vec<Card> = each(own.legal).collect();
    let with = |key: &'static str, card: Card| Text::new(key).with("card", card.sign());
    if let [only] = *legal {
        return Some(with("blot-coach-only", only));
    }
    let Some(holding) = view.holding else {
        let safe =
            legal.iter().find(|it| it.beaten_in_suit_by(trump) & !(view.gone | own.cards) == 0);
        return Some(match safe {
            Some(card) => with("blot-coach-lead-safe", *card),
            None => Text::new("blot-coach-lead"),
        });
    };
    let held = view.table.iter().find(|(seat, _)| *seat == holding)?.1;
    if BlotView::team(holding) == BlotView::team(own.seat) {
        let dear = legal.iter().max_by_key(|it| it.points(trump))?;
        return Some(with("blot-coach-partner", *dear).with("name", Arg::Seat(holding.0)));
    }
    let beats = |it: &&Card| match it.suit() == held.suit() {
        true => held.beaten_in_suit_by(trump) & it.bit() != 0,
        false => trump.suit() == Some(it.suit()),
    };
    let taking = legal.iter().filter(beats).min_by_key(|it| it.strength(trump));
    let cheap = legal.iter().min_by_key(|it| (it.points(trump), it.strength(trump)))?;
    Some(match taking {
        Some(card) => with("blot-coach-take", *card),
        None => with("blot-coach-lose", *cheap),
    })
}
