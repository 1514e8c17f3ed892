//! The picture of a rating list in `/top`.

use std::sync::Arc;

use caravanserai_store::memory::MemoryStore;

use crate::rating_pages::RATED_GAME;
use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, VisibleMessage, play};

async fn top(stage: &mut MemoryStage, words: &str) -> VisibleMessage {
    stage.send_group_message("Ann", words).await;
    stage.private_replies("Ann").await.last().expect("an answer").clone()
}

#[tokio::test]
async fn a_list_of_several_people_has_a_picture() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("empty", "people Ann Bek", &mut stage).await;
    assert!(!top(&mut stage, "/top").await.picture);
    play("game", &format!("people Ann Bek\n{RATED_GAME}"), &mut stage).await;
    for words in ["/top", "/top togyz"] {
        let answer = top(&mut stage, words).await;
        assert!(answer.text.contains("1. ") && answer.picture, "{answer:?}");
    }
    assert!(!top(&mut stage, "/top blot").await.picture);
    // Those who read boards in words have the numbers in the message.
    play("words", "people Ann Bek\nAnn says /text on", &mut stage).await;
    let answer = top(&mut stage, "/top").await;
    assert!(answer.text.contains("Bek") && !answer.picture, "{answer:?}");
}
