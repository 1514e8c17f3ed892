//! Exports and deletes what the chat stores about a person.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use serde_json::json;

use super::refusal::WebchatRefusal;
use super::state::MARK;
use super::writer::SCAN_LIMIT;
use super::{Webchat, WebchatSettings, now_ms};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{AccountData, SendError};
use caravanserai_store::{Space, Store, StoreError};

/// How often the limit for loading the chat is waited for: nobody waits for a page.
const LOAD_TRIES: usize = 12;

/// The prefix of the rows of people.
const PEOPLE_PREFIX: &str = "p/";

#[async_trait]
impl AccountData for Webchat {
    async fn export_account(&self, account: &PersonId) -> Result<Option<String>, SendError> {
        let Some(id) = own_id(account) else { return Ok(None) };
        self.wait_until_loaded().await.map_err(unavailable)?;
        let state = self.state();
        let Some(member) = state.people.get(id) else { return Ok(None) };
        let mut messages = Vec::new();
        for room_data in state.rooms.values() {
            let name = &room_data.room.name;
            let own =
                room_data.messages().filter(|it| it.author.as_deref() == Some(id) && !it.gone);
            messages.extend(own.map(
                |it| json!({ "room": name, "at_ms": it.time_ms, "text": it.text.to_plain() }),
            ));
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

    fn private_chat_of(&self, account: &PersonId) -> Option<ChatId> {
        private_chat_of(account)
    }
}

/// The people of a chat that this process does not serve: another process may serve it, or nobody
/// does so any more.
pub struct StoredAccounts {
    store: Arc<dyn Store>,
    /// The chat, once it is needed.
    opened: OnceLock<Arc<Webchat>>,
}

impl StoredAccounts {
    /// The people of the chat in this store. Nothing is read before it is needed.
    pub fn new(store: Arc<dyn Store>) -> Self {
        StoredAccounts { store, opened: OnceLock::new() }
    }

    /// The loaded chat, which is dropped with this value.
    async fn load(&self) -> Result<&Webchat, SendError> {
        let open = || Webchat::start_writer(WebchatSettings::default(), self.store.clone());
        let web = self.opened.get_or_init(open);
        for _ in 1..LOAD_TRIES {
            if web.wait_until_loaded().await.is_ok() || web.health().trouble.is_some() {
                break;
            }
        }
        web.wait_until_loaded().await.map_err(unavailable)?;
        Ok(web)
    }
}

#[async_trait]
impl AccountData for StoredAccounts {
    async fn export_account(&self, account: &PersonId) -> Result<Option<String>, SendError> {
        match own_id(account) {
            Some(_) => self.load().await?.export_account(account).await,
            None => Ok(None),
        }
    }

    async fn delete_account(&self, account: &PersonId) -> Result<(), SendError> {
        match own_id(account) {
            Some(_) => self.load().await?.delete_account(account).await,
            None => Ok(()),
        }
    }

    fn private_chat_of(&self, account: &PersonId) -> Option<ChatId> {
        private_chat_of(account)
    }
}

/// Whether a store has a chat.
///
/// # Errors
/// When the store cannot be read.
pub async fn is_stored(store: &dyn Store) -> Result<bool, StoreError> {
    Ok(store.get(Space::Webchat, MARK).await?.is_some())
}

/// Lists the people of the chat in a store, without loading the chat.
///
/// # Errors
/// When the store cannot be read.
pub async fn stored_people(store: &dyn Store) -> Result<Vec<PersonId>, StoreError> {
    let rows = store.scan(Space::Webchat, PEOPLE_PREFIX, None, SCAN_LIMIT).await?;
    let ids = rows.iter().filter_map(|(key, _)| key.strip_prefix(PEOPLE_PREFIX));
    Ok(ids.map(|it| PersonId(format!("web:{it}"))).collect())
}

/// The private chat of a person of this chat.
pub(super) fn private_chat_of(account: &PersonId) -> Option<ChatId> {
    own_id(account).map(|it| ChatId(format!("web:@{it}")))
}

/// The id of a person of this chat, without the platform.
fn own_id(account: &PersonId) -> Option<&str> {
    account.0.strip_prefix("web:")
}

fn unavailable(refusal: WebchatRefusal) -> SendError {
    SendError::Temporary(format!("the built-in chat cannot be changed now: {refusal:?}"))
}
