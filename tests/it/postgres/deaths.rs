//! The server dies under load, or its machine does and a standby takes over: nothing that was
//! acknowledged is missing, and nothing is there twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use caravanserai_store::postgres::PostgresStore;
use caravanserai_store::{Append, Commit, Expect, Put, Space, Store, StoreError};
use tokio::task::JoinSet;

use super::cluster::{self, Cluster};
use super::open;

const REPLICAS: usize = 3;
const WRITERS: usize = 24;
const TABLES: usize = 8;

/// What writers share.
struct Play {
    stores: Vec<PostgresStore>,
    done: AtomicBool,
    acknowledged: AtomicUsize,
    uncertain: AtomicUsize,
}

/// What became of one update.
enum Fate {
    Written,
    /// The caller could not find out in time: it may be there or not.
    Unknown,
}

impl Play {
    async fn open(url: &str) -> Arc<Play> {
        let mut stores = Vec::new();
        for _ in 0..REPLICAS {
            stores.push(open(url).await);
        }
        let (done, acknowledged, uncertain) = Default::default();
        Arc::new(Play { stores, done, acknowledged, uncertain })
    }

    /// One update as the program handles it: decide on what is there, and after a failure look
    /// whether it happened before trying again.
    async fn one(&self, writer: usize, step: usize) -> Fate {
        let store = &self.stores[writer % REPLICAS];
        let (table, id) = (format!("t{}", (writer + step) % TABLES), format!("{writer}/{step}"));
        let mut tries = 0;
        loop {
            tries += 1;
            let seen = match store.get(Space::Seen, &id).await {
                Ok(seen) => seen,
                Err(_) if tries > 400 => return Fate::Unknown,
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            if seen.is_some() {
                return Fate::Written;
            }
            let Ok(length) = store.log_length(&table).await else { continue };
            let commit = Commit {
                expect: vec![Expect::absent(Space::Seen, id.as_str())],
                appends: vec![Append::new(table.as_str(), length, vec![id.clone()])],
                puts: vec![Put::new(Space::Seen, id.as_str(), length.to_string())],
                topics: vec![format!("table {table} {length}")],
                ..Commit::default()
            };
            match store.commit(commit).await {
                Ok(()) => return Fate::Written,
                Err(StoreError::Conflict) => {}
                Err(StoreError::Failed(_)) => {
                    self.uncertain.fetch_add(1, Ordering::Relaxed);
                }
                Err(error @ StoreError::Damaged(_)) => panic!("{error}"),
            }
        }
    }

    /// Writes until it is enough; gives back what each writer knows of its updates.
    fn start(self: &Arc<Play>) -> JoinSet<Vec<(String, Fate)>> {
        let mut tasks = JoinSet::new();
        for writer in 0..WRITERS {
            let play = Arc::clone(self);
            tasks.spawn(async move {
                let mut fates = Vec::new();
                for step in 0.. {
                    if play.done.load(Ordering::Relaxed) {
                        break;
                    }
                    fates.push((format!("{writer}/{step}"), play.one(writer, step).await));
                    play.acknowledged.fetch_add(1, Ordering::Relaxed);
                }
                fates
            });
        }
        tasks
    }

    async fn until_acknowledged(&self, more: usize) {
        let goal = self.acknowledged.load(Ordering::Relaxed) + more;
        while self.acknowledged.load(Ordering::Relaxed) < goal {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Compares what writers know with what is there.
    async fn check(&self, tasks: JoinSet<Vec<(String, Fate)>>) {
        self.done.store(true, Ordering::Relaxed);
        let fates: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        let store = &self.stores[0];
        let mut lines = Vec::new();
        for table in 0..TABLES {
            for (n, id) in store.read_log(&format!("t{table}"), 0).await.unwrap().iter().enumerate()
            {
                let seen = store.get(Space::Seen, id).await.unwrap().unwrap();
                assert_eq!(seen, n.to_string().into_bytes(), "{id}");
                lines.push(id.clone());
            }
        }
        lines.sort();
        let all = lines.len();
        lines.dedup();
        assert_eq!(lines.len(), all, "something is there twice");
        for (id, fate) in &fates {
            match fate {
                Fate::Written => assert!(lines.binary_search(id).is_ok(), "{id} is lost"),
                Fate::Unknown => panic!("{id}: the store did not come back"),
            }
        }
        let uncertain = self.uncertain.load(Ordering::Relaxed);
        println!("{} acknowledged, {uncertain} answers lost on the way", fates.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_is_killed_under_load_loses_nothing() {
    if !cluster::is_there() {
        return;
    }
    let mut cluster = tokio::task::spawn_blocking(|| Cluster::start(&[])).await.unwrap();
    let play = Play::open(&cluster.url("postgres")).await;
    let tasks = play.start();
    let kills = if std::env::var_os("RUN_SLOW_TESTS").is_some() { 10 } else { 2 };
    for _ in 0..kills {
        play.until_acknowledged(300).await;
        cluster = tokio::task::spawn_blocking(move || {
            cluster.kill();
            cluster.run();
            cluster
        })
        .await
        .unwrap();
    }
    play.until_acknowledged(300).await;
    play.check(tasks).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_takes_over_has_everything() {
    if !cluster::is_there() {
        return;
    }
    let (mut primary, standby) = tokio::task::spawn_blocking(|| {
        let primary = Cluster::start(&[]);
        let standby = primary.standby(&[]);
        (primary, standby)
    })
    .await
    .unwrap();
    let direct = primary.url("postgres");
    cluster::ask(&direct, "ALTER SYSTEM SET synchronous_standby_names = '*'").await;
    cluster::ask(&direct, "SELECT pg_reload_conf()").await;
    let ask = "SELECT sync_state FROM pg_stat_replication";
    while cluster::first_word(&cluster::ask(&direct, ask).await).as_deref() != Some("sync") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let both = format!("postgres://caravanserai@{},{}/postgres", primary.host(), standby.host());
    let play = Play::open(&both).await;
    let tasks = play.start();
    play.until_acknowledged(500).await;
    let _standby = tokio::task::spawn_blocking(move || {
        primary.kill();
        standby.promote();
        standby
    })
    .await
    .unwrap();
    play.until_acknowledged(500).await;
    play.check(tasks).await;
}
