//! The program `caravanserai-sim`: plays one simulated world.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use caravanserai_sim::{NoFaults, SimFeature, SimOptions, run};
use clap::{Parser, ValueEnum};

/// Simulates chats, people, a failing disk and failing networks, changed clocks and killed
/// processes. The same seed gives the same world again. Ends with a failure when an invariant is
/// broken, and prints it.
#[derive(Clone, Debug, Parser)]
#[command(version)]
struct Cli {
    /// The seed of the world; without it a random one, which is printed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The number of steps.
    #[arg(long, value_name = "M", default_value_t = 10_000)]
    steps: u64,
    /// The approximate number of simulated days; with more than 0 people play slow games, go on
    /// vacation, leave and come back.
    #[arg(long, value_name = "D", default_value_t = 0)]
    days: u64,
    /// The number of processes that share the store; 0 lets the seed choose one to three.
    #[arg(long, value_name = "N", default_value_t = 0)]
    replicas: u64,
    /// Features to switch off, such as kill,clock, to find out whether a failure needs them; a
    /// wrong name lists all of them.
    #[arg(long, value_name = "FEATURE", value_delimiter = ',')]
    without: Vec<String>,
    /// Print the journal on standard error.
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
    let parse_feature = |it: &String| SimFeature::from_str(it, true);
    let without: Result<_, String> = cli.without.iter().map(parse_feature).collect();
    let without = without.map_err(|_| {
        let all = SimFeature::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let all: Vec<String> = all.map(|it| it.get_name().to_owned()).collect();
        anyhow::anyhow!("--without takes features of this list: {}", all.join(", "))
    })?;
    let wanted = SimOptions { seed, steps, days, replicas, without, trace };
    let report = run(&wanted, Arc::new(NoFaults))?;
    writeln!(std::io::stdout(), "{report}")?;
    anyhow::ensure!(
        report.failure.is_none(),
        "an invariant was broken in the world of seed {seed}"
    );
    Ok(ExitCode::SUCCESS)
}
