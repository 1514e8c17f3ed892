//! Erases a person: their messages, and those that name them by their id.
//!
//! A displayed name is not looked for: others may have the same one, or use it as a word.

use super::WebchatState;
use crate::model::{WebchatMessage, WebchatRoom};
use caravanserai_games::text::RichSpan;
use caravanserai_protocol::BoardSummary;

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
    !message.gone && texts_of(message).any(|it| it.strip_prefix("web:") == Some(person))
}

/// Returns the texts of a message that may be an id. All messages of all rooms are looked through
/// at once, so nothing is copied.
fn texts_of(message: &WebchatMessage) -> impl Iterator<Item = &str> {
    // Names all fields, so that a new one is not forgotten.
    let WebchatMessage {
        id: _,
        changed: _,
        time_ms: _,
        author: _,
        name,
        only: _,
        text,
        image,
        file,
        buttons,
        loud: _,
        reply_to: _,
        nonce,
        waits_for: _,
        table,
        board,
        look,
        slot,
        key,
        edited: _,
        gone: _,
    } = message;
    let spans = text.0.iter().flat_map(|it| [Some(it.text()), mentioned_person(it)]).flatten();
    let labels = [image, file].into_iter().flatten().map(|it| it.label.as_str());
    let buttons =
        buttons.iter().flatten().flat_map(|it| [it.label.as_str(), it.callback_data.as_str()]);
    let fields = [Some(name), Some(nonce), table.as_ref(), look.as_ref(), Some(slot), Some(key)];
    let fields = fields.into_iter().flatten().map(String::as_str);
    let board = board.iter().flat_map(board_texts);
    spans.chain(labels).chain(buttons).chain(fields).chain(board)
}

fn mentioned_person(span: &RichSpan) -> Option<&str> {
    match span {
        RichSpan::Mention { person, .. } => Some(person),
        RichSpan::Plain(_) | RichSpan::Bold(_) | RichSpan::Code(_) | RichSpan::Time { .. } => None,
    }
}

fn board_texts(board: &BoardSummary) -> impl Iterator<Item = &str> {
    let BoardSummary { game: _, phase: _, players, names, open_seats: _, invited, answers: _ } =
        board;
    let people = players.iter().chain(invited).map(|it| it.0.as_str());
    people.chain(names.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WebchatLimits;
    use caravanserai_games::ids::PersonId;
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

    #[test]
    fn a_message_names_a_person_by_a_mention_or_at_a_board() {
        let mention = RichSpan::Mention { person: "web:77".into(), name: "Ann".into() };
        let at_board = |board: BoardSummary| WebchatMessage {
            board: Some(board),
            ..WebchatMessage::default()
        };
        let who = vec![PersonId("web:77".into())];
        for named in [
            WebchatMessage { text: RichText(vec![mention]), ..WebchatMessage::default() },
            WebchatMessage { only: Some("web:77".into()), ..WebchatMessage::default() },
            at_board(BoardSummary { players: who.clone(), ..BoardSummary::default() }),
            at_board(BoardSummary { invited: who, ..BoardSummary::default() }),
            at_board(BoardSummary { names: vec!["web:77".into()], ..BoardSummary::default() }),
        ] {
            assert!(is_about(&named, "77"), "{named:?}");
            assert!(!is_about(&named, "7"), "{named:?}");
        }
    }
}
