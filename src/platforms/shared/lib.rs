//! Provides the shared parts of platform adapters: health reports, backoff, bounded response
//! bodies, leases, limits for tasks, names that can be seen, and rows that all processes share.

pub mod backoff;
pub mod health_reporter;
pub mod http_body;
pub mod leader_lease;
pub mod memory_kv;
pub mod message_tracker;
pub mod platform_rows;
pub mod stored_reply;
pub mod task_limit;
pub mod visible_name;

use std::sync::Arc;

use self::health_reporter::HealthReporter;
use self::memory_kv::MemoryKeyValueStore;
use caravanserai_protocol::KeyValueStore;

/// The services that the host gives to each platform.
#[derive(Clone)]
pub struct PlatformServices {
    /// Rows that all processes share.
    pub store: Arc<dyn KeyValueStore>,
    /// Where the platform reports its health.
    pub reporter: HealthReporter,
}

impl PlatformServices {
    /// Creates services for a platform of this name that shares nothing with other processes.
    pub fn for_single_process(name: &'static str) -> Self {
        PlatformServices {
            store: Arc::new(MemoryKeyValueStore::default()),
            reporter: HealthReporter::new(name),
        }
    }
}
