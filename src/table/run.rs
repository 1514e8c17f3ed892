//! What a game does by itself after an action, in the same commit: chance is drawn, what is forced
//! is played. Nobody can see a throw and withdraw.

use super::event::{Cause, Event, Line, Setup};
use super::fair::FairDraw;
use super::fold::{Phase, Table};
use super::lobby;
use crate::ids::TableId;
use crate::rules::Node;

/// No game plays more steps than this by itself before a person decides something: more would be
/// a bug in its rules, and a panic sets the table aside where a loop would hang.
const MOST_STEPS: usize = 5_000;

/// When and why something happens.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// What causes it.
    pub cause: Cause,
}

/// Applies an event to a table as its next line.
///
/// # Errors
/// When it does not follow.
pub(super) fn happen(table: &mut Table, event: &Event, stamp: &Stamp) -> Result<(), String> {
    let Stamp { at_ms, cause } = stamp.clone();
    table.apply(&Line { number: table.version, at_ms, cause, event: event.clone() })
}

/// These events, and what the game then does by itself.
///
/// # Errors
/// When they do not follow from the table: a bug of whoever decided them.
pub(super) fn follow(
    table: &Table,
    mut events: Vec<Event>,
    stamp: &Stamp,
) -> Result<Vec<Event>, String> {
    let mut next = table.copy();
    for event in &events {
        happen(&mut next, event, stamp)?;
    }
    go_on(&mut next, &mut events, stamp)?;
    Ok(events)
}

/// A table that is opened with these events after the first, with its lines. `start` begins the
/// game at once.
///
/// # Errors
/// When the events do not fit each other.
pub fn opening(
    id: &TableId,
    setup: Setup,
    then: Vec<Event>,
    start: bool,
    stamp: &Stamp,
) -> Result<(Table, Vec<Event>), String> {
    let mut events = vec![Event::Opened(Box::new(setup))];
    let Stamp { at_ms, cause } = stamp.clone();
    let mut table = Table::opened(id, &Line { number: 0, at_ms, cause, event: events[0].clone() })?;
    for event in then {
        happen(&mut table, &event, stamp)?;
        events.push(event);
    }
    if start {
        let event = lobby::starting(&table);
        happen(&mut table, &event, stamp)?;
        events.push(event);
    }
    go_on(&mut table, &mut events, stamp)?;
    Ok((table, events))
}

/// What the game does by itself from here on, applied to the table and added to `events`.
///
/// # Errors
/// When an event does not follow: a bug of the rules.
pub(super) fn go_on(
    table: &mut Table,
    events: &mut Vec<Event>,
    stamp: &Stamp,
) -> Result<(), String> {
    for _ in 0..MOST_STEPS {
        let Some(event) = by_itself(table) else { return Ok(()) };
        happen(table, &event, stamp)?;
        events.push(event);
    }
    panic!("{} plays on by itself without end", table.game_id().info().code);
}

/// What happens next without anybody deciding it.
fn by_itself(table: &Table) -> Option<Event> {
    if table.phase != Phase::Playing {
        return None;
    }
    let game = table.game.as_deref()?;
    let mut draw = draw(table);
    Some(match game.node() {
        Node::Over(scores) => Event::Over { scores, reason: super::event::Reason::Played },
        Node::Chance => Event::Settled { token: game.draw(&mut draw) },
        Node::Act(seat) => Event::Stepped { seat: seat.0, token: game.forced()? },
    })
}

/// The draws of the next line of a table.
pub(super) fn draw(table: &Table) -> FairDraw<'_> {
    FairDraw::new(&table.setup.seed, &table.id, table.version, &table.entropy())
}
