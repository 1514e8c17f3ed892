//! The program `caravanserai`: runs the bot, or one of its tools.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use caravanserai::host::config::cli::{Cli, Command, SimArgs};
use caravanserai::host::config::{Config, process_environment};
use caravanserai::host::ops::{self, Metrics};
use caravanserai::host::run;
use caravanserai::render::Renderer;
use caravanserai::tools::bar::Bar;
use caravanserai::tools::picture::{self, Wanted};
use caravanserai::tools::{arena, engine, learn, records, sim};
use clap::{Parser, ValueEnum};

fn main() -> ExitCode {
    match start(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("caravanserai: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start(cli: Cli) -> anyhow::Result<()> {
    let health = match &cli.command {
        Some(Command::Health { url }) => Some(url.clone()),
        Some(tool) => return run_tool(tool),
        None => None,
    };
    let folder = std::env::current_dir().context("there is no current folder")?;
    let config = Config::load(&process_environment(), cli.config.as_deref(), &folder)?;
    if cli.check_config {
        print!("{}", config.describe());
        return Ok(());
    }
    let runtime = tokio::runtime::Runtime::new().context("the runtime cannot start")?;
    runtime.block_on(async move {
        if let Some(url) = health {
            let url = url.or_else(|| ops::health_url(&config));
            let url = url.context("the settings say of no port where health could be asked")?;
            return ops::ask_health(&url).await;
        }
        serve(config).await
    })
}

/// Does what needs no settings.
fn run_tool(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Perft { game, depth, variant, position } => {
            print!("{}", records::perft(game, *depth, variant.as_deref(), position.as_deref())?);
        }
        Command::Replay { game, file, variant } => {
            print!("{}", records::replay(game, file, variant.as_deref())?);
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
            print!("{}", outcome.result);
            eprint!("{}", outcome.times);
        }
        Command::Engine { game } => {
            engine::run(game.as_deref(), std::io::stdin().lock(), Box::new(std::io::stdout()))?;
        }
        Command::Learn(args) => eprintln!("{}", learn::run(args, |line| eprintln!("{line}"))?),
        Command::Sim(args) => simulate(args)?,
        Command::Verify { file } => print!("{}", records::verify_file(file)?),
        Command::Health { .. } => {}
    }
    Ok(())
}

/// Lets the bot live in a simulated world.
fn simulate(args: &SimArgs) -> anyhow::Result<()> {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = args.seed.unwrap_or_else(|| now().as_millis() as u64);
    let SimArgs { steps, days, trace, .. } = *args;
    let named = |it: &String| sim::Trouble::from_str(it, true);
    let without: Result<_, String> = args.without.iter().map(named).collect();
    let without = without.map_err(|it| anyhow::anyhow!("no such trouble: {it}"))?;
    let wanted = sim::Wanted { seed, steps, days, without, trace };
    let report = sim::run(&wanted, Arc::new(sim::Plain))?;
    print!("{report}");
    anyhow::ensure!(report.failure.is_none(), "a promise was broken in the world of seed {seed}");
    Ok(())
}

/// Says every now and then on standard error how far a long drawing is.
fn tell_progress(drawn: usize, all: usize) {
    const OFTEN: usize = 25;
    if all >= 2 * OFTEN && (drawn.is_multiple_of(OFTEN) || drawn == all) {
        eprintln!("drawn {drawn} of {all} pictures");
    }
}

async fn serve(config: Config) -> anyhow::Result<()> {
    ops::start_logs(&config)?;
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let metrics = Metrics::install()?;
    let (stopper, stop) = ops::shutdown();
    let signals = tokio::spawn(async move { stopper.stop_on_signal().await });
    let ended = run::run(config, Some(metrics), stop).await;
    signals.abort();
    ended
}
