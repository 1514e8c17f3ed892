//! A circuit breaker for each platform: after failures in a row this process leaves chats to
//! processes whose calls succeed, and tries one chat after a pause.
//!
//! A chat belongs to one process at a time. A process whose calls fail gives the chat back after
//! the second failure in a row, and takes it again only after a pause. Once calls fail in several
//! chats, it takes no chats of the platform at all, except one at a time after the pause, to find
//! out whether its calls succeed again.

use std::collections::{BTreeSet, HashMap};

use parking_lot::Mutex;

/// The number of failures in a row after which chats are given back.
const FAILURES_MIN: u32 = 2;
/// The number of failing chats from which on the whole platform counts as unreachable.
const FAILING_CHATS_MIN: usize = 2;
/// The shortest and the longest pause, in milliseconds. Each is twice as long as the one before.
/// Other processes try to take a free chat every second.
const PAUSE_MIN_MS: u64 = 3_000;
const PAUSE_MAX_MS: u64 = 30_000;
/// The time that an attempt after a pause gets before the next one, in milliseconds.
const ATTEMPT_MS: u64 = 1_000;

/// The calls to a platform that have failed since the last one that did not.
#[derive(Default)]
struct FailedCalls {
    count: u32,
    /// The first chats in which they failed.
    chats: BTreeSet<String>,
    pause_ms: u64,
    paused_until_ms: u64,
    /// Whether an attempt was allowed since the last failure.
    is_trying: bool,
}

/// Failed calls by platform, by the monotonic clock.
#[derive(Default)]
pub(super) struct CircuitBreaker {
    platforms: Mutex<HashMap<&'static str, FailedCalls>>,
}

impl CircuitBreaker {
    /// Records that a platform has answered.
    pub(super) fn record_answer(&self, platform: &str) {
        self.platforms.lock().remove(platform);
    }

    /// Records that a call in a chat has failed. Returns whether the chat is to be given back.
    pub(super) fn record_failure(&self, platform: &'static str, chat: &str, now_ms: u64) -> bool {
        let mut platforms = self.platforms.lock();
        let failed = platforms.entry(platform).or_default();
        failed.count = failed.count.saturating_add(1);
        if failed.chats.len() < FAILING_CHATS_MIN {
            failed.chats.insert(chat.to_owned());
        }
        if failed.count < FAILURES_MIN {
            return false;
        }
        // Calls that were under way in other chats do not make the pause longer.
        if failed.pause_ms == 0 || failed.is_trying {
            failed.pause_ms = (2 * failed.pause_ms).clamp(PAUSE_MIN_MS, PAUSE_MAX_MS);
            failed.paused_until_ms = now_ms + failed.pause_ms;
            failed.is_trying = false;
        }
        true
    }

    /// Whether this process may take a chat that it does not have.
    pub(super) fn may_take_chat(&self, platform: &str, chat: &str, now_ms: u64) -> bool {
        let mut platforms = self.platforms.lock();
        let Some(failed) = platforms.get_mut(platform) else { return true };
        let is_affected = failed.chats.len() >= FAILING_CHATS_MIN || failed.chats.contains(chat);
        if failed.count < FAILURES_MIN || !is_affected {
            return true;
        }
        // Chats that are known to fail come after the others: the failure may be theirs alone.
        let is_suspect = failed.chats.len() >= FAILING_CHATS_MIN && failed.chats.contains(chat);
        let own_pause_ms = if is_suspect { failed.pause_ms } else { 0 };
        if now_ms < failed.paused_until_ms + own_pause_ms {
            return false;
        }
        failed.paused_until_ms = now_ms + ATTEMPT_MS;
        failed.is_trying = true;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_is_given_back_after_two_failures_and_taken_after_a_pause() {
        let breaker = CircuitBreaker::default();
        assert!(breaker.may_take_chat("mem", "a", 1_000));
        assert!(!breaker.record_failure("mem", "a", 1_000));
        assert!(breaker.may_take_chat("mem", "a", 1_000), "one failure says little");
        assert!(breaker.record_failure("mem", "a", 2_000));
        assert!(!breaker.may_take_chat("mem", "a", 4_999));
        assert!(breaker.may_take_chat("mem", "b", 2_000), "nothing has failed there");
        assert!(breaker.may_take_chat("other", "a", 2_000));
        assert!(breaker.may_take_chat("mem", "a", 5_000));
        // It fails again: the pause is twice as long.
        assert!(breaker.record_failure("mem", "a", 5_100));
        assert!(!breaker.may_take_chat("mem", "a", 11_099));
        assert!(breaker.may_take_chat("mem", "a", 11_100));
        breaker.record_answer("mem");
        assert!(breaker.may_take_chat("mem", "a", 11_200));
        assert!(!breaker.record_failure("mem", "a", 11_300), "failures in a row are counted");
    }

    #[test]
    fn failures_in_several_chats_concern_the_whole_platform() {
        let breaker = CircuitBreaker::default();
        breaker.record_failure("mem", "a", 1_000);
        assert!(breaker.record_failure("mem", "b", 1_000));
        assert!(breaker.record_failure("mem", "c", 3_900), "it was under way");
        assert!(!breaker.may_take_chat("mem", "d", 3_999));
        assert!(!breaker.may_take_chat("mem", "a", 4_000), "it may fail by itself");
        assert!(breaker.may_take_chat("mem", "d", 4_000), "one chat tries");
        assert!(!breaker.may_take_chat("mem", "e", 4_500));
        assert!(breaker.may_take_chat("mem", "e", 5_000), "the first attempt made no call");
        assert!(breaker.record_failure("mem", "e", 5_000));
        assert!(!breaker.may_take_chat("mem", "d", 10_999));
        for _ in 0..9 {
            assert!(breaker.may_take_chat("mem", "d", 1_000_000));
            breaker.record_failure("mem", "d", 900_000);
        }
        assert!(breaker.may_take_chat("mem", "d", 930_000), "the pause is limited");
    }
}
