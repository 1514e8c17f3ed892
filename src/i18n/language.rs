//! Lists the languages: each is a folder of `templates`, found at build time.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use caravanserai_games::vocabulary::{is_word_char, without_special_letters};

/// A language of the bot, as an index into the list of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lang(u8);

/// The files of a language's folder.
#[derive(Clone, Copy, Debug)]
pub struct LanguageFolder {
    /// The ISO 639 code, which is the name of the folder.
    pub code: &'static str,
    /// The contents of the files by name.
    pub files: &'static [(&'static str, &'static str)],
}

/// The contents of `language.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageInfo {
    /// The language's name in itself.
    own_name: String,
    /// Names of the language in other languages, in lower case.
    names: Vec<String>,
    /// The position in menus, lowest first. The first language is the last fallback of all others.
    order: u16,
    /// The direction of writing.
    direction: Direction,
    /// The fallback languages for missing translations, in order of preference.
    #[serde(default)]
    fallback: Vec<String>,
    /// Discord's code for the language, if Discord supports it.
    discord: Option<String>,
    /// Codes of unsupported languages whose speakers most likely understand this one.
    #[serde(default)]
    reads: Vec<String>,
    /// Whether native speakers have yet to review it: lists of languages show that.
    #[serde(default)]
    young: bool,
}

/// The direction in which a language is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Direction {
    /// From left to right.
    #[serde(rename = "ltr")]
    LeftToRight,
    /// From right to left.
    #[serde(rename = "rtl")]
    RightToLeft,
}

/// A language with all files of its folder.
struct Language {
    code: &'static str,
    info: LanguageInfo,
    files: Vec<(&'static str, &'static str)>,
}

/// The languages that are built in.
const EMBEDDED_LANGUAGES: &[LanguageFolder] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// The languages in menu order, and by code.
struct LanguageList {
    languages: Vec<Language>,
    all: Vec<Lang>,
}

static LANGUAGES: OnceLock<LanguageList> = OnceLock::new();

fn language_list() -> &'static LanguageList {
    LANGUAGES.get_or_init(|| LanguageList::with_added(&[]))
}

/// Adds languages, and files to existing languages, for the lifetime of the process. Tests use it
/// to show that a language needs nothing but its folder.
///
/// # Errors
/// If the list has been read before.
pub fn add_languages(more: &[LanguageFolder]) -> Result<(), LanguagesAlreadyRead> {
    LANGUAGES.set(LanguageList::with_added(more)).map_err(|_| LanguagesAlreadyRead)
}

/// Languages were added after the list had been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguagesAlreadyRead;

impl LanguageList {
    /// # Panics
    /// When a folder is invalid; a test parses them all.
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
            let about = toml::from_str(about).unwrap_or_else(|error| panic!("{code}: {error}"));
            Language { code, info: about, files }
        };
        let mut languages: Vec<Language> = folders.into_iter().map(language).collect();
        languages.sort_by_key(|it| it.info.order);
        let all = (0..).take(languages.len()).map(Lang).collect();
        Self { languages, all }
    }
}

impl Lang {
    /// All languages, in menu order.
    pub fn all() -> &'static [Lang] {
        &language_list().all
    }

    /// The ISO 639 code, which is the name of the folder.
    pub fn code(self) -> &'static str {
        self.language().code
    }

    /// The language's name in itself.
    pub fn own_name(self) -> &'static str {
        &self.language().info.own_name
    }

    /// The name as lists of languages show it: an unreviewed language has a sprout.
    pub fn display_name(self) -> String {
        let young = if self.is_unreviewed() { " 🌱" } else { "" };
        format!("{}{young}", self.own_name())
    }

    /// Whether native speakers have yet to review it.
    pub fn is_unreviewed(self) -> bool {
        self.language().info.young
    }

    /// The direction of writing.
    pub fn direction(self) -> Direction {
        self.language().info.direction
    }

    /// Discord's code for the language, if Discord supports it.
    pub fn discord_locale(self) -> Option<&'static str> {
        self.language().info.discord.as_deref()
    }

    /// Returns the language with this code.
    pub fn from_code(code: &str) -> Option<Lang> {
        Self::all().iter().copied().find(|lang| lang.code() == code)
    }

    /// Returns the language of a platform's locale such as `ru`, `kk_KZ` or `en-US`, if the bot
    /// supports it, else the language that its speakers most likely understand: Russian for `uz`.
    pub fn from_locale(locale: &str) -> Option<Lang> {
        let code = locale.split(['-', '_']).next()?.to_ascii_lowercase();
        let reads = |lang: &Lang| lang.language().info.reads.contains(&code);
        Self::from_code(&code).or_else(|| Self::all().iter().copied().find(reads))
    }

    /// Finds a language by code, by own name as lists show it, or by the beginning of that name.
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

    /// This language and its fallbacks, the last resort last.
    pub fn fallback_chain(self) -> impl Iterator<Item = Lang> {
        let next = self.language().info.fallback.iter().filter_map(|code| Self::from_code(code));
        std::iter::once(self).chain(next).chain([Self::default()])
    }

    /// The files of this language by name.
    pub(super) fn files(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.language().files.iter().copied()
    }

    /// The index in the list.
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    fn language(self) -> &'static Language {
        &language_list().languages[self.index()]
    }
}

/// The first language of the menu order, used where nothing else is known.
impl Default for Lang {
    fn default() -> Self {
        Lang(0)
    }
}

/// Serialises as the code.
impl Serialize for Lang {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// An unknown code deserialises as the first language.
impl<'de> Deserialize<'de> for Lang {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Ok(Lang::from_code(&code).unwrap_or_default())
    }
}
