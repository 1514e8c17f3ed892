//! Measures the whole path of a move on the default store: received, decided, committed durably,
//! shown. Run with `cargo bench --bench service`; three minutes.
//!
//! Floors, with 1,000 tables in play on two cores: 5,000 committed moves per second; at 500 moves
//! per second, 99 % committed within 10 ms after reception; at 80 per second, which is the most
//! that the platforms allow, 99 % of boards sent within 60 ms. The platform answers at once, so
//! "shown" is the time at which its request would be sent; the picture of the board is drawn before
//! that.
//!
//! Then 10,000 tables in play and 100,000 finished ones: a separate process starts within 3 s and
//! uses less than 250 MB, also after moves at many of them.

mod bench_bot;

use std::path::Path;
use std::time::{Duration, Instant};

use caravanserai_bot::service::BotLimits;
use caravanserai_protocol::{UpdateHandler, UpdateKind};
use caravanserai_store::{Commit, Put, Space, Store};
use caravanserai_table::archive;

use self::bench_bot::{BenchBot, TABLES, bot, quantiles, update};

const FLOOR_COMMITS_A_SECOND: f64 = 5000.0;
const FLOOR_P99: Duration = Duration::from_millis(10);
const FLOOR_SENT_P99: Duration = Duration::from_millis(60);

/// The number of tables in play, and of finished ones, for the start-up test.
const CROWD: usize = 10_000;
const FINISHED: usize = 100_000;
const FLOOR_START: Duration = Duration::from_secs(3);
const FLOOR_MB: u64 = 250;
/// The environment variable with the folder that the separate process serves.
const CROWD_FOLDER: &str = "CARAVANSERAI_BENCH_CROWD";

fn main() -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism()?;
    println!("{cores} cores, {TABLES} tables");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Some(folder) = std::env::var_os(CROWD_FOLDER) {
        return runtime.block_on(serve_folder(Path::new(&folder)));
    }
    runtime.block_on(async {
        println!("-- nothing is shown: received, decided, committed");
        let (silent_rate, silent_p99, _) = measure(false).await?;
        println!("-- boards are drawn and shown");
        let (_, p99, sent_p99) = measure(true).await?;
        let met = silent_rate >= FLOOR_COMMITS_A_SECOND && p99.max(silent_p99) < FLOOR_P99;
        println!("-- {CROWD} tables in play, {FINISHED} finished");
        let crowd = measure_start_up().await?;
        anyhow::ensure!(met && sent_p99 < FLOOR_SENT_P99 && crowd, "a floor was missed");
        Ok(())
    })
}

/// Measures the best rate of commits, the time within which 99 % were committed at 500 per second,
/// and the one within which 99 % were sent at 80 per second.
async fn measure(shown: bool) -> anyhow::Result<(f64, Duration, Duration)> {
    let bench = BenchBot::open(shown, limits()).await?;
    let mut tables = bench.seated(TABLES).await?;
    let (_, sent_p99) = bench.open_loop(&mut tables, 80).await?;
    let (p99, _) = bench.open_loop(&mut tables, 500).await?;
    bench.service.wait_until_idle().await;
    let mut best = 0.0_f64;
    for writers in [16, 64, 256] {
        best = best.max(bench.closed_loop(&mut tables, writers).await?);
    }
    bench.service.stop().await?;
    Ok((best, p99, sent_p99))
}

/// Fills a folder and serves it in a separate process; returns whether the floors were met.
async fn measure_start_up() -> anyhow::Result<bool> {
    let bench = BenchBot::open(false, limits()).await?;
    bench.seated(CROWD).await?;
    let played =
        bench.store.read_log(&bench.store.scan(Space::Head, "", None, 1).await?[0].0, 0).await?;
    let record = archive::pack(&played);
    for first in (0..FINISHED).step_by(500) {
        let id = |n: usize| format!("{n:06}");
        let rows = (first..first + 500).map(|n| Put::new(Space::Archive, id(n), record.clone()));
        bench.store.commit(Commit::from_puts(rows.collect())).await?;
    }
    bench.service.stop().await?;
    let BenchBot { service, store, folder, .. } = bench;
    drop((service, store));
    let mut command = std::process::Command::new(std::env::current_exe()?);
    Ok(command.env(CROWD_FOLDER, folder.path()).status()?.success())
}

/// Starts on the filled folder and makes moves.
async fn serve_folder(folder: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    let (service, store) = bot(folder, limits())?;
    service.start().await?;
    let started = start.elapsed();
    let started_mb = resident_mb();
    let tables = store.scan(Space::ChatTable, "", None, CROWD).await?;
    let mut times = Vec::new();
    for (key, _) in tables.iter().take(CROWD / 2) {
        let (chat, code) = key.rsplit_once(' ').unwrap_or_default();
        let group = chat.trim_start_matches("mem:-100").parse()?;
        let press = format!("p.{code}.3.7");
        let since = Instant::now();
        service
            .handle(update(group, 0, UpdateKind::Press { callback_data: press, message: None }))
            .await;
        times.push(since.elapsed());
    }
    service.wait_until_idle().await;
    let played_mb = resident_mb();
    println!("started in {started:?}, {started_mb} MB resident");
    println!("after a move at {} tables: {played_mb} MB; {}", times.len(), quantiles(&mut times));
    service.stop().await?;
    let met = started < FLOOR_START && started_mb.max(played_mb) < FLOOR_MB;
    anyhow::ensure!(met, "a floor was missed");
    Ok(())
}

/// No rate limits: the people of each group move as fast as they can.
fn limits() -> BotLimits {
    BotLimits { requests_per_minute: 0, ..BotLimits::default() }
}

/// The resident memory of this process in megabytes; 0 if the system does not report it.
fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kb = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kb.unwrap_or_default() / 1024
}
