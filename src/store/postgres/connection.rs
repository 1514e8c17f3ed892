//! Connects to the database: parses the address, sets up TLS and sessions, and turns errors into
//! messages without secrets.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
    Timeouts,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, Error, Socket};

use super::PostgresSettings;
use super::tls::{EncryptedStream, PostgresTlsConnector};
use crate::StoreError;

/// Time shared by all hosts in `STORE`, up to four.
const CONNECT_MAX: Duration = Duration::from_secs(4);
/// The shortest time limit for connecting to one host.
const HOST_CONNECT_MIN: Duration = Duration::from_secs(1);
/// The longest time limit for connecting to one host.
const HOST_CONNECT_MAX: Duration = Duration::from_secs(3);
/// Time limit for getting a free connection, or a server that accepts one: as long as a standby
/// needs to take over when all goes well.
pub(super) const POOL_WAIT_MAX: Duration = Duration::from_secs(5);
/// Pause between attempts to connect.
pub(super) const CONNECT_RETRY_PAUSE: Duration = Duration::from_millis(100);
/// Time limit for one query; after that the connection is closed.
pub(super) const QUERY_TIMEOUT: Duration = Duration::from_secs(8);

/// Session settings of every connection. Statements time out on the server before the client gives
/// up. All statements are small and use indexes: since the planner cannot see lists in parameters,
/// it must neither scan whole tables nor compile with JIT.
const SESSION_SETUP: &str = "
    SET statement_timeout = '6s';
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '20s';
    SET default_transaction_isolation = 'read committed';
    SET jit = off;
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') IN ('off', 'local');";

/// The address of the database and how to connect to it.
#[derive(Clone)]
pub(super) struct PostgresTarget {
    pub(super) config: Config,
    pub(super) tls: PostgresTlsConnector,
}

impl PostgresTarget {
    /// Parses a libpq address, `postgres://user:password@host1,host2/database`, with `sslmode` and
    /// `sslrootcert`.
    pub(super) fn parse(url: &str) -> Result<Self, StoreError> {
        let (url, root) = PostgresUrl::parse(url)?;
        let mut config: Config = url.parse().map_err(|error| {
            // The error names the mistake and never repeats the password.
            config_error(format!("STORE cannot be read: {}", error_text(&error)))
        })?;
        config.connect_timeout(host_connect_timeout(config.get_hosts().len()));
        config.keepalives(true);
        config.keepalives_idle(Duration::from_secs(10));
        config.keepalives_interval(Duration::from_secs(3));
        config.keepalives_retries(3);
        config.tcp_user_timeout(Duration::from_secs(10));
        config.target_session_attrs(tokio_postgres::config::TargetSessionAttrs::ReadWrite);
        if config.get_application_name().is_none() {
            config.application_name("caravanserai");
        }
        let roots = root_certificates(root.as_deref(), config.get_ssl_mode())?;
        let tls = PostgresTlsConnector(Arc::new(tls_config(roots)?));
        Ok(Self { config, tls })
    }

    /// Opens a connection outside the pool, with the task that drives it.
    pub(super) async fn connect(&self) -> Result<DedicatedConnection, StoreError> {
        let connecting = self.config.connect(self.tls.clone());
        let (client, connection) = with_timeout(connecting).await?.map_err(store_error)?;
        Ok(DedicatedConnection { client, connection })
    }

    pub(super) fn pool(&self, settings: &PostgresSettings) -> Result<Pool, StoreError> {
        let how = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(self.config.clone(), self.tls.clone(), how);
        let first = Hook::async_fn(|client, _| {
            Box::pin(async move {
                client.batch_execute(SESSION_SETUP).await.map_err(HookError::Backend)
            })
        });
        let timeouts = Timeouts {
            wait: Some(POOL_WAIT_MAX),
            create: Some(HOST_CONNECT_MAX * 2),
            recycle: Some(HOST_CONNECT_MAX),
        };
        Pool::builder(manager)
            .max_size(settings.connections_max)
            .runtime(Runtime::Tokio1)
            .timeouts(timeouts)
            .post_create(first)
            .build()
            .map_err(|error| config_error(error.to_string()))
    }
}

/// Returns the time limit for connecting to each host. Unreachable hosts may be tried first, so up
/// to four hosts must fit into the time that a request waits.
fn host_connect_timeout(hosts: usize) -> Duration {
    let hosts = u32::try_from(hosts.max(1)).unwrap_or(u32::MAX);
    (CONNECT_MAX / hosts).clamp(HOST_CONNECT_MIN, HOST_CONNECT_MAX)
}

/// A connection outside the pool.
pub(super) struct DedicatedConnection {
    pub(super) client: tokio_postgres::Client,
    pub(super) connection: ConnectionDriver,
}

/// The future that drives a connection.
pub(super) type ConnectionDriver = tokio_postgres::Connection<Socket, EncryptedStream<Socket>>;

/// Parses the parts of an address that the client library does not support.
struct PostgresUrl;

impl PostgresUrl {
    /// Splits an address into the part for the client library and the file of certificates.
    fn parse(url: &str) -> Result<(String, Option<String>), StoreError> {
        let Some((base, query)) = url.split_once('?') else { return Ok((url.to_owned(), None)) };
        let mut rest = Vec::new();
        let mut root = None;
        for pair in query.split('&') {
            match pair.split_once('=') {
                Some(("sslrootcert", file)) => root = Some(percent_decode(file)?),
                // Certificates are always verified, as these two modes demand.
                Some(("sslmode", "verify-full" | "verify-ca")) => rest.push("sslmode=require"),
                Some(_) | None => rest.push(pair),
            }
        }
        let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
        Ok((format!("{base}{query}"), root))
    }
}

fn percent_decode(text: &str) -> Result<String, StoreError> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits: Option<Vec<u32>> =
            [rest.next(), rest.next()].iter().map(|it| char::from((*it)?).to_digit(16)).collect();
        let code = digits.and_then(|it| u8::try_from(it[0] * 16 + it[1]).ok());
        bytes.push(code.ok_or_else(|| config_error("STORE: sslrootcert is spelt wrongly".into()))?);
    }
    String::from_utf8(bytes).map_err(|_| config_error("STORE: sslrootcert is spelt wrongly".into()))
}

/// The trusted root certificates: from a file, or those of this machine.
fn root_certificates(file: Option<&str>, mode: SslMode) -> Result<RootCertStore, StoreError> {
    let mut roots = RootCertStore::empty();
    let Some(file) = file else {
        if mode != SslMode::Disable {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        return Ok(roots);
    };
    let wrong =
        |why: String| config_error(format!("STORE: sslrootcert {file} cannot be used: {why}"));
    let pem = CertificateDer::pem_file_iter(Path::new(file));
    for certificate in pem.map_err(|error| wrong(error.to_string()))? {
        let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
        roots.add(certificate).map_err(|error| wrong(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(wrong("it holds no certificate".into()));
    }
    Ok(roots)
}

fn tls_config(roots: RootCertStore) -> Result<ClientConfig, StoreError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| config_error(error.to_string()))?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

/// Takes a connection from the pool; retries for a while until a server accepts one. No query has
/// been sent yet, so retrying is safe.
pub(super) async fn checkout(pool: &Pool) -> Result<Object, StoreError> {
    let mut why = "the database did not answer in time".to_owned();
    let trying = async {
        loop {
            match pool.get().await {
                Ok(client) => return Ok(client),
                Err(error) if is_transient(&error) => why = pool_error_text(&error),
                Err(error) => return Err(config_error(pool_error_text(&error))),
            }
            tokio::time::sleep(CONNECT_RETRY_PAUSE).await;
        }
    };
    let tried = tokio::time::timeout(POOL_WAIT_MAX, trying).await;
    tried.unwrap_or_else(|_| Err(config_error(why)))
}

/// Whether a retry may help: no server listens, it is starting or a standby, or it takes no more
/// connections and one of the pool is given back soon.
fn is_transient(error: &PoolError) -> bool {
    match error {
        PoolError::Backend(error) => error.as_db_error().is_none_or(|error| {
            let code = error.code();
            *code == SqlState::CANNOT_CONNECT_NOW
                || *code == SqlState::ADMIN_SHUTDOWN
                || *code == SqlState::TOO_MANY_CONNECTIONS
        }),
        PoolError::Timeout(_) | PoolError::Closed => false,
        PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => true,
    }
}

fn pool_error_text(error: &PoolError) -> String {
    match error {
        PoolError::Backend(error) => error_text(error),
        PoolError::PostCreateHook(HookError::Backend(error)) => error_text(error),
        PoolError::PostCreateHook(_) => "the database did not take a new connection".into(),
        PoolError::Timeout(_) => "the database did not answer in time".into(),
        PoolError::Closed => "the store is closed".into(),
        PoolError::NoRuntimeSpecified => "the pool has no runtime".into(),
    }
}

/// Waits for an answer up to [`QUERY_TIMEOUT`].
pub(super) async fn with_timeout<T>(answer: impl Future<Output = T>) -> Result<T, StoreError> {
    let waited = tokio::time::timeout(QUERY_TIMEOUT, answer).await;
    waited.map_err(|_| config_error("the database did not answer in time".into()))
}

/// One sentence, without the query and without the contents of rows.
pub(super) fn error_text(error: &Error) -> String {
    if let Some(error) = error.as_db_error() {
        return format!("the database says: {} ({})", error.message(), error.code().code());
    }
    let mut text = format!("the database cannot be reached: {error}");
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        let deeper_text = deeper.to_string();
        if !text.contains(&deeper_text) {
            text.push_str(": ");
            text.push_str(&deeper_text);
        }
        cause = deeper.source();
    }
    text
}

/// Converts a database error: a conflict if another transaction was first, damaged data if the
/// database says so, else a failure.
pub(super) fn store_error(error: Error) -> StoreError {
    let first = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::UNIQUE_VIOLATION,
    ];
    match error.code() {
        Some(code) if first.contains(code) => StoreError::Conflict,
        Some(&SqlState::DATA_CORRUPTED) => StoreError::Damaged(error_text(&error)),
        Some(_) | None => StoreError::Failed(error_text(&error)),
    }
}

pub(super) fn config_error(why: String) -> StoreError {
    StoreError::Failed(why)
}
