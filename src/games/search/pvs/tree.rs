//! Searches the tree below the root.

use super::{Bound, DECIDED, PLIES_MAX, Pvs, TranspositionEntry, WON};
use crate::search::alpha_beta::signed;
use crate::search::board::{Board, Evaluator};

/// One move on the path from the root.
pub(super) struct SearchStep<'a, B> {
    pub board: &'a B,
    pub next: &'a B,
    /// Moves made since the root, this one included.
    pub ply: usize,
    /// The number of positions before `next` that may come up again.
    pub run: usize,
    pub stop: &'a dyn Fn() -> bool,
}

/// Data of a position before its moves are searched.
struct SearchNode {
    /// The static evaluation.
    evaluation: i32,
    /// The best move of an earlier search.
    known: Option<u8>,
    key: u64,
    depth: i32,
}

/// A move among the others of its position.
struct OrderedMove {
    index: usize,
    gain: i32,
}

impl<E> Pvs<E> {
    /// The value of a step for the side that made the move.
    #[inline]
    pub(super) fn below<B: Board>(
        &mut self,
        step: &SearchStep<'_, B>,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32
    where
        E: Evaluator<B>,
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
        step: &SearchStep<'_, B>,
        mut depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32
    where
        E: Evaluator<B>,
    {
        let (board, ply) = (step.next, step.ply);
        if self.nodes >= self.next_check {
            self.check_budget(step.stop);
        }
        if self.stopped || ply >= PLIES_MAX {
            return self.evaluator.score(board);
        }
        let leaf = depth <= 0 && -depth >= self.pruning.follow_depth;
        if leaf && step.run < 4 {
            return self.evaluator.score(board).clamp(-DECIDED, DECIDED);
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
        if let Some(entry) = known
            && i32::from(entry.depth) >= depth.max(0)
            && (i32::from(entry.depth) == depth || !self.pruning.exact)
        {
            let score = from_table(entry.score, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cuts {
                return score;
            }
        }
        let evaluation = known.filter(|it| it.depth >= 0).map_or_else(
            || self.evaluator.score(board).clamp(-DECIDED, DECIDED),
            |it| i32::from(it.evaluation),
        );
        if leaf {
            return evaluation;
        }
        let mut best = -2 * WON;
        if depth <= 0 {
            if evaluation >= beta {
                return evaluation;
            }
            best = evaluation;
            alpha = alpha.max(evaluation);
        } else if depth <= self.pruning.depth
            && beta - alpha == 1
            && beta.abs() < DECIDED
            && evaluation - self.pruning.above * depth >= beta
        {
            return evaluation;
        }
        let node = SearchNode { evaluation, known: known.and_then(|it| it.best), key, depth };
        self.moves(step, &node, (alpha, beta), best)
    }

    /// Searches the moves of a position in order; `best` is the value without a move.
    fn moves<B: Board>(
        &mut self,
        step: &SearchStep<'_, B>,
        node: &SearchNode,
        (mut alpha, beta): (i32, i32),
        mut best: i32,
    ) -> i32
    where
        E: Evaluator<B>,
    {
        let board = step.next;
        let ply = step.ply;
        let depth = node.depth;
        let alpha_before = alpha;
        let mut best_place = None;
        let mut list = self.order(board, node.known, depth, ply);
        let quiet_bound = self.futility_bound(node, alpha, beta);
        self.path.push(node.key);
        for index in 0..list.len {
            let (place, gain) = list.take_best(index);
            if let Some(at_most) = quiet_bound.filter(|_| index > 0 && gain <= 0) {
                best = best.max(at_most);
                continue;
            }
            let next = board.after(place);
            self.nodes += 1;
            let run = if next.may_return(board) { step.run + 1 } else { 0 };
            let below = SearchStep { board, next: &next, ply: ply + 1, run, stop: step.stop };
            let score = self.search_move(&below, &OrderedMove { index, gain }, depth, alpha, beta);
            if self.stopped {
                self.path.pop();
                return best.max(alpha);
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                best_place = Some(place);
            }
            if score >= beta {
                if depth > 0 {
                    let side = usize::from(board.side() & 1);
                    self.cut(side, &list, index, depth, ply);
                }
                break;
            }
        }
        self.path.pop();
        if depth > 0 {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > alpha_before => Bound::Exact,
                _ => Bound::Upper,
            };
            let score = to_table(best, ply);
            let evaluation = node.evaluation as i16;
            let entry = TranspositionEntry {
                score,
                evaluation,
                depth: depth as i8,
                bound,
                best: best_place,
            };
            self.table.remember(node.key, entry);
        }
        best
    }

    /// The upper bound of the value of quiet moves if they cannot reach the window (futility
    /// pruning).
    fn futility_bound(&self, node: &SearchNode, alpha: i32, beta: i32) -> Option<i32> {
        let at_most = node.evaluation + self.pruning.below * node.depth;
        let shallow = node.depth > 0 && node.depth <= self.pruning.depth;
        let is_futile = shallow && beta - alpha == 1 && alpha.abs() < DECIDED && at_most <= alpha;
        is_futile.then_some(at_most)
    }

    /// The value of one move: the first move is searched in full, the others with a null window and
    /// reduced depth first.
    fn search_move<B: Board>(
        &mut self,
        step: &SearchStep<'_, B>,
        ordered: &OrderedMove,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32
    where
        E: Evaluator<B>,
    {
        if ordered.index == 0 {
            return self.below(step, depth - 1, alpha, beta);
        }
        let mut reduction = 0;
        if depth >= 3 && ordered.index >= self.pruning.late {
            reduction = i32::from(self.reductions[depth.min(63) as usize][ordered.index.min(31)]);
            if ordered.gain > 0 || beta - alpha > 1 {
                reduction = (reduction - 1).max(0);
            }
            reduction = reduction.min(depth - 2);
        }
        let mut score = self.below(step, depth - 1 - reduction, alpha, alpha + 1);
        if reduction > 0 && score > alpha {
            score = self.below(step, depth - 1, alpha, alpha + 1);
        }
        if score > alpha && score < beta {
            score = self.below(step, depth - 1, alpha, beta);
        }
        score
    }

    /// Whether a position came up before: once in this line or twice in the game.
    fn is_repeated(&self, key: u64, run: usize) -> bool {
        let from = self.path.len().saturating_sub(run);
        let in_line = self.path[from.max(self.played)..].contains(&key);
        let in_game = || self.path[from.min(self.played)..self.played].iter();
        in_line || in_game().filter(|it| **it == key).count() >= 2
    }
}

/// Makes scores of won and lost games relative to the stored position instead of the root.
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
