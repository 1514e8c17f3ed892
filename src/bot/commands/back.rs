//! `/back`: play again after having been away.

use super::action::{ButtonData, ExecuteCommand, TableFit, without_arguments};
use super::argument;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("back", |input| {
                input.about_table_without_words(ExecuteCommand(Command::Return))
            })
        }]
    },
    buttons: &[ButtonCode::Table("im", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Return))
    })],
    table_commands: &[TableCommandSpec::new(
        |it| (*it == Command::Return).then(|| ButtonData::new("im")),
        |it| {
            let is_away = it.table.clocks.recorded_vacation(it.person).is_some()
                || it
                    .table
                    .seating
                    .seats_of(it.person)
                    .any(|seat| it.table.computer_level_of(seat).is_some());
            TableFit::likely_or_possible(is_away, it.is_seated && it.is_playing)
        },
    )],
};
