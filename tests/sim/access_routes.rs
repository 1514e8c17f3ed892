//! Tracks the chats in which people can see and play their tables, and checks that nobody who is
//! present loses by absence.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt;

use super::Sim;
use super::chats::{self, Chats};
use super::inline_challenges::only;
use super::world::World;
use caravanserai_bot::repository::profiles::PersonProfile;
use caravanserai_bot::repository::stored_rows::parse_json_or_default;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_store::{Space, Store};
use caravanserai_table::event::{EndReason, Event, LogLine, PlayerOffer};
use caravanserai_table::offer_state::PendingOffer;
use caravanserai_table::state::{Table, TablePhase};

/// The time of uninterrupted presence after which a person cannot count as away, in milliseconds.
const PRESENT_MS: u64 = 10 * 60_000;

/// An account in a chat.
type At = (PersonId, String);

/// The presence of all accounts.
#[derive(Default)]
pub struct AccessRouteChecks {
    /// The begin of the presence, by the steady clock.
    since_ms: BTreeMap<At, u64>,
    /// The chats that accounts left as far as the bot knows: it heard nothing of them there since.
    left: BTreeSet<At>,
}

impl AccessRouteChecks {
    /// Updates the presence of all accounts.
    fn note(&mut self, now: BTreeSet<At>, now_ms: u64) {
        self.since_ms.retain(|at, _| now.contains(at));
        for at in now {
            self.since_ms.entry(at).or_insert(now_ms);
        }
    }

    /// Notes that the bot heard that an account left a chat.
    pub fn told_of_leaving(&mut self, account: &PersonId, chat: &ChatId) {
        self.left.insert((account.clone(), chat.without_topic().to_owned()));
    }

    /// Notes that the bot heard from an account in a chat: who presses a button there is there,
    /// even if the platform reported before that they left.
    pub fn heard_from(&mut self, account: &PersonId, chat: &ChatId) {
        self.left.remove(&(account.clone(), chat.without_topic().to_owned()));
    }

    /// The begin of the uninterrupted presence of an account in a chat.
    fn since(&self, account: &PersonId, chat: &ChatId) -> Option<u64> {
        self.since_ms.get(&(account.clone(), chat.without_topic().to_owned())).copied()
    }
}

impl Sim {
    /// Updates which chats people can reach now.
    pub(super) fn note_access_routes(&self) {
        let chats = self.world.chats.lock();
        let now = self.sim_people.iter().flat_map(|sim_person| {
            let chat_ids = sim_person.chats.iter().filter(|it| is_reached(&chats, &it.id));
            chat_ids.map(|it| (sim_person.person.id.clone(), it.id.without_topic().to_owned()))
        });
        let now: BTreeSet<At> = now.collect();
        drop(chats);
        self.world.access_routes.lock().note(now, self.world.steady_ms());
    }
}

fn is_reached(chats: &Chats, chat: &ChatId) -> bool {
    chats.is_open(chat)
}

/// The longest uninterrupted presence of a person at a table, in milliseconds.
fn present_ms(world: &World, table: &Table, person: &PersonId) -> Option<u64> {
    let access_routes = world.access_routes.lock();
    let own = |account: &PersonId| world.behind(account) == *person;
    let accounts: BTreeSet<&PersonId> = access_routes.since_ms.keys().map(|(it, _)| it).collect();
    let accounts: Vec<&PersonId> = accounts.into_iter().filter(|it| own(it)).collect();
    let seen = table.chats.locations().filter(|it| !it.is_watch_only && only(it.chat).is_none());
    let since = seen.flat_map(|location| {
        let reads = |it: &&&PersonId| match chats::reader(location.chat) {
            Some(reader) => reader == ***it,
            None => location.reader.is_none(),
        };
        let all: Vec<u64> = accounts
            .iter()
            .filter(reads)
            .filter_map(|it| access_routes.since(it, location.chat))
            .collect();
        all
    });
    since.min().map(|it| world.steady_ms() - it)
}

/// How long an offer of a rematch begins the game by itself, in milliseconds.
const REMATCH_START_MS: u64 = 15 * 60_000;

/// Checks a line before it is applied to a table: a present player must not lose by absence, and a
/// rematch needs the player who proposed it.
///
/// # Errors
/// When the line breaks this.
pub fn comes(world: &World, table: &Table, line: &LogLine) -> Result<(), String> {
    let has_been_there = |seat: u8| {
        let occupant = table.seating.occupant(seat).filter(|it| !it.is_computer())?;
        present_ms(world, table, &occupant.person).filter(|it| *it > PRESENT_MS)
    };
    match &line.event {
        Event::GameOver {
            reason: reason @ (EndReason::LostOnTime(seat) | EndReason::AbsentPlayer(seat)),
            ..
        }
        | Event::TableClosed {
            reason: reason @ (EndReason::LostOnTime(seat) | EndReason::AbsentPlayer(seat)),
        } if !table.is_late(*seat) => match has_been_there(*seat) {
            Some(ms) => Err(format!("seat {seat} is {reason:?} who has been there for {ms} ms")),
            None => Ok(()),
        },
        // An older offer opens a lobby, in which nobody is seated who has not agreed.
        Event::ContinuedAt { .. } if line.at_ms > table.times.last_event_ms + REMATCH_START_MS => {
            Ok(())
        }
        Event::ContinuedAt { .. } => offerer_is_there(world, table),
        _ => Ok(()),
    }
}

/// Checks that the player who proposed the rematch can still play it.
fn offerer_is_there(world: &World, table: &Table) -> Result<(), String> {
    let rematch = table.offers.pending.filter(|it| it.offer == PlayerOffer::Rematch);
    let Some(by) = rematch.map(PendingOffer::logged_seat) else { return Ok(()) };
    let Some(occupant) = table.seating.occupant(by).filter(|it| !it.is_computer()) else {
        return Ok(());
    };
    let only_here = table.chats.ids().any(|it| only(it).is_some());
    let is_there = present_ms(world, table, &occupant.person).is_some();
    let accounts: Vec<PersonId> =
        world.access_routes.lock().left.iter().map(|(account, _)| account.clone()).collect();
    let was_told = accounts.iter().any(|it| world.behind(it) == occupant.person);
    if is_there || only_here || !was_told {
        return Ok(());
    }
    Err(format!("another game began with {}, who has left", occupant.person.0))
}

/// The longest time that a table stays open without events, in milliseconds: 90 days, and time to
/// notice it.
const FORGOTTEN_MS: u64 = 92 * 24 * 3_600_000;

/// A player on vacation without a note at the table, or a table that stayed open for too long.
pub fn wrong(world: &World) -> Option<String> {
    let log_checks = world.log_checks.lock();
    let now_ms = world.wall_ms();
    let profile = |person: &PersonId| {
        let row = world.disk.store.get(Space::Person, &person.0).now_or_never();
        parse_json_or_default::<PersonProfile>(row.and_then(Result::ok).flatten())
    };
    log_checks.tables.values().map(|it| &it.table).filter(|it| it.is_open()).find_map(|table| {
        if table.times.last_event_ms + FORGOTTEN_MS < now_ms {
            return Some(format!("table {} is open, and forgotten since long", table.id.0));
        }
        if table.phase != TablePhase::Playing || !table.allows_vacation() {
            return None;
        }
        table.seating.people_seats().into_iter().find_map(|seat| {
            let person = &table.seating.occupant(seat)?.person;
            // A vacation that ended before the last event is over, even if the clock was set back
            // since then.
            let until_ms = profile(person)
                .vacation_until(now_ms)
                .filter(|it| *it > table.times.last_event_ms)?;
            let is_noted = table.clocks.recorded_vacation(person).is_some();
            (!is_noted).then(|| {
                let code = &table.id.0;
                format!(
                    "{} is on vacation until {until_ms}, and table {code} does not know",
                    person.0
                )
            })
        })
    })
}
