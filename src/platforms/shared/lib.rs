//! What several platforms need: how they say how they are, how they wait, how much of a foreign
//! answer they read, which private answers are under way, what is kept in rows for all processes.

pub mod backoff;
pub mod health_reporter;
pub mod http_body;
pub mod leader_lease;
pub mod memory_kv;
pub mod message_tracker;
pub mod platform_rows;
pub mod stored_reply;
pub mod task_limit;

use std::sync::Arc;

use self::health_reporter::HealthReporter;
use self::memory_kv::MemoryKeyValueStore;
use caravanserai_protocol::KeyValueStore;

/// What every platform is handed by the host.
#[derive(Clone)]
pub struct PlatformServices {
    /// Rows for all processes.
    pub store: Arc<dyn KeyValueStore>,
    /// Where it says how it is.
    pub reporter: HealthReporter,
}

impl PlatformServices {
    /// What a platform of this name needs that shares nothing with any other process.
    pub fn for_single_process(name: &'static str) -> Self {
        PlatformServices {
            store: Arc::new(MemoryKeyValueStore::default()),
            reporter: HealthReporter::new(name),
        }
    }
}
