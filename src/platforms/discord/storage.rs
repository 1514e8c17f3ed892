//! Stores platform state in rows: a press may reach another process than the one that posted, or
//! come after a restart. Each row has a lifetime, and play goes on without any of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serenity::all::Timestamp;

use super::DiscordInner;
use super::interaction_responses::TokenAudience;
use super::pending_interactions::PendingInteraction;
use super::replaceable_messages::DiscordMessageHandle;
use caravanserai_games::time_units::{DAY_MS, MINUTE_MS};
use caravanserai_platform_shared::platform_rows::json_row;
use caravanserai_platform_shared::stored_reply::StoredReply;
use caravanserai_protocol::KeyValueEntry;

/// How long a token is used after it was issued, in milliseconds: Discord accepts it for 15
/// minutes.
const TOKEN_MS: u64 = 14 * MINUTE_MS;
/// How long a private message in a direct channel counts as existing, in milliseconds.
const DIRECT_MESSAGE_MS: u64 = 7 * DAY_MS;
/// How long hidden replies can be revealed, in milliseconds.
const HIDDEN_REPLY_MS: u64 = DAY_MS;
/// How long a user's next replies go behind the same button, in milliseconds.
const APPEND_WINDOW_MS: u64 = MINUTE_MS;
/// How long tables of a server wait for the return of the bot, in milliseconds. Later they wait for
/// the next request from their channel.
const REMOVED_MS: u64 = 90 * DAY_MS;
/// How long it is known that a channel needs no move, in milliseconds. Looking once more is
/// harmless.
const ADOPTED_MS: u64 = 30 * DAY_MS;
/// How long it is stored that a member is in timeout, in milliseconds: Discord allows 28 days.
const TIMEOUT_MS: u64 = 29 * DAY_MS;
/// How long the audit log of a server is read after people have used the bot there, in
/// milliseconds: Discord keeps entries for 45 days.
const AUDIT_MS: u64 = 45 * DAY_MS;
/// How long it is stored that people use the bot in a channel, in milliseconds. It is stored again
/// when they use it after a start.
const USED_MS: u64 = 90 * DAY_MS;
/// The most used channels that are looked through.
const USED_CHANNELS_MAX: usize = 100_000;
/// The most timeouts of one server that are taken up again.
const TIMEOUTS_MAX: usize = 1_000;
/// The most replies behind one button; the oldest are dropped first.
const REPLIES_MAX: usize = 8;

/// Private replies behind a public button.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DiscordHiddenReplies {
    /// The user who may open them.
    pub reader: u64,
    /// The replies, the oldest first.
    pub inside: Vec<StoredReply>,
}

/// The token of an interaction that can edit a message.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum DiscordMessageToken {
    /// The message is the `@original` of the interaction.
    Original(String),
    /// The message is a follow-up to it.
    FollowUp { follow_up: String },
}

/// The key, by user and channel, of the token of the user's latest interaction, for private
/// messages.
fn token_key(user: u64, channel: u64) -> String {
    format!("dc token {user} {channel}")
}

/// The key, by channel, of the token of the latest interaction there, for posts where the bot is no
/// member.
fn channel_key(channel: u64) -> String {
    format!("dc channel {channel}")
}

/// The key, by message, of the token that can edit it.
fn message_token_key(message: u64) -> String {
    format!("dc board {message}")
}

fn slot_key(user: u64, slot: &str) -> String {
    format!("dc slot {user} {slot}")
}

fn hidden_reply_key(number: u64) -> String {
    format!("dc sealed {number}")
}

fn open_button_key(reader: u64, channel: u64) -> String {
    format!("dc letter {reader} {channel}")
}

/// Something that is stored about a server or channel for a while.
#[derive(Clone, Copy, Debug)]
pub(super) enum DiscordMark {
    /// The bot was removed from the server, and its return is not handled yet.
    Removed,
    /// The thread is locked, and that was reported.
    Locked,
    /// All data of the channel from before its server added the bot was moved to the id that the
    /// channel has where the bot is a member.
    Adopted,
}

impl DiscordMark {
    fn key(self, id: u64) -> String {
        match self {
            Self::Removed => format!("dc removed {id}"),
            Self::Locked => format!("dc locked {id}"),
            Self::Adopted => format!("dc adopted {id}"),
        }
    }

    fn lifetime_ms(self) -> u64 {
        match self {
            Self::Removed | Self::Locked => REMOVED_MS,
            Self::Adopted => ADOPTED_MS,
        }
    }
}

/// The prefix of the keys of used channels; followed by the server and the channel.
const USED_PREFIX: &str = "dc used ";

fn used_key(guild: u64, channel: u64) -> String {
    format!("{USED_PREFIX}{guild} {channel}")
}

fn timeouts_prefix(guild: u64) -> String {
    format!("dc timeout {guild} ")
}

/// The key, by server and member, of the moment when the timeout of the member ends.
fn timeout_key(guild: u64, user: u64) -> String {
    format!("{}{user}", timeouts_prefix(guild))
}

/// The key, by server, of the newest entry of its audit log that was read.
fn audit_key(guild: u64) -> String {
    format!("dc audit {guild}")
}

impl DiscordInner {
    /// Returns the newest entry that was read of the audit log of a server; `None` if people have
    /// not used the bot there lately.
    pub async fn audit_position(&self, guild: u64) -> Option<u64> {
        self.rows.get(&audit_key(guild)).await
    }

    /// Stores the newest entry that was read of the audit log of a server.
    pub async fn move_audit_position(&self, guild: u64, newest: u64) {
        self.rows.put(vec![json_row(&audit_key(guild), &newest, AUDIT_MS)]).await;
    }

    /// Stores from where on the audit log of a server is read, unless that is stored. Returns
    /// whether it is.
    pub async fn store_audit_position(&self, guild: u64, newest: u64) -> bool {
        let keep = |stored: Option<u64>| Some(stored.unwrap_or(newest));
        self.rows.update(&audit_key(guild), AUDIT_MS, keep).await
    }

    /// Stores a mark of a server or channel.
    pub async fn store_mark(&self, mark: DiscordMark, id: u64) {
        self.rows.put(vec![json_row(&mark.key(id), &true, mark.lifetime_ms())]).await;
    }

    /// Whether a server or channel has a mark.
    pub async fn has_mark(&self, mark: DiscordMark, id: u64) -> bool {
        self.rows.get(&mark.key(id)).await.unwrap_or_default()
    }

    /// Removes a mark of a server or channel.
    pub async fn remove_mark(&self, mark: DiscordMark, id: u64) {
        self.rows.put(vec![KeyValueEntry::delete(mark.key(id))]).await;
    }

    /// Stores that people use the bot in a channel of a server.
    pub async fn store_used_channel(&self, guild: u64, channel: u64) {
        self.rows.put(vec![json_row(&used_key(guild, channel), &true, USED_MS)]).await;
    }

    /// Removes the marks of used channels of a server, which the bot has left.
    pub async fn forget_used_channels(&self, guild: u64, channels: &[u64]) {
        let keys = channels.iter().map(|it| used_key(guild, *it));
        self.rows.put(keys.map(KeyValueEntry::delete).collect()).await;
    }

    /// Returns the channels of a server in which people use the bot.
    pub async fn used_channels(&self, guild: u64) -> Vec<u64> {
        let found = self.scan_used(&format!("{USED_PREFIX}{guild} ")).await;
        found.into_iter().map(|(_, channel)| channel).collect()
    }

    /// Returns the servers in which people use the bot.
    pub async fn used_servers(&self) -> BTreeSet<u64> {
        self.scan_used(USED_PREFIX).await.into_iter().map(|(guild, _)| guild).collect()
    }

    async fn scan_used(&self, prefix: &str) -> Vec<(u64, u64)> {
        let scanned = self.rows.store().scan(prefix, USED_CHANNELS_MAX).await;
        let found = scanned.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to read the channels in which the bot is used");
            Vec::new()
        });
        let parse = |key: &str| {
            let (guild, channel) = key.strip_prefix(USED_PREFIX)?.split_once(' ')?;
            Some((guild.parse().ok()?, channel.parse().ok()?))
        };
        found.iter().filter_map(|(key, _)| parse(key)).collect()
    }

    /// Stores until when a member is in timeout.
    pub async fn store_timeout(&self, guild: u64, user: u64, until: Timestamp) {
        self.rows.put(vec![json_row(&timeout_key(guild, user), &until, TIMEOUT_MS)]).await;
    }

    /// Removes a timeout that is over, unless a later one was stored.
    pub async fn forget_timeout(&self, guild: u64, user: u64, until: Timestamp) {
        let Some(was) = json_row("", &until, 0).value else { return };
        let gone = KeyValueEntry::delete(timeout_key(guild, user));
        if let Err(error) = self.rows.store().compare_and_swap(gone, Some(was)).await {
            tracing::warn!(%error, "failed to remove a timeout");
        }
    }

    /// Returns the stored timeouts of a server: who is in timeout, and until when.
    pub async fn stored_timeouts(&self, guild: u64) -> Vec<(u64, Timestamp)> {
        let prefix = timeouts_prefix(guild);
        let found = self.rows.store().scan(&prefix, TIMEOUTS_MAX).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to read the timeouts of a server");
            Vec::new()
        });
        let parse = |(key, value): &(String, Vec<u8>)| -> Option<(u64, Timestamp)> {
            let user = key.strip_prefix(prefix.as_str())?.parse().ok()?;
            Some((user, serde_json::from_slice(value).ok()?))
        };
        found.iter().filter_map(parse).collect()
    }

    /// Stores the token of an answered interaction. `board`: the message that the token can edit,
    /// if the press was acknowledged without a message of its own.
    pub async fn store_interaction_token(
        &self,
        interaction: &PendingInteraction,
        board: Option<u64>,
    ) {
        let PendingInteraction { token, user, channel, audience, .. } = interaction;
        let mut rows = vec![json_row(&token_key(*user, *channel), &token, TOKEN_MS)];
        if *audience == TokenAudience::Channel {
            rows.push(json_row(&channel_key(*channel), &token, TOKEN_MS));
        }
        rows.extend(board.map(|it| json_row(&message_token_key(it), &token, TOKEN_MS)));
        self.rows.put(rows).await;
    }

    /// Stores the token with which a follow-up was posted.
    pub async fn store_follow_up_token(&self, message: u64, token: String) {
        let token = DiscordMessageToken::FollowUp { follow_up: token };
        self.rows.put(vec![json_row(&message_token_key(message), &token, TOKEN_MS)]).await;
    }

    /// Returns a token that can still reach this user in this channel.
    pub async fn user_token(&self, user: u64, channel: u64) -> Option<String> {
        self.rows.get(&token_key(user, channel)).await
    }

    /// Returns the token of the latest interaction in this channel.
    pub async fn channel_token(&self, channel: u64) -> Option<String> {
        self.rows.get(&channel_key(channel)).await
    }

    /// Removes the token of the latest interaction in a channel, which posts nothing that others
    /// see.
    pub async fn forget_channel_token(&self, channel: u64) {
        self.rows.put(vec![KeyValueEntry::delete(channel_key(channel))]).await;
    }

    /// Removes the token of a user that no longer works.
    pub async fn forget_user_token(&self, user: u64, channel: u64) {
        self.rows.put(vec![KeyValueEntry::delete(token_key(user, channel))]).await;
    }

    /// Returns a token that can still edit this message.
    pub async fn message_token(&self, message: u64) -> Option<DiscordMessageToken> {
        self.rows.get(&message_token_key(message)).await
    }

    /// Removes the token of a message that has expired.
    pub async fn forget_message_token(&self, message: u64) {
        self.rows.put(vec![KeyValueEntry::delete(message_token_key(message))]).await;
    }

    /// Returns the message of this slot, if it can still be edited.
    pub async fn slot_message(&self, user: u64, slot: &str) -> Option<DiscordMessageHandle> {
        self.rows.get(&slot_key(user, slot)).await
    }

    /// Stores the message of a slot.
    pub async fn store_slot_message(&self, user: u64, slot: &str, now: &DiscordMessageHandle) {
        let for_ms = if now.is_direct() { DIRECT_MESSAGE_MS } else { TOKEN_MS };
        self.rows.put(vec![json_row(&slot_key(user, slot), now, for_ms)]).await;
    }

    /// Removes the message of a slot, which is deleted or cannot be edited.
    pub async fn forget_slot(&self, user: u64, slot: &str) {
        self.rows.put(vec![KeyValueEntry::delete(slot_key(user, slot))]).await;
    }

    /// Adds replies to hidden ones of less than a minute ago for the same user and channel; false
    /// if there are none.
    pub async fn append_hidden_replies(
        &self,
        reader: u64,
        channel: u64,
        inside: &[StoredReply],
    ) -> bool {
        let number: Option<u64> = self.rows.get(&open_button_key(reader, channel)).await;
        let Some(number) = number else { return false };
        let add = |hidden: Option<DiscordHiddenReplies>| {
            let mut hidden = hidden?;
            hidden.inside.extend(inside.iter().cloned());
            let over = hidden.inside.len().saturating_sub(REPLIES_MAX);
            hidden.inside.drain(..over);
            Some(hidden)
        };
        self.rows.update(&hidden_reply_key(number), HIDDEN_REPLY_MS, add).await
    }

    /// Stores replies for a user. The number is the id of the message that they answer.
    pub async fn store_hidden_replies(
        &self,
        number: u64,
        reader: u64,
        channel: u64,
        inside: Vec<StoredReply>,
    ) {
        let rows = vec![
            json_row(
                &hidden_reply_key(number),
                &DiscordHiddenReplies { reader, inside },
                HIDDEN_REPLY_MS,
            ),
            json_row(&open_button_key(reader, channel), &number, APPEND_WINDOW_MS),
        ];
        self.rows.put(rows).await;
    }

    /// Makes the next replies for a user get a button of their own: the message of the last one was
    /// deleted.
    pub async fn forget_open_button(&self, reader: u64, channel: u64) {
        self.rows.put(vec![KeyValueEntry::delete(open_button_key(reader, channel))]).await;
    }

    /// Returns the hidden replies with this number.
    pub async fn load_hidden_replies(&self, number: u64) -> Option<DiscordHiddenReplies> {
        self.rows.get(&hidden_reply_key(number)).await
    }

    /// Takes hidden replies out to show them; `None` if another press took them.
    pub async fn take_hidden_replies(&self, number: u64) -> Option<DiscordHiddenReplies> {
        self.rows.take(&hidden_reply_key(number)).await
    }
}
