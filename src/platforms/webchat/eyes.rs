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

use super::Web;
use super::now_ms;
use caravanserai_store::{Commit, Put, Space, Store};

/// How the keys of the rows begin.
const ROWS: &str = "web eyes ";
/// More processes than serve one chat.
const PROCESSES_MAX: usize = 64;
/// How often a row is written anew while anybody looks.
const RENEWED: Duration = Duration::from_secs(60);
/// For how long it holds.
const HOLDS_MS: u64 = 120_000;
/// How long it is not written again.
const PAUSE: Duration = Duration::from_secs(1);

/// Somebody who looks at a board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Look {
    /// Who.
    pub person: String,
    /// In which room.
    pub room: String,
    /// At which table.
    pub table: String,
}

/// The row of this process.
pub struct Eyes {
    key: String,
    changed: Notify,
}

impl Eyes {
    /// Of a process by this name.
    pub fn new(process: &str) -> Self {
        Eyes { key: format!("{ROWS}{process}"), changed: Notify::new() }
    }

    /// Somebody looks at another board by this process, or at none any more.
    pub fn have_moved(&self) {
        self.changed.notify_one();
    }

    /// Who looks by the other processes.
    pub async fn elsewhere(&self, store: &dyn Store) -> Vec<Look> {
        // The count is of this process alone as long as the store does not answer.
        let rows = store.scan(Space::Keep, ROWS, None, PROCESSES_MAX).await.unwrap_or_default();
        let others = rows.into_iter().filter(|(key, _)| *key != self.key);
        // A row that cannot be read, of another version, counts nobody.
        others.flat_map(|(_, it)| serde_json::from_slice(&it).unwrap_or_else(|_| vec![])).collect()
    }
}

/// Keeps the row of this process true until the chat is gone.
pub async fn keep(web: Weak<Web>) {
    let mut written: BTreeSet<Look> = BTreeSet::new();
    loop {
        let Some(alive) = web.upgrade() else { return };
        let mut closing = alive.closing.subscribe();
        let ends = *closing.borrow();
        let looks = if ends { BTreeSet::new() } else { alive.hub.looking() };
        let news = !looks.is_empty() || !written.is_empty();
        if news && write(&alive, &looks).await {
            written = looks;
        }
        let eyes = Arc::clone(&alive.eyes);
        drop(alive);
        if ends {
            return;
        }
        if news {
            tokio::time::timeout(PAUSE, closing.wait_for(|it| *it)).await.ok();
        }
        tokio::select! {
            () = eyes.changed.notified() => {}
            () = tokio::time::sleep(RENEWED) => {}
            // The chat closes, or is gone.
            _ = closing.wait_for(|it| *it) => {}
        }
    }
}

/// Writes who looks; whether the store took it. Else it is tried again with the next change.
async fn write(web: &Web, looks: &BTreeSet<Look>) -> bool {
    let key = web.eyes.key.clone();
    let row = match serde_json::to_vec(looks) {
        Ok(value) if !looks.is_empty() => {
            Put::new(Space::Keep, key, value).until(now_ms() + HOLDS_MS)
        }
        Ok(_) | Err(_) => Put::remove(Space::Keep, key),
    };
    web.store.commit(Commit::of(vec![row])).await.is_ok()
}
