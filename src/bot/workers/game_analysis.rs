//! Evaluates all decisions of a finished game and finds the best action for each.
//!
//! One search of a position serves two decisions: it tells the chance before its own decision, and
//! the chance after the one that led to it. Where the next decision is not the opponent's at the
//! very next step, or tells nothing about the one before, the played action is searched by itself.
//!
//! The first pass searches every position briefly, from the last to the first, so that results of
//! later positions help with earlier ones. The second pass searches the positions before and after
//! every decision that may have cost much again, each by itself and far longer: two searches of one
//! position differ by about two points in a hundred, and short ones by more. The third pass
//! searches the alternatives to actions that seemed best until the position after them was
//! searched.
//!
//! Effort is measured in positions and never in time, and memory is cleared at fixed points, so the
//! same game always gets the same verdict.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use super::is_certain;
use caravanserai_games::search::{PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_games::{Computer, EngineQuestion, GameId};
use caravanserai_table::review::{DecisionVerdict, GameDecision, LINE_MAX};

/// Target times in milliseconds of an ordinary core: of the whole first pass, and of its shortest
/// and its longest search; of the whole second pass, and of its longest search; of a search of the
/// third pass.
const GLANCES_TOTAL_MS: u64 = 1_000;
const GLANCE_MS: (u64, u64) = (2, 35);
const SECOND_PASS_TOTAL_MS: u64 = 3_650;
const SECOND_PASS_MS: u64 = 200;
const ALTERNATIVE_MS: u64 = 100;

/// The drop in thousandths from which a decision is always in the second pass, and the largest
/// number of decisions that are.
const LOOK_FROM: u16 = 50;
const LOOKS: usize = 24;

/// The number of positions, at the most costly decisions, that are searched as long as one may be.
const FULL_SEARCHES: usize = 6;

/// The drop in thousandths from which alternatives to the best action are searched, and the largest
/// number of decisions where they are.
const ALTERNATIVE_FROM: u16 = 75;
const ALTERNATIVES: usize = 3;

/// The number of searches for a verdict that has no other position to use: of all actions, of the
/// played one and of the best one.
const SEARCHES_ALONE: u64 = 3;

/// The largest number of positions of a search with a single action, relative to the search with
/// all actions at the same depth.
const SINGLE_ACTION_NODE_FACTOR: u64 = 6;

/// The numbers of positions to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisEffort {
    /// For each search of the first pass.
    pub first_pass: u64,
    /// For each search of the second pass, at most.
    pub second_pass: u64,
    /// For the whole second pass.
    pub second_pass_total: u64,
    /// For each search of the third pass.
    pub alternative: u64,
}

impl AnalysisEffort {
    /// The effort for a game with this many decisions.
    pub fn for_game(game: GameId, turns: usize) -> AnalysisEffort {
        let positions = |ms: u64| (game.nodes_per_second() * ms / 1_000).max(1);
        AnalysisEffort {
            first_pass: positions(first_pass_ms(turns)),
            second_pass: positions(SECOND_PASS_MS),
            second_pass_total: positions(SECOND_PASS_TOTAL_MS),
            alternative: positions(ALTERNATIVE_MS),
        }
    }

    /// The longest time to expect for the analysis of this many decisions, in milliseconds.
    pub fn expected_ms(turns: usize) -> u64 {
        let looks = turns as u64 * SECOND_PASS_MS;
        let alternatives = turns.min(ALTERNATIVES) as u64 * ALTERNATIVE_MS;
        turns as u64 * first_pass_ms(turns) + looks.min(SECOND_PASS_TOTAL_MS) + alternatives
    }
}

fn first_pass_ms(turns: usize) -> u64 {
    let (least, most) = GLANCE_MS;
    (GLANCES_TOTAL_MS / turns.max(1) as u64).clamp(least, most)
}

/// The present knowledge about a decision.
#[derive(Default)]
struct AnalysedTurn {
    /// Whether the next decision is the opponent's, in the position after this one.
    has_reply: bool,
    /// The longest search of the position, and whether it was in the second pass.
    evaluation: Option<PlayerEvaluation<String>>,
    is_deep: bool,
    /// The search of the other actions, where the played one seemed best and was not.
    alternative: Option<PlayerEvaluation<String>>,
    /// The verdict of searches of this position alone.
    verdict_alone: Option<DecisionVerdict>,
}

/// The analysis of a game, in steps.
pub struct GameAnalysis {
    computer: Box<dyn Computer>,
    turns: Vec<GameDecision>,
    analysed: Vec<AnalysedTurn>,
    verdicts: Vec<Option<DecisionVerdict>>,
    effort: AnalysisEffort,
    /// The number of decisions left for the first pass, which goes from the last to the first.
    first_pass_left: usize,
    /// The positions left for the second pass, as indices of decisions; `None` before the first
    /// pass has ended.
    second_pass: Option<VecDeque<usize>>,
    /// The decisions left for the third pass, likewise.
    alternatives: Option<VecDeque<usize>>,
    /// The number of positions left for the second pass, and searched in all.
    second_pass_left: u64,
    nodes: u64,
    /// The number of searches of the second pass that are as long as one may be: the most costly
    /// decision is the first of a review.
    full_searches: usize,
}

impl GameAnalysis {
    /// Starts the analysis of these decisions. `None` when the game has no strong engine.
    pub fn new(game: GameId, turns: Vec<GameDecision>) -> Option<GameAnalysis> {
        let effort = AnalysisEffort::for_game(game, turns.len());
        let computer = game.computer(game.info().reviewer)?;
        // If two sides see the same, a position is as good for one as it is bad for the other.
        let is_open = game.info().seats.most == 2 && !game.info().hidden;
        let analysed = (0..turns.len()).map(|n| {
            let turn = &turns[n];
            let next = turns.get(n + 1);
            let follows = |it: &GameDecision| it.step == turn.step + 1 && it.seat != turn.seat;
            let has_reply = is_open && next.is_some_and(follows);
            AnalysedTurn { has_reply, ..AnalysedTurn::default() }
        });
        Some(GameAnalysis {
            computer,
            analysed: analysed.collect(),
            verdicts: vec![None; turns.len()],
            first_pass_left: turns.len(),
            turns,
            effort,
            second_pass: None,
            alternatives: None,
            second_pass_left: effort.second_pass_total,
            nodes: 0,
            full_searches: if is_open { FULL_SEARCHES } else { 0 },
        })
    }

    /// Searches the next position. Returns `false` when nothing is left. Once `stop` is set it
    /// stops soon, and the interrupted search does not count.
    pub fn analyse_next(&mut self, stop: &AtomicBool) -> bool {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        if self.first_pass_left > 0 {
            self.first_pass_left -= 1;
            self.search_position(self.first_pass_left, self.effort.first_pass, stop);
            return true;
        }
        if self.second_pass.is_none() {
            self.second_pass = Some(self.second_pass_positions());
        }
        let Some(queue) = &mut self.second_pass else { return false };
        let searches = queue.iter().map(|n| self.analysed[*n].searches()).sum::<u64>();
        let Some(n) = queue.pop_front() else { return self.search_next_alternative(stop) };
        let share =
            if self.full_searches > 0 { u64::MAX } else { self.second_pass_left / searches.max(1) };
        self.full_searches = self.full_searches.saturating_sub(1);
        // Results of other searches favour the played action over the others.
        self.computer.forget();
        let nodes = self.search_position(n, share.clamp(1, self.effort.second_pass), stop);
        self.second_pass_left = self.second_pass_left.saturating_sub(nodes);
        true
    }

    /// Searches the other actions of the next decision for the action that seemed best until the
    /// position after it was searched. Returns `false` when nothing is left.
    fn search_next_alternative(&mut self, stop: &AtomicBool) -> bool {
        if self.alternatives.is_none() {
            self.alternatives = Some(self.decisions_without_alternative());
        }
        let Some(n) = self.alternatives.as_mut().and_then(VecDeque::pop_front) else {
            return false;
        };
        let turn = &self.turns[n];
        let tokens = turn.asked.tokens();
        let is_other = |it: &&str| *it != turn.played;
        let others: Vec<&str> = tokens.iter().map(String::as_str).filter(is_other).collect();
        self.computer.forget();
        let mut searches = DecisionSearches { computer: &mut *self.computer, turn, stop, nodes: 0 };
        let budget = ThinkBudget::OF_LEVEL.nodes(self.effort.alternative);
        let question = turn.asked.restricted_to(&others);
        let evaluation = question.and_then(|it| searches.think(&it, budget));
        self.nodes += searches.nodes;
        if !stop.load(Ordering::Relaxed) {
            self.analysed[n].alternative = evaluation;
            self.verdicts[n] = self.verdict(n);
        }
        true
    }

    fn decisions_without_alternative(&self) -> VecDeque<usize> {
        let is_asked = |n: &usize| {
            let turn = &self.turns[*n];
            let it = &self.analysed[*n];
            let is_best = it.evaluation.as_ref().is_some_and(|it| it.action == turn.played);
            let is_deep = it.is_deep && self.analysed.get(*n + 1).is_some_and(|it| it.is_deep);
            is_best && it.has_reply && is_deep && self.drop_of_chances(*n) >= ALTERNATIVE_FROM
        };
        let mut asked: Vec<usize> = (0..self.turns.len()).filter(is_asked).collect();
        asked.sort_by_key(|n| (Reverse(self.drop_of_chances(*n)), *n));
        asked.truncate(ALTERNATIVES);
        asked.into()
    }

    /// The chance before a decision less the chance after it, whichever action is the best.
    fn drop_of_chances(&self, n: usize) -> u16 {
        let it = &self.analysed[n];
        let next = self.analysed.get(n + 1);
        if !it.has_reply {
            return self.verdicts[n].as_ref().map_or(0, DecisionVerdict::chance_drop);
        }
        let both = it.evaluation.as_ref().zip(next.and_then(|it| it.evaluation.as_ref()));
        both.map_or(0, |(it, reply)| (it.chance + reply.chance).saturating_sub(1_000))
    }

    /// The positions before and after the decisions that seem to have cost most.
    fn second_pass_positions(&self) -> VecDeque<usize> {
        let chance_drop = |n: usize| self.drop_of_chances(n);
        let mut worst: Vec<usize> = (0..self.turns.len()).filter(|n| chance_drop(*n) > 0).collect();
        worst.sort_by_key(|n| (Reverse(chance_drop(*n)), *n));
        let in_full = self.effort.second_pass_total / self.effort.second_pass;
        let mut positions = VecDeque::new();
        let mut searches = 0;
        for n in worst.into_iter().take(LOOKS) {
            // Decisions that seem to have cost little are looked at where there is time for them.
            if chance_drop(n) < LOOK_FROM && searches >= in_full {
                break;
            }
            let after = self.analysed[n].has_reply.then_some(n + 1);
            for it in [Some(n), after].into_iter().flatten() {
                if !positions.contains(&it) {
                    positions.push_back(it);
                    searches += self.analysed[it].searches();
                }
            }
        }
        positions
    }

    /// The decisions and their verdicts; `None` if there is no verdict, or not yet.
    pub fn verdicts(&self) -> (&[GameDecision], &[Option<DecisionVerdict>]) {
        (&self.turns, &self.verdicts)
    }

    /// Whether the first pass has judged all decisions.
    pub fn has_judged_all(&self) -> bool {
        self.first_pass_left == 0
    }

    /// Whether nothing is left to be searched.
    pub fn is_finished(&self) -> bool {
        let is_done =
            |left: &Option<VecDeque<usize>>| left.as_ref().is_some_and(VecDeque::is_empty);
        self.has_judged_all() && is_done(&self.second_pass) && is_done(&self.alternatives)
    }

    /// The number of positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The progress, in percent of the expected effort.
    pub fn progress_percent(&self) -> u8 {
        let AnalysisEffort { first_pass, second_pass_total, .. } = self.effort;
        let total = self.turns.len() as u64 * first_pass + second_pass_total;
        let looks = match &self.second_pass {
            Some(queue) => self.second_pass_left.min(queue.len() as u64 * self.effort.second_pass),
            None => second_pass_total,
        };
        let remaining = self.first_pass_left as u64 * first_pass + looks;
        u8::try_from(100 * total.saturating_sub(remaining) / total.max(1)).unwrap_or(100)
    }

    /// Searches the position of a decision, updates the verdicts that depend on it, and returns the
    /// number of positions searched.
    fn search_position(&mut self, n: usize, nodes: u64, stop: &AtomicBool) -> u64 {
        let turn = &self.turns[n];
        let mut searches = DecisionSearches { computer: &mut *self.computer, turn, stop, nodes: 0 };
        let (evaluation, verdict_alone) = if self.analysed[n].has_reply {
            (searches.think(&turn.asked, ThinkBudget::OF_LEVEL.nodes(nodes)), None)
        } else {
            searches.judge(nodes).unzip()
        };
        let searched = searches.nodes;
        self.nodes += searched;
        // An interrupted search would compare results of different depths.
        if !stop.load(Ordering::Relaxed) {
            let it = &mut self.analysed[n];
            (it.evaluation, it.verdict_alone) = (evaluation, verdict_alone.flatten());
            it.is_deep = self.second_pass.is_some();
            for it in n.saturating_sub(1)..=n {
                self.verdicts[it] = self.verdict(it);
            }
        }
        searched
    }

    /// The verdict on a decision, as far as its positions were searched.
    fn verdict(&self, n: usize) -> Option<DecisionVerdict> {
        let turn = &self.turns[n];
        let it = &self.analysed[n];
        if !it.has_reply {
            let verdict = it.verdict_alone.clone()?;
            return Some(DecisionVerdict { is_sure: it.is_deep, ..verdict });
        }
        let evaluation = it.evaluation.as_ref()?;
        let next = self.analysed.get(n + 1)?;
        let reply = next.evaluation.as_ref()?;
        let better = it.alternative.as_ref().unwrap_or(evaluation);
        let before = better.chance;
        let after = 1_000_u16.saturating_sub(reply.chance);
        if better.action == turn.played || after >= before {
            return Some(nothing_lost(turn, after));
        }
        let verdict = verdict_on_loss(
            &better.action,
            &better.line,
            before,
            after,
            Some(reply.action.clone()),
        );
        Some(DecisionVerdict { is_sure: it.is_deep && next.is_deep, ..verdict })
    }
}

impl AnalysedTurn {
    /// The number of searches for the position.
    fn searches(&self) -> u64 {
        if self.has_reply { 1 } else { SEARCHES_ALONE }
    }
}

/// The searches for one decision.
struct DecisionSearches<'a> {
    computer: &'a mut dyn Computer,
    turn: &'a GameDecision,
    stop: &'a AtomicBool,
    nodes: u64,
}

impl DecisionSearches<'_> {
    /// The best action, and the verdict on a decision by searches of its own position alone. The
    /// best action and the played action are searched to the same depth. `None` for a forced one.
    fn judge(&mut self, nodes: u64) -> Option<(PlayerEvaluation<String>, Option<DecisionVerdict>)> {
        let turn = self.turn;
        let budget = ThinkBudget::OF_LEVEL.nodes(nodes);
        let unrestricted = self.think(&turn.asked, budget)?;
        if unrestricted.action == turn.played {
            let verdict = nothing_lost(turn, unrestricted.chance);
            return Some((unrestricted, Some(verdict)));
        }
        let same_depth = match unrestricted.depth {
            0 => budget,
            depth => ThinkBudget::OF_LEVEL
                .nodes(nodes.saturating_mul(SINGLE_ACTION_NODE_FACTOR))
                .depth(depth),
        };
        let mut think_of = |token: &str| {
            let question = turn.asked.restricted_to(&[token])?;
            self.think(&question, same_depth)
        };
        let both = think_of(&turn.played).zip(think_of(&unrestricted.action));
        let verdict = both.map(|(played, better)| {
            let before = better.chance;
            let after = played.chance;
            if after >= before {
                return nothing_lost(turn, after);
            }
            let answer = played.line.into_iter().nth(1);
            verdict_on_loss(&better.action, &better.line, before, after, answer)
        });
        Some((unrestricted, verdict))
    }

    /// Searches a question. `None` when the answer is certain without a search.
    fn think(
        &mut self,
        question: &EngineQuestion,
        budget: ThinkBudget<'_>,
    ) -> Option<PlayerEvaluation<String>> {
        let mut random = SeededRng::new(u64::from(self.turn.step));
        let budget = budget.until(self.stop);
        let evaluation = self.computer.think(question, &budget, &mut random, &mut |_| {})?;
        self.nodes += evaluation.nodes;
        (!is_certain(&evaluation)).then_some(evaluation)
    }
}

/// The verdict on one decision, by searches of its own position of at most so many positions each,
/// with an empty memory: it depends on nothing else. `None` where the answer is certain without a
/// search, and once `stop` is set.
pub fn judge_decision(
    computer: &mut dyn Computer,
    turn: &GameDecision,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<DecisionVerdict> {
    let budget = ThinkBudget::OF_LEVEL.nodes(nodes).until(stop);
    let mut random = SeededRng::new(u64::from(turn.step));
    computer.forget();
    let chances = computer.action_chances(&turn.asked, &budget, &mut random);
    let played = chances.iter().find(|(action, _)| *action == turn.played);
    // Of equal actions the first.
    let best = chances.iter().rev().max_by_key(|(_, chance)| *chance);
    let verdict = match played.zip(best) {
        Some(((_, after), (best, before))) if after < before => {
            Some(verdict_on_loss(best, &[], *before, *after, None))
        }
        Some(((_, after), _)) => Some(nothing_lost(turn, *after)),
        None => DecisionSearches { computer, turn, stop, nodes: 0 }.judge(nodes)?.1,
    };
    verdict.filter(|_| !stop.load(Ordering::Relaxed))
}

/// The verdict on a decision that lost nothing.
fn nothing_lost(turn: &GameDecision, chance: u16) -> DecisionVerdict {
    let best = turn.played.clone();
    let line = Vec::new();
    let before = chance;
    let after = chance;
    DecisionVerdict { best, line, before, after, answer: None, is_sure: false }
}

/// The verdict on a decision after which the chance was smaller than after a better action, with
/// the line that begins with that action, if it is known.
fn verdict_on_loss(
    best: &String,
    line: &[String],
    before: u16,
    after: u16,
    answer: Option<String>,
) -> DecisionVerdict {
    let line = match line.first() {
        Some(first) if first == best => line.iter().take(LINE_MAX).cloned().collect(),
        Some(_) | None => vec![best.clone()],
    };
    let best = best.clone();
    DecisionVerdict { best, line, before, after, answer, is_sure: false }
}
