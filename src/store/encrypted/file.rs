//! Encrypts files that lie beside a store, with the keys of the store.
//!
//! A file is encrypted like a value, and bound to its name.

use super::envelope::{self, DecryptFailure, OVERHEAD_BYTES, PlainValues, ValuePlace};
use super::key_file::StoreKeys;

/// How many bytes of a file tell how it is stored.
pub const FILE_HEAD_BYTES: usize = OVERHEAD_BYTES + 1;

/// Why a file cannot be decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFailure {
    /// It is encrypted with a key that is not among these, or by a newer program.
    UnknownKey,
    /// It was changed or renamed since it was encrypted.
    Damaged,
}

impl StoreKeys {
    /// Encrypts the content of a file of this name with the current key.
    pub fn encrypt_file(&self, name: &str, bytes: Vec<u8>) -> Vec<u8> {
        envelope::encrypt(self, ValuePlace::File(name), bytes)
    }

    /// Decrypts a file of this name. One that is not encrypted comes back as it is: the caller
    /// checks that nobody has replaced it.
    ///
    /// # Errors
    /// When it cannot be decrypted.
    pub fn decrypt_file(&self, name: &str, stored: Vec<u8>) -> Result<Vec<u8>, FileFailure> {
        let decrypted =
            envelope::decrypt(self, ValuePlace::File(name), stored, PlainValues::Accept);
        decrypted.map_err(|failure| match failure {
            DecryptFailure::UnknownLayout(_) | DecryptFailure::MissingKey(_) => {
                FileFailure::UnknownKey
            }
            DecryptFailure::Plain | DecryptFailure::Damaged => FileFailure::Damaged,
        })
    }

    /// Whether a file that begins so is stored otherwise than a new one would be. `head`: its first
    /// [`FILE_HEAD_BYTES`].
    pub fn is_file_stale(&self, head: &[u8]) -> bool {
        self.is_stale(envelope::form_of(head))
    }
}
