//! The course: one idea a page, from the board to the last piece taken off. The learner has the
//! white pieces. All positions come from real play, and the rules answer all questions.

use super::action::{PiecePlace, Series, ThaayamAction, draw_throw};
use super::board::{FORTRESS, HAND, OFF, PALACES, read_square, square_name};
use super::fact::ThaayamFact;
use super::options::ThaayamOptions;
use super::position::{ThaayamPosition, square_of};
use super::rules::Thaayam;
use super::turn::ThrowUse;
use crate::course::{CoursePage, CourseTask};
use crate::rules::{Entropy, Node, Rules, Seat, Viewer};
use crate::text::Arg;
use crate::vocabulary::WordLists;

/// The pages in their order.
pub const PAGES: &[&str] = &[
    "board", "throw", "again", "enter", "move", "try-move", "share", "kill", "guests", "leaving",
    "try-kill", "inside", "exact", "off",
];

/// The seat of the learner.
const LEARNER: Seat = Seat(0);

/// A position between turns, the throws that fell under the cup, and the plays made of them as
/// throw and step. Without throws the cup is not lifted.
struct Setting {
    state: &'static str,
    throws: &'static [u8],
    plays: &'static [(u8, i8)],
}

fn setting(page: &str) -> Option<Setting> {
    let (state, throws, plays): (_, &[u8], &[(u8, i8)]) = match page {
        "board" => ("----/----/----/----", &[], &[]),
        "throw" => ("---a/---a/---a/---a", &[2], &[]),
        "again" => ("---c/---e/---a/---b", &[1, 4, 2], &[]),
        // The example of R3: 8 and 4 are lost, the 1 enters, 4 and 2 move.
        "enter" => ("----/--dk/--bf/---g", &[8, 4, 1, 4, 2], &[]),
        "move" => ("---a/---d/---b/---i", &[3], &[]),
        "try-move" => ("--ae/---c/---b/---m", &[3], &[]),
        "share" => ("---a/--ck/--bf/---g", &[4, 3], &[]),
        // R7: both black pieces on e5 are killed.
        "kill" => ("--ae/-cch/--bf/---o", &[2], &[]),
        // R8: guests in the palaces of others, all colours in the fortress.
        "guests" => ("-giF/-emF/--eF/-amF", &[2], &[]),
        // One black piece is a guest in c5, another has left it for b5.
        "leaving" => ("--ah/--ef/---d/---o", &[2], &[]),
        "try-kill" => ("-ace/-cch/--bf/---o", &[4, 2], &[]),
        // R5: before its own palace a piece turns inside.
        "inside" => ("---p/---d/---b/---k", &[3], &[]),
        "exact" => ("---v/---d/---b/---k", &[4, 1, 3], &[]),
        // R5: all are there, and each 1 bears one off.
        "off" => ("FFFF/-dkF/--uF/-gpF", &[1, 1, 3], &[]),
        _ => return None,
    };
    Some(Setting { state, throws, plays })
}

/// Whether a move that was tried on this page does what the page is about.
pub fn reaches_goal(page: &str, facts: &[ThaayamFact]) -> Option<bool> {
    let kills = |it: &ThaayamFact| match it {
        ThaayamFact::Played { play, .. } => play.killed != [0; 4],
        ThaayamFact::KilledAtEnd { .. } => true,
        _ => false,
    };
    (page == "try-kill").then(|| facts.iter().any(kills))
}

/// The page of this name.
pub fn page(name: &str, _: &WordLists) -> Option<CoursePage<Thaayam>> {
    let game = played(&setting(name)?)?;
    let task = match name {
        "board" => palace_question(&game),
        "throw" => CourseTask::number_question(points_without_white().into(), &[0, 4]),
        // Until this is a whole series, there is something to throw.
        "again" => CourseTask::yes_no_question(Series::new(&[1, 4]).is_none()),
        "enter" => CourseTask::choice_question([8, 1, 2], throw_name, |throw| {
            game.actions(LEARNER)
                .contains(&ThaayamAction::Use { throw: *throw, piece: PiecePlace::Hand })
        }),
        "move" | "inside" => landing(&game)?,
        "share" => CourseTask::yes_no_question(can_use_both(&game)?),
        "kill" => CourseTask::number_question(killed(&game, 2, "e3")?, &[0, 1, 2]),
        "guests" => CourseTask::number_question(killed(&game, 2, "e5")?, &[0, 1, 2]),
        "leaving" => CourseTask::number_question(killed(&game, 2, "d5")?, &[0, 1, 2]),
        "exact" => {
            CourseTask::choice_question([1, 3, 4], throw_name, |throw| arrives(&game, *throw))
        }
        "off" => CourseTask::number_question(borne_off(&game), &[0, 1, 2, 4]),
        _ => CourseTask::TryMove,
    };
    Some(CoursePage { game, viewer: Viewer::Public, task })
}

fn played(setting: &Setting) -> Option<Thaayam> {
    let position = ThaayamPosition::read(ThaayamOptions::default(), setting.state)?;
    let colour = position.colour(LEARNER);
    let mut game = Thaayam::from_position(position, LEARNER);
    let facts = &mut Vec::new();
    if setting.throws.is_empty() {
        game.apply_chance(&Series::new(&[2])?, facts).ok()?;
        return Some(game);
    }
    game.apply_chance(&Series::new(setting.throws)?, facts).ok()?;
    game.apply_action(LEARNER, &ThaayamAction::Throw, facts).ok()?;
    for (throw, from) in setting.plays {
        let piece = PiecePlace::of_play(colour, ThrowUse { throw: *throw, from: *from });
        game.apply_action(LEARNER, &ThaayamAction::Use { throw: *throw, piece }, facts).ok()?;
    }
    Some(game)
}

fn square_label(square: &u8) -> (String, Arg) {
    (square_name(*square), Arg::Plain(square_name(*square)))
}

fn throw_name(throw: &u8) -> (String, Arg) {
    (throw.to_string(), Arg::Plain(throw.to_string()))
}

/// A question for the learner's palace, where their pieces begin.
fn palace_question(game: &Thaayam) -> CourseTask {
    let first = square_of(game.position().colour(LEARNER).path(), 0);
    CourseTask::choice_question(PALACES, square_label, |it| Some(*it) == first)
}

/// Four dice without a white face.
struct NoneWhite;

impl Entropy for NoneWhite {
    fn below(&mut self, _: u32) -> u32 {
        0
    }
}

fn points_without_white() -> u8 {
    draw_throw(&mut NoneWhite)
}

/// The only use of a throw, if there is exactly one.
fn only(game: &Thaayam) -> Option<ThaayamAction> {
    let uses = |it: &ThaayamAction| matches!(it, ThaayamAction::Use { .. });
    game.actions(LEARNER)
        .into_iter()
        .filter(uses)
        .find(|it| !matches!(it, ThaayamAction::Use { piece: PiecePlace::Hand, .. }))
}

fn after(game: &Thaayam, action: &ThaayamAction) -> Option<Thaayam> {
    let mut game = game.clone();
    game.apply_action(LEARNER, action, &mut Vec::new()).ok()?;
    Some(game)
}

/// The foremost piece of the learner.
fn foremost(game: &Thaayam) -> i8 {
    game.position_now().side(LEARNER).steps().iter().copied().max().unwrap_or(HAND)
}

/// A question for the square where the piece lands, among the squares before and after.
fn landing(game: &Thaayam) -> Option<CourseTask> {
    let to = foremost(&after(game, &only(game)?)?);
    let path = game.position().colour(LEARNER).path();
    let near = [to - 1, to, to + 1].into_iter().filter_map(|step| square_of(path, step));
    let right = square_of(path, to);
    Some(CourseTask::choice_question(near, square_label, |it| Some(*it) == right))
}

/// Whether the piece that used one throw may use the other as well.
fn can_use_both(game: &Thaayam) -> Option<bool> {
    let next = after(game, &only(game)?)?;
    let square = square_of(next.position().colour(LEARNER).path(), foremost(&next))?;
    let place = PiecePlace::On(square);
    let again =
        |it: &ThaayamAction| matches!(it, ThaayamAction::Use { piece, .. } if *piece == place);
    Some(next.actions(LEARNER).iter().any(again))
}

/// The number of enemies that lose a piece by this.
fn killed(game: &Thaayam, throw: u8, from: &str) -> Option<i64> {
    let piece = PiecePlace::On(read_square(from)?);
    let next = after(game, &ThaayamAction::Use { throw, piece })?;
    let in_hand = |game: &Thaayam| -> i64 {
        let position = game.position_now();
        let others = (1..position.seats()).map(Seat);
        others.map(|seat| i64::from(position.side(seat).count(HAND))).sum()
    };
    Some(in_hand(&next) - in_hand(game))
}

/// Whether this throw brings a piece into the fortress.
fn arrives(game: &Thaayam, throw: u8) -> bool {
    let home = |game: &Thaayam| game.position_now().side(LEARNER).count(FORTRESS);
    let fits =
        |it: &ThaayamAction| matches!(it, ThaayamAction::Use { throw: of, .. } if *of == throw);
    let plays = game.actions(LEARNER).into_iter().filter(fits);
    plays.filter_map(|it| after(game, &it)).any(|it| home(&it) > home(game))
}

/// The largest number of pieces that these throws take off.
fn borne_off(game: &Thaayam) -> i64 {
    let mut game = game.clone();
    let off = |it: &ThaayamAction| matches!(it, ThaayamAction::Use { piece: PiecePlace::Home, .. });
    while game.node() == Node::Act(LEARNER) {
        let Some(action) = game.actions(LEARNER).into_iter().find(off) else { break };
        let Some(next) = after(&game, &action) else { break };
        game = next;
    }
    game.position_now().side(LEARNER).count(OFF).into()
}
