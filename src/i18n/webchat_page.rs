//! Generates the scripts with the texts of the web chat page.

use std::fmt::Write as _;

use super::{Direction, Lang};

/// The file with the texts that the page fetches at once.
const FIRST_FILE: &str = "page.toml";

/// The parts of the page that fetch their texts, those of `page-<part>.toml`, when they are shown:
/// the board for analysis, the games of a room, the board of people who have signed in from another
/// platform, the list of finished games, the seats of a table before its start, rating lists with
/// statistics, the dialogs of a room, and the list of keyboard shortcuts.
const LATER_PARTS: [&str; 8] =
    ["analysis", "games", "guest", "history", "lobby", "ratings", "rooms", "shortcuts"];

/// Returns JavaScript modules with the texts of the page in every language, by file name:
/// `words-<language>.js` exports `WORDS` of `page.toml` by key, with plural forms by name for
/// counts; `words-<part>-<language>.js` exports those of `page-<part>.toml` for each later part;
/// `languages.js` exports the own names of all `LANGUAGES`, and their writing directions in
/// `DIRECTIONS`. A missing text comes from the fallback language.
///
/// # Panics
/// When a file is not made as it should be; a test reads them all.
pub fn webchat_page_scripts() -> Vec<(String, String)> {
    let mut names = String::new();
    let mut directions = String::new();
    let mut modules = Vec::new();
    for lang in Lang::all() {
        let code = lang.code();
        let direction = match lang.direction() {
            Direction::LeftToRight => "ltr",
            Direction::RightToLeft => "rtl",
        };
        let later = LATER_PARTS.map(|it| (format!("page-{it}.toml"), format!("words-{it}")));
        let first = (FIRST_FILE.to_owned(), "words".to_owned());
        for (file, name) in [first].into_iter().chain(later) {
            let words = serde_json::to_string(&load_page_words(*lang, &file))
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
