//! Hidden hands, shown to whoever plays them, as far as they can be reached privately.

use super::boards::Sending;
use crate::ledger::Failure;
use caravanserai_protocol::hands::{self, Means};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::{SendError, Whisper, coach};
use caravanserai_table::fold::Table;

impl Sending<'_> {
    /// What the person on this seat is told alone: their hand, or what a learner should see.
    fn told_alone(&self, table: &Table, seat: u8) -> Option<Note> {
        if hands::are_dealt(table) || hands::are_down(table) {
            return Some(hands::hand(table, seat, Means::Buttons));
        }
        coach::note(table, seat).filter(|_| self.post.means(self.place) == Means::Buttons)
    }

    /// Shows a hand to whoever plays it. What cannot be told privately is not told: they press the
    /// button.
    pub(super) async fn hand(
        self,
        table: &Table,
        seat: u8,
    ) -> Result<Result<(), SendError>, Failure> {
        let person = match table.occupant(seat) {
            Some(occupant) if !occupant.is_computer() => occupant.person.clone(),
            Some(_) | None => return Ok(Ok(())),
        };
        let reader = table.spot(self.place).and_then(|it| it.reader);
        if reader.is_some_and(|it| *it != person) {
            // Somebody else's private chat.
            return Ok(Ok(()));
        }
        let Some(note) = self.told_alone(table, seat) else { return Ok(Ok(())) };
        let reader = self.post.ledger.person(&person).await?.reads(self.profile);
        let slot = note.slot.clone().unwrap_or_else(|| hands::slot(table));
        let nonce = format!("hand {} {seat} {}", table.id.0, table.version);
        let message = self.post.letters.private_message(&note, &reader, nonce, Some(table)).await?;
        let account = self.post.ledger.account_on(&person, self.place.platform()).await?;
        let told = self.platform.whisper(self.place, &account, &slot, &message).await;
        if told.is_ok() {
            let slot = Some(slot.clone());
            let whisper = Whisper { message, slot, ..Whisper::default() };
            self.post.shows_alone(&person, &whisper);
        }
        match told {
            Err(SendError::NotAllowed) => self.hand_failed(table, &slot, &person).await?,
            _ => self.post.note_hand(self.place),
        }
        Ok(match told {
            Err(
                SendError::NotAllowed
                | SendError::PlaceGone
                | SendError::MessageGone
                | SendError::Refused(_),
            ) => Ok(()),
            other => other,
        })
    }
}
