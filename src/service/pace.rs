//! How fast chats are spoken to. Topics of a chat share its budget.
//!
//! A chat stands a small burst, then calls at even distances: a game that is played fast shows
//! the newest board every few seconds instead of running into a long pause. This is the generic
//! cell rate algorithm (ITU-T I.371) with half of the minute's budget as burst, so that no
//! minute sees more calls than the platform allows. A start counts as a burst just made, for
//! nobody knows what was said before it: a restart costs a minute one call too many at most.

use std::collections::HashMap;
use std::sync::Mutex;

const MINUTE_MS: u64 = 60_000;

/// How long senders wait for calls that were made beside them at most, in milliseconds: somebody
/// who presses buttons again and again must not keep the others from seeing the board.
const BESIDE_MS: u64 = 30_000;

/// When so many chats are remembered, those that may be spoken to freely are forgotten.
const REMEMBERED: usize = 1_000;

/// When each chat's budget will be full again, in milliseconds since 1970.
pub(super) struct Paces {
    started_ms: u64,
    full_ms: Mutex<HashMap<String, u64>>,
}

/// Distance between calls once the burst is used, and how far ahead a burst may run.
fn shape(per_minute: u32) -> (u64, u64) {
    let burst = u64::from(per_minute / 2);
    let steady = (u64::from(per_minute) - burst).max(1);
    // More calls than milliseconds: no limit at all.
    let distance = if steady > MINUTE_MS { 0 } else { MINUTE_MS.div_ceil(steady) };
    (distance, distance * burst.saturating_sub(1))
}

impl Paces {
    /// Budgets of a process that started at this time, in milliseconds since 1970.
    pub(super) fn new(started_ms: u64) -> Self {
        Paces { started_ms, full_ms: Mutex::default() }
    }

    /// How long to wait before the next call to a chat that stands `per_minute`, if at all.
    pub(super) fn wait_ms(&self, chat: &str, per_minute: u32, now_ms: u64) -> Option<u64> {
        let (_, ahead) = shape(per_minute);
        let chats = self.full_ms.lock().expect("nothing panics while holding this lock");
        let full_ms = *chats.get(chat)?;
        full_ms.checked_sub(now_ms + ahead).filter(|ms| *ms > 0)
    }

    /// A call to a chat is being made.
    pub(super) fn note(&self, chat: &str, per_minute: u32, now_ms: u64) {
        self.add(chat, per_minute, now_ms, u64::MAX);
    }

    /// A call to a chat was made that could not wait for its turn: the answer to a press.
    pub(super) fn note_beside(&self, chat: &str, per_minute: u32, now_ms: u64) {
        let (_, ahead) = shape(per_minute);
        self.add(chat, per_minute, now_ms, now_ms + ahead + BESIDE_MS);
    }

    /// Counts a call, unless the budget is used up until `most_ms` or later.
    fn add(&self, chat: &str, per_minute: u32, now_ms: u64, most_ms: u64) {
        let (distance, ahead) = shape(per_minute);
        let mut chats = self.full_ms.lock().expect("nothing panics while holding this lock");
        if chats.len() >= REMEMBERED {
            chats.retain(|_, full_ms| *full_ms > now_ms);
        }
        let full_ms = chats.entry(chat.to_owned()).or_insert(self.started_ms + ahead);
        let next_ms = (*full_ms).max(now_ms) + distance;
        *full_ms = next_ms.min(most_ms.max(*full_ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When calls are made for so long by somebody who always has something to say.
    fn calls(paces: &Paces, per_minute: u32, from_ms: u64, until_ms: u64) -> Vec<u64> {
        let mut calls = Vec::new();
        let mut now_ms = from_ms;
        while now_ms < until_ms {
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

    /// Three minutes, long after a start.
    fn three_minutes(per_minute: u32) -> Vec<u64> {
        calls(&Paces::new(0), per_minute, 10 * MINUTE_MS, 13 * MINUTE_MS)
    }

    fn most_in_a_minute(calls: &[u64]) -> usize {
        let within = |(n, from): (usize, &u64)| {
            calls[n..].iter().take_while(|at| **at < from + MINUTE_MS).count()
        };
        calls.iter().enumerate().map(within).max().unwrap_or_default()
    }

    #[test]
    fn no_minute_sees_more_calls_than_allowed_and_none_is_wasted() {
        for per_minute in [1, 2, 15, 55, 600] {
            let calls = three_minutes(per_minute);
            assert!(most_in_a_minute(&calls) <= per_minute as usize, "{per_minute}");
            assert!(calls.len() >= per_minute as usize, "{calls:?}");
        }
    }

    #[test]
    fn a_restart_is_no_way_to_a_second_burst() {
        let mut all = calls(&Paces::new(0), 15, 10 * MINUTE_MS, 10 * MINUTE_MS + 20_000);
        let again = 10 * MINUTE_MS + 20_000;
        all.extend(calls(&Paces::new(again), 15, again, 12 * MINUTE_MS));
        assert!(most_in_a_minute(&all) <= 16, "{all:?}");
    }

    #[test]
    fn a_burst_is_free_and_then_the_wait_is_short() {
        let calls = three_minutes(15);
        assert!(calls[..7].iter().all(|at| *at == calls[0]));
        assert!(calls.windows(2).all(|it| it[1] - it[0] <= 7_500), "{calls:?}");
    }

    #[test]
    fn answers_count_and_hold_senders_up_for_half_a_minute_at_most() {
        let paces = Paces::new(0);
        let now_ms = 10 * MINUTE_MS;
        (0..7).for_each(|_| paces.note_beside("a", 15, now_ms));
        assert_eq!(paces.wait_ms("a", 15, now_ms), Some(7_500));
        (0..200).for_each(|_| paces.note_beside("a", 15, now_ms));
        assert_eq!(paces.wait_ms("a", 15, now_ms), Some(BESIDE_MS));
        paces.note("a", 15, now_ms);
        paces.note_beside("a", 15, now_ms);
        assert_eq!(
            paces.wait_ms("a", 15, now_ms),
            Some(BESIDE_MS + 7_500),
            "nothing is taken back"
        );
    }

    #[test]
    fn other_chats_do_not_wait() {
        let paces = Paces::new(0);
        (0..50).for_each(|_| paces.note("a", 15, 1));
        assert!(paces.wait_ms("a", 15, 1).is_some());
        assert_eq!(paces.wait_ms("b", 15, 1), None);
    }
}
