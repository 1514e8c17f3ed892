//! Measures what operators watch besides the health of the bot: free disk, the age of the last
//! backup, and how many tables and people there are.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use super::shutdown::Shutdown;
use caravanserai_store::sled::free_bytes;
use caravanserai_store::{Space, Store, StoreError};

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
        if let Some(folder) = &folder {
            measure_folder(folder);
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
    count_distinct(store, Space::PlaceTable, 1).await
}

/// The number of different words at this position in the keys of a space.
async fn count_distinct(store: &dyn Store, space: Space, word: usize) -> Result<usize, StoreError> {
    let mut seen = HashSet::new();
    let (mut after, mut rows) = (None::<String>, 0);
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
    metrics::gauge!("caravanserai_last_backup_seconds").set(last_backup_seconds(folder));
}

/// When the store in this folder was last backed up, in seconds of Unix time; 0 if it never was.
fn last_backup_seconds(folder: &Path) -> f64 {
    let changed = std::fs::metadata(folder.join(BACKUP_MARK)).and_then(|it| it.modified());
    let since = changed.ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    since.unwrap_or_default().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_was_never_backed_up_has_a_time_as_well() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(last_backup_seconds(folder.path()), 0.0);
        std::fs::write(folder.path().join(BACKUP_MARK), b"").unwrap();
        assert!(last_backup_seconds(folder.path()) > 1.0e9);
    }
}
