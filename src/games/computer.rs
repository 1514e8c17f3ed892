//! Wraps the typed players of all games for tables, arenas and other programs: the answers are
//! text, and only a player of the same game can read the question.

use std::any::Any;

use crate::rules::{Entropy, Rules, Seat, Token, Viewer};
use crate::search::{Player, PlayerEvaluation, PlayerQuestion, ThinkBudget};

/// A question to a computer player: the view of a seat and its legal actions, nothing else.
pub struct EngineQuestion {
    typed: Box<dyn AnyQuestion>,
    seat: Seat,
}

/// A computer player of any game; actions in its evaluations are tokens.
pub trait Computer: Send {
    /// Chooses an action, as [`Player::think`] does. `None` when the question belongs to another
    /// game.
    fn think(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<String>),
    ) -> Option<PlayerEvaluation<String>>;

    /// The chances after each action that one search values, as [`Player::action_chances`] tells
    /// them; empty when the question belongs to another game.
    fn action_chances(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
    ) -> Vec<(String, u16)>;

    /// Forgets everything kept between questions.
    fn forget(&mut self);
}

trait AnyQuestion: Any + Send + Sync {
    fn tokens(&self) -> Vec<String>;
    fn restricted_to(&self, tokens: &[&str]) -> Option<Box<dyn AnyQuestion>>;
    fn as_any(&self) -> &dyn Any;
}

struct TypedQuestion<R: Rules> {
    view: R::View,
    actions: Vec<R::Action>,
}

impl EngineQuestion {
    /// The seat that has to choose.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The tokens of the actions to choose from, sorted.
    pub fn tokens(&self) -> Vec<String> {
        self.typed.tokens()
    }

    /// The same question restricted to these actions, to find their value. `None` when none of them
    /// is legal.
    pub fn restricted_to(&self, tokens: &[&str]) -> Option<EngineQuestion> {
        Some(EngineQuestion { typed: self.typed.restricted_to(tokens)?, seat: self.seat })
    }
}

impl<R: Rules> AnyQuestion for TypedQuestion<R> {
    fn tokens(&self) -> Vec<String> {
        self.actions.iter().map(R::Action::write).collect()
    }

    fn restricted_to(&self, tokens: &[&str]) -> Option<Box<dyn AnyQuestion>> {
        let wanted = |it: &&R::Action| tokens.contains(&it.write().as_str());
        let actions: Vec<_> = self.actions.iter().filter(wanted).cloned().collect();
        let fewer = TypedQuestion::<R> { view: self.view.clone(), actions };
        (!fewer.actions.is_empty()).then(|| Box::new(fewer) as Box<dyn AnyQuestion>)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The question for this seat now; `None` when it has nothing to do.
pub(super) fn question_of<R: Rules>(rules: &R, seat: Seat) -> Option<EngineQuestion> {
    question_from_view::<R>(rules.view(Viewer::Seat(seat)), rules.actions(seat), seat)
}

/// The question for a seat with this view; `None` when there is nothing to choose from.
pub(super) fn question_from_view<R: Rules>(
    view: R::View,
    actions: Vec<R::Action>,
    seat: Seat,
) -> Option<EngineQuestion> {
    let typed = Box::new(TypedQuestion::<R> { view, actions });
    (!typed.actions.is_empty()).then_some(EngineQuestion { typed, seat })
}

struct TypedComputer<R: Rules>(Box<dyn Player<R>>);

/// Wraps the player of one game.
pub(super) fn into_computer<R: Rules>(player: Box<dyn Player<R>>) -> Box<dyn Computer> {
    Box::new(TypedComputer(player))
}

fn with_tokens<A: Token>(evaluation: &PlayerEvaluation<A>) -> PlayerEvaluation<String> {
    PlayerEvaluation {
        action: evaluation.action.write(),
        score: evaluation.score,
        chance: evaluation.chance,
        depth: evaluation.depth,
        nodes: evaluation.nodes,
        line: evaluation.line.iter().map(A::write).collect(),
    }
}

impl<R: Rules> Computer for TypedComputer<R> {
    fn think(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
        report: &mut dyn FnMut(&PlayerEvaluation<String>),
    ) -> Option<PlayerEvaluation<String>> {
        let TypedQuestion { view, actions } =
            question.typed.as_any().downcast_ref::<TypedQuestion<R>>()?;
        let question = PlayerQuestion { view, actions, budget };
        let evaluation = self.0.think(&question, entropy, &mut |it| report(&with_tokens(it)));
        Some(with_tokens(&evaluation))
    }

    fn action_chances(
        &mut self,
        question: &EngineQuestion,
        budget: &ThinkBudget<'_>,
        entropy: &mut dyn Entropy,
    ) -> Vec<(String, u16)> {
        let typed = question.typed.as_any().downcast_ref::<TypedQuestion<R>>();
        let Some(TypedQuestion { view, actions }) = typed else { return Vec::new() };
        let question = PlayerQuestion { view, actions, budget };
        let chances = self.0.action_chances(&question, entropy);
        chances.into_iter().map(|(action, chance)| (action.write(), chance)).collect()
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}
