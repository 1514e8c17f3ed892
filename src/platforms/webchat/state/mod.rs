//! Keeps the whole chat in memory, without I/O: a change produces rows for the store, which are
//! committed before the change becomes visible.
//!
//! There is no log of events. Each message, room and person carries the number of its last change;
//! a stream reads everything newer than it has sent. So a resumed stream can neither lose nor
//! repeat anything, however long it was disconnected.
//!
//! Copying the whole state is cheap (the maps share equal parts): changes are tried on a copy,
//! which replaces the old state after the commit. `row_codec` reads and writes the stored form,
//! `people` and `messages` contain the changes, `retention` keeps the state bounded.

mod erasure;
mod messages;
mod people;
mod retention;
mod row_codec;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use caravanserai_games::ids::ChatId;
use caravanserai_protocol::PhaseName;
use rpds::{HashTrieMapSync, RedBlackTreeMapSync};

use super::{
    answers::json_text,
    model::{
        PendingBan, PendingBotUpdate, StoredBlob, WebchatMember, WebchatMessage, WebchatRoom,
        room_name_of,
    },
    refusal::WebchatRefusal,
    view,
};

pub use people::ModerationAction;
pub use retention::Connections;
pub use row_codec::{MARK, WebchatRowChange, WebchatVersion, feed_key, feed_row};

/// A message together with its rendered event.
#[derive(Debug)]
pub struct RoomMessage {
    /// The message in its current form.
    pub message: WebchatMessage,
    told: OnceLock<String>,
}

/// A room with its messages.
#[derive(Clone, Default)]
pub struct RoomData {
    /// The settings and members of the room.
    pub room: Arc<WebchatRoom>,
    /// The messages by id.
    pub messages: RedBlackTreeMapSync<u64, Arc<RoomMessage>>,
    /// The message ids by the number of their last change.
    pub order: RedBlackTreeMapSync<u64, u64>,
    /// When something public was last posted or people last acted on a board, Unix ms.
    pub active_ms: u64,
    nonces: HashTrieMapSync<(String, Option<String>), u64>,
    keys: HashTrieMapSync<(String, String), u64>,
}

/// The state of the chat.
#[derive(Clone, Default)]
pub struct WebchatState {
    /// Number of the last commit.
    pub version: u64,
    /// Number of the last change.
    pub seq: u64,
    /// People by id.
    pub people: HashTrieMapSync<String, Arc<WebchatMember>>,
    /// Rooms by name.
    pub rooms: RedBlackTreeMapSync<String, RoomData>,
    /// The updates that the bot has not confirmed yet, by update id.
    pub pending: RedBlackTreeMapSync<String, PendingBotUpdate>,
    /// Banned addresses, and when their bans end (Unix ms).
    pub bans: RedBlackTreeMapSync<String, u64>,
    /// The bans of people whose address only another process knows, by their former ids.
    pub pending_bans: RedBlackTreeMapSync<String, PendingBan>,
    tokens: HashTrieMapSync<String, String>,
    shown: HashTrieMapSync<String, BTreeSet<(String, u64)>>,
    /// Rows to store, since the last [`WebchatState::take_row_changes`].
    ops: Vec<WebchatRowChange>,
    /// People whose streams have news, since the last [`WebchatState::take_woken`].
    woken: BTreeSet<String>,
}

impl RoomMessage {
    fn new(message: WebchatMessage) -> Arc<Self> {
        Arc::new(Self { message, told: OnceLock::new() })
    }

    /// Returns the message as JSON, rendered once for all readers.
    pub fn event_json(&self, room: &str) -> &str {
        self.told.get_or_init(|| json_text(&view::message_view(room, &self.message)))
    }
}

impl RoomData {
    fn new(room: WebchatRoom) -> Self {
        let active_ms = room.opened_ms.max(room.active_ms);
        Self { active_ms, room: Arc::new(room), ..Self::default() }
    }

    /// Whether this person is a member of the room.
    pub fn has_person(&self, person: &str) -> bool {
        self.room.people.iter().any(|it| it == person)
    }

    /// Returns a message by its id.
    pub fn message(&self, id: u64) -> Option<&WebchatMessage> {
        self.messages.get(&id).map(|it| &it.message)
    }

    /// Returns all messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &WebchatMessage> {
        self.messages.values().map(|it| &it.message)
    }

    /// Whether a table that is not over has its board here.
    pub fn has_open_board(&self) -> bool {
        self.messages().any(WebchatMessage::is_open_board)
    }

    /// Whether it has at most one member, and nobody has written or played there.
    pub fn is_unused(&self) -> bool {
        let is_content = |it: &WebchatMessage| it.author.is_some() || it.board.is_some();
        let has_content = self.room.active_ms > 0 || self.messages().any(is_content);
        self.room.people.len() <= 1 && !has_content
    }

    /// Whether nobody can come in any more, and no game goes on.
    pub fn is_abandoned(&self) -> bool {
        self.room.people.is_empty() && self.room.invite.is_some() && !self.has_open_board()
    }

    /// Returns the id of the message with this nonce of the bot.
    pub fn by_nonce(&self, nonce: &str, only: Option<&str>) -> Option<u64> {
        if nonce.is_empty() {
            return None;
        }
        self.nonces.get(&(nonce.to_owned(), only.map(str::to_owned))).copied()
    }

    /// Returns the id of the message that this person posted with this key.
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
    /// Whether this person, who is in the room, may see the message.
    pub fn visible_to(&self, person: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == person)
    }

    /// Whether it is the board of a table that is not over, on which people can still act.
    pub fn is_open_board(&self) -> bool {
        let is_open = match &self.board {
            Some(board) => matches!(board.phase, PhaseName::Lobby | PhaseName::Playing),
            // Boards of earlier versions do not say what they show.
            None => self.table.is_some(),
        };
        // The hand of a person who has left is not replaced any more.
        is_open && self.only.is_none() && !self.buttons.is_empty()
    }

    /// Whether only its number and its time are left.
    fn is_erased(&self) -> bool {
        self.gone && self.author.is_none() && self.only.is_none()
    }

    /// Returns the image and the file of the message.
    pub fn blobs(&self) -> impl Iterator<Item = &StoredBlob> {
        self.image.iter().chain(&self.file)
    }
}

impl WebchatState {
    /// Takes the rows to store since the last call.
    pub fn take_row_changes(&mut self) -> Vec<WebchatRowChange> {
        std::mem::take(&mut self.ops)
    }

    /// Takes the people whose streams have news since the last call.
    pub fn take_woken(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.woken)
    }

    /// Returns the person with this token hash.
    pub fn person_of(&self, secret: &str) -> Option<&str> {
        self.tokens.get(secret).map(String::as_str)
    }

    /// Returns a room of this person.
    pub fn room_of(&self, person: &str, room: &str) -> Result<&RoomData, WebchatRefusal> {
        self.rooms
            .get(room)
            .filter(|it| it.has_person(person))
            .ok_or(WebchatRefusal::NotFound("room for you"))
    }

    /// Returns the room with this id. A later room with the same name is another one.
    pub fn room_at(&self, chat: &ChatId) -> Option<&RoomData> {
        self.rooms.get(room_name_of(chat)?).filter(|it| it.room.chat_id() == *chat)
    }

    /// Returns an image or file that this person may fetch because a message shows it to them.
    pub fn may_fetch(&self, person: &str, hash: &str) -> Option<&StoredBlob> {
        self.shown.get(hash)?.iter().find_map(|(room, id)| {
            let room_data = self.rooms.get(room).filter(|it| it.has_person(person))?;
            let message = room_data.message(*id).filter(|it| it.visible_to(person))?;
            message.blobs().find(|it| it.hash == hash)
        })
    }

    /// Whether a message shows this image or file.
    pub fn is_blob_shown(&self, hash: &str) -> bool {
        self.shown.contains_key(hash)
    }

    /// Returns the number of rooms without private chats.
    pub fn public_rooms(&self) -> usize {
        self.rooms.keys().filter(|name| !name.starts_with('@')).count()
    }

    fn next_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    fn wake_room(&mut self, room: &str) {
        let Some(room_data) = self.rooms.get(room) else { return };
        self.woken.extend(room_data.room.people.iter().cloned());
    }
}
