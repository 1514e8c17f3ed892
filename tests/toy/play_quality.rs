//! Play quality: which seats are judged, and that each game is judged exactly once.

use std::sync::Arc;

use caravanserai_bot::repository::keys;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::{JudgedGame, JudgedSeat};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Append, Commit, Put, Space, Store};
use caravanserai_table::review::JudgedSpan;
use caravanserai_table::{EndReason, Event};

use crate::computers::{medium, then};
use crate::stage::memory::{MemoryStage, counted, limits};
use crate::{register_once, stage};

const GAME: &str = "people Ann Bek
Ann says /noughts computer casual me
Ann presses 5
Ann presses 3
Ann presses 7
everyone sees over";

#[test]
fn only_decisions_that_people_made_themselves_are_judged() {
    let span = |end, has_unfinished| JudgedSpan { seat: 0, end, has_unfinished };
    let table = medium();
    assert_eq!(table.judged_spans(), [span(u32::MAX, false)]);
    let hinted = then(&table, Event::HintGiven { seat: 0 });
    assert_eq!(hinted.judged_spans(), [span(0, true)]);
    let (scores, reason) = (vec![0, 1], EndReason::Resigned(0));
    let resigned = then(&table, Event::GameOver { scores, reason });
    assert_eq!(resigned.judged_spans(), [span(u32::MAX, true)]);
    let person = PersonId("web:bek".to_owned());
    let replaced = Event::SeatReplaced { seat: 0, person, name: "Bek".to_owned() };
    assert_eq!(then(&table, replaced).judged_spans(), []);
}

async fn judged(store: &Arc<dyn Store>, table: &TableId) -> Option<JudgedGame> {
    let row = store.get(Space::Meta, &keys::play_quality(table)).await.unwrap();
    row.map(|it| serde_json::from_slice(&it).unwrap())
}

async fn marked(store: &Arc<dyn Store>) -> usize {
    store.scan(Space::Meta, keys::UNJUDGED_PREFIX, None, 9).await.unwrap().len()
}

/// A stage on which one game was played, and its table.
async fn played() -> (MemoryStage, TableId) {
    register_once();
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage::play("judged", GAME, &mut stage).await;
    stage.patience(100).await;
    let (table, _) = stage.newest_table().await;
    (stage, table.id)
}

#[tokio::test]
async fn a_game_whose_process_stopped_is_judged_after_the_next_start() {
    let (mut stage, table) = played().await;
    let first = judged(&stage.store, &table).await.expect("it was judged");
    // 5, 3 and 7, where 1, 2 and 4 were free, cost four, one and three hundredths.
    assert_eq!(first.seats, [JudgedSeat { seat: 0, rounds: 1, decisions: 3, cost: 80 }]);
    assert_eq!(marked(&stage.store).await, 0);

    let mark = Put::new(Space::Meta, keys::unjudged(&table), Vec::new());
    let lost = Put::remove(Space::Meta, keys::play_quality(&table));
    stage.store.commit(Commit::from_puts(vec![mark, lost])).await.unwrap();
    stage.restart_with(counted(2), limits()).await;
    while marked(&stage.store).await > 0 {
        stage.ticks(1_000).await;
    }
    assert_eq!(judged(&stage.store, &table).await, Some(first));
}

#[tokio::test]
async fn a_table_that_cannot_be_read_keeps_no_others_waiting() {
    let (mut stage, table) = played().await;
    let ids = ["22222", "77777"].map(|it| TableId(it.to_owned()));
    let marks = ids.iter().chain([&table]);
    let marks = marks.map(|it| Put::new(Space::Meta, keys::unjudged(it), Vec::new())).collect();
    let damaged = Append { table: ids[0].0.clone(), expect: 0, lines: vec!["no log".to_owned()] };
    let commit = Commit { appends: vec![damaged], ..Commit::from_puts(marks) };
    stage.store.commit(commit).await.unwrap();
    stage.restart_with(counted(2), limits()).await;
    while marked(&stage.store).await > 1 {
        stage.ticks(1_000).await;
    }
    assert!(judged(&stage.store, &table).await.is_some());
    assert_eq!(judged(&stage.store, &ids[0]).await, None);
    let kept = stage.store.get(Space::Meta, &keys::unjudged(&ids[0])).await.unwrap();
    assert!(kept.is_some(), "it is judged once it can be read");
}
