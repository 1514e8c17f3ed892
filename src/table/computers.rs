//! Computers at a table: what they are asked, and what follows from their answer.
//!
//! A computer is asked from the view of its seat, see [`Match::ask`](crate::games::Match::ask):
//! what others hold it cannot know. Thinking takes time, so it is not part of a decision: the
//! service thinks elsewhere and comes back with an answer to the position that was asked about.

use super::fold::{Phase, Table};
use super::run::{self, Decision, Draft, Stamp};
use crate::games::Asked;
use crate::rules::Node;
use crate::search::{Budget, Level, Numbers, Thought};

/// How a computer of some level thinks: the choice for what is asked. The numbers are for its
/// mistakes and playouts.
pub type Think<'a> = dyn FnMut(Level, &Asked, &mut Numbers) -> Option<Thought<String>> + 'a;

/// More steps than this are not played in one go, so that people see something in between.
const STEPS_MAX: usize = 200;

/// The computer that the game waits for: how strong it is and what it is asked.
pub fn waited_for(table: &Table) -> Option<(Level, Asked)> {
    if table.phase != Phase::Playing {
        return None;
    }
    let game = table.game.as_deref()?;
    let Node::Act(seat) = game.node() else { return None };
    let level = table.played_by(seat.0)?;
    Some((level, game.ask(seat)?))
}

/// Lets computers play until a person is on turn or `budget` is used up. Nothing when the game
/// does not wait for a computer, or when it was stopped before the first answer.
///
/// # Errors
/// When an answer does not follow from the table: a bug of a computer player.
pub fn play(
    table: &Table,
    think: &mut Think<'_>,
    budget: &Budget<'_>,
    stamp: Stamp,
) -> Result<Decision, String> {
    let mut draft = Draft::of(table, stamp);
    while let Some((level, asked)) = waited_for(&draft.next) {
        let mut numbers = Numbers::from_entropy(&mut run::draw(&draft.next));
        let token = match asked.tokens().as_slice() {
            [only] => only.clone(),
            _ => match think(level, &asked, &mut numbers) {
                Some(thought) => thought.action,
                None => return Err(format!("there is no {} for this game", level.code())),
            },
        };
        draft.play(asked.seat().0, token).map_err(|it| it.to_string())?;
        draft.try_go_on()?;
        if draft.len() >= STEPS_MAX || budget.is_over() {
            break;
        }
    }
    Ok(draft.done())
}
