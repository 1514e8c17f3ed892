//! The program `caravanserai-tools`: computer players, records and pictures, without a bot.

use std::process::ExitCode;

use anyhow::Context;
use caravanserai::logs::{say, tell, tell_panics};
use caravanserai_render::Renderer;
use caravanserai_tools::args::{Cli, Command};
use caravanserai_tools::bar::Bar;
use caravanserai_tools::picture::{self, Wanted};
use caravanserai_tools::{arena, engine, learn, records};
use clap::Parser;

fn main() -> ExitCode {
    tell_panics();
    match run(&Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(format_args!("caravanserai-tools: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Perft { game, depth, variant, position } => {
            say(records::perft(game, *depth, variant.as_deref(), position.as_deref())?)?;
        }
        Command::Replay { game, file, variant } => {
            say(records::replay(game, file, variant.as_deref())?)?;
        }
        Command::Render { game, file, out, at, theme, viewer, gif, chart, width, variant } => {
            let wanted = Wanted {
                at: *at,
                theme: theme.clone(),
                viewer: viewer.clone(),
                gif: *gif,
                chart: *chart,
                width: *width,
                options: variant.clone(),
            };
            picture::ensure_kind(out, *gif)?;
            let renderer = Renderer::embedded().context("the art cannot be read")?;
            let bytes = picture::render(&renderer, game, file, &wanted, tell_progress)?;
            std::fs::write(out, bytes)
                .with_context(|| format!("cannot write {}", out.display()))?;
        }
        Command::Arena(args) => {
            let mut bar = Bar::on_stderr();
            let outcome = arena::run(args, &mut |it| bar.show(it));
            bar.clear();
            let outcome = outcome?;
            say(outcome.result)?;
            tell(outcome.times.trim_end());
        }
        Command::Engine { game } => {
            engine::run(game.as_deref(), std::io::stdin().lock(), Box::new(std::io::stdout()))?;
        }
        Command::Learn(args) => tell(learn::run(args, |line| tell(line))?),
    }
    Ok(())
}

/// Says every now and then on standard error how far a long drawing is.
fn tell_progress(drawn: usize, all: usize) {
    const OFTEN: usize = 25;
    if all >= 2 * OFTEN && (drawn.is_multiple_of(OFTEN) || drawn == all) {
        tell(format_args!("drawn {drawn} of {all} pictures"));
    }
}
