//! Describes the people whose data is deleted, and finds them in rows and logs.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_table::identity_replacement::{IdentityReplacement, NameSearch};

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
    #[serde(rename = "places")]
    pub chats: BTreeSet<ChatId>,
    /// Their names after `@`, in lower case, with the platforms.
    pub usernames: BTreeSet<(String, String)>,
}

impl DeletionSubject {
    /// The ids, names and private chats to replace in logs.
    pub fn replacement(&self) -> IdentityReplacement {
        let DeletionSubject { accounts, usernames, chats, main: _ } = self.clone();
        IdentityReplacement { accounts, usernames, chats }
    }

    /// The id that replaces the main account.
    pub fn main_replacement(&self) -> Option<&PersonId> {
        self.accounts.get(self.main.as_ref()?)
    }
}

/// The position of a person among [`DeletedPeople::subjects`].
pub(super) type SubjectIndex = usize;

/// The people whose data is deleted together: each part of the store is read once for all of them.
#[derive(Debug)]
pub struct DeletedPeople {
    subjects: Vec<DeletionSubject>,
    /// The id that replaces each account, and the number of its person.
    accounts: BTreeMap<PersonId, (PersonId, SubjectIndex)>,
    /// The private chats of all.
    chats: BTreeSet<ChatId>,
    /// The platforms of the accounts and private chats.
    platforms: BTreeSet<String>,
    names: NameSearch,
}

impl DeletedPeople {
    /// These people, whose numbers count from 0.
    pub fn new(subjects: Vec<DeletionSubject>) -> Self {
        let mut accounts = BTreeMap::new();
        let mut chats = BTreeSet::new();
        for (number, subject) in subjects.iter().enumerate() {
            chats.extend(subject.chats.iter().cloned());
            let own = subject.accounts.iter();
            accounts.extend(own.map(|(it, new)| (it.clone(), (new.clone(), number))));
        }
        let on = chats.iter().map(|it: &ChatId| it.platform());
        let on = on.chain(accounts.keys().map(|it: &PersonId| it.platform()));
        let platforms = on.map(str::to_owned).collect();
        let replacements: Vec<_> = subjects.iter().map(DeletionSubject::replacement).collect();
        let names = NameSearch::new(&replacements);
        DeletedPeople { subjects, accounts, chats, platforms, names }
    }

    /// Each of them.
    pub fn subjects(&self) -> &[DeletionSubject] {
        &self.subjects
    }

    /// The accounts of all of them.
    pub fn accounts(&self) -> impl Iterator<Item = &PersonId> {
        self.accounts.keys()
    }

    /// The id that replaces an account.
    pub fn replacement_of(&self, account: &PersonId) -> Option<&PersonId> {
        self.accounts.get(account).map(|(new, _)| new)
    }

    /// The id that replaces the main account of the person with this account.
    pub fn main_replacement_of(&self, account: &PersonId) -> Option<&PersonId> {
        let (new, number) = self.accounts.get(account)?;
        self.subjects.get(*number)?.main_replacement().or(Some(new))
    }

    /// The numbers of the people whom a log may name: none of those whom it names is missing.
    pub fn named_in(&self, lines: &[String]) -> BTreeSet<SubjectIndex> {
        self.names.find_in(lines)
    }

    /// Whether a key names an account or a private chat of one of them.
    pub fn is_in_key(&self, key: &str) -> bool {
        key.split(' ').any(|word| self.is_id(word)) || self.is_in_platform_key(key)
    }

    /// Whether a text is the id of an account, a private chat, or a topic of one.
    pub(super) fn is_id(&self, text: &str) -> bool {
        let chat = text.split('/').next().unwrap_or_default();
        self.accounts.contains_key(&PersonId(chat.to_owned()))
            || self.chats.contains(&ChatId(chat.to_owned()))
    }

    /// Whether a key of a platform names an account or a private chat: there the platform is a word
    /// of its own.
    fn is_in_platform_key(&self, key: &str) -> bool {
        let mut words = key.split(' ');
        let platform = words.next().unwrap_or_default();
        self.platforms.contains(platform)
            && words.any(|word| self.is_id(&format!("{platform}:{word}")))
    }

    /// Whether a value names an account or a private chat of one of them: as a text of its own in
    /// JSON, or as the whole value. Displayed names are not looked for: others may have the same.
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

    /// A person with a private chat, and another one.
    fn people() -> DeletedPeople {
        let subject = |account: &str, token, chats| {
            let account = PersonId(account.to_owned());
            DeletionSubject {
                accounts: [(account.clone(), PersonId::deleted(token))].into(),
                main: Some(account),
                chats,
                usernames: BTreeSet::new(),
            }
        };
        let own_chat = [ChatId("dc:900".to_owned())].into();
        DeletedPeople::new(vec![
            subject("web:9", "y", BTreeSet::new()),
            subject("tg:77", "x", own_chat),
        ])
    }

    #[test]
    fn each_account_has_the_ids_of_its_person() {
        let people = people();
        let account = PersonId("tg:77".to_owned());
        let new = PersonId::deleted("x");
        assert_eq!(people.replacement_of(&account), Some(&new));
        assert_eq!(people.main_replacement_of(&account), Some(&new));
        assert_eq!(people.replacement_of(&PersonId("tg:7".to_owned())), None);
        let named = people.named_in(&["0 1 tg/1 seat tg:77 Ann".to_owned()]);
        assert_eq!(named, [1].into());
    }

    #[test]
    fn keys_name_accounts_private_chats_and_their_topics() {
        let people = people();
        for key in [
            "tg:77",
            "armed 7k3fx tg:77",
            "last dc:900",
            "mute tg:77/5",
            "tg slot 77 hand",
            "dc talk 900",
        ] {
            assert!(people.is_in_key(key), "{key}");
        }
        for key in ["tg:777", "armed 7k3fx tg:7", "dc slot 77 hand", "last dc:9001", "tg talk 770"]
        {
            assert!(!people.is_in_key(key), "{key}");
        }
    }

    #[test]
    fn values_name_them_as_whole_texts_only() {
        let people = people();
        let named = [r#"{"person":"tg:77"}"#, r#"[["dc:900"]]"#, "tg:77"];
        assert!(named.iter().all(|it| people.is_in_value(it.as_bytes())));
        let others = [r#"{"person":"tg:778"}"#, r#""Ann""#, "7k3fx", "77"];
        assert!(!others.iter().any(|it| people.is_in_value(it.as_bytes())));
    }
}
