//! Lists all distinct ways in which a turn can end.
//!
//! Throws can be used in many orders with the same result; only the mover's pieces, the squares
//! that were hit and the throws that are left matter. Every such point is visited once, so that
//! even very long series stay cheap.

use super::position::{PlayerPieces, ThaayamPosition};
use super::turn::{THROWS, ThaayamTurn, ThrowUse, TurnPoint};
use crate::rules::Seat;

/// One way in which a turn can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnOutcome {
    /// The mover's pieces.
    pub own: PlayerPieces,
    /// Squares on which enemies were killed, as a set.
    pub hits: u32,
}

impl TurnOutcome {
    /// The position after this seat's turn ended so.
    pub fn applied(&self, position: &ThaayamPosition, seat: Seat) -> ThaayamPosition {
        let mut after = position.with_side(seat, self.own);
        after.kill(seat, self.hits);
        after
    }

    /// As [`key`], with a bit that no point has, so that it is never 0.
    fn key(&self) -> u64 {
        own_key(&self.own) << 44 | u64::from(self.hits) << 19 | 1
    }
}

impl ThaayamTurn {
    /// All distinct ways in which this turn can end, sorted. When there are more than `max`, the
    /// search stops early: some are missing, but more than `max` are returned.
    pub fn outcomes(&self, max: usize) -> Vec<TurnOutcome> {
        if self.must_use_most() {
            return self.outcomes_that_use_most();
        }
        let mut found = Vec::new();
        let mut seen = KeySet::default();
        self.each_leaf(|at, _| {
            let outcome = TurnOutcome { own: at.own, hits: self.hits_at(at) };
            if seen.insert(outcome.key()) {
                found.push(outcome);
            }
            found.len() <= max
        });
        found.sort_unstable();
        found
    }

    fn outcomes_that_use_most(&self) -> Vec<TurnOutcome> {
        let most = self.max_usable_throws();
        let mut found = Vec::new();
        self.each_leaf(|at, used| {
            if used == most {
                found.push(TurnOutcome { own: at.own, hits: self.hits_at(at) });
            }
            true
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The largest number of throws that can be used from here. A winner has used all, because the
    /// remaining throws are void (S17).
    pub fn max_usable_throws(&self) -> u8 {
        let mut most = 0;
        let all = self.left().count();
        self.each_leaf(|_, used| {
            most = most.max(used);
            most < all
        });
        most
    }

    /// The plays that lead to this end, the same for equal turns; `None` if there are none.
    pub fn route(&self, to: &TurnOutcome) -> Option<Vec<ThrowUse>> {
        let most = self.must_use_most().then(|| self.max_usable_throws());
        let mut seen = KeySet::default();
        // Depth-first search with the path to each point: (point, plays tried so far).
        let mut way: Vec<(TurnPoint, usize)> = vec![(self.at, 0)];
        let mut route: Vec<ThrowUse> = Vec::new();
        while let Some((at, tried)) = way.last_mut() {
            let at = *at;
            let plays = if self.is_done_at(&at) { None } else { Some(self.plays_at(&at)) };
            let plays = plays.as_ref().map_or(&[][..], |it| it.as_slice());
            if plays.is_empty() && at.own == to.own && self.hits_at(&at) == to.hits {
                let used = self.used_throws(&at);
                if most.is_none_or(|most| used == most) {
                    return Some(route);
                }
            }
            let Some(play) = plays.get(*tried) else {
                way.pop();
                route.pop();
                continue;
            };
            *tried += 1;
            if let Some(next) = self.at_after(&at, *play)
                && seen.insert(key(&next))
            {
                route.push(*play);
                way.push((next, 0));
            }
        }
        None
    }

    /// Calls `found` with every distinct point where nothing more can be played and the number
    /// of throws used, until it gives `false`.
    fn each_leaf(&self, mut found: impl FnMut(&TurnPoint, u8) -> bool) {
        let mut seen = KeySet::default();
        let mut open = vec![self.at];
        while let Some(at) = open.pop() {
            let plays = self.plays_at(&at);
            if plays.as_slice().is_empty() || self.is_done_at(&at) {
                if !found(&at, self.used_throws(&at)) {
                    return;
                }
                continue;
            }
            // With one throw left, no two sequences can reach the same point.
            let last = at.left.count() == 1;
            for play in plays.as_slice() {
                if let Some(next) = self.at_after(&at, *play)
                    && (last || seen.insert(key(&next)))
                {
                    open.push(next);
                }
            }
        }
    }

    /// Throws used since this turn's point; all of them where it is won.
    fn used_throws(&self, at: &TurnPoint) -> u8 {
        let all = self.left().count();
        if self.is_done_at(at) { all } else { all - at.left.count() }
    }
}

/// A point in 64 bits: 20 for the pieces, 25 for the hits, 19 for the throws that are left. A
/// series has one 2 or 3 at most, at its end.
fn key(at: &TurnPoint) -> u64 {
    let [eights, fours, threes, twos, ones] =
        THROWS.map(|throw| u64::from(at.left.of_value(throw)));
    let left = (eights << 6 | fours) << 6 | ones;
    own_key(&at.own) << 44 | u64::from(at.hits) << 19 | left << 1 | threes | twos
}

fn own_key(own: &PlayerPieces) -> u64 {
    own.steps().iter().fold(0, |key, step| key << 5 | u64::from((step + 1).unsigned_abs()))
}

/// A set of keys that are never 0: open addressing, doubled when half full.
#[derive(Default)]
struct KeySet {
    slots: Vec<u64>,
    len: usize,
    /// The first keys, without a table.
    few: [u64; 12],
}

impl KeySet {
    /// Whether the key is new.
    fn insert(&mut self, key: u64) -> bool {
        if self.slots.is_empty() {
            if self.few[..self.len].contains(&key) {
                return false;
            }
            if self.len < self.few.len() {
                self.few[self.len] = key;
                self.len += 1;
                return true;
            }
            self.grow(64);
        } else if self.len * 2 > self.slots.len() {
            self.grow(self.slots.len() * 4);
        }
        let added = insert_key(&mut self.slots, key);
        self.len += usize::from(added);
        added
    }

    fn grow(&mut self, size: usize) {
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        let few = if old.is_empty() { &self.few[..] } else { &[] };
        for key in old.iter().chain(few).filter(|key| **key != 0) {
            insert_key(&mut self.slots, *key);
        }
    }
}

/// Puts a key into a table with a free slot; returns whether it was new.
fn insert_key(slots: &mut [u64], key: u64) -> bool {
    let mask = slots.len() - 1;
    let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
    loop {
        match slots[at] {
            0 => {
                slots[at] = key;
                return true;
            }
            there if there == key => return false,
            _ => at = (at + 1) & mask,
        }
    }
}
