//! Parses an update into a request.

use super::command_lookup::{find_command, split_command, suggest_command};
use super::words::{parse_table_code, quote, truncate_message};
use crate::commands::action::{ExecuteCommand, Request, RequestOrigin, TableRef};
use crate::commands::admin::{self, GiveAdminCommand};
use crate::commands::help;
use crate::commands::input::CommandInput;
use crate::commands::private_text::PrivateText;
use crate::commands::refusals::{RefuseOldButton, RefuseUnknownCommand};
use crate::commands::registry;
use caravanserai_games::ids::{ChatKind, MessageId, TableId};
use caravanserai_protocol::{CommandOption, Mention, OptionValue, UpdateKind};
use caravanserai_table::command::{Command, MoveChoice};

/// The request of an update. `None` if the update is not for the bot.
pub fn parse_request(kind: &UpdateKind, chat_kind: ChatKind) -> Option<Request> {
    match kind {
        UpdateKind::Text { text, mentions, reply_to, is_addressed } => {
            let reply_to = reply_to.as_ref();
            let is_addressed = *is_addressed;
            let message = ReceivedText { mentions, reply_to, chat_kind, is_addressed };
            message.parse(truncate_message(text))
        }
        UpdateKind::Command { name, options } => parse_options(name, options, chat_kind),
        UpdateKind::Press { callback_data, .. } => Some(parse_callback_data(callback_data)),
        UpdateKind::BotAdded
        | UpdateKind::BotRemoved
        | UpdateKind::MemberLeft { .. }
        | UpdateKind::MembersJoined { .. }
        | UpdateKind::ChatDeleted
        | UpdateKind::ChatMoved { .. } => None,
    }
}

/// The refusal of a command that does not exist, where all commands are for this bot: in a group
/// that may have several bots [`parse_request`] leaves such commands alone.
pub fn parse_unknown_command(kind: &UpdateKind) -> Option<Request> {
    let UpdateKind::Text { text, .. } = kind else { return None };
    let name = truncate_message(text).strip_prefix('/')?.split_whitespace().next()?;
    Some(Request::chat(unknown_command(name)))
}

/// The refusal of a command that does not exist.
fn unknown_command(name: &str) -> RefuseUnknownCommand {
    let near = suggest_command(name).map(|it| it.name);
    RefuseUnknownCommand { name: quote(name), near }
}

/// Whether the answer to an update depends on [`caravanserai_protocol::Person::admin`].
/// Platforms that have to ask their server who is an admin ask only then.
pub fn needs_admin(kind: &UpdateKind, chat_kind: ChatKind) -> bool {
    chat_kind == ChatKind::Group
        && parse_request(kind, chat_kind).is_some_and(|it| it.needs_admin())
}

/// Whether a text is a command that nobody else should read, also one that is spelt almost so.
pub fn is_confidential(text: &str) -> bool {
    let Some(command) = truncate_message(text).strip_prefix('/') else { return false };
    let near = || suggest_command(command.split_whitespace().next().unwrap_or_default());
    let spec = split_command(command).map(|(spec, _)| spec).or_else(near);
    spec.is_some_and(|it| it.is_confidential)
}

/// Whether a text may be a mistyped move. Smileys, scores and questions have digits too: `<3`,
/// `8)`, `+1`, `7?`.
pub(crate) fn looks_like_move(text: &str) -> bool {
    let is_sign = |it: char| it.is_alphanumeric() || is_move_character(it);
    let text = text.trim().trim_end_matches(['.', '!']);
    text.starts_with(is_sign) && text.ends_with(is_sign) && text.contains(is_move_character)
}

/// Whether any game writes moves with this character: a digit or a card suit.
fn is_move_character(sign: char) -> bool {
    sign.is_numeric() || matches!(sign, '♠'..='♧')
}

/// The action that plays a move described in words.
pub(crate) fn typed_move(words: &str) -> ExecuteCommand {
    let choice = MoveChoice::Typed(words.to_owned());
    ExecuteCommand(Command::Move { position: None, choice })
}

/// The request to play a move described in words.
fn move_request(table: TableRef, words: &str) -> Request {
    Request::Table {
        table,
        action: std::sync::Arc::new(typed_move(words)),
        origin: RequestOrigin::Typed,
    }
}

/// The data that came with a text.
#[derive(Clone, Copy)]
struct ReceivedText<'a> {
    mentions: &'a [Mention],
    reply_to: Option<&'a MessageId>,
    chat_kind: ChatKind,
    is_addressed: bool,
}

impl ReceivedText<'_> {
    /// A command, a move if it replies to a board, or any text in a private chat.
    fn parse(self, text: &str) -> Option<Request> {
        if let Some(command) = text.strip_prefix('/') {
            return self.parse_command(command);
        }
        match (self.reply_to, self.chat_kind) {
            (Some(message), _) => Some(move_request(TableRef::Message(message.clone()), text)),
            (None, ChatKind::Private) if text.is_empty() => None,
            (None, ChatKind::Private) => Some(Request::chat(PrivateText(text.to_owned()))),
            (None, ChatKind::Group) if self.is_addressed => self.parse_addressed(text),
            (None, ChatKind::Group) => None,
        }
    }

    /// Text behind the name of the bot in a group: a command without its `/`, a move at the
    /// person's own table, or help if there is nothing else.
    fn parse_addressed(self, text: &str) -> Option<Request> {
        match text {
            "" => self.parse_command(help::NAME),
            _ if looks_like_move(text) => Some(move_request(TableRef::Own, text)),
            _ => self.parse_command(text),
        }
    }

    /// A command without its `/`.
    fn parse_command(self, command: &str) -> Option<Request> {
        let Self { mentions, reply_to, chat_kind, is_addressed } = self;
        let Some((spec, words)) = split_command(command) else {
            let name = command.split_whitespace().next().unwrap_or_default();
            let refusal = unknown_command(name);
            // In a group the command may be for another bot, unless this one is named.
            let is_ours = is_addressed || chat_kind == ChatKind::Private || refusal.near.is_some();
            return match admin::words_of(command) {
                Some(words) => {
                    let words = words.to_owned();
                    Some(Request::chat(GiveAdminCommand { words, refusal, is_ours }))
                }
                None => is_ours.then(|| Request::chat(refusal)),
            };
        };
        let table = match words.split_whitespace().find_map(parse_table_code) {
            Some(table) => TableRef::Id(table),
            None => reply_to.map_or(TableRef::Own, |it| TableRef::Message(it.clone())),
        };
        Some((spec.parse)(&CommandInput { spec, words, mentions, options: &[], chat_kind, table }))
    }
}

/// A command whose options the platform has parsed.
fn parse_options(name: &str, options: &[CommandOption], chat_kind: ChatKind) -> Option<Request> {
    let Some(spec) = find_command(name) else {
        return Some(Request::chat(unknown_command(name)));
    };
    let mut words = Vec::new();
    let mut mentions = Vec::new();
    let mut table = TableRef::Own;
    for option in options {
        match &option.value {
            OptionValue::Text(text) => match table_option(option) {
                Some(id) => table = TableRef::Id(id),
                None => words.push(text.as_str()),
            },
            OptionValue::Person(person) => mentions.push(person.clone()),
        }
    }
    let words = words.join(" ");
    let mentions = mentions.as_slice();
    let words = truncate_message(&words);
    Some((spec.parse)(&CommandInput { spec, words, mentions, options, chat_kind, table }))
}

/// The table that an option names, with or without the mark of table codes.
fn table_option(option: &CommandOption) -> Option<TableId> {
    match &option.value {
        OptionValue::Text(text) if option.name == "table" => {
            parse_table_code(&format!("#{}", text.trim_start_matches('#')))
        }
        OptionValue::Text(_) | OptionValue::Person(_) => None,
    }
}

/// The request of a button. A button that no version knows gives a refusal.
fn parse_callback_data(callback_data: &str) -> Request {
    registry::decode_button(callback_data).unwrap_or_else(|| Request::chat(RefuseOldButton))
}
