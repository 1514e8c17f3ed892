//! Rules for the source that the compiler does not check: which files may use time, environment and
//! randomness, the length of lines, and that no game is named outside its folder. The dependencies
//! of the crates decide which part may use which.
//!
//! A broken rule names the file and the line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that ask for the time, the environment or randomness.
const EDGES: &[&str] = &[
    "i18n/build.rs",
    "app/config/mod.rs",
    "app/kv_store.rs",
    "app/doctor/platforms.rs",
    "app/health_watch.rs",
    "app/run.rs",
    "app/store_startup.rs",
    "app/store_identity.rs",
    "app/component_supervisor.rs",
    "main.rs",
    "platforms/discord/lib.rs",
    "platforms/shared/memory_kv.rs",
    "platforms/shared/health_reporter.rs",
    "platforms/shared/message_tracker.rs",
    "platforms/telegram/telegram_cache.rs",
    "platforms/telegram/lib.rs",
    "platforms/telegram/bot_api.rs",
    "platforms/telegram/update_dispatcher.rs",
    "platforms/telegram/update_source.rs",
    "platforms/telegram/send.rs",
    "platforms/webchat/connections.rs",
    "platforms/webchat/blob_folder.rs",
    "platforms/webchat/routes.rs",
    "platforms/webchat/stream_hub.rs",
    "platforms/webchat/lib.rs",
    "platforms/webchat/event_stream.rs",
    "platforms/webchat/cleanup.rs",
    "bot/repository/time_source.rs",
    "store/clock.rs",
    "store/leases.rs",
    "store/sled/durable_mark.rs",
    "store/sled/write_health.rs",
    "tools/stopwatch.rs",
];

const LINE_COLUMNS_MAX: usize = 100;

/// A file of the source.
pub struct File {
    /// Path under its root, with `/`.
    name: String,
    pub text: String,
    /// Without comments.
    code: String,
}

impl File {
    /// The code before the file's own tests.
    fn without_tests(&self) -> &str {
        self.code.split("#[cfg(test)]").next().unwrap_or_default()
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files of the source under a folder.
pub fn files_under(folder: &str) -> Vec<File> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "{folder} has no source");
    paths.into_iter().map(|path| read(&root().join(folder), &path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|it| it == "rs") {
            paths.push(path);
        }
    }
}

fn read(root: &Path, path: &Path) -> File {
    let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    let text = fs::read_to_string(path).unwrap();
    let code = text.lines().map(|it| it.split("//").next().unwrap_or_default());
    let code = code.collect::<Vec<_>>().join("\n");
    File { name, text, code }
}

fn broken(rules: &[String]) {
    assert!(rules.is_empty(), "\n{}", rules.join("\n"));
}

/// A game is its folder and its line in the list; nobody else knows any of them by name.
#[test]
fn no_game_is_named_outside_its_folder() {
    const LIST: &str = "games/lib.rs";
    let folders = fs::read_dir(root().join("src/games")).unwrap().map(Result::unwrap);
    let games: Vec<String> = folders
        .filter(|it| it.path().join("definition.rs").exists())
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(games.len() > 2, "where are the games?");
    let mut wrong = Vec::new();
    for file in files_under("src").iter().filter(|it| it.name != LIST) {
        let code = file.without_tests().to_lowercase();
        for game in &games {
            let own = file.name.starts_with(&format!("games/{game}/"));
            if !own && code.contains(game.as_str()) {
                wrong.push(format!("src/{} names {game}", file.name));
            }
        }
    }
    broken(&wrong);
}

/// Adapters that serve files from the system live at the edge; everything else gets time,
/// settings and randomness handed in.
#[test]
fn only_the_edges_ask_for_the_time_the_environment_or_randomness() {
    let mut wrong = Vec::new();
    for file in files_under("src").iter().filter(|it| !EDGES.contains(&it.name.as_str())) {
        for word in ["SystemTime::", "Instant::now", "std::env::", "getrandom::"] {
            if file.without_tests().contains(word) {
                wrong.push(format!("src/{} reads {word}", file.name));
            }
        }
    }
    for name in EDGES {
        assert!(root().join("src").join(name).exists(), "{name} of the list is gone");
    }
    broken(&wrong);
}

/// Profiles are written only if they did not change since they were read.
#[test]
fn profiles_are_written_in_one_place() {
    let mut wrong = Vec::new();
    for file in files_under("src").iter().filter(|it| it.name != "bot/repository/row_update.rs") {
        // A call may be broken over several lines.
        let code: String = file.code.split_whitespace().collect();
        for space in ["Space::Person,", "Space::ChatProfile,"] {
            for way in ["put_json(", "remove_row(", "Put::new(", "Put::remove("] {
                let writes = code.matches(&format!("{way}{space}")).count();
                // The row that tells whose username it is needs not be read before.
                let known =
                    usize::from(file.name == "bot/repository/profiles.rs" && way == "Put::new(");
                if writes > known && !file.name.starts_with("tools/sim") {
                    wrong.push(format!("src/{} writes {space} by {way}", file.name));
                }
            }
        }
    }
    broken(&wrong);
}

#[test]
fn lines_stay_short() {
    let mut wrong = Vec::new();
    for file in files_under("src").into_iter().chain(files_under("tests")) {
        for (number, line) in (1..).zip(file.text.lines()) {
            let columns = line.chars().count();
            // A row of a table in the documentation cannot be broken.
            let is_row = line.trim_start().starts_with("//! |");
            if !is_row && columns > LINE_COLUMNS_MAX {
                wrong.push(format!("{}:{number} has {columns} columns", file.name));
            }
        }
    }
    broken(&wrong);
}

/// Clippy counts the lines of functions; this only checks its settings.
#[test]
fn clippy_limits_the_length_of_functions() {
    let clippy = fs::read_to_string(root().join(".clippy.toml")).unwrap();
    assert!(clippy.contains("too-many-lines-threshold = 70"));
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("too_many_lines = \"warn\""));
}

#[test]
fn no_unwrap_outside_tests_and_no_unfinished_code() {
    let mut wrong = Vec::new();
    for file in files_under("src") {
        if file.without_tests().contains(".unwrap()") {
            wrong.push(format!("src/{} unwraps", file.name));
        }
    }
    // Put together here, so that this file does not find itself.
    let words = [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["XX", "X"].concat()];
    let macros = [["todo", "!("].concat(), ["unimplemented", "!("].concat()];
    for file in files_under("src").into_iter().chain(files_under("tests")) {
        for (number, line) in (1..).zip(file.text.lines()) {
            let is_word = |word: &str| {
                let mut split = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                split.any(|it| it == word)
            };
            if words.iter().any(|it| is_word(it)) || macros.iter().any(|it| line.contains(it)) {
                wrong.push(format!("{}:{number} is left for later: {line}", file.name));
            }
        }
    }
    broken(&wrong);
}

/// Every clone is in another folder.
#[test]
fn no_file_names_a_folder_of_a_developers_machine() {
    let homes = [["/ho", "me/"].concat(), ["/Us", "ers/"].concat(), ["/ro", "ot/"].concat()];
    let here = env!("CARGO_MANIFEST_DIR");
    let mut wrong = Vec::new();
    for file in files_under("src").into_iter().chain(files_under("tests")) {
        if file.text.contains(here) || homes.iter().any(|it| file.text.contains(it.as_str())) {
            wrong.push(format!("{} names a folder of a machine", file.name));
        }
    }
    broken(&wrong);
}

#[test]
fn every_test_named_in_the_security_page_exists() {
    let page = fs::read_to_string(root().join("deploy/security.md")).unwrap();
    let tests: String = files_under("tests/it").into_iter().map(|file| file.text).collect();
    let named = page.split('`').skip(1).step_by(2).filter(|name| name.contains('_'));
    let named: BTreeSet<&str> = named.filter(|name| !name.contains('/')).collect();
    assert!(named.len() > 30, "{named:?}");
    for name in named {
        assert!(tests.contains(&format!("fn {name}(")), "{name}");
    }
}

/// All documentation in the repository.
fn pages() -> Vec<PathBuf> {
    fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, pages);
            } else if path.extension().is_some_and(|it| it == "md") {
                pages.push(path);
            }
        }
    }
    let mut pages = vec![root().join("README.md")];
    for folder in ["src", "tests", "deploy", "templates", ".github"] {
        collect(&root().join(folder), &mut pages);
    }
    pages
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|it| it.split_once(')')) {
            let target = link.0.split('#').next().unwrap_or_default();
            // Pages that are part of the documentation of a module link to its items.
            let is_item = target == "self" || target.contains("::");
            if target.is_empty() || target.contains("://") || is_item {
                continue;
            }
            if !page.parent().unwrap().join(target).exists() {
                wrong.push(format!("{} links to {target}", page.display()));
            }
        }
    }
    broken(&wrong);
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.len() <= 10_000, "README.md has {} bytes", readme.len());
}
