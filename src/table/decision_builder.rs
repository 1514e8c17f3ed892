//! Builds a decision event by event.
//!
//! Each event is applied once, and the automatic events of the game that follow belong to the same
//! commit: chance is drawn, and forced moves are played. So nobody can see a throw and withdraw the
//! move before it.

use super::clock::ClockEvent;
use super::command::Actor;
use super::event::{Event, EventCause, LogLine, TIMER_CAUSE, TableSetup};
use super::fair_random::FairDraw;
use super::lobby_commands;
use super::state::{Table, TablePhase};
use caravanserai_games::GameRefusal;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Node;

/// The maximum number of automatic steps before a person decides. More would be a bug in the rules
/// of a game; a panic quarantines the table where a loop would hang.
const AUTOMATIC_STEPS_MAX: usize = 5_000;

/// The time and cause of an event.
#[derive(Clone, Debug)]
pub struct EventMeta {
    /// The time of the event, in milliseconds since 1970.
    pub at_ms: u64,
    /// The time at which the causing update was received, in milliseconds since 1970: the actor's
    /// clock stops then. Never later than `at_ms`.
    pub received_ms: u64,
    /// The cause.
    pub cause: EventCause,
}

impl EventMeta {
    /// Creates the metadata of a cause that is received at this moment.
    pub fn received_now(at_ms: u64, cause: impl Into<EventCause>) -> Self {
        EventMeta { at_ms, received_ms: at_ms, cause: cause.into() }
    }

    /// Creates the metadata of further events of this decision; `None` if it has none.
    pub(super) fn of_last_line(decision: &Decision) -> Option<Self> {
        let last = decision.lines.last()?;
        Some(EventMeta::received_now(last.at_ms, last.cause.clone()))
    }

    /// Creates the metadata of an actor's command.
    pub fn of_actor(actor: &Actor) -> Self {
        let received_ms = actor.received_ms.min(actor.now_ms);
        EventMeta { at_ms: actor.now_ms, received_ms, cause: actor.cause.clone() }
    }

    /// Creates the metadata of an event that only the passing of time causes.
    pub fn of_timer(now_ms: u64) -> Self {
        EventMeta::received_now(now_ms, TIMER_CAUSE)
    }

    /// Makes an event the next log line of a table.
    fn make_line(&self, table: &Table, event: Event) -> LogLine {
        let EventMeta { at_ms, cause, .. } = self.clone();
        LogLine { number: table.version, at_ms, cause, event }
    }
}

/// The result of deciding a command.
#[derive(Debug)]
pub struct Decision {
    /// The lines to append to the log, in this order.
    pub lines: Vec<LogLine>,
    /// The table after these lines.
    pub table: Table,
    /// Whether the same commit must open a new table with exchanged sides.
    pub opens_rematch: bool,
}

impl Decision {
    /// The decided events, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.lines.iter().map(|it| &it.event)
    }
}

/// A decision under construction.
pub(super) struct DecisionBuilder {
    pub(super) table: Table,
    lines: Vec<LogLine>,
    meta: EventMeta,
    /// The seat whose turn was played at once by a move that it had planned before.
    planned_seat: Option<u8>,
    /// See [`Decision::opens_rematch`].
    opens_rematch: bool,
}

impl DecisionBuilder {
    /// Starts a decision without events.
    pub(super) fn new(table: &Table, meta: EventMeta) -> Self {
        DecisionBuilder {
            table: table.duplicate(),
            lines: Vec::new(),
            meta,
            planned_seat: None,
            opens_rematch: false,
        }
    }

    /// Continues a finished decision with further events.
    pub(super) fn continue_from(decision: Decision, meta: EventMeta) -> Self {
        let Decision { lines, table: next, opens_rematch: rematch } = decision;
        DecisionBuilder { table: next, lines, meta, planned_seat: None, opens_rematch: rematch }
    }

    /// Starts a decision that opens a table.
    pub(super) fn opened(id: &TableId, setup: TableSetup, meta: EventMeta) -> Result<Self, String> {
        let EventMeta { at_ms, cause, .. } = meta.clone();
        let line = LogLine { number: 0, at_ms, cause, event: Event::Opened(Box::new(setup)) };
        let next = Table::from_opening(id, &line)?;
        Ok(DecisionBuilder {
            table: next,
            lines: vec![line],
            meta,
            planned_seat: None,
            opens_rematch: false,
        })
    }

    /// Sets the time and cause of the events that are added next.
    pub(super) fn set_meta(&mut self, meta: EventMeta) {
        self.meta = meta;
    }

    /// Adds an event.
    ///
    /// # Errors
    /// When the event does not follow; the caller must then discard the builder.
    pub(super) fn try_add(&mut self, event: Event) -> Result<(), String> {
        let line = self.meta.make_line(&self.table, event);
        self.table.apply(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// Adds an event that the caller knows to follow.
    pub(super) fn add(&mut self, event: Event) {
        self.try_add(event).expect("a decided event follows from the table");
    }

    /// Starts a full table, and states before by which later rules it is played.
    ///
    /// # Errors
    /// When the table cannot start; the caller must then discard the builder.
    pub(super) fn try_start(&mut self) -> Result<(), String> {
        self.try_add_newer_rules()?;
        self.try_add(lobby_commands::start_event(&self.table))
    }

    /// States what differs from the rules of the first logs: computers may not keep the game from
    /// counting, and a turn may have several steps.
    fn try_add_newer_rules(&mut self) -> Result<(), String> {
        let all = [self.table.computers_rated_event(), self.table.whole_turns_event()];
        all.into_iter().flatten().try_for_each(|it| self.try_add(it))
    }

    /// Plays a move for a seat, if the rules allow it.
    ///
    /// # Errors
    /// The refusal of the game; the caller must then discard the builder.
    pub(super) fn play(&mut self, seat: u8, token: String) -> Result<(), GameRefusal> {
        let line = self.meta.make_line(&self.table, Event::Stepped { seat, token });
        self.table.try_apply_step(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// Plays a move that a seat planned before, if the rules allow it. The turn takes no time and
    /// gives its increment.
    ///
    /// # Errors
    /// The refusal of the game; the caller must then discard the builder.
    pub(super) fn play_planned(&mut self, seat: u8, token: String) -> Result<(), GameRefusal> {
        let is_timed = self.table.timed_turn().is_some_and(|it| it.0 == seat);
        self.play(seat, token)?;
        self.planned_seat = is_timed.then_some(seat);
        Ok(())
    }

    /// Adds the automatic events of the game.
    ///
    /// # Errors
    /// When an event does not follow: a bug in the rules.
    pub(super) fn try_advance(&mut self) -> Result<(), String> {
        for _ in 0..AUTOMATIC_STEPS_MAX {
            let Some(event) = automatic_event(&self.table) else { return Ok(()) };
            self.try_add(event)?;
        }
        panic!("{} exceeds the limit of automatic steps", self.table.game_id().info().code);
    }

    /// Adds the automatic events of the game, then finishes the decision.
    pub(super) fn advance_and_finish(mut self) -> Decision {
        self.try_advance().expect("the automatic events of a game follow from its rules");
        self.finish()
    }

    /// The number of lines so far.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Finishes the decision, after starting and stopping the clocks as its events require.
    pub(super) fn finish(mut self) -> Decision {
        let EventMeta { at_ms, received_ms, .. } = self.meta;
        let is_step_of =
            |line: &LogLine, own| matches!(line.event, Event::Stepped { seat, .. } if seat == own);
        let has_moved = |seat: u8| self.lines.iter().any(|it| is_step_of(it, seat));
        let next = self.table.next_snapshot(at_ms, received_ms, self.planned_seat, has_moved);
        if let Some(reading) = next {
            self.add(Event::Clock(ClockEvent::ClocksChanged(reading)));
        }
        Decision { lines: self.lines, table: self.table, opens_rematch: self.opens_rematch }
    }
}

/// Opens a table and adds these events after the first. `start` starts the game at once.
///
/// # Errors
/// When the events do not fit together.
pub fn open_table(
    id: &TableId,
    setup: TableSetup,
    then: Vec<Event>,
    start: bool,
    meta: EventMeta,
) -> Result<Decision, String> {
    let mut draft = DecisionBuilder::opened(id, setup, meta)?;
    for event in then {
        match event {
            Event::Started { order, .. } => {
                draft.try_add_newer_rules()?;
                draft.try_add(lobby_commands::start_event_in(&draft.table, order))?;
            }
            other => draft.try_add(other)?,
        }
    }
    if start {
        draft.try_start()?;
    }
    draft.try_advance()?;
    Ok(draft.finish())
}

/// Applies an event from outside the table: one of its chats moved, the same people continued at
/// another table, or the rules of its game have changed.
///
/// # Errors
/// When the event does not follow from the table.
pub fn apply_external_event(
    table: &Table,
    event: Event,
    meta: EventMeta,
) -> Result<Decision, String> {
    apply_external_events(table, [event], meta)
}

/// Applies several events from outside, in this order.
///
/// # Errors
/// When they do not follow from the table.
pub fn apply_external_events(
    table: &Table,
    events: impl IntoIterator<Item = Event>,
    meta: EventMeta,
) -> Result<Decision, String> {
    let mut draft = DecisionBuilder::new(table, meta);
    for event in events {
        draft.try_add(event)?;
    }
    Ok(draft.finish())
}

/// Returns the same decision at a later time: the clock that it starts begins then. `before` is the
/// table before it.
///
/// # Errors
/// When the decision is not one of this table.
pub fn postpone_decision(
    before: &Table,
    decision: Decision,
    at_ms: u64,
) -> Result<Decision, String> {
    let Some(meta) = EventMeta::of_last_line(&decision) else { return Ok(decision) };
    let is_clock = |it: &LogLine| matches!(it.event, Event::Clock(ClockEvent::ClocksChanged(_)));
    let lines = decision.lines.into_iter().filter(|it| !is_clock(it));
    let meta = EventMeta { at_ms, received_ms: at_ms, ..meta };
    apply_external_events(before, lines.map(|it| it.event), meta)
}

/// Returns the next event that happens without a decision by anybody.
fn automatic_event(table: &Table) -> Option<Event> {
    if table.phase != TablePhase::Playing {
        return None;
    }
    let game = table.game.as_deref()?;
    let mut draw = next_draw(table);
    Some(match game.node() {
        Node::Over(scores) => {
            Event::GameOver { scores, reason: super::event::EndReason::PlayedOut }
        }
        Node::Chance => Event::ChanceDrawn { token: game.draw_chance(&mut draw) },
        Node::Act(seat) => Event::Stepped { seat: seat.0, token: game.forced_action()? },
    })
}

/// Returns the random draws of the next line of a table.
pub(super) fn next_draw(table: &Table) -> FairDraw<'_> {
    FairDraw::new(&table.setup.seed, &table.id, table.version, &table.seating.people_entropy())
}
