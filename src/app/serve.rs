//! The bot as a process: logs, numbers, signals, and an end that always comes.

use std::process::ExitCode;
use std::time::Duration;

use super::config::Config;
use super::logs::{self, Lossy};
use super::metrics::Metrics;
use super::run;
use super::stopping::shutdown;

/// Runs the bot until it is told to stop.
///
/// # Errors
/// When it cannot begin, or nothing is left to be served.
pub fn serve(config: Config) -> anyhow::Result<ExitCode> {
    let lines = logs::start(&config)?;
    logs::count_panics();
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let metrics = Metrics::install()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let last_words = lines.clone();
    let ended = runtime.block_on(async move {
        let (stopper, stop) = shutdown();
        let leave = move |code| leave(code, &last_words);
        let signals = tokio::spawn(async move { stopper.stop_on_signals(leave).await });
        let ended = run::run(config, Some(metrics), stop).await;
        signals.abort();
        ended
    });
    // Threads that are still busy end with the process.
    runtime.shutdown_timeout(Duration::from_millis(200));
    lines.flush_shortly();
    ended.map(|()| ExitCode::SUCCESS)
}

/// Leaves without waiting for anything but the last log lines.
fn leave(code: i32, lines: &Lossy) {
    lines.flush_shortly();
    std::process::exit(code);
}
