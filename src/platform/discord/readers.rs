//! The ways by which one person alone reads what is sent: only these take a private message.
//!
//! A channel without a server is not always private: conversations among users have no server
//! either. A channel is direct only if Discord says so.

use serde_json::Value;

use super::memory::Home;
use super::rest::CallError;
use super::slots::Standing;
use super::{Inner, translate};
use crate::chat::{SendError, SingleReader};
use crate::ids::PlaceId;

/// The type of a channel of two.
const DIRECT: u64 = 1;

/// The direct channel of the bot with one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectChannel {
    channel: u64,
    reader: u64,
}

impl SingleReader for DirectChannel {}
/// An edit of a private message reaches the same reader as the message.
impl SingleReader for Standing {}

impl DirectChannel {
    /// Its number.
    pub fn channel(self) -> u64 {
        self.channel
    }

    /// Who reads it.
    pub fn reader(self) -> u64 {
        self.reader
    }
}

impl Inner {
    /// The direct channel that a place is, if it is one.
    ///
    /// # Errors
    /// When Discord cannot say it now.
    pub async fn direct_channel(
        &self,
        place: &PlaceId,
    ) -> Result<Option<DirectChannel>, SendError> {
        let Some((channel, false)) = translate::channel(place) else { return Ok(None) };
        Ok(match self.home(channel).await? {
            Home::Direct(reader) => Some(DirectChannel { channel, reader }),
            Home::Guild(_) | Home::Among => None,
        })
    }

    /// Where a channel is. Discord is asked if nothing was heard from there: another process may
    /// be at the gateway.
    ///
    /// # Errors
    /// When Discord cannot say it now.
    pub async fn home(&self, channel: u64) -> Result<Home, SendError> {
        let known = self.memory().home_of(channel);
        if let Some(home) = known {
            return Ok(home);
        }
        let about = match self.rest.get(&format!("/channels/{channel}")).await {
            Ok(about) => about,
            Err(error @ (CallError::Wait(_) | CallError::Network(_)))
            | Err(error @ CallError::Refused { status: 500.., .. }) => {
                return Err(error.into_send_error());
            }
            // The bot may not read it, so it is not a direct channel of the bot.
            Err(_) => return Ok(Home::Among),
        };
        let home = home_in(&about);
        self.memory().home_is(channel, home);
        Ok(home)
    }
}

/// The home of a channel by its description from Discord.
fn home_in(about: &Value) -> Home {
    let id = |value: &Value| value["id"].as_str()?.parse::<u64>().ok();
    if let Some(guild) = about["guild_id"].as_str().and_then(|it| it.parse().ok()) {
        return Home::Guild(guild);
    }
    let people = about["recipients"].as_array().map(Vec::as_slice).unwrap_or_default();
    match (about["type"].as_u64(), people) {
        (Some(DIRECT), [reader]) => id(reader).map_or(Home::Among, Home::Direct),
        _ => Home::Among,
    }
}
