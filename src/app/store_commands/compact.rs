//! `caravanserai store compact`: wins back the room that a folder takes besides what is in it.

use anyhow::bail;

use caravanserai_store::sled::{CompactMode, SledOptions, folder_bytes};
use caravanserai_store::store_address::StoreAddress;

/// Writes the base in a data folder anew, and says how large it was and is. Whenever this is cut
/// off, the old base or the new one is there, whole.
///
/// # Errors
/// When another process has the folder, there is no store in it, it is damaged, or the disk has
/// no room for a second base beside the first; and for a database, which does this by itself.
pub async fn compact_store(address: &StoreAddress) -> anyhow::Result<String> {
    let Some(folder) = address.folder() else {
        bail!(
            "a database is kept small by its own autovacuum; to win back room at once, ask it \
             while few people play: VACUUM (FULL, ANALYZE) caravanserai.entry, caravanserai.line"
        );
    };
    let store = folder.join("store");
    if !store.is_dir() {
        bail!("{} holds no store", folder.display());
    }
    let before = folder_bytes(&store)?;
    let how = SledOptions { compact: CompactMode::Now, ..SledOptions::default() };
    address.open_complete(how).await?.close().await?;
    let after = folder_bytes(&store)?;
    Ok(format!(
        "{} took {} and takes {} now",
        folder.display(),
        format_size(before),
        format_size(after)
    ))
}

/// A size as people say it.
fn format_size(bytes: u64) -> String {
    const UNIT: u64 = 1000;
    match bytes {
        0..UNIT => format!("{bytes} bytes"),
        UNIT..1_000_000 => format!("{} kB", bytes / UNIT),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}
