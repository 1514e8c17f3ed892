//! What a platform heard.

use serde::{Deserialize, Serialize};

use super::update_arrival::Arrival;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, PlaceKind};
pub use caravanserai_table::presence::Departure;

/// Something that happened on a platform, in the words of no platform.
#[derive(Clone, Debug)]
pub struct Update {
    /// Unique for ever, starts with the platform: `tg/918273`. The same id acts once. Where ids
    /// differ in a number at their end, the update with the smaller one happened first.
    pub id: String,
    /// Where it happened.
    pub chat: Chat,
    /// Who did it.
    pub person: Person,
    /// What was done.
    pub kind: UpdateKind,
    /// When it reached the program.
    pub arrival: Arrival,
}

/// How the ids of updates begin that a guest caused on the page: they name the place where the
/// guest counts as being, but nothing can be shown to them there.
const GUEST_ID_PREFIX: &str = "guest/";

impl Update {
    /// The id of what a guest does with this key.
    pub fn guest_update_id(account: &PersonId, key: &str) -> String {
        format!("{GUEST_ID_PREFIX}{}/{key}", account.0)
    }

    /// Whether it happened before the update with this id, as far as their ids tell.
    pub fn is_before(&self, id: &str) -> bool {
        let numbered = |id: &str| {
            let (kind, number) = id.rsplit_once('/')?;
            Some((kind.to_owned(), number.parse::<u64>().ok()?))
        };
        match (numbered(&self.id), numbered(id)) {
            (Some((kind, number)), Some((other, newer))) => kind == other && number < newer,
            _ => false,
        }
    }

    /// Whether somebody of this platform did it on the page, see
    /// [`ClientConnection`](super::guests::ClientConnection).
    pub fn is_by_guest(&self) -> bool {
        self.id.starts_with(GUEST_ID_PREFIX)
    }
}

/// What was done.
#[derive(Clone, Debug)]
pub enum UpdateKind {
    /// Words were written. Commands start with `/`; a Discord slash command is spelled the same
    /// way (`/move 7`). Words that are not for the bot are allowed here and ignored.
    Text {
        /// What was written, without the mentions that were recognised.
        text: String,
        /// People named in it, in order.
        mentions: Vec<Mention>,
        /// The message it answers, if the platform knows.
        reply_to: Option<MessageId>,
    },
    /// A button was pressed.
    Press {
        /// What the button carries, as it was sent in [`super::ButtonState::callback_data`].
        callback_data: String,
        /// The message the button stands under, unless the platform does not say.
        message: Option<MessageId>,
    },
    /// The bot was added to this place, or a person opened a private chat with it.
    BotAdded,
    /// The bot was removed from this place or blocked: nothing can be sent there.
    BotRemoved,
    /// Somebody is not in this place any more: they left, or were sent away.
    MemberLeft {
        /// Who.
        who: PersonId,
        /// Whether by themselves.
        how: Departure,
    },
    /// These have come to this place, for the first time or again.
    MembersJoined {
        /// Who.
        who: Vec<PersonId>,
    },
    /// This place is no more, for good: a deleted channel, thread or group.
    ChatDeleted,
    /// This place lives on under another id (a Telegram group became a supergroup).
    ChatMoved {
        /// The new id; topics keep their number.
        to: PlaceId,
    },
}

/// A place as an update describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Its id.
    pub id: PlaceId,
    /// Whether others read along.
    pub kind: PlaceKind,
    /// What people call it, if the platform says.
    pub title: String,
    /// The locale of the place, if the platform knows one (`ru`, `pt-BR`).
    pub locale: Option<String>,
    /// The places whose settings it inherits, as far as the update names them.
    pub parents: ParentChats,
}

/// The places whose settings a place inherits: a thread inherits from its channel, both inherit
/// from their server. Topics of Telegram have no parents, they share the settings of their chat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ParentChats {
    /// The channel that a thread belongs to.
    pub channel: Option<PlaceId>,
    /// The server.
    pub server: Option<PlaceId>,
}

impl ParentChats {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.channel.is_none() && self.server.is_none()
    }

    /// Fills in what is missing from another description of the same place.
    #[must_use]
    pub fn or_known(self, known: ParentChats) -> ParentChats {
        ParentChats {
            channel: self.channel.or(known.channel),
            server: self.server.or(known.server),
        }
    }
}

/// Somebody as an update describes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Their id.
    pub id: PersonId,
    /// What people see; never empty.
    pub name: String,
    /// The name to be mentioned by, without `@`, where the platform has one.
    pub username: Option<String>,
    /// The locale of their client, if the platform says (`ru`, `kk`, `en-US`).
    pub locale: Option<String>,
    /// Whether they can play.
    pub kind: PersonKind,
    /// Whether the platform says they may change settings of this place.
    pub admin: bool,
}

/// Whether somebody can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PersonKind {
    /// A person.
    Human,
    /// Another bot.
    Bot,
    /// An anonymous admin or a channel: several people may stand behind it.
    Anonymous,
}

/// A person named in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mention {
    /// The platform says who it is.
    Known(Person),
    /// Only the name after `@` is known.
    Username(String),
}
