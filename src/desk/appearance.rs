//! The private look at a board: turned to whoever asks, or in words.

use super::Desk;
use super::visit::{Visit, brief};
use crate::chat::hands;
use crate::chat::looks;
use crate::chat::note::{Key, Note, Picture};
use crate::chat::present;
use crate::chat::press::{Ask, TablePress};
use crate::rules::{Seat, Viewer};
use crate::table::fold::Table;
use crate::words::Text;

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
