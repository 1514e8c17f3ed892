//! How many open tables people may sit at: whoever would take another seat is refused.

use super::Desk;
use super::visit::Visit;
use crate::ids::PersonId;
use crate::ledger::Failure;
use crate::store::{Read, Space};
use crate::table::{Decision, Table};
use crate::words::Text;

impl Desk {
    /// Why nobody may be seated by what was decided, if so: whoever takes a seat by it that they do
    /// not have already is at too many open tables. `before`: the table until then.
    pub(super) async fn too_many_seats(
        &self,
        visit: &Visit<'_>,
        before: &Table,
        decision: &Decision,
    ) -> Result<Option<Text>, Failure> {
        let next = &decision.next;
        // A rematch seats all of them at a new table.
        let sat = |who: &PersonId| !decision.rematch && before.people().contains(&who);
        let mut seated = Vec::new();
        for seat in 0..next.setup.seats {
            let Some(occupant) = next.occupant(seat).filter(|it| !it.is_computer()) else {
                continue;
            };
            if !sat(&occupant.person) {
                seated.push((&occupant.person, &*occupant.name));
            }
        }
        self.at_too_many(visit, &seated).await
    }

    /// Why these people, with their names, cannot be seated, if one of them is at too many open
    /// tables. Linked accounts are one person, at whose tables all of them count.
    pub(super) async fn at_too_many(
        &self,
        visit: &Visit<'_>,
        people: &[(&PersonId, &str)],
    ) -> Result<Option<Text>, Failure> {
        if people.is_empty() {
            return Ok(None);
        }
        let most = self.ledger.limits().tables_per_person;
        let of = |(who, _): &(&PersonId, &str)| {
            Read::scan(Space::PersonTable, format!("{} ", who.0), most)
        };
        let reads: Vec<Read> = people.iter().map(of).collect();
        let found = self.ledger.read(&reads).await?;
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
