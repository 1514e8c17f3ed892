//! Measures committed moves per second and the time of a commit on the default store, with durable
//! writes. Run with `cargo bench --bench store`; takes about a minute. With `-- encrypted` it
//! measures, in turn, the store with and without encryption instead; takes two minutes.
//!
//! Floors: 5,000 commits per second; 99 % within 10 ms at 500 offered per second; encryption makes
//! commits at most 10 % slower.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use caravanserai_store::encrypted::key_file::StoreKeys;
use caravanserai_store::encrypted::{OpenPurpose, open_encrypted};
use caravanserai_store::sled::SledStore;
use caravanserai_store::{Append, Commit, Expect, Put, Space, Store};
use tokio::task::JoinSet;

const TABLES: u64 = 1000;
/// Number of lines of each log before the measurement.
const LINES_BEFORE: u64 = 50;
const MEASURE: Duration = Duration::from_secs(5);
const FLOOR_COMMITS_A_SECOND: f64 = 5000.0;
const FLOOR_P99: Duration = Duration::from_millis(10);
/// How often the store is measured with and without encryption.
const ROUNDS: usize = 5;
/// How much more processor time encryption may take for a commit, and so how much slower commits
/// become where processors are busy.
const SLOWER_MAX_PERCENT: f64 = 10.0;

fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    println!("4 KB + fdatasync of a plain file: {:?} at the median", plain_sync(folder.path())?);
    // Two threads for the tasks; the store's own thread shares the cores with them.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    if std::env::args().any(|it| it == "encrypted") {
        return runtime.block_on(compare_with_encryption(folder.path()));
    }
    runtime.block_on(async {
        let store: Arc<dyn Store> = Arc::new(SledStore::open(&folder.path().join("data"))?);
        fill(&store).await?;
        let fresh = open_loop(&store, 500).await?;
        open_loop(&store, 2000).await?;
        let mut best = 0.0_f64;
        for writers in [1, 8, 64, 128, 256] {
            best = best.max(closed_loop(&store, writers).await?.0);
        }
        println!("and with the hundreds of thousands of moves that this has stored:");
        let filled = open_loop(&store, 500).await?;
        let met = best >= FLOOR_COMMITS_A_SECOND && fresh.max(filled) < FLOOR_P99;
        store.close().await?;
        anyhow::ensure!(met, "a floor was missed");
        Ok(())
    })
}

/// Measures commits with and without encryption, in turn, each on a new store.
async fn compare_with_encryption(folder: &Path) -> anyhow::Result<()> {
    let key = "1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let keys = StoreKeys::parse(key)?;
    // Rates of 64 writers and, for 500 updates a second, the p99; without and with encryption.
    let mut rates: [Vec<f64>; 2] = Default::default();
    let mut costs: [Vec<f64>; 2] = Default::default();
    let mut p99s: [Vec<Duration>; 2] = Default::default();
    for round in 0..ROUNDS * 2 {
        let (at, folder) = (round % 2, folder.join(format!("round-{round}")));
        println!("{}:", ["without encryption", "encrypted"][at]);
        let store: Arc<dyn Store> = Arc::new(SledStore::open(&folder)?);
        let keys = (at == 1).then_some(&keys);
        let store = open_encrypted(store, keys, OpenPurpose::Write).await?.store;
        fill(&store).await?;
        p99s[at].push(open_loop(&store, 500).await?);
        let (rate, cost) = closed_loop(&store, 64).await?;
        rates[at].push(rate);
        costs[at].push(cost);
        store.close().await?;
    }
    for times in &mut p99s {
        times.sort();
    }
    for numbers in rates.iter_mut().chain(&mut costs) {
        numbers.sort_by(f64::total_cmp);
    }
    let [plain, encrypted] = rates.map(|rates| rates[ROUNDS / 2]);
    let [plain_cost, encrypted_cost] = costs.map(|costs| costs[ROUNDS / 2]);
    let [plain_p99, encrypted_p99] = p99s.map(|times| times[ROUNDS / 2]);
    let slower = (encrypted_cost / plain_cost - 1.0) * 100.0;
    println!(
        "medians of {ROUNDS} runs each, without encryption and with it: {plain:.0} and \
         {encrypted:.0} commits/s; p99 at 500/s {plain_p99:?} and {encrypted_p99:?}; \
         {plain_cost:.0} and {encrypted_cost:.0} µs of all processors each, {slower:.1} % more"
    );
    anyhow::ensure!(slower <= SLOWER_MAX_PERCENT, "encryption makes commits slower than allowed");
    Ok(())
}

/// The time of the disk for one small durable write.
fn plain_sync(folder: &Path) -> anyhow::Result<Duration> {
    let mut file = OpenOptions::new().create(true).append(true).open(folder.join("plain"))?;
    let mut times = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// A commit as a move makes it: one line of about 45 bytes, head of 200, seen of 60, outbox of
/// 120, and the deadline moved.
fn a_move(table: u64, length: u64) -> Commit {
    let table = format!("t{table:05}");
    let update = format!("tg/9{table}{length:06}");
    let due = |n: u64| format!("{:016x}/{table}", 1_763_720_000_000 + n * 60_000);
    let mut head = format!(r#"{{"version":{},"game":"togyzkumalak","rest":""#, length + 1);
    while head.len() < 198 {
        let _ = write!(head, "{}", length % 10);
    }
    head.push_str("\"}");
    let put = |space, key: String, value: String| Put::new(space, key, value);
    let mut puts = vec![
        put(Space::Head, table.clone(), head),
        put(Space::Seen, update.clone(), format!("{:060}", length)),
        put(Space::Outbox, format!("tg/-100{table}/0"), format!("{:0120}", length)),
        put(Space::Due, due(length + 1), "clock".into()),
    ];
    if length > 0 {
        puts.push(Put::remove(Space::Due, due(length)));
    }
    let line = format!("{length:06} 1763720000123 {update} step s1 5");
    Commit {
        expect: vec![Expect::absent(Space::Seen, update)],
        appends: vec![Append { table, expect: length, lines: vec![line] }],
        puts,
        ..Commit::default()
    }
}

async fn fill(store: &Arc<dyn Store>) -> anyhow::Result<()> {
    let mut tasks = JoinSet::new();
    for table in 0..TABLES {
        let store = Arc::clone(store);
        tasks.spawn(async move {
            for length in 0..LINES_BEFORE {
                store.commit(a_move(table, length)).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(())
}

/// Does the work of the service for one update: checks for a duplicate, reads head and log,
/// commits.
async fn one_update(store: &dyn Store, table: u64) -> anyhow::Result<()> {
    let code = format!("t{table:05}");
    anyhow::ensure!(store.get(Space::Seen, &format!("tg/new{code}")).await?.is_none());
    anyhow::ensure!(store.get(Space::Head, &code).await?.is_some());
    let length = store.read_log(&code, 0).await?.len() as u64;
    Ok(store.commit(a_move(table, length)).await?)
}

/// Measures the rate of commits of `writers`, each of whom waits for the last commit, and the
/// processor time of the process for each, in microseconds.
async fn closed_loop(store: &Arc<dyn Store>, writers: u64) -> anyhow::Result<(f64, f64)> {
    // Only the commits are timed here, so the lengths of the logs are known beforehand.
    let mut lengths = Vec::new();
    for table in 0..TABLES {
        lengths.push(store.read_log(&format!("t{table:05}"), 0).await?.len() as u64);
    }
    let (start, busy, all_busy) = (Instant::now(), writing_ns(), process_ms());
    let mut tasks = JoinSet::new();
    for writer in 0..writers {
        let store = Arc::clone(store);
        let mine = (0..TABLES).filter(|table| table % writers == writer);
        let mut tables: Vec<(u64, u64)> =
            mine.map(|table| (table, lengths[usize::try_from(table).unwrap_or(0)])).collect();
        tasks.spawn(async move {
            let mut times = Vec::new();
            while start.elapsed() < MEASURE {
                for (table, length) in &mut tables {
                    let sent = Instant::now();
                    store.commit(a_move(*table, *length)).await?;
                    *length += 1;
                    times.push(sent.elapsed());
                }
            }
            anyhow::Ok(times)
        });
    }
    let mut times = Vec::new();
    while let Some(done) = tasks.join_next().await {
        times.extend(done??);
    }
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    let busy = (writing_ns() - busy) / 1000.0 / times.len() as f64;
    let cost = (process_ms() - all_busy) * 1000.0 / times.len() as f64;
    let times = quantiles(&mut times);
    println!(
        "{writers:4} writers: {rate:7.0} commits/s, {busy:4.0} µs of the writer each, {times}"
    );
    Ok((rate, cost))
}

/// The processor time of this process, in milliseconds; it depends little on other load. 0 if the
/// system does not report it.
fn process_ms() -> f64 {
    let spent = || {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        // Fields 14 and 15, in hundredths of a second, counted after the name in brackets.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
        Some((ticks(11)? + ticks(12)?) * 10.0)
    };
    spent().unwrap_or(0.0)
}

/// The processor time of the writer thread, which depends little on other load; 0 if the system
/// does not report it.
fn writing_ns() -> f64 {
    let named = |path: &Path| {
        std::fs::read_to_string(path.join("comm")).is_ok_and(|name| name.trim() == "store")
    };
    let spent = || {
        let tasks = std::fs::read_dir("/proc/self/task").ok()?;
        let task = tasks.flatten().map(|task| task.path()).find(|path| named(path))?;
        let spent = std::fs::read_to_string(task.join("schedstat")).ok()?;
        spent.split_whitespace().next()?.parse().ok()
    };
    spent().unwrap_or(0.0)
}

/// Measures updates at fixed times, whether or not earlier ones are done: from the due time to the
/// commit, reads included.
async fn open_loop(store: &Arc<dyn Store>, offered: u64) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let late = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for n in 0.. {
        let due = start + Duration::from_nanos(n * 1_000_000_000 / offered);
        if due > start + MEASURE {
            break;
        }
        tokio::time::sleep_until(due.into()).await;
        let store = Arc::clone(store);
        let late = Arc::clone(&late);
        tasks.spawn(async move {
            if due.elapsed() > Duration::from_millis(2) {
                late.fetch_add(1, Ordering::Relaxed);
            }
            one_update(store.as_ref(), n % TABLES).await?;
            anyhow::Ok(due.elapsed())
        });
    }
    let mut times = Vec::new();
    while let Some(done) = tasks.join_next().await {
        times.push(done??);
    }
    println!(
        "{offered:4} updates/s offered, from received to committed: {} ({} of {} started > 2 ms \
         late)",
        quantiles(&mut times),
        late.load(Ordering::Relaxed),
        times.len()
    );
    Ok(times[times.len() * 99 / 100])
}

fn quantiles(times: &mut [Duration]) -> String {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 1000).min(times.len() - 1)];
    format!("p50 {:?}, p99 {:?}, p99.9 {:?}, max {:?}", at(500), at(990), at(999), at(1000))
}
