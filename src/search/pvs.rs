//! Principal variation search: looks ahead deeper and deeper, one line in full, all others only
//! to show that they are not better.
//!
//! What is in it, and after whom: iterative deepening with aspiration windows and a transposition
//! table (Slate and Atkin 1977); null windows for all moves but the first (Marsland and Campbell
//! 1982; Reinefeld 1983); killer moves and the history of cutoffs (Schaeffer 1989) for the order;
//! late moves reduced, as chess programs do since about 2005; cutting off at the leaves what is
//! far outside the window (Heinz 1998, "Extended futility pruning"). No null move: in the games
//! here having to move is too often a burden.

use super::board::{Board, Judge, places};
use super::plain::signed;
use super::table::{Bound, Memory, Table};

/// A won game, less the number of plies to it.
pub const WON: i32 = 30_000;
/// Scores beyond this are won or lost games.
pub const DECIDED: i32 = WON - 2_000;
/// The deepest search.
pub const DEPTH_MAX: i32 = 100;
/// The longest line: deepest search, capture search and moves that cost no depth.
const PLIES_MAX: usize = 250;
/// So many positions between two looks at the budget.
const LOOK_EVERY: u64 = 2_048;

/// What is cut short, in units of the judge.
#[derive(Clone, Copy, Debug)]
pub struct Pruning {
    /// A leaf this far above the window, times the depth left, is not searched.
    pub above: i32,
    /// The same for positions below the window, where quiet moves are left out.
    pub below: i32,
    /// The depth up to which the two apply; 0 for never.
    pub depth: i32,
    /// From which move on, in order of search, less depth is given; a large number for never.
    pub late: usize,
    /// How strongly late moves are reduced, in hundredths.
    pub reduce: i32,
    /// Moves that gain this much at once are followed beyond the depth; a large number for never.
    pub follow: i32,
    /// How many plies beyond the depth.
    pub follow_depth: i32,
    /// Only what was searched to the very same depth is used again, and an only move costs depth
    /// like any other.
    pub exact: bool,
}

impl Pruning {
    /// Nothing is cut short: the result is that of plain alpha-beta.
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

/// How far a search goes.
pub struct Limits<'a> {
    /// The deepest iteration.
    pub depth: i32,
    /// About so many positions are made.
    pub nodes: u64,
    /// Asked now and then: whether to stop at once.
    pub stop: &'a dyn Fn() -> bool,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best move.
    pub best: u8,
    /// Its value for the side to move.
    pub score: i32,
    /// The last iteration that was finished.
    pub depth: i32,
    /// Positions made.
    pub nodes: u64,
    /// What is expected, the best move first.
    pub line: Vec<u8>,
}

/// The search, with what it keeps between moves.
#[derive(Debug)]
pub struct Pvs<J> {
    judge: J,
    table: Table,
    pruning: Pruning,
    reductions: [[u8; 32]; 64],
    history: [[i32; 32]; 2],
    killers: Vec<[u8; 2]>,
    /// Keys of the positions up to the one looked at, older ones of the game first.
    path: Vec<u64>,
    /// How many of these were played in the game, the one searched from not counted.
    played: usize,
    nodes: u64,
    look_at: u64,
    nodes_max: u64,
    stopped: bool,
}

impl<J> Pvs<J> {
    /// A search with a table of 2^`bits` cache lines.
    pub fn new(judge: J, pruning: Pruning, bits: u32) -> Self {
        Self {
            judge,
            table: Table::new(bits),
            pruning,
            reductions: reductions(pruning.reduce),
            history: [[0; 32]; 2],
            killers: vec![[NONE; 2]; PLIES_MAX + 2],
            path: Vec::with_capacity(2 * PLIES_MAX),
            played: 0,
            nodes: 0,
            look_at: 0,
            nodes_max: 0,
            stopped: false,
        }
    }

    /// Forgets everything that was learned from earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
        self.history = [[0; 32]; 2];
        self.killers.fill([NONE; 2]);
    }

    /// The judge, to be asked directly.
    pub fn judge(&mut self) -> &mut J {
        &mut self.judge
    }

    /// Looks for the best of `moves`, deeper and deeper; `tell` hears of every finished iteration.
    /// `earlier` are the keys of the positions of the game that may come up again, oldest first.
    /// At least one iteration is always finished, unless told to stop before; `moves` is not empty.
    pub fn search<B: Board>(
        &mut self,
        board: &B,
        moves: u32,
        earlier: &[u64],
        limits: &Limits<'_>,
        tell: &mut dyn FnMut(&Found),
    ) -> Found
    where
        J: Judge<B>,
    {
        self.begin(earlier, limits);
        let mut root = Root::new(board, moves);
        let first = root.moves.first().map_or(0, |it| it.place);
        let mut found = Found { best: first, score: 0, depth: 0, nodes: 0, line: vec![first] };
        for depth in 1..=limits.depth.min(DEPTH_MAX) {
            let score = self.aspire(board, &mut root, depth, found.score, limits);
            let best = root.moves.first().map_or(first, |it| it.place);
            if self.stopped {
                // The first move of an unfinished iteration is at least as good as before.
                if depth > 1 && root.searched > 0 && !root.failed {
                    found.best = best;
                }
                break;
            }
            let line = self.line(board, best);
            found = Found { best, score, depth, nodes: self.nodes, line };
            tell(&found);
            let sure = score.abs() > DECIDED && WON - score.abs() <= depth;
            if sure || self.nodes >= self.nodes_max {
                break;
            }
        }
        if found.line.first() != Some(&found.best) {
            found.line = self.line(board, found.best);
        }
        found.nodes = self.nodes;
        found
    }

    fn begin(&mut self, earlier: &[u64], limits: &Limits<'_>) {
        self.table.grow_older();
        self.path.clear();
        self.path.extend_from_slice(earlier);
        self.played = earlier.len();
        self.nodes = 0;
        self.look_at = LOOK_EVERY.min(limits.nodes);
        self.nodes_max = limits.nodes;
        self.stopped = false;
        self.killers.fill([NONE; 2]);
        for count in self.history.as_flattened_mut() {
            *count /= 4;
        }
    }

    /// One iteration with a window round the last score, opened where it was too narrow.
    fn aspire<B: Board>(
        &mut self,
        board: &B,
        root: &mut Root,
        depth: i32,
        last: i32,
        limits: &Limits<'_>,
    ) -> i32
    where
        J: Judge<B>,
    {
        let mut reach = if depth < 4 { 2 * WON } else { 40 };
        loop {
            let (alpha, beta) = ((last - reach).max(-WON), (last + reach).min(WON));
            root.failed = false;
            let score = self.root(board, root, depth, (alpha, beta), limits);
            root.failed = score <= alpha;
            if self.stopped || (score > alpha || alpha == -WON) && (score < beta || beta == WON) {
                return score;
            }
            reach = if reach > 600 { 2 * WON } else { reach * 4 };
        }
    }

    fn root<B: Board>(
        &mut self,
        board: &B,
        root: &mut Root,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        limits: &Limits<'_>,
    ) -> i32
    where
        J: Judge<B>,
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
            let step = Step { board, next: &next, ply: 1, run, stop: limits.stop };
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
            let memory = Memory {
                score: best as i16,
                judged: 0,
                depth: depth as i8,
                bound,
                best: root.moves.first().map(|it| it.place),
            };
            // Only some of the moves may have been asked about: nothing to use as a value.
            self.table.remember(board.key(), Memory { depth: -1, ..memory });
        }
        best
    }

    /// The value of a step for the side that made it.
    #[inline]
    fn below<B: Board>(&mut self, step: &Step<'_, B>, depth: i32, alpha: i32, beta: i32) -> i32
    where
        J: Judge<B>,
    {
        if let Some(ended) = step.next.outcome() {
            let won = (WON - step.ply as i32) * ended.signum();
            return signed(won, step.board.side());
        }
        if step.next.side() == step.board.side() {
            // A further move of the same side costs no depth.
            self.value(step, depth + 1, alpha, beta)
        } else {
            -self.value(step, depth, -beta, -alpha)
        }
    }

    fn value<B: Board>(
        &mut self,
        step: &Step<'_, B>,
        mut depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32
    where
        J: Judge<B>,
    {
        let (board, ply) = (step.next, step.ply);
        if self.nodes >= self.look_at {
            self.look(step.stop);
        }
        if self.stopped || ply >= PLIES_MAX {
            return self.judge.score(board);
        }
        let leaf = depth <= 0 && -depth >= self.pruning.follow_depth;
        if leaf && step.run < 4 {
            return self.judge.score(board).clamp(-DECIDED, DECIDED);
        }
        let key = board.key();
        if step.run >= 4 && self.is_repeated(key, step.run) {
            return 0;
        }
        let moves = board.moves();
        let only = moves & moves.wrapping_sub(1) == 0;
        if only && depth > 0 && ply < 120 && !self.pruning.exact {
            depth += 1;
        }
        let known = if depth > 0 { self.table.recall(key) } else { None };
        if let Some(memory) = known
            && i32::from(memory.depth) >= depth.max(0)
            && (i32::from(memory.depth) == depth || !self.pruning.exact)
        {
            let score = from_table(memory.score, ply);
            let cuts = match memory.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cuts {
                return score;
            }
        }
        let judged = known.filter(|it| it.depth >= 0).map_or_else(
            || self.judge.score(board).clamp(-DECIDED, DECIDED),
            |it| i32::from(it.judged),
        );
        if leaf {
            return judged;
        }
        let mut best = -2 * WON;
        if depth <= 0 {
            if judged >= beta {
                return judged;
            }
            best = judged;
            alpha = alpha.max(judged);
        } else if depth <= self.pruning.depth && beta - alpha == 1 && beta.abs() < DECIDED {
            if judged - self.pruning.above * depth >= beta {
                return judged;
            }
        }
        let node = Node { moves, judged, known: known.and_then(|it| it.best), key };
        self.moves(step, &node, depth, alpha, beta, best)
    }

    /// Looks at the moves of a position one by one.
    fn moves<B: Board>(
        &mut self,
        step: &Step<'_, B>,
        node: &Node,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        mut best: i32,
    ) -> i32
    where
        J: Judge<B>,
    {
        let (board, ply) = (step.next, step.ply);
        let side = usize::from(board.side() & 1);
        let alpha_before = alpha;
        let mut list = self.order(board, node, depth, ply);
        let mut best_place = None;
        let hopeless = depth > 0
            && depth <= self.pruning.depth
            && beta - alpha == 1
            && alpha.abs() < DECIDED
            && node.judged + self.pruning.below * depth <= alpha;
        self.path.push(node.key);
        for index in 0..list.len {
            let (place, gain) = list.take_best(index);
            if hopeless && index > 0 && gain <= 0 {
                best = best.max(node.judged + self.pruning.below * depth);
                continue;
            }
            let next = board.after(place);
            self.nodes += 1;
            let run = if next.may_return(board) { step.run + 1 } else { 0 };
            let below = Step { board, next: &next, ply: ply + 1, run, stop: step.stop };
            let mut score;
            if index == 0 {
                score = self.below(&below, depth - 1, alpha, beta);
            } else {
                let mut less = 0;
                if depth >= 3 && index >= self.pruning.late {
                    less = i32::from(self.reductions[depth.min(63) as usize][index.min(31)]);
                    if gain > 0 || beta - alpha > 1 {
                        less = (less - 1).max(0);
                    }
                    less = less.min(depth - 2);
                }
                score = self.below(&below, depth - 1 - less, alpha, alpha + 1);
                if less > 0 && score > alpha {
                    score = self.below(&below, depth - 1, alpha, alpha + 1);
                }
                if score > alpha && score < beta {
                    score = self.below(&below, depth - 1, alpha, beta);
                }
            }
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_place = Some(place);
                }
            }
            if score >= beta {
                if depth > 0 {
                    self.cut(side, &list, index, gain, depth, ply);
                }
                break;
            }
        }
        self.path.pop();
        if self.stopped {
            return best.max(alpha);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha_before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let memory = Memory {
            score: to_table(best, ply),
            judged: node.judged as i16,
            depth: depth.max(0) as i8,
            bound,
            best: best_place,
        };
        if depth > 0 {
            self.table.remember(node.key, memory);
        }
        best
    }

    fn order<B: Board>(&self, board: &B, node: &Node, depth: i32, ply: usize) -> List {
        let mut list = List { len: 0, places: [0; 32], gains: [0; 32], orders: [0; 32] };
        let side = usize::from(board.side() & 1);
        let killers = self.killers[ply];
        for place in places(node.moves) {
            let gain = board.gain(place);
            if depth <= 0 && gain < self.pruning.follow {
                continue;
            }
            let mut order = self.history[side][usize::from(place) % 32];
            if gain > 0 {
                order += (gain + 8) << 16;
            } else if place == killers[0] {
                order += 3 << 17;
            } else if place == killers[1] {
                order += 2 << 17;
            }
            if node.known == Some(place) {
                order = i32::MAX;
            }
            list.places[list.len] = place;
            list.gains[list.len] = gain;
            list.orders[list.len] = order;
            list.len += 1;
        }
        list
    }

    /// Learns from a move that was good enough to stop.
    fn cut(&mut self, side: usize, list: &List, at: usize, gain: i32, depth: i32, ply: usize) {
        let place = list.places[at];
        if gain <= 0 {
            let killers = &mut self.killers[ply];
            if killers[0] != place {
                *killers = [place, killers[0]];
            }
        }
        let bonus = (depth * depth).min(400) * 16;
        let mut reward = |place: u8, by: i32| {
            let count = &mut self.history[side][usize::from(place) % 32];
            // Drawn towards the bounds of 2^16.
            *count += by - *count * by.abs() / 65_536;
        };
        reward(place, bonus);
        for earlier in &list.places[..at] {
            reward(*earlier, -bonus);
        }
    }

    #[cold]
    fn look(&mut self, stop: &dyn Fn() -> bool) {
        self.look_at = (self.nodes + LOOK_EVERY).min(self.nodes_max.max(self.nodes + 1));
        self.stopped = self.nodes >= self.nodes_max || stop();
    }

    /// Whether a position came up before: once in this line or twice in the game.
    fn is_repeated(&self, key: u64, run: usize) -> bool {
        let from = self.path.len().saturating_sub(run);
        let in_line = self.path[from.max(self.played)..].contains(&key);
        let in_game = || self.path[from.min(self.played)..self.played].iter();
        in_line || in_game().filter(|it| **it == key).count() >= 2
    }

    /// The line that the table remembers after a move.
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

/// The moves that are chosen among, the best first.
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
            places(legal).map(|place| RootMove { place, effort: 0 }).collect();
        moves.sort_by_key(|it| -board.gain(it.place));
        Self { moves, searched: 0, failed: false }
    }
}

/// One move on the way down.
struct Step<'a, B> {
    board: &'a B,
    next: &'a B,
    ply: usize,
    /// How many positions before `next` may come up again.
    run: usize,
    stop: &'a dyn Fn() -> bool,
}

struct Node {
    moves: u32,
    judged: i32,
    known: Option<u8>,
    key: u64,
}

/// Moves with what puts them in order.
struct List {
    len: usize,
    places: [u8; 32],
    gains: [i32; 32],
    orders: [i32; 32],
}

impl List {
    /// Brings the best of the moves from `index` on to `index`.
    #[inline]
    fn take_best(&mut self, index: usize) -> (u8, i32) {
        let mut best = index;
        for i in index + 1..self.len {
            if self.orders[i] > self.orders[best] {
                best = i;
            }
        }
        self.places.swap(index, best);
        self.gains.swap(index, best);
        self.orders.swap(index, best);
        (self.places[index], self.gains[index])
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

/// Won and lost games count from the position in the table, not from the root.
fn to_table(score: i32, ply: usize) -> i16 {
    if score > DECIDED {
        (score + ply as i32) as i16
    } else if score < -DECIDED {
        (score - ply as i32) as i16
    } else {
        score as i16
    }
}

fn from_table(score: i16, ply: usize) -> i32 {
    let score = i32::from(score);
    if score > DECIDED {
        score - ply as i32
    } else if score < -DECIDED {
        score + ply as i32
    } else {
        score
    }
}
