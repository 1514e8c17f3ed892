//! Answers to updates, which expire.

use async_trait::async_trait;

use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use crate::repository::Failure;
use caravanserai_store::Space;

/// The handled updates with the bot's answers. They are copies of data that is stored elsewhere,
/// and expire soon: without them a repeated update would act again.
pub(super) struct Answers;

#[async_trait]
impl PersonalDataPart for Answers {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[KeyFamily::all(Space::Seen)];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-answers"
    }

    async fn delete_page(&self, _job: &DeletionJob<'_>, _after: &str) -> Result<PageEnd, Failure> {
        Ok(PageEnd::Done)
    }
}
