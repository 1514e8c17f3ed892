//! Places that move, fall silent or vanish.

use std::sync::Arc;

use super::entry::Deed;
use super::profiles::PlaceProfile;
use super::rows::{cut, put};
use super::{Entered, Failure, Ledger, keys};
use crate::ids::{PersonId, PlaceId, TableId};
use crate::store::{Commit, Put, Space};
use crate::table::event::{Event, Reason};
use crate::table::{self, Stamp, Table, absence, places, vacation};

/// At most so many rows are read at once.
const PAGE: usize = 1000;

/// How often it is tried again when people act at the same moment.
const TRIES: usize = 3;

impl Ledger {
    /// A Telegram group became a supergroup: everything of the old id is found under the new one.
    /// Doing it again changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn move_place(&self, from: &PlaceId, to: &PlaceId) -> Result<(), Failure> {
        let mut puts = self.moved_profile(from, to).await?;
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
            self.remember_gone(place).await?;
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
    pub async fn place_gone(&self, place: &PlaceId) -> Result<(), Failure> {
        self.remember_gone(place).await?;
        let chat = PlaceId(place.chat().to_owned());
        for (at, table) in self.tables_of_chat(&chat).await? {
            // Whoever played from their private chat has shut that door themselves.
            let shut = |table: &Table| {
                let who = table.spot(&at)?.reader?;
                let here = table.place_of(who) == Some(&at);
                absence::left(table, who).filter(|_| here)
            };
            if let Err(failure) = self.everywhere(&table, &at, &shut, "left").await {
                tracing::error!(table = table.0, %failure, "nobody was noted to have left");
            }
            self.leave(&table, &at).await?;
        }
        Ok(())
    }

    /// Somebody is not in this chat any more: at the tables that they play from there they are
    /// away, and in lobbies their seats are free.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn person_left(&self, place: &PlaceId, account: &PersonId) -> Result<(), Failure> {
        let who = self.behind(account).await?;
        let from_here = |table: &Table| plays_from(table, &who, |it| it.chat() == place.chat());
        let left = |table: &Table| absence::left(table, &who).filter(|_| from_here(table));
        self.at_tables_of(&who, &left, "left").await
    }

    /// Somebody is in this chat again: at the tables that they play from there they are back.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn person_came(&self, place: &PlaceId, account: &PersonId) -> Result<(), Failure> {
        let who = self.behind(account).await?;
        let from_here = |table: &Table| plays_from(table, &who, |it| it.chat() == place.chat());
        let came = |table: &Table| absence::back(table, &who).filter(|_| from_here(table));
        self.at_tables_of(&who, &came, "came").await
    }

    /// The account by which somebody read this private chat is no more: wherever they play by it
    /// they are away.
    async fn account_deleted(&self, place: &PlaceId, who: &PersonId) -> Result<(), Failure> {
        let by_it = |it: &PlaceId| it.platform() == place.platform();
        let left =
            |table: &Table| absence::left(table, who).filter(|_| plays_from(table, who, by_it));
        self.at_tables_of(who, &left, "left").await
    }

    /// A table that stands elsewhere too leaves a place that cannot be spoken to.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn leave(&self, table: &TableId, at: &PlaceId) -> Result<(), Failure> {
        let happens = |table: &Table| places::gone(table, at);
        if let Err(failure) = self.everywhere(table, at, &happens, "gone").await {
            tracing::error!(table = table.0, %failure, "a table did not leave a place");
        }
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
                self.leave(&table, &at).await?;
            }
        }
        Ok(())
    }

    async fn remember_gone(&self, place: &PlaceId) -> Result<(), Failure> {
        let memory = PlaceProfile { gone: true, ..self.place(place).await? };
        self.keep(vec![put(Space::Place, place.chat().to_owned(), &memory)]).await
    }

    /// The open tables of a place, of its topics too: their ids start with the chat and a slash.
    async fn tables_of_chat(&self, place: &PlaceId) -> Result<Vec<(PlaceId, TableId)>, Failure> {
        let mut prefixes = vec![format!("{} ", place.0)];
        if !place.0.contains('/') {
            prefixes.push(format!("{}/", place.0));
        }
        let mut all = Vec::new();
        for prefix in prefixes {
            for (key, _) in self.rows(Space::PlaceTable, &prefix, PAGE).await? {
                if let Some((at, table)) = key.split_once(' ') {
                    all.push((PlaceId(at.to_owned()), TableId(table.to_owned())));
                }
            }
        }
        Ok(all)
    }

    /// Somebody is on vacation: every table of theirs notes it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn went_away(&self, person: &PersonId, until_ms: u64) -> Result<(), Failure> {
        let away = |table: &Table| vacation::begins(table, person, until_ms);
        self.at_tables_of(person, &away, "away").await
    }

    /// Somebody is back from vacation: no table of theirs notes one any more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn came_home(&self, person: &PersonId) -> Result<(), Failure> {
        let home = |table: &Table| vacation::ends(table, person);
        self.at_tables_of(person, &home, "home").await
    }

    /// Something happens from outside at the open tables of somebody. One table where it cannot
    /// be noted does not keep the others from it.
    async fn at_tables_of(
        &self,
        person: &PersonId,
        happens: &(dyn Fn(&Table) -> Option<Event> + Sync),
        cause: &str,
    ) -> Result<(), Failure> {
        let prefix = format!("{} ", person.0);
        let mut failed = Ok(());
        for (key, _) in self.rows(Space::PersonTable, &prefix, PAGE).await? {
            let table = TableId(keys::tail(&key).to_owned());
            match self.outside(&table, happens, cause).await {
                Ok(()) => {}
                // It may come again, and then be noted.
                Err(failure @ Failure::Store(_)) => failed = Err(failure),
                Err(failure @ Failure::Damaged(..)) => {
                    tracing::error!(table = table.0, cause, %failure, "not noted at a table");
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
        let here = |table: &Table| table.spot(at).and_then(|_| happens(table));
        self.outside(id, &here, cause).await
    }

    /// Something happens to an open table from outside.
    async fn outside(
        &self,
        id: &TableId,
        happens: &(dyn Fn(&Table) -> Option<Event> + Sync),
        cause: &str,
    ) -> Result<(), Failure> {
        for _ in 0..TRIES {
            let Some(mut held) = self.hold(id).await? else { return Ok(()) };
            if !held.table().is_open() {
                return Ok(());
            }
            let Some(event) = happens(held.table()) else { return Ok(()) };
            let stamp = Stamp { at_ms: self.now_ms(), cause: cause.to_owned() };
            let decision = table::happening(held.table(), event, stamp)
                .map_err(|why| Failure::Damaged(id.clone(), why))?;
            let deed = Deed { held: &mut held, decision, answered: None };
            // Somebody moved at this very moment: the next try finds the table as it is.
            if self.enter(vec![deed], Commit::default()).await? == Entered::Done {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn moved_profile(&self, from: &PlaceId, to: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        if self.value(Space::Place, from.chat()).await?.is_some() {
            let known = self.value(Space::Place, to.chat()).await?;
            let mut profile = self.place(if known.is_some() { to } else { from }).await?;
            profile.gone = false;
            for place in &mut profile.only {
                place.0 = place.0.replacen(&from.0, &to.0, 1);
            }
            puts.push(cut(Space::Place, from.chat().to_owned()));
            puts.push(put(Space::Place, to.chat().to_owned(), &profile));
        }
        if let Some(last) = self.value(Space::Meta, &keys::last_table(from)).await? {
            puts.push(cut(Space::Meta, keys::last_table(from)));
            puts.push(Put::new(Space::Meta, keys::last_table(to), last));
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
        let mut rows = self.rows(Space::Outbox, &place.0, PAGE).await?;
        rows.retain(|(key, _)| key[place.0.len()..].starts_with([' ', '/']));
        Ok(rows)
    }
}

/// Whether somebody plays a table from a place of this kind.
fn plays_from(table: &Table, who: &PersonId, is_meant: impl Fn(&PlaceId) -> bool) -> bool {
    table.place_of(who).is_some_and(is_meant)
}
