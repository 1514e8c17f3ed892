//! Loads the records of the players of results, and collects their changes.

use std::collections::{BTreeMap, BTreeSet};

use caravanserai_games::ids::TableId;

use super::rows::{ListPlace, ProjectionState, RecordId, StoredRecord};
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{Failure, Repository};
use caravanserai_results::{PlayerRecord, Season};
use caravanserai_store::{Put, Space, StoreQuery};

/// The most months of a record: eight centuries.
const MONTHS_MAX: usize = 9_999;

/// The rows of a record: itself, its place in a list and the place before.
const ROWS_OF_RECORD: usize = 3;

/// The last table of a record without games.
static NO_TABLE: TableId = TableId(String::new());

fn no_table() -> TableId {
    NO_TABLE.clone()
}

/// A record while results are folded.
#[derive(Clone, Debug)]
struct CachedRecord {
    /// The current row as it is stored.
    stored: Option<StoredRecord>,
    /// The record to continue with; `None` for newcomers.
    record: Option<PlayerRecord>,
    /// The displayed name of the person.
    name: String,
    /// The table of the last game.
    last_table: TableId,
    /// Whether `record` differs from the stored one.
    is_changed: bool,
    /// Records at the ends of months, to be written or removed.
    months: BTreeMap<String, Put>,
}

impl CachedRecord {
    /// The record of a newcomer.
    fn new() -> Self {
        CachedRecord {
            stored: None,
            record: None,
            name: String::new(),
            last_table: no_table(),
            is_changed: false,
            months: BTreeMap::new(),
        }
    }
}

/// The records of the players of the results that are folded.
pub(super) struct RecordCache<'a> {
    repository: &'a Repository,
    state: &'a ProjectionState,
    records: BTreeMap<RecordId, CachedRecord>,
}

impl<'a> RecordCache<'a> {
    /// Contains no records yet.
    pub(super) fn new(repository: &'a Repository, state: &'a ProjectionState) -> Self {
        RecordCache { repository, state, records: BTreeMap::new() }
    }

    /// Reads these records, unless they are there already, as they were before the results that
    /// are folded next.
    pub(super) async fn load(
        &mut self,
        ids: impl IntoIterator<Item = RecordId>,
    ) -> Result<(), Failure> {
        let wanted: BTreeSet<RecordId> = ids.into_iter().collect();
        let missing: Vec<RecordId> =
            wanted.into_iter().filter(|it| !self.records.contains_key(it)).collect();
        let query = |id: &RecordId| StoreQuery::value_of(Space::Rating, id.current());
        let queries: Vec<StoreQuery> = missing.iter().map(query).collect();
        let answers = self.repository.read_many(&queries).await?;
        let mut rewound = Vec::new();
        for (id, answer) in missing.into_iter().zip(answers) {
            let mut cached = CachedRecord::new();
            let stored: Option<StoredRecord> =
                answer.value()?.and_then(|it| serde_json::from_slice(&it).ok());
            if stored.as_ref().is_some_and(|it| is_outdated(it, self.state)) {
                rewound.push(id.clone());
            }
            cached.record = stored.as_ref().map(|it| it.record.clone());
            cached.last_table = stored.as_ref().map_or_else(no_table, |it| it.last_table.clone());
            cached.name = stored.as_ref().map(|it| it.name.clone()).unwrap_or_default();
            cached.stored = stored;
            self.records.insert(id, cached);
        }
        self.rewind(&rewound).await
    }

    /// The number of rows that [`Self::into_puts`] gives at most.
    pub(super) fn rows_max(&self) -> usize {
        let changed = self.records.values().filter(|it| it.is_changed);
        changed.map(|it| ROWS_OF_RECORD + it.months.len()).sum()
    }

    /// Restores these records to the last month before the rebuild, and forgets later months.
    async fn rewind(&mut self, ids: &[RecordId]) -> Result<(), Failure> {
        let scan = |id: &RecordId| StoreQuery::scan(Space::Rating, id.earlier_prefix(), MONTHS_MAX);
        let queries: Vec<StoreQuery> = ids.iter().map(scan).collect();
        if queries.is_empty() {
            return Ok(());
        }
        let from_ms = self.state.rewound_to_ms;
        for (id, answer) in ids.iter().zip(self.repository.read_many(&queries).await?) {
            let Some(cached) = self.records.get_mut(id) else { continue };
            (cached.record, cached.is_changed) = (None, true);
            for (key, value) in answer.rows()? {
                let stored: Option<StoredRecord> = serde_json::from_slice(&value).ok();
                match stored.filter(|it| it.record.last_ms < from_ms) {
                    Some(stored) => {
                        cached.last_table = stored.last_table;
                        cached.record = Some(stored.record);
                        break;
                    }
                    None => {
                        cached.months.insert(key.clone(), remove_row(Space::Rating, key));
                    }
                }
            }
        }
        Ok(())
    }

    /// The record to continue with; `None` for newcomers.
    pub(super) fn record(&self, id: &RecordId) -> Option<&PlayerRecord> {
        self.records.get(id)?.record.as_ref()
    }

    /// The end and the table of the last game in a record, as [`GameResult::order_key`] gives it.
    ///
    /// [`GameResult::order_key`]: caravanserai_results::GameResult::order_key
    pub(super) fn last_game(&self, id: &RecordId) -> (u64, &TableId) {
        let cached = self.records.get(id);
        let last_ms = cached.and_then(|it| it.record.as_ref()).map_or(0, |it| it.last_ms);
        (last_ms, cached.map_or(&NO_TABLE, |it| &it.last_table))
    }

    /// Replaces a record.
    pub(super) fn set(&mut self, id: &RecordId, table: &TableId, name: &str, record: PlayerRecord) {
        let epoch = self.state.epoch;
        let Some(cached) = self.records.get_mut(id) else { return };
        let before = cached.record.take();
        let last_table = std::mem::replace(&mut cached.last_table, table.clone());
        let ended = before.filter(|it| {
            id.scope.season.is_none() && Season::at(it.last_ms) < Season::at(record.last_ms)
        });
        if let Some(before) = ended {
            let key = id.at_end_of(Season::at(before.last_ms));
            let row = StoredRecord {
                epoch,
                name: cached.name.clone(),
                place: None,
                last_table,
                record: before,
            };
            cached.months.insert(key.clone(), put_json(Space::Rating, key, &row));
        }
        name.clone_into(&mut cached.name);
        cached.record = Some(record);
        cached.is_changed = true;
    }

    /// The rows to write.
    pub(super) fn into_puts(self) -> Vec<Put> {
        let epoch = self.state.epoch;
        let mut puts = Vec::new();
        for (id, cached) in self.records.into_iter().filter(|(_, it)| it.is_changed) {
            puts.extend(cached.months.into_values());
            let old_place = cached.stored.and_then(|it| it.place);
            let Some(record) = cached.record else {
                puts.push(remove_row(Space::Rating, id.current()));
                puts.extend(old_place.map(|it| remove_row(Space::Rating, it)));
                continue;
            };
            let place = list_place(&id, &cached.name, &record);
            let new_key = place.as_ref().map(|(key, _)| key.clone());
            let moved = old_place.filter(|it| Some(it) != new_key.as_ref());
            puts.extend(moved.map(|it| remove_row(Space::Rating, it)));
            puts.extend(place.map(|(key, row)| put_json(Space::Rating, key, &row)));
            let row = StoredRecord {
                epoch,
                name: cached.name,
                place: new_key,
                last_table: cached.last_table,
                record,
            };
            puts.push(put_json(Space::Rating, id.current(), &row));
        }
        puts
    }
}

/// Whether a record has games that the rebuild in progress folds again.
pub(super) fn is_outdated(stored: &StoredRecord, state: &ProjectionState) -> bool {
    stored.epoch < state.epoch && stored.record.last_ms >= state.rewound_to_ms
}

/// The place of a person in the list; `None` without rated games, and for deleted accounts.
fn list_place(id: &RecordId, name: &str, record: &PlayerRecord) -> Option<(String, ListPlace)> {
    if record.rated_games == 0 || id.person.is_deleted() {
        return None;
    }
    let rating = record.displayed_rating();
    let is_provisional = record.is_provisional(record.last_ms);
    let row = ListPlace {
        person: id.person.clone(),
        name: name.to_owned(),
        rating,
        is_provisional,
        games: [record.wins, record.draws, record.losses],
    };
    Some((id.list_place(rating, is_provisional), row))
}
