//! Codes of tables: they are unique also where few are left, and games that earlier programs wrote
//! into one log are separated.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use caravanserai::store_commands::check_store;
use caravanserai_bot::commands::{Request, TableRef};
use caravanserai_bot::parsing::request_parser;
use caravanserai_bot::repository::effects::{TableTransition, collect_effects};
use caravanserai_bot::service::{BotLimits, Randomness};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, TableId};
use caravanserai_protocol::{UpdateHandler, UpdateKind};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::sled::SledStore;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Append, Commit, Space, Store};
use caravanserai_table::event::LogLine;
use caravanserai_table::{Table, TablePhase, misplaced_lines, verify};

use crate::stage::memory::{MemoryStage, counted, limits, service_with, text};
use crate::stage::{Stage, VisibleMessage};

/// Codes have only so many different letters here: nearly every new one is taken already.
const LETTERS: u64 = 2;

/// Draws codes of two letters only, in another order for each seed; all else as usual.
fn few_codes(seed: u64) -> Randomness {
    let (usual, drawn) = (counted(seed), AtomicU64::new(seed));
    Box::new(move |bytes| match bytes {
        [letter] => {
            let n = drawn.fetch_add(1, Ordering::Relaxed);
            let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            *letter = (mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as u8 % LETTERS as u8;
        }
        bytes => usual(bytes),
    })
}

async fn heads(store: &dyn Store) -> Vec<TableId> {
    let rows = store.scan(Space::Head, "", None, 1_000).await.unwrap();
    rows.into_iter().map(|(key, _)| TableId(key)).collect()
}

/// Many tables are opened by two processes at once; each is whole in the end, and none is lost.
async fn many_tables(store: Arc<dyn Store>, tables_in_memory: usize) {
    let mut stage = MemoryStage::new(store.clone()).await;
    // Both processes draw the same codes in the same order.
    let limits = BotLimits { tables_in_memory, tables_per_person: 1_000, ..limits() };
    let bots = [1, 1].map(|seed| {
        service_with(store.clone(), stage.clock.clone(), few_codes(seed), limits.clone())
    });
    let mut opened = 0;
    for n in 0..30 {
        let mut updates = Vec::new();
        for (who, words) in [("Ann", "/togyz me 5+3"), ("Cem", "/thaayam")] {
            stage.group = ChatId(format!("mem:{who}{n}"));
            updates.push(stage.update(who, false, text(words)));
        }
        let [first, second]: [_; 2] = updates.try_into().unwrap();
        let (one, two) = tokio::join!(bots[0].handle(first), bots[1].handle(second));
        opened += [one, two].iter().filter(|it| it.iter().all(|it| it.purpose.is_ack())).count();
    }
    let all = heads(&*store).await;
    assert!(opened > 50, "{opened}");
    assert_eq!(all.len(), opened, "each table has a code of its own");
    for id in all {
        let lines = store.read_log(&id.0, 0).await.unwrap();
        let table = Table::from_log(&id, &lines).unwrap();
        assert_eq!(table.misplaced, None, "{id:?}");
    }
    for bot in bots {
        bot.kill_for_test().await;
    }
}

#[tokio::test]
async fn no_two_tables_share_a_code_with_any_cache() {
    for in_memory in [10_000, 4] {
        many_tables(Arc::new(MemoryStore::new()), in_memory).await;
    }
}

#[tokio::test]
async fn no_two_tables_share_a_code_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    many_tables(Arc::new(SledStore::open(folder.path()).unwrap()), 10_000).await;
}

#[tokio::test]
async fn no_two_tables_share_a_code_in_a_database() {
    if let Some(store) = crate::postgres::empty().await {
        many_tables(store, 10_000).await;
    }
}

/// A rematch draws the code of the very table that it follows.
#[tokio::test]
async fn a_rematch_never_gets_the_code_of_its_own_table() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    let usual = counted(1);
    let drawn = AtomicU64::new(0);
    // Three times the same code, then another.
    let randomness: Randomness = Box::new(move |bytes| match bytes {
        [letter] => *letter = u8::from(drawn.fetch_add(1, Ordering::Relaxed) >= 21),
        bytes => usual(bytes),
    });
    stage.restart_with(randomness, limits()).await;
    for (who, text) in [
        ("Ann", "/togyz @Bek me"),
        ("Bek", "/accept"),
        ("Ann", "/move 7"),
        ("Ann", "/resign"),
        ("Ann", "/resign"),
        ("Ann", "/rematch"),
        ("Bek", "/rematch"),
    ] {
        stage.send_group_message(who, text).await;
    }
    let all = heads(&*stage.store).await;
    assert_eq!(all.len(), 2, "{all:?}");
}

#[test]
fn codes_of_both_lengths_are_read_wherever_they_are_typed() {
    for code in ["7k3fx", "7k3fxb2", "2222222"] {
        for words in [format!("/board {code}"), format!("/board #{}", code.to_uppercase())] {
            let read = request_parser::parse_request(&text(&words), ChatKind::Group);
            let Some(Request::Table { table: TableRef::Id(id), .. }) = read else {
                panic!("{words}: {read:?}");
            };
            assert_eq!(id.0, code);
        }
    }
    for word in ["7k3fxb", "7k3fxb22", "kkkkk", "kkkkkkk"] {
        let read = request_parser::parse_request(&text(&format!("/board {word}")), ChatKind::Group);
        let named = matches!(read, Some(Request::Table { table: TableRef::Id(_), .. }));
        assert!(!named, "{word}: {read:?}");
    }
}

/// The log of the one table that these texts open in a chat, on a bot of its own.
async fn opening(chat: &str, texts: &[(&str, &str)]) -> Vec<String> {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    stage.group = ChatId(chat.into());
    for (who, text) in texts {
        stage.send_group_message(who, text).await;
    }
    let all = heads(&*stage.store).await;
    assert_eq!(all.len(), 1, "{chat}");
    stage.store.read_log(&all[0].0, 0).await.unwrap()
}

/// Appends an opening to the log of another table, as earlier programs did when they drew a code
/// that was taken.
async fn damage(stage: &MemoryStage, id: &TableId, opening: &[String]) {
    let known = Table::from_log(id, &stage.store.read_log(&id.0, 0).await.unwrap()).unwrap();
    let other = Table::from_log(id, opening).unwrap();
    let lines: Vec<LogLine> = opening.iter().map(|it| LogLine::parse(it).unwrap()).collect();
    let change = TableTransition {
        before: Some(&known),
        after: &other,
        lines: &lines,
        answered_seat: None,
        waiting: None,
    };
    let puts = collect_effects(change, &limits(), other.times.last_event_ms).puts;
    let appends = vec![Append::new(&*id.0, known.version, opening.to_vec())];
    stage.store.commit(Commit { appends, ..Commit::from_puts(puts) }).await.unwrap();
}

/// Waits until the bot has found and separated two tables by itself.
async fn separated(store: &dyn Store) {
    for _ in 0..20_000 {
        if heads(store).await.len() == 2 {
            return;
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    panic!("they were not separated");
}

async fn board(stage: &mut MemoryStage, who: &str) -> VisibleMessage {
    stage.service.wait_until_idle().await;
    stage.visible_messages(who).await.into_iter().rfind(VisibleMessage::is_board).unwrap()
}

#[tokio::test]
async fn two_games_in_one_log_are_separated_and_both_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let address = StoreAddress::Folder(folder.path().to_owned());
    let store = address.open().await.unwrap();
    let mut stage = MemoryStage::new(store.clone()).await;
    for (who, text) in [("Ann", "/togyz @Bek me 5+0"), ("Bek", "/accept"), ("Ann", "/move 7")] {
        stage.send_group_message(who, text).await;
    }
    stage.service.wait_until_idle().await;
    let id = heads(&*store).await.remove(0);
    let texts = [("Cem", "/thaayam @Dan me"), ("Dan", "/accept")];
    let other = opening("mem:others", &texts).await;
    assert!(other.iter().any(|it| it.contains(" start ")), "{other:?}");
    damage(&stage, &id, &other).await;
    let whole = store.read_log(&id.0, 0).await.unwrap();
    stage.restart().await;
    // An hour later Bek moves: his clock has not run meanwhile.
    stage.clock.pass_ms(3_600_000);
    separated(&*store).await;
    stage.send_group_message("Bek", "/move 7").await;
    stage.service.wait_until_idle().await;
    let lines = store.read_log(&id.0, 0).await.unwrap();
    assert_eq!(lines[..whole.len()], whole, "no line is lost");
    let game = Table::from_log(&id, &lines).unwrap();
    assert_eq!(
        (game.phase.clone(), game.history.steps.len()),
        (TablePhase::Playing, 2),
        "{lines:?}"
    );
    assert_eq!(game.misplaced, None);
    let late = lines.iter().any(|it| it.contains(" late "));
    assert!(!late && lines.iter().any(|it| it.contains(" credit ")), "{lines:?}");
    // The others have a table of their own, and its game goes on.
    let fresh = heads(&*store).await.into_iter().find(|it| *it != id).unwrap();
    stage.group = ChatId("mem:others".into());
    let shown = board(&mut stage, "Cem").await;
    assert!(shown.buttons.iter().all(|(_, press)| press.contains(&fresh.0)), "{shown:?}");
    let opened = Table::from_log(&fresh, &store.read_log(&fresh.0, 0).await.unwrap()).unwrap();
    assert_eq!(opened.seating.people().len(), 2);
    let (who, press) = (
        ["Cem", "Dan"][usize::from(opened.seating.occupant_index_of(0))],
        shown.buttons[0].1.clone(),
    );
    stage.press_button(who, &shown, &press).await;
    stage.service.wait_until_idle().await;
    let played = Table::from_log(&fresh, &store.read_log(&fresh.0, 0).await.unwrap()).unwrap();
    assert!(played.history.steps.len() > opened.history.steps.len());
    // Both are listed where they are played.
    for (chat, table) in [("mem:group", &id), ("mem:others", &fresh)] {
        let rows = store.scan(Space::ChatTable, &format!("{chat} "), None, 9).await.unwrap();
        assert_eq!(rows.len(), 1, "{chat}");
        assert!(rows[0].0.ends_with(&table.0));
    }
    // The record of the first game does not name the other people, and it is verified.
    stage.group = ChatId("mem:group".into());
    for _ in 0..2 {
        stage.send_group_message("Ann", "/resign").await;
    }
    stage.service.wait_until_idle().await;
    stage.send_group_message("Ann", &format!("/record {}", id.0)).await;
    stage.patience(200).await;
    let files = stage.received_content("Ann").await.into_iter().flat_map(|it| it.media);
    let record = files.filter_map(|it| String::from_utf8(it).ok()).find(|it| it.contains("% log"));
    let record = record.unwrap();
    assert!(!record.contains("mem:Cem") && !record.contains("mem:others"), "{record}");
    verify::verify_record(&record).unwrap();
    stage.service.kill_for_test().await;
    store.close().await.unwrap();
    drop((stage, store));
    let report = check_store(&address).await.unwrap();
    assert!(report.is_good(), "{}", report.to_text());
}

#[tokio::test]
async fn two_processes_separate_once_and_the_lobby_stays_open() {
    let store = Arc::new(MemoryStore::new());
    let mut stage = MemoryStage::new(store.clone()).await;
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept"), ("Ann", "/move 7")] {
        stage.send_group_message(who, text).await;
    }
    let id = heads(&*store).await.remove(0);
    let shown = board(&mut stage, "Bek").await;
    stage.service.kill_for_test().await;
    let other = opening("mem:others", &[("Cem", "/thaayam")]).await;
    damage(&stage, &id, &other).await;
    // Longer than a lobby lasts.
    stage.clock.pass_ms(3 * 24 * 3_600_000);
    let bots = [7, 8]
        .map(|seed| service_with(store.clone(), stage.clock.clone(), counted(seed), limits()));
    let press = shown.press("7").to_owned();
    let mut hear = || {
        let message = Some(MessageId(shown.id.clone()));
        stage.update("Bek", false, UpdateKind::Press { callback_data: press.clone(), message })
    };
    let (first, second) = (hear(), hear());
    tokio::join!(bots[0].handle(first), bots[1].handle(second));
    let all = heads(&*store).await;
    assert_eq!(all.len(), 2, "{all:?}");
    for table in all {
        let table = Table::from_log(&table, &store.read_log(&table.0, 0).await.unwrap()).unwrap();
        assert!(table.is_open() && table.misplaced.is_none());
    }
    let lines = store.read_log(&id.0, 0).await.unwrap();
    assert_eq!(lines.iter().filter(|it| it.contains(" parted ")).count(), 1, "{lines:?}");
}

#[tokio::test]
async fn the_check_says_that_two_tables_share_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let address = StoreAddress::Folder(folder.path().to_owned());
    let store = address.open().await.unwrap();
    let one = opening("mem:group", &[("Ann", "/togyz @Bek me"), ("Bek", "/accept")]).await;
    let two = opening("mem:others", &[("Cem", "/thaayam")]).await;
    let all = [one.clone(), two.clone()].concat();
    let appends = vec![Append::new("7k3fx", 0, all.clone())];
    store.commit(Commit { appends, ..Commit::default() }).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let report = check_store(&address).await.unwrap();
    let text = report.to_text();
    assert!(text.contains("7k3fx") && text.contains("another table"), "{text}");
    // The published log of the first table has a line for each number, and none of the other table.
    let shown = misplaced_lines::published_log(&all);
    assert_eq!((shown.len(), &shown[..one.len()]), (all.len(), &one[..]));
    assert!(shown[one.len()..].iter().all(|it| it.ends_with(" void")), "{shown:?}");
    assert_eq!(misplaced_lines::published_log(&one), one);
}
