//! What is decided, as it grows: each event is applied once, and what the game then does by itself
//! comes in the same commit. Chance is drawn, what is forced is played; nobody can see a throw and
//! withdraw.

use super::clock::ClockEvent;
use super::command::Actor;
use super::event::{Event, EventCause, LogLine, TableSetup};
use super::fair_random::FairDraw;
use super::lobby_commands;
use super::state::{Table, TablePhase};
use caravanserai_games::GameRefusal;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Node;

/// No game plays more steps than this by itself before a person decides something: more would be
/// a bug in its rules, and a panic sets the table aside where a loop would hang.
const AUTOMATIC_STEPS_MAX: usize = 5_000;

/// The cause of what the time alone decides, in logs.
const TIMER_CAUSE: &str = "timer";

/// When and why something happens.
#[derive(Clone, Debug)]
pub struct EventMeta {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// When the update that causes it was received, in milliseconds since 1970: the clock of the
    /// actor stops then. Never later than `at_ms`.
    pub received_ms: u64,
    /// What causes it.
    pub cause: EventCause,
}

impl EventMeta {
    /// A cause whose update is received at this moment.
    pub fn received_now(at_ms: u64, cause: impl Into<EventCause>) -> Self {
        EventMeta { at_ms, received_ms: at_ms, cause: cause.into() }
    }

    /// Somebody causes it.
    pub fn of_actor(actor: &Actor) -> Self {
        let received_ms = actor.received_ms.min(actor.now_ms);
        EventMeta { at_ms: actor.now_ms, received_ms, cause: actor.cause.clone() }
    }

    /// The time alone causes it.
    pub fn of_timer(now_ms: u64) -> Self {
        EventMeta::received_now(now_ms, TIMER_CAUSE)
    }

    /// An event as the next line of a table.
    fn make_line(&self, table: &Table, event: Event) -> LogLine {
        let EventMeta { at_ms, cause, .. } = self.clone();
        LogLine { number: table.version, at_ms, cause, event }
    }
}

/// What is decided at a table.
#[derive(Debug)]
pub struct Decision {
    /// What happened, to be logged in this order.
    pub lines: Vec<LogLine>,
    /// The table after these lines.
    pub table: Table,
    /// Whether a new table with exchanged sides must be opened in the same commit.
    pub opens_rematch: bool,
}

impl Decision {
    /// What happened, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.lines.iter().map(|it| &it.event)
    }
}

/// A decision that grows.
pub(super) struct DecisionBuilder {
    pub(super) table: Table,
    lines: Vec<LogLine>,
    stamp: EventMeta,
    /// The seat whose turn was played at once by a move that it had settled before.
    planned_seat: Option<u8>,
    /// See [`Decision::opens_rematch`].
    opens_rematch: bool,
}

impl DecisionBuilder {
    /// Nothing has happened yet.
    pub(super) fn new(table: &Table, stamp: EventMeta) -> Self {
        DecisionBuilder {
            table: table.duplicate(),
            lines: Vec::new(),
            stamp,
            planned_seat: None,
            opens_rematch: false,
        }
    }

    /// More happens after what was decided.
    pub(super) fn continue_from(decision: Decision, stamp: EventMeta) -> Self {
        let Decision { lines, table: next, opens_rematch: rematch } = decision;
        DecisionBuilder { table: next, lines, stamp, planned_seat: None, opens_rematch: rematch }
    }

    /// A table that is opened so.
    pub(super) fn opened(
        id: &TableId,
        setup: TableSetup,
        stamp: EventMeta,
    ) -> Result<Self, String> {
        let EventMeta { at_ms, cause, .. } = stamp.clone();
        let line = LogLine { number: 0, at_ms, cause, event: Event::Opened(Box::new(setup)) };
        let next = Table::from_opening(id, &line)?;
        Ok(DecisionBuilder {
            table: next,
            lines: vec![line],
            stamp,
            planned_seat: None,
            opens_rematch: false,
        })
    }

    /// Sets the time and cause of the events that are added next.
    pub(super) fn set_meta(&mut self, stamp: EventMeta) {
        self.stamp = stamp;
    }

    /// This happens next.
    ///
    /// # Errors
    /// When it does not follow: the draft must then be thrown away.
    pub(super) fn try_add(&mut self, event: Event) -> Result<(), String> {
        let line = self.stamp.make_line(&self.table, event);
        self.table.apply(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// This happens next; it follows, as whoever decided it knows.
    pub(super) fn add(&mut self, event: Event) {
        self.try_add(event).expect("what was decided follows from the table");
    }

    /// A seat plays, if the rules allow it.
    ///
    /// # Errors
    /// What the game says to it: the draft must then be thrown away.
    pub(super) fn play(&mut self, seat: u8, token: String) -> Result<(), GameRefusal> {
        let line = self.stamp.make_line(&self.table, Event::Stepped { seat, token });
        self.table.apply_legal(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// Plays the move that a seat settled before, if the rules allow it. The turn takes no time and
    /// gives its increment.
    ///
    /// # Errors
    /// What the game says to it: the draft must then be thrown away.
    pub(super) fn play_planned(&mut self, seat: u8, token: String) -> Result<(), GameRefusal> {
        let is_timed = self.table.turn_to_time().is_some_and(|it| it.0 == seat);
        self.play(seat, token)?;
        self.planned_seat = is_timed.then_some(seat);
        Ok(())
    }

    /// What the game does by itself from here on.
    ///
    /// # Errors
    /// When an event does not follow: a bug of the rules.
    pub(super) fn try_advance(&mut self) -> Result<(), String> {
        for _ in 0..AUTOMATIC_STEPS_MAX {
            let Some(event) = automatic_event(&self.table) else { return Ok(()) };
            self.try_add(event)?;
        }
        panic!("{} plays on by itself without end", self.table.game_id().info().code);
    }

    /// What the game does by itself from here on, and with it all is decided.
    pub(super) fn advance_and_finish(mut self) -> Decision {
        self.try_advance().expect("what the rules do by themselves follows");
        self.finish()
    }

    /// How much has happened.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// All is decided; the clocks that have to run now do.
    pub(super) fn finish(mut self) -> Decision {
        let EventMeta { at_ms, received_ms, .. } = self.stamp;
        if let Some(reading) = self.table.next_snapshot(at_ms, received_ms, self.planned_seat) {
            self.add(Event::Clock(ClockEvent::ClocksChanged(reading)));
        }
        Decision { lines: self.lines, table: self.table, opens_rematch: self.opens_rematch }
    }
}

/// A table that is opened with these events after the first. `start` begins the game at once.
///
/// # Errors
/// When the events do not fit each other.
pub fn open_table(
    id: &TableId,
    setup: TableSetup,
    then: Vec<Event>,
    start: bool,
    stamp: EventMeta,
) -> Result<Decision, String> {
    let mut draft = DecisionBuilder::opened(id, setup, stamp)?;
    for event in then {
        draft.try_add(event)?;
    }
    if start {
        draft.try_add(lobby_commands::start_event(&draft.table))?;
    }
    draft.try_advance()?;
    Ok(draft.finish())
}

/// One thing that happens to a table from outside: its place moved, the same people went on at
/// another table, the rules of its game have changed.
///
/// # Errors
/// When it does not follow from the table.
pub fn apply_external_event(
    table: &Table,
    event: Event,
    stamp: EventMeta,
) -> Result<Decision, String> {
    apply_external_events(table, [event], stamp)
}

/// Several events from outside, in this order.
///
/// # Errors
/// When they do not follow from the table.
pub fn apply_external_events(
    table: &Table,
    events: impl IntoIterator<Item = Event>,
    stamp: EventMeta,
) -> Result<Decision, String> {
    let mut draft = DecisionBuilder::new(table, stamp);
    for event in events {
        draft.try_add(event)?;
    }
    Ok(draft.finish())
}

/// What happens next without anybody deciding it.
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

/// The draws of the next line of a table.
pub(super) fn next_draw(table: &Table) -> FairDraw<'_> {
    FairDraw::new(&table.setup.seed, &table.id, table.version, &table.people_entropy())
}
