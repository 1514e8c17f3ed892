//! `/abort`: give up the game before the second move. An admin can end a game of other players.

use super::action::{ButtonData, ExecuteCommand, TableFit, without_arguments};
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::Command;
use caravanserai_table::state::TablePhase;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            ..CommandSpec::understood("abort", |input| {
                input.about_table_without_words(ExecuteCommand(Command::Abort))
            })
        }]
    },
    buttons: &[ButtonCode::Table("a", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Abort))
    })],
    table_commands: &[
        TableCommandSpec {
            needs_admin: true,
            resolve: |command, table, context, _| {
                let person = &context.update.person;
                let plays = table.seating.is_seated(&person.id);
                let ends = person.admin && !plays && table.phase == TablePhase::Playing;
                Ok(if ends { Command::AbortAbandoned } else { command })
            },
            ..TableCommandSpec::new(
                |it| (*it == Command::Abort).then(|| ButtonData::new("a")),
                |it| it.fit_for_seated(),
            )
        },
        // Admins name the table.
        TableCommandSpec::new(
            |it| (*it == Command::AbortAbandoned).then(|| ButtonData::new("a")),
            |_| TableFit::NoMatch,
        ),
    ],
};
