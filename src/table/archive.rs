//! Packs finished tables into compact records.
//!
//! A log of some hundred lines becomes one value of about a kilobyte, which is sufficient for the
//! record, replay and analysis of a finished game, and for the check of its chance.
//!
//! A record omits the causes of steps and throws (nothing is derived from them; the causes of
//! taking a seat stay, because chance depends on them). It rounds times to seconds, and the times
//! of steps and throws to minutes.
//!
//! To load a table: when the store has no log under its code, look in `Space::Archive` under the
//! same key, [`unpack`] the value, and fold the lines as if they came from the log.

use std::io::{Read, Write};

use flate2::read::DeflateDecoder;
use ppmd_rust::{Ppmd7Decoder, Ppmd7Encoder};

/// The first byte of every record. It increases when older programs could not parse newer records.
const FORMAT: u8 = 2;
/// The format with deflated columns. No code writes it any more.
const FORMAT_DEFLATED: u8 = 1;
/// The number of bytes before the columns, for format and checksum.
const HEADER_BYTES: usize = 5;
/// The order of the compression model: the number of preceding letters that predict the next one.
/// Part of the stored format.
const MODEL_ORDER: u32 = 3;
/// The memory of the compression model of a column, in bytes. Part of the stored format.
const MODEL_BYTES: u32 = 256 * 1024;
/// The number of columns of a record.
const COLUMN_COUNT: usize = 3;
/// The maximum length of an unpacked column: a damaged record must not exhaust the memory.
const COLUMN_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The cause of steps that come from a record.
const ARCHIVE_CAUSE: &str = "archive";

/// The kind of a line, in one byte; values from [`KIND_STEP`] on include the seat that acted.
const KIND_OTHER: u8 = 0;
const KIND_CHANCE: u8 = 1;
const KIND_STEP: u8 = 2;

/// Packs the log of a finished table into a record.
pub fn pack(lines: &[String]) -> Vec<u8> {
    let mut columns = ArchiveColumns::default();
    for (number, line) in lines.iter().enumerate() {
        columns.add_line(number, line);
    }
    let parts = columns.into_parts();
    let mut record = vec![FORMAT];
    record.extend_from_slice(&checksum(&parts).to_le_bytes());
    for part in &parts {
        // Each column is compressed by itself, because similar data compresses best together.
        let compressed = compress_column(part);
        encode_number(&mut record, part.len() as u64);
        encode_number(&mut record, compressed.len() as u64);
        record.extend_from_slice(&compressed);
    }
    record
}

/// Compresses a column with PPMd (variant H): moves are short words, for which dictionary
/// compression is of little use.
fn compress_column(part: &[u8]) -> Vec<u8> {
    let mut encoder = Ppmd7Encoder::new(Vec::new(), MODEL_ORDER, MODEL_BYTES)
        .expect("order and memory are within the limits of PPMd");
    let written = encoder.write_all(part).and_then(|()| encoder.finish(false));
    written.expect("writing to memory does not fail")
}

fn checksum(parts: &[Vec<u8>; COLUMN_COUNT]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    for part in parts {
        sum.update(&(part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    sum.finalize()
}

/// Unpacks a record into lines, to be folded like those of a log.
///
/// # Errors
/// Returns a description when the record is damaged or has a newer format.
pub fn unpack(record: &[u8]) -> Result<Vec<String>, String> {
    let columns = match record.first() {
        None => return Err("the record of this table is empty".into()),
        Some(&FORMAT) => decompress_columns,
        Some(&FORMAT_DEFLATED) => inflate_columns,
        Some(format) => {
            return Err(format!(
                "the record of this table is of format {format} and this program knows up to \
                 {FORMAT}: a newer program wrote it"
            ));
        }
    };
    let damaged = || "the record of this table is damaged".to_owned();
    let whole = record.get(1..HEADER_BYTES).zip(record.get(HEADER_BYTES..));
    let (found, rest) = whole.ok_or_else(damaged)?;
    let parts = columns(rest).ok_or_else(damaged)?;
    if checksum(&parts).to_le_bytes() != *found {
        return Err(damaged());
    }
    ArchiveColumns::from_parts(parts).and_then(|columns| columns.lines()).ok_or_else(damaged)
}

fn decompress_columns(mut rest: &[u8]) -> Option<[Vec<u8>; COLUMN_COUNT]> {
    let mut parts: [Vec<u8>; COLUMN_COUNT] = Default::default();
    for part in &mut parts {
        let bytes = decode_number(&mut rest).filter(|bytes| *bytes <= COLUMN_BYTES_MAX)?;
        let compressed = decode_bytes(&mut rest)?;
        let decoder = Ppmd7Decoder::new(compressed, MODEL_ORDER, MODEL_BYTES).ok()?;
        decoder.take(bytes).read_to_end(part).ok()?;
    }
    rest.is_empty().then_some(parts)
}

fn inflate_columns(mut rest: &[u8]) -> Option<[Vec<u8>; COLUMN_COUNT]> {
    let mut parts: [Vec<u8>; COLUMN_COUNT] = Default::default();
    for part in &mut parts {
        let deflated = decode_bytes(&mut rest)?;
        DeflateDecoder::new(deflated).take(COLUMN_BYTES_MAX).read_to_end(part).ok()?;
    }
    rest.is_empty().then_some(parts)
}

/// A log in columns of similar data, which compress well.
#[derive(Default)]
struct ArchiveColumns {
    /// The kind of each line: [`KIND_OTHER`], [`KIND_CHANCE`], or [`KIND_STEP`] plus the seat.
    kinds: Vec<u8>,
    /// The seconds since the previous line, as [`encode_number`] writes them.
    times: Vec<u8>,
    /// The tokens of steps and throws, each terminated by a line feed.
    tokens: String,
    /// All other lines without number and time, each terminated by a line feed.
    others: String,
    last_s: u64,
}

impl ArchiveColumns {
    fn add_line(&mut self, number: usize, line: &str) {
        let Some((at_ms, cause, event)) = split_line(number, line) else {
            // A malformed line stays unchanged; folding reports it as before.
            self.kinds.push(KIND_OTHER);
            encode_number(&mut self.times, 0);
            self.push_other(&format!("!{line}"));
            return;
        };
        let step = parse_step(event);
        let exact_s = if step.is_some() { 60 } else { 1 };
        let at_s = at_ms / 1000 / exact_s * exact_s;
        // Time never goes back in a log, except after a clock jump.
        encode_number(&mut self.times, at_s.saturating_sub(self.last_s));
        self.last_s = self.last_s.max(at_s);
        if let Some((kind, token)) = step {
            self.kinds.push(kind);
            self.tokens.push_str(token);
            self.tokens.push('\n');
        } else {
            self.kinds.push(KIND_OTHER);
            self.push_other(&format!("{cause} {event}"));
        }
    }

    fn push_other(&mut self, text: &str) {
        self.others.push_str(text);
        self.others.push('\n');
    }

    fn into_parts(self) -> [Vec<u8>; COLUMN_COUNT] {
        let mut text = Vec::new();
        encode_number(&mut text, self.others.len() as u64);
        text.extend_from_slice(self.others.as_bytes());
        text.extend_from_slice(self.tokens.as_bytes());
        [self.kinds, self.times, text]
    }

    fn from_parts([kinds, times, text]: [Vec<u8>; COLUMN_COUNT]) -> Option<ArchiveColumns> {
        let mut text = text.as_slice();
        let bytes = usize::try_from(decode_number(&mut text)?).ok()?;
        let (others, tokens) = text.split_at_checked(bytes)?;
        let others = String::from_utf8(others.to_vec()).ok()?;
        let tokens = String::from_utf8(tokens.to_vec()).ok()?;
        Some(ArchiveColumns { kinds, times, tokens, others, last_s: 0 })
    }

    fn lines(&self) -> Option<Vec<String>> {
        let mut tokens = self.tokens.split('\n');
        let mut others = self.others.split('\n');
        let mut times = self.times.as_slice();
        let mut at_s = 0_u64;
        let mut lines = Vec::with_capacity(self.kinds.len());
        for (number, kind) in self.kinds.iter().enumerate() {
            at_s = at_s.checked_add(decode_number(&mut times)?)?;
            let at_ms = at_s.checked_mul(1000)?;
            lines.push(match *kind {
                KIND_OTHER => match others.next()? {
                    raw if raw.starts_with('!') => raw[1..].to_owned(),
                    rest => format!("{number} {at_ms} {rest}"),
                },
                KIND_CHANCE => {
                    format!("{number} {at_ms} {ARCHIVE_CAUSE} chance {}", tokens.next()?)
                }
                step => {
                    format!(
                        "{number} {at_ms} {ARCHIVE_CAUSE} step {} {}",
                        step - KIND_STEP,
                        tokens.next()?
                    )
                }
            });
        }
        let all = times.is_empty() && tokens.next() == Some("") && others.next() == Some("");
        all.then_some(lines)
    }
}

/// Returns the time, cause and event of a line that has the right number.
fn split_line(number: usize, line: &str) -> Option<(u64, &str, &str)> {
    let mut words = line.splitn(4, ' ');
    let n = words.next()?;
    let at_ms = words.next()?;
    let cause = words.next()?;
    let event = words.next()?;
    let at_ms = at_ms.parse().ok()?;
    (n == number.to_string() && !cause.starts_with('!')).then_some((at_ms, cause, event))
}

/// Returns the kind and token of a step or throw; `None` for every other event.
fn parse_step(event: &str) -> Option<(u8, &str)> {
    if let Some(token) = event.strip_prefix("chance ") {
        return (!token.contains(' ')).then_some((KIND_CHANCE, token));
    }
    let (seat, token) = event.strip_prefix("step ")?.split_once(' ')?;
    let n: u8 = seat.parse().ok()?;
    let plain = n.to_string() == seat && !token.contains(' ');
    Some((n.checked_add(KIND_STEP).filter(|_| plain)?, token))
}

/// Writes seven bits per byte, lowest first; the highest bit marks that more bytes follow.
fn encode_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn decode_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Takes a length-prefixed slice of bytes.
fn decode_bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let bytes = usize::try_from(decode_number(rest)?).ok()?;
    let (taken, after) = rest.split_at_checked(bytes)?;
    *rest = after;
    Some(taken)
}
