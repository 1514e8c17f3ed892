//! Where a store is: a folder on this machine, or a database.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::postgres::{PostgresSettings, PostgresStore};
use super::sled::{SledOptions, SledStore};
use super::transfer::refuse_unfinished;
use super::{OpenError, Store, StoreError};

/// The place of a store. Printed without its password.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// A data folder, with the store in a folder inside.
    Folder(PathBuf),
    /// `postgres://…`
    Database(String),
}

impl StoreAddress {
    /// A database, if it looks like the address of one; else a data folder.
    pub fn parse(text: &str) -> Self {
        if Self::is_database(text) {
            Self::Database(text.to_owned())
        } else {
            Self::Folder(PathBuf::from(text))
        }
    }

    /// Whether this is how the address of a database begins.
    pub fn is_database(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Opens it, whatever it holds.
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
                        // A kernel does that to a disk that it finds damaged: it stays so.
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

    /// Opens it to be played on, a folder in the way that is said: what was filled only in part is
    /// refused.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open_complete(&self, how: SledOptions) -> Result<Arc<dyn Store>, OpenError> {
        let store = self.open_with(how).await?;
        refuse_unfinished(store.as_ref()).await?;
        Ok(store)
    }

    /// The data folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Database(_) => None,
        }
    }
}

/// Makes a folder and proves that it can be written.
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
