//! Converts rich text to message entities, and received entities to mentions. Offsets count UTF-16
//! units.

use serde::Deserialize;
use serde_json::{Value, json};
use teloxide::types::{MessageEntity, MessageEntityKind, User, UserId};

use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::{AppLink, Button, ButtonTone, Mention};

/// Longest text of a message in UTF-16 units.
pub(super) const TEXT_MAX: usize = 4096;
/// Longest caption in UTF-16 units.
pub(super) const CAPTION_MAX: usize = 1024;
/// Longest text in the answer to a press, in UTF-16 units.
pub(super) const CALLBACK_TEXT_MAX: usize = 200;

/// Returns the length in UTF-16 units, as Telegram counts.
pub(super) fn utf16_len(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Converts rich text into text and entities, cut to `max` units.
pub(super) fn to_entities(rich: &RichText, max: usize) -> (String, Vec<MessageEntity>) {
    let (mut text, mut found) = (String::new(), Vec::new());
    let mut at = 0;
    for span in &rich.0 {
        let part = truncate_utf16(span.text(), max - at);
        let length = utf16_len(&part);
        if length > 0
            && let Some(kind) = entity_kind(span)
        {
            found.push(MessageEntity::new(kind, at, length));
        }
        at += length;
        let cut = part != span.text();
        text.push_str(&part);
        if cut {
            break;
        }
    }
    (text, found)
}

fn entity_kind(span: &RichSpan) -> Option<MessageEntityKind> {
    match span {
        // Telegram has `date_time` entities since Bot API 9.5, but teloxide does not: the text says
        // how far away the time is.
        RichSpan::Plain(_) | RichSpan::Time { .. } => None,
        RichSpan::Bold(_) => Some(MessageEntityKind::Bold),
        RichSpan::Code(_) => Some(MessageEntityKind::Code),
        RichSpan::Mention { person, name } => {
            let id = person.strip_prefix("tg:")?.parse().ok()?;
            let user = User {
                id: UserId(id),
                is_bot: false,
                first_name: name.clone(),
                last_name: None,
                username: None,
                language_code: None,
                is_premium: false,
                added_to_attachment_menu: false,
            };
            Some(MessageEntityKind::TextMention { user })
        }
    }
}

/// Cuts a text to `max` units; an ellipsis marks the cut.
pub(super) fn truncate_utf16(text: &str, max: usize) -> String {
    if utf16_len(text) <= max {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut left = max.saturating_sub(1);
    for c in text.chars() {
        if c.len_utf16() > left {
            break;
        }
        left -= c.len_utf16();
        out.push(c);
    }
    if max > 0 {
        out.push('…');
    }
    out
}

/// Builds an inline keyboard; without rows it removes an old one. Leaves out buttons that start an
/// inline query if the bot's inline mode is off, because the server refuses them.
pub(super) fn keyboard_json(rows: &[Vec<Button>], inline: bool) -> Value {
    let possible = |it: &&Button| {
        (inline || it.begins.is_none()) && it.opens.as_ref() != Some(&AppLink::Launch)
    };
    let row = |row: &Vec<Button>| row.iter().filter(possible).map(button_json).collect::<Vec<_>>();
    let rows: Vec<Vec<Value>> = rows.iter().map(row).filter(|it| !it.is_empty()).collect();
    json!({ "inline_keyboard": rows })
}

fn button_json(button: &Button) -> Value {
    let mut out = json!({ "text": button.label });
    match (&button.begins, &button.opens) {
        (Some(words), _) => out["switch_inline_query_current_chat"] = json!(words),
        (None, Some(AppLink::Link(url))) => out["url"] = json!(url),
        (None, Some(AppLink::App(url))) => out["web_app"] = json!({ "url": url }),
        (None, Some(AppLink::Launch) | None) => out["callback_data"] = json!(button.press),
    }
    match button.tone {
        ButtonTone::Plain => {}
        ButtonTone::Good => out["style"] = json!("success"),
        ButtonTone::Danger => out["style"] = json!("danger"),
    }
    out
}

/// A received text without the people mentioned in it.
pub(super) struct ParsedText {
    /// The text that is left.
    pub(super) text: String,
    /// The mentioned people, in order.
    pub(super) mentions: Vec<Mention>,
    /// Whether the text begins with the name of this bot, or with a command to it by name.
    pub(super) is_addressed: bool,
}

/// The fields of messages and quotes that list entities.
const ENTITY_FIELDS: [&str; 2] = ["entities", "caption_entities"];

/// Removes the entities that teloxide does not know from all messages of an update: it would read
/// such a message as one without a text.
pub(super) fn remove_unknown_entities(raw: &mut Value) {
    match raw {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::Array(entities) if ENTITY_FIELDS.contains(&name.as_str()) => {
                        entities.retain(|it| MessageEntity::deserialize(it).is_ok());
                    }
                    other => remove_unknown_entities(other),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(remove_unknown_entities),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Takes mentions and the name of this bot out of a text. `None` for a command to another bot.
pub(super) fn parse_text(
    text: &str,
    entities: &[MessageEntity],
    bot: &str,
    known: &dyn Fn(&User) -> Mention,
) -> Option<ParsedText> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut left, mut mentions) = (Vec::with_capacity(units.len()), Vec::new());
    let (mut at, mut is_addressed) = (0, false);
    for entity in entities {
        // Any other entity may contain these: a quote block or bold around a command.
        if !is_taken_out(&entity.kind) {
            continue;
        }
        let (from, to) = (entity.offset, entity.offset.checked_add(entity.length)?);
        if from < at || to > units.len() {
            continue;
        }
        let named = String::from_utf16_lossy(&units[from..to]);
        left.extend_from_slice(&units[at..from]);
        at = to;
        match &entity.kind {
            MessageEntityKind::Mention => {
                let name = named.trim_start_matches('@');
                if name.eq_ignore_ascii_case(bot) {
                    is_addressed |= from == 0;
                } else {
                    mentions.push(Mention::Username(name.to_owned()));
                }
                at = skip_space(&left, &units, at);
            }
            MessageEntityKind::TextMention { user } => {
                mentions.push(known(user));
                at = skip_space(&left, &units, at);
            }
            MessageEntityKind::BotCommand => {
                let (command, name) = named.split_once('@').unwrap_or((&named, bot));
                if name.eq_ignore_ascii_case(bot) {
                    is_addressed |= from == 0 && named.contains('@');
                    left.extend(command.encode_utf16());
                } else if from == 0 {
                    return None;
                } else {
                    left.extend_from_slice(&units[from..to]);
                }
            }
            _ => left.extend_from_slice(&units[from..to]),
        }
    }
    left.extend_from_slice(&units[at..]);
    let text = String::from_utf16_lossy(&left).trim().to_owned();
    Some(ParsedText { text, mentions, is_addressed })
}

/// Whether [`parse_text`] takes this kind of entity out of a text or changes it.
fn is_taken_out(kind: &MessageEntityKind) -> bool {
    matches!(
        kind,
        MessageEntityKind::Mention
            | MessageEntityKind::TextMention { .. }
            | MessageEntityKind::BotCommand
    )
}

/// Skips one of two spaces that enclosed a removed name.
fn skip_space(left: &[u16], units: &[u16], at: usize) -> usize {
    let space = u16::from(b' ');
    let before = left.last().is_none_or(|it| *it == space);
    if before && units.get(at) == Some(&space) { at + 1 } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_utf16_units() {
        let rich = RichText(vec![
            RichSpan::Plain("🎲 ".into()),
            RichSpan::Bold("Ход".into()),
            RichSpan::Mention { person: "tg:5".into(), name: "Ая".into() },
            RichSpan::Mention { person: "web:5".into(), name: "X".into() },
        ]);
        let (text, found) = to_entities(&rich, TEXT_MAX);
        assert_eq!(text, "🎲 ХодАяX");
        let spans: Vec<_> = found.iter().map(|it| (it.offset, it.length)).collect();
        assert_eq!(spans, [(3, 3), (6, 2)]);
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        assert_eq!(truncate_utf16("ab🎲cd", 4), "ab…");
        assert_eq!(truncate_utf16("ab🎲", 4), "ab🎲");
        let rich = RichText(vec![RichSpan::Bold("aaaa".into()), RichSpan::Code("bb".into())]);
        let (text, found) = to_entities(&rich, 3);
        assert_eq!((text.as_str(), found.len(), found[0].length), ("aa…", 1, 3));
    }

    #[test]
    fn names_leave_the_words() {
        let entity = |kind, offset, length| MessageEntity { kind, offset, length };
        let known = |user: &User| Mention::Username(user.first_name.clone());
        let text = "/togyz@Caravan_Bot @bob 🎲 @caravan_bot short";
        let entities = [
            entity(MessageEntityKind::BotCommand, 0, 18),
            entity(MessageEntityKind::Mention, 19, 4),
            entity(MessageEntityKind::Mention, 27, 12),
        ];
        let found = parse_text(text, &entities, "caravan_bot", &known).unwrap();
        assert_eq!(found.text, "/togyz 🎲 short");
        assert_eq!(found.mentions, [Mention::Username("bob".into())]);
        let around =
            [entity(MessageEntityKind::Blockquote, 0, 45), entity(MessageEntityKind::Bold, 0, 10)];
        let formatted: Vec<_> = around.into_iter().chain(entities).collect();
        let found = parse_text(text, &formatted, "caravan_bot", &known).unwrap();
        assert_eq!((found.text.as_str(), found.mentions.len()), ("/togyz 🎲 short", 1));
        let other = [entity(MessageEntityKind::BotCommand, 0, 8)];
        assert!(parse_text("/go@else", &other, "caravan_bot", &known).is_none());
    }

    #[test]
    fn unknown_entities_are_removed_everywhere() {
        let unknown = json!({ "type": "date_time", "offset": 0, "length": 6, "unix_time": 5 });
        let bold = json!({ "type": "bold", "offset": 0, "length": 6 });
        let both = json!([unknown, bold]);
        let mut raw = json!({ "message": {
            "entities": both,
            "quote": { "entities": both },
            "reply_to_message": { "caption_entities": both },
        } });
        remove_unknown_entities(&mut raw);
        let known = json!([bold]);
        let expected = json!({ "message": {
            "entities": known,
            "quote": { "entities": known },
            "reply_to_message": { "caption_entities": known },
        } });
        assert_eq!(raw, expected);
    }
}
