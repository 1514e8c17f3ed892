//! Joins the players of all games to what tables, arenas and other programs see: text out, a
//! question that only a player of the same game can read in.

use std::any::Any;

use crate::rules::{Entropy, Rules, Seat, Token, Viewer};
use crate::search::{Budget, Player, Question, Thought};

/// What a seat is asked: its view and what it may do, and nothing else of the game.
pub struct Asked {
    typed: Box<dyn Ask>,
    seat: Seat,
}

/// A computer player of any game; what it thinks, with the tokens of actions.
pub trait Computer: Send {
    /// Chooses, as [`Player::think`]. `None` when the question is of another game.
    fn think(
        &mut self,
        asked: &Asked,
        budget: &Budget<'_>,
        entropy: &mut dyn Entropy,
        tell: &mut dyn FnMut(&Thought<String>),
    ) -> Option<Thought<String>>;

    /// Forgets what it keeps between questions.
    fn forget(&mut self);
}

trait Ask: Any + Send + Sync {
    fn tokens(&self) -> Vec<String>;
    fn among(&self, tokens: &[&str]) -> Option<Box<dyn Ask>>;
    fn as_any(&self) -> &dyn Any;
}

struct Typed<R: Rules> {
    view: R::View,
    actions: Vec<R::Action>,
}

impl Asked {
    /// Who is asked.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The tokens of what may be chosen, sorted.
    pub fn tokens(&self) -> Vec<String> {
        self.typed.tokens()
    }

    /// The same question with only these to choose among: what was one of them worth? `None` when
    /// none of them may be chosen.
    pub fn among(&self, tokens: &[&str]) -> Option<Asked> {
        Some(Asked { typed: self.typed.among(tokens)?, seat: self.seat })
    }
}

impl<R: Rules> Ask for Typed<R> {
    fn tokens(&self) -> Vec<String> {
        self.actions.iter().map(R::Action::write).collect()
    }

    fn among(&self, tokens: &[&str]) -> Option<Box<dyn Ask>> {
        let wanted = |it: &&R::Action| tokens.contains(&it.write().as_str());
        let actions: Vec<_> = self.actions.iter().filter(wanted).cloned().collect();
        let fewer = Typed::<R> { view: self.view.clone(), actions };
        (!fewer.actions.is_empty()).then(|| Box::new(fewer) as Box<dyn Ask>)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What this seat would be asked now; `None` when it has nothing to do.
pub(super) fn ask<R: Rules>(rules: &R, seat: Seat) -> Option<Asked> {
    asked::<R>(rules.view(Viewer::Seat(seat)), rules.actions(seat), seat)
}

/// What a seat that knows this is asked; `None` when there is nothing to choose among.
pub(super) fn asked<R: Rules>(view: R::View, actions: Vec<R::Action>, seat: Seat) -> Option<Asked> {
    let typed = Box::new(Typed::<R> { view, actions });
    (!typed.actions.is_empty()).then_some(Asked { typed, seat })
}

struct Joined<R: Rules>(Box<dyn Player<R>>);

/// A player of one game as everybody else sees it.
pub(super) fn joined<R: Rules>(player: Box<dyn Player<R>>) -> Box<dyn Computer> {
    Box::new(Joined(player))
}

fn written<A: Token>(thought: &Thought<A>) -> Thought<String> {
    Thought {
        action: thought.action.write(),
        score: thought.score,
        chance: thought.chance,
        depth: thought.depth,
        nodes: thought.nodes,
        line: thought.line.iter().map(A::write).collect(),
    }
}

impl<R: Rules> Computer for Joined<R> {
    fn think(
        &mut self,
        asked: &Asked,
        budget: &Budget<'_>,
        entropy: &mut dyn Entropy,
        tell: &mut dyn FnMut(&Thought<String>),
    ) -> Option<Thought<String>> {
        let Typed { view, actions } = asked.typed.as_any().downcast_ref::<Typed<R>>()?;
        let question = Question { view, actions, budget };
        let thought = self.0.think(&question, entropy, &mut |it| tell(&written(it)));
        Some(written(&thought))
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}
