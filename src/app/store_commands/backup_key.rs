//! `caravanserai store new-backup-key`, and the identities that open encrypted backups.

use std::fs::File;
use std::io::{ErrorKind, Read, stdin};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::backup::sync_folder_of;
use super::encryption::write_private;
use crate::config::others_can_read;
use caravanserai_store::backup::{BackupIdentities, begins_like_identity, new_identity};
use zeroize::Zeroizing;

/// Identity files are read up to this many bytes.
const IDENTITY_BYTES_MAX: usize = 64 * 1024;

/// Makes a new identity file that only its owner may read, and returns what to do with it. Its
/// public key is known only once the file is on disk.
///
/// # Errors
/// When the file exists, because backups may need it, or when it cannot be written.
pub fn make_backup_key(file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    let (text, public) = new_identity();
    match write_private(file, text.as_bytes()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{name} exists already, and backups may need it: choose another name")
        }
        Err(error) => {
            // An incomplete file is of no use; the error is reported.
            let _ = std::fs::remove_file(file);
            return Err(error).with_context(|| format!("cannot write {name}"));
        }
    }
    sync_folder_of(file).with_context(|| format!("cannot write {name}"))?;
    Ok(format!(
        "the identity that opens backups is in {name}: move it away from the bot and keep two \
         copies, because without it they cannot be opened. Its public key, for the bot:\n\
         BACKUP_RECIPIENTS={public}"
    ))
}

/// Reads the identities in a file, or on standard input for `-`.
///
/// # Errors
/// When the file cannot be read or holds no identities; the text of it is never shown, nor an
/// identity that is given in place of its file.
pub fn read_identities(file: &Path) -> anyhow::Result<BackupIdentities> {
    ensure!(
        !begins_like_identity(&file.to_string_lossy()),
        "--identity is given the identity itself (not shown), which other programs and the history \
         of the shell can see: give the name of a file with it, or - and the identity on standard \
         input"
    );
    let named = || format!("the identity file {}", file.display());
    let text = if file.as_os_str() == "-" {
        read_limited(stdin().lock())
    } else {
        if others_can_read(file) {
            eprintln!("others on this machine can read {0}: chmod 600 {0}", file.display());
        }
        File::open(file).map_err(anyhow::Error::from).and_then(read_limited)
    };
    BackupIdentities::parse(&text.with_context(named)?).with_context(named)
}

fn read_limited(from: impl Read) -> anyhow::Result<Zeroizing<String>> {
    // Growing would leave copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(IDENTITY_BYTES_MAX + 1));
    from.take(IDENTITY_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() <= IDENTITY_BYTES_MAX, "it is too long to hold identities");
    let text = str::from_utf8(&bytes).ok().context("it is not UTF-8 text")?;
    Ok(Zeroizing::new(text.to_owned()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_who_may_read_an_identity_file_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("identity");
        make_backup_key(&file).unwrap();
        for (mode, expected) in [
            (0o600, false),
            (0o400, false),
            // Others may run it, or write into it, but not read it.
            (0o611, false),
            (0o622, false),
            (0o640, true),
            (0o604, true),
        ] {
            set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            assert_eq!(others_can_read(&file), expected, "{mode:o}");
        }
    }
}
