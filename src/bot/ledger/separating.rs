//! Separates two tables in one log, see [`separate`]: when the first one is used next, and by one
//! search of all logs after a start.
//!
//! One commit notes in the first log that the other table has a log of its own, opens that log, and
//! writes the rows of lists, deadlines and boards of both tables. Of several processes one
//! succeeds, and a process that stops half-way has written nothing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::consequences::{Change, consequences};
use super::entry::Changed;
use super::rows::{head_put, parse, put};
use super::{Deed, Entered, Failure, Held, Ledger, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Append, Commit, Expect, Read, Space};
use caravanserai_table::event::{Event, Line};
use caravanserai_table::separate::{self, Misplaced};
use caravanserai_table::{Decision, Stamp, Table, clock, happening};

/// How often it is tried again when another process does the same.
const TRIES: usize = 4;

/// The number of logs that are read at once.
const PAGE: usize = 50;

/// How far the logs of a store were searched for logs of two tables.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Search {
    /// The last table whose log was read.
    after: String,
    /// Whether all logs were read.
    done: bool,
}

/// The cause of the lines that note it.
const CAUSE: &str = "parted";

impl Ledger {
    /// Searches the next page of logs for logs of two tables; whether all were searched. That is
    /// done once for a store, because no new ones can appear.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn separate_page(&self) -> Result<bool, Failure> {
        let stored = self.value(Space::Meta, keys::SEPARATED).await?;
        let mut search: Search = parse(stored.clone());
        if search.done {
            return Ok(true);
        }
        let after = (!search.after.is_empty()).then_some(search.after.as_str());
        let heads = self.store.scan(Space::Head, "", after, PAGE).await?;
        let reads: Vec<Read> = heads.iter().map(|(key, _)| Read::log(key.clone(), 0)).collect();
        for ((key, _), found) in heads.iter().zip(self.read(&reads).await?) {
            let id = TableId(key.clone());
            if separate::has_two_openings(&found.lines()?)
                && let Err(failure) = self.hold(&id).await
            {
                tracing::error!(table = id.0, %failure, "could not separate two tables");
            }
        }
        search.done = heads.len() < PAGE;
        let last = heads.last().filter(|_| !search.done);
        search.after = last.map(|(key, _)| key.clone()).unwrap_or_default();
        let is_last = search.done;
        let expect =
            vec![Expect { space: Space::Meta, key: keys::SEPARATED.to_owned(), value: stored }];
        let puts = vec![put(Space::Meta, keys::SEPARATED.to_owned(), &search)];
        let entered = self.commit(Commit { expect, ..Commit::of(puts) }).await?;
        Ok(is_last && entered == Entered::Done)
    }

    /// Moves the table at the end of the log of another one to a log of its own.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn separate(&self, held: &mut Held) -> Result<(), Failure> {
        for _ in 0..TRIES {
            let Some(misplaced) = held.table().misplaced() else { return Ok(()) };
            if self.separate_once(held, misplaced).await? == Entered::Done {
                return Ok(());
            }
            if !self.reload(held).await? {
                break;
            }
        }
        Err(Failure::Damaged(held.id().clone(), "two tables have this code".to_owned()))
    }

    async fn separate_once(
        &self,
        held: &mut Held,
        misplaced: Misplaced,
    ) -> Result<Entered, Failure> {
        let (id, now_ms) = (held.id().clone(), self.now_ms());
        let stamp = Stamp::at(now_ms, CAUSE);
        let lines = self.lines(&id).await?;
        let from = usize::try_from(misplaced.from).unwrap_or(usize::MAX);
        let other = lines.get(from..).unwrap_or_default();
        let Some(mut fresh) = self.hold_new() else { return Ok(Entered::Conflict) };
        let mut seed = [0; 32];
        self.random(&mut seed);
        let reopened = separate::reopened(other, fresh.id(), seed, stamp.clone());
        if let Err(why) = &reopened {
            tracing::error!(table = id.0, why, "could not open the second table of a log again");
        }
        let table = reopened.is_ok().then(|| fresh.id().clone());
        let parted = parted(held.table(), Event::Parted(table), misplaced, stamp)
            .map_err(|why| Failure::Damaged(id.clone(), why))?;
        // Lists, deadlines and boards under this code are those of the other table.
        let before = Table::fold(&id, other).ok();
        let change = Change {
            before: before.as_ref(),
            after: &parted.next,
            lines: &parted.lines,
            answered: None,
        };
        let mut follows = consequences(change, self.limits());
        follows.puts.push(head_put(&parted.next));
        let written = parted.lines.iter().map(Line::write).collect();
        let appends = vec![Append::new(id.0.clone(), held.table().version, written)];
        let commit = Commit { appends, ..Commit::of(follows.puts) };
        let mut deeds = Vec::new();
        if let Ok(decision) = reopened {
            deeds.push(Deed { held: &mut fresh, decision, answered: None });
        }
        let entered = self.enter(deeds, commit).await?;
        if entered == Entered::Done {
            tracing::warn!(table = id.0, "two tables had the same code: they were separated");
            let table = Arc::new(parted.next);
            held.replace(table.clone());
            self.told(|it| it.changed(Changed { table, thinks: follows.thinks, patient: true }));
        }
        Ok(entered)
    }
}

/// Notes the separation at the first table. Nobody could play there since the other one was opened,
/// so the clock that runs gets that time back.
fn parted(
    table: &Table,
    event: Event,
    misplaced: Misplaced,
    stamp: Stamp,
) -> Result<Decision, String> {
    let now_ms = stamp.at_ms;
    let mut noted = happening(table, event, stamp)?;
    if let Some(given) = clock::given_back(&noted.next, misplaced.at_ms, now_ms) {
        noted.lines.extend(given.lines);
        noted.next = given.next;
    }
    Ok(noted)
}
