//! Buttons of earlier versions that are still in chats.

use super::action::{Request, TableCallback};
use super::lobby_settings;
use super::theme::parse_theme_word;
use crate::parsing::words::parse_switch;
use crate::settings::{Setting, SettingScope, SettingsRequest};
use caravanserai_games::ids::TableId;
use caravanserai_i18n::Lang;

#[cfg(test)]
/// The button codes of earlier versions that are not used any more.
pub(crate) const CODES: &[&str] = &["s", "S", "T", "U", "F", "X"];

/// Decodes a table button of an earlier version.
pub(super) fn decode_table_button(callback_data: &str) -> Option<TableCallback> {
    match callback_data.split('.').collect::<Vec<_>>().as_slice() {
        ["L", table, on] => Some(TableCallback {
            table: TableId((*table).to_owned()),
            action: lobby_settings::decode_hints(&[*on])?,
        }),
        _ => None,
    }
}

/// Decodes any other button of an earlier version: settings, with the codes `Q` and `y` that have
/// another meaning for tables.
pub(super) fn decode_chat_button(callback_data: &str) -> Option<Request> {
    let (code, value) = callback_data.split_once('.')?;
    let language = || Lang::from_locale(value).map(Lang::code);
    let switch = |on, off| Some(if parse_switch(value)? { on } else { off });
    let (scope, setting, value) = match code {
        "s" => (SettingScope::Person, Setting::LANGUAGE, language()?),
        "S" => (SettingScope::Chat, Setting::LANGUAGE, language()?),
        "T" => (SettingScope::Person, Setting::THEME, parse_theme_word(value)?),
        "U" => (SettingScope::Chat, Setting::THEME, parse_theme_word(value)?),
        "F" => (SettingScope::Person, Setting::BOARD_SIDE, switch("own", "all")?),
        "X" => (SettingScope::Person, Setting::BOARD_FORMAT, switch("words", "pictures")?),
        "Q" => (SettingScope::Person, Setting::MOVE_CONFIRMATION, switch("twice", "once")?),
        "y" => (SettingScope::Person, Setting::PACE, switch("quick", "calm")?),
        _ => return None,
    };
    Some(Request::settings(SettingsRequest::set(scope, setting, value)))
}
