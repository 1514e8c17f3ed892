//! Asks the server who is a member or an admin of a group.

use std::time::Duration;

use serde_json::{Value, json};

use super::bot_api::{BotApi, TelegramCallError};
use super::storage::TelegramStorage;

/// How long a decision waits for the list of admins.
const ADMINS_TIMEOUT: Duration = Duration::from_millis(1500);

/// The members of groups.
#[derive(Clone)]
pub(super) struct ChatMembers {
    api: BotApi,
    storage: TelegramStorage,
}

impl ChatMembers {
    /// Asks this server, and stores its answers for a while.
    pub(super) fn new(api: BotApi, storage: TelegramStorage) -> Self {
        Self { api, storage }
    }

    /// Whether a person is an admin of a group; false if that is unknown.
    pub(super) async fn is_admin(&self, chat: i64, person: i64) -> bool {
        if let Some(known) = self.storage.cached_admin(chat, person).await {
            return known;
        }
        let fields = [("chat_id".to_owned(), json!(chat))].into_iter().collect();
        let call = self.api.call_method::<Vec<Value>>("getChatAdministrators", fields);
        let asked = tokio::time::timeout(ADMINS_TIMEOUT, call).await;
        let late = || TelegramCallError::Network("no answer in time".to_owned());
        match asked.unwrap_or_else(|_| Err(late())) {
            Ok(admins) => {
                let admins = admins.iter().filter_map(|it| it["user"]["id"].as_i64());
                let admins: Vec<i64> = admins.collect();
                let found = admins.contains(&person);
                self.storage.store_admins(chat, &admins).await;
                found
            }
            Err(error) => {
                tracing::debug!(chat, %error, "failed to read the admins");
                self.storage.store_admins_failure(chat).await;
                false
            }
        }
    }

    /// Whether a person is a member of a group; false if that is unknown.
    pub(super) async fn is_chat_member(&self, chat: i64, person: i64) -> bool {
        let fields = [("chat_id".to_owned(), json!(chat)), ("user_id".to_owned(), json!(person))];
        let call = self.api.call_method::<Value>("getChatMember", fields.into_iter().collect());
        let Ok(Ok(member)) = tokio::time::timeout(ADMINS_TIMEOUT, call).await else {
            return false;
        };
        match member["status"].as_str() {
            Some("creator" | "administrator" | "member") => true,
            Some("restricted") => member["is_member"] == true,
            _ => false,
        }
    }
}
