//! Builds Discord's message bodies: markdown, components, attachments.

use serde::Serialize;
use serenity::all::{
    ButtonStyle, CreateActionRow, CreateAllowedMentions, CreateButton, EditMessage, MessageFlags,
    Nonce,
};
use sha2::{Digest, Sha256};

use super::command_mentions::{CommandMentions, command_mention_len, mention_commands};
use super::rest_client::DiscordFile;
use caravanserai_games::ids::{MessageId, PersonId};
use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::{
    AppLink, Button, ButtonTone, OutgoingMessage, PrivateMessage, SingleReader,
};

/// The longest content of a message that a bot may send, in characters.
const CONTENT_MAX: usize = 2_000;
/// The longest alternative text of an image, in characters.
const ALT_MAX: usize = 1_024;
/// The longest label of a button, in characters.
const LABEL_MAX: usize = 80;
/// The most rows of buttons, and buttons in a row.
const ROWS_MAX: usize = 5;
/// A time that is less than this many seconds away is shown without its date.
const WITHOUT_DATE_S: u64 = 12 * 3_600;
/// The most users that a message may notify.
const MENTIONS_MAX: usize = 100;

/// The body of a message: new, edited, or in the response to an interaction.
///
/// `EditMessage` writes only the fields that are set. `CreateMessage` and
/// `CreateInteractionResponseMessage` always write a list of attachments, which only serenity's own
/// client can number.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MessageBody {
    #[serde(flatten)]
    fields: EditMessage,
    /// The files that the message has from now on: an empty list in an edit removes all files.
    #[serde(skip_serializing_if = "Option::is_none")]
    attachments: Option<Vec<AttachmentBody>>,
}

/// Describes an uploaded file. serenity's `CreateAttachment` has an id that only serenity can set.
#[derive(Clone, Debug, Serialize)]
struct AttachmentBody {
    /// The `n` of `files[n]`.
    id: String,
    filename: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// The body of a new message in a channel.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NewMessageBody {
    #[serde(flatten)]
    message: MessageBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<Nonce>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enforce_nonce: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_reference: Option<ReplyReference>,
}

/// The message that a new message answers. serenity's `MessageReference` also requires its channel.
#[derive(Clone, Debug, Serialize)]
struct ReplyReference {
    message_id: serenity::all::MessageId,
    fail_if_not_exists: bool,
}

impl NewMessageBody {
    /// Removes the reference to the message that this one answers; returns whether there was one.
    pub fn remove_reference(&mut self) -> bool {
        self.message_reference.take().is_some()
    }
}

impl MessageBody {
    /// The data of a deferred response: only the user who acted sees the message that will follow.
    pub fn deferred_ephemeral() -> Self {
        let fields = EditMessage::new().flags(MessageFlags::EPHEMERAL);
        MessageBody { fields, attachments: None }
    }

    /// Sets the flags of a new message. It has no earlier files that an empty list would remove.
    fn into_new(self, flags: MessageFlags) -> Self {
        let attachments = self.attachments.filter(|it| !it.is_empty());
        MessageBody { fields: self.fields.flags(flags), attachments }
    }
}

/// Returns the flags of a public message. Links get no previews: user names may contain URLs.
fn flags(message: &OutgoingMessage) -> MessageFlags {
    match message.notification.is_audible() {
        true => MessageFlags::SUPPRESS_EMBEDS,
        false => MessageFlags::SUPPRESS_EMBEDS | MessageFlags::SUPPRESS_NOTIFICATIONS,
    }
}

/// Builds a new message for a channel, with its files.
pub(super) fn new_message_body(
    message: &OutgoingMessage,
    mentions: &CommandMentions,
) -> (NewMessageBody, Vec<DiscordFile>) {
    let (body, files) = response_body(message, mentions);
    let has_nonce = !message.nonce.is_empty();
    let answered = message.reply_to.as_ref().and_then(message_number);
    let body = NewMessageBody {
        message: body,
        nonce: has_nonce.then(|| Nonce::String(short_nonce(&message.nonce))),
        enforce_nonce: has_nonce.then_some(true),
        message_reference: answered
            .map(|id| ReplyReference { message_id: id.into(), fail_if_not_exists: false }),
    };
    (body, files)
}

/// Builds an edit of a message, which replaces its whole content.
pub(super) fn edit_body(
    message: &OutgoingMessage,
    mentions: &CommandMentions,
) -> (MessageBody, Vec<DiscordFile>) {
    let (files, attachments) = attachments(message);
    let pinged = match message.notification.is_audible() {
        true => mentioned_users(&message.text),
        false => Vec::new(),
    };
    let fields = EditMessage::new()
        .content(to_markdown(&message.text, mentions))
        .components(component_rows(&message.buttons))
        .allowed_mentions(CreateAllowedMentions::new().users(pinged).replied_user(false));
    (MessageBody { fields, attachments: Some(attachments) }, files)
}

/// Builds a public message as the response to a command.
pub(super) fn response_body(
    message: &OutgoingMessage,
    mentions: &CommandMentions,
) -> (MessageBody, Vec<DiscordFile>) {
    let (body, files) = edit_body(message, mentions);
    (body.into_new(flags(message)), files)
}

/// The flag by which Discord shows a response only to the user who acted.
struct EphemeralFlag;

impl SingleReader for EphemeralFlag {}

/// Builds a message for only the user who acted.
pub(super) fn ephemeral_body(
    message: &PrivateMessage,
    mentions: &CommandMentions,
) -> (MessageBody, Vec<DiscordFile>) {
    let (body, files) = edit_body(message.for_reader(&EphemeralFlag), mentions);
    (body.into_new(MessageFlags::EPHEMERAL | MessageFlags::SUPPRESS_EMBEDS), files)
}

/// Returns the users that a text mentions, at most as many as Discord notifies.
fn mentioned_users(text: &RichText) -> Vec<u64> {
    let mut users: Vec<u64> = Vec::new();
    for span in &text.0 {
        if let RichSpan::Mention { person, .. } = span
            && let Some(id) = person_number(person)
            && !users.contains(&id)
        {
            users.push(id);
        }
    }
    users.truncate(MENTIONS_MAX);
    users
}

fn attachments(message: &OutgoingMessage) -> (Vec<DiscordFile>, Vec<AttachmentBody>) {
    let mut files = Vec::new();
    let mut list = Vec::new();
    let mut add = |name: &str, alt: Option<&str>, mime: &'static str, bytes: &Vec<u8>| {
        list.push(AttachmentBody {
            id: files.len().to_string(),
            filename: name.to_owned(),
            description: alt.map(|it| truncate(it, ALT_MAX)),
        });
        files.push(DiscordFile { name: name.to_owned(), mime, bytes: bytes.clone() });
    };
    if let Some(image) = &message.image {
        add("board.png", Some(&image.alt), "image/png", &image.png);
    }
    if let Some(file) = &message.file {
        let alt = file.animation.as_deref();
        let mime = if alt.is_some() { "image/gif" } else { "application/octet-stream" };
        add(&file.name, alt, mime, &file.bytes);
    }
    (files, list)
}

fn component_rows(buttons: &[Vec<Button>]) -> Vec<CreateActionRow> {
    // Discord has no button that starts an inline query or opens an app.
    let known = |it: &&Button| {
        it.inline_query.is_none() && !matches!(it.link, Some(AppLink::App(_) | AppLink::Launch))
    };
    let possible = |row: &Vec<Button>| -> Vec<CreateButton> {
        row.iter().filter(known).take(ROWS_MAX).map(create_button).collect()
    };
    let mut rows: Vec<Vec<CreateButton>> =
        buttons.iter().map(possible).filter(|row| !row.is_empty()).collect();
    if rows.len() > ROWS_MAX {
        let all = rows.concat();
        let in_a_row = all.len().div_ceil(ROWS_MAX).min(ROWS_MAX);
        rows = all.chunks(in_a_row).take(ROWS_MAX).map(<[CreateButton]>::to_vec).collect();
    }
    rows.into_iter().map(CreateActionRow::Buttons).collect()
}

fn create_button(button: &Button) -> CreateButton {
    let style = match button.tone {
        ButtonTone::Plain => ButtonStyle::Secondary,
        ButtonTone::Good => ButtonStyle::Success,
        ButtonTone::Danger => ButtonStyle::Danger,
    };
    let created = match &button.link {
        Some(AppLink::Link(url)) => CreateButton::new_link(url),
        _ => CreateButton::new(&button.callback_data).style(style),
    };
    created.label(truncate(&button.label, LABEL_MAX))
}

/// Shortens a nonce to Discord's limit of 25 characters by hashing it.
fn short_nonce(ours: &str) -> String {
    hex::encode(&Sha256::digest(ours.as_bytes())[..12])
}

/// Cuts a text to `most` characters; an ellipsis marks the cut.
pub(super) fn truncate(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Parses a message id.
pub(super) fn message_number(id: &MessageId) -> Option<u64> {
    id.0.parse().ok().filter(|it| *it > 0)
}

fn person_number(person: &str) -> Option<u64> {
    person.strip_prefix("dc:")?.parse().ok().filter(|it| *it > 0)
}

/// Returns the user id of a Discord person.
pub(super) fn user_number(person: &PersonId) -> Option<u64> {
    person_number(&person.0)
}

/// Converts rich text to Discord's markdown, at most 2,000 characters; the rest is left out.
/// Commands become mentions, except in code: that is text to send as it is, also elsewhere.
fn to_markdown(text: &RichText, mentions: &CommandMentions) -> String {
    let mut out = String::new();
    let mut room = CONTENT_MAX;
    for span in &text.0 {
        let line_start = out.is_empty() || out.ends_with('\n');
        let whole = span_to_markdown(span, span.text(), line_start, mentions);
        let length = whole.chars().count();
        if length <= room {
            room -= length;
            out.push_str(&whole);
            continue;
        }
        if let Some(part) = longest_that_fits(span, line_start, room, mentions) {
            out.push_str(&part);
        }
        break;
    }
    out
}

fn longest_that_fits(
    span: &RichSpan,
    line_start: bool,
    room: usize,
    mentions: &CommandMentions,
) -> Option<String> {
    if matches!(span, RichSpan::Mention { .. } | RichSpan::Time { .. }) {
        return None;
    }
    let total = span.text().chars().count();
    // Neither escapes nor mentions make a text shorter.
    (2..total.min(room + 1))
        .rev()
        .map(|most| span_to_markdown(span, &truncate(span.text(), most), line_start, mentions))
        .find(|it| it.chars().count() <= room)
}

fn span_to_markdown(
    span: &RichSpan,
    text: &str,
    line_start: bool,
    mentions: &CommandMentions,
) -> String {
    match span {
        RichSpan::Plain(_) => escape(&mention_commands(text, mentions), line_start),
        RichSpan::Bold(_) if text.trim().is_empty() => text.to_owned(),
        RichSpan::Bold(_) => {
            // Discord does not read stars beside a space as markup.
            let words = text.trim();
            let (before, after) = text.split_once(words).unwrap_or_default();
            format!("{before}**{}**{after}", escape(&mention_commands(words, mentions), false))
        }
        RichSpan::Code(_) => code_span(text),
        RichSpan::Mention { person, .. } => match person_number(person) {
            Some(id) => format!("<@{id}>"),
            None => escape(text, line_start),
        },
        RichSpan::Time { at_ms, day: true, .. } => format!("<t:{}:D>", at_ms / 1_000),
        RichSpan::Time { at_ms, .. } => time_markup(at_ms / 1_000, super::unix_time_s()),
    }
}

/// Formats a time: how far away it is, counted down by the client, and the time of day in the
/// reader's time zone, with the date unless it is soon.
fn time_markup(at_s: u64, now_s: u64) -> String {
    let style = if at_s < now_s + WITHOUT_DATE_S { 't' } else { 'f' };
    format!("<t:{at_s}:R> (<t:{at_s}:{style}>)")
}

fn code_span(text: &str) -> String {
    if text.contains('\n') {
        // A code fence cannot be nested: thin spaces keep the backticks apart.
        return format!("```\n{}\n```", text.replace("```", "`\u{2009}`\u{2009}`"));
    }
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false if text.is_empty() => String::new(),
        false => format!("`{text}`"),
    }
}

/// Escapes everything that Discord would read as markup. URLs stay as they are: a backslash would
/// become part of them.
fn escape(text: &str, mut line_start: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let word_start = out.chars().next_back().is_none_or(char::is_whitespace);
        if word_start && (rest.starts_with("https://") || rest.starts_with("http://")) {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            line_start = false;
            continue;
        }
        if let Some(length) = command_mention_len(rest) {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            line_start = false;
            continue;
        }
        if line_start && let Some(mark) = list_mark_len(rest) {
            out.push_str(&rest[..mark - 1]);
            out.push('\\');
            out.push_str(&rest[mark - 1..mark]);
            rest = &rest[mark..];
            line_start = false;
            continue;
        }
        if matches!(letter, '\\' | '*' | '_' | '~' | '`' | '|' | '[' | '<' | '@') {
            out.push('\\');
        }
        out.push(letter);
        line_start = letter == '\n' || (line_start && letter == ' ');
        rest = &rest[letter.len_utf8()..];
    }
    out
}

/// Returns the length in bytes of a heading, quotation or list mark at the beginning; its last byte
/// must be escaped.
fn list_mark_len(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = &line[digits..];
    let mark = match digits {
        0 => matches!(after.chars().next(), Some('>' | '#' | '-' | '+')),
        _ => after.starts_with(". "),
    };
    mark.then_some(digits + 1)
}

#[cfg(test)]
mod tests {
    use super::super::rest_client::to_json;
    use super::*;

    #[test]
    fn a_time_that_is_not_soon_has_its_date() {
        let now_s = 1_795_262_400;
        let in_minutes = |minutes: u64| time_markup(now_s + 60 * minutes, now_s);
        assert_eq!(in_minutes(3), "<t:1795262580:R> (<t:1795262580:t>)");
        assert!(in_minutes(11 * 60).ends_with(":t>)"));
        assert!(in_minutes(12 * 60).ends_with(":f>)"), "it may be tomorrow");
        assert!(in_minutes(3 * 24 * 60).ends_with(":f>)"));
        assert!(time_markup(now_s - 5, now_s).ends_with(":t>)"), "it is just over");
    }

    #[test]
    fn addresses_in_names_get_no_preview() {
        let text = RichText::plain("https://example.com wins");
        let message = OutgoingMessage { text, ..OutgoingMessage::default() };
        let alone = PrivateMessage::from(message.clone());
        let mentions = CommandMentions::new();
        for body in [
            new_message_body(&message, &mentions).0.message,
            response_body(&message, &mentions).0,
            ephemeral_body(&alone, &mentions).0,
        ] {
            let body = to_json(&body);
            let flags = body["flags"].as_u64().unwrap_or_default();
            assert_ne!(flags & MessageFlags::SUPPRESS_EMBEDS.bits(), 0, "{body}");
        }
    }

    #[test]
    fn an_edit_removes_files_and_a_new_message_does_not_name_them() {
        let message = OutgoingMessage { nonce: "1".to_owned(), ..OutgoingMessage::default() };
        let mentions = CommandMentions::new();
        let edit = to_json(&edit_body(&message, &mentions).0);
        assert_eq!(edit["attachments"], serde_json::Value::Array(Vec::new()));
        assert!(edit.get("flags").is_none(), "{edit}");
        let new = to_json(&new_message_body(&message, &mentions).0);
        assert!(new.get("attachments").is_none(), "{new}");
        assert_eq!(new["enforce_nonce"], true);
    }
}
