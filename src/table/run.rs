//! What is decided, as it grows: each event is applied once, and what the game then does by itself
//! comes in the same commit. Chance is drawn, what is forced is played; nobody can see a throw and
//! withdraw.

use super::clock::Timed;
use super::command::Actor;
use super::event::{Cause, Event, Line, Setup};
use super::fair::FairDraw;
use super::fold::{Phase, Table};
use super::lobby;
use caravanserai_games::Refused;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Node;

/// No game plays more steps than this by itself before a person decides something: more would be
/// a bug in its rules, and a panic sets the table aside where a loop would hang.
const MOST_STEPS: usize = 5_000;

/// The cause of what the time alone decides, in logs.
const TIMER: &str = "timer";

/// When and why something happens.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// When the update that causes it was received, in milliseconds since 1970: the clock of the
    /// actor stops then. Never later than `at_ms`.
    pub received_ms: u64,
    /// What causes it.
    pub cause: Cause,
}

impl Stamp {
    /// A cause whose update is received at this moment.
    pub fn at(at_ms: u64, cause: impl Into<Cause>) -> Self {
        Stamp { at_ms, received_ms: at_ms, cause: cause.into() }
    }

    /// Somebody causes it.
    pub fn of(actor: &Actor) -> Self {
        let received_ms = actor.received_ms.min(actor.now_ms);
        Stamp { at_ms: actor.now_ms, received_ms, cause: actor.cause.clone() }
    }

    /// The time alone causes it.
    pub fn of_time(now_ms: u64) -> Self {
        Stamp::at(now_ms, TIMER)
    }

    /// An event as the next line of a table.
    fn line(&self, table: &Table, event: Event) -> Line {
        let Stamp { at_ms, cause, .. } = self.clone();
        Line { number: table.version, at_ms, cause, event }
    }
}

/// What is decided at a table.
#[derive(Debug)]
pub struct Decision {
    /// What happened, to be logged in this order.
    pub lines: Vec<Line>,
    /// The table after these lines.
    pub next: Table,
    /// Whether a new table with exchanged sides must be opened in the same commit.
    pub rematch: bool,
}

impl Decision {
    /// What happened, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.lines.iter().map(|it| &it.event)
    }
}

/// A decision that grows.
pub(super) struct Draft {
    pub(super) next: Table,
    lines: Vec<Line>,
    stamp: Stamp,
    /// The seat whose turn was played at once by a move that it had settled before.
    planned: Option<u8>,
    /// See [`Decision::rematch`].
    rematch: bool,
}

impl Draft {
    /// Nothing has happened yet.
    pub(super) fn of(table: &Table, stamp: Stamp) -> Self {
        Draft { next: table.copy(), lines: Vec::new(), stamp, planned: None, rematch: false }
    }

    /// More happens after what was decided.
    pub(super) fn again(decision: Decision, stamp: Stamp) -> Self {
        let Decision { lines, next, rematch } = decision;
        Draft { next, lines, stamp, planned: None, rematch }
    }

    /// A table that is opened so.
    pub(super) fn opened(id: &TableId, setup: Setup, stamp: Stamp) -> Result<Self, String> {
        let Stamp { at_ms, cause, .. } = stamp.clone();
        let line = Line { number: 0, at_ms, cause, event: Event::Opened(Box::new(setup)) };
        let next = Table::opened(id, &line)?;
        Ok(Draft { next, lines: vec![line], stamp, planned: None, rematch: false })
    }

    /// Sets the time and cause of the events that are added next.
    pub(super) fn set_stamp(&mut self, stamp: Stamp) {
        self.stamp = stamp;
    }

    /// This happens next.
    ///
    /// # Errors
    /// When it does not follow: the draft must then be thrown away.
    pub(super) fn try_add(&mut self, event: Event) -> Result<(), String> {
        let line = self.stamp.line(&self.next, event);
        self.next.apply(&line)?;
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
    pub(super) fn play(&mut self, seat: u8, token: String) -> Result<(), Refused> {
        let line = self.stamp.line(&self.next, Event::Stepped { seat, token });
        self.next.apply_legal(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// Plays the move that a seat settled before, if the rules allow it. The turn takes no time and
    /// gives its increment.
    ///
    /// # Errors
    /// What the game says to it: the draft must then be thrown away.
    pub(super) fn play_planned(&mut self, seat: u8, token: String) -> Result<(), Refused> {
        let is_timed = self.next.clocked_turn().is_some_and(|it| it.0 == seat);
        self.play(seat, token)?;
        self.planned = is_timed.then_some(seat);
        Ok(())
    }

    /// What the game does by itself from here on.
    ///
    /// # Errors
    /// When an event does not follow: a bug of the rules.
    pub(super) fn try_go_on(&mut self) -> Result<(), String> {
        for _ in 0..MOST_STEPS {
            let Some(event) = by_itself(&self.next) else { return Ok(()) };
            self.try_add(event)?;
        }
        panic!("{} plays on by itself without end", self.next.game_id().info().code);
    }

    /// What the game does by itself from here on, and with it all is decided.
    pub(super) fn go_on(mut self) -> Decision {
        self.try_go_on().expect("what the rules do by themselves follows");
        self.done()
    }

    /// How much has happened.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// All is decided; the clocks that have to run now do.
    pub(super) fn done(mut self) -> Decision {
        let Stamp { at_ms, received_ms, .. } = self.stamp;
        if let Some(reading) = self.next.reading(at_ms, received_ms, self.planned) {
            self.add(Event::Time(Timed::Runs(reading)));
        }
        Decision { lines: self.lines, next: self.next, rematch: self.rematch }
    }
}

/// A table that is opened with these events after the first. `start` begins the game at once.
///
/// # Errors
/// When the events do not fit each other.
pub fn opening(
    id: &TableId,
    setup: Setup,
    then: Vec<Event>,
    start: bool,
    stamp: Stamp,
) -> Result<Decision, String> {
    let mut draft = Draft::opened(id, setup, stamp)?;
    for event in then {
        draft.try_add(event)?;
    }
    if start {
        draft.try_add(lobby::starting(&draft.next))?;
    }
    draft.try_go_on()?;
    Ok(draft.done())
}

/// One thing that happens to a table from outside: its place moved, the same people went on at
/// another table, the rules of its game have changed.
///
/// # Errors
/// When it does not follow from the table.
pub fn happening(table: &Table, event: Event, stamp: Stamp) -> Result<Decision, String> {
    happenings(table, [event], stamp)
}

/// Several events from outside, in this order.
///
/// # Errors
/// When they do not follow from the table.
pub fn happenings(
    table: &Table,
    events: impl IntoIterator<Item = Event>,
    stamp: Stamp,
) -> Result<Decision, String> {
    let mut draft = Draft::of(table, stamp);
    for event in events {
        draft.try_add(event)?;
    }
    Ok(draft.done())
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
