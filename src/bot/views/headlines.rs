//! Chooses the lines of a board that must be seen without scrolling: whose turn it is or how the
//! game ended, pending offers, and what a lobby waits for.

use caravanserai_games::rules::Viewer;
use caravanserai_games::text::Text;
use caravanserai_table::state::{Table, TablePhase};

/// The lines of offers that explain rather than ask.
const NOTES: [&str; 2] = ["offer-replaced", "offer-patience"];
/// The lines of a finished game that are not its result.
const NOT_RESULTS: [&str; 2] = ["over-hints", "over-hinted"];
/// The lines that name what a lobby waits for.
const LOBBY: [&str; 10] = [
    "lobby-title",
    "lobby-waiting",
    "lobby-challenge",
    "lobby-awaited",
    "lobby-open",
    "lobby-full",
    "lobby-begin",
    "lobby-rated",
    "lobby-casual",
    "lobby-casual-several-people",
];

/// The indices of the headlines among the texts of a board.
pub(crate) fn headline_indices(table: &Table, texts: &[Text]) -> Vec<usize> {
    let caption = table.game.as_deref().map(|it| it.caption(Viewer::Public));
    // The caption of a game ends with whose turn it is or how the game ended.
    let turn = caption.and_then(|mut it| it.pop()).filter(|_| table.phase == TablePhase::Playing);
    let is_headline = |text: &Text| {
        let key = text.key.as_ref();
        let is_offer = key.starts_with("offer-") && !NOTES.contains(&key);
        let is_result = key.starts_with("over-") && !NOT_RESULTS.contains(&key);
        let is_turn =
            key == "computer-thinks" || turn.as_ref().is_some_and(|it| it.key == text.key);
        is_turn || is_offer || is_result || key.starts_with("closed-") || LOBBY.contains(&key)
    };
    (0..).zip(texts).filter(|(_, it)| is_headline(it)).map(|(n, _)| n).collect()
}
