//! Defines the command line of `caravanserai-tools`. The doc comments are its help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::arena::sequential_test::SequentialTest;

/// Arena, benchmark, engine protocol, learning, solving, pictures, records and a sample month of
/// Caravanserai.
#[derive(Clone, Debug, Parser)]
#[command(version, disable_help_subcommand = true)]
pub struct ToolsCli {
    /// The tool to run.
    #[command(subcommand)]
    pub command: ToolsCommand,
}

/// The tools.
#[derive(Clone, Debug, Subcommand)]
pub enum ToolsCommand {
    /// Print every position of a recorded game, or the line that is wrong.
    Replay {
        /// The game, such as togyzkumalak.
        game: String,
        /// The record.
        file: PathBuf,
        /// Variant of the record, if the record does not name it.
        #[arg(long)]
        variant: Option<String>,
    },
    /// Count the ways to play; the last line is the count.
    Perft {
        /// The game, such as togyzkumalak.
        game: String,
        /// The depth in moves.
        #[arg(long, value_name = "N")]
        depth: u32,
        /// Variant of the rules.
        #[arg(long)]
        variant: Option<String>,
        /// The first position; by default the start of the game.
        #[arg(long, value_name = "TEXT")]
        position: Option<String>,
    },
    /// Draw a recorded game: its last position, any other, all of it as an animation, or a chart.
    Render {
        /// The game, such as togyzkumalak.
        game: String,
        /// The record.
        file: PathBuf,
        /// The picture to write: PNG, or GIF with --gif.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The position after N moves (turns of Thaayam, bids and tricks of Blot); with --gif, up
        /// to there.
        #[arg(long, value_name = "N")]
        at: Option<usize>,
        /// Theme of the board.
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
    /// Write the deals or test positions by which other programs can be measured, answers of our
    /// players, or the score of answers.
    Benchmark(BenchmarkArgs),
    /// Offer the computer players to other programs and boards, by a line protocol like UCI; the
    /// line help lists all lines.
    Engine {
        /// The game, such as blot; the line game chooses another.
        game: Option<String>,
    },
    /// Regenerate the knowledge of a game's computer players: weights and tables from self-play.
    Learn(LearnArgs),
    /// Solve positions of a game exactly, and go on after an interruption.
    Solve(SolveArgs),
    /// Play a month of a group of eight people and write a page about their ratings.
    Month(MonthArgs),
    /// List translations whose English text has changed since they were checked.
    Translations {
        /// The folder of the languages.
        #[arg(long, value_name = "FOLDER", default_value = "templates")]
        folder: PathBuf,
        /// Note that the translations into these languages were checked, such as ru,kk.
        #[arg(long, value_name = "LANGUAGES", value_delimiter = ',')]
        checked: Vec<String>,
        /// The keys that were checked; by default all of the language.
        #[arg(requires = "checked")]
        keys: Vec<String>,
    },
}

/// A match between two computer players, or a table of all levels.
///
/// Every start is played with the seats exchanged, and the interval of the score is taken between
/// starts. Without times the same command gives the same result on any machine and with any number
/// of threads; the result goes to standard output, times and progress to standard error.
#[derive(Args, Clone, Debug)]
pub struct ArenaArgs {
    /// The game, such as togyzkumalak.
    pub game: String,
    /// The first player: beginner, easy, medium, strong, master, or a test opponent of the game;
    /// with milliseconds or positions (4000n) for each decision, else with the fixed effort of its
    /// level; or solved:FILE, by a file of the tool solve.
    #[arg(long, value_name = "PLAYER[:MS]")]
    pub a: Option<String>,
    /// The second player; where more than two play, it has all other seats.
    #[arg(long, value_name = "PLAYER[:MS]")]
    pub b: Option<String>,
    /// The least number of games to play (rounds of Blot, two for each deal); with --table for each
    /// pairing.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// The seed of openings, dice, deals and the players' own randomness.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Stop as soon as the games decide between two Elo differences of --a, such as 0:50, wrong in
    /// 5 % of all cases (a sequential probability ratio test); --games is then the most.
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["ratings", "play_quality", "openings", "table"])]
    pub sprt: Option<SequentialTest>,
    /// Games played at the same time; by default the number of cores.
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// The number of seats; by default the most of the game (with --table the fewest).
    #[arg(long, value_name = "N")]
    pub seats: Option<u8>,
    /// House rules: a variant such as seed, or name=value,...
    #[arg(long, value_name = "RULES")]
    pub options: Option<String>,
    /// Random moves at the beginning (Togyzkumalak; 6 by default).
    #[arg(long, value_name = "N")]
    pub plies: Option<u16>,
    /// Whole matches of Blot instead of single rounds.
    #[arg(long = "match")]
    pub whole: bool,
    /// Card play of Blot alone: a simple count of the hands bids for all players.
    #[arg(long)]
    pub contract: bool,
    /// Play all pairings: of all levels, and of --a and --b besides.
    #[arg(long)]
    pub table: bool,
    /// Play all pairings of the levels in each rating list of the game, and print the file with
    /// their fixed ratings: neighbouring levels meet in --games games, others in a quarter of them.
    #[arg(
        long,
        conflicts_with_all = ["table", "a", "b", "seats", "options", "plies", "whole", "contract"]
    )]
    pub ratings: bool,
    /// With --ratings: instead of --games for pairings with master, which thinks longest.
    #[arg(long, value_name = "N", requires = "ratings")]
    pub master_games: Option<u64>,
    /// Let all seats be of one level, for each level in --games games, judge all decisions, and
    /// print the file with what they cost.
    #[arg(
        long,
        conflicts_with_all = [
            "ratings", "table", "a", "b", "seats", "options", "plies", "whole", "contract"
        ]
    )]
    pub play_quality: bool,
    /// Play --games games after each first move, the player --a against itself (by default
    /// strong), and print the file with their results. The next --plies moves (12 by
    /// default) are drawn, good ones more often. For games of two without dice and hidden cards.
    #[arg(
        long,
        conflicts_with_all = [
            "ratings", "play_quality", "table", "b", "seats", "whole", "contract"
        ]
    )]
    pub openings: bool,
}

/// Without --player and --score, prints the entries of the benchmark: the same on every machine.
#[derive(Args, Clone, Debug)]
pub struct BenchmarkArgs {
    /// The game, such as blot.
    pub game: String,
    /// Only the first N entries.
    #[arg(long, value_name = "N")]
    pub first: Option<u32>,
    /// Print the answers of this player: a level, or a test opponent of the game.
    #[arg(long, value_name = "PLAYER", conflicts_with = "score")]
    pub player: Option<String>,
    /// With --player, its opponent in deals; by default master.
    #[arg(long, value_name = "PLAYER", requires = "player")]
    pub against: Option<String>,
    /// Print the score of the answers in this file.
    #[arg(long, value_name = "FILE")]
    pub score: Option<PathBuf>,
}

/// The same seed and numbers give the same file. Progress is printed on standard error.
#[derive(Args, Clone, Debug)]
pub struct LearnArgs {
    /// The game, such as togyzkumalak.
    pub game: String,
    /// The seed of all randomness.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// An amount of training data, such as games=1000; may be repeated. By default the amounts that
    /// the built-in file was made with; a wrong name lists all.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    pub amounts: Vec<String>,
}

/// The same amounts give the same file, with any number of threads and interruptions. Progress is
/// printed on standard error. The player solved:FILE of the arena uses the file.
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    /// The game, such as thaayam.
    pub game: String,
    /// The file to write. Until it is complete, FILE.checkpoint has the state, and the same command
    /// goes on from there.
    #[arg(long, value_name = "FILE")]
    pub file: PathBuf,
    /// An amount that chooses what is solved, such as pieces=2; may be repeated. A wrong name lists
    /// all.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    pub amounts: Vec<String>,
    /// Rows that are computed at the same time; by default the number of cores.
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// The iteration ends when no value has changed by more than this, or by rounding, in a sweep.
    #[arg(long, value_name = "CHANGE", default_value_t = 1e-6)]
    pub tolerance: f32,
    /// The iteration ends after this many sweeps at the latest.
    #[arg(long, value_name = "N")]
    pub sweeps: Option<u32>,
    /// Minutes between checkpoints; with 0 every batch of rows is stored.
    #[arg(long, value_name = "MINUTES", default_value_t = 10)]
    pub checkpoint_minutes: u64,
    /// A finished file of the same positions to start from: with fewer throws that count, sweeps
    /// are faster, and fewer of the slow ones are needed after them.
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Also compute a bound of the error of all values: takes about as long again, and as much
    /// memory.
    #[arg(long)]
    pub bound: bool,
    /// Also let the levels and a test opponent choose in games between perfect players, and print
    /// what they lose.
    #[arg(long)]
    pub compare: bool,
}

/// The same numbers give the same files. Progress is printed on standard error.
#[derive(Args, Clone, Debug)]
pub struct MonthArgs {
    /// The number of games.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub games: u32,
    /// The seed of the plan, of dice and deals, and of the players' own randomness.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The folder for the page and its pictures.
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
}
