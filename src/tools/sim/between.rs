//! What may stand between the bot and its world: nothing, or a fault that a test has planted.

use crate::chat::{Outgoing, Update};
use crate::ids::PersonId;
use crate::store::Commit;

/// What becomes of a commit.
pub enum Fate {
    /// This is what is written.
    Written(Commit),
    /// Nothing is written, and the bot is told that it was.
    Pretended,
}

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
    /// The bot commits something.
    fn commit(&self, commit: Commit) -> Fate {
        Fate::Written(commit)
    }

    /// The bot makes a call (`post`, `edit`, `delete`, `whisper`) with this message.
    fn call(&self, _kind: &str, _message: &mut Outgoing) -> Call {
        Call::Made
    }

    /// The bot tells somebody something alone: who hears it.
    fn listener(&self, person: &PersonId, _message: &Outgoing) -> PersonId {
        person.clone()
    }

    /// The bot hears something.
    fn update(&self, _update: &mut Update) {}

    /// The bot looks at the clock on the wall.
    fn wall_ms(&self, ms: u64) -> u64 {
        ms
    }

    /// How many calls a minute a group stands, as the bot is told.
    fn per_minute(&self, calls: u32) -> u32 {
        calls
    }
}

/// Nothing between.
pub struct Plain;

impl Between for Plain {}
