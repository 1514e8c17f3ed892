//! Whether writing can go well: room on the disk, a disk that answers, a sled that still works.
//!
//! sled does not survive a failed write: it takes nothing any more, and closing it can wait for
//! ever. So before a group is written there must be room for it and more. If there is not, it is
//! refused before sled hears of it, nothing is unproven, and it goes on as soon as there is.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::data_folder;
use crate::{StoreHealth, clock};

/// Room that is left to the disk: sled writes segments of 512 KB and a summary now and then.
const RESERVE_BYTES: u64 = 32 * 1024 * 1024;
/// Of a small disk this part is left to it.
const RESERVE_PART: u64 = 8;
/// A group that takes longer than this is told of.
const SLOW: Duration = Duration::from_secs(10);

/// Says how many bytes of a disk are free, and how many there are.
pub type FreeBytes = Arc<dyn Fn() -> (u64, u64) + Send + Sync>;

/// What is known about writing.
pub(super) struct WriteHealth {
    folder: PathBuf,
    free_bytes: Option<FreeBytes>,
    state: Mutex<WriteHealthState>,
}

#[derive(Default)]
struct WriteHealthState {
    health: StoreHealth,
    /// Since when a group is being written.
    writing: Option<(Instant, u64)>,
}

impl WriteHealth {
    pub(super) fn new(folder: &Path, free_bytes: Option<FreeBytes>) -> Self {
        Self { folder: folder.to_owned(), free_bytes, state: Mutex::default() }
    }

    /// Whether a group of this size can be written now; else why not.
    pub(super) fn check_space(&self, bytes: u64) -> Result<(), String> {
        let found = match &self.free_bytes {
            Some(free_bytes) => Ok(free_bytes()),
            None => data_folder::free_bytes(&self.folder),
        };
        let why = match found {
            Ok((free, all)) if free >= RESERVE_BYTES.min(all / RESERVE_PART) + 2 * bytes => None,
            Ok((free, _)) => Some(format!(
                "the disk of {} is full ({} MB left): nothing is stored until there is room",
                self.folder.display(),
                free / 1_000_000
            )),
            Err(error) => {
                Some(format!("the folder {} cannot be used: {error}", self.folder.display()))
            }
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match (&state.health, why) {
            (StoreHealth::Ended { .. } | StoreHealth::Good, None) => Ok(()),
            (StoreHealth::Paused { .. }, None) => {
                tracing::info!("the store takes changes again");
                state.health = StoreHealth::Good;
                Ok(())
            }
            (StoreHealth::Ended { .. } | StoreHealth::Paused { .. }, Some(why)) => Err(why),
            (StoreHealth::Good, Some(why)) => {
                tracing::error!(why, "the store takes no changes for now");
                let since_ms = clock::now_ms();
                state.health = StoreHealth::Paused { why: why.clone(), since_ms };
                Err(why)
            }
        }
    }

    /// A group is being written.
    pub(super) fn begin_write(&self) {
        let now = Some((Instant::now(), clock::now_ms()));
        self.state.lock().unwrap_or_else(PoisonError::into_inner).writing = now;
    }

    /// It is on disk, or has failed.
    pub(super) fn end_write(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).writing = None;
    }

    /// A write has failed: nothing is taken any more.
    pub(super) fn set_broken(&self, why: String) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).health =
            StoreHealth::Ended { why, since_ms: clock::now_ms() };
    }

    /// What is known now.
    pub(super) fn health(&self) -> StoreHealth {
        let (health, writing) = {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            (state.health.clone(), state.writing)
        };
        match (health, writing) {
            (ended @ StoreHealth::Ended { .. }, _) => ended,
            (_, Some((since, since_ms))) if since.elapsed() > SLOW => {
                let why = format!("the disk of {} does not answer", self.folder.display());
                StoreHealth::Paused { why, since_ms }
            }
            // Nobody may write because it is paused, so nobody would notice that it need not be.
            (StoreHealth::Paused { why, since_ms }, _) => match self.check_space(0) {
                Ok(()) => StoreHealth::Good,
                Err(_) => StoreHealth::Paused { why, since_ms },
            },
            (StoreHealth::Good, _) => StoreHealth::Good,
        }
    }
}
