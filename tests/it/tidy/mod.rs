//! House rules as a test: who may use whom, how long things may be, what stays at the edge.
//!
//! A rule that is broken names the file and the line. If a rule is wrong, change it here, in
//! the open; the tables below are the truth about directions.

mod directions;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use directions::{ASSEMBLY, EDGES, ENGINE, GROUND, PARTS, PICTURES, Part, SHOWING};

const LINE_COLUMNS_MAX: usize = 100;

/// A file of the source.
pub struct File {
    /// Path under its root, with `/`.
    name: String,
    pub text: String,
    /// Without comments.
    code: String,
    /// Modules from the root down: `["games", "togyzkumalak", "rules"]`.
    module: Vec<String>,
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
    let mut module: Vec<String> =
        name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    // The ground floor is a crate of its own, and everybody knows its rooms by their names.
    if module.len() > 1 && module[0] == GROUND {
        module.remove(0);
    }
    if module.len() > 1 && module.last().is_some_and(|it| it == "mod" || it == "lib") {
        module.pop();
    }
    File { name, text, code, module }
}

/// Everything of this crate that a file names by a path, from the root down. Its own tests may put
/// together whatever they need.
fn used(file: &File) -> Vec<Vec<String>> {
    let code = file.without_tests();
    let mut all = Vec::new();
    for (at, _) in code.match_indices("::") {
        let before = &code[..at];
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |it| it + 1);
        let base = match &before[start..] {
            "crate" if file.module[0] == PICTURES => file.module[..1].to_vec(),
            "crate" | "caravanserai_core" => Vec::new(),
            // `super::super::x` is found at its last `super`.
            "super" if !code[at + 2..].starts_with("super::") => {
                let mut ups = 1;
                let mut rest = &before[..start];
                while let Some(shorter) = rest.strip_suffix("super::") {
                    ups += 1;
                    rest = shorter;
                }
                let keep = file.module.len().saturating_sub(ups);
                file.module[..keep].to_vec()
            }
            _ => continue,
        };
        let mut paths = Vec::new();
        tree(&code[at + 2..], &base, &mut paths);
        all.extend(paths);
    }
    all
}

/// Reads the tree of a `use`, such as `chat::{Body, note::Note}`; gives what follows it.
fn tree<'a>(text: &'a str, base: &[String], paths: &mut Vec<Vec<String>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = tree(rest, base, paths).trim_start();
            match rest.split_at_checked(1) {
                Some((",", after)) if !after.trim_start().starts_with('}') => rest = after,
                Some((",", after)) => return after.trim_start().get(1..).unwrap_or_default(),
                Some((_, after)) => return after,
                None => return "",
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let mut path = base.to_vec();
    if !matches!(name, "self" | "*" | "") {
        path.push(name.to_owned());
    }
    if let Some(rest) = rest.strip_prefix("::")
        && rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || "_{*".contains(c))
    {
        return tree(rest, &path, paths);
    }
    paths.push(path);
    // `x as y` has its end at the comma.
    let rest = rest.trim_start();
    match rest.strip_prefix("as ") {
        Some(renamed) => {
            renamed.trim_start().trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
        }
        None => rest,
    }
}

/// Whether a file belongs to the module with this path.
fn is_in(file: &File, at: &str) -> bool {
    let module = file.module.join("/");
    module.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn part_of(file: &File) -> &'static Part {
    let found = PARTS.iter().filter(|it| is_in(file, it.at)).max_by_key(|it| it.at.len());
    found.unwrap_or_else(|| panic!("{}: add this part to the table of directions", file.name))
}

fn is_assembly(file: &File) -> bool {
    ASSEMBLY.contains(&file.module[0].as_str()) && !PARTS.iter().any(|it| is_in(file, it.at))
}

/// Whether a path is under one of these, each a list of paths separated by spaces.
fn is_under(path: &[String], allowed: &[&str]) -> bool {
    allowed.iter().flat_map(|it| it.split(' ')).any(|it| {
        let allowed: Vec<&str> = it.split("::").collect();
        path.len() >= allowed.len() && path.iter().zip(&allowed).all(|(a, b)| a == b)
    })
}

fn broken(rules: &[String]) {
    assert!(rules.is_empty(), "\n{}", rules.join("\n"));
}

#[test]
fn parts_use_only_what_they_may() {
    let mut wrong = Vec::new();
    for file in files_under("src").iter().filter(|it| !is_assembly(it)) {
        let part = part_of(file);
        let own: Vec<String> = part.at.split('/').map(str::to_owned).collect();
        let mut allowed = part.ours.to_vec();
        let inside_game = file.module[0] == "games" && file.module.len() > 2;
        let showing = SHOWING.iter().find(|(name, _)| file.module.last().unwrap() == name);
        let thinks = file.module.get(2).is_some_and(|it| it == ENGINE);
        if inside_game && thinks {
            allowed = vec!["rules", "search"];
        } else if inside_game {
            allowed = showing.map_or(&["input", "rules"][..], |(_, may)| may).to_vec();
        }
        for path in used(file) {
            let name = path.join("::");
            let is_own = path.starts_with(&own);
            let fine = if inside_game && is_own {
                let shows = path.get(2).is_some_and(|it| SHOWING.iter().any(|(n, _)| n == it));
                let engine = path.get(2).is_some_and(|it| it == ENGINE);
                let packs = file.module.last().is_some_and(|it| it == "pack");
                let mine = path.starts_with(&file.module[..2]) && (!engine || thinks || packs);
                is_under(&path, &allowed) || (mine && (showing.is_some() || !shows))
            } else {
                path.is_empty() || is_own || is_under(&path, &allowed)
            };
            if !fine {
                wrong.push(format!("src/{} uses {name}", file.name));
            }
        }
    }
    broken(&wrong);
}

/// A game is its folder and its line in the list; nobody else knows any of them by name.
#[test]
fn no_game_is_named_outside_its_folder() {
    const LIST: &str = "core/games/mod.rs";
    let folders = fs::read_dir(root().join("src/core/games")).unwrap().map(Result::unwrap);
    let games: Vec<String> = folders
        .filter(|it| it.path().is_dir())
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(games.len() > 2, "where are the games?");
    let mut wrong = Vec::new();
    for file in files_under("src").iter().filter(|it| it.name != LIST) {
        let code = file.without_tests().to_lowercase();
        for game in &games {
            let own = file.name.starts_with(&format!("core/games/{game}/"));
            if !own && code.contains(game.as_str()) {
                wrong.push(format!("src/{} names {game}", file.name));
            }
        }
    }
    broken(&wrong);
}

#[test]
fn parts_use_only_their_libraries() {
    let manifests = ["Cargo.toml", "src/core/Cargo.toml", "src/render/Cargo.toml"];
    let mut libraries = BTreeSet::new();
    for manifest in manifests {
        let manifest = fs::read_to_string(root().join(manifest)).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let named = manifest["dependencies"].as_table().unwrap().keys();
        libraries.extend(named.map(|it| it.replace('-', "_")));
    }
    libraries.retain(|it| !it.starts_with("caravanserai"));
    let mut wrong = Vec::new();
    for file in files_under("src").iter().filter(|it| !is_assembly(it)) {
        let part = part_of(file);
        for library in &libraries {
            let path = format!("{library}::");
            let named = file.code.match_indices(&path).any(|(at, _)| {
                let before = file.code[..at].chars().next_back();
                before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':')
            });
            if named && !part.libraries.contains(&library.as_str()) {
                wrong.push(format!("src/{} uses the library {library}", file.name));
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
    for file in files_under("src").iter().filter(|it| it.name != "ledger/changes.rs") {
        for space in ["Space::Person,", "Space::Place,"] {
            for way in ["put(", "cut(", "Put::new(", "Put::remove("] {
                let writes = file.code.matches(&format!("{way}{space}")).count();
                // The row that tells whose username it is needs not be read before.
                let known = usize::from(file.name == "ledger/profiles.rs" && way == "Put::new(");
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

/// Clippy counts the lines of functions; here is only checked that it is told to.
#[test]
fn clippy_is_told_how_long_a_function_may_be() {
    let clippy = fs::read_to_string(root().join(".clippy.toml")).unwrap();
    assert!(clippy.contains("too-many-lines-threshold = 60"));
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("too_many_lines = \"warn\""));
}

#[test]
fn nothing_is_unwrapped_outside_tests_and_nothing_is_left_for_later() {
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

/// Whoever clones this has other folders than we have.
#[test]
fn no_file_names_a_folder_of_somebodys_machine() {
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
fn every_test_that_the_page_of_security_names_is_there() {
    let page = fs::read_to_string(root().join("deploy/security.md")).unwrap();
    let tests: String = files_under("tests/it").into_iter().map(|file| file.text).collect();
    let named = page.split('`').skip(1).step_by(2).filter(|name| name.contains('_'));
    let named: BTreeSet<&str> = named.filter(|name| !name.contains('/')).collect();
    assert!(named.len() > 30, "{named:?}");
    for name in named {
        assert!(tests.contains(&format!("fn {name}(")), "{name}");
    }
}

#[test]
fn the_reader_of_uses_understands_their_forms() {
    let code = "use crate::chat::{Body, note::{Note, Picture as P}, self};\n\
                use super::super::keys;\nfn f() { crate::words::Text::new(super::KEY) }"
        .to_owned();
    let module = ["a", "b", "c"].map(str::to_owned).to_vec();
    let file = File { name: "a/b/c.rs".into(), text: code.clone(), code, module };
    let found: Vec<String> = used(&file).iter().map(|it| it.join("::")).collect();
    assert_eq!(
        found,
        [
            "chat::Body",
            "chat::note::Note",
            "chat::note::Picture",
            "chat",
            "a::keys",
            "words::Text::new",
            "a::b::KEY"
        ]
    );
}
