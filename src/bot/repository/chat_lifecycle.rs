//! Handles chats that get a new id, become unreachable or are deleted, and members who leave or
//! return.

use std::sync::Arc;

use super::membership::LatestReport;
use super::profiles::ChatProfile;
use super::row_update::TypedRowKey;
use super::stored_rows::remove_row;
use super::unit_of_work::TableChange;
use super::{CommitOutcome, Failure, Repository, SUBSCRIPTION_TTL_MS, keys};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::event::{EndReason, Event};
use caravanserai_table::presence::{self, Departure, EventsWithCause};
use caravanserai_table::{self as table, EventMeta, Table, consent, locations, vacation};

/// The attempts to write an outside event while people act at the same moment.
const OUTSIDE_EVENT_TRIES: usize = 3;

impl Repository {
    /// Moves all data of a place to its new id, when a Telegram group became a supergroup.
    /// Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn move_place(&self, from: &PlaceId, to: &PlaceId) -> Result<(), Failure> {
        self.move_profile(from, to).await?;
        let mut puts = self.move_marks_puts(from, to).await?;
        puts.extend(self.move_outbox_puts(from, to).await?);
        self.put_all(puts).await?;
        // Topics of the old chat are moved, too.
        for (old, table) in self.tables_of_chat(from).await? {
            let new = PlaceId(old.0.replacen(&from.0, &to.0, 1));
            let event_for = |table: &Table| {
                let from = (old != *table.home()).then(|| old.clone());
                Some(Event::ChatMoved { from, chat: new.clone() })
            };
            if let Err(failure) = self.apply_while_at_place(&table, &old, &event_for, "moved").await
            {
                // A damaged table must not keep the others from moving.
                tracing::error!(table = table.0, %failure, "failed to move a table");
            }
            self.schedule_send(&new);
        }
        Ok(())
    }

    /// Handles a place that was deleted for good: tables that are in no other place end, and
    /// nothing is sent to it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_place(&self, place: &PlaceId) -> Result<(), Failure> {
        if !place.0.contains('/') {
            self.store_unreachable_mark(place, None).await?;
        }
        let mut readers = Vec::new();
        for (at, table) in self.tables_of_chat(place).await? {
            let table_state = self.load_table(&table).await.ok().flatten();
            readers.extend(table_state.and_then(|it| it.location_in(&at)?.reader.cloned()));
            let close_table = Event::TableClosed { reason: EndReason::ChatGone };
            let event_for = |table: &Table| {
                Some(locations::chat_gone_event(table, &at).unwrap_or_else(|| close_table.clone()))
            };
            if let Err(failure) = self.apply_while_at_place(&table, &at, &event_for, "gone").await {
                tracing::error!(table = table.0, %failure, "failed to end a table");
            }
            self.record_cut_off_players(&table, &at, None).await;
        }
        for person in readers {
            self.record_account_deletion(place, &person).await?;
        }
        let rows = self.outbox_rows_of_place(place).await?;
        self.put_all(rows.into_iter().map(|(key, _)| remove_row(Space::Outbox, key)).collect())
            .await
    }

    /// Handles a place where the bot may no longer write: nothing is sent until an update comes
    /// from there. Tables that are in other places, too, leave it; the others stay.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mark_place_unreachable(
        &self,
        place: &PlaceId,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        if !self.store_unreachable_mark(place, Some(newest)).await? {
            return Ok(());
        }
        let chat = PlaceId(place.chat().to_owned());
        for (at, table) in self.tables_of_chat(&chat).await? {
            // The reader of a private chat blocked the bot.
            let close_access = |table: &Table| {
                let person = table.location_in(&at)?.reader?;
                presence::close_route(table, person, at.chat(), Departure::Left)
            };
            if let Err(failure) =
                self.apply_to_open_table(&table, &close_access, Some(newest)).await
            {
                tracing::error!(table = table.0, %failure, "failed to record a departure");
            }
            self.detach_unreachable_place(&table, &at, Some(newest)).await?;
        }
        Ok(())
    }

    /// Closes the access through this chat to its tables for a person who left it. If they have no
    /// other access, they have left the table, and in lobbies their seat becomes free. A rematch
    /// that they offered or agreed to is withdrawn.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_departure(
        &self,
        place: &PlaceId,
        account: &PersonId,
        how: Departure,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        let person = self.resolve_person(account).await?;
        let close_access = |table: &Table| presence::close_route(table, &person, place.chat(), how);
        self.apply_at_tables_of(&person, &close_access, Some(newest)).await?;
        match self.read_value(Space::Person, &account.0).await? {
            Some(_) => {
                self.withdraw_rematches(place, &person, newest).await?;
                if person != *account {
                    // Finished games keep the account that was linked later.
                    self.withdraw_rematches(place, account, newest).await?;
                }
                Ok(())
            }
            // A person who never wrote to the bot has offered nothing.
            None => Ok(()),
        }
    }

    /// Opens the access through this chat to its tables for a person who has returned to it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_return(
        &self,
        place: &PlaceId,
        account: &PersonId,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        let person = self.resolve_person(account).await?;
        let open_access = |table: &Table| presence::open_route(table, &person, place.chat());
        self.apply_at_tables_of(&person, &open_access, Some(newest)).await
    }

    /// Withdraws the rematches that a person wants at finished tables of a chat which they leave.
    async fn withdraw_rematches(
        &self,
        place: &PlaceId,
        person: &PersonId,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        let withdraw = |table: &Table| {
            table.chats().find(|it| it.chat() == place.chat())?;
            let declined = consent::withdraw_rematch(table, person)?;
            Some(EventsWithCause { events: vec![declined], cause: "left".to_owned() })
        };
        for (key, _) in
            self.read_all_rows(Space::Meta, &keys::wanted_rematches_prefix(person)).await?
        {
            let id = TableId(keys::last_part(&key).to_owned());
            match self.apply_outside_event(&id, &withdraw, Some(newest)).await {
                Err(failure @ Failure::Store(_)) => return Err(failure),
                Err(failure) => {
                    tracing::error!(table = id.0, %failure, "failed to withdraw a rematch")
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Closes all access on a platform for a person whose account there was deleted.
    async fn record_account_deletion(
        &self,
        place: &PlaceId,
        person: &PersonId,
    ) -> Result<(), Failure> {
        let close_access =
            |table: &Table| presence::close_route(table, person, place.platform(), Departure::Left);
        self.apply_at_tables_of(person, &close_access, None).await
    }

    /// Records at a table that has left a chat the departure of people who played only from there.
    async fn record_cut_off_players(
        &self,
        table: &TableId,
        at: &PlaceId,
        newest: Option<&LatestReport>,
    ) {
        let depart = |table: &Table| presence::record_unreachable_people(table, at.chat());
        if let Err(failure) = self.apply_to_open_table(table, &depart, newest).await {
            tracing::error!(table = table.0, %failure, "failed to record departures");
        }
    }

    /// Detaches a table that is in other places, too, from a place that cannot be reached.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn detach_unreachable_place(
        &self,
        table: &TableId,
        at: &PlaceId,
        newest: Option<&LatestReport>,
    ) -> Result<(), Failure> {
        let detach = |table: &Table| {
            table.location_in(at)?;
            Some(EventsWithCause {
                events: vec![locations::chat_gone_event(table, at)?],
                cause: "gone".to_owned(),
            })
        };
        if let Err(failure) = self.apply_to_open_table(table, &detach, newest).await {
            tracing::error!(table = table.0, %failure, "failed to detach a table from a place");
        }
        self.record_cut_off_players(table, at, newest).await;
        Ok(())
    }

    /// Handles a place without reachable readers. If it is a person's private chat, tables that
    /// others play elsewhere leave it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mark_reader_unreachable(&self, place: &PlaceId) -> Result<(), Failure> {
        for (at, table) in self.tables_of_chat(place).await? {
            let is_private =
                |it: Arc<Table>| it.location_in(&at).is_some_and(|it| it.reader.is_some());
            if self.load_table(&table).await?.is_some_and(is_private) {
                self.detach_unreachable_place(&table, &at, None).await?;
            }
        }
        Ok(())
    }

    /// Stores that a chat cannot be reached, unless a newer report about it exists. Returns whether
    /// the mark was stored.
    async fn store_unreachable_mark(
        &self,
        place: &PlaceId,
        newest: Option<&LatestReport>,
    ) -> Result<bool, Failure> {
        for _ in 0..OUTSIDE_EVENT_TRIES {
            let stored = self.read_row(TypedRowKey::place(place)).await?;
            let unreachable = ChatProfile { gone: true, ..stored.value().clone() };
            let mut commit = LatestReport::guarded_commit(newest);
            stored.set(&unreachable, &mut commit);
            if self.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The open tables of a place and of its topics, whose ids start with the chat and a slash.
    async fn tables_of_chat(&self, place: &PlaceId) -> Result<Vec<(PlaceId, TableId)>, Failure> {
        let mut prefixes = vec![format!("{} ", place.0)];
        if !place.0.contains('/') {
            prefixes.push(format!("{}/", place.0));
        }
        let mut all = Vec::new();
        for prefix in prefixes {
            for (key, _) in self.read_all_rows(Space::PlaceTable, &prefix).await? {
                if let Some((at, table)) = key.split_once(' ') {
                    all.push((PlaceId(at.to_owned()), TableId(table.to_owned())));
                }
            }
        }
        Ok(all)
    }

    /// Records the vacation of a person at every table where they play.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn start_vacation_at_tables(
        &self,
        person: &PersonId,
        until_ms: u64,
    ) -> Result<(), Failure> {
        let start_vacation = |table: &Table| {
            let events = vec![vacation::vacation_start_event(table, person, until_ms)?];
            Some(EventsWithCause { events, cause: "away".to_owned() })
        };
        self.apply_at_tables_of(person, &start_vacation, None).await
    }

    /// Records at every table of a person that their vacation has ended.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_vacation_at_tables(&self, person: &PersonId) -> Result<(), Failure> {
        let end_vacation = |table: &Table| {
            let events = vec![vacation::vacation_end_event(table, person)?];
            Some(EventsWithCause { events, cause: "home".to_owned() })
        };
        self.apply_at_tables_of(person, &end_vacation, None).await
    }

    /// Makes an account count as this person at every table where the account has a seat or is
    /// named, including seats taken since the linking. If the person already has a seat, the
    /// account leaves its own.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn merge_account_at_tables(
        &self,
        account: &PersonId,
        person: &PersonId,
    ) -> Result<(), Failure> {
        let merge = |table: &Table| {
            let (account, person) = (account.clone(), person.clone());
            let event = match table.can_merge_account_now(&account, &person) {
                true => Event::AccountsMerged { account, person },
                false => presence::leave_seat_event(table, &account)?,
            };
            Some(EventsWithCause { events: vec![event], cause: "linked".to_owned() })
        };
        self.apply_at_tables_of(account, &merge, None).await?;
        self.apply_at_tables_of(&PersonId(keys::named_prefix(account)), &merge, None).await
    }

    /// Applies an outside event at the open tables of a person. A failure at one table does not
    /// affect the others.
    async fn apply_at_tables_of(
        &self,
        person: &PersonId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        newest: Option<&LatestReport>,
    ) -> Result<(), Failure> {
        let prefix = format!("{} ", person.0);
        let mut failed = Ok(());
        for (key, _) in self.read_all_rows(Space::PersonTable, &prefix).await? {
            let table = TableId(keys::last_part(&key).to_owned());
            match self.apply_to_open_table(&table, event_for, newest).await {
                Ok(()) => {}
                // The event may be repeated and is recorded then.
                Err(failure @ Failure::Store(_)) => failed = Err(failure),
                Err(failure @ Failure::Damaged(..)) => {
                    tracing::error!(table = table.0, %failure, "failed to record an event");
                }
            }
        }
        failed
    }

    /// Applies an outside event to a table, while it is still in this place.
    async fn apply_while_at_place(
        &self,
        id: &TableId,
        at: &PlaceId,
        event_for: &(dyn Fn(&Table) -> Option<Event> + Sync),
        cause: &str,
    ) -> Result<(), Failure> {
        let at_place = |table: &Table| {
            table.location_in(at)?;
            Some(EventsWithCause { events: vec![event_for(table)?], cause: cause.to_owned() })
        };
        self.apply_to_open_table(id, &at_place, None).await
    }

    /// Applies an outside event to an open table.
    async fn apply_to_open_table(
        &self,
        id: &TableId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        newest: Option<&LatestReport>,
    ) -> Result<(), Failure> {
        let while_open = |table: &Table| event_for(table).filter(|_| table.is_open());
        self.apply_outside_event(id, &while_open, newest).await
    }

    /// Writes an outside event to a table, open or over. Nothing is written after a newer report
    /// about the same member.
    async fn apply_outside_event(
        &self,
        id: &TableId,
        event_for: &(dyn Fn(&Table) -> Option<EventsWithCause> + Sync),
        newest: Option<&LatestReport>,
    ) -> Result<(), Failure> {
        for _ in 0..OUTSIDE_EVENT_TRIES {
            let Some(mut guard) = self.lock_table(id).await? else { return Ok(()) };
            let Some(events_with_cause) = event_for(guard.table()) else { return Ok(()) };
            let EventsWithCause { events, cause } = events_with_cause;
            let meta = EventMeta::received_now(self.now_ms(), cause);
            let decision = table::apply_external_events(guard.table(), events, meta)
                .map_err(|why| Failure::Damaged(id.clone(), why))?;
            let change = TableChange { guard: &mut guard, decision, answered_seat: None };
            // A concurrent action came first: the next attempt reads the table again.
            if self.commit_changes(vec![change], LatestReport::guarded_commit(newest)).await?
                == CommitOutcome::Committed
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Moves the settings of the old id to the new one, unless the new one has settings of its own.
    async fn move_profile(&self, from: &PlaceId, to: &PlaceId) -> Result<(), Failure> {
        let old = self.read_row(TypedRowKey::place(from)).await?;
        if !old.exists() {
            return Ok(());
        }
        let (mut profile, old_chat) = (old.value().clone(), from.0.clone());
        profile.gone = false;
        for place in &mut profile.only {
            place.0 = place.0.replacen(&old_chat, &to.0, 1);
        }
        self.update_row(TypedRowKey::place(to), |it| {
            it.gone = false;
            if *it == ChatProfile::default() {
                it.clone_from(&profile);
            }
        })
        .await?;
        // On conflict the settings have changed concurrently. They are moved when the update is
        // received again.
        let mut commit = Commit::default();
        old.remove(&mut commit);
        let _ = self.commit_rows(commit).await?;
        Ok(())
    }

    /// Moves the marks of the last tables, and of people who wait for a game, to the new id.
    async fn move_marks_puts(&self, from: &PlaceId, to: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        let mut rename = |key: String, value: Vec<u8>, until_ms: Option<u64>| {
            let new = key.replacen(&from.0, &to.0, 1);
            puts.push(Put { expires_ms: until_ms, ..Put::new(Space::Meta, new, value) });
            puts.push(remove_row(Space::Meta, key));
        };
        let last = keys::last_table(from);
        for (key, value) in self.read_all_rows(Space::Meta, &last).await? {
            // The id of another chat may begin with this one.
            if key[last.len()..].is_empty() || key[last.len()..].starts_with([' ', '/']) {
                rename(key, value, None);
            }
        }
        let until_ms = self.now_ms() + SUBSCRIPTION_TTL_MS;
        for (key, value) in
            self.read_all_rows(Space::Meta, &keys::game_subscribers_prefix(from.chat())).await?
        {
            rename(key, value, Some(until_ms));
        }
        Ok(puts)
    }

    /// Moves the unsent entries of the old place, topics included, to the new one.
    async fn move_outbox_puts(&self, from: &PlaceId, to: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        for (key, value) in self.outbox_rows_of_place(from).await? {
            let rest = key[from.0.len()..].to_owned();
            puts.push(remove_row(Space::Outbox, key));
            puts.push(Put::new(Space::Outbox, format!("{}{rest}", to.0), value));
        }
        Ok(puts)
    }

    /// The unsent entries of a place, topics included.
    async fn outbox_rows_of_place(
        &self,
        place: &PlaceId,
    ) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let mut rows = self.read_all_rows(Space::Outbox, &place.0).await?;
        rows.retain(|(key, _)| key[place.0.len()..].starts_with([' ', '/']));
        Ok(rows)
    }
}
