//! Builds the list of computers in the lobby: names, strengths, and which of them have seats.

use crate::commands::computers::{ChooseComputer, ShowComputers};
use crate::views::board_view::{table_callback_data, with_player_names};
use caravanserai_games::GameId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::displayed_computer_rating;
use caravanserai_table::event::DEFAULT_LEVEL;
use caravanserai_table::people::computer_name;
use caravanserai_table::state::Table;

/// The levels in one row of buttons.
const LEVELS_PER_ROW: usize = 3;

/// The name of a level in one word.
pub fn level_name(level: ComputerLevel) -> Text {
    Text::new(format!("choice-{}", level.code()))
}

/// The name of the computer of a level, with its face.
pub fn computer_name_with_face(level: ComputerLevel) -> Text {
    computer_name(level, None)
}

/// The name of the computer of a level, its strength, its character, and its rating if it has one.
pub fn computer_description(level: ComputerLevel, rating: Option<i32>) -> Text {
    let key = if rating.is_some() { "answer-level-rated" } else { "answer-level-name" };
    let text = Text::new(key)
        .with("name", computer_name_with_face(level))
        .with("level", level_name(level))
        .with("about", Text::new(format!("level-{}-about", level.code())));
    match rating {
        Some(rating) => text.with("rating", rating.to_string()),
        None => text,
    }
}

/// The displayed rating of each level, in the order of [`ComputerLevel::ALL`], at new tables of a
/// game with all its seats.
pub fn usual_ratings(game: GameId, options: &str) -> [Option<i32>; ComputerLevel::ALL.len()] {
    let seats = game.info().seats.most;
    let start = game.start_match(options, seats).ok();
    let seats = start.map(|it| (seats, it.has_partners()));
    ComputerLevel::ALL.map(|level| displayed_computer_rating(game, options, seats?, level))
}

/// The button that opens the choice of computers.
pub(crate) fn computers_button(table: &Table) -> ButtonSpec {
    ButtonSpec::new(Text::new("button-levels"), table_callback_data(table, &ShowComputers))
}

/// All computers with their descriptions, and buttons to add a computer or to change the level of
/// one.
pub fn computers_view(table: &Table) -> View {
    let mut texts = vec![Text::new("answer-levels")];
    texts.extend(
        ComputerLevel::ALL.map(|level| computer_description(level, table.computer_rating(level))),
    );
    let mut keys = Vec::new();
    let seated = (0..table.setup.seats).filter_map(|seat| {
        let level = table.seating.occupant(seat)?.level()?;
        let at = ComputerLevel::ALL.iter().position(|it| *it == level)?;
        let action = ChooseComputer { seat: Some(seat), level: ComputerLevel::ALL[(at + 1) % 5] };
        let label = Text::new("button-relevel")
            .with("n", i64::from(seat) + 1)
            .with("level", level_name(level));
        Some(ButtonSpec::new(label, table_callback_data(table, &action)))
    });
    keys.extend(seated.map(|key| vec![key]));
    if table.open_seat_count() > 0 {
        let add = |level: &ComputerLevel| {
            ButtonSpec::new(
                level_name(*level),
                table_callback_data(table, &ChooseComputer { seat: None, level: *level }),
            )
        };
        keys.extend(
            ComputerLevel::ALL.chunks(LEVELS_PER_ROW).map(|row| row.iter().map(add).collect()),
        );
    }
    with_player_names(table, View { texts, button_rows: keys, ..View::default() })
}

/// The line about the player at a place, with the level of a computer.
pub(crate) fn seat_line(table: &Table, place: u8) -> Text {
    let n = i64::from(place) + 1;
    let line = |key: &'static str| Text::new(key).with("n", n).with("name", Arg::Seat(place));
    match table.seating.occupant(place).and_then(|it| it.level()) {
        Some(level) => line("lobby-seat-computer").with("level", level_name(level)),
        None => line("lobby-seat"),
    }
}

/// The button that adds a computer of the default level.
pub(crate) fn add_computer_button(table: &Table) -> ButtonSpec {
    let command = caravanserai_table::command::Command::AddComputer(DEFAULT_LEVEL);
    crate::views::board_view::command_button(table, "button-computer", command)
}
