//! Cards as bits, suits, trumps, strength and points (rules R3, R11 to R13, R22 to R25).
//!
//! A card is a number from 0 to 31: eight ranks of clubs, then diamonds, hearts, spades. A set of
//! cards is a `u32` with one bit a card.

/// Cards in one suit, lowest in the usual order first.
pub const RANKS: [&str; 8] = ["7", "8", "9", "10", "J", "Q", "K", "A"];

/// All 32 cards.
pub const PACK: u32 = u32::MAX;

/// Ranks by number.
pub mod rank {
    /// The seven.
    pub const SEVEN: u8 = 0;
    /// The eight.
    pub const EIGHT: u8 = 1;
    /// The nine.
    pub const NINE: u8 = 2;
    /// The ten.
    pub const TEN: u8 = 3;
    /// The jack.
    pub const JACK: u8 = 4;
    /// The queen.
    pub const QUEEN: u8 = 5;
    /// The king.
    pub const KING: u8 = 6;
    /// The ace.
    pub const ACE: u8 = 7;
}

/// A suit; the order is that of bridge and Bulgarian belot (decision D3, `suit_rank`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// Khach, ♣.
    Clubs,
    /// Kyap, ♦.
    Diamonds,
    /// Sirt, ♥.
    Hearts,
    /// Gharr, ♠.
    Spades,
}

impl Suit {
    /// All four, by number.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The letter in tokens and records.
    pub fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// The displayed sign.
    pub fn sign(self) -> &'static str {
        ["♣", "♦", "♥", "♠"][self as usize]
    }

    /// The suit of a letter.
    pub fn of_letter(letter: char) -> Option<Suit> {
        Self::ALL.into_iter().find(|suit| suit.letter() == letter)
    }

    /// All cards of this suit.
    pub fn cards(self) -> u32 {
        0xff << (8 * self as u32)
    }
}

/// The trump of a bid: a suit, or boy, which is play without a trump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trump {
    /// This suit is trump.
    Suit(Suit),
    /// No trump.
    Boy,
}

impl Trump {
    /// All five, in the order of `suit_rank`.
    pub const ALL: [Trump; 5] = [
        Trump::Suit(Suit::Clubs),
        Trump::Suit(Suit::Diamonds),
        Trump::Suit(Suit::Hearts),
        Trump::Suit(Suit::Spades),
        Trump::Boy,
    ];

    /// The trump suit, if there is one.
    pub fn suit(self) -> Option<Suit> {
        match self {
            Trump::Suit(suit) => Some(suit),
            Trump::Boy => None,
        }
    }

    /// All trump cards.
    pub fn cards(self) -> u32 {
        self.suit().map_or(0, Suit::cards)
    }

    /// The letter in bids: the suit's in small, `b` for boy.
    pub fn letter(self) -> char {
        self.suit().map_or('b', |suit| suit.letter().to_ascii_lowercase())
    }
}

/// One card, 0 to 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub u8);

impl Card {
    /// The card of a suit and a rank from 0, the seven.
    pub fn new(suit: Suit, rank: u8) -> Card {
        Card(suit as u8 * 8 + (rank & 7))
    }

    /// Its suit.
    pub fn suit(self) -> Suit {
        Suit::ALL[usize::from(self.0 >> 3) & 3]
    }

    /// 0, the seven, to 7, the ace.
    pub fn rank(self) -> u8 {
        self.0 & 7
    }

    /// The set of this card alone.
    pub fn bit(self) -> u32 {
        1 << (self.0 & 31)
    }

    /// `JH`, `10S`.
    pub fn write(self) -> String {
        format!("{}{}", RANKS[usize::from(self.rank())], self.suit().letter())
    }

    /// `J♥`, `10♠`.
    pub fn sign(self) -> String {
        format!("{}{}", RANKS[usize::from(self.rank())], self.suit().sign())
    }

    /// Reads what [`Card::write`] writes.
    pub fn read(text: &str) -> Option<Card> {
        let letter = text.chars().next_back()?;
        let suit = Suit::of_letter(letter)?;
        let rank = RANKS.iter().position(|it| *it == &text[..text.len() - 1])?;
        Some(Card::new(suit, u8::try_from(rank).ok()?))
    }

    /// The cards of the same suit that beat this one; trumps beat plain cards besides.
    pub fn beaten_in_suit_by(self, trump: Trump) -> u32 {
        let order = if trump.suit() == Some(self.suit()) { &TRUMP_ABOVE } else { &PLAIN_ABOVE };
        u32::from(order[usize::from(self.rank())]) << (self.0 & 0x18)
    }

    /// Its points in a pile (rules R22 to R24).
    pub fn points(self, trump: Trump) -> u8 {
        let table = match trump {
            Trump::Boy => &BOY_POINTS,
            Trump::Suit(suit) if suit == self.suit() => &TRUMP_POINTS,
            Trump::Suit(_) => &PLAIN_POINTS,
        };
        table[usize::from(self.rank())]
    }

    /// Its rank in the order of strength inside its suit, 0 the weakest.
    pub fn strength(self, trump: Trump) -> u8 {
        let above = self.beaten_in_suit_by(trump);
        7 - u8::try_from(above.count_ones()).unwrap_or(7)
    }
}

/// Every card of a set, lowest number first.
pub fn each(mut cards: u32) -> impl Iterator<Item = Card> {
    std::iter::from_fn(move || {
        let lowest = u8::try_from(cards.trailing_zeros()).ok().filter(|it| *it < 32)?;
        cards &= cards - 1;
        Some(Card(lowest))
    })
}

/// The `n`-th card of a set from the lowest number; `None` when the set has fewer.
pub fn nth(cards: u32, n: u32) -> Option<Card> {
    each(cards).nth(usize::try_from(n).ok()?)
}

/// Ranks from the weakest to the strongest (rules R11 and R12).
const PLAIN_ORDER: [u8; 8] = [0, 1, 2, 4, 5, 6, 3, 7];
const TRUMP_ORDER: [u8; 8] = [0, 1, 5, 6, 3, 7, 2, 4];

const PLAIN_ABOVE: [u8; 8] = above(PLAIN_ORDER);
const TRUMP_ABOVE: [u8; 8] = above(TRUMP_ORDER);

const PLAIN_POINTS: [u8; 8] = [0, 0, 0, 10, 2, 3, 4, 11];
const TRUMP_POINTS: [u8; 8] = [0, 0, 14, 10, 20, 3, 4, 11];
const BOY_POINTS: [u8; 8] = [0, 0, 0, 10, 2, 3, 4, 19];

/// For every rank the set of ranks that are stronger.
const fn above(order: [u8; 8]) -> [u8; 8] {
    let mut above = [0; 8];
    let mut weaker = 0;
    while weaker < 8 {
        let mut stronger = weaker + 1;
        while stronger < 8 {
            above[order[weaker] as usize] |= 1 << order[stronger];
            stronger += 1;
        }
        weaker += 1;
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pack_has_152_points_with_any_trump_and_in_boy() {
        for trump in Trump::ALL {
            let points: u32 = each(PACK).map(|card| u32::from(card.points(trump))).sum();
            assert_eq!(points, 152, "{trump:?}");
        }
    }

    #[test]
    fn cards_read_back() {
        for card in each(PACK) {
            assert_eq!(Card::read(&card.write()), Some(card));
        }
        for wrong in ["", "H", "1H", "JJ", "jh", "10", "JH ", "♥"] {
            assert_eq!(Card::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_nine_of_trumps_is_beaten_by_the_jack_alone() {
        let nine = Card::read("9H").unwrap();
        let hearts = Trump::Suit(Suit::Hearts);
        assert_eq!(nine.beaten_in_suit_by(hearts), Card::read("JH").unwrap().bit());
        assert_eq!(nine.beaten_in_suit_by(Trump::Boy).count_ones(), 5);
        assert_eq!(nine.strength(hearts), 6);
    }
}
