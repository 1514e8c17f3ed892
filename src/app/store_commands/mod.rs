//! The operator's commands for stores: back up, restore, check, compact, copy, salvage, and handle
//! damage.

mod admin;
mod backup;
mod backup_key;
mod check;
mod compact;
mod copy;
mod damaged;
mod encryption;
mod existing;
mod results;
mod salvage;

use std::io::{IsTerminal, Write, stderr};

use caravanserai_store::backup::BackupCount;
use caravanserai_store::{Snapshot, StoredItem};

pub use admin::run_admin;
pub use backup::{DeletionSources, backup, deleted_accounts, restore, restore_with_lists};
pub use backup_key::{make_backup_key, read_identities};
pub use check::{BackupProtection, check_backup, check_store};
pub use compact::compact_store;
pub use copy::{copy_address, copy_store};
#[cfg(unix)]
pub(crate) use damaged::{DamagedTable, read_damaged, remove_damaged};
pub use damaged::{close_table, close_table_or_ask_bot, list_damaged};
pub(crate) use encryption::write_private;
pub use encryption::{decrypt_store, encrypt_store, make_key};
pub use results::{rebuild_results, rebuild_results_or_ask_bot};
pub use salvage::salvage;

/// Items between two progress reports when standard error is not a terminal.
const ITEMS_PER_REPORT: u64 = 1_000_000;

/// Reports progress on standard error.
struct ProgressReporter {
    what: &'static str,
    last_reported: u64,
    terminal: bool,
}

impl ProgressReporter {
    fn new(what: &'static str) -> Self {
        Self { what, last_reported: 0, terminal: stderr().is_terminal() }
    }

    fn show(&mut self, count: BackupCount) {
        let all = count.rows + count.lines;
        let text = format!("{}: {} rows, {} lines of logs", self.what, count.rows, count.lines);
        // A closed terminal does not end the work.
        if self.terminal {
            let _ = write!(stderr(), "\r\x1b[K{text}");
        } else if all >= self.last_reported + ITEMS_PER_REPORT {
            self.last_reported = all;
            let _ = writeln!(stderr(), "{text}");
        }
    }

    fn end(&self) {
        if self.terminal {
            let _ = writeln!(stderr());
        }
    }
}

/// Reads a snapshot to its end, with progress reports.
async fn for_each_item(
    snapshot: &mut dyn Snapshot,
    what: &'static str,
    mut look: impl FnMut(StoredItem),
) -> anyhow::Result<()> {
    let mut progress = ProgressReporter::new(what);
    let mut count = BackupCount::default();
    loop {
        let items = snapshot.next_items().await?;
        if items.is_empty() {
            break;
        }
        for item in items {
            count.add(&item);
            look(item);
        }
        progress.show(count);
    }
    progress.end();
    Ok(())
}
