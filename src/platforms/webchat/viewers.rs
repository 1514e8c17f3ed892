//! Tracks who looks at which board, across all processes of one chat.
//!
//! Each process writes its viewers into a row of its own, when they change and regularly while
//! there are any, and reads the rows of the others. The row of a dead process expires within two
//! minutes.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::Webchat;
use super::now_ms;
use caravanserai_store::{Commit, Put, Space, Store};

/// The prefix of the keys of the rows.
const ROW_PREFIX: &str = "web eyes ";
/// More processes than serve one chat.
const PROCESSES_MAX: usize = 64;
/// How often a row is rewritten while it has viewers.
const RENEW_EVERY: Duration = Duration::from_secs(60);
/// The lifetime of a row.
const ROW_MS: u64 = 120_000;
/// The shortest time between two writes of the row.
const WRITE_PAUSE: Duration = Duration::from_secs(1);

/// A person who looks at a board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ViewedBoard {
    /// The person.
    pub person: String,
    /// The room.
    pub room: String,
    /// The table.
    pub table: String,
}

/// The row of this process.
pub struct ViewerRow {
    key: String,
    changed: Notify,
}

impl ViewerRow {
    /// Creates the row of the process with this name.
    pub fn new(process: &str) -> Self {
        ViewerRow { key: format!("{ROW_PREFIX}{process}"), changed: Notify::new() }
    }

    /// Marks that the viewers of this process have changed.
    pub fn mark_changed(&self) {
        self.changed.notify_one();
    }

    /// Returns the viewers of the other processes.
    pub async fn load_other_processes(&self, store: &dyn Store) -> Vec<ViewedBoard> {
        // While the store does not answer, only the viewers of this process count.
        let rows =
            store.scan(Space::Keep, ROW_PREFIX, None, PROCESSES_MAX).await.unwrap_or_default();
        let others = rows.into_iter().filter(|(key, _)| *key != self.key);
        // An unreadable row, such as of another version, counts as empty.
        others.flat_map(|(_, it)| serde_json::from_slice(&it).unwrap_or_else(|_| vec![])).collect()
    }
}

/// Keeps the row of this process up to date until the chat is dropped.
pub async fn run_viewer_row(web: Weak<Webchat>) {
    let mut written: BTreeSet<ViewedBoard> = BTreeSet::new();
    loop {
        let Some(alive) = web.upgrade() else { return };
        let mut closing = alive.closing.subscribe();
        let ends = *closing.borrow();
        let looks = if ends { BTreeSet::new() } else { alive.hub.viewed_boards() };
        let changed = !looks.is_empty() || !written.is_empty();
        if changed && write_viewers(&alive, &looks).await {
            written = looks;
        }
        let viewer_row = Arc::clone(&alive.viewer_row);
        drop(alive);
        if ends {
            return;
        }
        if changed {
            tokio::time::timeout(WRITE_PAUSE, closing.wait_for(|it| *it)).await.ok();
        }
        tokio::select! {
            () = viewer_row.changed.notified() => {}
            () = tokio::time::sleep(RENEW_EVERY) => {}
            // The chat is closing or was dropped.
            _ = closing.wait_for(|it| *it) => {}
        }
    }
}

/// Writes the viewers; returns whether the store accepted them. If not, the next change tries
/// again.
async fn write_viewers(web: &Webchat, looks: &BTreeSet<ViewedBoard>) -> bool {
    let key = web.viewer_row.key.clone();
    let row = match serde_json::to_vec(looks) {
        Ok(value) if !looks.is_empty() => {
            Put::new(Space::Keep, key, value).expires_at(now_ms() + ROW_MS)
        }
        Ok(_) | Err(_) => Put::remove(Space::Keep, key),
    };
    web.store.commit(Commit::from_puts(vec![row])).await.is_ok()
}
