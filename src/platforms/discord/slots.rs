//! Private messages that take each other's place: the hand at a table.
//!
//! Only the token of the interaction that a private message answers can change it, and it lives a
//! quarter of an hour; each press in the message gives it a new one.

use reqwest::Method;
use serde::{Deserialize, Serialize};

use super::readers::DirectChannel;
use super::rest::CallError;
use super::{Inner, spelling};
use caravanserai_protocol::PrivateMessage;

/// A message of somebody's slot and the way to change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Standing {
    way: Way,
    /// Its number, if Discord told it.
    message: Option<u64>,
}

/// How a message is addressed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Way {
    /// As the answer to the interaction of this token.
    Answer(String),
    /// By its number among what followed that answer.
    FollowUp(String, u64),
    /// In a channel where nobody else reads.
    Direct(u64, u64),
}

impl Standing {
    /// The answer to the interaction of this token.
    pub fn answer(token: &str, message: Option<u64>) -> Self {
        Self { way: Way::Answer(token.to_owned()), message }
    }

    /// What followed the answer.
    pub fn follow_up(token: &str, message: u64) -> Self {
        Self { way: Way::FollowUp(token.to_owned(), message), message: Some(message) }
    }

    /// A message in a direct channel.
    pub fn direct(direct: DirectChannel, message: u64) -> Self {
        Self { way: Way::Direct(direct.channel(), message), message: Some(message) }
    }

    /// Whether it stands where nobody else reads, and no token is needed to change it.
    pub fn is_direct(&self) -> bool {
        matches!(self.way, Way::Direct(..))
    }
}

impl Inner {
    /// Makes the message of a slot show this instead.
    pub async fn renew(&self, old: &Standing, message: &PrivateMessage) -> Result<(), CallError> {
        let (body, files) = spelling::edit(message.for_reader(old));
        let path = self.path_of(old);
        self.rest.call(Method::PATCH, &path, Some(&body), &files).await.map(drop)
    }

    /// Notes that the message of a slot stands there now; an older one goes, if it can.
    pub async fn stands(&self, user: u64, slot: Option<&str>, now: Standing) {
        let Some(slot) = slot else { return };
        let old = self.slot(user, slot).await;
        self.keep_slot(user, slot, &now).await;
        let other = |it: &Standing| {
            it.message.is_some() && now.message.is_some_and(|now| Some(now) != it.message)
        };
        let Some(old) = old.filter(other) else { return };
        let path = self.path_of(&old);
        if let Err(error) = self.rest.call(Method::DELETE, &path, None, &[]).await {
            tracing::debug!(%error, "an old private message stays");
        }
    }

    fn path_of(&self, standing: &Standing) -> String {
        match &standing.way {
            Way::Answer(token) => {
                format!("/webhooks/{}/{}/messages/@original", self.app, token)
            }
            Way::FollowUp(token, message) => {
                format!("/webhooks/{}/{}/messages/{message}", self.app, token)
            }
            Way::Direct(channel, message) => format!("/channels/{channel}/messages/{message}"),
        }
    }
}
