//! `caravanserai store compact`: reclaims disk space that a folder uses beyond its contents.

use anyhow::bail;

use super::existing::{open_existing, refuse_missing};
use caravanserai_store::sled::{CompactMode, SledOptions, folder_bytes};
use caravanserai_store::store_address::StoreAddress;

/// Rewrites the base in a data folder and returns its old and new size. If it is interrupted, the
/// old or the new base is there, complete.
///
/// # Errors
/// When another process has the folder, there is no store in it or not the one that it names, it is
/// damaged, or the disk has no space for a second base; and for a database, which reclaims space by
/// itself.
pub async fn compact_store(address: &StoreAddress) -> anyhow::Result<String> {
    let Some(folder) = address.folder() else {
        bail!(
            "a database is kept small by its own autovacuum; to reclaim space at once, ask it \
             while few people play: VACUUM (FULL, ANALYZE) caravanserai.entry, caravanserai.line"
        );
    };
    refuse_missing(address)?;
    let store = folder.join("store");
    let before = folder_bytes(&store)?;
    let how = SledOptions { compact: CompactMode::Now, ..SledOptions::default() };
    open_existing(address, Some(folder), how).await?.store.close().await?;
    let after = folder_bytes(&store)?;
    Ok(sizes_report(&folder.display().to_string(), before, after))
}

/// Names both sizes of a rewritten store, and says why it may have grown.
fn sizes_report(folder: &str, before: u64, after: u64) -> String {
    let sizes =
        format!("{folder} took {} and takes {} now", format_size(before), format_size(after));
    if after < before {
        return sizes;
    }
    format!(
        "{sizes}: there was no space to reclaim, and a rewritten store begins with some free \
         space, which the next changes use. Overwritten data is gone from the disk all the same"
    )
}

/// Formats a size.
fn format_size(bytes: u64) -> String {
    const UNIT: u64 = 1000;
    match bytes {
        0..UNIT => format!("{bytes} bytes"),
        UNIT..1_000_000 => format!("{} kB", bytes / UNIT),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_has_grown_is_reported_with_the_reason() {
        assert_eq!(
            sizes_report("/data", 9_000_000, 512_000),
            "/data took 9.0 MB and takes 512 kB now"
        );
        for after in [512_000, 640_000] {
            let report = sizes_report("/data", 512_000, after);
            assert!(report.starts_with("/data took 512 kB and takes "), "{report}");
            assert!(report.contains("no space to reclaim"), "{report}");
        }
    }
}
