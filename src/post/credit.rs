//! What it takes until a board is shown is not the time of whoever is on turn.

use std::sync::Arc;

use super::Post;
use crate::ids::PlaceId;
use crate::ledger::rows::BoardState;
use crate::ledger::{Deed, Entered, Failure};
use crate::store::Commit;
use crate::table::fold::Table;
use crate::table::{Stamp, clock};

impl Post {
    /// A board is about to be shown in a place. If that is where the one on turn is, and the
    /// board of this turn was not shown there yet, they get back what it took: see
    /// [`clock::credit`]. Gives the table as it is then.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn credited(
        &self,
        table: Arc<Table>,
        place: &PlaceId,
        state: &BoardState,
    ) -> Result<Arc<Table>, Failure> {
        if clock::credit(&table, self.late_ms(&table, place, state), stamp(0)).is_none() {
            return Ok(table);
        }
        let Some(mut held) = self.ledger.hold(&table.id).await? else { return Ok(table) };
        let table = held.table().clone();
        let late_ms = self.late_ms(&table, place, state);
        let Some(decision) = clock::credit(&table, late_ms, stamp(self.ledger.now_ms())) else {
            return Ok(table);
        };
        let deed = Deed { held: &mut held, decision, answered: None };
        match self.ledger.enter(vec![deed], Commit::default()).await? {
            Entered::Done => Ok(held.table().clone()),
            // Somebody acts at this very moment: another board follows.
            Entered::Conflict => Ok(table),
        }
    }

    /// How long the board of this turn is awaited where the one on turn is; 0 elsewhere, and
    /// where it was shown.
    fn late_ms(&self, table: &Table, place: &PlaceId, state: &BoardState) -> u64 {
        let Some(running) = table.running() else { return 0 };
        let person = table.occupant(running.turn.0).map(|it| &it.person);
        let here = person.and_then(|it| table.place_of(it)) == Some(place);
        // A place that a table is brought to in the middle of a turn shows what was seen before.
        let stood = state.message.is_some() || place == table.home();
        if here && stood && state.shown < running.version {
            self.ledger.now_ms().saturating_sub(running.from_ms)
        } else {
            0
        }
    }
}

fn stamp(at_ms: u64) -> Stamp {
    Stamp { at_ms, cause: clock::SHOWN.to_owned() }
}
