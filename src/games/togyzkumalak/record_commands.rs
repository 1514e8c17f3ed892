//! Commands of the command line on records and positions. Pure: text in and text out.

use super::notation::position::{START_TEXT, write_position};
use super::notation::{
    ReplayedTogyzkumalakRecord, TogyzkumalakPositionFault, TogyzkumalakRecordError,
    TogyzkumalakRecordFault,
};
use super::notation::{moves, read_games, read_position, replay};
use super::position::Variant;
use super::rules::Togyzkumalak;
use super::view::TogyzkumalakEnd;
use crate::rules::Token;

/// Counts move sequences of exactly `depth` moves from a position in any known form, or from
/// the start.
///
/// # Errors
/// When the text is not a position.
pub fn perft(
    position: Option<&str>,
    depth: u32,
    variant: Variant,
) -> Result<u64, TogyzkumalakPositionFault> {
    let (position, _) = read_position(position.unwrap_or(START_TEXT), variant)?;
    Ok(position.perft(depth))
}

/// Replays a record in any known form and prints every position, one on a line after its move.
/// `variant` overrules the variant in the record.
///
/// # Errors
/// At the first line that is malformed or contradicts the rules.
pub fn replay_text(
    record: &str,
    variant: Option<Variant>,
) -> Result<String, TogyzkumalakRecordError> {
    let games = read_games(record)?;
    if games.is_empty() {
        return Err(TogyzkumalakRecordError { line: 1, kind: TogyzkumalakRecordFault::NoGame });
    }
    let mut text = String::new();
    for (index, game) in games.iter().enumerate() {
        if games.len() > 1 {
            text.push_str(&format!("game {}\n", index + 1));
        }
        print(&replay(game, variant)?, &mut text);
    }
    Ok(text)
}

fn print(replayed: &ReplayedTogyzkumalakRecord, text: &mut String) {
    let before = replayed.plies_before;
    let start = write_position(&replayed.start, before);
    text.push_str(&format!("variant {}\n{:>5} {:<9} {start}\n", replayed.variant.write(), "", ""));
    for (index, (sown, position)) in replayed.moves.iter().enumerate() {
        let plies = before.saturating_add(u16::try_from(index + 1).unwrap_or(u16::MAX));
        let written = moves::write_counted(sown, position);
        let position = write_position(position, plies);
        text.push_str(&format!("{plies:>5} {written:<9} {position}\n"));
    }
    text.push_str(&ending(&replayed.game));
    text.push('\n');
}

fn ending(game: &Togyzkumalak) -> String {
    let [first, second] = game.scores();
    let how = match game.end() {
        None => return format!("not finished, kazans {first}-{second}"),
        Some(TogyzkumalakEnd::Majority) => "majority",
        Some(TogyzkumalakEnd::Atsyrau { .. }) => "atsyrau",
        Some(TogyzkumalakEnd::Repetition) => "repetition",
    };
    let who = match first.cmp(&second) {
        std::cmp::Ordering::Greater => "first wins",
        std::cmp::Ordering::Less => "second wins",
        std::cmp::Ordering::Equal => "draw",
    };
    format!("{who} {first}-{second} by {how}")
}
