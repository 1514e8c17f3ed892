//! The settings page of a table before the start, and its buttons.

use std::sync::Arc;

use super::action::{
    ActionFuture, ButtonData, ExecuteCommand, TableAction, TableCandidate, TableFit, TableRequest,
    decode_switch, execute, without_arguments,
};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use crate::views::lobby_view;
use caravanserai_table::command::Command;
use caravanserai_table::event::FirstMover;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    buttons: &[
        ButtonCode::Table("2", |arguments| without_arguments(arguments, ShowLobbySettings)),
        ButtonCode::Table("b", |arguments| match arguments {
            [begin] => Some(execute(Command::SetFirstMover(FirstMover::parse(begin)?))),
            _ => None,
        }),
        ButtonCode::Table("hs", decode_hints),
        ButtonCode::Table("rt", |arguments| decode_switch(arguments, Command::SetRated)),
        ButtonCode::Table("N", |arguments| match arguments {
            [seats] => Some(execute(Command::SetSeatCount(seats.parse().ok()?))),
            _ => None,
        }),
        ButtonCode::Table("E", |arguments| {
            without_arguments(arguments, ExecuteCommand(Command::KeepOpen))
        }),
    ],
    table_commands: &[
        TableCommandSpec::lobby_setting(|it| match it {
            Command::SetFirstMover(begin) => Some(ButtonData::with("b", begin.encode())),
            _ => None,
        }),
        TableCommandSpec::lobby_setting(|it| match it {
            Command::SetHints(on) => Some(ButtonData::switch("hs", *on)),
            _ => None,
        }),
        TableCommandSpec::lobby_setting(|it| match it {
            Command::SetRated(on) => Some(ButtonData::switch("rt", *on)),
            _ => None,
        }),
        TableCommandSpec::lobby_setting(|it| match it {
            Command::SetSeatCount(seats) => Some(ButtonData::with("N", seats)),
            _ => None,
        }),
        TableCommandSpec::new(
            |it| (*it == Command::KeepOpen).then(|| ButtonData::new("E")),
            |it| it.fit_in_lobby(),
        ),
    ],
    ..CommandFile::EMPTY
};

/// Decodes the button that turns hints on or off.
pub(super) fn decode_hints(arguments: &[&str]) -> Option<Arc<dyn TableAction>> {
    decode_switch(arguments, Command::SetHints)
}

/// Shows all settings of a table before the start.
#[derive(Clone, Copy, Debug)]
pub struct ShowLobbySettings;

impl TableAction for ShowLobbySettings {
    fn button(&self) -> ButtonData {
        ButtonData::new("2")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_before_start()
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-none-waiting")
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![lobby_view::lobby_settings_view(request.guard.table())]) })
    }
}
