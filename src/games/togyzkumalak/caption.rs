//! The board and its last move in words, helpful refusals, and labels of buttons.
//!
//! Texts name players by seat; the table inserts the names.

use super::illegal::TogyzkumalakIllegal;
use super::position::TogyzkumalakPosition;
use super::rules::Sow;
use super::view::{LastMove, PITS, Pit, TogyzkumalakEnd, TogyzkumalakView};
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// Brief text of the move before the last one; the last move and its gain; the score while the game
/// goes on; as the last line whose turn it is or how the game ended.
pub fn caption(view: &TogyzkumalakView) -> Vec<Text> {
    let mut texts = Vec::new();
    if let Some(before) = &view.before {
        let text = Text::new("togyzkumalak-before").with("name", Arg::Seat(before.seat.0));
        texts.push(text.with("what", brief(before)));
    }
    if let Some(last) = &view.last {
        last_move(last, &mut texts);
    }
    if view.end.is_none() {
        texts.push(score(view));
    }
    texts.push(state(view));
    texts
}

/// Summarises the move just made.
pub fn done(view: &TogyzkumalakView, seat: Seat, label: Arg) -> Vec<Arg> {
    let Some(last) = view.last.as_ref().filter(|it| it.seat == seat) else { return vec![label] };
    vec![brief(last).into()]
}

/// The pit where the last stone of a pit would fall, and the capture.
pub fn would(view: &TogyzkumalakView, action: &Sow) -> Vec<Text> {
    let Ok(mut position) = TogyzkumalakPosition::try_from(view) else { return Vec::new() };
    let sown = position.play(action.0);
    vec![in_brief(sown.from, sown.to, sown.captured, sown.tuzdyk)]
}

fn brief(last: &LastMove) -> Text {
    in_brief(last.from, last.to.index, last.captured, last.tuzdyk)
}

fn in_brief(from: u8, to: u8, captured: u8, tuzdyk: bool) -> Text {
    let key = match (tuzdyk, captured > 0) {
        (true, _) => "togyzkumalak-done-tuzdyk",
        (false, true) => "togyzkumalak-done-captured",
        (false, false) => "togyzkumalak-done",
    };
    Text::new(key)
        .with("from", pit_number(from))
        .with("to", pit_number(to))
        .with("stones", captured)
}

/// The whole board in plain words, for players who cannot see a picture: each player's pits and
/// kazan, the tuzdyks, whose turn it is.
pub fn text_board(view: &TogyzkumalakView) -> Vec<Text> {
    let mut texts: Vec<Text> = [Seat(0), Seat(1)].map(|seat| side(view, seat)).into();
    for owner in [Seat(0), Seat(1)] {
        if let Some(pit) = view.tuzdyks[owner.index()] {
            texts.push(
                Text::new("togyzkumalak-board-tuzdyk")
                    .with("name", Arg::Seat(owner.0))
                    .with("pit", pit_number(pit))
                    .with("other", Arg::Seat(1 - owner.0)),
            );
        }
    }
    texts.push(state(view));
    texts
}

/// The key of the text for this refusal.
pub fn reason(illegal: TogyzkumalakIllegal) -> &'static str {
    match illegal {
        TogyzkumalakIllegal::GameIsOver => "togyzkumalak-over",
        TogyzkumalakIllegal::NotYourTurn => "togyzkumalak-not-your-turn",
        TogyzkumalakIllegal::NoSuchPit => "togyzkumalak-no-such-pit",
        TogyzkumalakIllegal::PitIsEmpty => "togyzkumalak-empty-pit",
        TogyzkumalakIllegal::PitIsTuzdyk => "togyzkumalak-tuzdyk-pit",
        TogyzkumalakIllegal::NotTwoSeats => "togyzkumalak-seats",
    }
}

/// Explains why this action is refused, with the possible ones.
pub fn refuse(
    view: &TogyzkumalakView,
    seat: Seat,
    action: &Sow,
    illegal: TogyzkumalakIllegal,
) -> Text {
    let text = Text::new(reason(illegal));
    match illegal {
        TogyzkumalakIllegal::PitIsEmpty | TogyzkumalakIllegal::NoSuchPit => {
            text.with("pit", pit_number(action.0)).with("legal", Arg::List(legal(view, seat)))
        }
        TogyzkumalakIllegal::PitIsTuzdyk => text
            .with("pit", pit_number(action.0))
            .with("other", Arg::Seat(1 - seat.0.min(1)))
            .with("legal", Arg::List(legal(view, seat))),
        TogyzkumalakIllegal::NotYourTurn => {
            text.with("name", Arg::Seat(view.turn.map_or(1 - seat.0.min(1), |turn| turn.0)))
        }
        TogyzkumalakIllegal::GameIsOver | TogyzkumalakIllegal::NotTwoSeats => text,
    }
}

/// The label of a button: the pit, and in brackets the number of its stones, such as `7 (12)`.
pub fn label(view: &TogyzkumalakView, action: &Sow) -> String {
    let stones = view.turn.and_then(|seat| {
        view.pits.get(seat.index()).and_then(|pits| pits.get(usize::from(action.0)))
    });
    match stones {
        Some(stones) => format!("{} ({stones})", action.0 + 1),
        None => (action.0 + 1).to_string(),
    }
}

fn last_move(last: &LastMove, texts: &mut Vec<Text>) {
    let own = last.to.side == last.seat;
    let key = if own { "togyzkumalak-moved-own" } else { "togyzkumalak-moved-other" };
    let mut moved = Text::new(key)
        .with("name", Arg::Seat(last.seat.0))
        .with("from", pit_number(last.from))
        .with("stones", last.stones)
        .with("to", pit_number(last.to.index));
    if !own {
        moved = moved.with("other", Arg::Seat(last.to.side.0));
    }
    texts.push(moved);
    for owner in [Seat(0), Seat(1)] {
        let stones = last.through[owner.index()];
        if stones > 0 {
            texts.push(through(owner, stones));
        }
    }
    if last.tuzdyk {
        texts.push(at("togyzkumalak-tuzdyk", last.seat, last.to));
    } else if last.captured > 0 {
        texts.push(captured(last.seat, last.captured));
    }
}

/// Stones that a player took: all of the pit where the move ended.
fn captured(seat: Seat, stones: u8) -> Text {
    Text::new("togyzkumalak-captured").with("name", Arg::Seat(seat.0)).with("stones", stones)
}

/// Stones that fell into a tuzdyk.
fn through(owner: Seat, stones: u8) -> Text {
    Text::new("togyzkumalak-through").with("name", Arg::Seat(owner.0)).with("stones", stones)
}

fn score(view: &TogyzkumalakView) -> Text {
    let [first, second] = view.kazans;
    Text::new("togyzkumalak-score")
        .with("first", Arg::Seat(0))
        .with("first-stones", first)
        .with("second", Arg::Seat(1))
        .with("second-stones", second)
}

fn state(view: &TogyzkumalakView) -> Text {
    let Some(end) = view.end else {
        let key = if view.extra { "togyzkumalak-turn-extra" } else { "togyzkumalak-turn" };
        return Text::new(key).with("name", Arg::Seat(view.turn.unwrap_or(Seat(0)).0));
    };
    ended(end, view.kazans)
}

/// The reason why a game is over.
fn ended(end: TogyzkumalakEnd, kazans: [u8; 2]) -> Text {
    let leader = Arg::Seat(u8::from(kazans[1] > kazans[0]));
    let most = kazans[0].max(kazans[1]);
    match end {
        TogyzkumalakEnd::Majority => {
            Text::new("togyzkumalak-end-majority").with("name", leader).with("stones", most)
        }
        TogyzkumalakEnd::Atsyrau { collected } => {
            Text::new("togyzkumalak-end-atsyrau").with("stones", collected)
        }
        TogyzkumalakEnd::Repetition => Text::new("togyzkumalak-end-repetition"),
    }
}

fn side(view: &TogyzkumalakView, seat: Seat) -> Text {
    let other = 1 - seat.index();
    let pits = (0..PITS).map(|pit| {
        if view.tuzdyks[other].is_some_and(|tuzdyk| usize::from(tuzdyk) == pit) {
            Arg::from(Text::new("togyzkumalak-tuzdyk-mark"))
        } else {
            Arg::from(view.pits[seat.index()][pit])
        }
    });
    Text::new("togyzkumalak-board-side")
        .with("name", Arg::Seat(seat.0))
        .with("pits", Arg::List(pits.collect()))
        .with("kazan", view.kazans[seat.index()])
}

/// The pits of this seat that hold stones, counted from 1.
fn legal(view: &TogyzkumalakView, seat: Seat) -> Vec<Arg> {
    let pits = view.pits.get(seat.index()).copied().unwrap_or_default();
    (1..).zip(pits).filter(|(_, stones)| *stones > 0).map(|(pit, _)| Arg::Number(pit)).collect()
}

/// The number of a pit, from 1.
fn pit_number(pit: u8) -> Arg {
    Arg::Number(i64::from(pit) + 1)
}

/// A text about a player and a pit of the other player.
fn at(key: &'static str, seat: Seat, pit: Pit) -> Text {
    Text::new(key)
        .with("name", Arg::Seat(seat.0))
        .with("pit", pit_number(pit.index))
        .with("other", Arg::Seat(pit.side.0))
}
