//! Replays and charts at tables: posted once, after a crash too, never lost with a failed call.

use std::sync::Arc;

use caravanserai_protocol::SendError;
use caravanserai_store::memory::MemoryStore;

use super::watch;
use crate::stage::Stage;
use crate::stage::memory::MemoryStage;

/// A game that Ann has resigned.
async fn over() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    for (who, text) in [
        ("Ann", "/togyz @Bek me"),
        ("Bek", "/accept"),
        ("Ann", "/move 7"),
        ("Bek", "/move 7"),
        ("Ann", "/resign"),
        ("Ann", "/resign"),
    ] {
        stage.send_group_message(who, text).await;
    }
    stage.service.wait_until_idle().await;
    stage
}

async fn gifs(stage: &mut MemoryStage) -> Vec<Vec<u8>> {
    let media = stage.received_content("Bek").await.into_iter().flat_map(|it| it.media);
    media.filter(|it| it.starts_with(b"GIF89a")).collect()
}

async fn told(stage: &mut MemoryStage) -> String {
    stage.private_replies("Bek").await.last().map(|it| it.text.clone()).unwrap_or_default()
}

#[tokio::test]
async fn a_replay_is_posted_for_everybody_and_not_twice() {
    let mut stage = over().await;
    stage.send_group_message("Bek", "/replay").await;
    assert!(told(&mut stage).await.contains("Drawing"));
    stage.send_group_message("Bek", "/replay").await;
    stage.patience(200).await;
    stage.send_group_message("Bek", "/replay").await;
    assert!(told(&mut stage).await.contains("further up"));
    stage.patience(200).await;
    let all = gifs(&mut stage).await;
    assert_eq!(all.len(), 1);
    let (frames, ..) = watch(&all[0]);
    // The beginning, two moves, and the picture of who has resigned instead of the last move.
    assert_eq!(frames.len(), 3);
    let seen = stage.visible_messages("Ann").await;
    let words = &seen.last().unwrap().text;
    assert!(words.contains("Ann and Bek") && words.contains("Ann resigned"), "{words}");
}

#[tokio::test]
async fn a_replay_survives_failures_and_a_restart() {
    let mut stage = over().await;
    stage.platform.fail_with([SendError::Temporary("no network".into())]);
    stage.send_group_message("Bek", "/replay").await;
    stage.patience(200).await;
    assert_eq!(gifs(&mut stage).await.len(), 1);
    stage.clock.pass_ms(20 * 60_000);
    stage.send_group_message("Bek", "/replay").await;
    stage.restart().await;
    stage.patience(200).await;
    assert_eq!(gifs(&mut stage).await.len(), 2);
}

#[tokio::test]
async fn a_match_of_cards_shows_its_chart_only_when_it_is_over() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.send_group_message("Bek", "/blot computer").await;
    stage.service.wait_until_idle().await;
    stage.send_group_message("Bek", "/chart").await;
    let said = told(&mut stage).await;
    assert!(said.contains("secret") || said.contains("no open table"), "{said}");
}
