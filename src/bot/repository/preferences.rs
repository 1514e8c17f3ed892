//! Reads and changes the settings of people and chats, and computes when a person may be pinged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::profiles::{ChatProfile, PersonProfile};
use super::stored_rows::{PingKind, PingPurpose};
use super::{HOUR_MS, MINUTE_MS};
use crate::settings::{
    ChatStorage, DEFAULT_RULES, INHERIT, PersonStorage, PingTiming, Setting, SettingScope,
};
use caravanserai_games::ids::ChatId;
use caravanserai_table::Table;

/// The delay of pings for a person with the setting "seldom", in milliseconds: they are pinged if
/// they have not looked by then.
const SELDOM_CALL_DELAY_MS: u64 = HOUR_MS;

/// The minutes of a day.
const DAY_MINUTES: i64 = 24 * 60;

/// The hours in which a person is not pinged, in their time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// The hour in which the quiet hours begin.
    pub from: u8,
    /// The hour in which the quiet hours end.
    pub to: u8,
}

impl QuietHours {
    /// Parses a value such as `22-7`.
    pub fn parse(value: &str) -> Option<Self> {
        let (from, to) = value.split_once('-')?;
        Some(QuietHours { from: from.parse().ok()?, to: to.parse().ok()? })
    }

    /// Encodes the value as it is parsed.
    pub fn encode(self) -> String {
        format!("{}-{}", self.from, self.to)
    }

    /// The minutes until the quiet hours end, if they include this minute of the day.
    fn minutes_left(self, minute: i64) -> Option<i64> {
        let (from, to) = (i64::from(self.from) * 60, i64::from(self.to) * 60);
        let elapsed = (minute - from).rem_euclid(DAY_MINUTES);
        let length = (to - from).rem_euclid(DAY_MINUTES);
        (elapsed < length).then(|| length - elapsed)
    }
}

impl PersonProfile {
    /// The value of a setting of the person, by its code; `None` if it is not a setting of a
    /// person, or no single code describes it.
    pub fn setting_value(&self, setting: Setting, chat: &ChatProfile) -> Option<String> {
        let definition = setting.definition();
        match definition.person? {
            PersonStorage::ByCode => definition.stored_value(&self.values),
            PersonStorage::Fields { get, .. } => get(self, chat),
        }
    }

    /// Sets a setting to one of its values.
    pub fn set_setting(&mut self, setting: Setting, value: &str) {
        match setting.definition().person {
            Some(PersonStorage::ByCode) => {
                self.values.insert(setting.code().to_owned(), value.to_owned());
            }
            Some(PersonStorage::Fields { set, .. }) => set(self, value),
            None => {}
        }
    }

    /// The time from which a person may be pinged, in milliseconds since 1970; `None` if they never
    /// want pings. `since_ms`: since when a game waits for them; `at_ms`: when they would be
    /// pinged.
    pub fn ping_time(&self, since_ms: u64, at_ms: u64) -> Option<u64> {
        match self.pings {
            PingTiming::Usual => Some(self.end_of_quiet_hours(at_ms)),
            PingTiming::Seldom => {
                Some(self.end_of_quiet_hours(at_ms.max(since_ms + SELDOM_CALL_DELAY_MS)))
            }
            PingTiming::Never => None,
        }
    }

    /// The time from which the person wants a ping of this kind at this table, in milliseconds
    /// since 1970; `None` if they do not want it. With "seldom", a ping for the game comes an hour
    /// later, and a ping for an invitation an hour after the table was opened.
    pub fn wanted_ping_time(
        &self,
        table: &Table,
        purpose: PingPurpose,
        now_ms: u64,
    ) -> Option<u64> {
        let awake_ms = (self.pings != PingTiming::Never).then(|| self.end_of_quiet_hours(now_ms));
        match purpose.kind {
            // The settings about reminders of a slow turn were checked when they were due.
            PingKind::Waiting if purpose.reminded_turn(table).is_some() => awake_ms,
            PingKind::Waiting => self.ping_time(table.times.last_event_ms, now_ms),
            PingKind::Invitation => self.ping_time(table.times.opened_ms, now_ms),
            PingKind::Nudge | PingKind::Closing => awake_ms,
        }
    }

    /// The first time from `at_ms` on that is not in their quiet hours, in milliseconds since 1970.
    pub fn end_of_quiet_hours(&self, at_ms: u64) -> u64 {
        let minute = (at_ms / MINUTE_MS) as i64 + i64::from(self.zone_min);
        let left = self.quiet_hours.and_then(|it| it.minutes_left(minute.rem_euclid(DAY_MINUTES)));
        left.map_or(at_ms, |left| at_ms / MINUTE_MS * MINUTE_MS + left as u64 * MINUTE_MS)
    }
}

impl ChatProfile {
    /// The value of a setting of the chat, by its code; `None` if it is not a setting of a chat, or
    /// no single code describes it. `here` is the chat of the settings page.
    pub fn setting_value(&self, setting: Setting, here: &ChatId) -> Option<String> {
        let definition = setting.definition();
        match definition.chat? {
            ChatStorage::ByCode => definition.stored_value(&self.values),
            ChatStorage::Fields { get, .. } => get(self, here),
        }
    }

    /// Sets a setting to one of its values, or back to inherited.
    pub fn set_setting(&mut self, setting: Setting, value: &str, here: &ChatId) {
        if value == INHERIT {
            self.chosen.remove(setting.code());
            return self.copy_setting(setting, &ChatProfile::default());
        }
        self.chosen.insert(setting.code().to_owned());
        match setting.definition().chat {
            Some(ChatStorage::ByCode) => {
                self.values.insert(setting.code().to_owned(), value.to_owned());
            }
            Some(ChatStorage::Fields { set, .. }) => set(self, value, here),
            None => {}
        }
    }

    /// Whether a setting was set here, so that nothing is inherited for it. In a profile of an
    /// earlier version, which has no `chosen`, the settings that differ from the default are set.
    pub fn is_set(&self, setting: Setting) -> bool {
        self.chosen.contains(setting.code())
            || match setting.definition().chat {
                Some(ChatStorage::Fields { is_set, .. }) => is_set(self),
                Some(ChatStorage::ByCode) | None => false,
            }
    }

    /// Copies every setting of a parent that is not set here. House rules are inherited game by
    /// game.
    pub(super) fn inherit_settings(&mut self, parent: &ChatProfile) {
        for (game, options) in &parent.rules {
            self.rules.entry(game.clone()).or_insert_with(|| options.clone());
        }
        let settings = Setting::of_scope(SettingScope::Chat).iter().copied();
        for setting in settings.filter(|it| *it != Setting::HOUSE_RULES) {
            if !self.is_set(setting) && parent.is_set(setting) {
                self.copy_setting(setting, parent);
                self.chosen.insert(setting.code().to_owned());
            }
        }
    }

    /// Takes over the profile that the chat had under its previous id. Settings that were set under
    /// this id stay, and so do its title and its parents. The language stays that of the chat until
    /// now, even if the person who moved it has another one.
    pub(super) fn take_over(&mut self, old: ChatProfile) {
        self.inherit_settings(&old);
        if old.detected_lang.is_some() && (self.detected_lang.is_none() || !old.has_default_guess) {
            (self.detected_lang, self.has_default_guess) =
                (old.detected_lang, old.has_default_guess);
        }
        if self.title.is_empty() {
            self.title = old.title;
        }
        self.group |= old.group;
        self.parents = std::mem::take(&mut self.parents).or_known(old.parents);
        // Settings that only later versions know.
        for (code, value) in old.values {
            self.values.entry(code).or_insert(value);
        }
        self.chosen.extend(old.chosen);
    }

    /// Copies the value of a setting from another profile.
    fn copy_setting(&mut self, setting: Setting, from: &ChatProfile) {
        match setting.definition().chat {
            Some(ChatStorage::ByCode) => match from.values.get(setting.code()).cloned() {
                Some(value) => drop(self.values.insert(setting.code().to_owned(), value)),
                None => drop(self.values.remove(setting.code())),
            },
            Some(ChatStorage::Fields { copy, .. }) => copy(self, from),
            None => {}
        }
    }

    /// The default house rules of a game here, if they were set.
    pub fn house_rules(&self, game: &str) -> Option<&str> {
        self.rules.get(game).map(String::as_str).filter(|it| *it != DEFAULT_RULES)
    }

    /// Sets the house rules of a game, or resets them to the defaults.
    pub fn set_house_rules(&mut self, game: &str, options: Option<String>) {
        match options {
            Some(options) => self.rules.insert(game.to_owned(), options),
            None => self.rules.remove(game),
        };
    }

    /// Whether tables may be opened in this chat or topic. A thread counts as its channel.
    pub fn allows_tables_in(&self, chat: &ChatId) -> bool {
        let channel = self.parents.channel.as_ref();
        let is_named = |it: &ChatId| self.allowed_chats.contains(it);
        self.allowed_chats.is_empty() || is_named(chat) || channel.is_some_and(is_named)
    }
}

/// House rules by the code of the game.
pub type HouseRules = BTreeMap<String, String>;

#[cfg(test)]
mod tests {
    use caravanserai_i18n::Lang;

    use super::*;

    #[test]
    fn settings_read_back_the_value_that_was_set() {
        let here = ChatId("mem:g/1".into());
        let mut person = PersonProfile::default();
        let mut chat = ChatProfile::default();
        for row in
            Setting::of_scope(SettingScope::Person).iter().filter(|it| **it != Setting::VACATION)
        {
            assert_eq!(
                person.setting_value(*row, &chat).as_deref(),
                Some(row.values()[0]),
                "{row:?}"
            );
            for value in row.values() {
                person.set_setting(*row, value);
                assert_eq!(person.setting_value(*row, &chat).as_deref(), Some(value), "{row:?}");
            }
        }
        for row in
            Setting::of_scope(SettingScope::Chat).iter().filter(|it| **it != Setting::HOUSE_RULES)
        {
            assert_eq!(
                chat.setting_value(*row, &here).as_deref(),
                Some(row.values()[0]),
                "{row:?}"
            );
            for value in row.values() {
                chat.set_setting(*row, value, &here);
                assert_eq!(chat.setting_value(*row, &here).as_deref(), Some(value), "{row:?}");
            }
        }
        let other = ChatId("mem:g/2".into());
        assert!(chat.allows_tables_in(&here) && !chat.allows_tables_in(&other));
    }

    #[test]
    fn a_chat_with_a_new_id_keeps_what_was_set_in_it() {
        let [ru, kk] = ["ru", "kk"].map(Lang::from_code);
        let here = ChatId("mem:g/1".into());
        let mut old =
            ChatProfile { title: "Family".into(), detected_lang: ru, ..ChatProfile::default() };
        old.set_setting(Setting::TABLE_OPENERS, "admins", &here);
        old.set_setting(Setting::QUIET_CHAT, "on", &here);
        old.set_setting(Setting::GAME_RETENTION, "90", &here);
        old.set_house_rules("first", Some("old".into()));
        old.values.insert("later".into(), "value".into());
        old.chosen.insert("later".into());
        let mut moved = ChatProfile {
            title: "Clan".into(),
            group: true,
            detected_lang: kk,
            ..ChatProfile::default()
        };
        moved.set_setting(Setting::QUIET_CHAT, "off", &here);
        moved.set_setting(Setting::THEME, "night", &here);
        moved.set_house_rules("second", Some("new".into()));
        moved.take_over(old.clone());
        let value = |setting| moved.setting_value(setting, &here);
        assert_eq!(value(Setting::TABLE_OPENERS).as_deref(), Some("admins"));
        assert_eq!(value(Setting::GAME_RETENTION).as_deref(), Some("90"));
        assert_eq!(value(Setting::QUIET_CHAT).as_deref(), Some("off"));
        assert_eq!(value(Setting::THEME).as_deref(), Some("night"));
        assert_eq!(moved.house_rules("first"), Some("old"));
        assert_eq!(moved.house_rules("second"), Some("new"));
        assert_eq!((moved.title.as_str(), moved.group, moved.detected_lang), ("Clan", true, ru));
        assert!(moved.chosen.contains("later") && moved.values.contains_key("later"));
        // A chat that is not known under its new id gets everything.
        let mut unknown = ChatProfile::default();
        unknown.take_over(old.clone());
        assert_eq!(unknown, old);
    }

    /// 17:00 UTC, in milliseconds since 1970.
    const FIVE_MS: u64 = 17 * 3_600_000;

    #[test]
    fn nobody_is_pinged_in_their_night() {
        let mut person = PersonProfile::default();
        assert_eq!(person.ping_time(FIVE_MS, FIVE_MS), Some(FIVE_MS));
        person.set_setting(Setting::QUIET_HOURS, "22-7");
        assert_eq!(person.end_of_quiet_hours(FIVE_MS), FIVE_MS, "it is afternoon");
        person.set_setting(Setting::TIME_ZONE, "+5:30");
        // Half past ten in the evening: their quiet hours last another eight and a half hours.
        assert_eq!(person.end_of_quiet_hours(FIVE_MS), FIVE_MS + 17 * 1_800_000);
        person.set_setting(Setting::TIME_ZONE, "-8");
        person.set_setting(Setting::QUIET_HOURS, "0-9");
        assert_eq!(person.end_of_quiet_hours(FIVE_MS), FIVE_MS, "nine in the morning");
        assert_eq!(person.end_of_quiet_hours(FIVE_MS - 1), FIVE_MS);
    }

    #[test]
    fn pings_come_after_an_hour_or_never() {
        let mut person = PersonProfile::default();
        person.set_setting(Setting::CALL_TIMING, "seldom");
        assert_eq!(person.ping_time(FIVE_MS, FIVE_MS + 1), Some(FIVE_MS + 3_600_000));
        assert_eq!(person.ping_time(FIVE_MS, FIVE_MS * 2), Some(FIVE_MS * 2));
        person.set_setting(Setting::CALL_TIMING, "never");
        assert_eq!(person.ping_time(FIVE_MS, FIVE_MS * 2), None);
    }
}
