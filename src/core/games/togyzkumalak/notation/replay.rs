//! Plays a record through and checks everything that it claims.

use super::super::position::{Phase, Position, STONES, Sown, Variant};
use super::moves::{Written, play_written};
use super::position::{Diagram, read_position};
use super::reader::{Claim, Game, Outcome, Unreadable};

/// A record that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, as a sentence.
    pub message: String,
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for RecordError {}

impl From<Unreadable> for RecordError {
    fn from(Unreadable { line, message }: Unreadable) -> Self {
        Self { line, message }
    }
}

/// A record that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The rules under which it holds.
    pub variant: Variant,
    /// Where it begins.
    pub start: Position,
    /// Moves made before that.
    pub plies_before: u16,
    /// Every move with the position after it.
    pub moves: Vec<(Sown, Position)>,
    /// The result that the record states, if any.
    pub stated: Option<Outcome>,
}

impl Replayed {
    /// The position after the last move.
    pub fn last(&self) -> &Position {
        self.moves.last().map_or(&self.start, |(_, position)| position)
    }
}

/// Plays a game of a record. Without a variant its header decides, then the habit of its form;
/// if the record does not hold so but does under the other common variant, that one is taken.
///
/// # Errors
/// At the first claim that is not so.
pub fn replay(game: &Game, variant: Option<Variant>) -> Result<Replayed, RecordError> {
    if let Some(variant) = variant.or_else(|| game.stated_variant()) {
        return replay_as(game, variant);
    }
    let habit = game.form.variant();
    let other = if habit == Variant::Seed { Variant::Short } else { Variant::Seed };
    replay_as(game, habit).or_else(|refused| replay_as(game, other).map_err(|_| refused))
}

fn replay_as(game: &Game, variant: Variant) -> Result<Replayed, RecordError> {
    let (start, plies_before) = match &game.start {
        None => (Position::start(variant), 0),
        Some((line, text)) => {
            read_position(text, variant).map_err(|message| RecordError { line: *line, message })?
        }
    };
    let mut replayed = Replayed { variant, start, plies_before, moves: Vec::new(), stated: None };
    for (line, claim) in &game.claims {
        check(&mut replayed, claim).map_err(|message| RecordError { line: *line, message })?;
    }
    Ok(replayed)
}

fn check(replayed: &mut Replayed, claim: &Claim) -> Result<(), String> {
    match claim {
        Claim::Move(written) => play(replayed, written),
        Claim::Diagram(diagram) => check_diagram(diagram, replayed.last()),
        Claim::Result(outcome) => {
            check_outcome(*outcome, replayed.last())?;
            replayed.stated = Some(*outcome);
            Ok(())
        }
    }
}

fn play(replayed: &mut Replayed, written: &Written) -> Result<(), String> {
    let mut position = *replayed.last();
    let number = replayed.moves.len() + 1;
    let sown = play_written(&mut position, written)
        .map_err(|message| format!("move {number}: {message}"))?;
    replayed.moves.push((sown, position));
    Ok(())
}

fn check_diagram(diagram: &Diagram, position: &Position) -> Result<(), String> {
    let real = Diagram::of(position);
    if *diagram == real {
        return Ok(());
    }
    Err(format!("the diagram differs from the game, which stands at {}", real.write()))
}

fn check_outcome(outcome: Outcome, position: &Position) -> Result<(), String> {
    let [first, second] = position.kazans();
    let real = match (position.phase(), first.cmp(&second)) {
        (Phase::Turn | Phase::Extra, _) => None,
        (Phase::Majority | Phase::Atsyrau, std::cmp::Ordering::Greater) => Some(Outcome::First),
        (Phase::Majority | Phase::Atsyrau, std::cmp::Ordering::Less) => Some(Outcome::Second),
        (Phase::Majority | Phase::Atsyrau, std::cmp::Ordering::Equal) => Some(Outcome::Draw),
    };
    let holds = match (outcome, real) {
        (Outcome::Open, _) | (Outcome::First | Outcome::Second | Outcome::Draw, None) => true,
        (Outcome::Score(a, b), None) => u16::from(a) + u16::from(b) <= u16::from(STONES),
        // Some programs collect after 82 as well, so a score may be higher than the kazans.
        (Outcome::Score(a, b), Some(_)) => {
            a >= first && b >= second && a.cmp(&b) == first.cmp(&second)
        }
        (outcome, Some(real)) => outcome == real,
    };
    if holds { Ok(()) } else { Err(format!("the game ended {first}-{second}, not so")) }
}
