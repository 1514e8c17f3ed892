//! Keeps the steps of a game, and the positions that they made.

use super::conditional_moves::PlannedAnswers;
use super::steps::{Steps, TableStep};

/// A game with this many decisions by people can no longer be aborted early.
pub(super) const FEW_DECISIONS: u32 = 2;

/// The steps of a game, and the positions that they made.
#[derive(Clone, Debug, Default)]
pub struct MoveHistory {
    /// The valid steps, without those that were taken back.
    pub steps: Steps,
    /// The number of the log line that made the present position. Buttons carry it, so a stale
    /// press has another number.
    pub position: u64,
    /// The answers that seats have planned for the next move in the present position.
    pub planned_answers: PlannedAnswers,
    /// For each line that made a position: its number, and the number of steps in that position.
    positions: Vec<(u64, u32)>,
    /// The number of steps that people decided, counted up to [`FEW_DECISIONS`] at least.
    pub(super) decision_count: u32,
}

impl MoveHistory {
    /// Returns the number of steps in the position that log line `line` made.
    pub fn steps_at(&self, line: u64) -> Option<u32> {
        let at = self.positions.binary_search_by_key(&line, |(line, _)| *line).ok()?;
        Some(self.positions[at].1)
    }

    /// Whether a step followed an outcome of chance.
    pub(super) fn has_step_after_chance(&self) -> bool {
        self.steps_since_chance().nth(1).is_some()
    }

    /// Whether there was an outcome of chance.
    pub(super) fn has_chance(&self) -> bool {
        self.steps_since_chance().next().is_some()
    }

    /// The first outcome of chance, and all steps after it.
    fn steps_since_chance(&self) -> impl Iterator<Item = TableStep<'_>> {
        self.steps.iter().skip_while(|it| it.seat.is_some())
    }

    /// Whether people have made so few decisions that the game may be aborted early.
    pub(super) fn has_few_decisions(&self) -> bool {
        self.decision_count < FEW_DECISIONS
    }

    /// Whether people have made a decision.
    pub fn has_decisions(&self) -> bool {
        self.decision_count > 0
    }

    /// Keeps the first `len` steps. The caller must count the decisions again.
    pub(super) fn take_back(&mut self, len: usize) {
        self.steps.truncate(len);
        self.decision_count = 0;
    }

    /// Records that a log line made a position.
    pub(super) fn record_position(&mut self, line: u64) {
        self.position = line;
        self.planned_answers = PlannedAnswers::default();
        self.positions.push((line, self.steps.len() as u32));
    }
}
