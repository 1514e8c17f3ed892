//! The writing tasks: each takes the waiting commits, applies them by one statement, and replies to
//! them. So commits share the cost of reaching the disk, as in the sled store; in the database the
//! commits of all replicas share it again.

use std::collections::VecDeque;
use std::sync::Arc;

use deadpool_postgres::{Object, Pool};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_postgres::Error;
use tokio_postgres::error::Severity;

use super::batch::{Batch, PreparedCommit, to_i64};
use super::connection::{checkout, config_error, store_error, with_timeout};
use super::health::PostgresHealth;
use crate::{Commit, StoreError};

/// Commits that may wait; further ones wait for a place in the queue.
const QUEUE_COMMITS_MAX: usize = 1024;

const APPLY: &str = "SELECT caravanserai.apply_2($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, \
                     $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)";

type PostgresCommitReply = oneshot::Sender<Result<(), StoreError>>;
type PostgresCommitJob = (PreparedCommit, PostgresCommitReply);

/// Sends commits to the writing tasks.
pub(super) struct Writers {
    jobs: mpsc::Sender<PostgresCommitJob>,
}

/// The waiting commits, in order.
struct PostgresCommitQueue {
    jobs: mpsc::Receiver<PostgresCommitJob>,
    /// Commits that did not fit into an earlier batch.
    first: VecDeque<PostgresCommitJob>,
}

impl Writers {
    /// Starts this many tasks. They end when [`Writers`] is dropped and all commits have their
    /// reply.
    pub(super) fn start(
        pool: &Pool,
        state: &Arc<PostgresHealth>,
        writers: usize,
    ) -> (Self, JoinSet<()>) {
        let (sender, jobs) = mpsc::channel(QUEUE_COMMITS_MAX);
        let queue = Arc::new(Mutex::new(PostgresCommitQueue { jobs, first: VecDeque::new() }));
        let mut tasks = JoinSet::new();
        for _ in 0..writers.max(1) {
            let pool = pool.clone();
            let state = Arc::clone(state);
            let queue = Arc::clone(&queue);
            tasks.spawn(async move {
                while let Some((batch, answers)) = next_batch(&queue).await {
                    write(&pool, &state, batch, answers).await;
                }
            });
        }
        (Self { jobs: sender }, tasks)
    }

    pub(super) async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let (answer, result) = oneshot::channel();
        let job = (PreparedCommit::new(commit), answer);
        self.jobs.send(job).await.map_err(|_| config_error("the store is closed".into()))?;
        result.await.unwrap_or_else(|_| Err(config_error("the store is closed".into())))
    }
}

/// The next batch of waiting commits; `None` when all senders are gone and the queue is empty.
async fn next_batch(
    queue: &Mutex<PostgresCommitQueue>,
) -> Option<(Batch, Vec<PostgresCommitReply>)> {
    let mut queue = queue.lock().await;
    let mut batch = Batch::default();
    let mut answers = Vec::new();
    let first = match queue.first.pop_front() {
        Some(job) => job,
        None => queue.jobs.recv().await?,
    };
    let mut job = Some(first);
    while let Some((commit, answer)) = job {
        match batch.add(commit) {
            Ok(()) => answers.push(answer),
            Err(commit) => {
                queue.first.push_front((*commit, answer));
                break;
            }
        }
        job = queue.first.pop_front().or_else(|| queue.jobs.try_recv().ok());
    }
    Some((batch, answers))
}

async fn write(
    pool: &Pool,
    state: &PostgresHealth,
    batch: Batch,
    answers: Vec<PostgresCommitReply>,
) {
    match apply(pool, &batch, state.clock.now_ms()).await {
        Ok(refused) => {
            state.set_good();
            for (n, answer) in (0..).zip(answers) {
                let done = if refused.contains(&n) { Err(StoreError::Conflict) } else { Ok(()) };
                // Callers that stopped waiting do not need the reply.
                let _ = answer.send(done);
            }
        }
        // One commit failed the batch: apply each on its own, so that the others succeed.
        Err(BatchError { error: _, whole: true }) if batch.len() > 1 => {
            for (batch, answer) in batch.split().into_iter().zip(answers) {
                Box::pin(write(pool, state, batch, vec![answer])).await;
            }
        }
        Err(BatchError { error, .. }) => {
            let why = match &error {
                StoreError::Failed(why) | StoreError::Damaged(why) => Some(why.clone()),
                StoreError::Conflict => None,
            };
            if let Some(why) = &why {
                state.set_failed(why);
            }
            for answer in answers {
                let _ = answer.send(Err(match &why {
                    Some(why) => StoreError::Failed(why.clone()),
                    None => StoreError::Conflict,
                }));
            }
        }
    }
}

/// Why a batch was not applied.
struct BatchError {
    error: StoreError,
    /// Whether the database reported the error and rolled back the whole batch; otherwise the batch
    /// may have been applied.
    whole: bool,
}

async fn apply(pool: &Pool, batch: &Batch, now_ms: u64) -> Result<Vec<i32>, BatchError> {
    let unsure = |error| BatchError { error, whole: false };
    let client = checkout(pool).await.map_err(unsure)?;
    match with_timeout(call_apply(&client, batch, now_ms)).await {
        Ok(Ok(refused)) => Ok(refused),
        Ok(Err(error)) => {
            let whole = error
                .as_db_error()
                .is_some_and(|error| error.parsed_severity() == Some(Severity::Error));
            // The state of the connection is unknown: the next query gets a new one.
            drop(Object::take(client));
            Err(BatchError { error: store_error(error), whole })
        }
        Err(late) => {
            drop(Object::take(client));
            Err(unsure(late))
        }
    }
}

async fn call_apply(client: &Object, batch: &Batch, now_ms: u64) -> Result<Vec<i32>, Error> {
    let apply = client.prepare_cached(APPLY).await?;
    let it = batch.columns();
    let row = client
        .query_one(
            &apply,
            &[
                &to_i64(now_ms),
                &it.alone,
                &it.locks,
                &it.expect.n,
                &it.expect.space,
                &it.expect.key,
                &it.expect.value,
                &it.append.n,
                &it.append.log,
                &it.append_length,
                &it.drop.n,
                &it.drop.log,
                &it.line.n,
                &it.line.log,
                &it.line_number,
                &it.line_line,
                &it.put.n,
                &it.put.space,
                &it.put.key,
                &it.put.value,
                &it.put_until,
                &it.remove.n,
                &it.remove.space,
                &it.remove.key,
                &it.tell_n,
                &it.tell_topic,
            ],
        )
        .await?;
    row.try_get(0)
}
