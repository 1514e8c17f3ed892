//! Renders stored replies at the time their reader opens them.

use std::sync::Arc;

use super::client_queries::can_view;
use super::private_hand::numbered_cards;
use crate::delivery::{Delivery, MessageRenderer};
use crate::repository::Repository;
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::{PictureRef, View};
use caravanserai_protocol::{Chat, EphemeralReply, Person};
use caravanserai_results::RatingScope;

/// Renders stored replies with the current state of their tables.
pub(crate) struct StoredReplyRenderer {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    message_renderer: Arc<MessageRenderer>,
}

impl StoredReplyRenderer {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        message_renderer: Arc<MessageRenderer>,
    ) -> Self {
        Self { repository, delivery, message_renderer }
    }

    /// Renders a stored reply for the person who opens it, with the current state of the table.
    /// Returns `None` if it shows the hand of a seat that is no longer theirs, or a table that they
    /// may not watch.
    pub(crate) async fn rerender_reply(
        &self,
        chat: &Chat,
        person: &Person,
        view: View,
    ) -> Option<EphemeralReply> {
        let person_id = self.repository.profiles().resolve_person(&person.id).await.ok()?;
        if !self.can_still_see(&person_id, &chat.id, &view).await {
            return None;
        }
        let chat = self.repository.profiles().load_chat_settings(&chat.id).await.ok()?;
        let mut profile = self.repository.profiles().load_person(&person_id).await.ok()?;
        let locale = person.locale.as_deref().and_then(Lang::from_locale);
        profile.detected_lang = locale.or(profile.detected_lang);
        let reader = profile.display_prefs(&chat);
        self.message_renderer.ephemeral_replies("", &reader, vec![view]).await.pop()
    }

    /// Builds a hand with the numbers that play its cards, for readers without buttons.
    pub(crate) async fn render_numbered_hand(
        &self,
        chat: &Chat,
        person: &Person,
        view: View,
    ) -> Option<EphemeralReply> {
        let Some(PictureRef::Hand { table, seat }) = &view.picture else { return None };
        let table = self.repository.load_table(&TableId(table.clone())).await.ok()??;
        let hand = hand_views::hand_view(&table, *seat, HandDelivery::NumberedButtons);
        let reply = self.rerender_reply(chat, person, hand).await?;
        let person_id = self.repository.profiles().resolve_person(&person.id).await.ok()?;
        let cards = numbered_cards(&table, *seat);
        self.delivery.record_shown_numbers(&person_id, &table.id, cards).await;
        Some(reply)
    }

    async fn can_still_see(&self, person: &PersonId, chat_id: &ChatId, view: &View) -> bool {
        let (id, seat) = match &view.picture {
            Some(PictureRef::Hand { table, seat }) => (table, Some(*seat)),
            Some(
                PictureRef::View { table, .. }
                | PictureRef::Board { table }
                | PictureRef::Deal { table, .. }
                | PictureRef::Chart { table }
                | PictureRef::Review { table }
                | PictureRef::Moment { table, .. },
            ) => (table, None),
            Some(PictureRef::Ratings { person: owner }) => return person.0 == *owner,
            Some(PictureRef::HeadToHead { person: owner, chat, .. }) => {
                return person.0 == *owner && chat_id.without_topic() == chat;
            }
            Some(PictureRef::Ranking { scope, .. }) => {
                let chat = RatingScope::parse(scope).and_then(|it| it.chat);
                return chat.is_none_or(|it| it == chat_id.without_topic());
            }
            Some(PictureRef::Themes { .. } | PictureRef::Lesson { .. }) | None => return true,
        };
        let Ok(Some(table)) = self.repository.load_table(&TableId(id.clone())).await else {
            return false;
        };
        match seat {
            Some(seat) => table.seating.has_seat(person, seat),
            None => can_view(&self.delivery, &table, chat_id, person),
        }
    }
}
