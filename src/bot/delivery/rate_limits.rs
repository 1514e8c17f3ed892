//! Limits the calls to each chat. All topics of a chat share its limit.
//!
//! Each chat has a per-minute call limit. Most of these calls may be made at once, so that actions
//! are seen immediately. The last ones are spread over the time until the first ones are a minute
//! old, so that a fast game shows its newest board every few seconds instead of running into a long
//! pause. When a server reports too many calls, the limit of that chat is lowered for a while. A
//! chat that used its limit fully without a complaint gets a slightly higher limit.
//!
//! Private messages in a chat may or may not count with the public ones; no server documents it.
//! Testing it costs all boards of a chat a pause of up to a minute, so both share one budget. The
//! hand of the player to move comes first: it shows the trick as well, and nobody can play from an
//! outdated hand. As long as hands are shown, every call is paced: it is made only if a call every
//! few seconds remains possible afterwards, so no player to move waits much longer than the even
//! pace. Boards leave more room than hands; a board that waits comes after two hands. The hands of
//! other players are shown while there is plenty. A server that has accepted more calls than the
//! limit of a chat, hands among them, has shown that hands do not count. From then on hands have a
//! budget of their own, until the server complains although each kind was within its own budget.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::chat_calls::{CALLS_PER_MINUTE_MIN, CALLS_PER_SECOND, ChatCalls};
use super::outbox::SendLane;
use crate::repository::MINUTE_MS;
use caravanserai_protocol::HandPriority;

/// Chats with at least this call limit per minute are not counted.
const UNLIMITED_PER_MINUTE: u32 = 6_000;

/// The number of chats in memory from which on those without calls in the last minute are dropped.
const CHATS_REMEMBERED_MAX: usize = 1_000;

/// A server that asks for a wait this short refers to the last second and not to the last minute,
/// in milliseconds.
const SHORT_RETRY_AFTER_MS: u64 = 3_000;

/// How long a chat counts as crowded or throttled after the limit delayed a call, in milliseconds.
const CROWDED_FOR_MS: u64 = 3 * MINUTE_MS;

/// How many calls a process may have made since it last stored its calls: an edit that failed, and
/// the post that replaces the message. A process that stops there has stored neither.
const UNSTORED_CALLS: usize = 2;

/// The calls to all chats.
#[derive(Default)]
pub(super) struct ChatRateLimits {
    chats: Mutex<HashMap<String, ChatCalls>>,
    /// Whether the server has shown that private messages in a chat do not count with public ones.
    has_separate_hand_budget: AtomicBool,
}

/// The calls to a chat as ages, stored for the next process that sends to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CallHistory {
    /// When this was written, in milliseconds since 1970.
    pub(super) at_ms: u64,
    /// How long before `at_ms` each call was made, in milliseconds.
    pub(super) ages_ms: Vec<u64>,
}

/// Whether a public message that an adapter sends by itself delays boards of its chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageBudget {
    /// It delays no board.
    Plenty,
    /// It would delay boards that wait, and may be sent after this many milliseconds at the
    /// earliest.
    Short { wait_ms: u64 },
}

/// Whether the call limit of a chat is so high that calls are not counted.
pub(super) fn is_unlimited(per_minute: u32) -> bool {
    per_minute >= UNLIMITED_PER_MINUTE
}

impl ChatRateLimits {
    /// How long to wait before the next call to a chat with this limit, in milliseconds; `None` if
    /// it can be made now.
    pub(super) fn wait_ms(&self, chat: &str, per_minute: u32, now_ms: u64) -> Option<u64> {
        let is_shared = !self.has_separate_hand_budget.load(Ordering::Relaxed);
        let mut chats = self.chats.lock();
        let calls = chats.get_mut(chat)?;
        calls.drop_old_calls(now_ms);
        if is_unlimited(per_minute) {
            return calls.not_before_ms.checked_sub(now_ms).filter(|ms| *ms > 0);
        }
        let wait_ms = calls.request_call(SendLane::Public, now_ms, |calls| {
            calls.next_call_ms(per_minute, is_shared, now_ms)
        });
        calls.board_waits_until_ms = wait_ms.map_or(0, |ms| now_ms + ms);
        wait_ms
    }

    /// How long to wait before the hand of the player to move can be sent, in milliseconds; `None`
    /// if it can be sent now.
    pub(super) fn hand_wait_ms(&self, chat: &str, per_minute: u32, now_ms: u64) -> Option<u64> {
        if is_unlimited(per_minute) {
            return None;
        }
        let is_shared = !self.has_separate_hand_budget.load(Ordering::Relaxed);
        let mut chats = self.chats.lock();
        let calls = chats.get_mut(chat)?;
        calls.drop_old_calls(now_ms);
        let wait_ms = calls.request_call(SendLane::Hands, now_ms, |calls| {
            calls.next_hand_ms(per_minute, is_shared, now_ms)
        });
        calls.hand_waits_until_ms = wait_ms.map_or(0, |ms| now_ms + ms);
        wait_ms
    }

    /// Releases the call that a lane reserved with [`ChatRateLimits::wait_ms`] or
    /// [`ChatRateLimits::hand_wait_ms`], whether it was made or not.
    pub(super) fn release(&self, chat: &str, lane: SendLane) {
        if let Some(calls) = self.chats.lock().get_mut(chat) {
            calls.release(lane);
        }
    }

    /// Whether enough calls are left to show hands to players who are not to move.
    pub(super) fn has_spare_calls(&self, chat: &str, per_minute: u32, now_ms: u64) -> bool {
        let mut chats = self.chats.lock();
        let Some(calls) = chats.get_mut(chat).filter(|_| !is_unlimited(per_minute)) else {
            return true;
        };
        calls.drop_old_calls(now_ms);
        let used = calls.hands_ms.len().max(calls.calls_ms.len());
        calls.not_before_ms <= now_ms && used < calls.board_calls_min(per_minute)
    }

    /// Records a message that is shown to one person privately.
    pub(super) fn record_ephemeral_call(&self, chat: &str, per_minute: u32, now_ms: u64) {
        if is_unlimited(per_minute) {
            return;
        }
        self.with_calls(chat, now_ms, |calls| {
            calls.hands_ms.push_back(now_ms);
            calls.hand_waits_until_ms = 0;
            calls.release(SendLane::Hands);
            if !self.has_separate_hand_budget.load(Ordering::Relaxed) {
                calls.calls_ms.push_back(now_ms);
                if calls.exceeded_limit_unpunished(per_minute, now_ms) {
                    self.has_separate_hand_budget.store(true, Ordering::Relaxed);
                }
            }
        });
    }

    /// Whether a public message that an adapter sends by itself delays boards of this chat.
    pub(super) fn message_budget(&self, chat: &str, per_minute: u32, now_ms: u64) -> MessageBudget {
        let mut chats = self.chats.lock();
        let Some(calls) = chats.get_mut(chat).filter(|_| !is_unlimited(per_minute)) else {
            return MessageBudget::Plenty;
        };
        calls.drop_old_calls(now_ms);
        let next_ms = calls.next_message_ms(per_minute);
        if calls.calls_ms.len() < calls.message_room(per_minute) && next_ms <= now_ms {
            return MessageBudget::Plenty;
        }
        MessageBudget::Short { wait_ms: next_ms.saturating_sub(now_ms) }
    }

    /// Whether a player who requests their hand can be shown it now. If not, the adapter shows a
    /// short notification, which costs no call. The player to move may use the calls reserved for
    /// hands.
    pub(super) fn has_hand_budget(
        &self,
        chat: &str,
        per_minute: u32,
        now_ms: u64,
        priority: HandPriority,
    ) -> bool {
        if is_unlimited(per_minute) || self.has_separate_hand_budget.load(Ordering::Relaxed) {
            return true;
        }
        self.with_calls(chat, now_ms, |calls| {
            let has_plenty = calls.calls_ms.len() < calls.requested_hand_room(per_minute);
            let is_next = priority == HandPriority::ToMove
                && calls.next_requested_hand_ms(per_minute, now_ms) <= now_ms;
            let free_ms = calls.next_in_second_ms(CALLS_PER_SECOND - 1, true);
            let has_hand_budget =
                (has_plenty || is_next) && calls.not_before_ms.max(free_ms) <= now_ms;
            if !has_hand_budget && priority == HandPriority::ToMove {
                calls.crowded_until_ms = now_ms + CROWDED_FOR_MS;
            }
            has_hand_budget
        })
    }

    /// Whether a player to move could not be shown their hand recently, so that cards are played by
    /// numbers. The state lasts for a while, because buttons that come and go confuse people.
    pub(super) fn are_hands_limited(&self, chat: &str, per_minute: u32, now_ms: u64) -> bool {
        if is_unlimited(per_minute) || self.has_separate_hand_budget.load(Ordering::Relaxed) {
            return false;
        }
        self.chats.lock().get(chat).is_some_and(|it| now_ms < it.crowded_until_ms)
    }

    /// Whether boards of this chat are delayed because so many calls were made within a minute that
    /// the rest is spread over it. The state lasts for a while, because buttons that come and go
    /// confuse people.
    pub(super) fn are_boards_delayed(&self, chat: &str, per_minute: u32, now_ms: u64) -> bool {
        let mut chats = self.chats.lock();
        let Some(calls) = chats.get_mut(chat).filter(|_| !is_unlimited(per_minute)) else {
            return false;
        };
        calls.drop_old_calls(now_ms);
        if calls.calls_ms.len() >= calls.burst_limit(per_minute) {
            calls.throttled_until_ms = now_ms + CROWDED_FOR_MS;
        }
        now_ms < calls.throttled_until_ms
    }

    /// Records a call to a chat.
    pub(super) fn record_call(&self, chat: &str, per_minute: u32, now_ms: u64) {
        if !is_unlimited(per_minute) {
            self.with_calls(chat, now_ms, |calls| {
                calls.calls_ms.push_back(now_ms);
                calls.boards_ms.push_back(now_ms);
                calls.board_waits_until_ms = 0;
                calls.release(SendLane::Public);
                calls.increase_limit(per_minute, now_ms);
            });
        }
    }

    /// Takes back the last recorded call to a chat, which was not made.
    pub(super) fn retract_call(&self, chat: &str) {
        if let Some(calls) = self.chats.lock().get_mut(chat) {
            calls.calls_ms.pop_back();
            calls.boards_ms.pop_back();
        }
    }

    /// Records a call that could not be queued: the reply to a press. At least half of the budget
    /// is left to the senders, so that a person who presses buttons repeatedly does not prevent
    /// others from seeing the board.
    pub(super) fn record_unqueued_call(&self, chat: &str, per_minute: u32, now_ms: u64) {
        if is_unlimited(per_minute) {
            return;
        }
        self.with_calls(chat, now_ms, |calls| {
            if calls.unqueued_ms.len() < (per_minute / 2) as usize {
                calls.unqueued_ms.push_back(now_ms);
                calls.calls_ms.push_back(now_ms);
                calls.boards_ms.push_back(now_ms);
            }
        });
    }

    /// How long the server still refuses calls to a chat, in milliseconds.
    pub(super) fn refused_ms(&self, chat: &str, now_ms: u64) -> u64 {
        let chats = self.chats.lock();
        chats.get(chat).map_or(0, |it| it.not_before_ms.saturating_sub(now_ms))
    }

    /// Applies the server's request to wait `wait_ms` milliseconds before the next call.
    pub(super) fn apply_retry_after(&self, chat: &str, per_minute: u32, now_ms: u64, wait_ms: u64) {
        self.with_calls(chat, now_ms, |calls| {
            calls.not_before_ms = now_ms + wait_ms;
            if wait_ms <= SHORT_RETRY_AFTER_MS {
                return;
            }
            (calls.increased_by, calls.increased_at_ms) = (0, now_ms);
            let is_within =
                calls.calls_ms.len() <= per_minute as usize && !calls.hands_ms.is_empty();
            if is_within
                && !is_unlimited(per_minute)
                && self.has_separate_hand_budget.swap(false, Ordering::Relaxed)
            {
                // Each kind was within its budget, so the server counts them together.
                calls.calls_ms.extend(calls.hands_ms.iter().copied());
                calls.calls_ms.make_contiguous().sort_unstable();
                return;
            }
            let used = u32::try_from(calls.calls_ms.len()).unwrap_or(u32::MAX);
            if !is_unlimited(per_minute) && used > CALLS_PER_MINUTE_MIN {
                calls.decreased_by = per_minute.saturating_sub(used.min(per_minute)) + 2;
                calls.decreased_at_ms = now_ms;
            }
        });
    }

    fn with_calls<T>(
        &self,
        chat: &str,
        now_ms: u64,
        change: impl FnOnce(&mut ChatCalls) -> T,
    ) -> T {
        let mut chats = self.chats.lock();
        if chats.len() >= CHATS_REMEMBERED_MAX && !chats.contains_key(chat) {
            chats.values_mut().for_each(|it| it.drop_old_calls(now_ms));
            chats.retain(|_, it| {
                !it.calls_ms.is_empty() || it.decreased_by > 0 || it.not_before_ms > now_ms
            });
        }
        let calls = chats.entry(chat.to_owned()).or_default();
        calls.drop_old_calls(now_ms);
        change(calls)
    }

    /// Exports the calls to this chat for the next process that sends to it.
    pub(super) fn export_history(&self, chat: &str, now_ms: u64, wall_ms: u64) -> CallHistory {
        let mut chats = self.chats.lock();
        let Some(calls) = chats.get_mut(chat) else {
            return CallHistory { at_ms: wall_ms, ages_ms: Vec::new() };
        };
        calls.drop_old_calls(now_ms);
        // If the clock was set back, the call counts as made now, so that sending continues.
        let ages_ms = calls.calls_ms.iter().map(|at| now_ms.saturating_sub(*at)).collect();
        CallHistory { at_ms: wall_ms, ages_ms }
    }

    /// Imports the calls that another run or another process made to a chat, those included that
    /// it may not have stored any more.
    pub(super) fn import_history(
        &self,
        chat: &str,
        history: &CallHistory,
        now_ms: u64,
        wall_ms: u64,
    ) {
        // If the clock was set back since then, the ages are unknown and count from now.
        let elapsed_ms = wall_ms.saturating_sub(history.at_ms);
        let unstored =
            std::iter::repeat_n(0, UNSTORED_CALLS).filter(|_| !history.ages_ms.is_empty());
        let ages = history.ages_ms.iter().copied().chain(unstored);
        let ages = ages.map(|age| age.saturating_add(elapsed_ms));
        let recent: Vec<u64> = ages.filter(|age| *age < MINUTE_MS).collect();
        self.with_calls(chat, now_ms, |calls| {
            if calls.calls_ms.len() >= recent.len() {
                return;
            }
            // Times before this process began are clamped to 0, the start of its clock.
            let mut calls_ms: Vec<u64> =
                recent.iter().map(|age| now_ms.saturating_sub(*age)).collect();
            calls_ms.sort_unstable();
            calls.calls_ms = calls_ms.into();
            calls.boards_ms = calls.calls_ms.clone();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of the calls made by a sender that always has something to send.
    fn calls(budgets: &ChatRateLimits, per_minute: u32, from_ms: u64, until_ms: u64) -> Vec<u64> {
        let mut calls = Vec::new();
        let mut now_ms = from_ms;
        while now_ms < until_ms {
            match budgets.wait_ms("a", per_minute, now_ms) {
                Some(ms) => now_ms += ms,
                None => {
                    budgets.record_call("a", per_minute, now_ms);
                    calls.push(now_ms);
                }
            }
        }
        calls
    }

    fn most_in_a_minute(calls: &[u64]) -> usize {
        let calls_within = |(n, from): (usize, &u64)| {
            calls[n..].iter().take_while(|at| **at < from + MINUTE_MS).count()
        };
        calls.iter().enumerate().map(calls_within).max().unwrap_or_default()
    }

    #[test]
    fn no_minute_sees_more_calls_than_allowed_and_none_is_wasted() {
        for per_minute in [1, 2, 15, 18, 55, 600] {
            let calls = calls(&ChatRateLimits::default(), per_minute, 0, 3 * MINUTE_MS);
            assert!(
                most_in_a_minute(&calls) <= (per_minute + per_minute / 9) as usize,
                "{per_minute}"
            );
            assert!(calls.len() >= 3 * per_minute as usize - 1, "{per_minute} {calls:?}");
        }
    }

    #[test]
    fn the_first_fifteen_of_a_minute_do_not_wait_and_then_the_wait_is_short() {
        let calls = calls(&ChatRateLimits::default(), 18, 0, MINUTE_MS);
        assert!(calls[..15].iter().all(|at| *at == 0), "{calls:?}");
        let budgets = ChatRateLimits::default();
        // A move every three seconds; only the newest board is sent.
        let mut now_ms = 0;
        let mut latest = 0;
        let mut moves = 0;
        while moves < 200 {
            let moved_ms = 3_000 * moves;
            now_ms = moved_ms.max(now_ms);
            now_ms += budgets.wait_ms("a", 18, now_ms).unwrap_or_default();
            budgets.record_call("a", 18, now_ms);
            latest = latest.max(now_ms - moved_ms);
            moves = now_ms / 3_000 + 1;
        }
        assert!(latest <= 3_500, "{latest}");
    }

    #[test]
    fn messages_of_an_adapter_leave_room_for_boards() {
        let budgets = ChatRateLimits::default();
        let budget = |now_ms| budgets.message_budget("a", 18, now_ms);
        assert_eq!(budget(0), MessageBudget::Plenty);
        // People talk, and the answers to them come one a second.
        let mut sent = 0;
        while budget(sent * 1_000) == MessageBudget::Plenty {
            budgets.record_call("a", 18, sent * 1_000);
            sent += 1;
        }
        assert_eq!(sent, 12);
        let now_ms = sent * 1_000;
        let MessageBudget::Short { wait_ms } = budget(now_ms) else { panic!("it is short") };
        assert!((1_000..10_000).contains(&wait_ms), "{wait_ms}");
        for _ in 0..3 {
            assert_eq!(budgets.wait_ms("a", 18, now_ms), None, "boards do not wait for that");
            budgets.record_call("a", 18, now_ms);
        }
        assert!(matches!(budget(now_ms), MessageBudget::Short { wait_ms: 5_000.. }));
        assert!(matches!(budget(MINUTE_MS + 3_000), MessageBudget::Plenty));
        // The server has asked for a pause.
        budgets.apply_retry_after("b", 18, 0, 2_000);
        let asked = budgets.message_budget("b", 18, 500);
        assert_eq!(asked, MessageBudget::Short { wait_ms: 1_500 });
        assert_eq!(budgets.message_budget("c", UNLIMITED_PER_MINUTE, 0), MessageBudget::Plenty);
    }

    #[test]
    fn retry_after_pauses_calls_and_lowers_the_limit() {
        let budgets = ChatRateLimits::default();
        (0..12).for_each(|_| budgets.record_call("a", 18, 0));
        budgets.apply_retry_after("a", 18, 0, 5_000);
        assert_eq!(
            budgets.wait_ms("a", 18, 0),
            Some(MINUTE_MS),
            "the server accepted fewer than twelve"
        );
        let later = calls(&budgets, 18, 2 * MINUTE_MS, 3 * MINUTE_MS);
        assert!(later.len() <= 12, "{later:?}");
        let much_later = calls(&budgets, 18, 60 * MINUTE_MS, 61 * MINUTE_MS);
        assert!(much_later.len() >= 18, "{much_later:?}");
    }

    #[test]
    fn hands_share_the_budget_until_the_server_has_stood_more() {
        let budgets = ChatRateLimits::default();
        (0..5).for_each(|_| budgets.record_call("a", 18, 0));
        assert!(budgets.has_spare_calls("a", 18, 0), "other players are shown their hands, too");
        (0..7).for_each(|_| budgets.record_call("a", 18, 0));
        assert!(!budgets.has_spare_calls("a", 18, 0));
        assert_eq!(budgets.hand_wait_ms("a", 18, 1_000), None, "a third is reserved for hands");
        assert!(
            !budgets.has_hand_budget("a", 18, 1_000, HandPriority::Waiting),
            "the rest is reserved for the player to move"
        );
        assert!(budgets.has_hand_budget("a", 18, 1_000, HandPriority::ToMove));
        assert!(!budgets.are_hands_limited("a", 18, 1_000));
        // Hands requested elsewhere are counted too; the server has not complained yet.
        (0..9).for_each(|_| budgets.record_ephemeral_call("a", 18, 1_000));
        assert!(!budgets.has_hand_budget("a", 18, 1_000, HandPriority::ToMove));
        assert!(budgets.are_hands_limited("a", 18, 1_000), "the free notification is used instead");
        assert!(budgets.are_hands_limited("a", 18, 2 * MINUTE_MS), "and for a while after");
        assert!(!budgets.are_hands_limited("a", 18, 6 * MINUTE_MS));
        budgets.record_ephemeral_call("a", 18, 1_000);
        assert!(!budgets.are_hands_limited("a", 18, 1_000));
        assert!(budgets.has_hand_budget("a", 18, 1_000, HandPriority::Waiting));
        assert_eq!(budgets.hand_wait_ms("b", 18, 1_000), None, "it applies to all chats");
    }

    #[test]
    fn hands_have_a_budget_of_their_own_until_the_server_says_that_they_count() {
        let budgets = ChatRateLimits::default();
        budgets.has_separate_hand_budget.store(true, Ordering::Relaxed);
        (0..18).for_each(|_| budgets.record_call("a", 18, 0));
        assert_eq!(budgets.hand_wait_ms("a", 18, 0), Some(1_000), "not all at the same moment");
        assert_eq!(budgets.hand_wait_ms("a", 18, 1_000), None);
        (0..4).for_each(|_| budgets.record_ephemeral_call("a", 18, 1_000));
        budgets.apply_retry_after("a", 18, 1_000, 1_000);
        assert!(
            budgets.has_hand_budget("a", 18, 2_000, HandPriority::ToMove),
            "it was too much for a moment"
        );
        budgets.apply_retry_after("a", 18, 2_000, 20_000);
        assert_eq!(budgets.hand_wait_ms("a", 18, 2_000), Some(MINUTE_MS - 2_000));
        assert!(!budgets.has_hand_budget("a", 18, 2_000, HandPriority::ToMove));
        // A complaint in one chat applies to all chats.
        (0..18).for_each(|_| budgets.record_ephemeral_call("b", 18, 0));
        assert!(budgets.hand_wait_ms("b", 18, 0).is_some());
    }

    /// Simulates a game with a move every `turn_ms`: after each move the hand of the player to move
    /// and the board are sent as soon as the budget allows, only the newest of each. Returns the
    /// longest delays of a hand and of a board in milliseconds, and the number of hands that were
    /// not shown in time.
    fn game(turn_ms: u64, minutes: u64) -> (u64, u64, u64) {
        let budgets = ChatRateLimits::default();
        let mut hand = None::<u64>;
        let mut board = None::<u64>;
        let mut late_hand = 0;
        let mut late_board = 0;
        let mut missed = 0;
        for now_ms in (0..minutes * MINUTE_MS).step_by(100) {
            if now_ms % turn_ms == 0 {
                missed += u64::from(hand.is_some());
                hand = Some(now_ms);
                board.get_or_insert(now_ms);
            }
            if let Some(since) = hand.filter(|_| budgets.hand_wait_ms("a", 18, now_ms).is_none()) {
                budgets.record_ephemeral_call("a", 18, now_ms);
                late_hand = late_hand.max(now_ms - since);
                hand = None;
            }
            if let Some(since) = board.filter(|_| budgets.wait_ms("a", 18, now_ms).is_none()) {
                budgets.record_call("a", 18, now_ms);
                late_board = late_board.max(now_ms - since);
                board = None;
            }
            let calls = budgets.export_history("a", now_ms, now_ms).ages_ms.len();
            assert!(calls <= 20, "{calls} calls in a minute");
        }
        (late_hand, late_board, missed)
    }

    #[test]
    fn hands_of_players_to_move_come_before_boards_and_neither_stops() {
        for (turn_ms, most_board_ms, most_missed) in
            [(2_000, 14_000, 60), (3_000, 14_000, 42), (4_000, 13_000, 25), (8_000, 1_000, 0)]
        {
            let (late_hand, late_board, missed) = game(turn_ms, 5);
            let turns = 5 * MINUTE_MS / turn_ms;
            let message = format!(
                "{turn_ms} ms a move: hands {late_hand} ms late, {missed} of {turns} not shown, \
                 boards {late_board} ms late"
            );
            assert!(late_hand < turn_ms, "{message}");
            assert!(
                late_board <= most_board_ms && 100 * missed <= most_missed * turns,
                "{message}"
            );
        }
    }

    #[test]
    fn a_player_to_move_waits_no_longer_than_a_paced_call_takes() {
        // Turns that begin as soon as the hand before was shown and thought about.
        for (lobby_calls, think_ms, most_ms) in
            [(0, 1_000, 3_600), (0, 2_000, 2_600), (9, 2_000, 3_000)]
        {
            let budgets = ChatRateLimits::default();
            (0..lobby_calls).for_each(|n| budgets.record_call("a", 18, n * 2_000));
            let mut turn_ms = lobby_calls * 2_000;
            let mut now_ms = 0;
            let mut latest_ms = 0;
            for _ in 0..200 {
                now_ms = now_ms.max(turn_ms);
                while let Some(ms) = budgets.hand_wait_ms("a", 18, now_ms) {
                    now_ms += ms;
                }
                budgets.record_ephemeral_call("a", 18, now_ms);
                latest_ms = latest_ms.max(now_ms - turn_ms);
                turn_ms = now_ms + think_ms;
            }
            assert!(latest_ms <= most_ms, "{lobby_calls} {think_ms}: {latest_ms}");
        }
    }

    #[test]
    fn two_lanes_that_ask_at_the_same_time_do_not_use_the_same_call() {
        let budgets = ChatRateLimits::default();
        (0..17).for_each(|n| budgets.record_ephemeral_call("a", 18, n * 3_400));
        let mut now_ms = 16 * 3_400;
        while let Some(ms) = budgets.hand_wait_ms("a", 18, now_ms) {
            now_ms += ms;
        }
        assert!(budgets.wait_ms("a", 18, now_ms).is_some(), "the hand is being sent");
        budgets.release("a", SendLane::Hands);
        assert_eq!(budgets.wait_ms("a", 18, now_ms), None, "the hand was not needed any more");
    }

    #[test]
    fn a_chat_in_which_boards_come_late_is_known_as_such_for_a_while() {
        let budgets = ChatRateLimits::default();
        (0..14).for_each(|_| budgets.record_call("a", 18, 0));
        assert!(!budgets.are_boards_delayed("a", 18, 1));
        budgets.record_call("a", 18, 1);
        assert!(budgets.are_boards_delayed("a", 18, 1));
        assert!(budgets.are_boards_delayed("a", 18, 2 * MINUTE_MS), "the state does not flicker");
        assert!(!budgets.are_boards_delayed("a", 18, 4 * MINUTE_MS));
        assert!(!budgets.are_boards_delayed("b", u32::MAX, 1));
    }

    #[test]
    fn a_chat_that_never_complains_stands_a_little_more() {
        let budgets = ChatRateLimits::default();
        let calls = calls(&budgets, 18, 10 * MINUTE_MS, 30 * MINUTE_MS);
        assert_eq!(most_in_a_minute(&calls), 20, "and never more");
    }

    #[test]
    fn answers_count_and_leave_half_to_the_senders() {
        let budgets = ChatRateLimits::default();
        (0..200).for_each(|_| budgets.record_unqueued_call("a", 18, 1));
        assert_eq!(budgets.wait_ms("a", 18, 1), None);
        (0..6).for_each(|_| budgets.record_call("a", 18, 1));
        assert!(budgets.wait_ms("a", 18, 1).is_some());
    }

    #[test]
    fn calls_of_the_last_minute_count_after_a_takeover() {
        let old = ChatRateLimits::default();
        let new = ChatRateLimits::default();
        (0..18).for_each(|_| old.record_call("a", 18, 500_000));
        let history = old.export_history("a", 520_000, 1_000_000);
        assert_eq!(history.ages_ms, [20_000; 18]);
        new.import_history("a", &history, 90_000, 1_010_000);
        assert_eq!(new.wait_ms("a", 18, 90_000), Some(30_000));
        let known = new.export_history("a", 90_000, 1_010_000).ages_ms;
        assert_eq!(known[18..], [10_000, 10_000], "two calls may have been made since");
        let late = ChatRateLimits::default();
        late.import_history("a", &history, 90_000, 1_060_000);
        assert_eq!(late.wait_ms("a", 18, 90_000), None);
        let set_back = ChatRateLimits::default();
        set_back.import_history("a", &history, 90_000, 5);
        assert_eq!(set_back.wait_ms("a", 18, 90_000), Some(40_000));
    }

    #[test]
    fn calls_that_were_not_made_use_up_nothing() {
        let budgets = ChatRateLimits::default();
        for _ in 0..100 {
            assert_eq!(budgets.wait_ms("a", 18, 1), None);
            budgets.record_call("a", 18, 1);
            budgets.retract_call("a");
        }
        budgets.record_call("a", 18, 1);
        budgets.retract_call("b");
        assert_eq!(budgets.export_history("a", 1, 1).ages_ms.len(), 1);
    }

    #[test]
    fn other_chats_and_those_without_a_limit_do_not_wait() {
        let budgets = ChatRateLimits::default();
        (0..50).for_each(|_| budgets.record_call("a", 15, 1));
        assert!(budgets.wait_ms("a", 15, 1).is_some());
        assert_eq!(budgets.wait_ms("b", 15, 1), None);
        (0..50_000).for_each(|_| budgets.record_call("c", u32::MAX, 1));
        assert_eq!(budgets.wait_ms("c", u32::MAX, 1), None);
    }
}
