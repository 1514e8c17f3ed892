//! Defines the command line of `caravanserai`. The doc comments are its help texts.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Traditional board games in group chats: Telegram, Discord and a page of its own.
///
/// Without a command the bot runs; without settings it serves its built-in group chat on
/// http://127.0.0.1:8787.
#[derive(Clone, Debug, Parser)]
#[command(version, disable_help_subcommand = true)]
pub struct BotCli {
    /// Settings file; otherwise CARAVANSERAI_CONFIG names it, otherwise caravanserai.toml if it
    /// exists.
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// Print every setting with its value and source, and exit.
    #[arg(long)]
    pub check_config: bool,

    /// Start with the remaining data if the store reports that data which it had confirmed as saved
    /// is missing.
    #[arg(long)]
    pub accept_loss: bool,

    /// The command to run instead of the bot.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// Commands that run instead of the bot.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// Recompute the lot, the dice and the deals of a finished game from the seed in its record.
    Verify {
        /// The game record, as `/record` gives it.
        file: PathBuf,
    },
    /// Write everything in the store to a file, also while the bot runs; encrypted, if
    /// BACKUP_RECIPIENTS is set.
    Backup {
        /// The file to write; - is standard output.
        file: PathBuf,
    },
    /// Fill an empty store from a backup, after verifying the whole backup.
    Restore {
        /// The backup.
        file: PathBuf,
        /// File with the identity that opens an encrypted backup, which is then required to be
        /// encrypted; - is standard input.
        #[arg(long, value_name = "FILE")]
        identity: Option<PathBuf>,
        /// File with a list of deleted accounts, as `store deleted-accounts` writes it: deletions
        /// after the backup are repeated. The lists in the data folder and beside the backup count
        /// without it.
        #[arg(long, value_name = "FILE")]
        deleted_accounts: Option<PathBuf>,
    },
    /// Read everything in the store, replay every table, and list the problems.
    Check {
        /// A backup to check instead of the store.
        file: Option<PathBuf>,
        /// File with the identity that opens an encrypted backup, which is then required to be
        /// encrypted; - is standard input.
        #[arg(long, value_name = "FILE", requires = "file")]
        identity: Option<PathBuf>,
    },
    /// More commands for the store.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Commands of the operator: status, table, freeze, unfreeze, close, repair, quarantine, ban,
    /// unban, bans, delete, keep, hide-name, show-name, hidden-names, message, drain, results, log,
    /// reports; without any, they are listed. The running bot does them; without one, they are done
    /// on the store.
    Admin {
        /// The command and its words, as behind /admin.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Ratings, statistics and histories.
    #[command(subcommand)]
    Results(ResultsCommand),
    /// Check everything a bot depends on (settings, tokens, webhook, clock, data folder, disk,
    /// ports, limits, store) and advise what to do; exits with 1 if something is wrong.
    Doctor,
    /// Ask a running bot whether it is healthy; for container health checks.
    Health {
        /// URL of its /healthz; by default the address in the settings.
        url: Option<String>,
    },
}

/// Commands for what is computed from finished games.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ResultsCommand {
    /// Compute all ratings, lists and histories again from the logs and records of finished games.
    /// A bot that runs on the data folder does so in the background.
    Rebuild,
}

/// More commands for a store.
#[derive(Clone, Debug, Subcommand)]
pub enum StoreCommand {
    /// Rewrite the store in the data folder to reclaim the space that it uses beyond its contents.
    /// The bot must not run meanwhile.
    Compact,
    /// Save all valid data of a damaged data folder into an empty store, and list what is lost. The
    /// damaged folder is not changed. The bot must not run meanwhile.
    Salvage {
        /// The damaged data folder.
        from: PathBuf,
        /// Another data folder, or postgres://...
        to: String,
    },
    /// List unreadable tables and quarantined rows, also while the bot runs.
    ListDamaged,
    /// Write the list of deleted accounts to standard output, also while the bot runs: `restore
    /// --deleted-accounts` reads it.
    DeletedAccounts,
    /// Remove an unreadable table from the store, after writing its log to a file, also while the
    /// bot runs.
    CloseTable {
        /// The code of the table.
        table: String,
        /// A new file for the rest of its log.
        #[arg(long, value_name = "FILE")]
        log: PathBuf,
    },
    /// Make a key file for the encryption of the store, or add a new key to one. The new key is in
    /// use when the bot starts again.
    NewKey {
        /// The key file; it must be outside the data folder.
        file: PathBuf,
        /// Add a key that only opens values, for several replicas: when all of them have it, its
        /// line is moved to the end of the file.
        #[arg(long)]
        standby: bool,
    },
    /// Make an identity that opens encrypted backups, and print its public key for
    /// BACKUP_RECIPIENTS. Keep the file away from the bot.
    NewBackupKey {
        /// The new identity file; the program `age` reads it, too.
        file: PathBuf,
    },
    /// Encrypt everything in the store with the current key. A running bot does the same itself;
    /// with a data folder, it must not run meanwhile.
    Encrypt,
    /// Store everything without encryption again. With a data folder, the bot must not run
    /// meanwhile; with a database, the key files of all bots must end with the line `plain`.
    Decrypt,
    /// Copy everything into an empty store of any kind, while no bot runs, and compare the two.
    Copy {
        /// A data folder, postgres://..., or STORE for the store of the settings.
        from: String,
        /// A data folder, postgres://..., or STORE for the store of the settings.
        to: String,
    },
}
