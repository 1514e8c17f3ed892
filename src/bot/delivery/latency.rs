//! Measures the time from a person's action until everybody sees it.

use std::collections::{BTreeSet, HashMap};

use parking_lot::Mutex;

use caravanserai_games::ids::{PersonId, PlaceId, TableId};

/// The most actions per table, and the most tables, that are tracked.
const WAITING_MAX: usize = 64;
const TABLES_MAX: usize = 4_096;

/// A person's action: the version of the table that it led to, and since when they wait to see it,
/// in milliseconds.
struct UnseenChange {
    person: PersonId,
    version: u64,
    since_ms: u64,
}

/// Actions that are not yet shown where they were made, by the monotonic clock.
#[derive(Default)]
pub(super) struct LatencyTracker {
    waiting: Mutex<HashMap<(TableId, PlaceId), Vec<UnseenChange>>>,
}

impl LatencyTracker {
    /// Records that a person's action in this place led to this version of a table. `since_ms` is
    /// the time at which the action arrived.
    pub(super) fn record_change(
        &self,
        person: &PersonId,
        (table, place): (&TableId, &PlaceId),
        version: u64,
        since_ms: u64,
    ) {
        let key = (table.clone(), place.clone());
        let mut waiting = self.waiting.lock();
        if waiting.len() >= TABLES_MAX && !waiting.contains_key(&key) {
            // These places cannot be reached: nobody sees the changes there.
            waiting.clear();
        }
        let changes = waiting.entry(key).or_default();
        if changes.len() < WAITING_MAX {
            changes.push(UnseenChange { person: person.clone(), version, since_ms });
        }
    }

    /// Takes the actions that the board of a place shows with this version. Returns how long ago
    /// each arrived, in milliseconds.
    pub(super) fn take_latencies(
        &self,
        table: &TableId,
        place: &PlaceId,
        version: u64,
        now_ms: u64,
    ) -> Vec<u64> {
        let key = (table.clone(), place.clone());
        let mut waiting = self.waiting.lock();
        let Some(changes) = waiting.get_mut(&key) else { return Vec::new() };
        let (seen, rest): (Vec<UnseenChange>, Vec<UnseenChange>) =
            changes.drain(..).partition(|it| it.version <= version);
        *changes = rest;
        if changes.is_empty() {
            waiting.remove(&key);
        }
        seen.into_iter().map(|it| now_ms.saturating_sub(it.since_ms)).collect()
    }

    /// Takes the actions that cannot be shown in a place, of one table or of all. Returns the
    /// people who wait for them, each once.
    pub(super) fn take_undeliverable(
        &self,
        place: &PlaceId,
        table: Option<&TableId>,
    ) -> BTreeSet<PersonId> {
        let mut waiting = self.waiting.lock();
        let concerns = |shown_table: &TableId| table.is_none_or(|it| it == shown_table);
        let here = waiting.extract_if(|(shown_table, it), _| it == place && concerns(shown_table));
        here.flat_map(|(_, changes)| changes).map(|it| it.person).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_shows_everything_up_to_its_version() {
        let unseen = LatencyTracker::default();
        let (table, here) = (TableId("7k3fx".into()), PlaceId("mem:g".into()));
        let elsewhere = PlaceId("mem:@Ann".into());
        let ann = PersonId("mem:Ann".into());
        for (version, since_ms) in [(4, 100), (5, 300), (7, 900)] {
            unseen.record_change(&ann, (&table, &here), version, since_ms);
        }
        assert!(unseen.take_latencies(&table, &elsewhere, 5, 1_000).is_empty());
        assert_eq!(unseen.take_latencies(&table, &here, 5, 1_000), [900, 700]);
        assert!(unseen.take_latencies(&table, &here, 5, 1_000).is_empty());
        assert_eq!(unseen.take_latencies(&table, &here, 9, 1_000), [100]);
        unseen.record_change(&ann, (&table, &here), 8, 1_000);
        unseen.record_change(&ann, (&table, &here), 9, 1_000);
        assert!(unseen.take_undeliverable(&here, Some(&TableId("other".into()))).is_empty());
        assert_eq!(unseen.take_undeliverable(&here, None).into_iter().collect::<Vec<_>>(), [ann]);
        assert!(unseen.take_undeliverable(&here, None).is_empty());
    }
}
