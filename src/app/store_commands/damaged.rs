//! `caravanserai store list-damaged` and `store close-table`: list unreadable tables and
//! quarantined inputs, and remove an unreadable table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

use super::backup::open_snapshot;
use super::check::{replay_log, replay_record};
use super::existing::open_existing;
use super::for_each_item;
#[cfg(unix)]
use crate::admin_socket;
use crate::config::Config;
use crate::event_format::refuse_newer_events;
use caravanserai_bot::repository::keys;
use caravanserai_bot::repository::outbox_key::OutboxKey;
use caravanserai_games::ids::TableId;
use caravanserai_store::sled::SledOptions;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Append, Commit, Put, Space, Store, StoreError, StoreQuery, StoredItem};

/// Prefix of the keys of quarantined rows.
const QUARANTINE_PREFIX: &str = "aside ";
/// Rows per commit.
const ROWS_PER_COMMIT: usize = 500;

/// The result of a scan.
#[derive(Default)]
struct DamageScan {
    /// Unreadable tables, with the reason.
    tables: BTreeMap<String, String>,
    /// Places that show a table, by its code.
    chats: BTreeMap<String, BTreeSet<String>>,
    /// Quarantined rows.
    aside: Vec<String>,
    /// Rows with a wrong checksum.
    rows: Vec<String>,
    /// The table whose log is being read; `lines` has its lines so far.
    table: String,
    lines: Vec<String>,
}

/// Lists everything that is unreadable or quarantined, also while the bot runs.
///
/// # Errors
/// When the store cannot be read to its end.
pub async fn list_damaged(address: &StoreAddress) -> anyhow::Result<String> {
    let mut snapshot = open_snapshot(address).await?;
    let mut found = DamageScan::default();
    for_each_item(snapshot.as_mut(), "reading", |item| found.scan_item(item)).await?;
    found.finish_log();
    Ok(found.to_text())
}

impl DamageScan {
    fn scan_item(&mut self, item: StoredItem) {
        match item {
            StoredItem::Line { table, number, line } => {
                if table != self.table {
                    self.finish_log();
                    self.table = table;
                }
                if number != self.lines.len() as u64 {
                    let missing = format!("line {} is missing", self.lines.len());
                    self.tables.entry(self.table.clone()).or_insert(missing);
                }
                self.lines.push(line);
            }
            StoredItem::Row { space: Space::Archive, key, value, .. } => {
                if let Err(why) = replay_record(&key, &value) {
                    self.tables.insert(key, why);
                }
            }
            StoredItem::Row { space: Space::Board, key, .. } => {
                if let Some((table, chat)) = key.split_once(' ') {
                    self.chats.entry(table.to_owned()).or_default().insert(chat.to_owned());
                }
            }
            StoredItem::Row { space: Space::Meta, key, .. } => {
                self.aside.extend(key.strip_prefix(QUARANTINE_PREFIX).map(str::to_owned));
            }
            StoredItem::Row { .. } => {}
            StoredItem::Damaged(what) => self.rows.push(what),
        }
    }

    fn finish_log(&mut self) {
        let table = std::mem::take(&mut self.table);
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return;
        }
        if let Err(why) = replay_log(&table, &lines) {
            self.tables.entry(table).or_insert(why);
        }
    }

    fn to_text(&self) -> String {
        let mut text = Vec::new();
        for (table, why) in &self.tables {
            let chats = self.chats.get(table).into_iter().flatten();
            let chats: Vec<&str> = chats.map(String::as_str).collect();
            let shown = if chats.is_empty() {
                String::new()
            } else {
                format!("; its board is in {}", chats.join(", "))
            };
            text.push(format!("table {table} cannot be read: {why}{shown}"));
        }
        text.extend(self.aside.iter().map(|row| format!("set aside: {row}")));
        text.extend(self.rows.iter().cloned());
        if !self.tables.is_empty() {
            let close = "caravanserai store close-table CODE --log FILE";
            text.push(format!("`{close}` keeps what is left of a log and takes the table away"));
        }
        if text.is_empty() {
            text.push("nothing is damaged or set aside".to_owned());
        }
        text.join("\n")
    }
}

/// The rest of an unreadable table.
#[derive(Default)]
pub(crate) struct DamagedTable {
    /// Why it is unreadable.
    pub(crate) why: String,
    /// The lines of its log, with a comment in place of each that the store cannot read.
    pub(crate) lines: Vec<String>,
    /// Its record, if it is over; empty if the store cannot read it.
    pub(crate) record: Option<Vec<u8>>,
}

/// Has the bot that runs on a data folder remove an unreadable table; without one, and in a
/// database, does it itself, see [`close_table`].
///
/// # Errors
/// When the bot does not answer, or as [`close_table`].
pub async fn close_table_or_ask_bot(
    config: &Config,
    table: &str,
    file: &Path,
) -> anyhow::Result<String> {
    #[cfg(unix)]
    if config.store.folder().is_some()
        && let Some(bot) = admin_socket::connect(config).await?
    {
        let found = bot.read_damaged(table).await?;
        write_log(file, &found)?;
        let Some(bot) = admin_socket::connect(config).await? else {
            bail!("the bot has ended meanwhile: run the command again with another FILE");
        };
        let removed = bot.remove_damaged(table, found.lines.len()).await?;
        return Ok(closed_text(&removed, &found, file));
    }
    close_table(&config.store, table, file).await
}

/// Removes an unreadable table from the store, after writing its log to a new file. Later presses
/// on its board are refused.
///
/// # Errors
/// When the table is readable or does not exist, the store is of a newer program, or the file
/// exists.
pub async fn close_table(
    address: &StoreAddress,
    table: &str,
    file: &Path,
) -> anyhow::Result<String> {
    let store = open_existing(address, address.folder(), SledOptions::default()).await?.store;
    refuse_newer_events(store.as_ref()).await?;
    let found = read_damaged(store.as_ref(), table).await?;
    write_log(file, &found)?;
    let removed = remove_damaged(store.as_ref(), table, found.lines.len()).await?;
    store.close().await?;
    Ok(closed_text(&removed, &found, file))
}

/// Reads the rest of an unreadable table.
///
/// # Errors
/// When the table is readable or does not exist, or the store fails.
pub(crate) async fn read_damaged(store: &dyn Store, table: &str) -> anyhow::Result<DamagedTable> {
    let reads = [StoreQuery::log(table, 0), StoreQuery::value_of(Space::Archive, table)];
    let found = match store.read(&reads).await {
        Err(StoreError::Damaged(why)) => return read_remains(store, table, why).await,
        found => found.context("the log cannot be read")?,
    };
    let mut found = found.into_iter();
    let lines = found.next().context("no answer")?.lines()?;
    let record = found.next().context("no answer")?.value()?;
    if lines.is_empty() && record.is_none() {
        bail!("there is no table {table}");
    }
    let read = match &record {
        Some(record) if lines.is_empty() => replay_record(table, record),
        Some(_) | None => replay_log(table, &lines),
    };
    match read {
        Ok(()) => bail!("table {table} can be read: people can play it and end it"),
        Err(why) => Ok(DamagedTable { why, lines, record }),
    }
}

/// Reads the rest of a table of which the store cannot read a line or the record.
async fn read_remains(store: &dyn Store, table: &str, why: String) -> anyhow::Result<DamagedTable> {
    let length = store.log_length(table).await.context("the log cannot be read")?;
    let mut lines: Vec<String> =
        (1..=length).map(|number| format!("# line {number} cannot be read")).collect();
    let mut snapshot = store.snapshot().await?;
    loop {
        let items = snapshot.next_items().await?;
        if items.is_empty() {
            break;
        }
        for item in items {
            if let StoredItem::Line { table: of, number, line } = item
                && of == table
                && let Some(found) = usize::try_from(number).ok().and_then(|it| lines.get_mut(it))
            {
                *found = line;
            }
        }
    }
    let record = match store.get(Space::Archive, table).await {
        Err(StoreError::Damaged(_)) => Some(Vec::new()),
        record => record?,
    };
    Ok(DamagedTable { why, lines, record })
}

/// Removes an unreadable table whose log has so many lines, and says so.
///
/// # Errors
/// As [`read_damaged`], and when its log has another number of lines.
pub(crate) async fn remove_damaged(
    store: &dyn Store,
    table: &str,
    lines: usize,
) -> anyhow::Result<String> {
    let DamagedTable { why, lines: found, record } = read_damaged(store, table).await?;
    if found.len() != lines {
        bail!("the log of table {table} has changed meanwhile, so nothing was removed");
    }
    let mut puts = rows_of_table(store, table).await?;
    puts.extend(record.is_some().then(|| Put::remove(Space::Archive, table)));
    let rows = puts.len();
    while puts.len() > ROWS_PER_COMMIT {
        let later = puts.split_off(ROWS_PER_COMMIT);
        store.commit(Commit::from_puts(std::mem::replace(&mut puts, later))).await?;
    }
    // The log goes last: until then the command can be repeated.
    let appends = vec![Append::new(table, lines as u64, Vec::new())];
    let drops = vec![table.to_owned()];
    store.commit(Commit { appends, drops, ..Commit::from_puts(puts) }).await?;
    Ok(format!("table {table} ({why}) is taken away with {rows} rows"))
}

fn closed_text(removed: &str, found: &DamagedTable, file: &Path) -> String {
    format!("{removed}; its {} lines are in {}", found.lines.len(), file.display())
}

/// Writes a log to a file that only its owner may read: it holds the seed of the game.
fn write_log(file: &Path, table: &DamagedTable) -> anyhow::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file).and_then(|mut file| {
        match &table.record {
            Some(record) if table.lines.is_empty() => file.write_all(record)?,
            Some(_) | None => table.lines.iter().try_for_each(|line| writeln!(file, "{line}"))?,
        }
        file.sync_all()
    });
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// Removals of the rows that name a table: lists, deadlines, messages and boards.
async fn rows_of_table(store: &dyn Store, table: &str) -> anyhow::Result<Vec<Put>> {
    let mut snapshot = store.snapshot().await?;
    let mut puts = Vec::new();
    loop {
        let items = snapshot.next_items().await?;
        if items.is_empty() {
            return Ok(puts);
        }
        for item in items {
            let StoredItem::Row { space, key, value, .. } = item else { continue };
            let names = match space {
                Space::Head | Space::ChatTable | Space::PersonTable | Space::Due | Space::Board => {
                    key.split(' ').any(|word| word == table)
                }
                Space::Outbox => OutboxKey::table_of(&key).is_some_and(|it| it.0 == table),
                Space::Message => value == table.as_bytes(),
                Space::Meta => {
                    key == keys::quick_clock(&TableId(table.to_owned()))
                        || keys::is_wanted_rematch_of(&key, table)
                }
                Space::Seen
                | Space::ChatProfile
                | Space::Person
                | Space::Keep
                | Space::Webchat
                | Space::Archive
                | Space::Result
                | Space::Rating => false,
            };
            puts.extend(names.then(|| Put::remove(space, key)));
        }
    }
}
