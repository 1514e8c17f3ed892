//! Computes when the next call to one chat may be made. Public messages and hands share the calls
//! per minute.
//!
//! Pure: times are arguments. [`super::rate_limits`] has one value for each chat.

use std::collections::VecDeque;

pub(super) const MINUTE_MS: u64 = 60_000;

/// The lowest limit per minute that complaints of the server can lead to.
pub(super) const CALLS_PER_MINUTE_MIN: u32 = 6;

/// How long a chat has to be without complaints until its limit rises by one call per minute, in
/// milliseconds.
const LIMIT_INCREASE_AFTER_MS: u64 = 2 * MINUTE_MS;

/// The most calls in the last second after which a hand may still be sent: chats accept about
/// three.
const CALLS_PER_SECOND: usize = 2;
const SECOND_MS: u64 = 1_000;

/// The period whose hands are used to estimate the hands per minute, in milliseconds.
const RECENT_HANDS_MS: u64 = 20_000;

/// The calls to one chat, in milliseconds of the monotonic clock.
#[derive(Default)]
pub(super) struct ChatCalls {
    /// When calls were made within the last minute.
    pub(super) calls_ms: VecDeque<u64>,
    /// When calls were made outside of the senders' queue; these calls are in `calls_ms`, too.
    pub(super) unqueued_ms: VecDeque<u64>,
    /// When public messages were sent or edited.
    pub(super) boards_ms: VecDeque<u64>,
    /// When messages were shown to one person privately.
    pub(super) hands_ms: VecDeque<u64>,
    /// A public message waits at least until this time.
    pub(super) board_waits_until_ms: u64,
    /// The number of calls by which the limit is lowered after complaints; the next field says
    /// since when.
    pub(super) decreased_by: u32,
    pub(super) decreased_at_ms: u64,
    /// The number of calls by which the limit is raised; the next field says since when.
    pub(super) increased_by: u32,
    pub(super) increased_at_ms: u64,
    /// No call may be made before this time.
    pub(super) not_before_ms: u64,
    /// Until this time players to move play cards by numbers.
    pub(super) crowded_until_ms: u64,
    /// Until this time the chat counts as throttled.
    pub(super) throttled_until_ms: u64,
}

impl ChatCalls {
    pub(super) fn drop_old_calls(&mut self, now_ms: u64) {
        for calls in
            [&mut self.calls_ms, &mut self.unqueued_ms, &mut self.boards_ms, &mut self.hands_ms]
        {
            while calls.front().is_some_and(|at| at + MINUTE_MS <= now_ms) {
                calls.pop_front();
            }
        }
        while self.decreased_by > 0 && now_ms >= self.decreased_at_ms + LIMIT_INCREASE_AFTER_MS {
            self.decreased_by -= 1;
            self.decreased_at_ms += LIMIT_INCREASE_AFTER_MS;
        }
    }

    /// The current limit of calls per minute.
    pub(super) fn limit(&self, per_minute: u32) -> usize {
        let most = (per_minute + self.increased_by).saturating_sub(self.decreased_by);
        most.max(CALLS_PER_MINUTE_MIN.min(per_minute)) as usize
    }

    /// The number of calls per minute that may be made at once, without being spread.
    pub(super) fn burst_limit(&self, per_minute: u32) -> usize {
        let most = self.limit(per_minute);
        most - most / 6
    }

    /// Raises the limit after a minute in which it was fully used without a complaint.
    pub(super) fn increase_limit(&mut self, per_minute: u32, now_ms: u64) {
        let has_waited = now_ms >= self.increased_at_ms + LIMIT_INCREASE_AFTER_MS;
        let is_used_up = self.calls_ms.len() >= self.limit(per_minute);
        if is_used_up && has_waited && self.decreased_by == 0 && self.increased_by < per_minute / 9
        {
            self.increased_by += 1;
            self.increased_at_ms = now_ms;
        }
    }

    /// Whether the calls of the last minute exceeded the most that a chat accepts, only because of
    /// hands, and the server did not complain.
    pub(super) fn exceeded_limit_unpunished(&self, per_minute: u32, now_ms: u64) -> bool {
        let most = (per_minute + per_minute / 9) as usize;
        let boards = self.calls_ms.len().saturating_sub(self.hands_ms.len());
        self.not_before_ms <= now_ms && boards <= most && self.calls_ms.len() > most + 1
    }

    /// The fewest calls per minute that boards get, however many hands are shown.
    pub(super) fn board_calls_min(&self, per_minute: u32) -> usize {
        self.limit(per_minute) / 3
    }

    /// The most hands that are shown per minute.
    pub(super) fn hand_calls_max(&self, per_minute: u32) -> usize {
        self.limit(per_minute) - self.board_calls_min(per_minute)
    }

    /// The number of calls per minute that are reserved for hands, by the number of hands that are
    /// shown.
    pub(super) fn reserved_for_hands(&self, per_minute: u32, now_ms: u64) -> usize {
        let recent = self.hands_ms.iter().filter(|at| **at + RECENT_HANDS_MS > now_ms).count();
        let per_minute_estimate = recent * (MINUTE_MS / RECENT_HANDS_MS) as usize;
        match per_minute_estimate.max(self.hands_ms.len()) {
            0 => 0,
            expected => (expected + 1).min(self.hand_calls_max(per_minute)),
        }
    }

    /// The number of calls per minute that may be used before a hand is sent, including other
    /// calls: one less if a board has waited for the longest time that boards wait.
    pub(super) fn hand_budget(&self, per_minute: u32, now_ms: u64) -> usize {
        let (most, pause_ms) = (self.limit(per_minute), self.board_pause_max_ms(per_minute));
        let board_waits = self.is_board_waiting(now_ms)
            && self.boards_ms.back().is_none_or(|last| last + pause_ms <= now_ms);
        most.saturating_sub(usize::from(board_waits))
    }

    /// Whether a public message waits. This expires, because the message may have become
    /// unnecessary.
    pub(super) fn is_board_waiting(&self, now_ms: u64) -> bool {
        self.board_waits_until_ms > 0 && now_ms < self.board_waits_until_ms + 2 * SECOND_MS
    }

    /// The longest time that boards wait for hands, in milliseconds.
    pub(super) fn board_pause_max_ms(&self, per_minute: u32) -> u64 {
        MINUTE_MS / self.board_calls_min(per_minute).max(1) as u64
    }

    /// The time from which the next hand may be pushed to the player to move.
    pub(super) fn next_hand_ms(&self, per_minute: u32, is_shared: bool, now_ms: u64) -> u64 {
        let most = self.limit(per_minute);
        let (common, share) = match is_shared {
            true => {
                let budget = self.hand_budget(per_minute, now_ms);
                let excess = self.calls_ms.len().checked_sub(budget);
                let common =
                    excess.map_or(0, |it| self.calls_ms.get(it).map_or(0, |at| at + MINUTE_MS));
                // The rest is for players who request their hand.
                let share = self.hand_calls_max(per_minute);
                (common, share - share / 4)
            }
            false => (0, most),
        };
        let latest = self.calls_ms.iter().rev().take(CALLS_PER_SECOND);
        let mut latest: Vec<u64> =
            latest.chain(self.hands_ms.iter().rev().take(CALLS_PER_SECOND)).copied().collect();
        latest.sort_unstable_by(|a, b| b.cmp(a));
        let free = latest.get(CALLS_PER_SECOND - 1).map_or(0, |at| at + SECOND_MS);
        common.max(next_spread_call_ms(&self.hands_ms, share, share - share / 3)).max(free)
    }

    /// The time from which a player to move who requests their hand may be shown it. The last hands
    /// of a minute are spread, so that no player waits long.
    pub(super) fn next_requested_hand_ms(&self, per_minute: u32) -> u64 {
        let share = self.hand_calls_max(per_minute);
        next_spread_call_ms(&self.hands_ms, share, share - share / 3)
    }

    /// The time from which the next public call may be made.
    pub(super) fn next_call_ms(&self, per_minute: u32, is_shared: bool, now_ms: u64) -> u64 {
        let most = self.limit(per_minute);
        let reserved = if is_shared { self.reserved_for_hands(per_minute, now_ms) } else { 0 };
        if reserved == 0 {
            return next_spread_call_ms(&self.calls_ms, most, self.burst_limit(per_minute));
        }
        let common =
            self.calls_ms.len().checked_sub(most).map_or(0, |it| self.calls_ms[it] + MINUTE_MS);
        let share = most - reserved;
        let spread_ms = match self.boards_ms.back() {
            Some(last) if 2 * self.boards_ms.len() >= share => last + MINUTE_MS / share as u64,
            Some(_) | None => 0,
        };
        common.max(spread_ms)
    }
}

/// The time from which the next of `most` calls per minute may be made: the first `at_once` of them
/// immediately, the others spread over the time until the first call is a minute old.
fn next_spread_call_ms(calls_ms: &VecDeque<u64>, most: usize, at_once: usize) -> u64 {
    let used = calls_ms.len();
    let (Some(first), Some(last)) = (calls_ms.front(), calls_ms.back()) else { return 0 };
    if used >= most {
        return calls_ms[used - most] + MINUTE_MS;
    }
    if used < at_once {
        return 0;
    }
    last + (first + MINUTE_MS).saturating_sub(*last) / (most - used + 1) as u64
}
