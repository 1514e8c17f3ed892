//! Answers interactions: a first response within three seconds, follow-ups for fifteen minutes.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::gateway_events::GatewayHandler;
use super::replaceable_messages::DiscordMessageHandle;
use super::rest_client::{DiscordCallError, DiscordFile};
use super::{DiscordInner, payloads};
use caravanserai_protocol::{EphemeralReply, SingleReader};

/// First response: a message.
pub(super) const RESPONSE_MESSAGE: u8 = 4;
/// First response: a message will follow.
pub(super) const RESPONSE_DEFERRED_MESSAGE: u8 = 5;
/// First response: the message of the button will change, or nothing happens.
pub(super) const RESPONSE_DEFERRED_UPDATE: u8 = 6;
/// First response: replaces the message of the button.
pub(super) const RESPONSE_UPDATE_MESSAGE: u8 = 7;
/// First response: suggestions for the option being typed.
pub(super) const RESPONSE_AUTOCOMPLETE: u8 = 8;
/// First response: opens the Activity.
pub(super) const RESPONSE_LAUNCH_ACTIVITY: u8 = 12;

/// How long a rate-limited first response waits before it is sent again, in milliseconds: Discord
/// wants one within three seconds.
const FIRST_RESPONSE_WAIT_MS: u64 = 1_500;

/// How long a rate-limited follow-up waits before it is sent again, in milliseconds.
const FOLLOW_UP_WAIT_MS: u64 = 10_000;

/// The fields of an interaction that an answer needs.
pub(super) struct InteractionRef<'a> {
    pub id: u64,
    pub token: &'a str,
    pub user: u64,
    pub channel: u64,
}

impl GatewayHandler {
    /// Sends the first response; returns whether the token may be used from now on.
    pub async fn send_first_response(
        &self,
        interaction: &InteractionRef<'_>,
        kind: u8,
        data: Value,
    ) -> bool {
        let taken =
            self.send_first_response_with_files(interaction, kind, data, &[]).await.is_some();
        if taken && kind != RESPONSE_AUTOCOMPLETE {
            self.store_token(interaction, None).await;
        }
        taken
    }

    /// Stores the token of an answered interaction, which can edit `board` if there is one.
    async fn store_token(&self, interaction: &InteractionRef<'_>, board: Option<u64>) {
        let InteractionRef { user, channel, token, .. } = *interaction;
        self.inner.store_interaction_token(user, channel, token, board).await;
    }

    /// Sends the first response with files; returns Discord's description of it, `None` if it
    /// failed.
    async fn send_first_response_with_files(
        &self,
        interaction: &InteractionRef<'_>,
        kind: u8,
        data: Value,
        files: &[DiscordFile],
    ) -> Option<Value> {
        let inner = &self.inner;
        let give = || {
            inner.post_first_response(interaction.id, interaction.token, kind, data.clone(), files)
        };
        let answered = match give().await {
            // Three seconds leave time for only one retry.
            Err(DiscordCallError::Network(_) | DiscordCallError::Refused { status: 500.., .. }) => {
                give().await
            }
            Err(DiscordCallError::RateLimited(ms @ ..=FIRST_RESPONSE_WAIT_MS)) => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                give().await
            }
            answered => answered,
        };
        let said = match answered {
            Ok(said) => said,
            // An earlier try, whose response was lost, has answered it already.
            Err(DiscordCallError::Refused { code: 40060, .. }) => Value::Null,
            Err(error) => {
                tracing::warn!(interaction = interaction.id, kind, %error, "response failed");
                return None;
            }
        };
        Some(said)
    }

    /// Acknowledges a press without visible effect; the token can then edit the pressed message.
    pub async fn defer_update(&self, interaction: &InteractionRef<'_>, message: u64) {
        if self
            .send_first_response_with_files(interaction, RESPONSE_DEFERRED_UPDATE, Value::Null, &[])
            .await
            .is_some()
        {
            self.store_token(interaction, Some(message)).await;
        }
    }

    /// Sends the first reply as the first response, the others as follow-ups.
    pub async fn respond(&self, interaction: &InteractionRef<'_>, replies: Vec<EphemeralReply>) {
        let Some((first, others)) = replies.split_first() else { return };
        let (data, files) =
            payloads::ephemeral_body(&first.message, &self.inner.command_mentions());
        let Some(said) =
            self.send_first_response_with_files(interaction, RESPONSE_MESSAGE, data, &files).await
        else {
            return;
        };
        self.store_token(interaction, None).await;
        let id = said["interaction"]["response_message_id"].as_str();
        self.note_original(interaction, first, id.and_then(|it| it.parse().ok())).await;
        self.send_follow_ups(interaction, others).await;
    }

    /// Replaces the private message whose button was pressed by one of the replies.
    pub async fn replace_pressed_message(
        &self,
        interaction: &InteractionRef<'_>,
        mut replies: Vec<EphemeralReply>,
        replaced: ReplacedReply,
    ) {
        let first = replies.remove(replaced.index);
        let (data, files) = payloads::edit_body(
            first.message.for_reader(&replaced),
            &self.inner.command_mentions(),
        );
        if self
            .send_first_response_with_files(interaction, RESPONSE_UPDATE_MESSAGE, data, &files)
            .await
            .is_some()
        {
            self.store_token(interaction, None).await;
            self.note_original(interaction, &first, Some(replaced.message)).await;
            self.send_follow_ups(interaction, &replies).await;
        }
    }

    /// Replaces the pressed message by one of the replies after the press was acknowledged.
    pub async fn replace_pressed_message_deferred(
        &self,
        interaction: &InteractionRef<'_>,
        mut replies: Vec<EphemeralReply>,
        replaced: ReplacedReply,
    ) {
        let first = replies.remove(replaced.index);
        match self.edit_original(interaction, &first).await {
            Ok(()) => self.send_follow_ups(interaction, &replies).await,
            Err(error) => {
                tracing::debug!(interaction = interaction.id, %error, "private edit failed");
                replies.insert(replaced.index, first);
                self.send_follow_ups(interaction, &replies).await;
            }
        }
    }

    pub async fn send_follow_ups(
        &self,
        interaction: &InteractionRef<'_>,
        replies: &[EphemeralReply],
    ) {
        for reply in replies {
            let send = || self.inner.post_follow_up(interaction.user, interaction.token, reply);
            let mut done = send().await;
            if let Err(DiscordCallError::RateLimited(ms @ ..=FOLLOW_UP_WAIT_MS)) = done {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                done = send().await;
            }
            if let Err(error) = done {
                tracing::warn!(interaction = interaction.id, %error, "failed to send a follow-up");
            }
        }
    }

    /// Replaces the deferred response by the first reply; the others are follow-ups.
    pub async fn respond_deferred(
        &self,
        interaction: &InteractionRef<'_>,
        replies: Vec<EphemeralReply>,
    ) {
        let Some((first, others)) = replies.split_first() else {
            self.delete_original(interaction).await;
            return;
        };
        if let Err(error) = self.edit_original(interaction, first).await {
            tracing::warn!(interaction = interaction.id, %error, "deferred response failed");
        }
        self.send_follow_ups(interaction, others).await;
    }

    async fn edit_original(
        &self,
        interaction: &InteractionRef<'_>,
        reply: &EphemeralReply,
    ) -> Result<(), DiscordCallError> {
        let now = DiscordMessageHandle::of_response(interaction.token, None);
        let (body, files) =
            payloads::edit_body(reply.message.for_reader(&now), &self.inner.command_mentions());
        let path = self.original_path(interaction);
        let said = self.inner.rest.call(Method::PATCH, &path, Some(&body), &files).await?;
        self.note_original(interaction, reply, message_number(&said)).await;
        Ok(())
    }

    /// Records that this reply is now the first response to the interaction.
    async fn note_original(
        &self,
        interaction: &InteractionRef<'_>,
        reply: &EphemeralReply,
        message: Option<u64>,
    ) {
        let now = DiscordMessageHandle::of_response(interaction.token, message);
        self.inner.store_and_replace(interaction.user, reply.slot.as_deref(), now).await;
    }

    pub async fn delete_original(&self, interaction: &InteractionRef<'_>) {
        let path = self.original_path(interaction);
        let done = self.inner.rest.call(Method::DELETE, &path, None, &[]).await;
        if let Err(error) = done {
            tracing::debug!(interaction = interaction.id, %error, "failed to delete a response");
        }
    }

    fn original_path(&self, interaction: &InteractionRef<'_>) -> String {
        format!("/webhooks/{}/{}/messages/@original", self.inner.app, interaction.token)
    }
}

impl DiscordInner {
    /// Sends a message that only the user whose interaction has this token sees.
    pub async fn post_follow_up(
        &self,
        user: u64,
        token: &str,
        reply: &EphemeralReply,
    ) -> Result<(), DiscordCallError> {
        let (body, files) = payloads::ephemeral_body(&reply.message, &self.command_mentions());
        let path = format!("/webhooks/{}/{token}", self.app);
        let said = self.rest.call(Method::POST, &path, Some(&body), &files).await?;
        if let Some(id) = message_number(&said) {
            let now = DiscordMessageHandle::of_follow_up(token, id);
            self.store_and_replace(user, reply.slot.as_deref(), now).await;
        }
        Ok(())
    }

    /// Sends the first response to an interaction; Discord describes the resulting message.
    pub async fn post_first_response(
        &self,
        interaction: u64,
        token: &str,
        kind: u8,
        data: Value,
        files: &[DiscordFile],
    ) -> Result<Value, DiscordCallError> {
        let mut body = json!({"type": kind});
        if !data.is_null() {
            body["data"] = data;
        }
        // Only for a message response the message id matters.
        let asks = if kind == RESPONSE_MESSAGE { "?with_response=true" } else { "" };
        let path = format!("/interactions/{interaction}/{token}/callback{asks}");
        self.rest.call(Method::POST, &path, Some(&body), files).await
    }
}

/// Which reply replaces which private message. Created only for a press under a message that only
/// the presser sees.
#[derive(Clone, Copy)]
pub(super) struct ReplacedReply {
    /// The id of the message.
    pub message: u64,
    /// The index in the list of replies.
    pub index: usize,
}

impl SingleReader for ReplacedReply {}

/// Returns the id of a message that Discord describes.
pub(super) fn message_number(message: &Value) -> Option<u64> {
    message["id"].as_str()?.parse().ok()
}
