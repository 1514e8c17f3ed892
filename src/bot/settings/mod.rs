//! Settings of people and chats: requests to show and change them, the pages that show them, and
//! their callback data.
//!
//! Each setting is one [`SettingDefinition`]; those of the program, and how to add one, are in
//! `definitions`.

mod definitions;
pub(crate) mod replies;
mod setting;

use serde::{Deserialize, Serialize};

use crate::parsing::words::parse_scope;
use crate::views::panel_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, View};

pub use setting::{
    ChatStorage, PersonStorage, Setting, SettingChoice, SettingDefinition, SettingReader,
    ValuesByCode, register,
};

/// How a settings request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsReply {
    /// By the settings page, which replaces the pressed page.
    Page,
    /// By a message.
    Message,
}

impl SettingsReply {
    /// The prefix of the callback data of such requests.
    pub(crate) const fn callback_prefix(self) -> &'static str {
        match self {
            Self::Page => "=",
            Self::Message => "+",
        }
    }
}

/// The longest callback data, in bytes.
pub(crate) const CALLBACK_DATA_MAX: usize = 64;

/// [`SettingsRequest::GuardedGames`] in callback data; no setting has this code.
const UNRATED_GAMES: &str = "guarded";

/// To whom a setting applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingScope {
    /// The person who sends the request.
    Person,
    /// Everybody in this chat.
    Chat,
    /// Every channel and thread of this server.
    Server,
}

/// A request to show or change settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsRequest {
    /// Show all settings.
    Page(SettingScope),
    /// Show the values that a setting can have.
    Choices(SettingScope, Setting),
    /// Change a setting.
    Set(SettingChange),
    /// The named value does not exist for this setting.
    InvalidValue(Setting),
    /// Show or change the house rules of a game.
    Rules {
        /// A chat or a server.
        scope: SettingScope,
        /// The game.
        game: GameId,
        /// The page of the rules, from 0.
        page: u8,
        /// The change as in [`caravanserai_table::Command::SetHouseRule`]; [`DEFAULT_RULES`] for
        /// the default rules; `None` to only show the page.
        change: Option<String>,
    },
    /// List the games of the chat that an abuse check kept from being rated.
    GuardedGames,
}

impl SettingsRequest {
    /// A request to set `setting` to one of its [`Setting::values`].
    pub fn set(scope: SettingScope, setting: Setting, value: &str) -> Self {
        Self::Set(SettingChange { scope, setting, value: value.to_owned() })
    }
}

/// A change of one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingChange {
    /// To whom the setting applies.
    pub scope: SettingScope,
    /// The setting.
    pub setting: Setting,
    /// The new value, one of [`Setting::values`].
    pub value: String,
}

/// The value that resets all house rules to their defaults.
pub const DEFAULT_RULES: &str = "-";

/// The value that removes a setting of a chat or its house rules, so that the value of the channel
/// or the server applies.
pub const INHERIT: &str = "inherit";

/// When a player is reminded that others wait for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PingTiming {
    /// After some minutes.
    #[default]
    Usual,
    /// After an hour.
    Seldom,
    /// The player is never reminded.
    Never,
}

/// The people who may open tables in a chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableOpeners {
    /// Everybody in the chat.
    #[default]
    All,
    /// Only admins of the chat.
    Admins,
    /// Nobody: tables are disabled in the chat.
    Nobody,
}

impl PingTiming {
    /// All values, the default first.
    pub const ALL: [PingTiming; 3] = [PingTiming::Usual, PingTiming::Seldom, PingTiming::Never];

    /// The code of the value.
    pub fn code(self) -> &'static str {
        match self {
            PingTiming::Usual => "usual",
            PingTiming::Seldom => "seldom",
            PingTiming::Never => "never",
        }
    }

    /// The value with this code, or the default.
    pub fn from_code(code: &str) -> Self {
        PingTiming::ALL.into_iter().find(|it| it.code() == code).unwrap_or_default()
    }
}

impl TableOpeners {
    /// All values, the default first.
    pub const ALL: [TableOpeners; 3] =
        [TableOpeners::All, TableOpeners::Admins, TableOpeners::Nobody];

    /// The code of the value.
    pub fn code(self) -> &'static str {
        match self {
            TableOpeners::All => "all",
            TableOpeners::Admins => "admins",
            TableOpeners::Nobody => "nobody",
        }
    }

    /// The value with this code, or the default.
    pub fn from_code(code: &str) -> Self {
        TableOpeners::ALL.into_iter().find(|it| it.code() == code).unwrap_or_default()
    }
}

/// The most days of vacation within a year: one month, as on sites for correspondence games.
pub const VACATION_DAYS_MAX: u32 = 30;

/// The value of the vacation setting without a vacation.
pub const NO_VACATION: &str = "off";

/// The lengths of a vacation that have buttons, in days.
const VACATION_BUTTON_DAYS: [u32; 6] = [1, 3, 7, 14, 21, 30];

/// The text of a number of days.
pub fn days_text(count: u32) -> Text {
    Text::new("vacation-days").with("count", i64::from(count))
}

/// The refusal of a length that no vacation has, or that cannot be parsed.
pub fn vacation_range_text() -> Text {
    Text::new("refuse-vacation-range").with("most", i64::from(VACATION_DAYS_MAX))
}

/// The vacation page of a person with buttons for its length. `now`: the status text. `left`: the
/// days that they may still take. `reply`: how a press is answered.
pub fn vacation_view(owner: SettingsOwner<'_>, now: Text, left: u32, reply: SettingsReply) -> View {
    let row = Setting::VACATION;
    let key = |value: &str| {
        ButtonSpec::new(
            row.value_label(value),
            settings_callback_data(reply, owner, &[row.code(), value]),
        )
    };
    let shown = VACATION_BUTTON_DAYS.into_iter().filter(|it| *it <= left);
    let mut keys = vec![key(NO_VACATION)];
    keys.extend(shown.map(|it| key(&it.to_string())));
    keys.extend((reply == SettingsReply::Page).then(|| back_button(owner)));
    let keys = keys.chunks(3).map(<[ButtonSpec]>::to_vec).collect();
    let most = |text: Text| text.with("most", i64::from(VACATION_DAYS_MAX));
    let about = most(Text::new("setting-vacation-about")).with("left", i64::from(left));
    View { texts: vec![now, about], button_rows: keys, ..View::default() }
}

/// The offset from UTC of a zone, in minutes. `None` if it cannot be parsed.
pub fn parse_zone_minutes(value: &str) -> Option<i16> {
    let (hours, minutes) = value.split_once(':').unwrap_or((value, "0"));
    let (hours, minutes): (i16, i16) = (hours.parse().ok()?, minutes.parse().ok()?);
    Some(hours * 60 + if hours < 0 { -minutes } else { minutes })
}

/// The code of the zone with this offset from UTC in minutes.
pub fn encode_zone(minutes: i16) -> String {
    let rest = match minutes.unsigned_abs() % 60 {
        0 => String::new(),
        rest => format!(":{rest:02}"),
    };
    format!("{:+}{rest}", minutes / 60)
}

/// The person, chat or server whose settings a page shows.
#[derive(Clone, Copy, Debug)]
pub struct SettingsOwner<'a> {
    /// The scope of the page.
    pub scope: SettingScope,
    /// The chat that the page is about.
    pub chat: &'a ChatId,
}

/// Whether a button can carry this callback data, which names this chat: it must fit, and the name
/// must have no characters that separate the parts of callback data.
pub(crate) fn can_name_chat(data: &str, chat: &str) -> bool {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b":/-_~".contains(&it);
    data.len() <= CALLBACK_DATA_MAX && chat.bytes().all(is_plain)
}

/// The callback data of a button. It names the chat, because the page may be read in private,
/// unless the name does not fit or has characters that buttons cannot carry. `reply`: how a
/// press is answered.
fn settings_callback_data(
    reply: SettingsReply,
    owner: SettingsOwner<'_>,
    parts: &[&str],
) -> String {
    let prefix = reply.callback_prefix();
    let mut rest = String::new();
    for part in parts {
        rest.push('.');
        rest.push_str(part);
    }
    let chat_name = &owner.chat.0;
    match owner.scope {
        SettingScope::Person => format!("{prefix}.m{rest}"),
        // No server is named: the update says in which server the button was pressed.
        SettingScope::Server => format!("{prefix}.s{rest}"),
        SettingScope::Chat => {
            let with_chat = format!("{prefix}.c@{chat_name}{rest}");
            match can_name_chat(&with_chat, chat_name) {
                true => with_chat,
                false => format!("{prefix}.c{rest}"),
            }
        }
    }
}

/// The button that sets a setting and answers with a message.
pub fn setting_button(owner: SettingsOwner<'_>, row: Setting, value: &str) -> ButtonSpec {
    let label = Text::new("button-for-chat").with("language", row.value_label(value));
    labelled_setting_button(label, owner, row, value)
}

/// The button with this label that sets a setting and answers with a message.
pub(crate) fn labelled_setting_button(
    label: Text,
    owner: SettingsOwner<'_>,
    row: Setting,
    value: &str,
) -> ButtonSpec {
    ButtonSpec::new(
        label,
        settings_callback_data(SettingsReply::Message, owner, &[row.code(), value]),
    )
}

/// The callback data of the button that changes a setting of the person who presses it.
pub(crate) fn own_setting_callback_data(setting: Setting, value: &str) -> String {
    format!("{}.m.{}.{value}", SettingsReply::Message.callback_prefix(), setting.code())
}

/// Parses the callback data of a settings button: the request and the chat that it names. `None` if
/// no settings button has such data.
pub(crate) fn parse_callback_data(parts: &str) -> Option<(SettingsRequest, Option<ChatId>)> {
    let mut parts = parts.splitn(5, '.');
    let owner = parts.next()?;
    let (scope, chat) = match owner.split_once('@').unwrap_or((owner, "")) {
        ("m", "") => (SettingScope::Person, None),
        ("c", "") => (SettingScope::Chat, None),
        ("s", "") => (SettingScope::Server, None),
        ("c", chat) => (SettingScope::Chat, Some(ChatId(chat.to_owned()))),
        _ => return None,
    };
    let Some(row) = parts.next() else { return Some((SettingsRequest::Page(scope), chat)) };
    if row == UNRATED_GAMES && scope == SettingScope::Chat {
        return Some((SettingsRequest::GuardedGames, chat));
    }
    let row = Setting::from_code(row).filter(|it| Setting::of_scope(scope).contains(it))?;
    let Some(value) = parts.next() else {
        return Some((SettingsRequest::Choices(scope, row), chat));
    };
    if row == Setting::HOUSE_RULES {
        let page = parts.next().map_or(Some(0), |it| it.parse().ok())?;
        let change = parts.next().map(str::to_owned);
        return Some((
            SettingsRequest::Rules { scope, game: GameId::from_code(value)?, page, change },
            chat,
        ));
    }
    let inherits = value == INHERIT && scope == SettingScope::Chat;
    let known = inherits || row.values().contains(&value);
    let value = if known { value.to_owned() } else { return None };
    Some((SettingsRequest::Set(SettingChange { scope, setting: row, value }), chat))
}

/// Parses the words behind `/settings`.
pub(crate) fn parse_settings_command(rest: &str, kind: ChatKind) -> SettingsRequest {
    let scope = rest.split_whitespace().find_map(|it| parse_scope(it, kind));
    SettingsRequest::Page(scope.unwrap_or(SettingScope::Person))
}

/// Parses the words behind `/vacation`: a number of days or weeks, or a word that ends the
/// vacation.
pub(crate) fn parse_vacation_command(rest: &str) -> SettingsRequest {
    use crate::parsing::new_table::is_filler_word;
    use crate::parsing::words::lookup_word;
    let row = Setting::VACATION;
    let set = |value: String| {
        SettingsRequest::Set(SettingChange { scope: SettingScope::Person, setting: row, value })
    };
    let words = crate::parsing::phrases::normalized_words(rest);
    // A sign before the number ("-3") is not decoration.
    let is_signed = rest.split_whitespace().any(|it| it.starts_with(['-', '−', '+', '–']));
    let words = words.iter().map(String::as_str);
    let words: Vec<&str> = words.skip_while(|it| is_filler_word(it)).collect();
    let unit = |word: &str| match (lookup_word("vacation", word), lookup_word("clock", word)) {
        (Some("weeks"), _) => Some(7),
        (_, Some("days")) => Some(1),
        _ => None,
    };
    let times = |count: &str, each: Option<u32>| {
        let count: u32 = count.parse().ok()?;
        Some(count.saturating_mul(each?))
    };
    let days = match words.as_slice() {
        _ if is_signed => None,
        [over] if lookup_word("vacation", over) == Some("over") => Some(0),
        [off] if lookup_word("switch", off) == Some("off") => Some(0),
        [all] => {
            let digits = all.find(|it: char| !it.is_ascii_digit()).unwrap_or(all.len());
            let (count, each) = all.split_at(digits);
            times(count, if each.is_empty() { Some(1) } else { unit(each) })
        }
        [count, each] => times(count, unit(each)),
        _ => None,
    };
    match days {
        Some(0) => set(NO_VACATION.to_owned()),
        Some(days) => set(days.to_string()),
        None if words.is_empty() && !is_signed => {
            SettingsRequest::Choices(SettingScope::Person, row)
        }
        None => SettingsRequest::InvalidValue(row),
    }
}

/// A setting with its value: one row of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingLine {
    /// The setting.
    pub setting: Setting,
    /// Its value.
    pub value: Arg,
    /// The chat that the value is inherited from, if it is inherited.
    pub source: Option<Text>,
}

impl SettingLine {
    fn setting_text(&self) -> Text {
        let name = self.setting.label();
        let value = self.value.clone();
        match self.source.clone() {
            None => Text::new("setting-row").with("name", name).with("value", value),
            Some(source) => Text::new("setting-row-from")
                .with("name", name)
                .with("value", value)
                .with("source", source),
        }
    }
}

/// A kind of chat whose settings other chats inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentKind {
    /// The channel of a thread.
    Channel,
    /// The server.
    Server,
}

/// Names the chat that a value is inherited from. `channel`: the name of the channel of a thread,
/// empty if it is not known.
pub fn inheritance_source(parent: ParentKind, channel: &str) -> Text {
    match (parent, channel) {
        (ParentKind::Server, _) => Text::new("setting-from-server"),
        (ParentKind::Channel, "") => Text::new("setting-from-parent"),
        (ParentKind::Channel, name) => Text::new("setting-from-channel").with("channel", name),
    }
}

/// All settings of a person, a chat or a server with their values. Rows are buttons only if the
/// reader can change them (`can_change`). `others`: the pages that this page links to.
pub fn settings_page_view(
    owner: SettingsOwner<'_>,
    lines: &[SettingLine],
    can_change: bool,
    others: &[SettingScope],
) -> View {
    let SettingsOwner { scope, chat: here } = owner;
    let mut texts = vec![Text::new(match scope {
        SettingScope::Person => "settings-mine",
        SettingScope::Chat if can_change => "settings-chat",
        SettingScope::Chat => "settings-chat-read",
        SettingScope::Server if can_change => "settings-server",
        SettingScope::Server => "settings-server-read",
    })];
    let mut keys = Vec::new();
    if can_change {
        let key = |it: &SettingLine| {
            ButtonSpec::new(
                it.setting_text(),
                settings_callback_data(SettingsReply::Page, owner, &[it.setting.code()]),
            )
        };
        keys.extend(lines.iter().map(key));
    } else {
        texts.extend(
            lines.iter().map(|it| Text::new("options-line").with("switch", it.setting_text())),
        );
    }
    keys.extend(others.iter().map(|scope| {
        let label = match scope {
            SettingScope::Person => "button-settings-mine",
            SettingScope::Chat => "button-settings-chat",
            SettingScope::Server => "button-settings-server",
        };
        ButtonSpec::new(
            Text::new(label),
            settings_callback_data(
                SettingsReply::Page,
                SettingsOwner { scope: *scope, chat: here },
                &[],
            ),
        )
    }));
    let keys = keys.chunks(2).map(<[ButtonSpec]>::to_vec).collect();
    View { texts, button_rows: keys, ..View::default() }
}

/// The current value of a setting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrentSetting {
    /// Its code as in callback data; empty if no single code describes it.
    pub value: String,
    /// The value that it would inherit, for a chat that has parents.
    pub inherited: Option<InheritedSetting>,
}

/// The value that a setting inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InheritedSetting {
    /// Whether the chat has no value of its own.
    pub is_current: bool,
    /// The value as people see it.
    pub value: Arg,
    /// The nearest parent, which may itself inherit the value.
    pub parent: ParentKind,
}

/// The values that a setting can have; `present` is the current one.
pub fn setting_choices_view(
    owner: SettingsOwner<'_>,
    row: Setting,
    present: &CurrentSetting,
) -> View {
    let key = |label: Arg, value: &str, is_current: bool| {
        let tone = if is_current { ButtonTone::Good } else { ButtonTone::Plain };
        let label = match is_current {
            true => Text::new("setting-now").with("value", label).into(),
            false => label,
        };
        ButtonSpec::new(
            label,
            settings_callback_data(SettingsReply::Page, owner, &[row.code(), value]),
        )
        .with_tone(tone)
    };
    let inherits = present.inherited.as_ref().is_some_and(|it| it.is_current);
    let value_button = |value: &&'static str| {
        key(row.value_label(value), value, *value == present.value && !inherits)
    };
    let mut keys: Vec<ButtonSpec> = row.values().iter().map(value_button).collect();
    if row == Setting::HOUSE_RULES {
        let game = |game: &GameId| {
            let code = game.info().code;
            ButtonSpec::new(
                Text::new(format!("game-{code}")),
                settings_callback_data(SettingsReply::Page, owner, &[row.code(), code]),
            )
        };
        keys.extend(GameId::all().iter().map(game));
    } else if let Some(inherited) = &present.inherited {
        keys.push(key(inherited.inherit_label().into(), INHERIT, inherited.is_current));
    }
    keys.push(back_button(owner));
    let in_a_row = keys.len().div_ceil(5).max(2);
    let keys = keys.chunks(in_a_row).map(<[ButtonSpec]>::to_vec).collect();
    let about = if owner.scope == SettingScope::Server && row == Setting::ALLOWED_TOPICS {
        "setting-where-server-about".to_owned()
    } else {
        format!("setting-{}-about", row.code())
    };
    let mut texts = vec![Text::new(about)];
    if row == Setting::LANGUAGE {
        texts.extend(replies::unreviewed_languages_text());
    }
    View { texts, button_rows: keys, ..View::default() }
}

impl InheritedSetting {
    fn inherit_label(&self) -> Text {
        let label = match self.parent {
            ParentKind::Channel => "setting-like-channel",
            ParentKind::Server => "setting-like-server",
        };
        Text::new(label).with("value", self.value.clone())
    }
}

/// The button that lists the games of a chat that an abuse check kept from being rated.
pub(crate) fn unrated_games_button(owner: SettingsOwner<'_>) -> ButtonSpec {
    let data = settings_callback_data(SettingsReply::Page, owner, &[UNRATED_GAMES]);
    ButtonSpec::new(Text::new("button-guarded-games"), data)
}

/// The games of a chat that an abuse check kept from being rated, a line each.
pub(crate) fn unrated_games_view(owner: SettingsOwner<'_>, lines: Vec<Text>) -> View {
    let key = if lines.is_empty() { "answer-guarded-none" } else { "answer-guarded-games" };
    let texts = std::iter::once(Text::new(key)).chain(lines).collect();
    View { texts, button_rows: vec![vec![back_button(owner)]], ..View::default() }
}

fn back_button(owner: SettingsOwner<'_>) -> ButtonSpec {
    ButtonSpec::new(
        Text::new("button-previous"),
        settings_callback_data(SettingsReply::Page, owner, &[]),
    )
}

/// The house rules of a game in a chat or a server. `source`: the chat they are inherited from, if
/// they are inherited. `inherits`: the rules that would be inherited, for a chat that has parents.
pub fn default_rules_view(
    owner: SettingsOwner<'_>,
    game: GameId,
    options: &str,
    source: Option<Text>,
    page: u8,
    inherits: Option<&InheritedSetting>,
) -> View {
    let code = game.info().code;
    let data = |rest: &[&str]| {
        settings_callback_data(SettingsReply::Page, owner, &[&["rules", code], rest].concat())
    };
    let change = |page: u8, setting: String| data(&[&page.to_string(), &setting]);
    let mut view = panel_views::rule_switches_view(game, options, page, Some(&change));
    view.texts.insert(1, Text::new("setting-rules-about"));
    if let Some(source) = source {
        view.texts.insert(2, Text::new("options-line").with("switch", source));
    }
    let pages = panel_views::page_buttons(page, panel_views::rule_page_count(game), |page| {
        data(&[&page.to_string()])
    });
    let usual = ButtonSpec::new(Text::new("button-usual-rules"), data(&["0", DEFAULT_RULES]));
    let inherit = inherits.map(|it| ButtonSpec::new(it.inherit_label(), data(&["0", INHERIT])));
    let bottom_row = pages.unwrap_or_default().into_iter().chain([usual]).chain(inherit);
    view.button_rows.push(bottom_row.chain([back_button(owner)]).collect());
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(callback_data: &str) -> Option<(SettingsRequest, Option<ChatId>)> {
        parse_callback_data(callback_data.strip_prefix("=.").expect("the prefix is there"))
    }

    #[test]
    fn every_button_of_a_page_asks_what_it_says_and_of_which_chat() {
        for (scope, chat_id) in [
            (SettingScope::Person, "tg:1"),
            (SettingScope::Chat, "tg:-100/12"),
            (SettingScope::Chat, "web:Ä"),
            (SettingScope::Server, "dc:12"),
        ] {
            let here = ChatId(chat_id.to_owned());
            let owner = SettingsOwner { scope, chat: &here };
            let chat = (chat_id == "tg:-100/12").then(|| here.clone());
            let line =
                |row: &Setting| SettingLine { setting: *row, value: "now".into(), source: None };
            let set: Vec<_> = Setting::of_scope(scope).iter().map(line).collect();
            let keys: Vec<_> =
                settings_page_view(owner, &set, true, &[SettingScope::Chat]).button_rows.concat();
            for (key, row) in keys.iter().zip(Setting::of_scope(scope)) {
                assert_eq!(
                    read(&key.callback_data),
                    Some((SettingsRequest::Choices(scope, *row), chat.clone()))
                );
                if *row == Setting::VACATION {
                    let only = vacation_view(owner, Text::new("x"), 0, SettingsReply::Page)
                        .button_rows
                        .concat();
                    let value = NO_VACATION.to_owned();
                    let change =
                        SettingsRequest::Set(SettingChange { scope, setting: *row, value });
                    assert_eq!(read(&only[0].callback_data), Some((change, chat.clone())));
                    continue;
                }
                let offered = setting_choices_view(owner, *row, &CurrentSetting::default())
                    .button_rows
                    .concat();
                for (key, value) in offered.iter().zip(row.values()) {
                    let value = value.to_owned();
                    let change =
                        SettingsRequest::Set(SettingChange { scope, setting: *row, value });
                    assert_eq!(read(&key.callback_data), Some((change, chat.clone())));
                }
                assert!(offered.len() <= 25, "{row:?} does not fit under a message");
            }
        }
    }

    #[test]
    fn nothing_is_read_that_no_button_says() {
        for callback_data in [
            "x",
            "m.hints",
            "m.theme.pink",
            "m.theme.inherit",
            "s.opens.inherit",
            "s@dc:1",
            "c.zone.+5",
            "c.rules.chess",
            "m@tg:1",
        ] {
            assert_eq!(parse_callback_data(callback_data), None, "{callback_data}");
        }
    }

    #[test]
    fn a_vacation_is_said_in_days_or_weeks_in_any_language() {
        let set = |value: &str| {
            let scope = SettingScope::Person;
            let row = Setting::VACATION;
            let value = value.to_owned();
            SettingsRequest::Set(SettingChange { scope, setting: row, value })
        };
        for (typed, meant) in [
            ("7", "7"),
            ("7 days", "7"),
            ("2 weeks", "14"),
            ("2 недели", "14"),
            ("1 апта", "7"),
            ("off", "off"),
            ("конец", "off"),
            ("0", "off"),
            ("for 7 days", "7"),
            ("1 week", "7"),
            ("3w", "21"),
            ("99999999999", "x"),
            ("2 weeks and 3 days", "x"),
            ("-3", "x"),
            ("7 no", "x"),
            ("3 hours", "x"),
            ("-3 days", "x"),
            ("- 3", "x"),
            ("1.5", "x"),
            ("soon", "x"),
        ] {
            let wish = if meant == "x" { None } else { Some(set(meant)) };
            let read = parse_vacation_command(typed);
            assert_eq!(
                read,
                wish.unwrap_or(SettingsRequest::InvalidValue(Setting::VACATION)),
                "{typed}"
            );
        }
        assert_eq!(
            parse_vacation_command(""),
            SettingsRequest::Choices(SettingScope::Person, Setting::VACATION)
        );
    }

    #[test]
    fn zones_are_minutes() {
        for zone in definitions::TIME_ZONES {
            assert_eq!(encode_zone(parse_zone_minutes(zone).expect("the zone is valid")), *zone);
        }
        assert_eq!(
            (parse_zone_minutes("+5:30"), parse_zone_minutes("-3")),
            (Some(330), Some(-180))
        );
    }

    #[test]
    fn a_place_with_parents_offers_what_it_inherits() {
        let here = ChatId("dc:12".to_owned());
        let owner = SettingsOwner { scope: SettingScope::Chat, chat: &here };
        let inherited =
            InheritedSetting { is_current: true, value: "now".into(), parent: ParentKind::Channel };
        let rows = Setting::of_scope(SettingScope::Chat).iter().copied();
        for row in rows.filter(|it| *it != Setting::HOUSE_RULES) {
            let value = row.values()[0].to_owned();
            let present = CurrentSetting { value, inherited: Some(inherited.clone()) };
            let keys = setting_choices_view(owner, row, &present).button_rows.concat();
            let chosen: Vec<_> = keys.iter().filter(|it| it.tone == ButtonTone::Good).collect();
            assert_eq!(chosen.len(), 1, "{row:?}");
            let value = INHERIT.to_owned();
            let wish = SettingsRequest::Set(SettingChange {
                scope: SettingScope::Chat,
                setting: row,
                value,
            });
            assert_eq!(read(&chosen[0].callback_data), Some((wish, Some(here.clone()))));
            assert!(keys.len() <= 25, "{row:?}");
        }
    }

    #[test]
    fn house_rules_of_a_chat_are_spelled_in_so_many_bytes() {
        for (scope, here) in [
            (SettingScope::Chat, "tg:-1001234567890/1234"),
            (SettingScope::Server, "dc:1234567890123456789"),
        ] {
            spells_house_rules(scope, &ChatId(here.to_owned()));
        }
    }

    fn spells_house_rules(scope: SettingScope, here: &ChatId) {
        let inherited =
            InheritedSetting { is_current: false, value: "now".into(), parent: ParentKind::Server };
        for game in GameId::all() {
            for page in 0..panel_views::rule_page_count(*game) {
                let options = game.info().default_options();
                let owner = SettingsOwner { scope, chat: here };
                let view = default_rules_view(owner, *game, &options, None, page, Some(&inherited));
                assert!(view.button_rows.len() <= 5, "{page}");
                assert!(view.button_rows.iter().all(|it| it.len() <= 5), "{page}");
                for key in view.button_rows.concat() {
                    assert!(key.callback_data.len() <= CALLBACK_DATA_MAX, "{}", key.callback_data);
                    assert!(read(&key.callback_data).is_some(), "{}", key.callback_data);
                }
            }
        }
    }
}
