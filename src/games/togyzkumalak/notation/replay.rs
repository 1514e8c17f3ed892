//! Plays a record through and checks everything that it claims.

use super::super::position::{Phase, Position, STONES, Sown, Variant};
use super::faults::{RecordError, RecordFault};
use super::moves::{Written, play_written};
use super::position::{Diagram, read_position};
use super::reader::{Claim, Game, Outcome};

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
        Some((line, text)) => read_position(text, variant)
            .map_err(RecordFault::Position)
            .map_err(RecordError::at(*line))?,
    };
    let mut replayed = Replayed { variant, start, plies_before, moves: Vec::new(), stated: None };
    for (line, claim) in &game.claims {
        check(&mut replayed, claim).map_err(RecordError::at(*line))?;
    }
    Ok(replayed)
}

fn check(replayed: &mut Replayed, claim: &Claim) -> Result<(), RecordFault> {
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

fn play(replayed: &mut Replayed, written: &Written) -> Result<(), RecordFault> {
    let mut position = *replayed.last();
    let number = replayed.moves.len() + 1;
    let sown =
        play_written(&mut position, written).map_err(|why| RecordFault::Move { number, why })?;
    replayed.moves.push((sown, position));
    Ok(())
}

fn check_diagram(diagram: &Diagram, position: &Position) -> Result<(), RecordFault> {
    let real = Diagram::of(position);
    if *diagram == real {
        return Ok(());
    }
    Err(RecordFault::OtherDiagram(real))
}

fn check_outcome(outcome: Outcome, position: &Position) -> Result<(), RecordFault> {
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
    if holds { Ok(()) } else { Err(RecordFault::OtherResult([first, second])) }
}
