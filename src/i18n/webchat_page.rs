//! Generates the scripts with the texts of the web chat page.

use std::fmt::Write as _;

use super::{Direction, Lang};

/// The file with the texts that the page fetches at once.
const FIRST_FILE: &str = "page.toml";

/// The files with the texts of parts of the page, which the page fetches with these parts: the list
/// of finished games, and the board for analysis.
const LATER_FILES: [(&str, &str); 2] =
    [("page-history.toml", "words-history"), ("page-analysis.toml", "words-analysis")];

/// Returns JavaScript modules with the texts of the page in every language, by file name:
/// `words-<language>.js` exports `WORDS` of `page.toml` by key, with plural forms by name for
/// counts; `words-history-<language>.js` exports those of `page-history.toml`, and
/// `words-analysis-<language>.js` those of `page-analysis.toml`; `languages.js` exports the own
/// names of all `LANGUAGES`, and their writing directions in `DIRECTIONS`. A missing text comes
/// from the fallback language.
///
/// # Panics
/// When a file is not made as it should be; a test reads them all.
pub fn webchat_page_scripts() -> Vec<(String, String)> {
    let (mut names, mut directions, mut modules) = (String::new(), String::new(), Vec::new());
    for lang in Lang::all() {
        let code = lang.code();
        let direction = match lang.direction() {
            Direction::LeftToRight => "ltr",
            Direction::RightToLeft => "rtl",
        };
        for (file, name) in [(FIRST_FILE, "words")].into_iter().chain(LATER_FILES) {
            let words = serde_json::to_string(&load_page_words(*lang, file))
                .expect("a table of texts serialises to JSON");
            modules.push((format!("{name}-{code}.js"), format!("export const WORDS = {words};\n")));
        }
        let _ = writeln!(names, "  {code}: {},", serde_json::Value::from(lang.display_name()));
        let _ = writeln!(directions, "  {code}: \"{direction}\",");
    }
    let list = format!(
        "export const LANGUAGES = {{\n{names}}};\nexport const DIRECTIONS = {{\n{directions}}};\n"
    );
    modules.push(("languages.js".to_owned(), list));
    modules
}

/// Returns a text of the web page that counts nothing, or its key if there is none.
///
/// # Panics
/// When a file is not made as it should be; a test reads them all.
pub fn webchat_page_word(lang: Lang, key: &str) -> String {
    let words = load_page_words(lang, FIRST_FILE);
    words.get(key).and_then(toml::Value::as_str).unwrap_or(key).to_owned()
}

fn load_page_words(lang: Lang, name: &str) -> toml::Table {
    let mut words = toml::Table::new();
    for lang in lang.fallback_chain() {
        let file = lang.files().find(|it| it.0 == name).map_or("", |it| it.1);
        let own: toml::Table =
            file.parse().unwrap_or_else(|error| panic!("{}/{name}: {error}", lang.code()));
        for (key, text) in own {
            words.entry(key).or_insert(text);
        }
    }
    words
}
