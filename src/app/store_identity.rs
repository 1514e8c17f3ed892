//! Refuses an empty store, or another one, if the data folder names a store.
//!
//! A store has an id, and a file in the data folder names it. An empty store beside such a file
//! means that a disk is not mounted, a folder was deleted, or the database is another one. The
//! start then fails instead of beginning with an empty store, and so do commands that back up or
//! change the store.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;

use super::config::Config;
use super::event_format::note_event_format;
use super::operator_metrics::count_open_tables;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::transfer::is_empty;
use caravanserai_store::{Commit, Expect, OpenError, Put, Space, Store, StoreError};

/// Name of the file in the data folder.
const ID_FILE: &str = "store-id";
/// Key of the row in the store.
const ID_ROW: &str = "store id";
/// The length of an id, in bytes: its text has twice as many characters.
const ID_BYTES: usize = 8;
/// Tables are counted up to this number.
const COUNTED_MAX: usize = 20_000;

/// Compares a store with the id in the data folder, notes the events of this program in it, and
/// logs how many tables it has.
///
/// # Errors
/// When the store is another one, is empty and was not before, is written to by a newer program, or
/// cannot be read.
pub async fn verify_store_identity(config: &Config, store: &dyn Store) -> Result<(), OpenError> {
    refuse_other_store(&config.data_dir, &config.store, store).await?;
    let file = config.data_dir.join(ID_FILE);
    let noted = read_id_file(&file);
    let mut found = read_id_row(store).await.map_err(OpenError::retryable)?;
    let mut is_new = false;
    if found.is_none() {
        is_new = is_empty(store).await.map_err(OpenError::retryable)?;
        found = Some(assign_id(store).await.map_err(OpenError::retryable)?);
    }
    if let Some(found) = found.filter(|it| noted.as_ref() != Some(it)) {
        // A database works without a writable folder.
        if let Err(error) = fs::write(&file, format!("{found}\n")) {
            tracing::warn!(file = %file.display(), %error, "failed to write the store id file");
        }
    }
    note_event_format(store).await?;
    let (tables, open_games) = count_tables(store).await.map_err(OpenError::retryable)?;
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        data_folder = %config.data_dir.display(),
        store = %config.store,
        tables,
        open_games,
        "{}",
        if is_new { "a new store was made" } else { "the store is open" }
    );
    Ok(())
}

/// Refuses a store that is not the one that a data folder names: another one, or an empty one. A
/// folder without the file belongs to no store yet.
///
/// # Errors
/// When the store is another one, is empty and was not before, or cannot be read.
pub async fn refuse_other_store(
    data_dir: &Path,
    address: &StoreAddress,
    store: &dyn Store,
) -> Result<(), OpenError> {
    let file = data_dir.join(ID_FILE);
    let Some(noted) = read_id_file(&file) else { return Ok(()) };
    match read_id_row(store).await.map_err(OpenError::retryable)? {
        // A power cut may have left the file without its text.
        Some(found) if found != noted && is_id(&noted) => Err(other_store_error(address, &file)),
        Some(_) => Ok(()),
        None if is_empty(store).await.map_err(OpenError::retryable)? => {
            Err(missing_store_error(address, &file))
        }
        // It was written by an earlier program, or restored from a backup of one.
        None => Ok(()),
    }
}

/// As [`refuse_other_store`], for commands that know only the address: a database is not checked.
///
/// # Errors
/// As [`refuse_other_store`].
pub async fn refuse_other_folder(
    address: &StoreAddress,
    store: &dyn Store,
) -> Result<(), OpenError> {
    match address.folder() {
        Some(folder) => refuse_other_store(folder, address, store).await,
        None => Ok(()),
    }
}

/// Notes in a data folder the id of the store that was just filled there: its operator chose it.
///
/// # Errors
/// When the store cannot be read or the file cannot be written.
pub async fn note_filled_store(address: &StoreAddress, store: &dyn Store) -> anyhow::Result<()> {
    match address.folder() {
        Some(folder) => note_store_in_use(folder, store).await,
        None => Ok(()),
    }
}

/// Notes in a data folder that this store is the one in use.
///
/// # Errors
/// As [`note_filled_store`].
pub async fn note_store_in_use(data_dir: &Path, store: &dyn Store) -> anyhow::Result<()> {
    if let Some(id) = read_id_row(store).await? {
        let file = data_dir.join(ID_FILE);
        fs::write(&file, format!("{id}\n")).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Gives the store a new id, because it is a copy: from now on, the two differ.
///
/// # Errors
/// When the store fails.
pub async fn renew_id(store: &dyn Store) -> Result<(), StoreError> {
    let id = new_id();
    store.commit(Commit::from_puts(vec![Put::new(Space::Meta, ID_ROW, id.as_str())])).await
}

fn new_id() -> String {
    let mut random = [0; ID_BYTES];
    getrandom::fill(&mut random).expect("the operating system gives random bytes");
    hex::encode(random)
}

fn is_id(text: &str) -> bool {
    text.len() == 2 * ID_BYTES && text.chars().all(|c| c.is_ascii_hexdigit())
}

fn missing_store_error(address: &StoreAddress, file: &Path) -> OpenError {
    OpenError::Permanent(StoreError::Failed(format!(
        "{address} is empty and was not before: look whether its disk is mounted and STORE and \
         DATA_DIR are right, or restore the last backup with `caravanserai restore`; to begin \
         with nothing, delete the file {}",
        file.display()
    )))
}

fn other_store_error(address: &StoreAddress, file: &Path) -> OpenError {
    OpenError::Permanent(StoreError::Failed(format!(
        "{address} is another store than before: look whether STORE and DATA_DIR are right; to go \
         on with this one, delete the file {}",
        file.display()
    )))
}

fn read_id_file(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file);
    if let Err(error) = &text
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(file = %file.display(), %error, "failed to read the store id file");
    }
    text.ok().map(|it| it.trim().to_owned())
}

async fn read_id_row(store: &dyn Store) -> Result<Option<String>, StoreError> {
    let found = store.get(Space::Meta, ID_ROW).await?;
    Ok(found.map(|it| String::from_utf8_lossy(&it).into_owned()))
}

/// Assigns an id to the store, unless another process was faster.
async fn assign_id(store: &dyn Store) -> Result<String, StoreError> {
    let id = new_id();
    let expect = vec![Expect::absent(Space::Meta, ID_ROW)];
    let commit = Commit::from_puts(vec![Put::new(Space::Meta, ID_ROW, id.as_str())]);
    match store.commit(Commit { expect, ..commit }).await {
        Ok(()) => Ok(id),
        Err(StoreError::Conflict) => Ok(read_id_row(store).await?.unwrap_or(id)),
        Err(error) => Err(error),
    }
}

/// The number of tables, up to [`COUNTED_MAX`], and of open ones.
async fn count_tables(store: &dyn Store) -> Result<(usize, usize), StoreError> {
    let tables = store.scan(Space::Head, "", None, COUNTED_MAX).await?.len();
    Ok((tables, count_open_tables(store).await?))
}
