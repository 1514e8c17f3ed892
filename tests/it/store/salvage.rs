//! Salvage of a damaged folder: it saves what it can, names what is lost, and does not change the
//! folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use caravanserai::deletion_list::DeletionList;
use caravanserai::store_commands::{check_store, salvage};
use caravanserai_bot::repository::{BotLimits, DeletedAccount, Repository, SystemClock};
use caravanserai_store::sled::{SledOptions, SledStore};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Append, Commit, Put, Space, Store};

use super::folder::{Random, copy, runtime};
use super::on_disk;
use crate::archive::{Played, game};

const TABLES: usize = 200;
const LINES: usize = 16;

/// The logs of all tables.
type Logs = BTreeMap<String, Vec<String>>;

/// Plays at many tables side by side, with the rows that go along.
#[allow(clippy::needless_range_loop)] // The number is that of a line in each of several logs.
async fn fill(store: &SledStore) -> Logs {
    let lines: Vec<Vec<String>> =
        (0..4).map(|seed| Played::new(game("togyzkumalak"), 2, seed).played_out().lines).collect();
    let mut logs = Logs::new();
    for n in 0..LINES {
        let tables = (0..TABLES).map(async |t| {
            let (table, line) = (format!("t{t}"), lines[t % lines.len()][n].clone());
            let puts = vec![
                Put::new(Space::Head, table.as_str(), "togyzkumalak"),
                Put::new(
                    Space::Board,
                    format!("{table} tg:{t}"),
                    format!("{n} {}", "b".repeat(90)),
                ),
                Put::new(Space::Seen, format!("{t} {n}"), "answer").expires_at(1 << 50),
                Put::new(Space::Webchat, format!("long {}", t % 3), "long ".repeat(2000)),
            ];
            let appends = vec![Append::new(table.as_str(), n as u64, vec![line.clone()])];
            store.commit(Commit { appends, ..Commit::from_puts(puts) }).await.unwrap();
            (table, line)
        });
        for (table, line) in futures::future::join_all(tables).await {
            logs.entry(table).or_default().push(line);
        }
    }
    logs
}

async fn logs(store: &dyn Store) -> Logs {
    let mut logs = Logs::new();
    for (table, _) in store.scan(Space::Head, "", None, usize::MAX).await.unwrap() {
        let lines = store.read_log(&table, 0).await.unwrap();
        logs.insert(table, lines);
    }
    logs
}

fn bytes_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(bytes_of(&path));
        } else {
            files.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    files
}

/// A data folder whose program ended in an orderly way, one whose program was killed, and what both
/// hold.
struct Original {
    folder: tempfile::TempDir,
    logs: Logs,
}

impl Original {
    async fn make() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (clean, killed) = (folder.path().join("clean"), folder.path().join("killed"));
        let store = on_disk(&clean.join("store"));
        let logs = fill(&store).await;
        copy(&clean, &killed);
        store.close().await.unwrap();
        Self { folder, logs }
    }

    fn copied(&self, seed: u64) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let name = if seed.is_multiple_of(2) { "clean" } else { "killed" };
        copy(&self.folder.path().join(name), folder.path());
        folder
    }
}

/// Salvages into a new folder, and checks that a program can start on it.
async fn saved(from: &Path, seed: u64) -> (String, Logs) {
    let folder = tempfile::tempdir().unwrap();
    let to = StoreAddress::Folder(folder.path().join("saved"));
    let report = salvage(from, &to).await.unwrap_or_else(|error| panic!("seed {seed}: {error:#}"));
    let checked = check_store(&to).await.unwrap();
    assert!(checked.is_good(), "seed {seed}: {}", checked.to_text());
    let store =
        to.open_complete(SledOptions { read_all: true, ..SledOptions::default() }).await.unwrap();
    (report, logs(&*store).await)
}

#[test]
fn a_flipped_bit_loses_no_log() {
    let runtime = runtime();
    let original = runtime.block_on(Original::make());
    let seeds = std::env::var("CARAVANSERAI_DAMAGES").map_or(12, |n| n.parse().unwrap());
    let mut refused = 0;
    for seed in 0..seeds {
        let mut random = Random(seed);
        let folder = original.copied(seed);
        let db = folder.path().join("store/base-1/db");
        let mut bytes = fs::read(&db).unwrap();
        let at = usize::try_from(random.below(bytes.len() as u64)).unwrap();
        let bit = random.below(8);
        bytes[at] ^= 1 << bit;
        fs::write(&db, bytes).unwrap();
        // Half of the folders were opened by a program before they are salvaged.
        if seed % 4 < 2 {
            match SledStore::open(&folder.path().join("store")) {
                Ok(store) => assert_eq!(runtime.block_on(logs(&store)), original.logs),
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.contains("store salvage"), "seed {seed}: {error}");
                    assert!(error.contains(&format!("{}", folder.path().display())), "{error}");
                    refused += 1;
                }
            }
        }
        let before = bytes_of(folder.path());
        let (report, logs) = runtime.block_on(saved(folder.path(), seed));
        assert_eq!(logs, original.logs, "seed {seed}, bit {bit} at {at}: {report}");
        assert!(report.contains("nothing is lost"), "seed {seed}, bit {bit} at {at}: {report}");
        assert_eq!(bytes_of(folder.path()), before, "seed {seed}: the damaged folder was changed");
    }
    println!("{refused} of {seeds} were refused at a start");
}

/// Where four kilobytes are zeros, only logs with lines there are lost, and they are named.
#[test]
fn zeros_lose_only_the_lines_in_their_place() {
    let runtime = runtime();
    let original = runtime.block_on(Original::make());
    for seed in 0..6 {
        let mut random = Random(seed);
        let folder = original.copied(seed);
        let db = folder.path().join("store/base-1/db");
        let mut bytes = fs::read(&db).unwrap();
        let at = usize::try_from(random.below(bytes.len() as u64 - 4096)).unwrap();
        bytes[at..at + 4096].fill(0);
        fs::write(&db, bytes).unwrap();
        let (report, logs) = runtime.block_on(saved(folder.path(), seed));
        let mut shorter = 0;
        for (table, lines) in &original.logs {
            match logs.get(table) {
                Some(left) => {
                    assert!(lines.starts_with(left), "seed {seed}: {table} has other lines");
                    shorter += usize::from(left.len() < lines.len());
                }
                None => {
                    assert!(report.contains(&format!("table {table} is lost")), "{report}");
                    shorter += 1;
                }
            }
        }
        assert!(shorter < TABLES / 10, "seed {seed}: {shorter} tables have suffered: {report}");
    }
}

#[tokio::test]
async fn a_healthy_folder_is_salvaged_but_not_over_another_store() {
    let original = Original::make().await;
    let clean = original.folder.path().join("clean");
    let (report, logs) = saved(&clean, 0).await;
    assert!(report.contains("nothing is lost"), "{report}");
    assert_eq!(logs, original.logs);
    let same = salvage(&clean, &StoreAddress::Folder(clean.clone())).await.unwrap_err();
    assert!(same.to_string().contains("another"), "{same:#}");
    let killed = StoreAddress::Folder(original.folder.path().join("killed"));
    let filled = salvage(&clean, &killed).await.unwrap_err();
    assert!(format!("{filled:#}").contains("not empty"), "{filled:#}");
    // The bot runs.
    let _running = on_disk(&clean.join("store"));
    let empty = StoreAddress::Folder(original.folder.path().join("new"));
    let held = salvage(&clean, &empty).await.unwrap_err();
    assert!(format!("{held:#}").contains("in use by another process"), "{held:#}");
}

/// What was removed long before is still in old parts of the file, in most stores.
#[tokio::test]
async fn nobody_who_was_deleted_and_no_sent_message_comes_back() {
    let mut came_back = 0;
    for _ in 0..12 {
        came_back += salvage_after_a_deletion().await;
        if came_back > 0 {
            return;
        }
    }
    panic!("some damage brings the person back");
}

/// Damages each block of a store in which a person was deleted, and salvages it. Returns how often
/// the person was back and is deleted again.
async fn salvage_after_a_deletion() -> usize {
    const BLOCK: usize = 256;
    let original = tempfile::tempdir().unwrap();
    let store = Arc::new(on_disk(&original.path().join("store")));
    let (clock, limits) = (Arc::new(SystemClock), BotLimits::default());
    let chance = Box::new(|bytes: &mut [u8]| bytes.fill(7));
    let repository = Repository::new(store.clone(), clock, chance, limits);
    let key_tag = repository.deletion_key_tag().await.unwrap();
    let hash = repository.keyed_hash("tg:1").await.unwrap();
    let person = |n: usize| Put::new(Space::Person, format!("tg:{n}"), r#"{"name":"Zaphod"}"#);
    let sent = Put::new(Space::Outbox, "tg:1 0001", "sent");
    let puts = (1..60).map(person).chain([sent.clone()]).collect();
    store.commit(Commit::from_puts(puts)).await.unwrap();
    let gone = vec![Put::remove(Space::Person, "tg:1"), Put::remove(sent.space, sent.key)];
    store.commit(Commit::from_puts(gone)).await.unwrap();
    store.close().await.unwrap();
    drop((repository, store));
    let mut list = DeletionList::default();
    list.add(DeletedAccount { key_tag, hash, until_ms: u64::MAX / 2 });
    list.write(original.path()).unwrap();

    let base = Path::new("store/base-1/db");
    let whole = fs::read(original.path().join(base)).unwrap();
    let blocks = whole.chunks(BLOCK).enumerate().filter(|(_, it)| it.iter().any(|it| *it != 0));
    let (blocks, mut came_back): (Vec<usize>, usize) = (blocks.map(|(n, _)| n).collect(), 0);
    for n in blocks {
        let (folder, mut damaged) = (tempfile::tempdir().unwrap(), whole.clone());
        copy(original.path(), folder.path());
        let end = damaged.len().min((n + 1) * BLOCK);
        damaged[n * BLOCK..end].fill(0x5a);
        fs::write(folder.path().join(base), damaged).unwrap();
        let to = StoreAddress::Folder(folder.path().join("saved"));
        let Ok(report) = salvage(folder.path(), &to).await else { continue };
        let store = to.open_complete(SledOptions::default()).await.unwrap();
        assert!(store.scan(Space::Outbox, "", None, 1).await.unwrap().is_empty(), "block {n}");
        let is_back = store.get(Space::Person, "tg:1").await.unwrap().is_some();
        let is_deleted = store.get(Space::Meta, "deletion tg:1").await.unwrap().is_some();
        // Without the key of the hashes, nobody can tell whom the list means.
        let is_unknown = report.contains("cannot be compared with this store: 1");
        assert!(!is_back || is_deleted || is_unknown, "block {n}: {report}");
        came_back += usize::from(is_back && is_deleted);
        store.close().await.unwrap();
    }
    came_back
}
