//! Renders stored replies at the time their reader opens them.

use super::Handlers;
use super::private_hand::numbered_cards;
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_protocol::{Chat, EphemeralReply, Person};

impl Handlers {
    /// Renders a stored reply for the person who opens it, with the current state of the table;
    /// `None` if it shows the hand of a seat that is no longer theirs, or a table that they may not
    /// watch.
    pub async fn rerender_reply(
        &self,
        place: &Chat,
        person: &Person,
        note: View,
    ) -> Option<EphemeralReply> {
        let behind = self.repository.resolve_person(&person.id).await.ok()?;
        if !self.can_still_see(&behind, &place.id, &note).await {
            return None;
        }
        let place = self.repository.load_chat_settings(&place.id).await.ok()?;
        let mut profile = self.repository.load_person(&behind).await.ok()?;
        let locale = person.locale.as_deref().and_then(Lang::from_locale);
        profile.guess = locale.or(profile.guess);
        let reader = profile.display_prefs(&place);
        self.message_renderer.ephemeral_replies("", &reader, vec![note]).await.pop()
    }

    /// Builds a hand with the numbers that play its cards, for readers without buttons.
    pub async fn render_numbered_hand(
        &self,
        place: &Chat,
        person: &Person,
        note: View,
    ) -> Option<EphemeralReply> {
        let Some(PictureRef::Hand { table, seat }) = &note.picture else { return None };
        let table = self.repository.load_table(&TableId(table.clone())).await.ok()??;
        let hand = hand_views::hand_view(&table, *seat, HandDelivery::NumberedButtons);
        let said = self.rerender_reply(place, person, hand).await?;
        let behind = self.repository.resolve_person(&person.id).await.ok()?;
        self.delivery.record_shown_numbers(&behind, &table.id, numbered_cards(&table, *seat));
        Some(said)
    }

    async fn can_still_see(&self, person: &PersonId, at: &PlaceId, note: &View) -> bool {
        let (id, seat) = match &note.picture {
            Some(PictureRef::Hand { table, seat }) => (table, Some(*seat)),
            Some(
                PictureRef::View { table, .. }
                | PictureRef::Board { table }
                | PictureRef::Deal { table, .. }
                | PictureRef::Chart { table }
                | PictureRef::Review { table }
                | PictureRef::Moment { table, .. },
            ) => (table, None),
            Some(PictureRef::Themes { .. } | PictureRef::Lesson { .. }) | None => return true,
        };
        let Ok(Some(table)) = self.repository.load_table(&TableId(id.clone())).await else {
            return false;
        };
        match seat {
            Some(seat) => table.seats_of(person).any(|it| it == seat),
            None => self.can_look(&table, at, person),
        }
    }
}
