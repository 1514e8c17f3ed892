//! Finds translations whose English text has changed since they were checked.
//!
//! The folder of each language has a file `sources.toml` with the hash of the English text that
//! each translation was last checked against. [`find_outdated`] compares these hashes with the
//! English texts of today; [`mark_checked`] updates them after a person has checked the
//! translations.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, bail};
use caravanserai_i18n::Lang;
use sha2::{Digest, Sha256};

/// The file with the hashes, in the folder of a language.
const SOURCES_FILE: &str = "sources.toml";
/// How many hex digits of the hash are kept.
const HASH_DIGITS: usize = 8;
/// How many characters of an English text a list shows.
const EXCERPT_CHARS: usize = 300;

const HEADER: &str = "\
# The English text that each translation was last checked against, as the first 8 hex digits of the
# SHA-256 of that text. After checking a translation, update its line with
# `cargo run --bin caravanserai-tools -- translations --checked LANGUAGE KEY`.
";

/// The code of the language that all others are translated from.
fn source_language() -> &'static str {
    Lang::default().code()
}

/// A text of a language's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SourceText {
    file: String,
    key: String,
    text: String,
}

/// The hashes of one language, by file and key.
type Hashes = BTreeMap<(String, String), String>;

/// A translation that nobody has checked since its English text changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutdatedTranslation {
    /// The code of the language.
    pub language: String,
    /// The file in the folder of the language.
    pub file: String,
    /// The key of the text in its file.
    pub key: String,
    /// The English text; `None` if it exists no longer.
    pub english: Option<String>,
}

impl fmt::Display for OutdatedTranslation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { language, file, key, english } = self;
        match english {
            Some(text) => {
                let excerpt: String = text.chars().take(EXCERPT_CHARS).collect();
                let more = if excerpt.len() < text.len() { " …" } else { "" };
                write!(f, "{language}/{file}: {key}\n    English now: {excerpt}{more}")
            }
            None => write!(f, "{language}/{file}: {key}\n    there is no such text any more"),
        }
    }
}

/// Returns all outdated translations in this folder of languages, by language and in the order of
/// the English files.
///
/// # Errors
/// When a file cannot be read or parsed.
pub fn find_outdated(templates: &Path) -> anyhow::Result<Vec<OutdatedTranslation>> {
    let english = read_texts(&templates.join(source_language()))?;
    let mut outdated = Vec::new();
    for language in translated_languages(templates)? {
        let folder = templates.join(&language);
        let mut checked = read_hashes(&folder)?;
        for source in translated_texts(&english, &folder)? {
            let at = (source.file.clone(), source.key.clone());
            if checked.remove(&at).as_ref() != Some(&hash_text(&source.text)) {
                let SourceText { file, key, text } = source;
                let language = language.clone();
                outdated.push(OutdatedTranslation { language, file, key, english: Some(text) });
            }
        }
        outdated.extend(checked.into_keys().map(|(file, key)| OutdatedTranslation {
            language: language.clone(),
            file,
            key,
            english: None,
        }));
    }
    Ok(outdated)
}

/// Notes that the translations of these keys fit the English texts of today; without keys, all
/// translations of the language. Hashes of texts that no longer exist are dropped.
///
/// # Errors
/// When the language or a key is unknown, or a file cannot be read or written.
pub fn mark_checked(templates: &Path, language: &str, keys: &[String]) -> anyhow::Result<()> {
    if !translated_languages(templates)?.iter().any(|it| it == language) {
        bail!("{} has no translation into {language:?}", templates.display());
    }
    let folder = templates.join(language);
    let sources = translated_texts(&read_texts(&templates.join(source_language()))?, &folder)?;
    if let Some(unknown) = keys.iter().find(|key| sources.iter().all(|it| it.key != **key)) {
        bail!("{language} has no translation with the key {unknown:?}");
    }
    let before = read_hashes(&folder)?;
    let mut written = HEADER.to_owned();
    let mut file = "";
    for source in &sources {
        let known = before.get(&(source.file.clone(), source.key.clone()));
        let is_checked = keys.is_empty() || keys.contains(&source.key);
        let current = is_checked.then(|| hash_text(&source.text));
        let Some(hash) = current.as_ref().or(known) else { continue };
        if file != source.file {
            file = &source.file;
            let _ = write!(written, "\n[{}]\n", quote_key(file));
        }
        let _ = writeln!(written, "{} = {hash:?}", quote_key(&source.key));
    }
    let path = folder.join(SOURCES_FILE);
    std::fs::write(&path, written).with_context(|| format!("cannot write {}", path.display()))
}

/// The codes of all languages but the one that they are translated from.
fn translated_languages(templates: &Path) -> anyhow::Result<Vec<String>> {
    let names = sorted_names(templates)?;
    let is_language = |it: &String| templates.join(it).join("language.toml").exists();
    Ok(names.into_iter().filter(|it| is_language(it) && it != source_language()).collect())
}

/// The English texts that the language in this folder translates. The sections of a document have
/// other headings in each language, so a document is translated as a whole.
fn translated_texts(english: &[SourceText], folder: &Path) -> anyhow::Result<Vec<SourceText>> {
    let own = read_texts(folder)?;
    let is_translated = |source: &&SourceText| {
        let is_document = source.file.ends_with(".md");
        own.iter().any(|it| it.file == source.file && (is_document || it.key == source.key))
    };
    Ok(english.iter().filter(is_translated).cloned().collect())
}

/// Reads all texts of a language, in the order of its files.
fn read_texts(folder: &Path) -> anyhow::Result<Vec<SourceText>> {
    let mut texts = Vec::new();
    for file in sorted_names(folder)? {
        let read_keys = match file.as_str() {
            it if it.ends_with(".ftl") => read_messages,
            it if it.ends_with(".md") => read_sections,
            it if is_page_file(it) || it.ends_with("input.toml") => read_values,
            _ => continue,
        };
        let path = folder.join(&file);
        let source = std::fs::read_to_string(&path).with_context(|| cannot_read(&path))?;
        let keys = read_keys(&source).with_context(|| cannot_read(&path))?;
        let text = |it: (String, String)| SourceText { file: file.clone(), key: it.0, text: it.1 };
        // How the lines of a text are broken changes nothing.
        let flat = |(key, text): (String, String)| (key, join_words(&text));
        texts.extend(keys.into_iter().map(flat).map(text));
    }
    Ok(texts)
}

/// Whether a file has texts of the page of the built-in chat.
fn is_page_file(name: &str) -> bool {
    name == "page.toml" || name.starts_with("page-") && name.ends_with(".toml")
}

/// The messages of a Fluent file by key. A message ends where the next one begins, or a comment.
fn read_messages(source: &str) -> anyhow::Result<Vec<(String, String)>> {
    let mut messages: Vec<(String, String)> = Vec::new();
    let mut in_message = false;
    for line in source.lines() {
        if line.starts_with('#') {
            in_message = false;
        } else if line.starts_with(|it: char| it.is_ascii_alphabetic() || it == '-') {
            let (key, text) = line.split_once('=').context("a message without =")?;
            messages.push((key.trim().to_owned(), text.to_owned()));
            in_message = true;
        } else if let Some(message) = messages.last_mut().filter(|_| in_message) {
            message.1.push('\n');
            message.1.push_str(line);
        }
    }
    Ok(messages)
}

/// The sections of a Markdown file by heading.
fn read_sections(source: &str) -> anyhow::Result<Vec<(String, String)>> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in source.lines() {
        let heading = line.strip_prefix("# ").or_else(|| line.strip_prefix("## "));
        match (heading, sections.last_mut()) {
            (Some(heading), _) => sections.push((heading.trim().to_owned(), String::new())),
            (None, Some(section)) => {
                section.1.push_str(line);
                section.1.push('\n');
            }
            (None, None) => bail!("a document begins with its heading"),
        }
    }
    Ok(sections)
}

/// The values of a TOML file by key; those of a table have its name and a dot before theirs.
fn read_values(source: &str) -> anyhow::Result<Vec<(String, String)>> {
    fn collect(table: &toml::Table, prefix: &str, values: &mut Vec<(String, String)>) {
        for (key, value) in table {
            match value {
                toml::Value::Table(inner) => collect(inner, &format!("{prefix}{key}."), values),
                toml::Value::String(text) => values.push((format!("{prefix}{key}"), text.clone())),
                other => values.push((format!("{prefix}{key}"), other.to_string())),
            }
        }
    }
    let mut values = Vec::new();
    collect(&source.parse()?, "", &mut values);
    Ok(values)
}

/// Reads the hashes of a language; none where the file does not exist yet.
fn read_hashes(folder: &Path) -> anyhow::Result<Hashes> {
    let path = folder.join(SOURCES_FILE);
    if !path.exists() {
        return Ok(Hashes::new());
    }
    let source = std::fs::read_to_string(&path).with_context(|| cannot_read(&path))?;
    let files: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(&source).with_context(|| cannot_read(&path))?;
    let hashes = files.into_iter().flat_map(|(file, keys)| {
        keys.into_iter().map(move |(key, hash)| ((file.clone(), key), hash))
    });
    Ok(hashes.collect())
}

fn hash_text(text: &str) -> String {
    let mut hex = hex::encode(Sha256::digest(text.as_bytes()));
    hex.truncate(HASH_DIGITS);
    hex
}

fn join_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A key as TOML writes it.
fn quote_key(key: &str) -> String {
    let is_bare = key.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it));
    if is_bare { key.to_owned() } else { toml::Value::from(key).to_string() }
}

fn sorted_names(folder: &Path) -> anyhow::Result<Vec<String>> {
    let entries = std::fs::read_dir(folder).with_context(|| cannot_read(folder))?;
    let names = entries.map(|it| Ok(it?.file_name().to_string_lossy().into_owned()));
    let mut names =
        names.collect::<std::io::Result<Vec<_>>>().with_context(|| cannot_read(folder))?;
    names.sort();
    Ok(names)
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = "# A comment.\nhello = Hello,\n  { $name }!\n\n# Another.\nbye = Bye\n";

    fn keys_of(outdated: &[OutdatedTranslation]) -> Vec<&str> {
        outdated.iter().map(|it| it.key.as_str()).collect()
    }

    /// A folder with English and one translation of everything.
    fn templates() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (language, document) in [("en", "# Title\n\n## One\ntext\n"), ("xx", "# Titel\n")] {
            let folder = folder.path().join(language);
            std::fs::create_dir(&folder).expect("a new folder");
            let files = [
                ("language.toml", ""),
                ("messages.ftl", MESSAGES),
                ("page.toml", "close = \"Close\"\n[people]\nother = \"{n} people\"\n"),
                ("input.toml", "[command]\nhelp = [\"h\"]\n"),
                ("manual.md", document),
            ];
            for (name, text) in files {
                std::fs::write(folder.join(name), text).expect("a new file");
            }
        }
        folder
    }

    fn change_english(templates: &Path, file: &str, from: &str, to: &str) {
        let path = templates.join(source_language()).join(file);
        let text = std::fs::read_to_string(&path).expect("an English file");
        std::fs::write(path, text.replace(from, to)).expect("a file to change");
    }

    #[test]
    fn a_changed_english_text_is_listed_until_its_translation_is_checked() {
        let folder = templates();
        let folder = folder.path();
        mark_checked(folder, "xx", &[]).expect("all texts are known");
        assert_eq!(find_outdated(folder).expect("valid files"), []);
        for (file, from, to) in [
            ("messages.ftl", "{ $name }!", "dear { $name }!"),
            ("page.toml", "{n} people", "{n} persons"),
            ("input.toml", "\"h\"", "\"h\", \"what\""),
            ("manual.md", "text", "words"),
        ] {
            change_english(folder, file, from, to);
        }
        let outdated = find_outdated(folder).expect("valid files");
        assert_eq!(keys_of(&outdated), ["command.help", "One", "hello", "people.other"]);
        assert_eq!(
            outdated[2].to_string(),
            "xx/messages.ftl: hello\n    English now: Hello, dear { $name }!"
        );
        mark_checked(folder, "xx", &["hello".to_owned(), "One".to_owned()]).expect("known keys");
        let outdated = find_outdated(folder).expect("valid files");
        assert_eq!(keys_of(&outdated), ["command.help", "people.other"]);
    }

    #[test]
    fn comments_and_line_breaks_do_not_outdate_a_translation() {
        let folder = templates();
        let folder = folder.path();
        mark_checked(folder, "xx", &[]).expect("all texts are known");
        change_english(folder, "messages.ftl", "Hello,\n  { $name }!", "Hello, { $name }!");
        change_english(folder, "messages.ftl", "# Another.", "# Changed.");
        assert_eq!(find_outdated(folder).expect("valid files"), []);
    }

    #[test]
    fn a_hash_without_a_text_is_listed_until_the_next_check() {
        let folder = templates();
        let folder = folder.path();
        mark_checked(folder, "xx", &[]).expect("all texts are known");
        change_english(folder, "messages.ftl", "bye = Bye\n", "");
        let outdated = find_outdated(folder).expect("valid files");
        assert_eq!((keys_of(&outdated), outdated[0].english.as_ref()), (vec!["bye"], None));
        mark_checked(folder, "xx", &["hello".to_owned()]).expect("a known key");
        assert_eq!(find_outdated(folder).expect("valid files"), []);
    }

    #[test]
    fn an_unknown_language_or_key_is_an_error() {
        let folder = templates();
        let error = |language, keys: &[String]| {
            mark_checked(folder.path(), language, keys).expect_err("unknown").to_string()
        };
        assert!(error("yy", &[]).ends_with("has no translation into \"yy\""));
        assert!(error("en", &[]).ends_with("has no translation into \"en\""));
        let unknown = error("xx", &["helo".to_owned()]);
        assert_eq!(unknown, "xx has no translation with the key \"helo\"");
    }
}
