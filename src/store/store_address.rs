//! Parses and opens the address of a store: a data folder on this machine, or a database.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::encrypted::key_file::StoreKeys;
use super::encrypted::{OpenPurpose, OpenedStore, open_encrypted};
use super::memory::MemoryStore;
use super::postgres::{PostgresSettings, PostgresStore};
use super::sled::salvage::{self, FolderContents};
use super::sled::{SledOptions, SledStore};
use super::transfer::refuse_unfinished;
use super::{Commit, OpenError, Store, StoreError};

/// The address of a store. `Display` and `Debug` omit the password.
#[derive(Clone)]
pub enum StoreAddress {
    /// A data folder; the store is in its subfolder `store`.
    Folder(PathBuf),
    /// `postgres://…`
    Database(String),
    /// One of the two, with the keys that its values are encrypted with.
    WithKeys(Box<StoreAddress>, Arc<StoreKeys>),
}

/// The state of the store at an address.
pub enum StoreInspection {
    /// There is no store yet.
    Missing,
    /// A store of an earlier version, which is converted when it is opened.
    Older,
    /// A folder of which only opening it shows whether it is complete.
    Unclear,
    /// A store that could be opened. Of a folder, it has the rows of
    /// [`Space::Meta`](super::Space::Meta) and one other row if there is any.
    Readable(Arc<dyn Store>),
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

    /// The same address with these keys, if there are any.
    #[must_use]
    pub fn with_keys(self, keys: Option<Arc<StoreKeys>>) -> Self {
        match keys {
            Some(keys) => Self::WithKeys(Box::new(self), keys),
            None => self,
        }
    }

    /// The keys that values are encrypted with, if any.
    pub fn keys(&self) -> Option<&Arc<StoreKeys>> {
        match self {
            Self::WithKeys(_, keys) => Some(keys),
            Self::Folder(_) | Self::Database(_) => None,
        }
    }

    /// The URL of the database, with its password, unless this is a folder.
    pub fn database_url(&self) -> Option<&str> {
        match self {
            Self::Folder(_) => None,
            Self::Database(url) => Some(url),
            Self::WithKeys(address, _) => address.database_url(),
        }
    }

    /// Opens the store, even if it was filled only in part.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open(&self) -> Result<Arc<dyn Store>, OpenError> {
        Ok(self.open_for(SledOptions::default(), OpenPurpose::Write).await?.store)
    }

    /// Opens the store to read it, even if it was filled only in part. It may be encrypted or not,
    /// whether or not there are keys for it. It is neither converted nor rewritten.
    ///
    /// # Errors
    /// One sentence for the operator, also when it is encrypted with other keys or of an earlier
    /// version.
    pub async fn open_to_read(&self) -> Result<Arc<dyn Store>, OpenError> {
        Ok(self.open_for(SledOptions::default(), OpenPurpose::Read).await?.store)
    }

    async fn open_for(
        &self,
        how: SledOptions,
        purpose: OpenPurpose,
    ) -> Result<OpenedStore, OpenError> {
        let inner = self.open_inner(how, purpose).await?;
        open_encrypted(inner, self.keys().map(AsRef::as_ref), purpose).await
    }

    async fn open_inner(
        &self,
        how: SledOptions,
        purpose: OpenPurpose,
    ) -> Result<Arc<dyn Store>, OpenError> {
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
                let to_read = purpose != OpenPurpose::Write;
                Ok(Arc::new(SledStore::open_with(&folder, SledOptions { to_read, ..how })?))
            }
            Self::Database(url) => {
                let settings = PostgresSettings::default();
                Ok(Arc::new(match purpose {
                    OpenPurpose::Write => PostgresStore::open(url, settings).await?,
                    OpenPurpose::Read | OpenPurpose::Inspect => {
                        PostgresStore::open_to_read(url, settings).await?
                    }
                }))
            }
            Self::WithKeys(address, _) => Box::pin(address.open_inner(how, purpose)).await,
        }
    }

    /// Finds out whether the store could be opened for play, and changes nothing.
    ///
    /// # Errors
    /// One sentence for the operator, as [`StoreAddress::open_to_serve`].
    pub async fn inspect(&self) -> Result<StoreInspection, OpenError> {
        let inner: Arc<dyn Store> = match self.database_url() {
            Some(url) => match PostgresStore::has_current_tables(url).await? {
                None => return Ok(StoreInspection::Missing),
                Some(false) => return Ok(StoreInspection::Older),
                Some(true) => {
                    Arc::new(PostgresStore::open(url, PostgresSettings::default()).await?)
                }
            },
            None => match self.inspect_folder().await? {
                FolderContents::Empty => return Ok(StoreInspection::Missing),
                FolderContents::Older => return Ok(StoreInspection::Older),
                FolderContents::Unclear => return Ok(StoreInspection::Unclear),
                FolderContents::Rows(rows) => {
                    let store = MemoryStore::new();
                    store.commit(Commit::from_puts(rows)).await?;
                    Arc::new(store)
                }
            },
        };
        let keys = self.keys().map(AsRef::as_ref);
        let opened = open_encrypted(inner, keys, OpenPurpose::Inspect).await?;
        refuse_unfinished(opened.store.as_ref()).await?;
        Ok(StoreInspection::Readable(opened.store))
    }

    async fn inspect_folder(&self) -> Result<FolderContents, OpenError> {
        let folder = self.folder().map(|it| it.join("store")).filter(|it| it.is_dir());
        let Some(folder) = folder else { return Ok(FolderContents::Empty) };
        let inspected = tokio::task::spawn_blocking(move || salvage::inspect(&folder)).await;
        inspected.map_err(|error| OpenError::Retryable(error.to_string()))?
    }

    /// Opens the store for play, a folder with these options. Refuses a store that was filled only
    /// in part.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open_complete(&self, how: SledOptions) -> Result<Arc<dyn Store>, OpenError> {
        Ok(self.open_to_serve(how).await?.store)
    }

    /// As [`StoreAddress::open_complete`], with its encryption.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open_to_serve(&self, how: SledOptions) -> Result<OpenedStore, OpenError> {
        let opened = self.open_for(how, OpenPurpose::Write).await?;
        refuse_unfinished(opened.store.as_ref()).await?;
        Ok(opened)
    }

    /// The data folder, unless this is a database.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Database(_) => None,
            Self::WithKeys(address, _) => address.folder(),
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
            Self::WithKeys(address, _) => address.fmt(f),
        }
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
