//! Encrypted stores: what lies on the disk and in the database, and the commands of the operator.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use caravanserai::store_commands::{
    backup, check_store, copy_store, decrypt_store, encrypt_store, make_key, restore, salvage,
};
use caravanserai_store::encrypted::key_file::{NewKeyUse, StoreKeys};
use caravanserai_store::encrypted::{OpenPurpose, open_encrypted};
use caravanserai_store::sled::{SledOptions, SledStore};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Append, Commit, Put, Space, Store, StoredItem};
use sha2::{Digest, Sha256};

use crate::postgres::cluster;

/// Planted in values and log lines.
const SECRETS: [&str; 3] = ["Kyzzhibek-planted", "words-of-a-chat-planted", "seed-planted-93c1"];

/// The keys of a new file, and the file.
pub(super) fn new_keys(folder: &Path) -> Arc<StoreKeys> {
    let file = folder.join("keys");
    add_key(&file, NewKeyUse::Current).unwrap();
    read_keys(&file)
}

/// Adds a key that no other test has.
fn add_key(file: &Path, use_as: NewKeyUse) -> anyhow::Result<String> {
    static KEYS: AtomicU8 = AtomicU8::new(1);
    make_key(file, &[KEYS.fetch_add(1, Ordering::Relaxed); 32], use_as)
}

fn read_keys(file: &Path) -> Arc<StoreKeys> {
    Arc::new(StoreKeys::parse(&std::fs::read_to_string(file).unwrap()).unwrap())
}

/// Any store, encrypted with a new key.
pub async fn with_key(inner: Arc<dyn Store>) -> Arc<dyn Store> {
    let folder = tempfile::tempdir().unwrap();
    let keys = new_keys(folder.path());
    open_encrypted(inner, Some(&keys), OpenPurpose::Write).await.unwrap().store
}

async fn plant(store: &dyn Store) {
    let [name, words, seed] = SECRETS;
    let long = format!("{words} ").repeat(2_000);
    let commit = Commit {
        appends: vec![Append::new("t1", 0, vec![format!("0 {seed}"), format!("1 {name}")])],
        puts: vec![
            Put::new(Space::Person, "tg:1", format!(r#"{{"name":"{name}"}}"#)),
            Put::new(Space::Webchat, "message", long),
            Put::new(Space::Seen, "tg/1", name).expires_at(1 << 50),
            Put::new(Space::PersonTable, "tg:1 t1", ""),
        ],
        ..Commit::default()
    };
    store.commit(commit).await.unwrap();
}

async fn items(address: &StoreAddress) -> Vec<StoredItem> {
    let store = address.open_to_read().await.unwrap();
    let (mut snapshot, mut items) = (store.snapshot().await.unwrap(), Vec::new());
    loop {
        let more = snapshot.next_items().await.unwrap();
        if more.is_empty() {
            store.close().await.unwrap();
            return items;
        }
        items.extend(more);
    }
}

/// The planted texts that are found in the files of a folder.
fn found_in_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(found_in_files(&path));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let holds = |text: &&str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        let texts = SECRETS.iter().filter(|text| holds(text));
        found.extend(texts.map(|text| format!("{text} in {}", path.display())));
    }
    found
}

#[tokio::test]
async fn planted_texts_are_in_no_file_of_an_encrypted_folder() {
    let folder = tempfile::tempdir().unwrap();
    let keys = new_keys(folder.path());
    for (name, keys) in [("plain", None), ("encrypted", Some(keys))] {
        let data = folder.path().join(name);
        let is_plain = keys.is_none();
        let address = StoreAddress::Folder(data.clone()).with_keys(keys);
        let store = address.open().await.unwrap();
        plant(store.as_ref()).await;
        assert_eq!(store.read_log("t1", 1).await.unwrap(), [format!("1 {}", SECRETS[0])]);
        store.close().await.unwrap();
        drop(store);
        // The search would find them.
        assert_eq!(found_in_files(&data).is_empty(), !is_plain, "{:?}", found_in_files(&data));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn planted_texts_are_in_no_row_of_an_encrypted_database() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let keys = new_keys(folder.path());
    for (keys, found) in [(None, "7"), (Some(keys), "0")] {
        let url = cluster::database().await;
        let store = StoreAddress::Database(url.clone()).with_keys(keys).open().await.unwrap();
        plant(store.as_ref()).await;
        let count = "SELECT (SELECT count(*) FROM caravanserai.entry
                             WHERE value <> '' AND position('planted'::bytea IN value) > 0)
                          + 2 * (SELECT count(*) FROM caravanserai.line
                             WHERE line LIKE '%planted%')";
        let rows = cluster::ask(&url, count).await;
        assert_eq!(cluster::first_word(&rows).as_deref(), Some(found));
        store.close().await.unwrap();
    }
}

/// A conversion is asked for, interrupted, finished by another start, and taken back.
#[tokio::test]
async fn a_folder_is_encrypted_and_decrypted_by_commands() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("keys"));
    let plain = StoreAddress::Folder(data.clone());
    let store = plain.open().await.unwrap();
    plant(store.as_ref()).await;
    store.close().await.unwrap();
    drop(store);
    // A file of the page, under the name that it would have.
    let hash = hex::encode(Sha256::digest(SECRETS[1]));
    let page_file = data.join("web-files").join(&hash[..2]).join(&hash);
    std::fs::create_dir_all(page_file.parent().unwrap()).unwrap();
    std::fs::write(&page_file, SECRETS[1]).unwrap();
    let before = items(&plain).await;
    let why = encrypt_store(&plain).await.unwrap_err().to_string();
    assert!(why.contains("no key is given"), "{why}");

    add_key(&file, NewKeyUse::Current).unwrap();
    let encrypted = plain.clone().with_keys(Some(read_keys(&file)));
    let said = encrypt_store(&encrypted).await.unwrap();
    assert!(said.starts_with("3 rows and 2 lines of logs are encrypted with key 1, and"), "{said}");
    assert!(check_store(&encrypted).await.is_ok());
    assert!(items(&encrypted).await == before);
    let how = || SledOptions::default();
    let why = plain.open_complete(how()).await.err().unwrap().to_string();
    assert!(why.contains("this store is encrypted and no key is given"), "{why}");

    // What was overwritten is gone from the disk after the store is compacted.
    caravanserai::store_commands::compact_store(&encrypted).await.unwrap();
    assert_eq!(found_in_files(&data), [""; 0]);

    // Another key, and the old one away.
    add_key(&file, NewKeyUse::Current).unwrap();
    let rotated = plain.clone().with_keys(Some(read_keys(&file)));
    assert!(encrypt_store(&rotated).await.unwrap().contains("with key 2"));
    let text = std::fs::read_to_string(&file).unwrap();
    let last = text.lines().last().unwrap();
    let only = Arc::new(StoreKeys::parse(last).unwrap());
    assert!(items(&plain.clone().with_keys(Some(only))).await == before);
    let why = items_error(&encrypted).await;
    assert!(why.contains("encrypted with key 2, which the key file does not list"), "{why}");

    let said = decrypt_store(&rotated).await.unwrap();
    assert!(said.contains("nothing is encrypted any more"), "{said}");
    assert!(items(&plain).await == before);
    assert_eq!(std::fs::read(&page_file).unwrap(), SECRETS[1].as_bytes());
}

async fn items_error(address: &StoreAddress) -> String {
    address.open_to_read().await.err().unwrap().to_string()
}

#[tokio::test]
async fn encrypted_stores_are_backed_up_restored_copied_and_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let keys = Some(new_keys(folder.path()));
    let at = |name: &str| StoreAddress::Folder(folder.path().join(name));
    let from = at("from").with_keys(keys.clone());
    let store = from.open().await.unwrap();
    plant(store.as_ref()).await;
    store.close().await.unwrap();
    drop(store);
    let before = items(&from).await;

    let file = folder.path().join("backup.txt");
    backup(&from, &file, None).await.unwrap();
    restore(&file, &at("restored").with_keys(keys.clone()), None).await.unwrap_err();
    assert!(items(&at("restored").with_keys(keys.clone())).await == before);
    copy_store(&from, &at("copied").with_keys(keys.clone())).await.unwrap();
    let mut copied = items(&at("copied").with_keys(keys.clone())).await;
    // Each copy has an id of its own.
    copied.retain(|it| !matches!(it, StoredItem::Row { key, .. } if key == "store id"));
    assert!(copied == before);
    let why = salvage(&folder.path().join("from"), &at("saved")).await.unwrap_err().to_string();
    assert!(why.contains("this store is encrypted and no key is given"), "{why}");
    let other = tempfile::tempdir().unwrap();
    let wrong = at("saved").with_keys(Some(new_keys(other.path())));
    let why = salvage(&folder.path().join("from"), &wrong).await.unwrap_err().to_string();
    assert!(why.contains("they are of another store"), "{why}");
    let saved = at("saved").with_keys(keys);
    salvage(&folder.path().join("from"), &saved).await.unwrap();
    let kept = items(&saved).await;
    assert!(before.iter().filter(|it| matches!(it, StoredItem::Row { .. })).all(|it| {
        kept.contains(it) || matches!(it, StoredItem::Row { space: Space::PersonTable, .. })
    }));
    for name in ["restored", "copied", "saved"] {
        assert_eq!(found_in_files(&folder.path().join(name)), [""; 0]);
    }
}

/// A process dies in the middle of a conversion: the next one goes on.
#[tokio::test]
async fn a_conversion_that_is_killed_goes_on_after_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let keys = new_keys(folder.path());
    let store = SledStore::open(folder.path()).unwrap();
    for n in 0..1_000 {
        let put = Put::new(Space::Person, format!("p{n:04}"), format!("{} {n}", SECRETS[0]));
        store.commit(Commit::from_puts(vec![put])).await.unwrap();
    }
    drop(store);
    for _ in 0..3 {
        let inner: Arc<dyn Store> = Arc::new(SledStore::open(folder.path()).unwrap());
        let opened = open_encrypted(inner, Some(&keys), OpenPurpose::Write).await.unwrap();
        let encrypted = opened.encrypted.unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let mut stop = Some(stop);
        let mut show = |_| {
            let _ = stop.take().map(|stop| stop.send(()));
        };
        tokio::select! {
            biased;
            _ = stopped => {}
            _ = encrypted.reencrypt(&mut show) => {}
        }
        let rows = encrypted_rows(encrypted.as_ref()).await;
        assert_eq!(rows.len(), 1_000);
        assert!(rows.iter().all(|(_, value)| value.starts_with(SECRETS[0].as_bytes())));
    }
    let inner: Arc<dyn Store> = Arc::new(SledStore::open(folder.path()).unwrap());
    let opened = open_encrypted(inner.clone(), Some(&keys), OpenPurpose::Write).await.unwrap();
    opened.encrypted.unwrap().reencrypt(&mut |_| ()).await.unwrap();
    let raw = encrypted_rows(inner.as_ref()).await;
    assert!(raw.iter().all(|(_, value)| !value.starts_with(SECRETS[0].as_bytes())));
}

async fn encrypted_rows(store: &dyn Store) -> Vec<(String, Vec<u8>)> {
    store.scan(Space::Person, "", None, 2_000).await.unwrap()
}

#[cfg(unix)]
#[test]
fn a_key_file_is_private_and_grows() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys");
    assert!(add_key(&file, NewKeyUse::Current).unwrap().starts_with("key 1 is in "));
    assert!(add_key(&file, NewKeyUse::Standby).unwrap().contains("move its line to the end"));
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    std::fs::write(&file, "what is this").unwrap();
    let why = format!("{:#}", add_key(&file, NewKeyUse::Current).unwrap_err());
    assert!(why.contains("line 1 is neither") && !why.contains("what is this"), "{why}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "what is this");
}
