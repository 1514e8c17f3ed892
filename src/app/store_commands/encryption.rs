//! `caravanserai store new-key`, `store encrypt` and `store decrypt`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::ProgressReporter;
use super::backup::sync_folder_of;
use super::existing::open_existing;
use crate::components::webchat::FILES_FOLDER;
use caravanserai_store::backup::BackupCount;
use caravanserai_store::encrypted::key_file::{KEY_BYTES, NewKeyUse, StoreKeys, add_key};
use caravanserai_store::encrypted::{EncryptedStore, ReencryptCount, ReencryptOutcome};
use caravanserai_store::sled::SledOptions;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_webchat::{FileConversion, reencrypt_files};
use zeroize::Zeroizing;

/// Makes a key file with this new key, or adds the key to one. Only its owner may read it. If the
/// command is interrupted, the old file is there.
///
/// # Errors
/// When the file is no key file or cannot be written.
pub fn make_key(file: &Path, key: &[u8; KEY_BYTES], use_as: NewKeyUse) -> anyhow::Result<String> {
    let named = || format!("the key file {}", file.display());
    let old = match std::fs::read_to_string(file) {
        Ok(text) => Zeroizing::new(text),
        Err(error) if error.kind() == ErrorKind::NotFound => Zeroizing::default(),
        Err(error) => return Err(error).with_context(named),
    };
    let (text, id) = add_key(&old, key, use_as).with_context(named)?;
    let mut new = file.as_os_str().to_owned();
    new.push(".new");
    // An interrupted command may have left it behind.
    let _ = std::fs::remove_file(&new);
    write_private(Path::new(&new), text.as_bytes()).with_context(named)?;
    std::fs::rename(&new, file).and_then(|()| sync_folder_of(file)).with_context(named)?;
    Ok(match use_as {
        NewKeyUse::Current => format!(
            "key {id} is in {}: keep a copy away from the store, set STORE_KEY_FILE and start the \
             bot",
            file.display()
        ),
        NewKeyUse::Standby => format!(
            "key {id} is in {} and only opens values: give the file to every replica and start \
             them again, then move its line to the end",
            file.display()
        ),
    })
}

/// Writes a new file that only its owner may read, and waits until it is on disk.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    // A file of that name may be readable by others.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Encrypts everything in the store with the current key, also what is not encrypted. If it is
/// interrupted, it goes on when it is run again. A database may be used by running bots meanwhile;
/// with a data folder, the bot must not run, and does the same itself.
///
/// # Errors
/// When no key is given, the store fails, or something is left.
pub async fn encrypt_store(address: &StoreAddress) -> anyhow::Result<String> {
    let keys = required_keys(address)?;
    let Some(id) = keys.current() else {
        bail!("the last line of the key file is `plain`: move the line of a key to the end");
    };
    let (count, outcome) = reencrypt_all(address, keys.for_encryption()).await?;
    let ReencryptCount { rows, lines } = count;
    let done = format!("{rows} rows and {lines} lines of logs are encrypted with key {id}");
    match outcome {
        ReencryptOutcome::Complete => {
            Ok(format!("{done}, and so is everything else: other lines are not needed any more"))
        }
        ReencryptOutcome::Left(left) => {
            bail!("{done}, but {left} rows or logs are left, which bots write or nothing can open")
        }
    }
}

/// Stores everything without encryption again, so that the key is not needed any more. If it is
/// interrupted, it goes on when it is run again.
///
/// # Errors
/// As [`encrypt_store`].
pub async fn decrypt_store(address: &StoreAddress) -> anyhow::Result<String> {
    let keys = required_keys(address)?;
    if address.folder().is_none() && keys.current().is_some() {
        // A bot that still encrypts would write values that nothing could open later.
        bail!("make `plain` the last line of the key file of every bot first, and restart them");
    }
    let keys = keys.for_decryption();
    let (count, outcome) = reencrypt_all(address, keys).await?;
    let ReencryptCount { rows, lines } = count;
    let done = format!("{rows} rows and {lines} lines of logs are decrypted");
    match outcome {
        ReencryptOutcome::Complete => {
            Ok(format!("{done}, nothing is encrypted any more: take STORE_KEY_FILE out"))
        }
        ReencryptOutcome::Left(left) => {
            bail!("{done}, but {left} rows or logs are left, which bots write or nothing can open")
        }
    }
}

fn required_keys(address: &StoreAddress) -> anyhow::Result<&StoreKeys> {
    let keys = address.keys().map(AsRef::as_ref);
    keys.context("no key is given: `caravanserai store new-key FILE` makes one, set STORE_KEY_FILE")
}

async fn reencrypt_all(
    address: &StoreAddress,
    keys: StoreKeys,
) -> anyhow::Result<(ReencryptCount, ReencryptOutcome)> {
    let address = address.clone().with_keys(Some(Arc::new(keys)));
    let opened = open_existing(&address, address.folder(), SledOptions::default()).await?;
    let mut progress = ProgressReporter::new("rewriting");
    let mut count = ReencryptCount::default();
    let encrypted: Option<Arc<EncryptedStore>> = opened.encrypted;
    let outcome = match encrypted {
        Some(store) => {
            let show = &mut |now: ReencryptCount| {
                count = now;
                progress.show(BackupCount { rows: now.rows, lines: now.lines });
            };
            store.reencrypt(show).await?
        }
        None => ReencryptOutcome::Complete,
    };
    progress.end();
    opened.store.close().await?;
    reencrypt_page_files(&address)?;
    Ok((count, outcome))
}

/// Stores the images and files of the page in a data folder as new ones are stored. Bots on a
/// database do so when they start.
fn reencrypt_page_files(address: &StoreAddress) -> anyhow::Result<()> {
    let (Some(folder), Some(keys)) = (address.folder(), address.keys()) else { return Ok(()) };
    let folder = folder.join(FILES_FOLDER);
    let converted = reencrypt_files(&folder, StoreKeys::clone(keys), &|| false);
    let FileConversion { left, .. } =
        converted.with_context(|| format!("{} cannot be converted", folder.display()))?;
    if left > 0 {
        eprintln!("{left} images and files in {} cannot be decrypted", folder.display());
    }
    Ok(())
}
