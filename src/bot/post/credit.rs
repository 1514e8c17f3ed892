//! What it takes until a board is shown is not the time of whoever is on turn.

use std::sync::Arc;

use super::Post;
use super::leases::Shown;
use crate::ledger::rows::BoardState;
use crate::ledger::{Deed, Entered, Failure};
use caravanserai_games::ids::PlaceId;
use caravanserai_store::Commit;
use caravanserai_table::fold::Table;
use caravanserai_table::{Stamp, clock};

/// The shortest and the longest time before a board that cannot be shown now is retried, in
/// milliseconds: each attempt gives time back by a line of the log.
const LOOK_MS: (u64, u64) = (2_000, 30_000);

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

    /// The time before a board that cannot be shown now is retried, in milliseconds; `None` if no
    /// time is given back for it.
    pub(super) fn retry_unshown_ms(&self, place: &PlaceId, shown: &Shown) -> Option<u64> {
        let Shown { table, before, .. } = shown;
        let running = table.running().filter(|_| self.is_awaited(table, place, before))?;
        clock::credit(table, u64::MAX, stamp(0))?;
        let left_ms = running.until_ms.saturating_sub(self.ledger.now_ms());
        // The retry must come before the clock runs out.
        Some((left_ms / 2).clamp(LOOK_MS.0, LOOK_MS.1))
    }

    /// How long the board of this turn is awaited where the one on turn is; 0 elsewhere, and
    /// where it was shown.
    fn late_ms(&self, table: &Table, place: &PlaceId, state: &BoardState) -> u64 {
        let Some(running) = table.running() else { return 0 };
        match self.is_awaited(table, place, state) {
            true => self.ledger.now_ms().saturating_sub(running.from_ms),
            false => 0,
        }
    }

    /// Whether the player to move is here and has not seen the board of this turn yet.
    fn is_awaited(&self, table: &Table, place: &PlaceId, state: &BoardState) -> bool {
        let Some(running) = table.running() else { return false };
        let person = table.occupant(running.turn.0).map(|it| &it.person);
        let here = person.and_then(|it| table.place_of(it)) == Some(place);
        // A place that a table is brought to in the middle of a turn shows what was seen before.
        let stood = state.message.is_some() || place == table.home();
        here && stood && state.shown < running.version
    }
}

fn stamp(at_ms: u64) -> Stamp {
    Stamp::at(at_ms, clock::SHOWN)
}
