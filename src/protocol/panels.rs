//! Notes for one reader beside the board: house rules, further choices, sheets.

use super::clocks;
use super::course;
use super::deals;
use super::hands;
use super::looks;
use super::note::{Key, Note};
use super::present::{self, named, press};
use super::press::Ask;
use super::watching::Watching;
use caravanserai_games::ids::PlaceId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::words::{Arg, Text};
use caravanserai_games::{Choice, GameId, Info, Panel, Switch};
use caravanserai_table::command::{self, Command};
use caravanserai_table::fold::{Phase, Table};

/// How many house rules stand on one page: four rows of two, and a row to turn the pages.
const RULES_ON_A_PAGE: usize = 8;

/// The buttons of a panel.
pub(super) fn rows(table: &Table, panel: Panel<Choice>) -> Vec<Vec<Key>> {
    let key = |choice: Choice| {
        let choice_command = command::Choice::Token(choice.token);
        let command = Command::Play { position: Some(table.position), choice: choice_command };
        Key::new(choice.label, press(table, Ask::Do(command)))
    };
    let pages = panel.pages;
    let mut keys: Vec<Vec<Key>> =
        panel.rows.into_iter().map(|row| row.into_iter().map(key).collect()).collect();
    if pages > 1 {
        let more = Key::new(Text::new("button-more"), press(table, Ask::More { page: 1 }));
        match keys.last_mut() {
            Some(row) if row.len() < 4 => row.push(more),
            _ => keys.push(vec![more]),
        }
    }
    keys
}

/// Further choices of the seat on turn.
pub fn more(table: &Table, seat: u8, page: u8) -> Note {
    let Some(game) = table.game.as_deref() else { return Note::default() };
    let panel = game.panel(Seat(seat), page);
    let pages = panel.pages;
    let mut keys = rows(table, Panel { pages: 1, ..panel });
    keys.extend(leaves(page, pages, |page| press(table, Ask::More { page })));
    if hands::are_dealt(table) {
        // What is decided by a hand is decided with the hand in sight.
        return hands::with_keys(table, seat, keys);
    }
    let texts = vec![Text::new("answer-more")];
    Note { texts, keys, ..Note::default() }
}

/// Buttons to turn pages.
pub fn leaves(page: u8, pages: u8, press: impl Fn(u8) -> String) -> Option<Vec<Key>> {
    let back = page.checked_sub(1).map(|it| Key::new(Text::new("button-previous"), press(it)));
    let after = page.saturating_add(1);
    let next = (after < pages).then(|| Key::new(Text::new("button-next"), press(after)));
    let row: Vec<Key> = back.into_iter().chain(next).collect();
    (!row.is_empty()).then_some(row)
}

/// A sheet of the game for one reader.
pub fn sheet(table: &Table, name: &str, viewer: Viewer) -> Option<Note> {
    let texts = table.game.as_deref()?.sheet(name, viewer)?;
    let secret = present::is_secret(table, viewer);
    Some(named(table, Note { secret, ..Note::lasting(texts) }))
}

/// Who looks on at a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Onlookers {
    /// How many do.
    pub watching: Watching,
    /// Whether anybody who knows its code may.
    pub public: bool,
}

/// What a reader has settled for the games they play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Habits {
    /// Whether they play at this table.
    pub plays: bool,
    /// Whether cards want a second press.
    pub confirm: bool,
    /// Whether computers answer at once.
    pub quick: bool,
}

/// What can be done at the table as a whole, and all that can be read of its game, in this place,
/// by a reader of these habits. `ways`: the buttons that open the board outside of the chat.
pub fn menu(
    table: &Table,
    place: &PlaceId,
    habits: Habits,
    onlookers: Onlookers,
    ways: Vec<Key>,
) -> Note {
    let spot = table.spot(place);
    let watches = spot.is_some_and(|it| it.watches);
    let mut keys: Vec<Key> = if watches { Vec::new() } else { present::common_keys(table) };
    if spot.is_some_and(|it| it.reader.is_none()) {
        keys.push(present::private_key(table));
    }
    keys.extend(ways);
    if spot.is_some() && place != table.home() {
        keys.push(Key::new(Text::new("button-stop"), press(table, Ask::Stop)));
    }
    keys.extend(sheet_keys(table));
    keys.extend(deals::key(table));
    keys.push(Key::new(Text::new("button-text"), press(table, Ask::Text)));
    keys.push(Key::new(Text::new("button-view"), press(table, Ask::View)));
    if !table.game_id().info().hidden && !table.steps.is_empty() {
        keys.push(Key::new(Text::new("button-chart"), press(table, Ask::Chart)));
    }
    keys.extend(clocks::menu_keys(table).into_iter().filter(|_| !watches));
    keys.push(Key::new(Text::new("button-stand-ins"), press(table, Ask::StandIns)));
    let settles = habits.plays && !table.is_solo() && table.is_open();
    keys.extend(settles.then(|| public_key(table, onlookers.public)));
    keys.push(teaching_key(table));
    if table.game_id().info().hidden {
        keys.push(confirm_key(habits.confirm));
    }
    if table.plays_computers().is_some() {
        keys.push(looks::pace_key(habits.quick));
    }
    let mut texts = vec![Text::new("answer-menu").with("table", table.id.0.as_str())];
    texts.extend(onlookers.watching.told());
    let wide = keys.len().div_ceil(present::ROWS).max(3);
    let keys = keys.chunks(wide).map(<[Key]>::to_vec).collect();
    Note { texts, keys, ..Note::default() }
}

/// The button that lets anybody look on, or nobody else.
fn public_key(table: &Table, public: bool) -> Key {
    let label = if public { "button-public-off" } else { "button-public-on" };
    present::key(table, label, Command::Publish(!public))
}

/// The button that leads to the course of the table's game.
pub(super) fn teaching_key(table: &Table) -> Key {
    course::key(table.game_id())
}

/// The button that turns the second press for cards on or off.
pub fn confirm_key(on: bool) -> Key {
    let (label, press) = match on {
        true => ("button-confirm-off", "Q.off"),
        false => ("button-confirm-on", "Q.on"),
    };
    Key::new(Text::new(label), press)
}

/// The buttons of the game's sheets.
pub(super) fn sheet_keys(table: &Table) -> Vec<Key> {
    let Some(game) = table.game.as_deref() else { return Vec::new() };
    let code = table.game_id().info().code;
    let key = |name: &'static str| {
        let label = Text::new(format!("sheet-{code}-{name}"));
        Key::new(label, press(table, Ask::Sheet(name.to_owned())))
    };
    game.sheets().into_iter().map(key).collect()
}

/// What the house rules are, as far as they are not the usual ones.
pub(super) fn house_rules(table: &Table) -> Vec<Text> {
    let told = rules_told(table.game_id(), &table.setup.options);
    if told.is_empty() {
        return vec![Text::new("lobby-usual-rules")];
    }
    vec![Text::new("lobby-variant").with("variant", Arg::List(told))]
}

/// The house rules that are not the usual ones; of a game with one switch how that is set.
pub fn rules_told(game: GameId, options: &str) -> Vec<Arg> {
    let info = game.info();
    let chosen = info.chosen(options).unwrap_or_default();
    let only = info.switches.len() == 1;
    let told = info.switches.iter().zip(chosen).filter(|(_, value)| only || *value != 0);
    told.map(|(switch, value)| Arg::from(set_to(info, switch, value))).collect()
}

/// The button of the lobby that leads to other rules: a game with one switch turns it at once.
pub(super) fn rules_key(table: &Table) -> Key {
    let info = table.game_id().info();
    let chosen = info.chosen(&table.setup.options).unwrap_or_default();
    if let ([only], [value]) = (info.switches, chosen.as_slice()) {
        let next = only.values[(value + 1) % only.values.len()];
        let label = Text::new("button-variant").with("variant", set_to(info, only, *value));
        return Key::new(label, press(table, Ask::Do(Command::Vary(next.to_owned()))));
    }
    Key::new(Text::new("button-options"), press(table, Ask::Options { page: 0 }))
}

/// All house rules, before the start with buttons to change them.
pub fn options(table: &Table, page: u8) -> Note {
    let change = |page, setting| press(table, Ask::Set { page, setting });
    let open = table.phase == Phase::Lobby;
    let may: Option<Changing<'_>> = if open { Some(&change) } else { None };
    let mut note = switches(table.game_id(), &table.setup.options, page, may);
    let turn = |page| press(table, Ask::Options { page });
    note.keys.extend(leaves(page, pages(table.game_id()), turn));
    note
}

/// What the button carries that changes a rule so, and then shows this page.
type Changing<'a> = &'a dyn Fn(u8, String) -> String;

/// How many pages the house rules of a game fill.
pub(super) fn pages(game: GameId) -> u8 {
    game.info().switches.len().div_ceil(RULES_ON_A_PAGE).max(1) as u8
}

/// House rules, with buttons to change them if they may be.
pub(super) fn switches(
    game: GameId,
    options: &str,
    page: u8,
    change: Option<Changing<'_>>,
) -> Note {
    let info = game.info();
    let chosen = info.chosen(options).unwrap_or_default();
    let pages = pages(game);
    let page = page.min(pages - 1);
    let from = usize::from(page) * RULES_ON_A_PAGE;
    let shown = info.switches.iter().zip(&chosen).skip(from).take(RULES_ON_A_PAGE);
    let mut texts = vec![
        Text::new("options-title")
            .with("game", Text::new(format!("game-{}", info.code)))
            .with("page", i64::from(page) + 1)
            .with("pages", i64::from(pages)),
    ];
    let mut keys = Vec::new();
    for (switch, value) in shown {
        let label = set_to(info, switch, *value);
        texts.push(Text::new("options-line").with("switch", label.clone()));
        let next = switch.values[(value + 1) % switch.values.len()];
        let setting = format!("{}={next}", switch.name);
        keys.extend(change.map(|change| Key::new(label, change(page, setting))));
    }
    let keys: Vec<Vec<Key>> = keys.chunks(2).map(<[Key]>::to_vec).collect();
    Note { texts, keys, ..Note::default() }
}

/// A switch and what it is set to, in words.
fn set_to(info: &Info, switch: &Switch, value: usize) -> Text {
    let name = format!("switch-{}-{}", info.code, switch.name.replace('_', "-"));
    let value = format!("{name}-{}", switch.values[value].replace('_', "-"));
    if info.switches.len() == 1 {
        return Text::new(value);
    }
    Text::new("options-setting").with("name", Text::new(name)).with("value", Text::new(value))
}
