//! Stores the state of this Discord: people, guilds, channels, messages, interactions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use super::gateway::Session;
use super::reach::ReceivedContent;
use super::{Call, Failure};

/// Permission bits as Discord numbers them.
pub mod may {
    pub const BAN_MEMBERS: u64 = 1 << 2;
    pub const MANAGE_GUILD: u64 = 1 << 5;
    pub const VIEW_AUDIT_LOG: u64 = 1 << 7;
    pub const VIEW_CHANNEL: u64 = 1 << 10;
    pub const SEND_MESSAGES: u64 = 1 << 11;
    pub const EMBED_LINKS: u64 = 1 << 14;
    pub const ATTACH_FILES: u64 = 1 << 15;
    pub const READ_HISTORY: u64 = 1 << 16;
    pub const MANAGE_THREADS: u64 = 1 << 34;
    pub const SEND_IN_THREADS: u64 = 1 << 38;
    pub const USE_EXTERNAL_APPS: u64 = 1 << 50;
    /// The usual permissions of an invited game bot.
    pub const USUAL: u64 =
        VIEW_CHANNEL | SEND_MESSAGES | EMBED_LINKS | ATTACH_FILES | READ_HISTORY | SEND_IN_THREADS;
    /// The usual permissions of a person.
    pub const PERSON: u64 = USUAL | USE_EXTERNAL_APPS;
}

/// Message flags as Discord numbers them.
pub mod flag {
    pub const EPHEMERAL: u64 = 1 << 6;
    pub const LOADING: u64 = 1 << 7;
    pub const SILENT: u64 = 1 << 12;
}

/// The rate limit of a bucket: the number of requests and the window.
#[derive(Clone, Copy)]
pub struct Limit {
    pub requests: u32,
    pub window_ms: u64,
}

pub struct World {
    /// Milliseconds since 1970; changes only by the test.
    pub now_ms: u64,
    pub serial: u64,
    pub token: String,
    pub app: u64,
    pub bot: u64,
    pub users: BTreeMap<u64, UserRec>,
    pub guilds: BTreeMap<u64, GuildRec>,
    pub channels: BTreeMap<u64, ChannelRec>,
    /// Threads in which only moderators may act.
    pub locked: BTreeSet<u64>,
    /// Until when members of a guild may only read, by guild and user, in milliseconds since 1970.
    pub timeouts: BTreeMap<(u64, u64), u64>,
    /// The audit logs of all guilds, the oldest entry first.
    pub audit_log: Vec<(u64, Value)>,
    pub messages: BTreeMap<u64, MessageRec>,
    pub commands: Vec<Value>,
    pub interactions: BTreeMap<u64, InteractionRec>,
    pub sessions: Vec<Session>,
    pub calls: Vec<Call>,
    pub violations: Vec<String>,
    /// Everything that people could see.
    pub reached: Vec<ReceivedContent>,
    pub failures: VecDeque<Failure>,
    pub limit: Limit,
    pub buckets: BTreeMap<String, (u64, u32)>,
    /// Whether a planned failure has happened, so that a repeated request is allowed.
    pub answers_were_lost: bool,
    /// Whether every event is sent twice.
    pub duplicates: bool,
    pub gateway_url: String,
    /// Whether the developer portal allows the members intent.
    pub tells_members: bool,
    /// How often the bot may still connect to the gateway today.
    pub starts_left: u32,
    /// How often the gateway rejected the intents.
    pub intents_refused: u32,
    /// The error for direct messages to a person: code and text.
    pub unreachable: BTreeMap<u64, (u32, &'static str)>,
    /// The OAuth grants of people.
    pub grants: super::oauth::Grants,
    /// The address to which interactions are posted, if any.
    pub signing: Option<super::signed::Signing>,
}

pub struct UserRec {
    pub name: String,
    pub global_name: Option<String>,
    pub locale: String,
    pub bot: bool,
}

pub struct GuildRec {
    pub name: String,
    pub locale: String,
    pub owner: u64,
    pub bot_in: bool,
    /// The permissions of the bot in the whole guild.
    pub bot_may: u64,
    pub members: BTreeMap<u64, MemberRec>,
}

pub struct MemberRec {
    pub nick: Option<String>,
    pub permissions: u64,
}

pub enum ChannelKind {
    Text {
        guild: u64,
    },
    Thread {
        guild: u64,
        parent: u64,
    },
    Dm {
        user: u64,
    },
    /// A group conversation of people, without the bot.
    Among {
        users: Vec<u64>,
    },
}

pub struct ChannelRec {
    pub kind: ChannelKind,
    pub name: String,
    pub bot_may: u64,
}

#[derive(Clone)]
pub struct MessageRec {
    pub id: u64,
    pub channel: u64,
    pub author: u64,
    pub content: String,
    pub attachments: Vec<AttachmentRec>,
    pub components: Value,
    pub flags: u64,
    /// The only reader, if it is ephemeral.
    pub only_for: Option<u64>,
    pub reference: Option<u64>,
    /// Whether it mentions the author of the message that it replies to.
    pub mentions_answered: bool,
    pub nonce: Option<Value>,
    /// The people whom it notified.
    pub pinged: Vec<u64>,
    pub interaction: Option<u64>,
    pub edits: u32,
}

#[derive(Clone, Debug)]
pub struct AttachmentRec {
    pub id: u64,
    pub name: String,
    pub description: Option<String>,
    pub kind: String,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InteractionKind {
    Slash = 2,
    Press = 3,
    Autocomplete = 4,
}

pub struct InteractionRec {
    pub id: u64,
    pub token: String,
    pub kind: InteractionKind,
    pub user: u64,
    pub channel: u64,
    pub created_ms: u64,
    /// Type of the first response.
    pub answered: Option<u64>,
    /// The message that `@original` means.
    pub original: Option<u64>,
    /// The message whose button was pressed.
    pub source: Option<u64>,
    /// The choices of an autocompletion.
    pub choices: Option<Value>,
}

impl World {
    pub fn new() -> Self {
        let (app, bot) = (100_000_000_000_000_001, 100_000_000_000_000_002);
        let robot = UserRec {
            name: "caravanserai".to_owned(),
            global_name: None,
            locale: "en-US".to_owned(),
            bot: true,
        };
        World {
            now_ms: 1_790_000_000_000,
            serial: 0,
            token: "test.token.of-the-fake".to_owned(),
            app,
            bot,
            users: BTreeMap::from([(bot, robot)]),
            guilds: BTreeMap::new(),
            channels: BTreeMap::new(),
            locked: BTreeSet::new(),
            timeouts: BTreeMap::new(),
            messages: BTreeMap::new(),
            commands: Vec::new(),
            interactions: BTreeMap::new(),
            sessions: Vec::new(),
            calls: Vec::new(),
            violations: Vec::new(),
            reached: Vec::new(),
            failures: VecDeque::new(),
            limit: Limit { requests: u32::MAX, window_ms: 1000 },
            buckets: BTreeMap::new(),
            answers_were_lost: false,
            duplicates: false,
            gateway_url: String::new(),
            tells_members: false,
            starts_left: 999,
            intents_refused: 0,
            unreachable: BTreeMap::new(),
            audit_log: Vec::new(),
            grants: super::oauth::Grants::default(),
            signing: None,
        }
    }

    /// A new snowflake, made from the time and always increasing.
    pub fn id(&mut self) -> u64 {
        self.serial += 1;
        ((self.now_ms - 1_420_070_400_000) << 22) + self.serial
    }

    pub fn guild_of(&self, channel: u64) -> Option<u64> {
        match self.channels.get(&channel)?.kind {
            ChannelKind::Text { guild } | ChannelKind::Thread { guild, .. } => Some(guild),
            ChannelKind::Dm { .. } | ChannelKind::Among { .. } => None,
        }
    }

    /// Whether the bot is not a member there: people who have installed it for themselves may still
    /// use it, and it gets no other events.
    pub fn is_foreign(&self, channel: u64) -> bool {
        let among = matches!(self.channels[&channel].kind, ChannelKind::Among { .. });
        among || self.guild_of(channel).is_some_and(|it| !self.guilds[&it].bot_in)
    }

    /// Whether only the sender sees what the bot answers there: the guild has not installed it and
    /// does not let the sender use external apps.
    pub fn hides_answers(&self, channel: u64, user: u64) -> bool {
        let Some(guild) = self.guild_of(channel).and_then(|it| self.guilds.get(&it)) else {
            return false;
        };
        let member = guild.members.get(&user);
        !guild.bot_in && member.is_none_or(|it| it.permissions & may::USE_EXTERNAL_APPS == 0)
    }

    /// The permissions of the bot in a channel; `None` if it does not know the channel.
    pub fn bot_may(&self, channel: u64) -> Option<u64> {
        let rec = self.channels.get(&channel)?;
        match self.guild_of(channel) {
            None if self.is_foreign(channel) => Some(0),
            Some(guild) if !self.guilds.get(&guild)?.bot_in => Some(0),
            _ => Some(rec.bot_may),
        }
    }

    /// Whether a person can see a channel.
    pub fn sees(&self, user: u64, channel: u64) -> bool {
        match self.channels.get(&channel).map(|it| &it.kind) {
            Some(ChannelKind::Dm { user: owner }) => *owner == user || user == self.bot,
            Some(ChannelKind::Among { users }) => users.contains(&user),
            Some(ChannelKind::Text { guild } | ChannelKind::Thread { guild, .. }) => {
                self.guilds.get(guild).is_some_and(|it| it.members.contains_key(&user))
            }
            None => false,
        }
    }

    pub fn violation(&mut self, words: impl Into<String>) {
        self.violations.push(words.into());
    }

    /// Messages of a channel that a person sees, oldest first.
    pub fn messages_for(&self, user: u64, channel: u64) -> Vec<&MessageRec> {
        let seen =
            |it: &&MessageRec| it.channel == channel && it.only_for.is_none_or(|only| only == user);
        self.messages.values().filter(seen).collect()
    }
}
