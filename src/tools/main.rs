//! The program `caravanserai-tools`: computer players, records and pictures, without a bot.

use std::process::ExitCode;

use anyhow::Context;
use caravanserai::logs::{print_panics, print_stderr, print_stdout};
use caravanserai_render::Renderer;
use caravanserai_tools::args::{ToolsCli, ToolsCommand};
use caravanserai_tools::progress_bar::ProgressBar;
use caravanserai_tools::record_picture::{self, PictureOptions};
use caravanserai_tools::{arena, benchmark, engine, learn, month, records, solve, translations};
use clap::Parser;

fn main() -> ExitCode {
    print_panics();
    match run(&ToolsCli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_stderr(format_args!("caravanserai-tools: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: &ToolsCommand) -> anyhow::Result<()> {
    match command {
        ToolsCommand::Perft { game, depth, variant, position } => {
            print_stdout(records::count_games(
                game,
                *depth,
                variant.as_deref(),
                position.as_deref(),
            )?)?;
        }
        ToolsCommand::Replay { game, file, variant } => {
            print_stdout(records::replay_record(game, file, variant.as_deref())?)?;
        }
        ToolsCommand::Render { game, file, out, at, theme, viewer, gif, chart, width, variant } => {
            let wanted = PictureOptions {
                at: *at,
                theme: theme.clone(),
                viewer: viewer.clone(),
                gif: *gif,
                chart: *chart,
                width: *width,
                options: variant.clone(),
            };
            record_picture::check_file_extension(out, *gif)?;
            let renderer = Renderer::embedded().context("failed to load the art")?;
            let bytes =
                record_picture::render_record(&renderer, game, file, &wanted, report_pictures)?;
            std::fs::write(out, bytes)
                .with_context(|| format!("cannot write {}", out.display()))?;
        }
        ToolsCommand::Arena(args) => {
            let mut bar = ProgressBar::on_stderr();
            let outcome = arena::run_arena(args, &mut |it| bar.show(it));
            bar.clear();
            let outcome = outcome?;
            print_stdout(outcome.result)?;
            print_stderr(outcome.times.trim_end());
        }
        ToolsCommand::Benchmark(args) => print_stdout(benchmark::run_benchmark(args)?)?,
        ToolsCommand::Engine { game } => {
            engine::run_engine(
                game.as_deref(),
                std::io::stdin().lock(),
                Box::new(std::io::stdout()),
            )?;
        }
        ToolsCommand::Learn(args) => {
            print_stderr(learn::run_learning(args, |line| print_stderr(line))?)
        }
        ToolsCommand::Solve(args) => {
            let go_on = &mut || solve::SolveStep::GoOn;
            print_stderr(solve::run_solving(args, &mut |line| print_stderr(line), go_on)?)
        }
        ToolsCommand::Month(args) => {
            let renderer = Renderer::embedded().context("failed to load the art")?;
            let files = month::run_month(args, renderer, &mut report_games)?;
            month::write_files(&args.out, &files)?;
        }
        ToolsCommand::Translations { folder, checked, keys } => {
            for language in checked {
                translations::mark_checked(folder, language, keys)?;
            }
            let outdated = translations::find_outdated(folder)?;
            print_stdout(outdated.iter().map(|it| format!("{it}\n")).collect::<String>())?;
        }
    }
    Ok(())
}

/// Reports the progress of a long rendering on standard error.
fn report_pictures(drawn: usize, all: usize) {
    const REPORT_EVERY: usize = 25;
    if all >= 2 * REPORT_EVERY && (drawn.is_multiple_of(REPORT_EVERY) || drawn == all) {
        print_stderr(format_args!("drawn {drawn} of {all} pictures"));
    }
}

/// Reports the progress of a month on standard error.
fn report_games(played: u32, all: u32) {
    const REPORT_EVERY: u32 = 50;
    if played.is_multiple_of(REPORT_EVERY) || played == all {
        print_stderr(format_args!("played {played} of {all} games"));
    }
}
