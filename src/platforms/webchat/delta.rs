//! What people were told of tables last, so that next time they are told only what is new.
//!
//! A state is much like the one before it: a few stones lie elsewhere. Whoever still has a state
//! names it by its tag (`?known=TAG`) and gets a difference: pieces of what they have, and what
//! stands between. What this process does not remember is told as a whole.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::platform::to_hex;

/// So many bytes of states are remembered; the oldest go.
const BYTES_MAX: usize = 8 << 20;

/// Larger ones are told as a whole each time.
const TEXT_MAX: usize = 512 << 10;

/// Pieces are found by so many bytes that are the same.
const MATCH_BYTES: usize = 8;

/// Where these stand is looked at in so many places.
const CANDIDATES_MAX: usize = 24;

/// A shorter piece costs more than what it says.
const PIECE_LEN_MIN: usize = 14;

/// What people were told. A tag says nothing to anybody else.
#[derive(Default)]
pub struct KnownTexts(Mutex<KnownTextCache>);

/// A person, and the tag of what they were told.
type KnownTextKey = (String, String);

#[derive(Default)]
struct KnownTextCache {
    texts: HashMap<KnownTextKey, Arc<str>>,
    /// The oldest first.
    order: VecDeque<KnownTextKey>,
    bytes: usize,
}

/// A part of a difference.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum DeltaPiece<'a> {
    /// Of what is known: where it begins and how long it is, as JavaScript counts letters.
    Old([usize; 2]),
    /// What is new.
    New(&'a str),
}

/// What names a text.
pub fn text_tag(text: &str) -> String {
    to_hex(&Sha256::digest(text)[..8])
}

impl KnownTexts {
    /// What a person is to be told who has what this tag names: a difference or the whole text,
    /// and the tag that names it from now on.
    pub fn encode_for(&self, person: &str, tag: Option<&str>, text: String) -> (String, String) {
        let new_tag = self::text_tag(&text);
        let old = tag.and_then(|tag| self.get(&(person.to_owned(), tag.to_owned())));
        let told = old.zip(tag).and_then(|(old, tag)| {
            let patch = diff(&old, &text);
            serde_json::to_string(&json!({ "known": tag, "patch": patch })).ok()
        });
        let told = told.filter(|it| it.len() < text.len());
        self.put((person.to_owned(), new_tag.clone()), &text);
        (told.unwrap_or(text), new_tag)
    }

    fn get(&self, key: &KnownTextKey) -> Option<Arc<str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).texts.get(key).cloned()
    }

    fn put(&self, key: KnownTextKey, text: &str) {
        if text.len() > TEXT_MAX {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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

/// The new text as pieces of the old one and what is new.
fn diff<'a>(old: &str, new: &'a str) -> Vec<DeltaPiece<'a>> {
    let places = BytePositions::of(old);
    let letters = utf16_offsets(old);
    let (old, bytes) = (old.as_bytes(), new.as_bytes());
    let mut pieces = Vec::new();
    // Where what is new begins, and where the piece before it ended in both.
    let (mut fresh, mut at, mut ahead) = (0, 0, 0);
    while at < bytes.len() {
        let found = places.longest_match(old, bytes, at, ahead);
        let Some((mut from, mut length)) = found else {
            at += 1;
            ahead += 1;
            continue;
        };
        // What is the same before it belongs to it.
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

/// How many letters stand before each byte, as JavaScript counts them.
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

/// Where a few bytes stand in a text: the last place of each, and the place before it.
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

    /// The longest piece of the old text that stands in the new one from here on, and how long it
    /// is. Where the old text goes on (`ahead`) is looked at first.
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

/// How many bytes are the same from the beginning on.
fn common_prefix_len(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts a difference together as the page does.
    fn applied(old: &str, patch: &[DeltaPiece<'_>]) -> String {
        let old: Vec<u16> = old.encode_utf16().collect();
        let piece = |it: &DeltaPiece<'_>| match it {
            DeltaPiece::Old([from, length]) => {
                String::from_utf16(&old[*from..from + length]).expect("no letter is cut")
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
    fn whatever_was_cut_and_moved_comes_out_whole() {
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
        let kept = known.0.lock().expect("nobody panicked");
        assert!(kept.bytes <= BYTES_MAX && kept.texts.len() == kept.order.len());
        drop(kept);
        assert!(known.get(&("ann".into(), tags[0].clone())).is_none());
        assert!(known.get(&("ann".into(), tags[79].clone())).is_some());
    }
}
