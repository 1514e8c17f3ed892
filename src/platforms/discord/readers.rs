//! The ways by which one person alone reads what is sent: only these take a private message.
//!
//! A channel without a server is not always private: conversations among users have no server
//! either. A channel is direct only if Discord says so.

use serde_json::Value;

use super::memory::Home;
use super::rest::CallError;
use super::slots::Standing;
use super::{Inner, translate};
use caravanserai_games::ids::PlaceId;
use caravanserai_protocol::{SendError, SingleReader};

/// The type of a channel of two.
const DIRECT: u64 = 1;

/// The types of threads: of news, public, private.
const THREADS: [u64; 3] = [10, 11, 12];

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
        match known {
            Some(home) => Ok(home),
            None => self.look_up(channel).await,
        }
    }

    /// The channel that this one is a thread of, if it is a thread. Asks Discord if the gateway has
    /// not described it; if that fails it counts as no thread.
    pub async fn thread_of(&self, channel: u64) -> Option<u64> {
        let known = self.memory().thread_of(channel);
        if let Some(parent) = known {
            return parent;
        }
        if let Err(error) = self.look_up(channel).await {
            tracing::debug!(channel, %error, "failed to look up whether a channel is a thread");
        }
        self.memory().thread_of(channel).flatten()
    }

    /// Asks Discord where a channel is and whether it is a thread, and remembers the answer.
    async fn look_up(&self, channel: u64) -> Result<Home, SendError> {
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
        let mut memory = self.memory();
        memory.home_is(channel, home);
        memory.set_thread(channel, parent_in(&about));
        Ok(home)
    }
}

/// The channel of a thread, from Discord's description of it. The parent of any other channel is a
/// category.
fn parent_in(about: &Value) -> Option<u64> {
    let is_thread = about["type"].as_u64().is_some_and(|it| THREADS.contains(&it));
    about["parent_id"].as_str().filter(|_| is_thread)?.parse().ok()
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
