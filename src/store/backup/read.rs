//! Reads a back-up piece by piece.

use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use super::text::{self, Count, Entry};
use super::{BackupError, hex};
use crate::snapshot::Piece;

/// No line is longer than the longest value with every byte escaped.
const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Gives the pieces of a back-up in order. Only when it has given `None` was everything there.
pub struct Reader<R> {
    from: R,
    number: u64,
    count: Count,
    sum: Sha256,
    ended: bool,
}

impl<R: AsyncBufRead + Unpin + Send> Reader<R> {
    /// Reads the heading.
    ///
    /// # Errors
    /// When this is no back-up, or one of a newer program.
    pub async fn open(from: R) -> Result<Self, BackupError> {
        let (count, sum) = (Count::default(), Sha256::new());
        let mut reader = Self { from, number: 0, count, sum, ended: false };
        let heading = reader.line().await?;
        match heading.as_deref() {
            Some(text::HEADING) => Ok(reader),
            Some(other) if other.starts_with("caravanserai-backup ") => Err(BackupError::Wrong(
                format!("this back-up was made by a newer program: it begins with {other:?}"),
            )),
            Some(_) | None => Err(BackupError::Wrong("this is no back-up of Caravanserai".into())),
        }
    }

    /// The next piece; `None` after the closing line, if all before it agrees with it.
    ///
    /// # Errors
    /// With the number of the line when it is damaged, or when the end is missing.
    pub async fn next(&mut self) -> Result<Option<Piece>, BackupError> {
        if self.ended {
            return Ok(None);
        }
        let before = self.sum.clone();
        let Some(line) = self.line().await? else {
            return self.wrong("the back-up is cut off: its closing line is missing");
        };
        match text::read(&line) {
            None => self.wrong("this line is damaged"),
            Some(Entry::Piece(piece)) => {
                self.count.add(&piece);
                Ok(Some(piece))
            }
            Some(Entry::End { count, sum }) => {
                if count != self.count || sum != hex(&before.finalize()) {
                    return self.wrong("the closing line does not agree with what is before it");
                }
                if self.line().await?.is_some() {
                    return self.wrong("something stands after the closing line");
                }
                self.ended = true;
                Ok(None)
            }
        }
    }

    /// How much was read.
    pub fn count(&self) -> Count {
        self.count
    }

    async fn line(&mut self) -> Result<Option<String>, BackupError> {
        let mut line = Vec::new();
        let read = (&mut self.from).take(LINE_BYTES_MAX).read_until(b'\n', &mut line).await?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.sum.update(&line);
        if line.pop() != Some(b'\n') {
            return self.wrong("this line is cut off");
        }
        match String::from_utf8(line) {
            Ok(line) => Ok(Some(line)),
            Err(_) => self.wrong("this line is damaged"),
        }
    }

    fn wrong<T>(&self, what: &str) -> Result<T, BackupError> {
        Err(BackupError::Wrong(format!("line {}: {what}", self.number)))
    }
}
