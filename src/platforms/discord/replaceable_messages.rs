//! Private messages that take each other's place: the hand at a table.
//!
//! Only the token of the interaction that a private message answers can change it, and it lives a
//! quarter of an hour; each press in the message gives it a new one.

use reqwest::Method;
use serde::{Deserialize, Serialize};

use super::private_readers::DiscordDirectChannel;
use super::rest_client::DiscordCallError;
use super::{DiscordInner, payloads};
use caravanserai_protocol::PrivateMessage;

/// A message of somebody's slot and the way to change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DiscordMessageHandle {
    way: DiscordMessageAddress,
    /// Its number, if Discord told it.
    message: Option<u64>,
}

/// How a message is addressed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum DiscordMessageAddress {
    /// As the answer to the interaction of this token.
    Answer(String),
    /// By its number among what followed that answer.
    FollowUp(String, u64),
    /// In a channel where nobody else reads.
    Direct(u64, u64),
}

impl DiscordMessageHandle {
    /// The answer to the interaction of this token.
    pub fn of_response(token: &str, message: Option<u64>) -> Self {
        Self { way: DiscordMessageAddress::Answer(token.to_owned()), message }
    }

    /// What followed the answer.
    pub fn of_follow_up(token: &str, message: u64) -> Self {
        Self {
            way: DiscordMessageAddress::FollowUp(token.to_owned(), message),
            message: Some(message),
        }
    }

    /// A message in a direct channel.
    pub fn of_direct(direct: DiscordDirectChannel, message: u64) -> Self {
        Self {
            way: DiscordMessageAddress::Direct(direct.channel(), message),
            message: Some(message),
        }
    }

    /// Whether it stands where nobody else reads, and no token is needed to change it.
    pub fn is_direct(&self) -> bool {
        matches!(self.way, DiscordMessageAddress::Direct(..))
    }
}

impl DiscordInner {
    /// Makes the message of a slot show this instead.
    pub async fn edit_private_message(
        &self,
        old: &DiscordMessageHandle,
        message: &PrivateMessage,
    ) -> Result<(), DiscordCallError> {
        let (body, files) = payloads::edit_body(message.for_reader(old));
        let path = self.message_path(old);
        self.rest.call(Method::PATCH, &path, Some(&body), &files).await.map(drop)
    }

    /// Notes that the message of a slot stands there now; an older one goes, if it can.
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
        if let Err(error) = self.rest.call(Method::DELETE, &path, None, &[]).await {
            tracing::debug!(%error, "an old private message stays");
        }
    }

    fn message_path(&self, standing: &DiscordMessageHandle) -> String {
        match &standing.way {
            DiscordMessageAddress::Answer(token) => {
                format!("/webhooks/{}/{}/messages/@original", self.app, token)
            }
            DiscordMessageAddress::FollowUp(token, message) => {
                format!("/webhooks/{}/{}/messages/{message}", self.app, token)
            }
            DiscordMessageAddress::Direct(channel, message) => {
                format!("/channels/{channel}/messages/{message}")
            }
        }
    }
}
