//! Defines the destinations that only one person reads. Only these accept a private message.

use super::replaceable_messages::TelegramMessageHandle;
use super::send::{TelegramTarget, parse_chat_id};
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::SingleReader;

/// The private chat of the bot with one person. Its id is the positive id of the person; groups and
/// channels have negative ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TelegramPrivateChat(i64);

/// One member of a group as the receiver of an ephemeral message, which is sent with the fields
/// that name the receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct EphemeralReceiver(i64);

impl SingleReader for TelegramPrivateChat {}
impl SingleReader for EphemeralReceiver {}
/// An edit of a private message reaches the same reader as the message.
impl SingleReader for TelegramMessageHandle {}

impl EphemeralReceiver {
    /// Creates the receiver for this member of the group.
    pub(super) fn new(person: i64) -> Self {
        Self(person)
    }

    /// Returns the value of the fields that name the receiver.
    pub(super) fn person(self) -> i64 {
        self.0
    }
}

impl TelegramPrivateChat {
    /// Returns the private chat with this id, if it is one.
    pub(super) fn from_chat_id(chat: i64) -> Option<Self> {
        (chat > 0).then_some(Self(chat))
    }

    /// Returns the private chat that is this chat, if it is one.
    pub(super) fn from_chat(chat: &ChatId) -> Option<Self> {
        Self::from_chat_id(parse_chat_id(chat)?.chat)
    }

    /// Returns the id of the chat, which is that of the person.
    pub(super) fn person(self) -> i64 {
        self.0
    }

    /// Returns the target to send to.
    pub(super) fn target(self) -> TelegramTarget {
        TelegramTarget { chat: self.0, thread: None }
    }
}
