//! The picture of a rating list in `/top`.

use std::sync::Arc;

use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::{Seen, Stage, play};

const RATED_GAME: &str = "people Ann Bek
    Ann says /togyz @Bek me
    Bek presses Accept
    Ann presses 1
    Bek presses 1
    Ann presses 2
    Bek presses 2
    Ann presses 9
    Bek presses 9
    Ann presses 8
    Bek presses 8
    Ann presses 7
    Bek presses 7
    100 seconds pass
    Ann says /resign
    2 seconds pass
    Ann says /resign
    everyone sees Ann resigned
    9 seconds pass";

async fn top(stage: &mut MemoryStage, words: &str) -> Seen {
    stage.says("Ann", words).await;
    stage.told("Ann").await.last().expect("an answer").clone()
}

#[tokio::test]
async fn a_list_of_several_people_has_a_picture() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    play("empty", "people Ann Bek", &mut stage).await;
    assert!(!top(&mut stage, "/top").await.picture);
    play("game", RATED_GAME, &mut stage).await;
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
