//! What the chat remembers, in the form it is stored (JSON).

use serde::{Deserialize, Serialize};

use super::connections::ConnectionLimits;
use caravanserai_games::text::RichText;
use caravanserai_protocol as chat;

/// Somebody who writes here: a browser or a tab.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WebchatMember {
    /// Random, without the prefix `web:`.
    pub id: String,
    /// What people see.
    pub name: String,
    /// What their browser says.
    pub locale: Option<String>,
    /// SHA-256 of their secret, hexadecimal.
    pub secret: String,
    /// Last activity, Unix ms, to the hour.
    pub seen_ms: u64,
    /// Names of the rooms they have joined, in order.
    pub rooms: Vec<String>,
    /// Whether they ever wrote or pressed anything.
    #[serde(default)]
    pub took_part: bool,
    /// When the name or the list of rooms changed last.
    pub changed: u64,
}

/// A room, or the private chat of one person (`@<id>`).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WebchatRoom {
    /// The name in addresses.
    pub name: String,
    /// Its people, in the order they came. The first may change settings.
    pub people: Vec<String>,
    /// Whether the bot is here.
    pub bot: bool,
    /// How many times the bot came or went.
    pub epoch: u64,
    /// When people or settings changed last.
    pub changed: u64,
    /// When it was opened, Unix ms.
    pub opened_ms: u64,
    /// If only invited people may come in: what their link says.
    #[serde(default)]
    pub invite: Option<String>,
    /// People who may not write.
    #[serde(default)]
    pub muted: Vec<String>,
    /// People who may not come back.
    #[serde(default)]
    pub removed: Vec<String>,
}

impl WebchatRoom {
    /// Whether it is somebody's private chat with the bot.
    pub fn is_private(&self) -> bool {
        self.name.starts_with('@')
    }

    /// Who may change settings: whoever has been here longest, the creator at first.
    pub fn admin(&self) -> Option<&str> {
        self.people.first().map(String::as_str)
    }

    /// The id the bot knows it by.
    pub fn place_id(&self) -> caravanserai_games::ids::PlaceId {
        caravanserai_games::ids::PlaceId(format!("web:{}", self.name))
    }
}

/// A message as it stands now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebchatMessage {
    /// Counted up inside its room.
    pub id: u64,
    /// Position of its last change among all changes of the chat.
    pub changed: u64,
    /// When it was posted, Unix ms.
    pub time_ms: u64,
    /// Who wrote it; `None` is the bot.
    pub author: Option<String>,
    /// The author's name at that time.
    pub name: String,
    /// The only person who may see it.
    pub only: Option<String>,
    /// Words.
    pub text: RichText,
    /// Picture.
    pub image: Option<StoredBlob>,
    /// File.
    pub file: Option<StoredBlob>,
    /// Rows of buttons.
    pub buttons: Vec<Vec<WebchatButton>>,
    /// Whether it calls somebody.
    pub loud: bool,
    /// The message it answers.
    pub reply_to: Option<u64>,
    /// The bot's mark against saying twice.
    pub nonce: String,
    /// Of a board: the person whose turn it is.
    #[serde(default)]
    pub waits_for: Option<String>,
    /// Of a board or a hand: the table that it is of.
    #[serde(default)]
    pub table: Option<String>,
    /// What it shows that the page can show on a board, see [`chat::Look::address`].
    #[serde(default)]
    pub look: Option<String>,
    /// Of a message for one person: what replaces it, see [`chat::EphemeralReply::slot`].
    #[serde(default)]
    pub slot: String,
    /// The author's mark against saying twice.
    pub key: String,
    /// Whether it shows something else than at first.
    pub edited: bool,
    /// Taken away; only the number is left.
    pub gone: bool,
}

/// Bytes kept by their hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredBlob {
    /// SHA-256, hexadecimal.
    pub hash: String,
    /// Length in bytes.
    pub len: u64,
    /// A file's name, or a picture in words.
    pub label: String,
    /// Size of a picture in pixels; zero for files.
    pub width: u32,
    /// See `width`.
    pub height: u32,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebchatButton {
    /// What people read.
    pub label: String,
    /// What a press carries.
    pub press: String,
    /// How it looks.
    pub tone: chat::ButtonTone,
}

/// Something the bot has not yet confirmed to have heard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PendingBotUpdate {
    /// The update's id.
    pub id: String,
    /// Room.
    pub room: String,
    /// Who did it.
    pub person: String,
    /// What.
    pub act: PendingBotAction,
    /// When, Unix ms.
    #[serde(default)]
    pub since_ms: u64,
}

/// What somebody did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PendingBotAction {
    /// Wrote.
    Say {
        /// The words without mentions.
        text: String,
        /// People named.
        named: Vec<MentionedPerson>,
        /// The message it answers.
        reply_to: Option<u64>,
    },
    /// Pressed a button.
    Press {
        /// What it carries.
        press: String,
        /// The message it stands under; none if it was made on a board that the page drew.
        message: Option<u64>,
    },
    /// Brought the bot in.
    Added,
    /// Sent the bot away.
    Removed,
    /// Left the room, or sent somebody out of it.
    Left {
        /// Who is not there any more.
        who: String,
    },
    /// Came to a room that others are in.
    Came,
}

/// Somebody named in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionedPerson {
    /// Somebody in the room, by id.
    Known(String),
    /// Nobody here has that name.
    Unknown(String),
}

/// What one person is allowed, and how much is kept. All are upper bounds.
#[derive(Clone, Debug)]
pub struct WebchatLimits {
    /// People remembered; when there are more, whoever never took part makes room first.
    pub people: usize,
    /// Days after which somebody unseen is forgotten.
    pub person_days: u64,
    /// Rooms; the longest silent make room after 30 days.
    pub rooms: usize,
    /// People in a room.
    pub people_in_room: usize,
    /// Rooms of a person.
    pub rooms_of_person: usize,
    /// Messages of people kept in a room; whoever has said most loses the oldest.
    pub messages: usize,
    /// Public messages of the bot kept in a room; the longest unchanged goes.
    pub bot_messages: usize,
    /// Messages for one person only, kept for each person in a room.
    pub whispers: usize,
    /// Days after which a message goes.
    pub message_days: u64,
    /// Characters in a message somebody writes.
    pub text_chars: usize,
    /// Bytes of a picture.
    pub picture_bytes: usize,
    /// Bytes of a file.
    pub file_bytes: usize,
    /// Bytes of all pictures and files; the oldest go.
    pub all_bytes: u64,
    /// Open streams of one person.
    pub streams: usize,
    /// Messages at once, and after how many ms one more is allowed.
    pub say_rate: (u32, u64),
    /// The same for the messages of one person in one room.
    pub say_in_room_rate: (u32, u64),
    /// The same for presses.
    pub press_rate: (u32, u64),
    /// The same for everything else a person asks.
    pub read_rate: (u32, u64),
    /// The same for new rooms of one person.
    pub open_room_rate: (u32, u64),
    /// The same for new people from one address.
    pub arrive_rate: (u32, u64),
    /// The same for codes that are tried from one address.
    pub sign_in_rate: (u32, u64),
    /// Connections.
    pub connections: ConnectionLimits,
}

impl Default for WebchatLimits {
    fn default() -> Self {
        Self {
            people: 10_000,
            person_days: 180,
            rooms: 1_000,
            people_in_room: 200,
            rooms_of_person: 50,
            messages: 400,
            bot_messages: 100,
            whispers: 30,
            message_days: 90,
            text_chars: 2_000,
            picture_bytes: 4 << 20,
            file_bytes: 8 << 20,
            all_bytes: 1 << 30,
            streams: 8,
            say_rate: (20, 1_000),
            say_in_room_rate: (20, 2_000),
            press_rate: (40, 250),
            read_rate: (100, 50),
            open_room_rate: (10, 30_000),
            arrive_rate: (20, 3_000),
            sign_in_rate: (10, 6_000),
            connections: ConnectionLimits::default(),
        }
    }
}

/// A room's name for addresses: lower case letters, digits, `-` and `_`, at most 40.
pub fn clean_room(name: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let length = name.chars().count();
    ((1..=40).contains(&length) && name.chars().all(fits)).then_some(name)
}

/// A locale such as `hy` or `pt-BR`, else nothing.
pub fn clean_locale(locale: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let locale = locale.trim();
    ((2..=16).contains(&locale.len()) && locale.chars().all(fits)).then(|| locale.to_owned())
}

/// A client's mark against doing twice.
pub fn is_valid_key(key: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=64).contains(&key.len()) && key.chars().all(fits)
}
