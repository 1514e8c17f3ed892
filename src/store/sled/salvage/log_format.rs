//! The file format of sled 0.34: numbers, segments, messages and pages.
//!
//! ```text
//! db       segments of 512 KB, each with a header of 20 bytes and messages behind it
//! header   checksum (4), first position in the log (8), last position known to be on disk (8)
//! message  checksum (4), kind (1), length, number of the segment, page: varints; then its content
//! blobs/N  content of a message that is too long for a segment: checksum (4), kind (1), content
//! ```
//!
//! The log position of a message grows without end, while segments of the file are reused; so a
//! message carries the number of the segment that it was written for.

use super::bit_repair::flipped_bit;

/// Length of a segment, in bytes: the default of sled, which this program never changes.
pub(super) const SEGMENT_BYTES: usize = 512 * 1024;
/// Length of a segment header, in bytes.
pub(super) const HEADER_BYTES: usize = 20;
/// Longest head of a message, in bytes. No message begins so late in a segment that its head would
/// not fit.
pub(super) const HEAD_BYTES_MAX: usize = 32;
/// The name under which sled keeps the root of its first tree.
pub(super) const TREE: &[u8] = b"__sled__default";
/// The page that names the roots of trees.
pub(super) const ROOTS_PAGE: u64 = 0;

const POSITION_MASK: u64 = 0x7FFF_FFFF_FFFF_FFFF;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogMessageKind {
    /// No effect: the message was canceled.
    Canceled,
    /// The end of a segment.
    Cap,
    /// The beginning of a batch: names the log position of its end.
    Batch,
    /// Frees a page.
    Free,
    /// Persists a counter of ids.
    Counter,
    /// The roots of trees.
    Roots,
    /// A whole page.
    Page,
    /// A change of a page.
    Change,
}

/// The header of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SegmentHeader {
    /// Log position of the segment.
    pub(super) begins: u64,
    /// Log position up to which data was on disk when the segment was begun.
    pub(super) stable: u64,
}

impl SegmentHeader {
    /// Reads a header; the flag says whether a flipped bit was repaired.
    pub(super) fn read(bytes: &[u8]) -> Option<(SegmentHeader, bool)> {
        let mut bytes: [u8; HEADER_BYTES] = *bytes.first_chunk()?;
        let sum = u32::from_le_bytes(*bytes.first_chunk()?);
        let mut repaired = false;
        if crc32fast::hash(&bytes[4..]) != !sum {
            // A flip within the checksum itself leaves exactly one different bit.
            let is_in_sum = (crc32fast::hash(&bytes[4..]) ^ !sum).count_ones() == 1;
            if !is_in_sum {
                let (at, bit) = flipped_bit(&bytes[4..], !sum)?;
                bytes[4 + at] ^= 1 << bit;
            }
            repaired = true;
        }
        let number = |at: usize| bytes[at..].first_chunk().map(|it| u64::from_le_bytes(*it));
        let begins = number(4)? ^ POSITION_MASK;
        let stable = number(12)? ^ POSITION_MASK;
        let is_possible = begins <= POSITION_MASK && begins.is_multiple_of(SEGMENT_BYTES as u64);
        // No position is known to be on disk before the first.
        let stable = if stable > POSITION_MASK { 0 } else { stable };
        is_possible.then_some((SegmentHeader { begins, stable }, repaired))
    }
}

/// A message whose checksum was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParsedMessage {
    pub(super) kind: LogMessageKind,
    /// Whether the content is the name of a blob.
    pub(super) is_blob: bool,
    pub(super) segment: u64,
    pub(super) page: u64,
    /// The offset and the length of the content.
    pub(super) head: usize,
    pub(super) length: usize,
}

impl ParsedMessage {
    /// Reads the message at the start of `bytes`, of this segment or of any; `None` if there is no
    /// valid one.
    pub(super) fn read(bytes: &[u8], segment: Option<u64>) -> Option<ParsedMessage> {
        let (sum, parsed) = Self::read_head(bytes)?;
        if segment.is_some_and(|segment| segment != parsed.segment) {
            return None;
        }
        let (head, content) = bytes.split_at(parsed.head);
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(content.get(..parsed.length)?);
        hasher.update(&head[4..]);
        (hasher.finalize() == !sum).then_some(parsed)
    }

    /// Reads the head without checking the checksum.
    fn read_head(bytes: &[u8]) -> Option<(u32, ParsedMessage)> {
        let (sum, rest) = bytes.split_first_chunk::<4>()?;
        let (kind, rest) = rest.split_first()?;
        let (kind, is_blob) = match kind {
            1 => (LogMessageKind::Canceled, false),
            2 => (LogMessageKind::Cap, false),
            3 => (LogMessageKind::Batch, false),
            4 => (LogMessageKind::Free, false),
            5 => (LogMessageKind::Counter, false),
            6 | 7 => (LogMessageKind::Roots, *kind == 7),
            8 | 9 => (LogMessageKind::Page, *kind == 9),
            10 | 11 => (LogMessageKind::Change, *kind == 11),
            _other => return None,
        };
        let mut rest = ByteReader(rest);
        let length = rest.number()?;
        let segment = rest.number()?;
        let page = rest.number()?;
        let head = bytes.len() - rest.0.len();
        let length = usize::try_from(length).ok().filter(|it| *it <= rest.0.len())?;
        let sum = u32::from_le_bytes(*sum);
        Some((sum, ParsedMessage { kind, is_blob, segment, page, head, length }))
    }

    /// Repairs a message of this segment with one flipped bit; returns the message and its original
    /// bytes.
    pub(super) fn repair(bytes: &[u8], segment: u64) -> Option<(ParsedMessage, Vec<u8>)> {
        let cut = |it: ParsedMessage, mut bytes: Vec<u8>| {
            bytes.truncate(it.head + it.length);
            (it, bytes)
        };
        // The head is short enough to try each bit.
        let mut tried = bytes.to_vec();
        for bit in 0..8 * HEAD_BYTES_MAX.min(bytes.len()) {
            tried[bit / 8] ^= 1 << (bit % 8);
            if let Some(parsed) = ParsedMessage::read(&tried, Some(segment)) {
                return Some(cut(parsed, tried));
            }
            tried[bit / 8] ^= 1 << (bit % 8);
        }
        let (sum, parsed) = Self::read_head(bytes).filter(|(_, it)| it.segment == segment)?;
        let mut summed = bytes[parsed.head..parsed.head + parsed.length].to_vec();
        summed.extend_from_slice(&bytes[4..parsed.head]);
        let (at, bit) = flipped_bit(&summed, !sum).filter(|(at, _)| *at < parsed.length)?;
        tried[parsed.head + at] ^= 1 << bit;
        Some(cut(parsed, tried))
    }
}

/// Reads the content of a blob file and repairs one flipped bit.
pub(super) fn read_blob(bytes: &[u8]) -> Option<Vec<u8>> {
    let (sum, summed) = bytes.split_first_chunk::<4>()?;
    let sum = u32::from_le_bytes(*sum);
    let mut summed = summed.to_vec();
    if crc32fast::hash(&summed) != sum {
        let (at, bit) = flipped_bit(&summed, sum)?;
        summed[at] ^= 1 << bit;
    }
    summed.split_first().map(|(_kind, content)| content.to_vec())
}

/// Reads values from the front of a byte slice.
pub(super) struct ByteReader<'a>(pub(super) &'a [u8]);

impl<'a> ByteReader<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    /// A variable-length number of one to nine bytes.
    pub(super) fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        Some(match first {
            0..=240 => u64::from(first),
            241..=248 => 240 + 256 * (u64::from(first) - 241) + u64::from(self.byte()?),
            249 => 2288 + 256 * u64::from(self.byte()?) + u64::from(self.byte()?),
            250..=255 => {
                let mut number = [0; 8];
                for byte in &mut number[..usize::from(first) - 247] {
                    *byte = self.byte()?;
                }
                u64::from_le_bytes(number)
            }
        })
    }

    /// A byte string with its length before it.
    pub(super) fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }
}
