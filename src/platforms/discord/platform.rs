//! Implements [`Platform`] for Discord: posts, edits, private messages.

use std::borrow::Cow;

use async_trait::async_trait;
use reqwest::Method;
use serde::Serialize;
use serde_json::Value;
use serenity::all::{MessageFlags, UserId};

use super::DiscordInner;
use super::convert::ATTACH_FILES_NAME;
use super::discord_cache::ChannelHome;
use super::interaction_responses::{FirstResponse, message_number};
use super::payloads::{MessageBody, NewMessageBody};
use super::pending_interactions::PendingInteraction;
use super::private_readers::DiscordDirectChannel;
use super::replaceable_messages::DiscordMessageHandle;
use super::rest_client::{DiscordCallError, DiscordFile, retry_call, to_json};
use super::storage::DiscordMessageToken;
use super::{DiscordPlatform, convert, payloads};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_games::text::{Arg, RichText};
use caravanserai_protocol::guest_service::{AuthError, VerifiedUser};
use caravanserai_protocol::{
    AppLink, AppWindows, Capabilities, CommandStyle, EphemeralMessages, EphemeralReply,
    MessageLookup, OutgoingMessage, PermissionLookup, Platform, PrivateChats, PrivateMessage,
    PublicGroups, SendError, without_media,
};

/// Returns the channel of a Discord chat.
fn channel_of(chat: &ChatId) -> Result<u64, SendError> {
    let channel = convert::channel_of_chat(chat).map(|(channel, _)| channel);
    channel.ok_or_else(|| SendError::Refused(format!("no Discord channel: {}", chat.0)))
}

/// Whether the bot is no member there: it can only answer interactions of the last quarter of an
/// hour.
fn is_foreign_chat(chat: &ChatId) -> bool {
    convert::channel_of_chat(chat).is_some_and(|(_, guest)| guest)
}

/// Whether Discord shows a message to one user only.
fn is_ephemeral(message: &Value) -> bool {
    message["flags"].as_u64().is_some_and(|it| it & MessageFlags::EPHEMERAL.bits() != 0)
}

/// Returns the callback data of a message's buttons.
fn callback_data_of(message: &Value) -> Vec<&str> {
    let rows = message["components"].as_array().into_iter().flatten();
    let keys = rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
    keys.filter_map(|key| key["custom_id"].as_str()).collect()
}

/// Opens the direct channel of a user. serenity has no builder for this call.
#[derive(Serialize)]
struct OpenDirectChannel {
    recipient_id: UserId,
}

impl DiscordPlatform {
    /// Edits the private message in a slot; returns false if there is none that can be edited.
    async fn edit_in_slot(
        &self,
        user: u64,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<bool, SendError> {
        let old = self.inner.slot_message(user, slot).await;
        let Some(old) = old else { return Ok(false) };
        match self.inner.edit_private_message(&old, message).await {
            Ok(()) => Ok(true),
            Err(error @ (DiscordCallError::RateLimited(_) | DiscordCallError::Network(_)))
            | Err(error @ DiscordCallError::Refused { status: 500.., .. }) => {
                Err(error.into_send_error())
            }
            Err(error) => {
                tracing::debug!(%error, "failed to edit a private message");
                self.inner.forget_slot(user, slot).await;
                Ok(false)
            }
        }
    }

    /// Edits a message as the response to a press under it; false if no press waits, or Discord
    /// refuses.
    async fn edit_as_response(
        &self,
        number: u64,
        body: &MessageBody,
        files: &[DiscordFile],
    ) -> bool {
        let inner = &self.inner;
        let Some(taken) = inner.waiting.take_for_edit(number) else { return false };
        let interaction = taken.interaction.clone();
        let id = interaction.id;
        let token = &*interaction.token;
        let response = FirstResponse::UpdateMessage(body.clone());
        match inner.post_first_response(id, token, &response, files).await {
            Ok(_) => {
                taken.mark_answered();
                inner.store_interaction_token(&interaction, Some(number)).await;
                true
            }
            Err(error) => {
                tracing::debug!(interaction = id, %error, "failed to answer with the board");
                false
            }
        }
    }

    /// Edits a message with the token of a recently acknowledged press under it, or with the one
    /// that posted it, without using the rate limit of the channel; `None` if another way may work.
    async fn edit_with_token(
        &self,
        chat: &ChatId,
        number: u64,
        body: &MessageBody,
        files: &[DiscordFile],
    ) -> Option<Result<(), SendError>> {
        let inner = &self.inner;
        let path = match inner.message_token(number).await? {
            DiscordMessageToken::Original(token) => inner.original_path(&token),
            DiscordMessageToken::FollowUp { follow_up } => inner.follow_up_path(&follow_up, number),
        };
        let Err(error) = inner.rest.call(Method::PATCH, &path, body, files).await else {
            return Some(Ok(()));
        };
        let is_final = match &error {
            DiscordCallError::Network(_) | DiscordCallError::Refused { status: 500.., .. } => true,
            // No other call can edit it there.
            DiscordCallError::RateLimited(_) => is_foreign_chat(chat),
            // Where the bot is no member, nothing else tells that it was deleted.
            DiscordCallError::Refused { .. } => error.is_message_unknown(),
        };
        if error.is_token_expired() || error.is_message_unknown() {
            inner.forget_message_token(number).await;
        }
        if is_final {
            return Some(Err(error.into_send_error()));
        }
        tracing::debug!(%error, "failed to edit with an interaction token");
        None
    }

    /// Posts where the bot is no member, with the token of the latest interaction there.
    async fn post_as_guest(
        &self,
        channel: u64,
        message: &OutgoingMessage,
    ) -> Result<MessageId, SendError> {
        let inner = &self.inner;
        let no_token = || SendError::Refused("no valid interaction token".to_owned());
        let mut token = inner.channel_token(channel).await;
        if token.is_none() {
            if !inner.deferred.wait_complete(channel).await {
                let why = "a command in the channel is not answered yet".to_owned();
                return Err(SendError::Temporary(why));
            }
            token = inner.channel_token(channel).await;
        }
        let token = token.ok_or_else(no_token)?;
        let (body, files) = payloads::response_body(message, &inner.command_mentions());
        let path = format!("/webhooks/{}/{token}", inner.app);
        let said = inner.rest.call(Method::POST, &path, &body, &files).await;
        let said = said.map_err(|error| match error.into_send_error() {
            // The token has expired, or may send no more messages.
            SendError::MessageGone | SendError::NotAllowed => no_token(),
            error => error,
        })?;
        let number = said["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let number = number.ok_or_else(no_token)?;
        if is_ephemeral(&said) {
            // Others would not see it, and its reader would take it for the board.
            inner.forget_channel_token(channel).await;
            if let Err(error) = inner.rest.delete(&format!("{path}/messages/{number}")).await {
                tracing::debug!(channel, %error, "failed to delete a hidden board");
            }
            return Err(no_token());
        }
        inner.memory.lock().add_message(channel, number);
        inner.store_follow_up_token(number, token).await;
        Ok(MessageId(number.to_string()))
    }

    /// Posts a private message in a user's direct channel.
    async fn post_direct(
        &self,
        direct: DiscordDirectChannel,
        message: &PrivateMessage,
    ) -> Result<MessageId, SendError> {
        let chat = ChatId(format!("dc:{}", direct.channel()));
        self.post(&chat, message.for_reader(&direct)).await
    }

    /// Returns the message as the channel allows it: as text where files are known to be forbidden.
    fn fit_for_channel<'a>(
        &self,
        channel: u64,
        message: &'a OutgoingMessage,
    ) -> Cow<'a, OutgoingMessage> {
        let has_media = message.image.is_some() || message.file.is_some();
        match has_media && self.lacks_attach_files(channel) {
            true => Cow::Owned(without_media(message)),
            false => Cow::Borrowed(message),
        }
    }

    /// Whether the bot is known to lack the permission to send files in a channel.
    fn lacks_attach_files(&self, channel: u64) -> bool {
        self.inner.memory.lock().missing_permissions(channel).contains(&ATTACH_FILES_NAME)
    }

    /// Posts a message as the response to the command that caused it, if that waits in this
    /// process.
    async fn post_as_response(&self, channel: u64, message: &OutgoingMessage) -> Option<MessageId> {
        let inner = &self.inner;
        let taken = inner.waiting.take_for_post(message.answers_update.as_deref()?)?;
        let interaction = taken.interaction.clone();
        if interaction.channel != channel {
            return None;
        }
        let id = interaction.id;
        let token = &*interaction.token;
        let (body, files) = payloads::response_body(message, &inner.command_mentions());
        let response = FirstResponse::Message(body);
        let posted = match inner.post_first_response(id, token, &response, &files).await {
            Ok(said) => Some(PostedResponse::from_callback(&said)),
            Err(error) => {
                tracing::debug!(interaction = id, %error, "failed to answer a command with a post");
                match error.is_outcome_unknown() {
                    true => self.find_response(token).await,
                    false => None,
                }
            }
        }?;
        taken.mark_answered();
        if posted.is_ephemeral {
            inner.explain_hidden_response(&interaction).await;
            return None;
        }
        inner.store_interaction_token(&interaction, posted.number).await;
        inner.memory.lock().add_message(channel, posted.number?);
        posted.number.map(|it| MessageId(it.to_string()))
    }

    /// Returns the response to an interaction whose acknowledgement was lost, if it was posted: a
    /// second board beside it would have live buttons, too.
    async fn find_response(&self, token: &str) -> Option<PostedResponse> {
        let path = self.inner.original_path(token);
        let message = retry_call(|| self.inner.rest.get(&path)).await.ok()?;
        Some(PostedResponse::from_message(&message))
    }
}

/// The message of a response to an interaction.
struct PostedResponse {
    /// Its id, if Discord names it.
    number: Option<u64>,
    /// Whether only the user who acted sees it.
    is_ephemeral: bool,
}

impl PostedResponse {
    /// Reads the answer to the call that has posted it.
    fn from_callback(said: &Value) -> Self {
        let about = &said["interaction"];
        let number = about["response_message_id"].as_str().and_then(|it| it.parse().ok());
        Self { number, is_ephemeral: about["response_message_ephemeral"] == true }
    }

    /// Reads the description of the message.
    fn from_message(message: &Value) -> Self {
        Self { number: message_number(message), is_ephemeral: is_ephemeral(message) }
    }
}

/// Whether Discord refused a message with files, so that text may work.
fn is_file_refusal(answer: &Result<Value, DiscordCallError>, files: &[DiscordFile]) -> bool {
    !files.is_empty()
        && answer
            .as_ref()
            .is_err_and(|it| matches!(it, DiscordCallError::Refused { code: 50013, .. }))
}

#[async_trait]
impl Platform for DiscordPlatform {
    fn name(&self) -> &'static str {
        "dc"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            invite_url: Some(DiscordPlatform::server_invite_url(self)),
            command_style: CommandStyle::Menu(self.inner.command_mentions()),
            ..Capabilities::default()
        }
    }

    fn call_limit_per_minute(&self, _chat: &ChatId) -> u32 {
        // Responses report when a rate limit is used up, and calls with interaction tokens are not
        // limited: there is nothing to pace here.
        u32::MAX
    }

    async fn post(&self, chat: &ChatId, message: &OutgoingMessage) -> Result<MessageId, SendError> {
        let channel = channel_of(chat)?;
        let fitting = self.fit_for_channel(channel, message);
        let message = &*fitting;
        if let Some(id) = self.post_as_response(channel, message).await {
            return Ok(id);
        }
        if is_foreign_chat(chat) {
            return self.post_as_guest(channel, message).await;
        }
        let mentions = self.inner.command_mentions();
        let (mut body, files) = payloads::new_message_body(message, &mentions);
        let mut answer = self.inner.post_in_channel(channel, &mut body, &files).await;
        if is_file_refusal(&answer, &files) {
            body = payloads::new_message_body(&without_media(message), &mentions).0;
            answer = self.inner.post_in_channel(channel, &mut body, &[]).await;
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                return Err(match self.inner.channel_send_error(channel, error).await {
                    // The error means an obstacle to editing, such as a locked thread; a new post
                    // has no message that could be gone.
                    SendError::MessageGone => SendError::NotAllowed,
                    error => error,
                });
            }
        };
        let id = answer["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let id = id.ok_or_else(|| SendError::Temporary("an answer without an id".to_owned()))?;
        self.inner.memory.lock().add_message(channel, id);
        if !message.buttons.is_empty() {
            self.inner.message_tracker.start_tracking(&channel.to_string()).await;
        }
        let id = MessageId(id.to_string());
        // Discord rejects a second copy and returns the first, which a process posted that died
        // before recording it: the game may have gone on since.
        if callback_data_of(&answer) != callback_data_of(&to_json(&body)) {
            self.edit(chat, &id, message).await?;
        }
        Ok(id)
    }

    async fn edit(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let channel = channel_of(chat)?;
        let number = payloads::message_number(id).ok_or(SendError::MessageGone)?;
        let fitting = self.fit_for_channel(channel, message);
        let message = &*fitting;
        let inner = &self.inner;
        let mentions = inner.command_mentions();
        let (body, files) = payloads::edit_body(message, &mentions);
        if self.edit_as_response(number, &body, &files).await {
            return Ok(());
        }
        if let Some(edited) = self.edit_with_token(chat, number, &body, &files).await {
            if matches!(edited, Ok(()) | Err(SendError::MessageGone)) {
                inner.waiting.release_edit_waiters(number);
            }
            return edited;
        }
        if is_foreign_chat(chat) {
            // No recent press: the next press under the old board shows the new one.
            inner.waiting.release_edit_waiters(number);
            return Err(SendError::NotNow);
        }
        let path = format!("/channels/{channel}/messages/{number}");
        let mut done = inner.rest.call(Method::PATCH, &path, &body, &files).await;
        if is_file_refusal(&done, &files) {
            let (body, _) = payloads::edit_body(&without_media(message), &mentions);
            done = inner.rest.call(Method::PATCH, &path, &body, &[]).await;
        }
        inner.waiting.release_edit_waiters(number);
        match done {
            Ok(_) => Ok(()),
            Err(error) => Err(inner.channel_send_error(channel, error).await),
        }
    }

    async fn delete(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
        let channel = channel_of(chat)?;
        let Some(number) = payloads::message_number(id) else { return Ok(()) };
        self.inner.waiting.release_edit_waiters(number);
        if is_foreign_chat(chat) {
            // The caller can at least remove its buttons.
            return Err(SendError::NotAllowed);
        }
        let path = format!("/channels/{channel}/messages/{number}");
        self.inner.memory.lock().add_own_deletion(number);
        let done = self.inner.rest.delete(&path).await;
        let mut memory = self.inner.memory.lock();
        match done.map_err(DiscordCallError::into_send_error) {
            Ok(_) | Err(SendError::MessageGone) => {
                memory.remove_message(channel, number);
                Ok(())
            }
            Err(error) => {
                memory.remove_own_deletion(number);
                Err(error)
            }
        }
    }

    fn ephemeral_messages(&self) -> Option<&dyn EphemeralMessages> {
        Some(self)
    }

    fn private_chats(&self) -> Option<&dyn PrivateChats> {
        Some(self)
    }

    fn message_lookup(&self) -> Option<&dyn MessageLookup> {
        Some(self)
    }

    fn permission_lookup(&self) -> Option<&dyn PermissionLookup> {
        Some(self)
    }

    fn public_groups(&self) -> Option<&dyn PublicGroups> {
        Some(self)
    }

    fn app_windows(&self) -> Option<&dyn AppWindows> {
        Some(self)
    }
}

#[async_trait]
impl EphemeralMessages for DiscordPlatform {
    fn has_ephemeral_buttons(&self, _chat: &ChatId) -> bool {
        true
    }

    async fn show_ephemeral(
        &self,
        chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let channel = channel_of(chat)?;
        let user = payloads::user_number(person).ok_or(SendError::NotAllowed)?;
        if self.edit_in_slot(user, slot, message).await? {
            return Ok(());
        }
        let Some(token) = self.inner.user_token(user, channel).await else {
            // Without a token only the user's own direct channel is private.
            let direct = self.inner.direct_channel(chat).await?;
            let direct = direct.filter(|it| it.reader() == user).ok_or(SendError::NotAllowed)?;
            let posted = self.post_direct(direct, message).await?;
            if let Some(id) = payloads::message_number(&posted) {
                self.inner
                    .store_and_replace(
                        user,
                        Some(slot),
                        DiscordMessageHandle::of_direct(direct, id),
                    )
                    .await;
            }
            return Ok(());
        };
        let message = message.clone();
        let reply =
            EphemeralReply { message, slot: Some(slot.to_owned()), ..EphemeralReply::default() };
        match self.inner.post_follow_up(user, &token, &reply).await {
            Ok(()) => Ok(()),
            Err(error) if error.is_token_expired() => {
                self.inner.forget_user_token(user, channel).await;
                Err(SendError::NotAllowed)
            }
            Err(error) => Err(error.into_send_error()),
        }
    }
}

#[async_trait]
impl PrivateChats for DiscordPlatform {
    async fn sole_reader(&self, chat: &ChatId) -> Result<Option<PersonId>, SendError> {
        let direct = self.inner.direct_channel(chat).await?;
        Ok(direct.map(|it| PersonId(format!("dc:{}", it.reader()))))
    }

    async fn private_chat(&self, person: &PersonId) -> Result<ChatId, SendError> {
        let user = payloads::user_number(person).ok_or(SendError::NotAllowed)?;
        let rest = &self.inner.rest;
        let body = OpenDirectChannel { recipient_id: UserId::new(user) };
        let opened = rest.call(Method::POST, "/users/@me/channels", &body, &[]).await;
        let opened = opened.map_err(DiscordCallError::into_send_error)?;
        let channel = opened["id"].as_str().and_then(|it| it.parse::<u64>().ok());
        let channel =
            channel.ok_or_else(|| SendError::Temporary("an answer without an id".to_owned()))?;
        // The channel can always be opened; only a message shows whether messages reach the person.
        let locale = self.inner.memory.lock().locale_of(user);
        let text = RichText::plain(self.inner.settings.texts.private.for_locale(&locale));
        let (body, files) = payloads::new_message_body(
            &OutgoingMessage { text, ..OutgoingMessage::default() },
            &self.inner.command_mentions(),
        );
        let path = format!("/channels/{channel}/messages");
        let said = rest.call(Method::POST, &path, &body, &files).await;
        match said.map_err(DiscordCallError::into_send_error) {
            Err(SendError::MessageGone | SendError::Refused(_)) => Err(SendError::NotAllowed),
            Err(error) => Err(error),
            Ok(_) => {
                self.inner.memory.lock().set_home(channel, ChannelHome::Direct(user));
                Ok(ChatId(format!("dc:{channel}")))
            }
        }
    }
}

#[async_trait]
impl MessageLookup for DiscordPlatform {
    async fn refresh_chat_state(&self, chat: &ChatId) {
        let Ok(channel) = channel_of(chat) else { return };
        // A failure does no harm here.
        self.inner.find_channel_home(channel).await.ok();
        let said = self.inner.message_tracker.load_messages(&channel.to_string()).await;
        let mut memory = self.inner.memory.lock();
        said.into_iter().for_each(|it| memory.add_message(channel, it.cast_unsigned()));
    }

    fn messages_below(&self, chat: &ChatId, id: &MessageId) -> u32 {
        match (channel_of(chat), payloads::message_number(id)) {
            (Ok(channel), Some(message)) => {
                self.inner.memory.lock().messages_below(channel, message)
            }
            _ => 0,
        }
    }

    fn message_link(&self, chat: &ChatId, id: &MessageId) -> Option<String> {
        let channel = channel_of(chat).ok()?;
        let message = payloads::message_number(id)?;
        let home = match self.inner.memory.lock().home_of(channel)? {
            ChannelHome::Guild(guild) => guild.to_string(),
            ChannelHome::Direct(_) | ChannelHome::GroupDirect => "@me".to_owned(),
        };
        Some(format!("https://discord.com/channels/{home}/{channel}/{message}"))
    }
}

impl PermissionLookup for DiscordPlatform {
    fn missing_permissions(&self, chat: &ChatId) -> Vec<Arg> {
        let Ok(channel) = channel_of(chat) else { return Vec::new() };
        self.inner.memory.lock().missing_permissions(channel).into_iter().map(Arg::from).collect()
    }

    fn missing_picture_permission(&self, chat: &ChatId) -> Option<Arg> {
        let channel = channel_of(chat).ok()?;
        let is_missing = self.lacks_attach_files(channel);
        is_missing.then(|| Arg::from(ATTACH_FILES_NAME))
    }
}

impl PublicGroups for DiscordPlatform {
    /// Channels of servers that have installed the bot, which the gateway lists at the start. All
    /// other channels, unknown ones too, count as not public.
    fn is_public_group(&self, chat: &ChatId) -> bool {
        let Some((channel, false)) = convert::channel_of_chat(chat) else { return false };
        let home = self.inner.memory.lock().home_of(channel);
        matches!(home, Some(ChannelHome::Guild(_)))
    }
}

#[async_trait]
impl AppWindows for DiscordPlatform {
    fn board_link(&self, _chat: &ChatId, _kind: ChatKind, _code: Option<&str>) -> Option<AppLink> {
        self.inner.activity.then_some(AppLink::Launch)
    }

    async fn verify_user(
        &self,
        data: &str,
        instance: Option<&str>,
    ) -> Result<VerifiedUser, AuthError> {
        self.inner.verify_user(data, instance).await
    }
}

impl DiscordInner {
    /// Replaces a response by the reason why Discord shows it to its sender only.
    async fn explain_hidden_response(&self, interaction: &PendingInteraction) {
        let locale = self.memory.lock().locale_of(interaction.user);
        let text = RichText::plain(self.settings.texts.external_apps.for_locale(&locale));
        let reason = OutgoingMessage { text, ..OutgoingMessage::default() };
        let (body, files) = payloads::edit_body(&reason, &self.command_mentions());
        let path = self.original_path(&interaction.token);
        if let Err(error) = self.rest.call(Method::PATCH, &path, &body, &files).await {
            tracing::debug!(interaction = interaction.id, %error, "failed to hide a board");
        }
    }

    /// Posts a message in a channel, without the reference to the message that it answers where the
    /// bot may not answer messages.
    pub async fn post_in_channel(
        &self,
        channel: u64,
        body: &mut NewMessageBody,
        files: &[DiscordFile],
    ) -> Result<Value, DiscordCallError> {
        let path = format!("/channels/{channel}/messages");
        let answer = self.rest.call(Method::POST, &path, &*body, files).await;
        let is_refused = answer.as_ref().is_err_and(DiscordCallError::is_reference_refusal);
        match is_refused && body.remove_reference() {
            true => self.rest.call(Method::POST, &path, &*body, files).await,
            false => answer,
        }
    }

    /// Converts a refused message into the error for its channel. A direct channel is gone when its
    /// reader is gone.
    async fn channel_send_error(&self, channel: u64, error: DiscordCallError) -> SendError {
        if error.is_person_gone()
            && matches!(self.find_channel_home(channel).await, Ok(ChannelHome::Direct(_)))
        {
            return SendError::ChatGone;
        }
        error.into_send_error()
    }
}
