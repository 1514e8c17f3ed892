//! Checks values against the machine-readable Bot API (`tests/data/specs`).
//!
//! A field's type is written `int`, `str`, `bool`, `float`, `true`, `file`, the name of a type or
//! union, `X[]` for a list, `a|b` for a choice of plain types and `=word` for a fixed word; a
//! trailing `!` means required.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::world::Version;

/// The specification.
#[derive(Deserialize)]
pub struct Spec {
    pub methods: BTreeMap<String, Method>,
    types: BTreeMap<String, BTreeMap<String, String>>,
    unions: BTreeMap<String, Vec<String>>,
}

/// One method of the Bot API.
#[derive(Deserialize)]
pub struct Method {
    /// The type of the result; `a|b` if it depends on the call.
    returns: String,
    pub fields: BTreeMap<String, String>,
}

/// The specification, read once.
pub static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/specs/telegram-bot-api-10.3.json"))
        .expect("the committed specification is JSON of this form")
});

/// The methods that are new in Bot API 10.2 and 10.3: a server in old mode does not know them.
pub const NEW_METHODS: [&str; 5] = [
    "deleteEphemeralMessage",
    "editEphemeralMessageCaption",
    "editEphemeralMessageMedia",
    "editEphemeralMessageReplyMarkup",
    "editEphemeralMessageText",
];

/// Parameters of sending methods that a server older than this ignores.
pub const NEW_FIELDS: [(&str, Version); 3] = [
    ("ephemeral_message_parameters", Version::V10_3),
    ("receiver_user_id", Version::V10_2),
    ("callback_query_id", Version::V10_2),
];

impl Spec {
    /// Finds a method, ignoring case; returns its proper spelling.
    pub fn method(&self, name: &str) -> Option<(&str, &Method)> {
        self.methods
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(known, method)| (known.as_str(), method))
    }

    /// The names of the required boolean fields of a type.
    pub fn required_bools(&self, kind: &str) -> impl Iterator<Item = &str> {
        let fields = self.types[kind].iter().filter(|(_, kind)| *kind == "bool!");
        fields.map(|(name, _)| name.as_str())
    }

    /// Checks the parameters of a method; `files` are the names of the uploaded parts.
    pub fn check_call(
        &self,
        method: &str,
        params: &Map<String, Value>,
        files: &BTreeSet<String>,
    ) -> Result<(), String> {
        let fields = &self.methods[method].fields;
        self.check_fields(method, fields, params, files)
    }

    /// Checks a result of this server.
    pub fn check_result(&self, method: &str, result: &Value) -> Result<(), String> {
        let none = BTreeSet::new();
        let mut result_of_check = Ok(());
        for kind in self.methods[method].returns.split('|') {
            result_of_check = self.check(kind, result, "result", &none);
            if result_of_check.is_ok() {
                break;
            }
        }
        result_of_check
    }

    /// Checks that a value is of this type.
    pub fn check(
        &self,
        kind: &str,
        value: &Value,
        path: &str,
        files: &BTreeSet<String>,
    ) -> Result<(), String> {
        let kind = kind.trim_end_matches('!');
        if let Some(item) = kind.strip_suffix("[]") {
            let list = value.as_array().ok_or_else(|| format!("{path} is not a list"))?;
            return list
                .iter()
                .enumerate()
                .try_for_each(|(n, it)| self.check(item, it, &format!("{path}[{n}]"), files));
        }
        if let Some(word) = kind.strip_prefix('=') {
            let number = || value.as_i64().is_some() && value.as_i64() == word.parse().ok();
            let same = value.as_str() == Some(word) || number();
            return same.then_some(()).ok_or_else(|| format!("{path} is not {word}"));
        }
        let plain = match kind {
            "int" => value.is_i64() || value.is_u64(),
            "float" => value.is_number(),
            "bool" => value.is_boolean(),
            "true" => value == &Value::Bool(true),
            "str" => value.is_string(),
            "int|str" => value.is_i64() || value.is_string(),
            "file" => uploaded(value, files) == Some(true),
            "file|str" => value.is_string() && uploaded(value, files) != Some(false),
            _ => return self.check_named(kind, value, path, files),
        };
        plain.then_some(()).ok_or_else(|| format!("{path} is not of type {kind}: {value}"))
    }

    fn check_named(
        &self,
        kind: &str,
        value: &Value,
        path: &str,
        files: &BTreeSet<String>,
    ) -> Result<(), String> {
        if let Some(variants) = self.unions.get(kind) {
            let found: Vec<_> =
                variants.iter().map(|it| (it, self.check(it, value, path, files))).collect();
            if found.iter().any(|(_, result)| result.is_ok()) {
                return Ok(());
            }
            let closest = found.iter().find(|(it, _)| self.same_kind(it, value));
            return match closest {
                Some((_, Err(error))) => Err(error.clone()),
                _ => Err(format!("{path} is no {kind}: {value}")),
            };
        }
        let fields = self.types.get(kind).unwrap_or_else(|| panic!("type {kind} is not specified"));
        let object = value.as_object().ok_or_else(|| format!("{path} is not an object {kind}"))?;
        self.check_fields(path, fields, object, files)
    }

    /// Whether the fixed words of a type (`type`, `status`) equal those of the value.
    fn same_kind(&self, kind: &str, value: &Value) -> bool {
        let Some(fields) = self.types.get(kind) else { return false };
        let mut words = fields.iter().filter_map(|(name, kind)| {
            kind.strip_prefix('=').map(|it| (name, it.trim_end_matches('!')))
        });
        words.any(|(name, word)| value.get(name).and_then(Value::as_str) == Some(word))
    }

    fn check_fields(
        &self,
        path: &str,
        fields: &BTreeMap<String, String>,
        object: &Map<String, Value>,
        files: &BTreeSet<String>,
    ) -> Result<(), String> {
        for (name, value) in object {
            let kind =
                fields.get(name).ok_or_else(|| format!("{path} has an unknown field {name}"))?;
            self.check(kind, value, &format!("{path}.{name}"), files)?;
        }
        let missing = fields
            .iter()
            .find(|(name, kind)| kind.ends_with('!') && !object.contains_key(name.as_str()));
        match missing {
            Some((name, _)) => Err(format!("{path} lacks the field {name}")),
            None => Ok(()),
        }
    }
}

/// Whether an `attach://name` refers to an uploaded part; `None` for other strings.
fn uploaded(value: &Value, files: &BTreeSet<String>) -> Option<bool> {
    let name = value.as_str()?.strip_prefix("attach://")?;
    Some(files.contains(name))
}

/// Converts the text of a form field to its type; invalid text stays a string, which the check then
/// rejects.
pub fn from_form(kind: &str, text: &str) -> Value {
    match kind.trim_end_matches('!') {
        "str" | "file" | "file|str" => Value::from(text),
        "int" => text.parse::<i64>().map_or_else(|_| Value::from(text), Value::from),
        "int|str" => text.parse::<i64>().map_or_else(|_| Value::from(text), Value::from),
        "bool" => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" => Value::Bool(true),
            "false" | "0" | "no" => Value::Bool(false),
            _ => Value::from(text),
        },
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
    }
}
