//! What somebody is told in their first game: what happened, and what is worth seeing before they
//! move.
//!
//! Where hands are hidden it stands in the hand, which nobody else reads. Else the learner alone is
//! told where that is possible with every move, and the board tells it where it is not.

use super::hands::Means;
use super::note::{Key, Note};
use super::present::{named, press};
use super::press::Ask;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::words::Text;
use caravanserai_table::command::{Command, Proposal};
use caravanserai_table::fold::{Phase, Table};

/// At most so many sentences at once: one reads them between two moves.
const SENTENCES: usize = 2;

/// What replaces an earlier word of advice at this table.
pub fn slot_of(table: &TableId) -> String {
    format!("coach {}", table.0)
}

/// Whether the learner of this table is told alone what to look for.
pub fn is_private(table: &Table) -> bool {
    table.setup.coached && !table.game_id().info().hidden && !table.is_solo()
}

/// What the seat on turn should see, if it is that of a learner.
fn advice(table: &Table, seat: u8) -> Vec<Text> {
    let Some(game) = table.game.as_deref().filter(|_| table.phase == Phase::Playing) else {
        return Vec::new();
    };
    if table.coached_turn() != Some(seat) {
        return Vec::new();
    }
    let mut texts = game.advice(Seat(seat));
    texts.truncate(SENTENCES);
    texts.into_iter().map(|it| Text::new("coach-says").with("what", it)).collect()
}

/// What stands in the hand of a seat.
pub(super) fn for_hand(table: &Table, seat: u8) -> Vec<Text> {
    if table.game_id().info().hidden { advice(table, seat) } else { Vec::new() }
}

/// What stands below the board, where the learner cannot be told alone or reads alone.
pub(super) fn in_public(table: &Table, means: Means) -> Vec<Text> {
    let hidden = table.game_id().info().hidden;
    let alone = is_private(table) && means == Means::Buttons;
    match table.coached_turn() {
        // The board of somebody alone shows their hand as well.
        Some(seat) if (hidden && table.is_solo()) || (!hidden && !alone) => advice(table, seat),
        Some(_) | None => Vec::new(),
    }
}

/// What the learner is told alone: what happened, and what to look for; `None` while it is not
/// their turn.
pub fn note(table: &Table, seat: u8) -> Option<Note> {
    let advice = advice(table, seat);
    if advice.is_empty() || !is_private(table) {
        return None;
    }
    let mut texts = table.game.as_deref()?.caption(Viewer::Public);
    // That it is their turn the advice says as well.
    texts.pop();
    texts.extend(advice);
    let back = Ask::Do(Command::Propose(Proposal::TakeBack));
    let keys = vec![vec![
        Key::new(Text::new("button-hint"), press(table, Ask::Hint)),
        Key::new(Text::new("button-take-back"), press(table, back)),
    ]];
    let slot = Some(slot_of(&table.id));
    Some(named(table, Note { texts, keys, slot, ..Note::default() }))
}
