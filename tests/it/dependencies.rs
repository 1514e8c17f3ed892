//! What comes in from outside, as far as it can be told without a network: where it is from, under
//! which licence, and that every known fault in it is answered in `.cargo-deny.toml`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Known faults: crate, the first version that is free of it (if any), name of the advisory.
const KNOWN: &[(&str, Option<&str>, &str)] = &[
    ("rustls-webpki", Some("0.103.10"), "RUSTSEC-2026-0049"),
    ("rustls-webpki", Some("0.103.12"), "RUSTSEC-2026-0098"),
    ("rustls-webpki", Some("0.103.12"), "RUSTSEC-2026-0099"),
    ("rustls-webpki", Some("0.103.13"), "RUSTSEC-2026-0104"),
    ("fxhash", None, "RUSTSEC-2025-0057"),
    ("instant", None, "RUSTSEC-2024-0384"),
    ("proc-macro-error2", None, "RUSTSEC-2026-0173"),
    ("ttf-parser", None, "RUSTSEC-2026-0192"),
    ("rustybuzz", None, "RUSTSEC-2026-0206"),
];

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

fn table(name: &str) -> toml::Table {
    read(name).parse().unwrap()
}

/// The texts of a list, or of a field of its tables.
fn texts(list: &toml::Value, field: &str) -> Vec<String> {
    let text = |it: &toml::Value| it.get(field).unwrap_or(it).as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(text).collect()
}

fn version(text: &str) -> Vec<u64> {
    text.split('.').map(|it| it.parse().unwrap_or_default()).collect()
}

fn packages() -> Vec<(String, String, Option<String>)> {
    let lock = table("Cargo.lock");
    let text = |it: &toml::Value, key: &str| it.get(key).map(|it| it.as_str().unwrap().to_owned());
    let all = lock["package"].as_array().unwrap().iter();
    all.map(|it| (text(it, "name").unwrap(), text(it, "version").unwrap(), text(it, "source")))
        .collect()
}

#[test]
fn everything_comes_from_the_public_registry_and_has_a_checksum() {
    // The default registry of cargo.
    let index = ["rust-lang/crates", "io-index"].join(".");
    for (name, version, source) in packages() {
        match source {
            Some(source) => assert!(
                source.starts_with("registry+") && source.ends_with(&index),
                "{name} {version} comes from {source}"
            ),
            None => assert!(name.starts_with("caravanserai"), "{name} {version} has no source"),
        }
    }
}

#[test]
fn every_known_fault_is_answered_and_no_answer_is_left_over() {
    let answered = texts(&table(".cargo-deny.toml")["advisories"]["ignore"], "id");
    let packages = packages();
    let mut open = Vec::new();
    for (name, cured, advisory) in KNOWN {
        let hit = |(it, found, _): &&(String, String, Option<String>)| {
            it == name && cured.is_none_or(|cured| version(found) < version(cured))
        };
        let is_hit = packages.iter().find(hit);
        let is_answered = answered.iter().any(|it| it == advisory);
        match (is_hit, is_answered) {
            (Some((_, found, _)), false) => open.push(format!("{name} {found}: {advisory}")),
            (None, true) => open.push(format!("{advisory} is not needed any more: {name}")),
            (Some(_), true) | (None, false) => {}
        }
    }
    assert!(open.is_empty(), "{open:#?}");
    for advisory in &answered {
        let is_known = KNOWN.iter().any(|(_, _, it)| it == advisory);
        assert!(is_known, "{advisory} is answered, but this test does not know it");
    }
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` can be fulfilled.
fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let licence = licence.replace('/', " OR ").replace(['(', ')'], "");
    // No licence of ours has an AND within an OR.
    licence.split(" AND ").all(|all| all.split(" OR ").any(|it| allowed.iter().any(|a| a == it)))
}

#[test]
fn every_licence_is_one_of_those_that_fit_ours() {
    let policy = table(".cargo-deny.toml");
    let allowed = texts(&policy["licenses"]["allow"], "name");
    let exceptions = texts(&policy["licenses"]["exceptions"], "crate");
    let said = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    if !said.status.success() {
        // Packages of other systems are only there after a `cargo fetch`.
        assert!(std::env::var_os("CI").is_none(), "{}", String::from_utf8_lossy(&said.stderr));
        eprintln!("skipped: not all packages are on this machine; `cargo fetch` brings them");
        return;
    }
    let metadata: Value = serde_json::from_slice(&said.stdout).unwrap();
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence, &allowed) && !exceptions.iter().any(|it| it == name) {
            wrong.push(format!("{name}: {licence}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
