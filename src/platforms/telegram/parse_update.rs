//! Parses updates of the Bot API.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use teloxide::types::{
    CallbackQuery, Chat as TelegramChat, ChatKind as TelegramChatKind, ChatMemberKind,
    ChatMemberUpdated, InlineKeyboardButtonKind, MaybeInaccessibleMessage, Message, PublicChatKind,
    User,
};

use super::chat_state::ChatState;
use super::corrections::EDITED_MESSAGE;
use super::handler_reports::HandlerReports;
use super::identity::BotIdentity;
use super::inline;
use super::markup::{self, ParsedText};
use super::private_readers::TelegramPrivateChat;
use super::replaceable_messages::TelegramMessageHandle;
use super::send::{TelegramTarget, UNKNOWN_TARGET, to_chat_id};
use super::storage::TelegramStorage;
use caravanserai_games::ids::{ChatKind, MessageId, PersonId};
use caravanserai_platform_shared::visible_name::visible_name;
use caravanserai_protocol::{
    Arrival, Chat, Departure, Mention, ParentChats, Person, PersonKind, Update, UpdateKind,
};

/// Accounts that Telegram shows instead of anonymous admins and channels.
const ANONYMOUS_ACCOUNTS: [u64; 2] = [1_087_968_824, 136_817_688];

/// The source of an update, in Telegram's terms: everything that is needed to reply only to its
/// author.
#[derive(Clone, Debug)]
pub(super) struct UpdateOrigin {
    /// The chat.
    pub(super) chat: i64,
    /// The topic in it.
    pub(super) thread: Option<i32>,
    /// Whether only the author reads the chat.
    pub(super) private: bool,
    /// The author.
    pub(super) author: UpdateAuthor,
    /// The display name of the author.
    pub(super) name: String,
    /// The locale of the author's app.
    pub(super) locale: Option<String>,
    /// The author's message, or the message whose button was pressed.
    pub(super) message: Option<i32>,
    /// The author's own message, if only the bot saw it.
    pub(super) ephemeral: Option<i64>,
    /// The press (callback query) that waits for an answer.
    pub(super) query: Option<String>,
    /// The private message whose button was pressed.
    pub(super) inside: Option<TelegramMessageHandle>,
    /// Whether the pressed message has the button, as Telegram describes the message: the data of a
    /// press may be forged.
    pub(super) is_genuine: bool,
}

impl UpdateOrigin {
    /// Creates the origin for a message to a person who has not acted.
    pub(super) fn for_unasked_message(here: TelegramTarget, person: i64) -> Self {
        Self {
            chat: here.chat,
            thread: here.thread,
            private: here.chat == person,
            author: UpdateAuthor::Person(person),
            name: String::new(),
            locale: None,
            message: None,
            ephemeral: None,
            query: None,
            inside: None,
            is_genuine: false,
        }
    }
}

impl UpdateOrigin {
    /// The private chat in which the author acted, if it was one.
    pub(super) fn private_chat(&self) -> Option<TelegramPrivateChat> {
        TelegramPrivateChat::from_chat_id(self.chat).filter(|_| self.private)
    }

    /// Whether the update is a press on a message sent via inline mode, in an unknown chat.
    pub(super) fn is_chat_unknown(&self) -> bool {
        self.chat == UNKNOWN_TARGET.chat
    }
}

/// The author of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum UpdateAuthor {
    /// This person or bot, by Telegram's id.
    Person(i64),
    /// An anonymous admin of the group.
    SomeAdmin,
    /// A channel or Telegram itself: it cannot receive private replies.
    Nobody,
}

/// An update together with its source.
#[derive(Debug)]
pub(super) struct ParsedUpdate {
    /// The update in neutral terms.
    pub(super) update: Update,
    /// The source in Telegram's terms.
    pub(super) origin: UpdateOrigin,
    /// The chat and the person to check if the update cannot be handled before it is known whether
    /// the person is an admin there.
    pub(super) needs_admin_check: Option<(i64, i64)>,
}

impl ParsedUpdate {
    /// Creates an update that does not depend on the rights of its author.
    pub(super) fn new(update: Update, origin: UpdateOrigin) -> Self {
        ParsedUpdate { update, origin, needs_admin_check: None }
    }
}

/// Returns the chat whose order the update belongs to.
pub(super) fn chat_of(raw: &Value) -> i64 {
    let message = raw.get("message").or_else(|| raw.get(EDITED_MESSAGE));
    let message = message.or_else(|| raw.get("my_chat_member"));
    let message = message.or_else(|| raw.get("chat_member"));
    let message = message.or_else(|| raw["callback_query"].get("message"));
    let chat = message.and_then(|it| it["chat"]["id"].as_i64());
    // The only hint at the chat of a message sent via inline mode.
    let instance = || raw["callback_query"]["chat_instance"].as_str()?.parse().ok();
    let chat = chat.or_else(instance);
    // Inline queries belong to no chat.
    let typed = || raw["inline_query"]["from"]["id"].as_i64();
    // The chat id of a guest mention may equal that of another chat.
    let mention = || raw["guest_message"]["from"]["id"].as_i64();
    chat.or_else(typed).or_else(mention).unwrap_or_default()
}

/// Parses updates, and remembers what they tell of chats.
pub(super) struct UpdateParser {
    pub(super) identity: Arc<BotIdentity>,
    pub(super) chats: Arc<ChatState>,
    pub(super) storage: TelegramStorage,
    pub(super) handler: Arc<HandlerReports>,
}

impl UpdateParser {
    /// Parses an update; `None` if the bot does not use it. `admin`: whether its author is an
    /// admin, if Telegram was asked; this function does not ask.
    ///
    /// teloxide's own `Update` is not used: it reads only from text, and loses what came with newer
    /// versions of the Bot API.
    pub(super) async fn parse(&self, mut raw: Value, admin: Option<bool>) -> Option<ParsedUpdate> {
        let id = format!("tg/{}/{}", self.identity.user_id().0, raw["update_id"].as_i64()?);
        let ephemeral = raw["message"]["ephemeral_message_id"].as_i64();
        let inside = TelegramMessageHandle::from_pressed(&raw["callback_query"]);
        markup::remove_unknown_entities(&mut raw);
        if let Some(message) = parse_part(&mut raw, &id, "message") {
            return self.parse_message(id, &message, ephemeral, admin).await;
        }
        if let Some(read) = inline::parse_inline_press(&id, &raw["callback_query"]) {
            return Some(read);
        }
        if let Some(query) = parse_part(&mut raw, &id, "callback_query") {
            return self.parse_press(id, query, inside, admin).await;
        }
        if let Some(change) = parse_part(&mut raw, &id, "chat_member") {
            return self.parse_member_change(id, &change).await;
        }
        let change = parse_part(&mut raw, &id, "my_chat_member")?;
        self.parse_own_membership(id, &change).await
    }

    async fn parse_message(
        &self,
        id: String,
        message: &Message,
        ephemeral: Option<i64>,
        admin: Option<bool>,
    ) -> Option<ParsedUpdate> {
        let chat = message.chat.id.0;
        let thread = message.is_topic_message.then_some(message.thread_id).flatten();
        let thread = thread.map(|it| it.0.0);
        self.remember_message(&message.chat, thread, message.id.0);
        if message.chat.is_private() {
            // Also without a text: a Mini App may have asked for the right to write.
            self.chats.lock().set_reachable(chat, true);
        }
        if ephemeral.is_none() {
            self.chats.record_message(TelegramTarget { chat, thread }, message.id.0).await;
        }
        if let Some(read) = self.parse_migration(&id, message) {
            return Some(read);
        }
        if let Some(read) = self.parse_left_or_joined(&id, message).await {
            return Some(read);
        }
        if message.is_automatic_forward() {
            return None;
        }
        let text = message.text()?;
        if !self.is_typed(message, text) {
            return None;
        }
        let known = |user: &User| Mention::Known(person_of_user(user, None, false));
        let entities = message.entities().unwrap_or_default();
        let ParsedText { text, mentions, is_addressed } = markup::parse_text(
            text,
            entities,
            self.identity.username().unwrap_or_default(),
            &known,
        )?;
        let origin = UpdateOrigin {
            message: (ephemeral.is_none()).then_some(message.id.0),
            ephemeral,
            ..message_origin(
                &message.chat,
                thread,
                message.from.as_ref(),
                message.sender_chat.as_ref(),
            )
        };
        // In a topic, apps mark every message as a reply to the topic's first message.
        let reply = message.reply_to_message().map(|it| it.id.0).filter(|it| Some(*it) != thread);
        let reply_to = reply.filter(|it| *it > 0).map(|it| MessageId(it.to_string()));
        let chat_id = chat_from_telegram(&message.chat, thread);
        let body = UpdateKind::Text { text, mentions, reply_to, is_addressed };
        let (admin, asks_admin) = self.admin_status_if_needed(&body, &origin, admin).await;
        let update = Update {
            id,
            chat: chat_id,
            person: match &message.from {
                Some(user) => person_of_user(user, message.sender_chat.as_ref(), admin),
                None => person_of_chat(message.sender_chat.as_ref()?, admin),
            },
            kind: body,
            arrival: Arrival::default(),
        };
        if thread.is_none() && message.thread_id.is_some() && !message.chat.is_private() {
            self.chats.lock().add_comment(&update.id, chat, message.id.0);
        }
        tracing::trace!(chat, update = update.id, "received a text");
        Some(ParsedUpdate { update, origin, needs_admin_check: asks_admin })
    }

    /// Whether a person typed a text to the bot. They did not if they forwarded it, or if it is a
    /// message that the bot offered them to post, unless that is a command such as a move.
    fn is_typed(&self, message: &Message, text: &str) -> bool {
        let is_offered =
            message.via_bot.as_ref().is_some_and(|it| it.id == self.identity.user_id());
        message.forward_origin().is_none() && (!is_offered || text.starts_with('/'))
    }

    /// Telegram reports a group that became a supergroup in both, the old one and the new one.
    fn parse_migration(&self, id: &str, message: &Message) -> Option<ParsedUpdate> {
        let here = message.chat.id.0;
        let (from, to) = match (message.migrate_to_chat_id(), message.migrate_from_chat_id()) {
            (Some(to), _) => (here, to.0),
            (None, Some(from)) => (from.0, here),
            (None, None) => return None,
        };
        let update = Update {
            id: id.to_owned(),
            chat: Chat { id: to_chat_id(from, None), ..chat_from_telegram(&message.chat, None) },
            person: message
                .from
                .as_ref()
                .map_or_else(unknown_person, |it| person_of_user(it, None, false)),
            kind: UpdateKind::ChatMoved { to: to_chat_id(to, None) },
            arrival: Arrival::default(),
        };
        Some(ParsedUpdate::new(
            update,
            message_origin(&message.chat, None, message.from.as_ref(), None),
        ))
    }

    /// Parses that members left a group, were removed, or joined. For the bot itself there is
    /// another update.
    async fn parse_left_or_joined(&self, id: &str, message: &Message) -> Option<ParsedUpdate> {
        let other = |it: &&User| it.id != self.identity.user_id() && !it.is_bot;
        let who = |it: &User| person_of_user(it, None, false).id;
        let left = message.left_chat_member().filter(other);
        let came = message.new_chat_members().into_iter().flatten().filter(other).map(who);
        let came: Vec<PersonId> = came.collect();
        let body = match left {
            Some(left) => {
                let by_self = message.from.as_ref().is_none_or(|it| it.id == left.id);
                let how = if by_self { Departure::Left } else { Departure::Removed };
                UpdateKind::MemberLeft { who: who(left), how }
            }
            None if came.is_empty() => return None,
            None => UpdateKind::MembersJoined { who: came },
        };
        self.storage.forget_admins(message.chat.id.0).await;
        let update = Update {
            id: id.to_owned(),
            chat: chat_from_telegram(&message.chat, None),
            person: message
                .from
                .as_ref()
                .map_or_else(unknown_person, |it| person_of_user(it, None, false)),
            kind: body,
            arrival: Arrival::default(),
        };
        Some(ParsedUpdate::new(
            update,
            message_origin(&message.chat, None, message.from.as_ref(), None),
        ))
    }

    async fn parse_press(
        &self,
        id: String,
        query: CallbackQuery,
        inside: Option<TelegramMessageHandle>,
        admin: Option<bool>,
    ) -> Option<ParsedUpdate> {
        let mut is_genuine = false;
        let (chat, thread, message) = match query.message.as_ref()? {
            MaybeInaccessibleMessage::Regular(message) => {
                let thread = message.is_topic_message.then_some(message.thread_id).flatten();
                is_genuine = has_button(message, query.data.as_deref());
                (&message.chat, thread.map(|it| it.0.0), message.id.0)
            }
            MaybeInaccessibleMessage::Inaccessible(message) => {
                (&message.chat, None, message.message_id.0)
            }
        };
        self.remember_message(chat, thread, message);
        let message = Some(message).filter(|it| *it > 0);
        let inside = match (inside, message) {
            (None, Some(message)) => self.storage.private_answer(chat.id.0, message).await,
            (inside, _) => inside,
        };
        let origin = UpdateOrigin {
            message,
            inside,
            query: Some(query.id.0.clone()),
            is_genuine,
            ..message_origin(chat, thread, Some(&query.from), None)
        };
        let callback_data = query.data.unwrap_or_default();
        let body = UpdateKind::Press {
            callback_data,
            message: message.map(|it| MessageId(it.to_string())),
        };
        let (admin, asks_admin) = self.admin_status_if_needed(&body, &origin, admin).await;
        let update = Update {
            id,
            chat: chat_from_telegram(chat, thread),
            person: person_of_user(&query.from, None, admin),
            kind: body,
            arrival: Arrival::default(),
        };
        Some(ParsedUpdate { update, origin, needs_admin_check: asks_admin })
    }

    /// Parses that a member joined a group, left it, was removed or banned. Bots that are admins
    /// receive this also where no message says it.
    async fn parse_member_change(
        &self,
        id: String,
        change: &ChatMemberUpdated,
    ) -> Option<ParsedUpdate> {
        let chat = &change.chat;
        let user = &change.new_chat_member.user;
        if chat.is_channel() || chat.is_private() || user.is_bot {
            return None;
        }
        self.storage.forget_admins(chat.id.0).await;
        let is_there = |kind: &ChatMemberKind| match kind {
            ChatMemberKind::Restricted(it) => it.is_member,
            other => other.is_present(),
        };
        let before = is_there(&change.old_chat_member.kind);
        let who = person_of_user(user, None, false).id;
        let body = match (before, is_there(&change.new_chat_member.kind)) {
            (true, false) => {
                let how =
                    if change.from.id == user.id { Departure::Left } else { Departure::Removed };
                UpdateKind::MemberLeft { who, how }
            }
            (false, true) => UpdateKind::MembersJoined { who: vec![who] },
            (true, true) | (false, false) => return None,
        };
        Some(member_update(id, change, body))
    }

    /// Parses that the bot was added, removed, blocked, or got other rights.
    async fn parse_own_membership(
        &self,
        id: String,
        change: &ChatMemberUpdated,
    ) -> Option<ParsedUpdate> {
        let chat = &change.chat;
        if chat.is_channel() {
            return None;
        }
        let can_write = |kind: &ChatMemberKind| match kind {
            ChatMemberKind::Restricted(it) => it.is_member && it.can_send_messages,
            other => other.is_present(),
        };
        let before = can_write(&change.old_chat_member.kind);
        let after = can_write(&change.new_chat_member.kind);
        self.remember_message(chat, None, 0);
        self.storage.forget_admins(chat.id.0).await;
        self.chats.lock().clear_media_refusal(chat.id.0);
        if chat.is_private() {
            self.chats.lock().set_reachable(chat.id.0, after);
        }
        if after {
            // As an administrator it may write where members may not.
            self.handler.report_changed_rights(chat.id.0).await;
        }
        let body = match (before, after) {
            (false, true) => UpdateKind::BotAdded,
            (true, false) => UpdateKind::BotRemoved,
            (true, true) | (false, false) => return None,
        };
        Some(member_update(id, change, body))
    }

    fn remember_message(&self, chat: &TelegramChat, thread: Option<i32>, message: i32) {
        let mut memory = self.chats.lock();
        memory.set_public_name(chat.id.0, chat.username().filter(|_| !chat.is_private()));
        if let TelegramChatKind::Public(public) = &chat.kind
            && let PublicChatKind::Supergroup(group) = &public.kind
        {
            memory.set_forum(chat.id.0, group.is_forum);
        }
        memory.add_message(chat.id.0, thread, message);
    }

    /// Returns whether the author is an admin, if that matters for the update; in a private chat
    /// they are. Also returns the chat and the person to ask Telegram about, if it is unknown.
    async fn admin_status_if_needed(
        &self,
        body: &UpdateKind,
        origin: &UpdateOrigin,
        admin: Option<bool>,
    ) -> (bool, Option<(i64, i64)>) {
        let person = match origin.author {
            _ if origin.private => return (true, None),
            _ if !self.handler.needs_admin(body) => return (false, None),
            UpdateAuthor::Person(person) => person,
            UpdateAuthor::SomeAdmin => return (true, None),
            UpdateAuthor::Nobody => return (false, None),
        };
        let known = match admin {
            Some(admin) => Some(admin),
            None => self.storage.cached_admin(origin.chat, person).await,
        };
        (known == Some(true), known.is_none().then_some((origin.chat, person)))
    }
}

/// Takes one part of an update out as teloxide's type.
fn parse_part<T: DeserializeOwned>(raw: &mut Value, id: &str, name: &str) -> Option<T> {
    let value = raw.get_mut(name)?.take();
    match serde_json::from_value(value) {
        Ok(value) => Some(value),
        Err(error) => {
            tracing::debug!(update = id, part = name, %error, "failed to parse an update");
            None
        }
    }
}

/// Whether a message has a button with this data, as Telegram describes the message.
fn has_button(message: &Message, callback_data: Option<&str>) -> bool {
    let keyboard = message.reply_markup().map(|it| it.inline_keyboard.as_slice());
    let mut buttons = keyboard.unwrap_or_default().iter().flatten();
    buttons.any(|it| match &it.kind {
        InlineKeyboardButtonKind::CallbackData(own) => callback_data == Some(own),
        _ => false,
    })
}

fn message_origin(
    chat: &TelegramChat,
    thread: Option<i32>,
    user: Option<&User>,
    sender_chat: Option<&TelegramChat>,
) -> UpdateOrigin {
    let user = user.filter(|it| sender_chat.is_none() && !ANONYMOUS_ACCOUNTS.contains(&it.id.0));
    let author = match (user, sender_chat) {
        (Some(user), _) => {
            i64::try_from(user.id.0).map_or(UpdateAuthor::Nobody, UpdateAuthor::Person)
        }
        // Only anonymous admins send as the group itself.
        (None, Some(sender)) if sender.id == chat.id => UpdateAuthor::SomeAdmin,
        (None, _) => UpdateAuthor::Nobody,
    };
    UpdateOrigin {
        chat: chat.id.0,
        thread,
        private: chat.is_private(),
        author,
        name: user.map(User::full_name).unwrap_or_default(),
        locale: user.and_then(|it| it.language_code.clone()),
        message: None,
        ephemeral: None,
        query: None,
        inside: None,
        is_genuine: false,
    }
}

fn chat_from_telegram(chat: &TelegramChat, thread: Option<i32>) -> Chat {
    let title = match &chat.kind {
        TelegramChatKind::Public(public) => public.title.clone().or_else(|| match &public.kind {
            PublicChatKind::Channel(it) => it.username.clone(),
            PublicChatKind::Group => None,
            PublicChatKind::Supergroup(it) => it.username.clone(),
        }),
        TelegramChatKind::Private(private) => private.first_name.clone(),
    };
    Chat {
        id: to_chat_id(chat.id.0, thread),
        kind: if chat.is_private() { ChatKind::Private } else { ChatKind::Group },
        title: title.unwrap_or_default(),
        locale: None,
        parents: ParentChats::default(),
    }
}

pub(super) fn person_of_user(
    user: &User,
    sender_chat: Option<&TelegramChat>,
    admin: bool,
) -> Person {
    if let Some(chat) = sender_chat {
        return person_of_chat(chat, admin);
    }
    let id = user.id.0;
    let kind = match (ANONYMOUS_ACCOUNTS.contains(&id), user.is_bot) {
        (true, _) => PersonKind::Anonymous,
        (false, true) => PersonKind::Bot,
        (false, false) => PersonKind::Human,
    };
    Person {
        id: PersonId(format!("tg:{id}")),
        name: display_name(&user.full_name(), user.username.as_deref(), id),
        username: user.username.clone(),
        locale: user.language_code.clone(),
        kind,
        admin,
    }
}

/// Creates the person for a channel, or for a group that hides its admin.
fn person_of_chat(chat: &TelegramChat, admin: bool) -> Person {
    Person {
        id: PersonId(format!("tg:{}", chat.id.0)),
        name: display_name(
            chat.title().unwrap_or_default(),
            chat.username(),
            chat.id.0.unsigned_abs(),
        ),
        username: chat.username().map(str::to_owned),
        locale: None,
        kind: PersonKind::Anonymous,
        admin,
    }
}

fn unknown_person() -> Person {
    Person {
        id: PersonId("tg:0".to_owned()),
        name: "Telegram".to_owned(),
        username: None,
        locale: None,
        kind: PersonKind::Anonymous,
        admin: false,
    }
}

/// Returns a visible name: names may be blank, as those of deleted accounts.
pub(super) fn display_name(full: &str, username: Option<&str>, id: u64) -> String {
    visible_name(full).or(username.map(str::to_owned)).unwrap_or_else(|| format!("#{id}"))
}

/// Creates the update for a changed membership; its author is the person who made the change.
fn member_update(id: String, change: &ChatMemberUpdated, body: UpdateKind) -> ParsedUpdate {
    let chat = &change.chat;
    let chat_id = chat_from_telegram(chat, None);
    let person = person_of_user(&change.from, None, false);
    let update = Update { id, chat: chat_id, person, kind: body, arrival: Arrival::default() };
    ParsedUpdate::new(update, message_origin(chat, None, Some(&change.from), None))
}
