//! Erases a person: their messages, and those that name them by their id.
//!
//! A displayed name is not looked for: others may have the same one, or use it as a word.

use super::WebchatState;
use crate::model::{WebchatMessage, WebchatRoom};

/// The most messages that one change erases.
const ERASED_PER_CHANGE_MAX: usize = 300;

impl WebchatState {
    /// Erases a person and the messages that they wrote, that were for them, or that name them by
    /// their id. Returns whether nothing is left.
    pub fn erase_person(&mut self, person: &str, now_ms: u64) -> bool {
        let mut found = Vec::new();
        for room_data in self.rooms.values() {
            let named = room_data.messages().filter(|it| is_about(it, person));
            found.extend(named.map(|it| (room_data.room.name.clone(), it.id)));
            if found.len() >= ERASED_PER_CHANGE_MAX {
                break;
            }
        }
        let is_last = found.len() < ERASED_PER_CHANGE_MAX;
        for (room, id) in found {
            self.erase_message(&room, id);
        }
        if is_last {
            self.forget_person(person, person, now_ms);
            self.erase_room_entries(person);
            let own: Vec<String> = self
                .pending
                .iter()
                .filter(|(_, it)| it.person == person)
                .map(|(id, _)| id.clone())
                .collect();
            own.iter().for_each(|id| self.remove_pending(id));
        }
        is_last
    }

    /// Leaves only the number of a message, so that every client learns of the removal.
    pub(super) fn erase_message(&mut self, room: &str, id: u64) {
        let room_data = self.rooms.get(room);
        let Some(time_ms) = room_data.and_then(|it| it.message(id)).map(|it| it.time_ms) else {
            return;
        };
        let left = WebchatMessage { id, time_ms, gone: true, ..WebchatMessage::default() };
        self.save_message(room, left);
    }

    /// Removes a person from the lists of rooms. A ban of a person whose id exists no more bans
    /// nobody; bans of network addresses stay.
    fn erase_room_entries(&mut self, person: &str) {
        let is_listed =
            |it: &WebchatRoom| it.muted.iter().chain(&it.removed).any(|it| it == person);
        let rooms = self.rooms.values().filter(|it| is_listed(&it.room));
        let rooms: Vec<WebchatRoom> = rooms.map(|it| WebchatRoom::clone(&it.room)).collect();
        for mut room in rooms {
            room.muted.retain(|it| it != person);
            room.removed.retain(|it| it != person);
            self.save_room(room);
        }
    }
}

/// Whether a message was written by a person, is for them alone, or names them.
fn is_about(message: &WebchatMessage, person: &str) -> bool {
    let is_own = [&message.author, &message.only, &message.waits_for];
    if is_own.into_iter().flatten().any(|it| it.strip_prefix("web:").unwrap_or(it) == person) {
        return true;
    }
    !message.gone
        && serde_json::to_value(message).is_ok_and(|it| names_person(&it, &format!("web:{person}")))
}

/// Whether a text in JSON is this id.
fn names_person(json: &serde_json::Value, id: &str) -> bool {
    match json {
        serde_json::Value::String(text) => text == id,
        serde_json::Value::Array(items) => items.iter().any(|it| names_person(it, id)),
        serde_json::Value::Object(fields) => fields.values().any(|it| names_person(it, id)),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WebchatLimits;
    use caravanserai_games::text::RichText;

    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_person_is_erased_and_nobody_of_the_same_name() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        let room = WebchatRoom { name: "lobby".into(), ..WebchatRoom::default() };
        state.save_room(WebchatRoom { removed: vec!["77".into()], ..room });
        let mut post = |author: Option<&str>, text: &str| {
            let (author, text) = (author.map(str::to_owned), RichText::plain(text));
            let message = WebchatMessage { author, text, ..WebchatMessage::default() };
            state.post("lobby", message, &limits).unwrap()
        };
        let (own, board) = (post(Some("77"), "hello"), post(None, "Ann – Bek, move 77"));
        let (other, note) = (post(Some("78"), "I am Ann"), post(None, "id 77 text"));
        assert!(state.erase_person("77", 5));
        let room_data = state.rooms.get("lobby").unwrap();
        let is_gone = |id: u64| room_data.message(id).unwrap().gone;
        assert_eq!([own, board, other, note].map(is_gone), [true, false, false, false]);
        assert_eq!(room_data.message(own).unwrap().author, None);
        assert!(room_data.room.removed.is_empty());
    }
}
