//! Permissions that are taken away from the bot: requests still count, and only the person who
//! sends one learns which permission is missing.

use std::sync::Arc;

use caravanserai_games::ids::ChatId;
use caravanserai_protocol::{SendError, UpdateHandler};
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::TablePhase;

#[cfg(feature = "discord")]
use crate::fake_discord::{Channel, may};
#[cfg(feature = "telegram")]
use crate::fake_telegram::Standing;
#[cfg(feature = "discord")]
use crate::stage::discord::DiscordStage;
use crate::stage::memory::MemoryStage;
#[cfg(feature = "telegram")]
use crate::stage::telegram::TelegramStage;
use crate::stage::{Stage, VisibleMessage, play};

async fn board(stage: &mut MemoryStage) -> VisibleMessage {
    stage
        .visible_messages("Ann")
        .await
        .into_iter()
        .rfind(VisibleMessage::is_board)
        .expect("there is a board")
}

async fn move_of(stage: &mut MemoryStage, who: &str, pit: &str) {
    let board = board(stage).await;
    stage.press_button(who, &board, board.press(pit)).await;
    stage.service.wait_until_idle().await;
}

#[tokio::test]
async fn an_unshowable_board_plays_the_move_and_gives_the_reason() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.send_group_message("Ann", "/togyz me @Bek").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    stage.platform.fail_with([SendError::NotAllowed]);
    move_of(&mut stage, "Ann", "7").await;
    let told = stage.private_replies("Ann").await.last().unwrap().text.clone();
    assert!(told.contains("was saved") && told.contains("not allowed to send messages"), "{told}");
    assert!(stage.private_replies("Bek").await.iter().all(|it| !it.text.contains("allowed")));
    assert!(board(&mut stage).await.text.contains("Ann is to move"), "the old one stands");
    // An admin has allowed it meanwhile; the old board still takes Bek's move for an old one.
    stage.send_group_message("Bek", "/move 1").await;
    stage.service.wait_until_idle().await;
    let told = stage.private_replies("Bek").await;
    assert!(told.iter().any(|it| it.text.contains("If the board doesn’t change")), "{told:?}");
    let board = board(&mut stage).await;
    assert!(board.text.contains("Ann is to move") && board.text.contains("Bek"), "{board:?}");
    // Once it is shown, nobody gets such a reply.
    let before = stage.private_replies("Ann").await.len();
    move_of(&mut stage, "Ann", "2").await;
    let told = stage.private_replies("Ann").await;
    assert!(told[before..].iter().all(|it| !it.text.contains("allowed")), "{told:?}");
}

/// Nobody loses time by a board that cannot be shown, and the bot finds out by itself that it may
/// write again.
#[tokio::test]
async fn the_clock_of_a_player_stands_while_the_bot_may_not_show_the_board() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let begin = "people Ann Bek\nAnn says /togyz @Bek me 1 min\nBek presses Accept\n\
                 everyone sees Ann is to move";
    play("begin", begin, &mut stage).await;
    stage.platform.set_muted(true);
    move_of(&mut stage, "Ann", "7").await;
    let edits =
        |stage: &MemoryStage| stage.platform.calls().iter().filter(|it| it.0 != "whisper").count();
    let before = edits(&stage);
    for _ in 0..15 {
        stage.ticks(60_000).await;
        stage.service.wait_until_idle().await;
    }
    let tries = edits(&stage) - before;
    assert!((1..=8).contains(&tries), "{tries} attempts in a quarter of an hour");
    let bek = stage.person("Bek").id;
    let (table, log) = stage.newest_table().await;
    let seat = table.seating.seats_of(&bek).next().unwrap();
    assert!(table.involuntary_departure(seat).is_some() && !table.is_late(seat), "{log:?}");
    stage.send_private_message("Ann", &format!("/claim {}", table.id.0)).await;
    assert!(stage.newest_table().await.0.phase == TablePhase::Playing, "nothing to claim");
    stage.platform.set_muted(false);
    let mut minutes = 0;
    while stage.newest_table().await.0.running_clock().is_none() {
        minutes += 1;
        assert!(minutes <= 61, "the bot does not try again");
        stage.ticks(60_000).await;
        stage.service.wait_until_idle().await;
    }
    assert!(board(&mut stage).await.text.contains("Bek is to move"));
    move_of(&mut stage, "Bek", "1").await;
    assert!(board(&mut stage).await.text.contains("Ann is to move"));
}

/// Something that comes from the chat ends the pause at once.
#[tokio::test]
async fn an_update_from_the_chat_ends_the_pause() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let begin = "people Ann Bek\nAnn says /togyz @Bek me 10 min\nBek presses Accept\n\
                 everyone sees Ann is to move";
    play("begin", begin, &mut stage).await;
    stage.platform.set_muted(true);
    move_of(&mut stage, "Ann", "7").await;
    assert!(stage.newest_table().await.0.running_clock().is_none());
    stage.platform.set_muted(false);
    stage.send_group_message("Bek", "/board").await;
    stage.service.wait_until_idle().await;
    assert!(board(&mut stage).await.text.contains("Bek is to move"));
    assert!(stage.newest_table().await.0.running_clock().is_some(), "Bek can play again");
}

/// A platform may report that the rights of the bot have changed: topics are tried again, too.
#[tokio::test]
async fn changed_rights_end_the_pauses_of_a_chat() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let begin = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
                 everyone sees Ann is to move";
    stage.enter_topic("7").await;
    play("begin", begin, &mut stage).await;
    stage.platform.set_muted(true);
    move_of(&mut stage, "Ann", "7").await;
    stage.platform.set_muted(false);
    let group = ChatId(stage.group.without_topic().to_owned());
    for (chat, player) in [(ChatId("mem:gro".into()), "Ann"), (group, "Bek")] {
        let reports = stage.service.chat_reports().expect("the service takes reports");
        reports.report_changed_rights(&chat).await;
        stage.service.wait_until_idle().await;
        let board = board(&mut stage).await;
        assert!(board.text.contains(&format!("{player} is to move")), "{chat:?}: {}", board.text);
    }
}

/// Administrators may write where members may not.
#[cfg(feature = "telegram")]
#[tokio::test]
async fn promoting_the_bot_ends_the_pause() {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    let begin = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
                 everyone sees Ann is to move";
    play("begin", begin, &mut stage).await;
    let (chat, ann) = (stage.spot.chat, stage.people["Ann"].clone());
    stage.tg.set_standing(chat, Standing::Muted);
    play("moves", "Ann presses 7", &mut stage).await;
    stage.host.service.wait_until_idle().await;
    stage.tg.set_standing(chat, Standing::Member);
    stage.tg.bot_becomes(chat, &ann, Standing::Admin);
    play("is shown", "everyone sees Bek is to move", &mut stage).await;
}

/// Otherwise the chat would be silent for as long as the clock was ahead.
#[tokio::test]
async fn a_pause_that_began_while_the_clock_was_ahead_is_over() {
    const DAY_MS: i64 = 86_400_000;
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let begin = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
                 everyone sees Ann is to move";
    play("begin", begin, &mut stage).await;
    stage.clock.set_ms(DAY_MS);
    stage.platform.set_muted(true);
    move_of(&mut stage, "Ann", "7").await;
    stage.platform.set_muted(false);
    stage.clock.set_ms(-DAY_MS);
    for _ in 0..3 {
        stage.ticks(60_000).await;
        stage.service.wait_until_idle().await;
    }
    assert!(board(&mut stage).await.text.contains("Bek is to move"));
}

/// A lobby that nobody could see lapses when its opener asks again.
#[tokio::test]
async fn a_lobby_opened_while_the_bot_was_muted_lapses() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.platform.fail_with([SendError::NotAllowed]);
    stage.send_group_message("Ann", "/togyz me").await;
    stage.service.wait_until_idle().await;
    assert!(
        !stage.visible_messages("Ann").await.iter().any(VisibleMessage::is_board),
        "nothing can be shown"
    );
    stage.send_group_message("Ann", "/thaayam").await;
    stage.service.wait_until_idle().await;
    let boards: Vec<VisibleMessage> =
        stage.visible_messages("Bek").await.into_iter().filter(|it| !it.text.is_empty()).collect();
    let shown = |game: &str| boards.iter().filter(|it| it.text.contains(game)).count();
    assert_eq!((shown("Togyzkumalak"), shown("Thaayam")), (0, 1), "{boards:?}");
    stage.send_group_message("Ann", "/games").await;
    let listed = stage.private_replies("Ann").await.last().unwrap().text.clone();
    assert!(listed.contains("Thaayam") && !listed.contains("Togyz"), "{listed}");
}

/// Ann and Bek, and their channel.
#[cfg(feature = "discord")]
async fn ann_and_bek_on_discord() -> (DiscordStage, Channel) {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek", &mut stage).await;
    let here = stage.channel.clone().unwrap();
    (stage, here)
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn a_board_in_words_names_the_permission_that_pictures_need() {
    let (mut stage, here) = ann_and_bek_on_discord().await;
    stage.dc.bot_may(&here, may::USUAL & !may::ATTACH_FILES);
    play("a game", "Ann says /togyz @Bek me\nBek presses Accept\nAnn presses 7", &mut stage).await;
    stage.quiet().await;
    let board = stage.visible_messages("Bek").await.pop().unwrap();
    assert!(!board.picture && board.text.contains("Attach Files"), "{}", board.text);
    // An admin allows it: the next press tells the bot.
    stage.dc.bot_may(&here, may::USUAL);
    play("on", "Bek presses 1", &mut stage).await;
    stage.quiet().await;
    let board =
        stage.visible_messages("Ann").await.into_iter().rfind(VisibleMessage::is_board).unwrap();
    assert!(board.picture && !board.text.contains("Attach Files"), "{}", board.text);
}

/// On Discord the bot reads texts that name it.
#[cfg(feature = "discord")]
#[tokio::test]
async fn naming_the_bot_replaces_the_slash_of_a_command() {
    let (mut stage, here) = ann_and_bek_on_discord().await;
    let says = async |stage: &mut DiscordStage, who: &str, words: &str| {
        let words = format!("<@{}> {words}", stage.dc.bot_id());
        let said = stage.people[who].say(&here, &words, None);
        stage.host.handler.heard(&format!("dc/{said}")).await;
        stage.quiet().await;
    };
    says(&mut stage, "Ann", "togyz me").await;
    play("join", "Bek presses Join", &mut stage).await;
    says(&mut stage, "Ann", "7").await;
    let board =
        stage.visible_messages("Bek").await.into_iter().rfind(VisibleMessage::is_board).unwrap();
    assert!(board.text.contains("Bek is to move"), "{}", board.text);
}
