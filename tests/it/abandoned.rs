//! Games that nobody plays on: they close no chat, admins may end them, and they end by themselves.

use std::sync::Arc;

use caravanserai::ids::TableId;
use caravanserai::ledger::keys;
use caravanserai::store::memory::MemoryStore;
use caravanserai::store::{Commit, Put, Space};
use caravanserai::table::event::Reason;
use caravanserai::table::{Phase, Table};

use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, play};

const DAY_MS: u64 = 24 * 3_600_000;

async fn tables(stage: &MemoryStage) -> Vec<Table> {
    let mut all = Vec::new();
    for (id, _) in stage.store.scan(Space::Head, "", None, 99).await.unwrap() {
        let log = stage.store.log(&id, 0).await.unwrap();
        all.push(Table::fold(&TableId(id), &log).unwrap());
    }
    all
}

/// So many days pass, and what is due in them is done.
async fn days(stage: &mut MemoryStage, days: u64) {
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

/// Plays a script with the code of the only table in it.
async fn at_table(stage: &mut MemoryStage, script: &str) {
    let code = tables(stage).await.remove(0).id.0;
    play("at the table", &script.replace("{table}", &code), stage).await;
}

async fn game() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("begins", GAME, &mut stage).await;
    stage
}

/// Ann is the admin of the group.
#[tokio::test]
async fn an_admin_calls_off_a_game_that_nobody_plays_on() {
    let mut stage = game().await;
    days(&mut stage, 13).await;
    at_table(&mut stage, "Ann says /abort {table}\nAnn is told Others play this game").await;
    days(&mut stage, 2).await;
    let ends = "Dan says /abort {table}
                Dan is told You don’t play at this table
                Ann says /abort {table}
                Ann is told Send it again
                everyone sees Cyd is to move
                Ann says /abort {table}
                everyone sees Nobody had played on here";
    at_table(&mut stage, ends).await;
    let table = tables(&stage).await.remove(0);
    assert_eq!(table.phase, Phase::Closed { reason: Reason::Abandoned });
}

/// An admin who plays is a player: nobody calls off a game that they lose.
#[tokio::test]
async fn an_admin_who_plays_calls_nothing_off() {
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
    days(&mut stage, 40).await;
    at_table(&mut stage, "Ann says /abort {table}\nAnn is told After the second move").await;
}

#[tokio::test]
async fn a_game_ends_by_itself_after_ninety_days_without_a_move() {
    let mut stage = game().await;
    days(&mut stage, 89).await;
    assert_eq!(tables(&stage).await[0].phase, Phase::Playing);
    days(&mut stage, 3).await;
    play("ends", "everyone sees Nobody had played on here", &mut stage).await;
    let last = stage.platform.messages(&stage.group).pop().expect("the board stands there");
    assert!(last.text.contains("Nobody had played on here"), "{last:?}");
}

/// A game whose deadlines an earlier version has written.
#[tokio::test]
async fn a_game_of_an_earlier_version_ends_too() {
    let mut stage = game().await;
    stage.ticks(1).await;
    let dues = stage.store.scan(Space::Due, "", None, 99).await.unwrap();
    let mut puts: Vec<Put> =
        dues.into_iter().map(|(key, _)| Put::remove(Space::Due, key)).collect();
    let aged = r#"{"list":4,"after":"","archives":true}"#;
    puts.push(Put::new(Space::Meta, keys::AGED, aged));
    stage.store.commit(Commit::of(puts)).await.unwrap();
    stage.restart().await;
    days(&mut stage, 92).await;
    play("ends", "everyone sees Nobody had played on here", &mut stage).await;
}

#[tokio::test]
async fn games_that_nobody_plays_on_take_no_room_in_their_chat() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    for _ in 0..6 {
        play("begins", GAME, &mut stage).await;
    }
    play("full", "Bek says /togyz\nBek is told have opened 6 tables here", &mut stage).await;
    days(&mut stage, 31).await;
    play("room", "Bek says /togyz\neveryone sees is waiting", &mut stage).await;
    assert_eq!(tables(&stage).await.len(), 7);
}
