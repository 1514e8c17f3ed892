//! Writes and reads backups: everything that a store holds at one moment, as a text with checksums
//! that can be kept elsewhere and restored into any other store.
//!
//! [`write()`] streams a [`Snapshot`] to any output, and [`write_encrypted`] encrypts it for the
//! holders of keys. [`open_backup`] opens either; [`BackupReader`] returns the items and refuses a
//! damaged or truncated backup. `backup_socket` lets a command get the backup of the running
//! program, because a store in a folder belongs to one process.

mod age_encryption;
#[cfg(unix)]
mod backup_socket;
mod line_format;
mod reader;

use std::io;

use sha2::{Digest, Sha256};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::StoreError;
use super::snapshot::{Snapshot, StoredItem};
pub use age_encryption::{
    BackupIdentities, BackupKeyError, BackupRecipients, BackupText, begins_like_identity,
    holds_identity, new_identity, open_backup, write_encrypted,
};
#[cfg(unix)]
pub use backup_socket::{connect, serve, socket_path};
pub use line_format::BackupCount;
pub use reader::BackupReader;

/// Why a backup could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store failed to return its contents.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file or the connection failed.
    #[error("the backup cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// Items in the store are damaged: names them.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The backup is damaged, truncated or of another format.
    #[error("{0}")]
    InvalidFormat(String),
}

/// Most damaged items that an error names; the others are counted.
const DAMAGED_NAMED_MAX: usize = 20;

/// What happens to items that are damaged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DamagedItems {
    /// The backup fails at its end, and names them.
    Refuse,
    /// A line names each, for commands that look for damage.
    Stream,
}

/// Writes all items and the closing line, and returns their number. Memory use does not grow with
/// the size of the backup.
///
/// # Errors
/// When the store cannot return everything undamaged, or the output fails. The text written so far
/// then has no closing line, and every reader refuses it.
pub async fn write(
    snapshot: &mut dyn Snapshot,
    out: &mut (dyn AsyncWrite + Unpin + Send),
    progress: &mut (dyn FnMut(BackupCount) + Send),
) -> Result<BackupCount, BackupError> {
    write_items(snapshot, DamagedItems::Refuse, out, progress).await
}

async fn write_items(
    snapshot: &mut dyn Snapshot,
    damaged_items: DamagedItems,
    out: &mut (dyn AsyncWrite + Unpin + Send),
    progress: &mut (dyn FnMut(BackupCount) + Send),
) -> Result<BackupCount, BackupError> {
    let mut count = BackupCount::default();
    let mut sum = Sha256::new();
    let mut refused = RefusedItems::default();
    let heading = format!("{}\n", line_format::HEADING);
    sum.update(heading.as_bytes());
    out.write_all(heading.as_bytes()).await?;
    loop {
        let items = snapshot.next_items().await?;
        if items.is_empty() {
            break;
        }
        let mut lines = String::new();
        for item in &items {
            match item {
                StoredItem::Damaged(what) if damaged_items == DamagedItems::Refuse => {
                    refused.add(what);
                }
                StoredItem::Row { .. } | StoredItem::Line { .. } | StoredItem::Damaged(_) => {
                    lines.push_str(&line_format::encode(item));
                    count.add(item);
                }
            }
        }
        sum.update(lines.as_bytes());
        out.write_all(lines.as_bytes()).await?;
        progress(count);
    }
    if let Some(names) = refused.names() {
        return Err(BackupError::Damaged(names));
    }
    out.write_all(line_format::encode_end(count, &hex::encode(sum.finalize())).as_bytes()).await?;
    out.flush().await?;
    Ok(count)
}

/// The damaged items for which a backup is refused.
#[derive(Default)]
struct RefusedItems {
    first: Vec<String>,
    more: u64,
}

impl RefusedItems {
    fn add(&mut self, what: &str) {
        if self.first.len() < DAMAGED_NAMED_MAX {
            self.first.push(what.to_owned());
        } else {
            self.more += 1;
        }
    }

    /// Names the items; `None` if there are none.
    fn names(mut self) -> Option<String> {
        if self.more > 0 {
            self.first.push(format!("and {} more", self.more));
        }
        (!self.first.is_empty()).then(|| self.first.join("; "))
    }
}
