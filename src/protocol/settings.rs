//! What people and chats choose for themselves: the rows of the two pages of settings, what each
//! may be set to, how a choice is spelled in buttons.
//!
//! To add a row: a variant of [`Row`] with its code and values, its arms in the profiles of the
//! ledger, its words `setting-<code>`, `setting-<code>-about` and `value-<code>-<value>`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::Tone;
use super::clocks;
use super::looks::{self, THEMES};
use super::note::{Key, Note};
use super::panels;
use super::request::{Scope, scope_of};
use caravanserai_games::GameId;
use caravanserai_games::ids::{PlaceId, PlaceKind};
use caravanserai_games::words::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_table::clock::Control;

/// How the presses of the page of settings begin.
pub(super) const PAGED: &str = "=";

/// How those begin that are answered in words.
pub(super) const TOLD: &str = "+";

/// The longest press.
const PRESS_MAX: usize = 64;

/// What somebody wants of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To see all.
    Page(Scope),
    /// To choose what a row is to be.
    Choices(Scope, Row),
    /// To have it so.
    Set(Change),
    /// What was named is none of the values of this row.
    Foreign(Row),
    /// To show or change the house rules of a game.
    Rules {
        /// A chat or a server.
        scope: Scope,
        /// Which game.
        game: GameId,
        /// From 0.
        page: u8,
        /// As in [`caravanserai_table::Command::Vary`]; [`USUAL`] for the usual rules.
        change: Option<String>,
    },
}

/// A row is to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// For whom.
    pub scope: Scope,
    /// Which.
    pub row: Row,
    /// One of its [`Row::values`].
    pub value: String,
}

/// In place of a house rule: all of them as they usually are.
pub const USUAL: &str = "-";

/// In place of a value of a chat's row, or of a house rule: removes it, so that the value of the
/// channel or the server applies.
pub const INHERIT: &str = "inherit";

/// A row of a page of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The language.
    Language,
    /// The theme of pictures.
    Theme,
    /// Whose side of boards is below that only this person sees.
    Side,
    /// Whether those boards are pictures or words.
    Boards,
    /// How often a button is pressed until a move is made.
    Press,
    /// How quickly computers go on that they play alone.
    Pace,
    /// When somebody is called who is waited for.
    Calls,
    /// The hours in which they are not.
    Night,
    /// What the clock shows where they are.
    Zone,
    /// Whether hints are given at tables of a chat, if nobody says it.
    Hints,
    /// Who may open tables there.
    Opens,
    /// Who may take a table away that has not begun.
    Orders,
    /// By which rules games are played there, if nobody says it.
    Rules,
    /// How much time people have at tables of a chat, if nobody says it.
    Clock,
    /// Whether the bot keeps quiet there.
    Quiet,
    /// What becomes of boards that are posted anew.
    Old,
    /// In which of its topics tables may stand.
    Where,
    /// For how many days somebody is not there.
    Vacation,
}

/// When somebody is called who is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Calls {
    /// After some minutes.
    #[default]
    Usual,
    /// After an hour.
    Seldom,
    /// Never.
    Never,
}

/// Who may do something in a chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Opens {
    /// Everybody.
    #[default]
    All,
    /// Its admins.
    Admins,
    /// Nobody: no tables are wanted there.
    Nobody,
}

impl Row {
    /// The page of a person, in this order.
    pub const OF_PERSON: &[Row] = &[
        Row::Language,
        Row::Theme,
        Row::Side,
        Row::Boards,
        Row::Press,
        Row::Pace,
        Row::Calls,
        Row::Night,
        Row::Zone,
        Row::Vacation,
    ];

    /// The page of a chat.
    pub const OF_CHAT: &[Row] = &[
        Row::Language,
        Row::Theme,
        Row::Hints,
        Row::Rules,
        Row::Clock,
        Row::Opens,
        Row::Orders,
        Row::Quiet,
        Row::Old,
        Row::Where,
    ];

    /// The spelling in buttons and in keys of messages.
    pub fn code(self) -> &'static str {
        match self {
            Row::Language => "language",
            Row::Theme => "theme",
            Row::Side => "side",
            Row::Boards => "boards",
            Row::Press => "press",
            Row::Pace => "pace",
            Row::Calls => "calls",
            Row::Night => "night",
            Row::Zone => "zone",
            Row::Hints => "hints",
            Row::Opens => "opens",
            Row::Orders => "orders",
            Row::Rules => "rules",
            Row::Clock => "clock",
            Row::Quiet => "quiet",
            Row::Old => "old",
            Row::Where => "where",
            Row::Vacation => "vacation",
        }
    }

    /// Reads that spelling.
    pub fn read(code: &str) -> Option<Row> {
        let mut all = Row::OF_PERSON.iter().chain(Row::OF_CHAT).copied();
        all.find(|it| it.code() == code)
    }

    /// The rows of a page.
    pub fn of(scope: Scope) -> &'static [Row] {
        match scope {
            Scope::Person => Row::OF_PERSON,
            Scope::Chat | Scope::Server => Row::OF_CHAT,
        }
    }

    /// All it can be set to, the usual first.
    pub fn values(self) -> Vec<&'static str> {
        match self {
            Row::Language => Lang::all().iter().map(|it| it.code()).collect(),
            Row::Theme => THEMES.to_vec(),
            Row::Side => vec!["own", "all"],
            Row::Boards => vec!["pictures", "words"],
            Row::Press => vec!["once", "twice"],
            Row::Pace => vec!["calm", "quick"],
            Row::Calls => vec!["usual", "seldom", "never"],
            Row::Night => vec!["none", "21-6", "22-7", "23-8", "0-9"],
            Row::Zone => ZONES.to_vec(),
            Row::Hints => vec!["alone", "on", "off"],
            Row::Opens => vec!["all", "admins", "nobody"],
            Row::Orders => vec!["host", "all"],
            Row::Rules => Vec::new(),
            Row::Clock => CLOCKS.iter().map(String::as_str).collect(),
            Row::Quiet => vec!["off", "on"],
            Row::Old => vec!["away", "stay"],
            Row::Where => vec!["all", "here"],
            Row::Vacation => VACATIONS.iter().map(String::as_str).collect(),
        }
    }

    /// What people see of a value.
    pub fn said(self, value: &str) -> Arg {
        match self {
            Row::Language => Lang::of_locale(value).map_or("", Lang::own_name).into(),
            Row::Theme => looks::name(value).into(),
            Row::Night if value != "none" => Arg::Plain(value.replace('-', "–")),
            Row::Hints => Text::new(format!("lobby-hints-{value}")).into(),
            Row::Zone => Arg::Plain(format!("UTC{}", value.replace('-', "−"))),
            Row::Clock => clocks::named(Control::read(value).unwrap_or_default()).into(),
            Row::Vacation if value != AT_HOME => days(value.parse().unwrap_or_default()).into(),
            _ => Text::new(format!("value-{}-{value}", self.code())).into(),
        }
    }

    fn name(self) -> Text {
        Text::new(format!("setting-{}", self.code()))
    }
}

/// What clocks are ahead of Greenwich, in hours and minutes: where most people live. As many as
/// fit under a message.
const ZONES: &[&str] = &[
    "+0", "+1", "+2", "+3", "+3:30", "+4", "+4:30", "+5", "+5:30", "+5:45", "+6", "+6:30", "+7",
    "+8", "+9", "+10", "+11", "+12", "-8", "-7", "-6", "-5", "-4", "-3",
];

/// The clocks to choose from, as logs spell them.
static CLOCKS: LazyLock<Vec<String>> =
    LazyLock::new(|| Control::OFFERED.iter().map(|it| it.write()).collect());

/// The most days of vacation within a year: a month in all, as sites for games by correspondence
/// give.
pub const VACATION_DAYS: u32 = 30;

/// The vacation of whoever is there.
pub const AT_HOME: &str = "off";

/// How long a vacation may be: all can be typed, some stand on buttons.
static VACATIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let all = (1..=VACATION_DAYS).map(|days| days.to_string());
    [AT_HOME.to_owned()].into_iter().chain(all).collect()
});

/// How long a vacation is by button, in days.
const VACATIONS_SHOWN: [u32; 6] = [1, 3, 7, 14, 21, 30];

/// So many days, in words.
pub fn days(count: u32) -> Text {
    Text::new("vacation-days").with("count", i64::from(count))
}

/// What somebody is told of their vacation, with the lengths to choose from. `now`: what is to be
/// said of it; `left`: how many days they may still take. `paged`: whether the page of settings
/// turns then.
pub fn vacation(whose: For<'_>, now: Text, left: u32, paged: bool) -> Note {
    let letter = if paged { PAGED } else { TOLD };
    let row = Row::Vacation;
    let key = |value: &str| Key::new(row.said(value), pressed(letter, whose, &[row.code(), value]));
    let shown = VACATIONS_SHOWN.into_iter().filter(|it| *it <= left);
    let mut keys = vec![key(AT_HOME)];
    keys.extend(shown.map(|it| key(&it.to_string())));
    keys.extend(paged.then(|| back(whose)));
    let keys = keys.chunks(3).map(<[Key]>::to_vec).collect();
    let most = |text: Text| text.with("most", i64::from(VACATION_DAYS));
    let about = most(Text::new("setting-vacation-about")).with("left", i64::from(left));
    Note { texts: vec![now, about], keys, ..Note::default() }
}

/// What clocks of a zone are ahead of Greenwich, in minutes.
pub fn zone_minutes(value: &str) -> Option<i16> {
    let (hours, minutes) = value.split_once(':').unwrap_or((value, "0"));
    let (hours, minutes): (i16, i16) = (hours.parse().ok()?, minutes.parse().ok()?);
    Some(hours * 60 + if hours < 0 { -minutes } else { minutes })
}

/// The spelling of such a zone.
pub fn zone_of(minutes: i16) -> String {
    let rest = match minutes.unsigned_abs() % 60 {
        0 => String::new(),
        rest => format!(":{rest:02}"),
    };
    format!("{:+}{rest}", minutes / 60)
}

/// For whom a page of settings is.
#[derive(Clone, Copy, Debug)]
pub struct For<'a> {
    /// A person, a chat or a server.
    pub scope: Scope,
    /// Where the chat is.
    pub here: &'a PlaceId,
}

/// What a button carries. It says which chat is meant, for the page may be read in private, where
/// that can be spelled and there is room.
fn pressed(letter: &str, whose: For<'_>, parts: &[&str]) -> String {
    let mut rest = String::new();
    for part in parts {
        rest.push('.');
        rest.push_str(part);
    }
    let plain = |it: u8| it.is_ascii_alphanumeric() || b":/-_~".contains(&it);
    let here = &whose.here.0;
    match whose.scope {
        Scope::Person => format!("{letter}.m{rest}"),
        // It names no server: the update says in which one it was pressed.
        Scope::Server => format!("{letter}.s{rest}"),
        Scope::Chat => {
            let named = format!("{letter}.c@{here}{rest}");
            let fits = named.len() <= PRESS_MAX && here.bytes().all(plain);
            if fits { named } else { format!("{letter}.c{rest}") }
        }
    }
}

/// The button that sets a row, whose answer is told.
pub fn set_key(whose: For<'_>, row: Row, value: &str) -> Key {
    let label = Text::new("button-for-chat").with("language", row.said(value));
    Key::new(label, pressed(TOLD, whose, &[row.code(), value]))
}

/// What a button of settings asks, and of which chat.
pub(super) fn read_press(parts: &str) -> Option<(Wish, Option<PlaceId>)> {
    let mut parts = parts.splitn(5, '.');
    let whose = parts.next()?;
    let (scope, chat) = match whose.split_once('@').unwrap_or((whose, "")) {
        ("m", "") => (Scope::Person, None),
        ("c", "") => (Scope::Chat, None),
        ("s", "") => (Scope::Server, None),
        ("c", chat) => (Scope::Chat, Some(PlaceId(chat.to_owned()))),
        _ => return None,
    };
    let Some(row) = parts.next() else { return Some((Wish::Page(scope), chat)) };
    let row = Row::read(row).filter(|it| Row::of(scope).contains(it))?;
    let Some(value) = parts.next() else { return Some((Wish::Choices(scope, row), chat)) };
    if row == Row::Rules {
        let page = parts.next().map_or(Some(0), |it| it.parse().ok())?;
        let change = parts.next().map(str::to_owned);
        return Some((Wish::Rules { scope, game: GameId::read(value)?, page, change }, chat));
    }
    let inherits = value == INHERIT && scope == Scope::Chat;
    let known = inherits || row.values().contains(&value);
    let value = if known { value.to_owned() } else { return None };
    Some((Wish::Set(Change { scope, row, value }), chat))
}

/// What follows `/settings`.
pub(super) fn read_page(rest: &str, kind: PlaceKind) -> Wish {
    let scope = rest.split_whitespace().find_map(|it| scope_of(it, kind));
    Wish::Page(scope.unwrap_or(Scope::Person))
}

/// What follows `/vacation`: a number of days or weeks, or that it is over.
pub(super) fn read_vacation(rest: &str) -> Wish {
    use super::opening::is_filler;
    use super::request::said;
    let row = Row::Vacation;
    let set = |value: String| Wish::Set(Change { scope: Scope::Person, row, value });
    let words = super::shown::words(rest);
    // A sign before the number is no decoration: "-3".
    let is_signed = rest.split_whitespace().any(|it| it.starts_with(['-', '−', '+', '–']));
    let words = words.iter().map(String::as_str);
    let words: Vec<&str> = words.skip_while(|it| is_filler(it)).collect();
    let unit = |word: &str| match (said("vacation", word), said("clock", word)) {
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
        [over] if said("vacation", over) == Some("over") => Some(0),
        [off] if said("switch", off) == Some("off") => Some(0),
        [all] => {
            let digits = all.find(|it: char| !it.is_ascii_digit()).unwrap_or(all.len());
            let (count, each) = all.split_at(digits);
            times(count, if each.is_empty() { Some(1) } else { unit(each) })
        }
        [count, each] => times(count, unit(each)),
        _ => None,
    };
    match days {
        Some(0) => set(AT_HOME.to_owned()),
        Some(days) => set(days.to_string()),
        // The choice says how long it may be.
        None => Wish::Choices(Scope::Person, row),
    }
}

/// A row of a page with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The row.
    pub row: Row,
    /// Its value.
    pub value: Arg,
    /// The place it is inherited from, if it is inherited.
    pub source: Option<Text>,
}

impl Line {
    fn text(&self) -> Text {
        let (name, value) = (self.row.name(), self.value.clone());
        match self.source.clone() {
            None => Text::new("setting-row").with("name", name).with("value", value),
            Some(source) => Text::new("setting-row-from")
                .with("name", name)
                .with("value", value)
                .with("source", source),
        }
    }
}

/// A kind of place whose settings others inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// The channel of a thread.
    Channel,
    /// The server.
    Server,
}

/// Names the place that a value is inherited from. `channel`: the name of the channel of a thread,
/// empty if it is not known.
pub fn source_of(parent: Parent, channel: &str) -> Text {
    match (parent, channel) {
        (Parent::Server, _) => Text::new("setting-from-server"),
        (Parent::Channel, "") => Text::new("setting-from-parent"),
        (Parent::Channel, name) => Text::new("setting-from-channel").with("channel", name),
    }
}

/// All settings of a person, a chat or a server with their values. Without the right to change them
/// (`may`) it has no buttons for rows. `others`: the pages that can be turned to from this one.
pub fn page(whose: For<'_>, set: &[Line], may: bool, others: &[Scope]) -> Note {
    let For { scope, here } = whose;
    let mut texts = vec![Text::new(match scope {
        Scope::Person => "settings-mine",
        Scope::Chat if may => "settings-chat",
        Scope::Chat => "settings-chat-read",
        Scope::Server if may => "settings-server",
        Scope::Server => "settings-server-read",
    })];
    let mut keys = Vec::new();
    if may {
        let key = |it: &Line| Key::new(it.text(), pressed(PAGED, whose, &[it.row.code()]));
        keys.extend(set.iter().map(key));
    } else {
        texts.extend(set.iter().map(|it| Text::new("options-line").with("switch", it.text())));
    }
    keys.extend(others.iter().map(|scope| {
        let label = match scope {
            Scope::Person => "button-settings-mine",
            Scope::Chat => "button-settings-chat",
            Scope::Server => "button-settings-server",
        };
        Key::new(Text::new(label), pressed(PAGED, For { scope: *scope, here }, &[]))
    }));
    let keys = keys.chunks(2).map(<[Key]>::to_vec).collect();
    Note { texts, keys, ..Note::default() }
}

/// The value that a row has now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// Its value as buttons spell it; empty if no single word spells it.
    pub value: String,
    /// The value it would inherit, for a place that has parents.
    pub inherited: Option<Inherited>,
}

/// The value that a row inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// Whether the row is not set in the place itself.
    pub is_current: bool,
    /// Its value in words.
    pub value: Arg,
    /// The nearest parent, whose value may be inherited too.
    pub parent: Parent,
}

/// What a row may be set to; `present` is what it is now.
pub fn choices(whose: For<'_>, row: Row, present: &Present) -> Note {
    let key = |label: Arg, value: &str, is_present: bool| {
        let tone = if is_present { Tone::Good } else { Tone::Plain };
        let label = match is_present {
            true => Text::new("setting-now").with("value", label).into(),
            false => label,
        };
        Key::new(label, pressed(PAGED, whose, &[row.code(), value])).tone(tone)
    };
    let inherits = present.inherited.as_ref().is_some_and(|it| it.is_current);
    let own =
        |value: &&'static str| key(row.said(value), value, *value == present.value && !inherits);
    let mut keys: Vec<Key> = row.values().iter().map(own).collect();
    if row == Row::Rules {
        let game = |game: &GameId| {
            let code = game.info().code;
            Key::new(Text::new(format!("game-{code}")), pressed(PAGED, whose, &[row.code(), code]))
        };
        keys.extend(GameId::all().iter().map(game));
    } else if let Some(inherited) = &present.inherited {
        keys.push(key(inherited.label().into(), INHERIT, inherited.is_current));
    }
    keys.push(back(whose));
    let in_a_row = keys.len().div_ceil(5).max(2);
    let keys = keys.chunks(in_a_row).map(<[Key]>::to_vec).collect();
    let about = match (whose.scope, row) {
        (Scope::Server, Row::Where) => "setting-where-server-about".to_owned(),
        _ => format!("setting-{}-about", row.code()),
    };
    let mut texts = vec![Text::new(about)];
    if row == Row::Language && Lang::all().iter().any(|it| it.is_young()) {
        texts.push(Text::new("answer-young"));
    }
    Note { texts, keys, ..Note::default() }
}

impl Inherited {
    fn label(&self) -> Text {
        let label = match self.parent {
            Parent::Channel => "setting-like-channel",
            Parent::Server => "setting-like-server",
        };
        Text::new(label).with("value", self.value.clone())
    }
}

fn back(whose: For<'_>) -> Key {
    Key::new(Text::new("button-previous"), pressed(PAGED, whose, &[]))
}

/// The house rules of a game in a chat or a server. `source`: the place they are inherited from, if
/// they are; `inherits`: the rules that would be inherited, for a place that has parents.
pub fn rules(
    whose: For<'_>,
    game: GameId,
    (options, source): (&str, Option<Text>),
    page: u8,
    inherits: Option<&Inherited>,
) -> Note {
    let code = game.info().code;
    let press = |rest: &[&str]| pressed(PAGED, whose, &[&["rules", code], rest].concat());
    let change = |page: u8, setting: String| press(&[&page.to_string(), &setting]);
    let mut note = panels::switches(game, options, page, Some(&change));
    note.texts.insert(1, Text::new("setting-rules-about"));
    if let Some(source) = source {
        note.texts.insert(2, Text::new("options-line").with("switch", source));
    }
    let leaves = panels::leaves(page, panels::pages(game), |page| press(&[&page.to_string()]));
    let usual = Key::new(Text::new("button-usual-rules"), press(&["0", USUAL]));
    let inherit = inherits.map(|it| Key::new(it.label(), press(&["0", INHERIT])));
    let last = leaves.unwrap_or_default().into_iter().chain([usual]).chain(inherit);
    note.keys.push(last.chain([back(whose)]).collect());
    note
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(press: &str) -> Option<(Wish, Option<PlaceId>)> {
        read_press(press.strip_prefix("=.").expect("its letter"))
    }

    #[test]
    fn every_button_of_a_page_asks_what_it_says_and_of_which_chat() {
        for (scope, place) in [
            (Scope::Person, "tg:1"),
            (Scope::Chat, "tg:-100/12"),
            (Scope::Chat, "web:Ä"),
            (Scope::Server, "dc:12"),
        ] {
            let here = PlaceId(place.to_owned());
            let whose = For { scope, here: &here };
            let chat = (place == "tg:-100/12").then(|| here.clone());
            let line = |row: &Row| Line { row: *row, value: "now".into(), source: None };
            let set: Vec<_> = Row::of(scope).iter().map(line).collect();
            let keys: Vec<_> = page(whose, &set, true, &[Scope::Chat]).keys.concat();
            for (key, row) in keys.iter().zip(Row::of(scope)) {
                assert_eq!(read(&key.press), Some((Wish::Choices(scope, *row), chat.clone())));
                if *row == Row::Vacation {
                    let only = vacation(whose, Text::new("x"), 0, true).keys.concat();
                    let value = AT_HOME.to_owned();
                    let change = Wish::Set(Change { scope, row: *row, value });
                    assert_eq!(read(&only[0].press), Some((change, chat.clone())));
                    continue;
                }
                let offered = choices(whose, *row, &Present::default()).keys.concat();
                for (key, value) in offered.iter().zip(row.values()) {
                    let value = value.to_owned();
                    let change = Wish::Set(Change { scope, row: *row, value });
                    assert_eq!(read(&key.press), Some((change, chat.clone())));
                }
                assert!(offered.len() <= 25, "{row:?} does not fit under a message");
            }
        }
    }

    #[test]
    fn nothing_is_read_that_no_button_says() {
        for press in [
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
            assert_eq!(read_press(press), None, "{press}");
        }
    }

    #[test]
    fn a_vacation_is_said_in_days_or_weeks_in_any_language() {
        let set = |value: &str| {
            let (scope, row, value) = (Scope::Person, Row::Vacation, value.to_owned());
            Wish::Set(Change { scope, row, value })
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
        ] {
            let wish = if meant == "x" { None } else { Some(set(meant)) };
            let read = read_vacation(typed);
            assert_eq!(
                read,
                wish.unwrap_or(Wish::Choices(Scope::Person, Row::Vacation)),
                "{typed}"
            );
        }
        assert_eq!(read_vacation("soon"), Wish::Choices(Scope::Person, Row::Vacation));
    }

    #[test]
    fn zones_are_minutes() {
        for zone in ZONES {
            assert_eq!(zone_of(zone_minutes(zone).expect("it is a zone")), *zone);
        }
        assert_eq!((zone_minutes("+5:30"), zone_minutes("-3")), (Some(330), Some(-180)));
    }

    #[test]
    fn a_place_with_parents_offers_what_it_inherits() {
        let here = PlaceId("dc:12".to_owned());
        let whose = For { scope: Scope::Chat, here: &here };
        let inherited =
            Inherited { is_current: true, value: "now".into(), parent: Parent::Channel };
        for row in Row::OF_CHAT.iter().copied().filter(|it| *it != Row::Rules) {
            let value = row.values()[0].to_owned();
            let present = Present { value, inherited: Some(inherited.clone()) };
            let keys = choices(whose, row, &present).keys.concat();
            let chosen: Vec<_> = keys.iter().filter(|it| it.tone == Tone::Good).collect();
            assert_eq!(chosen.len(), 1, "{row:?}");
            let value = INHERIT.to_owned();
            let wish = Wish::Set(Change { scope: Scope::Chat, row, value });
            assert_eq!(read(&chosen[0].press), Some((wish, Some(here.clone()))));
            assert!(keys.len() <= 25, "{row:?}");
        }
    }

    #[test]
    fn house_rules_of_a_chat_are_spelled_in_so_many_bytes() {
        for (scope, here) in
            [(Scope::Chat, "tg:-1001234567890/1234"), (Scope::Server, "dc:1234567890123456789")]
        {
            spells_house_rules(scope, &PlaceId(here.to_owned()));
        }
    }

    fn spells_house_rules(scope: Scope, here: &PlaceId) {
        let inherited =
            Inherited { is_current: false, value: "now".into(), parent: Parent::Server };
        for game in GameId::all() {
            for page in 0..panels::pages(*game) {
                let options = game.info().default_options();
                let whose = For { scope, here };
                let note = rules(whose, *game, (&options, None), page, Some(&inherited));
                assert!(note.keys.len() <= 5, "{page}");
                assert!(note.keys.iter().all(|it| it.len() <= 5), "{page}");
                for key in note.keys.concat() {
                    assert!(key.press.len() <= PRESS_MAX, "{}", key.press);
                    assert!(read(&key.press).is_some(), "{}", key.press);
                }
            }
        }
    }
}
