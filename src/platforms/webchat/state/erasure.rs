//! Erases a person: their messages, and those of the bot that name them.

use std::collections::BTreeSet;

use super::WebchatState;
use crate::model::{WebchatMessage, WebchatRoom};

/// The most messages that one change erases.
const ERASED_PER_CHANGE_MAX: usize = 300;

impl WebchatState {
    /// Erases a person and the messages that they wrote, that were for them, or that name them by
    /// their id or one of these displayed names. Returns whether nothing is left.
    pub fn erase_person(&mut self, person: Option<&str>, names: &BTreeSet<String>) -> bool {
        let mut found = Vec::new();
        for place in self.places.values() {
            let named = place.messages().filter(|it| is_about(it, person, names));
            found.extend(named.map(|it| (place.room.name.clone(), it.id)));
            if found.len() >= ERASED_PER_CHANGE_MAX {
                break;
            }
        }
        let is_last = found.len() < ERASED_PER_CHANGE_MAX;
        for (room, id) in found {
            self.erase_message(&room, id);
        }
        if let Some(person) = person.filter(|_| is_last) {
            self.forget_person(person);
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
    fn erase_message(&mut self, room: &str, id: u64) {
        let place = self.places.get(room);
        let Some(time_ms) = place.and_then(|it| it.message(id)).map(|it| it.time_ms) else {
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
        let rooms = self.places.values().filter(|it| is_listed(&it.room));
        let rooms: Vec<WebchatRoom> = rooms.map(|it| WebchatRoom::clone(&it.room)).collect();
        for mut room in rooms {
            room.muted.retain(|it| it != person);
            room.removed.retain(|it| it != person);
            self.save_room(room);
        }
    }
}

/// Whether a message was written by a person, is for them alone, or names them.
fn is_about(message: &WebchatMessage, person: Option<&str>, names: &BTreeSet<String>) -> bool {
    if let Some(person) = person {
        let is_own = [&message.author, &message.only, &message.waits_for];
        if is_own.into_iter().flatten().any(|it| it.strip_prefix("web:").unwrap_or(it) == person) {
            return true;
        }
    }
    if message.gone {
        return false;
    }
    let json = serde_json::to_string(message).unwrap_or_default();
    person.is_some_and(|it| contains_word(&json, it))
        || names.iter().any(|name| {
            // In JSON, some letters of a name are escaped.
            let escaped = serde_json::to_string(name).unwrap_or_default();
            contains_word(&json, escaped.trim_matches('"'))
        })
}

/// Whether a text contains these words, not as a part of longer ones.
fn contains_word(text: &str, words: &str) -> bool {
    let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    !words.is_empty()
        && text.match_indices(words).any(|(at, found)| {
            let (before, after) = (&text[..at], &text[at + found.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WebchatLimits;
    use caravanserai_games::text::RichText;

    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_person_is_erased_with_what_names_them_and_nothing_else() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        let room = WebchatRoom { name: "lobby".into(), ..WebchatRoom::default() };
        state.save_room(WebchatRoom { removed: vec!["77".into()], ..room });
        let mut post = |author: Option<&str>, text: &str| {
            let (author, text) = (author.map(str::to_owned), RichText::plain(text));
            let message = WebchatMessage { author, text, ..WebchatMessage::default() };
            state.post("lobby", message, &limits).unwrap()
        };
        let (own, board) = (post(Some("77"), "hello"), post(None, "Ann \"A\" – Bek, move 3"));
        let (other, note) = (post(Some("78"), "bye"), post(None, "Annette is waiting"));
        assert!(state.erase_person(Some("77"), &["Ann \"A\"".to_owned(), "Ann".to_owned()].into()));
        let place = state.places.get("lobby").unwrap();
        let is_gone = |id: u64| place.message(id).unwrap().gone;
        assert_eq!([own, board, other, note].map(is_gone), [true, true, false, false]);
        assert_eq!(place.message(own).unwrap().author, None);
        assert!(place.room.removed.is_empty());
    }
}
