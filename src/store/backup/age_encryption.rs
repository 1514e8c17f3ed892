//! Encrypts backups to public keys of age, and opens them with the identities of these keys.
//!
//! The format is that of the program `age`: each can open what the other wrote. An encrypted
//! backup is the text of a backup in a stream that is authenticated in chunks of 64 KiB; nothing
//! of a chunk is returned before it was verified. Encryption needs public keys only, so neither the
//! bot nor the command that makes backups ever reads an identity.

use std::fmt;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use age::armor::ArmoredReader;
use age::secrecy::ExposeSecret;
use age::stream::StreamReader;
use age::x25519;
use age::{DecryptError, Decryptor, Encryptor};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, ReadBuf,
};
use tokio_util::compat::{
    Compat, FuturesAsyncReadCompatExt, FuturesAsyncWriteCompatExt, TokioAsyncReadCompatExt,
    TokioAsyncWriteCompatExt,
};
use zeroize::Zeroizing;

use super::{BackupCount, BackupError, BackupReader, write};
use crate::encrypted::key_file::entries;
use crate::snapshot::Snapshot;

/// The most public keys that a backup is encrypted to.
const RECIPIENTS_MAX: usize = 20;

/// The first bytes of an encrypted backup.
const HEADING: &[u8] = b"age-encryption.org/";
/// The first bytes of an encrypted backup in letters (`age --armor`).
const ARMORED_HEADING: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";
/// The library never returns from reading an armored file of fewer bytes.
const ARMORED_BYTES_MIN: usize = ARMORED_HEADING.len() + 2;

/// The beginning of an identity, in lower case.
const IDENTITY_BEGIN: &str = "age-secret-key-";

/// Most bytes of the header of an encrypted backup; that for [`RECIPIENTS_MAX`] keys has less than
/// 4 KiB. The library parses the header again after each line of it, however long it is.
const HEADER_BYTES_MAX: u64 = 64 * 1024;

/// Bytes that are decrypted ahead.
const READ_AHEAD_BYTES: usize = 64 * 1024;

/// Well-formed public keys with which anybody could open a backup: all points of a small order.
/// The library panics when it is given one.
const WEAK_RECIPIENTS: [&str; 14] = [
    "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z",
    "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqzqqsuwj9m",
    "age1qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqj7vrya",
    "age1qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqzqqk67yly",
    "age1ur4h5lpmgxu2u9jku0a0r87ydtdqnr0tnsetrlvxvgz3vh6fhqqqzyt4v9",
    "age1ur4h5lpmgxu2u9jku0a0r87ydtdqnr0tnsetrlvxvgz3vh6fhzqqxqejhu",
    "age1t7wft09r2zxzfvwsk92eeql0tvzyghxytqwgapkcyf8dm5ylz9ts6wm9s8",
    "age1t7wft09r2zxzfvwsk92eeql0tvzyghxytqwgapkcyf8dm5ylz8ts72fzt7",
    "age1anlllllllllllllllllllllllllllllllllllllllllllllllals4n2t7m",
    "age1anllllllllllllllllllllllllllllllllllllllllllllllllls3hcv9z",
    "age1ahlllllllllllllllllllllllllllllllllllllllllllllllalsn46ayy",
    "age1ahlllllllllllllllllllllllllllllllllllllllllllllllllsh3g6la",
    "age1amlllllllllllllllllllllllllllllllllllllllllllllllalselrwrv",
    "age1amlllllllllllllllllllllllllllllllllllllllllllllllllsam3fc4",
];

/// Whether a text begins like an identity, which is a secret: then no message may repeat it.
pub fn begins_like_identity(text: &str) -> bool {
    let beginning = text.trim_start().as_bytes().get(..IDENTITY_BEGIN.len());
    beginning.is_some_and(|it| it.eq_ignore_ascii_case(IDENTITY_BEGIN.as_bytes()))
}

/// Whether one of the entries of a setting is an identity, which the bot must not know.
pub fn holds_identity(text: &str) -> bool {
    entries(text).any(|(_, entry)| begins_like_identity(entry))
}

/// Why a text gives no keys for backups. Names an entry by its number, never its contents.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BackupKeyError(String);

/// The public keys that backups are encrypted to: the identity of any of them opens the backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupRecipients(Vec<x25519::Recipient>);

impl BackupRecipients {
    /// Parses public keys that begin with `age1`: one a line, or separated by commas. Empty lines
    /// and those that begin with `#` do not count, as in the files that `age -R` reads.
    ///
    /// # Errors
    /// One sentence about the first entry that is no such key, or that is a secret identity.
    pub fn parse(text: &str) -> Result<Self, BackupKeyError> {
        let mut recipients = Vec::new();
        for (number, entry) in (1..).zip(entries(text).map(|(_, entry)| entry)) {
            if begins_like_identity(entry) {
                return Err(BackupKeyError(format!(
                    "entry {number} is a secret identity, which the bot must not know: keep it \
                     elsewhere, and give its public key, which begins with age1"
                )));
            }
            let recipient: x25519::Recipient = entry.parse().map_err(|_| {
                BackupKeyError(format!(
                    "entry {number} is no public key: it must be `age1` and 58 letters and digits, \
                     as `caravanserai store new-backup-key FILE` and age-keygen make them"
                ))
            })?;
            if WEAK_RECIPIENTS.contains(&recipient.to_string().as_str()) {
                return Err(BackupKeyError(format!(
                    "entry {number} is a public key that keeps nothing secret: make another one"
                )));
            }
            if !recipients.contains(&recipient) {
                recipients.push(recipient);
            }
        }
        match recipients.len() {
            0 => Err(BackupKeyError("it holds no public key".into())),
            1..=RECIPIENTS_MAX => Ok(Self(recipients)),
            _ => Err(BackupKeyError(format!("it holds more than {RECIPIENTS_MAX} public keys"))),
        }
    }
}

impl fmt::Display for BackupRecipients {
    /// The public keys, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&keys.join(", "))
    }
}

/// The secret halves of public keys, which open backups. Their bytes are overwritten in memory
/// when this is dropped.
pub struct BackupIdentities(Vec<x25519::Identity>);

impl BackupIdentities {
    /// Parses the text of an identity file, as `caravanserai store new-backup-key` and `age-keygen`
    /// make it. Several identities are tried one after the other.
    ///
    /// # Errors
    /// One sentence about the first entry that is no identity.
    pub fn parse(text: &str) -> Result<Self, BackupKeyError> {
        if is_encrypted(text.as_bytes()) {
            return Err(BackupKeyError(
                "it is encrypted itself: open it with `age -d`, and give the result on standard \
                 input with --identity -"
                    .into(),
            ));
        }
        let mut identities = Vec::new();
        for (number, entry) in (1..).zip(entries(text).map(|(_, entry)| entry)) {
            let identity: x25519::Identity = entry.parse().map_err(|_| {
                let is_public = entry.starts_with("age1");
                BackupKeyError(format!(
                    "entry {number} is {}: it must begin with AGE-SECRET-KEY-1",
                    if is_public { "a public key, which opens nothing" } else { "no identity" }
                ))
            })?;
            identities.push(identity);
        }
        if identities.is_empty() {
            return Err(BackupKeyError("it holds no identity".into()));
        }
        Ok(Self(identities))
    }
}

impl fmt::Debug for BackupIdentities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BackupIdentities({})", self.0.len())
    }
}

/// A new identity: the text of its file, and its public key.
pub fn new_identity() -> (Zeroizing<String>, BackupRecipients) {
    let identity = x25519::Identity::generate();
    let public = identity.to_public();
    let secret = identity.to_string();
    let text = Zeroizing::new(format!(
        "# Opens backups of Caravanserai. Keep it away from the bot and from the backups.\n\
         # public key: {public}\n{}\n",
        secret.expose_secret()
    ));
    (text, BackupRecipients(vec![public]))
}

/// Writes a backup as [`write()`] does, encrypted to these public keys. Memory use does not grow
/// with the size of the backup.
///
/// # Errors
/// As [`write()`]; what was written so far lacks its end, and every reader refuses it.
pub async fn write_encrypted(
    snapshot: &mut dyn Snapshot,
    recipients: &BackupRecipients,
    out: &mut (dyn AsyncWrite + Unpin + Send),
    progress: &mut (dyn FnMut(BackupCount) + Send),
) -> Result<BackupCount, BackupError> {
    let keys = recipients.0.iter().map(|it| it as &dyn age::Recipient);
    let encryptor = Encryptor::with_recipients(keys).map_err(io::Error::other)?;
    let mut encrypted = encryptor.wrap_async_output(out.compat_write()).await?.compat_write();
    let count = write(snapshot, &mut encrypted, progress).await?;
    // This writes the last chunk, which proves that nothing is missing.
    encrypted.shutdown().await?;
    Ok(count)
}

/// The text of a backup, decrypted if need be.
pub type BackupText<'a> = Box<dyn AsyncBufRead + Unpin + Send + 'a>;

/// Opens a backup: an encrypted one with the identities, one that is not encrypted without. So a
/// caller that gives identities knows that the backup is encrypted.
///
/// # Errors
/// As [`BackupReader::open`], when it is encrypted and none of the identities opens it, and when it
/// is not encrypted although identities are given.
pub async fn open_backup<'a, R: AsyncBufRead + Unpin + Send + 'a>(
    mut from: R,
    identities: Option<&BackupIdentities>,
) -> Result<BackupReader<BackupText<'a>>, BackupError> {
    let beginning = from.fill_buf().await?;
    let is_encrypted = is_encrypted(beginning);
    let is_armored = is_part(beginning, ARMORED_HEADING);
    if is_armored && beginning.len() < ARMORED_BYTES_MIN {
        return format_error(DAMAGED);
    }
    if !is_encrypted {
        let reader = BackupReader::open(Box::new(from) as BackupText<'a>).await?;
        if identities.is_some() {
            return format_error(
                "this backup is NOT encrypted, although an identity is given: if it should be \
                 encrypted, it may have been exchanged; to read it as it is, leave out --identity",
            );
        }
        return Ok(reader);
    }
    let Some(identities) = identities else {
        return format_error(
            "this backup is encrypted: give the file of the identity that opens it with \
             --identity FILE",
        );
    };
    let limit = HeaderLimit::new();
    let from = HeaderReader { from, limit: limit.clone() };
    let text: BackupText<'a> = if is_armored {
        let armored = ArmoredReader::from_async_reader(from.compat());
        Box::new(decrypt(armored, &limit, identities).await?)
    } else {
        Box::new(decrypt(from.compat(), &limit, identities).await?)
    };
    BackupReader::open(text).await
}

/// The text behind a stream of age. The limit is lifted once its header is parsed.
async fn decrypt<R: futures::io::AsyncBufRead + Unpin>(
    from: R,
    limit: &HeaderLimit,
    identities: &BackupIdentities,
) -> Result<BufReader<Compat<StreamReader<R>>>, BackupError> {
    let decryptor = match Decryptor::new_async_buffered(from).await {
        Err(_) if limit.is_reached() => {
            return format_error(
                "the header of this encrypted backup is longer than 64 KiB, which no backup of \
                 Caravanserai has: take another copy of it, or an earlier backup",
            );
        }
        opened => opened.map_err(open_error)?,
    };
    limit.lift();
    if decryptor.is_scrypt() {
        return format_error(
            "this backup is encrypted with a passphrase: open it with `age -d -o PLAIN FILE` \
             first",
        );
    }
    let keys = identities.0.iter().map(|it| it as &dyn age::Identity);
    let text = decryptor.decrypt_async(keys).map_err(open_error)?.compat();
    Ok(BufReader::with_capacity(READ_AHEAD_BYTES, text))
}

/// The bytes that may still be read before the header is parsed; [`u64::MAX`] after that.
#[derive(Clone)]
struct HeaderLimit(Arc<AtomicU64>);

impl HeaderLimit {
    fn new() -> Self {
        Self(Arc::new(AtomicU64::new(HEADER_BYTES_MAX)))
    }

    fn lift(&self) {
        self.0.store(u64::MAX, Ordering::Relaxed);
    }

    fn is_reached(&self) -> bool {
        self.left() == 0
    }

    fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn count(&self, bytes: usize) {
        let left = self.left();
        if left != u64::MAX {
            self.0.store(left.saturating_sub(bytes as u64), Ordering::Relaxed);
        }
    }
}

/// Ends where the limit is. An error in the middle of a line is no state that the library expects.
struct HeaderReader<R> {
    from: R,
    limit: HeaderLimit,
}

impl<R: AsyncBufRead + Unpin> AsyncBufRead for HeaderReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        if this.limit.is_reached() {
            return Poll::Ready(Ok(&[]));
        }
        let found = ready!(Pin::new(&mut this.from).poll_fill_buf(cx))?;
        let allowed = usize::try_from(this.limit.left()).unwrap_or(usize::MAX);
        Poll::Ready(Ok(&found[..found.len().min(allowed)]))
    }

    fn consume(self: Pin<&mut Self>, bytes: usize) {
        let this = self.get_mut();
        this.limit.count(bytes);
        Pin::new(&mut this.from).consume(bytes);
    }
}

impl<R: AsyncBufRead + Unpin> AsyncRead for HeaderReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let found = ready!(self.as_mut().poll_fill_buf(cx))?;
        let bytes = found.len().min(to.remaining());
        to.put_slice(&found[..bytes]);
        self.consume(bytes);
        Poll::Ready(Ok(()))
    }
}

/// Whether a file that begins with these bytes is encrypted; they may be fewer than a heading has.
fn is_encrypted(beginning: &[u8]) -> bool {
    is_part(beginning, HEADING) || is_part(beginning, ARMORED_HEADING)
}

fn is_part(beginning: &[u8], heading: &[u8]) -> bool {
    let length = beginning.len().min(heading.len());
    length > 0 && beginning[..length] == heading[..length]
}

fn open_error(error: DecryptError) -> BackupError {
    let why = match error {
        DecryptError::Io(error) => return read_error(error),
        DecryptError::NoMatchingKeys => {
            "the identity does not open this backup, which was encrypted to other keys: take that \
             of a key which was in BACKUP_RECIPIENTS when it was made"
        }
        DecryptError::UnknownFormat => {
            "this backup is encrypted in a newer format: open it with `age -d -o PLAIN FILE` first"
        }
        // Its header is wrong, in one of several ways.
        _other => DAMAGED,
    };
    BackupError::InvalidFormat(why.into())
}

const DAMAGED: &str = "the encrypted backup is damaged, truncated or was changed: take another \
                       copy of it, or an earlier backup";

/// The error of a read: what decryption refuses comes as an error of the input.
pub(super) fn read_error(error: io::Error) -> BackupError {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
            BackupError::InvalidFormat(DAMAGED.into())
        }
        _other => BackupError::Io(error),
    }
}

fn format_error<T>(why: &str) -> Result<T, BackupError> {
    Err(BackupError::InvalidFormat(why.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryStore;
    use crate::snapshot::StoredItem;
    use crate::transfer::ItemSource;
    use crate::{Commit, Put, Space, Store, StoreError};

    fn new_keys() -> (BackupIdentities, BackupRecipients) {
        let (text, public) = new_identity();
        (BackupIdentities::parse(&text).unwrap(), public)
    }

    async fn store_with(values: &[&str]) -> MemoryStore {
        let store = MemoryStore::new();
        let puts = values.iter().map(|it| Put::new(Space::Meta, it[..9].to_owned(), *it));
        store.commit(Commit::from_puts(puts.collect())).await.unwrap();
        store
    }

    async fn encrypt(store: &MemoryStore, recipients: &BackupRecipients) -> Vec<u8> {
        let mut snapshot = store.snapshot().await.unwrap();
        let mut file = Vec::new();
        write_encrypted(snapshot.as_mut(), recipients, &mut file, &mut |_| ()).await.unwrap();
        file
    }

    async fn read_all(
        file: &[u8],
        identities: Option<&BackupIdentities>,
    ) -> Result<Vec<StoredItem>, String> {
        let mut reader = open_backup(file, identities).await.map_err(|it| it.to_string())?;
        let mut items = Vec::new();
        while let Some(item) = reader.next().await.map_err(|it| it.to_string())? {
            items.push(item);
        }
        Ok(items)
    }

    fn error_of<T>(parsed: Result<T, BackupKeyError>) -> String {
        parsed.err().unwrap().to_string()
    }

    #[tokio::test]
    async fn each_recipient_opens_a_backup_and_nobody_else() {
        let store = store_with(&["Kyzzhibek-planted"]).await;
        let [(one, first), (two, second), (other, _)] = [new_keys(), new_keys(), new_keys()];
        let both = BackupRecipients::parse(&format!("# ours\n{first},\n {second}\n{first}"));
        let file = encrypt(&store, &both.unwrap()).await;
        assert!(!file.windows(7).any(|part| part == b"planted"));
        for identities in [&one, &two] {
            assert_eq!(read_all(&file, Some(identities)).await.unwrap().len(), 1);
        }
        let why = read_all(&file, Some(&other)).await.unwrap_err();
        assert!(why.contains("does not open this backup"), "{why}");
        let why = read_all(&file, None).await.unwrap_err();
        assert!(why.contains("encrypted: give the file") && why.contains("--identity"), "{why}");
    }

    #[tokio::test]
    async fn a_modified_or_truncated_backup_is_refused() {
        let store = store_with(&["Kyzzhibek-planted"]).await;
        let (identities, recipients) = new_keys();
        let file = encrypt(&store, &recipients).await;
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(read_all(&changed, Some(&identities)).await.is_err(), "{at} is changed");
            assert!(read_all(&file[..at], Some(&identities)).await.is_err(), "cut at {at}");
        }
        let armored = [ARMORED_HEADING, b"\nYWdl\n-----END AGE ENCRYPTED FILE-----\n"].concat();
        for at in 0..armored.len() {
            assert!(read_all(&armored[..at], Some(&identities)).await.is_err(), "cut at {at}");
        }
        let longer = [&file[..], b"x"].concat();
        let why = read_all(&longer, Some(&identities)).await.unwrap_err();
        assert!(why.contains("take another copy of it, or an earlier backup"), "{why}");
    }

    #[tokio::test]
    async fn the_header_for_the_most_keys_is_far_from_the_limit() {
        let all: Vec<_> = (0..RECIPIENTS_MAX).map(|_| new_keys()).collect();
        let public: Vec<String> = all.iter().map(|(_, public)| public.to_string()).collect();
        let store = store_with(&["Kyzzhibek-planted"]).await;
        let file = encrypt(&store, &BackupRecipients::parse(&public.join(",")).unwrap()).await;
        assert!(file.len() < 5_000, "{}", file.len());
        for (identities, _) in &all {
            assert_eq!(read_all(&file, Some(identities)).await.unwrap().len(), 1);
        }
    }

    #[tokio::test]
    async fn a_plain_backup_is_refused_with_an_identity() {
        let store = store_with(&["Kyzzhibek-planted"]).await;
        let mut snapshot = store.snapshot().await.unwrap();
        let mut file = Vec::new();
        write(snapshot.as_mut(), &mut file, &mut |_| ()).await.unwrap();
        assert_eq!(read_all(&file, None).await.unwrap().len(), 1);
        let why = read_all(&file, Some(&new_keys().0)).await.unwrap_err();
        assert!(why.contains("is NOT encrypted") && why.contains("leave out --identity"), "{why}");
    }

    #[test]
    fn an_identity_is_recognised_however_it_is_written() {
        let (text, public) = new_identity();
        for secret in ["AGE-SECRET-KEY-1HUSH", " age-secret-key-1hush", "Age-Secret-Key-"] {
            assert!(begins_like_identity(secret), "{secret}");
            assert!(holds_identity(&format!("{public}, {secret}")), "{secret}");
        }
        assert!(holds_identity(&text));
        for other in ["", "age-secret-key", "identity.txt", "ключ-к-копиям", "-"] {
            assert!(!begins_like_identity(other) && !holds_identity(other), "{other}");
        }
        assert!(!holds_identity(&public.to_string()));
    }

    /// The bytes that are in transit fit into a pipe that is smaller than one value.
    #[tokio::test]
    async fn a_long_backup_is_a_stream() {
        let values: Vec<String> =
            (0..40).map(|n| format!("value{n:04}{}", "long".repeat(9_000))).collect();
        let store = store_with(&values.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let (identities, recipients) = new_keys();
        let (mut to, from) = tokio::io::duplex(700);
        let writing = async move {
            let mut snapshot = store.snapshot().await.unwrap();
            write_encrypted(snapshot.as_mut(), &recipients, &mut to, &mut |_| ()).await.unwrap()
        };
        let reading = async {
            let mut reader = open_backup(BufReader::new(from), Some(&identities)).await.unwrap();
            let mut found = 0;
            loop {
                let items = reader.read_items().await.unwrap();
                if items.is_empty() {
                    return found;
                }
                found += items.len();
            }
        };
        let (written, read) = tokio::join!(writing, reading);
        assert_eq!((written.rows, read), (40, 40));
    }

    /// A snapshot that fails after its first items.
    struct Broken(Box<dyn Snapshot>, bool);

    #[async_trait::async_trait]
    impl Snapshot for Broken {
        async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
            if std::mem::replace(&mut self.1, true) {
                return Err(StoreError::Failed("the disk is gone".into()));
            }
            self.0.next_items().await
        }
    }

    #[tokio::test]
    async fn a_back_up_that_was_not_finished_is_refused() {
        let store = store_with(&["Kyzzhibek-planted"]).await;
        let (identities, recipients) = new_keys();
        let mut broken = Broken(store.snapshot().await.unwrap(), false);
        let mut file = Vec::new();
        let written = write_encrypted(&mut broken, &recipients, &mut file, &mut |_| ()).await;
        assert!(written.unwrap_err().to_string().contains("the disk is gone"));
        let why = read_all(&file, Some(&identities)).await.unwrap_err();
        assert!(why.contains("damaged, truncated or was changed"), "{why}");
    }

    #[test]
    fn recipients_are_public_keys() {
        let (text, public) = new_identity();
        let secret = text.lines().last().unwrap();
        assert_eq!(BackupRecipients::parse(&public.to_string()).unwrap(), public);
        for (wrong, expected) in [
            ("# nothing\n,", "it holds no public key"),
            ("age1hush", "entry 1 is no public key: it must be `age1` and 58"),
            (format!("{public}x").as_str(), "entry 1 is no public key"),
            (format!("{public}, ssh-ed25519 hush").as_str(), "entry 2 is no public key"),
            (secret, "entry 1 is a secret identity, which the bot must not know"),
            (secret.to_lowercase().as_str(), "entry 1 is a secret identity"),
        ] {
            let why = error_of(BackupRecipients::parse(wrong));
            assert!(why.contains(expected) && !why.contains("hush"), "{why}");
            assert!(!why.contains(&secret[20..]), "{why}");
        }
        for weak in WEAK_RECIPIENTS {
            let why = error_of(BackupRecipients::parse(weak));
            assert!(why.contains("keeps nothing secret"), "{weak}: {why}");
        }
        let many: Vec<String> =
            (0..=RECIPIENTS_MAX).map(|_| new_identity().1.to_string()).collect();
        assert!(BackupRecipients::parse(&many[1..].join(",")).is_ok());
        let why = error_of(BackupRecipients::parse(&many.join("\n")));
        assert_eq!(why, "it holds more than 20 public keys");
    }

    #[test]
    fn identities_are_secret() {
        let (text, public) = new_identity();
        let identities = BackupIdentities::parse(&text).unwrap();
        assert_eq!(format!("{identities:?}"), "BackupIdentities(1)");
        let public = public.to_string();
        for (wrong, expected) in [
            ("# nothing", "it holds no identity"),
            (public.as_str(), "entry 1 is a public key, which opens nothing"),
            ("AGE-SECRET-KEY-1HUSH", "entry 1 is no identity: it must begin with"),
            ("age-encryption.org/v1\n-> scrypt", "it is encrypted itself: open it with `age -d`"),
        ] {
            let why = error_of(BackupIdentities::parse(wrong));
            assert!(why.contains(expected) && !why.contains("HUSH"), "{why}");
        }
    }
}
