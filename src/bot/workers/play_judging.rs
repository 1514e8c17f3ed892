//! Judges the play of finished games, if the game declares the cost of its levels' decisions.
//!
//! Each such game is marked by the commit that ends it. One process at a time judges the marked
//! games, one after the other, after all moves and beside reviews; a process that stops leaves the
//! mark, and another one judges the game again. All decisions of a game are judged with the same
//! effort, measured in positions, so the same game always gets the same verdict. Decisions that the
//! engine answers without a search are left out, such as those about combinations. A game whose log
//! cannot be read keeps its mark, and the others are judged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Mutex;

use super::engine_pool::{EngineCache, ThinkError, ThinkPriority};
use super::game_analysis::judge_decision;
use super::{StopOnDrop, Workers};
use crate::repository::quarantine::QuarantineInput;
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{Failure, keys};
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_results::JudgedGame;
use caravanserai_store::Space;
use caravanserai_table::review::{self, DecisionVerdict, GameDecision};
use caravanserai_table::state::Table;

/// The decisions that one job judges before other jobs get their turn.
const DECISIONS_PER_JOB: usize = 4;

/// The lease of the process that judges games, and how long it is held for one game, in
/// milliseconds.
const LEASE: &str = "play quality";
const LEASE_MS: u64 = 120_000;

/// Lets one task of this process judge games.
#[derive(Default)]
pub(super) struct JudgingSlot {
    running: Mutex<()>,
    /// Whether games may have been marked since the task looked last.
    is_wanted: AtomicBool,
}

/// The number of positions of a search with which a decision is judged that may take this long on
/// an ordinary core, in milliseconds.
pub fn judging_nodes(game: GameId, judging_ms: u64) -> u64 {
    (game.nodes_per_second() * judging_ms / 1_000).max(1)
}

/// How the play of a game was judged.
enum Judging {
    /// All decisions have their verdicts.
    Done(JudgedGame),
    /// An engine panicked, or the game does not follow from its log.
    Impossible,
    /// So many jobs wait that the game is judged later.
    Busy,
}

/// The outcome of a marked game.
enum MarkedGame {
    /// Its mark is removed.
    Handled,
    /// Its log cannot be read for now.
    Unreadable,
    /// Games have to wait.
    Busy,
}

impl Workers {
    /// Starts to judge the finished games that wait for it, until none is left or the bot stops. If
    /// a task does so already, it looks once more.
    pub fn start_judging(&self) {
        self.judging.is_wanted.store(true, Ordering::Release);
        let Some(workers) = self.weak_self.upgrade() else { return };
        if workers.judging.running.try_lock().is_err() {
            return;
        }
        self.tasks.spawn(async move { workers.judge_until_idle().await });
    }

    async fn judge_until_idle(&self) {
        let is_wanted = || self.judging.is_wanted.load(Ordering::Acquire);
        // The loop also serves requests that found the slot taken while it was released.
        while is_wanted()
            && !self.tasks.is_stopping()
            && let Ok(_slot) = self.judging.running.try_lock()
        {
            self.judging.is_wanted.store(false, Ordering::Release);
            let has_lease = AtomicBool::new(false);
            let judged = tokio::select! {
                biased;
                () = self.tasks.wait_for_stop() => Ok(()),
                judged = self.judge_waiting_games(&has_lease) => judged,
            };
            if let Err(failure) = judged {
                tracing::error!(%failure, "failed to judge the play of finished games");
            }
            // Other processes need not wait until the lease expires.
            if has_lease.into_inner() {
                let replica = self.repository.replica();
                self.repository.store().release_lease(LEASE, replica).await.ok();
            }
        }
    }

    /// Judges all finished games that wait for it, unless another process does.
    async fn judge_waiting_games(&self, has_lease: &AtomicBool) -> Result<(), Failure> {
        let store = self.repository.store();
        let replica = self.repository.replica();
        let mut after = String::new();
        while let Some(table) = self.next_unjudged_game(&after).await? {
            // The lease is renewed for each game.
            if !store.try_lease(LEASE, replica, LEASE_MS).await? {
                return Ok(());
            }
            has_lease.store(true, Ordering::Relaxed);
            match self.judge_marked_game(&table).await? {
                MarkedGame::Handled => {}
                MarkedGame::Unreadable => after = keys::unjudged(&table),
                MarkedGame::Busy => return Ok(()),
            }
        }
        Ok(())
    }

    /// The first marked game whose mark comes after this key.
    async fn next_unjudged_game(&self, after: &str) -> Result<Option<TableId>, Failure> {
        let prefix = keys::UNJUDGED_PREFIX;
        let first = self.repository.read_rows_after(Space::Meta, prefix, after, 1).await?;
        Ok(first.first().and_then(|(key, _)| Some(TableId(key.strip_prefix(prefix)?.to_owned()))))
    }

    /// Judges a game, stores the result and removes the mark; where it is impossible, only the mark
    /// is removed.
    async fn judge_marked_game(&self, id: &TableId) -> Result<MarkedGame, Failure> {
        let input = QuarantineInput::Judging(id.clone());
        let judged = match self.repository.run_isolated(&input, self.judge_game(id)).await {
            Ok(Err(failure @ Failure::Store(_))) => return Err(failure),
            Ok(Ok(Judging::Busy)) => return Ok(MarkedGame::Busy),
            Ok(Ok(Judging::Done(judged))) => Some(judged),
            Ok(Err(failure)) => {
                if self.repository.is_table_unreadable(id).await? {
                    self.repository.report_unreadable_game(id, &failure.to_string()).await?;
                    return Ok(MarkedGame::Unreadable);
                }
                tracing::error!(%failure, "failed to judge the play of a game");
                None
            }
            Ok(Ok(Judging::Impossible)) | Err(_) => None,
        };
        let until_ms = self.repository.now_ms() + self.repository.limits().play_quality_ttl_ms;
        let row = judged
            .map(|it| put_json(Space::Meta, keys::play_quality(id), &it).expires_at(until_ms));
        let mark = remove_row(Space::Meta, keys::unjudged(id));
        self.repository.put_all(row.into_iter().chain([mark]).collect()).await?;
        Ok(MarkedGame::Handled)
    }

    async fn judge_game(&self, id: &TableId) -> Result<Judging, Failure> {
        let Some(table) = self.repository.load_table(id).await? else {
            return Ok(Judging::Impossible);
        };
        let turns = Arc::new(review::decisions_to_judge(&table));
        let verdicts = match self.judge_decisions(&table, &turns).await {
            Ok(verdicts) => verdicts,
            Err(ThinkError::Panicked) => return Ok(Judging::Impossible),
            Err(ThinkError::QueueFull) => return Ok(Judging::Busy),
        };
        let judged = review::judged_table(&table, &turns, &verdicts);
        Ok(judged.map_or(Judging::Impossible, Judging::Done))
    }

    /// The verdicts on these decisions.
    async fn judge_decisions(
        &self,
        table: &Table,
        turns: &Arc<Vec<GameDecision>>,
    ) -> Result<Vec<Option<DecisionVerdict>>, ThinkError> {
        let game = table.game_id();
        let nodes = judging_nodes(game, self.repository.limits().judging_ms);
        let stop = StopOnDrop::default();
        let mut verdicts = Vec::with_capacity(turns.len());
        for first in (0..turns.len()).step_by(DECISIONS_PER_JOB) {
            let turns = turns.clone();
            let stop = stop.0.clone();
            let job = move |engines: &mut EngineCache| {
                let engine = engines.engine(game, ComputerLevel::Master)?;
                let turns = turns.iter().skip(first).take(DECISIONS_PER_JOB);
                Some(turns.map(|it| judge_decision(&mut **engine, it, nodes, &stop)).collect())
            };
            let job = self.pool.run_job(table.chats.home(), ThinkPriority::Analysis, job);
            let judged: Option<Vec<_>> = job.await?;
            verdicts.extend(judged.unwrap_or_default());
        }
        Ok(verdicts)
    }
}
