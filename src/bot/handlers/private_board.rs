//! Private views of a board: turned to the person who asks, or in words.

use super::Handlers;
use super::context::{RequestContext, brief_note};
use crate::commands::flip::ShowOwnSide;
use crate::views::hand_views;
use crate::views::{board_view, settings_buttons};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_table::state::Table;

impl Handlers {
    /// Shows the board privately with the side of the person who asks below.
    pub(crate) fn private_board_notes(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
    ) -> Vec<View> {
        let Some(game) = table.game.as_deref() else { return brief_note("refuse-not-started") };
        let seat = table.seats_of(&visit.update.person.id).next();
        if let (Some(seat), true) = (seat, hand_views::has_hands(table)) {
            return vec![hand_views::hand_view(table, seat, self.hand_delivery(visit, table))];
        }
        let id = table.id.0.clone();
        let picture = match seat {
            Some(seat) => PictureRef::View { table: id, seat },
            None => PictureRef::Board { table: id },
        };
        let texts = game.caption(seat.map_or(Viewer::Public, |it| Viewer::Seat(Seat(it))));
        let keys = vec![vec![settings_buttons::flip_button(!visit.person.fixed)]];
        let note = View { picture: Some(picture), keys, ..View::persistent(texts) };
        vec![board_view::with_player_names(table, note)]
    }

    /// The board in words, with the way to have it so always.
    pub(crate) fn private_text_board(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
        viewer: Viewer,
    ) -> Vec<View> {
        let note = board_view::board_text_view(table, viewer);
        let view = board_view::table_callback_data(table, &ShowOwnSide);
        let view = ButtonSpec::new(Text::new("button-view"), view);
        let always = settings_buttons::text_board_button(visit.person.words);
        vec![View { keys: vec![vec![view, always]], ..note }]
    }
}
