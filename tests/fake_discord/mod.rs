//! Runs a simulated Discord for tests: REST and gateway on loopback ports, with a world behind
//! them.
//!
//! Call [`FakeDiscord::start`], create people and channels, point the bot at
//! [`FakeDiscord::api_url`], let people act ([`Actor`]) and check what they see
//! ([`FakeDiscord::visible_to`]). Requests that the real service would reject, or would only
//! tolerate, are in [`FakeDiscord::violations`]. Time changes only by [`FakeDiscord::advance`].
#![allow(dead_code, reason = "each test uses the part of the service it needs")]

mod actors;
mod commands;
mod gateway;
mod interactions;
mod messages;
pub mod oauth;
mod reach;
mod rest;
mod schema;
mod shapes;
pub mod signed;
mod spec;
mod view;
mod world;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use actors::Actor;
use gateway::intent;
#[allow(unused_imports, reason = "the public interface of this module")]
pub use reach::ReceivedContent;
pub use view::VisibleMessage;
pub use world::may;
use world::{ChannelKind, ChannelRec, GuildRec, Limit, MemberRec, UserRec, World};

/// How long a test waits for an event before it fails; no wait takes that long when everything
/// works.
const PATIENCE: Duration = Duration::from_secs(20);

/// One request of the bot.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: String,
    pub path: String,
    /// The JSON part of the body.
    pub body: Value,
    /// Names of the uploaded files.
    pub files: Vec<String>,
    pub status: u16,
    /// Discord's error code, 0 if there is none.
    pub code: u64,
}

/// A planned failure of the next request whose method and path match (`""` matches all; the path
/// needs only to contain the text).
#[derive(Clone, Debug)]
pub enum Failure {
    Answer {
        method: &'static str,
        path: &'static str,
        status: u16,
    },
    /// Discord rejects the request with one of its codes.
    Refuse {
        method: &'static str,
        path: &'static str,
        code: u32,
    },
    TooMany {
        method: &'static str,
        path: &'static str,
        wait_ms: u64,
    },
    /// The connection is lost; the request has no effect.
    CutBefore {
        method: &'static str,
        path: &'static str,
    },
    /// The request has its effect, and the answer is lost.
    CutAfter {
        method: &'static str,
        path: &'static str,
    },
}

impl Failure {
    fn concerns(&self, with: &str, at: &str) -> bool {
        let (Failure::Answer { method, path, .. }
        | Failure::Refuse { method, path, .. }
        | Failure::TooMany { method, path, .. }
        | Failure::CutBefore { method, path }
        | Failure::CutAfter { method, path }) = self;
        (method.is_empty() || *method == with) && at.contains(path)
    }
}

/// A channel, thread or direct channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The snowflake as text.
    pub id: String,
}

impl Channel {
    fn number(&self) -> u64 {
        self.id.parse().expect("ids are made by this server")
    }
}

/// The state that the servers and the test share.
pub struct Shared {
    world: Mutex<World>,
    changed: watch::Sender<u64>,
}

impl Shared {
    /// Reads or changes the world, then wakes all waiting tasks.
    fn with<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        let out = act(&mut self.world.lock());
        self.changed.send_modify(|it| *it += 1);
        out
    }

    fn look<T>(&self, act: impl FnOnce(&World) -> T) -> T {
        act(&self.world.lock())
    }

    /// Waits until `find` returns a value.
    async fn wait_for<T>(&self, what: &str, mut find: impl FnMut(&World) -> Option<T>) -> T {
        let mut changes = self.changed.subscribe();
        let search = async {
            loop {
                changes.borrow_and_update();
                if let Some(found) = self.look(&mut find) {
                    return found;
                }
                changes.changed().await.expect("the sender lives as long as the world");
            }
        };
        match tokio::time::timeout(PATIENCE, search).await {
            Ok(found) => found,
            Err(_) => {
                let calls = self.look(|world| world.calls.clone());
                panic!("timed out waiting for {what}; the calls were {calls:#?}");
            }
        }
    }
}

/// The servers. They stop when this is dropped.
pub struct FakeDiscord {
    shared: Arc<Shared>,
    api_url: String,
    tasks: Vec<JoinHandle<()>>,
}

impl Drop for FakeDiscord {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl FakeDiscord {
    /// Starts both servers on free ports of the loopback interface.
    pub async fn start() -> Self {
        let rest = TcpListener::bind("127.0.0.1:0").await.expect("loopback has free ports");
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("loopback has free ports");
        let address = |it: &TcpListener| it.local_addr().expect("a bound socket has an address");
        let mut world = World::new();
        world.gateway_url = format!("ws://{}", address(&socket));
        let api_url = format!("http://{}", address(&rest));
        let shared = Arc::new(Shared { world: Mutex::new(world), changed: watch::channel(0).0 });
        let app = axum::Router::new()
            .fallback(rest::handle)
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let tasks = vec![
            tokio::spawn(async move {
                axum::serve(rest, app).await.expect("the server runs until it is aborted")
            }),
            tokio::spawn(gateway::serve(Arc::clone(&shared), socket)),
        ];
        FakeDiscord { shared, api_url, tasks }
    }

    /// The URL that replaces `https://discord.com`.
    pub fn api_url(&self) -> String {
        self.api_url.clone()
    }

    /// The token the bot must know.
    pub fn token(&self) -> String {
        self.shared.look(|world| world.token.clone())
    }

    /// Signals changes: subscribe, check, then wait.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changed.subscribe()
    }

    /// The bot's own user id.
    pub fn bot_id(&self) -> String {
        self.shared.look(|world| world.bot.to_string())
    }

    /// A new person with this account name, whose client speaks English.
    pub fn user(&self, name: &str) -> Actor {
        let id = self.shared.with(|world| {
            let id = world.id();
            let (name, locale) = (name.to_owned(), "en-US".to_owned());
            world.users.insert(id, UserRec { name, global_name: None, locale, bot: false });
            id
        });
        Actor { shared: Arc::clone(&self.shared), id: id.to_string() }
    }

    /// A guild with the bot and these people, with one text channel.
    pub fn channel(&self, name: &str, people: &[&Actor]) -> Channel {
        let id = self.shared.with(|world| {
            let (guild, channel) = (world.id(), world.id());
            let member = || MemberRec { nick: None, permissions: may::PERSON };
            let members = people.iter().map(|it| (it.id.parse().expect("an id"), member()));
            let owner = world.id();
            let (account, locale) = ("owner".to_owned(), "en-US".to_owned());
            let record_of_owner = UserRec { name: account, global_name: None, locale, bot: false };
            world.users.insert(owner, record_of_owner);
            let record = GuildRec {
                name: format!("Guild of {name}"),
                locale: "en-US".to_owned(),
                owner,
                bot_in: true,
                bot_may: may::VIEW_AUDIT_LOG,
                members: members.collect(),
            };
            world.guilds.insert(guild, record);
            let kind = ChannelKind::Text { guild };
            let name = name.to_owned();
            world.channels.insert(channel, ChannelRec { kind, name, bot_may: may::USUAL });
            let event = world.guild_json(guild);
            world.emit("GUILD_CREATE", intent::GUILDS, &event);
            channel
        });
        Channel { id: id.to_string() }
    }

    /// A text channel of a guild that the bot is not in.
    pub fn foreign_channel(&self, name: &str, people: &[&Actor]) -> Channel {
        let channel = self.channel(name, people);
        self.remove_bot(&channel);
        channel
    }

    /// A group conversation of these people, which cannot have bots.
    pub fn among(&self, people: &[&Actor]) -> Channel {
        let users = people.iter().map(|it| it.id.parse().expect("an id")).collect();
        let id = self.shared.with(|world| {
            let (id, kind) = (world.id(), ChannelKind::Among { users });
            let name = "friends".to_owned();
            world.channels.insert(id, ChannelRec { kind, name, bot_may: 0 });
            id
        });
        Channel { id: id.to_string() }
    }

    /// Another text channel in the guild of a channel.
    pub fn channel_beside(&self, channel: &Channel, name: &str) -> Channel {
        let id = self.shared.with(|world| {
            let id = world.id();
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            let (kind, name) = (ChannelKind::Text { guild }, name.to_owned());
            world.channels.insert(id, ChannelRec { kind, name, bot_may: may::USUAL });
            let event = world.channel_json(id);
            world.emit("CHANNEL_CREATE", intent::GUILDS, &event);
            id
        });
        Channel { id: id.to_string() }
    }

    /// A thread below a channel.
    pub fn thread(&self, below: &Channel, name: &str) -> Channel {
        let id = self.shared.with(|world| {
            let id = world.id();
            let guild = world.guild_of(below.number()).expect("direct channels have no threads");
            let kind = ChannelKind::Thread { guild, parent: below.number() };
            let name = name.to_owned();
            world.channels.insert(id, ChannelRec { kind, name, bot_may: may::USUAL });
            let mut event = world.channel_json(id);
            event["newly_created"] = json!(true);
            world.emit("THREAD_CREATE", intent::GUILDS, &event);
            id
        });
        Channel { id: id.to_string() }
    }

    /// The direct channel of a person and the bot.
    pub fn dm(&self, person: &Actor) -> Channel {
        let user = person.id.parse().expect("ids are made by this server");
        Channel { id: self.shared.with(|world| world.dm_with(user)).to_string() }
    }

    /// The id of the guild a channel is in.
    pub fn guild_id(&self, channel: &Channel) -> Option<String> {
        self.shared.look(|world| world.guild_of(channel.number())).map(|it| it.to_string())
    }

    /// Sets the language of the guild of a channel.
    pub fn guild_locale(&self, channel: &Channel, locale: &str) {
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            world.guilds.get_mut(&guild).expect("it was created before").locale = locale.to_owned();
        });
    }

    /// Sets the permissions of the bot in a channel.
    pub fn bot_may(&self, channel: &Channel, permissions: u64) {
        self.shared.with(|world| {
            let record = world.channels.get_mut(&channel.number()).expect("it was created before");
            record.bot_may = permissions;
        });
    }

    /// Removes the bot from the guild of a channel.
    pub fn remove_bot(&self, channel: &Channel) {
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            world.guilds.get_mut(&guild).expect("it was created before").bot_in = false;
            world.emit("GUILD_DELETE", intent::GUILDS, &json!({"id": guild.to_string()}));
        });
    }

    /// Invites the bot into the guild of a channel again.
    pub fn return_bot(&self, channel: &Channel) {
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            world.guilds.get_mut(&guild).expect("it was created before").bot_in = true;
            let event = world.guild_json(guild);
            world.emit("GUILD_CREATE", intent::GUILDS, &event);
        });
    }

    /// A moderator deletes a message.
    pub fn delete(&self, message: &str) {
        let id = message.parse().expect("a message id");
        self.shared.with(|world| world.remove_message(id));
    }

    /// A moderator deletes several messages of a channel at once.
    pub fn purge(&self, channel: &Channel, messages: &[&str]) {
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            for message in messages {
                world.messages.remove(&message.parse().expect("a message id"));
            }
            let event = json!({
                "ids": messages, "channel_id": channel.id, "guild_id": guild.to_string(),
            });
            world.emit("MESSAGE_DELETE_BULK", intent::GUILD_MESSAGES, &event);
        });
    }

    /// Sets the permissions of the bot in the whole guild of a channel; by default it sees the
    /// audit log.
    pub fn bot_may_in_guild(&self, channel: &Channel, permissions: u64) {
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            world.guilds.get_mut(&guild).expect("it was created before").bot_may = permissions;
        });
    }

    /// A person is banned from the guild of a channel. Bots that may not see bans hear nothing.
    pub fn ban(&self, channel: &Channel, who: &Actor) {
        let id = who.id.parse().expect("ids are made by this server");
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            if world.guilds[&guild].bot_may & (may::VIEW_AUDIT_LOG | may::BAN_MEMBERS) != 0 {
                let event = json!({"guild_id": guild.to_string(), "user": world.user_json(id)});
                world.emit("GUILD_BAN_ADD", intent::GUILD_MODERATION, &event);
            }
            world.emit_audit_log_entry(guild, id, 22, &json!([]));
        });
    }

    /// A person is kicked from the guild of a channel.
    pub fn kick(&self, channel: &Channel, who: &Actor) {
        let id = who.id.parse().expect("ids are made by this server");
        self.leaves(channel, who);
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            world.emit_audit_log_entry(guild, id, 20, &json!([]));
        });
    }

    /// A person is kicked from the guild of a channel while the bot receives no events.
    pub fn kick_unseen(&self, channel: &Channel, who: &Actor) {
        let id = who.id.parse().expect("ids are made by this server");
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            let record = world.guilds.get_mut(&guild).expect("it was created before");
            record.members.remove(&id);
            let owner = record.owner;
            world.log_action(guild, (owner, id), 20, &json!([]));
        });
    }

    /// A moderator deletes this number of messages one by one while the bot receives no events.
    pub fn prune_messages_unseen(&self, channel: &Channel, count: usize) {
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            let owner = world.guilds[&guild].owner;
            (0..count).for_each(|_| drop(world.log_action(guild, (owner, owner), 72, &json!([]))));
        });
    }

    /// A moderator puts a person in timeout: for this long they may only read.
    pub fn times_out(&self, channel: &Channel, who: &Actor, time: Duration) {
        let id = who.id.parse().expect("ids are made by this server");
        let ms = u64::try_from(time.as_millis()).expect("the duration fits into 64 bits");
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            let until = world.now_ms + ms;
            world.timeouts.insert((guild, id), until);
            let (key, until) = ("communication_disabled_until", shapes::timestamp(until));
            let changes = json!([{"key": key, "new_value": until}]);
            world.emit_audit_log_entry(guild, id, 24, &changes);
        });
    }

    /// AutoMod puts a person in timeout because of a message of theirs.
    pub fn automod_times_out(&self, channel: &Channel, who: &Actor) {
        let id = who.id.parse().expect("ids are made by this server");
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            world.emit_audit_log_entry(guild, id, 145, &json!([]));
        });
    }

    /// A moderator ends a timeout.
    pub fn ends_timeout(&self, channel: &Channel, who: &Actor) {
        let id = who.id.parse().expect("ids are made by this server");
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            let until = world.timeouts.remove(&(guild, id)).expect("there is a timeout");
            let (key, until) = ("communication_disabled_until", shapes::timestamp(until));
            let changes = json!([{"key": key, "old_value": until}]);
            world.emit_audit_log_entry(guild, id, 24, &changes);
        });
    }

    /// This moderator locks a thread.
    pub fn lock_thread_by(&self, moderator: &Actor, thread: &Channel) {
        let (id, user) = (thread.number(), moderator.id.parse().expect("an id"));
        self.shared.with(|world| {
            let guild = world.guild_of(id).expect("a guild channel");
            let changes = json!([{"key": "locked", "old_value": false, "new_value": true}]);
            world.log_action(guild, (user, id), 111, &changes);
        });
        self.lock_thread(thread, true);
    }

    /// A moderator locks a thread, or unlocks it.
    pub fn lock_thread(&self, thread: &Channel, locked: bool) {
        let id = thread.number();
        self.lock_thread_unseen(thread, locked);
        self.shared.with(|world| {
            let event = world.channel_json(id);
            world.emit("THREAD_UPDATE", intent::GUILDS, &event);
        });
    }

    /// The same while the bot receives no events.
    pub fn lock_thread_unseen(&self, thread: &Channel, locked: bool) {
        let id = thread.number();
        self.shared.with(|world| match locked {
            true => world.locked.insert(id),
            false => world.locked.remove(&id),
        });
    }

    /// Sets how often the bot may still connect to the gateway today.
    pub fn starts_left(&self, times: u32) {
        self.shared.with(|world| world.starts_left = times);
    }

    /// Sets whether the developer portal allows the members intent; it is off by default.
    pub fn tells_members(&self, on: bool) {
        self.shared.with(|world| world.tells_members = on);
    }

    /// How often the gateway rejected the intents.
    pub fn intents_refused(&self) -> u32 {
        self.shared.look(|world| world.intents_refused)
    }

    /// A person leaves the guild of a channel.
    pub fn leaves(&self, channel: &Channel, who: &Actor) {
        let id = who.id.parse().expect("ids are made by this server");
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            world.guilds.get_mut(&guild).expect("it was created before").members.remove(&id);
            let event = json!({"guild_id": guild.to_string(), "user": world.user_json(id)});
            world.emit("GUILD_MEMBER_REMOVE", intent::GUILD_MEMBERS, &event);
        });
    }

    /// A person joins the guild of a channel, for the first time or again.
    pub fn comes(&self, channel: &Channel, who: &Actor) {
        let id = who.id.parse().expect("ids are made by this server");
        self.shared.with(|world| {
            let guild = world.guild_of(channel.number()).expect("a guild channel");
            let member = MemberRec { nick: None, permissions: may::PERSON };
            world.guilds.get_mut(&guild).expect("it was created before").members.insert(id, member);
            let mut event = world.member_json(guild, id);
            event["guild_id"] = json!(guild.to_string());
            event["user"] = world.user_json(id);
            world.emit("GUILD_MEMBER_ADD", intent::GUILD_MEMBERS, &event);
        });
    }

    /// A person deletes their account: Discord no longer knows them.
    pub fn deletes_account(&self, who: &Actor) {
        self.answers_for(who, 10013, "Unknown User");
    }

    /// A person no longer accepts direct messages.
    pub fn shuts_direct(&self, who: &Actor) {
        self.answers_for(who, 50007, "Cannot send messages to this user");
    }

    fn answers_for(&self, who: &Actor, code: u32, words: &'static str) {
        let id = who.id.parse().expect("ids are made by this server");
        self.shared.with(|world| world.unreachable.insert(id, (code, words)));
    }

    /// Deletes a channel or thread with all in it.
    pub fn delete_channel(&self, channel: &Channel) {
        let id = channel.number();
        self.shared.with(|world| {
            let known = world.channel_json(id);
            world.messages.retain(|_, it| it.channel != id);
            match world.channels.remove(&id).map(|it| it.kind) {
                Some(ChannelKind::Thread { .. }) => {
                    // Discord describes a deleted thread by these fields only.
                    let [guild, parent, kind] =
                        ["guild_id", "parent_id", "type"].map(|it| &known[it]);
                    let event = json!({
                        "id": channel.id, "guild_id": guild, "parent_id": parent, "type": kind,
                    });
                    world.emit("THREAD_DELETE", intent::GUILDS, &event);
                }
                _ => world.emit("CHANNEL_DELETE", intent::GUILDS, &known),
            }
        });
    }

    /// Advances the time.
    pub fn advance(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).expect("the duration fits into 64 bits");
        self.shared.with(|world| world.now_ms += ms);
    }

    /// The time here, in milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.shared.look(|world| world.now_ms)
    }

    /// The same as a clock for the bot.
    pub fn clock(&self) -> Arc<dyn Fn() -> u64 + Send + Sync> {
        let shared = Arc::clone(&self.shared);
        Arc::new(move || shared.look(|world| world.now_ms))
    }

    /// Limits each bucket to this number of requests in a window from now on.
    pub fn limit(&self, requests: u32, window: Duration) {
        let window_ms = u64::try_from(window.as_millis()).expect("the duration fits into 64 bits");
        self.shared.with(|world| {
            world.limit = Limit { requests, window_ms };
            world.buckets.clear();
        });
    }

    /// Makes one of the next requests fail.
    pub fn fail(&self, failure: Failure) {
        self.shared.with(|world| world.failures.push_back(failure));
    }

    /// Sets whether every event is sent twice.
    pub fn duplicates(&self, on: bool) {
        self.shared.with(|world| world.duplicates = on);
    }

    /// Holds events back, as on a slow connection.
    pub fn hold_events(&self) {
        self.shared.with(|world| world.sessions.iter_mut().for_each(gateway::Session::hold));
    }

    /// Sends the events that were held back, the newest first.
    pub fn release_reversed(&self) {
        let release = gateway::Session::release_reversed;
        self.shared.with(|world| world.sessions.iter_mut().for_each(release));
    }

    /// Drops all gateway connections without a close frame.
    pub fn cut_gateway(&self) {
        self.shared.with(|world| world.sessions.iter_mut().for_each(gateway::Session::cut));
    }

    /// Waits until a bot has identified and received its guilds.
    pub async fn connected(&self) {
        let ready = |world: &World| {
            world.sessions.iter().any(|it| it.ready && it.connected()).then_some(())
        };
        self.shared.wait_for("a gateway connection", ready).await;
    }

    /// Whether a bot is connected to the gateway now.
    pub fn is_connected(&self) -> bool {
        self.shared.look(|world| world.sessions.iter().any(gateway::Session::connected))
    }

    /// Waits until sessions were resumed this number of times.
    pub async fn resumed(&self, times: u32) {
        let enough = |world: &World| {
            let sum: u32 = world.sessions.iter().map(|it| it.resumes).sum();
            (sum >= times).then_some(())
        };
        self.shared.wait_for("a resumed session", enough).await;
    }

    /// Intents of the last session.
    pub fn intents(&self) -> u64 {
        self.shared.look(|world| world.sessions.last().map_or(0, |it| it.intents))
    }

    /// Number of sessions that were opened by IDENTIFY.
    pub fn sessions(&self) -> usize {
        self.shared.look(|world| world.sessions.len())
    }

    /// Waits until the condition of the test is true.
    pub async fn wait_until(&self, what: &str, mut reached: impl FnMut(&Self) -> bool) {
        let mut changes = self.shared.changed.subscribe();
        let search = async {
            loop {
                changes.borrow_and_update();
                if reached(self) {
                    return;
                }
                changes.changed().await.expect("the sender lives as long as the world");
            }
        };
        let done = tokio::time::timeout(PATIENCE, search).await;
        assert!(done.is_ok(), "timed out waiting for {what}; the calls were {:#?}", self.calls());
    }

    /// Waits for the first response of an interaction; returns its type.
    pub async fn answered(&self, interaction: u64) -> u64 {
        let answer = |world: &World| world.interactions.get(&interaction)?.answered;
        self.shared.wait_for("an answer to an interaction", answer).await
    }

    /// The type of the first response of an interaction, if there is one.
    pub fn answer_of(&self, interaction: u64) -> Option<u64> {
        self.shared.look(|world| world.interactions.get(&interaction)?.answered)
    }
}
