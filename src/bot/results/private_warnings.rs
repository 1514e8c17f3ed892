//! Sends the warnings of the abuse checks to people and operators, and tells people that a restored
//! store, or the operator, is about to delete their data.
//!
//! The commit that computes a result also writes its warnings: a row for each person who is to be
//! warned, and entries in the log of operators. So each warning is written once.
//! [`PrivateWarnings`] then finds the private chats of these people and puts the messages into the
//! outbox.
//!
//! Old results cause no warnings, and a rebuild causes them only for results that were never
//! projected: nobody could do anything about the others.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::projector::ResultProjector;
use super::stored_results::result_key;
use crate::admin::audit_log::{AuditEntry, GUARDS};
use crate::admin::time_text;
use crate::delivery::Delivery;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::stored_rows::{put_json, remove_row};
use crate::repository::{DAY_MS, Failure, HOUR_MS, Repository, keys};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Notification, SendError};
use caravanserai_results::{AbuseKind, AbuseWarning, GameResult, WarningLevel, hash_texts};
use caravanserai_store::{Commit, Expect, Put, Space, StoreRow};

/// Results that ended longer ago cause no warnings, in milliseconds.
pub(super) const NOTICE_AGE_MAX_MS: u64 = DAY_MS;

/// How long a warning waits for a private chat that cannot be found now, in milliseconds.
const NOTICE_TTL_MS: u64 = 3 * DAY_MS;

/// The most warnings that are read at once.
const NOTICES_PER_PAGE: usize = 100;

/// The time between two attempts to send a message to a person who cannot be written to, in
/// milliseconds.
const RETRY_MS: u64 = 6 * HOUR_MS;

/// A warning that is not sent yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PrivateWarning {
    /// The person.
    person: PersonId,
    /// The message.
    text: Text,
    /// The time until which the message waits while the person cannot be written to, in
    /// milliseconds since 1970; 0: it does not wait.
    #[serde(default)]
    until_ms: u64,
    /// The earliest time of the next attempt, in milliseconds since 1970.
    #[serde(default)]
    retry_ms: u64,
}

impl PrivateWarning {
    /// A message that does not wait while the person cannot be written to.
    fn new(person: &PersonId, text: Text) -> Self {
        PrivateWarning { person: person.clone(), text, until_ms: 0, retry_ms: 0 }
    }
}

/// The row for a message to a person about a deletion that they have not requested now. It is sent
/// as a warning is; until `until_ms` it waits for a private chat with one of their accounts.
pub(crate) fn deletion_notice_put(person: &PersonId, text: Text, until_ms: u64) -> Put {
    let notice = PrivateWarning { until_ms, ..PrivateWarning::new(person, text) };
    put_json(Space::Meta, deletion_notice_key(person), &notice).expires_at(until_ms)
}

/// The row that removes such a message, if it was not sent yet.
pub(crate) fn deletion_notice_removal(person: &PersonId) -> Put {
    remove_row(Space::Meta, deletion_notice_key(person))
}

fn deletion_notice_key(person: &PersonId) -> String {
    let name = format!("{:016x}", hash_texts([person.0.as_str()]));
    keys::guard_notice("restore", &name)
}

/// The rows for the warnings of a result.
pub(super) fn warning_puts(
    result: &GameResult,
    warnings: &[AbuseWarning],
    now_ms: u64,
) -> Vec<Put> {
    if now_ms.saturating_sub(result.ended_ms) > NOTICE_AGE_MAX_MS {
        return Vec::new();
    }
    let mut puts = Vec::new();
    for warning in warnings {
        // A seat may have had several players.
        let person = hash_texts([warning.person.0.as_str()]);
        let name = format!("{person:016x}-{}", warning.kind.code());
        let notice = PrivateWarning::new(&warning.person, warning_text(warning));
        let key = keys::guard_notice(&result_key(result), &name);
        puts.push(put_json(Space::Meta, key, &notice).expires_at(now_ms + NOTICE_TTL_MS));
        let entry = audit_entry(result, warning, now_ms);
        puts.extend(entry.map(|it| it.put(&format!("{}-{name}", result.table.0))));
    }
    puts
}

/// The warning for the person: what happened, what the rule is, and what happens next.
fn warning_text(warning: &AbuseWarning) -> Text {
    match (warning.kind, warning.level) {
        (_, WarningLevel::Pause(until_ms)) => {
            Text::new("answer-guard-pause").with("time", Arg::time(until_ms))
        }
        (AbuseKind::BadEndings, WarningLevel::Warning | WarningLevel::Report) => {
            Text::new("answer-guard-endings")
        }
        (AbuseKind::Sandbagging | AbuseKind::Boosting, WarningLevel::Warning) => {
            Text::new("answer-guard-short")
        }
        (AbuseKind::Sandbagging | AbuseKind::Boosting, WarningLevel::Report) => {
            Text::new("answer-guard-reported")
        }
    }
}

/// The entry in the log of operators; none for a word to the person.
fn audit_entry(result: &GameResult, warning: &AbuseWarning, now_ms: u64) -> Option<AuditEntry> {
    let kind = warning.kind.code();
    let table = &result.table.0;
    let (action, note) = match warning.level {
        WarningLevel::Warning => return None,
        WarningLevel::Report => ("report", format!("{kind}, last at table {table}")),
        WarningLevel::Pause(until_ms) => {
            let until = time_text(until_ms);
            ("pause", format!("{kind}, last at table {table}: no rated games until {until} UTC"))
        }
    };
    let by = GUARDS.to_owned();
    let action = action.to_owned();
    Some(AuditEntry { at_ms: now_ms, by, action, target: warning.person.0.clone(), note })
}

/// Sends the warnings of the abuse checks.
pub struct PrivateWarnings {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    projector: Arc<ResultProjector>,
}

impl PrivateWarnings {
    /// Creates a worker that is idle until [`Self::run`].
    pub fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        projector: Arc<ResultProjector>,
    ) -> Self {
        PrivateWarnings { repository, delivery, projector }
    }

    /// Sends the warnings that wait, each time that results were projected. Runs until it is
    /// dropped.
    pub async fn run(&self) {
        loop {
            self.projector.wait_until_projected().await;
            if let Err(failure) = self.send_waiting().await {
                tracing::error!(%failure, "failed to send warnings of the abuse checks");
            }
        }
    }

    /// Puts the warnings that wait into the outboxes of private chats.
    ///
    /// # Errors
    /// When the store fails. What was not written is written by the next call.
    pub async fn send_waiting(&self) -> Result<(), Failure> {
        let prefix = keys::GUARD_NOTICE_PREFIX;
        let mut after = String::new();
        loop {
            let page =
                self.repository.read_rows_after(Space::Meta, prefix, &after, NOTICES_PER_PAGE);
            let rows = page.await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after.clone_from(last);
            for row in rows {
                self.send(row).await?;
            }
        }
    }

    async fn send(&self, (key, value): StoreRow) -> Result<(), Failure> {
        let remove = || remove_row(Space::Meta, key.clone());
        let puts = match serde_json::from_slice::<PrivateWarning>(&value) {
            Ok(warning) if warning.retry_ms > self.repository.now_ms() => return Ok(()),
            Ok(warning) => match self.private_chat(&warning.person).await? {
                Ok(chat) => {
                    let notification = Notification::Audible;
                    let view = View { notification, ..View::persistent(vec![warning.text]) };
                    let name = key.replace(' ', "-");
                    vec![remove(), OutboxEntry::post(&chat, &name, view).encode()]
                }
                // It waits for the next attempt.
                Err(why) if why.is_transient() => return Ok(()),
                Err(why) => vec![self.retry_put(&key, warning, &why).unwrap_or_else(remove)],
            },
            Err(_) => vec![remove()],
        };
        let expect = vec![Expect::equals(Space::Meta, key.clone(), value)];
        // After a conflict another process has sent it.
        self.repository.commit_rows(Commit { expect, ..Commit::from_puts(puts) }).await.map(drop)
    }

    /// The private chat with the first account of a person that can be written to, the main account
    /// first. Without one, the error is transient if that of any account is: it may be written to
    /// later.
    async fn private_chat(&self, person: &PersonId) -> Result<Result<ChatId, SendError>, Failure> {
        let mut error: Option<SendError> = None;
        for account in self.repository.profiles().all_accounts(person).await? {
            match self.delivery.private_chat_id(&account).await {
                Ok(chat) => return Ok(Ok(chat)),
                Err(why) if error.is_none() || why.is_transient() => error = Some(why),
                Err(_) => {}
            }
        }
        Ok(Err(error.unwrap_or(SendError::NotAllowed)))
    }

    /// The row that lets a message wait for its next attempt; `None` for one that does not wait.
    fn retry_put(&self, key: &str, warning: PrivateWarning, why: &SendError) -> Option<Put> {
        let person = &warning.person.0;
        if warning.until_ms == 0 {
            tracing::info!(person, %why, "failed to warn a player: no private chat");
            return None;
        }
        tracing::warn!(
            person, %why,
            "failed to tell a person that their account will be deleted: no private chat"
        );
        let retry_ms = self.repository.now_ms() + RETRY_MS;
        let until_ms = warning.until_ms;
        let retried = PrivateWarning { retry_ms, ..warning };
        Some(put_json(Space::Meta, key.to_owned(), &retried).expires_at(until_ms))
    }
}
