//! `caravanserai store copy`: copies a store from a folder into a database, back, or anywhere else.

use anyhow::{Context, bail};

use super::ProgressReporter;
use super::existing::refuse_missing;
use crate::config::Config;
use crate::store_identity::{note_filled_store, note_store_in_use, refuse_other_folder, renew_id};
use caravanserai_store::Store;
use caravanserai_store::backup::BackupCount;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::transfer::{fill_from, finish_fill, first_difference, refuse_unfinished};

/// In place of an address, the store of the settings: its password is in no list of processes then.
const STORE_OF_SETTINGS: &str = "STORE";

/// The address that an operator gives to copy from or to, with the keys of the settings.
pub fn copy_address(text: &str, settings: &Config) -> StoreAddress {
    match text {
        STORE_OF_SETTINGS => settings.store.clone(),
        address => StoreAddress::parse(address).with_keys(settings.store.keys().cloned()),
    }
}

/// Copies everything into an empty store, and compares the two. The bot must not run on the source,
/// because its changes meanwhile would not be copied. A copy from a folder into a database gets an
/// id of its own, which the data folder names: a bot that has lost its setting does not start on
/// the old store.
///
/// # Errors
/// When one of them cannot be opened, the target is not empty, or they differ in the end. The
/// target cannot be opened for play then.
pub async fn copy_store(from: &StoreAddress, to: &StoreAddress) -> anyhow::Result<String> {
    refuse_missing(from)?;
    let source = from.open_to_read().await.context("the store to copy from")?;
    refuse_unfinished(source.as_ref()).await.context("the store to copy from")?;
    refuse_other_folder(from, source.as_ref()).await.context("the store to copy from")?;
    let target = to.open().await.context("the store to copy to")?;
    let count = copy_all((from, source.as_ref()), (to, target.as_ref())).await?;
    source.close().await?;
    target.close().await?;
    Ok(format!("{} rows and {} lines of logs are copied and equal", count.rows, count.lines))
}

/// Copies everything from the first store into the second one, which is complete only if both are
/// equal.
async fn copy_all(
    (from, source): (&StoreAddress, &dyn Store),
    (to, target): (&StoreAddress, &dyn Store),
) -> anyhow::Result<BackupCount> {
    let mut progress = ProgressReporter::new("copying");
    let mut items = source.snapshot().await?;
    let filled = fill_from(&mut items, target, &mut |count| progress.show(count)).await;
    progress.end();
    let count = filled.with_context(|| format!("{to} was not filled"))?;
    let mut a = source.snapshot().await?;
    let mut b = target.snapshot().await?;
    if let Some(what) = first_difference(a.as_mut(), b.as_mut()).await? {
        bail!("the two differ at {what}: did the bot run meanwhile? Empty {to} and copy again");
    }
    // The folder stays where a bot that has lost its setting looks. Other copies are the same
    // store.
    let left_folder = from.folder().filter(|_| to.folder().is_none());
    if left_folder.is_some() {
        renew_id(target).await?;
    }
    note_filled_store(to, target).await?;
    finish_fill(target).await?;
    if let Some(folder) = left_folder {
        let noted = note_store_in_use(folder, target).await;
        noted.context("everything is copied, but the file that names the store is the old one")?;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use async_trait::async_trait;
    use caravanserai_store::memory::MemoryStore;
    use caravanserai_store::{Commit, Put, Snapshot, Space, StoreError, StoreLayer};

    use super::*;
    use crate::store_identity::refuse_other_store;

    #[test]
    fn an_address_or_the_store_of_the_settings_is_copied() {
        let folder = tempfile::tempdir().unwrap();
        let url = "postgres://me:s3cret@host/games";
        let environment = [("STORE".to_owned(), url.to_owned())].into();
        let settings = Config::load(&environment, None, folder.path()).unwrap();
        assert_eq!(copy_address("STORE", &settings).database_url(), Some(url));
        let other = copy_address("postgres://other/games", &settings);
        assert_eq!(other.database_url(), Some("postgres://other/games"));
        assert_eq!(copy_address("./STORE", &settings).folder(), Some(Path::new("./STORE")));
    }

    /// A store that gets another row whenever it was read.
    struct BusyStore(MemoryStore);

    #[async_trait]
    impl StoreLayer for BusyStore {
        fn inner(&self) -> &dyn Store {
            &self.0
        }

        async fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
            let snapshot = self.0.snapshot().await?;
            let rows = self.0.scan(Space::Meta, "", None, 99).await?.len();
            let put = Put::new(Space::Meta, format!("row {rows}"), "");
            self.0.commit(Commit::from_puts(vec![put])).await?;
            Ok(snapshot)
        }
    }

    #[tokio::test]
    async fn a_copy_that_differs_cannot_be_opened() {
        let to = StoreAddress::Database("postgres://none".to_owned());
        let source = BusyStore(MemoryStore::new());
        let target = MemoryStore::new();
        let differs = copy_all((&to, &source), (&to, &target)).await.unwrap_err().to_string();
        assert!(differs.contains("the two differ at the row"), "{differs}");
        assert!(refuse_unfinished(&target).await.is_err());

        let target = MemoryStore::new();
        copy_all((&to, &source.0), (&to, &target)).await.unwrap();
        refuse_unfinished(&target).await.unwrap();
        assert_eq!(target.scan(Space::Meta, "row ", None, 99).await.unwrap().len(), 2);
    }

    /// Otherwise its backup could be restored as a whole one.
    #[tokio::test]
    async fn nothing_is_filled_from_a_store_that_is_filled_in_part() {
        let mut silent = |_| {};
        let part = MemoryStore::new();
        let mut source = MemoryStore::new().snapshot().await.unwrap();
        fill_from(&mut source, &part, &mut silent).await.unwrap();
        let mut source = part.snapshot().await.unwrap();
        let filled = fill_from(&mut source, &MemoryStore::new(), &mut silent).await;
        assert!(filled.unwrap_err().to_string().contains("only in part"));
    }

    /// As a bot that has lost its setting STORE would do.
    #[tokio::test]
    async fn the_old_store_in_a_folder_is_refused_after_a_move_into_a_database() {
        let folder = tempfile::tempdir().unwrap();
        let from = StoreAddress::Folder(folder.path().to_owned());
        let to = StoreAddress::Database("postgres://none".to_owned());
        let source = MemoryStore::new();
        let target = MemoryStore::new();
        renew_id(&source).await.unwrap();
        note_filled_store(&from, &source).await.unwrap();
        refuse_other_folder(&from, &source).await.unwrap();
        copy_all((&from, &source), (&to, &target)).await.unwrap();
        let refused = refuse_other_folder(&from, &source).await.unwrap_err().to_string();
        assert!(refused.contains("is another store than before"), "{refused}");
        refuse_other_store(folder.path(), &to, &target).await.unwrap();
    }
}
