//! Reserves next tables: stores the code and the seed of a table before it is opened, see
//! [`caravanserai_table::seed_commitment`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::open_table::TablePlan;
use crate::repository::stored_rows::put_json;
use crate::repository::{Failure, Repository, TableGuard, keys, table_code_from};
use caravanserai_games::ids::TableId;
use caravanserai_store::{Put, Space};
use caravanserai_table::fair_random::hash_seed;
use caravanserai_table::seed_commitment::{self, DerivedBytes, SeedCommitment};
use caravanserai_table::{Decision, Event, Table};

/// The code and the seed of a table that is not open yet. The seed is secret until the game
/// is over.
pub(crate) struct ReservedTable {
    pub(crate) table: TableId,
    pub(crate) seed: [u8; 32],
}

/// The state of a reserved table.
pub(crate) enum Reservation {
    /// The table can be opened.
    Free(ReservedTable),
    /// The table was opened.
    Used,
    /// Another table has its code by chance.
    Lost,
}

/// The row of a reserved table.
#[derive(Serialize, Deserialize)]
struct ReservedTableRow {
    table: String,
    seed: [u8; 32],
}

/// Stores and loads reserved tables.
pub(crate) struct ReservedTables {
    repository: Arc<Repository>,
}

impl ReservedTables {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// Reserves the next table for a decision that offers a rematch: adds the commitment to its
    /// seed, and returns the row with the secret.
    pub(crate) fn reserve_next_table(&self, decision: Decision) -> (Decision, Option<Put>) {
        if !seed_commitment::needs_next_commitment(&decision) {
            return (decision, None);
        }
        let reserved = ReservedTable {
            table: self.repository.new_table_code(),
            seed: new_seed(&self.repository),
        };
        let until_ms = self.repository.now_ms() + self.repository.limits().message_ttl_ms;
        let key = keys::reserved_table(&decision.table.id);
        let stored = ReservedTableRow { table: reserved.table.0.clone(), seed: reserved.seed };
        let row = put_json(Space::Meta, key, &stored).expires_at(until_ms);
        (seed_commitment::add_next_commitment(decision, reserved.table, &reserved.seed), Some(row))
    }

    /// The table that is reserved for the rematch; `None` if there is none or its code is taken.
    pub(crate) async fn load_reserved_table(
        &self,
        old: &Table,
    ) -> Result<Option<ReservedTable>, Failure> {
        let Some(commitment) = &old.commitments.next else { return Ok(None) };
        let row = self.repository.read_value(Space::Meta, &keys::reserved_table(&old.id)).await?;
        let stored = row.and_then(|it| serde_json::from_slice::<ReservedTableRow>(&it).ok());
        let reserved = stored.map(|it| ReservedTable { table: TableId(it.table), seed: it.seed });
        let is_meant = |it: &ReservedTable| {
            SeedCommitment::new(Some(it.table.clone()), &it.seed) == *commitment
        };
        self.unless_code_taken(reserved.filter(is_meant)).await
    }

    /// The reserved table, unless its code is taken: a seed is never used twice.
    pub(crate) async fn unless_code_taken(
        &self,
        reserved: Option<ReservedTable>,
    ) -> Result<Option<ReservedTable>, Failure> {
        let Some(reserved) = reserved else { return Ok(None) };
        let lines = self.repository.load_readable_log(&reserved.table).await?;
        Ok(lines.is_some_and(|it| it.is_empty()).then_some(reserved))
    }

    /// Reads the state of a reserved table of a challenge.
    pub(crate) async fn check_reservation(
        &self,
        reserved: ReservedTable,
    ) -> Result<Reservation, Failure> {
        let lines = self.repository.load_log_lines(&reserved.table).await?;
        // The first lines of a table with this seed name its hash.
        let hash = hash_seed(&reserved.seed);
        Ok(match lines.iter().any(|it| it.contains(&hash)) {
            true => Reservation::Used,
            false if lines.is_empty() => Reservation::Free(reserved),
            false => Reservation::Lost,
        })
    }

    /// Locks the reserved table, or a new one. If the code of the reserved one is taken, the
    /// reservation is dropped: a seed is used only at the table for which it was reserved.
    pub(crate) fn lock_reserved_table(
        &self,
        reserved: &mut Option<ReservedTable>,
    ) -> Option<TableGuard> {
        let guard = reserved.as_ref().and_then(|it| self.repository.reserve_table(&it.table));
        if guard.is_none() {
            *reserved = None;
        }
        guard.or_else(|| self.repository.reserve_new_table())
    }
}

/// The reserved table of a challenge, derived from the secret of its author and the word of the
/// challenge.
pub(crate) fn derive_reserved_table(secret: &[u8; 32], word: &str) -> ReservedTable {
    let mut random = DerivedBytes::new(secret, word);
    let mut seed = [0; 32];
    random.fill(&mut seed);
    ReservedTable { table: table_code_from(&mut |bytes| random.fill(bytes)), seed }
}

/// A new random seed.
pub(crate) fn new_seed(repository: &Repository) -> [u8; 32] {
    let mut seed = [0; 32];
    repository.fill_random(&mut seed);
    seed
}

/// Makes a plan use the reserved seed, if there is one: the first event of the table names it.
/// `old`: the table where it was reserved.
pub(crate) fn use_reserved_seed(
    mut plan: TablePlan,
    reserved: Option<&ReservedTable>,
    old: Option<&TableId>,
) -> TablePlan {
    let Some(ReservedTable { seed, .. }) = reserved else { return plan };
    plan.setup.seed = *seed;
    plan.first_events.insert(0, Event::SeedCommitted(SeedCommitment::new(old.cloned(), seed)));
    plan
}
