//! Backups that are encrypted to public keys: nothing in them is in the clear, the right identity
//! restores everything, and all errors are found before anything is written.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use caravanserai::store_commands::{
    backup, check_backup, check_store, make_backup_key, read_identities, restore,
};
use caravanserai_store::backup::{BackupIdentities, BackupRecipients, open_backup};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Commit, Put, Space, Store, StoredItem};
use tokio::task::JoinHandle;

use crate::backup::{fill, stored_items};
use crate::fuzz_targets::IDENTITY;

/// Planted in a row and in its key.
const NAME: &str = "Kyzzhibek-planted";

/// An identity file with this name, and the public key of it.
fn new_key(folder: &Path, name: &str) -> (PathBuf, String) {
    let file = folder.join(name);
    let said = make_backup_key(&file).unwrap();
    let public = said.split_once("\nBACKUP_RECIPIENTS=").unwrap().1.to_owned();
    (file, public)
}

fn holds(file: &Path, text: &str) -> bool {
    fs::read(file).unwrap().windows(text.len()).any(|part| part == text.as_bytes())
}

/// A folder with a store that is closed, and everything in it.
async fn planted(folder: &Path) -> (StoreAddress, Vec<StoredItem>) {
    let address = StoreAddress::Folder(folder.join("from"));
    let store = address.open().await.unwrap();
    fill(store.as_ref()).await;
    let put = Put::new(Space::Person, NAME, format!(r#"{{"name":"{NAME}"}}"#));
    // Long enough for several chunks of an encrypted backup.
    let long = (0..5).map(|n| Put::new(Space::Person, format!("long{n}"), "long".repeat(10_000)));
    store.commit(Commit::from_puts(long.chain([put]).collect())).await.unwrap();
    let all = stored_items(store.as_ref()).await;
    store.close().await.unwrap();
    (address, all)
}

async fn restored(file: &Path, to: &StoreAddress, identities: Option<&Path>) -> Vec<StoredItem> {
    let how = if identities.is_some() { "is encrypted" } else { "is NOT encrypted" };
    let identities = identities.map(|file| read_identities(file).unwrap());
    let report = check_backup(file, identities.as_ref()).await.unwrap();
    let text = report.to_text();
    assert!(report.is_good() && text.ends_with(&format!("\nthe backup {how}")), "{text}");
    let said = restore(file, to, identities.as_ref()).await.unwrap();
    assert!(said.ends_with(&format!("are restored into {to} from a backup that {how}")), "{said}");
    let store = to.open().await.unwrap();
    let all = stored_items(store.as_ref()).await;
    store.close().await.unwrap();
    all
}

#[tokio::test]
async fn encrypted_backups_hide_names_and_each_identity_restores_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| StoreAddress::Folder(folder.path().join(name));
    let (from, all) = planted(folder.path()).await;
    let [(ours, one), (safe, two)] = ["ours", "safe"].map(|name| new_key(folder.path(), name));
    let recipients = BackupRecipients::parse(&format!("{one},{two}")).unwrap();
    let [plain, file] = ["plain.txt", "encrypted"].map(|it| folder.path().join(it));

    let said = backup(&from, &plain, None).await.unwrap();
    assert!(said.ends_with("not encrypted, as BACKUP_RECIPIENTS is not set"), "{said}");
    let said = backup(&from, &file, Some(&recipients)).await.unwrap();
    assert!(said.ends_with(&format!("are backed up, encrypted to {one}, {two}")), "{said}");
    // The search would find them.
    assert!(holds(&plain, NAME) && holds(&plain, "caravanserai-backup"));
    assert!(!holds(&file, NAME) && !holds(&file, "caravanserai-backup"));
    assert!(fs::read(&file).unwrap().starts_with(b"age-encryption.org/v1\n"));
    let names = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
    let names: Vec<String> = names.map(|it| it.into_string().unwrap()).collect();
    assert!(names.iter().all(|it| !it.ends_with(".partial")), "{names:?}");

    assert!(restored(&file, &at("by-ours"), Some(&ours)).await == all);
    assert!(restored(&file, &at("by-safe"), Some(&safe)).await == all);
    // What earlier versions wrote.
    assert!(restored(&plain, &at("plain"), None).await == all);
    // A host who gives the identity relies on the encryption: the file may have been exchanged.
    let identities = read_identities(&ours).unwrap();
    let to = at("plain-too");
    let refused = check_backup(&plain, Some(&identities)).await.map(|it| it.to_text());
    for refused in [refused, restore(&plain, &to, Some(&identities)).await] {
        let why = format!("{:#}", refused.unwrap_err());
        assert!(why.contains("plain.txt") && why.contains("is NOT encrypted"), "{why}");
        assert!(why.contains("leave out --identity"), "{why}");
    }
    assert!(!folder.path().join("plain-too").exists(), "something was written");
}

/// In chat of the name of its file.
#[test]
fn an_identity_that_is_typed_as_an_argument_is_not_repeated() {
    for typed in ["AGE-SECRET-KEY-1HUSH", "age-secret-key-1hush", "Age-Secret-Key-1HUSH/x"] {
        let why = format!("{:#}", read_identities(Path::new(typed)).unwrap_err());
        assert!(!why.to_lowercase().contains("hush"), "{why}");
        assert!(why.contains("not shown") && why.contains("standard input"), "{why}");
    }
}

/// Opens a store in a folder, and gives backups of it as a running bot does.
#[cfg(unix)]
async fn serve(from: &StoreAddress) -> (Arc<dyn Store>, JoinHandle<io::Result<()>>) {
    let StoreAddress::Folder(data) = from.clone() else { panic!("{from:?} is no folder") };
    let running = from.open().await.unwrap();
    let serving = {
        let (store, data) = (running.clone(), data.clone());
        tokio::spawn(async move { caravanserai_store::backup::serve(store, &data).await })
    };
    while caravanserai_store::backup::connect(&data).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    (running, serving)
}

/// Each has an incomplete file of its own, and what an interrupted one left behind harms nothing.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_simultaneous_backups_to_one_file_leave_a_complete_one() {
    let folder = tempfile::tempdir().unwrap();
    let (from, all) = planted(folder.path()).await;
    let (running, serving) = serve(&from).await;
    let file = folder.path().join("file");
    let left = folder.path().join("file.partial");
    fs::write(&left, "of another").unwrap();
    let (one, two) = tokio::join!(backup(&from, &file, None), backup(&from, &file, None));
    assert!(one.unwrap().contains("are backed up") && two.unwrap().contains("are backed up"));
    assert_eq!(fs::read_to_string(&left).unwrap(), "of another");
    serving.abort();
    running.close().await.unwrap();
    let to = StoreAddress::Folder(folder.path().join("to"));
    assert!(restored(&file, &to, None).await == all);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_backup_of_a_running_bot_is_encrypted() {
    let folder = tempfile::tempdir().unwrap();
    let (from, all) = planted(folder.path()).await;
    let (identity, public) = new_key(folder.path(), "identity");
    let recipients = BackupRecipients::parse(&public).unwrap();
    let (running, serving) = serve(&from).await;
    let file = folder.path().join("encrypted");
    backup(&from, &file, Some(&recipients)).await.unwrap();
    assert!(!holds(&file, NAME));
    // The socket serves what reads the store as well.
    assert!(check_store(&from).await.unwrap().is_good());
    serving.abort();
    running.close().await.unwrap();
    let to = StoreAddress::Folder(folder.path().join("to"));
    assert!(restored(&file, &to, Some(&identity)).await == all);
}

#[tokio::test]
async fn an_undecryptable_backup_is_refused_before_any_write() {
    let folder = tempfile::tempdir().unwrap();
    let (from, _) = planted(folder.path()).await;
    let (identity, public) = new_key(folder.path(), "identity");
    let (other, _) = new_key(folder.path(), "other");
    let file = folder.path().join("good");
    let recipients = BackupRecipients::parse(&public).unwrap();
    backup(&from, &file, Some(&recipients)).await.unwrap();
    let good = fs::read(&file).unwrap();
    // The last chunk, the chunks before it, and the head are cut and changed.
    assert!(good.len() > 2 * 65_552, "there are several chunks");
    // The sum of the header in base64, its line feed, and the nonce of what follows.
    let head = good.windows(5).position(|it| it == b"\n--- ").unwrap() + 5 + 44 + 16;
    let mut bad = vec![
        good[..good.len() - 1].to_vec(),
        // Exactly behind the first piece.
        good[..head + 65_552].to_vec(),
        good[..100].to_vec(),
        good[..22].to_vec(),
        [good.clone(), b"\n".to_vec()].concat(),
    ];
    for at in (0..good.len()).step_by(good.len() / 40).chain([good.len() - 1]) {
        let mut flipped = good.clone();
        flipped[at] ^= 4;
        bad.push(flipped);
    }
    let to = StoreAddress::Folder(folder.path().join("to"));
    let identities = read_identities(&identity).unwrap();
    for bad in bad {
        let file = folder.path().join("bad");
        fs::write(&file, &bad).unwrap();
        assert!(check_backup(&file, Some(&identities)).await.is_err());
        let why = format!("{:#}", restore(&file, &to, Some(&identities)).await.unwrap_err());
        let is_other_file = why.contains("this is not a backup of Caravanserai");
        assert!(why.contains("take another copy of it") || is_other_file, "{why}");
        assert!(!folder.path().join("to").exists(), "something was written");
    }
    let other = read_identities(&other).unwrap();
    for (identities, expected) in [
        (Some(&other), "take that of a key which was in BACKUP_RECIPIENTS"),
        (None, "is encrypted: give the file of the identity that opens it with --identity FILE"),
    ] {
        assert!(check_backup(&file, identities).await.is_err());
        let why = format!("{:#}", restore(&file, &to, identities).await.unwrap_err());
        assert!(why.contains(expected) && why.contains("good"), "{why}");
        assert!(!folder.path().join("to").exists(), "something was written");
    }
}

/// The library parses the header again after each line, and keeps a line that has no end.
#[tokio::test]
async fn a_header_without_end_is_refused_before_all_of_it_is_read() {
    const LIMIT: usize = 64 * 1024;
    let identities = BackupIdentities::parse(IDENTITY).unwrap();
    let entry = format!("-> X25519 {0}\n{0}\n", "A".repeat(43));
    let lines = format!("age-encryption.org/v1\n{}", entry.repeat(2_000));
    let line = format!("age-encryption.org/v1\n-> {}", "x".repeat(200_000));
    let armor = format!("-----BEGIN AGE ENCRYPTED FILE-----\n{}", "x".repeat(200_000));
    for header in [lines, line, armor] {
        assert!(header.len() > 2 * LIMIT);
        let mut from = header.as_bytes();
        let opened = open_backup(&mut from, Some(&identities)).await;
        let why = opened.err().unwrap().to_string();
        assert!(why.contains("header") && why.contains("longer than 64 KiB"), "{why}");
        assert_eq!(header.len() - from.len(), LIMIT);
    }
}

/// Both were made by version 1.1.1 of the program `age`, the second one with `--armor`.
#[tokio::test]
async fn backups_encrypted_by_age_are_opened() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/seeds/backups");
    let identities = BackupIdentities::parse(IDENTITY).unwrap();
    let mut found = Vec::new();
    for (name, identities) in
        [("small", None), ("by-age", Some(&identities)), ("by-age-armored", Some(&identities))]
    {
        let file = fs::read(folder.join(name)).unwrap();
        let mut reader = open_backup(&file[..], identities).await.unwrap();
        let mut items = Vec::new();
        while let Some(item) = reader.next().await.unwrap() {
            items.push(item);
        }
        found.push(items);
    }
    assert_eq!(found[0].len(), 3);
    assert!(found[1] == found[0] && found[2] == found[0]);
}

#[cfg(unix)]
#[test]
fn an_identity_file_is_private_and_never_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (file, public) = new_key(folder.path(), "identity");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(text.contains(&format!("# public key: {public}\nAGE-SECRET-KEY-1")), "{public}");
    let why = make_backup_key(&file).unwrap_err().to_string();
    assert!(why.contains("exists already") && why.contains("choose another name"), "{why}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    fs::write(folder.path().join("long"), "x".repeat(70_000)).unwrap();
    for (name, expected) in [
        ("long", "too long to hold identities"),
        ("nowhere", "the identity file"),
        (".", "the identity file"),
    ] {
        let why = format!("{:#}", read_identities(&folder.path().join(name)).unwrap_err());
        assert!(why.contains(expected), "{why}");
    }
    let why = format!("{:#}", make_backup_key(&folder.path().join("no/folder")).unwrap_err());
    assert!(why.contains("cannot write"), "{why}");
}
