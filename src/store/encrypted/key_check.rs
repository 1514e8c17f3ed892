//! Reads the row that describes the encryption of a store, and checks a key file against it.
//!
//! The row has a line for each key that values may be encrypted with: the id, and a word that is
//! encrypted with the key. So a wrong key is noticed before anything is read or written with it.
//! The row itself is not encrypted, and is hidden from everything above [`super::EncryptedStore`].

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::envelope::{self, PlainValues, ValuePlace};
use super::key_file::{KeyId, StoreKeys};
use crate::transfer::is_empty;
use crate::{Commit, Expect, OpenError, Put, Space, Store, StoreError};

/// Key of the row in [`Space::Meta`].
pub(super) const ROW: &str = "encryption";
/// The word of a key that values may be encrypted with.
const IN_USE: &str = "in use";
/// The word of the only key, once every value is encrypted with it.
const COMPLETE: &str = "complete";

/// The state of a store's encryption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EncryptionState {
    /// The ids of the keys that values may be encrypted with.
    pub(super) in_use: Vec<KeyId>,
    /// Whether every value is encrypted with the only key.
    pub(super) is_complete: bool,
}

impl EncryptionState {
    /// Whether values may be left that are not encrypted: a store with a single key is complete
    /// otherwise. With several keys the state does not tell.
    fn may_contain_plain_values(&self) -> bool {
        self.in_use.len() == 1 && !self.is_complete
    }
}

/// Reads and verifies the row, with the bytes that a commit can expect; `None` if the store is not
/// encrypted.
///
/// # Errors
/// [`OpenError::Permanent`] with one sentence for the operator when a key is missing or wrong, or
/// when values may be left that are not encrypted and the keys do not accept that.
pub(super) async fn read_state(
    store: &dyn Store,
    keys: Option<&StoreKeys>,
) -> Result<Option<(EncryptionState, Vec<u8>)>, OpenError> {
    let row = store.get(Space::Meta, ROW).await.map_err(OpenError::retryable)?;
    let Some(row) = row else { return Ok(None) };
    let Some(keys) = keys else {
        return Err(refusal(
            "this store is encrypted and no key is given: set STORE_KEY_FILE to the file that \
             holds its keys"
                .into(),
        ));
    };
    let damaged = || refusal(format!("the row {ROW:?}, which says how to open it, is damaged"));
    let text = String::from_utf8(row.clone()).map_err(|_| damaged())?;
    let mut state = EncryptionState::default();
    for line in text.lines() {
        let (id, encrypted) = line.split_once(' ').ok_or_else(damaged)?;
        let id = KeyId(id.parse().map_err(|_| damaged())?);
        let encrypted = STANDARD_NO_PAD.decode(encrypted).map_err(|_| damaged())?;
        if keys.cipher(id).is_none() {
            return Err(refusal(format!(
                "values of this store are encrypted with key {id}, which the key file does not \
                 list: add its line again"
            )));
        }
        let word =
            envelope::decrypt(keys, place(), encrypted, PlainValues::Refuse).map_err(|_| {
                refusal(format!(
                    "key {id} of the key file is not the key {id} that this store is encrypted with"
                ))
            })?;
        state.in_use.push(id);
        state.is_complete |= word == COMPLETE.as_bytes();
    }
    if state.may_contain_plain_values() && !keys.accepts_plain() {
        return Err(refusal(
            "some values of this store are not encrypted yet: put the line `plain` back into the \
             key file until the log says that everything is encrypted"
                .into(),
        ));
    }
    Ok(Some((state, row)))
}

/// Notes in the store that the current key is in use, before anything is encrypted with it. Returns
/// the state after that.
///
/// # Errors
/// As [`read_state`], and when the store is not encrypted and values that are not encrypted may not
/// be read.
pub(super) async fn register_key(
    store: &dyn Store,
    keys: &StoreKeys,
) -> Result<EncryptionState, OpenError> {
    loop {
        let found = read_state(store, Some(keys)).await?;
        let mut state = found.as_ref().map(|(state, _)| state.clone()).unwrap_or_default();
        if found.is_none() {
            state.is_complete = check_plain_store(store, keys).await?;
        }
        match keys.current() {
            Some(id) if state.in_use.contains(&id) => return Ok(state),
            Some(id) => {
                state.is_complete &= state.in_use.is_empty();
                state.in_use.push(id);
            }
            None if state.is_complete && found.is_some() => state.is_complete = false,
            None => return Ok(EncryptionState { is_complete: false, ..state }),
        }
        match write_state(store, keys, &state, found.map(|(_, row)| row)).await {
            Ok(()) => return Ok(state),
            // Another replica was first.
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(OpenError::retryable(error)),
        }
    }
}

/// Refuses a store that is not encrypted if the keys do not accept that. Returns whether it is
/// empty.
///
/// # Errors
/// [`OpenError::Permanent`] when it is refused, and when the store cannot be read.
pub(super) async fn check_plain_store(
    store: &dyn Store,
    keys: &StoreKeys,
) -> Result<bool, OpenError> {
    let is_new = is_empty(store).await.map_err(OpenError::retryable)?;
    if !is_new && !keys.accepts_plain() {
        return Err(refusal(
            "this store is not encrypted and the key file allows no such values: write a line \
             `plain` before the key, so that they are read and encrypted"
                .into(),
        ));
    }
    Ok(is_new)
}

/// Replaces the row, unless it has changed since it was read.
pub(super) async fn write_state(
    store: &dyn Store,
    keys: &StoreKeys,
    state: &EncryptionState,
    found: Option<Vec<u8>>,
) -> Result<(), StoreError> {
    let word = if state.is_complete { COMPLETE } else { IN_USE };
    let line = |id: &KeyId| {
        let encrypted = envelope::encrypt_with(keys, *id, place(), word.into());
        format!("{id} {}\n", STANDARD_NO_PAD.encode(encrypted))
    };
    let text: String = state.in_use.iter().map(line).collect();
    let put = match text.is_empty() {
        true => Put::remove(Space::Meta, ROW),
        false => Put::new(Space::Meta, ROW, text),
    };
    let expect = vec![Expect { space: Space::Meta, key: ROW.into(), value: found }];
    store.commit(Commit { expect, ..Commit::from_puts(vec![put]) }).await
}

fn place() -> ValuePlace<'static> {
    ValuePlace::Row(Space::Meta, ROW)
}

fn refusal(why: String) -> OpenError {
    OpenError::Permanent(StoreError::Failed(why))
}
