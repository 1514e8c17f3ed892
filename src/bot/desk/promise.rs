//! Stores and keeps promises of chance: the code and the seed of a next table, see
//! [`caravanserai_table::promise`].

use serde::{Deserialize, Serialize};

use super::Desk;
use super::opening::Plan;
use crate::ledger::rows::put;
use crate::ledger::{Failure, Held, code_of, keys};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Put, Space};
use caravanserai_table::promise::{self, DerivedBytes, Promise};
use caravanserai_table::{Decision, Event, Table};

/// A promised table. Its seed is secret until the game is over.
pub(super) struct Promised {
    pub(super) table: TableId,
    pub(super) seed: [u8; 32],
}

/// The row of a promised table.
#[derive(Serialize, Deserialize)]
struct Kept {
    table: String,
    seed: [u8; 32],
}

impl Desk {
    /// Adds the promise of the next table to a decision that offers a rematch, and returns the row
    /// with its secret.
    pub(super) fn promise(&self, decision: Decision) -> (Decision, Option<Put>) {
        if !promise::is_due(&decision) {
            return (decision, None);
        }
        let promised = Promised { table: self.ledger.new_code(), seed: self.seed() };
        let until_ms = self.ledger.now_ms() + self.ledger.limits().messages_ms;
        let key = keys::promise(&decision.next.id);
        let kept = Kept { table: promised.table.0.clone(), seed: promised.seed };
        let row = put(Space::Meta, key, &kept).until(until_ms);
        (promise::add_to(decision, promised.table, &promised.seed), Some(row))
    }

    /// The table that was promised for the rematch; `None` if none was, or its code is taken.
    pub(super) async fn promised(&self, old: &Table) -> Result<Option<Promised>, Failure> {
        let Some(promise) = &old.promises else { return Ok(None) };
        let row = self.ledger.value(Space::Meta, &keys::promise(&old.id)).await?;
        let kept = row.and_then(|it| serde_json::from_slice::<Kept>(&it).ok());
        let promised = kept.map(|it| Promised { table: TableId(it.table), seed: it.seed });
        let is_meant = |it: &Promised| Promise::of(Some(it.table.clone()), &it.seed) == *promise;
        self.if_free(promised.filter(is_meant)).await
    }

    /// The promised table, unless its code is taken: a seed is never used twice.
    pub(super) async fn if_free(
        &self,
        promised: Option<Promised>,
    ) -> Result<Option<Promised>, Failure> {
        let Some(promised) = promised else { return Ok(None) };
        let is_free = self.ledger.lines(&promised.table).await?.is_empty();
        Ok(is_free.then_some(promised))
    }

    /// Holds the promised table, or a new one. Where the promised one is taken the promise is
    /// dropped: a seed is used only at the table for which it was promised.
    pub(super) fn hold_promised(&self, promised: &mut Option<Promised>) -> Option<Held> {
        let reserved = promised.as_ref().and_then(|it| self.ledger.reserve(&it.table));
        if reserved.is_none() {
            *promised = None;
        }
        reserved.or_else(|| self.ledger.hold_new())
    }

    /// The promise of a challenge, derived from the secret of its author and a word of the
    /// challenge.
    pub(super) fn promised_by(secret: &[u8; 32], word: &str) -> Promised {
        let mut drawn = DerivedBytes::new(secret, word);
        let mut seed = [0; 32];
        drawn.fill(&mut seed);
        Promised { table: code_of(&mut |bytes| drawn.fill(bytes)), seed }
    }
}

/// A plan that uses the promised seed, if there is one: the log of the table names it first. `old`:
/// the table where it was promised.
pub(super) fn with_promise(plan: Plan, promised: Option<&Promised>, old: Option<&TableId>) -> Plan {
    let Some(Promised { seed, .. }) = promised else { return plan };
    let (mut setup, mut then, begins) = plan;
    setup.seed = *seed;
    then.insert(0, Event::Promised(Promise::of(old.cloned(), seed)));
    (setup, then, begins)
}
