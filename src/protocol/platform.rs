//! Defines what the bot needs of a chat platform.
//!
//! [`Platform`] has the six methods that every platform implements. Everything else is an optional
//! ability: a small trait in `platform_abilities`, reached by a method of [`Platform`] that returns
//! `None` unless the platform overrides it. A caller therefore always sees that an ability may be
//! missing, and decides what happens then.

use async_trait::async_trait;

use super::capabilities::Capabilities;
use super::outgoing_message::{OutgoingMessage, SendError};
use super::platform_abilities::{
    AccountData, AppWindows, EphemeralMessages, InlineBoards, InviteLinks, MemberLookup,
    MessageLookup, PermissionLookup, PrivateChats, PublicGroups, SpectatorLookup,
};
use super::private_message::{PrivateMessage, ProvenReader};
use caravanserai_games::ids::{ChatId, MessageId};

/// A chat platform as the bot service sees it.
///
/// The implementation must not retry by itself: the service owns retries, order and rate limits.
/// The service has at most one call in flight for each chat.
///
/// # Examples
///
/// A platform that keeps its messages in memory, with the required methods only:
///
/// ```
/// use std::collections::BTreeMap;
///
/// use async_trait::async_trait;
/// use caravanserai_games::ids::{MessageId, ChatId};
/// use caravanserai_games::text::RichText;
/// use caravanserai_protocol::{Capabilities, OutgoingMessage, Platform, SendError};
/// use parking_lot::Mutex;
///
/// #[derive(Default)]
/// struct Notebook(Mutex<BTreeMap<String, OutgoingMessage>>);
///
/// #[async_trait]
/// impl Platform for Notebook {
///     fn name(&self) -> &'static str {
///         "note"
///     }
///
///     fn capabilities(&self) -> Capabilities {
///         Capabilities::default()
///     }
///
///     fn call_limit_per_minute(&self, _chat: &ChatId) -> u32 {
///         60
///     }
///
///     async fn post(
///         &self,
///         chat: &ChatId,
///         message: &OutgoingMessage,
///     ) -> Result<MessageId, SendError> {
///         let mut messages = self.0.lock();
///         let id = format!("{}#{}", chat.0, messages.len());
///         messages.insert(id.clone(), message.clone());
///         Ok(MessageId(id))
///     }
///
///     async fn edit(
///         &self,
///         _chat: &ChatId,
///         id: &MessageId,
///         message: &OutgoingMessage,
///     ) -> Result<(), SendError> {
///         let mut messages = self.0.lock();
///         *messages.get_mut(&id.0).ok_or(SendError::MessageGone)? = message.clone();
///         Ok(())
///     }
///
///     async fn delete(&self, _chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
///         self.0.lock().remove(&id.0);
///         Ok(())
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let platform: &dyn Platform = &Notebook::default();
/// let chat = ChatId("note:1".to_owned());
/// let message = OutgoingMessage { text: RichText::plain("hello"), ..Default::default() };
/// let id = platform.post(&chat, &message).await.expect("there is room");
/// assert_eq!(platform.edit(&chat, &id, &message).await, Ok(()));
/// assert_eq!(platform.delete(&chat, &id).await, Ok(()));
/// assert_eq!(platform.edit(&chat, &id, &message).await, Err(SendError::MessageGone));
/// // No optional ability is there, so a hand reaches nobody in this way.
/// assert!(platform.ephemeral_messages().is_none() && platform.private_chats().is_none());
/// let hand = message.into();
/// assert_eq!(platform.post_private(&chat, &hand).await, Err(SendError::NotAllowed));
/// # }
/// ```
#[async_trait]
pub trait Platform: Send + Sync + 'static {
    /// The prefix of the platform's ids: `tg`, `dc`, `web`.
    fn name(&self) -> &'static str;

    /// Returns the properties of the platform that affect texts for its users.
    fn capabilities(&self) -> Capabilities;

    /// The number of calls a minute that the platform allows in this chat; the service stays below.
    fn call_limit_per_minute(&self, chat: &ChatId) -> u32;

    /// Finds the chat that an operator means by this id, which may be a name that chats have one
    /// after the other.
    fn find_chat(&self, _id: &ChatId) -> ChatLookup {
        ChatLookup::Unsupported
    }

    /// Posts a message and returns its id. A platform that recognises a repeated nonce posts no
    /// copy: it updates the message that an earlier process posted but failed to record before it
    /// died.
    async fn post(&self, chat: &ChatId, message: &OutgoingMessage) -> Result<MessageId, SendError>;

    /// Replaces the content of an existing message. Showing the same content again is success.
    async fn edit(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError>;

    /// Deletes a message. Deleting a message that is already gone is success.
    async fn delete(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError>;

    /// Messages in a chat that only one of its members sees.
    fn ephemeral_messages(&self) -> Option<&dyn EphemeralMessages> {
        None
    }

    /// Chats between the bot and one person.
    fn private_chats(&self) -> Option<&dyn PrivateChats> {
        None
    }

    /// Returns the data that the platform itself stores about people, if it stores any.
    fn account_data(&self) -> Option<&dyn AccountData> {
        None
    }

    /// Returns the access to the messages in a chat, if the platform has it.
    fn message_lookup(&self) -> Option<&dyn MessageLookup> {
        None
    }

    /// Returns the access to the members of a chat, if the platform has it.
    fn member_lookup(&self) -> Option<&dyn MemberLookup> {
        None
    }

    /// The permissions that the bot lacks in a chat.
    fn permission_lookup(&self) -> Option<&dyn PermissionLookup> {
        None
    }

    /// Groups that the platform can tell from chats in which the bot is not a member.
    fn public_groups(&self) -> Option<&dyn PublicGroups> {
        None
    }

    /// Chats that consist of a single message.
    fn inline_boards(&self) -> Option<&dyn InlineBoards> {
        None
    }

    /// The people who look at a board.
    fn spectator_lookup(&self) -> Option<&dyn SpectatorLookup> {
        None
    }

    /// Addresses that lead to a table.
    fn invite_links(&self) -> Option<&dyn InviteLinks> {
        None
    }

    /// Windows of the platform that show a board outside of the chat.
    fn app_windows(&self) -> Option<&dyn AppWindows> {
        None
    }
}

/// The result of [`Platform::find_chat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatLookup {
    /// There is such a chat, and this is its id.
    Known(ChatId),
    /// The platform knows all its chats, and there is no such chat.
    Unknown,
    /// The platform does not know all its chats.
    Unsupported,
}

/// Sending in private. A platform cannot change these methods, so none can send a hand to a chat
/// that others read.
impl dyn Platform + '_ {
    /// Posts a private message in a chat that has the platform's proof of a single reader.
    /// Otherwise like [`Platform::post`].
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] for any other chat.
    pub async fn post_private(
        &self,
        chat: &ChatId,
        message: &PrivateMessage,
    ) -> Result<MessageId, SendError> {
        let reader = self.proven_reader(chat).await?;
        self.post(chat, message.for_reader(&reader)).await
    }

    /// Edits a message in a chat with a single reader. Otherwise like [`Platform::edit`].
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] for any other chat.
    pub async fn edit_private(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let reader = self.proven_reader(chat).await?;
        self.edit(chat, id, message.for_reader(&reader)).await
    }

    /// Returns the proof that a chat has a single reader.
    async fn proven_reader(&self, chat: &ChatId) -> Result<ProvenReader, SendError> {
        let chats = self.private_chats().ok_or(SendError::NotAllowed)?;
        ProvenReader::of(chats.sole_reader(chat).await?)
    }
}
