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
    match best(&position, seat.0) {
        Some(Gain { pit, tuzdyk: true, .. }) => {
            texts.push(Text::new("togyzkumalak-coach-tuzdyk").with("pit", pit + 1));
        }
        Some(Gain { pit, stones, .. }) => {
            let text = Text::new("togyzkumalak-coach-win").with("pit", pit + 1);
            texts.push(text.with("stones", stones));
        }
        None => texts.push(Text::new("togyzkumalak-coach-nothing")),
    }
    texts.extend(threat(&position, seat.0));
    texts
}

/// The gain of a move.
struct Gain {
    pit: u8,
    stones: u8,
    tuzdyk: bool,
    /// The pit it is won from, on the other side.
    from: u8,
}

/// The move that wins most for a side; a tuzdyk is worth more than stones.
fn best(position: &TogyzkumalakPosition, side: u8) -> Option<Gain> {
    let gain = |pit: u8| {
        let mut after = *position;
        let sown = after.play(pit);
        Gain { pit, stones: sown.captured, tuzdyk: sown.tuzdyk, from: sown.to }
    };
    let all = position.each_move().map(gain).filter(|it| it.stones > 0);
    debug_assert_eq!(position.side(), side);
    all.max_by_key(|it| (it.tuzdyk, it.stones))
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
    let gain = best(&turned.ok()?, other).filter(|it| it.tuzdyk || it.stones > LITTLE)?;
    let key = if gain.tuzdyk { "togyzkumalak-coach-risk" } else { "togyzkumalak-coach-threat" };
    let text = Text::new(key).with("name", Arg::Seat(other)).with("pit", gain.from + 1);
    Some(if gain.tuzdyk { text } else { text.with("stones", gain.stones) })
}
