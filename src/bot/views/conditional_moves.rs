//! Builds the line and the button about a player's conditional moves, for that player alone.

use super::board_view;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_table::command::Command;
use caravanserai_table::state::Table;

/// The conditional moves of a seat as a list; `None` if none are set.
pub(crate) fn conditional_move_list(table: &Table, seat: u8) -> Option<Arg> {
    let pair = |(theirs, own): &(String, String)| {
        let text = Text::new("plan-pair").with("theirs", theirs.as_str());
        Arg::from(text.with("own", own.as_str()))
    };
    let plan = table.history.planned_answers.of_seat(seat);
    (!plan.is_empty()).then(|| Arg::List(plan.iter().map(pair).collect()))
}

/// Adds the conditional moves of a seat to a view that only its player sees, and the button that
/// drops them.
pub(crate) fn add_conditional_moves(view: &mut View, table: &Table, seat: u8) {
    if table.seat_to_move() == Some(seat) || table.is_frozen() {
        return;
    }
    let Some(plan) = conditional_move_list(table, seat) else { return };
    view.texts.push(Text::new("plan-set").with("plan", plan));
    let drop = Command::SetConditionalMoves(String::new());
    view.button_rows.push(vec![board_view::command_button(table, "button-drop-plan", drop)]);
}
