//! Hides replies to typed text in a server behind a public button: only a press lets Discord show a
//! message to one person.

use serenity::all::{ActionRowComponent, ButtonKind, ComponentInteraction, Message};

use super::command_menu::LocalizedText;
use super::convert::person_of_user;
use super::event_order::EventTurn;
use super::gateway_events::{GatewayHandler, finish_before};
use super::interaction_responses::{FirstResponse, InteractionRef, ReplyOutcome};
use super::payloads;
use super::rest_client::retry_call;
use caravanserai_games::ids::MessageId;
use caravanserai_games::text::RichText;
use caravanserai_platform_shared::stored_reply::StoredReply;
use caravanserai_protocol::{Button, ButtonTone, Chat, EphemeralReply, OutgoingMessage, ReplyForm};

/// The prefix of the callback data of reveal buttons; no other button may use it.
pub(super) const REVEAL_PREFIX: &str = "w.";

impl GatewayHandler {
    /// Posts a small silent reply with a button that only the author of a message can use.
    pub async fn post_reveal_button(&self, answered: &Message, inside: Vec<EphemeralReply>) {
        let channel = answered.channel_id.get();
        let number = answered.id.get();
        let reader = answered.author.id.get();
        let inside: Vec<StoredReply> = inside.iter().map(StoredReply::from_reply).collect();
        if self.inner.append_hidden_replies(reader, channel, &inside).await {
            return;
        }
        let locale = self.inner.memory.lock().locale_of(reader);
        let texts = &self.inner.settings.texts;
        let label = texts.open.for_locale(&locale).to_owned();
        let callback_data = format!("{REVEAL_PREFIX}{number}");
        let cover = OutgoingMessage {
            text: RichText::plain(texts.envelope.for_locale(&locale)),
            buttons: vec![vec![Button {
                label,
                callback_data,
                tone: ButtonTone::Plain,
                ..Button::default()
            }]],
            reply_to: Some(MessageId(number.to_string())),
            // A second try posts no second button.
            nonce: format!("reveal {number}"),
            ..OutgoingMessage::default()
        };
        self.inner.store_hidden_replies(number, reader, channel, inside).await;
        let mentions = self.inner.command_mentions();
        let post = || async {
            let (mut body, files) = payloads::new_message_body(&cover, &mentions);
            self.inner.post_in_channel(channel, &mut body, &files).await
        };
        match retry_call(post).await {
            Ok(said) => {
                if let Some(cover) = said["id"].as_str().and_then(|it| it.parse().ok()) {
                    self.inner.memory.lock().add_reveal_button(cover, reader, channel);
                }
            }
            Err(error) => {
                tracing::warn!(channel, %error, "failed to post a reveal button");
                self.inner.take_hidden_replies(number).await;
            }
        }
    }

    /// Handles a press on a reveal button.
    pub async fn reveal_replies(
        &self,
        interaction: &InteractionRef<'_>,
        press: &ComponentInteraction,
        (chat, turn): (&Chat, &EventTurn),
    ) {
        // A second press finds that the replies were shown.
        turn.wait_for_turn().await;
        let number =
            press.data.custom_id.strip_prefix(REVEAL_PREFIX).and_then(|it| it.parse().ok());
        let number: u64 = number.unwrap_or_default();
        let texts = &self.inner.settings.texts;
        if !has_button(press) {
            // The message is not a reveal button of the bot: nothing is opened or deleted.
            self.respond(interaction, brief_reply(&texts.expired, &press.locale)).await;
            return;
        }
        let inside = match self.inner.load_hidden_replies(number).await {
            Some(hidden) if hidden.reader != interaction.user => {
                self.respond(interaction, brief_reply(&texts.not_yours, &press.locale)).await;
                return;
            }
            Some(hidden) => hidden.inside,
            None => Vec::new(),
        };
        match self.show_hidden_replies(interaction, press, chat, &inside).await {
            ReplyOutcome::Final => {}
            ReplyOutcome::Unanswered => return,
            ReplyOutcome::Incomplete => {
                let retry = brief_reply(&texts.trouble, &press.locale);
                self.send_follow_ups(interaction, &retry).await;
                return;
            }
        }
        if let Some(hidden) = self.inner.take_hidden_replies(number).await {
            let added = hidden.inside.into_iter().filter(|it| !inside.contains(it)).collect();
            let added = self.render_hidden_replies(press, chat, added).await;
            self.send_follow_ups(interaction, &added).await;
        }
        let channel = interaction.channel;
        let cover = press.message.id.get();
        let path = format!("/channels/{channel}/messages/{cover}");
        match self.inner.rest.delete(&path).await {
            Ok(_) => self.inner.memory.lock().remove_message(channel, cover),
            Err(error) => tracing::debug!(channel, %error, "failed to delete a reveal button"),
        }
    }

    /// Shows hidden replies to the person who pressed their button, or that there are none.
    async fn show_hidden_replies(
        &self,
        interaction: &InteractionRef<'_>,
        press: &ComponentInteraction,
        chat: &Chat,
        inside: &[StoredReply],
    ) -> ReplyOutcome {
        let or_expired = |replies: Vec<EphemeralReply>| match replies.is_empty() {
            true => brief_reply(&self.inner.settings.texts.expired, &press.locale),
            false => replies,
        };
        let rendering = self.render_hidden_replies(press, chat, inside.to_vec());
        let late = tokio::time::sleep(self.inner.settings.watchdog);
        tokio::pin!(rendering, late);
        if let Some(replies) = finish_before(late, rendering.as_mut()).await {
            return self.respond(interaction, or_expired(replies)).await;
        }
        let _deferred = self.inner.deferred.begin(interaction.channel);
        match self.send_first_response(interaction, &FirstResponse::DeferredMessage).await {
            true => self.respond_deferred(interaction, or_expired(rendering.await)).await,
            false => ReplyOutcome::Unanswered,
        }
    }

    /// Renders those hidden replies that are still valid.
    async fn render_hidden_replies(
        &self,
        press: &ComponentInteraction,
        chat: &Chat,
        inside: Vec<StoredReply>,
    ) -> Vec<EphemeralReply> {
        let reader = person_of_user(&press.user, press.member.as_ref(), Some(&press.locale));
        StoredReply::render_valid(inside, &*self.handler, chat, &reader).await
    }
}

/// Builds a short reply of the adapter.
pub(super) fn brief_reply(words: &LocalizedText, locale: &str) -> Vec<EphemeralReply> {
    let text = RichText::plain(words.for_locale(locale));
    let message = OutgoingMessage { text, ..OutgoingMessage::default() }.into();
    vec![EphemeralReply { message, form: ReplyForm::Toast, ..EphemeralReply::default() }]
}

/// Whether the pressed message has the button, as Discord describes the message: the data of a
/// press may be forged.
fn has_button(press: &ComponentInteraction) -> bool {
    let parts = press.message.components.iter().flat_map(|row| &row.components);
    let buttons = parts.filter_map(|it| match it {
        ActionRowComponent::Button(button) => Some(&button.data),
        _ => None,
    });
    let carried = buttons.filter_map(|it| match it {
        ButtonKind::NonLink { custom_id, .. } => Some(custom_id),
        ButtonKind::Link { .. } | ButtonKind::Premium { .. } => None,
    });
    carried.into_iter().any(|it| *it == press.data.custom_id)
}
