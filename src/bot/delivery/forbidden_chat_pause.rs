//! Pauses sending to a chat that forbids the bot to write, and tries again after growing pauses.
//!
//! A platform seldom reports that a chat allows the bot to write again. So the bot tries with the
//! newest board; an update from the chat ends a pause at once. Meanwhile no player loses time
//! because their board cannot be shown: see [`presence`](caravanserai_table::presence).

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::Delivery;
use super::board_message::SendContext;
use crate::repository::stored_rows::{missing_rights, parse_json_or_default, put_json, remove_row};
use crate::repository::{DAY_MS, Failure, MINUTE_MS, keys};
use caravanserai_games::ids::{ChatId, TableId};
use caravanserai_store::{Put, Space, Store, StoreError, StoreQuery};

/// The pauses between two attempts in a group, in milliseconds; the last one is repeated.
const PAUSES_MS: [u64; 7] = [
    MINUTE_MS,
    2 * MINUTE_MS,
    5 * MINUTE_MS,
    10 * MINUTE_MS,
    20 * MINUTE_MS,
    40 * MINUTE_MS,
    60 * MINUTE_MS,
];

/// The number of attempts after which the bot tries only once a week: about a week.
const FREQUENT_TRIES: u32 = 175;

/// The pause after that, and in private chats, whose owners blocked the bot, in milliseconds: a
/// week.
const LONG_PAUSE_MS: u64 = 7 * DAY_MS;

/// The most chats whose pauses are read at once.
const PLACES_PAGE: usize = 100;

/// The stored pause of a chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SendPause {
    /// The end of the pause, in milliseconds since 1970.
    until_ms: u64,
    /// The number of attempts that have failed since the last one that succeeded.
    tries: u32,
    /// When the last attempt failed, in milliseconds since 1970.
    failed_ms: u64,
}

impl SendPause {
    /// Decodes a stored row; returns a pause that is over if there is none.
    pub(super) fn decode(stored: Option<Vec<u8>>) -> Self {
        parse_json_or_default(stored)
    }

    /// How long the pause still lasts, in milliseconds. A pause that began in the future is over:
    /// the clock was ahead when it began, and its end is unknown.
    pub(super) fn remaining_ms(self, now_ms: u64) -> u64 {
        match self.failed_ms > now_ms {
            true => 0,
            false => self.until_ms.saturating_sub(now_ms),
        }
    }

    /// The pause after one more attempt has failed.
    fn after_failure(self, now_ms: u64, is_group: bool) -> Self {
        let pause_ms = match is_group && self.tries < FREQUENT_TRIES {
            true => PAUSES_MS[(self.tries as usize).min(PAUSES_MS.len() - 1)],
            false => LONG_PAUSE_MS,
        };
        let tries = self.tries.saturating_add(1);
        SendPause { until_ms: now_ms + pause_ms, tries, failed_ms: now_ms }
    }
}

/// The puts that remove the marks of a chat that forbade the bot to write.
pub(super) fn pause_end_puts(chat: &ChatId) -> [Put; 2] {
    [keys::send_forbidden(chat), keys::forbidden_chat_pause(chat)]
        .map(|it| remove_row(Space::Meta, it))
}

/// Finds those of these chats that forbid the bot to write and are left alone for now: messages
/// wait there on purpose.
///
/// # Errors
/// When the store cannot be read.
pub async fn find_paused_chats(
    store: &dyn Store,
    chats: &[ChatId],
    now_ms: u64,
) -> Result<HashSet<ChatId>, StoreError> {
    let mut paused = HashSet::new();
    for page in chats.chunks(PLACES_PAGE) {
        let rows =
            page.iter().flat_map(|it| [keys::send_forbidden(it), keys::forbidden_chat_pause(it)]);
        let reads: Vec<StoreQuery> = rows.map(|it| StoreQuery::value_of(Space::Meta, it)).collect();
        let mut found = store.read(&reads).await?.into_iter();
        for chat in page {
            let mut next = || found.next().expect("the store answers each query").value();
            let forbidden = next()?;
            let pause = next()?;
            if forbidden.is_some() && SendPause::decode(pause).remaining_ms(now_ms) > 0 {
                paused.insert(chat.clone());
            }
        }
    }
    Ok(paused)
}

impl SendContext<'_> {
    /// Handles a chat where the platform did not let the bot write: pauses sending there, tells
    /// people who wait to see their action, and stops the clocks of those who cannot see the board.
    pub(super) async fn pause_sending(self) -> Result<(), Failure> {
        let repository = &self.delivery.repository;
        let chat = self.chat;
        tracing::info!(chat = %chat.0, "missing send permission");
        let permissions = self.platform.permission_lookup();
        let missing = permissions.map(|it| it.missing_permissions(chat));
        let lacking = missing_rights(missing.unwrap_or_default());
        let stored = repository.read_value(Space::Meta, &keys::forbidden_chat_pause(chat)).await?;
        let now_ms = repository.now_ms();
        let last_pause = SendPause::decode(stored);
        let pause = last_pause.after_failure(now_ms, self.profile.group);
        let mark = put_json(Space::Meta, keys::send_forbidden(chat), &lacking);
        let row = put_json(Space::Meta, keys::forbidden_chat_pause(chat), &pause);
        // The mark ends with the longest pause. The row lasts longer: the next success finds it.
        let mark = mark.expires_at(now_ms + LONG_PAUSE_MS);
        let row = row.expires_at(now_ms + 2 * LONG_PAUSE_MS);
        repository.put_all(vec![mark, row]).await?;
        // Those who acted before the last attempt know it.
        let known_until_ms = Some(last_pause.failed_ms).filter(|it| *it <= now_ms);
        self.notify_undeliverable(lacking, known_until_ms.unwrap_or_default()).await?;
        repository.chats().mark_reader_unreachable(chat).await?;
        self.delivery.wait_for_pause_end(chat, pause).await
    }
}

impl Delivery {
    /// Leaves a chat alone until this pause is over. Players who wait there for a board lose no
    /// time.
    pub(super) async fn wait_for_pause_end(
        &self,
        chat: &ChatId,
        pause: SendPause,
    ) -> Result<(), Failure> {
        self.paused_chats.lock().insert(chat.clone(), pause);
        self.cut_off_waiting_players(chat).await
    }

    /// Ends the pauses of a chat and its topics, and tries to send there at once: the rights of the
    /// bot have changed. If it still may not write, the next pause is as long as without this.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_pauses(&self, chat: &ChatId) -> Result<(), Failure> {
        let own = keys::send_forbidden(chat);
        // The id of another chat may begin with this one.
        let is_of_chat = |key: &String| matches!(key[own.len()..].chars().next(), None | Some('/'));
        let marks = self.repository.read_all_rows(Space::Meta, &own).await?;
        let keys = marks.into_iter().map(|(key, _)| key).filter(is_of_chat);
        let removals = keys.map(|it| remove_row(Space::Meta, it)).collect();
        self.repository.put_all(removals).await?;
        self.resume_chat(chat.without_topic());
        Ok(())
    }

    /// Wakes the senders of chats whose pause is over.
    pub fn retry_paused_chats(&self) {
        let now_ms = self.repository.now_ms();
        let mut over = Vec::new();
        self.paused_chats.lock().retain(|chat, pause| {
            let lasts = pause.remaining_ms(now_ms) > 0;
            if !lasts {
                over.push(chat.clone());
            }
            lasts
        });
        over.iter().for_each(|it| self.wake_senders(it));
    }

    /// Records at the tables of a chat that players are cut off whose board cannot be shown.
    async fn cut_off_waiting_players(&self, chat: &ChatId) -> Result<(), Failure> {
        let prefix = format!("{} ", chat.0);
        for (key, _) in self.repository.read_all_rows(Space::ChatTable, &prefix).await? {
            let id = TableId(keys::last_part(&key).to_owned());
            let table = match self.repository.load_table(&id).await {
                Ok(table) => table,
                Err(failure @ Failure::Store(_)) => return Err(failure),
                // A table that cannot be read is reported when it is used.
                Err(_) => continue,
            };
            let Some(table) = table else { continue };
            let state = self.board_state(&table, chat).await?;
            if self.is_board_awaited(&table, chat, &state) {
                self.repository
                    .external_events()
                    .record_unshown_board(&id, chat, state.shown_version)
                    .await?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_a_minute_to_an_hour_and_end_in_a_week() {
        let mut pause = SendPause::default();
        let mut lasted = Vec::new();
        for _ in 0..=FREQUENT_TRIES {
            pause = pause.after_failure(1_000, true);
            lasted.push(pause.remaining_ms(1_000) / MINUTE_MS);
        }
        assert_eq!(lasted[..8], [1, 2, 5, 10, 20, 40, 60, 60]);
        assert_eq!(lasted.pop(), Some(7 * 24 * 60));
        assert!(lasted[7..].iter().all(|it| *it == 60), "{lasted:?}");
        let blocked = SendPause::default().after_failure(1_000, false);
        assert_eq!(blocked.remaining_ms(1_000), LONG_PAUSE_MS);
        assert_eq!(SendPause::decode(None).remaining_ms(0), 0, "a mark of an earlier version");
    }

    #[test]
    fn a_pause_that_began_while_the_clock_was_ahead_is_over() {
        let pause = SendPause::default().after_failure(LONG_PAUSE_MS, true);
        assert_eq!(pause.remaining_ms(LONG_PAUSE_MS), MINUTE_MS);
        assert_eq!(pause.remaining_ms(LONG_PAUSE_MS - 1), 0);
    }
}
