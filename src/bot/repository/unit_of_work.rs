//! Commits decisions at tables together with all their effects, atomically.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::effects::{TableTransition, collect_effects};
use super::outbox_entry::WaitingViewer;
use super::outbox_key::OutboxKey;
use super::seat_vacations::VacationCheckedChange;
use super::stored_rows::{remove_row, table_head_put};
use super::table_cache::TableGuard;
use super::{DAY_MS, Failure, Repository, keys};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_store::{Append, Commit, Expect, Put, Space, StoreError};
use caravanserai_table::event::{Event, LogLine};
use caravanserai_table::state::{Table, TablePhase};
use caravanserai_table::{Decision, archive};

/// How long the mark of a restored log is kept, in milliseconds: longer than any pass over all logs
/// and records.
const RESTORED_LOG_TTL_MS: u64 = 7 * DAY_MS;

/// The most chats that are kept because a commit for them has failed.
const UNCERTAIN_PLACES_MAX: usize = 1_000;

/// A decision at one table.
pub struct TableChange<'a> {
    /// The table, locked in its slot or about to be opened.
    pub guard: &'a mut TableGuard,
    /// The decision made there.
    pub decision: Decision,
    /// The seat whose hand is part of the direct reply.
    pub answered_seat: Option<u8>,
    /// The person who waits to see the change, for changes by updates.
    pub waiting: Option<WaitingInChat>,
}

/// A person who waits to see their action at a table.
pub struct WaitingInChat {
    /// The chat where they acted.
    pub chat: ChatId,
    /// Their seat and since when they wait.
    pub viewer: WaitingViewer,
}

impl<'a> TableChange<'a> {
    /// A change for which nobody waits.
    pub fn new(guard: &'a mut TableGuard, decision: Decision) -> Self {
        TableChange { guard, decision, answered_seat: None, waiting: None }
    }

    /// The people who have a seat at an open table after this change, and had none before. A seat
    /// in play that only counts as another account of its player is not a new one: linking must not
    /// change whether a game is rated.
    pub(crate) fn newly_seated(&self) -> Vec<PersonId> {
        let after = &self.decision.table;
        if !after.is_open() {
            return Vec::new();
        }
        let before = self.guard.opened_table();
        let had_seat = |it: &PersonId| before.is_some_and(|table| table.seating.is_seated(it));
        let is_in_play = before.is_some_and(|it| it.phase == TablePhase::Playing);
        let is_merged = |it: &PersonId| {
            let merges = |event: &Event| {
                let Event::AccountsMerged { person, .. } = event else { return false };
                person == it
            };
            is_in_play && self.decision.events().any(merges)
        };
        let is_new = |it: &&PersonId| !had_seat(it) && !is_merged(it);
        after.seating.people().into_iter().filter(is_new).cloned().collect()
    }

    /// The same, for seats that are taken before the start or with it: only players who play from
    /// the start decide whether a game counts for ratings.
    pub(crate) fn newly_seated_before_start(&self) -> Vec<PersonId> {
        let before = self.guard.opened_table();
        match before.is_some_and(|it| it.phase == TablePhase::Playing) {
            true => Vec::new(),
            false => self.newly_seated(),
        }
    }

    /// The people who decide by this change whether a game counts for ratings: all whose game
    /// starts, or those who get a seat in a lobby.
    pub(crate) fn people_before_start(&self) -> Vec<PersonId> {
        let after = &self.decision.table;
        let mut events = self.decision.events();
        match after.is_open() && events.any(|it| matches!(it, Event::Started { .. })) {
            true => after.seating.people().into_iter().cloned().collect(),
            false => self.newly_seated_before_start(),
        }
    }

    /// The number of the first decided line, which is the length that the log must have.
    fn first_line_number(&self) -> u64 {
        self.decision.table.version - self.decision.lines.len() as u64
    }

    /// Whether the decision was made for the locked table. The opening of a table is valid only on
    /// an empty log, so it is never appended to the log of another table with the same code.
    fn applies_to_locked_table(&self) -> bool {
        self.guard.opened_table().map_or(0, |it| it.version) == self.first_line_number()
    }
}

/// The outcome of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CommitOutcome {
    /// The commit is durable.
    Committed,
    /// A concurrent change came first: nothing was written. The tables have to be read again.
    Conflict,
}

/// A table that has just changed, for the [`ChangeListener`](super::ChangeListener).
pub struct ChangedTable {
    /// The table after the change.
    pub table: Arc<Table>,
    /// Whether a computer has to think.
    pub computer_thinks: bool,
    /// Whether the board can wait for that computer: a person's action and the computer's reply are
    /// shown together.
    pub board_waits: bool,
}

impl Repository {
    /// Writes decisions and the rows that belong to them in one commit, then notifies the
    /// [`ChangeListener`](super::ChangeListener). Before that, refuses to name people, or to bring
    /// tables to chats, whose data is being deleted, see `deletion_conflicts`, and to seat people
    /// together who block each other, see `seat_blocks`, and adds the vacations of people who get a
    /// seat, see `seat_vacations`, whether they are guests, see `guests`, their pauses from rated
    /// games, see `rating_pauses`, and the limits for the games of a pair, see `pair_limits`.
    ///
    /// # Errors
    /// [`Failure::SeatBlocked`], [`Failure::ChatBeingDeleted`], or when the store fails. After a
    /// failure of the store, the commit may have succeeded nevertheless, see
    /// [`Repository::reload_table`].
    pub async fn commit_changes(
        &self,
        changes: Vec<TableChange<'_>>,
        mut commit: Commit,
    ) -> Result<CommitOutcome, Failure> {
        self.check_deletions(&changes, &mut commit).await?;
        self.check_seat_blocks(&changes, &mut commit).await?;
        let changes = self.add_pair_limits(changes, &mut commit).await?;
        self.commit_seated_changes(changes, commit).await
    }

    /// Writes decisions as [`Repository::commit_changes`], for people who have met before.
    ///
    /// # Errors
    /// When the store fails, as there.
    pub(super) async fn commit_seated_changes(
        &self,
        changes: Vec<TableChange<'_>>,
        mut commit: Commit,
    ) -> Result<CommitOutcome, Failure> {
        if changes.iter().any(|it| !it.applies_to_locked_table()) {
            changes.into_iter().for_each(|it| it.guard.invalidate());
            return Ok(CommitOutcome::Conflict);
        }
        let extra_chats = addressed_chats(&commit);
        let changes = self.add_rating_blocks(changes).await?;
        let changes = self.add_guests(changes).await?;
        let changes = self.add_rating_pauses(changes).await?;
        let changes = self.add_seat_vacations(changes, &mut commit).await?;
        let mut changed = Vec::with_capacity(changes.len());
        for table_change in &changes {
            changed.push(self.add_change(table_change, &mut commit));
        }
        let chats = addressed_chats(&commit);
        let outcome = self.write_and_publish(commit, &chats).await;
        if !matches!(outcome, Ok(CommitOutcome::Committed)) {
            changes.into_iter().for_each(|it| it.into_change().guard.invalidate());
            return outcome;
        }
        let mut left_chats = chats;
        for (checked, AddedChange { computer_thinks, board_waits }) in
            changes.into_iter().zip(changed)
        {
            let table_change = checked.into_change();
            let table = Arc::new(table_change.decision.table);
            left_chats.retain(|chat| table.chats.location_in(chat).is_none());
            let names = self.known_hidden_names();
            table_change.guard.set_committed(table.clone(), &table_change.decision.lines, &names);
            self.notify_listener(|it| {
                it.handle_table_change(ChangedTable {
                    table: table.clone(),
                    computer_thinks,
                    board_waits,
                })
            });
        }
        // Wakes the senders of chats that a table has left, and of chats with additional entries.
        extra_chats.union(&left_chats).for_each(|chat| self.schedule_send(chat));
        Ok(CommitOutcome::Committed)
    }

    /// Adds a change with its effects to a commit.
    fn add_change(&self, checked: &VacationCheckedChange<'_>, commit: &mut Commit) -> AddedChange {
        let table_change = checked.change();
        let Decision { lines, table: after, .. } = &table_change.decision;
        let before = table_change.guard.opened_table().map(|it| &**it);
        let change = TableTransition {
            before,
            after,
            lines,
            answered_seat: table_change.answered_seat,
            waiting: table_change.waiting.as_ref(),
        };
        let effects = collect_effects(change, &self.limits, self.now_ms());
        commit.puts.extend(effects.puts);
        let encoded_lines = lines.iter().map(LogLine::encode).collect();
        match (before, table_change.guard.record()) {
            (Some(_), Some(record)) => restore_log(after, record, encoded_lines, commit),
            (before, _) => {
                if before.is_none() {
                    // A code is free if there is neither a log nor a record under it, nor was.
                    commit.expect.push(Expect::absent(Space::Archive, after.id.0.clone()));
                    let removed = keys::removed_game(&after.id);
                    commit.expect.push(Expect::absent(Space::Meta, removed));
                }
                commit.appends.push(Append::new(
                    after.id.0.clone(),
                    table_change.first_line_number(),
                    encoded_lines,
                ));
            }
        }
        AddedChange {
            computer_thinks: effects.computer_thinks,
            // If several computers play in succession, people see the boards in between.
            board_waits: lines.iter().all(|it| it.cause != COMPUTER_CAUSE),
        }
    }

    /// Writes rows. New outbox entries are sent, by this process or by another one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn commit_rows(&self, commit: Commit) -> Result<CommitOutcome, Failure> {
        let chats = addressed_chats(&commit);
        let outcome = self.write_and_publish(commit, &chats).await?;
        if outcome == CommitOutcome::Committed {
            chats.iter().for_each(|chat| self.schedule_send(chat));
        }
        Ok(outcome)
    }

    /// Writes, and notifies other processes of new entries for these chats.
    async fn write_and_publish(
        &self,
        mut commit: Commit,
        chats: &BTreeSet<ChatId>,
    ) -> Result<CommitOutcome, Failure> {
        debug_assert!(commit.puts.iter().all(|it| is_allowed_put(it, &commit)), "a blind write");
        let topics = chats.iter().map(|it| format!("place {} {}", it.0, self.replica));
        commit.topics.extend(topics);
        match self.store.commit(commit).await {
            Ok(()) => Ok(CommitOutcome::Committed),
            Err(StoreError::Conflict) => Ok(CommitOutcome::Conflict),
            Err(error) => {
                self.add_uncertain_chats(chats);
                Err(error.into())
            }
        }
    }

    /// Notes the chats of a commit that failed without a clear result. If it was made already,
    /// only its reply was lost; if it is made later, the store reports that.
    fn add_uncertain_chats(&self, chats: &BTreeSet<ChatId>) {
        let mut uncertain = self.uncertain_chats.lock();
        uncertain.extend(chats.iter().cloned());
        while uncertain.len() > UNCERTAIN_PLACES_MAX {
            uncertain.pop_last();
        }
        drop(uncertain);
        if self.store.is_shared() {
            chats.iter().for_each(|chat| self.schedule_send(chat));
        }
    }

    /// Whether a commit of this process for this chat has failed without a clear result since the
    /// last call. If the store reports a change there, the commit was made after all.
    pub(crate) fn take_uncertain_chat(&self, chat: &ChatId) -> bool {
        self.uncertain_chats.lock().remove(chat)
    }
}

/// The consequences of a change that was added to a commit.
struct AddedChange {
    /// A computer has to think.
    computer_thinks: bool,
    /// The board may be shown when the computers have played.
    board_waits: bool,
}

/// Whether a row may be written: profiles only with the condition that they are unchanged since
/// they were read, see [`super::row_update`]. Rows that map names to people are not read before.
fn is_allowed_put(put: &Put, commit: &Commit) -> bool {
    let is_profile =
        matches!(put.space, Space::Person | Space::ChatProfile) && !put.key.starts_with('@');
    let is_condition = |it: &Expect| it.space == put.space && it.key == put.key;
    !is_profile || commit.expect.iter().any(is_condition)
}

/// Replaces the record of a table by its log again, with new lines after the old ones. A pass over
/// all logs and records may miss the table, so a mark lists it.
fn restore_log(after: &Table, record: &[u8], encoded_lines: Vec<String>, commit: &mut Commit) {
    let id = &after.id.0;
    commit.expect.push(Expect::equals(Space::Archive, id.clone(), record));
    let mut lines = Vec::new();
    if !encoded_lines.is_empty() {
        lines = archive::unpack(record).expect("the table was read from this record");
        lines.extend(encoded_lines);
        commit.puts.push(remove_row(Space::Archive, id.clone()));
        commit.puts.push(table_head_put(after));
        let until_ms = after.times.last_event_ms + RESTORED_LOG_TTL_MS;
        let mark = Put::new(Space::Meta, keys::restored_log(&after.id), Vec::new());
        commit.puts.push(mark.expires_at(until_ms));
    }
    commit.appends.push(Append::new(id.clone(), 0, lines));
}

/// The chats with new outbox entries in a commit.
fn addressed_chats(commit: &Commit) -> BTreeSet<ChatId> {
    let is_outbox_put = |it: &&Put| it.space == Space::Outbox && it.value.is_some();
    let entries = commit.puts.iter().filter(is_outbox_put);
    entries.map(|it| OutboxKey::chat_of(&it.key)).collect()
}

/// The cause of computers' actions, in logs.
pub const COMPUTER_CAUSE: &str = "computer";
