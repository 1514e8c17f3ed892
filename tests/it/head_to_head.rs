//! The chart of the games between two people in `/stats @friend`.

use std::sync::Arc;

use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, play};

const RESIGNED_GAME: &str = "people Ann Bek
    Ann says /togyz @Bek me
    Bek presses Accept
    Ann presses 1
    Bek presses 1
    Ann says /resign
    2 seconds pass
    Ann says /resign
    everyone sees Ann resigned
    9 seconds pass";

#[tokio::test]
async fn statistics_of_an_opponent_have_a_chart_from_the_second_game_on() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::new())).await;
    for (name, has_chart) in [("first", false), ("second", true)] {
        play(name, RESIGNED_GAME, &mut stage).await;
        for person in ["Ann", "Bek"] {
            let opponent = if person == "Ann" { "Bek" } else { "Ann" };
            stage.says(person, &format!("/stats @{opponent}")).await;
            let told = stage.told(person).await;
            let answer = told.last().expect("an answer");
            assert!(answer.text.contains("You against them"), "{answer:?}");
            assert_eq!(answer.picture, has_chart, "{answer:?}");
        }
    }
    // Those who read boards in words have the numbers in the message.
    play("words", "people Ann Bek\nAnn says /text on", &mut stage).await;
    stage.says("Ann", "/stats @Bek").await;
    assert!(!stage.told("Ann").await.last().expect("an answer").picture);
}
