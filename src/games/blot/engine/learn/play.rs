//! Plays the deals from which the deal network learns: a few worlds that respect refused cards,
//! each played out by rules of thumb after every legal card. Fast, and close enough to the
//! program's own play (the mean of what bidders take agrees within a point; the command is in the
//! module above).

use super::super::super::card::{Card, Trump, each};
use super::super::super::tricks::Tricks;
use super::super::auction::deals::{LOST, SWEPT};
use super::super::playouts::Playouts;
use crate::rules::Entropy;
use crate::search::SeededRng;

/// The value of all tricks above their cards, in points.
const KAPUT: i32 = 88;

/// Plays deals with few worlds.
#[derive(Default)]
pub struct LearnPlayer {
    playouts: Playouts,
    worlds: usize,
}

impl LearnPlayer {
    /// A player with this number of worlds for each card.
    pub fn new(worlds: usize) -> Self {
        Self { worlds, ..Self::default() }
    }

    /// Plays a deal and returns the points that the leader's side takes; `bidders` is the side that
    /// named the trump.
    pub fn play(
        &self,
        hands: &[u32; 4],
        trump: Trump,
        leader: u8,
        bidders: usize,
        rng: &mut SeededRng,
    ) -> u8 {
        let mut tricks = Tricks::new(*hands, trump, leader, false);
        let mut never = [0; 4];
        while !tricks.is_over() {
            let card = self.choose(&tricks, &never, bidders, rng);
            note_refused_cards(&tricks, card, &mut never);
            tricks.play(card);
        }
        let side = usize::from(leader & 1);
        match tricks.taken()[side] {
            8 => SWEPT,
            0 => LOST,
            _ => tricks.points()[side] as u8,
        }
    }

    fn choose(
        &self,
        tricks: &Tricks,
        never: &[u32; 4],
        bidders: usize,
        rng: &mut SeededRng,
    ) -> Card {
        let cards: Vec<Card> = each(tricks.legal()).collect();
        if cards.len() == 1 {
            return cards[0];
        }
        let side = usize::from(tricks.turn() & 1);
        let mut sums = [0i32; 8];
        for _ in 0..self.worlds {
            let world = tricks.with_hands(draw(tricks, never, rng));
            for (sum, card) in sums.iter_mut().zip(&cards) {
                let mut after = world;
                after.play(*card);
                let end = self.playouts.finish(&after, bidders);
                let all = i32::from(end.taken[side] == 8) - i32::from(end.taken[side] == 0);
                *sum += i32::from(end.points[side]) + KAPUT * all;
            }
        }
        let best = sums.iter().zip(&cards).max_by_key(|(sum, _)| **sum);
        best.map_or(cards[0], |(_, card)| *card)
    }
}

/// Adds the cards that the seat to move cannot hold, because it plays this card, to its set in
/// `never`.
fn note_refused_cards(tricks: &Tricks, card: Card, never: &mut [u32; 4]) {
    let Some((holder, holding)) = tricks.winning_card() else { return };
    let trump = tricks.trump();
    let led = tricks.table()[0].suit();
    let turn = tricks.turn();
    let never = &mut never[usize::from(turn)];
    let is_trump = trump.suit() == Some(card.suit());
    let over = if trump.suit() == Some(holding.suit()) {
        holding.beaten_in_suit_by(trump)
    } else {
        trump.cards()
    };
    if card.suit() != led {
        *never |= led.cards();
        if holder != turn ^ 2 && (!is_trump || over & card.bit() == 0) {
            *never |= over & trump.cards();
        }
    } else if trump.suit() == Some(led) && over & card.bit() == 0 {
        *never |= over;
    }
}

/// Deals the hidden cards at random so that no seat gets a card that it cannot hold; gives up after
/// some failures and returns the real hands.
fn draw(tricks: &Tricks, never: &[u32; 4], rng: &mut SeededRng) -> [u32; 4] {
    let turn = usize::from(tricks.turn());
    let hands = tricks.hands();
    let others = [1, 2, 3].map(|n| (turn + n) & 3);
    let hidden: Vec<Card> = each(others.iter().fold(0, |all, seat| all | hands[*seat])).collect();
    let holders = |card: Card| others.into_iter().filter(move |it| never[*it] & card.bit() == 0);
    for _ in 0..20 {
        let mut left = hands.map(u32::count_ones);
        let mut drawn = [0; 4];
        drawn[turn] = hands[turn];
        let mut cards = hidden.clone();
        for n in (1..cards.len()).rev() {
            cards.swap(n, rng.below(n as u32 + 1) as usize);
        }
        cards.sort_by_key(|card| holders(*card).count());
        let is_dealt = cards.into_iter().all(|card| {
            let room: u32 = holders(card).map(|seat| left[seat]).sum();
            if room == 0 {
                return false;
            }
            let mut place = rng.below(room);
            for seat in holders(card) {
                if place < left[seat] {
                    left[seat] -= 1;
                    drawn[seat] |= card.bit();
                    break;
                }
                place -= left[seat];
            }
            true
        });
        if is_dealt {
            return drawn;
        }
    }
    hands
}
