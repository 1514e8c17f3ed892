//! Records of whole games as a text that people can read, and back.
//!
//! ```text
//! [Game "Thaayam"]
//! [Date "2026.11.21"]
//! [White "Ann"]
//! [Red "Bob"]
//! [Options "pieces=2"]
//! [Result "WHITE"]
//!
//! 1. WHITE (8 4) 1 4 2: 1 in c1, 4 c1-e3, 2 e3-e5
//! 2. RED (2): -
//! 3. WHITE 4 3: 4 e5-a5, 3 a5-a2 xRED
//! ```
//!
//! First come the headers: the token of the options, and the players by colour, whose number is the
//! number of seats. Then comes one line a turn: its number, the colour, the throws (those lost
//! before the first 1 in brackets), and the use of each throw: `1 in c1` enters, `4 e3-d5` moves,
//! `1 off` bears off; `xRED` after it means that a red piece was killed there, `xRED*2` two; `-`
//! means that nothing was possible. `again` after the colour marks a further series for a kill, a
//! final `| xRED` kills at the end of the turn (`capture=final`), and `...` a turn in which more
//! was to be played when the record ended. Lines that begin with `#` or `%` are ignored. `Result`
//! is the colour of the winner, several with `+` between for partners or equal scores, or `*`.

use super::INFO;
use super::action::{PiecePlace, Series, ThaayamAction, read_throw};
use super::board::{Colour, OFF, read_square};
use super::illegal::ThaayamIllegal;
use super::notation_errors::{ThaayamRecordError, ThaayamRecordFault};
use super::options::ThaayamOptions;
use super::position::ThaayamPosition;
use super::rules::Thaayam;
use super::turn_history::{PlayedThrow, TurnRecord};
use crate::rules::{Node, Rules, Seat, Token};
use crate::switches;

/// A step of a game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThaayamRecordStep {
    /// An action of a seat.
    Act(Seat, ThaayamAction),
    /// The dice were thrown.
    Chance(Series),
}

/// The headers of a record: names and values.
pub type ThaayamHeaders<'a> = &'a [(&'a str, &'a str)];

/// Writes a game. `result` overrules the winner where the table ended the game; it has the points
/// by seat. Impossible steps end the record.
pub fn write(
    headers: ThaayamHeaders,
    names: &[&str],
    options: &ThaayamOptions,
    steps: &[ThaayamRecordStep],
    result: Option<&[i32]>,
) -> String {
    let seats = u8::try_from(names.len()).unwrap_or(0);
    let Ok(mut game) = Thaayam::start(options, seats) else { return String::new() };
    let mut turns = String::new();
    for step in steps {
        let taken = match step {
            ThaayamRecordStep::Act(seat, action) => {
                game.apply_action(*seat, action, &mut Vec::new())
            }
            ThaayamRecordStep::Chance(series) => game.apply_chance(series, &mut Vec::new()),
        };
        if taken.is_err() {
            break;
        }
        // Only the end of a turn is recorded, without plays that were taken back.
        let ends = matches!(step, ThaayamRecordStep::Act(..));
        if let (true, Some(record)) =
            (ends, game.recent_turns().last().filter(|record| record.ended))
        {
            turns.push_str(&turn_line(game.position(), record));
        }
    }
    if let Some(record) = game.recent_turns().last().filter(|record| !record.ended) {
        turns.push_str(&turn_line(game.position(), record));
    }
    let mut text = String::new();
    let mut header = |name: &str, value: &str| {
        let value: String = value.chars().filter(|c| *c != '"' && !c.is_control()).collect();
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    headers.iter().for_each(|(name, value)| header(name, value));
    for (seat, name) in (0..).zip(names) {
        header(title(game.position().colour(Seat(seat))), name);
    }
    header("Options", &options.write());
    let scores = match (result, game.node()) {
        (Some(result), _) => Some(result.to_vec()),
        (None, Node::Over(scores)) => Some(scores),
        (None, Node::Act(_) | Node::Chance) => None,
    };
    header("Result", &scores.map_or("*".to_owned(), |it| winners(game.position(), &it)));
    text.push('\n');
    text.push_str(&turns);
    text
}

/// Colours of the highest score.
fn winners(position: &ThaayamPosition, scores: &[i32]) -> String {
    let most = scores.iter().max();
    let best = (0..).zip(scores).filter(|(_, score)| Some(*score) == most);
    best.map(|(seat, _)| position.colour(Seat(seat)).name()).collect::<Vec<_>>().join("+")
}

/// The header that names a player.
fn title(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
        Colour::Red => "Red",
        Colour::Blue => "Blue",
    }
}

/// One turn as a line.
pub fn turn_line(position: &ThaayamPosition, record: &TurnRecord) -> String {
    let list = |throws: &[u8]| throws.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    let (lost, usable) = record.throws.split_at(usize::from(record.lost));
    let mut line = format!("{}. {}", record.number, position.colour(record.seat).name());
    if record.is_further_series {
        line.push_str(" again");
    }
    if !lost.is_empty() {
        line.push_str(&format!(" ({})", list(lost)));
    }
    if !usable.is_empty() {
        line.push_str(&format!(" {}", list(usable)));
    }
    line.push_str(": ");
    let plays = record.plays.iter().map(|play| play_text(position, record.seat, play));
    let plays: Vec<String> = plays.collect();
    line.push_str(&if plays.is_empty() { "-".to_owned() } else { plays.join(", ") });
    if record.killed_at_end != [0; 4] {
        line.push_str(&format!(" |{}", kills(position, record.killed_at_end)));
    }
    line.push_str(if record.ended { "\n" } else { " ...\n" });
    line
}

fn play_text(position: &ThaayamPosition, seat: Seat, play: &PlayedThrow) -> String {
    let name = |step: i8| position.place_name(seat, step);
    let what = match (play.from, play.to) {
        (-1, to) => format!("in {}", name(to)),
        (_, OFF) => "off".to_owned(),
        (from, to) => format!("{}-{}", name(from), name(to)),
    };
    format!("{} {what}{}", play.throw, kills(position, play.killed))
}

fn kills(position: &ThaayamPosition, killed: [u8; 4]) -> String {
    let mut text = String::new();
    for (seat, count) in (0..).zip(killed).filter(|(_, count)| *count > 0) {
        text.push_str(&format!(" x{}", position.colour(Seat(seat)).name()));
        if count > 1 {
            text.push_str(&format!("*{count}"));
        }
    }
    text
}

/// A game that was read and checked.
#[derive(Clone, Debug)]
pub struct ReplayedThaayamRecord {
    /// The game at the end of the record.
    pub game: Thaayam,
    /// Every turn with the position after it.
    pub turns: Vec<(TurnRecord, ThaayamPosition)>,
    /// The result in the record.
    pub result: Option<String>,
    /// Names by seat.
    pub names: Vec<String>,
    /// All steps.
    pub steps: Vec<ThaayamRecordStep>,
}

impl ReplayedThaayamRecord {
    /// Points by seat where the record states a result of a game that its turns do not end.
    pub fn scores(&self) -> Option<Vec<i32>> {
        if matches!(self.game.node(), Node::Over(_)) {
            return None;
        }
        let position = self.game.position();
        let won: Vec<Colour> = self.result.as_ref()?.split('+').filter_map(Colour::read).collect();
        let score = |seat| i32::from(won.contains(&position.colour(Seat(seat))));
        (!won.is_empty()).then(|| (0..position.seats()).map(score).collect())
    }
}

/// Reads a record, plays it and checks every claim.
///
/// # Errors
/// At the first line that is malformed or wrong.
pub fn read(text: &str) -> Result<ReplayedThaayamRecord, ThaayamRecordError> {
    read_as(text, None)
}

/// Reads a record; `stated` overrules the options in the record.
///
/// # Errors
/// As [`read`].
pub fn read_as(
    text: &str,
    stated: Option<&ThaayamOptions>,
) -> Result<ReplayedThaayamRecord, ThaayamRecordError> {
    let mut options = stated.copied().unwrap_or_default();
    let mut players: Vec<(Colour, String)> = Vec::new();
    let mut result = None;
    let mut played: Option<ThaayamRecordReader> = None;
    for (line, content) in (1..).zip(text.lines()) {
        let wrong = ThaayamRecordError::at(line);
        let content = content.trim();
        if content.is_empty() || content.starts_with(['#', '%']) {
            continue;
        }
        if let Some((name, value)) = header(content) {
            match name {
                "Options" if stated.is_none() => {
                    let token = switches::canonical(value, INFO.switches);
                    let read = token.and_then(|it| ThaayamOptions::read(&it));
                    options =
                        read.ok_or_else(|| wrong(ThaayamRecordFault::Options(value.to_owned())))?;
                }
                "Options" => {}
                "Result" => result = Some((line, value.to_owned())),
                _ => {
                    let colour = Colour::ALL.into_iter().find(|it| title(*it) == name);
                    players.extend(colour.map(|colour| (colour, value.to_owned())));
                }
            }
            continue;
        }
        let reader = match &mut played {
            Some(reader) => reader,
            none => none.insert(begin(options, &players).map_err(&wrong)?),
        };
        reader.turn(content).map_err(&wrong)?;
    }
    let Some(ThaayamRecordReader { game, turns, steps }) = played else {
        return Err(ThaayamRecordError { line: 1, kind: ThaayamRecordFault::NoTurn });
    };
    let name = |seat| {
        let colour = game.position().colour(Seat(seat));
        players.iter().find(|(it, _)| *it == colour).map(|(_, name)| name.clone())
    };
    let names = (0..game.position().seats()).map(|seat| name(seat).unwrap_or_default()).collect();
    if let (Some((line, stated)), Node::Over(scores)) = (&result, game.node()) {
        let counted = winners(game.position(), &scores);
        if *stated != counted {
            let kind = ThaayamRecordFault::OtherResult(counted);
            return Err(ThaayamRecordError { line: *line, kind });
        }
    }
    let result = result.map(|(_, stated)| stated);
    Ok(ReplayedThaayamRecord { game, turns, result, names, steps })
}

/// The state of reading.
struct ThaayamRecordReader {
    game: Thaayam,
    turns: Vec<(TurnRecord, ThaayamPosition)>,
    steps: Vec<ThaayamRecordStep>,
}

fn header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    Some((name, value))
}

fn begin(
    options: ThaayamOptions,
    players: &[(Colour, String)],
) -> Result<ThaayamRecordReader, ThaayamRecordFault> {
    let seats = u8::try_from(players.len()).unwrap_or(u8::MAX);
    let game = Thaayam::start(&options, seats)
        .map_err(|_| ThaayamRecordFault::Players { seats, options: options.write() })?;
    let plays = |colour| players.iter().any(|(it, _)| *it == colour);
    let all = (0..seats).map(Seat).all(|seat| plays(game.position().colour(seat)));
    let reader = ThaayamRecordReader { game, turns: Vec::new(), steps: Vec::new() };
    all.then_some(reader).ok_or(ThaayamRecordFault::Colours(seats))
}

impl ThaayamRecordReader {
    fn act(&mut self, seat: Seat, action: ThaayamAction) -> Result<(), ThaayamIllegal> {
        self.game.apply_action(seat, &action, &mut Vec::new())?;
        self.steps.push(ThaayamRecordStep::Act(seat, action));
        Ok(())
    }

    /// Plays a line.
    fn turn(&mut self, line: &str) -> Result<(), ThaayamRecordFault> {
        let (head, plays) = line.split_once(':').ok_or(ThaayamRecordFault::NoColon)?;
        let (_, head) = head.split_once(". ").ok_or(ThaayamRecordFault::NoNumber)?;
        let mut words = head.split([' ', '(', ')']).filter(|word| !word.is_empty()).peekable();
        let colour = words.next().and_then(Colour::read).ok_or(ThaayamRecordFault::NoColour)?;
        words.next_if_eq(&"again");
        let throws: Option<Vec<u8>> = words.map(read_throw).collect();
        let throws = throws.ok_or(ThaayamRecordFault::NoThrow)?;
        let series = Series::new(&throws).ok_or(ThaayamRecordFault::NoSeries)?;
        let over = |_| ThaayamRecordFault::GameIsOver;
        self.game.apply_chance(&series, &mut Vec::new()).map_err(over)?;
        self.steps.push(ThaayamRecordStep::Chance(series));
        let Node::Act(seat) = self.game.node() else {
            return Err(ThaayamRecordFault::NobodyOnTurn);
        };
        if self.game.position().colour(seat) != colour {
            let colour = self.game.position().colour(seat);
            return Err(ThaayamRecordFault::OtherTurn(colour));
        }
        if self.game.actions(seat) == [ThaayamAction::Throw] {
            let refused =
                |why| ThaayamRecordFault::Refused { play: ThaayamAction::Throw.write(), why };
            self.act(seat, ThaayamAction::Throw).map_err(refused)?;
        }
        let plays = plays.split('|').next().unwrap_or_default().trim();
        let (plays, is_open) = match plays.strip_suffix("...") {
            Some(plays) => (plays.trim(), true),
            None => (plays, false),
        };
        for text in plays.split(',').map(str::trim).filter(|it| !matches!(*it, "-" | "")) {
            let play = || text.to_owned();
            let action = read_play(text).ok_or_else(|| ThaayamRecordFault::NoPlay(play()))?;
            let refused = |why| ThaayamRecordFault::Refused { play: play(), why };
            self.act(seat, action).map_err(refused)?;
        }
        let is_sharing = self.game.recent_turns().last().is_some_and(|record| !record.ended);
        if !is_open && is_sharing {
            let more = |_| ThaayamRecordFault::MoreToPlay;
            self.act(seat, ThaayamAction::Done).map_err(more)?;
        }
        let record =
            self.game.recent_turns().last().cloned().ok_or(ThaayamRecordFault::NothingThrown)?;
        let written = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = turn_line(self.game.position(), &record);
        if written != expected.trim() {
            return Err(ThaayamRecordFault::OtherTurnLine(expected.trim().to_owned()));
        }
        self.turns.push((record, self.game.position_now()));
        Ok(())
    }
}

/// Reads `1 in c1`, `4 e3-d5`, `1 off`; the rest is checked by comparing the whole line.
fn read_play(text: &str) -> Option<ThaayamAction> {
    let mut words = text.split_whitespace();
    let throw = read_throw(words.next()?)?;
    let piece = match words.next()? {
        "in" => PiecePlace::Hand,
        "off" => PiecePlace::Home,
        way => PiecePlace::On(read_square(way.split('-').next()?)?),
    };
    Some(ThaayamAction::Use { throw, piece })
}

/// Reads a record and prints every turn with the position after it, then the winner.
///
/// # Errors
/// At the first line that is malformed or wrong.
pub fn replay_text(
    record: &str,
    stated: Option<&ThaayamOptions>,
) -> Result<String, ThaayamRecordError> {
    let ReplayedThaayamRecord { game, turns, result, .. } = read_as(record, stated)?;
    let options = game.position().options().write();
    let mut text = format!("options {options}\n");
    for (record, position) in &turns {
        let line = turn_line(position, record);
        text.push_str(&format!("{:<19} {line}", position.write()));
    }
    match game.node() {
        Node::Over(scores) => {
            text.push_str(&format!("{} wins\n", winners(game.position(), &scores)));
        }
        Node::Act(_) | Node::Chance => match result.filter(|it| it != "*") {
            Some(result) => text.push_str(&format!("not played out, the record gives {result}\n")),
            None => text.push_str("not finished\n"),
        },
    }
    Ok(text)
}
