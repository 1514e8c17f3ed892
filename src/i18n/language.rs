//! The languages: each is a folder of `templates`, found when the program is built.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use caravanserai_games::vocabulary::{is_word_char, without_special_letters};

/// A language that the bot speaks: its place in the list of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lang(u8);

/// All that there is of a language, as it lies in its folder.
#[derive(Clone, Copy, Debug)]
pub struct LanguageFolder {
    /// ISO 639 code and name of the folder.
    pub code: &'static str,
    /// Files by name.
    pub files: &'static [(&'static str, &'static str)],
}

/// What `language.toml` says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageInfo {
    /// The language's name in itself.
    own_name: String,
    /// What others call it, in small letters.
    names: Vec<String>,
    /// Where it stands in menus: the lowest number first. The first language says what no other
    /// has words for.
    order: u16,
    /// Which way it is written.
    direction: Direction,
    /// Languages that say what this one has no words for, the first of them first.
    #[serde(default)]
    fallback: Vec<String>,
    /// What Discord calls it, if it knows the language.
    discord: Option<String>,
    /// Codes of languages that we do not speak, whose readers most likely read this one.
    #[serde(default)]
    reads: Vec<String>,
    /// Whether natives have still to read it: lists of languages say so.
    #[serde(default)]
    young: bool,
}

/// Which way a language is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Direction {
    /// From left to right.
    #[serde(rename = "ltr")]
    LeftToRight,
    /// From right to left.
    #[serde(rename = "rtl")]
    RightToLeft,
}

/// A language with everything in its folder.
struct Language {
    code: &'static str,
    info: LanguageInfo,
    files: Vec<(&'static str, &'static str)>,
}

/// What is part of the program.
const EMBEDDED_LANGUAGES: &[LanguageFolder] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// The languages in the order of menus, and the same by their names in code.
struct LanguageList {
    languages: Vec<Language>,
    all: Vec<Lang>,
}

static LANGUAGES: OnceLock<LanguageList> = OnceLock::new();

fn language_list() -> &'static LanguageList {
    LANGUAGES.get_or_init(|| LanguageList::with_added(&[]))
}

/// Adds languages, and files to languages that there are, for as long as the process lives. Tests
/// show so that nothing but its folder is needed for a language.
///
/// # Errors
/// When the list was read before.
pub fn add_languages(more: &[LanguageFolder]) -> Result<(), LanguagesAlreadyRead> {
    LANGUAGES.set(LanguageList::with_added(more)).map_err(|_| LanguagesAlreadyRead)
}

/// The list of languages was read before something was added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguagesAlreadyRead;

impl LanguageList {
    /// # Panics
    /// When a folder does not say what it must; a test reads them all.
    fn with_added(more: &[LanguageFolder]) -> Self {
        let mut folders: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
        for LanguageFolder { code, files } in EMBEDDED_LANGUAGES.iter().chain(more) {
            match folders.iter_mut().find(|it| it.0 == *code) {
                Some(known) => known.1.extend_from_slice(files),
                None => folders.push((code, files.to_vec())),
            }
        }
        let language = |(code, files): (&'static str, Vec<(&'static str, &'static str)>)| {
            let about = files.iter().find(|it| it.0 == "language.toml").map_or("", |it| it.1);
            let about = toml::from_str(about).unwrap_or_else(|wrong| panic!("{code}: {wrong}"));
            Language { code, info: about, files }
        };
        let mut languages: Vec<Language> = folders.into_iter().map(language).collect();
        languages.sort_by_key(|it| it.info.order);
        let all = (0..).take(languages.len()).map(Lang).collect();
        Self { languages, all }
    }
}

impl Lang {
    /// Every language, in the order of menus.
    pub fn all() -> &'static [Lang] {
        &language_list().all
    }

    /// ISO 639 code and name of the folder.
    pub fn code(self) -> &'static str {
        self.language().code
    }

    /// The language's name in itself.
    pub fn own_name(self) -> &'static str {
        &self.language().info.own_name
    }

    /// Its name as lists of languages show it: a young one with a sprout.
    pub fn display_name(self) -> String {
        let young = if self.is_unreviewed() { " 🌱" } else { "" };
        format!("{}{young}", self.own_name())
    }

    /// Whether natives have still to read it.
    pub fn is_unreviewed(self) -> bool {
        self.language().info.young
    }

    /// Which way it is written.
    pub fn direction(self) -> Direction {
        self.language().info.direction
    }

    /// What Discord calls it, if it knows the language.
    pub fn discord_locale(self) -> Option<&'static str> {
        self.language().info.discord.as_deref()
    }

    /// The language with this code.
    pub fn from_code(code: &str) -> Option<Lang> {
        Self::all().iter().copied().find(|lang| lang.code() == code)
    }

    /// The language of a platform's locale such as `ru`, `kk_KZ` or `en-US`, if we speak it, else
    /// the one that its people most likely read: Russian for `uz`.
    pub fn from_locale(locale: &str) -> Option<Lang> {
        let code = locale.split(['-', '_']).next()?.to_ascii_lowercase();
        let reads = |lang: &Lang| lang.language().info.reads.contains(&code);
        Self::from_code(&code).or_else(|| Self::all().iter().copied().find(reads))
    }

    /// The language somebody names: code, own name as lists show it, or the beginning of it.
    pub fn find_by_name(text: &str) -> Option<Lang> {
        let text = without_special_letters(text.trim_matches(|c: char| !is_word_char(c)));
        let long_enough = text.chars().count() >= 3;
        let begins = |lang: &Lang| {
            let LanguageInfo { own_name, names, .. } = &lang.language().info;
            without_special_letters(own_name).starts_with(&text)
                || names.iter().any(|it| without_special_letters(it).starts_with(&text))
        };
        Self::from_code(text.split(['-', '_']).next()?)
            .or_else(|| Self::all().iter().copied().find(|it| long_enough && begins(it)))
    }

    /// This language and those that say what it has no words for, the last resort last.
    pub fn fallback_chain(self) -> impl Iterator<Item = Lang> {
        let next = self.language().info.fallback.iter().filter_map(|code| Self::from_code(code));
        std::iter::once(self).chain(next).chain([Self::default()])
    }

    /// Files of this language by name.
    pub(super) fn files(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.language().files.iter().copied()
    }

    /// Its place in the list.
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    fn language(self) -> &'static Language {
        &language_list().languages[self.index()]
    }
}

/// The first language of menus: what is spoken where nothing else is known.
impl Default for Lang {
    fn default() -> Self {
        Lang(0)
    }
}

/// Stored by code.
impl Serialize for Lang {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// A code that is not known any more is the first language.
impl<'de> Deserialize<'de> for Lang {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Ok(Lang::from_code(&code).unwrap_or_default())
    }
}
