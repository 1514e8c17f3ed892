//! The store for several machines: PostgreSQL, shared by any number of replicas.
//!
//! Commits block each other as little as possible. Those of one process are applied together, see
//! `writer`. A commit holds the locks of the keys that it writes or expects until it is on disk,
//! see `schema_2.sql`. So a commit is one round trip, sees everything before it and nothing that
//! interferes, and never deadlocks. Reads are one statement each and wait for no lock.
//!
//! When the connection breaks during a commit, its outcome is unknown here; the caller gets a
//! failure and checks for a row that the commit would have written. A retry for the same update
//! expects the id of the update to be absent, so the commit cannot happen twice even if the first
//! attempt is still under way.
//!
//! Leases and claims go by the clock of the database, never by that of a replica. Expiry times,
//! which are hours or days ahead, go by the clock of the caller.

mod batch;
mod connection;
mod health;
mod notifications;
mod queries;
mod schema;
mod snapshot;
mod tls;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Object, Pool};
use parking_lot::Mutex;
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

use super::{
    ChangeBroadcast, Commit, OpenError, Snapshot, Space, Store, StoreAnswer, StoreChange,
    StoreClockFn, StoreError, StoreHealth, StoreQuery, StoreRow, commit_limits,
};
use batch::{space_code, to_i64};
use connection::{PostgresTarget, checkout, config_error, store_error, with_timeout};
use health::PostgresHealth;
use notifications::NotificationListener;
use writer::Writers;

/// Longest lease, in milliseconds: a day.
const LEASE_MS_MAX: u64 = 24 * 60 * 60 * 1000;

/// Time limit for commits in progress when the store is closed.
const CLOSE_MAX: Duration = Duration::from_secs(10);

/// Limits on the connections of one replica.
#[derive(Clone, Copy, Debug)]
pub struct PostgresSettings {
    /// Connections for queries, in addition to the one for notifications.
    pub connections_max: usize,
    /// The number of these that may write at the same time.
    pub writers: usize,
}

impl Default for PostgresSettings {
    fn default() -> Self {
        Self { connections_max: 8, writers: 2 }
    }
}

/// A database, shared with all other replicas.
pub struct PostgresStore {
    target: PostgresTarget,
    pool: Pool,
    state: Arc<PostgresHealth>,
    notices: Arc<ChangeBroadcast>,
    /// `None` once the store is closed.
    open: Mutex<Option<OpenPostgres>>,
}

/// What happens to missing tables and those of an earlier version.
#[derive(Clone, Copy)]
enum OlderTables {
    Migrate,
    Refuse,
}

struct OpenPostgres {
    writers: Arc<Writers>,
    tasks: JoinSet<()>,
    _listener: NotificationListener,
}

impl PostgresStore {
    /// Connects, and creates or migrates the tables if needed.
    ///
    /// # Errors
    /// One sentence for the operator if the address is wrong, no server answers there, the settings
    /// of the server are not safe for games, or a newer program wrote the database.
    pub async fn open(url: &str, settings: PostgresSettings) -> Result<Self, OpenError> {
        Self::open_with(url, settings, OlderTables::Migrate).await
    }

    /// Connects to a database for a command that only reads it, and changes nothing.
    ///
    /// # Errors
    /// As [`PostgresStore::open`], and if there are no tables or older ones.
    pub async fn open_to_read(url: &str, settings: PostgresSettings) -> Result<Self, OpenError> {
        Self::open_with(url, settings, OlderTables::Refuse).await
    }

    async fn open_with(
        url: &str,
        settings: PostgresSettings,
        older_tables: OlderTables,
    ) -> Result<Self, OpenError> {
        let target = PostgresTarget::parse(url)?;
        // Retryable even when the password is refused: it may be about to be changed.
        let connected = target.connect().await.map_err(OpenError::retryable)?;
        let connection::DedicatedConnection { mut client, connection } = connected;
        let moving = tokio::spawn(connection);
        let prepared = match older_tables {
            OlderTables::Migrate => schema::migrate(&mut client).await,
            OlderTables::Refuse => schema::refuse_older_tables(&client).await,
        };
        drop(client);
        moving.abort();
        prepared?;
        let state = Arc::new(PostgresHealth::default());
        let notices = Arc::new(ChangeBroadcast::new());
        let pool = target.pool(&settings)?;
        let listener =
            NotificationListener::start(target.clone(), Arc::clone(&state), Arc::clone(&notices))
                .await;
        let listener = listener.map_err(OpenError::retryable)?;
        let (writers, tasks) = Writers::start(&pool, &state, settings.writers);
        let open = OpenPostgres { writers: Arc::new(writers), tasks, _listener: listener };
        let open = Mutex::new(Some(open));
        Ok(Self { target, pool, state, notices, open })
    }

    /// Connects, and finds out whether the tables are of the current version; `None` if there are
    /// none yet. Changes nothing.
    ///
    /// # Errors
    /// As [`PostgresStore::open`].
    pub async fn has_current_tables(url: &str) -> Result<Option<bool>, OpenError> {
        let target = PostgresTarget::parse(url)?;
        let connected = target.connect().await.map_err(OpenError::retryable)?;
        let connection::DedicatedConnection { client, connection } = connected;
        let moving = tokio::spawn(connection);
        let found = with_timeout(schema::has_current_tables(&client)).await;
        drop(client);
        moving.abort();
        found.map_err(OpenError::retryable)?
    }

    fn writers(&self) -> Result<Arc<Writers>, StoreError> {
        let open = self.open.lock();
        let open = open.as_ref().ok_or_else(|| config_error("the store is closed".into()))?;
        Ok(Arc::clone(&open.writers))
    }

    /// Takes a connection for one query.
    async fn client(&self) -> Result<Object, StoreError> {
        self.writers()?;
        checkout(&self.pool).await
    }

    /// Runs one statement that is safe to repeat.
    async fn query(
        &self,
        statement: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        let client = self.client().await?;
        let asked = async {
            let statement = client.prepare_cached(statement).await?;
            client.query(&statement, parameters).await
        };
        self.check_answer(with_timeout(asked).await, client)
    }

    /// Checks an answer; a connection that failed to answer is not used again.
    fn check_answer<T>(
        &self,
        answer: Result<Result<T, tokio_postgres::Error>, StoreError>,
        client: Object,
    ) -> Result<T, StoreError> {
        let error = match answer {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => store_error(error),
            Err(late) => late,
        };
        drop(Object::take(client));
        if let StoreError::Failed(why) = &error {
            self.state.set_failed(why);
        }
        Err(error)
    }
}

/// How many cut connections of the pool a read replaces.
const CUT_CONNECTIONS_MAX: usize = 4;

/// Whether a connection was lost, or the server ended it.
fn is_cut(error: &tokio_postgres::Error) -> bool {
    error.is_closed() || error.code() == Some(&SqlState::ADMIN_SHUTDOWN)
}

#[async_trait]
impl Store for PostgresStore {
    async fn read(&self, reads: &[StoreQuery]) -> Result<Vec<StoreAnswer>, StoreError> {
        let mut client = self.client().await?;
        let now_ms = self.state.clock.now_ms();
        let mut answer = with_timeout(queries::run_queries(&client, reads, now_ms)).await;
        for _ in 0..CUT_CONNECTIONS_MAX {
            if !matches!(&answer, Ok(Err(error)) if is_cut(error)) {
                break;
            }
            // The connection was cut while it was idle; repeating a read is safe.
            drop(Object::take(client));
            client = self.client().await?;
            answer = with_timeout(queries::run_queries(&client, reads, now_ms)).await;
        }
        self.check_answer(answer, client)
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        commit_limits::check_commit(&commit)?;
        self.writers()?.commit(commit).await
    }

    async fn remove_expired(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
        const SWEEP: &str = "
            WITH over AS (
                SELECT space, key FROM caravanserai.entry WHERE until_ms <= $1
                    ORDER BY until_ms LIMIT $2 FOR UPDATE SKIP LOCKED
            ), forgotten AS (
                DELETE FROM caravanserai.lease
                    WHERE until < clock_timestamp() - interval '1 day'
            ), swept AS (
                DELETE FROM caravanserai.entry USING over
                    WHERE entry.space = over.space AND entry.key = over.key RETURNING 1
            )
            SELECT count(*) FROM swept";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.query(SWEEP, &[&to_i64(now_ms), &limit]).await?;
        let swept: i64 = rows.first().map_or(0, |row| row.get(0));
        Ok(usize::try_from(swept).unwrap_or(0))
    }

    async fn try_lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        const LEASE: &str = "
            INSERT INTO caravanserai.lease AS held (name, owner, until)
                VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
                ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
                    WHERE held.owner = excluded.owner OR held.until <= clock_timestamp()
                RETURNING 1";
        let for_ms = to_i64(for_ms.min(LEASE_MS_MAX));
        Ok(!self.query(LEASE, &[&name, &owner, &for_ms]).await?.is_empty())
    }

    async fn release_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        const RELEASE: &str = "DELETE FROM caravanserai.lease WHERE name = $1 AND owner = $2";
        self.query(RELEASE, &[&name, &owner]).await.map(|_| ())
    }

    async fn lease_holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        const HOLDER: &str =
            "SELECT owner FROM caravanserai.lease WHERE name = $1 AND until > clock_timestamp()";
        Ok(self.query(HOLDER, &[&name]).await?.first().map(|row| row.get(0)))
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn claim_rows(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<StoreRow>, StoreError> {
        const CLAIM: &str = "
            WITH due AS (
                SELECT key FROM caravanserai.entry
                    WHERE space = $1 AND key <= $2 AND (until_ms IS NULL OR until_ms > $6)
                        AND (held_until IS NULL
                        OR held_by = $3 OR held_until <= clock_timestamp())
                    ORDER BY key LIMIT $5 FOR UPDATE SKIP LOCKED
            )
            UPDATE caravanserai.entry SET held_by = $3,
                    held_until = clock_timestamp() + $4::bigint * interval '1 millisecond'
                FROM due WHERE entry.space = $1 AND entry.key = due.key
                RETURNING entry.key, entry.value";
        let for_ms = to_i64(for_ms.min(LEASE_MS_MAX));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let now_ms = to_i64(self.state.clock.now_ms());
        let asked: [&(dyn ToSql + Sync); 6] =
            [&space_code(space), &upto, &owner, &for_ms, &limit, &now_ms];
        let rows = self.query(CLAIM, &asked).await?;
        let mut rows: Vec<StoreRow> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    async fn release_claims(
        &self,
        space: Space,
        keys: &[String],
        owner: &str,
    ) -> Result<(), StoreError> {
        const RELEASE: &str = "
            UPDATE caravanserai.entry SET held_by = NULL, held_until = NULL
                WHERE space = $1 AND key = ANY($2) AND held_by = $3";
        self.query(RELEASE, &[&space_code(space), &keys, &owner]).await.map(drop)
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.writers()?;
        Ok(Box::new(snapshot::PostgresSnapshot::open(&self.target).await?))
    }

    fn set_clock(&self, now: StoreClockFn) {
        self.state.clock.set_source(now);
    }

    fn subscribe_changes(&self) -> broadcast::Receiver<StoreChange> {
        self.notices.subscribe()
    }

    fn health(&self) -> StoreHealth {
        self.state.health()
    }

    /// Other replicas go on.
    async fn close(&self) -> Result<(), StoreError> {
        let open = self.open.lock().take();
        let Some(OpenPostgres { writers, mut tasks, _listener }) = open else { return Ok(()) };
        // Commits in progress get their reply; later ones fail.
        drop(writers);
        let ended = async { while tasks.join_next().await.is_some() {} };
        let ended = tokio::time::timeout(CLOSE_MAX, ended).await;
        self.pool.close();
        ended.map_err(|_| {
            config_error("the database did not answer before the store was closed".into())
        })
    }
}
