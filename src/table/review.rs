//! Where a game turned: every decision of it, and what came of them in chances to win.
//!
//! Who decided is asked again from the view of their seat at that moment: what they could not
//! know is not held against them.

use super::state::{Table, TablePhase};
use super::steps::TableStep;
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::text::Arg;
use caravanserai_games::{ActionChoice, EngineQuestion, Match};

/// A review of fewer decisions than this says nothing.
pub const REVIEW_DECISIONS_MIN: usize = 4;

/// A fall of the chance that is always named, in thousandths: some less than the tenth that
/// nobody may miss, for other searches find a little more or less.
const FALL_ALWAYS_NAMED: u16 = 80;

/// So many moves are named in any case if they cost so much, and so many at most: more would not
/// fit under a picture.
const TURNING_POINT_LIMITS: (usize, usize) = (3, 8);
const FALL_WORTH_NAMING: u16 = 30;

/// So many steps of a better line are kept: more is nobody's plan.
pub const LINE_MAX: usize = 6;

/// One decision of a game: more than one thing could be done.
pub struct GameDecision {
    /// How many steps the game had.
    pub step: u32,
    /// Who decided.
    pub seat: u8,
    /// What they could know and do.
    pub asked: EngineQuestion,
    /// What they did.
    pub played: String,
}

/// What a player thinks of a decision: chances in thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionVerdict {
    /// What it would have done.
    pub best: String,
    /// The same and what it expects to follow, at most [`LINE_MAX`] steps.
    pub line: Vec<String>,
    /// How likely the seat was to win.
    pub before: u16,
    /// The same after what was done.
    pub after: u16,
    /// What the next one could answer to it, where that can be said.
    pub answer: Option<String>,
    /// Whether it was thought about long enough to be told.
    pub is_sure: bool,
}

impl DecisionVerdict {
    /// How much the chance fell.
    pub fn chance_drop(&self) -> u16 {
        self.before.saturating_sub(self.after)
    }

    /// The same if it may be told.
    fn sure_chance_drop(&self) -> u16 {
        if self.is_sure { self.chance_drop() } else { 0 }
    }
}

/// One of the moves that changed most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// How many steps the game had.
    pub step: u32,
    /// The number of the move or turn as people see it.
    pub number: u32,
    /// Who moved.
    pub seat: u8,
    /// What they did and what came of it, as the game says it.
    pub played: Arg,
    /// The same of what would have been better.
    pub better: Arg,
    /// What would have been better and what could follow, as logs spell it.
    pub line: Vec<String>,
    /// Who could answer what to the one that was played.
    pub answer: Option<(u8, Arg)>,
    /// Chances in thousandths.
    pub before: u16,
    /// … after the move.
    pub after: u16,
}

/// Whether there is a game here to be gone through: it is over and was played.
pub fn can_review(table: &Table) -> bool {
    let over = matches!(table.phase, TablePhase::Over { .. });
    over && !table.is_outdated && table.steps.len() >= REVIEW_DECISIONS_MIN
}

/// Every decision of a game at a table. Empty when the log does not follow.
pub fn table_decisions(table: &Table) -> Vec<GameDecision> {
    let Ok(game) = table.initial_game() else { return Vec::new() };
    decisions(game, table.steps.iter().map(|it| (it.seat, it.token)))
}

/// Every decision of a game with these steps: who acted, or nobody where chance spoke, and what.
pub fn decisions<'a>(
    mut game: Box<dyn Match>,
    steps: impl Iterator<Item = (Option<u8>, &'a str)>,
) -> Vec<GameDecision> {
    let mut turns = Vec::new();
    for (step, (seat, token)) in (0..).zip(steps) {
        if let Some(seat) = seat {
            let asked = game.engine_question(Seat(seat)).filter(|it| it.tokens().len() > 1);
            let played = token.to_owned();
            turns.extend(asked.map(|asked| GameDecision { step, seat, asked, played }));
        }
        if (TableStep { seat, token }).apply_to(&mut *game).is_err() {
            break;
        }
    }
    turns
}

/// The game as it was when it had so many steps.
pub fn game_after_steps(table: &Table, steps: u32) -> Option<Box<dyn Match>> {
    let mut game = table.initial_game().ok()?;
    for it in table.steps.iter().take(steps as usize) {
        it.apply_to(&mut *game).ok()?;
    }
    Some(game)
}

/// Shows the game after each of its steps from one on, until a step does not follow.
pub fn replay_from(table: &Table, from: usize, mut see: impl FnMut(&dyn Match)) {
    if from >= table.steps.len() {
        return;
    }
    let Ok(mut game) = table.initial_game() else { return };
    for (n, step) in table.steps.iter().enumerate() {
        if step.apply_to(&mut *game).is_err() {
            return;
        }
        if n >= from {
            see(&*game);
        }
    }
}

/// What stands on the button of a choice.
pub fn choice_label(choices: &[ActionChoice], token: &str) -> Arg {
    let label = choices.iter().find(|it| it.token == token).map(|it| it.label.clone());
    label.unwrap_or_else(|| Arg::Plain(token.to_owned()))
}

/// Thousandths as a person says them.
pub fn to_percent(chance: u16) -> i64 {
    (i64::from(chance.min(1000)) + 5) / 10
}

/// The decisions that changed most, by their places, the largest fall first.
pub fn largest_falls(turns: &[GameDecision], verdicts: &[Option<DecisionVerdict>]) -> Vec<usize> {
    let fall = |n: &usize| {
        verdicts.get(*n).and_then(Option::as_ref).map_or(0, DecisionVerdict::sure_chance_drop)
    };
    let mut all: Vec<usize> = (0..turns.len()).filter(|n| fall(n) >= FALL_WORTH_NAMING).collect();
    all.sort_by_key(|n| (std::cmp::Reverse(fall(n)), *n));
    let turned = all.iter().filter(|n| fall(n) >= FALL_ALWAYS_NAMED).count();
    all.truncate(turned.clamp(TURNING_POINT_LIMITS.0, TURNING_POINT_LIMITS.1));
    all
}

/// The moves that changed most, the largest fall first.
pub fn turning_points(
    table: &Table,
    turns: &[GameDecision],
    verdicts: &[Option<DecisionVerdict>],
) -> Vec<TurningPoint> {
    let falls = largest_falls(turns, verdicts).into_iter();
    let known = falls.filter_map(|n| Some((&turns[n], verdicts[n].as_ref()?)));
    known.filter_map(|(turn, it)| turning_point(table, turn, it)).collect()
}

fn turning_point(table: &Table, turn: &GameDecision, it: &DecisionVerdict) -> Option<TurningPoint> {
    let game = game_after_steps(table, turn.step)?;
    let said = |token: &str| describe_step(&*game, turn.seat, token);
    let (better, _) = said(&it.best);
    let (played, next) = said(&turn.played);
    let answer = next.zip(it.answer.as_deref()).and_then(|(next, token)| {
        let Node::Act(seat) = next.node() else { return None };
        (seat.0 != turn.seat).then(|| (seat.0, self::describe_step(&*next, seat.0, token).0))
    });
    Some(TurningPoint {
        step: turn.step,
        number: game.turn_number().unwrap_or(turn.step + 1),
        seat: turn.seat,
        played,
        better,
        line: it.line.clone(),
        answer,
        before: it.before,
        after: it.after,
    })
}

/// What a seat does here, and what comes of it, as the game says it; and the game after it.
fn describe_step(game: &dyn Match, seat: u8, token: &str) -> (Arg, Option<Box<dyn Match>>) {
    let label = choice_label(&game.choices(Seat(seat)), token);
    let mut next = game.clone_box();
    if next.apply_action(Seat(seat), token).is_err() {
        return (label, None);
    }
    let mut parts = next.describe_action(Seat(seat), label);
    let part = if parts.len() == 1 { parts.pop() } else { None };
    (part.unwrap_or(Arg::List(parts)), Some(next))
}

/// Chances of all sides in hundredths: at the beginning, after each move or turn as people number
/// them, at the end. `sides` are the seats of each, as the chart of the game has them.
pub fn win_chances(
    table: &Table,
    sides: &[Vec<u8>],
    turns: &[GameDecision],
    verdicts: &[Option<DecisionVerdict>],
) -> Vec<Vec<i32>> {
    let Ok(mut game) = table.initial_game() else { return Vec::new() };
    let count = sides.len().max(1) as i32;
    let mut now = vec![1000 / count; sides.len()];
    let mut all = vec![now.clone()];
    let mut decided = turns.iter().zip(verdicts).peekable();
    for (step, it) in (0..).zip(table.steps.iter()) {
        if let Some((turn, verdict)) = decided.next_if(|(turn, _)| turn.step == step)
            && let Some(verdict) = verdict
            && let Some(own) = sides.iter().position(|it| it.contains(&turn.seat))
        {
            set_chance(&mut now, own, i32::from(verdict.after.min(1000)));
        }
        if it.apply_to(&mut *game).is_err() {
            break;
        }
        if game.turn_number().is_none() || game.ends_chart_step() {
            all.push(now.clone());
        }
    }
    if let TablePhase::Over { scores, .. } = &table.phase {
        let best = scores.iter().max();
        let won = |side: &Vec<u8>| side.iter().any(|it| scores.get(usize::from(*it)) == best);
        let winners = sides.iter().filter(|it| won(it)).count().max(1) as i32;
        all.push(sides.iter().map(|it| if won(it) { 1000 / winners } else { 0 }).collect());
    }
    all.into_iter().map(|it| it.into_iter().map(|it| (it + 5) / 10).collect()).collect()
}

/// The place in [`win_chances`] that shows what this step led to.
pub fn chart_index(table: &Table, step: u32) -> u32 {
    let Ok(mut game) = table.initial_game() else { return 0 };
    let mut shown = 1;
    for it in table.steps.iter().take(step as usize) {
        if it.apply_to(&mut *game).is_err() {
            break;
        }
        shown += u32::from(game.turn_number().is_none() || game.ends_chart_step());
    }
    shown
}

/// One side has this chance; the others share the rest as they did before.
fn set_chance(now: &mut [i32], own: usize, chance: i32) {
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
        set_chance(&mut two, 0, 620);
        assert_eq!(two, [620, 380]);
        let mut three = vec![400, 200, 400];
        set_chance(&mut three, 0, 700);
        assert_eq!(three, [700, 100, 200]);
        set_chance(&mut three, 0, 1000);
        set_chance(&mut three, 0, 800);
        assert_eq!(three, [800, 100, 100]);
    }

    #[test]
    fn a_better_move_is_no_fall() {
        let (best, line) = ("7".to_owned(), vec!["7".to_owned()]);
        let verdict =
            DecisionVerdict { best, line, before: 400, after: 450, answer: None, is_sure: true };
        assert_eq!(verdict.chance_drop(), 0);
    }
}
