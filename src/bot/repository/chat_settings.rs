//! Resolves the settings of a chat with those that it inherits: a thread inherits from its
//! channel, both inherit from their server. The nearest chat that has set a value decides it.
//!
//! Only [`ChatSettings::own`] is stored for the chat. The profiles of its parents are read with it
//! each time, so that a change in a parent applies at once.

use std::ops::Deref;

use super::Failure;
use super::profiles::{ChatProfile, Profiles};
use super::stored_rows::parse_json_or_default;
use crate::settings::{INHERIT, ParentKind, Setting};
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::ParentChats;
use caravanserai_store::{Space, StoreQuery};

/// The profile of a chat with inherited settings filled in. It dereferences to that resolved
/// profile, which is never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatSettings {
    own_profile: ChatProfile,
    channel: ChatProfile,
    server: ChatProfile,
    resolved: ChatProfile,
}

impl Deref for ChatSettings {
    type Target = ChatProfile;

    fn deref(&self) -> &ChatProfile {
        &self.resolved
    }
}

impl ChatSettings {
    /// Resolves the settings of a chat with this profile and these parents; the default profile
    /// is that of a parent it does not have.
    pub fn new(own_profile: ChatProfile, channel: ChatProfile, server: ChatProfile) -> Self {
        let resolved = resolve(&own_profile, &channel, &server);
        ChatSettings { own_profile, channel, server, resolved }
    }

    /// The profile that is stored for the chat itself.
    pub fn own(&self) -> &ChatProfile {
        &self.own_profile
    }

    /// The profile including inherited settings.
    pub fn resolved(self) -> ChatProfile {
        self.resolved
    }

    /// The stored profile of its channel or its server.
    pub fn parent(&self, parent: ParentKind) -> &ChatProfile {
        match parent {
            ParentKind::Channel => &self.channel,
            ParentKind::Server => &self.server,
        }
    }

    /// Replaces the profile of the chat itself after it was written.
    pub fn set_own(&mut self, own_profile: ChatProfile) {
        self.own_profile = own_profile;
        self.resolved = resolve(&self.own_profile, &self.channel, &self.server);
    }

    /// Replaces the profile of its server after it was written.
    pub fn set_server(&mut self, server: ChatProfile) {
        self.server = server;
        self.resolved = resolve(&self.own_profile, &self.channel, &self.server);
    }

    /// The parent that a setting is inherited from; `None` if the chat itself has set it, or
    /// nothing.
    pub fn inherited_from_parent(&self, row: Setting) -> Option<ParentKind> {
        self.deciding_parent(|it| it.is_set(row))
    }

    /// The parent that the house rules of a game are inherited from.
    pub fn house_rules_source(&self, game: &str) -> Option<ParentKind> {
        self.deciding_parent(|it| it.rules.contains_key(game))
    }

    /// The resolved profile as if this setting were not set in the chat itself.
    #[must_use]
    pub fn without_own(&self, row: Setting, here: &ChatId) -> ChatProfile {
        let mut own_profile = self.own_profile.clone();
        own_profile.set_setting(row, INHERIT, here);
        resolve(&own_profile, &self.channel, &self.server)
    }

    fn deciding_parent(&self, is_set: impl Fn(&ChatProfile) -> bool) -> Option<ParentKind> {
        let levels = [
            (None, &self.own_profile),
            (Some(ParentKind::Channel), &self.channel),
            (Some(ParentKind::Server), &self.server),
        ];
        levels.into_iter().find(|(_, profile)| is_set(profile))?.0
    }
}

fn resolve(own_profile: &ChatProfile, channel: &ChatProfile, server: &ChatProfile) -> ChatProfile {
    let mut resolved = own_profile.clone();
    resolved.inherit_settings(channel);
    resolved.inherit_settings(server);
    resolved
}

/// The queries for the profiles of these parents: first the channel, then the server.
pub fn parent_reads(parents: &ParentChats) -> Vec<StoreQuery> {
    let known = [&parents.channel, &parents.server].into_iter().flatten();
    known.map(|it| StoreQuery::value_of(Space::ChatProfile, it.without_topic())).collect()
}

/// The profiles of the channel and of the server in the results of [`parent_reads`].
fn parent_profiles(
    parents: &ParentChats,
    found: impl IntoIterator<Item = Option<Vec<u8>>>,
) -> (ChatProfile, ChatProfile) {
    let mut found = found.into_iter();
    let mut next = |is_known: bool| match is_known {
        true => parse_json_or_default(found.next().flatten()),
        false => ChatProfile::default(),
    };
    (next(parents.channel.is_some()), next(parents.server.is_some()))
}

impl Profiles<'_> {
    /// Resolves the settings of the chat with this profile; reads those of its parents.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn resolve_settings(
        &self,
        own_profile: ChatProfile,
    ) -> Result<ChatSettings, Failure> {
        self.resolve_settings_with(own_profile, None).await
    }

    /// Resolves the settings of the chat with this profile. `read`: the results of
    /// [`parent_reads`], if they were read already.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn resolve_settings_with(
        &self,
        own_profile: ChatProfile,
        read: Option<Vec<Option<Vec<u8>>>>,
    ) -> Result<ChatSettings, Failure> {
        let found = match read {
            Some(found) => found,
            None if own_profile.parents.is_empty() => Vec::new(),
            None => {
                let found = self
                    .repository
                    .read_many(&parent_reads(&own_profile.parents))
                    .await?
                    .into_iter();
                found.map(|it| it.value()).collect::<Result<_, _>>()?
            }
        };
        let (channel, server) = parent_profiles(&own_profile.parents, found);
        Ok(ChatSettings::new(own_profile, channel, server))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{SettingScope, TableOpeners};

    /// A profile as the earlier version wrote it: with all fields, without `chosen`.
    fn old(changed: &str) -> ChatProfile {
        let whole = r#"{"lang":null,"guess":"ru","title":"general","group":true,"gone":false,
            "theme":null,"hints":null,"rules":{},"opens":"all","all_order":false,"quiet":false,
            "keeps_boards":false,"only":[],"clock":null}"#;
        let mut row: serde_json::Value = serde_json::from_str(whole).expect("it is JSON");
        let changed: serde_json::Value = serde_json::from_str(changed).expect("it is JSON");
        for (name, value) in changed.as_object().expect("an object") {
            row[name] = value.clone();
        }
        parse_json_or_default(Some(row.to_string().into_bytes()))
    }

    fn here() -> ChatId {
        ChatId("dc:1".into())
    }

    fn set(rows: &[(Setting, &str)]) -> ChatProfile {
        let mut profile = ChatProfile::default();
        rows.iter().for_each(|(row, value)| profile.set_setting(*row, value, &here()));
        profile
    }

    #[test]
    fn a_row_of_an_earlier_version_has_set_what_differs_from_the_default() {
        let plain = old("{}");
        assert_eq!((plain.title.as_str(), plain.group), ("general", true));
        for row in Setting::of_scope(SettingScope::Chat) {
            assert!(!plain.is_set(*row), "{row:?}");
        }
        for (changed, row) in [
            (r#"{"lang":"kk"}"#, Setting::LANGUAGE),
            (r#"{"theme":"night"}"#, Setting::THEME),
            (r#"{"hints":false}"#, Setting::HINTS),
            (r#"{"rules":{"togyzkumalak":"seed"}}"#, Setting::HOUSE_RULES),
            (r#"{"opens":"nobody"}"#, Setting::TABLE_OPENERS),
            (r#"{"all_order":true}"#, Setting::TABLE_REMOVERS),
            (r#"{"quiet":true}"#, Setting::QUIET_CHAT),
            (r#"{"keeps_boards":true}"#, Setting::OLD_BOARDS),
            (r#"{"only":["dc:1"]}"#, Setting::ALLOWED_TOPICS),
            (r#"{"clock":"move 180"}"#, Setting::CLOCK),
        ] {
            let profile = old(changed);
            let all = Setting::of_scope(SettingScope::Chat).iter().copied();
            let all: Vec<Setting> = all.filter(|it| profile.is_set(*it)).collect();
            assert_eq!(all, [row], "{changed}");
        }
    }

    #[test]
    fn a_row_of_an_earlier_version_overrides_its_server() {
        let server = set(&[
            (Setting::TABLE_OPENERS, "nobody"),
            (Setting::QUIET_CHAT, "on"),
            (Setting::LANGUAGE, "kk"),
        ]);
        let channel = old(r#"{"opens":"admins"}"#);
        let settings = ChatSettings::new(channel, ChatProfile::default(), server);
        assert_eq!(settings.table_openers, TableOpeners::Admins);
        assert!(settings.is_silent, "the channel has never chosen it");
        assert_eq!(settings.language().code(), "kk", "a guessed language decides last");
        assert_eq!(settings.inherited_from_parent(Setting::TABLE_OPENERS), None);
        assert_eq!(settings.inherited_from_parent(Setting::QUIET_CHAT), Some(ParentKind::Server));
    }

    #[test]
    fn a_default_that_was_chosen_overrides_and_is_stored() {
        let rows = Setting::of_scope(SettingScope::Chat).iter().copied();
        for row in rows.filter(|it| *it != Setting::HOUSE_RULES) {
            let values = row.values();
            let usual = values[0];
            let other = values[1];
            let server = set(&[(row, other)]);
            let bytes = set(&[(row, usual)]);
            let bytes = crate::repository::row_update::RowValue::encode(&bytes);
            let own_profile: ChatProfile = parse_json_or_default(bytes);
            let settings = ChatSettings::new(own_profile, ChatProfile::default(), server.clone());
            assert_eq!(settings.setting_value(row, &here()).as_deref(), Some(usual), "{row:?}");
            assert_eq!(settings.inherited_from_parent(row), None, "{row:?}");
            let without = settings.without_own(row, &here());
            assert_eq!(without.setting_value(row, &here()).as_deref(), Some(other), "{row:?}");
            let unset = ChatProfile::default();
            let settings = ChatSettings::new(unset.clone(), unset, server);
            assert_eq!(settings.setting_value(row, &here()).as_deref(), Some(other), "{row:?}");
            assert_eq!(settings.inherited_from_parent(row), Some(ParentKind::Server), "{row:?}");
        }
    }

    #[test]
    fn a_thread_inherits_from_its_channel_before_its_server() {
        let server = set(&[
            (Setting::TABLE_OPENERS, "nobody"),
            (Setting::TABLE_REMOVERS, "all"),
            (Setting::CLOCK, "free"),
        ]);
        let channel = set(&[(Setting::TABLE_OPENERS, "all")]);
        let settings =
            ChatSettings::new(set(&[(Setting::TABLE_REMOVERS, "host")]), channel, server);
        assert_eq!(settings.table_openers, TableOpeners::All);
        assert!(!settings.anyone_may_close_tables);
        assert_eq!(
            settings.inherited_from_parent(Setting::TABLE_OPENERS),
            Some(ParentKind::Channel)
        );
        assert_eq!(settings.inherited_from_parent(Setting::TABLE_REMOVERS), None);
        assert_eq!(settings.inherited_from_parent(Setting::CLOCK), Some(ParentKind::Server));
    }

    #[test]
    fn house_rules_are_inherited_game_by_game() {
        let mut server = ChatProfile::default();
        server.set_house_rules("togyzkumalak", Some("seed".into()));
        server.set_house_rules("blot", Some("short".into()));
        let mut own_profile = ChatProfile::default();
        own_profile.set_house_rules("blot", Some(crate::settings::DEFAULT_RULES.into()));
        let settings = ChatSettings::new(own_profile, ChatProfile::default(), server);
        assert_eq!(settings.house_rules("togyzkumalak"), Some("seed"));
        assert_eq!(settings.house_rules("blot"), None, "the channel plays by the usual rules");
        assert_eq!(settings.house_rules_source("togyzkumalak"), Some(ParentKind::Server));
        assert_eq!(settings.house_rules_source("blot"), None);
    }

    #[test]
    fn tables_are_allowed_in_the_threads_of_an_allowed_channel() {
        let server = set(&[(Setting::ALLOWED_TOPICS, "here")]);
        let channel = Some(here());
        let parents = ParentChats { channel, server: None };
        let own_profile = ChatProfile { parents, ..ChatProfile::default() };
        let thread = ChatSettings::new(own_profile, ChatProfile::default(), server.clone());
        assert!(thread.allows_tables_in(&ChatId("dc:2".into())));
        let unset = ChatProfile::default();
        let other = ChatSettings::new(unset.clone(), unset, server);
        assert!(!other.allows_tables_in(&ChatId("dc:3".into())));
    }
}
