//! Who looks on at a table: how many are told, and where it is not for everybody.

use std::sync::Arc;

use caravanserai::store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};

const PLAYED: &str = "people Ann Bek Cyd Dan
Ann says /togyz me
Bek presses Join
Ann presses 7
Bek has buttons 1 | 9";

#[tokio::test]
async fn the_page_counts_those_who_have_the_board_open_and_do_not_play() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    let alone = stage.state("Ann", &table, "").await;
    assert_eq!(alone["watching"]["people"], 0, "whoever plays does not look on");
    stage.state("Bek", &table, "").await;
    stage.state("Cyd", &table, "").await;
    let looked = stage.state("Dan", &table, "").await;
    assert_eq!(looked["watching"]["people"], 2);
    assert_eq!(looked["change"], alone["change"], "nothing has happened at the table");
    let told = "Ann says /games
Ann is told 2 people are looking on
Ann presses ⋯
Ann is told 2 people are looking on";
    play("told", told, &mut stage).await;
}

#[tokio::test]
async fn a_room_by_invitation_is_for_nobody_else_unless_those_who_play_say_so() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    stage.closes().await;
    let script = "Ann sees is to move
Cyd whispers /watch {table}
Cyd is told is not for everybody to watch
Ann presses ⋯
Ann holds 👁 Let anybody watch
Ann presses 👁 Let anybody watch
Cyd whispers /watch {table}
Dan sees Also shown in 1 other chat
Ann says /watch off
Dan whispers /watch {table}
Dan is told is not for everybody to watch";
    play("closed", script, &mut stage).await;
}

#[tokio::test]
async fn only_those_who_play_settle_who_may_look_on() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    let script = "Cyd says /watch off
Cyd is told don’t play
Ann says /watch off
Cyd whispers /watch {table}
Cyd is told is not for everybody to watch
restart
Cyd whispers /watch {table}
Cyd is told is not for everybody to watch
Bek whispers /watch {table}
Bek sees Bek is to move";
    let script = format!("Ann sees is to move\n{script}");
    play("settled", &script, &mut stage).await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}
