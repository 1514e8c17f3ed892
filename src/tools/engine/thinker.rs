//! Runs a player's search on a thread beside the session, so that `stop` takes effect at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::EngineOutput;
use crate::stopwatch::Stopwatch;
use caravanserai_games::search::{ComputerLevel, PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_games::{Computer, EngineQuestion, GameId};

/// Time limit for `depth` and `nodes` without a time, in milliseconds.
const THINK_MAX_MS: u32 = 60_000;

/// Limits of a search. Without any: the fixed effort of the level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThinkLimits {
    /// Time limit in milliseconds.
    pub ms: Option<u32>,
    /// Search depth limit, in plies.
    pub depth: Option<u16>,
    /// Limit of searched positions.
    pub nodes: Option<u64>,
    /// Search until stopped.
    pub infinite: bool,
}

impl ThinkLimits {
    fn limit_ms(&self) -> Option<u32> {
        if self.infinite {
            return Some(u32::MAX);
        }
        let bounded = self.depth.is_some() || self.nodes.is_some();
        self.ms.or(bounded.then_some(THINK_MAX_MS))
    }

    fn is_met(&self, evaluation: &PlayerEvaluation<String>) -> bool {
        self.depth.is_some_and(|depth| evaluation.depth >= depth)
            || self.nodes.is_some_and(|nodes| evaluation.nodes >= nodes)
    }
}

/// The player of a session, searching or idle.
pub struct EngineThinker {
    game: GameId,
    name: String,
    out: EngineOutput,
    rng: SeededRng,
    /// `None` while it searches, before its first use, and after a panic.
    player: Option<Box<dyn Computer>>,
    running: Option<RunningTask>,
}

struct RunningTask {
    thread: JoinHandle<Option<Box<dyn Computer>>>,
    stop: Arc<AtomicBool>,
    /// Whether the answer has been written.
    is_answered: Arc<AtomicBool>,
    infinite: bool,
}

impl EngineThinker {
    /// Starts with the strongest player of a game.
    pub fn new(game: GameId, out: EngineOutput) -> Self {
        let name = ComputerLevel::Master.code().to_owned();
        Self { game, name, out, rng: SeededRng::new(1), player: None, running: None }
    }

    /// Changes the player.
    pub fn set_player(&mut self, name: &str) {
        self.player = None;
        name.clone_into(&mut self.name);
    }

    /// The player's name.
    pub fn player_name(&self) -> &str {
        &self.name
    }

    /// Seeds the player's randomness.
    pub fn set_seed(&mut self, seed: u64) {
        self.rng = SeededRng::new(seed);
    }

    /// The player's random numbers.
    pub fn rng(&mut self) -> &mut SeededRng {
        &mut self.rng
    }

    /// Forgets earlier games.
    pub fn reset(&mut self) {
        if let Some(player) = &mut self.player {
            player.forget();
        }
    }

    /// Whether an answer is still to come.
    pub fn is_thinking(&mut self) -> bool {
        let is_answered = |it: &RunningTask| it.is_answered.load(Ordering::Acquire);
        if self.running.as_ref().is_some_and(is_answered) {
            self.join_thread();
        }
        self.running.is_some()
    }

    /// Stops the search, if there is one, and waits for its answer.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop.store(true, Ordering::Release);
            running.thread.thread().unpark();
        }
        self.join_thread();
    }

    /// Waits for the answer; stops an endless search first.
    pub fn wait_for_answer(&mut self) {
        if self.running.as_ref().is_some_and(|it| it.infinite) {
            self.stop();
        }
        self.join_thread();
    }

    fn join_thread(&mut self) {
        if let Some(running) = self.running.take() {
            self.player = running.thread.join().ok().flatten();
        }
    }

    /// Starts a search; it writes its answer itself.
    ///
    /// # Errors
    /// When the player does not exist, or no thread can be started.
    pub fn start(&mut self, asked: EngineQuestion, wanted: ThinkLimits) -> Result<(), String> {
        let missing = || format!("there is no player {}", self.name);
        let made = || self.game.computer(&self.name);
        let player = self.player.take().or_else(made).ok_or_else(missing)?;
        let rng = SeededRng::new(self.rng.bits());
        let stop = Arc::new(AtomicBool::new(false));
        let answered = Arc::new(AtomicBool::new(false));
        let task = ThinkTask {
            player,
            asked,
            wanted,
            rng,
            out: self.out.clone(),
            last_info: None,
            stop: stop.clone(),
            answered: answered.clone(),
        };
        let thread = std::thread::Builder::new().name("thinking".to_owned());
        let thread = thread.spawn(|| task.run()).map_err(|it| it.to_string())?;
        self.running =
            Some(RunningTask { thread, stop, is_answered: answered, infinite: wanted.infinite });
        Ok(())
    }
}

impl Drop for EngineThinker {
    fn drop(&mut self) {
        self.stop();
    }
}

struct ThinkTask {
    player: Box<dyn Computer>,
    asked: EngineQuestion,
    wanted: ThinkLimits,
    rng: SeededRng,
    out: EngineOutput,
    /// The last reported information, to avoid repeating it.
    last_info: Option<PlayerEvaluation<String>>,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicBool>,
}

impl ThinkTask {
    /// Runs the search and returns the player, unless it panicked.
    fn run(mut self) -> Option<Box<dyn Computer>> {
        let watch = Stopwatch::start();
        let found = catch_unwind(AssertUnwindSafe(|| self.think(watch))).ok();
        // An endless search answers only when it is stopped.
        while self.wanted.infinite && !self.stop.load(Ordering::Acquire) {
            std::thread::park();
        }
        let answer = match &found {
            Some(Some(evaluation)) => {
                if self.last_info.as_ref() != Some(evaluation) {
                    self.out.write_line(&info_line(evaluation, watch));
                }
                format!("bestmove {}", evaluation.action)
            }
            Some(None) => "error the player is one of another game".to_owned(),
            None => {
                "error the player broke down; the next thought begins with a new one".to_owned()
            }
        };
        // Set this first: the reader of the answer may send the next line at once.
        self.answered.store(true, Ordering::Release);
        self.out.write_line(&answer);
        found.is_some().then_some(self.player)
    }

    fn think(&mut self, watch: Stopwatch) -> Option<PlayerEvaluation<String>> {
        let clock = || watch.elapsed_ms();
        let budget = match self.wanted.limit_ms() {
            Some(ms) => ThinkBudget::time(&clock, ms),
            None => ThinkBudget::OF_LEVEL,
        };
        let budget = budget.nodes(self.wanted.nodes.unwrap_or(u64::MAX));
        let budget = budget.depth(self.wanted.depth.unwrap_or(u16::MAX)).until(&self.stop);
        let out = &self.out;
        let wanted = self.wanted;
        let stop = &self.stop;
        let last_info = &mut self.last_info;
        let mut tell = |evaluation: &PlayerEvaluation<String>| {
            out.write_line(&info_line(evaluation, watch));
            *last_info = Some(evaluation.clone());
            if wanted.is_met(evaluation) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        self.player.think(&self.asked, &budget, &mut self.rng, &mut tell)
    }
}

fn info_line(evaluation: &PlayerEvaluation<String>, watch: Stopwatch) -> String {
    let PlayerEvaluation { score, chance, depth, nodes, line, .. } = evaluation;
    let spent = watch.elapsed();
    let speed = (*nodes as f64 / spent.as_secs_f64().max(1e-6)) as u64;
    let ms = spent.as_millis();
    let line = line.join(" ");
    format!(
        "info depth {depth} score {score} chance {chance} nodes {nodes} nps {speed} time {ms} \
         pv {line}"
    )
}
