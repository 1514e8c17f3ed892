//! Computes when the next call to one chat may be made: public messages and hands share the calls
//! of a minute.
//!
//! Pure: times are arguments. [`super::budget`] has one value for each chat.

use std::collections::VecDeque;

pub(super) const MINUTE_MS: u64 = 60_000;

/// No server makes it less than this.
pub(super) const LEAST: u32 = 6;

/// After so long without a complaint a chat stands one call more, in milliseconds.
const WIDENED_MS: u64 = 2 * MINUTE_MS;

/// How many calls in the last second leave room for a hand beside them: chats stand about three.
const AT_A_TIME: usize = 2;
const SECOND_MS: u64 = 1_000;

/// The time, in milliseconds, from whose hands the expected hands a minute are computed.
const RECENT_MS: u64 = 20_000;

/// The calls to one chat, in milliseconds of the clock that never jumps.
#[derive(Default)]
pub(super) struct Calls {
    /// When calls were made within the last minute.
    pub(super) made: VecDeque<u64>,
    /// How many of them were made beside the senders.
    pub(super) beside: VecDeque<u64>,
    /// When public messages were sent or edited.
    pub(super) boards: VecDeque<u64>,
    /// When something was shown to one person alone.
    pub(super) hands: VecDeque<u64>,
    /// A public message waits at least until then.
    pub(super) board_waits_ms: u64,
    /// What the server allows less, and since when.
    pub(super) narrowed: u32,
    pub(super) narrowed_ms: u64,
    /// What it has stood more, and when that was found out.
    pub(super) widened: u32,
    pub(super) widened_ms: u64,
    /// Before then nothing may be sent at all.
    pub(super) not_before: u64,
    /// Until then players to move play cards by numbers.
    pub(super) crowded_until: u64,
    /// Until then it counts as the brake of boards.
    pub(super) brake_until: u64,
}

impl Calls {
    pub(super) fn forget(&mut self, now_ms: u64) {
        for calls in [&mut self.made, &mut self.beside, &mut self.boards, &mut self.hands] {
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
    pub(super) fn most(&self, per_minute: u32) -> usize {
        let most = (per_minute + self.widened).saturating_sub(self.narrowed);
        most.max(LEAST.min(per_minute)) as usize
    }

    /// How many of them are not spread.
    pub(super) fn at_once(&self, per_minute: u32) -> usize {
        let most = self.most(per_minute);
        most - most / 6
    }

    /// A minute was used to the full, and nobody complained.
    pub(super) fn widen(&mut self, per_minute: u32, now_ms: u64) {
        let rested = now_ms >= self.widened_ms + WIDENED_MS;
        let full = self.made.len() >= self.most(per_minute);
        if full && rested && self.narrowed == 0 && self.widened < per_minute / 9 {
            self.widened += 1;
            self.widened_ms = now_ms;
        }
    }

    /// Whether the calls of the last minute were more than a chat stands at most, and only because
    /// hands were among them, and nobody complained.
    pub(super) fn stood_more(&self, per_minute: u32, now_ms: u64) -> bool {
        let most = (per_minute + per_minute / 9) as usize;
        let boards = self.made.len().saturating_sub(self.hands.len());
        self.not_before <= now_ms && boards <= most && self.made.len() > most + 1
    }

    /// How many calls a minute boards have at least, whatever hands are shown.
    pub(super) fn least_boards(&self, per_minute: u32) -> usize {
        self.most(per_minute) / 3
    }

    /// How many hands a minute are shown at most.
    pub(super) fn most_hands(&self, per_minute: u32) -> usize {
        self.most(per_minute) - self.least_boards(per_minute)
    }

    /// How many calls a minute are kept for hands, by how many are shown.
    pub(super) fn kept_for_hands(&self, per_minute: u32, now_ms: u64) -> usize {
        let recent = self.hands.iter().filter(|at| **at + RECENT_MS > now_ms).count();
        let a_minute = recent * (MINUTE_MS / RECENT_MS) as usize;
        match a_minute.max(self.hands.len()) {
            0 => 0,
            expected => (expected + 1).min(self.most_hands(per_minute)),
        }
    }

    /// How many calls a minute hands may use, others included: one less while a board has waited
    /// for the longest time that boards wait.
    pub(super) fn room(&self, per_minute: u32, now_ms: u64) -> usize {
        let (most, pause_ms) = (self.most(per_minute), self.longest_pause_ms(per_minute));
        let waits = self.is_board_waiting(now_ms)
            && self.boards.back().is_none_or(|last| last + pause_ms <= now_ms);
        most.saturating_sub(usize::from(waits))
    }

    /// Whether a public message waits. It expires, because the message may have become unneeded.
    pub(super) fn is_board_waiting(&self, now_ms: u64) -> bool {
        self.board_waits_ms > 0 && now_ms < self.board_waits_ms + 2 * SECOND_MS
    }

    /// How long boards wait at most for hands, in milliseconds.
    pub(super) fn longest_pause_ms(&self, per_minute: u32) -> u64 {
        MINUTE_MS / self.least_boards(per_minute).max(1) as u64
    }

    /// When the next hand may be pushed to the player to move.
    pub(super) fn next_hand_ms(&self, per_minute: u32, together: bool, now_ms: u64) -> u64 {
        let most = self.most(per_minute);
        let (common, share) = match together {
            true => {
                let room = self.room(per_minute, now_ms);
                let over = self.made.len().checked_sub(room);
                let common = over.map_or(0, |it| self.made.get(it).map_or(0, |at| at + MINUTE_MS));
                // The rest is for players who ask.
                let share = self.most_hands(per_minute);
                (common, share - share / 4)
            }
            false => (0, most),
        };
        let latest = self.made.iter().rev().take(AT_A_TIME);
        let mut latest: Vec<u64> =
            latest.chain(self.hands.iter().rev().take(AT_A_TIME)).copied().collect();
        latest.sort_unstable_by(|a, b| b.cmp(a));
        let free = latest.get(AT_A_TIME - 1).map_or(0, |at| at + SECOND_MS);
        common.max(spread(&self.hands, share, share - share / 3)).max(free)
    }

    /// When the next hand may be shown to a player to move who asks for it. The last ones of a
    /// minute are spread, so that no player waits long.
    pub(super) fn next_asked_ms(&self, per_minute: u32) -> u64 {
        let share = self.most_hands(per_minute);
        spread(&self.hands, share, share - share / 3)
    }

    /// When the next public call may be made.
    pub(super) fn next_ms(&self, per_minute: u32, together: bool, now_ms: u64) -> u64 {
        let most = self.most(per_minute);
        let kept = if together { self.kept_for_hands(per_minute, now_ms) } else { 0 };
        if kept == 0 {
            return spread(&self.made, most, self.at_once(per_minute));
        }
        let common = self.made.len().checked_sub(most).map_or(0, |it| self.made[it] + MINUTE_MS);
        let share = most - kept;
        let paced = match self.boards.back() {
            Some(last) if 2 * self.boards.len() >= share => last + MINUTE_MS / share as u64,
            Some(_) | None => 0,
        };
        common.max(paced)
    }
}

/// When the next of `most` calls a minute may be made: the first `at_once` of them immediately, the
/// others spread over the time until the first call is a minute old.
fn spread(made: &VecDeque<u64>, most: usize, at_once: usize) -> u64 {
    let used = made.len();
    let (Some(first), Some(last)) = (made.front(), made.back()) else { return 0 };
    if used >= most {
        return made[used - most] + MINUTE_MS;
    }
    if used < at_once {
        return 0;
    }
    last + (first + MINUTE_MS).saturating_sub(*last) / (most - used + 1) as u64
}
