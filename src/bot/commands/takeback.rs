//! `/takeback`: ask to take the last move back.

use super::action::{ButtonData, ExecuteCommand, Request, without_arguments};
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
            in_short_menu: true,
            ..CommandSpec::new("takeback", parse)
        }]
    },
    buttons: &[ButtonCode::Table("u", |arguments| {
        without_arguments(arguments, ExecuteCommand(Command::Offer(OfferKind::Takeback)))
    })],
    table_commands: &[TableCommandSpec::new(
        |it| {
            let is_own = *it == Command::Offer(OfferKind::Takeback);
            is_own.then(|| ButtonData::new("u"))
        },
        |it| it.fit_for_seated(),
    )],
};

fn parse(input: &CommandInput<'_>) -> Request {
    input.about_table_or_no(
        ExecuteCommand(Command::Offer(OfferKind::Takeback)),
        DeclineOffer(OfferKind::Takeback),
    )
}
