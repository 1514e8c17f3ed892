//! How fast chats are spoken to. Topics of a chat share its budget.
//!
//! In any minute a chat stands so many calls, wherever in it they are made. Most of them may be
//! made at once, so that what is done is seen; the last of them are spread over the time until the
//! first are a minute old, so that a game that is played fast shows the newest board every few
//! seconds instead of running into a long pause. A server that says it is too much is believed:
//! its chat stands less for a while. A chat that was used to the full without a complaint stands a
//! little more.
//!
//! What one person alone is shown in a chat may count with the rest or not; no server says. To try
//! costs all boards of a chat a pause of up to a minute, so both share one budget, and where that
//! becomes the brake hands are not pushed any more. A server that has stood more than a chat's
//! budget, hands among it, has said that they do not count: from then on they have a budget of
//! their own, until a complaint comes although each was within its own.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use serde::{Deserialize, Serialize};

const MINUTE_MS: u64 = 60_000;

/// Whoever stands so many calls a minute is not counted.
const NO_LIMIT: u32 = 6_000;

/// When so many chats are remembered, those that were left alone for a minute are forgotten.
const REMEMBERED: usize = 1_000;

/// No server makes it less than this.
const LEAST: u32 = 6;

/// After so long without a complaint a chat stands one call more, in milliseconds.
const WIDENED_MS: u64 = 2 * MINUTE_MS;

/// A server that wants a wait as short as this speaks of the last second and not of the last
/// minute, in milliseconds.
const MOMENT_MS: u64 = 3_000;

/// How many calls in the last second leave room for a hand beside them: chats stand about three.
const AT_A_TIME: usize = 2;
const SECOND_MS: u64 = 1_000;

/// A chat in which the budget is the brake counts as such for so long, in milliseconds.
const CROWDED_MS: u64 = 3 * MINUTE_MS;

/// The calls to all chats.
#[derive(Default)]
pub(super) struct Budgets {
    chats: Mutex<HashMap<String, Calls>>,
    /// Whether the server has shown that private words in a chat do not count with the others.
    apart: AtomicBool,
}

/// The calls to one chat, in milliseconds of the clock that never jumps.
#[derive(Default)]
struct Calls {
    /// When calls were made within the last minute.
    made: VecDeque<u64>,
    /// How many of them were made beside the senders.
    beside: VecDeque<u64>,
    /// When something was shown to one person alone.
    hands: VecDeque<u64>,
    /// What the server allows less, and since when.
    narrowed: u32,
    narrowed_ms: u64,
    /// What it has stood more, and when that was found out.
    widened: u32,
    widened_ms: u64,
    /// Before then nothing may be sent at all.
    not_before: u64,
    /// Until then the budget counts as the brake of hands.
    crowded_until: u64,
    /// Until then it counts as the brake of boards.
    brake_until: u64,
}

/// Calls as they are kept for whoever speaks to the chat next: how long ago they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Spent {
    /// When this was written, in milliseconds since 1970.
    pub(super) at_ms: u64,
    /// How long before, in milliseconds.
    pub(super) ages_ms: Vec<u64>,
}

/// Whether a place stands so much that nothing is counted.
pub(super) fn is_free(per_minute: u32) -> bool {
    per_minute >= NO_LIMIT
}

impl Calls {
    fn forget(&mut self, now_ms: u64) {
        for calls in [&mut self.made, &mut self.beside, &mut self.hands] {
            while calls.front().is_some_and(|at| at + MINUTE_MS <= now_ms) {
                calls.pop_front();
            }
        }
        while self.narrowed > 0 && now_ms >= self.narrowed_ms + WIDENED_MS {
            self.narrowed -= 1;
            self.narrowed_ms += WIDENED_MS;
        }
    }

    /// How many calls it stands in a minute now.
    fn most(&self, per_minute: u32) -> usize {
        let most = (per_minute + self.widened).saturating_sub(self.narrowed);
        most.max(LEAST.min(per_minute)) as usize
    }

    /// How many of them are not spread.
    fn at_once(&self, per_minute: u32) -> usize {
        let most = self.most(per_minute);
        most - most / 6
    }

    /// A minute was used to the full, and nobody complained.
    fn widen(&mut self, per_minute: u32, now_ms: u64) {
        let rested = now_ms >= self.widened_ms + WIDENED_MS;
        let full = self.made.len() >= self.most(per_minute);
        if full && rested && self.narrowed == 0 && self.widened < per_minute / 9 {
            self.widened += 1;
            self.widened_ms = now_ms;
        }
    }

    /// Whether the calls of the last minute were more than a chat stands at most, and only because
    /// hands were among them, and nobody complained.
    fn stood_more(&self, per_minute: u32, now_ms: u64) -> bool {
        let most = (per_minute + per_minute / 9) as usize;
        let boards = self.made.len().saturating_sub(self.hands.len());
        self.not_before <= now_ms && boards <= most && self.made.len() > most + 1
    }

    /// When the next hand may be shown that nobody asked for: what is common is left to the
    /// boards as long as there is little of it.
    fn next_hand_ms(&self, per_minute: u32, together: bool) -> u64 {
        let most = self.most(per_minute);
        let (used, most) = match together {
            true => (&self.made, most - most / 3),
            false => (&self.hands, most),
        };
        let paced = used.len().checked_sub(most).map_or(0, |over| used[over] + MINUTE_MS);
        let latest = self.made.iter().rev().take(AT_A_TIME);
        let mut latest: Vec<u64> =
            latest.chain(self.hands.iter().rev().take(AT_A_TIME)).copied().collect();
        latest.sort_unstable_by(|a, b| b.cmp(a));
        let free = latest.get(AT_A_TIME - 1).map_or(0, |at| at + SECOND_MS);
        paced.max(free)
    }

    /// When the next call may be made.
    fn next_ms(&self, per_minute: u32) -> u64 {
        let (most, at_once) = (self.most(per_minute), self.at_once(per_minute));
        let used = self.made.len();
        let (Some(first), Some(last)) = (self.made.front(), self.made.back()) else { return 0 };
        if used >= most {
            return self.made[used - most] + MINUTE_MS;
        }
        if used < at_once {
            return 0;
        }
        last + (first + MINUTE_MS).saturating_sub(*last) / (most - used + 1) as u64
    }
}

impl Budgets {
    fn chats(&self) -> MutexGuard<'_, HashMap<String, Calls>> {
        self.chats.lock().expect("nothing panics while holding this lock")
    }

    /// How long to wait before the next call to a chat that stands `per_minute`, if at all.
    pub(super) fn wait_ms(&self, chat: &str, per_minute: u32, now_ms: u64) -> Option<u64> {
        let mut chats = self.chats();
        let calls = chats.get_mut(chat)?;
        calls.forget(now_ms);
        let paced = if is_free(per_minute) { 0 } else { calls.next_ms(per_minute) };
        paced.max(calls.not_before).checked_sub(now_ms).filter(|ms| *ms > 0)
    }

    /// The same for something that one person alone is shown.
    pub(super) fn wait_hand_ms(&self, chat: &str, per_minute: u32, now_ms: u64) -> Option<u64> {
        if is_free(per_minute) {
            return None;
        }
        let together = !self.apart.load(Ordering::Relaxed);
        let mut chats = self.chats();
        let calls = chats.get_mut(chat)?;
        calls.forget(now_ms);
        let next = calls.next_hand_ms(per_minute, together).max(calls.not_before);
        next.checked_sub(now_ms).filter(|ms| *ms > 0)
    }

    /// Whether there is so much left that hands are shown to people who are not on turn.
    pub(super) fn is_plenty(&self, chat: &str, per_minute: u32, now_ms: u64) -> bool {
        let mut chats = self.chats();
        let Some(calls) = chats.get_mut(chat).filter(|_| !is_free(per_minute)) else { return true };
        calls.forget(now_ms);
        let used = calls.hands.len().max(calls.made.len());
        calls.not_before <= now_ms && used < calls.most(per_minute) / 2
    }

    /// Something is being shown to one person alone.
    pub(super) fn note_hand(&self, chat: &str, per_minute: u32, now_ms: u64) {
        if is_free(per_minute) {
            return;
        }
        self.calls_of(chat, now_ms, |calls| {
            calls.hands.push_back(now_ms);
            if !self.apart.load(Ordering::Relaxed) {
                calls.made.push_back(now_ms);
                if calls.stood_more(per_minute, now_ms) {
                    self.apart.store(true, Ordering::Relaxed);
                }
            }
        });
    }

    /// Whether what is shown to one person alone would be missing for everybody else: a passing
    /// note, which costs nothing, has to do.
    pub(super) fn is_crowded(&self, chat: &str, per_minute: u32, now_ms: u64) -> bool {
        if is_free(per_minute) || self.apart.load(Ordering::Relaxed) {
            return false;
        }
        let mut chats = self.chats();
        let Some(calls) = chats.get_mut(chat) else { return false };
        calls.forget(now_ms);
        let most = calls.most(per_minute);
        if calls.made.len() >= most - most / 3 {
            calls.crowded_until = now_ms + CROWDED_MS;
        }
        now_ms < calls.crowded_until
    }

    /// Whether boards of this chat come later than they could: so much was said within a minute
    /// that the rest is spread over it. It stays so for a while, for nobody likes buttons that come
    /// and go.
    pub(super) fn is_brake(&self, chat: &str, per_minute: u32, now_ms: u64) -> bool {
        let mut chats = self.chats();
        let Some(calls) = chats.get_mut(chat).filter(|_| !is_free(per_minute)) else {
            return false;
        };
        calls.forget(now_ms);
        if calls.made.len() >= calls.at_once(per_minute) {
            calls.brake_until = now_ms + CROWDED_MS;
        }
        now_ms < calls.brake_until
    }

    /// A call to a chat is being made.
    pub(super) fn note(&self, chat: &str, per_minute: u32, now_ms: u64) {
        if !is_free(per_minute) {
            self.calls_of(chat, now_ms, |calls| {
                calls.made.push_back(now_ms);
                calls.widen(per_minute, now_ms);
            });
        }
    }

    /// A call to a chat was made that could not wait for its turn: the answer to a press. Half of
    /// the budget at least is left to the senders: somebody who presses buttons again and again
    /// must not keep the others from seeing the board.
    pub(super) fn note_beside(&self, chat: &str, per_minute: u32, now_ms: u64) {
        if is_free(per_minute) {
            return;
        }
        self.calls_of(chat, now_ms, |calls| {
            if calls.beside.len() < (per_minute / 2) as usize {
                calls.beside.push_back(now_ms);
                calls.made.push_back(now_ms);
            }
        });
    }

    /// The server says that it is too much and not before so many milliseconds.
    pub(super) fn told_to_wait(&self, chat: &str, per_minute: u32, now_ms: u64, wait_ms: u64) {
        self.calls_of(chat, now_ms, |calls| {
            calls.not_before = now_ms + wait_ms;
            if wait_ms <= MOMENT_MS {
                return;
            }
            (calls.widened, calls.widened_ms) = (0, now_ms);
            let within = calls.made.len() <= per_minute as usize && !calls.hands.is_empty();
            if within && !is_free(per_minute) && self.apart.swap(false, Ordering::Relaxed) {
                // Each was within its budget: the server counts them together.
                calls.made.extend(calls.hands.iter().copied());
                calls.made.make_contiguous().sort_unstable();
                return;
            }
            let used = u32::try_from(calls.made.len()).unwrap_or(u32::MAX);
            if !is_free(per_minute) && used > LEAST {
                calls.narrowed = per_minute.saturating_sub(used.min(per_minute)) + 2;
                calls.narrowed_ms = now_ms;
            }
        });
    }

    fn calls_of(&self, chat: &str, now_ms: u64, change: impl FnOnce(&mut Calls)) {
        let mut chats = self.chats();
        if chats.len() >= REMEMBERED && !chats.contains_key(chat) {
            chats.values_mut().for_each(|it| it.forget(now_ms));
            chats.retain(|_, it| !it.made.is_empty() || it.narrowed > 0 || it.not_before > now_ms);
        }
        let calls = chats.entry(chat.to_owned()).or_default();
        calls.forget(now_ms);
        change(calls);
    }

    /// What is kept for whoever speaks to this chat next.
    pub(super) fn spent(&self, chat: &str, now_ms: u64, wall_ms: u64) -> Spent {
        let mut chats = self.chats();
        let Some(calls) = chats.get_mut(chat) else {
            return Spent { at_ms: wall_ms, ages_ms: Vec::new() };
        };
        calls.forget(now_ms);
        // A clock that goes back is a fault, and no reason to fall silent.
        let ages_ms = calls.made.iter().map(|at| now_ms.saturating_sub(*at)).collect();
        Spent { at_ms: wall_ms, ages_ms }
    }

    /// Takes over a chat that another run, or another process, has spoken to.
    pub(super) fn take_over(&self, chat: &str, spent: &Spent, now_ms: u64, wall_ms: u64) {
        // A clock that was set back since then tells nothing: it counts as if it were now.
        let since = wall_ms.saturating_sub(spent.at_ms);
        let ages = spent.ages_ms.iter().map(|age| age.saturating_add(since));
        let recent: Vec<u64> = ages.filter(|age| *age < MINUTE_MS).collect();
        self.calls_of(chat, now_ms, |calls| {
            if calls.made.len() >= recent.len() {
                return;
            }
            // Before this process began, its clock had no time yet.
            let mut made: Vec<u64> = recent.iter().map(|age| now_ms.saturating_sub(*age)).collect();
            made.sort_unstable();
            calls.made = made.into();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When calls are made for so long by somebody who always has something to say.
    fn calls(budgets: &Budgets, per_minute: u32, from_ms: u64, until_ms: u64) -> Vec<u64> {
        let mut calls = Vec::new();
        let mut now_ms = from_ms;
        while now_ms < until_ms {
            match budgets.wait_ms("a", per_minute, now_ms) {
                Some(ms) => now_ms += ms,
                None => {
                    budgets.note("a", per_minute, now_ms);
                    calls.push(now_ms);
                }
            }
        }
        calls
    }

    fn most_in_a_minute(calls: &[u64]) -> usize {
        let within = |(n, from): (usize, &u64)| {
            calls[n..].iter().take_while(|at| **at < from + MINUTE_MS).count()
        };
        calls.iter().enumerate().map(within).max().unwrap_or_default()
    }

    #[test]
    fn no_minute_sees_more_calls_than_allowed_and_none_is_wasted() {
        for per_minute in [1, 2, 15, 18, 55, 600] {
            let calls = calls(&Budgets::default(), per_minute, 0, 3 * MINUTE_MS);
            assert!(
                most_in_a_minute(&calls) <= (per_minute + per_minute / 9) as usize,
                "{per_minute}"
            );
            assert!(calls.len() >= 3 * per_minute as usize - 1, "{per_minute} {calls:?}");
        }
    }

    #[test]
    fn the_first_fifteen_of_a_minute_do_not_wait_and_then_the_wait_is_short() {
        let calls = calls(&Budgets::default(), 18, 0, MINUTE_MS);
        assert!(calls[..15].iter().all(|at| *at == 0), "{calls:?}");
        let budgets = Budgets::default();
        // A move every three seconds, the newest board wins.
        let (mut now_ms, mut latest, mut moves) = (0, 0, 0);
        while moves < 200 {
            let moved_ms = 3_000 * moves;
            now_ms = moved_ms.max(now_ms);
            now_ms += budgets.wait_ms("a", 18, now_ms).unwrap_or_default();
            budgets.note("a", 18, now_ms);
            latest = latest.max(now_ms - moved_ms);
            moves = now_ms / 3_000 + 1;
        }
        assert!(latest <= 3_500, "{latest}");
    }

    #[test]
    fn who_is_told_to_wait_waits_and_stands_less_for_a_while() {
        let budgets = Budgets::default();
        (0..12).for_each(|_| budgets.note("a", 18, 0));
        budgets.told_to_wait("a", 18, 0, 5_000);
        assert_eq!(budgets.wait_ms("a", 18, 0), Some(MINUTE_MS), "it stood less than twelve");
        let later = calls(&budgets, 18, 2 * MINUTE_MS, 3 * MINUTE_MS);
        assert!(later.len() <= 12, "{later:?}");
        let much_later = calls(&budgets, 18, 60 * MINUTE_MS, 61 * MINUTE_MS);
        assert!(much_later.len() >= 18, "{much_later:?}");
    }

    #[test]
    fn hands_share_the_budget_until_the_server_has_stood_more() {
        let budgets = Budgets::default();
        (0..12).for_each(|_| budgets.note("a", 18, 0));
        assert_eq!(budgets.wait_hand_ms("a", 18, 1_000), Some(MINUTE_MS - 1_000));
        assert!(budgets.is_crowded("a", 18, 1_000), "words that cost nothing have to do");
        // Whoever asks is shown it all the same, and it was never too much.
        (0..9).for_each(|_| budgets.note_hand("a", 18, 1_000));
        assert!(budgets.is_crowded("a", 18, 1_000));
        budgets.note_hand("a", 18, 1_000);
        assert!(!budgets.is_crowded("a", 18, 1_000));
        assert_eq!(budgets.wait_hand_ms("b", 18, 1_000), None, "what one has taught holds for all");
    }

    #[test]
    fn hands_have_a_budget_of_their_own_until_the_server_says_that_they_count() {
        let budgets = Budgets::default();
        budgets.apart.store(true, Ordering::Relaxed);
        (0..18).for_each(|_| budgets.note("a", 18, 0));
        assert_eq!(budgets.wait_hand_ms("a", 18, 0), Some(1_000), "not all at the same moment");
        assert_eq!(budgets.wait_hand_ms("a", 18, 1_000), None);
        (0..4).for_each(|_| budgets.note_hand("a", 18, 1_000));
        budgets.told_to_wait("a", 18, 1_000, 1_000);
        assert!(!budgets.is_crowded("a", 18, 2_000), "it was too much for a moment");
        budgets.told_to_wait("a", 18, 2_000, 20_000);
        assert_eq!(budgets.wait_hand_ms("a", 18, 2_000), Some(MINUTE_MS - 2_000));
        assert!(budgets.is_crowded("a", 18, 2_000), "words that cost nothing have to do");
        assert!(budgets.is_crowded("a", 18, 2 * MINUTE_MS), "and for a while: nobody likes both");
        assert!(!budgets.is_crowded("a", 18, 6 * MINUTE_MS));
        // What one chat has taught holds for all.
        (0..12).for_each(|_| budgets.note_hand("b", 18, 0));
        assert!(budgets.wait_hand_ms("b", 18, 0).is_some(), "the rest is for the boards");
        assert_eq!(budgets.wait_ms("b", 18, 0), None);
    }

    #[test]
    fn a_chat_in_which_boards_come_late_is_known_as_such_for_a_while() {
        let budgets = Budgets::default();
        (0..14).for_each(|_| budgets.note("a", 18, 0));
        assert!(!budgets.is_brake("a", 18, 1));
        budgets.note("a", 18, 1);
        assert!(budgets.is_brake("a", 18, 1));
        assert!(budgets.is_brake("a", 18, 2 * MINUTE_MS), "a button does not come and go");
        assert!(!budgets.is_brake("a", 18, 4 * MINUTE_MS));
        assert!(!budgets.is_brake("b", u32::MAX, 1));
    }

    #[test]
    fn a_chat_that_never_complains_stands_a_little_more() {
        let budgets = Budgets::default();
        let calls = calls(&budgets, 18, 10 * MINUTE_MS, 30 * MINUTE_MS);
        assert_eq!(most_in_a_minute(&calls), 20, "and never more");
    }

    #[test]
    fn answers_count_and_leave_half_to_the_senders() {
        let budgets = Budgets::default();
        (0..200).for_each(|_| budgets.note_beside("a", 18, 1));
        assert_eq!(budgets.wait_ms("a", 18, 1), None);
        (0..6).for_each(|_| budgets.note("a", 18, 1));
        assert!(budgets.wait_ms("a", 18, 1).is_some());
    }

    #[test]
    fn who_takes_a_chat_over_knows_what_was_spent() {
        let (old, new) = (Budgets::default(), Budgets::default());
        (0..18).for_each(|_| old.note("a", 18, 500_000));
        let spent = old.spent("a", 520_000, 1_000_000);
        assert_eq!(spent.ages_ms, [20_000; 18]);
        new.take_over("a", &spent, 90_000, 1_010_000);
        assert_eq!(new.wait_ms("a", 18, 90_000), Some(30_000));
        let late = Budgets::default();
        late.take_over("a", &spent, 90_000, 1_060_000);
        assert_eq!(late.wait_ms("a", 18, 90_000), None);
        let set_back = Budgets::default();
        set_back.take_over("a", &spent, 90_000, 5);
        assert_eq!(set_back.wait_ms("a", 18, 90_000), Some(40_000));
    }

    #[test]
    fn other_chats_and_those_without_a_limit_do_not_wait() {
        let budgets = Budgets::default();
        (0..50).for_each(|_| budgets.note("a", 15, 1));
        assert!(budgets.wait_ms("a", 15, 1).is_some());
        assert_eq!(budgets.wait_ms("b", 15, 1), None);
        (0..50_000).for_each(|_| budgets.note("c", u32::MAX, 1));
        assert_eq!(budgets.wait_ms("c", u32::MAX, 1), None);
    }
}
