//! What several platforms need: how they say how they are, how they wait, how much of a foreign
//! answer they read, which private answers are under way, what is kept in rows for all processes.

pub mod foreign;
pub mod kept;
pub mod memory_book;
pub mod notes;
pub mod pauses;
pub mod role;
pub mod state;
pub mod talk;
pub mod under_way;

use std::sync::Arc;

use self::memory_book::MemoryNotebook;
use self::state::Reporter;
use caravanserai_protocol::Notebook;

/// What every platform is handed by the host.
#[derive(Clone)]
pub struct Shared {
    /// Rows for all processes.
    pub notebook: Arc<dyn Notebook>,
    /// Where it says how it is.
    pub state: Reporter,
}

impl Shared {
    /// What a platform of this name needs that shares nothing with any other process.
    pub fn alone(name: &'static str) -> Self {
        Shared { notebook: Arc::new(MemoryNotebook::default()), state: Reporter::new(name) }
    }
}
