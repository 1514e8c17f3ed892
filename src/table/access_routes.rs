//! Keeps the access routes of people to a table, as far as its log records them; see
//! [`presence`](super::presence).

use caravanserai_games::ids::{ChatId, PersonId};

/// The access routes of people to a table.
#[derive(Clone, Debug, Default)]
pub(super) struct AccessRoutes {
    /// Chats in which people took a seat or acted, for people who did so outside their usual chat,
    /// and for those whose usual chat the table has left. A chat that is no longer of the table
    /// stays here: nobody is taken to read another chat instead.
    known: Vec<(PersonId, ChatId)>,
    /// The scopes that are closed to people: a chat, or everything on a platform.
    closed: Vec<(PersonId, String)>,
}

/// Whether a chat is in this scope: a chat or a platform.
pub(super) fn is_in_scope(chat: &ChatId, scope: &str) -> bool {
    chat.without_topic() == scope || chat.platform() == scope
}

impl AccessRoutes {
    /// The recorded chats of all people, without those that are closed to them.
    pub(super) fn open_routes(&self) -> impl Iterator<Item = (&PersonId, &ChatId)> {
        let all = self.known.iter().map(|(person, chat)| (person, chat));
        all.filter(|(person, chat)| !self.is_closed(person, chat))
    }

    /// Records that a person was in a chat.
    pub(super) fn record(&mut self, person: &PersonId, chat: &ChatId) {
        if !self.is_known(person, chat) {
            self.record_usual(person, chat);
        }
        self.open(person, chat.without_topic());
    }

    /// Records the usual chat of a person, which may be closed to them.
    pub(super) fn record_usual(&mut self, person: &PersonId, chat: &ChatId) {
        self.known.push((person.clone(), chat.clone()));
    }

    /// Closes a scope to a person.
    pub(super) fn close(&mut self, person: &PersonId, scope: &str) {
        self.open(person, scope);
        self.closed.push((person.clone(), scope.to_owned()));
    }

    /// Opens a chat to a person, and its platform: they have an account there.
    pub(super) fn open(&mut self, person: &PersonId, scope: &str) {
        let chat = ChatId(scope.to_owned());
        self.closed.retain(|it| it.0 != *person || !is_in_scope(&chat, &it.1));
    }

    /// Whether a platform reported that this chat is closed to a person.
    pub(super) fn is_closed(&self, person: &PersonId, chat: &ChatId) -> bool {
        self.closed.iter().any(|it| it.0 == *person && is_in_scope(chat, &it.1))
    }

    /// Whether exactly this scope is closed to a person.
    pub(super) fn is_scope_closed(&self, person: &PersonId, scope: &str) -> bool {
        self.closed.iter().any(|it| it.0 == *person && it.1 == scope)
    }

    /// Whether this scope is the one that was closed to a person last.
    pub(super) fn is_last_closed(&self, person: &PersonId, scope: &str) -> bool {
        let last = self.closed.iter().rev().find(|it| it.0 == *person);
        last.is_some_and(|it| it.1 == scope)
    }

    /// Whether any chat of a person is recorded.
    pub(super) fn has_route(&self, person: &PersonId) -> bool {
        self.known.iter().any(|it| it.0 == *person)
    }

    /// Whether this chat of a person is recorded.
    pub(super) fn is_known(&self, person: &PersonId, chat: &ChatId) -> bool {
        self.known.iter().any(|it| it.0 == *person && it.1 == *chat)
    }

    /// Changes the id of a chat.
    pub(super) fn rename(&mut self, from: &ChatId, to: &ChatId) {
        self.known.iter_mut().filter(|it| it.1 == *from).for_each(|it| it.1.clone_from(to));
        let closed = self.closed.iter_mut().filter(|it| it.1 == from.without_topic());
        closed.for_each(|it| it.1 = to.without_topic().to_owned());
    }

    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        let own = self.known.iter_mut().map(|it| &mut it.0);
        let own = own.chain(self.closed.iter_mut().map(|it| &mut it.0));
        own.filter(|it| **it == *account).for_each(|it| it.clone_from(person));
    }
}
