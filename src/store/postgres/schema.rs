//! Creates and migrates the tables; the first replica that starts does it.

use tokio_postgres::{Client, GenericClient};

use super::connection::store_error;
use crate::{OpenError, StoreError};

/// Each script migrates from the version before it; the first begins with an empty schema.
const VERSIONS: &[&str] = &[include_str!("schema_1.sql"), include_str!("schema_2.sql")];

/// Held while versions are compared and migrated, so that replicas that start together wait.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7164214905201836294)";

/// Creates the tables or migrates them to the current version, in one transaction.
///
/// # Errors
/// One sentence if a newer program wrote the database, or if a requirement is not met.
pub(super) async fn migrate(client: &mut Client) -> Result<(), OpenError> {
    let away = |error| OpenError::retryable(store_error(error));
    check_server_settings(client).await?;
    let change = client.transaction().await.map_err(away)?;
    // A replica may wait here while another one migrates, so there are no timeouts.
    change
        .batch_execute("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")
        .await
        .map_err(away)?;
    change.batch_execute(LOCK).await.map_err(away)?;
    let found = match read_version(&change).await? {
        Some(found) => found,
        None => {
            // A user without the right to create the schema may still use an existing one.
            let make = "CREATE SCHEMA IF NOT EXISTS caravanserai;
                        CREATE TABLE caravanserai.version (number integer NOT NULL);
                        INSERT INTO caravanserai.version VALUES (0)";
            change.batch_execute(make).await.map_err(away)?;
            0
        }
    };
    for version in &VERSIONS[found..] {
        change.batch_execute(version).await.map_err(away)?;
    }
    if found < VERSIONS.len() {
        let number = i32::try_from(VERSIONS.len()).unwrap_or(i32::MAX);
        let reached = "UPDATE caravanserai.version SET number = $1";
        change.execute(reached, &[&number]).await.map_err(away)?;
        tracing::info!("the database is at version {number} now, it was at {found}");
    }
    change.commit().await.map_err(away)
}

/// Whether the tables are of the current version; `None` if there are none yet. Changes nothing.
///
/// # Errors
/// As [`migrate`].
pub(super) async fn has_current_tables(client: &Client) -> Result<Option<bool>, OpenError> {
    check_server_settings(client).await?;
    Ok(read_version(client).await?.map(|it| it == VERSIONS.len()))
}

/// Refuses missing tables and those of an earlier version. Changes nothing.
///
/// # Errors
/// As [`migrate`], and one sentence with the next step if it would change something.
pub(super) async fn refuse_older_tables(client: &Client) -> Result<(), OpenError> {
    let why = match has_current_tables(client).await? {
        Some(true) => return Ok(()),
        Some(false) => {
            "the tables in the database are of an earlier version, and this command only reads \
             them: start the bot once, which converts them, then run the command again"
        }
        None => "the database holds no store: look whether STORE is right",
    };
    Err(OpenError::Permanent(StoreError::Failed(why.to_owned())))
}

/// The version of the tables; `None` if there are none yet.
///
/// # Errors
/// When it cannot be read, or a newer program wrote the tables.
async fn read_version(client: &impl GenericClient) -> Result<Option<usize>, OpenError> {
    let away = |error| OpenError::retryable(store_error(error));
    let known = "SELECT to_regclass('caravanserai.version') IS NOT NULL";
    let exists: bool = client.query_one(known, &[]).await.map_err(away)?.get(0);
    if !exists {
        return Ok(None);
    }
    let found = "SELECT number FROM caravanserai.version";
    let found: i32 = client.query_one(found, &[]).await.map_err(away)?.get(0);
    let found = usize::try_from(found).unwrap_or(usize::MAX);
    if found > VERSIONS.len() {
        return Err(OpenError::Permanent(StoreError::Failed(format!(
            "the database was written by a newer program (version {found}, this one knows up to \
             {}): install the newer program, or choose another database with STORE",
            VERSIONS.len()
        ))));
    }
    Ok(Some(found))
}

/// Checks the settings that a commit needs to survive a power cut and that texts need to stay
/// intact.
async fn check_server_settings(client: &Client) -> Result<(), OpenError> {
    let ask = "SELECT current_setting('server_version_num')::integer,
                      current_setting('server_encoding'), current_setting('fsync')";
    let row = client
        .query_one(ask, &[])
        .await
        .map_err(|error| OpenError::retryable(store_error(error)))?;
    let (version, encoding, fsync): (i32, String, String) = (row.get(0), row.get(1), row.get(2));
    let wrong = if version < 130_000 {
        "the database is older than PostgreSQL 13: a newer one is needed".to_owned()
    } else if encoding != "UTF8" {
        format!("the database has the encoding {encoding}: create one with ENCODING 'UTF8'")
    } else if fsync != "on" {
        "the database has fsync switched off: a power cut would lose games, switch it on".to_owned()
    } else {
        return Ok(());
    };
    Err(OpenError::Permanent(StoreError::Failed(wrong)))
}
