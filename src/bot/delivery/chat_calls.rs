//! Computes when the next call to one chat may be made. Public messages and hands share the calls
//! per minute.
//!
//! Pure: times are arguments. [`super::rate_limits`] has one value for each chat.

use std::collections::{HashMap, VecDeque};

use super::outbox::SendLane;
use crate::repository::MINUTE_MS;

/// The lowest limit per minute that complaints of the server can lead to.
pub(super) const CALLS_PER_MINUTE_MIN: u32 = 6;

/// How long a chat has to be without complaints until its limit rises by one call per minute, in
/// milliseconds.
const LIMIT_INCREASE_AFTER_MS: u64 = 2 * MINUTE_MS;

/// The most calls that are made within a second where hands are shown: chats accept about three.
pub(super) const CALLS_PER_SECOND: usize = 3;
const SECOND_MS: u64 = 1_000;

/// How many hands of players to move come before a board that waits.
const HANDS_BEFORE_BOARD: usize = 2;

/// The longest pause between hands of players to move, in percent of the even pace of all calls:
/// hands may come faster for a while, as long as no later pause has to be longer.
const HAND_PAUSE_PERCENT: u64 = 135;
/// The same for public messages beside hands: lower, so that hands have room left.
const BOARD_PAUSE_PERCENT: u64 = 110;

/// How long a call that was allowed counts at most before it is recorded, in milliseconds.
const PENDING_MS: u64 = 10_000;

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
    /// The hand of a player to move waits at least until this time.
    pub(super) hand_waits_until_ms: u64,
    /// The number of calls by which the limit is lowered after complaints; the next field says
    /// since when.
    pub(super) decreased_by: u32,
    pub(super) decreased_at_ms: u64,
    /// The number of calls by which the limit is raised; the next field says since when.
    pub(super) increased_by: u32,
    pub(super) increased_at_ms: u64,
    /// When each lane was allowed a call that is still being made.
    pub(super) granted_ms: HashMap<SendLane, u64>,
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

    /// How long a lane has to wait for its next call, in milliseconds; `None` if it may make it
    /// now. The call then counts from now on, so that the other lane does not make one at the same
    /// time; [`ChatCalls::release`] ends that when it has been recorded, or was not made.
    pub(super) fn request_call(
        &mut self,
        lane: SendLane,
        now_ms: u64,
        next_ms: impl FnOnce(&Self) -> u64,
    ) -> Option<u64> {
        let other = lane.other();
        let is_pending = self.granted_ms.get(&other).is_some_and(|at| at + PENDING_MS > now_ms);
        if is_pending {
            self.calls_ms.push_back(now_ms);
            self.calls_of(other).push_back(now_ms);
        }
        let next_ms = next_ms(self).max(self.not_before_ms);
        if is_pending {
            self.calls_ms.pop_back();
            self.calls_of(other).pop_back();
        }
        let wait_ms = next_ms.checked_sub(now_ms).filter(|ms| *ms > 0);
        match wait_ms {
            None => self.granted_ms.insert(lane, now_ms),
            Some(_) => self.granted_ms.remove(&lane),
        };
        wait_ms
    }

    /// The call that the lane was allowed is in the other fields, or was not made.
    pub(super) fn release(&mut self, lane: SendLane) {
        self.granted_ms.remove(&lane);
    }

    fn calls_of(&mut self, lane: SendLane) -> &mut VecDeque<u64> {
        match lane {
            SendLane::Public => &mut self.boards_ms,
            SendLane::Hands => &mut self.hands_ms,
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

    /// The number of calls per minute that leave room for messages of adapters: the last ones that
    /// may be made at once are for boards.
    pub(super) fn message_room(&self, per_minute: u32) -> usize {
        self.burst_limit(per_minute) * 4 / 5
    }

    /// The time from which an adapter message of an adapter may be sent, if no board waits.
    pub(super) fn next_message_ms(&self, per_minute: u32) -> u64 {
        let most = self.limit(per_minute);
        let at_once = self.message_room(per_minute);
        next_spread_call_ms(&self.calls_ms, most, at_once).max(self.not_before_ms)
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
        self.limit(per_minute) / (HANDS_BEFORE_BOARD + 1)
    }

    /// How many calls a minute are made without a pace beside hands.
    fn unpaced_calls(&self, per_minute: u32) -> usize {
        self.limit(per_minute) * 2 / 5
    }

    /// How many calls a minute leave room for hands that players ask for. The others are for the
    /// next hands of players to move.
    pub(super) fn requested_hand_room(&self, per_minute: u32) -> usize {
        self.limit(per_minute) / 2
    }

    /// The time from which a player to move who requests their hand may be shown it, where hands
    /// and public messages share the limit: a little before the next hand would be shown anyway.
    pub(super) fn next_requested_hand_ms(&self, per_minute: u32, now_ms: u64) -> u64 {
        let most = self.limit(per_minute);
        match self.calls_ms.len() + 1 < most {
            true => self
                .next_shared_hand_ms(per_minute, now_ms)
                .saturating_sub(pause_ms(most, HAND_PAUSE_PERCENT)),
            false => self.next_shared_hand_ms(per_minute, now_ms),
        }
    }

    /// Whether a board comes before the next hand.
    fn is_board_next(&self, now_ms: u64) -> bool {
        is_waiting(self.board_waits_until_ms, now_ms) && self.has_enough_hands_before_board()
    }

    /// Whether the hand of a player to move comes before the next board.
    fn is_hand_next(&self, now_ms: u64) -> bool {
        is_waiting(self.hand_waits_until_ms, now_ms) && !self.is_board_next(now_ms)
    }

    fn has_enough_hands_before_board(&self) -> bool {
        let last_board = self.boards_ms.back().copied();
        let since = |hand: &&u64| last_board.is_none_or(|board| **hand > board);
        self.hands_ms.iter().rev().take_while(since).count() >= HANDS_BEFORE_BOARD
    }

    /// The longest pause between boards beside hands, in milliseconds, at the even pace of calls.
    fn board_pause_max_ms(&self, per_minute: u32) -> u64 {
        MINUTE_MS / self.board_calls_min(per_minute).max(1) as u64
    }

    /// The time from which the next hand may be pushed to the player to move.
    pub(super) fn next_hand_ms(&self, per_minute: u32, is_shared: bool, now_ms: u64) -> u64 {
        let next = match is_shared {
            true => self.next_shared_hand_ms(per_minute, now_ms),
            false => {
                let most = self.limit(per_minute);
                next_spread_call_ms(&self.hands_ms, most, most - most / 3)
            }
        };
        next.max(self.next_in_second_ms(CALLS_PER_SECOND - 2, is_shared))
    }

    /// The time from which at most `most` calls were made within the last second. Those of which
    /// nothing is known yet, such as answers to presses, need room as well.
    pub(super) fn next_in_second_ms(&self, most: usize, is_shared: bool) -> u64 {
        // Where hands share the limit, they are among all calls.
        let hands = self.hands_ms.iter().filter(|_| !is_shared);
        let mut latest: Vec<u64> = self.calls_ms.iter().chain(hands).copied().collect();
        latest.sort_unstable_by(|a, b| b.cmp(a));
        latest.get(most).map_or(0, |at| at + SECOND_MS)
    }

    /// The time from which the limit per minute allows the next hand of a player to move, where
    /// hands and public messages share it.
    pub(super) fn next_shared_hand_ms(&self, per_minute: u32, now_ms: u64) -> u64 {
        if self.calls_ms.len() < self.unpaced_calls(per_minute) {
            return 0;
        }
        let most = self.limit(per_minute).saturating_sub(usize::from(self.is_board_next(now_ms)));
        // The first hand waits for no pace.
        let pause_ms = match self.hands_ms.is_empty() {
            true => MINUTE_MS,
            false => pause_ms(most, HAND_PAUSE_PERCENT),
        };
        next_paced_call_ms(&self.calls_ms, most, pause_ms)
    }

    /// The time from which the next public call may be made.
    pub(super) fn next_call_ms(&self, per_minute: u32, is_shared: bool, now_ms: u64) -> u64 {
        let most = self.limit(per_minute);
        if !is_shared || self.hands_ms.is_empty() {
            return next_spread_call_ms(&self.calls_ms, most, self.burst_limit(per_minute));
        }
        let free = self.next_in_second_ms(CALLS_PER_SECOND - 1, is_shared);
        if self.calls_ms.len() < self.unpaced_calls(per_minute) {
            return free;
        }
        let most = most.saturating_sub(usize::from(self.is_hand_next(now_ms)));
        let paced = next_paced_call_ms(&self.calls_ms, most, pause_ms(most, HAND_PAUSE_PERCENT));
        let overdue = match self.boards_ms.back() {
            Some(last) if !self.has_enough_hands_before_board() => {
                last + self.board_pause_max_ms(per_minute)
            }
            Some(_) | None => 0,
        };
        let spare = steady_call_ms(&self.calls_ms, most, pause_ms(most, BOARD_PAUSE_PERCENT));
        spare.min(paced.max(overdue)).max(free)
    }
}

/// Whether a message that waits at least until `until_ms` still does. This expires, because the
/// message may have become unneeded.
fn is_waiting(until_ms: u64, now_ms: u64) -> bool {
    until_ms > 0 && now_ms < until_ms + 2 * SECOND_MS
}

/// A pause between calls, in percent of the even pace of `most` calls a minute.
fn pause_ms(most: usize, percent: u64) -> u64 {
    MINUTE_MS * percent / (100 * most.max(1) as u64)
}

/// The time from which a call may be made so that no later pause has to be longer than `pause_ms`.
/// Where earlier calls have made that impossible, the calls that are left are spread evenly.
fn next_paced_call_ms(made: &VecDeque<u64>, most: usize, pause_ms: u64) -> u64 {
    let Some(last) = made.back() else { return 0 };
    // A call leaves the limit a minute after it was made; `left` calls may be made before.
    let even = |(at, left): (u64, u64)| (left * last + at + MINUTE_MS) / (left + 1);
    let even = leaving_calls(made, most).map(even).max().unwrap_or_default();
    steady_call_ms(made, most, pause_ms).min(even)
}

/// The time from which a call may be made so that a call each `pause_ms` remains possible.
fn steady_call_ms(made: &VecDeque<u64>, most: usize, pause_ms: u64) -> u64 {
    let steady = |(at, left): (u64, u64)| (at + MINUTE_MS).saturating_sub(left * pause_ms);
    leaving_calls(made, most).map(steady).max().unwrap_or_default()
}

/// Each call of the last minute, with how many calls may be made between the next one and the time
/// at which it is a minute old.
fn leaving_calls(made: &VecDeque<u64>, most: usize) -> impl Iterator<Item = (u64, u64)> {
    let left = move |later: usize| most.saturating_sub(1 + later) as u64;
    made.iter().rev().enumerate().map(move |(later, at)| (*at, left(later)))
}

/// The time from which the next of `most` calls a minute may be made: the first `at_once` of them
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
