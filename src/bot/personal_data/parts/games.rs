//! The logs and records of tables, which name their players.

use std::collections::BTreeSet;

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use super::super::subject::SubjectIndex;
use crate::repository::quarantine::catch_panic;
use crate::repository::{Failure, LogReplacement, PANICKED, Repository, keys, report_kept_log};
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_store::{Space, StoreRow};
use caravanserai_table::account_deletion::LeavingPerson;
use caravanserai_table::archive;

/// The most tables that are read at once.
const TABLES_PER_PAGE: usize = 20;

/// The most records in an export, those of the latest games.
const EXPORTED_GAMES_MAX: usize = 2_000;

/// The most bytes of the records in an export.
const EXPORTED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The tables that have a log, and those that have a record.
pub(super) struct Games;

/// The lists of tables that a pass reads, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableList {
    /// Tables with a log: they come first, because a log may become a record meanwhile.
    Logs,
    /// Tables with a record.
    Records,
    /// Tables whose record has become a log again: that may have been after the logs were read, and
    /// before the records were.
    RestoredLogs,
}

/// How far a pass over all tables has come.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GamesProgress {
    list: TableList,
    /// The key of the last table.
    after: String,
}

/// Tables with their lines.
type TableLogs = Vec<(TableId, Vec<String>)>;

impl GamesProgress {
    /// The beginning of a list.
    fn at(list: TableList) -> Self {
        GamesProgress { list, after: String::new() }
    }

    fn parse(text: &str) -> Self {
        let list = match text.get(..2) {
            Some("h-") => TableList::Logs,
            Some("a-") => TableList::Records,
            Some("r-") => TableList::RestoredLogs,
            // Also of an earlier version, for which a game was open: it looked at all tables again.
            Some(_) | None => return GamesProgress::at(TableList::Logs),
        };
        GamesProgress { list, after: text.get(2..).unwrap_or_default().to_owned() }
    }

    fn encode(&self) -> String {
        let list = match self.list {
            TableList::Logs => "h-",
            TableList::Records => "a-",
            TableList::RestoredLogs => "r-",
        };
        format!("{list}{}", self.after)
    }

    /// Where the next page begins, after a page that ended with this key; `None` at the end.
    fn next(&self, last: Option<String>) -> Option<Self> {
        match (last, self.list) {
            (Some(after), list) => Some(GamesProgress { list, after }),
            (None, TableList::Logs) => Some(GamesProgress::at(TableList::Records)),
            (None, TableList::Records) => Some(GamesProgress::at(TableList::RestoredLogs)),
            (None, TableList::RestoredLogs) => None,
        }
    }

    /// Reads the next tables of the list. Returns the last key, too.
    async fn read_page(
        &self,
        repository: &Repository,
    ) -> Result<(TableLogs, Option<String>), Failure> {
        let (space, prefix) = match self.list {
            TableList::Logs => (Space::Head, ""),
            TableList::Records => (Space::Archive, ""),
            TableList::RestoredLogs => (Space::Meta, keys::RESTORED_LOG_PREFIX),
        };
        let rows = repository.read_rows_after(space, prefix, &self.after, TABLES_PER_PAGE).await?;
        let ids = rows.iter().map(|(key, _)| TableId(keys::last_part(key).to_owned()));
        let logs = match self.list {
            TableList::Logs | TableList::RestoredLogs => {
                repository.read_readable_logs(ids.collect(), report_kept_log).await?
            }
            TableList::Records => ids.zip(&rows).filter_map(unpack_row).collect(),
        };
        Ok((logs, rows.into_iter().last().map(|(key, _)| key)))
    }
}

/// The lines of a record. One that cannot be read stays as it is and is reported.
fn unpack_row((id, (_, record)): (TableId, &StoreRow)) -> Option<(TableId, Vec<String>)> {
    match archive::unpack(record) {
        Ok(lines) => Some((id, lines)),
        Err(why) => {
            report_kept_log(&id, &why);
            None
        }
    }
}

#[async_trait]
impl PersonalDataPart for Games {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] =
            &[KeyFamily::all(Space::Head), KeyFamily::all(Space::Archive)];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-games"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        let games = source.history.len();
        let mut files = 0_i64;
        let mut bytes = 0;
        let mut is_cut = games > EXPORTED_GAMES_MAX;
        for entry in source.history.iter().take(EXPORTED_GAMES_MAX) {
            // A game that cannot be read, or makes the code panic, is reported when it is used.
            let loaded = catch_panic(source.repository.load_table(&entry.table)).await;
            let Some(Ok(Some(table))) = loaded else { continue };
            // Hands of running games stay secret.
            let Some(text) = (!table.is_open()).then(|| table.write_record()).flatten() else {
                continue;
            };
            bytes += text.len();
            if bytes > EXPORTED_BYTES_MAX {
                is_cut = true;
                break;
            }
            files += 1;
            export.add_file(format!("games/{}-{}.txt", entry.game, entry.table.0), text);
            // Writing many records takes time, and presses must not wait for all of them.
            tokio::task::yield_now().await;
        }
        export.add("game_files", json!({ "files": files, "games": games }));
        if is_cut {
            let note = Text::new("answer-data-games-cut");
            export.add_note(note.with("files", files).with("games", games as i64));
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        let progress = GamesProgress::parse(after);
        let (logs, last) = progress.read_page(job.repository).await?;
        for (id, lines) in logs {
            for person in job.people.named_in(&lines) {
                leave_and_replace(job, person, &id, Some(&lines)).await?;
            }
            // Presses must not wait for a whole page.
            tokio::task::yield_now().await;
        }
        Ok(progress.next(last).map_or(PageEnd::Done, |it| PageEnd::More(it.encode())))
    }
}

/// Looks again at tables for which the deletion of a person waits. Those for which it still waits
/// are noted in the job.
///
/// # Errors
/// When the store fails.
pub async fn retry_tables(
    job: &DeletionJob<'_>,
    person: SubjectIndex,
    tables: &BTreeSet<TableId>,
) -> Result<(), Failure> {
    for id in tables {
        leave_and_replace(job, person, id, None).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

/// Makes a person leave a table for good, if it is open, and replaces them in its log. A table that
/// cannot be read, or that makes the code panic, stays as it is and is reported: the other tables
/// come all the same. `lines`: the log as it was read, which may not name the person.
async fn leave_and_replace(
    job: &DeletionJob<'_>,
    person: SubjectIndex,
    id: &TableId,
    lines: Option<&[String]>,
) -> Result<(), Failure> {
    match catch_panic(try_to_leave_and_replace(job, person, id, lines)).await {
        Some(Ok(LogReplacement::StillOpen)) => job.wait_for_table(person, id),
        Some(Ok(LogReplacement::NotNamed | LogReplacement::Replaced | LogReplacement::Kept)) => {}
        Some(Err(Failure::Damaged(_, why))) => report_kept_log(id, &why),
        Some(Err(failure)) => return Err(failure),
        None => report_kept_log(id, PANICKED),
    }
    Ok(())
}

/// The players of an open table whose deletion has begun.
async fn people_being_deleted(
    repository: &Repository,
    id: &TableId,
) -> Result<BTreeSet<PersonId>, Failure> {
    let Some(table) = repository.load_table(id).await?.filter(|it| it.is_open()) else {
        return Ok(BTreeSet::new());
    };
    if table.is_frozen() {
        tracing::warn!(table = id.0, "a deletion waits for a frozen table: repair or close it");
    }
    let mut found = BTreeSet::new();
    for person in table.seating.people() {
        if repository.deletion_not_begun_condition(person).await?.is_none() {
            found.insert(person.clone());
        }
    }
    Ok(found)
}

async fn try_to_leave_and_replace(
    job: &DeletionJob<'_>,
    person: SubjectIndex,
    id: &TableId,
    lines: Option<&[String]>,
) -> Result<LogReplacement, Failure> {
    let subject = &job.people.subjects()[person];
    let replacement = subject.replacement();
    if let Some(lines) = lines {
        let replaced = replacement.replace_in_log(lines);
        if replaced.map_err(|why| Failure::Damaged(id.clone(), why))?.is_none() {
            return Ok(LogReplacement::NotNamed);
        }
    }
    let leaving_too = people_being_deleted(job.repository, id).await?;
    for account in subject.accounts.keys() {
        let usernames = &subject.usernames;
        let leaving = LeavingPerson { account, usernames, leaving_too: &leaving_too };
        job.repository.external_events().leave_for_good(id, leaving).await?;
    }
    job.repository.replace_people_in_log(id, &replacement).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_reads_three_lists_from_any_table_on() {
        let mut progress = GamesProgress::parse("");
        let mut lists = Vec::new();
        for last in [Some("7k3fx"), None, None, Some("restored 7k3fx")] {
            progress = progress.next(last.map(str::to_owned)).expect("a list is left");
            assert_eq!(GamesProgress::parse(&progress.encode()), progress);
            lists.push((progress.list, progress.after.clone()));
        }
        let wanted = [
            (TableList::Logs, "7k3fx"),
            (TableList::Records, ""),
            (TableList::RestoredLogs, ""),
            (TableList::RestoredLogs, "restored 7k3fx"),
        ];
        assert_eq!(lists, wanted.map(|(list, after)| (list, after.to_owned())));
        assert_eq!(progress.next(None), None);
    }

    #[test]
    fn progress_of_an_earlier_version_that_waited_for_a_game_begins_again() {
        assert_eq!(GamesProgress::parse("a!7k3fx"), GamesProgress::parse(""));
        assert_eq!(GamesProgress::parse("h-7k3fx").after, "7k3fx");
    }
}
