//! The time from a button press to its visible effect: acknowledged at once, one request on
//! Discord, within Telegram's limits. Buttons that move under a finger are not hit.

use std::sync::Arc;

use caravanserai_games::ids::MessageId;
use caravanserai_protocol::UpdateKind;
use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};

const SEATED: &str = "people Ann Bek
Ann says /togyz @Bek me
Bek presses Accept
everyone sees Ann is to move";

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new())
}

async fn a_press_says_what_it_did(stage: &mut dyn Stage) {
    play("seated", SEATED, stage).await;
    let moves = "Ann presses 7
Ann gets reply ✓ 7 → pit 6, +10 · Bek’s turn
everyone sees Bek is to move
nobody gets a reply";
    play("moves", moves, stage).await;
}

#[tokio::test]
async fn a_press_is_acknowledged_at_once() {
    a_press_says_what_it_did(&mut MemoryStage::new(store()).await).await;
    a_press_says_what_it_did(&mut WebStage::new(store()).await).await;
    #[cfg(feature = "telegram")]
    a_press_says_what_it_did(&mut crate::stage::telegram::TelegramStage::new(store()).await).await;
}

/// The buttons of the newest message with buttons that a person sees, and its id.
async fn buttons(stage: &mut dyn Stage, who: &str) -> (String, Vec<(String, String)>) {
    let seen = stage.visible_messages(who).await;
    let board = seen.into_iter().rev().find(|it| !it.buttons.is_empty()).expect("a board");
    (board.id, board.buttons)
}

#[tokio::test]
async fn the_second_tap_on_join_is_nothing_else() {
    let mut stage = MemoryStage::new(store()).await;
    let lobby = "people Ann Bek Cyd Dan
Ann says /blot
Bek presses Join
Cyd presses Join
everyone sees Cyd";
    play("lobby", lobby, &mut stage).await;
    stage.pass_ms(1_000).await;
    let (message, lobby) = buttons(&mut stage, "Dan").await;
    let at = lobby.iter().position(|it| it.0.contains("Join")).expect("a seat is free");
    for (ms, refused) in [(0, false), (80, true), (1_000, false)] {
        stage.pass_ms(ms).await;
        let (_, now) = buttons(&mut stage, "Dan").await;
        let (label, press) = now[at].clone();
        assert_eq!(label.contains("Join"), ms == 0, "after {ms} ms it is {label}");
        let body =
            UpdateKind::Press { callback_data: press, message: Some(MessageId(message.clone())) };
        let update = stage.update("Dan", false, body);
        let whispers = stage.hear(update).await;
        let slid = |it: &caravanserai_protocol::EphemeralReply| {
            it.message.text().to_plain().contains("That button has just changed")
        };
        assert_eq!(whispers.iter().any(slid), refused, "{label} after {ms} ms: {whispers:?}");
    }
}

#[cfg(feature = "discord")]
mod discord {
    use super::*;
    use crate::stage::discord::DiscordStage;

    /// Kinds of callbacks, or methods of other requests.
    fn requests(stage: &DiscordStage, from: usize) -> Vec<String> {
        let calls = stage.dc.calls();
        let kind = |it: &crate::fake_discord::Call| match it.path.contains("/callback") {
            true => format!("answer {}", it.body["type"]),
            false => format!("{} {}", it.method, it.path),
        };
        calls[from..].iter().filter(|it| it.method != "GET").map(kind).collect()
    }

    #[tokio::test]
    async fn the_new_board_is_the_one_request_that_answers_a_press() {
        let mut stage = DiscordStage::new(store()).await;
        play("people", "people Ann Bek", &mut stage).await;
        let from = stage.dc.calls().len();
        play("open", "Ann says /togyz @Bek me\neveryone sees Ann challenges", &mut stage).await;
        assert_eq!(requests(&stage, from), ["answer 4"], "a table opens under its command");
        let from = stage.dc.calls().len();
        let moves = "Bek presses Accept
everyone sees Ann is to move
Ann presses 7
everyone sees Bek is to move
Bek presses 7
everyone sees Ann is to move
nobody gets a reply";
        play("moves", moves, &mut stage).await;
        assert_eq!(requests(&stage, from), ["answer 7"; 3]);
        assert_eq!(stage.complaints().await, [""; 0]);
    }
}

#[cfg(feature = "telegram")]
mod telegram {
    use super::*;
    use crate::stage::telegram::TelegramStage;
    use crate::stage::{LOOK_MS, VisibleMessage};

    /// A move of the player on turn; how long it took until the board showed it, in milliseconds.
    async fn moved(stage: &mut TelegramStage, who: &str) -> u64 {
        let board = stage
            .visible_messages(who)
            .await
            .into_iter()
            .rev()
            .find(VisibleMessage::is_board)
            .expect("a board");
        let press = board.buttons.iter().find(|it| it.1.starts_with("p.")).expect("a move");
        let before_ms = stage.now_ms();
        stage.press_button(who, &board, &press.1).await;
        let after =
            stage.visible_messages(who).await.into_iter().rev().find(VisibleMessage::is_board);
        assert_ne!(after, Some(board), "it is seen");
        stage.now_ms() - before_ms - LOOK_MS
    }

    #[tokio::test]
    async fn a_busy_table_is_shown_as_soon_as_telegram_limits_allow() {
        let mut stage = TelegramStage::new(store()).await;
        play("seated", SEATED, &mut stage).await;
        stage.pass_ms(60_000).await;
        stage.tg.limit_rates();
        for n in 0..15 {
            let took_ms = moved(&mut stage, ["Ann", "Bek"][n % 2]).await;
            assert!(took_ms <= 500, "act {n} of a minute: {took_ms} ms");
            stage.pass_ms(500).await;
        }
        stage.pass_ms(60_000).await;
        for n in 15..60 {
            stage.pass_ms(3_000 - LOOK_MS).await;
            let took_ms = moved(&mut stage, ["Ann", "Bek"][n % 2]).await;
            assert!(took_ms <= 3_500, "steady play: {took_ms} ms");
        }
        assert_eq!(stage.complaints().await, [""; 0]);
    }
}
