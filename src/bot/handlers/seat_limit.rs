//! Limits how many open tables a person may sit at.

use super::Handlers;
use super::context::RequestContext;
use crate::repository::Failure;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_store::{Space, StoreQuery};
use caravanserai_table::{Decision, Table};

impl Handlers {
    /// The refusal if a decision gives a new seat to a person who has seats at too many open
    /// tables. `before`: the table before the decision.
    pub(crate) async fn seat_limit_refusal(
        &self,
        context: &RequestContext<'_>,
        before: &Table,
        decision: &Decision,
    ) -> Result<Option<Text>, Failure> {
        let next = &decision.table;
        // A rematch seats all players at a new table.
        let was_seated =
            |person: &PersonId| !decision.opens_rematch && before.people().contains(&person);
        let mut new_players = Vec::new();
        for seat in 0..next.setup.seats {
            let Some(occupant) = next.occupant(seat).filter(|it| !it.is_computer()) else {
                continue;
            };
            if !was_seated(&occupant.person) {
                new_players.push((&occupant.person, &*occupant.name));
            }
        }
        self.people_limit_refusal(context, &new_players).await
    }

    /// The refusal if one of these people, given with their names, has seats at too many open
    /// tables. Tables of linked accounts count for the person.
    pub(crate) async fn people_limit_refusal(
        &self,
        context: &RequestContext<'_>,
        people: &[(&PersonId, &str)],
    ) -> Result<Option<Text>, Failure> {
        if people.is_empty() {
            return Ok(None);
        }
        let most = self.repository.limits().tables_per_person;
        let tables_query = |(person, _): &(&PersonId, &str)| {
            StoreQuery::scan(Space::PersonTable, format!("{} ", person.0), most)
        };
        let reads: Vec<StoreQuery> = people.iter().map(tables_query).collect();
        let found = self.repository.read_many(&reads).await?;
        for ((person, name), found) in people.iter().zip(found) {
            if found.rows()?.len() < most {
                continue;
            }
            let text = match **person == context.update.person.id {
                true => Text::new("refuse-too-many-tables"),
                false => Text::new("refuse-too-many-tables-of").with("name", *name),
            };
            return Ok(Some(text.with("count", most as i64)));
        }
        Ok(None)
    }
}
