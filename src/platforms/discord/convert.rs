//! Converts Discord's users, channels, messages and commands into the types of the protocol.

use serenity::all::{
    AuthorizingIntegrationOwner, AuthorizingIntegrationOwners, CommandDataOption,
    CommandDataOptionValue, CommandDataResolved, GuildChannel, InteractionContext, Member, Message,
    PartialChannel, PartialMember, Permissions, User,
};
use serenity::model::channel::{ChannelType, MessageType};

use super::command_menu::GivenCommand;
use super::discord_cache::ChannelHome;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_platform_shared::visible_name::visible_name;
use caravanserai_protocol::{
    Chat, CommandOption, Mention, OptionValue, ParentChats, Person, PersonKind, UpdateKind,
};

/// The kind of a media channel, which the client library does not name.
const MEDIA_CHANNEL: u8 = 16;

/// Precedes the channel id in the id of a chat where the bot is no member.
const FOREIGN_PREFIX: char = '~';

/// The kind of conversation in which a user acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiscordConversation {
    /// In a server that has installed the bot.
    Server(u64),
    /// In a server that has not: the user has installed the bot for themselves.
    ForeignServer(u64),
    /// In the direct channel of this user and the bot.
    Direct(u64),
    /// In a conversation among users of which the bot is no member.
    GroupDirect,
}

impl DiscordConversation {
    /// Returns the conversation of an interaction of this user; `None` if Discord does not say
    /// whether other people read it.
    pub fn from_interaction(
        guild: Option<u64>,
        user: u64,
        owners: &AuthorizingIntegrationOwners,
        context: Option<InteractionContext>,
    ) -> Option<Self> {
        let installed = |it: &AuthorizingIntegrationOwner| {
            matches!(it, AuthorizingIntegrationOwner::GuildInstall(_))
        };
        match (guild, context) {
            (Some(guild), Some(InteractionContext::Guild)) if !owners.0.iter().any(installed) => {
                Some(Self::ForeignServer(guild))
            }
            (_, Some(InteractionContext::PrivateChannel)) => Some(Self::GroupDirect),
            (Some(guild), _) => Some(Self::Server(guild)),
            (None, Some(InteractionContext::BotDm)) => Some(Self::Direct(user)),
            (None, _) => None,
        }
    }

    /// Returns the home of its channel.
    pub fn channel_home(self) -> ChannelHome {
        match self {
            Self::Server(guild) | Self::ForeignServer(guild) => ChannelHome::Guild(guild),
            Self::Direct(user) => ChannelHome::Direct(user),
            Self::GroupDirect => ChannelHome::GroupDirect,
        }
    }

    /// Returns the server, if the conversation is in one.
    pub fn server(self) -> Option<u64> {
        match self {
            Self::Server(guild) | Self::ForeignServer(guild) => Some(guild),
            Self::Direct(_) | Self::GroupDirect => None,
        }
    }

    /// Whether the bot is no member there: it can only answer interactions.
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::ForeignServer(_) | Self::GroupDirect)
    }
}

/// Returns the chats that a channel may be: with the bot as a member, and without.
pub(super) fn possible_chats(channel: u64) -> [ChatId; 2] {
    [ChatId(format!("dc:{channel}")), ChatId(format!("dc:{FOREIGN_PREFIX}{channel}"))]
}

/// Returns the channel of a Discord chat, and whether the bot is no member there.
pub(super) fn channel_of_chat(chat: &ChatId) -> Option<(u64, bool)> {
    let rest = chat.0.strip_prefix("dc:")?;
    let digits = rest.strip_prefix(FOREIGN_PREFIX);
    let number = digits.unwrap_or(rest).parse().ok().filter(|it| *it > 0)?;
    Some((number, digits.is_some()))
}

/// Whether a channel of this type is a thread. The parent of any other channel is a category.
pub(super) fn is_thread(kind: ChannelType) -> bool {
    matches!(kind, ChannelType::PublicThread | ChannelType::PrivateThread | ChannelType::NewsThread)
}

/// Whether this is a channel of threads without messages of its own: a forum or a media channel.
pub(super) fn is_forum(kind: ChannelType) -> bool {
    kind == ChannelType::Forum || kind == ChannelType::Unknown(MEDIA_CHANNEL)
}

/// Whether this is a locked thread.
pub(super) fn is_locked(channel: &GuildChannel) -> bool {
    channel.thread_metadata.is_some_and(|it| it.locked)
}

/// Returns the parent channel of a thread that an event describes.
pub(super) fn parent_channel(about: &PartialChannel) -> Option<u64> {
    about.parent_id.filter(|_| is_thread(about.kind)).map(|it| it.get())
}

/// Converts a channel to a chat. `parent`: the channel that it is a thread of.
pub(super) fn chat_from_channel(
    conversation: DiscordConversation,
    (channel, parent): (u64, Option<u64>),
    about: Option<&PartialChannel>,
    locale: Option<&str>,
) -> Chat {
    let id = |channel: u64| {
        ChatId(match conversation.is_foreign() {
            true => format!("dc:{FOREIGN_PREFIX}{channel}"),
            false => format!("dc:{channel}"),
        })
    };
    Chat {
        id: id(channel),
        kind: match conversation {
            DiscordConversation::Direct(_) => ChatKind::Private,
            DiscordConversation::Server(_)
            | DiscordConversation::ForeignServer(_)
            | DiscordConversation::GroupDirect => ChatKind::Group,
        },
        title: about.and_then(|it| it.name.clone()).unwrap_or_default(),
        locale: conversation.server().and(locale).map(str::to_owned),
        parents: ParentChats {
            channel: parent.map(id),
            // No channel id looks like this.
            server: conversation.server().map(|it| ChatId(format!("dc:server-{it}"))),
        },
    }
}

/// Converts a user who acted, with their name on this server.
pub(super) fn person_of_user(user: &User, member: Option<&Member>, locale: Option<&str>) -> Person {
    let nick = member.and_then(|it| it.nick.clone());
    let rights = member.and_then(|it| it.permissions).unwrap_or_default();
    build_person(user, nick, rights, locale)
}

/// Whether these permissions make a member an admin for the bot.
pub(super) fn has_admin_rights(rights: Permissions) -> bool {
    rights.intersects(Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR)
}

fn build_person(
    user: &User,
    nick: Option<String>,
    rights: Permissions,
    locale: Option<&str>,
) -> Person {
    let names = [nick, user.global_name.clone(), Some(user.name.clone())];
    let name = names.iter().flatten().find_map(|it| visible_name(it));
    Person {
        id: PersonId(format!("dc:{}", user.id)),
        name: name.unwrap_or_else(|| user.id.to_string()),
        username: Some(user.name.clone()).filter(|it| !it.is_empty()),
        locale: locale.map(str::to_owned),
        kind: if user.bot { PersonKind::Bot } else { PersonKind::Human },
        admin: has_admin_rights(rights),
    }
}

fn person_of_partial_member(user: &User, member: Option<&PartialMember>) -> Person {
    let nick = member.and_then(|it| it.nick.clone());
    let rights = member.and_then(|it| it.permissions).unwrap_or_default();
    build_person(user, nick, rights, None)
}

/// Returns the author of a message. Discord does not include their permissions here: `is_admin`
/// follows from their roles.
pub(super) fn message_author(message: &Message, is_admin: bool) -> Person {
    let author = person_of_partial_member(&message.author, message.member.as_deref());
    Person { admin: author.admin || is_admin, ..author }
}

/// Whether this is a reply to a message of the bot with buttons whose text Discord hides: the reply
/// does not mention the bot. Pictures are hidden, too, so it may have no text.
pub(super) fn is_hidden_reply(message: &Message, me: u64) -> bool {
    let is_empty = message.content.is_empty()
        && message.attachments.is_empty()
        && message.sticker_items.is_empty();
    let mentions_bot = message.mentions.iter().any(|it| it.id.get() == me);
    let answered = message.referenced_message.as_ref();
    let is_to_bot = |it: &Message| it.author.id.get() == me && !it.components.is_empty();
    // Other kinds refer to messages, too, such as the first one of a thread.
    message.kind == MessageType::InlineReply
        && message.guild_id.is_some()
        && is_empty
        && !mentions_bot
        && answered.is_some_and(|it| is_to_bot(it))
}

/// Returns the text of a message without mentions, and the mentions except the bot's own.
pub(super) fn message_text(message: &Message, me: u64) -> UpdateKind {
    let mut text = message.content.clone();
    let mut found = Vec::<(usize, Mention)>::new();
    let mut is_addressed = false;
    for user in &message.mentions {
        for spelling in [format!("<@{}>", user.id), format!("<@!{}>", user.id)] {
            let Some(at) = message.content.find(&spelling) else { continue };
            text = text.replace(&spelling, " ");
            if user.id.get() == me {
                is_addressed |= message.content[..at].trim().is_empty();
            } else {
                let person = person_of_partial_member(user, user.member.as_deref());
                found.push((at, Mention::Known(person)));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    let words: Vec<&str> = text.split_whitespace().collect();
    let answered = message.message_reference.as_ref().and_then(|it| it.message_id);
    UpdateKind::Text {
        text: words.join(" "),
        mentions: found.into_iter().map(|(_, mention)| mention).collect(),
        reply_to: answered.map(|it| MessageId(it.to_string())),
        is_addressed,
    }
}

/// Converts a slash command or subcommand with its options, in the order in which the menu declares
/// them.
pub(super) fn command_update(
    given: &GivenCommand<'_>,
    resolved: &CommandDataResolved,
) -> UpdateKind {
    let mut options: Vec<&CommandDataOption> = given.options.iter().collect();
    if let Some(declared) = given.declared {
        let rank = |name: &str| declared.options.iter().position(|it| it.name.default == name);
        options.sort_by_key(|it| rank(&it.name).unwrap_or(usize::MAX));
    }
    let option = |option: &CommandDataOption| {
        let text = |it: String| (!it.is_empty()).then_some(OptionValue::Text(it));
        let value = match &option.value {
            CommandDataOptionValue::String(words) => text(words.trim().to_owned()),
            CommandDataOptionValue::Integer(number) => text(number.to_string()),
            CommandDataOptionValue::Number(number) => text(number.to_string()),
            CommandDataOptionValue::Boolean(yes) => text(yes.to_string()),
            CommandDataOptionValue::User(id) => resolved.users.get(id).map(|user| {
                let member = resolved.members.get(id);
                OptionValue::Person(Mention::Known(person_of_partial_member(user, member)))
            }),
            _ => None,
        };
        Some(CommandOption { name: option.name.clone(), value: value? })
    };
    UpdateKind::Command {
        name: given.name.to_owned(),
        options: options.into_iter().filter_map(option).collect(),
    }
}

/// Discord's name for the permission to send files. Without it boards are sent as text.
pub(super) const ATTACH_FILES_NAME: &str = "Attach Files";

/// Returns the permissions that a board needs and the bot lacks where a user acted, by Discord's
/// names.
pub(super) fn missing_permissions(
    channel: Option<&PartialChannel>,
    allowed: Option<Permissions>,
) -> Vec<&'static str> {
    let speaking = match channel.is_some_and(|it| is_thread(it.kind)) {
        true => Permissions::SEND_MESSAGES_IN_THREADS,
        false => Permissions::SEND_MESSAGES,
    };
    let needed = Permissions::VIEW_CHANNEL | Permissions::ATTACH_FILES | speaking;
    let has = allowed.unwrap_or(Permissions::all());
    if has.contains(Permissions::ADMINISTRATOR) {
        return Vec::new();
    }
    needed.difference(has).get_permission_names()
}
