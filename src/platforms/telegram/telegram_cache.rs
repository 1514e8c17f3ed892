//! Caches facts about chats, people and files in memory. All of it is bounded, may be lost, and can
//! be learned again from Telegram. State that other processes need or that must survive is in
//! [`super::storage`].

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use quick_cache::unsync::Cache;

/// The latest messages of a chat.
#[derive(Default)]
struct LatestMessages(VecDeque<i32>);

/// Messages remembered for each chat: enough to know that a board is far up.
const LATEST_MAX: usize = 64;
/// How long a chat counts as forbidding images before the next try: the bot gets no update when a
/// chat changes what its members may do.
const NO_MEDIA_AGE: Duration = Duration::from_secs(600);
/// How long a chat counts as one where ephemeral messages fail after a failure.
const NO_EPHEMERALS_AGE: Duration = Duration::from_secs(600);
/// How long a person counts as not reachable before the next try: another process may have got the
/// update that says otherwise.
const UNREACHABLE_AGE: Duration = Duration::from_secs(600);

/// The cache.
pub(super) struct TelegramCache {
    latest: Cache<(i64, Option<i32>), LatestMessages>,
    newest: Cache<i64, i32>,
    /// Chats with topics.
    forums: Cache<i64, ()>,
    /// Public names of chats, for links.
    names: Cache<i64, String>,
    /// Ids of files that Telegram has, by the hash of their content.
    files: Cache<[u8; 32], String>,
    /// Chats that refused an image, and when.
    no_media: Cache<i64, Instant>,
    /// Chats where an ephemeral message failed, and when.
    no_ephemerals: Cache<i64, Instant>,
    /// The rights that the bot lacked when a chat last refused a call.
    lacking: Cache<i64, &'static str>,
    /// People who do not accept messages from the bot, and when they last refused one.
    unreachable: Cache<i64, Instant>,
    /// The threads of the updates that this process has received, by their ids.
    threads: Cache<String, UpdateThread>,
}

/// The thread of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UpdateThread {
    /// None, or a topic: answers appear there by themselves.
    Ordinary,
    /// A thread that is no topic, such as the comments of a post, with the chat and the message of
    /// the update.
    Comments { chat: i64, message: i32 },
}

impl TelegramCache {
    /// Creates an empty cache.
    pub(super) fn new() -> Self {
        Self {
            latest: Cache::new(20_000),
            newest: Cache::new(20_000),
            forums: Cache::new(20_000),
            names: Cache::new(20_000),
            files: Cache::new(5_000),
            no_media: Cache::new(5_000),
            no_ephemerals: Cache::new(5_000),
            lacking: Cache::new(5_000),
            unreachable: Cache::new(50_000),
            threads: Cache::new(5_000),
        }
    }

    /// Records a message of a chat.
    pub(super) fn add_message(&mut self, chat: i64, thread: Option<i32>, message: i32) {
        if thread.is_some() {
            self.set_forum(chat, true);
        }
        let newest = self.newest.get(&chat).copied().unwrap_or_default();
        if message > newest {
            self.newest.insert(chat, message);
        }
        let target = (chat, thread);
        if self.latest.get(&target).is_none() {
            self.latest.insert(target, LatestMessages::default());
        }
        let Some(mut latest) = self.latest.get_mut(&target) else { return };
        if message > 0 && !latest.0.contains(&message) {
            latest.0.push_back(message);
            if latest.0.len() > LATEST_MAX {
                latest.0.pop_front();
            }
        }
    }

    /// Records whether a chat has topics.
    pub(super) fn set_forum(&mut self, chat: i64, yes: bool) {
        match yes {
            true => self.forums.insert(chat, ()),
            false => drop(self.forums.remove(&chat)),
        }
    }

    /// Records that an update is a message in a thread that is no topic, such as the comments of a
    /// post: they show only replies to their messages.
    pub(super) fn add_comment(&mut self, update: &str, chat: i64, message: i32) {
        self.threads.insert(update.to_owned(), UpdateThread::Comments { chat, message });
    }

    /// Records that this process has received an update.
    pub(super) fn add_update(&mut self, update: &str) {
        if self.threads.get(update).is_none() {
            self.threads.insert(update.to_owned(), UpdateThread::Ordinary);
        }
    }

    /// Returns the thread of an update; `None` if another process has received it, or long ago.
    pub(super) fn thread_of(&self, update: &str) -> Option<UpdateThread> {
        self.threads.get(update).copied()
    }

    /// Counts the messages after this one. A supergroup numbers its own messages, so the newest id
    /// also counts messages that the bot never saw. Other chats share one numbering, and topics,
    /// including General, share that of their chat: there only seen messages count.
    pub(super) fn messages_below(&self, chat: i64, thread: Option<i32>, message: i32) -> u32 {
        let alone = thread.is_none() && self.forums.get(&chat).is_none();
        if alone && chat < -1_000_000_000_000 {
            let newest = self.newest.get(&chat).copied().unwrap_or_default();
            return u32::try_from(newest.saturating_sub(message)).unwrap_or(0);
        }
        let latest = self.latest.get(&(chat, thread));
        let after = latest.map_or(0, |it| it.0.iter().filter(|id| **id > message).count());
        u32::try_from(after).unwrap_or(u32::MAX)
    }

    /// Records the public name of a chat, or that it has none.
    pub(super) fn set_public_name(&mut self, chat: i64, name: Option<&str>) {
        match name {
            Some(name) if self.names.get(&chat).is_some_and(|it| it == name) => {}
            Some(name) => self.names.insert(chat, name.to_owned()),
            None => drop(self.names.remove(&chat)),
        }
    }

    /// Returns the public name of a chat.
    pub(super) fn public_name(&self, chat: i64) -> Option<&str> {
        self.names.get(&chat).map(String::as_str)
    }

    /// Returns Telegram's id of a file with this content.
    pub(super) fn file_id(&self, content: &[u8; 32]) -> Option<String> {
        self.files.get(content).cloned()
    }

    /// Records Telegram's id of a content, or that it is no longer valid.
    pub(super) fn set_file_id(&mut self, content: [u8; 32], id: Option<String>) {
        match id {
            Some(id) => self.files.insert(content, id),
            None => drop(self.files.remove(&content)),
        }
    }

    /// Whether a chat refused an image in the last ten minutes.
    pub(super) fn is_media_forbidden(&self, chat: i64, now: Instant) -> bool {
        let refused = self.no_media.get(&chat);
        refused.is_some_and(|at| now.saturating_duration_since(*at) < NO_MEDIA_AGE)
    }

    /// Records the right that the bot lacks in a chat, as a text key.
    pub(super) fn set_missing_right(&mut self, chat: i64, right: &'static str) {
        self.lacking.insert(chat, right);
    }

    /// Returns the right that the bot lacked when a chat last refused a call.
    pub(super) fn missing_right(&self, chat: i64) -> Option<&'static str> {
        self.lacking.get(&chat).copied()
    }

    /// Records that a chat refused an image.
    pub(super) fn note_media_refusal(&mut self, chat: i64, now: Instant) {
        self.no_media.insert(chat, now);
    }

    /// Allows images in a chat again because the rights of the bot have changed.
    pub(super) fn clear_media_refusal(&mut self, chat: i64) {
        self.no_media.remove(&chat);
    }

    /// Whether an ephemeral message failed in a chat in the last ten minutes.
    pub(super) fn are_ephemerals_failing(&self, chat: i64) -> bool {
        let failed = self.no_ephemerals.get(&chat);
        failed.is_some_and(|at| at.elapsed() < NO_EPHEMERALS_AGE)
    }

    /// Records that an ephemeral message failed in a chat.
    pub(super) fn note_ephemeral_failure(&mut self, chat: i64) {
        self.no_ephemerals.insert(chat, Instant::now());
    }

    /// Whether a person refused a private message in the last ten minutes.
    pub(super) fn is_unreachable(&self, person: i64) -> bool {
        self.was_unreachable_at(person, Instant::now())
    }

    fn was_unreachable_at(&self, person: i64, now: Instant) -> bool {
        let refused = self.unreachable.get(&person);
        refused.is_some_and(|at| now.saturating_duration_since(*at) < UNREACHABLE_AGE)
    }

    /// Records whether a person accepts private messages.
    pub(super) fn set_reachable(&mut self, person: i64, yes: bool) {
        match yes {
            true => drop(self.unreachable.remove(&person)),
            false => self.unreachable.insert(person, Instant::now()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_tried_again_after_ten_minutes_or_with_new_rights() {
        let mut memory = TelegramCache::new();
        let now = Instant::now();
        memory.note_media_refusal(-5, now);
        assert!(memory.is_media_forbidden(-5, now + Duration::from_secs(599)));
        assert!(!memory.is_media_forbidden(-5, now + Duration::from_secs(600)));
        assert!(!memory.is_media_forbidden(-6, now));
        memory.clear_media_refusal(-5);
        assert!(!memory.is_media_forbidden(-5, now));
    }

    #[test]
    fn people_who_refused_a_message_are_tried_again_after_ten_minutes() {
        let mut memory = TelegramCache::new();
        memory.set_reachable(7, false);
        let now = Instant::now();
        assert!(memory.was_unreachable_at(7, now));
        assert!(!memory.was_unreachable_at(8, now));
        assert!(!memory.was_unreachable_at(7, now + UNREACHABLE_AGE));
        memory.set_reachable(7, true);
        assert!(!memory.was_unreachable_at(7, now));
    }

    #[test]
    fn only_supergroups_count_unseen_messages() {
        let mut memory = TelegramCache::new();
        for chat in [-1_002_000_000_000, -400, 7] {
            memory.add_message(chat, None, 10);
            memory.add_message(chat, None, 14);
        }
        assert_eq!(memory.messages_below(-1_002_000_000_000, None, 10), 4);
        assert_eq!(memory.messages_below(-400, None, 10), 1);
        assert_eq!(memory.messages_below(7, None, 14), 0);
        assert_eq!(memory.messages_below(8, None, 14), 0);
    }

    #[test]
    fn talk_in_other_topics_buries_nothing() {
        let mut memory = TelegramCache::new();
        let forum = -1_002_000_000_000;
        memory.add_message(forum, None, 10);
        memory.add_message(forum, Some(3), 20);
        assert_eq!(memory.messages_below(forum, None, 10), 0);
        assert_eq!(memory.messages_below(forum, Some(3), 10), 1);
        memory.add_message(forum, None, 21);
        assert_eq!(memory.messages_below(forum, None, 10), 1);
        memory.set_forum(forum, false);
        assert_eq!(memory.messages_below(forum, None, 10), 11, "topics were switched off");
    }
}
