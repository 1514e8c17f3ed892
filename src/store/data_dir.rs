//! The folder with everything that is kept: nobody else's business.
//!
//! It holds the seeds of running games; whoever reads them knows every hand.

use std::path::Path;

use anyhow::Context;

/// Makes the folder if it is not there, for its owner alone. One that others may read is warned
/// of, not changed: who made it may have meant it.
///
/// # Errors
/// With the name of the setting when it cannot be made.
pub fn make_private(folder: &Path) -> anyhow::Result<()> {
    if !folder.exists() {
        make(folder)
            .with_context(|| format!("DATA_DIR: cannot make the folder {}", folder.display()))?;
    }
    if is_readable_by_others(folder) {
        tracing::warn!(
            "others on this machine can read {0}, which holds the seeds of running games: \
             chmod 700 {0}",
            folder.display()
        );
    }
    Ok(())
}

#[cfg(unix)]
fn make(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Whether users other than the owner may read what is in a folder.
#[cfg(unix)]
pub fn is_readable_by_others(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

/// Whether users other than the owner may read what is in a folder: not known on this system.
#[cfg(not(unix))]
pub fn others_may_read(_: &Path) -> bool {
    false
}
