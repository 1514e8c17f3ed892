//! Builds boards for chats where the bot has one message of text and nothing beside it. Buttons
//! that
//! lead to a page of their own elsewhere work on the board itself here, or are left out.

use crate::commands::action::TableCallback;
use crate::commands::board::ShowBoard;
use crate::commands::make_move::ShowMoreMoves;
use crate::views::board_view::{common_buttons, table_callback_data};
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use crate::views::{deal_views, lobby_view, panel_views};
use caravanserai_games::rules::Viewer;
use caravanserai_games::text::Text;
use caravanserai_games::{ActionChoice, ButtonPanel};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::state::{Table, TablePhase};

/// Buttons side by side in a lobby: labels of house rules are long.
const LOBBY_BUTTONS_PER_ROW: usize = 3;

/// How a board stands that is all there is of its place.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineBoard<'a> {
    /// Which page of the buttons of the seat on turn stands under it, from 0.
    pub page: u8,
    /// The address at which its people speak with the bot alone: there is the rest.
    pub private_chat_url: Option<&'a str>,
}

/// The same board as one message of words.
pub(crate) fn inline_board_view(table: &Table, mut note: View, sole: InlineBoard<'_>) -> View {
    let game = table.game.as_deref();
    let sketch = game.map(|it| it.sketch(Viewer::Public)).unwrap_or_default();
    if !sketch.is_empty() {
        // Signs show it all: a picture that would be put into words is not needed.
        note.picture = None;
        note.texts.splice(0..0, sketch);
    }
    if table.phase == TablePhase::Lobby {
        note.keys = inline_lobby_buttons(table, note.keys);
    }
    let played = matches!(table.phase, TablePhase::Playing | TablePhase::Over { .. });
    if let Some(door) = sole.private_chat_url.filter(|_| played) {
        let key = match table.phase {
            TablePhase::Over { .. } => "sole-door-over",
            _ => "sole-door",
        };
        note.texts.push(Text::new(key).with("link", door));
    }
    note
}

/// What is done by a press alone: who sits where, and all that is settled before the start.
fn inline_lobby_buttons(table: &Table, keys: Vec<Vec<ButtonSpec>>) -> Vec<Vec<ButtonSpec>> {
    let acts = |key: &ButtonSpec| {
        TableCallback::decode(&key.press).is_some_and(|it| it.action.command().is_some())
    };
    let settling: Vec<ButtonSpec> =
        lobby_view::lobby_settings_view(table).keys.into_iter().flatten().filter(acts).collect();
    let rows = keys.into_iter().map(|row| row.into_iter().filter(acts).collect::<Vec<_>>());
    let settling = settling.chunks(LOBBY_BUTTONS_PER_ROW).map(<[ButtonSpec]>::to_vec);
    rows.filter(|row| !row.is_empty()).chain(settling).collect()
}

/// The last row while a game is on: what can be read in a passing note, what can be done.
pub(crate) fn inline_table_buttons(table: &Table) -> Vec<ButtonSpec> {
    let down = table_callback_data(table, &ShowBoard);
    // Without the button that begins a message: the bot would not hear it here.
    let hand = hand_views::hand_buttons(table, HandDelivery::Buttons).into_iter();
    let common = common_buttons(table).into_iter().filter(|it| it.press != down);
    hand.chain(panel_views::sheet_buttons(table))
        .chain(deal_views::last_deal_button(table))
        .chain(common)
        .collect()
}

/// The rows of a page of what the seat on turn may do, with the way to the other pages.
pub(crate) fn inline_panel_buttons(
    table: &Table,
    panel: ButtonPanel<ActionChoice>,
    page: u8,
) -> Vec<Vec<ButtonSpec>> {
    if page == 0 {
        return panel_views::panel_buttons(table, panel);
    }
    let pages = panel.pages;
    let mut rows = panel_views::panel_buttons(table, ButtonPanel { pages: 1, ..panel });
    rows.extend(panel_views::page_buttons(page, pages, |page| {
        table_callback_data(table, &ShowMoreMoves { page })
    }));
    rows
}
