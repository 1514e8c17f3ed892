//! Hides displayed names: in one chat at the request of its admins, or everywhere at that of the
//! operator. Others then see a neutral name with a code.
//!
//! Each hidden account has a row of its own: `hidden-name <chat> <account>`; those of linked
//! accounts have the same code. Linking hides the names of all accounts where one of them is
//! hidden, and they stay hidden when the accounts are unlinked. One more row changes with each of
//! them, so that each process knows whether the names in its memory are the current ones. Stored
//! logs keep the original names: they are replaced each time that a log is read, see
//! [`Repository::shown_log_lines`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::RwLock;
use serde::{Deserialize, Serialize};

use super::outbox_entry::OutboxEntry;
use super::stored_rows::{put_json, remove_row};
use super::{CommitOutcome, Failure, Repository, keys};
use caravanserai_games::ids::{
    HIDDEN_NAME_CODE_CHARS, PersonId, TableId, hidden_name, hidden_name_code,
};
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery};
use caravanserai_table::hidden_name_replacement::HiddenNameReplacement;
use caravanserai_table::state::Table;

/// The most people whose names can be hidden in one chat, and everywhere: all names are in memory.
pub const HIDDEN_NAMES_MAX: usize = 500;

/// The most accounts with one hidden name: those that are linked, and some that were. Otherwise
/// linking one account after another would add rows without end.
const ACCOUNTS_PER_NAME_MAX: usize = 8;

/// The random bytes that tell one state of the hidden names from another.
const VERSION_BYTES: usize = 8;

/// Where a name is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HiddenScope<'a> {
    /// In one chat, named without its topic.
    Chat(&'a str),
    /// In all chats.
    Everywhere,
}

impl HiddenScope<'_> {
    /// The scope in keys.
    fn word(&self) -> &str {
        match self {
            HiddenScope::Chat(chat) => chat,
            HiddenScope::Everywhere => EVERYWHERE,
        }
    }
}

/// The scope in keys for all chats; no chat has this id.
const EVERYWHERE: &str = "*";

/// A hidden name, as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HiddenNameRow {
    /// The code in the name that is shown instead.
    pub code: String,
    /// Since when, in milliseconds since 1970.
    pub at_ms: u64,
    /// The reason, for the person.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Whether the person was notified.
    #[serde(rename = "is_told")]
    pub is_notified: bool,
}

/// A hidden name of which its person was not notified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnnotifiedHiddenName {
    /// The key of the row.
    pub key: String,
    /// The row as it is stored.
    pub stored: Vec<u8>,
    /// The row.
    pub row: HiddenNameRow,
    /// Whether it is hidden in all chats.
    pub is_everywhere: bool,
}

/// The outcome of hiding a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HideOutcome {
    /// It is hidden now; others see this name.
    Hidden(String),
    /// It was hidden already; others see this name.
    AlreadyHidden(String),
    /// No more names can be hidden there.
    ListFull,
    /// A concurrent change came first: nothing was written.
    Conflict,
}

/// All hidden names at one moment.
#[derive(Debug, Default)]
pub struct HiddenNames {
    /// The row that changes with each of them.
    version: Option<Vec<u8>>,
    /// The shown names by scope and account.
    scopes: BTreeMap<String, BTreeMap<PersonId, String>>,
}

impl HiddenNames {
    /// The name that is shown in a chat instead of the person's own; `None` if it is not hidden.
    /// `chat`: without its topic, empty for games in private.
    pub fn shown_name(&self, chat: &str, person: &PersonId) -> Option<&str> {
        let shown = |scope: &str| self.scopes.get(scope)?.get(person);
        shown(EVERYWHERE).or_else(|| shown(chat)).map(String::as_str)
    }

    /// Replaces a name by the one that is shown in a chat.
    pub fn replace(&self, chat: &str, person: &PersonId, name: &mut String) {
        if let Some(shown) = self.shown_name(chat, person) {
            shown.clone_into(name);
        }
    }

    /// Whether no name is hidden anywhere.
    pub(super) fn has_none(&self) -> bool {
        self.scopes.is_empty()
    }

    /// Whether a chat has hidden names of its own.
    pub fn has_any_in(&self, chat: &str) -> bool {
        self.scopes.contains_key(chat)
    }

    /// The names that are replaced at a table: those that are hidden in one of its chats.
    fn at_table(&self, table: &Table) -> HiddenNameReplacement {
        let mut names = BTreeMap::new();
        let chats = table.chats.ids().map(|it| it.without_topic());
        for scope in chats.chain([EVERYWHERE]) {
            if let Some(hidden) = self.scopes.get(scope) {
                names.extend(hidden.clone());
            }
        }
        HiddenNameReplacement { names }
    }

    /// Folds a log with the names that are shown.
    ///
    /// # Errors
    /// Describes what is wrong with the log.
    pub(super) fn fold(&self, id: &TableId, lines: &[String]) -> Result<Table, String> {
        let table = Table::from_log(id, lines)?;
        match self.lines_for(&table, lines)? {
            Some(shown) => Table::from_log(id, &shown),
            None => Ok(table),
        }
    }

    /// The lines with the names that are shown at the table; `None` if none of them is hidden.
    fn lines_for(&self, table: &Table, lines: &[String]) -> Result<Option<Vec<String>>, String> {
        if self.scopes.is_empty() {
            return Ok(None);
        }
        let replacement = self.at_table(table);
        if replacement.names.is_empty() {
            return Ok(None);
        }
        replacement.replace_in_log(lines)
    }

    /// The row that changes with each hidden name.
    pub(super) fn version(&self) -> Option<&[u8]> {
        self.version.as_deref()
    }
}

/// The number of people with these hidden accounts: linked ones have the same name.
fn count_people(hidden: &BTreeMap<PersonId, String>) -> usize {
    hidden.values().collect::<BTreeSet<_>>().len()
}

/// The hidden names that this process has read last.
#[derive(Default)]
pub(super) struct HiddenNameCache {
    current: RwLock<Arc<HiddenNames>>,
}

impl Repository {
    /// The hidden names.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn hidden_names(&self) -> Result<Arc<HiddenNames>, Failure> {
        let version = self.read_value(Space::Meta, keys::HIDDEN_NAMES).await?;
        self.hidden_names_at(version).await
    }

    /// The hidden names as of this version, or newer ones.
    pub(crate) async fn hidden_names_at(
        &self,
        version: Option<Vec<u8>>,
    ) -> Result<Arc<HiddenNames>, Failure> {
        let known = self.hidden_name_cache.current.read().clone();
        if known.version == version {
            return Ok(known);
        }
        let mut names = HiddenNames { version, scopes: BTreeMap::new() };
        let prefix = keys::HIDDEN_NAME_PREFIX;
        for (key, value) in self.read_all_rows(Space::Meta, prefix).await? {
            let Some((scope, account)) = keys::parse_hidden_name(&key) else { continue };
            let row: HiddenNameRow = serde_json::from_slice(&value).unwrap_or_default();
            let shown = names.scopes.entry(scope.to_owned()).or_default();
            shown.insert(account, hidden_name(&row.code));
        }
        let names = Arc::new(names);
        *self.hidden_name_cache.current.write() = names.clone();
        Ok(names)
    }

    /// The hidden names in memory.
    pub(super) fn known_hidden_names(&self) -> Arc<HiddenNames> {
        self.hidden_name_cache.current.read().clone()
    }

    /// The whole log of a table with the names that are shown.
    ///
    /// # Errors
    /// When the store cannot be read or the log is damaged.
    pub async fn shown_log_lines(&self, table: &Table) -> Result<Vec<String>, Failure> {
        let lines = self.load_log_lines(&table.id).await?;
        let shown = self.hidden_names().await?.lines_for(table, &lines);
        let shown = shown.map_err(|why| Failure::Damaged(table.id.clone(), why))?;
        Ok(shown.unwrap_or(lines))
    }

    /// Hides the name of a person, with all linked accounts, also if some of them are hidden
    /// already. `audit`: the row for the log of what admins and operators did.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn hide_name(
        &self,
        scope: HiddenScope<'_>,
        person: &PersonId,
        reason: &str,
        audit: Put,
    ) -> Result<HideOutcome, Failure> {
        let version = self.read_value(Space::Meta, keys::HIDDEN_NAMES).await?;
        // The names in memory may be older than the rows: earlier versions removed rows without
        // changing the version.
        let rows = self.hidden_name_rows(scope).await?.into_iter();
        let hidden: BTreeMap<PersonId, String> =
            rows.map(|(account, row)| (account, hidden_name(&row.code))).collect();
        let (_, links, profile) = self.profiles().load_stored_person(person).await?;
        if profile.main.is_some() {
            // The account was linked with another person meanwhile.
            return Ok(HideOutcome::Conflict);
        }
        let accounts: Vec<PersonId> =
            std::iter::once(person.clone()).chain(profile.accounts).collect();
        let shown_name = |it: &PersonId| hidden.get(it);
        let known = accounts.iter().find_map(shown_name);
        let missing = accounts.iter().filter(|it| shown_name(it).is_none());
        let missing: Vec<&PersonId> = missing.collect();
        match known {
            Some(shown) if missing.is_empty() => {
                return Ok(HideOutcome::AlreadyHidden(shown.clone()));
            }
            None if count_people(&hidden) >= HIDDEN_NAMES_MAX => {
                return Ok(HideOutcome::ListFull);
            }
            Some(_) | None => {}
        }
        let code = match known.and_then(|it| hidden_name_code(it)) {
            Some(code) => code.to_owned(),
            None => self.new_name_code(scope, person).await?,
        };
        let at_ms = self.now_ms();
        let reason = reason.to_owned();
        let row = HiddenNameRow { code: code.clone(), at_ms, reason, is_notified: false };
        let put = |it: &PersonId| put_json(Space::Meta, keys::hidden_name(scope.word(), it), &row);
        let mut puts: Vec<Put> = missing.into_iter().map(put).collect();
        puts.push(audit);
        puts.extend(self.boards_naming(&accounts).await?);
        // A deletion that begins meanwhile must find the rows.
        let deletion = keys::deletion_request(person);
        let deletion = Expect {
            space: Space::Meta,
            value: self.read_value(Space::Meta, &deletion).await?,
            key: deletion,
        };
        // Accounts that are linked meanwhile must be hidden, too.
        let expect = vec![deletion, links.unchanged_condition()];
        Ok(match self.commit_hidden_names(version, expect, puts).await? {
            CommitOutcome::Committed => HideOutcome::Hidden(hidden_name(&code)),
            CommitOutcome::Conflict => HideOutcome::Conflict,
        })
    }

    /// The code in the name that is shown instead of that of a person. It tells nothing about the
    /// account without the key of the store.
    async fn new_name_code(
        &self,
        scope: HiddenScope<'_>,
        person: &PersonId,
    ) -> Result<String, Failure> {
        let hash = self.keyed_hash(&format!("name {} {}", scope.word(), person.0)).await?;
        Ok(hash.get(..HIDDEN_NAME_CODE_CHARS).unwrap_or_default().to_uppercase())
    }

    /// Adds to a commit that links these accounts that a name which is hidden for one of them is
    /// hidden for all of them. The commit conflicts if a name is hidden or shown meanwhile. Returns
    /// whether they may be linked: not if the name would be hidden for too many accounts. The
    /// caller must not have locked a table.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn share_hidden_names(
        &self,
        accounts: &[PersonId],
        commit: &mut Commit,
    ) -> Result<bool, Failure> {
        let version = self.read_value(Space::Meta, keys::HIDDEN_NAMES).await?;
        let names = self.hidden_names_at(version.clone()).await?;
        let mut puts = Vec::new();
        for (scope, hidden) in &names.scopes {
            let Some(known) = accounts.iter().find(|it| hidden.contains_key(*it)) else { continue };
            let row = self.read_value(Space::Meta, &keys::hidden_name(scope, known)).await?;
            let Some(row) = row else { continue };
            let missing = accounts.iter().filter(|it| !hidden.contains_key(*it));
            let missing: Vec<&PersonId> = missing.collect();
            let same_name = hidden.values().filter(|it| Some(*it) == hidden.get(known)).count();
            if !missing.is_empty() && same_name + missing.len() > ACCOUNTS_PER_NAME_MAX {
                return Ok(false);
            }
            let put =
                |it: &PersonId| Put::new(Space::Meta, keys::hidden_name(scope, it), row.clone());
            puts.extend(missing.into_iter().map(put));
        }
        if !puts.is_empty() {
            puts.push(self.hidden_names_changed_put());
            puts.extend(self.boards_naming(accounts).await?);
        }
        let key = keys::HIDDEN_NAMES.to_owned();
        commit.expect.push(Expect { space: Space::Meta, key, value: version });
        commit.puts.extend(puts);
        Ok(true)
    }

    /// Shows the name of a person again. Returns whether it was hidden; `None` if a concurrent
    /// change came first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn show_name(
        &self,
        scope: HiddenScope<'_>,
        person: &PersonId,
        audit: Put,
    ) -> Result<Option<bool>, Failure> {
        let version = self.read_value(Space::Meta, keys::HIDDEN_NAMES).await?;
        let names = self.hidden_names_at(version.clone()).await?;
        let Some(hidden) = names.scopes.get(scope.word()) else { return Ok(Some(false)) };
        let accounts = self.profiles().accounts_of(person).await?;
        if !accounts.iter().any(|it| hidden.contains_key(it)) {
            return Ok(Some(false));
        }
        let removal = |it: &PersonId| remove_row(Space::Meta, keys::hidden_name(scope.word(), it));
        let mut puts: Vec<Put> = accounts.iter().map(removal).chain([audit]).collect();
        puts.extend(self.boards_naming(&accounts).await?);
        Ok(match self.commit_hidden_names(version, Vec::new(), puts).await? {
            CommitOutcome::Committed => Some(true),
            CommitOutcome::Conflict => None,
        })
    }

    /// Writes rows of hidden names, if no other name was hidden or shown meanwhile.
    async fn commit_hidden_names(
        &self,
        version: Option<Vec<u8>>,
        mut expect: Vec<Expect>,
        mut puts: Vec<Put>,
    ) -> Result<CommitOutcome, Failure> {
        let key = keys::HIDDEN_NAMES.to_owned();
        puts.push(self.hidden_names_changed_put());
        expect.push(Expect { space: Space::Meta, key, value: version });
        self.commit_rows(Commit { expect, ..Commit::from_puts(puts) }).await
    }

    /// The row that tells all processes that hidden names have changed.
    pub(crate) fn hidden_names_changed_put(&self) -> Put {
        let mut token = [0; VERSION_BYTES];
        self.fill_random(&mut token);
        Put::new(Space::Meta, keys::HIDDEN_NAMES, hex::encode(token))
    }

    /// The rows that hide the names of a chat under its new id, too. Its games that have ended keep
    /// the old one.
    pub(super) async fn moved_hidden_name_puts(
        &self,
        from: &str,
        to: &str,
    ) -> Result<Vec<Put>, Failure> {
        let rows = self.read_all_rows(Space::Meta, &keys::hidden_names_of(from)).await?;
        let mut puts = Vec::new();
        for (key, value) in rows {
            if let Some((_, account)) = keys::parse_hidden_name(&key) {
                puts.push(Put::new(Space::Meta, keys::hidden_name(to, &account), value));
            }
        }
        if !puts.is_empty() {
            puts.push(self.hidden_names_changed_put());
        }
        Ok(puts)
    }

    /// The hidden names of a scope, by account.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn hidden_name_rows(
        &self,
        scope: HiddenScope<'_>,
    ) -> Result<Vec<(PersonId, HiddenNameRow)>, Failure> {
        let prefix = keys::hidden_names_of(scope.word());
        let rows = self.read_all_rows(Space::Meta, &prefix).await?.into_iter();
        let row = |(key, value): (String, Vec<u8>)| {
            let (_, account) = keys::parse_hidden_name(&key)?;
            Some((account, serde_json::from_slice(&value).ok()?))
        };
        Ok(rows.filter_map(row).collect())
    }

    /// The hidden name of a person in a chat, if they were not notified of it yet.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unnotified_hidden_name(
        &self,
        chat: &str,
        person: &PersonId,
    ) -> Result<Option<UnnotifiedHiddenName>, Failure> {
        let scopes = [EVERYWHERE, chat];
        let key = |scope| keys::hidden_name(scope, person);
        let queries = scopes.map(|it| StoreQuery::value_of(Space::Meta, key(it)));
        for (scope, answer) in scopes.into_iter().zip(self.read_many(&queries).await?) {
            let Some(stored) = answer.value()? else { continue };
            let row: HiddenNameRow = serde_json::from_slice(&stored).unwrap_or_default();
            let key = key(scope);
            let is_everywhere = scope == EVERYWHERE;
            let found = UnnotifiedHiddenName { key, stored, row, is_everywhere };
            return Ok(Some(found).filter(|it| !it.row.is_notified));
        }
        Ok(None)
    }

    /// The rows that show the boards of the open tables of these accounts again.
    async fn boards_naming(&self, accounts: &[PersonId]) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        for account in accounts {
            for owner in [account.0.clone(), keys::named_prefix(account)] {
                let prefix = format!("{owner} ");
                for (key, _) in self.read_all_rows(Space::PersonTable, &prefix).await? {
                    let id = TableId(keys::last_part(&key).to_owned());
                    // A table that cannot be read is reported when it is used.
                    let Ok(Some(table)) = self.load_table(&id).await else { continue };
                    let board = |chat| OutboxEntry::changed_board(chat, &table).encode();
                    puts.extend(table.chats.ids().map(board));
                }
            }
        }
        Ok(puts)
    }
}
