//! Handles gateway events and interactions: converts them into updates, and gives the first answers
//! that Discord wants within three seconds.

use std::pin::{Pin, pin};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Method;
use serenity::all::{
    AutocompleteChoice, ChannelType, CommandInteraction, ComponentInteraction, Context,
    CreateAutocompleteResponse, Event, Interaction, Message, MessageFlags, PartialChannel,
    PartialGuildChannel, Permissions, RawEventHandler,
};
use tokio::time::Sleep;

use super::activity::ENTRY_POINT;
use super::command_menu::GivenCommand;
use super::convert::{
    ATTACH_FILES_NAME, DiscordConversation, chat_from_channel, command_update, is_hidden_reply,
    message_author, message_text, missing_permissions, parent_channel, person_of_user,
    possible_chats,
};
use super::discord_cache::ChannelHome;
use super::event_order::EventTurn;
use super::interaction_responses::{
    FirstResponse, InteractionRef, ReplacedReply, TokenAudience, message_number,
};
use super::replaceable_messages::DiscordMessageHandle;
use super::rest_client::{DiscordCallError, retry_call};
use super::reveal_button::{REVEAL_PREFIX, brief_reply};
use super::server_events::is_locked_for_others;
use super::{DiscordInner, DiscordMenuEntry, PERMISSIONS_PLACEHOLDER, payloads};
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_games::text::RichText;
use caravanserai_protocol::{
    Ack, Arrival, Chat, Departure, EphemeralReply, OutgoingMessage, ParentChats, Person,
    PersonKind, ReplyForm, Update, UpdateHandler, UpdateKind,
};

/// The pauses before Discord is asked again for the kind of a channel: without it a typed move in a
/// direct channel would be ignored.
const LOOKUP_PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(3)];

/// How long suggestions may take.
const AUTOCOMPLETE_TIMEOUT: Duration = Duration::from_millis(2_500);

/// Handles events of the gateway.
pub(super) struct GatewayHandler {
    pub inner: Arc<DiscordInner>,
    pub handler: Arc<dyn UpdateHandler>,
}

#[serenity::async_trait]
impl RawEventHandler for GatewayHandler {
    async fn raw_event(&self, _: Context, event: Event) {
        let _busy = self.inner.begin_event();
        match event {
            Event::Ready(event) => {
                self.inner.report_connected();
                self.handle_missed_removals(&event.ready).await;
            }
            Event::Resumed(_) => self.inner.report_connected(),
            Event::InteractionCreate(event) => self.handle_interaction(event.interaction).await,
            Event::MessageCreate(event) => self.handle_message(event.message).await,
            Event::MessageDelete(event) => {
                let deleted = [event.message_id.get()];
                self.handle_deleted_messages(event.channel_id.get(), &deleted).await;
            }
            Event::MessageDeleteBulk(event) => {
                let deleted: Vec<u64> = event.ids.iter().map(|it| it.get()).collect();
                self.handle_deleted_messages(event.channel_id.get(), &deleted).await;
            }
            Event::GuildCreate(event) => self.handle_described_server(&event.guild).await,
            Event::ChannelCreate(event) => {
                self.inner.memory.lock().remember_channel(event.channel.guild_id, &event.channel);
            }
            Event::ThreadCreate(event) => {
                let thread = &event.thread;
                self.handle_described_threads(thread.guild_id, slice::from_ref(thread)).await;
            }
            Event::ThreadListSync(event) => {
                self.handle_described_threads(event.guild_id, &event.threads).await;
            }
            Event::GuildDelete(event) if !event.guild.unavailable => {
                self.handle_server_removal(event.guild.id.get()).await;
            }
            // After a restart it is unknown here whether the channel had a board.
            Event::ChannelDelete(event) => {
                let channel = event.channel.id.get();
                self.inner.memory.lock().forget_channel(channel);
                self.handle_channel_gone(channel, UpdateKind::ChatDeleted).await;
            }
            Event::ThreadDelete(event) => self.handle_thread_gone(&event.thread).await,
            Event::Unknown(event) if event.kind == "INTERACTION_CREATE" => {
                // The client library drops events that it cannot parse.
                tracing::error!("failed to parse an interaction; it gets no answer");
            }
            event => self.handle_moderation_event(event).await,
        }
    }
}

impl GatewayHandler {
    /// Records who manages a server, if this event says so.
    pub fn remember_roles(&self, event: &Event) {
        let mut memory = self.inner.memory.lock();
        match event {
            Event::GuildUpdate(event) => {
                let guild = &event.guild;
                memory.set_roles(guild.id, guild.owner_id.get(), guild.roles.values());
            }
            Event::GuildRoleCreate(event) => memory.set_role(&event.role),
            Event::GuildRoleUpdate(event) => memory.set_role(&event.role),
            Event::GuildRoleDelete(event) => memory.remove_role(event.guild_id, event.role_id),
            _ => {}
        }
    }

    /// Handles a command, a press or a suggestion request, once.
    pub async fn handle_interaction(&self, interaction: Interaction) {
        if !self.inner.memory.lock().is_first_delivery(interaction.id().get()) {
            return;
        }
        let arrival = self.handler.record_arrival();
        match interaction {
            Interaction::Command(command) => self.handle_command(&command, arrival).await,
            Interaction::Component(press) => self.handle_press(&press, arrival).await,
            Interaction::Autocomplete(typing) => self.handle_autocomplete(&typing).await,
            _ => {}
        }
    }

    async fn handle_command(&self, command: &CommandInteraction, arrival: Arrival) {
        let mut origin = InteractionRef {
            id: command.id.get(),
            token: &command.token,
            user: command.user.id.get(),
            channel: command.channel_id.get(),
            audience: TokenAudience::Channel,
        };
        let turn = self.enqueue(&origin);
        let guild = command.guild_id.map(|it| it.get());
        let (owners, context) = (&command.authorizing_integration_owners, command.context);
        let known = DiscordConversation::from_interaction(guild, origin.user, owners, context);
        let (at, channel) =
            (self.conversation_kind(known, origin.channel).await, command.channel.as_ref());
        self.adopt_channel(at, origin.channel, origin.id).await;
        let permissions = command.member.as_ref().and_then(|it| it.permissions);
        origin.audience = TokenAudience::new(at, permissions);
        let chat = self.interaction_chat(&origin, at, channel, command.guild_locale.as_deref());
        self.note_user(&origin, known, &command.locale);
        let menu = self.menu();
        let given = GivenCommand::find(&command.data, &menu);
        let posts = given.declared.is_none_or(|it| it.needs_post_permission);
        let missing = self.missing_permissions(&origin, at, (channel, command.app_permissions));
        let posts = posts && command.data.name != ENTRY_POINT;
        if let Some(words) = self.command_refusal(command, origin.audience, posts, &missing) {
            return self.refuse(&origin, words).await;
        }
        let update = Update {
            id: format!("dc/{}", command.id),
            chat,
            person: person_of_user(&command.user, command.member.as_deref(), Some(&command.locale)),
            kind: command_update(&given, &command.data.resolved),
            arrival,
        };
        let mut waiting = self.inner.waiting.wait_for_post(&origin, &update.id);
        let handling = self.handle_in_order(turn, update);
        let late = tokio::time::sleep(self.inner.settings.watchdog);
        tokio::pin!(handling, late);
        let early = finish_before(late.as_mut(), handling.as_mut()).await;
        if early.as_deref().is_some_and(is_launch_reply) {
            self.send_first_response(&origin, &FirstResponse::LaunchActivity).await;
            return;
        }
        if early.as_ref().is_some_and(|it| it.iter().any(|it| it.purpose.is_being_posted())) {
            // The message that the command posts is the answer.
            finish_before(late.as_mut(), pin!(waiting.wait_answered())).await;
        }
        if waiting.give_up().await {
            let replies = match early {
                Some(replies) => replies,
                None => handling.await,
            };
            self.send_follow_ups(&origin, &without_acks(replies)).await;
            return;
        }
        match early {
            Some(replies) => self.respond_or_delete(&origin, replies).await,
            None => {
                let _deferred = self.inner.deferred.begin(origin.channel);
                let deferred = FirstResponse::DeferredMessage;
                let sent = self.send_first_response(&origin, &deferred).await;
                let replies = handling.await;
                if sent {
                    self.respond_deferred(&origin, acks_only_if_alone(replies)).await;
                }
            }
        }
    }

    /// Records the channel and the locale of a user who acted.
    fn note_user(
        &self,
        origin: &InteractionRef<'_>,
        known: Option<DiscordConversation>,
        locale: &str,
    ) {
        let mut memory = self.inner.memory.lock();
        if let Some(known) = known {
            memory.set_home(origin.channel, known.channel_home());
        }
        memory.set_locale(origin.user, locale);
    }

    /// Returns the chat of an interaction.
    fn interaction_chat(
        &self,
        origin: &InteractionRef<'_>,
        at: DiscordConversation,
        about: Option<&PartialChannel>,
        locale: Option<&str>,
    ) -> Chat {
        chat_from_channel(
            at,
            (origin.channel, self.parent_channel(origin.channel, about)),
            about,
            locale,
        )
    }

    /// Returns the parent channel of a thread: as the interaction describes it, else as the gateway
    /// did.
    fn parent_channel(&self, channel: u64, about: Option<&PartialChannel>) -> Option<u64> {
        let mut memory = self.inner.memory.lock();
        let Some(about) = about else { return memory.thread_of(channel).flatten() };
        let parent = parent_channel(about);
        memory.set_thread(channel, parent);
        parent
    }

    /// Returns the permissions that the bot lacks where a user acted, and records them.
    fn missing_permissions(
        &self,
        origin: &InteractionRef<'_>,
        at: DiscordConversation,
        (channel, allowed): (Option<&PartialChannel>, Option<Permissions>),
    ) -> Vec<&'static str> {
        if !matches!(at, DiscordConversation::Server(_)) {
            // Answers in other conversations go over the interaction, which needs no permissions.
            return Vec::new();
        }
        let missing = missing_permissions(channel, allowed);
        self.inner.memory.lock().set_missing_permissions(origin.channel, missing.clone());
        missing
    }

    /// Returns why a command cannot be used here, in the language of its sender. `posts`: whether
    /// it posts a message that others read.
    fn command_refusal(
        &self,
        command: &CommandInteraction,
        audience: TokenAudience,
        posts: bool,
        missing: &[&str],
    ) -> Option<String> {
        let (texts, locale) = (&self.inner.settings.texts, &command.locale);
        let permissions = command.member.as_ref().and_then(|it| it.permissions);
        if is_locked_for_others(command.channel.as_ref(), permissions) {
            return Some(texts.thread_locked.for_locale(locale).to_owned());
        }
        if posts && audience == TokenAudience::Sender {
            return Some(texts.external_apps.for_locale(locale).to_owned());
        }
        // Without the permission for files a board is sent as text.
        if !posts || missing.iter().all(|it| *it == ATTACH_FILES_NAME) {
            return None;
        }
        let words = texts.missing_permissions.for_locale(locale);
        Some(words.replace(PERMISSIONS_PLACEHOLDER, &missing.join(", ")))
    }

    /// Answers with a short text of the adapter.
    async fn refuse(&self, origin: &InteractionRef<'_>, words: String) {
        let message =
            OutgoingMessage { text: RichText::plain(words), ..OutgoingMessage::default() }.into();
        let form = ReplyForm::Toast;
        let refusal = EphemeralReply { message, form, ..EphemeralReply::default() };
        self.respond(origin, vec![refusal]).await;
    }

    /// Answers a command. Every command needs an answer; if there are no replies, the answer is
    /// deleted at once.
    async fn respond_or_delete(&self, origin: &InteractionRef<'_>, replies: Vec<EphemeralReply>) {
        if !replies.is_empty() {
            self.respond(origin, acks_only_if_alone(replies)).await;
            return;
        }
        let _deferred = self.inner.deferred.begin(origin.channel);
        if self.send_first_response(origin, &FirstResponse::DeferredMessage).await {
            self.delete_original(origin).await;
        }
    }

    /// Delivers the replies to a press that got a deferred answer.
    async fn respond_after_deferral(
        &self,
        origin: &InteractionRef<'_>,
        press: &ComponentInteraction,
        replies: Vec<EphemeralReply>,
    ) {
        match replaced_reply(press, &replies) {
            Some(replaced) => {
                self.replace_pressed_message_deferred(origin, replies, replaced).await
            }
            None => drop(self.send_follow_ups(origin, &replies).await),
        }
    }

    async fn handle_press(&self, press: &ComponentInteraction, arrival: Arrival) {
        let mut origin = InteractionRef {
            id: press.id.get(),
            token: &press.token,
            user: press.user.id.get(),
            channel: press.channel_id.get(),
            audience: TokenAudience::Channel,
        };
        let turn = self.enqueue(&origin);
        let guild = press.guild_id.map(|it| it.get());
        let (owners, context) = (&press.authorizing_integration_owners, press.context);
        let known = DiscordConversation::from_interaction(guild, origin.user, owners, context);
        let (at, channel) =
            (self.conversation_kind(known, origin.channel).await, press.channel.as_ref());
        self.adopt_channel(at, origin.channel, origin.id).await;
        let permissions = press.member.as_ref().and_then(|it| it.permissions);
        origin.audience = TokenAudience::new(at, permissions);
        let chat = self.interaction_chat(&origin, at, channel, press.guild_locale.as_deref());
        self.note_user(&origin, known, &press.locale);
        self.missing_permissions(&origin, at, (channel, press.app_permissions));
        if press.data.custom_id.starts_with(REVEAL_PREFIX) {
            return self.reveal_replies(&origin, press, (&chat, &turn)).await;
        }
        if is_locked_for_others(channel, permissions) {
            let words = self.inner.settings.texts.thread_locked.for_locale(&press.locale);
            return self.refuse(&origin, words.to_owned()).await;
        }
        let update = Update {
            id: format!("dc/{}", press.id),
            chat,
            person: person_of_user(&press.user, press.member.as_ref(), Some(&press.locale)),
            kind: UpdateKind::Press {
                callback_data: press.data.custom_id.clone(),
                message: Some(MessageId(press.message.id.to_string())),
            },
            arrival,
        };
        let message = press.message.id.get();
        let mut waiting = self.inner.waiting.wait_for_edit(&origin, message);
        let handling = self.handle_in_order(turn, update);
        let late = tokio::time::sleep(self.inner.settings.watchdog);
        tokio::pin!(handling, late);
        let early = finish_before(late.as_mut(), handling.as_mut()).await;
        let Some(replies) = early else {
            if !waiting.give_up().await {
                self.defer_update(&origin, message).await;
            }
            return self.respond_after_deferral(&origin, press, without_acks(handling.await)).await;
        };
        if is_launch_reply(&replies) {
            self.send_first_response(&origin, &FirstResponse::LaunchActivity).await;
            return;
        }
        let changed = replies.iter().any(|it| it.purpose.is_ack());
        let rest = match is_private(press) {
            // The private message shows the acknowledgement if nothing else replaces it.
            true => acks_only_if_alone(replies),
            false => without_acks(replies),
        };
        if changed && rest.is_empty() {
            // The new board is the answer.
            finish_before(late.as_mut(), pin!(waiting.wait_answered())).await;
        }
        let is_answered = waiting.give_up().await;
        match replaced_reply(press, &rest) {
            _ if is_answered => drop(self.send_follow_ups(&origin, &rest).await),
            _ if rest.is_empty() => self.defer_update(&origin, message).await,
            Some(replaced) => self.replace_pressed_message(&origin, rest, replaced).await,
            None => drop(self.respond(&origin, rest).await),
        }
    }

    /// Adds an interaction to those that wait for their turn: before the first wait, during which a
    /// later one may arrive.
    fn enqueue(&self, origin: &InteractionRef<'_>) -> EventTurn {
        self.inner.turns.enqueue(origin.user, origin.channel, origin.id)
    }

    /// Handles an update after all earlier ones of this user in this channel.
    async fn handle_in_order(&self, turn: EventTurn, update: Update) -> Vec<EphemeralReply> {
        turn.wait_for_turn().await;
        let outcome = self.handler.handle_deferrable(update).await;
        // Later updates of the same user do not wait for engines and networks.
        drop(turn);
        outcome.complete().await.replies
    }

    async fn handle_autocomplete(&self, typing: &CommandInteraction) {
        let (guild, user) = (typing.guild_id.map(|it| it.get()), typing.user.id.get());
        let (owners, context) = (&typing.authorizing_integration_owners, typing.context);
        let known = DiscordConversation::from_interaction(guild, user, owners, context);
        let number = typing.channel_id.get();
        let at = self.conversation_kind(known, number).await;
        let channel = typing.channel.as_ref();
        let spot = (number, self.parent_channel(number, channel));
        let chat = chat_from_channel(at, spot, channel, typing.guild_locale.as_deref());
        let person = person_of_user(&typing.user, typing.member.as_deref(), Some(&typing.locale));
        let Some(focused) = typing.data.autocomplete() else { return };
        let menu = self.menu();
        let given = GivenCommand::find(&typing.data, &menu);
        let found = async {
            let suggestions = self.handler.argument_suggestions()?;
            let (command, typed) = (given.name, focused.value);
            Some(suggestions.suggest_arguments(&chat, &person, command, typed).await)
        };
        // Late suggestions are useless, and Discord needs an answer.
        let found = tokio::time::timeout(AUTOCOMPLETE_TIMEOUT, found).await;
        let choices = found
            .ok()
            .flatten()
            .unwrap_or_default()
            .iter()
            .filter(|it| !it.label.is_empty() && it.value.chars().count() <= 100)
            .take(25)
            .map(|it| {
                AutocompleteChoice::new(payloads::truncate(&it.label, 100), it.value.as_str())
            })
            .collect();
        let origin = InteractionRef {
            id: typing.id.get(),
            token: &typing.token,
            user: typing.user.id.get(),
            channel: typing.channel_id.get(),
            audience: TokenAudience::Sender,
        };
        let response = CreateAutocompleteResponse::new().set_choices(choices);
        self.send_first_response(&origin, &FirstResponse::Autocomplete(response)).await;
    }

    /// Handles messages that Discord shows to every bot: in direct messages, and where the bot is
    /// mentioned or replied to.
    async fn handle_message(&self, message: Message) {
        let (channel, me) = (message.channel_id.get(), self.inner.me);
        let arrival = self.handler.record_arrival();
        let (user, number) = (message.author.id.get(), message.id.get());
        let own = user == me || message.webhook_id.is_some();
        let is_for_bot = {
            let mut memory = self.inner.memory.lock();
            memory.add_message(channel, number);
            !own && !message.author.bot
                && !message.content.is_empty()
                && memory.is_first_delivery(number)
                // In a locked thread only moderators can write, and nobody plays.
                && !memory.is_locked(channel)
        };
        // Before the first wait, during which a later message or press may arrive.
        let turn = is_for_bot.then(|| self.inner.turns.enqueue(user, channel, number));
        if !own {
            let (tracker, chat) = (&self.inner.message_tracker, channel.to_string());
            tracker.record_message(&chat, number.cast_signed()).await;
        }
        let Some(turn) = turn else {
            if !own && !message.author.bot && is_hidden_reply(&message, me) {
                self.explain_hidden_reply(&message).await;
            }
            return;
        };
        let known = message.guild_id.map(|it| DiscordConversation::Server(it.get()));
        if let Some(at) = known {
            self.inner.memory.lock().set_home(channel, at.channel_home());
        }
        let at = self.conversation_kind(known, channel).await;
        self.adopt_channel(at, channel, number).await;
        let private = at == DiscordConversation::Direct(user);
        let parent = match at {
            DiscordConversation::Server(_) => self.inner.thread_of(channel).await,
            DiscordConversation::ForeignServer(_)
            | DiscordConversation::Direct(_)
            | DiscordConversation::GroupDirect => None,
        };
        let is_admin = match (message.guild_id, &message.member) {
            (Some(guild), Some(member)) => {
                self.inner.memory.lock().is_server_admin(guild, user, &member.roles)
            }
            _ => false,
        };
        let update = Update {
            id: format!("dc/{}", message.id),
            chat: chat_from_channel(at, (channel, parent), None, None),
            person: message_author(&message, is_admin),
            kind: message_text(&message, me),
            arrival,
        };
        let chat = update.chat.id.clone();
        let replies = without_acks(self.handle_in_order(turn, update).await);
        self.answer_message(&message, (&chat, private), replies).await;
    }

    /// Tells the author of a reply to a board that the bot cannot read it, once in a day.
    async fn explain_hidden_reply(&self, message: &Message) {
        let (channel, user) = (message.channel_id.get(), message.author.id.get());
        let locale = {
            let mut memory = self.inner.memory.lock();
            if memory.is_locked(channel) || !memory.is_explanation_due(user, message.id.get()) {
                return;
            }
            memory.locale_of(user)
        };
        let [chat, _] = possible_chats(channel);
        let words = brief_reply(&self.inner.settings.texts.unreadable_reply, &locale);
        self.answer_message(message, (&chat, false), words).await;
    }

    /// Delivers the replies to a message to its author: privately, or behind a button.
    async fn answer_message(
        &self,
        message: &Message,
        (chat, private): (&ChatId, bool),
        replies: Vec<EphemeralReply>,
    ) {
        let (channel, user) = (message.channel_id.get(), message.author.id.get());
        let mut undelivered = Vec::new();
        for (number, reply) in replies.into_iter().enumerate() {
            let done = match private {
                true => self.answer_direct_message(chat, message, number, &reply).await,
                false => self.answer_with_token(user, channel, &reply).await,
            };
            if let Err(error) = done {
                tracing::debug!(chat = chat.0, %error, "failed to deliver a private reply");
                undelivered.push(reply);
            }
        }
        if !private && !undelivered.is_empty() {
            self.post_reveal_button(message, undelivered).await;
        }
    }

    /// Replies in a direct channel, where every message is private.
    async fn answer_direct_message(
        &self,
        chat: &ChatId,
        answered: &Message,
        number: usize,
        reply: &EphemeralReply,
    ) -> Result<(), DiscordCallError> {
        let direct = self.inner.direct_channel(chat).await.ok().flatten();
        let unproven = || DiscordCallError::Network("it is not known who reads the channel".into());
        let direct = direct.ok_or_else(unproven)?;
        let message = OutgoingMessage {
            reply_to: Some(MessageId(answered.id.to_string())),
            // A second try posts no second answer.
            nonce: format!("answer {} {number}", answered.id),
            ..reply.message.for_reader(&direct).clone()
        };
        let (body, files) = payloads::new_message_body(&message, &self.inner.command_mentions());
        let path = format!("/channels/{}/messages", direct.channel());
        let post = || self.inner.rest.call(Method::POST, &path, &body, &files);
        let said = retry_call(post).await?;
        if let Some(id) = message_number(&said) {
            let (user, now) =
                (answered.author.id.get(), DiscordMessageHandle::of_direct(direct, id));
            self.inner.store_and_replace(user, reply.slot.as_deref(), now).await;
        }
        Ok(())
    }

    async fn answer_with_token(
        &self,
        user: u64,
        channel: u64,
        reply: &EphemeralReply,
    ) -> Result<(), DiscordCallError> {
        match self.inner.user_token(user, channel).await {
            Some(token) => retry_call(|| self.inner.post_follow_up(user, &token, reply)).await,
            None => {
                Err(DiscordCallError::Network("the author has not pressed anything lately".into()))
            }
        }
    }

    /// Reports for all channels of a server that a user has left it (`left` says how) or joined it.
    /// One removal comes as several events: of two that are handled at the same time, the one that
    /// is recorded last would make the other one fail.
    pub async fn handle_member_change(&self, guild: u64, user: u64, left: Option<Departure>) {
        let who = PersonId(format!("dc:{user}"));
        let event = self.inner.next_number.fetch_add(1, Ordering::Relaxed);
        // Before the first wait, during which a later event may arrive.
        let turn = self.inner.turns.enqueue(user, guild, event);
        // Servers have many channels.
        if !self.may_be_known(user).await {
            return;
        }
        turn.wait_for_turn().await;
        let body = match left {
            None => UpdateKind::MembersJoined { who: vec![who] },
            Some(how) => UpdateKind::MemberLeft { who, how },
        };
        let channels = self.inner.memory.lock().channels_of(guild);
        for channel in channels {
            self.handle_channel_gone(channel, body.clone()).await;
        }
    }

    /// Reports for a channel that it was deleted, that the bot was removed from it, or that a
    /// member joined or left.
    pub async fn handle_channel_gone(&self, channel: u64, body: UpdateKind) {
        let chat = Chat {
            parents: ParentChats::default(),
            ..chat_from_channel(DiscordConversation::Server(0), (channel, None), None, None)
        };
        self.report_change(channel, chat, body).await;
    }

    /// Reports that a thread was locked, so that only moderators can act there. `author`: who did
    /// it, if that is known.
    pub async fn handle_channel_lock(&self, channel: u64, author: Option<Person>) -> Ack {
        let at = DiscordConversation::Server(0);
        let chat = Chat {
            parents: ParentChats::default(),
            ..chat_from_channel(at, (channel, None), None, None)
        };
        let update = self.change_update(channel, chat, UpdateKind::BotRemoved);
        let person = author.unwrap_or_else(|| update.person.clone());
        self.handler.handle_report(Update { person, ..update }).await
    }

    /// Reports that a thread was deleted. Its tables move to its channel if the same members read
    /// both and messages can be posted there.
    async fn handle_thread_gone(&self, thread: &PartialGuildChannel) {
        let (channel, parent) = (thread.id.get(), thread.parent_id.get());
        let is_parent_forum = {
            let mut memory = self.inner.memory.lock();
            memory.forget_channel(channel);
            memory.has_only_threads(parent)
        };
        let takes_tables = thread.kind != ChannelType::PrivateThread && !is_parent_forum;
        let at = DiscordConversation::Server(thread.guild_id.get());
        let chat = chat_from_channel(at, (channel, takes_tables.then_some(parent)), None, None);
        self.report_change(channel, chat, UpdateKind::ChatDeleted).await;
    }

    /// Reports that the bot can act in a channel of a server again. Returns whether that is stored.
    pub async fn handle_bot_return(&self, guild: u64, channel: u64) -> Ack {
        let parent = self.inner.memory.lock().thread_of(channel).flatten();
        let at = DiscordConversation::Server(guild);
        let chat = chat_from_channel(at, (channel, parent), None, None);
        self.report_change(channel, chat, UpdateKind::BotAdded).await
    }

    /// Reports that a channel has the id of one where the bot is a member. Returns whether that is
    /// stored.
    pub async fn handle_channel_move(&self, channel: u64) -> Ack {
        let [to, from] = possible_chats(channel);
        let at = DiscordConversation::Server(0);
        let known = chat_from_channel(at, (channel, None), None, None);
        let chat = Chat { id: from, parents: ParentChats::default(), ..known };
        let update = self.change_update(channel, chat, UpdateKind::ChatMoved { to });
        // If it is not stored, the next request reports it again: it must not wait in a queue, too.
        self.handler.handle_deferrable(update).await.complete().await.ack
    }

    /// Reports a change of a chat in the name of the bot. Returns whether that is stored.
    async fn report_change(&self, channel: u64, chat: Chat, kind: UpdateKind) -> Ack {
        let update = self.change_update(channel, chat, kind);
        self.handler.handle_report(update).await
    }

    /// Returns an update about a change of a chat in the name of the bot.
    fn change_update(&self, channel: u64, chat: Chat, kind: UpdateKind) -> Update {
        let what = match kind {
            UpdateKind::BotAdded => "back",
            UpdateKind::ChatMoved { .. } => "moved",
            UpdateKind::Text { .. }
            | UpdateKind::Command { .. }
            | UpdateKind::Press { .. }
            | UpdateKind::BotRemoved
            | UpdateKind::MemberLeft { .. }
            | UpdateKind::MembersJoined { .. }
            | UpdateKind::ChatDeleted => "gone",
        };
        let me = Person {
            id: PersonId(format!("dc:{}", self.inner.me)),
            name: "Discord".to_owned(),
            username: None,
            locale: None,
            kind: PersonKind::Bot,
            admin: false,
        };
        Update {
            // The id has no number because it does not define an order.
            id: format!("dc/{what}/{channel}/x{}", self.inner.unique_id()),
            chat,
            person: me,
            kind,
            arrival: Arrival::default(),
        }
    }

    fn menu(&self) -> Arc<Vec<DiscordMenuEntry>> {
        self.inner.menu.lock().clone()
    }

    /// Returns the kind of conversation of a channel. Asks Discord if the event does not contain
    /// it, and once more after each pause while it does not answer; an unknown channel counts as
    /// read by other people.
    async fn conversation_kind(
        &self,
        known: Option<DiscordConversation>,
        channel: u64,
    ) -> DiscordConversation {
        if let Some(known) = known {
            return known;
        }
        let mut found = self.inner.find_channel_home(channel).await;
        for pause in LOOKUP_PAUSES {
            if found.is_ok() {
                break;
            }
            tokio::time::sleep(pause).await;
            found = self.inner.find_channel_home(channel).await;
        }
        match found {
            Ok(ChannelHome::Guild(guild)) => DiscordConversation::Server(guild),
            Ok(ChannelHome::Direct(user)) => DiscordConversation::Direct(user),
            Ok(ChannelHome::GroupDirect) | Err(_) => DiscordConversation::GroupDirect,
        }
    }
}

/// Whether the answer is to open the Activity.
fn is_launch_reply(replies: &[EphemeralReply]) -> bool {
    replies.iter().any(|it| it.purpose.launches_app())
}

/// Returns the result of `work` if it finishes before the deadline.
pub(super) async fn finish_before<T>(
    late: Pin<&mut Sleep>,
    work: Pin<&mut impl Future<Output = T>>,
) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = late => None,
    }
}

/// Returns which reply replaces the private message whose button was pressed: a hand, or a message
/// with buttons, like pages.
fn replaced_reply(
    press: &ComponentInteraction,
    replies: &[EphemeralReply],
) -> Option<ReplacedReply> {
    let hand = replies.iter().position(|it| it.slot.is_some());
    let is_page = |it: &EphemeralReply| !it.message.buttons().is_empty() || it.purpose.is_ack();
    let page = || replies.iter().position(is_page);
    let index = hand.or_else(page).filter(|_| is_private(press))?;
    Some(ReplacedReply { message: press.message.id.get(), index })
}

/// Whether a button was pressed under a message that only the presser sees.
fn is_private(press: &ComponentInteraction) -> bool {
    press.message.flags.is_some_and(|it| it.contains(MessageFlags::EPHEMERAL))
}

/// Drops acknowledgements, because the board shows the change.
fn without_acks(mut replies: Vec<EphemeralReply>) -> Vec<EphemeralReply> {
    replies.retain(|it| !it.purpose.is_ack());
    replies
}

/// Drops acknowledgements unless there is nothing else, for answers without a board.
fn acks_only_if_alone(mut replies: Vec<EphemeralReply>) -> Vec<EphemeralReply> {
    if replies.iter().any(|it| !it.purpose.is_ack()) {
        replies.retain(|it| !it.purpose.is_ack());
    }
    replies
}
