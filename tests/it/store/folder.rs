//! The store in a folder: damage is reported, older folders are upgraded, space is freed, and a
//! full disk is waited for.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use caravanserai_store::sled::{CompactMode, SledOptions, SledStore};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Commit, Put, Space, Store, StoreError, StoreHealth, StoreQuery};

use super::contract::{append, appends, put, puts};
use super::on_disk;

const TABLES: u64 = 12;
/// A time that does not come while a test runs: rows that live until then are there.
const FAR_MS: u64 = 1 << 50;
const LINES: u64 = 20;

/// Numbers without a pattern, the same for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % n
    }
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// What can be read from a store that was filled, in a fixed order.
async fn everything(store: &SledStore) -> Result<String, StoreError> {
    let mut reads: Vec<StoreQuery> =
        (0..TABLES).map(|n| StoreQuery::log(format!("t{n}"), 0)).collect();
    reads.extend(Space::ALL.iter().map(|space| StoreQuery::scan(*space, "", usize::MAX)));
    Ok(format!("{:?}", store.read(&reads).await?))
}

/// Fills a folder with logs and rows of all kinds, and says what is in it.
async fn fill(store: &SledStore) -> String {
    for line in 0..LINES {
        for table in 0..TABLES {
            let code = format!("t{table}");
            let mut commit = appends(vec![append(&code, line, &["a line of a log"])]);
            let last = format!("{line:0200}");
            commit.puts = vec![
                put(Space::Board, &code, &last),
                put(Space::Seen, &format!("{table} {line}"), "answer").expires_at(FAR_MS + line),
            ];
            store.commit(commit).await.unwrap();
        }
    }
    let long = "long ".repeat(4000);
    store.commit(puts(vec![put(Space::Webchat, "picture", &long)])).await.unwrap();
    everything(store).await.unwrap()
}

/// Copies a folder as it lies there.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Does one thing to a file that a disk or a person may do, and says what.
fn damage(path: &Path, random: &mut Random) -> String {
    let mut bytes = fs::read(path).unwrap();
    let length = bytes.len() as u64;
    let at = random.below(length.max(1));
    let index = usize::try_from(at).unwrap();
    let what = match random.below(8) {
        0..=3 if length > 0 => {
            bytes[index] ^= 1 << random.below(8);
            format!("a bit flipped at {at} of {length}")
        }
        4 | 5 if length > 0 => {
            let end = bytes.len().min(index + 4096);
            bytes[index..end].fill(0);
            format!("4 KB of zeros at {at} of {length}")
        }
        6 => {
            bytes.truncate(index);
            format!("cut at {at} of {length}")
        }
        _ => {
            bytes.clear();
            "emptied".into()
        }
    };
    fs::write(path, bytes).unwrap();
    format!("{}: {what}", path.file_name().unwrap().to_string_lossy())
}

/// Every file of a base and the mark beside it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(folder.join("base-1"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    all.sort();
    all.push(folder.join("mark"));
    all
}

/// After any damage to a file, either everything is there, or the damage is reported.
#[test]
fn damage_is_reported_or_harmless() {
    let runtime = runtime();
    let whole = tempfile::tempdir().unwrap();
    let (clean, killed) = (whole.path().join("clean"), whole.path().join("killed"));
    let expected = runtime.block_on(async {
        let store = on_disk(&clean);
        let expected = fill(&store).await;
        copy(&clean, &killed);
        store.close().await.unwrap();
        expected
    });
    let seeds = std::env::var("CARAVANSERAI_DAMAGES").map_or(40, |n| n.parse().unwrap());
    let (mut told, mut harmless) = (0, 0);
    for seed in 0..seeds {
        let mut random = Random(seed);
        let folder = tempfile::tempdir().unwrap();
        copy(if seed % 2 == 0 { &clean } else { &killed }, folder.path());
        let files = files(folder.path());
        // Most of the time the file that holds nearly everything.
        let at = if seed % 4 == 0 { random.below(files.len() as u64) } else { 1 };
        let path = &files[usize::try_from(at).unwrap()];
        let what = damage(path, &mut random);
        let found = SledStore::open(folder.path());
        let found =
            found.map_err(StoreError::from).and_then(|store| runtime.block_on(everything(&store)));
        match found {
            Ok(found) => {
                assert_eq!(found, expected, "seed {seed}: {what}: something is missing untold");
                harmless += 1;
            }
            Err(error) => {
                let error = error.to_string();
                let sentences = ["damaged", "has lost", "missing", "cannot be"];
                assert!(sentences.iter().any(|it| error.contains(it)), "{what}: {error}");
                assert!(error.len() < 500 && !error.contains("backtrace"), "{what}: {error}");
                told += 1;
            }
        }
    }
    println!("{seeds} damages: {told} told, {harmless} harmless");
    assert!(told > 0);
}

#[tokio::test]
async fn missing_acknowledged_commits_are_detected() {
    let folder = tempfile::tempdir().unwrap();
    let earlier = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    store.commit(appends(vec![append("t", 0, &["a"])])).await.unwrap();
    store.close().await.unwrap();
    copy(folder.path(), earlier.path());
    let store = on_disk(folder.path());
    store.commit(appends(vec![append("t", 1, &["b", "c"])])).await.unwrap();
    store.commit(appends(vec![append("t", 3, &["d"])])).await.unwrap();
    store.close().await.unwrap();
    // The base is the earlier one, the mark is not.
    fs::copy(folder.path().join("mark"), earlier.path().join("mark")).unwrap();
    let error = SledStore::open(earlier.path()).err().unwrap().to_string();
    assert!(error.contains("2 groups of changes since 20"), "{error}");
    assert!(error.contains("3 log lines at least"), "{error}");
    assert!(error.contains("--accept-loss"), "{error}");
    let options = SledOptions { accept_loss: true, ..SledOptions::default() };
    let store = SledStore::open_with(earlier.path(), options).unwrap();
    assert_eq!(store.read_log("t", 0).await.unwrap(), ["a"]);
    store.commit(appends(vec![append("t", 1, &["e"])])).await.unwrap();
    store.close().await.unwrap();
    // It was accepted once and for all.
    assert_eq!(on_disk(earlier.path()).read_log("t", 0).await.unwrap(), ["a", "e"]);
}

#[tokio::test]
async fn a_base_that_is_gone_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    store.commit(appends(vec![append("t", 0, &["a"])])).await.unwrap();
    store.close().await.unwrap();
    fs::remove_dir_all(folder.path().join("base-1")).unwrap();
    let error = SledStore::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("since the beginning are missing, 1 log lines"), "{error}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_look_into_the_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    drop(on_disk(&path));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
}

/// A folder as programs of format 1 left it.
fn format_1(folder: &Path) -> Vec<(Space, String, Vec<u8>)> {
    let db = ::sled::Config::new().path(folder).open().unwrap();
    db.insert("xstore/format", "1").unwrap();
    let mut rows = Vec::new();
    for n in 0..50_u8 {
        let (key, value) = (format!("key {n}"), vec![n; 40 * usize::from(n) * 10]);
        db.insert(format!("b{key}"), value.clone()).unwrap();
        rows.push((Space::Board, key, value));
        let mut line = b"lt7\0".to_vec();
        line.extend_from_slice(&u64::from(n).to_be_bytes());
        db.insert(line, format!("line {n}").into_bytes()).unwrap();
    }
    db.flush().unwrap();
    rows.sort_by(|a, b| a.1.cmp(&b.1));
    rows
}

async fn holds_format_1(store: &SledStore, rows: &[(Space, String, Vec<u8>)]) {
    let found = store.scan(Space::Board, "", None, usize::MAX).await.unwrap();
    let expected: Vec<_> =
        rows.iter().map(|(_, key, value)| (key.clone(), value.clone())).collect();
    assert_eq!(found, expected);
    let lines: Vec<String> = (0..50).map(|n| format!("line {n}")).collect();
    assert_eq!(store.read_log("t7", 0).await.unwrap(), lines);
    assert_eq!(store.get(Space::Meta, "store/format").await.unwrap(), None);
}

#[tokio::test]
async fn a_folder_of_format_1_is_taken_over_wherever_it_is_cut() {
    let original = tempfile::tempdir().unwrap();
    let rows = format_1(original.path());
    let done = tempfile::tempdir().unwrap();
    copy(original.path(), done.path());
    let store = on_disk(done.path());
    holds_format_1(&store, &rows).await;
    store.close().await.unwrap();
    assert!(!done.path().join("db").exists() && !done.path().join("blobs").exists());

    // Cut while the new base was being made; whole but without its name; with both there; with
    // the old one half removed.
    for state in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        copy(original.path(), path);
        let new = if state < 2 { "base-1.new" } else { "base-1" };
        copy(&done.path().join("base-1"), &path.join(new));
        match state {
            0 => fs::write(path.join(new).join("db"), "half").unwrap(),
            3 => fs::remove_file(path.join("db")).unwrap(),
            _ => {}
        }
        let store = on_disk(path);
        holds_format_1(&store, &rows).await;
        store.commit(appends(vec![append("t7", 50, &["on"])])).await.unwrap();
        store.close().await.unwrap();
        drop(store);
        assert_eq!(on_disk(path).log_length("t7").await.unwrap(), 51);
    }
    // A program that knew only format 1 stops at the new folder.
    assert!(::sled::Config::new().path(done.path()).open().is_err());
}

/// `backup` and `check` must not change what a rollback needs.
#[tokio::test]
async fn reading_neither_converts_nor_rewrites_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (address, store) =
        (StoreAddress::Folder(folder.path().to_owned()), folder.path().join("store"));
    fs::create_dir(&store).unwrap();
    format_1(&store);
    let refused = address.open_to_read().await.err().unwrap().to_string();
    assert!(refused.contains("start the bot once"), "{refused}");
    assert!(store.join("db").exists() && !store.join("base-1").exists());
    address.open().await.unwrap().close().await.unwrap();

    // Much more than is left in the end.
    let writer = on_disk(&store);
    let row = |n: usize| Put::new(Space::Keep, n.to_string(), vec![7; 90_000]);
    for n in (0..500).step_by(10) {
        writer.commit(Commit::from_puts((n..n + 10).map(row).collect())).await.unwrap();
    }
    let removals = (0..500).map(|n: usize| Put::remove(Space::Keep, n.to_string()));
    writer.commit(Commit::from_puts(removals.collect())).await.unwrap();
    writer.close().await.unwrap();
    drop(writer);
    address.open_to_read().await.unwrap().close().await.unwrap();
    assert!(store.join("base-1").exists(), "it is read as it is");
    address.open().await.unwrap().close().await.unwrap();
    assert!(store.join("base-2").exists(), "the bot's start rewrites it");
}

#[tokio::test]
async fn data_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    ::sled::Config::new().path(folder.path()).open().unwrap().insert("a", "b").unwrap();
    let error = SledStore::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("data of another program"), "{error}");
    let db = ::sled::Config::new().path(folder.path()).open().unwrap();
    assert_eq!(db.get("a").unwrap().unwrap(), b"b");
}

fn bytes(folder: &Path) -> u64 {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let about = entry.metadata().unwrap();
            if about.is_dir() { bytes(&entry.path()) } else { about.len() }
        })
        .sum()
}

#[tokio::test]
async fn compacting_frees_space_and_keeps_everything() {
    let now = || SledOptions { compact: CompactMode::Now, ..SledOptions::default() };
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    let expected = fill(&store).await;
    // The same rows again and again, as boards are.
    for n in 0..1500_u64 {
        let row = put(Space::Keep, &format!("{}", n % 10), &"x".repeat(2000));
        store.commit(puts(vec![row])).await.unwrap();
    }
    let gone = (0..10).map(|n| Put::remove(Space::Keep, n.to_string())).collect();
    store.commit(Commit::from_puts(gone)).await.unwrap();
    store.close().await.unwrap();
    let before = bytes(folder.path());
    let store = SledStore::open_with(folder.path(), now()).unwrap();
    assert_eq!(everything(&store).await.unwrap(), expected);
    let after = bytes(folder.path());
    println!("{before} bytes before, {after} after");
    assert!(after < before);
    assert!(folder.path().join("base-2").exists() && !folder.path().join("base-1").exists());
    // Lifetimes go along.
    assert_eq!(
        store.remove_expired(FAR_MS + 1000, usize::MAX).await.unwrap() as u64,
        TABLES * LINES
    );
    store.close().await.unwrap();
    drop(store);
    // A second one, cut half way.
    fs::create_dir(folder.path().join("base-3.new")).unwrap();
    fs::write(folder.path().join("base-3.new").join("db"), "half").unwrap();
    let read_all = SledOptions { read_all: true, ..SledOptions::default() };
    let store = SledStore::open_with(folder.path(), read_all).unwrap();
    assert_eq!(store.log_length("t0").await.unwrap(), LINES);
    assert!(!folder.path().join("base-3.new").exists());
}

/// The disk says that it is full, and later that it is not.
#[tokio::test]
async fn a_full_disk_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let free = Arc::new(AtomicU64::new(u64::MAX));
    let says = Arc::clone(&free);
    let free_bytes = Some(Arc::new(move || (says.load(Ordering::Relaxed), 1_u64 << 40)) as _);
    let options = SledOptions { free_bytes, ..SledOptions::default() };
    let store = SledStore::open_with(folder.path(), options).unwrap();
    store.commit(appends(vec![append("t", 0, &["kept"])])).await.unwrap();
    free.store(1_000_000, Ordering::Relaxed);
    let error = store.commit(appends(vec![append("t", 1, &["refused"])])).await.unwrap_err();
    assert!(error.to_string().contains("full (1 MB left)"), "{error}");
    assert!(matches!(store.health(), StoreHealth::Paused { .. }));
    assert!(store.remove_expired(u64::MAX, 9).await.is_ok_and(|swept| swept == 0));
    // Reading goes on, and nothing of what was refused is there.
    assert_eq!(store.read_log("t", 0).await.unwrap(), ["kept"]);
    free.store(u64::MAX, Ordering::Relaxed);
    assert_eq!(store.health(), StoreHealth::Good);
    store.commit(appends(vec![append("t", 1, &["later"])])).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    assert_eq!(on_disk(folder.path()).read_log("t", 0).await.unwrap(), ["kept", "later"]);
}

/// The folder that sled needs is taken away, so that the next flush cannot go through.
#[tokio::test]
async fn after_a_failed_flush_nothing_is_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = on_disk(folder.path());
    store.commit(appends(vec![append("t", 0, &["kept"])])).await.unwrap();
    let blobs = folder.path().join("base-1").join("blobs");
    fs::remove_dir_all(&blobs).unwrap();
    let failed = store.commit(appends(vec![append("t", 1, &["lost"])])).await;
    assert!(matches!(failed, Err(StoreError::Failed(_))));
    fs::create_dir(&blobs).unwrap();
    let error = store.commit(appends(vec![append("t2", 0, &["x"])])).await.unwrap_err();
    assert!(error.to_string().contains("nothing more is stored"), "{error}");
    assert!(matches!(store.health(), StoreHealth::Ended { .. }));
    // Readers never see what was not acknowledged.
    assert_eq!(store.read_log("t", 0).await.unwrap(), ["kept"]);
    assert!(store.close().await.is_err());
}
