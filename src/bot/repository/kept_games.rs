//! Lists the finished games of groups by the time of their end, and removes the logs and records
//! of those that their chat does not keep any longer.
//!
//! The commit that ends a game lists it. Games that ended before there was such a list are added
//! page by page, see [`KeptGames::list_next_page`]. A removal is one commit with the condition that
//! the table is unchanged, so it may be repeated, and of several processes one succeeds. The result
//! of the game stays: ratings and statistics are computed from results alone.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use super::effects::deadlines_of;
use super::stored_rows::{parse_json_or_default, put_json, remove_row};
use super::{CommitOutcome, Failure, Repository, keys, log_skipped_log};
use caravanserai_games::ids::TableId;
use caravanserai_games::text::Text;
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery, StoreRow};
use caravanserai_table::archive;
use caravanserai_table::state::Table;

use crate::settings::Setting;

/// The tables to list, in this order: those with a log first, because a log may become a record
/// meanwhile.
const TABLE_SPACES: [Space; 2] = [Space::Head, Space::Archive];

/// The most tables that are read at once.
const TABLES_PER_PAGE: usize = 20;

/// The progress of listing games that ended earlier.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ListingProgress {
    /// The number of finished spaces.
    space: usize,
    /// The last processed table of the next space.
    after: String,
}

/// The row that lists an ended table of a group; `None` for tables in private, which stay until
/// their person is deleted, and for open tables.
pub(super) fn kept_game_put(table: &Table) -> Option<Put> {
    let chat = table.result_chat();
    let ended_ms = table.times.ended_ms?;
    let key = || keys::kept_game(chat, listed_end_ms(ended_ms), &table.id);
    (!chat.is_empty() && !table.is_open()).then(|| Put::new(Space::Meta, key(), Vec::new()))
}

/// The time in the list of a game that ended at this time: a record has the time in whole seconds.
fn listed_end_ms(ended_ms: u64) -> u64 {
    ended_ms / 1_000 * 1_000
}

/// The value of the row of a game that was removed because the operator deleted the data of its
/// chat.
pub const REMOVED_WITH_CHAT: &str = "chat";

/// Why a game is gone. `value`: the value of its row.
fn removal_text(table: &TableId, value: &str) -> Text {
    let text = match value {
        REMOVED_WITH_CHAT => Text::new("refuse-game-deleted"),
        kept => {
            let time = Setting::GAME_RETENTION.value_label(kept);
            Text::new("refuse-game-removed").with("time", time)
        }
    };
    text.with("table", table.0.as_str())
}

/// The result of removing a listed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameRemoval {
    /// Its log and its record are removed.
    Removed,
    /// There was nothing to remove: only the row of the list is gone.
    OnlyUnlisted,
    /// Others act at the table, or have removed it: the next attempt finds out.
    Conflict,
    /// The log cannot be read. It stays, for repair.
    Kept,
}

/// Lists and removes finished games of groups.
#[derive(Clone, Copy)]
pub struct KeptGames<'a> {
    repository: &'a Repository,
}

impl Repository {
    /// Lists and removes finished games of groups.
    pub fn kept_games(&self) -> KeptGames<'_> {
        KeptGames { repository: self }
    }
}

impl KeptGames<'_> {
    /// Lists the next page of games that ended before there was a list. Returns whether all are
    /// listed. Pages may be repeated, and several processes may do them.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list_next_page(self) -> Result<bool, Failure> {
        let key = keys::KEPT_GAMES_BACKFILL;
        let stored = self.repository.read_value(Space::Meta, key).await?;
        let progress: ListingProgress = parse_json_or_default(stored.clone());
        let Some(&space) = TABLE_SPACES.get(progress.space) else { return Ok(true) };
        let rows =
            self.repository.read_rows_after(space, "", &progress.after, TABLES_PER_PAGE).await?;
        let mut puts = Vec::new();
        for (table, lines) in self.logs_of(space, &rows).await? {
            // Tables that cannot be read are reported when they are used.
            let read = || Table::from_log(&table, &lines).ok();
            let table = catch_unwind(AssertUnwindSafe(read)).ok().flatten();
            puts.extend(table.as_ref().and_then(kept_game_put));
            // Replaying games takes time, and presses must not wait for all of them.
            tokio::task::yield_now().await;
        }
        let next = match rows.last() {
            Some((last, _)) => ListingProgress { after: last.clone(), ..progress },
            None => ListingProgress { space: progress.space + 1, after: String::new() },
        };
        puts.push(put_json(Space::Meta, key.to_owned(), &next));
        let expect = vec![Expect { space: Space::Meta, key: key.to_owned(), value: stored }];
        // After a conflict another process has done this page.
        let commit = Commit { expect, ..Commit::from_puts(puts) };
        self.repository.commit_rows(commit).await.map(|_| false)
    }

    /// The log lines of these tables, also of records. Those that cannot be read are left out.
    async fn logs_of(
        self,
        space: Space,
        rows: &[StoreRow],
    ) -> Result<Vec<(TableId, Vec<String>)>, Failure> {
        let id = |key: &String| TableId(key.clone());
        if space == Space::Archive {
            let unpack = |(key, record): &StoreRow| Some((id(key), archive::unpack(record).ok()?));
            return Ok(rows.iter().filter_map(unpack).collect());
        }
        let ids = rows.iter().map(|(key, _)| id(key)).collect();
        self.repository.read_readable_logs(ids, log_skipped_log).await
    }

    /// Removes the log and the record of a listed game, with its analysis. `value`: the value of
    /// the setting of its chat, for the answer to later requests. A game that ended after
    /// `before_ms` stays.
    ///
    /// # Errors
    /// When the store fails. The call may be repeated.
    pub async fn remove_game(
        self,
        listed: &str,
        value: &str,
        before_ms: u64,
    ) -> Result<GameRemoval, Failure> {
        let unlisted = remove_row(Space::Meta, listed.to_owned());
        let Some((_, _, id)) = keys::parse_kept_game(listed) else {
            return self.unlist(unlisted).await;
        };
        let mut guard = match self.repository.lock_table(&id).await {
            Ok(Some(guard)) => guard,
            Ok(None) => return self.unlist(unlisted).await,
            Err(Failure::Damaged(_, why)) => {
                tracing::warn!(table = id.0, why, "kept an old game: its log cannot be read");
                return Ok(GameRemoval::Kept);
            }
            Err(failure) => return Err(failure),
        };
        let table = guard.table().clone();
        if table.times.ended_ms.is_none_or(|it| listed_end_ms(it) > before_ms) {
            // The row is of an earlier table with this code.
            return self.unlist(unlisted).await;
        }
        let mut commit = Commit::from_puts(vec![
            unlisted,
            Put::new(Space::Meta, keys::removed_game(&id), value),
            remove_row(Space::Meta, keys::review(&id)),
            remove_row(Space::Meta, keys::unjudged(&id)),
        ]);
        let now_ms = self.repository.now_ms();
        for (at_ms, due) in deadlines_of(&table, self.repository.limits(), now_ms) {
            commit.puts.push(remove_row(Space::Due, due.key(at_ms, &id)));
        }
        commit.appends.push(guard.unchanged_condition());
        match guard.record() {
            Some(record) => {
                commit.expect.push(Expect::equals(Space::Archive, id.0.clone(), record));
                commit.puts.push(remove_row(Space::Archive, id.0.clone()));
            }
            None => {
                commit.drops.push(id.0.clone());
                commit.puts.push(remove_row(Space::Head, id.0.clone()));
            }
        }
        let outcome = self.repository.commit_rows(commit).await;
        guard.invalidate();
        Ok(match outcome? {
            CommitOutcome::Committed => GameRemoval::Removed,
            CommitOutcome::Conflict => GameRemoval::Conflict,
        })
    }

    /// Removes the row of a list that lists nothing.
    async fn unlist(self, unlisted: Put) -> Result<GameRemoval, Failure> {
        self.repository.put_all(vec![unlisted]).await?;
        Ok(GameRemoval::OnlyUnlisted)
    }

    /// Why a game is gone; `None` if it was not removed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn removal_text(self, table: &TableId) -> Result<Option<Text>, Failure> {
        Ok(self.removal_texts(&[table]).await?.into_iter().next().flatten())
    }

    /// For each table why its game is gone; `None` if it was not removed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn removal_texts(self, tables: &[&TableId]) -> Result<Vec<Option<Text>>, Failure> {
        let row = |it: &&TableId| StoreQuery::value_of(Space::Meta, keys::removed_game(it));
        let queries: Vec<StoreQuery> = tables.iter().map(row).collect();
        let mut found = Vec::with_capacity(tables.len());
        for (table, answer) in tables.iter().zip(self.repository.read_many(&queries).await?) {
            let value = answer.value()?.map(|it| String::from_utf8_lossy(&it).into_owned());
            found.push(value.map(|it| removal_text(table, &it)));
        }
        Ok(found)
    }
}
