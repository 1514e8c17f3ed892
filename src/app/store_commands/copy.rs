//! `caravanserai store copy`: copies a store from a folder into a database, back, or anywhere else.

use anyhow::{Context, bail};

use super::ProgressReporter;
use super::existing::refuse_missing;
use crate::store_identity::{note_filled_store, refuse_other_folder};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::transfer::{fill_from, first_difference, refuse_unfinished};

/// Copies everything into an empty store and compares the two. The bot must not run on the source,
/// because its changes meanwhile would not be copied.
///
/// # Errors
/// When one of them cannot be opened, the target is not empty, or they differ in the end.
pub async fn copy_store(from: &StoreAddress, to: &StoreAddress) -> anyhow::Result<String> {
    refuse_missing(from)?;
    let source = from.open_to_read().await.context("the store to copy from")?;
    refuse_unfinished(source.as_ref()).await.context("the store to copy from")?;
    refuse_other_folder(from, source.as_ref()).await.context("the store to copy from")?;
    let target = to.open().await.context("the store to copy to")?;
    let mut progress = ProgressReporter::new("copying");
    let mut pieces = source.snapshot().await?;
    let filled = fill_from(&mut pieces, target.as_ref(), &mut |count| progress.show(count)).await;
    progress.end();
    let count = filled.with_context(|| format!("{to} was not filled"))?;
    let (mut a, mut b) = (source.snapshot().await?, target.snapshot().await?);
    if let Some(what) = first_difference(a.as_mut(), b.as_mut()).await? {
        bail!("the two differ at {what}: did the bot run meanwhile?");
    }
    note_filled_store(to, target.as_ref()).await?;
    source.close().await?;
    target.close().await?;
    Ok(format!("{} rows and {} lines of logs are copied and equal", count.rows, count.lines))
}
