//! Records at tables which of their players take a break from rated games.
//!
//! The pause follows from the results of earlier games, see
//! [`pause_after`](caravanserai_results::abuse_checks::pause_after). The table records it in its
//! log when the person takes a seat before the start and when the game starts, so that everybody
//! knows before the game that it does not count, and a rebuild of the ratings gives the same.

use std::collections::BTreeMap;

use super::unit_of_work::TableChange;
use super::{Failure, Repository};
use crate::results::queries::all_lists;
use crate::results::row_formats::{RecordId, StoredRecord};
use caravanserai_games::ids::PersonId;
use caravanserai_results::RatingScope;
use caravanserai_store::{Space, StoreQuery};
use caravanserai_table::rated_games::add_rating_pauses;

impl Repository {
    /// Adds to each decision the pauses of the people who get a seat by it, or whose game starts.
    ///
    /// # Errors
    /// When the store cannot be read. Nothing is written then.
    pub(super) async fn add_rating_pauses<'a>(
        &self,
        changes: Vec<TableChange<'a>>,
    ) -> Result<Vec<TableChange<'a>>, Failure> {
        let mut checked = Vec::with_capacity(changes.len());
        for mut change in changes {
            let people = change.people_before_start();
            let pauses = self.rating_pauses(&people).await?;
            change.decision = add_rating_pauses(change.decision, pauses);
            checked.push(change);
        }
        Ok(checked)
    }

    /// Those of these people whose games do not count for ratings now, and until when, in
    /// milliseconds since 1970. A pause because of one game is valid for all games.
    async fn rating_pauses(&self, people: &[PersonId]) -> Result<Vec<(PersonId, u64)>, Failure> {
        if people.is_empty() {
            return Ok(Vec::new());
        }
        let lists = all_lists();
        let queries: Vec<StoreQuery> = people
            .iter()
            .flat_map(|person| lists.iter().map(move |list| (person, list)))
            .map(|(person, list)| {
                let scope = RatingScope::OVERALL;
                let list = list.code();
                let person = person.clone();
                StoreQuery::value_of(Space::Rating, RecordId { scope, list, person }.current())
            })
            .collect();
        let now_ms = self.now_ms();
        let mut pauses: BTreeMap<PersonId, u64> = BTreeMap::new();
        for (n, answer) in self.read_many(&queries).await?.into_iter().enumerate() {
            let stored = answer.value()?.and_then(|it| serde_json::from_slice(&it).ok());
            let pause = stored.and_then(|it: StoredRecord| it.record.pause);
            if let Some(pause) = pause.filter(|it| it.until_ms > now_ms) {
                let until_ms = pauses.entry(people[n / lists.len()].clone()).or_default();
                *until_ms = pause.until_ms.max(*until_ms);
            }
        }
        Ok(pauses.into_iter().collect())
    }
}
