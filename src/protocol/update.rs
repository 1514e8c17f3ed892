//! Describes platform events in a platform-neutral form.

use serde::{Deserialize, Serialize};

use super::update_arrival::Arrival;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
pub use caravanserai_table::presence::Departure;

/// An event on a platform, in platform-neutral terms.
#[derive(Clone, Debug)]
pub struct Update {
    /// Globally unique id that starts with the platform: `tg/918273`. Handling the same id twice
    /// acts once. When two ids differ only in a number at their end, the smaller number happened
    /// first.
    pub id: String,
    /// The chat in which it happened.
    pub chat: Chat,
    /// The account that caused it.
    pub person: Person,
    /// The kind of event, with its data.
    pub kind: UpdateKind,
    /// The moment the update reached the program.
    pub arrival: Arrival,
}

/// Prefix of update ids that a guest causes on the web page. Such an update names the chat in which
/// the guest counts as being, but nothing can be shown to the guest in that chat.
const GUEST_ID_PREFIX: &str = "guest/";

impl Update {
    /// Returns the id of the update that a guest causes with this idempotency key.
    pub fn guest_update_id(account: &PersonId, key: &str) -> String {
        format!("{GUEST_ID_PREFIX}{}/{key}", account.0)
    }

    /// Whether this update happened before the update with this id, as far as the ids tell.
    pub fn is_before(&self, id: &str) -> bool {
        happened_before(&self.id, id)
    }

    /// Whether a signed-in guest of this platform caused the update on the web page, see
    /// [`Guest`](super::guest_service::Guest).
    pub fn is_by_guest(&self) -> bool {
        self.id.starts_with(GUEST_ID_PREFIX)
    }
}

/// Whether the update with the first id happened before the one with the second, as far as the ids
/// tell.
pub fn happened_before(first: &str, second: &str) -> bool {
    let numbered = |id: &str| {
        let (kind, number) = id.rsplit_once('/')?;
        Some((kind.to_owned(), number.parse::<u64>().ok()?))
    };
    match (numbered(first), numbered(second)) {
        (Some((kind, number)), Some((other, newer))) => kind == other && number < newer,
        _ => false,
    }
}

/// The kind of an update, with its data.
#[derive(Clone, Debug)]
pub enum UpdateKind {
    /// A text message. Commands start with `/` (`/move 7`). Text that is not for the bot is allowed
    /// here and ignored.
    Text {
        /// The text, without the recognised mentions.
        text: String,
        /// The people mentioned in the text, in order.
        mentions: Vec<Mention>,
        /// The message that this one replies to, if the platform reports it.
        reply_to: Option<MessageId>,
        /// Whether the text names this bot: "@bot help", `/help@bot`.
        is_addressed: bool,
    },
    /// A command whose options the platform has parsed: a slash command of Discord.
    Command {
        /// The name of the command, without `/`.
        name: String,
        /// The options that were given, in the order in which the command declares them.
        options: Vec<CommandOption>,
    },
    /// A button press.
    Press {
        /// The button's callback data, as it was sent in [`super::Button::callback_data`].
        callback_data: String,
        /// The message that carries the button, unless the platform does not report it.
        message: Option<MessageId>,
    },
    /// The bot was added to this chat, or a person opened a private chat with it.
    BotAdded,
    /// The bot was removed from this chat or blocked: nothing can be sent there.
    BotRemoved,
    /// A member left this chat or was removed from it.
    MemberLeft {
        /// The member who is gone.
        who: PersonId,
        /// Whether they left by themselves or were removed.
        how: Departure,
    },
    /// Members joined this chat, for the first time or again.
    MembersJoined {
        /// The members who joined.
        who: Vec<PersonId>,
    },
    /// This chat is deleted permanently: a channel, thread or group, or a private chat with the
    /// account of its reader, who counts as the sender. The tables of a thread with a parent
    /// channel in [`Chat::parents`] move there.
    ChatDeleted,
    /// This chat continues under another id (a Telegram group became a supergroup).
    ChatMoved {
        /// The new id; topics keep their number.
        to: ChatId,
    },
}

/// An option of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOption {
    /// The name of the option, as the command declares it.
    pub name: String,
    /// Its value.
    pub value: OptionValue,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A text, a number or one of the declared choices.
    Text(String),
    /// A person.
    Person(Mention),
}

/// A chat as an update describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// The id of the chat.
    pub id: ChatId,
    /// Whether other people read the chat.
    pub kind: ChatKind,
    /// The displayed title, if the platform reports it.
    pub title: String,
    /// The locale of the chat, if the platform reports one (`ru`, `pt-BR`).
    pub locale: Option<String>,
    /// The chats whose settings this one inherits, as far as the update names them.
    pub parents: ParentChats,
}

/// The chats whose settings a chat inherits: a thread inherits from its channel, and both inherit
/// from their server. Telegram topics have no parents; they share the settings of their chat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ParentChats {
    /// The channel that a thread belongs to.
    pub channel: Option<ChatId>,
    /// The server that the channel or thread belongs to.
    pub server: Option<ChatId>,
}

impl ParentChats {
    /// Whether the chat has no parents.
    pub fn is_empty(&self) -> bool {
        self.channel.is_none() && self.server.is_none()
    }

    /// Fills in missing parents from another description of the same chat.
    #[must_use]
    pub fn or_known(self, known: ParentChats) -> ParentChats {
        ParentChats {
            channel: self.channel.or(known.channel),
            server: self.server.or(known.server),
        }
    }
}

/// A person as an update describes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The account id.
    pub id: PersonId,
    /// The displayed name; never empty.
    pub name: String,
    /// The name used in mentions, without `@`, where the platform has one.
    pub username: Option<String>,
    /// The locale of their client, if the platform reports it (`ru`, `kk`, `en-US`).
    pub locale: Option<String>,
    /// Whether this account can play.
    pub kind: PersonKind,
    /// Whether the platform reports that they may change settings of this chat.
    pub admin: bool,
}

/// Tells which accounts can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PersonKind {
    /// A human; can play.
    Human,
    /// Another bot; cannot play.
    Bot,
    /// An anonymous admin or a channel: several people may use it, so it cannot play.
    Anonymous,
}

/// A person named in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mention {
    /// The platform reports the account.
    Known(Person),
    /// Only the name after `@` is known.
    Username(String),
}
