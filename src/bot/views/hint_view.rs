//! Builds the private message with a hint.

use crate::views::board_view;
use crate::workers::is_certain;
use caravanserai_games::rules::Seat;
use caravanserai_games::search::PlayerEvaluation;
use caravanserai_games::text::Text;
use caravanserai_protocol::ReplyForm;
use caravanserai_protocol::view::{HintedAction, View};
use caravanserai_table::review::{choice_label, to_percent};
use caravanserai_table::state::Table;

/// The hint in words, with the labels that the game gives to its moves. The chance to win is left
/// out where it is certain, and where a seat has won already.
pub fn hint_view(table: &Table, seat: u8, evaluation: &PlayerEvaluation<String>) -> View {
    let game = table.game.as_deref();
    let choices = game.map(|it| it.choices(Seat(seat))).unwrap_or_default();
    let label = choice_label(&choices, &evaluation.action);
    let percent = to_percent(evaluation.chance);
    let mut texts = vec![match is_certain(evaluation) || table.is_winner_known() {
        true => Text::new("answer-hint-sure").with("move", label),
        false => Text::new("answer-hint").with("move", label).with("percent", percent),
    }];
    if table.seating.people_seats().len() > 1 {
        texts.push(Text::new("answer-hint-counted"));
    }
    let form = ReplyForm::Toast;
    let secret = table.game_id().info().hidden;
    let hint = Some(HintedAction {
        table: table.id.0.clone(),
        moment: table.history.position,
        token: evaluation.action.clone(),
    });
    let view = View { texts, form, secret, hint, ..View::default() };
    board_view::with_player_names(table, view)
}
