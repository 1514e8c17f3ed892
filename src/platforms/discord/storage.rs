//! What is kept in rows: a press may come to another process than the one that posted, or after
//! a restart. Each row has a lifetime, and play goes on without any of them.

use serde::{Deserialize, Serialize};

use super::DiscordInner;
use super::replaceable_messages::DiscordMessageHandle;
use caravanserai_platform_shared::platform_rows::json_row;
use caravanserai_platform_shared::stored_reply::StoredReply;
use caravanserai_protocol::KeyValueEntry;

/// A token is used this long after it was given: Discord takes it for 15 minutes.
const TOKEN_MS: u64 = 14 * 60_000;
/// How long a private message in a direct channel counts as standing.
const DIRECT_MESSAGE_MS: u64 = 7 * 24 * 3_600_000;
/// How long a closed envelope can be opened.
const HIDDEN_REPLY_MS: u64 = 24 * 3_600_000;
/// Within this time somebody's next answers go into the envelope that waits for them already.
const APPEND_WINDOW_MS: u64 = 60_000;
/// Answers in one envelope; the oldest go first.
const REPLIES_MAX: usize = 8;

/// Private answers waiting behind a public button.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DiscordHiddenReplies {
    /// Who may open it.
    pub reader: u64,
    /// What is inside, the oldest first.
    pub inside: Vec<StoredReply>,
}

/// By person and channel: the token of what they did last, for private words.
fn token_key(user: u64, channel: u64) -> String {
    format!("dc token {user} {channel}")
}

/// By channel: the token of what anybody did there last, for posts where the bot is no member.
fn channel_key(channel: u64) -> String {
    format!("dc channel {channel}")
}

/// By message: the token whose `@original` that message is, for edits.
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

impl DiscordInner {
    /// A person acted in a channel and was answered; if a press was acknowledged without a
    /// message of its own, its token edits this message.
    pub async fn store_interaction_token(
        &self,
        user: u64,
        channel: u64,
        token: &str,
        board: Option<u64>,
    ) {
        let mut rows = vec![json_row(&token_key(user, channel), &token, TOKEN_MS)];
        rows.push(json_row(&channel_key(channel), &token, TOKEN_MS));
        rows.extend(board.map(|it| json_row(&message_token_key(it), &token, TOKEN_MS)));
        self.notes.put(rows).await;
    }

    /// A token that still reaches this person here.
    pub async fn user_token(&self, user: u64, channel: u64) -> Option<String> {
        self.notes.get(&token_key(user, channel)).await
    }

    /// The token of what anybody did last in this channel.
    pub async fn channel_token(&self, channel: u64) -> Option<String> {
        self.notes.get(&channel_key(channel)).await
    }

    /// This person cannot be reached any more.
    pub async fn forget_user_token(&self, user: u64, channel: u64) {
        self.notes.put(vec![KeyValueEntry::delete(token_key(user, channel))]).await;
    }

    /// A token that still edits this message.
    pub async fn message_token(&self, message: u64) -> Option<String> {
        self.notes.get(&message_token_key(message)).await
    }

    /// The token of this message is dead.
    pub async fn forget_message_token(&self, message: u64) {
        self.notes.put(vec![KeyValueEntry::delete(message_token_key(message))]).await;
    }

    /// Where the message of this slot stands, if it can still be changed.
    pub async fn slot_message(&self, user: u64, slot: &str) -> Option<DiscordMessageHandle> {
        self.notes.get(&slot_key(user, slot)).await
    }

    /// The message of a slot stands there now.
    pub async fn store_slot_message(&self, user: u64, slot: &str, now: &DiscordMessageHandle) {
        let for_ms = if now.is_direct() { DIRECT_MESSAGE_MS } else { TOKEN_MS };
        self.notes.put(vec![json_row(&slot_key(user, slot), now, for_ms)]).await;
    }

    /// The message of a slot is no more, or cannot be changed.
    pub async fn forget_slot(&self, user: u64, slot: &str) {
        self.notes.put(vec![KeyValueEntry::delete(slot_key(user, slot))]).await;
    }

    /// Puts answers into the envelope that waits for this person here since less than a minute;
    /// false if there is none.
    pub async fn append_hidden_replies(
        &self,
        reader: u64,
        channel: u64,
        inside: &[StoredReply],
    ) -> bool {
        let number: Option<u64> = self.notes.get(&open_button_key(reader, channel)).await;
        let Some(number) = number else { return false };
        let add = |sealed: Option<DiscordHiddenReplies>| {
            let mut sealed = sealed?;
            sealed.inside.extend(inside.iter().cloned());
            let over = sealed.inside.len().saturating_sub(REPLIES_MAX);
            sealed.inside.drain(..over);
            Some(sealed)
        };
        self.notes.update(&hidden_reply_key(number), HIDDEN_REPLY_MS, add).await
    }

    /// Keeps answers for somebody. The number is that of the message they answer.
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
        self.notes.put(rows).await;
    }

    /// The envelope with this number.
    pub async fn load_hidden_replies(&self, number: u64) -> Option<DiscordHiddenReplies> {
        self.notes.get(&hidden_reply_key(number)).await
    }

    /// Takes an envelope away to open it; `None` if another press did.
    pub async fn take_hidden_replies(&self, number: u64) -> Option<DiscordHiddenReplies> {
        self.notes.take(&hidden_reply_key(number)).await
    }
}
