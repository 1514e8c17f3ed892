//! Places that move or vanish.

use super::hands::first_hands;
use super::outbox::BoardTask;
use super::settings::{cut, put};
use super::table_ask::{head, index_change, index_of};
use super::tables::advanced;
use super::{Failure, Inner, keys};
use crate::ids::PlaceId;
use crate::ids::TableId;
use crate::store::{Append, Commit, Put, Space, StoreError};
use crate::table::event::{Event, Line};

/// At most so many rows are read at once.
const PAGE: usize = 1000;

impl Inner {
    /// A Telegram group became a supergroup: everything of the old id is found under the new one.
    /// Doing it again changes nothing.
    pub(super) async fn move_place(&self, from: &PlaceId, to: &PlaceId) -> Result<(), Failure> {
        let mut puts = self.moved_memory(from, to).await?;
        puts.extend(self.moved_notes(from, to).await?);
        if !puts.is_empty() {
            self.store.commit(Commit { puts, ..Commit::default() }).await?;
        }
        // Topics of the old chat come along: their ids start with the chat and a slash.
        let mut prefixes = vec![format!("{} ", from.0)];
        if !from.0.contains('/') {
            prefixes.push(format!("{}/", from.0));
        }
        for prefix in prefixes {
            for (key, _) in self.store.scan(Space::PlaceTable, &prefix, None, PAGE).await? {
                let Some((old, table)) = key.split_once(' ') else { continue };
                let new = PlaceId(old.replacen(&from.0, &to.0, 1));
                let moved = self.move_table(&TableId(table.to_owned()), &new).await;
                if let Err(failure) = moved {
                    // One damaged table must not keep the others from moving.
                    tracing::error!(table, %failure, "a table did not move");
                }
                self.wake(&new);
            }
        }
        Ok(())
    }

    async fn move_table(&self, id: &crate::ids::TableId, to: &PlaceId) -> Result<(), Failure> {
        let Some(mut held) = self.hold(id).await? else { return Ok(()) };
        if held.table().place() == to {
            return Ok(());
        }
        let line = Line {
            number: held.table().version,
            at_ms: self.clock.now_ms(),
            cause: "moved".into(),
            event: Event::Moved { place: to.clone() },
        };
        let next = advanced(held.table(), std::slice::from_ref(&line))?;
        let mut puts = index_change(&index_of(held.table()), &index_of(&next));
        // The messages of the old chat cannot be edited from the new one: the board is posted.
        puts.push(cut(Space::Board, keys::board(id, held.table().place())));
        puts.extend([head(&next), BoardTask { down: false }.put(&next)]);
        // Hands that were shown in the old chat cannot be renewed from the new one.
        puts.extend(first_hands(&next));
        puts.extend(self.due_call(&next, line.at_ms));
        let append =
            Append { table: id.0.clone(), expect: held.table().version, lines: vec![line.write()] };
        match self.store.commit(Commit { appends: vec![append], puts, ..Commit::default() }).await {
            Ok(()) => {
                self.think(&next);
                held.replace(next);
                self.due.send_modify(|it| *it += 1);
            }
            // Somebody moved at this very moment; the next signal finds the rest.
            Err(StoreError::Conflict) => held.forget(),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    async fn moved_memory(&self, from: &PlaceId, to: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        if self.store.get(Space::Place, from.chat()).await?.is_some() {
            let known = self.store.get(Space::Place, to.chat()).await?;
            let mut memory = self.place(if known.is_some() { to } else { from }).await?;
            memory.gone = false;
            puts.push(cut(Space::Place, from.chat().to_owned()));
            puts.push(put(Space::Place, to.chat().to_owned(), &memory));
        }
        if let Some(last) = self.store.get(Space::Meta, &keys::last_table(from)).await? {
            puts.push(cut(Space::Meta, keys::last_table(from)));
            puts.push(Put::new(Space::Meta, keys::last_table(to), last));
        }
        Ok(puts)
    }

    /// What still had to be said in the old place, topics included, is said in the new one.
    async fn moved_notes(&self, from: &PlaceId, to: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        for (key, value) in self.store.scan(Space::Outbox, &from.0, None, PAGE).await? {
            let rest = key[from.0.len()..].to_owned();
            if !rest.starts_with([' ', '/']) {
                continue;
            }
            puts.push(cut(Space::Outbox, key));
            let key = format!("{}{rest}", to.0);
            puts.push(Put::new(Space::Outbox, key, value));
        }
        Ok(puts)
    }

    /// The bot may not write there any more: nothing is tried until something is heard from
    /// there. Tables stay.
    pub(super) async fn place_gone(&self, place: &PlaceId) -> Result<(), Failure> {
        let mut memory = self.place(place).await?;
        memory.gone = true;
        let puts = vec![put(Space::Place, place.chat().to_owned(), &memory)];
        Ok(self.store.commit(Commit { puts, ..Commit::default() }).await?)
    }
}
