//! Everything the chat knows, in memory. No I/O: a change is written down as rows for the store,
//! which are kept before anybody sees it.
//!
//! There is no log of events. Each message, room and person carries the number of its last
//! change; a stream asks for everything newer than what it has shown. So a resumed stream can
//! neither lose nor repeat anything, however long it was away.
//!
//! A copy of the whole costs nothing (the maps share what is equal): changes are tried on a copy,
//! which takes the place of the old one when the store has it. `rows` reads and writes the stored
//! form, `people` and `talk` are the ways it changes, `forget` keeps it bounded.

mod messages;
mod people;
mod retention;
mod row_codec;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rpds::{HashTrieMapSync, RedBlackTreeMapSync};

use super::{
    model::{PendingBotUpdate, StoredBlob, WebchatMember, WebchatMessage, WebchatRoom},
    refusal::WebchatRefusal,
    view,
};

pub use people::ModerationAction;
pub use row_codec::{MARK, WebchatRowChange, WebchatVersion, feed_key, feed_row};

/// A message, with what is told of it.
#[derive(Debug)]
pub struct RoomMessage {
    /// As it stands.
    pub message: WebchatMessage,
    told: OnceLock<String>,
}

/// A room with its messages.
#[derive(Clone, Default)]
pub struct RoomData {
    /// Its settings and people.
    pub room: Arc<WebchatRoom>,
    /// By number.
    pub messages: RedBlackTreeMapSync<u64, Arc<RoomMessage>>,
    /// Last change → message.
    pub order: RedBlackTreeMapSync<u64, u64>,
    /// When somebody said something that all could see, Unix ms.
    pub active_ms: u64,
    nonces: HashTrieMapSync<(String, Option<String>), u64>,
    keys: HashTrieMapSync<(String, String), u64>,
}

/// Everything.
#[derive(Clone, Default)]
pub struct WebchatState {
    /// Number of the last commit.
    pub version: u64,
    /// Number of the last change.
    pub seq: u64,
    /// By id.
    pub people: HashTrieMapSync<String, Arc<WebchatMember>>,
    /// By name.
    pub places: RedBlackTreeMapSync<String, RoomData>,
    /// What the bot has not yet confirmed, by update id.
    pub pending: RedBlackTreeMapSync<String, PendingBotUpdate>,
    /// Addresses that are kept out, and until when (Unix ms).
    pub bans: RedBlackTreeMapSync<String, u64>,
    tokens: HashTrieMapSync<String, String>,
    shown: HashTrieMapSync<String, BTreeSet<(String, u64)>>,
    /// Rows to be kept, since this was emptied.
    ops: Vec<WebchatRowChange>,
    /// People whose streams have something to tell, since this was emptied.
    woken: BTreeSet<String>,
}

impl RoomMessage {
    fn new(message: WebchatMessage) -> Arc<Self> {
        Arc::new(Self { message, told: OnceLock::new() })
    }

    /// What people are told of it, written down once for all of them.
    pub fn event_json(&self, room: &str) -> &str {
        self.told.get_or_init(|| view::message_json(room, &self.message).to_string())
    }
}

impl RoomData {
    fn new(room: WebchatRoom) -> Self {
        Self { active_ms: room.opened_ms, room: Arc::new(room), ..Self::default() }
    }

    /// Whether this person may read here.
    pub fn has_person(&self, person: &str) -> bool {
        self.room.people.iter().any(|it| it == person)
    }

    /// A message.
    pub fn message(&self, id: u64) -> Option<&WebchatMessage> {
        self.messages.get(&id).map(|it| &it.message)
    }

    /// All messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &WebchatMessage> {
        self.messages.values().map(|it| &it.message)
    }

    /// The number of the message that carries this mark of the bot.
    pub fn by_nonce(&self, nonce: &str, only: Option<&str>) -> Option<u64> {
        if nonce.is_empty() {
            return None;
        }
        self.nonces.get(&(nonce.to_owned(), only.map(str::to_owned))).copied()
    }

    /// The number of the message that this person wrote with this key.
    pub fn by_key(&self, person: &str, key: &str) -> Option<u64> {
        self.keys.get(&(person.to_owned(), key.to_owned())).copied()
    }

    fn index(&mut self, message: &WebchatMessage) {
        self.order.insert_mut(message.changed, message.id);
        if !message.nonce.is_empty() {
            self.nonces.insert_mut((message.nonce.clone(), message.only.clone()), message.id);
        }
        if let Some(author) = &message.author {
            self.keys.insert_mut((author.clone(), message.key.clone()), message.id);
        }
    }

    fn forget(&mut self, message: &WebchatMessage) {
        self.order.remove_mut(&message.changed);
        self.nonces.remove_mut(&(message.nonce.clone(), message.only.clone()));
        if let Some(author) = &message.author {
            self.keys.remove_mut(&(author.clone(), message.key.clone()));
        }
    }
}

impl WebchatMessage {
    /// Whether this person, who is in the room, may see it.
    pub fn visible_to(&self, person: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == person)
    }

    /// Its picture and its file.
    pub fn blobs(&self) -> impl Iterator<Item = &StoredBlob> {
        self.image.iter().chain(&self.file)
    }
}

impl WebchatState {
    /// What is to be kept since the last call.
    pub fn take_row_changes(&mut self) -> Vec<WebchatRowChange> {
        std::mem::take(&mut self.ops)
    }

    /// Whose streams have something to tell since the last call.
    pub fn take_woken(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.woken)
    }

    /// Whose secret this is.
    pub fn person_of(&self, secret: &str) -> Option<&str> {
        self.tokens.get(secret).map(String::as_str)
    }

    /// A room this person is in.
    pub fn room_of(&self, person: &str, room: &str) -> Result<&RoomData, WebchatRefusal> {
        self.places
            .get(room)
            .filter(|it| it.has_person(person))
            .ok_or(WebchatRefusal::NotFound("room for you"))
    }

    /// Whether this person may fetch these bytes: some message shows them.
    pub fn may_fetch(&self, person: &str, hash: &str) -> Option<&StoredBlob> {
        self.shown.get(hash)?.iter().find_map(|(room, id)| {
            let place = self.places.get(room).filter(|it| it.has_person(person))?;
            let message = place.message(*id).filter(|it| it.visible_to(person))?;
            message.blobs().find(|it| it.hash == hash)
        })
    }

    /// Whether some message shows these bytes.
    pub fn is_blob_shown(&self, hash: &str) -> bool {
        self.shown.contains_key(hash)
    }

    /// How many rooms there are besides private chats.
    pub fn public_rooms(&self) -> usize {
        self.places.keys().filter(|name| !name.starts_with('@')).count()
    }

    fn next_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    fn wake_room(&mut self, room: &str) {
        let Some(place) = self.places.get(room) else { return };
        self.woken.extend(place.room.people.iter().cloned());
    }
}
