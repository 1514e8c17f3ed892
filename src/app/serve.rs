//! Runs the bot as a process: logs, metrics, signals, and a shutdown with a time limit.

use std::process::ExitCode;
use std::time::Duration;

use super::config::Config;
use super::logs::{self, LossyLogWriter};
use super::metrics::Metrics;
use super::run;
use super::shutdown::shutdown_pair;

/// Runs the bot until a signal stops it.
///
/// # Errors
/// When it cannot start, or nothing is left to serve.
pub fn serve_until_signal(config: Config) -> anyhow::Result<ExitCode> {
    let lines = logs::start_logging(&config)?;
    logs::count_panics();
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let metrics = Metrics::install_recorder()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let last_words = lines.clone();
    let ended = runtime.block_on(async move {
        let (stopper, stop) = shutdown_pair();
        let leave = move |code| exit_process(code, &last_words);
        let signals = tokio::spawn(async move { stopper.stop_on_signals(leave).await });
        let ended = run::run_bot(config, Some(metrics), stop).await;
        signals.abort();
        ended
    });
    // Threads that are still busy end with the process.
    runtime.shutdown_timeout(Duration::from_millis(200));
    lines.flush_with_timeout();
    ended.map(|()| ExitCode::SUCCESS)
}

/// Exits; waits only for the last log lines.
fn exit_process(code: i32, lines: &LossyLogWriter) {
    lines.flush_with_timeout();
    std::process::exit(code);
}
