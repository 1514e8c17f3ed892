//! Deletes and exports what the built-in chat stores about a person.

use async_trait::async_trait;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::repository::Failure;
use caravanserai_store::Space;

/// The delay before the next attempt when a platform fails, in milliseconds.
const RETRY_MS: u64 = 60_000;

/// The people, rooms and messages of the built-in chat, which writes its rows itself.
pub(super) struct BuiltInChat;

#[async_trait]
impl PersonalDataPart for BuiltInChat {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[KeyFamily::all(Space::Chat)];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-chat"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        for account in &source.accounts {
            match source.platform_data_of(account).await {
                Ok(None) => {}
                Ok(Some(json)) => {
                    export.add("chat", serde_json::from_str(&json).unwrap_or_default());
                }
                Err(error) => tracing::error!(%error, "failed to export an account of a platform"),
            }
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        for account in job.people.accounts() {
            if let Err(error) = job.delivery.delete_account(account).await {
                tracing::error!(%error, "failed to delete an account of a platform");
                return Ok(PageEnd::Wait { after: after.to_owned(), for_ms: RETRY_MS });
            }
        }
        Ok(PageEnd::Done)
    }
}
