//! Computers in the lobby: who they are, how strong, which of them sit at the table.

use super::note::{Key, Note};
use super::present::{named, press};
use super::press::Ask;
use caravanserai_games::search::Level;
use caravanserai_games::words::{Arg, Text};
use caravanserai_table::event::DEFAULT_LEVEL;
use caravanserai_table::fold::Table;
use caravanserai_table::people::computer_called;

/// Levels on one row of buttons.
const IN_A_ROW: usize = 3;

/// What a level is called in a word.
pub fn name(level: Level) -> Text {
    Text::new(format!("choice-{}", level.code()))
}

/// Who plays so, with a face.
pub fn face(level: Level) -> Text {
    computer_called(level, None)
}

/// Who plays so, how strong, and of what character.
pub fn line(level: Level) -> Text {
    Text::new("answer-level-name")
        .with("name", face(level))
        .with("level", name(level))
        .with("about", Text::new(format!("level-{}-about", level.code())))
}

/// The button that leads to the choice.
pub(super) fn key(table: &Table) -> Key {
    Key::new(Text::new("button-levels"), press(table, Ask::Levels))
}

/// All computers with a line of character each, and buttons: to have one sit down, to have
/// another one sit where one sits.
pub fn levels(table: &Table) -> Note {
    let mut texts = vec![Text::new("answer-levels")];
    texts.extend(Level::ALL.map(line));
    let mut keys = Vec::new();
    let sitting = (0..table.setup.seats).filter_map(|place| {
        let level = table.occupant(place)?.level()?;
        let at = Level::ALL.iter().position(|it| *it == level)?;
        let ask = Ask::Level { place: Some(place), level: Level::ALL[(at + 1) % 5] };
        let label =
            Text::new("button-relevel").with("n", i64::from(place) + 1).with("level", name(level));
        Some(Key::new(label, press(table, ask)))
    });
    keys.extend(sitting.map(|key| vec![key]));
    if table.open_seats() > 0 {
        let add = |level: &Level| {
            Key::new(name(*level), press(table, Ask::Level { place: None, level: *level }))
        };
        keys.extend(Level::ALL.chunks(IN_A_ROW).map(|row| row.iter().map(add).collect()));
    }
    named(table, Note { texts, keys, ..Note::default() })
}

/// Who sits at this place, with the level of a computer.
pub(super) fn seat_line(table: &Table, place: u8) -> Text {
    let n = i64::from(place) + 1;
    let line = |key: &'static str| Text::new(key).with("n", n).with("name", Arg::Seat(place));
    match table.occupant(place).and_then(|it| it.level()) {
        Some(level) => line("lobby-seat-computer").with("level", name(level)),
        None => line("lobby-seat"),
    }
}

/// The button that adds the usual computer.
pub(super) fn add_key(table: &Table) -> Key {
    let command = caravanserai_table::command::Command::AddComputer(DEFAULT_LEVEL);
    super::present::key(table, "button-computer", command)
}
