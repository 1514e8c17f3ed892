//! Kills a process that commits without pause and looks at what it leaves behind.
//!
//! The victim is this test binary again, told by an environment variable to run
//! `the_victim_commits` for real. It prints each commit once it is acknowledged.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use caravanserai_store::sled::SledStore;
use caravanserai_store::{Append, Commit, Expect, Put, Space, Store};

const FOLDER: &str = "CARAVANSERAI_CRASH_FOLDER";
const ROUND: &str = "CARAVANSERAI_CRASH_ROUND";
const WRITERS: u64 = 16;
const ROUNDS: u64 = 20;
/// Tables of one round; writers of the same number modulo this share a table.
const TABLES: u64 = 8;

/// Does nothing unless [`the_victim_loses_nothing_acknowledged`] runs it in a child process.
#[test]
fn the_victim_commits() {
    let (Ok(folder), Ok(round)) = (std::env::var(FOLDER), std::env::var(ROUND)) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let store = Arc::new(SledStore::open(Path::new(&folder)).unwrap());
        let mut tasks = tokio::task::JoinSet::new();
        for writer in 0..WRITERS {
            tasks.spawn(write_for_ever(Arc::clone(&store), format!("{round}.{writer}"), writer));
        }
        while let Some(done) = tasks.join_next().await {
            done.unwrap();
        }
    });
}

/// Adds lines to a table, each with everything that belongs to a move, until killed.
async fn write_for_ever(store: Arc<SledStore>, name: String, writer: u64) {
    let table = format!("{}.{}", name.split('.').next().unwrap(), writer % TABLES);
    for step in 0_u64.. {
        let id = format!("{name}.{step}");
        loop {
            let length = store.read_log(&table, 0).await.unwrap().len() as u64;
            match store.commit(a_move(&table, length, &id)).await {
                Ok(()) => break,
                Err(caravanserai_store::StoreError::Conflict) => {}
                Err(error) => panic!("{error}"),
            }
        }
        // A write of one line to a pipe is whole.
        let mut out = std::io::stdout().lock();
        out.write_all(format!("acknowledged {id} {table}\n").as_bytes()).unwrap();
        out.flush().unwrap();
    }
}

/// One line, the number of lines with the id as head, and two more values with the same id.
fn a_move(table: &str, length: u64, id: &str) -> Commit {
    let put = |space, key: String, value: String| Put::new(space, key, value);
    Commit {
        expect: vec![Expect::absent(Space::Seen, id)],
        appends: vec![Append { table: table.into(), expect: length, lines: vec![id.into()] }],
        puts: vec![
            put(Space::Head, table.into(), format!("{} {id}", length + 1)),
            put(Space::Seen, id.into(), format!("{table} {length}")),
            put(Space::Outbox, format!("{table}/{length}"), id.into()),
        ],
        ..Commit::default()
    }
}

#[test]
fn the_victim_loses_nothing_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged: Vec<(String, String)> = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for round in 0..ROUNDS {
        let (mut victim, lines) = start_victim(folder.path(), round);
        let mut count = 0;
        // Another number each round, without a pattern: 1 to 397.
        let enough = 1 + (round * 7919 + 31) % 397;
        for line in lines {
            // A test harness may write its own words before ours on the same line.
            let line = line.unwrap();
            let Some((_, said)) = line.split_once("acknowledged ") else { continue };
            // The last line may have been cut by the kill.
            let Some((id, table)) = said.split_once(' ') else { continue };
            if table.split('.').nth(1).is_some_and(|n| !n.is_empty()) {
                acknowledged.push((id.into(), table.into()));
            }
            count += 1;
            if count == enough {
                victim.kill().unwrap();
            }
        }
        victim.wait().unwrap();
        assert!(count >= enough, "the victim of round {round} ended after {count} commits");
        runtime.block_on(async {
            let store = SledStore::open(folder.path()).unwrap();
            check(&store, &acknowledged).await;
            store.close().await.unwrap();
        });
    }
}

fn start_victim(
    folder: &Path,
    round: u64,
) -> (Child, impl Iterator<Item = std::io::Result<String>>) {
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::the_victim_commits", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = victim.stdout.take().unwrap();
    (victim, BufReader::new(out).lines())
}

/// Everything acknowledged is there; everything that is there is whole and there once.
async fn check(store: &SledStore, acknowledged: &[(String, String)]) {
    let all = |space| async move { store.scan(space, "", None, usize::MAX).await.unwrap() };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let seen: HashMap<String, String> =
        all(Space::Seen).await.into_iter().map(|(id, at)| (id, text(at))).collect();
    for (id, table) in acknowledged {
        let at = seen.get(id).unwrap_or_else(|| panic!("{id} was acknowledged and is lost"));
        assert_eq!(at.split(' ').next().unwrap(), table);
    }
    let mut outbox = all(Space::Outbox).await.len();
    let mut ids = 0;
    for (table, head) in all(Space::Head).await {
        let log = store.read_log(&table, 0).await.unwrap();
        assert_eq!(text(head), format!("{} {}", log.len(), log.last().unwrap()), "head of {table}");
        for (n, id) in log.iter().enumerate() {
            assert_eq!(seen.get(id), Some(&format!("{table} {n}")), "{id} is doubled or torn");
            let said = store.get(Space::Outbox, &format!("{table}/{n}")).await.unwrap().unwrap();
            assert_eq!(text(said), *id);
        }
        ids += log.len();
        outbox -= log.len();
    }
    assert_eq!((ids, outbox), (seen.len(), 0), "something is there without its log line");
}
