//! Replies that need an engine or a network delay nobody at the table.

use std::sync::Arc;

use async_trait::async_trait;
use caravanserai_games::ids::{ChatId, MessageId};
use caravanserai_protocol::{
    Capabilities, HandleOutcome, OutgoingMessage, Platform, SendError, Update, UpdateHandler,
    UpdateKind,
};
use caravanserai_store::memory::MemoryStore;

use crate::stage::Stage;
use crate::stage::memory::{MemoryStage, text};

/// A game of Ann and Bek in which Ann is to move.
async fn playing() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.send_group_message("Ann", "/togyz @Bek me hints").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    stage
}

/// Handles a message until it has to wait. The rest goes on only when it is awaited.
async fn says(stage: &mut MemoryStage, who: &str, private: bool, words: &str) -> HandleOutcome {
    let update = stage.update(who, private, text(words));
    stage.service.handle_deferrable(update).await
}

/// The rest of an answer.
async fn rest(heard: HandleOutcome) -> String {
    assert!(heard.deferred.is_some() && heard.replies.is_empty(), "it was not put off: {heard:?}");
    let whole = heard.complete().await;
    assert!(whole.ack.is_confirmed());
    let told: Vec<String> = whole.replies.iter().map(|it| it.message.text().to_plain()).collect();
    told.join("\n")
}

async fn log(stage: &MemoryStage) -> Vec<String> {
    stage.newest_table().await.1
}

async fn code(stage: &MemoryStage) -> String {
    stage.newest_table().await.0.id.0
}

async fn steps(stage: &MemoryStage) -> usize {
    log(stage).await.iter().filter(|it| it.contains(" step ")).count()
}

#[tokio::test]
async fn the_table_goes_on_while_a_hint_is_thought_about() {
    let mut stage = playing().await;
    let hint = says(&mut stage, "Ann", false, "/hint").await;
    // If the hint held the table, this would never end.
    stage.send_group_message("Bek", "/draw").await;
    assert!(log(&stage).await.iter().any(|it| it.contains(" offer ")), "{:?}", log(&stage).await);
    let told = rest(hint).await;
    assert!(told.contains("A master would play"), "{told}");
    assert!(log(&stage).await.iter().any(|it| it.contains(" hint ")));
}

#[tokio::test]
async fn a_hint_is_not_given_for_a_move_that_was_made_meanwhile() {
    let mut stage = playing().await;
    let hint = says(&mut stage, "Ann", false, "/hint").await;
    let another = says(&mut stage, "Ann", false, "/hint").await;
    assert!(another.deferred.is_none(), "one at a time");
    stage.send_group_message("Ann", "/move 7").await;
    assert_eq!(steps(&stage).await, 1);
    let told = rest(hint).await;
    assert!(told.contains("The game has moved on"), "{told}");
    assert!(!log(&stage).await.iter().any(|it| it.contains(" hint ")));
}

#[tokio::test]
async fn the_same_hint_asked_twice_counts_once() {
    let mut stage = playing().await;
    let update = stage.update("Ann", false, text("/hint"));
    let first = stage.service.handle(update.clone()).await;
    assert_eq!(stage.service.handle(update).await, first);
    assert_eq!(log(&stage).await.iter().filter(|it| it.contains(" hint ")).count(), 1);
}

#[tokio::test]
async fn the_table_goes_on_while_a_private_chat_is_asked_for() {
    let mut stage = playing().await;
    let private = says(&mut stage, "Ann", false, "/private").await;
    stage.send_group_message("Ann", "/move 7").await;
    assert_eq!(steps(&stage).await, 1);
    let told = rest(private).await;
    assert!(told.contains("Your own board is in our private chat now"), "{told}");
    assert!(log(&stage).await.iter().any(|it| it.contains(" attach ")));
}

#[tokio::test]
async fn looking_up_admins_of_another_chat_delays_no_table() {
    let mut stage = playing().await;
    let code = code(&stage).await;
    let home = stage.group.clone();
    stage.group = ChatId("mem:club".into());
    let admins =
        UpdateKind::Press { callback_data: "=.c@mem:club.opens.admins".into(), message: None };
    let settled = stage.update("Ann", false, admins);
    stage.service.handle(settled).await;
    let brought = says(&mut stage, "Bek", false, &format!("/bring {code}")).await;
    let opened = says(&mut stage, "Bek", false, "/togyz me").await;
    stage.group = home;
    stage.send_group_message("Ann", "/move 7").await;
    assert_eq!(steps(&stage).await, 1);
    for heard in [brought, opened] {
        let told = rest(heard).await;
        assert!(told.contains("only admins open tables"), "{told}");
    }
}

/// A platform that has only a page.
struct Page;

#[async_trait]
impl Platform for Page {
    fn name(&self) -> &'static str {
        "web"
    }

    fn capabilities(&self) -> Capabilities {
        let page_url = Some("https://page.test".to_owned());
        Capabilities { page_url, ..Capabilities::default() }
    }

    fn call_limit_per_minute(&self, _: &ChatId) -> u32 {
        60
    }

    async fn post(&self, _: &ChatId, _: &OutgoingMessage) -> Result<MessageId, SendError> {
        Err(SendError::NotAllowed)
    }

    async fn edit(&self, _: &ChatId, _: &MessageId, _: &OutgoingMessage) -> Result<(), SendError> {
        Err(SendError::NotAllowed)
    }

    async fn delete(&self, _: &ChatId, _: &MessageId) -> Result<(), SendError> {
        Err(SendError::NotAllowed)
    }
}

#[tokio::test]
async fn the_table_goes_on_while_the_members_of_its_chat_are_asked_for() {
    let mut stage = playing().await;
    stage.service.add_platform(Arc::new(Page));
    let press = format!("wp.{}", code(&stage).await);
    let body = UpdateKind::Press { callback_data: press, message: None };
    let update = stage.update("Ann", true, body);
    let by_button = stage.service.handle_deferrable(update).await;
    let by_command = says(&mut stage, "Ann", true, "/web").await;
    stage.send_group_message("Ann", "/move 7").await;
    assert_eq!(steps(&stage).await, 1);
    for heard in [by_button, by_command] {
        let told = rest(heard).await;
        assert!(told.contains("opens your board in a browser"), "{told}");
    }
}

#[tokio::test]
async fn a_review_is_promised_without_thinking() {
    let mut stage = playing().await;
    for who in ["Ann", "Bek"].repeat(5) {
        stage.send_group_message(who, "/resign").await;
    }
    let asked = says(&mut stage, "Ann", false, "/review").await;
    assert!(asked.deferred.is_none(), "{asked:?}");
}

/// Two people with ten seconds a move.
async fn quick_game() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.send_group_message("Ann", "/togyz @Bek me 10 s").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    stage
}

fn is_late(log: &[String]) -> bool {
    log.iter().any(|it| it.contains(" late "))
}

#[tokio::test]
async fn a_move_that_was_received_in_time_counts_however_long_it_waits() {
    let mut stage = quick_game().await;
    let arrival = stage.service.record_arrival();
    stage.ticks(15_000).await;
    assert!(!is_late(&log(&stage).await), "it may be a move: {:?}", log(&stage).await);
    let moves = text("/move 7");
    let update = stage.update("Ann", false, moves);
    stage.service.handle(Update { arrival, ..update }).await;
    stage.ticks(1_000).await;
    let lines = log(&stage).await;
    assert!(!is_late(&lines) && lines.iter().any(|it| it.contains(" step ")), "{lines:?}");
    stage.ticks(15_000).await;
    assert!(is_late(&log(&stage).await), "the clock of the next one runs");
}

#[tokio::test]
async fn a_clock_runs_out_after_a_non_move_or_a_long_wait() {
    let mut stage = quick_game().await;
    let arrival = stage.service.record_arrival();
    stage.ticks(15_000).await;
    assert!(!is_late(&log(&stage).await));
    drop(arrival);
    stage.ticks(1_000).await;
    assert!(is_late(&log(&stage).await), "{:?}", log(&stage).await);
    let mut stage = quick_game().await;
    let _stuck = stage.service.record_arrival();
    stage.ticks(15_000).await;
    assert!(!is_late(&log(&stage).await));
    stage.ticks(31_000).await;
    assert!(is_late(&log(&stage).await), "{:?}", log(&stage).await);
}
