//! The themes of pictures, and the buttons that turn boards, put them into words, or have computers
//! take their turns one by one.

use crate::commands::request_parser::{SettingScope, lookup_word, parse_scope};
use crate::settings::{Setting, SettingChange, SettingsRequest};
use caravanserai_games::ids::PlaceKind;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::ButtonSpec;

/// The themes that can be chosen, the usual one first. Their names have the keys `choice-<theme>`.
pub const THEMES: &[&str] = &["wood", "night", "contrast", "print"];

/// The theme that a word means, in any of our languages.
pub fn parse_theme_word(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let known = lookup_word("theme", &word).unwrap_or(&word);
    THEMES.iter().copied().find(|it| *it == known)
}

/// What follows `/theme`.
pub(crate) fn parse_theme_command(rest: &str, kind: PlaceKind) -> SettingsRequest {
    let mut scope = SettingScope::Person;
    let (mut found, mut foreign, mut denied) = (None, false, false);
    for word in &crate::commands::phrases::replace_theme_phrases(rest) {
        match parse_scope(word, kind) {
            Some(other) => scope = other,
            None => {
                found = found.or(parse_theme_word(word));
                foreign |= parse_theme_word(word).is_none();
                denied |= lookup_word("refusal", word).is_some();
            }
        }
    }
    match found {
        _ if denied => SettingsRequest::InvalidValue(Setting::Theme),
        Some(theme) => SettingsRequest::Set(SettingChange {
            scope,
            setting: Setting::Theme,
            value: theme.to_owned(),
        }),
        None if foreign => SettingsRequest::InvalidValue(Setting::Theme),
        None => SettingsRequest::Choices(scope, Setting::Theme),
    }
}

/// What follows `/pace`: `calm` or `quick`, in any of our languages.
pub(crate) fn parse_pace_command(rest: &str) -> SettingsRequest {
    let (scope, row) = (SettingScope::Person, Setting::Pace);
    match lookup_word("pace", rest) {
        Some(value) => {
            SettingsRequest::Set(SettingChange { scope, setting: row, value: value.to_owned() })
        }
        None => SettingsRequest::Choices(scope, row),
    }
}

/// The name of a theme.
pub fn theme_name(theme: &str) -> Text {
    Text::new(format!("choice-{theme}"))
}

/// The themes as buttons for the reader.
pub fn theme_buttons() -> Vec<Vec<ButtonSpec>> {
    let own = |theme: &&str| ButtonSpec::new(theme_name(theme), format!("T.{theme}"));
    THEMES.chunks(2).map(|pair| pair.iter().map(own).collect()).collect()
}

/// The button that turns private boards to their reader or back.
pub fn flip_button(turned: bool) -> ButtonSpec {
    let (label, press) =
        if turned { ("button-turned-off", "F.off") } else { ("button-turned-on", "F.on") };
    ButtonSpec::new(Text::new(label), press)
}

/// The button that makes private boards words or pictures.
pub fn text_board_button(words: bool) -> ButtonSpec {
    let (label, press) =
        if words { ("button-words-off", "X.off") } else { ("button-words-on", "X.on") };
    ButtonSpec::new(Text::new(label), press)
}

/// The button that has computers answer at once, or take turn after turn.
pub fn pace_button(quick: bool) -> ButtonSpec {
    let (label, press) =
        if quick { ("button-pace-calm", "y.off") } else { ("button-pace-quick", "y.on") };
    ButtonSpec::new(Text::new(label), press)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_found_by_their_names_and_for_whom() {
        let chosen = |scope, theme: &str| {
            SettingsRequest::Set(SettingChange {
                scope,
                setting: Setting::Theme,
                value: theme.to_owned(),
            })
        };
        for (said, expected) in [
            ("", SettingsRequest::Choices(SettingScope::Person, Setting::Theme)),
            ("Ночь", chosen(SettingScope::Person, "night")),
            ("chat print", chosen(SettingScope::Chat, "print")),
            ("հակադիր", chosen(SettingScope::Person, "contrast")),
            ("pink", SettingsRequest::InvalidValue(Setting::Theme)),
            ("not night", SettingsRequest::InvalidValue(Setting::Theme)),
        ] {
            assert_eq!(parse_theme_command(said, PlaceKind::Group), expected, "{said}");
        }
    }
}
