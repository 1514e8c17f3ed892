//! Checks, from the log alone, that no seat gets more time than the rules of presence and clocks
//! give it: leaving, returning, blocking, linking and pausing never refill a clock.
//!
//! This module shares no code with `table::clock`: it reads the clock values of the log
//! ([`ClockEvent::ClocksChanged`]) and computes what happened in between.

use std::collections::BTreeSet;

use caravanserai_table::TimeControl;
use caravanserai_table::clock::{ClockEvent, ClockSnapshot, TurnId};
use caravanserai_table::event::{Event, LogLine};
use caravanserai_table::state::Table;

/// The least time at the beginning of a turn, in milliseconds.
const FLOOR_MS: u64 = 5_000;

/// The longest time between the reception of a move and its handling, in milliseconds.
const RECEIVED_MS: u64 = 30_000;

/// The clocks of one table, as far as its log shows.
#[derive(Default)]
pub struct ClockTimes {
    /// The time left by seat at the last change of the clocks, in milliseconds.
    left_ms: Vec<u64>,
    /// The turn whose clock runs, and its end.
    running: Option<(TurnId, u64)>,
    /// By seat: the last turn in which its clock ran.
    last_turn: Vec<Option<TurnId>>,
    /// Seats with a new player since the clocks changed last.
    replaced: BTreeSet<u8>,
    /// Whether moves were taken back since then, so that clocks return to earlier values.
    taken_back: bool,
    /// The seat that made the first step since then. If it is not the one whose clock ran, it has
    /// cut off that turn, which then adds no time.
    first_step: Option<u8>,
    /// Seats that have played a planned move since then: they stepped in the same moment as the
    /// seat whose clock ran. Such a turn takes no time and adds the increment.
    planned: BTreeSet<u8>,
}

impl ClockTimes {
    /// Checks a line that was applied; `table` is the state after it.
    ///
    /// # Errors
    /// When a seat has more time than it may have.
    pub fn came(&mut self, table: &Table, line: &LogLine) -> Result<(), String> {
        match &line.event {
            Event::Started { .. } => *self = Self::default(),
            Event::SeatReplaced { seat, .. } => {
                self.replaced.insert(*seat);
            }
            Event::MovesTakenBack { .. } => self.taken_back = true,
            Event::Stepped { seat, .. } => {
                let first = *self.first_step.get_or_insert(*seat);
                if first != *seat {
                    self.planned.insert(*seat);
                }
            }
            Event::Clock(ClockEvent::Refunded { ms }) => return self.check_refund(table, *ms),
            Event::Clock(ClockEvent::TimeRanOut { seat }) => {
                self.set(*seat, 0);
                self.running = None;
            }
            Event::Clock(ClockEvent::ClocksChanged(reading)) => {
                return self.check_change(table, reading, line.at_ms);
            }
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, seat: u8, left_ms: u64) {
        if let Some(left) = self.left_ms.get_mut(usize::from(seat)) {
            *left = left_ms;
        }
    }

    /// Checks a refund: the clock grows by its logged length and by nothing else.
    fn check_refund(&mut self, table: &Table, ms: u64) -> Result<(), String> {
        let (Some((turn, until_ms)), Some(now)) = (self.running, table.running_clock()) else {
            return Ok(());
        };
        let grown_ms = now.until_ms.saturating_sub(until_ms);
        self.running = Some((turn, now.until_ms));
        if grown_ms > ms {
            return Err(format!("a credit of {ms} ms gave seat {} {grown_ms} ms", turn.0));
        }
        Ok(())
    }

    /// The time left of a seat at this moment.
    fn left_at(&self, seat: u8, at_ms: u64) -> Option<u64> {
        match self.running {
            Some((turn, until_ms)) if turn.0 == seat => Some(until_ms.saturating_sub(at_ms)),
            _ => self.left_ms.get(usize::from(seat)).copied(),
        }
    }

    /// Checks a change of the clocks against the least and the most time that each seat may have.
    fn check_change(
        &mut self,
        table: &Table,
        reading: &ClockSnapshot,
        at_ms: u64,
    ) -> Result<(), String> {
        let control = table.clocks.control;
        let now = table.current_turn();
        let mut wrong = None;
        let taken_back = std::mem::take(&mut self.taken_back);
        for (seat, left_ms) in (0..).zip(&reading.left_ms).filter(|_| !taken_back) {
            let running_until = reading.running.filter(|it| it.0 == seat);
            let shown_ms = running_until.map_or(*left_ms, |it| it.1.saturating_sub(at_ms));
            let Some(most_ms) = self.most_ms(control, seat, now, running_until.is_some(), at_ms)
            else {
                continue;
            };
            let least_ms = self.least_ms(control, seat, now, at_ms);
            if let Some(earned_ms) = least_ms.filter(|it| shown_ms < *it) {
                wrong.get_or_insert(format!(
                    "seat {seat} ended its turn with {shown_ms} ms and had earned {earned_ms}"
                ));
            }
            if shown_ms > most_ms {
                let had_ms = self.left_at(seat, at_ms).unwrap_or_default();
                wrong.get_or_insert(format!(
                    "the clock of seat {seat} grew from {had_ms} to {shown_ms} ms, \
                     and may show {most_ms} at most"
                ));
            }
        }
        self.left_ms.clone_from(&reading.left_ms);
        self.last_turn.resize(reading.left_ms.len(), None);
        self.running = reading.running.and_then(|(seat, until_ms)| {
            let turn = now.filter(|it| it.0 == seat)?;
            Some((turn, until_ms))
        });
        if let Some((turn, _)) = self.running
            && let Some(last) = self.last_turn.get_mut(usize::from(turn.0))
        {
            *last = Some(turn);
        }
        self.replaced.clear();
        self.first_step = None;
        self.planned.clear();
        wrong.map_or(Ok(()), Err)
    }

    /// The least time of a seat after a turn that just ended, where turns add time.
    fn least_ms(
        &self,
        control: TimeControl,
        seat: u8,
        now: Option<TurnId>,
        at_ms: u64,
    ) -> Option<u64> {
        let TimeControl::PerGame { increment: more, .. } = control else { return None };
        let ended = self.has_ended_turn(seat, now);
        let had_ms = self.left_at(seat, at_ms)?;
        (ended && !self.replaced.contains(&seat)).then(|| had_ms + u64::from(more) * 1_000)
    }

    /// Whether the clock of a seat ran in a turn that the seat has ended by a step.
    fn has_ended_turn(&self, seat: u8, now: Option<TurnId>) -> bool {
        let ended = self.running.is_some_and(|(turn, _)| turn.0 == seat && Some(turn) != now);
        ended && self.first_step.is_none_or(|it| it == seat)
    }

    /// The most time that a seat may have now; `None` while it is not known.
    fn most_ms(
        &self,
        control: TimeControl,
        seat: u8,
        now: Option<TurnId>,
        runs: bool,
        at_ms: u64,
    ) -> Option<u64> {
        let (first_ms, more_ms) = match control {
            TimeControl::Unlimited => return None,
            TimeControl::PerTurn(seconds) => (u64::from(seconds) * 1_000, 0),
            TimeControl::PerGame { bank, increment: more } => {
                (u64::from(bank) * 1_000, u64::from(more) * 1_000)
            }
        };
        let had_ms = self.left_at(seat, at_ms)?;
        if self.replaced.contains(&seat) {
            return Some(had_ms.max(first_ms));
        }
        let ended = self.has_ended_turn(seat, now) || self.planned.contains(&seat);
        // A clock stops when the move was received, before the line is logged.
        let earned_ms = had_ms + if ended { more_ms + RECEIVED_MS } else { 0 };
        let last = self.last_turn.get(usize::from(seat)).copied().flatten();
        let begins = runs && last != now;
        Some(match control {
            TimeControl::PerTurn(_) if begins => first_ms.max(FLOOR_MS),
            // Between its turns the value of a seat has no meaning.
            TimeControl::PerTurn(_) if !runs => u64::MAX,
            _ if begins => earned_ms.max(FLOOR_MS),
            _ => earned_ms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(left_ms: Vec<u64>, turn: TurnId, until_ms: u64) -> ClockTimes {
        let last_turn = left_ms.iter().map(|_| None).collect::<Vec<_>>();
        let mut it = ClockTimes {
            left_ms,
            running: Some((turn, until_ms)),
            last_turn,
            ..ClockTimes::default()
        };
        it.last_turn[usize::from(turn.0)] = Some(turn);
        it
    }

    #[test]
    fn a_running_turn_keeps_its_time_and_a_finished_one_gets_its_increment() {
        let control = TimeControl::PerGame { bank: 60, increment: 5 };
        let clocks = running(vec![60_000, 60_000], (0, 3), 50_000);
        let same = clocks.most_ms(control, 0, Some((0, 3)), true, 20_000);
        assert_eq!(same, Some(30_000));
        let over = clocks.most_ms(control, 0, Some((1, 4)), false, 20_000);
        assert_eq!(over, Some(35_000 + RECEIVED_MS));
        let next = clocks.most_ms(control, 1, Some((1, 4)), true, 20_000);
        assert_eq!(next, Some(60_000));
    }

    #[test]
    fn a_per_turn_clock_starts_full_only_at_the_beginning_of_a_turn() {
        let control = TimeControl::PerTurn(60);
        let clocks = running(vec![60_000, 60_000], (0, 3), 50_000);
        assert_eq!(clocks.most_ms(control, 0, Some((0, 3)), true, 40_000), Some(10_000));
        assert_eq!(clocks.most_ms(control, 0, Some((0, 5)), true, 40_000), Some(60_000));
    }
}
