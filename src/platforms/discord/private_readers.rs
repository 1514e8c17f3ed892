//! Defines the destinations that only one person reads. Only these accept a private message.
//!
//! A channel without a server is not always private: conversations among users have no server
//! either. A channel is direct only if Discord says so.

use serde_json::Value;

use super::discord_cache::ChannelHome;
use super::replaceable_messages::DiscordMessageHandle;
use super::rest_client::DiscordCallError;
use super::{DiscordInner, convert};
use caravanserai_games::ids::ChatId;
use caravanserai_protocol::{SendError, SingleReader};

/// The type of a channel of two users.
const DIRECT: u64 = 1;

/// The types of threads: announcement, public, private.
const THREADS: [u64; 3] = [10, 11, 12];

/// The direct channel of the bot with one user.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiscordDirectChannel {
    channel: u64,
    reader: u64,
}

impl SingleReader for DiscordDirectChannel {}
/// An edit of a private message reaches the same reader as the message.
impl SingleReader for DiscordMessageHandle {}

impl DiscordDirectChannel {
    /// Returns the id of the channel.
    pub fn channel(self) -> u64 {
        self.channel
    }

    /// Returns the user who reads it.
    pub fn reader(self) -> u64 {
        self.reader
    }
}

impl DiscordInner {
    /// Returns the direct channel that is this chat, if it is one.
    ///
    /// # Errors
    /// A temporary failure to ask Discord.
    pub async fn direct_channel(
        &self,
        chat: &ChatId,
    ) -> Result<Option<DiscordDirectChannel>, SendError> {
        let Some((channel, false)) = convert::channel_of_chat(chat) else { return Ok(None) };
        Ok(match self.find_channel_home(channel).await? {
            ChannelHome::Direct(reader) => Some(DiscordDirectChannel { channel, reader }),
            ChannelHome::Guild(_) | ChannelHome::GroupDirect => None,
        })
    }

    /// Returns the kind of a channel. Asks Discord if it is unknown: another process may be
    /// connected to the gateway.
    ///
    /// # Errors
    /// A temporary failure to ask Discord.
    pub async fn find_channel_home(&self, channel: u64) -> Result<ChannelHome, SendError> {
        let known = self.memory.lock().home_of(channel);
        match known {
            Some(home) => Ok(home),
            None => self.fetch_channel_home(channel).await,
        }
    }

    /// Returns the parent channel of a thread. Asks Discord if the gateway has not described the
    /// channel; if that fails it counts as no thread.
    pub async fn thread_of(&self, channel: u64) -> Option<u64> {
        let known = self.memory.lock().thread_of(channel);
        if let Some(parent) = known {
            return parent;
        }
        if let Err(error) = self.fetch_channel_home(channel).await {
            tracing::debug!(channel, %error, "failed to look up whether a channel is a thread");
        }
        self.memory.lock().thread_of(channel).flatten()
    }

    /// Asks Discord for the kind and the parent of a channel, and caches them.
    async fn fetch_channel_home(&self, channel: u64) -> Result<ChannelHome, SendError> {
        let about = match self.rest.get(&format!("/channels/{channel}")).await {
            Ok(about) => about,
            // The bot may not read it, so it is not a direct channel of the bot.
            Err(DiscordCallError::Refused { status: 403 | 404, .. }) => {
                return Ok(ChannelHome::GroupDirect);
            }
            Err(error) => return Err(error.into_send_error()),
        };
        let home = parse_home(&about);
        let mut memory = self.memory.lock();
        memory.set_home(channel, home);
        memory.set_thread(channel, parse_parent(&about));
        Ok(home)
    }
}

/// Returns the parent channel of a thread from Discord's description. The parent of any other
/// channel is a category.
fn parse_parent(about: &Value) -> Option<u64> {
    let is_thread = about["type"].as_u64().is_some_and(|it| THREADS.contains(&it));
    about["parent_id"].as_str().filter(|_| is_thread)?.parse().ok()
}

/// Returns the kind of a channel from Discord's description.
fn parse_home(about: &Value) -> ChannelHome {
    let id = |value: &Value| value["id"].as_str()?.parse::<u64>().ok();
    if let Some(guild) = about["guild_id"].as_str().and_then(|it| it.parse().ok()) {
        return ChannelHome::Guild(guild);
    }
    let people = about["recipients"].as_array().map(Vec::as_slice).unwrap_or_default();
    match (about["type"].as_u64(), people) {
        (Some(DIRECT), [reader]) => {
            id(reader).map_or(ChannelHome::GroupDirect, ChannelHome::Direct)
        }
        _ => ChannelHome::GroupDirect,
    }
}
