//! Compares fast rules with slow models that follow the rule texts directly: one stone at a time,
//! one card at a time.

use caravanserai_games::blot::{Card, Suit, Tricks, Trump, card};
use caravanserai_games::togyzkumalak::{TogyzkumalakPhase, TogyzkumalakPosition, Variant};

/// Plays Togyzkumalak with pits that the bytes choose, and compares every position with the model.
pub fn sowing(data: &[u8]) {
    let Some((first, moves)) = data.split_first() else {
        return;
    };
    let variant = Variant::ALL[usize::from(*first) % Variant::ALL.len()];
    let (mut fast, mut slow) = (TogyzkumalakPosition::start(variant), Board::start(variant));
    for byte in moves {
        slow.assert_equal(&fast);
        let choices = slow.choices();
        if choices.is_empty() {
            return;
        }
        let pit = choices[usize::from(*byte) % choices.len()];
        fast.play(u8::try_from(pit).expect("a side has nine pits"));
        slow.sow(pit);
    }
    slow.assert_equal(&fast);
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Now {
    Turn,
    Extra,
    Majority,
    Collected,
}

/// Nine pits on each side, counted from their owner's left.
#[derive(Debug)]
struct Board {
    pits: [[u32; 9]; 2],
    kazans: [u32; 2],
    /// By owner, a pit of the other side.
    tuzdyks: [Option<usize>; 2],
    turn: usize,
    now: Now,
    variant: Variant,
}

impl Board {
    fn start(variant: Variant) -> Self {
        let (pits, kazans, tuzdyks) = ([[9; 9]; 2], [0; 2], [None; 2]);
        Self { pits, kazans, tuzdyks, turn: 0, now: Now::Turn, variant }
    }

    fn choices(&self) -> Vec<usize> {
        match self.now {
            Now::Turn | Now::Extra => (0..9).filter(|pit| self.pits[self.turn][*pit] > 0).collect(),
            Now::Majority | Now::Collected => Vec::new(),
        }
    }

    fn is_empty(&self, side: usize) -> bool {
        self.pits[side].iter().all(|stones| *stones == 0)
    }

    fn sow(&mut self, pit: usize) {
        let (me, other) = (self.turn, 1 - self.turn);
        let had_stones = !self.is_empty(other);
        let was_extra = self.now == Now::Extra;
        let mut hand = std::mem::take(&mut self.pits[me][pit]);
        let mut at = (me, pit);
        if hand > 1 {
            // The first stone goes back into the start pit.
            self.drop_stone(at);
            hand -= 1;
        }
        for _ in 0..hand {
            at = if at.1 == 8 { (1 - at.0, 0) } else { (at.0, at.1 + 1) };
            self.drop_stone(at);
        }
        self.capture(me, at);
        self.finish_move(me, had_stones, was_extra);
    }

    /// Drops one stone into a pit, or into the kazan of the player whose tuzdyk it is.
    fn drop_stone(&mut self, (side, pit): (usize, usize)) {
        let owner = 1 - side;
        if self.tuzdyks[owner] == Some(pit) {
            self.kazans[owner] += 1;
        } else {
            self.pits[side][pit] += 1;
        }
    }

    fn capture(&mut self, me: usize, (side, pit): (usize, usize)) {
        let there = self.pits[side][pit];
        if side == me || there == 0 {
            return;
        }
        let may_own = self.tuzdyks[me].is_none() && pit != 8 && self.tuzdyks[side] != Some(pit);
        if there == 3 && may_own {
            self.tuzdyks[me] = Some(pit);
        } else if there % 2 == 1 {
            return;
        }
        self.pits[side][pit] = 0;
        self.kazans[me] += there;
    }

    fn finish_move(&mut self, me: usize, had_stones: bool, was_extra: bool) {
        let other = 1 - me;
        if self.kazans.iter().any(|stones| *stones > 81) {
            self.now = Now::Majority;
        } else if !self.is_empty(other) {
            (self.turn, self.now) = (other, Now::Turn);
        } else {
            let grants = match self.variant {
                Variant::Seed => had_stones,
                Variant::Short => false,
                Variant::Literal => true,
            };
            if grants && !was_extra && !self.is_empty(me) {
                self.now = Now::Extra;
                return;
            }
            let left: u32 = self.pits.as_flattened().iter().sum();
            self.pits = [[0; 9]; 2];
            self.kazans[me] += left;
            self.now = Now::Collected;
        }
    }

    fn assert_equal(&self, fast: &TogyzkumalakPosition) {
        let now = match fast.phase() {
            TogyzkumalakPhase::Turn => Now::Turn,
            TogyzkumalakPhase::Extra => Now::Extra,
            TogyzkumalakPhase::Majority => Now::Majority,
            TogyzkumalakPhase::Atsyrau => Now::Collected,
        };
        assert_eq!(fast.pits().map(|side| side.map(u32::from)), self.pits, "{self:?}");
        assert_eq!(fast.kazans().map(u32::from), self.kazans, "{self:?}");
        assert_eq!(fast.tuzdyks().map(|it| it.map(usize::from)), self.tuzdyks, "{self:?}");
        assert_eq!(now, self.now, "{self:?}");
        if matches!(now, Now::Turn | Now::Extra) {
            assert_eq!(usize::from(fast.side()), self.turn, "{self:?}");
            let fast: Vec<usize> = fast.each_move().map(usize::from).collect();
            assert_eq!(fast, self.choices(), "{self:?}");
        }
    }
}

/// Plays a deal of Blot that the bytes shuffle, and compares legal cards, winners of tricks and
/// points with the model.
pub fn cards(data: &[u8]) {
    let [trump, leader, undertrump, rest @ ..] = data else {
        return;
    };
    let trump = Trump::ALL[usize::from(*trump) % 5];
    let undertrump = *undertrump & 1 == 1;
    let mut bytes = rest.iter().copied().chain(std::iter::repeat(0));
    let mut next = |n: usize| usize::from(bytes.next().unwrap_or(0)) % n;
    let mut pack: Vec<Card> = (0..32).map(Card).collect();
    let mut hands: [Vec<Card>; 4] = Default::default();
    for n in 0..32 {
        hands[n % 4].push(pack.swap_remove(next(32 - n)));
    }
    let sets = hands.each_ref().map(|hand| hand.iter().map(|card| card.bit()).sum());
    let mut fast = Tricks::new(sets, trump, leader & 3, undertrump);
    let mut leader_seat = usize::from(leader & 3);
    let mut points = [0; 2];
    for trick in 0..8 {
        let mut table: Vec<(usize, Card)> = Vec::new();
        for place in 0..4 {
            let seat = (leader_seat + place) % 4;
            let legal = legal_cards(&hands[seat], &table, trump, undertrump);
            let mut offered: Vec<Card> = card::each(fast.legal()).collect();
            let mut expected = legal.clone();
            offered.sort();
            expected.sort();
            assert_eq!(offered, expected, "{seat} holds {:?} on {table:?}", hands[seat]);
            let put = legal[next(legal.len())];
            hands[seat].retain(|card| *card != put);
            table.push((seat, put));
            fast.play(put);
        }
        leader_seat = winner_of(&table, trump).0;
        points[leader_seat % 2] +=
            table.iter().map(|(_, card)| points_of(*card, trump)).sum::<u16>();
        points[leader_seat % 2] += if trick == 7 { 10 } else { 0 };
    }
    assert_eq!(fast.points(), points);
    assert!(fast.is_over());
}

/// The names of ranks in the order of card numbers, the seven first.
const RANKS: [char; 8] = ['7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];

fn rank(card: Card) -> char {
    RANKS[usize::from(card.rank())]
}

fn is_trump(card: Card, trump: Trump) -> bool {
    trump == Trump::Suit(card.suit())
}

fn points_of(card: Card, trump: Trump) -> u16 {
    match rank(card) {
        'J' if is_trump(card, trump) => 20,
        '9' if is_trump(card, trump) => 14,
        'A' if trump == Trump::Boy => 19,
        'A' => 11,
        'T' => 10,
        'K' => 4,
        'Q' => 3,
        'J' => 2,
        _ => 0,
    }
}

/// The rank in the order of its suit, the weakest first.
fn strength(card: Card, trump: Trump) -> Option<usize> {
    let order = if is_trump(card, trump) { "78QKTA9J" } else { "789JQKTA" };
    order.chars().position(|it| it == rank(card))
}

fn beats(one: Card, other: Card, trump: Trump) -> bool {
    if one.suit() == other.suit() {
        return strength(one, trump) > strength(other, trump);
    }
    is_trump(one, trump)
}

/// The seat that wins the trick so far, and its card.
fn winner_of(table: &[(usize, Card)], trump: Trump) -> (usize, Card) {
    let led = table[0].1.suit();
    let may_win = |card: Card| card.suit() == led || is_trump(card, trump);
    let mut cards = table.iter().filter(|(_, card)| may_win(*card));
    let first = *cards.next().expect("the lead can win the trick");
    cards.fold(first, |best, it| if beats(it.1, best.1, trump) { *it } else { best })
}

/// The legal cards. Players follow suit, and overtrump if trump is led and they can. Without the
/// suit they may play any card if the partner holds the trick; else they must trump, and overtrump
/// if there is a trump already; undertrumping depends on a house rule.
fn legal_cards(
    hand: &[Card],
    table: &[(usize, Card)],
    trump: Trump,
    undertrump: bool,
) -> Vec<Card> {
    let cards_that = |wanted: &dyn Fn(Card) -> bool| -> Vec<Card> {
        hand.iter().copied().filter(|card| wanted(*card)).collect()
    };
    let Some((_, led)) = table.first() else {
        return hand.to_vec();
    };
    let led: Suit = led.suit();
    let (winner, best) = winner_of(table, trump);
    let partner = table.len() >= 2 && table[table.len() - 2].0 == winner;
    let over = cards_that(&|card| is_trump(card, trump) && beats(card, best, trump));
    let same = cards_that(&|card| card.suit() == led);
    let trumps = cards_that(&|card| is_trump(card, trump));
    let cut = is_trump(best, trump);
    if trump == Trump::Suit(led) {
        return first_with_cards([over, same, hand.to_vec()]);
    }
    if partner {
        return first_with_cards([same, hand.to_vec(), Vec::new()]);
    }
    if !same.is_empty() {
        return same;
    }
    let must = if cut { over } else { trumps.clone() };
    let under = if undertrump { trumps } else { Vec::new() };
    first_with_cards([must, under, hand.to_vec()])
}

fn first_with_cards(sets: [Vec<Card>; 3]) -> Vec<Card> {
    sets.into_iter().find(|set| !set.is_empty()).unwrap_or_default()
}
