//! Finds the languages: every folder of `templates` with a `language.toml`. Its files are embedded
//! in the program, so adding a folder adds a language.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let templates = here.join("../../templates");
    println!("cargo:rerun-if-changed={}", templates.display());
    let mut code = String::from("&[\n");
    for folder in sorted(&templates)? {
        if !folder.join("language.toml").exists() {
            continue;
        }
        let _ = writeln!(code, "LanguageFolder {{ code: {:?}, files: &[", name(&folder));
        // The hashes of the English texts are only for translators.
        for file in sorted(&folder)?.iter().filter(|it| name(it) != "sources.toml") {
            let _ = writeln!(code, "    ({:?}, include_str!({file:?})),", name(file));
        }
        code.push_str("] },\n");
    }
    code.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("languages.rs"), code)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
