//! The settings of the program, one definition each, in the order of their pages.
//!
//! To add a setting, add its definition with [`PersonStorage::ByCode`] or [`ChatStorage::ByCode`],
//! its name in [`SETTINGS`], and its texts `setting-<code>`, `setting-<code>-about` and
//! `value-<code>-<value>`. Code that depends on the setting calls
//! [`PersonProfile::setting_value`](crate::repository::profiles::PersonProfile::setting_value) or
//! [`ChatProfile::setting_value`](crate::repository::profiles::ChatProfile::setting_value).

use std::sync::LazyLock;

use super::setting::{ChatStorage, PersonStorage, Setting, SettingChoice, SettingDefinition};
use super::{
    NO_VACATION, PingTiming, TableOpeners, VACATION_DAYS_MAX, days_text, encode_zone,
    parse_zone_minutes, replies,
};
use crate::commands::theme::{THEMES, theme_name};
use crate::repository::DAY_MS;
use crate::repository::preferences::QuietHours;
use crate::repository::profiles::{ChatProfile, PersonProfile};
use crate::views::clock_views;
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_table::clock::TimeControl;

/// All settings of the program.
pub(super) const SETTINGS: &[Setting] = &[
    Setting::LANGUAGE,
    Setting::THEME,
    Setting::BOARD_SIDE,
    Setting::BOARD_FORMAT,
    Setting::MOVE_CONFIRMATION,
    Setting::PACE,
    Setting::CALL_TIMING,
    Setting::QUIET_HOURS,
    Setting::TIME_ZONE,
    Setting::VACATION,
    Setting::ACHIEVEMENTS,
    Setting::HINTS,
    Setting::HOUSE_RULES,
    Setting::CLOCK,
    Setting::TABLE_OPENERS,
    Setting::TABLE_REMOVERS,
    Setting::QUIET_CHAT,
    Setting::OLD_BOARDS,
    Setting::ALLOWED_TOPICS,
    Setting::GAME_RETENTION,
    Setting::WEEKLY_DIGEST,
    Setting::CHAT_TIME_ZONE,
    Setting::HOST_MESSAGES,
];

impl Setting {
    /// The language.
    pub const LANGUAGE: Setting = Setting::new(&SettingDefinition {
        values: || Lang::all().iter().map(|it| it.code()).collect(),
        value_label: |value| Some(Lang::from_locale(value).map_or("", Lang::own_name).into()),
        person: Some(PersonStorage::Fields {
            get: |profile, chat| Some(profile.language(chat).code().to_owned()),
            set: |profile, value| profile.lang = Lang::from_locale(value).or(profile.lang),
        }),
        chat: Some(ChatStorage::Fields {
            get: |profile, _| Some(profile.language().code().to_owned()),
            set: |profile, value, _| profile.lang = Lang::from_locale(value).or(profile.lang),
            is_set: |profile| profile.lang.is_some(),
            copy: |profile, from| profile.lang = from.lang,
        }),
        changes_boards: true,
        choice: Some(SettingChoice { is_also_for_chat: true, view: replies::language_choice_view }),
        changed_view: replies::language_changed_view,
        unknown_value_text: Some(replies::unknown_language_text),
        ..SettingDefinition::new("language")
    });

    /// The theme of pictures.
    pub const THEME: Setting = Setting::new(&SettingDefinition {
        values: || THEMES.to_vec(),
        value_label: |value| Some(theme_name(value).into()),
        person: Some(PersonStorage::Fields {
            get: |profile, chat| Some(profile.display_prefs(chat).theme),
            set: |profile, value| profile.theme = Some(value.to_owned()),
        }),
        chat: Some(ChatStorage::Fields {
            get: |profile, _| Some(profile.display_prefs().theme),
            set: |profile, value, _| profile.theme = Some(value.to_owned()),
            is_set: |profile| profile.theme.is_some(),
            copy: |profile, from| profile.theme.clone_from(&from.theme),
        }),
        changes_boards: true,
        choice: Some(SettingChoice { is_also_for_chat: true, view: replies::theme_choice_view }),
        changed_view: replies::theme_changed_view,
        unknown_value_text: Some(replies::unknown_theme_text),
        ..SettingDefinition::new("theme")
    });

    /// Whether a person sees their own side at the bottom of boards that only they see.
    pub const BOARD_SIDE: Setting = Setting::new(&SettingDefinition {
        values: || vec!["own", "all"],
        person: Some(PersonStorage::Fields {
            get: |profile, _| switch_value(profile.has_fixed_orientation, "all", "own"),
            set: |profile, value| profile.has_fixed_orientation = value == "all",
        }),
        changes_boards: true,
        changed_view: |reader, _| {
            Some(replies::board_side_view(reader.person.has_fixed_orientation))
        },
        ..SettingDefinition::new("side")
    });

    /// Whether those boards are pictures or text.
    pub const BOARD_FORMAT: Setting = Setting::new(&SettingDefinition {
        values: || vec!["pictures", "words"],
        person: Some(PersonStorage::Fields {
            get: |profile, _| switch_value(profile.prefers_text_boards, "words", "pictures"),
            set: |profile, value| profile.prefers_text_boards = value == "words",
        }),
        changes_boards: true,
        changed_view: |reader, _| {
            Some(replies::board_format_view(reader.person.prefers_text_boards))
        },
        ..SettingDefinition::new("boards")
    });

    /// Whether a move needs one or two button presses.
    pub const MOVE_CONFIRMATION: Setting = Setting::new(&SettingDefinition {
        values: || vec!["once", "twice"],
        person: Some(PersonStorage::Fields {
            get: |profile, _| switch_value(profile.confirms_moves, "twice", "once"),
            set: |profile, value| profile.confirms_moves = value == "twice",
        }),
        changed_view: |reader, _| {
            Some(replies::move_confirmation_view(reader.person.confirms_moves))
        },
        ..SettingDefinition::new("press")
    });

    /// The pace of computers for a person who plays alone against them.
    pub const PACE: Setting = Setting::new(&SettingDefinition {
        values: || vec!["calm", "quick"],
        person: Some(PersonStorage::Fields {
            get: |profile, _| switch_value(profile.has_quick_computers, "quick", "calm"),
            set: |profile, value| profile.has_quick_computers = value == "quick",
        }),
        choice: Some(SettingChoice {
            is_also_for_chat: false,
            view: |reader| replies::pace_view(reader.person.has_quick_computers),
        }),
        changed_view: |reader, _| Some(replies::pace_view(reader.person.has_quick_computers)),
        ..SettingDefinition::new("pace")
    });

    /// When a player is reminded that others wait for them.
    pub const CALL_TIMING: Setting = Setting::new(&SettingDefinition {
        values: || PingTiming::ALL.map(PingTiming::code).to_vec(),
        person: Some(PersonStorage::Fields {
            get: |profile, _| Some(profile.pings.code().to_owned()),
            set: |profile, value| profile.pings = PingTiming::from_code(value),
        }),
        ..SettingDefinition::new("calls")
    });

    /// The hours without reminders.
    pub const QUIET_HOURS: Setting = Setting::new(&SettingDefinition {
        values: || vec![NO_QUIET_HOURS, "21-6", "22-7", "23-8", "0-9"],
        value_label: |value| (value != NO_QUIET_HOURS).then(|| Arg::Plain(value.replace('-', "–"))),
        person: Some(PersonStorage::Fields {
            get: |profile, _| {
                let hours = profile.quiet_hours.map(QuietHours::encode);
                Some(hours.unwrap_or_else(|| NO_QUIET_HOURS.to_owned()))
            },
            set: |profile, value| profile.quiet_hours = QuietHours::parse(value),
        }),
        ..SettingDefinition::new("night")
    });

    /// The time zone of the person.
    pub const TIME_ZONE: Setting = Setting::new(&SettingDefinition {
        values: || TIME_ZONES.to_vec(),
        value_label: zone_label,
        person: Some(PersonStorage::Fields {
            get: |profile, _| Some(encode_zone(profile.zone_min)),
            set: |profile, value| {
                profile.zone_min = parse_zone_minutes(value).unwrap_or(profile.zone_min);
            },
        }),
        ..SettingDefinition::new("zone")
    });

    /// The remaining days of a vacation. It has a page of its own.
    pub const VACATION: Setting = Setting::new(&SettingDefinition {
        values: || VACATION_VALUES.iter().map(String::as_str).collect(),
        value_label: |value| {
            let days = || days_text(value.parse().unwrap_or_default()).into();
            (value != NO_VACATION).then(days)
        },
        person: Some(PersonStorage::Fields { get: |_, _| None, set: |_, _| {} }),
        ..SettingDefinition::new("vacation")
    });

    /// Whether achievements of the person are shown, to them and under results.
    pub const ACHIEVEMENTS: Setting = Setting::new(&SettingDefinition {
        values: || vec!["shown", "hidden"],
        person: Some(PersonStorage::ByCode),
        changed_view: |_, value| Some(replies::achievements_view(value == "shown")),
        ..SettingDefinition::new("achieved")
    });

    /// Whether tables of the chat give hints by default.
    pub const HINTS: Setting = Setting::new(&SettingDefinition {
        values: || vec!["alone", "on", "off"],
        value_label: |value| Some(Text::new(format!("lobby-hints-{value}")).into()),
        chat: Some(ChatStorage::Fields {
            get: |profile, _| match profile.hints {
                Some(on) => switch_value(on, "on", "off"),
                None => Some("alone".to_owned()),
            },
            set: |profile, value, _| {
                profile.hints = match value {
                    "on" => Some(true),
                    "off" => Some(false),
                    _ => None,
                }
            },
            is_set: |profile| profile.hints.is_some(),
            copy: |profile, from| profile.hints = from.hints,
        }),
        ..SettingDefinition::new("hints")
    });

    /// The default house rules of games in the chat. They have pages of their own.
    pub const HOUSE_RULES: Setting = Setting::new(&SettingDefinition {
        chat: Some(ChatStorage::Fields {
            get: |_, _| None,
            set: |_, _, _| {},
            is_set: |profile| !profile.rules.is_empty(),
            copy: |profile, from| profile.rules.clone_from(&from.rules),
        }),
        ..SettingDefinition::new("rules")
    });

    /// The default clock of tables in the chat.
    pub const CLOCK: Setting = Setting::new(&SettingDefinition {
        values: || CLOCK_VALUES.iter().map(String::as_str).collect(),
        value_label: |value| {
            let control = TimeControl::parse(value).unwrap_or_default();
            Some(clock_views::time_control_text(control).into())
        },
        chat: Some(ChatStorage::Fields {
            get: |profile, _| {
                let clock = profile.clock.clone();
                Some(clock.unwrap_or_else(|| TimeControl::Unlimited.encode()))
            },
            set: |profile, value, _| profile.clock = Some(value.to_owned()),
            is_set: |profile| profile.clock.is_some(),
            copy: |profile, from| profile.clock.clone_from(&from.clock),
        }),
        ..SettingDefinition::new("clock")
    });

    /// The people who may open tables in the chat.
    pub const TABLE_OPENERS: Setting = Setting::new(&SettingDefinition {
        values: || TableOpeners::ALL.map(TableOpeners::code).to_vec(),
        chat: Some(ChatStorage::Fields {
            get: |profile, _| Some(profile.table_openers.code().to_owned()),
            set: |profile, value, _| profile.table_openers = TableOpeners::from_code(value),
            is_set: |profile| profile.table_openers != TableOpeners::default(),
            copy: |profile, from| profile.table_openers = from.table_openers,
        }),
        ..SettingDefinition::new("opens")
    });

    /// The people who may remove a table before its game begins.
    pub const TABLE_REMOVERS: Setting = Setting::new(&SettingDefinition {
        values: || vec!["host", "all"],
        chat: Some(ChatStorage::Fields {
            get: |profile, _| switch_value(profile.anyone_may_close_tables, "all", "host"),
            set: |profile, value, _| profile.anyone_may_close_tables = value == "all",
            is_set: |profile| profile.anyone_may_close_tables,
            copy: |profile, from| profile.anyone_may_close_tables = from.anyone_may_close_tables,
        }),
        ..SettingDefinition::new("orders")
    });

    /// Whether the bot sends fewer messages in the chat.
    pub const QUIET_CHAT: Setting = Setting::new(&SettingDefinition {
        values: || vec!["off", "on"],
        chat: Some(ChatStorage::Fields {
            get: |profile, _| switch_value(profile.is_silent, "on", "off"),
            set: |profile, value, _| profile.is_silent = value == "on",
            is_set: |profile| profile.is_silent,
            copy: |profile, from| profile.is_silent = from.is_silent,
        }),
        ..SettingDefinition::new("quiet")
    });

    /// Whether an old board is deleted when the board is posted again.
    pub const OLD_BOARDS: Setting = Setting::new(&SettingDefinition {
        values: || vec!["away", "stay"],
        chat: Some(ChatStorage::Fields {
            get: |profile, _| switch_value(profile.keeps_boards, "stay", "away"),
            set: |profile, value, _| profile.keeps_boards = value == "stay",
            is_set: |profile| profile.keeps_boards,
            copy: |profile, from| profile.keeps_boards = from.keeps_boards,
        }),
        ..SettingDefinition::new("old")
    });

    /// The topics of the chat in which tables may be opened. Its value is `elsewhere` in a topic
    /// that is none of them.
    pub const ALLOWED_TOPICS: Setting = Setting::new(&SettingDefinition {
        values: || vec!["all", "here"],
        chat: Some(ChatStorage::Fields {
            get: |profile, here| {
                if profile.allowed_chats.is_empty() {
                    return Some("all".to_owned());
                }
                switch_value(profile.allows_tables_in(here), "here", "elsewhere")
            },
            set: |profile, value, here| match value {
                "here" => {
                    profile.allowed_chats.retain(|it| it != here);
                    profile.allowed_chats.push(here.clone());
                }
                _ => profile.allowed_chats.clear(),
            },
            is_set: |profile| !profile.allowed_chats.is_empty(),
            copy: |profile, from| profile.allowed_chats.clone_from(&from.allowed_chats),
        }),
        ..SettingDefinition::new("where")
    });

    /// How long finished games of the chat keep their logs and records: for good, or so many days.
    pub const GAME_RETENTION: Setting = Setting::new(&SettingDefinition {
        values: || vec![KEPT_FOR_GOOD, "365", "90", "30"],
        chat: Some(ChatStorage::ByCode),
        ..SettingDefinition::new("keep")
    });

    /// Whether the chat gets a message about its games once a week.
    pub const WEEKLY_DIGEST: Setting = Setting::new(&SettingDefinition {
        values: || vec!["off", "on"],
        chat: Some(ChatStorage::ByCode),
        changed_view: replies::digest_changed_view,
        ..SettingDefinition::new("digest")
    });

    /// The time zone of the chat, for messages that are sent at a certain hour.
    pub const CHAT_TIME_ZONE: Setting = Setting::new(&SettingDefinition {
        values: || TIME_ZONES.iter().copied().filter(|it| *it != RAREST_ZONE).collect(),
        value_label: zone_label,
        chat: Some(ChatStorage::ByCode),
        ..SettingDefinition::new("chatzone")
    });

    /// Whether the operator of the bot may write in the chat.
    pub const HOST_MESSAGES: Setting = Setting::new(&SettingDefinition {
        values: || vec!["off", "on"],
        chat: Some(ChatStorage::ByCode),
        ..SettingDefinition::new("news")
    });
}

impl Setting {
    /// Whether achievements of this person are shown.
    pub fn shows_achievements(person: &PersonProfile) -> bool {
        let value = person.setting_value(Setting::ACHIEVEMENTS, &ChatProfile::default());
        value.as_deref() != Some("hidden")
    }
}

/// The value of [`Setting::GAME_RETENTION`] without a limit.
const KEPT_FOR_GOOD: &str = "always";

impl Setting {
    /// How long games are kept with this value of [`Setting::GAME_RETENTION`], in milliseconds;
    /// `None` for good.
    pub fn retention_ms(value: &str) -> Option<u64> {
        let is_known = Setting::GAME_RETENTION.values().contains(&value);
        let days = value.parse::<u64>().ok().filter(|_| is_known)?;
        Some(days * DAY_MS)
    }
}

/// The value of a setting with two values.
fn switch_value(is_on: bool, on: &'static str, off: &'static str) -> Option<String> {
    Some(if is_on { on } else { off }.to_owned())
}

/// The value without quiet hours.
const NO_QUIET_HOURS: &str = "none";

/// The offsets from UTC of the zones in which most people live. As many as fit under a message.
pub(super) const TIME_ZONES: &[&str] = &[
    "+0", "+1", "+2", "+3", "+3:30", "+4", "+4:30", "+5", "+5:30", "+5:45", "+6", "+6:30", "+7",
    "+8", "+9", "+10", "+11", "+12", "-8", "-7", "-6", "-5", "-4", "-3",
];

/// The zone that chats cannot choose: as many as the others fit under a message beside the value
/// that a chat inherits.
const RAREST_ZONE: &str = "+6:30";

/// The label of a zone.
fn zone_label(value: &str) -> Option<Arg> {
    Some(Arg::Plain(format!("UTC{}", value.replace('-', "−"))))
}

/// The clocks to choose from, encoded as in logs.
static CLOCK_VALUES: LazyLock<Vec<String>> =
    LazyLock::new(|| TimeControl::PRESETS.iter().map(|it| it.encode()).collect());

/// The possible lengths of a vacation in days: all can be typed, some have buttons.
static VACATION_VALUES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let all = (1..=VACATION_DAYS_MAX).map(|days| days.to_string());
    [NO_VACATION.to_owned()].into_iter().chain(all).collect()
});
