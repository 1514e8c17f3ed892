//! How the chat stays bounded: what is old goes, and with it what only it needed.

use super::{State, message_key};
use crate::platform::web::{
    disk::no_pieces,
    model::{Blob, Limits, Member},
};

/// After this time without activity people and rooms may make room for others.
const STALE_MS: u64 = 30 * 24 * 3_600 * 1_000;

impl State {
    /// Drops bytes that no message shows any longer.
    pub(super) fn hide(&mut self, room: &str, id: u64, blobs: &[Blob]) {
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
    pub(super) fn trim(&mut self, room: &str, only: Option<&str>, limits: &Limits) {
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

    pub(super) fn forget_stale_person(&mut self, now_ms: u64) -> bool {
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

    pub(super) fn forget_stale_room(&mut self, now_ms: u64) -> bool {
        let rooms = self.places.values().map(|it| &it.room).filter(|it| !it.private());
        let stale = rooms.filter(|it| it.people.is_empty() || it.active_ms + STALE_MS < now_ms);
        let Some(name) = stale.min_by_key(|it| it.active_ms).map(|it| it.name.clone()) else {
            return false;
        };
        self.drop_room(&name);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::web::refusal::Refusal;

    fn member(id: &str, seen_ms: u64) -> Member {
        let (id, name) = (id.to_owned(), "Ann".to_owned());
        let secret = format!("secret of {id}");
        Member { id, name, locale: None, secret, seen_ms, rooms: vec![], changed: 0 }
    }

    #[test]
    fn the_longest_unseen_person_makes_room_and_leaves_nothing_behind() {
        let limits = Limits { people: 1, ..Limits::default() };
        let mut state = State::default();
        state.arrive(member("a", 0), &limits).expect("there is room");
        state.join("a", "@a", 0, &limits).expect("one's own chat");
        state.join("a", "lobby", 0, &limits).expect("a new room");
        assert_eq!(state.arrive(member("b", STALE_MS), &limits), Err(Refusal::Full("people")));
        state.arrive(member("b", STALE_MS + 1), &limits).expect("a is forgotten");
        assert_eq!(state.person_of("secret of a"), None);
        assert!(!state.places.contains_key("@a"));
        state.join("b", "lobby", STALE_MS + 1, &limits).expect("it is still there");
        assert_eq!(state.places["lobby"].room.admin(), Some("b"));
    }

    #[test]
    fn an_empty_room_makes_room_for_a_new_one() {
        let limits = Limits { rooms: 1, ..Limits::default() };
        let mut state = State::default();
        state.arrive(member("a", 0), &limits).expect("there is room");
        state.join("a", "one", 0, &limits).expect("a new room");
        assert_eq!(state.join("a", "two", 1, &limits).err(), Some(Refusal::Full("rooms")));
        state.leave("a", "one").expect("a was there");
        state.join("a", "two", 2, &limits).expect("the empty one is dropped");
        assert!(!state.places.contains_key("one"));
        assert_eq!(state.people["a"].rooms, ["two"]);
    }
}
