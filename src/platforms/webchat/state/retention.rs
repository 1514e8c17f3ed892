//! Keeps the chat bounded: removes old data, and data that nothing else needs any more.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{RoomData, WebchatState};
use crate::auth::ClientAddress;
use crate::model::{WebchatLimits, WebchatMember, WebchatMessage, WebchatRoom};
use caravanserai_games::time_units::DAY_MS;

/// The time without activity after which a room may make room for another.
const STALE_ROOM_MS: u64 = 30 * DAY_MS;
/// The time without activity after which the board of an open table no longer keeps a room: the bot
/// closes forgotten tables sooner, so it could not change the board, as after it was removed.
const FORGOTTEN_BOARD_MS: u64 = 90 * DAY_MS;
/// The time without activity after which a room may make room for another that has at most one
/// member, and in which nobody has written or played.
const UNUSED_ROOM_MS: u64 = DAY_MS;
/// In a full room: the absence after which a member who took part makes room for another.
const ABSENT_MEMBER_MS: u64 = DAY_MS;
/// If there are too many people: the absence after which a person is removed who only talked or
/// asked for something, and never played.
const IDLE_TALKER_MS: u64 = 7 * DAY_MS;
/// In a full room: the share of its members, one in so many, above which those of one address make
/// room for people of other addresses although they are present.
const ADDRESS_SHARE: usize = 10;
/// The most items that one change removes.
const REMOVED_PER_CHANGE_MAX: usize = 500;

/// What the process knows about the connections of people.
pub struct Connections<'a> {
    /// Whether a person is online.
    pub is_online: &'a dyn Fn(&str) -> bool,
    /// The latest address of a person, if it is known.
    pub address_of: &'a dyn Fn(&str) -> Option<ClientAddress>,
}

impl WebchatState {
    /// Deletes a room with its messages, and the updates from there that the bot has not handled.
    /// The bot hears that the room was deleted.
    pub(super) fn drop_room(&mut self, room: &str, now_ms: u64) {
        let Some(room_data) = self.rooms.get(room) else { return };
        let ids: Vec<u64> = room_data.messages.keys().copied().collect();
        let deleted = WebchatRoom::clone(&room_data.room);
        for id in ids {
            self.drop_message(room, id);
        }
        let waiting = self.pending.values().filter(|it| it.room == room);
        for id in waiting.map(|it| it.id.clone()).collect::<Vec<String>>() {
            self.remove_pending(&id);
        }
        self.rooms.remove_mut(room);
        self.next_seq();
        self.drop_row(format!("r/{room}"));
        self.note_closed(&deleted, now_ms);
        for person in deleted.people {
            if let Some(mut member) = self.people.get(&person).map(|it| WebchatMember::clone(it)) {
                member.rooms.retain(|it| it != room);
                self.save_person(member);
            }
        }
    }

    /// Deletes a room with everything in it. Returns false if there is none.
    pub fn close_room(&mut self, room: &str, now_ms: u64) -> bool {
        let there = self.rooms.contains_key(room);
        self.drop_room(room, now_ms);
        there
    }

    /// Deletes a person and their private chat. Returns false if there is none. The bot hears that
    /// they are no longer in their rooms, and that their private chat was deleted: nobody can ever
    /// sign in as this person again. `by`: who removes them; themselves if they were away for
    /// too long.
    pub fn forget_person(&mut self, person: &str, by: &str, now_ms: u64) -> bool {
        let Some(member) = self.people.get(person).cloned() else { return false };
        for room in &member.rooms {
            // The person is a member, because the room is in their list.
            let _ = self.leave(person, room, now_ms);
            self.pending_departure(by, room, person, now_ms);
        }
        self.drop_room(&format!("@{person}"), now_ms);
        self.people.remove_mut(person);
        self.tokens.remove_mut(&member.secret);
        self.woken.insert(person.to_owned());
        self.next_seq();
        self.drop_row(format!("p/{person}"));
        self.note_forgotten(person, now_ms);
        true
    }

    /// Makes room for a new person: of the people who never played and are not online, the one who
    /// was absent for longest is removed, first of those who never took part at all. Nobody who
    /// played is: with them the bot would delete their account and their seats.
    pub(super) fn forget_idle_person(
        &mut self,
        now_ms: u64,
        limits: &WebchatLimits,
        here: &dyn Fn(&str) -> bool,
    ) -> bool {
        let idle = |it: &&Arc<WebchatMember>| {
            let has_played = it.took_part && !it.has_only_talked;
            let after_ms = if it.took_part { IDLE_TALKER_MS } else { limits.visitor_absence_ms };
            !has_played && is_absent(it, after_ms, now_ms) && !here(&it.id)
        };
        let oldest = self.people.values().filter(idle);
        let oldest = oldest.min_by_key(|it| (it.took_part, it.seen_ms));
        let Some(id) = oldest.map(|it| it.id.clone()) else { return false };
        self.forget_person(&id, &id, now_ms)
    }

    /// Makes room in a full room for a new member: of the absent members who neither have a seat at
    /// an open table there nor are its admin, one leaves, first of those who never took part the
    /// one who was absent for longest. If nobody is absent and many members share an address, one
    /// of those leaves who never played, for a newcomer of another address: a person who lets many
    /// names be online keeps nobody else out. They come back by opening the room, so nobody has to
    /// leave one that needs an invitation.
    pub fn make_room_for(
        &mut self,
        newcomer: &str,
        room: &str,
        now_ms: u64,
        limits: &WebchatLimits,
        connections: &Connections<'_>,
    ) {
        let Some(room_data) = self.rooms.get(room) else { return };
        if room_data.room.people.len() < limits.people_in_room || room_data.room.invite.is_some() {
            return;
        }
        let boards = room_data.messages().filter(|it| it.is_open_board());
        let boards = boards.filter_map(|it| it.board.as_ref());
        let seated = boards.flat_map(|it| it.players.iter().chain(&it.invited));
        let seated: HashSet<&str> = seated.filter_map(|it| it.0.strip_prefix("web:")).collect();
        let others =
            room_data.room.people.iter().skip(1).filter(|it| !seated.contains(it.as_str()));
        let others: Vec<_> = others.filter_map(|it| self.people.get(it)).collect();
        let absent = others.iter().filter(|it| {
            let after_ms = if it.took_part { ABSENT_MEMBER_MS } else { limits.visitor_absence_ms };
            is_absent(it, after_ms, now_ms) && !(connections.is_online)(&it.id)
        });
        let longest = absent.min_by_key(|it| (it.took_part, it.seen_ms)).copied();
        let leaving = longest.or_else(|| {
            let crowd = crowd_at_one_address(newcomer, room_data, limits, connections);
            let idle = others.into_iter().filter(|it| !it.took_part || it.has_only_talked);
            let idle = idle.filter(|it| crowd.contains(it.id.as_str()));
            // The last who came, first of those who never took part.
            idle.rev().min_by_key(|it| it.took_part)
        });
        let Some(person) = leaving.map(|it| it.id.clone()) else { return };
        // The person is a member.
        let _ = self.leave(&person, room, now_ms);
        self.pending_departure(&person, room, &person, now_ms);
    }

    /// Makes room for a new room: first of those in which nobody has written or played. One with an
    /// open table stays; if it has no members, it goes after all others.
    pub(super) fn forget_stale_room(&mut self, now_ms: u64) -> bool {
        let rooms = self.rooms.values().filter(|it| !it.room.is_private());
        let stale = rooms.filter(|it| {
            let idle_ms = if it.is_unused() { UNUSED_ROOM_MS } else { STALE_ROOM_MS };
            it.room.people.is_empty() || it.active_ms + idle_ms < now_ms
        });
        let keeps = |it: &RoomData| it.active_ms + FORGOTTEN_BOARD_MS >= now_ms;
        let stale = stale.map(|it| (keeps(it) && it.has_open_board(), it));
        let stale = stale.filter(|(is_open, it)| !is_open || it.room.people.is_empty());
        let oldest = stale.min_by_key(|(is_open, it)| (*is_open, !it.is_unused(), it.active_ms));
        let Some(name) = oldest.map(|(_, it)| it.room.name.clone()) else { return false };
        self.drop_room(&name, now_ms);
        true
    }

    /// Whether activity in a room was not recorded within a day.
    pub fn is_activity_due(&self, room: &str, now_ms: u64) -> bool {
        let room_data = self.rooms.get(room).filter(|it| !it.room.is_private());
        room_data.is_some_and(|it| it.active_ms.saturating_add(DAY_MS) < now_ms)
    }

    /// Records that people act in a room, at most once a day.
    pub fn note_activity(&mut self, room: &str, now_ms: u64) {
        if !self.is_activity_due(room, now_ms) {
            return;
        }
        let Some(room_data) = self.rooms.get_mut(room) else { return };
        let noted = WebchatRoom { active_ms: now_ms, ..WebchatRoom::clone(&room_data.room) };
        room_data.active_ms = now_ms;
        room_data.room = Arc::new(noted.clone());
        // Nothing that members see has changed.
        self.put(format!("r/{room}"), &noted);
    }

    /// Removes some expired items: messages, people, empty rooms, bans.
    pub fn remove_expired(&mut self, now_ms: u64, limits: &WebchatLimits) {
        let before = |days: u64| now_ms.saturating_sub(days * DAY_MS);
        let old = before(limits.message_days);
        let unseen = before(limits.person_days);
        let mut gone = Vec::new();
        for room_data in self.rooms.values() {
            // Boards of open tables stay while people play in the room. Of the last message its
            // number stays, because the next id follows from it.
            let last = room_data.messages.last().map(|(id, _)| *id);
            let keeps_boards = room_data.active_ms + FORGOTTEN_BOARD_MS >= now_ms;
            let stays = |it: &&WebchatMessage| {
                (keeps_boards && it.is_open_board()) || (Some(it.id) == last && it.is_erased())
            };
            let aged = room_data.messages().filter(|it| it.time_ms < old && !stays(it));
            gone.extend(aged.map(|it| (room_data.room.name.clone(), it.id)));
        }
        for (room, id) in gone.into_iter().take(REMOVED_PER_CHANGE_MAX) {
            let messages = self.rooms.get(&room).map(|it| &it.messages);
            match messages.and_then(|it| it.last()) {
                Some((last, _)) if *last == id => self.erase_message(&room, id),
                _ => self.drop_message(&room, id),
            }
        }
        let people = self.people.values().filter(|it| it.seen_ms < unseen);
        let people: Vec<String> =
            people.map(|it| it.id.clone()).take(REMOVED_PER_CHANGE_MAX / 10).collect();
        for person in people {
            self.forget_person(&person, &person, now_ms);
        }
        let empty = self.rooms.values().filter(|it| !it.room.is_private());
        let empty = empty.filter(|it| it.room.people.is_empty());
        let empty = empty.filter(|it| it.active_ms < old || it.is_abandoned());
        let empty: Vec<String> = empty.map(|it| it.room.name.clone()).take(10).collect();
        for room in empty {
            self.drop_room(&room, now_ms);
        }
        let over: Vec<String> =
            self.bans.iter().filter(|(_, it)| **it < now_ms).map(|(it, _)| it.clone()).collect();
        for address in over {
            self.ban(&address, None);
        }
        let expired = self.pending_bans.iter().filter(|(_, it)| it.expires_ms < now_ms);
        for person in expired.map(|(it, _)| it.clone()).collect::<Vec<String>>() {
            self.drop_pending_ban(&person);
        }
    }
}

/// Whether a person was absent for this time.
fn is_absent(member: &WebchatMember, after_ms: u64, now_ms: u64) -> bool {
    member.seen_ms.saturating_add(after_ms) < now_ms
}

/// The members of a full room at the address that most of them share, if it has more than its share
/// of them and is not that of the newcomer.
fn crowd_at_one_address<'a>(
    newcomer: &str,
    room: &'a RoomData,
    limits: &WebchatLimits,
    connections: &Connections<'_>,
) -> HashSet<&'a str> {
    let mut members: HashMap<ClientAddress, HashSet<&str>> = HashMap::new();
    for person in &room.room.people {
        if let Some(address) = (connections.address_of)(person) {
            members.entry(address).or_default().insert(person);
        }
    }
    let own = (connections.address_of)(newcomer);
    let most = members.into_iter().max_by_key(|(_, people)| people.len());
    let most = most.filter(|(address, people)| {
        people.len() > limits.people_in_room / ADDRESS_SHARE && own.as_ref() != Some(address)
    });
    most.map(|(_, people)| people).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::WebchatButton;
    use crate::refusal::WebchatRefusal;
    use caravanserai_games::ids::PersonId;
    use caravanserai_games::text::RichText;
    use caravanserai_games::time_units::{HOUR_MS, MINUTE_MS};
    use caravanserai_protocol::{BoardSummary, PhaseName};

    fn member(id: &str, seen_ms: u64) -> WebchatMember {
        let id = id.to_owned();
        let name = "Ann".to_owned();
        let secret = format!("secret of {id}");
        WebchatMember { id, name, secret, seen_ms, ..WebchatMember::default() }
    }

    /// The board of a game in play.
    fn open_board() -> WebchatMessage {
        let button = WebchatButton {
            label: "3".into(),
            callback_data: "3".into(),
            tone: caravanserai_protocol::ButtonTone::default(),
        };
        let board = Some(BoardSummary { phase: PhaseName::Playing, ..BoardSummary::default() });
        WebchatMessage { board, buttons: vec![vec![button]], ..WebchatMessage::default() }
    }

    #[test]
    fn people_who_never_played_make_room_and_leave_nothing_behind() {
        let limits = WebchatLimits { people: 2, ..WebchatLimits::default() };
        let idle_ms = limits.visitor_absence_ms;
        let mut state = WebchatState::default();
        let nobody = |_: &str| false;
        state.add_person(member("a", 0), &limits, &nobody).unwrap();
        state.add_person(member("b", 1), &limits, &nobody).unwrap();
        state.join("a", "@a", None, 0, &limits).unwrap();
        state.join("a", "lobby", None, 0, &limits).unwrap();
        state.note_played("a");
        let full = Err(WebchatRefusal::Full("people"));
        assert_eq!(state.add_person(member("c", idle_ms), &limits, &nobody), full);
        assert_eq!(state.add_person(member("c", idle_ms + 2), &limits, &|it| it == "b"), full);
        state.add_person(member("c", idle_ms + 2), &limits, &nobody).unwrap();
        assert!(state.people.contains_key("a") && !state.people.contains_key("b"));
        // A program that signs up people and lets them talk does not fill the page for good.
        state.note_took_part("c");
        let talked_ms = idle_ms + 2 + IDLE_TALKER_MS;
        assert_eq!(state.add_person(member("e", talked_ms), &limits, &nobody), full);
        state.add_person(member("e", talked_ms + 1), &limits, &nobody).unwrap();
        assert!(state.people.contains_key("a") && !state.people.contains_key("c"));
        state.note_played("e");
        // People who played stay as long as is promised to them.
        let last_ms = limits.person_days * DAY_MS;
        assert_eq!(state.add_person(member("d", last_ms), &limits, &nobody), full);
        state.remove_expired(last_ms + 1, &limits);
        state.add_person(member("d", last_ms + 1), &limits, &nobody).unwrap();
        assert_eq!(state.person_of("secret of a"), None);
        assert!(!state.rooms.contains_key("@a"));
        state.join("d", "lobby", None, 0, &limits).unwrap();
        assert_eq!(state.rooms.get("lobby").unwrap().room.admin(), Some("d"));
    }

    #[test]
    fn a_player_on_a_board_has_taken_part() {
        let limits = WebchatLimits { people: 1, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        let nobody = |_: &str| false;
        state.add_person(member("a", 0), &limits, &nobody).unwrap();
        state.join("a", "lobby", None, 0, &limits).unwrap();
        let id = state.post("lobby", open_board(), &limits).unwrap();
        assert!(!state.people.get("a").unwrap().took_part);
        let players = vec![PersonId("web:a".into())];
        let summary = BoardSummary { players, ..BoardSummary::default() };
        state.update_shown("lobby", id, WebchatMessage { board: Some(summary), ..open_board() });
        let full = Err(WebchatRefusal::Full("people"));
        assert_eq!(state.add_person(member("b", DAY_MS), &limits, &nobody), full);
    }

    /// The other process does not see the stream of the visitor, who is seen once an hour.
    #[test]
    fn a_visitor_who_is_online_at_another_process_keeps_the_place() {
        let limits = WebchatLimits { people: 2, people_in_room: 2, ..WebchatLimits::default() };
        let limits = limits.for_shared_store();
        let mut state = WebchatState::default();
        for id in ["admin", "visitor"] {
            state.add_person(member(id, 0), &limits, &|_| false).unwrap();
            state.note_seen(id, HOUR_MS);
        }
        state.note_played("admin");
        for id in ["admin", "visitor"] {
            state.join(id, "lobby", None, 0, &limits).unwrap();
        }
        let nobody = Connections { is_online: &|_| false, address_of: &|_| None };
        let seen_ms = 2 * HOUR_MS + 10 * MINUTE_MS;
        state.make_room_for("new", "lobby", seen_ms, &limits, &nobody);
        assert!(state.room_of("visitor", "lobby").is_ok());
        let full = Err(WebchatRefusal::Full("people"));
        assert_eq!(state.add_person(member("new", seen_ms), &limits, &|_| false), full);
        let later_ms = 3 * HOUR_MS + 1;
        state.make_room_for("new", "lobby", later_ms, &limits, &nobody);
        assert!(state.room_of("visitor", "lobby").is_err(), "nobody has seen them");
        state.add_person(member("new", later_ms), &limits, &|_| false).unwrap();
    }

    #[test]
    fn an_empty_room_makes_room_for_a_new_one() {
        let limits = WebchatLimits { rooms: 1, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        state.join("a", "one", None, 0, &limits).unwrap();
        let full = state.join("a", "two", None, 1, &limits).err();
        assert_eq!(full, Some(WebchatRefusal::Full("rooms")));
        state.leave("a", "one", 1).unwrap();
        state.join("a", "two", None, 2, &limits).unwrap();
        assert!(!state.rooms.contains_key("one"));
        assert_eq!(state.people.get("a").unwrap().rooms, ["two"]);
    }

    #[test]
    fn a_full_room_lets_its_longest_absent_member_go() {
        let limits = WebchatLimits { people_in_room: 4, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        let ids = ["admin", "player", "visitor", "member", "new", "newer", "newest"];
        for (n, id) in ids.into_iter().enumerate() {
            let seen_ms = n as u64 * MINUTE_MS;
            let person = WebchatMember { name: id.to_owned(), ..member(id, seen_ms) };
            state.add_person(person, &limits, &|_| false).unwrap();
            if n < 4 {
                state.join(id, "lobby", None, 0, &limits).unwrap();
            }
        }
        state.note_took_part("member");
        let players = vec![PersonId("web:player".into())];
        let board = BoardSummary { phase: PhaseName::Playing, players, ..BoardSummary::default() };
        state.post("lobby", WebchatMessage { board: Some(board), ..open_board() }, &limits);
        let enter = |state: &mut WebchatState, who: &str, now_ms: u64, here: &str| {
            let connections = Connections { is_online: &|it| it == here, address_of: &|_| None };
            state.make_room_for(who, "lobby", now_ms, &limits, &connections);
            state.join(who, "lobby", None, now_ms, &limits).map(drop)
        };
        let full = Err(WebchatRefusal::Full("people in this room"));
        assert_eq!(
            enter(&mut state, "new", limits.visitor_absence_ms, ""),
            full,
            "nobody is absent"
        );
        assert_eq!(enter(&mut state, "new", DAY_MS, "visitor"), full, "the visitor is online");
        assert_eq!(enter(&mut state, "new", DAY_MS, ""), Ok(()));
        let left = r#"Left { who: "visitor" }"#;
        let mut pending = state.pending.values();
        assert!(pending.any(|it| it.person == "visitor" && format!("{:?}", it.act) == left));
        let people = |state: &WebchatState| state.rooms.get("lobby").unwrap().room.people.clone();
        assert_eq!(people(&state), ["admin", "player", "member", "new"]);
        assert_eq!(enter(&mut state, "newer", DAY_MS, "new"), full, "the member was there today");
        assert_eq!(enter(&mut state, "newer", 2 * DAY_MS, "new"), Ok(()));
        assert_eq!(people(&state), ["admin", "player", "new", "newer"]);
        state.set_invite("admin", "lobby", Some("code".to_owned())).unwrap();
        let nobody = Connections { is_online: &|_| false, address_of: &|_| None };
        state.make_room_for("newest", "lobby", 2 * DAY_MS, &limits, &nobody);
        assert_eq!(people(&state).len(), 4, "they could not come back");
    }

    #[test]
    fn people_at_one_address_do_not_keep_a_full_room_for_themselves() {
        let limits = WebchatLimits { people_in_room: 6, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        let ids = ["admin", "loner", "eve1", "eve2", "eve3", "eve4", "eve5", "new", "next"];
        for id in ids {
            let person = WebchatMember { name: id.to_owned(), ..member(id, 0) };
            state.add_person(person, &limits, &|_| false).unwrap();
        }
        for id in ids.into_iter().take(6) {
            state.join(id, "lobby", None, 0, &limits).unwrap();
        }
        state.note_played("eve4");
        state.note_took_part("eve3");
        let address_of = |it: &str| {
            let own = if it.starts_with("eve") { "eve" } else { it };
            Some(ClientAddress(own.to_owned()))
        };
        let connections = Connections { is_online: &|_| true, address_of: &address_of };
        let enter = |state: &mut WebchatState, who: &str| {
            state.make_room_for(who, "lobby", 0, &limits, &connections);
            state.join(who, "lobby", None, 0, &limits).map(drop)
        };
        let full = Err(WebchatRefusal::Full("people in this room"));
        assert_eq!(enter(&mut state, "eve5"), full, "an address does not make room for itself");
        assert_eq!(enter(&mut state, "new"), Ok(()));
        let people = |state: &WebchatState| state.rooms.get("lobby").unwrap().room.people.clone();
        assert_eq!(people(&state), ["admin", "loner", "eve1", "eve3", "eve4", "new"]);
        assert_eq!(enter(&mut state, "next"), Ok(()));
        state.leave("next", "lobby", 0).unwrap();
        state.join("eve5", "lobby", None, 0, &limits).unwrap();
        state.note_played("eve5");
        assert_eq!(enter(&mut state, "next"), Ok(()), "the one who only talked leaves");
        assert_eq!(people(&state), ["admin", "loner", "eve4", "new", "eve5", "next"]);
        state.leave("new", "lobby", 0).unwrap();
        state.join("eve1", "lobby", None, 0, &limits).unwrap();
        state.note_played("eve1");
        assert_eq!(enter(&mut state, "new"), full, "players stay");
    }

    #[test]
    fn rooms_without_content_make_room_before_quiet_ones() {
        let limits = WebchatLimits { rooms: 2, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        state.join("a", "quiet", None, 0, &limits).unwrap();
        let text = RichText::plain("hello");
        let hello = WebchatMessage { author: Some("a".into()), text, ..WebchatMessage::default() };
        state.post("quiet", hello, &limits);
        let now_ms = 2 * STALE_ROOM_MS;
        state.join("a", "unused", None, now_ms, &limits).unwrap();
        // The greeting of the bot.
        state.post("unused", WebchatMessage::default(), &limits);
        state.join("a", "next", None, now_ms + UNUSED_ROOM_MS + 1, &limits).unwrap();
        let rooms: Vec<&str> = state.rooms.keys().map(String::as_str).collect();
        assert_eq!(rooms, ["next", "quiet"]);
    }

    /// A slow game is played on one message.
    #[test]
    fn a_room_where_people_play_does_not_make_room_for_a_new_one() {
        let limits = WebchatLimits { rooms: 1, ..WebchatLimits::default() };
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        state.join("a", "one", None, 0, &limits).unwrap();
        let days = |days: u64| days * DAY_MS;
        for day in [3, 25, 40] {
            assert!(state.is_activity_due("one", days(day)));
            state.note_activity("one", days(day));
            assert!(!state.is_activity_due("one", days(day) + 1));
        }
        let full = Some(WebchatRefusal::Full("rooms"));
        assert_eq!(state.join("a", "two", None, days(60), &limits).err(), full);
        // A stored room is read with its activity.
        let rows = state.take_row_changes();
        let mut read = WebchatState::default();
        rows.iter().for_each(|(key, value)| read.apply_row(key, value.as_deref()));
        assert_eq!(read.rooms.get("one").unwrap().active_ms, days(40));
        // An open table keeps the room also in a month without a move.
        let board = open_board();
        let id = state.post("one", board.clone(), &limits).unwrap();
        assert_eq!(state.join("a", "two", None, days(80), &limits).err(), full);
        let mut forgotten = state.clone();
        assert!(forgotten.join("a", "two", None, days(131), &limits).is_ok());
        let summary = BoardSummary { phase: PhaseName::Over, ..BoardSummary::default() };
        state.update_shown("one", id, WebchatMessage { board: Some(summary), ..board });
        state.join("a", "two", None, days(80), &limits).unwrap();
        assert!(!state.rooms.contains_key("one"));
    }

    #[test]
    fn each_room_with_a_name_is_another_chat() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        let old = br#"{"name":"lobby","people":[],"bot":true,"epoch":1,"changed":1,"opened_ms":0}"#;
        state.apply_row("r/lobby", Some(old));
        let id = |state: &WebchatState| state.rooms.get("lobby").unwrap().room.chat_id();
        let first = id(&state);
        assert_eq!(first.0, "web:lobby", "a room of an earlier version keeps its id");
        state.join("a", "lobby", None, 0, &limits).unwrap();
        assert_eq!(id(&state), first);
        let mut all = vec![first];
        for _ in 0..3 {
            assert!(state.close_room("lobby", 7));
            // Even in the same millisecond, and after only one change.
            assert!(state.join("a", "lobby", None, 0, &limits).unwrap().is_some());
            let next = id(&state);
            assert!(state.room_at(&next).is_some());
            assert!(all.iter().all(|it| *it != next && state.room_at(it).is_none()), "{all:?}");
            all.push(next);
        }
        // A stored room is read with the same id.
        let rows = state.take_row_changes();
        let mut read = WebchatState::default();
        rows.iter().for_each(|(key, value)| read.apply_row(key, value.as_deref()));
        assert_eq!(Some(&id(&read)), all.last());
    }

    #[test]
    fn of_a_deleted_room_only_its_end_is_told_to_the_bot() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        for room in ["lobby", "other"] {
            state.join("a", room, None, 0, &limits).unwrap();
        }
        assert_eq!(state.pending.size(), 2);
        assert!(state.close_room("lobby", 7));
        let pending = state.pending.values();
        let mut acts: Vec<(&str, String)> =
            pending.map(|it| (it.room.as_str(), format!("{:?}", it.act))).collect();
        acts.sort();
        assert_eq!(acts, [("lobby", "Closed".to_owned()), ("other", "Added".to_owned())]);
    }

    /// Nobody who is not in it could come in without its code.
    #[test]
    fn a_room_for_invited_people_is_deleted_with_its_last_member() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        state.join("a", "lobby", None, 0, &limits).unwrap();
        state.set_invite("a", "lobby", Some("code".to_owned())).unwrap();
        state.leave("a", "lobby", 1).unwrap();
        assert!(!state.rooms.contains_key("lobby"));
        assert!(state.join("a", "lobby", None, 2, &limits).is_ok(), "the name is free");
    }

    /// A player who closes the room, removes the other one and leaves has not undone the game.
    #[test]
    fn a_game_does_not_end_because_the_last_member_of_its_room_leaves() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        for id in ["a", "b"] {
            state.add_person(member(id, 0), &limits, &|_| false).unwrap();
            state.join(id, "tea", None, 0, &limits).unwrap();
        }
        let board = open_board();
        let id = state.post("tea", board.clone(), &limits).unwrap();
        state.set_invite("a", "tea", Some("code".to_owned())).unwrap();
        state.moderate("a", "tea", "b", crate::state::ModerationAction::Remove).unwrap();
        state.leave("a", "tea", 1).unwrap();
        assert!(state.pending_departure("a", "tea", "a", 1).is_some(), "the bot hears of it");
        state.remove_expired(2, &limits);
        assert!(state.rooms.contains_key("tea"));
        state.update_shown("tea", id, WebchatMessage { board: None, ..board });
        state.remove_expired(3, &limits);
        assert!(!state.rooms.contains_key("tea"), "the room goes after its game");
    }

    #[test]
    fn the_bot_hears_of_people_who_are_deleted() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        let nobody = |_: &str| false;
        for (id, room) in [("a", "lobby"), ("b", "lobby"), ("c", "lobby"), ("c", "@c")] {
            if !state.people.contains_key(id) {
                state.add_person(member(id, 0), &limits, &nobody).unwrap();
            }
            state.join(id, room, None, 0, &limits).unwrap();
        }
        let ids: Vec<String> = state.pending.keys().cloned().collect();
        ids.iter().for_each(|it| state.remove_pending(it));
        assert!(state.forget_person("b", "", 1) && state.forget_person("c", "c", 2));
        let pending = state.pending.values();
        let mut acts: Vec<(&str, &str, String)> = pending
            .map(|it| (it.person.as_str(), it.room.as_str(), format!("{:?}", it.act)))
            .collect();
        acts.sort();
        let left = |who: &str| format!("Left {{ who: {who:?} }}");
        let closed = || "Closed".to_owned();
        let wanted = [
            ("", "lobby", left("b")),
            ("b", "@b", closed()),
            ("c", "@c", closed()),
            ("c", "lobby", left("c")),
        ];
        assert_eq!(acts, wanted, "their private chats are closed, also one never opened");
    }

    #[test]
    fn old_messages_are_removed_and_their_numbers_are_never_reused() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        state.join("a", "lobby", None, 0, &limits).unwrap();
        let author = Some("a".to_owned());
        let text = RichText::plain("hello");
        let hello = WebchatMessage { author, text, ..WebchatMessage::default() };
        for _ in 0..3 {
            state.post("lobby", hello.clone(), &limits);
        }
        let days = |days: u64| days * DAY_MS;
        state.remove_expired(days(limits.message_days) + 1, &limits);
        let left = WebchatMessage { id: 3, gone: true, ..WebchatMessage::default() };
        let kept = |state: &WebchatState| -> Vec<WebchatMessage> {
            let messages = state.rooms.get("lobby").unwrap().messages();
            messages.map(|it| WebchatMessage { changed: 0, ..it.clone() }).collect()
        };
        assert_eq!(kept(&state), [left], "of the last one its number");
        state.take_row_changes();
        state.remove_expired(days(limits.message_days) + 2, &limits);
        assert!(state.take_row_changes().is_empty(), "nothing is left to remove");
        assert_eq!(state.post("lobby", hello, &limits), Some(4));
        state.remove("lobby", 4);
        state.remove_expired(days(limits.message_days) + 3, &limits);
        assert_eq!(kept(&state).len(), 1);
        assert_eq!(kept(&state)[0].author, None, "nor does a deleted one keep its author");
        state.remove_expired(days(limits.person_days) + 1, &limits);
        assert!(state.people.is_empty());
    }

    #[test]
    fn the_board_of_an_open_table_stays_while_people_play_in_its_room() {
        let limits = WebchatLimits::default();
        let mut state = WebchatState::default();
        state.add_person(member("a", 0), &limits, &|_| false).unwrap();
        state.join("a", "lobby", None, 0, &limits).unwrap();
        let id = state.post("lobby", open_board(), &limits).unwrap();
        let days = |days: u64| days * DAY_MS;
        state.note_activity("lobby", days(60));
        let is_gone = |state: &WebchatState| {
            state.rooms.get("lobby").unwrap().message(id).is_none_or(|it| it.gone)
        };
        state.remove_expired(days(120), &limits);
        assert!(!is_gone(&state));
        state.remove_expired(days(151), &limits);
        assert!(is_gone(&state), "nobody has played for 90 days");
    }
}
