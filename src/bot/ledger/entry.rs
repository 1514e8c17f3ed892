//! Entries: what is decided is written down, with all that follows from it, in one commit.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::consequences::{Change, consequences};
use super::rows::{cut, head_put};
use super::seating::Checked;
use super::tables::Held;
use super::{Failure, Ledger};
use caravanserai_games::ids::PlaceId;
use caravanserai_store::{Append, Commit, Expect, Put, Space, StoreError};
use caravanserai_table::event::Line;
use caravanserai_table::fold::Table;
use caravanserai_table::{Decision, archive};

/// What is decided at one table.
pub struct Deed<'a> {
    /// The table, in its place or about to be opened.
    pub held: &'a mut Held,
    /// What was decided there.
    pub decision: Decision,
    /// The seat whose hand is part of the direct answer.
    pub answered: Option<u8>,
}

impl Deed<'_> {
    /// The number of the first decided line, which is the length that the log must have.
    fn position(&self) -> u64 {
        self.decision.next.version - self.decision.lines.len() as u64
    }

    /// Whether the decision was made for the table that is held. The opening of a table follows
    /// only from an empty log, so it is never appended to the log of another table with the same
    /// code.
    fn follows(&self) -> bool {
        self.held.opened().map_or(0, |it| it.version) == self.position()
    }
}

/// What came of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Entered {
    /// It is durable.
    Done,
    /// Somebody else was first: nothing was written. The tables have to be read anew.
    Conflict,
}

/// A table that has changed just now, for those who act on it.
pub struct Changed {
    /// The table as it is.
    pub table: Arc<Table>,
    /// Whether a computer has to think.
    pub thinks: bool,
    /// Whether the board can wait for that computer: what a person did and what it answers are
    /// shown together.
    pub patient: bool,
}

impl Ledger {
    /// Writes decisions and the rows that belong to them in one commit, then notifies the
    /// [`Aftermath`](super::Aftermath). Adds first what has to be noted of people who get a seat,
    /// see [`seating`](super::seating).
    ///
    /// # Errors
    /// When the store fails: it may have happened all the same, see [`Ledger::reload`].
    pub async fn enter(
        &self,
        deeds: Vec<Deed<'_>>,
        mut commit: Commit,
    ) -> Result<Entered, Failure> {
        if deeds.iter().any(|it| !it.follows()) {
            deeds.into_iter().for_each(|it| it.held.forget());
            return Ok(Entered::Conflict);
        }
        let apart = addressed(&commit);
        let deeds = self.check_seats(deeds, &mut commit).await?;
        let mut changed = Vec::with_capacity(deeds.len());
        for deed in &deeds {
            changed.push(self.add(deed, &mut commit));
        }
        let places = addressed(&commit);
        let done = self.written(commit, &places).await;
        if !matches!(done, Ok(Entered::Done)) {
            deeds.into_iter().for_each(|it| it.into_deed().held.forget());
            return done;
        }
        let mut left = places;
        for (checked, (thinks, patient)) in deeds.into_iter().zip(changed) {
            let deed = checked.into_deed();
            let table = Arc::new(deed.decision.next);
            left.retain(|place| table.spot(place).is_none());
            deed.held.replace(table.clone());
            self.told(|it| it.changed(Changed { table: table.clone(), thinks, patient }));
        }
        // Places that a table has left are told so, and so are those of what came beside it.
        apart.union(&left).for_each(|place| self.wake(place));
        Ok(Entered::Done)
    }

    /// Adds a deed with all that follows to a commit; whether a computer thinks then, and whether
    /// it may be waited for.
    fn add(&self, checked: &Checked<'_>, commit: &mut Commit) -> (bool, bool) {
        let deed = checked.deed();
        let Decision { lines, next: after, .. } = &deed.decision;
        let before = deed.held.opened().map(|it| &**it);
        let change = Change { before, after, lines, answered: deed.answered };
        let follows = consequences(change, &self.limits);
        commit.puts.extend(follows.puts);
        let written = lines.iter().map(Line::write).collect();
        match (before, deed.held.record()) {
            (Some(_), Some(record)) => put_back(after, record, written, commit),
            (before, _) => {
                if before.is_none() {
                    // A code is free when there is neither a log nor a record under it.
                    commit.expect.push(Expect::absent(Space::Archive, after.id.0.clone()));
                }
                commit.appends.push(Append::new(after.id.0.clone(), deed.position(), written));
            }
        }
        // Where one computer after another plays, people see something in between.
        let patient = lines.iter().all(|it| it.cause != COMPUTER);
        (follows.thinks, patient)
    }

    /// Writes rows. Whatever is put into the outbox is sent, by this process or by another.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn commit(&self, commit: Commit) -> Result<Entered, Failure> {
        let places = addressed(&commit);
        let entered = self.written(commit, &places).await?;
        if entered == Entered::Done {
            places.iter().for_each(|place| self.wake(place));
        }
        Ok(entered)
    }

    /// Writes, and tells other processes of these places.
    async fn written(
        &self,
        mut commit: Commit,
        places: &BTreeSet<PlaceId>,
    ) -> Result<Entered, Failure> {
        debug_assert!(commit.puts.iter().all(|it| may_be_put(it, &commit)), "a blind write");
        let topics = places.iter().map(|it| format!("place {} {}", it.0, self.replica));
        commit.tell.extend(topics);
        match self.store.commit(commit).await {
            Ok(()) => Ok(Entered::Done),
            Err(StoreError::Conflict) => Ok(Entered::Conflict),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether a row may be written: profiles only with the condition that they are what was read, see
/// [`super::changes`]. Rows that map names to people are not read before.
fn may_be_put(put: &Put, commit: &Commit) -> bool {
    let is_profile = matches!(put.space, Space::Person | Space::Place) && !put.key.starts_with('@');
    let expected = |it: &Expect| it.space == put.space && it.key == put.key;
    !is_profile || commit.expect.iter().any(expected)
}

/// The log of a table takes the place of its record again, with new lines after the old ones.
fn put_back(after: &Table, record: &[u8], written: Vec<String>, commit: &mut Commit) {
    let id = &after.id.0;
    commit.expect.push(Expect::equal(Space::Archive, id.clone(), record));
    let mut lines = Vec::new();
    if !written.is_empty() {
        lines = archive::unpack(record).expect("the table was read from this record");
        lines.extend(written);
        commit.puts.push(cut(Space::Archive, id.clone()));
        commit.puts.push(head_put(after));
    }
    commit.appends.push(Append::new(id.clone(), 0, lines));
}

/// The places that something is put into the outbox for.
fn addressed(commit: &Commit) -> BTreeSet<PlaceId> {
    let is_letter = |it: &&Put| it.space == Space::Outbox && it.value.is_some();
    let place = |key: &str| PlaceId(key.split(' ').next().unwrap_or_default().to_owned());
    commit.puts.iter().filter(is_letter).map(|it| place(&it.key)).collect()
}

/// The cause of what computers do, in logs.
pub const COMPUTER: &str = "computer";
