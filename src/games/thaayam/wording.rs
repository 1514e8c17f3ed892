//! Single plays and whole turns in words, and labels of buttons.

use super::action::{PiecePlace, ThaayamAction, WholeTurn, squares_of};
use super::board::{Colour, FORTRESS, HAND, OFF, square_name};
use super::position::square_of;
use super::turn::ThrowUse;
use super::turn_history::{PlayedThrow, TurnRecord, Use};
use super::view::ThaayamView;
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// The label of a button: `4 e3→e5`, `1 ↵c1`, `1 c3↑`; for a whole result the ways of its pieces.
pub fn label(view: &ThaayamView, action: &ThaayamAction) -> Arg {
    let colour = view.turn.map_or(Colour::White, |seat| view.colour(seat));
    match action {
        ThaayamAction::Throw => Text::new("thaayam-button-throw").into(),
        ThaayamAction::Undo => Text::new("thaayam-button-undo").into(),
        ThaayamAction::Done => Text::new("thaayam-button-done").into(),
        ThaayamAction::Use { throw, piece } => {
            let from = piece.step(colour).unwrap_or(HAND);
            let to = match *piece {
                PiecePlace::Hand => 0,
                PiecePlace::Home => OFF,
                PiecePlace::On(_) => (from + i8::try_from(*throw).unwrap_or(0)).min(FORTRESS),
            };
            let hit = hits(view, colour, to);
            Arg::Row(vec![called(*throw), format!("{}{hit}", path_text(colour, from, to)).into()])
        }
        ThaayamAction::Whole(whole) => Arg::Plain(whole_label(view, colour, whole)),
    }
}

/// A mark after a way that ends where an enemy will be killed.
fn hits(view: &ThaayamView, colour: Colour, to: i8) -> &'static str {
    let enemies = view.turn.map_or(0, |seat| view.position.enemies(seat));
    let hit = square_of(colour.path(), to).is_some_and(|square| enemies >> square & 1 == 1);
    if hit { " ⚔" } else { "" }
}

fn path_text(colour: Colour, from: i8, to: i8) -> String {
    let name = |step: i8| square_of(colour.path(), step).map_or(String::new(), square_name);
    match (from, to) {
        (HAND, to) => format!("↵{}", name(to)),
        (from, OFF) => format!("{}↑", name(from)),
        (from, to) => format!("{}→{}", name(from), name(to)),
    }
}

/// The changes by a whole turn.
pub(super) struct TurnChange {
    /// The steps from which and to which pieces move, the rearmost first.
    pub(super) moves: Vec<(i8, i8)>,
    /// The squares where enemies are killed, as a set.
    pub(super) kills: u32,
}

/// Finds the changes by a whole turn, compared with the position before it.
pub(super) fn turn_change(view: &ThaayamView, colour: Colour, whole: &WholeTurn) -> TurnChange {
    let (Some(seat), Some(end)) = (view.turn, whole.outcome(colour)) else {
        return TurnChange { moves: Vec::new(), kills: 0 };
    };
    let mut before = view.position.side(seat).steps().to_vec();
    let mut after = end.own.steps().to_vec();
    // Pieces that did not move are left out; the others keep their order.
    after.retain(|to| match before.iter().position(|from| from == to) {
        Some(at) => {
            before.remove(at);
            false
        }
        None => true,
    });
    let old_hits = view.sharing().map_or(0, |turn| turn.hits());
    TurnChange { moves: before.into_iter().zip(after).collect(), kills: end.hits & !old_hits }
}

/// The ways of the pieces that move, and the squares where they kill, short enough for a button.
fn whole_label(view: &ThaayamView, colour: Colour, whole: &WholeTurn) -> String {
    let change = turn_change(view, colour, whole);
    let mut parts: Vec<String> =
        change.moves.iter().map(|(from, to)| path_text(colour, *from, *to)).collect();
    parts.extend(squares_of(change.kills).map(|it| format!("⚔{}", square_name(it))));
    parts.join(" ")
}

/// The same in words.
pub(super) fn whole_in_words(view: &ThaayamView, whole: &WholeTurn) -> Vec<Text> {
    let colour = view.turn.map_or(Colour::White, |seat| view.colour(seat));
    let change = turn_change(view, colour, whole);
    let name = |step: i8| square_of(colour.path(), step).map_or(String::new(), square_name);
    let in_words = |(from, to): &(i8, i8)| match (*from, *to) {
        (HAND, to) => Text::new("thaayam-whole-enter").with("to", name(to)),
        (_, OFF) => Text::new("thaayam-whole-off"),
        (from, FORTRESS) => Text::new("thaayam-whole-home").with("from", name(from)),
        (from, to) => Text::new("thaayam-whole-move").with("from", name(from)).with("to", name(to)),
    };
    let mut texts: Vec<Text> = change.moves.iter().map(in_words).collect();
    let kills: Vec<Arg> = squares_of(change.kills).map(|it| square_name(it).into()).collect();
    if !kills.is_empty() {
        texts.push(Text::new("thaayam-whole-kill").with("squares", Arg::List(kills)));
    }
    texts
}

/// A turn as a sentence: player, throws, plays.
pub(super) fn turn(view: &ThaayamView, record: &TurnRecord) -> Text {
    let done = done(view, record);
    let key = match (done.is_empty(), record.is_further_series) {
        (true, _) => "thaayam-told-nothing",
        (false, false) => "thaayam-told",
        (false, true) => "thaayam-told-again",
    };
    let text = Text::new(key).with("name", Arg::Seat(record.seat.0)).with("throws", throws(record));
    if done.is_empty() { text } else { text.with("done", Arg::List(done)) }
}

/// The uses of the throws of a turn, in order.
pub(super) fn done(view: &ThaayamView, record: &TurnRecord) -> Vec<Arg> {
    let mut done: Vec<Arg> = Vec::new();
    for play in &record.plays {
        done.push(played(view.colour(record.seat), play));
        killed(play.killed, &mut done);
    }
    killed(record.killed_at_end, &mut done);
    done
}

/// Several turns without a play.
pub(super) fn nothings(turns: &[&TurnRecord]) -> Text {
    let of = |record: &&TurnRecord| {
        let text = Text::new("thaayam-nothing-of").with("name", Arg::Seat(record.seat.0));
        Arg::from(text.with("throws", throws(record)))
    };
    Text::new("thaayam-told-nothings").with("turns", Arg::List(turns.iter().map(of).collect()))
}

/// The name of a throw in a language.
pub(super) fn called(throw: u8) -> Arg {
    Text::new("thaayam-called").with("throw", throw).into()
}

/// The throws in their order, the lost ones in brackets.
pub(super) fn throws(record: &TurnRecord) -> Arg {
    let row = |throws: &[u8]| throws.iter().map(|it| called(*it)).collect::<Vec<_>>();
    let (lost, kept) = record.throws.split_at(usize::from(record.lost));
    let lost = (!lost.is_empty())
        .then(|| Text::new("thaayam-called-lost").with("throws", Arg::Row(row(lost))).into());
    Arg::Row(lost.into_iter().chain(row(kept)).collect())
}

/// The throws that are left, in their order; `None` when there are none.
pub(super) fn left(record: &TurnRecord) -> Option<Arg> {
    let uses = record.uses();
    let left = uses.iter().filter(|(_, what)| *what == Use::Left);
    let left: Vec<Arg> = left.map(|(throw, _)| called(*throw)).collect();
    (!left.is_empty()).then_some(Arg::Row(left))
}

fn played(colour: Colour, play: &PlayedThrow) -> Arg {
    let place = |step: i8| square_of(colour.path(), step).map_or(String::new(), square_name);
    let text = match (play.from, play.to) {
        (HAND, to) => Text::new("thaayam-did-enter").with("to", place(to)),
        (_, OFF) => Text::new("thaayam-did-off"),
        (from, FORTRESS) => Text::new("thaayam-did-home")
            .with("throw", called(play.throw))
            .with("from", place(from)),
        (from, to) => Text::new("thaayam-did-move")
            .with("throw", called(play.throw))
            .with("from", place(from))
            .with("to", place(to)),
    };
    text.into()
}

fn killed(killed: [u8; 4], done: &mut Vec<Arg>) {
    for (seat, count) in (0..).zip(killed).filter(|(_, count)| *count > 0) {
        done.push(kill(seat, count).into());
    }
}

fn kill(seat: u8, count: u8) -> Text {
    Text::new("thaayam-did-kill").with("count", count).with("name", Arg::Seat(seat))
}

/// The players whose pieces this action would kill.
pub(super) fn kills(view: &ThaayamView, action: &ThaayamAction) -> Vec<Text> {
    let Some((by, square)) = landing(view, action) else { return Vec::new() };
    let killed = view.position.clone().kill(by, 1 << square);
    (0..).zip(killed).filter(|it| it.1 > 0).map(|(seat, count)| kill(seat, count)).collect()
}

/// The seat that would land with this action where an enemy can be killed, and the square.
fn landing(view: &ThaayamView, action: &ThaayamAction) -> Option<(Seat, u8)> {
    let ThaayamAction::Use { throw, piece } = *action else { return None };
    let seat = view.turn?;
    let turn = view.sharing()?;
    let colour = view.colour(seat);
    let to = turn.target(ThrowUse { throw, from: piece.step(colour)? })?;
    let square = square_of(colour.path(), to)?;
    (view.position.enemies(seat) >> square & 1 == 1).then_some((seat, square))
}

/// The name of a colour.
pub(super) fn colour(colour: Colour) -> Text {
    Text::new(match colour {
        Colour::White => "thaayam-white",
        Colour::Black => "thaayam-black",
        Colour::Red => "thaayam-red",
        Colour::Blue => "thaayam-blue",
    })
}

/// Seats as a list of names.
pub(super) fn seats(seats: &[Seat]) -> Arg {
    Arg::Names(seats.iter().map(|seat| Arg::Seat(seat.0)).collect())
}
