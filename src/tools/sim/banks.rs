//! Checks from the clock readings in logs that no seat gains time in games with a bank.

use std::collections::BTreeSet;

use crate::table::clock::{Control, Reading, Timed};
use crate::table::event::{Event, Line};
use crate::table::fold::Table;

/// The least time at the beginning of a turn, in milliseconds.
const FLOOR_MS: u64 = 5_000;

/// The last reading of the clocks of a table, and what has happened there since.
#[derive(Default)]
pub struct Banks {
    last: Option<Reading>,
    credited_ms: u64,
    /// Seats that have played.
    stepped: BTreeSet<u8>,
    /// Seats that another person took over.
    replaced: BTreeSet<u8>,
    taken_back: bool,
}

impl Banks {
    /// Checks a line against the table before it.
    ///
    /// # Errors
    /// With a sentence when a seat has more time than it may have.
    pub fn comes(&mut self, table: &Table, line: &Line) -> Result<(), String> {
        match &line.event {
            Event::Stepped { seat, .. } => drop(self.stepped.insert(*seat)),
            Event::Replaced { seat, .. } => drop(self.replaced.insert(*seat)),
            Event::Back { .. } => self.taken_back = true,
            Event::Time(Timed::Credited { ms }) => self.credited_ms += ms,
            Event::Time(Timed::Runs(reading)) => {
                let since = std::mem::take(self);
                self.last = Some(reading.clone());
                return since.allows(table, reading, line.at_ms);
            }
            _ => {}
        }
        Ok(())
    }

    fn allows(&self, table: &Table, reading: &Reading, at_ms: u64) -> Result<(), String> {
        let Control::Game { bank, more } = table.timing.control else { return Ok(()) };
        let Some(last) = self.last.as_ref().filter(|_| !self.taken_back) else { return Ok(()) };
        let takeover_ms = u64::from(bank) * 1_000 / 10;
        for seat in 0..table.setup.seats {
            let mut may_ms = match last.running.filter(|it| it.0 == seat) {
                Some((_, until_ms)) => (until_ms + self.credited_ms).saturating_sub(at_ms),
                None => left_ms(last, seat),
            };
            may_ms += if self.stepped.contains(&seat) { u64::from(more) * 1_000 } else { 0 };
            if self.replaced.contains(&seat) {
                may_ms = may_ms.max(takeover_ms);
            }
            let has_ms = match reading.running.filter(|it| it.0 == seat) {
                Some((_, until_ms)) => until_ms.saturating_sub(at_ms),
                None => left_ms(reading, seat),
            };
            if has_ms > may_ms.max(FLOOR_MS) {
                return Err(format!("seat {seat} has {has_ms} ms, and may have {may_ms}"));
            }
        }
        Ok(())
    }
}

fn left_ms(reading: &Reading, seat: u8) -> u64 {
    reading.left_ms.get(usize::from(seat)).copied().unwrap_or_default()
}
