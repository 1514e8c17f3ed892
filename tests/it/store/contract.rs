//! The contract of a store: the same tests on every one. [`contract!`] runs them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use caravanserai_store::{
    Append, Commit, Expect, Put, Rewrite, Space, Store, StoreAnswer, StoreChange, StoreError,
    StoreHealth, StoreQuery, next_change,
};
use tokio::task::JoinSet;

pub fn append(table: &str, expect: u64, lines: &[&str]) -> Append {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    Append { table: table.into(), expect, lines }
}

fn rewrite(table: &str, line: &str) -> Rewrite {
    Rewrite { table: table.into(), lines: vec![line.into()] }
}

pub fn put(space: Space, key: &str, value: &str) -> Put {
    Put::new(space, key, value)
}

pub fn remove(space: Space, key: &str) -> Put {
    Put::remove(space, key)
}

pub fn puts(puts: Vec<Put>) -> Commit {
    Commit::from_puts(puts)
}

pub fn appends(appends: Vec<Append>) -> Commit {
    Commit { appends, ..Commit::default() }
}

async fn keys(
    store: &Arc<dyn Store>,
    prefix: &str,
    after: Option<&str>,
    limit: usize,
) -> Vec<String> {
    let pairs = store.scan(Space::Due, prefix, after, limit).await.unwrap();
    pairs.into_iter().map(|(key, _)| key).collect()
}

pub async fn a_commit_is_whole_or_nothing(store: Arc<dyn Store>) {
    let mut first = appends(vec![append("t1", 0, &["opened"])]);
    first.puts = vec![put(Space::Head, "t1", "{}"), put(Space::Seen, "tg/1", "ok")];
    store.commit(first).await.unwrap();
    assert_eq!(store.read_log("t1", 0).await.unwrap(), ["opened"]);

    let mut second = appends(vec![append("t2", 0, &["opened"]), append("t1", 2, &["moved"])]);
    second.puts = vec![put(Space::Head, "t1", "new"), remove(Space::Seen, "tg/1")];
    assert!(matches!(store.commit(second).await, Err(StoreError::Conflict)));
    assert_eq!(store.read_log("t1", 0).await.unwrap(), ["opened"]);
    assert!(store.read_log("t2", 0).await.unwrap().is_empty());
    assert_eq!(store.get(Space::Head, "t1").await.unwrap().unwrap(), b"{}");
    assert!(store.get(Space::Seen, "tg/1").await.unwrap().is_some());
}

pub async fn a_key_that_must_be_absent_refuses_the_second(store: Arc<dyn Store>) {
    let seen = |value| Commit {
        expect: vec![Expect::absent(Space::Seen, "tg/7")],
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

pub async fn a_key_must_hold_what_is_expected(store: Arc<dyn Store>) {
    let swap = |from: &str, to: &str| Commit {
        expect: vec![Expect::equals(Space::Person, "p", from)],
        ..puts(vec![put(Space::Person, "p", to)])
    };
    assert!(matches!(store.commit(swap("", "x")).await, Err(StoreError::Conflict)));
    store.commit(puts(vec![put(Space::Person, "p", "1")])).await.unwrap();
    store.commit(swap("1", "2")).await.unwrap();
    assert!(matches!(store.commit(swap("1", "3")).await, Err(StoreError::Conflict)));
    assert_eq!(store.get(Space::Person, "p").await.unwrap().unwrap(), b"2");
    let long = "long ".repeat(10_000);
    store.commit(swap("2", &long)).await.unwrap();
    assert!(matches!(store.commit(swap(&long[1..], "4")).await, Err(StoreError::Conflict)));
    store.commit(swap(&long, "4")).await.unwrap();
}

/// Values up to the longest that is allowed come back as they were, and can become short again.
pub async fn long_values_are_kept_whole(store: Arc<dyn Store>) {
    let value = |length: usize| -> Vec<u8> { (0..length).map(|n| (n % 251) as u8).collect() };
    for length in [96 * 1024, 1, 4096, 4097, 0, 70_000, 8192, 12_289, 5] {
        let long = Put::new(Space::Webchat, "a", value(length));
        store.commit(puts(vec![long, put(Space::Webchat, "b", "next")])).await.unwrap();
        assert_eq!(store.get(Space::Webchat, "a").await.unwrap().unwrap(), value(length));
        let all = store.scan(Space::Webchat, "", None, 9).await.unwrap();
        assert_eq!(all, [("a".into(), value(length)), ("b".into(), b"next".to_vec())]);
    }
    let line = "ә".repeat(32 * 1024);
    store.commit(appends(vec![append("t", 0, &[&line, "short"])])).await.unwrap();
    assert_eq!(store.read_log("t", 0).await.unwrap(), [line, "short".into()]);
}

pub async fn queries_of_one_call_are_answered_in_order(store: Arc<dyn Store>) {
    let mut first = appends(vec![append("t", 0, &["a", "b"])]);
    first.puts = vec![put(Space::Head, "t", "head"), put(Space::Due, "1", "x")];
    store.commit(first).await.unwrap();
    let found = store
        .read(&[
            StoreQuery::length("t"),
            StoreQuery::value_of(Space::Head, "t"),
            StoreQuery::log("t", 1),
            StoreQuery::scan(Space::Due, "", 5),
            StoreQuery::value_of(Space::Head, "u"),
            StoreQuery::length("u"),
        ])
        .await
        .unwrap();
    let expected = [
        StoreAnswer::Length(2),
        StoreAnswer::Value(Some(b"head".to_vec())),
        StoreAnswer::Lines(vec!["b".into()]),
        StoreAnswer::Rows(vec![("1".into(), b"x".to_vec())]),
        StoreAnswer::Value(None),
        StoreAnswer::Length(0),
    ];
    assert_eq!(found, expected);
    assert!(store.read(&[]).await.unwrap().is_empty());
}

/// A writer changes several things at once, readers never see some of them new and some old.
pub async fn queries_of_one_call_see_one_moment(store: Arc<dyn Store>) {
    let writer = {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for n in 0..100_u64 {
                let mut commit = appends(vec![append("t", n, &["x"])]);
                let n = (n + 1).to_string();
                commit.puts = vec![put(Space::Head, "t", &n), put(Space::Due, &n, "")];
                store.commit(commit).await.unwrap();
            }
        })
    };
    let asked = [
        StoreQuery::length("t"),
        StoreQuery::value_of(Space::Head, "t"),
        StoreQuery::scan(Space::Due, "", 1000),
        StoreQuery::log("t", 0),
    ];
    loop {
        let done = writer.is_finished();
        let [length, head, due, log] = store.read(&asked).await.unwrap().try_into().unwrap();
        let length = length.length().unwrap();
        let head =
            head.value().unwrap().map_or(0, |n| String::from_utf8(n).unwrap().parse().unwrap());
        let due = due.rows().unwrap().len() as u64;
        assert_eq!((length, length), (head, due));
        assert_eq!(log.lines().unwrap().len() as u64, length);
        if done {
            assert_eq!(length, 100);
            break;
        }
        tokio::task::yield_now().await;
    }
}

pub async fn rows_with_a_lifetime_are_swept_when_it_is_over(store: Arc<dyn Store>) {
    let keep = |key: &str, until_ms| put(Space::Keep, key, key).expires_at(until_ms);
    // As early as possible, so that all rows are seen, also those with a short lifetime.
    store.set_clock(Arc::new(|| 0));
    let left = async || {
        let rows = store.scan(Space::Keep, "", None, 99).await.unwrap();
        rows.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    let first = vec![keep("a", 10), keep("b", 20), keep("c", 30), put(Space::Keep, "d", "")];
    store.commit(puts(first)).await.unwrap();
    assert_eq!(store.remove_expired(9, 99).await.unwrap(), 0);
    assert_eq!(left().await, ["a", "b", "c", "d"]);
    // A later put gives another lifetime, or none.
    let second = vec![keep("a", 40), put(Space::Keep, "b", "stays"), keep("d", 20)];
    store.commit(puts(second)).await.unwrap();
    assert_eq!(store.remove_expired(20, 99).await.unwrap(), 1);
    assert_eq!(left().await, ["a", "b", "c"]);
    assert_eq!(store.remove_expired(100, 1).await.unwrap(), 1);
    assert_eq!(left().await, ["a", "b"]);
    store.commit(puts(vec![remove(Space::Keep, "a")])).await.unwrap();
    assert_eq!(store.remove_expired(u64::MAX, 99).await.unwrap(), 0);
    assert_eq!(left().await, ["b"]);
    // As many as there are, each once, also when all end at the same time.
    let many = (0..50).map(|n| keep(&format!("m{n:02}"), 7)).collect();
    store.commit(puts(many)).await.unwrap();
    assert_eq!(store.remove_expired(7, 20).await.unwrap(), 20);
    assert_eq!(store.remove_expired(7, 20).await.unwrap(), 20);
    assert_eq!(store.remove_expired(7, 20).await.unwrap(), 10);
    assert_eq!(store.remove_expired(7, 20).await.unwrap(), 0);
    assert_eq!(left().await, ["b"]);
}

/// Nobody waits for the sweeping: what is over is not there for reading, expecting and claiming.
pub async fn expired_rows_are_absent(store: Arc<dyn Store>) {
    let now = Arc::new(AtomicU64::new(9));
    let clock = Arc::clone(&now);
    store.set_clock(Arc::new(move || clock.load(Ordering::Relaxed)));
    let keep = |key: &str, until_ms| put(Space::Keep, key, key).expires_at(until_ms);
    let long = put(Space::Keep, "d", &"long ".repeat(10_000)).expires_at(20);
    let rows = vec![keep("a", 10), keep("b", 20), put(Space::Keep, "c", "stays"), long];
    store.commit(puts(rows)).await.unwrap();
    let there = async || {
        let rows = store.scan(Space::Keep, "", None, 2).await.unwrap();
        rows.into_iter().map(|(key, _)| key).collect::<Vec<_>>().concat()
    };
    let swap = |key: &str, was: Option<&str>| Commit {
        expect: vec![Expect {
            space: Space::Keep,
            key: key.into(),
            value: was.map(|it| it.as_bytes().to_vec()),
        }],
        ..puts(vec![keep(key, 30)])
    };
    assert_eq!(there().await, "ab");
    assert!(matches!(store.commit(swap("a", None)).await, Err(StoreError::Conflict)));
    now.store(10, Ordering::Relaxed);
    assert_eq!(there().await, "bc", "what is over does not count to the limit");
    assert_eq!(store.get(Space::Keep, "a").await.unwrap(), None);
    assert!(store.get(Space::Keep, "b").await.unwrap().is_some());
    assert!(matches!(store.commit(swap("a", Some("a"))).await, Err(StoreError::Conflict)));
    store.commit(swap("a", None)).await.unwrap();
    assert_eq!(store.get(Space::Keep, "a").await.unwrap().unwrap(), b"a");
    now.store(20, Ordering::Relaxed);
    assert_eq!(there().await, "ac");
    assert_eq!(store.get(Space::Keep, "d").await.unwrap(), None);
    let claimed = store.claim_rows(Space::Keep, "d", "one", 1_000, 9).await.unwrap();
    let claimed: Vec<_> = claimed.into_iter().map(|(key, _)| key).collect();
    assert_eq!(claimed, ["a", "c"]);
    // They still cost room until they are swept.
    assert_eq!(store.remove_expired(20, 99).await.unwrap(), 2);
}

pub async fn whole_logs_can_be_removed(store: Arc<dyn Store>) {
    store.commit(appends(vec![append("t", 0, &["a", "b"])])).await.unwrap();
    store.commit(appends(vec![append("t2", 0, &["other"])])).await.unwrap();
    let packed = |length| Commit {
        drops: vec!["t".into()],
        puts: vec![put(Space::Archive, "t", "packed")],
        ..appends(vec![append("t", length, &[])])
    };
    assert!(matches!(store.commit(packed(1)).await, Err(StoreError::Conflict)));
    assert_eq!(store.read_log("t", 0).await.unwrap(), ["a", "b"]);
    store.commit(packed(2)).await.unwrap();
    assert!(store.read_log("t", 0).await.unwrap().is_empty());
    assert_eq!(store.log_length("t").await.unwrap(), 0);
    assert_eq!(store.read_log("t2", 0).await.unwrap(), ["other"]);
    // A table of the same name may begin again; what does not exist can be removed too.
    let gone = Commit { drops: vec!["nobody".into()], ..appends(vec![append("t", 0, &["new"])]) };
    store.commit(gone).await.unwrap();
    assert_eq!(store.read_log("t", 0).await.unwrap(), ["new"]);
}

pub async fn whole_logs_can_be_rewritten(store: Arc<dyn Store>) {
    let long = "long ".repeat(5_000);
    store.commit(appends(vec![append("t", 0, &["a", &long, "c"])])).await.unwrap();
    store.commit(appends(vec![append("t2", 0, &["other"])])).await.unwrap();
    let other = |lines: &[&str]| Commit {
        rewrites: vec![Rewrite {
            table: "t".into(),
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        }],
        ..puts(vec![put(Space::Head, "t", "rewritten")])
    };
    // Another length than the log has is a conflict, and nothing of the commit is applied.
    for lines in [&["A"; 2], &["A"; 4][..], &[]] {
        assert!(matches!(store.commit(other(lines)).await, Err(StoreError::Conflict)));
    }
    assert_eq!(store.read_log("t", 0).await.unwrap(), ["a", &long, "c"]);
    assert_eq!(store.get(Space::Head, "t").await.unwrap(), None);
    store.commit(other(&["A", "B", &long])).await.unwrap();
    assert_eq!(store.read_log("t", 0).await.unwrap(), ["A", "B", &long]);
    assert_eq!(store.get(Space::Head, "t").await.unwrap().unwrap(), b"rewritten");
    assert_eq!(store.read_log("t2", 0).await.unwrap(), ["other"]);
    store.commit(appends(vec![append("t", 3, &["D"])])).await.unwrap();
    assert_eq!(store.read_log("t", 2).await.unwrap(), [&long, "D"]);
}

pub async fn a_name_is_held_by_one_owner(store: Arc<dyn Store>) {
    const LONG: u64 = 1_000_000;
    assert!(store.try_lease("shard 0", "one", LONG).await.unwrap());
    assert!(!store.try_lease("shard 0", "two", LONG).await.unwrap());
    assert!(store.try_lease("shard 1", "two", LONG).await.unwrap());
    assert!(store.try_lease("shard 0", "one", LONG).await.unwrap());
    // Only the holder can let go.
    store.release_lease("shard 0", "two").await.unwrap();
    assert_eq!(store.lease_holder("shard 0").await.unwrap().as_deref(), Some("one"));
    assert!(!store.try_lease("shard 0", "two", LONG).await.unwrap());
    store.release_lease("shard 0", "one").await.unwrap();
    assert!(store.try_lease("shard 0", "two", LONG).await.unwrap());
    // A lease of no time has run out at once.
    assert!(store.try_lease("shard 2", "one", 0).await.unwrap());
    assert_eq!(store.lease_holder("shard 2").await.unwrap(), None);
    assert_eq!(store.lease_holder("shard 3").await.unwrap(), None);
    assert!(store.try_lease("shard 2", "two", LONG).await.unwrap());
}

pub async fn a_claimed_row_is_nobody_elses(store: Arc<dyn Store>) {
    const LONG: u64 = 1_000_000;
    let claim = async |upto: &str, owner: &str, for_ms, limit| {
        let rows = store.claim_rows(Space::Due, upto, owner, for_ms, limit).await.unwrap();
        rows.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    let rows = ["1 a", "2 b", "3 c", "9 z"].map(|key| put(Space::Due, key, "what"));
    store.commit(puts(rows.into())).await.unwrap();
    store.commit(puts(vec![put(Space::Outbox, "1 a", "other space")])).await.unwrap();
    assert_eq!(claim("2", "one", LONG, 9).await, ["1 a"]);
    assert_eq!(claim("3 c", "two", LONG, 1).await, ["2 b"]);
    assert_eq!(claim("3 c", "three", LONG, 9).await, ["3 c"]);
    assert_eq!(claim("3 c", "four", LONG, 9).await, [""; 0]);
    // Their holder gets them again.
    assert_eq!(claim("3 c", "one", LONG, 9).await, ["1 a"]);
    // Changing a row does not let go of it, removing it does.
    store.commit(puts(vec![put(Space::Due, "1 a", "else")])).await.unwrap();
    assert_eq!(claim("1 a", "four", LONG, 9).await, [""; 0]);
    store.commit(puts(vec![remove(Space::Due, "1 a")])).await.unwrap();
    assert_eq!(claim("1 a", "one", LONG, 9).await, [""; 0]);
    store.commit(puts(vec![put(Space::Due, "1 a", "again")])).await.unwrap();
    assert_eq!(claim("1 a", "four", LONG, 9).await, ["1 a"]);
    // A claim of no time has run out at once.
    assert_eq!(claim("9 z", "one", 0, 9).await, ["9 z"]);
    assert_eq!(claim("9 z", "five", 0, 9).await, ["9 z"]);
    // Its holder can let go of it, and nobody else.
    let keys = ["1 a".to_owned(), "2 b".to_owned(), "nothing".to_owned()];
    store.release_claims(Space::Due, &keys, "four").await.unwrap();
    assert_eq!(claim("3 c", "one", LONG, 9).await, ["1 a"]);
    store.release_claims(Space::Due, &keys, "two").await.unwrap();
    assert_eq!(claim("3 c", "one", LONG, 9).await, ["1 a", "2 b"]);
}

pub async fn of_many_claims_each_row_goes_to_one(store: Arc<dyn Store>) {
    let rows = (0..60).map(|n| put(Space::Due, &format!("{n:03}"), "")).collect();
    store.commit(puts(rows)).await.unwrap();
    let mut tasks = JoinSet::new();
    for n in 0..6 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let mut mine = Vec::new();
            let owner = format!("owner {n}");
            loop {
                let rows = store.claim_rows(Space::Due, "999", &owner, 1_000_000, 4).await.unwrap();
                if rows.is_empty() {
                    return mine;
                }
                let gone = rows.iter().map(|(key, _)| remove(Space::Due, key)).collect();
                mine.extend(rows.into_iter().map(|(key, _)| key));
                store.commit(puts(gone)).await.unwrap();
            }
        });
    }
    let mut all = tasks.join_all().await.concat();
    all.sort();
    let expected: Vec<String> = (0..60).map(|n| format!("{n:03}")).collect();
    assert_eq!(all, expected);
}

pub async fn listeners_hear_of_durable_commits(store: Arc<dyn Store>) {
    let mut changes = store.subscribe_changes();
    let telling = |n, topic: &str| Commit {
        topics: vec![topic.into(), "place tg:-100".into()],
        ..appends(vec![append("t", n, &["x"])])
    };
    store.commit(telling(0, "table t 1")).await.unwrap();
    assert!(store.commit(telling(0, "table t conflict")).await.is_err());
    store.commit(telling(1, "table t 2")).await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < 4 {
        match next_change(&mut changes).await.unwrap() {
            StoreChange::Topic(topic) => heard.push(topic.to_string()),
            StoreChange::All => {}
        }
        assert!(store.log_length("t").await.unwrap() >= (heard.len() as u64).div_ceil(2));
    }
    // In PostgreSQL equal topics of one moment may come once, order between commits is kept.
    heard.retain(|topic| topic.starts_with("table"));
    assert_eq!(heard, ["table t 1", "table t 2"]);
}

pub async fn a_new_store_is_well(store: Arc<dyn Store>) {
    assert_eq!(store.health(), StoreHealth::Good);
}

pub async fn puts_apply_in_order(store: Arc<dyn Store>) {
    let order = vec![
        put(Space::ChatProfile, "a", "1"),
        put(Space::ChatProfile, "a", "2"),
        put(Space::ChatProfile, "b", "1"),
        remove(Space::ChatProfile, "b"),
        remove(Space::ChatProfile, "c"),
        put(Space::ChatProfile, "c", ""),
    ];
    store.commit(puts(order)).await.unwrap();
    assert_eq!(store.get(Space::ChatProfile, "a").await.unwrap().unwrap(), b"2");
    assert_eq!(store.get(Space::ChatProfile, "b").await.unwrap(), None);
    assert_eq!(store.get(Space::ChatProfile, "c").await.unwrap().unwrap(), b"");
}

pub async fn logs_grow_and_are_read_from_any_line(store: Arc<dyn Store>) {
    let lines: Vec<String> = (0..300).map(|n| format!("line {n} ә")).collect();
    for (n, line) in lines.iter().enumerate() {
        store.commit(appends(vec![append("t", n as u64, &[line])])).await.unwrap();
    }
    store.commit(appends(vec![append("t2", 0, &["other"])])).await.unwrap();
    store.commit(appends(vec![append("t", 300, &["x", "y"])])).await.unwrap();
    assert_eq!(store.read_log("t", 0).await.unwrap().len(), 302);
    assert_eq!(store.read_log("t", 298).await.unwrap(), ["line 298 ә", "line 299 ә", "x", "y"]);
    assert!(store.read_log("t", 302).await.unwrap().is_empty());
    assert!(store.read_log("t", u64::MAX).await.unwrap().is_empty());
    assert!(store.read_log("nobody", 0).await.unwrap().is_empty());
    // Only what the log has counts, also for a commit without lines.
    assert!(store.commit(appends(vec![append("t", 302, &[])])).await.is_ok());
    assert!(store.commit(appends(vec![append("t", 300, &[])])).await.is_err());
}

pub async fn a_scan_is_ordered_and_bounded(store: Arc<dyn Store>) {
    let all = ["a", "a/1", "a/2", "a/3", "a0", "b", "ә/1", "ә/2"];
    let mut order: Vec<Put> = all.iter().rev().map(|key| put(Space::Due, key, "")).collect();
    order.push(put(Space::Outbox, "a/1", "other space"));
    store.commit(puts(order)).await.unwrap();
    assert_eq!(keys(&store, "", None, 100).await, all);
    assert_eq!(keys(&store, "a/", None, 100).await, ["a/1", "a/2", "a/3"]);
    assert_eq!(keys(&store, "a/", None, 2).await, ["a/1", "a/2"]);
    assert_eq!(keys(&store, "a/", Some("a/2"), 100).await, ["a/3"]);
    assert_eq!(keys(&store, "a/", Some("a/3"), 100).await, [""; 0]);
    assert_eq!(keys(&store, "a/", Some("A"), 100).await, ["a/1", "a/2", "a/3"]);
    assert_eq!(keys(&store, "a/", Some("b"), 100).await, [""; 0]);
    assert_eq!(keys(&store, "", Some("a/2"), 3).await, ["a/3", "a0", "b"]);
    assert_eq!(keys(&store, "ә", None, 100).await, ["ә/1", "ә/2"]);
    assert_eq!(keys(&store, "", None, 0).await, [""; 0]);
    store.commit(puts(vec![remove(Space::Due, "a/2")])).await.unwrap();
    assert_eq!(keys(&store, "a/", Some("a/2"), 100).await, ["a/3"]);
}

pub async fn nonsense_is_refused(store: Arc<dyn Store>) {
    let long = "k".repeat(513);
    let nonsense = [
        puts(vec![put(Space::Head, "", "x")]),
        puts(vec![put(Space::Head, &long, "x")]),
        Commit { expect: vec![Expect::absent(Space::Head, "")], ..Commit::default() },
        appends(vec![append("t", 0, &["two\nlines"])]),
        appends(vec![append("t\0u", 0, &["x"])]),
        appends(vec![append("t", 0, &["a NUL \0"])]),
        puts(vec![put(Space::Head, "a\0b", "x")]),
        puts(vec![put(Space::Head, "k", &"x".repeat(96 * 1024 + 1))]),
        Commit { drops: vec![String::new()], ..Commit::default() },
        Commit { drops: vec!["t".into()], ..appends(vec![append("t", 0, &["x"])]) },
        Commit { topics: vec!["x".repeat(601)], ..Commit::default() },
        appends(vec![append("t", 0, &["x"]), append("t", 1, &["y"])]),
        Commit { rewrites: vec![rewrite("t", "two\nlines")], ..Commit::default() },
        Commit { rewrites: vec![rewrite("t", "x"); 2], ..Commit::default() },
        Commit { rewrites: vec![rewrite("t", "x")], drops: vec!["t".into()], ..Commit::default() },
        Commit { rewrites: vec![rewrite("t", "x")], ..appends(vec![append("t", 0, &["x"])]) },
    ];
    for commit in nonsense {
        let refused = store.commit(commit.clone()).await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{commit:?}");
    }
    store.commit(puts(vec![put(Space::Head, &long[..512], "x")])).await.unwrap();
    assert!(store.read_log("t", 0).await.unwrap().is_empty());
}

pub async fn of_many_at_once_exactly_one_wins(store: Arc<dyn Store>) {
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
        assert_eq!(store.read_log("t", round).await.unwrap(), [format!("by {winner}")]);
        let head = store.get(Space::Head, "t").await.unwrap().unwrap();
        assert_eq!(head, format!("by {winner}").into_bytes());
    }
}

/// Writers each add to a shared log until their own line is in, as the service does.
pub async fn many_writers_lose_nothing(store: Arc<dyn Store>) {
    let mut tasks = JoinSet::new();
    for writer in 0..40 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let shared = format!("t{}", writer % 4);
            for step in 0..10 {
                let id = format!("{writer}/{step}");
                loop {
                    let n = store.read_log(&shared, 0).await.unwrap().len() as u64;
                    let mut commit = appends(vec![append(&shared, n, &[&id])]);
                    commit.expect = vec![Expect::absent(Space::Seen, id.clone())];
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
        let log = store.read_log(&format!("t{table}"), 0).await.unwrap();
        assert_eq!(log.len(), 100);
        for (n, id) in log.iter().enumerate() {
            let seen = store.get(Space::Seen, id).await.unwrap().unwrap();
            assert_eq!(seen, n.to_string().into_bytes());
        }
    }
}

pub async fn a_closed_store_refuses(store: Arc<dyn Store>) {
    store.commit(puts(vec![put(Space::Head, "t", "x")])).await.unwrap();
    store.close().await.unwrap();
    let later = store.commit(puts(vec![put(Space::Head, "t", "y")])).await;
    assert!(matches!(later, Err(StoreError::Failed(_))));
    assert!(store.get(Space::Head, "t").await.is_err());
}

/// Runs every test of this file on stores. Each line names a kind of store and says how a new,
/// empty one is opened in a folder: an async function from `PathBuf` to `Option<Arc<dyn Store>>`;
/// `None` when there can be none here, which it has to tell loudly itself.
macro_rules! contract {
    ($($kind:ident: $open:ident;)*) => {$(
        mod $kind {
            use super::$open;

            contract!(@each $open;
                a_commit_is_whole_or_nothing,
                a_key_that_must_be_absent_refuses_the_second,
                a_key_must_hold_what_is_expected,
                long_values_are_kept_whole,
                queries_of_one_call_are_answered_in_order,
                queries_of_one_call_see_one_moment,
                rows_with_a_lifetime_are_swept_when_it_is_over,
                expired_rows_are_absent,
                whole_logs_can_be_removed,
                whole_logs_can_be_rewritten,
                a_name_is_held_by_one_owner,
                a_claimed_row_is_nobody_elses,
                of_many_claims_each_row_goes_to_one,
                listeners_hear_of_durable_commits,
                a_new_store_is_well,
                puts_apply_in_order,
                logs_grow_and_are_read_from_any_line,
                a_scan_is_ordered_and_bounded,
                nonsense_is_refused,
                of_many_at_once_exactly_one_wins,
                many_writers_lose_nothing,
                a_closed_store_refuses);
        }
    )*};
    (@each $open:ident; $($name:ident),*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let folder = tempfile::tempdir().unwrap();
            if let Some(store) = $open(folder.path().to_owned()).await {
                $crate::store::contract::$name(store).await;
            }
        }
    )*};
}
