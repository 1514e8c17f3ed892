//! The course: one idea a page, from the board to the end of a game. The learner sits below. The
//! rules answer all questions, on the position that the page shows.

use super::position::{STONES, TogyzkumalakPosition, Variant};
use super::rules::{Sow, Togyzkumalak, TogyzkumalakFact};
use crate::course::{CourseAnswer, CoursePage, CourseTask};
use crate::rules::{Rules, Seat, Token, Viewer};
use crate::text::{Arg, Text};
use crate::vocabulary::WordLists;

/// The pages in their order.
pub const PAGES: &[&str] = &[
    "board",
    "numbers",
    "sow",
    "single",
    "capture",
    "even",
    "try-capture",
    "tuzdyk",
    "through",
    "forbidden",
    "try-tuzdyk",
    "names",
    "end",
];

/// The seat of the learner.
const LEARNER: Seat = Seat(0);

/// The number of moves to choose from.
const OFFERED: usize = 4;

/// The page of this name.
pub fn page(name: &str, words: &WordLists) -> Option<CoursePage<Togyzkumalak>> {
    let game = position(name)?;
    let task = match name {
        "board" => CourseTask::number_question(most().into(), &[81, 100, 162]),
        // The other player counts from the other end, so it is not the pit above the own pit 2.
        "numbers" => CourseTask::number_question(game.position().pit(1, 1).into(), &[1, 6]),
        "sow" => landing(&game, 3)?,
        "single" => CourseTask::number_question(left(&game, 7)?, &[0, 1, 2]),
        "capture" => CourseTask::number_question(won(&game, 7)?, &[0, 9, 18]),
        "even" => moves(&game, |before, after| kazan(after) > kazan(before)),
        "tuzdyk" => moves(&game, |_, after| after.tuzdyks()[0].is_some()),
        "through" => CourseTask::number_question(lost(&game, 8)?, &[0, 1, 2]),
        "forbidden" => CourseTask::yes_no_question(sown(&game, 5)?.tuzdyks()[0].is_some()),
        "names" => named("belbasar", words),
        "end" => CourseTask::number_question(sown(&game, 6)?.kazans()[0].into(), &[71, 73, 90]),
        _ => CourseTask::TryMove,
    };
    Some(CoursePage { game, viewer: Viewer::Public, task })
}

/// The position of a page. Most come from games and from the examples of the rule texts.
fn position(name: &str) -> Option<Togyzkumalak> {
    let (pits, kazans, tuzdyks, extra) = match name {
        "board" | "capture" => return Togyzkumalak::start(&Variant::default(), 2).ok(),
        // Three different numbers: the other's pit 2, the pit above the own pit 2, and that one.
        "numbers" => {
            let pits = [[4, 6, 3, 11, 2, 8, 1, 7, 10], [9, 2, 12, 10, 5, 13, 7, 1, 6]];
            (pits, [24, 21], [None, None], false)
        }
        "sow" => {
            let pits = [[1, 10, 10, 10, 10, 10, 10, 10, 10]; 2];
            (pits, [0, 0], [None, None], false)
        }
        "names" => {
            let pits = [[10, 1, 10, 10, 10, 10, 10, 10, 10], [9; 9]];
            (pits, [0, 0], [None, None], false)
        }
        // Rule R5, one stone, from the main line `76 98 66 87 12 76 25 78`.
        "single" => {
            let pits = [[13, 1, 12, 12, 0, 1, 1, 2, 3], [2, 1, 14, 14, 14, 1, 2, 14, 13]];
            (pits, [8, 34], [None, None], false)
        }
        "even" => {
            let pits = [[2, 1, 14, 14, 14, 1, 2, 14, 3], [13, 1, 12, 12, 0, 1, 1, 3, 3]];
            (pits, [34, 17], [None, None], false)
        }
        "try-capture" => {
            let pits = [[9, 9, 9, 9, 9, 9, 1, 10, 10], [11, 11, 1, 10, 10, 0, 9, 9, 9]];
            (pits, [10, 7], [None, None], false)
        }
        "tuzdyk" => {
            let pits = [[3, 0, 5, 12, 1, 7, 2, 9, 4], [10, 1, 2, 8, 13, 3, 6, 11, 5]];
            (pits, [32, 28], [None, None], false)
        }
        "through" => {
            let pits = [[4, 6, 0, 11, 2, 8, 1, 7, 3], [9, 2, 0, 10, 5, 12, 7, 1, 6]];
            (pits, [37, 31], [Some(2), None], false)
        }
        // Rules R9 and R10: eleven stones from pit 5 make three in the other's pit 6, but the
        // other holds this player's pit 6.
        "forbidden" => {
            let pits = [[4, 3, 6, 2, 11, 0, 5, 7, 3], [8, 6, 10, 9, 4, 2, 11, 5, 7]];
            (pits, [33, 26], [None, Some(5)], false)
        }
        "try-tuzdyk" => {
            let pits = [[6, 2, 8, 1, 5, 10, 3, 6, 2], [2, 7, 12, 2, 9, 1, 4, 10, 8]];
            (pits, [36, 28], [None, None], false)
        }
        // Rules R13 to R16: the atsyrau example of the Kazakh rule text, 71 and 19 against 72.
        "end" => {
            let pits = [[0, 0, 3, 0, 4, 2, 5, 3, 2], [0; 9]];
            (pits, [71, 72], [None, None], true)
        }
        _ => return None,
    };
    let position =
        TogyzkumalakPosition::new(pits, kazans, tuzdyks, LEARNER.0, extra, Variant::default());
    position.ok().map(Togyzkumalak::from_position)
}

/// Whether a move that was tried on this page does what the page is about.
pub fn reaches_goal(page: &str, facts: &[TogyzkumalakFact]) -> Option<bool> {
    let is_goal: fn(&TogyzkumalakFact) -> bool = match page {
        "try-capture" => |it| matches!(it, TogyzkumalakFact::Captured { .. }),
        "try-tuzdyk" => |it| matches!(it, TogyzkumalakFact::Tuzdyk { .. }),
        _ => return None,
    };
    Some(facts.iter().any(is_goal))
}

fn kazan(position: &TogyzkumalakPosition) -> i64 {
    position.kazans()[0].into()
}

/// The game after the learner has sown from this pit, counted from 1.
fn after(game: &Togyzkumalak, pit: u8) -> Option<Togyzkumalak> {
    let mut game = game.clone();
    game.apply_action(LEARNER, &Sow(pit - 1), &mut Vec::new()).ok()?;
    Some(game)
}

fn sown(game: &Togyzkumalak, pit: u8) -> Option<TogyzkumalakPosition> {
    Some(*after(game, pit)?.position())
}

/// The fewest stones in a kazan that end a game.
fn most() -> u8 {
    let ends = |stones: &u8| {
        let mut pits = [[0; 9], [1; 9]];
        pits[0][0] = (STONES - 9).saturating_sub(*stones);
        let position = TogyzkumalakPosition::new(
            pits,
            [*stones, 0],
            [None; 2],
            LEARNER.0,
            false,
            Variant::default(),
        );
        position.is_ok_and(|it| it.phase() == super::TogyzkumalakPhase::Majority)
    };
    (0..=STONES - 9).find(ends).unwrap_or(STONES)
}

/// The gain of the learner's kazan by a sowing.
fn won(game: &Togyzkumalak, pit: u8) -> Option<i64> {
    Some(kazan(&sown(game, pit)?) - kazan(game.position()))
}

/// The stones that remain in the pit that was sown from.
fn left(game: &Togyzkumalak, pit: u8) -> Option<i64> {
    Some(sown(game, pit)?.pit(LEARNER.0, pit - 1).into())
}

/// The stones that a sowing drops into the learner's own tuzdyk.
fn lost(game: &Togyzkumalak, pit: u8) -> Option<i64> {
    Some(after(game, pit)?.view(Viewer::Public).last?.through[0].into())
}

/// A question for the pit of the last stone, among its neighbours.
fn landing(game: &Togyzkumalak, pit: u8) -> Option<CourseTask> {
    let to = after(game, pit)?.view(Viewer::Public).last?.to;
    let at = to.side.0 * 9 + to.index;
    let name = |place: &u8| {
        let place = place % 18;
        let key = match place / 9 {
            0 => "togyzkumalak-lesson-own-pit",
            _ => "togyzkumalak-lesson-other-pit",
        };
        let label = Text::new(key).with("pit", place % 9 + 1);
        (place.to_string(), Arg::from(label))
    };
    Some(CourseTask::choice_question([at + 17, at + 18, at + 19], name, |it| it % 18 == at))
}

/// The moves with an effect, the best for the kazan first, and others to choose from.
fn moves(
    game: &Togyzkumalak,
    good: impl Fn(&TogyzkumalakPosition, &TogyzkumalakPosition) -> bool,
) -> CourseTask {
    let before = *game.position();
    let mut fine = Vec::new();
    let mut other = Vec::new();
    for pit in before.each_move() {
        let after = before.after(pit);
        if good(&before, &after) { &mut fine } else { &mut other }.push((kazan(&after), pit));
    }
    fine.sort_unstable();
    let best = fine.last().map(|it| it.1);
    let mut offered: Vec<u8> = best.into_iter().chain(other.into_iter().map(|it| it.1)).collect();
    offered.truncate(OFFERED);
    offered.sort_unstable();
    let answer = |pit: &u8| {
        let token = Sow(*pit).write();
        CourseAnswer::new(token.clone(), token, Some(*pit) == best)
    };
    CourseTask::ChooseAnswer(offered.iter().map(answer).collect())
}

/// A question for the pit with this name, among its neighbours.
fn named(name: &str, words: &WordLists) -> CourseTask {
    let meant = words.meaning("name", |it| it == name).and_then(Sow::read);
    let at = meant.map_or(1, |it| it.0.clamp(1, 7));
    let label = |pit: &u8| (Sow(*pit).write(), Arg::from(Sow(*pit).write()));
    CourseTask::choice_question([at - 1, at, at + 1], label, |pit| meant == Some(Sow(*pit)))
}
