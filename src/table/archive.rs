//! Finished tables as compact records: a log of some hundred lines becomes one value of at most
//! about two kilobytes, from which everything that is still asked of a finished game can be read
//! again: its record, replay, review, and the check of its chance.
//!
//! What is left out: the cause of steps, throws and hints (nothing is derived from them; those of
//! people who sat down stay, chance is drawn with them), and parts of a second.
//!
//! Loading a table: when the store has no log under its code, look in `Space::Archive` under the
//! same key, [`unpack`] the value, and fold the lines as if they came from the log.

use std::collections::HashMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// The first byte of every record. Goes up when older programs could not read newer records.
const FORMAT: u8 = 1;
/// Format and checksum come before what is deflated.
const HEAD_BYTES: usize = 5;
/// No log is longer than this when it is unpacked: a damaged record must not fill the memory.
const TEXT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The cause that steps have when they come from a record.
const CAUSE: &str = "archive";

/// What a line is, in one byte; more than this is the number of the seat that acted.
const OTHER: u8 = 0;
const CHANCE: u8 = 1;
const STEP: u8 = 2;

/// Makes a record of the log of a table that is over.
pub fn pack(lines: &[String]) -> Vec<u8> {
    let mut columns = Columns::default();
    for (number, line) in lines.iter().enumerate() {
        columns.add(number, line);
    }
    let text = columns.write();
    let mut record = vec![FORMAT];
    record.extend_from_slice(&crc32fast::hash(&text).to_le_bytes());
    let mut deflated = DeflateEncoder::new(record, Compression::best());
    let written = deflated.write_all(&text).and_then(|()| deflated.finish());
    written.expect("writing to memory does not fail")
}

/// The lines of a record, to be folded like those of a log.
///
/// # Errors
/// With a sentence when the record is damaged or of a newer program.
pub fn unpack(record: &[u8]) -> Result<Vec<String>, String> {
    match record.first() {
        None => return Err("the record of this table is empty".into()),
        Some(&FORMAT) => {}
        Some(format) => {
            return Err(format!(
                "the record of this table is of format {format} and this program knows up to \
                 {FORMAT}: a newer program wrote it"
            ));
        }
    }
    let damaged = || "the record of this table is damaged".to_owned();
    let sum = record.get(1..HEAD_BYTES).ok_or_else(damaged)?;
    let mut text = Vec::new();
    let inflated = DeflateDecoder::new(&record[HEAD_BYTES..]).take(TEXT_BYTES_MAX);
    { inflated }.read_to_end(&mut text).map_err(|_| damaged())?;
    if crc32fast::hash(&text).to_le_bytes() != *sum {
        return Err(damaged());
    }
    Columns::read(&text).and_then(|columns| columns.lines()).ok_or_else(damaged)
}

/// A log, like things beside each other: that deflates best.
#[derive(Default)]
struct Columns {
    /// What each line is: [`OTHER`], [`CHANCE`], or [`STEP`] and the seat.
    kinds: Vec<u8>,
    /// Seconds since the line before, as [`push_number`] writes them.
    times: Vec<u8>,
    /// For each step and throw the number of its token among those that are named below.
    tokens: Vec<u8>,
    /// Every token once, in the order of first use, each ended by a line feed.
    names: String,
    /// All other lines without number and time, each ended by a line feed.
    others: String,
    last_s: u64,
    known: HashMap<String, u64>,
}

impl Columns {
    fn add(&mut self, number: usize, line: &str) {
        let Some((at_ms, cause, event)) = parts(number, line) else {
            // What does not look like a line stays as it is; folding complains of it as before.
            self.kinds.push(OTHER);
            push_number(&mut self.times, 0);
            self.push_other(&format!("!{line}"));
            return;
        };
        let at_s = at_ms / 1000;
        // Time never goes back in a log; where it did, the clock had jumped.
        push_number(&mut self.times, at_s.saturating_sub(self.last_s));
        self.last_s = self.last_s.max(at_s);
        if let Some((kind, token)) = step(event) {
            self.kinds.push(kind);
            self.push_token(token);
        } else {
            self.kinds.push(OTHER);
            self.push_other(&format!("{cause} {event}"));
        }
    }

    fn push_token(&mut self, token: &str) {
        let next = self.known.len() as u64;
        let number = *self.known.entry(token.to_owned()).or_insert_with(|| {
            self.names.push_str(token);
            self.names.push('\n');
            next
        });
        push_number(&mut self.tokens, number);
    }

    fn push_other(&mut self, text: &str) {
        self.others.push_str(text);
        self.others.push('\n');
    }

    fn write(&self) -> Vec<u8> {
        let mut text = Vec::new();
        push_number(&mut text, self.kinds.len() as u64);
        text.extend_from_slice(&self.kinds);
        push_number(&mut text, self.times.len() as u64);
        text.extend_from_slice(&self.times);
        push_number(&mut text, self.tokens.len() as u64);
        text.extend_from_slice(&self.tokens);
        push_number(&mut text, self.others.len() as u64);
        text.extend_from_slice(self.others.as_bytes());
        text.extend_from_slice(self.names.as_bytes());
        text
    }

    fn read(mut text: &[u8]) -> Option<Columns> {
        let mut column = || {
            let bytes = usize::try_from(take_number(&mut text)?).ok()?;
            let (column, rest) = text.split_at_checked(bytes)?;
            text = rest;
            Some(column.to_vec())
        };
        let (kinds, times, tokens, others) = (column()?, column()?, column()?, column()?);
        let others = String::from_utf8(others).ok()?;
        let names = String::from_utf8(text.to_vec()).ok()?;
        Some(Columns { kinds, times, tokens, names, others, ..Columns::default() })
    }

    fn lines(&self) -> Option<Vec<String>> {
        let names: Vec<&str> = self.names.split_terminator('\n').collect();
        let (mut tokens, mut others) = (self.tokens.as_slice(), self.others.split('\n'));
        let mut token = || names.get(usize::try_from(take_number(&mut tokens)?).ok()?).copied();
        let (mut times, mut at_s) = (self.times.as_slice(), 0_u64);
        let mut lines = Vec::with_capacity(self.kinds.len());
        for (number, kind) in self.kinds.iter().enumerate() {
            at_s = at_s.checked_add(take_number(&mut times)?)?;
            let at_ms = at_s.checked_mul(1000)?;
            lines.push(match *kind {
                OTHER => match others.next()? {
                    raw if raw.starts_with('!') => raw[1..].to_owned(),
                    rest => format!("{number} {at_ms} {rest}"),
                },
                CHANCE => format!("{number} {at_ms} {CAUSE} chance {}", token()?),
                step => {
                    format!("{number} {at_ms} {CAUSE} step {} {}", step - STEP, token()?)
                }
            });
        }
        let all = times.is_empty() && tokens.is_empty() && others.next() == Some("");
        all.then_some(lines)
    }
}

/// Time, cause and event of a line that has the right number.
fn parts(number: usize, line: &str) -> Option<(u64, &str, &str)> {
    let mut words = line.splitn(4, ' ');
    let (n, at_ms) = (words.next()?, words.next()?);
    let (cause, event) = (words.next()?, words.next()?);
    let at_ms = at_ms.parse().ok()?;
    (n == number.to_string() && !cause.starts_with('!')).then_some((at_ms, cause, event))
}

/// The kind of a step or throw, and its token; `None` for every other event.
fn step(event: &str) -> Option<(u8, &str)> {
    if let Some(token) = event.strip_prefix("chance ") {
        return (!token.contains(' ')).then_some((CHANCE, token));
    }
    let (seat, token) = event.strip_prefix("step ")?.split_once(' ')?;
    let n: u8 = seat.parse().ok()?;
    let plain = n.to_string() == seat && !token.contains(' ');
    Some((n.checked_add(STEP).filter(|_| plain)?, token))
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
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
