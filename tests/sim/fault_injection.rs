//! Lets tests plant faults between the bot and its simulated world.

use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{OutgoingMessage, Update};
use caravanserai_store::{Commit, Space, StoreRow};
use caravanserai_table::state::Table;

/// How a call to a platform is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// It is made normally.
    Made,
    /// It is not made, but the bot gets a success.
    Pretended,
    /// It is made twice.
    Doubled,
}

/// The points at which a test can change data between the bot and its world. By default nothing is
/// changed.
pub trait FaultInjection: Send + Sync {
    /// Changes a commit of the bot, as if its own code were wrong.
    fn commit(&self, commit: Commit) -> Commit {
        commit
    }

    /// The part of an acknowledged commit that the disk really writes.
    fn written(&self, commit: Commit) -> Option<Commit> {
        Some(commit)
    }

    /// The number of commits that the disk loses when all processes are killed.
    fn forgotten(&self) -> usize {
        0
    }

    /// The answer to a lease request; `None` leaves it to the store.
    fn lease(&self, _name: &str) -> Option<bool> {
        None
    }

    /// Changes the rows that the bot claims.
    fn claimed(&self, _space: Space, _rows: &mut Vec<StoreRow>) {}

    /// Whether expired rows are really removed.
    fn sweeps(&self) -> bool {
        true
    }

    /// Changes a call of the bot (`post`, `edit`, `whisper`, `delete`) in a chat with this
    /// message, which is empty for a deletion.
    fn call(&self, _kind: &str, _chat: &ChatId, _message: &mut OutgoingMessage) -> Call {
        Call::Made
    }

    /// The person who receives a private answer.
    fn listener(&self, person: &PersonId, _message: &OutgoingMessage) -> PersonId {
        person.clone()
    }

    /// The person whom the bot takes the viewer for.
    fn looker(&self, person: &PersonId) -> PersonId {
        person.clone()
    }

    /// Changes an update before the bot handles it.
    fn update(&self, _update: &mut Update) {}

    /// Changes the time that the bot reads from the wall clock.
    fn wall_ms(&self, ms: u64) -> u64 {
        ms
    }

    /// Changes the time that the bot reads from the steady clock while the wall clock shows
    /// `_wall_ms`.
    fn steady_ms(&self, ms: u64, _wall_ms: u64) -> u64 {
        ms
    }

    /// The call limit per minute that the adapter reports for a group.
    fn per_minute(&self, calls: u32) -> u32 {
        calls
    }

    /// Checks further invariants of a table after a change, for tests that know its game.
    ///
    /// # Errors
    /// With a description of the violation.
    fn holds(&self, _table: &Table) -> Result<(), String> {
        Ok(())
    }
}

/// Plants no faults.
pub struct NoFaults;

impl FaultInjection for NoFaults {}
