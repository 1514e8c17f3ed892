//! Changes people and rooms: joining, leaving, names, and the rights of members.

use super::{RoomData, WebchatState};
use crate::{
    auth::is_local_address,
    display_names,
    model::{
        PendingBan, PendingBotAction, PendingBotUpdate, WebchatLimits, WebchatMember, WebchatRoom,
    },
    refusal::WebchatRefusal,
};
use caravanserai_games::time_units::HOUR_MS;
use serde::Deserialize;

/// The most people that a room mutes or bans; above this, the longest entries are lifted.
const BANNED_PER_ROOM_MAX: usize = 200;

/// An action of a room's admin on a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ModerationAction {
    /// The person may not write.
    Mute,
    /// The person may write again.
    Unmute,
    /// The person is removed and may not come back.
    Remove,
    /// The person may come back.
    Allow,
}

impl WebchatState {
    /// Adds a person and returns their id. A person with the same token is the same person, who
    /// gets this name: their client repeats a request whose answer was lost.
    pub fn add_person(
        &mut self,
        member: WebchatMember,
        limits: &WebchatLimits,
        here: &dyn Fn(&str) -> bool,
    ) -> Result<String, WebchatRefusal> {
        if let Some(known) = self.person_of(&member.secret).map(str::to_owned) {
            self.rename(&known, Some(member.name), member.locale)?;
            return Ok(known);
        }
        let is_full = self.people.size() >= limits.people;
        if is_full && !self.forget_idle_person(member.seen_ms, limits, here) {
            return Err(WebchatRefusal::Full("people"));
        }
        let id = member.id.clone();
        self.tokens.insert_mut(member.secret.clone(), id.clone());
        self.save_person(member);
        Ok(id)
    }

    /// Changes a person's name or locale; the streams of their rooms get the change.
    pub fn rename(
        &mut self,
        person: &str,
        name: Option<String>,
        locale: Option<String>,
    ) -> Result<(), WebchatRefusal> {
        let mut member = self.member(person)?;
        if let Some(name) = &name {
            for room in member.rooms.iter().filter(|it| !it.starts_with('@')) {
                self.check_name_lookalike(person, name, room)?;
            }
        }
        member.locale = locale.or(member.locale);
        let renamed = name.is_some();
        member.name = name.unwrap_or(member.name);
        for room in if renamed { member.rooms.clone() } else { Vec::new() } {
            if let Some(room) = self.room(&room) {
                self.save_room(room);
            }
        }
        self.save_person(member);
        Ok(())
    }

    /// Gives a person another token hash; the old token is invalid from then on. Repeating it
    /// changes nothing. The token of another person is refused.
    pub fn change_secret(&mut self, person: &str, secret: String) -> Result<(), WebchatRefusal> {
        let mut member = self.member(person)?;
        match self.person_of(&secret) {
            Some(owner) if owner == person => return Ok(()),
            Some(_) => return Err(WebchatRefusal::BadRequest("choose another token")),
            None => {}
        }
        self.tokens.remove_mut(&member.secret);
        self.tokens.insert_mut(secret.clone(), member.id.clone());
        member.secret = secret;
        self.save_person(member);
        Ok(())
    }

    /// Whether the person's presence was not recorded within this hour.
    pub fn is_sighting_due(&self, person: &str, now_ms: u64) -> bool {
        self.people.get(person).is_some_and(|it| now_ms / HOUR_MS > it.seen_ms / HOUR_MS)
    }

    /// Records the presence of a person, at most once an hour.
    pub fn note_seen(&mut self, person: &str, now_ms: u64) {
        if !self.is_sighting_due(person, now_ms) {
            return;
        }
        let Ok(mut member) = self.member(person) else { return };
        member.seen_ms = now_ms;
        self.save_person_silently(member);
    }

    /// Records, once, that a person has taken part.
    pub fn note_took_part(&mut self, person: &str) {
        let Ok(mut member) = self.member(person) else { return };
        if !member.took_part {
            (member.took_part, member.has_only_talked) = (true, true);
            self.save_person_silently(member);
        }
    }

    /// Records, once, that a person has a seat at a table.
    pub(super) fn note_played(&mut self, person: &str) {
        let Ok(mut member) = self.member(person) else { return };
        if !member.took_part || member.has_only_talked {
            (member.took_part, member.has_only_talked) = (true, false);
            self.save_person_silently(member);
        }
    }

    /// Adds a person to a room, which is created if needed. Returns the update for the bot.
    pub fn join(
        &mut self,
        person: &str,
        room: &str,
        invite: Option<&str>,
        now_ms: u64,
        limits: &WebchatLimits,
    ) -> Result<Option<PendingBotUpdate>, WebchatRefusal> {
        let mut member = self.member(person)?;
        if self.rooms.get(room).is_some_and(|it| it.has_person(person)) {
            return Ok(None);
        }
        if member.rooms.len() >= limits.rooms_of_person {
            return Err(WebchatRefusal::TooManyOwnRooms);
        }
        let mut heard = None;
        let mut changed = match self.room(room) {
            Some(found) => found,
            None => {
                let full = !room.starts_with('@') && self.public_rooms() >= limits.rooms;
                if full && !self.forget_stale_room(now_ms) {
                    return Err(WebchatRefusal::Full("rooms"));
                }
                let mut new = WebchatRoom {
                    name: room.to_owned(),
                    bot: true,
                    epoch: 1,
                    opened_ms: now_ms,
                    ..WebchatRoom::default()
                };
                if !new.is_private() {
                    // Saving the room takes this number, so no later room gets it.
                    new.generation = self.seq + 1;
                }
                heard = Some(self.membership_update(person, &new, now_ms));
                new
            }
        };
        if changed.removed.iter().any(|it| it == person) {
            return Err(WebchatRefusal::Removed);
        }
        if changed.invite.as_deref().is_some_and(|wanted| invite != Some(wanted)) {
            return Err(WebchatRefusal::ByInvitation);
        }
        if changed.people.len() >= limits.people_in_room {
            return Err(WebchatRefusal::Full("people in this room"));
        }
        self.check_name_lookalike(person, &member.name, room)?;
        changed.people.push(person.to_owned());
        self.save_room(changed);
        member.rooms.push(room.to_owned());
        self.save_person(member);
        Ok(heard.or_else(|| {
            self.pending_membership(person, room, person, PendingBotAction::Came, now_ms)
        }))
    }

    /// Removes a person from a room. Their private chat stays. A room for invited people is deleted
    /// when the last one has left and no table is open: nobody could come in any more. A game goes
    /// on without the room, so that leaving it ends no game without a result.
    pub fn leave(&mut self, person: &str, room: &str, now_ms: u64) -> Result<(), WebchatRefusal> {
        self.remove_member(person, room)?;
        if self.rooms.get(room).is_some_and(RoomData::is_abandoned) {
            self.drop_room(room, now_ms);
        }
        Ok(())
    }

    fn remove_member(&mut self, person: &str, room: &str) -> Result<(), WebchatRefusal> {
        let mut changed = WebchatRoom::clone(&self.room_of(person, room)?.room);
        changed.people.retain(|it| it != person);
        self.save_room(changed);
        if let Ok(mut member) = self.member(person) {
            member.rooms.retain(|it| it != room);
            self.save_person(member);
        }
        self.drop_whispers(room, person);
        Ok(())
    }

    /// Removes the bot from a room, or adds it again.
    pub fn set_bot(
        &mut self,
        person: &str,
        room: &str,
        bot: bool,
        now_ms: u64,
    ) -> Result<Option<PendingBotUpdate>, WebchatRefusal> {
        let mut changed = self.room_of_admin(person, room)?;
        if changed.bot == bot {
            return Ok(None);
        }
        changed.bot = bot;
        changed.epoch += 1;
        let heard = self.membership_update(person, &changed, now_ms);
        self.save_room(changed);
        Ok(Some(heard))
    }

    /// Closes a room to people without this invitation code, or opens it to everybody.
    pub fn set_invite(
        &mut self,
        person: &str,
        room: &str,
        invite: Option<String>,
    ) -> Result<(), WebchatRefusal> {
        let mut changed = self.room_of_admin(person, room)?;
        changed.invite = invite;
        self.save_room(changed);
        Ok(())
    }

    /// Gives a closed room another invitation code: a removed person knows the old one, and could
    /// come back under another name.
    pub fn renew_invite(
        &mut self,
        admin: &str,
        room: &str,
        invite: String,
    ) -> Result<(), WebchatRefusal> {
        match self.room_of_admin(admin, room)?.invite {
            Some(_) => self.set_invite(admin, room, Some(invite)),
            None => Ok(()),
        }
    }

    /// Mutes or removes a person for a room's admin, or takes that back.
    pub fn moderate(
        &mut self,
        admin: &str,
        room: &str,
        person: &str,
        action: ModerationAction,
    ) -> Result<(), WebchatRefusal> {
        let mut changed = self.room_of_admin(admin, room)?;
        let there = changed.people.iter().any(|it| it == person);
        if person == admin || !(there || action == ModerationAction::Allow) {
            return Err(WebchatRefusal::NotFound("person here besides you"));
        }
        match action {
            ModerationAction::Mute => push_bounded(&mut changed.muted, person),
            ModerationAction::Unmute => changed.muted.retain(|it| it != person),
            ModerationAction::Remove => push_bounded(&mut changed.removed, person),
            ModerationAction::Allow => changed.removed.retain(|it| it != person),
        }
        self.save_room(changed);
        if action == ModerationAction::Remove {
            self.remove_member(person, room)?;
        }
        Ok(())
    }

    /// Checks whether this person may write in a room.
    pub fn may_write(&self, person: &str, room: &str) -> Result<(), WebchatRefusal> {
        let room_data = self.room_of(person, room)?;
        // A muted member may have become the admin, whom nobody could unmute.
        let is_admin = room_data.room.admin() == Some(person);
        let muted = !is_admin && room_data.room.muted.iter().any(|it| it == person);
        if muted { Err(WebchatRefusal::Muted) } else { Ok(()) }
    }

    /// Stores an update that the bot has to handle.
    pub fn add_pending(&mut self, pending: PendingBotUpdate) {
        self.put(format!("q/{}", pending.id), &pending);
        self.pending.insert_mut(pending.id.clone(), pending);
    }

    /// Removes an update that the bot has handled.
    pub fn remove_pending(&mut self, id: &str) {
        if self.pending.remove_mut(id) {
            self.drop_row(format!("q/{id}"));
        }
    }

    /// Bans an address until a time, or lifts the ban.
    pub fn ban(&mut self, address: &str, until_ms: Option<u64>) {
        let key = format!("b/{address}");
        match until_ms {
            Some(until_ms) => {
                self.bans.insert_mut(address.to_owned(), until_ms);
                self.put(key, &until_ms);
            }
            None => {
                self.bans.remove_mut(address);
                self.drop_row(key);
            }
        }
    }

    /// Adds a ban by person, which the process that knows their address applies.
    pub fn add_pending_ban(&mut self, person: &str, ban: PendingBan) {
        self.put(format!("w/{person}"), &ban);
        self.pending_bans.insert_mut(person.to_owned(), ban);
    }

    /// Applies the pending ban of a person to their address, except to that of this machine.
    pub fn apply_pending_ban(&mut self, person: &str, address: &str) {
        let Some(pending) = self.pending_bans.get(person).copied() else { return };
        if !is_local_address(address) {
            self.ban(address, Some(pending.until_ms));
        }
        self.drop_pending_ban(person);
    }

    pub(super) fn drop_pending_ban(&mut self, person: &str) {
        self.pending_bans.remove_mut(person);
        self.drop_row(format!("w/{person}"));
    }

    fn member(&self, person: &str) -> Result<WebchatMember, WebchatRefusal> {
        self.people
            .get(person)
            .map(|it| WebchatMember::clone(it))
            .ok_or(WebchatRefusal::UnknownToken)
    }

    fn room(&self, room: &str) -> Option<WebchatRoom> {
        self.rooms.get(room).map(|it| WebchatRoom::clone(&it.room))
    }

    fn room_of_admin(&self, person: &str, room: &str) -> Result<WebchatRoom, WebchatRefusal> {
        let room_data = self.room_of(person, room)?;
        let admin = room_data.room.admin() == Some(person);
        if admin { Ok(WebchatRoom::clone(&room_data.room)) } else { Err(WebchatRefusal::NotAdmin) }
    }

    /// Refuses a name that differs from another member's name but looks the same. Equal names are
    /// allowed: the page distinguishes people of one name.
    fn check_name_lookalike(
        &self,
        person: &str,
        name: &str,
        room: &str,
    ) -> Result<(), WebchatRefusal> {
        let Some(room_data) = self.rooms.get(room) else { return Ok(()) };
        let look = display_names::lookalike_form(name);
        let others = room_data.room.people.iter().filter(|it| *it != person);
        let mut others = others.filter_map(|it| self.people.get(it));
        match others.any(|it| it.name != name && display_names::lookalike_form(&it.name) == look) {
            true => Err(WebchatRefusal::LookalikeName),
            false => Ok(()),
        }
    }

    /// Saves a change of a person that is not visible to others.
    fn save_person_silently(&mut self, member: WebchatMember) {
        self.put(format!("p/{}", member.id), &member);
        self.people.insert_mut(member.id.clone(), std::sync::Arc::new(member));
    }

    /// Returns the update that tells the bot that a person is no longer in a room.
    pub fn pending_departure(
        &mut self,
        by: &str,
        room: &str,
        who: &str,
        now_ms: u64,
    ) -> Option<PendingBotUpdate> {
        let act = PendingBotAction::Left { who: who.to_owned() };
        self.pending_membership(by, room, who, act, now_ms)
    }

    /// Notes the update that tells the bot that a room was deleted, unless a private chat was.
    pub(super) fn note_closed(&mut self, room: &WebchatRoom, now_ms: u64) {
        if room.is_private() {
            return;
        }
        self.add_pending(PendingBotUpdate {
            id: format!("web/{}/closed/{}", room.name, room.generation),
            room: room.name.clone(),
            generation: room.generation,
            person: String::new(),
            act: PendingBotAction::Closed,
            since_ms: now_ms,
        });
    }

    /// Notes the update that tells the bot that a person and their private chat were deleted.
    pub(super) fn note_forgotten(&mut self, person: &str, now_ms: u64) {
        let room = format!("@{person}");
        self.add_pending(PendingBotUpdate {
            id: format!("web/{room}/closed/{}", self.seq),
            room,
            generation: 0,
            person: person.to_owned(),
            act: PendingBotAction::Closed,
            since_ms: now_ms,
        });
    }

    /// Returns the update about a person who joined or left, if the bot is in the room. The ids of
    /// all updates about one person in one room differ in their last number only, so that the bot
    /// knows which is newer.
    fn pending_membership(
        &mut self,
        by: &str,
        room: &str,
        who: &str,
        act: PendingBotAction,
        now_ms: u64,
    ) -> Option<PendingBotUpdate> {
        let room = &self.rooms.get(room).filter(|it| it.room.bot)?.room;
        let pending = PendingBotUpdate {
            id: format!("web/{}/{}/member/{who}/{}", room.name, room.generation, self.seq),
            room: room.name.clone(),
            generation: room.generation,
            person: by.to_owned(),
            act,
            since_ms: now_ms,
        };
        self.add_pending(pending.clone());
        Some(pending)
    }

    fn membership_update(
        &mut self,
        person: &str,
        room: &WebchatRoom,
        now_ms: u64,
    ) -> PendingBotUpdate {
        let pending = PendingBotUpdate {
            id: format!("web/{}/{}/bot/{}", room.name, room.opened_ms, room.epoch),
            room: room.name.clone(),
            generation: room.generation,
            person: person.to_owned(),
            act: if room.bot { PendingBotAction::Added } else { PendingBotAction::Removed },
            since_ms: now_ms,
        };
        self.add_pending(pending.clone());
        pending
    }
}

fn push_bounded(list: &mut Vec<String>, person: &str) {
    list.retain(|it| it != person);
    list.push(person.to_owned());
    if list.len() > BANNED_PER_ROOM_MAX {
        list.remove(0);
    }
}
