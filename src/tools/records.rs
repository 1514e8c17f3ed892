//! What the program does besides running the bot.

use std::path::Path;

use anyhow::{Context, bail};

use crate::games::GameId;
use crate::games::blot;
use crate::games::thaayam;
use crate::games::togyzkumalak::Variant;
use crate::games::togyzkumalak::record;
use crate::rules::Token;
use crate::table::verify::verify;

/// `caravanserai perft`: what to print. The last line is the count.
///
/// # Errors
/// One sentence about the argument that is wrong.
pub fn perft(
    game: &str,
    depth: u32,
    variant: Option<&str>,
    position: Option<&str>,
) -> anyhow::Result<String> {
    match game_named(game)? {
        GameId::Togyzkumalak => {
            let variant = togyzkumalak_variant(variant)?.unwrap_or_default();
            let count = record::perft(position, depth, variant).map_err(anyhow::Error::msg)?;
            Ok(format!("{count}\n"))
        }
        GameId::Thaayam => bail!("ways are not counted in {game}, a game of dice"),
        GameId::Blot => bail!("chance and hidden hands: there is nothing to count in blot"),
    }
}

/// `caravanserai replay`: every position of a record.
///
/// # Errors
/// One sentence with the line of the record that is wrong.
pub fn replay(game: &str, file: &Path, variant: Option<&str>) -> anyhow::Result<String> {
    let text = read(file)?;
    match game_named(game)? {
        GameId::Togyzkumalak => {
            let variant = togyzkumalak_variant(variant)?;
            record::replay_text(&text, variant)
                .map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))
        }
        GameId::Thaayam => thaayam::record::replay_text(&text)
            .map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display())),
        GameId::Blot => {
            let read = |name| blot::Options::read(name).context("these options are not known");
            let options = variant.map(read).transpose()?;
            blot::record::replay_text(&text, options)
                .map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))
        }
    }
}

/// `caravanserai verify`: what was recomputed.
///
/// # Errors
/// One sentence about the first thing that does not agree.
pub fn verify_file(file: &Path) -> anyhow::Result<String> {
    verify(&read(file)?).map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))
}

pub(super) fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

pub(super) fn game_named(name: &str) -> anyhow::Result<GameId> {
    let known = |it: &GameId| it.info().code == name || it.info().command == name;
    let Some(game) = GameId::ALL.into_iter().find(known) else {
        let all: Vec<_> = GameId::ALL.iter().map(|it| it.info().code).collect();
        bail!("there is no game {name}; there is {}", all.join(", "));
    };
    Ok(game)
}

fn togyzkumalak_variant(name: Option<&str>) -> anyhow::Result<Option<Variant>> {
    let Some(name) = name else { return Ok(None) };
    match Variant::read(name) {
        Some(variant) => Ok(Some(variant)),
        None => bail!("there is no variant {name}; there is seed, short, literal"),
    }
}
