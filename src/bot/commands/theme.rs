//! `/theme`: choose the appearance of boards.

use super::action::Request;
use super::argument;
use super::argument::ArgumentKind;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::parsing::phrases;
use crate::parsing::words::{lookup_word, parse_scope};
use crate::settings::{Setting, SettingScope, SettingsRequest};
use caravanserai_games::ids::ChatKind;
use caravanserai_games::text::Text;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![
                argument::optional("theme", ArgumentKind::Choice(THEMES)),
                argument::optional("scope", ArgumentKind::Choice(&["me", "chat"])),
            ],
            is_answered_privately: true,
            ..CommandSpec::understood("theme", |input| {
                Request::settings(parse_theme_command(input.words, input.chat_kind))
            })
        }]
    },
    ..CommandFile::EMPTY
};

/// The themes that can be chosen, the default first. Their names have the keys `choice-<theme>`.
pub const THEMES: &[&str] = &["wood", "night", "contrast", "print"];

/// The theme with this name in any language.
pub fn parse_theme_word(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let known = lookup_word("theme", &word).unwrap_or(&word);
    THEMES.iter().copied().find(|it| *it == known)
}

fn parse_theme_command(words: &str, kind: ChatKind) -> SettingsRequest {
    let mut scope = SettingScope::Person;
    let mut found = None;
    let mut is_unknown = false;
    let mut is_denied = false;
    for word in &phrases::replace_theme_phrases(words) {
        match parse_scope(word, kind) {
            Some(other) => scope = other,
            None => {
                found = found.or(parse_theme_word(word));
                is_unknown |= parse_theme_word(word).is_none();
                is_denied |= lookup_word("refusal", word).is_some();
            }
        }
    }
    match found {
        _ if is_denied => SettingsRequest::InvalidValue(Setting::THEME),
        Some(theme) => SettingsRequest::set(scope, Setting::THEME, theme),
        None if is_unknown => SettingsRequest::InvalidValue(Setting::THEME),
        None => SettingsRequest::Choices(scope, Setting::THEME),
    }
}

/// The name of a theme.
pub fn theme_name(theme: &str) -> Text {
    Text::new(format!("choice-{theme}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_found_by_their_names_and_for_whom() {
        let chosen = |scope, theme: &str| SettingsRequest::set(scope, Setting::THEME, theme);
        for (said, expected) in [
            ("", SettingsRequest::Choices(SettingScope::Person, Setting::THEME)),
            ("Ночь", chosen(SettingScope::Person, "night")),
            ("chat print", chosen(SettingScope::Chat, "print")),
            ("հակադիր", chosen(SettingScope::Person, "contrast")),
            ("pink", SettingsRequest::InvalidValue(Setting::THEME)),
            ("not night", SettingsRequest::InvalidValue(Setting::THEME)),
        ] {
            assert_eq!(parse_theme_command(said, ChatKind::Group), expected, "{said}");
        }
    }
}
