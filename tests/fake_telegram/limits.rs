//! Checks the limits that the Bot API states only in prose: lengths, keyboards, pictures, rates.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use super::world::{ApiError, World, bad};

/// Longest text in UTF-16 units.
const TEXT_MAX: usize = 4096;
/// Longest caption in UTF-16 units.
const CAPTION_MAX: usize = 1024;
/// How far away a time in a text may be, in seconds.
const TIME_AWAY_MAX_S: u64 = 1_098 * 86_400;
/// Most buttons under one message.
const BUTTONS_MAX: usize = 100;
/// Most bytes of a photo.
const PHOTO_BYTES_MAX: usize = 10 * 1024 * 1024;
/// Most bytes of any upload.
const UPLOAD_BYTES_MAX: usize = 50 * 1024 * 1024;

/// The length in UTF-16 units, as the Bot API counts.
pub fn utf16(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Checks a message text with its entities.
pub fn text(text: &str, entities: &[Value]) -> Result<(), ApiError> {
    if text.trim().is_empty() {
        return Err(bad("message text is empty"));
    }
    if utf16(text) > TEXT_MAX {
        return Err(bad("message is too long"));
    }
    entities_fit(text, entities)
}

/// Checks a caption with its entities.
pub fn caption(text: &str, entities: &[Value]) -> Result<(), ApiError> {
    if utf16(text) > CAPTION_MAX {
        return Err(bad("message caption is too long"));
    }
    entities_fit(text, entities)
}

/// Checks that entities lie within the text and do not split a character.
fn entities_fit(text: &str, entities: &[Value]) -> Result<(), ApiError> {
    let units: Vec<u16> = text.encode_utf16().collect();
    for entity in entities {
        let number = |name: &str| {
            entity[name].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX)
        };
        let (from, length) = (number("offset"), number("length"));
        let is_valid = from
            .checked_add(length)
            .and_then(|to| units.get(from..to))
            .is_some_and(|part| !part.is_empty() && String::from_utf16(part).is_ok());
        if !is_valid {
            return Err(bad("ENTITY_BOUNDS_INVALID"));
        }
    }
    Ok(())
}

/// Checks an entity that shows a time: its format is `r|w?[dD]?[tT]?`, and it is at most 1,098 days
/// away.
pub fn time(entity: &Value, now_ms: u64) -> Result<(), ApiError> {
    let format = entity["date_time_format"].as_str().unwrap_or_default();
    let rest = format.strip_prefix('w').unwrap_or(format);
    let rest = rest.strip_prefix(['d', 'D']).unwrap_or(rest);
    let rest = rest.strip_prefix(['t', 'T']).unwrap_or(rest);
    if format != "r" && !rest.is_empty() {
        return Err(bad("can't parse MessageEntity: Invalid date-time format specified"));
    }
    let latest = now_ms / 1_000 + TIME_AWAY_MAX_S;
    match entity["unix_time"].as_u64() {
        Some(at) if at <= latest => Ok(()),
        Some(_) => Err(bad("ENTITY_DATE_INVALID")),
        None => Err(bad("can't parse MessageEntity: Can't find field \"unix_time\"")),
    }
}

/// Checks an inline keyboard.
pub fn keyboard(markup: &Value) -> Result<(), ApiError> {
    let Some(rows) = markup["inline_keyboard"].as_array() else { return Ok(()) };
    let buttons: Vec<&Map<String, Value>> =
        rows.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_object).collect();
    if buttons.len() > BUTTONS_MAX || markup.to_string().len() > 10_240 {
        return Err(bad("reply markup is too long"));
    }
    for button in buttons {
        if button["text"].as_str().is_none_or(|it| it.trim().is_empty()) {
            return Err(bad("can't parse inline keyboard button: Text must be non-empty"));
        }
        let what = button
            .keys()
            .filter(|it| !["text", "style", "icon_custom_emoji_id"].contains(&it.as_str()));
        if what.count() != 1 {
            return Err(bad("can't parse inline keyboard button: Text buttons are unallowed in \
                            the inline keyboard"));
        }
        if let Some(style) = button.get("style").and_then(Value::as_str)
            && !["danger", "success", "primary"].contains(&style)
        {
            return Err(bad("invalid button style specified"));
        }
        if let Some(data) = button.get("callback_data").and_then(Value::as_str)
            && !(1..=64).contains(&data.len())
        {
            return Err(bad("BUTTON_DATA_INVALID"));
        }
    }
    Ok(())
}

/// Checks an uploaded picture; returns its width and height.
pub fn photo(bytes: &[u8]) -> Result<(u32, u32), ApiError> {
    if bytes.is_empty() {
        return Err(bad("file must be non-empty"));
    }
    if bytes.len() > PHOTO_BYTES_MAX {
        let (size, max) = (bytes.len(), PHOTO_BYTES_MAX);
        return Err(bad(format!(
            "file of size {size} bytes is too big for a photo; the maximum size is {max} bytes"
        )));
    }
    let reader = image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format();
    let size = reader.ok().and_then(|it| it.into_dimensions().ok());
    let (width, height) = size.ok_or_else(|| bad("IMAGE_PROCESS_FAILED"))?;
    let (long, short) = (width.max(height), width.min(height));
    if width + height > 10_000 || long > short.saturating_mul(20) {
        return Err(bad("PHOTO_INVALID_DIMENSIONS"));
    }
    Ok((width, height))
}

/// Checks an uploaded document.
pub fn document(bytes: &[u8]) -> Result<(), ApiError> {
    if bytes.is_empty() {
        return Err(bad("file must be non-empty"));
    }
    if bytes.len() > UPLOAD_BYTES_MAX {
        let text = "Request Entity Too Large".to_owned();
        return Err(ApiError { code: 413, text, parameters: None });
    }
    Ok(())
}

/// Checks an uploaded animation; returns its width and height.
pub fn animation(bytes: &[u8]) -> Result<(u32, u32), ApiError> {
    document(bytes)?;
    let side = |at: usize| bytes.get(at..at + 2).map(|it| u32::from(it[0]) | u32::from(it[1]) << 8);
    match (bytes.starts_with(b"GIF89a"), side(6), side(8)) {
        (true, Some(width), Some(height)) => Ok((width, height)),
        _ => Err(bad("wrong type of the web page content")),
    }
}

/// Calls in the last minute by chat.
#[derive(Default)]
pub struct Rates {
    /// Whether calls are limited.
    pub on: bool,
    calls: BTreeMap<i64, VecDeque<u64>>,
}

impl World {
    /// Counts a send or an edit in a chat: groups accept 20 in a minute, every chat accepts a burst
    /// of three in a second.
    ///
    /// # Errors
    /// The seconds to wait.
    pub fn rate(&mut self, chat: i64) -> Result<(), u64> {
        if !self.rates.on {
            return Ok(());
        }
        let now = self.now_ms;
        let calls = self.rates.calls.entry(chat).or_default();
        while calls.front().is_some_and(|at| at + 60_000 <= now) {
            calls.pop_front();
        }
        if chat < 0 && calls.len() >= 20 {
            let free_at = calls.front().expect("the queue has 20 entries") + 60_000;
            return Err((free_at - now).div_ceil(1000));
        }
        if calls.iter().filter(|at| *at + 1000 > now).count() >= 3 {
            return Err(1);
        }
        calls.push_back(now);
        Ok(())
    }
}
