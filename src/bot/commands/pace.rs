//! `/pace`: how fast computers answer.

use super::action::Request;
use super::argument;
use super::argument::ArgumentKind;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::parsing::words::lookup_word;
use crate::settings::{Setting, SettingScope, SettingsRequest};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![argument::optional("pace", ArgumentKind::Choice(&["calm", "quick"]))],
            is_answered_privately: true,
            ..CommandSpec::understood("pace", |input| {
                let scope = SettingScope::Person;
                Request::settings(match lookup_word("pace", input.words) {
                    Some(pace) => SettingsRequest::set(scope, Setting::PACE, pace),
                    None => SettingsRequest::Choices(scope, Setting::PACE),
                })
            })
        }]
    },
    ..CommandFile::EMPTY
};
