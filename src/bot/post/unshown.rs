//! Hands that could not be shown to their players. The board asks these players to press the button
//! that shows them their hand.

use std::collections::HashSet;
use std::sync::Mutex;

use super::boards::Sending;
use super::budget::is_free;
use crate::ledger::Failure;
use crate::ledger::rows::BoardTask;
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::hands::{self, Means};
use caravanserai_protocol::present;
use caravanserai_table::fold::Table;

/// The most entries in memory; those that are forgotten are found again at the next move.
const KNOWN_MAX: usize = 4_096;

/// The slots whose message did not reach their person.
#[derive(Default)]
pub(super) struct UnshownHands(Mutex<HashSet<(String, PersonId)>>);

impl UnshownHands {
    /// Adds a hand that could not be shown; whether it is new.
    pub(super) fn failed(&self, slot: &str, person: &PersonId) -> bool {
        let mut known = self.0.lock().expect("nothing panics while holding this lock");
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert((slot.to_owned(), person.clone()))
    }

    /// Removes a hand that its player sees now.
    pub(super) fn shown(&self, slot: &str, person: &PersonId) {
        let mut known = self.0.lock().expect("nothing panics while holding this lock");
        known.remove(&(slot.to_owned(), person.clone()));
    }

    fn seats(&self, table: &Table, place: &PlaceId) -> Vec<u8> {
        let slot = hands::slot(table);
        let known = self.0.lock().expect("nothing panics while holding this lock");
        let unshown = |seat: &u8| {
            let person = table.occupant(*seat).map(|it| it.person.clone());
            table.hand_place(*seat) == Some(place)
                && person.is_some_and(|it| known.contains(&(slot.clone(), it)))
        };
        (0..table.setup.seats).filter(unshown).collect()
    }
}

impl Sending<'_> {
    /// The line of the board for players whose hands could not be shown here.
    pub(super) fn unshown(&self, table: &Table) -> Option<Text> {
        let seats = match hands::are_dealt(table) {
            true => self.post.unshown.seats(table, self.place),
            false => Vec::new(),
        };
        let names = Arg::Names(seats.iter().map(|it| Arg::Seat(*it)).collect());
        let text = Text::new("hand-not-shown").with("names", names);
        (!seats.is_empty()).then(|| present::seated(table, text))
    }

    /// Handles a hand that could not be shown: the board names the player where hands usually come
    /// by themselves. It is updated at once if the chat has no call limit.
    pub(super) async fn hand_failed(
        &self,
        table: &Table,
        slot: &str,
        person: &PersonId,
    ) -> Result<(), Failure> {
        let is_usual = self.post.means(self.place) == Means::Buttons;
        if !is_usual || !hands::are_dealt(table) || !self.post.unshown.failed(slot, person) {
            return Ok(());
        }
        if is_free(self.platform.calls_per_minute(self.place)) {
            let again = BoardTask::default().put(table, self.place);
            self.post.ledger.keep(vec![again]).await?;
            self.post.wake(self.place);
        }
        Ok(())
    }
}
