//! Keeps the chats of a table: its home, the attached chats, and the chats from which people acted.

use super::access_routes::AccessRoutes;
use super::event::{Event, TableSetup};
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};

/// A chat to which a table was attached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedChat {
    /// The id of the chat.
    pub chat: ChatId,
    /// Whether other people read the chat.
    pub kind: ChatKind,
    /// The person who attached it; for a private chat its single reader.
    pub attached_by: PersonId,
    /// Whether people in the chat only watch.
    pub is_watch_only: bool,
}

/// A chat of a table, the home or an attached one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// The id of the chat.
    pub chat: &'a ChatId,
    /// The single reader, if it is a private chat.
    pub reader: Option<&'a PersonId>,
    /// Whether people in the chat only watch.
    pub is_watch_only: bool,
}

impl AttachedChat {
    fn as_location(&self) -> Location<'_> {
        let reader = (self.kind == ChatKind::Private).then_some(&self.attached_by);
        Location { chat: &self.chat, reader, is_watch_only: self.is_watch_only }
    }
}

impl Location<'_> {
    /// Whether this person may read the messages in the chat.
    pub(super) fn is_read_by(&self, person: &PersonId) -> bool {
        self.reader.is_none_or(|it| it == person)
    }
}

/// The chats of a table.
#[derive(Clone, Debug)]
pub struct TableChats {
    /// The chat in which the table was opened, or the chat that replaced it.
    home: ChatId,
    /// The chat in which the table was opened, under its present id. The result of the game belongs
    /// to it, whatever chat shows the board in the end.
    origin: ChatId,
    /// The kind of the chat in which the table was opened.
    opened_in: ChatKind,
    /// Whether only one person reads that chat.
    is_origin_private: bool,
    /// The single reader of the home, if it is a private chat.
    home_reader: Option<PersonId>,
    /// The chats besides the home, in the order in which they were attached.
    pub attached: Vec<AttachedChat>,
    /// Whether everybody who knows the code may watch, if the players have set that.
    pub is_public: Option<bool>,
    /// The chats from which people last acted, where these differ from the chats in which the bot
    /// looks for them by default.
    last_chats: Vec<(PersonId, ChatId)>,
    /// The access routes of people to this table, see [`super::presence`].
    pub(super) routes: AccessRoutes,
}

impl TableChats {
    /// The chats of a table that has just opened.
    pub(super) fn of_new_table(setup: &TableSetup) -> Self {
        let is_private = setup.kind == ChatKind::Private;
        TableChats {
            home: setup.chat.clone(),
            origin: setup.chat.clone(),
            opened_in: setup.kind,
            is_origin_private: is_private,
            home_reader: is_private.then(|| setup.opener.clone()),
            attached: Vec::new(),
            is_public: None,
            last_chats: Vec::new(),
            routes: AccessRoutes::default(),
        }
    }

    /// The chat in which the table was opened, or the chat that replaced it.
    pub fn home(&self) -> &ChatId {
        &self.home
    }

    /// The group in which the table was opened; `None` if only one person reads that chat.
    pub(super) fn origin_group(&self) -> Option<&ChatId> {
        (!self.is_origin_private).then_some(&self.origin)
    }

    /// Whether the table was opened in a private chat.
    fn is_solo(&self) -> bool {
        self.opened_in == ChatKind::Private
    }

    /// All chats of the table, the home first.
    pub fn locations(&self) -> impl Iterator<Item = Location<'_>> {
        let reader = self.home_reader.as_ref();
        std::iter::once(Location { chat: &self.home, reader, is_watch_only: false })
            .chain(self.attached.iter().map(AttachedChat::as_location))
    }

    /// The ids of all chats, the home first.
    pub fn ids(&self) -> impl Iterator<Item = &ChatId> {
        self.locations().map(|it| it.chat)
    }

    /// Returns the location with this id, if the table has it.
    pub fn location_in(&self, chat: &ChatId) -> Option<Location<'_>> {
        self.locations().find(|it| it.chat == chat)
    }

    /// Whether the table is in this chat or one of its topics.
    pub fn is_in_chat(&self, chat: &str) -> bool {
        self.ids().any(|it| it.without_topic() == chat)
    }

    /// Whether the table was opened in a chat that others read, and is still there.
    pub fn is_in_group(&self) -> bool {
        self.home_reader.is_none() && self.opened_in == ChatKind::Group
    }

    /// The attached chat with this id.
    pub(super) fn attached_chat(&self, chat: &ChatId) -> Option<&AttachedChat> {
        self.attached.iter().find(|it| it.chat == *chat)
    }

    /// The chat from which a person last acted, if that is recorded and the table still has it.
    pub(super) fn last_chat_of(&self, person: &PersonId) -> Option<&ChatId> {
        let last = self.last_chats.iter().find(|(it, _)| it == person).map(|(_, chat)| chat);
        last.and_then(|it| self.location_in(it)).map(|it| it.chat)
    }

    /// The people who last acted from this chat.
    pub(super) fn people_last_in<'a>(
        &'a self,
        chat: &'a ChatId,
    ) -> impl Iterator<Item = &'a PersonId> + 'a {
        self.last_chats.iter().filter(move |(_, at)| at == chat).map(|(person, _)| person)
    }

    /// The people whom the chats name: who attached them, and the reader of the home.
    pub(super) fn named_people(&self) -> impl Iterator<Item = &PersonId> {
        self.attached.iter().map(|it| &it.attached_by).chain(&self.home_reader)
    }

    /// The events that attach another table to the chats of this one, with its people in their
    /// chats.
    pub fn attach_events(&self) -> Vec<Event> {
        let reader = self.home_reader.clone().filter(|_| !self.is_solo());
        let home = reader.map(|attached_by| AttachedChat {
            chat: self.home.clone(),
            kind: ChatKind::Private,
            attached_by,
            is_watch_only: false,
        });
        let attached = home.into_iter().chain(self.attached.iter().cloned()).map(Event::Attached);
        // Open routes besides the last chat are routes to the next table too.
        let routes = self.routes.open_routes().filter(|it| self.location_in(it.1).is_some());
        let came = routes.chain(self.last_chats.iter().map(|(it, chat)| (it, chat)));
        let came = came.map(|(person, chat)| (person.clone(), chat.clone()));
        let came = came.map(|(person, chat)| Event::PlayerChatChanged { person, chat });
        let public = self.is_public.map(|on| Event::PublicSet { on });
        attached.chain(came).chain(public).collect()
    }

    /// Whether an event about chats can be applied to this table.
    pub(super) fn can_apply(&self, event: &Event) -> bool {
        match event {
            Event::Attached(to) => {
                let is_new_reader = to.kind == ChatKind::Private && self.home_reader.is_none();
                !self.is_solo() && (to.chat != self.home || is_new_reader)
            }
            Event::Detached { chat } => {
                self.attached_chat(chat).is_some()
                    || (*chat == self.home && self.next_home().is_some())
            }
            Event::PublicSet { .. } => !self.is_solo(),
            Event::PlayerChatChanged { chat, .. } => self.location_in(chat).is_some(),
            Event::ChatMoved { from: Some(from), .. } => self.attached_chat(from).is_some(),
            _ => true,
        }
    }

    /// The attached chat that becomes home when the home is deleted: one from which people play,
    /// preferably one that several people read.
    fn next_home(&self) -> Option<usize> {
        let plays = |it: &AttachedChat| !it.is_watch_only;
        let together = |it: &AttachedChat| plays(it) && it.kind == ChatKind::Group;
        let shared = self.attached.iter().position(together);
        shared.or_else(|| self.attached.iter().position(plays))
    }

    /// Sets the single reader of the home.
    pub(super) fn set_home_reader(&mut self, person: &PersonId) {
        self.is_origin_private |= self.origin == self.home;
        self.home_reader = Some(person.clone());
    }

    /// Records the chat from which a person acts.
    pub(super) fn record_chat_of(&mut self, person: &PersonId, chat: &ChatId) {
        self.last_chats.retain(|(it, _)| it != person);
        self.last_chats.push((person.clone(), chat.clone()));
    }

    /// Changes the id of a chat: of an attached one, or without `from` of the home.
    pub(super) fn rename(&mut self, from: Option<&ChatId>, to: &ChatId) {
        let from = match from {
            Some(from) => {
                let moved = self.attached.iter_mut().find(|it| it.chat == *from);
                moved.into_iter().for_each(|it| it.chat.clone_from(to));
                from.clone()
            }
            None => std::mem::replace(&mut self.home, to.clone()),
        };
        if self.origin == from {
            self.origin.clone_from(to);
        }
        let here = self.last_chats.iter_mut().filter(|(_, it)| *it == from);
        here.for_each(|(_, it)| it.clone_from(to));
        self.routes.rename(&from, to);
    }

    /// Removes a chat. The chat of the home is taken by an attached chat.
    pub(super) fn remove(&mut self, chat_id: &ChatId) {
        if *chat_id == self.home
            && let Some(heir) = self.next_home()
        {
            let AttachedChat { chat, kind, attached_by, .. } = self.attached.remove(heir);
            self.home = chat;
            self.home_reader = (kind == ChatKind::Private).then_some(attached_by);
        } else {
            self.attached.retain(|it| it.chat != *chat_id);
        }
        self.last_chats.retain(|(_, it)| it != chat_id);
    }

    /// A table in a private chat has a new opener, who is its only reader.
    pub(super) fn pass_to_opener(&mut self, opener: &PersonId) {
        if self.is_solo() {
            self.set_home_reader(opener);
        }
    }

    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        self.routes.merge_account(account, person);
        if self.last_chats.iter().any(|(it, _)| it == account) {
            self.last_chats.retain(|(it, _)| it != person);
        }
        let attached = self.attached.iter_mut().map(|it| &mut it.attached_by);
        let all = attached.chain(&mut self.home_reader);
        let all = all.chain(self.last_chats.iter_mut().map(|(it, _)| it));
        all.filter(|it| **it == *account).for_each(|it| it.clone_from(person));
    }
}
