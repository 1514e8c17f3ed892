//! Encryption beside commits, rotations and everything that may go wrong.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use caravanserai_store::encrypted::key_file::{KEY_BYTES, StoreKeys};
use caravanserai_store::encrypted::{
    EncryptedStore, OpenPurpose, ReencryptCount, ReencryptOutcome, is_encrypted, open_encrypted,
    open_items,
};
use caravanserai_store::faulty::{Fault, FaultRates, FaultyStore};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::transfer::{fill_from, first_difference, is_empty};
use caravanserai_store::{
    Append, Commit, Expect, OpenError, Put, Rewrite, Space, Store, StoreError, StoredItem,
};
use proptest::prelude::*;

/// Key of the hidden row that says how a store is encrypted.
const HIDDEN_ROW: &str = "encryption";

/// A key file: a number is a key whose bytes all have this value, 0 is `plain`.
fn keys(order: &[u8]) -> StoreKeys {
    let lines = order.iter().map(|it| match it {
        0 => "plain\n".to_owned(),
        it => format!("{it} {}\n", STANDARD.encode([*it; KEY_BYTES])),
    });
    StoreKeys::parse(&lines.collect::<String>()).unwrap()
}

async fn open(inner: &Arc<dyn Store>, order: &[u8]) -> Arc<EncryptedStore> {
    let keys = keys(order);
    let opened = open_encrypted(inner.clone(), Some(&keys), OpenPurpose::Write).await.unwrap();
    opened.encrypted.unwrap()
}

async fn refusal(inner: &Arc<dyn Store>, keys: Option<&StoreKeys>) -> String {
    let before = raw_items(inner.as_ref()).await;
    let refused = open_encrypted(inner.clone(), keys, OpenPurpose::Write).await;
    let why = refused.err().expect("it is refused");
    assert!(matches!(why, OpenError::Permanent(_)), "{why}");
    assert_eq!(raw_items(inner.as_ref()).await, before, "nothing is changed");
    why.to_string()
}

async fn raw_items(store: &dyn Store) -> Vec<StoredItem> {
    let (mut snapshot, mut items) = (store.snapshot().await.unwrap(), Vec::new());
    loop {
        let more = snapshot.next_items().await.unwrap();
        if more.is_empty() {
            return items;
        }
        items.extend(more);
    }
}

/// All bytes of values and lines that a store keeps.
async fn raw_bytes(store: &dyn Store) -> Vec<u8> {
    let values = raw_items(store).await.into_iter().flat_map(|item| match item {
        StoredItem::Row { value, .. } => value,
        StoredItem::Line { line, .. } => line.into_bytes(),
        StoredItem::Damaged(what) => panic!("{what}"),
    });
    values.collect()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

fn memory() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new())
}

fn equals(key: &str, from: &str, to: &str) -> Commit {
    Commit {
        expect: vec![Expect::equals(Space::Person, key, from)],
        ..Commit::from_puts(vec![Put::new(Space::Person, key, to)])
    }
}

/// Writes a log and rows with secrets, with the layer or without it.
async fn fill(store: &dyn Store) {
    let commit = Commit {
        appends: vec![Append::new("t1", 0, vec!["0 open Aigerim".into(), "1 step".into()])],
        puts: vec![
            Put::new(Space::Person, "tg:1", "Aigerim"),
            Put::new(Space::Head, "t1", "togyzkumalak"),
            Put::new(Space::ChatTable, "tg:-1 t1", ""),
            Put::new(Space::Seen, "tg/1", "Aigerim").expires_at(1 << 50),
            Put::new(Space::Seen, "tg/0", "Aigerim").expires_at(1),
        ],
        ..Commit::default()
    };
    store.commit(commit).await.unwrap();
}

async fn reencrypt(store: &EncryptedStore) -> ReencryptOutcome {
    store.reencrypt(&mut |_| ()).await.unwrap()
}

#[tokio::test]
async fn nothing_readable_reaches_the_store_below() {
    let inner = memory();
    let store = open(&inner, &[1]).await;
    fill(store.as_ref()).await;
    let raw = raw_bytes(inner.as_ref()).await;
    assert!(!contains(&raw, "Aigerim") && !contains(&raw, "togyz") && !contains(&raw, "step"));
    assert_eq!(store.read_log("t1", 0).await.unwrap(), ["0 open Aigerim", "1 step"]);
    assert_eq!(store.read_log("t1", 1).await.unwrap(), ["1 step"]);
    assert_eq!(store.log_length("t1").await.unwrap(), 2);
    let rows = store.scan(Space::Person, "", None, 9).await.unwrap();
    assert_eq!(rows, [("tg:1".to_owned(), b"Aigerim".to_vec())]);
    let rows = store.claim_rows(Space::Person, "u", "one", 1_000, 9).await.unwrap();
    assert_eq!(rows, [("tg:1".to_owned(), b"Aigerim".to_vec())]);
}

#[tokio::test]
async fn the_row_about_the_encryption_is_hidden() {
    let inner = memory();
    let store = open(&inner, &[1]).await;
    assert!(is_empty(store.as_ref()).await.unwrap() && !is_empty(inner.as_ref()).await.unwrap());
    let put = |key: &str| Put::new(Space::Meta, key, "x");
    store.commit(Commit::from_puts(vec![put("a"), put("en"), put("z")])).await.unwrap();
    assert_eq!(store.get(Space::Meta, HIDDEN_ROW).await.unwrap(), None);
    for (prefix, after, limit, expected) in [
        ("", None, 9, &["a", "en", "z"][..]),
        ("", Some("en"), 1, &["z"]),
        ("", None, 2, &["a", "en"]),
        ("e", None, 1, &["en"]),
        ("z", None, 0, &[]),
    ] {
        let rows = store.scan(Space::Meta, prefix, after, limit).await.unwrap();
        let found: Vec<_> = rows.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(found, expected, "{prefix:?} {after:?} {limit}");
    }
    assert_eq!(raw_items(store.as_ref()).await.len(), 3);
}

#[tokio::test]
async fn a_missing_or_wrong_key_is_refused_and_nothing_is_changed() {
    let inner = memory();
    fill(open(&inner, &[1]).await.as_ref()).await;
    let why = refusal(&inner, None).await;
    assert!(why.contains("this store is encrypted and no key is given"), "{why}");
    let why = refusal(&inner, Some(&keys(&[2]))).await;
    assert!(why.contains("encrypted with key 1, which the key file does not list"), "{why}");
    let wrong = format!("1 {}", STANDARD.encode([9; KEY_BYTES]));
    let why = refusal(&inner, Some(&StoreKeys::parse(&wrong).unwrap())).await;
    assert!(why.contains("key 1 of the key file is not the key 1"), "{why}");
    let read = open_encrypted(inner.clone(), None, OpenPurpose::Read).await;
    assert!(read.is_err());
}

#[tokio::test]
async fn an_unencrypted_store_is_converted_only_if_allowed() {
    let inner = memory();
    fill(inner.as_ref()).await;
    let why = refusal(&inner, Some(&keys(&[1]))).await;
    assert!(why.contains("write a line `plain` before the key"), "{why}");
    // Reading alone changes nothing.
    let before = raw_items(inner.as_ref()).await;
    open_encrypted(inner.clone(), Some(&keys(&[1])), OpenPurpose::Read).await.unwrap();
    assert_eq!(raw_items(inner.as_ref()).await, before);

    let store = open(&inner, &[0, 1]).await;
    assert_eq!(store.get(Space::Person, "tg:1").await.unwrap().unwrap(), b"Aigerim");
    store.commit(equals("tg:1", "Aigerim", "Botagoz")).await.unwrap();
    let mut seen = Vec::new();
    let outcome = store.reencrypt(&mut |count| seen.push(count)).await.unwrap();
    assert_eq!(outcome, ReencryptOutcome::Complete);
    assert_eq!(seen.last(), Some(&ReencryptCount { rows: 3, lines: 2 }));
    assert_eq!(store.counters().reencrypted(), 5);
    let raw = raw_bytes(inner.as_ref()).await;
    assert!(!contains(&raw, "Aigerim") && !contains(&raw, "Botagoz") && !contains(&raw, "step"));
    // The expiry stays, and what had expired is gone.
    let until = raw_items(inner.as_ref()).await.into_iter().filter_map(|item| match item {
        StoredItem::Row { space: Space::Seen, key, until_ms, .. } => Some((key, until_ms)),
        _ => None,
    });
    assert_eq!(until.collect::<Vec<_>>(), [("tg/1".to_owned(), Some(1 << 50))]);
    // Now a value that is not encrypted is refused, here and after the next start.
    inner.commit(Commit::from_puts(vec![Put::new(Space::Person, "tg:2", "me")])).await.unwrap();
    for store in [store, open(&inner, &[0, 1]).await] {
        let why = store.get(Space::Person, "tg:2").await.unwrap_err().to_string();
        assert!(why.contains("the row \"tg:2\" of \"person\" is damaged: it is not encr"), "{why}");
        assert_eq!(store.counters().open_failures(), 1);
        assert_eq!(store.get(Space::Person, "tg:1").await.unwrap().unwrap(), b"Botagoz");
    }
}

#[tokio::test]
async fn the_line_plain_may_be_removed_only_after_everything_is_encrypted() {
    let inner = memory();
    fill(inner.as_ref()).await;
    let store = open(&inner, &[0, 1]).await;
    store.commit(equals("tg:1", "Aigerim", "Botagoz")).await.unwrap();
    for order in [&[1][..], &[1, 2]] {
        let why = refusal(&inner, Some(&keys(order))).await;
        assert!(why.contains("put the line `plain` back"), "{why}");
    }
    for purpose in [OpenPurpose::Read, OpenPurpose::Inspect] {
        let refused = open_encrypted(inner.clone(), Some(&keys(&[1])), purpose).await.err();
        let why = refused.expect("it is refused").to_string();
        assert!(why.contains("put the line `plain` back"), "{why}");
    }
    let store = open(&inner, &[0, 1]).await;
    assert_eq!(reencrypt(&store).await, ReencryptOutcome::Complete);
    let store = open(&inner, &[1]).await;
    assert_eq!(store.get(Space::Person, "tg:1").await.unwrap().unwrap(), b"Botagoz");
}

#[tokio::test]
async fn old_keys_decrypt_until_rotation_is_complete() {
    let inner = memory();
    fill(open(&inner, &[1]).await.as_ref()).await;
    let store = open(&inner, &[1, 2]).await;
    assert_eq!(store.read_log("t1", 0).await.unwrap(), ["0 open Aigerim", "1 step"]);
    // Expected values are compared with rows of both keys.
    assert!(matches!(store.commit(equals("tg:1", "B", "C")).await, Err(StoreError::Conflict)));
    store.commit(equals("tg:1", "Aigerim", "B")).await.unwrap();
    store.commit(equals("tg:1", "B", "Aigerim")).await.unwrap();
    let why = refusal(&inner, Some(&keys(&[2]))).await;
    assert!(why.contains("encrypted with key 1"), "{why}");
    store
        .commit(Commit {
            appends: vec![Append::new("t1", 2, vec!["2 x".into()])],
            ..Commit::default()
        })
        .await
        .unwrap();
    assert_eq!(reencrypt(&store).await, ReencryptOutcome::Complete);
    let store = open(&inner, &[2]).await;
    assert_eq!(store.read_log("t1", 0).await.unwrap(), ["0 open Aigerim", "1 step", "2 x"]);
    assert_eq!(store.get(Space::Person, "tg:1").await.unwrap().unwrap(), b"Aigerim");
    // Nothing is left to do.
    let before = store.counters().reencrypted();
    assert_eq!(reencrypt(&store).await, ReencryptOutcome::Complete);
    assert_eq!(store.counters().reencrypted(), before);
}

#[tokio::test]
async fn an_encrypted_store_can_be_decrypted_again() {
    let (inner, plain) = (memory(), memory());
    fill(plain.as_ref()).await;
    let store = open(&inner, &[1]).await;
    fill(store.as_ref()).await;
    let keys = store.keys().for_decryption();
    let opened = open_encrypted(inner.clone(), Some(&keys), OpenPurpose::Write).await.unwrap();
    assert_eq!(reencrypt(&opened.encrypted.unwrap()).await, ReencryptOutcome::Complete);
    plain.remove_expired(2, 9).await.unwrap();
    inner.remove_expired(2, 9).await.unwrap();
    assert_eq!(raw_items(inner.as_ref()).await, raw_items(plain.as_ref()).await);
    assert!(open_encrypted(inner, None, OpenPurpose::Write).await.unwrap().encrypted.is_none());
}

#[tokio::test]
async fn a_replica_that_only_decrypts_reads_what_others_encrypt() {
    let inner = memory();
    let standby = open(&inner, &[1, 0]).await;
    fill(standby.as_ref()).await;
    assert!(contains(&raw_bytes(inner.as_ref()).await, "Aigerim"));
    let first = open(&inner, &[0, 1]).await;
    first.commit(equals("tg:1", "Aigerim", "B")).await.unwrap();
    standby.commit(equals("tg:1", "B", "C")).await.unwrap();
    first.commit(equals("tg:1", "C", "D")).await.unwrap();
    assert_eq!(standby.get(Space::Person, "tg:1").await.unwrap().unwrap(), b"D");
    assert!(!contains(&raw_bytes(inner.as_ref()).await, "togyzkumalakk"));
}

#[tokio::test]
async fn swapped_and_damaged_values_are_told_apart_from_whole_ones() {
    let inner = memory();
    let store = open(&inner, &[1]).await;
    let put = |key: &str, value: &str| Put::new(Space::Person, key, value);
    let puts = vec![put("a", "one"), put("b", "two"), put("c", "three")];
    let appends = vec![Append::new("t", 0, vec!["0 a".into(), "1 b".into()])];
    store.commit(Commit { appends, ..Commit::from_puts(puts) }).await.unwrap();
    let a = inner.get(Space::Person, "a").await.unwrap().unwrap();
    let b = inner.get(Space::Person, "b").await.unwrap().unwrap();
    let cut = b[..b.len() - 1].to_vec();
    let swapped = vec![Put::new(Space::Person, "b", a), Put::new(Space::Person, "d", cut)];
    let mut lines = inner.read_log("t", 0).await.unwrap();
    lines.swap(0, 1);
    let rewrites = vec![Rewrite { table: "t".into(), lines }];
    inner.commit(Commit { rewrites, ..Commit::from_puts(swapped) }).await.unwrap();
    for key in ["b", "d"] {
        let why = store.get(Space::Person, key).await.unwrap_err().to_string();
        assert!(why.contains("changed or moved since it was encrypted"), "{why}");
    }
    let why = store.read_log("t", 0).await.unwrap_err().to_string();
    assert!(why.contains("line 1 of the log of table \"t\" is damaged"), "{why}");
    // The others are read, and the damaged ones named.
    assert_eq!(store.get(Space::Person, "c").await.unwrap().unwrap(), b"three");
    let damaged = raw_items(store.as_ref()).await.into_iter();
    let damaged = damaged.filter(|it| matches!(it, StoredItem::Damaged(_))).count();
    assert_eq!(damaged, 4);
    // A damaged row can be replaced.
    store.commit(Commit::from_puts(vec![put("b", "four")])).await.unwrap();
    assert_eq!(store.get(Space::Person, "b").await.unwrap().unwrap(), b"four");
}

/// Rows of the list of deadlines, as they are claimed or listed.
type Deadlines = Vec<(String, Vec<u8>)>;

fn deadlines<const N: usize>(rows: [(&str, &str); N]) -> Deadlines {
    rows.map(|(key, value)| (key.to_owned(), value.as_bytes().to_vec())).into()
}

async fn store_deadlines(store: &dyn Store, keys: &[&str]) {
    let puts = keys.iter().map(|key| Put::new(Space::Due, *key, "{}")).collect();
    store.commit(Commit::from_puts(puts)).await.unwrap();
}

async fn claim(store: &dyn Store, owner: &str) -> Deadlines {
    store.claim_rows(Space::Due, "9", owner, 1_000_000, 9).await.unwrap()
}

/// A store that several processes use.
fn shared_memory() -> Arc<dyn Store> {
    Arc::new(SharedStore(FaultyStore::with_script(MemoryStore::new(), [])))
}

/// Moves a value to another key: it cannot be decrypted there.
async fn damage(inner: &dyn Store, space: Space, (from, to): (&str, &str)) {
    let value = inner.get(space, from).await.unwrap().unwrap();
    inner.commit(Commit::from_puts(vec![Put::new(space, to, value)])).await.unwrap();
}

#[tokio::test]
async fn a_deadline_that_cannot_be_decrypted_delays_no_other() {
    for inner in [memory(), shared_memory()] {
        let store = open(&inner, &[1]).await;
        store_deadlines(store.as_ref(), &["1 a tick", "2 b tick"]).await;
        damage(inner.as_ref(), Space::Due, ("2 b tick", "1 a tick")).await;
        let expected = deadlines([("1 a tick", ""), ("2 b tick", "{}")]);
        assert_eq!(store.scan(Space::Due, "", None, 9).await.unwrap(), expected);
        assert_eq!(claim(store.as_ref(), "one").await, expected);
        assert_eq!(store.counters().open_failures(), 2);
    }
}

/// No process has ever encrypted anything with such a key.
#[tokio::test]
async fn a_deadline_with_a_damaged_key_id_is_left_to_nobody() {
    let inner = shared_memory();
    let store = open(&inner, &[1]).await;
    store_deadlines(store.as_ref(), &["1 a tick"]).await;
    let mut value = inner.get(Space::Due, "1 a tick").await.unwrap().unwrap();
    // The key id follows three fixed bytes and the version.
    value[5] ^= 8;
    inner.commit(Commit::from_puts(vec![Put::new(Space::Due, "1 a tick", value)])).await.unwrap();
    assert_eq!(claim(store.as_ref(), "one").await, deadlines([("1 a tick", "")]));
}

#[tokio::test]
async fn a_record_that_was_changed_keeps_no_other_from_being_read() {
    let inner = memory();
    let store = open(&inner, &[1, 2]).await;
    let puts = ["a", "b"].map(|key| Put::new(Space::Archive, key, "record")).into();
    store.commit(Commit::from_puts(puts)).await.unwrap();
    damage(inner.as_ref(), Space::Archive, ("b", "a")).await;
    let records = store.scan(Space::Archive, "", None, 9).await.unwrap();
    assert_eq!(records, deadlines([("a", ""), ("b", "record")]));
    assert!(store.get(Space::Archive, "a").await.is_err());
}

/// A process without the key, and one with another key of the same number.
#[tokio::test]
async fn a_process_with_wrong_keys_leaves_deadlines_to_the_others() {
    let other_key =
        format!("2 {}\n1 {}", STANDARD.encode([9; KEY_BYTES]), STANDARD.encode([1; 32]));
    for wrong in [keys(&[1]), StoreKeys::parse(&other_key).unwrap()] {
        let inner = shared_memory();
        let opened = open_encrypted(inner.clone(), Some(&wrong), OpenPurpose::Write).await;
        let (wrong, right) = (opened.unwrap().store, open(&inner, &[1, 2]).await);
        store_deadlines(wrong.as_ref(), &["2 b tick"]).await;
        store_deadlines(right.as_ref(), &["1 a tick", "3 c tick"]).await;
        let listed = wrong.scan(Space::Due, "", None, 9).await.unwrap();
        assert_eq!(listed.len(), 3, "they are known to be due");
        assert_eq!(claim(wrong.as_ref(), "wrong").await, deadlines([("2 b tick", "{}")]));
        let left = deadlines([("1 a tick", "{}"), ("3 c tick", "{}")]);
        assert_eq!(claim(right.as_ref(), "right").await, left);
    }
}

#[tokio::test]
async fn a_copy_is_encrypted_with_the_keys_of_its_store() {
    let (a, b) = (memory(), memory());
    let from = open(&a, &[1]).await;
    fill(from.as_ref()).await;
    let to = open(&b, &[2]).await;
    let mut snapshot = from.snapshot().await.unwrap();
    fill_from(&mut snapshot, to.as_ref(), &mut |_| ()).await.unwrap();
    let (mut a, mut b) = (from.snapshot().await.unwrap(), to.snapshot().await.unwrap());
    assert_eq!(first_difference(a.as_mut(), b.as_mut()).await.unwrap(), None);
}

#[tokio::test]
async fn items_of_a_damaged_folder_are_opened() {
    let inner = memory();
    fill(open(&inner, &[1]).await.as_ref()).await;
    let raw = raw_items(inner.as_ref()).await;
    assert!(is_encrypted(&raw));
    let opened = open_items(&keys(&[1]), raw);
    let plain = memory();
    fill(plain.as_ref()).await;
    assert_eq!(opened, raw_items(plain.as_ref()).await);
    assert!(!is_encrypted(&opened));
}

/// A conversion that fails anywhere goes on where it stopped, and nothing is lost meanwhile.
#[tokio::test]
async fn a_conversion_that_is_cut_off_anywhere_goes_on() {
    for commits in 0..8 {
        let mut faults = vec![Fault::Delay(0); commits];
        faults.push(if commits % 2 == 0 { Fault::Fail } else { Fault::AnswerLost });
        let faulty = Arc::new(FaultyStore::with_script(MemoryStore::new(), faults));
        for n in 0..250 {
            let table = format!("t{n}");
            let commit = Commit::from_puts(vec![Put::new(Space::Person, &table, "name")]);
            let appends = (n % 50 == 0).then(|| Append::new(table, 0, vec!["0 open".into()]));
            let appends = appends.into_iter().collect();
            faulty.inner().commit(Commit { appends, ..commit }).await.unwrap();
        }
        let inner: Arc<dyn Store> = faulty;
        let cut = async {
            let keys = keys(&[0, 1]);
            let opened = open_encrypted(inner.clone(), Some(&keys), OpenPurpose::Write).await;
            match opened {
                Ok(opened) => opened.encrypted.unwrap().reencrypt(&mut |_| ()).await.is_ok(),
                Err(_) => false,
            }
        };
        assert!(!cut.await, "{commits}");
        let store = open(&inner, &[0, 1]).await;
        assert_eq!(store.scan(Space::Person, "", None, 999).await.unwrap().len(), 250);
        assert_eq!(store.read_log("t50", 0).await.unwrap(), ["0 open"]);
        assert_eq!(reencrypt(&store).await, ReencryptOutcome::Complete);
        assert!(!contains(&raw_bytes(inner.as_ref()).await, "name"));
        assert_eq!(store.scan(Space::Person, "", None, 999).await.unwrap().len(), 250);
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// Replaces the value of a key, expecting the one it has or another.
    Swap {
        replica: usize,
        key: u8,
        right: bool,
    },
    Append {
        replica: usize,
        table: u8,
    },
    Restart {
        replica: usize,
        order: usize,
    },
    /// Lets this many steps of a rotation happen.
    Reencrypt {
        replica: usize,
        polls: usize,
    },
}

const ORDERS: [&[u8]; 5] = [&[1, 2, 0], &[0, 2, 1], &[0, 1, 2], &[2, 1, 0], &[1, 0, 2]];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..2_usize, 0..4_u8, any::<bool>())
            .prop_map(|(replica, key, right)| Step::Swap { replica, key, right }),
        3 => (0..2_usize, 0..2_u8).prop_map(|(replica, table)| Step::Append { replica, table }),
        1 => (0..2_usize, 0..ORDERS.len())
            .prop_map(|(replica, order)| Step::Restart { replica, order }),
        2 => (0..2_usize, 1..40_usize)
            .prop_map(|(replica, polls)| Step::Reencrypt { replica, polls }),
    ]
}

/// A store that other processes use, too.
struct SharedStore(FaultyStore<MemoryStore>);

impl caravanserai_store::StoreLayer for SharedStore {
    fn inner(&self) -> &dyn Store {
        &self.0
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// A replica without the newest key cannot read what others write. It must wait, and not treat that
/// as damaged.
#[tokio::test]
async fn what_another_process_can_decrypt_is_not_damaged() {
    let faulty = FaultyStore::with_seed(MemoryStore::new(), 3, FaultRates::default());
    let inner: Arc<dyn Store> = Arc::new(SharedStore(faulty));
    let old = open(&inner, &[1]).await;
    let new = open(&inner, &[1, 2]).await;
    let put = Put::new(Space::Person, "a", "b");
    let appends = vec![Append::new("t", 0, vec!["line".to_owned()])];
    new.commit(Commit { appends, ..Commit::from_puts(vec![put]) }).await.unwrap();
    assert!(matches!(old.read_log("t", 0).await, Err(StoreError::Failed(_))));
    assert!(matches!(old.get(Space::Person, "a").await, Err(StoreError::Failed(_))));
    assert_eq!(new.read_log("t", 0).await.unwrap(), ["line"]);
}

type Rotation = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs the steps on two replicas with different keys and on a plain store, and compares.
async fn run(steps: &[Step]) {
    let rates = FaultRates { delay: 700, ..Default::default() };
    let faulty = FaultyStore::with_seed(MemoryStore::new(), 3, rates);
    let inner: Arc<dyn Store> = Arc::new(SharedStore(faulty));
    let model = MemoryStore::new();
    let mut replicas = [open(&inner, ORDERS[0]).await, open(&inner, ORDERS[1]).await];
    let mut rotations: [Option<Rotation>; 2] = [None, None];
    for (n, step) in steps.iter().enumerate() {
        let commit = match step {
            Step::Swap { key, right, .. } => {
                let key = format!("k{key}");
                let now = model.get(Space::Person, &key).await.unwrap();
                let value = if *right { now } else { Some(b"another".to_vec()) };
                let expect = vec![Expect { space: Space::Person, key: key.clone(), value }];
                let put = Put::new(Space::Person, key, format!("v{n}"));
                Commit { expect, ..Commit::from_puts(vec![put]) }
            }
            Step::Append { table, .. } => {
                let table = format!("t{table}");
                let length = model.log_length(&table).await.unwrap();
                let head = Put::new(Space::Head, &table, length.to_string());
                let appends = vec![Append::new(table, length, vec![format!("{n} line")])];
                Commit { appends, ..Commit::from_puts(vec![head]) }
            }
            Step::Restart { replica, order } => {
                rotations[*replica] = None;
                replicas[*replica] = open(&inner, ORDERS[*order]).await;
                continue;
            }
            Step::Reencrypt { replica, polls } => {
                let store = replicas[*replica].clone();
                let rotation = rotations[*replica].get_or_insert_with(|| {
                    Box::pin(async move {
                        reencrypt(&store).await;
                    })
                });
                let mut is_done = false;
                for _ in 0..*polls {
                    is_done = is_done || futures::poll!(rotation.as_mut()).is_ready();
                    tokio::task::yield_now().await;
                }
                if is_done {
                    rotations[*replica] = None;
                }
                continue;
            }
        };
        let (Step::Swap { replica, .. } | Step::Append { replica, .. }) = step else { continue };
        let expected = model.commit(commit.clone()).await.is_ok();
        let mut done = replicas[*replica].commit(commit.clone()).await;
        // A rotation may come between often enough; then the caller tries again.
        for _ in 0..if expected { 3 } else { 0 } {
            if let Err(StoreError::Conflict) = done {
                done = replicas[*replica].commit(commit.clone()).await;
            }
        }
        assert_eq!(done.is_ok(), expected, "step {n}: {done:?}");
        for replica in &replicas {
            assert_eq!(raw_items(replica.as_ref()).await, raw_items(&model).await, "step {n}");
        }
    }
    drop(rotations);
    let last = open(&inner, &[0, 1, 2]).await;
    assert_eq!(reencrypt(&last).await, ReencryptOutcome::Complete);
    let only = open(&inner, &[2]).await;
    assert_eq!(raw_items(only.as_ref()).await, raw_items(&model).await);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn key_rotation_during_commits_changes_no_data(
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(run(&steps));
    }
}
