//! A setting that the program does not know: one definition with its texts and its script.

use caravanserai_bot::settings::{ChatStorage, PersonStorage, SettingDefinition};

/// How lively the bot is, for a person and in a chat.
pub const SETTINGS: &[SettingDefinition] = &[SettingDefinition {
    values: || vec!["calm", "lively"],
    person: Some(PersonStorage::ByCode),
    chat: Some(ChatStorage::ByCode),
    ..SettingDefinition::new("mood")
}];
