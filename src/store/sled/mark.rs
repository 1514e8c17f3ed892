//! A mark beside the base: how far it had come, so that a start misses what is missing.
//!
//! sled drops what it cannot read from the end of its log without a word. So after each group,
//! once it is durable, its totals are written here too, into two slots in turn, each with its
//! own checksum. The mark is never ahead of what was durable. It survives the death of the
//! process at once, and a power cut at the latest [`SYNC_EVERY`] later: its own syncing is done
//! by another thread, so that nobody waits for it. What fails there is told to whoever writes next:
//! a kernel tells of a failed sync once, and a disk that has failed is not to be trusted.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::folder::{read_at, sync_folder, write_at};
use super::totals::Totals;

/// The mark is synced this often while groups are written.
const SYNC_EVERY: Duration = Duration::from_millis(200);
/// Where the second slot begins; pages of disks and memory are not longer.
const SLOT_BYTES: u64 = 4096;

/// The open mark.
pub(super) struct Mark {
    file: File,
    /// Told of each group; the thread that syncs ends when this goes.
    written: Option<mpsc::Sender<()>>,
    syncing: Option<JoinHandle<()>>,
    /// Why it could not be synced, once that has happened.
    failed: Arc<OnceLock<String>>,
}

impl Mark {
    /// The newest totals that the file holds; `None` if there is no file or no slot is whole.
    pub(super) fn read(path: &Path) -> io::Result<Option<Totals>> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let slot = |n: u64| {
            let mut bytes = vec![0; Totals::default().row().len()];
            read_at(&file, &mut bytes, n * SLOT_BYTES).ok()?;
            Totals::of_row(&bytes).ok()
        };
        Ok(slot(0).into_iter().chain(slot(1)).max_by_key(|totals| totals.group))
    }

    /// Opens the file and makes both slots say these totals.
    pub(super) fn open(path: &Path, totals: &Totals) -> io::Result<Mark> {
        let file =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        // One after the other, so that one is whole whenever the power goes.
        for n in [totals.group & 1, 1 - (totals.group & 1)] {
            write_at(&file, &totals.row(), n * SLOT_BYTES)?;
            file.sync_all()?;
        }
        path.parent().map_or(Ok(()), sync_folder)?;
        let (written, wake) = mpsc::channel();
        let failed = Arc::new(OnceLock::new());
        let (own, why) = (file.try_clone()?, failed.clone());
        let syncing = thread::Builder::new().name("store-mark".to_owned()).spawn(move || {
            if let Err(error) = sync(&own, &wake) {
                // It is the only one who says so.
                let _ = why.set(error.to_string());
            }
        })?;
        Ok(Mark { file, written: Some(written), syncing: Some(syncing), failed })
    }

    /// Says that a group is durable.
    ///
    /// # Errors
    /// When it cannot be written, or what was written before could not be synced.
    pub(super) fn write(&self, totals: &Totals) -> io::Result<()> {
        self.is_well()?;
        write_at(&self.file, &totals.row(), (totals.group & 1) * SLOT_BYTES)?;
        // The thread only ends with us, or when it fails.
        self.written.as_ref().map(|written| written.send(()));
        Ok(())
    }

    /// Makes it survive a power cut now.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.is_well()?;
        self.file.sync_data()
    }

    fn is_well(&self) -> io::Result<()> {
        match self.failed.get() {
            Some(why) => Err(io::Error::other(why.clone())),
            None => Ok(()),
        }
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.written = None;
        // It has nothing left to do but return.
        self.syncing.take().map(JoinHandle::join);
    }
}

/// Syncs after what was written, until nothing more is.
fn sync(file: &File, wake: &mpsc::Receiver<()>) -> io::Result<()> {
    while wake.recv().is_ok() {
        // What comes meanwhile is synced together.
        let until = Instant::now() + SYNC_EVERY;
        let more = loop {
            match wake.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(()) if Instant::now() < until => {}
                Ok(()) => break RecvTimeoutError::Timeout,
                Err(more) => break more,
            }
        };
        file.sync_data()?;
        if more == RecvTimeoutError::Disconnected {
            break;
        }
    }
    Ok(())
}
