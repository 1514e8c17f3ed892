//! Finds the themes: every folder of `templates/art` with a `theme.toml`, with all its drawings.
//! The theme without a base comes first.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let art = root.join("../../templates/art").canonicalize()?;
    println!("cargo:rerun-if-changed={}", art.display());
    let mut themes = Vec::new();
    for folder in sorted(&art)? {
        let colours = folder.join("theme.toml");
        if let Ok(text) = fs::read_to_string(&colours) {
            let stands_on_another = text.lines().any(|line| line.starts_with("base"));
            themes.push((stands_on_another, folder, colours));
        }
    }
    themes.sort();
    let mut code = String::from("&[\n");
    for (_, folder, colours) in themes {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let _ = writeln!(code, "ThemeFiles {{ name: {name:?}, colours: include_str!({colours:?}),");
        code.push_str("drawings: &[\n");
        drawings(&folder, "", &mut code)?;
        code.push_str("] },\n");
    }
    code.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("themes.rs"), code)
}

/// Lists the drawings of a folder and its subfolders, by their paths without the extension.
fn drawings(folder: &Path, before: &str, code: &mut String) -> io::Result<()> {
    for path in sorted(folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            drawings(&path, &format!("{before}{name}/"), code)?;
        } else if path.extension().is_some_and(|it| it == "svg") {
            let _ = writeln!(code, "    (\"{before}{name}\", include_str!({path:?})),");
        }
    }
    Ok(())
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
