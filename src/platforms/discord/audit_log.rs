//! Reads the audit log of a server: what moderators did to members while no events arrived, and who
//! has locked a thread.

use std::cmp::Reverse;

use serde_json::Value;
use serenity::all::{Timestamp, User};
use serenity::model::guild::audit_log::{Action, AuditLogEntry, Change, MemberAction};

use super::convert::{DiscordConversation, person_of_user};
use super::gateway_events::GatewayHandler;
use super::rest_client::{DiscordCallError, retry_call};
use caravanserai_games::time_units::MINUTE_MS;
use caravanserai_protocol::{Departure, Person};

/// The field of a member that says until when they are in timeout.
pub(super) const TIMED_OUT_UNTIL: &str = "communication_disabled_until";

/// The most entries that Discord returns at once.
const ENTRIES_MAX: usize = 100;

/// The most calls that read entries of one action after an outage.
const PAGES_MAX: usize = 10;

/// The most servers whose missed entries are reported at once. Discord describes all servers when a
/// session begins; the calls for players share the limit of the whole bot, 50 in a second.
pub(super) const SERVERS_AT_ONCE: usize = 4;

/// How far the stored position in an audit log may be behind the entries that arrive, in
/// milliseconds.
const POSITION_LAG_MS: u64 = 10 * MINUTE_MS;

/// Discord's numbers of the actions that [`Restriction::from_entry`] understands: a member is
/// kicked, banned or changed.
const MEMBER_ACTIONS: [u8; 3] = [20, 22, 24];

/// Discord's number of the action by which a thread is changed.
const THREAD_UPDATE: u8 = 111;

/// A part of an audit log, the newest entry first.
struct AuditLogPage {
    entries: Vec<AuditLogEntry>,
    /// The users that the entries name.
    users: Vec<User>,
    /// The ids of all entries, also of those that the client library cannot parse.
    ids: Vec<u64>,
}

/// The change of a member's ability to act, as an entry of the audit log reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restriction {
    /// Others have removed the member.
    Removed,
    /// A moderator lets the member only read until this moment.
    TimedOut(Timestamp),
    /// The member may act again.
    Lifted,
}

impl Restriction {
    /// Returns what an entry says; `None` if it says nothing about that. A timeout by AutoMod is an
    /// action of its own and says nothing: the member has caused it by a message, so that it must
    /// not stop their clock.
    pub fn from_entry(entry: &AuditLogEntry) -> Option<Self> {
        match entry.action {
            Action::Member(MemberAction::Kick | MemberAction::BanAdd) => Some(Self::Removed),
            Action::Member(MemberAction::Update) => {
                let until = entry.changes.iter().flatten().find_map(|it| match it {
                    Change::CommunicationDisabledUntil { new, .. } => Some(*new),
                    _ => None,
                })?;
                // Discord writes a moment in the past where a timeout is over.
                let until = until.filter(|it| *it > entry.id.created_at());
                Some(until.map_or(Self::Lifted, Self::TimedOut))
            }
            _ => None,
        }
    }

    /// Returns what remains of it, read later, for a member as Discord describes them now, or for a
    /// user who is no member any more.
    fn remaining(self, member: Option<&Value>) -> Option<Self> {
        match (self, member) {
            (Self::Removed, None) => Some(Self::Removed),
            // They have left by themselves.
            (Self::TimedOut(_) | Self::Lifted, None) => None,
            (Self::TimedOut(until), Some(it)) if !it[TIMED_OUT_UNTIL].is_null() => {
                Some(Self::TimedOut(until))
            }
            (Self::Removed | Self::TimedOut(_) | Self::Lifted, Some(_)) => Some(Self::Lifted),
        }
    }
}

impl GatewayHandler {
    /// Makes the audit log of a server be read from now on whenever the server is described: people
    /// use the bot there. `event`: the id of what a person did there now; ids grow with time.
    pub async fn begin_audit_reading(&self, at: DiscordConversation, event: u64) {
        let DiscordConversation::Server(guild) = at else { return };
        if self.inner.memory.lock().is_used(guild) {
            return;
        }
        if self.inner.store_audit_position(guild, event).await {
            self.inner.memory.lock().set_used(guild);
        }
    }

    /// Reports what moderators did to members since Discord last described this server: it does so
    /// when a gateway session begins, which gets no earlier events. What was reported already is
    /// reported again, which changes nothing. `read_until`: the newest entry that was read then.
    pub async fn report_missed_entries(&self, guild: u64, read_until: u64) {
        let _turn = self.inner.audit_reads.acquire().await;
        let reported = match self.read_entries_after(guild, read_until).await {
            Ok(entries) => {
                let newest = entries.iter().map(|it| it.id.get()).fold(read_until, u64::max);
                self.report_restrictions(guild, entries).await.map(|()| newest)
            }
            Err(error) => Err(error),
        };
        match reported {
            Ok(newest) => {
                self.inner.move_audit_position(guild, newest).await;
                self.inner.memory.lock().set_audit_position(guild, newest);
            }
            Err(error) => {
                tracing::debug!(guild, %error, "failed to report missed entries of an audit log");
            }
        }
    }

    /// Moves the stored position in an audit log, now and then, after an entry has arrived. It
    /// stays so far behind that all entries before it have been reported.
    pub async fn follow_audit_log(&self, guild: u64, entry: u64) {
        let reported = self.inner.memory.lock().follow_audit_log(guild, entry, POSITION_LAG_MS);
        if let Some(reported) = reported {
            self.inner.move_audit_position(guild, reported).await;
        }
    }

    /// Reads the entries of an audit log that are newer than this one, the newest first. If there
    /// are many, only those about members are read.
    async fn read_entries_after(
        &self,
        guild: u64,
        read_until: u64,
    ) -> Result<Vec<AuditLogEntry>, DiscordCallError> {
        let AuditLogPage { mut entries, ids, .. } = self.read_audit_log(guild, "").await?;
        if ids.len() >= ENTRIES_MAX && ids.iter().all(|it| *it > read_until) {
            for action in MEMBER_ACTIONS {
                entries.extend(self.read_action_after(guild, read_until, action).await?);
            }
            entries.sort_by_key(|it| Reverse(it.id));
            entries.dedup_by_key(|it| it.id);
        }
        entries.retain(|it| it.id.get() > read_until);
        Ok(entries)
    }

    /// Reads the newest entries about one action, at least until this one.
    async fn read_action_after(
        &self,
        guild: u64,
        read_until: u64,
        action: u8,
    ) -> Result<Vec<AuditLogEntry>, DiscordCallError> {
        let mut entries = Vec::new();
        let mut before = String::new();
        for _ in 0..PAGES_MAX {
            let query = format!("&action_type={action}{before}");
            let page = self.read_audit_log(guild, &query).await?;
            entries.extend(page.entries);
            match page.ids.last() {
                Some(oldest) if page.ids.len() >= ENTRIES_MAX && *oldest > read_until => {
                    before = format!("&before={oldest}");
                }
                _ => return Ok(entries),
            }
        }
        tracing::warn!(guild, action, "an audit log has too many entries; the oldest are not read");
        Ok(entries)
    }

    /// Reports for each user the newest restriction that these entries name, the newest first, as
    /// far as it is still in force.
    async fn report_restrictions(
        &self,
        guild: u64,
        entries: Vec<AuditLogEntry>,
    ) -> Result<(), DiscordCallError> {
        let mut reported = Vec::new();
        for entry in &entries {
            let (Some(user), Some(then)) =
                (entry.target_id.map(|it| it.get()), Restriction::from_entry(entry))
            else {
                continue;
            };
            if reported.contains(&user) || !self.may_be_known(user).await {
                continue;
            }
            reported.push(user);
            let path = format!("/guilds/{guild}/members/{user}");
            let member = match retry_call(|| self.inner.rest.get(&path)).await {
                Ok(member) => Some(member),
                Err(error) if error.is_person_gone() => None,
                Err(error) => return Err(error),
            };
            if let Some(now) = then.remaining(member.as_ref()) {
                self.report_restriction(guild, user, now, None).await;
            }
        }
        Ok(())
    }

    /// Reports a member whom others have kicked, banned or timed out, or who may act again.
    /// `began`: when that happened, if it was reported now.
    pub async fn report_restriction(
        &self,
        guild: u64,
        user: u64,
        restriction: Restriction,
        began: Option<Timestamp>,
    ) {
        let removed = Some(Departure::Removed);
        match restriction {
            Restriction::Removed => self.handle_member_change(guild, user, removed).await,
            Restriction::Lifted => self.handle_member_change(guild, user, None).await,
            Restriction::TimedOut(until) => {
                self.handle_member_change(guild, user, removed).await;
                if self.may_be_known(user).await {
                    self.inner.store_timeout(guild, user, until).await;
                    self.await_timeout_end(guild, user, began, until);
                }
            }
        }
    }

    /// Returns the moderator who has locked a thread; `None` if the bot may not know that.
    pub async fn find_lock_author(&self, guild: u64, thread: u64) -> Option<Person> {
        let query = format!("&action_type={THREAD_UPDATE}&target_id={thread}");
        let AuditLogPage { entries, users, .. } = match self.read_audit_log(guild, &query).await {
            Ok(page) => page,
            Err(error) => {
                tracing::debug!(guild, %error, "failed to look up who has locked a thread");
                return None;
            }
        };
        let has_locked = |it: &AuditLogEntry| {
            let is_lock =
                |change: &Change| matches!(change, Change::Locked { new: Some(true), .. });
            it.changes.iter().flatten().any(is_lock)
        };
        let entry = entries.iter().find(|it| has_locked(it))?;
        let user = users.iter().find(|it| it.id == entry.user_id)?;
        Some(person_of_user(user, None, None))
    }

    /// Reads a page of the audit log; `query` says which entries. Those that the client library
    /// cannot parse are left out.
    async fn read_audit_log(
        &self,
        guild: u64,
        query: &str,
    ) -> Result<AuditLogPage, DiscordCallError> {
        let path = format!("/guilds/{guild}/audit-logs?limit={ENTRIES_MAX}{query}");
        let mut log = retry_call(|| self.inner.rest.get(&path)).await?;
        let mut list = |field: &str| match log[field].take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        };
        let entries = list("audit_log_entries");
        let id = |it: &Value| it["id"].as_str()?.parse().ok();
        let ids = entries.iter().filter_map(id).collect();
        let entries = entries.into_iter().filter_map(|it| serde_json::from_value(it).ok());
        let users = list("users").into_iter().filter_map(|it| serde_json::from_value(it).ok());
        Ok(AuditLogPage { entries: entries.collect(), users: users.collect(), ids })
    }
}
