//! Who looks at which board, at all processes of one chat.
//!
//! Each process writes who looks by it into a row of its own, when that changes and while anybody
//! looks, and reads the rows of the others. A row whose process has died is over within two
//! minutes.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::Webchat;
use super::now_ms;
use caravanserai_store::{Commit, Put, Space, Store};

/// How the keys of the rows begin.
const ROW_PREFIX: &str = "web eyes ";
/// More processes than serve one chat.
const PROCESSES_MAX: usize = 64;
/// How often a row is written anew while anybody looks.
const RENEW_EVERY: Duration = Duration::from_secs(60);
/// For how long it holds.
const ROW_MS: u64 = 120_000;
/// How long it is not written again.
const WRITE_PAUSE: Duration = Duration::from_secs(1);

/// Somebody who looks at a board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ViewedBoard {
    /// Who.
    pub person: String,
    /// In which room.
    pub room: String,
    /// At which table.
    pub table: String,
}

/// The row of this process.
pub struct ViewerRow {
    key: String,
    changed: Notify,
}

impl ViewerRow {
    /// Of a process by this name.
    pub fn new(process: &str) -> Self {
        ViewerRow { key: format!("{ROW_PREFIX}{process}"), changed: Notify::new() }
    }

    /// Somebody looks at another board by this process, or at none any more.
    pub fn mark_changed(&self) {
        self.changed.notify_one();
    }

    /// Who looks by the other processes.
    pub async fn load_other_processes(&self, store: &dyn Store) -> Vec<ViewedBoard> {
        // The count is of this process alone as long as the store does not answer.
        let rows =
            store.scan(Space::Keep, ROW_PREFIX, None, PROCESSES_MAX).await.unwrap_or_default();
        let others = rows.into_iter().filter(|(key, _)| *key != self.key);
        // A row that cannot be read, of another version, counts nobody.
        others.flat_map(|(_, it)| serde_json::from_slice(&it).unwrap_or_else(|_| vec![])).collect()
    }
}

/// Keeps the row of this process true until the chat is gone.
pub async fn run_viewer_row(web: Weak<Webchat>) {
    let mut written: BTreeSet<ViewedBoard> = BTreeSet::new();
    loop {
        let Some(alive) = web.upgrade() else { return };
        let mut closing = alive.closing.subscribe();
        let ends = *closing.borrow();
        let looks = if ends { BTreeSet::new() } else { alive.hub.viewed_boards() };
        let news = !looks.is_empty() || !written.is_empty();
        if news && write_viewers(&alive, &looks).await {
            written = looks;
        }
        let eyes = Arc::clone(&alive.eyes);
        drop(alive);
        if ends {
            return;
        }
        if news {
            tokio::time::timeout(WRITE_PAUSE, closing.wait_for(|it| *it)).await.ok();
        }
        tokio::select! {
            () = eyes.changed.notified() => {}
            () = tokio::time::sleep(RENEW_EVERY) => {}
            // The chat closes, or is gone.
            _ = closing.wait_for(|it| *it) => {}
        }
    }
}

/// Writes who looks; whether the store took it. Else it is tried again with the next change.
async fn write_viewers(web: &Webchat, looks: &BTreeSet<ViewedBoard>) -> bool {
    let key = web.eyes.key.clone();
    let row = match serde_json::to_vec(looks) {
        Ok(value) if !looks.is_empty() => {
            Put::new(Space::Keep, key, value).expires_at(now_ms() + ROW_MS)
        }
        Ok(_) | Err(_) => Put::remove(Space::Keep, key),
    };
    web.store.commit(Commit::from_puts(vec![row])).await.is_ok()
}
