//! The program `caravanserai-sim`: plays one simulated world.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use caravanserai_sim::{Plain, Trouble, Wanted, run};
use clap::{Parser, ValueEnum};

/// Chats, people, a disk and networks that fail, clocks that are turned, processes that are killed:
/// one seed gives one world, and the same seed the same again. Ends with a failure when a promise
/// was broken, and says which.
#[derive(Clone, Debug, Parser)]
#[command(version)]
struct Cli {
    /// Which world; without it a new one, whose seed is printed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many things happen.
    #[arg(long, value_name = "M", default_value_t = 10_000)]
    steps: u64,
    /// Over how many simulated days, about: then people play slow games, go on vacation, leave and
    /// come back.
    #[arg(long, value_name = "D", default_value_t = 0)]
    days: u64,
    /// How many processes share the store; 0 lets the seed choose one to three.
    #[arg(long, value_name = "N", default_value_t = 0)]
    replicas: u64,
    /// Troubles that do not happen there, to see whether a failure needs them, such as kill,clock;
    /// a wrong name tells all that there are.
    #[arg(long, value_name = "TROUBLE", value_delimiter = ',')]
    without: Vec<String>,
    /// Print everything that happens on standard error.
    #[arg(long)]
    trace: bool,
}

fn main() -> ExitCode {
    play(&Cli::parse()).unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "caravanserai-sim: {error:#}");
        ExitCode::FAILURE
    })
}

fn play(cli: &Cli) -> anyhow::Result<ExitCode> {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = cli.seed.unwrap_or_else(|| now().as_millis() as u64);
    let Cli { steps, days, replicas, trace, .. } = *cli;
    let named = |it: &String| Trouble::from_str(it, true);
    let without: Result<_, String> = cli.without.iter().map(named).collect();
    let without = without.map_err(|_| {
        let all = Trouble::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let all: Vec<String> = all.map(|it| it.get_name().to_owned()).collect();
        anyhow::anyhow!("--without takes troubles of this list: {}", all.join(", "))
    })?;
    let wanted = Wanted { seed, steps, days, replicas, without, trace };
    let report = run(&wanted, Arc::new(Plain))?;
    writeln!(std::io::stdout(), "{report}")?;
    anyhow::ensure!(report.failure.is_none(), "a promise was broken in the world of seed {seed}");
    Ok(ExitCode::SUCCESS)
}
