//! `caravanserai-tools learn`: regenerates the files with the knowledge of the computer players.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

use super::records::find_game;
use super::stopwatch::Stopwatch;
use crate::args::LearnArgs;

/// Learns and writes the file. `say` receives progress; the result is a closing sentence.
///
/// # Errors
/// One sentence about the invalid argument, or why the file cannot be written.
pub fn run_learning(args: &LearnArgs, mut say: impl FnMut(&str)) -> anyhow::Result<String> {
    let game = find_game(&args.game)?;
    let learning = game.learning();
    let mut amounts = (learning.amounts)();
    for set in &args.amounts {
        set_amount(&mut amounts, set)?;
    }
    // Learning takes hours, so an unwritable file must fail at once.
    let partial = args.out.with_added_extension("partial");
    let cannot = || format!("cannot write {}", args.out.display());
    let file = File::create(&partial).with_context(cannot)?;
    let settings: Vec<String> =
        amounts.iter().map(|(name, value)| format!("{name}={value}")).collect();
    say(&format!("{}: seed {}, {}", game.info().code, args.seed, settings.join(", ")));
    let watch = Stopwatch::start();
    let values: Vec<u64> = amounts.iter().map(|it| it.1).collect();
    let bytes = (learning.learn)(args.seed, &values, &mut |line| {
        say(&format!("{:>6} s  {line}", watch.elapsed().as_secs()));
    });
    write_file(file, &bytes, &partial, &args.out).with_context(cannot)?;
    let seconds = watch.elapsed().as_secs();
    let len = bytes.len();
    Ok(format!("{len} bytes in {} after {seconds} s", args.out.display()))
}

/// Sets one of these amounts by a text such as `games=1000`.
///
/// # Errors
/// One sentence with the existing names.
pub(super) fn set_amount(amounts: &mut [(&'static str, u64)], text: &str) -> anyhow::Result<()> {
    let Some((name, Ok(value))) = text.split_once('=').map(|(name, it)| (name, it.parse())) else {
        bail!("--set takes a name and a number such as games=1000, not {text}");
    };
    let names: Vec<&str> = amounts.iter().map(|it| it.0).collect();
    match amounts.iter_mut().find(|it| it.0 == name) {
        Some(amount) => amount.1 = value,
        None => bail!("there is no {name} to set; there is {}", names.join(", ")),
    }
    Ok(())
}

/// Writes the file and renames it, so that readers never see an incomplete one.
fn write_file(mut file: File, bytes: &[u8], partial: &Path, out: &Path) -> std::io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(partial, out)
}
