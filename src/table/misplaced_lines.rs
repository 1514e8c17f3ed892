//! Separates two tables in one log: finds the lines of the second, and reopens it under its own
//! code.
//!
//! Earlier programs could give a new table the code of another one and append its opening to the
//! log of that table. The appended lines are numbered from 0 again, and from then on nothing could
//! be added to the log. Reading skips these lines, so the first table goes on as it was.
//! [`reopen_misplaced`] gives the second one a log of its own;
//! [`Event::MisplacedLinesMoved`] records that in the first log. No line is ever removed.
//!
//! Everything here is pure. The repository does both in one commit, after a start or when the table
//! is first used; `check` reports it.

use super::decision_builder::{Decision, DecisionBuilder, EventMeta};
use super::event::{Event, FirstMover, LogLine, StepLogLine, TableSetup};
use super::lobby_commands;
use super::state::Table;
use caravanserai_games::ids::TableId;

/// The text that replaces a line of another table in a published record, after its number.
const VOID_MARK: &str = " void";

/// The last lines of a log, if they belong to another table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MisplacedLines {
    /// The number of the first one in this log.
    pub from: u64,
    /// The number of lines.
    pub lines: u64,
    /// The time at which they were written, in milliseconds since 1970: nobody could play from then
    /// on.
    pub at_ms: u64,
}

impl MisplacedLines {
    /// Whether the line of this number continues the other table.
    fn is_continued_by(&self, number: u64) -> bool {
        self.lines == number
    }
}

/// Whether this line of a table's log belongs to another table.
fn is_misplaced(table: &Table, number: u64) -> bool {
    table.misplaced.is_some_and(|it| it.is_continued_by(number))
}

fn is_second_opening(table: &Table, line: &LogLine) -> bool {
    let opens = matches!(line.event, Event::Opened(_));
    opens && line.number == 0 && table.version > 0 && table.misplaced.is_none()
}

/// Whether a line stands for one of another table in a published log.
fn is_void_line(text: &str, version: u64) -> bool {
    text.strip_suffix(VOID_MARK).is_some_and(|it| it.parse() == Ok(version))
}

/// Whether the next line of a table's log belongs to another table.
pub(super) fn is_line_of_another_table(table: &Table, text: &str) -> bool {
    let is_other = |it: LogLine| is_misplaced(table, it.number) || is_second_opening(table, &it);
    is_void_line(text, table.version) || LogLine::parse(text).is_ok_and(is_other)
}

impl Table {
    /// Applies the next line of a stored log.
    ///
    /// # Errors
    /// When the line is damaged or does not follow; the caller must then discard the table.
    pub fn apply_stored_line(&mut self, text: &str) -> Result<(), String> {
        let step = StepLogLine::parse(text);
        if let Some(step) = step.filter(|it| !is_misplaced(self, it.number)) {
            return self.apply_step(&step);
        }
        if is_void_line(text, self.version) {
            self.version += 1;
            return Ok(());
        }
        let line = LogLine::parse(text)?;
        if is_misplaced(self, line.number) || is_second_opening(self, &line) {
            let from = self.version;
            let known =
                self.misplaced.unwrap_or(MisplacedLines { from, lines: 0, at_ms: line.at_ms });
            self.misplaced = Some(MisplacedLines { lines: known.lines + 1, ..known });
            self.version += 1;
            return Ok(());
        }
        self.apply(&line)
    }
}

/// Whether a log seems to contain a second opening, without parsing its lines.
pub fn has_two_openings(lines: &[String]) -> bool {
    lines.iter().skip(1).any(|it| it.starts_with("0 "))
}

/// Returns the log for publication, without the content of lines that belong to another table.
pub fn published_log(lines: &[String]) -> Vec<String> {
    let mut other: Option<usize> = None;
    let mut all = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let number = line.split(' ').next().and_then(|it| it.parse::<usize>().ok());
        other = match other {
            Some(from) if number == Some(at - from) => other,
            _ => (at > 0 && number == Some(0)).then_some(at),
        };
        all.push(if other.is_some() { format!("{at}{VOID_MARK}") } else { line.clone() });
    }
    all
}

/// Opens the table of misplaced lines under its own code and seed. People and settings stay the
/// same. Chance depends on the code, so a game that had started starts again now. `now` has the
/// time and cause of the new lines.
///
/// # Errors
/// When these lines open no table.
/// When these lines open no table.
pub fn reopen_misplaced(
    lines: &[String],
    id: &TableId,
    seed: [u8; 32],
    now: EventMeta,
) -> Result<Decision, String> {
    let lines: Vec<LogLine> =
        lines.iter().map(|it| LogLine::parse(it)).collect::<Result<_, _>>()?;
    let (first, rest) = lines.split_first().ok_or("an empty log")?;
    let Event::Opened(setup) = &first.event else { return Err("no table is opened".into()) };
    let setup = TableSetup { seed, ..(**setup).clone() };
    let by_lot = setup.begin == FirstMover::Lot;
    let meta = |line: &LogLine| EventMeta::received_now(line.at_ms, line.cause.clone());
    let mut draft = DecisionBuilder::opened(id, setup, meta(first))?;
    for line in rest {
        match &line.event {
            started @ Event::Started { .. } => {
                draft.set_meta(now.clone());
                draft.try_add(if by_lot {
                    lobby_commands::start_event(&draft.table)
                } else {
                    started.clone()
                })?;
                draft.try_advance()?;
                return Ok(draft.finish());
            }
            // A seed commitment belongs to the earlier seed.
            Event::SeedCommitted(_) => {}
            event => {
                draft.set_meta(meta(line));
                draft.try_add(event.clone())?;
            }
        }
    }
    // The lobby stays open as long as a new one.
    draft.set_meta(now);
    draft.try_add(Event::KeptOpen)?;
    Ok(draft.finish())
}
