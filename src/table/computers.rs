//! Computers at a table: what they are asked, and what follows from their answer.
//!
//! A computer is asked from the view of its seat, see
//! [`Match::ask`](caravanserai_games::Match::ask): what others hold it cannot know. Thinking takes
//! time, so it is not part of a decision: the service thinks elsewhere and comes back with an
//! answer to the position that was asked about.

use super::fold::{Phase, Table};
use super::run::{self, Decision, Draft, Stamp};
use caravanserai_games::Asked;
use caravanserai_games::rules::Node;
use caravanserai_games::search::{Budget, Level, Numbers, Thought};

/// How a computer of some level thinks: the choice for what is asked. The numbers are for its
/// mistakes and playouts.
pub type Think<'a> = dyn FnMut(Level, &Asked, &mut Numbers) -> Option<Thought<String>> + 'a;

/// More steps than this are not played in one go, so that people see something in between.
const STEPS_MAX: usize = 200;

/// How far computers go before people see what they did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// One turn of one seat: everybody can follow.
    Calm,
    /// Until a person is on turn.
    Quick,
}

/// Whether computers take turn after turn here, if people want it so and the place can show it:
/// while one person plays against them, and before anybody has done anything at all.
pub fn are_followed(table: &Table) -> bool {
    let nobody_acted = table.decided == 0 && !table.people_seats().is_empty();
    waited_for(table).is_some() && (table.plays_computers().is_some() || nobody_acted)
}

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

/// Lets computers play at this pace, until a person is on turn or `budget` is used up. Nothing
/// when the game does not wait for a computer, or when it was stopped before the first answer.
///
/// # Errors
/// When an answer does not follow from the table: a bug of a computer player.
pub fn play(
    table: &Table,
    think: &mut Think<'_>,
    (budget, pace): (&Budget<'_>, Pace),
    stamp: Stamp,
) -> Result<Decision, String> {
    let mut draft = Draft::of(table, stamp);
    let mut first = None;
    while let Some((level, asked)) = waited_for(&draft.next) {
        if pace == Pace::Calm && *first.get_or_insert(asked.seat()) != asked.seat() {
            break;
        }
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
