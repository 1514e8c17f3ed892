//! Reads the audit log of a server: what moderators did to members while no events arrived, and who
//! has locked a thread.

use serde_json::Value;
use serenity::all::{Timestamp, User};
use serenity::model::guild::audit_log::{Action, AuditLogEntry, Change, MemberAction};

use super::convert::{DiscordConversation, person_of_user};
use super::gateway_events::GatewayHandler;
use super::rest_client::{DiscordCallError, retry_call};
use caravanserai_protocol::{Departure, Person};

/// The field of a member that says until when they are in timeout.
pub(super) const TIMED_OUT_UNTIL: &str = "communication_disabled_until";

/// The moment from which Discord's ids count, in milliseconds since 1970.
const DISCORD_EPOCH_MS: u64 = 1_420_070_400_000;

/// The most entries that Discord returns at once.
const ENTRIES_MAX: usize = 100;

/// The most calls that read entries after an outage.
const PAGES_MAX: usize = 10;

/// Discord's number of the action by which a thread is changed.
const THREAD_UPDATE: u8 = 111;

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
    /// use the bot there.
    pub async fn begin_audit_reading(&self, at: DiscordConversation) {
        let DiscordConversation::Server(guild) = at else { return };
        if self.inner.memory.lock().is_used(guild) {
            return;
        }
        let now_ms = (self.inner.settings.clock)();
        let newest = now_ms.saturating_sub(DISCORD_EPOCH_MS) << 22;
        if self.inner.store_audit_position(guild, newest).await {
            self.inner.memory.lock().set_used(guild);
        }
    }

    /// Reports what moderators did to members since Discord last described this server: it does so
    /// when a gateway session begins, which gets no earlier events. What was reported already is
    /// reported again, which changes nothing. `read_until`: the newest entry that was read then.
    pub async fn report_missed_entries(&self, guild: u64, read_until: u64) {
        let reported = match self.read_entries_after(guild, read_until).await {
            Ok(entries) => {
                let newest = entries.iter().map(|it| it.id.get()).fold(read_until, u64::max);
                self.report_restrictions(guild, entries).await.map(|()| newest)
            }
            Err(error) => Err(error),
        };
        match reported {
            Ok(newest) => self.inner.move_audit_position(guild, newest).await,
            Err(error) => {
                tracing::debug!(guild, %error, "failed to report missed entries of an audit log");
            }
        }
    }

    /// Reads the entries of an audit log that are newer than this one, the newest first.
    async fn read_entries_after(
        &self,
        guild: u64,
        read_until: u64,
    ) -> Result<Vec<AuditLogEntry>, DiscordCallError> {
        let mut entries: Vec<AuditLogEntry> = Vec::new();
        for _ in 0..PAGES_MAX {
            let before = match entries.last() {
                Some(oldest) => format!("&before={}", oldest.id),
                None => String::new(),
            };
            let path = format!("/guilds/{guild}/audit-logs?limit={ENTRIES_MAX}{before}");
            let (mut page, _) = self.read_audit_log(&path).await?;
            page.retain(|it| it.id.get() > read_until);
            let is_last = page.len() < ENTRIES_MAX;
            entries.append(&mut page);
            if is_last {
                break;
            }
        }
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
                self.report_restriction((guild, user), now, None).await;
            }
        }
        Ok(())
    }

    /// Reports a member whom others have kicked, banned or timed out, or who may act again.
    /// `began`: when that happened, if it was reported now.
    pub async fn report_restriction(
        &self,
        (guild, user): (u64, u64),
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
                    self.await_timeout_end((guild, user), began, until);
                }
            }
        }
    }

    /// Returns the moderator who has locked a thread; `None` if the bot may not know that.
    pub async fn find_lock_author(&self, guild: u64, thread: u64) -> Option<Person> {
        let path = format!(
            "/guilds/{guild}/audit-logs?action_type={THREAD_UPDATE}&target_id={thread}&limit=10"
        );
        let (entries, users) = match self.read_audit_log(&path).await {
            Ok(read) => read,
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

    /// Reads a page of the audit log, the newest entry first, and the users that it names. What the
    /// client library cannot parse is left out.
    async fn read_audit_log(
        &self,
        path: &str,
    ) -> Result<(Vec<AuditLogEntry>, Vec<User>), DiscordCallError> {
        let mut log = retry_call(|| self.inner.rest.get(path)).await?;
        let mut list = |field: &str| match log[field].take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        };
        let entries = list("audit_log_entries").into_iter();
        let entries = entries.filter_map(|it| serde_json::from_value(it).ok()).collect();
        let users = list("users").into_iter();
        Ok((entries, users.filter_map(|it| serde_json::from_value(it).ok()).collect()))
    }
}
