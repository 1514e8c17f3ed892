//! How long it takes from what somebody does until everybody sees it.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::ids::{PlaceId, TableId};

/// What is waited for at one table, and at how many.
const WAITING_MAX: usize = 64;
const TABLES_MAX: usize = 4_096;

/// Versions of a table, and since when each is waited for.
type Versions = Vec<(u64, u64)>;

/// What was done and is not seen yet where it was done: versions of tables, and since when by the
/// clock that never jumps.
#[derive(Default)]
pub(super) struct Unseen {
    waiting: Mutex<HashMap<(TableId, PlaceId), Versions>>,
}

impl Unseen {
    /// Somebody's deed in this place led to this version of a table; it was heard at that time.
    pub(super) fn done(&self, table: &TableId, place: &PlaceId, version: u64, since_ms: u64) {
        let key = (table.clone(), place.clone());
        let mut waiting = self.waiting.lock().expect("nothing panics while holding this lock");
        if waiting.len() >= TABLES_MAX && !waiting.contains_key(&key) {
            // Places that cannot be spoken to: nobody sees it there.
            waiting.clear();
        }
        let own = waiting.entry(key).or_default();
        if own.len() < WAITING_MAX {
            own.push((version, since_ms));
        }
    }

    /// The board of a place shows this version now: how long ago all was done there that it shows,
    /// in milliseconds.
    pub(super) fn shown(
        &self,
        table: &TableId,
        place: &PlaceId,
        version: u64,
        now_ms: u64,
    ) -> Vec<u64> {
        let key = (table.clone(), place.clone());
        let mut waiting = self.waiting.lock().expect("nothing panics while holding this lock");
        let Some(own) = waiting.get_mut(&key) else { return Vec::new() };
        let (seen, rest) = own.drain(..).partition(|(it, _)| *it <= version);
        *own = rest;
        if own.is_empty() {
            waiting.remove(&key);
        }
        let seen: Vec<(u64, u64)> = seen;
        seen.into_iter().map(|(_, since_ms)| now_ms.saturating_sub(since_ms)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_shows_everything_up_to_its_version() {
        let unseen = Unseen::default();
        let (table, here) = (TableId("7k3fx".into()), PlaceId("mem:g".into()));
        let elsewhere = PlaceId("mem:@Ann".into());
        unseen.done(&table, &here, 4, 100);
        unseen.done(&table, &here, 5, 300);
        unseen.done(&table, &here, 7, 900);
        assert!(unseen.shown(&table, &elsewhere, 5, 1_000).is_empty());
        assert_eq!(unseen.shown(&table, &here, 5, 1_000), [900, 700]);
        assert!(unseen.shown(&table, &here, 5, 1_000).is_empty());
        assert_eq!(unseen.shown(&table, &here, 9, 1_000), [100]);
    }
}
