//! How fast chats are spoken to. Topics of a chat share its budget.
//!
//! A chat stands a small burst, then calls at even distances: a game that is played fast shows
//! the newest board every few seconds instead of running into a long pause. This is the generic
//! cell rate algorithm (ITU-T I.371) with half of the minute's budget as burst, so that no
//! minute sees more calls than the platform allows.

use std::collections::HashMap;
use std::sync::Mutex;

const MINUTE_MS: u64 = 60_000;

/// When so many chats are remembered, those that may be spoken to freely are forgotten.
const REMEMBERED: usize = 1_000;

/// When each chat's budget will be full again, in milliseconds since 1970.
#[derive(Default)]
pub(super) struct Paces(Mutex<HashMap<String, u64>>);

/// Distance between calls once the burst is used, and how far ahead a burst may run.
fn shape(per_minute: u32) -> (u64, u64) {
    let burst = u64::from(per_minute / 2);
    let distance = MINUTE_MS.div_ceil((u64::from(per_minute) - burst).max(1));
    (distance, distance * burst.saturating_sub(1))
}

impl Paces {
    /// How long to wait before the next call to a chat that stands `per_minute`, if at all.
    pub(super) fn wait_ms(&self, chat: &str, per_minute: u32, now_ms: u64) -> Option<u64> {
        let (_, ahead) = shape(per_minute);
        let chats = self.0.lock().expect("nothing panics while holding this lock");
        let full_ms = *chats.get(chat)?;
        full_ms.checked_sub(now_ms + ahead).filter(|ms| *ms > 0)
    }

    /// A call to a chat is being made.
    pub(super) fn note(&self, chat: &str, per_minute: u32, now_ms: u64) {
        let (distance, _) = shape(per_minute);
        let mut chats = self.0.lock().expect("nothing panics while holding this lock");
        if chats.len() >= REMEMBERED {
            chats.retain(|_, full_ms| *full_ms > now_ms);
        }
        let full_ms = chats.entry(chat.to_owned()).or_default();
        *full_ms = (*full_ms).max(now_ms) + distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When calls are made by somebody who always has something to say, for three minutes.
    fn calls(per_minute: u32) -> Vec<u64> {
        let paces = Paces::default();
        let mut calls = Vec::new();
        let mut now_ms = 1;
        while now_ms < 3 * MINUTE_MS {
            match paces.wait_ms("a", per_minute, now_ms) {
                Some(ms) => now_ms += ms,
                None => {
                    paces.note("a", per_minute, now_ms);
                    calls.push(now_ms);
                }
            }
        }
        calls
    }

    #[test]
    fn no_minute_sees_more_calls_than_allowed_and_none_is_wasted() {
        for per_minute in [1, 2, 15, 55, 600] {
            let calls = calls(per_minute);
            for (n, from) in calls.iter().enumerate() {
                let within = calls[n..].iter().take_while(|at| **at < from + MINUTE_MS).count();
                assert!(within <= per_minute as usize, "{within} of {per_minute}");
            }
            assert!(calls.len() >= per_minute as usize, "{calls:?}");
        }
    }

    #[test]
    fn a_burst_is_free_and_then_the_wait_is_short() {
        let calls = calls(15);
        assert!(calls[..7].iter().all(|at| *at == 1));
        assert!(calls.windows(2).all(|it| it[1] - it[0] <= 7_500), "{calls:?}");
    }

    #[test]
    fn other_chats_do_not_wait() {
        let paces = Paces::default();
        (0..50).for_each(|_| paces.note("a", 15, 1));
        assert!(paces.wait_ms("a", 15, 1).is_some());
        assert_eq!(paces.wait_ms("b", 15, 1), None);
    }
}
