//! Places that move, fall silent or vanish.

use std::sync::Arc;

use super::changes::Slot;
use super::entry::Deed;
use super::membership::Newest;
use super::profiles::PlaceProfile;
use super::rows::cut;
use super::{AWAITED_MS, Entered, Failure, Ledger, keys};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::event::{Event, Reason};
use caravanserai_table::presence::{self, Departure, Happening};
use caravanserai_table::{self as table, Stamp, Table, consent, places, vacation};

/// How often it is tried again when people act at the same moment.
const TRIES: usize = 3;

impl Ledger {
    /// A Telegram group became a supergroup: everything of the old id is found under the new one.
    /// Doing it again changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn move_place(&self, from: &PlaceId, to: &PlaceId) -> Result<(), Failure> {
        self.move_profile(from, to).await?;
        let mut puts = self.moved_marks(from, to).await?;
        puts.extend(self.moved_notes(from, to).await?);
        self.keep(puts).await?;
        // Topics of the old chat come along.
        for (old, table) in self.tables_of_chat(from).await? {
            let new = PlaceId(old.0.replacen(&from.0, &to.0, 1));
            let happens = |table: &Table| {
                let from = (old != *table.home()).then(|| old.clone());
                Some(Event::Moved { from, place: new.clone() })
            };
            if let Err(failure) = self.everywhere(&table, &old, &happens, "moved").await {
                // One damaged table must not keep the others from moving.
                tracing::error!(table = table.0, %failure, "a table did not move");
            }
            self.wake(&new);
        }
        Ok(())
    }

    /// The place is no more, for good: tables that stand nowhere else end, and nothing is sent to
    /// it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn place_deleted(&self, place: &PlaceId) -> Result<(), Failure> {
        if !place.0.contains('/') {
            self.remember_gone(place, None).await?;
        }
        let mut readers = Vec::new();
        for (at, table) in self.tables_of_chat(place).await? {
            let known = self.look(&table).await.ok().flatten();
            readers.extend(known.and_then(|it| it.spot(&at)?.reader.cloned()));
            let last = Event::Closed { reason: Reason::Vanished };
            let happens =
                |table: &Table| Some(places::gone(table, &at).unwrap_or_else(|| last.clone()));
            if let Err(failure) = self.everywhere(&table, &at, &happens, "gone").await {
                tracing::error!(table = table.0, %failure, "a table did not end");
            }
            self.note_cut_off(&table, &at, None).await;
        }
        for who in readers {
            self.account_deleted(place, &who).await?;
        }
        let rows = self.rows_of_place(place).await?;
        self.keep(rows.into_iter().map(|(key, _)| cut(Space::Outbox, key)).collect()).await
    }

    /// The bot may not write there any more: nothing is tried until something is heard from
    /// there. Tables that stand elsewhere too leave it, the others stay.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn place_gone(&self, place: &PlaceId, newest: &Newest) -> Result<(), Failure> {
        if !self.remember_gone(place, Some(newest)).await? {
            return Ok(());
        }
        let chat = PlaceId(place.chat().to_owned());
        for (at, table) in self.tables_of_chat(&chat).await? {
            // The reader of a private chat closed it themselves.
            let shut = |table: &Table| {
                let who = table.spot(&at)?.reader?;
                presence::close_way(table, who, at.chat(), Departure::Left)
            };
            if let Err(failure) = self.outside(&table, &shut, Some(newest)).await {
                tracing::error!(table = table.0, %failure, "nobody was noted to have left");
            }
            self.leave(&table, &at, Some(newest)).await?;
        }
        Ok(())
    }

    /// Closes the way by this chat to its tables for a person who left it. Where no other way is
    /// open, the person has left, and in lobbies their seat is free. A rematch that they offered or
    /// agreed to is withdrawn.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn person_left(
        &self,
        place: &PlaceId,
        account: &PersonId,
        how: Departure,
        newest: &Newest,
    ) -> Result<(), Failure> {
        let who = self.behind(account).await?;
        let left = |table: &Table| presence::close_way(table, &who, place.chat(), how);
        self.at_tables_of(&who, &left, Some(newest)).await?;
        match self.value(Space::Person, &account.0).await? {
            Some(_) => self.withdraw_rematch(place, &who, newest).await,
            // A person who never wrote to the bot has offered nothing.
            None => Ok(()),
        }
    }

    /// Opens the way by this chat to its tables for a person who is in it again.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn person_came(
        &self,
        place: &PlaceId,
        account: &PersonId,
        newest: &Newest,
    ) -> Result<(), Failure> {
        let who = self.behind(account).await?;
        let came = |table: &Table| presence::open_way(table, &who, place.chat());
        self.at_tables_of(&who, &came, Some(newest)).await
    }

    /// Withdraws the rematch of the table that a person finished last in a chat which they leave.
    async fn withdraw_rematch(
        &self,
        place: &PlaceId,
        who: &PersonId,
        newest: &Newest,
    ) -> Result<(), Failure> {
        let mut last = vec![keys::last_table_of(&PlaceId(place.chat().to_owned()), who)];
        let topics = keys::last_table(&PlaceId(format!("{}/", place.chat())));
        let own = |key: &str| keys::tail(key) == who.0;
        let found = self.all_rows(Space::Meta, &topics).await?;
        last.extend(found.into_iter().map(|it| it.0).filter(|key| own(key)));
        for key in last {
            let Some(id) = self.value(Space::Meta, &key).await? else { continue };
            let id = TableId(String::from_utf8_lossy(&id).into_owned());
            let withdrawn = |table: &Table| {
                let declined = consent::withdraw_rematch(table, who)?;
                Some(Happening { events: vec![declined], cause: "left".to_owned() })
            };
            match self.happen(&id, &withdrawn, Some(newest)).await {
                Err(failure @ Failure::Store(_)) => return Err(failure),
                Err(failure) => {
                    tracing::error!(table = id.0, %failure, "failed to withdraw a rematch")
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Closes all ways on a platform for a person whose account there was deleted.
    async fn account_deleted(&self, place: &PlaceId, who: &PersonId) -> Result<(), Failure> {
        let left =
            |table: &Table| presence::close_way(table, who, place.platform(), Departure::Left);
        self.at_tables_of(who, &left, None).await
    }

    /// Notes at a table that has left a place that the people who played only from there have left.
    async fn note_cut_off(&self, table: &TableId, at: &PlaceId, newest: Option<&Newest>) {
        let gone = |table: &Table| presence::leave_with_table(table, at.chat());
        if let Err(failure) = self.outside(table, &gone, newest).await {
            tracing::error!(table = table.0, %failure, "failed to note who has left");
        }
    }

    /// A table that stands elsewhere too leaves a place that cannot be spoken to.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn leave(
        &self,
        table: &TableId,
        at: &PlaceId,
        newest: Option<&Newest>,
    ) -> Result<(), Failure> {
        let here = |table: &Table| {
            table.spot(at)?;
            Some(Happening { events: vec![places::gone(table, at)?], cause: "gone".to_owned() })
        };
        if let Err(failure) = self.outside(table, &here, newest).await {
            tracing::error!(table = table.0, %failure, "a table did not leave a place");
        }
        self.note_cut_off(table, at, newest).await;
        Ok(())
    }

    /// Nobody can be spoken to in this place. If it is somebody's private chat, tables that others
    /// play elsewhere leave it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reader_gone(&self, place: &PlaceId) -> Result<(), Failure> {
        for (at, table) in self.tables_of_chat(place).await? {
            let is_private = |it: Arc<Table>| it.spot(&at).is_some_and(|it| it.reader.is_some());
            if self.look(&table).await?.is_some_and(is_private) {
                self.leave(&table, &at, None).await?;
            }
        }
        Ok(())
    }

    /// Remembers that nothing can be sent to a chat, unless something newer was reported of it.
    /// Whether it was remembered.
    async fn remember_gone(
        &self,
        place: &PlaceId,
        newest: Option<&Newest>,
    ) -> Result<bool, Failure> {
        for _ in 0..TRIES {
            let stored = self.stored(Slot::place(place)).await?;
            let gone = PlaceProfile { gone: true, ..stored.value().clone() };
            let mut commit = Newest::commit(newest);
            stored.set(&gone, &mut commit);
            if self.commit(commit).await? == Entered::Done {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The open tables of a place, of its topics too: their ids start with the chat and a slash.
    async fn tables_of_chat(&self, place: &PlaceId) -> Result<Vec<(PlaceId, TableId)>, Failure> {
        let mut prefixes = vec![format!("{} ", place.0)];
        if !place.0.contains('/') {
            prefixes.push(format!("{}/", place.0));
        }
        let mut all = Vec::new();
        for prefix in prefixes {
            for (key, _) in self.all_rows(Space::PlaceTable, &prefix).await? {
                if let Some((at, table)) = key.split_once(' ') {
                    all.push((PlaceId(at.to_owned()), TableId(table.to_owned())));
                }
            }
        }
        Ok(all)
    }

    /// Notes the vacation of a person at every table of theirs.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn went_away(&self, person: &PersonId, until_ms: u64) -> Result<(), Failure> {
        let away = |table: &Table| {
            let events = vec![vacation::begins(table, person, until_ms)?];
            Some(Happening { events, cause: "away".to_owned() })
        };
        self.at_tables_of(person, &away, None).await
    }

    /// Somebody is back from vacation: no table of theirs notes one any more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn came_home(&self, person: &PersonId) -> Result<(), Failure> {
        let home = |table: &Table| {
            let events = vec![vacation::ends(table, person)?];
            Some(Happening { events, cause: "home".to_owned() })
        };
        self.at_tables_of(person, &home, None).await
    }

    /// Makes an account count as this person at every table where the account has a seat or is
    /// named, also since the moment of linking. Where the person has a seat already, the account
    /// leaves its own.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn same_person(&self, account: &PersonId, person: &PersonId) -> Result<(), Failure> {
        let same = |table: &Table| {
            let (account, person) = (account.clone(), person.clone());
            let event = match table.may_become(&account, &person) {
                true => Event::Same { account, person },
                false => presence::leave_seat(table, &account)?,
            };
            Some(Happening { events: vec![event], cause: "linked".to_owned() })
        };
        self.at_tables_of(account, &same, None).await?;
        self.at_tables_of(&PersonId(keys::named(account)), &same, None).await
    }

    /// Something happens from outside at the open tables of somebody. One table where it cannot
    /// be noted does not keep the others from it.
    async fn at_tables_of(
        &self,
        person: &PersonId,
        happens: &(dyn Fn(&Table) -> Option<Happening> + Sync),
        newest: Option<&Newest>,
    ) -> Result<(), Failure> {
        let prefix = format!("{} ", person.0);
        let mut failed = Ok(());
        for (key, _) in self.all_rows(Space::PersonTable, &prefix).await? {
            let table = TableId(keys::tail(&key).to_owned());
            match self.outside(&table, happens, newest).await {
                Ok(()) => {}
                // It may come again, and then be noted.
                Err(failure @ Failure::Store(_)) => failed = Err(failure),
                Err(failure @ Failure::Damaged(..)) => {
                    tracing::error!(table = table.0, %failure, "not noted at a table");
                }
            }
        }
        failed
    }

    /// Something happens to a table from outside, while it still stands in this place.
    async fn everywhere(
        &self,
        id: &TableId,
        at: &PlaceId,
        happens: &(dyn Fn(&Table) -> Option<Event> + Sync),
        cause: &str,
    ) -> Result<(), Failure> {
        let here = |table: &Table| {
            table.spot(at)?;
            Some(Happening { events: vec![happens(table)?], cause: cause.to_owned() })
        };
        self.outside(id, &here, None).await
    }

    /// Something happens to an open table from outside.
    async fn outside(
        &self,
        id: &TableId,
        happens: &(dyn Fn(&Table) -> Option<Happening> + Sync),
        newest: Option<&Newest>,
    ) -> Result<(), Failure> {
        let open = |table: &Table| happens(table).filter(|_| table.is_open());
        self.happen(id, &open, newest).await
    }

    /// Writes what happens from outside to a table, open or over. After a newer report of the same
    /// member nothing is written.
    async fn happen(
        &self,
        id: &TableId,
        happens: &(dyn Fn(&Table) -> Option<Happening> + Sync),
        newest: Option<&Newest>,
    ) -> Result<(), Failure> {
        for _ in 0..TRIES {
            let Some(mut held) = self.hold(id).await? else { return Ok(()) };
            let Some(happening) = happens(held.table()) else { return Ok(()) };
            let Happening { events, cause } = happening;
            let stamp = Stamp::at(self.now_ms(), cause);
            let decision = table::happenings(held.table(), events, stamp)
                .map_err(|why| Failure::Damaged(id.clone(), why))?;
            let deed = Deed { held: &mut held, decision, answered: None };
            // Somebody moved at this very moment: the next try finds the table as it is.
            if self.enter(vec![deed], Newest::commit(newest)).await? == Entered::Done {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Moves the settings of the old id to the new one, unless that has its own.
    async fn move_profile(&self, from: &PlaceId, to: &PlaceId) -> Result<(), Failure> {
        let old = self.stored(Slot::place(from)).await?;
        if !old.is_there() {
            return Ok(());
        }
        let (mut profile, moved) = (old.value().clone(), from.0.clone());
        profile.gone = false;
        for place in &mut profile.only {
            place.0 = place.0.replacen(&moved, &to.0, 1);
        }
        self.change(Slot::place(to), |it| {
            it.gone = false;
            if *it == PlaceProfile::default() {
                it.clone_from(&profile);
            }
        })
        .await?;
        // Conflict: settings changed meanwhile. They are moved when the update is received again.
        let mut commit = Commit::default();
        old.remove(&mut commit);
        let _ = self.commit(commit).await?;
        Ok(())
    }

    /// Moves the marks of the last tables, and of people who wait for a game, to the new id.
    async fn moved_marks(&self, from: &PlaceId, to: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        let mut rename = |key: String, value: Vec<u8>, until_ms: Option<u64>| {
            let new = key.replacen(&from.0, &to.0, 1);
            puts.push(Put { until_ms, ..Put::new(Space::Meta, new, value) });
            puts.push(cut(Space::Meta, key));
        };
        let last = keys::last_table(from);
        for (key, value) in self.all_rows(Space::Meta, &last).await? {
            // Other chats can have ids that begin with this one.
            if key[last.len()..].is_empty() || key[last.len()..].starts_with([' ', '/']) {
                rename(key, value, None);
            }
        }
        let until_ms = self.now_ms() + AWAITED_MS;
        for (key, value) in self.all_rows(Space::Meta, &keys::awaiting_in(from.chat())).await? {
            rename(key, value, Some(until_ms));
        }
        Ok(puts)
    }

    /// What still had to be said in the old place, topics included, is said in the new one.
    async fn moved_notes(&self, from: &PlaceId, to: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        for (key, value) in self.rows_of_place(from).await? {
            let rest = key[from.0.len()..].to_owned();
            puts.push(cut(Space::Outbox, key));
            puts.push(Put::new(Space::Outbox, format!("{}{rest}", to.0), value));
        }
        Ok(puts)
    }

    /// What waits to be sent to a place, its topics included.
    async fn rows_of_place(&self, place: &PlaceId) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let mut rows = self.all_rows(Space::Outbox, &place.0).await?;
        rows.retain(|(key, _)| key[place.0.len()..].starts_with([' ', '/']));
        Ok(rows)
    }
}
