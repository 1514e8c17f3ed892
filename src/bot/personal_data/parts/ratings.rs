//! Ratings, lists and histories, which are computed from the results.

use std::collections::BTreeSet;

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use super::super::subject::DeletionSubject;
use crate::repository::stored_rows::parse_json_or_default;
use crate::repository::{Failure, MINUTE_MS};
use crate::results::row_formats::{
    self, ProjectionState, RecordId, StoredRecord, recompute_request,
};
use caravanserai_games::GameId;
use caravanserai_games::ids::PersonId;
use caravanserai_results::{ChoiceStatistics, RatingList, RatingScope};
use caravanserai_store::{Commit, Put, Space, StoreQuery};

/// The most rows that are read at once.
const ROWS_PER_PAGE: usize = 500;

/// The interval at which a deletion looks again whether ratings were computed again, in
/// milliseconds.
const REBUILD_RETRY_MS: u64 = MINUTE_MS;

/// The rows that the projector computes. A deletion waits until they were computed again from the
/// replaced results, and then removes those that no result supports: the history of the person.
pub(super) struct Ratings;

#[async_trait]
impl PersonalDataPart for Ratings {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[
            KeyFamily::prefix(Space::Rating, row_formats::RECORDS_PREFIX),
            KeyFamily::prefix(Space::Rating, "old "),
            KeyFamily::prefix(Space::Rating, "top "),
            KeyFamily::prefix(Space::Rating, "game "),
            KeyFamily::prefix(Space::Rating, "change "),
        ];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-ratings"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        let results = source.repository.results();
        for (list, stored) in results.records(&RatingScope::OVERALL, source.person).await? {
            let record = json!({
                "list": list.code(),
                "rating": stored.record.displayed_rating(),
                "record": stored.record,
                "favourites": favourites(&list, &stored),
            });
            export.add("ratings", record);
        }
        for scope in scopes_of_games(source) {
            export_scope(source, &scope, export).await?;
            // Reading many scopes takes time, and presses must not wait for all of them.
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        if after.is_empty() && is_rebuilding(job).await? {
            return Ok(PageEnd::Wait { after: String::new(), for_ms: REBUILD_RETRY_MS });
        }
        let space = Space::Rating;
        let found = job.repository.read_rows_after(space, "", after, ROWS_PER_PAGE).await?;
        let own = found.iter().filter(|(key, _)| job.people.is_in_key(key));
        let puts: Vec<Put> = own.map(|(key, _)| Put::remove(Space::Rating, key.clone())).collect();
        // Without conditions: nothing writes rows of ids that no result names.
        let commit = Commit::from_puts(puts);
        job.commit_page(commit, after, PageEnd::after_rows(&found)).await
    }
}

/// The ways to play that the person chose, with their names: the record has numbers for them.
fn favourites(list: &RatingList, stored: &StoredRecord) -> Vec<serde_json::Value> {
    let groups = GameId::from_code(list.game()).map(|it| it.play_choices()).unwrap_or_default();
    let chosen = groups.iter().flat_map(|it| stored.record.chosen_of(it.choices));
    let item = |it: ChoiceStatistics| {
        let ChoiceStatistics { choice, count, successes } = it;
        json!({ "way": choice.count, "count": count, "successes": successes })
    };
    chosen.map(item).collect()
}

/// The scopes that count the games of the person.
fn scopes_of_games(source: &ExportSource<'_>) -> BTreeSet<RatingScope> {
    let games = source.history.iter();
    let of_games = games.flat_map(|it| RatingScope::all_of(&it.chat, it.ended_ms));
    of_games.chain([RatingScope::OVERALL]).collect()
}

/// Adds the records of the person in one scope: the current ones, unless it is that of all games,
/// and those at the ends of earlier months.
async fn export_scope(
    source: &ExportSource<'_>,
    scope: &RatingScope,
    export: &mut PersonalExport,
) -> Result<(), Failure> {
    let item = |list: &str, stored: &StoredRecord| {
        json!({
            "chat": scope.chat,
            "month": scope.season.map(|it| it.to_string()),
            "list": list,
            "rating": stored.record.displayed_rating(),
            "record": stored.record,
        })
    };
    for (list, stored) in source.repository.results().records(scope, source.person).await? {
        let list = list.code();
        if *scope != RatingScope::OVERALL {
            export.add("scoped_ratings", item(&list, &stored));
        }
        let scope = scope.clone();
        let person = source.person.clone();
        let prefix = RecordId { scope, list: list.clone(), person }.earlier_prefix();
        for (_, row) in source.repository.read_all_rows(Space::Rating, &prefix).await? {
            let earlier: Option<StoredRecord> = serde_json::from_slice(&row).ok();
            earlier.iter().for_each(|it| export.add("earlier_ratings", item(&list, it)));
        }
    }
    Ok(())
}

/// Whether the ratings that follow from the replaced results are not computed yet.
async fn is_rebuilding(job: &DeletionJob<'_>) -> Result<bool, Failure> {
    let mains = job.people.subjects().iter().filter_map(DeletionSubject::main_replacement);
    let request = |it: &PersonId| StoreQuery::value_of(Space::Meta, recompute_request(&it.0));
    let requests: Vec<StoreQuery> = mains.map(request).collect();
    for request in job.repository.read_many(&requests).await? {
        if request.value()?.is_some() {
            return Ok(true);
        }
    }
    let state = job.repository.read_value(Space::Meta, row_formats::PROJECTION_STATE).await?;
    Ok(parse_json_or_default::<ProjectionState>(state).rebuild.is_some())
}
