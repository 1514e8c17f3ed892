//! The keys of an encrypted store, as a key file lists them.
//!
//! ```text
//! # Comments and empty lines are skipped.
//! plain
//! 1 MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=
//! ```
//!
//! Each line allows values of one kind to be read: those encrypted with the key of this id, or with
//! `plain` those that are not encrypted. The last line decides how new values are written. So a new
//! key is given to all replicas in a line before the last first, and becomes the last line in a
//! second step.

use std::collections::BTreeMap;
use std::fmt;

use aes_gcm_siv::{Aes256GcmSiv, Key, KeyInit};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// The word in place of a key, for values that are not encrypted.
const PLAIN: &str = "plain";
/// Bytes of a key.
pub const KEY_BYTES: usize = 32;

/// The number of a key in the key file; stored with every encrypted value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub u16);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Why a key file cannot be used. Names the line, never its contents.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct KeyFileError(String);

/// The keys of a store. `Debug` shows their ids only; the key bytes are overwritten in memory when
/// this is dropped.
#[derive(Clone)]
pub struct StoreKeys {
    ciphers: BTreeMap<KeyId, Aes256GcmSiv>,
    current: Option<KeyId>,
    accepts_plain: bool,
}

impl StoreKeys {
    /// Parses the text of a key file. Commas separate entries like line feeds do, so that the text
    /// fits into an environment variable.
    ///
    /// # Errors
    /// One sentence that names the first invalid entry by its number.
    pub fn parse(text: &str) -> Result<Self, KeyFileError> {
        let mut ciphers = BTreeMap::new();
        let mut current = None;
        let mut accepts_plain = false;
        for (number, line) in entries(text) {
            if line == PLAIN {
                (current, accepts_plain) = (None, true);
                continue;
            }
            let (id, cipher) = parse_key(line).ok_or_else(|| {
                KeyFileError(format!(
                    "line {number} is neither `plain` nor the number of a key (1 to 65535), a \
                     space and its 32 bytes in base64"
                ))
            })?;
            if ciphers.insert(id, cipher).is_some() {
                return Err(KeyFileError(format!("line {number} gives key {id} a second time")));
            }
            current = Some(id);
        }
        if ciphers.is_empty() {
            return Err(KeyFileError("it holds no key".into()));
        }
        Ok(Self { ciphers, current, accepts_plain })
    }

    /// The key of new values; `None` if they are not encrypted.
    pub fn current(&self) -> Option<KeyId> {
        self.current
    }

    /// Whether values that are not encrypted may be read.
    pub fn accepts_plain(&self) -> bool {
        self.accepts_plain
    }

    /// Whether values may be stored otherwise than new ones are: with other keys, or plain.
    pub fn accepts_others(&self) -> bool {
        self.ciphers.len() + usize::from(self.accepts_plain) > 1
    }

    /// The same keys for a store that is not to be encrypted any more.
    #[must_use]
    pub fn for_decryption(&self) -> Self {
        Self { current: None, accepts_plain: true, ..self.clone() }
    }

    /// The same keys, with values read also where they are not encrypted.
    #[must_use]
    pub fn for_encryption(&self) -> Self {
        Self { accepts_plain: true, ..self.clone() }
    }

    pub(super) fn cipher(&self, id: KeyId) -> Option<&Aes256GcmSiv> {
        self.ciphers.get(&id)
    }
}

impl fmt::Debug for StoreKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreKeys")
            .field("ids", &self.ciphers.keys().map(|id| id.0).collect::<Vec<_>>())
            .field("current", &self.current)
            .field("accepts_plain", &self.accepts_plain)
            .finish()
    }
}

fn parse_key(line: &str) -> Option<(KeyId, Aes256GcmSiv)> {
    let (id, key) = line.split_once(char::is_whitespace)?;
    let id = id.parse().ok().filter(|id| *id > 0)?;
    let mut bytes = Zeroizing::new([0; KEY_BYTES + 2]);
    // The decoder wants room for the most bytes that this many letters can encode.
    let length = STANDARD.decode_slice(key.trim(), bytes.as_mut_slice()).ok()?;
    let bytes = bytes.get(..length).filter(|bytes| bytes.len() == KEY_BYTES)?;
    Some((KeyId(id), Aes256GcmSiv::new(<&Key<Aes256GcmSiv>>::try_from(bytes).ok()?)))
}

/// How a new key is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewKeyUse {
    /// New values are encrypted with it.
    Current,
    /// It only opens values, until its line is moved to the end.
    Standby,
}

/// The text of a key file with a new key of these bytes added, and the id of that key. An empty
/// text becomes a file that lets values be read that are not encrypted yet.
///
/// # Errors
/// When the text is not that of a key file, or all ids are in use.
pub fn add_key(
    text: &str,
    key: &[u8; KEY_BYTES],
    use_as: NewKeyUse,
) -> Result<(Zeroizing<String>, KeyId), KeyFileError> {
    let is_new = text.trim().is_empty();
    let last = match is_new {
        true => 0,
        false => StoreKeys::parse(text)?.ciphers.keys().next_back().map_or(0, |id| id.0),
    };
    let id = last.checked_add(1).ok_or_else(|| KeyFileError("no key number is free".into()))?;
    let line = Zeroizing::new(format!("{id} {}\n", &*Zeroizing::new(STANDARD.encode(key))));
    let mut text = Zeroizing::new(if is_new {
        format!(
            "# Keys of the store; the last line is in use. Keep a copy away from the store: \
             without it nothing\n# can be read. Remove `{PLAIN}` when the bot says that everything \
             is encrypted.\n{PLAIN}\n"
        )
    } else {
        format!("{}\n", text.trim_end())
    });
    let at = match use_as {
        NewKeyUse::Current => text.len(),
        NewKeyUse::Standby => entry_lines(&text).last().map_or(0, |(_, start, _)| start),
    };
    // Inserting could move the text and leave a copy behind.
    let mut longer = Zeroizing::new(String::with_capacity(text.len() + line.len()));
    longer.push_str(&text[..at]);
    longer.push_str(&line);
    longer.push_str(&text[at..]);
    std::mem::swap(&mut text, &mut longer);
    Ok((text, KeyId(id)))
}

/// The entries, which commas separate like line feeds do, and the number of the line of each. In a
/// text of one line, as a setting has it, a comma also ends a comment.
pub(crate) fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_setting = !text.trim().contains('\n');
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(move |(_, line)| is_setting || !line.starts_with('#'))
        .flat_map(|(number, line)| line.split(',').map(move |entry| (number, entry.trim())))
        .filter(|(_, entry)| !entry.is_empty() && !entry.starts_with('#'))
}

/// The lines with entries, which are neither empty nor comments: the number of each, where it
/// begins, and its text.
fn entry_lines(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let begin = |at: &mut usize, line: &'_ str| {
        let start = *at;
        *at += line.len();
        Some(start)
    };
    let starts = text.split_inclusive('\n').scan(0, move |at, line| begin(at, line));
    let lines = (1..).zip(starts).zip(text.lines());
    lines
        .map(|((number, start), line)| (number, start, line.trim()))
        .filter(|(_, _, line)| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_key_on_standby_comes_before_the_one_in_use() {
        let text = format!("plain\n1 {KEY}\n\n# copied on Monday\n");
        let (text, id) = add_key(&text, &[7; KEY_BYTES], NewKeyUse::Standby).unwrap();
        assert_eq!(id, KeyId(2));
        assert_eq!(StoreKeys::parse(&text).unwrap().current(), Some(KeyId(1)));
    }

    /// As operators put a key file into a setting.
    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_new_key_file_is_read_with_commas_for_line_feeds() {
        let (text, id) = add_key("", &[7; KEY_BYTES], NewKeyUse::Current).unwrap();
        for setting in [text.replace('\n', ","), text.trim().replace('\n', ",")] {
            let keys = StoreKeys::parse(&setting).unwrap();
            assert_eq!((keys.current(), keys.accepts_plain()), (Some(id), true), "{setting}");
        }
    }

    #[test]
    fn the_last_line_decides_how_values_are_written() {
        let keys = StoreKeys::parse(&format!("# old\nplain\n\n1 {KEY}\n 2\t{KEY} \n")).unwrap();
        assert_eq!((keys.current(), keys.accepts_plain()), (Some(KeyId(2)), true));
        let keys = StoreKeys::parse(&format!("1 {KEY},plain")).unwrap();
        assert_eq!((keys.current(), keys.accepts_plain()), (None, true));
        let keys = StoreKeys::parse(&format!("7 {KEY}")).unwrap();
        assert_eq!((keys.current(), keys.accepts_plain()), (Some(KeyId(7)), false));
        assert!(!keys.accepts_others());
    }

    #[test]
    fn errors_and_debug_texts_do_not_show_the_key() {
        let short = &KEY[..40];
        let long = format!("{}{KEY}", &KEY[..40]);
        for wrong in
            [format!("1 {short}"), format!("1 {long}"), format!("0 {KEY}"), format!("x {KEY}")]
        {
            let why = StoreKeys::parse(&format!("plain\n{wrong}")).unwrap_err().to_string();
            assert!(why.starts_with("line 2 is neither") && !why.contains("MDEy"), "{why}");
        }
        let why = StoreKeys::parse(&format!("1 {KEY}\n1 {KEY}")).unwrap_err().to_string();
        assert_eq!(why, "line 2 gives key 1 a second time");
        assert_eq!(StoreKeys::parse("plain\n# 1 x").unwrap_err().to_string(), "it holds no key");
        let shown = format!("{:?}", StoreKeys::parse(&format!("1 {KEY}")).unwrap());
        assert!(shown.contains("ids: [1]") && !shown.contains("MDEy"), "{shown}");
    }

    #[test]
    fn keys_are_added_at_the_end_or_before_it() {
        let (text, id) =
            add_key("", b"01234567890123456789012345678901", NewKeyUse::Current).unwrap();
        assert_eq!(id, KeyId(1));
        assert!(text.ends_with(&format!("\nplain\n1 {KEY}\n")), "{}", *text);
        let (text, id) = add_key(&text, &[7; 32], NewKeyUse::Current).unwrap();
        assert_eq!(id, KeyId(2));
        assert_eq!(StoreKeys::parse(&text).unwrap().current(), Some(id));
        let (text, id) = add_key(&text, &[8; 32], NewKeyUse::Standby).unwrap();
        assert_eq!(id, KeyId(3));
        let keys = StoreKeys::parse(&text).unwrap();
        assert_eq!(keys.current(), Some(KeyId(2)));
        assert!(keys.cipher(id).is_some());
        let (text, _) = add_key("", &[9; 32], NewKeyUse::Standby).unwrap();
        assert_eq!(StoreKeys::parse(&text).unwrap().current(), None);
    }
}
