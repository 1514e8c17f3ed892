//! Makes reviews of finished games on request, at a lower priority than all moves, and triggers
//! their posting.
//!
//! Each request is an outbox entry, so a review is posted even after a crash. A sender skips the
//! entry until the review is stored; the job that makes the review wakes the sender. A review that
//! takes more than a moment reports its progress.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::engine_pool::{EngineCache, ThinkError, ThinkPriority};
use super::game_analysis::{AnalysisEffort, GameAnalysis};
use super::{Workers, drawable_player_names, player_names};
use crate::repository::quarantine::QuarantineInput;
use crate::repository::stored_rows::{parse_json_or_default, put_json};
use crate::repository::{Failure, HOUR_MS, keys};
use caravanserai_games::ids::ChatId;
use caravanserai_games::ids::TableId;
use caravanserai_games::scene::{Scene, TouchArea};
use caravanserai_games::text::Arg;
use caravanserai_games::{ChartLine, chances_scene};
use caravanserai_i18n::Lang;
use caravanserai_results::ResultShare;
use caravanserai_store::Space;
use caravanserai_table::review::{self, TurningPoint};
use caravanserai_table::state::Table;

/// The most reviews that may wait; more requests are refused with a message.
const WAITING_MAX: usize = 8;

/// The decisions that one job analyses before other jobs get their turn.
const DECISIONS_PER_JOB: usize = 4;

/// The typical time for each review that was requested earlier, in seconds.
const TYPICAL_REVIEW_S: u64 = 5;

/// The interval at which a longer review reports its progress, in milliseconds; also the delay of
/// the first report.
const PROGRESS_INTERVAL_MS: u64 = 2_000;

/// How long a review may take in all, relative to the longest time to think: the moves of all
/// tables come first.
const WAIT_FACTOR: u32 = 4;

/// The interval at which the time to think is measured.
const THINK_TICK: Duration = Duration::from_millis(100);

/// How long a review is stored that could not be finished, in milliseconds: then it is made again
/// on request.
const INCOMPLETE_TTL_MS: u64 = HOUR_MS;

/// The time that a process may take for a review besides thinking, in milliseconds.
const CLAIM_EXTRA_MS: u64 = 30_000;

/// The interval at which a process checks whether another one has finished a review.
const CLAIM_POLL: Duration = Duration::from_secs(1);

/// A review, as it is stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameReview {
    /// The moves that changed the winning chances most.
    pub moments: Vec<ReviewedMove>,
    /// How much of the result came from luck, by side; empty where that cannot be told.
    pub shares: Vec<ResultShare>,
    /// The seats with several players: their luck is that of nobody. Empty in older reviews.
    pub shared_seats: Vec<u8>,
    /// The winning chances by decision and by side, in percent.
    chances: Vec<Vec<i32>>,
    /// Whether it could not be finished: its moments are then those that were found until then.
    /// Earlier versions never set it.
    pub is_incomplete: bool,
}

impl GameReview {
    /// The review of a game that could not be analysed.
    pub fn failed() -> Self {
        GameReview { is_incomplete: true, ..GameReview::default() }
    }

    /// Whether there are winning chances to be shown.
    pub fn has_chart(&self) -> bool {
        !self.is_incomplete || !self.chances.is_empty()
    }
}

/// A move that changed the winning chances most, as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewedMove {
    /// The number of steps before the move.
    pub step: u32,
    /// The number of the move or turn as people see it; 0 in older reviews without it.
    #[serde(default)]
    pub number: u32,
    /// The seat that moved.
    pub seat: u8,
    /// The move that was played.
    pub played: Arg,
    /// The move that would have been better.
    pub better: Arg,
    /// The better move and a possible continuation, in log notation; empty in older reviews without
    /// it.
    #[serde(default)]
    pub line: Vec<String>,
    /// The seats that could reply, and their replies.
    #[serde(default)]
    pub answer: Option<(u8, Arg)>,
    /// The winning chance of the side before the move, in thousandths.
    pub before: u16,
    /// The winning chance of the side after the move, in thousandths.
    pub after: u16,
}

impl From<TurningPoint> for ReviewedMove {
    fn from(it: TurningPoint) -> Self {
        let TurningPoint { step, number, seat, played, better, line, answer, before, after } = it;
        ReviewedMove { step, number, seat, played, better, line, answer, before, after }
    }
}

impl ReviewedMove {
    /// The number of the move or turn as people see it.
    pub fn shown_number(&self) -> i64 {
        i64::from(if self.number > 0 { self.number } else { self.step + 1 })
    }
}

/// The status of a review.
#[derive(Clone, Debug)]
pub enum ReviewStatus {
    /// The review is finished.
    Ready(GameReview),
    /// The review is being made; its progress in percent, once it should be shown.
    InProgress(Option<u8>),
}

/// A review that people wait for.
#[derive(Default)]
struct PendingReview {
    chats: Vec<ChatId>,
    /// The progress in percent that should be shown.
    announced: Option<u8>,
    /// The current progress in percent, shown or not.
    progress: u8,
}

/// The reviews that are being made.
pub(super) struct ReviewJobs {
    /// The pending reviews, with the chats that wait for them.
    pending: Arc<Mutex<HashMap<TableId, PendingReview>>>,
    /// Allows one review at a time.
    review_slot: Semaphore,
    /// The longest time to think for one review.
    think_max: Duration,
}

impl ReviewJobs {
    pub(super) fn new(longest_ms: u64) -> Self {
        let longest = Duration::from_millis(longest_ms);
        ReviewJobs { pending: Arc::default(), review_slot: Semaphore::new(1), think_max: longest }
    }

    /// Registers a chat that waits for a review. Returns the review to make if no job makes it
    /// yet.
    fn begin(&self, table: &TableId, chat: &ChatId) -> Option<ReviewInProgress> {
        let mut pending = self.pending.lock();
        let begins = !pending.contains_key(table);
        let chats = &mut pending.entry(table.clone()).or_default().chats;
        if !chats.contains(chat) {
            chats.push(chat.clone());
        }
        let pending = self.pending.clone();
        let table = table.clone();
        begins.then(|| ReviewInProgress { pending, table })
    }

    /// Sets the progress of a review, in percent.
    fn set_progress(&self, table: &TableId, progress: u8) {
        if let Some(pending) = self.pending.lock().get_mut(table) {
            pending.progress = progress;
        }
    }

    /// Marks the progress of a review to be shown. Returns the chats that wait for it.
    fn announce_progress(&self, table: &TableId) -> Vec<ChatId> {
        let mut pending_reviews = self.pending.lock();
        let Some(pending) = pending_reviews.get_mut(table) else { return Vec::new() };
        pending.announced = Some(pending.progress);
        pending.chats.clone()
    }

    /// The estimated time until a review of this many decisions is finished, in seconds.
    fn estimated_seconds(&self, turns: usize) -> u64 {
        let longest = self.think_max.as_secs().max(1);
        let own_seconds = (AnalysisEffort::expected_ms(turns) / 1_000 + 1).min(longest);
        own_seconds + self.pending.lock().len() as u64 * TYPICAL_REVIEW_S.min(longest)
    }
}

/// The name of the lease under which one process makes a review.
fn review_lease_name(table: &TableId) -> String {
    format!("review {}", table.0)
}

/// Marks a review as being made until it is dropped.
struct ReviewInProgress {
    pending: Arc<Mutex<HashMap<TableId, PendingReview>>>,
    table: TableId,
}

impl ReviewInProgress {
    /// Finishes the review. Returns the chats that wait for it.
    fn finish(&self) -> Vec<ChatId> {
        self.pending.lock().remove(&self.table).unwrap_or_default().chats
    }
}

impl Drop for ReviewInProgress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Workers {
    /// The estimated time until a review of this many decisions is finished, in seconds; `None`
    /// when so many reviews wait that it would take too long.
    pub fn estimated_review_seconds(&self, turns: usize) -> Option<u64> {
        let waiting = self.review_jobs.pending.lock().len();
        (waiting < WAITING_MAX).then(|| self.review_jobs.estimated_seconds(turns))
    }

    /// The stored review of a table, if there is one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stored_review(&self, table: &TableId) -> Result<Option<GameReview>, Failure> {
        let stored = self.repository.read_value(Space::Meta, &keys::review(table)).await?;
        Ok(stored.map(|it| parse_json_or_default(Some(it))))
    }

    /// The status of a review to be posted in a chat; starts to make it if it is missing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn review_status(
        &self,
        chat: &ChatId,
        table: &TableId,
    ) -> Result<ReviewStatus, Failure> {
        if let Some(made) = self.stored_review(table).await? {
            return Ok(ReviewStatus::Ready(made));
        }
        if let Some(workers) = self.weak_self.upgrade()
            && let Some(making) = self.review_jobs.begin(table, chat)
        {
            self.tasks.spawn(async move { workers.make_review(making).await });
        }
        let announced = self.review_jobs.pending.lock().get(table).and_then(|it| it.announced);
        Ok(ReviewStatus::InProgress(announced))
    }

    /// Reports the progress of a review regularly.
    async fn announce_review_progress(&self, table: &TableId) {
        loop {
            self.repository.time_source().sleep_ms(PROGRESS_INTERVAL_MS).await;
            self.review_jobs
                .announce_progress(table)
                .iter()
                .for_each(|chat| self.repository.schedule_send(chat));
        }
    }

    async fn make_review(&self, making: ReviewInProgress) {
        let stop = Arc::new(AtomicBool::new(false));
        let input = QuarantineInput::Review(making.table.clone());
        let work = self.make_review_with_lease(&making.table, &stop);
        let made = tokio::select! {
            biased;
            made = self.repository.run_isolated(&input, work) => made,
            () = self.announce_review_progress(&making.table) => return,
            // The entry stays in the outbox; the review is made after the next start.
            () = self.tasks.wait_for_stop() => {
                stop.store(true, Ordering::Relaxed);
                // Other processes need not wait until the lease expires.
                let lease = review_lease_name(&making.table);
                let replica = self.repository.replica();
                self.repository.store().release_lease(&lease, replica).await.ok();
                return;
            }
        };
        let review = match made {
            Ok(Ok(review)) => review,
            Ok(Err(failure)) => {
                tracing::error!(table = making.table.0, %failure, "failed to make a review");
                Some(GameReview::failed())
            }
            Err(_) => Some(GameReview::failed()),
        };
        if let Some(review) = review {
            let for_ms = match review.is_incomplete {
                true => INCOMPLETE_TTL_MS,
                false => self.repository.limits().review_ttl_ms,
            };
            let until_ms = self.repository.now_ms() + for_ms;
            let row =
                put_json(Space::Meta, keys::review(&making.table), &review).expires_at(until_ms);
            if let Err(failure) = self.repository.put_all(vec![row]).await {
                tracing::error!(table = making.table.0, %failure, "failed to store a review");
            }
        }
        for chat in making.finish() {
            self.repository.schedule_send(&chat);
        }
    }

    /// Makes a review. If another process makes it, waits for that and returns `None`.
    async fn make_review_with_lease(
        &self,
        table: &TableId,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<GameReview>, Failure> {
        let lease = review_lease_name(table);
        let replica = self.repository.replica();
        let longest = self.review_jobs.think_max * (WAIT_FACTOR + 1);
        let for_ms = longest.as_millis() as u64 + CLAIM_EXTRA_MS;
        while !self.repository.store().try_lease(&lease, replica, for_ms).await? {
            if self.stored_review(table).await?.is_some() {
                return Ok(None);
            }
            tokio::time::sleep(CLAIM_POLL).await;
        }
        self.analyse_game(table, stop).await.map(Some)
    }

    /// Analyses a game: first each decision briefly, then the bad ones for longer.
    async fn analyse_game(
        &self,
        id: &TableId,
        stop: &Arc<AtomicBool>,
    ) -> Result<GameReview, Failure> {
        let Ok(_turn) = self.review_jobs.review_slot.acquire().await else {
            return Ok(GameReview::failed());
        };
        let Some(table) = self.repository.load_table(id).await? else {
            return Ok(GameReview::default());
        };
        let turns = review::reviewed_decisions(&table);
        let Some(analysis) = GameAnalysis::new(table.game_id(), turns) else {
            return Ok(GameReview::default());
        };
        let analysis = Arc::new(Mutex::new(analysis));
        let _review = self.pool.begin_review();
        let is_thinking = Arc::new(AtomicBool::new(false));
        let think = self.run_analysis(&table, &analysis, stop, &is_thinking);
        tokio::pin!(think);
        let longest = self.review_jobs.think_max;
        let tick = THINK_TICK.min(longest);
        let mut waited = Duration::ZERO;
        let mut thought = Duration::ZERO;
        loop {
            tokio::select! {
                biased;
                () = &mut think => break,
                // Measured in real time, even on a slow machine. The jobs of others, which may run
                // between those of a review, do not count as its time to think.
                () = tokio::time::sleep(tick) => {
                    waited += tick;
                    if is_thinking.load(Ordering::Relaxed) {
                        thought += tick;
                    }
                }
            }
            if thought >= longest || waited >= longest * WAIT_FACTOR {
                stop.store(true, Ordering::Relaxed);
                think.as_mut().await;
                break;
            }
        }
        let is_interrupted = stop.load(Ordering::Relaxed);
        Ok(review_from_analysis(&table, &analysis.lock(), is_interrupted))
    }

    /// Analyses a game, a few decisions in each job. `is_thinking` is set while a job runs.
    async fn run_analysis(
        &self,
        table: &Table,
        analysis: &Arc<Mutex<GameAnalysis>>,
        stop: &Arc<AtomicBool>,
        is_thinking: &Arc<AtomicBool>,
    ) {
        loop {
            let analysis = analysis.clone();
            let stopped = stop.clone();
            let thinks = is_thinking.clone();
            let job = move |_: &mut EngineCache| {
                thinks.store(true, Ordering::Relaxed);
                let mut analysis = analysis.lock();
                let has_more = (0..DECISIONS_PER_JOB).all(|_| analysis.analyse_next(&stopped));
                thinks.store(false, Ordering::Relaxed);
                has_more.then(|| analysis.progress_percent())
            };
            let made = self.pool.run_job(table.chats.home(), ThinkPriority::Analysis, job).await;
            match made {
                Ok(Some(progress)) => self.review_jobs.set_progress(&table.id, progress),
                // An engine that panicked leaves the results that were found before.
                Ok(None) | Err(ThinkError::Panicked) => return,
                Err(ThinkError::QueueFull) if stop.load(Ordering::Relaxed) => return,
                // There is room again when the others have thought.
                Err(ThinkError::QueueFull) => tokio::time::sleep(CLAIM_POLL).await,
            }
        }
    }

    /// The chart of the winning chances as a picture and as text, and the positions of the moments'
    /// numbers on it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn review_chart(
        &self,
        table: &Table,
        lang: Lang,
    ) -> Result<Option<(Scene, String, Vec<TouchArea>)>, Failure> {
        let Some(review) = self.stored_review(&table.id).await? else { return Ok(None) };
        let Some(game) = table.game.as_deref() else { return Ok(None) };
        let names = player_names(&self.i18n, table, lang);
        let drawn = drawable_player_names(self.renderer.fonts(), &self.i18n, table, lang);
        let mark = |it: &ReviewedMove| {
            let at = usize::try_from(review::chart_index(table, it.step)).unwrap_or(usize::MAX);
            (at, it.seat)
        };
        let marks: Vec<(usize, u8)> = review.moments.iter().map(mark).collect();
        let (scene, lines, badges) =
            chances_scene(game.chart_sample(), &drawn, &review.chances, &marks);
        let line = |line: &ChartLine| {
            let names = line.seats.iter().filter_map(|seat| names.get(usize::from(*seat)).cloned());
            format!("{} {} %", names.collect::<Vec<_>>().join(" · "), line.value)
        };
        let words: Vec<String> = lines.iter().map(line).collect();
        Ok(Some((scene, words.join("\n"), badges)))
    }
}

/// The review of a game as far as it was analysed.
fn review_from_analysis(
    table: &Table,
    analysis: &GameAnalysis,
    is_interrupted: bool,
) -> GameReview {
    let (turns, verdicts) = analysis.verdicts();
    let moments = review::turning_points(table, turns, verdicts);
    let sides = review::chart_sides(table);
    let is_incomplete = is_interrupted || !analysis.is_finished();
    let chances = match analysis.has_judged_all() {
        true => review::win_chances(table, &sides, turns, verdicts),
        false => Vec::new(),
    };
    let shares = match is_incomplete {
        true => Vec::new(),
        false => review::result_shares(table, &sides, turns, verdicts),
    };
    let moments = moments.into_iter().map(ReviewedMove::from).collect();
    let shared_seats = table.seats_with_several_players().into_iter().collect();
    GameReview { moments, shares, shared_seats, chances, is_incomplete }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_made_once_for_all_who_wait() {
        let reviews = ReviewJobs::new(15_000);
        let table = TableId("7k3fx".into());
        let chat = |name: &str| ChatId(format!("web:{name}"));
        let making = reviews.begin(&table, &chat("a")).expect("it is not being made yet");
        assert!(reviews.begin(&table, &chat("b")).is_none());
        assert!(reviews.begin(&table, &chat("b")).is_none());
        assert_eq!(making.finish(), [chat("a"), chat("b")]);
        drop(making);
        assert!(reviews.begin(&table, &chat("c")).is_some(), "a dropped review can begin again");
    }

    #[test]
    fn nobody_is_told_to_wait_longer_than_it_takes() {
        let reviews = ReviewJobs::new(15_000);
        assert_eq!(reviews.estimated_seconds(94), 5);
        assert_eq!(reviews.estimated_seconds(30_000), 15);
        let _making = reviews.begin(&TableId("7k3fx".into()), &ChatId("web:a".into()));
        assert_eq!(reviews.estimated_seconds(94), 10);
    }
}
