//! The program `caravanserai`: runs the bot, or a command for its store.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use caravanserai::config::cli::{BotCli, CliCommand, ResultsCommand, StoreCommand};
use caravanserai::config::{Config, process_environment};
use caravanserai::core_dumps::forbid_core_dumps;
use caravanserai::deletion_list::copy_beside_backup;
use caravanserai::doctor::{self, DoctorFinding};
use caravanserai::health;
use caravanserai::logs::{print_panics, print_stderr, print_stdout};
use caravanserai::serve::serve_until_signal;
use caravanserai::store_commands::{self as store, DeletionSources};
use caravanserai_store::encrypted::key_file::{KEY_BYTES, NewKeyUse};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_tools::records;
use clap::Parser;
use zeroize::Zeroizing;

/// The exit code of `verify` for a record that could be checked only in part.
const PARTLY_VERIFIED: u8 = 4;

fn main() -> ExitCode {
    print_panics();
    forbid_core_dumps();
    run_command(BotCli::parse()).unwrap_or_else(|error| {
        print_stderr(format_args!("caravanserai: {error:#}"));
        ExitCode::FAILURE
    })
}

fn run_command(cli: BotCli) -> anyhow::Result<ExitCode> {
    match &cli.command {
        Some(CliCommand::Doctor) => return run_doctor(&cli),
        Some(CliCommand::Verify { file }) => {
            let report = records::verify_file(file)?;
            print_stdout(&report.text)?;
            return Ok(match report.is_complete {
                true => ExitCode::SUCCESS,
                false => ExitCode::from(PARTLY_VERIFIED),
            });
        }
        // The settings may name the file that this makes.
        Some(CliCommand::Store(StoreCommand::NewKey { file, standby })) => {
            let use_as = if *standby { NewKeyUse::Standby } else { NewKeyUse::Current };
            let mut key = Zeroizing::new([0; KEY_BYTES]);
            getrandom::fill(key.as_mut_slice()).context("failed to get random bytes")?;
            print_stdout(format_args!("{}\n", store::make_key(file, &key, use_as)?))?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(CliCommand::Store(StoreCommand::NewBackupKey { file })) => {
            print_stdout(format_args!("{}\n", store::make_backup_key(file)?))?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(_) | None => {}
    }
    let folder = std::env::current_dir().context("failed to find the current folder")?;
    let mut config = Config::load(&process_environment(), cli.config.as_deref(), &folder)?;
    config.accept_loss = cli.accept_loss;
    if cli.check_config {
        print_stdout(config.describe())?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(command) = &cli.command else { return serve_until_signal(config) };
    let runtime = tokio::runtime::Runtime::new().context("failed to start the runtime")?;
    runtime.block_on(run_with_settings(command, &config))?;
    Ok(ExitCode::SUCCESS)
}

fn run_doctor(cli: &BotCli) -> anyhow::Result<ExitCode> {
    let folder = std::env::current_dir().context("failed to find the current folder")?;
    let environment = process_environment();
    let runtime = tokio::runtime::Runtime::new().context("failed to start the runtime")?;
    // A closed standard output must not change the result.
    let tell = |it: &DoctorFinding| print_stdout(format_args!("{it}\n")).unwrap_or_default();
    let well =
        runtime.block_on(doctor::examine(&environment, cli.config.as_deref(), &folder, tell));
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes a backup, and the list of deleted accounts beside it.
async fn back_up(config: &Config, file: &Path) -> anyhow::Result<()> {
    print_stderr(store::backup(&config.store, file, config.backup_recipients.as_ref()).await?);
    // The backup is complete without it.
    if let Err(error) = copy_beside_backup(&config.data_dir, file) {
        print_stderr(format_args!(
            "the list of deleted accounts could not be copied beside the backup: {error}"
        ));
    }
    Ok(())
}

/// Restores a backup, with the lists of deleted accounts in the data folder and in a named file.
async fn restore(
    config: &Config,
    file: &Path,
    identity: Option<&Path>,
    deleted_accounts: Option<&Path>,
) -> anyhow::Result<()> {
    let identities = identity.map(store::read_identities).transpose()?;
    let lists = DeletionSources { data_folder: Some(&config.data_dir), file: deleted_accounts };
    let to = &config.store;
    let identities = identities.as_ref();
    let restored = store::restore_with_lists(file, to, identities, lists).await?;
    print_stdout(format_args!("{restored}\n"))?;
    Ok(())
}

/// Runs a command that needs the settings but not the bot.
async fn run_with_settings(command: &CliCommand, config: &Config) -> anyhow::Result<()> {
    match command {
        // Standard output may be the backup itself.
        CliCommand::Backup { file } => back_up(config, file).await?,
        CliCommand::Restore { file, identity, deleted_accounts } => {
            restore(config, file, identity.as_deref(), deleted_accounts.as_deref()).await?
        }
        CliCommand::Check { file, identity } => {
            let identities = identity.as_deref().map(store::read_identities).transpose()?;
            let report = match file {
                Some(file) => store::check_backup(file, identities.as_ref()).await?,
                None => store::check_store(&config.store).await?,
            };
            print_stdout(format_args!("{}\n", report.to_text()))?;
            anyhow::ensure!(report.is_good(), "the check found problems");
        }
        CliCommand::Store(StoreCommand::Compact) => {
            print_stdout(format_args!("{}\n", store::compact_store(&config.store).await?))?
        }
        CliCommand::Store(StoreCommand::Salvage { from, to }) => print_stdout(format_args!(
            "{}\n",
            store::salvage(from, &StoreAddress::parse(to).with_keys(config.store.keys().cloned()))
                .await?
        ))?,
        CliCommand::Store(StoreCommand::ListDamaged) => {
            print_stdout(format_args!("{}\n", store::list_damaged(&config.store).await?))?
        }
        CliCommand::Store(StoreCommand::DeletedAccounts) => {
            print_stdout(store::deleted_accounts(config)?)?
        }
        CliCommand::Store(StoreCommand::CloseTable { table, log }) => print_stdout(format_args!(
            "{}\n",
            store::close_table_or_ask_bot(config, table, log).await?
        ))?,
        CliCommand::Store(StoreCommand::Copy { from, to }) => {
            let [from, to] = [from, to].map(|it| store::copy_address(it, config));
            print_stdout(format_args!("{}\n", store::copy_store(&from, &to).await?))?;
        }
        CliCommand::Store(StoreCommand::Encrypt) => {
            print_stdout(format_args!("{}\n", store::encrypt_store(&config.store).await?))?
        }
        CliCommand::Store(StoreCommand::Decrypt) => {
            print_stdout(format_args!("{}\n", store::decrypt_store(&config.store).await?))?
        }
        CliCommand::Admin { words } => {
            print_stdout(format_args!("{}\n", store::run_admin(config, words).await?))?
        }
        CliCommand::Results(ResultsCommand::Rebuild) => {
            print_stdout(format_args!("{}\n", store::rebuild_results_or_ask_bot(config).await?))?;
        }
        CliCommand::Health { url } => {
            let url = url.clone().or_else(|| health::health_url(config));
            health::ask_running_bot(
                &url.context("the settings say of no port where health could be asked")?,
            )
            .await?;
        }
        CliCommand::Doctor
        | CliCommand::Verify { .. }
        | CliCommand::Store(StoreCommand::NewKey { .. } | StoreCommand::NewBackupKey { .. }) => {}
    }
    Ok(())
}
