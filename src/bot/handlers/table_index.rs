//! Lists the open tables of people and chats, by the rows that name them, and locks them.

use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::{Failure, Repository, TableGuard, keys};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_store::{Put, Space};
use caravanserai_table::state::Table;

/// The open tables of a chat, by their codes.
pub(crate) async fn open_tables(
    repository: &Repository,
    chat: &ChatId,
) -> Result<Vec<TableId>, Failure> {
    listed_tables(repository, Space::ChatTable, &chat.0).await
}

/// The open tables of a person, everywhere.
pub(crate) async fn tables_of(
    repository: &Repository,
    person: &PersonId,
) -> Result<Vec<TableId>, Failure> {
    listed_tables(repository, Space::PersonTable, &person.0).await
}

/// The open tables at which a person has no seat but is named.
pub(crate) async fn tables_naming(
    repository: &Repository,
    who: &PersonId,
) -> Result<Vec<TableId>, Failure> {
    listed_tables(repository, Space::PersonTable, &keys::named_prefix(who)).await
}

async fn listed_tables(
    repository: &Repository,
    space: Space,
    owner: &str,
) -> Result<Vec<TableId>, Failure> {
    // All tables are read, because changes of a person apply to each of them. Lists are cut
    // when shown.
    let rows = repository.read_all_rows(space, &format!("{owner} ")).await?;
    Ok(rows.iter().map(|(key, _)| TableId(keys::last_part(key).to_owned())).collect())
}

/// Locks all open tables at which an account has a seat.
pub(crate) async fn lock_tables_of_account(
    repository: &Repository,
    account: &PersonId,
) -> Result<Vec<TableGuard>, Failure> {
    lock_tables(repository, tables_of(repository, account).await?).await
}

/// Locks all open tables at which an account has a seat or is named otherwise.
pub(crate) async fn lock_tables_naming_account(
    repository: &Repository,
    account: &PersonId,
) -> Result<Vec<TableGuard>, Failure> {
    let mut ids = tables_of(repository, account).await?;
    ids.extend(tables_naming(repository, account).await?);
    lock_tables(repository, ids).await
}

/// Locks tables in the order of their codes, so that two concurrent calls do not wait for each
/// other.
async fn lock_tables(
    repository: &Repository,
    mut ids: Vec<TableId>,
) -> Result<Vec<TableGuard>, Failure> {
    ids.sort_unstable();
    ids.dedup();
    let mut tables = Vec::with_capacity(ids.len());
    for id in ids {
        if repository.is_quarantined(&id) {
            continue;
        }
        match repository.lock_table(&id).await {
            Ok(guard) => tables.extend(guard.filter(|it| it.table().is_open())),
            // Like a quarantined one, it must not keep its people from everything else.
            Err(failure @ Failure::Damaged(..)) => {
                tracing::error!(%failure, "skipped a table that cannot be read");
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(tables)
}

/// Refreshes the open boards of a chat that match: their language or appearance has changed.
pub(crate) async fn refresh_boards(
    repository: &Repository,
    chat: &ChatId,
    is_affected: fn(&Table) -> bool,
) -> Result<Vec<Put>, Failure> {
    let mut puts = Vec::new();
    for id in open_tables(repository, chat).await? {
        if let Ok(Some(table)) = repository.load_table(&id).await
            && is_affected(&table)
        {
            puts.push(OutboxEntry::changed_board(chat, &table).encode());
        }
    }
    Ok(puts)
}
