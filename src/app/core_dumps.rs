//! Keeps the memory of the process out of core dumps: it holds tokens, keys, hands and seeds, and a
//! dump would lie on the same disk as the encrypted store.

/// Forbids core dumps of this process, also those that a crash handler of the system writes.
///
/// Failures are ignored: a sandbox may deny the calls, and the supplied units and compose files set
/// the limit themselves.
pub fn forbid_core_dumps() {
    imp::forbid();
}

#[cfg(unix)]
mod imp {
    use rustix::process::{Resource, Rlimit, setrlimit};

    pub(super) fn forbid() {
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        // A handler that the kernel pipes the memory to gets it whatever the limit is.
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{DumpableBehavior, set_dumpable_behavior};
            let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        }
    }
}

#[cfg(not(unix))]
mod imp {
    pub(super) fn forbid() {}
}
