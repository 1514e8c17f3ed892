//! Caches facts about channels and users in memory. All of it may be lost, and is learned again.
//! All but the channels of the servers in which the bot is a member is bounded. State that other
//! processes need or that must survive is in [`super::storage`].

use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem;

use quick_cache::unsync::Cache;
use serenity::all::{GuildChannel, GuildId, Role, RoleId};

use caravanserai_games::time_units::DAY_MS;

use super::convert::{has_admin_rights, is_forum, is_locked, is_thread};

/// Messages counted in one channel; a board above more than these is moved down anyway.
const COUNTED_MESSAGES_MAX: usize = 64;
/// The size of most caches.
const ENTRIES_MAX: usize = 8_192;

/// The kind of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChannelHome {
    /// It is in this server.
    Guild(u64),
    /// It is the direct channel of the bot and this user.
    Direct(u64),
    /// It is a conversation among users of which the bot is no member.
    GroupDirect,
}

/// The people who manage a server: messages name the roles of their authors, not their permissions.
struct ServerAdmins {
    owner: u64,
    /// The roles that may manage the server.
    roles: BTreeSet<u64>,
}

/// A channel or thread of a server in which the bot is a member.
#[derive(Clone, Copy, Debug, Default)]
struct ServerChannel {
    guild: u64,
    /// Whether all messages there are in threads: it is a forum or a media channel.
    is_forum: bool,
    /// Whether it is a locked thread.
    is_locked: bool,
}

/// The cache.
pub(super) struct DiscordCache {
    /// The servers that the gateway has described, with their channels and threads. Not bounded:
    /// each of them may have tables whose players must hear what moderators do.
    servers: HashMap<u64, HashSet<u64>>,
    /// The same channels and threads by their ids.
    server_channels: HashMap<u64, ServerChannel>,
    /// The kinds of all other channels.
    homes: Cache<u64, ChannelHome>,
    /// The channel of each thread; `None` for a channel that is no thread.
    threads: Cache<u64, Option<u64>>,
    /// Servers in which people have used the bot since this process began.
    used: Cache<u64, ()>,
    /// Messages that the bot has deleted.
    own_deletions: Cache<u64, ()>,
    /// The stored values of [`DiscordMark::Adopted`](super::storage::DiscordMark::Adopted).
    adopted: Cache<u64, bool>,
    /// The reader and the channel of each message with a reveal button.
    reveal_buttons: Cache<u64, (u64, u64)>,
    recent: Cache<u64, BTreeSet<u64>>,
    seen: Cache<u64, ()>,
    /// Permissions that boards need and the bot lacks in a channel.
    lacking: Cache<u64, Vec<&'static str>>,
    /// The locales of users, from their latest interaction.
    locales: Cache<u64, String>,
    admins: Cache<u64, ServerAdmins>,
    /// The message for which a user last learned that the bot cannot read such replies.
    unreadable: Cache<u64, u64>,
    /// For each server the entry of its audit log to which the stored position can be moved. Only
    /// servers whose missed entries were reported since they were described are in it.
    audit_positions: HashMap<u64, u64>,
}

impl DiscordCache {
    /// Creates an empty cache.
    pub fn new() -> Self {
        DiscordCache {
            servers: HashMap::new(),
            server_channels: HashMap::new(),
            homes: Cache::new(ENTRIES_MAX * 8),
            threads: Cache::new(ENTRIES_MAX * 8),
            used: Cache::new(ENTRIES_MAX),
            own_deletions: Cache::new(ENTRIES_MAX),
            adopted: Cache::new(ENTRIES_MAX),
            reveal_buttons: Cache::new(ENTRIES_MAX),
            recent: Cache::new(ENTRIES_MAX),
            seen: Cache::new(ENTRIES_MAX),
            lacking: Cache::new(ENTRIES_MAX),
            locales: Cache::new(ENTRIES_MAX),
            admins: Cache::new(ENTRIES_MAX * 8),
            unreadable: Cache::new(ENTRIES_MAX),
            audit_positions: HashMap::new(),
        }
    }

    /// Whether this event has not been received before.
    pub fn is_first_delivery(&mut self, event: u64) -> bool {
        let first = self.seen.get(&event).is_none();
        self.seen.insert(event, ());
        first
    }

    /// Records whose replies in which channel wait behind the button of a message.
    pub fn add_reveal_button(&mut self, message: u64, reader: u64, channel: u64) {
        self.reveal_buttons.insert(message, (reader, channel));
    }

    /// Forgets the button of a message; returns its reader and its channel.
    pub fn take_reveal_button(&mut self, message: u64) -> Option<(u64, u64)> {
        self.reveal_buttons.remove(&message).map(|(_, it)| it)
    }

    /// Records the permissions that boards need and the bot lacks in a channel, by Discord's names.
    /// Each interaction contains them.
    pub fn set_missing_permissions(&mut self, channel: u64, rights: Vec<&'static str>) {
        match rights.is_empty() {
            true => drop(self.lacking.remove(&channel)),
            false => self.lacking.insert(channel, rights),
        }
    }

    /// Returns the permissions that were last recorded as missing.
    pub fn missing_permissions(&self, channel: u64) -> Vec<&'static str> {
        self.lacking.get(&channel).cloned().unwrap_or_default()
    }

    /// Records that a user learns that the bot cannot read a message. Returns false if they have
    /// learned it less than a day before.
    pub fn is_explanation_due(&mut self, user: u64, message: u64) -> bool {
        let last = self.unreadable.get(&user);
        let is_due = last.is_none_or(|it| id_ms(message).saturating_sub(id_ms(*it)) >= DAY_MS);
        if is_due {
            self.unreadable.insert(user, message);
        }
        is_due
    }

    /// Records the locale of a user's client.
    pub fn set_locale(&mut self, user: u64, locale: &str) {
        self.locales.insert(user, locale.to_owned());
    }

    /// Returns the locale of a user; empty if it is unknown.
    pub fn locale_of(&self, user: u64) -> String {
        self.locales.get(&user).cloned().unwrap_or_default()
    }

    /// Records the owner and the roles of a server.
    pub fn set_roles<'a>(
        &mut self,
        guild: GuildId,
        owner: u64,
        roles: impl Iterator<Item = &'a Role>,
    ) {
        let roles = roles.filter(|it| has_admin_rights(it.permissions));
        let roles = roles.map(|it| it.id.get()).collect();
        self.admins.insert(guild.get(), ServerAdmins { owner, roles });
    }

    /// Records a new or changed role of a server.
    pub fn set_role(&mut self, role: &Role) {
        if let Some(mut known) = self.admins.get_mut(&role.guild_id.get()) {
            match has_admin_rights(role.permissions) {
                true => known.roles.insert(role.id.get()),
                false => known.roles.remove(&role.id.get()),
            };
        }
    }

    /// Forgets a deleted role of a server.
    pub fn remove_role(&mut self, guild: GuildId, role: RoleId) {
        if let Some(mut known) = self.admins.get_mut(&guild.get()) {
            known.roles.remove(&role.get());
        }
    }

    /// Whether a member with these roles manages a server.
    pub fn is_server_admin(&self, guild: GuildId, user: u64, roles: &[RoleId]) -> bool {
        self.admins.get(&guild.get()).is_some_and(|it| {
            // The role that everybody has is named like the server.
            it.owner == user
                || it.roles.contains(&guild.get())
                || roles.iter().any(|role| it.roles.contains(&role.get()))
        })
    }

    /// Records the kind of a channel.
    pub fn set_home(&mut self, channel: u64, home: ChannelHome) {
        match home {
            // The gateway does not describe private threads without the bot.
            ChannelHome::Guild(guild) if self.servers.contains_key(&guild) => {
                self.server_channel(guild, channel);
            }
            home => self.homes.insert(channel, home),
        }
    }

    /// Returns the kind of a channel, if it is known.
    pub fn home_of(&self, channel: u64) -> Option<ChannelHome> {
        let of_server = self.server_channels.get(&channel);
        let home = of_server.map(|it| ChannelHome::Guild(it.guild));
        home.or_else(|| self.homes.get(&channel).copied())
    }

    /// Returns a channel of a server in which the bot is a member, which is recorded if it is new.
    fn server_channel(&mut self, guild: u64, channel: u64) -> &mut ServerChannel {
        self.servers.entry(guild).or_default().insert(channel);
        let new = ServerChannel { guild, ..ServerChannel::default() };
        self.server_channels.entry(channel).or_insert(new)
    }

    /// Records a channel or thread of a server as the gateway describes it. Returns whether it was
    /// known to be locked until now.
    pub fn remember_channel(&mut self, guild: GuildId, channel: &GuildChannel) -> bool {
        let parent = channel.parent_id.filter(|_| is_thread(channel.kind));
        self.set_thread(channel.id.get(), parent.map(|it| it.get()));
        let known = self.server_channel(guild.get(), channel.id.get());
        known.is_forum = is_forum(channel.kind);
        mem::replace(&mut known.is_locked, is_locked(channel))
    }

    /// Forgets a deleted channel or thread of a server.
    pub fn forget_channel(&mut self, channel: u64) {
        if let Some(known) = self.server_channels.remove(&channel)
            && let Some(channels) = self.servers.get_mut(&known.guild)
        {
            channels.remove(&channel);
        }
    }

    /// Forgets a server that has removed the bot. Returns the channels that were known.
    pub fn take_channels(&mut self, guild: u64) -> HashSet<u64> {
        self.audit_positions.remove(&guild);
        let channels = self.servers.remove(&guild).unwrap_or_default();
        for channel in &channels {
            self.server_channels.remove(channel);
        }
        channels
    }

    /// Whether it is recorded that people use the bot in a server.
    pub fn is_used(&self, guild: u64) -> bool {
        self.used.get(&guild).is_some()
    }

    /// Records that people use the bot in a server.
    pub fn set_used(&mut self, guild: u64) {
        self.used.insert(guild, ());
    }

    /// Records that all entries of an audit log up to this one were reported.
    pub fn set_audit_position(&mut self, guild: u64, newest: u64) {
        self.audit_positions.insert(guild, newest);
    }

    /// Forgets how far an audit log was reported: entries may have been missed.
    pub fn forget_audit_position(&mut self, guild: u64) {
        self.audit_positions.remove(&guild);
    }

    /// Records that an entry of an audit log has arrived. If the last recorded one is older by this
    /// time, returns that one, before which all entries were reported, and records this one.
    pub fn follow_audit_log(&mut self, guild: u64, entry: u64, lag_ms: u64) -> Option<u64> {
        let recorded = self.audit_positions.get_mut(&guild)?;
        let is_due = id_ms(entry).saturating_sub(id_ms(*recorded)) >= lag_ms;
        is_due.then(|| mem::replace(recorded, entry))
    }

    /// Whether this is known to be a channel in which messages can be posted only in threads.
    pub fn has_only_threads(&self, channel: u64) -> bool {
        self.server_channels.get(&channel).is_some_and(|it| it.is_forum)
    }

    /// Whether this is a thread that is known to be locked.
    pub fn is_locked(&self, channel: u64) -> bool {
        self.server_channels.get(&channel).is_some_and(|it| it.is_locked)
    }

    /// Returns whether a channel is stored as adopted, if that is known.
    pub fn is_adopted(&self, channel: u64) -> Option<bool> {
        self.adopted.get(&channel).copied()
    }

    /// Forgets whether a channel was adopted, as if nobody had used the bot there.
    pub fn forget_adoption(&mut self, channel: u64) {
        self.adopted.remove(&channel);
    }

    /// Records whether a channel is stored as adopted.
    pub fn set_adopted(&mut self, channel: u64, is_adopted: bool) {
        self.adopted.insert(channel, is_adopted);
    }

    /// Records the parent channel of a thread, or that this is no thread.
    pub fn set_thread(&mut self, channel: u64, parent: Option<u64>) {
        self.threads.insert(channel, parent);
    }

    /// Returns the parent channel of a thread: `Some(None)` if it is no thread, `None` if that is
    /// unknown.
    pub fn thread_of(&self, channel: u64) -> Option<Option<u64>> {
        self.threads.get(&channel).copied()
    }

    /// Returns the known channels of a server in which the bot is a member.
    pub fn channels_of(&self, guild: u64) -> Vec<u64> {
        self.servers.get(&guild).into_iter().flatten().copied().collect()
    }

    /// Records a message in a channel.
    pub fn add_message(&mut self, channel: u64, message: u64) {
        if self.recent.get(&channel).is_none() {
            self.recent.insert(channel, BTreeSet::new());
        }
        if let Some(mut messages) = self.recent.get_mut(&channel) {
            messages.insert(message);
            if messages.len() > COUNTED_MESSAGES_MAX {
                messages.pop_first();
            }
        }
    }

    /// Records that the bot deletes a message.
    pub fn add_own_deletion(&mut self, message: u64) {
        self.own_deletions.insert(message, ());
    }

    /// Records that the bot has failed to delete a message.
    pub fn remove_own_deletion(&mut self, message: u64) {
        self.own_deletions.remove(&message);
    }

    /// Whether the bot has deleted this message.
    pub fn is_own_deletion(&self, message: u64) -> bool {
        self.own_deletions.get(&message).is_some()
    }

    /// Forgets a deleted message.
    pub fn remove_message(&mut self, channel: u64, message: u64) {
        if let Some(mut messages) = self.recent.get_mut(&channel) {
            messages.remove(&message);
        }
    }

    /// Counts the messages after this one. Discord's ids grow with time.
    pub fn messages_below(&self, channel: u64, message: u64) -> u32 {
        let messages = self.recent.get(&channel);
        let below = messages.map_or(0, |it| it.range(message + 1..).count());
        u32::try_from(below).unwrap_or(u32::MAX)
    }
}

/// Returns when an id was made, in milliseconds since the first one of Discord.
fn id_ms(id: u64) -> u64 {
    id >> 22
}

#[cfg(test)]
mod tests {
    use super::*;
    use serenity::all::{ChannelType, Permissions};

    #[test]
    fn the_admins_of_a_server_follow_from_its_owner_and_its_roles() {
        let (guild, mods) = (GuildId::new(7), RoleId::new(20));
        let role = |id: RoleId, permissions: Permissions| {
            let mut role = Role::default();
            (role.id, role.guild_id, role.permissions) = (id, guild, permissions);
            role
        };
        let mut memory = DiscordCache::new();
        assert!(!memory.is_server_admin(guild, 1, &[mods]), "nothing is known");
        let first =
            [role(RoleId::new(7), Permissions::SEND_MESSAGES), role(mods, Permissions::empty())];
        memory.set_roles(guild, 1, first.iter());
        assert!(memory.is_server_admin(guild, 1, &[]));
        assert!(!memory.is_server_admin(guild, 2, &[mods]));
        memory.set_role(&role(mods, Permissions::MANAGE_GUILD));
        assert!(memory.is_server_admin(guild, 2, &[RoleId::new(21), mods]));
        assert!(!memory.is_server_admin(guild, 2, &[]));
        assert!(!memory.is_server_admin(GuildId::new(8), 2, &[mods]));
        memory.remove_role(guild, mods);
        assert!(!memory.is_server_admin(guild, 2, &[mods]));
        memory.set_role(&role(RoleId::new(7), Permissions::ADMINISTRATOR));
        assert!(memory.is_server_admin(guild, 2, &[]));
    }

    #[test]
    fn all_channels_of_a_server_are_known_until_it_removes_the_bot() {
        let mut memory = DiscordCache::new();
        let (guild, count) = (GuildId::new(7), u64::try_from(ENTRIES_MAX * 8).unwrap() + 1);
        let described = |id: u64, kind: ChannelType| {
            let mut channel: GuildChannel = serde_json::from_value(serde_json::json!({
                "id": id.to_string(), "guild_id": "7", "type": 0, "name": "games",
                "position": 0, "permission_overwrites": [],
            }))
            .unwrap();
            channel.kind = kind;
            channel
        };
        memory.remember_channel(guild, &described(8, ChannelType::Forum));
        for id in 100..100 + count {
            memory.remember_channel(guild, &described(id, ChannelType::Text));
            memory.set_home(1_000_000 + id, ChannelHome::Direct(id));
        }
        assert_eq!(memory.channels_of(7).len() as u64, count + 1);
        assert_eq!(memory.home_of(100), Some(ChannelHome::Guild(7)));
        assert!(memory.has_only_threads(8) && !memory.has_only_threads(100));
        // A private thread, and a channel of a server in which the bot is no member.
        memory.set_home(90, ChannelHome::Guild(7));
        memory.set_home(91, ChannelHome::Guild(9));
        assert_eq!(memory.channels_of(7).len() as u64, count + 2);
        assert_eq!(
            (memory.home_of(91), memory.channels_of(9)),
            (Some(ChannelHome::Guild(9)), vec![])
        );
        memory.forget_channel(8);
        assert_eq!(memory.home_of(8), None);
        assert_eq!(memory.take_channels(7).len() as u64, count + 1);
        assert_eq!((memory.home_of(100), memory.channels_of(7)), (None, vec![]));
    }

    #[test]
    fn the_position_in_an_audit_log_follows_its_entries_after_a_while() {
        let mut memory = DiscordCache::new();
        let entry = |ms: u64| ms << 22;
        assert_eq!(memory.follow_audit_log(7, entry(100), 10), None, "entries may be missed");
        memory.set_audit_position(7, entry(100));
        assert_eq!(memory.follow_audit_log(7, entry(109), 10), None);
        assert_eq!(memory.follow_audit_log(7, entry(90), 10), None);
        assert_eq!(memory.follow_audit_log(7, entry(111), 10), Some(entry(100)));
        assert_eq!(memory.follow_audit_log(7, entry(125), 10), Some(entry(111)));
        memory.forget_audit_position(7);
        assert_eq!(memory.follow_audit_log(7, entry(150), 10), None);
    }
}
