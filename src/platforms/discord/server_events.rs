//! Reports what the moderators of a server do to members, threads and messages, so that nobody wins
//! because the opponent cannot act.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serenity::all::{
    Event, Guild, GuildAuditLogEntryCreateEvent, GuildChannel, PartialChannel, Permissions, RoleId,
    Timestamp, UserId,
};
use serenity::model::guild::audit_log::{
    Action, AuditLogEntry, AutoModAction, Change, MemberAction,
};

use super::convert::{DiscordConversation, channel_of_place, possible_places};
use super::event_order::EventTurn;
use super::gateway_events::GatewayHandler;
use super::rest_client::retry_call;
use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{Departure, UpdateKind};

/// How long a request waits for the tables of its channel to be moved.
const ADOPTION_TIMEOUT: Duration = Duration::from_millis(500);

/// What an entry of the audit log says about whether a member can act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Restriction {
    /// Others have removed the member.
    Removed,
    /// The member may only read, until this moment if it is known.
    TimedOut(Option<Timestamp>),
    /// The member may act again.
    Lifted,
}

impl Restriction {
    /// Returns what an entry says; `None` if it says nothing about that.
    fn from_entry(entry: &AuditLogEntry) -> Option<Self> {
        match entry.action {
            Action::Member(MemberAction::Kick | MemberAction::BanAdd) => Some(Self::Removed),
            Action::AutoMod(AutoModAction::UserCommunicationDisabled) => Some(Self::TimedOut(None)),
            Action::Member(MemberAction::Update) => {
                let until = entry.changes.iter().flatten().find_map(|it| match it {
                    Change::CommunicationDisabledUntil { new, .. } => Some(*new),
                    _ => None,
                })?;
                // Discord writes a moment in the past where a timeout is over.
                let until = until.filter(|it| *it > entry.id.created_at());
                Some(until.map_or(Self::Lifted, |it| Self::TimedOut(Some(it))))
            }
            _ => None,
        }
    }
}

/// Whether the bot may see the audit log of a server, by the roles that Discord describes.
fn sees_audit_log(guild: &Guild, me: u64) -> bool {
    let Some(own) = guild.members.get(&UserId::new(me)) else { return true };
    let everyone = RoleId::new(guild.id.get());
    let needed = Permissions::VIEW_AUDIT_LOG | Permissions::ADMINISTRATOR;
    let mut roles = own.roles.iter().chain([&everyone]).filter_map(|it| guild.roles.get(it));
    guild.owner_id.get() == me || roles.any(|it| it.permissions.intersects(needed))
}

/// Whether this is a locked thread.
pub(super) fn is_locked(channel: &GuildChannel) -> bool {
    channel.thread_metadata.is_some_and(|it| it.locked)
}

/// Whether a person with these permissions can act in this thread while others cannot, because it
/// is locked.
pub(super) fn is_locked_for_others(
    channel: Option<&PartialChannel>,
    permissions: Option<Permissions>,
) -> bool {
    let metadata = channel.and_then(|it| it.thread_metadata);
    metadata.is_some_and(|it| it.locked)
        && permissions.is_some_and(|it| {
            it.intersects(Permissions::MANAGE_THREADS | Permissions::ADMINISTRATOR)
        })
}

impl GatewayHandler {
    /// Handles an event about the members, threads or roles of a server.
    pub async fn handle_moderation_event(&self, event: Event) {
        match event {
            // Bots receive bans with one of the permissions View Audit Log and Ban Members, entries
            // of the audit log with the first one. That members join or leave, only bots receive
            // that asked for it.
            Event::GuildBanAdd(event) => {
                let how = Some(Departure::Removed);
                self.handle_member_change(event.guild_id.get(), event.user.id.get(), how).await;
            }
            Event::GuildAuditLogEntryCreate(event) => self.handle_audit_log_entry(&event).await,
            Event::GuildMemberRemove(event) => {
                let how = Some(Departure::Left);
                self.handle_member_change(event.guild_id.get(), event.user.id.get(), how).await;
            }
            Event::GuildMemberAdd(event) => {
                self.handle_member_change(
                    event.member.guild_id.get(),
                    event.member.user.id.get(),
                    None,
                )
                .await;
            }
            Event::ThreadUpdate(event) => self.handle_thread_update(&event.thread).await,
            event => self.remember_roles(&event),
        }
    }

    /// Reports members whom others have kicked, banned or timed out. Departures alone do not say
    /// who caused them, and nothing else reports timeouts.
    async fn handle_audit_log_entry(&self, event: &GuildAuditLogEntryCreateEvent) {
        let entry = &event.entry;
        let Some(user) = entry.target_id.map(|it| it.get()) else { return };
        let guild = event.guild_id.get();
        let removed = Some(Departure::Removed);
        match Restriction::from_entry(entry) {
            None => {}
            Some(Restriction::Removed) => self.handle_member_change(guild, user, removed).await,
            Some(Restriction::Lifted) => self.handle_member_change(guild, user, None).await,
            Some(Restriction::TimedOut(until)) => {
                self.handle_member_change(guild, user, removed).await;
                if let Some(until) = until {
                    self.await_timeout_end(guild, user, entry.id.created_at(), until);
                }
            }
        }
    }

    /// Reports the return of a member when their timeout is over: Discord does not report that. If
    /// the process ends first, the member returns with their next command or press.
    fn await_timeout_end(&self, guild: u64, user: u64, now: Timestamp, until: Timestamp) {
        let left_s = until.unix_timestamp().saturating_sub(now.unix_timestamp());
        let left = Duration::from_secs(u64::try_from(left_s).unwrap_or_default());
        let (inner, handler) = (Arc::clone(&self.inner), Arc::clone(&self.handler));
        let later = GatewayHandler { inner, handler };
        tokio::spawn(async move {
            tokio::time::sleep(left).await;
            later.handle_timeout_end(guild, user, until).await;
        });
    }

    /// Reports the return of a member whose timeout is over, unless they were removed meanwhile or
    /// have got another timeout.
    async fn handle_timeout_end(&self, guild: u64, user: u64, until: Timestamp) {
        let path = format!("/guilds/{guild}/members/{user}");
        let member = match retry_call(|| self.inner.rest.get(&path)).await {
            Ok(member) => member,
            Err(error) => {
                tracing::debug!(guild, %error, "failed to look up a member after a timeout");
                return;
            }
        };
        let now = member["communication_disabled_until"].as_str();
        let now = now.and_then(|it| Timestamp::parse(it).ok());
        if now.is_none_or(|it| it <= until) {
            self.handle_member_change(guild, user, None).await;
        }
    }

    /// Records a changed thread, and reports that it was locked or unlocked: only moderators can
    /// act in a locked thread.
    async fn handle_thread_update(&self, thread: &GuildChannel) {
        let (channel, locks) = (thread.id.get(), is_locked(thread));
        let turn = self.enqueue_for_bot(channel);
        turn.wait_for_turn().await;
        let was_locked = {
            let mut memory = self.inner.memory.lock();
            let was_locked = memory.is_locked(channel);
            memory.remember_channel(thread.guild_id, thread);
            was_locked
        };
        match (was_locked, locks) {
            (false, true) => self.handle_channel_gone(channel, UpdateKind::BotRemoved).await,
            (true, false) => self.handle_bot_return(thread.guild_id.get(), channel).await,
            (true, true) | (false, false) => {}
        }
    }

    /// Records the channels and the roles of a server.
    pub fn remember_server(&self, guild: &Guild) {
        if !sees_audit_log(guild, self.inner.me) {
            let guild = guild.id.get();
            tracing::info!(
                guild,
                "the bot lacks View Audit Log in a server: a player can win there by kicking the \
                 opponent"
            );
        }
        let mut memory = self.inner.memory.lock();
        memory.set_roles(guild.id, guild.owner_id.get(), guild.roles.values());
        for channel in guild.channels.values().chain(&guild.threads) {
            memory.remember_channel(guild.id, channel);
        }
    }

    /// Reports that the bot was removed from a server.
    pub async fn handle_server_removal(&self, guild: u64) {
        let turn = self.enqueue_for_bot(guild);
        turn.wait_for_turn().await;
        self.inner.store_removed(guild).await;
        let channels = self.inner.memory.lock().channels_of(guild);
        for channel in channels {
            self.handle_channel_gone(channel, UpdateKind::BotRemoved).await;
        }
    }

    /// Reports that the bot is back in a server, if it was removed before: in channels with open
    /// tables, whose games go on. Discord describes all servers at every start.
    pub async fn handle_server_return(&self, guild: u64) {
        let turn = self.enqueue_for_bot(guild);
        turn.wait_for_turn().await;
        if !self.inner.was_removed(guild).await {
            return;
        }
        if let Some(reports) = self.handler.chat_reports() {
            let channels = self.inner.memory.lock().channels_of(guild);
            let places = channels.into_iter().map(|it| possible_places(it)[0].clone()).collect();
            for place in reports.chats_with_tables(places).await {
                if let Some((channel, _)) = channel_of_place(&place) {
                    self.handle_bot_return(guild, channel).await;
                }
            }
        }
        self.inner.forget_removed(guild).await;
    }

    /// Adds an event about the bot in a server or thread to the events that wait for their turn.
    fn enqueue_for_bot(&self, place: u64) -> EventTurn {
        let event = self.inner.next_number.fetch_add(1, Ordering::Relaxed);
        self.inner.turns.enqueue(self.inner.me, place, event)
    }

    /// Records deleted messages, and reports those that others have deleted: they may be boards.
    pub async fn handle_deleted_messages(&self, channel: u64, deleted: &[u64]) {
        let by_others: Vec<MessageId> = {
            let mut memory = self.inner.memory.lock();
            deleted.iter().for_each(|it| memory.remove_message(channel, *it));
            let by_others = deleted.iter().filter(|it| !memory.is_own_deletion(**it));
            by_others.map(|it| MessageId(it.to_string())).collect()
        };
        if let Some(reports) = self.handler.chat_reports()
            && !by_others.is_empty()
        {
            let [place, _] = possible_places(channel);
            reports.report_deleted_messages(&place, &by_others).await;
        }
    }

    /// Moves what was begun in a channel before its server added the bot: until then people used
    /// the bot there through their own accounts, and the channel had another id.
    pub async fn adopt_channel(&self, at: DiscordConversation, channel: u64) {
        let is_adopted = match at {
            DiscordConversation::Server(_) => true,
            DiscordConversation::ForeignServer(_) => false,
            DiscordConversation::Direct(_) | DiscordConversation::GroupDirect => return,
        };
        if self.inner.memory.lock().is_adopted(channel) == Some(is_adopted) {
            return;
        }
        // Discord wants an answer soon. A move that is cut off is made at the next request.
        let adopting = self.store_adoption(channel, is_adopted);
        if tokio::time::timeout(ADOPTION_TIMEOUT, adopting).await.is_err() {
            tracing::warn!(channel, "moving the tables of a channel takes long");
        }
    }

    async fn store_adoption(&self, channel: u64, is_adopted: bool) {
        if !is_adopted {
            self.inner.store_adopted(channel, false).await;
        } else if !self.inner.is_adopted(channel).await {
            self.handle_channel_move(channel).await;
            self.inner.store_adopted(channel, true).await;
        }
        self.inner.memory.lock().set_adopted(channel, is_adopted);
    }
}
