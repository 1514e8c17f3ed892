//! Limits how often a person gets the archive of their data: making it reads a large part of the
//! store.

use serde::{Deserialize, Serialize};

use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, MINUTE_MS, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Commit, Expect, Space, StoreError};

/// The least time between two archives of one person, in milliseconds.
const EXPORT_INTERVAL_MS: u64 = 10 * MINUTE_MS;

/// The attempts to reserve an archive while other requests of the person do the same.
const RESERVATION_TRIES: usize = 4;

/// The last archive of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ExportMark {
    /// When the next one may be made, in milliseconds since 1970.
    until_ms: u64,
    /// The id of the update that requested it.
    update: String,
}

/// Whether an archive may be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportReservation {
    /// It may be made.
    Granted,
    /// Another one was made a short while ago.
    TooSoon {
        /// When the next one may be made, in milliseconds since 1970.
        until_ms: u64,
    },
}

/// Reserves an archive for this update: of several requests at the same moment one gets it. The
/// same update gets it again, because it may be delivered twice.
///
/// # Errors
/// When the store fails.
pub(crate) async fn reserve_export(
    repository: &Repository,
    person: &PersonId,
    update: &str,
) -> Result<ExportReservation, Failure> {
    let key = keys::last_export(person);
    for _ in 0..RESERVATION_TRIES {
        let now_ms = repository.now_ms();
        let value = repository.read_value(Space::Meta, &key).await?;
        if let Some(mark) = value.as_deref().and_then(parse_mark)
            && mark.until_ms > now_ms
            // A later time comes from a clock that was ahead.
            && mark.until_ms <= now_ms + EXPORT_INTERVAL_MS
        {
            return Ok(match mark.update == update {
                true => ExportReservation::Granted,
                false => ExportReservation::TooSoon { until_ms: mark.until_ms },
            });
        }
        let mark = ExportMark { until_ms: now_ms + EXPORT_INTERVAL_MS, update: update.to_owned() };
        let put = put_json(Space::Meta, key.clone(), &mark).expires_at(mark.until_ms);
        let expect = vec![Expect { space: Space::Meta, key: key.clone(), value }];
        let commit = Commit { expect, ..Commit::from_puts(vec![put]) };
        if repository.commit_rows(commit).await? == CommitOutcome::Committed {
            return Ok(ExportReservation::Granted);
        }
    }
    let why = "too many conflicting requests for the archive of a person".to_owned();
    Err(StoreError::Failed(why).into())
}

/// Releases the archive that this update has reserved, because it could not be made.
///
/// # Errors
/// When the store fails. Then the person has to wait for the next one.
pub(crate) async fn release_export(
    repository: &Repository,
    person: &PersonId,
    update: &str,
) -> Result<(), Failure> {
    let key = keys::last_export(person);
    let Some(value) = repository.read_value(Space::Meta, &key).await? else { return Ok(()) };
    if parse_mark(&value).is_none_or(|it| it.update != update) {
        return Ok(());
    }
    let expect = vec![Expect::equals(Space::Meta, key.clone(), value)];
    let commit = Commit { expect, ..Commit::from_puts(vec![remove_row(Space::Meta, key)]) };
    // After a conflict another request has reserved it.
    repository.commit_rows(commit).await.map(drop)
}

/// A stored mark. Earlier programs stored the time alone.
fn parse_mark(value: &[u8]) -> Option<ExportMark> {
    let earlier = || {
        let until_ms = serde_json::from_slice(value).ok()?;
        Some(ExportMark { until_ms, update: String::new() })
    };
    serde_json::from_slice(value).ok().or_else(earlier)
}
