//! Finds the data that platforms themselves store about people, even if this process does not serve
//! the platform: another process may serve it, or it may have been switched off.

use std::collections::HashMap;
use std::sync::Arc;

use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{AccountData, Platform, SendError};

/// Opens the data of a platform in the store, without serving the platform.
pub type AccountStoreOpener = Arc<dyn Fn() -> Arc<dyn AccountData> + Send + Sync>;

/// The data that platforms store about people.
#[derive(Clone, Default)]
pub struct AccountStores {
    platforms: Vec<Arc<dyn Platform>>,
    stores: Vec<Arc<dyn AccountData>>,
}

impl AccountStores {
    /// The data of all connected platforms, and of those that can be opened in the store.
    pub(super) fn of(
        platforms: &HashMap<&'static str, Arc<dyn Platform>>,
        openers: &HashMap<&'static str, AccountStoreOpener>,
    ) -> Self {
        let unconnected = openers.iter().filter(|(name, _)| !platforms.contains_key(*name));
        let stores = unconnected.map(|(_, open)| open()).collect();
        let with_data = platforms.values().filter(|it| it.account_data().is_some());
        AccountStores { platforms: with_data.cloned().collect(), stores }
    }

    fn all(&self) -> impl Iterator<Item = &dyn AccountData> {
        let platforms = self.platforms.iter().filter_map(|it| it.account_data());
        platforms.chain(self.stores.iter().map(as_data))
    }

    /// Whether nothing can be read here that a platform may have stored.
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Returns the data that platforms store about an account, each as a JSON object.
    ///
    /// # Errors
    /// When a platform does not answer now.
    pub async fn export_account(&self, account: &PersonId) -> Result<Vec<String>, SendError> {
        let mut found = Vec::new();
        for data in self.all() {
            found.extend(data.export_account(account).await?);
        }
        Ok(found)
    }

    /// Deletes what platforms store about an account.
    ///
    /// # Errors
    /// As [`delete_account`](AccountData::delete_account).
    pub async fn delete_account(&self, account: &PersonId) -> Result<(), SendError> {
        for data in self.all() {
            data.delete_account(account).await?;
        }
        Ok(())
    }

    /// The private chats with the person of an account whose ids follow from that of the account.
    pub fn private_chats_of(&self, account: &PersonId) -> impl Iterator<Item = ChatId> {
        self.all().filter_map(|it| it.private_chat_of(account))
    }
}

fn as_data(store: &Arc<dyn AccountData>) -> &dyn AccountData {
    &**store
}
