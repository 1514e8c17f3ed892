//! `caravanserai backup` and `caravanserai restore`.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;

use anyhow::{Context, bail};
use async_trait::async_trait;
use tokio::io::{AsyncBufRead, AsyncWrite, BufReader, BufWriter};

use super::ProgressReporter;
use super::check::{BackupProtection, StoreChecker};
use super::existing::refuse_missing;
use crate::config::Config;
use crate::deletion_list::{DELETION_LIST, DeletionList, folder_of};
use crate::operator_metrics::{BACKUP_MARK, note_backup};
use crate::run::system_randomness;
use crate::store_identity::{note_filled_store, refuse_other_folder};
use caravanserai_bot::personal_data::{
    KnownDeletions, RepeatedDeletions, announce_postponed, postpone_deletions, repeat_deletions,
};
use caravanserai_bot::repository::{BotLimits, Repository, SystemClock, TimeSource};
use caravanserai_store::backup::{
    self, BackupCount, BackupError, BackupIdentities, BackupReader, BackupRecipients, BackupText,
    write, write_encrypted,
};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::transfer::{ItemSource, fill_from, finish_fill, refuse_unfinished};
use caravanserai_store::{Snapshot, Store, StoreError, StoredItem};
use caravanserai_webchat::stored_people;

/// Most incomplete files of one name, left behind by processes with the same id.
const PARTIAL_FILES_MAX: u32 = 1_000;

/// What an operator does about a damaged store.
const AFTER_DAMAGE: &str = "`caravanserai store list-damaged` lists the tables among them, which \
    `store close-table` takes away; with the bot stopped, `store salvage` fills a new folder with \
    everything else; or restore the last backup";

/// Writes a backup to a file, or to standard output for `-`, and returns a summary. The bot may
/// run meanwhile. The file appears when it is complete and on disk. Only its owner may read it,
/// because it holds the seeds of running games. With recipients, it is encrypted to them.
///
/// # Errors
/// When the store is empty or not the one that its folder names, or not everything could be read
/// and written; an earlier file of that name then stays.
pub async fn backup(
    address: &StoreAddress,
    file: &Path,
    recipients: Option<&BackupRecipients>,
) -> anyhow::Result<String> {
    let is_standard_output = file.as_os_str() == "-";
    if is_standard_output && recipients.is_some() && io::stdout().is_terminal() {
        bail!("an encrypted backup is not shown on a terminal: name a file");
    }
    let mut progress = ProgressReporter::new("backing up");
    let mut snapshot = open_snapshot(address).await?;
    let count = if is_standard_output {
        let mut out = BufWriter::new(standard_output()?);
        write_backup(snapshot.as_mut(), recipients, &mut out, &mut progress).await?
    } else {
        let (made, partial) = create_partial_file(file)?;
        let mut out = BufWriter::new(tokio::fs::File::from_std(made));
        let written = write_backup(snapshot.as_mut(), recipients, &mut out, &mut progress).await;
        let kept = match written {
            Ok(count) => sync_and_rename(out.into_inner(), &partial, file).await.map(|()| count),
            Err(error) => Err(error),
        };
        if kept.is_err() {
            // An incomplete file is of no use; the error is reported below.
            let _ = std::fs::remove_file(&partial);
        }
        kept.with_context(|| format!("no backup was made in {}", file.display()))?
    };
    progress.end();
    match address.folder() {
        Some(folder) => mark_backup(folder),
        None => mark_backup_in_database(address).await,
    }
    let how = match recipients {
        Some(recipients) => format!("encrypted to {recipients}"),
        None => "not encrypted, as BACKUP_RECIPIENTS is not set".to_owned(),
    };
    Ok(format!("{} rows and {} lines of logs are backed up, {how}", count.rows, count.lines))
}

/// Notes in the data folder that a backup was made now; the bot exports its time as a metric.
fn mark_backup(folder: &Path) {
    if let Err(error) = std::fs::write(folder.join(BACKUP_MARK), b"") {
        eprintln!("the time of this backup could not be noted in {}: {error}", folder.display());
    }
}

/// Notes the same in a database, for all bots that serve it.
async fn mark_backup_in_database(address: &StoreAddress) {
    let noted = async {
        let store = address.open_to_read().await?;
        note_backup(&*store, SystemClock.now_ms()).await?;
        store.close().await?;
        anyhow::Ok(())
    };
    if let Err(error) = noted.await {
        eprintln!("the time of this backup could not be noted in {address}: {error:#}");
    }
}

#[cfg(unix)]
fn standard_output() -> io::Result<tokio::fs::File> {
    let own = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    Ok(tokio::fs::File::from_std(File::from(own)))
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<tokio::fs::File> {
    Err(io::Error::other("a backup is written to a file on this system"))
}

async fn write_backup(
    snapshot: &mut dyn Snapshot,
    recipients: Option<&BackupRecipients>,
    out: &mut (dyn AsyncWrite + Unpin + Send),
    progress: &mut ProgressReporter,
) -> anyhow::Result<BackupCount> {
    let mut show = |count| progress.show(count);
    let written = match recipients {
        Some(recipients) => write_encrypted(snapshot, recipients, out, &mut show).await,
        None => write(snapshot, out, &mut show).await,
    };
    let count = match written {
        Err(error @ BackupError::Damaged(_)) => bail!("{error}; {AFTER_DAMAGE}"),
        written => written?,
    };
    // It would take the place of a backup that has something, and noting its time in an empty
    // database would keep a bot from noticing that it is the wrong one.
    anyhow::ensure!(
        count.rows + count.lines > 0,
        "the store is empty: look whether its disk is mounted and STORE and DATA_DIR are right"
    );
    Ok(count)
}

/// Creates the incomplete file and returns its path: in the same folder, so that a rename completes
/// it, and with a name that no other file has, so that two backups to one file, also of two
/// containers with the same process ids, do not write into each other.
fn create_partial_file(file: &Path) -> anyhow::Result<(File, PathBuf)> {
    let Some(name) = file.file_name() else { bail!("{} names no file", file.display()) };
    let mut number = 1;
    loop {
        let mut name = name.to_owned();
        name.push(format!(".{}-{number}.partial", process::id()));
        let partial = file.with_file_name(name);
        match create_private_file(&partial) {
            Ok(made) => return Ok((made, partial)),
            Err(error)
                if error.kind() == ErrorKind::AlreadyExists && number < PARTIAL_FILES_MAX =>
            {
                number += 1;
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot write {}", partial.display()));
            }
        }
    }
}

fn create_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Syncs the file and renames it to its final name.
async fn sync_and_rename(made: tokio::fs::File, partial: &Path, file: &Path) -> anyhow::Result<()> {
    made.sync_all().await?;
    std::fs::rename(partial, file)?;
    sync_folder_of(file)?;
    Ok(())
}

/// Makes sure that the name of a new file is on disk.
pub(super) fn sync_folder_of(file: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder_of(file))?.sync_all()?;
    Ok(())
}

/// A snapshot from the running program if one has the folder, else from the store.
pub(super) async fn open_snapshot(address: &StoreAddress) -> anyhow::Result<Box<dyn Snapshot>> {
    #[cfg(unix)]
    if let Some(folder) = address.folder()
        && let Some(stream) = backup::connect(folder).await?
    {
        return Ok(Box::new(BackupSnapshot(BackupReader::open(BufReader::new(stream)).await?)));
    }
    refuse_missing(address)?;
    let store = address.open_to_read().await?;
    refuse_other_folder(address, store.as_ref()).await?;
    refuse_unfinished(store.as_ref()).await?;
    Ok(Box::new(SnapshotWithStore { snapshot: store.snapshot().await?, _store: store }))
}

/// A snapshot and its store, which must stay open until everything is read.
struct SnapshotWithStore {
    snapshot: Box<dyn Snapshot>,
    _store: Arc<dyn Store>,
}

#[async_trait]
impl Snapshot for SnapshotWithStore {
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
        self.snapshot.next_items().await
    }
}

/// A backup that is read like a store.
pub(super) struct BackupSnapshot<R>(pub(super) BackupReader<R>);

#[async_trait]
impl<R: AsyncBufRead + Unpin + Send> Snapshot for BackupSnapshot<R> {
    async fn next_items(&mut self) -> Result<Vec<StoredItem>, StoreError> {
        self.0.read_items().await.map_err(|error| match error {
            BackupError::Store(error) => error,
            BackupError::Io(_) | BackupError::Damaged(_) | BackupError::InvalidFormat(_) => {
                StoreError::Failed(error.to_string())
            }
        })
    }
}

/// Opens a backup: an encrypted one with the identities, one that is not encrypted without.
pub(super) async fn open_backup(
    file: &Path,
    identities: Option<&BackupIdentities>,
) -> anyhow::Result<BackupReader<BackupText<'static>>> {
    let named = || file.display().to_string();
    let opened = tokio::fs::File::open(file).await.with_context(named)?;
    let buffered = BufReader::with_capacity(256 * 1024, opened);
    backup::open_backup(buffered, identities).await.with_context(named)
}

/// Restores a backup into an empty store, after the whole backup was verified. The identities
/// open one that is encrypted; it is decrypted as it is read, and nothing of it is written
/// elsewhere. The summary says whether the backup was encrypted.
///
/// # Errors
/// When the backup is damaged or no identity opens it, it is not encrypted although identities are
/// given, the store is not empty, or writing fails.
pub async fn restore(
    file: &Path,
    address: &StoreAddress,
    identities: Option<&BackupIdentities>,
) -> anyhow::Result<String> {
    restore_with_lists(file, address, identities, DeletionSources::of_store(address)).await
}

/// Sources of lists of deleted accounts, besides the folder of the backup.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeletionSources<'a> {
    /// The data folder, which may be another one than that of the store.
    pub data_folder: Option<&'a Path>,
    /// A file that holds a list, from elsewhere.
    pub file: Option<&'a Path>,
}

impl<'a> DeletionSources<'a> {
    /// The folder of a store in a folder.
    fn of_store(address: &'a StoreAddress) -> Self {
        Self { data_folder: address.folder(), file: None }
    }
}

/// Does the same with these lists of deleted accounts. The deletions in them, and in the list
/// beside the backup, are repeated if they are later than the backup; those that wait in the backup
/// are postponed by a week. The summary says how many accounts the lists have, or that there is
/// none.
///
/// # Errors
/// As for [`restore`], and when the named list does not exist or is damaged, or the deletions
/// cannot be repeated.
pub async fn restore_with_lists(
    file: &Path,
    address: &StoreAddress,
    identities: Option<&BackupIdentities>,
    sources: DeletionSources<'_>,
) -> anyhow::Result<String> {
    // Read before anything is written: without it, people would come back.
    let (list, about_lists) = read_deletion_lists(file, sources)?;
    let mut reader = open_backup(file, identities).await?;
    let mut progress = ProgressReporter::new("checking");
    let mut checker = StoreChecker::default();
    loop {
        let items = reader.read_items().await.with_context(|| file.display().to_string())?;
        if items.is_empty() {
            break;
        }
        items.into_iter().for_each(|item| checker.check_item(item));
        progress.show(reader.count());
    }
    progress.end();
    // A table that was unreadable before the backup stays unreadable; that must not block the
    // rest.
    let report = checker.finish();
    if !report.is_good() {
        eprintln!("{}", report.to_text());
    }
    let mut reader = open_backup(file, identities).await?;
    let store = address.open().await?;
    let filled = fill_store(&mut reader, &store, address, &list).await;
    let closed = store.close().await;
    let (count, repeated) = filled?;
    closed?;
    let restored = format!(
        "{repeated}{about_lists}{} rows and {} lines of logs are restored into {address} from a \
         backup that {}",
        count.rows,
        count.lines,
        BackupProtection::from_identities(identities)
    );
    // Scripts must learn that the data was damaged before.
    anyhow::ensure!(report.is_good(), "{restored}, but the backup was damaged, see above");
    Ok(restored)
}

/// Fills the empty store at this address and repeats the deletions in the list. The store is
/// complete only after both: a bot that opened it before would delete people who may have
/// cancelled that since. Returns what was restored, and what the summary says about deletions.
async fn fill_store(
    source: &mut impl ItemSource,
    store: &Arc<dyn Store>,
    address: &StoreAddress,
    list: &DeletionList,
) -> anyhow::Result<(BackupCount, String)> {
    let mut progress = ProgressReporter::new("restoring");
    let filled = fill_from(source, store.as_ref(), &mut |count| progress.show(count)).await;
    progress.end();
    let count = filled.with_context(|| format!("{address} was not restored"))?;
    note_filled_store(address, store.as_ref()).await?;
    let repeated = restore_deletions(store.clone(), list).await.context(
        "the backup is restored, but later deletions of accounts were not repeated: empty the \
         store and restore it again",
    )?;
    finish_fill(store.as_ref()).await?;
    Ok((count, repeated))
}

/// The lists of deleted accounts in these sources and beside the backup, as one, and what the
/// summary says about them.
fn read_deletion_lists(
    backup: &Path,
    sources: DeletionSources<'_>,
) -> anyhow::Result<(DeletionList, String)> {
    let read = |file: &Path| {
        let found = DeletionList::read_file(file);
        found.with_context(|| format!("{} cannot be read", file.display()))
    };
    let mut lists = Vec::new();
    if let Some(file) = sources.file {
        lists.push(DeletionList::read_named(file)?);
    }
    let mut folders: Vec<&Path> = sources.data_folder.into_iter().collect();
    folders.push(folder_of(backup));
    folders.dedup();
    for folder in &folders {
        lists.extend(read(&folder.join(DELETION_LIST))?);
    }
    let mut all = DeletionList::default();
    lists.iter().for_each(|it| all.add_all(it));
    if !lists.is_empty() {
        let number = all.accounts().len();
        return Ok((all, format!("accounts in the lists of deleted accounts: {number}\n")));
    }
    let places: Vec<String> = folders.iter().map(|it| it.display().to_string()).collect();
    let missing = format!(
        "there is no list of deleted accounts in {}: people who deleted their data after this \
         backup are back. `restore --deleted-accounts FILE` takes a list from elsewhere\n",
        places.join(" or ")
    );
    Ok((all, missing))
}

/// The list of deleted accounts in the data folder of these settings, as a file has it. The running
/// bot keeps it up to date.
///
/// # Errors
/// When there is no store in the data folder, or the list cannot be read.
pub fn deleted_accounts(config: &Config) -> anyhow::Result<String> {
    let folder = &config.data_dir;
    refuse_missing(&config.store)?;
    // With a database, the bot makes the folder.
    anyhow::ensure!(folder.is_dir(), "the data folder {} does not exist", folder.display());
    let list = DeletionList::read(folder);
    let list = list.with_context(|| format!("{} cannot be read", folder.display()))?;
    Ok(list.to_text())
}

/// Repeats the deletions in the list that are later than the backup, and postpones those that had
/// not begun. Returns what the summary says about them; the bot does the work when it starts.
async fn restore_deletions(store: Arc<dyn Store>, list: &DeletionList) -> anyhow::Result<String> {
    let clock = Arc::new(SystemClock);
    let limits = BotLimits::default();
    let repository = Repository::new(store.clone(), clock, system_randomness(), limits);
    let waiting = postpone_deletions(&repository).await?;
    let accounts = list.accounts();
    let RepeatedDeletions { people, linked, unknown, missing } = match accounts.is_empty() {
        true => RepeatedDeletions::default(),
        false => {
            let chat_people = stored_people(&*store).await?;
            repeat_deletions(&repository, &accounts, KnownDeletions::Done, chat_people).await?
        }
    };
    let postponed = announce_postponed(&repository, &waiting).await?;
    let mut said = String::new();
    let mut add = |number: usize, text: &str| {
        if number > 0 {
            said.push_str(&format!("{text}: {number}\n"));
        }
    };
    add(people, "people who deleted their data after this backup, which the bot does again");
    add(
        postponed,
        "people whose deletion waited in this backup: it waits for another week, which the bot \
         tells them, because they may have cancelled it since",
    );
    add(
        linked,
        "people of whom some linked accounts were deleted later, and who have to ask again",
    );
    add(
        unknown,
        "deleted accounts in the list that cannot be compared with this backup: if they are in it, \
         these people have to ask again",
    );
    add(
        missing,
        "deleted accounts in the list that have no profile, result, open table or name in the \
         built-in chat in this backup",
    );
    Ok(said)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use caravanserai_store::faulty::{Fault, FaultyStore};
    use caravanserai_store::memory::MemoryStore;
    use caravanserai_store::{Commit, Put, Space};

    use super::*;

    /// Restores a store in which a deletion waits, until a commit with this number fails. Returns
    /// whether the restore succeeded, and whether the store can be opened.
    async fn restore_with_fault(fails_at: usize) -> (bool, bool) {
        let key = "deletion mem:Ann";
        let address = StoreAddress::Database("db".to_owned());
        let source = MemoryStore::new();
        let waiting = Put::new(Space::Meta, key, r#"{"due_ms":1}"#);
        source.commit(Commit::from_puts(vec![waiting])).await.unwrap();
        let faults = vec![Fault::None; fails_at].into_iter().chain([Fault::Fail]);
        let store = Arc::new(FaultyStore::with_script(MemoryStore::new(), faults));
        let mut items = source.snapshot().await.unwrap();
        let list = DeletionList::default();
        let shared: Arc<dyn Store> = store.clone();
        let filled = fill_store(&mut items, &shared, &address, &list).await;
        (filled.is_ok(), refuse_unfinished(store.inner()).await.is_ok())
    }

    #[tokio::test]
    async fn a_restore_that_ends_before_its_last_step_leaves_nothing_to_open() {
        // Without the mark, which is the first commit, there is nothing in the store.
        for fails_at in 1.. {
            let (is_restored, can_be_opened) = restore_with_fault(fails_at).await;
            assert_eq!(can_be_opened, is_restored, "{fails_at}");
            if is_restored {
                assert!(fails_at > 3, "deletions are commits of their own: {fails_at}");
                return;
            }
        }
    }

    #[tokio::test]
    async fn two_backups_to_one_file_do_not_write_into_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "earlier").unwrap();
        let (mut one, first) = create_partial_file(&file).unwrap();
        let (mut two, second) = create_partial_file(&file).unwrap();
        assert!(first != second && create_private_file(&first).is_err());
        one.write_all(b"the first, which is longer").unwrap();
        two.write_all(b"the second").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "earlier");
        let one = tokio::fs::File::from_std(one);
        sync_and_rename(one, &first, &file).await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "the first, which is longer");
        let two = tokio::fs::File::from_std(two);
        sync_and_rename(two, &second, &file).await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "the second");
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
