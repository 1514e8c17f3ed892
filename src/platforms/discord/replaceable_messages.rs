//! Replaces private messages by newer ones, such as the hand at a table.
//!
//! A private message can be edited only with the token of the interaction that it answers, which is
//! valid for fifteen minutes; each press under the message gives a new token.

use reqwest::Method;
use serde::{Deserialize, Serialize};

use super::private_readers::DiscordDirectChannel;
use super::rest_client::DiscordCallError;
use super::{DiscordInner, payloads};
use caravanserai_protocol::PrivateMessage;

/// A private message in a user's slot, and how to edit it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DiscordMessageHandle {
    way: DiscordMessageAddress,
    /// The id of the message, if Discord has returned it.
    message: Option<u64>,
}

/// How a message is addressed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum DiscordMessageAddress {
    /// As the first response to the interaction with this token.
    Answer(String),
    /// By token and id, as a follow-up.
    FollowUp(String, u64),
    /// By channel and id, in a direct channel.
    Direct(u64, u64),
}

impl DiscordMessageHandle {
    /// Refers to the first response to the interaction with this token.
    pub fn of_response(token: &str, message: Option<u64>) -> Self {
        Self { way: DiscordMessageAddress::Answer(token.to_owned()), message }
    }

    /// Refers to a follow-up.
    pub fn of_follow_up(token: &str, message: u64) -> Self {
        Self {
            way: DiscordMessageAddress::FollowUp(token.to_owned(), message),
            message: Some(message),
        }
    }

    /// Refers to a message in a direct channel.
    pub fn of_direct(direct: DiscordDirectChannel, message: u64) -> Self {
        Self {
            way: DiscordMessageAddress::Direct(direct.channel(), message),
            message: Some(message),
        }
    }

    /// Whether the message is in a direct channel, so that editing needs no token.
    pub fn is_direct(&self) -> bool {
        matches!(self.way, DiscordMessageAddress::Direct(..))
    }
}

impl DiscordInner {
    /// Edits the message of a slot.
    pub async fn edit_private_message(
        &self,
        old: &DiscordMessageHandle,
        message: &PrivateMessage,
    ) -> Result<(), DiscordCallError> {
        let (body, files) = payloads::edit_body(message.for_reader(old), &self.command_mentions());
        let path = self.message_path(old);
        self.rest.call(Method::PATCH, &path, &body, &files).await.map(drop)
    }

    /// Stores a message as that of its slot and deletes the older one, if possible.
    pub async fn store_and_replace(
        &self,
        user: u64,
        slot: Option<&str>,
        now: DiscordMessageHandle,
    ) {
        let Some(slot) = slot else { return };
        let old = self.slot_message(user, slot).await;
        self.store_slot_message(user, slot, &now).await;
        let other = |it: &DiscordMessageHandle| {
            it.message.is_some() && now.message.is_some_and(|now| Some(now) != it.message)
        };
        let Some(old) = old.filter(other) else { return };
        let path = self.message_path(&old);
        if let Err(error) = self.rest.delete(&path).await {
            tracing::debug!(%error, "failed to delete an old private message");
        }
    }

    fn message_path(&self, standing: &DiscordMessageHandle) -> String {
        match &standing.way {
            DiscordMessageAddress::Answer(token) => self.original_path(token),
            DiscordMessageAddress::FollowUp(token, message) => self.follow_up_path(token, *message),
            DiscordMessageAddress::Direct(channel, message) => {
                format!("/channels/{channel}/messages/{message}")
            }
        }
    }
}
