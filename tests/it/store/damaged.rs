//! Tables that cannot be read are listed with the reason, and can be taken away.

use std::fs;

use caravanserai::store_commands::{backup as back_up, check_store, close_table, list_damaged};
use caravanserai_store::backup;
use caravanserai_store::sled::SledStore;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Append, Commit, Put, Rewrite, Space, Store};
use caravanserai_table::archive;

use super::encrypted::new_keys;
use crate::archive::{Played, game};

#[tokio::test]
async fn a_table_that_cannot_be_read_is_listed_and_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let address = StoreAddress::Folder(folder.path().join("data"));
    let lines = Played::new(game("togyzkumalak"), 2, 1).played_out().lines;
    let torn = [&lines[..2], &lines[3..5]].concat();
    let store = address.open().await.unwrap();
    for (table, lines) in [("good1", lines.clone()), ("bad22", torn.clone())] {
        let puts = vec![
            Put::new(Space::Head, table, "togyzkumalak"),
            Put::new(Space::ChatTable, format!("tg:-1 {table}"), ""),
            Put::new(Space::PersonTable, format!("tg:7 {table}"), ""),
            Put::new(Space::Board, format!("{table} tg:-1"), "{}"),
            Put::new(Space::Message, format!("tg:-1 {table}77"), table),
            Put::new(Space::Meta, format!("quick {table}"), ""),
            Put::new(Space::Due, format!("00000000000001a2 {table} call"), "{}"),
        ];
        let appends = vec![Append::new(table, 0, lines)];
        store.commit(Commit { appends, ..Commit::from_puts(puts) }).await.unwrap();
    }
    let aside =
        Put::new(Space::Meta, "aside due 00000000000001a2 gone7 call", "").expires_at(1 << 50);
    store.commit(Commit::from_puts(vec![aside])).await.unwrap();
    store.close().await.unwrap();
    drop(store);

    let list = list_damaged(&address).await.unwrap();
    assert!(list.contains("table bad22 cannot be read: "), "{list}");
    assert!(list.contains("its board is in tg:-1"), "{list}");
    assert!(list.contains("set aside: due 00000000000001a2 gone7 call"), "{list}");
    assert!(!list.contains("good1"), "{list}");
    assert!(check_store(&address).await.unwrap().to_text().contains("table bad22"));

    let log = folder.path().join("bad22.log");
    let well = close_table(&address, "good1", &log).await.unwrap_err().to_string();
    assert!(well.contains("can be read"), "{well}");
    assert!(close_table(&address, "none9", &log).await.is_err());
    assert!(!log.exists());
    let told = close_table(&address, "bad22", &log).await.unwrap();
    assert!(told.contains("taken away with 7 rows"), "{told}");
    assert_eq!(fs::read_to_string(&log).unwrap().lines().collect::<Vec<_>>(), torn);
    let report = check_store(&address).await.unwrap();
    assert!(report.is_good(), "{}", report.to_text());
    assert_eq!(report.tables, 1);
    let store = address.open().await.unwrap();
    for space in [Space::Head, Space::ChatTable, Space::Board, Space::Message, Space::Due] {
        assert_eq!(store.scan(space, "", None, 9).await.unwrap().len(), 1, "{space:?}");
    }
    assert!(
        close_table(&StoreAddress::Folder(folder.path().join("none")), "x", &log).await.is_err()
    );
}

/// The store itself refuses to read these tables: a line or a record was changed.
#[tokio::test]
async fn a_table_that_the_store_refuses_to_read_is_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let keys = new_keys(folder.path());
    let address = StoreAddress::Folder(folder.path().join("data")).with_keys(Some(keys));
    let lines = Played::new(game("togyzkumalak"), 2, 1).played_out().lines;
    let length = lines.len();
    let store = address.open().await.unwrap();
    let puts = vec![
        Put::new(Space::Head, "line1", "togyzkumalak"),
        Put::new(Space::Archive, "record1", archive::pack(&lines)),
        Put::new(Space::Archive, "record2", archive::pack(&lines)),
    ];
    let appends = vec![Append::new("line1", 0, lines.clone())];
    store.commit(Commit { appends, ..Commit::from_puts(puts) }).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    // What was moved cannot be decrypted.
    let below = SledStore::open(&folder.path().join("data/store")).unwrap();
    let mut changed = below.read_log("line1", 0).await.unwrap();
    changed[1] = changed[0].clone();
    let record = below.get(Space::Archive, "record2").await.unwrap().unwrap();
    let puts = vec![Put::new(Space::Archive, "record1", record)];
    let rewrites = vec![Rewrite { table: "line1".into(), lines: changed }];
    below.commit(Commit { rewrites, ..Commit::from_puts(puts) }).await.unwrap();
    below.close().await.unwrap();
    drop(below);

    let log = folder.path().join("line1.log");
    let said = close_table(&address, "line1", &log).await.unwrap();
    assert!(said.contains("changed or moved") && said.contains("with 1 rows"), "{said}");
    let kept = fs::read_to_string(&log).unwrap();
    let kept: Vec<&str> = kept.lines().collect();
    assert_eq!(kept.len(), length);
    assert_eq!((kept[0], kept[1]), (lines[0].as_str(), "# line 2 cannot be read"));
    assert_eq!(kept[2..], lines[2..]);
    let file = folder.path().join("record1");
    let said = close_table(&address, "record1", &file).await.unwrap();
    assert!(said.contains("record1"), "{said}");
    let store = address.open().await.unwrap();
    assert_eq!(store.log_length("line1").await.unwrap(), 0);
    assert_eq!(store.get(Space::Archive, "record1").await.unwrap(), None);
    assert!(store.get(Space::Archive, "record2").await.unwrap().is_some());
}

/// A backup with a hole would take the place of a good one.
#[tokio::test]
async fn a_running_bot_names_each_damaged_row_and_no_backup_hides_them() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("file"));
    let address = StoreAddress::Folder(data.clone()).with_keys(Some(new_keys(folder.path())));
    let store = address.open().await.unwrap();
    let row = |key: &str| Put::new(Space::Person, key, r#"{"name":"Zaphod"}"#);
    store.commit(Commit::from_puts(vec![row("tg:1"), row("tg:2"), row("tg:3")])).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    // What was moved cannot be decrypted.
    let below = SledStore::open(&data.join("store")).unwrap();
    let moved = below.get(Space::Person, "tg:1").await.unwrap().unwrap();
    let puts = ["tg:2", "tg:3"].map(|it| Put::new(Space::Person, it, moved.clone()));
    below.commit(Commit::from_puts(puts.to_vec())).await.unwrap();
    below.close().await.unwrap();
    drop(below);
    let is_named = |text: &str| text.contains("tg:2") && text.contains("tg:3");

    let store = address.open().await.unwrap();
    let serving = tokio::spawn({
        let data = data.clone();
        async move { backup::serve(store, &data).await }
    });
    while backup::connect(&data).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    assert!(is_named(&list_damaged(&address).await.unwrap()));
    let report = check_store(&address).await.unwrap();
    assert_eq!(report.problems.len(), 2, "{}", report.to_text());
    let refused = back_up(&address, &file, None).await.unwrap_err();
    let refused = format!("{refused:#}");
    assert!(is_named(&refused) && refused.contains("store list-damaged"), "{refused}");
    assert!(!file.exists());
    serving.abort();
    assert!(serving.await.unwrap_err().is_cancelled());
    // Without the bot it is the same.
    let refused = format!("{:#}", back_up(&address, &file, None).await.unwrap_err());
    assert!(is_named(&refused) && !file.exists(), "{refused}");
}
