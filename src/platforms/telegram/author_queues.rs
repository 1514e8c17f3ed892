//! Keeps the updates of one person in one chat in order while Telegram is asked whether the person
//! is an admin. Updates of other people do not wait.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;

use futures::FutureExt;
use parking_lot::Mutex as SyncMutex;
use serde_json::Value;
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::corrections::EDITED_MESSAGE;
use super::parse_update::chat_of;

/// A chat and a person.
type ChatAuthor = (i64, i64);

/// The queues of waiting updates, one for each person in each chat.
#[derive(Default)]
pub(super) struct AuthorQueues(SyncMutex<HashMap<ChatAuthor, Arc<Mutex<()>>>>);

/// How many locks all chats share.
const CHAT_LOCKS: usize = 256;

/// The order in which updates are handled.
pub(super) struct UpdateOrder {
    /// A fixed set of locks that all chats share: updates of one chat are handled one after the
    /// other.
    chats: Vec<Mutex<()>>,
    /// The updates that wait for the check of admin rights.
    pub(super) authors: AuthorQueues,
}

impl Default for UpdateOrder {
    fn default() -> Self {
        let chats = (0..CHAT_LOCKS).map(|_| Mutex::default()).collect();
        Self { chats, authors: AuthorQueues::default() }
    }
}

impl UpdateOrder {
    /// Waits until earlier updates of this chat are handled.
    pub(super) async fn lock_chat(&self, update: &Value) -> tokio::sync::MutexGuard<'_, ()> {
        let chat = usize::try_from(chat_of(update).unsigned_abs()).unwrap_or_default();
        self.chats[chat % self.chats.len()].lock().await
    }
}

/// A place in a queue; waits for the updates before it.
pub(super) struct QueueTicket(Pin<Box<dyn Future<Output = OwnedMutexGuard<()>> + Send>>);

/// The chat and the author of an update.
fn queue_key(update: &Value) -> ChatAuthor {
    let from = |part: &str| update[part]["from"]["id"].as_i64();
    let person = from("message").or_else(|| from(EDITED_MESSAGE));
    let person = person.or_else(|| from("callback_query"));
    (chat_of(update), person.unwrap_or_default())
}

impl AuthorQueues {
    /// Joins the queue behind earlier updates of the same author, if any of them wait.
    pub(super) fn join_existing(&self, update: &Value) -> Option<QueueTicket> {
        let line = self.0.lock().get(&queue_key(update)).cloned()?;
        // The lock is free if the last ticket has just left.
        let waits = line.try_lock().is_err();
        waits.then(|| QueueTicket::new(line))
    }

    /// Takes the first place of a queue, which exists from then on.
    pub(super) fn start_queue(&self, update: &Value) -> QueueTicket {
        let line = self.0.lock().entry(queue_key(update)).or_default().clone();
        QueueTicket::new(line)
    }

    /// Removes empty queues.
    pub(super) fn remove_empty(&self) {
        self.0.lock().retain(|_, line| Arc::strong_count(line) > 1);
    }
}

impl QueueTicket {
    fn new(line: Arc<Mutex<()>>) -> Self {
        let mut comes = Box::pin(line.lock_owned());
        // The lock puts a future into its queue when the future is first polled.
        match comes.as_mut().now_or_never() {
            Some(first) => QueueTicket(Box::pin(std::future::ready(first))),
            None => QueueTicket(comes),
        }
    }

    /// Waits until the updates before it are handled. The next ticket follows when the guard is
    /// dropped.
    pub(super) async fn wait(self) -> OwnedMutexGuard<()> {
        self.0.await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(chat: i64, person: i64) -> Value {
        json!({ "message": { "chat": { "id": chat }, "from": { "id": person } } })
    }

    #[tokio::test]
    async fn updates_of_one_person_in_one_chat_keep_their_order() {
        let lines = AuthorQueues::default();
        assert!(lines.join_existing(&said(-1, 7)).is_none());
        let first = lines.start_queue(&said(-1, 7)).wait().await;
        let second = lines.join_existing(&said(-1, 7)).expect("the first is at the front");
        let third = lines.join_existing(&said(-1, 7)).expect("the second waits");
        assert!(lines.join_existing(&said(-1, 8)).is_none());
        assert!(lines.join_existing(&said(-2, 7)).is_none());
        let third = tokio::spawn(third.wait());
        drop(first);
        let second = second.wait().await;
        assert!(!third.is_finished());
        drop(second);
        drop(third.await.expect("it comes"));
        lines.remove_empty();
        assert!(lines.0.lock().is_empty());
    }
}
