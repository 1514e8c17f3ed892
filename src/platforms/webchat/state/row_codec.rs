//! Converts between the state and its stored form: one row of the store (JSON) for each person,
//! room, message, and so on.
//!
//! Each commit also leaves a short-lived row with the keys it changed, from which the other
//! processes of the same store learn of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{RoomData, RoomMessage, WebchatState};
use crate::model::{WebchatMember, WebchatMessage, WebchatRoom};

/// A row to store, or to delete.
pub type WebchatRowChange = (String, Option<Vec<u8>>);

/// The key of the row with the current [`WebchatVersion`].
pub const MARK: &str = "mark";

/// The version of the stored chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebchatVersion {
    /// Number of the last commit: each commit expects that of the one before it.
    pub version: u64,
    /// Number of the last change that is visible to people.
    pub seq: u64,
}

/// The key of the row with the keys that a commit has changed, by its number.
pub fn feed_key(version: u64) -> String {
    format!("f/{version:016x}")
}

/// Encodes the content of such a row.
pub fn feed_row(ops: &[WebchatRowChange]) -> Vec<u8> {
    let mut keys: Vec<&str> = ops.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    serde_json::to_vec(&keys).expect("plain data serializes to JSON")
}

impl WebchatState {
    /// Creates an empty state with this version.
    pub fn from_version(mark: WebchatVersion) -> Self {
        WebchatState { version: mark.version, seq: mark.seq, ..WebchatState::default() }
    }

    /// Applies a row of the store. An unreadable row is logged and skipped.
    pub fn apply_row(&mut self, key: &str, value: Option<&[u8]>) {
        let done = match key.split_at(key.len().min(2)) {
            ("p/", id) => self.apply_person(id, value),
            ("r/", name) => self.apply_room(name, value),
            ("m/", rest) => self.apply_message(rest, value),
            ("q/", id) => self.apply_pending(id, value),
            ("b/", address) => self.apply_ban(address, value),
            ("w/", person) => self.set_pending_ban(person, value),
            (_, _) => Ok(()),
        };
        if let Err(why) = done {
            tracing::warn!(key, why, "skipping an unreadable row of the chat");
        }
    }

    fn apply_person(&mut self, id: &str, value: Option<&[u8]>) -> Result<(), String> {
        let new: Option<WebchatMember> = value.map(parse_row).transpose()?;
        if let Some(old) = self.people.get(id) {
            self.tokens.remove_mut(&old.secret.clone());
        }
        self.woken.insert(id.to_owned());
        let Some(new) = new else {
            self.people.remove_mut(id);
            return Ok(());
        };
        self.tokens.insert_mut(new.secret.clone(), new.id.clone());
        self.people.insert_mut(new.id.clone(), Arc::new(new));
        Ok(())
    }

    fn apply_room(&mut self, name: &str, value: Option<&[u8]>) -> Result<(), String> {
        let new: Option<WebchatRoom> = value.map(parse_row).transpose()?;
        self.wake_room(name);
        let Some(new) = new else {
            for blob in self.rooms.get(name).map(blobs_of).unwrap_or_default() {
                self.release_blobs(name, blob.0, &blob.1);
            }
            self.rooms.remove_mut(name);
            return Ok(());
        };
        match self.rooms.get_mut(name) {
            Some(room_data) => {
                room_data.active_ms = room_data.active_ms.max(new.active_ms);
                room_data.room = Arc::new(new);
            }
            None => self.rooms.insert_mut(name.to_owned(), RoomData::new(new)),
        }
        self.wake_room(name);
        Ok(())
    }

    fn apply_message(&mut self, rest: &str, value: Option<&[u8]>) -> Result<(), String> {
        let (room, id) = rest.rsplit_once('/').ok_or("its name is wrong")?;
        let id = u64::from_str_radix(id, 16).map_err(|e| e.to_string())?;
        match value {
            Some(value) => {
                let message: WebchatMessage = parse_row(value)?;
                self.insert_message(room, message);
            }
            None => self.forget_message(room, id),
        }
        Ok(())
    }

    fn apply_pending(&mut self, id: &str, value: Option<&[u8]>) -> Result<(), String> {
        match value {
            Some(value) => self.pending.insert_mut(id.to_owned(), parse_row(value)?),
            None => {
                self.pending.remove_mut(id);
            }
        }
        Ok(())
    }

    fn apply_ban(&mut self, address: &str, value: Option<&[u8]>) -> Result<(), String> {
        match value {
            Some(value) => self.bans.insert_mut(address.to_owned(), parse_row(value)?),
            None => {
                self.bans.remove_mut(address);
            }
        }
        Ok(())
    }

    fn set_pending_ban(&mut self, person: &str, value: Option<&[u8]>) -> Result<(), String> {
        match value {
            Some(value) => self.pending_bans.insert_mut(person.to_owned(), parse_row(value)?),
            None => {
                self.pending_bans.remove_mut(person);
            }
        }
        Ok(())
    }

    pub(super) fn put(&mut self, key: String, value: &impl Serialize) {
        let value = serde_json::to_vec(value).expect("plain data serializes to JSON");
        self.ops.push((key, Some(value)));
    }

    pub(super) fn drop_row(&mut self, key: String) {
        self.ops.push((key, None));
    }

    pub(super) fn save_person(&mut self, mut member: WebchatMember) {
        member.changed = self.next_seq();
        self.put(format!("p/{}", member.id), &member);
        self.woken.insert(member.id.clone());
        self.people.insert_mut(member.id.clone(), Arc::new(member));
    }

    /// Saves a changed room; the streams of its members get the change.
    pub(super) fn save_room(&mut self, mut room: WebchatRoom) {
        self.wake_room(&room.name);
        room.changed = self.next_seq();
        self.put(format!("r/{}", room.name), &room);
        let name = room.name.clone();
        match self.rooms.get_mut(&name) {
            Some(room_data) => room_data.room = Arc::new(room),
            None => self.rooms.insert_mut(name.clone(), RoomData::new(room)),
        }
        self.wake_room(&name);
    }

    pub(super) fn save_message(&mut self, room: &str, mut message: WebchatMessage) {
        message.changed = self.next_seq();
        self.put(message_key(room, message.id), &message);
        self.insert_message(room, message);
    }

    /// Inserts a message in place of its older form.
    fn insert_message(&mut self, room: &str, message: WebchatMessage) {
        let id = message.id;
        let Some(room_data) = self.rooms.get_mut(room) else { return };
        let old = room_data.messages.get(&id).cloned();
        if let Some(old) = &old {
            room_data.forget(&old.message);
        }
        room_data.index(&message);
        if message.only.is_none() {
            room_data.active_ms = room_data.active_ms.max(message.time_ms);
        }
        let kept = RoomMessage::new(message);
        room_data.messages.insert_mut(id, Arc::clone(&kept));
        let people = match &kept.message.only {
            Some(only) => vec![only.clone()],
            None => room_data.room.people.clone(),
        };
        self.woken.extend(people);
        for blob in kept.message.blobs() {
            let mut messages = self.shown.get(&blob.hash).cloned().unwrap_or_default();
            messages.insert((room.to_owned(), id));
            self.shown.insert_mut(blob.hash.clone(), messages);
        }
        if let Some(old) = old {
            let stays = |hash: &String| kept.message.blobs().any(|it| it.hash == *hash);
            let gone: Vec<String> = old.message.blobs().map(|it| it.hash.clone()).collect();
            let gone: Vec<String> = gone.into_iter().filter(|it| !stays(it)).collect();
            self.release_blobs(room, id, &gone);
        }
    }

    /// Deletes a message and the data that only it uses.
    fn forget_message(&mut self, room: &str, id: u64) {
        let Some(room_data) = self.rooms.get_mut(room) else { return };
        let Some(kept) = room_data.messages.get(&id).cloned() else { return };
        room_data.messages.remove_mut(&id);
        room_data.forget(&kept.message);
        let blobs: Vec<String> = kept.message.blobs().map(|it| it.hash.clone()).collect();
        self.release_blobs(room, id, &blobs);
    }

    pub(super) fn drop_message(&mut self, room: &str, id: u64) {
        self.forget_message(room, id);
        self.drop_row(message_key(room, id));
    }

    /// Records that this message no longer shows these images or files.
    fn release_blobs(&mut self, room: &str, id: u64, hashes: &[String]) {
        for hash in hashes {
            let Some(mut messages) = self.shown.get(hash).cloned() else { continue };
            messages.remove(&(room.to_owned(), id));
            if messages.is_empty() {
                self.shown.remove_mut(hash);
            } else {
                self.shown.insert_mut(hash.clone(), messages);
            }
        }
    }
}

fn blobs_of(room_data: &RoomData) -> Vec<(u64, Vec<String>)> {
    room_data.messages().map(|it| (it.id, it.blobs().map(|it| it.hash.clone()).collect())).collect()
}

fn message_key(room: &str, id: u64) -> String {
    format!("m/{room}/{id:016x}")
}

fn parse_row<T: DeserializeOwned>(value: &[u8]) -> Result<T, String> {
    serde_json::from_slice(value).map_err(|e| e.to_string())
}
