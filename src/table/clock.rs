//! Implements the clocks of a table: the time control, the running clock and its deadline.
//!
//! The log stores all times as they were decided, so that no later program computes them
//! differently: [`ClockEvent::ClocksChanged`] ends every commit that changes the running clock,
//! with the moment at which it runs out and the time left for every seat. A clock runs while a
//! person is to move and at least two people are present. It is stopped while a computer plays,
//! during a pause, while the operator has frozen the table, where no opponent is left, and, in a
//! slow game, during the player's [vacation](super::vacation).
//!
//! Three kinds of delay do not count against the player: the time until the board appears in the
//! chat of the player to move, see [`refund_board_delay`]; the time in which the bot did not run or
//! could not store anything, see [`refund_outage`]; and the travel time of a press to the bot,
//! [`LAG_MS`].

pub use super::clock_state::{ClockState, RunningClock, TurnId};
use super::decide::Decision;
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{Event, LogLine};
use super::objections;
use super::state::{Table, TablePhase};
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Node;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::time_units::{HOUR_MS, MINUTE_MS};

/// Delay after its end before a clock counts as run out, in milliseconds: a press made in time may
/// still be on its way.
pub const LAG_MS: u64 = 1_000;

/// The causes of refunds in logs: a board that appeared late, and an outage of the bot.
pub const BOARD_DELAY_CAUSE: &str = "shown";
const OUTAGE_CAUSE: &str = "outage";

/// The cause of the lines by which a game goes on elsewhere after its only message was deleted, or
/// ends because nobody can be reached.
pub const LOST_BOARD_CAUSE: &str = "lost";

/// The time that the player to move has at least after the only message of a game was deleted, in
/// milliseconds.
const LOST_BOARD_MIN_MS: u64 = MINUTE_MS;

/// The maximum refund in one turn for a late board, in milliseconds.
const REFUND_MAX_MS: u64 = 10 * MINUTE_MS;

/// The minimum refund, in milliseconds: less is not worth a line.
const REFUND_MIN_MS: u64 = 2_000;

/// The minimum time per turn of a slow game, in seconds: its players look in now and then.
const SLOW_TURN_S: u32 = HOUR_S;

/// How long before the end of a slow turn the last reminder is sent, in milliseconds.
const LAST_REMINDER_MS: u64 = HOUR_MS;

/// The minimum and maximum of seconds per turn.
const TURN_LIMITS_S: (u32, u32) = (10, 30 * DAY_S);

/// The minimum and maximum of seconds per game; the maximum also limits the increment.
const BANK_LIMITS_S: (u32, u32) = (MINUTE_S, 3 * HOUR_S);
const INCREMENT_MAX_S: u32 = 300;

/// A minute, in seconds.
pub const MINUTE_S: u32 = 60;
/// An hour, in seconds.
pub const HOUR_S: u32 = 60 * MINUTE_S;
/// A day, in seconds.
pub const DAY_S: u32 = 24 * HOUR_S;

/// The time control of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// No time limit.
    #[default]
    Unlimited,
    /// A number of seconds for each turn.
    PerTurn(u32),
    /// A number of seconds for the whole game, and an increment for each turn.
    PerGame {
        /// The seconds for the game.
        bank: u32,
        /// The seconds added with each turn.
        increment: u32,
    },
}

impl TimeControl {
    /// The time controls that the bot offers to choose from.
    pub const PRESETS: [TimeControl; 9] = [
        TimeControl::Unlimited,
        TimeControl::PerTurn(MINUTE_S),
        TimeControl::PerTurn(3 * MINUTE_S),
        TimeControl::PerTurn(10 * MINUTE_S),
        TimeControl::PerGame { bank: 5 * MINUTE_S, increment: 5 },
        TimeControl::PerGame { bank: 10 * MINUTE_S, increment: 10 },
        TimeControl::PerTurn(DAY_S),
        TimeControl::PerTurn(3 * DAY_S),
        TimeControl::PerTurn(7 * DAY_S),
    ];

    /// Returns the spelling in logs, buttons and commands.
    pub fn encode(self) -> String {
        match self {
            TimeControl::Unlimited => "free".to_owned(),
            TimeControl::PerTurn(seconds) => format!("turn-{seconds}"),
            TimeControl::PerGame { bank, increment: more } => format!("game-{bank}-{more}"),
        }
    }

    /// Parses that spelling; `None` also for values outside of the limits.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let mut parts = text.split('-');
        let number = |parts: &mut std::str::Split<'_, char>| parts.next()?.parse().ok();
        let control = match parts.next()? {
            "free" => TimeControl::Unlimited,
            "turn" => TimeControl::PerTurn(number(&mut parts)?),
            "game" => {
                TimeControl::PerGame { bank: number(&mut parts)?, increment: number(&mut parts)? }
            }
            _ => return None,
        };
        let within = |(least, most): (u32, u32), it: u32| (least..=most).contains(&it);
        let sound = match control {
            TimeControl::Unlimited => true,
            TimeControl::PerTurn(seconds) => within(TURN_LIMITS_S, seconds),
            TimeControl::PerGame { bank, increment: more } => {
                within(BANK_LIMITS_S, bank) && more <= INCREMENT_MAX_S
            }
        };
        (sound && parts.next().is_none()).then_some(control)
    }

    /// Whether players need only look in now and then.
    pub fn is_slow(self) -> bool {
        matches!(self, TimeControl::PerTurn(seconds) if seconds >= SLOW_TURN_S)
    }

    /// The time of every seat at the start, in milliseconds.
    pub(super) fn initial_ms(self) -> u64 {
        match self {
            TimeControl::Unlimited => 0,
            TimeControl::PerTurn(seconds) | TimeControl::PerGame { bank: seconds, .. } => {
                u64::from(seconds) * 1_000
            }
        }
    }

    /// The increment for each turn, in milliseconds.
    pub(super) fn increment_ms(self) -> u64 {
        if let TimeControl::PerGame { increment: more, .. } = self {
            u64::from(more) * 1_000
        } else {
            0
        }
    }
}

/// An event about time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// The time control was set before the start.
    ControlSet(TimeControl),
    /// The level of the computer that substitutes for absent players was set before the start.
    SubstituteLevelSet(ComputerLevel),
    /// The decisions of a seat before its move take chat in the same turn, and only its own move
    /// gives it the increment. The event precedes the start of timed games in which this matters;
    /// without it each position is a turn, as in all earlier logs. Programs before version 0.2
    /// cannot read it.
    WholeTurnsTimed,
    /// The running clock or the remaining times changed.
    ClocksChanged(ClockSnapshot),
    /// The running clock gets time back. A refund for an outage also extends the time of a player
    /// who may object to being replaced.
    Refunded {
        /// The refund, in milliseconds.
        ms: u64,
    },
    /// All clocks are paused by agreement.
    Paused,
    /// All clocks are resumed.
    Resumed,
    /// The operator stopped the table: nobody can act and no time passes. Programs before version
    /// 0.2 cannot read it.
    Frozen,
    /// The operator lets the table go on. Programs before version 0.2 cannot read it.
    Unfrozen,
    /// The time of a seat has run out.
    TimeRanOut {
        /// The seat.
        seat: u8,
    },
    /// A person has no open access route to the table any more: they left the chat, or were
    /// removed. The cause of the line says which; they then have time to come back, see
    /// [`presence`](super::presence). Without such a cause they are away.
    PersonLeft {
        /// The person.
        person: PersonId,
    },
    /// A person who was away has returned.
    PersonReturned {
        /// Their seat.
        seat: u8,
    },
    /// A waiting player reminded the player to move.
    Nudged {
        /// The seat of the waiting player.
        seat: u8,
    },
    /// A player is on vacation.
    VacationStarted {
        /// The player.
        person: PersonId,
        /// The end of the vacation, in milliseconds since 1970.
        until_ms: u64,
    },
    /// A player's vacation is over.
    VacationEnded {
        /// The player.
        person: PersonId,
    },
}

impl ClockEvent {
    /// Whether the event fits the phase of a table, and whether its numbers fit this number of
    /// seats.
    pub(super) fn fits(&self, phase: &TablePhase, seats: u8) -> (bool, bool) {
        let lobby = *phase == TablePhase::Lobby;
        let playing = *phase == TablePhase::Playing;
        let sits = |seat: u8| seat < seats;
        match self {
            ClockEvent::ControlSet(_)
            | ClockEvent::SubstituteLevelSet(_)
            | ClockEvent::WholeTurnsTimed => (lobby, true),
            ClockEvent::ClocksChanged(it) => {
                let all = it.left_ms.len() == usize::from(seats);
                (playing, all && it.running.is_none_or(|(seat, _)| sits(seat)))
            }
            // Where the rules have changed since, the player to move is unknown.
            ClockEvent::Refunded { .. } | ClockEvent::Paused | ClockEvent::Resumed => {
                (playing, true)
            }
            ClockEvent::Frozen | ClockEvent::Unfrozen => (lobby || playing, true),
            ClockEvent::TimeRanOut { seat }
            | ClockEvent::PersonReturned { seat }
            | ClockEvent::Nudged { seat } => (playing, sits(*seat)),
            ClockEvent::PersonLeft { .. } => (playing, true),
            ClockEvent::VacationStarted { .. } | ClockEvent::VacationEnded { .. } => {
                (lobby || playing, true)
            }
        }
    }
}

/// The clocks of a table at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSnapshot {
    /// The seat whose clock runs, and the moment at which it runs out, in milliseconds since 1970.
    pub running: Option<(u8, u64)>,
    /// The time that each seat had left at this moment, in milliseconds.
    pub left_ms: Vec<u64>,
}

impl Table {
    /// The present turn.
    pub fn current_turn(&self) -> Option<TurnId> {
        self.last_turn().filter(|_| self.phase == TablePhase::Playing)
    }

    /// The present turn, or after the end the last one.
    pub(super) fn last_turn(&self) -> Option<TurnId> {
        let game = self.game.as_ref()?;
        let Node::Act(seat) = game.node() else { return None };
        let moves = || game.move_number().filter(|_| self.clocks.are_whole_turns_timed);
        let number = game.turn_number().or_else(moves);
        Some((seat.0, number.map_or(self.history.position, u64::from)))
    }

    /// The event before the start that states that a turn goes on until the seat's move, where a
    /// clock runs and the game makes a difference between the two.
    pub(super) fn whole_turns_event(&self) -> Option<Event> {
        if self.clocks.control == TimeControl::Unlimited {
            return None;
        }
        let counts_moves = self.initial_game().ok()?.move_number().is_some();
        counts_moves.then_some(Event::Clock(ClockEvent::WholeTurnsTimed))
    }

    /// Whether people play each other by a clock here. A person who plays alone has unlimited time.
    pub fn is_timed(&self) -> bool {
        self.clocks.control != TimeControl::Unlimited
            && !self.is_solo()
            && self.seating.people_seats().len() > 1
    }

    /// The running clock.
    pub fn running_clock(&self) -> Option<&RunningClock> {
        self.clocks.running.as_ref().filter(|_| self.phase == TablePhase::Playing)
    }

    /// The clock of the player to move in a slow game. It runs on while an offer is pending.
    pub fn slow_turn(&self) -> Option<SlowTurn> {
        let running = *self.running_clock().filter(|_| self.clocks.control.is_slow())?;
        Some(SlowTurn { running, sent_reminders: self.clocks.sent_reminders })
    }

    /// The turn for which a clock has to run now.
    pub(super) fn timed_turn(&self) -> Option<TurnId> {
        let turn = self.current_turn()?;
        let runs = self.is_timed()
            && !self.clocks.paused
            && !self.is_frozen()
            && !self.seating.is_computer(turn.0)
            && !self.is_away(turn.0)
            && self.involuntary_departure(turn.0).is_none()
            && self.vacation_until(turn.0).is_none()
            && self.clocks.late_turn != Some(turn);
        runs.then_some(turn)
    }

    /// Returns the clocks after the latest events, if they changed. The running clock stops at
    /// `received_ms`, the next one starts at `at_ms`. `planned` is a seat that played a turn in
    /// between in no time; `has_moved` tells which seats made a step in the events.
    pub(super) fn next_snapshot(
        &self,
        at_ms: u64,
        received_ms: u64,
        planned: Option<u8>,
        has_moved: impl Fn(u8) -> bool,
    ) -> Option<ClockSnapshot> {
        let running = self.running_clock();
        let wanted = self.timed_turn();
        if running.map(|it| it.turn) == wanted || (running.is_none() && !self.is_timed()) {
            return None;
        }
        let control = self.clocks.control;
        let mut left_ms = self.clocks.left_ms.clone();
        left_ms.resize(usize::from(self.setup.seats), control.initial_ms());
        if let Some(RunningClock { turn, from_ms, until_ms, .. }) = running
            && let Some(left) = left_ms.get_mut(usize::from(turn.0))
        {
            let stopped_ms = received_ms.max(*from_ms).min(at_ms);
            *left = until_ms.saturating_sub(stopped_ms);
            // In the first logs a turn that another player cut off gave an increment, too.
            let is_earned = !self.clocks.are_whole_turns_timed || has_moved(turn.0);
            if is_earned && self.current_turn() != Some(*turn) {
                *left = left.saturating_add(control.increment_ms());
            }
        }
        if let Some(left) = planned.and_then(|seat| left_ms.get_mut(usize::from(seat))) {
            *left = left.saturating_add(control.increment_ms());
        }
        let running = wanted.map(|turn| {
            let left_ms = left_ms.get(usize::from(turn.0)).copied().unwrap_or_default();
            (turn.0, at_ms.saturating_add(self.clocks.turn_start_ms(turn, left_ms)))
        });
        Some(ClockSnapshot { running, left_ms })
    }

    /// Applies an event about time.
    pub(super) fn apply_clock_event(&mut self, event: &ClockEvent, line: &LogLine) {
        let at_ms = line.at_ms;
        match event {
            ClockEvent::ControlSet(control) => {
                self.change_lobby_settings(line, |table| table.clocks.control = *control);
            }
            ClockEvent::SubstituteLevelSet(level) => {
                let set = |table: &mut Table| table.clocks.substitute_level = Some(*level);
                self.change_lobby_settings(line, set);
            }
            ClockEvent::WholeTurnsTimed => self.clocks.are_whole_turns_timed = true,
            ClockEvent::ClocksChanged(reading) => {
                let turn = self.current_turn();
                let steps = self.history.steps.len();
                self.clocks.set_clocks(reading, turn, at_ms, self.version, steps);
            }
            ClockEvent::Refunded { ms } => {
                // While a board was late the bot ran: it sent reminders, and players could object.
                let is_outage = line.cause == OUTAGE_CAUSE;
                if is_outage {
                    objections::extend_silent_wait(self, *ms, at_ms);
                }
                if line.cause == LOST_BOARD_CAUSE {
                    self.clocks.record_lost_board();
                }
                self.clocks.refund(*ms, at_ms, is_outage);
            }
            ClockEvent::Paused => {
                self.clocks.pause(at_ms);
                self.offers.end_with_pause();
            }
            ClockEvent::Resumed => {
                self.clocks.paused = false;
                self.offers.end_with_pause();
            }
            ClockEvent::Frozen => self.clocks.freeze(at_ms),
            ClockEvent::Unfrozen => {
                if let Some(from_ms) = self.clocks.unfreeze(at_ms) {
                    let ms = at_ms.saturating_sub(from_ms);
                    objections::extend_silent_wait(self, ms, at_ms);
                }
            }
            ClockEvent::TimeRanOut { .. }
            | ClockEvent::PersonLeft { .. }
            | ClockEvent::PersonReturned { .. }
            | ClockEvent::Nudged { .. } => self.apply_absence(event, line),
            ClockEvent::VacationStarted { person, until_ms } => {
                let is_own = |seat| self.seating.has_seat(person, seat);
                self.clocks.interrupt_turn(|turn| is_own(turn.0));
                self.clocks.record_vacation(person, *until_ms);
            }
            ClockEvent::VacationEnded { person } => {
                self.clocks.end_vacation(person);
                self.seating.record_action_of(person, at_ms);
            }
        }
    }
}

/// The clock of a slow game. Reminders are due at half and at a fifth of the time, and an hour
/// before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowTurn {
    /// The clock.
    pub running: RunningClock,
    /// The reminders that must not be sent any more, in that order.
    pub sent_reminders: [bool; 3],
}

impl SlowTurn {
    /// Returns the clock after a refund of this length now, and after an outage of this length.
    pub fn with_refund(self, ms: u64, at_ms: u64, missed_ms: u64) -> Self {
        let until_said_ms = at_ms.saturating_sub(missed_ms);
        let was_due = |at: Option<u64>| at.is_some_and(|at| at <= until_said_ms);
        let due = self.reminder_times().map(was_due);
        let running = RunningClock {
            until_ms: self.running.until_ms.saturating_add(ms),
            refunded_ms: self.running.refunded_ms.saturating_add(ms),
            outage_refunded_ms: if missed_ms > 0 { at_ms } else { self.running.outage_refunded_ms },
            ..self.running
        };
        SlowTurn {
            running,
            sent_reminders: std::array::from_fn(|n| self.sent_reminders[n] || due[n]),
        }
    }

    /// The time of each reminder, where the clock has more time than that.
    fn reminder_times(&self) -> [Option<u64>; 3] {
        let RunningClock { from_ms, until_ms, .. } = self.running;
        let all = until_ms.saturating_sub(from_ms);
        [all / 2, all / 5, LAST_REMINDER_MS].map(|left| (left < all).then(|| until_ms - left))
    }

    /// Returns the time of the next reminder to the player to move after this moment.
    ///
    /// A refund postpones reminders; a player who was reminded before the refund does not get the
    /// same reminder again.
    pub fn next_reminder(&self, after_ms: u64) -> Option<u64> {
        let all = self.reminder_times().into_iter().zip(self.sent_reminders);
        let due = all.filter(|(_, said)| !said).filter_map(|(at, _)| at);
        due.filter(|at| *at > after_ms).min()
    }
}

/// The time at which the running clock counts as run out, in milliseconds since 1970.
pub(super) fn clock_deadline(table: &Table) -> Option<u64> {
    table.running_clock().map(|it| it.until_ms.saturating_add(LAG_MS))
}

/// Decides the events that follow when a clock has run out.
pub(super) fn expire_clock(table: &Table, now_ms: u64) -> Option<Decision> {
    let running =
        table.running_clock().filter(|it| now_ms >= it.until_ms.saturating_add(LAG_MS))?;
    let mut draft = DecisionBuilder::new(table, EventMeta::of_timer(now_ms));
    draft.add(Event::Clock(ClockEvent::TimeRanOut { seat: running.turn.0 }));
    Some(draft.finish())
}

/// Refunds the player to move for the delay before the board appeared in their chat: `late_ms`
/// after the clock started, measured by the monotonic clock. Refunds of less than two seconds are
/// skipped; the total is limited to ten minutes per turn and to the length of the turn.
pub fn refund_board_delay(table: &Table, late_ms: u64, meta: EventMeta) -> Option<Decision> {
    board_delay_refund_ms(table, late_ms).map(|ms| refund(table, ms, meta))
}

fn board_delay_refund_ms(table: &Table, late_ms: u64) -> Option<u64> {
    let running = table.running_clock()?;
    let had = running.until_ms.saturating_sub(running.from_ms).saturating_sub(running.refunded_ms);
    let due = late_ms.min(REFUND_MAX_MS).min(had);
    Some(due.saturating_sub(running.refunded_ms)).filter(|ms| *ms >= REFUND_MIN_MS)
}

/// The refund to the player to move after the message was deleted in which they saw the board, in
/// milliseconds: what they lack to a tenth of the initial time, at least a minute.
pub(super) fn lost_board_refund_ms(table: &Table, now_ms: u64) -> u64 {
    let Some(running) = table.running_clock() else { return 0 };
    let initial_ms = table.clocks.control.initial_ms();
    let least_ms = LOST_BOARD_MIN_MS.max(initial_ms / 10).min(initial_ms);
    least_ms.saturating_sub(running.until_ms.saturating_sub(now_ms))
}

/// Refunds an outage from `from_ms` until now: to the clock for the time it ran in the outage, and
/// to a player who may object to being replaced.
pub fn refund_outage(table: &Table, from_ms: u64, now_ms: u64) -> Option<Decision> {
    let ran_ms = table.running_clock().map(RunningClock::uninterrupted_since_ms);
    let since_ms = ran_ms.into_iter().chain(objections::silent_since_ms(table)).min()?;
    let ms = now_ms.saturating_sub(from_ms.max(since_ms));
    let meta = EventMeta::received_now(now_ms, OUTAGE_CAUSE);
    (ms > 0).then(|| refund(table, ms, meta))
}

fn refund(table: &Table, ms: u64, meta: EventMeta) -> Decision {
    let mut draft = DecisionBuilder::new(table, meta);
    draft.add(Event::Clock(ClockEvent::Refunded { ms }));
    draft.finish()
}
