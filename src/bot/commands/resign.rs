//! `/resign`: give up the game.

use super::action::{ButtonData, ExecuteCommand, without_arguments};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            in_short_menu: true,
            ..CommandSpec::new("resign", |input| {
                input.about_table_without_words(ExecuteCommand(Command::Resign))
            })
        }]
    },
    buttons: &[ButtonCode::Table("r", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Resign))
    })],
    table_commands: &[TableCommandSpec::new(
        |it| (*it == Command::Resign).then(|| ButtonData::new("r")),
        |it| it.fit_for_seated(),
    )],
};
