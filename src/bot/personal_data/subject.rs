//! Describes whose data is deleted, and finds them in rows.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_table::identity_replacement::IdentityReplacement;

/// A person whose data is deleted. It is stored until the deletion is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeletionSubject {
    /// The id that replaces each of their accounts. The first one of a person with several accounts
    /// is in `main`.
    pub accounts: BTreeMap<PersonId, PersonId>,
    /// The main account: the person, if several accounts are linked.
    pub main: Option<PersonId>,
    /// Their private chats.
    pub places: BTreeSet<PlaceId>,
    /// Their names after `@`, in lower case, with the platforms.
    pub usernames: BTreeSet<(String, String)>,
}

impl DeletionSubject {
    /// What replaces them in logs.
    pub fn replacement(&self) -> IdentityReplacement {
        let (accounts, usernames) = (self.accounts.clone(), self.usernames.clone());
        IdentityReplacement { accounts, usernames }
    }

    /// The id that replaces the main account.
    pub fn main_replacement(&self) -> Option<&PersonId> {
        self.accounts.get(self.main.as_ref()?)
    }

    /// Whether a key names one of their accounts or private chats.
    pub fn is_in_key(&self, key: &str) -> bool {
        key.split(' ').any(|word| self.is_id(word)) || self.is_in_platform_key(key)
    }

    /// Whether a text is the id of an account, a private chat, or a topic of one.
    pub(super) fn is_id(&self, text: &str) -> bool {
        let chat = text.split('/').next().unwrap_or_default();
        self.accounts.contains_key(&PersonId(chat.to_owned()))
            || self.places.contains(&PlaceId(chat.to_owned()))
    }

    /// Whether a key of a platform names an account: there the platform is a word of its own.
    fn is_in_platform_key(&self, key: &str) -> bool {
        let mut words = key.split(' ');
        let platform = words.next().unwrap_or_default();
        let ids: Vec<&str> = self
            .accounts
            .keys()
            .filter_map(|it| it.0.split_once(':'))
            .filter_map(|(on, id)| (on == platform).then_some(id))
            .collect();
        !ids.is_empty() && words.any(|word| ids.contains(&word))
    }

    /// Whether a value names one of their accounts or private chats: as a text of its own in JSON,
    /// or as the whole value. Displayed names are not looked for: others may have the same.
    pub fn is_in_value(&self, value: &[u8]) -> bool {
        match serde_json::from_slice::<serde_json::Value>(value) {
            Ok(json) => self.is_in_json(&json),
            Err(_) => std::str::from_utf8(value).is_ok_and(|it| self.is_id(it)),
        }
    }

    fn is_in_json(&self, json: &serde_json::Value) -> bool {
        match json {
            serde_json::Value::String(text) => self.is_id(text),
            serde_json::Value::Array(items) => items.iter().any(|it| self.is_in_json(it)),
            serde_json::Value::Object(fields) => {
                fields.iter().any(|(key, value)| self.is_id(key) || self.is_in_json(value))
            }
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> DeletionSubject {
        let account = PersonId("tg:77".to_owned());
        DeletionSubject {
            accounts: [(account.clone(), PersonId::deleted("x"))].into(),
            main: Some(account),
            places: [PlaceId("dc:900".to_owned())].into(),
            usernames: BTreeSet::new(),
        }
    }

    #[test]
    fn keys_name_accounts_private_chats_and_their_topics() {
        let subject = subject();
        for key in ["tg:77", "armed 7k3fx tg:77", "last dc:900", "mute tg:77/5", "tg slot 77 hand"]
        {
            assert!(subject.is_in_key(key), "{key}");
        }
        for key in ["tg:777", "armed 7k3fx tg:7", "dc slot 77 hand", "last dc:9001", "tg talk 770"]
        {
            assert!(!subject.is_in_key(key), "{key}");
        }
    }

    #[test]
    fn values_name_them_as_whole_texts_only() {
        let subject = subject();
        let named = [r#"{"person":"tg:77"}"#, r#"[["dc:900"]]"#, "tg:77"];
        assert!(named.iter().all(|it| subject.is_in_value(it.as_bytes())));
        let others = [r#"{"person":"tg:778"}"#, r#""Ann""#, "7k3fx", "77"];
        assert!(!others.iter().any(|it| subject.is_in_value(it.as_bytes())));
    }
}
