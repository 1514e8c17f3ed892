//! Runs engines on a few threads of their own, with a queue that is fair between chats.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::bot_moves::THINK_TIME;
use caravanserai_games::ids::ChatId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::{Computer, GameId};

/// The most jobs of one chat in the queue; more are rejected.
const QUEUED_PER_PLACE_MAX: usize = 24;

/// The most jobs of all chats in the queue.
const QUEUED_MAX: usize = 2_000;

/// The longest time that a person should wait for a computer's move. When many wait, each job
/// is shorter, but never below [`THINK_MIN`], which still plays at master level (the matches are in
/// `tests/bench/README.md`).
const WAIT_MAX: Duration = Duration::from_secs(10);
const THINK_MIN: Duration = Duration::from_millis(100);

/// The engines that a thread keeps between jobs.
#[derive(Default)]
pub struct EngineCache(HashMap<(GameId, ComputerLevel), Box<dyn Computer>>);

impl EngineCache {
    /// The engine of this level; `None` when the game has none.
    pub fn engine(&mut self, game: GameId, level: ComputerLevel) -> Option<&mut Box<dyn Computer>> {
        Some(match self.0.entry((game, level)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(chat) => chat.insert(game.computer(level.code())?),
        })
    }
}

/// The priority of a job, by its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkPriority {
    /// A move at a table, or a hint.
    Move,
    /// A review or a chart, or judging how well a game was played: runs after all moves.
    Analysis,
    /// A position that a person analyses: runs after everything else, and not while a game is
    /// reviewed, because a review has little time and is stored.
    Evaluation,
}

type PoolJob = Box<dyn FnOnce(&mut EngineCache) + Send>;

/// The jobs of all chats; the chats take turns.
#[derive(Default)]
struct FairJobQueue {
    chats: VecDeque<(ChatId, VecDeque<PoolJob>)>,
    waiting: usize,
}

impl FairJobQueue {
    /// Adds a job. Returns `false` when the queue is full, and drops the job.
    fn push(&mut self, chat: &ChatId, job: PoolJob) -> bool {
        if self.waiting >= QUEUED_MAX {
            return false;
        }
        match self.chats.iter_mut().find(|(it, _)| it == chat) {
            Some((_, jobs)) if jobs.len() >= QUEUED_PER_PLACE_MAX => return false,
            Some((_, jobs)) => jobs.push_back(job),
            None => self.chats.push_back((chat.clone(), VecDeque::from([job]))),
        }
        self.waiting += 1;
        true
    }

    /// The next job; its chat moves behind all others.
    fn pop(&mut self) -> Option<PoolJob> {
        let (chat, mut jobs) = self.chats.pop_front()?;
        let job = jobs.pop_front();
        if !jobs.is_empty() {
            self.chats.push_back((chat, jobs));
        }
        self.waiting -= usize::from(job.is_some());
        job
    }
}

#[derive(Default)]
struct PoolState {
    moves: FairJobQueue,
    analyses: FairJobQueue,
    evaluations: FairJobQueue,
    /// The number of games that are reviewed. Their jobs come one after the other, so the queue is
    /// empty between them.
    reviews: usize,
    /// The number of working threads.
    running: usize,
    /// The number of threads that work on analysis or evaluations.
    analysing: usize,
    idle: Vec<EngineCache>,
}

impl PoolState {
    /// The next job. If there are several threads, one is always reserved for moves.
    fn next_job(&mut self, threads: usize) -> Option<(ThinkPriority, PoolJob)> {
        if let Some(job) = self.moves.pop() {
            return Some((ThinkPriority::Move, job));
        }
        if self.analysing > 0 && self.analysing + 1 >= threads {
            return None;
        }
        let next = match self.analyses.pop() {
            Some(job) => (ThinkPriority::Analysis, job),
            None if self.reviews > 0 => return None,
            None => (ThinkPriority::Evaluation, self.evaluations.pop()?),
        };
        self.analysing += 1;
        Some(next)
    }

    /// Counts one more thread and returns `true` if it has to be started for new jobs.
    fn reserve_thread(&mut self, threads: usize) -> bool {
        let is_needed = self.running < threads;
        self.running += usize::from(is_needed);
        is_needed
    }
}

/// A game that is reviewed. Evaluations wait until this is dropped.
pub(super) struct RunningReview(Arc<EnginePool>);

impl Drop for RunningReview {
    fn drop(&mut self) {
        let pool = &self.0;
        let needs_thread = {
            let mut state = pool.state.lock();
            state.reviews -= 1;
            let has_jobs = state.reviews == 0 && state.evaluations.waiting > 0;
            // Without a runtime the bot is stopping: nobody waits for evaluations any more.
            has_jobs && Handle::try_current().is_ok() && state.reserve_thread(pool.threads)
        };
        if needs_thread {
            pool.start_thread();
        }
    }
}

/// A bounded pool of thinking threads.
pub(super) struct EnginePool {
    state: Mutex<PoolState>,
    threads: usize,
}

/// The reasons why a job has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkError {
    /// The queue is full.
    QueueFull,
    /// The engine panicked.
    Panicked,
}

/// The time for each job, given the numbers of waiting jobs and of threads.
fn think_time_share(waiting: u32, threads: u32) -> Duration {
    let last_begins = THINK_TIME.saturating_mul(waiting) / threads.max(1);
    if last_begins <= WAIT_MAX {
        return THINK_TIME;
    }
    THINK_TIME.mul_f64(WAIT_MAX.as_secs_f64() / last_begins.as_secs_f64()).max(THINK_MIN)
}

impl EnginePool {
    /// Creates a pool with this many threads; with 0, jobs run on the calling thread.
    pub(super) fn new(threads: usize) -> Self {
        Self { state: Mutex::default(), threads }
    }

    /// The current time limit of a move.
    pub(super) fn think_time(&self) -> Duration {
        let waiting = u32::try_from(self.state.lock().moves.waiting).unwrap_or(u32::MAX);
        think_time_share(waiting, u32::try_from(self.threads).unwrap_or(u32::MAX))
    }

    /// Queues a job for a chat and waits for its result.
    ///
    /// # Errors
    /// When the queue is full, or when the job panicked.
    pub(super) async fn run_job<T: Send + 'static>(
        self: &Arc<Self>,
        chat: &ChatId,
        priority: ThinkPriority,
        job: impl FnOnce(&mut EngineCache) -> T + Send + 'static,
    ) -> Result<T, ThinkError> {
        let (result_sender, result_receiver) = oneshot::channel();
        let job: PoolJob = Box::new(move |engines| {
            // The requester may be gone.
            result_sender.send(job(engines)).ok();
        });
        if self.threads == 0 {
            let mut engines = self.state.lock().idle.pop().unwrap_or_default();
            if catch_unwind(AssertUnwindSafe(|| job(&mut engines))).is_ok() {
                self.state.lock().idle.push(engines);
            }
            return result_receiver.await.map_err(|_| ThinkError::Panicked);
        }
        let needs_thread = {
            let mut state = self.state.lock();
            let queue = match priority {
                ThinkPriority::Move => &mut state.moves,
                ThinkPriority::Analysis => &mut state.analyses,
                ThinkPriority::Evaluation => &mut state.evaluations,
            };
            if !queue.push(chat, job) {
                return Err(ThinkError::QueueFull);
            }
            state.reserve_thread(self.threads)
        };
        if needs_thread {
            self.start_thread();
        }
        result_receiver.await.map_err(|_| ThinkError::Panicked)
    }

    /// Lets evaluations wait while a game is reviewed.
    pub(super) fn begin_review(self: &Arc<Self>) -> RunningReview {
        self.state.lock().reviews += 1;
        RunningReview(self.clone())
    }

    fn start_thread(self: &Arc<Self>) {
        let pool = self.clone();
        tokio::task::spawn_blocking(move || pool.run_queued_jobs());
    }

    /// Runs jobs until the queue is empty.
    fn run_queued_jobs(&self) {
        let mut engines = self.state.lock().idle.pop().unwrap_or_default();
        loop {
            let (priority, job) = {
                let mut state = self.state.lock();
                match state.next_job(self.threads) {
                    Some(next) => next,
                    None => {
                        state.running -= 1;
                        state.idle.push(engines);
                        return;
                    }
                }
            };
            // The panic is logged; the requester gets an error, because its channel is closed.
            if catch_unwind(AssertUnwindSafe(|| job(&mut engines))).is_err() {
                engines = EngineCache::default();
            }
            if priority != ThinkPriority::Move {
                self.state.lock().analysing -= 1;
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

    fn chat(name: &str) -> ChatId {
        ChatId(format!("web:{name}"))
    }

    fn queue_of(jobs: &[(&str, u32)], finished: &Arc<Mutex<Vec<u32>>>) -> FairJobQueue {
        let mut queue = FairJobQueue::default();
        for (name, n) in jobs.iter().copied() {
            let finished = finished.clone();
            let job: PoolJob = Box::new(move |_| finished.lock().push(n));
            assert!(queue.push(&chat(name), job));
        }
        queue
    }

    #[test]
    fn places_take_turns() {
        let finished = Arc::default();
        let mut queue =
            queue_of(&[("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)], &finished);
        while let Some(job) = queue.pop() {
            job(&mut EngineCache::default());
        }
        assert_eq!(*finished.lock(), [1, 4, 5, 2, 6, 3]);
        assert_eq!(queue.waiting, 0);
    }

    #[test]
    fn only_so_much_waits() {
        let mut turns = FairJobQueue::default();
        for _ in 0..QUEUED_PER_PLACE_MAX {
            assert!(turns.push(&chat("a"), Box::new(|_| {})));
        }
        assert!(!turns.push(&chat("a"), Box::new(|_| {})), "one chat is full");
        for n in turns.waiting..QUEUED_MAX {
            assert!(turns.push(&chat(&n.to_string()), Box::new(|_| {})));
        }
        assert!(!turns.push(&chat("late"), Box::new(|_| {})), "all is full");
        assert!(turns.pop().is_some());
        assert!(turns.push(&chat("late"), Box::new(|_| {})));
    }

    #[test]
    fn moves_come_before_analyses_and_keep_a_thread() {
        let mut state = PoolState::default();
        for n in ["a", "b"] {
            assert!(state.analyses.push(&chat(n), Box::new(|_| {})));
            assert!(state.moves.push(&chat(n), Box::new(|_| {})));
        }
        let kinds: Vec<Option<ThinkPriority>> =
            (0..4).map(|_| state.next_job(2).map(|(priority, _)| priority)).collect();
        let moves = Some(ThinkPriority::Move);
        let analysis = Some(ThinkPriority::Analysis);
        assert_eq!(kinds, [moves, moves, analysis, None], "the second thread is left to moves");
    }

    #[test]
    fn evaluations_come_last_and_wait_for_reviews() {
        let mut state = PoolState::default();
        for n in ["a", "b"] {
            assert!(state.evaluations.push(&chat(n), Box::new(|_| {})));
            assert!(state.analyses.push(&chat(n), Box::new(|_| {})));
            assert!(state.moves.push(&chat(n), Box::new(|_| {})));
        }
        state.reviews = 1;
        let next = |state: &mut PoolState| state.next_job(9).map(|(priority, _)| priority);
        let moves = Some(ThinkPriority::Move);
        let analysis = Some(ThinkPriority::Analysis);
        let first: Vec<Option<ThinkPriority>> = (0..5).map(|_| next(&mut state)).collect();
        assert_eq!(first, [moves, moves, analysis, analysis, None], "a game is reviewed");
        state.reviews = 0;
        assert_eq!(next(&mut state), Some(ThinkPriority::Evaluation));
        assert!(state.analyses.push(&chat("c"), Box::new(|_| {})));
        assert_eq!(next(&mut state), analysis, "a review that comes later is first");
        assert_eq!(next(&mut state), Some(ThinkPriority::Evaluation));
    }

    #[tokio::test]
    async fn an_evaluation_runs_when_the_review_has_ended() {
        let pool = Arc::new(EnginePool::new(1));
        let review = pool.begin_review();
        let here = chat("a");
        let evaluation = pool.run_job(&here, ThinkPriority::Evaluation, |_| 7);
        tokio::pin!(evaluation);
        // A job of the review runs between; the evaluation is in the queue by then.
        let reviewed = tokio::select! {
            biased;
            _ = &mut evaluation => panic!("the review has not ended"),
            made = pool.run_job(&here, ThinkPriority::Analysis, |_| 8) => made,
        };
        assert_eq!(reviewed, Ok(8));
        drop(review);
        assert_eq!(evaluation.await, Ok(7));
    }

    #[tokio::test]
    async fn a_player_that_panics_breaks_nothing_else() {
        let pool = Arc::new(EnginePool::new(1));
        let here = chat("a");
        let broken =
            pool.run_job(&here, ThinkPriority::Analysis, |_| -> u8 { panic!("on purpose") });
        assert_eq!(broken.await, Err(ThinkError::Panicked));
        assert_eq!(pool.run_job(&chat("a"), ThinkPriority::Analysis, |_| 7).await, Ok(7));
        assert_eq!(pool.run_job(&chat("a"), ThinkPriority::Move, |_| 8).await, Ok(8));
    }
}
