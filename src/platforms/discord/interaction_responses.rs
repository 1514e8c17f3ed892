//! Answers interactions: a first response within three seconds, follow-ups for fifteen minutes.

use std::time::Duration;

use reqwest::Method;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serenity::all::{CreateAutocompleteResponse, Permissions};

use super::convert::DiscordConversation;
use super::gateway_events::GatewayHandler;
use super::payloads::MessageBody;
use super::pending_interactions::PendingInteraction;
use super::replaceable_messages::DiscordMessageHandle;
use super::rest_client::{DiscordCallError, DiscordFile, retry_call};
use super::{DiscordInner, payloads};
use caravanserai_protocol::{EphemeralReply, SingleReader};

/// How long a rate-limited first response waits before it is sent again, in milliseconds: Discord
/// wants one within three seconds.
const FIRST_RESPONSE_WAIT_MS: u64 = 1_500;

/// The first response to an interaction. serenity's `CreateInteractionResponse` takes only messages
/// whose attachments it numbers itself, and writes `null` where Discord's specification has no
/// data.
#[derive(Clone, Debug)]
pub(super) enum FirstResponse {
    /// A message.
    Message(MessageBody),
    /// A message that only the user who acted sees will follow.
    DeferredMessage,
    /// The message of the button will change, or nothing happens.
    DeferredUpdate,
    /// Replaces the message of the button.
    UpdateMessage(MessageBody),
    /// Suggestions for the option being typed.
    Autocomplete(CreateAutocompleteResponse),
    /// Opens the Activity.
    LaunchActivity,
}

impl FirstResponse {
    /// Returns Discord's number of the type.
    fn kind(&self) -> u8 {
        match self {
            Self::Message(_) => 4,
            Self::DeferredMessage => 5,
            Self::DeferredUpdate => 6,
            Self::UpdateMessage(_) => 7,
            Self::Autocomplete(_) => 8,
            Self::LaunchActivity => 12,
        }
    }
}

impl Serialize for FirstResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", &self.kind())?;
        match self {
            Self::Message(data) | Self::UpdateMessage(data) => map.serialize_entry("data", data)?,
            Self::DeferredMessage => {
                map.serialize_entry("data", &MessageBody::deferred_ephemeral())?;
            }
            Self::Autocomplete(data) => map.serialize_entry("data", data)?,
            Self::DeferredUpdate | Self::LaunchActivity => {}
        }
        map.end()
    }
}

/// The people who see the messages that are posted with the token of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenAudience {
    /// Everybody in the channel, except where a message is for the sender only.
    Channel,
    /// Only the sender, whatever the message says.
    Sender,
}

impl TokenAudience {
    /// Returns the audience for a sender with these permissions. In servers that have not installed
    /// the bot Discord hides its messages unless the sender may use external apps.
    pub fn new(at: DiscordConversation, permissions: Option<Permissions>) -> Self {
        let needed = Permissions::USE_EXTERNAL_APPS | Permissions::ADMINISTRATOR;
        let is_allowed = permissions.is_none_or(|it| it.intersects(needed));
        match at {
            DiscordConversation::ForeignServer(_) if !is_allowed => Self::Sender,
            DiscordConversation::Server(_)
            | DiscordConversation::ForeignServer(_)
            | DiscordConversation::Direct(_)
            | DiscordConversation::GroupDirect => Self::Channel,
        }
    }
}

/// Whether the replies to an interaction have reached their reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplyOutcome {
    /// They have, or Discord refuses them for good.
    Final,
    /// Some have not, for a reason that may pass.
    Incomplete,
    /// None have, for a reason that may pass, and Discord tells the reader that it failed.
    Unanswered,
}

impl ReplyOutcome {
    /// Returns the outcome of a failed call: this one if another interaction may succeed.
    fn of_failure(error: &DiscordCallError, outcome: Self) -> Self {
        match error.is_transient() || error.is_token_expired() {
            true => outcome,
            false => Self::Final,
        }
    }

    /// Returns this outcome unless it is final, else the other one.
    fn or(self, other: Self) -> Self {
        match self {
            Self::Final => other,
            Self::Incomplete | Self::Unanswered => self,
        }
    }
}

/// The fields of an interaction that an answer needs.
pub(super) struct InteractionRef<'a> {
    pub id: u64,
    pub token: &'a str,
    pub user: u64,
    pub channel: u64,
    pub audience: TokenAudience,
}

impl GatewayHandler {
    /// Sends the first response; returns whether Discord has taken it. The token may be used from
    /// now on, except after a deferred message: until that has its content, Discord would put any
    /// other message of the token there, for the sender only.
    pub async fn send_first_response(
        &self,
        interaction: &InteractionRef<'_>,
        response: &FirstResponse,
    ) -> bool {
        let taken = self.send_first_response_with_files(interaction, response, &[]).await.is_ok();
        let is_final =
            !matches!(response, FirstResponse::Autocomplete(_) | FirstResponse::DeferredMessage);
        if taken && is_final {
            self.store_token(interaction, None).await;
        }
        taken
    }

    /// Stores the token of an answered interaction, which can edit `board` if there is one.
    async fn store_token(&self, interaction: &InteractionRef<'_>, board: Option<u64>) {
        let interaction = PendingInteraction::from(interaction);
        self.inner.store_interaction_token(&interaction, board).await;
    }

    /// Sends the first response with files; returns Discord's description of it.
    async fn send_first_response_with_files(
        &self,
        interaction: &InteractionRef<'_>,
        response: &FirstResponse,
        files: &[DiscordFile],
    ) -> Result<Value, DiscordCallError> {
        let inner = &self.inner;
        let give = || inner.post_first_response(interaction.id, interaction.token, response, files);
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
        match answered {
            // An earlier try, whose response was lost, has answered it already.
            Err(DiscordCallError::Refused { code: 40060, .. }) => Ok(Value::Null),
            Err(error) => {
                let kind = response.kind();
                tracing::warn!(interaction = interaction.id, kind, %error, "response failed");
                Err(error)
            }
            said => said,
        }
    }

    /// Acknowledges a press without visible effect; the token can then edit the pressed message.
    pub async fn defer_update(&self, interaction: &InteractionRef<'_>, message: u64) {
        if self
            .send_first_response_with_files(interaction, &FirstResponse::DeferredUpdate, &[])
            .await
            .is_ok()
        {
            self.store_token(interaction, Some(message)).await;
        }
    }

    /// Sends the first reply as the first response, the others as follow-ups.
    pub async fn respond(
        &self,
        interaction: &InteractionRef<'_>,
        replies: Vec<EphemeralReply>,
    ) -> ReplyOutcome {
        let Some((first, others)) = replies.split_first() else { return ReplyOutcome::Final };
        let (data, files) =
            payloads::ephemeral_body(&first.message, &self.inner.command_mentions());
        let response = FirstResponse::Message(data);
        let said = match self.send_first_response_with_files(interaction, &response, &files).await {
            Ok(said) => said,
            Err(error) => return ReplyOutcome::of_failure(&error, ReplyOutcome::Unanswered),
        };
        self.store_token(interaction, None).await;
        let id = said["interaction"]["response_message_id"].as_str();
        self.note_original(interaction, first, id.and_then(|it| it.parse().ok())).await;
        self.send_follow_ups(interaction, others).await
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
        let response = FirstResponse::UpdateMessage(data);
        if self.send_first_response_with_files(interaction, &response, &files).await.is_ok() {
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
            Ok(()) => {}
            Err(error) => {
                tracing::debug!(interaction = interaction.id, %error, "private edit failed");
                replies.insert(replaced.index, first);
            }
        }
        self.send_follow_ups(interaction, &replies).await;
    }

    /// Sends replies after the first response.
    pub async fn send_follow_ups(
        &self,
        interaction: &InteractionRef<'_>,
        replies: &[EphemeralReply],
    ) -> ReplyOutcome {
        let mut outcome = ReplyOutcome::Final;
        for reply in replies {
            let send = || self.inner.post_follow_up(interaction.user, interaction.token, reply);
            if let Err(error) = retry_call(send).await {
                tracing::warn!(interaction = interaction.id, %error, "failed to send a follow-up");
                outcome = ReplyOutcome::of_failure(&error, ReplyOutcome::Incomplete).or(outcome);
            }
        }
        outcome
    }

    /// Replaces the deferred response by the first reply; the others are follow-ups.
    pub async fn respond_deferred(
        &self,
        interaction: &InteractionRef<'_>,
        replies: Vec<EphemeralReply>,
    ) -> ReplyOutcome {
        let Some((first, others)) = replies.split_first() else {
            self.delete_original(interaction).await;
            return ReplyOutcome::Final;
        };
        let outcome = match self.edit_original(interaction, first).await {
            Ok(()) => {
                self.store_token(interaction, None).await;
                ReplyOutcome::Final
            }
            Err(error) => {
                tracing::warn!(interaction = interaction.id, %error, "deferred response failed");
                ReplyOutcome::of_failure(&error, ReplyOutcome::Incomplete)
            }
        };
        outcome.or(self.send_follow_ups(interaction, others).await)
    }

    async fn edit_original(
        &self,
        interaction: &InteractionRef<'_>,
        reply: &EphemeralReply,
    ) -> Result<(), DiscordCallError> {
        let now = DiscordMessageHandle::of_response(interaction.token, None);
        let (body, files) =
            payloads::edit_body(reply.message.for_reader(&now), &self.inner.command_mentions());
        let path = self.inner.original_path(interaction.token);
        let edit = || self.inner.rest.call(Method::PATCH, &path, &body, &files);
        let said = retry_call(edit).await?;
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

    /// Deletes a deferred response that gets no content.
    pub async fn delete_original(&self, interaction: &InteractionRef<'_>) {
        let path = self.inner.original_path(interaction.token);
        match retry_call(|| self.inner.rest.delete(&path)).await {
            Ok(_) => self.store_token(interaction, None).await,
            Err(error) => {
                let interaction = interaction.id;
                tracing::debug!(interaction, %error, "failed to delete a response");
            }
        }
    }
}

impl DiscordInner {
    /// Returns the path of the first response to the interaction with this token.
    pub(super) fn original_path(&self, token: &str) -> String {
        format!("/webhooks/{}/{token}/messages/@original", self.app)
    }

    /// Returns the path of a follow-up to the interaction with this token.
    pub(super) fn follow_up_path(&self, token: &str, message: u64) -> String {
        format!("/webhooks/{}/{token}/messages/{message}", self.app)
    }

    /// Sends a message that only the user whose interaction has this token sees.
    pub async fn post_follow_up(
        &self,
        user: u64,
        token: &str,
        reply: &EphemeralReply,
    ) -> Result<(), DiscordCallError> {
        let (body, files) = payloads::ephemeral_body(&reply.message, &self.command_mentions());
        let path = format!("/webhooks/{}/{token}", self.app);
        let said = self.rest.call(Method::POST, &path, &body, &files).await?;
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
        response: &FirstResponse,
        files: &[DiscordFile],
    ) -> Result<Value, DiscordCallError> {
        // Only for a message response the message id matters.
        let asks = match response {
            FirstResponse::Message(_) => "?with_response=true",
            _ => "",
        };
        let path = format!("/interactions/{interaction}/{token}/callback{asks}");
        self.rest.call(Method::POST, &path, response, files).await
    }
}

/// The reply that replaces a private message. Created only for a press under a message that only
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
