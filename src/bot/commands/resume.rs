//! `/resume`: propose to start the clocks again.

use super::action::{ButtonData, ExecuteCommand, Request, without_arguments};
use super::argument;
use super::decline::DeclineOffer;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use caravanserai_table::command::{Command, OfferKind};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::TABLE],
            ..CommandSpec::understood("resume", parse)
        }]
    },
    buttons: &[ButtonCode::Table("go", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Offer(OfferKind::Resume)))
    })],
    table_commands: &[TableCommandSpec::new(
        |it| {
            let is_own = *it == Command::Offer(OfferKind::Resume);
            is_own.then(|| ButtonData::new("go"))
        },
        |it| it.fit_for_seated(),
    )],
};

fn parse(input: &CommandInput<'_>) -> Request {
    input.about_table_or_no(
        ExecuteCommand(Command::Offer(OfferKind::Resume)),
        DeclineOffer(OfferKind::Resume),
    )
}
