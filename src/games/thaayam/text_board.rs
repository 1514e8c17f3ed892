//! The board in rows of characters, for messages without a picture.

use super::board::{Colour, FORTRESS, SAFE};
use super::caption;
use super::position::square_of;
use super::view::ThaayamView;
use crate::rules::Seat;
use crate::text::Text;

/// Squares beside each other.
const FILES: u8 = 5;
/// Names of ranks and files, as wide as the signs of the squares.
const RANKS: [char; 5] = ['１', '２', '３', '４', '５'];
const NAMES: &str = "\u{3000}ａｂｃｄｅ";

/// The squares with a round sign for the colour on it, a diamond for several colours, and marked
/// shelters; below, exactly, the places of each player's pieces.
pub fn sketch(view: &ThaayamView) -> Vec<Text> {
    let line = |row: String| Text::new("sketch-line").with("row", row);
    let rank = |rank: u8| {
        let cells = (0..FILES).map(|file| sign(view, rank * FILES + file));
        line(format!("{}{}", RANKS[usize::from(rank)], cells.collect::<String>()))
    };
    let ranks = (0..FILES).rev().map(rank);
    let files = line(NAMES.to_owned());
    let pieces = view.seats().map(|seat| {
        let pieces = caption::side(view, seat);
        Text::new("thaayam-sketch-side").with("sign", round(view.colour(seat))).with("side", pieces)
    });
    ranks.chain([files]).chain(pieces).collect()
}

fn sign(view: &ThaayamView, square: u8) -> &'static str {
    let there: Vec<Seat> = view.seats().filter(|seat| stands(view, *seat, square)).collect();
    match there.as_slice() {
        [] if SAFE >> square & 1 == 1 => "🟫",
        [] => "⬜",
        [only] => round(view.colour(*only)),
        _ => "🔶",
    }
}

fn stands(view: &ThaayamView, seat: Seat, square: u8) -> bool {
    let side = view.position.side(seat);
    let path = view.colour(seat).path();
    (0..=FORTRESS).any(|step| side.count(step) > 0 && square_of(path, step) == Some(square))
}

fn round(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "⚪",
        Colour::Black => "⚫",
        Colour::Red => "🔴",
        Colour::Blue => "🔵",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, Viewer};
    use crate::thaayam::{Thaayam, ThaayamOptions};

    #[test]
    fn an_empty_board_shows_its_shelters_and_the_pieces_of_all() {
        let game = Thaayam::start(&ThaayamOptions::default(), 3).unwrap();
        let rows = sketch(&game.view(Viewer::Public));
        assert_eq!(rows.len(), 5 + 1 + 3);
        let middle = Text::new("sketch-line").with("row", "３🟫⬜🟫⬜🟫");
        assert_eq!(rows[2], middle);
    }
}
