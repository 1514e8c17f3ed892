//! Requests to delete an account, and the rows that keep deleting and unlinking from erasing
//! losses.

use async_trait::async_trait;
use serde_json::json;

use super::super::deletion_requests::DeletionRequests;
use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::repository::ttl_backfill::stored_position;
use crate::repository::{Failure, keys};
use caravanserai_store::{Put, Space, StoreRow};

/// Requests for deletion, which end with it; the last export; keyed hashes of deleted and of
/// unlinked accounts, which expire; and the position of the backfill, which is the key of a row.
pub(super) struct DeletionRows;

/// Without its position the backfill begins again, which changes nothing.
const BACKFILL_POSITION: KeyFamily = KeyFamily::exact(Space::Meta, keys::TTL_BACKFILL);

#[async_trait]
impl PersonalDataPart for DeletionRows {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[
            KeyFamily::prefix(Space::Meta, keys::DELETION_PREFIX),
            KeyFamily::prefix(Space::Meta, keys::RATING_BLOCK_PREFIX),
            KeyFamily::prefix(Space::Meta, keys::UNLINKED_BLOCK_PREFIX),
            KeyFamily::prefix(Space::Meta, keys::EXPORT_PREFIX),
            BACKFILL_POSITION,
        ];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-deletion"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        let due_ms = DeletionRequests::new(source.repository).due_ms(source.person).await?;
        if let Some(due_ms) = due_ms {
            export.add("deletion", json!({ "due_ms": due_ms }));
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        // The request is removed when all parts are done.
        let removal = |space: Space, (key, value): &StoreRow| {
            let is_naming = job.people.is_in_key(&stored_position(value));
            is_naming.then(|| Put::remove(space, key.clone()))
        };
        job.change_rows(&[BACKFILL_POSITION], after, removal, || None).await
    }
}
