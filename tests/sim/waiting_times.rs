//! Checks, from the logs alone, that players have the time that the rules of presence and clocks
//! give them: slow clocks, pauses, vacations, and the number of calls.

use std::collections::BTreeMap;

use futures::FutureExt;

use super::world::{APART_MS, World};
use caravanserai_bot::repository::outbox_entry::PingTask;
use caravanserai_bot::repository::profiles::PersonProfile;
use caravanserai_bot::repository::stored_rows::parse_json_or_default;
use caravanserai_bot::settings::PingTiming;
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Put, Space, Store};
use caravanserai_table::clock::{ClockEvent, TimeControl, TurnId};
use caravanserai_table::event::{Event, EventCause, LogLine};
use caravanserai_table::objections::objection_window;
use caravanserai_table::state::Table;

/// The duration of a store outage that every process notices, in milliseconds; the second value is
/// for a world over many days.
const NOTICED_MS: (u64, u64) = (60_000, 420_000);

/// The most reminders in one run of a slow clock: at half, at a fifth and in its last hour.
const REMINDERS: u32 = 3;

/// The least time between two nudges, in milliseconds.
const NUDGED_MS: u64 = 3_600_000;

/// A setting that was changed within this time, in milliseconds, may have been read before.
const SETTLED_MS: u64 = 10_000;

/// The least time in which a player can object to being replaced, in milliseconds, with a clock and
/// without one.
const OBJECT_MS: (u64, u64) = (10 * 60_000, 24 * 3_600_000);

/// The longest time between a decision and its message, in milliseconds.
const SAID_MS: u64 = 90_000;

/// The knowledge about clocks and calls of one table.
#[derive(Default)]
pub struct WaitingTimes {
    /// The turn whose beginning was seen, and the time that its clock has run, in milliseconds.
    turn: Option<(TurnId, u64)>,
    /// The time of the last line.
    last_ms: u64,
    paused: bool,
    /// People on vacation, with the end.
    away: BTreeMap<PersonId, u64>,
    /// The number of reminders since the clock began to run, and of those while the person wanted
    /// them seldom.
    reminded: u32,
    seldom: u32,
    nudged_ms: Option<u64>,
    /// The cause of the line by which a person last came back.
    returned: Option<EventCause>,
    /// The version before the last one, and its end by the steady clock.
    before: Option<(u64, u64)>,
}

impl WaitingTimes {
    /// Checks a line before it is applied to this table.
    ///
    /// # Errors
    /// When the line breaks an invariant.
    pub fn comes(&mut self, world: &World, table: &Table, line: &LogLine) -> Result<(), String> {
        self.before = Some((table.version, world.steady_ms()));
        let stands_still = self.paused || self.is_resting(table);
        let passed_ms = line.at_ms.saturating_sub(self.last_ms);
        if let Some((_, ran_ms)) = self.turn.as_mut().filter(|_| !stands_still) {
            *ran_ms += passed_ms;
        }
        self.last_ms = line.at_ms;
        let clock_event = match &line.event {
            Event::Clock(clock_event) => clock_event,
            Event::SeatReplaced { seat, person, .. } => {
                return had_time_to_object(world, table, *seat, person, line);
            }
            _ => return Ok(()),
        };
        match clock_event {
            // A turn whose time ran out stays late when its person comes back.
            ClockEvent::TimeRanOut { .. } if self.returned.as_ref() == Some(&line.cause) => {}
            ClockEvent::TimeRanOut { .. } => {
                self.ran_out(table)?;
                ran_out_during_outage(world, table)?;
            }
            ClockEvent::PersonReturned { .. } => self.returned = Some(line.cause.clone()),
            ClockEvent::Paused => self.paused = true,
            ClockEvent::Resumed => self.paused = false,
            ClockEvent::ClocksChanged(_) => (self.reminded, self.seldom) = (0, 0),
            ClockEvent::Nudged { .. } => {
                let since_ms = self.nudged_ms.map(|it| line.at_ms.saturating_sub(it));
                if since_ms.is_some_and(|it| it < NUDGED_MS) {
                    return Err(format!("a player was nudged after {since_ms:?} ms"));
                }
                if self.is_resting(table) {
                    return Err("a player was nudged on vacation".to_owned());
                }
                self.nudged_ms = Some(line.at_ms);
            }
            ClockEvent::VacationStarted { person, until_ms } => {
                self.away.insert(person.clone(), *until_ms);
            }
            ClockEvent::VacationEnded { person } => {
                let until_ms = self.away.remove(person);
                if line.cause == "timer" && until_ms.is_some_and(|it| line.at_ms < it) {
                    return Err(format!("a vacation until {until_ms:?} ended at {}", line.at_ms));
                }
            }
            ClockEvent::ControlSet(_)
            | ClockEvent::SubstituteLevelSet(_)
            | ClockEvent::WholeTurnsTimed
            | ClockEvent::Frozen
            | ClockEvent::Unfrozen
            | ClockEvent::Refunded { .. }
            | ClockEvent::PersonLeft { .. } => {}
        }
        Ok(())
    }

    /// Called after a line was applied.
    pub fn came(&mut self, before: Option<TurnId>, table: &Table) {
        let now = table.current_turn();
        if now != before {
            self.turn = now.map(|turn| (turn, 0));
            (self.reminded, self.seldom) = (0, 0);
        }
    }

    fn is_resting(&self, table: &Table) -> bool {
        let own = table.seat_to_move().and_then(|turn| table.seating.occupant(turn));
        table.allows_vacation() && own.is_some_and(|it| self.away.contains_key(&it.person))
    }

    /// Checks a clock that has run out.
    fn ran_out(&self, table: &Table) -> Result<(), String> {
        if self.paused {
            return Err("a clock ran out during a pause".to_owned());
        }
        if self.is_resting(table) {
            return Err("a clock ran out during a vacation".to_owned());
        }
        let TimeControl::PerTurn(seconds) = table.clocks.control else { return Ok(()) };
        let seen = self.turn.filter(|it| Some(it.0) == table.current_turn());
        let all_ms = u64::from(seconds) * 1_000;
        match seen.filter(|it| it.1 < all_ms) {
            Some((_, ran_ms)) => {
                Err(format!("a clock ran out after {ran_ms} of {all_ms} milliseconds"))
            }
            None => Ok(()),
        }
    }

    /// Checks whether a person wants to be called now and this often.
    ///
    /// # Errors
    /// When they do not want it.
    pub fn called(&mut self, world: &World, table: &Table, put: &Put) -> Result<(), String> {
        let task: PingTask = parse_json_or_default(put.value.clone());
        let key = task.text.as_ref().map(|it| it.key.as_ref());
        if !matches!(key, Some("call-turn" | "call-turn-until")) {
            return Ok(());
        }
        if task.version != table.version {
            return Err(format!("a call of version {} at {}", task.version, table.version));
        }
        let Some(occupant) = table.seat_to_move().and_then(|turn| table.seating.occupant(turn))
        else {
            return Err("a player is called, and no seat is to move".to_owned());
        };
        let who = &occupant.person;
        if self.is_resting(table) {
            return Err(format!("{} was reminded on vacation", who.0));
        }
        let row = world.disk.store.get(Space::Person, &who.0).now_or_never();
        let profile: PersonProfile = parse_json_or_default(row.and_then(Result::ok).flatten());
        let by_clock = key == Some("call-turn-until") && table.clocks.control.is_slow();
        self.reminded += u32::from(by_clock);
        self.seldom += u32::from(by_clock && profile.pings == PingTiming::Seldom);
        if world.settled_lately(who, SETTLED_MS) {
            return Ok(());
        }
        let (times, most) = match profile.pings {
            PingTiming::Usual => (self.reminded, REMINDERS),
            PingTiming::Seldom => (self.seldom, 1),
            PingTiming::Never => (1, 0),
        };
        if times > most {
            return Err(format!("{} was reminded {times} times, and wants {most}", who.0));
        }
        // Clocks of several machines disagree about the end of a night.
        let now_ms = world.wall_ms();
        let hours = [now_ms.saturating_sub(APART_MS), now_ms + APART_MS].map(|at_ms| {
            let minute = (at_ms / 60_000) as i64 + i64::from(profile.zone_min);
            minute.div_euclid(60).rem_euclid(24) as u8
        });
        let sleeps = profile.quiet_hours.is_some_and(|it| {
            hours.iter().all(|hour| match it.from <= it.to {
                true => (it.from..it.to).contains(hour),
                false => *hour >= it.from || *hour < it.to,
            })
        });
        let message = || format!("{} was reminded at {} o’clock, in their night", who.0, hours[0]);
        if sleeps { Err(message()) } else { Ok(()) }
    }

    /// Checks a call that is posted and was decided at this version.
    ///
    /// # Errors
    /// When the table had changed before.
    pub fn said(&self, world: &World, table: &Table, version: u64) -> Result<(), String> {
        let late = |since_ms: u64| world.steady_ms() > since_ms + SAID_MS;
        let gone_on = version < table.version && self.before.is_none_or(|it| late(it.1));
        let message = || format!("a call of version {version} was posted at {}", table.version);
        if gone_on { Err(message()) } else { Ok(()) }
    }
}

/// Checks that a player who is replaced and did not answer had enough time to object.
fn had_time_to_object(
    world: &World,
    table: &Table,
    seat: u8,
    newcomer: &PersonId,
    line: &LogLine,
) -> Result<(), String> {
    let at_ms = line.at_ms;
    let sender = world.causer(line);
    let is_offered = table
        .offers
        .newcomer
        .as_ref()
        .is_some_and(|it| it.invitee.person.as_ref() == Some(newcomer));
    let says_yes =
        sender.is_some() && table.seating.occupant(seat).map(|it| &it.person) == sender.as_ref();
    let is_silent = is_offered && !says_yes && !table.is_away(seat);
    let window = objection_window(table).filter(|it| is_silent && it.seat == seat);
    if window.is_none() {
        return Ok(());
    }
    world.count("players replaced without an objection");
    let acted_ms = table.seating.last_action_ms(seat);
    let since_ms = table.offers.offered_ms.max(acted_ms.unwrap_or_default());
    let noticed_ms = if world.gets_old { NOTICED_MS.1 } else { NOTICED_MS.0 };
    let out_ms = world.out_between(since_ms, at_ms).filter(|it| *it >= noticed_ms);
    let had_ms = at_ms.saturating_sub(since_ms).saturating_sub(out_ms.unwrap_or_default());
    let promised_ms = match table.clocks.control {
        TimeControl::Unlimited => OBJECT_MS.1,
        TimeControl::PerTurn(seconds) | TimeControl::PerGame { bank: seconds, .. } => {
            OBJECT_MS.0.max(u64::from(seconds) * 1_000)
        }
    };
    if had_ms < promised_ms {
        return Err(format!("a player was replaced who could object for {had_ms} ms"));
    }
    Ok(())
}

/// Checks that a clock did not run out while the store was down.
fn ran_out_during_outage(world: &World, table: &Table) -> Result<(), String> {
    let out_ms = table.running_clock().and_then(|it| world.out_at(it.until_ms));
    let noticed_ms = if world.gets_old { NOTICED_MS.1 } else { NOTICED_MS.0 };
    match out_ms.filter(|it| *it >= noticed_ms) {
        Some(ms) => Err(format!("a clock ran out while nothing could be kept for {ms} ms")),
        None => Ok(()),
    }
}
