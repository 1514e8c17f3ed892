//! What both sides take for sure, seen without search.

use super::super::packed::Packing;
use super::super::trick::{above, suit_at};
use super::search::{KAPUT, SolverPosition};

/// The least and the most that the leader's side still takes.
/// No more is looked for than a low bound of `enough`.
pub(super) fn bounds(spot: &SolverPosition, enough: i16, packing: &Packing) -> (i16, i16) {
    let [ours, theirs] = unbeatable(spot, packing);
    let [leader, left, partner, right] = spot.hands;
    let high = spot.rest - packing.sum(theirs);
    let high = high + if spot.sweep & 1 != 0 && theirs == 0 { KAPUT } else { 0 };
    let all = u32::from(spot.left);
    let mut cashed = cash([leader, left, partner, right], ours, packing);
    if cashed.tricks < all && cashed.points < enough && high >= enough {
        // Through the partner, where he has a master of a suit that the leader has as well.
        let his = cash([partner, left, leader, right], ours, packing);
        if his.reached {
            cashed.points = cashed.points.max(his.points);
            cashed.tricks = cashed.tricks.max(his.tricks);
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

/// The trumps of each side that no trump of the other side beats: whoever leads what, they and
/// what they count stay with their side.
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

/// Tricks that a hand can take one after the other once it leads.
#[derive(Clone, Copy, Default)]
struct Cash {
    tricks: u32,
    /// What is in them at least, and trumps that stay with the side whatever happens.
    points: i16,
    /// Whether its partner has a card of a suit that it can cash.
    reached: bool,
}

/// For the first of these hands, the third being its partner.
fn cash(hands: [u32; 4], unbeatable: u32, packing: &Packing) -> Cash {
    let [leader, left, partner, right] = hands;
    let mut cash = Cash::default();
    // Whom a plain suit must not be too long for: those who could cut.
    let mut cutters = [left, right].map(|hand| packing.trump && hand & 0xff != 0);
    let mut sure = unbeatable;
    if packing.trump {
        let masters = tops(leader & 0xff, (left | partner | right) & 0xff);
        let count = masters.count_ones();
        let longest = (left & 0xff).count_ones().max((right & 0xff).count_ones());
        // All trumps of the others are drawn, so that every other master is good as well.
        let drawn = count >= longest;
        if drawn {
            cutters = [false; 2];
        }
        add(&mut cash, &hands, 0, masters, packing);
        cash.reached = count > 0 && partner & 0xff != 0;
        sure &= !masters;
        let mut under = partner & 0xff;
        for _ in 0..count.min(under.count_ones()) {
            let top = 1 << (31 - under.leading_zeros());
            under &= !top;
            sure &= !top;
        }
    }
    cash.points += packing.sum(sure);
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

/// Counts these masters of a suit and what must fall under them.
fn add(cash: &mut Cash, hands: &[u32; 4], shift: u32, masters: u32, packing: &Packing) {
    let count = masters.count_ones();
    if count == 0 {
        return;
    }
    cash.tricks += count;
    cash.points += packing.sum(masters);
    let mask = suit_at(shift);
    cash.points += dearest(hands[2] & mask, count, packing);
    cash.points += cheapest(hands[1] & mask, count, packing);
    cash.points += cheapest(hands[3] & mask, count, packing);
}

/// The most that so many cards of one suit count. Strength orders points, too.
fn dearest(mut cards: u32, count: u32, packing: &Packing) -> i16 {
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

/// The least that so many cards of one suit count, all of them if there are not so many.
fn cheapest(mut cards: u32, count: u32, packing: &Packing) -> i16 {
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
