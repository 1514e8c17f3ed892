//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Traditional board games in group chats: Telegram, Discord and a page of its own.
///
/// Without a command the bot runs; without settings it serves its built-in group chat on
/// http://127.0.0.1:8787.
#[derive(Clone, Debug, Parser)]
#[command(version, disable_help_subcommand = true)]
pub struct BotCli {
    /// Settings file; else CARAVANSERAI_CONFIG says which, else caravanserai.toml if it exists.
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// Print every setting, its value and where it is from, and stop.
    #[arg(long)]
    pub check_config: bool,

    /// Go on with what is there when the store says that something it had kept is missing.
    #[arg(long)]
    pub accept_loss: bool,

    /// What to do instead of running the bot.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// What can be done instead of running the bot.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// Recompute every chance outcome of a game's log from its published seed.
    Verify {
        /// The log.
        file: PathBuf,
    },
    /// Write everything that the store holds into a file, also while the bot runs.
    Backup {
        /// Where to put it; - is standard output.
        file: PathBuf,
    },
    /// Fill an empty store from a back-up, after all of the back-up was found good.
    Restore {
        /// The back-up.
        file: PathBuf,
    },
    /// Read everything that the store holds, play every table through, say what is wrong.
    Check {
        /// A back-up to check instead of the store.
        file: Option<PathBuf>,
    },
    /// Do something else with the store.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Look at everything a bot depends on (settings, tokens, webhook, clock, data folder, disk,
    /// ports, limits, store) and say what to do; ends with 1 if something is wrong.
    Doctor,
    /// Ask a running bot whether it is well; for container health checks.
    Health {
        /// Address of its /healthz; without it, where the settings say that it listens.
        url: Option<String>,
    },
}

/// What else can be done with a store.
#[derive(Clone, Debug, Subcommand)]
pub enum StoreCommand {
    /// Rewrite the store in the data folder, to win back the room that it takes besides what is
    /// in it. The bot must not run meanwhile.
    Compact,
    /// Save everything that is whole in a damaged data folder into an empty store, and say what is
    /// lost. Nothing is changed in the damaged folder. The bot must not run meanwhile.
    Salvage {
        /// The damaged data folder.
        from: PathBuf,
        /// Another data folder, or postgres://...
        to: String,
    },
    /// List tables that cannot be read and rows that were set aside, also while the bot runs.
    ListDamaged,
    /// Take a table that cannot be read out of the store, after its log was written to a file. With
    /// a data folder, the bot must not run meanwhile.
    CloseTable {
        /// The code of the table.
        table: String,
        /// A new file for what is left of its log.
        #[arg(long, value_name = "FILE")]
        log: PathBuf,
    },
    /// Copy everything into an empty store of any kind, while no bot runs, and compare the two.
    Copy {
        /// A data folder, or postgres://...
        from: String,
        /// A data folder, or postgres://...
        to: String,
    },
}
