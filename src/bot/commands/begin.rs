//! `/begin`: start the game with the players who have joined.

use super::action::{ButtonData, ExecuteCommand, without_arguments};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            ..CommandSpec::understood("begin", |input| {
                input.about_table_without_words(ExecuteCommand(Command::Start))
            })
        }]
    },
    buttons: &[ButtonCode::Table("G", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Start))
    })],
    table_commands: &[TableCommandSpec {
        no_table_key: Some("refuse-none-waiting"),
        ..TableCommandSpec::new(
            |it| (*it == Command::Start).then(|| ButtonData::new("G")),
            |it| it.fit_in_lobby(),
        )
    }],
};
