//! Rights that are taken away from the bot: requests still count, and only the person who sends one
//! learns which right is missing.

use std::sync::Arc;

use caravanserai_protocol::SendError;
use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::{Seen, Stage};

async fn board(stage: &mut MemoryStage) -> Seen {
    stage.seen("Ann").await.into_iter().rfind(Seen::is_board).expect("there is a board")
}

async fn move_of(stage: &mut MemoryStage, who: &str, pit: &str) {
    let board = board(stage).await;
    stage.presses(who, &board, board.press(pit)).await;
    stage.service.wait_until_idle().await;
}

#[tokio::test]
async fn a_press_whose_board_cannot_be_shown_counts_and_whoever_pressed_is_told_why() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.says("Ann", "/togyz me @Bek").await;
    stage.says("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    stage.platform.fail_with([SendError::NotAllowed]);
    move_of(&mut stage, "Ann", "7").await;
    let told = stage.told("Ann").await.last().unwrap().text.clone();
    assert!(told.contains("counts") && told.contains("not allowed to send messages"), "{told}");
    assert!(stage.told("Bek").await.iter().all(|it| !it.text.contains("allowed")));
    assert!(board(&mut stage).await.text.contains("Ann is to move"), "the old one stands");
    // An admin has allowed it meanwhile; the old board still takes Bek's move for an old one.
    stage.says("Bek", "/move 1").await;
    stage.service.wait_until_idle().await;
    let told = stage.told("Bek").await;
    assert!(told.iter().any(|it| it.text.contains("If the board doesn’t change")), "{told:?}");
    let board = board(&mut stage).await;
    assert!(board.text.contains("Ann is to move") && board.text.contains("Bek"), "{board:?}");
    // Once it is shown nobody is told anything of the sort.
    let before = stage.told("Ann").await.len();
    move_of(&mut stage, "Ann", "2").await;
    let told = stage.told("Ann").await;
    assert!(told[before..].iter().all(|it| !it.text.contains("allowed")), "{told:?}");
}
