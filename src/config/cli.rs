//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Traditional board games in group chats: Telegram, Discord and a page of its own.
///
/// Without a command the bot runs; without settings it serves its built-in group chat on
/// http://127.0.0.1:8787.
#[derive(Clone, Debug, Parser)]
#[command(version, disable_help_subcommand = true)]
pub struct Cli {
    /// Settings file; else CARAVANSERAI_CONFIG says which, else caravanserai.toml if it exists.
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// Print every setting, its value and where it is from, and stop.
    #[arg(long)]
    pub check_config: bool,

    /// What to do instead of running the bot.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be done instead of running the bot.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Print every position of a recorded game, or the line that is wrong.
    Replay {
        /// Which game, such as togyzkumalak.
        game: String,
        /// The record.
        file: PathBuf,
        /// Variant to read it as, if the record does not say.
        #[arg(long)]
        variant: Option<String>,
    },
    /// Count the ways to play; the last line is the count.
    Perft {
        /// Which game, such as togyzkumalak.
        game: String,
        /// How many moves deep.
        #[arg(long, value_name = "N")]
        depth: u32,
        /// Variant of the rules.
        #[arg(long)]
        variant: Option<String>,
        /// Where to begin; without it, at the start of the game.
        #[arg(long, value_name = "TEXT")]
        position: Option<String>,
    },
    /// Draw a recorded game: its last position, any other, all of it as an animation, or a chart.
    Render {
        /// Which game, such as togyzkumalak.
        game: String,
        /// The record.
        file: PathBuf,
        /// Where to put the picture: PNG, or GIF with --gif.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The position after N moves (turns of Thaayam, bids and tricks of Blot); with --gif, up
        /// to there.
        #[arg(long, value_name = "N")]
        at: Option<usize>,
        /// Looks of the board.
        #[arg(long, value_name = "NAME")]
        theme: Option<String>,
        /// As this player saw it: a seat from 1, or a name of the record.
        #[arg(long = "for", value_name = "SEAT")]
        viewer: Option<String>,
        /// The whole game as an animation.
        #[arg(long)]
        gif: bool,
        /// The score over the game instead of the board.
        #[arg(long, conflicts_with_all = ["gif", "at", "viewer"])]
        chart: bool,
        /// Width of the picture in pixels.
        #[arg(long, value_name = "PIXELS")]
        width: Option<u32>,
        /// House rules to read it by, if the record does not say: a variant such as seed, or
        /// name=value,...
        #[arg(long, value_name = "RULES")]
        variant: Option<String>,
    },
    /// Recompute every chance outcome of a game's log from its published seed.
    Verify {
        /// The log.
        file: PathBuf,
    },
    /// Ask a running bot whether it is well; for container health checks.
    Health {
        /// Address of its /healthz; without it, where the settings say that it listens.
        url: Option<String>,
    },
}
