//! Keeps the state of a table's clocks: the running clock, the time left, absences and vacations.

use super::absent_players::AbsenceState;
use super::clock::{ClockSnapshot, SlowTurn, TimeControl};
use super::event::DEFAULT_LEVEL;
use caravanserai_games::ids::PersonId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::time_units::DAY_MS;

/// The minimum time at the beginning of a turn, in milliseconds. An interrupted turn continues with
/// the time that was left: coming back gives no extra time.
const TURN_START_MIN_MS: u64 = 5_000;

/// How long a pause can be kept against the wish of another player, in milliseconds.
const PAUSE_MIN_MS: u64 = DAY_MS;

/// A person who takes over a seat gets at least the initial time divided by this.
const TAKEOVER_DIVISOR: u64 = 10;

/// A turn: the seat, and a number that distinguishes its turns. Several steps of a person are one
/// turn where the game counts turns, or moves if the log says that whole turns are timed; otherwise
/// each position is one.
pub type TurnId = (u8, u64);

/// A running clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningClock {
    /// The turn that it times.
    pub turn: TurnId,
    /// The time at which it started, in milliseconds since 1970.
    pub from_ms: u64,
    /// The time at which it runs out, in milliseconds since 1970.
    pub until_ms: u64,
    /// The part of that time that was refunded, in milliseconds.
    pub refunded_ms: u64,
    /// The time of the last refund for an outage, in milliseconds since 1970. Refunds for a late
    /// board do not matter here: they never exceed the time of one turn, however long the delay
    /// was.
    pub outage_refunded_ms: u64,
    /// The first version of the table that shows this turn.
    pub version: u64,
}

impl RunningClock {
    /// The time since which it has run without a refunded outage, in milliseconds since 1970.
    pub(super) fn uninterrupted_since_ms(&self) -> u64 {
        self.from_ms.max(self.outage_refunded_ms)
    }
}

/// The time control, the clocks, and the absences of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockState {
    /// The time control.
    pub control: TimeControl,
    /// Whether a turn goes on until the seat makes its move, see
    /// [`ClockEvent::WholeTurnsTimed`](super::clock::ClockEvent::WholeTurnsTimed).
    pub(super) are_whole_turns_timed: bool,
    /// The level of the computer that substitutes for absent players, if it was set.
    pub substitute_level: Option<ComputerLevel>,
    /// The running clock.
    pub running: Option<RunningClock>,
    /// The reminders of its turn that were due before the last refund, while the bot ran.
    pub(super) sent_reminders: [bool; 3],
    /// The time that each seat had left when the clocks last changed, in milliseconds.
    pub left_ms: Vec<u64>,
    /// Whether all clocks are paused by agreement.
    pub paused: bool,
    /// When the last pause began, in milliseconds since 1970.
    paused_since_ms: u64,
    /// The seats whose players got time because the only message of the game was deleted.
    lost_board_seats: Vec<u8>,
    /// When the operator froze the table, in milliseconds since 1970, if it is frozen.
    frozen_since_ms: Option<u64>,
    /// The last interrupted turn: interrupted by a pause, the operator, a vacation, or the
    /// departure of its player.
    interrupted_turn: Option<TurnId>,
    /// In games with a bank, the time of each seat when the clocks first changed after a step, and
    /// when a turn began that a conditional move ended: the number of steps, then the milliseconds
    /// by seat, repeated.
    banks: Vec<u64>,
    /// The seat that has played a turn in no time since the clocks last changed, and the number of
    /// steps before.
    pub(super) planned_turn: Option<(u8, usize)>,
    /// The players on vacation, and the end of each vacation.
    pub(super) vacations: Vec<(PersonId, u64)>,
    /// The turn whose time has run out.
    pub(super) late_turn: Option<TurnId>,
    /// The last turn whose time has run out, and the first version of the table that shows it.
    late_since: Option<(TurnId, u64)>,
    /// By seat: the number of consecutive late turns, and whether the player is away.
    pub(super) absences: Vec<AbsenceState>,
    /// The seat for which a computer has played a turn, until a person plays again.
    pub substituted_seat: Option<u8>,
    /// The steps that a computer played for an absent player, counted from 0.
    pub(super) substitute_steps: Vec<u32>,
    /// The time of the last reminder by a waiting player, in milliseconds since 1970.
    pub last_nudge_ms: u64,
}

impl ClockState {
    /// The level of the computer that substitutes for absent players.
    pub fn effective_substitute_level(&self) -> ComputerLevel {
        self.substitute_level.unwrap_or(DEFAULT_LEVEL)
    }

    /// The absence of this seat's player.
    pub(super) fn absence(&self, seat: u8) -> AbsenceState {
        self.absences.get(usize::from(seat)).copied().unwrap_or_default()
    }

    /// The absence of this seat's player, to be changed.
    pub(super) fn absence_mut(&mut self, seat: u8) -> &mut AbsenceState {
        let seat = usize::from(seat);
        if self.absences.len() <= seat {
            self.absences.resize(seat + 1, AbsenceState::default());
        }
        &mut self.absences[seat]
    }

    /// Resets the absence of this seat's player.
    pub(super) fn clear_absence(&mut self, seat: u8) {
        if let Some(absence) = self.absences.get_mut(usize::from(seat)) {
            *absence = AbsenceState::default();
        }
    }

    /// Whether any player is or was late or away: then it matters who plays a step.
    pub(super) fn is_anyone_absent(&self) -> bool {
        self.late_turn.is_some() || self.absences.iter().any(|it| it.late_turns > 0 || it.is_away)
    }

    /// The recorded vacation of a person: its end, if it is recorded here.
    pub fn recorded_vacation(&self, person: &PersonId) -> Option<u64> {
        self.vacations.iter().find(|(it, _)| it == person).map(|it| it.1)
    }

    /// Records the start of a vacation, or a change of its end.
    pub(super) fn record_vacation(&mut self, person: &PersonId, until_ms: u64) {
        self.end_vacation(person);
        self.vacations.push((person.clone(), until_ms));
    }

    /// Ends a vacation.
    pub(super) fn end_vacation(&mut self, person: &PersonId) {
        self.vacations.retain(|(it, _)| it != person);
    }

    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        let own = self.vacations.iter_mut().filter(|(it, _)| it == account);
        own.for_each(|(it, _)| it.clone_from(person));
    }

    /// The time with which a seat continues in a turn, in milliseconds. `left_ms` is the time that
    /// it has left.
    pub(super) fn turn_start_ms(&self, turn: TurnId, left_ms: u64) -> u64 {
        if self.interrupted_turn == Some(turn) {
            return left_ms;
        }
        let has = match self.control {
            TimeControl::PerTurn(_) => self.control.initial_ms(),
            TimeControl::Unlimited | TimeControl::PerGame { .. } => left_ms,
        };
        has.max(TURN_START_MIN_MS)
    }

    /// Records that the timed turn is interrupted, if it is meant.
    pub(super) fn interrupt_turn(&mut self, is_meant: impl Fn(&TurnId) -> bool) {
        let interrupted = self.running.map(|it| it.turn).filter(is_meant);
        self.interrupted_turn = interrupted.or(self.interrupted_turn);
    }

    /// Sets the clocks. `turn` is the present turn, `version` the first one of the table that shows
    /// it, after this number of steps.
    pub(super) fn set_clocks(
        &mut self,
        reading: &ClockSnapshot,
        turn: Option<TurnId>,
        at_ms: u64,
        version: u64,
        steps: usize,
    ) {
        self.left_ms.clone_from(&reading.left_ms);
        let running = reading.running.and_then(|(seat, until_ms)| {
            let turn = turn.filter(|it| it.0 == seat)?;
            let refunded_ms = 0;
            let outage_refunded_ms = 0;
            let from_ms = at_ms;
            Some(RunningClock { turn, from_ms, until_ms, refunded_ms, outage_refunded_ms, version })
        });
        if running.is_some_and(|it| self.late_turn == Some(it.turn)) {
            // Earlier programs gave a person who came back a new clock for a turn whose time had
            // run out.
            self.late_turn = None;
        }
        // The same turn may begin again after moves were taken back.
        self.late_since.take_if(|late| running.is_some_and(|it| it.turn == late.0));
        if running.is_none() {
            // No clock runs in a turn that goes on: people no longer play each other. If they do
            // again before its end, it continues with the time that was left.
            self.interrupt_turn(|it| Some(*it) == turn);
        }
        (self.running, self.sent_reminders) = (running, [false; 3]);
        if let Some((seat, steps_before)) = self.planned_turn.take() {
            // That turn began with what the seat has left now, without the increment of the turn.
            let mut left_ms = self.left_ms.clone();
            if let Some(left) = left_ms.get_mut(usize::from(seat)) {
                *left = left.saturating_sub(self.control.increment_ms());
            }
            self.record_banks(steps_before as u64, &left_ms);
        }
        self.record_banks(steps as u64, &reading.left_ms);
    }

    /// Gives the running clock time back. An outage refunds only the time in which the clock ran.
    pub(super) fn refund(&mut self, ms: u64, at_ms: u64, is_outage: bool) {
        let Some(running) = self.running else { return };
        let ran_ms = at_ms.saturating_sub(running.uninterrupted_since_ms());
        let (ms, missed_ms) = if is_outage { (ms.min(ran_ms), ms) } else { (ms, 0) };
        let slow = SlowTurn { running, sent_reminders: self.sent_reminders };
        let SlowTurn { running, sent_reminders } = slow.with_refund(ms, at_ms, missed_ms);
        (self.running, self.sent_reminders) = (Some(running), sent_reminders);
    }

    /// Records that the player to move has got time because the only message of the game was
    /// deleted.
    pub(super) fn record_lost_board(&mut self) {
        self.lost_board_seats.extend(self.running.map(|it| it.turn.0));
    }

    /// Whether the player of this seat has got time because the only message of the game was
    /// deleted.
    pub(super) fn has_lost_board(&self, seat: u8) -> bool {
        self.lost_board_seats.contains(&seat)
    }

    /// When the clocks were paused by agreement, in milliseconds since 1970, if they are.
    pub fn paused_since_ms(&self) -> Option<u64> {
        self.paused.then_some(self.paused_since_ms)
    }

    /// Whether the clocks have been paused for so long that nobody has to agree to the end of the
    /// pause.
    pub(super) fn is_long_pause(&self, now_ms: u64) -> bool {
        self.paused_since_ms().is_some_and(|it| now_ms >= it.saturating_add(PAUSE_MIN_MS))
    }

    /// Pauses all clocks.
    pub(super) fn pause(&mut self, at_ms: u64) {
        self.paused = true;
        self.paused_since_ms = at_ms;
        self.interrupt_turn(|_| true);
        self.late_turn = None;
    }

    /// Whether the operator has frozen the table.
    pub(super) fn is_frozen(&self) -> bool {
        self.frozen_since_ms.is_some()
    }

    /// Stops all clocks until [`Self::unfreeze`].
    pub(super) fn freeze(&mut self, at_ms: u64) {
        self.frozen_since_ms.get_or_insert(at_ms);
        self.interrupt_turn(|_| true);
    }

    /// Lets time pass again, and gives people who left the time that they could not use to come
    /// back. Returns when the table was frozen, if it was.
    pub(super) fn unfreeze(&mut self, at_ms: u64) -> Option<u64> {
        let from_ms = self.frozen_since_ms.take()?;
        for departure in self.absences.iter_mut().filter_map(|it| it.departure.as_mut()) {
            departure.since_ms += at_ms.saturating_sub(from_ms.max(departure.since_ms));
        }
        Some(from_ms)
    }

    /// Records that the time of a seat has run out. `turn` is its turn, if it has it now, `version`
    /// the first one of the table that shows it.
    pub(super) fn run_out(&mut self, seat: u8, turn: Option<TurnId>, version: u64) {
        self.late_turn = turn;
        if let Some(turn) = turn.filter(|turn| self.late_since.is_none_or(|it| it.0 != *turn)) {
            self.late_since = Some((turn, version));
        }
        self.running = None;
        if let Some(left) = self.left_ms.get_mut(usize::from(seat)) {
            *left = 0;
        }
    }

    /// Whether a board of this version shows that the time of the late turn has run out.
    pub(super) fn is_lateness_shown(&self, version: u64) -> bool {
        let since = self.late_since.filter(|it| self.late_turn == Some(it.0));
        since.is_some_and(|it| it.1 <= version)
    }

    /// Makes the late turn of a seat one that was interrupted: it goes on with the time that was
    /// left, which is none, and with what is refunded.
    pub(super) fn continue_late_turn(&mut self, seat: u8) {
        let late = self.late_turn.filter(|it| it.0 == seat);
        self.interrupted_turn = late.or(self.interrupted_turn);
    }

    /// Passes the clock of a seat to another person: the turn continues with the time that was
    /// left, but at least with a part of the initial time. `turn` is the present turn.
    pub(super) fn pass_clock(&mut self, seat: u8, at_ms: u64, turn: Option<TurnId>) {
        let first_ms = self.control.initial_ms();
        let stopped = self.running.take_if(|it| it.turn.0 == seat);
        let late = self.late_turn.take_if(|it| it.0 == seat);
        let broken = stopped.map(|it| it.turn).or(late.filter(|it| Some(*it) == turn));
        self.interrupted_turn = broken.or(self.interrupted_turn);
        if let Some(left) = self.left_ms.get_mut(usize::from(seat)) {
            *left = stopped.map_or(*left, |it| it.until_ms.saturating_sub(at_ms));
            *left = (*left).max((first_ms / TAKEOVER_DIVISOR).max(TURN_START_MIN_MS).min(first_ms));
        }
    }

    /// The number of values in a record of the banks.
    fn bank_width(&self) -> usize {
        self.left_ms.len() + 1
    }

    /// Records the time of all seats at the beginning of the position after these steps, so that a
    /// takeback can restore it.
    fn record_banks(&mut self, steps: u64, left_ms: &[u64]) {
        let last = self.banks.chunks_exact(self.bank_width()).next_back().map(|it| it[0]);
        let has_bank = matches!(self.control, TimeControl::PerGame { .. });
        if has_bank && last.is_none_or(|it| it < steps) {
            self.banks.push(steps);
            self.banks.extend_from_slice(left_ms);
        }
    }

    /// Restores the clocks after moves were taken back from the turn `before` to this turn and
    /// number of steps: if that is another turn, every seat has the time that it had when that turn
    /// began, also where the time of the turn before has run out. Only a turn that ends by a move
    /// gives an increment.
    pub(super) fn restore(&mut self, before: Option<TurnId>, turn: Option<TurnId>, steps: usize) {
        let paused = self.interrupted_turn.filter(|_| self.paused);
        let late = self.late_turn.filter(|it| Some(*it) == before);
        let timed = self.running.map(|it| it.turn).or(paused).or(late);
        if timed.is_none() || timed == turn {
            return;
        }
        (self.running, self.interrupted_turn, self.late_turn) = (None, None, None);
        let width = self.bank_width();
        let known = self.banks.chunks_exact(width).rposition(|it| it[0] <= steps as u64);
        let Some(at) = known.map(|it| it * width) else { return };
        self.banks.truncate(at + width);
        self.left_ms = self.banks[at + 1..].to_vec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two people play each other, then one is replaced by a computer, then by a person again.
    #[test]
    fn a_turn_in_which_the_clock_stopped_goes_on_with_the_time_that_was_left() {
        let mut clocks = ClockState { control: TimeControl::PerTurn(180), ..ClockState::default() };
        let turn = (1, 7);
        let mut set = |running, left_ms: u64, at_ms| {
            let reading = ClockSnapshot { running, left_ms: vec![180_000, left_ms] };
            clocks.set_clocks(&reading, Some(turn), at_ms, 1, 3);
            clocks.turn_start_ms(turn, left_ms)
        };
        set(Some((1, 180_000)), 180_000, 0);
        assert_eq!(set(None, 127_000, 53_000), 127_000);
        assert_eq!(clocks.turn_start_ms((1, 8), 127_000), 180_000, "the next turn is a new one");
    }
}
