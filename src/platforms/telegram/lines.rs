//! Keeps the updates of one person in one chat in order while Telegram is asked whether the person
//! is an admin. Updates of other people do not wait.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex as SyncMutex, MutexGuard};

use futures::FutureExt;
use serde_json::Value;
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::updates::chat_of;

/// A chat and a person.
type Key = (i64, i64);

/// The queues of waiting updates, one for each person in each chat.
#[derive(Default)]
pub(super) struct Lines(SyncMutex<HashMap<Key, Arc<Mutex<()>>>>);

/// A place in a queue.
pub(super) struct LinePlace(Pin<Box<dyn Future<Output = OwnedMutexGuard<()>> + Send>>);

/// The chat and the author of an update.
fn key_of(update: &Value) -> Key {
    let from = |part: &str| update[part]["from"]["id"].as_i64();
    let person = from("message").or_else(|| from("callback_query"));
    (chat_of(update), person.unwrap_or_default())
}

impl Lines {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<Mutex<()>>>> {
        self.0.lock().expect("nothing panics while holding this lock")
    }

    /// The next place behind earlier updates of the same author, if any of them wait.
    pub(super) fn behind(&self, update: &Value) -> Option<LinePlace> {
        let line = self.lock().get(&key_of(update)).cloned()?;
        // The lock is free if the last place was just given up.
        let waits = line.try_lock().is_err();
        waits.then(|| LinePlace::of(line))
    }

    /// The first place of a queue.
    pub(super) fn begin(&self, update: &Value) -> LinePlace {
        let line = self.lock().entry(key_of(update)).or_default().clone();
        LinePlace::of(line)
    }

    /// Forgets empty queues.
    pub(super) fn clear(&self) {
        self.lock().retain(|_, line| Arc::strong_count(line) > 1);
    }
}

impl LinePlace {
    fn of(line: Arc<Mutex<()>>) -> Self {
        let mut comes = Box::pin(line.lock_owned());
        // The lock queues a future when it is polled first.
        match comes.as_mut().now_or_never() {
            Some(first) => LinePlace(Box::pin(std::future::ready(first))),
            None => LinePlace(comes),
        }
    }

    /// Waits until everything before was handled. The next one comes when the guard is dropped.
    pub(super) async fn comes(self) -> OwnedMutexGuard<()> {
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
        let lines = Lines::default();
        assert!(lines.behind(&said(-1, 7)).is_none());
        let first = lines.begin(&said(-1, 7)).comes().await;
        let second = lines.behind(&said(-1, 7)).expect("the first is at the front");
        let third = lines.behind(&said(-1, 7)).expect("the second waits");
        assert!(lines.behind(&said(-1, 8)).is_none());
        assert!(lines.behind(&said(-2, 7)).is_none());
        let third = tokio::spawn(third.comes());
        drop(first);
        let second = second.comes().await;
        assert!(!third.is_finished());
        drop(second);
        drop(third.await.expect("it comes"));
        lines.clear();
        assert!(lines.lock().is_empty());
    }
}
