//! Everything the chat knows, in memory, and every way it changes. No I/O: a change is written
//! down as pairs for the disk, which are kept before anybody is told.
//!
//! There is no log of events. Each message, room and person carries the number of its last
//! change; a stream asks for everything newer than what it has shown. So a resumed stream can
//! neither lose nor repeat anything, however long it was away.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Serialize, de::DeserializeOwned};

use super::{
    disk::{Disk, LAST_CHANGE, Op, no_pieces, pieces},
    model::{Act, Blob, Limits, Member, Message, Pending, Room},
    refusal::Refusal,
};

/// After this time without activity people and rooms may make room for others.
const STALE_MS: u64 = 30 * 24 * 3_600 * 1_000;
const HOUR_MS: u64 = 3_600_000;

/// A room with its messages.
pub struct Place {
    /// Its settings and people.
    pub room: Room,
    /// By number.
    pub messages: BTreeMap<u64, Message>,
    /// Last change → message.
    pub order: BTreeMap<u64, u64>,
    nonces: HashMap<(String, Option<String>), u64>,
    keys: HashMap<(String, String), u64>,
}

/// Everything.
#[derive(Default)]
pub struct State {
    /// Number of the last change.
    pub seq: u64,
    /// By id.
    pub people: HashMap<String, Member>,
    /// By name.
    pub places: BTreeMap<String, Place>,
    /// What the bot has not yet confirmed, by update id.
    pub pending: BTreeMap<String, Pending>,
    tokens: HashMap<String, String>,
    shown: HashMap<String, BTreeSet<(String, u64)>>,
    ops: Vec<Op>,
}

impl Place {
    fn new(room: Room) -> Self {
        Self {
            room,
            messages: BTreeMap::new(),
            order: BTreeMap::new(),
            nonces: HashMap::new(),
            keys: HashMap::new(),
        }
    }

    /// Whether this person may read here.
    pub fn has(&self, person: &str) -> bool {
        self.room.people.iter().any(|it| it == person)
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

    fn index(&mut self, message: &Message) {
        self.order.insert(message.changed, message.id);
        if !message.nonce.is_empty() {
            self.nonces.insert((message.nonce.clone(), message.only.clone()), message.id);
        }
        if let Some(author) = &message.author {
            self.keys.insert((author.clone(), message.key.clone()), message.id);
        }
    }

    fn forget(&mut self, message: &Message) {
        self.order.remove(&message.changed);
        self.nonces.remove(&(message.nonce.clone(), message.only.clone()));
        if let Some(author) = &message.author {
            self.keys.remove(&(author.clone(), message.key.clone()));
        }
    }
}

impl Message {
    /// Whether this person, who is in the room, may see it.
    pub fn visible_to(&self, person: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == person)
    }
}

impl State {
    /// Reads everything back.
    pub fn load(disk: &Disk) -> Result<Self, String> {
        let mut state = State { seq: *disk.durable().borrow(), ..State::default() };
        for (_, value) in disk.scan(b"p/")? {
            let member: Member = read(&value)?;
            state.tokens.insert(member.secret.clone(), member.id.clone());
            state.people.insert(member.id.clone(), member);
        }
        for (_, value) in disk.scan(b"r/")? {
            let room: Room = read(&value)?;
            state.places.insert(room.name.clone(), Place::new(room));
        }
        for (key, value) in disk.scan(b"m/")? {
            let message: Message = read(&value)?;
            let name = String::from_utf8_lossy(&key[2..]);
            let name = name.rsplit_once('/').map_or("", |(room, _)| room).to_owned();
            let Some(place) = state.places.get_mut(&name) else { continue };
            place.index(&message);
            place.room.active_ms = place.room.active_ms.max(message.time_ms);
            for blob in message.image.iter().chain(&message.file) {
                let shown = state.shown.entry(blob.hash.clone()).or_default();
                shown.insert((name.clone(), message.id));
            }
            place.messages.insert(message.id, message);
        }
        for (_, value) in disk.scan(b"q/")? {
            let pending: Pending = read(&value)?;
            state.pending.insert(pending.id.clone(), pending);
        }
        Ok(state)
    }

    /// What is to be kept since the last call.
    pub fn take_ops(&mut self) -> Vec<Op> {
        if !self.ops.is_empty() {
            let seq = self.seq;
            self.put(LAST_CHANGE.to_vec(), &seq);
        }
        std::mem::take(&mut self.ops)
    }

    /// Whose secret this is.
    pub fn person_of(&self, secret: &str) -> Option<&str> {
        self.tokens.get(secret).map(String::as_str)
    }

    /// A room this person is in.
    pub fn room_of(&self, person: &str, room: &str) -> Result<&Place, Refusal> {
        self.places.get(room).filter(|it| it.has(person)).ok_or(Refusal::Absent("room for you"))
    }

    /// Whether this person may fetch these bytes: some message shows them.
    pub fn may_fetch(&self, person: &str, hash: &str) -> Option<&Blob> {
        self.shown.get(hash)?.iter().find_map(|(room, id)| {
            let place = self.places.get(room).filter(|it| it.has(person))?;
            let message = place.messages.get(id).filter(|it| it.visible_to(person))?;
            message.image.iter().chain(&message.file).find(|it| it.hash == hash)
        })
    }

    /// Welcomes somebody.
    pub fn arrive(&mut self, member: Member, limits: &Limits) -> Result<(), Refusal> {
        if self.people.len() >= limits.people && !self.forget_stale_person(member.seen_ms) {
            return Err(Refusal::Full("people"));
        }
        self.tokens.insert(member.secret.clone(), member.id.clone());
        self.save_person(member);
        Ok(())
    }

    /// Changes a person's name or locale; rooms tell their people.
    pub fn rename(&mut self, person: &str, name: Option<String>, locale: Option<String>) {
        let Some(mut member) = self.people.get(person).cloned() else { return };
        member.locale = locale.or(member.locale);
        let renamed = name.is_some();
        member.name = name.unwrap_or(member.name);
        for room in if renamed { member.rooms.clone() } else { Vec::new() } {
            self.touch_room(&room);
        }
        self.save_person(member);
    }

    /// Notes that somebody is here, at most once an hour.
    pub fn saw(&mut self, person: &str, now_ms: u64) {
        let Some(member) = self.people.get_mut(person) else { return };
        if now_ms / HOUR_MS > member.seen_ms / HOUR_MS {
            member.seen_ms = now_ms;
            let member = member.clone();
            self.put(format!("p/{person}").into_bytes(), &member);
        }
    }

    /// Brings somebody into a room, which is opened if need be. Tells what the bot is to hear.
    pub fn join(
        &mut self,
        person: &str,
        room: &str,
        now_ms: u64,
        limits: &Limits,
    ) -> Result<Option<Pending>, Refusal> {
        let member = self.people.get(person).ok_or(Refusal::Stranger)?;
        if self.places.get(room).is_some_and(|it| it.has(person)) {
            return Ok(None);
        }
        if member.rooms.len() >= limits.rooms_of_person {
            return Err(Refusal::Full("rooms of yours; leave one first"));
        }
        let mut heard = None;
        if !self.places.contains_key(room) {
            let full = !room.starts_with('@') && self.public_rooms() >= limits.rooms;
            if full && !self.forget_stale_room(now_ms) {
                return Err(Refusal::Full("rooms"));
            }
            let name = room.to_owned();
            let (bot, epoch) = (true, 1);
            let room = Room { name, people: vec![], bot, epoch, changed: 0, active_ms: now_ms };
            heard = Some(self.came_or_went(person, &room));
            self.places.insert(room.name.clone(), Place::new(room));
        }
        if let Some(place) = self.places.get_mut(room) {
            if place.room.people.len() >= limits.people_in_room {
                return Err(Refusal::Full("people in this room"));
            }
            place.room.people.push(person.to_owned());
        }
        self.touch_room(room);
        if let Some(mut member) = self.people.get(person).cloned() {
            member.rooms.push(room.to_owned());
            self.save_person(member);
        }
        Ok(heard)
    }

    /// Takes somebody out of a room. Their private chat stays.
    pub fn leave(&mut self, person: &str, room: &str) -> Result<(), Refusal> {
        self.room_of(person, room)?;
        if let Some(place) = self.places.get_mut(room) {
            place.room.people.retain(|it| it != person);
        }
        self.touch_room(room);
        if let Some(mut member) = self.people.get(person).cloned() {
            member.rooms.retain(|it| it != room);
            self.save_person(member);
        }
        Ok(())
    }

    /// Sends the bot away or invites it back.
    pub fn set_bot(
        &mut self,
        person: &str,
        room: &str,
        bot: bool,
    ) -> Result<Option<Pending>, Refusal> {
        let place = self.room_of(person, room)?;
        if place.room.admin() != Some(person) {
            return Err(Refusal::NotAdmin);
        }
        if place.room.bot == bot {
            return Ok(None);
        }
        let mut changed = place.room.clone();
        changed.bot = bot;
        changed.epoch += 1;
        let heard = self.came_or_went(person, &changed);
        if let Some(place) = self.places.get_mut(room) {
            place.room = changed;
        }
        self.touch_room(room);
        Ok(Some(heard))
    }

    /// Adds a message and tells its number. `bytes` are those of its picture and file.
    pub fn post(
        &mut self,
        room: &str,
        mut message: Message,
        bytes: &[(String, &[u8])],
        limits: &Limits,
    ) -> Option<u64> {
        let time_ms = message.time_ms;
        let place = self.places.get_mut(room)?;
        message.id = place.messages.last_key_value().map_or(1, |(id, _)| id + 1);
        if message.reply_to.is_some_and(|id| !place.messages.contains_key(&id)) {
            message.reply_to = None;
        }
        if message.only.is_none() {
            place.room.active_ms = time_ms;
        }
        let (id, only) = (message.id, message.only.clone());
        self.save_message(room, message, bytes);
        self.trim(room, only.as_deref(), limits);
        Some(id)
    }

    /// Replaces a message by a newer form of it.
    pub fn replace(&mut self, room: &str, message: Message, bytes: &[(String, &[u8])]) {
        self.save_message(room, message, bytes);
    }

    /// Takes a message away; its number stays, so that everybody learns it.
    pub fn remove(&mut self, room: &str, id: u64) {
        let place = self.places.get(room);
        let Some(old) = place.and_then(|it| it.messages.get(&id)).filter(|it| !it.gone) else {
            return;
        };
        let left = Message {
            id,
            time_ms: old.time_ms,
            author: old.author.clone(),
            only: old.only.clone(),
            nonce: old.nonce.clone(),
            key: old.key.clone(),
            gone: true,
            ..Message::default()
        };
        self.save_message(room, left, &[]);
    }

    /// Remembers that the bot is to hear this.
    pub fn await_hearing(&mut self, pending: Pending) {
        self.put(format!("q/{}", pending.id).into_bytes(), &pending);
        self.pending.insert(pending.id.clone(), pending);
    }

    /// The bot has heard it.
    pub fn heard(&mut self, id: &str) {
        if self.pending.remove(id).is_some() {
            self.ops.push((format!("q/{id}").into_bytes(), None));
        }
    }

    fn public_rooms(&self) -> usize {
        self.places.keys().filter(|name| !name.starts_with('@')).count()
    }

    fn came_or_went(&mut self, person: &str, room: &Room) -> Pending {
        let pending = Pending {
            id: format!("web/{}/bot/{}/{}", room.name, room.epoch, room.active_ms),
            room: room.name.clone(),
            person: person.to_owned(),
            act: if room.bot { Act::Added } else { Act::Removed },
        };
        self.await_hearing(pending.clone());
        pending
    }

    fn next(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    fn put(&mut self, key: Vec<u8>, value: &impl Serialize) {
        let value = serde_json::to_vec(value).expect("plain data becomes JSON");
        self.ops.push((key, Some(value)));
    }

    fn save_person(&mut self, mut member: Member) {
        member.changed = self.next();
        self.put(format!("p/{}", member.id).into_bytes(), &member);
        self.people.insert(member.id.clone(), member);
    }

    fn touch_room(&mut self, room: &str) {
        let seq = self.next();
        let Some(place) = self.places.get_mut(room) else { return };
        place.room.changed = seq;
        let room = place.room.clone();
        self.put(format!("r/{}", room.name).into_bytes(), &room);
    }

    fn save_message(&mut self, room: &str, mut message: Message, bytes: &[(String, &[u8])]) {
        message.changed = self.next();
        let id = message.id;
        for (hash, bytes) in bytes {
            if self.shown.get(hash).is_none_or(BTreeSet::is_empty) {
                self.ops.extend(pieces(hash, bytes));
            }
        }
        for blob in message.image.iter().chain(&message.file) {
            let shown = self.shown.entry(blob.hash.clone()).or_default();
            shown.insert((room.to_owned(), id));
        }
        self.put(message_key(room, id), &message);
        let Some(place) = self.places.get_mut(room) else { return };
        let old = place.messages.insert(id, message.clone());
        if let Some(old) = &old {
            place.forget(old);
        }
        place.index(&message);
        if let Some(old) = old {
            let kept =
                |it: &&Blob| message.image.iter().chain(&message.file).all(|n| n.hash != it.hash);
            let dropped: Vec<Blob> =
                old.image.iter().chain(&old.file).filter(kept).cloned().collect();
            self.hide(room, id, &dropped);
        }
    }

    /// Drops bytes that no message shows any longer.
    fn hide(&mut self, room: &str, id: u64, blobs: &[Blob]) {
        for blob in blobs {
            let Some(shown) = self.shown.get_mut(&blob.hash) else { continue };
            shown.remove(&(room.to_owned(), id));
            if shown.is_empty() {
                self.shown.remove(&blob.hash);
                self.ops.extend(no_pieces(&blob.hash, blob.len));
            }
        }
    }

    /// Drops the oldest messages of the kind that has just grown.
    fn trim(&mut self, room: &str, only: Option<&str>, limits: &Limits) {
        let most = if only.is_some() { limits.whispers } else { limits.messages };
        let Some(place) = self.places.get(room) else { return };
        let same = place.messages.values().filter(|it| it.only.as_deref() == only);
        let ids: Vec<u64> = same.map(|it| it.id).collect();
        for id in &ids[..ids.len().saturating_sub(most)] {
            self.drop_message(room, *id);
        }
    }

    fn drop_message(&mut self, room: &str, id: u64) {
        let Some(place) = self.places.get_mut(room) else { return };
        let Some(message) = place.messages.remove(&id) else { return };
        place.forget(&message);
        self.ops.push((message_key(room, id), None));
        let blobs: Vec<Blob> = message.image.into_iter().chain(message.file).collect();
        self.hide(room, id, &blobs);
    }

    fn drop_room(&mut self, room: &str) {
        let Some(place) = self.places.get(room) else { return };
        let ids: Vec<u64> = place.messages.keys().copied().collect();
        let people = place.room.people.clone();
        for id in ids {
            self.drop_message(room, id);
        }
        self.places.remove(room);
        self.ops.push((format!("r/{room}").into_bytes(), None));
        for person in people {
            if let Some(mut member) = self.people.get(&person).cloned() {
                member.rooms.retain(|it| it != room);
                self.save_person(member);
            }
        }
    }

    fn forget_stale_person(&mut self, now_ms: u64) -> bool {
        let stale = |it: &&Member| it.seen_ms + STALE_MS < now_ms;
        let oldest = self.people.values().filter(stale).min_by_key(|it| it.seen_ms);
        let Some(member) = oldest.cloned() else { return false };
        for room in &member.rooms {
            let _ = self.leave(&member.id, room);
        }
        self.drop_room(&format!("@{}", member.id));
        self.people.remove(&member.id);
        self.tokens.remove(&member.secret);
        self.ops.push((format!("p/{}", member.id).into_bytes(), None));
        true
    }

    fn forget_stale_room(&mut self, now_ms: u64) -> bool {
        let rooms = self.places.values().map(|it| &it.room).filter(|it| !it.private());
        let stale = rooms.filter(|it| it.people.is_empty() || it.active_ms + STALE_MS < now_ms);
        let Some(name) = stale.min_by_key(|it| it.active_ms).map(|it| it.name.clone()) else {
            return false;
        };
        self.drop_room(&name);
        true
    }
}

fn message_key(room: &str, id: u64) -> Vec<u8> {
    format!("m/{room}/{id:016x}").into_bytes()
}

fn read<T: DeserializeOwned>(value: &[u8]) -> Result<T, String> {
    serde_json::from_slice(value).map_err(|e| format!("damaged record: {e}"))
}
