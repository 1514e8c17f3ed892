//! `caravanserai store salvage`: saves all valid data of a damaged data folder into an empty store.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::ProgressReporter;
use super::check::{replay_log, replay_record};
use crate::deletion_list::DeletionList;
use crate::run::system_randomness;
use crate::store_identity::note_filled_store;
use caravanserai_bot::personal_data::{
    KnownDeletions, RepeatedDeletions, announce_postponed, postpone_deletions, repeat_deletions,
};
use caravanserai_bot::repository::effects::{TableTransition, collect_effects};
use caravanserai_bot::repository::outbox_key::OutboxKey;
use caravanserai_bot::repository::{BotLimits, Repository, SystemClock, TimeSource, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::backup::BackupError;
use caravanserai_store::data_dir::make_private;
use caravanserai_store::encrypted::{is_encrypted, open_items};
use caravanserai_store::sled::salvage::{self, SalvageResult};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::transfer::{ItemSource, fill_from, finish_fill};
use caravanserai_store::{Space, Store, StoredItem};
use caravanserai_table::state::Table;
use caravanserai_webchat::stored_people;

/// Items per write.
const ITEMS_PER_WRITE: usize = 500;
/// Most rows and damaged places that are listed; the others are counted.
const LISTED_MAX: usize = 20;

/// The data to keep, and the data that is lost with the reason.
#[derive(Default)]
struct SalvagedItems {
    rows: BTreeMap<(Space, String), (Vec<u8>, Option<u64>)>,
    logs: BTreeMap<String, Vec<String>>,
    /// Codes of lost tables, with the reason.
    lost_tables: BTreeMap<String, String>,
    /// Codes of finished games whose record is lost, with the reason.
    lost_records: BTreeMap<String, String>,
    /// The number of rows of lists and deadlines that were rebuilt from logs.
    rebuilt: usize,
    /// The number of messages that are left out.
    left_out_messages: usize,
}

/// Reads a damaged data folder without changing it, fills an empty store with every valid row and
/// every valid log, and lists the losses. If something is lost, rows that were removed may be back:
/// then deletions of accounts are repeated, and messages that wait are left out.
///
/// # Errors
/// When there is nothing to read, another process uses the folder, or the target is not empty or
/// cannot be written.
pub async fn salvage(from: &Path, to: &StoreAddress) -> anyhow::Result<String> {
    let folder = from.join("store");
    if !folder.is_dir() {
        bail!("{} holds no store", from.display());
    }
    if to.folder().is_some_and(|to| is_same_path(to, from)) {
        bail!("the second folder must be another one: nothing is changed in {}", from.display());
    }
    let mut saved = tokio::task::spawn_blocking(move || salvage::read(&folder)).await??;
    let items = decrypt_saved_items(std::mem::take(&mut saved.items), to)?;
    let mut sorted = sort_items(items);
    if !saved.is_whole {
        sorted.leave_out_messages();
        sorted.rebuild_lists();
    }
    if let Some(folder) = to.folder() {
        make_private(folder)?;
    }
    // Before anything is written.
    let deleted = DeletionList::read(from).with_context(|| {
        format!(
            "the list of deleted accounts in {} cannot be read: move it away to go on without it",
            from.display()
        )
    })?;
    let target = to.open().await.context("the store to save into")?;
    let mut source = MemorySource(sorted.items().collect::<Vec<_>>().into_iter());
    let mut progress = ProgressReporter::new("saving");
    let filled = fill_from(&mut source, target.as_ref(), &mut |count| progress.show(count)).await;
    progress.end();
    filled.with_context(|| format!("{to} was not filled"))?;
    note_filled_store(to, target.as_ref()).await?;
    let repeated = match saved.is_whole {
        true => RepeatedDeletions::default(),
        false => repeat_all_deletions(target.clone(), deleted).await.context(
            "everything readable is saved, but deletions of accounts were not repeated: empty the \
             second store and salvage again",
        )?,
    };
    finish_fill(target.as_ref()).await?;
    target.close().await?;
    let mut report = deletions_report(repeated);
    report.extend(salvage_report(&sorted, &saved, to));
    Ok(report.join("\n"))
}

/// Repeats the deletions that the old folder or the new store knows of: rows of these people may be
/// back. Those who came back by themselves are deleted, too, because nothing tells them apart.
/// Requests that wait for their week may have been cancelled before, so they wait for another one.
async fn repeat_all_deletions(
    store: Arc<dyn Store>,
    mut list: DeletionList,
) -> anyhow::Result<RepeatedDeletions> {
    let clock = Arc::new(SystemClock);
    let limits = BotLimits::default();
    let repository = Repository::new(store.clone(), clock, system_randomness(), limits);
    let waiting = postpone_deletions(&repository).await?;
    repository.deleted_accounts().await?.into_iter().for_each(|it| list.add(it));
    let accounts = list.accounts();
    let known = KnownDeletions::Repeated;
    let chat_people = stored_people(&*store).await?;
    let repeated = repeat_deletions(&repository, &accounts, known, chat_people).await?;
    announce_postponed(&repository, &waiting).await?;
    Ok(repeated)
}

/// Says what is done about people who had deleted their accounts, line by line.
fn deletions_report(repeated: RepeatedDeletions) -> Vec<String> {
    let RepeatedDeletions { people, linked, unknown, missing: _ } = repeated;
    let lines = [
        (people, "people who had deleted their data and are in what is left, whom the bot deletes"),
        (linked, "people of whom some linked accounts were deleted, and who have to ask again"),
        (unknown, "deleted accounts in the list that cannot be compared with this store"),
    ];
    let lines = lines.into_iter().filter(|(number, _)| *number > 0);
    lines.map(|(number, text)| format!("{text}: {number}")).collect()
}

/// Decrypts the items of an encrypted store with the keys of the store to save into. Lists those
/// that do not open.
fn decrypt_saved_items(
    items: Vec<StoredItem>,
    to: &StoreAddress,
) -> anyhow::Result<Vec<StoredItem>> {
    if !is_encrypted(&items) {
        return Ok(items);
    }
    let keys = to.keys().context(
        "this store is encrypted and no key is given: set STORE_KEY_FILE to the file that holds \
         its keys",
    )?;
    let items = open_items(keys, items);
    let closed = items.iter().filter_map(|item| match item {
        StoredItem::Damaged(what) => Some(what),
        StoredItem::Row { .. } | StoredItem::Line { .. } => None,
    });
    let closed: Vec<&String> = closed.collect();
    closed.iter().take(LISTED_MAX).for_each(|what| eprintln!("{what}"));
    if closed.len() > LISTED_MAX {
        eprintln!("and {} more", closed.len() - LISTED_MAX);
    }
    let is_open = |item: &StoredItem| match item {
        // Empty values are not encrypted.
        StoredItem::Row { value, .. } => !value.is_empty(),
        StoredItem::Line { .. } => true,
        StoredItem::Damaged(_) => false,
    };
    anyhow::ensure!(
        items.iter().any(is_open),
        "nothing of this store opens with the keys in the settings: they are of another store"
    );
    Ok(items)
}

fn is_same_path(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Items in memory.
struct MemorySource(std::vec::IntoIter<StoredItem>);

impl ItemSource for MemorySource {
    async fn read_items(&mut self) -> Result<Vec<StoredItem>, BackupError> {
        Ok(self.0.by_ref().take(ITEMS_PER_WRITE).collect())
    }
}

/// Sorts the items into valid and lost ones.
fn sort_items(items: Vec<StoredItem>) -> SalvagedItems {
    let (mut sorted, mut logs) =
        (SalvagedItems::default(), BTreeMap::<String, Vec<(u64, String)>>::new());
    for item in items {
        match item {
            StoredItem::Row { space, key, value, until_ms } => {
                sorted.rows.insert((space, key), (value, until_ms));
            }
            StoredItem::Line { table, number, line } => {
                logs.entry(table).or_default().push((number, line));
            }
            StoredItem::Damaged(_) => {}
        }
    }
    sorted.check_records();
    for (table, lines) in logs {
        // If a record has replaced the log, only old lines are left.
        if !sorted.rows.contains_key(&(Space::Archive, table.clone())) {
            sorted.add_log(table, lines);
        }
    }
    sorted.find_missing_logs();
    sorted.remove_rows_of_lost_tables();
    sorted
}

impl SalvagedItems {
    fn check_records(&mut self) {
        let is_record = |space: Space| space == Space::Archive;
        for ((_, table), (value, _)) in self.rows.iter().filter(|((it, _), _)| is_record(*it)) {
            if let Err(why) = replay_record(table, value) {
                self.lost_records.insert(table.clone(), why);
            }
        }
        let lost = &self.lost_records;
        self.rows.retain(|(space, key), _| !(is_record(*space) && lost.contains_key(key)));
    }

    fn add_log(&mut self, table: String, lines: Vec<(u64, String)>) {
        let missing = (0..).zip(&lines).find(|(n, (number, _))| n != number).map(|(n, _)| n);
        if let Some(missing) = missing {
            let left = lines.len();
            self.lost_tables
                .insert(table, format!("line {missing} is lost, {left} lines are left"));
            return;
        }
        let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
        match replay_log(&table, &lines) {
            Ok(()) => {
                self.logs.insert(table, lines);
            }
            Err(why) => {
                self.lost_tables.insert(table, why);
            }
        }
    }

    /// Finds listed tables whose logs are lost completely.
    fn find_missing_logs(&mut self) {
        let heads = self.rows.keys().filter(|(space, _)| *space == Space::Head);
        let is_gone = |table: &&String| {
            !self.logs.contains_key(*table)
                && !self.rows.contains_key(&(Space::Archive, (*table).clone()))
        };
        let gone = heads.map(|(_, table)| table).filter(is_gone);
        let gone: Vec<String> = gone.cloned().collect();
        for table in gone {
            self.lost_tables.entry(table).or_insert_with(|| "its log is lost".into());
        }
    }

    /// Removes lost tables from lists and deadlines. Their boards stay: presses on them are
    /// refused.
    fn remove_rows_of_lost_tables(&mut self) {
        let lost: HashSet<&str> = self.lost_tables.keys().map(String::as_str).collect();
        self.rows.retain(|(space, key), _| match space {
            Space::Head | Space::ChatTable | Space::PersonTable | Space::Due => {
                !key.split(' ').any(|word| lost.contains(word))
            }
            Space::Outbox => OutboxKey::table_of(key).is_none_or(|it| !lost.contains(&*it.0)),
            Space::Meta => !lost.iter().any(|it| {
                *key == keys::quick_clock(&TableId((*it).to_owned()))
                    || keys::is_wanted_rematch_of(key, it)
            }),
            Space::Seen
            | Space::Board
            | Space::Message
            | Space::ChatProfile
            | Space::Person
            | Space::Keep
            | Space::Webchat
            | Space::Archive
            | Space::Result
            | Space::Rating => true,
        });
    }

    /// Leaves out the messages that wait: some of them may have been sent and are back. Boards and
    /// hands of open tables follow from their logs.
    fn leave_out_messages(&mut self) {
        let before = self.rows.len();
        self.rows.retain(|(space, _), _| *space != Space::Outbox);
        self.left_out_messages = before - self.rows.len();
    }

    /// Restores lost rows of lists and deadlines of open tables from their logs.
    fn rebuild_lists(&mut self) {
        let limits = BotLimits::default();
        let now_ms = SystemClock.now_ms();
        for (table, lines) in &self.logs {
            let Ok(table) = Table::from_log(&TableId(table.clone()), lines) else { continue };
            let change = TableTransition {
                before: None,
                after: &table,
                lines: &[],
                answered_seat: None,
                waiting: None,
            };
            for put in collect_effects(change, &limits, now_ms).puts {
                let Some(value) = put.value else { continue };
                let is_wanted = put.space == Space::Head || table.is_open();
                let key = (put.space, put.key);
                if is_wanted && !self.rows.contains_key(&key) {
                    self.rows.insert(key, (value, put.expires_ms));
                    self.rebuilt += 1;
                }
            }
        }
    }

    fn items(&self) -> impl Iterator<Item = StoredItem> {
        let rows = self.rows.iter().map(|((space, key), (value, until_ms))| StoredItem::Row {
            space: *space,
            key: key.clone(),
            value: value.clone(),
            until_ms: *until_ms,
        });
        let lines = self.logs.iter().flat_map(|(table, lines)| {
            let line = |(number, line): (u64, &String)| StoredItem::Line {
                table: table.clone(),
                number,
                line: line.clone(),
            };
            (0..).zip(lines).map(line)
        });
        rows.chain(lines)
    }
}

/// Lists the saved and the lost data, line by line.
fn salvage_report(sorted: &SalvagedItems, saved: &SalvageResult, to: &StoreAddress) -> Vec<String> {
    let tables = sorted.logs.len();
    let records = count_records(sorted);
    let rows = sorted.rows.len();
    let lines: usize = sorted.logs.values().map(Vec::len).sum();
    let mut report = Vec::new();
    let (repaired, unreadable): (Vec<_>, Vec<_>) =
        saved.damaged_spots.iter().partition(|(_, it)| *it);
    for (spots, what) in [(repaired, "a flipped bit was repaired"), (unreadable, "unreadable")] {
        let spots = list_first(spots.iter().map(|(at, _)| format!("byte {at}")));
        report.extend(spots.map(|spots| format!("{what}: {spots}")));
    }
    report.extend(list_first(saved.damaged.iter().cloned()).map(|rows| format!("damaged: {rows}")));
    for (table, why) in &sorted.lost_tables {
        report.push(format!("table {table} is lost: {why}"));
    }
    for (table, why) in &sorted.lost_records {
        report.push(format!("the record of table {table} is lost: {why}"));
    }
    if sorted.rebuilt > 0 {
        report.push(format!("{} rows of lists and deadlines are rebuilt", sorted.rebuilt));
    }
    if sorted.left_out_messages > 0 {
        let number = sorted.left_out_messages;
        report
            .push(format!("messages that are left out, because some may have been sent: {number}"));
    }
    report.push(match (saved.is_whole, saved.expected) {
        (true, _) => "nothing is lost: everything that was acknowledged is there".to_owned(),
        (false, Some((all_lines, all_rows))) => format!(
            "there must be {all_lines} lines of logs and {all_rows} rows and parts of rows; games \
             whose last lines are among what is missing go on from an earlier position"
        ),
        (false, None) => "how much is missing cannot be said".to_owned(),
    });
    report.push(format!(
        "{tables} tables with {lines} lines, {records} records of finished games and {rows} rows \
         in all are saved into {to}; look at them with `caravanserai check`"
    ));
    report
}

fn count_records(sorted: &SalvagedItems) -> usize {
    sorted.rows.keys().filter(|(space, _)| *space == Space::Archive).count()
}

/// The first entries of a list and the number of further ones; `None` for an empty list.
fn list_first(all: impl Iterator<Item = String>) -> Option<String> {
    let mut all: Vec<String> = all.collect();
    let more = all.len().saturating_sub(LISTED_MAX);
    all.truncate(LISTED_MAX);
    if more > 0 {
        all.push(format!("{more} more"));
    }
    (!all.is_empty()).then(|| all.join(", "))
}
