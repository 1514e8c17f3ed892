//! Builds Discord's message bodies: markdown, components, attachments.

use serde_json::{Map, Value, json};
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

/// Message flag: only the user who acted sees it.
pub(super) const EPHEMERAL: u64 = 1 << 6;
/// Message flag: no link previews; user names may contain URLs.
const NO_PREVIEW: u64 = 1 << 2;
/// Message flag: no notification sound.
const SILENT: u64 = 1 << 12;

/// Returns the flags of a public message.
fn flags(message: &OutgoingMessage) -> u64 {
    let sound = if message.notification.is_audible() { 0 } else { SILENT };
    NO_PREVIEW | sound
}

/// Builds a new message for a channel, with its files.
pub(super) fn new_message_body(
    message: &OutgoingMessage,
    mentions: &CommandMentions,
) -> (Value, Vec<DiscordFile>) {
    let (mut body, files) = common_fields(message, mentions);
    if files.is_empty() {
        body.remove("attachments");
    }
    body.insert("flags".to_owned(), json!(flags(message)));
    if !message.nonce.is_empty() {
        body.insert("nonce".to_owned(), json!(short_nonce(&message.nonce)));
        body.insert("enforce_nonce".to_owned(), json!(true));
    }
    if let Some(id) = message.reply_to.as_ref().and_then(message_number) {
        let reference = json!({"message_id": id.to_string(), "fail_if_not_exists": false});
        body.insert("message_reference".to_owned(), reference);
    }
    (Value::Object(body), files)
}

/// Builds an edit of a message, which replaces its whole content.
pub(super) fn edit_body(
    message: &OutgoingMessage,
    mentions: &CommandMentions,
) -> (Value, Vec<DiscordFile>) {
    let (body, files) = common_fields(message, mentions);
    (Value::Object(body), files)
}

/// Builds a public message as the response to a command.
pub(super) fn response_body(
    message: &OutgoingMessage,
    mentions: &CommandMentions,
) -> (Value, Vec<DiscordFile>) {
    let (mut body, files) = common_fields(message, mentions);
    if files.is_empty() {
        body.remove("attachments");
    }
    body.insert("flags".to_owned(), json!(flags(message)));
    (Value::Object(body), files)
}

/// The flag by which Discord shows a response only to the user who acted.
struct EphemeralFlag;

impl SingleReader for EphemeralFlag {}

/// Builds a message for only the user who acted.
pub(super) fn ephemeral_body(
    message: &PrivateMessage,
    mentions: &CommandMentions,
) -> (Value, Vec<DiscordFile>) {
    let (mut body, files) = common_fields(message.for_reader(&EphemeralFlag), mentions);
    if files.is_empty() {
        body.remove("attachments");
    }
    body.insert("flags".to_owned(), json!(EPHEMERAL | NO_PREVIEW));
    (Value::Object(body), files)
}

fn common_fields(
    message: &OutgoingMessage,
    mentions: &CommandMentions,
) -> (Map<String, Value>, Vec<DiscordFile>) {
    let (files, attachments) = attachments(message);
    let mut pinged: Vec<String> = Vec::new();
    if message.notification.is_audible() {
        for span in &message.text.0 {
            if let RichSpan::Mention { person, .. } = span
                && let Some(id) = person_number(person)
                && !pinged.contains(&id)
            {
                pinged.push(id);
            }
        }
        pinged.truncate(100);
    }
    let mut body = Map::new();
    body.insert("content".to_owned(), json!(to_markdown(&message.text, mentions)));
    body.insert("attachments".to_owned(), json!(attachments));
    body.insert("components".to_owned(), components_json(&message.buttons));
    let mentions = json!({"parse": [], "users": pinged, "replied_user": false});
    body.insert("allowed_mentions".to_owned(), mentions);
    (body, files)
}

fn attachments(message: &OutgoingMessage) -> (Vec<DiscordFile>, Vec<Value>) {
    let (mut files, mut list) = (Vec::new(), Vec::new());
    if let Some(image) = &message.image {
        list.push(json!({
            "id": "0", "filename": "board.png", "description": truncate(&image.alt, ALT_MAX),
        }));
        let bytes = image.png.as_ref().clone();
        files.push(DiscordFile { name: "board.png".to_owned(), mime: "image/png", bytes });
    }
    if let Some(file) = &message.file {
        let mut attached = json!({"id": files.len().to_string(), "filename": file.name});
        let mime = match &file.animation {
            Some(alt) => {
                attached["description"] = json!(truncate(alt, ALT_MAX));
                "image/gif"
            }
            None => "application/octet-stream",
        };
        list.push(attached);
        let bytes = file.bytes.as_ref().clone();
        files.push(DiscordFile { name: file.name.clone(), mime, bytes });
    }
    (files, list)
}

fn components_json(buttons: &[Vec<Button>]) -> Value {
    // Discord has no button that starts an inline query or opens an app.
    let known = |it: &&Button| {
        it.begins.is_none() && !matches!(it.opens, Some(AppLink::App(_) | AppLink::Launch))
    };
    let possible = |row: &Vec<Button>| -> Vec<Value> {
        row.iter().filter(known).take(ROWS_MAX).map(button_json).collect()
    };
    let mut rows: Vec<Vec<Value>> =
        buttons.iter().map(possible).filter(|row| !row.is_empty()).collect();
    if rows.len() > ROWS_MAX {
        let all = rows.concat();
        let in_a_row = all.len().div_ceil(ROWS_MAX).min(ROWS_MAX);
        rows = all.chunks(in_a_row).take(ROWS_MAX).map(<[Value]>::to_vec).collect();
    }
    rows.into_iter().map(|row| json!({"type": 1, "components": row})).collect()
}

fn button_json(button: &Button) -> Value {
    let style = match button.tone {
        ButtonTone::Plain => 2,
        ButtonTone::Good => 3,
        ButtonTone::Danger => 4,
    };
    let label = truncate(&button.label, LABEL_MAX);
    if let Some(AppLink::Link(url)) = &button.opens {
        return json!({"type": 2, "style": 5, "label": label, "url": url});
    }
    json!({"type": 2, "style": style, "label": label, "custom_id": button.press})
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

/// Returns the user id of a Discord person as digits.
fn person_number(person: &str) -> Option<String> {
    let id: u64 = person.strip_prefix("dc:")?.parse().ok()?;
    Some(id.to_string())
}

/// Returns the user id of a Discord person.
pub(super) fn user_number(person: &PersonId) -> Option<u64> {
    person.0.strip_prefix("dc:")?.parse().ok().filter(|it| *it > 0)
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
        // A relative time that counts down, and the time of day in the reader's time zone.
        RichSpan::Time { at_ms, day: true, .. } => format!("<t:{}:D>", at_ms / 1_000),
        RichSpan::Time { at_ms, .. } => {
            let seconds = at_ms / 1_000;
            format!("<t:{seconds}:R> (<t:{seconds}:t>)")
        }
    }
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
    use super::*;

    #[test]
    fn addresses_in_names_get_no_preview() {
        let text = RichText::plain("https://example.com wins");
        let message = OutgoingMessage { text, ..OutgoingMessage::default() };
        let alone = PrivateMessage::from(message.clone());
        let mentions = CommandMentions::new();
        for (body, _) in [
            new_message_body(&message, &mentions),
            response_body(&message, &mentions),
            ephemeral_body(&alone, &mentions),
        ] {
            assert_ne!(body["flags"].as_u64().unwrap_or_default() & NO_PREVIEW, 0, "{body}");
        }
    }
}
