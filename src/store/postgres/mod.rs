//! The store for several machines: PostgreSQL, with any number of replicas at once.
//!
//! Commits wait for each other as little as they can: those of one process go together, see
//! `writer`; whoever writes or expects a key holds its lock until the commit is on disk, see
//! `schema_2.sql`. So a commit is one round trip, sees what was there before it and nothing that
//! comes between, and never ends in a deadlock. Reads are one statement each and wait for nobody.
//!
//! When the connection breaks while a commit is under way, nobody here knows whether it has
//! happened; the caller gets a failure and sees it by what the commit would have written. A
//! commit of the same update that is tried again expects that the update was not seen, so it
//! cannot happen twice even if the first try is still on its way.
//!
//! Time that decides who holds what is the database's, never that of a replica. Lifetimes, which
//! are days or hours, go by the clock of whoever asks.

mod batch;
mod connect;
mod listen;
mod reads;
mod schema;
mod snapshot;
mod state;
mod tls;
mod writer;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Object, Pool};
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio_postgres::types::ToSql;

use super::{
    Change, Commit, Found, Notices, Now, OpenError, Read, Row, Snapshot, Space, Store, StoreError,
    StoreHealth, limits,
};
use batch::{letter, number};
use connect::{Target, free, refuse, told, within};
use listen::Listener;
use state::State;
use writer::Writers;

/// Nothing is held longer than this at once, in milliseconds: a day.
const HELD_MS_MAX: u64 = 24 * 60 * 60 * 1000;

/// How long closing waits for what is under way.
const CLOSE_MAX: Duration = Duration::from_secs(10);

/// How much of the database one replica may take.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Connections for questions, besides the one that hears notices.
    pub connections_max: usize,
    /// How many of them may write at the same time.
    pub writers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { connections_max: 8, writers: 2 }
    }
}

/// A database, opened together with all other replicas.
pub struct PostgresStore {
    target: Target,
    pool: Pool,
    state: Arc<State>,
    notices: Arc<Notices>,
    /// Gone when the store is closed.
    open: Mutex<Option<Open>>,
}

struct Open {
    writers: Arc<Writers>,
    tasks: JoinSet<()>,
    _listener: Listener,
}

impl PostgresStore {
    /// Connects, and makes or renews the tables if nobody has yet.
    ///
    /// # Errors
    /// One sentence for the operator if the address is wrong, nobody answers there, the database
    /// cannot be trusted with games, or a newer program wrote it.
    pub async fn open(url: &str, settings: Settings) -> Result<Self, OpenError> {
        let target = Target::read(url)?;
        // Not lasting even when the password is refused: it may be in the middle of a change.
        let connected = target.connect().await.map_err(OpenError::away)?;
        let connect::Connected { mut client, connection } = connected;
        let moving = tokio::spawn(connection);
        let prepared = schema::prepare(&mut client).await;
        drop(client);
        moving.abort();
        prepared?;
        let state = Arc::new(State::default());
        let notices = Arc::new(Notices::new());
        let pool = target.pool(&settings)?;
        let listener =
            Listener::start(target.clone(), Arc::clone(&state), Arc::clone(&notices)).await;
        let listener = listener.map_err(OpenError::away)?;
        let (writers, tasks) = Writers::start(&pool, &state, settings.writers);
        let open = Open { writers: Arc::new(writers), tasks, _listener: listener };
        let open = Mutex::new(Some(open));
        Ok(Self { target, pool, state, notices, open })
    }

    fn writers(&self) -> Result<Arc<Writers>, StoreError> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.as_ref().ok_or_else(|| refuse("the store is closed".into()))?;
        Ok(Arc::clone(&open.writers))
    }

    /// A connection for one question.
    async fn client(&self) -> Result<Object, StoreError> {
        self.writers()?;
        free(&self.pool).await
    }

    /// Rows of one statement that may be asked again without harm.
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
        self.answered(within(asked).await, client)
    }

    /// The answer; a connection that did not give one is not used again.
    fn answered<T>(
        &self,
        answer: Result<Result<T, tokio_postgres::Error>, StoreError>,
        client: Object,
    ) -> Result<T, StoreError> {
        let error = match answer {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => told(error),
            Err(late) => late,
        };
        drop(Object::take(client));
        if let StoreError::Failed(why) = &error {
            self.state.bad(why);
        }
        Err(error)
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn read(&self, reads: &[Read]) -> Result<Vec<Found>, StoreError> {
        let (client, now_ms) = (self.client().await?, self.state.watch.now_ms());
        let answer = within(reads::ask(&client, reads, now_ms)).await;
        if let Ok(Err(error)) = &answer
            && error.is_closed()
        {
            // It had been cut while nobody used it; reading again does no harm.
            drop(Object::take(client));
            let client = self.client().await?;
            let answer = within(reads::ask(&client, reads, now_ms)).await;
            return self.answered(answer, client);
        }
        self.answered(answer, client)
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        limits::check(&commit)?;
        self.writers()?.commit(commit).await
    }

    async fn sweep(&self, now_ms: u64, limit: usize) -> Result<usize, StoreError> {
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
        let rows = self.query(SWEEP, &[&number(now_ms), &limit]).await?;
        let swept: i64 = rows.first().map_or(0, |row| row.get(0));
        Ok(usize::try_from(swept).unwrap_or(0))
    }

    async fn lease(&self, name: &str, owner: &str, for_ms: u64) -> Result<bool, StoreError> {
        const LEASE: &str = "
            INSERT INTO caravanserai.lease AS held (name, owner, until)
                VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
                ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
                    WHERE held.owner = excluded.owner OR held.until <= clock_timestamp()
                RETURNING 1";
        let for_ms = number(for_ms.min(HELD_MS_MAX));
        Ok(!self.query(LEASE, &[&name, &owner, &for_ms]).await?.is_empty())
    }

    async fn release(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        const RELEASE: &str = "DELETE FROM caravanserai.lease WHERE name = $1 AND owner = $2";
        self.query(RELEASE, &[&name, &owner]).await.map(|_| ())
    }

    async fn holder(&self, name: &str) -> Result<Option<String>, StoreError> {
        const HOLDER: &str =
            "SELECT owner FROM caravanserai.lease WHERE name = $1 AND until > clock_timestamp()";
        Ok(self.query(HOLDER, &[&name]).await?.first().map(|row| row.get(0)))
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn claim(
        &self,
        space: Space,
        upto: &str,
        owner: &str,
        for_ms: u64,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
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
        let for_ms = number(for_ms.min(HELD_MS_MAX));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let now_ms = number(self.state.watch.now_ms());
        let asked: [&(dyn ToSql + Sync); 6] =
            [&letter(space), &upto, &owner, &for_ms, &limit, &now_ms];
        let rows = self.query(CLAIM, &asked).await?;
        let mut rows: Vec<Row> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.writers()?;
        Ok(Box::new(snapshot::Everything::open(&self.target).await?))
    }

    fn go_by(&self, now: Now) {
        self.state.watch.go_by(now);
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.notices.listen()
    }

    fn health(&self) -> StoreHealth {
        self.state.health()
    }

    /// Other replicas go on.
    async fn close(&self) -> Result<(), StoreError> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Open { writers, mut tasks, _listener }) = open else { return Ok(()) };
        // What is under way is answered; what comes later fails.
        drop(writers);
        let ended = async { while tasks.join_next().await.is_some() {} };
        let ended = tokio::time::timeout(CLOSE_MAX, ended).await;
        self.pool.close();
        ended.map_err(|_| refuse("the database did not answer before the store was closed".into()))
    }
}
