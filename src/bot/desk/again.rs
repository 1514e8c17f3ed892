//! What waited to be opened, said and drawn when it is.

use super::Desk;
use super::own_hand::numbered;
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::hands::{self, Means};
use caravanserai_protocol::note::{Note, Picture};
use caravanserai_protocol::{Person, Place, Whisper};

impl Desk {
    /// A kept note for whoever opens it, as things stand now; `None` if it shows the hand of a
    /// seat that is not theirs any more, or a table at which they may not look on.
    pub async fn say_again(&self, place: &Place, person: &Person, note: Note) -> Option<Whisper> {
        let behind = self.ledger.behind(&person.id).await.ok()?;
        if !self.may_still_see(&behind, &place.id, &note).await {
            return None;
        }
        let place = self.ledger.place(&place.id).await.ok()?;
        let mut profile = self.ledger.person(&behind).await.ok()?;
        let locale = person.locale.as_deref().and_then(Lang::of_locale);
        profile.guess = locale.or(profile.guess);
        let reader = profile.reads(&place);
        self.letters.whispers("", &reader, vec![note]).await.pop()
    }

    /// A hand with the numbers that play its cards, for whoever cannot be shown its buttons.
    pub async fn say_in_passing(
        &self,
        place: &Place,
        person: &Person,
        note: Note,
    ) -> Option<Whisper> {
        let Some(Picture::Hand { table, seat }) = &note.picture else { return None };
        let table = self.ledger.look(&TableId(table.clone())).await.ok()??;
        let hand = hands::hand(&table, *seat, Means::Slots);
        let said = self.say_again(place, person, hand).await?;
        let behind = self.ledger.behind(&person.id).await.ok()?;
        self.post.show_numbers(&behind, &table.id, numbered(&table, *seat));
        Some(said)
    }

    async fn may_still_see(&self, person: &PersonId, at: &PlaceId, note: &Note) -> bool {
        let (id, seat) = match &note.picture {
            Some(Picture::Hand { table, seat }) => (table, Some(*seat)),
            Some(
                Picture::View { table, .. }
                | Picture::Board { table }
                | Picture::Deal { table, .. }
                | Picture::Chart { table }
                | Picture::Review { table }
                | Picture::Moment { table, .. },
            ) => (table, None),
            Some(Picture::Themes { .. } | Picture::Lesson { .. }) | None => return true,
        };
        let Ok(Some(table)) = self.ledger.look(&TableId(id.clone())).await else { return false };
        match seat {
            Some(seat) => table.seats_of(person).any(|it| it == seat),
            None => self.may_look(&table, at, person),
        }
    }
}
