//! Builds the advice for a person's first game: what happened, and what to look at before moving.
//!
//! In games with hidden hands the advice is part of the hand, which only its owner reads. Elsewhere
//! it is sent to the learner alone where the platform allows that with every move, else the board
//! shows it.

use crate::commands::action::ExecuteCommand;
use crate::commands::hint::AskHint;
use crate::views::board_view::{table_callback_data, with_player_names};
use crate::views::hand_views::HandDelivery;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::command::{Command, Proposal};
use caravanserai_table::state::{Table, TablePhase};

/// At most so many sentences at once: one reads them between two moves.
const SENTENCES_MAX: usize = 2;

/// What replaces an earlier word of advice at this table.
pub fn coach_slot(table: &TableId) -> String {
    format!("coach {}", table.0)
}

/// Whether the learner of this table is told alone what to look for.
pub fn is_coached_privately(table: &Table) -> bool {
    table.setup.coached && !table.game_id().info().hidden && !table.is_solo()
}

/// What the seat on turn should see, if it is that of a learner.
fn turn_advice(table: &Table, seat: u8) -> Vec<Text> {
    let Some(game) = table.game.as_deref().filter(|_| table.phase == TablePhase::Playing) else {
        return Vec::new();
    };
    if table.coached_seat_to_move() != Some(seat) {
        return Vec::new();
    }
    let mut texts = game.advice(Seat(seat));
    texts.truncate(SENTENCES_MAX);
    texts.into_iter().map(|it| Text::new("coach-says").with("what", it)).collect()
}

/// What stands in the hand of a seat.
pub(crate) fn hand_advice(table: &Table, seat: u8) -> Vec<Text> {
    if table.game_id().info().hidden { turn_advice(table, seat) } else { Vec::new() }
}

/// What stands below the board, where the learner cannot be told alone or reads alone.
pub(crate) fn public_advice(table: &Table, means: HandDelivery) -> Vec<Text> {
    let hidden = table.game_id().info().hidden;
    let alone = is_coached_privately(table) && means == HandDelivery::Buttons;
    match table.coached_seat_to_move() {
        // The board of somebody alone shows their hand as well.
        Some(seat) if (hidden && table.is_solo()) || (!hidden && !alone) => {
            turn_advice(table, seat)
        }
        Some(_) | None => Vec::new(),
    }
}

/// What the learner is told alone: what happened, and what to look for; `None` while it is not
/// their turn.
pub fn coach_view(table: &Table, seat: u8) -> Option<View> {
    let advice = turn_advice(table, seat);
    if advice.is_empty() || !is_coached_privately(table) {
        return None;
    }
    let mut texts = table.game.as_deref()?.caption(Viewer::Public);
    // That it is their turn the advice says as well.
    texts.pop();
    texts.extend(advice);
    let back = &ExecuteCommand(Command::Propose(Proposal::TakeBack));
    let keys = vec![vec![
        ButtonSpec::new(Text::new("button-hint"), table_callback_data(table, &AskHint)),
        ButtonSpec::new(Text::new("button-take-back"), table_callback_data(table, back)),
    ]];
    let slot = Some(coach_slot(&table.id));
    Some(with_player_names(table, View { texts, keys, slot, ..View::default() }))
}
