//! Records the actions of operators, the actions of chat admins about people, and the reports of
//! the abuse checks: who, when, what, to which table, person or chat. Entries expire after a year.

use serde::{Deserialize, Serialize};

use super::{AdminActor, AdminReply, OperatorCommands, time_text};
use crate::repository::stored_rows::put_json;
use crate::repository::{DAY_MS, Failure, Repository, keys};
use caravanserai_store::{Put, Space};

/// How long an entry is kept, in milliseconds.
pub(crate) const AUDIT_TTL_MS: u64 = 365 * DAY_MS;

/// The most entries that are listed.
const LISTED_MAX: usize = 20;

/// How many entries are read at once.
const ENTRIES_PER_READ: usize = 200;

/// The name of the abuse checks, as entries name who did something.
pub const GUARDS: &str = "guards";

/// An action of an operator, or a report of the abuse checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditEntry {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The name of the [`AdminActor`], or [`GUARDS`].
    pub by: String,
    /// The name of the command.
    pub action: String,
    /// The table, person or chat.
    pub target: String,
    /// The reason, the text of a message, or what came of it.
    pub note: String,
}

impl AuditEntry {
    /// The row of the entry. `tag` distinguishes entries of the same moment.
    pub(crate) fn put(&self, tag: &str) -> Put {
        let key = keys::audit_entry(self.at_ms, tag);
        put_json(Space::Meta, key, self).expires_at(self.at_ms + AUDIT_TTL_MS)
    }
}

/// The row of an entry. The newest rows come first.
pub(crate) fn audit_put(
    repository: &Repository,
    actor: &AdminActor,
    (action, target): (&str, &str),
    note: &str,
) -> Put {
    let at_ms = repository.now_ms();
    let mut tag = [0; 4];
    repository.fill_random(&mut tag);
    let entry = AuditEntry {
        at_ms,
        by: actor.name.clone(),
        action: action.to_owned(),
        target: target.to_owned(),
        note: note.to_owned(),
    };
    entry.put(&hex::encode(tag))
}

impl OperatorCommands {
    /// Lists the latest entries, without the reports of the abuse checks.
    pub(super) async fn list_audit(&self) -> Result<AdminReply, Failure> {
        self.list_entries(|it| it.by != GUARDS, "no operator has changed anything yet").await
    }

    /// Lists the latest reports of the abuse checks.
    pub(super) async fn list_reports(&self) -> Result<AdminReply, Failure> {
        self.list_entries(|it| it.by == GUARDS, "nobody was reported").await
    }

    /// Lists the latest of these entries, however many others are newer. `none`: the answer if
    /// there are none.
    async fn list_entries(
        &self,
        is_listed: fn(&AuditEntry) -> bool,
        none: &str,
    ) -> Result<AdminReply, Failure> {
        let (mut lines, mut after): (Vec<String>, _) = (Vec::new(), String::new());
        loop {
            let prefix = keys::AUDIT_PREFIX;
            let limit = ENTRIES_PER_READ;
            let rows = self.repository.read_rows_after(Space::Meta, prefix, &after, limit).await?;
            let entries = rows.iter().filter_map(|it| serde_json::from_slice(&it.1).ok());
            let missing = LISTED_MAX - lines.len();
            lines.extend(entries.filter(is_listed).take(missing).map(|it| line_of(&it)));
            match rows.into_iter().last() {
                Some((key, _)) if lines.len() < LISTED_MAX => after = key,
                _ => break,
            }
        }
        if lines.is_empty() {
            return Ok(AdminReply::line(none));
        }
        Ok(AdminReply::lines(lines))
    }
}

fn line_of(entry: &AuditEntry) -> String {
    let AuditEntry { at_ms, by, action, target, note } = entry;
    let mut line = format!("{} {by}: {action}", time_text(*at_ms));
    for word in [target, note].into_iter().filter(|it| !it.is_empty()) {
        line.push(' ');
        line.push_str(word);
    }
    line
}
