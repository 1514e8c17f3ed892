//! Builds boards for chats where the bot has a single text message. Buttons that open a page of
//! their own in other chats work on the board itself here, or are left out.

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

/// The buttons in a row in a lobby, because labels of house rules are long.
const LOBBY_BUTTONS_PER_ROW: usize = 3;

/// The state of a board that is the only message of its chat.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineBoard<'a> {
    /// The page of the buttons of the seat to move, from 0.
    pub page: u8,
    /// The link to the private chat with the bot, where all other actions are available.
    pub private_chat_url: Option<&'a str>,
    /// Whether the message can show a picture now.
    pub can_show_picture: bool,
}

/// Changes a board view to a single message: a text where no picture can be shown.
pub(crate) fn inline_board_view(table: &Table, mut view: View, inline: InlineBoard<'_>) -> View {
    let game = table.game.as_deref().filter(|_| !inline.can_show_picture);
    let sketch = game.map(|it| it.sketch(Viewer::Public)).unwrap_or_default();
    if !sketch.is_empty() {
        // The text drawing shows everything, so the picture is not needed.
        view.picture = None;
        view.texts.splice(0..0, sketch);
    }
    if table.phase == TablePhase::Lobby {
        view.button_rows = inline_lobby_buttons(table, view.button_rows);
    }
    let has_begun = matches!(table.phase, TablePhase::Playing | TablePhase::Over { .. });
    if let Some(link) = inline.private_chat_url.filter(|_| has_begun) {
        let key = match table.phase {
            TablePhase::Over { .. } => "private-link-over",
            _ => "private-link",
        };
        view.texts.push(Text::new(key).with("link", link));
    }
    view
}

/// The buttons of the lobby that work in a single message: seats and all settings before the start.
fn inline_lobby_buttons(table: &Table, keys: Vec<Vec<ButtonSpec>>) -> Vec<Vec<ButtonSpec>> {
    let is_command = |key: &ButtonSpec| {
        TableCallback::decode(&key.callback_data).is_some_and(|it| it.action.command().is_some())
    };
    let setting_buttons: Vec<ButtonSpec> = lobby_view::lobby_settings_view(table)
        .button_rows
        .into_iter()
        .flatten()
        .filter(is_command)
        .collect();
    let rows = keys.into_iter().map(|row| row.into_iter().filter(is_command).collect::<Vec<_>>());
    let setting_buttons = setting_buttons.chunks(LOBBY_BUTTONS_PER_ROW).map(<[ButtonSpec]>::to_vec);
    rows.filter(|row| !row.is_empty()).chain(setting_buttons).collect()
}

/// The last row during a game: sheets as short notifications, and actions.
pub(crate) fn inline_table_buttons(table: &Table) -> Vec<ButtonSpec> {
    let down = table_callback_data(table, &ShowBoard);
    // The button that begins a message is left out, because the bot would not receive that message.
    let hand = hand_views::hand_buttons(table, HandDelivery::Buttons).into_iter();
    let common = common_buttons(table).into_iter().filter(|it| it.callback_data != down);
    hand.chain(panel_views::sheet_buttons(table))
        .chain(deal_views::last_deal_button(table))
        .chain(common)
        .collect()
}

/// The buttons of one page of actions for the seat to move, with buttons for the other pages.
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
