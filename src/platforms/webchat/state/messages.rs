//! Adds, replaces and removes messages, and limits how many are kept.

use std::collections::HashMap;

use super::WebchatState;
use crate::model::{WebchatLimits, WebchatMessage};

impl WebchatState {
    /// Adds a message and returns its id.
    pub fn post(
        &mut self,
        room: &str,
        mut message: WebchatMessage,
        limits: &WebchatLimits,
    ) -> Option<u64> {
        let room_data = self.rooms.get(room)?;
        message.id = room_data.messages.last().map_or(1, |(id, _)| id + 1);
        if message.reply_to.is_some_and(|id| !room_data.messages.contains_key(&id)) {
            message.reply_to = None;
        }
        let id = message.id;
        let only = message.only.clone();
        let author = message.author.clone();
        self.note_players(&message);
        self.save_message(room, message);
        match (only, author) {
            (Some(only), _) => self.trim_whispers(room, &only, limits.whispers),
            (None, Some(_)) => self.trim_messages(room, limits.messages),
            (None, None) => self.trim_bot_messages(room, limits.bot_messages),
        }
        Some(id)
    }

    /// Replaces a message by a newer form of it.
    pub fn replace(&mut self, room: &str, message: WebchatMessage) {
        self.note_players(&message);
        self.save_message(room, message);
    }

    /// Changes the content of an existing message.
    pub fn update_shown(&mut self, room: &str, id: u64, shown: WebchatMessage) {
        let room_data = self.rooms.get(room);
        let Some(old) = room_data.and_then(|it| it.message(id)).filter(|it| !it.gone) else {
            return;
        };
        let mut new = WebchatMessage {
            id,
            time_ms: old.time_ms,
            only: old.only.clone(),
            nonce: old.nonce.clone(),
            slot: old.slot.clone(),
            reply_to: old.reply_to,
            edited: old.edited,
            changed: old.changed,
            ..shown
        };
        if new != *old {
            new.edited = true;
            self.replace(room, new);
        }
    }

    /// Records that the players of a board have taken part.
    fn note_players(&mut self, message: &WebchatMessage) {
        for player in message.board.iter().flat_map(|it| &it.players) {
            if let Some(person) = player.0.strip_prefix("web:") {
                self.note_played(person);
            }
        }
    }

    /// Removes a message; its id stays, so that every client learns of the removal.
    pub fn remove(&mut self, room: &str, id: u64) {
        let room_data = self.rooms.get(room);
        let Some(old) = room_data.and_then(|it| it.message(id)).filter(|it| !it.gone) else {
            return;
        };
        let left = WebchatMessage {
            id,
            time_ms: old.time_ms,
            author: old.author.clone(),
            only: old.only.clone(),
            nonce: old.nonce.clone(),
            key: old.key.clone(),
            gone: true,
            ..WebchatMessage::default()
        };
        self.save_message(room, left);
    }

    /// Limits the private messages of a person; the oldest are removed.
    fn trim_whispers(&mut self, room: &str, only: &str, most: usize) {
        let Some(room_data) = self.rooms.get(room) else { return };
        let mine = room_data.messages().filter(|it| it.only.as_deref() == Some(only));
        let ids: Vec<u64> = mine.map(|it| it.id).collect();
        for id in &ids[..ids.len().saturating_sub(most)] {
            self.drop_message(room, *id);
        }
    }

    /// Removes the private messages to a person, who is not in the room any more. Of the newest
    /// message of the room its number stays.
    pub(super) fn drop_whispers(&mut self, room: &str, only: &str) {
        let Some(room_data) = self.rooms.get(room) else { return };
        let newest = room_data.messages.last().map(|(id, _)| *id);
        let theirs = room_data.messages().filter(|it| it.only.as_deref() == Some(only));
        let ids: Vec<u64> = theirs.map(|it| it.id).collect();
        for id in ids {
            match newest == Some(id) {
                true => self.erase_message(room, id),
                false => self.drop_message(room, id),
            }
        }
    }

    /// Limits the messages of people: the person with the most messages loses their oldest, so that
    /// nobody can push out the messages of others.
    fn trim_messages(&mut self, room: &str, most: usize) {
        let Some(room_data) = self.rooms.get(room) else { return };
        let talk: Vec<&WebchatMessage> =
            room_data.messages().filter(|it| it.only.is_none() && it.author.is_some()).collect();
        if talk.len() <= most {
            return;
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for it in &talk {
            *counts.entry(it.author.as_deref().unwrap_or_default()).or_default() += 1;
        }
        let largest = counts.values().copied().max().unwrap_or_default();
        let chatty = |it: &&&WebchatMessage| {
            it.gone || counts.get(it.author.as_deref().unwrap_or_default()) == Some(&largest)
        };
        if let Some(id) = talk.iter().find(chatty).map(|it| it.id) {
            self.drop_message(room, id);
        }
    }

    /// Limits the messages of the bot: the one unchanged for longest is removed first, and boards
    /// of open tables last. A finished board is not one of them, although it has buttons. The
    /// newest message of the room stays: the bot still needs it, and the next id follows from it.
    fn trim_bot_messages(&mut self, room: &str, most: usize) {
        let Some(room_data) = self.rooms.get(room) else { return };
        let newest = room_data.messages.last().map(|(id, _)| *id);
        let said = room_data.messages().filter(|it| it.only.is_none() && it.author.is_none());
        let mut said: Vec<(bool, bool, u64, u64)> =
            said.map(|it| (!it.gone, it.is_open_board(), it.changed, it.id)).collect();
        let surplus = said.len().saturating_sub(most);
        said.retain(|(.., id)| Some(*id) != newest);
        said.sort_unstable();
        for (.., id) in said.into_iter().take(surplus) {
            self.drop_message(room, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{WebchatButton, WebchatMember, WebchatRoom};
    use caravanserai_protocol::{BoardSummary, ButtonTone, PhaseName};

    fn said(author: Option<&str>, text: &str) -> WebchatMessage {
        let text = caravanserai_games::text::RichText::plain(text);
        WebchatMessage { author: author.map(str::to_owned), text, ..WebchatMessage::default() }
    }

    fn texts(state: &WebchatState) -> Vec<String> {
        state.rooms.get("lobby").unwrap().messages().map(|it| it.text.to_plain()).collect()
    }

    #[test]
    #[allow(clippy::unwrap_used)]
    fn one_person_pushes_out_only_their_own_words_and_no_board() {
        let limits = WebchatLimits { messages: 4, bot_messages: 2, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        state.save_room(WebchatRoom { name: "lobby".into(), ..WebchatRoom::default() });
        let board = state.post("lobby", said(None, "board"), &limits).unwrap();
        state.post("lobby", said(Some("ann"), "hello"), &limits);
        for n in 0..50 {
            state.post("lobby", said(Some("eve"), &format!("spam {n}")), &limits);
        }
        assert_eq!(texts(&state), ["board", "hello", "spam 47", "spam 48", "spam 49"]);
        // A board in play changes again and again: newer texts of the bot are removed before it.
        for n in 0..10 {
            let moved = WebchatMessage { id: board, ..said(None, &format!("board, move {n}")) };
            state.replace("lobby", moved);
            state.post("lobby", said(None, &format!("note {n}")), &limits);
        }
        assert_eq!(texts(&state)[0], "board, move 9");
        assert_eq!(texts(&state).len(), 6);
    }

    #[test]
    #[allow(clippy::unwrap_used)]
    fn old_finished_boards_go_before_new_texts_and_no_id_is_given_twice() {
        let limits = WebchatLimits { bot_messages: 3, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        state.save_room(WebchatRoom { name: "lobby".into(), ..WebchatRoom::default() });
        let board = |text: &str, phase| {
            let button = WebchatButton {
                label: "Replay".into(),
                callback_data: "replay".into(),
                tone: ButtonTone::default(),
            };
            let board = Some(BoardSummary { phase, ..BoardSummary::default() });
            let buttons = vec![vec![button]];
            WebchatMessage { board, buttons, ..said(None, text) }
        };
        state.post("lobby", board("slow game", PhaseName::Playing), &limits);
        let mut ids = Vec::new();
        for n in 0..6 {
            let text = format!("game {n}");
            ids.extend(state.post("lobby", board(&text, PhaseName::Over), &limits));
            ids.extend(state.post("lobby", said(None, &format!("call {n}")), &limits));
            assert_eq!(texts(&state).last().unwrap(), &format!("call {n}"));
        }
        assert_eq!(texts(&state), ["slow game", "game 5", "call 5"]);
        assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
        // Also if only boards in play are left.
        for n in 0..4 {
            state.post("lobby", board(&format!("open {n}"), PhaseName::Lobby), &limits);
        }
        state.post("lobby", said(None, "call"), &limits);
        assert_eq!(texts(&state), ["open 2", "open 3", "call"]);
        assert!(state.post("lobby", said(Some("ann"), "hello"), &limits) > ids.last().copied());
        assert_eq!(texts(&state).last().unwrap(), "hello");
    }

    #[test]
    #[allow(clippy::unwrap_used)]
    fn the_private_messages_of_a_person_go_when_they_leave_the_room() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        for id in ["ann", "bek"] {
            let (id, secret) = (id.to_owned(), format!("secret of {id}"));
            let member = WebchatMember { id: id.clone(), secret, ..WebchatMember::default() };
            state.add_person(member, &limits, &|_| false).unwrap();
            state.join(&id, "lobby", None, 0, &limits).unwrap();
        }
        let whisper = |only: &str| WebchatMessage { only: Some(only.to_owned()), ..said(None, "") };
        for _ in 0..3 {
            state.post("lobby", whisper("bek"), &limits);
        }
        let other = state.post("lobby", whisper("ann"), &limits);
        let newest = state.post("lobby", whisper("bek"), &limits);
        state.leave("bek", "lobby", 1).unwrap();
        let room = state.rooms.get("lobby").unwrap();
        let left: Vec<(Option<u64>, bool)> =
            room.messages().map(|it| (Some(it.id), it.gone)).collect();
        assert_eq!(left, [(other, false), (newest, true)], "of the newest its number stays");
        assert!(room.messages().all(|it| it.only.as_deref() != Some("bek")));
    }
}
