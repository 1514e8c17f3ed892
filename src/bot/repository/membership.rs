//! Orders the reports of platforms about members of a chat, so that a delayed report is ignored.
//!
//! An update can be delayed: its process was suspended, or its server delivered it again. Such an
//! update must not undo a newer one. So the newest update about each member is kept for some days,
//! and the changes of an update are written only while it is the newest.

use super::row_update::{OptionalRow, StoredRow, TypedRowKey};
use super::{CommitOutcome, Failure, Repository, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_protocol::{Update, happened_before};
use caravanserai_store::{Commit, Expect, StoreError};

/// The attempts to write the row while other updates write it at the same moment.
const REPORT_TRIES: usize = 8;

/// The newest report about a member, with the condition for its changes: there is no newer report.
#[derive(Clone, Debug)]
pub struct LatestReport {
    condition: Expect,
    /// The id of the update.
    update: String,
}

impl LatestReport {
    /// A commit that fails after a newer report.
    pub(super) fn guarded_commit(this: Option<&Self>) -> Commit {
        let expect = this.into_iter().map(|it| it.condition.clone()).collect();
        Commit { expect, ..Commit::default() }
    }

    /// Whether the report happened before this update, as far as the ids tell.
    pub(super) fn is_before(&self, update: &str) -> bool {
        happened_before(&self.update, update)
    }

    fn new(update: &Update, stored: &StoredRow<OptionalRow<String>>) -> Self {
        LatestReport { condition: stored.unchanged_condition(), update: update.id.clone() }
    }
}

/// Keeps the newest report about each member.
#[derive(Clone, Copy)]
pub struct MembershipReports<'a> {
    repository: &'a Repository,
}

impl Repository {
    /// Keeps the newest report about each member.
    pub fn membership_reports(&self) -> MembershipReports<'_> {
        MembershipReports { repository: self }
    }
}

impl MembershipReports<'_> {
    fn membership_key(
        &self,
        update: &Update,
        who: Option<&PersonId>,
    ) -> TypedRowKey<OptionalRow<String>> {
        let until_ms = self.repository.now_ms() + self.repository.limits.seen_ttl_ms;
        TypedRowKey::optional_row(keys::membership(update.chat.id.without_topic(), who))
            .with_ttl(until_ms)
    }

    /// Records that this update reports on a member of its chat, or on the bot itself there.
    /// Returns `None` if there is a newer report.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_report(
        &self,
        update: &Update,
        who: Option<&PersonId>,
    ) -> Result<Option<LatestReport>, Failure> {
        for _ in 0..REPORT_TRIES {
            let stored = self.repository.read_row(self.membership_key(update, who)).await?;
            match &stored.value().0 {
                Some(newest) if update.is_before(newest) => return Ok(None),
                Some(newest) if *newest == update.id => {
                    return Ok(Some(LatestReport::new(update, &stored)));
                }
                Some(_) | None => {}
            }
            let mut commit = Commit::default();
            stored.set(&OptionalRow(Some(update.id.clone())), &mut commit);
            let _: CommitOutcome = self.repository.commit_rows(commit).await?;
        }
        Err(StoreError::Failed(
            "too many conflicting writes to the report about a member".to_owned(),
        )
        .into())
    }

    /// Checks whether this update is newer than all reports about the bot in its chat. Returns the
    /// condition for the changes that follow, or `None` if it is not newer.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn newer_than_reports(
        &self,
        update: &Update,
    ) -> Result<Option<LatestReport>, Failure> {
        let stored = self.repository.read_row(self.membership_key(update, None)).await?;
        let is_old = stored.value().0.as_ref().is_some_and(|it| update.is_before(it));
        Ok((!is_old).then(|| LatestReport::new(update, &stored)))
    }
}
