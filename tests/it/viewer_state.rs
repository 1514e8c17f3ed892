//! The state of a table for each viewer: the buttons that do something for them, and the clocks.

use std::sync::Arc;

use caravanserai_store::memory::MemoryStore;
use serde_json::Value;

use crate::stage::play;
use crate::stage::web::WebStage;
use crate::table_state::{acts_once, people};
use crate::whole_games::Dice;

/// A game of Ann against Bek in which both have moved.
async fn game(opening: &str) -> (WebStage, String) {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", &format!("Ann says {opening}\nBek presses Join"), &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    let mut dice = Dice(3);
    for _ in 0..2 {
        acts_once(&mut stage, &table, &mut dice).await;
    }
    (stage, table)
}

async fn labels(stage: &WebStage, who: &str, table: &str) -> Vec<String> {
    let state = stage.state(who, table, "").await;
    let rows = state["keys"].as_array().unwrap().iter();
    let all = rows.flat_map(|it| it.as_array().unwrap());
    all.map(|it| it["label"].as_str().unwrap().to_owned()).collect()
}

fn has(labels: &[String], word: &str) -> bool {
    labels.iter().any(|it| it.contains(word))
}

#[tokio::test]
async fn an_offer_has_other_buttons_for_each_viewer() {
    let (mut stage, table) = game("/togyz me").await;
    for who in ["Ann", "Bek"] {
        assert!(has(&labels(&stage, who, &table).await, "Resign"), "{who}");
    }
    play("offers", "Ann says /draw", &mut stage).await;
    let ann = labels(&stage, "Ann", &table).await;
    assert!(has(&ann, "Withdraw") && !has(&ann, "Accept") && !has(&ann, "Decline"), "{ann:?}");
    let bek = labels(&stage, "Bek", &table).await;
    assert!(has(&bek, "Accept") && has(&bek, "Decline") && !has(&bek, "Withdraw"), "{bek:?}");
    let cyd = labels(&stage, "Cyd", &table).await;
    let others = ["Accept", "Decline", "Withdraw", "Resign", "draw", "Takeback", "Hint", "private"];
    assert!(others.iter().all(|it| !has(&cyd, it)), "{cyd:?}");
}

#[tokio::test]
async fn an_invited_person_can_join_or_decline_but_not_leave() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("invites", "Ann says /thaayam @Bek me", &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap();
    let ann = labels(&stage, "Ann", table).await;
    assert!(has(&ann, "Leave") && !has(&ann, "Decline"), "{ann:?}");
    let bek = labels(&stage, "Bek", table).await;
    assert!(has(&bek, "Accept") && has(&bek, "Decline") && !has(&bek, "Leave"), "{bek:?}");
}

#[tokio::test]
async fn a_player_is_not_asked_to_join_their_own_table() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", "Ann says /togyz me", &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap();
    assert!(!has(&labels(&stage, "Ann", table).await, "Join"));
    assert!(has(&labels(&stage, "Bek", table).await, "Join"));
}

#[tokio::test]
async fn clocks_say_who_has_how_much_time_left() {
    let (stage, table) = game("/togyz me 5+5").await;
    let state = stage.state("Cyd", &table, "").await;
    let clock = &state["clock"];
    assert_eq!(clock["running"], state["turn"]);
    assert_eq!(clock["paused"], false);
    let left: Vec<u64> =
        clock["left"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect();
    assert!(left.len() == 2 && left.iter().all(|it| (1..=310_000).contains(it)), "{left:?}");
    let said: Vec<&str> =
        state["says"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(!said.iter().any(|it| it.contains('⏱')), "{said:?}");
    let (stage, table) = game("/togyz me").await;
    assert_eq!(stage.state("Ann", &table, "").await["clock"], Value::Null);
}
