//! How fast chats are spoken to. Topics of a chat share its budget.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

const MINUTE_MS: u64 = 60_000;

/// When so many chats are remembered, those that were silent for a minute are forgotten.
const REMEMBERED: usize = 1_000;

/// The calls of the last minute, by chat.
#[derive(Default)]
pub(super) struct Paces(Mutex<HashMap<String, VecDeque<u64>>>);

impl Paces {
    /// How long to wait before the next call to a chat that stands `per_minute`, if at all.
    pub(super) fn wait_ms(&self, chat: &str, per_minute: usize, now_ms: u64) -> Option<u64> {
        let mut chats = self.0.lock().expect("nothing panics while holding this lock");
        let calls = chats.get_mut(chat)?;
        while calls.front().is_some_and(|at| at + MINUTE_MS <= now_ms) {
            calls.pop_front();
        }
        let over = calls.len().checked_sub(per_minute.max(1))?;
        Some((calls[over] + MINUTE_MS).saturating_sub(now_ms).max(1))
    }

    /// A call to a chat is being made.
    pub(super) fn note(&self, chat: &str, now_ms: u64) {
        let mut chats = self.0.lock().expect("nothing panics while holding this lock");
        if chats.len() >= REMEMBERED {
            chats.retain(|_, calls| calls.back().is_some_and(|at| at + MINUTE_MS > now_ms));
        }
        chats.entry(chat.to_owned()).or_default().push_back(now_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_minute_has_to_pass_before_the_next_call() {
        let paces = Paces::default();
        paces.note("a", 0);
        assert_eq!(paces.wait_ms("a", 2, 10), None);
        paces.note("a", 10);
        assert_eq!(paces.wait_ms("a", 2, 20), Some(59_980));
        assert_eq!(paces.wait_ms("b", 2, 20), None);
        assert_eq!(paces.wait_ms("a", 2, 60_000), None);
    }
}
