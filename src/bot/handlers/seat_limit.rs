//! Limits how many open tables a person may sit at.

use super::Handlers;
use super::context::RequestContext;
use crate::repository::Failure;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_store::{Space, StoreQuery};
use caravanserai_table::{Decision, Table};

impl Handlers {
    /// The refusal if a decision gives a new seat to a person who sits at too many open tables.
    /// `before`: the table before the decision.
    pub(crate) async fn seat_limit_refusal(
        &self,
        visit: &RequestContext<'_>,
        before: &Table,
        decision: &Decision,
    ) -> Result<Option<Text>, Failure> {
        let next = &decision.table;
        // A rematch seats all of them at a new table.
        let sat = |who: &PersonId| !decision.opens_rematch && before.people().contains(&who);
        let mut seated = Vec::new();
        for seat in 0..next.setup.seats {
            let Some(occupant) = next.occupant(seat).filter(|it| !it.is_computer()) else {
                continue;
            };
            if !sat(&occupant.person) {
                seated.push((&occupant.person, &*occupant.name));
            }
        }
        self.people_limit_refusal(visit, &seated).await
    }

    /// The refusal if one of these people, with their names, sits at too many open tables. Tables
    /// of linked accounts count for the person.
    pub(crate) async fn people_limit_refusal(
        &self,
        visit: &RequestContext<'_>,
        people: &[(&PersonId, &str)],
    ) -> Result<Option<Text>, Failure> {
        if people.is_empty() {
            return Ok(None);
        }
        let most = self.repository.limits().tables_per_person;
        let of = |(who, _): &(&PersonId, &str)| {
            StoreQuery::scan(Space::PersonTable, format!("{} ", who.0), most)
        };
        let reads: Vec<StoreQuery> = people.iter().map(of).collect();
        let found = self.repository.read_many(&reads).await?;
        for ((who, name), found) in people.iter().zip(found) {
            if found.rows()?.len() < most {
                continue;
            }
            let text = match **who == visit.update.person.id {
                true => Text::new("refuse-too-many-tables"),
                false => Text::new("refuse-too-many-tables-of").with("name", *name),
            };
            return Ok(Some(text.with("count", most as i64)));
        }
        Ok(None)
    }
}
