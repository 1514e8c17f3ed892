//! Defines the optional abilities of a platform. A platform implements those that it has and
//! returns itself from the method of the same name in [`Platform`](super::Platform).

use async_trait::async_trait;

use super::guest_service::{AuthError, VerifiedUser};
use super::outgoing_message::{AppLink, InviteLink, SendError};
use super::private_message::PrivateMessage;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId, TableId};
use caravanserai_games::text::Arg;

/// Shows messages in a chat that only one of its members sees.
#[async_trait]
pub trait EphemeralMessages: Send + Sync {
    /// Whether a press in this chat can be answered with a private message that has a picture and
    /// buttons of its own, as far as is known now. Where it cannot, a toast names the cards, and
    /// numbered buttons under the board play them.
    fn has_ephemeral_buttons(&self, chat: &ChatId) -> bool;

    /// Shows a message to one person, unseen by the others in the chat, outside the direct answer
    /// to an update. Where the platform can, it replaces the ephemeral message or answer that this
    /// person last received under the same slot.
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] when this platform has no way to reach them privately now.
    async fn show_ephemeral(
        &self,
        chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError>;

    /// Whether the message of this slot already shows a person the same picture and buttons, so
    /// that [`EphemeralMessages::show_ephemeral`] would waste a call; `false` if this is not known.
    async fn is_shown(
        &self,
        _chat: &ChatId,
        _person: &PersonId,
        _slot: &str,
        _message: &PrivateMessage,
    ) -> bool {
        false
    }
}

/// Opens chats between the bot and one person, and proves who reads a chat.
#[async_trait]
pub trait PrivateChats: Send + Sync {
    /// Returns the single reader of a chat, if the platform has proven that nobody else reads it. A
    /// chat for which this cannot be known counts as read by several people.
    ///
    /// # Errors
    /// When the platform does not report it now.
    async fn sole_reader(&self, chat: &ChatId) -> Result<Option<PersonId>, SendError>;

    /// Returns the private chat between the bot and a person, if the person allows it.
    ///
    /// # Errors
    /// [`SendError::NotAllowed`] when the person has to begin that chat first.
    async fn private_chat(&self, person: &PersonId) -> Result<ChatId, SendError>;

    /// Returns the private chat with a person where its id follows from that of the person; nobody
    /// is asked or written to.
    fn derived_private_chat(&self, _person: &PersonId) -> Option<ChatId> {
        None
    }
}

/// Stores data about people itself, beside what the bot stores: exports and deletes it.
#[async_trait]
pub trait AccountData: Send + Sync {
    /// Returns what the platform stores about an account, as a JSON object; `None` if that is
    /// nothing. It contains what other people wrote only where they wrote to this person alone.
    ///
    /// # Errors
    /// When the platform does not answer now.
    async fn export_account(&self, account: &PersonId) -> Result<Option<String>, SendError>;

    /// Deletes what the platform stores about an account, with messages that name it by its id.
    /// Accounts of other platforms are ignored. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the platform does not answer now.
    async fn delete_account(&self, account: &PersonId) -> Result<(), SendError>;

    /// Returns the private chat with the person of an account where its id follows from that of the
    /// account; nobody is asked or written to.
    fn private_chat_of(&self, _account: &PersonId) -> Option<ChatId> {
        None
    }
}

/// Reports the position and the address of a message.
#[async_trait]
pub trait MessageLookup: Send + Sync {
    /// Reads the state of a chat that other processes have shared: how many messages follow its
    /// messages, how hands can be shown, how a message is linked. The service calls it before it
    /// shows anything in the chat.
    async fn refresh_chat_state(&self, chat: &ChatId);

    /// Returns the number of messages posted in this chat after the given one, as far as is known.
    fn messages_below(&self, chat: &ChatId, id: &MessageId) -> u32;

    /// Returns an address that opens this message, if it has one.
    fn message_link(&self, chat: &ChatId, id: &MessageId) -> Option<String>;
}

/// Reports who is a member or an admin of a chat.
#[async_trait]
pub trait MemberLookup: Send + Sync {
    /// Whether a person is an admin of a chat. The bot asks where [`Person::admin`] is false
    /// because the platform did not report it, see [`UpdateHandler::needs_admin`].
    ///
    /// [`Person::admin`]: super::Person::admin
    /// [`UpdateHandler::needs_admin`]: super::UpdateHandler::needs_admin
    async fn is_chat_admin(&self, chat: &ChatId, person: &PersonId) -> bool;

    /// Whether the platform reports that a person is a member of a chat.
    async fn is_member(&self, chat: &ChatId, person: &PersonId) -> bool;
}

/// Reports what the bot may not do in a chat.
pub trait PermissionLookup: Send + Sync {
    /// Returns the permissions that the bot lacks in a chat where a call was refused, named as in
    /// the platform's own settings, as far as they are known.
    fn missing_permissions(&self, chat: &ChatId) -> Vec<Arg>;

    /// Returns the permission to send pictures in a chat, where the platform has reported that the
    /// bot lacks it: boards are sent in words there.
    fn missing_picture_permission(&self, _chat: &ChatId) -> Option<Arg> {
        None
    }
}

/// Tells groups with the bot as a member from all other chats.
pub trait PublicGroups: Send + Sync {
    /// Whether the platform has proven that this is a group with the bot as a member: games there
    /// are public until their players close them. Games in any other chat are closed.
    fn is_public_group(&self, chat: &ChatId) -> bool;
}

/// Has chats that consist of a single message, such as a message sent through an inline query.
pub trait InlineBoards: Send + Sync {
    /// Returns the only message of a chat that consists of one message. Nothing else can be posted
    /// in such a chat.
    fn only_message(&self, chat: &ChatId) -> Option<MessageId>;

    /// Whether these messages can show pictures now. Where they cannot, boards are texts.
    fn can_show_pictures(&self) -> bool {
        false
    }
}

/// Reports who looks at a board.
#[async_trait]
pub trait SpectatorLookup: Send + Sync {
    /// Returns the spectators who look at the board of a table in a chat now, each at least once,
    /// in all processes together; `None` if this chat does not exist.
    async fn spectators(&self, chat: &ChatId, table: &TableId) -> Option<Vec<PersonId>>;
}

/// Makes addresses that lead to a table.
pub trait InviteLinks: Send + Sync {
    /// Returns the addresses that lead to the table with this code or show it in a group.
    fn table_links(&self, code: &str) -> Vec<InviteLink>;

    /// Returns an address with which a person begins a private chat with the bot and passes on the
    /// code of the table to play there, if there is one.
    fn private_chat_link(&self, code: &str) -> Option<String>;
}

/// Opens boards in windows of the platform, where the platform identifies each user.
#[async_trait]
pub trait AppWindows: Send + Sync {
    /// Returns a link that opens the board of the table with this code outside of the chat, if a
    /// window is configured. Without a code it names no table.
    fn board_link(&self, chat: &ChatId, kind: ChatKind, code: Option<&str>) -> Option<AppLink>;

    /// Identifies a person by the data of the platform's client, see
    /// [`SignInProof::Client`](super::guest_service::SignInProof::Client).
    ///
    /// # Errors
    /// When the data is not valid, or cannot be checked.
    async fn verify_user(
        &self,
        data: &str,
        instance: Option<&str>,
    ) -> Result<VerifiedUser, AuthError>;
}
