//! Implements [`Platform`] and its abilities for Telegram.

use async_trait::async_trait;

use super::init_data::InitDataVerifier;
use super::picture_chat::PICTURES_PER_MINUTE;
use super::private_readers::TelegramPrivateChat;
use super::{MiniApp, TelegramPlatform, inline, now_ms, send};
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_games::text::Arg;
use caravanserai_protocol::guest_service::{AuthError, VerifiedUser};
use caravanserai_protocol::{
    AppLink, AppWindows, Capabilities, CommandStyle, EphemeralMessages, InlineBoards, InviteLink,
    InviteLinks, InviteTarget, MemberLookup, MessageLookup, OutgoingMessage, PermissionLookup,
    Platform, PrivateChats, PrivateMessage, PublicGroups, SendError,
};

#[async_trait]
impl Platform for TelegramPlatform {
    fn name(&self) -> &'static str {
        "tg"
    }

    fn capabilities(&self) -> Capabilities {
        let name = self.identity.username();
        Capabilities {
            invite_url: name.map(|name| format!("https://t.me/{name}?startgroup=play")),
            // The smallest right makes an admin of the bot, and any admin shows hands at any time.
            invite_url_for_hands: name
                .map(|name| format!("https://t.me/{name}?startgroup=play&admin=delete_messages")),
            greets_groups: true,
            challenge_prefix: name
                .filter(|_| self.identity.supports_inline_queries())
                .map(|name| format!("@{name}")),
            command_style: CommandStyle::TypedWithLinks,
            ..Capabilities::default()
        }
    }

    fn call_limit_per_minute(&self, chat: &ChatId) -> u32 {
        // Telegram allows 20 a minute in a group and about one a second elsewhere.
        match send::parse_chat_id(chat) {
            Some(target) if target.chat < 0 => 18,
            // Each board needs a picture first.
            None if self.can_show_pictures() => PICTURES_PER_MINUTE,
            Some(_) | None => 55,
        }
    }

    /// Ignores the nonce: the Bot API cannot reject a second copy by it.
    async fn post(&self, chat: &ChatId, message: &OutgoingMessage) -> Result<MessageId, SendError> {
        self.sender.post_to(chat, message).await
    }

    async fn edit(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        self.sender.edit_at(chat, id, message).await
    }

    async fn delete(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
        self.sender.delete_at(chat, id).await
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

    fn member_lookup(&self) -> Option<&dyn MemberLookup> {
        Some(self)
    }

    fn permission_lookup(&self) -> Option<&dyn PermissionLookup> {
        Some(self)
    }

    fn public_groups(&self) -> Option<&dyn PublicGroups> {
        Some(self)
    }

    fn inline_boards(&self) -> Option<&dyn InlineBoards> {
        Some(self)
    }

    fn invite_links(&self) -> Option<&dyn InviteLinks> {
        Some(self)
    }

    fn app_windows(&self) -> Option<&dyn AppWindows> {
        Some(self)
    }
}

#[async_trait]
impl EphemeralMessages for TelegramPlatform {
    fn has_ephemeral_buttons(&self, chat: &ChatId) -> bool {
        send::parse_chat_id(chat)
            .is_some_and(|it| self.delivery.ephemerals.can_show_buttons(it.chat))
    }

    async fn show_ephemeral(
        &self,
        chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        self.delivery.send_unasked(chat, person, slot, message).await
    }

    async fn is_shown(
        &self,
        _chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> bool {
        self.delivery.is_slot_current(person, slot, message).await
    }
}

#[async_trait]
impl PrivateChats for TelegramPlatform {
    async fn sole_reader(&self, chat_id: &ChatId) -> Result<Option<PersonId>, SendError> {
        let chat = TelegramPrivateChat::from_chat(chat_id);
        Ok(chat.map(|it| PersonId(format!("tg:{}", it.person()))))
    }

    /// Telegram lets bots write only to people who have begun the chat; this asks without sending a
    /// message.
    async fn private_chat(&self, person: &PersonId) -> Result<ChatId, SendError> {
        let id = person.0.strip_prefix("tg:").and_then(|it| it.parse::<i64>().ok());
        let id = id.filter(|it| *it > 0).ok_or(SendError::NotAllowed)?;
        self.delivery.private_chats.open(id).await
    }

    fn derived_private_chat(&self, person: &PersonId) -> Option<ChatId> {
        person.0.starts_with("tg:").then(|| ChatId(person.0.clone()))
    }
}

#[async_trait]
impl MessageLookup for TelegramPlatform {
    async fn refresh_chat_state(&self, chat: &ChatId) {
        if let Some(target) = send::parse_chat_id(chat) {
            self.chats.load_chat(target).await;
        }
    }

    fn messages_below(&self, chat: &ChatId, id: &MessageId) -> u32 {
        match (send::parse_chat_id(chat), id.0.parse()) {
            (Some(target), Ok(id)) => {
                self.chats.lock().messages_below(target.chat, target.thread, id)
            }
            _ => 0,
        }
    }

    fn message_link(&self, chat: &ChatId, id: &MessageId) -> Option<String> {
        let target = send::parse_chat_id(chat)?;
        let message: i32 = id.0.parse().ok()?;
        let thread = target.thread.map(|it| format!("{it}/")).unwrap_or_default();
        if let Some(name) = self.chats.lock().public_name(target.chat) {
            return Some(format!("https://t.me/{name}/{thread}{message}"));
        }
        let inner = -1_000_000_000_000 - target.chat;
        (inner > 0).then(|| format!("https://t.me/c/{inner}/{thread}{message}"))
    }
}

#[async_trait]
impl MemberLookup for TelegramPlatform {
    async fn is_chat_admin(&self, chat: &ChatId, person: &PersonId) -> bool {
        let id = person.0.strip_prefix("tg:").and_then(|it| it.parse::<i64>().ok());
        match (send::parse_chat_id(chat), id) {
            (Some(target), Some(id)) if target.chat < 0 => {
                self.members.is_admin(target.chat, id).await
            }
            _ => false,
        }
    }

    async fn is_member(&self, chat: &ChatId, person: &PersonId) -> bool {
        let id = person.0.strip_prefix("tg:").and_then(|it| it.parse::<i64>().ok());
        match (send::parse_chat_id(chat), id) {
            (Some(target), Some(id)) if target.chat < 0 => {
                self.members.is_chat_member(target.chat, id).await
            }
            _ => false,
        }
    }
}

impl PermissionLookup for TelegramPlatform {
    fn missing_permissions(&self, chat: &ChatId) -> Vec<Arg> {
        send::parse_chat_id(chat).map(|it| self.sender.missing_rights(it.chat)).unwrap_or_default()
    }
}

impl PublicGroups for TelegramPlatform {
    /// Groups have negative ids. Nothing is known of a chat in which the bot is no member.
    fn is_public_group(&self, chat: &ChatId) -> bool {
        inline::inline_message_of_chat(chat).is_none()
            && send::parse_chat_id(chat).is_some_and(|it| it.chat < 0)
    }
}

impl InlineBoards for TelegramPlatform {
    fn only_message(&self, chat: &ChatId) -> Option<MessageId> {
        inline::inline_message_of_chat(chat)
    }

    fn can_show_pictures(&self) -> bool {
        self.sender.can_show_inline_pictures()
    }
}

impl InviteLinks for TelegramPlatform {
    fn table_links(&self, code: &str) -> Vec<InviteLink> {
        let Some(name) = self.identity.username() else { return Vec::new() };
        let link =
            |target, way| InviteLink { target, url: format!("https://t.me/{name}?{way}={code}") };
        vec![link(InviteTarget::Table, "start"), link(InviteTarget::Group, "startgroup")]
    }

    fn private_chat_link(&self, code: &str) -> Option<String> {
        let name = self.identity.username()?;
        Some(format!("https://t.me/{name}?start={code}"))
    }
}

#[async_trait]
impl AppWindows for TelegramPlatform {
    fn board_link(&self, _chat: &ChatId, kind: ChatKind, code: Option<&str>) -> Option<AppLink> {
        let MiniApp { page, short_name, .. } = self.app.as_ref()?;
        if kind == ChatKind::Private {
            let table = code.map(|it| format!("?table={it}")).unwrap_or_default();
            return Some(AppLink::App(format!("{page}/board{table}")));
        }
        let start = code.map(|it| format!("?startapp={it}")).unwrap_or_default();
        let link = format!("https://t.me/{}/{}{start}", self.username(), short_name.as_ref()?);
        Some(AppLink::Link(link))
    }

    async fn verify_user(&self, data: &str, _: Option<&str>) -> Result<VerifiedUser, AuthError> {
        let app = self.app.as_ref().ok_or(AuthError::Unreachable)?;
        let verifier =
            InitDataVerifier { token: &self.token, bot: self.identity.user_id().0, key: app.key };
        verifier.verify(data, now_ms() / 1_000)
    }
}
