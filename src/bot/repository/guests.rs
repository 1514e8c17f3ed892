//! Marks guests at tables: people of a platform where anybody can get accounts, who have linked no
//! other account and have finished no game, or the first one less than a day ago.
//!
//! The table records it in its log when the person takes a seat before the start, so that everybody
//! knows before the game that it does not count, and a rebuild of the ratings gives the same.

use super::unit_of_work::TableChange;
use super::{DAY_MS, Failure, Repository};
use caravanserai_games::ids::PersonId;
use caravanserai_results::RatingScope;
use caravanserai_table::guest_marks::add_guests;

/// How long after the end of their first game a person is a guest, in milliseconds.
const GUEST_MS: u64 = DAY_MS;

impl Repository {
    /// Makes people of this platform guests as long as they have no history.
    pub fn add_guest_platform(&self, name: &str) {
        self.guest_platforms.write().insert(name.to_owned());
    }

    /// Adds to each decision which of the people who get a seat by it, before the game or with its
    /// start, are guests.
    ///
    /// # Errors
    /// When the store cannot be read. Nothing is written then.
    pub(super) async fn add_guests<'a>(
        &self,
        changes: Vec<TableChange<'a>>,
    ) -> Result<Vec<TableChange<'a>>, Failure> {
        let mut checked = Vec::with_capacity(changes.len());
        for mut change in changes {
            let mut guests = Vec::new();
            for person in change.newly_seated_before_start() {
                if self.is_guest(&person).await? {
                    guests.push(person);
                }
            }
            if !guests.is_empty() {
                change.decision = add_guests(change.decision, guests);
            }
            checked.push(change);
        }
        Ok(checked)
    }

    async fn is_guest(&self, person: &PersonId) -> Result<bool, Failure> {
        if !self.guest_platforms.read().contains(person.platform()) {
            return Ok(false);
        }
        if !self.profiles().load_person(person).await?.accounts.is_empty() {
            return Ok(false);
        }
        let records = self.results().records(&RatingScope::OVERALL, person).await?;
        let first = records.iter().map(|(_, it)| it.record.first_ms).filter(|it| *it > 0).min();
        let known_ms = first.map_or(0, |it| self.now_ms().saturating_sub(it));
        Ok(known_ms < GUEST_MS)
    }
}
