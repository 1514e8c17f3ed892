//! Measures values for operators besides the health of the bot: free disk, the age of the last
//! backup, and how many tables and people there are.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use super::shutdown::Shutdown;
use caravanserai_bot::repository::keys;
use caravanserai_store::sled::free_bytes;
use caravanserai_store::{Commit, Put, Space, Store, StoreError};

/// The file in the data folder whose time of change is that of the last backup.
pub const BACKUP_MARK: &str = "last-backup";

/// Interval of the measurements.
const INTERVAL: Duration = Duration::from_secs(60);
/// Tables and people are counted at every measurement with this number: each time all of their
/// rows are read.
const COUNTED_EVERY: u64 = 5;
/// Rows are counted up to this number.
const COUNTED_MAX: usize = 1_000_000;
/// Rows that are read at a time.
const PAGE: usize = 1_000;

/// Measures a store until `stop`. `folder`: where it lies, unless it is a database.
pub async fn record_operator_metrics(
    store: Arc<dyn Store>,
    folder: Option<PathBuf>,
    stop: Shutdown,
) {
    for measurement in 0u64.. {
        match &folder {
            Some(folder) => measure_folder(folder),
            None => measure_database(&*store).await,
        }
        if measurement.is_multiple_of(COUNTED_EVERY)
            && let Err(error) = count_tables(&*store).await
        {
            tracing::debug!(%error, "failed to count tables");
        }
        if !stop.sleep_unless_stopping(INTERVAL).await {
            break;
        }
    }
}

async fn count_tables(store: &dyn Store) -> Result<(), StoreError> {
    let open = count_open_tables(store).await?;
    let playing = count_distinct(store, Space::PersonTable, 0).await?;
    metrics::gauge!("caravanserai_open_tables").set(open as f64);
    metrics::gauge!("caravanserai_people_at_tables").set(playing as f64);
    Ok(())
}

/// The number of open tables, as far as a million rows name them.
///
/// # Errors
/// When the store cannot be read.
pub async fn count_open_tables(store: &dyn Store) -> Result<usize, StoreError> {
    count_distinct(store, Space::ChatTable, 1).await
}

/// The number of different words at this position in the keys of a space.
async fn count_distinct(store: &dyn Store, space: Space, word: usize) -> Result<usize, StoreError> {
    let mut seen = HashSet::new();
    let mut after = None::<String>;
    let mut rows = 0;
    loop {
        let page = store.scan(space, "", after.as_deref(), PAGE).await?;
        seen.extend(page.iter().filter_map(|(key, _)| key.split(' ').nth(word).map(str::to_owned)));
        rows += page.len();
        match page.into_iter().next_back() {
            Some((key, _)) if rows < COUNTED_MAX => after = Some(key),
            _ => return Ok(seen.len()),
        }
    }
}

fn measure_folder(folder: &Path) {
    if let Ok((free, _)) = free_bytes(folder) {
        metrics::gauge!("caravanserai_disk_free_bytes").set(free as f64);
    }
    metrics::gauge!("caravanserai_last_backup_timestamp_seconds").set(last_backup_seconds(folder));
}

/// Exports the time of the last backup of a database. Without one there is no such time: the
/// database may be backed up by its own programs.
async fn measure_database(store: &dyn Store) {
    if let Ok(Some(at_ms)) = last_noted_backup(store).await {
        metrics::gauge!("caravanserai_last_backup_timestamp_seconds").set(at_ms as f64 / 1000.0);
    }
}

/// Notes in a store that it was backed up at this time, for the bots that serve it.
///
/// # Errors
/// When the store cannot be read or written.
pub async fn note_backup(store: &dyn Store, at_ms: u64) -> Result<(), StoreError> {
    let row = format!("{}{at_ms}", keys::LAST_BACKUP_PREFIX);
    let found = store.scan(Space::Meta, keys::LAST_BACKUP_PREFIX, None, PAGE).await?;
    let earlier = found.into_iter().map(|(key, _)| key).filter(|it| *it != row);
    let mut puts: Vec<Put> = earlier.map(|it| Put::remove(Space::Meta, it)).collect();
    puts.push(Put::new(Space::Meta, row, ""));
    store.commit(Commit::from_puts(puts)).await
}

/// The latest time that [`note_backup`] noted.
async fn last_noted_backup(store: &dyn Store) -> Result<Option<u64>, StoreError> {
    let rows = store.scan(Space::Meta, keys::LAST_BACKUP_PREFIX, None, PAGE).await?;
    let time = |key: &str| key.strip_prefix(keys::LAST_BACKUP_PREFIX)?.parse::<u64>().ok();
    Ok(rows.iter().filter_map(|(key, _)| time(key)).max())
}

/// When the store in this folder was last backed up, in seconds of Unix time; 0 if it never was.
fn last_backup_seconds(folder: &Path) -> f64 {
    let changed = std::fs::metadata(folder.join(BACKUP_MARK)).and_then(|it| it.modified());
    let since = changed.ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    since.unwrap_or_default().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use caravanserai_store::memory::MemoryStore;

    use super::*;

    #[tokio::test]
    async fn the_last_backup_of_a_database_is_noted_in_it() {
        let store = MemoryStore::new();
        assert_eq!(last_noted_backup(&store).await.unwrap(), None);
        for at_ms in [999, 1_000, 1_000, 20_000] {
            note_backup(&store, at_ms).await.unwrap();
            assert_eq!(last_noted_backup(&store).await.unwrap(), Some(at_ms));
        }
        let rows = store.scan(Space::Meta, "", None, 9).await.unwrap();
        assert_eq!(rows, [("last backup 20000".to_owned(), Vec::<u8>::new())]);
    }

    #[test]
    fn a_store_that_was_never_backed_up_has_a_time_as_well() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(last_backup_seconds(folder.path()), 0.0);
        std::fs::write(folder.path().join(BACKUP_MARK), b"").unwrap();
        assert!(last_backup_seconds(folder.path()) > 1.0e9);
    }
}
