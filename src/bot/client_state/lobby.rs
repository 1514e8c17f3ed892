//! Builds the seats of a table before its game starts for one viewer, for pages that draw them.
//!
//! The actions at a seat are those of the viewer's buttons on the board, so that a page never
//! offers more than the board.

use crate::commands::action::TableCallback;
use crate::delivery::MessageRenderer;
use crate::views::pending_offers::invitee_name;
use crate::workers::label_text;
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{LobbySeatState, LobbyState};
use caravanserai_table::command::Command;
use caravanserai_table::state::{Table, TablePhase};

/// The lines of a lobby that only name the player of a seat.
const SEAT_LINES: [&str; 2] = ["lobby-seat", "lobby-seat-computer"];

impl MessageRenderer {
    /// The seats of a table and what a viewer may do there; `None` once its game has started.
    /// `board` is the board of this viewer.
    pub(super) fn lobby_state(
        &self,
        table: &Table,
        board: &View,
        lang: Lang,
    ) -> Option<LobbyState> {
        if table.phase != TablePhase::Lobby {
            return None;
        }
        let command =
            |callback_data: &str| TableCallback::decode(callback_data)?.action.command().cloned();
        let buttons = board.button_rows.iter().flatten();
        let commands: Vec<(Command, &str)> = buttons
            .filter_map(|it| Some((command(&it.callback_data)?, &*it.callback_data)))
            .collect();
        let press_of = |wanted: &dyn Fn(&Command) -> bool| {
            commands
                .iter()
                .find(|(it, _)| wanted(it))
                .map(|(_, callback_data)| (*callback_data).to_owned())
        };
        let free = (0..table.setup.seats).filter(|it| table.seating.occupant(*it).is_none());
        let free: Vec<u8> = free.collect();
        // Those who come first get the first free seats, so the last ones are reserved.
        let awaited: Vec<_> = table.awaited_invitees().map(|(_, it)| invitee_name(it)).collect();
        let unreserved = free.len().saturating_sub(awaited.len());
        let seat_state = |seat: u8| {
            let position = free.iter().position(|it| *it == seat);
            let invited = position.and_then(|it| awaited.get(it.checked_sub(unreserved)?));
            let own = Some(seat);
            let takes_it =
                |it: &Command| matches!(it, Command::TakeSeat { seat, .. } if *seat == own);
            let joins = |it: &Command| matches!(it, Command::TakeSeat { seat: None, .. });
            let adds_computer = |it: &Command| matches!(it, Command::AddComputer(_));
            let is_first = position == Some(0);
            LobbySeatState {
                free: position.is_some(),
                invited: invited.map(|it| label_text(self.i18n(), lang, it)),
                sit: press_of(&takes_it)
                    .or_else(|| press_of(&joins).filter(|_| position.is_some())),
                add_computer: press_of(&adds_computer).filter(|_| is_first),
            }
        };
        let texts = (0..).zip(&board.texts);
        let is_seat_line = |key: &str| SEAT_LINES.contains(&key);
        Some(LobbyState {
            seats: (0..table.setup.seats).map(seat_state).collect(),
            seat_lines: texts.filter(|(_, it)| is_seat_line(&it.key)).map(|(n, _)| n).collect(),
        })
    }
}
