//! `caravanserai store new-backup-key`, and the identities that open encrypted back-ups.

use std::fs::File;
use std::io::{ErrorKind, Read, stdin};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::backup::sync_folder_of;
use super::encryption::write_private;
use caravanserai_store::backup::{BackupIdentities, new_identity};
use caravanserai_store::data_dir::is_readable_by_others;
use zeroize::Zeroizing;

/// Identity files are read up to this many bytes.
const IDENTITY_BYTES_MAX: usize = 64 * 1024;

/// Makes a new identity file that only its owner may read, and returns what to do with it. Its
/// public key is known only once the file is on disk.
///
/// # Errors
/// When the file exists, because back-ups may need it, or when it cannot be written.
pub fn make_backup_key(file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    let (text, public) = new_identity();
    match write_private(file, text.as_bytes()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{name} exists already, and back-ups may need it: choose another name")
        }
        Err(error) => {
            // An incomplete file is of no use; the error is reported.
            let _ = std::fs::remove_file(file);
            return Err(error).with_context(|| format!("cannot write {name}"));
        }
    }
    sync_folder_of(file).with_context(|| format!("cannot write {name}"))?;
    Ok(format!(
        "the identity that opens back-ups is in {name}: move it away from the bot and keep two \
         copies, because without it they cannot be opened. Its public key, for the bot:\n\
         BACKUP_RECIPIENTS={public}"
    ))
}

/// Reads the identities in a file, or on standard input for `-`.
///
/// # Errors
/// When the file cannot be read or holds no identities; the text of it is never shown.
pub fn read_identities(file: &Path) -> anyhow::Result<BackupIdentities> {
    let named = || format!("the identity file {}", file.display());
    let text = if file.as_os_str() == "-" {
        read_limited(stdin().lock())
    } else {
        if is_readable_by_others(file) {
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
    let text = str::from_utf8(&bytes).ok().context("it is no text")?;
    Ok(Zeroizing::new(text.to_owned()))
}
