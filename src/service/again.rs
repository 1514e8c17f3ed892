//! What waited to be opened, said and drawn when it is.

use super::Inner;
use crate::chat::note::{Note, Picture};
use crate::chat::{Person, Place, Whisper};
use crate::i18n::Lang;
use crate::ids::{PersonId, TableId};

impl Inner {
    /// A kept note for whoever opens it, as things stand now; `None` if it shows the hand of a
    /// seat that is not theirs any more.
    pub(super) async fn say_again(
        &self,
        place: &Place,
        person: &Person,
        note: Note,
    ) -> Option<Whisper> {
        if !self.may_still_see(&person.id, &note).await {
            return None;
        }
        let place = self.place(&place.id).await.ok()?;
        let mut memory = self.person(&person.id).await.ok()?;
        let locale = person.locale.as_deref().and_then(Lang::of_locale);
        memory.guess = locale.or(memory.guess);
        let message =
            self.outgoing(&note, &memory.reads(&place), String::new(), None).await.ok()?;
        let Note { brief, slot, secret, .. } = note.clone();
        Some(Whisper { message, brief, slot, secret, note: Some(Box::new(note)) })
    }

    async fn may_still_see(&self, person: &PersonId, note: &Note) -> bool {
        let Some(Picture::Hand { table, seat }) = &note.picture else { return true };
        match self.hold(&TableId(table.clone())).await {
            Ok(Some(held)) => held.table().seats_of(person).any(|it| it == *seat),
            Ok(None) | Err(_) => false,
        }
    }
}
