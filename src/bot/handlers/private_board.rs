//! Private views of a board: turned to the person who asks, or in words.

use super::context::{RequestContext, brief_views};
use super::private_hand::PrivateHands;
use crate::commands::flip::ShowOwnSide;
use crate::views::hand_views;
use crate::views::{board_view, settings_buttons};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_table::state::Table;

impl PrivateHands {
    /// Shows the board privately, with the side of the person at the bottom.
    pub(crate) fn private_board_views(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> Vec<View> {
        let Some(game) = table.game.as_deref() else { return brief_views("refuse-not-started") };
        let seat = table.seating.seats_of(&context.update.person.id).next();
        if let (Some(seat), true) = (seat, hand_views::has_hands(table)) {
            return vec![hand_views::hand_view(table, seat, self.hand_delivery(context, table))];
        }
        let id = table.id.0.clone();
        let picture = match seat {
            Some(seat) => PictureRef::View { table: id, seat },
            None => PictureRef::Board { table: id },
        };
        let texts = game.caption(seat.map_or(Viewer::Public, |it| Viewer::Seat(Seat(it))));
        let keys = vec![vec![settings_buttons::flip_button(!context.person.has_fixed_orientation)]];
        let view = View { picture: Some(picture), button_rows: keys, ..View::persistent(texts) };
        vec![board_view::with_player_names(table, view)]
    }
}

/// The board as text, with a button to always show it so.
pub(crate) fn private_text_board(
    context: &RequestContext<'_>,
    table: &Table,
    viewer: Viewer,
) -> Vec<View> {
    let board = board_view::board_text_view(table, viewer);
    let own_side = board_view::table_callback_data(table, &ShowOwnSide);
    let own_side = ButtonSpec::new(Text::new("button-view"), own_side);
    let always = settings_buttons::text_board_button(context.person.prefers_text_boards);
    vec![View { button_rows: vec![vec![own_side, always]], ..board }]
}
