//! Time in which no bot ran is given back once; where a clock is quick, also a short time.

use std::sync::Arc;

use caravanserai::ledger::keys;
use caravanserai::service::clock::Clock as _;
use caravanserai::store::Space;
use caravanserai::store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, play};

/// When the clock of the turn runs out.
async fn until_ms(stage: &MemoryStage) -> u64 {
    stage.newest_table().await.0.running().expect("Ann is on turn").until_ms
}

/// When a process last looked at deadlines, in milliseconds since 1970.
async fn marked_ms(stage: &MemoryStage) -> u64 {
    let row = stage.store.get(Space::Meta, keys::ALIVE).await.unwrap();
    row.map_or(0, |it| serde_json::from_slice(&it).unwrap())
}

/// A game of Ann and Bek with this clock, some seconds old.
async fn game(clock: &str) -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let opens = format!(
        "people Ann Bek\nAnn says /togyz @Bek me {clock}\nBek presses Accept\n\
         everyone sees Ann is to move"
    );
    play("opens", &opens, &mut stage).await;
    for _ in 0..4 {
        stage.ticks(1_000).await;
    }
    stage
}

/// The process ends, and another one starts after so many milliseconds.
async fn is_down(stage: &mut MemoryStage, ms: u64) {
    stage.service.kill().await;
    stage.ticks(0).await;
    stage.clock.pass_ms(ms);
    stage.restart().await;
}

#[tokio::test]
async fn a_quick_clock_gets_back_what_a_short_restart_takes() {
    let mut stage = game("20 s").await;
    assert!(stage.clock.now_ms() - marked_ms(&stage).await <= 1_000, "marked each second");
    let before_ms = until_ms(&stage).await;
    is_down(&mut stage, 15_000).await;
    let given_ms = until_ms(&stage).await - before_ms;
    assert!((15_000..=16_000).contains(&given_ms), "{given_ms}");
    // Another start gives nothing again, nor does one that takes no time.
    is_down(&mut stage, 0).await;
    is_down(&mut stage, 1_500).await;
    assert_eq!(until_ms(&stage).await - before_ms, given_ms);
}

#[tokio::test]
async fn marks_are_rare_without_a_quick_clock() {
    let stage = &mut game("1 day").await;
    let mut marks = std::collections::BTreeSet::new();
    for _ in 0..40 {
        stage.ticks(1_000).await;
        marks.insert(marked_ms(stage).await);
    }
    assert!(marks.len() <= 6, "{marks:?}");
    // The row of a quick clock goes when its game is over.
    let stage = &mut game("20 s").await;
    play("ends", "Ann says /resign\nAnn says /resign\nBek sees resigned", stage).await;
    assert!(stage.store.scan(Space::Meta, keys::QUICK, None, 1).await.unwrap().is_empty());
}
