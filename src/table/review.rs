//! Analyses a finished game: lists its decisions, and the change of the winning chances by each of
//! them.
//!
//! The engine evaluates every decision again from the view of its seat at that moment, so hidden
//! information does not count against the player.

use std::collections::{BTreeMap, BTreeSet};

use super::event::EndReason;
use super::state::{Table, TablePhase};
use super::steps::TableStep;
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::text::Arg;
use caravanserai_games::{ActionChoice, EngineQuestion, Match};
use caravanserai_results::{JudgedGame, JudgedSeat, ResultShare, final_chances};

/// The minimum number of decisions for a useful analysis.
pub const REVIEW_DECISIONS_MIN: usize = 4;

/// A drop of the winning chance that is always listed, in thousandths: less than a tenth, which
/// must never be omitted, because other searches find slightly different values.
const FALL_ALWAYS_NAMED: u16 = 75;

/// The number of moves that are listed if they cost enough, and the maximum number: a message has
/// no more buttons.
const TURNING_POINT_LIMITS: (usize, usize) = (3, 24);
const FALL_WORTH_NAMING: u16 = 30;

/// The maximum number of steps of a better line: nobody plans further ahead.
pub const LINE_MAX: usize = 6;

/// A decision of a game, with more than one possible choice.
pub struct GameDecision {
    /// The number of steps before the decision.
    pub step: u32,
    /// The seat that decided.
    pub seat: u8,
    /// The position and choices that the seat knew.
    pub asked: EngineQuestion,
    /// The choice that was made.
    pub played: String,
}

/// An engine's verdict on a decision: chances in thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionVerdict {
    /// The engine's choice.
    pub best: String,
    /// The engine's choice and the expected continuation, at most [`LINE_MAX`] steps.
    pub line: Vec<String>,
    /// The seat's chance to win before the decision.
    pub before: u16,
    /// The seat's chance to win after the choice that was made.
    pub after: u16,
    /// The best answer of the next player, where the engine can tell.
    pub answer: Option<String>,
    /// Whether the search was deep enough for the verdict to be shown.
    pub is_sure: bool,
}

impl DecisionVerdict {
    /// The drop of the winning chance.
    pub fn chance_drop(&self) -> u16 {
        self.before.saturating_sub(self.after)
    }

    /// The drop of the winning chance, if it may be shown.
    fn sure_chance_drop(&self) -> u16 {
        if self.is_sure { self.chance_drop() } else { 0 }
    }
}

/// One of the moves with the largest drop of the winning chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// The number of steps before the move.
    pub step: u32,
    /// The displayed number of the move or turn.
    pub number: u32,
    /// The seat that moved.
    pub seat: u8,
    /// The move and its effect, as described by the game.
    pub played: Arg,
    /// The better move and its effect.
    pub better: Arg,
    /// The better move and its continuation, as log tokens.
    pub line: Vec<String>,
    /// The seat that could answer the played move, and the answer.
    pub answer: Option<(u8, Arg)>,
    /// The chance before the move, in thousandths …
    pub before: u16,
    /// … and after it.
    pub after: u16,
}

/// Whether this table has a game to analyse: it is over and was played.
pub fn can_review(table: &Table) -> bool {
    let over = table.is_over();
    over && !table.setup.is_outdated() && table.history.steps.len() >= REVIEW_DECISIONS_MIN
}

/// Returns every decision of a game at a table; none when the log does not follow.
pub fn table_decisions(table: &Table) -> Vec<GameDecision> {
    let Ok(game) = table.initial_game() else { return Vec::new() };
    decisions(game, table.history.steps.iter().map(|it| (it.seat, it.token)))
}

/// Returns the decisions of a game at a table that a review is about: all but those that a player
/// took back, the steps that took them back, and those that could not change who wins, because a
/// seat had won and the others played on for their places.
pub fn reviewed_decisions(table: &Table) -> Vec<GameDecision> {
    let mut turns = table_decisions(table);
    let Ok(game) = table.initial_game() else { return turns };
    let steps = || table.history.steps.iter().map(|it| (it.seat, it.token));
    let taken_back = steps_taken_back(game.clone_box(), steps(), &turns);
    let won = winning_step(game, steps(), table.setup.seats).unwrap_or(u32::MAX);
    turns.retain(|it| it.step <= won && !taken_back.contains(&it.step));
    turns
}

/// The step by which a seat won although the others played on for their places.
fn winning_step<'a>(
    mut game: Box<dyn Match>,
    steps: impl Iterator<Item = (Option<u8>, &'a str)>,
    seats: u8,
) -> Option<u32> {
    for (step, (seat, token)) in (0..).zip(steps) {
        (TableStep { seat, token }).apply_to(&mut *game).ok()?;
        if winner_so_far(&*game, seats).is_some() {
            return Some(step);
        }
    }
    None
}

/// The seat that has won while the others play on for their places.
fn winner_so_far(game: &dyn Match, seats: u8) -> Option<u8> {
    (0..seats).find(|it| game.place(Seat(*it)) == Some(1))
}

/// Returns every decision of a game with these steps: the seat that acted, or `None` for chance,
/// and the token.
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

/// The game after this number of steps.
pub fn game_after_steps(table: &Table, steps: u32) -> Option<Box<dyn Match>> {
    let mut game = table.initial_game().ok()?;
    for it in table.history.steps.iter().take(steps as usize) {
        it.apply_to(&mut *game).ok()?;
    }
    Some(game)
}

/// Visits the game after each of its steps from `from` on, until a step does not follow.
pub fn replay_from(table: &Table, from: usize, mut see: impl FnMut(&dyn Match)) {
    if from >= table.history.steps.len() {
        return;
    }
    let Ok(mut game) = table.initial_game() else { return };
    for (n, step) in table.history.steps.iter().enumerate() {
        if step.apply_to(&mut *game).is_err() {
            return;
        }
        if n >= from {
            see(&*game);
        }
    }
}

/// The button label of a choice.
pub fn choice_label(choices: &[ActionChoice], token: &str) -> Arg {
    let label = choices.iter().find(|it| it.token == token).map(|it| it.label.clone());
    label.unwrap_or_else(|| Arg::Plain(token.to_owned()))
}

/// Formats thousandths for display.
pub fn to_percent(chance: u16) -> i64 {
    (i64::from(chance.min(1000)) + 5) / 10
}

/// The indices of the decisions with the largest drops, the largest first.
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

/// The moves with the largest drops, the largest first.
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
    let describe = |token: &str| describe_step(&*game, turn.seat, token);
    let (better, _) = describe(&it.best);
    let (played, next) = describe(&turn.played);
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

/// Describes a step of a seat and its effect, as the game states it, and returns the game after it.
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

/// Returns the winning chances of all sides in hundredths: at the start, after each move or turn as
/// displayed, and at the end. Once a seat has won while the others play on, they do not change.
/// `sides` lists the seats of each side, as in the chart of the game, `turns` are the
/// [`reviewed_decisions`].
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
    for (step, it) in (0..).zip(table.history.steps.iter()) {
        if let Some((turn, verdict)) = decided.next_if(|(turn, _)| turn.step == step)
            && let Some(verdict) = verdict
            && let Some(own) = sides.iter().position(|it| it.contains(&turn.seat))
        {
            set_chance(&mut now, own, i32::from(verdict.after.min(1000)));
        }
        if it.apply_to(&mut *game).is_err() {
            break;
        }
        if let Some(winner) = winner_so_far(&*game, table.setup.seats)
            && let Some(side) = sides.iter().position(|it| it.contains(&winner))
        {
            set_chance(&mut now, side, 1000);
        }
        if game.turn_number().is_none() || game.ends_chart_step() {
            all.push(now.clone());
        }
    }
    if let TablePhase::Over { scores, .. } = &table.phase {
        all.push(final_chances(sides, scores));
    }
    all.into_iter().map(|it| it.into_iter().map(|it| (it + 5) / 10).collect()).collect()
}

/// How each side came to its result; empty for a game without chance, for one that did not end by
/// its rules, because who resigns gives up chances that luck could still have changed, and for one
/// that is also about the places after the first. `sides` lists the seats of each side, `turns` are
/// the [`reviewed_decisions`].
pub fn result_shares(
    table: &Table,
    sides: &[Vec<u8>],
    turns: &[GameDecision],
    verdicts: &[Option<DecisionVerdict>],
) -> Vec<ResultShare> {
    let decided = turns.iter().zip(verdicts);
    let costs = decided.filter_map(|(turn, it)| Some((turn.seat, it.as_ref()?.chance_drop())));
    shares_of_costs(table, sides, costs)
}

/// The same from what each decision has cost: its seat and the drop of the winning chance.
fn shares_of_costs(
    table: &Table,
    sides: &[Vec<u8>],
    costs: impl Iterator<Item = (u8, u16)>,
) -> Vec<ResultShare> {
    let TablePhase::Over { scores, reason: EndReason::PlayedOut } = &table.phase else {
        return Vec::new();
    };
    let has_chance = table.history.steps.iter().any(|it| it.seat.is_none());
    let has_places = scores.iter().collect::<BTreeSet<_>>().len() > 2;
    if !has_chance || has_places || sides.len() < 2 {
        return Vec::new();
    }
    let mut mistakes = vec![0; sides.len()];
    for (seat, cost) in costs {
        if let Some(side) = sides.iter().position(|it| it.contains(&seat)) {
            mistakes[side] += i32::from(cost);
        }
    }
    caravanserai_results::result_shares(sides, &mistakes, scores)
}

/// The seats of each side, as in the chart of the game.
pub fn chart_sides(table: &Table) -> Vec<Vec<u8>> {
    let sample = table.game.as_deref().map(|it| it.chart_sample());
    sample.map(|it| it.lines.into_iter().map(|line| line.seats).collect()).unwrap_or_default()
}

/// The steps that took back a decision, and the decisions that they took back, in a game with these
/// steps.
fn steps_taken_back<'a>(
    mut game: Box<dyn Match>,
    steps: impl Iterator<Item = (Option<u8>, &'a str)>,
    turns: &[GameDecision],
) -> BTreeSet<u32> {
    let (mut taken_back, mut steps_of) = (BTreeSet::new(), BTreeMap::<u8, Vec<_>>::new());
    let is_decision = |step: u32| turns.binary_search_by_key(&step, |it| it.step).is_ok();
    for (step, (seat, token)) in (0..).zip(steps) {
        let is_forced = game.forced_action().as_deref() == Some(token);
        if (TableStep { seat, token }).apply_to(&mut *game).is_err() {
            break;
        }
        let Some(seat) = seat else { continue };
        let own = steps_of.entry(seat).or_default();
        if !game.takes_back_decision() {
            own.push((step, is_forced));
            continue;
        }
        taken_back.insert(step);
        // Between both there may be steps that the table played because nothing else was possible.
        while let Some((before, was_forced)) = own.pop() {
            taken_back.insert(before);
            if is_decision(before) && !was_forced {
                break;
            }
        }
    }
    taken_back
}

/// The part of a game in which the decisions of a seat are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedSpan {
    /// The seat.
    pub seat: u8,
    /// Only decisions before this step are judged.
    pub end: u32,
    /// Whether those of a round that had not ended by then are judged, too.
    pub has_unfinished: bool,
}

impl JudgedSpan {
    /// The decisions of a seat in all rounds that ended.
    pub fn whole_game(seat: u8) -> Self {
        JudgedSpan { seat, end: u32::MAX, has_unfinished: false }
    }
}

/// The cost of people's decisions in the rounds of a game, by its steps (see [`decisions`]), its
/// decisions and their verdicts. A game without rounds is one round once it is over.
pub fn judged_game(
    game: &dyn Match,
    steps: &[(Option<u8>, &str)],
    turns: &[GameDecision],
    verdicts: &[Option<DecisionVerdict>],
    spans: &[JudgedSpan],
) -> JudgedGame {
    let taken_back = steps_taken_back(game.clone_box(), steps.iter().copied(), turns);
    let ends = round_ends(game.clone_box(), steps);
    let judged = |span: &JudgedSpan| {
        let finished: Vec<u32> = ends.iter().copied().take_while(|it| *it <= span.end).collect();
        let last_end = finished.last().copied().unwrap_or_default();
        let end = if span.has_unfinished { span.end } else { last_end };
        let mut judged = JudgedSeat { seat: span.seat, ..JudgedSeat::default() };
        let mut has_unfinished = false;
        for (turn, verdict) in turns.iter().zip(verdicts) {
            let is_own = turn.seat == span.seat && turn.step < end;
            let Some(verdict) = verdict.as_ref().filter(|_| is_own) else { continue };
            if !taken_back.contains(&turn.step) {
                judged.decisions += 1;
                judged.cost += u32::from(verdict.chance_drop());
                has_unfinished |= turn.step >= last_end;
            }
        }
        judged.rounds = finished.len() as u32 + u32::from(has_unfinished);
        judged
    };
    JudgedGame { seats: spans.iter().map(judged).collect(), shares: Vec::new() }
}

/// The decisions to judge at a finished table: those of people who made them themselves.
pub fn decisions_to_judge(table: &Table) -> Vec<GameDecision> {
    let spans = table.judged_spans();
    let is_judged =
        |it: &GameDecision| spans.iter().any(|span| span.seat == it.seat && it.step < span.end);
    let mut turns = table_decisions(table);
    turns.retain(is_judged);
    turns
}

/// The cost of [`decisions_to_judge`], by their verdicts, and how much of the result came from luck
/// where these are the decisions of all seats; `None` if the steps of the log cannot be played.
pub fn judged_table(
    table: &Table,
    turns: &[GameDecision],
    verdicts: &[Option<DecisionVerdict>],
) -> Option<JudgedGame> {
    let game = table.initial_game().ok()?;
    let steps: Vec<_> = table.history.steps.iter().map(|it| (it.seat, it.token)).collect();
    let spans = table.judged_spans();
    let mut judged = judged_game(&*game, &steps, turns, verdicts, &spans);
    let is_whole = |seat: u8| spans.contains(&JudgedSpan::whole_game(seat));
    if (0..table.setup.seats).all(is_whole) {
        let taken_back = steps_taken_back(game, steps.iter().copied(), turns);
        let valid = turns.iter().zip(verdicts).filter(|(it, _)| !taken_back.contains(&it.step));
        let costs = valid.filter_map(|(turn, it)| Some((turn.seat, it.as_ref()?.chance_drop())));
        judged.shares = shares_of_costs(table, &chart_sides(table), costs);
    }
    Some(judged)
}

/// The number of steps until the end of each finished round of a game with these steps.
fn round_ends(mut game: Box<dyn Match>, steps: &[(Option<u8>, &str)]) -> Vec<u32> {
    let mut ends = Vec::new();
    for (step, (seat, token)) in (1..).zip(steps) {
        if (TableStep { seat: *seat, token }).apply_to(&mut *game).is_err() {
            break;
        }
        let finished = match game.round_points().len() {
            0 => usize::from(matches!(game.node(), Node::Over(_))),
            finished => finished,
        };
        ends.resize(finished.max(ends.len()), step);
    }
    ends
}

/// Returns the index in [`win_chances`] of the position after this step.
pub fn chart_index(table: &Table, step: u32) -> u32 {
    let Ok(mut game) = table.initial_game() else { return 0 };
    let mut shown = 1;
    for it in table.history.steps.iter().take(step as usize) {
        if it.apply_to(&mut *game).is_err() {
            break;
        }
        shown += u32::from(game.turn_number().is_none() || game.ends_chart_step());
    }
    shown
}

/// Gives one side this chance; the others keep their shares of the rest.
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
    fn chances_of_all_sides_add_up_to_one() {
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
        let best = "7".to_owned();
        let line = vec!["7".to_owned()];
        let verdict =
            DecisionVerdict { best, line, before: 400, after: 450, answer: None, is_sure: true };
        assert_eq!(verdict.chance_drop(), 0);
    }
}
