//! Generates the scripts with the texts of the web chat page.

use std::fmt::Write as _;

use super::{Direction, Lang};

/// Returns JavaScript modules with the texts of every language's `page.toml`, by file name:
/// `words-<language>.js` exports `WORDS` by key, with plural forms by name for counts;
/// `languages.js` exports the own names of all `LANGUAGES`, and their writing directions in
/// `DIRECTIONS`. A missing text comes from the fallback language.
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
        let words = serde_json::to_string(&load_page_words(*lang))
            .expect("a table of texts serialises to JSON");
        let _ = writeln!(names, "  {code}: {},", serde_json::Value::from(lang.display_name()));
        let _ = writeln!(directions, "  {code}: \"{direction}\",");
        modules.push((format!("words-{code}.js"), format!("export const WORDS = {words};\n")));
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
    let words = load_page_words(lang);
    words.get(key).and_then(toml::Value::as_str).unwrap_or(key).to_owned()
}

fn load_page_words(lang: Lang) -> toml::Table {
    let mut words = toml::Table::new();
    for lang in lang.fallback_chain() {
        let file = lang.files().find(|it| it.0 == "page.toml").map_or("", |it| it.1);
        let own: toml::Table =
            file.parse().unwrap_or_else(|error| panic!("{}/page.toml: {error}", lang.code()));
        for (key, text) in own {
            words.entry(key).or_insert(text);
        }
    }
    words
}
