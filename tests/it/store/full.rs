//! A disk that really is full, and one that fails (`EIO`): the process goes on, says so, and ends
//! when it is asked to.
//!
//! The shell limits how long a file may become, so that writing to sled's file fails as on a disk
//! without room; no rights are needed for that. Failures of the disk come from a few lines of C
//! between the program and the system. The victim is this test binary again.

use std::path::Path;
use std::process::Command;

use caravanserai_store::sled::{CompactMode, SledOptions, SledStore};
use caravanserai_store::{OpenError, Store, StoreHealth};

use super::contract::{append, appends, put};
use super::on_disk;

/// More commits than there is room for, or the disk lets through.
const COMMITS_MAX: u64 = 20_000;

const FOLDER: &str = "CARAVANSERAI_FULL_FOLDER";

/// Does nothing unless the test below runs it in a child process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_victim_writes_until_it_cannot() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let store = SledStore::open(Path::new(&folder)).unwrap();
    let from = store.log_length("t").await.unwrap();
    let mut acknowledged = from;
    let failed = loop {
        let mut commit = appends(vec![append("t", acknowledged, &["line"])]);
        let long = "x".repeat(3000);
        commit.puts = vec![put(caravanserai_store::Space::Head, &acknowledged.to_string(), &long)];
        // Otherwise it would write forever.
        assert!(acknowledged < from + COMMITS_MAX, "no write and no sync has failed");
        match store.commit(commit).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error.to_string(),
        }
    };
    assert!(matches!(store.health(), StoreHealth::Ended { .. }), "{failed}");
    // Reading may fail as well by now; what it gives must be right. The process ends anyway.
    if let Ok(length) = store.log_length("t").await {
        assert_eq!(length, acknowledged);
    }
    let again = store.commit(appends(vec![append("u", 0, &["x"])])).await.unwrap_err();
    assert!(again.to_string().contains("nothing more is stored"), "{again}");
    // This used to wait forever.
    assert!(store.close().await.is_err());
    println!("acknowledged {acknowledged} from {from}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_disk_that_is_full_loses_nothing_and_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let mut before = 0;
    // In blocks of 512 bytes; more space each time, as after a cleanup.
    for blocks in [4_000, 8_000, 9_000, 14_000, 15_000, 16_500] {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let acknowledged = victim(folder.path(), &limited, &[]);
        assert!(acknowledged >= before);
        before = acknowledged;
        is_there(folder.path(), acknowledged).await;
    }
    assert!(before > 100);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_fails_once_loses_nothing_and_keeps_nobody_waiting() {
    let (_tools, shim) = failing_disk();
    let folder = tempfile::tempdir().unwrap();
    // A base is made first: one that fails to begin has nothing to lose.
    SledStore::open(folder.path()).unwrap().close().await.unwrap();
    let path = folder.path().canonicalize().unwrap();
    let mut before = 0;
    // Now a write, now a sync, of the base or of the mark beside it.
    for at in [40, 61, 82, 103, 124, 145, 166, 187] {
        let acknowledged = failing_victim(&path, &shim, &path, &[("FAILING_AT", &at.to_string())]);
        assert!(acknowledged >= before, "{at}: {acknowledged} of {before}");
        before = is_there(&path, acknowledged).await;
    }
    assert!(before > 10);
}

/// Does nothing unless the test below runs it in a child process.
#[test]
fn the_victim_opens_what_it_can() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    match SledStore::open(Path::new(&folder)) {
        Ok(_) => println!("opened"),
        Err(OpenError::Retryable(why)) => println!("waits: {why}"),
        Err(error) => println!("ends: {error}"),
    }
    // Closing a base on a full disk may take forever.
    std::process::exit(0);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_is_full_at_the_start_makes_the_bot_wait() {
    let (_tools, shim) = failing_disk();
    let folder = tempfile::tempdir().unwrap();
    SledStore::open(folder.path()).unwrap().close().await.unwrap();
    let path = folder.path().canonicalize().unwrap();
    let open = |full: &[(&str, &str)]| {
        let meant = path.join("mark");
        let once = [
            ("LD_PRELOAD", shim.as_str()),
            ("FAILING_FOLDER", meant.to_str().unwrap()),
            ("FAILING_AT", "1"),
        ];
        let environment = [&once, full].concat();
        run(&path, "the_victim_opens_what_it_can", "exec \"$0\" \"$@\"", &environment)
    };
    let said = open(&[("FAILING_FULL", "1")]);
    assert!(said.contains("waits: ") && said.contains("No space left"), "{said}");
    let said = open(&[]);
    assert!(said.contains("ends: "), "another failure of the disk is for the operator: {said}");
    is_there(&path, 0).await;
}

/// Does nothing unless the test below runs it in a child process.
#[test]
fn the_victim_rewrites_what_it_can() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let how = SledOptions { compact: CompactMode::Now, ..SledOptions::default() };
    match SledStore::open_with(Path::new(&folder), how) {
        Ok(_) => println!("rewritten"),
        Err(error) => println!("not rewritten: {error}"),
    }
    // Closing a base on a full disk may take forever.
    std::process::exit(0);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_is_full_during_a_rewrite_leaves_the_earlier_base() {
    let (_tools, shim) = failing_disk();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let store = on_disk(&path);
    for number in 0..40 {
        store.commit(appends(vec![append("t", number, &["line"])])).await.unwrap();
    }
    store.close().await.unwrap();
    let rewrite = |environment: &[(&str, &str)]| {
        run(&path, "the_victim_rewrites_what_it_can", "exec \"$0\" \"$@\"", environment)
    };
    let meant = path.join("base-2.new");
    for at in ["1", "2", "3"] {
        let full = [
            ("LD_PRELOAD", shim.as_str()),
            ("FAILING_FOLDER", meant.to_str().unwrap()),
            ("FAILING_AT", at),
            ("FAILING_TIMES", "1000000"),
            ("FAILING_FULL", "1"),
        ];
        let said = rewrite(&full);
        assert!(said.contains("not rewritten: ") && said.contains("No space left"), "{said}");
        assert_eq!(is_there(&path, 40).await, 40);
    }
    let said = rewrite(&[]);
    assert!(said.contains("rewritten") && !said.contains("not rewritten"), "{said}");
    assert_eq!(is_there(&path, 40).await, 40);
    assert!(path.join("base-2").exists(), "with the space the next try succeeds");
}

/// The mark is synced beside the commits, now and then: a failure there is not theirs.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_mark_that_cannot_be_synced_ends_the_writing_too() {
    let (_tools, shim) = failing_disk();
    let folder = tempfile::tempdir().unwrap();
    SledStore::open(folder.path()).unwrap().close().await.unwrap();
    let path = folder.path().canonicalize().unwrap();
    let synced = [("FAILING_CALL", "fdatasync"), ("FAILING_AT", "1")];
    let acknowledged = failing_victim(&path, &shim, &path.join("mark"), &synced);
    assert!(acknowledged > 0);
    is_there(&path, acknowledged).await;
}

/// The library that lets calls fail, in a folder that goes when it is dropped.
#[cfg(target_os = "linux")]
fn failing_disk() -> (tempfile::TempDir, String) {
    let tools = tempfile::tempdir().unwrap();
    let shim = tools.path().join("failing_disk.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/power/failing_disk.c");
    let made = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([shim.as_os_str(), source.as_os_str(), "-ldl".as_ref()])
        .status()
        .unwrap();
    assert!(made.success());
    let shim = shim.to_str().unwrap().to_owned();
    (tools, shim)
}

/// A victim whose disk fails once, at what lies under `meant`.
#[cfg(target_os = "linux")]
fn failing_victim(folder: &Path, shim: &str, meant: &Path, when: &[(&str, &str)]) -> u64 {
    let meant = meant.to_str().unwrap();
    let once = [("LD_PRELOAD", shim), ("FAILING_FOLDER", meant), ("FAILING_TIMES", "1")];
    victim(folder, "exec \"$0\" \"$@\"", &[&once, when].concat())
}

/// Lets [`the_victim_writes_until_it_cannot`] write, started by this script of a shell. Says how
/// many of its commits were acknowledged.
#[cfg(unix)]
fn victim(folder: &Path, script: &str, environment: &[(&str, &str)]) -> u64 {
    let said = run(folder, "the_victim_writes_until_it_cannot", script, environment);
    let count = said.split_once("acknowledged ").unwrap().1.split(' ').next().unwrap();
    count.parse().unwrap()
}

/// Runs one test of this file in a process that this script of a shell starts. Gives what it said.
#[cfg(unix)]
fn run(folder: &Path, test: &str, script: &str, environment: &[(&str, &str)]) -> String {
    let ran = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("store::full::{test}")])
        .args(["--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said} {}", String::from_utf8_lossy(&ran.stderr));
    said.into_owned()
}

/// The store opens again and holds what was acknowledged. Says how much it holds.
#[cfg(unix)]
async fn is_there(folder: &Path, acknowledged: u64) -> u64 {
    let store = on_disk(folder);
    // One commit may be there without having been acknowledged, never the other way round.
    let there = store.log_length("t").await.unwrap();
    assert!((acknowledged..=acknowledged + 1).contains(&there), "{there}");
    store.close().await.unwrap();
    there
}
