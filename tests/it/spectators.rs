//! Spectators of a table: how many are shown, and tables that are not open to everybody.

use std::sync::Arc;

use caravanserai_bot::repository::outbox_entry::OutboxEntry;
use caravanserai_games::ids::{MessageId, PersonId};
use caravanserai_protocol::{PrivateChats, SendError};
use caravanserai_store::Commit;
use caravanserai_store::memory::MemoryStore;

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
    assert_eq!(alone["watching"]["people"], 0, "players are not spectators");
    stage.state("Bek", &table, "").await;
    stage.state("Cyd", &table, "").await;
    let looked = stage.state("Dan", &table, "").await;
    assert_eq!(looked["watching"]["people"], 2);
    assert_eq!(looked["change"], alone["change"], "nothing has happened at the table");
    let told = "Ann says /games
Ann gets reply 2 people are watching
Ann presses ⋯
Ann gets reply 2 people are watching";
    play("told", told, &mut stage).await;
}

#[tokio::test]
async fn an_invite_only_room_has_no_spectators_unless_its_players_agree() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    stage.closes().await;
    let script = "Ann sees is to move
Cyd writes privately /watch {table}
Cyd gets reply is not open for everyone to watch
Ann presses ⋯
Ann has private buttons 👁 Let anyone watch
Ann presses 👁 Let anyone watch
Cyd writes privately /watch {table}
Dan sees Also shown in 1 other chat
Ann says /watch off
Dan writes privately /watch {table}
Dan gets reply is not open for everyone to watch";
    play("closed", script, &mut stage).await;
}

#[tokio::test]
async fn only_players_decide_who_may_watch() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    let script = "Cyd says /watch off
Cyd gets reply don’t play
Ann says /watch off
Cyd writes privately /watch {table}
Cyd gets reply is not open for everyone to watch
restart
Cyd writes privately /watch {table}
Cyd gets reply is not open for everyone to watch
Bek writes privately /watch {table}
Bek sees Bek is to move";
    let script = format!("Ann sees is to move\n{script}");
    play("settled", &script, &mut stage).await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_board_that_became_hidden_is_deleted_if_not_replaceable() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    let script = "Ann sees is to move
Ann says /watch on
Cyd writes privately /watch {table}
Cyd sees Also shown in 1 other chat";
    play("watched", script, &mut stage).await;
    let chat = stage.platform.private_chat(&PersonId("mem:Cyd".into())).await.unwrap();
    let has_board = |stage: &MemoryStage| {
        stage.platform.messages(&chat).iter().any(|it| it.text.contains("is to move"))
    };
    assert!(has_board(&stage));
    // The boards of the group and of the private chat.
    stage.platform.fail_with(vec![SendError::Refused("it is too old".into()); 2]);
    play("closed", "Ann says /watch off", &mut stage).await;
    stage.service.wait_until_idle().await;
    assert!(!has_board(&stage), "{:?}", stage.platform.messages(&chat));
}

/// An older board may be removed only after the players have closed the table to watchers. If it
/// cannot be deleted, what stays of it does not show the moves since.
#[tokio::test]
async fn an_older_board_that_is_removed_late_shows_no_hidden_table() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    let script = "Ann sees is to move
Ann says /watch on
Cyd writes privately /watch {table}
Cyd sees Also shown in 1 other chat";
    play("watched", script, &mut stage).await;
    let (table, _) = stage.newest_table().await;
    let chat = stage.platform.private_chat(&PersonId("mem:Cyd".into())).await.unwrap();
    let first_board = stage.platform.messages(&chat).last().unwrap().clone();
    assert!(first_board.text.contains("is to move"), "{first_board:?}");
    let old = first_board.id;
    let refusal = || vec![SendError::Refused("it is too old".into())];
    stage.platform.fail_deleting_with(refusal());
    // Others write so much that the board is posted again below.
    (0..50).for_each(|_| stage.platform.chatter(&chat));
    let script = "Bek presses 9
Ann sees Ann is to move
Ann says /watch off
Cyd sees is not open for everyone to watch";
    play("closed", script, &mut stage).await;
    let text_of_old = |stage: &MemoryStage| {
        let all = stage.platform.messages(&chat);
        all.into_iter().find(|it| it.id == old).map(|it| it.text).unwrap()
    };
    assert!(text_of_old(&stage).contains("is to move"), "the older board was not kept");
    stage.platform.fail_deleting_with(refusal());
    let entry = OutboxEntry::removal(&chat, &table.id, &MessageId(old.clone()));
    stage.store.commit(Commit::from_puts(vec![entry.encode()])).await.unwrap();
    stage.service.resume().await.unwrap();
    stage.service.wait_until_idle().await;
    assert!(!text_of_old(&stage).contains("is to move"), "{}", text_of_old(&stage));
}

#[tokio::test]
async fn a_spectator_of_a_private_lobby_does_not_follow_the_game() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let script = "people Ann Bek Cyd
Ann writes privately /togyz link 3 days
Ann sees is waiting for an opponent
Cyd writes privately /watch {table}
Cyd sees is waiting for an opponent
Bek writes privately /private {table}
Bek presses Join
Ann sees is to move
Cyd sees is not open for everyone to watch
Cyd sees no is to move
Cyd writes privately /text {table}
Cyd gets reply is not open for everyone to watch
Cyd writes privately /watch {table}
Cyd gets reply is not open for everyone to watch
Ann writes privately /watch on
Cyd sees is to move
Cyd writes privately /text {table}
Cyd gets reply is to move
Ann writes privately /watch off
Cyd sees no is to move
restart
Cyd writes privately /text {table}
Cyd gets reply is not open for everyone to watch
Cyd sees no is to move
Ann writes privately /abort
Ann writes privately /abort
Ann sees The game was aborted
Cyd writes privately /text {table}
Cyd gets reply is not open for everyone to watch
Cyd writes privately /stop {table}
Cyd sees no is to move";
    play("followed", script, &mut stage).await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn the_page_hides_a_table_from_a_person_who_may_no_longer_watch() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    play("played", PLAYED, &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    play(
        "watched",
        &format!("Cyd writes privately /watch {table}\nCyd sees is to move"),
        &mut stage,
    )
    .await;
    let watched = stage.private_state("Cyd", &table).await;
    assert_eq!(watched["table"], table.as_str());
    play("closed", "Ann says /watch off\nCyd sees is not open for everyone", &mut stage).await;
    assert_eq!(stage.refused("Cyd", &format!("rooms/@/tables/{table}")).await, 404);
    assert!(!stage.state("Ann", &table, "").await.is_null());
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn an_inline_table_has_no_spectators_from_other_chats() {
    for in_guild in [true, false] {
        let store = Arc::new(MemoryStore::default());
        let mut stage = crate::stage::discord::DiscordStage::new(store).await;
        play("people", "people Ann Bek Cyd", &mut stage).await;
        let home = stage.channel.clone();
        stage.abroad(in_guild);
        let begun = "Ann says /togyz me\nBek presses Join\nAnn presses 7\nAnn sees is to move";
        play("abroad", begun, &mut stage).await;
        let seen = stage.visible_messages("Ann").await;
        let press = seen.iter().flat_map(|it| &it.buttons).find_map(|(_, press)| {
            Some(caravanserai_bot::commands::TableCallback::decode(press)?.table.0)
        });
        let table = press.unwrap();
        stage.channel = home;
        let refused = format!(
            "Cyd says /watch {table}\nCyd gets reply is not open for everyone to watch
Cyd writes privately /watch {table}\nCyd gets reply is not open for everyone to watch
Cyd sees no is to move"
        );
        play("elsewhere", &refused, &mut stage).await;
    }
}
