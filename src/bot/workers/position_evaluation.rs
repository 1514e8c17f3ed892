//! Evaluates single positions for people who analyse: the best action and a few alternatives.
//!
//! Effort is measured in positions and each evaluation begins with an empty memory, so the same
//! position always gets the same one. A newer evaluation for a person stops an older one, whose
//! answer nobody waits for, so each person has one place in the queue.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::engine_pool::{EngineCache, ThinkPriority};
use super::{StopOnDrop, Workers, is_certain};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::search::{ComputerLevel, PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_games::{Computer, GameId, Match};

/// The actions that are evaluated: the best one and three alternatives.
const ACTIONS_MAX: usize = 4;

/// Target times in milliseconds of an ordinary core: of the search for the best action, and of each
/// search for an alternative.
const BEST_MS: u64 = 120;
const ALTERNATIVE_MS: u64 = 50;

/// The most searches of one evaluation: some find an action again that leads to the same position.
const SEARCHES_MAX: usize = 6;

/// The most people whose evaluations wait or run at a time.
const WAITING_MAX: usize = 64;

/// The longest time that a person waits for an evaluation, on a slow or busy machine. It is real,
/// because people wait.
const WAIT_MAX: Duration = Duration::from_secs(6);

/// The seed of the random numbers of an evaluation.
const SEED: u64 = 1;

/// An action of the seat to move with the chance that the first seat wins after it, in thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionChance {
    /// The action, in record notation.
    pub token: String,
    /// The chance of the first seat.
    pub chance: u16,
}

/// A position as a strong player evaluates it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvaluatedPosition {
    /// The chance that the first seat wins, in thousandths; `None` if it cannot be told.
    pub chance: Option<u16>,
    /// The best actions, the best first.
    pub actions: Vec<ActionChance>,
}

/// There is no evaluation because too many wait, it took too long, or the same person has asked for
/// another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationBusy;

/// The evaluations that wait or run, one for each person.
#[derive(Default)]
pub(super) struct PositionEvaluations(Arc<Mutex<HashMap<PersonId, RunningEvaluation>>>);

/// How an evaluation is ended for a newer one.
struct RunningEvaluation {
    stop: Arc<AtomicBool>,
    /// Wakes the request that waits for it.
    replaced: Arc<Notify>,
}

impl PositionEvaluations {
    /// Begins an evaluation for a person, and ends the one that they asked for before. `None` if
    /// too many people wait.
    fn begin(&self, person: &PersonId) -> Option<EvaluationGuard> {
        let mut all = self.0.lock();
        if all.len() >= WAITING_MAX && !all.contains_key(person) {
            return None;
        }
        let stop = StopOnDrop::default();
        let replaced = Arc::new(Notify::new());
        let running = RunningEvaluation { stop: stop.0.clone(), replaced: replaced.clone() };
        if let Some(older) = all.insert(person.clone(), running) {
            older.stop.store(true, Ordering::Relaxed);
            older.replaced.notify_one();
        }
        Some(EvaluationGuard { all: self.0.clone(), person: person.clone(), stop, replaced })
    }
}

/// An evaluation that a person waits for. It stops when this is dropped.
struct EvaluationGuard {
    all: Arc<Mutex<HashMap<PersonId, RunningEvaluation>>>,
    person: PersonId,
    stop: StopOnDrop,
    replaced: Arc<Notify>,
}

impl Drop for EvaluationGuard {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if all.get(&self.person).is_some_and(|it| Arc::ptr_eq(&it.stop, &self.stop.0)) {
            all.remove(&self.person);
        }
    }
}

impl Workers {
    /// Evaluates a position for a person, after all moves of computers and all reviews. People take
    /// turns by the chat in which they ask.
    ///
    /// # Errors
    /// When there is no room, or a newer request of the same person.
    pub async fn evaluate_position(
        &self,
        chat: &ChatId,
        person: &PersonId,
        game: GameId,
        position: Box<dyn Match>,
    ) -> Result<EvaluatedPosition, EvaluationBusy> {
        let guard = self.position_evaluations.begin(person).ok_or(EvaluationBusy)?;
        let stop = guard.stop.0.clone();
        let job = move |_: &mut EngineCache| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            // The memory of engines that play would give another evaluation each time.
            let mut computer = game.computer(ComputerLevel::Master.code())?;
            let evaluated = evaluate(&mut *computer, game, position, &stop);
            (!stop.load(Ordering::Relaxed)).then_some(evaluated)
        };
        let evaluated = self.pool.run_job(chat, ThinkPriority::Evaluation, job);
        tokio::select! {
            biased;
            () = guard.replaced.notified() => Err(EvaluationBusy),
            evaluated = tokio::time::timeout(WAIT_MAX, evaluated) => match evaluated {
                Ok(Ok(Some(evaluated))) => Ok(evaluated),
                Ok(Ok(None) | Err(_)) | Err(_) => Err(EvaluationBusy),
            }
        }
    }
}

/// Evaluates a position of a game of two. An interrupted evaluation has no meaning.
fn evaluate(
    computer: &mut dyn Computer,
    game: GameId,
    mut position: Box<dyn Match>,
    stop: &AtomicBool,
) -> EvaluatedPosition {
    let (seat, is_before_chance) = match position.node() {
        Node::Over(scores) => {
            return EvaluatedPosition { chance: Some(result(&scores)), actions: Vec::new() };
        }
        Node::Act(seat) => (seat, false),
        Node::Chance => match cover_chance(&mut *position) {
            Some(seat) => (seat, true),
            None => return EvaluatedPosition::default(),
        },
    };
    let mut searches = PositionSearches { computer, position: &*position, seat, stop };
    let budget =
        |ms: u64| ThinkBudget::OF_LEVEL.nodes((game.nodes_per_second() * ms / 1_000).max(1));
    let mut candidates = candidates(&*position, seat, stop);
    let mut actions: Vec<ActionChance> = Vec::new();
    let mut ends: Vec<Vec<String>> = Vec::new();
    for n in 0..SEARCHES_MAX {
        let ms = if n == 0 { BEST_MS } else { ALTERNATIVE_MS };
        let Some(evaluation) = searches.think(&candidates, budget(ms)) else { break };
        if n == 0 && is_certain(&evaluation) && !is_before_chance {
            // Nothing was searched because there is no choice: the position after it tells more.
            break;
        }
        candidates.retain(|it| *it != evaluation.action);
        let mut end = evaluation.line.clone();
        end.sort();
        if !ends.contains(&end) {
            ends.push(end);
            let chance = of_first_seat(seat, evaluation.chance);
            actions.push(ActionChance { token: evaluation.action, chance });
        }
        if actions.len() == ACTIONS_MAX || is_before_chance {
            break;
        }
    }
    // A later search may have gone deeper than an earlier one.
    actions.sort_by_key(|it| std::cmp::Reverse(of_first_seat(seat, it.chance)));
    let chance = actions.first().map(|it| it.chance);
    EvaluatedPosition { chance, actions: if is_before_chance { Vec::new() } else { actions } }
}

/// Lets chance have some outcome that the seat to move has not seen yet; gives that seat. `None` if
/// the outcome is seen at once, so that any evaluation would be that of this outcome.
fn cover_chance(position: &mut dyn Match) -> Option<Seat> {
    let outcome = position.draw_chance(&mut SeededRng::new(SEED));
    position.apply_chance(&outcome).ok()?;
    let Node::Act(seat) = position.node() else { return None };
    let is_covered = position.forced_action().is_none() && position.choices(seat).len() == 1;
    is_covered.then_some(seat)
}

/// The actions to compare: those that have buttons first, without those that take something back.
/// Some are missing if it was stopped.
fn candidates(position: &dyn Match, seat: Seat, stop: &AtomicBool) -> Vec<String> {
    let goes_on = |token: &String| {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let mut after = position.clone_box();
        after.apply_action(seat, token).is_ok() && !after.takes_back_decision()
    };
    let panel = position.panel(seat, 0).rows.into_iter().flatten();
    panel.map(|it| it.token).filter(goes_on).collect()
}

/// The chance of the first seat, from the chance of a seat, or the other way round.
fn of_first_seat(seat: Seat, chance: u16) -> u16 {
    let chance = chance.min(1_000);
    if seat == Seat(0) { chance } else { 1_000 - chance }
}

/// The result for the first seat, as a chance.
fn result(scores: &[i32]) -> u16 {
    let [first, second] = *scores else { return 500 };
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => 1_000,
        std::cmp::Ordering::Equal => 500,
        std::cmp::Ordering::Less => 0,
    }
}

/// The searches of one position.
struct PositionSearches<'a> {
    computer: &'a mut dyn Computer,
    position: &'a dyn Match,
    seat: Seat,
    stop: &'a AtomicBool,
}

impl PositionSearches<'_> {
    /// The best of these actions; `None` if there are none, or if it was stopped.
    fn think(
        &mut self,
        tokens: &[String],
        budget: ThinkBudget<'_>,
    ) -> Option<PlayerEvaluation<String>> {
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let question = self.position.engine_question(self.seat)?.restricted_to(&tokens)?;
        let budget = budget.until(self.stop);
        let mut random = SeededRng::new(SEED);
        let evaluation = self.computer.think(&question, &budget, &mut random, &mut |_| {})?;
        (!self.stop.load(Ordering::Relaxed)).then_some(evaluation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> PersonId {
        PersonId(name.to_owned())
    }

    fn evaluated(game: &str, position: Option<&str>) -> EvaluatedPosition {
        let game = GameId::from_code(game).expect("the game exists");
        let options = game.info().default_options();
        let position = match position {
            Some(text) => game.match_from_position(&options, 2, text).expect("it is a position"),
            None => game.start_match(&options, 2).expect("two can play"),
        };
        let mut computer = game.computer(ComputerLevel::Master.code()).expect("there is a master");
        evaluate(&mut *computer, game, position, &AtomicBool::new(false))
    }

    #[test]
    fn a_newer_evaluation_of_a_person_stops_the_older_one() {
        let all = PositionEvaluations::default();
        let begin = |name: &str| all.begin(&person(name)).expect("there is room");
        let is_stopped = |it: &EvaluationGuard| it.stop.0.load(Ordering::Relaxed);
        let older = begin("ann");
        let others = begin("bek");
        let newer = begin("ann");
        assert!(is_stopped(&older));
        drop(older);
        assert!(!is_stopped(&newer) && !is_stopped(&others));
        assert_eq!(all.0.lock().len(), 2);
        let stop = newer.stop.0.clone();
        drop((newer, others));
        assert!(stop.load(Ordering::Relaxed), "nobody waits for it any more");
        assert!(all.0.lock().is_empty());
    }

    #[tokio::test]
    async fn one_person_fills_one_place_however_often_they_ask() {
        let all = PositionEvaluations::default();
        let mut asked: Vec<_> =
            (0..3 * WAITING_MAX).map(|_| all.begin(&person("ann")).expect("it is one")).collect();
        let last = asked.pop().expect("there are many");
        for older in asked {
            // The requests that wait for them are answered at once.
            older.replaced.notified().await;
        }
        let others: Vec<_> =
            (1..WAITING_MAX).filter_map(|n| all.begin(&person(&n.to_string()))).collect();
        assert_eq!(others.len() + 1, WAITING_MAX);
        assert!(all.begin(&person("late")).is_none(), "all places are taken");
        drop(last);
        assert!(all.begin(&person("late")).is_some());
    }

    #[test]
    fn every_open_game_is_evaluated_and_twice_alike() {
        for game in GameId::all().iter().filter(|it| it.has_setup()) {
            let code = game.info().code;
            let first = evaluated(code, None);
            assert!(
                (200..=800).contains(&first.chance.expect("a beginning has chances")),
                "{code}"
            );
            assert!(first.actions.len() <= ACTIONS_MAX);
            let falls = |pair: &[ActionChance]| pair[0].chance >= pair[1].chance;
            assert!(first.actions.windows(2).all(falls), "{first:?}");
            assert_eq!(evaluated(code, None), first);
        }
    }

    #[test]
    fn the_chance_of_a_finished_game_is_its_result() {
        assert_eq!((result(&[88, 10]), result(&[10, 88]), result(&[81, 81])), (1_000, 0, 500));
        assert_eq!((of_first_seat(Seat(0), 700), of_first_seat(Seat(1), 700)), (700, 300));
    }
}
