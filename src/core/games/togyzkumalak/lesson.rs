//! Small boards that teach the key rules, for `/rules`: each shows a position just after a move
//! that a caption (`togyzkumalak-lesson-1` and so on in the templates) explains.
//!
//! The positions come from games and from the worked examples of the rule texts.

use super::scene;
use super::view::{End, LastMove, Pit, View};
use crate::rules::Seat;
use crate::scene::Scene;

/// How many lessons there are; they are counted from 1.
pub const LESSONS: u8 = 6;

/// One lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Key of the caption.
    pub text: String,
    /// What the picture shows, for those who want it in words.
    pub view: View,
    /// The picture, without names: the marks tell the players apart.
    pub scene: Scene,
}

/// The lesson with this number, if there is one.
pub fn lesson(number: u8) -> Option<Lesson> {
    let view = match number {
        1 => sowing(),
        2 => capture(),
        3 => single_stone(),
        4 => tuzdyk(),
        5 => refused_tuzdyk(),
        6 => end(),
        _ => return None,
    };
    let text = format!("togyzkumalak-lesson-{number}");
    Some(Lesson { text, scene: scene::scene(&view, ["", ""]), view })
}

fn after(plies: u16, pits: [[u8; 9]; 2], kazans: [u8; 2], last: LastMove) -> View {
    View {
        variant: super::Variant::default(),
        pits,
        kazans,
        tuzdyks: [None, None],
        turn: Some(Seat(1 - last.seat.0)),
        extra: false,
        plies,
        last: Some(last),
        end: None,
        before: None,
        earlier: Vec::new(),
    }
}

/// A move by pit numbers as people count them, from 1.
fn moved(seat: u8, from: u8, stones: u8, to: (u8, u8)) -> LastMove {
    LastMove {
        seat: Seat(seat),
        from: from - 1,
        stones,
        to: Pit { side: Seat(to.0), index: to.1 - 1 },
        captured: 0,
        tuzdyk: false,
        through: [0, 0],
    }
}

/// Rules R5 and R7: `19` from the start, the first stone goes back, the last stays at home.
fn sowing() -> View {
    after(1, [[1, 10, 10, 10, 10, 10, 10, 10, 10], [9; 9]], [0, 0], moved(0, 1, 9, (0, 9)))
}

/// Rule R6: `76` from the start, the example of all rule texts.
fn capture() -> View {
    let pits = [[9, 9, 9, 9, 9, 9, 1, 10, 10], [10, 10, 10, 10, 10, 0, 9, 9, 9]];
    after(1, pits, [10, 0], LastMove { captured: 10, ..moved(0, 7, 9, (1, 6)) })
}

/// Rule R5, one stone: `78` of the main line `76 98 66 87 12 76 25 78`.
fn single_stone() -> View {
    let pits = [[2, 1, 14, 14, 14, 1, 2, 14, 13], [13, 1, 12, 12, 0, 1, 0, 3, 3]];
    after(8, pits, [34, 8], moved(1, 7, 1, (1, 8)))
}

/// Rule R8: `36x` of the main line, one round of moves later.
fn tuzdyk() -> View {
    let pits = [[3, 2, 15, 2, 16, 0, 3, 15, 14], [14, 2, 1, 14, 2, 3, 2, 1, 4]];
    let last = LastMove { captured: 3, tuzdyk: true, ..moved(1, 3, 13, (0, 6)) };
    View { tuzdyks: [None, Some(5)], ..after(10, pits, [38, 11], last) }
}

/// Rules R9 and R10: eleven stones from pit 5 end in the other's pit 6 with two, but the other
/// holds this player's pit 6 (the example of the English rule text, on a built position).
fn refused_tuzdyk() -> View {
    let pits = [[4, 3, 6, 2, 1, 0, 6, 8, 4], [9, 7, 11, 10, 5, 3, 11, 5, 7]];
    let last = LastMove { through: [0, 1], ..moved(0, 5, 11, (1, 6)) };
    View { tuzdyks: [None, Some(5)], ..after(35, pits, [33, 27], last) }
}

/// Rules R13 to R15: the atsyrau example of the Kazakh rule text, 71 and 19 against 72.
fn end() -> View {
    let view = after(130, [[0; 9]; 2], [90, 72], moved(0, 6, 2, (0, 7)));
    View { turn: None, end: Some(End::Atsyrau { collected: 19 }), ..view }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_counted_from_one_and_hold_all_stones() {
        for number in 1..=LESSONS {
            let view = lesson(number).unwrap().view;
            let stones: u16 =
                view.pits.iter().flatten().chain(&view.kazans).map(|&it| u16::from(it)).sum();
            assert_eq!(stones, 162, "lesson {number}");
        }
        assert_eq!(lesson(0), None);
        assert_eq!(lesson(LESSONS + 1), None);
    }
}
