//! Plays turns as a computer player: chooses the end of the turn, then plays towards it.

use super::THROWS_MAX;
use super::choice::{ChosenEnd, LevelStyle, choose, winning_chance};
use super::evaluator::Evaluator;
use super::lookahead::ENDS_MAX;
use super::seats::TurnStart;
use super::simple_opponents::SimpleOpponent;
use super::solver::ThaayamSolution;
use crate::rules::{Entropy, Seat};
use crate::search::{Player, PlayerEvaluation, PlayerQuestion};
use crate::thaayam::Thaayam;
use crate::thaayam::action::{PiecePlace, ThaayamAction, WholeTurn};
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::turn::{ThaayamTurn, ThrowUse};
use crate::thaayam::view::{ThaayamView, ThaayamViewStage};

/// How a player chooses its plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnChooser {
    /// One of the simple opponents.
    Plain(SimpleOpponent),
    /// A level.
    Level(LevelStyle),
}

/// A player of this game, with the plan for the turn that it is playing.
pub struct ThaayamPlayer {
    chooser: TurnChooser,
    solution: Option<ThaayamSolution>,
    plan: Option<ChosenPlan>,
}

/// The plan for a turn.
struct ChosenPlan {
    /// The number of the turn, and its state when the plan continues.
    number: u32,
    turn: ThaayamTurn,
    end: TurnOutcome,
    chance: f32,
}

/// The planned actions and their value.
struct PlannedStep {
    line: Vec<ThaayamAction>,
    chance: f32,
    depth: u16,
    nodes: u64,
}

impl ThaayamPlayer {
    /// A player that chooses in this way.
    pub fn new(chooser: TurnChooser) -> Self {
        Self { chooser, solution: None, plan: None }
    }

    /// A player that knows these exact chances, and otherwise plays as a level.
    pub fn with_solution(style: LevelStyle, solution: ThaayamSolution) -> Self {
        Self { chooser: TurnChooser::Level(style), solution: Some(solution), plan: None }
    }

    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(self.solution.as_ref())
    }

    fn choose_use(
        &mut self,
        question: &PlayerQuestion<'_, Thaayam>,
        turn: &ThaayamTurn,
        entropy: &mut dyn Entropy,
    ) -> Option<PlannedStep> {
        let view = question.view;
        let actions = question.actions;
        let plan = self.plan.take().filter(|it| it.number == view.number && it.turn == *turn);
        let style = match self.chooser {
            TurnChooser::Plain(plain) => {
                let play = plain.play(&view.position, turn, entropy)?;
                let line = vec![action_of(view, turn.seat(), play)];
                return Some(PlannedStep {
                    line,
                    chance: self.chance_before_throw(view, turn.seat()),
                    depth: 0,
                    nodes: 1,
                });
            }
            TurnChooser::Level(style) => style,
        };
        let seat = turn.seat();
        let before = TurnStart { position: view.position, next: seat, is_won: false };
        // A perfect player compares all ends, however many there are.
        if turn.left().count() > THROWS_MAX && !self.evaluator().is_exact(&before) {
            return best_next_use(&self.evaluator(), view, turn, actions);
        }
        if let Some(ChosenPlan { end, chance, .. }) = plan
            && let Some(line) = line_to(view, turn, &end, actions)
        {
            self.store_plan(view, turn, end, &line, chance);
            return Some(PlannedStep { line, chance, depth: 1, nodes: 1 });
        }
        let ends = ends(view, turn, actions);
        let how = (style, &self.evaluator());
        let chosen = choose(how, &view.position, turn, &ends, question.budget, entropy)?;
        let ChosenEnd { end, chance, depth, nodes } = chosen;
        let line = line_to(view, turn, &end, actions)?;
        self.store_plan(view, turn, end, &line, chance);
        Some(PlannedStep { line, chance, depth, nodes })
    }

    /// Stores the plan for the time after the first action of a line.
    fn store_plan(
        &mut self,
        view: &ThaayamView,
        turn: &ThaayamTurn,
        end: TurnOutcome,
        line: &[ThaayamAction],
        chance: f32,
    ) {
        let play = line.first().and_then(|action| play_of(view, turn.seat(), action));
        let after = play.and_then(|play| turn.after(play));
        self.plan = after.map(|turn| ChosenPlan { number: view.number, turn, end, chance });
    }

    /// The chance to win before this seat throws.
    fn chance_before_throw(&self, view: &ThaayamView, seat: Seat) -> f32 {
        let at = TurnStart { position: view.position, next: seat, is_won: false };
        winning_chance(&self.evaluator(), &at, seat)
    }

    fn step(
        &mut self,
        question: &PlayerQuestion<'_, Thaayam>,
        entropy: &mut dyn Entropy,
    ) -> Option<PlannedStep> {
        let seat = question.view.turn?;
        if let ThaayamViewStage::Sharing(turn) = &question.view.stage
            && !turn.plays().as_slice().is_empty()
            && let Some(step) = self.choose_use(question, turn, entropy)
            && step.line.first().is_some_and(|it| question.actions.contains(it))
        {
            return Some(step);
        }
        // Nothing to decide: the throw, the end of a turn, or only undo.
        let is_not_undo = |action: &&ThaayamAction| !matches!(action, ThaayamAction::Undo);
        let action = question.actions.iter().find(is_not_undo).or(question.actions.first())?;
        let chance = match (&question.view.stage, action) {
            (ThaayamViewStage::Sharing(turn), ThaayamAction::Done) => {
                let end = TurnOutcome { own: *turn.own(), hits: turn.hits() };
                let after = TurnStart::after(&question.view.position, seat, &end);
                winning_chance(&self.evaluator(), &after, seat)
            }
            _ => self.chance_before_throw(question.view, seat),
        };
        Some(PlannedStep { line: vec![*action], chance, depth: 0, nodes: 1 })
    }
}

impl Player<Thaayam> for ThaayamPlayer {
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, Thaayam>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<ThaayamAction>),
    ) -> PlayerEvaluation<ThaayamAction> {
        let step = self.step(question, entropy).unwrap_or_else(|| PlannedStep {
            line: vec![question.actions[0]],
            chance: 0.0,
            depth: 0,
            nodes: 0,
        });
        let evaluation = PlayerEvaluation {
            action: step.line[0],
            score: (step.chance * 10_000.0).round() as i32,
            chance: (step.chance * 1_000.0).round() as u16,
            depth: step.depth,
            nodes: step.nodes,
            line: step.line,
        };
        report(&evaluation);
        evaluation
    }

    fn forget(&mut self) {
        self.plan = None;
    }
}

fn action_of(view: &ThaayamView, seat: Seat, play: ThrowUse) -> ThaayamAction {
    ThaayamAction::Use { throw: play.throw, piece: PiecePlace::of_play(view.colour(seat), play) }
}

fn play_of(view: &ThaayamView, seat: Seat, action: &ThaayamAction) -> Option<ThrowUse> {
    match action {
        ThaayamAction::Use { throw, piece } => {
            Some(ThrowUse { throw: *throw, from: piece.step(view.colour(seat))? })
        }
        ThaayamAction::Throw
        | ThaayamAction::Whole(_)
        | ThaayamAction::Undo
        | ThaayamAction::Done => None,
    }
}

/// The best use of the next of very many throws, evaluated as if the turn ended after it.
fn best_next_use(
    evaluator: &Evaluator<'_>,
    view: &ThaayamView,
    turn: &ThaayamTurn,
    actions: &[ThaayamAction],
) -> Option<PlannedStep> {
    let seat = turn.seat();
    let mut best: Option<(f32, ThaayamAction)> = None;
    let mut nodes = 0;
    for play in turn.plays().as_slice() {
        let action = action_of(view, seat, *play);
        if let Some(after) = turn.after(*play).filter(|_| actions.contains(&action)) {
            let end = TurnOutcome { own: *after.own(), hits: after.hits() };
            let chance =
                winning_chance(evaluator, &TurnStart::after(&view.position, seat, &end), seat);
            nodes += 1;
            if best.is_none_or(|(most, _)| chance > most) {
                best = Some((chance, action));
            }
        }
    }
    best.map(|(chance, action)| PlannedStep { line: vec![action], chance, depth: 1, nodes })
}

/// The ways in which the turn can end if it goes on with one of these actions.
fn ends(view: &ThaayamView, turn: &ThaayamTurn, actions: &[ThaayamAction]) -> Vec<TurnOutcome> {
    let seat = turn.seat();
    let plays = turn.plays();
    let allowed = |play: &&ThrowUse| actions.contains(&action_of(view, seat, **play));
    if plays.as_slice().iter().all(|play| allowed(&play)) {
        return turn.outcomes(ENDS_MAX);
    }
    let mut ends: Vec<TurnOutcome> = Vec::new();
    for play in plays.as_slice().iter().filter(allowed) {
        ends.extend(turn.after(*play).iter().flat_map(|after| after.outcomes(ENDS_MAX)));
    }
    for action in actions {
        if let ThaayamAction::Whole(whole) = action {
            ends.extend(whole.outcome(view.colour(seat)));
        }
    }
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// The actions that lead to this end: a single one for the whole turn if that is possible.
fn line_to(
    view: &ThaayamView,
    turn: &ThaayamTurn,
    end: &TurnOutcome,
    actions: &[ThaayamAction],
) -> Option<Vec<ThaayamAction>> {
    let seat = turn.seat();
    let whole = WholeTurn::new(view.colour(seat), end, view.position.options().pieces);
    if let Some(whole) = whole.map(ThaayamAction::Whole).filter(|it| actions.contains(it)) {
        return Some(vec![whole]);
    }
    let plays = turn.plays();
    for play in plays.as_slice() {
        let action = action_of(view, seat, *play);
        if actions.contains(&action)
            && let Some(route) = turn.after(*play).and_then(|after| after.route(end))
        {
            let rest = route.into_iter().map(|play| action_of(view, seat, play));
            return Some(std::iter::once(action).chain(rest).collect());
        }
    }
    None
}
