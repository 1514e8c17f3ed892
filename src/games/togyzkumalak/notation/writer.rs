//! Writes records in all forms that the reader knows.

use super::super::position::{Sown, TogyzkumalakPhase, TogyzkumalakPosition, Variant};
use super::super::rules::Sow;
use super::moves::{write_counted, write_digits, write_letters};
use super::position::{Diagram, write_position};
use super::reader::{Form, StatedResult};
use crate::rules::Token;

/// Headers in their order, for example `("White", "Ann")`.
pub type TogyzkumalakHeaders<'a> = [(&'a str, &'a str)];

/// Writes the record of a game in one of the forms. Headers `Variant` and `Position` are added when
/// they differ from what all readers assume, so that [`super::replay()`] plays the same game.
/// `outcome` is the result to write at the end; a finished game states its own.
///
/// # Errors
/// The number, from 1, of the first move that is not legal.
pub fn write_record(
    form: Form,
    headers: &TogyzkumalakHeaders,
    start: &TogyzkumalakPosition,
    moves: &[Sow],
    outcome: Option<StatedResult>,
) -> Result<String, usize> {
    let mut position = *start;
    let mut played = Vec::with_capacity(moves.len());
    for (index, sow) in moves.iter().enumerate() {
        if position.moves() >> sow.0.min(15) & 1 == 0 {
            return Err(index + 1);
        }
        let sown = position.play(sow.0);
        played.push((sown, position));
    }
    let outcome = real_outcome(&position).or(outcome).unwrap_or(StatedResult::Open);
    let mut text = write_headers(form, headers, start, outcome);
    match form {
        Form::Federation => write_federation(&mut text, start, &played),
        Form::PlayOk => text.push_str(&numbered(start, &played, write_counted)),
        Form::PlayStrategy => {
            let words: Vec<String> = played.iter().map(|(sown, _)| write_letters(sown)).collect();
            text.push_str(&words.join(" "));
        }
        Form::Plain => text.push_str(&numbered(start, &played, |sown, _| write_digits(sown))),
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push(' ');
    }
    text.push_str(outcome_text(form, outcome));
    if form == Form::PlayOk && position.phase() == TogyzkumalakPhase::Atsyrau {
        text.push_str(" {zero}");
    }
    text.push('\n');
    Ok(text)
}

fn real_outcome(position: &TogyzkumalakPosition) -> Option<StatedResult> {
    let [first, second] = position.kazans();
    position.is_over().then(|| match first.cmp(&second) {
        std::cmp::Ordering::Greater => StatedResult::First,
        std::cmp::Ordering::Less => StatedResult::Second,
        std::cmp::Ordering::Equal => StatedResult::Draw,
    })
}

fn outcome_text(form: Form, outcome: StatedResult) -> &'static str {
    let (first, second) = match outcome {
        StatedResult::Score(first, second) => (first, second),
        StatedResult::First => (1, 0),
        StatedResult::Second => (0, 1),
        StatedResult::Draw => (1, 1),
        StatedResult::Open => return "*",
    };
    match (first.cmp(&second), form) {
        (std::cmp::Ordering::Greater, _) => "1-0",
        (std::cmp::Ordering::Less, _) => "0-1",
        (std::cmp::Ordering::Equal, Form::Federation) => "0,5-0,5",
        (std::cmp::Ordering::Equal, _) => "1/2-1/2",
    }
}

fn write_headers(
    form: Form,
    headers: &TogyzkumalakHeaders,
    start: &TogyzkumalakPosition,
    outcome: StatedResult,
) -> String {
    let mut text = String::new();
    let mut header = |key: &str, value: &str| {
        let clean: String = value.chars().filter(|c| !matches!(c, '"' | '{' | '}')).collect();
        let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("[{key} \"{clean}\"]\n"));
    };
    for (key, value) in headers {
        header(key, value);
    }
    let has = |name: &str| headers.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
    if form == Form::PlayOk && !has("Result") {
        header("Result", outcome_text(form, outcome));
    }
    let habit = [start.variant(), form.variant()] == [Variant::Seed; 2];
    if !habit && !has("Variant") {
        header("Variant", &start.variant().write());
    }
    if *start != TogyzkumalakPosition::start(start.variant()) && !has("Position") {
        header("Position", &write_position(start, 0));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Five pairs a line, then the diagram.
fn write_federation(
    text: &mut String,
    start: &TogyzkumalakPosition,
    played: &[(Sown, TogyzkumalakPosition)],
) {
    let mut before = *start;
    let mut number = 0;
    let tens = played.chunks(10);
    for ten in tens {
        let words =
            words(&before, ten, &mut number, |sown, _| write_digits(sown).replace('X', "x"));
        text.push_str(&words.join(" "));
        if let ([.., (_, last)], 10) = (ten, ten.len()) {
            text.push('\n');
            text.push_str(&Diagram::from_position(last).write());
            text.push('\n');
            before = *last;
        }
    }
}

fn numbered(
    start: &TogyzkumalakPosition,
    played: &[(Sown, TogyzkumalakPosition)],
    write: impl Fn(&Sown, &TogyzkumalakPosition) -> String,
) -> String {
    words(start, played, &mut 0, write).join(" ")
}

/// The moves as words; a number precedes each ordinary move of the first player.
fn words(
    start: &TogyzkumalakPosition,
    played: &[(Sown, TogyzkumalakPosition)],
    number: &mut usize,
    write: impl Fn(&Sown, &TogyzkumalakPosition) -> String,
) -> Vec<String> {
    let mut words = Vec::with_capacity(played.len() * 3 / 2 + 1);
    if *number == 0 && (start.side() == 1 || start.phase() == TogyzkumalakPhase::Extra) {
        *number = 1;
        words.push("1...".to_owned());
    }
    for (sown, after) in played {
        if sown.side == 0 && !sown.extra {
            *number += 1;
            words.push(format!("{number}."));
        }
        words.push(write(sown, after));
    }
    words
}
