//! The ways by which one person alone reads what is sent: only these take a private message.

use super::replaceable_messages::TelegramMessageHandle;
use super::send::{TelegramTarget, parse_place};
use caravanserai_games::ids::PlaceId;
use caravanserai_protocol::SingleReader;

/// The private chat of the bot with one person: Telegram gives it the positive number of the
/// person; groups and channels have negative ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TelegramPrivateChat(i64);

/// A message that Telegram shows to this member of a group alone: it is sent with the fields that
/// name the receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct EphemeralReceiver(i64);

impl SingleReader for TelegramPrivateChat {}
impl SingleReader for EphemeralReceiver {}
/// An edit of a private message reaches the same reader as the message.
impl SingleReader for TelegramMessageHandle {}

impl EphemeralReceiver {
    /// This member of the group that the message is sent to.
    pub(super) fn new(person: i64) -> Self {
        Self(person)
    }

    /// The value of the fields that name the receiver.
    pub(super) fn person(self) -> i64 {
        self.0
    }
}

impl TelegramPrivateChat {
    /// The private chat with this number, if it is one.
    pub(super) fn of(chat: i64) -> Option<Self> {
        (chat > 0).then_some(Self(chat))
    }

    /// The same by its place.
    pub(super) fn of_place(place: &PlaceId) -> Option<Self> {
        Self::of(parse_place(place)?.chat)
    }

    /// The number of the chat, which is that of the person.
    pub(super) fn person(self) -> i64 {
        self.0
    }

    /// Where to send.
    pub(super) fn target(self) -> TelegramTarget {
        TelegramTarget { chat: self.0, thread: None }
    }
}
