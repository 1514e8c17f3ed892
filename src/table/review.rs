//! Where a game turned: every decision of it, and what came of them in chances to win.
//!
//! Who decided is asked again from the view of their seat at that moment: what they could not
//! know is not held against them.

use super::fold::{Phase, Table};
use crate::games::{Asked, Choice, Match};
use crate::rules::Seat;
use crate::words::Arg;

/// A review of fewer decisions than this says nothing.
pub const TURNS_MIN: usize = 4;

/// At most so many moves are named.
const NAMED: usize = 3;

/// A fall of the chance that is worth naming, in thousandths.
const WORTH: u16 = 30;

/// One decision of a game: more than one thing could be done.
pub struct Turn {
    /// How many steps the game had.
    pub step: u32,
    /// Who decided.
    pub seat: u8,
    /// What they could know and do.
    pub asked: Asked,
    /// What they did.
    pub played: String,
}

/// What a player thinks of a decision: chances in thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it would have done.
    pub best: String,
    /// How likely the seat was to win.
    pub before: u16,
    /// The same after what was done.
    pub after: u16,
}

impl Verdict {
    /// How much the chance fell.
    pub fn fall(&self) -> u16 {
        self.before.saturating_sub(self.after)
    }
}

/// One of the moves that changed most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// How many steps the game had.
    pub step: u32,
    /// Who moved.
    pub seat: u8,
    /// What they did, as the game labels it.
    pub played: Arg,
    /// What would have been better.
    pub better: Arg,
    /// Chances in thousandths.
    pub before: u16,
    /// … after the move.
    pub after: u16,
}

/// Whether there is a game here to be gone through: it is over and was played.
pub fn can_be(table: &Table) -> bool {
    let over = matches!(table.phase, Phase::Over { .. });
    over && !table.outdated && table.steps.len() >= TURNS_MIN
}

/// Every decision of a game. Empty when the log does not follow.
pub fn turns(table: &Table) -> Vec<Turn> {
    let mut turns = Vec::new();
    let Ok(mut game) = table.fresh() else { return turns };
    for (step, it) in (0..).zip(table.steps.iter()) {
        if let Some(seat) = it.seat {
            let asked = game.ask(Seat(seat)).filter(|it| it.tokens().len() > 1);
            let played = it.token.to_owned();
            turns.extend(asked.map(|asked| Turn { step, seat, asked, played }));
        }
        if it.play(&mut *game).is_err() {
            break;
        }
    }
    turns
}

/// The game as it was when it had so many steps.
pub fn at(table: &Table, steps: u32) -> Option<Box<dyn Match>> {
    let mut game = table.fresh().ok()?;
    for it in table.steps.iter().take(steps as usize) {
        it.play(&mut *game).ok()?;
    }
    Some(game)
}

/// What stands on the button of a choice.
pub fn labelled(choices: &[Choice], token: &str) -> Arg {
    let label = choices.iter().find(|it| it.token == token).map(|it| it.label.clone());
    label.unwrap_or_else(|| Arg::Plain(token.to_owned()))
}

/// Thousandths as a person says them.
pub fn percent(chance: u16) -> i64 {
    (i64::from(chance.min(1000)) + 5) / 10
}

/// The moves that changed most, in the order they were made.
pub fn moments(table: &Table, turns: &[Turn], verdicts: &[Option<Verdict>]) -> Vec<Moment> {
    let mut all: Vec<(&Turn, &Verdict)> = turns
        .iter()
        .zip(verdicts)
        .filter_map(|(turn, it)| Some((turn, it.as_ref()?)))
        .filter(|(turn, it)| it.fall() >= WORTH && it.best != turn.played)
        .collect();
    all.sort_by_key(|(turn, it)| (std::cmp::Reverse(it.fall()), turn.step));
    all.truncate(NAMED);
    all.sort_by_key(|(turn, _)| turn.step);
    let moment = |(turn, it): (&Turn, &Verdict)| {
        let game = at(table, turn.step)?;
        let choices = game.choices(Seat(turn.seat));
        let label = |token: &str| labelled(&choices, token);
        Some(Moment {
            step: turn.step,
            seat: turn.seat,
            played: label(&turn.played),
            better: label(&it.best),
            before: it.before,
            after: it.after,
        })
    };
    all.into_iter().filter_map(moment).collect()
}

/// Chances of all sides in hundredths: at the beginning, at each decision, at the end. `sides` are
/// the seats of each, as the chart of the game has them.
pub fn chances(
    table: &Table,
    sides: &[Vec<u8>],
    turns: &[Turn],
    verdicts: &[Option<Verdict>],
) -> Vec<Vec<i32>> {
    let count = sides.len().max(1) as i32;
    let mut now = vec![1000 / count; sides.len()];
    let mut all = vec![now.clone()];
    for (turn, verdict) in turns.iter().zip(verdicts) {
        let Some(verdict) = verdict else { continue };
        let Some(own) = sides.iter().position(|it| it.contains(&turn.seat)) else { continue };
        share(&mut now, own, i32::from(verdict.before.min(1000)));
        all.push(now.clone());
    }
    if let Phase::Over { scores, .. } = &table.phase {
        let best = scores.iter().max();
        let won = |side: &Vec<u8>| side.iter().any(|it| scores.get(usize::from(*it)) == best);
        let winners = sides.iter().filter(|it| won(it)).count().max(1) as i32;
        all.push(sides.iter().map(|it| if won(it) { 1000 / winners } else { 0 }).collect());
    }
    all.into_iter().map(|it| it.into_iter().map(|it| (it + 5) / 10).collect()).collect()
}

/// One side has this chance; the others share the rest as they did before.
fn share(now: &mut [i32], own: usize, chance: i32) {
    let others: i32 = now.iter().sum::<i32>() - now[own];
    let rest = 1000 - chance;
    let count = now.len() as i32 - 1;
    for (n, it) in now.iter_mut().enumerate() {
        *it = match (n == own, others) {
            (true, _) => chance,
            (false, 0) => rest / count.max(1),
            (false, _) => *it * rest / others,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_has_the_others_have_not() {
        let mut two = vec![500, 500];
        share(&mut two, 0, 620);
        assert_eq!(two, [620, 380]);
        let mut three = vec![400, 200, 400];
        share(&mut three, 0, 700);
        assert_eq!(three, [700, 100, 200]);
        share(&mut three, 0, 1000);
        share(&mut three, 0, 800);
        assert_eq!(three, [800, 100, 100]);
    }

    #[test]
    fn a_better_move_is_no_fall() {
        let verdict = Verdict { best: "7".into(), before: 400, after: 450 };
        assert_eq!(verdict.fall(), 0);
    }
}
