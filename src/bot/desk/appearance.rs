//! The private look at a board: turned to whoever asks, or in words.

use super::Desk;
use super::visit::{Visit, brief};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::words::Text;
use caravanserai_protocol::hands;
use caravanserai_protocol::looks;
use caravanserai_protocol::note::{Key, Note, Picture};
use caravanserai_protocol::present;
use caravanserai_protocol::press::{Ask, TablePress};
use caravanserai_table::fold::Table;

impl Desk {
    /// The board as whoever asks wants to see it, for them alone.
    pub(super) fn own_view(&self, visit: &Visit<'_>, table: &Table) -> Vec<Note> {
        let Some(game) = table.game.as_deref() else { return brief("refuse-not-started") };
        let seat = table.seats_of(&visit.update.person.id).next();
        if let (Some(seat), true) = (seat, hands::are_dealt(table)) {
            return vec![hands::hand(table, seat, self.means(visit, table))];
        }
        let id = table.id.0.clone();
        let picture = match seat {
            Some(seat) => Picture::View { table: id, seat },
            None => Picture::Board { table: id },
        };
        let texts = game.caption(seat.map_or(Viewer::Public, |it| Viewer::Seat(Seat(it))));
        let keys = vec![vec![looks::turned_key(!visit.person.fixed)]];
        let note = Note { picture: Some(picture), keys, ..Note::lasting(texts) };
        vec![present::named(table, note)]
    }

    /// The board in words, with the way to have it so always.
    pub(super) fn own_text(&self, visit: &Visit<'_>, table: &Table, viewer: Viewer) -> Vec<Note> {
        let note = present::board_text(table, viewer);
        let ask = TablePress { table: table.id.clone(), ask: Ask::View };
        let look = Key::new(Text::new("button-view"), ask.write());
        vec![Note { keys: vec![vec![look, looks::words_key(visit.person.words)]], ..note }]
    }
}
