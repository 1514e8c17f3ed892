//! The program `caravanserai`: runs the bot, or one of its tools.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use caravanserai::host::config::cli::{Cli, Command, SimArgs, StoreCommand};
use caravanserai::host::config::{Config, process_environment};
use caravanserai::host::doctor::{self, Finding};
use caravanserai::host::health;
use caravanserai::host::logs::{say, tell, tell_panics};
use caravanserai::host::serve::serve;
use caravanserai::render::Renderer;
use caravanserai::store::address::Address;
use caravanserai::tools::bar::Bar;
use caravanserai::tools::picture::{self, Wanted};
use caravanserai::tools::{arena, engine, learn, records, sim, store};
use clap::{Parser, ValueEnum};

fn main() -> ExitCode {
    tell_panics();
    start(Cli::parse()).unwrap_or_else(|error| {
        tell(format_args!("caravanserai: {error:#}"));
        ExitCode::FAILURE
    })
}

fn start(cli: Cli) -> anyhow::Result<ExitCode> {
    let asks_health = match &cli.command {
        Some(Command::Health { url }) => Some(url.clone()),
        Some(Command::Doctor) => return examine(&cli),
        Some(tool) if run_tool(tool)? => return Ok(ExitCode::SUCCESS),
        Some(_) => None,
        None => None,
    };
    let folder = std::env::current_dir().context("there is no current folder")?;
    let mut config = Config::load(&process_environment(), cli.config.as_deref(), &folder)?;
    config.accept_loss = cli.accept_loss;
    if cli.check_config {
        say(config.describe())?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(command) = cli.command.as_ref().filter(|_| asks_health.is_none()) {
        let runtime = tokio::runtime::Runtime::new().context("the runtime cannot start")?;
        runtime.block_on(run_with_settings(command, &config))?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(url) = asks_health else { return serve(config) };
    let url = url.or_else(|| health::address(&config));
    let url = url.context("the settings say of no port where health could be asked")?;
    let runtime = tokio::runtime::Runtime::new().context("the runtime cannot start")?;
    runtime.block_on(health::ask(&url))?;
    Ok(ExitCode::SUCCESS)
}

fn examine(cli: &Cli) -> anyhow::Result<ExitCode> {
    let folder = std::env::current_dir().context("there is no current folder")?;
    let environment = process_environment();
    let runtime = tokio::runtime::Runtime::new().context("the runtime cannot start")?;
    // What nobody reads any more changes nothing in what is found.
    let tell = |it: &Finding| say(format_args!("{it}\n")).unwrap_or_default();
    let well =
        runtime.block_on(doctor::examine(&environment, cli.config.as_deref(), &folder, tell));
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Does what needs settings but is not the bot.
async fn run_with_settings(command: &Command, config: &Config) -> anyhow::Result<()> {
    match command {
        // Standard output may be the back-up itself.
        Command::Backup { file } => tell(store::backup(&config.store, file).await?),
        Command::Restore { file } => {
            say(format_args!("{}\n", store::restore(file, &config.store).await?))?
        }
        Command::Check { file } => {
            let report = match file {
                Some(file) => store::check_file(file).await?,
                None => store::check(&config.store).await?,
            };
            say(format_args!("{}\n", report.text()))?;
            anyhow::ensure!(report.is_good(), "not all is well");
        }
        Command::Store(StoreCommand::Compact) => {
            say(format_args!("{}\n", store::compact(&config.store).await?))?
        }
        Command::Store(StoreCommand::Salvage { from, to }) => {
            say(format_args!("{}\n", store::salvage(from, &Address::read(to)).await?))?
        }
        Command::Store(StoreCommand::ListDamaged) => {
            say(format_args!("{}\n", store::list_damaged(&config.store).await?))?
        }
        Command::Store(StoreCommand::CloseTable { table, log }) => {
            say(format_args!("{}\n", store::close_table(&config.store, table, log).await?))?
        }
        Command::Store(StoreCommand::Copy { from, to }) => {
            let (from, to) = (Address::read(from), Address::read(to));
            say(format_args!("{}\n", store::copy(&from, &to).await?))?;
        }
        Command::Replay { .. }
        | Command::Perft { .. }
        | Command::Render { .. }
        | Command::Arena(_)
        | Command::Engine { .. }
        | Command::Learn(_)
        | Command::Sim(_)
        | Command::Doctor
        | Command::Health { .. }
        | Command::Verify { .. } => {}
    }
    Ok(())
}

/// Does what needs no settings; whether it was such a thing.
fn run_tool(command: &Command) -> anyhow::Result<bool> {
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
        Command::Sim(args) => simulate(args)?,
        Command::Verify { file } => say(records::verify_file(file)?)?,
        Command::Doctor
        | Command::Health { .. }
        | Command::Backup { .. }
        | Command::Restore { .. }
        | Command::Check { .. }
        | Command::Store(_) => return Ok(false),
    }
    Ok(true)
}

/// Lets the bot live in a simulated world.
fn simulate(args: &SimArgs) -> anyhow::Result<()> {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = args.seed.unwrap_or_else(|| now().as_millis() as u64);
    let SimArgs { steps, days, replicas, trace, .. } = *args;
    let named = |it: &String| sim::Trouble::from_str(it, true);
    let without: Result<_, String> = args.without.iter().map(named).collect();
    let without = without.map_err(|_| {
        let all = sim::Trouble::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let all: Vec<String> = all.map(|it| it.get_name().to_owned()).collect();
        anyhow::anyhow!("--without takes troubles of this list: {}", all.join(", "))
    })?;
    let wanted = sim::Wanted { seed, steps, days, replicas, without, trace };
    let report = sim::run(&wanted, Arc::new(sim::Plain))?;
    say(&report)?;
    anyhow::ensure!(report.failure.is_none(), "a promise was broken in the world of seed {seed}");
    Ok(())
}

/// Says every now and then on standard error how far a long drawing is.
fn tell_progress(drawn: usize, all: usize) {
    const OFTEN: usize = 25;
    if all >= 2 * OFTEN && (drawn.is_multiple_of(OFTEN) || drawn == all) {
        tell(format_args!("drawn {drawn} of {all} pictures"));
    }
}
