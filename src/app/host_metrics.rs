//! Measures what hosts watch besides the health of the bot: free disk, the age of the last back-up,
//! and how many tables and people there are.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use caravanserai_store::sled::free_bytes;
use caravanserai_store::{Space, Store, StoreError};

/// The file in the data folder whose time of change is that of the last back-up.
pub const BACKUP_MARK: &str = "last-backup";

/// Tables and people are counted at every measurement with this number: each time all of their
/// rows are read.
const COUNTED_EVERY: u64 = 5;
/// Rows are counted up to this number.
const COUNTED_MAX: usize = 1_000_000;
/// Rows that are read at a time.
const PAGE: usize = 1_000;

/// The measurements of one process.
pub struct HostMetrics {
    store: Arc<dyn Store>,
    /// The data folder; `None` if the store is a database.
    folder: Option<PathBuf>,
    measured: u64,
}

impl HostMetrics {
    /// Measures this store, which lies in `folder` unless it is a database.
    pub fn new(store: Arc<dyn Store>, folder: Option<&Path>) -> Self {
        Self { store, folder: folder.map(Path::to_owned), measured: 0 }
    }

    /// Measures everything once. To be called about once a minute.
    pub async fn measure(&mut self) {
        if let Some(folder) = &self.folder {
            measure_folder(folder);
        }
        if self.measured.is_multiple_of(COUNTED_EVERY)
            && let Err(error) = self.count_tables().await
        {
            tracing::debug!(%error, "failed to count tables");
        }
        self.measured += 1;
    }

    async fn count_tables(&self) -> Result<(), StoreError> {
        let open = self.count_distinct(Space::PlaceTable, 1).await?;
        let playing = self.count_distinct(Space::PersonTable, 0).await?;
        metrics::gauge!("caravanserai_open_tables").set(open as f64);
        metrics::gauge!("caravanserai_people_at_tables").set(playing as f64);
        Ok(())
    }

    /// The number of different words at this position in the keys of a space.
    async fn count_distinct(&self, space: Space, word: usize) -> Result<usize, StoreError> {
        let mut seen = HashSet::new();
        let (mut after, mut rows) = (None::<String>, 0);
        loop {
            let page = self.store.scan(space, "", after.as_deref(), PAGE).await?;
            seen.extend(page.iter().filter_map(|(key, _)| key.split(' ').nth(word)).map(hash_of));
            rows += page.len();
            match page.into_iter().next_back() {
                Some((key, _)) if rows < COUNTED_MAX => after = Some(key),
                _ => return Ok(seen.len()),
            }
        }
    }
}

/// A number for a word, so that a million of them take little memory.
fn hash_of(word: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

fn measure_folder(folder: &Path) {
    if let Ok((free, _)) = free_bytes(folder) {
        metrics::gauge!("caravanserai_disk_free_bytes").set(free as f64);
    }
    let changed = std::fs::metadata(folder.join(BACKUP_MARK)).and_then(|it| it.modified());
    if let Some(at) = changed.ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()) {
        metrics::gauge!("caravanserai_last_backup_seconds").set(at.as_secs_f64());
    }
}
