//! What the chat remembers, in the form it is stored (JSON).

use serde::{Deserialize, Serialize};

use crate::{chat, words::Rich};

/// Somebody who writes here: a browser or a tab.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Member {
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
    /// When the name or the list of rooms changed last.
    pub changed: u64,
}

/// A room, or the private chat of one person (`@<id>`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Room {
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
    /// Last message, Unix ms.
    pub active_ms: u64,
}

impl Room {
    /// Whether it is somebody's private chat with the bot.
    pub fn private(&self) -> bool {
        self.name.starts_with('@')
    }

    /// Who may change settings: whoever has been here longest, the creator at first.
    pub fn admin(&self) -> Option<&str> {
        self.people.first().map(String::as_str)
    }

    /// The id the bot knows it by.
    pub fn place_id(&self) -> crate::ids::PlaceId {
        crate::ids::PlaceId(format!("web:{}", self.name))
    }
}

/// A message as it stands now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Message {
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
    pub text: Rich,
    /// Picture.
    pub image: Option<Blob>,
    /// File.
    pub file: Option<Blob>,
    /// Rows of buttons.
    pub buttons: Vec<Vec<Key>>,
    /// Whether it calls somebody.
    pub loud: bool,
    /// The message it answers.
    pub reply_to: Option<u64>,
    /// The bot's mark against saying twice.
    pub nonce: String,
    /// Of a message for one person: what replaces it, see [`chat::Whisper::slot`].
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
pub struct Blob {
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
pub struct Key {
    /// What people read.
    pub label: String,
    /// What a press carries.
    pub press: String,
    /// How it looks.
    pub tone: chat::Tone,
}

/// Something the bot has not yet confirmed to have heard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pending {
    /// The update's id.
    pub id: String,
    /// Room.
    pub room: String,
    /// Who did it.
    pub person: String,
    /// What.
    pub act: Act,
}

/// What somebody did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Act {
    /// Wrote.
    Say {
        /// The words without mentions.
        text: String,
        /// People named.
        named: Vec<Named>,
        /// The message it answers.
        reply_to: Option<u64>,
    },
    /// Pressed a button.
    Press {
        /// What it carries.
        press: String,
        /// The message it stands under.
        message: u64,
    },
    /// Brought the bot in.
    Added,
    /// Sent the bot away.
    Removed,
}

/// Somebody named in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Named {
    /// Somebody in the room, by id.
    Known(String),
    /// Nobody here has that name.
    Unknown(String),
}

/// What one person is allowed, and how much is kept. All are upper bounds.
#[derive(Clone, Debug)]
pub struct Limits {
    /// People remembered; the longest unseen make room after 30 days.
    pub people: usize,
    /// Rooms; the longest silent make room after 30 days.
    pub rooms: usize,
    /// People in a room.
    pub people_in_room: usize,
    /// Rooms of a person.
    pub rooms_of_person: usize,
    /// Public messages kept in a room.
    pub messages: usize,
    /// Messages for one person only, kept for each person in a room.
    pub whispers: usize,
    /// Characters in a message somebody writes.
    pub text_chars: usize,
    /// Bytes of a picture.
    pub picture_bytes: usize,
    /// Bytes of a file.
    pub file_bytes: usize,
    /// Open streams of one person.
    pub streams: usize,
    /// Messages at once, and after how many ms one more is allowed.
    pub say: (u32, u64),
    /// The same for presses.
    pub press: (u32, u64),
    /// The same for everything else a person asks.
    pub ask: (u32, u64),
    /// The same for new rooms of one person.
    pub open: (u32, u64),
    /// The same for new people, all together.
    pub arrive: (u32, u64),
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            people: 10_000,
            rooms: 1_000,
            people_in_room: 200,
            rooms_of_person: 50,
            messages: 500,
            whispers: 30,
            text_chars: 2_000,
            picture_bytes: 4 << 20,
            file_bytes: 8 << 20,
            streams: 8,
            say: (20, 1_000),
            press: (40, 250),
            ask: (100, 50),
            open: (10, 30_000),
            arrive: (60, 1_000),
        }
    }
}

/// A name fit for people: white space folded, nothing invisible, 1 to 32 characters.
pub fn clean_name(name: &str) -> Option<String> {
    let visible = |c: &char| !c.is_control() && !invisible(*c) && *c != '@';
    let name: String = name.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    let name: String = name.chars().filter(visible).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = name.chars().count();
    (1..=32).contains(&length).then_some(name)
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
pub fn good_key(key: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=64).contains(&key.len()) && key.chars().all(fits)
}

/// Direction marks and zero-width characters, by which one name could pose as another.
fn invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{ad}')
}
