//! Abandoned games: they take no room in their chat, admins may abort them, and they end after
//! ninety days.

use std::sync::Arc;

use caravanserai_bot::repository::keys;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::TablePhase;
use caravanserai_table::event::EndReason;

use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, play};

const DAY_MS: u64 = 24 * 3_600_000;

/// Lets days pass and meets the deadlines in them.
async fn pass_days(stage: &mut MemoryStage, days: u64) {
    for _ in 0..days {
        stage.ticks(DAY_MS).await;
    }
    stage.ticks(60_000).await;
    stage.ticks(60_000).await;
}

const GAME: &str = "people Bek Cyd Ann
Bek says /togyz @Cyd me no clock
Cyd presses Accept
Bek presses 7
everyone sees Cyd is to move";

/// Plays a script in which `{table}` is the code of the only table.
async fn play_at_table(stage: &mut MemoryStage, script: &str) {
    let code = stage.newest_table().await.0.id.0;
    play("at the table", &script.replace("{table}", &code), stage).await;
}

async fn game() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("begins", GAME, &mut stage).await;
    stage
}

/// Ann is the admin of the group.
#[tokio::test]
async fn an_admin_calls_off_an_abandoned_game() {
    let mut stage = game().await;
    pass_days(&mut stage, 13).await;
    play_at_table(&mut stage, "Ann says /abort {table}\nAnn gets reply Others are playing this")
        .await;
    pass_days(&mut stage, 2).await;
    let ends = "Dan says /abort {table}
                Dan gets reply You don’t play at this table
                Ann says /abort {table}
                Ann gets reply Send it again
                everyone sees Cyd is to move
                Ann says /abort {table}
                everyone sees Nobody had played here";
    play_at_table(&mut stage, ends).await;
    let (table, _) = stage.newest_table().await;
    assert_eq!(table.phase, TablePhase::Closed { reason: EndReason::Abandoned });
}

/// Otherwise an admin could abort a game that they are losing.
#[tokio::test]
async fn an_admin_who_plays_cannot_call_the_game_off() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let begins = "people Ann Bek
                  Bek says /togyz @Ann me no clock
                  Ann presses Accept";
    play("begins", begins, &mut stage).await;
    play(
        "plays",
        "Bek presses 7\nAnn presses 7\nBek presses 1\nBek sees Ann is to move",
        &mut stage,
    )
    .await;
    pass_days(&mut stage, 40).await;
    play_at_table(&mut stage, "Ann says /abort {table}\nAnn gets reply After the second move")
        .await;
}

#[tokio::test]
async fn a_game_ends_by_itself_after_ninety_days_without_a_move() {
    let mut stage = game().await;
    pass_days(&mut stage, 89).await;
    assert_eq!(stage.newest_table().await.0.phase, TablePhase::Playing);
    pass_days(&mut stage, 3).await;
    play("ends", "everyone sees Nobody had played here", &mut stage).await;
    let last = stage.platform.messages(&stage.group).pop().expect("the board is in the group");
    assert!(last.text.contains("Nobody had played here"), "{last:?}");
}

/// An earlier version wrote the deadlines of this game.
#[tokio::test]
async fn a_game_of_an_earlier_version_ends_too() {
    let mut stage = game().await;
    stage.ticks(1).await;
    let dues = stage.store.scan(Space::Due, "", None, 99).await.unwrap();
    let mut puts: Vec<Put> =
        dues.into_iter().map(|(key, _)| Put::remove(Space::Due, key)).collect();
    let aged = r#"{"list":4,"after":"","archives":true}"#;
    puts.push(Put::new(Space::Meta, keys::TTL_BACKFILL, aged));
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    stage.restart().await;
    pass_days(&mut stage, 92).await;
    play("ends", "everyone sees Nobody had played here", &mut stage).await;
}

#[tokio::test]
async fn abandoned_games_take_no_room_in_their_chat() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    for _ in 0..6 {
        play("begins", GAME, &mut stage).await;
    }
    let refused = "Bek says /togyz\nBek gets reply have opened or shown 6 tables here";
    play("full", refused, &mut stage).await;
    pass_days(&mut stage, 31).await;
    play("room", "Bek says /togyz\neveryone sees is waiting", &mut stage).await;
    assert_eq!(stage.tables().await.len(), 7);
}
