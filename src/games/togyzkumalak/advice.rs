//! Hints for a first game: possible gains and dangers on the board. No search: only the effect of
//! one move.

use super::position::TogyzkumalakPosition;
use super::view::TogyzkumalakView;
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// Fewer stones than this are not worth a sentence.
const LITTLE: u8 = 3;

/// The best capture or a tuzdyk, then the worst threat.
pub fn advice(view: &TogyzkumalakView, seat: Seat) -> Vec<Text> {
    let Ok(position) = TogyzkumalakPosition::try_from(view) else { return Vec::new() };
    if view.turn != Some(seat) {
        return Vec::new();
    }
    let mut texts = Vec::new();
    debug_assert_eq!(position.side(), seat.0);
    let best = gains(&position).filter(|it| it.won > 0).max_by_key(|it| (it.tuzdyk, it.won));
    match best {
        Some(Gain { pit, tuzdyk: true, .. }) => {
            texts.push(Text::new("togyzkumalak-coach-tuzdyk").with("pit", pit + 1));
        }
        Some(Gain { pit, won, .. }) => {
            let text = Text::new("togyzkumalak-coach-win").with("pit", pit + 1);
            texts.push(text.with("stones", won));
        }
        None => texts.push(Text::new("togyzkumalak-coach-nothing")),
    }
    texts.extend(threat(&position, seat.0));
    texts
}

/// The gain of a move.
struct Gain {
    pit: u8,
    /// All stones that come into the own kazan: captured, fallen into the own tuzdyk, or collected
    /// at the end.
    won: u8,
    /// Those captured from one pit of the other side, and that pit.
    captured: u8,
    from: u8,
    tuzdyk: bool,
}

/// The gain of each move of the side to move.
fn gains(position: &TogyzkumalakPosition) -> impl Iterator<Item = Gain> {
    let side = usize::from(position.side());
    position.each_move().map(move |pit| {
        let mut after = *position;
        let sown = after.play(pit);
        Gain {
            pit,
            won: after.kazans()[side] - position.kazans()[side],
            captured: sown.captured,
            from: sown.to,
            tuzdyk: sown.tuzdyk,
        }
    })
}

/// The most that the other side could take if it were to move now.
fn threat(position: &TogyzkumalakPosition, side: u8) -> Option<Text> {
    let other = 1 - side;
    let turned = TogyzkumalakPosition::new(
        position.pits(),
        position.kazans(),
        position.tuzdyks(),
        other,
        false,
        position.variant(),
    );
    let turned = turned.ok()?;
    let is_threat = |it: &Gain| it.tuzdyk || it.captured > LITTLE;
    let gain = gains(&turned).filter(is_threat).max_by_key(|it| (it.tuzdyk, it.captured))?;
    let key = if gain.tuzdyk { "togyzkumalak-coach-risk" } else { "togyzkumalak-coach-threat" };
    let text = Text::new(key).with("name", Arg::Seat(other)).with("pit", gain.from + 1);
    Some(if gain.tuzdyk { text } else { text.with("stones", gain.captured) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, Viewer};
    use crate::togyzkumalak::notation::read_position;
    use crate::togyzkumalak::{Togyzkumalak, Variant};

    /// The sentences about a position, each with its pit and its stones.
    fn said(text: &str) -> Vec<String> {
        let (position, _) = read_position(text, Variant::Seed).unwrap();
        let game = Togyzkumalak::from_position(position);
        let texts = advice(&game.view(Viewer::Public), Seat(position.side()));
        let number = |(_, arg): &(_, Arg)| match arg {
            Arg::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let sentence = |it: Text| {
            let name = it.key.trim_start_matches("togyzkumalak-coach-").to_owned();
            let numbers = it.args.iter().filter_map(number);
            [name].into_iter().chain(numbers).collect::<Vec<_>>().join(" ")
        };
        texts.into_iter().map(sentence).collect()
    }

    #[test]
    fn each_sentence_is_true_of_its_position() {
        let cases: [(&str, &[&str]); 9] = [
            ("9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0 0 f 0", &["win 9 10", "threat 8 10"]),
            ("0,0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,0,1 80 80 f 0", &["nothing"]),
            ("0,0,0,0,0,0,0,0,2/2,1,0,0,0,0,0,0,0 80 77 f 0", &["tuzdyk 9"]),
            // A stone into the own tuzdyk is won; with a capture they count together.
            ("0,0,0,0,0,0,0,0,4/1,2,T,0,0,0,0,0,5 75 75 f 0", &["win 9 1"]),
            ("0,0,0,0,0,0,0,0,5/0,0,T,1,0,0,0,0,3 80 73 f 0", &["win 9 3"]),
            // In the extra move of atsyrau a move that does not feed collects all.
            ("0,0,3,0,4,2,5,3,2/0,0,0,0,0,0,0,0,0 71 72 f+ 0", &["win 6 19"]),
            ("5,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,2 80 75 f 0", &["nothing", "threat 1 6"]),
            ("2,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,2 80 78 f 0", &["nothing", "risk 1"]),
            // What falls into the other tuzdyk is not taken from a pit.
            ("5,T,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,3 80 74 f 0", &["nothing"]),
        ];
        for (position, expected) in cases {
            assert_eq!(said(position), expected, "{position}");
        }
    }
}
