//! Sends hidden hands to their players, if they can be reached privately.

use super::board_message::{CallResult, SendContext};
use crate::views::coach_views;
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{EphemeralReply, SendError};
use caravanserai_table::state::Table;

impl SendContext<'_> {
    /// The private message for the player on this seat: their hand, or the hint for a learner.
    fn private_hand_view(&self, table: &Table, seat: u8) -> Option<View> {
        if hand_views::has_hands(table) || hand_views::has_stale_hands(table) {
            return Some(hand_views::hand_view(table, seat, HandDelivery::Buttons));
        }
        coach_views::coach_view(table, seat)
            .filter(|_| self.delivery.hand_delivery(self.chat) == HandDelivery::Buttons)
    }

    /// Shows a hand to its player. If it cannot be shown privately, it is not shown; the player
    /// presses the button instead.
    pub(super) async fn send_hand(self, table: &Table, seat: u8) -> CallResult {
        let person = match table.seating.occupant(seat) {
            Some(occupant) if !occupant.is_computer() => occupant.person.clone(),
            Some(_) | None => return Ok(Ok(())),
        };
        let reader = table.chats.location_in(self.chat).and_then(|it| it.reader);
        if reader.is_some_and(|it| *it != person) {
            // The chat is the private chat of another person.
            return Ok(Ok(()));
        }
        let Some(view) = self.private_hand_view(table, seat) else { return Ok(Ok(())) };
        let reader = self
            .delivery
            .repository
            .profiles()
            .load_person(&person)
            .await?
            .display_prefs(self.profile);
        let slot = view.slot.clone().unwrap_or_else(|| hand_views::hand_slot(table));
        let nonce = format!("hand {} {seat} {}", table.id.0, table.version);
        let message = self
            .delivery
            .message_renderer
            .render_private(&view, &reader, nonce, Some(table))
            .await?;
        let account = self.account_here(&person).await?;
        if self.is_shown(&account, &slot, &message).await {
            // The player has asked for it meanwhile.
            return Ok(Ok(()));
        }
        let result = self.show_ephemeral(&account, &slot, &message).await;
        if result.is_ok() {
            let slot = Some(slot.clone());
            let reply = EphemeralReply { message, slot, ..EphemeralReply::default() };
            self.delivery.record_private_keyboard(&person, &reply);
        }
        match result {
            Err(SendError::NotAllowed) => self.handle_failed_hand(table, &slot, &person).await?,
            // No call was made.
            Err(SendError::OverBudget(_)) => {}
            _ => self.delivery.record_ephemeral_call(self.chat),
        }
        Ok(match result {
            Err(
                SendError::NotAllowed
                | SendError::ChatGone
                | SendError::MessageGone
                | SendError::Refused(_),
            ) => Ok(()),
            other => other,
        })
    }
}
