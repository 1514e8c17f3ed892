//! Seals and opens single values and log lines.
//!
//! A sealed value is three fixed bytes, a version byte, the id of the key (two bytes, big endian),
//! the encrypted value and a tag of 16 bytes. A sealed log line is the same in base64. The three
//! bytes begin no UTF-8 text, so that a text is never taken for a sealed value.
//!
//! The cipher is AES-256-GCM-SIV (RFC 8452). It stays secure when a nonce comes again, so the nonce
//! is computed from the place of the value: the same value at the same place is sealed to the same
//! bytes, which a commit can expect, and no nonce is stored. An onlooker learns from two states of
//! a row only whether its value has changed. The place is authenticated, too: a sealed value that
//! was moved to another row, or a line to another log or number, does not open.
//!
//! Empty values stay empty: the rows of lists say all in their keys, which are not encrypted.

use aes_gcm_siv::aead::AeadInOut;
use aes_gcm_siv::{Nonce, Tag};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha2::{Digest, Sha256};

use super::key_file::{KeyId, StoreKeys};
use crate::Space;

/// The first bytes of each sealed value.
const MAGIC: [u8; 3] = [0xC1, 0xF5, 0xFE];
/// [`MAGIC`] in base64: the first letters of each sealed line.
const MAGIC_TEXT: &str = "wfX+";
/// The layout of what follows; others, such as one with a key for each person, get other numbers.
const VERSION: u8 = 1;
const HEADER_BYTES: usize = 6;
const TAG_BYTES: usize = 16;
/// How many bytes a sealed value is longer.
pub(crate) const OVERHEAD_BYTES: usize = HEADER_BYTES + TAG_BYTES;

/// The place that a sealed value is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) enum SealedPlace<'a> {
    Row(Space, &'a str),
    Line(&'a str, u64),
}

/// How a stored value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredForm {
    /// Empty, which is the same in every form.
    Empty,
    Plain,
    Sealed(KeyId),
    /// Sealed in a layout that this program does not know.
    Unknown(u8),
}

/// Why a stored value does not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenFailure {
    Plain,
    UnknownLayout(u8),
    MissingKey(KeyId),
    Damaged,
}

impl SealedPlace<'_> {
    /// The bytes that are authenticated with a value: no two places have the same.
    fn associated_data(self, header: [u8; HEADER_BYTES]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend_from_slice(&header);
        match self {
            SealedPlace::Row(space, key) => {
                bytes.extend_from_slice(&[b'r', space.letter()]);
                bytes.extend_from_slice(key.as_bytes());
            }
            SealedPlace::Line(table, number) => {
                bytes.push(b'l');
                bytes.extend_from_slice(&number.to_be_bytes());
                bytes.extend_from_slice(table.as_bytes());
            }
        }
        bytes
    }

    /// One sentence for the operator.
    pub(super) fn describe(self, failure: OpenFailure) -> String {
        let place = match self {
            SealedPlace::Row(space, key) => format!("the row {key:?} of {:?}", space.name()),
            SealedPlace::Line(table, number) => {
                format!("line {} of the log of table {table:?}", number + 1)
            }
        };
        let why = match failure {
            OpenFailure::Plain => "it is not encrypted, but everything else is".to_owned(),
            OpenFailure::UnknownLayout(version) => {
                format!("a newer program has sealed it (layout {version})")
            }
            OpenFailure::MissingKey(id) => {
                format!("it is sealed with key {id}, which the key file does not list")
            }
            OpenFailure::Damaged => "it was changed or moved since it was sealed".to_owned(),
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
            StoredForm::Sealed(KeyId(u16::from_be_bytes([*high, *low])))
        }
        [a, b, c, version, ..] if [*a, *b, *c] == MAGIC => StoredForm::Unknown(*version),
        _ if *stored == MAGIC => StoredForm::Unknown(VERSION),
        _ => StoredForm::Plain,
    }
}

/// Whether a value has the form of a sealed one.
pub(crate) fn is_sealed(stored: &[u8]) -> bool {
    matches!(form_of(stored), StoredForm::Sealed(_))
}

/// The bytes of a stored line: decoded if it is sealed.
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

/// Whether a line has the form of a sealed one.
pub(crate) fn is_sealed_line(stored: &str) -> bool {
    matches!(line_form_of(stored), StoredForm::Sealed(_))
}

/// How many letters a line of this many bytes has when it is sealed.
pub(crate) fn sealed_line_bytes(line_bytes: usize) -> usize {
    ((line_bytes + OVERHEAD_BYTES) * 4).div_ceil(3)
}

/// Seals a value with the current key.
pub(super) fn seal(keys: &StoreKeys, place: SealedPlace<'_>, value: Vec<u8>) -> Vec<u8> {
    match keys.current() {
        Some(id) => seal_with(keys, id, place, value),
        None => value,
    }
}

/// Seals a value with a key that the keys have.
pub(super) fn seal_with(
    keys: &StoreKeys,
    id: KeyId,
    place: SealedPlace<'_>,
    value: Vec<u8>,
) -> Vec<u8> {
    let Some(cipher) = keys.cipher(id).filter(|_| !value.is_empty()) else { return value };
    let (header, nonce, data) = parameters(id, place);
    let mut sealed = Vec::with_capacity(OVERHEAD_BYTES + value.len());
    sealed.extend_from_slice(&header);
    sealed.extend_from_slice(&value);
    let tag = cipher
        .encrypt_inout_detached(&nonce, &data, (&mut sealed[HEADER_BYTES..]).into())
        .expect("values are far shorter than the cipher allows");
    sealed.extend_from_slice(&tag);
    sealed
}

/// Seals a line with the current key.
pub(super) fn seal_line(keys: &StoreKeys, table: &str, number: u64, line: String) -> String {
    if keys.current().is_none() || line.is_empty() {
        return line;
    }
    STANDARD_NO_PAD.encode(seal(keys, SealedPlace::Line(table, number), line.into_bytes()))
}

/// Opens a stored value; `plain` says whether it may be one that is not encrypted.
pub(super) fn open(
    keys: &StoreKeys,
    place: SealedPlace<'_>,
    mut stored: Vec<u8>,
    plain: PlainValues,
) -> Result<Vec<u8>, OpenFailure> {
    let id = match (form_of(&stored), plain) {
        (StoredForm::Empty, _) | (StoredForm::Plain, PlainValues::Accept) => return Ok(stored),
        (StoredForm::Plain, PlainValues::Refuse) => return Err(OpenFailure::Plain),
        (StoredForm::Unknown(version), _) => return Err(unknown_layout(version)),
        (StoredForm::Sealed(id), _) => id,
    };
    let cipher = keys.cipher(id).ok_or(OpenFailure::MissingKey(id))?;
    let (_, nonce, data) = parameters(id, place);
    let tag_at = stored.len() - TAG_BYTES;
    let tag = Tag::try_from(&stored[tag_at..]).map_err(|_| OpenFailure::Damaged)?;
    stored.truncate(tag_at);
    cipher
        .decrypt_inout_detached(&nonce, &data, (&mut stored[HEADER_BYTES..]).into(), &tag)
        .map_err(|_| OpenFailure::Damaged)?;
    stored.drain(..HEADER_BYTES);
    Ok(stored)
}

/// Opens a stored line.
pub(super) fn open_line(
    keys: &StoreKeys,
    table: &str,
    number: u64,
    stored: String,
    plain: PlainValues,
) -> Result<String, OpenFailure> {
    let Some(bytes) = line_bytes(&stored) else {
        return match plain {
            PlainValues::Refuse if !stored.is_empty() => Err(OpenFailure::Plain),
            PlainValues::Accept | PlainValues::Refuse => Ok(stored),
        };
    };
    let opened = open(keys, SealedPlace::Line(table, number), bytes, plain)?;
    String::from_utf8(opened).map_err(|_| OpenFailure::Damaged)
}

/// Whether values that are not encrypted are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlainValues {
    Accept,
    Refuse,
}

fn unknown_layout(version: u8) -> OpenFailure {
    // Too short to be a sealed value of the known layout.
    if version == VERSION { OpenFailure::Damaged } else { OpenFailure::UnknownLayout(version) }
}

fn parameters(id: KeyId, place: SealedPlace<'_>) -> ([u8; HEADER_BYTES], Nonce, Vec<u8>) {
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

    fn head(key: &str) -> SealedPlace<'_> {
        SealedPlace::Row(Space::Head, key)
    }

    const ANY: PlainValues = PlainValues::Accept;

    proptest! {
        #[test]
        fn sealed_values_open_where_they_were_sealed(
            value in prop::collection::vec(any::<u8>(), 1..200),
            at in 0_usize..400,
            bit in 0_u8..8,
        ) {
            let keys = keys(&[1, 2]);
            let sealed = seal(&keys, head("t"), value.clone());
            prop_assert_eq!(sealed.len(), value.len() + OVERHEAD_BYTES);
            prop_assert_eq!(form_of(&sealed), StoredForm::Sealed(KeyId(2)));
            prop_assert_eq!(seal(&keys, head("t"), value.clone()), sealed.clone());
            prop_assert_eq!(open(&keys, head("t"), sealed.clone(), ANY), Ok(value));
            // Any change is noticed, except that of the mark that it is sealed at all.
            let at = MAGIC.len() + at % (sealed.len() - MAGIC.len());
            let mut changed = sealed.clone();
            changed[at] ^= 1 << bit;
            prop_assert!(open(&keys, head("t"), changed, ANY).is_err());
            for end in MAGIC.len()..sealed.len() {
                let cut = sealed[..end].to_vec();
                prop_assert_eq!(open(&keys, head("t"), cut, ANY), Err(OpenFailure::Damaged));
            }
        }

        #[test]
        fn sealed_lines_are_lines(line in "[^\0\n]{1,80}", number in any::<u64>()) {
            let keys = keys(&[3]);
            let sealed = seal_line(&keys, "t", number, line.clone());
            prop_assert!(is_sealed_line(&sealed) && !is_sealed_line(&line));
            prop_assert_eq!(sealed.len(), sealed_line_bytes(line.len()));
            prop_assert!(sealed.bytes().all(|byte| byte.is_ascii_graphic()));
            prop_assert_eq!(open_line(&keys, "t", number, sealed, ANY), Ok(line));
        }
    }

    #[test]
    fn a_moved_value_does_not_open() {
        let keys = keys(&[1]);
        let sealed = seal(&keys, head("a"), b"value".to_vec());
        for other in [
            head("b"),
            SealedPlace::Row(Space::Place, "a"),
            SealedPlace::Line("a", 0),
            SealedPlace::Line("h", 0x6100_0000_0000_0000),
        ] {
            let opened = open(&keys, other, sealed.clone(), ANY);
            assert_eq!(opened, Err(OpenFailure::Damaged), "{other:?}");
        }
        let line = seal_line(&keys, "t", 3, "line".into());
        for (table, number) in [("t", 2), ("t", 4), ("u", 3)] {
            let opened = open_line(&keys, table, number, line.clone(), ANY);
            assert_eq!(opened, Err(OpenFailure::Damaged));
        }
    }

    #[test]
    fn missing_keys_other_layouts_and_plain_values_are_named() {
        let sealed = seal(&keys(&[1, 9]), head("a"), b"value".to_vec());
        let opened = open(&keys(&[1]), head("a"), sealed.clone(), ANY);
        assert_eq!(opened, Err(OpenFailure::MissingKey(KeyId(9))));
        let mut newer = sealed.clone();
        newer[3] = 2;
        let why = open(&keys(&[1]), head("a"), newer, ANY).unwrap_err();
        assert!(head("a").describe(why).contains("a newer program has sealed it (layout 2)"));
        let refused = open(&keys(&[1]), head("a"), b"{}".to_vec(), PlainValues::Refuse);
        assert_eq!(refused, Err(OpenFailure::Plain));
        assert_eq!(open(&keys(&[1]), head("a"), b"{}".to_vec(), ANY), Ok(b"{}".to_vec()));
        assert_eq!(open(&keys(&[1]), head("a"), Vec::new(), PlainValues::Refuse), Ok(Vec::new()));
        let line = open_line(&keys(&[1]), "a", 0, "0 open".into(), PlainValues::Refuse);
        assert_eq!(line, Err(OpenFailure::Plain));
    }
}
