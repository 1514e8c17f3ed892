//! The spellings that players may type and their meanings, as data, in all languages together.
//!
//! The spellings are in the folders of the languages, `input.toml` for commands and
//! `<game>-input.toml` for moves: tables are lists, keys are meanings, values are spellings in
//! small letters. Endings are listed in braces: `лунк{а,у}` is `лунка` and `лунку`. No spelling
//! matches endings that are not listed: a stem that matches any ending also matches words that mean
//! something else, and in Kazakh and Kyrgyz the negation.

use std::collections::{BTreeMap, BTreeSet};

/// The longest spelling in bytes: a longer text need not be compared with any.
pub const SPELLING_BYTES_MAX: usize = 128;

/// Replaces letters that some keyboards lack: Kazakh letters on a Russian keyboard, the dots of ё
/// in Russian, և by its two letters in Armenian, Turkish İ.
pub fn without_special_letters(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars().flat_map(char::to_lowercase) {
        match letter {
            'ё' => plain.push('е'),
            'և' => plain.push_str("եւ"),
            'ә' => plain.push('а'),
            'ғ' => plain.push('г'),
            'қ' => plain.push('к'),
            'ң' => plain.push('н'),
            'ө' => plain.push('о'),
            'ұ' | 'ү' => plain.push('у'),
            'һ' => plain.push('х'),
            'і' => plain.push('и'),
            // The combining dot that remains when İ becomes small.
            '\u{307}' => {}
            other => plain.push(other),
        }
    }
    plain
}

/// Whether this character belongs to a word: a letter, a digit, or the sign by which Indian scripts
/// remove the vowel of a letter (the dot above ம் is no letter by itself).
pub fn is_word_char(c: char) -> bool {
    let silences = matches!(
        u32::from(c),
        0x94d | 0x9cd | 0xa4d | 0xacd | 0xb4d | 0xbcd | 0xc4d | 0xccd | 0xd4d | 0xdca
    );
    c.is_alphanumeric() || silences
}

/// A text that consists only of words, as a typed move does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedStatement {
    /// The words in small letters, and each sign of the game as a word. Letters, digits and inner
    /// hyphens without space between them are one word.
    pub words: Vec<String>,
    /// Whether it ends with an exclamation mark.
    pub is_loud: bool,
}

impl TypedStatement {
    /// Reads a text. `None` for anything but a plain statement: a question, a smiley, a quotation,
    /// several sentences, or a sign that the game does not use.
    pub fn parse(text: &str, signs: &str) -> Option<Self> {
        let text: String = text.trim().chars().filter_map(normalize_char).collect();
        let loud = text.trim_end_matches('!');
        let is_loud = loud.len() < text.len();
        let text = match is_loud {
            true => loud,
            false => text.strip_suffix(['.', '։']).unwrap_or(&text),
        };
        let mut typed: Vec<String> = Vec::new();
        let mut joined = false;
        let mut letters = text.chars().peekable();
        while let Some(c) = letters.next() {
            let next_in_word = letters.peek().is_some_and(|it| is_word_char(*it));
            let in_this = is_word_char(c) || (is_hyphen(c) && joined && next_in_word);
            if in_this {
                let c = if is_hyphen(c) { '-' } else { c };
                match typed.last_mut() {
                    Some(word) if joined => word.push(c),
                    _ => typed.push(c.into()),
                }
            } else if signs.contains(c) {
                typed.push(c.into());
            } else if !c.is_whitespace() {
                return None;
            }
            joined = in_this;
        }
        let words: Vec<String> = typed.iter().map(|it| normalize_case(it)).collect();
        (!words.is_empty()).then_some(TypedStatement { words, is_loud })
    }
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–')
}

/// Small letters, without the dots of ё.
pub fn normalize_case(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).map(|c| if c == 'ё' { 'е' } else { c }).collect()
}

/// Removes decoration from a character and turns digits into ASCII.
pub fn normalize_char(c: char) -> Option<char> {
    let digit = |from: char, first: u8| {
        u8::try_from(u32::from(c) - u32::from(from)).map_or(c, |n| char::from(first + n))
    };
    match c {
        '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' | '\u{200b}' | '\u{200d}' => None,
        '０'..='９' => Some(digit('０', b'0')),
        '①'..='⑨' => Some(digit('①', b'1')),
        c => Some(c),
    }
}

/// The spellings of an entry of a file: `ab` and `ac` for `a{b,c}`.
fn expand_spellings(entry: &str) -> Vec<String> {
    let parts = entry.split_once('{').and_then(|(stem, rest)| {
        let (endings, tail) = rest.split_once('}')?;
        Some((stem, endings, tail))
    });
    match parts {
        None => vec![entry.to_owned()],
        Some((stem, endings, tail)) => endings
            .split(',')
            .flat_map(|it| expand_spellings(&format!("{stem}{}{tail}", it.trim())))
            .collect(),
    }
}

/// Lists of spellings by their meaning.
#[derive(Clone, Debug, Default)]
pub struct WordLists(BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl WordLists {
    /// Adds the contents of a file.
    ///
    /// # Errors
    /// When the file is malformed.
    pub fn read_toml(&mut self, file: &str) -> Result<(), toml::de::Error> {
        let mut lists: BTreeMap<String, BTreeMap<String, Vec<String>>> = toml::from_str(file)?;
        for spellings in lists.values_mut().flat_map(BTreeMap::values_mut) {
            *spellings = spellings.iter().flat_map(|it| expand_spellings(it)).collect();
        }
        self.merge(&WordLists(lists));
        Ok(())
    }

    /// Adds all spellings of other lists.
    pub fn merge(&mut self, others: &WordLists) {
        for (list, meanings) in &others.0 {
            let own = self.0.entry(list.clone()).or_default();
            for (meaning, spellings) in meanings {
                own.entry(meaning.clone()).or_default().extend_from_slice(spellings);
            }
        }
    }

    /// The spellings of one meaning, in the order of the file.
    pub fn spellings(&self, list: &str, meaning: &str) -> &[String] {
        self.0.get(list).and_then(|it| it.get(meaning)).map_or(&[], Vec::as_slice)
    }

    /// The meanings of a list with their spellings, by name.
    pub fn list(&self, list: &str) -> impl Iterator<Item = (&str, &[String])> {
        let all = self.0.get(list).into_iter().flatten();
        all.map(|(meaning, spellings)| (meaning.as_str(), spellings.as_slice()))
    }

    /// The meaning in a list for which one of the spellings fits.
    pub fn meaning(&self, list: &str, fits: impl Fn(&str) -> bool) -> Option<&str> {
        let found = self.list(list).find(|(_, spellings)| spellings.iter().any(|it| fits(it)));
        found.map(|(meaning, _)| meaning)
    }

    /// The meaning whose spelling equals this word, or equals it without special letters.
    pub fn exact_meaning(&self, list: &str, word: &str) -> Option<&str> {
        if word.len() > SPELLING_BYTES_MAX {
            return None;
        }
        let known = |word: &str| self.meaning(list, |spelling| spelling == word);
        known(word).or_else(|| known(&without_special_letters(word)))
    }

    /// Whether a word or phrase has this meaning in a list, in one of its spellings or without
    /// special letters.
    pub fn has_meaning(&self, list: &str, meaning: &str, word: &str) -> bool {
        if word.len() > SPELLING_BYTES_MAX {
            return false;
        }
        let known = |word: &str| self.spellings(list, meaning).iter().any(|it| it == word);
        known(word) || known(&without_special_letters(word))
    }

    /// Adds to every list its spellings without special letters, unless they have another meaning
    /// there.
    fn add_loose_spellings(&mut self) {
        for meanings in self.0.values_mut() {
            let mut looser: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (meaning, spellings) in &*meanings {
                for spelling in spellings {
                    looser
                        .entry(without_special_letters(spelling))
                        .or_default()
                        .insert(meaning.clone());
                }
            }
            for (spelling, of) in looser {
                let taken = meanings.values().flatten().any(|it| *it == spelling);
                if let (Some(meaning), 1, false) = (of.first(), of.len(), taken) {
                    meanings.entry(meaning.clone()).or_default().push(spelling);
                }
            }
        }
    }

    /// Names of all lists.
    pub fn lists(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// All typed words: those of commands, and those of each game.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Commands and their arguments.
    pub general: WordLists,
    /// Words of games, by the code of the game.
    games: BTreeMap<String, WordLists>,
    none: WordLists,
}

impl Vocabulary {
    /// Adds a file of a language by its name; `false` when the name is not that of an input file.
    ///
    /// # Errors
    /// When the file is malformed.
    pub fn read_file(&mut self, name: &str, file: &str) -> Result<bool, toml::de::Error> {
        let Some(room) = name.strip_suffix("input.toml") else { return Ok(false) };
        match room.strip_suffix('-') {
            Some(game) => self.games.entry(game.to_owned()).or_default().read_toml(file)?,
            None => self.general.read_toml(file)?,
        }
        Ok(true)
    }

    /// Adds all words of another language.
    pub fn merge(&mut self, other: &Vocabulary) {
        self.general.merge(&other.general);
        for (game, words) in &other.games {
            self.games.entry(game.clone()).or_default().merge(words);
        }
    }

    /// Adds all words without special letters.
    pub fn add_loose_spellings(&mut self) {
        self.general.add_loose_spellings();
        self.games.values_mut().for_each(WordLists::add_loose_spellings);
    }

    /// The words that are typed in a game.
    pub fn game_words(&self, game: &str) -> &WordLists {
        self.games.get(game).unwrap_or(&self.none)
    }
}

/// The words of a game in all languages, for tests of this crate.
#[cfg(test)]
pub(crate) fn load_all_words(game: &str) -> WordLists {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
    let mut words = WordLists::default();
    for language in std::fs::read_dir(folder).unwrap() {
        let file = language.unwrap().path().join(format!("{game}-input.toml"));
        if let Ok(text) = std::fs::read_to_string(file) {
            words.read_toml(&text).unwrap();
        }
    }
    words.add_loose_spellings();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_listed_in_braces() {
        assert_eq!(expand_spellings("лунк{а,у}"), ["лунка", "лунку"]);
        assert_eq!(expand_spellings("дам{,а} x{1,2}"), ["дам x1", "дам x2", "дама x1", "дама x2"]);
        assert_eq!(expand_spellings("plain"), ["plain"]);
    }

    #[test]
    fn only_plain_words_are_a_statement() {
        let words = |text: &str| TypedStatement::parse(text, "♥").map(|it| it.words);
        for (text, expected) in [
            ("Из 7-й Лунки.", vec!["из", "7-й", "лунки"]),
            ("7️⃣", vec!["7"]),
            ("⑦!", vec!["7"]),
            ("12♥️", vec!["12", "♥"]),
        ] {
            let expected = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(words(text), Some(expected), "{text}");
        }
        for text in ["<3", ":3", "8)", "7?", "no, 7", "«7»", "7...", "7 :)", "", "!", "-7"] {
            assert_eq!(words(text), None, "{text}");
        }
    }
}
