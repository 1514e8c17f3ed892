//! A disk that really is full: the process goes on, says so, and ends when it is asked to.
//!
//! The shell limits how long a file may become, so that writing to sled's file fails as on a disk
//! without room; no rights are needed for that. The victim is this test binary again.

use std::path::Path;
use std::process::Command;

use caravanserai::store::sled::SledStore;
use caravanserai::store::{Store, StoreHealth};

use super::contract::{append, appends, put};
use super::on_disk;

const FOLDER: &str = "CARAVANSERAI_FULL_FOLDER";

/// Does nothing unless the test below runs it in a child process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_victim_writes_until_it_cannot() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let store = SledStore::open(Path::new(&folder)).unwrap();
    let from = store.length("t").await.unwrap();
    let mut acknowledged = from;
    let failed = loop {
        let mut commit = appends(vec![append("t", acknowledged, &["line"])]);
        let long = "x".repeat(3000);
        commit.puts = vec![put(caravanserai::store::Space::Head, &acknowledged.to_string(), &long)];
        match store.commit(commit).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error.to_string(),
        }
    };
    assert!(matches!(store.health(), StoreHealth::Ended { .. }), "{failed}");
    // Reading may fail as well by now; what it gives must be right. The process ends anyway.
    if let Ok(length) = store.length("t").await {
        assert_eq!(length, acknowledged);
    }
    let again = store.commit(appends(vec![append("u", 0, &["x"])])).await.unwrap_err();
    assert!(again.to_string().contains("nothing more is stored"), "{again}");
    // This used to wait for ever.
    assert!(store.close().await.is_err());
    println!("acknowledged {acknowledged} from {from}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_disk_that_is_full_loses_nothing_and_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let mut before = 0;
    // In blocks of 512 bytes; more room each time, as when somebody has tidied up.
    for blocks in [4_000, 8_000, 9_000, 14_000, 15_000, 16_500] {
        let me = std::env::current_exe().unwrap();
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let ran = Command::new("sh")
            .args(["-c", &script])
            .arg(me)
            .args(["--exact", "store::full::the_victim_writes_until_it_cannot"])
            .args(["--nocapture", "--test-threads=1"])
            .env(FOLDER, folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "{said} {}", String::from_utf8_lossy(&ran.stderr));
        let count = said.split_once("acknowledged ").unwrap().1.split(' ').next().unwrap();
        let acknowledged: u64 = count.parse().unwrap();
        assert!(acknowledged >= before);
        before = acknowledged;
        let store = on_disk(folder.path());
        // One commit may be there without having been acknowledged, never the other way round.
        let there = store.length("t").await.unwrap();
        assert!((acknowledged..=acknowledged + 1).contains(&there), "{there}");
        store.close().await.unwrap();
    }
    assert!(before > 100);
}
