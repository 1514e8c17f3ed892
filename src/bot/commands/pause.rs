//! `/pause`: propose to stop all clocks.

use super::action::{ButtonData, ExecuteCommand, Request, without_arguments};
use super::argument;
use super::decline::DeclineProposal;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::{Command, Proposal};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("pause", parse)
        }]
    },
    buttons: &[ButtonCode::Table("pa", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Propose(Proposal::Pause)))
    })],
    table_commands: &[TableCommandSpec::new(
        |it| {
            let is_own = *it == Command::Propose(Proposal::Pause);
            is_own.then(|| ButtonData::new("pa"))
        },
        |it| it.fit_for_seated(),
    )],
};

fn parse(input: &CommandInput<'_>) -> Request {
    input.about_table_or_no(
        ExecuteCommand(Command::Propose(Proposal::Pause)),
        DeclineProposal(Proposal::Pause),
    )
}
