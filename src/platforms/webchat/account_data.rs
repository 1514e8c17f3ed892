//! Exports and deletes what the chat stores about a person.

use async_trait::async_trait;
use serde_json::json;

use super::refusal::WebchatRefusal;
use super::{Webchat, now_ms};
use caravanserai_games::ids::PersonId;
use caravanserai_protocol::{AccountData, SendError};

#[async_trait]
impl AccountData for Webchat {
    async fn export_account(&self, account: &PersonId) -> Result<Option<String>, SendError> {
        let Some(id) = own_id(account) else { return Ok(None) };
        self.wait_until_loaded().await.map_err(unavailable)?;
        let state = self.state();
        let Some(member) = state.people.get(id) else { return Ok(None) };
        let mut messages = Vec::new();
        for place in state.places.values() {
            let own = place.messages().filter(|it| it.author.as_deref() == Some(id) && !it.gone);
            messages.extend(own.map(|it| {
                json!({ "room": place.room.name, "at_ms": it.time_ms, "text": it.text.to_plain() })
            }));
        }
        let person = json!({
            "name": member.name,
            "locale": member.locale,
            "seen_ms": member.seen_ms,
            "rooms": member.rooms,
            "messages": messages,
        });
        Ok(Some(person.to_string()))
    }

    async fn delete_account(&self, account: &PersonId) -> Result<(), SendError> {
        let Some(id) = own_id(account).map(str::to_owned) else { return Ok(()) };
        loop {
            let id = id.clone();
            let change = self.change(move |state| Ok(state.erase_person(&id, now_ms())));
            if change.await.map_err(unavailable)? {
                return Ok(());
            }
        }
    }
}

/// The id of a person of this chat, without the platform.
fn own_id(account: &PersonId) -> Option<&str> {
    account.0.strip_prefix("web:")
}

fn unavailable(refusal: WebchatRefusal) -> SendError {
    SendError::Temporary(format!("the built-in chat cannot be changed now: {refusal:?}"))
}
