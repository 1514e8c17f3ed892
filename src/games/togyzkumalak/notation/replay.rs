//! Plays a record and checks all its claims.

use super::super::position::{STONES, Sown, TogyzkumalakPhase, TogyzkumalakPosition, Variant};
use super::moves::{Written, play_written};
use super::notation_errors::{TogyzkumalakRecordError, TogyzkumalakRecordFault};
use super::position::{Diagram, read_position};
use super::reader::{Claim, ParsedGame, StatedResult};

/// A record whose claims are all right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedTogyzkumalakRecord {
    /// The variant under which they are right.
    pub variant: Variant,
    /// The initial position.
    pub start: TogyzkumalakPosition,
    /// Moves made before that.
    pub plies_before: u16,
    /// Every move with the position after it.
    pub moves: Vec<(Sown, TogyzkumalakPosition)>,
    /// The result that the record states, if any.
    pub stated: Option<StatedResult>,
}

impl ReplayedTogyzkumalakRecord {
    /// The position after the last move.
    pub fn last(&self) -> &TogyzkumalakPosition {
        self.moves.last().map_or(&self.start, |(_, position)| position)
    }
}

/// Plays a game of a record. Without a variant its header decides, then the usual variant of its
/// form; if the claims fail there but are right under the other common variant, that one is taken.
///
/// # Errors
/// At the first wrong claim.
pub fn replay(
    game: &ParsedGame,
    variant: Option<Variant>,
) -> Result<ReplayedTogyzkumalakRecord, TogyzkumalakRecordError> {
    let stated = game.stated_variant()?;
    if let Some(variant) = variant.or(stated) {
        return replay_as(game, variant);
    }
    let habit = game.form.variant();
    let other = if habit == Variant::Seed { Variant::Short } else { Variant::Seed };
    replay_as(game, habit).or_else(|refused| replay_as(game, other).map_err(|_| refused))
}

fn replay_as(
    game: &ParsedGame,
    variant: Variant,
) -> Result<ReplayedTogyzkumalakRecord, TogyzkumalakRecordError> {
    let (start, plies_before) = match &game.start {
        None => (TogyzkumalakPosition::start(variant), 0),
        Some((line, text)) => read_position(text, variant)
            .map_err(TogyzkumalakRecordFault::Position)
            .map_err(TogyzkumalakRecordError::at(*line))?,
    };
    let mut replayed = ReplayedTogyzkumalakRecord {
        variant,
        start,
        plies_before,
        moves: Vec::new(),
        stated: None,
    };
    for (line, claim) in &game.claims {
        check(&mut replayed, claim).map_err(TogyzkumalakRecordError::at(*line))?;
    }
    if let Some(outcome) = game.header("Result").and_then(StatedResult::read) {
        let at_header = TogyzkumalakRecordError::at(game.line_of_header("Result"));
        check_outcome(outcome, replayed.last()).map_err(at_header)?;
    }
    Ok(replayed)
}

fn check(
    replayed: &mut ReplayedTogyzkumalakRecord,
    claim: &Claim,
) -> Result<(), TogyzkumalakRecordFault> {
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

fn play(
    replayed: &mut ReplayedTogyzkumalakRecord,
    written: &Written,
) -> Result<(), TogyzkumalakRecordFault> {
    let mut position = *replayed.last();
    let number = replayed.moves.len() + 1;
    let sown = play_written(&mut position, written)
        .map_err(|why| TogyzkumalakRecordFault::Move { number, why })?;
    replayed.moves.push((sown, position));
    Ok(())
}

fn check_diagram(
    diagram: &Diagram,
    position: &TogyzkumalakPosition,
) -> Result<(), TogyzkumalakRecordFault> {
    let real = Diagram::of(position);
    if *diagram == real {
        return Ok(());
    }
    Err(TogyzkumalakRecordFault::OtherDiagram(real))
}

fn check_outcome(
    outcome: StatedResult,
    position: &TogyzkumalakPosition,
) -> Result<(), TogyzkumalakRecordFault> {
    let [first, second] = position.kazans();
    let real = match (position.phase(), first.cmp(&second)) {
        (TogyzkumalakPhase::Turn | TogyzkumalakPhase::Extra, _) => None,
        (TogyzkumalakPhase::Majority | TogyzkumalakPhase::Atsyrau, std::cmp::Ordering::Greater) => {
            Some(StatedResult::First)
        }
        (TogyzkumalakPhase::Majority | TogyzkumalakPhase::Atsyrau, std::cmp::Ordering::Less) => {
            Some(StatedResult::Second)
        }
        (TogyzkumalakPhase::Majority | TogyzkumalakPhase::Atsyrau, std::cmp::Ordering::Equal) => {
            Some(StatedResult::Draw)
        }
    };
    let holds = match (outcome, real) {
        (StatedResult::Open, _)
        | (StatedResult::First | StatedResult::Second | StatedResult::Draw, None) => true,
        (StatedResult::Score(a, b), None) => u16::from(a) + u16::from(b) <= u16::from(STONES),
        // Some programs collect after 82 as well, so a score may be higher than the kazans.
        (StatedResult::Score(a, b), Some(_)) => {
            a >= first && b >= second && a.cmp(&b) == first.cmp(&second)
        }
        (outcome, Some(real)) => outcome == real,
    };
    if holds { Ok(()) } else { Err(TogyzkumalakRecordFault::OtherResult([first, second])) }
}
