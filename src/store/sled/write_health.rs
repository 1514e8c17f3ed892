//! Tracks whether the store can write: free disk space, a disk that responds, a sled that works.
//!
//! sled does not survive a failed write: it accepts no more writes, and closing it can block
//! without end. So the disk must have space for a group and a reserve before the group is written.
//! Otherwise the group is refused before it reaches sled: no data is in doubt, and writing resumes
//! as soon as there is space.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::data_folder;
use crate::{StoreHealth, clock};

/// Reserve on the disk, in bytes: sled writes segments of 512 KB and an occasional snapshot file.
const RESERVE_BYTES: u64 = 32 * 1024 * 1024;
/// On a small disk the reserve is this fraction of it (one part in so many).
const RESERVE_PART: u64 = 8;
/// A group that takes longer than this is reported.
const SLOW: Duration = Duration::from_secs(10);

/// Returns the free and the total bytes of a disk.
pub type FreeBytes = Arc<dyn Fn() -> (u64, u64) + Send + Sync>;

/// The known state of writing.
pub(super) struct WriteHealth {
    folder: PathBuf,
    free_bytes: Option<FreeBytes>,
    state: Mutex<WriteHealthState>,
}

#[derive(Default)]
struct WriteHealthState {
    health: StoreHealth,
    /// When the current group began, on the monotonic and the wall clock.
    writing: Option<(Instant, u64)>,
}

impl WriteHealth {
    pub(super) fn new(folder: &Path, free_bytes: Option<FreeBytes>) -> Self {
        Self { folder: folder.to_owned(), free_bytes, state: Mutex::default() }
    }

    /// Checks that a group of this size can be written now; otherwise returns the reason.
    pub(super) fn check_space(&self, bytes: u64) -> Result<(), String> {
        let found = match &self.free_bytes {
            Some(free_bytes) => Ok(free_bytes()),
            None => data_folder::free_bytes(&self.folder),
        };
        let why = match found {
            Ok((free, all)) if free >= RESERVE_BYTES.min(all / RESERVE_PART) + 2 * bytes => None,
            Ok((free, _)) => Some(format!(
                "the disk of {} is full ({} MB left): nothing is stored until there is free space",
                self.folder.display(),
                free / 1_000_000
            )),
            Err(error) => {
                Some(format!("the folder {} cannot be used: {error}", self.folder.display()))
            }
        };
        let mut state = self.state.lock();
        match (&state.health, why) {
            (StoreHealth::Ended { .. } | StoreHealth::Good, None) => Ok(()),
            (StoreHealth::Paused { .. } | StoreHealth::Stuck { .. }, None) => {
                tracing::info!("the store accepts writes again");
                state.health = StoreHealth::Good;
                Ok(())
            }
            (StoreHealth::Ended { .. } | StoreHealth::Paused { .. }, Some(why)) => Err(why),
            (StoreHealth::Good | StoreHealth::Stuck { .. }, Some(why)) => {
                tracing::error!(why, "the store refuses writes for now");
                let since_ms = clock::now_ms();
                state.health = StoreHealth::Paused { why: why.clone(), since_ms };
                Err(why)
            }
        }
    }

    /// Records that a group is being written.
    pub(super) fn begin_write(&self) {
        let now = Some((Instant::now(), clock::now_ms()));
        self.state.lock().writing = now;
    }

    /// Records that the group is on disk or has failed.
    pub(super) fn end_write(&self) {
        self.state.lock().writing = None;
    }

    /// Records a failed write: nothing is accepted any more.
    pub(super) fn set_broken(&self, why: String) {
        self.state.lock().health = StoreHealth::Ended { why, since_ms: clock::now_ms() };
    }

    /// The current health.
    pub(super) fn health(&self) -> StoreHealth {
        let (health, writing) = {
            let state = self.state.lock();
            (state.health.clone(), state.writing)
        };
        match (health, writing) {
            (ended @ StoreHealth::Ended { .. }, _) => ended,
            (_, Some((since, since_ms))) if since.elapsed() > SLOW => {
                let why = format!("the disk of {} does not answer", self.folder.display());
                StoreHealth::Stuck { why, since_ms }
            }
            // While it is paused there may be no writes to notice the recovery, so check again
            // here.
            (StoreHealth::Paused { why, since_ms }, _) => match self.check_space(0) {
                Ok(()) => StoreHealth::Good,
                Err(_) => StoreHealth::Paused { why, since_ms },
            },
            (good_or_stuck @ (StoreHealth::Good | StoreHealth::Stuck { .. }), _) => good_or_stuck,
        }
    }
}
