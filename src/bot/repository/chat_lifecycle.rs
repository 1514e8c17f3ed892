//! Handles chats that get a new id, become unreachable or are deleted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::external_events::OUTSIDE_EVENT_TRIES;
use super::membership::LatestReport;
use super::outbox_key::{OutboxKey, OutboxSubject};
use super::profiles::{ChatProfile, LinkedAccounts, PersonProfile};
use super::quarantine::catch_panic;
use super::row_update::TypedRowKey;
use super::stored_rows::{put_json, remove_row};
use super::{CommitOutcome, Failure, Repository, SUBSCRIPTION_TTL_MS, keys};
use crate::admin::bans::{is_known_chat_banned, move_chat_ban};
use crate::personal_data::deletion_requests::{DeletionCause, DeletionRequests};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_store::{Commit, Put, Space, StoreError, StoreRow};
use caravanserai_table::event::{EndReason, Event};
use caravanserai_table::presence::{self, Departure};
use caravanserai_table::{Table, chat_commands, clock};

/// The cause of events by which the operator deletes the data of a chat.
const OPERATOR_CAUSE: &str = "host";

/// The cause of events by which tables leave the private chat of a deleted account.
const ACCOUNT_GONE_CAUSE: &str = "gone";

/// The attempts to move a profile while people of the chat change it.
const PROFILE_MOVE_TRIES: usize = 8;

/// Moves, deletes and marks chats.
#[derive(Clone, Copy)]
pub struct ChatLifecycle<'a> {
    repository: &'a Repository,
}

impl Repository {
    /// Moves, deletes and marks chats.
    pub fn chats(&self) -> ChatLifecycle<'_> {
        ChatLifecycle { repository: self }
    }
}

impl ChatLifecycle<'_> {
    /// Moves all data of a chat to its new id, when a Telegram group became a supergroup; or the
    /// tables of a topic that takes no more messages to its chat. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn move_chat(&self, from: &ChatId, to: &ChatId) -> Result<(), Failure> {
        if from != to && from.without_topic() == to.0 {
            return self.leave_topic(from, to).await;
        }
        if !from.0.contains('/') {
            // First, so that nobody is answered under the new id meanwhile.
            move_chat_ban(self.repository, from, to).await?;
        }
        let is_known = self.repository.read_row(TypedRowKey::chat(from)).await?.exists();
        self.move_profile(from, to).await?;
        let mut puts = self.move_marks_puts(from, to).await?;
        puts.extend(self.move_outbox_puts(from, to).await?);
        if !from.0.contains('/') {
            let has_tables = !self.tables_of_chat(from).await?.is_empty();
            let has_parts = (is_known, has_tables);
            puts.extend(self.repository.results().moved_chat_puts(from, to, has_parts).await?);
        }
        self.repository.put_all(puts).await?;
        // Topics of the old chat are moved, too.
        for (old, table) in self.tables_of_chat(from).await? {
            let new = ChatId(old.0.replacen(&from.0, &to.0, 1));
            let event_for = |table: &Table| {
                let from = (old != *table.chats.home()).then(|| old.clone());
                Some(Event::ChatMoved { from, chat: new.clone() })
            };
            let events = self.repository.external_events();
            match events.apply_while_in_chat(&table, &old, &event_for, "moved").await {
                Ok(()) => {}
                Err(failure @ Failure::Store(_)) => return Err(failure),
                Err(failure) => {
                    // A damaged table must not keep the others from moving.
                    tracing::error!(
                        table = table.0, %failure,
                        "failed to move a table to a new chat"
                    );
                }
            }
            self.repository.schedule_send(&new);
        }
        Ok(())
    }

    /// The id of a chat, then the earlier ones whose games and results it has: those of the groups
    /// that became it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ids_of(&self, chat: &ChatId) -> Result<Vec<ChatId>, Failure> {
        let prefix = keys::CHAT_SUCCESSOR_PREFIX;
        let mut earlier: BTreeMap<ChatId, Vec<ChatId>> = BTreeMap::new();
        let add = |(key, next): StoreRow| {
            let (Some(id), Ok(next)) = (key.strip_prefix(prefix), String::from_utf8(next)) else {
                return;
            };
            earlier.entry(ChatId(next)).or_default().push(ChatId(id.to_owned()));
        };
        self.repository.for_each_row(Space::Meta, prefix, add).await?;
        let mut ids = vec![chat.clone()];
        let mut read = 0;
        while let Some(id) = ids.get(read) {
            // Each id has one successor, and is taken once.
            let before = earlier.remove(id).unwrap_or_default();
            ids.extend(before.into_iter().filter(|it| it != chat));
            read += 1;
        }
        Ok(ids)
    }

    /// Handles a thread that was deleted for good while its channel is still there: its tables move
    /// to the channel, whose members could read it, so that nobody ends a game by deleting it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_thread(&self, thread: &ChatId, channel: &ChatId) -> Result<(), Failure> {
        self.leave_topic(thread, channel).await?;
        self.repository.schedule_send(channel);
        self.delete_chat(thread, None).await
    }

    /// Moves the tables and the unsent messages of a topic to its chat. The settings are those of
    /// the chat already. Its boards stay in the topic, without buttons.
    async fn leave_topic(&self, topic: &ChatId, chat: &ChatId) -> Result<(), Failure> {
        let rows = self.outbox_rows_of_chat(topic).await?;
        let listed = self.tables_of_chat(topic).await?.into_iter().map(|(_, table)| table);
        // Messages about finished games wait there, too.
        let waiting = rows.iter().filter_map(|(key, _)| OutboxKey::table_of(key));
        let tables: BTreeSet<TableId> = listed.chain(waiting).collect();
        let mut unmoved = BTreeSet::new();
        for table in tables {
            match self.repository.external_events().leave_topic(&table, topic, chat).await {
                Ok(()) => {}
                Err(failure @ Failure::Store(_)) => return Err(failure),
                Err(failure) => {
                    // A damaged table must not keep the others from moving.
                    tracing::error!(
                        table = table.0, %failure,
                        "failed to move a table from a topic"
                    );
                    unmoved.insert(table);
                }
            }
        }
        let mut puts = self.move_pause_puts(topic, chat).await?;
        for (key, value) in rows {
            let Some(parsed) = OutboxKey::parse(&key) else { continue };
            let is_left_there = match parsed.subject() {
                // The old board is edited and older ones are deleted, which topics still allow. An
                // entry of a table that cannot be moved would be refused there again and again.
                OutboxSubject::Board(table) | OutboxSubject::Removal(table) => {
                    !unmoved.contains(table)
                }
                _ => false,
            };
            if is_left_there {
                continue;
            }
            let Some(moved) = OutboxKey::moved_to_chat(&key, topic, chat) else { continue };
            puts.push(remove_row(Space::Outbox, key));
            puts.push(Put::new(Space::Outbox, moved, value));
        }
        self.repository.put_all(puts).await
    }

    /// Moves the mark of a topic in which players were cut off because the bot could not write
    /// there: the next success in the chat lets them play on.
    async fn move_pause_puts(&self, topic: &ChatId, chat: &ChatId) -> Result<Vec<Put>, Failure> {
        let old = keys::forbidden_chat_pause(topic);
        let new = keys::forbidden_chat_pause(chat);
        let Some(mark) = self.repository.read_value(Space::Meta, &old).await? else {
            return Ok(Vec::new());
        };
        let forbidden = keys::send_forbidden(topic);
        let mut puts = vec![remove_row(Space::Meta, old), remove_row(Space::Meta, forbidden)];
        if self.repository.read_value(Space::Meta, &new).await?.is_none() {
            let until_ms = self.repository.now_ms() + SUBSCRIPTION_TTL_MS;
            puts.push(Put::new(Space::Meta, new, mark).expires_at(until_ms));
        }
        Ok(puts)
    }

    /// Handles a chat that was deleted for good, or whose only message was: tables that are in no
    /// other chat end, and nothing is sent to it. A player may have deleted it to undo a loss, so
    /// rated games count as those whose message was deleted. `reader`: the account whose private
    /// chat it was, if the platform reports that the account was deleted with it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_chat(
        &self,
        chat: &ChatId,
        reader: Option<&PersonId>,
    ) -> Result<(), Failure> {
        let cause = match reader {
            Some(_) => ACCOUNT_GONE_CAUSE,
            None => clock::LOST_BOARD_CAUSE,
        };
        // A private chat in which nobody has written needs no mark.
        let needs_mark =
            reader.is_none() || self.repository.read_row(TypedRowKey::chat(chat)).await?.exists();
        if !chat.0.contains('/') && needs_mark {
            self.store_unreachable_mark(chat, None).await?;
        }
        let mut readers: Vec<PersonId> = reader.into_iter().cloned().collect();
        for person in self.end_tables(chat, EndReason::ChatGone, cause).await? {
            if !readers.contains(&person) {
                readers.push(person);
            }
        }
        for person in readers {
            self.repository.external_events().record_account_deletion(chat, &person).await?;
        }
        self.request_account_deletion(chat, reader).await?;
        let rows = self.outbox_rows_of_chat(chat).await?;
        self.repository
            .put_all(rows.into_iter().map(|(key, _)| remove_row(Space::Outbox, key)).collect())
            .await
    }

    /// Closes the open tables of a chat for the operator, with its topics. Those that are in other
    /// chats, too, leave it. Returns whether none is left, apart from those that are frozen or
    /// cannot be read.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn close_tables(&self, chat: &ChatId) -> Result<bool, Failure> {
        self.end_tables(chat, EndReason::ClosedByOperator, OPERATOR_CAUSE).await?;
        for (at, id) in self.tables_of_chat(chat).await? {
            match catch_panic(self.repository.load_table(&id)).await {
                Some(Ok(Some(table)))
                    if table.is_open()
                        && !table.is_frozen()
                        && table.chats.location_in(&at).is_some() =>
                {
                    return Ok(false);
                }
                Some(Err(failure @ Failure::Store(_))) => return Err(failure),
                Some(_) | None => {}
            }
        }
        Ok(true)
    }

    /// Ends the open tables of a chat, or lets them leave it for their other chats. Returns the
    /// people who alone read it.
    async fn end_tables(
        &self,
        chat: &ChatId,
        reason: EndReason,
        cause: &str,
    ) -> Result<Vec<PersonId>, Failure> {
        let mut readers = Vec::new();
        for (at, table) in self.tables_of_chat(chat).await? {
            match catch_panic(self.end_table((&table, &at), reason, cause)).await {
                Some(reader) => readers.extend(reader),
                None => {
                    tracing::error!(table = table.0, "failed to end a table: the code panicked")
                }
            }
        }
        Ok(readers)
    }

    /// Ends an open table of a chat, or lets it leave the chat. Returns the person who alone
    /// reads the chat.
    async fn end_table(
        &self,
        (table, at): (&TableId, &ChatId),
        reason: EndReason,
        cause: &str,
    ) -> Option<PersonId> {
        let reader = self.reader_of(table, at).await;
        let how = departure_with_chat(reader.as_ref());
        let close_table = Event::TableClosed { reason };
        let event_for = |table: &Table| {
            Some(chat_commands::chat_gone_event(table, at).unwrap_or_else(|| close_table.clone()))
        };
        let events = self.repository.external_events();
        if let Err(failure) = events.apply_while_in_chat(table, at, &event_for, cause).await {
            tracing::error!(table = table.0, %failure, "failed to end a table");
        }
        events.record_cut_off_players(table, at, how, None).await;
        reader
    }

    /// Requests the deletion of a person whose account was deleted: the platform reports the
    /// deletion of their private chat, which names its reader or has the id of the reader. Other
    /// accounts of the same person are not deleted because of that: a linked account is only
    /// marked, and deleted once it is unlinked, or once all accounts of the person are gone.
    async fn request_account_deletion(
        &self,
        chat: &ChatId,
        reader: Option<&PersonId>,
    ) -> Result<(), Failure> {
        let account = reader.cloned().unwrap_or_else(|| PersonId(chat.0.clone()));
        let row = self.repository.read_row(TypedRowKey::person(&account)).await?;
        let profile = self.repository.profiles().load_person(&account).await?;
        if !row.exists() {
            return Ok(());
        }
        let profiles = self.repository.profiles();
        let mut person = account.clone();
        if profile.linked_accounts() != LinkedAccounts::default() {
            let mark = |it: &mut PersonProfile| it.is_gone = true;
            self.repository.update_row(TypedRowKey::person(&account), mark).await?;
            person = profile.main.unwrap_or(account);
            if !profiles.are_all_gone(&profiles.accounts_of(&person).await?).await? {
                return Ok(());
            }
        }
        let requests = DeletionRequests::new(self.repository);
        requests.request(&person, Some(chat.clone()), DeletionCause::Platform).await.map(drop)
    }

    /// Handles a chat where the bot may no longer write: nothing is sent until an update comes
    /// from there. Tables that are in other chats, too, leave it; the others stay. Who plays only
    /// from a group loses no time meanwhile, except for `sender`, the person who sent the bot away.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mark_chat_unreachable(
        &self,
        chat_id: &ChatId,
        sender: &PersonId,
        newest: &LatestReport,
    ) -> Result<(), Failure> {
        if !self.store_unreachable_mark(chat_id, Some(newest)).await? {
            return Ok(());
        }
        let chat = ChatId(chat_id.without_topic().to_owned());
        for (at, table) in self.tables_of_chat(&chat).await? {
            let close_access = |table: &Table| match table.chats.location_in(&at)?.reader {
                // The reader of a private chat blocked the bot.
                Some(person) => {
                    presence::close_route(table, person, at.without_topic(), Departure::Left)
                }
                None => presence::record_bot_removal(table, sender, at.without_topic()),
            };
            if let Err(failure) = self
                .repository
                .external_events()
                .apply_to_open_table(&table, &close_access, Some(newest))
                .await
            {
                tracing::error!(table = table.0, %failure, "failed to record a departure");
            }
            let how = departure_with_chat(self.reader_of(&table, &at).await.as_ref());
            self.repository
                .external_events()
                .detach_unreachable_chat(&table, &at, how, Some(newest))
                .await?;
        }
        Ok(())
    }

    /// Handles a chat that is banned: those who play only from there, or from its topics, lose no
    /// time meanwhile. Its boards stay. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store fails. A later call does the rest.
    pub async fn close_banned_chat(&self, chat: &ChatId) -> Result<(), Failure> {
        let close = |table: &Table| presence::close_banned_chat(table, &chat.0);
        for (_, table) in self.tables_of_chat(chat).await? {
            self.repository.external_events().apply_or_log(&table, &close, "a ban").await?;
        }
        Ok(())
    }

    /// Handles the end of the ban of a chat: those who play only from there are back, and their
    /// clocks go on. Where the bot may not write, they are back with the next board. Repeating it
    /// changes nothing.
    ///
    /// # Errors
    /// When the store fails. A later call does the rest.
    pub async fn reopen_unbanned_chat(&self, chat: &ChatId) -> Result<(), Failure> {
        if self.repository.read_row(TypedRowKey::chat(chat)).await?.value().is_unreachable {
            return Ok(());
        }
        let mut tables = Vec::new();
        for (at, table) in self.tables_of_chat(chat).await? {
            let pause = keys::forbidden_chat_pause(&at);
            if self.repository.read_value(Space::Meta, &pause).await?.is_none() {
                tables.push((at, table));
            }
        }
        self.reopen_tables(chat, tables).await
    }

    /// Handles an update from a chat that could not be reached: those who play only from there are
    /// back, and their clocks go on. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reopen_chat(&self, chat_id: &ChatId) -> Result<(), Failure> {
        let chat = ChatId(chat_id.without_topic().to_owned());
        let tables = self.tables_of_chat(&chat).await?;
        self.reopen_tables(&chat, tables).await
    }

    /// Handles a chat that did not let the bot write and shows a board again: those who were cut
    /// off from its tables are back, and their clocks go on. Other topics of the chat may still be
    /// closed. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reopen_shown_chat(&self, chat_id: &ChatId) -> Result<(), Failure> {
        let chat = ChatId(chat_id.without_topic().to_owned());
        let mut tables = self.tables_of_chat(chat_id).await?;
        tables.retain(|(at, _)| at == chat_id);
        self.reopen_tables(&chat, tables).await
    }

    /// Lets those who were cut off from these tables of a chat play on, unless it is banned. Who
    /// left it meanwhile has left now.
    async fn reopen_tables(
        &self,
        chat: &ChatId,
        tables: Vec<(ChatId, TableId)>,
    ) -> Result<(), Failure> {
        if is_known_chat_banned(self.repository, chat).await? {
            return Ok(());
        }
        let reopen = |table: &Table| presence::reopen_chat(table, &chat.0);
        let resume = |table: &Table| presence::resume_departures(table, &chat.0);
        for (_, table) in tables {
            let events = self.repository.external_events();
            events.apply_or_log(&table, &reopen, "a return").await?;
            events.apply_or_log(&table, &resume, "a departure").await?;
        }
        Ok(())
    }

    /// The person who alone reads this chat of a table.
    async fn reader_of(&self, table: &TableId, at: &ChatId) -> Option<PersonId> {
        // A table that cannot be read is reported when it is used.
        let table = self.repository.load_table(table).await.ok().flatten()?;
        table.chats.location_in(at)?.reader.cloned()
    }

    /// Handles a chat without reachable readers. If it is a person's private chat, tables that
    /// others play elsewhere leave it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mark_reader_unreachable(&self, chat: &ChatId) -> Result<(), Failure> {
        for (at, table) in self.tables_of_chat(chat).await? {
            let is_private =
                |it: Arc<Table>| it.chats.location_in(&at).is_some_and(|it| it.reader.is_some());
            if self.repository.load_table(&table).await?.is_some_and(is_private) {
                self.repository
                    .external_events()
                    .detach_unreachable_chat(&table, &at, Departure::Left, None)
                    .await?;
            }
        }
        Ok(())
    }

    /// Stores that a chat cannot be reached, unless a newer report about it exists. Returns whether
    /// the mark was stored.
    async fn store_unreachable_mark(
        &self,
        chat: &ChatId,
        newest: Option<&LatestReport>,
    ) -> Result<bool, Failure> {
        for _ in 0..OUTSIDE_EVENT_TRIES {
            let stored = self.repository.read_row(TypedRowKey::chat(chat)).await?;
            let unreachable = ChatProfile { is_unreachable: true, ..stored.value().clone() };
            let mut commit = LatestReport::guarded_commit(newest);
            stored.set(&unreachable, &mut commit);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The open tables of a chat and of its topics, whose ids start with the chat and a slash.
    async fn tables_of_chat(&self, chat: &ChatId) -> Result<Vec<(ChatId, TableId)>, Failure> {
        let mut prefixes = vec![format!("{} ", chat.0)];
        if !chat.0.contains('/') {
            prefixes.push(format!("{}/", chat.0));
        }
        let mut all = Vec::new();
        for prefix in prefixes {
            for (key, _) in self.repository.read_all_rows(Space::ChatTable, &prefix).await? {
                if let Some((at, table)) = key.split_once(' ') {
                    all.push((ChatId(at.to_owned()), TableId(table.to_owned())));
                }
            }
        }
        Ok(all)
    }

    /// Moves the settings of the old id to the new one. What was set under the new id stays: an
    /// update from there may be handled before the move.
    async fn move_profile(&self, from: &ChatId, to: &ChatId) -> Result<(), Failure> {
        for _ in 0..PROFILE_MOVE_TRIES {
            let old = self.repository.read_row(TypedRowKey::chat(from)).await?;
            if !old.exists() || from.without_topic() == to.without_topic() {
                return Ok(());
            }
            let new = self.repository.read_row(TypedRowKey::chat(to)).await?;
            let mut before = old.value().clone();
            for chat in &mut before.allowed_chats {
                chat.0 = chat.0.replacen(&from.0, &to.0, 1);
            }
            let mut profile = ChatProfile { is_unreachable: false, ..new.value().clone() };
            profile.take_over(before);
            let mut commit = Commit::default();
            new.set(&profile, &mut commit);
            old.remove(&mut commit);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(());
            }
        }
        let why = format!("too many conflicting writes to the profile of {}", from.0);
        Err(StoreError::Failed(why).into())
    }

    /// Moves the marks of the last tables, of the last digest, and of people who wait for a game,
    /// to the new id, copies hidden names, and marks the new id as greeted.
    async fn move_marks_puts(&self, from: &ChatId, to: &ChatId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        let mut rename = |key: String, value: Vec<u8>, until_ms: Option<u64>| {
            let new = key.replacen(&from.0, &to.0, 1);
            puts.push(Put { expires_ms: until_ms, ..Put::new(Space::Meta, new, value) });
            puts.push(remove_row(Space::Meta, key));
        };
        let last = keys::last_table(from);
        let until_ms = self.repository.now_ms() + self.repository.limits.last_table_ttl_ms;
        for (key, value) in self.repository.read_all_rows(Space::Meta, &last).await? {
            // The id of another chat may begin with this one.
            if key[last.len()..].is_empty() || key[last.len()..].starts_with([' ', '/']) {
                rename(key, value, Some(until_ms));
            }
        }
        let until_ms = self.repository.now_ms() + SUBSCRIPTION_TTL_MS;
        // The next success lets people play on who were cut off under the old id.
        let pause = keys::forbidden_chat_pause(from);
        if let Some(mark) = self.repository.read_value(Space::Meta, &pause).await? {
            rename(pause, mark, Some(until_ms));
        }
        let digest = keys::digest_mark(from.without_topic());
        if !from.0.contains('/')
            && let Some(mark) = self.repository.read_value(Space::Meta, &digest).await?
        {
            rename(digest, mark, Some(until_ms));
        }
        for (key, value) in self
            .repository
            .read_all_rows(Space::Meta, &keys::game_subscribers_prefix(from.without_topic()))
            .await?
        {
            rename(key, value, Some(until_ms));
        }
        if !from.0.contains('/') {
            // The platform may report under the new id that the bot joined: the group knows it.
            let greeted = put_json(Space::Meta, keys::last_greeting(to), &true);
            let until_ms = self.repository.now_ms() + keys::GREETING_INTERVAL_MS;
            puts.push(greeted.expires_at(until_ms));
            puts.extend(
                self.repository
                    .moved_hidden_name_puts(from.without_topic(), to.without_topic())
                    .await?,
            );
        }
        Ok(puts)
    }

    /// Moves the unsent entries of the old chat, topics included, to the new one.
    async fn move_outbox_puts(&self, from: &ChatId, to: &ChatId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        for (key, value) in self.outbox_rows_of_chat(from).await? {
            let Some(moved) = OutboxKey::moved_to_chat(&key, from, to) else { continue };
            puts.push(remove_row(Space::Outbox, key));
            puts.push(Put::new(Space::Outbox, moved, value));
        }
        Ok(puts)
    }

    /// The unsent entries of a chat, topics included.
    async fn outbox_rows_of_chat(&self, chat: &ChatId) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let mut rows = self.repository.read_all_rows(Space::Outbox, &chat.0).await?;
        rows.retain(|(key, _)| key[chat.0.len()..].starts_with([' ', '/']));
        Ok(rows)
    }
}

/// The way in which people lose a chat that cannot be reached any more: the only reader of a
/// private chat has blocked the bot, the members of a group had no choice.
fn departure_with_chat(reader: Option<&PersonId>) -> Departure {
    match reader {
        Some(_) => Departure::Left,
        None => Departure::CutOff,
    }
}
