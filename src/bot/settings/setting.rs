//! Describes a setting in one value: its code, its values, where they are stored and how they are
//! shown. Pages, buttons and profiles read everything about a setting from here.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock};

use super::definitions::SETTINGS;
use super::{SettingScope, SettingsOwner};
use crate::repository::profiles::{ChatProfile, PersonProfile};
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;

/// A setting: one row of a settings page.
#[derive(Clone, Copy)]
pub struct Setting(&'static SettingDefinition);

/// A setting without its texts `setting-<code>`, `setting-<code>-about` and
/// `value-<code>-<value>`.
#[derive(Clone, Copy)]
pub struct SettingDefinition {
    /// The name in callback data, in the keys of texts and in profiles. A code never changes its
    /// meaning, because buttons stay in chats.
    pub code: &'static str,
    /// All values, the default first; empty if the setting has a page of its own.
    pub values: fn() -> Vec<&'static str>,
    /// The label of a value; `None` for the text `value-<code>-<value>`.
    pub value_label: fn(&str) -> Option<Arg>,
    /// Where the value of a person is stored, if people have the setting.
    pub person: Option<PersonStorage>,
    /// Where the value of a chat or a server is stored, if they have the setting.
    pub chat: Option<ChatStorage>,
    /// Whether a change makes boards look different, so that they are shown again.
    pub changes_boards: bool,
    /// The choice of values that a command shows, if it is not the one of the settings page.
    pub choice: Option<SettingChoice>,
    /// The reply to a change by a command or a button under a message; `None` for the settings
    /// page.
    pub changed_view: fn(&SettingReader<'_>, &str) -> Option<View>,
    /// The reply of a command to an unknown value; `None` for the choice of values.
    pub unknown_value_text: Option<fn() -> Text>,
}

/// The choice of values that a command shows.
#[derive(Clone, Copy)]
pub struct SettingChoice {
    /// Whether it also offers the values for the chat, to people who may change them.
    pub is_also_for_chat: bool,
    /// The message.
    pub view: fn(&SettingReader<'_>) -> View,
}

/// The person who reads a reply about a setting, and where.
#[derive(Clone, Copy)]
pub struct SettingReader<'a> {
    /// Their profile.
    pub person: &'a PersonProfile,
    /// The owner of the value that the reply is about.
    pub scope: SettingScope,
    /// The kind of the chat in which they read it.
    pub chat_kind: ChatKind,
    /// The chat that is meant, if they may change its settings.
    pub own_chat: Option<SettingsOwner<'a>>,
}

/// Where the value of a person is stored.
#[derive(Clone, Copy)]
pub enum PersonStorage {
    /// Under the code of the setting. Choose this for a new setting.
    ByCode,
    /// In fields of the profile.
    Fields {
        /// The value, with the profile of the chat that the person reads; `None` if no single code
        /// describes it.
        get: fn(&PersonProfile, &ChatProfile) -> Option<String>,
        /// Stores one of the values.
        set: fn(&mut PersonProfile, &str),
    },
}

/// Where the value of a chat or a server is stored.
#[derive(Clone, Copy)]
pub enum ChatStorage {
    /// Under the code of the setting. Choose this for a new setting.
    ByCode,
    /// In fields of the profile.
    Fields {
        /// The value, with the chat of the settings page; `None` if no single code describes it.
        get: fn(&ChatProfile, &ChatId) -> Option<String>,
        /// Stores one of the values, with the chat of the settings page.
        set: fn(&mut ChatProfile, &str, &ChatId),
        /// Whether the fields differ from the default: profiles of earlier versions do not say
        /// which settings were chosen.
        is_set: fn(&ChatProfile) -> bool,
        /// Copies the fields from another profile.
        copy: fn(&mut ChatProfile, &ChatProfile),
    },
}

/// The values of settings that are stored by code.
pub type ValuesByCode = BTreeMap<String, String>;

impl SettingDefinition {
    /// A setting that nobody has yet: add where it is stored.
    pub const fn new(code: &'static str) -> Self {
        Self {
            code,
            values: Vec::new,
            value_label: |_| None,
            person: None,
            chat: None,
            changes_boards: false,
            choice: None,
            changed_view: |_, _| None,
            unknown_value_text: None,
        }
    }

    /// The value among these, or the default.
    pub(crate) fn stored_value(&self, stored: &ValuesByCode) -> Option<String> {
        let values = (self.values)();
        let known = stored.get(self.code).filter(|it| values.contains(&it.as_str()));
        known.cloned().or_else(|| values.first().map(|it| (*it).to_owned()))
    }
}

/// The settings that other crates added.
static ADDED_SETTINGS: OnceLock<&'static [SettingDefinition]> = OnceLock::new();

/// Adds settings after those of the program, once and before the first settings page is shown.
///
/// # Errors
/// When settings were added before.
pub fn register(settings: &'static [SettingDefinition]) -> Result<(), &'static str> {
    ADDED_SETTINGS.set(settings).map_err(|_| "settings were added before")
}

static PERSON_SETTINGS: LazyLock<Vec<Setting>> =
    LazyLock::new(|| Setting::all().filter(|it| it.0.person.is_some()).collect());

static CHAT_SETTINGS: LazyLock<Vec<Setting>> =
    LazyLock::new(|| Setting::all().filter(|it| it.0.chat.is_some()).collect());

impl Setting {
    /// The setting with this definition.
    pub const fn new(definition: &'static SettingDefinition) -> Self {
        Setting(definition)
    }

    /// All settings, in the order of their pages.
    fn all() -> impl Iterator<Item = Setting> {
        let added = ADDED_SETTINGS.get().copied().unwrap_or_default();
        SETTINGS.iter().copied().chain(added.iter().map(Setting))
    }

    /// The settings on the page of a scope.
    pub fn of_scope(scope: SettingScope) -> &'static [Setting] {
        match scope {
            SettingScope::Person => &PERSON_SETTINGS,
            SettingScope::Chat | SettingScope::Server => &CHAT_SETTINGS,
        }
    }

    /// The setting with this code.
    pub fn from_code(code: &str) -> Option<Setting> {
        Setting::all().find(|it| it.code() == code)
    }

    /// The definition of the setting.
    pub fn definition(self) -> &'static SettingDefinition {
        self.0
    }

    /// The code of the setting in callback data and in the keys of texts.
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// All values of the setting, the default first. House rules have none.
    pub fn values(self) -> Vec<&'static str> {
        (self.0.values)()
    }

    /// The label of a value, as people see it.
    pub fn value_label(self, value: &str) -> Arg {
        let text = || Text::new(format!("value-{}-{value}", self.code())).into();
        (self.0.value_label)(value).unwrap_or_else(text)
    }

    /// The name of the setting.
    pub(crate) fn label(self) -> Text {
        Text::new(format!("setting-{}", self.code()))
    }
}

impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        self.code() == other.code()
    }
}

impl Eq for Setting {}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Setting").field(&self.code()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_fit_into_callback_data() {
        let codes: Vec<&str> = Setting::all().map(Setting::code).collect();
        for (at, code) in codes.iter().enumerate() {
            assert!(!codes[..at].contains(code), "{code} twice");
            assert!(!code.is_empty() && code.bytes().all(|it| it.is_ascii_lowercase()), "{code}");
        }
    }

    #[test]
    fn a_value_that_no_longer_exists_counts_as_the_default() {
        let definition = SettingDefinition {
            values: || vec!["calm", "loud"],
            person: Some(PersonStorage::ByCode),
            ..SettingDefinition::new("mood")
        };
        let stored = |value: &str| ValuesByCode::from([("mood".to_owned(), value.to_owned())]);
        assert_eq!(definition.stored_value(&ValuesByCode::new()).as_deref(), Some("calm"));
        assert_eq!(definition.stored_value(&stored("loud")).as_deref(), Some("loud"));
        assert_eq!(definition.stored_value(&stored("wild")).as_deref(), Some("calm"));
    }
}
