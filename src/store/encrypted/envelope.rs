//! Encrypts and decrypts single values and log lines.
//!
//! An encrypted value is three fixed bytes, a version byte, the id of the key (two bytes, big
//! endian), the encrypted value and a tag of 16 bytes. An encrypted log line is the same in base64.
//! The three bytes begin no UTF-8 text, so that a text is never taken for an encrypted value.
//!
//! The cipher is AES-256-GCM-SIV (RFC 8452). It stays secure when a nonce repeats, so the nonce is
//! computed from the place of the value: the same value at the same place is encrypted to the same
//! bytes, which a commit can expect, and no nonce is stored. An attacker who sees two states of a
//! row learns only whether its value has changed. The place is authenticated, too: an encrypted
//! value that was moved to another row, or a line to another log or number, cannot be decrypted.
//!
//! Empty values stay empty: rows of lists contain everything in their keys, which are not
//! encrypted.

use aes_gcm_siv::aead::AeadInOut;
use aes_gcm_siv::{Nonce, Tag};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha2::{Digest, Sha256};

use super::key_file::{KeyId, StoreKeys};
use crate::Space;

/// The first bytes of each encrypted value.
const MAGIC: [u8; 3] = [0xC1, 0xF5, 0xFE];
/// [`MAGIC`] in base64: the first letters of each encrypted line.
const MAGIC_TEXT: &str = "wfX+";
/// The layout of what follows; others, such as one with a key for each person, get other numbers.
const VERSION: u8 = 1;
const HEADER_BYTES: usize = 6;
const TAG_BYTES: usize = 16;
/// How many bytes an encrypted value is longer.
pub(crate) const OVERHEAD_BYTES: usize = HEADER_BYTES + TAG_BYTES;

/// The place that an encrypted value is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValuePlace<'a> {
    Row(Space, &'a str),
    Line(&'a str, u64),
    /// A file beside the store, by its name.
    File(&'a str),
}

/// How a stored value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredForm {
    /// Empty, which is the same in every form.
    Empty,
    Plain,
    Encrypted(KeyId),
    /// Encrypted in a layout that this program does not know.
    Unknown(u8),
}

/// Why a stored value cannot be decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecryptFailure {
    Plain,
    UnknownLayout(u8),
    MissingKey(KeyId),
    Damaged,
}

impl ValuePlace<'_> {
    /// The bytes that are authenticated with a value: no two places have the same.
    fn associated_data(self, header: [u8; HEADER_BYTES]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend_from_slice(&header);
        match self {
            ValuePlace::Row(space, key) => {
                bytes.extend_from_slice(&[b'r', space.letter()]);
                bytes.extend_from_slice(key.as_bytes());
            }
            ValuePlace::Line(table, number) => {
                bytes.push(b'l');
                bytes.extend_from_slice(&number.to_be_bytes());
                bytes.extend_from_slice(table.as_bytes());
            }
            ValuePlace::File(name) => {
                bytes.push(b'f');
                bytes.extend_from_slice(name.as_bytes());
            }
        }
        bytes
    }

    /// One sentence for the operator.
    pub(super) fn describe(self, failure: DecryptFailure) -> String {
        let place = match self {
            ValuePlace::Row(space, key) => format!("the row {key:?} of {:?}", space.name()),
            ValuePlace::Line(table, number) => {
                format!("line {} of the log of table {table:?}", number + 1)
            }
            ValuePlace::File(name) => format!("the file {name:?}"),
        };
        let why = match failure {
            DecryptFailure::Plain => "it is not encrypted, but everything else is".to_owned(),
            DecryptFailure::UnknownLayout(version) => {
                format!("a newer program has encrypted it (layout {version})")
            }
            DecryptFailure::MissingKey(id) => {
                format!("it is encrypted with key {id}, which the key file does not list")
            }
            DecryptFailure::Damaged => "it was changed or moved since it was encrypted".to_owned(),
        };
        format!("{place} is damaged: {why}")
    }
}

/// The form of a stored value.
pub(super) fn form_of(stored: &[u8]) -> StoredForm {
    match stored {
        [] => StoredForm::Empty,
        [a, b, c, VERSION, high, low, ..]
            if [*a, *b, *c] == MAGIC && stored.len() > OVERHEAD_BYTES =>
        {
            StoredForm::Encrypted(KeyId(u16::from_be_bytes([*high, *low])))
        }
        [a, b, c, version, ..] if [*a, *b, *c] == MAGIC => StoredForm::Unknown(*version),
        _ if *stored == MAGIC => StoredForm::Unknown(VERSION),
        _ => StoredForm::Plain,
    }
}

/// Whether a value has the form of an encrypted one.
pub(crate) fn is_encrypted(stored: &[u8]) -> bool {
    matches!(form_of(stored), StoredForm::Encrypted(_))
}

/// The bytes of a stored line: decoded if it is encrypted.
fn line_bytes(stored: &str) -> Option<Vec<u8>> {
    stored.starts_with(MAGIC_TEXT).then(|| STANDARD_NO_PAD.decode(stored).ok()).flatten()
}

/// The form of a stored line.
pub(super) fn line_form_of(stored: &str) -> StoredForm {
    match line_bytes(stored) {
        Some(bytes) => form_of(&bytes),
        None if stored.is_empty() => StoredForm::Empty,
        None => StoredForm::Plain,
    }
}

/// Whether a line has the form of an encrypted one.
pub(crate) fn is_encrypted_line(stored: &str) -> bool {
    matches!(line_form_of(stored), StoredForm::Encrypted(_))
}

/// How many letters a line of this many bytes has when it is encrypted.
pub(crate) fn encrypted_line_bytes(line_bytes: usize) -> usize {
    ((line_bytes + OVERHEAD_BYTES) * 4).div_ceil(3)
}

impl StoreKeys {
    /// Whether a value of this form is stored otherwise than a new one would be.
    pub(super) fn is_stale(&self, form: StoredForm) -> bool {
        match form {
            StoredForm::Empty => false,
            StoredForm::Plain => self.current().is_some(),
            StoredForm::Encrypted(id) => self.current() != Some(id),
            StoredForm::Unknown(_) => true,
        }
    }
}

/// Encrypts a value with the current key.
pub(super) fn encrypt(keys: &StoreKeys, place: ValuePlace<'_>, value: Vec<u8>) -> Vec<u8> {
    match keys.current() {
        Some(id) => encrypt_with(keys, id, place, value),
        None => value,
    }
}

/// Encrypts a value with a key that the keys have.
pub(super) fn encrypt_with(
    keys: &StoreKeys,
    id: KeyId,
    place: ValuePlace<'_>,
    value: Vec<u8>,
) -> Vec<u8> {
    let Some(cipher) = keys.cipher(id).filter(|_| !value.is_empty()) else { return value };
    let (header, nonce, data) = parameters(id, place);
    let mut encrypted = Vec::with_capacity(OVERHEAD_BYTES + value.len());
    encrypted.extend_from_slice(&header);
    encrypted.extend_from_slice(&value);
    let tag = cipher
        .encrypt_inout_detached(&nonce, &data, (&mut encrypted[HEADER_BYTES..]).into())
        .expect("values are far shorter than the cipher allows");
    encrypted.extend_from_slice(&tag);
    encrypted
}

/// Encrypts a line with the current key.
pub(super) fn encrypt_line(keys: &StoreKeys, table: &str, number: u64, line: String) -> String {
    if keys.current().is_none() || line.is_empty() {
        return line;
    }
    STANDARD_NO_PAD.encode(encrypt(keys, ValuePlace::Line(table, number), line.into_bytes()))
}

/// Opens a stored value; `plain` says whether it may be one that is not encrypted.
pub(super) fn decrypt(
    keys: &StoreKeys,
    place: ValuePlace<'_>,
    mut stored: Vec<u8>,
    plain: PlainValues,
) -> Result<Vec<u8>, DecryptFailure> {
    let id = match (form_of(&stored), plain) {
        (StoredForm::Empty, _) | (StoredForm::Plain, PlainValues::Accept) => return Ok(stored),
        (StoredForm::Plain, PlainValues::Refuse) => return Err(DecryptFailure::Plain),
        (StoredForm::Unknown(version), _) => return Err(unknown_layout(version)),
        (StoredForm::Encrypted(id), _) => id,
    };
    let cipher = keys.cipher(id).ok_or(DecryptFailure::MissingKey(id))?;
    let (_, nonce, data) = parameters(id, place);
    let tag_at = stored.len() - TAG_BYTES;
    let tag = Tag::try_from(&stored[tag_at..]).map_err(|_| DecryptFailure::Damaged)?;
    stored.truncate(tag_at);
    cipher
        .decrypt_inout_detached(&nonce, &data, (&mut stored[HEADER_BYTES..]).into(), &tag)
        .map_err(|_| DecryptFailure::Damaged)?;
    stored.drain(..HEADER_BYTES);
    Ok(stored)
}

/// Opens a stored line.
pub(super) fn decrypt_line(
    keys: &StoreKeys,
    table: &str,
    number: u64,
    stored: String,
    plain: PlainValues,
) -> Result<String, DecryptFailure> {
    let Some(bytes) = line_bytes(&stored) else {
        return match plain {
            PlainValues::Refuse if !stored.is_empty() => Err(DecryptFailure::Plain),
            PlainValues::Accept | PlainValues::Refuse => Ok(stored),
        };
    };
    let decrypted = decrypt(keys, ValuePlace::Line(table, number), bytes, plain)?;
    String::from_utf8(decrypted).map_err(|_| DecryptFailure::Damaged)
}

/// Whether values that are not encrypted are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlainValues {
    Accept,
    Refuse,
}

fn unknown_layout(version: u8) -> DecryptFailure {
    // Too short to be an encrypted value of the known layout.
    if version == VERSION {
        DecryptFailure::Damaged
    } else {
        DecryptFailure::UnknownLayout(version)
    }
}

fn parameters(id: KeyId, place: ValuePlace<'_>) -> ([u8; HEADER_BYTES], Nonce, Vec<u8>) {
    let ([a, b, c], [high, low]) = (MAGIC, id.0.to_be_bytes());
    let header = [a, b, c, VERSION, high, low];
    let data = place.associated_data(header);
    let hash: [u8; 32] = Sha256::digest(&data).into();
    let mut nonce = Nonce::default();
    nonce.copy_from_slice(&hash[..12]);
    (header, nonce, data)
}

/// The block cipher overwrites its key when it is dropped.
const _: fn() = || {
    fn zeroizes<T: zeroize::ZeroizeOnDrop>() {}
    zeroizes::<aes::Aes256>();
};

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    fn keys(bytes: &[u8]) -> StoreKeys {
        let lines = bytes.iter().map(|it| format!("{it} {}\n", STANDARD.encode([*it; 32])));
        StoreKeys::parse(&lines.collect::<String>()).unwrap()
    }

    fn head(key: &str) -> ValuePlace<'_> {
        ValuePlace::Row(Space::Head, key)
    }

    const ANY: PlainValues = PlainValues::Accept;

    proptest! {
        #[test]
        fn encrypted_values_decrypt_where_they_were_encrypted(
            value in prop::collection::vec(any::<u8>(), 1..200),
            at in 0_usize..400,
            bit in 0_u8..8,
        ) {
            let keys = keys(&[1, 2]);
            let encrypted = encrypt(&keys, head("t"), value.clone());
            prop_assert_eq!(encrypted.len(), value.len() + OVERHEAD_BYTES);
            prop_assert_eq!(form_of(&encrypted), StoredForm::Encrypted(KeyId(2)));
            prop_assert_eq!(encrypt(&keys, head("t"), value.clone()), encrypted.clone());
            prop_assert_eq!(decrypt(&keys, head("t"), encrypted.clone(), ANY), Ok(value));
            // Any change is noticed, except that of the mark that it is encrypted at all.
            let at = MAGIC.len() + at % (encrypted.len() - MAGIC.len());
            let mut changed = encrypted.clone();
            changed[at] ^= 1 << bit;
            prop_assert!(decrypt(&keys, head("t"), changed, ANY).is_err());
            for end in MAGIC.len()..encrypted.len() {
                let cut = encrypted[..end].to_vec();
                prop_assert_eq!(decrypt(&keys, head("t"), cut, ANY), Err(DecryptFailure::Damaged));
            }
        }

        #[test]
        fn encrypted_lines_are_lines(line in "[^\0\n]{1,80}", number in any::<u64>()) {
            let keys = keys(&[3]);
            let encrypted = encrypt_line(&keys, "t", number, line.clone());
            prop_assert!(is_encrypted_line(&encrypted) && !is_encrypted_line(&line));
            prop_assert_eq!(encrypted.len(), encrypted_line_bytes(line.len()));
            prop_assert!(encrypted.bytes().all(|byte| byte.is_ascii_graphic()));
            prop_assert_eq!(decrypt_line(&keys, "t", number, encrypted, ANY), Ok(line));
        }
    }

    #[test]
    fn a_moved_value_does_not_open() {
        let keys = keys(&[1]);
        let encrypted = encrypt(&keys, head("a"), b"value".to_vec());
        for other in [
            head("b"),
            ValuePlace::Row(Space::ChatProfile, "a"),
            ValuePlace::Line("a", 0),
            ValuePlace::Line("h", 0x6100_0000_0000_0000),
            ValuePlace::File("a"),
            ValuePlace::File("ha"),
        ] {
            let decrypted = decrypt(&keys, other, encrypted.clone(), ANY);
            assert_eq!(decrypted, Err(DecryptFailure::Damaged), "{other:?}");
        }
        let line = encrypt_line(&keys, "t", 3, "line".into());
        for (table, number) in [("t", 2), ("t", 4), ("u", 3)] {
            let decrypted = decrypt_line(&keys, table, number, line.clone(), ANY);
            assert_eq!(decrypted, Err(DecryptFailure::Damaged));
        }
    }

    #[test]
    fn missing_keys_other_layouts_and_plain_values_are_named() {
        let encrypted = encrypt(&keys(&[1, 9]), head("a"), b"value".to_vec());
        let decrypted = decrypt(&keys(&[1]), head("a"), encrypted.clone(), ANY);
        assert_eq!(decrypted, Err(DecryptFailure::MissingKey(KeyId(9))));
        let mut newer = encrypted.clone();
        newer[3] = 2;
        let why = decrypt(&keys(&[1]), head("a"), newer, ANY).unwrap_err();
        assert!(head("a").describe(why).contains("a newer program has encrypted it (layout 2)"));
        let refused = decrypt(&keys(&[1]), head("a"), b"{}".to_vec(), PlainValues::Refuse);
        assert_eq!(refused, Err(DecryptFailure::Plain));
        assert_eq!(decrypt(&keys(&[1]), head("a"), b"{}".to_vec(), ANY), Ok(b"{}".to_vec()));
        assert_eq!(
            decrypt(&keys(&[1]), head("a"), Vec::new(), PlainValues::Refuse),
            Ok(Vec::new())
        );
        let line = decrypt_line(&keys(&[1]), "a", 0, "0 open".into(), PlainValues::Refuse);
        assert_eq!(line, Err(DecryptFailure::Plain));
    }
}
