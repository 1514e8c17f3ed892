//! Plays a record and checks all its claims.

use super::super::position::{STONES, Sown, TogyzkumalakPhase, TogyzkumalakPosition, Variant};
use super::super::rules::{Sow, Togyzkumalak};
use super::super::view::TogyzkumalakEnd;
use super::moves::{NotatedMove, play_written};
use super::notation_errors::{TogyzkumalakRecordError, TogyzkumalakRecordFault};
use super::position::{Diagram, read_position};
use super::reader::{Claim, ParsedGame, StatedResult};
use crate::rules::{Rules, Seat};

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
    /// The game after the last move; it knows the draw by repetition, which the board does not.
    pub game: Togyzkumalak,
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
        game: Togyzkumalak::from_position(start),
        stated: None,
    };
    let mut numbers = MoveNumbers { first: game.start.is_none().then_some(1) };
    for (line, claim) in &game.claims {
        check(&mut replayed, &mut numbers, claim).map_err(TogyzkumalakRecordError::at(*line))?;
    }
    if let Some(outcome) = game.header("Result").and_then(StatedResult::read) {
        let at_header = TogyzkumalakRecordError::at(game.line_of_header("Result"));
        check_outcome(outcome, &replayed.game).map_err(at_header)?;
    }
    Ok(replayed)
}

fn check(
    replayed: &mut ReplayedTogyzkumalakRecord,
    numbers: &mut MoveNumbers,
    claim: &Claim,
) -> Result<(), TogyzkumalakRecordFault> {
    match claim {
        Claim::Number(said) => numbers.check(*said, replayed),
        Claim::Move(written) => play(replayed, written),
        Claim::Diagram(diagram) => check_diagram(diagram, replayed.last()),
        Claim::Result(outcome) => {
            check_outcome(*outcome, &replayed.game)?;
            replayed.stated = Some(*outcome);
            Ok(())
        }
    }
}

/// The written numbers of moves: those of the first player are counted, extra moves are not.
struct MoveNumbers {
    /// The number of the first move; `None` while a record from a written position has not named
    /// one, because such a record may go on counting from an earlier game.
    first: Option<u32>,
}

impl MoveNumbers {
    fn check(
        &mut self,
        said: u32,
        replayed: &ReplayedTogyzkumalakRecord,
    ) -> Result<(), TogyzkumalakRecordFault> {
        let is_counted = |before: &TogyzkumalakPosition| {
            before.side() == 0 && before.phase() != TogyzkumalakPhase::Extra
        };
        let next = replayed.last();
        if next.is_over() {
            return Ok(());
        }
        let counted = |it: &&(Sown, _)| it.0.side == 0 && !it.0.extra;
        let mut before = replayed.moves.iter().filter(counted).count();
        before += usize::from(is_counted(next));
        // A game that begins with another move is in the middle of its first number.
        before -= usize::from(is_counted(&replayed.start));
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        let first = *self.first.get_or_insert(said.saturating_sub(before));
        let expected = first.saturating_add(before);
        if said == expected {
            return Ok(());
        }
        Err(TogyzkumalakRecordFault::OtherNumber { said, expected })
    }
}

fn play(
    replayed: &mut ReplayedTogyzkumalakRecord,
    written: &NotatedMove,
) -> Result<(), TogyzkumalakRecordFault> {
    let mut position = *replayed.last();
    let number = replayed.moves.len() + 1;
    if let Some(end) = replayed.game.end() {
        return Err(TogyzkumalakRecordFault::AfterEnd { number, end });
    }
    let sown = play_written(&mut position, written)
        .map_err(|why| TogyzkumalakRecordFault::Move { number, why })?;
    let seat = Seat(sown.side);
    let sow = Sow(sown.from);
    let applied = replayed.game.apply_action(seat, &sow, &mut Vec::new());
    applied.expect("the game has the position in which this move was legal");
    replayed.moves.push((sown, position));
    Ok(())
}

fn check_diagram(
    diagram: &Diagram,
    position: &TogyzkumalakPosition,
) -> Result<(), TogyzkumalakRecordFault> {
    let real = Diagram::from_position(position);
    if *diagram == real {
        return Ok(());
    }
    Err(TogyzkumalakRecordFault::OtherDiagram(real))
}

fn check_outcome(
    outcome: StatedResult,
    game: &Togyzkumalak,
) -> Result<(), TogyzkumalakRecordFault> {
    let [first, second] = game.scores();
    let real = game.end().map(|_| match first.cmp(&second) {
        std::cmp::Ordering::Greater => StatedResult::First,
        std::cmp::Ordering::Less => StatedResult::Second,
        std::cmp::Ordering::Equal => StatedResult::Draw,
    });
    let kazans = game.position().kazans();
    let holds = match (outcome, real) {
        (StatedResult::Open, _)
        | (StatedResult::First | StatedResult::Second | StatedResult::Draw, None) => true,
        (StatedResult::Score(a, b), None) => u16::from(a) + u16::from(b) <= u16::from(STONES),
        // A draw by repetition is written as half of all stones each, or as the kazans.
        (StatedResult::Score(a, b), Some(_)) if game.end() == Some(TogyzkumalakEnd::Repetition) => {
            [a, b] == [first, second] || [a, b] == kazans
        }
        // Some programs collect after 82 as well, so a score may be higher than the kazans.
        (StatedResult::Score(a, b), Some(_)) => {
            a >= first && b >= second && a.cmp(&b) == first.cmp(&second)
        }
        (outcome, Some(real)) => outcome == real,
    };
    if holds { Ok(()) } else { Err(TogyzkumalakRecordFault::OtherResult([first, second])) }
}
