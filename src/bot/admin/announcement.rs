//! Writes to the chats whose admins allowed it.

use super::audit_log::audit_put;
use super::host_switches::HostSwitches;
use super::{AdminReply, HostActor, HostCommands};
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::profiles::ChatProfile;
use crate::repository::stored_rows::parse_json_or_default;
use crate::repository::{Failure, MINUTE_MS};
use crate::settings::Setting;
use caravanserai_games::ids::PlaceId;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::Space;

/// The least time between two messages to all chats, in milliseconds.
const MESSAGE_INTERVAL_MS: u64 = 60 * MINUTE_MS;

/// The longest message, in characters.
const MESSAGE_CHARS_MAX: usize = 1_000;

/// The most chats that are read at once.
const CHATS_PER_PAGE: usize = 200;

impl HostCommands {
    /// Writes to all chats that allow it. The messages wait in the outbox behind each chat's
    /// limit of calls, without a sound.
    pub(super) async fn announce(
        &self,
        text: &str,
        actor: &HostActor,
    ) -> Result<AdminReply, Failure> {
        if text.chars().count() > MESSAGE_CHARS_MAX {
            let why = format!("the message is longer than {MESSAGE_CHARS_MAX} characters");
            return Ok(AdminReply::line(why));
        }
        let now_ms = self.repository.now_ms();
        let reserve = |switches: &mut HostSwitches| {
            let next_ms = switches.last_message_ms.saturating_add(MESSAGE_INTERVAL_MS);
            if switches.last_message_ms > 0 && now_ms < next_ms {
                let minutes = (next_ms - now_ms).div_ceil(MINUTE_MS);
                let why = format!("operators wrote a short while ago: again in {minutes} min");
                return Err(AdminReply::line(why));
            }
            switches.last_message_ms = now_ms;
            Ok(vec![audit_put(&self.repository, actor, ("message", ""), text)])
        };
        let reserved = AdminReply::default();
        let reply = self.change_switches(reserve, reserved.clone()).await?;
        if reply != reserved {
            return Ok(reply);
        }
        let chats = self.write_to_chats(text, now_ms).await?;
        Ok(AdminReply::line(format!("the message goes to {chats} chats")))
    }

    /// Puts the message into the outbox of each chat that allows it. Returns their number.
    async fn write_to_chats(&self, text: &str, now_ms: u64) -> Result<usize, Failure> {
        let (mut after, mut chats) = (String::new(), 0);
        let view = View::persistent(vec![Text::new("answer-host-message").with("text", text)]);
        let name = format!("host-{now_ms:x}");
        loop {
            let rows =
                self.repository.read_rows_after(Space::Place, "", &after, CHATS_PER_PAGE).await?;
            let Some((last, _)) = rows.last() else { return Ok(chats) };
            after.clone_from(last);
            let places = rows.into_iter().filter_map(|(key, value)| allowing_place(key, value));
            let note = |place: PlaceId| OutboxEntry::note(&place, &name, view.clone()).encode();
            let puts: Vec<_> = places.map(note).collect();
            chats += puts.len();
            self.repository.put_all(puts).await?;
        }
    }
}

/// The place of a chat in which hosts may write.
fn allowing_place(key: String, value: Vec<u8>) -> Option<PlaceId> {
    let profile: ChatProfile = parse_json_or_default(Some(value));
    let place = profile.only.first().cloned().unwrap_or(PlaceId(key));
    let allows = profile.setting_value(Setting::HOST_MESSAGES, &place).as_deref() == Some("on");
    (allows && !profile.gone).then_some(place)
}
