//! Archiving finished tables while people continue: logs become records by themselves and come back
//! when a person acts there, and nobody notices either.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use caravanserai_bot::repository::{BotLimits, Repository};
use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_store::faulty::{Fault, FaultyStore};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Append, Commit, Put, Space, Store};
use caravanserai_table::{Table, archive, verify};

use crate::archive::{Played, game};
use crate::stage::Stage;
use crate::stage::memory::MemoryStage;

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;
/// Most bytes that may stay of a finished game.
const BYTES_MAX: usize = 2048;

/// A game of some moves that Ann has resigned.
async fn over(store: impl Store) -> (MemoryStage, TableId) {
    let mut stage = MemoryStage::new(Arc::new(store)).await;
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept")] {
        stage.send_group_message(who, text).await;
    }
    for pit in [7, 7, 1, 1, 3, 3, 5, 5] {
        for who in ["Ann", "Bek"] {
            stage.send_group_message(who, &format!("/move {pit}")).await;
        }
    }
    stage.send_group_message("Ann", "/resign").await;
    stage.send_group_message("Ann", "/resign").await;
    stage.service.wait_until_idle().await;
    let heads = stage.store.scan(Space::Head, "", None, 9).await.unwrap();
    assert_eq!(heads.len(), 1);
    (stage, TableId(heads[0].0.clone()))
}

/// Lets the clockwork work until it is so; a minute passes whenever it has nothing to do.
async fn until(stage: &MemoryStage, is_so: impl AsyncFn(&dyn Store) -> bool) {
    for turn in 1..20_000 {
        if is_so(&*stage.store).await {
            return;
        }
        if turn % 50 == 0 {
            stage.clock.pass_ms(MINUTE_MS);
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    panic!("it never came");
}

async fn is_archived(store: &dyn Store, table: &TableId) -> bool {
    let record = store.get(Space::Archive, &table.0).await.unwrap();
    let length = store.log_length(&table.0).await.unwrap();
    assert_ne!(record.is_some(), length > 0, "there is always one whole form, and only one");
    record.is_some()
}

async fn archived(stage: &MemoryStage, table: &TableId) {
    stage.clock.pass_ms(7 * DAY_MS + 1);
    until(stage, async |store| is_archived(store, table).await).await;
}

/// The files that are posted for a command.
async fn posted(stage: &mut MemoryStage, text: &str, is_it: fn(&[u8]) -> bool) -> Vec<u8> {
    stage.send_group_message("Bek", text).await;
    stage.patience(200).await;
    let mut all = stage.received_content("Bek").await.into_iter().flat_map(|it| it.media);
    all.rfind(|it| is_it(it)).unwrap_or_else(|| panic!("nothing for {text}"))
}

async fn said(stage: &mut MemoryStage, text: &str) -> String {
    stage.send_group_message("Bek", text).await;
    stage.private_replies("Bek").await.last().unwrap().text.clone()
}

/// What a record says without when and by which update each step came.
fn essence(record: &[u8]) -> String {
    let text = String::from_utf8(record.to_vec()).unwrap();
    let line = |it: &str| match it.strip_prefix("% ").map(|it| it.splitn(4, ' ').collect()) {
        Some::<Vec<&str>>(parts) if parts.len() == 4 && parts[0].parse::<u64>().is_ok() => {
            format!("{} {}", parts[0], parts[3])
        }
        Some(_) | None => it.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn archiving_changes_no_answer_about_a_finished_game() {
    let (mut stage, table) = over(MemoryStore::new()).await;
    let is_text = |it: &[u8]| it.starts_with(b"[") || it.starts_with(b"%");
    let is_gif = |it: &[u8]| it.starts_with(b"GIF89a");
    let mut seen = Vec::new();
    for day in 0..2 {
        let asked = |what: &str| format!("/{what} {}", table.0);
        let record = posted(&mut stage, &asked("record"), is_text).await;
        let replay = posted(&mut stage, &asked("replay"), is_gif).await;
        let chart = said(&mut stage, &asked("chart")).await;
        let text = said(&mut stage, &asked("text")).await;
        let report = verify::verify_record(&String::from_utf8(record.clone()).unwrap()).unwrap();
        seen.push((essence(&record), replay, chart, text, report));
        if day == 0 {
            archived(&stage, &table).await;
            assert!(stage.store.scan(Space::Head, "", None, 9).await.unwrap().is_empty());
            assert!(stage.store.scan(Space::Due, "", None, 9).await.unwrap().is_empty());
        }
    }
    assert!(is_archived(&*stage.store, &table).await, "looking changes nothing");
    assert_eq!(seen[0], seen[1]);
    // After some time that is all that is left of it.
    let now_ms = stage.clock.now_ms();
    stage.store.remove_expired(now_ms + 365 * DAY_MS, 9_999).await.unwrap();
    stage.clock.pass_ms(365 * DAY_MS);
    let mut bytes = 0;
    for space in Space::ALL {
        for (key, value) in stage.store.scan(*space, "", None, 9_999).await.unwrap() {
            let of_it = key.contains(&table.0) || value == table.0.as_bytes();
            bytes += if of_it { key.len() + value.len() } else { 0 };
        }
    }
    println!("{bytes} bytes stay");
    assert!((1..=BYTES_MAX).contains(&bytes), "{bytes}");
}

#[tokio::test]
async fn acting_on_an_archived_table_restores_its_log() {
    let (mut stage, table) = over(MemoryStore::new()).await;
    let version = stage.store.log_length(&table.0).await.unwrap();
    archived(&stage, &table).await;
    for who in ["Ann", "Bek"] {
        stage.send_group_message(who, "/rematch").await;
    }
    stage.service.wait_until_idle().await;
    assert!(!is_archived(&*stage.store, &table).await);
    let mark = format!("restored {}", table.0);
    assert!(stage.store.get(Space::Meta, &mark).await.unwrap().is_some(), "a pass finds it");
    let lines = stage.store.read_log(&table.0, 0).await.unwrap();
    assert!(lines.len() as u64 > version && lines.last().unwrap().contains(" next "), "{lines:?}");
    assert_eq!(stage.store.scan(Space::Head, "", None, 9).await.unwrap().len(), 2);
    let seen = stage.visible_messages("Ann").await;
    assert!(seen.iter().any(|it| it.text.contains("Ann") && !it.buttons.is_empty()), "{seen:?}");
    // In its time it becomes a record again.
    archived(&stage, &table).await;
    let record = stage.store.get(Space::Archive, &table.0).await.unwrap().unwrap();
    assert_eq!(archive::unpack(&record).unwrap().len(), lines.len());
}

#[tokio::test]
async fn wherever_it_is_cut_one_form_is_whole() {
    for fault in [Fault::Fail, Fault::AnswerLost, Fault::Conflict, Fault::Delay(40)] {
        let troubles = Arc::new(AtomicUsize::new(0));
        let met = troubles.clone();
        let store = FaultyStore::with_chooser(MemoryStore::new(), move |commit| {
            let moves = commit.drops.len()
                + commit
                    .puts
                    .iter()
                    .filter(|it| it.space == Space::Archive && it.value.is_none())
                    .count();
            let troubled = moves > 0 && met.fetch_add(1, Ordering::Relaxed) < 2;
            if troubled { fault } else { Fault::None }
        });
        let (mut stage, table) = over(store).await;
        stage.clock.pass_ms(7 * DAY_MS + 1);
        until(&stage, async |store| {
            is_archived(store, &table).await || troubles.load(Ordering::Relaxed) > 0
        })
        .await;
        // Another process sees one form or the other, and the same table.
        assert!(!ledger(&stage).load_table(&table).await.unwrap().unwrap().is_open());
        archived(&stage, &table).await;
        for who in ["Ann", "Bek"] {
            stage.send_group_message(who, "/rematch").await;
            is_archived(&*stage.store, &table).await;
        }
        stage.service.wait_until_idle().await;
        assert!(troubles.load(Ordering::Relaxed) >= 2, "{fault:?}");
        let lines = Repository::load_log_lines(&ledger(&stage), &table).await.unwrap();
        Table::from_log(&table, &lines).unwrap();
    }
}

fn ledger(stage: &MemoryStage) -> Repository {
    let randomness = Box::new(|bytes: &mut [u8]| bytes.fill(7));
    Repository::new(stage.store.clone(), stage.clock.clone(), randomness, BotLimits::default())
}

#[tokio::test]
async fn one_of_two_concurrent_processes_archives() {
    let done = Arc::new(AtomicUsize::new(0));
    let counted = done.clone();
    let store = FaultyStore::with_chooser(MemoryStore::new(), move |commit| {
        counted.fetch_add(commit.drops.len(), Ordering::Relaxed);
        Fault::Delay(5)
    });
    let (stage, table) = over(store).await;
    let (one, two) = (ledger(&stage), ledger(&stage));
    let mut held = [
        one.lock_table(&table).await.unwrap().unwrap(),
        two.lock_table(&table).await.unwrap().unwrap(),
    ];
    let [first, second] = &mut held;
    let (a, b) =
        tokio::join!(one.archive_table(first, Vec::new()), two.archive_table(second, Vec::new()));
    assert!(a.is_ok() && b.is_ok(), "{a:?} {b:?}");
    assert_eq!(done.load(Ordering::Relaxed), 2, "both tried");
    assert!(is_archived(&*stage.store, &table).await);
    drop(held);
    // What one has in memory is not believed when the other has put it away.
    for ledger in [&one, &two] {
        let looked = ledger.load_table(&table).await.unwrap().unwrap();
        assert!(!looked.is_open());
    }
}

/// A table as bases of earlier versions hold it: nothing has a lifetime.
async fn old_base(store: &dyn Store, lines: &[String]) {
    let seen = format!(r#"{{"at_ms":{},"notes":[]}}"#, 1_795_262_400_000_u64 - DAY_MS);
    let puts = vec![
        Put::new(Space::Head, "7k3fx", "{}"),
        Put::new(Space::Board, "7k3fx mem:group", r#"{"message":"99"}"#),
        Put::new(Space::Message, "mem:group 99", "7k3fx"),
        Put::new(Space::Seen, "mem/old", seen),
    ];
    let appends = vec![Append::new("7k3fx", 0, lines.to_vec())];
    store.commit(Commit { appends, ..Commit::from_puts(puts) }).await.unwrap();
}

fn somebody(n: u8) -> PersonId {
    PersonId(format!("mem:{}", ["Ann", "Bek", "Cem", "Dan"][usize::from(n)]))
}

/// Waits until all old rows have a lifetime, and proves that they end.
async fn old_rows_end(stage: &MemoryStage) {
    until(stage, async |store| {
        store
            .get(Space::Meta, "aged")
            .await
            .unwrap()
            .is_some_and(|it| String::from_utf8(it).unwrap().contains("\"list\":5"))
    })
    .await;
    stage.clock.pass_ms(61 * DAY_MS);
    for (space, key) in [
        (Space::Board, "7k3fx mem:group"),
        (Space::Message, "mem:group 99"),
        (Space::Seen, "mem/old"),
    ] {
        assert_eq!(stage.store.get(space, key).await.unwrap(), None, "{space:?}");
    }
}

#[tokio::test]
async fn old_rows_get_a_ttl_after_an_unfinished_backfill() {
    let played = Played::among(game("thaayam"), 4, 2, "mem:group", somebody).played_out();
    let store = MemoryStore::new();
    old_base(&store, &played.lines).await;
    let first_list_is_done = r#"{"list":1,"after":"","archives":true}"#;
    let put = Put::new(Space::Meta, "aged", first_list_is_done);
    store.commit(Commit::from_puts(vec![put])).await.unwrap();
    let stage = MemoryStage::new(Arc::new(store)).await;
    old_rows_end(&stage).await;
}

#[tokio::test]
async fn games_that_ended_before_records_existed_get_a_ttl() {
    let played = Played::among(game("thaayam"), 4, 2, "mem:group", somebody).played_out();
    let store = MemoryStore::new();
    old_base(&store, &played.lines).await;
    let mut stage = MemoryStage::new(Arc::new(store)).await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    let table = TableId("7k3fx".into());
    archived(&stage, &table).await;
    let record = stage.store.get(Space::Archive, &table.0).await.unwrap().unwrap();
    assert!(record.len() <= BYTES_MAX, "{}", record.len());
    old_rows_end(&stage).await;
    // The table that is being played keeps everything.
    let heads = stage.store.scan(Space::Head, "", None, 9).await.unwrap();
    assert_eq!(heads.len(), 1);
    let board = format!("{} mem:group", heads[0].0);
    assert!(stage.store.get(Space::Board, &board).await.unwrap().is_some());
    assert!(stage.store.log_length(&heads[0].0).await.unwrap() > 0);
}

/// The rules of a game have changed since it was finished.
#[tokio::test]
async fn a_game_that_was_finished_by_older_rules_can_still_be_read() {
    for (code, seats) in [("togyzkumalak", 2), ("thaayam", 4), ("blot", 4)] {
        let mut played = Played::among(game(code), seats, 1, "mem:group", somebody).played_out();
        played.lines[0] = played.lines[0].replacen(" r1 ", " r0 ", 1);
        let store = MemoryStore::new();
        old_base(&store, &played.lines).await;
        let mut stage = MemoryStage::new(Arc::new(store)).await;
        let is_record = |it: &[u8]| it.windows(5).any(|it| it == b"% log");
        let table = TableId("7k3fx".into());
        let mut seen = Vec::new();
        for day in 0..2 {
            let record = posted(&mut stage, "/record 7k3fx", is_record).await;
            let report =
                verify::verify_record(&String::from_utf8(record.clone()).unwrap()).unwrap();
            assert!(report.text.contains("older rules") && !report.is_complete, "{report:?}");
            for what in ["board", "replay", "review", "chart", "text"] {
                let told = said(&mut stage, &format!("/{what} 7k3fx")).await;
                assert!(!told.is_empty() && !told.contains("set aside"), "{code} {what}: {told}");
            }
            seen.push(essence(&record));
            if day == 0 {
                archived(&stage, &table).await;
            }
        }
        assert_eq!(seen[0], seen[1]);
    }
}

/// What stays on disk of finished games, measured; the README tells what it prints.
#[tokio::test]
async fn a_year_of_games_needs_little_room() {
    use caravanserai_store::sled::{CompactMode, SledOptions, SledStore};
    let games: usize = std::env::var("CARAVANSERAI_GAMES").map_or(300, |n| n.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let store = SledStore::open(folder.path()).unwrap();
    let kinds = [("togyzkumalak", 2), ("thaayam", 4), ("blot", 4)];
    let mut played = Vec::new();
    for (seed, (code, seats)) in (0..12).zip(kinds.into_iter().cycle()) {
        played.push(Played::new(game(code), seats, seed).played_out().lines);
    }
    let (mut packed, mut logged) = (0, 0);
    for n in 0..games {
        let (lines, id) = (&played[n % played.len()], format!("{n:05}"));
        let appends = vec![Append::new(&*id, 0, lines.clone())];
        store.commit(Commit { appends, ..Commit::default() }).await.unwrap();
        let record = archive::pack(lines);
        packed += record.len();
        logged += lines.iter().map(|it| it.len() + 20).sum::<usize>();
        let (drops, put) = (vec![id.clone()], Put::new(Space::Archive, id, record));
        store.commit(Commit { drops, ..Commit::from_puts(vec![put]) }).await.unwrap();
    }
    store.close().await.unwrap();
    drop(store);
    let written = caravanserai_store::sled::folder_bytes(folder.path()).unwrap();
    let compact = SledOptions { compact: CompactMode::Now, ..SledOptions::default() };
    SledStore::open_with(folder.path(), compact).unwrap().close().await.unwrap();
    let after = caravanserai_store::sled::folder_bytes(folder.path()).unwrap();
    let each = |bytes: u64| bytes / games as u64;
    let year_gb = each(after) as f64 * 10_000.0 * 365.0 / 1e9;
    println!("{games} games: {} bytes a log, {} a record", logged / games, packed / games);
    println!("on disk {} as written, {} after store compact", each(written), each(after));
    println!("a year of 10,000 games a day: {year_gb:.1} GB");
}
