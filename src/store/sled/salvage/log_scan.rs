//! Lists all messages in the file of a base, and all places where a message is unreadable.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::super::data_folder::read_at;
use super::log_format::{
    self, HEAD_BYTES_MAX, HEADER_BYTES, LogMessageKind, ParsedMessage, SEGMENT_BYTES, SegmentHeader,
};

/// A readable message.
#[derive(Clone, Debug)]
pub(super) struct LogMessage {
    pub(super) kind: LogMessageKind,
    pub(super) page: u64,
    /// Position in the log: later messages replace earlier ones.
    pub(super) position: u64,
    /// End of the message in the log.
    pub(super) end: u64,
    content: MessageContent,
    /// Whether a flipped bit was repaired.
    pub(super) repaired: bool,
}

#[derive(Clone, Debug)]
enum MessageContent {
    InFile { at: u64, length: usize },
    Repaired(Vec<u8>),
    Blob(u64),
}

/// A damaged place of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DamagedSpot {
    /// Byte offset in the file.
    pub(super) at: u64,
    /// Position in the log.
    pub(super) position: u64,
    /// Whether it was repaired.
    pub(super) repaired: bool,
}

/// The messages and damaged places in the file of a base.
pub(super) struct LogScan {
    base: PathBuf,
    file: File,
    pub(super) messages: Vec<LogMessage>,
    pub(super) spots: Vec<DamagedSpot>,
    /// The messages after this position count only if all of them are readable.
    pub(super) tail: u64,
}

/// The part of a file to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanExtent {
    All,
    /// Only the newest part, which sled itself reads at each start.
    Tail,
}

impl LogScan {
    /// Reads the file of a base.
    pub(super) fn read(base: &Path, extent: ScanExtent) -> io::Result<LogScan> {
        let file = File::open(base.join("db"))?;
        let length = file.metadata()?.len();
        let mut scan = LogScan {
            base: base.to_owned(),
            file,
            messages: Vec::new(),
            spots: Vec::new(),
            tail: 0,
        };
        let mut headers = Vec::new();
        for at in (0..length).step_by(SEGMENT_BYTES) {
            let mut bytes = vec![0; HEADER_BYTES.min(usize_of(length - at))];
            read_at(&scan.file, &mut bytes, at)?;
            headers.push((at, SegmentHeader::read(&bytes)));
        }
        let stable = headers.iter().filter_map(|(_, it)| Some(it.as_ref()?.0.stable)).max();
        let stable = stable.unwrap_or_default();
        scan.tail = stable - stable % SEGMENT_BYTES as u64;
        let mut bytes = Vec::new();
        for (at, header) in headers {
            let is_wanted = match (extent, &header) {
                (ScanExtent::All, _) | (ScanExtent::Tail, None) => true,
                (ScanExtent::Tail, Some((header, _))) => header.begins >= scan.tail,
            };
            if is_wanted {
                // The last segment of a file may be shorter than the others.
                bytes.clear();
                bytes.resize(SEGMENT_BYTES, 0);
                let there = SEGMENT_BYTES.min(usize_of(length - at));
                read_at(&scan.file, &mut bytes[..there], at)?;
                scan.read_segment(&bytes, at, header);
            }
        }
        scan.messages.sort_by_key(|it| it.position);
        scan.spots.sort_by_key(|it| it.at);
        scan.drop_unfinished_batch();
        Ok(scan)
    }

    fn read_segment(&mut self, bytes: &[u8], offset: u64, header: Option<(SegmentHeader, bool)>) {
        let number = match header {
            Some((header, _)) => header.begins / SEGMENT_BYTES as u64,
            // The header is unreadable, but each message names the segment it was written for.
            None => match segment_of_any_message(bytes) {
                Some(segment) => segment,
                None => return,
            },
        };
        let begins = number * SEGMENT_BYTES as u64;
        let before = (self.messages.len(), self.spots.len());
        match header {
            Some((_, false)) => {}
            Some((_, true)) => self.add_damaged_spot(offset, begins, true),
            None => self.add_damaged_spot(offset, begins, false),
        }
        let mut at = HEADER_BYTES;
        while at + HEAD_BYTES_MAX <= bytes.len() {
            let rest = &bytes[at..];
            let position = begins + at as u64;
            let parsed = ParsedMessage::read(rest, Some(number));
            let (parsed, repaired) = match parsed {
                Some(parsed) => (parsed, None),
                None => {
                    if let Some((parsed, whole)) = ParsedMessage::repair(rest, number) {
                        self.add_damaged_spot(offset + at as u64, position, true);
                        (parsed, Some(whole))
                    } else if let Some(next) = next_message(rest, number) {
                        self.add_damaged_spot(offset + at as u64, position, false);
                        at += next;
                        continue;
                    } else {
                        // Nothing more was written here, or a power cut interrupted the write.
                        break;
                    }
                }
            };
            let length = parsed.head + parsed.length;
            let is_last = parsed.kind == LogMessageKind::Cap;
            self.add(&parsed, rest, repaired, (offset + at as u64, position));
            at += length;
            if is_last {
                break;
            }
        }
        if self.messages.len() == before.0 {
            // A header that looks damaged and leads to no message is not a header.
            self.spots.truncate(before.1);
        }
    }

    fn add_damaged_spot(&mut self, at: u64, position: u64, repaired: bool) {
        self.spots.push(DamagedSpot { at, position, repaired });
    }

    fn add(&mut self, it: &ParsedMessage, bytes: &[u8], whole: Option<Vec<u8>>, at: (u64, u64)) {
        let (at, position) = at;
        let end = position + (it.head + it.length) as u64;
        let repaired = whole.is_some();
        let range = it.head..it.head + it.length;
        let content = match (it.is_blob, whole) {
            (true, whole) => {
                let bytes = whole.as_deref().unwrap_or(bytes);
                let name = bytes[range].first_chunk().map(|it| u64::from_le_bytes(*it));
                MessageContent::Blob(name.unwrap_or_default())
            }
            (false, Some(whole)) => MessageContent::Repaired(whole[range].to_vec()),
            (false, None) => MessageContent::InFile { at: at + it.head as u64, length: it.length },
        };
        self.messages.push(LogMessage {
            kind: it.kind,
            page: it.page,
            position,
            end,
            content,
            repaired,
        });
    }

    /// Drops the last batch unless it was written to its end.
    fn drop_unfinished_batch(&mut self) {
        let end = self.messages.iter().map(|it| it.end).max().unwrap_or_default();
        let last = self.messages.iter().rev().find(|it| it.kind == LogMessageKind::Batch).cloned();
        let Some(last) = last else { return };
        let reaches = self.content(&last);
        let reaches = reaches.and_then(|it| it.first_chunk().map(|it| u64::from_le_bytes(*it)));
        if reaches.is_some_and(|reaches| reaches > end.saturating_sub(1)) {
            self.messages.retain(|it| it.position < last.position);
        }
    }

    /// Whether sled, too, reads this message when it replays the log from this position: sled
    /// leaves a segment at the first unreadable message, and the log at the first one of its tail.
    pub(super) fn is_read_by_sled(&self, message: &LogMessage, replayed: u64) -> bool {
        let segment = |position: u64| position / SEGMENT_BYTES as u64;
        let hides = |spot: &DamagedSpot| {
            let is_replayed = segment(spot.position) >= segment(replayed);
            let is_same = segment(spot.position) == segment(message.position);
            let ends_log = spot.position >= self.tail;
            is_replayed && spot.position <= message.position && (is_same || ends_log)
        };
        !message.repaired && !self.spots.iter().any(hides)
    }

    /// The content of a message; `None` if it is in an unreadable blob.
    pub(super) fn content(&self, message: &LogMessage) -> Option<Vec<u8>> {
        match &message.content {
            MessageContent::InFile { at, length } => {
                let mut bytes = vec![0; *length];
                read_at(&self.file, &mut bytes, *at).ok()?;
                Some(bytes)
            }
            MessageContent::Repaired(bytes) => Some(bytes.clone()),
            MessageContent::Blob(name) => {
                let path = self.base.join("blobs").join(name.to_string());
                log_format::read_blob(&fs::read(path).ok()?)
            }
        }
    }
}

fn segment_of_any_message(bytes: &[u8]) -> Option<u64> {
    let mut rests = (HEADER_BYTES..bytes.len()).map(|at| &bytes[at..]);
    rests.find_map(|rest| ParsedMessage::read(rest, None)).map(|it| it.segment)
}

/// The position from which sled replays the log. Its snapshot file holds everything before, and the
/// name of the file contains the position.
pub(super) fn replay_start(base: &Path) -> u64 {
    let entries = fs::read_dir(base).into_iter().flatten().flatten();
    let position = |name: &str| u64::from_str_radix(name.strip_prefix("snap.")?, 16).ok();
    let positions = entries.filter_map(|it| position(it.file_name().to_str()?));
    positions.max().unwrap_or_default()
}

/// The distance to the next message of this segment.
fn next_message(bytes: &[u8], segment: u64) -> Option<usize> {
    let is_one = |at: &usize| ParsedMessage::read(&bytes[*at..], Some(segment)).is_some();
    (1..bytes.len().saturating_sub(HEAD_BYTES_MAX - 1)).find(is_one)
}

/// Converts a length within a segment.
fn usize_of(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
