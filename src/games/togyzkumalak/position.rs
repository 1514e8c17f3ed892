//! Plays moves on the bare board: the side to move, the effect of a move, the end. Small, cheap to
//! copy, fast.
//!
//! Pits are numbered 0 to 17 around the board here: 0 to 8 are the first player's pits 1 to 9,
//! 9 to 17 the second's. Sowing goes upwards and around. What a move adds to the pits comes from
//! a table, so a move is one addition over the whole ring and a few single pits.

use super::sowing_tables::{ALL, COUNT, LAPS, PADDED, PLACES, RING};
use super::view::PITS;
use crate::rules::Token;

/// All stones of the game.
pub const STONES: u8 = 162;
/// Stones in the kazan that win (rule R13).
pub const MAJORITY: u8 = 82;
/// No pit: an index in the padding, where no stone ever is.
const NOWHERE: u8 = 31;
/// The bits of one side's pits.
pub(super) const SIDE: u32 = 0x1ff;

/// The rule for a move that leaves the other side empty (rules R15 and R16, decision A10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// A player whose side the other's move emptied: the other makes one extra move. The Kazakh
    /// rule texts.
    #[default]
    Seed,
    /// No extra move: the other player collects at once. Played by online servers and most
    /// programs.
    Short,
    /// An extra move whenever the player to move is empty. For comparison only.
    Literal,
}

impl Variant {
    /// All variants, the default first.
    pub const ALL: [Variant; 3] = [Variant::Seed, Variant::Short, Variant::Literal];
}

impl Token for Variant {
    fn write(&self) -> String {
        match self {
            Variant::Seed => "seed",
            Variant::Short => "short",
            Variant::Literal => "literal",
        }
        .to_owned()
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "seed" => Some(Variant::Seed),
            "short" => Some(Variant::Short),
            "literal" => Some(Variant::Literal),
            _ => None,
        }
    }
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TogyzkumalakPhase {
    /// An ordinary move is due.
    Turn,
    /// The extra move of atsyrau is due.
    Extra,
    /// Over: a kazan holds 82 or more.
    Majority,
    /// Over: a side was empty and the other has collected.
    Atsyrau,
}

/// The effect of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    /// 0 for the first player, 1 for the second.
    pub side: u8,
    /// The pit sown from, 0 to 8 from the mover's left.
    pub from: u8,
    /// Stones sown.
    pub stones: u8,
    /// The side the last stone fell on.
    pub to_side: u8,
    /// The pit the last stone fell into, 0 to 8 from its owner's left.
    pub to: u8,
    /// Stones taken from the landing pit, the three of a new tuzdyk included.
    pub captured: u8,
    /// Whether the landing pit became the mover's tuzdyk.
    pub tuzdyk: bool,
    /// Stones that fell into tuzdyks, by owner.
    pub through: [u8; 2],
    /// Whether this was the extra move of atsyrau.
    pub extra: bool,
    /// Stones collected because the game ended by atsyrau.
    pub collected: u8,
}

/// A position that can be played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(align(16))]
pub struct TogyzkumalakPosition {
    /// Stones around the ring, then padding that is always 0.
    pub(super) stones: [u8; PADDED],
    /// The pits that are not empty, as bits.
    pub(super) filled: u32,
    pub(super) kazans: [u8; 2],
    /// By owner: the pit of the ring, or [`NOWHERE`].
    pub(super) tuzdyks: [u8; 2],
    side: u8,
    phase: TogyzkumalakPhase,
    variant: Variant,
}

/// The reason why numbers do not make a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadPosition {
    /// Stones are missing or too many: the number found.
    Stones(u32),
    /// A tuzdyk in a pit that can never be one, or on top of stones.
    Tuzdyk {
        /// The side it is on.
        side: u8,
        /// The pit, 0 to 8.
        pit: u8,
    },
    /// An extra move although the other side has stones.
    Extra,
}

impl std::fmt::Display for BadPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadPosition::Stones(found) => {
                write!(f, "board and kazans hold {found} stones together instead of {STONES}")
            }
            BadPosition::Tuzdyk { side, pit } => {
                let player = if *side == 0 { "first" } else { "second" };
                write!(f, "pit {} of the {player} player cannot be a tuzdyk here", pit + 1)
            }
            BadPosition::Extra => write!(f, "an extra move needs an empty other side"),
        }
    }
}

impl std::error::Error for BadPosition {}

impl TogyzkumalakPosition {
    /// Nine stones in every pit, the first player to move.
    pub fn start(variant: Variant) -> Self {
        let mut stones = [0; PADDED];
        stones[..RING].fill(9);
        Self {
            stones,
            filled: ALL,
            kazans: [0; 2],
            tuzdyks: [NOWHERE; 2],
            side: 0,
            phase: TogyzkumalakPhase::Turn,
            variant,
        }
    }

    /// A position from its parts: stones by side, kazans, tuzdyks by owner (the pit on the other
    /// side), the side to move and whether that is the extra move. A player who already has 82, or
    /// a side to move without stones, makes it a finished game.
    ///
    /// # Errors
    /// When such a position cannot exist.
    pub fn new(
        pits: [[u8; PITS]; 2],
        kazans: [u8; 2],
        tuzdyks: [Option<u8>; 2],
        side: u8,
        extra: bool,
        variant: Variant,
    ) -> Result<Self, BadPosition> {
        let mut position = Self::start(variant);
        let stones = pits.as_flattened();
        let total = stones.iter().chain(&kazans).map(|n| u32::from(*n)).sum();
        if total != u32::from(STONES) {
            return Err(BadPosition::Stones(total));
        }
        for (owner, pit) in tuzdyks.iter().enumerate() {
            let Some(pit) = *pit else { continue };
            let side = 1 - owner;
            if pit >= 8 || pits[side][usize::from(pit)] > 0 || tuzdyks[side] == Some(pit) {
                return Err(BadPosition::Tuzdyk { side: side as u8, pit });
            }
            position.tuzdyks[owner] = pit + 9 * side as u8;
        }
        position.stones[..RING].copy_from_slice(stones);
        position.filled = (0..RING).map(|i| u32::from(stones[i] > 0) << i).sum();
        position.kazans = kazans;
        position.side = side & 1;
        if extra && position.row(1 - position.side) != 0 {
            return Err(BadPosition::Extra);
        }
        position.phase = if kazans[0].max(kazans[1]) >= MAJORITY {
            TogyzkumalakPhase::Majority
        } else if position.row(position.side) == 0 {
            TogyzkumalakPhase::Atsyrau
        } else if extra {
            TogyzkumalakPhase::Extra
        } else {
            TogyzkumalakPhase::Turn
        };
        Ok(position)
    }

    /// Stones in the pits, by side.
    pub fn pits(&self) -> [[u8; PITS]; 2] {
        let mut pits = [[0; PITS]; 2];
        pits.as_flattened_mut().copy_from_slice(&self.stones[..RING]);
        pits
    }

    /// Stones in this pit.
    pub fn pit(&self, side: u8, pit: u8) -> u8 {
        self.stones[usize::from(9 * (side & 1) + pit) % PADDED]
    }

    /// Stones in the kazans, by owner.
    #[inline]
    pub fn kazans(&self) -> [u8; 2] {
        self.kazans
    }

    /// By owner: the pit of the other side that is this player's tuzdyk, 0 to 8.
    pub fn tuzdyks(&self) -> [Option<u8>; 2] {
        self.tuzdyks.map(|pit| (pit != NOWHERE).then_some(pit % 9))
    }

    /// The side to move: 0 or 1. Once the game is over, the side that moved last.
    #[inline]
    pub fn side(&self) -> u8 {
        self.side
    }

    /// The phase: whether the game goes on, and how it ended.
    #[inline]
    pub fn phase(&self) -> TogyzkumalakPhase {
        self.phase
    }

    /// The variant of the rules.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Whether the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        matches!(self.phase, TogyzkumalakPhase::Majority | TogyzkumalakPhase::Atsyrau)
    }

    /// The pits that can be sown from, as bits 0 to 8; none when the game is over.
    #[inline]
    pub fn moves(&self) -> u16 {
        if self.is_over() { 0 } else { self.row(self.side) }
    }

    /// The number of legal moves.
    #[inline]
    pub fn moves_len(&self) -> u8 {
        COUNT[usize::from(self.moves())]
    }

    /// The `n`-th of the moves in rising order; `n` is below [`TogyzkumalakPosition::moves_len`].
    #[inline]
    pub fn nth_move(&self, n: u8) -> u8 {
        PLACES[usize::from(self.moves())][usize::from(n) % 16]
    }

    /// The pits of a side that hold stones, as bits 0 to 8.
    #[inline]
    fn row(&self, side: u8) -> u16 {
        ((self.filled >> (9 * side)) & SIDE) as u16
    }

    /// Plays a move: sowing with tuzdyks, capture or tuzdyk, 82, empty sides (rule R18). The pit
    /// must be one of [`TogyzkumalakPosition::moves`]; any other gives a meaningless position.
    #[inline]
    pub fn play(&mut self, pit: u8) -> Sown {
        debug_assert!(self.moves() >> pit & 1 == 1, "only legal moves are played");
        let me = usize::from(self.side & 1);
        let other = usize::from(!self.side & 1);
        let start = (9 * me + usize::from(pit)) % RING;
        let fed_before = self.row(other as u8) != 0;
        let stones = self.stones[start];
        let last = usize::from(self.sow(start, stones)) % PADDED;
        let through = self.sweep();
        let mut sown = Sown {
            side: me as u8,
            from: pit,
            stones,
            to_side: u8::from(last >= 9),
            to: if last >= 9 { last as u8 - 9 } else { last as u8 },
            captured: 0,
            tuzdyk: false,
            through,
            extra: self.phase == TogyzkumalakPhase::Extra,
            collected: 0,
        };
        let there = self.stones[last];
        let theirs = usize::from(last >= 9) == other;
        // A last stone in a tuzdyk leaves 0 there: an even number, but nothing is captured.
        let taken = if theirs && there & 1 == 0 { there } else { 0 };
        if there == 3 && theirs && self.may_own(me, last) {
            sown.tuzdyk = true;
            sown.captured = 3;
            self.tuzdyks[me] = last as u8;
        } else {
            sown.captured = taken;
        }
        self.stones[last] = there - sown.captured;
        self.filled &= !(u32::from(sown.captured > 0) << last);
        self.kazans[me] += sown.captured;
        self.finish(me, fed_before, &mut sown);
        sown
    }

    /// Sows the stones of a pit; returns the pit of the last one.
    #[inline]
    fn sow(&mut self, start: usize, stones: u8) -> u8 {
        let mut lap = usize::from(stones);
        if lap > RING {
            let rounds = (lap - 1) / RING;
            lap -= rounds * RING;
            lap = if lap == 1 { 0 } else { lap };
            self.filled = ALL;
            for pit in &mut self.stones[..RING] {
                *pit += rounds as u8;
            }
        }
        let lap = &LAPS[start][lap];
        for (pit, add) in self.stones.iter_mut().zip(&lap.adds) {
            *pit = pit.wrapping_add(*add);
        }
        self.stones[start] = self.stones[start].wrapping_sub(stones);
        let emptied = u32::from(stones <= RING as u8) << start;
        self.filled = self.filled & !emptied | lap.reach;
        lap.last
    }

    /// Gives the stones in tuzdyks to their owners (rule R10).
    #[inline]
    fn sweep(&mut self) -> [u8; 2] {
        let mut through = [0; 2];
        for (owner, fallen) in through.iter_mut().enumerate() {
            let pit = usize::from(self.tuzdyks[owner]) % PADDED;
            *fallen = self.stones[pit];
            self.stones[pit] = 0;
            self.filled &= !(1 << pit);
            self.kazans[owner] += *fallen;
        }
        through
    }

    /// Whether this player may make this pit of the other side a tuzdyk (rule R9).
    #[inline]
    pub(super) fn may_own(&self, me: usize, pit: usize) -> bool {
        let facing = if pit >= 9 { pit - 9 } else { pit + 9 };
        self.tuzdyks[me] == NOWHERE
            && pit % 9 != 8
            && usize::from(self.tuzdyks[(me ^ 1) & 1]) != facing
    }

    /// Rules R13 to R16, in this order.
    #[inline]
    fn finish(&mut self, me: usize, fed_before: bool, sown: &mut Sown) {
        let other = (me as u8 ^ 1) & 1;
        if self.kazans[0].max(self.kazans[1]) >= MAJORITY {
            self.phase = TogyzkumalakPhase::Majority;
        } else if self.row(other) != 0 {
            self.side = other;
            self.phase = TogyzkumalakPhase::Turn;
        } else {
            self.other_is_empty(me, fed_before, sown);
        }
    }

    #[cold]
    fn other_is_empty(&mut self, me: usize, fed_before: bool, sown: &mut Sown) {
        let grants = match self.variant {
            Variant::Seed => fed_before,
            Variant::Short => false,
            Variant::Literal => true,
        };
        if grants && !sown.extra && self.row(me as u8) != 0 {
            self.phase = TogyzkumalakPhase::Extra;
            return;
        }
        sown.collected = self.stones[..RING].iter().sum();
        self.stones[..RING].fill(0);
        self.filled = 0;
        self.kazans[me] += sown.collected;
        self.phase = TogyzkumalakPhase::Atsyrau;
    }

    /// The legal moves in rising order.
    #[inline]
    pub fn each_move(&self) -> impl Iterator<Item = u8> + use<> {
        let mut left = self.moves();
        std::iter::from_fn(move || {
            let pit = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (pit < 9).then_some(pit)
        })
    }

    /// The position after a move.
    #[must_use]
    #[inline]
    pub fn after(&self, pit: u8) -> Self {
        let mut next = *self;
        next.play(pit);
        next
    }
}
