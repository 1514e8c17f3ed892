//! `/vacation`: stop all clocks of the person for some days.

use super::action::Request;
use super::argument;
use super::argument::ArgumentKind;
use super::registry::CommandFile;
use super::spec::{CommandSpec, Suggestions};
use crate::settings;

/// What this file adds.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
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
