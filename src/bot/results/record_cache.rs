//! Loads the records of the players of results, and collects their changes.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use caravanserai_games::ids::TableId;
use indexmap::IndexMap;

use super::row_formats::{LeaderboardEntry, ProjectionState, RecordId, StoredRecord};
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{Failure, Repository};
use caravanserai_results::{PlayerRecord, Season, hash_texts};
use caravanserai_store::{Put, Space, StoreQuery, StoreRow};

/// The most months of a record: eight centuries.
const MONTHS_MAX: usize = 9_999;

/// The rows of a record: itself, its place in a list and the place before.
const ROWS_OF_RECORD: usize = 3;

/// The last table of a record without games.
static NO_TABLE: TableId = TableId(String::new());

fn no_table() -> TableId {
    NO_TABLE.clone()
}

/// Where a record is in a [`RecordCache`], until records are taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordSlot(usize);

/// A record while results are folded.
#[derive(Clone, Debug)]
struct CachedRecord {
    /// The key of the place in the list, as it is stored.
    place: Option<String>,
    /// The [`content_hash`] of the current row; `None` if there is no row.
    stored: Option<u64>,
    /// The record to continue with; `None` for newcomers.
    record: Option<Arc<PlayerRecord>>,
    /// The displayed name of the person.
    name: String,
    /// The table of the last game.
    last_table: TableId,
    /// Whether `record` may differ from the stored one.
    is_changed: bool,
    /// Records at the ends of months, to be written.
    months: Vec<Put>,
    /// The last month of which the record is among them, or was.
    last_month: Option<Season>,
    /// The [`content_hash`] of the stored rows of months that the rebuild has not reached, by key.
    outdated_months: BTreeMap<String, u64>,
    /// The number of the last use, see [`RecordCache::uses`].
    used: u64,
}

impl CachedRecord {
    /// A record as it is stored.
    fn stored(row: Option<(Vec<u8>, StoredRecord)>) -> Self {
        let hash = row.as_ref().map(|(bytes, _)| content_hash(bytes));
        let (place, record, name, last_table) = match row {
            Some((_, it)) => (it.place, Some(Arc::new(it.record)), it.name, it.last_table),
            None => (None, None, String::new(), no_table()),
        };
        CachedRecord {
            place,
            stored: hash,
            record,
            name,
            last_table,
            is_changed: false,
            months: Vec::new(),
            last_month: None,
            outdated_months: BTreeMap::new(),
            used: 0,
        }
    }

    /// Continues with the last of these records at the ends of months, the latest first, that is
    /// older than `from_ms`. The later ones are outdated.
    fn rewind(&mut self, months: Vec<StoreRow>, from_ms: u64) {
        (self.record, self.is_changed) = (None, true);
        self.last_table = no_table();
        for (key, value) in months {
            let stored: Option<StoredRecord> = serde_json::from_slice(&value).ok();
            match stored.filter(|it| it.record.last_ms < from_ms) {
                Some(stored) => {
                    self.last_table = stored.last_table;
                    self.name = stored.name;
                    self.record = Some(Arc::new(stored.record));
                    break;
                }
                None => {
                    self.outdated_months.insert(key, content_hash(&value));
                }
            }
        }
    }

    /// The rows that are to be written, and whether the current row stays as it is stored.
    fn into_puts(self, id: &RecordId, epoch: u32, may_keep: bool) -> (Vec<Put>, bool) {
        let mut puts = self.months;
        let outdated = self.outdated_months.into_keys();
        puts.extend(outdated.map(|key| remove_row(Space::Rating, key)));
        if !self.is_changed {
            return (puts, false);
        }
        let Some(record) = self.record else {
            puts.push(remove_row(Space::Rating, id.current()));
            puts.extend(self.place.map(|it| remove_row(Space::Rating, it)));
            return (puts, false);
        };
        let place = list_place(id, &self.name, &record);
        let new_key = place.as_ref().map(|(key, _)| key.clone());
        let row = StoredRecord {
            epoch,
            name: self.name,
            place: new_key.clone(),
            last_table: self.last_table,
            record: Arc::unwrap_or_clone(record),
        };
        let row = put_json(Space::Rating, id.current(), &row);
        // The place in the list follows from the row.
        if may_keep && self.stored == row.value.as_deref().map(content_hash) {
            return (puts, true);
        }
        let moved = self.place.filter(|it| Some(it) != new_key.as_ref());
        puts.extend(moved.map(|it| remove_row(Space::Rating, it)));
        puts.extend(place.map(|(key, row)| put_json(Space::Rating, key, &row)));
        puts.push(row);
        (puts, false)
    }
}

/// The records of the players of the results that are folded.
pub(super) struct RecordCache<'a> {
    repository: &'a Repository,
    state: &'a ProjectionState,
    records: IndexMap<RecordId, CachedRecord>,
    /// The records that are taken next, once all results are folded; the first ones at the end.
    finished: Vec<(RecordId, CachedRecord)>,
    /// The number of uses of records so far.
    uses: u64,
    /// The number of records at the ends of months that are to be written.
    month_rows: usize,
    /// Hashes of the keys of records whose rows stay as an earlier rebuild has written them.
    kept: HashSet<u64>,
}

impl<'a> RecordCache<'a> {
    /// Contains no records yet.
    pub(super) fn new(repository: &'a Repository, state: &'a ProjectionState) -> Self {
        RecordCache {
            repository,
            state,
            records: IndexMap::new(),
            finished: Vec::new(),
            uses: 0,
            month_rows: 0,
            kept: HashSet::new(),
        }
    }

    /// Reads these records, unless they are there already, as they were before the results that
    /// are folded next. Returns where each of them is.
    pub(super) async fn load(&mut self, ids: &[&RecordId]) -> Result<Vec<RecordSlot>, Failure> {
        self.uses += 1;
        let known = self.records.len();
        let mut slots = Vec::with_capacity(ids.len());
        for id in ids {
            let slot = match self.records.get_full_mut(*id) {
                Some((slot, _, cached)) => {
                    cached.used = self.uses;
                    slot
                }
                None => self.records.insert_full((*id).clone(), CachedRecord::stored(None)).0,
            };
            slots.push(RecordSlot(slot));
        }
        match self.read_from(known).await {
            Ok(()) => Ok(slots),
            Err(failure) => {
                self.records.truncate(known);
                Err(failure)
            }
        }
    }

    /// Reads the records from this slot on.
    async fn read_from(&mut self, first: usize) -> Result<(), Failure> {
        let query = |id: &RecordId| StoreQuery::value_of(Space::Rating, id.current());
        let queries: Vec<StoreQuery> = self.records.keys().skip(first).map(query).collect();
        let answers = self.repository.read_many(&queries).await?;
        let mut rewound = Vec::new();
        for (slot, answer) in (first..).zip(answers) {
            let row = answer.value()?.and_then(|bytes| {
                let stored: StoredRecord = serde_json::from_slice(&bytes).ok()?;
                Some((bytes, stored))
            });
            if row.as_ref().is_some_and(|(_, it)| is_outdated(it, self.state)) {
                rewound.push(RecordSlot(slot));
            }
            self.records[slot] = CachedRecord { used: self.uses, ..CachedRecord::stored(row) };
        }
        self.rewind(&rewound).await
    }

    /// The number of records in memory.
    pub(super) fn len(&self) -> usize {
        self.records.len() + self.finished.len()
    }

    /// The number of records at the ends of months that are to be written.
    pub(super) fn month_rows(&self) -> usize {
        self.month_rows
    }

    /// Restores these records to the last month before the rebuild, and forgets later months.
    async fn rewind(&mut self, slots: &[RecordSlot]) -> Result<(), Failure> {
        let ids = slots.iter().filter_map(|it| self.records.get_index(it.0));
        let scan = |(id, _): (&RecordId, &CachedRecord)| {
            StoreQuery::scan(Space::Rating, id.earlier_prefix(), MONTHS_MAX)
        };
        let queries: Vec<StoreQuery> = ids.map(scan).collect();
        if queries.is_empty() {
            return Ok(());
        }
        let from_ms = self.state.rewound_to_ms;
        for (slot, answer) in slots.iter().zip(self.repository.read_many(&queries).await?) {
            self.records[slot.0].rewind(answer.rows()?, from_ms);
        }
        Ok(())
    }

    /// The record to continue with; `None` for newcomers.
    fn record(&self, id: &RecordId) -> Option<&Arc<PlayerRecord>> {
        self.records.get(id)?.record.as_ref()
    }

    /// The end of the first game in these records, aborted ones included, in milliseconds since
    /// 1970.
    pub(super) fn first_game_ms(&self, ids: &[RecordId]) -> Option<u64> {
        let first = ids.iter().filter_map(|id| self.record(id)).map(|it| it.first_ms);
        first.filter(|it| *it > 0).min()
    }

    /// The end and the table of the last game in a record, as [`GameResult::order_key`] gives it.
    ///
    /// [`GameResult::order_key`]: caravanserai_results::GameResult::order_key
    pub(super) fn last_game(&self, id: &RecordId) -> (u64, &TableId) {
        let cached = self.records.get(id);
        let last_ms = cached.and_then(|it| it.record.as_ref()).map_or(0, |it| it.last_ms);
        (last_ms, cached.map_or(&NO_TABLE, |it| &it.last_table))
    }

    /// Takes the record to continue with, before a game that ended at this time; `None` for
    /// newcomers. Nobody else has it then, so it is changed without being copied. The caller gives
    /// it back with [`Self::give_back`] or [`Self::set`].
    pub(super) fn take(&mut self, slot: RecordSlot, ended_ms: u64) -> Option<Arc<PlayerRecord>> {
        let epoch = self.state.epoch;
        let (id, cached) = self.records.get_index_mut(slot.0)?;
        let record = cached.record.take()?;
        let month = Season::at(record.last_ms);
        let has_ended = id.scope.season.is_none() && month < Season::at(ended_ms);
        if has_ended && cached.last_month != Some(month) {
            let key = id.at_end_of(month);
            let row = StoredRecord {
                epoch,
                name: cached.name.clone(),
                place: None,
                last_table: cached.last_table.clone(),
                record: PlayerRecord::clone(&record),
            };
            let outdated = cached.outdated_months.remove(&key);
            let put = put_json(Space::Rating, key, &row);
            if outdated.is_none() || outdated != put.value.as_deref().map(content_hash) {
                cached.months.push(put);
                self.month_rows += 1;
            }
            cached.last_month = Some(month);
        }
        Some(record)
    }

    /// Gives back a record that has not changed.
    pub(super) fn give_back(&mut self, slot: RecordSlot, record: Arc<PlayerRecord>) {
        self.records[slot.0].record = Some(record);
    }

    /// Replaces a record.
    pub(super) fn set(
        &mut self,
        slot: RecordSlot,
        table: &TableId,
        name: &str,
        record: Arc<PlayerRecord>,
    ) {
        let cached = &mut self.records[slot.0];
        cached.last_table.clone_from(table);
        name.clone_into(&mut cached.name);
        cached.record = Some(record);
        cached.is_changed = true;
    }

    /// Takes the records at the ends of months that are to be written.
    pub(super) fn take_month_puts(&mut self) -> Vec<Put> {
        if self.month_rows == 0 {
            return Vec::new();
        }
        self.month_rows = 0;
        let months = self.records.values_mut().flat_map(|it| std::mem::take(&mut it.months));
        let mut puts: Vec<Put> = months.collect();
        puts.sort_by(|one, other| one.key.cmp(&other.key));
        puts
    }

    /// Takes the rows of the records that were not used for the longest time, about `rows`.
    pub(super) fn take_least_used(&mut self, rows: usize) -> Vec<Put> {
        let mut uses: Vec<u64> = self.records.values().map(|it| it.used).collect();
        let Some(last) = uses.len().checked_sub(1) else { return Vec::new() };
        let (_, &mut last_use, _) = uses.select_nth_unstable(last.min(rows / ROWS_OF_RECORD));
        let taken = self.records.extract_if(.., |_, it| it.used <= last_use);
        let mut taken: Vec<(RecordId, CachedRecord)> = taken.collect();
        taken.sort_by(|one, other| one.0.cmp(&other.0));
        self.rows_of(taken, false)
    }

    /// Takes the rows of some records, about `rows`, so that none is left in the end.
    pub(super) fn take_puts(&mut self, rows: usize) -> Vec<Put> {
        if !self.records.is_empty() {
            self.finished.extend(self.records.drain(..));
            self.finished.sort_by(|one, other| other.0.cmp(&one.0));
        }
        let mut taken = Vec::new();
        let mut taken_rows = 0;
        while taken_rows < rows
            && let Some((id, cached)) = self.finished.pop()
        {
            taken_rows += ROWS_OF_RECORD + cached.months.len() + cached.outdated_months.len();
            taken.push((id, cached));
        }
        self.rows_of(taken, true)
    }

    /// The rows of these records. Only a record that is not read again in this rebuild may keep the
    /// row of an earlier one.
    fn rows_of(&mut self, taken: Vec<(RecordId, CachedRecord)>, may_keep: bool) -> Vec<Put> {
        let mut puts = Vec::new();
        for (id, cached) in taken {
            self.month_rows = self.month_rows.saturating_sub(cached.months.len());
            let (rows, is_kept) = cached.into_puts(&id, self.state.epoch, may_keep);
            puts.extend(rows);
            if is_kept {
                self.kept.insert(hash_texts([id.current().as_str()]));
            }
        }
        puts
    }

    /// Whether the current row with this key stays as an earlier rebuild has written it.
    pub(super) fn keeps(&self, key: &str) -> bool {
        self.kept.contains(&hash_texts([key]))
    }
}

/// A hash of what the row of a record says, without the number of the rebuild that wrote it.
fn content_hash(row: &[u8]) -> u64 {
    // It is the first field.
    let rest = row.iter().position(|it| *it == b',').map_or(row, |at| &row[at..]);
    let mut hasher = DefaultHasher::new();
    rest.hash(&mut hasher);
    hasher.finish()
}

/// Whether a record has games that the rebuild in progress folds again.
pub(super) fn is_outdated(stored: &StoredRecord, state: &ProjectionState) -> bool {
    stored.epoch < state.epoch && stored.record.last_ms >= state.rewound_to_ms
}

/// The place of a person in the list; `None` without rated games, and for deleted accounts.
fn list_place(
    id: &RecordId,
    name: &str,
    record: &PlayerRecord,
) -> Option<(String, LeaderboardEntry)> {
    if record.rated_games == 0 || id.person.is_deleted() {
        return None;
    }
    let rating = record.displayed_rating();
    let is_provisional = record.is_provisional(record.last_ms);
    let points = if is_provisional { rating } else { record.list_points(record.last_ms) };
    let row = LeaderboardEntry {
        person: id.person.clone(),
        name: name.to_owned(),
        rating,
        is_provisional,
        games: [record.wins, record.draws, record.losses],
    };
    Some((id.list_place(points, is_provisional), row))
}
