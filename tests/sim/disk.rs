//! Simulates the disk, which may lose the last commits.

use std::collections::VecDeque;

use futures::FutureExt;
use parking_lot::Mutex;

use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Append, Commit, Put, Store, StoreError};

/// The number of commits that can be undone.
const UNDOABLE: usize = 16;

/// The data to undo one commit.
struct Undo {
    puts: Vec<Put>,
    logs: Vec<(String, Vec<String>)>,
}

/// A disk.
#[derive(Default)]
pub struct Disk {
    /// The content.
    pub store: MemoryStore,
    last: Mutex<VecDeque<Undo>>,
}

impl Disk {
    /// Writes a commit.
    ///
    /// # Errors
    /// As any store.
    pub async fn write(&self, commit: Commit) -> Result<(), StoreError> {
        let undo = self.undo(&commit).await?;
        self.store.commit(commit).await?;
        let mut last = self.last.lock();
        last.push_back(undo);
        if last.len() > UNDOABLE {
            last.pop_front();
        }
        Ok(())
    }

    /// The data to undo this commit.
    async fn undo(&self, commit: &Commit) -> Result<Undo, StoreError> {
        let (mut puts, mut logs) = (Vec::new(), Vec::new());
        for put in &commit.puts {
            let value = self.store.get(put.space, &put.key).await?;
            puts.push(Put { value, expires_ms: None, ..put.clone() });
        }
        for append in commit.appends.iter().filter(|it| !it.lines.is_empty()) {
            logs.push((append.table.clone(), self.store.read_log(&append.table, 0).await?));
        }
        Ok(Undo { puts, logs })
    }

    /// Undoes this number of commits, as if they had never been written.
    pub fn forget(&self, commits: usize) {
        for _ in 0..commits {
            let Some(Undo { puts, logs }) = self.last.lock().pop_back() else { return };
            let (drops, appends) = logs
                .into_iter()
                .map(|(table, lines)| (table.clone(), Append::new(table, 0, lines)))
                .unzip();
            let gone = Commit { puts, drops, ..Commit::default() };
            let back = Commit { appends, ..Commit::default() };
            self.store.commit(gone).now_or_never();
            self.store.commit(back).now_or_never();
        }
    }
}
