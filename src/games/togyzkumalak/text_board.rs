//! The board in rows of characters, for messages without a picture.

use super::view::{PITS, TogyzkumalakView};
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// Characters that a pit takes: numbers of two digits and a gap.
const WIDTH: usize = 3;

/// Both sides as the first player sees them: numbers of pits outside, stones within, the kazan
/// beside the name. `×` is a tuzdyk.
pub fn sketch(view: &TogyzkumalakView) -> Vec<Text> {
    let near = Seat(0);
    let far = Seat(1);
    let numbers = |seat| row(seat, |pit| (pit + 1).to_string());
    let stones = |seat: Seat| row(seat, |pit| in_pit(view, seat, pit));
    vec![
        kazan(view, far),
        numbers(far),
        stones(far),
        stones(near),
        numbers(near),
        kazan(view, near),
    ]
}

/// Characters of one width, in the order of the pits seen from the first player's side.
fn row(seat: Seat, sign: impl Fn(usize) -> String) -> Text {
    let at = |n: usize| if seat == Seat(0) { n } else { PITS - 1 - n };
    // A non-breaking space: rows must not be joined or trimmed.
    let cell = |n: usize| format!("{:>WIDTH$}", sign(at(n))).replace(' ', "\u{a0}");
    Text::new("sketch-row").with("row", (0..PITS).map(cell).collect::<String>())
}

fn in_pit(view: &TogyzkumalakView, seat: Seat, pit: usize) -> String {
    let other = 1 - seat.index();
    if view.tuzdyks[other].is_some_and(|it| usize::from(it) == pit) {
        return "×".to_owned();
    }
    view.pits[seat.index()][pit].to_string()
}

fn kazan(view: &TogyzkumalakView, seat: Seat) -> Text {
    Text::new("togyzkumalak-sketch-kazan")
        .with("name", Arg::Seat(seat.0))
        .with("stones", view.kazans[seat.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, Viewer};
    use crate::togyzkumalak::{Sow, Togyzkumalak, Variant};

    #[test]
    fn rows_have_the_order_of_the_board() {
        let mut game = Togyzkumalak::start(&Variant::default(), 2).unwrap();
        game.apply_action(Seat(0), &Sow(6), &mut Vec::new()).unwrap();
        let rows = sketch(&game.view(Viewer::Public));
        let row_text = |text: &Text| match text.args.iter().find(|it| it.0 == "row") {
            Some((_, Arg::Plain(row))) => row.replace('\u{a0}', " "),
            other => panic!("{other:?}"),
        };
        let rows: Vec<String> = rows[1..5].iter().map(row_text).collect();
        assert_eq!(rows[0], "  9  8  7  6  5  4  3  2  1");
        assert_eq!(rows[1], "  9  9  9  0 10 10 10 10 10");
        assert_eq!(rows[2], "  9  9  9  9  9  9  1 10 10");
        assert_eq!(rows[3], "  1  2  3  4  5  6  7  8  9");
    }
}
