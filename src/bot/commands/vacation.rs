//! `/vacation`: stop all clocks of the person for a number of days.

use super::action::Request;
use super::argument;
use super::argument::ArgumentKind;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::settings;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            arguments: vec![argument::optional("days", ArgumentKind::Suggested)],
            is_answered_privately: true,
            suggestions: Suggestions::VacationDays,
            ..CommandSpec::new("vacation", |input| {
                Request::settings(settings::parse_vacation_command(input.words))
            })
        }]
    },
    ..CommandFile::EMPTY
};
