//! Messages that a platform rejects permanently: people see the effect of their requests anyway, or
//! get a reply that these count.

use std::sync::Arc;

use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{SendError, UpdateHandler, UpdateKind};
use caravanserai_store::memory::MemoryStore;

use crate::dead_process::{TwoProcesses, pass, start_two_processes};
use crate::stage::memory::MemoryStage;
use crate::stage::{LOOK_MS, Stage, VisibleMessage, play};

fn refusals(times: usize) -> impl Iterator<Item = SendError> {
    std::iter::repeat_with(|| SendError::Refused("IMAGE_PROCESS_FAILED".into())).take(times)
}

/// Ann and Bek play, and nothing is refused yet.
async fn played() -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    stage.send_group_message("Ann", "/togyz me @Bek").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    stage
}

/// The messages with buttons in the group.
async fn boards(stage: &mut dyn Stage) -> Vec<VisibleMessage> {
    let all = stage.visible_messages("Ann").await.into_iter();
    all.filter(|it| !it.buttons.is_empty() && it.id != "told").collect()
}

async fn presses_pit(stage: &mut dyn Stage, who: &str, pit: &str) {
    let board = boards(stage).await.pop().expect("there is a board");
    stage.press_button(who, &board, board.press(pit)).await;
}

async fn move_of(stage: &mut MemoryStage, who: &str, pit: &str) {
    presses_pit(stage, who, pit).await;
    stage.service.wait_until_idle().await;
}

#[tokio::test]
async fn a_board_whose_picture_is_refused_is_shown_as_text() {
    let mut stage = played().await;
    // Neither as an edit of the board nor as a new message.
    stage.platform.fail_with(refusals(2));
    move_of(&mut stage, "Ann", "7").await;
    let all = boards(&mut stage).await;
    let [board] = &all[..] else { panic!("{all:?}") };
    assert!(!board.picture && board.text.contains("Bek is to move"), "{board:?}");
    assert!(board.text.contains("Kazan: 10"), "the board itself is in it: {}", board.text);
    // It is played on from there, and is drawn again as soon as that can be seen.
    move_of(&mut stage, "Bek", "1").await;
    let all = boards(&mut stage).await;
    let [board] = &all[..] else { panic!("{all:?}") };
    assert!(board.picture && board.text.contains("Ann is to move"), "{board:?}");
}

#[tokio::test]
async fn only_the_presser_learns_that_board_and_text_were_refused() {
    let mut stage = played().await;
    stage.platform.fail_with(refusals(3));
    move_of(&mut stage, "Ann", "7").await;
    let told = stage.private_replies("Ann").await;
    assert!(told.iter().any(|it| it.text.contains("could not be posted here")), "{told:?}");
    let others = stage.private_replies("Bek").await;
    assert!(others.iter().all(|it| !it.text.contains("posted here")), "{others:?}");
    stage.send_group_message("Ann", "/board").await;
    stage.service.wait_until_idle().await;
    let all = boards(&mut stage).await;
    let [board] = &all[..] else { panic!("{all:?}") };
    assert!(board.picture && board.text.contains("Bek is to move"), "{board:?}");
}

/// The chat belongs to one of two processes, and the press arrives at the other.
#[tokio::test]
async fn the_presser_learns_of_a_refused_board_from_the_process_that_sends_it() {
    let TwoProcesses { mut stage, other, .. } = start_two_processes().await;
    stage.send_group_message("Ann", "/togyz me @Bek").await;
    stage.send_group_message("Bek", "/accept").await;
    stage.service.wait_until_idle().await;
    let board = boards(&mut stage).await.pop().expect("there is a board");
    let message = Some(MessageId(board.id.clone()));
    let kind = UpdateKind::Press { callback_data: board.press("7").to_owned(), message };
    stage.ticks(LOOK_MS).await;
    stage.platform.fail_with(refusals(3));
    let update = stage.update("Ann", false, kind);
    other.handle(update).await;
    pass(&mut stage, 3_000).await;
    other.wait_until_idle().await;
    let told = stage.private_replies("Ann").await;
    assert!(told.iter().any(|it| it.text.contains("could not be posted here")), "{told:?}");
    let others = stage.private_replies("Bek").await;
    assert!(others.iter().all(|it| !it.text.contains("posted here")), "{others:?}");
}

const PLAYED: &str = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
    Ann sees Ann is to move\n";

/// Ann makes the first move, each of whose pictures is refused: the board is text.
async fn moves_in_words(stage: &mut dyn Stage) {
    presses_pit(stage, "Ann", "7").await;
    for _ in 0..100 {
        stage.pass_ms(1_000).await;
        let all = stage.visible_messages("Ann").await.into_iter();
        let boards: Vec<VisibleMessage> =
            all.filter(|it| it.text.contains("Bek is to move")).collect();
        if let [board] = &boards[..] {
            assert!(!board.picture && board.text.contains("Kazan: 10"), "{board:?}");
            assert_eq!(stage.complaints().await, Vec::<String>::new());
            return;
        }
    }
    panic!("no board came: {:?}", stage.visible_messages("Ann").await)
}

#[cfg(feature = "telegram")]
#[tokio::test]
async fn telegram_may_refuse_a_picture() {
    use crate::fake_telegram::Fault;
    let mut stage =
        crate::stage::telegram::TelegramStage::new(Arc::new(MemoryStore::default())).await;
    play("refused", PLAYED, &mut stage).await;
    for method in ["editMessageMedia", "sendPhoto"] {
        stage.tg.fail_next(1, Some(method), Fault::Server(400));
    }
    moves_in_words(&mut stage).await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn discord_may_refuse_a_picture() {
    use crate::fake_discord::Failure;
    let mut stage =
        crate::stage::discord::DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("refused", PLAYED, &mut stage).await;
    // As the answer to the press, by its token, as an edit, and as a new message.
    for (method, path) in [
        ("POST", "/interactions/"),
        ("PATCH", "/webhooks/"),
        ("PATCH", "/channels/"),
        ("POST", "/messages"),
    ] {
        // 40005: request entity too large.
        stage.dc.fail(Failure::Refuse { method, path, code: 40005 });
    }
    moves_in_words(&mut stage).await;
}
