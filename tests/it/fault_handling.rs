//! Fault handling: quarantined inputs, clock jumps, several processes on one store, deleted chats,
//! floods.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::outbox_entry::OutboxEntry;
use caravanserai_bot::repository::outbox_key::{BoardMode, OutboxKey};
use caravanserai_bot::service::{BotLimits, Service, ServiceDeps};
use caravanserai_games::ids::{MessageId, TableId};
use caravanserai_i18n::I18n;
use caravanserai_protocol::{UpdateHandler, UpdateKind};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Append, Commit, Put, Space, Store, StoreError, StoreLayer, StoreRow};

use crate::stage::memory::{MemoryStage, renderer, service};
use crate::stage::{LOOK_MS, Stage, VisibleMessage};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: u64 = 24 * 3_600_000;

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::default())).await
}

/// A game in which Ann is to move.
async fn playing() -> MemoryStage {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.service.wait_until_idle().await;
    stage
}

async fn press(stage: &mut MemoryStage, who: &str, label: &str) {
    let (message, press) = button(stage, who, label).await;
    stage.press_button(who, &message, &press).await;
}

async fn button(stage: &mut MemoryStage, who: &str, label: &str) -> (VisibleMessage, String) {
    let seen = stage.visible_messages(who).await;
    let found = seen.into_iter().rev().find_map(|it| {
        let press = it.buttons.iter().find(|(l, _)| l.starts_with(label))?.1.clone();
        Some((it, press))
    });
    found.unwrap_or_else(|| panic!("no button {label}"))
}

fn now_ms(stage: &MemoryStage) -> u64 {
    use caravanserai_bot::service::TimeSource;
    stage.clock.now_ms()
}

/// The boards in the group.
fn boards(stage: &MemoryStage) -> Vec<VisibleMessage> {
    stage.platform.messages(&stage.group).into_iter().filter(VisibleMessage::is_board).collect()
}

/// The logs of all tables.
async fn logs(store: &Arc<dyn Store>) -> Vec<String> {
    let mut all = Vec::new();
    for (table, _) in store.scan(Space::Head, "", None, 99).await.unwrap() {
        all.extend(store.read_log(&table, 0).await.unwrap());
    }
    all
}

async fn count(store: &Arc<dyn Store>, what: &str) -> usize {
    logs(store).await.iter().filter(|it| it.contains(what)).count()
}

/// Waits until a log has this, while the clockwork does its work.
async fn until(store: &Arc<dyn Store>, what: &str) {
    for _ in 0..10_000 {
        if count(store, what).await > 0 {
            return;
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    panic!("no log has “{what}”: {:?}", logs(store).await);
}

#[tokio::test]
async fn an_unreadable_deadline_is_quarantined_and_others_are_met() {
    let mut stage = stage().await;
    let rows = ["!", "0000000000000001 nobody", "0000000000000002 7k3fx tick"];
    let puts = rows.iter().map(|key| Put::new(Space::Due, *key, "{broken")).collect();
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    stage.send_group_message("Ann", "/togyz").await;
    stage.service.wait_until_idle().await;
    stage.clock.pass_ms(DAY_MS + 1);
    until(&stage.store, " close expired").await;
    // Only what becomes of the closed table later is left.
    let due = stage.store.scan(Space::Due, "", None, 9).await.unwrap();
    assert!(due.iter().all(|(key, _)| key.ends_with(" archive")), "{due:?}");
    let aside = stage.store.scan(Space::Meta, "aside due ", None, 9).await.unwrap();
    assert_eq!(aside.len(), rows.len(), "{aside:?}");
}

/// A store that panics when deadlines are claimed for the first time.
#[derive(Default)]
struct PanickingStore {
    inner: MemoryStore,
    has_panicked: AtomicBool,
}

#[async_trait]
impl StoreLayer for PanickingStore {
    fn inner(&self) -> &dyn Store {
        &self.inner
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        assert!(self.has_panicked.swap(true, Ordering::SeqCst), "made to panic");
        self.inner.claim_rows(space, upto, owner, for_ms, limit).await
    }
}

#[tokio::test]
async fn deadlines_are_met_after_a_panic_of_their_service() {
    let mut stage = MemoryStage::new(Arc::new(PanickingStore::default())).await;
    stage.send_group_message("Ann", "/togyz").await;
    stage.service.wait_until_idle().await;
    stage.ticks(DAY_MS + 1).await;
    assert_eq!(count(&stage.store, " close expired").await, 0, "it panics");
    stage.ticks(5_001).await;
    until(&stage.store, " close expired").await;
}

#[tokio::test]
async fn the_deadlines_of_a_table_are_stored_again_when_one_cannot_be_read() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz").await;
    stage.service.wait_until_idle().await;
    let due = stage.store.scan(Space::Due, "", None, 9).await.unwrap();
    let tick = due.iter().find(|(key, _)| key.ends_with(" tick")).unwrap();
    let broken = Put::new(Space::Due, tick.0.clone(), "");
    stage.store.commit(Commit::from_puts(vec![broken])).await.unwrap();
    stage.clock.pass_ms(DAY_MS + 1);
    until(&stage.store, " close expired").await;
}

#[tokio::test]
async fn a_damaged_table_delays_no_deadline_and_is_reported_in_its_chat() {
    let mut stage = stage().await;
    for _ in 0..2 {
        stage.send_group_message("Ann", "/togyz").await;
    }
    stage.service.wait_until_idle().await;
    let tables = stage.store.scan(Space::Head, "", None, 9).await.unwrap();
    let length = stage.store.log_length(&tables[0].0).await.unwrap();
    let line = Append::new(&tables[0].0, length, vec!["nonsense".into()]);
    let commit = Commit { appends: vec![line], ..Commit::default() };
    stage.store.commit(commit).await.unwrap();
    stage.clock.pass_ms(DAY_MS + 1);
    until(&stage.store, " close expired").await;
    stage.send_group_message("Ann", &format!("/board {}", tables[0].0)).await;
    assert!(stage.private_replies("Ann").await.last().unwrap().text.contains("set it aside"));
}

/// Adds a line to the log of a table that only a newer program can read.
async fn write_as_newer_program(store: &Arc<dyn Store>, table: &str) {
    let length = store.log_length(table).await.unwrap();
    let line = format!("{length} 1795262400000 mem/99 brandnew 0");
    let appends = vec![Append::new(table, length, vec![line])];
    store.commit(Commit { appends, ..Commit::default() }).await.unwrap();
}

/// Takes that line off again, as if a program that knows it ran now.
async fn read_as_newer_program(store: &Arc<dyn Store>, table: &str) {
    let mut lines = store.read_log(table, 0).await.unwrap();
    let length = lines.len() as u64;
    lines.pop();
    let (appends, drops) = (vec![Append::new(table, length, Vec::new())], vec![table.to_owned()]);
    store.commit(Commit { appends, drops, ..Commit::default() }).await.unwrap();
    let appends = vec![Append::new(table, 0, lines)];
    store.commit(Commit { appends, ..Commit::default() }).await.unwrap();
}

/// The keys of deadlines of clocks and lobbies, or of their marks.
async fn ticks(store: &Arc<dyn Store>, space: Space, prefix: &str) -> Vec<String> {
    let rows = store.scan(space, prefix, None, 99).await.unwrap();
    rows.into_iter().map(|(key, _)| key).filter(|key| key.ends_with(" tick")).collect()
}

/// The messages that wait to be sent.
async fn waiting(store: &Arc<dyn Store>) -> Vec<String> {
    let rows = store.scan(Space::Outbox, "", None, 9).await.unwrap();
    rows.into_iter().map(|(key, _)| key).collect()
}

/// Lets seconds pass one by one: no gap counts as an outage.
async fn pass_seconds(stage: &mut MemoryStage, seconds: u64) {
    for _ in 0..seconds {
        stage.ticks(1_000).await;
    }
}

#[tokio::test]
async fn a_table_of_a_newer_program_keeps_its_deadlines_and_goes_on_once_it_can_be_read() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz @Bek me 20 s").await;
    press(&mut stage, "Bek", "Accept").await;
    stage.service.wait_until_idle().await;
    let table = stage.store.scan(Space::Head, "", None, 9).await.unwrap().remove(0).0;
    write_as_newer_program(&stage.store, &table).await;
    pass_seconds(&mut stage, 60).await;
    let first = ticks(&stage.store, Space::Due, "").await;
    assert_eq!(first.len(), 1, "it is put off: {first:?}");
    let reported = ticks(&stage.store, Space::Meta, "aside due ").await;
    assert_eq!(reported.len(), 1, "{reported:?}");
    pass_seconds(&mut stage, 11 * 60).await;
    let second = ticks(&stage.store, Space::Due, "").await;
    assert!(second.len() == 1 && second != first, "it is put off again: {second:?}");
    let still_reported = ticks(&stage.store, Space::Meta, "aside due ").await;
    assert_eq!(still_reported, reported, "it is reported once");
    read_as_newer_program(&stage.store, &table).await;
    pass_seconds(&mut stage, 11 * 60).await;
    // Nobody could move meanwhile, so Ann had her whole turn before her time was up.
    let log = logs(&stage.store).await;
    let at = |what: &str| log.iter().position(|it| it.contains(what)).expect(what);
    assert!(at(" outage credit ") < at(" late "), "{log:?}");
}

#[tokio::test]
async fn a_damaged_deadline_of_a_table_that_cannot_be_read_is_put_off() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz").await;
    stage.service.wait_until_idle().await;
    let table = stage.store.scan(Space::Head, "", None, 9).await.unwrap().remove(0).0;
    let broken = ticks(&stage.store, Space::Due, "").await;
    let puts = broken.iter().map(|key| Put::new(Space::Due, key.clone(), "")).collect();
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    write_as_newer_program(&stage.store, &table).await;
    stage.ticks(DAY_MS + 1).await;
    let later = ticks(&stage.store, Space::Due, "").await;
    assert!(later.len() == 1 && later != broken, "it is put off: {later:?}");
    read_as_newer_program(&stage.store, &table).await;
    pass_seconds(&mut stage, 11 * 60).await;
    until(&stage.store, " close expired").await;
}

#[tokio::test]
async fn messages_of_a_table_that_cannot_be_read_wait_and_delay_no_others() {
    let mut stage = stage().await;
    for _ in 0..2 {
        stage.send_group_message("Ann", "/togyz").await;
    }
    stage.service.wait_until_idle().await;
    let tables = stage.tables().await;
    let (broken, sound) = (&tables[0].0, &tables[1].0);
    write_as_newer_program(&stage.store, &broken.id.0).await;
    let mut puts = Vec::new();
    for table in [broken, sound] {
        puts.push(OutboxEntry::changed_board(&stage.group, table).encode());
        puts.push(OutboxEntry::hand(&stage.group, table, 0).encode());
    }
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    stage.service.resume().await.unwrap();
    stage.service.wait_until_idle().await;
    let kept = waiting(&stage.store).await;
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept.iter().all(|it| it.contains(&broken.id.0)), "{kept:?}");
    let reported = stage.store.scan(Space::Meta, "aside outbox ", None, 9).await.unwrap();
    assert!(!reported.is_empty(), "the operator learns of it");
    // A person who opens the table after the repair gets all of it at once.
    read_as_newer_program(&stage.store, &broken.id.0).await;
    stage.send_group_message("Ann", &format!("/board {}", broken.id.0)).await;
    stage.service.resume().await.unwrap();
    stage.service.wait_until_idle().await;
    assert_eq!(waiting(&stage.store).await, Vec::<String>::new());
}

#[tokio::test]
async fn many_messages_of_a_table_that_cannot_be_read_delay_no_others() {
    let mut stage = stage().await;
    for _ in 0..2 {
        stage.send_group_message("Ann", "/togyz").await;
    }
    stage.service.wait_until_idle().await;
    let mut tables: Vec<_> = stage.tables().await.into_iter().map(|(table, _)| table).collect();
    tables.sort_by_key(|it| it.id.0.clone());
    let (broken, sound) = (&tables[0], &tables[1]);
    write_as_newer_program(&stage.store, &broken.id.0).await;
    let message = |table| OutboxEntry::changed_board(&stage.group, table).encode();
    let mut puts = vec![message(sound)];
    for version in 0..450 {
        let board = message(broken);
        let key = OutboxKey::board(&stage.group, &broken.id, version, BoardMode::Bottom).encode();
        puts.push(Put { key, ..board });
    }
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    stage.service.resume().await.unwrap();
    stage.service.wait_until_idle().await;
    let kept = stage.store.scan(Space::Outbox, "", None, 999).await.unwrap();
    assert_eq!(kept.len(), 450);
    assert!(kept.iter().all(|(key, _)| key.contains(&broken.id.0)), "{kept:?}");
}

/// The second request may be about something that the first message does not show yet.
#[tokio::test]
async fn a_board_that_is_requested_again_while_it_is_sent_is_sent_again() {
    let stage = playing().await;
    let (table, _) = stage.newest_table().await;
    let request = async || {
        let board = OutboxEntry::changed_board(&stage.group, &table).encode();
        stage.store.commit(Commit::from_puts(vec![board])).await.unwrap();
        stage.service.resume().await.unwrap();
    };
    let edits = || stage.platform.calls().iter().filter(|it| it.0 == "edit").count();
    let before = edits();
    stage.platform.set_hanging(true);
    request().await;
    stage.platform.wait_for_calls("edit", before + 1).await;
    request().await;
    stage.platform.set_hanging(false);
    stage.service.wait_until_idle().await;
    assert_eq!(edits(), before + 2);
    assert_eq!(stage.store.scan(Space::Outbox, "", None, 9).await.unwrap(), []);
}

#[tokio::test]
async fn messages_of_a_table_that_stays_unreadable_are_removed_after_a_day() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz").await;
    stage.service.wait_until_idle().await;
    let table = stage.tables().await.remove(0).0;
    write_as_newer_program(&stage.store, &table.id.0).await;
    let board = OutboxEntry::changed_board(&stage.group, &table).encode();
    stage.store.commit(Commit::from_puts(vec![board])).await.unwrap();
    for hours in [0, 12, 13] {
        assert_eq!(waiting(&stage.store).await.len(), 1, "before {hours} more hours");
        stage.clock.pass_ms(hours * 3_600_000);
        stage.service.resume().await.unwrap();
        stage.service.wait_until_idle().await;
    }
    assert_eq!(waiting(&stage.store).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_game_that_cannot_be_read_keeps_its_mark_and_delays_the_judging_of_no_other() {
    let mut stage = stage().await;
    for _ in 0..2 {
        stage.send_group_message("Ann", "/togyz").await;
    }
    stage.service.wait_until_idle().await;
    let tables = stage.store.scan(Space::Head, "", None, 9).await.unwrap();
    write_as_newer_program(&stage.store, &tables[0].0).await;
    let mark = |(table, _): &(String, Vec<u8>)| {
        Put::new(Space::Meta, keys::unjudged(&TableId(table.clone())), "")
    };
    let marks = tables.iter().map(mark).collect();
    stage.store.commit(Commit::from_puts(marks)).await.unwrap();
    pass_seconds(&mut stage, 70).await;
    stage.service.wait_until_idle().await;
    let left = stage.store.scan(Space::Meta, keys::UNJUDGED_PREFIX, None, 9).await.unwrap();
    let left: Vec<_> = left.into_iter().map(|(key, _)| key).collect();
    assert_eq!(left, [keys::unjudged(&TableId(tables[0].0.clone()))]);
}

#[tokio::test]
async fn a_clock_that_is_set_freezes_no_board_and_calls_nobody_twice() {
    let mut stage = playing().await;
    for (who, text, set_by) in [
        ("Ann", "/move 7", -HOUR_MS),
        ("Bek", "/move 7", 2 * HOUR_MS),
        ("Ann", "/move 1", -HOUR_MS),
    ] {
        stage.clock.set_ms(set_by);
        let before = stage.platform.calls().len();
        stage.send_group_message(who, text).await;
        stage.service.wait_until_idle().await;
        assert!(stage.platform.calls().len() > before, "{text} is shown at once");
    }
    assert_eq!(count(&stage.store, " step ").await, 3);
    // Bek is silent: he is called once, although the clock passes that moment three times.
    for set_by in [2 * HOUR_MS, -2 * HOUR_MS, 2 * HOUR_MS, -2 * HOUR_MS, 2 * HOUR_MS] {
        stage.clock.set_ms(set_by);
        stage.clock.pass_ms(11_000);
        for _ in 0..200 {
            tokio::task::spawn_blocking(|| ()).await.unwrap();
        }
        stage.service.wait_until_idle().await;
    }
    let calls = stage.platform.calls();
    let called = calls.iter().filter(|(kind, _, text)| *kind == "post" && text.contains("Bek"));
    let called = called.filter(|(_, _, text)| text.contains("your turn")).count();
    assert_eq!(called, 1, "{calls:?}");
}

#[tokio::test]
async fn tables_of_a_deleted_place_end() {
    let mut stage = playing().await;
    stage.send_group_message("Ann", "/togyz").await;
    let update = stage.update("Ann", false, UpdateKind::ChatDeleted);
    stage.hear(update).await;
    stage.service.wait_until_idle().await;
    assert_eq!(count(&stage.store, " close vanished").await, 2);
    for space in [Space::ChatTable, Space::PersonTable, Space::Outbox] {
        assert!(stage.store.scan(space, "", None, 9).await.unwrap().is_empty(), "{space:?}");
    }
}

#[tokio::test]
async fn blocking_the_bot_closes_lobbies_in_the_private_chat() {
    let mut stage = stage().await;
    stage.send_private_message("Ann", "/thaayam computer").await;
    stage.send_private_message("Ann", "/thaayam 3 days").await;
    stage.service.wait_until_idle().await;
    let update = stage.update("Ann", true, UpdateKind::BotRemoved);
    stage.hear(update).await;
    stage.service.wait_until_idle().await;
    assert_eq!(count(&stage.store, " close ").await, 1, "{:?}", logs(&stage.store).await);
}

/// Another process on the same store, which speaks over the same platform.
async fn another(stage: &MemoryStage, seed: u64) -> Service {
    let other = service(stage.store.clone(), stage.clock.clone(), seed);
    other.add_platform(stage.platform.clone());
    other.start().await.unwrap();
    other
}

#[tokio::test]
async fn processes_see_each_others_changes() {
    let mut stage = playing().await;
    let other = another(&stage, 500).await;
    for n in 0..6 {
        let (who, pit) =
            [("Ann", 7), ("Bek", 7), ("Ann", 1), ("Bek", 1), ("Ann", 3), ("Bek", 3)][n];
        let text = format!("/move {pit}");
        let update = stage.update(
            who,
            false,
            UpdateKind::Text { text, mentions: vec![], reply_to: None, is_addressed: false },
        );
        let told = if n % 2 == 0 { other.handle(update).await } else { stage.hear(update).await };
        assert!(told.iter().all(|it| it.purpose.is_ack()), "{who} is refused {pit}: {told:?}");
        assert_eq!(count(&stage.store, " step ").await, n + 1);
    }
    for _ in 0..10_000 {
        if stage.store.scan(Space::Outbox, "", None, 9).await.unwrap().is_empty() {
            break;
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
        // Drawing takes real time, on a busy machine a long one.
        other.wait_until_idle().await;
        stage.service.wait_until_idle().await;
    }
    assert!(stage.store.scan(Space::Outbox, "", None, 9).await.unwrap().is_empty());
    let boards = boards(&stage);
    assert_eq!(boards.len(), 1, "{boards:?}");
}

#[tokio::test]
async fn two_processes_at_once_let_each_move_be_made_once() {
    let mut stage = playing().await;
    let other = another(&stage, 500).await;
    let body = UpdateKind::Text {
        text: "/move 7".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let (one, two) = (stage.update("Ann", false, body.clone()), stage.update("Ann", false, body));
    let first = stage.service.clone();
    let (a, b, c) =
        tokio::join!(first.handle(one.clone()), other.handle(one), other.handle(two.clone()));
    assert_eq!(count(&stage.store, " step ").await, 1, "{a:?} {b:?} {c:?}");
    assert_eq!(a, b);
    assert_eq!(first.handle(two).await, c, "an update that arrives again gets the same reply");
}

#[tokio::test]
async fn a_first_press_counts_in_the_next_process_too() {
    let mut stage = playing().await;
    for (who, pit) in [("Ann", "7"), ("Bek", "7")] {
        stage.send_group_message(who, &format!("/move {pit}")).await;
    }
    let (message, press) = button(&mut stage, "Ann", "🏳 Resign").await;
    stage.pass_ms(LOOK_MS).await;
    let body = UpdateKind::Press { callback_data: press, message: Some(MessageId(message.id)) };
    let first = stage.update("Ann", false, body.clone());
    stage.hear(first).await;
    assert_eq!(count(&stage.store, " over ").await, 0);
    let other = another(&stage, 500).await;
    stage.clock.pass_ms(1_000);
    let second = stage.update("Ann", false, body);
    other.handle(second).await;
    assert_eq!(count(&stage.store, " over ").await, 1);
}

#[tokio::test]
async fn a_board_that_another_process_posted_meanwhile_is_the_only_one() {
    let mut stage = playing().await;
    (0..20).for_each(|_| stage.platform.chatter(&stage.group));
    stage.platform.set_hanging(true);
    let posted = stage.platform.calls().iter().filter(|it| it.0 == "post").count();
    let body = UpdateKind::Text {
        text: "/move 7".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let update = stage.update("Ann", false, body);
    stage.service.handle(update).await;
    stage.platform.wait_for_calls("post", posted + 1).await;
    // It hangs for so long that another process takes the chat over, and posts the board too.
    let shown = stage.platform.duplicate_last_message(&stage.group);
    let (key, value) = stage.store.scan(Space::Board, "", None, 9).await.unwrap().remove(0);
    let mut row: serde_json::Value = serde_json::from_slice(&value).unwrap();
    row["message"] = shown.0.clone().into();
    row["moving"] = false.into();
    let row = Put::new(Space::Board, key, row.to_string());
    stage.store.commit(Commit::from_puts(vec![row])).await.unwrap();
    stage.platform.set_hanging(false);
    stage.service.wait_until_idle().await;
    stage.send_group_message("Bek", "/move 1").await;
    stage.service.wait_until_idle().await;
    let stands = boards(&stage);
    assert_eq!(stands.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), [shown.0.as_str()]);
    assert!(stands[0].buttons.iter().any(|(_, press)| press.contains(".6.")), "{stands:?}");
    assert!(stage.store.scan(Space::Outbox, "", None, 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_board_that_a_late_edit_may_have_reverted_is_shown_again() {
    let mut stage = playing().await;
    let before = stage.platform.calls().iter().filter(|it| it.0 == "edit").count();
    stage.platform.set_hanging(true);
    stage.platform.lose_an_answer();
    let body = UpdateKind::Text {
        text: "/move 7".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let update = stage.update("Ann", false, body);
    stage.service.handle(update).await;
    stage.platform.wait_for_calls("edit", before + 1).await;
    // It hangs for so long that another process takes the chat over, shows the board and notes it.
    let (key, value) = stage.store.scan(Space::Board, "", None, 9).await.unwrap().remove(0);
    let mut row: serde_json::Value = serde_json::from_slice(&value).unwrap();
    row["shown"] = 99.into();
    let mut puts = vec![Put::new(Space::Board, key, row.to_string())];
    for (key, _) in stage.store.scan(Space::Outbox, "", None, 9).await.unwrap() {
        puts.push(Put { value: None, ..Put::new(Space::Outbox, key, "") });
    }
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    stage.platform.set_hanging(false);
    stage.patience(8_000).await;
    let edits = stage.platform.calls().iter().filter(|it| it.0 == "edit").count();
    assert_eq!(edits, before + 2, "{:?}", stage.platform.calls());
    assert!(boards(&stage)[0].text.contains("Bek is to move"));
    assert!(stage.store.scan(Space::Outbox, "", None, 9).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_changed_button_is_detected_by_another_process_too() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/thaayam").await;
    stage.service.wait_until_idle().await;
    let other = another(&stage, 500).await;
    let (message, join) = button(&mut stage, "Bek", "Join").await;
    let body = |press| UpdateKind::Press {
        callback_data: press,
        message: Some(MessageId(message.id.clone())),
    };
    let first = stage.update("Bek", false, body(join));
    stage.hear(first).await;
    stage.service.wait_until_idle().await;
    // The second tap of two reaches the process that has not shown the present board.
    let (_, leave) = button(&mut stage, "Bek", "Leave").await;
    let second = stage.update("Bek", false, body(leave.clone()));
    let told = other.handle(second).await;
    assert!(format!("{told:?}").contains("refuse-button-changed"), "{told:?}");
    assert_eq!(count(&stage.store, " stand ").await, 0);
    stage.clock.pass_ms(LOOK_MS);
    let third = stage.update("Bek", false, body(leave));
    other.handle(third).await;
    assert_eq!(count(&stage.store, " stand ").await, 1);
}

#[tokio::test]
async fn expired_rows_are_removed_and_open_tables_kept() {
    let mut stage = playing().await;
    stage.send_group_message("Ann", "/move 7").await;
    stage.service.wait_until_idle().await;
    assert!(!stage.store.scan(Space::Seen, "", None, 9).await.unwrap().is_empty());
    let messages = stage.store.scan(Space::Message, "", None, 9).await.unwrap().len();
    stage.store.remove_expired(now_ms(&stage) + 365 * DAY_MS, 9_999).await.unwrap();
    assert!(stage.store.scan(Space::Seen, "", None, 9).await.unwrap().is_empty());
    assert_eq!(stage.store.scan(Space::Message, "", None, 9).await.unwrap().len(), messages);
    assert_eq!(stage.store.scan(Space::Board, "", None, 9).await.unwrap().len(), 1);
    stage.send_group_message("Bek", "/resign").await;
    stage.send_group_message("Bek", "/resign").await;
    stage.service.wait_until_idle().await;
    stage.store.remove_expired(now_ms(&stage) + 365 * DAY_MS, 9_999).await.unwrap();
    for space in [Space::Message, Space::Board, Space::Outbox] {
        assert!(stage.store.scan(space, "", None, 9).await.unwrap().is_empty(), "{space:?}");
    }
    let due = stage.store.scan(Space::Due, "", None, 9).await.unwrap();
    assert!(due.iter().all(|(key, _)| key.ends_with(" archive")), "{due:?}");
}

#[tokio::test]
async fn an_open_table_has_few_deadlines_however_much_is_played() {
    let mut stage = playing().await;
    for (who, pit) in [("Ann", 7), ("Bek", 7), ("Ann", 1), ("Bek", 1)] {
        stage.send_group_message(who, &format!("/move {pit}")).await;
    }
    stage.service.wait_until_idle().await;
    let due = stage.store.scan(Space::Due, "", None, 99).await.unwrap();
    // Who is called, and when the game counts as forgotten.
    let kinds: Vec<&str> = due.iter().filter_map(|(key, _)| key.rsplit(' ').next()).collect();
    assert_eq!(kinds, ["call", "abandoned"], "{due:?}");
}

#[tokio::test]
async fn a_flood_of_requests_is_refused_politely_and_delays_nobody_else() {
    let mut stage = playing().await;
    let strict = Service::new(ServiceDeps {
        store: stage.store.clone(),
        i18n: Arc::new(I18n::new()),
        renderer: renderer(),
        clock: stage.clock.clone(),
        randomness: Box::new(|bytes| bytes.fill(7)),
        limits: BotLimits { requests_per_minute: 20, ..BotLimits::default() },
        contact: None,
        operator_settings: Default::default(),
    });
    let mut refused = 0;
    for _ in 0..30 {
        let body = UpdateKind::Text {
            text: "/games".into(),
            mentions: vec![],
            reply_to: None,
            is_addressed: false,
        };
        let update = stage.update("Ann", false, body);
        let told = strict.handle(update).await;
        refused += usize::from(told[0].message.text().to_plain().contains("faster than I can"));
    }
    assert_eq!(refused, 20, "half a minute's requests may come at once");
    let body = UpdateKind::Text {
        text: "/games".into(),
        mentions: vec![],
        reply_to: None,
        is_addressed: false,
    };
    let update = stage.update("Bek", false, body.clone());
    assert!(!strict.handle(update).await[0].message.text().to_plain().contains("faster"));
    stage.clock.pass_ms(60_000);
    let update = stage.update("Ann", false, body);
    assert!(!strict.handle(update).await[0].message.text().to_plain().contains("faster"));
    // Inline queries, which come with each letter, have a limit of their own.
    let queries = strict.inline_queries().expect("the service answers them");
    for n in 0..12 {
        let offers = queries.inline_results(&stage.person("Ann"), "togyz").await;
        assert_eq!(offers.is_empty(), n >= 10, "query {n}");
    }
    assert!(!queries.inline_results(&stage.person("Bek"), "togyz").await.is_empty());
}
