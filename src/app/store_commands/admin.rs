//! `caravanserai admin …`: has the running bot run a command of an operator, or runs it on a store.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::existing::open_existing;
#[cfg(unix)]
use crate::admin_socket;
use crate::config::Config;
use crate::event_format::refuse_newer_events;
use crate::run::{operator_settings, system_randomness};
use caravanserai_bot::admin::{
    AdminActor, AdminCommand, OperatorCommands, USAGE, parse_admin_command,
};
use caravanserai_bot::repository::{BotLimits, DAY_MS, Repository, SystemClock};
#[cfg(unix)]
use caravanserai_store::private_socket::is_too_long;
use caravanserai_store::sled::SledOptions;
use caravanserai_store::{OpenError, Store};

/// Runs a command of an operator, given as words behind `admin`, and returns the answer.
///
/// The bot that runs on the data folder runs it, as if it were given in a private chat. Without
/// one, the store is opened here: a database may be used by bots elsewhere meanwhile, which follow
/// at once; a data folder belongs to one process.
///
/// # Errors
/// When the words are no command, or the command is refused or fails; without a running bot also
/// when another process has the folder, or the store is not the one that the data folder names or
/// is of a newer program.
pub async fn run_admin(config: &Config, words: &[String]) -> anyhow::Result<String> {
    let words = words.join(" ");
    let command = parse_admin_command(&words).map_err(anyhow::Error::msg)?;
    if command == AdminCommand::Help {
        return Ok(USAGE.to_owned());
    }
    if let Some(answer) = ask_running_bot(config, &words).await? {
        return Ok(answer);
    }
    let store = open(config).await?;
    refuse_newer_events(store.as_ref()).await?;
    let limits =
        BotLimits { archive_after_ms: config.archive_after_days * DAY_MS, ..BotLimits::default() };
    let clock = Arc::new(SystemClock);
    let randomness = system_randomness();
    let repository = Arc::new(Repository::new(store.clone(), clock, randomness, limits));
    let commands = OperatorCommands::for_store(repository, operator_settings(config));
    let reply = commands.run(command, &AdminActor::command_line()).await;
    store.close().await?;
    let reply = reply?;
    let said = reply.lines.join("\n");
    if !reply.is_done() {
        bail!(said);
    }
    Ok(said)
}

/// The answer of the bot that runs on the data folder to these words behind `admin`; `None` if none
/// runs.
///
/// # Errors
/// When the command is refused or fails there, or the bot does not answer.
#[cfg(unix)]
pub(super) async fn ask_running_bot(
    config: &Config,
    words: &str,
) -> anyhow::Result<Option<String>> {
    let Some(bot) = admin_socket::connect(config).await? else { return Ok(None) };
    Ok(Some(bot.run_admin(words).await?.join("\n")))
}

/// On other systems, a running bot takes commands in a private chat only.
#[cfg(not(unix))]
pub(super) async fn ask_running_bot(_: &Config, _: &str) -> anyhow::Result<Option<String>> {
    Ok(None)
}

/// Opens the store, and says what to do if the bot has it.
async fn open(config: &Config) -> anyhow::Result<Arc<dyn Store>> {
    let address = &config.store;
    let opened = open_existing(address, Some(&config.data_dir), SledOptions::default()).await;
    let failure = opened.as_ref().err().and_then(|it| it.downcast_ref::<OpenError>());
    let is_in_use = matches!(failure, Some(OpenError::InUse(_)));
    let opened = opened.with_context(|| {
        match address.folder().filter(|_| is_in_use).map(silence_reason) {
            Some(why) => format!("the store cannot be opened, and {why}"),
            None => "the store cannot be opened".to_owned(),
        }
    })?;
    Ok(opened.store)
}

/// Why no bot has answered that may have this folder, and what to do.
fn silence_reason(folder: &Path) -> String {
    let instead = "write /admin to it in a private chat instead";
    #[cfg(unix)]
    {
        let socket = admin_socket::socket_path(folder);
        if is_too_long(&socket) {
            return format!(
                "no bot can take commands at {}, as the path is too long: choose a shorter \
                 DATA_DIR; while the bot runs, {instead}",
                socket.display()
            );
        }
        format!(
            "no bot takes commands at {}: if one is just starting or stopping, try again in a \
             moment; if it is of an earlier version, {instead}",
            socket.display()
        )
    }
    #[cfg(not(unix))]
    {
        format!("while the bot runs on {}, {instead}", folder.display())
    }
}
