//! `/nudge`: remind the player to move, or before the start the invited players.

use super::action::{ButtonData, ExecuteCommand, without_arguments};
use super::argument;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::Command;
use caravanserai_table::state::TablePhase;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("nudge", |input| {
                input.about_table_without_words(ExecuteCommand(Command::Nudge))
            })
        }]
    },
    buttons: &[
        ButtonCode::Table("nu", |arguments| {
            without_arguments(arguments, ExecuteCommand(Command::Nudge))
        }),
        ButtonCode::Table("R", |arguments| {
            without_arguments(arguments, ExecuteCommand(Command::RemindInvited))
        }),
    ],
    table_commands: &[
        TableCommandSpec {
            resolve: |command, table, _, _| {
                Ok(match table.phase {
                    TablePhase::Lobby => Command::RemindInvited,
                    _ => command,
                })
            },
            ..TableCommandSpec::new(
                |it| (*it == Command::Nudge).then(|| ButtonData::new("nu")),
                |it| it.fit_for_seated(),
            )
        },
        TableCommandSpec::new(
            |it| (*it == Command::RemindInvited).then(|| ButtonData::new("R")),
            |it| it.fit_in_lobby(),
        ),
    ],
};
