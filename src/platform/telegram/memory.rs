//! What the adapter remembers while it runs. Everything here is bounded and may be forgotten.

use std::borrow::Borrow;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::time::{Duration, Instant};

use super::slots::{PrivateId, Standing};
use super::updates::Author;
use crate::chat::Whisper;

/// A map that forgets its oldest entry when it is full.
pub(super) struct Bounded<K, V> {
    most: usize,
    entries: HashMap<K, V>,
    order: VecDeque<K>,
}

impl<K: Clone + Eq + Hash, V> Bounded<K, V> {
    /// Remembers so many entries.
    pub(super) fn new(most: usize) -> Self {
        Self { most, entries: HashMap::new(), order: VecDeque::new() }
    }

    /// Looks an entry up.
    pub(super) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key)
    }

    /// Remembers an entry.
    pub(super) fn insert(&mut self, key: K, value: V) {
        if self.entries.insert(key.clone(), value).is_some() {
            return;
        }
        self.order.push_back(key);
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }

    /// Forgets an entry.
    pub(super) fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let value = self.entries.remove(key)?;
        self.order.retain(|it| it.borrow() != key);
        Some(value)
    }
}

impl<K: Clone + Eq + Hash, V: Default> Bounded<K, V> {
    /// The entry, made if it is new.
    fn entry(&mut self, key: K) -> &mut V {
        if !self.entries.contains_key(&key) {
            self.insert(key.clone(), V::default());
        }
        self.entries.get_mut(&key).expect("it was just put there")
    }
}

/// The latest messages of one place.
#[derive(Default)]
struct Latest(VecDeque<i32>);

/// Messages remembered for each place: enough to know that a board is far up.
const LATEST_MAX: usize = 64;
/// How long a closed envelope can be opened.
const ENVELOPE_AGE: Duration = Duration::from_secs(24 * 3600);
/// How long what is in a closed envelope may be replaced: somebody who errs again and again gets
/// one envelope, not a heap of them.
const RESEAL_AGE: Duration = Duration::from_secs(60);
/// How long a chat counts as one that forbids pictures before the next is tried: the bot is not
/// told when a chat changes what its members may do.
const NO_MEDIA_AGE: Duration = Duration::from_secs(600);
/// How long a chat counts as one where ephemeral messages fail after one did.
const NO_EPHEMERALS_AGE: Duration = Duration::from_secs(600);
/// How long the list of admins of a chat is believed.
const ADMINS_AGE: Duration = Duration::from_secs(600);
/// How long a failure to get that list is believed.
const NO_ADMINS_AGE: Duration = Duration::from_secs(60);

/// Chat, topic and author of what an envelope answers.
pub(super) type Sender = (i64, Option<i32>, Author);

/// A private text waiting behind a public button.
pub(super) struct Envelope {
    /// Who may open it.
    pub(super) reader: Author,
    /// What is inside.
    pub(super) whisper: Whisper,
    made: Instant,
}

/// Everything remembered.
pub(super) struct Memory {
    latest: Bounded<(i64, Option<i32>), Latest>,
    newest: Bounded<i64, i32>,
    /// Chats with topics.
    forums: Bounded<i64, ()>,
    /// Public names of chats, for links.
    names: Bounded<i64, String>,
    /// Files that Telegram has, by what is in them.
    files: Bounded<[u8; 32], String>,
    /// Admins of chats, and until when this is believed.
    admins: Bounded<i64, (Instant, Vec<i64>)>,
    /// Chats that refused a picture, and when.
    no_media: Bounded<i64, Instant>,
    /// Chats where an ephemeral message failed, and when.
    no_ephemerals: Bounded<i64, Instant>,
    /// People who cannot be written to.
    unreachable: Bounded<i64, ()>,
    envelopes: Bounded<u64, Envelope>,
    /// The latest envelope of each author in each place.
    letters: Bounded<Sender, u64>,
    /// Where the newest message of somebody's slot stands.
    slots: Bounded<(i64, String), Standing>,
    /// Which slot each of these messages was noted for last, by chat, person and number.
    holders: Bounded<(i64, i64, PrivateId), (i64, String)>,
    /// Private answers in private chats: pages of theirs are turned. Whether they have pictures.
    answers: Bounded<(i64, i32), bool>,
    /// Updates whose private answers were given.
    told: Bounded<String, ()>,
}

impl Memory {
    /// Knows nothing.
    pub(super) fn new() -> Self {
        Self {
            latest: Bounded::new(20_000),
            newest: Bounded::new(20_000),
            forums: Bounded::new(20_000),
            names: Bounded::new(20_000),
            files: Bounded::new(5_000),
            no_media: Bounded::new(5_000),
            no_ephemerals: Bounded::new(5_000),
            admins: Bounded::new(5_000),
            unreachable: Bounded::new(50_000),
            envelopes: Bounded::new(5_000),
            letters: Bounded::new(5_000),
            slots: Bounded::new(20_000),
            holders: Bounded::new(20_000),
            answers: Bounded::new(20_000),
            told: Bounded::new(10_000),
        }
    }

    /// Notes that this message stands in a place.
    pub(super) fn saw(&mut self, chat: i64, thread: Option<i32>, message: i32) {
        if thread.is_some() {
            self.is_forum(chat, true);
        }
        let newest = self.newest.get(&chat).copied().unwrap_or_default();
        if message > newest {
            self.newest.insert(chat, message);
        }
        let latest = &mut self.latest.entry((chat, thread)).0;
        if message > 0 && !latest.contains(&message) {
            latest.push_back(message);
            if latest.len() > LATEST_MAX {
                latest.pop_front();
            }
        }
    }

    /// Notes whether a chat has topics.
    pub(super) fn is_forum(&mut self, chat: i64, yes: bool) {
        match yes {
            true => self.forums.insert(chat, ()),
            false => drop(self.forums.remove(&chat)),
        }
    }

    /// How many messages came after this one. Supergroups count on their own, so the newest
    /// number tells of messages the bot never saw; other chats share one count, and topics, the
    /// General one too, share the count of their chat: there only what was seen counts.
    pub(super) fn buried(&self, chat: i64, thread: Option<i32>, message: i32) -> u32 {
        let alone = thread.is_none() && self.forums.get(&chat).is_none();
        if alone && chat < -1_000_000_000_000 {
            let newest = self.newest.get(&chat).copied().unwrap_or_default();
            return u32::try_from(newest.saturating_sub(message)).unwrap_or(0);
        }
        let latest = self.latest.get(&(chat, thread));
        let after = latest.map_or(0, |it| it.0.iter().filter(|id| **id > message).count());
        u32::try_from(after).unwrap_or(u32::MAX)
    }

    /// Notes the public name of a chat, or that it has none.
    pub(super) fn named(&mut self, chat: i64, name: Option<&str>) {
        match name {
            Some(name) if self.names.get(&chat).is_some_and(|it| it == name) => {}
            Some(name) => self.names.insert(chat, name.to_owned()),
            None => drop(self.names.remove(&chat)),
        }
    }

    /// The public name of a chat.
    pub(super) fn name(&self, chat: i64) -> Option<&str> {
        self.names.get(&chat).map(String::as_str)
    }

    /// The id of a file with this content.
    pub(super) fn file(&self, content: &[u8; 32]) -> Option<String> {
        self.files.get(content).cloned()
    }

    /// Notes that Telegram has this content under an id, or has it no more.
    pub(super) fn keep_file(&mut self, content: [u8; 32], id: Option<String>) {
        match id {
            Some(id) => self.files.insert(content, id),
            None => drop(self.files.remove(&content)),
        }
    }

    /// Whether somebody is an admin of a chat, if that was asked lately.
    pub(super) fn is_admin(&self, chat: i64, person: i64) -> Option<bool> {
        let (until, admins) = self.admins.get(&chat)?;
        (Instant::now() < *until).then(|| admins.contains(&person))
    }

    /// Notes the admins of a chat.
    pub(super) fn keep_admins(&mut self, chat: i64, admins: Vec<i64>) {
        self.admins.insert(chat, (Instant::now() + ADMINS_AGE, admins));
    }

    /// Notes that the admins of a chat cannot be found out now: nobody is one for a minute.
    pub(super) fn no_admins(&mut self, chat: i64) {
        self.admins.insert(chat, (Instant::now() + NO_ADMINS_AGE, Vec::new()));
    }

    /// Asks for the admins of a chat again next time.
    pub(super) fn forget_admins(&mut self, chat: i64) {
        self.admins.remove(&chat);
    }

    /// Whether a chat refused a picture in the last ten minutes.
    pub(super) fn forbids_media(&self, chat: i64, now: Instant) -> bool {
        let refused = self.no_media.get(&chat);
        refused.is_some_and(|at| now.saturating_duration_since(*at) < NO_MEDIA_AGE)
    }

    /// Notes that a chat refused a picture.
    pub(super) fn media_refused(&mut self, chat: i64, now: Instant) {
        self.no_media.insert(chat, now);
    }

    /// Tries pictures in a chat again: the rights of the bot have changed.
    pub(super) fn retry_media(&mut self, chat: i64) {
        self.no_media.remove(&chat);
    }

    /// Whether an ephemeral message failed in a chat in the last ten minutes.
    pub(super) fn ephemerals_fail(&self, chat: i64) -> bool {
        let failed = self.no_ephemerals.get(&chat);
        failed.is_some_and(|at| at.elapsed() < NO_EPHEMERALS_AGE)
    }

    /// Notes that an ephemeral message failed in a chat.
    pub(super) fn ephemeral_failed(&mut self, chat: i64) {
        self.no_ephemerals.insert(chat, Instant::now());
    }

    /// Whether somebody is known not to be reachable in private.
    pub(super) fn is_unreachable(&self, person: i64) -> bool {
        self.unreachable.get(&person).is_some()
    }

    /// Notes whether somebody can be written to.
    pub(super) fn reachable(&mut self, person: i64, yes: bool) {
        match yes {
            true => drop(self.unreachable.remove(&person)),
            false => self.unreachable.insert(person, ()),
        }
    }

    /// Where the message of this slot stands that somebody was shown last.
    pub(super) fn slot(&self, person: i64, slot: &str) -> Option<Standing> {
        self.slots.get(&(person, slot.to_owned())).copied()
    }

    /// Notes where the message of a slot stands now. No other slot stands there any more.
    pub(super) fn keep_slot(&mut self, person: i64, slot: &str, now: Standing) {
        let key = (person, slot.to_owned());
        if self.holders.get(&now.key()) != Some(&key) {
            self.vacate(now);
            self.holders.insert(now.key(), key.clone());
        }
        self.slots.insert(key, now);
    }

    /// No slot has its message there any more: Telegram gives numbers of ephemeral messages again
    /// when they are free, so a new message may have the number of one that was lost.
    pub(super) fn vacate(&mut self, now: Standing) {
        let Some(key) = self.holders.remove(&now.key()) else { return };
        if self.slots.get(&key).is_some_and(|it| it.key() == now.key()) {
            self.slots.remove(&key);
        }
    }

    /// The message of a slot is no more.
    pub(super) fn forget_slot(&mut self, person: i64, slot: &str) {
        self.slots.remove(&(person, slot.to_owned()));
    }

    /// Notes that this message of a private chat is a private answer.
    pub(super) fn answered(&mut self, chat: i64, message: i32, pictured: bool) {
        self.answers.insert((chat, message), pictured);
    }

    /// Whether this message of a private chat is a private answer, and then whether it has a
    /// picture.
    pub(super) fn answer(&self, chat: i64, message: i32) -> Option<bool> {
        self.answers.get(&(chat, message)).copied()
    }

    /// Notes that the private answers to an update are given now; false if they were before.
    pub(super) fn tell_once(&mut self, update: &str) -> bool {
        let first = self.told.get(update).is_none();
        self.told.insert(update.to_owned(), ());
        first
    }

    /// Keeps a private text for somebody under a number.
    pub(super) fn seal(&mut self, number: u64, sender: Sender, whisper: Whisper) {
        let reader = sender.2;
        self.letters.insert(sender, number);
        self.envelopes.insert(number, Envelope { reader, whisper, made: Instant::now() });
    }

    /// Puts a private text in place of the one in the envelope that waits since less than a
    /// minute for the same reader; gives the text back if there is no such envelope.
    pub(super) fn reseal(&mut self, sender: Sender, whisper: Whisper) -> Option<Whisper> {
        let number = self.letters.get(&sender).copied();
        let waiting = number.and_then(|it| self.envelopes.entries.get_mut(&it));
        match waiting.filter(|it| it.made.elapsed() < RESEAL_AGE) {
            Some(envelope) => {
                envelope.whisper = whisper;
                None
            }
            None => Some(whisper),
        }
    }

    /// The envelope with this number, if it is not too old.
    pub(super) fn envelope(&self, number: u64) -> Option<&Envelope> {
        self.envelopes.get(&number).filter(|it| it.made.elapsed() < ENVELOPE_AGE)
    }

    /// Throws an envelope away.
    pub(super) fn unseal(&mut self, number: u64) {
        self.envelopes.remove(&number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut map = Bounded::new(2);
        map.insert(1, "a");
        map.insert(2, "b");
        map.insert(1, "c");
        map.insert(3, "d");
        assert_eq!((map.get(&1), map.get(&2), map.get(&3)), (None, Some(&"b"), Some(&"d")));
        assert_eq!(map.remove(&2), Some("b"));
        map.insert(4, "e");
        map.insert(5, "f");
        assert_eq!((map.get(&3), map.get(&4), map.get(&5)), (None, Some(&"e"), Some(&"f")));
    }

    #[test]
    fn pictures_are_tried_again_after_ten_minutes_or_with_new_rights() {
        let mut memory = Memory::new();
        let now = Instant::now();
        memory.media_refused(-5, now);
        assert!(memory.forbids_media(-5, now + Duration::from_secs(599)));
        assert!(!memory.forbids_media(-5, now + Duration::from_secs(600)));
        assert!(!memory.forbids_media(-6, now));
        memory.retry_media(-5);
        assert!(!memory.forbids_media(-5, now));
    }

    #[test]
    fn only_supergroups_count_unseen_messages() {
        let mut memory = Memory::new();
        for chat in [-1_002_000_000_000, -400, 7] {
            memory.saw(chat, None, 10);
            memory.saw(chat, None, 14);
        }
        assert_eq!(memory.buried(-1_002_000_000_000, None, 10), 4);
        assert_eq!(memory.buried(-400, None, 10), 1);
        assert_eq!(memory.buried(7, None, 14), 0);
        assert_eq!(memory.buried(8, None, 14), 0);
    }

    #[test]
    fn talk_in_other_topics_buries_nothing() {
        let mut memory = Memory::new();
        let forum = -1_002_000_000_000;
        memory.saw(forum, None, 10);
        memory.saw(forum, Some(3), 20);
        assert_eq!(memory.buried(forum, None, 10), 0);
        assert_eq!(memory.buried(forum, Some(3), 10), 1);
        memory.saw(forum, None, 21);
        assert_eq!(memory.buried(forum, None, 10), 1);
        memory.is_forum(forum, false);
        assert_eq!(memory.buried(forum, None, 10), 11, "topics were switched off");
    }
}
