//! Evaluates single positions for people who analyse: the best action and a few alternatives.
//!
//! Effort is measured in positions and each evaluation begins with an empty memory, so the same
//! position always gets the same one. A newer evaluation for a person stops an older one, whose
//! answer nobody waits for, and only so many wait at a time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::engine_pool::{EngineCache, ThinkPriority};
use super::{Workers, is_certain};
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::search::{ComputerLevel, SeededRng, ThinkBudget, Thought};
use caravanserai_games::{Computer, GameId, Match};

/// The actions that are evaluated: the best one and three alternatives.
const ACTIONS_MAX: usize = 4;

/// Target times in milliseconds of an ordinary core: of the search for the best action, and of each
/// search for an alternative.
const BEST_MS: u64 = 120;
const ALTERNATIVE_MS: u64 = 50;

/// The most searches of one evaluation: some find an action again that leads to the same position.
const SEARCHES_MAX: usize = 6;

/// The most evaluations that wait or run at a time.
const WAITING_MAX: usize = 8;

/// The longest time that a person waits for an evaluation, on a slow or busy machine. It is real,
/// because people wait.
const WAIT_MAX: Duration = Duration::from_secs(6);

/// The seed of the random numbers of an evaluation.
const SEED: u64 = 1;

/// An action of the seat to move with the chance that the first seat wins after it, in thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedAction {
    /// The action, in record notation.
    pub token: String,
    /// The chance of the first seat.
    pub chance: u16,
}

/// A position as a strong player evaluates it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatedPosition {
    /// The chance that the first seat wins, in thousandths; `None` if it cannot be told.
    pub chance: Option<u16>,
    /// The best actions, the best first.
    pub actions: Vec<RatedAction>,
}

/// There is no evaluation because too many wait, it took too long, or the same person has asked for
/// another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationBusy;

/// The flags that stop the running evaluations, by person.
type StopFlags = Arc<Mutex<HashMap<PersonId, Arc<AtomicBool>>>>;

/// The evaluations that wait or run.
pub(super) struct PositionEvaluations {
    stop_flags: StopFlags,
    slots: Semaphore,
}

impl PositionEvaluations {
    pub(super) fn new() -> Self {
        Self { stop_flags: StopFlags::default(), slots: Semaphore::new(WAITING_MAX) }
    }

    /// Begins an evaluation for a person, and stops the one that they asked for before.
    fn begin(&self, person: &PersonId) -> EvaluationGuard {
        let stop = Arc::new(AtomicBool::new(false));
        if let Some(older) = self.stop_flags.lock().insert(person.clone(), stop.clone()) {
            older.store(true, Ordering::Relaxed);
        }
        EvaluationGuard { stop_flags: self.stop_flags.clone(), person: person.clone(), stop }
    }
}

/// An evaluation that a person waits for. It stops when this is dropped.
struct EvaluationGuard {
    stop_flags: StopFlags,
    person: PersonId,
    stop: Arc<AtomicBool>,
}

impl Drop for EvaluationGuard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = self.stop_flags.lock();
        if all.get(&self.person).is_some_and(|it| Arc::ptr_eq(it, &self.stop)) {
            all.remove(&self.person);
        }
    }
}

impl Workers {
    /// Evaluates a position for a person, after all moves of computers.
    ///
    /// # Errors
    /// When there is no room, or a newer request of the same person.
    pub async fn rate_position(
        &self,
        place: &PlaceId,
        person: &PersonId,
        game: GameId,
        position: Box<dyn Match>,
    ) -> Result<RatedPosition, EvaluationBusy> {
        let guard = self.position_evaluations.begin(person);
        let _slot = self.position_evaluations.slots.try_acquire().map_err(|_| EvaluationBusy)?;
        let stop = guard.stop.clone();
        let job = move |_: &mut EngineCache| {
            // The memory of engines that play would give another evaluation each time.
            let mut computer = game.computer(ComputerLevel::Master.code())?;
            let rated = rate(&mut *computer, game, position, &stop);
            (!stop.load(Ordering::Relaxed)).then_some(rated)
        };
        let rated = self.pool.run_job(place, ThinkPriority::Analysis, job);
        match tokio::time::timeout(WAIT_MAX, rated).await {
            Ok(Ok(Some(rated))) => Ok(rated),
            Ok(Ok(None) | Err(_)) | Err(_) => Err(EvaluationBusy),
        }
    }
}

/// Evaluates a position of a game of two. An interrupted evaluation has no meaning.
fn rate(
    computer: &mut dyn Computer,
    game: GameId,
    mut position: Box<dyn Match>,
    stop: &AtomicBool,
) -> RatedPosition {
    let (seat, is_before_chance) = match position.node() {
        Node::Over(scores) => {
            return RatedPosition { chance: Some(result(&scores)), actions: Vec::new() };
        }
        Node::Act(seat) => (seat, false),
        Node::Chance => match cover_chance(&mut *position) {
            Some(seat) => (seat, true),
            None => return RatedPosition::default(),
        },
    };
    let mut searches = PositionSearches { computer, position: &*position, seat, stop };
    let budget =
        |ms: u64| ThinkBudget::OF_LEVEL.nodes((game.nodes_per_second() * ms / 1_000).max(1));
    let mut candidates = candidates(&*position, seat);
    let mut actions: Vec<RatedAction> = Vec::new();
    let mut ends: Vec<Vec<String>> = Vec::new();
    for n in 0..SEARCHES_MAX {
        let ms = if n == 0 { BEST_MS } else { ALTERNATIVE_MS };
        let Some(thought) = searches.think(&candidates, budget(ms)) else { break };
        if n == 0 && is_certain(&thought) && !is_before_chance {
            // Nothing was searched because there is no choice: the position after it tells more.
            break;
        }
        candidates.retain(|it| *it != thought.action);
        let mut end = thought.line.clone();
        end.sort();
        if !ends.contains(&end) {
            ends.push(end);
            let chance = of_first_seat(seat, thought.chance);
            actions.push(RatedAction { token: thought.action, chance });
        }
        if actions.len() == ACTIONS_MAX || is_before_chance {
            break;
        }
    }
    // A later search may have gone deeper than an earlier one.
    actions.sort_by_key(|it| std::cmp::Reverse(of_first_seat(seat, it.chance)));
    let chance = actions.first().map(|it| it.chance);
    RatedPosition { chance, actions: if is_before_chance { Vec::new() } else { actions } }
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
fn candidates(position: &dyn Match, seat: Seat) -> Vec<String> {
    let goes_on = |token: &String| {
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
    fn think(&mut self, tokens: &[String], budget: ThinkBudget<'_>) -> Option<Thought<String>> {
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let question = self.position.engine_question(self.seat)?.restricted_to(&tokens)?;
        let budget = budget.until(self.stop);
        let mut random = SeededRng::new(SEED);
        let thought = self.computer.think(&question, &budget, &mut random, &mut |_| {})?;
        (!self.stop.load(Ordering::Relaxed)).then_some(thought)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> PersonId {
        PersonId(name.to_owned())
    }

    fn rated(game: &str, position: Option<&str>) -> RatedPosition {
        let game = GameId::from_code(game).expect("the game exists");
        let options = game.info().default_options();
        let position = match position {
            Some(text) => game.match_from_position(&options, 2, text).expect("it is a position"),
            None => game.start_match(&options, 2).expect("two can play"),
        };
        let mut computer = game.computer(ComputerLevel::Master.code()).expect("there is a master");
        rate(&mut *computer, game, position, &AtomicBool::new(false))
    }

    #[test]
    fn a_newer_evaluation_of_a_person_stops_the_older_one() {
        let all = PositionEvaluations::new();
        let older = all.begin(&person("ann"));
        let others = all.begin(&person("bek"));
        let newer = all.begin(&person("ann"));
        assert!(older.stop.load(Ordering::Relaxed));
        drop(older);
        assert!(!newer.stop.load(Ordering::Relaxed) && !others.stop.load(Ordering::Relaxed));
        assert_eq!(all.stop_flags.lock().len(), 2);
        let stop = newer.stop.clone();
        drop((newer, others));
        assert!(stop.load(Ordering::Relaxed), "nobody waits for it any more");
        assert!(all.stop_flags.lock().is_empty());
    }

    #[test]
    fn every_open_game_is_rated_and_twice_alike() {
        for game in GameId::all().iter().filter(|it| it.has_setup()) {
            let code = game.info().code;
            let first = rated(code, None);
            assert!(
                (200..=800).contains(&first.chance.expect("a beginning has chances")),
                "{code}"
            );
            assert!(first.actions.len() <= ACTIONS_MAX);
            let falls = |pair: &[RatedAction]| pair[0].chance >= pair[1].chance;
            assert!(first.actions.windows(2).all(falls), "{first:?}");
            assert_eq!(rated(code, None), first);
        }
    }

    #[test]
    fn the_chance_of_a_finished_game_is_its_result() {
        assert_eq!((result(&[88, 10]), result(&[10, 88]), result(&[81, 81])), (1_000, 0, 500));
        assert_eq!((of_first_seat(Seat(0), 700), of_first_seat(Seat(1), 700)), (700, 300));
    }
}
