//! Stores the state of the server: people, chats, messages, files, open queries.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::faults::Faults;
use super::feed::Feed;
use super::limits::Rates;
use super::reach::ReceivedContent;

/// The bot under test.
pub const BOT_ID: i64 = 700_000_001;
/// Its name after `@`.
pub const BOT_NAME: &str = "caravan_bot";
/// Its token.
pub const TOKEN: &str = "700000001:fake-token-for-tests";
/// The bot account that Telegram uses as the sender for anonymous admins.
pub const ANONYMOUS_ADMIN: i64 = 1_087_968_824;

/// An error of the Bot API.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub code: u16,
    pub text: String,
    pub parameters: Option<Value>,
}

/// The result of a method.
pub type Answer = Result<Value, ApiError>;

/// 400 with the text after `Bad Request: `.
pub fn bad(text: impl std::fmt::Display) -> ApiError {
    ApiError { code: 400, text: format!("Bad Request: {text}"), parameters: None }
}

/// 403 with the text after `Forbidden: `.
pub fn forbidden(text: impl std::fmt::Display) -> ApiError {
    ApiError { code: 403, text: format!("Forbidden: {text}"), parameters: None }
}

/// 429 with the seconds to wait.
pub fn too_many(seconds: u64) -> ApiError {
    ApiError {
        code: 429,
        text: format!("Too Many Requests: retry after {seconds}"),
        parameters: Some(json!({ "retry_after": seconds })),
    }
}

/// A person or a bot.
#[derive(Clone, Debug)]
pub struct User {
    pub id: i64,
    pub first: String,
    pub username: Option<String>,
    pub lang: Option<String>,
    pub is_bot: bool,
}

/// The kind of a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Private,
    Group,
    Supergroup,
    Channel,
}

impl Kind {
    /// As the Bot API spells it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Private => "private",
            Kind::Group => "group",
            Kind::Supergroup => "supergroup",
            Kind::Channel => "channel",
        }
    }
}

/// A version of the Bot API; an older server does not know newer methods and ignores newer
/// fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Before times in texts.
    V9_4,
    /// Before ephemeral messages.
    V10_1,
    /// Ephemeral messages by two fields of sending methods.
    V10_2,
    /// Ephemeral messages by `ephemeral_message_parameters`.
    V10_3,
}

/// The status of the bot in a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// May write.
    Member,
    /// May write and sees everything.
    Admin,
    /// Is a member and may not write.
    Muted,
    /// May write text, but not send pictures or files.
    NoMedia,
    /// Was never there, or left.
    Outside,
    /// Was removed; in a private chat: was blocked.
    Kicked,
}

/// A chat with everything in it.
#[derive(Clone, Debug)]
pub struct Chat {
    pub id: i64,
    pub kind: Kind,
    pub title: String,
    pub username: Option<String>,
    /// The members, and whether they are admins.
    pub members: BTreeMap<i64, bool>,
    /// The members who left; a person who writes again has come back.
    pub left: BTreeSet<i64>,
    pub bot: Standing,
    /// Topics of a forum by thread id; the value says whether it is open.
    pub topics: BTreeMap<i64, bool>,
    /// Topics in which people still write, but to which bots cannot post: known of old topics in
    /// busy chats.
    pub lost_topics: BTreeSet<i64>,
    pub messages: BTreeMap<i64, Msg>,
    pub ephemerals: BTreeMap<i64, Msg>,
    pub next_message: i64,
    pub next_ephemeral: i64,
    pub migrated_to: Option<i64>,
    /// Whether another bot was the last bot to write here, so that commands without a bot name are
    /// not for this one.
    pub other_bot_spoke: bool,
}

/// A photo or a document of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    pub kind: &'static str,
    pub file_id: String,
}

/// A message.
#[derive(Clone, Debug, Default)]
pub struct Msg {
    /// 0 for an ephemeral one.
    pub id: i64,
    pub ephemeral: Option<i64>,
    /// The only reader besides its author.
    pub receiver: Option<i64>,
    pub thread: Option<i64>,
    pub from: i64,
    pub sender_chat: Option<i64>,
    pub via_bot: bool,
    /// The author of the text, if it was forwarded.
    pub forwarded_from: Option<i64>,
    pub date_ms: u64,
    /// Text, or caption when there is a medium.
    pub text: String,
    pub entities: Vec<Value>,
    pub media: Option<Media>,
    pub markup: Option<Value>,
    pub reply_to: Option<i64>,
    /// A service message: one field of the message object.
    pub service: Option<(String, Value)>,
    pub silent: bool,
    pub edited: u32,
}

/// An uploaded file.
#[derive(Clone, Debug)]
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
    /// The width and height of a picture.
    pub size: (u32, u32),
}

/// A button press that waits for its answer.
#[derive(Clone, Debug)]
pub struct Callback {
    pub from: i64,
    pub chat: i64,
    pub at_ms: u64,
    pub answer: Option<Value>,
}

/// A recorded call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Spelled as in the specification.
    pub method: String,
    pub params: Value,
    /// Names of uploaded parts.
    pub files: Vec<String>,
    /// The whole body of the answer; null if the connection was cut.
    pub answer: Value,
    pub at_ms: u64,
}

/// The whole state.
pub struct World {
    /// Milliseconds since 1970; changes only by the test.
    pub now_ms: u64,
    pub users: BTreeMap<i64, User>,
    pub chats: BTreeMap<i64, Chat>,
    pub files: BTreeMap<String, File>,
    /// The ids of forgotten files, which cannot be sent again.
    pub forgotten: BTreeSet<String>,
    pub callbacks: BTreeMap<String, Callback>,
    /// Inline queries by id, with the asking person and the answer.
    pub inlines: BTreeMap<String, (i64, Option<Value>)>,
    /// Messages that were posted via the bot in unknown chats, by inline message id.
    pub via: BTreeMap<String, Msg>,
    /// Whether the bot's inline mode is on.
    pub inline: bool,
    /// Whether its guest mode is on.
    pub guests: bool,
    /// Guest queries with the id of their answer, if there is one.
    pub summons: BTreeMap<String, Option<String>>,
    /// Everything that people could see.
    pub reached: Vec<ReceivedContent>,
    /// Menus of commands by scope and language.
    pub menus: BTreeMap<(String, String), Value>,
    /// Descriptions of the bot by field and language.
    pub descriptions: BTreeMap<(String, String), String>,
    pub feed: Feed,
    pub faults: Faults,
    pub rates: Rates,
    /// Whether privacy mode is on.
    pub privacy: bool,
    /// The version of the Bot API this server knows.
    pub version: Version,
    pub calls: Vec<Call>,
    pub violations: Vec<String>,
    /// The method whose calls are blocked, and the number of blocked calls.
    pub held: Option<String>,
    pub at_door: usize,
    next_id: i64,
}

impl World {
    /// An empty world with the bot in it.
    pub fn new() -> Self {
        let bot = User {
            id: BOT_ID,
            first: "Caravan".into(),
            username: Some(BOT_NAME.into()),
            lang: None,
            is_bot: true,
        };
        let hidden = User {
            id: ANONYMOUS_ADMIN,
            first: "Group".into(),
            username: Some("GroupAnonymousBot".into()),
            lang: None,
            is_bot: true,
        };
        Self {
            now_ms: 1_780_000_000_000,
            users: [(BOT_ID, bot), (ANONYMOUS_ADMIN, hidden)].into(),
            chats: BTreeMap::new(),
            files: BTreeMap::new(),
            forgotten: BTreeSet::new(),
            callbacks: BTreeMap::new(),
            inlines: BTreeMap::new(),
            via: BTreeMap::new(),
            inline: true,
            guests: false,
            summons: BTreeMap::new(),
            reached: Vec::new(),
            menus: BTreeMap::new(),
            descriptions: BTreeMap::new(),
            feed: Feed::new(),
            faults: Faults::default(),
            rates: Rates::default(),
            privacy: true,
            version: Version::V10_3,
            calls: Vec::new(),
            violations: Vec::new(),
            held: None,
            at_door: 0,
            next_id: 1,
        }
    }

    /// A new number.
    pub fn fresh(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id
    }

    /// Opens a chat.
    pub fn open(&mut self, id: i64, kind: Kind, title: &str, bot: Standing) -> i64 {
        let chat = Chat {
            id,
            kind,
            title: title.to_owned(),
            username: None,
            members: BTreeMap::new(),
            left: BTreeSet::new(),
            bot,
            topics: BTreeMap::new(),
            lost_topics: BTreeSet::new(),
            messages: BTreeMap::new(),
            ephemerals: BTreeMap::new(),
            next_message: 1,
            next_ephemeral: 1,
            migrated_to: None,
            other_bot_spoke: false,
        };
        self.chats.insert(id, chat);
        id
    }

    /// The chat, which must exist.
    pub fn chat(&self, id: i64) -> &Chat {
        self.chats.get(&id).unwrap_or_else(|| panic!("no chat {id}"))
    }

    /// The chat, which must exist.
    pub fn chat_mut(&mut self, id: i64) -> &mut Chat {
        self.chats.get_mut(&id).unwrap_or_else(|| panic!("no chat {id}"))
    }

    /// Adds a message to a chat; returns it with its id.
    pub fn put(&mut self, chat: i64, mut msg: Msg) -> Msg {
        msg.date_ms = self.now_ms;
        self.reaches(chat, &msg);
        let chat = self.chat_mut(chat);
        if msg.receiver.is_some() {
            msg.ephemeral = Some(chat.next_ephemeral);
            chat.next_ephemeral += 1;
            chat.ephemerals.insert(chat.next_ephemeral - 1, msg.clone());
        } else {
            msg.id = chat.next_message;
            chat.next_message += 1;
            chat.messages.insert(msg.id, msg.clone());
        }
        if msg.from == BOT_ID {
            chat.other_bot_spoke = false;
        }
        msg
    }

    /// The chat of a call, if the bot may write in it.
    pub fn speak(&self, chat_id: &Value) -> Result<i64, ApiError> {
        let id = self.find(chat_id)?;
        let chat = self.chat(id);
        if let Some(to) = chat.migrated_to {
            return Err(ApiError {
                code: 400,
                text: "Bad Request: group chat was upgraded to a supergroup chat".into(),
                parameters: Some(json!({ "migrate_to_chat_id": to })),
            });
        }
        let word = chat.kind.word();
        match (chat.bot, chat.kind) {
            (Standing::Member | Standing::NoMedia, Kind::Channel) => {
                Err(bad("need administrator rights in the channel chat"))
            }
            (Standing::Member | Standing::Admin | Standing::NoMedia, _) => Ok(id),
            (Standing::Muted, _) => Err(bad("not enough rights to send text messages to the chat")),
            (Standing::Outside, Kind::Private) => {
                Err(forbidden("bot can't initiate conversation with a user"))
            }
            (Standing::Kicked, Kind::Private) => Err(forbidden("bot was blocked by the user")),
            (Standing::Outside, _) => {
                Err(forbidden(format!("bot is not a member of the {word} chat")))
            }
            (Standing::Kicked, _) => Err(forbidden(format!("bot was kicked from the {word} chat"))),
        }
    }

    fn find(&self, chat_id: &Value) -> Result<i64, ApiError> {
        let id = match chat_id {
            Value::String(name) => {
                let name = name.trim_start_matches('@');
                self.chats.values().find(|it| it.username.as_deref() == Some(name)).map(|it| it.id)
            }
            other => other.as_i64(),
        };
        id.filter(|id| self.chats.contains_key(id)).ok_or_else(|| bad("chat not found"))
    }
}
