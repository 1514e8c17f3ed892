//! Runs the WebSocket gateway: hello, identify, heartbeats, events, resume.

use std::sync::Arc;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use super::Shared;
use super::shapes::mentioned;
use super::world::{World, may};

/// Gateway intents as Discord numbers them.
pub mod intent {
    pub const GUILDS: u64 = 1;
    pub const GUILD_MEMBERS: u64 = 1 << 1;
    pub const GUILD_MODERATION: u64 = 1 << 2;
    pub const GUILD_MESSAGES: u64 = 1 << 9;
    pub const DIRECT_MESSAGES: u64 = 1 << 12;
    pub const MESSAGE_CONTENT: u64 = 1 << 15;
    /// Members, presences, message content: these must be enabled in the developer portal.
    pub const PRIVILEGED: u64 = GUILD_MEMBERS | 1 << 8 | MESSAGE_CONTENT;
}

/// A session, which keeps missed events for a resume.
pub struct Session {
    pub id: String,
    pub intents: u64,
    seq: u64,
    log: Vec<(u64, Value)>,
    link: Option<UnboundedSender<Push>>,
    /// Whether the bot has received all guilds.
    pub ready: bool,
    pub resumes: u32,
    /// Events that are held back, if any.
    held: Option<Vec<(String, Value)>>,
}

/// A message from the world to a connection.
pub enum Push {
    Event(Value),
    /// Drops the connection without a close frame.
    Cut,
}

impl Session {
    /// Whether a connection is open.
    pub fn connected(&self) -> bool {
        self.link.as_ref().is_some_and(|it| !it.is_closed())
    }

    /// Holds events back from now on.
    pub fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Sends the events that were held back, newest first.
    pub fn release_reversed(&mut self) {
        for (name, data) in self.held.take().into_iter().flatten().rev() {
            self.push(&name, &data);
        }
    }

    fn push(&mut self, name: &str, data: &Value) {
        if let Some(held) = &mut self.held {
            held.push((name.to_owned(), data.clone()));
            return;
        }
        self.seq += 1;
        let event = json!({"op": 0, "t": name, "s": self.seq, "d": data});
        self.log.push((self.seq, event.clone()));
        if let Some(link) = &self.link {
            let _ = link.send(Push::Event(event));
        }
    }

    pub fn cut(&mut self) {
        if let Some(link) = self.link.take() {
            let _ = link.send(Push::Cut);
        }
    }
}

impl World {
    /// Sends an event to every session with the required intents.
    pub fn emit(&mut self, name: &str, needs: u64, data: &Value) {
        let times = if self.duplicates { 2 } else { 1 };
        for session in self.sessions.iter_mut().filter(|it| it.intents & needs == needs) {
            (0..times).for_each(|_| session.push(name, data));
        }
    }

    /// Sends what the owner of a guild did to a person, if the bot may see the audit log.
    pub fn emit_audit_log_entry(&mut self, guild: u64, target: u64, action: u8, changes: &Value) {
        let mut entry =
            self.log_action(guild, (self.guilds[&guild].owner, target), action, changes);
        if self.guilds[&guild].bot_may & may::VIEW_AUDIT_LOG == 0 {
            return;
        }
        entry["guild_id"] = json!(guild.to_string());
        self.emit("GUILD_AUDIT_LOG_ENTRY_CREATE", intent::GUILD_MODERATION, &entry);
    }

    /// Writes what a person did to another, or to a thread, into the audit log of a guild; returns
    /// the entry.
    pub fn log_action(
        &mut self,
        guild: u64,
        (user, target): (u64, u64),
        action: u8,
        changes: &Value,
    ) -> Value {
        let entry = json!({
            "id": self.id().to_string(),
            "user_id": user.to_string(),
            "target_id": target.to_string(),
            "action_type": action,
            "changes": changes,
        });
        self.audit_log.push((guild, entry.clone()));
        entry
    }

    /// Sends a message event; without the privileged intent its text is hidden, unless it is a
    /// direct message, mentions the bot or is the bot's own. A reply mentions the author of the
    /// other message unless its author has switched that off.
    pub fn emit_message(&mut self, name: &str, id: u64) {
        let Some(message) = self.messages.get(&id).cloned() else { return };
        if self.is_foreign(message.channel) {
            return;
        }
        let open = self.message_event(&message);
        let (bot, direct) = (self.bot, self.guild_of(message.channel).is_none());
        let answered = message.reference.filter(|_| message.mentions_answered);
        let answers = answered.and_then(|it| self.messages.get(&it)).map(|it| it.author);
        let free = direct
            || message.author == bot
            || mentioned(&message.content).contains(&bot)
            || answers == Some(bot);
        let mut hidden = open.clone();
        for (field, empty) in [("content", json!("")), ("attachments", json!([]))] {
            hidden[field] = empty;
        }
        hidden["components"] = json!([]);
        let needs = if direct { intent::DIRECT_MESSAGES } else { intent::GUILD_MESSAGES };
        let times = if self.duplicates { 2 } else { 1 };
        for session in self.sessions.iter_mut().filter(|it| it.intents & needs != 0) {
            let has_content = free || session.intents & intent::MESSAGE_CONTENT != 0;
            (0..times).for_each(|_| session.push(name, if has_content { &open } else { &hidden }));
        }
    }
}

/// Accepts connections until the test ends.
pub async fn serve(shared: Arc<Shared>, listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(connection(Arc::clone(&shared), stream));
    }
}

struct Link {
    socket: WebSocketStream<TcpStream>,
    compress: bool,
}

impl Link {
    async fn send(&mut self, value: &Value) {
        let text = value.to_string();
        let message = match self.compress {
            true => Message::Binary(zlib_stored(text.as_bytes())),
            false => Message::Text(text),
        };
        let _ = self.socket.send(message).await;
    }

    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame { code: code.into(), reason: reason.into() };
        let _ = self.socket.close(Some(frame)).await;
    }
}

async fn connection(shared: Arc<Shared>, stream: TcpStream) {
    let Ok(socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let mut link = Link { socket, compress: false };
    link.send(&json!({"op": 10, "s": null, "t": null, "d": {"heartbeat_interval": 41_250}})).await;
    let mut pushes: Option<UnboundedReceiver<Push>> = None;
    loop {
        let push = async {
            match pushes.as_mut() {
                Some(pushes) => pushes.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            said = link.socket.next() => {
                let text = match said {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Close(_))) => {
                        // The close frame is answered: clients wait for the answer.
                        let _ = link.socket.close(None).await;
                        break;
                    }
                    _ => break,
                };
                match hear(&shared, &mut link, &text).await {
                    Heard::Opened(receiver) => pushes = Some(receiver),
                    Heard::Nothing => {}
                    Heard::Over => break,
                }
            }
            push = push => match push {
                Some(Push::Event(event)) => link.send(&event).await,
                // The socket is dropped without a close frame.
                Some(Push::Cut) | None => return,
            },
        }
    }
    drop(pushes);
    shared.with(|_| ());
}

enum Heard {
    Opened(UnboundedReceiver<Push>),
    Nothing,
    Over,
}

async fn hear(shared: &Arc<Shared>, link: &mut Link, text: &str) -> Heard {
    let Ok(said) = serde_json::from_str::<Value>(text) else {
        link.close(4002, "Error while decoding payload.").await;
        return Heard::Over;
    };
    match said["op"].as_u64() {
        Some(1) => {
            link.send(&json!({"op": 11, "s": null, "t": null, "d": null})).await;
            Heard::Nothing
        }
        Some(2) => identify(shared, link, &said["d"]).await,
        Some(6) => resume(shared, link, &said["d"]).await,
        Some(3 | 4 | 8) => Heard::Nothing,
        _ => {
            link.close(4001, "Unknown opcode.").await;
            Heard::Over
        }
    }
}

async fn identify(shared: &Arc<Shared>, link: &mut Link, data: &Value) -> Heard {
    let asked = data["intents"].as_u64().unwrap_or_default();
    link.compress = data["compress"] == true;
    let refusal = shared.with(|world| {
        if bare(&data["token"]) != world.token {
            world.violation("gateway: identified with a wrong token");
            return Some((4004, "Authentication failed."));
        }
        let refused = if world.tells_members { 0 } else { intent::GUILD_MEMBERS };
        if asked & refused != 0 {
            // The bot cannot know whether its host has enabled these intents.
            world.intents_refused += 1;
            return Some((4014, "Disallowed intent(s)."));
        }
        if asked & intent::PRIVILEGED & !intent::GUILD_MEMBERS != 0 {
            world.violation(format!("gateway: privileged intents asked for: {asked:#b}"));
            return Some((4014, "Disallowed intent(s)."));
        }
        if !data["properties"].is_object() {
            world.violation("gateway: identify without properties");
        }
        None
    });
    if let Some((code, reason)) = refusal {
        link.close(code, reason).await;
        return Heard::Over;
    }
    let (sender, receiver) = unbounded_channel();
    shared.with(|world| {
        let id = format!("session-{}", world.id());
        let mut session = Session {
            id: id.clone(),
            intents: asked,
            seq: 0,
            log: Vec::new(),
            link: Some(sender),
            ready: false,
            resumes: 0,
            held: None,
        };
        let guilds: Vec<u64> =
            world.guilds.iter().filter(|(_, it)| it.bot_in).map(|(id, _)| *id).collect();
        let away: Vec<Value> =
            guilds.iter().map(|it| json!({"id": it.to_string(), "unavailable": true})).collect();
        let ready = json!({
            "v": 10, "user": world.self_json(), "guilds": away, "session_id": id,
            "resume_gateway_url": world.gateway_url, "shard": data["shard"],
            "application": {"id": world.app.to_string(), "flags": 0},
        });
        session.push("READY", &ready);
        if asked & intent::GUILDS != 0 {
            guilds.iter().for_each(|it| session.push("GUILD_CREATE", &world.guild_json(*it)));
        }
        session.ready = true;
        world.sessions.push(session);
    });
    Heard::Opened(receiver)
}

async fn resume(shared: &Arc<Shared>, link: &mut Link, data: &Value) -> Heard {
    let (sender, receiver) = unbounded_channel();
    let seq = data["seq"].as_u64().unwrap_or_default();
    let found = shared.with(|world| {
        let right = bare(&data["token"]) == world.token;
        let wanted = |it: &&mut Session| right && data["session_id"] == it.id.as_str();
        let Some(session) = world.sessions.iter_mut().find(wanted) else { return false };
        for (_, event) in session.log.iter().filter(|(number, _)| *number > seq) {
            let _ = sender.send(Push::Event(event.clone()));
        }
        session.link = Some(sender);
        session.resumes += 1;
        session.push("RESUMED", &json!({"_trace": []}));
        true
    });
    if found {
        return Heard::Opened(receiver);
    }
    link.send(&json!({"op": 9, "s": null, "t": null, "d": false})).await;
    Heard::Nothing
}

/// The gateway accepts a token with or without the prefix of the HTTP header.
fn bare(token: &Value) -> &str {
    token.as_str().unwrap_or_default().trim_start_matches("Bot ")
}

/// A zlib stream with stored (uncompressed) blocks, which any decoder reads.
fn zlib_stored(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut chunks = bytes.chunks(65_535).peekable();
    while let Some(chunk) = chunks.next() {
        let length = chunk.len() as u16;
        out.push(u8::from(chunks.peek().is_none()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(chunk);
    }
    let (mut low, mut high) = (1u32, 0u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    out.extend((high << 16 | low).to_be_bytes());
    out
}
