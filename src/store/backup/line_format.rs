//! The file format of a backup: one line per item, each with its own checksum, readable by people
//! and by every later version.
//!
//! ```text
//! caravanserai-backup 1
//! 3f2a9c01 r chat - tg:-100 {"lang":"kk"}
//! 77aa01de l 7k3fx 0 0 1795262419629 dc/932009 open v1 …
//! 0badcafe end 1 1 <SHA-256 of all lines before>
//! ```
//!
//! After the checksum (CRC-32 of the rest of the line) a row has its space, its expiry or `-`, its
//! key and its value; a log line has its table, its number and its text. In keys and values `%xx`
//! encodes a byte that would break the line; a value that is not text is in base64 after `~`.
//!
//! A running program also streams a line `d` with a sentence for each item that cannot be read, so
//! that commands can name it. A file never has such a line.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::Space;
use crate::snapshot::StoredItem;

/// The first line.
pub(super) const HEADING: &str = "caravanserai-backup 1";

/// The number of items in a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackupCount {
    /// Rows of all spaces.
    pub rows: u64,
    /// Lines of all logs.
    pub lines: u64,
}

impl BackupCount {
    /// Counts one item.
    pub fn add(&mut self, item: &StoredItem) {
        match item {
            StoredItem::Row { .. } => self.rows += 1,
            StoredItem::Line { .. } => self.lines += 1,
            StoredItem::Damaged(_) => {}
        }
    }
}

/// A parsed line of a backup.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BackupLine {
    Item(StoredItem),
    /// The last line: the counts and the checksum of everything before it.
    End {
        count: BackupCount,
        sum: String,
    },
}

/// Encodes an item as a line with its line feed.
pub(super) fn encode(item: &StoredItem) -> String {
    with_checksum(&match item {
        StoredItem::Row { space, key, value, until_ms } => {
            let until = until_ms.map_or_else(|| "-".to_owned(), |until| until.to_string());
            format!("r {} {until} {} {}", space.name(), encode_word(key), encode_value(value))
        }
        StoredItem::Line { table, number, line } => {
            format!("l {} {number} {}", encode_word(table), escape(line, |_| false))
        }
        StoredItem::Damaged(what) => format!("d {}", escape(what, |_| false)),
    })
}

/// Encodes the last line, with its line feed.
pub(super) fn encode_end(count: BackupCount, sum: &str) -> String {
    with_checksum(&format!("end {} {} {sum}", count.rows, count.lines))
}

fn with_checksum(line: &str) -> String {
    format!("{:08x} {line}\n", crc32fast::hash(line.as_bytes()))
}

/// Parses a line without its line feed; `None` if it is damaged.
pub(super) fn parse(line: &str) -> Option<BackupLine> {
    let (sum, line) = line.split_once(' ')?;
    if u32::from_str_radix(sum, 16).ok()? != crc32fast::hash(line.as_bytes()) || sum.len() != 8 {
        return None;
    }
    let (kind, line) = line.split_once(' ')?;
    match kind {
        "r" => {
            let mut words = line.splitn(4, ' ');
            let space = Space::from_name(words.next()?)?;
            let until_ms = match words.next()? {
                "-" => None,
                until => Some(until.parse().ok()?),
            };
            let key = String::from_utf8(unescape(words.next()?)?).ok()?;
            let value = decode_value(words.next()?)?;
            Some(BackupLine::Item(StoredItem::Row { space, key, value, until_ms }))
        }
        "l" => {
            let mut words = line.splitn(3, ' ');
            let table = String::from_utf8(unescape(words.next()?)?).ok()?;
            let number = words.next()?.parse().ok()?;
            let line = String::from_utf8(unescape(words.next()?)?).ok()?;
            Some(BackupLine::Item(StoredItem::Line { table, number, line }))
        }
        "d" => {
            let what = String::from_utf8(unescape(line)?).ok()?;
            Some(BackupLine::Item(StoredItem::Damaged(what)))
        }
        "end" => {
            let mut words = line.split(' ');
            let rows = words.next()?.parse().ok()?;
            let lines = words.next()?.parse().ok()?;
            Some(BackupLine::End {
                count: BackupCount { rows, lines },
                sum: words.next()?.to_owned(),
            })
        }
        _other => None,
    }
}

fn encode_value(value: &[u8]) -> String {
    match str::from_utf8(value) {
        Ok(text) if text.starts_with('~') => format!("%7e{}", escape(&text[1..], |_| false)),
        Ok(text) => escape(text, |_| false),
        Err(_) => format!("~{}", STANDARD_NO_PAD.encode(value)),
    }
}

fn decode_value(text: &str) -> Option<Vec<u8>> {
    match text.strip_prefix('~') {
        Some(base64) => STANDARD_NO_PAD.decode(base64).ok(),
        None => unescape(text),
    }
}

/// Escapes spaces, too, so that the result is one word.
fn encode_word(text: &str) -> String {
    escape(text, |it| it == ' ')
}

fn escape(text: &str, also: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for it in text.chars() {
        if it.is_ascii_control() || it == '%' || also(it) {
            escaped.push_str(&format!("%{:02x}", u32::from(it)));
        } else {
            escaped.push(it);
        }
    }
    escaped
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let digits = str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_come_back_as_they_were_written(
            key in "[^\0]{1,9}",
            text in "[^\0\n]{0,20}",
            value in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                "~?[ -~\n%ә]{0,20}".prop_map(String::into_bytes),
            ],
            number in any::<u64>(),
            until_ms in any::<Option<u64>>(),
        ) {
            let row = StoredItem::Row { space: Space::Board, key: key.clone(), value, until_ms };
            let damaged = StoredItem::Damaged(format!("{key:?} cannot be read\n{text}"));
            let line = StoredItem::Line { table: key, number, line: text };
            for item in [row, line, damaged] {
                let written = encode(&item);
                let line = written.strip_suffix('\n').unwrap();
                prop_assert!(!line.contains('\n'));
                prop_assert_eq!(parse(line), Some(BackupLine::Item(item)));
            }
        }
    }

    #[test]
    fn a_changed_line_is_not_read() {
        let row = StoredItem::Row {
            space: Space::ChatProfile,
            key: "tg:-100 x".into(),
            value: b"{}".to_vec(),
            until_ms: Some(7),
        };
        let written = encode(&row);
        assert!(written.ends_with(" r place 7 tg:-100%20x {}\n"), "{written}");
        let line = written.trim_end();
        for at in 0..line.len() {
            let mut changed = line.as_bytes().to_vec();
            changed[at] ^= 1;
            assert_eq!(String::from_utf8(changed).ok().and_then(|it| parse(&it)), None, "{at}");
            assert_eq!(parse(&line[..at]), None);
        }
    }
}
