//! Keeps a list of deleted accounts outside of the store and beside its backups, so that restoring
//! an earlier backup repeats their deletion.
//!
//! The list contains keyed hashes and times, no names and no ids. The key of the hashes is in the
//! store, and thus in its backups, but never in the list: the list alone reveals nothing, and a
//! backup contains its people anyway. An entry ends when its row in the store does, 90 days after
//! the deletion has begun.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use anyhow::{Context, bail};

use super::shutdown::Shutdown;
use super::store_commands::write_private;
use caravanserai_bot::repository::{DeletedAccount, SystemClock, TimeSource};
use caravanserai_bot::service::Service;

/// The name of the file. It does not begin like that of a backup: scripts delete old backups by
/// their names, and keep the newest one.
pub const DELETION_LIST: &str = "deleted-accounts";

/// How often a running bot updates the list.
const INTERVAL: Duration = Duration::from_secs(60);

/// Accounts whose deletion has begun in the last 90 days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeletionList {
    /// The end of each entry, in milliseconds since 1970, by the mark of the key and the hash.
    ends: BTreeMap<(String, String), u64>,
}

impl DeletionList {
    /// Reads the list in a folder. A file that does not exist is an empty list, and lines that
    /// cannot be read are left out.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(folder: &Path) -> io::Result<Self> {
        Ok(Self::read_file(&folder.join(DELETION_LIST))?.unwrap_or_default())
    }

    /// Reads the list in a file; `None` if the file does not exist.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_file(file: &Path) -> io::Result<Option<Self>> {
        match fs::read(file) {
            Ok(bytes) => Ok(Some(Self::parse(&String::from_utf8_lossy(&bytes)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads the list in a file that an operator has named. It is refused if it is another file or
    /// incomplete.
    ///
    /// # Errors
    /// When the file does not exist or cannot be read, or a line of it is no entry.
    pub fn read_named(file: &Path) -> anyhow::Result<Self> {
        let name = file.display();
        let bytes = match fs::read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!("{name} does not exist"),
            read => read.with_context(|| format!("{name} cannot be read"))?,
        };
        let mut list = Self::default();
        for (number, line) in (1..).zip(String::from_utf8_lossy(&bytes).split_inclusive('\n')) {
            let Some(line) = line.strip_suffix('\n') else {
                bail!("{name} is cut off in line {number}: fetch the list again");
            };
            let account = parse_line(line.trim_end_matches('\r')).with_context(|| {
                format!("{name} is no list of deleted accounts: line {number} is no entry of one")
            });
            list.add(account?);
        }
        Ok(list)
    }

    fn parse(text: &str) -> Self {
        let mut list = Self::default();
        text.lines().filter_map(parse_line).for_each(|it| list.add(it));
        list
    }

    /// Adds an account. Of two deletions of one account the later one counts.
    pub fn add(&mut self, account: DeletedAccount) {
        let DeletedAccount { key_tag, hash, until_ms } = account;
        let known_ms = self.ends.entry((key_tag, hash)).or_default();
        *known_ms = until_ms.max(*known_ms);
    }

    /// Adds the accounts of another list.
    pub fn add_all(&mut self, other: &DeletionList) {
        other.accounts().into_iter().for_each(|it| self.add(it));
    }

    /// Removes what has ended by this time, in milliseconds since 1970.
    fn remove_ended(&mut self, now_ms: u64) {
        self.ends.retain(|_, until_ms| *until_ms > now_ms);
    }

    /// The accounts.
    pub fn accounts(&self) -> Vec<DeletedAccount> {
        let account = |((key_tag, hash), until_ms): (&(String, String), &u64)| DeletedAccount {
            key_tag: key_tag.clone(),
            hash: hash.clone(),
            until_ms: *until_ms,
        };
        self.ends.iter().map(account).collect()
    }

    /// The text of a file with this list.
    pub fn to_text(&self) -> String {
        let lines = self.accounts().into_iter();
        lines.map(|it| format!("{} {} {}\n", it.key_tag, it.hash, it.until_ms)).collect()
    }

    /// Writes the list into a folder; only the owner may read it. The file is replaced as a whole.
    ///
    /// # Errors
    /// When it cannot be written. An earlier list then stays.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let text = self.to_text();
        let partial = folder.join(format!("{DELETION_LIST}.{}.partial", process::id()));
        // An interrupted process may have left it behind.
        let _ = fs::remove_file(&partial);
        let written = write_private(&partial, text.as_bytes())
            .and_then(|()| fs::rename(&partial, folder.join(DELETION_LIST)));
        if written.is_err() {
            let _ = fs::remove_file(&partial);
        }
        written
    }

    /// Updates the list in a folder with these accounts.
    fn update(folder: &Path, accounts: Vec<DeletedAccount>) -> io::Result<()> {
        let stored = Self::read(folder)?;
        let mut list = stored.clone();
        accounts.into_iter().for_each(|it| list.add(it));
        list.remove_ended(SystemClock.now_ms());
        if list == stored { Ok(()) } else { list.write(folder) }
    }
}

/// The account in a line of a list; `None` if the line is no entry.
fn parse_line(line: &str) -> Option<DeletedAccount> {
    let words: Vec<&str> = line.split(' ').collect();
    let [key_tag, hash, until_ms] = words[..] else { return None };
    let key_tag = key_tag.to_owned();
    let hash = hash.to_owned();
    Some(DeletedAccount { key_tag, hash, until_ms: until_ms.parse().ok()? })
}

/// Adds the accounts that were deleted to the list in the data folder, until `stop`.
pub async fn keep_deletion_list(service: Service, folder: PathBuf, stop: Shutdown) {
    let mut has_failed = false;
    loop {
        if let Err(error) = update_list(&service, &folder).await {
            // A database works without a folder that can be written.
            if !has_failed {
                tracing::warn!(%error, "failed to update the list of deleted accounts");
            }
            has_failed = true;
        }
        if !stop.sleep_unless_stopping(INTERVAL).await {
            break;
        }
    }
}

async fn update_list(service: &Service, folder: &Path) -> anyhow::Result<()> {
    let deleted = service.deleted_accounts().await?;
    Ok(DeletionList::update(folder, deleted)?)
}

/// Copies the list of the data folder into the folder of a backup; a backup to standard output has
/// none.
///
/// # Errors
/// When a list cannot be read or written.
pub fn copy_beside_backup(data_folder: &Path, backup: &Path) -> io::Result<()> {
    if backup.as_os_str() == "-" {
        return Ok(());
    }
    DeletionList::update(folder_of(backup), DeletionList::read(data_folder)?.accounts())
}

/// The folder of a file.
pub(super) fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(hash: &str, until_ms: u64) -> DeletedAccount {
        DeletedAccount { key_tag: "k".to_owned(), hash: hash.to_owned(), until_ms }
    }

    #[test]
    fn a_list_is_read_as_it_was_written_without_what_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(DeletionList::read(path).unwrap(), DeletionList::default());
        DeletionList::update(path, Vec::new()).unwrap();
        assert!(!path.join(DELETION_LIST).exists(), "an empty list needs no file");
        let late = u64::MAX / 2;
        DeletionList::update(path, vec![account("a", late), account("b", 5)]).unwrap();
        DeletionList::update(path, vec![account("a", late - 1), account("c", late)]).unwrap();
        let accounts = DeletionList::read(path).unwrap().accounts();
        assert_eq!(accounts, [account("a", late), account("c", late)]);
        let backups = folder.path().join("backups");
        fs::create_dir(&backups).unwrap();
        copy_beside_backup(path, &backups.join("x.backup")).unwrap();
        assert_eq!(DeletionList::read(&backups).unwrap().accounts(), accounts);
        let left = fs::read_dir(&backups).unwrap().count();
        assert_eq!(left, 1, "no partial file is left behind");
    }

    #[test]
    fn lines_that_cannot_be_read_are_left_out() {
        let list = DeletionList::parse("k a 7\nk b\nk c x\n\nk a 9");
        assert_eq!(list.accounts(), [account("a", 9)]);
    }

    #[test]
    fn a_named_list_is_refused_if_a_line_is_no_entry_or_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list");
        let read = |text: &str| {
            fs::write(&file, text).unwrap();
            DeletionList::read_named(&file).map_err(|why| format!("{why:#}"))
        };
        assert_eq!(read("k a 7\nk b 8\n").unwrap().accounts(), [account("a", 7), account("b", 8)]);
        assert!(read("").unwrap().accounts().is_empty(), "nobody has deleted an account");
        for (text, why) in [
            ("k a 7\ncaravanserai-backup 1\n", "line 2 is no entry"),
            ("k a 7\nk b\n", "line 2 is no entry"),
            ("\n", "line 1 is no entry"),
            ("k a 7\nk b 17952624", "is cut off in line 2"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(why), "{text:?}: {said}");
        }
    }
}
