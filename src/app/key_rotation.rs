//! Encrypts, beside the running bot, the values that are stored with an older key or not encrypted,
//! and exports the state of the encryption as metrics.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::config::Config;
use super::shutdown::Shutdown;
use caravanserai_store::encrypted::key_file::StoreKeys;
use caravanserai_store::encrypted::{EncryptedStore, ReencryptOutcome};
use caravanserai_webchat::{FileConversion, reencrypt_files};

/// Interval of the measurements.
const INTERVAL: Duration = Duration::from_secs(60);
/// After how many intervals rotation is tried again when something was left.
const RETRY_AFTER: u32 = 60;

/// Logs in one line that a store is not encrypted, if people of a platform are in it.
pub fn log_missing_key(config: &Config) {
    if config.serves_platform() && config.store.keys().is_none() {
        tracing::warn!(
            "the store is not encrypted: `caravanserai store new-key FILE` makes a key, \
             STORE_KEY_FILE names it"
        );
    }
}

/// Rotates the store and the images and files of the page to the current key until nothing is left,
/// and measures until `stop`. It can be dropped at any moment.
pub async fn rotate_keys(store: Arc<EncryptedStore>, files: PathBuf, stop: Shutdown) {
    let mut rotation = KeyRotation::of(store.keys());
    for round in 0_u32.. {
        if round.is_multiple_of(RETRY_AFTER) && rotation.advance(&store, &files, &stop).await {
            tracing::info!(
                "everything is encrypted with the current key: the lines before it in the key file \
                 can be removed once no other replica writes otherwise"
            );
        }
        export_counters(&store);
        if !stop.sleep_unless_stopping(INTERVAL).await {
            break;
        }
    }
}

/// What is left to rotate.
struct KeyRotation {
    is_store_done: bool,
    are_files_done: bool,
}

impl KeyRotation {
    fn of(keys: &StoreKeys) -> Self {
        // To decrypt a store is a command: a line at the end of a key file may be there for a
        // while. Earlier versions did not encrypt files, so these are rotated in any case.
        let is_store_done = keys.current().is_none() || !keys.accepts_others();
        Self { is_store_done, are_files_done: false }
    }

    /// Rotates what is left. Returns whether that was the last of a store and its files, so that
    /// nothing needs another key any more.
    async fn advance(&mut self, store: &EncryptedStore, files: &Path, stop: &Shutdown) -> bool {
        let keys = store.keys();
        let had_rest = !self.is_store_done || !self.are_files_done;
        self.are_files_done = self.are_files_done || rotate_files(files, keys.clone(), stop).await;
        self.is_store_done = self.is_store_done || rotate_store(store).await;
        let has_others = keys.current().is_some() && keys.accepts_others();
        had_rest && has_others && self.is_store_done && self.are_files_done
    }
}

/// Stores the images and files of the page as new ones are stored. Returns whether that is done;
/// files that cannot be decrypted stay.
async fn rotate_files(folder: &Path, keys: StoreKeys, stop: &Shutdown) -> bool {
    let folder = folder.to_owned();
    let stop = stop.clone();
    let work = move || reencrypt_files(&folder, keys, &|| stop.is_requested());
    let why = match tokio::task::spawn_blocking(work).await {
        Ok(Ok(FileConversion { converted, left })) => {
            if converted > 0 {
                tracing::info!(converted, "images and files of the page follow the current key");
            }
            if left > 0 {
                tracing::warn!(left, "some images and files of the page cannot be decrypted");
            }
            return true;
        }
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::warn!(
        why,
        "failed to encrypt images and files with the current key, retrying: keep all lines of the \
         key file until then"
    );
    false
}

/// Returns whether nothing is left.
async fn rotate_store(store: &EncryptedStore) -> bool {
    let mut last = None;
    let outcome = store
        .reencrypt(&mut |count| {
            last = Some(count);
            export_counters(store);
        })
        .await;
    let count = last.unwrap_or_default();
    match outcome {
        Ok(ReencryptOutcome::Complete) => {
            let rows = count.rows;
            let lines = count.lines;
            tracing::info!(rows, lines, "the store is encrypted with the current key");
            true
        }
        Ok(ReencryptOutcome::Left(left)) => {
            tracing::warn!(left, "some values are not encrypted with the current key, retrying");
            false
        }
        Err(error) => {
            tracing::warn!(%error, "failed to encrypt with the current key, retrying");
            false
        }
    }
}

fn export_counters(store: &EncryptedStore) {
    let counters = store.counters();
    metrics::counter!("caravanserai_reencrypted_values_total").absolute(counters.reencrypted());
    metrics::counter!("caravanserai_decryption_failures_total").absolute(counters.open_failures());
}

#[cfg(test)]
mod tests {
    use caravanserai_store::encrypted::key_file::{KEY_BYTES, NewKeyUse, add_key};
    use caravanserai_store::encrypted::{OpenPurpose, open_encrypted};
    use caravanserai_store::memory::MemoryStore;

    use super::super::shutdown::shutdown_pair;
    use super::*;

    #[tokio::test]
    async fn older_keys_are_given_up_only_once_files_follow_too() {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        let (old, _) = add_key("", &[1; KEY_BYTES], NewKeyUse::Current).unwrap();
        let (both, _) = add_key(&old, &[2; KEY_BYTES], NewKeyUse::Current).unwrap();
        let keys = StoreKeys::parse(&both).unwrap();
        let inner = Arc::new(MemoryStore::new());
        let opened = open_encrypted(inner, Some(&keys), OpenPurpose::Write).await.unwrap();
        let (store, (_stopper, stop)) = (opened.encrypted.unwrap(), shutdown_pair());
        let mut rotation = KeyRotation::of(store.keys());
        // What is no folder cannot be read.
        std::fs::write(&files, "").unwrap();
        assert!(!rotation.advance(&store, &files, &stop).await);
        assert!(rotation.is_store_done && !rotation.are_files_done);
        std::fs::remove_file(&files).unwrap();
        assert!(rotation.advance(&store, &files, &stop).await);
        assert!(!rotation.advance(&store, &files, &stop).await, "it is reported once");
    }
}
