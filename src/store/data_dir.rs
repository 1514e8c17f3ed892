//! Creates the data folder and checks who can read it.
//!
//! The folder holds the seeds of running games: a user who can read them knows every hand.

use std::path::Path;

use anyhow::Context;

/// Creates the folder if it is missing, readable by its owner only. If an existing folder is
/// readable by other users, this logs a warning and does not change it: its owner may have meant
/// it.
///
/// # Errors
/// Names the setting when the folder cannot be created.
pub fn make_private(folder: &Path) -> anyhow::Result<()> {
    if !folder.exists() {
        make(folder)
            .with_context(|| format!("DATA_DIR: cannot create the folder {}", folder.display()))?;
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

/// Whether users other than the owner may read the contents of a folder.
#[cfg(unix)]
pub fn is_readable_by_others(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

/// Whether users other than the owner may read the contents of a folder; unknown on this system, so
/// it returns `false`.
#[cfg(not(unix))]
pub fn is_readable_by_others(_: &Path) -> bool {
    false
}
