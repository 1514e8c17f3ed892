//! Guests: people of a platform who see a table on the web page as themselves. Handles their
//! sign-in, their views and their actions.
//!
//! A *pass* is a code that a person gets in private; it is valid for five minutes. A signed-in
//! guest is identified by the *mark* of a token that only their browser has. Both are stored, so
//! that any process can answer. A pass, and data of a client that proves an identity for some time,
//! belong to the window that presents them first: a copy signs nobody else in, and the window
//! itself may present them again after a lost answer. See
//! [`GuestService`](caravanserai_protocol::guest_service::GuestService).

mod guest_views;
mod page_links;

pub(crate) use guest_views::GuestTables;
pub(crate) use page_links::PageLinks;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::context::{HandlerResult, RequestContext, brief_views};
use super::external_query::find_membership;
use super::request_error::RequestError;
use crate::delivery::Delivery;
use crate::repository::profiles::{ChatProfile, PersonProfile, person_reads};
use crate::repository::row_update::{OptionalRow, TypedRowKey};
use crate::repository::stored_rows::{parse_json_or_default, put_json, remove_row};
use crate::repository::{CommitOutcome, DAY_MS, Failure, HOUR_MS, MINUTE_MS, Repository, keys};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_protocol::guest_service::{
    AuthError, Guest, ReusableProof, SignInMarks, SignInOutcome, SignInProof, VerifiedUser,
};
use caravanserai_protocol::{Person, PersonKind};
use caravanserai_store::{Commit, Expect, Put, Space, StoreQuery};
use caravanserai_table::state::Table;

/// The length of a pass: too long to be guessed during its lifetime (27^20 are 95 bits).
const PASS_LENGTH: usize = 20;
/// The lifetime of a pass, in milliseconds.
const PASS_TTL_MS: u64 = 5 * MINUTE_MS;
/// The lifetime of a session that began with a pass, in milliseconds.
const BROWSER_SESSION_MS: u64 = 30 * DAY_MS;
/// The lifetime of a session in a window of a platform, which identifies the user at each start, in
/// milliseconds.
const WINDOW_SESSION_MS: u64 = 12 * HOUR_MS;
/// How long proof that a person is in a chat is valid, in milliseconds: they may have left since.
const MEMBERSHIP_PROOF_TTL_MS: u64 = 12 * HOUR_MS;
/// The most chats of earlier sign-ins that a session keeps.
const EARLIER_CHATS_MAX: usize = 8;
/// How long a window that a platform opens may take to ask for its table, in milliseconds.
const LAUNCH_TTL_MS: u64 = 10 * MINUTE_MS;

/// How many sessions that began with one proof are kept: the window of the last one may still be
/// waiting for the answer to the one before.
const SESSIONS_OF_PROOF_MAX: usize = 2;
/// How long the answer whether a person is in a chat of a table is believed, in milliseconds.
const MEMBERSHIP_ANSWER_TTL_MS: u64 = MINUTE_MS;
/// How often a sign-in is tried while other requests present the same proof.
const SIGN_IN_TRIES: usize = 3;

/// The stored row of a pass.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SignInPass {
    account: PersonId,
    table: Option<String>,
    /// The chat in which they requested it, if the table is shown there.
    #[serde(rename = "place")]
    chat: Option<ChatId>,
    until_ms: u64,
    /// How often the account had been signed out everywhere before.
    #[serde(default)]
    round: u64,
    /// Its use, if it was used by a window that may present it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    used: Option<ProofUse>,
}

/// The use of a proof, which is the stored row of data that a client has presented.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ProofUse {
    /// The mark of the window that presented it first; empty if it has none.
    window: String,
    /// The marks of the last sessions that began with it, the oldest first.
    #[serde(default)]
    sessions: Vec<String>,
    /// The answer of the platform in which chat of a table its person is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    membership: Option<KnownMembership>,
}

/// The answer of a platform to the question in which chat of a table a person is.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KnownMembership {
    table: String,
    chat: Option<ChatId>,
    at_ms: u64,
}

impl ProofUse {
    fn new(window: Option<&str>) -> Self {
        Self { window: window.unwrap_or_default().to_owned(), ..Self::default() }
    }

    /// Reads a stored row; rows of earlier versions contain the mark of the window only.
    fn decode(row: &[u8]) -> Self {
        serde_json::from_slice(row)
            .unwrap_or_else(|_| Self::new(Some(&String::from_utf8_lossy(row))))
    }

    /// Whether this window presented the proof first. Without a mark nothing shows that a window is
    /// the same one.
    fn belongs_to(&self, window: Option<&str>) -> bool {
        window.is_some_and(|it| it == self.window)
    }

    /// Adds a session that begins with the proof; returns the removal of those that are too old. A
    /// session that continues replaces all others: its window has the answer that began it.
    fn add_session(&mut self, mark: &str) -> Vec<Put> {
        let is_continued = self.sessions.iter().any(|it| it == mark);
        let kept = if is_continued { 0 } else { SESSIONS_OF_PROOF_MAX - 1 };
        self.sessions.retain(|it| it != mark);
        let over = self.sessions.len().saturating_sub(kept);
        let old: Vec<String> = self.sessions.drain(..over).collect();
        self.sessions.push(mark.to_owned());
        old.iter().map(|it| remove_row(Space::Meta, keys::guest_session(it))).collect()
    }
}

/// Data of a client that stays valid, and its use by the window that presents it now.
struct ClaimedProof {
    key: String,
    row: Option<Vec<u8>>,
    used: ProofUse,
    until_ms: u64,
}

impl ClaimedProof {
    /// The commit by which the data belongs to the window whose session with this mark begins.
    fn into_commit(mut self, mark: &str) -> Commit {
        let mut puts = self.used.add_session(mark);
        puts.push(put_json(Space::Meta, self.key.clone(), &self.used).expires_at(self.until_ms));
        let expect = vec![Expect { space: Space::Meta, key: self.key, value: self.row }];
        Commit { expect, ..Commit::from_puts(puts) }
    }
}

/// A proof as far as it can be checked once: a code, or a user whom a platform has verified.
enum CheckedProof<'a> {
    Pass(&'a str),
    User(VerifiedUser),
}

/// The stored session of a signed-in guest.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GuestSession {
    account: PersonId,
    #[serde(rename = "places")]
    chats: Vec<ChatId>,
    /// Until when the chats are valid, in milliseconds since 1970.
    #[serde(rename = "places_until_ms")]
    chats_until_ms: u64,
    /// The chats of earlier sign-ins that this session continues.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    earlier_chats: Vec<ProvenChat>,
    until_ms: u64,
    /// How often the account had been signed out everywhere before.
    round: u64,
}

/// A chat in which the person was when they signed in.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ProvenChat {
    chat: ChatId,
    /// Until when that counts, in milliseconds since 1970.
    until_ms: u64,
}

impl GuestSession {
    /// The chats in which the person counts as a member now, those of the last sign-in first.
    fn proven_chats(&self, now_ms: u64) -> Vec<ProvenChat> {
        let until_ms = self.chats_until_ms;
        let last = self.chats.iter().map(|it| ProvenChat { chat: it.clone(), until_ms });
        let all = last.chain(self.earlier_chats.iter().cloned());
        all.filter(|it| now_ms < it.until_ms).collect()
    }
}

/// The table and the chat for a window that a platform opens.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct WindowLaunch {
    table: Option<String>,
    #[serde(rename = "place")]
    chat: ChatId,
}

/// A person whose identity is proven.
struct ProvenSignIn {
    account: PersonId,
    table: Option<String>,
    chats: Vec<ChatId>,
    key: Option<String>,
    lasts_ms: u64,
    /// How often the account had been signed out everywhere before, if the proof was made earlier.
    round: Option<u64>,
    /// The mark of the session.
    mark: String,
    /// The chats of the sign-ins that this one continues.
    earlier_chats: Vec<ProvenChat>,
    /// The conditions and writes of the sign-in.
    commit: Commit,
}

/// A session that a sign-in continues.
struct ContinuedSession {
    /// Holds as long as nobody has signed out.
    condition: Expect,
    /// The chats in which its person counts as a member.
    chats: Vec<ProvenChat>,
}

/// The chats of an account's platform that show a table to all members.
fn open_member_chats(table: &Table, account: &PersonId) -> Vec<ChatId> {
    let open = table.chats.locations().filter(|it| it.reader.is_none()).map(|it| it.chat);
    open.filter(|it| it.platform() == account.platform()).cloned().collect()
}

/// How often an account was signed out everywhere.
async fn read_sign_out_count(repository: &Repository, account: &PersonId) -> Result<u64, Failure> {
    let key = keys::sign_out_count(account);
    Ok(parse_json_or_default(repository.read_value(Space::Meta, &key).await?))
}

/// Signs guests in and out, and finds who is signed in.
pub(crate) struct GuestSessions {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
}

impl GuestSessions {
    pub(crate) fn new(repository: Arc<Repository>, delivery: Arc<Delivery>) -> Self {
        Self { repository, delivery }
    }

    /// Ends all sessions of the person, for all their accounts.
    pub(crate) async fn sign_out_everywhere(&self, context: &RequestContext<'_>) -> HandlerResult {
        let person_ids = std::iter::once(&context.update.person.id);
        for account in person_ids.chain(&context.person.accounts) {
            let rounds: TypedRowKey<OptionalRow<u64>> =
                TypedRowKey::optional_row(keys::sign_out_count(account));
            let next = |it: &mut OptionalRow<u64>| it.0 = Some(it.0.unwrap_or_default() + 1);
            self.repository.update_row(rounds, next).await?;
        }
        Ok(brief_views("answer-page-off"))
    }

    /// Signs a person in, who is identified by one of these marks from then on.
    ///
    /// # Errors
    /// When the proof does not count, or the store fails.
    pub(crate) async fn sign_in(
        &self,
        proof: &SignInProof,
        marks: SignInMarks<'_>,
    ) -> Result<SignInOutcome, RequestError<AuthError>> {
        let (checked, window) = match proof {
            SignInProof::Code { code, window } => (CheckedProof::Pass(code), window),
            SignInProof::Client { platform, data, instance, window } => {
                let verified = self.delivery.verify_user(platform, data, instance.as_deref()).await;
                (CheckedProof::User(verified.map_err(RequestError::Refused)?), window)
            }
        };
        for _ in 0..SIGN_IN_TRIES {
            let proven = match &checked {
                CheckedProof::Pass(code) => {
                    self.verify_pass(code, window.as_deref(), marks).await?
                }
                CheckedProof::User(user) => {
                    self.verify_client(user.clone(), window.as_deref(), marks.new).await?
                }
            };
            let is_continued = proven.mark != marks.new;
            if let Some(entered) = self.begin_session(proven).await? {
                return Ok(SignInOutcome { is_continued, ..entered });
            }
        }
        Err(RequestError::Refused(AuthError::Unreachable))
    }

    /// Begins the session of a person whose identity is proven, or continues it; `None` if another
    /// sign-in has used the same proof meanwhile.
    async fn begin_session(
        &self,
        proven: ProvenSignIn,
    ) -> Result<Option<SignInOutcome>, RequestError<AuthError>> {
        let round = read_sign_out_count(&self.repository, &proven.account).await?;
        if proven.round.is_some_and(|it| it != round) {
            return Err(RequestError::Refused(AuthError::Expired));
        }
        let ProvenSignIn { account, table, chats, key, lasts_ms, mark, .. } = proven;
        let (mut earlier_chats, mut commit) = (proven.earlier_chats, proven.commit);
        earlier_chats.retain(|it| !chats.contains(&it.chat));
        earlier_chats.truncate(EARLIER_CHATS_MAX);
        let person = self.repository.profiles().resolve_person(&account).await?;
        let Some(condition) = self.repository.deletion_not_begun_condition(&person).await? else {
            return Err(RequestError::Refused(AuthError::Unreachable));
        };
        commit.expect.push(condition);
        let now_ms = self.repository.now_ms();
        let session = GuestSession {
            account,
            chats,
            chats_until_ms: now_ms + MEMBERSHIP_PROOF_TTL_MS,
            earlier_chats,
            until_ms: now_ms + lasts_ms,
            round,
        };
        commit.puts.push(
            put_json(Space::Meta, keys::guest_session(&mark), &session)
                .expires_at(session.until_ms),
        );
        if self.repository.commit_rows(commit).await? == CommitOutcome::Conflict {
            return Ok(None);
        }
        let guest = self.find_guest(&mark).await?;
        let entered = guest.map(|guest| SignInOutcome {
            is_continued: false,
            guest,
            lifetime_ms: lasts_ms,
            table,
            platform_token: key,
        });
        entered.map(Some).ok_or(RequestError::Refused(AuthError::Expired))
    }

    /// Checks a pass for a session with one of these marks. The window that used it may use it
    /// again as long as its session lasts.
    async fn verify_pass(
        &self,
        code: &str,
        window: Option<&str>,
        marks: SignInMarks<'_>,
    ) -> Result<ProvenSignIn, RequestError<AuthError>> {
        let forged = || RequestError::Refused(AuthError::Forged);
        let key = keys::sign_in_pass(code);
        let row = self.repository.read_value(Space::Meta, &key).await?.ok_or_else(forged)?;
        let pass = serde_json::from_slice::<SignInPass>(&row).map_err(|_| forged())?;
        if pass.until_ms <= self.repository.now_ms() {
            return Err(RequestError::Refused(AuthError::Expired));
        }
        let mut used = match pass.used.clone() {
            None => ProofUse::new(window),
            Some(used) if used.belongs_to(window) && self.is_in_session(&used).await? => used,
            Some(_) => return Err(forged()),
        };
        let continued = self.session_to_continue(&pass.account, marks).await?;
        let mark = if continued.is_some() { marks.current } else { None }.unwrap_or(marks.new);
        let mut puts = used.add_session(mark);
        puts.push(match window {
            Some(_) => {
                let pass = SignInPass { used: Some(used), ..pass.clone() };
                put_json(Space::Meta, key.clone(), &pass).expires_at(pass.until_ms)
            }
            None => remove_row(Space::Meta, key.clone()),
        });
        let mut expect = vec![Expect::equals(Space::Meta, key, row)];
        let mut earlier_chats = Vec::new();
        if let Some(ContinuedSession { condition, chats }) = continued {
            expect.push(condition);
            earlier_chats = chats;
        }
        Ok(ProvenSignIn {
            account: pass.account,
            table: pass.table,
            chats: pass.chat.into_iter().collect(),
            key: None,
            lasts_ms: BROWSER_SESSION_MS,
            round: Some(pass.round),
            mark: mark.to_owned(),
            earlier_chats,
            commit: Commit { expect, ..Commit::from_puts(puts) },
        })
    }

    /// The current session, if a sign-in of this account continues it: tables that other tabs show
    /// stay open to them.
    async fn session_to_continue(
        &self,
        account: &PersonId,
        marks: SignInMarks<'_>,
    ) -> Result<Option<ContinuedSession>, Failure> {
        let Some(mark) = marks.current else { return Ok(None) };
        let key = keys::guest_session(mark);
        let row = self.repository.read_value(Space::Meta, &key).await?;
        let guest = self.find_guest(mark).await?;
        let is_same = guest.is_some_and(|it| it.account.id == *account);
        Ok(row.filter(|_| is_same).map(|row| {
            let session = serde_json::from_slice::<GuestSession>(&row).ok();
            let now_ms = self.repository.now_ms();
            let chats = session.map(|it| it.proven_chats(now_ms)).unwrap_or_default();
            ContinuedSession { condition: Expect::equals(Space::Meta, key, row), chats }
        }))
    }

    /// Whether the last session that began with a proof has not ended.
    async fn is_in_session(&self, used: &ProofUse) -> Result<bool, Failure> {
        let Some(mark) = used.sessions.last() else { return Ok(false) };
        let row = self.repository.read_value(Space::Meta, &keys::guest_session(mark)).await?;
        Ok(row.is_some())
    }

    /// Handles a user that a platform has verified for this window and the session with this mark.
    /// The table is named by them or by the launch button that they pressed last.
    async fn verify_client(
        &self,
        user: VerifiedUser,
        window: Option<&str>,
        mark: &str,
    ) -> Result<ProvenSignIn, RequestError<AuthError>> {
        let VerifiedUser { person, mut table, mut chats, platform_token: key, reusable_proof } =
            user;
        let mut claimed = match reusable_proof {
            Some(proof) => {
                let claimed = self.claim_proof(&proof, window).await?;
                Some(claimed.ok_or(RequestError::Refused(AuthError::Forged))?)
            }
            None => None,
        };
        let launched =
            self.repository.read_value(Space::Meta, &keys::window_launch(&person.id)).await?;
        let launched = launched.and_then(|it| serde_json::from_slice::<WindowLaunch>(&it).ok());
        if let Some(launch) = launched {
            table = table.or(launch.table);
            chats.push(launch.chat);
        }
        if let Some(id) = table.clone().map(|it| TableId(it.to_lowercase())) {
            let used = claimed.as_mut().map(|it| &mut it.used);
            chats.extend(self.confirm_membership(id, &person.id, used).await);
        }
        self.repository.profiles().store_person(&person).await?;
        Ok(ProvenSignIn {
            account: person.id,
            table,
            chats,
            key,
            lasts_ms: WINDOW_SESSION_MS,
            round: None,
            mark: mark.to_owned(),
            earlier_chats: Vec::new(),
            commit: claimed.map(|it| it.into_commit(mark)).unwrap_or_default(),
        })
    }

    /// The chat of a table that a person is in, according to their platform, which is asked at
    /// most once a minute for each proof.
    async fn confirm_membership(
        &self,
        id: TableId,
        person: &PersonId,
        used: Option<&mut ProofUse>,
    ) -> Option<ChatId> {
        let now_ms = self.repository.now_ms();
        let is_fresh = |it: &&KnownMembership| {
            it.table == id.0 && now_ms < it.at_ms + MEMBERSHIP_ANSWER_TTL_MS
        };
        let known = used.as_ref().and_then(|it| it.membership.as_ref()).filter(is_fresh);
        if let Some(known) = known {
            return known.chat.clone();
        }
        let Ok(Some(table)) = self.repository.load_table(&id).await else { return None };
        let chat =
            find_membership(&self.delivery, &open_member_chats(&table, person), person).await;
        if let Some(used) = used {
            used.membership =
                Some(KnownMembership { table: id.0, chat: chat.clone(), at_ms: now_ms });
        }
        chat
    }

    /// Data that stays valid, for the window that presents it; `None` if it belongs to another
    /// one.
    async fn claim_proof(
        &self,
        proof: &ReusableProof,
        window: Option<&str>,
    ) -> Result<Option<ClaimedProof>, Failure> {
        let key = keys::presented_proof(&proof.id);
        let row = self.repository.read_value(Space::Meta, &key).await?;
        let used = match row.as_deref().map(ProofUse::decode) {
            None => ProofUse::new(window),
            Some(used) if used.belongs_to(window) => used,
            Some(_) => return Ok(None),
        };
        let until_ms = self.repository.now_ms() + proof.valid_ms;
        Ok(Some(ClaimedProof { key, row, used, until_ms }))
    }

    /// The guest who is identified by this mark.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn find_guest(&self, mark: &str) -> Result<Option<Guest>, Failure> {
        let row = self.repository.read_value(Space::Meta, &keys::guest_session(mark)).await?;
        let session = row.and_then(|it| serde_json::from_slice::<GuestSession>(&it).ok());
        let now_ms = self.repository.now_ms();
        let Some(session) = session.filter(|it| now_ms < it.until_ms) else { return Ok(None) };
        let chats = session.proven_chats(now_ms).into_iter().map(|it| it.chat).collect();
        let account = session.account;
        let mut reads = vec![StoreQuery::value_of(Space::Meta, keys::sign_out_count(&account))];
        reads.extend(person_reads(&account));
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let round: u64 = parse_json_or_default(next()?);
        if round != session.round {
            return Ok(None);
        }
        let account_profile = PersonProfile::decode_rows(next()?, next()?);
        let person = account_profile.main.clone().unwrap_or_else(|| account.clone());
        let main = if person == account {
            account_profile.clone()
        } else {
            self.repository.profiles().load_person(&person).await?
        };
        let reader = main.display_prefs(&ChatProfile::default());
        let name =
            if account_profile.name.is_empty() { account.0.clone() } else { account_profile.name };
        Ok(Some(Guest {
            account: Person {
                id: account,
                name,
                username: account_profile.username,
                locale: None,
                kind: PersonKind::Human,
                admin: false,
            },
            person,
            chats,
            lang: reader.lang.code().to_owned(),
            theme: reader.theme,
        }))
    }

    /// Ends the session of this mark.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn sign_out(&self, mark: &str) -> Result<(), Failure> {
        self.repository.put_all(vec![remove_row(Space::Meta, keys::guest_session(mark))]).await
    }
}
