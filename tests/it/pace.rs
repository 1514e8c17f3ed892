//! The pace of computer moves: turn by turn where one person plays against computers, all at once
//! where people want that or where the chat allows no more calls, and never before a person's own
//! throw.

use std::sync::Arc;
use std::time::Duration;

use caravanserai_bot::commands::{ExecuteCommand, TableAction};
use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_store::Space;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::Table;

use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, VisibleMessage};

/// How long an action is shown here, and how long where three computers play in turn.
const CALM_MS: u64 = 1_200;
const CALM_OF_THREE_MS: u64 = 780;

/// Nothing takes that long when all works.
const PATIENCE: Duration = Duration::from_secs(30);

async fn stage() -> MemoryStage {
    MemoryStage::calm(Arc::new(MemoryStore::default()), CALM_MS).await
}

async fn table(stage: &MemoryStage) -> Table {
    let heads = stage.store.scan(Space::Head, "", None, 9).await.unwrap();
    let id = TableId(heads.last().unwrap().0.clone());
    let log = stage.store.read_log(&id.0, 0).await.unwrap();
    Table::from_log(&id, &log).unwrap()
}

/// The seats that acted, one after the other.
async fn turns(stage: &MemoryStage) -> Vec<u8> {
    let mut turns: Vec<u8> =
        table(stage).await.history.steps.iter().filter_map(|it| it.seat).collect();
    turns.dedup();
    turns
}

/// The present board, even if a computer still thinks or waits.
fn board(stage: &MemoryStage) -> VisibleMessage {
    let seen = stage.platform.messages(&stage.group);
    seen.into_iter().rfind(VisibleMessage::is_board).expect("there is a board")
}

/// Waits for what is shown, while no time passes for the bot.
async fn until(
    stage: &mut MemoryStage,
    what: &str,
    holds: impl Fn(&VisibleMessage) -> bool,
) -> VisibleMessage {
    let waits = async {
        loop {
            let board = board(stage);
            if holds(&board) {
                return board;
            }
            stage.wait_for_change().await;
        }
    };
    tokio::time::timeout(PATIENCE, waits).await.unwrap_or_else(|_| panic!("{what}"))
}

/// Waits until a computer has decided and rests for so long.
async fn rested(stage: &MemoryStage, calm_ms: u64) {
    let mut wakes = stage.clock.sleepers();
    let at = stage.clock.monotonic_ms() + calm_ms;
    let rests = async { wakes.wait_for(|all| all.contains(&at)).await.is_ok() };
    assert!(tokio::time::timeout(PATIENCE, rests).await.expect("a computer rests"));
}

async fn press(stage: &mut MemoryStage, label: &str) {
    let board = board(stage);
    let found = board.buttons.iter().find(|(it, _)| it.contains(label));
    let press = found.unwrap_or_else(|| panic!("no {label}: {board:?}")).1.clone();
    stage.press_button("Ann", &board, &press).await;
}

#[tokio::test]
async fn one_s_own_move_is_shown_first_and_then_each_computer_s() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz me computer").await;
    stage.service.wait_until_idle().await;
    assert!(turns(&stage).await.is_empty(), "nothing happens before the first press");
    press(&mut stage, "7").await;
    let shown = until(&mut stage, "the own move", |it| it.text.contains("Ann 10")).await;
    assert!(shown.text.contains("Merchant"), "{}", shown.text);
    assert_eq!(turns(&stage).await.len(), 1, "the computer waits until that was seen");
    rested(&stage, CALM_MS).await;
    stage.clock.pass_ms(CALM_MS);
    until(&mut stage, "the answer", |it| it.buttons.iter().any(|(it, _)| it.starts_with('1')))
        .await;
    assert_eq!(turns(&stage).await.len(), 2);
}

#[tokio::test]
async fn dice_are_thrown_by_whom_they_belong_to_and_each_turn_is_seen() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/thaayam me easy easy easy").await;
    stage.service.wait_until_idle().await;
    assert!(turns(&stage).await.is_empty(), "nothing but the cup");
    for round in 0..3 {
        let shown = until(&mut stage, "her turn", |it| it.text.contains("Ann throws")).await;
        while let table = table(&stage).await
            && let Some(turn) = table.seat_to_move().filter(|it| !table.seating.is_computer(*it))
        {
            // The first that can be done: at first that is the throw.
            let token = table.game.as_ref().unwrap().choices(Seat(turn))[0].token.clone();
            let choice = MoveChoice::Token(token);
            let command = Command::Move { position: Some(table.history.position), choice };
            let action: &dyn TableAction = &ExecuteCommand(command);
            stage.press_button("Ann", &shown, &action.callback_data(&table.id)).await;
        }
        for _ in 0..3 {
            let before = turns(&stage).await;
            let text = board(&stage).text;
            rested(&stage, CALM_OF_THREE_MS).await;
            assert_eq!(turns(&stage).await, before, "it waits in round {round}");
            stage.clock.pass_ms(CALM_OF_THREE_MS);
            until_turns(&stage, before.len() + 1).await;
            until(&mut stage, "what it did", |it| it.text != text).await;
        }
    }
}

/// Waits for so many turns, while no time passes for the bot.
async fn until_turns(stage: &MemoryStage, count: usize) {
    let waits = async {
        while turns(stage).await.len() < count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waits).await.expect("a player takes their turn");
}

#[tokio::test]
async fn quick_pace_plays_computer_moves_at_once() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/pace").await;
    assert!(stage.private_replies("Ann").await.last().unwrap().text.contains("one by one"));
    stage.send_group_message("Ann", "/pace quick").await;
    assert!(stage.private_replies("Ann").await.last().unwrap().text.contains("at once"));
    stage.send_group_message("Ann", "/togyz me computer").await;
    stage.service.wait_until_idle().await;
    press(&mut stage, "7").await;
    stage.service.wait_until_idle().await;
    assert_eq!(turns(&stage).await.len(), 2, "no time had to pass");
    // The menu of the board leads back.
    press(&mut stage, "⋯").await;
    let menu = stage.private_replies("Ann").await.last().unwrap().clone();
    stage.clock.pass_ms(1_000);
    let calm = menu.buttons.iter().find(|(it, _)| it.contains("🐢")).expect("a button").1.clone();
    stage.press_button("Ann", &menu, &calm).await;
    let told = stage.private_replies("Ann").await;
    assert!(told.last().unwrap().text.contains("one by one"), "{told:?}");
}

#[tokio::test]
async fn one_edit_shows_all_moves_where_few_calls_are_allowed() {
    let mut stage = stage().await;
    stage.platform.set_call_limit(18);
    stage.send_group_message("Ann", "/togyz me computer").await;
    stage.service.wait_until_idle().await;
    press(&mut stage, "7").await;
    stage.service.wait_until_idle().await;
    let text = board(&stage).text;
    assert!(turns(&stage).await.len() == 2 && text.contains("Ann 7"), "both are told: {text}");
}
