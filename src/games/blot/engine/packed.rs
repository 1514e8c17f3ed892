//! Renumbers cards for solver and playouts: trumps in the lowest byte, every suit in its order of
//! strength, so that "beats" is "has a higher bit".

use super::super::card::{Card, Suit, Trump, each};

/// The packed numbers of the cards for one trump, and their points.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// The packed number by card.
    to: [u8; 32],
    /// The card by packed number.
    from: [u8; 32],
    /// Points by packed number.
    pub points: [u8; 32],
    /// Whether suit 0 is trump.
    pub trump: bool,
}

impl Packing {
    /// The packing for this trump.
    pub fn new(trump: Trump) -> Self {
        let first = trump.suit();
        let plain = Suit::ALL.into_iter().filter(|suit| Some(*suit) != first);
        let suits: Vec<Suit> = first.into_iter().chain(plain).collect();
        let mut packing =
            Self { to: [0; 32], from: [0; 32], points: [0; 32], trump: first.is_some() };
        for (place, suit) in (0u8..).zip(suits) {
            for card in each(suit.cards()) {
                let at = place * 8 + card.strength(trump);
                packing.to[usize::from(card.0)] = at;
                packing.from[usize::from(at)] = card.0;
                packing.points[usize::from(at)] = card.points(trump);
            }
        }
        packing
    }

    /// The packings of all trumps, by [`Packing::number`].
    pub fn all() -> [Packing; 5] {
        Trump::ALL.map(Packing::new)
    }

    /// The index of a trump in [`Packing::all`].
    pub fn number(trump: Trump) -> usize {
        trump.suit().map_or(4, |suit| suit as usize)
    }

    /// Packs a set of cards.
    pub fn pack(&self, cards: u32) -> u32 {
        each(cards).fold(0, |all, card| all | 1 << self.to[usize::from(card.0)])
    }

    /// Packs one card.
    pub fn card(&self, card: Card) -> u8 {
        self.to[usize::from(card.0 & 31)]
    }

    /// The card of a packed number.
    pub fn unpack(&self, at: u8) -> Card {
        Card(self.from[usize::from(at & 31)])
    }

    /// The points of a packed set.
    pub fn sum(&self, mut cards: u32) -> i16 {
        let mut sum = 0;
        while cards != 0 {
            sum += i16::from(self.points[(cards.trailing_zeros() & 31) as usize]);
            cards &= cards - 1;
        }
        sum
    }
}
