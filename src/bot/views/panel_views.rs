//! Builds views for one reader beside the board: house rules, more choices, score sheets.

use crate::commands::action::ExecuteCommand;
use crate::commands::chart::ShowChart;
use crate::commands::flip::ShowOwnSide;
use crate::commands::make_move::ShowMoreMoves;
use crate::commands::options::{SetOption, ShowOptions};
use crate::commands::sheet::ShowSheet;
use crate::commands::stop::StopShowing;
use crate::commands::substitute::ShowSubstituteChoice;
use crate::commands::text::ShowTextBoard;
use crate::views::board_view;
use crate::views::board_view::{table_callback_data, with_player_names};
use crate::views::clock_views;
use crate::views::course_views;
use crate::views::deal_views;
use crate::views::hand_views;
use crate::views::settings_buttons::{confirm_button, pace_button};
use caravanserai_games::ids::ChatId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{ActionChoice, ButtonPanel, GameId, GameInfo, Switch};
use caravanserai_protocol::SpectatorCount;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::command::{self, Command};
use caravanserai_table::state::{Table, TablePhase};

/// The house rules on one page: four rows of two, with one row left for page buttons.
const RULES_PER_PAGE: usize = 8;

/// The buttons of a panel of actions.
pub(crate) fn panel_buttons(
    table: &Table,
    panel: ButtonPanel<ActionChoice>,
) -> Vec<Vec<ButtonSpec>> {
    let key = |choice: ActionChoice| {
        let choice_command = command::MoveChoice::Token(choice.token);
        let command =
            Command::Move { position: Some(table.history.position), choice: choice_command };
        ButtonSpec::new(choice.label, table_callback_data(table, &ExecuteCommand(command)))
    };
    let pages = panel.pages;
    let mut keys: Vec<Vec<ButtonSpec>> =
        panel.rows.into_iter().map(|row| row.into_iter().map(key).collect()).collect();
    if pages > 1 {
        let more = ButtonSpec::new(
            Text::new("button-more"),
            table_callback_data(table, &ShowMoreMoves { page: 1 }),
        );
        match keys.last_mut() {
            Some(row) if row.len() < 4 => row.push(more),
            _ => keys.push(vec![more]),
        }
    }
    keys
}

/// More choices of the seat to move.
pub fn more_choices_view(table: &Table, seat: u8, page: u8) -> View {
    let Some(game) = table.game.as_deref() else { return View::default() };
    let panel = game.panel(Seat(seat), page);
    let pages = panel.pages;
    let mut keys = panel_buttons(table, ButtonPanel { pages: 1, ..panel });
    keys.extend(page_buttons(page, pages, |page| {
        table_callback_data(table, &ShowMoreMoves { page })
    }));
    if hand_views::has_hands(table) {
        // The player chooses with the hand in view.
        return hand_views::hand_view_with_buttons(table, seat, keys);
    }
    let texts = vec![Text::new("answer-more")];
    View { texts, button_rows: keys, ..View::default() }
}

/// The buttons for the previous and the next page; `press` gives the callback data of a page.
pub fn page_buttons(
    page: u8,
    pages: u8,
    callback_data: impl Fn(u8) -> String,
) -> Option<Vec<ButtonSpec>> {
    let back = page
        .checked_sub(1)
        .map(|it| ButtonSpec::new(Text::new("button-previous"), callback_data(it)));
    let after = page.saturating_add(1);
    let next =
        (after < pages).then(|| ButtonSpec::new(Text::new("button-next"), callback_data(after)));
    let row: Vec<ButtonSpec> = back.into_iter().chain(next).collect();
    (!row.is_empty()).then_some(row)
}

/// A sheet of the game for one reader.
pub fn sheet_view(table: &Table, name: &str, viewer: Viewer) -> Option<View> {
    let texts = table.game.as_deref()?.sheet(name, viewer)?;
    let secret = board_view::is_for_viewer_only(table, viewer);
    Some(with_player_names(table, View { secret, ..View::persistent(texts) }))
}

/// The spectators of a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpectatorInfo {
    /// The number of spectators.
    pub spectators: SpectatorCount,
    /// Whether anybody who knows its code may watch.
    pub is_public: bool,
}

/// The settings of a reader that matter at a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayerPrefs {
    /// Whether they play at this table.
    pub is_player: bool,
    /// Whether cards need a second press.
    pub confirms_cards: bool,
    /// Whether computers reply at once.
    pub has_quick_pace: bool,
}

/// The menu of a table in this chat: general actions and everything that can be read, for a reader
/// with these settings. `open_buttons`: the buttons that open the board outside of the chat.
pub fn menu_view(
    table: &Table,
    chat: &ChatId,
    prefs: PlayerPrefs,
    spectator_info: SpectatorInfo,
    open_buttons: Vec<ButtonSpec>,
) -> View {
    let location = table.chats.location_in(chat);
    let is_watch_only = location.is_some_and(|it| it.is_watch_only);
    let mut keys: Vec<ButtonSpec> =
        if is_watch_only { Vec::new() } else { board_view::common_buttons(table) };
    if location.is_some_and(|it| it.reader.is_none()) {
        keys.push(board_view::private_board_button(table));
    }
    keys.extend(open_buttons);
    if location.is_some() && chat != table.chats.home() {
        keys.push(ButtonSpec::new(
            Text::new("button-stop"),
            table_callback_data(table, &StopShowing),
        ));
    }
    keys.extend(sheet_buttons(table));
    keys.extend(deal_views::last_deal_button(table));
    keys.push(ButtonSpec::new(
        Text::new("button-text"),
        table_callback_data(table, &ShowTextBoard),
    ));
    keys.push(ButtonSpec::new(Text::new("button-view"), table_callback_data(table, &ShowOwnSide)));
    if !table.game_id().info().hidden && !table.history.steps.is_empty() {
        keys.push(ButtonSpec::new(
            Text::new("button-chart"),
            table_callback_data(table, &ShowChart),
        ));
    }
    keys.extend(clock_views::menu_clock_buttons(table).into_iter().filter(|_| !is_watch_only));
    keys.push(ButtonSpec::new(
        Text::new("button-substitutes"),
        table_callback_data(table, &ShowSubstituteChoice),
    ));
    let can_set_public = prefs.is_player && !table.is_solo() && table.is_open();
    keys.extend(can_set_public.then(|| public_button(table, spectator_info.is_public)));
    keys.push(course_button(table));
    if table.game_id().info().hidden {
        keys.push(confirm_button(prefs.confirms_cards));
    }
    if table.seating.sole_player().is_some() {
        keys.push(pace_button(prefs.has_quick_pace));
    }
    let mut texts = vec![Text::new("answer-menu").with("table", table.id.0.as_str())];
    texts.extend(spectator_info.spectators.to_text());
    let in_a_row = keys.len().div_ceil(board_view::ROWS_MAX).max(3);
    let keys = keys.chunks(in_a_row).map(<[ButtonSpec]>::to_vec).collect();
    View { texts, button_rows: keys, ..View::default() }
}

/// The button that lets anybody watch, or only the players.
fn public_button(table: &Table, is_public: bool) -> ButtonSpec {
    let label = if is_public { "button-public-off" } else { "button-public-on" };
    board_view::command_button(table, label, Command::SetPublic(!is_public))
}

/// The button that opens the course of the table's game.
pub(crate) fn course_button(table: &Table) -> ButtonSpec {
    course_views::course_button(table.game_id())
}

/// The buttons of the game's sheets.
pub(crate) fn sheet_buttons(table: &Table) -> Vec<ButtonSpec> {
    let Some(game) = table.game.as_deref() else { return Vec::new() };
    let code = table.game_id().info().code;
    let key = |name: &'static str| {
        let label = Text::new(format!("sheet-{code}-{name}"));
        ButtonSpec::new(label, table_callback_data(table, &ShowSheet(name.to_owned())))
    };
    game.sheets().into_iter().map(key).collect()
}

/// The lines about house rules that differ from the defaults.
pub(crate) fn house_rule_lines(table: &Table) -> Vec<Text> {
    let texts = house_rule_texts(table.game_id(), &table.setup.options);
    if texts.is_empty() {
        return vec![Text::new("lobby-usual-rules")];
    }
    vec![Text::new("lobby-variant").with("variant", Arg::List(texts))]
}

/// The house rules that differ from the defaults; for a game with one rule its value.
pub fn house_rule_texts(game: GameId, options: &str) -> Vec<Arg> {
    let info = game.info();
    let chosen = info.switch_values(options).unwrap_or_default();
    let only = info.switches.len() == 1;
    let texts = info.switches.iter().zip(chosen).filter(|(_, value)| only || *value != 0);
    texts.map(|(switch, value)| Arg::from(rule_value_text(info, switch, value))).collect()
}

/// The house rules that differ from the defaults, each with its default.
pub(crate) fn house_rule_changes(game: GameId, options: &str) -> Vec<Text> {
    let info = game.info();
    let chosen = info.switch_values(options).unwrap_or_default();
    let changed = info.switches.iter().zip(chosen).filter(|(_, value)| *value != 0);
    let change = |(switch, value): (&Switch, usize)| {
        let usual = Text::new(info.switch_value_key(switch, switch.values[0]));
        Text::new("rules-instead")
            .with("rule", rule_value_text(info, switch, value))
            .with("usual", usual)
    };
    changed.map(change).collect()
}

/// The button of the lobby for house rules: it changes the only rule directly, or opens the list.
pub(crate) fn rules_button(table: &Table) -> ButtonSpec {
    let info = table.game_id().info();
    let chosen = info.switch_values(&table.setup.options).unwrap_or_default();
    if let ([only], [value]) = (info.switches, chosen.as_slice()) {
        let next = only.values[(value + 1) % only.values.len()];
        let label =
            Text::new("button-variant").with("variant", rule_value_text(info, only, *value));
        return ButtonSpec::new(
            label,
            table_callback_data(table, &ExecuteCommand(Command::SetHouseRule(next.to_owned()))),
        );
    }
    ButtonSpec::new(
        Text::new("button-options"),
        table_callback_data(table, &ShowOptions { page: 0 }),
    )
}

/// All house rules, with buttons to change them before the start.
pub fn options_view(table: &Table, page: u8) -> View {
    let change = |page, setting| table_callback_data(table, &SetOption { page, rule: setting });
    let open = table.phase == TablePhase::Lobby;
    let callback: Option<RuleCallback<'_>> = if open { Some(&change) } else { None };
    let mut view = rule_switches_view(table.game_id(), &table.setup.options, page, callback);
    let page_data = |page| table_callback_data(table, &ShowOptions { page });
    view.button_rows.extend(page_buttons(page, rule_page_count(table.game_id()), page_data));
    view
}

/// Gives the callback data of a button that changes a rule and shows this page again.
type RuleCallback<'a> = &'a dyn Fn(u8, String) -> String;

/// The number of pages with the house rules of a game.
pub(crate) fn rule_page_count(game: GameId) -> u8 {
    game.info().switches.len().div_ceil(RULES_PER_PAGE).max(1) as u8
}

/// A page of house rules, with buttons if they can be changed.
pub(crate) fn rule_switches_view(
    game: GameId,
    options: &str,
    page: u8,
    change: Option<RuleCallback<'_>>,
) -> View {
    let info = game.info();
    let chosen = info.switch_values(options).unwrap_or_default();
    let pages = rule_page_count(game);
    let page = page.min(pages - 1);
    let from = usize::from(page) * RULES_PER_PAGE;
    let shown = info.switches.iter().zip(&chosen).skip(from).take(RULES_PER_PAGE);
    let mut texts = vec![
        Text::new("options-title")
            .with("game", info.name_text())
            .with("page", i64::from(page) + 1)
            .with("pages", i64::from(pages)),
    ];
    let mut keys = Vec::new();
    for (switch, value) in shown {
        let label = rule_value_text(info, switch, *value);
        texts.push(Text::new("options-line").with("switch", label.clone()));
        let next = switch.values[(value + 1) % switch.values.len()];
        let setting = format!("{}={next}", switch.name);
        keys.extend(change.map(|change| ButtonSpec::new(label, change(page, setting))));
    }
    let keys: Vec<Vec<ButtonSpec>> = keys.chunks(2).map(<[ButtonSpec]>::to_vec).collect();
    View { texts, button_rows: keys, ..View::default() }
}

/// A rule with its value, in words.
fn rule_value_text(info: &GameInfo, switch: &Switch, value: usize) -> Text {
    let value = Text::new(info.switch_value_key(switch, switch.values[value]));
    if info.switches.len() == 1 {
        return value;
    }
    Text::new("options-setting")
        .with("name", Text::new(info.switch_key(switch)))
        .with("value", value)
}
