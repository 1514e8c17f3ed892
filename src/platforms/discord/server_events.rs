//! Reports how the moderators of a server act on members, threads and messages, so that nobody wins
//! because the opponent cannot act.

use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use serenity::all::{
    Event, Guild, GuildAuditLogEntryCreateEvent, GuildChannel, GuildId, PartialChannel,
    Permissions, Ready, RoleId, Timestamp, UserId,
};

use super::audit_log::{Restriction, TIMED_OUT_UNTIL};
use super::convert::{DiscordConversation, channel_of_chat, is_locked, possible_chats};
use super::event_order::EventTurn;
use super::gateway_events::GatewayHandler;
use super::rest_client::{DiscordCallError, retry_call};
use super::storage::DiscordMark;
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_protocol::{Ack, Departure, UpdateKind};

/// How long a request waits for the tables of its channel to be moved.
const ADOPTION_TIMEOUT: Duration = Duration::from_millis(500);

/// The pause before Discord is asked again about a member whose timeout is over.
const TIMEOUT_RETRY_PAUSE: Duration = Duration::from_secs(60);

/// Whether the bot may see the audit log of a server, by the roles that Discord describes.
fn sees_audit_log(guild: &Guild, me: u64) -> bool {
    let Some(own) = guild.members.get(&UserId::new(me)) else { return true };
    let everyone = RoleId::new(guild.id.get());
    let needed = Permissions::VIEW_AUDIT_LOG | Permissions::ADMINISTRATOR;
    let mut roles = own.roles.iter().chain([&everyone]).filter_map(|it| guild.roles.get(it));
    guild.owner_id.get() == me || roles.any(|it| it.permissions.intersects(needed))
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
            Event::ThreadUpdate(event) => {
                let thread = &event.thread;
                self.handle_described_threads(thread.guild_id, slice::from_ref(thread)).await;
            }
            event => self.remember_roles(&event),
        }
    }

    /// Reports members whom others have kicked, banned or timed out. Departures alone do not say
    /// who caused them, and nothing else reports timeouts.
    async fn handle_audit_log_entry(&self, event: &GuildAuditLogEntryCreateEvent) {
        let (guild, entry) = (event.guild_id.get(), &event.entry);
        if let Some(user) = entry.target_id
            && let Some(restriction) = Restriction::from_entry(entry)
        {
            let began = Some(entry.id.created_at());
            self.report_restriction(guild, user.get(), restriction, began).await;
        }
        self.follow_audit_log(guild, entry.id.get()).await;
    }

    /// Whether the bot may know this user: most members of a server never use it.
    pub async fn may_be_known(&self, user: u64) -> bool {
        match self.handler.chat_reports() {
            Some(reports) => reports.may_be_known(&PersonId(format!("dc:{user}"))).await,
            None => true,
        }
    }

    /// Reports the return of a member when their timeout is over: Discord does not report that.
    /// `began`: when it began, if that was reported now.
    pub fn await_timeout_end(
        &self,
        guild: u64,
        user: u64,
        began: Option<Timestamp>,
        until: Timestamp,
    ) {
        let timeout = (guild, user, until);
        if !self.inner.timeouts.lock().insert(timeout) {
            return;
        }
        let now = began.unwrap_or_else(Timestamp::now);
        let left_s = until.unix_timestamp().saturating_sub(now.unix_timestamp());
        let left = Duration::from_secs(u64::try_from(left_s).unwrap_or_default());
        let (inner, handler) = (Arc::clone(&self.inner), Arc::clone(&self.handler));
        let later = GatewayHandler { inner, handler };
        tokio::spawn(async move {
            // A moderator may have ended it while no process was running.
            let is_over = began.is_none()
                && later
                    .find_member(guild, user)
                    .await
                    .is_ok_and(|it| it[TIMED_OUT_UNTIL].is_null());
            if !is_over {
                tokio::time::sleep(left).await;
            }
            later.handle_timeout_end(guild, user, until).await;
            later.inner.timeouts.lock().remove(&timeout);
        });
    }

    /// Waits for the ends of timeouts that are stored for this server. An earlier process may have
    /// ended before, or the bot was removed from the server meanwhile.
    pub async fn resume_timeouts(&self, guild: u64) {
        for (user, until) in self.inner.stored_timeouts(guild).await {
            self.await_timeout_end(guild, user, None, until);
        }
    }

    /// Reports the return of a member whose timeout is over, unless they were removed meanwhile or
    /// have got another timeout.
    async fn handle_timeout_end(&self, guild: u64, user: u64, until: Timestamp) {
        match self.find_member(guild, user).await {
            Ok(member) => {
                let now = member[TIMED_OUT_UNTIL].as_str();
                let now = now.and_then(|it| Timestamp::parse(it).ok());
                match now.filter(|it| *it > until) {
                    Some(later) => {
                        // It may have come while no process was running.
                        self.inner.store_timeout(guild, user, later).await;
                        self.await_timeout_end(guild, user, None, later);
                    }
                    None => self.handle_member_change(guild, user, None).await,
                }
            }
            Err(error) if error.is_person_gone() => {}
            Err(error) => {
                // The row stays: the bot may return to the server.
                tracing::debug!(guild, %error, "failed to look up a member after a timeout");
                return;
            }
        }
        self.inner.forget_timeout(guild, user, until).await;
    }

    /// Asks Discord about a member until it answers or refuses.
    async fn find_member(&self, guild: u64, user: u64) -> Result<Value, DiscordCallError> {
        let path = format!("/guilds/{guild}/members/{user}");
        loop {
            match retry_call(|| self.inner.rest.get(&path)).await {
                Err(error) if error.is_transient() => {
                    tracing::debug!(guild, %error, "asking again later about a member");
                    tokio::time::sleep(TIMEOUT_RETRY_PAUSE).await;
                }
                answer => return answer,
            }
        }
    }

    /// Records threads as Discord describes them, and reports those that were locked or unlocked
    /// since they were last described: only moderators can act in a locked thread.
    pub async fn handle_described_threads(&self, guild: GuildId, threads: &[GuildChannel]) {
        let was_locked: Vec<bool> = {
            let mut memory = self.inner.memory.lock();
            threads.iter().map(|it| memory.remember_channel(guild, it)).collect()
        };
        for (thread, was_locked) in threads.iter().zip(was_locked) {
            let _turn = self.wait_for_bot_turn(thread.id.get()).await;
            self.report_lock(guild.get(), thread, was_locked).await;
        }
    }

    /// Reports the threads with tables that were locked or unlocked since their server was last
    /// described. `was_locked`: for each thread of the server whether it was known to be locked.
    pub async fn handle_server_threads(&self, guild: &Guild, was_locked: &[bool]) {
        let Some(reports) = self.handler.chat_reports() else { return };
        let chat = |it: &GuildChannel| possible_chats(it.id.get())[0].clone();
        let chats: Vec<ChatId> = guild.threads.iter().map(chat).collect();
        if chats.is_empty() {
            return;
        }
        let Ok(played) = reports.chats_with_tables(chats).await else { return };
        for (thread, was_locked) in guild.threads.iter().zip(was_locked) {
            if played.contains(&chat(thread)) {
                let _turn = self.wait_for_bot_turn(thread.id.get()).await;
                self.report_lock(guild.id.get(), thread, *was_locked).await;
            }
        }
    }

    /// Reports a thread that was locked or unlocked. `was_locked`: whether it was known to be
    /// locked; what an earlier process has reported is stored.
    async fn report_lock(&self, guild: u64, thread: &GuildChannel, was_locked: bool) {
        let channel = thread.id.get();
        match (was_locked, is_locked(thread)) {
            (false, true) => {
                // Its author may have come back since an earlier process has reported it.
                if self.inner.has_mark(DiscordMark::Locked, channel).await {
                    return;
                }
                // A player who locks it must not stop their own clock by that.
                let author = self.find_lock_author(guild, channel).await;
                if self.handle_channel_lock(channel, author).await.is_confirmed() {
                    self.inner.store_mark(DiscordMark::Locked, channel).await;
                }
            }
            (_, false) if was_locked || self.inner.has_mark(DiscordMark::Locked, channel).await => {
                if self.handle_bot_return(guild, channel).await.is_confirmed() {
                    self.inner.remove_mark(DiscordMark::Locked, channel).await;
                }
            }
            (true, true) | (_, false) => {}
        }
    }

    /// Handles Discord's description of a server, which comes when a session begins, when the bot
    /// is added and when the server has recovered from an outage.
    pub async fn handle_described_server(&self, guild: &Guild) {
        let (id, was_locked) = (guild.id.get(), self.remember_server(guild));
        let read_until = self.inner.audit_position(id).await;
        self.resume_timeouts(id).await;
        self.handle_server_return(id).await;
        self.handle_server_threads(guild, &was_locked).await;
        if !sees_audit_log(guild, self.inner.me) {
            tracing::info!(
                guild = id,
                "the bot lacks View Audit Log in a server: a player can win there by kicking the \
                 opponent"
            );
        } else if let Some(read_until) = read_until {
            self.report_missed_entries(id, read_until).await;
        }
    }

    /// Records the channels and the roles of a server. Returns for each of its threads whether it
    /// was known to be locked until now.
    fn remember_server(&self, guild: &Guild) -> Vec<bool> {
        let mut memory = self.inner.memory.lock();
        memory.forget_audit_position(guild.id.get());
        memory.set_roles(guild.id, guild.owner_id.get(), guild.roles.values());
        for channel in guild.channels.values() {
            memory.remember_channel(guild.id, channel);
        }
        guild.threads.iter().map(|it| memory.remember_channel(guild.id, it)).collect()
    }

    /// Reports the servers that removed the bot since its last gateway session: a new session names
    /// all servers of its shard, and gets no earlier events.
    pub async fn handle_missed_removals(&self, ready: &Ready) {
        let present: BTreeSet<u64> = ready.guilds.iter().map(|it| it.id.get()).collect();
        let shard = ready.shard.map_or((0, 1), |it| (u64::from(it.id.0), u64::from(it.total)));
        // Discord distributes servers among shards by their ids.
        let is_of_shard = |guild: &u64| (guild >> 22) % shard.1.max(1) == shard.0;
        let used = self.inner.used_servers().await;
        for guild in used.difference(&present).copied().filter(is_of_shard) {
            tracing::info!(guild, "a server has removed the bot while it was not connected");
            self.handle_server_removal(guild).await;
        }
    }

    /// Reports that the bot was removed from a server: in the channels that Discord described and
    /// in those that an earlier process has stored.
    pub async fn handle_server_removal(&self, guild: u64) {
        // Before the first wait, during which Discord may describe the server again.
        let mut channels: BTreeSet<u64> =
            self.inner.memory.lock().take_channels(guild).into_iter().collect();
        let _turn = self.wait_for_bot_turn(guild).await;
        self.inner.store_mark(DiscordMark::Removed, guild).await;
        let used = self.inner.used_channels(guild).await;
        channels.extend(&used);
        for channel in channels {
            self.handle_channel_gone(channel, UpdateKind::BotRemoved).await;
        }
        self.inner.forget_used_channels(guild, &used).await;
        // If the bot returns, their next use is stored again.
        let mut memory = self.inner.memory.lock();
        used.iter().for_each(|it| memory.forget_adoption(*it));
    }

    /// Reports that the bot is back in a server, if it was removed before: in channels with open
    /// tables, whose games go on, except for locked threads. Discord describes all servers at every
    /// start. What cannot be read or stored now is handled at the next start.
    pub async fn handle_server_return(&self, guild: u64) {
        let _turn = self.wait_for_bot_turn(guild).await;
        if !self.inner.has_mark(DiscordMark::Removed, guild).await {
            return;
        }
        let mut is_stored = true;
        if let Some(reports) = self.handler.chat_reports() {
            let channels = {
                let memory = self.inner.memory.lock();
                let channels = memory.channels_of(guild).into_iter();
                channels.filter(|it| !memory.is_locked(*it)).collect::<Vec<_>>()
            };
            let chats = channels.into_iter().map(|it| possible_chats(it)[0].clone()).collect();
            let Ok(played) = reports.chats_with_tables(chats).await else { return };
            for chat in played {
                if let Some((channel, _)) = channel_of_chat(&chat) {
                    is_stored &= self.handle_bot_return(guild, channel).await.is_confirmed();
                }
            }
        }
        if is_stored {
            self.inner.remove_mark(DiscordMark::Removed, guild).await;
        }
    }

    /// Waits until all earlier events about the bot in a server or thread are handled. Later ones
    /// wait until the result is dropped.
    async fn wait_for_bot_turn(&self, chat: u64) -> EventTurn {
        let event = self.inner.next_number.fetch_add(1, Ordering::Relaxed);
        let turn = self.inner.turns.enqueue(self.inner.me, chat, event);
        turn.wait_for_turn().await;
        turn
    }

    /// Records deleted messages, and reports those that others have deleted: they may be boards.
    pub async fn handle_deleted_messages(&self, channel: u64, deleted: &[u64]) {
        let (by_others, buttons): (Vec<MessageId>, Vec<(u64, u64)>) = {
            let mut memory = self.inner.memory.lock();
            deleted.iter().for_each(|it| memory.remove_message(channel, *it));
            let buttons = deleted.iter().filter_map(|it| memory.take_reveal_button(*it)).collect();
            let by_others = deleted.iter().filter(|it| !memory.is_own_deletion(**it));
            (by_others.map(|it| MessageId(it.to_string())).collect(), buttons)
        };
        for (reader, channel) in buttons {
            self.inner.forget_open_button(reader, channel).await;
        }
        if let Some(reports) = self.handler.chat_reports()
            && !by_others.is_empty()
        {
            let [chat, _] = possible_chats(channel);
            reports.report_deleted_messages(&chat, &by_others).await;
        }
    }

    /// Moves what was begun in a channel before its server added the bot: until then people used
    /// the bot there through their own accounts, and the channel had another id. Also notes that
    /// people use the bot in the server. `event`: the id of what a person did there now.
    pub async fn adopt_channel(&self, at: DiscordConversation, channel: u64, event: u64) {
        let is_adopted = match at {
            DiscordConversation::Server(_) => true,
            DiscordConversation::ForeignServer(_) => false,
            DiscordConversation::Direct(_) | DiscordConversation::GroupDirect => return,
        };
        if self.inner.memory.lock().is_adopted(channel) == Some(is_adopted) {
            return;
        }
        // Discord wants an answer soon. A move that is cut off is made at the next request.
        let adopting = async {
            self.begin_audit_reading(at, event).await;
            if let DiscordConversation::Server(guild) = at {
                self.inner.store_used_channel(guild, channel).await;
            }
            self.store_adoption(channel, is_adopted).await;
        };
        if tokio::time::timeout(ADOPTION_TIMEOUT, adopting).await.is_err() {
            tracing::warn!(channel, "moving the tables of a channel takes long");
        }
    }

    async fn store_adoption(&self, channel: u64, is_adopted: bool) {
        if !is_adopted {
            self.inner.remove_mark(DiscordMark::Adopted, channel).await;
        } else if !self.inner.has_mark(DiscordMark::Adopted, channel).await {
            if self.handle_channel_move(channel).await == Ack::Redeliver {
                // The next request tries it again.
                return;
            }
            self.inner.store_mark(DiscordMark::Adopted, channel).await;
        }
        self.inner.memory.lock().set_adopted(channel, is_adopted);
    }
}
