//! Finds the best move by principal variation search with iterative deepening: the first line is
//! searched with a full window, all others only to prove that they are not better.
//!
//! Its techniques and their sources: iterative deepening with aspiration windows and a
//! transposition table (Slate and Atkin 1977); null windows for all moves but the first (Marsland
//! and Campbell 1982; Reinefeld 1983); killer moves and the history of cutoffs (Schaeffer 1989) for
//! the order; late moves reduced, as chess programs do since about 2005; near the leaves, pruning
//! of scores far outside the window (Heinz 1998, "Extended futility pruning"). Null-move pruning is
//! left out: it gained nothing in 200 games of Togyzkumalak.

mod move_order;
mod tree;

use self::tree::SearchStep;
use super::board::{Board, Evaluator, move_indices};
use super::transposition_table::{Bound, TranspositionEntry, TranspositionTable};

/// A won game, less the number of plies to it.
pub const WON: i32 = 30_000;
/// Scores beyond this are won or lost games.
pub const DECIDED: i32 = WON - 2_000;
/// The deepest search.
pub const DEPTH_MAX: i32 = 100;
/// The longest line: deepest search, capture search and moves that cost no depth.
const PLIES_MAX: usize = 250;
/// Number of positions between two checks of the budget.
const CHECK_EVERY: u64 = 2_048;

/// Pruning parameters, in units of the evaluator.
#[derive(Clone, Copy, Debug)]
pub struct Pruning {
    /// A leaf this far above the window, times the depth left, is not searched.
    pub above: i32,
    /// The same for positions below the window, where quiet moves are left out.
    pub below: i32,
    /// The depth up to which the two apply; 0 for never.
    pub depth: i32,
    /// The number of the first move, in order of search, that gets less depth; a large number for
    /// never.
    pub late: usize,
    /// The strength of late move reductions, in hundredths.
    pub reduce: i32,
    /// Moves that gain this much at once are searched beyond the depth; a large number for never.
    pub follow: i32,
    /// The number of plies beyond the depth.
    pub follow_depth: i32,
    /// Use only stored results of exactly the same depth, and do not extend the search after an
    /// only move.
    pub exact: bool,
}

impl Pruning {
    /// No pruning: the result is that of plain alpha-beta.
    pub const NONE: Pruning = Pruning {
        above: 0,
        below: 0,
        depth: 0,
        late: usize::MAX,
        reduce: 0,
        follow: i32::MAX,
        follow_depth: 0,
        exact: true,
    };
}

/// The limits of a search.
pub struct SearchLimits<'a> {
    /// The deepest iteration.
    pub depth: i32,
    /// The approximate limit of positions.
    pub nodes: u64,
    /// Called regularly: whether to stop at once.
    pub stop: &'a dyn Fn() -> bool,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub best: u8,
    /// Its value for the side to move.
    pub score: i32,
    /// The last iteration that was finished.
    pub depth: i32,
    /// Positions searched.
    pub nodes: u64,
    /// The expected line, the best move first.
    pub line: Vec<u8>,
}

/// The search, with the tables that it keeps between moves.
#[derive(Debug)]
pub struct Pvs<E> {
    evaluator: E,
    table: TranspositionTable,
    pruning: Pruning,
    reductions: [[u8; 32]; 64],
    history: [[i32; 32]; 2],
    killers: Vec<[u8; 2]>,
    /// Keys of the positions up to the current one, older ones of the game first.
    path: Vec<u64>,
    /// The number of these that were played in the game, without the root.
    played: usize,
    nodes: u64,
    next_check: u64,
    nodes_max: u64,
    stopped: bool,
}

impl<E> Pvs<E> {
    /// A search with a table of 2^`bits` cache lines.
    pub fn new(evaluator: E, pruning: Pruning, bits: u32) -> Self {
        Self {
            evaluator,
            table: TranspositionTable::new(bits),
            pruning,
            reductions: reductions(pruning.reduce),
            history: [[0; 32]; 2],
            killers: vec![[NONE; 2]; PLIES_MAX + 2],
            path: Vec::with_capacity(2 * PLIES_MAX),
            played: 0,
            nodes: 0,
            next_check: 0,
            nodes_max: 0,
            stopped: false,
        }
    }

    /// Clears the results of earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
        self.history = [[0; 32]; 2];
        self.killers.fill([NONE; 2]);
    }

    /// The evaluator, for direct use.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Searches for the best of `moves` by iterative deepening; `report` receives the result of
    /// every finished iteration. `earlier` are the keys of the positions of the game that may come
    /// up again, oldest first. At least one iteration is finished, unless the search is stopped
    /// earlier; `moves` is not empty.
    pub fn search<B: Board>(
        &mut self,
        board: &B,
        moves: u32,
        earlier: &[u64],
        limits: &SearchLimits<'_>,
        report: &mut dyn FnMut(&SearchResult),
    ) -> SearchResult
    where
        E: Evaluator<B>,
    {
        self.begin(earlier, limits);
        let mut root = Root::new(board, moves);
        let first = root.moves.first().map_or(0, |it| it.place);
        let mut found =
            SearchResult { best: first, score: 0, depth: 0, nodes: 0, line: vec![first] };
        for depth in 1..=limits.depth.min(DEPTH_MAX) {
            let score = self.search_with_window(board, &mut root, depth, found.score, limits);
            let best = root.moves.first().map_or(first, |it| it.place);
            if self.stopped {
                // The first move of an unfinished iteration is at least as good as before.
                if depth > 1 && root.searched > 0 && !root.failed {
                    found.best = best;
                }
                break;
            }
            let line = self.line(board, best);
            found = SearchResult { best, score, depth, nodes: self.nodes, line };
            report(&found);
            let is_proven = score.abs() > DECIDED && WON - score.abs() <= depth;
            if is_proven || self.nodes >= self.nodes_max {
                break;
            }
        }
        if found.line.first() != Some(&found.best) {
            found.line = self.line(board, found.best);
        }
        found.nodes = self.nodes;
        found
    }

    fn begin(&mut self, earlier: &[u64], limits: &SearchLimits<'_>) {
        self.table.grow_older();
        self.path.clear();
        self.path.extend_from_slice(earlier);
        self.played = earlier.len();
        self.nodes = 0;
        self.next_check = CHECK_EVERY.min(limits.nodes);
        self.nodes_max = limits.nodes;
        self.stopped = false;
        self.killers.fill([NONE; 2]);
        for count in self.history.as_flattened_mut() {
            *count /= 4;
        }
    }

    /// One iteration with an aspiration window around the last score, widened until the score is
    /// inside it.
    fn search_with_window<B: Board>(
        &mut self,
        board: &B,
        root: &mut Root,
        depth: i32,
        last: i32,
        limits: &SearchLimits<'_>,
    ) -> i32
    where
        E: Evaluator<B>,
    {
        let mut width = if depth < 4 { 2 * WON } else { 40 };
        loop {
            let alpha = (last - width).max(-WON);
            let beta = (last + width).min(WON);
            root.failed = false;
            let score = self.root(board, root, depth, (alpha, beta), limits);
            root.failed = score <= alpha;
            if self.stopped || (score > alpha || alpha == -WON) && (score < beta || beta == WON) {
                return score;
            }
            width = if width > 600 { 2 * WON } else { width * 4 };
        }
    }

    fn root<B: Board>(
        &mut self,
        board: &B,
        root: &mut Root,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        limits: &SearchLimits<'_>,
    ) -> i32
    where
        E: Evaluator<B>,
    {
        let mut best = -2 * WON;
        self.path.truncate(self.played);
        self.path.push(board.key());
        root.searched = 0;
        for index in 0..root.moves.len() {
            let before = self.nodes;
            let place = root.moves[index].place;
            let next = board.after(place);
            self.nodes += 1;
            let run = if next.may_return(board) { self.played + 1 } else { 0 };
            let step = SearchStep { board, next: &next, ply: 1, run, stop: limits.stop };
            let mut score = 0;
            if index > 0 {
                score = self.below(&step, depth - 1, alpha, alpha + 1);
            }
            if index == 0 || score > alpha && !self.stopped {
                score = self.below(&step, depth - 1, alpha, beta);
            }
            if self.stopped {
                return best;
            }
            root.moves[index].effort = self.nodes - before;
            root.searched = index + 1;
            if score > best {
                best = score;
                if score > alpha || index == 0 {
                    root.moves[..=index].rotate_right(1);
                }
            }
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        root.moves[1..].sort_by_key(|it| std::cmp::Reverse(it.effort));
        if best > -WON {
            let bound = if best >= beta { Bound::Lower } else { Bound::Exact };
            let entry = TranspositionEntry {
                score: best as i16,
                evaluation: 0,
                depth: depth as i8,
                bound,
                best: root.moves.first().map(|it| it.place),
            };
            // The root may have only some of the moves: its score is not a value of the position.
            self.table.remember(board.key(), TranspositionEntry { depth: -1, ..entry });
        }
        best
    }

    #[cold]
    fn check_budget(&mut self, stop: &dyn Fn() -> bool) {
        self.next_check = (self.nodes + CHECK_EVERY).min(self.nodes_max.max(self.nodes + 1));
        self.stopped = self.nodes >= self.nodes_max || stop();
    }

    /// The expected line after a move, as far as the table has it.
    fn line<B: Board>(&self, board: &B, first: u8) -> Vec<u8> {
        let mut line = vec![first];
        let mut at = board.after(first);
        let mut seen = vec![board.key()];
        while line.len() < 24 && at.outcome().is_none() {
            let key = at.key();
            let Some(place) = self.table.recall(key).and_then(|it| it.best) else { break };
            if at.moves() >> place & 1 == 0 || seen.contains(&key) {
                break;
            }
            seen.push(key);
            line.push(place);
            at = at.after(place);
        }
        line
    }
}

const NONE: u8 = 0xff;

/// The root moves, the best first.
struct Root {
    moves: Vec<RootMove>,
    searched: usize,
    failed: bool,
}

struct RootMove {
    place: u8,
    effort: u64,
}

impl Root {
    fn new<B: Board>(board: &B, moves: u32) -> Self {
        let legal = moves & board.moves();
        let mut moves: Vec<RootMove> =
            move_indices(legal).map(|place| RootMove { place, effort: 0 }).collect();
        moves.sort_by_key(|it| -board.gain(it.place));
        Self { moves, searched: 0, failed: false }
    }
}

fn reductions(strength: i32) -> [[u8; 32]; 64] {
    let mut table = [[0; 32]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (index, cell) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f32).ln() * (index as f32).ln();
            *cell = (0.5 + product * strength as f32 / 100.0).max(0.0) as u8;
        }
    }
    table
}
