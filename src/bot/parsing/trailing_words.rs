//! The words behind a command.
//!
//! A command acts only if no words follow except a table code and the arguments that its file in
//! [`crate::commands`] documents. "No" in any language declines an offer or cancels pending
//! confirmations. Any other words are quoted in the answer, and nothing else happens.

use super::phrases;
use super::words::{lookup_word, parse_switch, parse_table_code};
use caravanserai_protocol::Mention;

/// The words behind a command, without table codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailingWords {
    /// No words.
    Nothing,
    /// "No" in any language, and nothing else.
    No,
    /// Other words.
    Words(String),
}

impl TrailingWords {
    /// Parses what follows a command; the names of mentioned people are words too.
    pub fn parse(rest: &str, mentions: &[Mention]) -> TrailingWords {
        let rest = words_without_table_codes(rest);
        match (rest.as_slice(), mentions) {
            ([], []) => TrailingWords::Nothing,
            (words, []) if is_no(words) => TrailingWords::No,
            (words, mentions) => {
                let names = mentions.iter().map(|it| match it {
                    Mention::Known(person) => format!("@{}", person.name),
                    Mention::Username(name) => format!("@{name}"),
                });
                let all: Vec<String> =
                    words.iter().map(|it| (*it).to_owned()).chain(names).collect();
                TrailingWords::Words(all.join(" "))
            }
        }
    }
}

/// The words behind a command without table codes.
pub(crate) fn words_without_table_codes(rest: &str) -> Vec<&str> {
    rest.split_whitespace().filter(|it| parse_table_code(it).is_none()).collect()
}

/// Whether these words mean no and nothing else.
fn is_no(words: &[&str]) -> bool {
    let plain = phrases::normalized_words(&words.join(" "));
    let no = |it: &str| lookup_word("refusal", it).is_some();
    !plain.is_empty() && (no(&plain.join(" ")) || plain.iter().all(|it| no(it)))
}

/// Parses "on" or "off" behind a command; `None` if no words follow.
///
/// # Errors
/// The words, if they are something else.
pub(crate) fn parse_switch_words(rest: &str) -> Result<Option<bool>, TrailingWords> {
    match words_without_table_codes(rest).as_slice() {
        [] => Ok(None),
        [only] if parse_switch(only).is_some() => Ok(parse_switch(only)),
        _ => Err(TrailingWords::parse(rest, &[])),
    }
}
