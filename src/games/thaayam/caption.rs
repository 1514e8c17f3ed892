//! Captions, the board in words, helpful refusals, texts to read on demand.
//!
//! Texts name players by seat; the table inserts the names.

use super::action::{PiecePlace, ThaayamAction};
use super::board::{FORTRESS, HAND, OFF, square_name};
use super::illegal::ThaayamIllegal;
use super::position::square_of;
use super::turn_history::TurnRecord;
use super::view::{ThaayamView, ThaayamViewStage};
use super::wording;
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// Lines about turns under the board: the newest ones.
const NEWS_MAX: usize = 6;
/// The most turns without a play that share a line.
const NOTHINGS_MAX: usize = 8;

/// The events since a player last decided, the progress of all players, and as the last line whose
/// turn it is or how the game ended.
pub fn caption(view: &ThaayamView) -> Vec<Text> {
    let mut texts = Vec::new();
    news(view, &mut texts);
    if view.stage != ThaayamViewStage::Over {
        texts.push(score(view));
    }
    if let (Some(_), Some(record)) =
        (view.sharing(), view.recent_turns.last().filter(|record| !record.ended))
    {
        texts.push(in_progress(view, record));
        let left = wording::left(record);
        texts.extend(left.map(|it| Text::new("thaayam-left").with("throws", it)));
    }
    texts.push(state(view));
    texts
}

/// Summarises the last action of this seat: the throws, or the label of the button.
pub fn describe_action(view: &ThaayamView, seat: Seat, label: Arg) -> Vec<Arg> {
    match view.recent_turns.iter().rev().find(|record| record.seat == seat) {
        Some(record) if record.plays.is_empty() => {
            vec![Arg::Row(vec!["🎲".into(), wording::throws(record)])]
        }
        Some(record) if record.ended => wording::done(view, record),
        Some(_) | None => vec![label],
    }
}

/// The pieces that would be killed by a landing; of a whole turn everything that it changes.
pub fn preview(view: &ThaayamView, action: &ThaayamAction) -> Vec<Text> {
    match action {
        ThaayamAction::Whole(whole) => wording::whole_in_words(view, whole),
        _ => wording::kills(view, action),
    }
}

/// The turns since a player decided; those without a play share a line.
fn news(view: &ThaayamView, texts: &mut Vec<Text>) {
    let ended: Vec<&TurnRecord> = view.news().filter(|record| record.ended).collect();
    let nothing = |record: &TurnRecord| record.plays.is_empty() && !record.opened;
    let mut lines: Vec<&[&TurnRecord]> = Vec::new();
    for run in ended.chunk_by(|a, b| nothing(a) && nothing(b)) {
        lines.extend(run.chunks(NOTHINGS_MAX));
    }
    let shown = &lines[lines.len().saturating_sub(NEWS_MAX)..];
    let first = shown.first().and_then(|line| line.first());
    let skipped = first.map_or(0, |record| record.number.saturating_sub(view.last_decision_turn));
    if skipped > 0 {
        texts.push(Text::new("thaayam-told-earlier").with("count", i64::from(skipped)));
    }
    for line in shown {
        let [record] = line else {
            texts.push(wording::nothings(line));
            continue;
        };
        texts.push(wording::turn(view, record));
        if let Some(place) = record.place.filter(|_| view.stage != ThaayamViewStage::Over) {
            // Partners have no places.
            let text = match view.position.options().partners {
                true => Text::new("thaayam-finished"),
                false => Text::new("thaayam-place").with("place", place),
            };
            texts.push(text.with("name", Arg::Seat(record.seat.0)));
        }
        if record.opened {
            texts.push(Text::new("thaayam-opened"));
        }
    }
}

/// A turn in progress without a play is not yet a turn in which nothing is possible.
fn in_progress(view: &ThaayamView, record: &TurnRecord) -> Text {
    if record.plays.is_empty() { thrown(record) } else { wording::turn(view, record) }
}

fn thrown(record: &TurnRecord) -> Text {
    let text = Text::new("thaayam-thrown").with("name", Arg::Seat(record.seat.0));
    text.with("throws", wording::throws(record))
}

/// Each player's pieces, the throws of this turn, whose turn it is.
pub fn board_text(view: &ThaayamView) -> Vec<Text> {
    let mut texts: Vec<Text> = view.seats().map(|seat| side(view, seat)).collect();
    if let (Some(_), Some(record)) = (view.sharing(), view.recent_turns.last()) {
        texts.push(thrown(record));
        let left = wording::left(record);
        texts.extend(left.map(|it| Text::new("thaayam-left").with("throws", it)));
    }
    texts.push(state(view));
    texts
}

/// The places of a player's pieces.
pub(super) fn side(view: &ThaayamView, seat: Seat) -> Text {
    let side = view.position.side(seat);
    let path = view.colour(seat).path();
    let mut on_board: Vec<Arg> = Vec::new();
    for step in 0..FORTRESS {
        let count = side.count(step);
        if let (1.., Some(square)) = (count, square_of(path, step)) {
            let name = square_name(square);
            on_board.push(if count == 1 { name } else { format!("{name} ×{count}") }.into());
        }
    }
    if on_board.is_empty() {
        on_board.push("–".into());
    }
    Text::new("thaayam-side")
        .with("name", Arg::Seat(seat.0))
        .with("colour", wording::colour(view.colour(seat)))
        .with("hand", side.count(HAND))
        .with("squares", Arg::List(on_board))
        .with("fortress", side.count(FORTRESS))
        .with("off", off(view, seat))
}

/// Pieces borne off; those that a shorter game leaves out do not count.
pub(super) fn off(view: &ThaayamView, seat: Seat) -> u8 {
    let missing = 4 - view.position.options().pieces;
    view.position.side(seat).count(OFF).saturating_sub(missing)
}

/// The number of pieces of each player in the fortress or off.
fn score(view: &ThaayamView) -> Text {
    let home = |seat: Seat| {
        let count = view.position.side(seat).count(FORTRESS) + off(view, seat);
        let text = Text::new("thaayam-score-of").with("name", Arg::Seat(seat.0));
        Arg::from(text.with("count", count))
    };
    Text::new("thaayam-score")
        .with("players", Arg::List(view.seats().map(home).collect()))
        .with("pieces", view.position.options().pieces)
}

fn state(view: &ThaayamView) -> Text {
    let Some(seat) = view.turn else {
        return if view.position.options().partners {
            Text::new("thaayam-end-partners").with("names", wording::seats(&view.places))
        } else if view.places.len() > 1 {
            Text::new("thaayam-end-places").with("names", wording::seats(&view.places))
        } else {
            let winner = view.places.first().map_or(0, |seat| seat.0);
            Text::new("thaayam-end").with("name", Arg::Seat(winner))
        };
    };
    let key = match &view.stage {
        ThaayamViewStage::Cup => "thaayam-turn-throw",
        ThaayamViewStage::Sharing(turn) if turn.plays().as_slice().is_empty() => {
            "thaayam-turn-done"
        }
        ThaayamViewStage::Sharing(_) => "thaayam-turn-play",
        ThaayamViewStage::Throwing | ThaayamViewStage::Over => "thaayam-turn",
    };
    Text::new(key).with("name", Arg::Seat(seat.0)).with("number", i64::from(view.number))
}

/// The key of the text for this refusal.
pub fn refusal_key(illegal: ThaayamIllegal) -> &'static str {
    match illegal {
        ThaayamIllegal::NotTwoToFourSeats => "thaayam-seats",
        ThaayamIllegal::PartnersAreFour => "thaayam-partners-four",
        ThaayamIllegal::GameIsOver => "thaayam-over",
        ThaayamIllegal::NotYourTurn => "thaayam-not-your-turn",
        ThaayamIllegal::WrongStage => "thaayam-not-now",
        ThaayamIllegal::ThrowFirst => "thaayam-throw-first",
        ThaayamIllegal::AlreadyThrown => "thaayam-already-thrown",
        ThaayamIllegal::NothingToUndo => "thaayam-nothing-to-undo",
        ThaayamIllegal::StillToPlay => "thaayam-still-to-play",
        ThaayamIllegal::NoSuchEnd => "thaayam-no-such-end",
        ThaayamIllegal::NoPieceThere => "thaayam-no-piece",
        ThaayamIllegal::NoSuchThrow => "thaayam-no-such-throw",
        ThaayamIllegal::ThrowIsSpent => "thaayam-throw-spent",
        ThaayamIllegal::ThrowIsLost => "thaayam-throw-lost",
        ThaayamIllegal::NoneInHand => "thaayam-none-in-hand",
        ThaayamIllegal::MoreCouldBeUsed => "thaayam-use-most",
        ThaayamIllegal::EnteringNeedsOne => "thaayam-enter-needs-one",
        ThaayamIllegal::BearingOffNeedsOne => "thaayam-off-needs-one",
        ThaayamIllegal::NotAllAreHome => "thaayam-not-all-home",
        ThaayamIllegal::NotInThisTurn => "thaayam-not-this-turn",
        ThaayamIllegal::TooFar => "thaayam-exact",
        ThaayamIllegal::NoKillYet => "thaayam-kill-first",
        ThaayamIllegal::WayIsBlocked => "thaayam-blocked",
    }
}

/// Explains why this action is refused.
pub fn explain_refusal(
    view: &ThaayamView,
    _seat: Seat,
    action: &ThaayamAction,
    illegal: ThaayamIllegal,
) -> Text {
    let text = Text::new(refusal_key(illegal));
    let (throw, square) = match action {
        ThaayamAction::Use { throw, piece } => (*throw, piece_name(*piece)),
        ThaayamAction::Throw
        | ThaayamAction::Whole(_)
        | ThaayamAction::Undo
        | ThaayamAction::Done => (0, String::new()),
    };
    match illegal {
        ThaayamIllegal::NotYourTurn => {
            text.with("name", Arg::Seat(view.turn.map_or(0, |turn| turn.0)))
        }
        ThaayamIllegal::NoSuchThrow
        | ThaayamIllegal::ThrowIsSpent
        | ThaayamIllegal::ThrowIsLost => text.with("throw", wording::called(throw)),
        ThaayamIllegal::NoPieceThere => text.with("square", square),
        ThaayamIllegal::TooFar | ThaayamIllegal::WayIsBlocked => {
            text.with("throw", wording::called(throw)).with("square", square)
        }
        ThaayamIllegal::StillToPlay => {
            let left = view.recent_turns.last().and_then(wording::left);
            text.with("throws", left.unwrap_or(Arg::Row(Vec::new())))
        }
        _ => text,
    }
}

fn piece_name(piece: PiecePlace) -> String {
    match piece {
        PiecePlace::On(square) => square_name(square),
        PiecePlace::Home => "c3".to_owned(),
        PiecePlace::Hand => String::new(),
    }
}

/// Sheet: the last turns in words.
pub fn turns(view: &ThaayamView) -> Vec<Text> {
    let mut texts = vec![Text::new("thaayam-sheet-turns")];
    let ended: Vec<&TurnRecord> = view.recent_turns.iter().filter(|record| record.ended).collect();
    if ended.is_empty() {
        texts.push(Text::new("thaayam-sheet-turns-none"));
    }
    let from = ended.len().saturating_sub(12);
    for record in &ended[from..] {
        let number = i64::from(record.number);
        let line = Text::new("thaayam-sheet-turn").with("number", number);
        texts.push(line.with("turn", wording::turn(view, record)));
    }
    texts
}

/// Sheet: the chances of throws.
pub fn odds(_view: &ThaayamView) -> Vec<Text> {
    ["thaayam-odds-throws", "thaayam-odds-turn", "thaayam-odds-ones", "thaayam-odds-reach"]
        .map(Text::new)
        .into()
}
