//! Back-ups: everything that a store holds at one moment as a text that can be checked, kept
//! elsewhere and put into any other store.
//!
//! [`encode`] streams a [`Snapshot`] to wherever it shall go; a [`BackupReader`] gives the pieces back
//! and refuses whatever is damaged or cut off. [`backup_socket`] lets the running program hand its
//! back-up to a command beside it, because the store on one machine belongs to one process.

#[cfg(unix)]
mod backup_socket;
mod line_format;
mod reader;

use std::io;

use sha2::{Digest, Sha256};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::StoreError;
use super::snapshot::Snapshot;
#[cfg(unix)]
pub use backup_socket::{connect, serve, socket_path};
pub use line_format::BackupCount;
pub use reader::BackupReader;

/// Why a back-up was not made or not read.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store did not give what it holds.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file or the connection.
    #[error("the back-up cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// Something in the store is damaged.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The back-up itself is not what it should be.
    #[error("{0}")]
    InvalidFormat(String),
}

/// Writes everything and the closing line, and says how much it was. Memory does not grow with
/// what is written.
///
/// # Errors
/// When the store does not give all of it whole, or it cannot be written. What was written so far
/// then has no closing line and is refused by every reader.
pub async fn write(
    snapshot: &mut dyn Snapshot,
    out: &mut (dyn AsyncWrite + Unpin + Send),
    progress: &mut (dyn FnMut(BackupCount) + Send),
) -> Result<BackupCount, BackupError> {
    let (mut count, mut sum) = (BackupCount::default(), Sha256::new());
    let heading = format!("{}\n", line_format::HEADING);
    sum.update(heading.as_bytes());
    out.write_all(heading.as_bytes()).await?;
    loop {
        let pieces = snapshot.next_items().await?;
        if pieces.is_empty() {
            break;
        }
        let mut lines = String::new();
        for piece in &pieces {
            lines.push_str(&line_format::encode(piece)?);
            count.add(piece);
        }
        sum.update(lines.as_bytes());
        out.write_all(lines.as_bytes()).await?;
        progress(count);
    }
    out.write_all(line_format::encode_end(count, &hex(&sum.finalize())).as_bytes()).await?;
    out.flush().await?;
    Ok(count)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
