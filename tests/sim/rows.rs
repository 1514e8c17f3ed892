//! Checks that the rows on disk equal what was acknowledged, agree with the logs, and do not
//! accumulate.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt;

use super::chats::Chats;
use super::world::World;
use caravanserai_bot::repository::effects::deadlines_of;
use caravanserai_bot::repository::profiles::PersonProfile;
use caravanserai_bot::repository::stored_rows::{
    BoardState, Deadline, DeadlineKind, parse_json_or_default,
};
use caravanserai_bot::repository::{BotLimits, keys};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_store::{Space, Store, StoreRow, StoredItem};
use caravanserai_table::state::Table;

/// The longest time that a due row stays in the list, in milliseconds.
const LATE_MS: u64 = 150_000;

/// The longest time that an expired row stays: expired rows are removed once a minute.
const SWEPT_MS: u64 = 5 * 60_000;

/// The most rows of a table in the list of deadlines: one of each kind, one of an abandoned game, a
/// deferred ping, and retries for a computer.
const DUE_MAX: usize = 8;

/// The most calls of earlier versions of a table in the list: those of an hour.
const STALE_MAX: usize = 60;

/// The first violation at present, if any.
pub fn wrong(world: &World) -> Option<String> {
    let (disk, expected) = (all_items(&world.disk.store)?, all_items(&world.meant)?);
    first_difference(&disk, &expected)
        .or_else(|| expired(&disk, world.wall_ms()))
        .or_else(|| check_lists(world, &disk))
        .or_else(|| check_deadlines(world))
        .or_else(|| check_boards(world))
        .or_else(|| check_accounts(&disk))
}

/// All items of a store.
fn all_items(store: &impl Store) -> Option<Vec<StoredItem>> {
    let mut snapshot = store.snapshot().now_or_never()?.ok()?;
    let mut all = Vec::new();
    loop {
        let some = snapshot.next_items().now_or_never()?.ok()?;
        if some.is_empty() {
            return Some(all);
        }
        all.extend(some);
    }
}

/// The first difference between the disk and what was acknowledged.
fn first_difference(disk: &[StoredItem], expected: &[StoredItem]) -> Option<String> {
    let lost = expected.iter().zip(disk).find(|(expected, disk)| expected != disk);
    if let Some((expected, disk)) = lost {
        return Some(format!("{expected:?} was acknowledged, and the disk goes on with {disk:?}"));
    }
    let longer = disk.len() != expected.len();
    longer.then(|| format!("{} were acknowledged and {} are on disk", expected.len(), disk.len()))
}

/// A row that expired long ago.
fn expired(disk: &[StoredItem], wall_ms: u64) -> Option<String> {
    disk.iter().find_map(|it| match it {
        StoredItem::Row { space, key, until_ms: Some(until_ms), .. }
            if until_ms + SWEPT_MS < wall_ms =>
        {
            Some(format!("{space:?} {key:?} should have been swept away at {until_ms}"))
        }
        StoredItem::Row { .. } | StoredItem::Line { .. } | StoredItem::Damaged(_) => None,
    })
}

/// Checks that the lists of open tables name exactly the open ones.
fn check_lists(world: &World, disk: &[StoredItem]) -> Option<String> {
    let log_checks = world.log_checks.lock();
    let mut expected = BTreeSet::new();
    for tracked in log_checks.tables.values().filter(|it| it.table.is_open()) {
        let table = &tracked.table;
        let listed = |chat| (Space::ChatTable, keys::chat_table(chat, &table.id));
        expected.extend(table.chats.ids().map(listed));
        let people = table.seating.people().into_iter();
        expected.extend(people.map(|it| (Space::PersonTable, keys::person_table(it, &table.id))));
        let named = table.other_named_people().into_iter();
        expected.extend(named.map(|it| (Space::PersonTable, keys::named_table(it, &table.id))));
    }
    let listed: BTreeSet<(Space, String)> = disk
        .iter()
        .filter_map(|it| match it {
            StoredItem::Row {
                space: space @ (Space::ChatTable | Space::PersonTable), key, ..
            } => Some((*space, key.clone())),
            StoredItem::Row { .. } | StoredItem::Line { .. } | StoredItem::Damaged(_) => None,
        })
        .collect();
    let missing = expected.difference(&listed).next();
    missing.map(|it| format!("{it:?} is open and not listed")).or_else(|| {
        let left = listed.difference(&expected).next();
        left.map(|it| format!("{it:?} is listed and not open"))
    })
}

/// Checks that linked accounts refer to each other.
fn check_accounts(disk: &[StoredItem]) -> Option<String> {
    let rows: BTreeMap<&str, &Vec<u8>> = disk
        .iter()
        .filter_map(|it| match it {
            StoredItem::Row { space: Space::Person, key, value, .. } => Some((key.as_str(), value)),
            StoredItem::Row { .. } | StoredItem::Line { .. } | StoredItem::Damaged(_) => None,
        })
        .collect();
    let row = |key: &str| rows.get(key).map(|it| (*it).clone());
    let of =
        |id: &PersonId| PersonProfile::decode_rows(row(&id.0), row(&keys::linked_accounts(id)));
    let is_person = |key: &&&str| !key.starts_with('@') && !key.contains(' ');
    rows.keys().filter(is_person).find_map(|key| {
        let id = PersonId((*key).to_owned());
        let PersonProfile { main, accounts, .. } = of(&id);
        let behind = main.filter(|it| of(it).main.is_some() || !of(it).accounts.contains(&id));
        let apart = accounts.into_iter().find(|it| of(it).main.as_ref() != Some(&id));
        let wrong = behind.map(|it| format!("{key} is {}, who is not", it.0));
        wrong.or_else(|| apart.map(|it| format!("{} should be {key}, and is not", it.0)))
    })
}

/// Checks that every deadline is in the list once, and nothing else is.
fn check_deadlines(world: &World) -> Option<String> {
    let rows: Vec<StoreRow> =
        world.disk.store.scan(Space::Due, "", None, usize::MAX).now_or_never()?.ok()?;
    let mut by_table: BTreeMap<String, Vec<(u64, Option<Deadline>)>> = BTreeMap::new();
    for (key, value) in rows {
        let (at_ms, table) = keys::parse_deadline(&key)?;
        if at_ms + LATE_MS < world.wall_ms() {
            return Some(format!("{key:?} is due since {at_ms}"));
        }
        let due = serde_json::from_slice(&value).ok();
        by_table.entry(table.0).or_default().push((at_ms, due));
    }
    world.at_most(
        "most deadlines of a table",
        by_table.values().map(Vec::len).max().unwrap_or_default() as u64,
    );
    let log_checks = world.log_checks.lock();
    for (table, all) in &by_table {
        let version = log_checks.tables.get(table).map(|it| it.table.version);
        // Deferred calls stay until their time, even if the table changes or has ended.
        let is_older = |it: Deadline| version.is_none_or(|version| it.version < version);
        let is_stale = |it: Deadline| it.kind == DeadlineKind::Ping && is_older(it);
        let stale = all.iter().filter(|it| it.1.is_some_and(is_stale)).count();
        if all.len() - stale > DUE_MAX || stale > STALE_MAX {
            let count = all.len();
            return Some(format!("table {table} has {count} deadlines, {stale} stale: {all:?}"));
        }
    }
    let open = log_checks.tables.values().map(|it| &it.table).filter(|it| it.is_open());
    open.into_iter().find_map(|table| {
        let listed = by_table.get(&table.id.0).map_or(&[][..], Vec::as_slice);
        check_timers(table, listed, world.wall_ms())
    })
}

/// Checks that the deadlines of this table are in the list once. A deferred ping of an older
/// version may stay there until its time.
fn check_timers(table: &Table, listed: &[(u64, Option<Deadline>)], now_ms: u64) -> Option<String> {
    for kind in [DeadlineKind::Tick, DeadlineKind::Closing, DeadlineKind::Ping] {
        let counts = |it: Deadline| {
            let is_present = kind != DeadlineKind::Ping || it.version == table.version;
            it.kind == kind
                && is_present
                && it.version != Deadline::ANY_VERSION
                && !it.purpose.deferred
        };
        let of_kind = |it: &&(u64, Option<Deadline>)| it.1.is_some_and(counts);
        let count = listed.iter().filter(of_kind).count();
        if count > 1 {
            return Some(format!("table {} has {count} deadlines of kind {kind:?}", table.id.0));
        }
    }
    let expected = deadlines_of(table, &BotLimits::default(), now_ms);
    let found = |it: &(u64, Deadline)| listed.contains(&(it.0, Some(it.1)));
    let missing = expected.into_iter().find(|it| it.1.kind == DeadlineKind::Tick && !found(it));
    missing.map(|(at, _)| format!("the deadline {at} of table {} is not listed", table.id.0))
}

/// Checks that the bot knows the board messages of all tables.
fn check_boards(world: &World) -> Option<String> {
    let (log_checks, chats) = (world.log_checks.lock(), world.chats.lock());
    log_checks.tables.values().filter(|it| it.table.is_open()).find_map(|tracked| {
        tracked
            .table
            .chats
            .ids()
            .find_map(|chat| unknown_board(world, &chats, &tracked.table, chat))
    })
}

/// The board of a chat, if the bot knows another one.
fn unknown_board(world: &World, chats: &Chats, table: &Table, chat: &ChatId) -> Option<String> {
    let shown_message = chats.board(chat, &table.id.0)?;
    if chats.bare.contains_key(&(chat.clone(), table.id.0.clone())) {
        return None;
    }
    let key = keys::board(&table.id, chat);
    let row = world.disk.store.get(Space::Board, &key).now_or_never()?.ok()?;
    let state: BoardState = parse_json_or_default(row);
    let known = state.message.map(|it| it.0);
    let is_known = known.as_deref() == Some(shown_message.id.to_string().as_str());
    (!is_known && chats.is_open(chat)).then(|| {
        format!(
            "the board of table {} is {}, the bot knows {known:?}",
            table.id.0, shown_message.id
        )
    })
}
