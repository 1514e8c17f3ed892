//! Builds the advice for a person's first game: what happened, and what to consider before a move.
//!
//! In games with hidden hands the advice is part of the hand, which only its owner sees. In other
//! games it is sent to the learner alone if the platform allows that after every move, else the
//! board shows it.

use crate::commands::action::ExecuteCommand;
use crate::commands::hint::AskHint;
use crate::views::board_view::{table_callback_data, with_player_names};
use crate::views::hand_views::HandDelivery;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::command::{Command, OfferKind};
use caravanserai_table::state::{Table, TablePhase};

/// The most sentences of advice at once, because they are read between two moves.
const SENTENCES_MAX: usize = 2;

/// The slot in which new advice replaces older advice for this table.
pub fn coach_slot(table: &TableId) -> String {
    format!("coach {}", table.0)
}

/// Whether the learner at this table gets advice in private.
pub fn is_coached_privately(table: &Table) -> bool {
    table.setup.coached && !table.game_id().info().hidden && !table.is_solo()
}

/// The advice for the seat to move, if a learner plays it.
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

/// The advice in the hand of a seat.
pub(crate) fn hand_advice(table: &Table, seat: u8) -> Vec<Text> {
    if table.game_id().info().hidden { turn_advice(table, seat) } else { Vec::new() }
}

/// The advice under the board, if the learner cannot get it in private or is the only reader.
pub(crate) fn public_advice(table: &Table, hand_delivery: HandDelivery) -> Vec<Text> {
    let hidden = table.game_id().info().hidden;
    let is_private = is_coached_privately(table) && hand_delivery == HandDelivery::Buttons;
    match table.coached_seat_to_move() {
        // In a private chat the board shows the hand as well.
        Some(seat) if (hidden && table.is_solo()) || (!hidden && !is_private) => {
            turn_advice(table, seat)
        }
        Some(_) | None => Vec::new(),
    }
}

/// The private message for the learner: what happened and what to consider. Returns `None` if it is
/// not their turn.
pub fn coach_view(table: &Table, seat: u8) -> Option<View> {
    let advice = turn_advice(table, seat);
    if advice.is_empty() || !is_coached_privately(table) {
        return None;
    }
    let mut texts = table.game.as_deref()?.caption(Viewer::Public);
    // The advice also says that it is their turn.
    texts.pop();
    texts.extend(advice);
    let takeback = &ExecuteCommand(Command::Offer(OfferKind::Takeback));
    let keys = vec![vec![
        ButtonSpec::new(Text::new("button-hint"), table_callback_data(table, &AskHint)),
        ButtonSpec::new(Text::new("button-take-back"), table_callback_data(table, takeback)),
    ]];
    let slot = Some(coach_slot(&table.id));
    Some(with_player_names(table, View { texts, button_rows: keys, slot, ..View::default() }))
}
