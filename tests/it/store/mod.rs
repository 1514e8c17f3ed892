//! What every store promises, and what each does besides.

#[macro_use]
pub mod contract;
mod damaged;
mod encrypted;
mod folder;
mod full;
mod rotation;
mod salvage;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use caravanserai_store::faulty::{Fault, FaultRates, FaultyStore};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::sled::SledStore;
use caravanserai_store::{Commit, Expect, Space, Store, StoreError};
use contract::{append, appends, put, puts, remove};
use proptest::prelude::*;

fn on_disk(folder: &Path) -> SledStore {
    SledStore::open(folder).unwrap()
}

fn shared(store: impl Store) -> Option<Arc<dyn Store>> {
    Some(Arc::new(store))
}

async fn in_memory(_: PathBuf) -> Option<Arc<dyn Store>> {
    shared(MemoryStore::new())
}

async fn in_a_folder(folder: PathBuf) -> Option<Arc<dyn Store>> {
    shared(on_disk(&folder))
}

async fn without_faults(_: PathBuf) -> Option<Arc<dyn Store>> {
    shared(FaultyStore::with_script(MemoryStore::new(), []))
}

async fn with_delays(_: PathBuf) -> Option<Arc<dyn Store>> {
    let rates = FaultRates { delay: 500, ..FaultRates::default() };
    shared(FaultyStore::with_seed(MemoryStore::new(), 7, rates))
}

async fn in_a_database(_: PathBuf) -> Option<Arc<dyn Store>> {
    crate::postgres::empty().await
}

async fn encrypted_in_memory(folder: PathBuf) -> Option<Arc<dyn Store>> {
    Some(encrypted::with_key(in_memory(folder).await?).await)
}

async fn encrypted_in_a_folder(folder: PathBuf) -> Option<Arc<dyn Store>> {
    Some(encrypted::with_key(in_a_folder(folder).await?).await)
}

async fn encrypted_in_a_database(folder: PathBuf) -> Option<Arc<dyn Store>> {
    Some(encrypted::with_key(in_a_database(folder).await?).await)
}

contract! {
    memory: in_memory;
    sled: in_a_folder;
    faulty_without_faults: without_faults;
    delayed: with_delays;
    postgres: in_a_database;
    encrypted_memory: encrypted_in_memory;
    encrypted_sled: encrypted_in_a_folder;
    encrypted_postgres: encrypted_in_a_database;
}

#[tokio::test]
async fn faults_come_as_written_in_the_script() {
    let faults = [Fault::Conflict, Fault::Fail, Fault::AnswerLost, Fault::Delay(3)];
    let store = FaultyStore::with_script(MemoryStore::new(), faults);
    let step = |n| appends(vec![append("t", n, &["x"])]);
    assert!(matches!(store.commit(step(0)).await, Err(StoreError::Conflict)));
    assert!(matches!(store.commit(step(0)).await, Err(StoreError::Failed(_))));
    assert!(store.read_log("t", 0).await.unwrap().is_empty());
    assert!(matches!(store.commit(step(0)).await, Err(StoreError::Failed(_))));
    assert_eq!(store.inner().read_log("t", 0).await.unwrap().len(), 1);
    store.commit(step(1)).await.unwrap();
    store.commit(step(2)).await.unwrap();
}

#[tokio::test]
async fn the_same_seed_gives_the_same_faults() {
    let run = async |seed| {
        let rates = FaultRates { conflict: 200, fail: 200, answer_lost: 200, delay: 200 };
        let store = FaultyStore::with_seed(MemoryStore::new(), seed, rates);
        let mut outcomes = Vec::new();
        for n in 0..200 {
            let commit = puts(vec![put(Space::Head, &format!("{n}"), "x")]);
            outcomes.push(store.commit(commit).await.map_err(|error| error.to_string()));
        }
        outcomes
    };
    assert_eq!(run(1).await, run(1).await);
    assert_ne!(run(1).await, run(2).await);
    assert!((60..200).contains(&run(1).await.iter().filter(|outcome| outcome.is_ok()).count()));
}

#[tokio::test]
async fn reopening_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..30_u64 {
        let store = on_disk(folder.path());
        assert_eq!(store.read_log("t", 0).await.unwrap().len() as u64, round);
        let mut commit = appends(vec![append("t", round, &[&round.to_string()])]);
        commit.puts = vec![put(Space::Head, "t", &round.to_string())];
        commit.puts.push(put(Space::Board, &format!("{round}"), &"x".repeat(90_000)));
        store.commit(commit).await.unwrap();
        assert_eq!(store.scan(Space::Board, "", None, 99).await.unwrap().len() as u64, round + 1);
        // Closing and simply letting go are both fine.
        if round % 2 == 0 {
            store.close().await.unwrap();
        }
    }
}

#[test]
fn a_second_opening_gets_one_clear_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let _first = on_disk(folder.path());
    let error = SledStore::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("in use by another process"), "{error}");
}

#[test]
fn a_newer_format_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let raw = || ::sled::Config::new().path(folder.path().join("base-1")).open().unwrap();
    drop(on_disk(folder.path()));
    assert_eq!(raw().get("!format").unwrap().unwrap(), b"2");
    raw().insert("!format", "3").unwrap();
    let error = SledStore::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("written by a newer program (format 3"), "{error}");
}

#[test]
fn a_file_in_place_of_the_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    std::fs::write(&path, "").unwrap();
    let error = SledStore::open(&path).err().unwrap().to_string();
    assert!(error.contains("cannot be used"), "{error}");
}

#[derive(Clone, Debug)]
enum Op {
    Put(u8, u8),
    Remove(u8),
    Append(u8, u8),
    Absent(u8, u8),
    Scan(u8, u8, u8),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        (0..40_u8, any::<u8>()).prop_map(|(key, value)| Op::Put(key, value)),
        (0..40_u8).prop_map(Op::Remove),
        (0..3_u8, 0..4_u8).prop_map(|(table, lines)| Op::Append(table, lines)),
        (0..40_u8, any::<u8>()).prop_map(|(key, value)| Op::Absent(key, value)),
        (0..40_u8, 0..40_u8, 0..9_u8).prop_map(|(a, b, c)| Op::Scan(a, b, c)),
    ]
}

/// Runs the operations and writes down everything that can be seen.
async fn run(store: &dyn Store, ops: &[Op]) -> Vec<String> {
    let mut seen = Vec::new();
    let key = |n: u8| format!("{n:03o}");
    for op in ops {
        let commit = match op.clone() {
            Op::Put(at, value) => puts(vec![put(Space::Due, &key(at), &value.to_string())]),
            Op::Remove(at) => puts(vec![remove(Space::Due, &key(at))]),
            Op::Append(table, lines) => {
                let lines = vec!["line"; lines.into()];
                appends(vec![append(&key(table), u64::from(table) * 2, &lines)])
            }
            Op::Absent(at, value) => Commit {
                expect: vec![Expect::absent(Space::Due, key(at))],
                ..puts(vec![put(Space::Due, &key(at), &value.to_string())])
            },
            Op::Scan(prefix, after, limit) => {
                let (prefix, after) = (key(prefix), key(after));
                let found = store.scan(Space::Due, &prefix[..2], Some(&after), limit.into()).await;
                seen.push(format!("{found:?}"));
                continue;
            }
        };
        seen.push(format!("{:?}", store.commit(commit).await));
    }
    for table in 0..3 {
        seen.push(format!("{:?}", store.read_log(&key(table), 1).await));
    }
    seen.push(format!("{:?}", store.scan(Space::Due, "", None, 100).await));
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn sled_and_memory_behave_alike(ops in prop::collection::vec(op(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let expected = run(&MemoryStore::new(), &ops).await;
            assert_eq!(run(&on_disk(folder.path()), &ops).await, expected);
        });
    }
}
