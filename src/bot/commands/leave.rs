//! `/leave`: give up the seat before the game starts. If the opener leaves, the table is cancelled.

use super::action::{ButtonData, ExecuteCommand, TableFit, without_arguments};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::Command;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            ..CommandSpec::understood("leave", |input| {
                input.about_table_without_words(ExecuteCommand(Command::Leave))
            })
        }]
    },
    buttons: &[
        ButtonCode::Table("l", |arguments| {
            without_arguments(arguments, ExecuteCommand(Command::Leave))
        }),
        ButtonCode::Table("x", |arguments| {
            without_arguments(arguments, ExecuteCommand(Command::Cancel))
        }),
    ],
    table_commands: &[
        TableCommandSpec {
            // Admins may remove tables of others.
            needs_admin: true,
            ..TableCommandSpec::new(
                |it| (*it == Command::Leave).then(|| ButtonData::new("l")),
                |it| TableFit::likely_or_possible(it.is_seated && !it.is_playing, it.is_seated),
            )
        },
        TableCommandSpec {
            needs_admin: true,
            no_table_key: Some("refuse-none-waiting"),
            ..TableCommandSpec::new(
                |it| (*it == Command::Cancel).then(|| ButtonData::new("x")),
                |it| it.fit_in_lobby(),
            )
        },
    ],
};
