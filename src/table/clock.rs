//! Clocks: how much time people have, whose clock runs, until when.
//!
//! All times stand in the log as they were decided, so that no later program reckons them
//! otherwise: [`Timed::Runs`] closes every entry that changes whose clock runs, with the moment
//! it runs out and what is left for everybody. A clock runs while a person is on turn, among at
//! least two people who are there; it stands while a computer plays, during a pause, where nobody
//! is left to play with, and, if it is a slow one, during their [vacation](super::vacation).
//!
//! Whose time it is not: what it takes until the board is shown where the one on turn is, see
//! [`credit`]; that the bot did not run, or could keep nothing, see [`given_back`]; the way of a
//! press to the bot, [`LAG_MS`].

use super::consent;
use super::decide::Decision;
use super::event::{Event, Line};
use super::fold::{Phase, Table};
use super::run::{Draft, Stamp};
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Node;
use caravanserai_games::search::Level;

/// How long after its end a clock is taken for run out, in milliseconds: a press made in time is
/// still on its way.
pub const LAG_MS: u64 = 1_000;

/// The causes of time that is given back, in logs: a board that came late, no bot that ran.
pub const SHOWN: &str = "shown";
const OUTAGE: &str = "outage";

/// The least time at the beginning of a turn, in milliseconds. A turn that was interrupted goes on
/// with what was left: coming back gives nothing.
const FLOOR_MS: u64 = 5_000;

/// A person who takes over a seat has at least the time at the start divided by this.
const TAKEOVER_PART: u64 = 10;

/// At most so much is given back in one turn because its board came late, in milliseconds.
const CREDIT_MAX_MS: u64 = 10 * 60_000;

/// Less than this is not worth a line, in milliseconds.
const CREDIT_MIN_MS: u64 = 2_000;

/// From so many seconds a turn on a game is a slow one: people look in now and then.
const SLOW_S: u32 = HOUR_S;

/// How long before the end of a slow turn the last reminder comes, in milliseconds.
const LAST_MS: u64 = 3_600_000;

/// The fewest and most seconds a turn.
const TURN_S: (u32, u32) = (10, 30 * DAY_S);

/// The fewest and most seconds a game, and the most for a turn besides.
const BANK_S: (u32, u32) = (MINUTE_S, 3 * HOUR_S);
const MORE_MAX_S: u32 = 300;

/// A minute, in seconds.
pub const MINUTE_S: u32 = 60;
/// An hour, in seconds.
pub const HOUR_S: u32 = 60 * MINUTE_S;
/// A day, in seconds.
pub const DAY_S: u32 = 24 * HOUR_S;

/// How much time people have: the time control of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// As much as they want.
    #[default]
    Free,
    /// So many seconds for each turn.
    Turn(u32),
    /// So many seconds for the whole game, and so many more with each turn.
    Game {
        /// For the game.
        bank: u32,
        /// With each turn.
        more: u32,
    },
}

impl Control {
    /// What is offered to choose from.
    pub const OFFERED: [Control; 9] = [
        Control::Free,
        Control::Turn(MINUTE_S),
        Control::Turn(3 * MINUTE_S),
        Control::Turn(10 * MINUTE_S),
        Control::Game { bank: 5 * MINUTE_S, more: 5 },
        Control::Game { bank: 10 * MINUTE_S, more: 10 },
        Control::Turn(DAY_S),
        Control::Turn(3 * DAY_S),
        Control::Turn(7 * DAY_S),
    ];

    /// The spelling in logs, buttons and commands.
    pub fn write(self) -> String {
        match self {
            Control::Free => "free".to_owned(),
            Control::Turn(seconds) => format!("turn-{seconds}"),
            Control::Game { bank, more } => format!("game-{bank}-{more}"),
        }
    }

    /// Reads that spelling; `None` also for what nobody could play by.
    pub fn read(text: &str) -> Option<Control> {
        let mut parts = text.split('-');
        let number = |parts: &mut std::str::Split<'_, char>| parts.next()?.parse().ok();
        let control = match parts.next()? {
            "free" => Control::Free,
            "turn" => Control::Turn(number(&mut parts)?),
            "game" => Control::Game { bank: number(&mut parts)?, more: number(&mut parts)? },
            _ => return None,
        };
        let within = |(least, most): (u32, u32), it: u32| (least..=most).contains(&it);
        let sound = match control {
            Control::Free => true,
            Control::Turn(seconds) => within(TURN_S, seconds),
            Control::Game { bank, more } => within(BANK_S, bank) && more <= MORE_MAX_S,
        };
        (sound && parts.next().is_none()).then_some(control)
    }

    /// Whether people need only look in now and then.
    pub fn is_slow(self) -> bool {
        matches!(self, Control::Turn(seconds) if seconds >= SLOW_S)
    }

    /// What everybody has at the start, in milliseconds.
    pub(super) fn first_ms(self) -> u64 {
        match self {
            Control::Free => 0,
            Control::Turn(seconds) | Control::Game { bank: seconds, .. } => {
                u64::from(seconds) * 1_000
            }
        }
    }

    /// How much more each turn gives, in milliseconds.
    fn more_ms(self) -> u64 {
        if let Control::Game { more, .. } = self { u64::from(more) * 1_000 } else { 0 }
    }
}

/// Something that happened about time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timed {
    /// How much time people have was settled before the start.
    Settled(Control),
    /// How strong the computer is that plays for somebody absent was settled before the start.
    Helper(Level),
    /// Whose clock runs from now on.
    Runs(Reading),
    /// So many milliseconds are given back to the clock that runs; those in which no bot ran also
    /// to whoever may object to being replaced.
    Credited {
        /// How many.
        ms: u64,
    },
    /// All clocks stand, for all agreed.
    Paused,
    /// They go on.
    Resumed,
    /// Somebody's time has run out.
    Late {
        /// Whose.
        seat: u8,
    },
    /// No way to the table is open to a person any more: they left the chat, or were removed. The
    /// cause of the line says which, and then they have time to come back, see
    /// [`presence`](super::presence). Without such a cause they are away.
    Gone {
        /// Who.
        person: PersonId,
    },
    /// Somebody who was away is here again.
    Returned {
        /// Their seat.
        seat: u8,
    },
    /// Whoever is on turn was reminded by somebody who waits.
    Nudged {
        /// The seat of whoever waits.
        seat: u8,
    },
    /// Somebody is on vacation.
    Vacation {
        /// Who.
        person: PersonId,
        /// Until when, in milliseconds since 1970.
        until_ms: u64,
    },
    /// Their vacation is over.
    Home {
        /// Whose.
        person: PersonId,
    },
}

/// What the clocks of a table show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The seat whose clock runs, and when it runs out, in milliseconds since 1970.
    pub running: Option<(u8, u64)>,
    /// What each seat had left when this was written, in milliseconds.
    pub left_ms: Vec<u64>,
}

/// A turn: the seat, and what tells it from their other turns. What a person may do in several
/// steps is one turn where the game counts turns; else each position is one.
pub type Turn = (u8, u64);

/// A clock that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// For which turn.
    pub turn: Turn,
    /// Since when, in milliseconds since 1970.
    pub from_ms: u64,
    /// Until when.
    pub until_ms: u64,
    /// How much of that was given back.
    pub credited_ms: u64,
    /// When time in which no bot ran was given back last, in milliseconds since 1970. What a late
    /// board gave back is no matter: it is not more than a turn has, however long nothing could be
    /// done.
    pub given_ms: u64,
    /// The first version of the table that shows this turn.
    pub version: u64,
}

impl Running {
    /// Since when it has run without an outage that was made good, in milliseconds since 1970.
    fn began_ms(&self) -> u64 {
        self.from_ms.max(self.given_ms)
    }
}

/// All that a table knows of time, and of those who let it pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// How much time people have.
    pub control: Control,
    /// How strong the computer is that plays for somebody absent, if that was settled.
    pub helper: Option<Level>,
    /// The clock that runs.
    pub running: Option<Running>,
    /// Which reminders of its turn were due before anything was given back last, while a bot ran.
    pub(super) reminded: [bool; 3],
    /// What each seat had left when the clocks changed last, in milliseconds.
    pub left_ms: Vec<u64>,
    /// Whether all clocks stand, for all agreed.
    pub paused: bool,
    /// The turn that was interrupted last: by a pause, a vacation, or because its person went away.
    pub(super) interrupted: Option<Turn>,
    /// In games with a bank, the time of each seat when the clocks first changed after a step: the
    /// number of steps, then the milliseconds by seat, repeated.
    pub(super) banks: Vec<u64>,
    /// Who is on vacation, and until when.
    pub(super) vacations: Vec<(PersonId, u64)>,
    /// The turn whose time has run out.
    pub(super) late: Option<Turn>,
    /// By seat: how often in a row it was late, and whether its person is away.
    pub(super) absent: Vec<super::absence::Absence>,
    /// The seat for which a computer has played a turn, until a person plays again.
    pub covered: Option<u8>,
    /// The steps that a computer played for somebody absent, counted from 0.
    pub(super) stood_in: Vec<u32>,
    /// When somebody who waits reminded the others last, in milliseconds since 1970.
    pub nudged_ms: u64,
}

impl Table {
    /// The turn that is played now.
    pub fn this_turn(&self) -> Option<Turn> {
        self.last_turn().filter(|_| self.phase == Phase::Playing)
    }

    /// The turn that is played now, or after the end the last one.
    pub(super) fn last_turn(&self) -> Option<Turn> {
        let game = self.game.as_ref()?;
        let Node::Act(seat) = game.node() else { return None };
        Some((seat.0, game.number().map_or(self.position, u64::from)))
    }

    /// Whether people play each other by a clock here. Whoever plays alone has all the time.
    pub fn is_timed(&self) -> bool {
        self.timing.control != Control::Free && !self.is_solo() && self.people_seats().len() > 1
    }

    /// The clock that runs.
    pub fn running(&self) -> Option<&Running> {
        self.timing.running.as_ref().filter(|_| self.phase == Phase::Playing)
    }

    /// The clock of whoever is on turn, where they need only look in now and then: nobody waits
    /// for anything else there.
    pub fn slow_turn(&self) -> Option<SlowTurn> {
        let is_slow = self.timing.control.is_slow() && self.offer.is_none();
        let running = *self.running().filter(|_| is_slow)?;
        Some(SlowTurn { running, said: self.timing.reminded })
    }

    /// The turn for which a clock has to run now.
    pub(super) fn clocked_turn(&self) -> Option<Turn> {
        let turn = self.this_turn()?;
        let runs = self.is_timed()
            && !self.timing.paused
            && !self.is_computer(turn.0)
            && !self.is_away(turn.0)
            && self.vacation_of(turn.0).is_none()
            && self.timing.late != Some(turn);
        runs.then_some(turn)
    }

    /// What a seat goes on with in a turn, in milliseconds; `left_ms`: what it has left.
    fn goes_on_with(&self, turn: Turn, left_ms: u64) -> u64 {
        if self.timing.interrupted == Some(turn) {
            return left_ms;
        }
        let has = match self.timing.control {
            Control::Turn(_) => self.timing.control.first_ms(),
            Control::Free | Control::Game { .. } => left_ms,
        };
        has.max(FLOOR_MS)
    }

    /// The clocks after what has just happened, if they changed. The clock that ran stops at
    /// `received_ms`, the next one starts at `at_ms`. `planned`: a seat that played a turn in
    /// between in no time.
    pub(super) fn reading(
        &self,
        at_ms: u64,
        received_ms: u64,
        planned: Option<u8>,
    ) -> Option<Reading> {
        let (running, wanted) = (self.running(), self.clocked_turn());
        if running.map(|it| it.turn) == wanted || (running.is_none() && !self.is_timed()) {
            return None;
        }
        let control = self.timing.control;
        let mut left_ms = self.timing.left_ms.clone();
        left_ms.resize(usize::from(self.setup.seats), control.first_ms());
        if let Some(Running { turn, from_ms, until_ms, .. }) = running
            && let Some(left) = left_ms.get_mut(usize::from(turn.0))
        {
            let stopped_ms = received_ms.max(*from_ms).min(at_ms);
            *left = until_ms.saturating_sub(stopped_ms);
            if self.this_turn() != Some(*turn) {
                *left = left.saturating_add(control.more_ms());
            }
        }
        if let Some(left) = planned.and_then(|seat| left_ms.get_mut(usize::from(seat))) {
            *left = left.saturating_add(control.more_ms());
        }
        let running = wanted.map(|turn| {
            let left_ms = left_ms.get(usize::from(turn.0)).copied().unwrap_or_default();
            (turn.0, at_ms.saturating_add(self.goes_on_with(turn, left_ms)))
        });
        Some(Reading { running, left_ms })
    }

    /// Whether an event about time can happen to this table.
    pub(super) fn can_be_timed(&self, event: &Timed) -> (bool, bool) {
        let (lobby, playing) = (self.phase == Phase::Lobby, self.phase == Phase::Playing);
        let sits = |seat: u8| seat < self.setup.seats;
        match event {
            Timed::Settled(_) | Timed::Helper(_) => (lobby, true),
            Timed::Runs(it) => {
                let all = it.left_ms.len() == usize::from(self.setup.seats);
                (playing, all && it.running.is_none_or(|(seat, _)| sits(seat)))
            }
            // Where the rules have changed since, nobody knows whose turn it was.
            Timed::Credited { .. } | Timed::Paused | Timed::Resumed => (playing, true),
            Timed::Late { seat } | Timed::Returned { seat } | Timed::Nudged { seat } => {
                (playing, sits(*seat))
            }
            Timed::Gone { .. } => (playing, true),
            Timed::Vacation { .. } | Timed::Home { .. } => (lobby || playing, true),
        }
    }

    /// Applies an event about time.
    pub(super) fn timed(&mut self, event: &Timed, line: &Line) {
        let at_ms = line.at_ms;
        match event {
            Timed::Settled(control) => self.timing.control = *control,
            Timed::Helper(level) => self.timing.helper = Some(*level),
            Timed::Runs(reading) => {
                self.timing.left_ms.clone_from(&reading.left_ms);
                let turn = self.this_turn();
                let running = reading.running.and_then(|(seat, until_ms)| {
                    let turn = turn.filter(|it| it.0 == seat)?;
                    let (from_ms, version) = (at_ms, self.version);
                    Some(Running { turn, from_ms, until_ms, credited_ms: 0, given_ms: 0, version })
                });
                if running.is_some_and(|it| self.timing.late == Some(it.turn)) {
                    // Earlier programs gave a person who came back a new clock for a turn whose
                    // time had run out.
                    self.timing.late = None;
                }
                (self.timing.running, self.timing.reminded) = (running, [false; 3]);
                self.note_banks();
            }
            Timed::Credited { ms } => {
                // While a board was late the bot ran: it reminded, and whoever may object could.
                let is_outage = line.cause == OUTAGE;
                if is_outage {
                    consent::silenced(self, *ms, at_ms);
                }
                if let Some(running) = self.timing.running {
                    let ran_ms = at_ms.saturating_sub(running.began_ms());
                    let (ms, missed_ms) =
                        if is_outage { ((*ms).min(ran_ms), *ms) } else { (*ms, 0) };
                    let slow = SlowTurn { running, said: self.timing.reminded };
                    let SlowTurn { running, said } = slow.given(ms, at_ms, missed_ms);
                    (self.timing.running, self.timing.reminded) = (Some(running), said);
                }
            }
            Timed::Paused => {
                self.timing.paused = true;
                let running = self.timing.running.map(|it| it.turn);
                self.timing.interrupted = running.or(self.timing.interrupted);
                self.timing.late = None;
                self.end_offer();
            }
            Timed::Resumed => {
                self.timing.paused = false;
                self.end_offer();
            }
            Timed::Late { .. }
            | Timed::Gone { .. }
            | Timed::Returned { .. }
            | Timed::Nudged { .. } => self.absented(event, line),
            Timed::Vacation { person, until_ms } => self.goes_away(person, *until_ms),
            Timed::Home { person } => self.is_home(person, at_ms),
        }
    }

    /// Gives the clock of a seat to another person: the turn goes on with what was left, but at
    /// least with a part of the time at the start.
    pub(super) fn take_over_clock(&mut self, seat: u8, at_ms: u64) {
        let (turn, first_ms) = (self.this_turn(), self.timing.control.first_ms());
        let stopped = self.timing.running.take_if(|it| it.turn.0 == seat);
        let late = self.timing.late.take_if(|it| it.0 == seat);
        let broken = stopped.map(|it| it.turn).or(late.filter(|it| Some(*it) == turn));
        self.timing.interrupted = broken.or(self.timing.interrupted);
        if let Some(left) = self.timing.left_ms.get_mut(usize::from(seat)) {
            *left = stopped.map_or(*left, |it| it.until_ms.saturating_sub(at_ms));
            *left = (*left).max((first_ms / TAKEOVER_PART).max(FLOOR_MS).min(first_ms));
        }
    }

    /// Notes the time of all seats at the beginning of this position: a take-back restores it.
    fn note_banks(&mut self) {
        let (width, steps) = (self.banks_width(), self.steps.len() as u64);
        let full = self.timing.left_ms.len() + 1 == width;
        let last = self.timing.banks.chunks_exact(width).next_back().map(|it| it[0]);
        let has_bank = matches!(self.timing.control, Control::Game { .. });
        if has_bank && full && last.is_none_or(|it| it < steps) {
            self.timing.banks.push(steps);
            self.timing.banks.extend_from_slice(&self.timing.left_ms);
        }
    }

    fn banks_width(&self) -> usize {
        usize::from(self.setup.seats) + 1
    }

    /// Restores the clocks after moves were taken back: if that leads to another turn, every seat
    /// has the time that it had when that turn began. Only a turn that ends by a move gives an
    /// increment.
    pub(super) fn take_back_clocks(&mut self) {
        let turn = self.this_turn();
        let paused = self.timing.interrupted.filter(|_| self.timing.paused);
        let timed = self.timing.running.map(|it| it.turn).or(paused);
        if timed.is_none() || timed == turn {
            return;
        }
        (self.timing.running, self.timing.interrupted) = (None, None);
        let (width, steps) = (self.banks_width(), self.steps.len() as u64);
        let known = self.timing.banks.chunks_exact(width).rposition(|it| it[0] <= steps);
        let Some(at) = known.map(|it| it * width) else { return };
        self.timing.banks.truncate(at + width);
        self.timing.left_ms = self.timing.banks[at + 1..].to_vec();
    }
}

/// A clock that runs where people need only look in now and then, and are reminded of it: at half
/// and at a fifth of their time, and an hour before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowTurn {
    /// The clock.
    pub running: Running,
    /// Which reminders are not to be said any more, in that order.
    pub said: [bool; 3],
}

impl SlowTurn {
    /// The same clock when so much was given back now, and no bot ran for so long before.
    pub fn given(self, ms: u64, at_ms: u64, missed_ms: u64) -> Self {
        let until_said_ms = at_ms.saturating_sub(missed_ms);
        let was_due = |at: Option<u64>| at.is_some_and(|at| at <= until_said_ms);
        let due = self.reminders().map(was_due);
        let running = Running {
            until_ms: self.running.until_ms.saturating_add(ms),
            credited_ms: self.running.credited_ms.saturating_add(ms),
            given_ms: if missed_ms > 0 { at_ms } else { self.running.given_ms },
            ..self.running
        };
        SlowTurn { running, said: std::array::from_fn(|n| self.said[n] || due[n]) }
    }

    /// When each reminder is due, where there is more time than that.
    fn reminders(&self) -> [Option<u64>; 3] {
        let Running { from_ms, until_ms, .. } = self.running;
        let all = until_ms.saturating_sub(from_ms);
        [all / 2, all / 5, LAST_MS].map(|left| (left < all).then(|| until_ms - left))
    }

    /// When whoever is on turn is reminded next after this moment.
    ///
    /// What was given back puts reminders off; who was reminded before that is not reminded once
    /// more.
    pub fn next_reminder(&self, after_ms: u64) -> Option<u64> {
        let all = self.reminders().into_iter().zip(self.said);
        let due = all.filter(|(_, said)| !said).filter_map(|(at, _)| at);
        due.filter(|at| *at > after_ms).min()
    }
}

/// When the clock that runs is taken for run out, in milliseconds since 1970.
pub(super) fn deadline(table: &Table) -> Option<u64> {
    table.running().map(|it| it.until_ms.saturating_add(LAG_MS))
}

/// What happens when a clock has run out.
pub(super) fn run_out(table: &Table, now_ms: u64) -> Option<Decision> {
    let running = table.running().filter(|it| now_ms >= it.until_ms.saturating_add(LAG_MS))?;
    let mut draft = Draft::of(table, Stamp::of_time(now_ms));
    draft.add(Event::Time(Timed::Late { seat: running.turn.0 }));
    Some(draft.done())
}

/// Gives back what it took until the board was shown where the one on turn is: `late_ms` after
/// the clock began to run, as the clock tells that never jumps. Less than two seconds do not
/// count; more than ten minutes a turn, or than the turn has, are not given.
pub fn credit(table: &Table, late_ms: u64, stamp: Stamp) -> Option<Decision> {
    let running = table.running()?;
    let had = running.until_ms.saturating_sub(running.from_ms).saturating_sub(running.credited_ms);
    let due = late_ms.min(CREDIT_MAX_MS).min(had);
    let ms = due.saturating_sub(running.credited_ms);
    (ms >= CREDIT_MIN_MS).then(|| given(table, ms, stamp))
}

/// Gives back the time in which no bot ran: since `from_ms` until now, to the clock as far as it
/// ran then, and to whoever may object to being replaced.
pub fn given_back(table: &Table, from_ms: u64, now_ms: u64) -> Option<Decision> {
    let ran_ms = table.running().map(Running::began_ms);
    let since_ms = ran_ms.into_iter().chain(consent::silent_since(table)).min()?;
    let ms = now_ms.saturating_sub(from_ms.max(since_ms));
    let stamp = Stamp::at(now_ms, OUTAGE);
    (ms > 0).then(|| given(table, ms, stamp))
}

fn given(table: &Table, ms: u64, stamp: Stamp) -> Decision {
    let mut draft = Draft::of(table, stamp);
    draft.add(Event::Time(Timed::Credited { ms }));
    draft.done()
}
