//! Leases and claims of a store that belongs to one process, kept in memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Longest lease, in milliseconds: a day.
const LEASE_MS_MAX: u64 = 24 * 60 * 60 * 1000;
/// Expired leases are removed when their number is twice that after the last sweep, and at least
/// this many.
const SWEEP_MIN: usize = 256;

/// Names with one owner each until the lease expires, by a clock that never jumps.
#[derive(Debug)]
pub(super) struct Leases<K> {
    held: Mutex<LeaseTable<K>>,
}

#[derive(Debug)]
struct LeaseTable<K> {
    by_name: HashMap<K, LeaseHolder>,
    clean_at: usize,
}

#[derive(Debug)]
struct LeaseHolder {
    owner: String,
    until: Instant,
}

impl<K> Default for Leases<K> {
    fn default() -> Self {
        Self { held: Mutex::new(LeaseTable { by_name: HashMap::new(), clean_at: SWEEP_MIN }) }
    }
}

impl<K: Eq + Hash> Leases<K> {
    /// Acquires a lease unless another owner holds it. The same owner renews it.
    pub(super) fn acquire(&self, name: K, owner: &str, for_ms: u64) -> bool {
        let now = Instant::now();
        let mut held = self.held.lock();
        if held.by_name.len() >= held.clean_at {
            held.by_name.retain(|_, holder| holder.until > now);
            held.clean_at = SWEEP_MIN.max(held.by_name.len() * 2);
        }
        let taken = held.by_name.get(&name);
        if taken.is_some_and(|holder| holder.owner != owner && holder.until > now) {
            return false;
        }
        let until = now + Duration::from_millis(for_ms.min(LEASE_MS_MAX));
        held.by_name.insert(name, LeaseHolder { owner: owner.to_owned(), until });
        true
    }

    /// Releases a lease, if this owner holds it.
    pub(super) fn release(&self, name: &K, owner: &str) {
        let mut held = self.held.lock();
        if held.by_name.get(name).is_some_and(|holder| holder.owner == owner) {
            held.by_name.remove(name);
        }
    }

    /// The current owner of a lease.
    pub(super) fn holder(&self, name: &K) -> Option<String> {
        let held = self.held.lock();
        let holder = held.by_name.get(name).filter(|holder| holder.until > Instant::now());
        holder.map(|holder| holder.owner.clone())
    }

    /// Ends a lease, no matter who owns it.
    pub(super) fn revoke(&self, name: &K) {
        self.held.lock().by_name.remove(name);
    }

    /// Whether there are no leases, not even expired ones.
    pub(super) fn is_empty(&self) -> bool {
        self.held.lock().by_name.is_empty()
    }
}
