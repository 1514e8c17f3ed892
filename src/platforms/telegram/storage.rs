//! Stores platform state in rows: a press may reach another process than the one that posted, or
//! come after a restart. Each row has a lifetime, and play goes on without any of them.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::corrections::{RefusedText, TypedText};
use super::now_ms;
use super::parse_update::UpdateAuthor;
use super::replaceable_messages::{PrivateMessageId, TelegramMessageHandle};
use caravanserai_games::time_units::{DAY_MS, MINUTE_MS};
use caravanserai_platform_shared::platform_rows::{PlatformRows, json_row};
use caravanserai_platform_shared::stored_reply::StoredReply;
use caravanserai_protocol::{KeyValueEntry, KeyValueError};

/// How long a private message counts as existing, in milliseconds.
const PRIVATE_MESSAGE_MS: u64 = 7 * DAY_MS;
/// How long Telegram may deliver an update again, in milliseconds.
const REDELIVERY_MS: u64 = DAY_MS;
/// How long the message of an update is stored, so that answers appear in its thread, in
/// milliseconds.
const COMMENT_MS: u64 = DAY_MS;
/// How long hidden replies can be revealed, in milliseconds.
const HIDDEN_REPLY_MS: u64 = DAY_MS;
/// How long more replies go behind the same button, in milliseconds: a person who makes several
/// mistakes in a row gets one button instead of many.
const APPEND_WINDOW_MS: u64 = MINUTE_MS;
/// The most replies behind one button; the oldest are dropped first.
pub(super) const REPLIES_MAX: usize = 16;
/// How long the list of admins of a chat is valid, in milliseconds.
const ADMINS_MS: u64 = 10 * MINUTE_MS;
/// How long the list proves that a person is no admin, in milliseconds: a new admin wants to use
/// the right soon.
const NON_ADMIN_MS: u64 = 30_000;
/// How long Telegram is not asked again for the admins of a chat after a failure, in milliseconds:
/// until then an admin who is not known is refused.
const ADMINS_FAILURE_MS: u64 = 3_000;
/// The most updates whose authors are informed at the same time that nothing can be stored; the
/// others wait.
const UNSAVED_NOTICES_MAX: usize = 1_000;

/// How long other processes are informed that ephemeral messages fail in a chat, in milliseconds.
const EPHEMERAL_FAILURE_MS: u64 = 10 * MINUTE_MS;

/// Chat, topic and author of the update that hidden replies answer.
pub(super) type ReplyAddressee = (i64, Option<i32>, UpdateAuthor);

/// How far the replies to an update were sent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum ReplyMark {
    /// They were sent; rows of earlier versions say only this.
    Sent(u8),
    /// A process is sending them. If the update is delivered again to another one, the process may
    /// have ended before.
    Sending { by: String },
}

/// Private replies behind a public button.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TelegramHiddenReplies {
    /// The person who may open them.
    pub(super) reader: UpdateAuthor,
    /// The replies, the oldest first.
    pub(super) inside: Vec<StoredReply>,
}

fn ephemeral_failure_key(chat: i64) -> String {
    format!("tg fails {chat}")
}

fn slot_key(person: i64, slot: &str) -> String {
    format!("tg slot {person} {slot}")
}

/// The key of the slot in which a private message was last stored.
fn holder_key(standing: &TelegramMessageHandle) -> String {
    let (chat, person, id) = standing.key();
    match id {
        PrivateMessageId::Ephemeral(id) => format!("tg holder {chat} {person} e{id}"),
        PrivateMessageId::Chat(id) => format!("tg holder {chat} {person} c{id}"),
    }
}

/// The key that says whether a message of a private chat is a private reply, and whether it has an
/// image.
fn answer_key(chat: i64, message: i32) -> String {
    format!("tg answer {chat} {message}")
}

fn hidden_reply_key(number: &str) -> String {
    format!("tg sealed {number}")
}

/// The key, by update, of the message in a thread that is no topic.
fn comment_key(update: &str) -> String {
    format!("tg comment {update}")
}

fn reply_mark_key(update: &str) -> String {
    format!("tg told {update}")
}

fn refused_text_key(typed: &TypedText) -> String {
    format!("tg typed {} {}", typed.chat, typed.message)
}

fn open_button_key(sender: &ReplyAddressee) -> String {
    let (chat, thread, author) = sender;
    let thread = thread.unwrap_or_default();
    let author = match author {
        UpdateAuthor::Person(id) => id.to_string(),
        UpdateAuthor::SomeAdmin => "admin".to_owned(),
        UpdateAuthor::Nobody => "nobody".to_owned(),
    };
    format!("tg letter {chat} {thread} {author}")
}

/// The rows of the adapter.
#[derive(Clone)]
pub(super) struct TelegramStorage {
    rows: PlatformRows,
}

impl TelegramStorage {
    /// Creates access to these rows.
    pub(super) fn new(rows: PlatformRows) -> Self {
        Self { rows }
    }

    /// Returns the untyped rows.
    pub(super) fn rows(&self) -> &PlatformRows {
        &self.rows
    }

    /// Whether an ephemeral message has failed in a chat, in any process.
    pub(super) async fn has_ephemeral_failure(&self, chat: i64) -> bool {
        let fails: Option<bool> = self.rows.get(&ephemeral_failure_key(chat)).await;
        fails.is_some()
    }

    /// Stores for the other processes that an ephemeral message failed in a chat.
    pub(super) async fn store_ephemeral_failure(&self, chat: i64) {
        self.rows
            .put(vec![json_row(&ephemeral_failure_key(chat), &true, EPHEMERAL_FAILURE_MS)])
            .await;
    }

    /// Returns the message that a person was last shown in this slot.
    pub(super) async fn slot_message(
        &self,
        person: i64,
        slot: &str,
    ) -> Option<TelegramMessageHandle> {
        self.rows.get(&slot_key(person, slot)).await
    }

    /// Removes the message of a slot.
    pub(super) async fn forget_slot(&self, person: i64, slot: &str) {
        self.rows.put(vec![KeyValueEntry::delete(slot_key(person, slot))]).await;
    }

    /// Returns the private reply in a private chat whose button was pressed, if it is known to be
    /// one.
    pub(super) async fn private_answer(
        &self,
        chat: i64,
        message: i32,
    ) -> Option<TelegramMessageHandle> {
        let pictured = self.rows.get(&answer_key(chat, message)).await?;
        Some(TelegramMessageHandle::in_private_chat(chat, message, pictured))
    }

    /// Stores a newly sent private message and its slot. No other slot keeps this message id:
    /// Telegram reuses free ids of ephemeral messages, so a new message may have the id of a lost
    /// one.
    pub(super) async fn store_new_private_message(
        &self,
        slot: Option<&str>,
        now: TelegramMessageHandle,
    ) {
        self.write_private_message(slot, now, true).await;
    }

    /// Stores an edited private message and its slot. A page without a slot leaves the message to
    /// its former slot, which returns there.
    pub(super) async fn store_private_message(
        &self,
        slot: Option<&str>,
        now: TelegramMessageHandle,
    ) {
        self.write_private_message(slot, now, false).await;
    }

    async fn write_private_message(
        &self,
        slot: Option<&str>,
        now: TelegramMessageHandle,
        new: bool,
    ) {
        let mut rows = Vec::new();
        if let (chat, _, PrivateMessageId::Chat(id)) = now.key() {
            rows.push(json_row(&answer_key(chat, id), &now.has_picture(), PRIVATE_MESSAGE_MS));
        }
        let (_, person, _) = now.key();
        let own = slot.map(|it| slot_key(person, it));
        let holder = holder_key(&now);
        let before: Option<String> = match own.is_some() || new {
            true => self.rows.get(&holder).await,
            false => None,
        };
        if let Some(before) = before.filter(|it| new || Some(it) != own.as_ref()) {
            let there: Option<TelegramMessageHandle> = self.rows.get(&before).await;
            if there.is_some_and(|it| it.is_same_message(&now)) {
                rows.push(KeyValueEntry::delete(before));
            }
            rows.push(KeyValueEntry::delete(holder.clone()));
        }
        if let Some(own) = own {
            rows.push(json_row(&holder, &own, PRIVATE_MESSAGE_MS));
            rows.push(json_row(&own, &now, PRIVATE_MESSAGE_MS));
        }
        if !rows.is_empty() {
            self.rows.put(rows).await;
        }
    }

    /// Stores that a text was refused, so that its author may correct it.
    pub(super) async fn record_refused_text(&self, typed: &TypedText) {
        let refuse = |row| RefusedText::after_refusal(row, typed);
        self.rows.update(&refused_text_key(typed), REDELIVERY_MS, refuse).await;
    }

    /// Stores that an edit corrects a refused text; false if it does not count.
    ///
    /// # Errors
    /// When the store fails: the edit has to be delivered again.
    pub(super) async fn accept_correction(
        &self,
        edited: &TypedText,
    ) -> Result<bool, KeyValueError> {
        let correct = |row| RefusedText::after_edit(row, edited);
        self.rows.try_update(&refused_text_key(edited), REDELIVERY_MS, correct).await
    }

    /// Marks the replies to an update as being sent by this process; false if they were sent, or
    /// this process is sending them. True also if the store fails and that is unknown.
    pub(super) async fn begin_reply(&self, update: &str, process: &str) -> bool {
        let begin = |mark: Option<ReplyMark>| match mark {
            Some(ReplyMark::Sent(_)) => None,
            Some(ReplyMark::Sending { by }) if by == process => None,
            Some(ReplyMark::Sending { .. }) | None => {
                Some(ReplyMark::Sending { by: process.to_owned() })
            }
        };
        let begun = self.rows.try_update(&reply_mark_key(update), REDELIVERY_MS, begin).await;
        begun.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to store that a reply is being sent");
            true
        })
    }

    /// Marks the replies to an update as sent.
    pub(super) async fn end_reply(&self, update: &str) {
        let sent = json_row(&reply_mark_key(update), &ReplyMark::Sent(1), REDELIVERY_MS);
        self.rows.put(vec![sent]).await;
    }

    /// Stores the chat and the message of an update from a thread that is no topic.
    pub(super) async fn store_comment(&self, update: &str, comment: (i64, i32)) {
        self.rows.put(vec![json_row(&comment_key(update), &comment, COMMENT_MS)]).await;
    }

    /// Returns the chat and the message of an update from a thread that is no topic.
    pub(super) async fn comment(&self, update: &str) -> Option<(i64, i32)> {
        self.rows.get(&comment_key(update)).await
    }

    /// Stores private replies under a number.
    pub(super) async fn store_hidden_replies(
        &self,
        number: &str,
        sender: &ReplyAddressee,
        mut inside: Vec<StoredReply>,
    ) {
        let over = inside.len().saturating_sub(REPLIES_MAX);
        inside.drain(..over);
        let hidden = TelegramHiddenReplies { reader: sender.2, inside };
        self.rows.put(vec![json_row(&hidden_reply_key(number), &hidden, HIDDEN_REPLY_MS)]).await;
    }

    /// Stores which message is the reveal button of these replies.
    pub(super) async fn store_reveal_message(
        &self,
        number: &str,
        sender: &ReplyAddressee,
        message: i32,
    ) {
        let waits = (number.to_owned(), message);
        self.rows.put(vec![json_row(&open_button_key(sender), &waits, APPEND_WINDOW_MS)]).await;
    }

    /// Returns the replies of less than a minute ago for the same reader, with the message of their
    /// button.
    pub(super) async fn open_reveal_message(
        &self,
        sender: &ReplyAddressee,
    ) -> Option<(String, i32)> {
        self.rows.get(&open_button_key(sender)).await
    }

    /// Adds a private reply to hidden ones; false if those are gone.
    pub(super) async fn append_hidden_reply(&self, number: &str, kept: &StoredReply) -> bool {
        let add = |hidden: Option<TelegramHiddenReplies>| {
            let mut hidden = hidden?;
            hidden.inside.push(kept.clone());
            let over = hidden.inside.len().saturating_sub(REPLIES_MAX);
            hidden.inside.drain(..over);
            Some(hidden)
        };
        self.rows.update(&hidden_reply_key(number), HIDDEN_REPLY_MS, add).await
    }

    /// Returns the hidden replies with this number.
    pub(super) async fn load_hidden_replies(&self, number: &str) -> Option<TelegramHiddenReplies> {
        self.rows.get(&hidden_reply_key(number)).await
    }

    /// Takes hidden replies out to show them; `None` if another call took them.
    pub(super) async fn take_hidden_replies(&self, number: &str) -> Option<TelegramHiddenReplies> {
        self.rows.take(&hidden_reply_key(number)).await
    }

    /// Whether a person is an admin of a chat, if that was asked recently.
    pub(super) async fn cached_admin(&self, chat: i64, person: i64) -> Option<bool> {
        let (admins, asked) = (format!("tg admins {chat}"), format!("tg asked {chat}"));
        let (admins, asked): (Option<Vec<i64>>, Option<bool>) =
            self.rows.get_pair(&admins, &asked).await;
        let is_one = admins.is_some_and(|it| it.contains(&person));
        (is_one || asked.is_some()).then_some(is_one)
    }

    /// Stores that the admins of a chat cannot be read now: nobody asks again for a moment. Those
    /// who are known stay known.
    pub(super) async fn store_admins_failure(&self, chat: i64) {
        let row = json_row(&format!("tg asked {chat}"), &true, ADMINS_FAILURE_MS);
        self.rows.put(vec![row]).await;
    }

    /// Stores the admins of a chat.
    pub(super) async fn store_admins(&self, chat: i64, admins: &[i64]) {
        let rows = vec![
            json_row(&format!("tg admins {chat}"), &admins, ADMINS_MS),
            json_row(&format!("tg asked {chat}"), &true, NON_ADMIN_MS),
        ];
        self.rows.put(rows).await;
    }

    /// Makes the next check ask for the admins of a chat again.
    pub(super) async fn forget_admins(&self, chat: i64) {
        let rows = ["admins", "asked"].map(|it| KeyValueEntry::delete(format!("tg {it} {chat}")));
        self.rows.put(rows.into()).await;
    }
}

/// The updates whose authors got a reply.
pub(super) struct RepliedUpdates {
    storage: TelegramStorage,
    /// A random name of this process.
    process: String,
    /// Updates that could not be stored, and whose authors were already informed.
    unsaved: Mutex<HashSet<String>>,
}

impl RepliedUpdates {
    /// Knows no update yet, besides those in the rows.
    pub(super) fn new(storage: TelegramStorage) -> Self {
        let process = format!("{:x}", RandomState::new().hash_one(now_ms()));
        Self { storage, process, unsaved: Mutex::default() }
    }

    /// Whether the replies to an update are to be sent: not if they were sent before, but again if
    /// a process has ended meanwhile. An update that cannot be stored comes again and again; its
    /// author is informed once.
    pub(super) async fn is_first_reply(&self, update: &str, kept: bool) -> bool {
        let first = {
            let mut unsaved = self.unsaved.lock();
            if kept {
                unsaved.remove(update);
            }
            kept || (unsaved.len() < UNSAVED_NOTICES_MAX && unsaved.insert(update.to_owned()))
        };
        first && (!kept || self.storage.begin_reply(update, &self.process).await)
    }

    /// Stores that the replies to an update were sent.
    pub(super) async fn record_sent(&self, update: &str) {
        self.storage.end_reply(update).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use caravanserai_platform_shared::memory_kv::MemoryKeyValueStore;

    use super::*;

    /// A process on these rows.
    fn process(rows: &PlatformRows) -> RepliedUpdates {
        RepliedUpdates::new(TelegramStorage::new(rows.clone()))
    }

    #[tokio::test]
    async fn replies_are_sent_again_only_if_a_process_ended_before_they_were() {
        let rows = PlatformRows::new(Arc::new(MemoryKeyValueStore::default()));
        let (one, next) = (process(&rows), process(&rows));
        assert!(one.is_first_reply("tg/1/5", true).await);
        assert!(!one.is_first_reply("tg/1/5", true).await, "it is being sent");
        // The process ends, and the update is delivered again.
        assert!(next.is_first_reply("tg/1/5", true).await);
        next.record_sent("tg/1/5").await;
        assert!(!next.is_first_reply("tg/1/5", true).await);
        assert!(!process(&rows).is_first_reply("tg/1/5", true).await);
        // Earlier versions stored only that.
        assert!(rows.insert_if_absent("tg told tg/1/6".to_owned(), 1_000).await);
        assert!(!next.is_first_reply("tg/1/6", true).await);
    }
}
