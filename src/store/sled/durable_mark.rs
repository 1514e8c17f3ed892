//! Records beside the base how far it had come, so that a start detects lost data.
//!
//! sled silently drops an unreadable end of its log. So after each group is durable, its totals are
//! written here, too, into two alternating slots with a checksum each. The mark is never ahead of
//! the durable state. It survives the death of the process at once, and a power cut at most
//! [`SYNC_EVERY`] later: another thread syncs it, so that no commit waits for it. A failed sync
//! stops the next group, because the system reports a failed sync only once and then forgets the
//! data.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::data_folder::{read_at, sync_folder, write_at};
use super::totals::TreeTotals;

/// Interval of syncs while groups are written.
const SYNC_EVERY: Duration = Duration::from_millis(200);
/// Offset of the second slot; pages of disks and memory are not longer.
const SLOT_BYTES: u64 = 4096;

/// The open mark.
pub(super) struct DurableMark {
    file: File,
    /// Wakes the syncing thread after each group; the thread ends when this is dropped.
    written: Option<mpsc::Sender<()>>,
    syncing: Option<JoinHandle<()>>,
    /// The error of the syncing thread.
    failed: Arc<OnceLock<io::Error>>,
}

impl DurableMark {
    /// The newest totals in the file; `None` if there is no file or no slot is valid.
    pub(super) fn read(path: &Path) -> io::Result<Option<TreeTotals>> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let slot = |n: u64| {
            let mut bytes = vec![0; TreeTotals::default().to_row().len()];
            read_at(&file, &mut bytes, n * SLOT_BYTES).ok()?;
            TreeTotals::from_row(&bytes).ok()
        };
        Ok(slot(0).into_iter().chain(slot(1)).max_by_key(|totals| totals.group))
    }

    /// Opens the file and writes these totals into both slots.
    pub(super) fn open(path: &Path, totals: &TreeTotals) -> io::Result<DurableMark> {
        let file =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        // One after the other, so that one slot is valid whenever the power fails.
        for n in [totals.group & 1, 1 - (totals.group & 1)] {
            write_at(&file, &totals.to_row(), n * SLOT_BYTES)?;
            file.sync_all()?;
        }
        path.parent().map_or(Ok(()), sync_folder)?;
        let (written, wake) = mpsc::channel();
        let syncing = file.try_clone()?;
        let name = "store-mark".to_owned();
        let failed = Arc::new(OnceLock::new());
        let tell = Arc::clone(&failed);
        let syncing = thread::Builder::new()
            .name(name)
            .spawn(move || sync_periodically(&syncing, &wake, &tell))?;
        Ok(DurableMark { file, written: Some(written), syncing: Some(syncing), failed })
    }

    /// Records that a group is durable.
    ///
    /// # Errors
    /// When it cannot be written, or an earlier write could not be synced.
    pub(super) fn write(&self, totals: &TreeTotals) -> io::Result<()> {
        self.check_sync_error()?;
        write_at(&self.file, &totals.to_row(), (totals.group & 1) * SLOT_BYTES)?;
        // Sending fails only when the thread has failed, and the next group reports that.
        self.written.as_ref().map(|written| written.send(()));
        Ok(())
    }

    /// Makes the mark survive a power cut now.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.check_sync_error()?;
        self.file.sync_data()
    }

    fn check_sync_error(&self) -> io::Result<()> {
        self.failed.get().map_or(Ok(()), |error| {
            let what = format!("failed to sync the durable mark of the store: {error}");
            Err(io::Error::new(error.kind(), what))
        })
    }
}

impl Drop for DurableMark {
    fn drop(&mut self) {
        self.written = None;
        // The thread has nothing left to do but return.
        self.syncing.take().map(JoinHandle::join);
    }
}

/// Syncs after writes until the mark is dropped or a sync fails.
fn sync_periodically(file: &File, wake: &mpsc::Receiver<()>, failed: &OnceLock<io::Error>) {
    while wake.recv().is_ok() {
        // Writes that arrive meanwhile are synced together.
        let until = Instant::now() + SYNC_EVERY;
        let more = loop {
            match wake.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(()) if Instant::now() < until => {}
                Ok(()) => break RecvTimeoutError::Timeout,
                Err(more) => break more,
            }
        };
        if let Err(error) = file.sync_data() {
            tracing::warn!(%error, "failed to sync the durable mark of the store");
            // It is kept once: this thread ends.
            failed.set(error).ok();
            return;
        }
        if more == RecvTimeoutError::Disconnected {
            return;
        }
    }
}
