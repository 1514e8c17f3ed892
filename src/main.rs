//! The program `caravanserai`: runs the bot, or a command for its store.

use std::process::ExitCode;

use anyhow::Context;
use caravanserai::config::cli::{Cli, Command, StoreCommand};
use caravanserai::config::{Config, process_environment};
use caravanserai::doctor::{self, Finding};
use caravanserai::health;
use caravanserai::logs::{say, tell, tell_panics};
use caravanserai::serve::serve;
use caravanserai::store_commands as store;
use caravanserai_store::address::Address;
use caravanserai_tools::records;
use clap::Parser;

fn main() -> ExitCode {
    tell_panics();
    start(Cli::parse()).unwrap_or_else(|error| {
        tell(format_args!("caravanserai: {error:#}"));
        ExitCode::FAILURE
    })
}

fn start(cli: Cli) -> anyhow::Result<ExitCode> {
    match &cli.command {
        Some(Command::Doctor) => return examine(&cli),
        Some(Command::Verify { file }) => {
            say(records::verify_file(file)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(_) | None => {}
    }
    let folder = std::env::current_dir().context("there is no current folder")?;
    let mut config = Config::load(&process_environment(), cli.config.as_deref(), &folder)?;
    config.accept_loss = cli.accept_loss;
    if cli.check_config {
        say(config.describe())?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(command) = &cli.command else { return serve(config) };
    let runtime = tokio::runtime::Runtime::new().context("the runtime cannot start")?;
    runtime.block_on(run_with_settings(command, &config))?;
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
        Command::Health { url } => {
            let url = url.clone().or_else(|| health::address(config));
            health::ask(&url.context("the settings say of no port where health could be asked")?)
                .await?;
        }
        Command::Doctor | Command::Verify { .. } => {}
    }
    Ok(())
}
