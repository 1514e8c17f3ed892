//! Remembers the table states that were sent last, so that later responses contain only the
//! changes.
//!
//! A state resembles the one before it: a few stones lie elsewhere. A client that still has a state
//! names it by its tag (`?known=TAG`) and gets a difference: pieces of the state it has, and new
//! text between them. If this process does not remember the state, the client gets the whole new
//! one.
//!
//! Responses are compressed in any case, but gzip sees only one response, not the one before it.
//! After a move, the state as a difference has on average 0.8 KB at Togyzkumalak, 0.4 KB at Thaayam
//! and 0.4 KB at Blot; the whole state has 2.1, 1.4 and 1.5 KB, all with gzip. To measure it again:
//! `cargo test --test it -- wire --nocapture`.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The most bytes of remembered states; the oldest are dropped.
const BYTES_MAX: usize = 8 << 20;

/// Longer states are always sent as a whole.
const TEXT_MAX: usize = 512 << 10;

/// The number of equal bytes by which pieces are found.
const MATCH_BYTES: usize = 8;

/// The most positions at which these bytes are compared.
const CANDIDATES_MAX: usize = 24;

/// A shorter piece needs more bytes than the text it replaces.
const PIECE_LEN_MIN: usize = 14;

/// The texts that were sent. A tag is useless for other people.
#[derive(Default)]
pub struct KnownTexts(Mutex<KnownTextCache>);

/// A person, and the tag of a text that was sent to them.
type KnownTextKey = (String, String);

#[derive(Default)]
struct KnownTextCache {
    texts: HashMap<KnownTextKey, Arc<str>>,
    /// The oldest key first.
    order: VecDeque<KnownTextKey>,
    bytes: usize,
}

/// A text as its difference to a known one, as it is sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextDelta<'a> {
    /// The tag of the known text.
    known: &'a str,
    /// The parts of the new text.
    patch: Vec<DeltaPiece<'a>>,
}

/// A part of a difference.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum DeltaPiece<'a> {
    /// A piece of the known text: start and length in UTF-16 units, as in JavaScript.
    Old([usize; 2]),
    /// New text.
    New(&'a str),
}

/// Returns the tag of a text.
pub fn text_tag(text: &str) -> String {
    hex::encode(&Sha256::digest(text)[..8])
}

impl KnownTexts {
    /// Encodes a text for a person who has the text with this tag: as a difference or as a whole.
    /// Also returns the tag of the new text.
    pub fn encode_for(&self, person: &str, tag: Option<&str>, text: String) -> (String, String) {
        let new_tag = self::text_tag(&text);
        let old = tag.and_then(|tag| self.get(&(person.to_owned(), tag.to_owned())));
        let told = old.zip(tag).and_then(|(old, tag)| {
            let patch = diff(&old, &text);
            serde_json::to_string(&TextDelta { known: tag, patch }).ok()
        });
        let told = told.filter(|it| it.len() < text.len());
        self.put((person.to_owned(), new_tag.clone()), &text);
        (told.unwrap_or(text), new_tag)
    }

    fn get(&self, key: &KnownTextKey) -> Option<Arc<str>> {
        self.0.lock().texts.get(key).cloned()
    }

    fn put(&self, key: KnownTextKey, text: &str) {
        if text.len() > TEXT_MAX {
            return;
        }
        let mut kept = self.0.lock();
        if kept.texts.insert(key.clone(), text.into()).is_none() {
            kept.bytes += text.len();
            kept.order.push_back(key);
        }
        while kept.bytes > BYTES_MAX {
            let Some(oldest) = kept.order.pop_front() else { break };
            let gone = kept.texts.remove(&oldest).map_or(0, |it| it.len());
            kept.bytes -= gone;
        }
    }
}

/// Returns the new text as pieces of the old one and new parts.
fn diff<'a>(old: &str, new: &'a str) -> Vec<DeltaPiece<'a>> {
    let places = BytePositions::of(old);
    let letters = utf16_offsets(old);
    let old = old.as_bytes();
    let bytes = new.as_bytes();
    let mut pieces = Vec::new();
    // `fresh` is where the pending new part begins, `at` the position in the new text, `ahead` the
    // position in the old text that would continue the last piece.
    let mut fresh = 0;
    let mut at = 0;
    let mut ahead = 0;
    while at < bytes.len() {
        let found = places.longest_match(old, bytes, at, ahead);
        let Some((mut from, mut length)) = found else {
            at += 1;
            ahead += 1;
            continue;
        };
        // Extends the piece backwards over equal bytes.
        let mut start = at;
        while start > fresh && from > 0 && old[from - 1] == bytes[start - 1] {
            (start, from, length) = (start - 1, from - 1, length + 1);
        }
        let end = (0..=start + length).rev().find(|it| new.is_char_boundary(*it)).unwrap_or(0);
        let begin = (start..end).find(|it| new.is_char_boundary(*it)).unwrap_or(end);
        from += begin - start;
        if end - begin < PIECE_LEN_MIN {
            at += 1;
            ahead += 1;
            continue;
        }
        if fresh < begin {
            pieces.push(DeltaPiece::New(&new[fresh..begin]));
        }
        let to = from + (end - begin);
        pieces.push(DeltaPiece::Old([letters[from], letters[to] - letters[from]]));
        (fresh, at, ahead) = (end, end, to);
    }
    if fresh < new.len() {
        pieces.push(DeltaPiece::New(&new[fresh..]));
    }
    pieces
}

/// Returns for each byte how many UTF-16 units precede it.
fn utf16_offsets(text: &str) -> Vec<usize> {
    let mut all = vec![0; text.len() + 1];
    let mut count = 0;
    for (at, c) in text.char_indices() {
        all[at] = count;
        count += c.len_utf16();
    }
    all[text.len()] = count;
    all
}

/// The positions of short byte sequences in a text: the last position of each, and for each
/// position the one before it.
struct BytePositions {
    last: HashMap<[u8; MATCH_BYTES], usize>,
    before: Vec<usize>,
}

impl BytePositions {
    fn of(text: &str) -> Self {
        let mut last = HashMap::with_capacity(text.len());
        let windows = text.as_bytes().windows(MATCH_BYTES).enumerate();
        let before = windows.filter_map(|(at, it)| {
            let it: [u8; MATCH_BYTES] = it.try_into().ok()?;
            Some(last.insert(it, at).unwrap_or(usize::MAX))
        });
        let before = before.collect();
        Self { last, before }
    }

    /// Finds the longest piece of the old text that matches the new one at this position, and its
    /// length. Tries the continuation of the old text (`ahead`) first.
    fn longest_match(
        &self,
        old: &[u8],
        new: &[u8],
        at: usize,
        ahead: usize,
    ) -> Option<(usize, usize)> {
        let key: [u8; MATCH_BYTES] = new.get(at..at + MATCH_BYTES)?.try_into().ok()?;
        let mut place = self.last.get(&key).copied().unwrap_or(usize::MAX);
        let mut best = (ahead, common_prefix_len(old.get(ahead..).unwrap_or_default(), &new[at..]));
        for _ in 0..CANDIDATES_MAX {
            let Some(before) = self.before.get(place) else { break };
            let length = common_prefix_len(&old[place..], &new[at..]);
            if length > best.1 {
                best = (place, length);
            }
            place = *before;
        }
        (best.1 >= MATCH_BYTES).then_some(best)
    }
}

/// Returns the length of the common prefix in bytes.
fn common_prefix_len(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies a difference as the page does.
    fn applied(old: &str, patch: &[DeltaPiece<'_>]) -> String {
        let old: Vec<u16> = old.encode_utf16().collect();
        let piece = |it: &DeltaPiece<'_>| match it {
            DeltaPiece::Old([from, length]) => {
                String::from_utf16(&old[*from..from + length]).expect("no character is cut")
            }
            DeltaPiece::New(text) => (*text).to_owned(),
        };
        patch.iter().map(piece).collect()
    }

    #[test]
    fn a_difference_gives_the_new_text_and_says_little() {
        let old = r#"{"moment":12,"says":["Ан жүреді, Бек күтеді 🎲"],"acts":["p.7k3fx.12.1"]}"#;
        let new = r#"{"moment":13,"says":["Бек жүреді, Ан күтеді 🎯🎲"],"acts":["p.7k3fx.13.1"]}"#;
        let patch = diff(old, new);
        assert_eq!(applied(old, &patch), new);
        assert_eq!(diff(old, old), [DeltaPiece::Old([0, utf16_offsets(old)[old.len()]])]);
        for text in ["", "x", "🎲🎲🎲🎲🎲🎲🎲🎲🎲"] {
            assert_eq!(applied(old, &diff(old, text)), text);
            assert_eq!(applied(text, &diff(text, old)), old);
        }
    }

    #[test]
    fn a_delta_restores_moved_and_cut_text() {
        let old: String = (0..400).map(|n| format!("{{ä{}:{}ы}}", n % 37, n * n % 91)).collect();
        let letters: Vec<char> = old.chars().collect();
        for n in 1..40 {
            let (one, other) = letters.split_at(n * 61 % letters.len());
            let new: String = other.iter().chain(&['💠']).chain(one).chain(&one[..n]).collect();
            let patch = diff(&old, &new);
            assert_eq!(applied(&old, &patch), new);
            assert!(patch.len() < 20, "{}", patch.len());
        }
    }

    #[test]
    fn a_tag_is_of_use_to_its_owner_alone() {
        let known = KnownTexts::default();
        let long = |n: u32| format!("{}{n}", "the same all over ".repeat(20));
        let (whole, tag) = known.encode_for("ann", None, long(1));
        assert_eq!(whole, long(1));
        let (patch, _) = known.encode_for("ann", Some(&tag), long(2));
        assert!(patch.starts_with("{\"known\":") && patch.len() < 60, "{patch}");
        assert_eq!(known.encode_for("bek", Some(&tag), long(2)).0, long(2));
        assert_eq!(known.encode_for("ann", Some("nothing"), long(3)).0, long(3));
    }

    #[test]
    fn only_so_much_is_remembered() {
        let known = KnownTexts::default();
        let text = |n: usize| format!("{n:>8}").repeat(20_000);
        let tags: Vec<String> = (0..80).map(|n| known.encode_for("ann", None, text(n)).1).collect();
        let kept = known.0.lock();
        assert!(kept.bytes <= BYTES_MAX && kept.texts.len() == kept.order.len());
        drop(kept);
        assert!(known.get(&("ann".into(), tags[0].clone())).is_none());
        assert!(known.get(&("ann".into(), tags[79].clone())).is_some());
    }
}
