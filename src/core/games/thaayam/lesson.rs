//! Small boards that teach the key rules, for `/rules`: each shows a turn that a caption
//! (`thaayam-lesson-1` and so on in the templates) explains. All of them are really played.

use super::action::{Action, Piece, Series};
use super::options::Options;
use super::position::Position;
use super::rules::Thaayam;
use super::scene;
use super::turn::Play;
use super::view::View;
use crate::rules::{Rules, Seat, Viewer};
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
    /// The picture, without names: the signs tell the players apart.
    pub scene: Scene,
}

/// A lesson as it is played: the state, WHITE's throws and plays as throw and step.
struct Played {
    state: &'static str,
    throws: &'static [u8],
    plays: &'static [(u8, i8)],
}

const LESSON: [Played; LESSONS as usize] = [
    // The whole way: one piece has gone nearly round, another is about to go inside (R5).
    Played { state: "-apu/----/----/----", throws: &[4, 4, 3], plays: &[(4, 0), (4, 4), (3, 15)] },
    // The example of R3: 8 and 4 are lost, the 1 enters, 4 and 2 move.
    Played {
        state: "----/--dk/--bf/---g",
        throws: &[8, 4, 1, 4, 2],
        plays: &[(1, -1), (4, 0), (2, 4)],
    },
    // The example of R4, one of its ten results, half done.
    Played {
        state: "----/--dk/--bf/---j",
        throws: &[1, 4, 1, 4, 1, 3],
        plays: &[(1, -1), (1, -1), (1, -1), (4, 0)],
    },
    // R7: both black pieces on e5 are killed, then one of blue on a5.
    Played { state: "--ae/-cch/--bf/---o", throws: &[4, 2], plays: &[(2, 4), (4, 6)] },
    // R8: guests in the palaces of others, everybody in the fortress.
    Played { state: "-giF/-emF/--eF/-amF", throws: &[2], plays: &[(2, 6)] },
    // R5: the last piece arrives, and a 1 bears one off.
    Played { state: "wFFF/-dkF/--uF/-gpF", throws: &[1, 2], plays: &[(2, 22), (1, 24)] },
];

/// The lesson with this number, if there is one.
pub fn lesson(number: u8) -> Option<Lesson> {
    let played = LESSON.get(usize::from(number.checked_sub(1)?))?;
    let view = play(played)?;
    let text = format!("thaayam-lesson-{number}");
    Some(Lesson { text, scene: scene::scene(&view, &[], None), view })
}

fn play(lesson: &Played) -> Option<View> {
    let position = Position::read(Options::default(), lesson.state)?;
    let seat = Seat(0);
    let colour = position.colour(seat);
    let mut game = Thaayam::from_position(position, seat);
    let facts = &mut Vec::new();
    game.settle(&Series::new(lesson.throws)?, facts).ok()?;
    game.act(seat, &Action::Throw, facts).ok()?;
    for (throw, from) in lesson.plays {
        let piece = Piece::of(colour, Play { throw: *throw, from: *from });
        game.act(seat, &Action::Use { throw: *throw, piece }, facts).ok()?;
    }
    Some(game.view(Viewer::Public))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_counted_from_one_and_can_be_played() {
        for number in 1..=LESSONS {
            assert!(lesson(number).is_some(), "lesson {number}");
        }
        assert_eq!(lesson(0), None);
        assert_eq!(lesson(LESSONS + 1), None);
    }
}
