//! Writes to the chats whose admins allowed it.

use serde::{Deserialize, Serialize};

use super::audit_log::audit_put;
use super::bans::is_chat_banned;
use super::operator_switches::{OperatorSwitches, read_switches};
use super::{AdminActor, AdminReply, OperatorCommands};
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::profiles::ChatProfile;
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{Failure, MINUTE_MS, Repository, keys};
use crate::settings::Setting;
use caravanserai_games::ids::PlaceId;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Expect, Put, Space, StoreRow};

/// The least time between two messages to all chats, in milliseconds.
const MESSAGE_INTERVAL_MS: u64 = 60 * MINUTE_MS;

/// The longest message, in characters.
const MESSAGE_CHARS_MAX: usize = 1_000;

/// The most chats that are read at once.
const CHATS_PER_PAGE: usize = 200;

/// A message that is not written to all chats yet. Each page of chats is one commit with the
/// progress, so a message that was interrupted goes on where it stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct MessageProgress {
    /// When operators wrote it, in milliseconds since 1970.
    at_ms: u64,
    /// The text.
    text: String,
    /// The last chat that was looked at.
    after: String,
    /// The chats to which it goes so far.
    chats: usize,
}

impl OperatorCommands {
    /// Writes to all chats that allow it. The messages wait in the outbox behind each chat's
    /// limit of calls, without a sound. A message that was interrupted is finished instead.
    pub(super) async fn announce(
        &self,
        text: &str,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        if text.chars().count() > MESSAGE_CHARS_MAX {
            let why = format!("the message is longer than {MESSAGE_CHARS_MAX} characters");
            return Ok(AdminReply::line(why));
        }
        if let Some(earlier) = unfinished_message(&self.repository).await? {
            let chats = continue_message(&self.repository).await?;
            return Ok(AdminReply::line(match earlier.text == text {
                true => format!("the message goes to {chats} chats"),
                false => format!(
                    "an earlier message was interrupted and goes to {chats} chats now; yours was \
                     not sent"
                ),
            }));
        }
        let now_ms = self.repository.now_ms();
        let progress =
            MessageProgress { at_ms: now_ms, text: text.to_owned(), ..MessageProgress::default() };
        let reserve = |switches: &mut OperatorSwitches| {
            let next_ms = switches.last_message_ms.saturating_add(MESSAGE_INTERVAL_MS);
            if switches.last_message_ms > 0 && now_ms < next_ms {
                let minutes = (next_ms - now_ms).div_ceil(MINUTE_MS);
                let why = format!("operators wrote a short while ago: again in {minutes} min");
                return Err(AdminReply::line(why));
            }
            switches.last_message_ms = now_ms;
            let progress = put_json(Space::Meta, keys::OPERATOR_MESSAGE.to_owned(), &progress);
            Ok(vec![progress, audit_put(&self.repository, actor, ("message", ""), text)])
        };
        let reserved = AdminReply::default();
        let reply = self.change_switches(reserve, reserved.clone()).await?;
        if reply != reserved {
            return Ok(reply);
        }
        let chats = continue_message(&self.repository).await?;
        Ok(AdminReply::line(format!("the message goes to {chats} chats")))
    }
}

/// The message that is not written to all chats yet.
async fn unfinished_message(repository: &Repository) -> Result<Option<MessageProgress>, Failure> {
    let row = repository.read_value(Space::Meta, keys::OPERATOR_MESSAGE).await?;
    Ok(row.map(|it| parse_json_or_default(Some(it))))
}

/// Puts a message that is not written to all chats yet into the outbox of each further chat that
/// allows it. Returns the number of all chats to which it goes; 0 if there is no such message.
/// Several processes may do so at the same time: of each page one commit succeeds.
///
/// # Errors
/// When the store fails. The next call goes on where this one stopped.
pub(crate) async fn continue_message(repository: &Repository) -> Result<usize, Failure> {
    let mut chats = 0;
    while let Some(row) = repository.read_value(Space::Meta, keys::OPERATOR_MESSAGE).await? {
        let progress: MessageProgress = parse_json_or_default(Some(row.clone()));
        let rows =
            repository.read_rows_after(Space::Place, "", &progress.after, CHATS_PER_PAGE).await?;
        let key = keys::OPERATOR_MESSAGE.to_owned();
        let expect = vec![Expect::equals(Space::Meta, key.clone(), row)];
        chats = progress.chats;
        let puts = match rows.last().map(|it| it.0.clone()) {
            None => vec![remove_row(Space::Meta, key)],
            Some(after) => {
                let mut puts = message_notes(repository, &progress, rows).await?;
                chats += puts.len();
                puts.push(put_json(
                    Space::Meta,
                    key,
                    &MessageProgress { after, chats, ..progress },
                ));
                puts
            }
        };
        // After a conflict another process has done this page.
        let commit = Commit { expect, ..Commit::from_puts(puts) };
        repository.commit_rows(commit).await.map(drop)?;
    }
    Ok(chats)
}

/// The message for those of these chats that allow it and are not banned.
async fn message_notes(
    repository: &Repository,
    progress: &MessageProgress,
    rows: Vec<StoreRow>,
) -> Result<Vec<Put>, Failure> {
    let text = Text::new("answer-host-message").with("text", progress.text.as_str());
    let (view, name) = (View::persistent(vec![text]), format!("host-{:x}", progress.at_ms));
    let (_, switches) = read_switches(repository).await?;
    let mut notes = Vec::new();
    for (key, value) in rows {
        let Some(place) = allowing_place(key, value) else { continue };
        if !switches.has_bans || !is_chat_banned(repository, &place).await? {
            notes.push(OutboxEntry::note(&place, &name, view.clone()).encode());
        }
    }
    Ok(notes)
}

/// The place of a chat in which operators may write.
fn allowing_place(key: String, value: Vec<u8>) -> Option<PlaceId> {
    let profile: ChatProfile = parse_json_or_default(Some(value));
    let place = profile.only.first().cloned().unwrap_or(PlaceId(key));
    let allows = profile.setting_value(Setting::HOST_MESSAGES, &place).as_deref() == Some("on");
    (allows && !profile.gone).then_some(place)
}
