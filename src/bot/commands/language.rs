//! `/language`: choose a language.

use super::action::Request;
use super::argument;
use super::argument::ArgumentKind;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::parsing::words::{lookup_word, parse_scope};
use crate::settings::{Setting, SettingScope, SettingsRequest};
use caravanserai_games::ids::ChatKind;
use caravanserai_i18n::Lang;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![
                argument::optional("language", ArgumentKind::Language),
                argument::optional("scope", ArgumentKind::Choice(&["me", "chat"])),
            ],
            is_answered_privately: true,
            ..CommandSpec::understood("language", |input| {
                Request::settings(parse_language_command(input.words, input.chat_kind))
            })
        }]
    },
    ..CommandFile::EMPTY
};

fn parse_language_command(words: &str, kind: ChatKind) -> SettingsRequest {
    let mut scope = SettingScope::Person;
    let mut lang = None;
    let mut is_unknown = false;
    let mut is_denied = false;
    for word in words.split_whitespace() {
        match parse_scope(word, kind) {
            Some(other) => scope = other,
            None => {
                let word = word.to_lowercase();
                lang = lang.or(Lang::find_by_name(&word));
                is_unknown |= Lang::find_by_name(&word).is_none();
                is_denied |= lookup_word("refusal", &word).is_some();
            }
        }
    }
    match lang {
        _ if is_denied => SettingsRequest::InvalidValue(Setting::LANGUAGE),
        Some(lang) => SettingsRequest::set(scope, Setting::LANGUAGE, lang.code()),
        None if is_unknown => SettingsRequest::InvalidValue(Setting::LANGUAGE),
        None => SettingsRequest::Choices(scope, Setting::LANGUAGE),
    }
}
