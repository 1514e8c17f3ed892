//! Evaluates all decisions of a finished game and finds the best action for each.
//!
//! A first pass looks at each decision briefly, from the last to the first, so that results of
//! later positions help with earlier ones. A second pass looks at the most costly decisions for
//! longer. Effort is measured in positions and never in time, so the same game always gets the same
//! verdict.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use super::is_certain;
use caravanserai_games::search::{ComputerLevel, SeededRng, ThinkBudget};
use caravanserai_games::{Computer, EngineQuestion, GameId};
use caravanserai_table::review::{DecisionVerdict, GameDecision, LINE_MAX};

/// The number of decisions in the second pass.
const SECOND_LOOKS: usize = 8;

/// Target times in milliseconds of an ordinary core, for the best action alone: for the whole first
/// pass, for the shortest and the longest first look at a decision, and for a second look.
const GLANCES_TOTAL_MS: u64 = 1_250;
const GLANCE_MS: (u64, u64) = (3, 60);
const LOOK_MS: u64 = 210;

/// The largest number of positions of a search with a single action, relative to the search with
/// all actions at the same depth.
const SINGLE_ACTION_NODE_FACTOR: u64 = 6;

/// The number of positions to search for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisEffort {
    /// In the first pass.
    pub glance: u64,
    /// In the second pass, for decisions that lost much.
    pub look: u64,
}

impl AnalysisEffort {
    /// The effort for a game with this many decisions.
    pub fn for_game(game: GameId, turns: usize) -> AnalysisEffort {
        let positions = |ms: u64| (game.nodes_per_second() * ms / 1_000).max(1);
        AnalysisEffort { glance: positions(glance_ms(turns)), look: positions(LOOK_MS) }
    }

    /// The estimated time to analyse this many decisions, in milliseconds.
    pub fn expected_ms(turns: usize) -> u64 {
        let looks = turns.min(SECOND_LOOKS) as u64;
        // The played action takes less time than the best one, if they differ.
        (turns as u64 * glance_ms(turns) + looks * LOOK_MS) * 4 / 3
    }
}

fn glance_ms(turns: usize) -> u64 {
    let (least, most) = GLANCE_MS;
    (GLANCES_TOTAL_MS / turns.max(1) as u64).clamp(least, most)
}

/// The analysis of a game, in steps.
pub struct GameAnalysis {
    computer: Box<dyn Computer>,
    turns: Vec<GameDecision>,
    effort: AnalysisEffort,
    verdicts: Vec<Option<DecisionVerdict>>,
    /// The number of decisions left for the first pass, which goes from the last to the first.
    glances: usize,
    /// The decisions left for the second pass, the worst first; `None` before the first pass has
    /// ended.
    second_looks: Option<VecDeque<usize>>,
}

impl GameAnalysis {
    /// Starts the analysis of these decisions. `None` when the game has no strong engine.
    pub fn new(game: GameId, turns: Vec<GameDecision>) -> Option<GameAnalysis> {
        let effort = AnalysisEffort::for_game(game, turns.len());
        let computer = game.computer(ComputerLevel::Master.code())?;
        let (glances, verdicts) = (turns.len(), vec![None; turns.len()]);
        Some(GameAnalysis { computer, turns, effort, verdicts, glances, second_looks: None })
    }

    /// Analyses the next decision. Returns `false` when nothing is left. Once `stop` is set it
    /// stops soon, and the interrupted search does not count.
    pub fn analyse_next(&mut self, stop: &AtomicBool) -> bool {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        if self.glances > 0 {
            self.glances -= 1;
            self.verdicts[self.glances] = self.judge_turn(self.glances, self.effort.glance, stop);
            return true;
        }
        let chance_drop =
            |n: &usize| self.verdicts[*n].as_ref().map_or(0, DecisionVerdict::chance_drop);
        let again = self.second_looks.get_or_insert_with(|| {
            let mut worst: Vec<usize> =
                (0..self.turns.len()).filter(|n| chance_drop(n) > 0).collect();
            worst.sort_by_key(|n| (std::cmp::Reverse(chance_drop(n)), *n));
            worst.truncate(SECOND_LOOKS);
            worst.into()
        });
        let Some(n) = again.pop_front() else { return false };
        // Results of the first pass favour the played action over the others.
        self.computer.forget();
        let verdict = self.judge_turn(n, self.effort.look, stop);
        if let Some(verdict) = verdict {
            self.verdicts[n] = Some(DecisionVerdict { is_sure: true, ..verdict });
        }
        true
    }

    /// The decisions and their verdicts; `None` if there is no verdict, or not yet.
    pub fn verdicts(&self) -> (&[GameDecision], &[Option<DecisionVerdict>]) {
        (&self.turns, &self.verdicts)
    }

    /// The progress, in percent of the expected time.
    pub fn progress_percent(&self) -> u8 {
        let turns = self.turns.len() as u64;
        let (glance, look) = (self.effort.glance, self.effort.look);
        let looks = turns.min(SECOND_LOOKS as u64);
        let total = turns * glance + looks * look;
        let left = self.second_looks.as_ref().map_or(looks, |it| it.len() as u64);
        let remaining = self.glances as u64 * glance + left * look;
        u8::try_from(100 * total.saturating_sub(remaining) / total.max(1)).unwrap_or(100)
    }

    fn judge_turn(&mut self, n: usize, nodes: u64, stop: &AtomicBool) -> Option<DecisionVerdict> {
        let verdict = judge_decision(&mut *self.computer, &self.turns[n], nodes, stop);
        // An interrupted search would compare results of different depths.
        verdict.filter(|_| !stop.load(Ordering::Relaxed))
    }
}

/// The engine's verdict on a decision; `None` for a forced one. The best action and the played
/// action are searched to the same depth.
pub fn judge_decision(
    computer: &mut dyn Computer,
    turn: &GameDecision,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<DecisionVerdict> {
    let mut think = |question: &EngineQuestion, budget: &ThinkBudget<'_>| {
        let mut random = SeededRng::new(u64::from(turn.step));
        computer.think(question, budget, &mut random, &mut |_| {})
    };
    let unrestricted = think(&turn.asked, &ThinkBudget::OF_LEVEL.nodes(nodes).until(stop))?;
    if is_certain(&unrestricted) {
        return None;
    }
    let nothing_lost = |chance| {
        let (best, line) = (turn.played.clone(), Vec::new());
        let (before, after) = (chance, chance);
        Some(DecisionVerdict { best, line, before, after, answer: None, is_sure: false })
    };
    if unrestricted.action == turn.played {
        return nothing_lost(unrestricted.chance);
    }
    let budget = match unrestricted.depth {
        0 => ThinkBudget::OF_LEVEL.nodes(nodes),
        depth => ThinkBudget::OF_LEVEL
            .nodes(nodes.saturating_mul(SINGLE_ACTION_NODE_FACTOR))
            .depth(depth),
    };
    let budget = budget.until(stop);
    let mut search_action = |token: &str| {
        let thought = think(&turn.asked.restricted_to(&[token])?, &budget)?;
        (!is_certain(&thought)).then_some(thought)
    };
    let played = search_action(&turn.played)?;
    let better = search_action(&unrestricted.action)?;
    let (before, after) = (better.chance, played.chance);
    if after >= before {
        return nothing_lost(after);
    }
    let answer = played.line.into_iter().nth(1);
    let mut line = better.line;
    line.truncate(LINE_MAX);
    if line.first() != Some(&unrestricted.action) {
        line = vec![unrestricted.action.clone()];
    }
    Some(DecisionVerdict { best: unrestricted.action, line, before, after, answer, is_sure: false })
}
