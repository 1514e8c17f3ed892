//! Deletes the settings and the games of a chat, which its admins have asked the operator for.
//!
//! A request is one row for each chat, which becomes the progress: open tables end or leave the
//! chat, finished games are removed as in a chat that does not keep them, then the rows that name
//! the chat are removed. The results of games stay, because ratings are computed from them; so do
//! the earlier ids of the chat, whose games and rows are removed as its own.

use serde::{Deserialize, Serialize};

use super::isolated_step::run_isolated;
use super::part::{DeletionJob, KeyFamily, PageEnd};
use super::subject::{DeletedPeople, DeletionSubject};
use crate::delivery::Delivery;
use crate::repository::quarantine::catch_panic;
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, GameRemoval, REMOVED_WITH_CHAT, Repository, keys};
use caravanserai_games::ids::ChatId;
use caravanserai_store::{Commit, Expect, Put, Space, StoreRow};

/// The most chats whose data is deleted at once.
const CHATS_MAX: usize = 20;

/// The most pages of a deletion between two wakes of the worker.
const PAGES_PER_WAKE: usize = 50;

/// The most games that are read at once.
const GAMES_PER_PAGE: usize = 20;

/// The rows whose keys name a chat, apart from those that are about people or outlast it: bans,
/// hidden names and results.
const FAMILIES: &[KeyFamily] = &[
    KeyFamily::all(Space::ChatProfile),
    KeyFamily::all(Space::ChatTable),
    KeyFamily::all(Space::Outbox),
    KeyFamily::all(Space::Board),
    KeyFamily::all(Space::Message),
    KeyFamily::prefix(Space::Meta, keys::LAST_TABLE_PREFIX),
    KeyFamily::prefix(Space::Meta, "replay "),
    KeyFamily::prefix(Space::Meta, "reviewed "),
    KeyFamily::prefix(Space::Meta, "reviewing "),
    KeyFamily::prefix(Space::Meta, "greeted "),
    KeyFamily::prefix(Space::Meta, "mute "),
    KeyFamily::prefix(Space::Meta, "send-pause "),
    KeyFamily::prefix(Space::Meta, "budget "),
    KeyFamily::prefix(Space::Meta, "membership "),
    KeyFamily::prefix(Space::Meta, keys::GAME_SUBSCRIBERS_PREFIX),
    KeyFamily::prefix(Space::Meta, keys::ACTIVE_CHAT_PREFIX),
    KeyFamily::prefix(Space::Meta, keys::DIGEST_MARK_PREFIX),
    KeyFamily::prefix(Space::Meta, keys::UNRATED_GAME_PREFIX),
    KeyFamily::prefix(Space::Meta, keys::RETENTION_CHOICE_PREFIX),
];

/// A deletion, as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct ChatDeletion {
    step: ChatStep,
    /// Where the next page of the step begins.
    after: String,
}

/// A step of a deletion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ChatStep {
    /// Open tables end or leave the chat.
    #[default]
    Tables,
    /// Finished games are removed.
    Games,
    /// Rows that name the chat are removed.
    Rows,
}

/// Requests the deletion of a chat's data. `audit`: the row for the log of what operators did.
/// Conflicts if it is requested already.
pub(crate) async fn request(
    repository: &Repository,
    chat: &ChatId,
    audit: Put,
) -> Result<CommitOutcome, Failure> {
    let key = keys::chat_deletion(chat);
    let expect = vec![Expect::absent(Space::Meta, key.clone())];
    let put = put_json(Space::Meta, key, &ChatDeletion::default());
    repository.commit_rows(Commit { expect, ..Commit::from_puts(vec![put, audit]) }).await
}

/// Whether the data of a chat is being deleted.
pub(crate) async fn is_requested(repository: &Repository, chat: &ChatId) -> Result<bool, Failure> {
    let row = repository.read_value(Space::Meta, &keys::chat_deletion(chat)).await?;
    Ok(row.is_some())
}

/// Whether the deletion with this stored request removes the rows of its chat.
pub(crate) fn removes_rows(stored: &[u8]) -> bool {
    let deletion: ChatDeletion = parse_json_or_default(Some(stored.to_vec()));
    deletion.step == ChatStep::Rows
}

/// Whether finished games of a chat are kept, under its id or an earlier one.
pub(crate) async fn has_games(repository: &Repository, chat: &ChatId) -> Result<bool, Failure> {
    for id in repository.chats().ids_of(chat).await? {
        let kept = keys::kept_games_of(&id.0);
        if !repository.read_rows(Space::Meta, &kept, 1).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the data of any chat is to be deleted.
///
/// # Errors
/// When the store cannot be read.
pub(super) async fn is_wanted(repository: &Repository) -> Result<bool, Failure> {
    let rows = repository.read_rows(Space::Meta, keys::CHAT_DELETION_PREFIX, 1).await?;
    Ok(!rows.is_empty())
}

/// Goes on with the deletions of chats, some pages of each. One that fails does not keep the others
/// from going on.
///
/// # Errors
/// When the store fails.
pub(super) async fn run_chat_deletions(
    repository: &Repository,
    delivery: &Delivery,
) -> Result<(), Failure> {
    let prefix = keys::CHAT_DELETION_PREFIX;
    for (key, value) in repository.read_rows(Space::Meta, prefix, CHATS_MAX).await? {
        let Some(chat) = key.strip_prefix(prefix) else { continue };
        let chat_id = ChatId(chat.to_owned());
        let work = delete_pages(repository, delivery, &chat_id, &key, value);
        run_isolated(&format!("of chat {chat}"), work).await;
    }
    Ok(())
}

/// Deletes some pages, and stores the progress.
async fn delete_pages(
    repository: &Repository,
    delivery: &Delivery,
    chat: &ChatId,
    key: &str,
    stored: Vec<u8>,
) -> Result<(), Failure> {
    let mut deletion: ChatDeletion = parse_json_or_default(Some(stored.clone()));
    let ids = repository.chats().ids_of(chat).await?;
    let chats = ids.iter().cloned().collect();
    let subject = DeletionSubject { chats, ..DeletionSubject::default() };
    let named = DeletedPeople::new(vec![subject]);
    let job = DeletionJob::new(repository, delivery, &named);
    let mut is_done = false;
    for _ in 0..PAGES_PER_WAKE {
        let ChatDeletion { step, after } = &deletion;
        let end = match step {
            ChatStep::Tables => end_tables(repository, &ids).await?,
            ChatStep::Games => remove_games(repository, &ids, after).await?,
            ChatStep::Rows => remove_rows(&job, &ids, after).await?,
        };
        deletion = match (end, *step) {
            (PageEnd::More(after), step) => ChatDeletion { step, after },
            (PageEnd::Wait { .. }, ChatStep::Rows) => {
                // Until its games can end, the chat goes on.
                deletion = ChatDeletion::at(ChatStep::Tables);
                break;
            }
            (PageEnd::Wait { .. }, _) => break,
            (PageEnd::Done, ChatStep::Tables) => ChatDeletion::at(ChatStep::Games),
            (PageEnd::Done, ChatStep::Games) => {
                // Stored before the first row is removed: from then on no table opens there.
                deletion = ChatDeletion::at(ChatStep::Rows);
                break;
            }
            (PageEnd::Done, ChatStep::Rows) => {
                is_done = true;
                break;
            }
        };
        // Presses must not wait for all pages.
        tokio::task::yield_now().await;
    }
    let put = match is_done {
        true => remove_row(Space::Meta, key.to_owned()),
        false => put_json(Space::Meta, key.to_owned(), &deletion),
    };
    let expect = vec![Expect::equals(Space::Meta, key, stored)];
    // After a conflict another process has gone on.
    let commit = Commit { expect, ..Commit::from_puts(vec![put]) };
    if repository.commit_rows(commit).await? == CommitOutcome::Committed && is_done {
        tracing::info!(chat = chat.0, "deleted the data of a chat");
    }
    Ok(())
}

impl ChatDeletion {
    /// The beginning of a step.
    fn at(step: ChatStep) -> Self {
        ChatDeletion { step, after: String::new() }
    }
}

/// Ends the open tables of a chat with these ids, or lets them leave it for the others where they
/// are shown. Waits for those that could not be ended now.
async fn end_tables(repository: &Repository, ids: &[ChatId]) -> Result<PageEnd, Failure> {
    let mut are_closed = true;
    for id in ids {
        are_closed &= repository.chats().close_tables(id).await?;
    }
    Ok(match are_closed {
        true => PageEnd::Done,
        false => PageEnd::Wait { after: String::new(), for_ms: 0 },
    })
}

/// Removes a page of finished games of a chat with these ids, in their order. Waits until the
/// results of all games are collected from their logs, and all games are listed.
async fn remove_games(
    repository: &Repository,
    ids: &[ChatId],
    after: &str,
) -> Result<PageEnd, Failure> {
    if !repository.results().are_collected().await? {
        return Ok(PageEnd::Wait { after: after.to_owned(), for_ms: 0 });
    }
    if !repository.kept_games().list_next_page().await? {
        return Ok(PageEnd::More(after.to_owned()));
    }
    let rows = read_games(repository, ids, after).await?;
    let now_ms = repository.now_ms();
    for (key, _) in &rows {
        // A game whose log cannot be read, or makes the code panic, stays, for repair.
        let kept_games = repository.kept_games();
        match catch_panic(kept_games.remove_game(key, REMOVED_WITH_CHAT, now_ms)).await {
            Some(Ok(GameRemoval::Conflict)) => return Ok(PageEnd::More(after.to_owned())),
            Some(removed) => drop(removed?),
            None => tracing::error!(row = key, "kept a game: the code panicked"),
        }
    }
    Ok(PageEnd::after_rows(&rows))
}

/// The games that follow the one with this key, of the first id that has any.
async fn read_games(
    repository: &Repository,
    ids: &[ChatId],
    after: &str,
) -> Result<Vec<StoreRow>, Failure> {
    let lists: Vec<String> = ids.iter().map(|it| keys::kept_games_of(&it.0)).collect();
    // The list of an id that is unknown now is not there; then all are read again.
    let begun = lists.iter().position(|it| after.starts_with(it.as_str()));
    for (number, list) in lists.iter().enumerate().skip(begun.unwrap_or_default()) {
        let after = if Some(number) == begun { after } else { "" };
        let rows = repository.read_rows_after(Space::Meta, list, after, GAMES_PER_PAGE).await?;
        if !rows.is_empty() {
            return Ok(rows);
        }
    }
    Ok(Vec::new())
}

/// Removes a page of rows whose keys name a chat with these ids. Games that have begun meanwhile
/// end first, and are removed.
async fn remove_rows(
    job: &DeletionJob<'_>,
    ids: &[ChatId],
    after: &str,
) -> Result<PageEnd, Failure> {
    if after.is_empty() {
        if let waits @ PageEnd::Wait { .. } = end_tables(job.repository, ids).await? {
            return Ok(waits);
        }
        let mut page = PageEnd::More(String::new());
        while let PageEnd::More(after) = page {
            page = remove_games(job.repository, ids, &after).await?;
        }
        if matches!(page, PageEnd::Wait { .. }) {
            return Ok(page);
        }
    }
    let removal = |space: Space, (key, _): &StoreRow| {
        job.people.is_in_key(key).then(|| Put::remove(space, key.clone()))
    };
    job.change_rows(FAMILIES, after, removal, || None).await
}
