//! Boards that are all there is of their place: one message of words, with nothing beside it. What
//! leads to a page of its own elsewhere is done on the board itself here, or left out.

use super::hands::{self, Means};
use super::note::{Key, Note};
use super::present::{common_keys, press};
use super::press::{Ask, TablePress};
use super::{deals, lobby, panels};
use caravanserai_games::rules::Viewer;
use caravanserai_games::words::Text;
use caravanserai_games::{Choice, Panel};
use caravanserai_table::fold::{Phase, Table};

/// Buttons side by side in a lobby: labels of house rules are long.
const IN_A_ROW: usize = 3;

/// How a board stands that is all there is of its place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sole<'a> {
    /// Which page of the buttons of the seat on turn stands under it, from 0.
    pub page: u8,
    /// The address at which its people speak with the bot alone: there is the rest.
    pub door: Option<&'a str>,
}

/// The same board as one message of words.
pub(super) fn shown(table: &Table, mut note: Note, sole: Sole<'_>) -> Note {
    let game = table.game.as_deref();
    let sketch = game.map(|it| it.sketch(Viewer::Public)).unwrap_or_default();
    if !sketch.is_empty() {
        // Signs show it all: a picture that would be put into words is not needed.
        note.picture = None;
        note.texts.splice(0..0, sketch);
    }
    if table.phase == Phase::Lobby {
        note.keys = lobby_keys(table, note.keys);
    }
    let played = matches!(table.phase, Phase::Playing | Phase::Over { .. });
    if let Some(door) = sole.door.filter(|_| played) {
        let key = match table.phase {
            Phase::Over { .. } => "sole-door-over",
            _ => "sole-door",
        };
        note.texts.push(Text::new(key).with("link", door));
    }
    note
}

/// What is done by a press alone: who sits where, and all that is settled before the start.
fn lobby_keys(table: &Table, keys: Vec<Vec<Key>>) -> Vec<Vec<Key>> {
    let acts = |key: &Key| {
        let ask = TablePress::read(&key.press).map(|it| it.ask);
        matches!(ask, Some(Ask::Do(_)))
    };
    let settling: Vec<Key> =
        lobby::settings(table).keys.into_iter().flatten().filter(acts).collect();
    let rows = keys.into_iter().map(|row| row.into_iter().filter(acts).collect::<Vec<_>>());
    let settling = settling.chunks(IN_A_ROW).map(<[Key]>::to_vec);
    rows.filter(|row| !row.is_empty()).chain(settling).collect()
}

/// The last row while a game is on: what can be read in a passing note, what can be done.
pub(super) fn table_keys(table: &Table) -> Vec<Key> {
    let down = press(table, Ask::Board);
    // Without the button that begins a message: the bot would not hear it here.
    let hand = hands::hand_keys(table, Means::Buttons).into_iter();
    let common = common_keys(table).into_iter().filter(|it| it.press != down);
    hand.chain(panels::sheet_keys(table)).chain(deals::key(table)).chain(common).collect()
}

/// The rows of a page of what the seat on turn may do, with the way to the other pages.
pub(super) fn panel_rows(table: &Table, panel: Panel<Choice>, page: u8) -> Vec<Vec<Key>> {
    if page == 0 {
        return panels::rows(table, panel);
    }
    let pages = panel.pages;
    let mut rows = panels::rows(table, Panel { pages: 1, ..panel });
    rows.extend(panels::leaves(page, pages, |page| press(table, Ask::More { page })));
    rows
}
