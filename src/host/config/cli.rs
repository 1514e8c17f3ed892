//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

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

    /// Go on with what is there when the store says that something it had kept is missing.
    #[arg(long)]
    pub accept_loss: bool,

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
    /// Let the bot live in a simulated world that tries to break its promises.
    Sim(SimArgs),
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
    /// Write the store in the data folder anew, to win back the room that it takes besides what is
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

/// Chats, people, a disk and networks that fail, clocks that are turned, processes that are killed:
/// one seed gives one world, and the same seed the same again. Ends with a failure when a promise
/// was broken, and says which.
#[derive(Args, Clone, Debug)]
pub struct SimArgs {
    /// Which world; without it a new one, whose seed is printed.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many things happen.
    #[arg(long, value_name = "M", default_value_t = 10_000)]
    pub steps: u64,
    /// Over how many simulated days, about: then people play slow games, go on vacation, leave and
    /// come back.
    #[arg(long, value_name = "D", default_value_t = 0)]
    pub days: u64,
    /// How many processes share the store; 0 lets the seed choose one to three.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub replicas: u64,
    /// Troubles that do not happen there, to see whether a failure needs them, such as kill,clock;
    /// a wrong name tells all that there are.
    #[arg(long, value_name = "TROUBLE", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Print everything that happens on standard error.
    #[arg(long)]
    pub trace: bool,
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
