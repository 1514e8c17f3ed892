//! Plays the cards: turns, legal cards and winners of tricks (rules R7 to R9, R11 to R21, R26).
//!
//! [`Tricks`] is a bare `Copy` value for search and playouts: hands, trick and points only.

use super::card::{Card, Trump, each};

/// The card play of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tricks {
    hands: [u32; 4],
    trump: Trump,
    undertrump: bool,
    leader: u8,
    len: u8,
    cards: [Card; 4],
    /// The winning card of the trick so far: its index in the trick, and the card.
    best: u8,
    points: [u16; 2],
    taken: [u8; 2],
}

/// A finished trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trick {
    /// The seat that led.
    pub leader: u8,
    /// The cards in the order of play.
    pub cards: [Card; 4],
    /// The seat that took it.
    pub winner: u8,
    /// The points of its cards, with ten more for the last trick.
    pub points: u8,
}

impl Tricks {
    /// The state before the first card. `undertrump` is the house rule of that name.
    pub fn new(hands: [u32; 4], trump: Trump, leader: u8, undertrump: bool) -> Self {
        Self {
            hands,
            trump,
            undertrump,
            leader: leader & 3,
            len: 0,
            cards: [Card(0); 4],
            best: 0,
            points: [0; 2],
            taken: [0; 2],
        }
    }

    /// Cards still held, by seat.
    pub fn hands(&self) -> [u32; 4] {
        self.hands
    }

    /// The same trick and points with other hands, for sampled worlds.
    #[must_use]
    pub fn with_hands(self, hands: [u32; 4]) -> Self {
        Self { hands, ..self }
    }

    /// The trump.
    pub fn trump(&self) -> Trump {
        self.trump
    }

    /// Whether a player who cannot overtrump must undertrump.
    pub fn undertrump(&self) -> bool {
        self.undertrump
    }

    /// The leader of the trick on the table.
    pub fn leader(&self) -> u8 {
        self.leader
    }

    /// The player to move; meaningless when the round is over.
    pub fn turn(&self) -> u8 {
        (self.leader + self.len) & 3
    }

    /// The trick on the table, in the order of play.
    pub fn table(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// Card points by side, the last ten included.
    pub fn points(&self) -> [u16; 2] {
        self.points
    }

    /// Tricks taken by side.
    pub fn taken(&self) -> [u8; 2] {
        self.taken
    }

    /// Finished tricks.
    pub fn tricks_played(&self) -> u8 {
        self.taken[0] + self.taken[1]
    }

    /// Whether all cards are played.
    pub fn is_over(&self) -> bool {
        self.tricks_played() == 8
    }

    /// The legal cards of the player to move.
    pub fn legal(&self) -> u32 {
        let hand = self.hands[usize::from(self.turn())];
        if self.len == 0 { hand } else { self.legal_of(hand) }
    }

    /// The legal cards of a hand on the trick on the table (rules R14 to R21).
    pub fn legal_of(&self, hand: u32) -> u32 {
        if self.len == 0 {
            return hand;
        }
        let led = self.cards[0].suit();
        let best = self.cards[usize::from(self.best)];
        let trumps = hand & self.trump.cards();
        if self.trump.suit() == Some(led) {
            let higher = trumps & best.beaten_in_suit_by(self.trump);
            return first_of([higher, trumps, hand]);
        }
        let same = hand & led.cards();
        // The partner is two places back.
        let partner_holds = self.len >= 2 && self.best == self.len - 2;
        if same != 0 || partner_holds {
            return first_of([same, hand, hand]);
        }
        let cut = Some(best.suit()) == self.trump.suit();
        let higher = if cut { trumps & best.beaten_in_suit_by(self.trump) } else { trumps };
        let under = if self.undertrump { trumps } else { 0 };
        first_of([higher, under, hand])
    }

    /// Plays a card that is [`Tricks::legal`]; returns the trick that it completed.
    pub fn play(&mut self, card: Card) -> Option<Trick> {
        let turn = self.turn();
        self.hands[usize::from(turn)] &= !card.bit();
        if self.len > 0 {
            let best = self.cards[usize::from(self.best)];
            let beats = if card.suit() == best.suit() {
                best.beaten_in_suit_by(self.trump) & card.bit() != 0
            } else {
                self.trump.suit() == Some(card.suit())
            };
            if beats {
                self.best = self.len;
            }
        } else {
            self.best = 0;
        }
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
        (self.len == 4).then(|| self.finish())
    }

    fn finish(&mut self) -> Trick {
        let winner = (self.leader + self.best) & 3;
        let mut points: u8 = self.cards.iter().map(|card| card.points(self.trump)).sum();
        if self.tricks_played() == 7 {
            points += 10;
        }
        let side = usize::from(winner & 1);
        self.points[side] += u16::from(points);
        self.taken[side] += 1;
        let trick = Trick { leader: self.leader, cards: self.cards, winner, points };
        self.leader = winner;
        self.len = 0;
        trick
    }

    /// The seat whose card wins the trick so far, and the card.
    pub fn winning_card(&self) -> Option<(u8, Card)> {
        let card = *self.table().get(usize::from(self.best))?;
        Some(((self.leader + self.best) & 3, card))
    }

    /// The last card of the player to move, when each player has one.
    pub fn last_card(&self) -> Option<Card> {
        let hand = self.hands[usize::from(self.turn())];
        (self.tricks_played() == 7).then(|| each(hand).next()).flatten()
    }
}

/// The first of these sets that is not empty; the last otherwise.
fn first_of([a, b, c]: [u32; 3]) -> u32 {
    if a != 0 {
        a
    } else if b != 0 {
        b
    } else {
        c
    }
}

impl Trick {
    /// The card of a seat.
    pub fn card_of(&self, seat: u8) -> Card {
        self.cards[usize::from((seat + 4 - self.leader) & 3)]
    }
}
