//! Bounds the points that both sides still take, without search.

use super::super::packed::Packing;
use super::super::trick::{above, suit_at};
use super::search::{KAPUT, SolverPosition};

/// Lower and upper bound of what the leader's side still takes. The search for a better lower bound
/// stops at `enough`.
pub(super) fn bounds(spot: &SolverPosition, enough: i16, packing: &Packing) -> (i16, i16) {
    let [ours, theirs] = unbeatable(spot, packing);
    let [leader, left, partner, right] = spot.hands;
    let high = spot.rest - packing.sum(theirs);
    let high = high + if spot.sweep & 1 != 0 && theirs == 0 { KAPUT } else { 0 };
    let all = u32::from(spot.left);
    let mut cashed = cash([leader, left, partner, right], ours, packing);
    if cashed.tricks < all && cashed.points < enough && high >= enough {
        // Through the partner, if it has a master of a suit that the leader can lead.
        let partners = cash([partner, left, leader, right], ours, packing);
        if partners.reached {
            cashed.points = cashed.points.max(partners.points);
            cashed.tricks = cashed.tricks.max(partners.tricks);
        }
    }
    if cashed.tricks >= all {
        let all = spot.rest + if spot.sweep & 1 != 0 { KAPUT } else { 0 };
        return (all, all);
    }
    let we_take_one = cashed.tricks > 0 || ours != 0;
    let low = cashed.points - if spot.sweep & 2 != 0 && !we_take_one { KAPUT } else { 0 };
    (low, high)
}

/// The trumps of each side that no trump of the other side beats: their points stay with their side
/// whatever is led.
fn unbeatable(spot: &SolverPosition, packing: &Packing) -> [u32; 2] {
    if !packing.trump {
        return [0; 2];
    }
    let sides = [spot.hands[0] | spot.hands[2], spot.hands[1] | spot.hands[3]].map(|it| it & 0xff);
    let over = |cards: u32, other: u32| match other {
        0 => cards,
        _ => cards & above(31 - other.leading_zeros()),
    };
    [over(sides[0], sides[1]), over(sides[1], sides[0])]
}

/// The tricks that a hand can take in a row once it leads.
#[derive(Clone, Copy, Default)]
struct Cash {
    tricks: u32,
    /// The least points in them, and of trumps that stay with the side in any case.
    points: i16,
    /// Whether its partner has a card of a suit that the hand can cash.
    reached: bool,
}

/// Computes the tricks of the first of these hands; the third is its partner.
fn cash(hands: [u32; 4], unbeatable: u32, packing: &Packing) -> Cash {
    let [leader, left, partner, right] = hands;
    let mut cash = Cash::default();
    // Opponents who can cut a plain suit that is too long.
    let mut cutters = [left, right].map(|hand| packing.trump && hand & 0xff != 0);
    let mut safe = unbeatable;
    if packing.trump {
        let masters = tops(leader & 0xff, (left | partner | right) & 0xff);
        let count = masters.count_ones();
        let longest = (left & 0xff).count_ones().max((right & 0xff).count_ones());
        // All trumps of the opponents are drawn, so every other master wins as well.
        let drawn = count >= longest;
        if drawn {
            cutters = [false; 2];
        }
        add(&mut cash, &hands, 0, masters, packing);
        cash.reached = count > 0 && partner & 0xff != 0;
        safe &= !masters;
        let mut under = partner & 0xff;
        for _ in 0..count.min(under.count_ones()) {
            let top = 1 << (31 - under.leading_zeros());
            under &= !top;
            safe &= !top;
        }
    }
    cash.points += packing.sum(safe);
    for shift in [0, 8, 16, 24].into_iter().skip(usize::from(packing.trump)) {
        let mask = suit_at(shift);
        let mut masters = tops(leader & mask, (left | partner | right) & mask);
        for (hand, cuts) in [left, right].into_iter().zip(cutters) {
            let len = (hand & mask).count_ones();
            while cuts && masters.count_ones() > len {
                masters &= masters - 1;
            }
        }
        add(&mut cash, &hands, shift, masters, packing);
        let cut = |hand: u32| packing.trump && hand & mask == 0 && hand & 0xff != 0;
        cash.reached |= masters & mask != 0 && partner & mask != 0 && !cut(left) && !cut(right);
    }
    cash
}

/// The cards of one suit that are higher than all others of it.
fn tops(own: u32, others: u32) -> u32 {
    match others {
        0 => own,
        _ => own & above(31 - others.leading_zeros()),
    }
}

/// Adds these masters of a suit and the cards that must fall under them.
fn add(cash: &mut Cash, hands: &[u32; 4], shift: u32, masters: u32, packing: &Packing) {
    let count = masters.count_ones();
    if count == 0 {
        return;
    }
    cash.tricks += count;
    cash.points += packing.sum(masters);
    let mask = suit_at(shift);
    cash.points += highest_points(hands[2] & mask, count, packing);
    cash.points += lowest_points(hands[1] & mask, count, packing);
    cash.points += lowest_points(hands[3] & mask, count, packing);
}

/// The most points of `count` cards of one suit. Stronger cards never have fewer points.
fn highest_points(mut cards: u32, count: u32, packing: &Packing) -> i16 {
    let mut sum = 0;
    for _ in 0..count {
        if cards == 0 {
            break;
        }
        let top = 31 - cards.leading_zeros();
        sum += i16::from(packing.points[(top & 31) as usize]);
        cards &= !(1 << top);
    }
    sum
}

/// The least points of `count` cards of one suit, or of all cards if there are fewer.
fn lowest_points(mut cards: u32, count: u32, packing: &Packing) -> i16 {
    let mut sum = 0;
    for _ in 0..count {
        if cards == 0 {
            break;
        }
        sum += i16::from(packing.points[(cards.trailing_zeros() & 31) as usize]);
        cards &= cards - 1;
    }
    sum
}
