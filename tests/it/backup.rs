//! Backups and migration to another store: made while people play, whole and of one moment, refused
//! when damaged, restored into any kind of store so that every table plays through as before.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use caravanserai::config::Config;
use caravanserai::deletion_list::DeletionList;
use caravanserai::store_commands::{self, DeletionSources};
use caravanserai_bot::repository::{
    BotLimits, DeletedAccount, Repository, SystemClock, TimeSource,
};
use caravanserai_games::ids::TableId;
use caravanserai_store::encrypted::key_file::{NewKeyUse, StoreKeys};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::sled::SledOptions;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::transfer::refuse_unfinished;
use caravanserai_store::{Append, Commit, Put, Space, Store, StoredItem};
use caravanserai_table::{Table, archive};

use crate::archive::{Played, game};
use crate::postgres::cluster;

/// Rows of every kind besides tables, among them what a text has trouble with.
pub async fn fill(store: &dyn Store) {
    let mut puts = vec![
        Put::new(Space::ChatProfile, "tg:-100 x%y", "{\"lang\":\"kk\"}"),
        Put::new(Space::Keep, "short", "~\u{1F42A}\nline").expires_at(7),
        Put::new(Space::Webchat, "picture", (0..=255).cycle().take(90_000).collect::<Vec<u8>>()),
        Put::new(Space::Board, "empty", ""),
    ];
    let played = Played::new(game("togyzkumalak"), 2, 9).played_out();
    puts.push(Put::new(Space::Archive, "old", archive::pack(&played.lines)));
    store.commit(Commit::from_puts(puts)).await.unwrap();
}

/// Adds a line to every table in turn until it is told to stop; each commit also says how long
/// the log is now.
async fn play(store: &dyn Store, games: &[Vec<String>], enough: &AtomicBool) {
    let mut number = 0;
    while !enough.load(Ordering::Relaxed) {
        for (n, lines) in games.iter().enumerate() {
            let Some(line) = lines.get(number) else { continue };
            let table = format!("t{n}");
            let append = Append::new(table.as_str(), number as u64, vec![line.clone()]);
            let length = (number + 1).to_string();
            let puts = vec![
                Put::new(Space::Head, table.as_str(), length.as_str()),
                // A long value that changes: it lies in pieces on disk.
                Put::new(Space::Meta, table.as_str(), length.repeat(5_000)),
            ];
            store
                .commit(Commit { appends: vec![append], ..Commit::from_puts(puts) })
                .await
                .unwrap();
        }
        number += 1;
        tokio::task::yield_now().await;
    }
}

/// Everything, read in order.
pub async fn stored_items(store: &dyn Store) -> Vec<StoredItem> {
    let (mut snapshot, mut all) = (store.snapshot().await.unwrap(), Vec::new());
    loop {
        let items = snapshot.next_items().await.unwrap();
        if items.is_empty() {
            return all;
        }
        all.extend(items);
    }
}

/// What was restored is of one moment: each table has as many lines as its rows say.
async fn check_moment(store: &dyn Store, games: &[Vec<String>]) -> u64 {
    let mut played = 0;
    for (n, all) in games.iter().enumerate() {
        let table = format!("t{n}");
        let lines = store.read_log(&table, 0).await.unwrap();
        assert_eq!(lines, all[..lines.len()]);
        played += lines.len() as u64;
        if lines.is_empty() {
            continue;
        }
        let length = lines.len().to_string();
        let head = store.get(Space::Head, &table).await.unwrap().unwrap();
        assert_eq!(String::from_utf8(head).unwrap(), length);
        let long = store.get(Space::Meta, &table).await.unwrap().unwrap();
        assert!(long == length.repeat(5_000).into_bytes(), "{table}");
        let folded = Table::from_log(&TableId(table), &lines).unwrap();
        assert_eq!(folded.version, lines.len() as u64);
    }
    played
}

async fn backed_up_while_played_and_restored(from: StoreAddress, to: StoreAddress, folder: &Path) {
    let source = from.open().await.unwrap();
    fill(source.as_ref()).await;
    let games: Vec<Vec<String>> =
        (1..=12).map(|n| Played::new(game("togyzkumalak"), 2, n).played_out().lines).collect();
    #[cfg(unix)]
    let serving = from.folder().map(|folder| {
        let (store, folder) = (source.clone(), folder.to_owned());
        tokio::spawn(async move { caravanserai_store::backup::serve(store, &folder).await })
    });
    #[cfg(unix)]
    if let Some(folder) = from.folder() {
        while caravanserai_store::backup::connect(folder).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
    }
    let enough = Arc::new(AtomicBool::new(false));
    let playing = {
        let (source, games, enough) = (source.clone(), games.clone(), enough.clone());
        tokio::spawn(async move { play(source.as_ref(), &games, &enough).await })
    };
    while source.log_length("t0").await.unwrap() < 10 {
        tokio::task::yield_now().await;
    }
    let file = folder.join("backup.txt");
    let said = store_commands::backup(&from, &file, None).await.unwrap();
    assert!(said.contains("are backed up"), "{said}");
    let noted = source.scan(Space::Meta, "last backup ", None, 9).await.unwrap();
    assert_eq!(noted.len(), usize::from(from.folder().is_none()), "{noted:?}");
    enough.store(true, Ordering::Relaxed);
    playing.await.unwrap();

    let report = store_commands::check_backup(&file, None).await.unwrap();
    assert!(report.is_good(), "{}", report.to_text());
    assert_eq!((report.tables, report.records), (12, 1));
    store_commands::restore(&file, &to, None).await.unwrap();
    let target = to.open_complete(SledOptions::default()).await.unwrap();
    let played = check_moment(target.as_ref(), &games).await;
    assert!(played >= 100, "{played} lines were played when the backup began");
    // The same file from the restored store.
    let again = folder.join("again.txt");
    target.close().await.unwrap();
    drop(target);
    store_commands::backup(&to, &again, None).await.unwrap();
    assert!(fs::read(&file).unwrap() == fs::read(&again).unwrap(), "the two backups differ");
    let why = store_commands::restore(&file, &to, None).await.unwrap_err();
    assert!(format!("{why:#}").contains("not empty"), "{why:#}");
    #[cfg(unix)]
    if let Some(serving) = serving {
        serving.abort();
    }
    source.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_during_play_is_consistent() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|it| StoreAddress::Folder(folder.path().join(it)));
    backed_up_while_played_and_restored(from, to, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_is_backed_up_and_restored_in_the_same_way() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let from = StoreAddress::Database(cluster::database().await);
    let to = StoreAddress::Database(cluster::database().await);
    backed_up_while_played_and_restored(from, to, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_moves_into_a_database_and_back() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [from, back] = ["from", "back"].map(|it| StoreAddress::Folder(folder.path().join(it)));
    let database = StoreAddress::Database(cluster::database().await);
    let store = from.open().await.unwrap();
    fill(store.as_ref()).await;
    let games: Vec<Vec<String>> = vec![Played::new(game("blot"), 4, 3).played_out().lines];
    let append = Append::new("t0", 0, games[0].clone());
    store.commit(Commit { appends: vec![append], ..Commit::default() }).await.unwrap();
    let all = stored_items(store.as_ref()).await;
    store.close().await.unwrap();
    drop(store);
    store_commands::copy_store(&from, &database).await.unwrap();
    store_commands::copy_store(&database, &back).await.unwrap();
    let mut copied = stored_items(back.open().await.unwrap().as_ref()).await;
    // The copy in the database has an id of its own.
    copied.retain(|it| !matches!(it, StoredItem::Row { key, .. } if key == "store id"));
    assert!(copied == all);
    let why = store_commands::copy_store(&from, &database).await.unwrap_err();
    assert!(format!("{why:#}").contains("not empty"), "{why:#}");
}

#[tokio::test]
async fn a_damaged_or_cut_backup_is_refused_before_any_write() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|it| StoreAddress::Folder(folder.path().join(it)));
    let store = from.open().await.unwrap();
    fill(store.as_ref()).await;
    store.close().await.unwrap();
    drop(store);
    let file = folder.path().join("good.txt");
    store_commands::backup(&from, &file, None).await.unwrap();
    let good = fs::read(&file).unwrap();
    let lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();
    let mut bad = vec![
        good[..good.len() - 1].to_vec(),
        lines[..lines.len() - 1].concat(),
        [&lines[..2], &lines[3..]].concat().concat(),
        [&lines[..2], &lines[1..]].concat().concat(),
        // Every line is whole, and there are as many.
        [&lines[..1], &[lines[2], lines[1]], &lines[3..]].concat().concat(),
        [good.clone(), lines[1].to_vec()].concat(),
        b"caravanserai-backup 2\n".to_vec(),
        b"something else\n".to_vec(),
        Vec::new(),
    ];
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut flipped = good.clone();
        flipped[at] ^= 4;
        bad.push(flipped);
    }
    for bad in bad {
        let file = folder.path().join("bad.txt");
        fs::write(&file, &bad).unwrap();
        assert!(store_commands::check_backup(&file, None).await.is_err());
        let why = store_commands::restore(&file, &to, None).await.unwrap_err();
        assert!(format!("{why:#}").contains("bad.txt"), "{why:#}");
        assert!(!folder.path().join("to").exists(), "something was written");
    }
}

#[tokio::test]
async fn a_store_that_was_filled_in_part_is_not_played_on() {
    let (from, to) = (MemoryStore::new(), MemoryStore::new());
    fill(&from).await;
    let mut broken = Broken(from.snapshot().await.unwrap(), 0);
    let filled = caravanserai_store::transfer::fill_from(&mut broken, &to, &mut |_| ()).await;
    assert!(filled.is_err());
    let why = refuse_unfinished(&to).await.unwrap_err().to_string();
    assert!(why.contains("did not finish"), "{why}");
    refuse_unfinished(&from).await.unwrap();
}

/// Returns one item, then breaks.
struct Broken(Box<dyn caravanserai_store::Snapshot>, usize);

impl caravanserai_store::transfer::ItemSource for Broken {
    async fn read_items(
        &mut self,
    ) -> Result<Vec<StoredItem>, caravanserai_store::backup::BackupError> {
        self.1 += 1;
        if self.1 > 1 {
            return Err(std::io::Error::other("the network is gone").into());
        }
        Ok(self.0.next_items().await?.into_iter().take(1).collect())
    }
}

#[tokio::test]
async fn a_vanished_store_is_neither_backed_up_nor_changed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let address = StoreAddress::Folder(data.clone());
    address.open().await.unwrap().close().await.unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "the last backup").unwrap();
    let why = store_commands::backup(&address, &file, None).await.unwrap_err();
    assert!(format!("{why:#}").contains("the store is empty"), "{why:#}");
    // The file that the bot wrote beside the store that is not there now.
    fs::write(data.join("store-id"), "0123456789abcdef\n").unwrap();
    let copy = StoreAddress::Folder(folder.path().join("copy"));
    let log = folder.path().join("log");
    let refused = [
        store_commands::backup(&address, &file, None).await.unwrap_err(),
        store_commands::check_store(&address).await.unwrap_err(),
        store_commands::copy_store(&address, &copy).await.unwrap_err(),
        store_commands::rebuild_results(&address).await.unwrap_err(),
        store_commands::close_table(&address, "7k3fx", &log).await.unwrap_err(),
    ];
    for why in refused {
        assert!(format!("{why:#}").contains("is empty and was not before"), "{why:#}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "the last backup");
    assert!(!data.join("last-backup").exists() && !folder.path().join("copy").exists());
    let store = address.open().await.unwrap();
    assert!(stored_items(store.as_ref()).await.is_empty(), "nothing is written");
    // What is restored there is the store from now on.
    let other = StoreAddress::Folder(folder.path().join("other"));
    let id = Put::new(Space::Meta, "store id", "fedcba9876543210");
    let filled = other.open().await.unwrap();
    filled.commit(Commit::from_puts(vec![id])).await.unwrap();
    for store in [store, filled] {
        store.close().await.unwrap();
    }
    store_commands::backup(&other, &file, None).await.unwrap();
    store_commands::restore(&file, &address, None).await.unwrap();
    assert_eq!(fs::read_to_string(data.join("store-id")).unwrap(), "fedcba9876543210\n");
}

/// A command in the wrong folder makes no store there.
#[tokio::test]
async fn commands_for_an_existing_store_leave_an_empty_folder_empty() {
    let (folder, keys) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = keys.path().join("store.key");
    store_commands::make_key(&file, &[7; 32], NewKeyUse::Current).unwrap();
    let keys = StoreKeys::parse(&fs::read_to_string(&file).unwrap()).unwrap();
    let address = StoreAddress::Folder(folder.path().to_owned());
    let address = address.with_keys(Some(Arc::new(keys)));
    let data = ("DATA_DIR".to_owned(), folder.path().to_str().unwrap().to_owned());
    let config = Config::load(&[data].into(), None, folder.path()).unwrap();
    let copy = StoreAddress::Folder(folder.path().join("copy"));
    let refused = [
        store_commands::run_admin(&config, &["status".to_owned()]).await.err(),
        store_commands::rebuild_results(&address).await.err(),
        store_commands::encrypt_store(&address).await.err(),
        store_commands::decrypt_store(&address).await.err(),
        store_commands::close_table(&address, "7k3fx", &file).await.err(),
        store_commands::list_damaged(&address).await.err(),
        store_commands::compact_store(&address).await.err(),
        store_commands::copy_store(&address, &copy).await.err(),
        store_commands::backup(&address, &file, None).await.err(),
    ];
    for (number, why) in refused.into_iter().enumerate() {
        let why = format!("{:#}", why.unwrap_or_else(|| panic!("command {number} succeeded")));
        assert!(why.contains("holds no store"), "command {number}: {why}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn checking_a_store_says_which_table_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let address = StoreAddress::Folder(folder.path().to_owned());
    let store = address.open().await.unwrap();
    fill(store.as_ref()).await;
    let mut lines = Played::new(game("togyzkumalak"), 2, 1).lines;
    lines.push("7 1795262406543 tg/1 step 0 x".into());
    let append = Append::new("7k3fx", 0, lines);
    let torn = Put::new(Space::Archive, "torn", "no record");
    store.commit(Commit { appends: vec![append], ..Commit::from_puts(vec![torn]) }).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let report = store_commands::check_store(&address).await.unwrap();
    let text = report.to_text();
    assert_eq!(report.problems.len(), 2, "{text}");
    assert!(text.contains("table 7k3fx: ") && text.contains("the record of table torn: "));
    assert!(text.ends_with("2 are wrong"), "{text}");
}

/// Backs up two people to a file, of whom one is deleted afterwards. Returns the list of that.
async fn back_up_before_a_deletion(from: &StoreAddress, file: &Path) -> DeletionList {
    let store = from.open().await.unwrap();
    let put = |key: &str| Put::new(Space::Person, key, r#"{"name":"Zaphod"}"#);
    store.commit(Commit::from_puts(vec![put("tg:1"), put("tg:2")])).await.unwrap();
    let chance = Box::new(|bytes: &mut [u8]| bytes.fill(7));
    let (clock, limits) = (Arc::new(SystemClock), BotLimits::default());
    let repository = Repository::new(store.clone(), clock, chance, limits);
    let key_tag = repository.deletion_key_tag().await.unwrap();
    let hash = repository.keyed_hash("tg:2").await.unwrap();
    store.close().await.unwrap();
    drop((repository, store));
    store_commands::backup(from, file, None).await.unwrap();
    let mut list = DeletionList::default();
    list.add(DeletedAccount { key_tag, hash, until_ms: u64::MAX / 2 });
    list
}

/// The deletions that the bot begins when it starts on this store.
async fn requested_deletions(address: &StoreAddress) -> Vec<String> {
    let store = address.open().await.unwrap();
    let requests = store.scan(Space::Meta, "deletion ", None, 9).await.unwrap();
    store.close().await.unwrap();
    requests.into_iter().map(|it| it.0).collect()
}

/// A backup contains people who were deleted since: the list beside it repeats that.
#[tokio::test]
async fn a_restore_repeats_later_deletions() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|it| StoreAddress::Folder(folder.path().join(it)));
    let file = folder.path().join("file");
    back_up_before_a_deletion(&from, &file).await.write(folder.path()).unwrap();
    let said = store_commands::restore(&file, &to, None).await.unwrap();
    assert!(said.starts_with("people who deleted their data after this backup"), "{said}");
    assert_eq!(requested_deletions(&to).await, ["deletion tg:2"]);
}

/// In containers, only the backup itself lies where it is restored.
#[tokio::test]
async fn a_restore_takes_a_named_list_of_deletions_and_says_if_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let [from, without, to] =
        ["from", "without", "to"].map(|it| StoreAddress::Folder(folder.path().join(it)));
    let file = folder.path().join("file");
    let list = back_up_before_a_deletion(&from, &file).await;
    let said = store_commands::restore(&file, &without, None).await.unwrap();
    let places =
        format!("{} or {}", folder.path().join("without").display(), folder.path().display());
    assert!(
        said.starts_with(&format!("there is no list of deleted accounts in {places}: people who")),
        "{said}"
    );
    assert!(requested_deletions(&without).await.is_empty());
    // The list as the command writes it where the bot runs, and a file of any name elsewhere.
    list.write(&folder.path().join("from")).unwrap();
    let data = ("DATA_DIR".to_owned(), folder.path().join("from").to_str().unwrap().to_owned());
    let config = Config::load(&[data].into(), None, folder.path()).unwrap();
    let named = folder.path().join("fetched");
    let lists = DeletionSources { data_folder: None, file: Some(&named) };
    let why = store_commands::restore_with_lists(&file, &to, None, lists).await.unwrap_err();
    assert!(format!("{why:#}").contains("fetched does not exist"), "{why:#}");
    fs::copy(&file, &named).unwrap();
    let why = store_commands::restore_with_lists(&file, &to, None, lists).await.unwrap_err();
    assert!(format!("{why:#}").contains("line 1 is no entry"), "{why:#}");
    assert!(!folder.path().join("to").exists(), "nothing is restored without it");
    fs::write(&named, store_commands::deleted_accounts(&config).unwrap()).unwrap();
    let said = store_commands::restore_with_lists(&file, &to, None, lists).await.unwrap();
    assert!(said.starts_with("people who deleted their data after this backup"), "{said}");
    assert!(said.contains("accounts in the lists of deleted accounts: 1\n"), "{said}");
    assert_eq!(requested_deletions(&to).await, ["deletion tg:2"]);
}

/// A person may have cancelled since what a backup brings back.
#[tokio::test]
async fn a_restore_postpones_deletions_that_waited_and_tells_the_people() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|it| StoreAddress::Folder(folder.path().join(it)));
    let store = from.open().await.unwrap();
    let request = |key: &str, json: &str| Put::new(Space::Meta, key, json);
    let rows = vec![
        Put::new(Space::Person, "tg:1", r#"{"name":"Zaphod"}"#),
        request("deletion tg:1", r#"{"due_ms":1}"#),
        request("deletion tg:2", r#"{"due_ms":1,"started":{"part":"answer-data-games"}}"#),
    ];
    store.commit(Commit::from_puts(rows)).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let file = folder.path().join("file");
    store_commands::backup(&from, &file, None).await.unwrap();
    let said = store_commands::restore(&file, &to, None).await.unwrap();
    assert!(said.starts_with("people whose deletion waited in this backup"), "{said}");
    assert!(said.contains("cancelled it since: 1\n"), "{said}");
    let store = to.open().await.unwrap();
    let rows = store.scan(Space::Meta, "deletion ", None, 9).await.unwrap();
    let due = rows.iter().map(|(_, value)| {
        let request: serde_json::Value = serde_json::from_slice(value).unwrap();
        request["due_ms"].as_u64().unwrap()
    });
    let due: Vec<u64> = due.collect();
    assert!(due[0] > SystemClock.now_ms() + 6 * 24 * 3_600_000, "{due:?}");
    assert_eq!(due[1], 1, "what has begun goes on");
    let notices = store.scan(Space::Meta, "guard-notice ", None, 9).await.unwrap();
    let [(_, notice)] = &notices[..] else { panic!("{notices:?}") };
    assert!(String::from_utf8_lossy(notice).contains("tg:1"));
    store.close().await.unwrap();
}
