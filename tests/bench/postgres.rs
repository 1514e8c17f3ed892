//! Measures moves per second of three replicas on one PostgreSQL, and the time from reception to
//! commit: one read of the needed rows, one commit. The server is a temporary one on this machine
//! with fsync on. Run with `cargo bench --bench postgres`; takes half a minute.
//!
//! Floors: 2,000 moves per second; 99 % within 30 ms at 300 offered per second.

#[path = "../it/postgres/cluster.rs"]
#[allow(dead_code, clippy::unwrap_used)]
mod cluster;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use caravanserai_store::postgres::{PostgresSettings, PostgresStore};
use caravanserai_store::{Append, Commit, Expect, Put, Space, Store, StoreError, StoreQuery};
use tokio::task::JoinSet;

const REPLICAS: usize = 3;
const TABLES: usize = 1000;
const MEASURE: Duration = Duration::from_secs(8);
const FLOOR_MOVES_A_SECOND: f64 = 2000.0;
const FLOOR_P99: Duration = Duration::from_millis(30);

fn main() -> anyhow::Result<()> {
    if !cluster::is_there() {
        return Ok(());
    }
    let cluster = cluster::Cluster::start(&[]);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let url = cluster.url("postgres");
        let mut stores = Vec::new();
        for _ in 0..REPLICAS {
            stores.push(Arc::new(PostgresStore::open(&url, PostgresSettings::default()).await?));
        }
        let world = Arc::new(World { stores, moves: AtomicU64::new(0) });
        measure_at_rate(&world, 300).await?;
        let mut best = 0.0_f64;
        for players in [24, 96, 192] {
            best = best.max(measure_rate(&world, players).await?);
        }
        let p99 = measure_at_rate(&world, 300).await?;
        anyhow::ensure!(best >= FLOOR_MOVES_A_SECOND && p99 < FLOOR_P99, "a floor was missed");
        Ok(())
    })
}

struct World {
    stores: Vec<Arc<PostgresStore>>,
    moves: AtomicU64,
}

impl World {
    /// Makes a move as the program does, at any replica: reads the needed rows, then commits if
    /// nothing has changed.
    async fn make_move(&self, table: usize) -> Result<(), StoreError> {
        let n = self.moves.fetch_add(1, Ordering::Relaxed);
        let store = &self.stores[usize::try_from(n).unwrap_or(0) % REPLICAS];
        let (table, update) = (format!("t{table:05}"), format!("tg/9{n:09}"));
        let chat = format!("tg:-100{table}");
        let found = store
            .read(&[
                StoreQuery::value_of(Space::Seen, update.as_str()),
                StoreQuery::length(table.as_str()),
                StoreQuery::value_of(Space::ChatProfile, chat.as_str()),
                StoreQuery::scan(Space::ChatTable, format!("{chat} "), 50),
            ])
            .await?;
        let length =
            found.into_iter().nth(1).map_or(Ok(0), caravanserai_store::StoreAnswer::length)?;
        let line = format!("{length} 1763720000000 {update} step {} 7", length % 2);
        let due = |n: u64| format!("{:016x} {table}", 1_763_720_000_000 + n * 60_000);
        store
            .commit(Commit {
                expect: vec![Expect::absent(Space::Seen, update.as_str())],
                appends: vec![Append::new(table.as_str(), length, vec![line])],
                puts: vec![
                    Put::new(Space::Seen, update.as_str(), format!("{n:060}")).expires_at(1 << 50),
                    Put::new(Space::Outbox, format!("{chat} board {table}"), format!("{n:0120}")),
                    Put::new(Space::Head, table.as_str(), format!("{n:0200}")),
                    Put::remove(Space::Due, due(length)),
                    Put::new(Space::Due, due(length + 1), "clock"),
                ],
                topics: vec![format!("place {chat}"), format!("table {table} {length}")],
                ..Commit::default()
            })
            .await
    }
}

/// Measures the rate of `players`, each of whom moves as soon as the last move is answered.
async fn measure_rate(world: &Arc<World>, players: usize) -> anyhow::Result<f64> {
    let mut tasks = JoinSet::new();
    let start = Instant::now();
    for player in 0..players {
        let world = Arc::clone(world);
        tasks.spawn(async move {
            let mut times = Vec::new();
            while start.elapsed() < MEASURE {
                let begun = Instant::now();
                let table = (player + times.len() * players) % TABLES;
                match world.make_move(table).await {
                    Ok(()) => times.push(begun.elapsed()),
                    Err(StoreError::Conflict) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(times)
        });
    }
    let times = tasks.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let times: Vec<Duration> = times.into_iter().flatten().collect();
    let a_second = times.len() as f64 / start.elapsed().as_secs_f64();
    println!("{players} players: {a_second:.0} moves/s, {}", quantiles(times).0);
    Ok(a_second)
}

/// Measures the commit time of moves at a fixed rate, whether earlier ones are answered or not.
async fn measure_at_rate(world: &Arc<World>, a_second: u32) -> anyhow::Result<Duration> {
    let mut tasks = JoinSet::new();
    let mut clock = tokio::time::interval(Duration::from_secs(1) / a_second);
    let count = a_second * u32::try_from(MEASURE.as_secs())?;
    for n in 0..count {
        clock.tick().await;
        let world = Arc::clone(world);
        let table = usize::try_from(n)? * 7 % TABLES;
        tasks.spawn(async move {
            let begun = Instant::now();
            match world.make_move(table).await {
                Ok(()) | Err(StoreError::Conflict) => Ok(begun.elapsed()),
                Err(error) => Err(error),
            }
        });
    }
    let times = tasks.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (summary, p99) = quantiles(times);
    println!("{a_second} moves/s offered: {summary}");
    Ok(p99)
}

fn quantiles(mut times: Vec<Duration>) -> (String, Duration) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    (format!("p50 {:.1?}, p99 {:.1?}, max {:.1?}", at(0.5), at(0.99), at(1.0)), at(0.99))
}
