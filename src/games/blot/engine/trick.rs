//! Computes legal cards and the winning card of one trick in packed cards.

use super::packed::Packing;

/// The cards on the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedTrick {
    /// The card led.
    pub lead: u32,
    /// Its suit, as the number of its lowest bit.
    pub led: u32,
    /// The winning card so far, and its place in the trick.
    pub best: u32,
    pub best_at: usize,
    /// The points on the table.
    pub points: i16,
}

impl PackedTrick {
    /// The trick after one more card.
    pub fn with(&self, at: usize, card: u32, packing: &Packing) -> PackedTrick {
        let points = i16::from(packing.points[(card & 31) as usize]);
        if at == 0 {
            return PackedTrick { lead: card, led: card & 24, best: card, best_at: 0, points };
        }
        let beats =
            if card & 24 == self.best & 24 { card > self.best } else { packing.trump && card < 8 };
        let (best, best_at) = if beats { (card, at) } else { (self.best, self.best_at) };
        PackedTrick { best, best_at, points: self.points + points, ..*self }
    }

    /// The legal cards (rules R14 to R21).
    pub fn legal(&self, hand: u32, at: usize, trump: bool, undertrump: bool) -> u32 {
        let trumps = hand & 0xff;
        let higher = if self.best < 8 { trumps & above(self.best) } else { trumps };
        if trump && self.led == 0 {
            return if higher != 0 {
                higher
            } else if trumps != 0 {
                trumps
            } else {
                hand
            };
        }
        let same = hand & suit_at(self.led);
        if same != 0 {
            return same;
        }
        let partner_holds = at >= 2 && self.best_at == at - 2;
        if partner_holds || !trump {
            return hand;
        }
        if higher != 0 {
            higher
        } else if undertrump && trumps != 0 {
            trumps
        } else {
            hand
        }
    }
}

/// All cards of the suit that starts at this bit.
pub(super) fn suit_at(shift: u32) -> u32 {
    0xff << shift
}

/// The cards of the same suit above this one.
pub(super) fn above(card: u32) -> u32 {
    let suit = suit_at(card & 24);
    suit & (u32::MAX << (card & 31) << 1)
}

/// Whether this hand has a legal card that beats the winning card.
pub(super) fn can_beat(hand: u32, trick: &PackedTrick, trump: bool) -> bool {
    let led = hand & suit_at(trick.led);
    if led != 0 {
        return led & above(trick.best) != 0;
    }
    if !trump {
        return false;
    }
    let trumps = hand & 0xff;
    if trick.best < 8 { trumps & above(trick.best) != 0 } else { trumps != 0 }
}
