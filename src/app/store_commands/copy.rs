//! `caravanserai store copy`: from a folder into a database, back, or anywhere else.

use anyhow::{Context, bail};

use super::Progress;
use caravanserai_store::address::Address;
use caravanserai_store::copy::{difference, fill};
use caravanserai_store::sled::Options;

/// Copies everything into an empty store and compares the two. The bot must not run on the first:
/// what it does meanwhile would not come along.
///
/// # Errors
/// When one of them cannot be opened, the second is not empty, or they differ in the end.
pub async fn copy(from: &Address, to: &Address) -> anyhow::Result<String> {
    if let Some(folder) = from.folder()
        && !folder.join("store").is_dir()
    {
        bail!("{} holds no store", folder.display());
    }
    let source = from.open_whole(Options::default()).await.context("the store to copy from")?;
    let target = to.open().await.context("the store to copy to")?;
    let mut progress = Progress::of("copying");
    let mut pieces = source.snapshot().await?;
    let filled = fill(&mut pieces, target.as_ref(), &mut |count| progress.show(count)).await;
    progress.end();
    let count = filled.with_context(|| format!("{to} was not filled"))?;
    let (mut a, mut b) = (source.snapshot().await?, target.snapshot().await?);
    if let Some(what) = difference(a.as_mut(), b.as_mut()).await? {
        bail!("the two differ at {what}: did the bot run meanwhile?");
    }
    source.close().await?;
    target.close().await?;
    Ok(format!("{} rows and {} lines of logs are copied and equal", count.rows, count.lines))
}
