//! The results of finished games, from which ratings are computed.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use super::super::subject::DeletedPeople;
use crate::repository::Failure;
use crate::repository::stored_rows::put_json;
use crate::results::row_formats::{HistoryEntry, HistoryPlayer, recompute_request};
use caravanserai_games::ids::{DELETED_NAME, PersonId};
use caravanserai_results::GameResult;
use caravanserai_store::{Commit, Expect, Put, Space};

/// The most results that are read at once.
const RESULTS_PER_PAGE: usize = 200;

/// The results. A deletion replaces the id and the name, one to one, so that the others keep their
/// ratings; then everything that is computed from the results is computed again.
pub(super) struct Results;

#[async_trait]
impl PersonalDataPart for Results {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[KeyFamily::all(Space::Result)];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-results"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        for entry in &source.history {
            export.add("games", exported_game(entry));
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        let space = Space::Result;
        let rows = job.repository.read_rows_after(space, "", after, RESULTS_PER_PAGE).await?;
        let mut commit = Commit::default();
        let mut first_ms: BTreeMap<PersonId, u64> = BTreeMap::new();
        for (key, value) in &rows {
            // A result that cannot be read is reported when it is folded.
            let Ok(mut result) = GameResult::parse(value) else { continue };
            let replaced = replace_people(&mut result, job.people);
            if !replaced.is_empty() {
                commit.expect.push(Expect::equals(Space::Result, key.clone(), value.clone()));
                commit.puts.push(Put::new(Space::Result, key.clone(), result.encode()));
            }
            for person in replaced {
                let first = first_ms.entry(person).or_insert(result.ended_ms);
                *first = result.ended_ms.min(*first);
            }
        }
        for (person, first_ms) in first_ms {
            // The same commit requests new ratings: a page that is repeated finds nothing more.
            let key = recompute_request(&person.0);
            let stored = job.repository.read_value(Space::Meta, &key).await?;
            let known_ms = stored.as_ref().and_then(|it| serde_json::from_slice(it).ok());
            let first_ms = known_ms.map_or(first_ms, |known_ms: u64| known_ms.min(first_ms));
            commit.expect.push(Expect { space: Space::Meta, key: key.clone(), value: stored });
            commit.puts.push(put_json(Space::Meta, key, &first_ms));
        }
        job.commit_page(commit, after, PageEnd::after_rows(&rows)).await
    }
}

/// Replaces people in a result. Returns the ids that replace the main accounts of those whom it
/// named.
fn replace_people(result: &mut GameResult, people: &DeletedPeople) -> BTreeSet<PersonId> {
    let mut named = BTreeSet::new();
    let mut replace = |person: &mut PersonId, name: &mut String| {
        if let Some(replacement) = people.replacement_of(person) {
            named.extend(people.main_replacement_of(person).cloned());
            person.clone_from(replacement);
            DELETED_NAME.clone_into(name);
        }
    };
    result.seats.iter_mut().for_each(|it| replace(&mut it.person, &mut it.name));
    result.leavers.iter_mut().for_each(|it| replace(&mut it.person, &mut it.name));
    // Earlier versions named the private chat of a player to whom the board of a group had gone: on
    // Telegram it has the id of its person.
    if people.replacement_of(&PersonId(result.chat.clone())).is_some() {
        result.chat.clear();
    }
    named
}

/// A game in an export: of the others only the names that were displayed.
fn exported_game(entry: &HistoryEntry) -> serde_json::Value {
    let player =
        |it: &HistoryPlayer| json!({ "name": it.name, "computer": it.level, "score": it.score });
    json!({
        "table": entry.table,
        "game": entry.game,
        "list": entry.list,
        "ended_ms": entry.ended_ms,
        "chat": entry.chat,
        "seat": entry.seat,
        "outcome": entry.outcome,
        "players": entry.players.iter().map(player).collect::<Vec<_>>(),
        "rating": entry.rating,
        "casual": entry.casual,
        "options": entry.options,
        "clock": entry.clock,
    })
}
