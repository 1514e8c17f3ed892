//! Tracks hands that could not be shown to their players. The board asks these players to press the
//! button that shows them their hand.

use std::collections::HashSet;

use parking_lot::Mutex;

use super::board_message::SendContext;
use super::rate_limits::is_unlimited;
use crate::repository::Failure;
use crate::repository::outbox_entry::OutboxEntry;
use crate::views::board_view;
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_table::state::Table;

/// The most entries in memory. Dropped entries are found again at the next move.
const FAILED_HANDS_MAX: usize = 4_096;

/// The slots whose message did not reach their person.
#[derive(Default)]
pub(super) struct FailedHands(Mutex<HashSet<(String, PersonId)>>);

impl FailedHands {
    /// Adds a hand that could not be shown. Returns whether it is new.
    pub(super) fn record_failure(&self, slot: &str, person: &PersonId) -> bool {
        let mut known = self.0.lock();
        if known.len() >= FAILED_HANDS_MAX {
            known.clear();
        }
        known.insert((slot.to_owned(), person.clone()))
    }

    /// Removes a hand that its player now sees.
    pub(super) fn clear_failure(&self, slot: &str, person: &PersonId) {
        let mut known = self.0.lock();
        known.remove(&(slot.to_owned(), person.clone()));
    }

    fn failed_seats(&self, table: &Table, chat: &ChatId) -> Vec<u8> {
        let slot = hand_views::hand_slot(table);
        let known = self.0.lock();
        let is_unshown = |seat: &u8| {
            let person = table.seating.occupant(*seat).map(|it| it.person.clone());
            table.hand_chat(*seat) == Some(chat)
                && person.is_some_and(|it| known.contains(&(slot.clone(), it)))
        };
        (0..table.setup.seats).filter(is_unshown).collect()
    }
}

impl SendContext<'_> {
    /// The line of the board for players whose hands could not be shown here.
    pub(super) fn failed_hands_text(&self, table: &Table) -> Option<Text> {
        let seats = match hand_views::has_hands(table) {
            true => self.delivery.failed_hands.failed_seats(table, self.chat),
            false => Vec::new(),
        };
        let names = Arg::Names(seats.iter().map(|it| Arg::Seat(*it)).collect());
        let text = Text::new("hand-not-shown").with("names", names);
        (!seats.is_empty()).then(|| board_view::insert_player_names(table, text))
    }

    /// Handles a hand that could not be shown: if hands are usually sent here, the board names the
    /// player. The board is updated at once if the chat has no call limit.
    pub(super) async fn handle_failed_hand(
        &self,
        table: &Table,
        slot: &str,
        person: &PersonId,
    ) -> Result<(), Failure> {
        let is_usual = self.delivery.hand_delivery(self.chat) == HandDelivery::Buttons;
        if !is_usual
            || !hand_views::has_hands(table)
            || !self.delivery.failed_hands.record_failure(slot, person)
        {
            return Ok(());
        }
        if is_unlimited(self.platform.call_limit_per_minute(self.chat)) {
            let board = OutboxEntry::changed_board(self.chat, table);
            self.delivery.repository.put_all(vec![board.encode()]).await?;
            self.delivery.wake_senders(self.chat);
        }
        Ok(())
    }
}
