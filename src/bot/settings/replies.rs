//! Replies of the commands and buttons of single settings, outside of the settings page.

use super::{Setting, SettingReader, SettingScope, setting_button};
use crate::commands::theme::{THEMES, theme_name};
use crate::views::settings_buttons;
use caravanserai_games::GameId;
use caravanserai_games::ids::ChatKind;
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};

/// A reply with the button that reverses the setting.
fn view_with_button(answer: &'static str, key: ButtonSpec) -> View {
    View { button_rows: vec![vec![key]], ..View::persistent(vec![Text::new(answer)]) }
}

/// Confirms which side is at the bottom of private boards.
pub(super) fn board_side_view(is_fixed: bool) -> View {
    let answer = if is_fixed { "answer-turned-is-off" } else { "answer-turned-is-on" };
    view_with_button(answer, settings_buttons::flip_button(!is_fixed))
}

/// Confirms whether private boards are text.
pub(super) fn board_format_view(is_text: bool) -> View {
    let answer = if is_text { "answer-words-is-on" } else { "answer-words-is-off" };
    view_with_button(answer, settings_buttons::text_board_button(is_text))
}

/// Shows whether moves need a second press.
pub(crate) fn move_confirmation_view(is_on: bool) -> View {
    let key = if is_on { "answer-confirm-is-on" } else { "answer-confirm-is-off" };
    let keys = vec![vec![settings_buttons::confirm_button(is_on)]];
    View { texts: vec![Text::new(key)], button_rows: keys, ..View::default() }
}

/// Confirms the pace of computers in a game alone against them.
pub(super) fn pace_view(is_quick: bool) -> View {
    let answer = if is_quick { "answer-pace-is-quick" } else { "answer-pace-is-calm" };
    view_with_button(answer, settings_buttons::pace_button(is_quick))
}

/// The reply when achievements are shown or hidden.
pub(super) fn achievements_view(is_on: bool) -> View {
    let answer = if is_on { "answer-achieved-shown" } else { "answer-achieved-hidden" };
    view_with_button(answer, settings_buttons::achievements_button(is_on))
}

/// The note under a choice of languages, if people have not checked the texts of one.
pub(super) fn unreviewed_languages_text() -> Option<Text> {
    Lang::all().iter().any(|it| it.is_unreviewed()).then(|| Text::new("answer-young"))
}

/// The choice of languages.
pub(super) fn language_choice_view(reader: &SettingReader<'_>) -> View {
    let button = |lang: &Lang| settings_buttons::language_button(*lang);
    // Three names fit beside each other on a phone.
    let mut keys: Vec<Vec<ButtonSpec>> =
        Lang::all().chunks(3).map(|langs| langs.iter().map(button).collect()).collect();
    keys.extend(chat_choice_buttons(reader, Setting::LANGUAGE));
    let about = Text::new("setting-language-about");
    let texts = [about].into_iter().chain(unreviewed_languages_text()).collect();
    View { texts, button_rows: keys, ..View::default() }
}

/// Confirms the language.
pub(super) fn language_changed_view(reader: &SettingReader<'_>, value: &str) -> Option<View> {
    let key = match reader.scope {
        SettingScope::Person => "answer-saved-person",
        SettingScope::Chat => "answer-saved-chat",
        SettingScope::Server => return None,
    };
    let name = Lang::from_locale(value).map_or("", Lang::own_name);
    Some(View::brief(Text::new(key).with("language", name)))
}

/// Explains that no language has this name.
pub(super) fn unknown_language_text() -> Text {
    let known = Lang::all().iter().map(|it| Arg::from(it.display_name())).collect();
    Text::new("refuse-language").with("languages", Arg::Names(known))
}

/// The choice of themes.
pub(super) fn theme_choice_view(reader: &SettingReader<'_>) -> View {
    let mut keys = settings_buttons::theme_buttons();
    keys.extend(chat_choice_buttons(reader, Setting::THEME));
    View {
        texts: vec![Text::new("answer-theme")],
        picture: Some(PictureRef::Themes { game: GameId::all()[0].info().code.to_owned() }),
        button_rows: keys,
        ..View::default()
    }
}

/// Confirms the theme.
pub(super) fn theme_changed_view(reader: &SettingReader<'_>, value: &str) -> Option<View> {
    match reader.scope {
        SettingScope::Person => {
            let text = Text::new("answer-theme-person").with("theme", theme_name(value));
            let is_group = reader.chat_kind == ChatKind::Group;
            // The board in a group looks the same for all of its members.
            let shared_board = is_group.then(|| Text::new("answer-theme-shared"));
            let texts = [text].into_iter().chain(shared_board).collect();
            Some(View { picture: Some(theme_sample()), ..View::persistent(texts) })
        }
        SettingScope::Chat => {
            let text = Text::new("answer-theme-chat").with("theme", theme_name(value));
            Some(View::brief(text))
        }
        SettingScope::Server => None,
    }
}

/// A picture that shows the theme of the reader.
fn theme_sample() -> PictureRef {
    let game = GameId::all()[0];
    let page = game.pages().first().copied().unwrap_or_default().to_owned();
    PictureRef::Lesson { game: game.info().code.to_owned(), page, tried: None }
}

/// Explains that no theme has this name.
pub(super) fn unknown_theme_text() -> Text {
    let known = THEMES.iter().map(|it| Arg::from(theme_name(it))).collect();
    Text::new("refuse-theme").with("themes", Arg::Names(known))
}

/// Confirms whether the chat gets a weekly digest.
pub(super) fn digest_changed_view(reader: &SettingReader<'_>, value: &str) -> Option<View> {
    let key = match (reader.scope, value) {
        (SettingScope::Chat, "on") => "answer-digest-is-on",
        (SettingScope::Chat, "off") => "answer-digest-is-off",
        (SettingScope::Chat | SettingScope::Person | SettingScope::Server, _) => return None,
    };
    Some(View::brief(Text::new(key)))
}

/// The same choice for the chat; empty for people who may not change it.
fn chat_choice_buttons(reader: &SettingReader<'_>, setting: Setting) -> Vec<Vec<ButtonSpec>> {
    let Some(owner) = reader.own_chat else { return Vec::new() };
    let key = |value: &&'static str| setting_button(owner, setting, value);
    setting.values().chunks(2).map(|pair| pair.iter().map(key).collect()).collect()
}
