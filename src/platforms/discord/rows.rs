//! What is kept in rows: a press may come to another process than the one that posted, or after
//! a restart. Each row has a lifetime, and play goes on without any of them.

use serde::{Deserialize, Serialize};

use super::Inner;
use super::slots::Standing;
use caravanserai_platform_shared::kept::Kept;
use caravanserai_platform_shared::notes::row;
use caravanserai_protocol::Row;

/// A token is used this long after it was given: Discord takes it for 15 minutes.
const TOKEN_MS: u64 = 14 * 60_000;
/// How long a private message in a direct channel counts as standing.
const DIRECT_MS: u64 = 7 * 24 * 3_600_000;
/// How long a closed envelope can be opened.
const SEALED_MS: u64 = 24 * 3_600_000;
/// Within this time somebody's next answers go into the envelope that waits for them already.
const LETTER_MS: u64 = 60_000;
/// Answers in one envelope; the oldest go first.
const LETTERS_MAX: usize = 8;

/// Private answers waiting behind a public button.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sealed {
    /// Who may open it.
    pub reader: u64,
    /// What is inside, the oldest first.
    pub inside: Vec<Kept>,
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
fn board_key(message: u64) -> String {
    format!("dc board {message}")
}

fn slot_key(user: u64, slot: &str) -> String {
    format!("dc slot {user} {slot}")
}

fn sealed_key(number: u64) -> String {
    format!("dc sealed {number}")
}

fn letter_key(reader: u64, channel: u64) -> String {
    format!("dc letter {reader} {channel}")
}

impl Inner {
    /// A person acted in a channel and was answered; if a press was acknowledged without a
    /// message of its own, its token edits this message.
    pub async fn person_acted(&self, user: u64, channel: u64, token: &str, board: Option<u64>) {
        let mut rows = vec![row(&token_key(user, channel), &token, TOKEN_MS)];
        rows.push(row(&channel_key(channel), &token, TOKEN_MS));
        rows.extend(board.map(|it| row(&board_key(it), &token, TOKEN_MS)));
        self.notes.put(rows).await;
    }

    /// A token that still reaches this person here.
    pub async fn token_of(&self, user: u64, channel: u64) -> Option<String> {
        self.notes.get(&token_key(user, channel)).await
    }

    /// The token of what anybody did last in this channel.
    pub async fn channel_token(&self, channel: u64) -> Option<String> {
        self.notes.get(&channel_key(channel)).await
    }

    /// This person cannot be reached any more.
    pub async fn forget_person(&self, user: u64, channel: u64) {
        self.notes.put(vec![Row::gone(token_key(user, channel))]).await;
    }

    /// A token that still edits this message.
    pub async fn board_token(&self, message: u64) -> Option<String> {
        self.notes.get(&board_key(message)).await
    }

    /// The token of this message is dead.
    pub async fn forget_board(&self, message: u64) {
        self.notes.put(vec![Row::gone(board_key(message))]).await;
    }

    /// Where the message of this slot stands, if it can still be changed.
    pub async fn slot(&self, user: u64, slot: &str) -> Option<Standing> {
        self.notes.get(&slot_key(user, slot)).await
    }

    /// The message of a slot stands there now.
    pub async fn keep_slot(&self, user: u64, slot: &str, now: &Standing) {
        let for_ms = if now.is_direct() { DIRECT_MS } else { TOKEN_MS };
        self.notes.put(vec![row(&slot_key(user, slot), now, for_ms)]).await;
    }

    /// The message of a slot is no more, or cannot be changed.
    pub async fn forget_slot(&self, user: u64, slot: &str) {
        self.notes.put(vec![Row::gone(slot_key(user, slot))]).await;
    }

    /// Puts answers into the envelope that waits for this person here since less than a minute;
    /// false if there is none.
    pub async fn reseal(&self, reader: u64, channel: u64, inside: &[Kept]) -> bool {
        let number: Option<u64> = self.notes.get(&letter_key(reader, channel)).await;
        let Some(number) = number else { return false };
        let add = |sealed: Option<Sealed>| {
            let mut sealed = sealed?;
            sealed.inside.extend(inside.iter().cloned());
            let over = sealed.inside.len().saturating_sub(LETTERS_MAX);
            sealed.inside.drain(..over);
            Some(sealed)
        };
        self.notes.change(&sealed_key(number), SEALED_MS, add).await
    }

    /// Keeps answers for somebody. The number is that of the message they answer.
    pub async fn seal(&self, number: u64, reader: u64, channel: u64, inside: Vec<Kept>) {
        let rows = vec![
            row(&sealed_key(number), &Sealed { reader, inside }, SEALED_MS),
            row(&letter_key(reader, channel), &number, LETTER_MS),
        ];
        self.notes.put(rows).await;
    }

    /// The envelope with this number.
    pub async fn sealed(&self, number: u64) -> Option<Sealed> {
        self.notes.get(&sealed_key(number)).await
    }

    /// Takes an envelope away to open it; `None` if another press did.
    pub async fn unseal(&self, number: u64) -> Option<Sealed> {
        self.notes.take(&sealed_key(number)).await
    }
}
