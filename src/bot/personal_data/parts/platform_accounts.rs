//! Deletes and exports what the built-in chat stores about a person.

use async_trait::async_trait;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::delivery::account_stores::AccountStores;
use crate::repository::{Failure, MINUTE_MS, Repository};
use caravanserai_store::{Space, StoreError};

/// The delay before the next attempt when a platform fails, in milliseconds.
const RETRY_MS: u64 = MINUTE_MS;

/// The people, rooms and messages of the built-in chat, which writes its rows itself.
pub(super) struct BuiltInChat;

#[async_trait]
impl PersonalDataPart for BuiltInChat {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[KeyFamily::all(Space::Webchat)];
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
        require_readable(source.repository, &source.account_stores).await?;
        for account in &source.accounts {
            // An archive without the chat would look complete.
            let found = source.account_stores.export_account(account).await;
            for json in found.map_err(|why| StoreError::Failed(why.to_string()))? {
                export.add("chat", serde_json::from_str(&json).unwrap_or_default());
            }
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        let stores = job.delivery.account_stores();
        let wait = PageEnd::Wait { after: after.to_owned(), for_ms: RETRY_MS };
        if let Err(failure) = require_readable(job.repository, &stores).await {
            tracing::error!(%failure, "failed to delete accounts of a platform");
            return Ok(wait);
        }
        for account in job.people.accounts() {
            if let Err(error) = stores.delete_account(account).await {
                tracing::error!(%error, "failed to delete an account of a platform");
                return Ok(wait);
            }
        }
        Ok(PageEnd::Done)
    }
}

/// Refuses to go on where a platform has stored something that nothing here can read.
async fn require_readable(repository: &Repository, stores: &AccountStores) -> Result<(), Failure> {
    if stores.is_empty() && !repository.read_rows(Space::Webchat, "", 1).await?.is_empty() {
        let why = "the platform that has stored a chat is not connected".to_owned();
        return Err(StoreError::Failed(why).into());
    }
    Ok(())
}
