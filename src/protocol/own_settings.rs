//! The settings of a person, for clients that show them in a form of their own.

use serde::Serialize;

/// The settings of a person, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OwnSettings {
    /// The settings.
    pub settings: Vec<OwnSetting>,
}

/// A setting of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OwnSetting {
    /// Its code, which never changes.
    pub code: &'static str,
    /// Its name, in the person's language.
    pub label: String,
    /// The code of the present value; `None` if it is none of the values.
    pub value: Option<String>,
    /// The values to choose from.
    pub values: Vec<OwnSettingValue>,
}

/// A value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OwnSettingValue {
    /// Its code.
    pub value: &'static str,
    /// Its name, in the person's language.
    pub label: String,
    /// The callback data of a press that chooses it, in the private chat.
    #[serde(rename = "press")]
    pub callback_data: String,
}
