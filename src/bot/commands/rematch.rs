//! `/rematch`: play again with sides exchanged.

use super::action::{ButtonData, ExecuteCommand, Request, TableSearch, without_arguments};
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
            ..CommandSpec::new("rematch", parse)
        }]
    },
    buttons: &[ButtonCode::Table("m", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Offer(OfferKind::Rematch)))
    })],
    table_commands: &[TableCommandSpec {
        search: TableSearch::LastFinished,
        ..TableCommandSpec::new(
            |it| {
                let is_own = *it == Command::Offer(OfferKind::Rematch);
                is_own.then(|| ButtonData::new("m"))
            },
            |it| it.fit_for_seated(),
        )
    }],
};

fn parse(input: &CommandInput<'_>) -> Request {
    input.about_table_or_no(
        ExecuteCommand(Command::Offer(OfferKind::Rematch)),
        DeclineOffer(OfferKind::Rematch),
    )
}
