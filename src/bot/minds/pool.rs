//! Threads that think: few, off the async ones, with a queue that is fair between groups.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

use super::thinking::PATIENCE;
use caravanserai_games::ids::PlaceId;
use caravanserai_games::search::Level;
use caravanserai_games::{Computer, GameId};

/// Thoughts of one place that may wait; more are turned away.
const WAITING_IN_PLACE: usize = 24;

/// Thoughts of all places that may wait.
const WAITING: usize = 2_000;

/// Nobody should wait longer than about so long for a computer's move. Where more wait, each
/// thought is shorter, down to what still makes a master (`tests/bench/README.md` has its matches).
const LONGEST: Duration = Duration::from_secs(10);
const SHORTEST: Duration = Duration::from_millis(100);

/// Computer players that a thread keeps between thoughts.
#[derive(Default)]
pub struct Players(HashMap<(GameId, Level), Box<dyn Computer>>);

impl Players {
    /// The computer of this level; `None` when the game has none.
    pub fn of(&mut self, game: GameId, level: Level) -> Option<&mut Box<dyn Computer>> {
        Some(match self.0.entry((game, level)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(game.computer(level.code())?),
        })
    }
}

/// What somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A move at a table, a hint.
    Move,
    /// A review, a chart: behind all moves.
    Study,
}

type Job = Box<dyn FnOnce(&mut Players) + Send>;

/// Places in turn; each with what it waits for.
#[derive(Default)]
struct Turns {
    places: VecDeque<(PlaceId, VecDeque<Job>)>,
    waiting: usize,
}

impl Turns {
    /// `false` when there is no room; the job is dropped then.
    fn put(&mut self, place: &PlaceId, job: Job) -> bool {
        if self.waiting >= WAITING {
            return false;
        }
        match self.places.iter_mut().find(|(it, _)| it == place) {
            Some((_, jobs)) if jobs.len() >= WAITING_IN_PLACE => return false,
            Some((_, jobs)) => jobs.push_back(job),
            None => self.places.push_back((place.clone(), VecDeque::from([job]))),
        }
        self.waiting += 1;
        true
    }

    /// The next job; its place goes behind all others.
    fn take(&mut self) -> Option<Job> {
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
struct State {
    moves: Turns,
    studies: Turns,
    /// Threads at work.
    running: usize,
    /// Threads at work on studies.
    studying: usize,
    idle: Vec<Players>,
}

impl State {
    /// What is to be done next. One thread is always left to moves where there are several.
    fn next(&mut self, threads: usize) -> Option<(Urgency, Job)> {
        if let Some(job) = self.moves.take() {
            return Some((Urgency::Move, job));
        }
        if self.studying > 0 && self.studying + 1 >= threads {
            return None;
        }
        let job = self.studies.take()?;
        self.studying += 1;
        Some((Urgency::Study, job))
    }
}

/// A bounded pool of thinking threads.
pub(super) struct Pool {
    state: Mutex<State>,
    threads: usize,
}

/// Why nothing was thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoThought {
    /// Too much waits already.
    Full,
    /// The player panicked.
    Broke,
}

/// How long each thought may be when so many wait for so many threads.
fn share(waiting: u32, threads: u32) -> Duration {
    let last_begins = PATIENCE.saturating_mul(waiting) / threads.max(1);
    if last_begins <= LONGEST {
        return PATIENCE;
    }
    PATIENCE.mul_f64(LONGEST.as_secs_f64() / last_begins.as_secs_f64()).max(SHORTEST)
}

impl Pool {
    /// At most so many think at a time; with none, whoever asks thinks at once.
    pub(super) fn new(threads: usize) -> Self {
        Self { state: Mutex::default(), threads }
    }

    /// How long a move may be thought about at present.
    pub(super) fn share(&self) -> Duration {
        let waiting = u32::try_from(self.state().moves.waiting).unwrap_or(u32::MAX);
        share(waiting, u32::try_from(self.threads).unwrap_or(u32::MAX))
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while holding this lock")
    }

    /// Has something thought for a place and waits for it.
    ///
    /// # Errors
    /// When too much waits already, or the thought panicked.
    pub(super) async fn think<T: Send + 'static>(
        self: &Arc<Self>,
        place: &PlaceId,
        urgency: Urgency,
        thought: impl FnOnce(&mut Players) -> T + Send + 'static,
    ) -> Result<T, NoThought> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |players| {
            // Whoever asked may have gone.
            answer.send(thought(players)).ok();
        });
        if self.threads == 0 {
            let mut players = self.state().idle.pop().unwrap_or_default();
            if catch_unwind(AssertUnwindSafe(|| job(&mut players))).is_ok() {
                self.state().idle.push(players);
            }
            return answered.await.map_err(|_| NoThought::Broke);
        }
        let begin = {
            let mut state = self.state();
            let turns = match urgency {
                Urgency::Move => &mut state.moves,
                Urgency::Study => &mut state.studies,
            };
            if !turns.put(place, job) {
                return Err(NoThought::Full);
            }
            let begin = state.running < self.threads;
            state.running += usize::from(begin);
            begin
        };
        if begin {
            let pool = self.clone();
            tokio::task::spawn_blocking(move || pool.work());
        }
        answered.await.map_err(|_| NoThought::Broke)
    }

    /// Works until nothing is left to do.
    fn work(&self) {
        let mut players = self.state().idle.pop().unwrap_or_default();
        loop {
            let (urgency, job) = {
                let mut state = self.state();
                match state.next(self.threads) {
                    Some(next) => next,
                    None => {
                        state.running -= 1;
                        state.idle.push(players);
                        return;
                    }
                }
            };
            // A panic has been logged; who waits hears that nothing comes.
            if catch_unwind(AssertUnwindSafe(|| job(&mut players))).is_err() {
                players = Players::default();
            }
            if urgency == Urgency::Study {
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
        assert_eq!(share(0, 2), PATIENCE);
        assert_eq!(share(20, 2), PATIENCE);
        let many = share(100, 2);
        assert!(SHORTEST < many && many < PATIENCE, "{many:?}");
        // All of them are served within about ten seconds.
        assert!(many * 50 <= LONGEST + PATIENCE);
        assert_eq!(share(2_000, 2), SHORTEST);
        assert_eq!(share(u32::MAX, 0), SHORTEST);
    }

    fn place(name: &str) -> PlaceId {
        PlaceId(format!("web:{name}"))
    }

    fn turns(jobs: &[(&str, u32)], done: &Arc<Mutex<Vec<u32>>>) -> Turns {
        let mut turns = Turns::default();
        for (name, n) in jobs.iter().copied() {
            let done = done.clone();
            let job: Job = Box::new(move |_| done.lock().expect("no panic").push(n));
            assert!(turns.put(&place(name), job));
        }
        turns
    }

    #[test]
    fn places_take_turns() {
        let done = Arc::default();
        let mut turns = turns(&[("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)], &done);
        while let Some(job) = turns.take() {
            job(&mut Players::default());
        }
        assert_eq!(*done.lock().expect("no panic"), [1, 4, 5, 2, 6, 3]);
        assert_eq!(turns.waiting, 0);
    }

    #[test]
    fn only_so_much_waits() {
        let mut turns = Turns::default();
        for _ in 0..WAITING_IN_PLACE {
            assert!(turns.put(&place("a"), Box::new(|_| {})));
        }
        assert!(!turns.put(&place("a"), Box::new(|_| {})), "one place is full");
        for n in turns.waiting..WAITING {
            assert!(turns.put(&place(&n.to_string()), Box::new(|_| {})));
        }
        assert!(!turns.put(&place("late"), Box::new(|_| {})), "all is full");
        assert!(turns.take().is_some());
        assert!(turns.put(&place("late"), Box::new(|_| {})));
    }

    #[test]
    fn moves_come_before_studies_and_keep_a_thread() {
        let mut state = State::default();
        for n in ["a", "b"] {
            assert!(state.studies.put(&place(n), Box::new(|_| {})));
            assert!(state.moves.put(&place(n), Box::new(|_| {})));
        }
        let kinds: Vec<Option<Urgency>> =
            (0..4).map(|_| state.next(2).map(|(urgency, _)| urgency)).collect();
        let (moves, study) = (Some(Urgency::Move), Some(Urgency::Study));
        assert_eq!(kinds, [moves, moves, study, None], "the second thread is left to moves");
    }

    #[tokio::test]
    async fn a_player_that_panics_breaks_nothing_else() {
        let pool = Arc::new(Pool::new(1));
        let here = place("a");
        let broken = pool.think(&here, Urgency::Study, |_| -> u8 { panic!("on purpose") });
        assert_eq!(broken.await, Err(NoThought::Broke));
        assert_eq!(pool.think(&place("a"), Urgency::Study, |_| 7).await, Ok(7));
        assert_eq!(pool.think(&place("a"), Urgency::Move, |_| 8).await, Ok(8));
    }
}
