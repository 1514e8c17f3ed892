//! People and rooms: who comes, goes, is called what, and who may do what to whom.

use super::WebchatState;
use crate::{
    display_names,
    model::{PendingBotAction, PendingBotUpdate, WebchatLimits, WebchatMember, WebchatRoom},
    refusal::WebchatRefusal,
};

const HOUR_MS: u64 = 3_600_000;
/// How many people a room keeps out or silent at most; the longest so are let in again.
const BANNED_PER_ROOM_MAX: usize = 200;

/// What the admin of a room does about somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModerationAction {
    /// May not write.
    Mute,
    /// May write again.
    Unmute,
    /// Is taken out and may not come back.
    Remove,
    /// May come back.
    Allow,
}

impl WebchatState {
    /// Welcomes somebody.
    pub fn add_person(
        &mut self,
        member: WebchatMember,
        limits: &WebchatLimits,
        here: &dyn Fn(&str) -> bool,
    ) -> Result<(), WebchatRefusal> {
        if self.people.size() >= limits.people && !self.forget_idle_person(member.seen_ms, here) {
            return Err(WebchatRefusal::Full("people"));
        }
        self.tokens.insert_mut(member.secret.clone(), member.id.clone());
        self.save_person(member);
        Ok(())
    }

    /// Changes a person's name or locale; rooms tell their people.
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

    /// Gives a person another secret: whoever has the old one is out.
    pub fn change_secret(&mut self, person: &str, secret: String) -> Result<(), WebchatRefusal> {
        let mut member = self.member(person)?;
        self.tokens.remove_mut(&member.secret);
        self.tokens.insert_mut(secret.clone(), member.id.clone());
        member.secret = secret;
        self.save_person(member);
        Ok(())
    }

    /// Whether it was not noted within the hour that somebody is here.
    pub fn is_sighting_due(&self, person: &str, now_ms: u64) -> bool {
        self.people.get(person).is_some_and(|it| now_ms / HOUR_MS > it.seen_ms / HOUR_MS)
    }

    /// Notes that somebody is here, at most once an hour.
    pub fn note_seen(&mut self, person: &str, now_ms: u64) {
        if !self.is_sighting_due(person, now_ms) {
            return;
        }
        let Ok(mut member) = self.member(person) else { return };
        member.seen_ms = now_ms;
        self.save_person_silently(member);
    }

    /// Notes that somebody has taken part, once.
    pub fn note_took_part(&mut self, person: &str) {
        let Ok(mut member) = self.member(person) else { return };
        if !member.took_part {
            member.took_part = true;
            self.save_person_silently(member);
        }
    }

    /// Brings somebody into a room, which is opened if need be. Tells what the bot is to hear.
    pub fn join(
        &mut self,
        person: &str,
        room: &str,
        invite: Option<&str>,
        now_ms: u64,
        limits: &WebchatLimits,
    ) -> Result<Option<PendingBotUpdate>, WebchatRefusal> {
        let mut member = self.member(person)?;
        if self.places.get(room).is_some_and(|it| it.has_person(person)) {
            return Ok(None);
        }
        if member.rooms.len() >= limits.rooms_of_person {
            return Err(WebchatRefusal::Full("rooms of yours; leave one first"));
        }
        let mut heard = None;
        let mut changed = match self.room(room) {
            Some(found) => found,
            None => {
                let full = !room.starts_with('@') && self.public_rooms() >= limits.rooms;
                if full && !self.forget_stale_room(now_ms) {
                    return Err(WebchatRefusal::Full("rooms"));
                }
                let new = WebchatRoom {
                    name: room.to_owned(),
                    bot: true,
                    epoch: 1,
                    opened_ms: now_ms,
                    ..WebchatRoom::default()
                };
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
            self.pending_membership(person, room, ("came", person), PendingBotAction::Came, now_ms)
        }))
    }

    /// Takes somebody out of a room. Their private chat stays.
    pub fn leave(&mut self, person: &str, room: &str) -> Result<(), WebchatRefusal> {
        let mut changed = WebchatRoom::clone(&self.room_of(person, room)?.room);
        changed.people.retain(|it| it != person);
        self.save_room(changed);
        if let Ok(mut member) = self.member(person) {
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

    /// Closes a room to all who do not have these words, or opens it to everybody.
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

    /// The admin of a room keeps somebody silent or out, or no longer.
    pub fn moderate(
        &mut self,
        admin: &str,
        room: &str,
        person: &str,
        how: ModerationAction,
    ) -> Result<(), WebchatRefusal> {
        let mut changed = self.room_of_admin(admin, room)?;
        let there = changed.people.iter().any(|it| it == person);
        if person == admin || !(there || how == ModerationAction::Allow) {
            return Err(WebchatRefusal::NotFound("person here besides you"));
        }
        match how {
            ModerationAction::Mute => push_bounded(&mut changed.muted, person),
            ModerationAction::Unmute => changed.muted.retain(|it| it != person),
            ModerationAction::Remove => push_bounded(&mut changed.removed, person),
            ModerationAction::Allow => changed.removed.retain(|it| it != person),
        }
        self.save_room(changed);
        if how == ModerationAction::Remove {
            self.leave(person, room)?;
        }
        Ok(())
    }

    /// Whether this person may write in a room.
    pub fn may_write(&self, person: &str, room: &str) -> Result<(), WebchatRefusal> {
        let place = self.room_of(person, room)?;
        let muted = place.room.muted.iter().any(|it| it == person);
        if muted { Err(WebchatRefusal::Muted) } else { Ok(()) }
    }

    /// Remembers that the bot is to hear this.
    pub fn add_pending(&mut self, pending: PendingBotUpdate) {
        self.put(format!("q/{}", pending.id), &pending);
        self.pending.insert_mut(pending.id.clone(), pending);
    }

    /// The bot has heard it.
    pub fn remove_pending(&mut self, id: &str) {
        if self.pending.remove_mut(id) {
            self.drop_row(format!("q/{id}"));
        }
    }

    /// Keeps an address out until a time, or lets it in again.
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

    fn member(&self, person: &str) -> Result<WebchatMember, WebchatRefusal> {
        self.people
            .get(person)
            .map(|it| WebchatMember::clone(it))
            .ok_or(WebchatRefusal::UnknownToken)
    }

    fn room(&self, room: &str) -> Option<WebchatRoom> {
        self.places.get(room).map(|it| WebchatRoom::clone(&it.room))
    }

    fn room_of_admin(&self, person: &str, room: &str) -> Result<WebchatRoom, WebchatRefusal> {
        let place = self.room_of(person, room)?;
        let admin = place.room.admin() == Some(person);
        if admin { Ok(WebchatRoom::clone(&place.room)) } else { Err(WebchatRefusal::NotAdmin) }
    }

    /// Refuses a name that looks like that of somebody else in the room and is another. Equal
    /// names may be: the page tells people of one name apart.
    fn check_name_lookalike(
        &self,
        person: &str,
        name: &str,
        room: &str,
    ) -> Result<(), WebchatRefusal> {
        let Some(place) = self.places.get(room) else { return Ok(()) };
        let look = display_names::lookalike_form(name);
        let others = place.room.people.iter().filter(|it| *it != person);
        let mut others = others.filter_map(|it| self.people.get(it));
        match others.any(|it| it.name != name && display_names::lookalike_form(&it.name) == look) {
            true => Err(WebchatRefusal::LookalikeName),
            false => Ok(()),
        }
    }

    /// Changes what nobody else is told.
    fn save_person_silently(&mut self, member: WebchatMember) {
        self.put(format!("p/{}", member.id), &member);
        self.people.insert_mut(member.id.clone(), std::sync::Arc::new(member));
    }

    /// The bot hears that somebody is not in a room any more.
    pub fn pending_departure(
        &mut self,
        by: &str,
        room: &str,
        who: &str,
        now_ms: u64,
    ) -> Option<PendingBotUpdate> {
        self.pending_membership(
            by,
            room,
            ("left", who),
            PendingBotAction::Left { who: who.to_owned() },
            now_ms,
        )
    }

    /// The bot hears who is in a room now or is not any more, if it is there.
    fn pending_membership(
        &mut self,
        by: &str,
        room: &str,
        (how, who): (&str, &str),
        act: PendingBotAction,
        now_ms: u64,
    ) -> Option<PendingBotUpdate> {
        self.places.get(room).filter(|it| it.room.bot)?;
        let id = format!("web/{room}/{how}/{who}/{now_ms}");
        let (room, person) = (room.to_owned(), by.to_owned());
        let pending = PendingBotUpdate { id, room, person, act, since_ms: now_ms };
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
            id: format!("web/{}/bot/{}/{}", room.name, room.epoch, room.opened_ms),
            room: room.name.clone(),
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
