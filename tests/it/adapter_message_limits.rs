//! Public messages that an adapter sends by itself, such as the button for a private reply, come
//! after the boards of the chat while few calls are left.

use std::sync::Arc;

use caravanserai_protocol::{DeliveryReports, UpdateHandler};
use caravanserai_store::memory::MemoryStore;
use parking_lot::Mutex;

use crate::stage::memory::{MemoryStage, text};
use crate::stage::play;

/// The texts of all messages that were posted or edited until a notice was sent.
type SeenBefore = Arc<Mutex<Option<Vec<String>>>>;

fn reports(stage: &MemoryStage) -> &dyn DeliveryReports {
    stage.service.delivery_reports().expect("the service counts calls")
}

/// The adapter wants to send a notice in the group.
fn notice(stage: &MemoryStage) -> SeenBefore {
    let seen = SeenBefore::default();
    let (platform, noted) = (stage.platform.clone(), seen.clone());
    let task = async move {
        let said = platform.calls().into_iter().map(|(_, _, said)| said).collect();
        *noted.lock() = Some(said);
    };
    reports(stage).run_after_boards(&stage.group, Box::pin(task));
    seen
}

/// Ann and Bek play in a group that allows 18 calls a minute, and people talk: the answers to them
/// have used the calls that are not kept for boards.
async fn amid_talk() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let plays = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\nAnn presses 7";
    play("plays", plays, &mut stage).await;
    stage.platform.set_call_limit(18);
    assert!(reports(&stage).has_message_budget(&stage.group), "nothing was counted yet");
    for pit in ["Bek presses 3", "Ann presses 8", "Bek presses 5", "Ann presses 5"] {
        play("plays", pit, &mut stage).await;
    }
    (0..9).for_each(|_| reports(&stage).record_call(&stage.group));
    assert!(!reports(&stage).has_message_budget(&stage.group));
    stage
}

#[tokio::test]
async fn a_takeback_amid_talk_is_shown_before_the_answers_to_others() {
    let mut stage = amid_talk().await;
    let asked = stage.update("Ann", false, text("/takeback"));
    stage.hear(asked).await;
    let seen = notice(&stage);
    stage.patience(100).await;
    let seen = seen.lock().take().expect("the notice was sent");
    let offers = seen.iter().filter(|it| it.contains("asks for a takeback")).count();
    assert!(offers > 0, "{seen:?}");
}

#[tokio::test]
async fn a_notice_waits_a_few_seconds_at_most_and_is_sent_on_shutdown() {
    let mut stage = amid_talk().await;
    let seen = notice(&stage);
    stage.ticks(0).await;
    assert!(seen.lock().is_none());
    stage.ticks(15_000).await;
    assert!(seen.lock().is_some());
    let stage = amid_talk().await;
    let seen = notice(&stage);
    stage.service.stop().await.expect("it stops");
    assert!(seen.lock().is_some(), "it is not lost");
}
