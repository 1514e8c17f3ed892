//! `caravanserai admin …`: runs the commands of operators on a store.

use std::sync::Arc;

use anyhow::{Context, bail};

use crate::config::Config;
use crate::event_format::refuse_newer_events;
use crate::run::{operator_settings, system_randomness};
use crate::store_identity::refuse_other_store;
use caravanserai_bot::admin::{
    AdminActor, AdminCommand, OperatorCommands, USAGE, parse_admin_command,
};
use caravanserai_bot::repository::{BotLimits, DAY_MS, Repository, SystemClock};
use caravanserai_store::Store;
use caravanserai_store::sled::SledOptions;
use caravanserai_store::store_address::StoreAddress;

/// Runs a command of an operator, given as words behind `admin`, and returns the answer.
///
/// A database may be used by running bots meanwhile: they follow at once. A data folder belongs to
/// one process, so the bot must not run.
///
/// # Errors
/// When the words are no command, another process has the folder, the store is not the one that
/// the data folder names or is of a newer program, or the store fails.
pub async fn run_admin(config: &Config, words: &[String]) -> anyhow::Result<String> {
    let command = parse_admin_command(&words.join(" ")).map_err(anyhow::Error::msg)?;
    if command == AdminCommand::Help {
        return Ok(USAGE.to_owned());
    }
    let store = open(&config.store).await?;
    refuse_other_store(&config.data_dir, &config.store, store.as_ref()).await?;
    refuse_newer_events(store.as_ref()).await?;
    let limits =
        BotLimits { archive_after_ms: config.archive_after_days * DAY_MS, ..BotLimits::default() };
    let (clock, randomness) = (Arc::new(SystemClock), system_randomness());
    let repository = Arc::new(Repository::new(store.clone(), clock, randomness, limits));
    let commands = OperatorCommands::for_store(repository, operator_settings(config));
    let reply = commands.run(command, &AdminActor::command_line()).await;
    store.close().await?;
    Ok(reply?.lines.join("\n"))
}

/// Opens the store, and says what to do if the bot has it.
async fn open(address: &StoreAddress) -> anyhow::Result<Arc<dyn Store>> {
    if let Some(folder) = address.folder()
        && !folder.join("store").is_dir()
    {
        bail!("{} holds no store", folder.display());
    }
    let opened = address.open_complete(SledOptions::default()).await;
    opened.context(
        "the store cannot be opened; while the bot runs on a data folder, write /admin to it in a \
         private chat instead",
    )
}
