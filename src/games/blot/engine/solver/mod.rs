//! Solves a round with open cards exactly.
//!
//! # Method
//!
//! Null-window alpha-beta (Knuth and Moore 1975; Pearl 1980) answers "at least this many points?";
//! the exact value is found by narrowing its bounds (Plaat, Schaeffer, Pijls and de Bruin 1996,
//! "Best-first fixed-depth minimax algorithms"). Between two tricks a transposition table stores
//! bounds on the points still to come, so that they are valid for every path to the position
//! (Ginsberg 2001, "GIB: imperfect information in a computationally challenging game", for
//! partial-information card games solved as open ones). The key rotates the table so that the
//! leader comes first, sorts plain suits, and numbers low cards without points by their order
//! alone. Of two cards of one hand with no card of another hand between them, only one is tried;
//! the other can differ only by the points of the two cards (the quasi-symmetry of Kupferschmid and
//! Helmert 2006, "A Skat player based on Monte-Carlo simulation"). Replies that caused a cutoff
//! against the same lead are tried first (the killer heuristic of Akl and Newborn 1977). Masters
//! that can be cashed at once and unbeatable trumps bound the remaining points.
//!
//! Values are card points with the last ten. If requested, taking every trick counts 250 and taking
//! none minus 88, so that both sides together always have 162 (rules R26, R27).

mod bounds;
mod key;
mod moves;
mod search;
mod table;

use self::moves::CutoffCards;
use self::search::{KAPUT, SolverPosition, SolverSearch};
use self::table::SolverTable;
use super::super::card::{Card, Trump, each};
use super::super::tricks::Tricks;
use super::packed::Packing;
use super::trick::PackedTrick;

/// All points of a round, the last ten included.
pub const ALL: i16 = 162;

/// The value of taking every trick when kaput counts; the other side then has [`NONE`].
pub const SWEEP: i16 = ALL + KAPUT;

/// The value of taking no trick when kaput counts.
pub const NONE: i16 = -KAPUT;

/// Solves positions of a round with open cards. Its table is kept between questions: it affects
/// only the speed, never the answers.
pub struct Solver {
    table: SolverTable,
    lists: CutoffCards,
    packings: [Packing; 5],
    nodes: u64,
}

/// A prepared question: the position as its leader sees it.
struct SolverQuestion {
    spot: SolverPosition,
    trick: PackedTrick,
    /// Cards on the table.
    at: usize,
    /// Whether the leader is on side 0.
    even: bool,
    /// Points that side 0 already has.
    won: i16,
    /// Points that neither side has yet.
    open: i16,
}

impl Default for Solver {
    /// A solver with a table of 2 MB.
    fn default() -> Self {
        Self::with_table(16)
    }
}

impl Solver {
    /// A solver with a table of `2^bits` buckets for two positions, 32 bytes each.
    pub fn with_table(bits: u32) -> Self {
        let table = SolverTable::new(bits);
        let lists = CutoffCards::default();
        Self { table, lists, packings: Packing::all(), nodes: 0 }
    }

    /// Clears all tables.
    pub fn forget(&mut self) {
        self.table.clear();
        self.lists = CutoffCards::default();
    }

    /// Number of positions between tricks that were searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value for side 0 with best play of all: card points of the whole round, those already
    /// taken included. With `kaput`, all tricks count [`SWEEP`] and none [`NONE`].
    pub fn value(&mut self, tricks: &Tricks, kaput: bool) -> i16 {
        self.value_near(tricks, kaput, None)
    }

    /// The same; `guess` is a likely value, which saves time.
    pub fn value_near(&mut self, tricks: &Tricks, kaput: bool, guess: Option<i16>) -> i16 {
        let Some(question) = self.prepare(tricks, kaput) else {
            return final_value(tricks, kaput);
        };
        let least = question.won - KAPUT;
        let most = question.won + question.open + KAPUT;
        let mut low = least;
        let mut high = most;
        let mut bound = guess.unwrap_or(question.won + question.open / 2 + 1);
        let mut step = if guess.is_some() { STEP_NEAR } else { STEP_FAR };
        while low < high {
            let beta = bound.clamp(low + 1, high);
            let value = self.search(&question, tricks, beta);
            if value >= beta {
                low = value;
            } else {
                high = value;
            }
            // Moves away from the guess in growing steps until the value is bracketed, then halves.
            bound = if high == most {
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

    /// Whether side 0 gets at least this many points, whatever the others do.
    pub fn at_least(&mut self, tricks: &Tricks, points: i16, kaput: bool) -> bool {
        match self.prepare(tricks, kaput) {
            Some(question) => self.search(&question, tricks, points) >= points,
            None => final_value(tricks, kaput) >= points,
        }
    }

    /// Whether this side takes all tricks of the round, whatever the others do.
    pub fn sweeps(&mut self, tricks: &Tricks, side: usize) -> bool {
        match side {
            0 => self.at_least(tricks, SWEEP, true),
            _ => !self.at_least(tricks, NONE + 1, true),
        }
    }

    /// Every legal card of the seat to move, with the value for side 0 after it.
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

    fn search(&mut self, question: &SolverQuestion, tricks: &Tricks, beta: i16) -> i16 {
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
        let open = question.open;
        let we = question.won;
        let flip = !question.even;
        let beta_inside = if flip { open - (beta - we) + 1 } else { beta - we };
        let value = match question.at {
            0 => search.between(&question.spot, beta_inside),
            at => search.inside(&question.spot, &question.trick, at, beta_inside),
        };
        self.nodes += search.nodes;
        we + if flip { open - value } else { value }
    }

    /// Prepares the position for the search; `None` when the round is over.
    fn prepare(&mut self, tricks: &Tricks, kaput: bool) -> Option<SolverQuestion> {
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
        let mut question = SolverQuestion {
            spot: SolverPosition {
                hands,
                rest: ALL - won[0] - won[1],
                left: 8 - tricks.tricks_played(),
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
            question.trick = question.trick.with(at, card, packing);
        }
        Some(question)
    }
}

/// The value for side 0 when all cards are played.
fn final_value(tricks: &Tricks, kaput: bool) -> i16 {
    match tricks.taken() {
        [_, 0] if kaput => SWEEP,
        [0, _] if kaput => NONE,
        _ => i16::try_from(tricks.points()[0]).unwrap_or(ALL),
    }
}

/// The first step away from the guess.
const STEP_NEAR: i16 = 1;

/// The first step without a guess.
const STEP_FAR: i16 = 24;
