//! Solving a round with open cards, exactly.
//!
//! # Method
//!
//! Null-window alpha-beta (Knuth and Moore 1975; Pearl 1980) that answers "at least so many
//! points?"; the exact value is found by narrowing its bounds (Plaat, Schaeffer, Pijls and de
//! Bruin 1996, "Best-first fixed-depth minimax algorithms"). Between two tricks a transposition
//! table keeps bounds on the points still to come, so that they hold however they were reached
//! (Ginsberg 2001, "GIB: imperfect information in a computationally challenging game", for
//! partial-information card games solved as open ones). The key turns the table so that the
//! leader comes first, exchanges plain suits and counts low cards that are worth nothing by their
//! order alone. Of two cards of one hand with no card of another hand between them, one is tried;
//! the other can differ only by the points of the two cards (the quasi-symmetry of Kupferschmid
//! and Helmert 2006, "A Skat player based on Monte-Carlo simulation"). Replies that cut off against
//! the same lead are tried first (the killer heuristic of Akl and Newborn 1977). Masters that can
//! be cashed at once and trumps that nothing beats bound what is left.
//!
//! Values are card points with the last ten; if asked for, taking every trick counts 250 and
//! taking none 88 less than nothing, so that both sides together always have 162 (rules R26, R27).

mod bounds;
mod key;
mod moves;
mod search;
mod table;

use self::moves::Lists;
use self::search::{KAPUT, SolverPosition, SolverSearch};
use self::table::SolverTable;
use super::super::card::{Card, Trump, each};
use super::super::tricks::Tricks;
use super::packed::Packing;
use super::trick::PackedTrick;

/// All points of a round, the last ten included.
pub const ALL: i16 = 162;

/// What taking every trick is worth when kaput counts; the other side then has [`NONE`].
pub const SWEEP: i16 = ALL + KAPUT;

/// What taking no trick is worth when kaput counts.
pub const NONE: i16 = -KAPUT;

/// Solves positions of a round with open cards. It keeps its table from question to question:
/// answers never depend on it, only how soon they come.
pub struct Solver {
    table: SolverTable,
    lists: Lists,
    packings: [Packing; 5],
    nodes: u64,
}

/// A question made ready: the position seen from its leader.
struct SolverQuestion {
    spot: SolverPosition,
    trick: PackedTrick,
    /// Cards on the table.
    at: usize,
    /// Whether the leader is on side 0.
    even: bool,
    /// Points that side 0 already has.
    won: i16,
    /// Points that nobody has yet.
    open: i16,
}

impl Default for Solver {
    /// With a table of 2 MB.
    fn default() -> Self {
        Self::with_table(16)
    }
}

impl Solver {
    /// With a table of `2^bits` places for two positions, 32 bytes each.
    pub fn with_table(bits: u32) -> Self {
        let (table, lists) = (SolverTable::new(bits), Lists::default());
        Self { table, lists, packings: Packing::all(), nodes: 0 }
    }

    /// Forgets everything it has kept.
    pub fn forget(&mut self) {
        self.table.clear();
        self.lists = Lists::default();
    }

    /// Positions between tricks looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What side 0 has in the end when nobody errs: card points of the whole round, those already
    /// taken included. With `kaput` every trick is [`SWEEP`] and none [`NONE`].
    pub fn value(&mut self, tricks: &Tricks, kaput: bool) -> i16 {
        self.value_near(tricks, kaput, None)
    }

    /// The same; `guess` is what it is likely to be and saves time.
    pub fn value_near(&mut self, tricks: &Tricks, kaput: bool, guess: Option<i16>) -> i16 {
        let Some(asked) = self.ask(tricks, kaput) else {
            return ended(tricks, kaput);
        };
        let (least, most) = (asked.won - KAPUT, asked.won + asked.open + KAPUT);
        let (mut low, mut high) = (least, most);
        let mut ask = guess.unwrap_or(asked.won + asked.open / 2 + 1);
        let mut step = if guess.is_some() { STEP_NEAR } else { STEP_FAR };
        while low < high {
            let beta = ask.clamp(low + 1, high);
            let value = self.search(&asked, tricks, beta);
            if value >= beta {
                low = value;
            } else {
                high = value;
            }
            // Strides away from the guess until it is passed, then halves.
            ask = if high == most {
                low + step
            } else if low == least {
                high + 1 - step
            } else {
                low + (high - low + 1) / 2
            };
            step *= 2;
        }
        low
    }

    /// Whether side 0 has at least so many points in the end, whatever the others do.
    pub fn at_least(&mut self, tricks: &Tricks, points: i16, kaput: bool) -> bool {
        match self.ask(tricks, kaput) {
            Some(asked) => self.search(&asked, tricks, points) >= points,
            None => ended(tricks, kaput) >= points,
        }
    }

    /// Whether this side takes all tricks of the round, whatever the others do.
    pub fn sweeps(&mut self, tricks: &Tricks, side: usize) -> bool {
        match side {
            0 => self.at_least(tricks, SWEEP, true),
            _ => !self.at_least(tricks, NONE + 1, true),
        }
    }

    /// Every card that the one on turn may put and what side 0 then has in the end.
    pub fn cards(&mut self, tricks: &Tricks, kaput: bool) -> Vec<(Card, i16)> {
        let mut guess = None;
        let mut values = Vec::with_capacity(8);
        for card in each(tricks.legal()) {
            let mut after = *tricks;
            after.play(card);
            let value = self.value_near(&after, kaput, guess);
            guess = Some(value);
            values.push((card, value));
        }
        values
    }

    fn search(&mut self, asked: &SolverQuestion, tricks: &Tricks, beta: i16) -> i16 {
        let trump = tricks.trump();
        let undertrump = tricks.undertrump();
        let mut search = SolverSearch {
            table: &mut self.table,
            lists: &mut self.lists,
            packing: &self.packings[Packing::number(trump)],
            undertrump,
            seed: 1 + u64::from(trump == Trump::Boy) + 2 * u64::from(undertrump),
            nodes: 0,
        };
        let open = asked.open;
        let (we, flip) = (asked.won, !asked.even);
        let inner = if flip { open - (beta - we) + 1 } else { beta - we };
        let value = match asked.at {
            0 => search.between(&asked.spot, inner),
            at => search.inside(&asked.spot, &asked.trick, at, inner),
        };
        self.nodes += search.nodes;
        we + if flip { open - value } else { value }
    }

    /// The position as the search wants it; nothing when the round is over.
    fn ask(&mut self, tricks: &Tricks, kaput: bool) -> Option<SolverQuestion> {
        if tricks.is_over() {
            return None;
        }
        self.table.next_age();
        let packing = &self.packings[Packing::number(tricks.trump())];
        let leader = usize::from(tricks.leader());
        let hands = tricks.hands();
        let hands = [0, 1, 2, 3].map(|n| packing.pack(hands[(leader + n) & 3]));
        let [own, other] = [tricks.taken()[leader & 1], tricks.taken()[1 - (leader & 1)]];
        let sweep = u8::from(other == 0) | u8::from(own == 0) << 1;
        let won = tricks.points().map(|it| i16::try_from(it).unwrap_or(ALL));
        let mut asked = SolverQuestion {
            spot: SolverPosition {
                hands,
                rest: ALL - won[0] - won[1],
                left: 8 - tricks.done(),
                sweep: if kaput { sweep } else { 0 },
            },
            trick: PackedTrick::default(),
            at: tricks.table().len(),
            even: leader & 1 == 0,
            won: won[0],
            open: ALL - won[0] - won[1],
        };
        for (at, card) in tricks.table().iter().enumerate() {
            let card = u32::from(packing.card(*card));
            asked.trick = asked.trick.with(at, card, packing);
        }
        Some(asked)
    }
}

/// What side 0 has when all cards are played.
fn ended(tricks: &Tricks, kaput: bool) -> i16 {
    match tricks.taken() {
        [_, 0] if kaput => SWEEP,
        [0, _] if kaput => NONE,
        _ => i16::try_from(tricks.points()[0]).unwrap_or(ALL),
    }
}

/// How far the second question is from the first, when there was a guess.
const STEP_NEAR: i16 = 1;

/// The same without one.
const STEP_FAR: i16 = 24;
