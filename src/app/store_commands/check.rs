//! `caravanserai check`: reads everything, replays every table, and lists the problems.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::Context;

use super::backup::{BackupSnapshot, open_backup, open_snapshot};
use super::for_each_item;
use caravanserai_games::ids::TableId;
use caravanserai_store::backup::BackupIdentities;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Snapshot, Space, StoredItem};
use caravanserai_table::{Table, archive};

/// Most problems that are listed; the others are counted.
const PROBLEMS_MAX: usize = 100;

/// Whether a backup is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupProtection {
    /// It is, and one of the given identities opened it.
    Encrypted,
    /// It is not, and no identity was given.
    Plain,
}

impl BackupProtection {
    /// Of a backup that was opened with these identities: without any, no encrypted backup is
    /// opened, and with some, only an encrypted one.
    pub(super) fn from_identities(identities: Option<&BackupIdentities>) -> Self {
        if identities.is_some() { Self::Encrypted } else { Self::Plain }
    }
}

impl fmt::Display for BackupProtection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Encrypted => "is encrypted",
            Self::Plain => "is NOT encrypted",
        })
    }
}

/// The result of a check.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// One sentence for each problem, the first hundred.
    pub problems: Vec<String>,
    /// The number of problems that are not listed.
    pub more_problems: u64,
    /// Rows read.
    pub rows: u64,
    /// Tables replayed from their logs.
    pub tables: u64,
    /// Tables replayed from their records.
    pub records: u64,
    /// Whether the backup is encrypted; `None` if a store was checked.
    pub protection: Option<BackupProtection>,
}

impl CheckReport {
    /// The report as text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            text.push_str(problem);
            text.push('\n');
        }
        if self.more_problems > 0 {
            text.push_str(&format!("and {} more\n", self.more_problems));
        }
        let wrong = self.problems.len() as u64 + self.more_problems;
        let outcome = if wrong == 0 { "all is well".into() } else { format!("{wrong} are wrong") };
        let Self { rows, tables, records, .. } = self;
        text.push_str(&format!(
            "{rows} rows, {tables} tables and {records} records of finished tables: {outcome}"
        ));
        if let Some(protection) = self.protection {
            text.push_str(&format!("\nthe backup {protection}"));
        }
        text
    }

    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks items in their order. Keeps only one table in memory.
#[derive(Default)]
pub(super) struct StoreChecker {
    report: CheckReport,
    table: String,
    lines: Vec<String>,
}

impl StoreChecker {
    pub(super) fn check_item(&mut self, item: StoredItem) {
        match item {
            StoredItem::Row { space, key, value, .. } => {
                self.end_table();
                self.report.rows += 1;
                if space == Space::Archive {
                    self.report.records += 1;
                    if let Err(why) = replay_record(&key, &value) {
                        self.add_problem(format!("the record of table {key}: {why}"));
                    }
                }
            }
            StoredItem::Line { table, number, line } => {
                if table != self.table {
                    self.end_table();
                    self.table = table;
                }
                if number != self.lines.len() as u64 {
                    let table = self.table.clone();
                    let found = self.lines.len();
                    self.add_problem(format!("table {table}: line {found} is missing"));
                }
                self.lines.push(line);
            }
            StoredItem::Damaged(what) => self.add_problem(what),
        }
    }

    pub(super) fn finish(mut self) -> CheckReport {
        self.end_table();
        self.report
    }

    fn end_table(&mut self) {
        let table = std::mem::take(&mut self.table);
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return;
        }
        self.report.tables += 1;
        if let Err(why) = replay_log(&table, &lines) {
            self.add_problem(format!("table {table}: {why}"));
        }
    }

    fn add_problem(&mut self, problem: String) {
        if self.report.problems.len() < PROBLEMS_MAX {
            self.report.problems.push(problem);
        } else {
            self.report.more_problems += 1;
        }
    }
}

/// Replays a table. Catches panics, so that a bug triggered by one log does not hide other tables.
pub(super) fn replay_log(table: &str, lines: &[String]) -> Result<(), String> {
    let id = TableId(table.to_owned());
    match catch_unwind(AssertUnwindSafe(|| Table::from_log(&id, lines).map(|it| it.misplaced))) {
        Ok(Ok(None)) => Ok(()),
        Ok(Ok(Some(other))) => Err(format!(
            "{} lines from line {} on belong to another table that was given the same code; the \
             bot separates them after its next start",
            other.lines, other.from
        )),
        Ok(Err(why)) => Err(why),
        Err(_) => Err("its replay failed".into()),
    }
}

/// Replays a finished table from its record.
pub(super) fn replay_record(table: &str, record: &[u8]) -> Result<(), String> {
    replay_log(table, &archive::unpack(record)?)
}

/// Checks a store, also while the bot runs.
///
/// # Errors
/// When it cannot be read to its end.
pub async fn check_store(address: &StoreAddress) -> anyhow::Result<CheckReport> {
    let mut snapshot = open_snapshot(address).await?;
    check_snapshot(snapshot.as_mut()).await
}

/// Checks a backup. The identities open one that is encrypted. The report says whether it is.
///
/// # Errors
/// When it cannot be read to its end, because it is damaged or no identity opens it, and when it is
/// not encrypted although identities are given.
pub async fn check_backup(
    file: &Path,
    identities: Option<&BackupIdentities>,
) -> anyhow::Result<CheckReport> {
    let mut backed = BackupSnapshot(open_backup(file, identities).await?);
    let checked = check_snapshot(&mut backed).await;
    let report = checked.with_context(|| file.display().to_string())?;
    Ok(CheckReport { protection: Some(BackupProtection::from_identities(identities)), ..report })
}

async fn check_snapshot(snapshot: &mut dyn Snapshot) -> anyhow::Result<CheckReport> {
    let mut checker = StoreChecker::default();
    for_each_item(snapshot, "checking", |item| checker.check_item(item)).await?;
    Ok(checker.finish())
}
