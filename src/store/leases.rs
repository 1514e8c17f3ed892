//! Leases and claims of a store that lives in one process: who holds what until when.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Nothing is held longer than this at once, in milliseconds: a day.
const LEASE_MS_MAX: u64 = 24 * 60 * 60 * 1000;
/// What has run out is thrown away whenever there are twice as many as after the last time, and
/// at least this many.
const SWEEP_MIN: usize = 256;

/// Names that are each held by one owner until its time runs out, by a clock that never jumps.
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
    /// Holds a name unless somebody else does. Whoever holds it already holds it anew.
    pub(super) fn acquire(&self, name: K, owner: &str, for_ms: u64) -> bool {
        let now = Instant::now();
        let mut held = self.lock();
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

    /// Lets go of a name that this owner holds.
    pub(super) fn release(&self, name: &K, owner: &str) {
        let mut held = self.lock();
        if held.by_name.get(name).is_some_and(|holder| holder.owner == owner) {
            held.by_name.remove(name);
        }
    }

    /// Who holds a name now.
    pub(super) fn holder(&self, name: &K) -> Option<String> {
        let held = self.lock();
        let holder = held.by_name.get(name).filter(|holder| holder.until > Instant::now());
        holder.map(|holder| holder.owner.clone())
    }

    /// Whoever held it holds it no more.
    pub(super) fn revoke(&self, name: &K) {
        self.lock().by_name.remove(name);
    }

    /// Whether nothing was ever held, or all of it was given back.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().by_name.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, LeaseTable<K>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
