//! Injects failures that a test has planned.

use std::collections::VecDeque;

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Status 429 with this number of seconds to wait.
    TooMany(u64),
    /// Status 5xx; the call has no effect.
    Server(u16),
    /// The connection is cut; the call has no effect.
    CutBefore,
    /// The call has its effect, and the answer is lost.
    CutAfter,
    /// An HTML page with this status, as from a proxy.
    Html(u16),
    /// A JSON answer of this number of megabytes.
    Huge(usize),
    /// `getUpdates`: an empty answer at once.
    AtOnce,
    /// `getUpdates`: the last queued update at once, even if it is confirmed.
    Repeats,
}

/// The planned failures. Calls of `getUpdates` fail only when they are named.
#[derive(Default)]
pub struct Faults {
    planned: VecDeque<(Option<String>, Fault)>,
    chaos: Option<Chaos>,
}

struct Chaos {
    state: u64,
    per_mille: u64,
    faults: Vec<Fault>,
}

impl Faults {
    /// Lets the next `count` calls fail, of one method or of any.
    pub fn plan(&mut self, count: usize, method: Option<&str>, fault: Fault) {
        for _ in 0..count {
            self.planned.push_back((method.map(str::to_owned), fault));
        }
    }

    /// Lets random calls fail from now on; the same seed gives the same failures.
    pub fn chaos(&mut self, seed: u64, per_mille: u64, faults: &[Fault]) {
        let faults = faults.to_vec();
        self.chaos = (per_mille > 0).then_some(Chaos { state: seed, per_mille, faults });
    }

    /// Takes the failure of this call, if one is planned.
    pub fn take(&mut self, method: &str) -> Option<Fault> {
        let fits = |name: &Option<String>| match name {
            Some(name) => name == method,
            None => method != "getUpdates",
        };
        if let Some(at) = self.planned.iter().position(|(name, _)| fits(name)) {
            return self.planned.remove(at).map(|(_, fault)| fault);
        }
        let chaos = self.chaos.as_mut().filter(|_| method != "getUpdates")?;
        if random(&mut chaos.state) % 1000 >= chaos.per_mille {
            return None;
        }
        let pick = random(&mut chaos.state) % chaos.faults.len() as u64;
        Some(chaos.faults[usize::try_from(pick).expect("a small index")])
    }
}

/// The next number of the splitmix64 sequence.
pub fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
