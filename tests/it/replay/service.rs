//! Replays, charts and reviews at tables: posted once, after a crash too, never lost with a failed
//! call.

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

/// The process that makes reviews first.
const ELSEWHERE: &str = "another process";

/// A game whose review Bek has requested; it waits until this lease is released.
async fn reviewed() -> (MemoryStage, String) {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.send_group_message("Bek", "/accept").await;
    for (n, pit) in [7, 1, 2, 9, 3, 2, 1].into_iter().enumerate() {
        stage.send_group_message(["Ann", "Bek"][n % 2], &format!("/move {pit}")).await;
    }
    for _ in 0..2 {
        stage.send_group_message("Bek", "/resign").await;
    }
    stage.service.wait_until_idle().await;
    let lease = format!("review {}", stage.newest_table().await.0.id.0);
    assert!(stage.store.try_lease(&lease, ELSEWHERE, 600_000).await.unwrap());
    stage.send_group_message("Bek", "/review").await;
    stage.ticks(0).await;
    (stage, lease)
}

/// Calls of a kind with this text.
fn calls(stage: &MemoryStage, kind: &str, text: &str) -> usize {
    let calls = stage.platform.calls();
    calls.iter().filter(|it| it.0 == kind && it.2.contains(text)).count()
}

const PROGRESS: &str = "going through the game";

#[tokio::test]
async fn a_progress_that_is_refused_is_not_tried_again_at_once() {
    let (mut stage, _) = reviewed().await;
    stage.platform.fail_with(vec![SendError::Refused("no token".into()); 100]);
    for _ in 0..20 {
        stage.ticks(500).await;
    }
    assert_eq!(calls(&stage, "post", PROGRESS), 1, "the review has not advanced");
}

/// As where the bot is no member, and can edit only messages with a recent press.
#[tokio::test]
async fn a_review_is_posted_where_its_progress_cannot_be_edited() {
    let (mut stage, lease) = reviewed().await;
    while calls(&stage, "post", PROGRESS) == 0 {
        stage.ticks(500).await;
    }
    stage.platform.refuse_edits();
    stage.store.release_lease(&lease, ELSEWHERE).await.unwrap();
    stage.patience(200).await;
    let seen = stage.visible_messages("Ann").await;
    assert!(seen.iter().any(|it| it.text.contains("turning points")), "{seen:?}");
    assert_eq!(calls(&stage, "post", PROGRESS), 1);
    let edits = calls(&stage, "edit", PROGRESS);
    assert!(edits <= 3, "{edits} edits for a progress in steps of 30 percent");
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
