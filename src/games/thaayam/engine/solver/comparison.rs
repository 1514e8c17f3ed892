//! Compares the networks and the players with exact values, along games between perfect players.

use super::ThaayamSolution;
use super::position_of;
use crate::rules::{Entropy, Seat};
use crate::search::{ComputerLevel, SeededRng, ThinkBudget};
use crate::thaayam::board::FORTRESS;
use crate::thaayam::engine::ENDS_MAX;
use crate::thaayam::engine::choice::{LevelStyle, choose, winning_chance};
use crate::thaayam::engine::evaluator::Evaluator;
use crate::thaayam::engine::seats::TurnStart;
use crate::thaayam::engine::simple_opponents::{draw, greedy};
use crate::thaayam::outcomes::TurnOutcome;
use crate::thaayam::position::PlayerPieces;
use crate::thaayam::turn::ThaayamTurn;

/// Number of turns with a choice that are compared.
const CHOICES: u32 = 3_000;
/// Smaller losses are the rounding of the table.
const NOTICED: f32 = 4e-5;

/// The losses of one player against the best choices.
#[derive(Default)]
struct LossCount {
    worse: u32,
    sum: f64,
    largest: f32,
}

impl LossCount {
    fn add(&mut self, loss: f32) {
        if loss > NOTICED {
            self.worse += 1;
            self.sum += f64::from(loss);
            self.largest = self.largest.max(loss);
        }
    }

    fn text(&self, name: &str, choices: u32) -> String {
        let all = f64::from(choices.max(1));
        format!(
            "{name} chooses a worse end in {:.1} % of {choices} turns with a choice and loses \
             {:.5} a turn on average, {:.4} at most",
            100.0 * f64::from(self.worse) / all,
            self.sum / all,
            self.largest
        )
    }
}

/// The comparison, line by line. The same table gives the same lines.
pub(super) fn compare_players(solution: &ThaayamSolution) -> Vec<String> {
    let exact = Evaluator::new(Some(solution));
    let mut rng = SeededRng::new(1);
    let mut losses = [const { LossCount { worse: 0, sum: 0.0, largest: 0.0 } }; 3];
    let mut choices = 0;
    let mut positions = 0u32;
    let mut sum = 0.0f64;
    let mut largest = 0.0f32;
    let mut at = start_of_game(solution, &mut rng);
    let mut throws = Vec::new();
    while choices < CHOICES {
        let error = error_of_nets(&exact, &at);
        (sum, largest) = (sum + f64::from(error), largest.max(error));
        positions += 1;
        draw(&mut rng, &mut throws);
        let turn = ThaayamTurn::new(&at.position, at.next, &throws);
        let ends = turn.outcomes(ENDS_MAX);
        if ends.len() > 1 {
            choices += 1;
        }
        let best = compare_choices(&exact, &at, &turn, &ends, &mut losses);
        at = best.map_or(at, |end| TurnStart::after(&at.position, at.next, &end));
        if at.is_won {
            at = start_of_game(solution, &mut rng);
        }
    }
    let mut lines = vec![format!(
        "the networks err by {:.4} on average and {largest:.4} at most in {positions} positions",
        sum / f64::from(positions)
    )];
    for (name, loss) in ["learned", "master", "greedy"].into_iter().zip(&losses) {
        lines.push(loss.text(name, choices));
    }
    lines
}

/// The best end; what learned, master and greedy lose by their choices is added to `losses`.
fn compare_choices(
    exact: &Evaluator<'_>,
    at: &TurnStart,
    turn: &ThaayamTurn,
    ends: &[TurnOutcome],
    losses: &mut [LossCount; 3],
) -> Option<TurnOutcome> {
    let value = |end: &TurnOutcome| {
        winning_chance(exact, &TurnStart::after(&at.position, at.next, end), at.next)
    };
    let best = *ends.iter().max_by(|a, b| value(a).total_cmp(&value(b)))?;
    if ends.len() > 1 {
        let nets = Evaluator::new(None);
        let styles = [LevelStyle::LEARNED, LevelStyle::for_level(ComputerLevel::Master)];
        for (style, loss) in styles.into_iter().zip(losses.iter_mut()) {
            let budget = ThinkBudget::OF_LEVEL;
            let mut unused = SeededRng::new(0);
            let chosen =
                choose((style, &nets), &at.position, turn, ends, &budget, &mut unused)?.end;
            loss.add(value(&best) - value(&chosen));
        }
        let measure = |end: &TurnOutcome| greedy(&end.applied(&at.position, at.next), at.next);
        let chosen = ends.iter().max_by(|a, b| measure(a).total_cmp(&measure(b)))?;
        losses[2].add(value(&best) - value(chosen));
    }
    Some(best)
}

fn error_of_nets(exact: &Evaluator<'_>, at: &TurnStart) -> f32 {
    let learned = winning_chance(&Evaluator::new(None), at, at.next);
    (learned - winning_chance(exact, at, at.next)).abs()
}

fn between(solution: &ThaayamSolution, own: PlayerPieces, other: PlayerPieces) -> TurnStart {
    let position = position_of(solution.sides(), own, other);
    TurnStart { position, next: Seat(0), is_won: false }
}

/// All pieces in hand; where the table does not have that position, any sides with as many pieces
/// outside the fortress as it has.
fn start_of_game(solution: &ThaayamSolution, rng: &mut SeededRng) -> TurnStart {
    let sides = solution.sides();
    let start = PlayerPieces::in_hand(sides.pieces());
    if sides.rank(&start).is_some() {
        return between(solution, start, start);
    }
    let away = |rank: usize| sides.side(rank).steps().iter().filter(|it| **it < FORTRESS).count();
    let most = away(0);
    let mut draw = || loop {
        let rank = rng.below(sides.len() as u32) as usize;
        if away(rank) == most {
            return *sides.side(rank);
        }
    };
    let own = draw();
    let other = draw();
    between(solution, own, other)
}
