//! Copies one store into another: restores a backup, or moves to another kind of store.

use super::backup::{BackupCount, BackupError, BackupReader};
use super::snapshot::{Snapshot, StoredItem};
use super::{Append, Commit, Expect, OpenError, Put, Space, Store, StoreError};

/// Key of a row that marks a store as incomplete while it is being filled.
const UNFINISHED: &str = "copy/unfinished";

/// Items per commit.
const ITEMS_MAX: usize = 500;
/// A commit takes no further item once it has this many bytes.
const BYTES_MAX: usize = 1024 * 1024;

/// A source of stored items: a snapshot or a backup.
#[allow(async_fn_in_trait)]
pub trait ItemSource {
    /// The next items; empty at the end.
    async fn read_items(&mut self) -> Result<Vec<StoredItem>, BackupError>;
}

impl ItemSource for Box<dyn Snapshot> {
    async fn read_items(&mut self) -> Result<Vec<StoredItem>, BackupError> {
        Ok(self.next_items().await?)
    }
}

impl<R: tokio::io::AsyncBufRead + Unpin + Send> ItemSource for BackupReader<R> {
    async fn read_items(&mut self) -> Result<Vec<StoredItem>, BackupError> {
        let mut items = Vec::new();
        while items.len() < ITEMS_MAX {
            let Some(item) = self.next().await? else { break };
            items.push(item);
        }
        Ok(items)
    }
}

/// Refuses a store that was filled only in part.
///
/// # Errors
/// One sentence for the operator.
pub async fn refuse_unfinished(store: &dyn Store) -> Result<(), OpenError> {
    if store.get(Space::Meta, UNFINISHED).await.map_err(OpenError::retryable)?.is_none() {
        return Ok(());
    }
    Err(OpenError::Permanent(StoreError::Failed(
        "this store was being filled from a backup or another store and that did not finish: \
         empty it and do it again"
            .into(),
    )))
}

/// Whether a store holds nothing at all.
///
/// # Errors
/// When it cannot be read.
pub async fn is_empty(store: &dyn Store) -> Result<bool, StoreError> {
    let mut snapshot = store.snapshot().await?;
    Ok(snapshot.next_items().await?.is_empty())
}

/// Copies everything into an empty store. The store is marked as incomplete until
/// [`finish_fill`], and [`refuse_unfinished`] refuses it.
///
/// # Errors
/// When the store is not empty, when an item is damaged, or when the source or the store fails.
pub async fn fill_from(
    source: &mut impl ItemSource,
    to: &dyn Store,
    progress: &mut (dyn FnMut(BackupCount) + Send),
) -> Result<BackupCount, BackupError> {
    if !is_empty(to).await? {
        let why = "the store is not empty: only an empty one is filled, so that nothing is lost";
        return Err(BackupError::InvalidFormat(why.into()));
    }
    let mark = Put::new(Space::Meta, UNFINISHED, "");
    let expect = vec![Expect::absent(Space::Meta, UNFINISHED)];
    to.commit(Commit { expect, ..Commit::from_puts(vec![mark]) }).await?;
    let mut count = BackupCount::default();
    loop {
        let items = source.read_items().await?;
        if items.is_empty() {
            break;
        }
        for item in &items {
            if matches!(item, StoredItem::Row { key, .. } if key == UNFINISHED) {
                let why = "it was made from a store that had been filled only in part";
                return Err(BackupError::InvalidFormat(why.into()));
            }
            count.add(item);
        }
        commit_items(to, items).await?;
        progress(count);
    }
    Ok(count)
}

/// Marks a store as complete that [`fill_from`] has filled. This is the last step: everything that
/// belongs to the new store must be written before.
///
/// # Errors
/// When the store fails. It is still marked as incomplete then.
pub async fn finish_fill(to: &dyn Store) -> Result<(), StoreError> {
    to.commit(Commit::from_puts(vec![Put::remove(Space::Meta, UNFINISHED)])).await
}

/// Writes items in as many commits as they need.
async fn commit_items(to: &dyn Store, items: Vec<StoredItem>) -> Result<(), BackupError> {
    let mut commit = Commit::default();
    let mut bytes = 0;
    for item in items {
        match item {
            StoredItem::Row { space, key, value, until_ms } => {
                bytes += key.len() + value.len();
                commit.puts.push(Put { space, key, value: Some(value), expires_ms: until_ms });
            }
            StoredItem::Line { table, number, line } => {
                bytes += line.len();
                match commit.appends.last_mut() {
                    Some(last) if last.table == table => last.lines.push(line),
                    Some(_) | None => {
                        commit.appends.push(Append::new(table, number, vec![line]));
                    }
                }
            }
            StoredItem::Damaged(what) => return Err(BackupError::Damaged(what)),
        }
        if bytes > BYTES_MAX {
            to.commit(std::mem::take(&mut commit)).await?;
            bytes = 0;
        }
    }
    to.commit(commit).await?;
    Ok(())
}

/// Compares two stores item by item. Returns `None` if they are equal, else a description of the
/// first item that differs. The mark of an incomplete store does not count.
///
/// # Errors
/// When one of them cannot be read.
pub async fn first_difference(
    a: &mut (dyn Snapshot + '_),
    b: &mut (dyn Snapshot + '_),
) -> Result<Option<String>, BackupError> {
    let mut a_items = Vec::new().into_iter();
    let mut b_items = Vec::new().into_iter();
    loop {
        if a_items.len() == 0 {
            a_items = next_compared(a).await?.into_iter();
        }
        if b_items.len() == 0 {
            b_items = next_compared(b).await?.into_iter();
        }
        match (a_items.next(), b_items.next()) {
            (None, None) => return Ok(None),
            (Some(a), Some(b)) if a == b => {}
            (a, b) => return Ok(Some(describe_item(a.as_ref().or(b.as_ref())))),
        }
    }
}

/// The next items without the mark of an incomplete store; empty at the end.
async fn next_compared(snapshot: &mut (dyn Snapshot + '_)) -> Result<Vec<StoredItem>, StoreError> {
    loop {
        let mut items = snapshot.next_items().await?;
        let is_end = items.is_empty();
        items.retain(|it| {
            !matches!(it, StoredItem::Row { space: Space::Meta, key, .. } if key == UNFINISHED)
        });
        if is_end || !items.is_empty() {
            return Ok(items);
        }
    }
}

/// Names an item without its contents.
fn describe_item(item: Option<&StoredItem>) -> String {
    match item {
        Some(StoredItem::Row { space, key, .. }) => format!("the row {key:?} of {}", space.name()),
        Some(StoredItem::Line { table, number, .. }) => format!("line {number} of table {table}"),
        Some(StoredItem::Damaged(what)) => what.clone(),
        None => "the end".into(),
    }
}
