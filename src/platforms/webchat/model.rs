//! Defines the chat's data in the form in which it is stored (JSON).

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use super::connections::ConnectionLimits;
use super::display_names::{has_too_many_marks, is_visible_mark};
use caravanserai_games::ids::ChatId;
use caravanserai_games::text::RichText;
use caravanserai_games::time_units::{DAY_MS, HOUR_MS, MINUTE_MS};
use caravanserai_protocol as chat;

/// The platform of all ids of the chat.
const PLATFORM: &str = "web:";

/// Separates the name of a room from its generation in its id; no name contains it.
const GENERATION_SEPARATOR: char = '~';

/// A person of the chat: a browser or a tab.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WebchatMember {
    /// Random, without the prefix `web:`.
    pub id: String,
    /// The displayed name.
    pub name: String,
    /// The locale of the browser.
    pub locale: Option<String>,
    /// SHA-256 of the person's token, hexadecimal.
    pub secret: String,
    /// Last activity, Unix ms, to the hour.
    pub seen_ms: u64,
    /// The rooms of the person, in the order of joining.
    pub rooms: Vec<String>,
    /// Whether the person ever wrote anything, asked the bot for something that it did not refuse,
    /// or had a seat at a table that is shown here.
    #[serde(default)]
    pub took_part: bool,
    /// Whether the person took part, but never had a seat at a table that is shown here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_only_talked: bool,
    /// The number of the last change of the name or the list of rooms.
    pub changed: u64,
}

/// A room, or the private chat of one person (`@<id>`).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WebchatRoom {
    /// The name, as used in URLs.
    pub name: String,
    /// Its members, in the order of joining. The first is the admin and may change settings.
    pub people: Vec<String>,
    /// Whether the bot is in the room.
    pub bot: bool,
    /// How many times the bot was added or removed.
    pub epoch: u64,
    /// The number of the last change of members or settings.
    pub changed: u64,
    /// When it was created, Unix ms.
    pub opened_ms: u64,
    /// Distinguishes it from all earlier and later rooms with its name: the number of the change
    /// that created it. Zero for private chats, and for rooms created by a version without
    /// generations, whose id is the name alone.
    #[serde(default)]
    pub generation: u64,
    /// The code in the invitation link, if only invited people may join.
    #[serde(default)]
    pub invite: Option<String>,
    /// Members who may not write.
    #[serde(default)]
    pub muted: Vec<String>,
    /// People who may not come back.
    #[serde(default)]
    pub removed: Vec<String>,
    /// When people last acted in it without a new message, Unix ms, to the day: a board that is
    /// played for weeks is one message.
    #[serde(default)]
    pub active_ms: u64,
}

impl WebchatRoom {
    /// Whether it is a person's private chat with the bot.
    pub fn is_private(&self) -> bool {
        self.name.starts_with('@')
    }

    /// Returns the admin, who may change settings: the member who joined first, at the beginning
    /// the creator.
    pub fn admin(&self) -> Option<&str> {
        self.people.first().map(String::as_str)
    }

    /// Returns the id by which the bot knows the room. No other room ever has it, so settings,
    /// results and tables of a deleted room never become those of a later room with its name.
    pub fn chat_id(&self) -> ChatId {
        chat_id(&self.name, self.generation)
    }
}

/// Returns the id of the room with this name and generation.
fn chat_id(name: &str, generation: u64) -> ChatId {
    ChatId(match generation {
        0 => format!("{PLATFORM}{name}"),
        generation => format!("{PLATFORM}{name}{GENERATION_SEPARATOR}{generation}"),
    })
}

/// Returns the name of the room with this id, which a later room may have now. `None` for chats of
/// other platforms.
pub fn room_name_of(chat: &ChatId) -> Option<&str> {
    let room = chat.0.strip_prefix(PLATFORM)?;
    Some(room.split(GENERATION_SEPARATOR).next().unwrap_or(room))
}

/// The current form of a message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebchatMessage {
    /// The id, counted up within its room.
    pub id: u64,
    /// The number of its last change among all changes of the chat.
    pub changed: u64,
    /// When it was posted, Unix ms.
    pub time_ms: u64,
    /// The author; `None` is the bot.
    pub author: Option<String>,
    /// The author's name at the time of posting.
    pub name: String,
    /// The only person who may see it, if it is private.
    pub only: Option<String>,
    /// The text.
    pub text: RichText,
    /// The image.
    pub image: Option<StoredBlob>,
    /// The file.
    pub file: Option<StoredBlob>,
    /// Rows of buttons.
    pub buttons: Vec<Vec<WebchatButton>>,
    /// Whether it notifies people.
    pub loud: bool,
    /// The message to which it replies.
    pub reply_to: Option<u64>,
    /// The bot's nonce, which prevents duplicate posts.
    pub nonce: String,
    /// Of a board: the player to move.
    #[serde(default)]
    pub waits_for: Option<String>,
    /// Of a board or a hand: its table.
    #[serde(default)]
    pub table: Option<String>,
    /// Of a board: what it shows.
    #[serde(default)]
    pub board: Option<chat::BoardSummary>,
    /// The content that the page can show on a board, see [`chat::ViewerPage::url_path`].
    #[serde(default)]
    pub look: Option<String>,
    /// Of a private message: its slot, see [`chat::EphemeralReply::slot`].
    #[serde(default)]
    pub slot: String,
    /// The author's key, which prevents duplicate posts.
    pub key: String,
    /// Whether the content has changed since it was posted.
    pub edited: bool,
    /// Whether it was deleted; only the id is left.
    pub gone: bool,
}

/// A stored image or file, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredBlob {
    /// SHA-256, hexadecimal.
    pub hash: String,
    /// Length in bytes.
    pub len: u64,
    /// The name of a file, or the alternative text of an image.
    pub label: String,
    /// Width of an image in pixels; zero for files.
    pub width: u32,
    /// Height of an image in pixels; zero for files.
    pub height: u32,
}

/// A button of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebchatButton {
    /// The label.
    pub label: String,
    /// The callback data.
    #[serde(rename = "press")]
    pub callback_data: String,
    /// The style.
    pub tone: chat::ButtonTone,
}

/// An action that the bot has not confirmed yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PendingBotUpdate {
    /// The id of the update.
    pub id: String,
    /// The name of the room.
    pub room: String,
    /// The generation of the room, see [`WebchatRoom::generation`].
    #[serde(default)]
    pub generation: u64,
    /// The person who acted.
    pub person: String,
    /// The action.
    pub act: PendingBotAction,
    /// When it happened, Unix ms.
    #[serde(default)]
    pub since_ms: u64,
}

impl PendingBotUpdate {
    /// Returns the id of the room where it happened.
    pub fn chat_id(&self) -> ChatId {
        chat_id(&self.room, self.generation)
    }
}

/// An action of a person.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PendingBotAction {
    /// Posted a message.
    Say {
        /// The text without mentions.
        text: String,
        /// The mentioned people.
        named: Vec<MentionedPerson>,
        /// The message to which it replies.
        reply_to: Option<u64>,
    },
    /// Pressed a button.
    Press {
        /// The callback data.
        #[serde(rename = "press")]
        callback_data: String,
        /// The message of the button; none if the page drew the board with the button.
        message: Option<u64>,
    },
    /// Added the bot to the room.
    Added,
    /// Removed the bot from the room.
    Removed,
    /// Left the room, or removed another member.
    Left {
        /// The person who is no longer in the room.
        who: String,
    },
    /// Joined a room that has other members.
    Came,
    /// The room was deleted. Nobody has to be in it any more.
    Closed,
}

impl PendingBotAction {
    /// Whether the person asks the bot for something, or talks.
    pub fn is_request(&self) -> bool {
        matches!(self, PendingBotAction::Say { .. } | PendingBotAction::Press { .. })
    }
}

/// A ban by person, to be applied by the process that knows their address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingBan {
    /// When the ban ends (Unix ms).
    pub until_ms: u64,
    /// Until when it can be applied (Unix ms).
    pub expires_ms: u64,
}

/// A person mentioned in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionedPerson {
    /// A member of the room, by id.
    Known(String),
    /// A name that no member of the room has.
    Unknown(String),
}

/// Upper bounds for people's actions and for stored data.
#[derive(Clone, Debug)]
pub struct WebchatLimits {
    /// The most people; above this, absent people who never played are forgotten, and without any,
    /// new people are refused.
    pub people: usize,
    /// Days after which an absent person is forgotten.
    pub person_days: u64,
    /// The most rooms; rooms without activity and open tables for 30 days make room for new ones,
    /// and those of one person in which nobody has written or played after a day.
    pub rooms: usize,
    /// The most people in a room; absent members leave to make room for new ones, then some of an
    /// address that has many members.
    pub people_in_room: usize,
    /// The absence after which a person who never took part makes room, in a full room or where
    /// there are too many people, in milliseconds.
    pub visitor_absence_ms: u64,
    /// The most rooms of a person.
    pub rooms_of_person: usize,
    /// The most messages of people in a room; the person with the most messages loses their oldest.
    pub messages: usize,
    /// The most public messages of the bot in a room; the one unchanged for longest is deleted,
    /// boards of open tables last.
    pub bot_messages: usize,
    /// The most private messages of each person in a room.
    pub whispers: usize,
    /// Days after which a message is deleted.
    pub message_days: u64,
    /// The most characters in a person's message.
    pub text_chars: usize,
    /// The most bytes of an image.
    pub picture_bytes: usize,
    /// The most bytes of a file.
    pub file_bytes: usize,
    /// The most bytes of all images and files; beyond them those that no message shows are deleted
    /// first, then the oldest.
    pub all_bytes: u64,
    /// The most open streams of one person; another one ends the oldest.
    pub streams: usize,
    /// Rate of messages: how many at once, and after how many ms one more is allowed.
    pub say_rate: (u32, u64),
    /// Rate of messages of one person in one room.
    pub say_in_room_rate: (u32, u64),
    /// Rate of presses.
    pub press_rate: (u32, u64),
    /// Rate of all other requests of a person.
    pub read_rate: (u32, u64),
    /// Rate at which one person joins and leaves rooms: every member gets each change.
    pub join_rate: (u32, u64),
    /// Rate of new rooms of one person.
    pub open_room_rate: (u32, u64),
    /// Rate of new rooms from one address.
    pub open_room_address_rate: (u32, u64),
    /// Rate of new people from one address.
    pub arrive_rate: (u32, u64),
    /// Rate of new people from one address in the long run: far more than a school or an office
    /// needs, and too few to reach the most people within weeks.
    pub arrive_daily_rate: (u32, u64),
    /// Rate of sign-in codes tried from one address.
    pub sign_in_rate: (u32, u64),
    /// Rate of refused proofs of platforms' clients, and of refused tokens of guests, from one
    /// address, which the users behind a platform's proxy share.
    pub failed_proof_rate: (u32, u64),
    /// Rate of analysed positions of one person.
    pub analysis_rate: (u32, u64),
    /// Rate of evaluations of positions of one person.
    pub evaluation_rate: (u32, u64),
    /// Rate of analysed and evaluated positions of all people at one address.
    pub analysis_address_rate: (u32, u64),
    /// Limits of connections.
    pub connections: ConnectionLimits,
}

impl Default for WebchatLimits {
    fn default() -> Self {
        Self {
            people: 10_000,
            person_days: 180,
            rooms: 1_000,
            people_in_room: 200,
            visitor_absence_ms: 10 * MINUTE_MS,
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
            join_rate: (20, 5_000),
            open_room_rate: (10, 30_000),
            open_room_address_rate: (100, DAY_MS / 100),
            arrive_rate: (20, 3_000),
            arrive_daily_rate: (300, DAY_MS / 300),
            sign_in_rate: (10, 6_000),
            failed_proof_rate: (100, 500),
            analysis_rate: (40, 250),
            evaluation_rate: (20, 700),
            analysis_address_rate: (200, 60),
            connections: ConnectionLimits::default(),
        }
    }
}

impl WebchatLimits {
    /// The limits of a chat that several processes serve: each sees only its own streams, and
    /// learns once an hour of the people who are online at the others.
    #[must_use]
    pub fn for_shared_store(mut self) -> Self {
        self.visitor_absence_ms = self.visitor_absence_ms.max(2 * HOUR_MS);
        self
    }
}

/// Normalizes a room name for URLs: lower case letters with their marks, digits, `-` and `_`, at
/// most 40 characters.
pub fn clean_room(name: &str) -> Option<String> {
    let name: String = name.trim().to_lowercase().nfc().collect();
    let mut after_letter = false;
    let fits = |c: char| {
        after_letter = c.is_alphabetic() || after_letter && is_visible_mark(c);
        after_letter || c.is_numeric() || c == '-' || c == '_'
    };
    let length = name.chars().count();
    let is_valid = (1..=40).contains(&length) && name.chars().all(fits);
    (is_valid && !has_too_many_marks(&name)).then_some(name)
}

/// Returns a valid locale such as `hy` or `pt-BR`; `None` for other texts.
pub fn clean_locale(locale: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let locale = locale.trim();
    ((2..=16).contains(&locale.len()) && locale.chars().all(fits)).then(|| locale.to_owned())
}

/// Whether a client's key, which prevents duplicate actions, is valid.
pub fn is_valid_key(key: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=64).contains(&key.len()) && key.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_names_are_those_of_all_languages() {
        for name in ["lobby", "чай-2", "թեյ", "அணி", "தமிழ்", "चाय_घर"]
        {
            assert_eq!(clean_room(name).as_deref(), Some(name));
        }
        assert_eq!(clean_room(" Lobby "), Some("lobby".to_owned()));
        assert_eq!(clean_room("и\u{306}од"), Some("йод".to_owned()), "one room, typed either way");
        // Without a letter, without effect, or a heap of them.
        for name in
            ["", "a b", "-\u{301}", "\u{bcd}அ", "tea\u{fe0f}", "z\u{301}\u{301}\u{301}\u{301}"]
        {
            assert_eq!(clean_room(name), None, "{name:?}");
        }
    }
}
