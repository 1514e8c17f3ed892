//! Names that a chat or the operator does not show.

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::repository::hidden_names::HiddenNameRow;
use crate::repository::{Failure, keys};
use caravanserai_store::Space;

/// The accounts with hidden names, with the scope and the reason. Only keys name people, so
/// deleting an account does not show its name again.
pub(super) struct HiddenNameRows;

#[async_trait]
impl PersonalDataPart for HiddenNameRows {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[KeyFamily::prefix(Space::Meta, keys::HIDDEN_NAME_PREFIX)];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-hidden-names"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        let prefix = keys::HIDDEN_NAME_PREFIX;
        for (key, value) in source.repository.read_all_rows(Space::Meta, prefix).await? {
            let Some((scope, account)) = keys::parse_hidden_name(&key) else { continue };
            if source.accounts.contains(&account) {
                let HiddenNameRow { code, at_ms, reason, .. } =
                    serde_json::from_slice(&value).unwrap_or_default();
                let row = json!({ "in": scope, "code": code, "since_ms": at_ms, "reason": reason });
                export.add("hidden_names", row);
            }
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        // Otherwise each process goes on hiding the name until it restarts.
        let also = || Some(job.repository.hidden_names_changed_put());
        job.remove_naming_rows(self.families(), after, also).await
    }
}
