//! Tables into notes: what the standing message of a table says, shows and offers.

use super::hands::{self, Means};
use super::note::{Key, Note, Picture};
use super::panels::{self, house_rules, rules_key};
use super::press::{Ask, TablePress};
use super::{PersonId, Tone};
use crate::rules::{Seat, Viewer};
use crate::table::command::{Command, Proposal};
use crate::table::event::{Begin, Offer, Reason, TableId};
use crate::table::fair;
use crate::table::fold::{Phase, Table};
use crate::words::{Arg, Text};

/// The standing message of a table, as everybody in the chat sees it.
pub fn board(table: &Table, means: Means) -> Note {
    let note = match &table.phase {
        Phase::Lobby => lobby(table),
        Phase::Playing => playing(table, means),
        Phase::Over { scores, reason } => over(table, scores, *reason),
        Phase::Closed { reason } => closed(table, *reason),
    };
    named(table, note)
}

/// Replaces seats by names.
pub(super) fn named(table: &Table, mut note: Note) -> Note {
    note.texts = note.texts.into_iter().map(|text| seated(table, text)).collect();
    note
}

/// Replaces the seats in a text by the names of those who sit there.
pub fn seated(table: &Table, text: Text) -> Text {
    let names = table.names();
    let name = |seat: u8| {
        names.get(usize::from(seat)).map_or_else(|| Arg::Number(i64::from(seat) + 1), Arg::from)
    };
    text.seated(&name)
}

impl From<&String> for Arg {
    fn from(text: &String) -> Self {
        Arg::Plain(text.clone())
    }
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

fn begin_name(begin: Begin) -> Text {
    Text::new(format!("begin-{}", begin.write()))
}

fn lobby(table: &Table) -> Note {
    let mut texts =
        vec![Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0)];
    let host = table.chairs.first().map_or("", |it| it.name.as_str());
    match &table.invited {
        Some(invited) => {
            let friend = match &invited.person {
                Some(PersonId(person)) => {
                    Arg::Mention { person: person.clone(), name: invited.name.clone() }
                }
                None => Arg::Plain(invited.name.clone()),
            };
            texts.push(Text::new("lobby-challenge").with("name", host).with("friend", friend));
        }
        None => texts.push(Text::new("lobby-waiting").with("name", host)),
    }
    texts.extend(house_rules(table));
    texts.push(Text::new("lobby-begin").with("begin", begin_name(table.begin())));
    texts.push(Text::new("lobby-fair").with("hash", fair::commitment(&table.setup.seed)));
    Note { texts, keys: lobby_keys(table), loud: table.invited.is_some(), ..Note::default() }
}

fn lobby_keys(table: &Table) -> Vec<Vec<Key>> {
    let first = if table.invited.is_some() {
        vec![
            key(table, "button-accept", Command::Join).tone(Tone::Good),
            key(table, "button-decline", Command::Refuse),
        ]
    } else {
        vec![key(table, "button-join", Command::Join).tone(Tone::Good)]
    };
    let begin = after(&Begin::ALL, &table.begin());
    let order = Text::new("button-begin").with("begin", begin_name(table.begin()));
    let settings =
        vec![rules_key(table), Key::new(order, press(table, Ask::Do(Command::Order(begin))))];
    vec![first, settings, vec![key(table, "button-cancel", Command::Cancel)]]
}

/// The one after `item` in a circle.
fn after<T: PartialEq + Copy>(items: &[T], item: &T) -> T {
    let at = items.iter().position(|it| it == item).unwrap_or_default();
    items[(at + 1) % items.len()]
}

fn playing(table: &Table, means: Means) -> Note {
    let game = table.game.as_deref().expect("a table in play has a game");
    let mut texts = game.caption(Viewer::Public);
    let mut keys = Vec::new();
    if let Some((seat, offer)) = table.offer {
        let said = match offer {
            Offer::Draw => "offer-draw",
            Offer::TakeBack { .. } => "offer-take-back",
            Offer::Rematch => "offer-rematch",
        };
        texts.push(Text::new(said).with("name", Arg::Seat(seat)));
        let yes = Command::Answer { offer: Some(offer), accept: true };
        let no = Command::Answer { offer: Some(offer), accept: false };
        keys.push(vec![
            key(table, "button-accept", yes).tone(Tone::Good),
            key(table, "button-decline", no),
        ]);
    }
    if let Some(turn) = table.turn() {
        match own_eyes(table) {
            Some(seat) => {
                let hand = hands::hand(table, seat, Means::Buttons);
                texts.splice(0..0, hand.texts.into_iter().take(1));
                keys.extend(hand.keys);
            }
            None => {
                keys.extend(panels::rows(table, game.panel(Seat(turn), 0)));
                if means == Means::Slots && hands::are_dealt(table) {
                    keys.extend(hands::slots(table));
                }
            }
        }
    }
    keys.push(table_keys(table, means));
    Note { texts, picture: Some(picture(table)), keys, ..Note::default() }
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
    let common = common_keys(table);
    if keys.is_empty() {
        return common;
    }
    keys.truncate(4);
    keys.push(Key::new(Text::new("button-menu"), press(table, Ask::Menu)));
    keys
}

/// What can be done at every table in play.
pub(super) fn common_keys(table: &Table) -> Vec<Key> {
    let down = Key::new(Text::new("button-down"), press(table, Ask::Board));
    if table.steps.len() < 2 {
        return vec![key(table, "button-abort", Command::Abort), down];
    }
    vec![
        key(table, "button-take-back", Command::Propose(Proposal::TakeBack)),
        key(table, "button-draw", Command::Propose(Proposal::Draw)),
        key(table, "button-resign", Command::Resign).tone(Tone::Danger),
        down,
    ]
}

/// The picture of a table for those who read its place.
pub fn picture(table: &Table) -> Picture {
    match own_eyes(table) {
        Some(seat) => Picture::Hand { table: table.id.0.clone(), seat },
        None => Picture::Board { table: table.id.0.clone() },
    }
}

/// How a game ended, in one line.
pub fn result(scores: &[i32], reason: Reason) -> Text {
    let best = scores.iter().copied().max().unwrap_or_default();
    let winners = scores.iter().filter(|it| **it == best).count();
    let winner = scores.iter().position(|it| *it == best).unwrap_or_default() as u8;
    match reason {
        Reason::Resigned(seat) => Text::new("over-resigned")
            .with("name", Arg::Seat(seat))
            .with("winner", Arg::Seat(winner)),
        Reason::Agreed => Text::new("over-agreed"),
        Reason::Played | Reason::Aborted | Reason::Declined | Reason::Cancelled => {
            let mut points: Vec<_> = scores.iter().map(ToString::to_string).collect();
            let text = match *scores {
                [a, b, c, d] if a == c && b == d && a != b => {
                    // Two pairs: what is won is won together.
                    points.truncate(2);
                    if winner == 1 {
                        points.reverse();
                    }
                    Text::new("over-won-pair")
                        .with("winner", Arg::Seat(winner))
                        .with("partner", Arg::Seat(winner + 2))
                }
                _ if winners == 1 => Text::new("over-won").with("winner", Arg::Seat(winner)),
                _ => Text::new("over-draw"),
            };
            text.with("score", points.join(" : "))
        }
    }
}

fn over(table: &Table, scores: &[i32], reason: Reason) -> Note {
    let game = table.game.as_deref().expect("a played table has a game");
    let mut texts = vec![result(scores, reason)];
    let mut caption = game.caption(Viewer::Public);
    if reason != Reason::Played {
        // The game itself still waits for a move that nobody will make.
        caption.pop();
    }
    texts.extend(caption);
    let mut keys = Vec::new();
    match (&table.next, table.offer) {
        (Some(TableId(next)), _) => {
            texts.push(Text::new("over-next").with("table", next.as_str()));
        }
        (None, Some((seat, Offer::Rematch))) => {
            texts.push(Text::new("offer-rematch").with("name", Arg::Seat(seat)));
            let yes = Command::Answer { offer: Some(Offer::Rematch), accept: true };
            let no = Command::Answer { offer: Some(Offer::Rematch), accept: false };
            keys.push(vec![
                key(table, "button-accept", yes).tone(Tone::Good),
                key(table, "button-decline", no),
            ]);
        }
        (None, _) => {
            let again = Command::Propose(Proposal::Rematch);
            keys.push(vec![key(table, "button-rematch", again).tone(Tone::Good)]);
        }
    }
    keys.push(vec![Key::new(Text::new("button-record"), press(table, Ask::Record))]);
    Note { texts, picture: Some(picture(table)), keys, ..Note::default() }
}

fn closed(table: &Table, reason: Reason) -> Note {
    let title = Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0);
    let name = match reason {
        Reason::Declined => table.invited.as_ref().map(|it| it.name.clone()),
        Reason::Played
        | Reason::Resigned(_)
        | Reason::Agreed
        | Reason::Aborted
        | Reason::Cancelled => table.chairs.first().map(|it| it.name.clone()),
    };
    let text = match reason {
        Reason::Declined => Text::new("closed-declined"),
        Reason::Aborted => Text::new("closed-aborted"),
        Reason::Played | Reason::Resigned(_) | Reason::Agreed | Reason::Cancelled => {
            Text::new("closed-cancelled")
        }
    };
    let texts = vec![title, text.with("name", name.unwrap_or_default())];
    let picture = table.game.is_some().then(|| picture(table));
    Note { texts, picture, ..Note::default() }
}

/// The board in words, for people who cannot see the picture.
pub fn board_text(table: &Table, viewer: Viewer) -> Note {
    let texts = match table.game.as_deref() {
        Some(game) => game.board_text(viewer),
        None => board(table, Means::Buttons).texts,
    };
    let note = Note::lasting(texts);
    named(table, note)
}

/// Who is waited for, and what they should be told if they do not look.
pub fn call(table: &Table) -> Option<(u8, Text)> {
    if table.is_solo() || !table.is_open() {
        return None;
    }
    let (seat, key) = match (table.offer, table.turn()) {
        (Some((by, Offer::Draw)), _) => (other(table, by), "call-draw"),
        (Some((by, Offer::TakeBack { .. })), _) => (other(table, by), "call-take-back"),
        (_, Some(turn)) => (turn, "call-turn"),
        _ => return None,
    };
    let occupant = table.occupant(seat)?;
    let name = table.names().get(usize::from(seat))?.clone();
    let who = Arg::Mention { person: occupant.person.0.clone(), name };
    Some((seat, Text::new(key).with("name", who).with("table", &*table.id.0)))
}

fn other(table: &Table, seat: u8) -> u8 {
    (seat + 1) % table.setup.seats.max(1)
}

/// One line about a table for a list: game, against whom, whose turn.
pub fn line(table: &Table, viewer: &PersonId) -> Text {
    let others: Vec<Arg> = (0..table.chairs.len() as u8)
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
    let text = Text::new(key)
        .with("table", &*table.id.0)
        .with("game", game_name(table))
        .with("with", Arg::List(with))
        .with("move", table.steps.len() as i64);
    seated(table, text)
}
