//! Entries: what is decided is written down, with all that follows from it, in one commit.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::effects::{TableTransition, collect_effects};
use super::seat_vacations::VacationCheckedChange;
use super::stored_rows::{remove_row, table_head_put};
use super::table_cache::TableGuard;
use super::{Failure, Repository};
use caravanserai_games::ids::PlaceId;
use caravanserai_store::{Append, Commit, Expect, Put, Space, StoreError};
use caravanserai_table::event::LogLine;
use caravanserai_table::state::Table;
use caravanserai_table::{Decision, archive};

/// What is decided at one table.
pub struct TableChange<'a> {
    /// The table, in its place or about to be opened.
    pub guard: &'a mut TableGuard,
    /// What was decided there.
    pub decision: Decision,
    /// The seat whose hand is part of the direct answer.
    pub answered_seat: Option<u8>,
}

impl TableChange<'_> {
    /// The number of the first decided line, which is the length that the log must have.
    fn first_line_number(&self) -> u64 {
        self.decision.table.version - self.decision.lines.len() as u64
    }

    /// Whether the decision was made for the table that is held. The opening of a table follows
    /// only from an empty log, so it is never appended to the log of another table with the same
    /// code.
    fn applies_to_held_table(&self) -> bool {
        self.guard.opened_table().map_or(0, |it| it.version) == self.first_line_number()
    }
}

/// What came of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CommitOutcome {
    /// It is durable.
    Committed,
    /// Somebody else was first: nothing was written. The tables have to be read anew.
    Conflict,
}

/// A table that has changed just now, for those who act on it.
pub struct ChangedTable {
    /// The table as it is.
    pub table: Arc<Table>,
    /// Whether a computer has to think.
    pub computer_thinks: bool,
    /// Whether the board can wait for that computer: what a person did and what it answers are
    /// shown together.
    pub board_waits: bool,
}

impl Repository {
    /// Writes decisions and the rows that belong to them in one commit, then notifies the
    /// [`ChangeListener`](super::ChangeListener). Adds first what has to be noted of people who get a seat,
    /// see [`seat_vacations`](super::seat_vacations).
    ///
    /// # Errors
    /// When the store fails: it may have happened all the same, see [`Repository::reload_table`].
    pub async fn commit_changes(
        &self,
        deeds: Vec<TableChange<'_>>,
        mut commit: Commit,
    ) -> Result<CommitOutcome, Failure> {
        if deeds.iter().any(|it| !it.applies_to_held_table()) {
            deeds.into_iter().for_each(|it| it.guard.invalidate());
            return Ok(CommitOutcome::Conflict);
        }
        let apart = addressed_places(&commit);
        let deeds = self.add_seat_vacations(deeds, &mut commit).await?;
        let mut changed = Vec::with_capacity(deeds.len());
        for deed in &deeds {
            changed.push(self.add_change(deed, &mut commit));
        }
        let places = addressed_places(&commit);
        let done = self.write_and_publish(commit, &places).await;
        if !matches!(done, Ok(CommitOutcome::Committed)) {
            deeds.into_iter().for_each(|it| it.into_change().guard.invalidate());
            return done;
        }
        let mut left = places;
        for (checked, (thinks, patient)) in deeds.into_iter().zip(changed) {
            let deed = checked.into_change();
            let table = Arc::new(deed.decision.table);
            left.retain(|place| table.location_in(place).is_none());
            deed.guard.set_committed(table.clone());
            self.notify_listener(|it| {
                it.handle_table_change(ChangedTable {
                    table: table.clone(),
                    computer_thinks: thinks,
                    board_waits: patient,
                })
            });
        }
        // Places that a table has left are told so, and so are those of what came beside it.
        apart.union(&left).for_each(|place| self.schedule_send(place));
        Ok(CommitOutcome::Committed)
    }

    /// Adds a deed with all that follows to a commit; whether a computer thinks then, and whether
    /// it may be waited for.
    fn add_change(&self, checked: &VacationCheckedChange<'_>, commit: &mut Commit) -> (bool, bool) {
        let deed = checked.change();
        let Decision { lines, table: after, .. } = &deed.decision;
        let before = deed.guard.opened_table().map(|it| &**it);
        let change = TableTransition { before, after, lines, answered_seat: deed.answered_seat };
        let follows = collect_effects(change, &self.limits);
        commit.puts.extend(follows.puts);
        let written = lines.iter().map(LogLine::encode).collect();
        match (before, deed.guard.record()) {
            (Some(_), Some(record)) => restore_log(after, record, written, commit),
            (before, _) => {
                if before.is_none() {
                    // A code is free when there is neither a log nor a record under it.
                    commit.expect.push(Expect::absent(Space::Archive, after.id.0.clone()));
                }
                commit.appends.push(Append::new(
                    after.id.0.clone(),
                    deed.first_line_number(),
                    written,
                ));
            }
        }
        // Where one computer after another plays, people see something in between.
        let patient = lines.iter().all(|it| it.cause != COMPUTER_CAUSE);
        (follows.computer_thinks, patient)
    }

    /// Writes rows. Whatever is put into the outbox is sent, by this process or by another.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn commit_rows(&self, commit: Commit) -> Result<CommitOutcome, Failure> {
        let places = addressed_places(&commit);
        let entered = self.write_and_publish(commit, &places).await?;
        if entered == CommitOutcome::Committed {
            places.iter().for_each(|place| self.schedule_send(place));
        }
        Ok(entered)
    }

    /// Writes, and tells other processes of these places.
    async fn write_and_publish(
        &self,
        mut commit: Commit,
        places: &BTreeSet<PlaceId>,
    ) -> Result<CommitOutcome, Failure> {
        debug_assert!(commit.puts.iter().all(|it| is_allowed_put(it, &commit)), "a blind write");
        let topics = places.iter().map(|it| format!("place {} {}", it.0, self.replica));
        commit.topics.extend(topics);
        match self.store.commit(commit).await {
            Ok(()) => Ok(CommitOutcome::Committed),
            Err(StoreError::Conflict) => Ok(CommitOutcome::Conflict),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether a row may be written: profiles only with the condition that they are what was read, see
/// [`super::changes`]. Rows that map names to people are not read before.
fn is_allowed_put(put: &Put, commit: &Commit) -> bool {
    let is_profile = matches!(put.space, Space::Person | Space::Place) && !put.key.starts_with('@');
    let expected = |it: &Expect| it.space == put.space && it.key == put.key;
    !is_profile || commit.expect.iter().any(expected)
}

/// The log of a table takes the place of its record again, with new lines after the old ones.
fn restore_log(after: &Table, record: &[u8], written: Vec<String>, commit: &mut Commit) {
    let id = &after.id.0;
    commit.expect.push(Expect::equals(Space::Archive, id.clone(), record));
    let mut lines = Vec::new();
    if !written.is_empty() {
        lines = archive::unpack(record).expect("the table was read from this record");
        lines.extend(written);
        commit.puts.push(remove_row(Space::Archive, id.clone()));
        commit.puts.push(table_head_put(after));
    }
    commit.appends.push(Append::new(id.clone(), 0, lines));
}

/// The places that something is put into the outbox for.
fn addressed_places(commit: &Commit) -> BTreeSet<PlaceId> {
    let is_letter = |it: &&Put| it.space == Space::Outbox && it.value.is_some();
    let place = |key: &str| PlaceId(key.split(' ').next().unwrap_or_default().to_owned());
    commit.puts.iter().filter(is_letter).map(|it| place(&it.key)).collect()
}

/// The cause of what computers do, in logs.
pub const COMPUTER_CAUSE: &str = "computer";
