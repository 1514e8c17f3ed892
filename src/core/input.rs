//! What people type, as data: which spellings mean what, in all languages together.
//!
//! The spellings lie in the folders of the languages, `input.toml` for commands and
//! `<game>-input.toml` for moves: tables are lists, keys are meanings, values are spellings in
//! small letters. A star at the end stands for an ending; what an ending may be, each game says.

use std::collections::{BTreeMap, BTreeSet};

/// No spelling is longer, in bytes: what is longer need not be compared with any.
pub const SPELLING_BYTES_MAX: usize = 128;

/// A word as it is typed where letters are missing on the keyboard: Kazakh on a Russian one,
/// Russian without the dots of ё, Armenian with the two letters that և is made of, Turkish İ.
pub fn loose(word: &str) -> String {
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
            // What is left of the dot when İ becomes small.
            '\u{307}' => {}
            other => plain.push(other),
        }
    }
    plain
}

/// Whether this belongs to a word: a letter, a digit, or what the scripts of India take the vowel
/// of a letter away with (the dot above ம் is no letter by itself).
pub fn in_word(c: char) -> bool {
    let silences = matches!(
        u32::from(c),
        0x94d | 0x9cd | 0xa4d | 0xacd | 0xb4d | 0xbcd | 0xc4d | 0xccd | 0xd4d | 0xdca
    );
    c.is_alphanumeric() || silences
}

/// Lists of spellings by what they mean.
#[derive(Clone, Debug, Default)]
pub struct Words(BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl Words {
    /// Adds what a file holds.
    ///
    /// # Errors
    /// When it is not made as it should be.
    pub fn read(&mut self, file: &str) -> Result<(), toml::de::Error> {
        let lists: BTreeMap<String, BTreeMap<String, Vec<String>>> = toml::from_str(file)?;
        self.add(&Words(lists));
        Ok(())
    }

    /// Adds all that others know.
    pub fn add(&mut self, others: &Words) {
        for (list, meanings) in &others.0 {
            let own = self.0.entry(list.clone()).or_default();
            for (meaning, spellings) in meanings {
                own.entry(meaning.clone()).or_default().extend_from_slice(spellings);
            }
        }
    }

    /// The spellings of one meaning, in the order they were written down.
    pub fn of(&self, list: &str, meaning: &str) -> &[String] {
        self.0.get(list).and_then(|it| it.get(meaning)).map_or(&[], Vec::as_slice)
    }

    /// The meanings of a list with their spellings, by name.
    pub fn list(&self, list: &str) -> impl Iterator<Item = (&str, &[String])> {
        let all = self.0.get(list).into_iter().flatten();
        all.map(|(meaning, spellings)| (meaning.as_str(), spellings.as_slice()))
    }

    /// What a list says that a word means, where one of the spellings fits it.
    pub fn meaning(&self, list: &str, fits: impl Fn(&str) -> bool) -> Option<&str> {
        let found = self.list(list).find(|(_, spellings)| spellings.iter().any(|it| fits(it)));
        found.map(|(meaning, _)| meaning)
    }

    /// The same where nothing but the spelling itself fits, or what becomes of it where letters
    /// are missing on the keyboard.
    pub fn exactly(&self, list: &str, word: &str) -> Option<&str> {
        if word.len() > SPELLING_BYTES_MAX {
            return None;
        }
        let known = |word: &str| self.meaning(list, |spelling| spelling == word);
        known(word).or_else(|| known(&loose(word)))
    }

    /// Adds to every list what becomes of its spellings where letters are missing on the keyboard,
    /// unless that means something else there.
    fn widen(&mut self) {
        for meanings in self.0.values_mut() {
            let mut looser: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (meaning, spellings) in &*meanings {
                for spelling in spellings {
                    looser.entry(loose(spelling)).or_default().insert(meaning.clone());
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

    /// Whether one of the spellings of a meaning fits.
    pub fn means(&self, list: &str, meaning: &str, fits: impl Fn(&str) -> bool) -> bool {
        self.of(list, meaning).iter().any(|it| fits(it))
    }

    /// Names of all lists.
    pub fn lists(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Words for everything: of the commands, and of each game.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Commands and what may stand behind them.
    pub general: Words,
    /// By the code of the game.
    games: BTreeMap<String, Words>,
    none: Words,
}

impl Vocabulary {
    /// Adds a file of a language by its name; `false` when the name is not that of such a file.
    ///
    /// # Errors
    /// When it is not made as it should be.
    pub fn read(&mut self, name: &str, file: &str) -> Result<bool, toml::de::Error> {
        let Some(room) = name.strip_suffix("input.toml") else { return Ok(false) };
        match room.strip_suffix('-') {
            Some(game) => self.games.entry(game.to_owned()).or_default().read(file)?,
            None => self.general.read(file)?,
        }
        Ok(true)
    }

    /// Adds all that another language knows.
    pub fn add(&mut self, other: &Vocabulary) {
        self.general.add(&other.general);
        for (game, words) in &other.games {
            self.games.entry(game.clone()).or_default().add(words);
        }
    }

    /// Adds what becomes of all words where letters are missing on the keyboard.
    pub fn widen(&mut self) {
        self.general.widen();
        self.games.values_mut().for_each(Words::widen);
    }

    /// What is typed in a game.
    pub fn of(&self, game: &str) -> &Words {
        self.games.get(game).unwrap_or(&self.none)
    }
}

/// The words of a game as the folders of all languages hold them, for tests of this crate.
#[cfg(test)]
pub(crate) fn of_all_languages(game: &str) -> Words {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
    let mut words = Words::default();
    for language in std::fs::read_dir(folder).unwrap() {
        let file = language.unwrap().path().join(format!("{game}-input.toml"));
        if let Ok(text) = std::fs::read_to_string(file) {
            words.read(&text).unwrap();
        }
    }
    words.widen();
    words
}
