//! The command line of the tools.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Arena, engine protocol, learning, pictures and records of Caravanserai.
#[derive(Clone, Debug, Parser)]
#[command(version, disable_help_subcommand = true)]
pub struct ToolsCli {
    /// Which tool.
    #[command(subcommand)]
    pub command: ToolsCommand,
}

/// The tools.
#[derive(Clone, Debug, Subcommand)]
pub enum ToolsCommand {
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
    /// Let computer players play each other and measure them.
    Arena(ArenaArgs),
    /// Let other programs and boards ask our players, line by line in the manner of UCI; the line
    /// help lists what can be said.
    Engine {
        /// Which game, such as blot; the line game chooses another.
        game: Option<String>,
    },
    /// Learn anew what the computer players of a game know: weights and tables from own games.
    Learn(LearnArgs),
}

/// A match between two computer players, or a table of all levels.
///
/// Every start is played with the seats exchanged, and the interval of the score is taken between
/// starts. Without times the same command gives the same result on any machine and with any number
/// of threads; the result goes to standard output, times and progress to standard error.
#[derive(Args, Clone, Debug)]
pub struct ArenaArgs {
    /// Which game, such as togyzkumalak.
    pub game: String,
    /// The first player: beginner, easy, medium, strong, master, or a test opponent of the game;
    /// with milliseconds for each decision, else with the fixed effort of its level.
    #[arg(long, value_name = "PLAYER[:MS]")]
    pub a: Option<String>,
    /// The second player; where more than two play, it has all other seats.
    #[arg(long, value_name = "PLAYER[:MS]")]
    pub b: Option<String>,
    /// How many games (rounds of Blot, two for each deal) are played at least; with --table for
    /// each pairing.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// Openings, dice, deals and the players' own chance come from this number.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many games at a time; without it as many as there are cores.
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// How many seats; without it as many as the game has (with --table as few).
    #[arg(long, value_name = "N")]
    pub seats: Option<u8>,
    /// House rules: a variant such as seed, or name=value,...
    #[arg(long, value_name = "RULES")]
    pub options: Option<String>,
    /// Random moves at the beginning (Togyzkumalak; 6 without it).
    #[arg(long, value_name = "N")]
    pub plies: Option<u16>,
    /// Whole matches of Blot instead of single rounds.
    #[arg(long = "match")]
    pub whole: bool,
    /// Card play of Blot alone: a plain count of the hands bids for everybody.
    #[arg(long)]
    pub contract: bool,
    /// Everybody against everybody: all levels, and those of --a and --b besides.
    #[arg(long)]
    pub table: bool,
}

/// The same seed and numbers give the same file. How far it is, is told on standard error.
#[derive(Args, Clone, Debug)]
pub struct LearnArgs {
    /// Which game, such as togyzkumalak.
    pub game: String,
    /// Everything random comes from this number.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Where to put what was learned.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How much of what is learned from, such as games=1000; several times for several of them.
    /// Without it, what the file in the program was made with; a wrong name lists all.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    pub amounts: Vec<String>,
}
