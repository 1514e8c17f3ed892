//! Sets the texts that present the bot to people who do not use it yet, by language.

use serde_json::{Map, Value, json};

use super::TelegramError;
use super::bot_api::BotApi;
use super::markup::truncate_utf16;

/// A text of the profile: how it is read and set, and its greatest length in UTF-16 units.
struct ProfileField {
    get: &'static str,
    set: &'static str,
    name: &'static str,
    max: usize,
}

const DESCRIPTION: ProfileField = ProfileField {
    get: "getMyDescription",
    set: "setMyDescription",
    name: "description",
    max: 512,
};
const SHORT_DESCRIPTION: ProfileField = ProfileField {
    get: "getMyShortDescription",
    set: "setMyShortDescription",
    name: "short_description",
    max: 120,
};

/// The texts of the profile in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramProfileTexts {
    /// Two-letter language code; empty for all other languages.
    pub language: String,
    /// Shown in the empty chat before a person starts the bot.
    pub description: String,
    /// Shown on the profile, and sent along when people share the bot.
    pub short_description: String,
}

/// Sets the texts; skips those that the server has already.
///
/// # Errors
/// The first call that fails.
pub(super) async fn set_profile_texts(
    api: &BotApi,
    texts: &[TelegramProfileTexts],
) -> Result<(), TelegramError> {
    for TelegramProfileTexts { language, description, short_description } in texts {
        set_field(api, &DESCRIPTION, language, description).await?;
        set_field(api, &SHORT_DESCRIPTION, language, short_description).await?;
    }
    Ok(())
}

async fn set_field(
    api: &BotApi,
    field: &ProfileField,
    language: &str,
    text: &str,
) -> Result<(), TelegramError> {
    let text = truncate_utf16(text, field.max);
    let mut fields = Map::new();
    if !language.is_empty() {
        fields.insert("language_code".to_owned(), json!(language));
    }
    let now: Value = api
        .call_method(field.get, fields.clone())
        .await
        .map_err(|error| TelegramError::from_call(field.get, error))?;
    if now[field.name] == *text {
        return Ok(());
    }
    fields.insert(field.name.to_owned(), json!(text));
    api.call_method::<bool>(field.set, fields)
        .await
        .map(drop)
        .map_err(|error| TelegramError::from_call(field.set, error))
}
