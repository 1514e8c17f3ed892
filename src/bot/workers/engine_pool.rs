//! Runs engines on a few threads apart from the async ones, with a queue that is fair between
//! places.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

use super::bot_moves::THINK_TIME;
use caravanserai_games::ids::PlaceId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::{Computer, GameId};

/// The most thoughts of one place in the queue; more are rejected.
const QUEUED_PER_PLACE_MAX: usize = 24;

/// The most thoughts of all places in the queue.
const QUEUED_MAX: usize = 2_000;

/// The longest time that a person should wait for a computer's move. When many wait, each thought
/// is shorter, down to the time that still plays at master level (`tests/bench/README.md` has the
/// matches).
const WAIT_MAX: Duration = Duration::from_secs(10);
const THINK_MIN: Duration = Duration::from_millis(100);

/// The engines that a thread keeps between thoughts.
#[derive(Default)]
pub struct EngineCache(HashMap<(GameId, ComputerLevel), Box<dyn Computer>>);

impl EngineCache {
    /// The engine of this level; `None` when the game has none.
    pub fn engine(&mut self, game: GameId, level: ComputerLevel) -> Option<&mut Box<dyn Computer>> {
        Some(match self.0.entry((game, level)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(game.computer(level.code())?),
        })
    }
}

/// The priority of a thought, by its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkPriority {
    /// A move at a table, or a hint.
    Move,
    /// A review or a chart: runs after all moves.
    Analysis,
}

type PoolJob = Box<dyn FnOnce(&mut EngineCache) + Send>;

/// The jobs of all places; the places take turns.
#[derive(Default)]
struct FairJobQueue {
    places: VecDeque<(PlaceId, VecDeque<PoolJob>)>,
    waiting: usize,
}

impl FairJobQueue {
    /// Adds a job; `false` when there is no room, and the job is dropped.
    fn push(&mut self, place: &PlaceId, job: PoolJob) -> bool {
        if self.waiting >= QUEUED_MAX {
            return false;
        }
        match self.places.iter_mut().find(|(it, _)| it == place) {
            Some((_, jobs)) if jobs.len() >= QUEUED_PER_PLACE_MAX => return false,
            Some((_, jobs)) => jobs.push_back(job),
            None => self.places.push_back((place.clone(), VecDeque::from([job]))),
        }
        self.waiting += 1;
        true
    }

    /// The next job; its place moves behind all others.
    fn pop(&mut self) -> Option<PoolJob> {
        let (place, mut jobs) = self.places.pop_front()?;
        let job = jobs.pop_front();
        if !jobs.is_empty() {
            self.places.push_back((place, jobs));
        }
        self.waiting -= usize::from(job.is_some());
        job
    }
}

#[derive(Default)]
struct PoolState {
    moves: FairJobQueue,
    studies: FairJobQueue,
    /// The number of working threads.
    running: usize,
    /// The number of threads that work on analysis.
    studying: usize,
    idle: Vec<EngineCache>,
}

impl PoolState {
    /// The next job. Where there are several threads, one is always left for moves.
    fn next_job(&mut self, threads: usize) -> Option<(ThinkPriority, PoolJob)> {
        if let Some(job) = self.moves.pop() {
            return Some((ThinkPriority::Move, job));
        }
        if self.studying > 0 && self.studying + 1 >= threads {
            return None;
        }
        let job = self.studies.pop()?;
        self.studying += 1;
        Some((ThinkPriority::Analysis, job))
    }
}

/// A bounded pool of thinking threads.
pub(super) struct EnginePool {
    state: Mutex<PoolState>,
    threads: usize,
}

/// The reasons for a thought without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkError {
    /// The queue is full.
    QueueFull,
    /// The engine panicked.
    Panicked,
}

/// The time for each thought with this many waiting thoughts and threads.
fn think_time_share(waiting: u32, threads: u32) -> Duration {
    let last_begins = THINK_TIME.saturating_mul(waiting) / threads.max(1);
    if last_begins <= WAIT_MAX {
        return THINK_TIME;
    }
    THINK_TIME.mul_f64(WAIT_MAX.as_secs_f64() / last_begins.as_secs_f64()).max(THINK_MIN)
}

impl EnginePool {
    /// Creates a pool with this many threads; with 0, thoughts run on the calling thread.
    pub(super) fn new(threads: usize) -> Self {
        Self { state: Mutex::default(), threads }
    }

    /// The current time limit of a move.
    pub(super) fn think_time(&self) -> Duration {
        let waiting = u32::try_from(self.state().moves.waiting).unwrap_or(u32::MAX);
        think_time_share(waiting, u32::try_from(self.threads).unwrap_or(u32::MAX))
    }

    fn state(&self) -> std::sync::MutexGuard<'_, PoolState> {
        self.state.lock().expect("nothing panics while holding this lock")
    }

    /// Queues a job for a place and waits for its result.
    ///
    /// # Errors
    /// When the queue is full, or when the job panicked.
    pub(super) async fn run_job<T: Send + 'static>(
        self: &Arc<Self>,
        place: &PlaceId,
        urgency: ThinkPriority,
        thought: impl FnOnce(&mut EngineCache) -> T + Send + 'static,
    ) -> Result<T, ThinkError> {
        let (answer, answered) = oneshot::channel();
        let job: PoolJob = Box::new(move |players| {
            // The requester may be gone.
            answer.send(thought(players)).ok();
        });
        if self.threads == 0 {
            let mut players = self.state().idle.pop().unwrap_or_default();
            if catch_unwind(AssertUnwindSafe(|| job(&mut players))).is_ok() {
                self.state().idle.push(players);
            }
            return answered.await.map_err(|_| ThinkError::Panicked);
        }
        let begin = {
            let mut state = self.state();
            let turns = match urgency {
                ThinkPriority::Move => &mut state.moves,
                ThinkPriority::Analysis => &mut state.studies,
            };
            if !turns.push(place, job) {
                return Err(ThinkError::QueueFull);
            }
            let begin = state.running < self.threads;
            state.running += usize::from(begin);
            begin
        };
        if begin {
            let pool = self.clone();
            tokio::task::spawn_blocking(move || pool.run_queued_jobs());
        }
        answered.await.map_err(|_| ThinkError::Panicked)
    }

    /// Works until the queue is empty.
    fn run_queued_jobs(&self) {
        let mut players = self.state().idle.pop().unwrap_or_default();
        loop {
            let (urgency, job) = {
                let mut state = self.state();
                match state.next_job(self.threads) {
                    Some(next) => next,
                    None => {
                        state.running -= 1;
                        state.idle.push(players);
                        return;
                    }
                }
            };
            // The panic is logged; the requester gets an error, because its channel is closed.
            if catch_unwind(AssertUnwindSafe(|| job(&mut players))).is_err() {
                players = EngineCache::default();
            }
            if urgency == ThinkPriority::Analysis {
                self.state().studying -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_master_stays_a_master_however_many_wait() {
        assert_eq!(think_time_share(0, 2), THINK_TIME);
        assert_eq!(think_time_share(20, 2), THINK_TIME);
        let many = think_time_share(100, 2);
        assert!(THINK_MIN < many && many < THINK_TIME, "{many:?}");
        // All of them are served within about ten seconds.
        assert!(many * 50 <= WAIT_MAX + THINK_TIME);
        assert_eq!(think_time_share(2_000, 2), THINK_MIN);
        assert_eq!(think_time_share(u32::MAX, 0), THINK_MIN);
    }

    fn place(name: &str) -> PlaceId {
        PlaceId(format!("web:{name}"))
    }

    fn turns(jobs: &[(&str, u32)], done: &Arc<Mutex<Vec<u32>>>) -> FairJobQueue {
        let mut turns = FairJobQueue::default();
        for (name, n) in jobs.iter().copied() {
            let done = done.clone();
            let job: PoolJob = Box::new(move |_| done.lock().expect("no panic").push(n));
            assert!(turns.push(&place(name), job));
        }
        turns
    }

    #[test]
    fn places_take_turns() {
        let done = Arc::default();
        let mut turns = turns(&[("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)], &done);
        while let Some(job) = turns.pop() {
            job(&mut EngineCache::default());
        }
        assert_eq!(*done.lock().expect("no panic"), [1, 4, 5, 2, 6, 3]);
        assert_eq!(turns.waiting, 0);
    }

    #[test]
    fn only_so_much_waits() {
        let mut turns = FairJobQueue::default();
        for _ in 0..QUEUED_PER_PLACE_MAX {
            assert!(turns.push(&place("a"), Box::new(|_| {})));
        }
        assert!(!turns.push(&place("a"), Box::new(|_| {})), "one place is full");
        for n in turns.waiting..QUEUED_MAX {
            assert!(turns.push(&place(&n.to_string()), Box::new(|_| {})));
        }
        assert!(!turns.push(&place("late"), Box::new(|_| {})), "all is full");
        assert!(turns.pop().is_some());
        assert!(turns.push(&place("late"), Box::new(|_| {})));
    }

    #[test]
    fn moves_come_before_studies_and_keep_a_thread() {
        let mut state = PoolState::default();
        for n in ["a", "b"] {
            assert!(state.studies.push(&place(n), Box::new(|_| {})));
            assert!(state.moves.push(&place(n), Box::new(|_| {})));
        }
        let kinds: Vec<Option<ThinkPriority>> =
            (0..4).map(|_| state.next_job(2).map(|(urgency, _)| urgency)).collect();
        let (moves, study) = (Some(ThinkPriority::Move), Some(ThinkPriority::Analysis));
        assert_eq!(kinds, [moves, moves, study, None], "the second thread is left to moves");
    }

    #[tokio::test]
    async fn a_player_that_panics_breaks_nothing_else() {
        let pool = Arc::new(EnginePool::new(1));
        let here = place("a");
        let broken =
            pool.run_job(&here, ThinkPriority::Analysis, |_| -> u8 { panic!("on purpose") });
        assert_eq!(broken.await, Err(ThinkError::Panicked));
        assert_eq!(pool.run_job(&place("a"), ThinkPriority::Analysis, |_| 7).await, Ok(7));
        assert_eq!(pool.run_job(&place("a"), ThinkPriority::Move, |_| 8).await, Ok(8));
    }
}
