//! `caravanserai store copy`: copies a store from a folder into a database, back, or anywhere else.

use anyhow::{Context, bail};

use super::ProgressReporter;
use super::existing::refuse_missing;
use crate::store_identity::{note_filled_store, refuse_other_folder};
use caravanserai_store::Store;
use caravanserai_store::backup::BackupCount;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::transfer::{fill_from, finish_fill, first_difference, refuse_unfinished};

/// Copies everything into an empty store and compares the two. The bot must not run on the source,
/// because its changes meanwhile would not be copied.
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
    let count = copy_all(source.as_ref(), target.as_ref(), to).await?;
    source.close().await?;
    target.close().await?;
    Ok(format!("{} rows and {} lines of logs are copied and equal", count.rows, count.lines))
}

/// Copies everything into the store at this address, which is complete only if both are equal.
async fn copy_all(
    source: &dyn Store,
    target: &dyn Store,
    to: &StoreAddress,
) -> anyhow::Result<BackupCount> {
    let mut progress = ProgressReporter::new("copying");
    let mut items = source.snapshot().await?;
    let filled = fill_from(&mut items, target, &mut |count| progress.show(count)).await;
    progress.end();
    let count = filled.with_context(|| format!("{to} was not filled"))?;
    let (mut a, mut b) = (source.snapshot().await?, target.snapshot().await?);
    if let Some(what) = first_difference(a.as_mut(), b.as_mut()).await? {
        bail!("the two differ at {what}: did the bot run meanwhile? Empty {to} and copy again");
    }
    note_filled_store(to, target).await?;
    finish_fill(target).await?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use caravanserai_store::memory::MemoryStore;
    use caravanserai_store::{Commit, Put, Snapshot, Space, StoreError, StoreLayer};

    use super::*;

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
        let (source, target) = (BusyStore(MemoryStore::new()), MemoryStore::new());
        let differs = copy_all(&source, &target, &to).await.unwrap_err().to_string();
        assert!(differs.contains("the two differ at the row"), "{differs}");
        assert!(refuse_unfinished(&target).await.is_err());

        let target = MemoryStore::new();
        copy_all(&source.0, &target, &to).await.unwrap();
        refuse_unfinished(&target).await.unwrap();
        assert_eq!(target.scan(Space::Meta, "", None, 99).await.unwrap().len(), 2);
    }
}
