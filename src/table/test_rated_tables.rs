//! Tables for tests of games that count for ratings.

use super::clock::ClockEvent;
use super::decision_builder::{EventMeta, apply_external_events, open_table};
use super::event::{Event, TableSetup};
use super::state::Table;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, TableId};

pub(super) fn person(id: &str) -> PersonId {
    PersonId(id.to_owned())
}

/// A table of two people of Telegram.
pub(super) fn table(is_started: bool) -> Table {
    let game = GameId::all()[0];
    let setup = TableSetup::for_test(game, 2, person("tg:1"));
    let sits = |id: &str| Event::Seated { person: person(id), name: id.to_owned() };
    let mut then = vec![sits("tg:1")];
    then.extend(is_started.then(|| sits("tg:2")));
    let meta = EventMeta::received_now(1_000, "tg/1");
    let id = TableId("7k3fx".to_owned());
    open_table(&id, setup, then, is_started, meta).expect("it fits").table
}

pub(super) fn then(table: &Table, events: Vec<Event>) -> Table {
    let meta = EventMeta::received_now(2_000, "tg/2");
    apply_external_events(table, events, meta).expect("they follow").table
}

/// The table after an account whose games do not count was linked with this person.
pub(super) fn linked(table: &Table, account: &str, with: &str) -> Table {
    let unrated = person("dc:3");
    let account = person(account);
    let with = person(with);
    let events = vec![
        Event::RatingBlocked { person: unrated.clone() },
        Event::RatingPaused { person: unrated, until_ms: u64::MAX },
        Event::AccountsMerged { account, person: with },
    ];
    then(table, events)
}

/// A game of three people, who play alone. Earlier programs did not state how leaving counts.
pub(super) fn race(states_leaving: bool) -> Table {
    let table = race_of(&["tg:1", "tg:2", "tg:3"], states_leaving);
    let start = Event::Started { order: vec![0, 1, 2], leavers_lose: false, pair_limit: None };
    if states_leaving { table } else { then(&table, vec![start]) }
}

/// A table with seats for these people alone, of a game in which more than two can play.
pub(super) fn race_of(people: &[&str], is_started: bool) -> Table {
    let is_race = |it: &&GameId| !it.info().partners && it.info().seats.most > 2;
    let game = *GameId::all().iter().find(is_race).expect("a game for three");
    let seats = u8::try_from(people.len()).expect("a table is small");
    let setup = TableSetup::for_test(game, seats, person(people[0]));
    let sits = |id: &&str| Event::Seated { person: person(id), name: (*id).to_owned() };
    let all = people.iter().map(sits).collect();
    let meta = EventMeta::received_now(1_000, "tg/1");
    let id = TableId("7k3fx".to_owned());
    open_table(&id, setup, all, is_started, meta).expect("it fits").table
}

/// This person, or a computer, gets the seat of another.
pub(super) fn replaced(seat: u8, newcomer: &PersonId) -> Event {
    Event::SeatReplaced { seat, person: newcomer.clone(), name: String::new() }
}

/// The table after this seat has missed three turns. The rules say who moves.
pub(super) fn missed(table: &Table, seat: u8) -> Table {
    let late = || Event::Clock(ClockEvent::TimeRanOut { seat });
    then(table, vec![late(), late(), late()])
}
