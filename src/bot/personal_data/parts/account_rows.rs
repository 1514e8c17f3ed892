//! Rows that name an account or a private chat: profiles, marks and messages.

use async_trait::async_trait;
use serde_json::json;

use super::super::export::{ExportSource, PersonalExport};
use super::super::part::{KeyFamily, PersonalDataPart};
use crate::repository::{Failure, keys};
use crate::results::row_formats;
use caravanserai_store::Space;

/// Names, settings and linked accounts; the settings of private chats.
pub(super) struct Profiles;

/// Short-lived marks: wishes, codes, sessions, last tables.
pub(super) struct Marks;

/// Whom people have blocked. The rows of others who have blocked the person are deleted, too.
pub(super) struct Blocks;

/// Open tables of people and chats, their messages and those that are not sent yet, and what
/// platforms remember of private messages.
pub(super) struct Messages;

#[async_trait]
impl PersonalDataPart for Profiles {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[
            KeyFamily::accounts(Space::Person),
            KeyFamily::prefix(Space::Person, "links "),
            KeyFamily::prefix(Space::Person, "@"),
            KeyFamily::all(Space::ChatProfile),
        ];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-profile"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        for account in &source.accounts {
            for key in [account.0.clone(), keys::linked_accounts(account)] {
                let row = source.repository.read_value(Space::Person, &key).await?;
                let row = row.and_then(|it| serde_json::from_slice(&it).ok());
                if let Some(row) = row {
                    let row: serde_json::Value = row;
                    export.add("profiles", json!({ "account": account.0, "row": row }));
                }
            }
        }
        for chat in source.private_chats() {
            let row =
                source.repository.read_value(Space::ChatProfile, chat.without_topic()).await?;
            let row: Option<serde_json::Value> =
                row.and_then(|it| serde_json::from_slice(&it).ok());
            if let Some(row) = row {
                export.add("private_chats", json!({ "chat": chat.0, "row": row }));
            }
        }
        Ok(())
    }
}

#[async_trait]
impl PersonalDataPart for Marks {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[
            KeyFamily::prefix(Space::Meta, "armed "),
            KeyFamily::prefix(Space::Meta, "aside "),
            KeyFamily::prefix(Space::Meta, "budget "),
            KeyFamily::prefix(Space::Meta, keys::LAST_TABLE_PREFIX),
            KeyFamily::prefix(Space::Meta, "numbers "),
            KeyFamily::prefix(Space::Meta, "rematch "),
            KeyFamily::prefix(Space::Meta, "replay "),
            KeyFamily::prefix(Space::Meta, "reviewed "),
            KeyFamily::prefix(Space::Meta, "reviewing "),
            KeyFamily::prefix(Space::Meta, "greeted "),
            KeyFamily::prefix(Space::Meta, "mute "),
            KeyFamily::prefix(Space::Meta, "send-pause "),
            KeyFamily::prefix(Space::Meta, "membership "),
            KeyFamily::prefix(Space::Meta, keys::GAME_SUBSCRIBERS_PREFIX),
            KeyFamily::prefix(Space::Meta, "posed "),
            KeyFamily::prefix(Space::Meta, "posing "),
            KeyFamily::prefix(Space::Meta, "list-of "),
            KeyFamily::prefix(Space::Meta, "linking "),
            KeyFamily::prefix(Space::Meta, "linking-of "),
            KeyFamily::prefix(Space::Meta, "pass "),
            KeyFamily::prefix(Space::Meta, "guest "),
            KeyFamily::prefix(Space::Meta, "guests-of "),
            KeyFamily::prefix(Space::Meta, "launched "),
            KeyFamily::prefix(Space::Meta, keys::GUARD_NOTICE_PREFIX),
            KeyFamily::prefix(Space::Meta, keys::SEAT_MARK_PREFIX),
            KeyFamily::prefix(Space::Meta, row_formats::RECOMPUTE_PREFIX),
        ];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-marks"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        let prefix = keys::GAME_SUBSCRIBERS_PREFIX;
        for (key, _) in source.repository.read_all_rows(Space::Meta, prefix).await? {
            let words: Vec<&str> = key.split(' ').collect();
            if let [_, chat, game, person] = words[..]
                && source.accounts.iter().any(|it| it.0 == person)
            {
                export.add("subscriptions", json!({ "chat": chat, "game": game }));
            }
        }
        Ok(())
    }
}

#[async_trait]
impl PersonalDataPart for Blocks {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[KeyFamily::prefix(Space::Meta, keys::BLOCK_PREFIX)];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-blocks"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        for it in source.repository.block_lists().blocked_by(source.person).await? {
            export.add("blocked", json!({ "name": it.name, "since_ms": it.at_ms }));
        }
        Ok(())
    }
}

#[async_trait]
impl PersonalDataPart for Messages {
    fn families(&self) -> &'static [KeyFamily] {
        const FAMILIES: &[KeyFamily] = &[
            KeyFamily::all(Space::PersonTable),
            KeyFamily::all(Space::ChatTable),
            KeyFamily::all(Space::Outbox),
            KeyFamily::all(Space::Board),
            KeyFamily::all(Space::Message),
            KeyFamily::all(Space::Keep),
        ];
        FAMILIES
    }

    fn about(&self) -> &'static str {
        "answer-data-messages"
    }

    async fn export(
        &self,
        source: &ExportSource<'_>,
        export: &mut PersonalExport,
    ) -> Result<(), Failure> {
        for account in &source.accounts {
            let prefix = format!("{} ", account.0);
            for (key, _) in source.repository.read_all_rows(Space::PersonTable, &prefix).await? {
                export.add("open_tables", json!(keys::last_part(&key)));
            }
        }
        Ok(())
    }
}
