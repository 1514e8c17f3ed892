//! What may stand between the bot and its world: nothing, or a fault that a test has planted.

use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_protocol::{OutgoingMessage, Update};
use caravanserai_store::{Commit, Space, StoreRow};
use caravanserai_table::state::Table;

/// What becomes of a call to a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// It is made.
    Made,
    /// It is not made, and the bot is told that it was.
    Pretended,
    /// It is made twice.
    Doubled,
}

/// What a test puts between the bot and its world. Everything passes as it is unless a method
/// says otherwise.
pub trait Between: Send + Sync {
    /// The bot commits something: what it commits instead, as if its own code were wrong.
    fn commit(&self, commit: Commit) -> Commit {
        commit
    }

    /// A commit is acknowledged: what the disk really writes of it.
    fn written(&self, commit: Commit) -> Option<Commit> {
        Some(commit)
    }

    /// How many of the last commits a disk forgets when everything is killed.
    fn forgotten(&self) -> usize {
        0
    }

    /// Whether a name is held for somebody who asks for it; `None` leaves it to the store.
    fn lease(&self, _name: &str) -> Option<bool> {
        None
    }

    /// Rows are claimed: which of them the bot gets.
    fn claimed(&self, _space: Space, _rows: &mut Vec<StoreRow>) {}

    /// Whether what has lived its time is really swept away.
    fn sweeps(&self) -> bool {
        true
    }

    /// The bot makes a call (`post`, `edit`, `whisper`, `delete`) in a place with this message,
    /// which is empty when one is deleted.
    fn call(&self, _kind: &str, _place: &PlaceId, _message: &mut OutgoingMessage) -> Call {
        Call::Made
    }

    /// The bot tells somebody something alone: who hears it.
    fn listener(&self, person: &PersonId, _message: &OutgoingMessage) -> PersonId {
        person.clone()
    }

    /// Somebody looks at something: whom the bot takes them for.
    fn looker(&self, person: &PersonId) -> PersonId {
        person.clone()
    }

    /// The bot hears something.
    fn update(&self, _update: &mut Update) {}

    /// The bot looks at the clock on the wall.
    fn wall_ms(&self, ms: u64) -> u64 {
        ms
    }

    /// The bot looks at the clock that nobody turns, while the one on the wall shows `_wall_ms`.
    fn steady_ms(&self, ms: u64, _wall_ms: u64) -> u64 {
        ms
    }

    /// How many calls a minute a group stands, as the bot is told.
    fn per_minute(&self, calls: u32) -> u32 {
        calls
    }

    /// A table has gone on: what else must hold of it, for those who know its game.
    ///
    /// # Errors
    /// With a sentence that names what does not hold.
    fn holds(&self, _table: &Table) -> Result<(), String> {
        Ok(())
    }
}

/// Nothing between.
pub struct Plain;

impl Between for Plain {}
