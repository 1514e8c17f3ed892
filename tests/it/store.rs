//! The contract of a store: the same tests on every one.

use std::path::Path;
use std::sync::Arc;

use caravanserai::store::faulty::{Fault, FaultyStore, Rates};
use caravanserai::store::memory::MemoryStore;
use caravanserai::store::sled::SledStore;
use caravanserai::store::{Append, Commit, Put, Space, Store, StoreError};
use proptest::prelude::*;
use tokio::task::JoinSet;

fn append(table: &str, expect: u64, lines: &[&str]) -> Append {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    Append { table: table.into(), expect, lines }
}

fn put(space: Space, key: &str, value: &str) -> Put {
    Put { space, key: key.into(), value: Some(value.into()) }
}

fn remove(space: Space, key: &str) -> Put {
    Put { space, key: key.into(), value: None }
}

fn puts(puts: Vec<Put>) -> Commit {
    Commit { puts, ..Commit::default() }
}

fn appends(appends: Vec<Append>) -> Commit {
    Commit { appends, ..Commit::default() }
}

async fn keys(store: &dyn Store, prefix: &str, after: Option<&str>, limit: usize) -> Vec<String> {
    let pairs = store.scan(Space::Due, prefix, after, limit).await.unwrap();
    pairs.into_iter().map(|(key, _)| key).collect()
}

async fn a_commit_is_whole_or_nothing(store: &dyn Store) {
    let mut first = appends(vec![append("t1", 0, &["opened"])]);
    first.puts = vec![put(Space::Head, "t1", "{}"), put(Space::Seen, "tg/1", "ok")];
    store.commit(first).await.unwrap();
    assert_eq!(store.log("t1", 0).await.unwrap(), ["opened"]);

    let mut second = appends(vec![append("t2", 0, &["opened"]), append("t1", 2, &["moved"])]);
    second.puts = vec![put(Space::Head, "t1", "new"), remove(Space::Seen, "tg/1")];
    assert!(matches!(store.commit(second).await, Err(StoreError::Conflict)));
    assert_eq!(store.log("t1", 0).await.unwrap(), ["opened"]);
    assert!(store.log("t2", 0).await.unwrap().is_empty());
    assert_eq!(store.get(Space::Head, "t1").await.unwrap().unwrap(), b"{}");
    assert!(store.get(Space::Seen, "tg/1").await.unwrap().is_some());
}

async fn a_key_that_must_be_absent_refuses_the_second(store: &dyn Store) {
    let seen = |value| Commit {
        absent: vec![(Space::Seen, "tg/7".into())],
        puts: vec![put(Space::Seen, "tg/7", value)],
        ..Commit::default()
    };
    store.commit(seen("first")).await.unwrap();
    assert!(matches!(store.commit(seen("second")).await, Err(StoreError::Conflict)));
    assert_eq!(store.get(Space::Seen, "tg/7").await.unwrap().unwrap(), b"first");
    store.commit(puts(vec![remove(Space::Seen, "tg/7")])).await.unwrap();
    store.commit(seen("third")).await.unwrap();
    // The same key in another space is another key.
    assert!(store.get(Space::Head, "tg/7").await.unwrap().is_none());
}

async fn puts_apply_in_order(store: &dyn Store) {
    let order = vec![
        put(Space::Place, "a", "1"),
        put(Space::Place, "a", "2"),
        put(Space::Place, "b", "1"),
        remove(Space::Place, "b"),
        remove(Space::Place, "c"),
        put(Space::Place, "c", ""),
    ];
    store.commit(puts(order)).await.unwrap();
    assert_eq!(store.get(Space::Place, "a").await.unwrap().unwrap(), b"2");
    assert_eq!(store.get(Space::Place, "b").await.unwrap(), None);
    assert_eq!(store.get(Space::Place, "c").await.unwrap().unwrap(), b"");
}

async fn logs_grow_and_are_read_from_any_line(store: &dyn Store) {
    let lines: Vec<String> = (0..300).map(|n| format!("line {n} ә")).collect();
    for (n, line) in lines.iter().enumerate() {
        store.commit(appends(vec![append("t", n as u64, &[line])])).await.unwrap();
    }
    store.commit(appends(vec![append("t2", 0, &["other"])])).await.unwrap();
    store.commit(appends(vec![append("t", 300, &["x", "y"])])).await.unwrap();
    assert_eq!(store.log("t", 0).await.unwrap().len(), 302);
    assert_eq!(store.log("t", 298).await.unwrap(), ["line 298 ә", "line 299 ә", "x", "y"]);
    assert!(store.log("t", 302).await.unwrap().is_empty());
    assert!(store.log("t", u64::MAX).await.unwrap().is_empty());
    assert!(store.log("nobody", 0).await.unwrap().is_empty());
    // Only what the log has counts, also for a commit without lines.
    assert!(store.commit(appends(vec![append("t", 302, &[])])).await.is_ok());
    assert!(store.commit(appends(vec![append("t", 300, &[])])).await.is_err());
}

async fn a_scan_is_ordered_and_bounded(store: &dyn Store) {
    let all = ["a", "a/1", "a/2", "a/3", "a0", "b", "ә/1", "ә/2"];
    let mut order: Vec<Put> = all.iter().rev().map(|key| put(Space::Due, key, "")).collect();
    order.push(put(Space::Outbox, "a/1", "other space"));
    store.commit(puts(order)).await.unwrap();
    assert_eq!(keys(store, "", None, 100).await, all);
    assert_eq!(keys(store, "a/", None, 100).await, ["a/1", "a/2", "a/3"]);
    assert_eq!(keys(store, "a/", None, 2).await, ["a/1", "a/2"]);
    assert_eq!(keys(store, "a/", Some("a/2"), 100).await, ["a/3"]);
    assert_eq!(keys(store, "a/", Some("a/3"), 100).await, [""; 0]);
    assert_eq!(keys(store, "a/", Some("A"), 100).await, ["a/1", "a/2", "a/3"]);
    assert_eq!(keys(store, "a/", Some("b"), 100).await, [""; 0]);
    assert_eq!(keys(store, "", Some("a/2"), 3).await, ["a/3", "a0", "b"]);
    assert_eq!(keys(store, "ә", None, 100).await, ["ә/1", "ә/2"]);
    assert_eq!(keys(store, "", None, 0).await, [""; 0]);
    store.commit(puts(vec![remove(Space::Due, "a/2")])).await.unwrap();
    assert_eq!(keys(store, "a/", Some("a/2"), 100).await, ["a/3"]);
}

async fn nonsense_is_refused(store: &dyn Store) {
    let long = "k".repeat(513);
    let nonsense = [
        puts(vec![put(Space::Head, "", "x")]),
        puts(vec![put(Space::Head, &long, "x")]),
        Commit { absent: vec![(Space::Head, String::new())], ..Commit::default() },
        appends(vec![append("t", 0, &["two\nlines"])]),
        appends(vec![append("t\0u", 0, &["x"])]),
        appends(vec![append("t", 0, &["x"]), append("t", 1, &["y"])]),
    ];
    for commit in nonsense {
        let refused = store.commit(commit.clone()).await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{commit:?}");
    }
    store.commit(puts(vec![put(Space::Head, &long[..512], "x")])).await.unwrap();
    assert!(store.log("t", 0).await.unwrap().is_empty());
}

async fn of_many_at_once_exactly_one_wins(store: Arc<dyn Store>) {
    for round in 0..20 {
        let mut tasks = JoinSet::new();
        for n in 0..32 {
            let store = Arc::clone(&store);
            tasks.spawn(async move {
                let mut commit = appends(vec![append("t", round, &[&format!("by {n}")])]);
                commit.puts = vec![put(Space::Head, "t", &format!("by {n}"))];
                (n, store.commit(commit).await)
            });
        }
        let mut winners = Vec::new();
        while let Some(done) = tasks.join_next().await {
            match done.unwrap() {
                (n, Ok(())) => winners.push(n),
                (_, Err(StoreError::Conflict)) => {}
                (_, Err(error)) => panic!("{error}"),
            }
        }
        let [winner] = winners[..] else { panic!("winners of round {round}: {winners:?}") };
        assert_eq!(store.log("t", round).await.unwrap(), [format!("by {winner}")]);
        let head = store.get(Space::Head, "t").await.unwrap().unwrap();
        assert_eq!(head, format!("by {winner}").into_bytes());
    }
}

/// Writers each add to a shared log until their own line is in, as the service does.
async fn many_writers_lose_nothing(store: Arc<dyn Store>) {
    let mut tasks = JoinSet::new();
    for writer in 0..40 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let shared = format!("t{}", writer % 4);
            for step in 0..10 {
                let id = format!("{writer}/{step}");
                loop {
                    let n = store.log(&shared, 0).await.unwrap().len() as u64;
                    let mut commit = appends(vec![append(&shared, n, &[&id])]);
                    commit.absent = vec![(Space::Seen, id.clone())];
                    commit.puts = vec![put(Space::Seen, &id, &n.to_string())];
                    match store.commit(commit).await {
                        Ok(()) => break,
                        Err(StoreError::Conflict) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    for table in 0..4 {
        let log = store.log(&format!("t{table}"), 0).await.unwrap();
        assert_eq!(log.len(), 100);
        for (n, id) in log.iter().enumerate() {
            let seen = store.get(Space::Seen, id).await.unwrap().unwrap();
            assert_eq!(seen, n.to_string().into_bytes());
        }
    }
}

async fn a_closed_store_refuses(store: Arc<dyn Store>) {
    store.commit(puts(vec![put(Space::Head, "t", "x")])).await.unwrap();
    store.close().await.unwrap();
    let later = store.commit(puts(vec![put(Space::Head, "t", "y")])).await;
    assert!(matches!(later, Err(StoreError::Failed(_))));
    assert!(store.get(Space::Head, "t").await.is_err());
}

macro_rules! contract {
    ($($kind:ident: $open:expr;)*) => {$(
        mod $kind {
            use super::*;

            contract!(@borrowed $open;
                a_commit_is_whole_or_nothing,
                a_key_that_must_be_absent_refuses_the_second,
                puts_apply_in_order,
                logs_grow_and_are_read_from_any_line,
                a_scan_is_ordered_and_bounded,
                nonsense_is_refused);
            contract!(@shared $open;
                of_many_at_once_exactly_one_wins,
                many_writers_lose_nothing,
                a_closed_store_refuses);
        }
    )*};
    (@borrowed $open:expr; $($name:ident),*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let folder = tempfile::tempdir().unwrap();
            super::$name(&$open(folder.path())).await;
        }
    )*};
    (@shared $open:expr; $($name:ident),*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let folder = tempfile::tempdir().unwrap();
            super::$name(Arc::new($open(folder.path()))).await;
        }
    )*};
}

fn on_disk(folder: &Path) -> SledStore {
    SledStore::open(folder).unwrap()
}

contract! {
    memory: |_: &Path| MemoryStore::new();
    sled: on_disk;
    faulty_without_faults: |_: &Path| FaultyStore::scripted(MemoryStore::new(), []);
    delayed: |_: &Path| {
        let rates = Rates { delay: 500, ..Rates::default() };
        FaultyStore::seeded(MemoryStore::new(), 7, rates)
    };
}

#[tokio::test]
async fn faults_come_as_written_in_the_script() {
    let faults = [Fault::Conflict, Fault::Fail, Fault::AnswerLost, Fault::Delay(3)];
    let store = FaultyStore::scripted(MemoryStore::new(), faults);
    let step = |n| appends(vec![append("t", n, &["x"])]);
    assert!(matches!(store.commit(step(0)).await, Err(StoreError::Conflict)));
    assert!(matches!(store.commit(step(0)).await, Err(StoreError::Failed(_))));
    assert!(store.log("t", 0).await.unwrap().is_empty());
    assert!(matches!(store.commit(step(0)).await, Err(StoreError::Failed(_))));
    assert_eq!(store.inner().log("t", 0).await.unwrap().len(), 1);
    store.commit(step(1)).await.unwrap();
    store.commit(step(2)).await.unwrap();
}

#[tokio::test]
async fn the_same_seed_gives_the_same_faults() {
    let run = async |seed| {
        let rates = Rates { conflict: 200, fail: 200, answer_lost: 200, delay: 200 };
        let store = FaultyStore::seeded(MemoryStore::new(), seed, rates);
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
        assert_eq!(store.log("t", 0).await.unwrap().len() as u64, round);
        let mut commit = appends(vec![append("t", round, &[&round.to_string()])]);
        commit.puts = vec![put(Space::Head, "t", &round.to_string())];
        commit.puts.push(put(Space::Board, &format!("{round}"), &"x".repeat(300_000)));
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

#[tokio::test]
async fn a_newer_format_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    assert_eq!(store.get(Space::Meta, "store/format").await.unwrap().unwrap(), b"1");
    store.commit(puts(vec![put(Space::Meta, "store/format", "2")])).await.unwrap();
    store.close().await.unwrap();
    let error = SledStore::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("written by a newer program (format 2"), "{error}");
}

#[test]
fn a_file_in_place_of_the_folder_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    std::fs::write(&path, "").unwrap();
    let error = SledStore::open(&path).err().unwrap().to_string();
    assert!(error.contains("cannot be used"), "{error}");
}

/// The folder of long values is taken away, so that the next flush cannot go through.
#[tokio::test]
async fn after_a_failed_flush_nothing_is_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    store.commit(appends(vec![append("t", 0, &["kept"])])).await.unwrap();
    std::fs::remove_dir_all(folder.path().join("blobs")).unwrap();
    let failed = store.commit(appends(vec![append("t", 1, &["lost"])])).await;
    assert!(matches!(failed, Err(StoreError::Failed(_))));
    std::fs::create_dir(folder.path().join("blobs")).unwrap();
    let error = store.commit(appends(vec![append("t2", 0, &["x"])])).await.unwrap_err();
    assert!(error.to_string().contains("nothing more is stored"), "{error}");
    // Readers never see what was not acknowledged.
    assert_eq!(store.log("t", 0).await.unwrap(), ["kept"]);
    assert!(store.close().await.is_err());
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
                absent: vec![(Space::Due, key(at))],
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
        seen.push(format!("{:?}", store.log(&key(table), 1).await));
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
