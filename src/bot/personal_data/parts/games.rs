//! The logs and records of tables, which name their players.

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::repository::{Failure, LogReplacement, report_kept_log};
use caravanserai_games::ids::TableId;
use caravanserai_games::text::Text;
use caravanserai_store::Space;
use caravanserai_table::account_deletion::LeavingPerson;
use caravanserai_table::identity_replacement::IdentityReplacement;

/// The most tables that are read at once.
const TABLES_PER_PAGE: usize = 20;

/// The most records in an export, those of the latest games.
const EXPORTED_GAMES_MAX: usize = 2_000;

/// The most bytes of the records in an export.
const EXPORTED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The interval at which a deletion looks again whether the last games of the person have ended, in
/// milliseconds.
const OPEN_GAMES_RETRY_MS: u64 = 10 * 60_000;

/// The tables that have a log, and those that have a record.
pub(super) struct Games;

/// How far a deletion has come.
struct GamesProgress {
    /// The list: tables with a log come first, because a log may become a record meanwhile.
    space: Space,
    /// Whether a game of the person is still running.
    has_open: bool,
    /// The last table.
    after: String,
}

impl GamesProgress {
    fn parse(text: &str) -> Self {
        let mut letters = text.chars();
        let space = match letters.next() {
            Some('a') => Space::Archive,
            _ => Space::Head,
        };
        let has_open = letters.next() == Some('!');
        GamesProgress { space, has_open, after: letters.collect() }
    }

    fn encode(&self) -> String {
        let list = if self.space == Space::Archive { 'a' } else { 'h' };
        format!("{list}{}{}", if self.has_open { '!' } else { '-' }, self.after)
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
        let (mut files, mut bytes, mut is_cut) = (0_i64, 0, games > EXPORTED_GAMES_MAX);
        for entry in source.history.iter().take(EXPORTED_GAMES_MAX) {
            // A game that cannot be read is reported when it is used.
            let Ok(Some(table)) = source.repository.load_table(&entry.table).await else {
                continue;
            };
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
        let mut progress = GamesProgress::parse(after);
        let (space, from) = (progress.space, &progress.after);
        let rows = job.repository.read_rows_after(space, "", from, TABLES_PER_PAGE).await?;
        let replacement = job.subject.replacement();
        for (key, _) in &rows {
            let id = TableId(key.clone());
            let outcome = leave_and_replace(job, &id, &replacement).await?;
            progress.has_open |= outcome == LogReplacement::StillOpen;
            // Presses must not wait for a whole page.
            tokio::task::yield_now().await;
        }
        if let Some((last, _)) = rows.last() {
            progress.after.clone_from(last);
            return Ok(PageEnd::More(progress.encode()));
        }
        Ok(match (progress.space, progress.has_open) {
            (Space::Head, true) => {
                PageEnd::Wait { after: String::new(), for_ms: OPEN_GAMES_RETRY_MS }
            }
            (Space::Head, false) => {
                let first =
                    GamesProgress { space: Space::Archive, has_open: false, after: String::new() };
                PageEnd::More(first.encode())
            }
            _ => PageEnd::Done,
        })
    }
}

/// Makes the person leave a table for good, if it is open, and replaces them in its log.
async fn leave_and_replace(
    job: &DeletionJob<'_>,
    id: &TableId,
    replacement: &IdentityReplacement,
) -> Result<LogReplacement, Failure> {
    match try_to_leave_and_replace(job, id, replacement).await {
        Err(Failure::Damaged(_, why)) => {
            report_kept_log(id, &why);
            Ok(LogReplacement::Kept)
        }
        outcome => outcome,
    }
}

async fn try_to_leave_and_replace(
    job: &DeletionJob<'_>,
    id: &TableId,
    replacement: &IdentityReplacement,
) -> Result<LogReplacement, Failure> {
    let lines = job.repository.load_log_lines(id).await?;
    let replaced = replacement.replace_in_log(&lines);
    if replaced.map_err(|why| Failure::Damaged(id.clone(), why))?.is_none() {
        return Ok(LogReplacement::NotNamed);
    }
    for account in job.subject.accounts.keys() {
        let leaving = LeavingPerson { account, usernames: &job.subject.usernames };
        job.repository.external_events().leave_for_good(id, leaving).await?;
    }
    job.repository.replace_people_in_log(id, replacement).await
}
