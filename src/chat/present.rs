//! Tables into notes: what the standing message of a table says, shows and offers.

use super::hands::{self, Means};
use super::note::{Key, Note, Picture};
pub use super::offers::call;
use super::press::{Ask, TablePress};
use super::{Tone, coach, lobby, offers, panels};
use crate::ids::PersonId;
use crate::ids::TableId;
use crate::rules::{Seat, Viewer};
use crate::table::command::{Command, Proposal};
use crate::table::event::{Offer, Reason};
use crate::table::fold::{Phase, Table};
use crate::words::{Arg, Text};

/// How many rows of buttons a message has at most.
const ROWS: usize = 5;

/// The standing message of a table, as everybody in the chat sees it.
pub fn board(table: &Table, means: Means) -> Note {
    let note = match &table.phase {
        Phase::Lobby => lobby::lobby(table),
        Phase::Playing => playing(table, means),
        Phase::Over { scores, reason } => over(table, scores, *reason),
        Phase::Closed { reason } => closed(table, *reason),
    };
    named(table, note)
}

/// Replaces seats by names.
pub fn named(table: &Table, mut note: Note) -> Note {
    note.texts = note.texts.into_iter().map(|text| seated(table, text)).collect();
    note
}

/// Replaces the seats in a text by the names of those who sit there.
pub fn seated(table: &Table, text: Text) -> Text {
    let names = table.called();
    let name = |seat: u8| {
        let name = names.get(usize::from(seat)).cloned();
        name.unwrap_or_else(|| Arg::Number(i64::from(seat) + 1))
    };
    text.seated(&name)
}

pub(super) fn press(table: &Table, ask: Ask) -> String {
    TablePress { table: table.id.clone(), ask }.write()
}

pub(super) fn key(table: &Table, label: &'static str, command: Command) -> Key {
    Key::new(Text::new(label), press(table, Ask::Do(command)))
}

pub(super) fn game_name(table: &Table) -> Text {
    Text::new(format!("game-{}", table.game_id().info().code))
}

fn playing(table: &Table, means: Means) -> Note {
    let Some(game) = table.game.as_deref() else { return closed(table, Reason::Outdated) };
    let mut texts = game.caption(Viewer::Public);
    let mut keys = Vec::new();
    let thinks = table.turn().filter(|turn| table.is_computer(*turn));
    if let Some(turn) = thinks {
        // It takes a moment: what it could do is of no use to anybody.
        texts.pop();
        texts.push(Text::new("computer-thinks").with("name", Arg::Seat(turn)));
    }
    texts.extend(coach::in_public(table, means));
    texts.extend(hinted(table));
    texts.extend(offers::changed(table));
    if table.offer.is_some() {
        texts.extend(offers::said(table));
        keys.push(offers::keys(table));
    }
    if let Some(turn) = table.turn() {
        match own_eyes(table) {
            Some(seat) => {
                let hand = hands::hand(table, seat, Means::Buttons);
                texts.splice(0..0, hand.texts.into_iter().take(1));
                keys.extend(hand.keys);
            }
            None if thinks.is_some() => {}
            None => {
                keys.extend(panels::rows(table, game.panel(Seat(turn), 0)));
                if means == Means::Slots && hands::are_dealt(table) {
                    keys.extend(hands::slots(table));
                }
            }
        }
    }
    let mut last = table_keys(table, means);
    if table.offer.is_some() && keys.len() >= ROWS {
        // No row is left for the answers: they stand in the last one.
        let answers = keys.remove(0);
        let menu = last.pop();
        last.truncate(2);
        last = answers.into_iter().chain(last).chain(menu).collect();
    }
    keys.push(last);
    Note { texts, picture: Some(picture(table)), keys, ..Note::default() }
}

/// Who was given hints, for everybody to see.
fn hinted(table: &Table) -> Option<Text> {
    let one = |(seat, count): (u8, u32)| {
        let text = Text::new("over-hinted").with("name", Arg::Seat(seat));
        Arg::from(text.with("count", i64::from(count)))
    };
    let all: Vec<Arg> = table.hinted().into_iter().map(one).collect();
    (!all.is_empty()).then(|| Text::new("over-hints").with("names", Arg::List(all)))
}

/// The seat whose hand the board itself shows: only one person ever reads it.
fn own_eyes(table: &Table) -> Option<u8> {
    let alone = hands::are_dealt(table) && table.is_solo();
    alone.then(|| table.seats_of(&table.setup.opener).next()).flatten()
}

/// The last row: the hand, what can be read, and what concerns the table as a whole, behind a
/// button of its own where it would not fit.
fn table_keys(table: &Table, means: Means) -> Vec<Key> {
    let mut keys = Vec::new();
    if own_eyes(table).is_none() {
        keys.extend(hands::hand_keys(table, means));
    }
    keys.extend(panels::sheet_keys(table));
    if keys.is_empty() {
        keys = common_keys(table);
        if keys.len() > 4 {
            // The way down is the one that is missed least: it stands behind the menu too.
            keys.retain(|it| it.press != press(table, Ask::Board));
        }
    }
    keys.truncate(4);
    keys.push(Key::new(Text::new("button-menu"), press(table, Ask::Menu)));
    keys
}

/// What can be done at every table in play.
pub(super) fn common_keys(table: &Table) -> Vec<Key> {
    let down = Key::new(Text::new("button-down"), press(table, Ask::Board));
    if table.can_be_aborted() {
        let abort = key(table, "button-abort", Command::Abort);
        return [abort, down].into_iter().chain(hint_key(table)).collect();
    }
    let take_back = key(table, "button-take-back", Command::Propose(Proposal::TakeBack));
    let draw = key(table, "button-draw", Command::Propose(Proposal::Draw));
    let resign = key(table, "button-resign", Command::Resign).tone(Tone::Danger);
    let hidden = table.game_id().info().hidden;
    let mut keys = Vec::new();
    keys.extend((!hidden || table.setup.coached).then_some(take_back));
    keys.extend(table.can_be_drawn().then_some(draw));
    keys.extend([resign, down]);
    keys.extend(hint_key(table));
    keys
}

/// The button that asks for a hint.
fn hint_key(table: &Table) -> Option<Key> {
    let hint = || Key::new(Text::new("button-hint"), press(table, Ask::Hint));
    table.gives_hints().then(hint)
}

/// The picture of a table for those who read its place.
pub fn picture(table: &Table) -> Picture {
    match own_eyes(table) {
        Some(seat) => Picture::Hand { table: table.id.0.clone(), seat },
        None => Picture::Board { table: table.id.0.clone() },
    }
}

/// How a game ended, in one line.
pub fn result(table: &Table, scores: &[i32], reason: Reason) -> Text {
    let best = scores.iter().copied().max().unwrap_or_default();
    let winners: Vec<u8> =
        (0..).zip(scores).filter(|(_, it)| **it == best).map(|(seat, _)| seat).collect();
    let together = table.has_partners() && winners.len() == 2;
    let winner = Arg::Names(winners.iter().map(|it| Arg::Seat(*it)).collect());
    match reason {
        Reason::Resigned(seat) => {
            let text = Text::new(match (winners.len(), together) {
                (1, _) => "over-resigned",
                (_, true) => "over-resigned-together",
                (_, false) => "over-given-up",
            });
            text.with("name", Arg::Seat(seat)).with("winner", winner)
        }
        Reason::Agreed => Text::new("over-agreed"),
        Reason::Played
        | Reason::Aborted
        | Reason::Declined
        | Reason::Cancelled
        | Reason::Expired
        | Reason::Vanished
        | Reason::Outdated => {
            let mut points: Vec<_> = scores.iter().map(ToString::to_string).collect();
            let text = match *winners {
                // Places are no score.
                [_] if scores.len() > 2 => return Text::new("over-first").with("winner", winner),
                [first] => {
                    // The winner stands beside the winner's number.
                    points.rotate_left(usize::from(first));
                    Text::new("over-won").with("winner", winner)
                }
                [first, partner] if together => {
                    // What partners have won they have won together.
                    points.truncate(2);
                    points.rotate_left(usize::from(first));
                    Text::new("over-won-pair")
                        .with("winner", Arg::Seat(first))
                        .with("partner", Arg::Seat(partner))
                }
                _ => Text::new("over-draw"),
            };
            text.with("score", points.join(" : "))
        }
    }
}

fn over(table: &Table, scores: &[i32], reason: Reason) -> Note {
    let mut texts = vec![result(table, scores, reason)];
    let mut caption =
        table.game.as_deref().map(|it| it.caption(Viewer::Public)).unwrap_or_default();
    if reason != Reason::Played {
        // The game itself still waits for a move that nobody will make.
        caption.pop();
    }
    texts.extend(caption);
    texts.extend(hinted(table));
    let mut keys = Vec::new();
    match (&table.next, table.offer) {
        (Some(TableId(next)), _) => {
            texts.push(Text::new("over-next").with("table", next.as_str()));
        }
        (None, Some((_, Offer::Rematch))) => {
            texts.extend(offers::said(table));
            keys.push(offers::keys(table));
        }
        (None, _) => {
            let again = Command::Propose(Proposal::Rematch);
            keys.push(vec![key(table, "button-rematch", again).tone(Tone::Good)]);
        }
    }
    keys.push(vec![
        Key::new(Text::new("button-replay"), press(table, Ask::Replay)),
        Key::new(Text::new("button-chart"), press(table, Ask::Chart)),
        Key::new(Text::new("button-review"), press(table, Ask::Review)),
        Key::new(Text::new("button-record"), press(table, Ask::Record)),
    ]);
    Note { texts, picture: Some(picture(table)), keys, ..Note::default() }
}

fn closed(table: &Table, reason: Reason) -> Note {
    let title = Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0);
    let name = match reason {
        Reason::Declined => table.invited.first().map(|it| it.name.clone()),
        Reason::Played
        | Reason::Resigned(_)
        | Reason::Agreed
        | Reason::Aborted
        | Reason::Expired
        | Reason::Vanished
        | Reason::Outdated
        | Reason::Cancelled => table.chairs.first().map(|it| it.name.clone()),
    };
    let text = match reason {
        Reason::Declined => Text::new("closed-declined"),
        Reason::Aborted => Text::new("closed-aborted"),
        Reason::Expired => Text::new("closed-expired"),
        Reason::Outdated => Text::new("closed-outdated"),
        Reason::Played
        | Reason::Resigned(_)
        | Reason::Agreed
        | Reason::Vanished
        | Reason::Cancelled => Text::new("closed-cancelled"),
    };
    let texts = vec![title, text.with("name", name.unwrap_or_default())];
    let picture = table.game.is_some().then(|| picture(table));
    let record = Key::new(Text::new("button-record"), press(table, Ask::Record));
    let keys = if table.outdated { vec![vec![record]] } else { Vec::new() };
    Note { texts, picture, keys, ..Note::default() }
}

/// The board in words, for people who cannot see the picture.
pub fn board_text(table: &Table, viewer: Viewer) -> Note {
    let texts = match (table.game.as_deref(), &table.phase) {
        (Some(game), Phase::Over { scores, reason }) if *reason != Reason::Played => {
            // The game itself still waits for a move that nobody will make.
            let mut texts = game.board_text(viewer);
            texts.pop();
            texts.push(result(table, scores, *reason));
            texts
        }
        (Some(game), _) => game.board_text(viewer),
        (None, _) => board(table, Means::Buttons).texts,
    };
    let secret = is_secret(table, viewer);
    named(table, Note { secret, ..Note::lasting(texts) })
}

/// Whether what this viewer reads of the game is for nobody else.
pub(super) fn is_secret(table: &Table, viewer: Viewer) -> bool {
    table.game_id().info().hidden && matches!(viewer, Viewer::Seat(_))
}

/// One line about a table for a list: game, against whom, whose turn.
pub fn line(table: &Table, viewer: &PersonId) -> Text {
    let others: Vec<Arg> = (0..table.setup.seats)
        .filter(|&seat| table.occupant(seat).is_some_and(|it| it.person != *viewer))
        .map(Arg::Seat)
        .collect();
    let key = match (&table.phase, table.turn()) {
        (Phase::Lobby, _) => "list-lobby",
        (Phase::Playing, Some(turn)) if table.seats_of(viewer).any(|it| it == turn) => {
            "list-your-turn"
        }
        (Phase::Playing, _) => "list-their-turn",
        (Phase::Over { .. } | Phase::Closed { .. }, _) => "list-over",
    };
    let with = if others.is_empty() { vec![Arg::from("—")] } else { others };
    // As the board counts: throws and what plays itself are no turns of their own.
    let number = table.game.as_deref().and_then(|it| it.number()).map(i64::from);
    let text = Text::new(key)
        .with("table", &*table.id.0)
        .with("game", game_name(table))
        .with("with", Arg::Names(with))
        .with("move", number.unwrap_or(table.steps.len() as i64));
    seated(table, text)
}
