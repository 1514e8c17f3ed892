//! Removes finished games that their chats do not keep any longer, in small steps.
//!
//! A chat that chooses a limited time keeps its old games for one more day: the choice may have
//! been a wrong press. The time of the choice is stored; everything else is found again in the list
//! of kept games, so a process may stop anywhere, and several processes may run this at once.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::repository::profiles::ChatProfile;
use crate::repository::quarantine::catch_panic;
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{DAY_MS, Failure, GameRemoval, MINUTE_MS, Repository, keys};
use crate::settings::Setting;
use caravanserai_games::ids::ChatId;
use caravanserai_store::{Commit, Expect, Space};

/// The interval at which all chats are looked at, in milliseconds.
const PASS_INTERVAL_MS: u64 = 60 * MINUTE_MS;

/// The time from the choice of a limit until the first games are removed, in milliseconds.
const CHOICE_DELAY_MS: u64 = DAY_MS;

/// The most games that are removed, and chats that are looked at, between two wakes.
const STEPS_PER_WAKE: usize = 200;

/// The most chats that are read at once.
const CHATS_PER_PAGE: usize = 200;

/// The most games of a chat that are read at once.
const GAMES_PER_PAGE: usize = 20;

/// How often a chat may get another id; Telegram's groups do so once.
const CHAT_MOVES_MAX: usize = 8;

/// The lease of the process that removes games, in milliseconds.
const LEASE_MS: u64 = 120_000;

/// The name of the lease.
const LEASE: &str = "game retention";

/// Removes finished games that their chats do not keep any longer.
pub struct RetentionWorker {
    repository: Arc<Repository>,
    /// Notified when there may be something to do.
    wake: Notify,
}

/// The time of a choice, as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct RetentionChoice {
    /// The value of the setting.
    value: String,
    /// When this value was first seen, in milliseconds since 1970.
    since_ms: u64,
}

/// How far a pass over all chats has come. It is kept in memory only: a new process begins again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RetentionPass {
    /// The interval in which the last pass began.
    interval: Option<u64>,
    /// Whether a pass is underway.
    is_underway: bool,
    /// The last chat that was looked at.
    after: String,
}

/// The decision about the games of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ChatDecision {
    /// All are kept.
    KeepAll,
    /// The choice was not seen before, and is stored now.
    Begin(RetentionChoice),
    /// The choice may still be taken back.
    Wait,
    /// Games that ended before this time, in milliseconds since 1970, are removed.
    RemoveBefore(u64),
}

/// Decides about the games of a chat with this value of the setting. `known`: the stored choice.
fn decide(value: &str, known: Option<&RetentionChoice>, now_ms: u64) -> ChatDecision {
    let Some(kept_ms) = Setting::retention_ms(value) else { return ChatDecision::KeepAll };
    match known {
        // A time in the future comes from a clock that was ahead.
        Some(it) if it.value == value && it.since_ms <= now_ms => {
            match it.since_ms.saturating_add(CHOICE_DELAY_MS) <= now_ms {
                true => ChatDecision::RemoveBefore(now_ms.saturating_sub(kept_ms)),
                false => ChatDecision::Wait,
            }
        }
        _ => {
            let value = value.to_owned();
            ChatDecision::Begin(RetentionChoice { value, since_ms: now_ms })
        }
    }
}

impl RetentionWorker {
    /// Creates a worker that is idle until [`Self::run`].
    pub fn new(repository: Arc<Repository>) -> Self {
        RetentionWorker { repository, wake: Notify::new() }
    }

    /// Wakes the worker, because games may have become too old.
    pub fn notify(&self) {
        self.wake.notify_one();
    }

    /// Removes games, after each [`Self::notify`]. Runs until it is dropped.
    pub async fn run(&self) {
        let mut pass = RetentionPass::default();
        loop {
            self.wake.notified().await;
            if let Err(failure) = self.run_steps(&mut pass).await {
                tracing::error!(%failure, "failed to remove old games");
            }
        }
    }

    /// Goes on with the pass, or begins one if it is time.
    ///
    /// # Errors
    /// When the store fails. The next call goes on where this one stopped.
    async fn run_steps(&self, pass: &mut RetentionPass) -> Result<(), Failure> {
        let interval = Some(self.repository.now_ms() / PASS_INTERVAL_MS);
        if !pass.is_underway {
            if pass.interval == interval || !self.is_wanted().await? {
                pass.interval = interval;
                return Ok(());
            }
            *pass = RetentionPass { interval, is_underway: true, after: String::new() };
        }
        let replica = self.repository.replica();
        let mut steps = STEPS_PER_WAKE;
        while steps > 0 && self.repository.store().try_lease(LEASE, replica, LEASE_MS).await? {
            // The results of games are collected from their logs first.
            if !self.repository.results().are_collected().await? {
                return Ok(());
            }
            if !self.repository.kept_games().list_next_page().await? {
                steps -= 1;
                continue;
            }
            let Some(chat) = self.next_chat(&pass.after).await? else {
                pass.is_underway = false;
                return Ok(());
            };
            steps -= 1;
            if self.run_chat(&chat, &mut steps).await? {
                pass.after = chat;
            }
            // Presses must not wait for all chats.
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Whether a chat or a server keeps games for a limited time, or did so until now.
    async fn is_wanted(&self) -> Result<bool, Failure> {
        let choices =
            self.repository.read_rows(Space::Meta, keys::RETENTION_CHOICE_PREFIX, 1).await?;
        if !choices.is_empty() {
            return Ok(true);
        }
        let mut after = String::new();
        loop {
            let rows = self
                .repository
                .read_rows_after(Space::ChatProfile, "", &after, CHATS_PER_PAGE)
                .await?;
            let Some((last, _)) = rows.last() else { return Ok(false) };
            after.clone_from(last);
            for (key, value) in rows {
                let profile: ChatProfile = parse_json_or_default(Some(value));
                let value = profile.setting_value(Setting::GAME_RETENTION, &ChatId(key));
                if value.and_then(|it| Setting::retention_ms(&it)).is_some() {
                    return Ok(true);
                }
            }
        }
    }

    /// The next chat with kept games.
    async fn next_chat(&self, after: &str) -> Result<Option<String>, Failure> {
        // Keys of the last chat continue with a space, which sorts before this mark.
        let after = match after {
            "" => String::new(),
            chat => format!("{}{chat}!", keys::KEPT_GAME_PREFIX),
        };
        let prefix = keys::KEPT_GAME_PREFIX;
        let row = self.repository.read_rows_after(Space::Meta, prefix, &after, 1).await?;
        let chat = row.first().and_then(|(key, _)| keys::parse_kept_game(key));
        Ok(chat.map(|(chat, ..)| chat.to_owned()))
    }

    /// Removes the old games of a chat, as many as there are steps left. Returns whether nothing is
    /// left to do there now.
    async fn run_chat(&self, chat: &str, steps: &mut usize) -> Result<bool, Failure> {
        let key = keys::retention_choice(chat);
        let stored = self.repository.read_value(Space::Meta, &key).await?;
        let known: Option<RetentionChoice> =
            stored.as_ref().map(|it| parse_json_or_default(Some(it.clone())));
        let value = self.value_of(chat).await?;
        let put = match decide(&value, known.as_ref(), self.repository.now_ms()) {
            ChatDecision::KeepAll if stored.is_none() => return Ok(true),
            ChatDecision::KeepAll => remove_row(Space::Meta, key.clone()),
            ChatDecision::Begin(choice) => put_json(Space::Meta, key.clone(), &choice),
            ChatDecision::Wait => return Ok(true),
            ChatDecision::RemoveBefore(before_ms) => {
                return self.remove_games(chat, &value, before_ms, steps).await;
            }
        };
        let expect = vec![Expect { space: Space::Meta, key, value: stored }];
        // After a conflict another process has stored it.
        let commit = Commit { expect, ..Commit::from_puts(vec![put]) };
        self.repository.commit_rows(commit).await.map(|_| true)
    }

    /// The value of the setting for games of this chat. Games of a chat that has another id now
    /// follow the settings that it has now.
    async fn value_of(&self, chat: &str) -> Result<String, Failure> {
        let mut chat = chat.to_owned();
        for _ in 0..CHAT_MOVES_MAX {
            let key = keys::chat_successor(&chat);
            let Some(next) = self.repository.read_value(Space::Meta, &key).await? else { break };
            chat = String::from_utf8_lossy(&next).into_owned();
        }
        let chat_id = ChatId(chat);
        let settings = self.repository.profiles().load_chat_settings(&chat_id).await?;
        Ok(settings.setting_value(Setting::GAME_RETENTION, &chat_id).unwrap_or_default())
    }

    /// Removes games of a chat that ended before this time. Returns whether all of them are done.
    async fn remove_games(
        &self,
        chat: &str,
        value: &str,
        before_ms: u64,
        steps: &mut usize,
    ) -> Result<bool, Failure> {
        let prefix = keys::kept_games_of(chat);
        let mut after = String::new();
        loop {
            let read =
                self.repository.read_rows_after(Space::Meta, &prefix, &after, GAMES_PER_PAGE);
            let rows = read.await?;
            let is_end = rows.len() < GAMES_PER_PAGE;
            for (key, _) in rows {
                let is_old = keys::parse_kept_game(&key).is_some_and(|it| it.1 <= before_ms);
                if !is_old {
                    return Ok(true);
                }
                if *steps == 0 {
                    return Ok(false);
                }
                *steps -= 1;
                let kept_games = self.repository.kept_games();
                // A game whose log makes the code panic stays, for repair.
                match catch_panic(kept_games.remove_game(&key, value, before_ms)).await {
                    Some(removal) => {
                        if removal? == GameRemoval::Removed {
                            metrics::counter!("caravanserai_games_removed_total").increment(1);
                        }
                    }
                    None => tracing::error!(row = key, "kept a game: the code panicked"),
                }
                after = key;
                tokio::task::yield_now().await;
            }
            if is_end {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A moment long after 1970.
    const NOW_MS: u64 = 1_795_424_400_000;

    fn choice(value: &str, since_ms: u64) -> RetentionChoice {
        RetentionChoice { value: value.to_owned(), since_ms }
    }

    #[test]
    fn games_are_kept_for_good_unless_a_chat_chooses_otherwise() {
        for value in ["always", "", "7", "0", "none"] {
            assert_eq!(decide(value, None, NOW_MS), ChatDecision::KeepAll, "{value}");
            let before = choice("30", 0);
            assert_eq!(decide(value, Some(&before), NOW_MS), ChatDecision::KeepAll, "{value}");
        }
    }

    #[test]
    fn a_choice_can_be_taken_back_for_a_day() {
        let begun = ChatDecision::Begin(choice("30", NOW_MS));
        assert_eq!(decide("30", None, NOW_MS), begun);
        let known = choice("30", NOW_MS);
        for later_ms in [0, 1, DAY_MS - 1] {
            assert_eq!(decide("30", Some(&known), NOW_MS + later_ms), ChatDecision::Wait);
        }
        let later_ms = NOW_MS + DAY_MS;
        let removes = ChatDecision::RemoveBefore(later_ms - 30 * DAY_MS);
        assert_eq!(decide("30", Some(&known), later_ms), removes);
    }

    #[test]
    fn another_choice_begins_another_day() {
        let known = choice("365", NOW_MS);
        let later_ms = NOW_MS + 9 * DAY_MS;
        let begun = ChatDecision::Begin(choice("30", later_ms));
        assert_eq!(decide("30", Some(&known), later_ms), begun);
        let ahead = choice("30", later_ms + 1);
        assert_eq!(decide("30", Some(&ahead), later_ms), begun, "its clock was ahead");
    }

    #[test]
    fn each_value_keeps_games_for_its_days() {
        for (value, days) in [("365", 365), ("90", 90), ("30", 30)] {
            let known = choice(value, NOW_MS - DAY_MS);
            let removes = ChatDecision::RemoveBefore(NOW_MS - days * DAY_MS);
            assert_eq!(decide(value, Some(&known), NOW_MS), removes);
        }
    }
}
