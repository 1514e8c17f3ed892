//! Single words with a meaning: switches, scopes, codes of tables and of account links.

use crate::settings::SettingScope;
use caravanserai_games::ids::{ChatKind, TableId};
use caravanserai_i18n::vocabulary;

/// The longest message that is parsed, in characters. Longer messages are cut, because each message
/// is compared with many spellings.
const MESSAGE_CHARS_MAX: usize = 500;

/// The longest part of an unknown word that an answer quotes, in characters.
pub(crate) const QUOTED_CHARS_MAX: usize = 32;

/// The part of a message that is parsed.
pub fn truncate_message(text: &str) -> &str {
    let text = text.trim();
    text.char_indices().nth(MESSAGE_CHARS_MAX).map_or(text, |(end, _)| text[..end].trim_end())
}

/// The start of a word or sentence, short enough to be quoted in an answer.
pub(crate) fn quote(words: &str) -> String {
    words.chars().take(QUOTED_CHARS_MAX).collect()
}

/// The meaning of a word in a general vocabulary list, in any language.
pub(crate) fn lookup_word(list: &str, word: &str) -> Option<&'static str> {
    vocabulary().general.exact_meaning(list, &word.to_lowercase())
}

/// Parses "on" or "off" in any language.
pub(crate) fn parse_switch(word: &str) -> Option<bool> {
    match lookup_word("switch", word)? {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Parses the scope of a setting: the person, the chat or the server. Chat and server exist only in
/// groups.
pub(crate) fn parse_scope(word: &str, kind: ChatKind) -> Option<SettingScope> {
    match lookup_word("scope", word)? {
        "chat" if kind == ChatKind::Group => Some(SettingScope::Chat),
        "server" if kind == ChatKind::Group => Some(SettingScope::Server),
        "me" => Some(SettingScope::Person),
        _ => None,
    }
}

/// The letters of table codes: none that look alike, and no vowels that would form words.
pub const TABLE_CODE_ALPHABET: &[u8] = b"23456789bcdfghjkmnpqrstvwxz";

/// The length of the codes of new tables: ten thousand million codes, short enough to be typed.
pub const NEW_TABLE_CODE_LENGTH: usize = 7;

/// The lengths of table codes. Earlier versions used shorter codes, which stay valid.
const TABLE_CODE_LENGTHS: [usize; 2] = [5, NEW_TABLE_CODE_LENGTH];

/// Parses a table code: `#7k3fxb2`, or without the mark if it contains a digit.
pub(crate) fn parse_table_code(word: &str) -> Option<TableId> {
    let marked = word.strip_prefix('#');
    let code = marked.unwrap_or(word).to_lowercase();
    let fits = TABLE_CODE_LENGTHS.contains(&code.len())
        && code.bytes().all(|it| TABLE_CODE_ALPHABET.contains(&it));
    (fits && (marked.is_some() || code.bytes().any(|it| it.is_ascii_digit())))
        .then_some(TableId(code))
}

/// The length of an account link code: too long to be guessed during its lifetime.
pub const LINK_CODE_LENGTH: usize = 10;

/// Parses an account link code, with or without hyphens and spaces in it.
pub(crate) fn parse_link_code(words: &str) -> Option<String> {
    let letters = words.chars().filter(|it| !matches!(it, '-' | ' '));
    let code: String = letters.flat_map(char::to_lowercase).collect();
    let wrong = |it: u8| !TABLE_CODE_ALPHABET.contains(&it);
    (code.len() == LINK_CODE_LENGTH && !code.bytes().any(wrong)).then_some(code)
}

/// The word of a `/start` link that asks for the page.
const PAGE_START_WORD: &str = "web";
/// The prefix of the `/start` link that asks for the page of a table.
const PAGE_START_PREFIX: &str = "web_";

/// The word of the `/start` link that opens the page of a table in the private chat.
pub fn page_start_word(table: Option<&TableId>) -> String {
    table.map_or_else(|| PAGE_START_WORD.to_owned(), |it| format!("{PAGE_START_PREFIX}{}", it.0))
}

/// Parses the word of a `/start` link: the table, if one is named. `None` if it is not about the
/// page.
pub(crate) fn parse_page_start_word(word: &str) -> Option<Option<TableId>> {
    match word {
        PAGE_START_WORD => Some(None),
        word => Some(parse_table_code(word.strip_prefix(PAGE_START_PREFIX)?)),
    }
}
