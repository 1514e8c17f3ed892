//! Simulated worlds: the same seed gives the same world, and no promise is broken in any.

use std::sync::Arc;

use caravanserai::tools::sim::{Plain, Report, Wanted, run};

fn world(seed: u64, steps: u64) -> Report {
    let wanted = Wanted { seed, steps, days: 0, without: Vec::new(), trace: false };
    run(&wanted, Arc::new(Plain)).unwrap()
}

#[test]
fn one_seed_gives_one_world_byte_for_byte() {
    let (one, again) = (world(7, 400), world(7, 400));
    assert_eq!(one, again);
    assert_ne!(one.journal, world(8, 400).journal);
}

/// `caravanserai sim` plays new worlds, and these again.
#[test]
fn no_promise_is_broken() {
    for seed in 1..=3 {
        let report = world(seed, 500);
        assert_eq!(report.failure, None, "{report}");
    }
}
