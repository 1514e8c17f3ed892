//! Bans people and chats.
//!
//! The key of a ban is a keyed hash of the account or chat, so a ban outlasts the deletion of an
//! account, which only removes the id from the row. A ban of a person with linked accounts has one
//! row, of the account that was named, until their deletion begins: then each account gets a row.
//! So whether a person is banned depends on the rows of all their accounts. A ban during the
//! deletion gives each account a row at once.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::audit_log::audit_put;
use super::operator_switches::read_switches;
use super::{
    AdminActor, AdminReply, LIST_PAGE_ROWS, OperatorCommands, parse_account, rows_before, time_text,
};
use crate::personal_data::deletion_requests::DeletionRequests;
use crate::repository::quarantine::catch_panic;
use crate::repository::row_update::{OptionalRow, TypedRowKey};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{CommitOutcome, Failure, Repository, TableChange, TableGuard, keys};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_protocol::ParentChats;
use caravanserai_store::{Commit, Expect, Put, Space, StoreError, StoreQuery, StoreRow};
use caravanserai_table::Decision;
use caravanserai_table::operator_actions::decide_ban;

/// The length of the part of a hash that names a ban in lists.
const TAG_CHARS: usize = 8;

/// The most chats that are named if an id is not known.
const SIMILAR_MAX: usize = 10;

/// The attempts to ban a person while people act at their tables.
const BAN_TRIES: usize = 8;

/// The mark in front of a ban that is named by its hash.
const TAG_MARK: char = '#';

/// Whom or what a ban is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BanKind {
    /// A person, with all linked accounts.
    Person,
    /// A chat, with all its topics and threads; or a server, with all its channels.
    Chat,
}

/// A person or chat that an operator names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BanTarget {
    /// Whether it is a person or a chat.
    pub kind: BanKind,
    /// The id of the account or chat, or the mark of a ban in the list of bans.
    pub id: String,
}

/// The rows that the store has about an id that an operator names.
pub(super) enum KnownId {
    /// The person or chat.
    Itself,
    /// Neither a person nor a chat.
    None,
    /// Other chats that may be meant.
    Others(Vec<String>),
}

/// A stored ban.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BanRow {
    /// Since when, in milliseconds since 1970.
    pub at_ms: u64,
    /// The account or chat; `None` after the account was deleted.
    pub id: Option<String>,
    /// The reason, for other operators.
    pub reason: String,
    /// Whether the person was notified.
    #[serde(rename = "is_told")]
    pub is_notified: bool,
}

/// The effect of a ban on an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BanEffect {
    /// Nobody is banned here.
    None,
    /// The person gets one answer: that they are banned.
    Refuse,
    /// There is no answer.
    Ignore,
}

impl BanKind {
    fn prefix(self) -> &'static str {
        match self {
            BanKind::Person => keys::PERSON_BAN_PREFIX,
            BanKind::Chat => keys::CHAT_BAN_PREFIX,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            BanKind::Person => "person",
            BanKind::Chat => "chat",
        }
    }
}

impl BanRow {
    /// The ban as it outlasts the deletion of the account.
    fn without_identity(self) -> Self {
        BanRow { id: None, reason: String::new(), ..self }
    }
}

impl BanTarget {
    /// Parses an id; `None` if it cannot be one.
    pub fn parse(kind: BanKind, id: &str) -> Option<Self> {
        let id = match (id.strip_prefix(TAG_MARK), kind) {
            (Some(_), _) => id.to_owned(),
            (None, BanKind::Person) => parse_account(id)?.0,
            (None, BanKind::Chat) => ChatId(parse_account(id)?.0).without_topic().to_owned(),
        };
        Some(BanTarget { kind, id })
    }

    /// Whether it is the mark of a ban in the list of bans, not an id.
    pub(super) fn is_tag(&self) -> bool {
        self.id.starts_with(TAG_MARK)
    }
}

/// The key of the ban of this account or chat.
async fn ban_key(repository: &Repository, kind: BanKind, id: &str) -> Result<String, Failure> {
    Ok(format!("{}{}", kind.prefix(), repository.keyed_hash(id).await?))
}

/// Whether a chat is banned: by its own id, or by that of one of its parents.
///
/// # Errors
/// When the store fails.
pub async fn is_chat_banned(
    repository: &Repository,
    chat: &ChatId,
    parents: &ParentChats,
) -> Result<bool, Failure> {
    let ParentChats { channel, server } = parents;
    let mut reads = Vec::new();
    for chat in [Some(chat), channel.as_ref(), server.as_ref()].into_iter().flatten() {
        let key = ban_key(repository, BanKind::Chat, chat.without_topic()).await?;
        reads.push(StoreQuery::value_of(Space::Meta, key));
    }
    for answer in repository.read_many(&reads).await? {
        if answer.value()?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a chat is banned: by its own id, or by that of a parent that its profile names.
///
/// # Errors
/// When the store fails.
pub(crate) async fn is_known_chat_banned(
    repository: &Repository,
    chat: &ChatId,
) -> Result<bool, Failure> {
    let (_, switches) = read_switches(repository).await?;
    if !switches.has_bans {
        return Ok(false);
    }
    let profile = repository.read_row(TypedRowKey::chat(chat)).await?;
    is_chat_banned(repository, chat, &profile.value().parents).await
}

/// Moves the ban of a chat to its new id. Repeating it changes nothing, also after the ban of the
/// new id has ended.
///
/// # Errors
/// When the store fails.
pub(crate) async fn move_chat_ban(
    repository: &Repository,
    from: &ChatId,
    to: &ChatId,
) -> Result<(), Failure> {
    let old = ban_key(repository, BanKind::Chat, from.without_topic()).await?;
    let new = ban_key(repository, BanKind::Chat, to.without_topic()).await?;
    for _ in 0..BAN_TRIES {
        // Read first: the end of the last other ban changes the row.
        let (row, mut switches) = read_switches(repository).await?;
        let Some(bytes) = repository.read_value(Space::Meta, &old).await? else { return Ok(()) };
        let ban: BanRow = serde_json::from_slice(&bytes).unwrap_or_default();
        let mut commit = Commit::from_puts(vec![remove_row(Space::Meta, old.clone())]);
        // If the ban ends meanwhile, the new id must not stay banned.
        commit.expect.push(Expect::equals(Space::Meta, old.clone(), bytes));
        if repository.read_value(Space::Meta, &new).await?.is_none() {
            let moved = BanRow { id: Some(to.without_topic().to_owned()), ..ban };
            commit.puts.push(put_json(Space::Meta, new.clone(), &moved));
        }
        switches.has_bans = true;
        switches.bans_so_far += 1;
        row.set(&OptionalRow(Some(switches)), &mut commit);
        if repository.commit_rows(commit).await? == CommitOutcome::Committed {
            return Ok(());
        }
    }
    let why = format!("too many conflicting writes to the ban of {}", from.0);
    Err(StoreError::Failed(why).into())
}

/// Whether a person with these accounts is banned.
///
/// # Errors
/// When the store fails.
pub async fn is_person_banned<'a>(
    repository: &Repository,
    accounts: impl IntoIterator<Item = &'a PersonId>,
) -> Result<bool, Failure> {
    let (_, switches) = read_switches(repository).await?;
    if !switches.has_bans {
        return Ok(false);
    }
    let accounts: Vec<&PersonId> = accounts.into_iter().collect();
    Ok(find_ban(repository, &accounts).await?.is_some())
}

/// The ban of a person with these accounts.
async fn find_ban(
    repository: &Repository,
    accounts: &[&PersonId],
) -> Result<Option<StoreRow>, Failure> {
    let mut keys = Vec::new();
    for account in accounts {
        keys.push(ban_key(repository, BanKind::Person, &account.0).await?);
    }
    let reads: Vec<StoreQuery> =
        keys.iter().map(|it| StoreQuery::value_of(Space::Meta, it.as_str())).collect();
    for (key, answer) in keys.into_iter().zip(repository.read_many(&reads).await?) {
        if let Some(bytes) = answer.value()? {
            return Ok(Some((key, bytes)));
        }
    }
    Ok(None)
}

/// The stored ban of a person with these accounts.
///
/// # Errors
/// When the store fails.
pub(crate) async fn ban_of_person(
    repository: &Repository,
    accounts: &[PersonId],
) -> Result<Option<BanRow>, Failure> {
    let accounts: Vec<&PersonId> = accounts.iter().collect();
    let found = find_ban(repository, &accounts).await?;
    Ok(found.map(|(_, bytes)| serde_json::from_slice(&bytes).unwrap_or_default()))
}

/// Adds to the commit that begins the deletion of these accounts of one person that each of them is
/// banned, if one is: afterwards nothing shows that they belong together.
///
/// # Errors
/// When the store fails.
pub(crate) async fn ban_all_accounts(
    repository: &Repository,
    accounts: &[&PersonId],
    commit: &mut Commit,
) -> Result<(), Failure> {
    if accounts.len() < 2 {
        return Ok(());
    }
    // Read first: a ban that is added meanwhile changes the row.
    let (row, mut switches) = read_switches(repository).await?;
    let Some((found, bytes)) = find_ban(repository, accounts).await? else {
        row.require_unchanged(commit);
        return Ok(());
    };
    let ban: BanRow = serde_json::from_slice(&bytes).unwrap_or_default();
    let anonymous = ban.without_identity();
    for account in accounts {
        let key = ban_key(repository, BanKind::Person, &account.0).await?;
        if repository.read_value(Space::Meta, &key).await?.is_none() {
            commit.expect.push(Expect::absent(Space::Meta, key.clone()));
            commit.puts.push(put_json(Space::Meta, key, &anonymous));
        }
    }
    // If the ban ends meanwhile, the others must not stay banned.
    commit.expect.push(Expect::equals(Space::Meta, found, bytes));
    switches.has_bans = true;
    switches.bans_so_far += 1;
    row.set(&OptionalRow(Some(switches)), commit);
    Ok(())
}

impl OperatorCommands {
    /// Returns what a ban does to an update of this person in this chat, and records that the
    /// person has been notified.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn apply_ban(
        &self,
        accounts: &[&PersonId],
        chat: &ChatId,
        parents: &ParentChats,
    ) -> Result<BanEffect, Failure> {
        if self.is_operator(accounts.iter().copied()) {
            return Ok(BanEffect::None);
        }
        if is_chat_banned(&self.repository, chat, parents).await? {
            return Ok(BanEffect::Ignore);
        }
        let Some((key, bytes)) = find_ban(&self.repository, accounts).await? else {
            return Ok(BanEffect::None);
        };
        let row: BanRow = serde_json::from_slice(&bytes).unwrap_or_default();
        if row.is_notified {
            return Ok(BanEffect::Ignore);
        }
        let notified = put_json(Space::Meta, key.clone(), &BanRow { is_notified: true, ..row });
        let commit = Commit {
            expect: vec![Expect::equals(Space::Meta, key, bytes)],
            ..Commit::from_puts(vec![notified])
        };
        // Of two updates at the same moment only one is answered.
        Ok(match self.repository.commit_rows(commit).await? {
            CommitOutcome::Committed => BanEffect::Refuse,
            CommitOutcome::Conflict => BanEffect::Ignore,
        })
    }

    /// Bans a person or a chat.
    pub(super) async fn ban(
        &self,
        target: &BanTarget,
        reason: &str,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let BanTarget { kind, id } = target;
        if id.starts_with(TAG_MARK) {
            return Ok(AdminReply::refusal("the id is missing; it looks like telegram:123"));
        }
        let accounts: Vec<PersonId> =
            self.ids_of(target).await?.into_iter().map(PersonId).collect();
        if *kind == BanKind::Person && self.is_operator(&accounts) {
            return Ok(AdminReply::refusal(
                "an operator cannot be banned: take them out of HOSTS first",
            ));
        }
        if !self.ban_keys(target).await?.is_empty() {
            // A ban of an earlier program has closed no access, or the program has stopped since.
            self.store_ban(target, None, Vec::new()).await?;
            self.close_banned_chats(target).await?;
            return Ok(AdminReply::line(format!("{} {id} is banned already", kind.name())));
        }
        let is_known = match self.known_id(target).await? {
            KnownId::Itself => true,
            KnownId::None => false,
            KnownId::Others(ids) => {
                let why = format!("no chat {id} is known here; there are {}", ids.join(", "));
                return Ok(AdminReply::refusal(why));
            }
        };
        let row = BanRow {
            at_ms: self.repository.now_ms(),
            id: Some(id.clone()),
            reason: reason.to_owned(),
            is_notified: false,
        };
        let action = format!("ban {}", kind.name());
        let audit = audit_put(&self.repository, actor, (&action, id), reason);
        let effect = match kind {
            BanKind::Person => {
                "their commands are refused once, then left unanswered; at their tables they have \
                 left"
            }
            BanKind::Chat => {
                "it gets no answers any more; its games are kept, and clocks stop of those who \
                 play only there"
            }
        };
        self.store_ban(target, Some(row), vec![audit]).await?;
        self.close_banned_chats(target).await?;
        let mut done = format!("{} {id} is banned: {effect}", kind.name());
        if !is_known {
            done.push_str(&format!(
                ". No such {} is known here: it is banned in advance",
                kind.name()
            ));
        }
        Ok(AdminReply::line(done))
    }

    /// Whether this person or chat, as an operator names it, is banned.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_banned(&self, target: &BanTarget) -> Result<bool, Failure> {
        Ok(!self.ban_keys(target).await?.is_empty())
    }

    /// The chat, or all accounts of the person, whom an operator names.
    async fn ids_of(&self, target: &BanTarget) -> Result<Vec<String>, Failure> {
        if target.kind == BanKind::Chat {
            return Ok(vec![target.id.clone()]);
        }
        let account = PersonId(target.id.clone());
        let linked = self.repository.profiles().all_accounts(&account).await?;
        // A deletion removes the links between accounts before it ends.
        let requests = DeletionRequests::new(&self.repository);
        let deleted = requests.accounts_in_deletion(&account).await?;
        let accounts: BTreeSet<PersonId> = linked.into_iter().chain(deleted).collect();
        Ok(accounts.into_iter().map(|it| it.0).collect())
    }

    /// The keys of the rows that ban this person or chat.
    async fn ban_keys(&self, target: &BanTarget) -> Result<Vec<String>, Failure> {
        if let Some(tag) = target.id.strip_prefix(TAG_MARK) {
            return Ok(self.key_of_tag(target.kind, tag).await?.into_iter().collect());
        }
        let mut found = Vec::new();
        for id in self.ids_of(target).await? {
            let key = ban_key(&self.repository, target.kind, &id).await?;
            if self.repository.read_value(Space::Meta, &key).await?.is_some() {
                found.push(key);
            }
        }
        Ok(found)
    }

    /// Whether the store knows this person or chat, or else chats whose ids begin with this one and
    /// a sign, such as the number of a room.
    pub(super) async fn known_id(&self, target: &BanTarget) -> Result<KnownId, Failure> {
        let space = match target.kind {
            BanKind::Person => Space::Person,
            BanKind::Chat => Space::ChatProfile,
        };
        if self.repository.read_value(space, &target.id).await?.is_some() {
            return Ok(KnownId::Itself);
        }
        if target.kind == BanKind::Person {
            return Ok(KnownId::None);
        }
        let rows = self.repository.read_rows(space, &target.id, SIMILAR_MAX).await?;
        let is_similar = |key: &String| {
            let rest = key.strip_prefix(&target.id);
            rest.is_some_and(|it| it.starts_with(|c: char| !c.is_alphanumeric()))
        };
        let similar: Vec<String> = rows.into_iter().map(|it| it.0).filter(is_similar).collect();
        Ok(if similar.is_empty() { KnownId::None } else { KnownId::Others(similar) })
    }

    /// Writes the rows of a ban. The same commit closes all access of a banned person to their
    /// tables, and withdraws the rematches and seats that they want.
    async fn store_ban(
        &self,
        target: &BanTarget,
        ban: Option<BanRow>,
        puts: Vec<Put>,
    ) -> Result<(), Failure> {
        for _ in 0..BAN_TRIES {
            let (row, mut switches) = read_switches(&self.repository).await?;
            switches.has_bans = true;
            switches.bans_so_far += 1;
            let mut commit = Commit::from_puts(puts.clone());
            row.set(&OptionalRow(Some(switches)), &mut commit);
            if let Some(ban) = &ban {
                self.add_ban_rows(target, ban, &mut commit).await?;
            }
            let left = match target.kind {
                BanKind::Person => self.decide_departures(&PersonId(target.id.clone())).await?,
                BanKind::Chat => Vec::new(),
            };
            let (mut guards, decisions): (Vec<_>, Vec<_>) = left.into_iter().unzip();
            let changes = guards.iter_mut().zip(decisions);
            let changes =
                changes.map(|(guard, decision)| TableChange::new(guard, decision)).collect();
            if self.repository.commit_changes(changes, commit).await? == CommitOutcome::Committed {
                return Ok(());
            }
        }
        let why = "too many conflicting writes to the tables of a banned person".to_owned();
        Err(StoreError::Failed(why).into())
    }

    /// Closes a banned chat, and the chats inside it, to the players of its tables. The ban counts
    /// already, so nobody acts there meanwhile; banning the chat again does what is missing.
    async fn close_banned_chats(&self, target: &BanTarget) -> Result<(), Failure> {
        if target.kind == BanKind::Chat {
            for chat in self.with_chats_inside(&target.id).await? {
                self.repository.chats().close_banned_chat(&chat).await?;
            }
        }
        Ok(())
    }

    /// Lets the players of chats go on whose ban has ended, and those of the chats inside them.
    async fn reopen_unbanned_chats(&self, ids: &[String]) -> Result<(), Failure> {
        for id in ids {
            for chat in self.with_chats_inside(id).await? {
                self.repository.chats().reopen_unbanned_chat(&chat).await?;
            }
        }
        Ok(())
    }

    /// This chat and the chats inside it.
    async fn with_chats_inside(&self, id: &str) -> Result<Vec<ChatId>, Failure> {
        let chat = ChatId(id.to_owned());
        let mut chats = self.chats_inside(&chat).await?;
        chats.push(chat);
        Ok(chats)
    }

    /// Adds the rows of a ban to the commit that stores it: of the chat or account that was named,
    /// or of all accounts of a person whose deletion has begun.
    async fn add_ban_rows(
        &self,
        target: &BanTarget,
        ban: &BanRow,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let BanTarget { kind, id } = target;
        let mut deleted = Vec::new();
        if *kind == BanKind::Person {
            let account = PersonId(id.clone());
            let person = self.repository.profiles().resolve_person(&account).await?;
            // If the deletion begins meanwhile, the next attempt knows all accounts.
            commit.expect.extend(self.repository.deletion_not_begun_condition(&person).await?);
            let requests = DeletionRequests::new(&self.repository);
            deleted = requests.accounts_in_deletion(&account).await?;
        }
        if deleted.is_empty() {
            let key = ban_key(&self.repository, *kind, id).await?;
            commit.puts.push(put_json(Space::Meta, key, ban));
        }
        let anonymous = ban.clone().without_identity();
        for account in deleted {
            let key = ban_key(&self.repository, *kind, &account.0).await?;
            commit.puts.push(put_json(Space::Meta, key, &anonymous));
        }
        Ok(())
    }

    /// Locks the tables where a banned person has or wants a seat or wants a rematch, and decides
    /// that they leave and want it no more. They are locked in the order of their codes, so that
    /// two operators do not wait for each other.
    async fn decide_departures(
        &self,
        account: &PersonId,
    ) -> Result<Vec<(TableGuard, Decision)>, Failure> {
        let person = self.repository.profiles().resolve_person(account).await?;
        let accounts = self.repository.profiles().accounts_of(&person).await?;
        let seated = (Space::PersonTable, format!("{} ", person.0));
        let named = (Space::PersonTable, format!("{} ", keys::named_prefix(&person)));
        let rematches = accounts.iter().map(|it| (Space::Meta, keys::wanted_rematches_prefix(it)));
        let mut tables = BTreeSet::new();
        for (space, prefix) in [seated, named].into_iter().chain(rematches) {
            let rows = self.repository.read_all_rows(space, &prefix).await?;
            tables.extend(rows.iter().map(|(key, _)| TableId(keys::last_part(key).to_owned())));
        }
        let mut left = Vec::new();
        for id in tables {
            let guard = match catch_panic(self.repository.lock_table(&id)).await {
                Some(Ok(Some(guard))) => guard,
                Some(Ok(None)) => continue,
                Some(Err(Failure::Store(error))) => return Err(error.into()),
                Some(Err(failure)) => {
                    tracing::error!(table = id.0, %failure, "failed to record a ban at a table");
                    continue;
                }
                None => {
                    tracing::error!(table = id.0, "failed to record a ban: the code panicked");
                    continue;
                }
            };
            let decision = decide_ban(guard.table(), &accounts, self.repository.now_ms());
            left.extend(decision.map(|it| (guard, it)));
        }
        Ok(left)
    }

    /// Ends the bans of a person, also those that name a linked account, or of a chat.
    pub(super) async fn unban(
        &self,
        target: &BanTarget,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let BanTarget { kind, id } = target;
        let keys = self.ban_keys(target).await?;
        let chats = self.banned_chats(target, &keys).await?;
        if keys.is_empty() {
            // The program may have stopped after the ban had ended.
            self.reopen_unbanned_chats(&chats).await?;
            let hint = match target.is_tag() {
                true => "; to repeat a command that was interrupted, write the id",
                false => "",
            };
            return Ok(AdminReply::refusal(format!("{} {id} is not banned{hint}", kind.name())));
        }
        let action = format!("unban {}", kind.name());
        let audit = audit_put(&self.repository, actor, (&action, id), "");
        let mut puts: Vec<Put> = keys.into_iter().map(|key| remove_row(Space::Meta, key)).collect();
        puts.push(audit);
        self.repository.put_all(puts).await?;
        self.stop_checks_without_bans().await?;
        self.reopen_unbanned_chats(&chats).await?;
        Ok(AdminReply::line(format!("{} {id} is not banned any more", kind.name())))
    }

    /// The ids of the chats whose ban an operator ends; these are the keys of the bans.
    async fn banned_chats(
        &self,
        target: &BanTarget,
        keys: &[String],
    ) -> Result<Vec<String>, Failure> {
        if target.kind == BanKind::Person {
            return Ok(Vec::new());
        }
        if !target.is_tag() {
            return Ok(vec![target.id.clone()]);
        }
        let mut ids = Vec::new();
        for key in keys {
            let value = self.repository.read_value(Space::Meta, key).await?;
            let ban: BanRow = parse_json_or_default(value);
            ids.extend(ban.id);
        }
        Ok(ids)
    }

    /// Lets requests look for bans no more, if this was the last one.
    async fn stop_checks_without_bans(&self) -> Result<(), Failure> {
        // Read before the bans: a ban that is added meanwhile changes the row.
        let (row, mut switches) = read_switches(&self.repository).await?;
        for kind in [BanKind::Person, BanKind::Chat] {
            if !self.repository.read_rows(Space::Meta, kind.prefix(), 1).await?.is_empty() {
                return Ok(());
            }
        }
        switches.has_bans = false;
        let mut commit = Commit::default();
        row.set(&OptionalRow(Some(switches)), &mut commit);
        // If this conflicts, requests keep checking for bans, which costs only a read.
        self.repository.commit_rows(commit).await.map(drop)
    }

    /// The key of a ban that is named by the beginning of its hash.
    async fn key_of_tag(&self, kind: BanKind, tag: &str) -> Result<Option<String>, Failure> {
        let prefix = format!("{}{tag}", kind.prefix());
        let rows = self.repository.read_rows(Space::Meta, &prefix, 2).await?;
        Ok(match rows.as_slice() {
            [(key, _)] if tag.len() >= TAG_CHARS => Some(key.clone()),
            _ => None,
        })
    }

    /// Lists who is banned: a page of people and one of chats. The first page has the number 1.
    pub(super) async fn list_bans(&self, page: usize) -> Result<AdminReply, Failure> {
        let skipped = rows_before(page);
        let mut lines = Vec::new();
        let mut has_more = false;
        for kind in [BanKind::Person, BanKind::Chat] {
            let rows = self.repository.read_all_rows(Space::Meta, kind.prefix()).await?;
            has_more |= rows.len() > skipped.saturating_add(LIST_PAGE_ROWS);
            for (key, value) in rows.into_iter().skip(skipped).take(LIST_PAGE_ROWS) {
                let BanRow { at_ms, id, reason, .. } =
                    serde_json::from_slice(&value).unwrap_or_default();
                let hash = key.strip_prefix(kind.prefix()).unwrap_or_default();
                let tag = || format!("{TAG_MARK}{}", hash.get(..TAG_CHARS).unwrap_or(hash));
                let id = id.unwrap_or_else(tag);
                let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                lines.push(format!("{} {id} since {}{why}", kind.name(), time_text(at_ms)));
            }
        }
        let none = if skipped == 0 { "nobody is banned" } else { "there are no more bans" };
        let next = has_more.then(|| format!("bans {}", page.saturating_add(1)));
        Ok(AdminReply::page(lines, next, none))
    }
}
