//! Goes through the decisions of a whole game: what was each of them worth, and what the best?
//!
//! All of them at a glance, from the last to the first, so that what is known of a position is
//! known to those before it; then those that cost most once more, for longer. How long is said in
//! positions and never in time: the same game is always judged the same.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use super::is_certain;
use caravanserai_games::search::{ComputerLevel, SeededRng, ThinkBudget};
use caravanserai_games::{Computer, EngineQuestion, GameId};
use caravanserai_table::review::{DecisionVerdict, GameDecision, LINE_MAX};

/// Decisions that are looked at again.
const SECOND_LOOKS: usize = 8;

/// How long all glances together should take, a glance at least and at most, and a look: in
/// milliseconds of one ordinary core, for the best action alone.
const GLANCES_TOTAL_MS: u64 = 1_250;
const GLANCE_MS: (u64, u64) = (3, 60);
const LOOK_MS: u64 = 210;

/// Looking so far ahead with a single action takes at most so many times the positions that it
/// took with all of them.
const SINGLE_ACTION_NODE_FACTOR: u64 = 6;

/// How many positions are looked at for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisEffort {
    /// At first.
    pub glance: u64,
    /// Where much was lost.
    pub look: u64,
}

impl AnalysisEffort {
    /// For a game with so many decisions.
    pub fn for_game(game: GameId, turns: usize) -> AnalysisEffort {
        let positions = |ms: u64| (game.nodes_per_second() * ms / 1_000).max(1);
        AnalysisEffort { glance: positions(glance_ms(turns)), look: positions(LOOK_MS) }
    }

    /// In about how many milliseconds so many decisions are gone through.
    pub fn expected_ms(turns: usize) -> u64 {
        let looks = turns.min(SECOND_LOOKS) as u64;
        // What was played takes less than what is best, where it is not the same.
        (turns as u64 * glance_ms(turns) + looks * LOOK_MS) * 4 / 3
    }
}

fn glance_ms(turns: usize) -> u64 {
    let (least, most) = GLANCE_MS;
    (GLANCES_TOTAL_MS / turns.max(1) as u64).clamp(least, most)
}

/// A game that is gone through, bit by bit.
pub struct GameAnalysis {
    computer: Box<dyn Computer>,
    turns: Vec<GameDecision>,
    effort: AnalysisEffort,
    verdicts: Vec<Option<DecisionVerdict>>,
    /// What is to be glanced at yet, from the first to the last.
    glances: usize,
    /// What is to be looked at again, the worst first; `None` before all was glanced at.
    second_looks: Option<VecDeque<usize>>,
}

impl GameAnalysis {
    /// Begins with these decisions. `None` when nobody plays the game well.
    pub fn new(game: GameId, turns: Vec<GameDecision>) -> Option<GameAnalysis> {
        let effort = AnalysisEffort::for_game(game, turns.len());
        let computer = game.computer(ComputerLevel::Master.code())?;
        let (glances, verdicts) = (turns.len(), vec![None; turns.len()]);
        Some(GameAnalysis { computer, turns, effort, verdicts, glances, second_looks: None })
    }

    /// Goes on with one decision; `false` when nothing is left. Once `stop` is set it stops soon,
    /// and what it was thinking about does not count.
    pub fn analyse_next(&mut self, stop: &AtomicBool) -> bool {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        if self.glances > 0 {
            self.glances -= 1;
            self.verdicts[self.glances] = self.judge_turn(self.glances, self.effort.glance, stop);
            return true;
        }
        let fall = |n: &usize| self.verdicts[*n].as_ref().map_or(0, DecisionVerdict::chance_drop);
        let again = self.second_looks.get_or_insert_with(|| {
            let mut worst: Vec<usize> = (0..self.turns.len()).filter(|n| fall(n) > 0).collect();
            worst.sort_by_key(|n| (std::cmp::Reverse(fall(n)), *n));
            worst.truncate(SECOND_LOOKS);
            worst.into()
        });
        let Some(n) = again.pop_front() else { return false };
        // What is left of the glances says more of what was played than of what was not.
        self.computer.forget();
        let verdict = self.judge_turn(n, self.effort.look, stop);
        if let Some(verdict) = verdict {
            self.verdicts[n] = Some(DecisionVerdict { is_sure: true, ..verdict });
        }
        true
    }

    /// The decisions and what was found of each; `None` where nothing was to be found, or nobody
    /// has looked yet.
    pub fn verdicts(&self) -> (&[GameDecision], &[Option<DecisionVerdict>]) {
        (&self.turns, &self.verdicts)
    }

    /// How much of it all is done, in hundredths of the time that it takes.
    pub fn progress_percent(&self) -> u8 {
        let turns = self.turns.len() as u64;
        let (glance, look) = (self.effort.glance, self.effort.look);
        let looks = turns.min(SECOND_LOOKS as u64);
        let all = turns * glance + looks * look;
        let left = self.second_looks.as_ref().map_or(looks, |it| it.len() as u64);
        let todo = self.glances as u64 * glance + left * look;
        u8::try_from(100 * all.saturating_sub(todo) / all.max(1)).unwrap_or(100)
    }

    fn judge_turn(&mut self, n: usize, nodes: u64, stop: &AtomicBool) -> Option<DecisionVerdict> {
        let verdict = judge_decision(&mut *self.computer, &self.turns[n], nodes, stop);
        // Before and after would come from different depths.
        verdict.filter(|_| !stop.load(Ordering::Relaxed))
    }
}

/// What this player thinks of a decision; `None` when it need not think about it. What was best
/// and what was done are looked at equally far.
pub fn judge_decision(
    computer: &mut dyn Computer,
    turn: &GameDecision,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<DecisionVerdict> {
    let mut of = |asked: &EngineQuestion, budget: &ThinkBudget<'_>| {
        let mut numbers = SeededRng::new(u64::from(turn.step));
        computer.think(asked, budget, &mut numbers, &mut |_| {})
    };
    let free = of(&turn.asked, &ThinkBudget::OF_LEVEL.nodes(nodes).until(stop))?;
    if is_certain(&free) {
        return None;
    }
    let nothing_lost = |chance| {
        let (best, line) = (turn.played.clone(), Vec::new());
        let (before, after) = (chance, chance);
        Some(DecisionVerdict { best, line, before, after, answer: None, is_sure: false })
    };
    if free.action == turn.played {
        return nothing_lost(free.chance);
    }
    let as_far = match free.depth {
        0 => ThinkBudget::OF_LEVEL.nodes(nodes),
        depth => ThinkBudget::OF_LEVEL
            .nodes(nodes.saturating_mul(SINGLE_ACTION_NODE_FACTOR))
            .depth(depth),
    };
    let as_far = as_far.until(stop);
    let mut worth = |token: &str| {
        let thought = of(&turn.asked.restricted_to(&[token])?, &as_far)?;
        (!is_certain(&thought)).then_some(thought)
    };
    let played = worth(&turn.played)?;
    let better = worth(&free.action)?;
    let (before, after) = (better.chance, played.chance);
    if after >= before {
        return nothing_lost(after);
    }
    let answer = played.line.into_iter().nth(1);
    let mut line = better.line;
    line.truncate(LINE_MAX);
    if line.first() != Some(&free.action) {
        line = vec![free.action.clone()];
    }
    Some(DecisionVerdict { best: free.action, line, before, after, answer, is_sure: false })
}
