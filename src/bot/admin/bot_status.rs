//! Describes the state of the bot in a few lines.

use std::collections::BTreeSet;

use super::operator_switches::read_switches;
use super::{AdminReply, OperatorCommands};
use crate::repository::{Failure, MINUTE_MS, keys};
use caravanserai_store::Space;

/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl OperatorCommands {
    /// Describes the bot: version, tables, queues, quarantined inputs, encryption, ratings.
    pub(super) async fn status(&self) -> Result<AdminReply, Failure> {
        let repository = &self.repository;
        let listed = repository.read_all_rows(Space::ChatTable, "").await?;
        let open: BTreeSet<&str> = listed.iter().map(|(key, _)| keys::last_part(key)).collect();
        let logs = repository.count_rows(Space::Head, "").await?;
        let outbox = repository.count_rows(Space::Outbox, "").await?;
        let deadlines = repository.count_rows(Space::Due, "").await?;
        let frozen = repository.count_rows(Space::Meta, keys::QUARANTINED_TABLE_PREFIX).await?;
        let aside = repository.count_rows(Space::Meta, keys::QUARANTINE_PREFIX).await?;
        let inputs = aside.saturating_sub(frozen);
        let (_, switches) = read_switches(repository).await?;
        let people = repository.count_rows(Space::Meta, keys::PERSON_BAN_PREFIX).await?;
        let chats = repository.count_rows(Space::Meta, keys::CHAT_BAN_PREFIX).await?;
        let on = |it: bool| if it { "on" } else { "off" };
        let mut lines = vec![format!("caravanserai {VERSION}{}", self.uptime_text())];
        lines.extend([
            format!("tables: {} open, {logs} with a log", open.len()),
            format!("queues: {outbox} messages, {deadlines} deadlines"),
            format!("quarantined inputs: {inputs}, tables frozen by them: {frozen}"),
            format!("banned: {people} people, {chats} chats"),
            format!("drain: {}", on(switches.is_draining)),
            format!("encryption: {}", on(self.settings.is_encrypted)),
            self.rating_progress().await?,
        ]);
        if self.started_ms.is_some() {
            let updates = repository.pending_updates().count();
            let tables = repository.quarantined_table_codes().len();
            let process = repository.replica();
            lines.push(format!(
                "process {process}: {updates} updates in progress, {tables} quarantined tables"
            ));
        }
        Ok(AdminReply::lines(lines))
    }

    /// How long this process has been running.
    fn uptime_text(&self) -> String {
        let Some(started_ms) = self.started_ms else { return String::new() };
        let now_ms = self.repository.time_source().monotonic_ms();
        let minutes = now_ms.saturating_sub(started_ms) / MINUTE_MS;
        format!(", up {} d {} h {} min", minutes / 1_440, minutes / 60 % 24, minutes % 60)
    }
}
