//! Two tables in one log: tells their lines apart, and opens the second one under its own code.
//!
//! Earlier programs could give a new table the code of another one and append its opening to the
//! log of that table. The appended lines are numbered from 0 again, and from then on nothing could
//! be added to the log. Reading skips these lines, so the first table goes on as it was.
//! [`reopened`] gives the second one a log of its own; [`Event::Parted`] notes in the first log
//! that this was done. No line is ever removed.
//!
//! Pure. The ledger does both in one commit, after a start or when the table is first used; `check`
//! reports it.

use super::event::{Begin, Event, Line, Setup, StepLine};
use super::fold::Table;
use super::lobby;
use super::run::{Decision, Draft, Stamp};
use caravanserai_games::ids::TableId;

/// How a line of another table is shown in a published record, after its number.
const VOID: &str = " void";

/// The last lines of a log, if they belong to another table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// Number of the first one in this log.
    pub from: u64,
    /// The number of lines.
    pub lines: u64,
    /// When they were written, in milliseconds since 1970: nobody could play from then on.
    pub at_ms: u64,
}

impl Table {
    /// The last lines of the log, if they belong to another table and were not moved yet.
    pub fn misplaced(&self) -> Option<Misplaced> {
        self.misplaced
    }

    /// Applies the next line of a stored log.
    ///
    /// # Errors
    /// When the line is damaged or does not follow; the table must then be thrown away.
    pub fn read_on(&mut self, text: &str) -> Result<(), String> {
        let step = StepLine::read(text);
        if let Some(step) = step.filter(|it| !self.is_misplaced(it.number)) {
            return self.apply_step(&step);
        }
        if self.is_void(text) {
            self.version += 1;
            return Ok(());
        }
        let line = Line::read(text)?;
        if self.is_misplaced(line.number) || self.is_another_opening(&line) {
            let from = self.version;
            let known = self.misplaced.unwrap_or(Misplaced { from, lines: 0, at_ms: line.at_ms });
            self.misplaced = Some(Misplaced { lines: known.lines + 1, ..known });
            self.version += 1;
            return Ok(());
        }
        self.apply(&line)
    }

    /// Whether this line of its log belongs to another table.
    pub(super) fn passes_over(&self, text: &str) -> bool {
        let another = |it: Line| self.is_misplaced(it.number) || self.is_another_opening(&it);
        self.is_void(text) || Line::read(text).is_ok_and(another)
    }

    fn is_misplaced(&self, number: u64) -> bool {
        self.misplaced.is_some_and(|it| it.lines == number)
    }

    fn is_another_opening(&self, line: &Line) -> bool {
        let opens = matches!(line.event, Event::Opened(_));
        opens && line.number == 0 && self.version > 0 && self.misplaced.is_none()
    }

    fn is_void(&self, text: &str) -> bool {
        text.strip_suffix(VOID).is_some_and(|it| it.parse() == Ok(self.version))
    }
}

/// Whether a log seems to contain a second opening, without parsing its lines.
pub fn has_two_openings(lines: &[String]) -> bool {
    lines.iter().skip(1).any(|it| it.starts_with("0 "))
}

/// The log as it is published, without the content of lines that belong to another table.
pub fn published(lines: &[String]) -> Vec<String> {
    let mut other: Option<usize> = None;
    let mut all = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let number = line.split(' ').next().and_then(|it| it.parse::<usize>().ok());
        other = match other {
            Some(from) if number == Some(at - from) => other,
            _ => (at > 0 && number == Some(0)).then_some(at),
        };
        all.push(if other.is_some() { format!("{at}{VOID}") } else { line.clone() });
    }
    all
}

/// Opens the table of misplaced lines under its own code and seed. People and settings stay as they
/// were. Chance depends on the code, so a game that had begun begins again now. `now`: the stamp of
/// what is new.
///
/// # Errors
/// When these lines open no table.
pub fn reopened(
    lines: &[String],
    id: &TableId,
    seed: [u8; 32],
    now: Stamp,
) -> Result<Decision, String> {
    let lines: Vec<Line> = lines.iter().map(|it| Line::read(it)).collect::<Result<_, _>>()?;
    let (first, rest) = lines.split_first().ok_or("an empty log")?;
    let Event::Opened(setup) = &first.event else { return Err("no table is opened".into()) };
    let setup = Setup { seed, ..(**setup).clone() };
    let by_lot = setup.begin == Begin::Lot;
    let stamp = |line: &Line| Stamp::at(line.at_ms, line.cause.clone());
    let mut draft = Draft::opened(id, setup, stamp(first))?;
    for line in rest {
        match &line.event {
            Event::Started { order } => {
                draft.set_stamp(now.clone());
                let order = Event::Started { order: order.clone() };
                draft.try_add(if by_lot { lobby::starting(&draft.next) } else { order })?;
                draft.try_go_on()?;
                return Ok(draft.done());
            }
            // A promise is of the earlier seed.
            Event::Promised(_) => {}
            event => {
                draft.set_stamp(stamp(line));
                draft.try_add(event.clone())?;
            }
        }
    }
    // The lobby waits as long as a new one.
    draft.set_stamp(now);
    draft.try_add(Event::Extended)?;
    Ok(draft.done())
}
