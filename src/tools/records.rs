//! Commands for records: perft counts, replays, and verification of logs.

use std::path::Path;

use anyhow::{Context, bail};

use caravanserai_games::GameId;
use caravanserai_table::verify::{VerifyReport, verify_record};

/// The first bytes of texts in UTF-16.
const UTF_16_MARKS: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];

/// `caravanserai-tools perft`: counts the ways to play. The last line is the count.
///
/// # Errors
/// One sentence about the invalid argument.
pub fn count_games(
    game: &str,
    depth: u32,
    variant: Option<&str>,
    position: Option<&str>,
) -> anyhow::Result<String> {
    let count = find_game(game)?.count_moves(variant, position, depth);
    Ok(format!("{}\n", count.map_err(anyhow::Error::msg)?))
}

/// `caravanserai-tools replay`: prints every position of a record.
///
/// # Errors
/// One sentence with the line of the record that is wrong.
pub fn replay_record(game: &str, file: &Path, variant: Option<&str>) -> anyhow::Result<String> {
    let text = read_record(file)?;
    let printed = find_game(game)?.print_record(&text, variant);
    printed.map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))
}

/// `caravanserai verify`: recomputes the chance outcomes of a log and reports the checks.
///
/// # Errors
/// One sentence about the first mismatch.
pub fn verify_file(file: &Path) -> anyhow::Result<VerifyReport> {
    verify_record(&read_record(file)?)
        .map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))
}

pub(super) fn read_record(file: &Path) -> anyhow::Result<String> {
    let cannot_read = || format!("cannot read {}", file.display());
    let bytes = std::fs::read(file).with_context(cannot_read)?;
    if bytes.starts_with(&UTF_16_MARKS[0]) || bytes.starts_with(&UTF_16_MARKS[1]) {
        bail!("{} is in UTF-16: save it as UTF-8", file.display());
    }
    let text = String::from_utf8(bytes).with_context(cannot_read)?;
    // Some editors write a byte order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

pub(super) fn find_game(name: &str) -> anyhow::Result<GameId> {
    let known = |it: &GameId| it.info().code == name || it.info().command == name;
    let Some(game) = GameId::all().iter().copied().find(known) else {
        let all: Vec<_> = GameId::all().iter().map(|it| it.info().code).collect();
        bail!("there is no game {name}; there is {}", all.join(", "));
    };
    Ok(game)
}
