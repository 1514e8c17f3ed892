//! Converts rich text to message entities, and received entities to mentions. Offsets count UTF-16
//! units.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use teloxide::types::{MessageEntity, MessageEntityKind, User, UserId};

use caravanserai_games::text::{FutureTime, RichSpan, RichText};
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

/// The type of entities that show a time; teloxide does not know it.
const TIME_ENTITY: &str = "date_time";
/// Format of an entity: how far away the time is, counted down by the app.
const AWAY_FORMAT: &str = "r";
/// Format of an entity: the time of day.
const TIME_FORMAT: &str = "t";
/// Format of an entity: the date and the time of day.
const DATE_TIME_FORMAT: &str = "dt";
/// Format of an entity: the date in words.
const DATE_FORMAT: &str = "D";
/// How soon a time is if its time of day needs no date, in seconds.
const WITHOUT_DATE_S: u64 = 12 * 3_600;
/// How far away the times are at most that Telegram accepts in entities, in seconds: 1,098 days,
/// without one for clocks that differ.
const TIME_AWAY_MAX_S: u64 = 1_097 * 86_400;

/// How the times of a text are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeForm {
    /// As entities (Bot API 9.5), which apps show in the time zone of the reader.
    Entities {
        /// The current time in seconds since 1970.
        now_s: u64,
    },
    /// As words: the server does not know the entities.
    Words,
}

/// An entity of a text that is sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum TextEntity {
    /// One that teloxide knows.
    Known(MessageEntity),
    /// A time.
    Time(TimeEntity),
}

/// An entity that apps replace by a time in the time zone of the reader. Apps that do not know it
/// show the text that it marks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TimeEntity {
    #[serde(rename = "type")]
    kind: &'static str,
    offset: usize,
    length: usize,
    unix_time: u64,
    date_time_format: &'static str,
}

/// Converts rich text into text and entities, cut to `max` units.
pub(super) fn to_entities(
    rich: &RichText,
    max: usize,
    times: TimeForm,
) -> (String, Vec<TextEntity>) {
    let mut text = String::new();
    let mut found = Vec::new();
    let mut at = 0;
    for (words, mark) in rich.0.iter().flat_map(|it| marked_words(it, times)) {
        let part = truncate_utf16(&words, max - at);
        let length = utf16_len(&part);
        if length > 0 {
            found.extend(mark.map(|it| it.entity(at, length)));
        }
        at += length;
        let is_cut = part != *words;
        text.push_str(&part);
        if is_cut {
            break;
        }
    }
    (text, found)
}

/// The meaning of some words of a text, without their position.
enum WordMark {
    Known(MessageEntityKind),
    Time { at_s: u64, format: &'static str },
}

impl WordMark {
    /// The entity that marks the words at this position.
    fn entity(self, offset: usize, length: usize) -> TextEntity {
        match self {
            WordMark::Known(kind) => TextEntity::Known(MessageEntity::new(kind, offset, length)),
            WordMark::Time { at_s, format } => TextEntity::Time(TimeEntity {
                kind: TIME_ENTITY,
                offset,
                length,
                unix_time: at_s,
                date_time_format: format,
            }),
        }
    }
}

/// The words of a span, each with its mark. A time gets its time of day behind it, since apps round
/// how far away it is.
fn marked_words(span: &RichSpan, times: TimeForm) -> Vec<(Cow<'_, str>, Option<WordMark>)> {
    let words = Cow::Borrowed(span.text());
    let (RichSpan::Time { at_ms, day, .. }, TimeForm::Entities { now_s }) = (span, times) else {
        return vec![(words, entity_kind(span).map(WordMark::Known))];
    };
    let at_s = at_ms / 1_000;
    if at_s > now_s + TIME_AWAY_MAX_S {
        return vec![(words, None)];
    }
    let mark = |format| Some(WordMark::Time { at_s, format });
    if *day {
        return vec![(words, mark(DATE_FORMAT))];
    }
    let is_soon = at_s < now_s + WITHOUT_DATE_S;
    let format = if is_soon { TIME_FORMAT } else { DATE_TIME_FORMAT };
    let moment = FutureTime { at_ms: *at_ms, day: false, away: None };
    vec![
        (words, mark(AWAY_FORMAT)),
        (Cow::Borrowed(" ("), None),
        (Cow::Owned(moment.utc_time_of_day()), mark(format)),
        (Cow::Borrowed(")"), None),
    ]
}

fn entity_kind(span: &RichSpan) -> Option<MessageEntityKind> {
    match span {
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

/// Returns the fields of a call without the entities that show times; `None` if there are none.
pub(super) fn without_times(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut plain = fields.clone();
    let mut any = false;
    for (name, value) in &mut plain {
        // The caption of a new picture is inside of the field that describes the picture.
        let lists = match value {
            Value::Object(media) => media.get_mut(CAPTION_ENTITIES),
            value if ENTITY_FIELDS.contains(&name.as_str()) => Some(value),
            _ => None,
        };
        let Some(Value::Array(entities)) = lists else { continue };
        let count = entities.len();
        entities.retain(|it| it["type"] != TIME_ENTITY);
        any |= entities.len() < count;
    }
    any.then_some(plain)
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
        (inline || it.inline_query.is_none()) && it.link.as_ref() != Some(&AppLink::Launch)
    };
    let row = |row: &Vec<Button>| row.iter().filter(possible).map(button_json).collect::<Vec<_>>();
    let rows: Vec<Vec<Value>> = rows.iter().map(row).filter(|it| !it.is_empty()).collect();
    json!({ "inline_keyboard": rows })
}

fn button_json(button: &Button) -> Value {
    let mut out = json!({ "text": button.label });
    match (&button.inline_query, &button.link) {
        (Some(words), _) => out["switch_inline_query_current_chat"] = json!(words),
        (None, Some(AppLink::Link(url))) => out["url"] = json!(url),
        (None, Some(AppLink::App(url))) => out["web_app"] = json!({ "url": url }),
        (None, Some(AppLink::Launch) | None) => out["callback_data"] = json!(button.callback_data),
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

/// The field of messages that lists the entities of the text.
pub(super) const ENTITIES: &str = "entities";
/// The field of messages that lists the entities of the caption.
pub(super) const CAPTION_ENTITIES: &str = "caption_entities";
/// The fields of messages and quotes that list entities.
const ENTITY_FIELDS: [&str; 2] = [ENTITIES, CAPTION_ENTITIES];

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
    let mut left = Vec::with_capacity(units.len());
    let mut mentions = Vec::new();
    let mut at = 0;
    let mut is_addressed = false;
    for entity in entities {
        // Any other entity may contain these: a quote block or bold around a command.
        if !is_taken_out(&entity.kind) {
            continue;
        }
        let from = entity.offset;
        let to = entity.offset.checked_add(entity.length)?;
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
        let (text, found) = to_entities(&rich, TEXT_MAX, TimeForm::Words);
        assert_eq!(text, "🎲 ХодАяX");
        assert_eq!(positions(&found), [(3, 3), (6, 2)]);
    }

    fn positions(entities: &[TextEntity]) -> Vec<(u64, u64)> {
        let number = |it: &Value| it.as_u64().unwrap();
        let values = entities.iter().map(|it| serde_json::to_value(it).unwrap());
        values.map(|it| (number(&it["offset"]), number(&it["length"]))).collect()
    }

    const NOON_S: u64 = 1_795_262_400;

    fn clock_line(minutes: u64, day: bool, away: &str) -> RichText {
        let at_ms = 1_000 * (NOON_S + 60 * minutes);
        let time = RichSpan::Time { at_ms, day, away: away.to_owned() };
        RichText(vec![RichSpan::Plain("⏱ Ая: ".into()), time, RichSpan::Plain(".".into())])
    }

    /// Text, and the format and words of each entity, as the server gets them at noon.
    fn sent_at_noon(rich: &RichText) -> (String, Vec<(String, String)>) {
        let (text, found) = to_entities(rich, TEXT_MAX, TimeForm::Entities { now_s: NOON_S });
        let units: Vec<u16> = text.encode_utf16().collect();
        let spans = positions(&found).into_iter().map(|(from, length)| {
            let (from, to) = (from as usize, (from + length) as usize);
            String::from_utf16(&units[from..to]).unwrap()
        });
        let formats = found.iter().map(|it| {
            let entity = serde_json::to_value(it).unwrap();
            assert_eq!(entity["type"], "date_time");
            entity["date_time_format"].as_str().unwrap().to_owned()
        });
        let marks = formats.zip(spans).collect();
        (text, marks)
    }

    #[test]
    fn a_time_is_counted_down_and_has_its_time_of_day_behind_it() {
        let (text, marks) = sent_at_noon(&clock_line(14, false, "14 min"));
        assert_eq!(text, "⏱ Ая: 14 min (12:14 UTC).");
        let marks: Vec<_> = marks.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(marks, [("r", "14 min"), ("t", "12:14 UTC")]);
        let (_, marks) = sent_at_noon(&clock_line(3 * 24 * 60, false, "3 d 0 h"));
        assert_eq!(marks[1].0, "dt", "it is not soon");
        let (text, marks) = sent_at_noon(&clock_line(3 * 24 * 60, true, "24 November"));
        assert_eq!(text, "⏱ Ая: 24 November.");
        assert_eq!(marks, [("D".to_owned(), "24 November".to_owned())]);
    }

    #[test]
    fn times_stay_words_on_old_servers_and_in_the_far_future() {
        let soon = clock_line(14, false, "14 min");
        assert_eq!(
            to_entities(&soon, TEXT_MAX, TimeForm::Words),
            ("⏱ Ая: 14 min.".to_owned(), vec![])
        );
        let far = clock_line(1_099 * 24 * 60, false, "1099 d 0 h");
        assert_eq!(sent_at_noon(&far), ("⏱ Ая: 1099 d 0 h.".to_owned(), vec![]));
    }

    #[test]
    fn a_refused_call_is_repeated_without_its_times() {
        let bold = json!({ "type": "bold", "offset": 0, "length": 1 });
        let time = json!({
            "type": "date_time", "offset": 1, "length": 2, "unix_time": 5, "date_time_format": "r",
        });
        let call = |entities: Value| {
            let media = json!({ "type": "photo", "caption_entities": entities });
            let fields = json!({ "chat_id": 7, "entities": entities, "media": media });
            fields.as_object().cloned().unwrap()
        };
        let plain = call(json!([bold]));
        assert_eq!(without_times(&call(json!([bold, time]))), Some(plain.clone()));
        assert_eq!(without_times(&plain), None);
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        assert_eq!(truncate_utf16("ab🎲cd", 4), "ab…");
        assert_eq!(truncate_utf16("ab🎲", 4), "ab🎲");
        let rich = RichText(vec![RichSpan::Bold("aaaa".into()), RichSpan::Code("bb".into())]);
        let (text, found) = to_entities(&rich, 3, TimeForm::Words);
        assert_eq!((text.as_str(), positions(&found)), ("aa…", vec![(0, 3)]));
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
