//! Rule cases made by independent programs, as files.
//!
//! The files are read from `tests/data/cases`, or from the folder that `CASES_DIR` names. A game
//! whose files are missing there is passed over, but a run without a single case fails.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

mod blot;
mod thaayam;
mod togyzkumalak;

/// How many cases of each kind were checked.
#[derive(Default)]
pub struct Tally(BTreeMap<String, u64>);

impl Tally {
    /// One more of this kind.
    pub fn count(&mut self, kind: &str) {
        *self.0.entry(kind.to_owned()).or_default() += 1;
    }
}

/// One file of cases: its name and what checks its contents. It panics at the first case that
/// does not hold, or where the file is not what it should be.
type Suite = (&'static str, fn(&Value, &mut Tally));

/// A game adds a line for each of its files here.
const SUITES: [Suite; 4] = [
    ("togyzkumalak_perft.json", togyzkumalak::check),
    ("blot_cases.jsonl", blot::check),
    ("thaayam_games.jsonl", thaayam::check_games),
    ("thaayam_counts.json", thaayam::check_counts),
];

#[test]
fn cases_of_independent_programs_hold() {
    let folder = folder();
    let mut total = 0;
    for (name, check) in SUITES {
        let Some(text) = read(&folder.join(name)) else { continue };
        let file = parse(name, &text);
        let mut tally = Tally::default();
        check(&file, &mut tally);
        assert!(!tally.0.is_empty(), "{name} holds no cases");
        for (kind, count) in &tally.0 {
            total += count;
            say(&format!("{name}: {count} {kind}"));
        }
    }
    assert!(total > 0, "no cases in {}", folder.display());
}

/// A file with one value on each line (`.jsonl`) becomes a list of them.
fn parse(name: &str, text: &str) -> Value {
    let parse = |text: &str| {
        serde_json::from_str::<Value>(text)
            .unwrap_or_else(|wrong| panic!("{name} is not well-formed: {wrong}"))
    };
    match name.ends_with(".jsonl") {
        true => text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect(),
        false => parse(text),
    }
}

fn folder() -> PathBuf {
    match std::env::var_os("CASES_DIR") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases"),
    }
}

fn read(path: &Path) -> Option<String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => None,
        Err(broken) => panic!("{} cannot be read: {broken}", path.display()),
    }
}

/// Writes past the capturing of test output, so that the counts show in an ordinary run.
fn say(line: &str) {
    let mut out = std::io::stderr().lock();
    writeln!(out, "cases: {line}").expect("stderr takes a line");
}
