//! Stores and loads promised tables: the code and the seed of a next table, see
//! [`caravanserai_table::promise`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::open_table::OpeningPlan;
use crate::repository::stored_rows::put_json;
use crate::repository::{Failure, Repository, TableGuard, keys, table_code_from};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Put, Space};
use caravanserai_table::seed_commitment::{self, DerivedBytes, SeedCommitment};
use caravanserai_table::{Decision, Event, Table};

/// A promised table. Its seed is secret until the game is over.
pub(crate) struct PromisedTable {
    pub(crate) table: TableId,
    pub(crate) seed: [u8; 32],
}

/// The row of a promised table.
#[derive(Serialize, Deserialize)]
struct PromiseRow {
    table: String,
    seed: [u8; 32],
}

/// Keeps the promises of next tables.
pub(crate) struct SeedPromises {
    repository: Arc<Repository>,
}

impl SeedPromises {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// Adds the promise of the next table to a decision that offers a rematch, and returns the row
    /// with its secret.
    pub(crate) fn add_promise(&self, decision: Decision) -> (Decision, Option<Put>) {
        if !seed_commitment::needs_next_commitment(&decision) {
            return (decision, None);
        }
        let promised = PromisedTable {
            table: self.repository.new_table_code(),
            seed: new_seed(&self.repository),
        };
        let until_ms = self.repository.now_ms() + self.repository.limits().message_ttl_ms;
        let key = keys::promised_table(&decision.table.id);
        let stored = PromiseRow { table: promised.table.0.clone(), seed: promised.seed };
        let row = put_json(Space::Meta, key, &stored).expires_at(until_ms);
        (seed_commitment::add_next_commitment(decision, promised.table, &promised.seed), Some(row))
    }

    /// The table that was promised for the rematch; `None` if there is none or its code is taken.
    pub(crate) async fn load_promised_table(
        &self,
        old: &Table,
    ) -> Result<Option<PromisedTable>, Failure> {
        let Some(promise) = &old.commitments.next else { return Ok(None) };
        let row = self.repository.read_value(Space::Meta, &keys::promised_table(&old.id)).await?;
        let stored = row.and_then(|it| serde_json::from_slice::<PromiseRow>(&it).ok());
        let promised = stored.map(|it| PromisedTable { table: TableId(it.table), seed: it.seed });
        let is_meant =
            |it: &PromisedTable| SeedCommitment::of(Some(it.table.clone()), &it.seed) == *promise;
        self.unless_code_taken(promised.filter(is_meant)).await
    }

    /// The promised table, unless its code is taken: a seed is never used twice.
    pub(crate) async fn unless_code_taken(
        &self,
        promised: Option<PromisedTable>,
    ) -> Result<Option<PromisedTable>, Failure> {
        let Some(promised) = promised else { return Ok(None) };
        let is_free = self.repository.load_log_lines(&promised.table).await?.is_empty();
        Ok(is_free.then_some(promised))
    }

    /// Locks the promised table, or a new one. If the code of the promised one is taken, the
    /// promise is dropped: a seed is used only at the table for which it was promised.
    pub(crate) fn lock_promised_table(
        &self,
        promised: &mut Option<PromisedTable>,
    ) -> Option<TableGuard> {
        let reserved = promised.as_ref().and_then(|it| self.repository.reserve_table(&it.table));
        if reserved.is_none() {
            *promised = None;
        }
        reserved.or_else(|| self.repository.reserve_new_table())
    }
}

/// The promised table of a challenge, derived from the secret of its author and the word of the
/// challenge.
pub(crate) fn derive_promise(secret: &[u8; 32], word: &str) -> PromisedTable {
    let mut random = DerivedBytes::new(secret, word);
    let mut seed = [0; 32];
    random.fill(&mut seed);
    PromisedTable { table: table_code_from(&mut |bytes| random.fill(bytes)), seed }
}

/// A new random seed.
pub(crate) fn new_seed(repository: &Repository) -> [u8; 32] {
    let mut seed = [0; 32];
    repository.fill_random(&mut seed);
    seed
}

/// Makes a plan use the promised seed, if there is one: the first event of the table names it.
/// `old`: the table where it was promised.
pub(crate) fn apply_promise(
    plan: OpeningPlan,
    promised: Option<&PromisedTable>,
    old: Option<&TableId>,
) -> OpeningPlan {
    let Some(PromisedTable { seed, .. }) = promised else { return plan };
    let (mut setup, mut events, starts_at_once) = plan;
    setup.seed = *seed;
    events.insert(0, Event::SeedCommitted(SeedCommitment::of(old.cloned(), seed)));
    (setup, events, starts_at_once)
}
