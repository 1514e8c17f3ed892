//! Parses and opens the address of a store: a data folder on this machine, or a database.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::postgres::{PostgresSettings, PostgresStore};
use super::sled::{SledOptions, SledStore};
use super::transfer::refuse_unfinished;
use super::{OpenError, Store, StoreError};

/// The address of a store. `Display` and `Debug` omit the password.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// A data folder; the store is in its subfolder `store`.
    Folder(PathBuf),
    /// `postgres://…`
    Database(String),
}

impl StoreAddress {
    /// Parses the URL of a database, or else the path of a data folder.
    pub fn parse(text: &str) -> Self {
        if Self::is_database(text) {
            Self::Database(text.to_owned())
        } else {
            Self::Folder(PathBuf::from(text))
        }
    }

    /// Whether the text begins like the URL of a database.
    pub fn is_database(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Opens the store, even if it was filled only in part.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open(&self) -> Result<Arc<dyn Store>, OpenError> {
        self.open_with(SledOptions::default()).await
    }

    async fn open_with(&self, how: SledOptions) -> Result<Arc<dyn Store>, OpenError> {
        match self {
            Self::Folder(folder) => {
                let folder = folder.join("store");
                make_writable(&folder).map_err(|error| {
                    let folder = folder.display();
                    let why = format!("the folder {folder} cannot be written: {error}");
                    match error.kind() {
                        // A kernel remounts a damaged disk read-only, and it stays so: retrying
                        // does not help.
                        ErrorKind::ReadOnlyFilesystem => StoreError::Failed(why).into(),
                        _ => OpenError::Retryable(why),
                    }
                })?;
                Ok(Arc::new(SledStore::open_with(&folder, how)?))
            }
            Self::Database(url) => {
                Ok(Arc::new(PostgresStore::open(url, PostgresSettings::default()).await?))
            }
        }
    }

    /// Opens the store for play, a folder with these options. Refuses a store that was filled only
    /// in part.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open_complete(&self, how: SledOptions) -> Result<Arc<dyn Store>, OpenError> {
        let store = self.open_with(how).await?;
        refuse_unfinished(store.as_ref()).await?;
        Ok(store)
    }

    /// The data folder, unless this is a database.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Database(_) => None,
        }
    }
}

/// Creates a folder and proves that it is writable.
fn make_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join("writable");
    fs::write(&probe, "")?;
    fs::remove_file(probe)
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "the folder {}", folder.display()),
            Self::Database(_) => f.write_str("the database"),
        }
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
