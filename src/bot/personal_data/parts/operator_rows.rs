//! Actions of operators about an account, and bans.

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
use super::super::subject::DeletedPeople;
use crate::admin::audit_log::{AUDIT_TTL_MS, AuditEntry};
use crate::admin::bans::{BanRow, ban_of_person};
use crate::repository::stored_rows::put_json;
use crate::repository::{Failure, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_store::{Put, Space, StoreRow};

/// The log of what operators did, and bans. A ban outlasts the deletion of an account: its key is a
/// keyed hash, and only the id in its value is removed. The log stays, too, without the account.
pub(super) struct OperatorRows;

const FAMILIES: &[KeyFamily] = &[
    KeyFamily::prefix(Space::Meta, keys::AUDIT_PREFIX),
    KeyFamily::prefix(Space::Meta, keys::PERSON_BAN_PREFIX),
    KeyFamily::prefix(Space::Meta, keys::CHAT_BAN_PREFIX),
];

#[async_trait]
impl PersonalDataPart for OperatorRows {
    fn families(&self) -> &'static [KeyFamily] {
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-host"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        let is_own = |id: &str| source.accounts.iter().any(|it| it.0 == id);
        for (_, value) in source.repository.read_all_rows(Space::Meta, keys::AUDIT_PREFIX).await? {
            let entry: AuditEntry = serde_json::from_slice(&value).unwrap_or_default();
            if is_own(&entry.target) {
                let AuditEntry { at_ms, action, note, .. } = entry;
                export.add("host", json!({ "at_ms": at_ms, "action": action, "note": note }));
            }
        }
        if let Some(ban) = ban_of_person(source.repository, &source.accounts).await? {
            export.add("bans", json!({ "since_ms": ban.at_ms, "reason": ban.reason }));
        }
        Ok(())
    }

    async fn delete_page(&self, job: &DeletionJob<'_>, after: &str) -> Result<PageEnd, Failure> {
        let change = |_, row: &StoreRow| without_account(row, job.people);
        job.change_rows(FAMILIES, after, change, || None).await
    }
}

/// The row without the accounts; `None` if it names none of them.
fn without_account((key, value): &StoreRow, people: &DeletedPeople) -> Option<Put> {
    if !people.is_in_value(value) {
        return None;
    }
    Some(if key.starts_with(keys::AUDIT_PREFIX) {
        let mut entry: AuditEntry = serde_json::from_slice(value).ok()?;
        if people.is_id(&entry.target) {
            // A reason may tell who it was.
            entry.note.clear();
        }
        for name in [&mut entry.by, &mut entry.target] {
            if people.is_id(name) {
                *name = PersonId::deleted("").0;
            }
        }
        let until_ms = entry.at_ms + AUDIT_TTL_MS;
        put_json(Space::Meta, key.clone(), &entry).expires_at(until_ms)
    } else {
        let row: BanRow = serde_json::from_slice(value).ok()?;
        let row = BanRow { id: None, reason: String::new(), ..row };
        put_json(Space::Meta, key.clone(), &row)
    })
}
