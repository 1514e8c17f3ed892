//! Reads and verifies a backup item by item.

use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use super::BackupError;
use super::age_encryption::read_error;
use super::line_format::{self, BackupCount, BackupLine};
use crate::snapshot::StoredItem;

/// Longest line, in bytes: the longest value with every byte escaped is shorter.
const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Returns the items of a backup in order. The backup is complete only once
/// [`BackupReader::next`] has returned `None`.
pub struct BackupReader<R> {
    from: R,
    number: u64,
    count: BackupCount,
    sum: Sha256,
    ended: bool,
}

impl<R: AsyncBufRead + Unpin + Send> BackupReader<R> {
    /// Reads the heading.
    ///
    /// # Errors
    /// When this is not a backup, or is one of a newer version.
    pub async fn open(from: R) -> Result<Self, BackupError> {
        let count = BackupCount::default();
        let sum = Sha256::new();
        let mut reader = Self { from, number: 0, count, sum, ended: false };
        let heading = reader.line().await?;
        match heading.as_deref() {
            Some(line_format::HEADING) => Ok(reader),
            Some(other) if other.starts_with("caravanserai-backup ") => {
                Err(BackupError::InvalidFormat(format!(
                    "this backup was made by a newer program: it begins with {other:?}"
                )))
            }
            Some(_) | None => {
                Err(BackupError::InvalidFormat("this is not a backup of Caravanserai".into()))
            }
        }
    }

    /// The next item; `None` after the closing line, if it agrees with everything before it.
    ///
    /// # Errors
    /// With the number of the line when it is damaged, or when the closing line is missing.
    pub async fn next(&mut self) -> Result<Option<StoredItem>, BackupError> {
        if self.ended {
            return Ok(None);
        }
        let before = self.sum.clone();
        let Some(line) = self.line().await? else {
            return self.format_error("the backup is truncated: its closing line is missing");
        };
        match line_format::parse(&line) {
            None => self.format_error("this line is damaged"),
            Some(BackupLine::Item(item)) => {
                self.count.add(&item);
                Ok(Some(item))
            }
            Some(BackupLine::End { count, sum }) => {
                if count != self.count || sum != hex::encode(before.finalize()) {
                    return self
                        .format_error("the closing line does not agree with what is before it");
                }
                if self.line().await?.is_some() {
                    return self.format_error("there is text after the closing line");
                }
                self.ended = true;
                Ok(None)
            }
        }
    }

    /// The number of items read so far.
    pub fn count(&self) -> BackupCount {
        self.count
    }

    async fn line(&mut self) -> Result<Option<String>, BackupError> {
        let mut line = Vec::new();
        let read = (&mut self.from).take(LINE_BYTES_MAX).read_until(b'\n', &mut line).await;
        let read = read.map_err(read_error)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.sum.update(&line);
        if line.pop() != Some(b'\n') {
            return self.format_error("this line is truncated");
        }
        match String::from_utf8(line) {
            Ok(line) => Ok(Some(line)),
            Err(_) => self.format_error("this line is damaged"),
        }
    }

    fn format_error<T>(&self, what: &str) -> Result<T, BackupError> {
        Err(BackupError::InvalidFormat(format!("line {}: {what}", self.number)))
    }
}
