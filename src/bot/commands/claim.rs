//! `/claim`: claim victory when the opponent's time has run out.

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
            ..CommandSpec::understood("claim", |input| {
                input.about_table_without_words(ExecuteCommand(Command::ClaimVictory))
            })
        }]
    },
    buttons: &[ButtonCode::Table("cl", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::ClaimVictory))
    })],
    table_commands: &[TableCommandSpec::new(
        |it| (*it == Command::ClaimVictory).then(|| ButtonData::new("cl")),
        |it| {
            let mut seats = it.table.seating.seats_of(it.person);
            let is_due = seats.any(|seat| it.table.claimable_from(seat).is_some());
            TableFit::likely_or_possible(is_due, it.is_seated && it.is_playing)
        },
    )],
};
