//! While nothing can be saved the bot says so within two seconds, and each request acts once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{UpdateHandler, UpdateKind};
use caravanserai_store::Space;
use caravanserai_store::faulty::{Fault, FaultyStore};
use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::{MemoryStage, text};
use crate::stage::{LOOK_MS, Stage};

/// The states of the store.
const GOOD: u64 = 0;
const FAILS: u64 = 1;
const HANGS: u64 = 2;

const WORDS: &str = "Nothing can be saved right now";

/// Two people who play, on a store that can be made to fail or to hang.
async fn playing() -> (MemoryStage, Arc<AtomicU64>) {
    let state = Arc::new(AtomicU64::new(GOOD));
    let asked = state.clone();
    let store = FaultyStore::with_chooser(MemoryStore::default(), move |_| {
        match asked.load(Ordering::Relaxed) {
            FAILS => Fault::Fail,
            HANGS => Fault::Delay(u16::MAX),
            _good => Fault::None,
        }
    });
    let mut stage = MemoryStage::new(Arc::new(store)).await;
    stage.send_group_message("Ann", "/togyz @Bek me hints").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    (stage, state)
}

/// How many lines the log of the only table has.
async fn length(stage: &MemoryStage) -> u64 {
    let heads = stage.store.scan(Space::Head, "", None, 2).await.unwrap();
    assert_eq!(heads.len(), 1);
    stage.store.log_length(&heads[0].0).await.unwrap()
}

/// A press of the fifth pit on the board of this player.
async fn move_of(stage: &mut MemoryStage, who: &str) -> UpdateKind {
    let board = stage.visible_messages(who).await.into_iter().find(|it| it.is_board()).unwrap();
    stage.pass_ms(LOOK_MS).await;
    let message = Some(MessageId(board.id.clone()));
    UpdateKind::Press { callback_data: board.press("5").to_owned(), message }
}

#[tokio::test]
async fn a_press_that_cannot_be_saved_is_answered_with_the_reason() {
    let (mut stage, state) = playing().await;
    let (press, before) = (move_of(&mut stage, "Ann").await, length(&stage).await);
    state.store(FAILS, Ordering::Relaxed);
    let update = stage.update("Ann", false, press.clone());
    let told = stage.service.handle(update).await;
    assert_eq!(told.len(), 1);
    assert!(told[0].message.text().to_plain().contains(WORDS), "{:?}", told[0].message.text());
    assert_eq!(length(&stage).await, before);
    state.store(GOOD, Ordering::Relaxed);
    let update = stage.update("Ann", false, press);
    stage.hear(update).await;
    assert!(length(&stage).await > before);
}

#[tokio::test]
async fn a_hanging_store_delays_nobody_and_repeats_nothing() {
    let (mut stage, state) = playing().await;
    let (press, before) = (move_of(&mut stage, "Ann").await, length(&stage).await);
    state.store(HANGS, Ordering::Relaxed);
    let update = stage.update("Ann", false, press.clone());
    let (service, asked) = (stage.service.clone(), update.clone());
    let hearing = tokio::spawn(async move { service.handle_deferrable(asked).await });
    stage.ticks(0).await;
    assert!(!hearing.is_finished(), "the store has its time first");
    stage.ticks(1_999).await;
    let heard = hearing.await.unwrap();
    assert!(!heard.ack.is_confirmed(), "the platform delivers it again if it can");
    assert_eq!(heard.replies.len(), 1);
    assert!(heard.replies[0].message.text().to_plain().contains(WORDS));
    assert_eq!(length(&stage).await, before);
    // The store works again: the request acts once, however often it comes.
    state.store(GOOD, Ordering::Relaxed);
    let again = stage.service.handle_deferrable(update).await;
    assert!(again.ack.is_confirmed());
    let moved = length(&stage).await;
    assert!(moved > before);
    let update = stage.update("Ann", false, press);
    stage.hear(update).await;
    stage.service.wait_until_idle().await;
    assert_eq!(length(&stage).await, moved, "an old button does not move again");
}

/// A hint takes long while the store works: that is no reason to speak of the store.
#[tokio::test]
async fn an_answer_that_waits_for_an_engine_does_not_blame_the_store() {
    let (mut stage, _) = playing().await;
    let update = stage.update("Ann", false, text("/hint"));
    let service = stage.service.clone();
    let hearing = tokio::spawn(async move { service.handle(update).await });
    stage.ticks(0).await;
    stage.ticks(10_000).await;
    let told = hearing.await.unwrap();
    let words: Vec<String> = told.iter().map(|it| it.message.text().to_plain()).collect();
    assert!(words.iter().any(|it| it.contains("would play")), "{words:?}");
    assert!(words.iter().all(|it| !it.contains(WORDS)), "{words:?}");
}
